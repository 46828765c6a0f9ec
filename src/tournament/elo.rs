//! Estimates of strength from results: Elo, normalized Elo, the likelihood of superiority, ratios.
//!
//! Sources: A. Elo, "The Rating of Chessplayers, Past and Present" (logistic form: FIDE and USCF practice); M. Van den
//! Bergh, "Comments on normalized Elo" and "Normalized Elo: practical". Intervals are those of fastchess and cutechess:
//! the mean score's normal interval, carried over to Elo.
//!
//! No result is infinite or not a number. Where a formula would give that, the sample is regularised, and
//! [`Estimate::regularised`] says so:
//! - A sample without variance (no games, 0 %, 100 %, all draws) gets one further event, split over the classes next to
//!   the one that was seen. So 10 wins count as 10 wins and a draw; more of the same still makes the estimate rise.
//! - Ends of an interval stay a quarter of a point in N + 1 events away from 0 % and 100 %.
//! - A ratio with 0 below gets ½ above and below.

use super::normal::{Z95, cdf, erf};
use super::stats::{Classes, Pairs, Sample};
use std::f64::consts::{LN_10, SQRT_2};

/// Elo in one standard deviation of a game's score, for small differences: 800/ln 10 = 347.4.
pub const ELO_PER_DEVIATION: f64 = 800.0 / LN_10;

/// The expected score of an engine that is stronger by so many logistic Elo: from 0 to 1.
pub fn probability(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The logistic Elo difference that gives an expected score between 0 and 1, both excluded.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// A value and half the width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Plus or minus so much, never negative.
    pub error: f64,
}

/// What results say about the difference in strength; positive numbers favour the first engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Points divided by games, from 0 to 1; ½ without games. Never regularised.
    pub score: f64,
    /// The difference in logistic Elo.
    pub elo: Interval,
    /// The difference in normalized Elo: mean score in standard deviations of a game, times [`ELO_PER_DEVIATION`].
    pub normalized: Interval,
    /// Likelihood of superiority: the probability that the first engine is the stronger one, from 0 to 1.
    pub los: f64,
    /// The share of draws, or of pairs with one point; 0 without games. Never regularised.
    pub draw_ratio: f64,
    /// Something above was regularised.
    pub regularised: bool,
}

impl Estimate {
    /// What a sample says.
    pub fn of(sample: &Sample) -> Estimate {
        let counts = sample.counts();
        let middle = counts[counts.len() / 2];
        let seen: f64 = counts.iter().sum();
        let (score, draw_ratio) = if seen > 0.0 { (mean(&counts), middle / seen) } else { (0.5, 0.0) };
        let (counts, mut regularised) = with_variance(counts);
        let events: f64 = counts.iter().sum();
        let average = mean(&counts);
        let deviation = variance(&counts, average).sqrt();
        let error = deviation / events.sqrt();

        let margin = 0.25 / (events + 1.0);
        let (low, high) = (average - Z95 * error, average + Z95 * error);
        regularised |= low < margin || high > 1.0 - margin;
        let (low, high) = (low.max(margin), high.min(1.0 - margin));
        let elo =
            Interval { value: elo_of_score(average), error: (elo_of_score(high) - elo_of_score(low)) / 2.0 };
        let scale = ELO_PER_DEVIATION / if sample.is_pairs() { SQRT_2 } else { 1.0 };
        let normalized =
            Interval { value: (average - 0.5) / deviation * scale, error: Z95 / events.sqrt() * scale };
        Estimate { score, elo, normalized, los: cdf((average - 0.5) / error), draw_ratio, regularised }
    }
}

/// The mean score.
fn mean(counts: &Classes) -> f64 {
    let points: f64 = counts.iter().enumerate().map(|(class, count)| class as f64 * count).sum();
    points / (counts.len() - 1) as f64 / counts.iter().sum::<f64>()
}

/// The variance of one event's score.
fn variance(counts: &Classes, mean: f64) -> f64 {
    let steps = (counts.len() - 1) as f64;
    let squares: f64 =
        counts.iter().enumerate().map(|(class, count)| count * (class as f64 / steps - mean).powi(2)).sum();
    squares / counts.iter().sum::<f64>()
}

/// If only one class was seen, or none: one further event in the classes next to it, and true.
fn with_variance(mut counts: Classes) -> (Classes, bool) {
    let mut seen = counts.iter().enumerate().filter(|&(_, &count)| count > 0.0).map(|(class, _)| class);
    let class = match (seen.next(), seen.next()) {
        (Some(_), Some(_)) => return (counts, false),
        (Some(only), None) => only,
        (None, _) => counts.len() / 2,
    };
    let last = counts.len() - 1;
    if class == 0 || class == last {
        counts[class.clamp(1, last - 1)] += 1.0;
    } else {
        counts[class - 1] += 0.5;
        counts[class + 1] += 0.5;
    }
    (counts, true)
}

