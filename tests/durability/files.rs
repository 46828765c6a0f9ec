//! The files of games: each game is in them once, whatever becomes of them and of the disk.

use super::{
    assert_whole, play, resumed_from_journal, start, undisturbed, wait_for_games, without_sums, words,
};
use crate::support::matches::{Scene, day_in, finish, games, tag};
use crate::support::{self, signal, wait_until};
use std::process::{Command, Stdio};

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
        let sheet = || std::fs::read_to_string(scene.path("g.pgn.journal.playing/game-1.pgn"));
        let is_new = || (1..=before).all(|number| aside(number).exists());
        wait_until("a new sheet", || is_new() && sheet().is_ok_and(|sheet| sheet.contains("\n3... ")));
        signal(child.id(), "KILL");
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
    signal(first.1.id(), "INT");
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
fn a_full_disk_stops_the_match_and_loses_nothing() {
    let expected = undisturbed();
    let scene = Scene::new();
    let command = scene.command("good --seed 1 --think 2000", "good --seed 2 --think 2000", &words(&scene));
    // A limit on the size of files does to a process what a full disk does. The engines are not to die of it.
    let mut limited = Command::new("sh");
    limited.current_dir(&scene.folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    limited.args(["-c", "trap '' XFSZ; ulimit -f 24; exec \"$@\"", "sh"]);
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
fn a_journal_that_is_cut_stops_the_match_and_says_what_is_lost() {
    let scene = Scene::new();
    let child = start(&scene, "");
    wait_for_games(&scene, 5);
    let journal = std::fs::OpenOptions::new().write(true).open(scene.path("g.pgn.journal")).unwrap();
    journal.set_len(300).unwrap();
    let ended = finish(child);
    let told = "has 300; the games that it has lost are played anew; the same command with -resume goes on";
    assert!(ended.code == Some(1) && ended.stderr.contains(told), "{}", ended.stderr);
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
    signal(child.id(), "INT");
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
