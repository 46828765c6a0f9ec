//! Plain loops compiled several times, for processors with narrow and with wide vectors.

#![allow(unsafe_code)]

use super::cpu::Work;

/// A kind of vector instructions that the processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vectors(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
enum Kind {
    Portable,
    Avx2,
    Avx512,
}

impl Vectors {
    /// What every processor of this architecture has.
    pub const PORTABLE: Vectors = Vectors(Kind::Portable);

    /// All that this processor has, the widest last.
    pub fn all() -> Vec<Vectors> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut kinds = vec![Vectors::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kinds.push(Vectors(Kind::Avx2));
                let wide = is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq");
                if wide {
                    kinds.push(Vectors(Kind::Avx512));
                }
            }
        }
        kinds
    }

    /// The widest that this processor has.
    pub fn widest() -> Vectors {
        Vectors::all().last().copied().unwrap_or(Vectors::PORTABLE)
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            Kind::Avx2 => "AVX2",
            Kind::Avx512 => "AVX-512",
        }
    }

    /// Does the work in code compiled for these vectors. Rust never fuses or reorders what is written with floats, so
    /// the result is the same bits with each kind.
    #[inline(always)]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            #[inline]
            fn for_avx2<W: Work>(work: W) -> W::Output {
                work.run()
            }
            #[target_feature(enable = "avx2,avx512f,avx512vl,avx512bw,avx512dq")]
            #[inline]
            fn for_avx512<W: Work>(work: W) -> W::Output {
                work.run()
            }
            match self.0 {
                Kind::Portable => {}
                // SAFETY: this kind is only made after the processor was seen to have the instructions. What it gains
                // the trainer is measured by benches/train.rs.
                Kind::Avx2 => return unsafe { for_avx2(work) },
                // SAFETY: as above.
                Kind::Avx512 => return unsafe { for_avx512(work) },
            }
        }
        work.run()
    }
}
