//! What becomes of the games in progress when the match ends before them, and of their score sheets.

use crate::support::laws::Side::Uci;
use crate::support::laws::{GOOD, assert_ends, command};
use crate::support::matches::{Ended, Scene, finish, games};
use crate::support::{Killed, signal, wait_until};
use std::io::{BufRead, BufReader, Read};

#[test]
fn a_game_that_cannot_be_adjourned_leaves_its_score_sheet() {
    let scene = Scene::new();
    let thinks = || (Uci("good --think 20000"), "");
    let words = "-each tc=600 -laws fide-2023 -maxmoves 30";
    let start = || command(&scene, thinks(), thinks(), words);
    let child = start().spawn().unwrap();
    wait_until("the fifth move", || scene.read("A.log").matches(" go ").count() >= 5);
    // In the place of the folder.
    std::fs::write(scene.path("g.pgn.journal.adjourned"), "").unwrap();
    signal(child.id(), "INT");
    let ended = finish(child);
    assert!(ended.stderr.contains("game 1 cannot be adjourned: "), "{}", ended.stderr);
    let sheet = scene.read("g.pgn.journal.playing/game-1.pgn");
    assert!(sheet.contains("\n4... "), "{sheet}");
    std::fs::remove_file(scene.path("g.pgn.journal.adjourned")).unwrap();
    let ended = finish(start().arg("-resume").spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let told = "games were broken off; their score sheets are in g.pgn.journal.1.playing now";
    assert!(ended.stdout.contains(told), "{}", ended.stdout);
    assert_eq!(scene.read("g.pgn.journal.1.playing/game-1.pgn"), sheet);
}

/// A match in whose second game A and C think, when B fails in the first as soon as there is a file `fail`.
fn match_of_three(scene: &Scene, mode_of_c: &str, clock_of_c: &str, more: &str) -> std::process::Child {
    let script = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                  go*) until [ -e fail ]; do sleep 0.01; done; exit;; esac; done";
    scene.write_program("fails.sh", &format!("#!/bin/sh\n{script}\n"));
    let words = "-tournament gauntlet -rounds 1 -games 1 -concurrency 2 -force-concurrency -each tc=600 \
                 -laws fide-2023 -maxmoves 500 -pgnout file=g.pgn -engine cmd=./fails.sh name=B";
    let mut command = scene.bare();
    command.args(more.split_whitespace());
    command.args(scene.player("A", "good --think 20000")).args(words.split_whitespace());
    command.args(scene.player("C", mode_of_c)).arg(clock_of_c);
    let child = command.spawn().unwrap();
    wait_until("the second game", || scene.read("C.log").contains(" go "));
    child
}

#[test]
fn games_are_adjourned_when_another_one_ends_the_match() {
    let scene = Scene::new();
    let child = match_of_three(&scene, "good --think 20000", "tc=600", "");
    std::fs::write(scene.path("fail"), "").unwrap();
    let ended = finish(child);
    assert_eq!(ended.code, Some(1), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("disconnects"), "{}{}", ended.stdout, ended.stderr);
    assert!(scene.path("g.pgn.journal.adjourned/game-2.json").exists(), "{}{}", ended.stdout, ended.stderr);
    scene.assert_all_gone();
}

#[test]
fn a_game_that_ends_on_the_board_after_another_one_has_ended_the_match_counts() {
    let scene = Scene::new();
    // C, with White, is on move then, and never moves.
    let child = match_of_three(&scene, "hang --after 2", "tc=5", "");
    wait_until("the second move", || scene.read("C.log").matches(" go ").count() == 2);
    std::fs::write(scene.path("fail"), "").unwrap();
    let ended = finish(child);
    assert!(ended.stderr.contains("an engine has failed"), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("Stopped after 2 games"), "{}", ended.stdout);
    let games = games(&scene.path("g.pgn"));
    assert_eq!(games.len(), 2, "{}", ended.stdout);
    assert_ends(&games[1], "0-1", "time forfeit", "White loses on time");
    assert_eq!(scene.read("g.pgn.journal").lines().count(), 3);
    scene.assert_all_gone();
}

#[test]
fn games_are_adjourned_when_nobody_reads_any_more() {
    let scene = Scene::new();
    // The failure is there to be told of, so that it is noticed that nobody reads.
    let mut child = match_of_three(&scene, "good --think 20000", "tc=600", "-recover");
    // In its place something that ends at once, for who reads on.
    let (nothing, _) = std::io::pipe().unwrap();
    child.stdout = Some(std::os::fd::OwnedFd::from(nothing).into());
    std::fs::write(scene.path("fail"), "").unwrap();
    let ended = finish(child);
    assert!(ended.stderr.contains("interrupted; 1 game is adjourned"), "{}", ended.stderr);
    assert!(scene.path("g.pgn.journal.adjourned/game-2.json").exists());
    scene.assert_all_gone();
}

