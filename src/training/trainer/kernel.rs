//! The inner loops: plain Rust over rows of fixed length, so that the compiler makes vector instructions of them.
//!
//! The hidden layer is cut into blocks of `C` columns. The weights of a block fit the second-level cache, and a row of one
//! is a few registers. Everything is added up in an order that depends on nothing but the sizes, so that the results
//! are the same bits with any kind of vectors and any number of threads.

// An index that all arrays of a row have in common is what the compiler makes the best vector code of.
#![allow(clippy::needless_range_loop)]

use super::record::{MAX_ROWS, Record};
use crate::eval::network::{Architecture, FIRST};

/// A row of a block, aligned for the widest vectors.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Row<const C: usize>(pub [f32; C]);

impl<const C: usize> Row<C> {
    /// All zero.
    pub const ZERO: Row<C> = Row([0.0; C]);
}

/// Some positions, made ready.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    /// How many rows each has.
    pub counts: Vec<u8>,
    /// Its set of output weights.
    pub buckets: Vec<u8>,
    /// The rows of input weights of the two views, for all pieces and marks of all positions, and room for more.
    pub rows: Vec<[u16; 2]>,
    /// How many rows there are.
    filled: usize,
    /// What should come out, 0 to 1.
    pub targets: Vec<f32>,
}

impl Positions {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.counts.clear();
        self.buckets.clear();
        self.targets.clear();
        self.filled = 0;
    }

    /// Appends a position: the record, through the mirror or not, with what should come out.
    #[inline(always)]
    pub fn push(&mut self, architecture: &Architecture, record: &Record, mirror: bool, target: f32) {
        let end = self.filled + MAX_ROWS;
        if self.rows.len() < end {
            self.rows.resize(2 * end, [0; 2]);
        }
        let Some(room) = self.rows[self.filled..].first_chunk_mut() else { return };
        let count = record.rows(architecture, mirror, room);
        self.filled += count;
        self.counts.push(count as u8);
        self.buckets.push(architecture.output_bucket(record.count() as u32) as u8);
        self.targets.push(target);
    }
}

/// One block of weights, or of their gradients: a row for each input, then the bias, then the two rows of each set of
/// output weights.
#[derive(Clone, Debug)]
pub struct Block<const C: usize> {
    /// Of the inputs.
    pub features: Vec<Row<C>>,
    /// Of the bias.
    pub bias: Row<C>,
    /// Of the outputs.
    pub outputs: Vec<[Row<C>; 2]>,
    /// Of the first deep layer, for each set of output weights; none without.
    pub deep: Vec<[[Row<C>; 2]; FIRST]>,
}

impl<const C: usize> Block<C> {
    /// All zero.
    pub fn zero(architecture: &Architecture) -> Block<C> {
        let buckets = architecture.output_buckets;
        Block {
            features: vec![Row::ZERO; architecture.rows()],
            bias: Row::ZERO,
            outputs: vec![[Row::ZERO; 2]; buckets],
            deep: vec![[[Row::ZERO; 2]; FIRST]; if architecture.deep { buckets } else { 0 }],
        }
    }

    /// Makes all zero.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.features.fill(Row::ZERO);
        self.bias = Row::ZERO;
        self.outputs.fill([Row::ZERO; 2]);
        self.deep.fill([[Row::ZERO; 2]; FIRST]);
    }
}

#[inline(always)]
fn clip(sum: f32) -> f32 {
    let sum = if sum > 0.0 { sum } else { 0.0 };
    if sum < 1.0 { sum } else { 1.0 }
}

/// The sum of a row, halves added to halves.
#[inline(always)]
fn total<const C: usize>(mut row: [f32; C]) -> f32 {
    let mut width = C / 2;
    while width > 0 {
        for at in 0..width {
            row[at] += row[at + width];
        }
        width /= 2;
    }
    row[0]
}

