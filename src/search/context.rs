//! What the ordering of moves wants to know of a node beside the move.

use super::history::PieceTo;
use crate::board::{Attacks, Checks, Position};
use crate::types::{Color, Key};

/// How many plies back a move's continuation histories look.
pub(super) const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];

/// The last moves before a node as far as its continuation histories look; `None` for null moves and before the root.
pub(super) type Previous = [Option<PieceTo>; CONTINUATIONS.len()];

/// A node as the ordering of its moves sees it.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// The side to move.
    pub(super) color: Color,
    /// What the other side attacks.
    pub(super) threats: Attacks,
    /// From where the side to move gives check.
    pub(super) checks: Checks,
    pub(super) previous: Previous,
    /// The pawn structure.
    pub(super) pawns: Key,
}

impl Context {
    #[inline(always)]
    pub(super) fn new(position: &Position, previous: Previous) -> Context {
        let color = position.side_to_move();
        Context {
            color,
            threats: position.attacks_of(!color),
            checks: position.checks(),
            previous,
            pawns: position.keys().pawns,
        }
    }
}
