//! The chess clock: time controls with several periods and bonus times, and what a clock shows after each move.

use super::snapshot::{ClockReading, nanoseconds};
use std::fmt;
use std::time::Duration;

/// Extra time with every move (article 6.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bonus {
    /// None.
    #[default]
    None,
    /// Added to the clock for every move; what is not used is kept (Fischer's mode).
    Increment(Duration),
    /// The main time begins to run only after this time; what is not used is lost.
    Delay(Duration),
    /// The same account, kept by giving back after the move what it took, up to this time (Bronstein's mode): the Laws
    /// treat both as one.
    Bronstein(Duration),
}

impl Bonus {
    /// How much it is.
    pub fn time(self) -> Duration {
        match self {
            Bonus::None => Duration::ZERO,
            Bonus::Increment(time) | Bonus::Delay(time) | Bonus::Bronstein(time) => time,
        }
    }

    /// The part of a move that the main time does not pay.
    pub fn delay(self) -> Duration {
        match self {
            Bonus::Delay(time) | Bonus::Bronstein(time) => time,
            _ => Duration::ZERO,
        }
    }

    fn increment(self) -> Duration {
        if let Bonus::Increment(time) = self { time } else { Duration::ZERO }
    }
}

/// A part of a game with a time of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// So many moves have to be made in it; `None`: all that remain.
    pub moves: Option<u32>,
    /// What it adds to the clock when it begins.
    pub time: Duration,
    /// What each of its moves adds.
    pub bonus: Bonus,
}

/// How much time a player has for a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// One period after the other; the last one begins anew if it has a number of moves. Never empty.
    Periods(Vec<Period>),
    /// What one player uses is added to the other's clock.
    Hourglass(Duration),
}

impl TimeControl {
    /// The time for all moves, with an increment.
    pub fn fischer(time: Duration, increment: Duration) -> TimeControl {
        TimeControl::repeating(None, time, increment)
    }

    /// The same time for each so many moves, with an increment; `None`: for all moves.
    pub fn repeating(moves: Option<u32>, time: Duration, increment: Duration) -> TimeControl {
        let bonus = if increment.is_zero() { Bonus::None } else { Bonus::Increment(increment) };
        TimeControl::Periods(vec![Period { moves, time, bonus }])
    }

    /// What the clock shows at the start.
    pub fn time(&self) -> Duration {
        match self {
            TimeControl::Periods(periods) => periods.first().map_or(Duration::ZERO, |period| period.time),
            TimeControl::Hourglass(time) => *time,
        }
    }

    fn period(&self, index: usize) -> Option<Period> {
        match self {
            TimeControl::Periods(periods) => periods.get(index).or(periods.last()).copied(),
            TimeControl::Hourglass(_) => None,
        }
    }

    /// The time for sixty moves, by which the Laws tell standard, rapid and blitz chess apart (A.1 and B.1): all periods
    /// if the last one is for all remaining moves, else as many as sixty moves need, and sixty bonus times.
    pub fn time_for_sixty_moves(&self) -> Duration {
        let is_for_all = |moves: Option<u32>| moves.is_none_or(|moves| moves == 0);
        let ends_with_all = match self {
            TimeControl::Periods(periods) => periods.last().is_none_or(|last| is_for_all(last.moves)),
            TimeControl::Hourglass(_) => true,
        };
        let mut time = self.time();
        let mut moves = 0;
        let mut bonus = Duration::ZERO;
        for index in 0.. {
            let Some(period) = self.period(index) else { break };
            let is_last = matches!(self, TimeControl::Periods(all) if index + 1 >= all.len());
            if index > 0 {
                time = time.saturating_add(period.time);
            }
            let here = match period.moves {
                Some(here) if !is_last || here.saturating_add(moves) < 60 => {
                    here.min(60_u32.saturating_sub(moves))
                }
                _ => 60_u32.saturating_sub(moves),
            };
            bonus = bonus.saturating_add(period.bonus.time().saturating_mul(here));
            moves += here;
            if is_last && ends_with_all || moves >= 60 && !ends_with_all {
                break;
            }
        }
        time.saturating_add(bonus)
    }

    /// True if no period gives extra time with its moves.
    pub fn has_no_bonus(&self) -> bool {
        match self {
            TimeControl::Periods(periods) => periods.iter().all(|period| period.bonus.time().is_zero()),
            TimeControl::Hourglass(_) => false,
        }
    }
}

