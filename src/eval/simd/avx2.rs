//! AVX2: sixteen numbers at a time, two registers for a [`Lanes`]. Processors of Intel since 2013, of AMD since 2015.

// The lanes of several arrays are walked together, by their numbers.
#![allow(clippy::needless_range_loop)]

use super::tiled::tiled_kernels;
use super::{Kernels, Row};
use crate::eval::network::{Deep, FIRST, Lanes, QA, Quad, SHIFT};
use std::arch::x86_64::*;

tiled_kernels!("AVX2", "avx2", 2);

/// A [`Lanes`].
type Pair = [__m256i; 2];

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

/// Clamped and squared sums, in units of 1/[`DEEP_QA`](crate::eval::network::DEEP_QA), four in each.
#[target_feature(enable = "avx2")]
#[inline]
fn fours(lanes: &Lanes) -> [i32; Deep::QUADS] {
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
    let squares = load(lanes).map(|half| {
        let x = _mm256_min_epi16(_mm256_max_epi16(half, zero), one);
        _mm256_srli_epi16::<{ SHIFT as i32 }>(_mm256_mullo_epi16(x, x))
    });
    // Packing goes by halves of registers, so that the middle quarters change places.
    let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(squares[0], squares[1]));
    let mut fours = [0; Deep::QUADS];
    // SAFETY: 32 bytes, and the array is ours alone.
    unsafe { _mm256_storeu_si256(fours.as_mut_ptr().cast(), bytes) };
    fours
}

/// The sums of products of the first deep layer.
#[target_feature(enable = "avx2")]
#[inline]
fn first_layer(sums: [Row; 2], layers: &Deep) -> [i32; FIRST] {
    if layers.narrow {
        add_products::<{ Deep::QUADS }>(sums, &layers.quads)
    } else {
        add_products::<1>(sums, &layers.quads)
    }
}

/// The same where sixteen bits hold the sums over so many [`Quad`]s.
#[target_feature(enable = "avx2")]
#[inline]
fn add_products<const RUN: usize>(sums: [Row; 2], quads: &[Quad]) -> [i32; FIRST] {
    let ones = _mm256_set1_epi16(1);
    let mut totals = [_mm256_setzero_si256(); 2];
    let mut quads = quads.as_chunks::<{ Deep::QUADS }>().0.iter();
    for row in sums {
        for (lanes, quads) in row.iter().zip(&mut quads) {
            let fours = fours(lanes);
            for (fours, quads) in fours.as_chunks::<RUN>().0.iter().zip(quads.as_chunks::<RUN>().0) {
                for half in 0..2 {
                    let mut pairs = _mm256_setzero_si256();
                    for at in 0..RUN {
                        let start = quads[at].0.as_ptr().cast::<__m256i>();
                        // SAFETY: a `Quad` is 64 aligned bytes.
                        let weights = unsafe { _mm256_load_si256(start.add(half)) };
                        // Two products of at most 127 * 128, which sixteen bits hold.
                        let products = _mm256_maddubs_epi16(_mm256_set1_epi32(fours[at]), weights);
                        pairs = _mm256_add_epi16(pairs, products);
                    }
                    totals[half] = _mm256_add_epi32(totals[half], _mm256_madd_epi16(pairs, ones));
                }
            }
        }
    }
    let mut numbers = [0; FIRST];
    for (total, numbers) in totals.into_iter().zip(numbers.as_chunks_mut::<8>().0) {
        // SAFETY: 32 bytes, and the array is ours alone.
        unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), total) };
    }
    numbers
}
