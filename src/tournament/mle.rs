//! Maximum likelihood under a constraint: the law nearest to the observed frequencies that has a given mean score,
//! or a given ratio of mean and standard deviation. The generalized likelihood ratio of [`super::sprt`] compares
//! two such.
//!
//! Source: M. Van den Bergh, "Comparing the approximations for the GLLR of a multinomial distribution"
//! (`support_MLE_multinomial.pdf`) and "Normalized Elo: practical" (`normalized_elo_practical.pdf`, section 4.1).

use super::stats::Classes;
use std::f64::consts::PI;

/// A law on the classes of a sample, with what it costs to believe in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Law {
    /// The probability of each class.
    pub probabilities: Classes,
    /// Σ fᵢ ln(pᵢ/fᵢ) for the observed frequencies f: 0 for f itself, negative for every other law; times the
    /// number of events it is the logarithm of the likelihood ratio.
    pub log_likelihood: f64,
}

/// The scores of the classes, minus ½: from -½ to ½.
pub fn centred_scores(classes: usize) -> Classes {
    (0..classes).map(|class| class as f64 / (classes - 1) as f64 - 0.5).collect()
}

/// The most likely law under which `feature` has the mean 0, given frequencies that are all positive and add to 1.
/// None if the features all have the same sign: no law does it then.
///
/// The law is pᵢ = fᵢ/(1 + θ φᵢ), θ the root of Σ fᵢ φᵢ/(1 + θ φᵢ) = 0. It may lie next to a pole, where a class that
/// was hardly seen has to bear the law alone, so the unknown is not θ but the denominator of that class.
pub fn with_mean_zero(frequencies: &Classes, feature: &Classes) -> Option<Law> {
    let mean: f64 = frequencies.iter().zip(feature).map(|(f, phi)| f * phi).sum();
    if mean == 0.0 {
        return Some(Law { probabilities: frequencies.clone(), log_likelihood: 0.0 });
    }
    // The sign does not matter to the law: let the mean be too low, so that the highest feature must gain weight.
    let sign = -mean.signum();
    let (critical, highest) =
        feature.iter().map(|phi| sign * phi).enumerate().max_by(|one, other| one.1.total_cmp(&other.1))?;
    let size = feature.iter().fold(0.0, |size: f64, phi| size.max(phi.abs()));
    if highest <= size * FLAT {
        return None;
    }
    let psi: Classes = feature.iter().map(|phi| sign * phi / highest).collect();
    // The critical class, with psi = 1, has w itself for its denominator, and nothing is lost in the others' either.
    let denominator =
        |w: f64, psi: f64| if psi > 0.0 { (1.0 - psi) + w * psi } else { 1.0 - (1.0 - w) * psi };
    let (mut low, mut high) = (frequencies[critical], 1.0);
    let mut w = 1.0;
    for _ in 0..300 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (f, &psi) in frequencies.iter().zip(&psi) {
            let part = psi / denominator(w, psi);
            value += f * part;
            slope -= f * part * part;
        }
        if value > 0.0 {
            low = w;
        } else {
            high = w;
        }
        let newton = w - value / slope;
        let next = if (low..=high).contains(&newton) { newton } else { (low * high).sqrt() };
        let done = (next - w).abs() <= f64::EPSILON * w;
        w = next;
        if done {
            break;
        }
    }
    let probabilities: Classes =
        frequencies.iter().zip(&psi).map(|(f, &psi)| f / denominator(w, psi)).collect();
    // The logarithm of 1 + θφ: from θφ where that is small, from the denominator where that is.
    let logarithm = |psi: f64| {
        let small = (w - 1.0) * psi;
        if small > -0.5 { small.ln_1p() } else { denominator(w, psi).ln() }
    };
    let log_likelihood = -frequencies.iter().zip(&psi).map(|(f, &psi)| f * logarithm(psi)).sum::<f64>();
    Some(Law { probabilities, log_likelihood })
}

/// A feature whose sign is that of so small a share of the others counts as 0: rounding alone can have made it.
const FLAT: f64 = 1e-10;

/// Ratios nearer to 0 are 0: laws do not tell such from each other, and their squares are lost.
const NO_RATIO: f64 = 1e-12;

