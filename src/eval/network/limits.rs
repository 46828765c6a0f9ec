//! Refuses numbers with which some position could make a sum overflow.

use super::{Architecture, FEATURES, MAX_OUTPUT_WEIGHT, NetworkError, QA, Weights};

/// The most pieces of a position of a game.
const MOST_PIECES: usize = 32;

pub(super) fn check(architecture: &Architecture, weights: &Weights) -> Result<(), NetworkError> {
    let [features, biases, outputs, output_biases] = architecture.sizes();
    let [first, rest] = architecture.deep_sizes();
    for (part, there, expected) in [
        ("feature weights", weights.features.len(), features),
        ("biases", weights.biases.len(), biases),
        ("output weights", weights.outputs.len(), outputs),
        ("output biases", weights.output_biases.len(), output_biases),
        ("weights of the first deep layer", weights.deep.first.len(), first),
        ("numbers of the other deep layers", weights.deep.rest.len(), rest),
    ] {
        if there != expected {
            return Err(NetworkError::Count(part, there, expected));
        }
    }
    if let Some(index) =
        weights.outputs.iter().position(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16)
    {
        return Err(NetworkError::OutputWeight(index, weights.outputs[index]));
    }
    weights.deep.check()?;
    let hidden = architecture.hidden;
    let (pieces, marks) = weights.features.split_at(architecture.sets() * FEATURES * hidden);
    for rows in pieces.chunks_exact(architecture.inputs.sets() * FEATURES * hidden) {
        check_hidden(hidden, rows, marks, &weights.biases)?;
    }
    check_outputs(architecture.hidden, weights)
}

/// The largest and the least sum of each neuron: one piece at most on a square, the 32 squares that matter most, and
/// all marks that go the same way.
fn check_hidden(hidden: usize, rows: &[i16], marks: &[i16], biases: &[i16]) -> Result<(), NetworkError> {
    // By square, then neuron: the largest weight of any piece there, and the least.
    let mut most = vec![0i16; 64 * hidden];
    let mut least = vec![0i16; 64 * hidden];
    for (feature, row) in rows.chunks_exact(hidden).enumerate() {
        let at = feature % 64 * hidden;
        let (most, least) = (&mut most[at..at + hidden], &mut least[at..at + hidden]);
        for ((&weight, most), least) in row.iter().zip(most).zip(least) {
            *most = weight.max(*most);
            *least = weight.min(*least);
        }
    }
    let mut by_square = [0i32; 64];
    for (neuron, &bias) in biases.iter().enumerate() {
        let mut extreme = |bests: &[i16]| {
            for (square, best) in by_square.iter_mut().enumerate() {
                *best = i32::from(bests[square * hidden + neuron]).abs();
            }
            by_square.sort_unstable();
            by_square[64 - MOST_PIECES..].iter().sum::<i32>()
        };
        let of_marks = |sign: i32| -> i32 {
            marks.chunks_exact(hidden).map(|row| sign * (sign * i32::from(row[neuron])).max(0)).sum()
        };
        let bias = i32::from(bias);
        let (high, low) = (bias + extreme(&most) + of_marks(1), bias - extreme(&least) + of_marks(-1));
        for sum in [high, low] {
            if i16::try_from(sum).is_err() {
                return Err(NetworkError::HiddenSum(neuron, sum));
            }
        }
    }
    Ok(())
}

/// The whole sum must fit; parts of it may run over and back again.
fn check_outputs(hidden: usize, weights: &Weights) -> Result<(), NetworkError> {
    for (bucket, row) in weights.outputs.chunks_exact(2 * hidden).enumerate() {
        let sum = |sign: i64| -> i64 {
            let part = row.iter().map(|&weight| (sign * i64::from(weight)).max(0)).sum::<i64>();
            sign * part * i64::from(QA * QA)
        };
        for sum in [sum(1), sum(-1)] {
            if i32::try_from(sum).is_err() {
                return Err(NetworkError::OutputSum(bucket, sum));
            }
        }
    }
    Ok(())
}
