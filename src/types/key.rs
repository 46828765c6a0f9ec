//! Zobrist keys.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};

/// A 64-bit hash of (part of) a position, made by exclusive-or of random numbers, one for each fact
/// (A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[repr(transparent)]
pub struct Key(pub u64);

impl BitXor for Key {
    type Output = Key;
    #[inline(always)]
    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}
