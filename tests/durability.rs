//! Nothing is lost: whatever stops a match, it goes on as if nothing had happened, and no engine is left behind.
#![cfg(target_os = "linux")]

mod support;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use support::cecp::mock_cecp;
use support::matches::{Ended, Scene, day_in, essence, finish, games, is_alive, tag};
use support::mock::mock_engine;
use support::wait_until;

/// Thirty games whose moves follow from the seeds and the openings. With engines that think for two milliseconds a move they
/// take seconds, of which whoever is to stop them in the middle may miss some.
const WORDS: &str = "-rounds 15 -each tc=60+1 -maxmoves 60 -concurrency 2 -force-concurrency -srand 7 \
    -pgnout file=g.pgn -epdout file=g.epd -ratinginterval 0";

fn words(scene: &Scene) -> String {
    // The suite that comes with the program.
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/book/openings.epd");
    std::fs::copy(book, scene.path("book.epd")).unwrap();
    format!("{WORDS} -openings file=book.epd format=epd order=random")
}

fn play(scene: &Scene, more: &str) -> Ended {
    scene.play(
        "good --seed 1 --think 2000",
        "good --seed 2 --think 2000",
        &format!("{} {more}", words(scene)),
    )
}

fn start(scene: &Scene, more: &str) -> Child {
    let words = format!("{} {more}", words(scene));
    scene.command("good --seed 1 --think 2000", "good --seed 2 --think 2000", &words).spawn().unwrap()
}

/// The games of an undisturbed match, in their order; it is played once.
fn undisturbed() -> &'static [String] {
    static GAMES: OnceLock<Vec<String>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let scene = Scene::new();
        let ended = play(&scene, "");
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let games = games(&scene.path("g.pgn"));
        assert_eq!(games.len(), 30);
        games.iter().map(|game| essence(game)).collect()
    })
}

