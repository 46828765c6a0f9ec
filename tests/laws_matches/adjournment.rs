//! Games that are adjourned, their sealed moves and records, and how they go on.

use crate::support::laws::Side::{Cecp, Uci};
use crate::support::laws::{assert_ends, command, moves, play_in_two_sessions, player};
use crate::support::matches::{Ended, Scene, day_in, finish, games, tag};
use crate::support::mock::mock_engine;
use crate::support::{signal, wait_until};

/// Interrupts a match in the middle of a game, and plays it to its end.
fn adjourn(words: &str, between: impl Fn(&Scene)) -> (Scene, Ended, Ended) {
    let scene = Scene::new();
    let mode = "good --think 20000";
    let words = format!("-each tc=600 -maxmoves 30 -srand 1 {words}");
    let start = || {
        let (white, black) = ((Uci(mode), ""), (Uci(mode), ""));
        command(&scene, white, black, &words)
    };
    let child = start().spawn().unwrap();
    wait_until("the fifth move", || scene.read("A.log").matches(" go ").count() >= 5);
    signal(child.id(), "INT");
    let first = finish(child);
    scene.assert_all_gone();
    between(&scene);
    let second = finish(start().arg("-resume").spawn().unwrap());
    (scene, first, second)
}

#[test]
fn each_session_measures_the_moves_that_it_has_seen() {
    let (scene, first, second) = adjourn("-laws fide-2023 -json -show-latency", |_| ());
    let plies = |ended: &Ended| {
        let summary: serde_json::Value = serde_json::from_str(ended.stdout.lines().last().unwrap()).unwrap();
        summary["plies"].as_u64().unwrap()
    };
    // The sealed move is seen when its envelope is opened.
    assert!(plies(&first) >= 8, "{}", first.stdout);
    assert_eq!(plies(&first) + plies(&second), 60);
    scene.assert_all_gone();
}

#[test]
fn an_adjourned_game_does_not_go_on_in_another_match() {
    // The journal is lost, and the same seed is given again.
    let lose_journal = |scene: &Scene| std::fs::remove_file(scene.path("g.pgn.journal")).unwrap();
    let (scene, _, second) = adjourn("-laws fide-2023", lose_journal);
    assert!(second.stdout.contains("g.pgn.journal holds no match: beginning one"), "{}", second.stdout);
    let aside = "games of an earlier match were adjourned; they are in g.pgn.journal.1.adjourned now";
    assert!(second.stdout.contains(aside), "{}", second.stdout);
    assert!(scene.path("g.pgn.journal.1.adjourned/game-1.json").exists());
    let game = &games(&scene.path("g.pgn"))[0];
    assert!(!moves(game).contains("sealed"), "{}", moves(game));
}

#[test]
fn guidelines_1_a_game_is_adjourned_and_goes_on() {
    let (scene, first, second) = adjourn("-laws fide-2023", |scene| {
        let record = scene.read("g.pgn.journal.adjourned/game-1.json");
        for part in [
            "\"players\"",
            "\"position\"",
            "\"time_used_s\"",
            "\"sealed_by\"",
            "\"move_number\"",
            "\"draw_offer\"",
            "\"resumption\"",
        ] {
            assert!(record.contains(part), "{part}: {record}");
        }
        assert!(games(&scene.path("g.pgn")).is_empty());
    });
    assert_eq!(first.code, Some(1));
    assert!(first.stdout.contains("Adjourned game 1 (A vs B): "), "{}", first.stdout);
    assert!(first.stderr.contains("1 game is adjourned"), "{}", first.stderr);
    assert_eq!(second.code, Some(0), "{}{}", second.stdout, second.stderr);
    let games = games(&scene.path("g.pgn"));
    assert_eq!(games.len(), 1);
    assert_ends(&games[0], "1/2-1/2", "adjudication", "move limit");
    assert!(
        moves(&games[0]).contains("the game is resumed (fide-2023:Guidelines I.9)"),
        "{}",
        moves(&games[0])
    );
    assert!(moves(&games[0]).contains("has sealed a move, the game is adjourned (fide-2023:Guidelines I.1)"));
    assert!(!scene.path("g.pgn.journal.adjourned").exists());
    // No move was asked for twice: 60 plies, 60 times `go`.
    let asked: usize = ["A.log", "B.log"].map(|log| scene.read(log).matches(" go ").count()).iter().sum();
    assert_eq!((asked, &*tag(&games[0], "PlyCount")), (60, "60"));
    scene.assert_well_spoken();
}

#[test]
fn guidelines_1_12_a_lost_envelope_loses_no_game() {
    let (scene, _, second) = adjourn("-laws fide-2014", |scene| {
        let files = std::fs::read_dir(scene.path("g.pgn.journal.adjourned")).unwrap();
        let is_envelope = |file: &std::path::PathBuf| file.extension().is_some_and(|end| end == "envelope");
        let envelopes: Vec<_> = files.map(|file| file.unwrap().path()).filter(is_envelope).collect();
        assert_eq!(envelopes.len(), 1);
        std::fs::remove_file(&envelopes[0]).unwrap();
    });
    assert!(second.stdout.contains("its envelope is lost"), "{}", second.stdout);
    let played = games(&scene.path("g.pgn"));
    assert!(moves(&played[0]).contains("the envelope is lost, "), "{}", moves(&played[0]));
    assert_ends(&played[0], "1/2-1/2", "adjudication", "move limit");
    // By testers' habits there is no adjournment: the game is played anew.
    let (scene, first, second) = adjourn("-laws engine", |_| ());
    assert!(!first.stdout.contains("Adjourned"), "{}", first.stdout);
    assert_eq!((second.code, games(&scene.path("g.pgn")).len()), (Some(0), 1));
}

