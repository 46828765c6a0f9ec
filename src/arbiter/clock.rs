//! Time controls and the limits under which an engine thinks.

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
