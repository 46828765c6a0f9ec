//! Articles 7, 11 and 12: irregularities, players who are gone, penalties.

use super::support::*;
use adoube::laws::dead::Solver;
use adoube::laws::event::{Envelope, Failure, Fault, Penalty};
use adoube::laws::irregularity::{IllegalMoveCost, cost_of_illegal_move};
use adoube::laws::{Edition, Event, GameResult, Regulations, Speed, TimeControl};
use adoube::types::{Outcome, Square};

/// Black can castle, White has a king and a pawn.
const PAWN: &str = "4k2r/8/8/8/8/8/4P3/4K3 w - - 0 1";
/// Black has his king only.
const BARE: &str = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";

fn gone() -> Failure {
    Failure::Disconnected("closed its output".into())
}

#[test]
fn article_7_1_the_clock_after_an_illegal_move() {
    for (edition, number, of_clock) in
        [(Fide2005, "7.4.a", "6.14"), (Fide2014, "7.5.a", "7.1"), (Fide2018, "7.5.1", "7.1")]
    {
        let set_anew = format!("the clocks are set anew ({edition}:{of_clock})");
        let mut table = Table::new(edition, PAWN, standard());
        let said = table.illegal(s(20));
        let again = format!("the position stands as before, White moves again ({edition}:{number})");
        assert_eq!(said.last(), Some(&again));
        assert_eq!((table.left(White), table.left(Black)), (s(7180), s(7320)), "{edition}");
        assert!(!said.contains(&set_anew), "{said:?}");
        table.play_in("e2e4", s(10));
        assert_eq!(table.left(White), s(7170), "one move in two parts");
        let restoring = Regulations { restore_clock: true, ..Regulations::of(edition) };
        let mut table = Table::under(restoring, PAWN, standard());
        let said = table.illegal(s(20));
        assert_eq!(table.left(White), s(7200), "{edition}: as the organiser likes");
        assert!(said.contains(&set_anew), "{said:?}");
    }
    let mut late = Table::new(Fide2014, PAWN, blitz());
    late.illegal(s(300));
    assert_eq!(late.over(), "0-1 TimeForfeit 6.9", "the flag was first");
}

#[test]
fn article_7_2_a_a_wrong_start_annuls_the_game() {
    let numbers = ["7.1.a", "7.2.a", "7.2.1", "7.2.1"];
    for (edition, number) in FIDE.into_iter().zip(numbers) {
        let mut table = Table::new(edition, START, standard());
        table.play("e2e4 e7e5 g1f3 g8f6 f3g1 f6g8");
        table.says(Event::WrongStart);
        assert_eq!(table.over(), format!("void Annulled {number}"), "{edition}");
        // (supervised, the moves of each after which it is too late, in rapid and blitz chess)
        for (supervised, last) in [(true, None), (false, Some(10))] {
            let last = if edition == Fide2005 { Some(3) } else { last };
            for control in [rapid(), blitz()] {
                for moves in [2, 3, 4, 9, 10, 11] {
                    let regulations = Regulations { supervised, ..Regulations::of(edition) };
                    let mut table = Table::under(regulations, START, control.clone());
                    table.play_first(ELEVEN_MOVES, 2 * moves);
                    table.says(Event::WrongStart);
                    let too_late = last.is_some_and(|last| moves >= last);
                    assert_eq!(table.over() == "-", too_late, "{edition}, {supervised}, {moves} moves");
                }
            }
        }
    }
}

#[test]
fn article_7_3_reversed_colours() {
    for (edition, number, last) in
        [(Fide2005, "7.2", 0), (Fide2014, "7.3", 0), (Fide2018, "7.3", 10), (Fide2023, "7.3", 10)]
    {
        for made in [0, 9, 10] {
            let mut table = Table::new(edition, START, standard());
            table.play_first(ELEVEN_MOVES, 2 * made);
            let said = table.says(Event::ColoursReversed);
            if made < last {
                assert_eq!(table.over(), format!("void Annulled {number}"), "{edition}, move {made}");
            } else {
                assert_eq!(said, [format!("the game continues ({edition}:{number})")]);
            }
        }
    }
}

#[test]
fn article_7_5_a_the_position_is_restored() {
    for edition in FIDE {
        let mut table = Table::new(edition, PAWN, standard());
        assert!(!table.stands("e2e5"));
        assert_eq!((table.fen().as_str(), table.over().as_str()), (PAWN, "-"), "{edition}");
        assert_eq!((table.left(Black), table.game.illegal_moves(White)), (s(7320), 1), "{edition}");
        table.play("e2e4");
    }
    let mut testers = Table::new(Engine, PAWN, standard());
    testers.stands("e2e5");
    assert_eq!(testers.over(), "0-1 IllegalMove -");
    let mut testers = Table::new(Engine, BARE, standard());
    testers.stands("e1e3");
    assert_eq!(testers.over(), "0-1 IllegalMove -", "whatever the opponent has");
}

