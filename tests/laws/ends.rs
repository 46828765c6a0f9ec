//! Article 5: how a game ends on the board and by the players' word.

use super::support::*;
use adoube::laws::event::{Adjudicated, Envelope, Failure, Ground, Penalty};
use adoube::laws::{Edition, Event};
use adoube::types::Outcome;

/// What each edition says: numbers until 2014 have letters.
fn by_edition(edition: Edition, [old, new, engine]: [&str; 3]) -> &str {
    match edition {
        Fide2005 | Fide2014 => old,
        Fide2018 | Fide2023 => new,
        Engine => engine,
    }
}

#[test]
fn article_5_1_a_mate_ends_the_game_and_comes_before_all_else() {
    for edition in Edition::ALL {
        for clock in [0, 99, 149] {
            let fen = format!("7k/5Q2/6K1/8/8/8/8/8 w - - {clock} 120");
            let mut table = Table::without_clocks(edition, &fen);
            table.play("f7g7");
            let expected = ["1-0 Checkmate 5.1.a", "1-0 Checkmate 5.1.1", "1-0 Checkmate -"];
            assert_eq!(table.over(), by_edition(edition, expected), "{edition}, clock {clock}");
        }
    }
}

#[test]
fn article_5_1_b_resignation_draws_if_the_opponent_cannot_mate() {
    for (edition, expected) in [
        (Fide2005, "0-1 Resignation 5.1.b"),
        (Fide2014, "0-1 Resignation 5.1.b"),
        (Fide2018, "0-1 Resignation 5.1.2"),
        (Fide2023, "1/2-1/2 Resignation 5.1.2"),
        (Engine, "0-1 Resignation -"),
    ] {
        let fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
        let mut table = Table::without_clocks(edition, fen);
        table.says(Event::Resign(White));
        assert_eq!(table.over(), expected, "{edition}");
        let mut table = Table::without_clocks(edition, fen);
        table.says(Event::Resign(Black));
        assert!(
            table.over().starts_with("1-0 Resignation"),
            "{edition}: a player may resign when not on move"
        );
    }
    let mut open = Table::without_clocks(Fide2023, START);
    let said = open.says(Event::Resign(Black));
    assert!(said[0].contains("whether White could mate is not decided"), "{said:?}");
    assert_eq!(open.over(), "1-0 Resignation 5.1.2", "what is not proved is no draw");
}

#[test]
fn article_5_2_a_stalemate() {
    for edition in Edition::ALL {
        for clock in [0, 149] {
            let mut table = Table::without_clocks(edition, &format!("7k/8/5KQ1/8/8/8/8/8 w - - {clock} 120"));
            table.play("g6f7");
            let expected = ["1/2-1/2 Stalemate 5.2.a", "1/2-1/2 Stalemate 5.2.1", "1/2-1/2 Stalemate -"];
            assert_eq!(table.over(), by_edition(edition, expected), "{edition}");
        }
    }
}

#[test]
fn article_5_2_b_nobody_loses_a_game_that_a_dead_position_has_ended_unnoticed() {
    let gone = || Failure::Disconnected("has ended".into());
    let events = || {
        [
            Event::Resign(White),
            Event::Resign(Black),
            Event::Gone(White, gone()),
            Event::Gone(Black, gone()),
            Event::BothGone(gone()),
            Event::Flag,
            Event::Penalize(White, Penalty::Loss("rudeness".into())),
            Event::Adjudicate(Outcome::Win(White), Adjudicated::Score),
            Event::Claim { by: White, ground: Ground::Any, intended: None, time: s(0) },
            Event::ClaimWin { by: White, time: s(0) },
        ]
    };
    for edition in FIDE {
        // Nobody has looked at the position yet.
        let table = Table::new(edition, WALL, standard());
        let dead = by_edition(edition, ["1/2-1/2 DeadPosition 5.2.b", "1/2-1/2 DeadPosition 5.2.2", "-"]);
        for event in events() {
            let mut table = table.clone();
            let said = table.says(event.clone());
            // That the opponent cannot mate is enough here, and is what these articles say.
            let is_draw_by_itself =
                matches!(event, Event::Flag) || edition == Fide2023 && matches!(event, Event::Resign(_));
            if is_draw_by_itself {
                assert!(table.over().starts_with("1/2-1/2 "), "{edition}: {event:?}: {said:?}");
            } else {
                assert_eq!(table.over(), dead, "{edition}: {event:?}: {said:?}");
                assert_eq!(
                    said.len(),
                    1,
                    "nothing is called wrong or paid for: {edition}: {event:?}: {said:?}"
                );
            }
        }
        for absent in [[true, false], [false, true], [true, true]] {
            let mut table = table.clone();
            table.says(Event::Seal { time: s(1) });
            table.says(Event::Resume { envelope: Envelope::Lost, absent, waited: s(0) });
            assert_eq!(table.over(), dead, "{edition}: {absent:?}");
        }
        let mut table = table.clone();
        while table.over() == "-" {
            table.illegal(s(1));
        }
        assert!(table.over().starts_with("1/2-1/2 "), "{edition}: {}", table.over());
    }
    for event in events() {
        let mut table = Table::without_clocks(Engine, WALL);
        let said = table.says(event.clone());
        assert!(
            !table.over().contains("Dead"),
            "testers of engines know no dead positions: {event:?}: {said:?}"
        );
    }
}

