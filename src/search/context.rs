//! What the ordering of moves wants to know of a node beside the move.

use super::history::PieceTo;
use crate::board::{Attacks, Checks, Position};
use crate::types::{Color, Key, Move};

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

    /// True if the other side attacks neither the square that a move comes from nor the one it goes to: it cannot take the
    /// piece there, since no line to it opens either, unless a pawn takes en passant.
    #[inline(always)]
    pub(super) fn is_out_of_reach(&self, mv: Move) -> bool {
        !self.threats.all.has(mv.from()) && !self.threats.all.has(mv.to())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::played_by_chance;

    #[test]
    fn what_is_out_of_reach_cannot_be_lost() {
        let (mut out_of_reach, mut lost) = (0, 0);
        for position in played_by_chance(5).take(4_000) {
            let legal = position.legal_moves();
            let context = Context::new(&position, [None; CONTINUATIONS.len()]);
            for &mv in legal.iter().filter(|&&mv| !position.is_noisy(mv)) {
                let holds = position.see_at_least(mv, 0);
                lost += usize::from(!holds);
                if context.is_out_of_reach(mv) {
                    out_of_reach += 1;
                    assert!(holds, "{position:?} {mv:?}");
                }
            }
        }
        assert!(out_of_reach > 10_000 && lost > 10_000, "{out_of_reach} {lost}");
    }
}