impl fmt::Display for TimeControl {
    /// As the PGN tag has it, in seconds: `40/5400+30:1800+30`, `*180` for an hourglass; a delay is written `d5`, after
    /// Bronstein `b5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let periods = match self {
            TimeControl::Periods(periods) => periods,
            TimeControl::Hourglass(time) => return write!(f, "*{}", time.as_secs_f64()),
        };
        for (index, period) in periods.iter().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            if let Some(moves) = period.moves {
                write!(f, "{moves}/")?;
            }
            write!(f, "{}", period.time.as_secs_f64())?;
            match period.bonus {
                Bonus::None => {}
                Bonus::Increment(time) => write!(f, "+{}", time.as_secs_f64())?,
                Bonus::Delay(time) => write!(f, "d{}", time.as_secs_f64())?,
                Bonus::Bronstein(time) => write!(f, "b{}", time.as_secs_f64())?,
            }
        }
        Ok(())
    }
}

/// What editions differ in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockRules {
    /// The increment is there before the first move, as FIDE has it; engine testers add it after each move only.
    pub increment_first: bool,
    /// Time that a period has left goes into the next one with a delay too; in 2005 it did not (6.2.b).
    pub carries_over_delay: bool,
}

/// One player's clock. Moves are counted by the clock; times are exact to the nanosecond.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    rules: ClockRules,
    /// How far a move may overrun its time.
    margin: Duration,
    /// The main time.
    left: Duration,
    /// What has been used of the present move already.
    running: Duration,
    period: usize,
    moves_to_go: Option<u32>,
    /// What the arbiter has granted for each move (G.4).
    granted: Option<Bonus>,
}

/// The flag has fallen: the move came too late, be it only by the last moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlagFall;

impl Clock {
    /// A clock at the start of a game. A move may overrun its time by `margin`: a regulation, not a Law.
    pub fn new(control: TimeControl, rules: ClockRules, margin: Duration) -> Clock {
        let first = control.period(0);
        let increment = first.map_or(Duration::ZERO, |period| period.bonus.increment());
        let first_move = if rules.increment_first { increment } else { Duration::ZERO };
        let left = control.time().saturating_add(first_move);
        let moves_to_go = first.and_then(|period| period.moves);
        Clock { control, rules, margin, left, running: Duration::ZERO, period: 0, moves_to_go, granted: None }
    }

    /// What the clock shows: the main time that is left.
    pub fn left(&self) -> Duration {
        let paid = self.running.saturating_sub(self.bonus().delay());
        self.left.saturating_sub(paid)
    }

    /// What the present move may still take, without the margin: the main time and what is left of the delay.
    pub fn available(&self) -> Duration {
        self.left.saturating_add(self.bonus().delay()).saturating_sub(self.running)
    }

    /// How long the player may still think. A move that takes just as long is too late: a clock that shows 0 has fallen.
    pub fn budget(&self) -> Duration {
        let whole = self.left.saturating_add(self.bonus().delay()).saturating_add(self.margin);
        whole.saturating_sub(self.running)
    }

    /// The extra time of the present period's moves.
    pub fn bonus(&self) -> Bonus {
        self.control.period(self.period).map_or(Bonus::None, |period| period.bonus)
    }

    /// The present period; `None` for an hourglass.
    pub fn period(&self) -> Option<Period> {
        self.control.period(self.period)
    }

    /// Moves until the next period, if there is one.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// True if all remaining moves have to be made in the present period.
    pub fn is_in_last_period(&self) -> bool {
        self.moves_to_go.is_none()
    }

    /// The time control.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Counts a part of the present move, which is not completed.
    ///
    /// # Errors
    /// If the flag has fallen; the clock then shows 0.
    pub fn spend(&mut self, time: Duration) -> Result<(), FlagFall> {
        let budget = self.budget();
        self.running = self.running.saturating_add(time);
        if time >= budget {
            self.left = Duration::ZERO;
            return Err(FlagFall);
        }
        Ok(())
    }

    /// Forgets what the present move has taken so far.
    pub fn restore(&mut self) {
        self.running = Duration::ZERO;
    }

