//! Quickplay finish (2005: article 10; 2014: appendix G).

use super::support::*;
use adoube::laws::dead::Solver;
use adoube::laws::event::{Decision, Envelope, Request};
use adoube::laws::{Bonus, Clock, Edition, Event, Game, Regulations, TimeControl};
use std::time::Duration;

fn announced(edition: Edition) -> Regulations {
    Regulations { quickplay: true, ..Regulations::of(edition) }
}

/// White, who is to move, has 1:50 left of half an hour.
fn low(edition: Edition) -> Table {
    let mut table = Table::under(announced(edition), START, rapid());
    table.play("e2e4 e7e5");
    table.says(Event::SetClocks([s(110), s(600)]));
    table
}

fn ask(table: &mut Table, request: Request) -> Vec<String> {
    table.says(Event::Quickplay(White, request))
}

fn number(edition: Edition, old: &'static str, place: usize) -> String {
    match edition {
        Fide2005 => old.into(),
        Fide2014 => format!("G.{place}"),
        _ => format!("Guidelines III.{place}"),
    }
}

#[test]
fn article_g_1_to_g_3_when_a_quickplay_finish_is_played() {
    for edition in FIDE {
        assert!(
            ask(&mut low(edition), Request::Draw).last().unwrap().contains("asks for a decision"),
            "{edition}"
        );
        let refused = |regulations: Regulations, control: TimeControl, left: u64| {
            let mut table = Table::under(regulations, START, control);
            table.says(Event::SetClocks([s(left), s(600)]));
            let said = ask(&mut table, Request::Draw);
            assert!(said[0].starts_with("without effect"), "{edition}: {said:?}");
        };
        refused(Regulations::of(edition), rapid(), 110);
        refused(announced(edition), blitz(), 110);
        refused(announced(edition), rapid(), 120);
        refused(announced(edition), TimeControl::fischer(s(1800), s(5)), 110);
        refused(announced(edition), periods(&[(Some(40), 1200, Bonus::None), (None, 900, Bonus::None)]), 110);
        let controls = [rapid(), TimeControl::fischer(s(1800), s(5))];
        let rules = announced(edition).clock_rules();
        let clocks = controls.map(|control| Some(Clock::new(control, rules, Duration::ZERO)));
        let mut unequal = Game::new(announced(edition), position(START), clocks);
        let mut prover = Solver::new();
        unequal.apply(Event::SetClocks([s(110), s(600)]), &mut prover);
        let said = unequal.apply(Event::Quickplay(White, Request::Draw), &mut prover);
        assert!(said[0].to_string().contains("without effect"), "{edition}: {said:?}");
        let mut other = low(edition);
        other.play("g1f3");
        assert!(ask(&mut other, Request::Draw)[0].starts_with("without effect"), "{edition}: not on move");
    }
    assert!(ask(&mut low(Engine), Request::Draw)[0].starts_with("without effect"));
}

#[test]
fn article_g_4_extra_time_may_be_asked_for() {
    for edition in [Fide2014, Fide2018, Fide2023] {
        let four = number(edition, "", 4);
        let (kind, kept) = if edition == Fide2014 { ("a delay", 0) } else { ("an increment", 1) };
        let mut table = low(edition);
        let said = ask(&mut table, Request::Bonus);
        assert_eq!(said[0], format!("White offers a draw ({edition}:{four})"), "it is an offer too");
        assert_eq!(said[1], format!("White asks for a decision ({edition}:{four})"));
        let said = table.says(Event::Decide(Decision::Agree("a long game".into())));
        assert_eq!(
            said,
            [
                format!("every move has {kind} of 5 s ({edition}:{four})"),
                format!("Black gets 120 s more ({edition}:{four})")
            ]
        );
        table.play_in("g1f3 g8f6", s(4));
        // An increment is kept, whatever the move has taken.
        assert_eq!((table.left(White), table.left(Black)), (s(110 + kept), s(720 + kept)), "{edition}");
        let mut rejected = low(edition);
        ask(&mut rejected, Request::Bonus);
        rejected.says(Event::Decide(Decision::Reject));
        rejected.play_in("g1f3", s(4));
        assert_eq!((rejected.left(White), rejected.left(Black)), (s(106), s(600)), "{edition}");
        let mut accepted = low(edition);
        ask(&mut accepted, Request::Bonus);
        accepted.says(Event::Accept(Black));
        assert!(accepted.over().starts_with("1/2-1/2 Agreement"), "{edition}");
    }
    assert!(ask(&mut low(Fide2005), Request::Bonus)[0].starts_with("without effect"), "unknown in 2005");
}

