//! Matches that somebody kills, interrupts or stops for a while, and the engines that they leave behind: none.

use super::{assert_whole, play, resumed_from_journal, start, undisturbed, wait_for_games, words};
use crate::support;
use crate::support::cecp::mock_cecp;
use crate::support::matches::{Scene, finish, games, is_alive, state, tag};
use crate::support::mock::mock_engine;
use crate::support::{signal, wait_until};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The process that kills the engines of a match should it be killed.
fn guard_of(child: &Child) -> String {
    let is_guard = |process: &PathBuf| {
        let read = |name: &str| std::fs::read_to_string(process.join(name)).unwrap_or_default();
        read("status").contains(&format!("\nPPid:\t{}\n", child.id()))
            && read("cmdline").contains("guard-children")
    };
    let processes = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    let guard = processes.filter(is_guard).last().expect("a guard");
    guard.file_name().unwrap().to_str().unwrap().to_string()
}

#[test]
fn a_killed_match_goes_on_where_it_stood() {
    let expected = undisturbed();
    let scene = Scene::new();
    // Killed three times, at different points, and gone on with in each way.
    let mut child = start(&scene, "");
    wait_for_games(&scene, 3);
    signal(child.id(), "KILL");
    child.wait().unwrap();
    scene.assert_all_gone();
    let mut child = start(&scene, "-resume");
    wait_for_games(&scene, 9);
    signal(child.id(), "KILL");
    child.wait().unwrap();
    scene.assert_all_gone();
    // What a power cut may leave: a torn line in each file, and less in the one than in the other.
    let cut = |name: &str, bytes: u64| {
        let file = std::fs::OpenOptions::new().write(true).open(scene.path(name)).unwrap();
        file.set_len(file.metadata().unwrap().len() - bytes).unwrap();
    };
    cut("g.pgn.journal", 10);
    cut("g.pgn", 1500);
    cut("g.epd", 5);
    let mut child = resumed_from_journal(&scene, "g.pgn.journal").spawn().unwrap();
    wait_for_games(&scene, 14);
    signal(child.id(), "KILL");
    child.wait().unwrap();
    let ended = play(&scene, "-resume");
    assert!(ended.stdout.contains("Resuming after "), "{}", ended.stdout);
    assert_whole(&scene, &ended, expected);
    // Once more: there is nothing left to do.
    let ended = play(&scene, "-resume");
    assert_whole(&scene, &ended, expected);
    // And by its journal, which was begun with games at the same time that another machine could not have.
    let journal = scene.read("g.pgn.journal");
    std::fs::write(
        scene.path("g.pgn.journal"),
        journal.replacen("\"2\",\"-force-concurrency\"", "\"60000\"", 1),
    )
    .unwrap();
    assert_ne!(scene.read("g.pgn.journal"), journal);
    let ended = play(&scene, "-resume");
    assert_whole(&scene, &ended, expected);
}

#[test]
fn an_interrupted_match_goes_on_where_it_stood() {
    let expected = undisturbed();
    for name in ["INT", "TERM", "HUP"] {
        if name == "HUP" && support::is_hangup_ignored() {
            continue;
        }
        let scene = Scene::new();
        let child = start(&scene, "");
        wait_for_games(&scene, 5);
        signal(child.id(), name);
        let ended = finish(child);
        assert_eq!(ended.code, Some(1), "{}", ended.stderr);
        assert!(ended.stderr.contains("interrupted") && ended.stderr.contains("-resume"), "{}", ended.stderr);
        assert!(ended.stdout.contains("Results of A vs B"), "{}", ended.stdout);
        scene.assert_all_gone();
        assert_whole(&scene, &play(&scene, "-resume -wait 1"), expected);
    }
}

#[test]
fn whoever_starts_a_match_to_go_on_after_a_hangup_gets_it() {
    let scene = Scene::new();
    let direct = scene.command("good --seed 1 --think 2000", "good --seed 2 --think 2000", &words(&scene));
    let mut nohup = Command::new("sh");
    nohup.current_dir(&scene.folder).args(["-c", "trap '' HUP; exec \"$@\"", "sh"]);
    nohup.arg(direct.get_program()).args(direct.get_args()).stdin(Stdio::null());
    let child = nohup.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_games(&scene, 5);
    signal(child.id(), "HUP");
    assert_whole(&scene, &finish(child), undisturbed());
}