/// Adds this block's part of the output of each position to `outputs`, and of the first deep layer to `deep`, and keeps the
/// clipped sums.
#[inline(always)]
pub fn forward<const C: usize>(
    weights: &Block<C>,
    positions: &Positions,
    sums: &mut [[Row<C>; 2]],
    outputs: &mut [f32],
    deep: &mut [[f32; FIRST]],
) {
    let mut at = 0;
    let each = positions.counts.iter().zip(&positions.buckets).zip(sums).zip(outputs).zip(deep);
    for ((((&count, &bucket), kept), output), deep) in each {
        let rows = &positions.rows[at..at + usize::from(count)];
        at += usize::from(count);
        let (mut own, mut other) = (weights.bias.0, weights.bias.0);
        for &[a, b] in rows {
            let (a, b) = (&weights.features[usize::from(a)].0, &weights.features[usize::from(b)].0);
            for column in 0..C {
                own[column] += a[column];
            }
            for column in 0..C {
                other[column] += b[column];
            }
        }
        let [own_weights, other_weights] = &weights.outputs[usize::from(bucket)];
        let mut products = [0.0; C];
        for column in 0..C {
            own[column] = clip(own[column]);
            other[column] = clip(other[column]);
            products[column] = own[column] * own[column] * own_weights.0[column]
                + other[column] * other[column] * other_weights.0[column];
        }
        *kept = [Row(own), Row(other)];
        *output += total(products);
        if let Some(neurons) = weights.deep.get(usize::from(bucket)) {
            for (sum, [own_weights, other_weights]) in deep.iter_mut().zip(neurons) {
                for column in 0..C {
                    products[column] = own[column] * own[column] * own_weights.0[column]
                        + other[column] * other[column] * other_weights.0[column];
                }
                *sum += total(products);
            }
        }
    }
}

/// Adds the gradients of this block, from the clipped sums that `forward` kept and the slope of the loss by each
/// position's output and by its sums of the first deep layer.
#[inline(always)]
pub fn backward<const C: usize>(
    weights: &Block<C>,
    positions: &Positions,
    sums: &[[Row<C>; 2]],
    slopes: &[f32],
    deep: &[[f32; FIRST]],
    gradients: &mut Block<C>,
) {
    let mut at = 0;
    let each = positions.counts.iter().zip(&positions.buckets).zip(sums).zip(slopes).zip(deep);
    for ((((&count, &bucket), sums), &slope), deep) in each {
        let rows = &positions.rows[at..at + usize::from(count)];
        at += usize::from(count);
        let neurons = weights.deep.get(usize::from(bucket));
        let weights = &weights.outputs[usize::from(bucket)];
        let outputs = &mut gradients.outputs[usize::from(bucket)];
        let mut by_sum = [[0.0; C]; 2];
        let mut by_square = [[0.0; C]; 2];
        if let (Some(neurons), Some(gradients)) = (neurons, gradients.deep.get_mut(usize::from(bucket))) {
            for ((weights, gradients), &slope) in neurons.iter().zip(gradients).zip(deep) {
                for side in 0..2 {
                    for column in 0..C {
                        let sum = sums[side].0[column];
                        by_square[side][column] += slope * weights[side].0[column];
                        gradients[side].0[column] += slope * (sum * sum);
                    }
                }
            }
        }
        for side in 0..2 {
            for column in 0..C {
                let sum = sums[side].0[column];
                let product = slope * sum;
                outputs[side].0[column] += product * sum;
                let by_clipped =
                    2.0 * product * weights[side].0[column] + 2.0 * sum * by_square[side][column];
                // Flat at 0 by itself, and from 1 on.
                by_sum[side][column] = if sum < 1.0 { by_clipped } else { 0.0 };
            }
        }
        let [own, other] = &by_sum;
        for column in 0..C {
            gradients.bias.0[column] += own[column] + other[column];
        }
        for &[a, b] in rows {
            let row = &mut gradients.features[usize::from(a)].0;
            for column in 0..C {
                row[column] += own[column];
            }
            let row = &mut gradients.features[usize::from(b)].0;
            for column in 0..C {
                row[column] += other[column];
            }
        }
    }
}

/// What the optimiser needs to know at a step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The learning rate.
    pub rate: f32,
    /// By what the sums of gradients are multiplied: one over the number of positions.
    pub share: f32,
}

/// How much of the average gradient remains at each step.
const BETA_1: f32 = 0.9;
/// The same of its square.
const BETA_2: f32 = 0.999;
/// Keeps the quotient finite.
const EPSILON: f32 = 1e-8;
/// How much of each weight goes at each step, times the learning rate.
const DECAY: f32 = 0.01;

