//! `adoube data label --teacher`: games with the scores that teachers foretell.

use super::super::progress::Display;
use super::super::teach::{logit, mean, read_teachers};
use super::{Failure, Games, Output, OutputArguments, count_games};
use crate::eval::{Evaluation, static_score};
use crate::training::data::{DataError, SelfplayGame};
use crate::training::teacher::sample::Sample;
use crate::training::teacher::school::foretell;
use crate::training::work::{self, Choice};
use rayon::prelude::*;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Games that are looked at together.
const AT_ONCE: usize = 256;

/// What teachers foretell, by the place that it has among all.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Saying {
    /// The score of the search
    Score,
    /// What comes of the position, looking some ten moves ahead: the return of TD(0.9)
    Near,
    /// Looking some forty moves ahead: TD(0.975)
    Far,
    /// The result of the game
    Result,
}

pub(super) fn label(
    file: &Path,
    out: &Path,
    teachers: &[PathBuf],
    saying: Saying,
    choice: Choice,
    eval_file: &str,
    output: &OutputArguments,
) -> Result<(), Failure> {
    output.target(out, teachers)?;
    let evaluation = Evaluation::from_setting(eval_file)?;
    let teachers = read_teachers(teachers, &evaluation)?;
    let options = json!({ "noisy": choice.noisy, "teachers": teachers.len(), "saying": saying as u8 });
    let of = count_games(file)?;
    let mut games = Games::open(file, &output.damage)?;
    let mut made = Output::create(out, output, "label", options, &[file])?;
    let (mut display, begin) = (Display::new(), Instant::now());
    loop {
        let some = games.by_ref().take(AT_ONCE).collect::<Result<Vec<_>, DataError>>()?;
        if some.is_empty() {
            break;
        }
        let samples: Vec<_> = some.par_iter().map(|game| samples(game, choice, &evaluation)).collect();
        let known: Vec<Sample> = samples.iter().flatten().copied().flatten().collect();
        let foretold: Vec<_> = teachers.iter().map(|(_, teacher)| foretell(teacher, &known)).collect();
        let mut scores = (0..known.len()).map(|at| mean(&foretold, at, saying as usize));
        for (mut game, samples) in some.into_iter().zip(samples) {
            let mut samples = samples.into_iter();
            // A position that could not be packed says nothing new.
            work::set_scores(&mut game, choice, |_| samples.next().flatten().and(scores.next()).map(logit));
            made.push(game)?;
        }
        let each = begin.elapsed().as_secs_f64() / made.games as f64;
        let left = Duration::try_from_secs_f64(each * of.saturating_sub(made.games) as f64).ok();
        let line = format!("{} of {of} games, {:.1} games/s", made.games, 1.0 / each.max(1e-9));
        display.show(made.games as f64 / of.max(made.games) as f64, &line, left);
    }
    drop(display);
    made.finish()
}

/// The chosen positions of a game; none in the place of one that has more pieces than can be kept.
fn samples(game: &SelfplayGame, choice: Choice, evaluation: &Evaluation) -> Vec<Option<Sample>> {
    let chosen = game.positions().filter(|placed| choice.takes(placed));
    chosen
        .map(|placed| {
            let still = static_score(&placed.position, evaluation).units();
            Sample::of_board(placed.position.board(), still)
        })
        .collect()
}