#[test]
fn article_7_5_a_a_pawn_that_was_not_exchanged_becomes_a_queen() {
    let fen = "4k3/7P/8/8/8/8/8/4K3 w - - 0 1";
    let fault = || Fault::PromotionMissing { from: Square::H7, to: Square::H8 };
    for (edition, number) in [(Fide2014, "7.5.a"), (Fide2018, "7.5.2"), (Fide2023, "7.5.2")] {
        let mut table = Table::new(edition, fen, standard());
        let said = table.says(Event::Irregular { fault: fault(), time: s(5) });
        assert!(said.contains(&format!("h7h8q stands ({edition}:{number})")), "{said:?}");
        assert_eq!(table.fen(), "4k2Q/8/8/8/8/8/8/4K3 b - - 0 1", "{edition}");
        assert_eq!((table.left(White), table.left(Black)), (s(7195), s(7320)), "{edition}");
        assert_eq!(table.game.illegal_moves(White), 1);
    }
    // The second time: what the opponent can do against the queen counts, not against a pawn that could become less.
    let knight = "8/P7/8/5k2/5n2/8/8/K7 w - - 0 1";
    let late = || Fault::PromotionMissing { from: Square::A7, to: Square::A8 };
    for (edition, number) in [(Fide2014, "7.5.b"), (Fide2018, "7.5.5"), (Fide2023, "7.5.5")] {
        let mut table = Table::new(edition, knight, standard());
        table.illegal(s(0));
        table.game.apply(Event::Irregular { fault: late(), time: s(5) }, &mut Solver::new());
        assert_eq!(table.over(), format!("1/2-1/2 IllegalMove {number}"), "{edition}");
    }
    let mut old = Table::new(Fide2005, fen, standard());
    old.says(Event::Irregular { fault: fault(), time: s(5) });
    assert_eq!(old.fen(), fen, "2005: an illegal move as any other");
    let mut testers = Table::new(Engine, fen, standard());
    testers.says(Event::Irregular { fault: fault(), time: s(5) });
    assert_eq!(testers.over(), "0-1 IllegalMove -");
}

#[test]
fn article_7_5_b_penalties_in_standard_chess() {
    for (edition, number, loses_with) in
        [(Fide2005, "7.4.b", 3), (Fide2014, "7.5.b", 2), (Fide2018, "7.5.5", 2), (Fide2023, "7.5.5", 2)]
    {
        let mut table = Table::new(edition, PAWN, standard());
        for count in 1..loses_with {
            let said = table.illegal(s(0));
            assert_eq!(said[1], format!("Black gets 120 s more ({edition}:{number})"));
            assert_eq!(table.left(Black), s(7200 + 120 * count), "{edition}");
        }
        table.illegal(s(0));
        assert_eq!(table.over(), format!("0-1 IllegalMove {number}"), "{edition}");
        let mut bare = Table::new(edition, BARE, standard());
        for _ in 0..loses_with {
            bare.illegal(s(0));
        }
        let result = if edition == Fide2005 { "0-1" } else { "1/2-1/2" };
        assert_eq!(bare.over(), format!("{result} IllegalMove {number}"), "{edition}: Black cannot mate");
    }
}

#[test]
fn article_7_5_b_the_opponents_illegal_moves_are_counted_apart() {
    let mut table = Table::new(Fide2014, PAWN, standard());
    table.illegal(s(0));
    table.play("e2e4");
    table.illegal(s(0));
    assert_eq!((table.game.illegal_moves(White), table.game.illegal_moves(Black)), (1, 1));
    assert_eq!((table.left(White), table.left(Black), table.over().as_str()), (s(7320), s(7320), "-"));
}

/// What the first illegal move costs, or that it loses.
fn first(edition: Edition, speed: Speed, supervised: bool) -> Option<u64> {
    match cost_of_illegal_move(edition, speed, supervised, 1) {
        IllegalMoveCost::OpponentTime(time) => Some(time.as_secs()),
        IllegalMoveCost::Game { .. } => None,
    }
}

