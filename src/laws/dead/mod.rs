//! Dead positions: can a side give mate by any series of legal moves?
//!
//! The question of Articles 5.2.2 (dead position) and 6.9 (flag fall) of the Laws of Chess. Clocks and repetition are
//! left aside, as those articles do: what counts is whether a mate can be reached at all. Castling, en passant and
//! promotions count, in Chess960 as in chess.
//!
//! Three ways to an answer take turns, each with more effort than before:
//!
//! * material alone (`material`);
//! * a proof by pawn structures that no mate can stand on the board (`classes`, `region`, `mate`);
//! * a search for a helpmate (`search`), which is a proof as well when it runs out of positions. It goes by one of two
//!   estimates (`estimate`, `flights`) in one of several orders, for what leads one of them astray seldom leads the
//!   others.
//!
//! The problem and the idea of a static proof with a search behind it are from M. Ambrona, *A Practical Algorithm for
//! Chess Unwinnability*, FUN 2022 (<https://chasolver.org/FUN22-full.pdf>). The proof here is another one: see
//! `classes`.

mod classes;
mod estimate;
mod flights;
mod mate;
mod material;
mod quick;
mod region;
mod search;

use crate::board::Position;
use crate::types::{Color, Move};
use classes::{Classes, Proof};
pub use material::lacks_material;
use search::{Estimate, Outcome, Search, Way};
use std::fmt;

/// The limit of nodes that decides all but contrived positions, in seconds at most.
pub const DEFAULT_NODES: u64 = 1_000_000;

/// Whether a side can mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It can, by this line of legal moves from the position; the last one mates. Empty if the mate stands already.
    Winnable(Vec<Move>),
    /// No series of legal moves leads to its mating the other side.
    Unwinnable,
    /// The limit was reached first.
    Undetermined,
}

/// The decision procedure with its memory. Each question is answered as if it were the first.
pub struct Solver {
    search: Search,
    classes: Classes,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").finish_non_exhaustive()
    }
}

/// A stretch of the search and the proof after it.
struct Stage {
    /// How many positions are searched.
    limit: usize,
    /// How many classes the proof may close.
    budget: usize,
    /// Begin anew, in this way: what one way to search wanders about in for long is often soon found by another.
    way: Option<Way>,
    /// Try to prove of what the search comes to that it cannot be won. It shortens most searches, and takes from some
    /// the time to find their mate.
    proofs: bool,
}

const fn by(estimate: Estimate, one_in: usize, clock: i32, seed: u64) -> Option<Way> {
    Some(Way { estimate, one_in, clock, seed })
}

/// Many short searches rather than a long one: how long a way takes to a mate is a matter of luck, and the next way
/// has luck of its own.
const STAGES: [Stage; 8] = [
    Stage { limit: 300, budget: 12, way: by(Estimate::Plan, 4, 0, 0), proofs: false },
    Stage { limit: 3_000, budget: 60, way: None, proofs: false },
    Stage { limit: 20_000, budget: 300, way: by(Estimate::Plan, 8, 8, 0), proofs: true },
    Stage { limit: 50_000, budget: 1_000, way: by(Estimate::Flights, 4, 32, 0), proofs: true },
    Stage { limit: 250_000, budget: 2_000, way: by(Estimate::Plan, 4, 8, 0), proofs: false },
    Stage { limit: 200_000, budget: 2_000, way: by(Estimate::Flights, 4, 32, 7_777_777), proofs: true },
    Stage { limit: 1_000_000, budget: 2_000, way: by(Estimate::Plan, 8, 8, 5), proofs: true },
    Stage { limit: usize::MAX, budget: 0, way: None, proofs: true },
];

/// What is spent on proofs inside the search, and what they have brought.
#[derive(Default)]
struct Purse {
    closed: usize,
    tries: usize,
    proofs: usize,
}

impl Purse {
    /// True if another proof is worth its time, `seen` positions having been seen. A class closed costs about as
    /// much as sixty positions; proofs may take as long as the search, and more if they succeed.
    fn allows(&self, seen: usize) -> bool {
        self.closed * 60 * (self.tries + 1) <= (seen + 1_000) * (self.tries + 1 + 5 * self.proofs)
    }

    fn try_proof(&mut self, classes: &mut Classes, position: &Position, side: Color) -> bool {
        let proved = classes.prove(position, side, 20) == Proof::Proved;
        self.closed += classes.closed().max(1);
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
        Solver { search: Search::new(), classes: Classes::default() }
    }

    /// Whether `side` can mate. Each of a few searches looks at `nodes` positions at most; a node takes up to about
    /// 250 bytes while it goes on, and afterwards nothing of it is kept.
    ///
    /// If the game is over, only the side that has mated has won.
    pub fn can_win(&mut self, position: &Position, side: Color, nodes: u64) -> Answer {
        let answer = self.look(position, side, nodes);
        self.search.let_go();
        answer
    }

    fn look(&mut self, position: &Position, side: Color, nodes: u64) -> Answer {
        if search::has_too_many_moves(position) {
            return Answer::Undetermined;
        }
        if position.has_no_moves() {
            return if position.in_check() && position.side_to_move() != side {
                Answer::Winnable(vec![])
            } else {
                Answer::Unwinnable
            };
        }
        if lacks_material(position, side) {
            return Answer::Unwinnable;
        }
        let Solver { search, classes } = self;
        let mut open = false;
        if quick::is_blocked(position) {
            match classes.prove(position, side, 1) {
                Proof::Proved => return Answer::Unwinnable,
                Proof::Open | Proof::Spent => {}
            }
        }
        let nodes = usize::try_from(nodes).unwrap_or(usize::MAX).min(search::MAX_NODES);
        for Stage { limit, budget, way, proofs } in STAGES {
            let mut purse = Purse::default();
            let limit = limit.min(nodes);
            if let Some(way) = way {
                search.start(position, side, way);
            }
            let outcome = search.run(limit, &mut |position, seen| {
                proofs && purse.allows(seen) && purse.try_proof(classes, position, side)
            });
            match outcome {
                Outcome::Mate(line) => return Answer::Winnable(line),
                Outcome::Exhausted => return Answer::Unwinnable,
                Outcome::Limit => {}
            }
            if !open {
                match classes.prove(position, side, budget) {
                    Proof::Proved => return Answer::Unwinnable,
                    Proof::Open => open = true,
                    Proof::Spent => {}
                }
            }
            if limit == nodes {
                break;
            }
        }
        Answer::Undetermined
    }

    /// True if provably neither side can mate, as far as that can be told at once: by material, by a few forced
    /// moves, or by a wall of pawns with nothing but bishops behind it. For use after every move of a game; `false`
    /// says nothing. A mate is not a dead position.
    pub fn is_dead_quick(&mut self, position: &Position) -> bool {
        quick::is_dead(position, &mut self.classes)
    }
}

#[cfg(test)]
mod tests;
