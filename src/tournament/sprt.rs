//! The sequential probability ratio test: are the games enough to tell that the first engine is stronger by `elo1`,
//! or that it is not by more than `elo0`?
//!
//! The log-likelihood ratio (LLR) compares the likeliest law under each of the two hypotheses: a generalized SPRT, as
//! both laws are fitted to the results. Sources: A. Wald, "Sequential tests of statistical hypotheses" (the bounds);
//! M. Van den Bergh, "Comparing the approximations for the GLLR of a multinomial distribution"
//! (`support_MLE_multinomial.pdf`, the logistic model) and "Normalized Elo: practical"
//! (`normalized_elo_practical.pdf`, the normalized model).
//!
//! A class without a count enters with [`EMPTY_CLASS`] instead of 0, which keeps logarithms finite; fastchess,
//! fishtest and OpenBench do the same. Without any game the ratio is 0.

use super::config::{SprtConfig, SprtModel};
use super::elo::{ELO_PER_DEVIATION, probability};
use super::mle::{Law, centred_scores, with_mean_zero, with_ratio};
use super::stats::{Classes, Sample, Tally};
use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

/// What a class without a count enters with.
pub const EMPTY_CLASS: f64 = 1e-3;

/// The bounds are between this and its negative, in Elo.
pub const MAX_ELO: f64 = 3000.0;

/// Why a test cannot be made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SprtError {
    /// The bound of this name is not a number from `-MAX_ELO` to `MAX_ELO`.
    Elo(&'static str, f64),
    /// `elo0` is not less than `elo1`.
    Order(f64, f64),
    /// The error probability of this name is not between 0 and 0.5.
    Probability(&'static str, f64),
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SprtError::Elo(name, value) => {
                write!(f, "{name} is {value}: expected a number from -{MAX_ELO} to {MAX_ELO}")
            }
            SprtError::Order(elo0, elo1) => {
                write!(f, "elo0 ({elo0}) must be less than elo1 ({elo1})")
            }
            SprtError::Probability(name, value) => {
                write!(f, "{name} is {value}: expected a probability between 0 and 0.5, such as 0.05")
            }
        }
    }
}

impl std::error::Error for SprtError {}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The null hypothesis is accepted: not stronger than `elo0`.
    AcceptH0,
    /// The alternative is accepted: stronger by `elo1`.
    AcceptH1,
    /// More games are needed.
    GoOn,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::AcceptH0 => "H0 was accepted",
            Verdict::AcceptH1 => "H1 was accepted",
            Verdict::GoOn => "go on",
        })
    }
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The log-likelihood ratio of the alternative to the null hypothesis.
    pub llr: f64,
    /// What follows from it.
    pub verdict: Verdict,
    /// A class without a count entered with [`EMPTY_CLASS`].
    pub regularised: bool,
}

/// A test whose numbers make sense.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    config: SprtConfig,
}

impl Sprt {
    /// A test with these numbers.
    ///
    /// # Errors
    /// If they make no sense: bounds that are no numbers, too far away or in the wrong order, or probabilities that are not
    /// between 0 and a half.
    pub fn new(config: SprtConfig) -> Result<Sprt, SprtError> {
        for (name, elo) in [("elo0", config.elo0), ("elo1", config.elo1)] {
            // Written so that what is not a number is refused.
            if !(-MAX_ELO..=MAX_ELO).contains(&elo) {
                return Err(SprtError::Elo(name, elo));
            }
        }
        if config.elo0 >= config.elo1 {
            return Err(SprtError::Order(config.elo0, config.elo1));
        }
        for (name, probability) in [("alpha", config.alpha), ("beta", config.beta)] {
            if !(probability > 0.0 && probability < 0.5) {
                return Err(SprtError::Probability(name, probability));
            }
        }
        Ok(Sprt { config })
    }

    /// What the test was made from.
    pub fn config(&self) -> &SprtConfig {
        &self.config
    }

    /// At this ratio and below the null hypothesis is accepted: ln(β/(1-α)), negative.
    pub fn lower(&self) -> f64 {
        // Not the logarithm of the quotient, which very small numbers make infinite.
        self.config.beta.ln() - (1.0 - self.config.alpha).ln()
    }

