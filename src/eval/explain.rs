//! An evaluation as people can look into it: what each piece contributes, and which sets of weights had a say.

use super::network::{Architecture, Network};
use super::{Evaluation, classic, endings, for_white, static_score};
use crate::board::{Board, Position};
use crate::types::{Color, File, PieceType, Rank, Score, Square};
use std::fmt;

/// A position's value and where it comes from, in internal units from White's point of view.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// By square, what the value loses without the piece there; `None` for kings and empty squares.
    pub shares: [Option<i32>; 64],
    /// The value before the fifty-move counter makes it fade.
    pub value: i32,
    /// The value by [`static_score`], for the side to move.
    pub score: Score,
    /// A network's answer by each of its sets of output weights, and the one that counts; empty without a network.
    pub buckets: Vec<i32>,
    /// Index into `buckets`.
    pub bucket: usize,
    /// For both sides, White first: the network's set of input weights and whether it sees the board through a mirror.
    pub views: Option<[(usize, bool); Color::NUM]>,
    board: Board,
    evaluation: String,
}

/// The value of a board from White's point of view, before fading; as [`static_score`], nothing where nobody can win.
fn value(board: &Board, evaluation: &Evaluation) -> i32 {
    if board.is_insufficient_material() {
        return 0;
    }
    let value = match evaluation {
        Evaluation::Classic => {
            let position = Position::from(*board);
            classic::evaluate(&position, &classic::Accumulator::of(&position))
        }
        Evaluation::Network(network) => network.evaluate(board),
    };
    for_white(board, endings::corrected(board, value))
}

impl Explanation {
    /// Looks into the evaluation of a position.
    pub fn new(position: &Position, evaluation: &Evaluation) -> Explanation {
        let board = *position.board();
        let whole = value(&board, evaluation);
        let shares = Square::ALL.map(|square| {
            let kind = board.kind_on(square)?;
            (kind != PieceType::King).then(|| whole - value(&board.without_piece(square), evaluation))
        });
        let (mut buckets, mut bucket, mut views) = (vec![], 0, None);
        if let Evaluation::Network(network) = evaluation {
            let architecture: &Architecture = network.architecture();
            bucket = architecture.output_bucket(board.occupied().count());
            buckets = every_bucket(network, &board);
            views = Some(Color::ALL.map(|side| {
                let view = architecture.view(side, board.king(side)).index();
                (view / 2, view % 2 == 1)
            }));
        }
        Explanation {
            shares,
            value: whole,
            score: static_score(position, evaluation),
            buckets,
            bucket,
            views,
            board,
            evaluation: evaluation.to_string(),
        }
    }
}

fn every_bucket(network: &Network, board: &Board) -> Vec<i32> {
    (0..network.architecture().output_buckets)
        .map(|bucket| for_white(board, network.evaluate_in(board, bucket)))
        .collect()
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = format!("    +{}", "-------+".repeat(8));
        writeln!(f, "{}: what each piece contributes, in internal units for White\n{line}", self.evaluation)?;
        for rank in Rank::ALL.into_iter().rev() {
            let cells = |text: &dyn Fn(Square) -> String| -> String {
                File::ALL.iter().map(|&file| format!("{:^7}|", text(Square::new(file, rank)))).collect()
            };
            let letter =
                |square| self.board.piece_on(square).map_or(String::new(), |piece| piece.to_string());
            let share = |square: Square| {
                self.shares[square.index()].map_or(String::new(), |share| format!("{share:+}"))
            };
            writeln!(f, "  {rank} |{}\n    |{}\n{line}", cells(&letter), cells(&share))?;
        }
        let files: String = File::ALL.iter().map(|file| format!("{:^8}", file.letter())).collect();
        writeln!(f, "    {}\n", files.trim_end())?;
        for (bucket, value) in self.buckets.iter().enumerate() {
            let mark = if bucket == self.bucket { "  <- by the number of pieces" } else { "" };
            writeln!(f, "output bucket {bucket}: {value:+}{mark}")?;
        }
        for (side, (bucket, mirrored)) in Color::ALL.into_iter().zip(self.views.into_iter().flatten()) {
            let mirror = if mirrored { "through a mirror" } else { "as it is" };
            writeln!(f, "{side} sees the board {mirror}, king bucket {bucket}")?;
        }
        write!(f, "value for White: {:+} before the fifty-move counter", self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::Inputs;
    use std::sync::Arc;

    #[test]
    fn a_queen_is_worth_more_than_a_pawn_and_the_sides_differ_in_sign() {
        let network = Network::material(Architecture::new(Inputs::Mirrored, 32, 2), 0, 1).unwrap();
        let position = Position::from_fen("3qk3/p7/8/8/8/8/P7/3QK3 b - - 60 80").unwrap();
        for evaluation in [Evaluation::Classic, Evaluation::Network(Arc::new(network))] {
            let explanation = Explanation::new(&position, &evaluation);
            let share = |square: Square| explanation.shares[square.index()].unwrap();
            assert!(share(Square::D1) > 4 * share(Square::A2) && share(Square::A2) > 20, "{explanation}");
            assert!(share(Square::D8) < 4 * share(Square::A7) && share(Square::A7) < -20, "{explanation}");
            assert!(explanation.shares[Square::E1.index()].is_none());
            let network = matches!(evaluation, Evaluation::Network(_));
            assert_eq!(explanation.buckets.len(), if network { 2 } else { 0 });
            assert_eq!(explanation.views, network.then_some([(0, true), (0, true)]));
            let faded = explanation.score.units().abs() <= explanation.value.abs();
            assert!(faded, "{explanation}");
            let ending = Position::from_fen("8/8/8/4k3/8/2K5/2B1N3/8 b - - 0 1").unwrap();
            let explanation = Explanation::new(&ending, &evaluation);
            assert_eq!(explanation.score.units(), -explanation.value, "{explanation}");
            assert!(explanation.to_string().contains("value for White"));
        }
    }

    #[test]
    fn every_set_of_output_weights_is_told_for_white_and_the_one_for_the_pieces_marked() {
        let architecture = Architecture::new(Inputs::Mirrored, 32, 3);
        let mut weights = Network::zero(architecture).unwrap().weights();
        // 16320 are an output of 1, and the scale is 400.
        weights.output_biases = vec![16_320, -32_640, 48_960];
        let network = Network::new(architecture, &weights, [0; 8]).unwrap();
        let evaluation = Evaluation::Network(Arc::new(network));
        // Fifteen pieces are in the second third.
        for (side, sign) in [("w", 1), ("b", -1)] {
            let fen = format!("4k3/pppppp2/8/8/8/8/PPPPPPP1/4K3 {side} - - 0 1");
            let explanation = Explanation::new(&Position::from_fen(&fen).unwrap(), &evaluation);
            assert_eq!(explanation.buckets, [400 * sign, -800 * sign, 1200 * sign]);
            assert_eq!((explanation.bucket, explanation.value), (1, -800 * sign));
            let line = format!("output bucket 1: {:+}  <- by the number of pieces", -800 * sign);
            assert!(explanation.to_string().contains(&line), "{explanation}");
        }
    }
}