fn wait_for_games(scene: &Scene, count: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while scene.read("g.pgn.journal").lines().count() <= count {
        assert!(Instant::now() < deadline, "no games");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The match that a journal tells of.
fn resumed_from_journal(scene: &Scene, journal: &str) -> Command {
    let mut command = support::engine::command();
    command.current_dir(&scene.folder).stdin(Stdio::null());
    command.args(["match", "-config", &format!("file={journal}")]);
    command
}

fn signal(child: &Child, name: &str) {
    let done = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(done.unwrap().success());
}

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

/// A journal as earlier versions have written it, in which a change does not show.
fn without_sums(journal: &str) -> String {
    let cut = |line: &str| match line.rfind(",\"behind\":") {
        Some(place) => format!("{}}}\n", &line[..place]),
        None => format!("{line}\n"),
    };
    journal.lines().map(cut).collect()
}

/// Checks that a resumed match is as if nothing had happened.
fn assert_whole(scene: &Scene, ended: &Ended, expected: &[String]) {
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let found = games(&scene.path("g.pgn"));
    let numbers: Vec<String> = found.iter().map(|game| tag(game, "Round")).collect();
    let wanted: Vec<String> = (0..30).map(|game| format!("{}.{}", game / 2 + 1, game + 1)).collect();
    assert_eq!(numbers, wanted, "each game once");
    let found: Vec<String> = found.iter().map(|game| essence(game)).collect();
    assert_eq!(found, expected);
    assert_eq!(scene.read("g.epd").lines().count(), 30);
    // The score is that of the games.
    let count = |name: &str, white: &str| {
        games(&scene.path("g.pgn"))
            .iter()
            .filter(|game| tag(game, "Result") == name && tag(game, "White") == white)
            .count()
    };
    let (wins, losses) = (count("1-0", "A") + count("0-1", "B"), count("0-1", "A") + count("1-0", "B"));
    let line = format!("Games: 30, Wins: {wins}, Losses: {losses}, Draws: {},", 30 - wins - losses);
    assert!(ended.stdout.contains(&line), "{line} in {}", ended.stdout);
    scene.assert_all_gone();
    scene.assert_well_spoken();
}

#[test]
fn a_killed_match_goes_on_where_it_stood() {
    let expected = undisturbed();
    let scene = Scene::new();
    // Killed three times, at different points, and gone on with in each way.
    let mut child = start(&scene, "");
    wait_for_games(&scene, 3);
    signal(&child, "KILL");
    child.wait().unwrap();
    scene.assert_all_gone();
    let mut child = start(&scene, "-resume");
    wait_for_games(&scene, 9);
    signal(&child, "KILL");
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
    signal(&child, "KILL");
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
fn a_game_that_another_version_told_otherwise_is_added_once() {
    let scene = Scene::new();
    let words = "-rounds 2 -each tc=60+1 -maxmoves 4 -pgnout file=g.pgn -epdout file=g.epd";
    let resume = || scene.play("good", "good", &format!("{words} -resume"));
    assert_eq!(scene.play("good", "good", words).code, Some(0));
    // As if that one had written them, and then they were taken away.
    let journal = without_sums(&scene.read("g.pgn.journal"));
    std::fs::write(scene.path("g.pgn.journal"), journal.replace("\"size\":", "\"size\":1")).unwrap();
    let read = || ["g.pgn", "g.epd"].map(|name| scene.read(name));
    let lengths = || read().map(|text| text.len());
    let before = lengths();
    for name in ["g.pgn", "g.epd"] {
        std::fs::remove_file(scene.path(name)).unwrap();
    }
    for _ in 0..3 {
        let ended = resume();
        assert_eq!((ended.code, lengths()), (Some(0), before), "{}", ended.stderr);
    }
    // Of those one is taken away.
    let all = read();
    for (name, text, end) in [("g.pgn", &all[0], "\n\n[Event "), ("g.epd", &all[1], "\n")] {
        let first = text.find(end).unwrap() + end.trim_end_matches("[Event ").len();
        std::fs::write(scene.path(name), &text[first..]).unwrap();
    }
    for _ in 0..2 {
        assert_eq!((resume().code, lengths()), (Some(0), before));
    }
    assert_eq!(games(&scene.path("g.pgn")).len(), 4);
}

/// At any time one of these two places has another date than UTC.
#[test]
fn the_date_of_a_game_is_that_of_the_place_where_it_began() {
    let scene = Scene::new();
    let words = "-each tc=60+1 -maxmoves 4 -pgnout file=g.pgn";
    let play = |place: &str, more: &str| {
        let mut command = scene.command("good", "good", &format!("{words} {more}"));
        let ended = finish(command.env("TZ", place).spawn().unwrap());
        assert_eq!((ended.code, ended.stdout.contains("were not in")), (Some(0), false), "{}", ended.stderr);
        scene.read("g.pgn")
    };
    let first = play("<+14>-14", "-rounds 2");
    // What is written again, because it is gone, is what it was.
    std::fs::remove_file(scene.path("g.pgn")).unwrap();
    let all = play("<-12>12", "-rounds 3 -resume");
    assert!(all.starts_with(&first), "{first}{all}");
    let games_now = games(&scene.path("g.pgn"));
    assert_eq!(games_now.len(), 6);
    for (number, game) in games_now.iter().enumerate() {
        assert_eq!(tag(game, "Date"), day_in(game, if number < 4 { 14 } else { -12 }), "{game}");
    }
    // Earlier versions had the date of UTC, and kept none.
    let journal = without_sums(&scene.read("g.pgn.journal"));
    let undated = journal.lines().map(|line| match line.split_once(",\"date\":\"") {
        Some((before, after)) => format!("{before}{}\n", &after["2023.11.14\"".len()..]),
        None => format!("{line}\n"),
    });
    std::fs::write(scene.path("g.pgn.journal"), undated.collect::<String>()).unwrap();
    std::fs::remove_file(scene.path("g.pgn")).unwrap();
    play("<+14>-14", "-rounds 3 -resume");
    let games_now = games(&scene.path("g.pgn"));
    assert_eq!(games_now.len(), 6);
    for game in games_now {
        assert_eq!(tag(&game, "Date"), day_in(&game, 0), "{game}");
    }
}

#[test]
fn games_that_somebody_has_changed_are_not_added_again_without_a_word() {
    let scene = Scene::new();
    let words = "-rounds 2 -each tc=60 -maxmoves 2 -pgnout file=g.pgn";
    let resume = |more: &str| scene.play("good", "good", &format!("{words} -resume {more}")).stdout;
    assert!(scene.play("good", "good", words).stdout.contains("Games: 4"));
    assert!(!resume("").contains("were not in"), "nothing is missing");
    std::fs::write(scene.path("g.pgn"), scene.read("g.pgn").replace("Adoube match", "My match")).unwrap();
    let told = resume("");
    assert!(
        told.contains("4 of 4 games were not in g.pgn as they had been written, and are added"),
        "{told}"
    );
    assert_eq!(games(&scene.path("g.pgn")).len(), 8);
    let told = resume("-journal file=other.journal");
    assert!(told.contains("beginning one; its games are added to g.pgn, which has some already"), "{told}");
    // A file that is taken away is made anew.
    std::fs::remove_file(scene.path("g.pgn")).unwrap();
    assert!(!resume("").contains("were not in"));
}

#[test]
fn the_score_sheet_of_a_game_that_was_broken_off_is_kept() {
    let scene = Scene::new();
    let mode = "good --think 150000";
    let words = "-laws fide-2023 -rounds 1 -games 1 -each tc=60 -maxmoves 8 -pgnout g.pgn";
    let begin = |more: &str| scene.command(mode, mode, &format!("{words} {more}")).spawn().unwrap();
    let aside = |number: u32| scene.path(&format!("g.pgn.journal.{number}.playing/game-1.pgn"));
    let broken_off = |more: &str, before: u32| {
        let mut child = begin(more);
        let deadline = Instant::now() + Duration::from_secs(60);
        let sheet = || std::fs::read_to_string(scene.path("g.pgn.journal.playing/game-1.pgn"));
        let is_new = || (1..=before).all(|number| aside(number).exists());
        while !is_new() || !sheet().is_ok_and(|sheet| sheet.contains("\n3... ")) {
            assert!(Instant::now() < deadline, "no new sheet");
            std::thread::sleep(Duration::from_millis(1));
        }
        signal(&child, "KILL");
        child.wait().unwrap();
        sheet().unwrap()
    };
    // Gone on with, and begun anew: no game is in the journal, which is not in the way.
    let sheets = [broken_off("", 0), broken_off("-resume", 1)];
    let ended = finish(begin(""));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let told = "games were broken off; their score sheets are in g.pgn.journal.2.playing now";
    assert!(ended.stdout.contains(told), "{}", ended.stdout);
    assert_eq!([1, 2].map(|number| std::fs::read_to_string(aside(number)).unwrap()), sheets);
    assert!(!scene.path("g.pgn.journal.playing").exists());
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
        signal(&child, name);
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
    signal(&child, "HUP");
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
    signal(&child, "INT");
    let ended = finish(child);
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);
    assert!(ended.stderr.contains("stopped before the first game"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("waited for"), "{}", ended.stderr);
    // Nor does it wait for who does not greet.
    let scene = Scene::new();
    let child = scene.command("no-uciok", "good", "-each tc=60 -startup-ms 3600000").spawn().unwrap();
    wait_until("an engine", || !scene.read("pids").is_empty());
    signal(&child, "INT");
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
fn the_first_seed_may_be_given_again_or_not() {
    let scene = Scene::new();
    let child = start(&scene, "");
    wait_for_games(&scene, 5);
    signal(&child, "INT");
    finish(child);
    let (white, black) = ("good --seed 1 --think 2000", "good --seed 2 --think 2000");
    let without = words(&scene).replace(" -srand 7", "");
    let ended = scene.play(white, black, &format!("{without} -resume"));
    assert_whole(&scene, &ended, undisturbed());
    assert_eq!(
        play(&scene, "-resume").code,
        Some(0),
        "the journal has other words by now, and the same seed"
    );
    let other = scene.play(white, black, &format!("{without} -srand 8 -resume"));
    assert!(other.code == Some(1) && other.stderr.contains("-srand differs"), "{}", other.stderr);
}

#[test]
fn a_match_that_writes_to_a_pipe_goes_on_where_it_stood() {
    let scene = Scene::new();
    let pipe = scene.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let words = words(&scene).replace("file=g.pgn", "file=pipe") + " -journal file=g.pgn.journal";
    let command = |more: &str| {
        scene
            .command("good --seed 1 --think 2000", "good --seed 2 --think 2000", &format!("{words} {more}"))
            .spawn()
    };
    let read = || {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap())
    };
    let first = (read(), command("").unwrap());
    wait_for_games(&scene, 5);
    signal(&first.1, "INT");
    finish(first.1);
    let second = (read(), command("-resume").unwrap());
    let ended = finish(second.1);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let both = [first.0, second.0].map(|reader| reader.join().unwrap().matches("[Event ").count());
    assert!(both[0] >= 5 && both.iter().sum::<usize>() == 30, "{both:?}");
    let endless = scene.play("good", "good", "-rounds 1 -each tc=60 -journal file=/dev/zero -resume");
    assert!(endless.code == Some(1) && endless.stderr.contains("no plain file"), "{}", endless.stderr);
}

#[test]
fn a_journal_of_other_pairings_is_not_gone_on_with() {
    let scene = Scene::new();
    let words = "-rounds 2 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn";
    assert_eq!(scene.play("good", "good", words).code, Some(0));
    let journal = without_sums(&scene.read("g.pgn.journal"));
    let exchanged = journal.replacen(r#""white":0,"black":1"#, r#""white":1,"black":0"#, 1);
    let exchanged = exchanged.replace("{\"end\":true}\n", "");
    assert_ne!(journal.len(), exchanged.len());
    std::fs::write(scene.path("g.pgn.journal"), &exchanged).unwrap();
    let ended = scene.play("good", "good", &format!("{words} -resume"));
    assert!(ended.code == Some(1) && ended.stderr.contains("was paired otherwise"), "{}", ended.stderr);
    assert_eq!(scene.read("g.pgn.journal"), exchanged);
}

#[test]
fn a_journal_of_other_players_or_openings_is_not_gone_on_with() {
    let scene = Scene::new();
    let book = "4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    std::fs::write(scene.path("book.epd"), book).unwrap();
    let words = "-rounds 2 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn -openings file=book.epd";
    assert_eq!(scene.play("good", "good", words).code, Some(0));
    let journal = scene.read("g.pgn.journal").replace("{\"end\":true}\n", "");
    let begin = journal.find(r#""openings":{"#).unwrap();
    let end = begin + journal[begin..].find('}').unwrap() + 1;
    let without = journal.replacen(&journal[begin..end], r#""openings":null"#, 1);
    let renamed = journal.replacen(r#""names":["A","B"]"#, r#""names":["A","C"]"#, 1);
    assert_ne!(renamed, journal);
    let other_book = format!("{book}4k3/8/8/8/8/8/3P4/4K3 w - -\n");
    for (journal, book, told) in [
        (&renamed, book, "the players were A, C and are A, B"),
        (&journal, &other_book, "the file of openings has changed since the first run"),
        (&without, book, "the file of openings was none in the first run"),
    ] {
        std::fs::write(scene.path("book.epd"), book).unwrap();
        std::fs::write(scene.path("g.pgn.journal"), journal).unwrap();
        let ended = scene.play("good", "good", &format!("{words} -resume"));
        assert!(ended.code == Some(1) && ended.stderr.contains(told), "{told}: {}", ended.stderr);
        assert_eq!(&scene.read("g.pgn.journal"), journal);
    }
    scene.assert_all_gone();
}

#[test]
fn what_somebody_has_taken_out_of_a_journal_is_told_and_played_anew() {
    let scene = Scene::new();
    let words = "-rounds 3 -games 1 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn";
    let resume = || {
        let ended = scene.play("good", "good", &format!("{words} -resume"));
        assert!(
            ended.code == Some(0) && ended.stdout.contains("Games: 3"),
            "{}{}",
            ended.stdout,
            ended.stderr
        );
        ended.stdout
    };
    let change = |edit: &dyn Fn(&mut Vec<String>)| {
        let mut lines: Vec<String> = scene.read("g.pgn.journal").lines().map(String::from).collect();
        edit(&mut lines);
        std::fs::write(scene.path("g.pgn.journal"), lines.join("\n") + "\n").unwrap();
    };
    assert_eq!(scene.play("good", "good", words).code, Some(0));
    assert!(!resume().contains("played anew"), "nothing is wrong");
    // The line of the second game.
    change(&|lines| drop(lines.remove(2)));
    let told = resume();
    assert!(
        told.contains("the line of game 2 is missing in g.pgn.journal; that game is played anew"),
        "{told}"
    );
    assert!(!resume().contains("is missing"), "it has been played");
    // The results of the last two games, and the end of the match.
    change(&|lines| {
        lines.pop();
        lines.iter_mut().skip(2).for_each(|line| *line = line.replace("1/2-1/2", "1-0"));
    });
    let told = resume();
    let aside = "the last 2 lines of g.pgn.journal are no whole games; they are in g.pgn.journal.cut now, and those games";
    assert!(told.contains(aside), "{told}");
    assert_eq!(scene.read("g.pgn.journal.cut").matches("1-0").count(), 2);
    // Before others a line that was changed is no accident.
    change(&|lines| lines[2] = lines[2].replace("1/2-1/2", "1-0"));
    let ended = scene.play("good", "good", &format!("{words} -resume"));
    let why = "the journal g.pgn.journal, line 3: it has been changed, or is damaged";
    assert!(ended.code == Some(1) && ended.stderr.contains(why), "{}", ended.stderr);
}

#[test]
fn another_program_under_a_players_name_is_told() {
    let scene = Scene::new();
    let words = "-rounds 1 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn";
    let resume = || scene.play("good", "good", &format!("{words} -resume"));
    assert_eq!(scene.play("good", "good", words).code, Some(0));
    assert!(!resume().stdout.contains("another program"));
    let journal = scene.read("g.pgn.journal");
    let at = journal.find("\"programs\":[\"").unwrap() + "\"programs\":[\"".len();
    std::fs::write(scene.path("g.pgn.journal"), format!("{}My {}", &journal[..at], &journal[at..])).unwrap();
    let ended = resume();
    let told = "A is another program than in the first session: ";
    assert!(ended.stdout.contains(told) && ended.stdout.contains("it was \"My "), "{}", ended.stdout);
    assert!(!ended.stdout.contains("B is another"), "{}", ended.stdout);
}

#[test]
fn engines_that_ignore_quit_do_not_outlive_a_killed_runner() {
    for name in ["KILL", "INT", "TERM"] {
        let scene = Scene::new();
        let words = format!("{} -recover", words(&scene));
        let mode = "ignore-quit-children --think 2000";
        let mut child = scene.command(mode, mode, &words).spawn().unwrap();
        wait_for_games(&scene, 2);
        signal(&child, name);
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
        assert!(Command::new("kill").args([&format!("-{name}"), &guard]).status().unwrap().success());
        signal(&child, "KILL");
        child.wait().unwrap();
        scene.assert_all_gone();
    }
}

#[test]
fn a_journal_behind_a_link_stays_there() {
    let scene = Scene::new();
    std::fs::create_dir(scene.path("safe")).unwrap();
    std::fs::write(scene.path("safe/journal"), "").unwrap();
    std::os::unix::fs::symlink("safe/journal", scene.path("link")).unwrap();
    let child = start(&scene, "-journal file=link");
    support::wait_until("some games", || scene.read("link").lines().count() > 5);
    signal(&child, "INT");
    assert_eq!(finish(child).code, Some(1));
    let ended = play(&scene, "-journal file=link -resume");
    assert_whole(&scene, &ended, undisturbed());
    assert!(scene.path("link").is_symlink() && !scene.path("link.new").exists());
}

#[test]
fn a_full_disk_stops_the_match_and_loses_nothing() {
    let expected = undisturbed();
    let scene = Scene::new();
    let command = scene.command("good --seed 1 --think 2000", "good --seed 2 --think 2000", &words(&scene));
    // A limit on the size of files does to a process what a full disk does. The engines are not to die of it.
    let mut limited = Command::new("sh");
    limited.current_dir(&scene.folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    limited.args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "sh"]);
    limited.arg(command.get_program()).args(command.get_args());
    let ended = finish(limited.spawn().unwrap());
    assert_eq!(ended.code, Some(1), "{}", ended.stdout);
    assert!(ended.stderr.contains("g.pgn") && ended.stderr.contains("large"), "{}", ended.stderr);
    scene.assert_all_gone();
    let journal = scene.read("g.pgn.journal");
    let kept = journal.lines().count() - 1;
    assert!((1..30).contains(&kept), "{kept} games");
    assert!(journal.ends_with('\n'), "no torn line");
    let ended = play(&scene, "-resume");
    assert!(ended.stdout.contains(&format!("Resuming after {kept} games")), "{}", ended.stdout);
    assert_whole(&scene, &ended, expected);
}

#[test]
fn a_file_that_is_taken_away_stops_the_match_and_loses_nothing() {
    let expected = undisturbed();
    for (name, is_cut, told) in [
        ("g.pgn", false, "cannot write g.pgn: somebody has removed it"),
        ("g.pgn", true, "cannot write g.pgn: somebody has cut it"),
        ("g.epd", false, "cannot write g.epd: somebody has removed it"),
        ("g.pgn.journal", false, "the journal g.pgn.journal: somebody has removed it"),
    ] {
        let scene = Scene::new();
        let child = start(&scene, "");
        wait_for_games(&scene, 5);
        let path = scene.path(name);
        if is_cut {
            std::fs::OpenOptions::new().write(true).open(path).unwrap().set_len(100).unwrap();
        } else {
            std::fs::remove_file(path).unwrap();
        }
        let ended = finish(child);
        assert!(ended.code == Some(1) && ended.stderr.contains(told), "{told}: {}", ended.stderr);
        assert!(ended.stdout.contains("Stopped after "), "{}", ended.stdout);
        assert_whole(&scene, &play(&scene, "-resume"), expected);
    }
}

#[test]
fn a_file_that_is_gone_when_the_match_ends_is_told_too() {
    for (name, told) in [("g.pgn", "cannot write g.pgn"), ("g.pgn.journal", "the journal g.pgn.journal")] {
        let scene = Scene::new();
        // An engine that does it when it is told to end.
        let script = format!("'{}' good; rm {name}", support::mock::mock_engine().display());
        std::fs::write(scene.path("c.sh"), script).unwrap();
        let words = "-engine cmd=sh args=c.sh name=C -tournament gauntlet -rounds 1 -games 1 -each tc=60+1 \
                     -maxmoves 4 -pgnout file=g.pgn";
        let ended = scene.play("good", "good", words);
        assert!(ended.code == Some(1) && ended.stderr.contains(told), "{name}: {}", ended.stderr);
    }
}

#[test]
fn a_pgn_that_cannot_be_written_stops_the_match() {
    let scene = Scene::new();
    let words = "-rounds 4 -each tc=60+1 -maxmoves 4 -pgnout file=/dev/full -journal file=j";
    let ended = scene.play("good", "good", words);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("cannot write /dev/full"), "{}", ended.stderr);
    assert_eq!(scene.read("j").lines().count(), 2, "the match and its first game");
    assert!(ended.stdout.contains("Stopped after 1 game\n"), "what the journal has counts: {}", ended.stdout);
    let ended = scene.play("good", "good", "-rounds 4 -each tc=60+1 -pgnout file=./no/such/folder/g.pgn");
    assert!(ended.code == Some(1) && ended.stderr.contains("./no/such/folder"), "{}", ended.stderr);
    assert!(!ended.stdout.contains("Started"), "refused before the first game: {}", ended.stdout);
    let ended = scene.play("good", "good", "-rounds 4 -each tc=60+1 -journal file=/dev/full");
    assert!(ended.code == Some(1) && ended.stderr.contains("/dev/full"), "{}", ended.stderr);
    scene.assert_all_gone();
}

#[test]
fn a_file_that_is_to_be_replaced_stays_until_nothing_else_can_fail() {
    let scene = Scene::new();
    let old = "[Event \"old\"]\n\n*\n\n";
    let words = "-rounds 1 -games 1 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn append=false";
    let ended = |more: &str| {
        std::fs::write(scene.path("g.pgn"), old).unwrap();
        scene.play("good", "good", &format!("{words} {more}"))
    };
    let refused = ended("-epdout file=no/such/folder");
    assert_eq!((refused.code, scene.read("g.pgn").as_str()), (Some(1), old), "{}", refused.stderr);
    // Whoever wants to go on with a match has not got its journal here.
    let begun = ended("-resume");
    assert!(begun.stdout.contains("holds no match: beginning one"), "{}", begun.stdout);
    let both = scene.read("g.pgn");
    assert!(both.starts_with(old) && both.matches("[Event ").count() == 2, "{both}");
    let replaced = ended("");
    assert_eq!((replaced.code, games(&scene.path("g.pgn")).len()), (Some(0), 1), "{}", replaced.stderr);
    assert!(!scene.read("g.pgn").contains("old"));
}

#[test]
fn games_of_other_matches_are_not_lost() {
    let expected = undisturbed();
    let scene = Scene::new();
    let child = start(&scene, "");
    wait_for_games(&scene, 5);
    signal(&child, "INT");
    finish(child);
    let first = scene.read("g.pgn");
    // Begun anew over the unfinished one, into the same PGN.
    let again = play(&scene, "");
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let second = scene.read("g.pgn")[first.len()..].to_string();
    assert_eq!(second.matches("[Event ").count(), 30);
    assert_eq!(scene.read("g.epd").lines().count(), first.matches("[Event ").count() + 30);
    std::fs::remove_file(scene.path("g.epd")).unwrap();
    for _ in 0..2 {
        let ended = finish(resumed_from_journal(&scene, "g.pgn.journal.1").spawn().unwrap());
        let all = scene.read("g.pgn");
        assert!(all.starts_with(&format!("{first}{second}")), "what others have added stays where it is");
        assert!(!scene.path("g.pgn.cut").exists());
        std::fs::write(scene.path("g.pgn"), all.replacen(&second, "", 1)).unwrap();
        assert_whole(&scene, &ended, expected);
        std::fs::write(scene.path("g.pgn"), all).unwrap();
    }
    // Taken away altogether, the files are made anew.
    std::fs::remove_file(scene.path("g.pgn")).unwrap();
    let ended = finish(resumed_from_journal(&scene, "g.pgn.journal.1").spawn().unwrap());
    assert_whole(&scene, &ended, expected);
}

#[test]
fn a_guard_that_is_stopped_does_not_keep_the_match_from_ending() {
    let scene = Scene::new();
    let words = "-rounds 1 -each tc=60+1 -maxmoves 50 -pgnout file=g.pgn";
    let child = scene.command("good --burn 20000", "good", words).spawn().unwrap();
    wait_for_games(&scene, 0);
    let guard = guard_of(&child);
    assert!(Command::new("kill").args(["-STOP", &guard]).status().unwrap().success());
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
    let deadline = Instant::now() + Duration::from_secs(60);
    while !scene.read("A.log").contains(" go ") {
        assert!(Instant::now() < deadline, "the game does not begin");
        std::thread::sleep(Duration::from_millis(2));
    }
    // It is waiting for the answer by then.
    std::thread::sleep(Duration::from_millis(50));
    signal(&child, "STOP");
    std::thread::sleep(Duration::from_millis(2_200));
    signal(&child, "CONT");
    let ended = finish(child);
    let game = games(&scene.path("g.pgn")).remove(0);
    assert_eq!(tag(&game, "Termination"), "adjudication", "{game}{}", ended.stdout);
    let game = game.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(game.contains("the clocks are set anew (fide-2023:6.10)"), "{game}");
    assert!(ended.stdout.contains("Warning; game 1: the match stood still for "), "{}", ended.stdout);
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
        let mut command = support::engine::command();
        command.current_dir(&scene.folder).stdin(Stdio::null()).arg("match");
        let child = command.args(scene.player("A", "good")).args(words.split_whitespace());
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until("the second game", || scene.read("starts").lines().count() == 2);
        // It is waiting for the engine by then.
        std::thread::sleep(Duration::from_millis(200));
        signal(&child, "STOP");
        std::thread::sleep(Duration::from_millis(6_200));
        signal(&child, "CONT");
        std::thread::sleep(Duration::from_millis(100));
        std::fs::write(scene.path("go"), "").unwrap();
        let ended = finish(child);
        let ends: Vec<String> =
            games(&scene.path("g.pgn")).iter().map(|game| tag(game, "Termination")).collect();
        assert_eq!(ends, ["adjudication"; 2], "{proto}: {}{}", ended.stdout, ended.stderr);
    }
}

#[test]
fn another_match_is_not_mistaken_for_this_one() {
    let scene = Scene::new();
    let words =
        "-rounds 2 -each tc=3000+1 -maxmoves 4 -pgnout file=g.pgn -log file=g.log engine=true append=false";
    // It plays one game, and is waited for in the second as long as it takes.
    let waiting = "hang --after 5";
    let mut child = scene.command(waiting, "good", words).spawn().unwrap();
    wait_for_games(&scene, 1);
    let logged = scene.read("g.log").len();
    let second = scene.play(waiting, "good", words);
    assert!(second.stderr.contains("is being written by another match"), "{}", second.stderr);
    let log = scene.read("g.log");
    assert!(
        log.len() >= logged && !log.contains('\0') && logged > 0,
        "the other's log is not touched: {log}"
    );
    // Asked more than once it ends at once.
    support::wait_until("the match ends", || {
        signal(&child, "INT");
        child.try_wait().unwrap().is_some()
    });
    finish(child);
    let other = scene.play(waiting, "good", &format!("{words} -resume -games 1"));
    assert!(other.code == Some(1) && other.stderr.contains("-games"), "{}", other.stderr);
    // Without -resume the unfinished match is put aside, not overwritten.
    let before = scene.read("g.pgn.journal");
    let again = scene.play("good", "good", words);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(scene.read("g.pgn.journal.1"), before);
    assert!(again.stdout.contains("g.pgn.journal.1"), "{}", again.stdout);
    // More rounds make it longer.
    let logged = scene.read("g.log");
    let longer = scene.play("good", "good", &words.replace("-rounds 2", "-rounds 3 -resume"));
    assert!(longer.stdout.contains("Resuming after 4 games") && longer.stdout.contains("Games: 6,"));
    // So does its log, which would else be replaced.
    assert!(scene.read("g.log").starts_with(&logged) && scene.read("g.log").len() > logged.len());
    // A file that is no journal is not touched.
    std::fs::write(scene.path("precious"), "precious\n").unwrap();
    let refused = scene.play("good", "good", &format!("{words} -journal file=precious"));
    assert!(refused.code == Some(1) && refused.stderr.contains("no journal"), "{}", refused.stderr);
    assert_eq!(scene.read("precious"), "precious\n");
}

#[test]
fn of_two_matches_side_by_side_each_is_told_how_to_go_on() {
    let scene = Scene::new();
    let words = "-rounds 20000 -each tc=60+1 -maxmoves 4 -srand 1";
    let begin = || scene.command("good --burn 300", "good", words).spawn().unwrap();
    let wait_for = |journal: &str| {
        let deadline = Instant::now() + Duration::from_secs(60);
        while std::fs::read_to_string(scene.path(journal)).unwrap_or_default().lines().count() < 3 {
            assert!(Instant::now() < deadline, "no games in {journal}");
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let first = begin();
    wait_for("adoube-match.journal");
    let same = scene.play("good --burn 300", "good", &format!("{words} -resume"));
    assert!(
        same.code == Some(1) && same.stderr.contains("is being written by another match"),
        "{}",
        same.stderr
    );
    let second = begin();
    wait_for("adoube-match-2.journal");
    for (child, way) in [
        (second, "adoube match -config file=adoube-match-2.journal goes on"),
        (first, "the same command with -resume goes on; the journal is adoube-match.journal"),
    ] {
        signal(&child, "INT");
        let ended = finish(child);
        assert!(ended.code == Some(1) && ended.stderr.contains(way), "{}", ended.stderr);
    }
    scene.assert_all_gone();
    // Whose match another's journal is in the way of finds its own.
    let journal = scene.read("adoube-match-2.journal");
    let other =
        journal.replacen(r#""-srand","1""#, r#""-srand","2""#, 1).replacen(r#""seed":1,"#, r#""seed":2,"#, 1);
    assert_ne!(journal, other);
    std::fs::write(scene.path("adoube-match-2.journal"), other).unwrap();
    let told = scene.play("good --burn 300", "good", &words.replace("-srand 1", "-srand 2 -resume")).stderr;
    let way = "adoube match -config file=adoube-match-2.journal goes on with one of these words";
    assert!(told.contains("-srand") && told.contains(way), "{told}");
}