    /// At this ratio and above the alternative is accepted: ln((1-β)/α), positive.
    pub fn upper(&self) -> f64 {
        (1.0 - self.config.beta).ln() - self.config.alpha.ln()
    }

    /// How much of the way to the bound on its side a ratio has gone, 1 being the bound; negative for a negative
    /// ratio.
    pub fn fraction(&self, llr: f64) -> f64 {
        if llr >= 0.0 { llr / self.upper() } else { -llr / self.lower() }
    }

    /// Where the test stands after the games of a tally; `pairs` asks for the counts of pairs.
    ///
    /// BayesElo is a model of single games, so with it these are counted whatever `pairs` says.
    pub fn of_tally(&self, tally: &Tally, pairs: bool) -> Progress {
        let pairs = pairs && self.config.model != SprtModel::Bayesian;
        self.progress(&tally.sample(pairs))
    }

    /// Where the test stands after these games. None if they are pairs and the model is BayesElo: it needs the
    /// results of single games, which the counts of pairs do not tell (the middle class may be two draws or not).
    pub fn of_sample(&self, sample: &Sample) -> Option<Progress> {
        let possible = self.config.model != SprtModel::Bayesian || !sample.is_pairs();
        possible.then(|| self.progress(sample))
    }

    fn progress(&self, sample: &Sample) -> Progress {
        let SprtConfig { elo0, elo1, model, .. } = self.config;
        let (counts, regularised) = regularise(sample);
        let llr = match model {
            _ if sample.games() == 0 => 0.0,
            SprtModel::Normalized => normalized(&counts, sample.is_pairs(), elo0, elo1),
            SprtModel::Logistic => logistic(&counts, elo0, elo1),
            SprtModel::Bayesian => bayesian(&counts, elo0, elo1),
        };
        let verdict = if llr >= self.upper() {
            Verdict::AcceptH1
        } else if llr <= self.lower() {
            Verdict::AcceptH0
        } else {
            Verdict::GoOn
        };
        Progress { llr, verdict, regularised }
    }
}

/// Counts without zeros, and whether there were any.
fn regularise(sample: &Sample) -> (Classes, bool) {
    let counts = sample.counts();
    let empty = counts.contains(&0.0);
    (counts.into_iter().map(|count| if count == 0.0 { EMPTY_CLASS } else { count }).collect(), empty)
}

/// The number of events, and the share of each class in them.
fn shares(counts: &Classes) -> (f64, Classes) {
    let total: f64 = counts.iter().sum();
    (total, counts.iter().map(|count| count / total).collect())
}

/// How much likelier so many events are under one law than under another. A law that the arithmetic has not found tells
/// nothing, and least of all a verdict.
fn ratio(total: f64, one: Option<Law>, zero: Option<Law>) -> f64 {
    one.zip(zero).map_or(0.0, |(one, zero)| total * (one.log_likelihood - zero.log_likelihood))
}

/// Bounds in normalized Elo: under a hypothesis (mean - ½)/σ of a game's score is elo · ln 10/800, whatever the
/// mean. A pair's σ is that of a game divided by √2.
fn normalized(counts: &Classes, pairs: bool, elo0: f64, elo1: f64) -> f64 {
    let (total, frequencies) = shares(counts);
    let scale = if pairs { SQRT_2 } else { 1.0 } / ELO_PER_DEVIATION;
    let law = |elo: f64| with_ratio(&frequencies, elo * scale);
    ratio(total, law(elo1), law(elo0))
}

/// Bounds in logistic Elo: under a hypothesis the mean score is 1/(1 + 10^(-elo/400)).
fn logistic(counts: &Classes, elo0: f64, elo1: f64) -> f64 {
    let (total, frequencies) = shares(counts);
    let law = |elo: f64| {
        // The score minus the mean, from the mean and its complement: neither loses digits near 0.
        let (mean, complement) = (probability(elo), probability(-elo));
        let feature =
            centred_scores(counts.len()).iter().map(|u| (0.5 + u) * complement - (0.5 - u) * mean).collect();
        with_mean_zero(&frequencies, &feature)
    };
    ratio(total, law(elo1), law(elo0))
}

