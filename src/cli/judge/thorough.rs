//! A prover that takes its time.

use crate::board::Position;
use crate::laws::Prover;
use crate::laws::dead::Solver;
use crate::types::Color;

/// Looks for dead positions as it looks for mates: during a game the solver does so only as far as it can at once.
pub(super) struct Thorough(Solver);

impl Thorough {
    pub(super) fn new() -> Thorough {
        Thorough(Solver::new())
    }
}

impl Prover for Thorough {
    fn can_win(&mut self, position: &Position, side: Color) -> Option<bool> {
        Prover::can_win(&mut self.0, position, side)
    }

    fn is_dead(&mut self, position: &Position) -> bool {
        Color::ALL.into_iter().all(|side| self.can_win(position, side) == Some(false))
    }
}
