//! Moves that are not legal, and legal ones that an engine does not take.

use crate::support::laws::Side::{Cecp, Uci};
use crate::support::laws::{GOOD, START, assert_ends, command, moves, play};
use crate::support::matches::{Scene, finish};

#[test]
fn article_7_5_illegal_moves_cost_time_and_the_second_one_the_game() {
    let bad = || (Uci("good --script e2e5,-,e4e4x"), "");
    for (edition, clock, first, last) in [
        ("fide-2005", "tc=7200", "gets 120 s more (fide-2005:7.4.b)", ""),
        ("fide-2014", "tc=7200", "gets 120 s more (fide-2014:7.5.b)", "(fide-2014:7.5.b)"),
        ("fide-2014", "tc=60", "gets 60 s more (fide-2014:B.2, 7.5.b)", "(fide-2014:B.2, 7.5.b)"),
        ("fide-2018", "tc=1200", "gets 120 s more (fide-2018:A.3, 7.5.5)", "(fide-2018:A.3, 7.5.5)"),
        ("fide-2023", "tc=1200", "gets 60 s more (fide-2023:A.3, 7.5.5)", "(fide-2023:A.3, 7.5.5)"),
    ] {
        let words = format!("-each {clock} -laws {edition} -maxmoves 6");
        let (game, ended) = play(START, bad(), GOOD, &words);
        assert!(moves(&game).contains(&format!("Black {first}")), "{}", moves(&game));
        if last.is_empty() {
            // In 2005 the third one would lose.
            assert_ends(&game, "1/2-1/2", "adjudication", "move limit");
        } else {
            let end = format!("White makes an illegal move: e4e4x {last}}} 0-1");
            assert_ends(&game, "0-1", "illegal move", &end);
        }
        assert!(ended.stdout.contains("A gives no legal move: Illegal move e2e5"), "{}", ended.stdout);
    }
    let (game, _) = play(START, bad(), GOOD, "-each tc=60 -laws engine");
    assert_ends(&game, "0-1", "illegal move", "White makes an illegal move: e2e5} 0-1");
}

#[test]
fn a_move_that_was_on_its_way_when_an_illegal_one_was_taken_back_is_not_the_next() {
    // Its first 'isready' is that of its start, the second that of the new game.
    let bad = (Uci("stale-bestmove --after 3 --script e2e5,d2d4"), "");
    let (game, ended) = play(START, bad, GOOD, "-each tc=60 -laws fide-2023 -maxmoves 2");
    let text = moves(&game);
    assert!(text.starts_with("1. d4 {") && text.contains("White is warned"), "{text}");
    let unasked = "Warning; game 1: A gives 1 bestmove that nobody asked for";
    assert!(ended.stdout.contains(unasked), "{}", ended.stdout);
}

#[test]
fn article_7_5_3_no_move_is_an_illegal_move_and_7_5_2_a_pawn_becomes_a_queen() {
    let (game, _) =
        play(START, (Uci("good --script 0000,-,(none)"), ""), GOOD, "-each tc=60 -laws fide-2023");
    assert!(moves(&game).contains("White is warned: no move was made: 0000"), "{}", moves(&game));
    assert_ends(&game, "0-1", "illegal move", "White makes an illegal move: (none)");
    let pawn = "4k3/P7/8/8/8/8/7r/4K3 w - - 0 1";
    let words = "-each tc=60 -laws fide-2014 -maxmoves 2";
    let (game, _) = play(pawn, (Uci("good --script a7a8"), ""), GOOD, words);
    let text = moves(&game);
    assert!(text.starts_with("1. a8=Q+ {") && text.contains("the pawn was not exchanged: a7a8"), "{text}");
}

#[test]
fn article_7_5_5_a_second_illegal_move_draws_if_the_opponent_cannot_mate() {
    let bare = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
    let (game, _) = play(bare, (Uci("good --script e2e5,e2e6"), ""), GOOD, "-each tc=60 -laws fide-2023");
    assert_ends(&game, "1/2-1/2", "illegal move", "but the opponent cannot mate (fide-2023:B.3, A.3, 7.5.5)");
}

#[test]
fn a_legal_move_that_is_refused_is_told_once_more() {
    let once = (Cecp("--on move1=say=Illegal_move:_e2e4+refuse"), "");
    let white = || (Uci("good --script e2e4"), "");
    let (game, ended) = play(START, white(), once, "-each tc=60 -laws fide-2014 -maxmoves 3");
    assert_ends(&game, "1/2-1/2", "adjudication", "move limit");
    assert!(
        ended.stdout.contains("B does not take what it was sent: Illegal move: e2e4"),
        "{}",
        ended.stdout
    );
    let always =
        (Cecp("--on move=say=Illegal_move:_e2e4+refuse --at last=say=Illegal_move:_e2e4+nothing"), "");
    let (game, _) = play(START, white(), always, "-each tc=60 -laws fide-2014 -recover");
    assert_ends(&game, "1-0", "stalled connection", "Black's connection stalls (fide-2014:11.7)");
}

#[test]
fn who_complains_of_a_move_that_it_has_answered_is_told_the_game_once_more() {
    let scene = Scene::new();
    let white = (Uci("good --think 300000 --script e2e4,d2d4"), "");
    let late = (Cecp("--at 1=say=move_e7e5|Illegal_move:_e2e4"), "");
    let words = "-each tc=60 -laws fide-2014 -maxmoves 2";
    let ended = finish(command(&scene, white, late, words).spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("B does not take what it was sent"), "{}", ended.stdout);
    let log = scene.read("B.log");
    let told: Vec<&str> = log.lines().filter_map(|line| line.strip_prefix("usermove ")).collect();
    assert_eq!(told, ["e2e4", "e2e4", "e7e5", "d2d4"], "{log}");
}

#[test]
fn who_is_told_once_more_is_told_what_is_left() {
    let scene = Scene::new();
    let slow = (Cecp("--on move1=sleep=700+say=Illegal_move:_e2e4+refuse"), "");
    let words = "-each tc=60 -laws fide-2014 -maxmoves 2";
    let ended = finish(command(&scene, (Uci("good --script e2e4"), ""), slow, words).spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let log = scene.read("B.log");
    let told: Vec<u32> =
        log.lines().filter_map(|line| line.strip_prefix("time ")).map(|time| time.parse().unwrap()).collect();
    let [.., first, again] = told[..] else { panic!("{log}") };
    assert!(first <= 6000 && first >= again + 69, "centiseconds: {told:?}");
}
