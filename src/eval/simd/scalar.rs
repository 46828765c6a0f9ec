//! Plain loops, for every processor, and the measure of the others. The compiler makes of them what the build's target
//! allows.

use super::{Kernels, Row};
use crate::eval::network::{Deep, FIRST, Lanes, QA, SHIFT};

pub(super) static KERNELS: Kernels = Kernels { name: "portable", update, update_both: update, output, deep };

fn plus(mut sums: Lanes, row: &Lanes) -> Lanes {
    for (sum, weight) in sums.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_add(weight);
    }
    sums
}

fn minus(mut sums: Lanes, row: &Lanes) -> Lanes {
    for (sum, weight) in sums.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_sub(weight);
    }
    sums
}

fn update<const N: usize>(
    to: [&mut [Lanes]; N],
    from: [Row; N],
    weights: &[Lanes],
    add: &[[u32; N]],
    sub: &[[u32; N]],
) {
    for (side, (to, from)) in to.into_iter().zip(from).enumerate() {
        to.copy_from_slice(from);
        let row = |starts: &[u32; N]| &weights[starts[side] as usize..][..from.len()];
        for starts in add {
            to.iter_mut().zip(row(starts)).for_each(|(to, row)| *to = plus(*to, row));
        }
        for starts in sub {
            to.iter_mut().zip(row(starts)).for_each(|(to, row)| *to = minus(*to, row));
        }
    }
}

fn output(sums: [Row; 2], weights: [Row; 2]) -> i32 {
    let mut total = 0i32;
    for (sums, weights) in sums.into_iter().zip(weights) {
        for (sums, weights) in sums.iter().zip(weights) {
            for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
                let x = sum.clamp(0, QA as i16);
                // At most 127 * 255.
                let product = weight.wrapping_mul(x);
                total = total.wrapping_add(i32::from(product) * i32::from(x));
            }
        }
    }
    total
}

fn deep(sums: [Row; 2], layers: &Deep) -> i32 {
    layers.rest.value(&first_layer(sums, layers))
}

/// The sums of products of the first deep layer.
#[inline(always)]
pub(super) fn first_layer(sums: [Row; 2], layers: &Deep) -> [i32; FIRST] {
    let mut totals = [0; FIRST];
    let lanes = sums.into_iter().flatten();
    for (lanes, quads) in lanes.zip(layers.quads.as_chunks::<{ Deep::QUADS }>().0) {
        for (sums, quad) in lanes.0.as_chunks::<4>().0.iter().zip(quads) {
            let squares = sums.map(|sum| i32::from(sum.clamp(0, QA as i16)).pow(2) >> SHIFT);
            for (total, weights) in totals.iter_mut().zip(&quad.0) {
                for (square, &weight) in squares.iter().zip(weights) {
                    *total += square * i32::from(weight);
                }
            }
        }
    }
    totals
}