/// One step of AdamW (I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2017) without correction of
/// the first averages, for which the warm-up stands in: by gradients that stay alike the hundredth step is 3.2 times as
/// long as the rate says, the thousandth 1.26 times.
#[inline(always)]
pub fn descend(step: Step, limit: f32, weight: &mut f32, gradient: f32, mean: &mut f32, square: &mut f32) {
    let gradient = gradient * step.share;
    *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
    *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
    let moved = *weight * (1.0 - step.rate * DECAY) - step.rate * *mean / (square.sqrt() + EPSILON);
    let moved = if moved > limit { limit } else { moved };
    *weight = if moved < -limit { -limit } else { moved };
}

/// One step for a row.
#[inline(always)]
pub fn descend_row<const C: usize>(
    step: Step,
    limit: f32,
    weights: &mut Row<C>,
    gradients: &[f32; C],
    means: &mut Row<C>,
    squares: &mut Row<C>,
) {
    for column in 0..C {
        descend(
            step,
            limit,
            &mut weights.0[column],
            gradients[column],
            &mut means.0[column],
            &mut squares.0[column],
        );
    }
}

/// 1 / (1 + e^-x) to about 1e-7.
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    let x = if x < 30.0 { x } else { 30.0 };
    let minus = if x > -30.0 { -x } else { 30.0 };
    1.0 / (1.0 + exp(minus))
}

/// e^x to about 1e-7 of it, for x from -80 to 80, by operations that are the same on every machine: it is 2^k e^r, where k is
/// whole and r within half of ln 2; e^r by its Taylor series.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const TO_WHOLE: f32 = 12_582_912.0;
    // ln 2 in two parts, the first with few digits, so that k times it is exact (W. Cody and W. Waite, 1980).
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let shifted = x * std::f32::consts::LOG2_E + TO_WHOLE;
    let whole = shifted - TO_WHOLE;
    let rest = x - whole * LN_2_HIGH - whole * LN_2_LOW;
    let mut series = 1.0 / 5040.0;
    for factor in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = series * rest + factor;
    }
    series * f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0f32.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sigmoid_is_one() {
        for step in -6000..=6000 {
            let x = step as f32 / 200.0;
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - exact).abs() < 2e-7, "{x}: {} {exact}", sigmoid(x));
        }
        assert!(sigmoid(1e30) <= 1.0 && sigmoid(-1e30) >= 0.0 && sigmoid(1e30) > 0.999_999);
    }

    #[test]
    fn a_step_moves_the_weight_by_the_averages_and_towards_zero() {
        let step = Step { rate: 0.1, share: 0.5 };
        let (mut weight, mut mean, mut square) = (1.0, 0.5, 0.25);
        descend(step, 10.0, &mut weight, 4.0, &mut mean, &mut square);
        // 0.9 * 0.5 + 0.1 * 2; 0.999 * 0.25 + 0.001 * 2 * 2; 1 - 0.1 * 0.01 - 0.1 * 0.65 / 0.503736.
        for (found, exact) in [(mean, 0.65), (square, 0.253_75), (weight, 0.869_964)] {
            assert!((found - exact).abs() < 1e-6_f32, "{found} {exact}");
        }
        for (gradient, limit) in [(-400.0, 0.75), (4_000.0, -0.75)] {
            descend(Step { rate: 1.0, ..step }, 0.75, &mut weight, gradient, &mut mean, &mut square);
            assert_eq!(weight, limit);
        }
    }

    #[test]
    fn by_gradients_that_stay_alike_steps_become_as_long_as_the_rate_says() {
        let step = Step { rate: 1e-4, share: 1.0 };
        let (mut weight, mut mean, mut square) = (0.0, 0.0, 0.0);
        let mut lengths = vec![];
        for _ in 0..1_000 {
            let before = weight;
            descend(step, 10.0, &mut weight, 3.0, &mut mean, &mut square);
            lengths.push((before - weight) / step.rate);
        }
        for (number, times) in [(100, 3.24), (1_000, 1.26)] {
            assert!((lengths[number - 1] - times).abs() < 0.02, "{number}: {}", lengths[number - 1]);
        }
    }
}
