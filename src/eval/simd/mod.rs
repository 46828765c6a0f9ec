//! The arithmetic of a network in the widest form that the processor has, chosen once at the start. Every form gives
//! the same numbers, bit for bit.
//!
//! The only code of the evaluation with processor instructions of its own. What is unsafe here is two things: calling
//! code compiled for instructions (each set of [`Kernels`] is handed out only after they were seen to be there), and
//! loading and storing whole registers (one [`Lanes`] or [`Quad`](super::network::Quad), by reference, which is aligned for the
//! widest, or an array of our own of the same size).

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod tiled;

use super::network::{Deep, Lanes};
use once_cell::sync::Lazy;

/// One row of weights, or one side's sums.
type Row<'a> = &'a [Lanes];

/// `to = from + all of add - all of sub` for each of `N` sides; these are rows of `weights`, told for each side by where
/// they begin.
pub type Update<const N: usize> =
    fn(to: [&mut [Lanes]; N], from: [Row; N], weights: &[Lanes], add: &[[u32; N]], sub: &[[u32; N]]);

/// What is done with sums and rows of weights. All rows of a call have one length: with others it may panic. Sums wrap
/// round, which those of a network that has been checked never do.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    /// The instructions that it uses.
    pub name: &'static str,
    /// See [`Update`]; for the sums of one side.
    pub update: Update<1>,
    /// For those of both sides.
    pub update_both: Update<2>,
    /// The sum over both sides of `weight * x * x`, where x is a sum brought into 0 to 255 and the weights are 127 at
    /// most either way. The whole must fit 32 bits; parts of it may wrap round and back.
    pub output: fn(sums: [Row; 2], weights: [Row; 2]) -> i32,
    /// What deep layers add to the output of a network, in units of 1/([`QA`](super::network::QA)
    /// [`QB`](super::network::QB)), for these sums.
    pub deep: fn(sums: [Row; 2], deep: &Deep) -> i32,
}

static AVAILABLE: Lazy<Vec<&'static Kernels>> = Lazy::new(|| {
    #[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), allow(unused_mut))]
    let mut kernels = vec![&scalar::KERNELS];
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") {
            kernels.push(&avx2::KERNELS);
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
            kernels.push(&avx512::KERNELS);
            if is_x86_feature_detected!("avx512vnni") {
                kernels.push(&avx512::WITH_VNNI);
            }
        }
    }
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("neon") {
        kernels.push(&neon::KERNELS);
    }
    kernels
});

impl Kernels {
    /// Those that this processor can run, slow ones first.
    pub fn available() -> &'static [&'static Kernels] {
        &AVAILABLE
    }

    /// The fastest that this processor can run.
    pub fn best() -> &'static Kernels {
        AVAILABLE[AVAILABLE.len() - 1]
    }
}