#[test]
fn a_second_request_ends_what_would_be_adjourned() {
    let scene = Scene::new();
    // It never makes the move that is to be sealed.
    let hangs = Uci("hang --after 3");
    let words = "-each tc=3600 -laws fide-2023";
    let mut child = Killed(Some(command(&scene, (hangs, ""), GOOD, words).spawn().unwrap()));
    wait_until("the third move", || scene.read("A.log").matches(" go ").count() == 3);
    let id = child.id();
    let interrupt = || signal(id, "INT");
    let mut told = BufReader::new(child.0.as_mut().unwrap().stderr.take().unwrap());
    let mut waits = String::new();
    interrupt();
    told.read_line(&mut waits).unwrap();
    assert!(waits.contains("the moves in progress are waited for"), "{waits}");
    interrupt();
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    assert_eq!(child.take().wait().unwrap().code(), Some(1));
    assert!(rest.contains("stopped at once") && !rest.contains("adjourned"), "{rest}");
    assert!(rest.contains("with -resume goes on; the journal is g.pgn.journal"), "{rest}");
    assert_eq!(games(&scene.path("g.pgn")), [""; 0]);
    scene.assert_all_gone();
}

/// Nobody has ended it: the time of the session was up, and it was to seal its move.
#[test]
fn an_engine_that_dies_behind_the_end_of_a_session_has_lost() {
    let scene = Scene::new();
    let dies = Uci("die-thinking --after 3 --delay 4000");
    let words = "-each tc=600 -laws fide-2023 -maxmoves 150 -recover -session 1s";
    let ended = finish(command(&scene, (Uci("good --think 10000"), ""), (dies, ""), words).spawn().unwrap());
    let games = games(&scene.path("g.pgn"));
    assert_eq!(games.len(), 1, "{}{}", ended.stdout, ended.stderr);
    assert_ends(&games[0], "1-0", "abandoned", "Black disconnects");
}

/// Begins a match under the Laws in which Black fails in its third move, and ends it once that is thought about.
fn end_before_a_failure(words: &str, dies: &str) -> (Scene, Ended) {
    let scene = Scene::new();
    let words = format!("-each tc=600 -laws fide-2023 -maxmoves 150 {words}");
    let child = command(&scene, (Uci("good --think 10000"), ""), (Uci(dies), ""), &words).spawn().unwrap();
    wait_until("the third move", || scene.read("B.log").matches(" go ").count() == 3);
    signal(child.id(), "INT");
    (scene, finish(child))
}

#[test]
fn an_engine_that_dies_long_after_somebody_has_ended_the_match_has_lost() {
    let (scene, ended) = end_before_a_failure("-recover", "die-thinking --after 3 --delay 4000");
    let games = games(&scene.path("g.pgn"));
    assert_eq!(games.len(), 1, "{}{}", ended.stdout, ended.stderr);
    assert_ends(&games[0], "1-0", "abandoned", "Black disconnects");
}

#[test]
fn a_game_that_is_dropped_for_an_engine_that_ends_with_the_match_is_told_and_its_sheet_kept() {
    let scene = Scene::new();
    // It ends with the match by itself, as if both had been told to.
    let script = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                  go*) kill -INT $PPID; sleep 0.05; exit;; esac; done";
    scene.write_program("ends.sh", &format!("#!/bin/sh\n{script}\n"));
    let words =
        "-engine cmd=./ends.sh name=B -rounds 1 -games 1 -each tc=600 -laws fide-2023 -pgnout file=g.pgn";
    let mut match_of = scene.bare();
    match_of.args(scene.player("A", "good")).args(words.split_whitespace());
    let ended = finish(match_of.spawn().unwrap());
    assert_eq!((ended.code, games(&scene.path("g.pgn")).len()), (Some(1), 0), "{}", ended.stdout);
    let told =
        "just as the match was ended: the game is played anew; its score sheet is in g.pgn.journal.playing";
    assert!(ended.stdout.contains(told), "{}{}", ended.stdout, ended.stderr);
    assert!(scene.read("g.pgn.journal.playing/game-1.pgn").contains("\n1. "));
    scene.assert_all_gone();
}

#[test]
fn article_8_1_a_moves_are_written_down_as_they_are_made() {
    let scene = Scene::new();
    let mode = || (Uci("good --think 20000"), "");
    let words = "-each tc=600 -laws fide-2023";
    let mut child = command(&scene, mode(), mode(), words).spawn().unwrap();
    wait_until("the tenth move", || scene.read("A.log").matches(" go ").count() >= 10);
    child.kill().unwrap();
    child.wait().unwrap();
    // White was asked for its tenth move: nine of each are on the sheet, if not more.
    let sheet = scene.read("g.pgn.journal.playing/game-1.pgn");
    assert!(sheet.starts_with("[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. "), "{sheet}");
    assert!(sheet.contains("\n9... ") && sheet.contains("[%clk 0:"), "{sheet}");
    let ended = finish(
        command(&scene, mode(), mode(), &format!("{words} -maxmoves 3 -journal file=other")).spawn().unwrap(),
    );
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(!scene.path("other.playing").exists(), "a game that is over has no sheet any more");
    scene.assert_all_gone();
}
