//! Rounds the output weights of a network so that its values change as little as they can.
//!
//! An output weight of a network file is a multiple of 1/64, and to take the nearest is not the best: the errors of a few
//! hundred weights add up. Many sums rise and fall together, so that one weight can make up for the others. Which numbers do
//! so best is a question of least squares over some positions, answered one weight at a time until no step of one weight
//! brings the values nearer. The rounding of the input weights is made up for too.

use super::export::squared_sums;
use super::model::{self, Parameters};
use super::record::Record;
use crate::eval::network::{Architecture, MAX_OUTPUT_WEIGHT, QA, QB, Weights};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Output weights and biases as the network file has them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Outputs {
    /// `[output bucket][own side, other side][hidden]`, in units of 1/[`QB`].
    pub weights: Vec<i16>,
    /// `[output bucket]`, in units of 1/([`QA`] [`QB`]).
    pub biases: Vec<i32>,
}

/// So many positions are looked at for each set of output weights, spread over all; more where that is not
/// [`ENOUGH_A_WEIGHT`].
const MOST: usize = 30_000;
/// Fewer positions say nothing of a set of output weights.
const ENOUGH: usize = 100;
/// With fewer positions a weight, only their bias is fitted.
const ENOUGH_A_WEIGHT: usize = 8;
/// Sums of products between two looks at whether to stop.
const AT_ONCE: usize = 128;
/// Passes over all weights; a few are enough.
const MOST_PASSES: usize = 100;

/// The output weights and biases with which `network`, whose other numbers are rounded already, comes nearest to `parameters`
/// on these positions, of which it takes as many as it needs. Nothing if it is asked to stop.
pub fn fit(
    architecture: &Architecture,
    parameters: &Parameters,
    network: &Weights,
    records: &[Record],
    is_stopped: &mut dyn FnMut() -> bool,
) -> Option<Outputs> {
    let mut outputs = Outputs { weights: network.outputs.clone(), biases: network.output_biases.clone() };
    let features = parameters.merged_features();
    let deep = network.deep.layers(architecture.hidden);
    let width = 2 * architecture.hidden;
    let sets = outputs.weights.chunks_exact_mut(width).zip(&mut outputs.biases);
    for (bucket, (weights, bias)) in sets.enumerate() {
        if is_stopped() {
            return None;
        }
        let own = |record: &&Record| architecture.output_bucket(record.count() as u32) == bucket;
        let enough = ENOUGH_A_WEIGHT * width;
        let all: Vec<&Record> = records.iter().filter(own).collect();
        let records: Vec<&Record> = spread(all.len(), MOST.max(enough)).map(|at| all[at]).collect();
        if records.len() < ENOUGH {
            continue;
        }
        let layers = deep.get(bucket);
        let each = |record: &&Record| {
            let squares = squared_sums(architecture, network, record);
            // What the deep layers say, rounded as they are, need not be said again.
            let said = layers.map_or(0, |layers| layers.value(&squares)) as f32 / (QA * QB) as f32;
            (activations(squares), model::output(architecture, parameters, &features, record) - said)
        };
        let (seen, wanted): (Vec<Vec<f32>>, Vec<f32>) = records.par_iter().map(each).unzip();
        let means = Means::new(&seen, &wanted);
        if records.len() >= enough {
            Problem::new(&seen, &wanted, &means, is_stopped)?.improve(weights);
        }
        *bias = (means.bias(weights) * f64::from(QA * QB)).round() as i32;
    }
    Some(outputs)
}

/// So many places at most out of a row of `count`, at the same distance.
pub(super) fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let wanted = count.min(most);
    (0..wanted).map(move |at| at * count / wanted)
}

/// What goes into the output, 1 being the most.
fn activations(squares: Vec<i32>) -> Vec<f32> {
    squares.into_iter().map(|square| square as f32 / (QA * QA) as f32).collect()
}

