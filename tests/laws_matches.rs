//! Matches under the Laws: what engines do, what the arbiter rules, and what the record says of it.
#![cfg(target_os = "linux")]

mod support;

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::engine;
use support::laws::Side::{Cecp, Uci};
use support::laws::{GOOD, START, assert_ends, command, moves, play, player};
use support::matches::{Ended, Scene, day_in, finish, games, tag};
use support::mock::mock_engine;
use support::{Killed, wait_until};

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
fn article_9_2_and_9_6_repetition_is_claimed_or_draws_at_five() {
    let rooks = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
    let to_and_fro = |claims| {
        (
            (Uci("good --info --script a1b1,b1a1,a1b1,b1a1,a1b1,b1a1,a1b1,b1a1,a1b1"), ""),
            (Uci("good --info --script h8g8,g8h8,h8g8,g8h8,h8g8,g8h8,h8g8,g8h8"), claims),
        )
    };
    let game = |claims, words: &str| {
        let (white, black) = to_and_fro(claims);
        play(rooks, white, black, &format!("-each tc=60 {words}")).0
    };
    let five = game("", "-laws fide-2023");
    assert_ends(&five, "1/2-1/2", "normal", "Draw by 5-fold repetition (fide-2023:9.6.1)");
    assert_eq!(tag(&five, "PlyCount"), "16");
    // Black claims with the move that would bring the third occurrence, which is not made.
    let claimed = game("claims=auto", "-laws fide-2014");
    assert_ends(&claimed, "1/2-1/2", "normal", "Draw by 3-fold repetition (fide-2014:9.2.a)");
    assert_eq!(tag(&claimed, "PlyCount"), "7");
    // With 12 centipawns Black does not want it.
    let proud = game("claims=score:0", "-laws fide-2014");
    assert_ends(&proud, "1/2-1/2", "normal", "Draw by 5-fold repetition (fide-2014:9.6.a)");
    // White finds it on the board and does not think any more.
    let ((white, _), black) = to_and_fro("");
    let (found, _) = play(rooks, (white, "claims=auto"), black, "-each tc=60 -laws fide-2014");
    assert_ends(&found, "1/2-1/2", "normal", "Draw by 3-fold repetition (fide-2014:9.2.b)");
    assert_eq!(tag(&found, "PlyCount"), "8");
    let habit = game("", "-laws engine");
    assert_ends(&habit, "1/2-1/2", "normal", "Draw by 3-fold repetition} 1/2-1/2");
    assert_eq!(tag(&habit, "PlyCount"), "8");
}

/// The hundredth move without a capture gives mate: with it White could claim a draw.
#[test]
fn nobody_claims_with_a_move_that_mates() {
    let start = "7k/5Q2/6K1/8/8/8/8/8 w - - hmvc 99; fmvn 80;";
    for (mv, result) in [("f7g7", "1-0"), ("f7d5", "1/2-1/2")] {
        let white = format!("good --info --script {mv}");
        let (game, _) = play(
            start,
            (Uci(&white), "claims=auto"),
            (Uci("good"), ""),
            "-each tc=60 -laws fide-2023 -maxmoves 85",
        );
        assert_eq!(tag(&game, "Result"), result, "{game}");
    }
}

#[test]
fn article_9_1_offers_of_proxies_are_offers() {
    let level = |words| (Uci("good --score 3"), words);
    let (game, _) = play(START, level("offers=5/3"), level("offers=5/3"), "-each tc=60 -laws fide-2023");
    let text = moves(&game);
    assert_ends(&game, "1/2-1/2", "normal", "Draw by agreement (fide-2023:5.2.3)");
    // White offers with its third move, Black accepts instead of its own.
    assert!(text.contains("3. ") && text.contains("(=)") && tag(&game, "PlyCount") == "5", "{text}");
    let words = "-each tc=60 -laws fide-2023 draws=from:9 -maxmoves 20";
    let (game, _) = play(START, level("offers=5/3"), level("offers=5/3"), words);
    assert!(!moves(&game).contains("not passed on"), "proxies know the rule: {}", moves(&game));
    assert_eq!(tag(&game, "PlyCount"), "17", "agreed in the ninth move");
    let (game, _) =
        play(START, (Uci("good --score -700"), "resigns=600/2"), GOOD, "-each tc=60 -laws fide-2023");
    assert_ends(&game, "0-1", "normal", "White resigns (fide-2023:5.1.2)");
    assert_eq!(tag(&game, "PlyCount"), "2");
}

