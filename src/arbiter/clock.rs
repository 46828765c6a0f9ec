//! Time controls, the limits under which an engine thinks, and the clock that counts them.

use std::fmt::{self, Write};
use std::time::Duration;

/// A time control as engine testers write it, `moves/time+increment`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// After so many moves `time` is added again; `None`: the time is for all moves.
    pub moves: Option<u32>,
    /// What the clock shows at the start.
    pub time: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// What holds an engine's thinking; at least one of the first four is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

impl fmt::Display for TimeControl {
    /// As the PGN tag has it, in seconds: `40/60+0.6`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if self.increment > Duration::ZERO { write!(f, "+{}", self.increment.as_secs_f64()) } else { Ok(()) }
    }
}

impl fmt::Display for Limits {
    /// The clock, else the time a move, with nodes and depth: `8+0.08`, `1/move`, `nodes 5000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = vec![];
        parts.extend(self.clock.map(|clock| clock.to_string()));
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

/// One player's clock.
#[derive(Clone, Debug)]
pub struct Clock {
    limits: Limits,
    left: Duration,
    /// Moves until the next period, if there are periods.
    moves_to_go: Option<u32>,
}

/// A move that came too late.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlagFall {
    /// How long after the last moment.
    pub overrun: Duration,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(limits: Limits) -> Clock {
        let (left, moves_to_go) =
            limits.clock.map_or((Duration::ZERO, None), |clock| (clock.time, clock.moves));
        Clock { limits, left, moves_to_go }
    }

    /// What the clock shows; `None` without a clock for the game.
    pub fn left(&self) -> Option<Duration> {
        self.limits.clock.map(|_| self.left)
    }

    /// How long the next move may take. A move that takes just as long is too late: a clock that shows 0 has fallen.
    pub fn budget(&self) -> Duration {
        let clock = self.limits.clock.map(|_| self.left);
        match clock.into_iter().chain(self.limits.movetime).min() {
            Some(time) => time + self.limits.margin,
            None => {
                let nodes = self.limits.nodes.unwrap_or(0) / SLOWEST;
                PATIENCE + Duration::from_secs(nodes.min(24 * 3600)) + self.limits.margin
            }
        }
    }

    /// Counts a move that took `time`. Time is tested before the next period or the increment is added. How far the move
    /// overran its time and was forgiven.
    ///
    /// # Errors
    /// If the move came too late; the clock then shows 0.
    pub fn charge(&mut self, time: Duration) -> Result<Duration, FlagFall> {
        let budget = self.budget();
        let forgiven = time.saturating_sub(budget - self.limits.margin);
        self.left = self.left.saturating_sub(time);
        if time >= budget {
            self.left = Duration::ZERO;
            return Err(FlagFall { overrun: time - budget });
        }
        if let Some(control) = self.limits.clock {
            self.left += control.increment;
            if let Some(moves) = self.moves_to_go {
                self.moves_to_go = Some(moves - 1);
                if moves == 1 {
                    self.left += control.time;
                    self.moves_to_go = control.moves;
                }
            }
        }
        Ok(forgiven)
    }

