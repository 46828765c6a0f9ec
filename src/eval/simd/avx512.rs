//! AVX-512 with byte and word instructions: a [`Lanes`] in one register. Intel since Skylake-X (2017), AMD since Zen 4.
//!
//! Where there is VNNI too it does the first deep layer; in `output` it would only join the last multiplication and addition.

// The lanes of several arrays are walked together, by their numbers.
#![allow(clippy::needless_range_loop)]

use super::tiled::tiled_kernels;
use super::{Kernels, Row};
use crate::eval::network::{Deep, FIRST, Lanes, QA, Quad, SHIFT};
use once_cell::sync::Lazy;
use std::arch::x86_64::*;

tiled_kernels!("AVX-512", "avx512f,avx512bw", 8);

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

/// Clamped and squared sums, in units of 1/[`DEEP_QA`](crate::eval::network::DEEP_QA), four in each.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn fours(lanes: &Lanes) -> [i32; Deep::QUADS] {
    let x =
        _mm512_min_epi16(_mm512_max_epi16(load(lanes), _mm512_setzero_si512()), _mm512_set1_epi16(QA as i16));
    let squares = _mm512_cvtepi16_epi8(_mm512_srli_epi16::<SHIFT>(_mm512_mullo_epi16(x, x)));
    let mut fours = [0; Deep::QUADS];
    // SAFETY: 32 bytes, and the array is ours alone.
    unsafe { _mm256_storeu_si256(fours.as_mut_ptr().cast(), squares) };
    fours
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load_quad(quad: &Quad) -> __m512i {
    // SAFETY: a `Quad` is 64 aligned bytes.
    unsafe { _mm512_load_si512(quad.0.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn numbers(totals: [__m512i; 4]) -> [i32; FIRST] {
    let total =
        _mm512_add_epi32(_mm512_add_epi32(totals[0], totals[1]), _mm512_add_epi32(totals[2], totals[3]));
    let mut numbers = [0; FIRST];
    // SAFETY: 64 bytes, and the array is ours alone.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), total) };
    numbers
}

/// The sums of products of the first deep layer.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn first_layer(sums: [Row; 2], layers: &Deep) -> [i32; FIRST] {
    let ones = _mm512_set1_epi16(1);
    let mut totals = [_mm512_setzero_si512(); 4];
    let mut quads = layers.quads.as_chunks::<{ Deep::QUADS }>().0.iter();
    for row in sums {
        for (lanes, quads) in row.iter().zip(&mut quads) {
            let fours = fours(lanes);
            for at in 0..Deep::QUADS {
                // Two products of at most 127 * 128, which sixteen bits hold.
                let pairs = _mm512_maddubs_epi16(_mm512_set1_epi32(fours[at]), load_quad(&quads[at]));
                totals[at % 4] = _mm512_add_epi32(totals[at % 4], _mm512_madd_epi16(pairs, ones));
            }
        }
    }
    numbers(totals)
}

/// The same with VNNI, and the others as without.
pub(super) static WITH_VNNI: Lazy<Kernels> = Lazy::new(|| Kernels {
    name: "AVX-512 with VNNI",
    deep: |sums, layers| {
        // SAFETY: as for those that `tiled_kernels` makes.
        unsafe { deep_by_vnni(sums, layers) }
    },
    ..KERNELS
});

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn deep_by_vnni(sums: [Row; 2], layers: &Deep) -> i32 {
    let mut totals = [_mm512_setzero_si512(); 4];
    let mut quads = layers.quads.as_chunks::<{ Deep::QUADS }>().0.iter();
    for row in sums {
        for (lanes, quads) in row.iter().zip(&mut quads) {
            let fours = fours(lanes);
            for at in 0..Deep::QUADS {
                let four = _mm512_set1_epi32(fours[at]);
                totals[at % 4] = _mm512_dpbusd_epi32(totals[at % 4], four, load_quad(&quads[at]));
            }
        }
    }
    layers.rest.value(&numbers(totals))
}