#[test]
fn article_g_4_extra_time_that_was_granted_is_there_after_an_adjournment() {
    for (edition, bonus) in [
        (Fide2014, Bonus::Delay(s(5))),
        (Fide2018, Bonus::Increment(s(5))),
        (Fide2023, Bonus::Increment(s(5))),
    ] {
        let mut table = low(edition);
        ask(&mut table, Request::Bonus);
        table.says(Event::Decide(Decision::Agree("a long game".into())));
        table.says(Event::Seal { time: s(1) });
        let written = serde_json::to_string(&table.game.snapshot()).unwrap();
        let snapshot = serde_json::from_str(&written).unwrap();
        let fresh = Table::under(announced(edition), START, rapid()).game;
        let clocks = [White, Black].map(|player| fresh.clock(player).cloned());
        let moves = table.game.moves();
        let game = Game::restore(announced(edition), position(START), clocks, moves, &snapshot);
        let mut restored = Table { game };
        for player in [White, Black] {
            assert_eq!(restored.game.clock(player).unwrap().bonus(), bonus, "{edition}");
        }
        let mv = table.mv("g1f3");
        for table in [&mut table, &mut restored] {
            let envelope = Envelope::Move(mv);
            table.says(Event::Resume { envelope, absent: [false; 2], waited: s(0) });
            table.play_in("g8f6 b1c3", s(4));
        }
        let left = [White, Black].map(|player| table.left(player));
        assert_eq!([White, Black].map(|player| restored.left(player)), left, "{edition}");
    }
}

#[test]
fn article_g_5_a_draw_that_the_arbiter_gives() {
    for edition in FIDE {
        let mut table = low(edition);
        let said = ask(&mut table, Request::Draw);
        let is_offer = said.contains(&"White offers a draw (fide-2005:9.1.c)".to_string());
        assert_eq!(
            (is_offer, said.len()),
            if edition == Fide2005 { (true, 2) } else { (false, 1) },
            "{said:?}"
        );
        table.says(Event::Decide(Decision::Agree("tablebase".into())));
        let five = number(edition, "10.2", 5);
        assert_eq!(table.over(), format!("1/2-1/2 QuickplayFinish {five}"), "{edition}");
        let mut unasked = low(edition);
        unasked.says(Event::Decide(Decision::Agree("nobody has asked".into())));
        assert_eq!(unasked.over(), "-");
    }
}

#[test]
fn article_g_5_b_a_decision_postponed_until_the_flag() {
    for edition in FIDE {
        let mut table = low(edition);
        ask(&mut table, Request::Draw);
        table.says(Event::Decide(Decision::Postpone { grant: true }));
        assert_eq!(table.left(Black), s(720), "{edition}");
        table.play("g1f3 g8f6");
        let flag = table.says(Event::Flag);
        assert!(flag[0].starts_with("White asks for a decision"), "{edition}: {flag:?}");
        assert!(table.says(Event::Resign(White))[0].starts_with("without effect"), "the flag is down");
        let mut drawn = table.clone();
        drawn.says(Event::Decide(Decision::Agree("no progress".into())));
        assert!(drawn.over().starts_with("1/2-1/2 QuickplayFinish"), "{edition}");
        table.says(Event::Decide(Decision::Reject));
        assert!(table.over().starts_with("0-1 TimeForfeit"), "{edition}");
        let mut others = low(edition);
        ask(&mut others, Request::Draw);
        others.says(Event::Decide(Decision::Postpone { grant: false }));
        others.play("g1f3");
        let flag = others.says(Event::Flag);
        assert!(flag[0].starts_with("White asks for a decision"), "{edition}: either flag: {flag:?}");
        assert_eq!(others.game.flag_to_decide_on(), Some(Black), "{edition}: can White win?");
        let mut drawn = others.clone();
        drawn.says(Event::Decide(Decision::Agree("no progress".into())));
        assert!(drawn.over().starts_with("1/2-1/2 QuickplayFinish"), "{edition}");
        let said = others.says(Event::Decide(Decision::Reject));
        assert!(said[0].starts_with("White's request is rejected"), "{edition}: {said:?}");
        assert!(others.over().starts_with("1-0 TimeForfeit"), "{edition}: {}", others.over());
    }
}

