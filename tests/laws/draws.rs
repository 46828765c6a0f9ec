//! Article 9: offers and claims; the repetition of positions has a file of its own.

use super::support::*;
use adoube::laws::event::Ground;
use adoube::laws::{DrawAgreement, Edition, Event, Regulations};

/// After 1.e4 e5 both have moved.
fn opened(edition: Edition) -> Table {
    let mut table = Table::new(edition, START, standard());
    table.play("e2e4 e7e5");
    table
}

const NUMBERS_9_1: [&str; 4] = ["9.1.a", "9.1.b.1", "9.1.2.1", "9.1.2.1"];

#[test]
fn article_9_1_a_regulations_may_forbid_agreements() {
    for (edition, number) in [(Fide2014, "9.1.a"), (Fide2018, "9.1.1"), (Fide2023, "9.1.1")] {
        let regulations = |draws| Regulations { draws, ..Regulations::of(edition) };
        let fen = |number| START.replace("0 1", &format!("0 {number}"));
        let from_30 = regulations(DrawAgreement::From(30));
        let mut table = Table::under(from_30.clone(), &fen(28), standard());
        table.play("e2e4 e7e5");
        let refused = table.says(Event::Offer(White));
        assert_eq!(refused, [format!("White's offer of a draw is not passed on ({edition}:{number})")]);
        table.says(Event::Offer(Black));
        assert_eq!(table.over(), "-", "{edition}: move 29");
        table.play("g1f3 g8f6");
        table.says(Event::Offer(White));
        table.says(Event::Offer(Black));
        assert!(table.over().starts_with("1/2-1/2 Agreement"), "{edition}: move 30");
        let mut never = Table::under(regulations(DrawAgreement::Never), START, standard());
        never.play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
        never.says(Event::Offer(White));
        never.says(Event::Offer(Black));
        assert_eq!(never.over(), "-");
        never.claim(Ground::Threefold, None);
        assert!(never.over().starts_with("1/2-1/2 ThreefoldRepetition"), "claims are never restricted");
    }
}

#[test]
fn article_9_1_b_1_an_offer_stands_until_the_opponent_moves() {
    for (edition, number) in FIDE.into_iter().zip(NUMBERS_9_1) {
        let mut table = opened(edition);
        assert_eq!(table.says(Event::Offer(White)), [format!("White offers a draw ({edition}:{number})")]);
        let again = table.says(Event::Offer(White));
        assert!(again[0].starts_with("without effect") && again.len() == 1, "{edition}: {again:?}");
        table.play("g1f3");
        assert_eq!(table.game.standing_offer(), Some(White), "{edition}: his own move leaves it");
        table.play("g8f6");
        assert_eq!(table.game.standing_offer(), None, "{edition}: a move declines");
        table.says(Event::Accept(Black));
        assert_eq!(table.over(), "-", "{edition}: too late");
        table.says(Event::Offer(Black));
        assert_eq!(table.game.standing_offer(), Some(Black), "{edition}: a new offer");
        table.says(Event::Accept(White));
        assert!(table.over().starts_with("1/2-1/2 Agreement"));
    }
}

#[test]
fn article_9_1_b_1_an_offer_is_declined_in_words_or_by_an_illegal_move_but_not_by_its_maker() {
    for edition in FIDE {
        let mut table = opened(edition);
        table.says(Event::Offer(Black));
        assert!(table.says(Event::Decline(Black))[0].starts_with("without effect"), "not his to decline");
        assert!(table.says(Event::Accept(Black))[0].starts_with("without effect"), "nor to accept");
        assert_eq!(table.game.standing_offer(), Some(Black), "and it cannot be withdrawn");
        table.says(Event::Decline(White));
        assert_eq!(table.game.standing_offer(), None);
        table.says(Event::Offer(Black));
        table.illegal(s(1));
        assert_eq!(table.game.standing_offer(), None, "{edition}: a piece was touched");
    }
}

