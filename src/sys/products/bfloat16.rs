//! Products by AVX-512 BF16.

#![allow(unsafe_code)]

use super::{GRAIN, Left, Right, SIDE};
use std::arch::x86_64::*;

/// Rows that share what is loaded of the right factor: with two registers each of 16 columns, and those, 18 of 32.
const ROWS: usize = 8;

/// The product by AVX-512 BF16.
///
/// # Safety
/// The processor has the instructions, and the sizes fit.
#[target_feature(enable = "avx512f,avx512bf16")]
pub unsafe fn multiply(left: &Left, right: &Right, out: &mut [f32], add: bool) {
    let across = left.inner / GRAIN;
    for strip in 0..right.columns / GRAIN {
        for first in (0..left.rows).step_by(ROWS) {
            let mut sums = [[_mm512_setzero_ps(); 2]; ROWS];
            for part in 0..across {
                let lefts = left.tiles[first / SIDE * across + part].0.as_ptr();
                let rights = [0, 1].map(|side| right.tiles[(2 * strip + side) * across + part].0.as_ptr());
                for couple in 0..SIDE {
                    // SAFETY: within the tile, for there are 16 couples of 32 numbers, aligned to 64 bytes.
                    let rights = unsafe {
                        rights.map(|tile| _mm512_load_si512(tile.add(couple * GRAIN).cast::<__m512i>()))
                    };
                    for (row, sums) in sums.iter_mut().enumerate() {
                        // SAFETY: within the tile, for there are 16 rows of 16 couples.
                        let couple = unsafe {
                            lefts.add((first % SIDE + row) * GRAIN).cast::<i32>().add(couple).read()
                        };
                        let couple = _mm512_set1_epi32(couple);
                        for side in 0..2 {
                            // SAFETY: both are 64 bytes of plain numbers.
                            let (one, other) = unsafe {
                                (
                                    std::mem::transmute::<__m512i, __m512bh>(couple),
                                    std::mem::transmute::<__m512i, __m512bh>(rights[side]),
                                )
                            };
                            sums[side] = _mm512_dpbf16_ps(sums[side], one, other);
                        }
                    }
                }
            }
            for (row, sums) in sums.iter().enumerate() {
                for (side, &sum) in sums.iter().enumerate() {
                    let at = (first + row) * right.columns + strip * GRAIN + side * SIDE;
                    let out = &mut out[at..at + SIDE];
                    // SAFETY: 16 numbers, just seen.
                    unsafe {
                        let before = if add { _mm512_loadu_ps(out.as_ptr()) } else { _mm512_setzero_ps() };
                        _mm512_storeu_ps(out.as_mut_ptr(), _mm512_add_ps(before, sum));
                    }
                }
            }
        }
    }
}
