//! What `adoube grow` is to do, and what it has done.

use crate::cli::Failure;
use crate::sys::files::write_whole;
use crate::training::trainer::settings::{Length, Settings};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

/// What is to be done.
pub(super) struct Plan {
    pub(super) generations: u32,
    pub(super) from: String,
    /// Of each generation.
    pub(super) positions: u64,
    pub(super) nodes: u64,
    pub(super) hidden: usize,
    pub(super) output_buckets: usize,
    pub(super) epochs: u32,
    pub(super) wdl: f64,
    pub(super) window: u32,
    pub(super) games: u32,
    pub(super) match_nodes: u64,
    pub(super) threads: u32,
    pub(super) seed: u64,
}

impl Plan {
    /// For a night.
    pub(super) fn usual() -> Plan {
        Plan {
            generations: 4,
            from: "classic".into(),
            positions: 8_000_000,
            nodes: 300,
            hidden: 128,
            output_buckets: 1,
            epochs: 10,
            wdl: 0.3,
            window: 3,
            games: 600,
            match_nodes: 2_000,
            threads: 1,
            seed: 1,
        }
    }

    /// How networks are trained, as far as the plan says.
    pub(super) fn training(&self) -> Settings {
        Settings {
            hidden: self.hidden,
            output_buckets: self.output_buckets,
            length: Length::Epochs(self.epochs),
            wdl: [self.wdl; 2],
            ..Settings::default()
        }
    }

    /// For a few minutes.
    pub(super) fn demo() -> Plan {
        Plan {
            generations: 2,
            from: super::ZERO.into(),
            positions: 300_000,
            nodes: 100,
            hidden: 32,
            epochs: 8,
            window: 1,
            games: 200,
            match_nodes: 500,
            ..Plan::usual()
        }
    }
}

/// How a network did against the one before.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct MatchResult {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    pub(super) elo: f64,
    /// Of the 95 % confidence interval.
    pub(super) elo_error: f64,
}

/// With fewer games the error says too little: two that are won would prove a network better.
const FEWEST_GAMES: u64 = 20;

impl MatchResult {
    /// True if chance alone would hardly bring this about.
    pub(super) fn is_better(&self) -> bool {
        self.wins + self.draws + self.losses >= FEWEST_GAMES && self.elo > self.elo_error
    }
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatchResult { wins, draws, losses, elo, elo_error } = self;
        write!(f, "{elo:+.0} ± {elo_error:.0} Elo (+{wins} ={draws} -{losses})")
    }
}

/// A generation that is complete.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Generation {
    pub(super) number: u32,
    /// The network that played its games, and that it was compared with.
    pub(super) parent: String,
    /// True if that was the one that knows nothing.
    #[serde(default)]
    pub(super) from_zero: bool,
    pub(super) network: String,
    pub(super) kept: bool,
    pub(super) result: MatchResult,
    /// How long it took, in the last run of the command.
    pub(super) hours: f64,
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Generation { number, parent, network, kept, result, hours, from_zero: _ } = self;
        let kept = if *kept { "kept" } else { "not kept" };
        write!(f, "generation {number}: {network} against {parent}: {result}, {kept}; {hours:.2} h")
    }
}

/// What has been done in a folder.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) generations: Vec<Generation>,
}

const FILE: &str = "grow.json";

