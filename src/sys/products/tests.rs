//! Products against sums by hand.

use super::*;
use crate::sys::chance::Chance;

fn matrix(seed: u64, count: usize) -> Vec<f32> {
    let mut chance = Chance::new(seed);
    (0..count).map(|_| (chance.below(2_001) as f32 - 1_000.0) / 700.0).collect()
}

fn transposed(matrix: &[f32], columns: usize) -> Vec<f32> {
    (0..matrix.len())
        .map(|at| matrix[at % (matrix.len() / columns) * columns + at / (matrix.len() / columns)])
        .collect()
}

/// As it is kept.
fn kept(number: f32) -> f64 {
    f64::from(widened(rounded(number)))
}

#[test]
fn numbers_go_to_the_nearest_that_can_be_kept() {
    // Eight binary digits: 1 + 1/128 is the next after one.
    for (number, nearest) in [
        (1.0, 1.0),
        (1.003, 1.0),
        (1.005, 1.007_812_5),
        (1.0 + 1.0 / 256.0, 1.0),
        (1.0 + 3.0 / 256.0, 1.015_625),
        (-3.0e-20, -3.007_2e-20),
    ] {
        let found = kept(number);
        assert!((found - nearest).abs() <= 1e-4 * nearest.abs(), "{number} {found}");
    }
    assert_eq!(kept(f32::INFINITY), f64::INFINITY);
}

#[test]
fn each_kind_multiplies_as_one_does_by_hand() {
    for (rows, inner, columns) in [(32, 32, 32), (64, 96, 160), (96, 256, 32), (32, 64, 96)] {
        let (one, other) = (matrix(1, rows * inner), matrix(2, inner * columns));
        let before = matrix(3, rows * columns);
        let (mut lefts, mut rights) =
            ([Left::default(), Left::default()], [Right::default(), Right::default()]);
        lefts[0].set(Rows::whole(&one, inner));
        let turned = transposed(&one, inner);
        lefts[1].set_transposed(Rows::whole(&turned, rows));
        rights[0].set(Rows::whole(&other, columns));
        let turned = transposed(&other, columns);
        rights[1].set_transposed(Rows::whole(&turned, inner));
        for (products, add) in Products::all().into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
            for (left, right) in [(0, 0), (1, 0), (0, 1)] {
                let mut out = before.clone();
                products.multiply(&lefts[left], &rights[right], &mut out, add);
                for row in 0..rows {
                    for column in 0..columns {
                        let product =
                            |at: usize| kept(one[row * inner + at]) * kept(other[at * columns + column]);
                        let at = row * columns + column;
                        let begin = if add { f64::from(before[at]) } else { 0.0 };
                        let exact = begin + (0..inner).map(product).sum::<f64>();
                        let error = (f64::from(out[at]) - exact).abs();
                        assert!(error < 1e-4, "{products:?} {add} {row} {column}: {} {exact}", out[at]);
                    }
                }
            }
        }
    }
}

#[test]
fn a_matrix_can_become_another_of_other_sizes() {
    let (mut left, mut right) = (Left::default(), Right::default());
    for size in [96, 32, 64] {
        left.set(Rows::whole(&vec![1.0; size * size], size));
        right.set(Rows::whole(&vec![2.0; size * size], size));
        let mut out = vec![7.0; size * size];
        Products::fastest().multiply(&left, &right, &mut out, false);
        assert!(out.iter().all(|&sum| sum == 2.0 * size as f32), "{size}");
    }
}

#[test]
fn parts_of_rows_are_taken_and_what_is_missing_is_zero() {
    // Columns 32 to 63 of 21 rows of 96 numbers; whatever was there before is gone.
    let (numbers, other) = (matrix(4, 21 * 96), matrix(5, 32 * 32));
    let rows = Rows::part(&numbers[32..], 96, 32, 21);
    let part = |row: usize, column: usize| if row < 21 { kept(numbers[row * 96 + 32 + column]) } else { 0.0 };
    let turned = |row: usize, column: usize| part(column, row);
    let number = |row: usize, column: usize| kept(other[row * 32 + column]);
    let (mut left, mut right, mut out) = (Left::default(), Right::default(), vec![0.0; 1024]);
    let check = |left: &Left, right: &Right, out: &mut [f32], exact: &dyn Fn(usize, usize, usize) -> f64| {
        Products::fastest().multiply(left, right, out, false);
        for at in 0..1024 {
            let sum: f64 = (0..32).map(|inner| exact(at / 32, inner, at % 32)).sum();
            assert!((f64::from(out[at]) - sum).abs() < 1e-4, "{at}");
        }
    };
    let whole = Rows::whole(&other, 32);
    for transposed in [false, true] {
        left.set(Rows::whole(&[9.0; 1024], 32));
        right.set(whole);
        if transposed {
            left.set_transposed(rows)
        } else {
            left.set(rows)
        };
        check(&left, &right, &mut out, &|row, inner, column| {
            number(inner, column) * if transposed { turned(row, inner) } else { part(row, inner) }
        });
        right.set(Rows::whole(&[9.0; 1024], 32));
        left.set(whole);
        if transposed {
            right.set_transposed(rows)
        } else {
            right.set(rows)
        };
        check(&left, &right, &mut out, &|row, inner, column| {
            number(row, inner) * if transposed { turned(inner, column) } else { part(inner, column) }
        });
    }
}

#[test]
#[should_panic(expected = "sizes")]
fn factors_that_do_not_fit_are_refused() {
    let (mut left, mut right) = (Left::default(), Right::default());
    left.set(Rows::whole(&[1.0; 1024], 32));
    right.set(Rows::whole(&[1.0; 2048], 32));
    Products::fastest().multiply(&left, &right, &mut [0.0; 1024], false);
}
