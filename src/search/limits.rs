//! What a search may use up.

use crate::types::{Depth, Move};
use std::time::Duration;

/// The time on the clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockTime {
    /// What is left.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until more time comes; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of a search. Several apply together, and the first one that is reached ends it; with none the search
/// goes on until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Play on a clock.
    pub clock: Option<ClockTime>,
    /// Take exactly so long.
    pub move_time: Option<Duration>,
    /// Search so many nodes.
    pub nodes: Option<u64>,
    /// Begin no iteration after so many nodes.
    pub soft_nodes: Option<u64>,
    /// Finish this iteration.
    pub depth: Option<Depth>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Do not answer before being stopped.
    pub infinite: bool,
    /// Do not answer before the opponent has moved.
    pub ponder: bool,
    /// Choose among these moves only; an empty list leaves none.
    pub search_moves: Option<Vec<Move>>,
}

impl Limits {
    /// True if nothing but `stop` ends the search.
    pub fn is_unbounded(&self) -> bool {
        let Limits { clock, move_time, nodes, soft_nodes, depth, mate, infinite, ponder: _, search_moves: _ } =
            self;
        *infinite
            || clock.is_none()
                && move_time.is_none()
                && nodes.or(*soft_nodes).is_none()
                && depth.is_none()
                && mate.is_none()
    }
}
