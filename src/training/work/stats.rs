//! Numbers about games.

use super::chances::Chances;
use crate::eval::wdl::centipawns;
use crate::training::data::{Ending, SelfplayGame};
use crate::types::{Color, Outcome};
use std::collections::HashSet;
use std::fmt;

/// Where the classes of scores end, in hundredths of a pawn of which 100 win half of the games.
pub const SCORE_BOUNDS: [i32; 6] = [25, 50, 100, 200, 400, 800];

/// Positions whose key leaves this rest are looked at for repetition: one in so many, for memory is short.
const SAMPLE: u64 = 16;

/// Sums over games.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Games.
    pub games: u64,
    /// Plies.
    pub plies: u64,
    /// Plies that were searched.
    pub searched: u64,
    /// Quiet positions.
    pub quiet: u64,
    /// Games won by White, won by Black, drawn, not finished.
    pub outcomes: [u64; 4],
    /// Games by ending, in the order of [`Ending::ALL`].
    pub endings: [u64; Ending::ALL.len()],
    /// The longest game in plies.
    pub longest: usize,
    /// The shortest game in plies.
    pub shortest: Option<usize>,
    /// Quiet positions by the size of their score: below each of [`SCORE_BOUNDS`], and the rest.
    pub scores: [u64; SCORE_BOUNDS.len() + 1],
    /// Sum of the sizes of the scores of quiet positions, in internal units.
    pub score_sum: u64,
    /// What the scores of searched positions were worth.
    pub chances: Chances,
    /// Quiet positions that were sampled to see whether they come again.
    pub sampled: u64,
    different: HashSet<u64>,
}

impl Stats {
    /// Adds a game.
    pub fn add(&mut self, game: &SelfplayGame) {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        self.longest = self.longest.max(game.plies.len());
        self.shortest = Some(self.shortest.map_or(game.plies.len(), |least| least.min(game.plies.len())));
        self.outcomes[match game.outcome {
            Outcome::Win(Color::White) => 0,
            Outcome::Win(Color::Black) => 1,
            Outcome::Draw => 2,
            Outcome::Unfinished => 3,
        }] += 1;
        self.endings[usize::from(game.ending.code())] += 1;
        for placed in game.positions() {
            let Some(score) = placed.score else { continue };
            self.searched += 1;
            if let Some(points) = placed.points
                && !score.is_decisive()
            {
                self.chances.add(score.units(), points);
            }
            if !placed.is_quiet() {
                continue;
            }
            self.quiet += 1;
            let size = centipawns(score).abs();
            let class = SCORE_BOUNDS.iter().position(|&bound| size < bound).unwrap_or(SCORE_BOUNDS.len());
            self.scores[class] += 1;
            self.score_sum += u64::from(score.units().unsigned_abs());
            let key = placed.position.key().0;
            if key % SAMPLE == 0 {
                self.sampled += 1;
                self.different.insert(key);
            }
        }
    }

    /// The share of quiet positions that stood in the data before, from 0 to 1; estimated from a sample.
    pub fn repeated(&self) -> f64 {
        if self.sampled == 0 { 0.0 } else { 1.0 - self.different.len() as f64 / self.sampled as f64 }
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let games = self.games.max(1) as f64;
        writeln!(f, "games            {}", self.games)?;
        writeln!(
            f,
            "plies            {} ({:.1} a game, {} to {})",
            self.plies,
            self.plies as f64 / games,
            self.shortest.unwrap_or(0),
            self.longest
        )?;
        writeln!(f, "searched         {}", self.searched)?;
        writeln!(f, "quiet positions  {} ({:.1} % of the plies)", self.quiet, share(self.quiet, self.plies))?;
        writeln!(f, "repeated         {:.2} % of the quiet positions", 100.0 * self.repeated())?;
        for (name, count) in ["White won", "Black won", "drawn", "unfinished"].into_iter().zip(self.outcomes)
        {
            if count > 0 || name != "unfinished" {
                writeln!(f, "{name:<16} {count} ({:.1} %)", share(count, self.games))?;
            }
        }
        writeln!(f, "endings")?;
        for (ending, count) in Ending::ALL.into_iter().zip(self.endings) {
            writeln!(f, "  {:<22} {count} ({:.1} %)", ending.name(), share(count, self.games))?;
        }
        let mean = self.score_sum as f64 / self.quiet.max(1) as f64;
        writeln!(f, "scores of quiet positions: {mean:.0} internal units on average, by size in centipawns")?;
        let names = SCORE_BOUNDS.iter().map(|bound| format!("below {bound}")).chain(["more".to_string()]);
        for (name, count) in names.zip(self.scores) {
            writeln!(f, "  {name:<22} {count} ({:.1} %)", share(count, self.quiet))?;
        }
        if let Some(model) = self.chances.fit() {
            let (half, spread, positions) = (model.half_won, model.spread, self.chances.positions());
            writeln!(
                f,
                "half of the games are won with {half:.0} internal units, by the results of {positions} positions (spread {spread:.0})"
            )?;
        }
        Ok(())
    }
}
