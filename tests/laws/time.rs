//! Article 6, and appendices A and B as far as they say how fast a game is.

use super::support::*;
use adoube::laws::dead::Solver;
use adoube::laws::event::Ground;
use adoube::laws::{Bonus, Clock, Edition, Event, Regulations, Speed, TimeControl};
use std::time::Duration;

const NANOSECOND: Duration = Duration::from_nanos(1);

#[test]
fn article_6_1_one_clock_runs_at_a_time() {
    for edition in Edition::ALL {
        let mut table = Table::new(edition, START, blitz());
        table.play_in("e2e4 e7e5 g1f3", s(7));
        assert_eq!((table.left(White), table.left(Black)), (s(286), s(293)), "{edition}");
    }
}

#[test]
fn article_6_2_a_a_move_is_complete_when_the_clock_is_stopped_or_the_game_is_over() {
    for edition in Edition::ALL {
        let mut table = Table::new(edition, START, blitz());
        let mv = table.mv("e2e4");
        let number = ["6.8.a", "6.2.a", "6.2.1", "6.2.1", ""];
        let article = match number[Edition::ALL.iter().position(|&other| other == edition).unwrap()] {
            "" => String::new(),
            number => format!(" ({edition}:{number})"),
        };
        assert_eq!(table.says(Event::Move { mv, time: s(1) }), [format!("e2e4 stands{article}")]);
        let mut table = Table::new(edition, MATE_IN_ONE, blitz());
        assert!(table.stands_in("f7g7", s(300) - NANOSECOND), "and needs no press of a clock any more");
        assert!(table.over().starts_with("1-0 Checkmate"), "{edition}");
    }
}

#[test]
fn article_6_3_a_periods_and_their_last_move() {
    let control = || periods(&[(Some(2), 2, Bonus::None), (None, 1, Bonus::None)]);
    for edition in Edition::ALL {
        let mut table = Table::new(edition, START, control());
        table.play_in("g1f3 g8f6", ms(5));
        assert!(!table.stands_in("f3g1", ms(1996)), "{edition}: the new period's time comes too late");
        assert!(table.over().starts_with("0-1 TimeForfeit"), "{edition}");
        let mut table = Table::new(edition, START, control());
        table.play_in("g1f3 g8f6 f3g1", ms(5));
        assert_eq!(table.left(White), ms(2990), "{edition}: what is left is kept");
    }
}

#[test]
fn article_6_3_b_the_increment_comes_before_each_move() {
    for edition in FIDE {
        let control = || TimeControl::fischer(s(60), s(1));
        let mut table = Table::new(edition, START, control());
        assert_eq!(table.left(White), s(61));
        assert!(table.stands_in("e2e4", ms(60_999)));
        assert_eq!(table.left(White), ms(1001), "{edition}");
        let mut table = Table::new(edition, START, control());
        assert!(!table.stands_in("e2e4", s(61)), "{edition}: nothing left is a fallen flag");
    }
    let mut testers = Table::new(Engine, START, TimeControl::fischer(s(60), s(1)));
    assert_eq!(testers.left(White), s(60));
    testers.play_in("e2e4", s(10));
    assert_eq!(testers.left(White), s(51), "engine testers add it after the move");
}

#[test]
fn article_6_3_b_the_increment_of_a_period_ends_with_it() {
    let control = || periods(&[(Some(2), 60, Bonus::Increment(s(30))), (None, 20, Bonus::None)]);
    for (edition, left) in [(Fide2005, 140), (Fide2014, 140), (Fide2018, 140), (Fide2023, 140), (Engine, 140)]
    {
        let mut table = Table::new(edition, START, control());
        table.play("g1f3 g8f6 f3g1 f6g8");
        assert_eq!(table.left(White), s(left), "{edition}: two increments and two periods");
    }
}

