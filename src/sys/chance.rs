//! Chance that is the same on every machine and in every version: the generator by its name, and our own way from its
//! numbers to choices, for libraries may change theirs.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use std::hash::{BuildHasher, Hasher, RandomState};

/// A generator of random numbers that a seed sets for ever.
#[derive(Debug)]
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Chance {
        Chance(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A sequence that is another each time.
    pub fn drawn() -> Chance {
        Chance::new(drawn())
    }

    /// The sequence of one of many things that have a seed in common, each with its number.
    pub fn of_part(seed: u64, number: u64) -> Chance {
        Chance::new(Chance::new(seed).0.next_u64() ^ number)
    }

    /// A number from 0 to `limit - 1`, all equally likely but for one part in 2^64 / `limit` (multiply and shift, D.
    /// Lemire, "Fast Random Integer Generation in an Interval", 2019, without the rejection). 0 if the limit is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(limit)) >> 64) as u64
    }

    /// An index chosen as often as its weight says, or `None` if all weights are 0.
    pub fn weighted(&mut self, weights: impl Iterator<Item = u64> + Clone) -> Option<usize> {
        let mut left = self.below(weights.clone().sum());
        for (index, weight) in weights.enumerate() {
            match left.checked_sub(weight) {
                None => return Some(index),
                Some(rest) => left = rest,
            }
        }
        None
    }

    /// Puts things into a random order (R. Fisher and F. Yates, 1938; R. Durstenfeld's form).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// A number that nobody can guess, another each time: the standard library keys its hash maps with randomness of the system.
pub fn drawn() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// By how much the state of SplitMix64 grows from number to number.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number with all its bits stirred: what SplitMix64 gives in this state (G. Steele, D. Lea, C. Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014; <https://prng.di.unimi.it/splitmix64.c>).
#[inline(always)]
pub const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(STEP);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the published algorithms (SplitMix64 for the seed, xoshiro256++, <https://prng.di.unimi.it>) give when written
    /// down anew in another language.
    #[test]
    fn the_order_of_a_seed_never_changes() {
        let mut things: Vec<u8> = (0..20).collect();
        Chance::new(42).shuffle(&mut things);
        assert_eq!(things, [4, 13, 3, 18, 14, 19, 0, 9, 15, 5, 10, 2, 7, 1, 8, 12, 11, 17, 6, 16]);
        assert_eq!(Chance::of_part(42, 7).below(1 << 32), 844_923_400);
    }

    #[test]
    fn what_is_drawn_is_another_each_time() {
        let [one, other] = [(); 2].map(|()| Chance::drawn().below(u64::MAX));
        assert_ne!(one, other);
    }

    #[test]
    fn all_orders_come_equally_often() {
        let mut counts = std::collections::HashMap::new();
        for seed in 0..24_000 {
            let mut things = [0, 1, 2, 3];
            Chance::new(seed).shuffle(&mut things);
            *counts.entry(things).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        // Four standard deviations.
        assert!(counts.values().all(|count| (876..=1124).contains(count)), "{counts:?}");
    }

    #[test]
    fn weights_are_kept_and_nothing_is_chosen_from_nothing() {
        let mut chance = Chance::new(1);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            counts[chance.weighted([1, 0, 6, 3].into_iter()).unwrap()] += 1;
        }
        assert!((900..1100).contains(&counts[0]) && counts[1] == 0, "{counts:?}");
        assert!((5800..6200).contains(&counts[2]), "{counts:?}");
        assert_eq!(chance.weighted([0, 0].into_iter()), None);
        assert_eq!(chance.weighted(std::iter::empty()), None);
    }
}