#[test]
fn article_7_5_b_penalties_in_rapid_chess() {
    for (edition, number, time, loses_with) in [
        (Fide2005, "B.6, 7.4.b", 120, 3),
        (Fide2014, "A.3, 7.5.b", 120, 2),
        (Fide2018, "A.3, 7.5.5", 120, 2),
        (Fide2023, "A.3, 7.5.5", 60, 2),
    ] {
        let mut table = Table::new(edition, PAWN, rapid());
        for count in 1..loses_with {
            table.illegal(s(0));
            assert_eq!(table.left(Black), s(1800 + time * count), "{edition}");
        }
        table.illegal(s(0));
        assert_eq!(table.over(), format!("0-1 IllegalMove {number}"), "{edition}");
    }
    let unsupervised = Regulations { supervised: false, ..Regulations::of(Fide2014) };
    for (fen, over) in [(PAWN, "0-1 IllegalMove A.4.b"), (BARE, "1/2-1/2 IllegalMove A.4.b")] {
        let mut table = Table::under(unsupervised.clone(), fen, rapid());
        table.illegal(s(0));
        assert_eq!(table.over(), over, "without enough arbiters the first one loses");
    }
    assert_eq!(first(Fide2018, Speed::Rapid, false), Some(120));
    assert_eq!(second_unsupervised(Fide2018, rapid()), "0-1 IllegalMove A.4.2, 7.5.5");
}

/// The end that the second illegal move brings about without enough arbiters, if the first does not.
fn second_unsupervised(edition: Edition, control: TimeControl) -> String {
    let regulations = Regulations { supervised: false, ..Regulations::of(edition) };
    let mut table = Table::under(regulations, PAWN, control);
    table.illegal(s(0));
    if table.over() == "-" {
        table.illegal(s(0));
    }
    table.over()
}

#[test]
fn article_7_5_b_penalties_in_blitz_chess() {
    for (edition, number) in
        [(Fide2014, "B.2, 7.5.b"), (Fide2018, "B.2, 7.5.5"), (Fide2023, "B.3, A.3, 7.5.5")]
    {
        let mut table = Table::new(edition, PAWN, blitz());
        table.illegal(s(0));
        assert_eq!((table.left(Black), table.over().as_str()), (s(360), "-"), "{edition}");
        table.illegal(s(0));
        assert_eq!(table.over(), format!("0-1 IllegalMove {number}"), "{edition}");
    }
    for (fen, over) in [(PAWN, "0-1 IllegalMove C.3"), (BARE, "1/2-1/2 IllegalMove C.3")] {
        let mut table = Table::new(Fide2005, fen, blitz());
        table.illegal(s(0));
        assert_eq!(table.over(), over, "2005: the opponent claims a win, or a draw if he cannot mate");
    }
    assert_eq!(first(Fide2014, Speed::Blitz, false), None);
    assert_eq!(second_unsupervised(Fide2014, blitz()), "0-1 IllegalMove B.4, A.4.b");
    assert_eq!(second_unsupervised(Fide2018, blitz()), "0-1 IllegalMove B.2, B.4, A.4.2, 7.5.5");
    assert_eq!(first(Fide2014, Speed::Blitz, true), Some(60));
}

#[test]
fn article_7_5_3_no_move_is_an_illegal_move() {
    for (edition, number) in
        [(Fide2005, "7.4.a"), (Fide2014, "7.5.a"), (Fide2018, "7.5.3"), (Fide2023, "7.5.3")]
    {
        let mut table = Table::new(edition, PAWN, standard());
        let said = table.says(Event::Irregular { fault: Fault::NoMove("0000".into()), time: s(1) });
        let again = format!("the position stands as before, White moves again ({edition}:{number})");
        assert_eq!(said.last(), Some(&again));
        assert_eq!((table.game.illegal_moves(White), table.left(Black)), (1, s(7320)), "{edition}");
    }
}

#[test]
fn article_11_5_offers_again_and_again_are_not_passed_on() {
    for (edition, number) in [(Fide2005, "12.5"), (Fide2014, "11.5"), (Fide2018, "11.5"), (Fide2023, "11.5")]
    {
        let mut table = Table::new(edition, START, standard());
        table.play("e2e4 e7e5");
        let mut refused = vec![];
        for text in ["g1f3 g8f6", "b1c3 b8c6", "f1e2 f8e7", "a2a3 a7a6"] {
            refused = table.says(Event::Offer(White));
            table.play(text);
        }
        let [no, warning] = &refused[..] else { panic!("{refused:?}") };
        assert_eq!(*no, format!("White's offer of a draw is not passed on ({edition}:{number})"));
        assert!(warning.starts_with("White is warned"), "{warning}");
        let mut adjourned = table.clone();
        let mut pest = table.clone();
        assert!(!pest.game.may_offer(White), "{edition}");
        let again = pest.says(Event::Offer(White));
        assert!(again[0].contains("is not passed on"), "{edition}: to offer in vain is no pause: {again:?}");
        table.play("h2h3 h7h6");
        assert!(table.game.may_offer(White), "{edition}");
        assert!(table.says(Event::Offer(White))[0].starts_with("White offers"), "{edition}: after a pause");
        let mv = adjourned.mv("h2h3");
        adjourned.says(Event::Seal { time: s(1) });
        let envelope = Envelope::Move(mv);
        adjourned.says(Event::Resume { envelope, absent: [false; 2], waited: s(0) });
        adjourned.play("h7h6");
        let offer = adjourned.says(Event::Offer(White));
        assert!(
            offer[0].starts_with("White offers"),
            "{edition}: the sealed move came without one: {offer:?}"
        );
    }
}

