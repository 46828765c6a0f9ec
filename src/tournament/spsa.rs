//! Simultaneous perturbation stochastic approximation: all parameters are tuned at once by games between two settings
//! that lie on opposite sides of the present one (J. C. Spall, "Implementation of the simultaneous perturbation
//! algorithm for stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems 34 (1998);
//! <https://www.chessprogramming.org/SPSA>).

use crate::types::tunable::Parameter;
use rand::{Rng, RngExt};

/// How both gains fall with the iterations: Spall's recommended exponents for finite samples.
const STEP_EXPONENT: f64 = 0.602;
const PERTURBATION_EXPONENT: f64 = 0.101;
/// The share of all iterations that holds the first steps back.
const STABILITY: f64 = 0.1;

/// How far the parameters move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// Iterations that are planned.
    pub iterations: u64,
    /// How far a point of an iteration's result moves a parameter at the end, as a share of the perturbation.
    pub rate: f64,
    /// The perturbation at the end, in steps of the parameter.
    pub spread: f64,
}

/// Two settings to be compared, and what lies between them.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The values of the first player.
    pub plus: Vec<i32>,
    /// The values of the second.
    pub minus: Vec<i32>,
    /// Which way each parameter was moved for the first player, and how far.
    offsets: Vec<f64>,
}

impl Gains {
    /// The size of the perturbation in iteration `k` (from 0), in steps of the parameter; `spread` at the end.
    fn perturbation(&self, k: u64) -> f64 {
        let n = self.iterations.max(1) as f64;
        self.spread * (n / (k as f64 + 1.0)).powf(PERTURBATION_EXPONENT)
    }

    /// How far a parameter moves per point if the perturbation is `spread`, in the same steps: `rate` times `spread` at the
    /// end.
    fn step(&self, k: u64) -> f64 {
        let n = self.iterations.max(1) as f64;
        let held = STABILITY * n;
        self.rate * self.spread * ((held + n) / (held + k as f64 + 1.0)).powf(STEP_EXPONENT)
    }

    /// Draws the two settings of iteration `k` about `values`.
    pub fn draw(&self, parameters: &[Parameter], values: &[f64], k: u64, random: &mut impl Rng) -> Trial {
        let size = self.perturbation(k);
        let mut trial = Trial { plus: vec![], minus: vec![], offsets: vec![] };
        for (parameter, &value) in parameters.iter().zip(values) {
            let offset = size * f64::from(parameter.step) * if random.random() { 1.0 } else { -1.0 };
            // Rounded by chance, so that small differences are not lost: 2.3 is 3 three times in ten. By the same chance
            // for both, so that rounding adds no difference between them.
            let chance: f64 = random.random();
            let whole = |value: f64| {
                (value + chance).floor().clamp(f64::from(parameter.min), f64::from(parameter.max)) as i32
            };
            trial.plus.push(whole(value + offset));
            trial.minus.push(whole(value - offset));
            trial.offsets.push(offset);
        }
        trial
    }

