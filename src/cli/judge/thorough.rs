//! A prover that takes its time for dead positions, but not after every move.

use crate::board::Position;
use crate::laws::Prover;
use crate::laws::dead::Solver;
use crate::types::{Color, Key, Move};
use std::collections::HashSet;

/// Knows which positions of a game are dead. What is dead stays dead: the last position is asked first, and the others only
/// if it is.
pub(super) struct Thorough {
    solver: Solver,
    dead: HashSet<Key>,
}

impl Thorough {
    pub(super) fn new() -> Thorough {
        Thorough { solver: Solver::new(), dead: HashSet::new() }
    }

    /// Looks at a game that will be played.
    pub(super) fn prepare(&mut self, start: &Position, moves: impl IntoIterator<Item = Move>) {
        let mut positions = vec![*start];
        for mv in moves {
            positions.push(positions[positions.len() - 1].after(mv));
        }
        self.dead.clear();
        let alive = |prover: &mut Thorough, position: &Position| {
            Color::ALL.into_iter().any(|side| prover.can_win(position, side) != Some(false))
        };
        let (mut from, mut to) = (0, positions.len());
        let mut middle = to - 1;
        while from < to {
            if alive(self, &positions[middle]) {
                from = middle + 1;
            } else {
                to = middle;
            }
            middle = usize::midpoint(from, to);
        }
        self.dead.extend(positions[to..].iter().map(Position::key));
    }
}

impl Prover for Thorough {
    fn can_win(&mut self, position: &Position, side: Color) -> Option<bool> {
        Prover::can_win(&mut self.solver, position, side)
    }

    fn is_dead(&mut self, position: &Position) -> bool {
        self.dead.contains(&position.key())
    }
}