/// The most likely law with mean = ½ + `t` standard deviations, given frequencies that are all positive and add to 1.
/// None if the arithmetic does not find it.
///
/// With the standard deviation σ of the answer known, the constraint may be replaced by its tangent there, the mean
/// of φᵢ = uᵢ - tσ/2 (1 + ((uᵢ - tσ)/σ)²) being 0 (u: the scores minus ½). The paper iterates this from the uniform
/// law; that runs away or oscillates when the bounds are far from what was observed, and finds only one of several
/// local maxima. Here all σ are tried that a law can have, those refined whose law has the mean ½ + tσ, and the
/// likeliest of them is the answer.
pub fn with_ratio(frequencies: &Classes, t: f64) -> Option<Law> {
    let scores = centred_scores(frequencies.len());
    if t < 0.0 {
        let mut law = with_ratio(&frequencies.iter().rev().copied().collect(), -t)?;
        law.probabilities.reverse();
        return Some(law);
    }
    if t < NO_RATIO {
        return with_mean_zero(frequencies, &scores);
    }
    let attempt = |sigma: f64| {
        let feature =
            scores.iter().map(|u| u - t / 2.0 * (sigma + (u - t * sigma).powi(2) / sigma)).collect();
        let law = with_mean_zero(frequencies, &feature)?;
        let mean: f64 = law.probabilities.iter().zip(&scores).map(|(p, u)| p * u).sum();
        Some(Attempt { sigma, miss: mean - t * sigma, law })
    };
    let mut found: Vec<Attempt> = vec![];
    for (from, to) in possible_deviations(&scores, t) {
        let along = |step: i32| (1.0 - (PI * f64::from(step) / f64::from(STEPS)).cos()) / 2.0;
        let tried: Vec<_> =
            (0..=STEPS).filter_map(|step| attempt(from * (to / from).powf(along(step)))).collect();
        for two in tried.windows(2).filter(|two| two[0].is_high() != two[1].is_high()) {
            found.push(refine(&attempt, two));
        }
    }
    found
        .into_iter()
        .map(|attempt| attempt.law)
        .max_by(|one, other| one.log_likelihood.total_cmp(&other.log_likelihood))
}

/// The law for a given standard deviation, and by how much its mean is too high for it.
struct Attempt {
    sigma: f64,
    miss: f64,
    law: Law,
}

impl Attempt {
    fn is_high(&self) -> bool {
        self.miss > 0.0
    }
}

/// Standard deviations that are tried in each interval, closer to each other at its ends, where laws change fastest.
const STEPS: i32 = 96;

/// Where a law with mean ½ + tσ can be: the intervals of σ in which some feature of [`with_ratio`] is positive.
/// That of score u is where t(r-t)² - 2r + t < 0, r = u/σ; and the mean cannot be beyond 1.
fn possible_deviations(scores: &Classes, t: f64) -> Vec<(f64, f64)> {
    let root = t.hypot(1.0);
    let (lowest, highest) = (t - t / (1.0 + root), t + (1.0 + root) / t);
    let mut intervals: Vec<(f64, f64)> = vec![];
    for u in scores.iter().filter(|&&u| u > 0.0) {
        let (from, to) = (u / highest, (u / lowest).min(0.5 / t));
        match intervals.last_mut() {
            Some(last) if from <= last.1 => last.1 = to,
            _ => intervals.push((from, to)),
        }
    }
    intervals
}

