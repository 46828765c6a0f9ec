//! What scores were worth in games: the fit behind [`crate::eval::wdl`].

use crate::eval::wdl::Model;
use crate::training::valley::{lowest, valley};

/// Larger scores, in internal units, are left out: they hardly ever do not win, and would only bend the curve.
const LARGEST: usize = 1_500;
/// How exactly a model is found, in internal units.
const EXACTLY: f64 = 0.1;

/// How games ended by the score of their positions.
#[derive(Clone, Debug)]
pub struct Chances {
    /// By the size of the score: won, drawn and lost by the side that stood better.
    counts: Vec<[u64; 3]>,
}

impl Default for Chances {
    fn default() -> Chances {
        Chances { counts: vec![[0; 3]; LARGEST + 1] }
    }
}

impl Chances {
    /// Adds a position: its score in internal units and what came of the game for the same side, 1, 0.5 or 0.
    pub fn add(&mut self, units: i32, points: f32) {
        let points = if units < 0 { 1.0 - points } else { points };
        let place = 2 - (2.0 * points).round() as usize;
        if let Some(counts) = self.counts.get_mut(units.unsigned_abs() as usize) {
            counts[place] += 1;
        }
    }

    /// Positions counted.
    pub fn positions(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// The likeliest model; `None` without wins, or if models beyond what was looked at are likelier still, as with
    /// scores that foretell nothing.
    pub fn fit(&self) -> Option<Model> {
        if self.counts.iter().all(|[won, ..]| *won == 0) {
            return None;
        }
        let (halves, spreads) = (1.0..2.0 * LARGEST as f64, 5.0..LARGEST as f64);
        let of = |half_won, spread| self.unlikelihood(&Model { half_won, spread });
        let spread = valley(spreads, EXACTLY, |spread| {
            of(lowest(halves.clone(), EXACTLY, |half_won| of(half_won, spread)), spread)
        })?;
        let half_won = valley(halves, EXACTLY, |half_won| of(half_won, spread))?;
        Some(Model { half_won, spread })
    }

    /// The negative logarithm of the likelihood of the counts.
    fn unlikelihood(&self, model: &Model) -> f64 {
        let each = self.counts.iter().enumerate().filter(|(_, counts)| **counts != [0; 3]);
        -each
            .map(|(units, counts)| {
                let [win, loss] = [units as f64, -(units as f64)].map(|units| model.win(units));
                let chances = [win, 1.0 - win - loss, loss];
                counts
                    .iter()
                    .zip(chances)
                    .map(|(&count, chance)| count as f64 * chance.max(1e-12).ln())
                    .sum::<f64>()
            })
            .sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions as a model expects them, some of them seen from the other side.
    fn counted(model: &Model) -> Chances {
        let mut chances = Chances::default();
        for units in (0..1_600).step_by(40) {
            let [win, loss] =
                [units, -units].map(|units| (1_000.0 * model.win(f64::from(units))).round() as u32);
            for number in 0..1_000 {
                let points = if number < win {
                    1.0
                } else if number < win + loss {
                    0.0
                } else {
                    0.5
                };
                let turn = number % 2 == 1;
                chances.add(if turn { -units } else { units }, if turn { 1.0 - points } else { points });
            }
        }
        chances
    }

    #[test]
    fn the_model_behind_results_is_found() {
        for model in [Model { half_won: 190.0, spread: 180.0 }, Model { half_won: 320.0, spread: 75.0 }] {
            let chances = counted(&model);
            // Scores of 1,520 and more are left out.
            assert_eq!(chances.positions(), 38_000);
            let found = chances.fit().unwrap();
            assert!((found.half_won - model.half_won).abs() < 2.0, "{found:?}");
            assert!((found.spread - model.spread).abs() < 2.0, "{found:?}");
        }
    }

    #[test]
    fn without_wins_there_is_nothing_to_fit() {
        let mut chances = Chances::default();
        chances.add(50, 0.5);
        assert_eq!((chances.positions(), chances.fit()), (1, None));
    }

    #[test]
    fn scores_that_foretell_nothing_are_fitted_by_nothing() {
        let mut chances = Chances::default();
        for units in 0..1_000 {
            (0..10).for_each(|_| chances.add(units, 0.5));
            [0.0, 1.0].into_iter().for_each(|points| chances.add(units, points));
        }
        assert_eq!(chances.fit(), None);
    }
}
