//! AVX-512 with byte and word instructions: a [`Lanes`] in one register. Intel since Skylake-X (2017), AMD since Zen 4.
//!
//! VPDPWSSD (VNNI) is not used: it would only join the last multiplication and addition of `output`.

// The lanes of several arrays are walked together, by their numbers.
#![allow(clippy::needless_range_loop)]

use super::tiled::tiled_kernels;
use super::{Kernels, Row};
use crate::eval::network::{Lanes, QA};
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
