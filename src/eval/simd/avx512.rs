//! AVX-512 with byte and word instructions: a [`Lanes`] in one register. Intel since Skylake-X (2017), AMD since Zen 4.
//!
//! VPDPWSSD (VNNI) is not used: it would only join the last multiplication and addition of `output`.

// The lanes of several arrays are walked together, by their numbers.
#![allow(clippy::needless_range_loop)]

use super::{Kernels, Row};
use crate::eval::network::{Lanes, QA};
use std::arch::x86_64::*;

// SAFETY of the calls in this file that leave plain code: `Kernels::available` gives these functions out only after the
// processor was seen to have the instructions.
pub(super) static KERNELS: Kernels = Kernels {
    name: "AVX-512",
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

/// [`Lanes`] that are kept in registers at a time: eight of the registers at least remain.
const TILE: usize = 4;

type Tile = [Lanes; TILE];

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load(lanes: &Lanes) -> __m512i {
    // SAFETY: a `Lanes` is 64 aligned bytes. Measured gain of this file: see `benches/eval.rs`.
    unsafe { _mm512_load_si512(lanes.0.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn store(lanes: &mut Lanes, register: __m512i) {
    // SAFETY: as in `load`, and the reference is ours alone.
    unsafe { _mm512_store_si512(lanes.0.as_mut_ptr().cast(), register) }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn plus(a: __m512i, row: &Lanes) -> __m512i {
    _mm512_add_epi16(a, load(row))
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn minus(a: __m512i, row: &Lanes) -> __m512i {
    _mm512_sub_epi16(a, load(row))
}

#[target_feature(enable = "avx512f,avx512bw")]
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

#[target_feature(enable = "avx512f,avx512bw")]
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

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn output(sums: [Row; 2], weights: [Row; 2]) -> i32 {
    let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
    let mut totals = [zero; 2];
    // Each side has a register of its own: its additions do not wait for the other's.
    let ([own, other], [own_weights, other_weights]) = (sums, weights);
    for (((own, other), own_weights), other_weights) in
        own.iter().zip(other).zip(own_weights).zip(other_weights)
    {
        for (total, sums, weights) in [(0, own, own_weights), (1, other, other_weights)] {
            let x = _mm512_min_epi16(_mm512_max_epi16(load(sums), zero), one);
            // At most 127 * 255, which sixteen bits hold.
            let product = _mm512_mullo_epi16(load(weights), x);
            totals[total] = _mm512_add_epi32(totals[total], _mm512_madd_epi16(product, x));
        }
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(totals[0], totals[1]))
}
