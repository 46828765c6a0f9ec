//! The limits under which an engine thinks, and what it is told of its time.
//!
//! The Laws know clocks; time, nodes or depth for each move are habits of engine testers. An engine knows no delay: UCI
//! has but a clock and an increment. It is told the main time together with the delay as its time, and the delay as its
//! increment. Whoever thinks no longer than his time then never loses on time, whatever he expects of the increment;
//! for moves that take longer than the delay its account and ours are the same.

use crate::engine::cecp::Level;
use crate::laws::clock::{Clock, ClockRules, TimeControl};
use std::fmt::{self, Write};
use std::time::Duration;

/// What holds an engine's thinking; at least one of the first four is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// A clock for the whole game.
    pub clock: Option<TimeControl>,
    /// A time for each move.
    pub movetime: Option<Duration>,
    /// A number of nodes for each move.
    pub nodes: Option<u64>,
    /// A depth for each move, in plies.
    pub depth: Option<u32>,
    /// How far a move may overrun its time before the flag counts as fallen.
    pub margin: Duration,
}

impl fmt::Display for Limits {
    /// The clock, the time a move, nodes and depth, as far as they are limited: `8+0.08`, `1/move`, `5000 nodes, depth 9`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = vec![];
        parts.extend(self.clock.as_ref().map(TimeControl::to_string));
        parts.extend(self.movetime.map(|time| format!("{}/move", time.as_secs_f64())));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

/// How long an engine without any clock is waited for, before it counts as hanging: for a move of limited depth, and, at
/// the least, for one of limited nodes.
const PATIENCE: Duration = Duration::from_secs(120);
/// Nodes a second that the slowest engine on the busiest machine can be expected to reach.
const SLOWEST: u64 = 2_000;

impl Limits {
    /// True if nothing holds the thinking.
    pub fn is_unbounded(&self) -> bool {
        self.clock.is_none() && self.movetime.is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    /// The clock at the start of a game, if there is one.
    pub fn start_clock(&self, rules: ClockRules) -> Option<Clock> {
        self.clock.clone().map(|control| Clock::new(control, rules, self.margin))
    }

    /// What is left of the time for each move when `spent` of it is gone.
    fn left_for_move(&self, spent: Duration) -> Option<Duration> {
        self.movetime.map(|time| time.saturating_sub(spent))
    }

    /// What a player with this on the clock may still take for a move that has taken `spent` so far, which the clock knows
    /// of; `None` without a limit of time.
    pub fn available(&self, clock: Option<&Clock>, spent: Duration) -> Option<Duration> {
        clock.map(Clock::available).into_iter().chain(self.left_for_move(spent)).min()
    }

    /// How long the move may still take. One that takes just as long is too late.
    pub fn budget(&self, clock: Option<&Clock>, spent: Duration) -> Duration {
        match self.available(clock, spent) {
            Some(time) => time.saturating_add(self.margin),
            None => {
                let nodes = self.nodes.unwrap_or(0) / SLOWEST;
                (PATIENCE + Duration::from_secs(nodes.min(24 * 3600))).saturating_add(self.margin)
            }
        }
    }

    /// What xboard's protocol tells of them, at the start of a game or of a period. A delay is told as an increment.
    pub fn level(&self, clock: Option<&Clock>) -> Level {
        Level {
            clock: clock.map(Clock::available),
            moves: clock.and_then(Clock::moves_to_go),
            increment: clock.map_or(Duration::ZERO, |clock| clock.bonus().time()),
            movetime: self.movetime,
            depth: self.depth,
        }
    }

    /// Appends UCI's `go` for a player with these limits, for a search on the opponent's time if `ponder` is set, and for a
    /// move that has taken `spent` so far. `clocks` are the player's own and the opponent's.
    pub fn go(
        &self,
        clocks: [Option<&Clock>; 2],
        spent: Duration,
        own_is_white: bool,
        ponder: bool,
        text: &mut String,
    ) {
        text.push_str(if ponder { "go ponder" } else { "go" });
        let [own, other] = clocks;
        if let Some(own) = own {
            let (ours, theirs) = if own_is_white { ('w', 'b') } else { ('b', 'w') };
            let mut side = |letter: char, clock: &Clock| {
                // Never more than there is, and never 0, which some engines take for no clock at all.
                let time = clock.available().as_millis().max(1);
                let increment = clock.bonus().time().as_millis();
                let _ = write!(text, " {letter}time {time} {letter}inc {increment}");
            };
            side(ours, own);
            if let Some(other) = other {
                side(theirs, other);
            }
            if let Some(moves) = own.moves_to_go() {
                let _ = write!(text, " movestogo {moves}");
            }
        }
        if let Some(time) = self.left_for_move(spent) {
            let _ = write!(text, " movetime {}", time.as_millis().max(1));
        }
        if let Some(nodes) = self.nodes {
            let _ = write!(text, " nodes {nodes}");
        }
        if let Some(depth) = self.depth {
            let _ = write!(text, " depth {depth}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::clock::{Bonus, Period};

    const TESTERS: ClockRules = ClockRules { increment_first: false, carries_over_delay: true };
    const FIDE: ClockRules = ClockRules { increment_first: true, carries_over_delay: true };

    const fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    fn limits(moves: Option<u32>, time: u64, increment: u64) -> Limits {
        let clock = Some(TimeControl::repeating(moves, ms(time), ms(increment)));
        Limits { clock, ..Limits::default() }
    }

    fn go(own: (&Limits, Option<&Clock>), other: Option<&Clock>, own_is_white: bool) -> String {
        let mut text = String::new();
        own.0.go([own.1, other], Duration::ZERO, own_is_white, false, &mut text);
        text
    }

    #[test]
    fn what_has_no_clock_has_patience() {
        let nodes = Limits { nodes: Some(10_000), ..Limits::default() };
        assert_eq!(nodes.budget(None, Duration::ZERO), Duration::from_secs(125));
        assert_eq!(Limits { depth: Some(5), ..Limits::default() }.budget(None, Duration::ZERO), PATIENCE);
        let movetime = Limits { movetime: Some(ms(100)), margin: ms(5), ..Limits::default() };
        assert_eq!(movetime.budget(None, Duration::ZERO), ms(105));
        assert_eq!(movetime.budget(None, ms(40)), ms(65));
        let endless = Limits { margin: Duration::MAX, ..nodes };
        assert_eq!(endless.budget(None, Duration::ZERO), Duration::MAX);
        let both = Limits { movetime: Some(ms(100)), ..limits(None, 50, 0) };
        assert_eq!(both.budget(both.start_clock(TESTERS).as_ref(), Duration::ZERO), ms(50));
    }

    #[test]
    fn engines_are_told_their_time() {
        let (white, black) = (limits(None, 1000, 10), limits(Some(40), 2000, 0));
        let clocks = [white.start_clock(TESTERS), black.start_clock(TESTERS)];
        let [of_white, of_black] = [clocks[0].as_ref(), clocks[1].as_ref()];
        assert_eq!(go((&white, of_white), of_black, true), "go wtime 1000 winc 10 btime 2000 binc 0");
        let text = go((&black, of_black), of_white, false);
        assert_eq!(text, "go btime 2000 binc 0 wtime 1000 winc 10 movestogo 40");
        let nodes = Limits { nodes: Some(5000), depth: Some(3), ..Limits::default() };
        assert_eq!(go((&nodes, None), of_white, false), "go nodes 5000 depth 3");
        let mut text = String::new();
        black.go([of_black, of_white], Duration::ZERO, false, true, &mut text);
        assert_eq!(text, "go ponder btime 2000 binc 0 wtime 1000 winc 10 movestogo 40");
        assert_eq!(go((&white, of_white), None, true), "go wtime 1000 winc 10");
        let movetime = Limits { movetime: Some(ms(100)), ..Limits::default() };
        assert_eq!(go((&movetime, None), None, true), "go movetime 100");
        let low = Limits { margin: ms(50), ..limits(None, 1000, 0) };
        let mut clock = low.start_clock(TESTERS).unwrap();
        clock.complete(ms(1001)).unwrap();
        assert_eq!(go((&low, Some(&clock)), Some(&clock), true), "go wtime 1 winc 0 btime 1 binc 0");
    }

    #[test]
    fn nobody_who_keeps_to_what_he_is_told_loses_on_time() {
        let period = |moves, bonus| Period { moves, time: ms(1000), bonus };
        for control in [
            TimeControl::Periods(vec![period(Some(5), Bonus::Delay(ms(200))), period(None, Bonus::None)]),
            TimeControl::Periods(vec![period(Some(5), Bonus::Bronstein(ms(200)))]),
            TimeControl::Periods(vec![period(None, Bonus::Increment(ms(200)))]),
            TimeControl::Hourglass(ms(1000)),
        ] {
            let limits = Limits { clock: Some(control.clone()), ..Limits::default() };
            let mut clock = limits.start_clock(FIDE).unwrap();
            for number in 1..=20 {
                let text = go((&limits, Some(&clock)), None, true);
                let told: u64 = text.split(' ').nth(2).unwrap().parse().unwrap();
                // To the last moment on every fifth move, else a tenth of what there is.
                let used = if number % 5 == 0 { told.saturating_sub(1) } else { told / 10 };
                assert!(clock.complete(ms(used)).is_ok(), "{control}: move {number}, told {text}");
            }
        }
        let delay = limits(None, 1000, 0);
        let delay = Limits {
            clock: Some(TimeControl::Periods(vec![period(None, Bonus::Bronstein(ms(200)))])),
            ..delay
        };
        let clock = delay.start_clock(FIDE).unwrap();
        assert_eq!(go((&delay, Some(&clock)), None, true), "go wtime 1200 winc 200");
    }

    #[test]
    fn limits_are_written_as_testers_do() {
        assert_eq!(limits(Some(40), 60_000, 600).to_string(), "40/60+0.6");
        assert_eq!(Limits { nodes: Some(50), ..Limits::default() }.to_string(), "50 nodes");
        assert_eq!(Limits { movetime: Some(ms(100)), ..Limits::default() }.to_string(), "0.1/move");
    }
}