/// The likelihood of superiority as cutechess has it, from decisive games only: ½ + ½ erf((W - L)/√(2(W + L))), from 0
/// to 1; ½ without such games.
pub fn los_of_decisive_games(wins: u64, losses: u64) -> f64 {
    let (wins, losses) = (wins as f64, losses as f64);
    if wins + losses == 0.0 { 0.5 } else { 0.5 + erf((wins - losses) / (2.0 * (wins + losses)).sqrt()) / 2.0 }
}

/// A quotient of two counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratio {
    /// The quotient, never negative.
    pub value: f64,
    /// The divisor was 0, and ½ was added to both.
    pub regularised: bool,
}

impl Ratio {
    /// `above` divided by `below`.
    pub fn of(above: u64, below: u64) -> Ratio {
        let half = if below == 0 { 0.5 } else { 0.0 };
        Ratio { value: (above as f64 + half) / (below as f64 + half), regularised: below == 0 }
    }

    /// Pairs with more than one point to pairs with less.
    pub fn of_pairs(pairs: &Pairs) -> Ratio {
        Ratio::of(pairs.wd + pairs.ww, pairs.ld + pairs.ll)
    }

    /// Pairs with a win and a loss to pairs with two draws: how sharp the openings are.
    pub fn of_middle(pairs: &Pairs) -> Ratio {
        Ratio::of(pairs.wl, pairs.dd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn games(wins: u64, draws: u64, losses: u64) -> Sample {
        Sample::Games { wins, draws, losses }
    }

    fn near(value: f64, expected: f64, digits: f64) -> bool {
        (value - expected).abs() <= 0.5 * 10f64.powf(-digits) + 1e-12
    }

    /// Rounded numbers as fastchess printed them for matches that people have published.
    #[test]
    fn equals_what_fastchess_prints() {
        for (pairs, elo, normalized, los, draws) in [
            ([0, 0, 2, 5, 12], (348.73, 147.86), (552.97, 110.47), 100.0, 10.53),
            ([835, 6884, 13116, 7201, 852], (2.11, 1.70), (3.52, 2.83), 99.25, 45.40),
            ([30, 6, 18, 0, 6], (-168.40, 73.37), (-170.08, 62.16), 0.0, 30.0),
        ] {
            let estimate = Estimate::of(&Sample::Pairs(pairs));
            assert!(
                near(estimate.elo.value, elo.0, 2.0) && near(estimate.elo.error, elo.1, 2.0),
                "{estimate:?}"
            );
            assert!(near(estimate.normalized.value, normalized.0, 2.0), "{estimate:?}");
            assert!(near(estimate.normalized.error, normalized.1, 2.0), "{estimate:?}");
            assert!(near(estimate.los * 100.0, los, 2.0) && near(estimate.draw_ratio * 100.0, draws, 2.0));
            assert!(!estimate.regularised);
        }
    }

    /// The same of cutechess-cli.
    #[test]
    fn equals_what_cutechess_prints() {
        for (wins, losses, draws, score, elo, los) in [
            (880, 759, 1863, 0.517, (12.0, 7.9), 99.9),
            (332, 316, 352, 0.508, (5.6, 17.3), 73.5),
            (65, 66, 69, 0.497, (-1.7, 39.1), 46.5),
            (195, 110, 85, 0.609, (77.0, 31.1), 100.0),
        ] {
            let estimate = Estimate::of(&games(wins, draws, losses));
            assert!(near(estimate.score, score, 3.0), "{estimate:?}");
            assert!(
                near(estimate.elo.value, elo.0, 1.0) && near(estimate.elo.error, elo.1, 1.0),
                "{estimate:?}"
            );
            assert!(near(los_of_decisive_games(wins, losses) * 100.0, los, 1.0));
        }
        assert_eq!(los_of_decisive_games(0, 0), 0.5);
    }

    #[test]
    fn formulas_without_a_value_are_regularised_and_told() {
        let all_won = Estimate::of(&games(10, 0, 0));
        let one_draw = Estimate { score: 1.0, draw_ratio: 0.0, ..Estimate::of(&games(10, 1, 0)) };
        assert_eq!(all_won, Estimate { regularised: true, ..one_draw });
        let none = Estimate::of(&games(0, 0, 0));
        assert_eq!((none.score, none.elo.value, none.normalized.value, none.los), (0.5, 0.0, 0.0, 0.5));
        assert!(none.regularised && none.elo.error > 100.0);
        let drawn = Estimate::of(&Sample::Pairs([0, 0, 40, 0, 0]));
        assert_eq!((drawn.score, drawn.elo.value, drawn.los, drawn.draw_ratio), (0.5, 0.0, 0.5, 1.0));
        assert!(drawn.regularised && drawn.elo.error > 0.0 && drawn.elo.error < 10.0, "{drawn:?}");
        assert!(Estimate::of(&games(9, 1, 0)).regularised, "the interval reaches 100 %");
        assert!(!Estimate::of(&games(9, 1, 5)).regularised);
    }

    #[test]
    fn ratios() {
        let pairs = Pairs { ll: 1, ld: 3, dd: 5, wl: 2, wd: 6, ww: 4 };
        assert_eq!(Ratio::of_pairs(&pairs), Ratio { value: 2.5, regularised: false });
        assert_eq!(Ratio::of_middle(&pairs), Ratio { value: 0.4, regularised: false });
        assert_eq!(Ratio::of(17, 0), Ratio { value: 35.0, regularised: true });
        assert_eq!(Ratio::of(0, 0), Ratio { value: 1.0, regularised: true });
        assert_eq!(Ratio::of(0, 3), Ratio { value: 0.0, regularised: false });
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-800.0, -10.0, 0.0, 35.0, 400.0] {
            assert!((elo_of_score(probability(elo)) - elo).abs() < 1e-9);
        }
        assert!((probability(400.0) - 10.0 / 11.0).abs() < 1e-15);
    }

    fn is_sound(estimate: &Estimate) -> bool {
        let &Estimate { score, elo, normalized, los, draw_ratio, .. } = estimate;
        [score, los, draw_ratio].iter().all(|share| (0.0..=1.0).contains(share))
            && [elo.value, normalized.value].iter().all(|value| value.is_finite())
            && [elo.error, normalized.error].iter().all(|error| error.is_finite() && *error > 0.0)
    }

    #[test]
    fn all_small_counts_give_numbers() {
        for code in 0..5u64.pow(5) {
            let counts: [u64; 5] = std::array::from_fn(|class| code / 5u64.pow(class as u32) % 5);
            let estimate = Estimate::of(&Sample::Pairs(counts));
            assert!(is_sound(&estimate), "{counts:?} {estimate:?}");
            let estimate = Estimate::of(&games(counts[0], counts[1], counts[2]));
            assert!(is_sound(&estimate), "{counts:?} {estimate:?}");
        }
    }

    proptest! {
        #[test]
        fn exchanging_the_engines_negates(counts in prop::array::uniform5(prop_oneof![0..3u64, 0..1_000_000u64])) {
            for sample in [Sample::Pairs(counts), games(counts[0], counts[1], counts[2])] {
                let (ours, theirs) = (Estimate::of(&sample), Estimate::of(&sample.reversed()));
                prop_assert!(is_sound(&ours));
                let near = |one: f64, other: f64| (one - other).abs() < 1e-9 * one.abs().max(1.0);
                prop_assert!(near(ours.elo.value, -theirs.elo.value) && near(ours.elo.error, theirs.elo.error));
                prop_assert!(near(ours.normalized.value, -theirs.normalized.value));
                prop_assert!(near(ours.normalized.error, theirs.normalized.error));
                prop_assert!(near(ours.los, 1.0 - theirs.los) && near(ours.score, 1.0 - theirs.score));
                prop_assert_eq!(ours.regularised, theirs.regularised);
            }
        }

        #[test]
        fn better_results_raise_elo(counts in prop::array::uniform5(0..6u64), from in 0..4usize) {
            let mut better = counts;
            if better[from] > 0 {
                better[from] -= 1;
                better[from + 1] += 1;
                let [worse, better] = [counts, better].map(|it| Estimate::of(&Sample::Pairs(it)).elo.value);
                prop_assert!(better > worse, "{worse} {better}");
            }
        }
    }

    #[test]
    fn an_interval_ends_a_quarter_of_a_point_before_all_points() {
        let estimate = Estimate::of(&games(9, 1, 0));
        // 95 %, and a variance of 0.0225; the upper end is 43 to 1.
        let low = 0.95 - Z95 * (0.0225_f64 / 10.0).sqrt();
        let expected = (400.0 * 43f64.log10() - 400.0 * (low / (1.0 - low)).log10()) / 2.0;
        assert!((estimate.elo.error - expected).abs() < 1e-9, "{estimate:?} {expected}");
    }
}