/// Halves the interval between two attempts that miss to different sides until it is a point.
fn refine(attempt: &impl Fn(f64) -> Option<Attempt>, two: &[Attempt]) -> Attempt {
    let (mut one, mut other) = (two[0].sigma, two[1].sigma);
    let nearer = if two[0].miss.abs() < two[1].miss.abs() { &two[0] } else { &two[1] };
    let mut best = Attempt { law: nearer.law.clone(), ..*nearer };
    loop {
        let middle = one + (other - one) / 2.0;
        if middle == one || middle == other {
            return best;
        }
        let Some(next) = attempt(middle) else { return best };
        if next.is_high() == two[0].is_high() {
            one = middle;
        } else {
            other = middle;
        }
        if next.miss.abs() < best.miss.abs() {
            best = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frequencies(counts: &[f64]) -> Classes {
        let total: f64 = counts.iter().sum();
        counts.iter().map(|count| count / total).collect()
    }

    /// Mean (of the scores minus ½) and standard deviation.
    fn moments(law: &Classes) -> (f64, f64) {
        let scores = centred_scores(law.len());
        let mean: f64 = law.iter().zip(&scores).map(|(p, u)| p * u).sum();
        let variance: f64 = law.iter().zip(&scores).map(|(p, u)| p * (u - mean).powi(2)).sum();
        (mean, variance.sqrt())
    }

    fn log_likelihood(frequencies: &Classes, law: &Classes) -> f64 {
        frequencies.iter().zip(law).map(|(f, p)| f * (p / f).ln()).sum()
    }

    /// Brings a law to mean = ½ + t σ by mixing it with the law that has all weight on one class; none if it cannot.
    fn brought_to(law: &Classes, t: f64, class: usize) -> Option<Classes> {
        let mixed = |share: f64| -> Classes {
            law.iter()
                .enumerate()
                .map(|(index, p)| p * (1.0 - share) + if index == class { share } else { 0.0 })
                .collect()
        };
        let miss = |share: f64| {
            let (mean, deviation) = moments(&mixed(share));
            mean - t * deviation
        };
        let (mut low, mut high) = (0.0, 0.999_999);
        if miss(low) * miss(high) > 0.0 {
            return None;
        }
        let rises = miss(high) > 0.0;
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if (miss(middle) > 0.0) == rises { high = middle } else { low = middle }
        }
        Some(mixed(low))
    }

    fn counts() -> impl Strategy<Value = Vec<f64>> {
        let count =
            prop_oneof![Just(1e-3), (1..30u32).prop_map(f64::from), (1..100_000u32).prop_map(f64::from)];
        prop_oneof![prop::collection::vec(count.clone(), 3), prop::collection::vec(count, 5)]
    }

    #[test]
    fn no_law_has_what_no_class_has() {
        let even = frequencies(&[1.0, 1.0, 1.0]);
        let feature = |values: [f64; 3]| values.into_iter().collect::<Classes>();
        assert_eq!(with_mean_zero(&even, &feature([1.0, 2.0, 3.0])), None);
        assert_eq!(with_mean_zero(&even, &feature([-1.0, -2.0, 0.0])), None);
        let law = with_mean_zero(&even, &feature([-1.0, 0.0, 1.0])).unwrap();
        assert_eq!((law.probabilities, law.log_likelihood), (even, 0.0));
    }

    proptest! {
        #[test]
        fn a_given_mean_is_met_and_likeliest(counts in counts(), mean in -0.499..0.499f64, to in 0..5usize) {
            let seen = frequencies(&counts);
            let scores = centred_scores(seen.len());
            let feature = scores.iter().map(|u| u - mean).collect();
            let law = with_mean_zero(&seen, &feature).unwrap();
            prop_assert!((law.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-11, "{law:?}");
            prop_assert!((moments(&law.probabilities).0 - mean).abs() < 1e-11, "{law:?}");
            prop_assert!((log_likelihood(&seen, &law.probabilities) - law.log_likelihood).abs() < 1e-11);
            // Weight moved between three classes so that the mean stays is worse.
            let first = to % (seen.len() - 2);
            for amount in [-1e-3, -1e-5, 1e-5, 1e-3] {
                let mut other = law.probabilities.clone();
                for (class, share) in [(first, 1.0), (first + 1, -2.0), (first + 2, 1.0)] {
                    other[class] += share * amount;
                }
                if other.iter().all(|&p| p > 0.0) {
                    prop_assert!(log_likelihood(&seen, &other) < law.log_likelihood + 1e-14);
                }
            }
        }

        #[test]
        fn a_given_ratio_is_met_and_likeliest(
            counts in counts(),
            t in prop_oneof![-0.1..0.1f64, -1.0..1.0f64, -12.0..12.0f64],
            moves in prop::collection::vec((0..5usize, 0..5usize, 1e-9..0.9f64), 20),
        ) {
            let seen = frequencies(&counts);
            let law = with_ratio(&seen, t).unwrap();
            let (mean, deviation) = moments(&law.probabilities);
            prop_assert!((law.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-10, "{law:?}");
            prop_assert!((mean - t * deviation).abs() < 1e-10, "{} {law:?}", mean - t * deviation);
            prop_assert!((log_likelihood(&seen, &law.probabilities) - law.log_likelihood).abs() < 1e-10);
            // Other laws that meet the constraint, near and far, are worse.
            for (from, to, share) in moves {
                let (from, to) = (from % seen.len(), to % seen.len());
                for class in [0, seen.len() - 1, seen.len() - 2] {
                    let mut start = law.probabilities.clone();
                    let moved = start[from] * share;
                    start[from] -= moved;
                    start[to] += moved;
                    let Some(other) = brought_to(&start, t, class) else { continue };
                    if other.iter().all(|&p| p > 0.0) {
                        let theirs = log_likelihood(&seen, &other);
                        prop_assert!(theirs < law.log_likelihood + 1e-9, "{other:?} {theirs} beats {law:?}");
                    }
                }
            }
        }

        #[test]
        fn what_was_observed_costs_nothing(counts in counts()) {
            let seen = frequencies(&counts);
            let (mean, deviation) = moments(&seen);
            let law = with_ratio(&seen, mean / deviation).unwrap();
            prop_assert!(law.log_likelihood.abs() < 1e-12, "{law:?}");
        }
    }
}
