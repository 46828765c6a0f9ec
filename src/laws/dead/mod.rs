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
//! * a search for a helpmate (`search`, `estimate`), which is a proof as well when it runs out of positions.
//!
//! The problem and the idea of a static proof with a search behind it are from M. Ambrona, *A Practical Algorithm for
//! Chess Unwinnability*, FUN 2022 (<https://chasolver.org/FUN22-full.pdf>). The proof here is another one: see
//! `classes`.

mod classes;
mod estimate;
mod mate;
mod material;
mod quick;
mod region;
mod search;

use crate::board::Position;
use crate::types::{Color, Move};
use classes::{Classes, Proof};
use search::{Outcome, Search};

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

/// How many positions are searched before the next proof is tried, and how many classes that may close.
const STAGES: [(usize, usize); 6] =
    [(300, 12), (3_000, 60), (30_000, 300), (300_000, 1_000), (5_000_000, 2_000), (usize::MAX, 0)];

/// From so many positions on the search tries to prove that what it comes to cannot be won.
const PROOFS_FROM: usize = 5_000;

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

    /// Whether `side` can mate, looking at `nodes` positions at most; a node takes up to about 250 bytes.
    ///
    /// If the game is over, only the side that has mated has won.
    pub fn can_win(&mut self, position: &Position, side: Color, nodes: u64) -> Answer {
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
        if material::cannot_mate(position, side) {
            return Answer::Unwinnable;
        }
        let Solver { search, classes } = self;
        let (mut open, mut pruned) = (false, false);
        if quick::is_blocked(position) {
            match classes.prove(position, side, 1) {
                Proof::Proved => return Answer::Unwinnable,
                Proof::Open | Proof::Spent => {}
            }
        }
        let nodes = usize::try_from(nodes).unwrap_or(usize::MAX).min(search::MAX_NODES);
        search.start(position, side);
        for (limit, budget) in STAGES {
            let mut purse = Purse::default();
            let limit = limit.min(nodes);
            let proofs = limit > PROOFS_FROM;
            if proofs && !pruned {
                // What has been entered unproved so far may be large and lost.
                search.start(position, side);
                pruned = true;
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

    /// How many positions the last search has seen.
    pub fn seen(&self) -> usize {
        self.search.len()
    }
}

#[cfg(test)]
mod tests;