#[test]
fn article_9_1_b_3_a_wrong_claim_is_an_offer() {
    let numbers = ["9.1.c", "9.1.b.3", "9.1.2.3", "9.1.2.3"];
    for (edition, number) in FIDE.into_iter().zip(numbers) {
        let mut table = opened(edition);
        let said = table.claim(Ground::Any, None);
        assert!(said.contains(&format!("White offers a draw ({edition}:{number})")), "{said:?}");
        table.says(Event::Offer(Black));
        assert!(table.over().starts_with("1/2-1/2 Agreement"), "{edition}");
        let mut table = opened(edition);
        table.says(Event::Offer(Black));
        table.claim(Ground::Any, None);
        assert!(table.over().starts_with("1/2-1/2 Agreement"), "{edition}: both want it");
    }
}

#[test]
fn article_9_3_a_fifty_moves_with_an_announced_move() {
    for (edition, number) in FIDE.into_iter().zip(["9.3.a", "9.3.a", "9.3.1", "9.3.1"]) {
        let mut table = Table::new(edition, "6k1/8/4K3/8/8/8/8/R7 w - - 99 80", standard());
        let said = table.claim(Ground::FiftyMoves, Some("a1a2"));
        assert!(said[0].starts_with("White's claim with a1a2 is correct"), "it is written down: {said:?}");
        assert_eq!(table.over(), format!("1/2-1/2 FiftyMoves {number}"), "{edition}");
        assert!(table.game.moves().is_empty(), "the move was announced and not played");
        let mut early = Table::new(edition, "6k1/8/4K3/8/8/8/8/R7 w - - 98 80", standard());
        let said = early.claim(Ground::FiftyMoves, Some("a1a2"));
        assert!(said[0].starts_with("White's claim with a1a2 is not correct"), "{said:?}");
        assert_eq!(early.over(), "-", "{edition}");
        let mut pawn = Table::new(edition, "6k1/8/4K3/8/8/8/P7/R7 w - - 99 80", standard());
        pawn.claim(Ground::FiftyMoves, Some("a2a3"));
        assert_eq!(pawn.over(), "-", "{edition}: a pawn move begins the count anew");
    }
}

#[test]
fn article_9_3_b_fifty_moves_completed() {
    for (edition, number) in FIDE.into_iter().zip(["9.3.b", "9.3.b", "9.3.2", "9.3.2"]) {
        let drawn = format!("1/2-1/2 FiftyMoves {number}");
        for (clock, over) in [(99, "-"), (100, &*drawn), (149, &*drawn)] {
            let mut table =
                Table::new(edition, &format!("6k1/8/4K3/8/8/8/8/R7 w - - {clock} 90"), standard());
            table.claim(Ground::FiftyMoves, None);
            assert_eq!(table.over(), over, "{edition}, clock {clock}");
        }
        let mut castled = Table::new(edition, "4k2r/8/8/8/8/8/8/4K2R w K - 98 90", standard());
        castled.play("e1g1 e8d7");
        assert!(castled.game.claim_holds(None), "{edition}: castling counts as any other move");
        let mut captured = Table::new(edition, "7k/8/5n2/8/8/8/8/K4R2 w - - 99 90", standard());
        captured.play("f1f6");
        assert!(!captured.game.claim_holds(None), "{edition}");
    }
}

#[test]
fn article_9_4_the_right_to_claim_ends_with_the_move() {
    for edition in FIDE {
        let mut table = Table::new(edition, "6k1/8/4K3/8/8/8/8/R7 w - - 100 90", standard());
        table.play("a1a2");
        let claim = Event::Claim { by: White, ground: Ground::FiftyMoves, intended: None, time: s(0) };
        let said = table.says(claim);
        assert_eq!(said[0], format!("without effect: only the player on move can claim ({edition}:9.4)"));
        assert_eq!(
            table.game.standing_offer(),
            matches!(edition, Fide2005 | Fide2014).then_some(White),
            "{edition}: an offer"
        );
        assert_eq!(table.over(), "-");
    }
}

