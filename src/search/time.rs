//! How long to think.
//!
//! Pure: time comes in as numbers, so that tests can play whole games without waiting.

use super::limits::{ClockTime, Limits};
use crate::types::Depth;
use std::time::Duration;

/// What the iterations so far say about the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trend {
    /// The iteration just finished.
    pub depth: Depth,
    /// For how many iterations the best move has been the same.
    pub stable_iterations: u32,
    /// By how many score units the value has fallen since the average of the last iterations; negative if it rose.
    pub score_drop: i32,
    /// The share of all root nodes spent on the best move, from 0 to 1.
    pub best_move_share: f64,
    /// The average of the values so far, each later one counting as much as all before it.
    average: Option<i32>,
}

impl Trend {
    /// Takes note of an iteration: whether its best move is that of the one before, what it is worth in score units, and its
    /// share of the nodes.
    pub(super) fn note(&mut self, depth: Depth, is_the_same: bool, units: i32, share: f64) {
        self.depth = depth;
        self.stable_iterations = if is_the_same { self.stable_iterations + 1 } else { 0 };
        self.score_drop = self.average.map_or(0, |average| average - units);
        self.best_move_share = share;
        self.average = Some(self.average.map_or(units, |average| (average + units) / 2));
    }
}

/// The budget of one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeManager {
    /// About how long the move should take.
    soft: Option<Duration>,
    /// How long it may take.
    hard: Option<Duration>,
    /// Take the whole of `hard`, whatever the trend.
    exact: bool,
}

/// The least time to plan with, in seconds, when the clock has run out already.
const SHORTEST: f64 = 0.000_2;

/// More on the clock is not planned with: a year. Products of what is without limit would be no times any more.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// Moves that a game is expected to go on when no control says so and no increment carries its end.
const EXPECTED_MOVES: f64 = 28.0;

/// Moves whose overhead is set aside, where no increment makes up for it: it stays the same as the time that is shared
/// melts, and eats all of it in a long game.
const MOVES_TO_SURVIVE: f64 = 50.0;

/// At least so much of the time is shared all the same: on a clock of few seconds most of the overhead is never lost.
const SHARED_ANYWAY: f64 = 0.25;

/// So many increments on the clock, or fewer, are soon enough made good for the end of a game to live on them.
const CARRYING_INCREMENTS: f64 = 100.0;

/// Moves to share `left` seconds between when move `number` of the game is next and no control comes. The more the
/// increment carries the end, the fewer they get as the game goes on: the moves of the middlegame, where most games are
/// decided, take nearly as long as those of the opening, and little is left over.
fn expected_moves(left: f64, increment: f64, number: u16) -> f64 {
    let carried = (CARRYING_INCREMENTS * increment / left).min(1.0);
    let until_the_end = (27.0 - f64::from(number) / 1.6).max(9.0);
    EXPECTED_MOVES + carried * (until_the_end - EXPECTED_MOVES)
}

impl TimeManager {
    /// The budget of move `number` of the game under these limits. Every move loses `overhead` between the engine and the
    /// clock. `only_move`: there is nothing to choose. `may_ponder`: the opponent's time will be used too, so more of one's
    /// own may go.
    pub fn new(
        limits: &Limits,
        overhead: Duration,
        number: u16,
        only_move: bool,
        may_ponder: bool,
    ) -> TimeManager {
        let mut manager = TimeManager { soft: None, hard: None, exact: false };
        if let Some(clock) = limits.clock {
            let (soft, hard) = budget(clock, overhead, number, may_ponder);
            manager.soft = Some(if only_move { soft / 20 } else { soft });
            manager.hard = Some(hard);
        }
        if let Some(move_time) = limits.move_time {
            let time = move_time.saturating_sub(overhead.min(move_time / 2)).max(Duration::from_millis(1));
            manager.hard = Some(manager.hard.map_or(time, |hard| hard.min(time)));
            manager.exact = manager.soft.is_none();
        }
        manager
    }

    /// The time after which the search is cut off, if there is one.
    pub fn hard(&self) -> Option<Duration> {
        self.hard
    }

    /// True if another iteration is not worth beginning after `elapsed`.
    pub fn is_enough(&self, elapsed: Duration, trend: &Trend) -> bool {
        if self.exact {
            return false;
        }
        self.soft.is_some_and(|soft| elapsed >= soft.mul_f64(factor(trend)))
    }
}

