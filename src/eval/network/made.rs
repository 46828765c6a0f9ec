//! Networks made without training: for tests, measurements, and, where every position counts as equal, a beginning.

use super::{Architecture, DeepWeights, FEATURES, Network, NetworkError, Weights};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// What the material network thinks of the kinds of pieces, in 1/255 of a sum; a pawn comes out as about 100 units with up to
/// 512 neurons.
const VALUES: [i16; 6] = [4, 12, 13, 20, 38, 0];

/// Deep layers that add nothing.
fn silent(architecture: &Architecture) -> DeepWeights {
    let [first, rest] = architecture.deep_sizes();
    DeepWeights { first: vec![0; first], rest: vec![0.0; rest] }
}

impl Network {
    /// A network without sense whose sums are often below 0 and often above 1; the same for the same seed.
    ///
    /// # Errors
    /// If the architecture cannot be.
    pub fn random(architecture: Architecture, seed: u64) -> Result<Network, NetworkError> {
        architecture.check()?;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut numbers = |count: usize, most: i16| -> Vec<i16> {
            (0..count).map(|_| random.random_range(-most..=most)).collect()
        };
        let [features, biases, outputs, output_biases] = architecture.sizes();
        let [first, rest] = architecture.deep_sizes();
        let weights = Weights {
            features: numbers(features, 100),
            biases: numbers(biases, 200),
            // No more than a sum of 32 bits holds.
            outputs: numbers(outputs, 127.min(16_384 / architecture.hidden as i16)),
            output_biases: numbers(output_biases, 2_000).into_iter().map(i32::from).collect(),
            deep: DeepWeights {
                first: numbers(first, 127).into_iter().map(|weight| weight as i8).collect(),
                rest: numbers(rest, 1_000).into_iter().map(|number| f32::from(number) / 1_000.0).collect(),
            },
        };
        Network::new(architecture, &weights, seed.to_be_bytes())
    }

    /// A network that knows nothing: every position is worth 0.
    ///
    /// # Errors
    /// If the architecture cannot be.
    pub fn zero(architecture: Architecture) -> Result<Network, NetworkError> {
        architecture.check()?;
        let [features, biases, outputs, output_biases] = architecture.sizes();
        let weights = Weights {
            features: vec![0; features],
            biases: vec![0; biases],
            outputs: vec![0; outputs],
            output_biases: vec![0; output_biases],
            deep: silent(&architecture),
        };
        Network::new(architecture, &weights, [0; 8])
    }

    /// A network that knows what pieces are worth and nothing else; noise by `seed`, at most `noise` out of 255 for each
    /// piece and sum, makes all its sums differ.
    ///
    /// # Errors
    /// If the architecture cannot be or the noise makes a sum overflow.
    pub fn material(architecture: Architecture, noise: i16, seed: u64) -> Result<Network, NetworkError> {
        architecture.check()?;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut noise = || random.random_range(-noise.max(0)..=noise.max(0));
        let [features, biases, _, output_biases] = architecture.sizes();
        let hidden = architecture.hidden;
        let value = |index: usize| {
            if index / hidden >= architecture.sets() * FEATURES {
                return 0;
            }
            let feature = index / hidden % FEATURES;
            let worth = VALUES[feature / 64 % 6];
            if feature < FEATURES / 2 { worth } else { -worth }
        };
        // With the own sum at 1/2 + d and the other's at 1/2 - d, the difference of their squares is 2d.
        let worth = (512 / hidden as i16).max(1);
        let sides: Vec<i16> = [vec![worth; hidden], vec![-worth; hidden]].concat();
        let weights = Weights {
            features: (0..features).map(|index| value(index).saturating_add(noise())).collect(),
            biases: (0..biases).map(|_| noise().saturating_add(127)).collect(),
            outputs: sides.repeat(architecture.output_buckets),
            output_biases: vec![0; output_biases],
            deep: silent(&architecture),
        };
        Network::new(architecture, &weights, seed.to_be_bytes())
    }
}
