//! The value by the definition, from nothing and in plain loops: what every faster way is measured by.

use super::{Network, QA, unpack};
use crate::board::Board;
use crate::types::Color;

impl Network {
    /// The value of a board for its side to move, in internal units; slow. Nothing is said about the rules: the fifty
    /// moves do not count here.
    pub fn evaluate(&self, board: &Board) -> i32 {
        self.evaluate_in(board, self.architecture.output_bucket(board.occupied().count()))
    }

    /// The same by a set of output weights that need not be the one for the number of pieces.
    pub(crate) fn evaluate_in(&self, board: &Board, bucket: usize) -> i32 {
        let us = board.side_to_move();
        let (own, other) = self.outputs(bucket);
        let squares: Vec<i32> = [us, !us]
            .iter()
            .flat_map(|&side| self.sums(board, side))
            .map(|sum| i32::from(sum).clamp(0, QA).pow(2))
            .collect();
        let weights = unpack(own).into_iter().chain(unpack(other));
        let weighted = squares.iter().zip(weights).map(|(square, weight)| i32::from(weight) * square);
        let deep = self.deep(bucket).map_or(0, |deep| deep.value(&squares));
        self.value(weighted.fold(0, i32::wrapping_add), deep, bucket)
    }

    /// One side's sums.
    fn sums(&self, board: &Board, side: Color) -> Vec<i16> {
        let view = self.architecture.view(side, board.king(side));
        let lanes = self.lanes();
        let mut sums = unpack(&self.biases);
        let tension = self.architecture.tension(board);
        let of_pieces = board.occupied().into_iter().filter_map(|square| {
            let piece = board.piece_on(square)?;
            let set = self.architecture.inputs.set(piece.kind(), tension.exposures.of(square));
            Some(view.row(piece, square, set))
        });
        let of_marks = Color::ALL.into_iter().flat_map(|color| {
            tension.marks[color.index()].numbers().map(move |number| view.row_of_mark(color, number))
        });
        for row in of_pieces.chain(of_marks) {
            let row = &self.features[row * lanes..][..lanes];
            for (sum, weight) in sums.iter_mut().zip(row.iter().flat_map(|lanes| lanes.0)) {
                *sum = sum.wrapping_add(weight);
            }
        }
        sums
    }
}
