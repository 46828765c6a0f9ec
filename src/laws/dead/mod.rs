//! Dead positions: can a side give mate by any series of legal moves?
//!
//! Clocks and repetition are left aside, as in Articles 5.2.2 and 6.9 of the Laws of Chess.

mod classes;
mod estimate;
mod mate;
mod region;
mod material;
mod search;

use crate::board::Position;
use crate::types::{Color, Move};
use classes::{Classes, Proof};
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
    classes: Classes,
    tier: &'static str,
}

/// How many positions are searched before the next proof is tried, and how many classes that may close.
const STAGES: [(usize, usize); 6] =
    [(300, 12), (3_000, 60), (30_000, 300), (300_000, 1_000), (5_000_000, 2_000), (usize::MAX, 0)];

/// What is spent on proofs inside the search, and what they have brought.
#[derive(Default)]
struct Purse {
    spent: usize,
    tries: usize,
    proofs: usize,
}

impl Purse {
    /// True if another proof is worth its time, `seen` positions having been seen.
    fn allows(&self, seen: usize) -> bool {
        self.spent * 60 * (self.tries + 1) <= (seen + 1_000) * (self.tries + 1 + 5 * self.proofs)
    }

    fn try_proof(&mut self, classes: &mut Classes, position: &Position, side: Color) -> bool {
        let proved = classes.prove(position, side, 20) == Proof::Proved;
        self.spent += classes.steps().max(1);
        self.tries += 1;
        self.proofs += usize::from(proved);
        proved
    }
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// A solver with small tables; they grow with the questions.
    pub fn new() -> Solver {
        Solver { search: Search::new(), classes: Classes::default(), tier: "" }
    }

    /// Lab.
    #[doc(hidden)]
    pub fn seen(&self) -> usize {
        self.search.len()
    }
    /// Lab.
    #[doc(hidden)]
    pub fn steps(&self) -> usize {
        self.classes.total
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
        self.tier = "search";
        let mut open = false;
        let Solver { search, classes, tier } = self;
        search.start(position, side);
        classes.total = 0;
        for (limit, budget) in STAGES {
            let mut purse = Purse::default();
            let limit = limit.min(nodes as usize);
            let done = search.run(limit, &mut |position, seen| {
                limit > 5_000 && purse.allows(seen) && purse.try_proof(classes, position, side)
            });
            match done {
                Outcome::Mate(line) => return Answer::Winnable(line),
                Outcome::Exhausted => return Answer::Unwinnable,
                Outcome::Limit => {}
            }
            *tier = "later";
            if !open {
                match classes.prove(position, side, budget) {
                    Proof::Proved => {
                        *tier = "classes";
                        return Answer::Unwinnable;
                    }
                    Proof::Open => open = true,
                    Proof::Spent => {}
                }
            }
            if limit as u64 >= nodes {
                break;
            }
        }
        Answer::Undetermined
    }
}