#[test]
fn article_g_5_b_who_waits_for_a_decision_does_not_ask_again_and_the_opponent_gets_time_once() {
    for edition in FIDE {
        let mut table = low(edition);
        ask(&mut table, Request::Draw);
        let postpone = || Event::Decide(Decision::Postpone { grant: true });
        table.says(postpone());
        assert!(!table.game.may_ask_in_quickplay(White), "{edition}");
        let again = ask(&mut table, Request::Draw);
        assert!(again[0].starts_with("without effect: the player has asked already"), "{edition}: {again:?}");
        table.play("g1f3 g8f6");
        table.says(postpone());
        assert_eq!(table.left(Black), s(720), "{edition}");
    }
}

#[test]
fn article_g_5_b_each_claim_waits_for_its_own_decision() {
    // In 2005 a claim is an offer, and one against another an agreement.
    for edition in [Fide2014, Fide2018, Fide2023] {
        let postpone = || Event::Decide(Decision::Postpone { grant: true });
        let mut table = low(edition);
        table.says(Event::SetClocks([s(110), s(110)]));
        ask(&mut table, Request::Draw);
        table.says(Event::Decide(Decision::Postpone { grant: false }));
        table.play("g1f3");
        let asked = table.says(Event::Quickplay(Black, Request::Draw));
        assert!(asked.last().unwrap().starts_with("Black asks for a decision"), "{edition}: {asked:?}");
        let mut both = table.clone();
        both.says(postpone());
        assert_eq!(both.left(White), s(230), "{edition}: for Black's claim, though White's waits too");
        // What is rejected is Black's.
        table.says(Event::Decide(Decision::Reject));
        table.play("g8f6");
        let flag = table.says(Event::Flag);
        assert!(flag[0].starts_with("White asks for a decision"), "{edition}: {flag:?}");
        both.play("g8f6");
        let flag = both.says(Event::Flag);
        assert!(flag[0].starts_with("White asks for a decision"), "{edition}: {flag:?}");
    }
}

#[test]
fn article_g_5_c_what_is_rejected_in_the_end_is_not_decided_again_when_a_flag_falls() {
    for edition in FIDE {
        let mut table = low(edition);
        ask(&mut table, Request::Draw);
        table.says(Event::Decide(Decision::Postpone { grant: false }));
        table.play("g1f3 g8f6");
        table.says(Event::Decide(Decision::Reject));
        assert!(table.game.may_ask_in_quickplay(White), "{edition}");
        table.says(Event::Flag);
        assert!(table.over().starts_with("0-1 TimeForfeit"), "{edition}: {}", table.over());
    }
}

#[test]
fn article_g_5_b_the_claimants_flag_between_the_sessions() {
    for edition in [Fide2014, Fide2018, Fide2023] {
        let mut table = low(edition);
        ask(&mut table, Request::Draw);
        table.says(Event::Decide(Decision::Postpone { grant: false }));
        table.play("g1f3");
        table.says(Event::Seal { time: s(1) });
        let mv = table.mv("g8f6");
        table.says(Event::Resume { envelope: Envelope::Move(mv), absent: [false; 2], waited: s(110) });
        assert_eq!(table.game.moves().len(), 3, "{edition}: the decision comes first");
        table.says(Event::Decide(Decision::Reject));
        assert!(table.over().starts_with("0-1 TimeForfeit"), "{edition}: {}", table.over());
    }
}

#[test]
fn article_g_5_c_a_rejected_request_costs_two_minutes() {
    for edition in FIDE {
        let mut table = low(edition);
        ask(&mut table, Request::Draw);
        let said = table.says(Event::Decide(Decision::Reject));
        let five = number(edition, "10.2", 5);
        assert_eq!(said[0], format!("White's request is rejected ({edition}:{five})"));
        assert_eq!((table.left(White), table.left(Black)), (s(110), s(720)), "{edition}");
        assert_eq!(table.over(), "-");
    }
}