/// Bounds in BayesElo (R. Coulom): P(win) = 1/(1 + 10^((drawelo - elo)/400)), P(loss) = 1/(1 + 10^((drawelo +
/// elo)/400)), the rest draws. `drawelo` is that of the sample and equal under both hypotheses, so the ratio is the
/// classic sum over the games of ln(P₁/P₀), as OpenBench has it; it is no generalized ratio.
fn bayesian(counts: &Classes, elo0: f64, elo1: f64) -> f64 {
    let &[losses, draws, wins] = &counts[..] else { return 0.0 };
    // 10^(drawelo/400)
    let drawishness = ((draws + losses) * (draws + wins) / (losses * wins)).sqrt();
    let [zero, one] = [elo0, elo1].map(|elo| elo * LN_10 / 400.0);
    // Each probability is a constant divided by 1 + a, by 1 + b, or by both, a and b being these. The logarithms
    // are taken of what the second hypothesis adds: of many draws each adds very little.
    let at = |elo: f64| (drawishness * (-elo).exp(), drawishness * elo.exp());
    let ((win0, loss0), (win1, loss1)) = (at(zero), at(one));
    let added = |more: f64, before: f64, after: f64| {
        if more.abs() < 0.5 { more.ln_1p() } else { after.ln_1p() - before.ln_1p() }
    };
    let more_win = win0 * (zero - one).exp_m1() / (1.0 + win0);
    let more_loss = loss0 * (one - zero).exp_m1() / (1.0 + loss0);
    let more = 4.0 * drawishness * ((one + zero) / 2.0).sinh() * ((one - zero) / 2.0).sinh();
    let more_draw = more / ((1.0 + win0) * (1.0 + loss0));
    // (1 + a)(1 + b) - 1, where ab is constant.
    let product = |win: f64, loss: f64| win + loss + drawishness * drawishness;
    -(wins * added(more_win, win0, win1)
        + losses * added(more_loss, loss0, loss1)
        + draws * added(more_draw, product(win0, loss0), product(win1, loss1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::stats::{GameResult, Pairs};
    use SprtModel::{Bayesian, Logistic, Normalized};
    use proptest::prelude::*;

    fn sprt(model: SprtModel, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(SprtConfig { elo0, elo1, alpha: 0.05, beta: 0.05, model }).unwrap()
    }

    fn llr(model: SprtModel, elo0: f64, elo1: f64, sample: Sample) -> f64 {
        sprt(model, elo0, elo1).of_sample(&sample).unwrap().llr
    }

    fn games(wins: u64, draws: u64, losses: u64) -> Sample {
        Sample::Games { wins, draws, losses }
    }

    /// Computed from the definitions with 40 digits by mpmath.
    #[test]
    fn equals_the_definitions() {
        for (model, elo0, elo1, sample, exact) in [
            (Normalized, 0.0, 2.0, Sample::Pairs([365, 16618, 36229, 16974, 390]), 2.25036770354698),
            (Normalized, 0.0, 2.0, games(36433, 68692, 36027), 0.923293450949526),
            (Normalized, 0.0, 50.0, Sample::Pairs([0, 0, 2, 5, 12]), 2.98965491529801),
            (Normalized, 0.0, 3.0, Sample::Pairs([835, 6884, 13116, 7201, 852]), 2.89321250620055),
            (Logistic, 0.0, 5.0, Sample::Pairs([10, 200, 450, 260, 20]), 3.11620729641853),
            (Logistic, 0.0, 2.0, games(57433, 106593, 57030), -2.59302416352406),
            (Logistic, 0.0, 2.0, Sample::Pairs([871, 26175, 55983, 26678, 821]), -4.97867286344901),
            (Logistic, 0.0, 50.0, Sample::Pairs([0, 0, 2, 5, 12]), 2.5381412461697),
            (Logistic, -1500.0, -500.0, Sample::Pairs([144, 3, 1, 0, 0]), 4.86779947744556),
            (Bayesian, 0.0, 5.0, games(300, 450, 250), 0.924807614520186),
            (Bayesian, 0.0, 5.0, games(10, 0, 5), 0.0704077360789768),
            (Bayesian, -5.0, 10.0, games(7, 3, 0), 0.595008100320491),
        ] {
            let value = llr(model, elo0, elo1, sample);
            assert!((value - exact).abs() < 1e-10, "{model:?} [{elo0}, {elo1}] {sample:?}: {value}");
        }
    }

    #[test]
    fn bounds_and_verdicts() {
        let test = sprt(Logistic, 0.0, 5.0);
        assert!((test.upper() - 2.9444389791664403).abs() < 1e-15 && test.upper() == -test.lower());
        let uneven = SprtConfig { alpha: 0.05, beta: 0.1, ..*test.config() };
        let uneven = Sprt::new(uneven).unwrap();
        assert!((uneven.lower() - (0.1f64 / 0.95).ln()).abs() < 1e-15);
        assert!((uneven.upper() - (0.9f64 / 0.05).ln()).abs() < 1e-15);
        let extreme = Sprt::new(SprtConfig { alpha: 1e-320, ..*uneven.config() });
        assert!(extreme.unwrap().upper().is_finite());
        assert_eq!(uneven.fraction(uneven.upper()), 1.0);
        assert_eq!(uneven.fraction(uneven.lower()), -1.0);
        let verdict = |wins, losses| test.of_sample(&games(wins, 1000, losses)).unwrap().verdict;
        assert_eq!(verdict(1000, 800), Verdict::AcceptH1);
        assert_eq!(verdict(800, 1000), Verdict::AcceptH0);
        assert_eq!(verdict(100, 99), Verdict::GoOn);
    }

    #[test]
    fn empty_classes_are_told_and_no_games_say_nothing() {
        for model in [Normalized, Logistic, Bayesian] {
            let test = sprt(model, -10.0, 30.0);
            let none = test.of_tally(&Tally::default(), true);
            assert_eq!(none, Progress { llr: 0.0, verdict: Verdict::GoOn, regularised: true });
            assert!(test.of_sample(&games(3, 0, 5)).unwrap().regularised);
            assert!(!test.of_sample(&games(3, 1, 5)).unwrap().regularised);
        }
    }

    #[test]
    fn bayes_elo_counts_games() {
        let mut tally = Tally { wins: 30, losses: 20, draws: 50, ..Tally::default() };
        tally.pairs = Pairs { ll: 1, ld: 9, dd: 20, wl: 1, wd: 9, ww: 10 };
        let test = sprt(Bayesian, 0.0, 10.0);
        assert_eq!(test.of_tally(&tally, true), test.of_tally(&tally, false));
        assert_eq!(test.of_sample(&tally.sample(true)), None);
        let test = sprt(Normalized, 0.0, 10.0);
        assert_ne!(test.of_tally(&tally, true), test.of_tally(&tally, false));
        tally.add_game(GameResult::Win);
        assert_eq!(test.of_tally(&tally, true), test.of_sample(&tally.sample(true)).unwrap());
    }

    #[test]
    fn nonsense_is_refused() {
        let make = |elo0, elo1, alpha, beta| {
            Sprt::new(SprtConfig { elo0, elo1, alpha, beta, model: Normalized }).unwrap_err()
        };
        assert_eq!(make(5.0, 0.0, 0.05, 0.05), SprtError::Order(5.0, 0.0));
        assert_eq!(make(5.0, 5.0, 0.05, 0.05), SprtError::Order(5.0, 5.0));
        assert!(matches!(make(f64::NAN, 0.0, 0.05, 0.05), SprtError::Elo("elo0", _)));
        assert!(matches!(make(0.0, f64::INFINITY, 0.05, 0.05), SprtError::Elo("elo1", _)));
        for wrong in [0.0, 0.5, -1.0, 1.0, f64::NAN] {
            assert!(matches!(make(0.0, 5.0, wrong, 0.05), SprtError::Probability("alpha", _)));
            assert!(matches!(make(0.0, 5.0, 0.05, wrong), SprtError::Probability("beta", _)));
        }
    }

    /// Wide bounds far from the results: fastchess issue #879 shows a program that gets no number here.
    #[test]
    fn bounds_far_away_give_a_verdict() {
        let test = sprt(Normalized, -1500.0, -500.0);
        let progress = test.of_sample(&Sample::Pairs([144, 3, 1, 0, 0])).unwrap();
        assert_eq!(progress.verdict, Verdict::AcceptH0, "{progress:?}");
        let progress = test.of_sample(&Sample::Pairs([0, 0, 1, 3, 144])).unwrap();
        assert_eq!(progress.verdict, Verdict::AcceptH1, "{progress:?}");
    }

    /// The narrower the bounds, the less is there to tell, down to those whose squares are no numbers any more.
    #[test]
    fn bounds_next_to_each_other_give_no_verdict() {
        for sample in [games(5, 1, 0), games(0, 1, 5), Sample::Pairs([0, 0, 2, 5, 12])] {
            for exponent in 1..308 {
                let elo = 10f64.powi(-exponent);
                for model in [Normalized, Logistic, Bayesian] {
                    for (elo0, elo1) in [(0.0, elo), (-elo, 0.0), (-elo, elo)] {
                        // Pairs are none of BayesElo's.
                        let Some(Progress { llr, .. }) = sprt(model, elo0, elo1).of_sample(&sample) else {
                            continue;
                        };
                        assert!(
                            llr.abs() < 2.0 * elo + 1e-12,
                            "{model:?} [{elo0}, {elo1}] {sample:?}: {llr}"
                        );
                    }
                }
            }
        }
    }

    fn sample() -> impl Strategy<Value = Sample> {
        let count = || prop_oneof![0..4u64, 0..50u64, 0..1_000_000u64];
        prop_oneof![
            (count(), count(), count()).prop_map(|(wins, draws, losses)| games(wins, draws, losses)),
            [count(), count(), count(), count(), count()].prop_map(Sample::Pairs),
        ]
    }

    fn bounds() -> impl Strategy<Value = (f64, f64)> {
        let elo = || prop_oneof![-10.0..10.0f64, -200.0..200.0f64, -MAX_ELO..MAX_ELO];
        (elo(), elo())
            .prop_filter("in order", |(one, other)| one != other)
            .prop_map(|(one, other)| (one.min(other), one.max(other)))
    }

    proptest! {
        #[test]
        fn exchanging_the_engines_negates(sample in sample(), (elo0, elo1) in bounds()) {
            for model in [Normalized, Logistic, Bayesian] {
                let Some(ours) = sprt(model, elo0, elo1).of_sample(&sample) else { continue };
                let theirs = sprt(model, -elo1, -elo0).of_sample(&sample.reversed()).unwrap();
                prop_assert!(ours.llr.is_finite());
                let tolerance = 1e-9 * ours.llr.abs().max(1.0);
                prop_assert!((ours.llr + theirs.llr).abs() < tolerance, "{model:?} {ours:?} {theirs:?}");
            }
        }

        #[test]
        fn better_results_raise_it(
            // From 2, so that none becomes empty: that adds EMPTY_CLASS to the games.
            counts in prop::array::uniform5(2..1000u64),
            from in 0..4usize,
            (elo0, elo1) in bounds(),
        ) {
            let mut better = counts;
            better[from] -= 1;
            better[from + 1] += 1;
            let [worse, better] = [counts, better].map(|it| llr(Logistic, elo0, elo1, Sample::Pairs(it)));
            prop_assert!(better >= worse - 1e-9 * worse.abs().max(1.0), "{worse} {better}");
        }

        #[test]
        fn results_between_two_bounds_favour_none_that_is_farther(elo in -300.0..300.0f64) {
            // The ratio of a sample's own Elo to any other is positive: it is the likeliest law that there is.
            let sample = Sample::Pairs([30, 50, 90, 70, 11]);
            let own = crate::tournament::elo::Estimate::of(&sample);
            for (model, own) in [(Logistic, own.elo.value), (Normalized, own.normalized.value)] {
                if elo < own {
                    prop_assert!(llr(model, elo, own, sample) >= -1e-10);
                } else if elo > own {
                    prop_assert!(llr(model, own, elo, sample) <= 1e-10);
                }
            }
        }
    }

    #[test]
    fn all_small_counts_give_a_number() {
        for code in 0..4u64.pow(5) {
            let sample = Sample::Pairs(std::array::from_fn(|class| code / 4u64.pow(class as u32) % 4));
            for model in [Normalized, Logistic] {
                assert!(llr(model, 0.0, 5.0, sample).is_finite(), "{model:?} {sample:?}");
            }
            let few = games(code % 6, code / 6 % 6, code / 36 % 6);
            for model in [Normalized, Logistic, Bayesian] {
                assert!(llr(model, -20.0, 500.0, few).is_finite(), "{model:?} {few:?}");
            }
        }
    }
}
