//! Two more layers beside the output weights, of a network that has them ([`Architecture::deep`](super::Architecture)):
//! what the squared sums of both sides tell together and no sum of products of single ones can.
//!
//! The clamped and squared sums, in 127 steps, go through eight-bit weights into [`FIRST`] neurons; these, clamped to 0 to 1,
//! and their squares, clamped too, into [`SECOND`] neurons; these, clamped, through one row of weights into what is added to
//! the output. Each set of output weights has layers of its own. From the first layer's sums on the numbers are floats,
//! multiplied and added in an order that is fixed here, never joined into one operation: so every processor has
//! the same. (Stockfish's networks have such layers too, <https://www.chessprogramming.org/Stockfish_NNUE>; Adoube's keep the
//! direct row beside them.)

use super::{LANES, NetworkError, QA, QB};

/// Neurons of the first of the two layers.
pub const FIRST: usize = 16;
/// Neurons of the second.
pub const SECOND: usize = 32;
/// What the first layer hands on: its neurons and their squares.
pub const HANDED: usize = 2 * FIRST;
/// What a squared sum of 1 is for the first layer. Two products with eight-bit weights fit sixteen bits.
pub const DEEP_QA: i32 = 127;
/// How far a squared sum, in units of 1/([`QA`] [`QA`]), is shifted for that.
pub(crate) const SHIFT: u32 = 9;
/// No weight of the floats is larger, so that nothing becomes infinite.
const MOST: f32 = 1000.0;

/// The numbers of the layers as trainers have them; empty without.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeepWeights {
    /// Of the first layer: `[output bucket][neuron][own side, other side][hidden]`, in units of 1/[`QB`].
    pub first: Vec<i8>,
    /// For each output bucket the biases of the first layer, the weights of the second, `[what is handed on][neuron]`, its
    /// biases, and the weights of the third.
    pub rest: Vec<f32>,
}

impl DeepWeights {
    /// How many numbers each of both has for a bucket of so many sums a side.
    pub const fn sizes(hidden: usize) -> [usize; 2] {
        [FIRST * 2 * hidden, FIRST + SECOND * HANDED + SECOND + SECOND]
    }

    /// The layers of each bucket, of networks with so many sums a side.
    pub(crate) fn layers(&self, hidden: usize) -> Vec<Deep> {
        let [first, rest] = DeepWeights::sizes(hidden);
        let buckets = self.first.chunks_exact(first).zip(self.rest.chunks_exact(rest));
        buckets.map(|(first, rest)| Deep::pack(first, rest)).collect()
    }

    /// Refuses numbers that are none, or too large.
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        let unusable = self.rest.iter().position(|number| number.is_nan() || number.abs() > MOST);
        unusable.map_or(Ok(()), |index| Err(NetworkError::DeepWeight(index)))
    }
}

/// The weights of all neurons of the first layer for four squared sums that follow each other, side by side.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Quad(pub [[i8; 4]; FIRST]);

/// The layers of a bucket.
#[derive(Clone, PartialEq, Debug)]
pub struct Deep {
    /// For the sums of the own side, then those of the other, four at a time.
    pub quads: Vec<Quad>,
    /// Whether sixteen bits hold what the [`Quad`]s of a [`Lanes`](super::Lanes) can add up to, by the first two weights of
    /// each and by the last two.
    pub narrow: bool,
    /// The others.
    pub rest: Rest,
}

/// All behind the sums of the first layer.
#[derive(Clone, PartialEq, Debug)]
pub struct Rest {
    first_biases: [f32; FIRST],
    /// By what is handed on, for all neurons at once.
    second: Box<[[f32; SECOND]; HANDED]>,
    second_biases: [f32; SECOND],
    third: [f32; SECOND],
}

impl Deep {
    /// [`Quad`]s that the sums of a [`Lanes`](super::Lanes) meet.
    pub const QUADS: usize = LANES / 4;

    /// Of the numbers of one bucket.
    fn pack(first: &[i8], rest: &[f32]) -> Deep {
        let inputs = first.len() / FIRST;
        let quad = |at: usize| {
            Quad(std::array::from_fn(|neuron| {
                std::array::from_fn(|sum| first[neuron * inputs + 4 * at + sum])
            }))
        };
        let quads: Vec<Quad> = (0..inputs / 4).map(quad).collect();
        let narrow = quads.as_chunks::<{ Deep::QUADS }>().0.iter().all(narrow);
        let (first_biases, rest) = rest.split_at(FIRST);
        let (second, rest) = rest.split_at(SECOND * HANDED);
        let (second_biases, third) = rest.split_at(SECOND);
        Deep {
            quads,
            narrow,
            rest: Rest {
                first_biases: std::array::from_fn(|neuron| first_biases[neuron]),
                second: Box::new(std::array::from_fn(|handed| {
                    std::array::from_fn(|neuron| second[handed * SECOND + neuron])
                })),
                second_biases: std::array::from_fn(|neuron| second_biases[neuron]),
                third: std::array::from_fn(|neuron| third[neuron]),
            },
        }
    }