#[test]
fn engines_of_xboards_protocol_offer_claim_and_resign() {
    let words = "-each tc=60 -laws fide-2023";
    let offers = (Cecp("--script 'e2e4 offer-draw+d2d4'"), "");
    let accepts = (Cecp("--script e7e5 --on draw=offer-draw"), "");
    let (game, _) = play(START, offers, accepts, words);
    assert_ends(&game, "1/2-1/2", "normal", "Draw by agreement (fide-2023:5.2.3)");
    let early = (Cecp("--script offer-draw+e2e4"), "");
    let (game, _) = play(START, early, (Cecp("--at last=*"), ""), &format!("{words} -maxmoves 1"));
    assert!(moves(&game).contains("not passed on (fide-2023:5.2.3)"), "{}", moves(&game));
    // Black's offer with its first move is none before both have moved.
    let (game, _) = play(
        START,
        (Cecp("--script e2e4 --on draw=offer-draw"), ""),
        (Cecp("--script offer-draw+e7e5"), ""),
        words,
    );
    assert_ends(&game, "1/2-1/2", "normal", "Draw by agreement (fide-2023:5.2.3)");
    assert_eq!(tag(&game, "PlyCount"), "2");
    // Behind its move an offer is its own all the same, and not its opponent's who thinks by then.
    let late = (Cecp("--script 'e2e4 d2d4+offer-draw'"), "");
    let slow = (Cecp("--script 'e7e5 sleep=300+d7d5'"), "");
    let (game, _) = play(START, late, slow, &format!("{words} -maxmoves 2"));
    let text = moves(&game);
    let offered = text.find("(=)").unwrap_or_else(|| panic!("{text}"));
    assert!(text.find("2. d4").unwrap() < offered && offered < text.find("d5").unwrap(), "{text}");
    // Who wants a draw himself takes the one that he is offered meanwhile.
    let late = (Cecp("--script 'e2e4+sleep=200+offer-draw'"), "");
    let both = (Cecp("--script 'offer-draw+sleep=600+e7e5'"), "");
    let (game, _) = play(START, late, both, "-each tc=60 -laws fide-2014");
    assert_ends(&game, "1/2-1/2", "normal", "Draw by agreement (fide-2014:5.2.c)");
    assert_eq!(tag(&game, "PlyCount"), "1");
    let (game, _) = play(START, (Cecp("--script 'e2e4 resign'"), ""), GOOD, words);
    assert_ends(&game, "0-1", "normal", "White resigns (fide-2023:5.1.2)");
    let bare = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
    let (game, _) = play(bare, (Cecp("--script resign"), ""), GOOD, words);
    assert_ends(
        &game,
        "1/2-1/2",
        "normal",
        "Draw: a player resigns whom the opponent cannot mate (fide-2023:5.1.2)",
    );
    let (game, _) = play(bare, (Cecp("--script resign"), ""), GOOD, "-each tc=60 -laws fide-2018");
    assert_ends(&game, "0-1", "normal", "White resigns (fide-2018:5.1.2)");
}

