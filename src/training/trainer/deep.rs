//! The deep layers of a network while it is trained, behind the sums of the first of them (see
//! [`DeepWeights`]).

use super::model::draw;
use crate::eval::network::{DeepWeights, FIRST, HANDED, SECOND};
use crate::sys::chance::Chance;

/// Numbers of a bucket's layers but for the first one's weights.
pub const REST: usize = DeepWeights::sizes(0)[1];

/// What going forward has found for a position.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    first: [f32; FIRST],
    handed: [f32; HANDED],
    second: [f32; SECOND],
}

impl Seen {
    /// Nothing yet.
    pub const NOTHING: Seen = Seen { first: [0.0; FIRST], handed: [0.0; HANDED], second: [0.0; SECOND] };
}

/// A bucket's numbers, told apart.
struct Parts<'a> {
    first_biases: &'a [f32],
    second: &'a [[f32; SECOND]],
    second_biases: &'a [f32],
    third: &'a [f32],
}

impl Parts<'_> {
    #[inline(always)]
    fn of(rest: &[f32; REST]) -> Parts<'_> {
        let (first_biases, rest) = rest.split_at(FIRST);
        let (second, rest) = rest.split_at(HANDED * SECOND);
        let (second_biases, third) = rest.split_at(SECOND);
        Parts { first_biases, second: second.as_chunks().0, second_biases, third }
    }
}

/// The same, to be changed.
struct PartsMut<'a> {
    first_biases: &'a mut [f32],
    second: &'a mut [[f32; SECOND]],
    second_biases: &'a mut [f32],
    third: &'a mut [f32],
}

impl PartsMut<'_> {
    #[inline(always)]
    fn of(rest: &mut [f32; REST]) -> PartsMut<'_> {
        let (first_biases, rest) = rest.split_at_mut(FIRST);
        let (second, rest) = rest.split_at_mut(HANDED * SECOND);
        let (second_biases, third) = rest.split_at_mut(SECOND);
        PartsMut { first_biases, second: second.as_chunks_mut().0, second_biases, third }
    }
}

/// What the layers add to the output, by the products of the first one added up.
#[inline(always)]
pub fn forward(rest: &[f32; REST], sums: &[f32; FIRST], seen: &mut Seen) -> f32 {
    let parts = Parts::of(rest);
    let Seen { first, handed, second } = seen;
    for neuron in 0..FIRST {
        let sum = parts.first_biases[neuron] + sums[neuron];
        first[neuron] = sum;
        handed[neuron] = sum.clamp(0.0, 1.0);
        handed[FIRST + neuron] = (sum * sum).min(1.0);
    }
    second.copy_from_slice(parts.second_biases);
    for (weights, handed) in parts.second.iter().zip(handed) {
        for neuron in 0..SECOND {
            second[neuron] += weights[neuron] * *handed;
        }
    }
    second.iter().zip(parts.third).map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight).sum()
}

/// Adds the gradients of the layers, and gives those of the first one's sums, from the slope of the loss by the output.
#[inline(always)]
pub fn backward(rest: &[f32; REST], seen: &Seen, slope: f32, gradients: &mut [f32; REST]) -> [f32; FIRST] {
    let Parts { second: weights, third, .. } = Parts::of(rest);
    let gradients = PartsMut::of(gradients);
    let mut by_second = [0.0; SECOND];
    for neuron in 0..SECOND {
        let sum = seen.second[neuron];
        gradients.third[neuron] += slope * sum.clamp(0.0, 1.0);
        by_second[neuron] = if sum > 0.0 && sum < 1.0 { slope * third[neuron] } else { 0.0 };
        gradients.second_biases[neuron] += by_second[neuron];
    }
    let mut by_handed = [0.0; HANDED];
    for handed in 0..HANDED {
        let mut products = [0.0; SECOND];
        for neuron in 0..SECOND {
            gradients.second[handed][neuron] += by_second[neuron] * seen.handed[handed];
            products[neuron] = by_second[neuron] * weights[handed][neuron];
        }
        by_handed[handed] = products.iter().sum();
    }
    let mut by_first = [0.0; FIRST];
    for neuron in 0..FIRST {
        let sum = seen.first[neuron];
        let by_clamped = if sum > 0.0 && sum < 1.0 { by_handed[neuron] } else { 0.0 };
        let by_square = if sum * sum < 1.0 { 2.0 * sum * by_handed[FIRST + neuron] } else { 0.0 };
        by_first[neuron] = by_clamped + by_square;
        gradients.first_biases[neuron] += by_first[neuron];
    }
    by_first
}

/// Numbers to begin with for networks of `inputs` squared sums: the weights of the first layer and the others. The third
/// layer has little to say yet.
pub fn random(inputs: usize, chance: &mut Chance) -> (Vec<f32>, Vec<f32>) {
    let mut fill = |numbers: &mut [f32], from, to| draw(chance, numbers, from, to);
    let mut first = vec![0.0; FIRST * inputs];
    // About as far apart as 0 and 1 with activations that are mostly small.
    let spread = 1.8 / (inputs as f32).sqrt();
    fill(&mut first, -spread, spread);
    let mut rest = [0.0; REST];
    let PartsMut { second, second_biases, third, .. } = PartsMut::of(&mut rest);
    fill(second.as_flattened_mut(), -0.25, 0.25);
    fill(second_biases, 0.0, 0.2);
    fill(third, -0.02, 0.02);
    (first, rest.to_vec())
}