#[test]
fn a_sealed_move_keeps_all_that_was_said_of_it() {
    let scene = Scene::new();
    let mode = "good --info --think 20000";
    let start = |more: &str| {
        command(
            &scene,
            (Uci(mode), ""),
            (Uci(mode), ""),
            &format!("-each tc=600 -laws fide-2023 -maxmoves 20 {more}"),
        )
    };
    let child = start("").spawn().unwrap();
    wait_until("the fifth move", || scene.read("A.log").matches(" go ").count() >= 5);
    signal(child.id(), "INT");
    let first = finish(child);
    assert!(first.stdout.contains("Adjourned game 1"), "{}{}", first.stdout, first.stderr);
    assert_eq!(finish(start("-resume").spawn().unwrap()).code, Some(0));
    let journal = scene.read("g.pgn.journal");
    let game = journal.lines().find(|line| line.starts_with("{\"game\"")).unwrap();
    let game: serde_json::Value = serde_json::from_str(game).unwrap();
    let nodes = game["moves"].as_str().unwrap().split(' ').map(|mv| mv.split(',').nth(4).unwrap());
    assert!(nodes.clone().count() == 40 && nodes.clone().all(|nodes| nodes == "20"), "{}", game["moves"]);
}

#[test]
fn scores_from_before_an_adjournment_count_behind_it() {
    let scene = Scene::new();
    let (white, black) = ("good --white-score 700 --think 50000", "good --white-score 600 --think 50000");
    let words = "-each tc=600 -laws fide-2023 -resign movecount=20 score=600 twosided=true";
    let start = |more: &str| {
        command(&scene, (Uci(white), ""), (Uci(black), ""), &format!("{words} {more}")).spawn().unwrap()
    };
    let child = start("");
    wait_until("the fifth move", || scene.read("A.log").matches(" go ").count() >= 5);
    signal(child.id(), "INT");
    let first = finish(child);
    assert!(first.stdout.contains("Adjourned game 1"), "{}{}", first.stdout, first.stderr);
    assert_eq!(finish(start("-resume")).code, Some(0));
    // One of the scores is that of the sealed move.
    assert_eq!(tag(&games(&scene.path("g.pgn"))[0], "PlyCount"), "40");
}

#[test]
fn a_lost_record_of_an_adjourned_game_is_told() {
    let (scene, _, second) = adjourn("-laws fide-2023", |scene| {
        std::fs::remove_dir_all(scene.path("g.pgn.journal.adjourned")).unwrap();
    });
    let told =
        "game 1 was adjourned, and g.pgn.journal.adjourned/game-1.json is lost; that game is played anew";
    assert!(second.stdout.contains(told), "{}", second.stdout);
    assert_eq!((second.code, games(&scene.path("g.pgn")).len()), (Some(0), 1));
}

#[test]
fn a_changed_record_is_put_aside_and_not_lost() {
    let (scene, _, second) = adjourn("-laws fide-2023", |scene| {
        let file = scene.path("g.pgn.journal.adjourned/game-1.json");
        let record = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, record.replace("\"players\"", "\"Players\"")).unwrap();
    });
    assert!(
        second.stdout.contains("the record is g.pgn.journal.adjourned/game-1.json.bad now"),
        "{}",
        second.stdout
    );
    assert!(!second.stdout.contains("is lost"), "{}", second.stdout);
    assert_eq!((second.code, games(&scene.path("g.pgn")).len()), (Some(0), 1));
}

#[test]
fn a_record_of_another_pairing_is_named() {
    let (_, _, second) = adjourn("-laws fide-2023", |scene| {
        let file = scene.path("g.pgn.journal.adjourned/game-1.json");
        let record = std::fs::read_to_string(&file).unwrap();
        // As an earlier version has written it.
        let earlier = record[..record.rfind(",\n  \"crc\"").unwrap()].to_string() + "\n}\n";
        let other = earlier.replace("\\\"white\\\":0,\\\"black\\\":1", "\\\"white\\\":1,\\\"black\\\":0");
        assert_ne!(other, earlier);
        std::fs::write(&file, other).unwrap();
    });
    let why = "cannot resume: game 1 in g.pgn.journal.adjourned/game-1.json was paired otherwise";
    assert!(second.code == Some(1) && second.stderr.contains(why), "{}", second.stderr);
}

