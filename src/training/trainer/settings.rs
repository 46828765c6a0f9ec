//! What a run is, and how its rates go.

use super::filter::Filter;
use crate::eval::network::{Architecture, Inputs, Network, NetworkError};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Positions of a superbatch, about: that many batches as come next to it.
pub const SUPERBATCH: u64 = 100_000_000;

/// How long a run is, and after how much of it the loss is told and a checkpoint written: a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Each position so many times; a round is once.
    Epochs(u32),
    /// So many times a hundred million positions; a round is a hundred million.
    Superbatches(u32),
}

/// All that makes the result of a run, besides the data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Neurons of the hidden layer: a multiple of 32.
    pub hidden: usize,
    /// How each side sees the board.
    pub inputs: Inputs,
    /// Sets of input weights by the king's square: 1, 2, 4 or 8.
    pub king_buckets: usize,
    /// Sets of output weights by the number of pieces: 1 to 8.
    pub output_buckets: usize,
    /// Each set of output weights has deep layers beside it.
    pub deep: bool,
    /// Internal units at which the expected points are 1 / (1 + 1/e), 0.73; also the file's scale.
    pub scale: u16,
    /// Positions of a step.
    pub batch: usize,
    /// How long it goes on.
    pub length: Length,
    /// The highest learning rate.
    pub rate: f64,
    /// How many times as fast the weights of marks learn.
    pub marks_rate: f64,
    /// How many times as fast deep layers learn.
    pub deep_rate: f64,
    /// The learning rate at the end.
    pub final_rate: f64,
    /// Steps in which the rate rises; a tenth of the run at most.
    pub warm_up: u64,
    /// The share of what came after in the target, at the beginning and at the end.
    pub wdl: [f64; 2],
    /// What came after is the λ-return with this λ (`returns`); with 1 the game's result.
    pub lambda: f64,
    /// The power of the error that is the loss.
    pub power: f64,
    /// Half of the positions go through a mirror, each time others.
    pub mirror_data: bool,
    /// Of everything random.
    pub seed: u64,
    /// The share of games that is held out to measure the loss with.
    pub validation: f64,
    /// What is left out.
    pub filter: Filter,
}

impl Settings {
    /// The shape of the network.
    pub fn architecture(&self) -> Architecture {
        let mut architecture = Architecture::new(self.inputs, self.hidden, self.output_buckets);
        architecture.scale = self.scale;
        architecture.king_buckets = self.king_buckets;
        architecture.deep = self.deep;
        if self.king_buckets > 1 {
            architecture.king_table =
                std::array::from_fn(|square| king_bucket(self.king_buckets, square / 4, square % 4));
        }
        architecture
    }

    /// What cannot be, told by the name of its option.
    ///
    /// # Errors
    /// If some value is out of its range or does not fit another.
    pub fn check(&self) -> Result<(), String> {
        if !matches!(self.king_buckets, 1 | 2 | 4 | 8) {
            return Err(format!("--king-buckets is {}: expected 1, 2, 4 or 8", self.king_buckets));
        }
        if self.king_buckets > 1 && self.inputs == Inputs::Plain {
            return Err("--king-buckets needs other --inputs than plain".into());
        }
        if self.inputs != Inputs::Plain && self.mirror_data {
            return Err(
                "--mirror-data does nothing but with --inputs plain: the others see both the same".into()
            );
        }
        if self.inputs.marks() == 0 && self.marks_rate >= 0.0 && self.marks_rate != 1.0 {
            return Err("--marks-rate does nothing but with --inputs marks or exposure".into());
        }
        if !self.deep && self.deep_rate >= 0.0 && self.deep_rate != 1.0 {
            return Err("--deep-rate does nothing but with --deep".into());
        }
        // The network's own rules, by making the smallest file that has these fields.
        let smallest = Network::new(self.architecture(), &Default::default(), [0; 8]);
        if let Err(error @ NetworkError::Field { .. }) = smallest {
            return Err(error.to_string());
        }
        for (name, value, low, high) in [
            ("rate", self.rate, 1e-8, 1.0),
            ("marks-rate", self.marks_rate, 0.0, 1_000.0),
            ("deep-rate", self.deep_rate, 0.0, 1_000.0),
            ("final-rate", self.final_rate, 0.0, self.rate),
            ("wdl", self.wdl[0], 0.0, 1.0),
            ("wdl", self.wdl[1], 0.0, 1.0),
            ("lambda", self.lambda, 0.0, 1.0),
            ("loss-power", self.power, 1.0, 4.0),
            ("validation", self.validation, 0.0, 0.5),
        ] {
            if !(value >= low && value <= high) {
                return Err(format!("--{name} is {value}: expected a number from {low} to {high}"));
            }
        }
        if self.batch == 0 || self.batch > 1 << 24 {
            return Err(format!("--batch is {}: expected 1 to {}", self.batch, 1 << 24));
        }
        if matches!(self.length, Length::Epochs(0) | Length::Superbatches(0)) {
            return Err("the run has no length: give --epochs or --superbatches a number above 0".into());
        }
        Ok(())
    }

