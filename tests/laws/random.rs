//! Random events.

use super::any_game::check;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

#[test]
fn no_sequence_of_events_brings_the_arbiter_down() {
    let sequences = if cfg!(debug_assertions) { 10_000 } else { 100_000 };
    for seed in 0..sequences {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut bytes = vec![0; random.random_range(0..300)];
        random.fill(&mut bytes[..]);
        let guard = Guard(seed);
        check(&bytes);
        std::mem::forget(guard);
    }
}

/// Tells which sequence it was.
struct Guard(u64);

impl Drop for Guard {
    fn drop(&mut self) {
        eprintln!("sequence {}", self.0);
    }
}
