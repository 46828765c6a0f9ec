//! What a position is worth, without looking ahead.
//!
//! The search holds an [`Evaluator`], tells it of every move, and asks. For now the answer comes from the hand-made
//! terms of [`classic`]; a trained network will take their place behind the same four methods. Knows positions; does
//! not know the search.

pub mod classic;
pub mod network;
pub mod wdl;

use crate::board::Position;
use crate::types::{MAX_PLY, Move, Score};
use classic::Accumulator;

/// The evaluation of the position at the end of a line, kept up to date move by move.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// One for the root and one for each move since.
    accumulators: Vec<Accumulator>,
}

impl Evaluator {
    /// Ready to evaluate `root` and what follows from it.
    pub fn new(root: &Position) -> Evaluator {
        let mut accumulators = Vec::with_capacity(MAX_PLY + 1);
        accumulators.push(Accumulator::of(root));
        Evaluator { accumulators }
    }

    fn now(&self) -> Accumulator {
        self.accumulators.last().copied().unwrap_or_default()
    }

    /// Plays a legal move of the position at the end of the line, and returns the position after it.
    #[inline]
    pub fn make(&mut self, position: &Position, mv: Move) -> Position {
        let mut accumulator = self.now();
        let next = position.make(mv, &mut accumulator);
        self.accumulators.push(accumulator);
        next
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self) {
        self.accumulators.pop();
    }

    /// The value of the position at the end of the line for its side to move; never a mate score. Fades towards a
    /// draw as the fifty-move counter rises.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Score {
        let value = classic::evaluate(position, &self.now());
        let fading = 200 - i32::from(position.halfmove_clock()).min(100);
        Score::new(value * fading / 200).clamp_eval()
    }
}