/// Soft and hard limit on a clock.
fn budget(clock: ClockTime, overhead: Duration, number: u16, may_ponder: bool) -> (Duration, Duration) {
    let [left, increment] = [clock.left, clock.increment].map(|time| time.min(LONGEST));
    let clock = ClockTime { left, increment, ..clock };
    let overhead = overhead.as_secs_f64();
    // What of it no increment gives back.
    let lost = (overhead - clock.increment.as_secs_f64()).max(0.0);
    // What can be used now, whatever comes later.
    let usable = (clock.left.as_secs_f64() - overhead).max(SHORTEST);
    let increment = (clock.increment.as_secs_f64() - overhead).max(0.0);
    let (soft, hard) = match clock.moves_to_go {
        Some(moves) => {
            let moves = f64::from(moves.clamp(1, 60));
            // Each of the coming moves has its overhead too.
            let shared = (usable - lost * (moves - 1.0)).max(usable * 0.02);
            let each = shared / moves + increment * 0.8;
            // The last move before more time comes may use nearly all.
            let reserve = if moves <= 1.5 { 0.85 } else { 0.6 };
            (each * 0.9, (each * 4.0).min(shared * reserve))
        }
        None => {
            // Of the whole increment, even if the overhead takes all of it.
            let moves = expected_moves(usable, clock.increment.as_secs_f64(), number);
            let shared = (usable - lost * MOVES_TO_SURVIVE).max(usable * SHARED_ANYWAY);
            let each = shared / moves + increment * 0.8;
            (each, (each * 4.5).min(usable * 0.5 + increment * 0.4))
        }
    };
    let soft = if may_ponder { soft * 1.2 } else { soft };
    let hard = hard.min(usable * 0.9).max(SHORTEST);
    (Duration::from_secs_f64(soft.min(hard)), Duration::from_secs_f64(hard))
}