#[test]
fn article_6_3_b_delay_and_bronstein() {
    for edition in Edition::ALL {
        for bonus in [Bonus::Delay(s(3)), Bonus::Bronstein(s(3))] {
            for (used, left) in [(ms(2500), Some(s(10))), (s(5), Some(s(8))), (ms(13_100), None)] {
                let mut table = Table::new(edition, START, periods(&[(None, 10, bonus)]));
                assert_eq!(table.stands_in("e2e4", used).then(|| table.left(White)), left, "{edition}");
            }
        }
    }
}

#[test]
fn article_6_2_b_of_2005_a_delay_period_hands_nothing_on() {
    let control = || periods(&[(Some(1), 10, Bonus::Delay(s(3))), (None, 5, Bonus::Delay(s(3)))]);
    for (edition, left) in [(Fide2005, 5), (Fide2014, 13), (Fide2018, 13), (Fide2023, 13), (Engine, 13)] {
        let mut table = Table::new(edition, START, control());
        table.play_in("e2e4", s(5));
        assert_eq!(table.left(White), s(left), "{edition}");
    }
    // It is the delay of the period that ends which counts, not that of the next one.
    for (edition, first, second, left) in [
        (Fide2005, Bonus::Delay(s(3)), Bonus::None, 5),
        (Fide2005, Bonus::None, Bonus::Bronstein(s(3)), 10),
        (Fide2014, Bonus::Delay(s(3)), Bonus::None, 13),
        (Fide2014, Bonus::None, Bonus::Bronstein(s(3)), 10),
    ] {
        let mut table = Table::new(edition, START, periods(&[(Some(1), 10, first), (None, 5, second)]));
        table.play_in("e2e4", s(5));
        assert_eq!(table.left(White), s(left), "{edition}: {first:?}, then {second:?}");
    }
}

#[test]
fn article_6_4_the_moves_are_counted_when_the_flag_is_due() {
    let knights = "g1f3 g8f6 f3g1 f6g8 ";
    for edition in FIDE {
        let control = periods(&[(Some(3), 60, Bonus::None), (None, 60, Bonus::None)]);
        let mut table = Table::new(edition, START, control);
        table.play(knights);
        let mut late = table.clone();
        assert!(!late.stands_in("g1f3", s(60)), "two moves of three are made");
        assert!(late.over().starts_with("0-1 TimeForfeit"), "{edition}");
        table.play_in("g1f3", ms(59_999));
        table.play("g8f6");
        assert!(table.stands_in("f3g1", s(60)), "{edition}: a new period has begun");
    }
}

#[test]
fn article_6_10_a_clock_that_was_wrong_is_set() {
    for (edition, number) in [(Fide2005, "6.11"), (Fide2014, "6.10"), (Fide2018, "6.10"), (Fide2023, "6.10")]
    {
        let mut table = Table::new(edition, START, blitz());
        table.play_in("e2e4", s(30));
        let said = table.says(Event::SetClocks([s(299), s(300)]));
        assert_eq!(said, [format!("the clocks are set anew ({edition}:{number})")]);
        assert_eq!((table.left(White), table.left(Black)), (s(299), s(300)));
    }
}

#[test]
fn article_6_6_no_time_runs_before_the_first_move_is_asked_for() {
    for edition in Edition::ALL {
        let table = Table::new(edition, START, blitz()).begun();
        assert_eq!((table.left(White), table.left(Black)), (s(300), s(300)), "{edition}");
    }
}

#[test]
fn article_6_7_absence_beyond_the_default_time_forfeits() {
    for (edition, number) in FIDE.into_iter().zip(["6.7", "6.7.a", "6.7.1", "6.7.1"]) {
        for (absent, result) in [([true, false], "-/+"), ([false, true], "+/-"), ([true, true], "-/-")] {
            let mut table = Table::new(edition, START, blitz());
            table.says(Event::Absent(absent));
            assert_eq!(table.over(), format!("{result} Absence {number}"), "{edition}");
            assert!(table.game.verdict().unwrap().result.is_unplayed());
        }
    }
    let mut table = Table::new(Fide2023, START, blitz());
    assert_eq!(table.says(Event::Absent([false, false])), ["the game continues"]);
}

