//! Clocks and flags: what an engine is told of its time, and what it loses by it.

use crate::support::laws::Side::{Cecp, Uci};
use crate::support::laws::{GOOD, START, assert_ends, command, moves, play, player};
use crate::support::matches::{Scene, finish, games, tag};

#[test]
fn what_an_engine_of_xboard_says_of_pondering_is_no_latency() {
    let thinks = || Cecp("--at last=say=5_10_500_1000_e4+*");
    for (more, expected) in [("ponder", 0), ("", 2)] {
        let words = "-each tc=60+1 -maxmoves 2 -laws engine -pgnout file=g.pgn latency=true";
        let (game, _) = play(START, (thinks(), more), (thinks(), ""), words);
        let told = moves(&game).matches("latency=-").count();
        assert_eq!(told, 2 + expected, "{}", moves(&game));
    }
}

#[test]
fn article_6_9_a_flag_draws_if_the_opponent_cannot_mate() {
    let knight = "8/8/8/4k1n1/8/8/Q7/4K3 w - - 0 1";
    let late = || (Uci("late"), "tc=0.3");
    let (game, _) = play(knight, late(), (Uci("good"), "tc=60"), "-laws fide-2023");
    assert_ends(
        &game,
        "1/2-1/2",
        "time forfeit",
        "Draw: a flag falls and the opponent cannot mate (fide-2023:6.9)",
    );
    let (game, _) = play(knight, late(), (Uci("good"), "tc=60"), "-laws engine");
    assert_ends(&game, "0-1", "time forfeit", "White loses on time} 0-1");
    let rook = "8/8/8/4k1r1/8/8/Q7/4K3 w - - 0 1";
    let (game, _) = play(rook, late(), (Uci("good"), "tc=60"), "-laws fide-2005");
    assert_ends(&game, "0-1", "time forfeit", "White loses on time (fide-2005:6.10)} 0-1");
}

#[test]
fn nobody_gets_more_time_for_a_move_by_a_wrong_claim_or_an_illegal_move() {
    let words = "-each st=3 -laws fide-2023 -maxmoves 2";
    let claims = (Cecp("--at 1=sleep=1800+claim=1/2-1/2_{drawn}+nothing --at 2=sleep=1800+*"), "");
    let (game, _) = play(START, claims, GOOD, words);
    assert_ends(&game, "0-1", "time forfeit", "White loses on time");
    let (game, _) = play(START, (Uci("good --think 1800000 --script e2e5"), ""), GOOD, words);
    assert_ends(&game, "0-1", "time forfeit", "White loses on time");
    assert!(moves(&game).contains("White is warned"), "{}", moves(&game));
}

#[test]
fn article_6_3_a_the_last_move_of_a_period_has_no_more_time() {
    let (game, _) = play(START, (Uci("late"), "tc=1/0.3:60"), (Uci("good"), "tc=60"), "-laws fide-2014");
    assert_ends(&game, "0-1", "time forfeit", "White loses on time (fide-2014:6.9)");
}

#[test]
fn article_6_8_a_mate_after_the_flag_is_too_late() {
    let mate = "7k/5Q2/6K1/8/8/8/8/r7 w - - 0 1";
    let late = (Uci("late --script f7g7"), "tc=0.3");
    let (game, _) = play(mate, late, (Uci("good"), "tc=60"), "-laws fide-2023");
    assert_ends(&game, "0-1", "time forfeit", "White loses on time (fide-2023:6.9)");
}

#[test]
fn article_6_7_is_not_for_the_start_that_only_introduces_an_engine() {
    let words = "-each tc=60 -laws fide-2023 default-time=1s -maxmoves 3";
    let (game, _) = play(START, (Uci("slow-uciok 2500"), ""), GOOD, words);
    assert_ends(&game, "1/2-1/2", "adjudication", "move limit");
}

