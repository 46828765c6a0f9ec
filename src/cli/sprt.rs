//! `adoube sprt`

use super::Failure;
use crate::report::text::{Notes, fixed, percent, strength};
use crate::tournament::config::{SprtConfig, SprtModel};
use crate::tournament::elo::Estimate;
use crate::tournament::sprt::Sprt;
use crate::tournament::stats::Sample;
use clap::ValueEnum;
use std::io::Write;

/// Tells from results whether one engine is stronger than another; the first line is 'LLR: ...'.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("results").args(["penta", "wdl"]).required(true))]
pub(super) struct Arguments {
    /// Pairs of games with 0, ½, 1, 1½ and 2 points, as in '10,200,450,260,20'
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_parser = counts::<5>, allow_hyphen_values = true)]
    penta: Option<[u64; 5]>,
    /// Games won, drawn and lost, as in '300,450,250'
    #[arg(long, value_name = "W,D,L", value_parser = counts::<3>, allow_hyphen_values = true)]
    wdl: Option<[u64; 3]>,
    /// Elo difference of the null hypothesis
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo0: f64,
    /// Elo difference of the alternative
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo1: f64,
    /// Probability of accepting the alternative when the null hypothesis holds
    #[arg(long, value_name = "P", default_value = "0.05", allow_hyphen_values = true)]
    alpha: f64,
    /// Probability of accepting the null hypothesis when the alternative holds
    #[arg(long, value_name = "P", default_value = "0.05", allow_hyphen_values = true)]
    beta: f64,
    /// What the Elo differences are
    #[arg(long, default_value = "normalized")]
    model: Model,
}

/// The names of the models.
#[derive(Clone, Copy, ValueEnum)]
enum Model {
    /// Normalized Elo: independent of the share of draws
    Normalized,
    /// Logistic Elo: the usual scale
    Logistic,
    /// BayesElo, of single games
    Bayesian,
}

/// So many whole numbers with commas between them; brackets around them are allowed, as programs print them so.
fn counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let list = text.trim().trim_start_matches('[').trim_end_matches(']');
    let numbers: Result<Vec<u64>, String> = list
        .split(',')
        .map(|number| {
            let number = number.trim();
            // Nobody has played more games, and up to here all sums are exact as floating-point numbers.
            let count = number.parse().ok().filter(|&count| count <= 1 << 48);
            count.ok_or_else(|| format!("'{number}' is not a number of games (whole, from 0 to 2^48)"))
        })
        .collect();
    numbers?.try_into().map_err(|found: Vec<u64>| {
        format!("expected {N} numbers with commas between them, found {}", found.len())
    })
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let &Arguments { penta, wdl, elo0, elo1, alpha, beta, model } = arguments;
    let model = match model {
        Model::Normalized => SprtModel::Normalized,
        Model::Logistic => SprtModel::Logistic,
        Model::Bayesian => SprtModel::Bayesian,
    };
    let sprt = Sprt::new(SprtConfig { elo0, elo1, alpha, beta, model })
        .map_err(|error| super::wrong_usage("sprt", error))?;
    let sample = match (penta, wdl) {
        (Some(pairs), _) => Sample::Pairs(pairs),
        (None, wdl) => {
            let [wins, draws, losses] = wdl.unwrap_or_default();
            Sample::Games { wins, draws, losses }
        }
    };
    let progress = sprt.of_sample(&sample).ok_or_else(|| {
        super::wrong_usage("sprt", "the bayesian model is one of single games: give --wdl instead of --penta")
    })?;
    let estimate = Estimate::of(&sample);

    let mut out = std::io::stdout().lock();
    writeln!(out, "LLR: {}", fixed(progress.llr, 10))?;
    writeln!(out, "Bounds: {} to {}", fixed(sprt.lower(), 10), fixed(sprt.upper(), 10))?;
    writeln!(out, "Verdict: {}", progress.verdict)?;
    writeln!(out, "{}", strength(&estimate))?;
    let (games, points, score) = (sample.games(), fixed(sample.points(), 1), percent(estimate.score, 2));
    writeln!(out, "Games: {games}, Points: {points} ({score} %)")?;
    let notes = Notes { elo: estimate.regularised, llr: progress.regularised, ..Notes::default() };
    write!(out, "{}", notes.line())?;
    Ok(())
}
