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

/// The sums of products of the first deep layer.
#[target_feature(enable = "avx2")]
#[inline]
fn first_layer(sums: [Row; 2], quads: &[Quad]) -> [i32; FIRST] {
    let (zero, one, ones) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16), _mm256_set1_epi16(1));
    let mut totals = [zero; 4];
    let mut quads = quads.as_chunks::<{ Deep::QUADS }>().0.iter();
    for row in sums {
        for (lanes, quads) in row.iter().zip(&mut quads) {
            let mut squares = load(lanes);
            for half in &mut squares {
                let x = _mm256_min_epi16(_mm256_max_epi16(*half, zero), one);
                *half = _mm256_srli_epi16::<{ SHIFT as i32 }>(_mm256_mullo_epi16(x, x));
            }
            // Packing goes by halves of registers, so that the middle quarters change places.
            let bytes =
                _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(squares[0], squares[1]));
            let mut fours = [0; Deep::QUADS];
            // SAFETY: 32 bytes, and the array is ours alone.
            unsafe { _mm256_storeu_si256(fours.as_mut_ptr().cast(), bytes) };
            for (at, quad) in quads.iter().enumerate() {
                let four = _mm256_set1_epi32(fours[at]);
                for half in 0..2 {
                    // SAFETY: a `Quad` is 64 aligned bytes.
                    let weights = unsafe { _mm256_load_si256(quad.0.as_ptr().cast::<__m256i>().add(half)) };
                    // Two products of at most 127 * 128, which sixteen bits hold.
                    let pairs = _mm256_madd_epi16(_mm256_maddubs_epi16(four, weights), ones);
                    let total = at % 2 * 2 + half;
                    totals[total] = _mm256_add_epi32(totals[total], pairs);
                }
            }
        }
    }
    let mut numbers = [0; FIRST];
    for (half, numbers) in numbers.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        // SAFETY: 32 bytes, and the array is ours alone.
        unsafe {
            _mm256_storeu_si256(
                numbers.as_mut_ptr().cast(),
                _mm256_add_epi32(totals[half], totals[2 + half]),
            );
        }
    }
    numbers
}
