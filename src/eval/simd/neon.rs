//! NEON: eight numbers at a time, four registers for a [`Lanes`]. Every 64-bit ARM processor has it.

// The lanes of several arrays are walked together, by their numbers.
#![allow(clippy::needless_range_loop)]

use super::{Kernels, Row};
use crate::eval::network::{Lanes, QA};
use std::arch::aarch64::*;

// SAFETY of the calls in this file that leave plain code: `Kernels::available` gives these functions out only after the
// processor was seen to have the instructions.
pub(super) static KERNELS: Kernels = Kernels {
    name: "NEON",
    add_sub: |to, from, add, sub| {
        // SAFETY: see above.
        unsafe { combine(to, from, [add], [sub]) }
    },
    add_sub_sub: |to, from, add, sub| {
        // SAFETY: see above.
        unsafe { combine(to, from, [add], sub) }
    },
    add_add_sub_sub: |to, from, add, sub| {
        // SAFETY: see above.
        unsafe { combine(to, from, add, sub) }
    },
    update: |sums, add, sub| {
        // SAFETY: see above.
        unsafe { update(sums, add, sub) }
    },
    output: |sums, weights| {
        // SAFETY: see above.
        unsafe { output(sums, weights) }
    },
};

/// A [`Lanes`].
type Four = [int16x8_t; 4];

/// [`Lanes`] that are kept in registers at a time: eight of the registers at least remain.
const TILE: usize = 4;

type Tile = [Lanes; TILE];

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
fn combine<const A: usize, const S: usize>(to: &mut [Lanes], from: Row, add: [Row; A], sub: [Row; S]) {
    let (to_tiles, to_rest) = to.as_chunks_mut::<TILE>();
    let (from_tiles, from_rest) = from.as_chunks::<TILE>();
    // Loops, not closures: code of other modules that calls a closure is not compiled for these instructions.
    let (mut add_tiles, mut sub_tiles): ([&[Tile]; A], [&[Tile]; S]) = ([&[]; A], [&[]; S]);
    let (mut add_rest, mut sub_rest): ([Row; A], [Row; S]) = ([&[]; A], [&[]; S]);
    for index in 0..A {
        (add_tiles[index], add_rest[index]) = add[index].as_chunks();
    }
    for index in 0..S {
        (sub_tiles[index], sub_rest[index]) = sub[index].as_chunks();
    }
    for (index, (to, from)) in to_tiles.iter_mut().zip(from_tiles).enumerate() {
        let mut sums = [load(&from[0]); TILE];
        for lane in 0..TILE {
            sums[lane] = load(&from[lane]);
        }
        for row in add_tiles {
            let row = &row[index];
            for lane in 0..TILE {
                sums[lane] = plus(sums[lane], &row[lane]);
            }
        }
        for row in sub_tiles {
            let row = &row[index];
            for lane in 0..TILE {
                sums[lane] = minus(sums[lane], &row[lane]);
            }
        }
        for lane in 0..TILE {
            store(&mut to[lane], sums[lane]);
        }
    }
    for (index, (to, from)) in to_rest.iter_mut().zip(from_rest).enumerate() {
        let mut sums = load(from);
        for row in add_rest {
            sums = plus(sums, &row[index]);
        }
        for row in sub_rest {
            sums = minus(sums, &row[index]);
        }
        store(to, sums);
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn update(sums: &mut [Lanes], add: &[Row], sub: &[Row]) {
    let (tiles, rest) = sums.as_chunks_mut::<TILE>();
    let mut at = 0;
    for tile in tiles {
        let mut registers = [load(&tile[0]); TILE];
        for lane in 0..TILE {
            registers[lane] = load(&tile[lane]);
        }
        for row in add {
            let row = &row[at..at + TILE];
            for lane in 0..TILE {
                registers[lane] = plus(registers[lane], &row[lane]);
            }
        }
        for row in sub {
            let row = &row[at..at + TILE];
            for lane in 0..TILE {
                registers[lane] = minus(registers[lane], &row[lane]);
            }
        }
        for lane in 0..TILE {
            store(&mut tile[lane], registers[lane]);
        }
        at += TILE;
    }
    for lanes in rest {
        let mut register = load(lanes);
        for row in add {
            register = plus(register, &row[at]);
        }
        for row in sub {
            register = minus(register, &row[at]);
        }
        store(lanes, register);
        at += 1;
    }
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