#[test]
fn article_5_2_b_dead_positions_draw_at_once() {
    for edition in Edition::ALL {
        let mut table = Table::without_clocks(edition, "8/8/8/4k3/8/8/4p3/4K1B1 w - - 0 1").begun();
        assert_eq!(table.over(), "-");
        table.play("e1e2");
        let material = [
            "1/2-1/2 InsufficientMaterial 5.2.b",
            "1/2-1/2 InsufficientMaterial 5.2.2",
            "1/2-1/2 InsufficientMaterial -",
        ];
        assert_eq!(table.over(), by_edition(edition, material), "{edition}");
        for fen in [WALL, FORCED] {
            let table = Table::without_clocks(edition, fen).begun();
            let dead = ["1/2-1/2 DeadPosition 5.2.b", "1/2-1/2 DeadPosition 5.2.2", "-"];
            assert_eq!(table.over(), by_edition(edition, dead), "{edition}: {fen}");
        }
        let knights = Table::without_clocks(edition, "8/8/8/4k1n1/8/8/8/4K1N1 w - - 0 1").begun();
        assert_eq!(knights.over(), "-", "{edition}: two knights can mate with help");
    }
}

#[test]
fn article_5_2_b_is_looked_at_after_every_move() {
    let mut table = Table::without_clocks(Fide2014, "4k3/8/8/1p1p1p1p/1P1P1P2/7P/8/4K3 w - - 0 1").begun();
    assert_eq!(table.over(), "-");
    table.play("h3h4");
    assert_eq!(table.over(), "1/2-1/2 DeadPosition 5.2.b");
}

#[test]
fn article_5_2_c_agreement_since_2018_only_after_a_move_of_each() {
    for edition in Edition::ALL {
        let needs_moves = matches!(edition, Fide2018 | Fide2023);
        let mut table = Table::without_clocks(edition, START);
        table.says(Event::Offer(White));
        table.says(Event::Offer(Black));
        let agreed = ["1/2-1/2 Agreement 5.2.c", "1/2-1/2 Agreement 5.2.3", "1/2-1/2 Agreement -"];
        let agreed = by_edition(edition, agreed);
        assert_eq!(table.over(), if needs_moves { "-" } else { agreed }, "{edition}");
        let mut table = Table::without_clocks(edition, START);
        table.play("e2e4");
        table.says(Event::Offer(White));
        table.says(Event::Accept(Black));
        assert_eq!(table.over(), if needs_moves { "-" } else { agreed }, "{edition}");
        let mut table = Table::without_clocks(edition, START);
        table.play("e2e4 e7e5");
        table.says(Event::Offer(Black));
        table.says(Event::Accept(White));
        assert_eq!(table.over(), agreed, "{edition}");
        // An offer comes with a move, and with Black's first one both have moved.
        let mut table = Table::without_clocks(edition, START);
        table.play("e2e4");
        assert!(table.game.may_offer(Black));
        assert_eq!(table.game.may_offer(White), !needs_moves, "{edition}");
        table.says(Event::Offer(Black));
        if needs_moves {
            table.says(Event::Accept(White));
            assert_eq!(table.over(), "-", "before the move that it comes with");
        }
        table.play("e7e5");
        table.says(Event::Accept(White));
        assert_eq!(table.over(), agreed, "{edition}");
    }
}

#[test]
fn article_5_2_d_and_e_need_a_claim() {
    for edition in Edition::ALL {
        let mut table = Table::without_clocks(edition, START);
        table.play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
        let automatic = if edition == Engine { "1/2-1/2 ThreefoldRepetition -" } else { "-" };
        assert_eq!(table.over(), automatic, "{edition}");
        let mut table = Table::without_clocks(edition, "6k1/8/4K3/8/8/8/8/R7 w - - 99 80");
        table.play("a1a2");
        let automatic = if edition == Engine { "1/2-1/2 FiftyMoves -" } else { "-" };
        assert_eq!(table.over(), automatic, "{edition}");
        if edition.is_fide() {
            table.claim(Ground::FiftyMoves, None);
            assert!(table.over().starts_with("1/2-1/2 FiftyMoves 9.3."), "{edition}");
        }
    }
}

#[test]
fn nothing_changes_after_the_end() {
    let mut table = Table::new(Fide2023, MATE_IN_ONE, blitz());
    table.play("f7g7");
    let (fen, over) = (table.fen(), table.over());
    for event in [Event::Resign(White), Event::Flag, Event::Offer(Black), Event::Interrupt] {
        assert_eq!(table.says(event), ["without effect: the game is over"]);
    }
    assert!(!table.stands_in("h8g7", s(9)));
    assert_eq!((table.fen(), table.over()), (fen, over));
    assert_eq!(table.left(Black), s(300));
}