#[test]
fn article_9_5_wrong_claims_cost_time_and_the_game_goes_on() {
    let wrong = |side: &'static str| (Cecp(side), "");
    let claim = "--script 'e2e4 claim=1/2-1/2_{Draw_by_repetition}+nothing d2d4'";
    let (game, ended) = play(START, wrong(claim), GOOD, "-each tc=60 -laws fide-2014 -maxmoves 4");
    let text = moves(&game);
    assert!(text.contains("White's claim is not correct (fide-2014:9.5.b)"), "{text}");
    assert!(text.contains("Black gets 60 s more (fide-2014:B.2, 9.5.b)"), "{text}");
    assert!(text.contains("(=)"), "a claim is an offer: {text}");
    assert_ends(&game, "1/2-1/2", "adjudication", "move limit");
    let warning = |claim: &str| format!("Warning; game 1: A claims {claim} (move 2)\n");
    assert!(ended.stdout.contains(&warning("1/2-1/2 {Draw by repetition}")), "{}", ended.stdout);
    let win = "--script 'e2e4 claim=1-0_{White_mates}+nothing d2d4'";
    let (game, ended) = play(START, wrong(win), GOOD, "-each tc=60 -laws fide-2014 -maxmoves 4");
    assert!(moves(&game).contains("Black gets 60 s more (fide-2014:12.9.b)"), "{}", moves(&game));
    assert!(ended.stdout.contains(&warning("1-0 {White mates}")), "{}", ended.stdout);
    let rooks = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
    let right = "--script 'a1b1 b1a1 a1b1 b1a1 claim=1/2-1/2_{third_time}'";
    let black = "--script 'h8g8 g8h8 h8g8 g8h8'";
    let (game, ended) = play(rooks, wrong(right), wrong(black), "-each tc=60 -laws fide-2014");
    let end = "White's claim is correct (fide-2014:9.5.a), Draw by 3-fold repetition (fide-2014:9.2.b)";
    assert_ends(&game, "1/2-1/2", "normal", end);
    assert!(!ended.stdout.contains("Warning"), "a correct claim is nothing wrong: {}", ended.stdout);
    // An offer before the move that brings the third occurrence claims it.
    let with_move = "--script 'h8g8 g8h8 h8g8 offer-draw+g8h8'";
    let (game, _) =
        play(rooks, wrong("--script 'a1b1 b1a1 a1b1 b1a1'"), wrong(with_move), "-each tc=60 -laws fide-2014");
    assert_ends(&game, "1/2-1/2", "normal", "Draw by 3-fold repetition (fide-2014:9.2.a)");
    assert_eq!(tag(&game, "PlyCount"), "7");
    // So does a claim in one breath with that move, and one that is not true is an offer.
    let with_move = "--script 'h8g8 g8h8 h8g8 say=move_g8h8|1/2-1/2_{Draw_by_repetition}'";
    let (game, _) =
        play(rooks, wrong("--script 'a1b1 b1a1 a1b1 b1a1'"), wrong(with_move), "-each tc=60 -laws fide-2014");
    assert_ends(&game, "1/2-1/2", "normal", "Draw by 3-fold repetition (fide-2014:9.2.a)");
    let with_move = "--script 'say=move_h8g8|1/2-1/2_{Draw_by_repetition}'";
    let (game, _) = play(rooks, GOOD, wrong(with_move), "-each tc=60 -laws fide-2014 -maxmoves 2");
    assert!(moves(&game).contains("(=)") && !moves(&game).contains("not correct"), "{}", moves(&game));
    // Behind an illegal move it is one of the present position; and what ends by itself needs no claim, and no offer.
    let illegal = "--script 'say=move_h1h5|1/2-1/2_{x} *'";
    let (game, ended) = play(rooks, wrong(illegal), GOOD, "-each tc=60 -laws fide-2014 -maxmoves 1");
    assert!(moves(&game).contains("White's claim is not correct"), "{}", moves(&game));
    assert!(ended.stdout.contains("A claims 1/2-1/2 {x}"), "{}", ended.stdout);
    let takes = "--script 'say=move_a1b1|1/2-1/2_{insufficient_material}'";
    for laws in ["engine", "fide-2014"] {
        let words = format!("-each tc=60 -laws {laws}");
        let (game, _) = play("7k/8/8/8/8/8/8/Kr6 w - - 0 1", wrong(takes), GOOD, &words);
        assert!(!moves(&game).contains("(=)") && !moves(&game).contains("offer"), "{}", moves(&game));
        assert_eq!(tag(&game, "PlyCount"), "1", "{}", moves(&game));
    }
    let (game, _) = play(
        rooks,
        wrong("--script 'a1b1 b1a1 a1b1 b1a1'"),
        wrong("--script 'h8g8 g8h8 h8g8 say=move_g8h8|1/2-1/2_{Draw_by_repetition}'"),
        "-each tc=60 -laws engine",
    );
    assert_eq!(tag(&game, "PlyCount"), "8", "{}", moves(&game));
}

#[test]
fn a_move_in_one_write_with_a_claim_or_a_complaint_costs_its_time_once_and_nobody_else() {
    // Three seconds each: two are too many twice, and with Black's own.
    let words = "-each tc=3 -laws fide-2018 -maxmoves 1";
    for before in ["1/2-1/2_{Draw}", "1-0_{White_mates}", "tellusererror_Illegal_move:_a7a5"] {
        let white = format!("--script 'sleep=2000+say={before}|move_e2e4'");
        let (game, _) = play(START, (Cecp(&white), ""), (Uci("good --think 1200000"), ""), words);
        assert_ends(&game, "1/2-1/2", "adjudication", "1. e4 ");
    }
}

