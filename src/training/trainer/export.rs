//! From floats to the whole numbers of a network file.

use super::model::{self, Parameters};
use super::record::{MAX_ROWS, Record};
use super::rounding::Outputs;
use crate::eval::network::{Architecture, DeepWeights, Network, NetworkError, QA, QB, Weights};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// Why there is no network.
#[derive(Clone, PartialEq, Debug)]
pub enum ExportError {
    /// A number is infinite or none at all: of which part, where.
    NotFinite(&'static str, usize),
    /// A number does not fit its place in the file: of which part, where, the number.
    TooLarge(&'static str, usize, f64),
    /// The network cannot be.
    Network(NetworkError),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::NotFinite(part, at) => write!(
                f,
                "training has failed: number {at} of the {part} is not finite; a smaller --rate may help"
            ),
            ExportError::TooLarge(part, at, number) => {
                write!(f, "number {at} of the {part} is {number}, which the network file cannot hold")
            }
            ExportError::Network(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExportError {}

/// The network of these numbers, rounded to the nearest, but for output weights and biases if they are given (see
/// `rounding::fit`), as [`with_id_of`] makes it.
///
/// # Errors
/// If a number is not finite or does not fit, or sums could overflow.
pub fn quantise(
    architecture: &Architecture,
    parameters: &Parameters,
    outputs: Option<&Outputs>,
) -> Result<Network, ExportError> {
    if let Some((part, at)) = parameters.first_unusable() {
        return Err(ExportError::NotFinite(part, at));
    }
    let first = round("weights of the first deep layer", &parameters.deep_first, QB, i8::MAX)?;
    let mut weights = Weights {
        features: round("input weights", &parameters.merged_features(), QA, i16::MAX)?,
        biases: round("biases", &parameters.biases, QA, i16::MAX)?,
        outputs: round("output weights", &parameters.outputs, QB, i16::MAX)?,
        output_biases: round("output biases", &parameters.output_biases, QA * QB, i32::MAX)?,
        deep: DeepWeights { first, rest: parameters.deep_rest.clone() },
    };
    if let Some(outputs) = outputs {
        weights.outputs.clone_from(&outputs.weights);
        weights.output_biases.clone_from(&outputs.biases);
    }
    with_id_of(architecture, &weights).map_err(ExportError::Network)
}

/// How many units each number of a part is, to the nearest; none may be more than `most`, nor less than its opposite.
fn round<T: Copy + Into<f64> + TryFrom<i32>>(
    part: &'static str,
    numbers: &[f32],
    unit: i32,
    most: T,
) -> Result<Vec<T>, ExportError> {
    let each = numbers.iter().enumerate().map(|(at, &number)| {
        let rounded = (f64::from(number) * f64::from(unit)).round();
        let fitting = (rounded.abs() <= most.into()).then_some(rounded as i32);
        let found = fitting.and_then(|units| T::try_from(units).ok());
        found.ok_or(ExportError::TooLarge(part, at, f64::from(number)))
    });
    each.collect()
}

/// The network of these numbers; its id is the beginning of their SHA-256.
///
/// # Errors
/// As [`Network::new`].
pub fn with_id_of(architecture: &Architecture, weights: &Weights) -> Result<Network, NetworkError> {
    let mut hasher = Sha256::new();
    for part in [&weights.features, &weights.biases, &weights.outputs] {
        part.iter().for_each(|number| hasher.update(number.to_le_bytes()));
    }
    weights.output_biases.iter().for_each(|number| hasher.update(number.to_le_bytes()));
    weights.deep.first.iter().for_each(|number| hasher.update(number.to_le_bytes()));
    weights.deep.rest.iter().for_each(|number| hasher.update(number.to_le_bytes()));
    let mut id = [0; 8];
    id.copy_from_slice(&hasher.finalize()[..8]);
    Network::new(*architecture, weights, id)
}

/// How far the rounded network is from the floats, in internal units.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct RoundingError {
    /// On average.
    pub mean: f64,
    /// At most.
    pub largest: f64,
    /// Over so many positions.
    pub positions: usize,
    /// The average value without its sign, for comparison.
    pub mean_value: f64,
}

/// Compares the network with the numbers that it was made of.
pub fn rounding_error(network: &Network, parameters: &Parameters, records: &[Record]) -> RoundingError {
    let architecture = network.architecture();
    let features = parameters.merged_features();
    let weights = network.weights();
    let (mut sum, mut largest, mut size) = (0.0, 0.0f64, 0.0);
    for record in records {
        let exact = model::output(architecture, parameters, &features, record);
        let exact = f64::from(exact) * f64::from(architecture.scale);
        let error = (exact - f64::from(value(network, &weights, record))).abs();
        sum += error;
        largest = largest.max(error);
        size += exact.abs();
    }
    let count = records.len().max(1) as f64;
    RoundingError { mean: sum / count, largest, positions: records.len(), mean_value: size / count }
}

/// What a network says of a record, in internal units, computed as simply as can be.
pub fn value(network: &Network, weights: &Weights, record: &Record) -> i32 {
    let architecture = network.architecture();
    let bucket = architecture.output_bucket(record.count() as u32);
    let outputs = &weights.outputs[2 * architecture.hidden * bucket..];
    let squares = squared_sums(architecture, weights, record);
    let total: i64 =
        squares.iter().zip(outputs).map(|(&square, &weight)| i64::from(square) * i64::from(weight)).sum();
    let deep = network.deep(bucket).map_or(0, |deep| deep.value(&squares));
    let output = total / i64::from(QA) + i64::from(deep) + i64::from(weights.output_biases[bucket]);
    (output * i64::from(architecture.scale) / i64::from(QA * QB)) as i32
}

/// What goes into the output: the sums of the side to move's view, then of the other's, clamped and squared, in units of
/// 1/([`QA`] [`QA`]).
pub(super) fn squared_sums(architecture: &Architecture, weights: &Weights, record: &Record) -> Vec<i32> {
    let hidden = architecture.hidden;
    let mut rows = [[0; 2]; MAX_ROWS];
    let count = record.rows(architecture, false, &mut rows);
    let mut all = Vec::with_capacity(2 * hidden);
    for side in 0..2 {
        let mut sums: Vec<i32> = weights.biases.iter().map(|&bias| bias.into()).collect();
        for row in &rows[..count] {
            let at = usize::from(row[side]) * hidden;
            for (sum, &weight) in sums.iter_mut().zip(&weights.features[at..at + hidden]) {
                *sum += i32::from(weight);
            }
        }
        all.extend(sums.into_iter().map(|sum| sum.clamp(0, QA).pow(2)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::Inputs;

    #[test]
    fn what_cannot_be_rounded_is_refused() {
        let architecture = Architecture::new(Inputs::Plain, 32, 1);
        let good = Parameters::random(&architecture, 1);
        quantise(&architecture, &good, None).unwrap();
        let mut nan = good.clone();
        nan.outputs[3] = f32::NAN;
        assert_eq!(
            quantise(&architecture, &nan, None).map(|_| ()),
            Err(ExportError::NotFinite("output weights", 3))
        );
        let mut large = good.clone();
        large.biases[5] = 200.0;
        assert_eq!(
            quantise(&architecture, &large, None).map(|_| ()),
            Err(ExportError::TooLarge("biases", 5, 200.0))
        );
        let mut large = good.clone();
        large.outputs[7] = 3.0;
        assert!(matches!(quantise(&architecture, &large, None), Err(ExportError::Network(_))));
        let mut large = good;
        large.output_biases[0] = f32::MAX;
        assert!(matches!(
            quantise(&architecture, &large, None),
            Err(ExportError::TooLarge("output biases", 0, _))
        ));
    }

    #[test]
    fn every_part_of_the_numbers_is_in_the_id() {
        let architecture = Architecture { deep: true, ..Architecture::new(Inputs::Mirrored, 32, 2) };
        let parameters = Parameters::random(&architecture, 1);
        let weights = quantise(&architecture, &parameters, None).unwrap().weights();
        let with = |change: fn(&mut Weights)| {
            let mut changed = weights.clone();
            change(&mut changed);
            with_id_of(&architecture, &changed).unwrap().id()
        };
        let ids = [
            with(|_| ()),
            with(|weights| weights.features[7] += 1),
            with(|weights| weights.biases[7] += 1),
            with(|weights| weights.outputs[7] += 1),
            with(|weights| weights.output_biases[1] += 1),
            with(|weights| weights.deep.first[7] += 1),
            with(|weights| weights.deep.rest[7] += 0.125),
        ];
        for (at, id) in ids.iter().enumerate() {
            assert!(!ids[..at].contains(id), "{at}");
        }
        assert_eq!(ids[0], with(|_| ()));
    }

    #[test]
    fn each_number_becomes_the_nearest_of_its_part() {
        let architecture = Architecture { deep: true, ..Architecture::new(Inputs::Mirrored, 32, 2) };
        let mut parameters = Parameters::zero(&architecture);
        let nearly = [1.6, -1.6, 1.4, -1.4];
        for (at, number) in nearly.into_iter().enumerate() {
            parameters.features[at] = number / 255.0;
            parameters.biases[at] = number / 255.0;
            parameters.outputs[at] = number / 64.0;
            parameters.deep_first[at] = number / 64.0;
        }
        parameters.output_biases = vec![-1.6 / (255.0 * 64.0), 1.4 / (255.0 * 64.0)];
        let weights = quantise(&architecture, &parameters, None).unwrap().weights();
        let nearest = [2, -2, 1, -1];
        for part in [&weights.features, &weights.biases, &weights.outputs] {
            assert_eq!(part[..4], nearest);
        }
        assert_eq!(weights.deep.first[..4], nearest.map(|number| number as i8));
        assert_eq!(weights.output_biases, [-2, 1]);
    }
}
