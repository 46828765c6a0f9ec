//! The normal distribution: the error function and what follows from it, to about one part in 10¹⁵.
//!
//! Sources: Abramowitz and Stegun, "Handbook of Mathematical Functions", 7.1.6 (series), 7.1.14 (continued fraction)
//! and 26.2.29.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The quantile of the normal distribution that leaves 2.5 % beyond it: a 95 % interval is the mean plus and minus so
/// many standard deviations.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Below this the series is used for both functions, beyond it the continued fraction, because for [`erfc`] one minus the
/// series would lose digits there, and for [`erf`] the sum of many terms rounds more than one minus a small number.
const SERIES_BOUND: f64 = 1.0;

/// Beyond this [`erfc`] is less than any number.
const VANISHES: f64 = 27.3;

/// The error function, 2/√π ∫₀ˣ e^(-t²) dt: from -1 to 1, odd.
pub fn erf(x: f64) -> f64 {
    if x.abs() < SERIES_BOUND { series(x) } else { x.signum() * (1.0 - erfc(x.abs())) }
}

/// The complement of the error function, 1 - erf(x): from 2 to 0; keeps its relative precision where it is small.
pub fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    if x < SERIES_BOUND {
        return 1.0 - series(x);
    }
    if x > VANISHES {
        return 0.0;
    }
    // From the inside out. So many levels are enough for the bound, where it converges most slowly.
    let levels = if x < 2.0 { 400 } else { 80 };
    let inner = (1..=levels).rev().fold(x, |inner, level| x + f64::from(level) / 2.0 / inner);
    gauss(x) / (PI.sqrt() * inner)
}

/// The probability that a standard normal variable is less than `x`.
pub fn cdf(x: f64) -> f64 {
    erfc(-x * FRAC_1_SQRT_2) / 2.0
}

/// erf(x) by the series whose terms have all the same sign, so that nothing cancels.
fn series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut n = 0.0;
    while term.abs() > sum.abs() * 1e-18 {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    2.0 / PI.sqrt() * gauss(x) * sum
}

/// e^(-x²). The square is taken in two parts: its rounding error alone would cost a digit or two for large `x`.
fn gauss(x: f64) -> f64 {
    let short = f64::from(x as f32);
    (-short * short).exp() * (-(x - short) * (x + short)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// x, erf(x), erfc(x), computed with 40 digits by mpmath.
    const TABLE: [(f64, f64, f64); 25] = [
        (1e-300, 1.1283791670955126e-300, 1.0),
        (1e-10, 1.1283791670955126e-10, 0.999999999887162),
        (0.1, 0.1124629160182849, 0.887537083981715),
        (0.25, 0.27632639016823696, 0.7236736098317631),
        (0.5, 0.5204998778130465, 0.4795001221869535),
        (0.75, 0.7111556336535151, 0.28884436634648486),
        (0.9375, 0.8151024010343998, 0.1848975989656002),
        (1.0, 0.8427007929497149, 0.15729920705028513),
        (1.25, 0.9229001282564583, 0.07709987174354177),
        (1.5, 0.9661051464753108, 0.033894853524689274),
        (1.75, 0.9866716712191824, 0.013328328780817557),
        (2.0, 0.9953222650189527, 0.004677734981047266),
        (2.25, 0.9985372834133188, 0.0014627165866811518),
        (2.5, 0.999593047982555, 0.0004069520174449589),
        (3.0, 0.9999779095030014, 2.209049699858544e-05),
        (3.5, 0.9999992569016276, 7.430983723414128e-07),
        (4.0, 0.9999999845827421, 1.541725790028002e-08),
        (5.0, 0.9999999999984626, 1.537459794428035e-12),
        (6.0, 1.0, 2.1519736712498913e-17),
        (8.0, 1.0, 1.1224297172982926e-29),
        (10.0, 1.0, 2.088487583762545e-45),
        (15.0, 1.0, 7.212994172451207e-100),
        (20.0, 1.0, 5.395865611607901e-176),
        (25.0, 1.0, 8.300172571196523e-274),
        (26.0, 1.0, 5.663192408856143e-296),
    ];

    #[test]
    fn equals_the_table() {
        let near = |value: f64, exact: f64| (value / exact - 1.0).abs() < 2e-15;
        for (x, erf_x, erfc_x) in TABLE {
            assert!(near(erf(x), erf_x) && near(erf(-x), -erf_x), "erf({x}) = {:e}", erf(x));
            assert!(near(erfc(x), erfc_x), "erfc({x}) = {:e}, {:e}", erfc(x), erfc(x) / erfc_x - 1.0);
            assert!(near(erfc(-x), 1.0 + erf_x), "erfc(-{x}) = {:e}", erfc(-x));
        }
        for (x, exact) in [
            (-10.0, 7.619853024160525e-24),
            (-Z95, 0.025),
            (-0.5, 0.3085375387259869),
            (0.0, 0.5),
            (1.0, 0.8413447460685429),
            (3.0, 0.9986501019683699),
        ] {
            assert!((cdf(x) / exact - 1.0).abs() < 2e-14, "cdf({x}) = {:e}", cdf(x));
        }
    }

    #[test]
    fn ends_are_reached() {
        for x in [40.0, 1e10, f64::MAX, f64::INFINITY] {
            assert_eq!((erf(x), erfc(x), erf(-x), erfc(-x)), (1.0, 0.0, -1.0, 2.0));
            assert_eq!((cdf(-x), cdf(x)), (0.0, 1.0));
        }
        assert_eq!((erf(0.0), erfc(0.0), cdf(0.0)), (0.0, 1.0, 0.5));
        // Where the series has rounded too often.
        let x = 1.726_763_216_393_073_7;
        assert!((erf(x) + erfc(x) - 1.0).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn the_two_add_to_one(x in -30.0..30.0f64) {
            prop_assert!((erf(x) + erfc(x) - 1.0).abs() < 1e-15);
            prop_assert!((cdf(x) + cdf(-x) - 1.0).abs() < 1e-15);
        }

        #[test]
        fn rises(x in -8.0..8.0f64, step in 1e-6..1.0f64) {
            prop_assert!(erf(x) <= erf(x + step) && cdf(x) < cdf(x + step) || x > 5.0);
        }
    }
}