#[test]
fn who_says_that_it_has_mated_behind_its_mate_is_not_reproached() {
    // Whatever Black plays, the queen mates on c8.
    let start = "7k/p7/6K1/8/8/8/8/1Q6 w - - 0 1";
    let white = (Cecp("--script 'b1c1 say=move_c1c8|1-0_{White_mates}'"), "");
    let (game, ended) = play(start, white, (Uci("ponder-good"), "ponder"), "-each tc=60");
    assert_ends(&game, "1-0", "normal", "2. Qc8#");
    assert!(!ended.stdout.contains("Warning"), "{}", ended.stdout);
}

#[test]
fn claims_without_end_come_to_an_end() {
    // Without a clock a wrong claim costs nothing.
    for laws in ["engine", "fide-2023"] {
        let claims = (Cecp("--at last=claim=1/2-1/2_{drawn}+nothing"), "st=1");
        let (game, _) = play(START, claims, (Uci("good"), "st=1"), &format!("-laws {laws} -recover"));
        assert_ends(&game, "0-1", "stalled connection", "White's connection stalls");
    }
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
    let mut launched = engine::command();
    launched.current_dir(&scene.folder).stdin(Stdio::null()).arg("match");
    launched.args(player(&scene, "A", &Uci("die-thinking --after 2"), ""));
    launched.args(["-engine", "cmd=./launch.sh", "name=B", "args=good --pids pids"]);
    launched.args("-rounds 1 -games 1 -pgnout file=g.pgn".split(' ')).args(words.split(' '));
    let ended = finish(launched.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let game = &games(&scene.path("g.pgn"))[0];
    assert_ends(game, "0-1", "abandoned", "White disconnects (fide-2023:11.7)");
    assert!(!ended.stdout.contains("B has ended"), "{}", ended.stdout);
    scene.assert_all_gone();
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
fn article_12_9_an_engine_that_keeps_crashing_is_expelled() {
    let scene = Scene::new();
    let play = |words: &str| {
        let words = format!("-each tc=60 -laws fide-2023 expel=2 -games 2 -maxmoves 4 {words}");
        let mut match_of = engine::command();
        match_of.current_dir(&scene.folder).stdin(Stdio::null()).arg("match");
        match_of.args(player(&scene, "A", &Uci("die-thinking"), ""));
        match_of.args(player(&scene, "B", &Uci("good"), "")).args(words.split_whitespace());
        finish(match_of.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
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
    let deadline = Instant::now() + Duration::from_secs(60);
    while scene.read("A.log").matches(" go ").count() < 5 {
        assert!(Instant::now() < deadline, "the game does not begin");
        std::thread::sleep(Duration::from_millis(2));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
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
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
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
fn a_game_that_cannot_be_adjourned_leaves_its_score_sheet() {
    let scene = Scene::new();
    let thinks = || (Uci("good --think 20000"), "");
    let words = "-each tc=600 -laws fide-2023 -maxmoves 30";
    let start = || command(&scene, thinks(), thinks(), words);
    let child = start().spawn().unwrap();
    wait_until("the fifth move", || scene.read("A.log").matches(" go ").count() >= 5);
    // In the place of the folder.
    std::fs::write(scene.path("g.pgn.journal.adjourned"), "").unwrap();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
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
    let mut command = engine::command();
    command.current_dir(&scene.folder).stdin(Stdio::null()).arg("match").args(more.split_whitespace());
    command.args(scene.player("A", "good --think 20000")).args(words.split_whitespace());
    command.args(scene.player("C", mode_of_c)).arg(clock_of_c);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
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
    let id = child.id().to_string();
    let interrupt = || Command::new("kill").args(["-INT", &id]).status().unwrap();
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

#[test]
fn guidelines_1_4_an_offer_made_with_the_sealed_move_is_told_after_the_adjournment() {
    let scene = Scene::new();
    let words = "-each tc=600 -laws fide-2023 -maxmoves 5";
    // At its third turn White offers, beyond the session's end; what comes after the resumption are its first two turns.
    let start = |more: &str| {
        let white = (Cecp("--at 3=sleep=4000+offer-draw+*"), "");
        let black = (Cecp("--on draw=offer-draw"), "");
        finish(command(&scene, white, black, &format!("{words} {more}")).spawn().unwrap())
    };
    let first = start("-session 3s");
    assert!(first.stdout.contains("Adjourned game 1"), "{}{}", first.stdout, first.stderr);
    let second = start("-resume");
    assert_eq!(second.code, Some(0), "{}{}", second.stdout, second.stderr);
    let game = &games(&scene.path("g.pgn"))[0];
    assert_ends(game, "1/2-1/2", "normal", "Draw by agreement (fide-2023:5.2.3)");
    assert!(moves(game).contains("is adjourned (fide-2023:Guidelines I.1) (=)"), "{}", moves(game));
}

#[test]
fn guidelines_1_10_and_article_12_9_who_does_not_come_back_is_expelled_at_once() {
    let scene = Scene::new();
    // A program that is there at first, and not in time for its second meeting of the second day.
    let program = format!("#!/bin/sh\nexec '{}' $(cat day) \"$@\"\n", mock_engine().display());
    std::fs::write(scene.path("a.sh"), program).unwrap();
    assert!(Command::new("chmod").arg("+x").arg(scene.path("a.sh")).status().unwrap().success());
    std::fs::write(scene.path("day"), "good --think 20000").unwrap();
    let start = |more: &str| {
        let words = format!(
            "-each tc=600 -laws fide-2023 expel=1 default-time=1s -rounds 2 -games 2 -maxmoves 30 {more}"
        );
        let mut match_of = engine::command();
        match_of.current_dir(&scene.folder).stdin(Stdio::null()).arg("match");
        match_of.args(["-engine", "cmd=./a.sh", "name=A", "args=--pids pids --log A.log"]);
        match_of.args(player(&scene, "B", &Uci("good --think 20000"), ""));
        match_of.args("-pgnout file=g.pgn".split(' ')).args(words.split_whitespace());
        finish(match_of.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
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
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
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
    let mut match_of = engine::command();
    match_of.current_dir(&scene.folder).stdin(Stdio::null()).arg("match");
    match_of.args(scene.player("A", "good")).args(words.split_whitespace());
    let ended = finish(match_of.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert_eq!((ended.code, games(&scene.path("g.pgn")).len()), (Some(1), 0), "{}", ended.stdout);
    let told =
        "just as the match was ended: the game is played anew; its score sheet is in g.pgn.journal.playing";
    assert!(ended.stdout.contains(told), "{}{}", ended.stdout, ended.stderr);
    assert!(scene.read("g.pgn.journal.playing/game-1.pgn").contains("\n1. "));
    scene.assert_all_gone();
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
    let mut match_of = engine::command();
    match_of.current_dir(&scene.folder).stdin(Stdio::null()).arg("match");
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
    let mut match_of = engine::command();
    match_of.current_dir(&scene.folder).stdin(Stdio::null()).arg("match");
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

/// A game with rooks in which White comes to ask for a draw in a quickplay finish: five wrong claims leave him, who began
/// with 15 minutes, a minute and a half (9.5.b of 2005).
fn quickplay_finish(who_decides: &str) -> String {
    let claim = "claim=1/2-1/2_{drawn}+nothing";
    let switches = format!("--score 0 --script 'a1b1 {claim} {claim} {claim} {claim} {claim} b1a1'");
    let rooks = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
    let words = format!("-each tc=900 -maxmoves 4 -laws fide-2005 quickplay=true {who_decides}");
    play(rooks, (Cecp(&switches), "finish=10/1"), (Uci("good --script h8g8,g8h8,h8g8"), ""), &words).0
}

#[test]
fn article_10_2_a_draw_is_claimed_in_a_quickplay_finish() {
    let game = quickplay_finish("");
    let text = moves(&game);
    assert!(text.contains("White loses 180 s on the clock (fide-2005:9.5.b)"), "{text}");
    // The fifth one half of three minutes, less what the engine took.
    assert!(text.contains("White loses 89.") || text.contains("White loses 90 s"), "{text}");
    let asked = text.find("White asks for a decision (fide-2005:10.2)").expect("a request");
    assert!(
        text[asked..].contains("White's request is rejected (fide-2005:10.2), Black gets 120 s more"),
        "{text}"
    );
    assert_eq!(text.matches("White asks for a decision").count(), 1, "a proxy asks once in a game: {text}");
    let judge = env!("CARGO_BIN_EXE_adoube");
    let game = quickplay_finish(&format!("judge-nodes=20000 judge={judge}"));
    assert_ends(&game, "1/2-1/2", "normal", "sees no advantage of the opponent (fide-2005:10.2)");
}

#[test]
fn article_g_4_a_delay_is_asked_for_in_a_quickplay_finish_and_told_to_engines() {
    let even = "good --score 0";
    let scene = Scene::new();
    let (white, black) = ((Uci(even), "tc=119 finish=delay:10/2"), (Uci(even), "tc=1200"));
    let words = "-maxmoves 4 -laws fide-2014 quickplay=true";
    let ended = finish(command(&scene, white, black, words).spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let text = moves(&games(&scene.path("g.pgn"))[0]);
    let asked = text.find("White asks for a decision (fide-2014:G.4)").expect("a request");
    assert!(text[..asked].contains(" 3. ") && !text[..asked].contains(" 4. "), "{text}");
    assert!(
        text[asked..].contains("every move has a delay of 5 s (fide-2014:G.4), Black gets 120 s more"),
        "{text}"
    );
    // Engines know a delay as an increment that their time has already.
    for name in ["A.log", "B.log"] {
        let log = scene.read(name);
        let told: Vec<&str> = log.lines().filter(|line| line.contains(" go ")).collect();
        let says = |line: &str, words: &[&str]| words.iter().all(|word| format!("{line} ").contains(word));
        assert!(says(told[1], &[" winc 0 ", " binc 0 "]), "{told:?}");
        let after = [" wtime 12", " winc 5000 ", " btime 132", " binc 5000 "];
        assert!(says(told.last().unwrap(), &after), "{told:?}");
    }
}

#[test]
fn a_judge_who_cannot_be_started_is_told_of_before_any_file_is_touched() {
    let scene = Scene::new();
    std::fs::write(scene.path("g.pgn"), "[Event \"old\"]\n\n*\n\n").unwrap();
    let words = "append=false -each tc=60 -laws fide-2014 quickplay=true judge=./nowhere";
    let ended = finish(command(&scene, GOOD, GOOD, words).spawn().unwrap());
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("the judge (./nowhere): cannot start"), "{}", ended.stderr);
    assert!(!ended.stdout.contains("Started game"), "{}", ended.stdout);
    assert_eq!(scene.read("g.pgn"), "[Event \"old\"]\n\n*\n\n");
    assert_eq!(scene.read("g.pgn.journal"), "");
    scene.assert_all_gone();
}

#[test]
fn a_judge_of_chess960_is_told_so_and_warned_of_if_he_does_not_know_it() {
    for option in ["option name UCI_Chess960 type check default false", "id author nobody"] {
        let scene = Scene::new();
        let script = format!(
            "#!/bin/sh\nwhile read -r word rest; do echo \"$word $rest\" >> judge.log; case $word in \
             uci) echo '{option}'; echo uciok;; isready) echo readyok;; quit) exit;; esac; done\n"
        );
        std::fs::write(scene.path("judge.sh"), script).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(scene.path("judge.sh")).status().unwrap().success());
        let words = "-each tc=60 -variant fischerandom -openings chess960=lot -maxmoves 2 -laws fide-2014 quickplay=true judge=./judge.sh";
        let ended = finish(command(&scene, GOOD, GOOD, words).spawn().unwrap());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(scene.read("judge.log").contains("setoption name UCI_Chess960 value true"));
        let is_warned = ended.stdout.contains("doesn't have option UCI_Chess960");
        assert_eq!(is_warned, !option.starts_with("option"), "{}", ended.stdout);
    }
}

#[test]
#[ignore = "wants files: ADOUBE_SYZYGY=folder with tables of up to four pieces"]
fn article_10_2_a_tablebase_decides_in_a_quickplay_finish() {
    let folder = std::env::var("ADOUBE_SYZYGY").expect("ADOUBE_SYZYGY names the folder");
    let game = quickplay_finish(&format!("-tb {folder} -tbadjudicate NONE"));
    let words = "the tablebase knows no win of the opponent (fide-2005:10.2)";
    assert_ends(&game, "1/2-1/2", "normal", words);
}

#[test]
fn article_8_1_a_moves_are_written_down_as_they_are_made() {
    let scene = Scene::new();
    let mode = || (Uci("good --think 20000"), "");
    let words = "-each tc=600 -laws fide-2023";
    let mut child = command(&scene, mode(), mode(), words).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while scene.read("A.log").matches(" go ").count() < 10 {
        assert!(Instant::now() < deadline, "the game does not begin");
        std::thread::sleep(Duration::from_millis(2));
    }
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
