//! How well what is foretold foretells: what is left of the squared error of results, in points, beside what the static score
//! leaves.
//!
//! For each range of numbers of pieces the points that are foretold are fitted to the results by a slope and a move (least
//! squares): a teacher is to know more, and not to be surer or bolder.

use super::sample::Sample;
use crate::training::trainer::kernel::sigmoid;

/// The fewest pieces of each range.
const RANGES: [usize; 8] = [0, 6, 9, 12, 15, 19, 24, 28];

/// What is less of the squared error than the static score leaves, in thousandths of a point squared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gain {
    /// On average.
    pub mean: f64,
    /// Half of the 95 % interval, by games.
    pub error: f64,
    /// The same average with 24 pieces and more, 14 to 23, and fewer.
    pub by_pieces: [f64; 3],
}

/// What the static scores of positions leave of the squared error, in thousandths, and the gain of each of `others`: logits for
/// each position. `ends` is where games end among the positions, of which there must be some.
pub fn gains(samples: &[Sample], ends: &[usize], others: &[Vec<f32>]) -> (f64, Vec<Gain>) {
    let still: Vec<f32> =
        samples.iter().map(|sample| f32::from(sample.still) / super::tokens::SCALE).collect();
    let before = left(samples, &still);
    let gains = others.iter().map(|logits| gain(samples, ends, &before, &left(samples, logits)));
    (1_000.0 * before.iter().sum::<f64>() / before.len() as f64, gains.collect())
}

/// The squared error that is left in each position.
fn left(samples: &[Sample], logits: &[f32]) -> Vec<f64> {
    let range = |sample: &Sample| RANGES.iter().rposition(|&least| sample.count() >= least).unwrap_or(0);
    // Count, foretold, result, their products.
    let mut sums = [[0.0; 5]; RANGES.len()];
    let each = || {
        samples.iter().zip(logits).map(|(sample, &logit)| {
            (range(sample), f64::from(sigmoid(logit)), f64::from(sample.truth().points))
        })
    };
    for (range, points, result) in each() {
        let numbers = [1.0, points, result, points * points, points * result];
        sums[range].iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
    }
    let fits = sums.map(|[count, points, result, square, product]| {
        let spread = count * square - points * points;
        let slope = if spread > 1e-9 * count { (count * product - points * result) / spread } else { 0.0 };
        (slope, (result - slope * points) / count.max(1.0))
    });
    each().map(|(range, points, result)| (fits[range].0 * points + fits[range].1 - result).powi(2)).collect()
}

fn gain(samples: &[Sample], ends: &[usize], before: &[f64], after: &[f64]) -> Gain {
    let less: Vec<f64> = before.iter().zip(after).map(|(before, after)| 1_000.0 * (before - after)).collect();
    let mean = less.iter().sum::<f64>() / less.len() as f64;
    let mut begin = 0;
    let mut variance = 0.0;
    for &end in ends {
        let game = &less[begin..end];
        variance += (game.iter().sum::<f64>() - mean * game.len() as f64).powi(2);
        begin = end;
    }
    let by_pieces = [24..=64, 14..=23, 0..=13].map(|range| {
        let of = samples.iter().zip(&less).filter(|(sample, _)| range.contains(&sample.count()));
        let (count, sum) = of.fold((0, 0.0), |(count, sum), (_, less)| (count + 1, sum + less));
        sum / f64::from(count.max(1))
    });
    Gain { mean, error: 1.96 * variance.sqrt() / less.len() as f64, by_pieces }
}