    /// The name of the first option that differs.
    pub fn difference(&self, other: &Settings) -> Option<&'static str> {
        let mut both = self.options().into_iter().zip(other.options());
        both.find(|(own, other)| own != other).map(|((name, _), _)| name)
    }

    /// Each option with its value.
    pub(super) fn options(&self) -> Vec<(&'static str, String)> {
        // Without "..": what is added is to be told, too.
        let Settings {
            hidden,
            inputs,
            king_buckets,
            output_buckets,
            deep,
            scale,
            batch,
            length,
            rate,
            marks_rate,
            deep_rate,
            final_rate,
            warm_up,
            wdl: [first, last],
            lambda,
            power,
            mirror_data,
            seed,
            validation,
            filter,
        } = self;
        vec![
            ("hidden", hidden.to_string()),
            ("inputs", format!("{inputs:?}").to_lowercase()),
            ("king-buckets", king_buckets.to_string()),
            ("output-buckets", output_buckets.to_string()),
            ("deep", deep.to_string()),
            ("scale", scale.to_string()),
            ("batch", batch.to_string()),
            match length {
                Length::Epochs(rounds) => ("epochs", rounds.to_string()),
                Length::Superbatches(rounds) => ("superbatches", rounds.to_string()),
            },
            ("rate", rate.to_string()),
            ("marks-rate", marks_rate.to_string()),
            ("deep-rate", deep_rate.to_string()),
            ("final-rate", final_rate.to_string()),
            ("warm-up", warm_up.to_string()),
            ("wdl", format!("{first}:{last}")),
            ("lambda", lambda.to_string()),
            ("loss-power", power.to_string()),
            ("mirror-data", mirror_data.to_string()),
            ("seed", seed.to_string()),
            ("validation", validation.to_string()),
            ("filter", filter.to_string()),
        ]
    }

    /// Steps of a round, where an epoch has so many, each of `batch` positions, which are fewer than were asked for where
    /// there are no more.
    pub fn round_steps(&self, epoch_steps: u64, batch: usize) -> u64 {
        match self.length {
            Length::Epochs(_) => epoch_steps,
            Length::Superbatches(_) => (SUPERBATCH / batch as u64).max(1),
        }
    }

    /// Rounds of the run.
    pub fn rounds(&self) -> u64 {
        match self.length {
            Length::Epochs(rounds) | Length::Superbatches(rounds) => rounds.into(),
        }
    }

    /// The learning rate of a step: up to the highest, then down along half a cosine
    /// (I. Loshchilov and F. Hutter, "SGDR", 2016).
    pub fn rate_at(&self, step: u64, steps: u64) -> f64 {
        rate_at([self.rate, self.final_rate], self.warm_up, step, steps)
    }

    /// The share of what came later at a step.
    pub fn wdl_at(&self, step: u64, steps: u64) -> f64 {
        let way = step as f64 / steps.saturating_sub(1).max(1) as f64;
        self.wdl[0] + (self.wdl[1] - self.wdl[0]) * way
    }
}

/// The learning rate at a step: it rises to the first one for some steps, a tenth of all at most, and falls to the other one along
/// a cosine.
pub(in crate::training) fn rate_at([rate, final_rate]: [f64; 2], warm_up: u64, step: u64, steps: u64) -> f64 {
    let warm_up = warm_up.min(steps / 10);
    if step < warm_up {
        return rate * (step + 1) as f64 / warm_up as f64;
    }
    let way = (step - warm_up) as f64 / (steps - warm_up).saturating_sub(1).max(1) as f64;
    final_rate + (rate - final_rate) * 0.5 * (1.0 + (PI * way).cos())
}

