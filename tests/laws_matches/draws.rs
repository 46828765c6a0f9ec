//! Draws that are claimed, offered and agreed, and players who give up.

use crate::support::laws::Side::{Cecp, Uci};
use crate::support::laws::{GOOD, START, assert_ends, moves, play};
use crate::support::matches::tag;

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