    /// Moves `values` by the result of a trial: the first player's points less the second's. The larger the perturbation,
    /// the less a point says of each step of it.
    pub fn learn(&self, parameters: &[Parameter], values: &mut [f64], k: u64, trial: &Trial, result: f64) {
        let factor = self.step(k) * self.spread / self.perturbation(k).powi(2);
        for ((parameter, value), offset) in parameters.iter().zip(values).zip(&trial.offsets) {
            let moved = *value + factor * result * offset;
            *value = moved.clamp(f64::from(parameter.min), f64::from(parameter.max));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    const PARAMETERS: [Parameter; 3] = [
        Parameter { name: "steep", default: 100, min: 0, max: 200, step: 8 },
        Parameter { name: "bounded", default: 10, min: 0, max: 20, step: 2 },
        Parameter { name: "idle", default: 50, min: 0, max: 100, step: 5 },
    ];

    /// Points of a game whose winner is drawn with odds by how near each setting is to an optimum.
    fn play(trial: &Trial, random: &mut Xoshiro256PlusPlus) -> f64 {
        let worth = |values: &[i32]| {
            let steep = f64::from(values[0] - 140) / 40.0;
            let bounded = f64::from(values[1]) / 20.0;
            bounded - steep * steep
        };
        let expected = 1.0 / (1.0 + (worth(&trial.minus) - worth(&trial.plus)).exp());
        if random.random_bool(expected) { 1.0 } else { -1.0 }
    }

    #[test]
    fn parameters_go_to_their_optimum_and_not_beyond_their_bounds() {
        let gains = Gains { iterations: 20_000, rate: 0.02, spread: 1.0 };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut values = PARAMETERS.map(|parameter| f64::from(parameter.default));
        for k in 0..gains.iterations {
            let trial = gains.draw(&PARAMETERS, &values, k, &mut random);
            let result = play(&trial, &mut random);
            gains.learn(&PARAMETERS, &mut values, k, &trial, result);
        }
        assert!((values[0] - 140.0).abs() < 12.0, "{values:?}");
        assert!(values[1] > 16.0 && values[1] <= 20.0, "{values:?}");
        assert!((values[2] - 50.0).abs() < 25.0, "{values:?}");
    }

    #[test]
    fn the_two_settings_lie_on_opposite_sides_and_rounding_is_fair() {
        let gains = Gains { iterations: 100, rate: 0.01, spread: 2.0 };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let (mut sum, mut signs) = (0.0, 0);
        for _ in 0..4_000 {
            let trial = gains.draw(&PARAMETERS, &[100.3, 10.0, 50.0], 99, &mut random);
            assert_eq!((trial.plus[0] - trial.minus[0]).abs(), 32, "two steps of 8 each way");
            sum += f64::from(trial.plus[0] + trial.minus[0]) / 2.0;
            signs += (trial.plus[0] - trial.minus[0]).signum() * (trial.plus[2] - trial.minus[2]).signum();
        }
        assert!((sum / 4_000.0 - 100.3).abs() < 0.05, "{sum}");
        assert!(signs.abs() < 300, "the signs are independent: {signs}");
    }

    /// By Spall a value moves by the step's gain over the perturbation's.
    #[test]
    fn a_point_moves_values_by_one_gain_over_the_other() {
        let gains = Gains { iterations: 1_000, rate: 0.005, spread: 2.0 };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let moved = |k, random: &mut Xoshiro256PlusPlus| {
            let mut values = [100.0];
            let trial = gains.draw(&PARAMETERS[..1], &values, k, random);
            gains.learn(&PARAMETERS[..1], &mut values, k, &trial, 1.0);
            (values[0] - 100.0_f64).abs()
        };
        let last = moved(999, &mut random);
        assert!((last - 0.005 * 2.0 * 8.0).abs() < 1e-9, "{last}");
        let ratio = moved(0, &mut random) / last;
        let expected = (1_100.0_f64 / 101.0).powf(0.602) / 1_000.0_f64.powf(0.101);
        assert!((ratio - expected).abs() < 1e-9, "{ratio} {expected}");
    }

    #[test]
    fn steps_and_perturbations_shrink_to_what_was_asked_for() {
        for spread in [1.0, 3.0] {
            let gains = Gains { iterations: 1_000, rate: 0.005, spread };
            assert!((gains.perturbation(999) - spread).abs() < 1e-9 && gains.perturbation(0) > 1.5 * spread);
            assert!((gains.step(999) - 0.005 * spread).abs() < 1e-9 && gains.step(0) > 0.015 * spread);
        }
    }

    #[test]
    fn both_settings_stay_within_the_bounds() {
        let gains = Gains { iterations: 100, rate: 0.01, spread: 3.0 };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        let values = [199.0, 0.5, 97.0];
        let mut at_an_end = [0; 3];
        for k in 0..100 {
            let trial = gains.draw(&PARAMETERS, &values, k, &mut random);
            for (number, parameter) in PARAMETERS.iter().enumerate() {
                let both = [trial.plus[number], trial.minus[number]];
                assert!(both.iter().all(|value| (parameter.min..=parameter.max).contains(value)), "{both:?}");
                at_an_end[number] +=
                    usize::from(both.contains(&parameter.min) || both.contains(&parameter.max));
            }
        }
        assert!(at_an_end.iter().all(|&count| count > 90), "{at_an_end:?}");
    }
}