#[test]
fn article_6_7_the_default_time_is_given_once_for_all_that_an_engine_does_before_its_game() {
    let scene = Scene::new();
    // For the second game it is started anew, and asked twice whether it is ready.
    let words =
        "-rounds 1 -games 2 -each tc=60 restart=on -laws fide-2023 default-time=2s -maxmoves 1 -recover";
    let ended = scene.play("slow-readyok --delay 1200", "good", &format!("{words} -pgnout file=g.pgn"));
    assert!(ended.stdout.contains("game 2: A does not get ready: "), "{}{}", ended.stdout, ended.stderr);
    assert_eq!(tag(&games(&scene.path("g.pgn"))[1], "Termination"), "unplayed");
    scene.assert_all_gone();
}

#[test]
fn the_default_time_does_not_shorten_what_is_waited_for_behind_a_game() {
    let scene = Scene::new();
    // It makes no second move, and hears that it has lost on time.
    let mut match_of = scene.bare();
    match_of.args(player(&scene, "A", &Cecp("--at 2=nothing --on ping=sleep=100 --log A.log"), ""));
    match_of.args(player(&scene, "B", &Uci("good"), ""));
    let words = "-rounds 1 -games 2 -each tc=2 -laws fide-2023 default-time=1s -recover -pgnout file=g.pgn";
    let ended = finish(match_of.args(words.split(' ')).spawn().unwrap());
    let games = games(&scene.path("g.pgn"));
    let ends: Vec<_> = games.iter().map(|game| tag(game, "Termination")).collect();
    assert_eq!(ends, ["time forfeit"; 2], "{}{}", ended.stdout, ended.stderr);
    assert_eq!(scene.read("A.log").matches("[start ").count(), 1, "it can play the next game");
}

#[test]
fn who_does_not_read_what_it_is_told_loses_on_time() {
    let scene = Scene::new();
    // No pipe holds the line with so many moves, which by these Laws nobody has to claim a draw behind.
    let lap = "Nf3 Nf6 Ng1 Ng8 ".repeat(4000);
    std::fs::write(scene.path("long.pgn"), format!("[Result \"*\"]\n\n{lap}*\n")).unwrap();
    let program = "#!/bin/sh\nwhile read -r line\ndo case $line in\n\
        uci) echo uciok ;;\nucinewgame) new=1 ;;\nisready) echo readyok; [ \"$new\" ] && exec sleep 600 ;;\nesac done\n";
    scene.write_program("deaf.sh", program);
    let mut match_of = scene.bare();
    match_of.args(["-engine", "cmd=./deaf.sh", "name=A"]).args(player(&scene, "B", &Uci("good"), ""));
    let words = "-rounds 1 -games 1 -each tc=2 -laws fide-2005 -openings file=long.pgn -pgnout file=g.pgn";
    let ended = finish(match_of.args(words.split(' ')).spawn().unwrap());
    let told = "game 1: A has not read what it was told when its time was up";
    assert!(ended.stdout.contains(told), "{}{}", ended.stdout, ended.stderr);
    assert_ends(&games(&scene.path("g.pgn"))[0], "0-1", "time forfeit", "White loses on time");
    scene.assert_all_gone();
}

#[test]
fn article_6_3_clocks_with_delay_and_periods_are_told_so_that_nobody_loses_on_time() {
    let scene = Scene::new();
    let words = "-each tc=2/5b2:2/3+1:10 -laws fide-2014 -maxmoves 5";
    let ended = finish(command(&scene, (Uci("good"), ""), (Cecp("--at last=*"), ""), words).spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let told: Vec<String> = scene
        .read("A.log")
        .lines()
        .filter_map(|line| line.split_once(" go ").map(|(_, limits)| limits.to_string()))
        .collect();
    // The main time and the delay at first; then the next period's time is added, and its increment is told.
    assert!(told[0].starts_with("wtime 7000 winc 2000 ") && told[0].ends_with(" movestogo 2"), "{told:?}");
    assert!(told[2].contains(" winc 1000 ") && told[2].ends_with(" movestogo 2"), "{told:?}");
    assert!(told[4].contains(" winc 0 ") && !told[4].contains("movestogo"), "{told:?}");
    let log = scene.read("B.log");
    for line in ["level 2 0:07 2", "level 2 0:0", "level 0 0:1"] {
        assert!(log.contains(line), "{line}: {log}");
    }
    assert_eq!(tag(&games(&scene.path("g.pgn"))[0], "TimeControl"), "2/5b2:2/3+1:10");
}
