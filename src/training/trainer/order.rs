//! A random order of any number of things that takes no memory: the n-th of them can be asked for at once, so that a run
//! can be resumed anywhere.
//!
//! A Feistel network over pairs (a, b) with a and b below about the square root of the number; what falls outside is sent
//! through again (J. Black and P. Rogaway, "Ciphers with Arbitrary Finite Domains", 2002, where both are called
//! generalised Feistel and cycle walking).

use crate::sys::chance::mix;

/// Enough that all orders that matter look alike; tested below.
const ROUNDS: u64 = 6;

/// A random order of the numbers below a limit, each once.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    count: u64,
    left: u64,
    right: u64,
    keys: [u64; ROUNDS as usize],
}

impl Order {
    /// The order of this seed; `count` is less than 2^62.
    pub fn new(count: u64, seed: u64) -> Order {
        let left = count.isqrt().max(1);
        let right = count.div_ceil(left).max(1);
        Order { count, left, right, keys: std::array::from_fn(|round| mix(seed ^ mix(round as u64))) }
    }

    /// What comes at this place, which is below the count.
    #[inline(always)]
    pub fn at(&self, place: u64) -> u64 {
        let mut number = place;
        // Each step follows a cycle of a permutation, so it ends where the place itself is allowed.
        loop {
            number = self.step(number);
            if number < self.count {
                return number;
            }
        }
    }

    /// A permutation of the numbers below `left * right`, which is hardly more than the count.
    #[inline(always)]
    fn step(&self, number: u64) -> u64 {
        let (mut a, mut b) = (number / self.right, number % self.right);
        for pair in self.keys.as_chunks::<2>().0 {
            a = added(a, scale(stir(b, pair[0]), self.left), self.left);
            b = added(b, scale(stir(a, pair[1]), self.right), self.right);
        }
        a * self.right + b
    }
}

/// One round's number: cheaper than `mix`, for there are several rounds.
#[inline(always)]
fn stir(number: u64, key: u64) -> u64 {
    let number = (number ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (number ^ number >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// A random number brought below a limit.
#[inline(always)]
fn scale(random: u64, limit: u64) -> u64 {
    ((u128::from(random) * u128::from(limit)) >> 64) as u64
}

/// A sum modulo `limit` of numbers below it.
#[inline(always)]
fn added(one: u64, other: u64, limit: u64) -> u64 {
    let sum = one + other;
    if sum >= limit { sum - limit } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_comes_once_whatever_the_count() {
        for count in (1..300).chain([997, 1000, 65_536, 65_537]) {
            let order = Order::new(count, 5);
            let mut seen = vec![false; count as usize];
            for place in 0..count {
                assert!(!std::mem::replace(&mut seen[order.at(place) as usize], true), "{count}");
            }
        }
    }

    #[test]
    fn all_orders_of_four_come_about_equally_often() {
        let mut counts = std::collections::HashMap::new();
        for seed in 0..24_000 {
            let order = Order::new(4, seed);
            *counts.entry([0, 1, 2, 3].map(|place| order.at(place))).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        // Six standard deviations; a network of additions alone would miss half of the orders.
        assert!(counts.values().all(|count| (814..=1186).contains(count)), "{counts:?}");
    }

    #[test]
    fn neighbours_part() {
        // The difference of what comes one after the other is spread over the whole range: a sum of squares as far from
        // that of independent numbers as chance allows.
        let count = 100_000;
        for seed in 0..4 {
            let order = Order::new(count, seed);
            let mean: f64 = (1..count)
                .map(|place| order.at(place).abs_diff(order.at(place - 1)) as f64 / count as f64)
                .sum::<f64>()
                / (count - 1) as f64;
            assert!((mean - 1.0 / 3.0).abs() < 0.005, "{mean}");
            let fixed = (0..count).filter(|&place| order.at(place) == place).count();
            assert!(fixed < 12, "{fixed}");
        }
    }
}