#[test]
fn article_9_5_a_a_correct_claim_draws_at_once() {
    for (edition, number) in FIDE.into_iter().zip(["9.5.a", "9.5.a", "9.5.2", "9.5.2"]) {
        let mut table = Table::new(edition, "6k1/8/4K3/8/8/8/8/R7 b - - 100 90", standard());
        let said = table.claim(Ground::Any, None);
        assert_eq!(said[0], format!("Black's claim is correct ({edition}:{number})"));
        assert_eq!(said.len(), 2, "no penalty and no offer: {said:?}");
        assert!(table.over().starts_with("1/2-1/2 FiftyMoves 9.3."), "{edition}");
        assert_eq!((table.left(White), table.left(Black)), (s(7200), s(7200)));
    }
    let mut late = Table::new(Fide2014, "6k1/8/4K3/8/8/8/8/R7 b - - 100 90", blitz());
    late.says(Event::Claim { by: Black, ground: Ground::Any, intended: None, time: s(300) });
    assert_eq!(late.over(), "1-0 TimeForfeit 6.9", "the flag was down before the claim");
}

#[test]
fn article_9_5_a_claim_is_judged_on_the_ground_that_it_gives() {
    for edition in FIDE {
        let mut fifty = Table::new(edition, "6k1/8/4K3/8/8/8/8/R7 w - - 100 80", standard());
        assert!(fifty.claim(Ground::Threefold, None)[0].starts_with("White's claim is not correct"));
        assert_eq!(fifty.over(), "-", "{edition}: it has not stood there before");
        fifty.claim(Ground::FiftyMoves, None);
        assert!(fifty.over().starts_with("1/2-1/2 FiftyMoves"), "{edition}");
        let mut third = Table::new(edition, START, standard());
        third.play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
        assert!(third.claim(Ground::FiftyMoves, None)[0].starts_with("White's claim is not correct"));
        assert_eq!(third.over(), "-", "{edition}: four moves are no fifty");
        third.claim(Ground::Threefold, None);
        assert!(third.over().starts_with("1/2-1/2 ThreefoldRepetition"), "{edition}");
    }
}

#[test]
fn article_9_5_b_a_wrong_claim_costs_time() {
    // (edition, standard, rapid, blitz): what the opponent gets.
    for (edition, number, cost) in [
        (Fide2005, "9.5.b", [180, 180, 180]),
        (Fide2014, "9.5.b", [120, 120, 60]),
        (Fide2018, "9.5.3", [120, 120, 60]),
        (Fide2023, "9.5.3", [120, 60, 60]),
    ] {
        for (control, cost) in [standard(), rapid(), blitz()].into_iter().zip(cost) {
            let mut table = Table::new(edition, START, control);
            let before = [table.left(White), table.left(Black)];
            let said = table.claim(Ground::Threefold, None);
            assert_eq!(said[0], format!("White's claim is not correct ({edition}:{number})"));
            assert_eq!(table.left(Black), before[1] + s(cost), "{edition}, {}", table.game.speed());
            assert_eq!(table.left(White) < before[0], edition == Fide2005, "{edition}: the claimant pays");
        }
    }
    let mut testers = Table::new(Engine, START, blitz());
    testers.claim(Ground::Threefold, None);
    assert_eq!((testers.left(White), testers.left(Black)), (s(300), s(300)));
}

#[test]
fn article_9_5_b_the_penalty_names_the_article_that_gives_it() {
    for (edition, numbers) in [
        (Fide2005, ["9.5.b", "9.5.b", "9.5.b"]),
        (Fide2014, ["9.5.b", "9.5.b", "B.2, 9.5.b"]),
        (Fide2018, ["9.5.3", "9.5.3", "B.2, 9.5.3"]),
        (Fide2023, ["9.5.3", "A.3, 9.5.3", "B.3, A.3, 9.5.3"]),
    ] {
        for (control, number) in [standard(), rapid(), blitz()].into_iter().zip(numbers) {
            let said = Table::new(edition, START, control).claim(Ground::Threefold, None);
            assert!(said[1].starts_with("Black gets "), "{said:?}");
            assert!(said[1].ends_with(&format!(" more ({edition}:{number})")), "{said:?}");
        }
    }
}

