//! NEON: eight numbers at a time, four registers for a [`Lanes`]. Every 64-bit ARM processor has it.

// The lanes of several arrays are walked together, by their numbers.
#![allow(clippy::needless_range_loop)]

use super::scalar::first_layer;
use super::tiled::tiled_kernels;
use super::{Kernels, Row};
use crate::eval::network::{Deep, Lanes, QA};
use std::arch::aarch64::*;

tiled_kernels!("NEON", "neon", 2);

/// A [`Lanes`].
type Four = [int16x8_t; 4];

#[target_feature(enable = "neon")]
#[inline]
fn load(lanes: &Lanes) -> Four {
    let start = lanes.0.as_ptr();
    // SAFETY: a `Lanes` is 32 numbers.
    unsafe { [vld1q_s16(start), vld1q_s16(start.add(8)), vld1q_s16(start.add(16)), vld1q_s16(start.add(24))] }
}

#[target_feature(enable = "neon")]
#[inline]
fn store(lanes: &mut Lanes, registers: Four) {
    for (eight, register) in lanes.0.as_chunks_mut::<8>().0.iter_mut().zip(registers) {
        // SAFETY: eight numbers, and the reference is ours alone.
        unsafe { vst1q_s16(eight.as_mut_ptr(), register) }
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn plus(a: Four, row: &Lanes) -> Four {
    let b = load(row);
    [vaddq_s16(a[0], b[0]), vaddq_s16(a[1], b[1]), vaddq_s16(a[2], b[2]), vaddq_s16(a[3], b[3])]
}

#[target_feature(enable = "neon")]
#[inline]
fn minus(a: Four, row: &Lanes) -> Four {
    let b = load(row);
    [vsubq_s16(a[0], b[0]), vsubq_s16(a[1], b[1]), vsubq_s16(a[2], b[2]), vsubq_s16(a[3], b[3])]
}

#[target_feature(enable = "neon")]
#[inline]
fn output(sums: [Row; 2], weights: [Row; 2]) -> i32 {
    let (zero, one) = (vdupq_n_s16(0), vdupq_n_s16(QA as i16));
    let mut totals = [vdupq_n_s32(0); 4];
    for (sums, weights) in sums.into_iter().zip(weights) {
        for (sums, weights) in sums.iter().zip(weights) {
            let (sums, weights) = (load(sums), load(weights));
            for quarter in 0..4 {
                let x = vminq_s16(vmaxq_s16(sums[quarter], zero), one);
                // At most 127 * 255, which sixteen bits hold.
                let product = vmulq_s16(weights[quarter], x);
                let low = vmlal_s16(totals[quarter], vget_low_s16(product), vget_low_s16(x));
                totals[quarter] = vmlal_high_s16(low, product, x);
            }
        }
    }
    vaddvq_s32(vaddq_s32(vaddq_s32(totals[0], totals[1]), vaddq_s32(totals[2], totals[3])))
}