impl Record {
    /// The record of a folder, if there is one.
    pub(super) fn read(folder: &Path) -> Result<Option<Record>, Failure> {
        let file = folder.join(FILE);
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", file.display()).into()),
        };
        serde_json::from_str(&text).map(Some).map_err(|error| format!("{}: {error}", file.display()).into())
    }

    /// Writes it whole, or leaves the one before.
    pub(super) fn write(&self, folder: &Path) -> Result<(), Failure> {
        let file = folder.join(FILE);
        let text = serde_json::to_string_pretty(self)? + "\n";
        write_whole(&file, text.as_bytes()).map_err(|error| format!("{}: {error}", file.display()).into())
    }

    /// The generations whose games the next one, `number`, learns from: the last `window`, itself among them, but for
    /// games without scores, unless its own have none either (`from_zero`).
    pub(super) fn learnt_from(&self, number: u32, window: u32, from_zero: bool) -> Vec<u32> {
        let in_window = self.generations.iter().filter(|earlier| number - earlier.number < window);
        let useful = in_window.filter(|earlier| from_zero || !earlier.from_zero);
        useful.map(|earlier| earlier.number).chain([number]).collect()
    }

    /// The last generation that was kept.
    pub(super) fn best(&self) -> Option<&Generation> {
        self.generations.iter().rev().find(|generation| generation.kept)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.generations.iter().map(Generation::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    fn generation(number: u32, elo: f64, elo_error: f64) -> Generation {
        let result = MatchResult { wins: 12, draws: 6, losses: 2, elo, elo_error };
        let network = format!("{number}.nnue");
        let (parent, kept) = ("zero".into(), result.is_better());
        Generation { number, parent, from_zero: false, network, kept, result, hours: 0.5 }
    }

    #[test]
    fn games_without_scores_are_learnt_from_only_while_there_are_no_others() {
        let zero = |number, elo| Generation { from_zero: true, ..generation(number, elo, 20.0) };
        let not_yet = Record { generations: vec![zero(1, 0.0), zero(2, 0.0)] };
        assert_eq!(not_yet.learnt_from(3, 3, true), [1, 2, 3]);
        assert_eq!(not_yet.learnt_from(3, 2, true), [2, 3]);
        let then = Record { generations: vec![zero(1, 0.0), zero(2, 50.0), generation(3, 0.0, 20.0)] };
        assert_eq!(then.learnt_from(4, 3, false), [3, 4]);
        assert_eq!(then.learnt_from(4, 1, false), [4]);
        assert_eq!(then.learnt_from(4, u32::MAX, false), [3, 4]);
        assert_eq!(Record::default().learnt_from(1, 3, true), [1]);
    }

    #[test]
    fn only_what_is_surely_better_is_kept() {
        let record = Record {
            generations: vec![
                generation(1, 50.0, 20.0),
                generation(2, 15.0, 20.0),
                generation(3, -50.0, 20.0),
            ],
        };
        assert_eq!(record.best().map(|best| best.number), Some(1));
        assert!(record.to_string().contains("+15 ± 20 Elo (+12 =6 -2), not kept"), "{record}");
        let of_too_few = MatchResult { losses: 1, ..generation(1, 50.0, 20.0).result };
        assert!(!of_too_few.is_better());
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let folder = Scratch::new();
        assert!(Record::read(&folder).unwrap().is_none());
        let record = Record { generations: vec![generation(1, 50.0, 20.0)] };
        record.write(&folder).unwrap();
        assert_eq!(Record::read(&folder).unwrap().unwrap().generations, record.generations);
        std::fs::write(folder.join(FILE), "{\"generations\":").unwrap();
        assert!(Record::read(&folder).is_err_and(|error| error.to_string().contains(FILE)));
    }

    #[test]
    fn the_best_is_the_last_that_was_kept() {
        let generations = [(1, 50.0), (2, 40.0), (3, 10.0)];
        let mut record =
            Record { generations: generations.map(|(number, elo)| generation(number, elo, 20.0)).to_vec() };
        assert_eq!(record.best().map(|best| best.number), Some(2));
        record.generations.iter_mut().for_each(|generation| generation.kept = false);
        assert!(record.best().is_none());
    }

    #[test]
    fn networks_are_trained_as_the_plan_says() {
        let plan = Plan { hidden: 96, output_buckets: 4, epochs: 3, wdl: 0.7, ..Plan::usual() };
        let settings = plan.training();
        assert_eq!((settings.hidden, settings.output_buckets, settings.wdl), (96, 4, [0.7; 2]));
        assert_eq!(settings.length, Length::Epochs(3));
    }
}
