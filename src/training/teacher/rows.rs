//! What is done with rows of floats: norms, sums, powers of e.

// An index that all arrays of a row have in common is what the compiler makes the best vector code of.
#![allow(clippy::needless_range_loop)]

use crate::training::trainer::kernel;

/// Floats that are added up side by side, so that vectors can.
const LANES: usize = 16;

/// The sum of what `of` makes of each number; rows are multiples of 16 long.
#[inline(always)]
pub fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    for part in row.as_chunks::<LANES>().0 {
        for at in 0..LANES {
            lanes[at] += of(part[at]);
        }
    }
    total(lanes)
}

/// The sum of what `of` makes of each number of one row and that of the other.
#[inline(always)]
pub fn sum_of_two(one: &[f32], other: &[f32], of: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    for (one, other) in one.as_chunks::<LANES>().0.iter().zip(other.as_chunks::<LANES>().0) {
        for at in 0..LANES {
            lanes[at] += of(one[at], other[at]);
        }
    }
    total(lanes)
}

#[inline(always)]
fn total(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for at in 0..width {
            lanes[at] += lanes[at + width];
        }
        width /= 2;
    }
    lanes[0]
}

/// The largest number of a row.
#[inline(always)]
pub fn most(row: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for part in row.as_chunks::<LANES>().0 {
        for at in 0..LANES {
            lanes[at] = if part[at] > lanes[at] { part[at] } else { lanes[at] };
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for at in 0..width {
            lanes[at] = if lanes[at + width] > lanes[at] { lanes[at + width] } else { lanes[at] };
        }
        width /= 2;
    }
    lanes[0]
}

/// Adds one row to another, so many times.
#[inline(always)]
pub fn add(to: &mut [f32], row: &[f32], times: f32) {
    for (to, from) in to.iter_mut().zip(row) {
        *to += times * from;
    }
}

/// Adds a row to each of the rows.
#[inline(always)]
pub fn add_to_each(rows: &mut [f32], row: &[f32]) {
    rows.chunks_exact_mut(row.len()).for_each(|to| add(to, row, 1.0));
}

/// Adds each of the rows to one.
#[inline(always)]
pub fn add_all(to: &mut [f32], rows: &[f32]) {
    rows.chunks_exact(to.len()).for_each(|row| add(to, row, 1.0));
}

/// Keeps the quotient finite.
const EPSILON: f32 = 1e-5;

/// How a row was before its norm: what it is on average, and one over by how much it differs from that.
pub type Moments = [f32; 2];

/// Brings a row to mean 0 and deviation 1 (layer normalization, J. Ba, J. Kiros and G. Hinton, 2016), then stretches and moves
/// each number.
#[inline(always)]
pub fn norm(row: &[f32], [stretch, shift]: [&[f32]; 2], out: &mut [f32]) -> Moments {
    let share = 1.0 / row.len() as f32;
    let mean = share * sum(row, |number| number);
    let variance = share * sum(row, |number| (number - mean) * (number - mean));
    let moments = [mean, 1.0 / (variance + EPSILON).sqrt()];
    norm_again(row, moments, [stretch, shift], out);
    moments
}

/// The same, where the moments are known.
#[inline(always)]
pub fn norm_again(row: &[f32], [mean, inverse]: Moments, [stretch, shift]: [&[f32]; 2], out: &mut [f32]) {
    for (((out, number), stretch), shift) in out.iter_mut().zip(row).zip(stretch).zip(shift) {
        *out = (number - mean) * inverse * stretch + shift;
    }
}

/// The way back: from the slopes by what came out, `slopes`, to those by the row, which are added to `to`, and those by what
/// stretches and shifts. `room` is as long as a row.
#[inline(always)]
pub fn norm_back(
    row: &[f32],
    [mean, inverse]: Moments,
    stretch: &[f32],
    slopes: &[f32],
    to: &mut [f32],
    [by_stretch, by_shift]: [&mut [f32]; 2],
    room: &mut [f32],
) {
    for at in 0..row.len() {
        let normed = (row[at] - mean) * inverse;
        by_stretch[at] += slopes[at] * normed;
        by_shift[at] += slopes[at];
        room[at] = slopes[at] * stretch[at];
    }
    let share = 1.0 / row.len() as f32;
    let level = share * sum(room, |slope| slope);
    let along = share * inverse * sum_of_two(room, row, |slope, number| slope * (number - mean));
    for at in 0..row.len() {
        let normed = (row[at] - mean) * inverse;
        to[at] += inverse * (room[at] - level - normed * along);
    }
}

/// e^x for x up to 0, and no less than e^-80.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    kernel::exp(if x > -80.0 { x } else { -80.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_power_of_e_is_one() {
        for step in 0..=16_000 {
            let x = -step as f32 / 200.0;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 4e-7, "{x}: {} {exact}", exp(x));
        }
        assert!(exp(-1e9) < 1e-34 && exp(f32::NEG_INFINITY) < 1e-34);
    }

    #[test]
    fn a_row_comes_to_mean_0_and_deviation_1() {
        let row: Vec<f32> = (0..32).map(|at| 5.0 + (at % 4) as f32).collect();
        let mut out = [0.0; 32];
        let [mean, inverse] = norm(&row, [&[2.0; 32], &[1.0; 32]], &mut out);
        assert!((mean - 6.5).abs() < 1e-6 && (inverse - 1.0 / 1.25f32.sqrt()).abs() < 1e-4);
        let expected = [-1.5, -0.5, 0.5, 1.5].map(|number| 1.0 + 2.0 * number / 1.25f32.sqrt());
        assert!(out.iter().zip(expected.iter().cycle()).all(|(out, expected)| (out - expected).abs() < 1e-4));
    }
}