#[test]
fn a_match_that_is_being_prepared_ends_when_asked_once() {
    let scene = Scene::new();
    // Opening it waits for somebody who reads it.
    let pipe = scene.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = start(&scene, "-each stderr=pipe");
    wait_until("the journal", || scene.path("g.pgn.journal").exists());
    signal(child.id(), "INT");
    let ended = finish(child);
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);
    assert!(ended.stderr.contains("stopped before the first game"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("waited for"), "{}", ended.stderr);
    // Nor does it wait for who does not greet.
    let scene = Scene::new();
    let child = scene.command("no-uciok", "good", "-each tc=60 -startup-ms 3600000").spawn().unwrap();
    wait_until("an engine", || !scene.read("pids").is_empty());
    signal(child.id(), "INT");
    let ended = finish(child);
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);
    assert_eq!(ended.stderr, "adoube: stopped before the first game\n", "that is no fault of the engine");
    scene.assert_all_gone();
}

#[test]
fn two_signals_at_once_are_one_request() {
    let scene = Scene::new();
    let child = start(&scene, "");
    wait_for_games(&scene, 5);
    let twice = format!("kill -INT {0}; kill -TERM {0}", child.id());
    assert!(Command::new("sh").args(["-c", &twice]).status().unwrap().success());
    let ended = finish(child);
    assert!(
        ended.stderr.contains("interrupted") && ended.stdout.contains("Results of A vs B"),
        "{}",
        ended.stderr
    );
}

#[test]
fn engines_that_ignore_quit_do_not_outlive_a_killed_runner() {
    for name in ["KILL", "INT", "TERM"] {
        let scene = Scene::new();
        let words = format!("{} -recover", words(&scene));
        let mode = "ignore-quit-children --think 2000";
        let mut child = scene.command(mode, mode, &words).spawn().unwrap();
        wait_for_games(&scene, 2);
        signal(child.id(), name);
        child.wait().unwrap();
        scene.assert_all_gone();
    }
}

#[test]
fn who_ends_all_processes_of_that_name_leaves_no_engine_behind() {
    for name in ["INT", "TERM", "HUP"] {
        let scene = Scene::new();
        let words = format!("{} -recover", words(&scene));
        let mode = "ignore-quit-children --think 2000";
        let mut child = scene.command(mode, mode, &words).spawn().unwrap();
        wait_for_games(&scene, 2);
        // Asked to end, the guard stays, for its runner may end without a word to the engines.
        let guard = guard_of(&child);
        signal(&guard, name);
        signal(child.id(), "KILL");
        child.wait().unwrap();
        scene.assert_all_gone();
    }
}

#[test]
fn a_guard_that_is_stopped_does_not_keep_the_match_from_ending() {
    let scene = Scene::new();
    let words = "-rounds 1 -each tc=60+1 -maxmoves 50 -pgnout file=g.pgn";
    let child = scene.command("good --burn 20000", "good", words).spawn().unwrap();
    wait_for_games(&scene, 0);
    let guard = guard_of(&child);
    signal(&guard, "STOP");
    let ended = finish(child);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(!is_alive(&guard));
    scene.assert_all_gone();
}

#[test]
fn who_ends_everybody_at_once_makes_nobody_lose() {
    let scene = Scene::new();
    let child = start(&scene, "-recover");
    wait_for_games(&scene, 5);
    let engines = scene.read("pids");
    let all = engines.lines().map(String::from).chain([child.id().to_string()]);
    assert!(Command::new("kill").arg("-TERM").args(all).status().unwrap().success());
    let ended = finish(child);
    assert!(!ended.stdout.contains("disconnects"), "{}", ended.stdout);
    assert_whole(&scene, &play(&scene, "-recover -resume"), undisturbed());
}