    /// Counts a completed move that took `time` more. The flag is looked at before the next period or the increment is
    /// added (6.4).
    ///
    /// # Errors
    /// If the flag has fallen; the clock then shows 0.
    pub fn complete(&mut self, time: Duration) -> Result<(), FlagFall> {
        self.spend(time)?;
        let played = self.bonus();
        self.left = self.left();
        self.running = Duration::ZERO;
        if let Some(moves) = self.moves_to_go {
            self.moves_to_go = Some(moves.saturating_sub(1));
            if moves <= 1 {
                self.begin_next_period();
            }
        }
        // An increment for the next move belongs to the period in which that move is made.
        let bonus = if self.rules.increment_first { self.bonus() } else { played };
        self.left = self.left.saturating_add(bonus.increment());
        Ok(())
    }

    fn begin_next_period(&mut self) {
        if !self.rules.carries_over_delay && !self.bonus().delay().is_zero() {
            self.left = Duration::ZERO;
        }
        // It may come from a file, where any number can be.
        self.period = self.period.saturating_add(1);
        let next = self.control.period(self.period);
        self.left = self.left.saturating_add(next.map_or(Duration::ZERO, |period| period.time));
        self.moves_to_go = next.and_then(|period| period.moves);
    }

    /// Adds time, as a penalty of the opponent or for a disturbance.
    pub fn add(&mut self, time: Duration) {
        self.left = self.left.saturating_add(time);
    }

    /// Takes time away, but not all: a flag falls only while the player thinks. How much it was.
    pub fn deduct(&mut self, time: Duration) -> Duration {
        let taken = time.min(self.left().saturating_sub(Duration::from_micros(1)));
        self.left -= taken;
        taken
    }

    /// The flag has fallen: the clock shows 0.
    pub fn fall(&mut self) {
        self.set(Duration::ZERO);
    }

    /// Sets what the clock shows, when it was found to be wrong. The present move begins anew.
    pub fn set(&mut self, left: Duration) {
        self.left = left;
        self.running = Duration::ZERO;
    }

    /// Gives every move from now on this extra time (G.4). The present move has a delay, but no increment any more, which
    /// comes before a move.
    pub fn grant(&mut self, bonus: Bonus) {
        if let TimeControl::Periods(periods) = &mut self.control {
            self.granted = Some(bonus);
            periods.iter_mut().for_each(|period| period.bonus = bonus);
        }
    }

    /// What is written down of it between sessions.
    pub(super) fn reading(&self) -> ClockReading {
        ClockReading {
            left_ns: nanoseconds(self.left),
            shown_ns: nanoseconds(self.left()),
            running_ns: nanoseconds(self.running),
            period: self.period,
            moves_to_go: self.moves_to_go,
            granted_delay_ns: self.granted.map(Bonus::delay).filter(|time| !time.is_zero()).map(nanoseconds),
            granted_increment_ns: self
                .granted
                .map(Bonus::increment)
                .filter(|time| !time.is_zero())
                .map(nanoseconds),
        }
    }

    /// Shows what was written down.
    pub(super) fn set_reading(&mut self, reading: &ClockReading) {
        self.left = Duration::from_nanos(reading.left_ns);
        self.running = Duration::from_nanos(reading.running_ns);
        self.period = reading.period;
        self.moves_to_go = reading.moves_to_go;
        if let Some(delay) = reading.granted_delay_ns {
            self.grant(Bonus::Delay(Duration::from_nanos(delay)));
        }
        if let Some(increment) = reading.granted_increment_ns {
            self.grant(Bonus::Increment(Duration::from_nanos(increment)));
        }
    }