#[test]
fn article_6_8_a_flag_has_fallen_when_the_arbiter_sees_it() {
    let fen = "7k/5Q2/6K1/8/8/8/8/r7 w - - 0 1";
    for edition in Edition::ALL {
        let mut table = Table::new(edition, fen, blitz());
        assert!(!table.stands_in("f7g7", s(300) + ms(1)), "the mate came after the flag");
        assert!(table.over().starts_with("0-1 TimeForfeit"), "{edition}");
        assert_eq!((table.fen().as_str(), table.left(White)), (fen, s(0)), "and is not on the board");
    }
}

#[test]
fn article_6_9_a_flag_draws_if_the_opponent_cannot_mate() {
    for (fen, drawn) in [
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", true),
        (FORCED, true),
        (WALL, true),
        ("8/8/8/4k1b1/8/8/P7/4K3 w - - 0 1", false),
        (START, false),
    ] {
        let table = |edition| {
            let mut table = Table::new(edition, fen, blitz());
            table.says(Event::Flag);
            table.over()
        };
        let result = if drawn { "1/2-1/2" } else { "0-1" };
        for (edition, number) in [(Fide2005, "6.10"), (Fide2014, "6.9"), (Fide2018, "6.9"), (Fide2023, "6.9")]
        {
            assert_eq!(table(edition), format!("{result} TimeForfeit {number}"), "{edition}: {fen}");
        }
        assert_eq!(table(Engine), "0-1 TimeForfeit -", "engine testers look at the flag alone");
    }
}

#[test]
fn article_6_9_with_the_solver_of_the_arbiter() {
    for (fen, result) in [
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "1/2-1/2"),
        ("8/8/8/4k1n1/8/8/Q7/4K3 w - - 0 1", "1/2-1/2"),
        ("8/8/8/4k1b1/8/8/P7/4K3 w - - 0 1", "0-1"),
        ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", "1/2-1/2"),
        (FORCED, "1/2-1/2"),
        (START, "0-1"),
    ] {
        let mut table = Table::new(Fide2014, fen, blitz());
        table.game.apply(Event::Flag, &mut Solver::new());
        assert_eq!(table.over(), format!("{result} TimeForfeit 6.9"), "{fen}");
    }
}

#[test]
fn article_6_9_asks_about_the_opponent_of_the_flag() {
    let fen = "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1";
    let mut table = Table::new(Fide2014, fen, blitz());
    table.says(Event::Flag);
    assert_eq!(table.over(), "1-0 TimeForfeit 6.9", "Black's flag, and White has a pawn");
}

#[test]
fn article_6_11_both_flags_down() {
    for (edition, number) in [
        (Fide2005, "6.12"),
        (Fide2014, "6.11"),
        (Fide2018, "Guidelines III.3.1"),
        (Fide2023, "Guidelines III.3.1"),
    ] {
        let mut table = Table::new(edition, START, blitz());
        let said = table.says(Event::BothFlags { last_period: false });
        assert_eq!(said, [format!("the game continues ({edition}:{number})")]);
        table.says(Event::BothFlags { last_period: true });
        assert_eq!(table.over(), format!("1/2-1/2 BothFlags {number}"));
    }
}

#[test]
fn article_6_12_while_the_clocks_stand_no_time_is_charged() {
    let mut table = Table::new(Fide2023, START, blitz());
    table.play_in("e2e4", s(3));
    let left = [table.left(White), table.left(Black)];
    table.says(Event::SetClocks(left));
    assert!(table.stands_in("e7e5", s(299)), "an interruption is no event of a clock");
}

fn speeds(base: u64, increment: u64) -> [Speed; 5] {
    let control = TimeControl::fischer(s(60 * base), s(increment));
    Edition::ALL.map(|edition| Table::new(edition, START, control.clone()).game.speed())
}