#[test]
fn games_that_were_not_taken_up_are_adjourned_still() {
    let scene = Scene::new();
    let words = "-each tc=600 -laws fide-2023 -maxmoves 150 -rounds 1 -games 2 -force-concurrency -session 3s \
                 -pgnout file=g.pgn";
    for more in ["-concurrency 2", "-concurrency 1 -resume"] {
        let mode = "good --think 30000";
        let ended = scene.play(mode, mode, &format!("{words} {more}"));
        assert!(ended.stderr.contains("2 games are adjourned"), "{}{}", ended.stdout, ended.stderr);
    }
}

#[test]
fn a_session_ends_by_itself() {
    let scene = Scene::new();
    let mode = || (Uci("good --think 30000"), "");
    let words = "-each tc=600 -laws fide-2023 -maxmoves 150";
    // It ends in another place, where it never has the date of the first.
    let mut start = command(&scene, mode(), mode(), &format!("{words} -session 1s"));
    let first = finish(start.env("TZ", "<+14>-14").spawn().unwrap());
    assert!(first.stdout.contains("Adjourned game 1"), "{}{}", first.stdout, first.stderr);
    for quiet in ["-quiet", "-quiet -json"] {
        let words = format!("{words} -session 1s -resume {quiet}");
        let ended = finish(command(&scene, mode(), mode(), &words).spawn().unwrap());
        assert!(ended.stderr.contains("1 game is adjourned"), "{}", ended.stderr);
        assert!(!ended.stdout.to_lowercase().contains("adjourned game"), "{}", ended.stdout);
        assert!(!ended.stdout.contains("\"event\":\"adjourned\""), "{}", ended.stdout);
    }
    let told = finish(
        command(&scene, mode(), mode(), &format!("{words} -session 1s -resume -json")).spawn().unwrap(),
    );
    for event in ["resumed", "adjourned"] {
        assert!(told.stdout.contains(&format!("\"event\":\"{event}\"")), "{event}: {}", told.stdout);
    }
    let mut start = command(&scene, mode(), mode(), &format!("{words} -resume"));
    let second = finish(start.env("TZ", "<-12>12").spawn().unwrap());
    let games = games(&scene.path("g.pgn"));
    assert_eq!((second.code, games.len()), (Some(0), 1), "{}", second.stdout);
    assert_eq!(tag(&games[0], "Date"), day_in(&games[0], 14), "{}", games[0]);
}

#[test]
fn guidelines_1_4_an_offer_made_with_the_sealed_move_is_told_after_the_adjournment() {
    let words = "-each tc=600 -laws fide-2023 -maxmoves 5";
    // At its third turn White offers, beyond the session's end; what comes after the resumption are its first two turns.
    let white = (Cecp("--at 3=sleep=4000+offer-draw+*"), "");
    let (game, _) = play_in_two_sessions(white, (Cecp("--on draw=offer-draw"), ""), words);
    assert_ends(&game, "1/2-1/2", "normal", "Draw by agreement (fide-2023:5.2.3)");
    assert!(moves(&game).contains("is adjourned (fide-2023:Guidelines I.1) (=)"), "{}", moves(&game));
}

#[test]
fn guidelines_1_10_and_article_12_9_who_does_not_come_back_is_expelled_at_once() {
    let scene = Scene::new();
    // A program that is there at first, and not in time for its second meeting of the second day.
    let program = format!("#!/bin/sh\nexec '{}' $(cat day) \"$@\"\n", mock_engine().display());
    scene.write_program("a.sh", &program);
    std::fs::write(scene.path("day"), "good --think 20000").unwrap();
    let start = |more: &str| {
        let words = format!(
            "-each tc=600 -laws fide-2023 expel=1 default-time=1s -rounds 2 -games 2 -maxmoves 30 {more}"
        );
        let mut match_of = scene.bare();
        match_of.args(["-engine", "cmd=./a.sh", "name=A", "args=--pids pids --log A.log"]);
        match_of.args(player(&scene, "B", &Uci("good --think 20000"), ""));
        match_of.args("-pgnout file=g.pgn".split(' ')).args(words.split_whitespace());
        finish(match_of.spawn().unwrap())
    };
    let first = start("-session 1s");
    assert!(first.stdout.contains("Adjourned game 1"), "{}{}", first.stdout, first.stderr);
    std::fs::write(scene.path("day"), "slow-readyok 3000 --after 2").unwrap();
    let second = start("-resume");
    assert_eq!(second.code, Some(0), "{}{}", second.stdout, second.stderr);
    let games = games(&scene.path("g.pgn"));
    let ends: Vec<_> = games.iter().map(|game| tag(game, "Termination")).collect();
    assert_eq!(ends, ["abandoned", "unplayed", "unplayed", "unplayed"], "{}", second.stdout);
    let place =
        |words: &str| second.stdout.find(words).unwrap_or_else(|| panic!("{words}: {}", second.stdout));
    let expelled = place("A is expelled after 1 failure (fide-2023:12.9.9)");
    assert!(expelled < place("Finished game 2"), "{}", second.stdout);
    // In the games that it was not let play it did not fail.
    let failures: Vec<&str> = second.stdout.lines().filter(|line| line.starts_with("A failed ")).collect();
    assert_eq!(failures, ["A failed once (a crash)"], "{}", second.stdout);
    scene.assert_all_gone();
}