#[test]
fn article_11_7_who_is_gone_has_lost() {
    for (edition, number) in [(Fide2005, "12.7"), (Fide2014, "11.7"), (Fide2018, "11.7"), (Fide2023, "11.7")]
    {
        let mut table = Table::new(edition, PAWN, standard());
        table.says(Event::Gone(White, gone()));
        assert_eq!(table.over(), format!("0-1 Disconnected {number}"), "{edition}");
        let mut bare = Table::new(edition, BARE, standard());
        bare.says(Event::Gone(White, gone()));
        assert_eq!(bare.over(), format!("0-1/2 Disconnected {number}"), "{edition}: Black cannot mate");
        assert_eq!(bare.game.verdict().unwrap().result.outcome(), Outcome::Unfinished);
    }
    let mut testers = Table::new(Engine, BARE, standard());
    testers.says(Event::Gone(White, Failure::Stalled("no answer".into())));
    assert_eq!(testers.over(), "0-1 Stalled -");
}

#[test]
fn article_11_8_both_lose_who_are_both_gone() {
    for (edition, number) in [(Fide2005, "12.8"), (Fide2014, "11.8"), (Fide2018, "11.8"), (Fide2023, "11.8")]
    {
        let mut table = Table::new(edition, START, standard());
        table.says(Event::BothGone(gone()));
        assert_eq!(table.over(), format!("0-0 Disconnected {number}"), "{edition}");
        assert_eq!(table.game.verdict().unwrap().result, GameResult::BothLose);
    }
}

#[test]
fn article_12_5_extra_time_for_both() {
    for (edition, number) in [(Fide2005, "13.5"), (Fide2014, "12.5"), (Fide2018, "12.5"), (Fide2023, "12.5")]
    {
        let mut table = Table::new(edition, START, blitz());
        let said = table.says(Event::ExtraTime(s(30)));
        assert_eq!(
            said,
            ["White", "Black"].map(|player| format!("{player} gets 30 s more ({edition}:{number})"))
        );
        assert_eq!((table.left(White), table.left(Black)), (s(330), s(330)));
    }
}

#[test]
fn article_12_9_the_arbiters_penalties() {
    let penalties = || {
        [
            Penalty::Warning("noise".into()),
            Penalty::OpponentTime(s(60)),
            Penalty::OffenderTime(s(90)),
            Penalty::Loss("noise".into()),
            Penalty::Expulsion("noise".into()),
        ]
    };
    for (edition, numbers) in [
        (Fide2005, ["13.4.a", "13.4.b", "13.4.c", "13.4.d", "13.4.g"]),
        (Fide2014, ["12.9.a", "12.9.b", "12.9.c", "12.9.f", "12.9.h"]),
        (Fide2018, ["12.9.1", "12.9.2", "12.9.3", "12.9.6", "12.9.9"]),
        (Fide2023, ["12.9.1", "12.9.2", "12.9.3", "12.9.6", "12.9.9"]),
    ] {
        for (penalty, number) in penalties().into_iter().zip(numbers) {
            let mut table = Table::new(edition, BARE, blitz());
            let rulings = table.rulings(Event::Penalize(Black, penalty.clone()));
            let article = rulings.iter().find_map(|ruling| ruling.article).unwrap();
            assert_eq!(article.number, number, "{edition}: {penalty:?}");
            let (white, black, over) = match penalty {
                Penalty::Warning(_) => (300, 300, "-".into()),
                Penalty::OpponentTime(_) => (360, 300, "-".into()),
                Penalty::OffenderTime(_) => (300, 210, "-".into()),
                Penalty::Loss(_) | Penalty::Expulsion(_) => (300, 300, format!("1-0 Penalty {number}")),
            };
            assert_eq!((table.left(White), table.left(Black), table.over()), (s(white), s(black), over));
        }
        let mut half = Table::new(edition, BARE, blitz());
        half.says(Event::Penalize(White, Penalty::Loss("noise".into())));
        assert_eq!(half.over(), format!("0-1/2 Penalty {}", numbers[3]), "{edition}: Black cannot mate");
    }
}

#[test]
fn article_12_9_a_deduction_says_what_was_taken() {
    let mut table = Table::new(Fide2023, START, blitz());
    let said = table.says(Event::Penalize(White, Penalty::OffenderTime(s(1000))));
    assert_eq!(said, ["White loses 299.999 s on the clock (fide-2023:12.9.3)"]);
    assert!(!table.left(White).is_zero(), "a flag falls only while the player thinks");
    assert_eq!(table.over(), "-");
}
