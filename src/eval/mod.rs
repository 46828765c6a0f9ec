//! What a position is worth, without looking ahead.
//!
//! The search holds an [`Evaluator`], tells it of every move, and asks. The answer comes from a trained `network` or from
//! the hand-made terms of [`classic`]; `choice` says which. `accumulators` keeps a network's sums along the line,
//! `changes` finds the rows of weights that make new ones of them, `simd` has the arithmetic, [`endings`] has those
//! whose outcome is known, [`wdl`] says what scores mean, `explain` what each piece contributes, [`sanity`] finds values
//! that cannot be right. Knows positions; does not know the search.

mod accumulators;
mod changes;
mod choice;
pub mod classic;
pub mod endings;
pub mod explain;
pub mod network;
pub mod sanity;
pub mod simd;
pub mod wdl;

pub use choice::{Evaluation, EvaluationError};

use crate::board::{Board, Position};
use crate::types::{Color, MAX_PLY, Move, Score};
use accumulators::Accumulators;
use classic::Accumulator;
use simd::Kernels;

/// The evaluation of the position at the end of a line, kept up to date move by move.
#[derive(Clone, Debug)]
pub struct Evaluator(State);

#[derive(Clone, Debug)]
enum State {
    /// One for the root and one for each move since.
    Classic(Vec<Accumulator>),
    Network(Box<Accumulators>),
}

impl Evaluator {
    /// Ready to evaluate `root` and what follows from it.
    pub fn new(root: &Position, evaluation: &Evaluation) -> Evaluator {
        Evaluator::with_kernels(root, evaluation, Kernels::best())
    }

    /// The same with a choice of arithmetic, which changes the speed only.
    pub fn with_kernels(root: &Position, evaluation: &Evaluation, kernels: &'static Kernels) -> Evaluator {
        Evaluator(match evaluation {
            Evaluation::Classic => {
                let mut accumulators = Vec::with_capacity(MAX_PLY + 1);
                accumulators.push(Accumulator::of(root));
                State::Classic(accumulators)
            }
            Evaluation::Network(network) => {
                State::Network(Box::new(Accumulators::new(network.clone(), kernels, root)))
            }
        })
    }

    /// Plays a legal move of the position at the end of the line, and returns the position after it.
    #[inline]
    pub fn make(&mut self, position: &Position, mv: Move) -> Position {
        match &mut self.0 {
            State::Classic(accumulators) => {
                let mut accumulator = accumulators.last().copied().unwrap_or_default();
                let next = position.make(mv, &mut accumulator);
                accumulators.push(accumulator);
                next
            }
            State::Network(accumulators) => accumulators.make(position, mv),
        }
    }

    /// Takes the last move back; nothing, at the root.
    #[inline]
    pub fn unmake(&mut self) {
        match &mut self.0 {
            State::Classic(accumulators) => {
                if accumulators.len() > 1 {
                    accumulators.pop();
                }
            }
            State::Network(accumulators) => accumulators.unmake(),
        }
    }

    /// The value of the position at the end of the line for its side to move; never a mate score. Fades towards a
    /// draw as the fifty-move counter rises. Where neither side can ever mate, [`static_score`] is right: the search ends its
    /// lines there and asks nothing.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let value = match &mut self.0 {
            State::Classic(accumulators) => {
                classic::evaluate(position, &accumulators.last().copied().unwrap_or_default())
            }
            State::Network(accumulators) => accumulators.evaluate(position),
        };
        // A network's answer may be so large that the product below would overflow.
        let value = value.clamp(-LARGEST, LARGEST);
        let value = endings::corrected(position, value);
        let fading = 200 - i32::from(position.halfmove_clock()).min(100);
        Score::new(value * fading / 200).clamp_eval()
    }
}

/// The value of a position without a search, for its side to move: a draw where neither side can ever mate, for no network
/// has learnt from such positions; else what the evaluation says.
pub fn static_score(position: &Position, evaluation: &Evaluation) -> Score {
    if position.is_insufficient_material() {
        return Score::DRAW;
    }
    Evaluator::new(position, evaluation).evaluate(position)
}

/// Beyond every evaluation.
const LARGEST: i32 = 1_000_000;

