//! AVX2: sixteen numbers at a time, two registers for a [`Lanes`]. Processors of Intel since 2013, of AMD since 2015.

// The lanes of several arrays are walked together, by their numbers.
#![allow(clippy::needless_range_loop)]

use super::{Kernels, Row};
use crate::eval::network::{Lanes, QA};
use std::arch::x86_64::*;

// SAFETY of the calls in this file that leave plain code: `Kernels::available` gives these functions out only after the
// processor was seen to have the instructions.
pub(super) static KERNELS: Kernels = Kernels {
    name: "AVX2",
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
type Pair = [__m256i; 2];

/// [`Lanes`] that are kept in registers at a time: eight of the registers at least remain.
const TILE: usize = 4;

type Tile = [Lanes; TILE];

#[target_feature(enable = "avx2")]
#[inline]
fn load(lanes: &Lanes) -> Pair {
    let start = lanes.0.as_ptr().cast::<__m256i>();
    // SAFETY: a `Lanes` is 64 aligned bytes. Measured gain of this file: see `benches/eval.rs`.
    unsafe { [_mm256_load_si256(start), _mm256_load_si256(start.add(1))] }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store(lanes: &mut Lanes, [low, high]: Pair) {
    let start = lanes.0.as_mut_ptr().cast::<__m256i>();
    // SAFETY: as in `load`, and the reference is ours alone.
    unsafe {
        _mm256_store_si256(start, low);
        _mm256_store_si256(start.add(1), high);
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn plus(a: Pair, row: &Lanes) -> Pair {
    let b = load(row);
    [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])]
}

#[target_feature(enable = "avx2")]
#[inline]
fn minus(a: Pair, row: &Lanes) -> Pair {
    let b = load(row);
    [_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])]
}

#[target_feature(enable = "avx2")]
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

#[target_feature(enable = "avx2")]
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

#[target_feature(enable = "avx2")]
#[inline]
fn output(sums: [Row; 2], weights: [Row; 2]) -> i32 {
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
    let mut totals = [zero; 2];
    for (sums, weights) in sums.into_iter().zip(weights) {
        for (sums, weights) in sums.iter().zip(weights) {
            let (sums, weights) = (load(sums), load(weights));
            for half in 0..2 {
                let x = _mm256_min_epi16(_mm256_max_epi16(sums[half], zero), one);
                // At most 127 * 255, which sixteen bits hold.
                let product = _mm256_mullo_epi16(weights[half], x);
                totals[half] = _mm256_add_epi32(totals[half], _mm256_madd_epi16(product, x));
            }
        }
    }
    let eight = _mm256_add_epi32(totals[0], totals[1]);
    let four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
    let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
}