#[test]
fn nobody_loses_the_time_for_which_the_match_was_stopped() {
    let scene = Scene::new();
    let words = "-rounds 1 -games 1 -each tc=2 -laws fide-2023 -maxmoves 3 -pgnout file=g.pgn";
    let child = scene.command("good --think 200000", "good --think 200000", words).spawn().unwrap();
    wait_until("the first move", || scene.read("A.log").contains(" go "));
    // It is waiting for the answer by then.
    std::thread::sleep(Duration::from_millis(50));
    signal(child.id(), "STOP");
    std::thread::sleep(Duration::from_millis(2_200));
    signal(child.id(), "CONT");
    let ended = finish(child);
    let game = games(&scene.path("g.pgn")).remove(0);
    assert_eq!(tag(&game, "Termination"), "adjudication", "{game}{}", ended.stdout);
    let game = game.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(game.contains("the clocks are set anew (fide-2023:6.10)"), "{game}");
    assert!(ended.stdout.contains("Warning; game 1: the match stood still for "), "{}", ended.stdout);
}

#[test]
fn engines_stand_still_with_the_match() {
    let scene = Scene::new();
    let words = "-rounds 1 -games 1 -each tc=60 -maxmoves 3 -pgnout file=g.pgn";
    // In a group that somebody could let go on, whoever has started the tests.
    let mut command = scene.command("good --think 200000", "good --think 200000", words);
    let child = command.process_group(0).spawn().unwrap();
    wait_until("the first move", || scene.read("A.log").contains(" go "));
    let mut all: Vec<String> = scene.read("pids").lines().map(String::from).collect();
    assert_eq!(all.len(), 2);
    all.push(child.id().to_string());
    let are_still = || all.iter().map(|process| state(process) == Some('T')).collect::<Vec<_>>();
    signal(child.id(), "TSTP");
    wait_until("they stand still", || are_still() == [true; 3]);
    signal(child.id(), "CONT");
    let ended = finish(child);
    let game = games(&scene.path("g.pgn")).remove(0);
    assert_eq!((ended.code, &*tag(&game, "Termination")), (Some(0), "adjudication"), "{}", ended.stdout);
}

/// Where no shell controls its jobs nobody could let it go on, and the system stops nobody.
#[test]
fn a_match_that_nobody_could_let_go_on_is_not_stopped() {
    let scene = Scene::new();
    let words = "-rounds 1 -games 1 -each tc=60 -maxmoves 3 -pgnout file=g.pgn";
    let adoube = scene.command("good --think 200000", "good --think 200000", words);
    let mut command = Command::new("setsid");
    command.arg(adoube.get_program()).args(adoube.get_args()).current_dir(scene.path("."));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the first move", || scene.read("A.log").contains(" go "));
    signal(child.id(), "TSTP");
    let ended = finish(child);
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn nobody_comes_late_for_the_time_for_which_the_match_was_stopped() {
    for proto in ["uci", "xboard"] {
        let scene = Scene::new();
        // Starts with the second game only when it is told to.
        let mock = match proto {
            "uci" => format!("'{}' good", mock_engine().display()),
            _ => format!("'{}' --log C.log", mock_cecp().display()),
        };
        let script = "echo >> starts; [ $(wc -l < starts) -lt 2 ] || until [ -e go ]; do sleep 0.01; done";
        scene.write_program("slow.sh", &format!("#!/bin/sh\n{script}\nexec {mock}\n"));
        let words = format!(
            "-tournament gauntlet -engine cmd=./slow.sh name=C proto={proto} restart=on -each tc=60 \
             -rounds 1 -games 2 -laws fide-2023 default-time=6s -startup-ms 1000 -maxmoves 1 -pgnout file=g.pgn"
        );
        let mut command = scene.bare();
        let child = command.args(scene.player("A", "good")).args(words.split_whitespace());
        let child = child.spawn().unwrap();
        wait_until("the second game", || scene.read("starts").lines().count() == 2);
        // It is waiting for the engine by then.
        std::thread::sleep(Duration::from_millis(200));
        signal(child.id(), "STOP");
        std::thread::sleep(Duration::from_millis(6_200));
        signal(child.id(), "CONT");
        std::thread::sleep(Duration::from_millis(100));
        std::fs::write(scene.path("go"), "").unwrap();
        let ended = finish(child);
        let ends: Vec<String> =
            games(&scene.path("g.pgn")).iter().map(|game| tag(game, "Termination")).collect();
        assert_eq!(ends, ["adjudication"; 2], "{proto}: {}{}", ended.stdout, ended.stderr);
    }
}
