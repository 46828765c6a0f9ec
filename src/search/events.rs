//! What a search says while it runs.

use super::table::Bound;
use crate::types::{Depth, Move, Score};
use std::time::Duration;

/// A line that the search believes in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The longest line looked at with more than a null window, in plies.
    pub seldepth: usize,
    /// The rank of the line among those asked for, from 1.
    pub rank: usize,
    /// Its value for the side to move at the root.
    pub score: Score,
    /// Tablebases say that it is drawn, if only by the fifty-move rule, whatever little the score says beside.
    pub drawn: bool,
    /// What the score says; anything but exact is rare.
    pub bound: Bound,
    /// Nodes searched so far by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How many times tablebases have known a position.
    pub table_hits: u64,
    /// How full the table is, in thousandths.
    pub permille_full: usize,
    /// The moves, legal to the end.
    pub pv: Vec<Move>,
}

/// What a search tells its owner. The last event of every search is `Finished`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A line.
    Info(Info),
    /// The main thread begins a move at the root: iteration, move, its number from 1.
    CurrentMove(Depth, Move, usize),
    /// Something went wrong that does not end the search.
    Problem(String),
    /// The search is over.
    Finished {
        /// The move to play, if there is one.
        best: Option<Move>,
        /// The answer expected to it.
        ponder: Option<Move>,
    },
}
