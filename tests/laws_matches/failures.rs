//! Engines that are gone, do not come, or cannot play what they are to.

use crate::support::laws::Side::{Cecp, Uci};
use crate::support::laws::{GOOD, START, assert_ends, command, play, player};
use crate::support::matches::{Scene, finish, games, tag};
use crate::support::mock::mock_engine;

#[test]
fn article_11_7_who_is_gone_has_lost_and_6_7_who_does_not_come_forfeits() {
    let words = "-each tc=60 -laws fide-2023 -recover";
    let (game, _) = play(START, (Uci("die-thinking --after 2"), ""), GOOD, words);
    assert_ends(&game, "0-1", "abandoned", "White disconnects (fide-2023:11.7)");
    let bare = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
    let (game, ended) = play(bare, (Uci("die-thinking"), ""), GOOD, words);
    assert_ends(&game, "*", "abandoned", "Black cannot mate and gets half a point (fide-2023:11.7)");
    assert_eq!(tag(&game, "FideResult"), "0-1/2");
    // Scripts that know four results alone read one of them.
    let told = "(A vs B): 0-1 {White disconnects, Black cannot mate and gets half a point (0-1/2)}";
    assert!(ended.stdout.contains(told), "{}", ended.stdout);
    // It greets when the match begins, and is gone when its game does.
    let (game, ended) = play(START, (Uci("die-in-newgame"), ""), GOOD, words);
    assert_eq!((&*tag(&game, "FideResult"), &*tag(&game, "Result")), ("-/+", "0-1"));
    assert_ends(&game, "0-1", "unplayed", "0-1");
    let is_told = |line: &str| line.contains("(A vs B): 0-1 {White ") && line.ends_with(" (-/+)}");
    assert!(ended.stdout.lines().any(is_told), "{}", ended.stdout);
    let (game, _) = play(START, (Uci("die-in-newgame"), ""), (Uci("die-in-newgame"), ""), words);
    assert_eq!((&*tag(&game, "FideResult"), &*tag(&game, "Result")), ("-/-", "*"));
}

#[test]
fn article_11_8_when_both_are_gone_both_have_lost() {
    let words = "-each tc=60 -laws fide-2023 -recover";
    // White ends right after its move, Black when it is to answer.
    let (game, ended) =
        play(START, (Uci("die-between-moves"), ""), (Cecp("--script 'sleep=300+crash'"), ""), words);
    assert_ends(&game, "*", "abandoned", "Both players lose: neither can be reached (fide-2023:11.8)");
    assert_eq!(tag(&game, "FideResult"), "0-0");
    assert!(ended.stdout.contains("Points (1-0.5-0): A 0, B 0"), "{}", ended.stdout);
    // The failure is told, and whose it was not known to be is not said.
    let told = "Warning; game 1: A and B can no longer be reached: one has ended";
    assert!(ended.stdout.contains(told), "{}", ended.stdout);
    // By testers' habits whose time it was has lost.
    let words = words.replace("fide-2023", "engine");
    let (game, _) =
        play(START, (Uci("die-between-moves"), ""), (Cecp("--script 'sleep=300+crash'"), ""), &words);
    assert_ends(&game, "1-0", "abandoned", "Black disconnects");
}

#[test]
fn article_11_7_who_was_started_by_a_program_that_has_ended_can_be_reached() {
    let words = "-each tc=60 -laws fide-2023 -recover";
    let scene = Scene::new();
    scene.write_program(
        "launch.sh",
        &format!("#!/bin/sh\nexec 3<&0\n'{}' \"$@\" <&3 &\n", mock_engine().display()),
    );
    let mut launched = scene.bare();
    launched.args(player(&scene, "A", &Uci("die-thinking --after 2"), ""));
    launched.args(["-engine", "cmd=./launch.sh", "name=B", "args=good --pids pids"]);
    launched.args("-rounds 1 -games 1 -pgnout file=g.pgn".split(' ')).args(words.split(' '));
    let ended = finish(launched.spawn().unwrap());
    let game = &games(&scene.path("g.pgn"))[0];
    assert_ends(game, "0-1", "abandoned", "White disconnects (fide-2023:11.7)");
    assert!(!ended.stdout.contains("B has ended"), "{}", ended.stdout);
    scene.assert_all_gone();
}

#[test]
fn article_12_9_an_engine_that_keeps_crashing_is_expelled() {
    let scene = Scene::new();
    let play = |words: &str| {
        let words = format!("-each tc=60 -laws fide-2023 expel=2 -games 2 -maxmoves 4 {words}");
        let mut match_of = scene.bare();
        match_of.args(player(&scene, "A", &Uci("die-thinking"), ""));
        match_of.args(player(&scene, "B", &Uci("good"), "")).args(words.split_whitespace());
        finish(match_of.spawn().unwrap())
    };
    let ended = play("-rounds 3 -pgnout file=g.pgn");
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let games = games(&scene.path("g.pgn"));
    let results: Vec<_> = games.iter().map(|game| tag(game, "Termination")).collect();
    assert_eq!(results, ["abandoned", "abandoned", "unplayed", "unplayed", "unplayed", "unplayed"]);
    assert!(ended.stdout.contains("A is expelled after 2 failures (fide-2023:12.9.9)"), "{}", ended.stdout);
    // What was not played tells nothing of strength.
    assert!(ended.stdout.contains("Games: 2, Wins: 0, Losses: 2,"), "{}", ended.stdout);
    // The games that it was kept from are no failures of its own. It is told even if nothing is left to play.
    for rounds in [3, 4] {
        let resumed = play(&format!("-rounds {rounds} -pgnout file=g.pgn -resume"));
        assert!(resumed.stdout.contains("A is expelled after 2 failures"), "{}", resumed.stdout);
    }
    let tested = play("-sprt elo0=0 elo1=10 -pgnout file=test.pgn -journal file=test.journal");
    assert_eq!(tested.code, Some(1), "{}{}", tested.stdout, tested.stderr);
    assert!(tested.stderr.contains("the test cannot be decided without A"), "{}", tested.stderr);
    scene.assert_all_gone();
}

#[test]
fn an_engine_that_cannot_be_told_an_opening_is_named() {
    let scene = Scene::new();
    std::fs::write(scene.path("start.epd"), "4k3/8/8/8/8/8/4P3/4K2R w - - 3 60\n").unwrap();
    let white = (Cecp("--features 'ping=1 setboard=0 done=1'"), "");
    let words = "-each tc=60 -openings file=start.epd";
    let ended = finish(command(&scene, white, GOOD, words).spawn().unwrap());
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("A cannot be told this opening"), "{}", ended.stderr);
    // Before the first game: there is nothing to go on with, and it would end here again.
    assert!(!ended.stderr.contains("-resume"), "{}", ended.stderr);
    assert_eq!(scene.read("g.pgn.journal"), "");
    assert!(!ended.stdout.contains("Started game"), "{}", ended.stdout);
    scene.assert_all_gone();
}
