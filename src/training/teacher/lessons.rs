//! What a teacher learns from: the positions of games, in memory, with what is foretold of each.

use super::sample::{Sample, Truth};
use super::tokens::SCALE;
use crate::eval::{Evaluation, static_score};
use crate::sys::chance::mix;
use crate::training::data::{Block, DataError, DataReader, SelfplayGame};
use crate::training::trainer::dataset::game_hash;
use crate::training::trainer::returns::returns;
use crate::training::work::Choice;
use rayon::prelude::*;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The λ of the two returns: one looks some ten searched moves ahead, the other some forty.
pub const LAMBDAS: [f32; 2] = [0.9, 0.975];
/// Blocks that are decoded together.
const BLOCKS: usize = 64;

/// Why there is nothing to learn from.
#[derive(Debug)]
pub enum LessonsError {
    /// A file of games cannot be read at all.
    Data(DataError),
    /// No position is left.
    Empty,
    /// It was asked to stop.
    Stopped,
}

impl fmt::Display for LessonsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LessonsError::Data(error) => error.fmt(f),
            LessonsError::Empty => f.write_str(
                "no position to learn from: those of games with a result are taken that were searched, are not in check, and \
                 whose move takes and promotes nothing",
            ),
            LessonsError::Stopped => f.write_str("stopped while the games were read; nothing is written"),
        }
    }
}

impl std::error::Error for LessonsError {}

/// Positions, those of games that are held out apart.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    /// What is learnt from.
    pub samples: Vec<Sample>,
    /// What is only measured with, game by game.
    pub held_out: Vec<Sample>,
    /// Where each game that is held out ends among these.
    pub ends: Vec<usize>,
    /// Games in all.
    pub games: u64,
    /// A number that other positions or the same in another order do not have.
    pub fingerprint: u64,
}

impl Lessons {
    /// Reads the chosen positions of files of games, with what `evaluation` says of each. `held_out` is the share of games
    /// that is held out: the same games that `train` holds out with this share. What is damaged is told and left out.
    ///
    /// # Errors
    /// If a file cannot be read at all, no position is left, or `stop` is set.
    pub fn read(
        files: &[PathBuf],
        evaluation: &Evaluation,
        choice: Choice,
        held_out: f64,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&DataError),
    ) -> Result<Lessons, LessonsError> {
        let mut lessons = Lessons::default();
        for file in files {
            let mut reader = DataReader::open(file).map_err(LessonsError::Data)?;
            let mut is_more = true;
            while is_more {
                if stop.load(Ordering::Relaxed) {
                    return Err(LessonsError::Stopped);
                }
                // Each with the place where it begins.
                let mut blocks: Vec<(u64, Block)> = vec![];
                while blocks.len() < BLOCKS && is_more {
                    match reader.next_block() {
                        Some(Ok(block)) => blocks.push((reader.whole() - block.head.size(), block)),
                        Some(Err(error @ DataError::Block { .. })) => tell(&error),
                        Some(Err(error)) => return Err(LessonsError::Data(error)),
                        None => is_more = false,
                    }
                }
                let read = |(_, block): &(u64, Block)| -> Result<Vec<(u64, Vec<Sample>)>, String> {
                    let games = block.games()?;
                    Ok(games
                        .iter()
                        .map(|game| (game_hash(game), samples(game, evaluation, choice)))
                        .collect())
                };
                let read: Vec<_> = blocks.par_iter().map(read).collect();
                for (games, &(offset, _)) in read.into_iter().zip(&blocks) {
                    match games {
                        Ok(games) => {
                            games.into_iter().for_each(|(hash, game)| lessons.take(hash, game, held_out))
                        }
                        Err(what) => {
                            tell(&DataError::Block { file: file.display().to_string(), offset, what })
                        }
                    }
                }
            }
        }
        if lessons.samples.is_empty() && (held_out < 1.0 || lessons.held_out.is_empty()) {
            return Err(LessonsError::Empty);
        }
        Ok(lessons)
    }

    fn take(&mut self, hash: u64, game: Vec<Sample>, held_out: f64) {
        self.games += 1;
        self.fingerprint = mix(self.fingerprint ^ hash ^ game.len() as u64);
        if held_out > 0.0 && (hash >> 11) as f64 / (1u64 << 53) as f64 <= held_out {
            self.held_out.extend(game);
            self.ends.push(self.held_out.len());
        } else {
            self.samples.extend(game);
        }
    }
}

/// The chosen positions of a game.
fn samples(game: &SelfplayGame, evaluation: &Evaluation, choice: Choice) -> Vec<Sample> {
    let placed: Vec<_> = game.positions().collect();
    let returns = LAMBDAS.map(|lambda| returns(&placed, lambda, SCALE));
    let samples =
        placed.iter().enumerate().filter(|(_, placed)| choice.takes(placed)).filter_map(|(at, placed)| {
            let truth = Truth {
                score: placed.score?.units() as i16,
                returns: returns.each_ref().map(|returns| returns[at]),
                points: placed.points?,
            };
            Sample::new(placed, static_score(&placed.position, evaluation).units(), truth)
        });
    samples.collect()
}