#[test]
fn article_a_1_rapid_by_the_time_for_sixty_moves() {
    use Speed::{Blitz, Rapid, Standard};
    for (base, increment, old, new) in [
        (10, 0, Blitz, Blitz),
        (15, 0, Rapid, Rapid),
        (14, 0, Blitz, Rapid),
        (5, 5, Blitz, Blitz),
        (5, 6, Blitz, Rapid),
        (60, 0, Rapid, Standard),
        (50, 10, Rapid, Standard),
        (59, 0, Rapid, Rapid),
        (61, 0, Standard, Standard),
    ] {
        assert_eq!(speeds(base, increment), [old, new, new, new, new], "{base}+{increment}");
    }
}

#[test]
fn article_a_2_claims_stay_possible_where_nobody_has_to_write() {
    for (edition, control) in FIDE.into_iter().flat_map(|edition| [(edition, rapid()), (edition, blitz())]) {
        let mut table = Table::new(edition, START, control);
        table.play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
        table.claim(Ground::Threefold, None);
        assert!(table.over().starts_with("1/2-1/2 ThreefoldRepetition 9.2."), "{edition}");
    }
}

#[test]
fn article_12_6_of_the_number_of_moves_only_the_time_control_tells() {
    let mut table =
        Table::new(Fide2023, START, periods(&[(Some(2), 60, Bonus::None), (None, 60, Bonus::None)]));
    let to_go = |table: &Table| table.game.clock(White).unwrap().moves_to_go();
    assert_eq!(to_go(&table), Some(2));
    table.play("g1f3 g8f6");
    assert_eq!(to_go(&table), Some(1));
    table.play("f3g1");
    assert_eq!(to_go(&table), None, "the last period");
}

#[test]
fn article_b_1_engines_play_blitz() {
    let control = TimeControl::fischer(s(8), ms(80));
    for edition in Edition::ALL {
        assert_eq!(Table::new(edition, START, control.clone()).game.speed(), Speed::Blitz);
        assert_eq!(Table::without_clocks(edition, START).game.speed(), Speed::Standard, "no clock");
        assert_eq!(edition.speed(Some(&standard())), Speed::Standard);
    }
}

#[test]
fn odds_of_time_are_of_the_speed_of_the_longer_clock() {
    let regulations = Regulations::of(Fide2023);
    let rules = regulations.clock_rules();
    let clocks = [blitz(), rapid()].map(|control| Some(Clock::new(control, rules, Duration::ZERO)));
    let game = adoube::laws::Game::new(regulations, position(START), clocks);
    assert_eq!(game.speed(), Speed::Rapid);
}

#[test]
fn an_hourglass_gives_what_it_takes() {
    let mut table = Table::new(Fide2023, START, TimeControl::Hourglass(s(60)));
    table.play_in("e2e4", s(20));
    assert_eq!((table.left(White), table.left(Black)), (s(40), s(80)));
    table.play_in("e7e5", s(50));
    assert_eq!((table.left(White), table.left(Black)), (s(90), s(30)));
    assert!(!table.stands_in("g1f3", s(90)));
    // Whose clock is no hourglass gives nothing back, and so is given nothing.
    let regulations = Regulations::of(Fide2023);
    let rules = regulations.clock_rules();
    let clocks = [TimeControl::Hourglass(s(60)), rapid()];
    let clocks = clocks.map(|control| Some(Clock::new(control, rules, Duration::ZERO)));
    let mut game = adoube::laws::Game::new(regulations, position(START), clocks);
    let mut prover = Solver::new();
    let before = [White, Black].map(|player| game.clock(player).unwrap().left());
    for text in ["e2e4", "e7e5"] {
        let mv = adoube::notation::uci_move::parse_uci(text, game.position()).unwrap();
        game.apply(Event::Move { mv, time: s(10) }, &mut prover);
    }
    let after = [White, Black].map(|player| game.clock(player).unwrap().left());
    assert_eq!(after, before.map(|left| left - s(10)));
    // A minute for the illegal move, and all that the move has taken.
    let mut table = Table::new(Fide2023, START, TimeControl::Hourglass(s(60)));
    table.illegal(s(10));
    table.play_in("e2e4", s(20));
    assert_eq!((table.left(White), table.left(Black)), (s(30), s(150)));
}
