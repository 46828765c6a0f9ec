//! Every form of the arithmetic against the plain loops, on all sorts of numbers.

use super::{Kernels, scalar};
use crate::eval::network::{Deep, DeepWeights, FIRST, LANES, Lanes};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::collections::HashSet;

fn row(random: &mut Xoshiro256PlusPlus, lanes: usize, most: i16) -> Vec<Lanes> {
    (0..lanes)
        .map(|_| {
            Lanes(std::array::from_fn(|_| match random.random_range(0..8) {
                0 => -most,
                1 => most,
                2 => 0,
                _ => random.random_range(-most..=most),
            }))
        })
        .collect()
}

/// Deep layers of one bucket; `first` has the weights of the first, and is told the neuron and the sum.
fn deep(
    random: &mut Xoshiro256PlusPlus,
    lanes: usize,
    mut first: impl FnMut(&mut Xoshiro256PlusPlus, usize, usize) -> i8,
) -> Deep {
    let hidden = lanes * LANES;
    let weights = DeepWeights {
        first: (0..FIRST * 2 * hidden)
            .map(|at| first(random, at / (2 * hidden), at % (2 * hidden)))
            .collect(),
        rest: (0..DeepWeights::sizes(hidden)[1]).map(|_| random.random_range(-1.0..1.0)).collect(),
    };
    weights.layers(hidden).remove(0)
}

#[test]
fn every_form_gives_the_same_numbers() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut differ = HashSet::new();
    for kernels in Kernels::available() {
        // Hidden sizes 32 to 512, and some between.
        for lanes in [1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 24] {
            for most in [127, 600, i16::MAX] {
                let rows: Vec<Vec<Lanes>> = (0..40).map(|_| row(&mut random, lanes, most)).collect();
                let table = rows.concat();
                let starts: Vec<u32> = (0..rows.len()).map(|row| (row * lanes) as u32).collect();
                // Among them a move, a capture and castling by themselves.
                for (adds, subs) in [(0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (2, 2), (3, 2), (20, 17)] {
                    let (add, sub) = (&starts[1..1 + adds], &starts[22..22 + subs]);
                    let updated = |kernels: &Kernels, from: usize, add: &[u32], sub: &[u32]| {
                        let alone = |starts: &[u32]| starts.iter().map(|&start| [start]).collect::<Vec<_>>();
                        let mut to = rows[0].clone();
                        (kernels.update)([&mut to], [&rows[from]], &table, &alone(add), &alone(sub));
                        to
                    };
                    let one = updated(&scalar::KERNELS, 21, add, sub);
                    assert!(updated(kernels, 21, add, sub) == one, "{} with {lanes} lanes", kernels.name);
                    // The other side has other sums and other rows, those of the first in the reverse order.
                    let [other_add, other_sub] = [adds, subs]
                        .map(|count| starts[40 - count..].iter().rev().copied().collect::<Vec<_>>());
                    let other = updated(&scalar::KERNELS, 20, &other_add, &other_sub);
                    let pairs =
                        |a: &[u32], b: &[u32]| a.iter().zip(b).map(|(&a, &b)| [a, b]).collect::<Vec<_>>();
                    let (add, sub) = (pairs(add, &other_add), pairs(sub, &other_sub));
                    let (mut first, mut second) = (rows[0].clone(), rows[0].clone());
                    let from = [&rows[21][..], &rows[20]];
                    (kernels.update_both)([&mut first, &mut second], from, &table, &add, &sub);
                    assert!(
                        first == one && second == other,
                        "{} with {lanes} lanes, both sides",
                        kernels.name
                    );
                }
                let weights: Vec<Vec<Lanes>> = (0..2).map(|_| row(&mut random, lanes, 127)).collect();
                let (sums, weights) = ([&rows[6][..], &rows[7][..]], [&weights[0][..], &weights[1][..]]);
                assert_eq!((kernels.output)(sums, weights), (scalar::KERNELS.output)(sums, weights));
                // As large as can be half of the time, for that is where products could run over, or small.
                let small = random.random();
                let deep = deep(&mut random, lanes, |random, _, _| match random.random_range(0..4) {
                    _ if small => random.random_range(-16..=16),
                    0 => i8::MIN,
                    1 => i8::MAX,
                    _ => random.random_range(-127..=127),
                });
                assert_eq!(deep.narrow, small);
                let found = (kernels.deep)(sums, &deep);
                assert_eq!(found, (scalar::KERNELS.deep)(sums, &deep), "{} with {lanes} lanes", kernels.name);
                let numbers = sums.into_iter().flatten().flat_map(|lanes| lanes.0);
                let squares: Vec<i32> = numbers.map(|sum| i32::from(sum).clamp(0, 255).pow(2)).collect();
                assert_eq!(found, deep.value(&squares), "by the definition");
                differ.insert(found);
            }
        }
    }
    assert!(differ.len() > 20, "{differ:?}");
}

/// A neuron's weights for the first or the last two of all fours of a [`Lanes`] may come to 258 either way, where squared
/// sums are 127 at most; with one more sixteen bits are not enough.
#[test]
fn products_are_added_in_sixteen_bits_only_where_these_hold_them() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let sums = [Lanes([i16::MAX; LANES]); 4];
    let sums = [&sums[..2], &sums[2..]];
    for (more, sign) in [(0, 1), (0, -1), (1, 1), (1, -1)] {
        for (crowded, pair) in [(0, 0), (7, 1), (15, 0)] {
            let deep = deep(&mut random, 2, |_, neuron, sum| {
                let among_sixteen = sum % LANES / 4 * 2 + sum % 2;
                match among_sixteen {
                    _ if neuron != crowded || sum / LANES == 1 || sum % 4 / 2 != pair => 0,
                    0..2 => 17 * sign,
                    15 => (16 + more) * sign,
                    _ => 16 * sign,
                }
            });
            assert_eq!(deep.narrow, more == 0, "{more} {sign}");
            for kernels in Kernels::available() {
                let right = deep.value(&[65_025; 4 * LANES]);
                assert_eq!((kernels.deep)(sums, &deep), right, "{} {more} {sign}", kernels.name);
            }
        }
    }
}

/// What the plain loops do by the definition, in numbers that cannot wrap.
#[test]
fn the_plain_loops_do_what_they_say() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    let rows: Vec<Vec<Lanes>> = (0..6).map(|_| row(&mut random, 3, 600)).collect();
    let weights: Vec<Vec<Lanes>> = (0..2).map(|_| row(&mut random, 3, 127)).collect();
    let at = |row: &[Lanes], index: usize| i64::from(row[index / 32].0[index % 32]);
    let mut to = rows[0].clone();
    (scalar::KERNELS.update)([&mut to], [&rows[1]], &rows.concat(), &[[6], [9]], &[[12], [15]]);
    let mut total = 0;
    for index in 0..96 {
        let sum = at(&rows[1], index) + at(&rows[2], index) + at(&rows[3], index)
            - at(&rows[4], index)
            - at(&rows[5], index);
        assert_eq!(at(&to, index), sum);
        let square = |sum: i64| sum.clamp(0, 255).pow(2);
        total += at(&weights[0], index) * square(sum) + at(&weights[1], index) * square(at(&rows[0], index));
    }
    let output = (scalar::KERNELS.output)([&to, &rows[0]], [&weights[0], &weights[1]]);
    assert_eq!(i64::from(output), total);
}
