//! Dead positions: can a side give mate by any series of legal moves?
//!
//! Clocks and repetition are left aside, as in Articles 5.2.2 and 6.9 of the Laws of Chess.

mod estimate;
mod material;
mod search;

use crate::board::Position;
use crate::types::{Color, Move};
use search::{Outcome, Search};

/// The limit of nodes that decides all but contrived positions.
pub const DEFAULT_NODES: u64 = 1_000_000;

/// Whether a side can mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It can, by this line of legal moves.
    Winnable(Vec<Move>),
    /// No series of legal moves leads to its mating the other side.
    Unwinnable,
    /// The limit was reached first.
    Undetermined,
}

/// The decision procedure with its memory.
pub struct Solver {
    search: Search,
    tier: &'static str,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// A solver with small tables; they grow with the questions.
    pub fn new() -> Solver {
        Solver { search: Search::new(), tier: "" }
    }

    /// Lab: how the last answer was found.
    #[doc(hidden)]
    pub fn tier(&self) -> &'static str {
        self.tier
    }

    /// Whether `side` can mate, looking at `nodes` positions at most.
    pub fn can_win(&mut self, position: &Position, side: Color, nodes: u64) -> Answer {
        if position.has_no_moves() {
            return if position.in_check() && position.side_to_move() != side {
                Answer::Winnable(vec![])
            } else {
                Answer::Unwinnable
            };
        }
        if material::cannot_mate(position, side) {
            return Answer::Unwinnable;
        }
        self.search.start(position, side);
        match self.search.run(nodes as usize, &mut |_| false) {
            Outcome::Mate(line) => Answer::Winnable(line),
            Outcome::Exhausted => Answer::Unwinnable,
            Outcome::Limit => Answer::Undetermined,
        }
    }
}
