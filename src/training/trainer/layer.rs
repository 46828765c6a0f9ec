//! One block of columns of the weights, and how the optimiser moves it.

use super::core::Rates;
use super::kernel::{self, Block, Row, Step};
use super::model::Parameters;
use crate::eval::network::{FEATURES, FIRST};
use crate::sys::cpu::Work;
use crate::sys::vectors::Vectors;
use rayon::prelude::*;

/// Rows that one task of the optimiser moves.
const ROWS: usize = 64;
/// So far a weight may go: times 64 it still fits eight bits.
pub const WEIGHT_LIMIT: f32 = 1.98;
/// The same for each of two weights that are added.
pub const SHARED_LIMIT: f32 = 0.99;
/// So far the numbers may go behind the first deep layer, which are floats in the file; they hardly get there.
pub(super) const REST_LIMIT: f32 = 100.0;

/// One block of columns.
pub(super) struct Layer<const C: usize> {
    /// What positions meet: with several sets, own and shared weights added.
    pub(super) weights: Block<C>,
    pub(super) means: Block<C>,
    pub(super) squares: Block<C>,
    /// With several sets: the input weights without those that are shared, and those.
    pub(super) factored: Option<Factored<C>>,
}

pub(super) struct Factored<const C: usize> {
    pub(super) own: Vec<Row<C>>,
    pub(super) shared: Vec<Row<C>>,
    pub(super) means: Vec<Row<C>>,
    pub(super) squares: Vec<Row<C>>,
}

/// The columns of a block out of rows of `hidden`.
pub(super) fn rows<const C: usize>(numbers: &[f32], hidden: usize, number: usize) -> Vec<Row<C>> {
    let row = |row: &[f32]| Row(std::array::from_fn(|column| row[number * C + column]));
    numbers.chunks_exact(hidden).map(row).collect()
}

/// The reverse of `rows`.
pub(super) fn put<const C: usize>(numbers: &mut [f32], hidden: usize, number: usize, rows: &[Row<C>]) {
    for (to, from) in numbers.chunks_exact_mut(hidden).zip(rows) {
        to[number * C..(number + 1) * C].copy_from_slice(&from.0);
    }
}

pub(super) fn block<const C: usize>(
    parameters: &Parameters,
    features: &[f32],
    hidden: usize,
    number: usize,
) -> Block<C> {
    Block {
        features: rows(features, hidden, number),
        bias: rows(&parameters.biases, hidden, number)[0],
        outputs: rows(&parameters.outputs, hidden, number).as_chunks().0.to_vec(),
        deep: rows(&parameters.deep_first, hidden, number).as_chunks().0.as_chunks().0.to_vec(),
    }
}

/// Moves some rows of input weights.
struct RowsWork<'a, const C: usize> {
    step: Step,
    /// The first row among those of the gradients.
    from: usize,
    gradients: &'a [&'a Block<C>],
    weights: &'a mut [Row<C>],
    means: &'a mut [Row<C>],
    squares: &'a mut [Row<C>],
}

impl<const C: usize> Work for RowsWork<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let RowsWork { step, from, gradients, weights, means, squares } = self;
        let sums = &mut [Row::ZERO; ROWS][..weights.len()];
        sum_rows(gradients, from, sums);
        for (((weights, sum), means), squares) in weights.iter_mut().zip(sums).zip(means).zip(squares) {
            kernel::descend_row(step, WEIGHT_LIMIT, weights, &sum.0, means, squares);
        }
    }
}

/// Sums the slices' gradients of the rows from a place on.
#[inline(always)]
fn sum_rows<const C: usize>(gradients: &[&Block<C>], from: usize, sums: &mut [Row<C>]) {
    for block in gradients {
        for (sum, row) in sums.iter_mut().zip(&block.features[from..]) {
            for column in 0..C {
                sum.0[column] += row.0[column];
            }
        }
    }
}

/// Moves all input weights where some are shared.
struct FactoredWork<'a, const C: usize> {
    step: Step,
    marks_rate: f32,
    gradients: &'a [&'a Block<C>],
    layer: &'a mut Layer<C>,
}

