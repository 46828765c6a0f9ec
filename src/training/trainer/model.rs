//! The numbers of a network while it is trained, as floats.

use super::record::{MAX_ROWS, Record};
use crate::eval::network::{Architecture, FEATURES};
use crate::openings::order::Chance;

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
}

impl Parameters {
    /// All zero.
    pub fn zero(architecture: &Architecture) -> Parameters {
        let [features, biases, outputs, output_biases] = architecture.sizes();
        let shared = if architecture.sets() > 1 { FEATURES * architecture.hidden } else { 0 };
        Parameters {
            features: vec![0.0; features],
            shared: vec![0.0; shared],
            biases: vec![0.0; biases],
            outputs: vec![0.0; outputs],
            output_biases: vec![0.0; output_biases],
        }
    }

    /// What training begins with. The input weights are such that the sums of positions spread over a good part of 0 to 1,
    /// where they can be told apart.
    pub fn random(architecture: &Architecture, seed: u64) -> Parameters {
        let mut parameters = Parameters::zero(architecture);
        let mut chance = Chance::of_part(seed, 0x1417);
        let mut fill = |numbers: &mut [f32], from: f32, to: f32| {
            for number in numbers {
                *number = from + (to - from) * (chance.below(1 << 24) as f32 / (1 << 24) as f32);
            }
        };
        let spread = (1.0 / FEATURES as f32).sqrt() * 2.0;
        let first =
            if parameters.shared.is_empty() { &mut parameters.features } else { &mut parameters.shared };
        fill(first, -spread, spread);
        fill(&mut parameters.biases, 0.0, 0.5);
        let spread = (1.0 / (2 * architecture.hidden) as f32).sqrt();
        fill(&mut parameters.outputs, -spread, spread);
        parameters
    }

    /// All parts, in the order in which files have them.
    pub fn parts(&self) -> [&[f32]; 5] {
        [&self.features, &self.shared, &self.biases, &self.outputs, &self.output_biases]
    }

    /// All parts, to be changed.
    pub fn parts_mut(&mut self) -> [&mut [f32]; 5] {
        [&mut self.features, &mut self.shared, &mut self.biases, &mut self.outputs, &mut self.output_biases]
    }

    /// The place of the first number that is infinite or none at all, if there is one: the part's name and the index.
    pub fn first_unusable(&self) -> Option<(&'static str, usize)> {
        let names = ["input weights", "shared input weights", "biases", "output weights", "output biases"];
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
        }
    }
    output
}