    /// How long the present move has taken so far.
    pub fn running(&self) -> Duration {
        self.running
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIDE: ClockRules = ClockRules { increment_first: true, carries_over_delay: true };
    const TESTERS: ClockRules = ClockRules { increment_first: false, carries_over_delay: true };

    const fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    fn clock(control: TimeControl, rules: ClockRules, margin: u64) -> Clock {
        Clock::new(control, rules, ms(margin))
    }

    fn periods(list: &[(Option<u32>, u64, Bonus)]) -> TimeControl {
        TimeControl::Periods(
            list.iter().map(|&(moves, time, bonus)| Period { moves, time: ms(time), bonus }).collect(),
        )
    }

    #[test]
    fn a_period_of_any_number_is_followed_by_another() {
        let mut played = clock(TimeControl::repeating(Some(1), ms(1000), ms(0)), FIDE, 0);
        played.set_reading(&ClockReading { period: usize::MAX, ..played.reading() });
        assert!(played.complete(ms(100)).is_ok());
        assert_eq!((played.left(), played.moves_to_go()), (ms(1900), Some(1)));
    }

    #[test]
    fn exactly_nothing_left_is_a_fallen_flag() {
        let mut played = clock(TimeControl::fischer(ms(1000), ms(100)), TESTERS, 0);
        assert_eq!(played.complete(Duration::from_nanos(999_999_999)), Ok(()));
        assert_eq!(played.left(), ms(100) + Duration::from_nanos(1));
        let late = ms(100) + Duration::from_nanos(1);
        assert_eq!(played.complete(late), Err(FlagFall));
        assert_eq!(played.left(), ms(0), "nothing is added to a fallen clock");
    }

    #[test]
    fn fide_adds_the_increment_before_each_move() {
        let control = TimeControl::fischer(ms(60_000), ms(1000));
        let mut played = clock(control.clone(), FIDE, 0);
        assert_eq!(played.complete(ms(60_999)), Ok(()));
        assert_eq!(played.left(), ms(1001));
        assert!(clock(control, FIDE, 0).complete(ms(61_001)).is_err());
    }

    #[test]
    fn the_last_move_of_a_period_has_the_old_budget() {
        let control = periods(&[(Some(2), 1000, Bonus::None), (None, 500, Bonus::None)]);
        let mut played = clock(control, FIDE, 0);
        assert_eq!(played.complete(ms(900)), Ok(()));
        let mut late = played.clone();
        assert_eq!(late.complete(ms(160)), Err(FlagFall));
        assert!(!played.is_in_last_period());
        assert_eq!(played.complete(ms(50)), Ok(()));
        assert_eq!((played.left(), played.moves_to_go()), (ms(550), None), "unused time is kept");
        let mut repeated = clock(TimeControl::repeating(Some(1), ms(100), ms(0)), FIDE, 0);
        for _ in 0..3 {
            repeated.complete(ms(40)).unwrap();
        }
        assert_eq!((repeated.left(), repeated.moves_to_go()), (ms(280), Some(1)));
    }

    #[test]
    fn a_delay_is_paid_by_nobody() {
        for bonus in [Bonus::Delay(ms(3000)), Bonus::Bronstein(ms(3000))] {
            let played = clock(periods(&[(None, 10_000, bonus)]), FIDE, 0);
            for (time, left) in [(2500, Some(10_000)), (5000, Some(8000)), (12_999, Some(1)), (13_000, None)]
            {
                let mut played = played.clone();
                assert_eq!(played.complete(ms(time)).ok().map(|_| played.left()), left.map(ms), "{time}");
            }
        }
    }

    #[test]
    fn in_2005_a_period_with_delay_hands_nothing_on() {
        let control =
            || periods(&[(Some(1), 1000, Bonus::Delay(ms(100))), (None, 500, Bonus::Delay(ms(100)))]);
        let old = ClockRules { increment_first: true, carries_over_delay: false };
        let after = |rules| {
            let mut played = clock(control(), rules, 0);
            played.complete(ms(300)).unwrap();
            played.left()
        };
        assert_eq!((after(old), after(FIDE)), (ms(500), ms(1300)));
    }

    #[test]
    fn a_move_in_two_parts_is_one_move() {
        let mut played = clock(periods(&[(None, 1000, Bonus::Delay(ms(300)))]), FIDE, 0);
        assert_eq!(played.spend(ms(200)), Ok(()));
        assert_eq!((played.left(), played.available()), (ms(1000), ms(1100)));
        let mut restored = played.clone();
        restored.restore();
        assert_eq!(restored.available(), ms(1300));
        assert_eq!(played.spend(ms(200)), Ok(()));
        assert_eq!(played.left(), ms(900));
        played.complete(ms(100)).unwrap();
        assert_eq!((played.left(), played.available()), (ms(800), ms(1100)));
    }

    #[test]
    fn a_margin_forgives_and_gives_nothing() {
        let mut played = clock(TimeControl::fischer(ms(1000), ms(10)), TESTERS, 50);
        assert_eq!(played.budget(), ms(1050));
        assert_eq!(played.complete(ms(1040)), Ok(()), "forgiven");
        assert_eq!(played.left(), ms(10));
        assert_eq!(played.complete(ms(70)), Err(FlagFall));
        let mut in_parts = clock(TimeControl::fischer(ms(1000), ms(10)), TESTERS, 50);
        assert_eq!(in_parts.spend(ms(1030)), Ok(()));
        assert_eq!(in_parts.complete(ms(25)), Err(FlagFall), "one margin a move");
    }

    #[test]
    fn an_increment_belongs_to_the_period_of_its_move() {
        let two = |rules| {
            let control =
                periods(&[(Some(2), 1000, Bonus::Increment(ms(30))), (None, 500, Bonus::Increment(ms(7)))]);
            let mut played = clock(control, rules, 0);
            let mut shown = vec![played.left()];
            for _ in 0..3 {
                played.complete(ms(0)).unwrap();
                shown.push(played.left());
            }
            shown
        };
        assert_eq!(two(FIDE), [1030, 1060, 1567, 1574].map(ms));
        assert_eq!(two(TESTERS), [1000, 1030, 1560, 1567].map(ms));
    }

    #[test]
    fn a_deduction_leaves_something() {
        let mut played = clock(TimeControl::fischer(ms(1000), ms(0)), FIDE, 0);
        played.spend(ms(400)).unwrap();
        assert_eq!(played.deduct(ms(500)), ms(500));
        assert_eq!(played.deduct(ms(500)), ms(100) - Duration::from_micros(1));
        assert_eq!(played.left(), Duration::from_micros(1));
        assert_eq!(played.complete(ms(0)), Ok(()));
        played.fall();
        assert_eq!(played.deduct(ms(1)), ms(0), "and gives nothing");
        assert_eq!(played.left(), ms(0));
    }

    #[test]
    fn odd_controls_do_no_harm() {
        let mut played = clock(periods(&[(Some(0), 10, Bonus::None), (None, 500, Bonus::None)]), FIDE, 0);
        played.complete(ms(0)).unwrap();
        assert_eq!((played.left(), played.is_in_last_period()), (ms(510), true));
        let most = TimeControl::repeating(Some(u32::MAX), Duration::MAX, Duration::MAX);
        assert_eq!(most.time_for_sixty_moves(), Duration::MAX);
        assert_eq!(clock(most, FIDE, 0).left(), Duration::MAX);
    }

    #[test]
    fn sixty_moves_tell_the_speed() {
        let seconds = |control: &TimeControl| control.time_for_sixty_moves().as_secs();
        assert_eq!(seconds(&TimeControl::fischer(ms(300_000), ms(6000))), 660);
        assert_eq!(seconds(&TimeControl::repeating(Some(40), ms(60_000), ms(0))), 120);
        assert_eq!(seconds(&TimeControl::repeating(Some(30), ms(60_000), ms(1000))), 180);
        assert_eq!(seconds(&TimeControl::repeating(Some(0), ms(60_000), ms(0))), 60, "and it ends");
        let two =
            periods(&[(Some(40), 5_400_000, Bonus::Increment(ms(30_000))), (None, 1_800_000, Bonus::None)]);
        assert_eq!(seconds(&two), 7200 + 40 * 30);
        // Behind the sixtieth move only what is for all remaining moves counts.
        let second = |moves| periods(&[(Some(60), 540_000, Bonus::None), (moves, 540_000, Bonus::None)]);
        assert_eq!([second(Some(60)), second(None)].each_ref().map(seconds), [540, 1080]);
        let three = [(Some(40), 300_000), (Some(20), 240_000), (Some(60), 540_000)];
        assert_eq!(seconds(&periods(&three.map(|(moves, time)| (moves, time, Bonus::None)))), 540);
        assert_eq!(seconds(&TimeControl::Hourglass(ms(60_000))), 60);
    }

    #[test]
    fn controls_are_written_as_in_pgn() {
        let two = periods(&[(Some(40), 60_000, Bonus::Increment(ms(600))), (None, 1500, Bonus::None)]);
        assert_eq!(two.to_string(), "40/60+0.6:1.5");
        let delays = periods(&[
            (Some(40), 20_000, Bonus::Bronstein(ms(2000))),
            (None, 10_000, Bonus::Delay(ms(1000))),
        ]);
        assert_eq!(delays.to_string(), "40/20b2:10d1");
        assert_eq!(TimeControl::Hourglass(ms(180_000)).to_string(), "*180");
    }
}
