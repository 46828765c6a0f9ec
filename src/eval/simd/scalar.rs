//! Plain loops, for every processor, and the measure of the others. The compiler makes of them what the build's target
//! allows.

use super::{Kernels, Row};
use crate::eval::network::{Lanes, QA};

pub(super) static KERNELS: Kernels =
    Kernels { name: "portable", add_sub, add_sub_sub, add_add_sub_sub, update, output };

fn plus(mut sums: Lanes, row: &Lanes) -> Lanes {
    for (sum, weight) in sums.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_add(weight);
    }
    sums
}

fn minus(mut sums: Lanes, row: &Lanes) -> Lanes {
    for (sum, weight) in sums.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_sub(weight);
    }
    sums
}

fn add_sub(to: &mut [Lanes], from: Row, add: Row, sub: Row) {
    for (((to, from), add), sub) in to.iter_mut().zip(from).zip(add).zip(sub) {
        *to = minus(plus(*from, add), sub);
    }
}

fn add_sub_sub(to: &mut [Lanes], from: Row, add: Row, [a, b]: [Row; 2]) {
    for ((((to, from), add), a), b) in to.iter_mut().zip(from).zip(add).zip(a).zip(b) {
        *to = minus(minus(plus(*from, add), a), b);
    }
}

fn add_add_sub_sub(to: &mut [Lanes], from: Row, [a, b]: [Row; 2], [c, d]: [Row; 2]) {
    for (((((to, from), a), b), c), d) in to.iter_mut().zip(from).zip(a).zip(b).zip(c).zip(d) {
        *to = minus(minus(plus(plus(*from, a), b), c), d);
    }
}

fn update(sums: &mut [Lanes], add: &[Row], sub: &[Row]) {
    for row in add {
        sums.iter_mut().zip(*row).for_each(|(sums, row)| *sums = plus(*sums, row));
    }
    for row in sub {
        sums.iter_mut().zip(*row).for_each(|(sums, row)| *sums = minus(*sums, row));
    }
}

fn output(sums: [Row; 2], weights: [Row; 2]) -> i32 {
    let mut total = 0i32;
    for (sums, weights) in sums.into_iter().zip(weights) {
        for (sums, weights) in sums.iter().zip(weights) {
            for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
                let x = sum.clamp(0, QA as i16);
                // At most 127 * 255.
                let product = weight.wrapping_mul(x);
                total = total.wrapping_add(i32::from(product) * i32::from(x));
            }
        }
    }
    total
}
