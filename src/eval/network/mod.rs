//! The trained network: what it is made of, and its file.
//!
//! Two views of the board, the own side's and the other's, go through one layer of weights into `hidden` sums each
//! (the accumulators); an input is a piece on a square, by itself or together with how it is exposed,
//! or one of the marks of what the pieces could do to each other. The sums,
//! clamped to 0 to 1 and squared, go through one row of output weights into the value, and beside it, in networks that have
//! them, through two more layers (`deep`)
//! (<https://www.chessprogramming.org/NNUE>). Numbers are whole: a sum of 255 stands for 1, an output weight of
//! 64 for 1; but for those of the layers behind the first deep one, which are floats.
//!
//! `architecture` says how large and which input is which, `file` reads and writes, `limits` refuses numbers that could
//! overflow, `made` makes networks without training, `reference` says what a network means.

mod architecture;
mod deep;
mod error;
mod file;
mod limits;
mod made;
mod reference;

pub use architecture::{Architecture, FEATURES, Inputs, View};
pub(crate) use deep::SHIFT;
pub use deep::{DEEP_QA, Deep, DeepWeights, FIRST, HANDED, Quad, SECOND};
pub use error::NetworkError;

use crate::sys::memory::Pages;

/// What a sum of 1 is, before and after clamping.
pub const QA: i32 = 255;
/// What an output weight of 1 is.
pub const QB: i32 = 64;
/// The largest output weight either way: a product with a clamped sum fits sixteen bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

/// Sixteen-bit numbers in a [`Lanes`].
pub const LANES: usize = 32;

/// Numbers that processors with vector units handle together, aligned for the widest of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Lanes(pub [i16; LANES]);

impl Lanes {
    /// All zero.
    pub const ZERO: Lanes = Lanes([0; LANES]);
}

/// The numbers of a network as trainers have them, row after row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Weights {
    /// From the inputs: `[set][feature][hidden]`, in units of 1/[`QA`], then those of marks, `[own side, other
    /// side][mark][hidden]`; for the sets see [`Architecture::sets`].
    pub features: Vec<i16>,
    /// Of the sums: `[hidden]`, in units of 1/[`QA`].
    pub biases: Vec<i16>,
    /// To the output: `[output bucket][own side, other side][hidden]`, in units of 1/[`QB`].
    pub outputs: Vec<i16>,
    /// Of the output: `[output bucket]`, in units of 1/([`QA`] [`QB`]).
    pub output_biases: Vec<i32>,
    /// Of the layers beside the output weights.
    pub deep: DeepWeights,
}

/// A network that has been checked: no position of a game makes its sums overflow.
#[derive(Clone, PartialEq)]
pub struct Network {
    architecture: Architecture,
    id: [u8; 8],
    features: Pages<Lanes>,
    biases: Vec<Lanes>,
    outputs: Vec<Lanes>,
    output_biases: Vec<i32>,
    /// One of each output bucket; none without such layers.
    deep: Vec<Deep>,
}

fn pack(numbers: &[i16]) -> Vec<Lanes> {
    let (blocks, _) = numbers.as_chunks::<LANES>();
    blocks.iter().map(|&block| Lanes(block)).collect()
}

fn unpack(lanes: &[Lanes]) -> Vec<i16> {
    lanes.iter().flat_map(|lanes| lanes.0).collect()
}

impl Network {
    /// A network of these numbers; `id` is for whoever made it, to tell data and generation.
    ///
    /// # Errors
    /// If the architecture cannot be, the numbers are not as many as it says, or some position could make a sum
    /// overflow.
    pub fn new(architecture: Architecture, weights: &Weights, id: [u8; 8]) -> Result<Network, NetworkError> {
        architecture.check()?;
        limits::check(&architecture, weights)?;
        let features = pack(&weights.features);
        let pages = Pages::try_new(features.len(), |row| features[row]);
        Ok(Network {
            architecture,
            id,
            features: pages.ok_or(NetworkError::Memory(size_of_val(&features[..])))?,
            biases: pack(&weights.biases),
            outputs: pack(&weights.outputs),
            output_biases: weights.output_biases.clone(),
            deep: weights.deep.layers(architecture.hidden),
        })
    }

    /// Its size and inputs.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// What its maker wrote to tell it from others.
    pub fn id(&self) -> [u8; 8] {
        self.id
    }

    /// The numbers, as [`Network::new`] takes them.
    pub fn weights(&self) -> Weights {
        Weights {
            features: unpack(&self.features),
            biases: unpack(&self.biases),
            outputs: unpack(&self.outputs),
            output_biases: self.output_biases.clone(),
            deep: self.deep_weights(),
        }
    }

    /// Those of the deep layers.
    fn deep_weights(&self) -> DeepWeights {
        let mut weights = DeepWeights::default();
        self.deep.iter().for_each(|layers| layers.unpack(&mut weights));
        weights
    }

    /// Lanes of one side's sums.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> usize {
        self.biases.len()
    }

    /// All rows of input weights, [`Network::lanes`] each.
    #[inline(always)]
    pub(crate) fn features(&self) -> &[Lanes] {
        &self.features
    }

    /// The sums of an empty board.
    #[inline(always)]
    pub(crate) fn biases(&self) -> &[Lanes] {
        &self.biases
    }

    /// The output weights of a bucket: the own side's, then the other's.
    #[inline(always)]
    pub(crate) fn outputs(&self, bucket: usize) -> (&[Lanes], &[Lanes]) {
        let lanes = self.lanes();
        self.outputs[2 * lanes * bucket..2 * lanes * (bucket + 1)].split_at(lanes)
    }

    /// The layers beside the output weights of a bucket.
    #[inline(always)]
    pub(crate) fn deep(&self, bucket: usize) -> Option<&Deep> {
        self.deep.get(bucket)
    }

    /// The value in internal units of the score, from the sum of the products of output weights and squared sums, and from
    /// what the layers beside them add.
    #[inline(always)]
    pub(crate) fn value(&self, sum: i32, deep: i32, bucket: usize) -> i32 {
        let output = i64::from(sum / QA) + i64::from(deep) + i64::from(self.output_biases[bucket]);
        (output * i64::from(self.architecture.scale) / i64::from(QA * QB)) as i32
    }
}

impl std::fmt::Display for Network {
    /// Architecture and id in a line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, id {:016x}", self.architecture, u64::from_be_bytes(self.id))
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({self})")
    }
}