/// How much of the soft limit to use, from about two fifths to about three times.
fn factor(trend: &Trend) -> f64 {
    let stability = match trend.stable_iterations {
        0 => 1.55,
        1 => 1.2,
        2 => 1.0,
        3 => 0.9,
        _ => 0.78,
    };
    let falling = (1.0 + f64::from(trend.score_drop) / 80.0).clamp(0.8, 1.5);
    // A move that takes nearly all nodes has no rival.
    let effort = if trend.depth >= 6 { (1.7 - trend.best_move_share).clamp(0.6, 1.4) } else { 1.0 };
    stability * falling * effort
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trend(depth: Depth, stable_iterations: u32, score_drop: i32, best_move_share: f64) -> Trend {
        Trend { depth, stable_iterations, score_drop, best_move_share, average: None }
    }

    #[test]
    fn the_trend_is_that_of_the_iterations_so_far() {
        let mut so_far = Trend::default();
        let mut seen = vec![];
        for (depth, is_the_same, units, share) in
            [(1, false, 40, 0.3), (2, true, 20, 0.5), (3, true, 60, 0.9), (4, false, 45, 0.2)]
        {
            so_far.note(depth, is_the_same, units, share);
            let Trend { depth, stable_iterations, score_drop, best_move_share, .. } = so_far;
            seen.push((depth, stable_iterations, score_drop, best_move_share));
        }
        assert_eq!(seen, [(1, 0, 0, 0.3), (2, 1, 20, 0.5), (3, 2, -30, 0.9), (4, 0, 0, 0.2)]);
    }

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = ClockTime { left: ms(left), increment: ms(increment), moves_to_go };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    #[test]
    fn a_clock_without_end_is_planned_with_like_a_long_one() {
        let budget = |left, increment, moves_to_go, may_ponder| {
            let limits =
                Limits { clock: Some(ClockTime { left, increment, moves_to_go }), ..Limits::default() };
            let manager = TimeManager::new(&limits, ms(20), 1, false, may_ponder);
            assert!(!manager.is_enough(ms(1_000), &trend(1, 0, 1_000, 0.0)));
            manager
        };
        for moves_to_go in [None, Some(1), Some(40)] {
            for (left, increment) in
                [(Duration::MAX, ms(0)), (ms(60_000), Duration::MAX), (Duration::MAX, Duration::MAX)]
            {
                let [endless, long] = [[left, increment], [left.min(LONGEST), increment.min(LONGEST)]]
                    .map(|[left, increment]| budget(left, increment, moves_to_go, true));
                assert_eq!(endless, long);
            }
        }
    }

    /// Plays moves that all take the hard limit and most of the overhead that was announced.
    fn play_hard(mut left: u64, increment: u64, period: Option<u32>, moves: u32) {
        let overhead = ms(10);
        let real_overhead = ms(8);
        let start = left;
        for n in 0..moves {
            let to_go = period.map(|period| period - n % period);
            let manager =
                TimeManager::new(&clock(left, increment, to_go), overhead, n as u16 + 1, false, false);
            let spent = (manager.hard().unwrap() + real_overhead).as_micros() as i64;
            let rest = left as i64 * 1_000 - spent;
            assert!(rest > 0, "move {n} of {left} ms + {increment} ms takes {spent} us");
            left = rest as u64 / 1_000 + increment;
            if to_go == Some(1) {
                left += start;
            }
        }
    }

    #[test]
    fn a_fifth_more_is_planned_with_where_the_opponents_time_is_used_too() {
        for limits in [clock(60_000, 1_000, None), clock(60_000, 0, Some(20))] {
            let soft = |ponders| TimeManager::new(&limits, ms(10), 10, false, ponders).soft.unwrap();
            let ratio = soft(true).as_secs_f64() / soft(false).as_secs_f64();
            assert!((ratio - 1.2).abs() < 1e-6, "{ratio}");
        }
    }

    #[test]
    fn the_clock_does_not_run_out_even_if_every_move_takes_the_hard_limit() {
        play_hard(1_000, 10, None, 300);
        play_hard(2_000, 0, Some(40), 200);
        play_hard(60_000, 0, None, 40);
        play_hard(20, 20, None, 500);
        play_hard(300_000, 3_000, Some(40), 200);
        // What a move adds is not there yet.
        play_hard(100, 2_000, None, 50);
        play_hard(100, 2_000, Some(2), 50);
    }

    /// What moves take from the clock, in milliseconds, that all last as long as the soft limit says and half of the
    /// overhead besides.
    fn play_soft(left: u64, increment: u64, overhead: u64, moves: u16) -> Vec<f64> {
        play_soft_until(None, left, increment, overhead, moves)
    }

    /// The same with more time coming after the move of this number.
    fn play_soft_until(
        control: Option<u16>,
        left: u64,
        increment: u64,
        overhead: u64,
        moves: u16,
    ) -> Vec<f64> {
        let mut left = left as f64;
        let take = |number| {
            let to_go = control.map(|control| u32::from(control - number) + 1);
            let limits = clock(left as u64, increment, to_go);
            let soft = TimeManager::new(&limits, ms(overhead), number, false, false).soft.unwrap();
            let taken = soft.as_secs_f64() * 1_000.0 + overhead as f64 / 2.0;
            left += increment as f64 - taken;
            taken
        };
        (1..=moves).map(take).collect()
    }

    #[test]
    fn the_soft_limit_leaves_time_for_the_whole_game() {
        for (left, increment) in [(1_000u64, 10u64), (10_000, 100), (180_000, 2_000)] {
            let given = (left + 80 * increment) as f64;
            let rest = given - play_soft(left, increment, 10, 80).iter().sum::<f64>();
            assert!(rest > left as f64 * 0.02, "{left}+{increment}: {rest} left");
        }
    }

    #[test]
    fn what_the_increment_gives_back_is_not_taken_off_a_period_too() {
        for (left, increment, overhead) in
            [(4_000, 100, 100), (2_000, 50, 20), (1_000, 20, 20), (10_000, 0, 20)]
        {
            let spent = play_soft_until(Some(40), left, increment, overhead, 40);
            let (first, last) = (spent[..10].iter().sum::<f64>(), spent[30..].iter().sum::<f64>());
            assert!(first > 0.5 * last && last > 0.5 * first, "{left}+{increment}, {overhead}: {spent:?}");
            let given = (left + 39 * increment) as f64;
            assert!(spent.iter().sum::<f64>() < given, "{left}+{increment}, {overhead}: {spent:?}");
        }
    }

    #[test]
    fn nearly_all_time_may_go_only_when_the_next_move_brings_more() {
        let hard = |to_go| TimeManager::new(&clock(1_000, 0, Some(to_go)), ms(10), 1, false, false).hard();
        assert!(hard(2).unwrap() <= ms(600) && hard(1).unwrap() > ms(600), "{:?} {:?}", hard(2), hard(1));
    }

    #[test]
    fn a_long_game_without_an_increment_is_not_lost_by_overhead() {
        // Games rarely have a hundred moves, and moves take less than twice the soft limit on average.
        for (left, increment, overhead, moves) in
            [(60_000, 0, 20, 130), (60_000, 0, 100, 100), (60_000, 50, 100, 80), (180_000, 0, 100, 120)]
        {
            let mut rest = left as f64;
            for number in 1..=moves {
                let limits = clock(rest as u64, increment, None);
                let manager = TimeManager::new(&limits, ms(overhead), number, false, false);
                let thought = manager.soft.unwrap().mul_f64(1.4).min(manager.hard.unwrap());
                rest -= thought.as_secs_f64() * 1_000.0 + overhead as f64;
                assert!(rest > 0.0, "{left}+{increment}, {overhead} lost a move: down at move {number}");
                rest += increment as f64;
            }
        }
    }

    #[test]
    fn with_an_increment_the_middlegame_takes_as_long_as_the_opening_and_little_is_left() {
        for (left, increment) in [(2_000, 20), (8_000, 80), (180_000, 2_000)] {
            let spent = play_soft(left, increment, 20, 60);
            assert!(spent[24] > spent[0] * 0.7, "{left}+{increment}: {} after {}", spent[24], spent[0]);
            assert!(spent[..30].iter().sum::<f64>() > left as f64 * 0.95, "{left}+{increment}");
        }
        // Without one, or with one that is next to nothing, the last moves need a share, too.
        for increment in [0, 30] {
            let spent = play_soft(60_000, increment, 20, 60);
            assert!(spent[..30].iter().sum::<f64>() < 60_000.0 * 0.75, "{increment}: {spent:?}");
            assert!(spent[59] > spent[0] * 0.1, "{increment}: {spent:?}");
        }
    }

    #[test]
    fn move_time_is_kept_and_nothing_else_ends_it_early() {
        let limits = Limits { move_time: Some(ms(500)), ..Limits::default() };
        let manager = TimeManager::new(&limits, ms(20), 1, true, false);
        assert_eq!(manager.hard(), Some(ms(480)));
        assert!(!manager.is_enough(ms(479), &Trend { stable_iterations: 30, ..Trend::default() }));
        let both = Limits { move_time: Some(ms(500)), ..clock(100, 0, None) };
        assert!(TimeManager::new(&both, ms(20), 1, false, false).hard().unwrap() < ms(100));
        // On a clock it is the longest that the move may take, not what it has to.
        let longest = Limits { move_time: Some(ms(60_000)), ..clock(60_000, 0, None) };
        assert!(TimeManager::new(&longest, ms(20), 1, false, false).is_enough(ms(20_000), &Trend::default()));
        let brief = Limits { move_time: Some(ms(50)), ..clock(600_000, 0, None) };
        assert_eq!(TimeManager::new(&brief, ms(20), 1, false, false).hard(), Some(ms(30)));
        // Half of it is left whatever the overhead is.
        let short = Limits { move_time: Some(ms(30)), ..Limits::default() };
        assert_eq!(TimeManager::new(&short, ms(1_000), 1, false, false).hard(), Some(ms(15)));
        assert!(TimeManager::new(&clock(0, 0, None), ms(20), 1, false, false).hard().unwrap() <= ms(2));
    }

    #[test]
    fn doubt_takes_longer_than_certainty() {
        let manager = TimeManager::new(&clock(60_000, 0, None), ms(10), 1, false, false);
        let until = |trend: Trend| (0..20_000).find(|&n| manager.is_enough(ms(n), &trend)).unwrap();
        let sure = until(trend(12, 9, -10, 0.95));
        let even = until(trend(12, 2, 0, 0.7));
        let unsure = until(trend(12, 0, 60, 0.2));
        assert!(sure * 3 < even * 2 && even * 3 < unsure * 2, "{sure} {even} {unsure}");
        // Each of them by itself.
        let balanced = trend(12, 2, 0, 0.7);
        for (surer, less_sure) in [
            (Trend { stable_iterations: 9, ..balanced }, Trend { stable_iterations: 0, ..balanced }),
            (Trend { score_drop: -10, ..balanced }, Trend { score_drop: 30, ..balanced }),
            (Trend { best_move_share: 0.95, ..balanced }, Trend { best_move_share: 0.4, ..balanced }),
        ] {
            assert!(until(surer) < even && even < until(less_sure), "{surer:?} {less_sure:?}");
        }
        let forced = TimeManager::new(&clock(60_000, 0, None), ms(10), 1, true, false);
        assert!(forced.is_enough(ms(even / 4), &Trend::default()));
    }
}