/// From White's point of view.
fn for_white(board: &Board, value: i32) -> i32 {
    if board.side_to_move() == Color::White { value } else { -value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_win_is_a_draw_for_every_evaluation() {
        for evaluation in [Evaluation::internal().unwrap(), Evaluation::Classic] {
            let value = |fen: &str| {
                let position = Position::from_fen(fen).unwrap();
                static_score(&position, &evaluation)
            };
            for (fen, drawn) in [
                ("8/8/8/3k4/8/8/8/3K4 w - - 0 60", true),
                ("8/8/8/3k4/8/8/5N2/3K4 w - - 0 60", true),
                // Bishops on squares of both colours can mate.
                ("8/8/8/3k4/2b5/8/5B2/3K4 b - - 0 60", false),
            ] {
                assert_eq!(value(fen) == Score::DRAW, drawn, "{fen}");
                let shown = explain::Explanation::new(&Position::from_fen(fen).unwrap(), &evaluation);
                assert_eq!((shown.value == 0, shown.score == Score::DRAW), (drawn, drawn), "{fen}");
            }
        }
    }

    #[test]
    fn at_the_root_nothing_is_taken_back() {
        let position = Position::from_fen("4k3/pp3pp1/8/8/8/8/PP3PP1/R3K3 w Q - 0 1").unwrap();
        for evaluation in [Evaluation::internal().unwrap(), Evaluation::Classic] {
            let mut evaluator = Evaluator::new(&position, &evaluation);
            let value = evaluator.evaluate(&position);
            let next = evaluator.make(&position, position.legal_moves()[0]);
            let value_of_next = evaluator.evaluate(&next);
            (0..3).for_each(|_| evaluator.unmake());
            assert_eq!(evaluator.evaluate(&position), value, "{evaluation}");
            evaluator.make(&position, position.legal_moves()[0]);
            assert_eq!(evaluator.evaluate(&next), value_of_next, "{evaluation}");
        }
    }

    #[test]
    fn values_fade_to_a_half_in_fifty_moves() {
        for evaluation in [Evaluation::internal().unwrap(), Evaluation::Classic] {
            // King and pawn against king, whose value no network says: 600 and 20 for each rank.
            for (clock, value) in [(0, 680), (1, 676), (50, 510), (100, 340), (120, 340)] {
                let at = |side: &str| {
                    let fen = format!("8/8/8/8/4p3/4k3/8/4K3 {side} - - {clock} 90");
                    static_score(&Position::from_fen(&fen).unwrap(), &evaluation).units()
                };
                assert_eq!((at("b"), at("w")), (value, -value), "{clock}");
            }
        }
    }

    #[test]
    fn no_network_says_that_a_win_is_certain() {
        use network::{Architecture, Inputs, Network};
        let architecture = Architecture::new(Inputs::Mirrored, 32, 1);
        for (bias, score) in [(i32::MAX, Score::EVAL_BOUND), (i32::MIN, -Score::EVAL_BOUND)] {
            let mut weights = Network::zero(architecture).unwrap().weights();
            weights.output_biases[0] = bias;
            let network = Network::new(architecture, &weights, [0; 8]).unwrap();
            let evaluation = Evaluation::Network(std::sync::Arc::new(network));
            assert_eq!(static_score(&Position::default(), &evaluation), score);
        }
    }

    #[test]
    fn the_output_is_the_weighted_squares_and_the_bias_times_the_scale() {
        use network::{Architecture, Inputs, Network};
        let architecture = Architecture { scale: 1000, ..Architecture::new(Inputs::Mirrored, 32, 1) };
        let mut weights = Network::zero(architecture).unwrap().weights();
        weights.biases.fill(100);
        weights.outputs[..32].fill(3);
        weights.outputs[32..].fill(-1);
        weights.output_biases[0] = 500;
        let network = Network::new(architecture, &weights, [0; 8]).unwrap();
        // 32 * 100 * 100 * (3 - 1) / 255 = 2509; 3009 * 1000 / (255 * 64) = 184.
        assert_eq!(network.evaluate(&Position::default()), 184);
        let evaluation = Evaluation::Network(std::sync::Arc::new(network));
        assert_eq!(static_score(&Position::default(), &evaluation), Score::new(184));
    }
}
