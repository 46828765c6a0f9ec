//! The numbers of a network while it is trained, as floats.

use super::deep::{self, Seen};
use super::record::{MAX_ROWS, Record};
use crate::eval::network::{Architecture, FEATURES, FIRST};
use crate::sys::chance::Chance;

/// A float for each parameter. Besides the weights themselves, the optimiser's two averages have this form.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// `[set][feature][hidden]`: one set or several for each king bucket (see [`Architecture::sets`]); then the weights of
    /// marks, `[own side, other side][mark][hidden]`.
    pub features: Vec<f32>,
    /// `[feature][hidden]`: added to the weights of all sets, so that what is true wherever the king stands and however
    /// a piece is exposed is learnt from all positions (a factoriser); empty with one set. Marks share nothing.
    pub shared: Vec<f32>,
    /// `[hidden]`.
    pub biases: Vec<f32>,
    /// `[output bucket][own side, other side][hidden]`.
    pub outputs: Vec<f32>,
    /// `[output bucket]`.
    pub output_biases: Vec<f32>,
    /// Of the first deep layer, `[output bucket][neuron][own side, other side][hidden]`; empty without.
    pub deep_first: Vec<f32>,
    /// Of the others, in the order of [`DeepWeights::rest`](crate::eval::network::DeepWeights::rest).
    pub deep_rest: Vec<f32>,
}

impl Parameters {
    /// All zero.
    pub fn zero(architecture: &Architecture) -> Parameters {
        let [features, biases, outputs, output_biases] = architecture.sizes();
        let shared = if architecture.sets() > 1 { FEATURES * architecture.hidden } else { 0 };
        let [deep_first, deep_rest] = architecture.deep_sizes();
        Parameters {
            features: vec![0.0; features],
            shared: vec![0.0; shared],
            biases: vec![0.0; biases],
            outputs: vec![0.0; outputs],
            output_biases: vec![0.0; output_biases],
            deep_first: vec![0.0; deep_first],
            deep_rest: vec![0.0; deep_rest],
        }
    }

    /// What training begins with. The input weights are such that the sums of positions spread over a good part of 0 to 1,
    /// where they can be told apart.
    pub fn random(architecture: &Architecture, seed: u64) -> Parameters {
        let mut parameters = Parameters::zero(architecture);
        let mut chance = Chance::of_part(seed, 0x1417);
        let mut fill = |numbers: &mut [f32], from, to| draw(&mut chance, numbers, from, to);
        let spread = (1.0 / FEATURES as f32).sqrt() * 2.0;
        let first =
            if parameters.shared.is_empty() { &mut parameters.features } else { &mut parameters.shared };
        fill(first, -spread, spread);
        fill(&mut parameters.biases, 0.0, 0.5);
        let spread = (1.0 / (2 * architecture.hidden) as f32).sqrt();
        fill(&mut parameters.outputs, -spread, spread);
        if architecture.deep {
            // All buckets begin alike.
            let (first, rest) = deep::random(2 * architecture.hidden, &mut chance);
            parameters.deep_first = first.repeat(architecture.output_buckets);
            parameters.deep_rest = rest.repeat(architecture.output_buckets);
        }
        parameters
    }

    /// All parts, in the order in which files have them.
    pub fn parts(&self) -> [&[f32]; 7] {
        let Parameters { features, shared, biases, outputs, output_biases, deep_first, deep_rest } = self;
        [features, shared, biases, outputs, output_biases, deep_first, deep_rest]
    }

    /// All parts, to be changed.
    pub fn parts_mut(&mut self) -> [&mut [f32]; 7] {
        let Parameters { features, shared, biases, outputs, output_biases, deep_first, deep_rest } = self;
        [features, shared, biases, outputs, output_biases, deep_first, deep_rest]
    }

    /// The place of the first number that is infinite or none at all, if there is one: the part's name and the index.
    pub fn first_unusable(&self) -> Option<(&'static str, usize)> {
        let names = [
            "input weights",
            "shared input weights",
            "biases",
            "output weights",
            "output biases",
            "weights of the first deep layer",
            "numbers of the other deep layers",
        ];
        names
            .into_iter()
            .zip(self.parts())
            .find_map(|(name, part)| part.iter().position(|number| !number.is_finite()).map(|at| (name, at)))
    }

    /// The input weights that a position meets, those that all sets share added.
    pub fn merged_features(&self) -> Vec<f32> {
        let mut merged = self.features.clone();
        if !self.shared.is_empty() {
            for bucket in merged.chunks_exact_mut(self.shared.len()) {
                for (weight, shared) in bucket.iter_mut().zip(&self.shared) {
                    *weight += shared;
                }
            }
        }
        merged
    }
}

/// Draws numbers by lot, evenly between two bounds.
pub(super) fn draw(chance: &mut Chance, numbers: &mut [f32], from: f32, to: f32) {
    for number in numbers {
        *number = from + (to - from) * (chance.below(1 << 24) as f32 / (1 << 24) as f32);
    }
}

/// The network's output for a position, 1 being the architecture's scale in internal units; for few positions.
/// `features` are the merged ones.
pub fn output(
    architecture: &Architecture,
    parameters: &Parameters,
    features: &[f32],
    record: &Record,
) -> f32 {
    let hidden = architecture.hidden;
    let mut rows = [[0; 2]; MAX_ROWS];
    let count = record.rows(architecture, false, &mut rows);
    let bucket = architecture.output_bucket(record.count() as u32);
    let weights = &parameters.outputs[2 * hidden * bucket..];
    let mut output = parameters.output_biases[bucket];
    let mut squares = Vec::with_capacity(2 * hidden);
    for side in 0..2 {
        let mut sums = parameters.biases.clone();
        for row in &rows[..count] {
            let at = usize::from(row[side]) * hidden;
            for (sum, weight) in sums.iter_mut().zip(&features[at..at + hidden]) {
                *sum += weight;
            }
        }
        for (sum, weight) in sums.iter().zip(&weights[side * hidden..]) {
            let clipped = sum.clamp(0.0, 1.0);
            output += clipped * clipped * weight;
            squares.push(clipped * clipped);
        }
    }
    if architecture.deep {
        let weights = parameters.deep_first.chunks_exact(2 * hidden).skip(bucket * FIRST);
        let mut sums = [0.0; FIRST];
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum = squares.iter().zip(weights).map(|(square, weight)| square * weight).sum();
        }
        let rest = &parameters.deep_rest.as_chunks().0[bucket];
        let mut seen = Seen::NOTHING;
        output += deep::forward(rest, &sums, &mut seen);
    }
    output
}