#[test]
fn article_9_5_b_of_2005_the_claimant_loses_half() {
    for (shown, left) in [(600, 420), (300, 150), (121, 60), (120, 60), (100, 60), (60, 60), (40, 40)] {
        let mut table = Table::new(Fide2005, START, blitz());
        table.says(Event::SetClocks([s(shown), s(100)]));
        table.claim(Ground::Any, None);
        let expected = if shown == 121 { ms(60_500) } else { s(left) };
        assert_eq!((table.left(White), table.left(Black)), (expected, s(280)), "{shown}");
    }
}

#[test]
fn article_9_5_b_an_announced_move_has_to_be_played() {
    for edition in FIDE {
        let mut table = opened(edition);
        table.claim(Ground::Threefold, Some("g1f3"));
        assert_eq!(table.game.moves().len(), 3, "{edition}");
        assert_eq!(table.game.standing_offer(), Some(White), "{edition}: and Black may still agree");
        table.says(Event::Accept(Black));
        assert!(table.over().starts_with("1/2-1/2 Agreement"));
        let mut illegal = opened(edition);
        illegal.claim(Ground::Threefold, Some("g1g5"));
        assert_eq!(illegal.game.moves().len(), 2, "{edition}: what cannot be played is not");
    }
}

#[test]
fn article_9_5_b_the_thought_before_an_announced_move_is_charged_once() {
    // In 2005 the claimant loses three minutes besides.
    for (edition, left) in [(Fide2005, 7010), (Fide2014, 7190), (Fide2018, 7190), (Fide2023, 7190)] {
        let mut table = opened(edition);
        let intended = Some(table.mv("g1f3"));
        table.says(Event::Claim { by: White, ground: Ground::Threefold, intended, time: s(10) });
        assert_eq!((table.game.moves().len(), table.left(White)), (3, s(left)), "{edition}");
    }
}

#[test]
fn article_9_6_b_seventy_five_moves_unless_the_last_one_mates() {
    for (edition, over) in [
        (Fide2005, "-"),
        (Fide2014, "1/2-1/2 SeventyFiveMoves 9.6.b"),
        (Fide2018, "1/2-1/2 SeventyFiveMoves 9.6.2"),
        (Fide2023, "1/2-1/2 SeventyFiveMoves 9.6.2"),
    ] {
        let fen = |clock| format!("7k/5Q2/6K1/8/8/8/8/8 w - - {clock} 120");
        let mut table = Table::without_clocks(edition, &fen(149));
        table.play("f7f4");
        assert_eq!(table.over(), over, "{edition}");
        let mut table = Table::without_clocks(edition, &fen(148));
        table.play("f7f4");
        assert_eq!(table.over(), "-", "{edition}");
        let mut mate = Table::without_clocks(edition, &fen(149));
        mate.play("f7g7");
        assert!(mate.over().starts_with("1-0 Checkmate"), "{edition}");
    }
    let fen = "7k/5Q2/6K1/8/8/8/8/8 w - - 150 120";
    assert!(Table::without_clocks(Fide2023, fen).begun().over().contains("SeventyFiveMoves"), "at the start");
}

#[test]
fn a_win_cannot_be_claimed() {
    for edition in FIDE {
        let mut table = opened(edition);
        let said = table.says(Event::ClaimWin { by: Black, time: s(0) });
        let (number, place) = match edition {
            Fide2005 => ("13.4", "b"),
            Fide2014 => ("12.9", "b"),
            _ => ("12.9", "2"),
        };
        assert_eq!(said[0], format!("Black's claim is not correct ({edition}:{number})"));
        assert!(
            said[1].starts_with("White gets ") && said[1].ends_with(&format!("({edition}:{number}.{place})"))
        );
        assert!(table.left(White) > s(7200), "{edition}");
        assert_eq!(table.over(), "-");
    }
}