/// The set of input weights for a king on this rank and this of the files a to d: fine where it stands while there is most
/// on the board.
fn king_bucket(buckets: usize, rank: usize, file: usize) -> u8 {
    let bucket = match (buckets, rank) {
        (2, 0) => 0,
        (2, _) => 1,
        (4, 0) => file / 2,
        (4, 1) => 2,
        (4, _) => 3,
        (8, 0) => file,
        (8, 1) => 4 + file / 2,
        (8, 2 | 3) => 6,
        (8, _) => 7,
        _ => 0,
    };
    bucket as u8
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hidden: 256,
            inputs: Inputs::Mirrored,
            king_buckets: 1,
            output_buckets: 1,
            scale: 200,
            batch: 16_384,
            length: Length::Epochs(10),
            rate: 1e-3,
            marks_rate: 1.0,
            deep: false,
            deep_rate: 1.0,
            final_rate: 2.4e-6,
            warm_up: 100,
            wdl: [0.3, 0.3],
            lambda: 0.9,
            power: 2.0,
            mirror_data: false,
            seed: 1,
            validation: 0.02,
            filter: Filter::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls_and_the_share_of_the_result_goes_straight() {
        let settings = Settings { wdl: [0.1, 0.3], ..Settings::default() };
        let rates: Vec<f64> = (0..5000).map(|step| settings.rate_at(step, 5000)).collect();
        assert!((rates[0] - 1e-5).abs() < 1e-12 && (rates[49] - 5e-4).abs() < 1e-12);
        assert_eq!((rates[99], rates[100]), (1e-3, 1e-3));
        assert!(rates[100..].is_sorted_by(|a, b| a >= b));
        assert!((rates[2549] - 5.012e-4).abs() < 1e-6 && (rates[4999] - 2.4e-6).abs() < 1e-12);
        assert_eq!(settings.rate_at(0, 1), 1e-3);
        assert_eq!((settings.wdl_at(0, 3), settings.wdl_at(1, 3), settings.wdl_at(2, 3)), (0.1, 0.2, 0.3));
    }

    #[test]
    fn every_king_bucket_is_used() {
        for king_buckets in [1, 2, 4, 8] {
            let settings = Settings { king_buckets, ..Settings::default() };
            settings.check().unwrap();
            let mut used = settings.architecture().king_table.to_vec();
            used.sort();
            used.dedup();
            assert_eq!(used, (0..king_buckets as u8).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_superbatch_has_its_positions_however_many_a_step_has() {
        let settings = Settings { length: Length::Superbatches(2), batch: 16_384, ..Settings::default() };
        assert_eq!([settings.round_steps(7, 16_384), settings.round_steps(7, 1_000)], [6_103, 100_000]);
        assert_eq!(Settings::default().round_steps(7, 1_000), 7);
    }

    #[test]
    fn what_cannot_be_is_told() {
        let good = Settings::default();
        let exposure = Settings { inputs: Inputs::Exposure, ..good.clone() };
        assert_eq!(Settings { king_buckets: 4, ..exposure.clone() }.check(), Ok(()));
        for (settings, hint) in [
            (Settings { hidden: 100, ..good.clone() }, "hidden size is 100"),
            (Settings { king_buckets: 3, ..good.clone() }, "--king-buckets is 3"),
            (Settings { king_buckets: 8, ..exposure }, "king buckets is 8; expected 1 to 4"),
            (
                Settings { king_buckets: 4, inputs: Inputs::Plain, ..good.clone() },
                "needs other --inputs than plain",
            ),
            (Settings { mirror_data: true, ..good.clone() }, "--mirror-data does nothing"),
            (Settings { marks_rate: 2.0, ..good.clone() }, "--marks-rate does nothing"),
            (Settings { marks_rate: -1.0, ..good.clone() }, "--marks-rate is -1"),
            (Settings { deep_rate: 2.0, ..good.clone() }, "--deep-rate does nothing"),
            (Settings { deep: true, deep_rate: -1.0, ..good.clone() }, "--deep-rate is -1"),
            (Settings { output_buckets: 9, ..good.clone() }, "output buckets is 9"),
            (Settings { rate: f64::NAN, ..good.clone() }, "--rate is NaN"),
            (Settings { final_rate: 0.1, ..good.clone() }, "--final-rate is 0.1"),
            (Settings { wdl: [0.0, 1.5], ..good.clone() }, "--wdl is 1.5"),
            (Settings { lambda: 1.1, ..good.clone() }, "--lambda is 1.1"),
            (Settings { batch: 0, ..good.clone() }, "--batch is 0"),
            (Settings { scale: 0, ..good.clone() }, "scale is 0"),
            (Settings { length: Length::Epochs(0), ..good.clone() }, "no length"),
        ] {
            let told = settings.check().unwrap_err();
            assert!(told.contains(hint), "{told}");
        }
    }

    #[test]
    fn a_short_run_warms_up_for_a_tenth_of_it() {
        let settings = Settings { warm_up: 100, rate: 1e-3, final_rate: 1e-5, ..Settings::default() };
        let rates = [0, 4, 5, 49].map(|step| settings.rate_at(step, 50));
        for (found, exact) in rates.into_iter().zip([2e-4, 1e-3, 1e-3, 1e-5]) {
            assert!((found - exact).abs() < 1e-12, "{rates:?}");
        }
    }

    #[test]
    fn king_buckets_are_finest_where_kings_mostly_stand() {
        for (king_buckets, table) in [
            (2, [[0; 4], [1; 4], [1; 4], [1; 4]]),
            (4, [[0, 0, 1, 1], [2; 4], [3; 4], [3; 4]]),
            (8, [[0, 1, 2, 3], [4, 4, 5, 5], [6; 4], [6; 4]]),
        ] {
            let found = Settings { king_buckets, ..Settings::default() }.architecture().king_table;
            assert_eq!(found[..16], *table.as_flattened());
            assert_eq!(found[16..], [king_buckets as u8 - 1; 16]);
        }
    }
}