/// Of each activation, and of what is wanted.
struct Means {
    seen: Vec<f64>,
    wanted: f64,
}

impl Means {
    fn new(seen: &[Vec<f32>], wanted: &[f32]) -> Means {
        let count = seen.len() as f64;
        let mut means = vec![0.0; seen[0].len()];
        for row in seen {
            means.iter_mut().zip(row).for_each(|(mean, &value)| *mean += f64::from(value) / count);
        }
        Means { seen: means, wanted: wanted.iter().map(|&value| f64::from(value)).sum::<f64>() / count }
    }

    /// The bias with which the mean is what is wanted.
    fn bias(&self, weights: &[i16]) -> f64 {
        let sum: f64 = self.seen.iter().zip(weights).map(|(mean, &weight)| mean * f64::from(weight)).sum();
        self.wanted - sum / f64::from(QB)
    }
}

/// Least squares over positions: the sums of products with the means taken off.
struct Problem {
    /// Of each pair of activations.
    products: Vec<Vec<f32>>,
    /// Of each activation and what is wanted.
    wanted: Vec<f64>,
}

impl Problem {
    /// Nothing if it is asked to stop: this takes longest.
    fn new(
        seen: &[Vec<f32>],
        wanted: &[f32],
        means: &Means,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> Option<Problem> {
        let width = means.seen.len();
        // With the means taken off first, the sums lose no digits.
        let centred: Vec<Vec<f32>> = seen
            .par_iter()
            .map(|row| {
                row.iter().zip(&means.seen).map(|(&value, mean)| (f64::from(value) - mean) as f32).collect()
            })
            .collect();
        let product = |at: usize| {
            let mut sums = vec![0.0; width];
            for row in &centred {
                let factor = row[at];
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
            }
            sums
        };
        let mut products = vec![];
        while products.len() < width {
            if is_stopped() {
                return None;
            }
            let last = width.min(products.len() + AT_ONCE);
            products.par_extend((products.len()..last).into_par_iter().map(product));
        }
        let against = (0..width).into_par_iter().map(|at| {
            let pairs = centred.iter().zip(wanted);
            pairs.map(|(row, &value)| f64::from(row[at]) * (f64::from(value) - means.wanted)).sum()
        });
        Some(Problem { products, wanted: against.collect() })
    }

    /// Moves one weight after the other by whole steps while that brings the values nearer.
    fn improve(&self, weights: &mut [i16]) {
        let step = 1.0 / f64::from(QB);
        // By how much each weight would help, per unit.
        let mut slopes = self.wanted.clone();
        for (row, &weight) in self.products.iter().zip(&*weights) {
            let amount = f64::from(weight) * step;
            slopes.iter_mut().zip(row).for_each(|(slope, &product)| *slope -= amount * f64::from(product));
        }
        for _ in 0..MOST_PASSES {
            let mut moved = false;
            for (at, weight) in weights.iter_mut().enumerate() {
                let row = &self.products[at];
                let curvature = f64::from(row[at]);
                if curvature <= 0.0 {
                    continue;
                }
                let most = f64::from(MAX_OUTPUT_WEIGHT);
                let wanted = f64::from(*weight) + (slopes[at] / curvature / step).round();
                let change = wanted.clamp(-most, most) - f64::from(*weight);
                if change != 0.0 {
                    moved = true;
                    *weight += change as i16;
                    let amount = change * step;
                    slopes
                        .iter_mut()
                        .zip(row)
                        .for_each(|(slope, &product)| *slope -= amount * f64::from(product));
                }
            }
            if !moved {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn as_many_as_are_wanted_come_from_all_over() {
        let places = |count, most| spread(count, most).collect::<Vec<_>>();
        assert_eq!(places(10, 4), [0, 2, 5, 7]);
        assert_eq!(places(31, 30).len(), 30);
        assert_eq!(places(3, 4), [0, 1, 2]);
        assert!(places(0, 4).is_empty());
    }
}