impl<const C: usize> Work for FactoredWork<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let FactoredWork { step, marks_rate, gradients, layer } = self;
        let Layer { weights, means, squares, factored: Some(factored) } = layer else { return };
        let features = &mut weights.features;
        // The rows of marks, which come last, are fewer than those of a set.
        let buckets = features.len() / FEATURES;
        let marks = features.len() - features.len() % FEATURES;
        for from in (marks..features.len()).step_by(ROWS) {
            let to = features.len().min(from + ROWS);
            let step = Step { rate: marks_rate, ..step };
            let own = &mut factored.own[from..to];
            let (means, squares) = (&mut means.features[from..to], &mut squares.features[from..to]);
            RowsWork { step, from, gradients, weights: own, means, squares }.run();
            features[from..to].copy_from_slice(&factored.own[from..to]);
        }
        for from in (0..FEATURES).step_by(ROWS) {
            let mut shared = [Row::ZERO; ROWS];
            for bucket in 0..buckets {
                let mut sums = [Row::ZERO; ROWS];
                let first = bucket * FEATURES + from;
                sum_rows(gradients, first, &mut sums);
                for (at, sum) in sums.iter().enumerate() {
                    let row = first + at;
                    kernel::descend_row(
                        step,
                        SHARED_LIMIT,
                        &mut factored.own[row],
                        &sum.0,
                        &mut means.features[row],
                        &mut squares.features[row],
                    );
                    for column in 0..C {
                        shared[at].0[column] += sum.0[column];
                    }
                }
            }
            for (at, sum) in shared.iter().enumerate() {
                let row = from + at;
                let Factored { own, shared, means, squares } = &mut *factored;
                let (means, squares) = (&mut means[row], &mut squares[row]);
                kernel::descend_row(step, SHARED_LIMIT, &mut shared[row], &sum.0, means, squares);
                for bucket in 0..buckets {
                    let merged = bucket * FEATURES + row;
                    for column in 0..C {
                        features[merged].0[column] = own[merged].0[column] + shared[row].0[column];
                    }
                }
            }
        }
    }
}

impl<const C: usize> Layer<C> {
    pub(super) fn descend(&mut self, step: Step, rates: Rates, gradients: &[&Block<C>], vectors: Vectors) {
        let marks_rate = rates.marks;
        if self.factored.is_some() {
            vectors.run(FactoredWork { step, marks_rate, gradients, layer: self });
        } else {
            let weights = self.weights.features.par_chunks_mut(ROWS);
            let means = self.means.features.par_chunks_mut(ROWS);
            let squares = self.squares.features.par_chunks_mut(ROWS);
            weights.zip(means).zip(squares).enumerate().for_each(|(number, ((weights, means), squares))| {
                let from = number * ROWS;
                vectors.run(RowsWork { step, from, gradients, weights, means, squares });
            });
        }
        let Layer { weights, means, squares, .. } = self;
        let sum = |row: &dyn Fn(&Block<C>) -> Row<C>| {
            let mut sum = [0.0; C];
            for block in gradients {
                sum.iter_mut().zip(row(block).0).for_each(|(sum, part)| *sum += part);
            }
            sum
        };
        let bias = sum(&|block| block.bias);
        kernel::descend_row(step, WEIGHT_LIMIT, &mut weights.bias, &bias, &mut means.bias, &mut squares.bias);
        for bucket in 0..weights.outputs.len() {
            for side in 0..2 {
                let output = sum(&|block| block.outputs[bucket][side]);
                kernel::descend_row(
                    step,
                    WEIGHT_LIMIT,
                    &mut weights.outputs[bucket][side],
                    &output,
                    &mut means.outputs[bucket][side],
                    &mut squares.outputs[bucket][side],
                );
            }
        }
        let step = Step { rate: rates.deep, ..step };
        for bucket in 0..weights.deep.len() {
            for neuron in 0..FIRST {
                for side in 0..2 {
                    let row = sum(&|block| block.deep[bucket][neuron][side]);
                    kernel::descend_row(
                        step,
                        WEIGHT_LIMIT,
                        &mut weights.deep[bucket][neuron][side],
                        &row,
                        &mut means.deep[bucket][neuron][side],
                        &mut squares.deep[bucket][neuron][side],
                    );
                }
            }
        }
    }
}