    /// Appends UCI's `go` for a player with clock `own` against one with clock `other`, for a search on the opponent's time
    /// if `ponder` is set.
    pub fn go(own: &Clock, other: &Clock, own_is_white: bool, ponder: bool, text: &mut String) {
        text.push_str(if ponder { "go ponder" } else { "go" });
        if let Some(control) = own.limits.clock {
            // Never more than there is, and never 0, which some engines take for no clock at all.
            let milliseconds = |clock: &Clock| clock.left.as_millis().max(1);
            let of_other = other.limits.clock;
            let (ours, theirs) = if own_is_white { ('w', 'b') } else { ('b', 'w') };
            let mut side = |letter: char, time: u128, increment: Duration| {
                let _ = write!(text, " {letter}time {time} {letter}inc {}", increment.as_millis());
            };
            side(ours, milliseconds(own), control.increment);
            if let Some(other_control) = of_other {
                side(theirs, milliseconds(other), other_control.increment);
            }
            if let Some(moves) = own.moves_to_go {
                let _ = write!(text, " movestogo {moves}");
            }
        }
        if let Some(time) = own.limits.movetime {
            let _ = write!(text, " movetime {}", time.as_millis().max(1));
        }
        if let Some(nodes) = own.limits.nodes {
            let _ = write!(text, " nodes {nodes}");
        }
        if let Some(depth) = own.limits.depth {
            let _ = write!(text, " depth {depth}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    fn clock(moves: Option<u32>, time: u64, increment: u64, margin: u64) -> Clock {
        let control = TimeControl { moves, time: ms(time), increment: ms(increment) };
        Clock::new(Limits { clock: Some(control), margin: ms(margin), ..Limits::default() })
    }

    fn go(own: &Clock, other: &Clock, own_is_white: bool) -> String {
        let mut text = String::new();
        Clock::go(own, other, own_is_white, false, &mut text);
        text
    }

    #[test]
    fn exactly_nothing_left_is_a_fallen_flag() {
        let mut played = clock(None, 1000, 100, 0);
        assert_eq!(played.charge(Duration::from_nanos(999_999_999)), Ok(ms(0)));
        assert_eq!(played.left(), Some(ms(100) + Duration::from_nanos(1)));
        assert_eq!(played.charge(ms(100) + Duration::from_nanos(1)), Err(FlagFall { overrun: ms(0) }));
        assert_eq!(played.left(), Some(ms(0)), "nothing is added to a fallen clock");
    }

    #[test]
    fn the_last_move_of_a_period_has_the_old_budget() {
        let mut played = clock(Some(2), 1000, 0, 0);
        assert_eq!(played.charge(ms(900)), Ok(ms(0)));
        let mut late = played.clone();
        assert_eq!(late.charge(ms(160)), Err(FlagFall { overrun: ms(60) }));
        assert_eq!(played.charge(ms(50)), Ok(ms(0)));
        assert_eq!((played.left(), played.moves_to_go), (Some(ms(1050)), Some(2)));
    }

    #[test]
    fn a_margin_forgives_and_gives_nothing() {
        let mut played = clock(None, 1000, 10, 50);
        assert_eq!(played.budget(), ms(1050));
        assert_eq!(played.charge(ms(1040)), Ok(ms(40)), "forgiven, and told");
        assert_eq!(played.left(), Some(ms(10)));
        assert_eq!(played.charge(ms(70)), Err(FlagFall { overrun: ms(10) }));
    }

    #[test]
    fn what_has_no_clock_has_patience() {
        let nodes = |nodes| Clock::new(Limits { nodes: Some(nodes), ..Limits::default() });
        assert_eq!(nodes(10_000).budget(), Duration::from_secs(125));
        let mut depth = Clock::new(Limits { depth: Some(5), ..Limits::default() });
        assert_eq!((depth.charge(ms(5000)), depth.left()), (Ok(ms(0)), None));
        assert!(depth.charge(PATIENCE).is_err());
        let movetime = Clock::new(Limits { movetime: Some(ms(100)), margin: ms(5), ..Limits::default() });
        assert_eq!(movetime.budget(), ms(105));
    }

    #[test]
    fn engines_are_told_their_time() {
        let (white, black) = (clock(None, 1000, 10, 0), clock(Some(40), 2000, 0, 0));
        assert_eq!(go(&white, &black, true), "go wtime 1000 winc 10 btime 2000 binc 0");
        assert_eq!(go(&black, &white, false), "go btime 2000 binc 0 wtime 1000 winc 10 movestogo 40");
        let nodes = Clock::new(Limits { nodes: Some(5000), depth: Some(3), ..Limits::default() });
        assert_eq!(go(&nodes, &white, false), "go nodes 5000 depth 3");
        let mut text = String::new();
        Clock::go(&black, &white, false, true, &mut text);
        assert_eq!(text, "go ponder btime 2000 binc 0 wtime 1000 winc 10 movestogo 40");
        assert_eq!(go(&white, &nodes, true), "go wtime 1000 winc 10");
        let movetime = Clock::new(Limits { movetime: Some(ms(100)), ..Limits::default() });
        assert_eq!(go(&movetime, &movetime, true), "go movetime 100");
        let mut low = clock(None, 1000, 0, 50);
        low.charge(ms(1001)).unwrap();
        assert_eq!(go(&low, &low, true), "go wtime 1 winc 0 btime 1 binc 0");
    }

    #[test]
    fn controls_are_written_as_testers_do() {
        assert_eq!(clock(Some(40), 60_000, 600, 0).limits.to_string(), "40/60+0.6");
        assert_eq!(clock(None, 1000, 0, 0).limits.to_string(), "1");
        assert_eq!(Limits { nodes: Some(50), ..Limits::default() }.to_string(), "50 nodes");
        assert_eq!(Limits { movetime: Some(ms(100)), ..Limits::default() }.to_string(), "0.1/move");
    }
}