    /// What is added to the output, in units of 1/([`QA`] [`QB`]), by the clamped and squared sums of both sides, in units of
    /// 1/([`QA`] [`QA`]); in plain loops.
    pub(crate) fn value(&self, squares: &[i32]) -> i32 {
        let sums = std::array::from_fn(|neuron| {
            let weights = self.quads.iter().flat_map(|quad| quad.0[neuron]);
            squares.iter().zip(weights).map(|(square, weight)| (square >> SHIFT) * i32::from(weight)).sum()
        });
        self.rest.value(&sums)
    }

    /// Appends the numbers that it was packed from.
    pub(super) fn unpack(&self, to: &mut DeepWeights) {
        for neuron in 0..FIRST {
            to.first.extend(self.quads.iter().flat_map(|quad| quad.0[neuron]));
        }
        let Rest { first_biases, second, second_biases, third } = &self.rest;
        to.rest.extend(first_biases);
        to.rest.extend(second.as_flattened());
        to.rest.extend(second_biases);
        to.rest.extend(third);
    }
}

/// Whether sixteen bits hold what these can add up to, however large each square is; see [`Deep::narrow`].
fn narrow(quads: &[Quad; Deep::QUADS]) -> bool {
    let fits = |neuron: usize, pair: usize| {
        let weights = quads.iter().flat_map(|quad| quad.0[neuron].as_chunks::<2>().0[pair]).map(i32::from);
        let (least, most) =
            weights.fold((0, 0), |(least, most), weight| (least + weight.min(0), most + weight.max(0)));
        DEEP_QA * least >= i16::MIN.into() && DEEP_QA * most <= i16::MAX.into()
    };
    (0..FIRST).all(|neuron| fits(neuron, 0) && fits(neuron, 1))
}

/// Adds `factor` times a row to sums; by itself, for so it becomes vector instructions.
#[inline(always)]
fn add_product(sums: &mut [f32; SECOND], row: &[f32; SECOND], factor: f32) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight * factor;
    }
}

impl Rest {
    /// What is added to the output, in units of 1/([`QA`] [`QB`]), by the products of the first layer added up, in units of
    /// 1/([`DEEP_QA`] [`QB`]).
    #[inline(always)]
    pub fn value(&self, sums: &[i32; FIRST]) -> i32 {
        const UNIT: f32 = 1.0 / (DEEP_QA * QB) as f32;
        let mut handed = [0.0f32; HANDED];
        for neuron in 0..FIRST {
            let sum = self.first_biases[neuron] + sums[neuron] as f32 * UNIT;
            handed[neuron] = sum.clamp(0.0, 1.0);
            handed[FIRST + neuron] = (sum * sum).min(1.0);
        }
        // Two chains of additions, which need not wait for each other.
        let (mut even, mut odd) = (self.second_biases, [0.0; SECOND]);
        for (rows, handed) in self.second.as_chunks::<2>().0.iter().zip(handed.as_chunks::<2>().0) {
            add_product(&mut even, &rows[0], handed[0]);
            add_product(&mut odd, &rows[1], handed[1]);
        }
        let mut products: [f32; SECOND] =
            std::array::from_fn(|neuron| (even[neuron] + odd[neuron]).clamp(0.0, 1.0) * self.third[neuron]);
        let mut width = SECOND / 2;
        while width > 0 {
            for at in 0..width {
                products[at] += products[at + width];
            }
            width /= 2;
        }
        (products[0] * (QA * QB) as f32) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand, in numbers that floats have exactly.
    #[test]
    fn the_layers_clamp_square_and_add() {
        let mut rest = Rest {
            first_biases: [0.0; FIRST],
            second: Box::new([[0.0; SECOND]; HANDED]),
            second_biases: [0.0; SECOND],
            third: [0.0; SECOND],
        };
        // With 1/4 from the sums the first is 1/2; what lies outside 0 to 1 is clamped, its square too.
        rest.first_biases[..4].copy_from_slice(&[0.25, -0.5, 2.0, -3.0]);
        let mut sums = [0; FIRST];
        sums[0] = DEEP_QA * QB / 4;
        for (neuron, handed, weight) in [
            (0, 0, 1.0),          // 1/2
            (1, FIRST + 1, 1.0),  // the square of -1/2: 1/4
            (2, FIRST + 2, 0.5),  // that of 2, clamped: 1/2
            (3, FIRST + 3, 0.5),  // that of -3, clamped: 1/2
            (4, 2, 0.25),         // 2, clamped: 1/4
            (5, 3, 1.0),          // -3, clamped, and a bias of -1/4: 0
            (6, 0, 3.0),          // 3/2
            (6, FIRST + 1, -4.0), // and -1: 1/2
            (7, 2, 2.0),          // 2, clamped: 1
        ] {
            rest.second[handed][neuron] = weight;
        }
        rest.second_biases[5] = -0.25;
        for neuron in 0..8 {
            rest.third[neuron] = f32::from(1u8 << neuron) / 256.0;
        }
        // (1/2 + 2/4 + 4/2 + 8/2 + 16/4 + 64/2 + 128) / 256 of 16320.
        assert_eq!(rest.value(&sums), 171 * 16_320 / 256);
    }
}
