//! Numbers about games.

use super::chances::Chances;
use crate::eval::wdl::centipawns;
use crate::training::data::{Ending, SelfplayGame};
use std::collections::HashSet;
use std::fmt;

/// Where the classes of scores end, in hundredths of a pawn of which 100 win half of the games.
const SCORE_BOUNDS: [i32; 6] = [25, 50, 100, 200, 400, 800];

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
    /// Quiet positions by the size of their score: below each of `SCORE_BOUNDS`, and the rest.
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
        self.outcomes[game.outcome.index()] += 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::uci_move::parse_uci;
    use crate::training::data::Ply;
    use crate::types::{Color, Outcome, Score};

    fn game(moves: &str, scores: &[Option<i32>], outcome: Outcome, ending: Ending) -> SelfplayGame {
        let start = Position::default();
        let mut position = start;
        let mut plies = vec![];
        for (word, score) in moves.split(' ').zip(scores) {
            let mv = parse_uci(word, &position).unwrap();
            plies.push(Ply { mv, score: score.map(Score::new) });
            position = position.after(mv);
        }
        SelfplayGame { start, plies, outcome, ending }
    }

    #[test]
    fn every_number_is_what_the_games_say() {
        let mut stats = Stats::default();
        let (white, black) = (Outcome::Win(Color::White), Outcome::Win(Color::Black));
        // 183 units are 100 hundredths of a pawn: 46 are 25, 366 are 200.
        let scores = [None, Some(44), Some(-46), Some(366), Some(-2_000)];
        // A capture and a mate's score are searched but not quiet.
        let noisy = [Some(0), Some(10), Some(10), Some(Score::mate_in(3).units())];
        stats.add(&game("e2e4 e7e5 g1f3 b8c6 f1b5", &scores, white, Ending::WinAdjudicated));
        stats.add(&game("e2e4 d7d5 e4d5 d8d5", &noisy, white, Ending::TooLong));
        stats.add(&game("e2e4 e7e5", &[None, None], black, Ending::Checkmate));
        stats.add(&game("d2d4 g8f6 g1f3", &[None, None, Some(-20)], Outcome::Draw, Ending::Repetition));
        assert_eq!((stats.games, stats.plies, stats.searched, stats.quiet), (4, 14, 9, 7));
        assert_eq!((stats.outcomes, stats.shortest, stats.longest), ([2, 1, 1, 0], Some(2), 5));
        assert_eq!(stats.endings, [1, 0, 1, 0, 0, 1, 0, 1]);
        assert_eq!(stats.scores, [4, 1, 0, 0, 1, 0, 1]);
        assert_eq!(stats.score_sum, 44 + 46 + 366 + 2_000 + 10 + 20);
        // Each searched position but for the mate's, and but for what is too far ahead to say anything.
        assert_eq!(stats.chances.positions(), 7);
        let told = stats.to_string();
        for line in [
            "plies            14 (3.5 a game, 2 to 5)",
            "quiet positions  7 (50.0 % of the plies)",
            "White won        2 (50.0 %)",
            "Black won        1 (25.0 %)",
            "  adjudicated win        1 (25.0 %)",
            "scores of quiet positions: 355 internal units on average, by size in centipawns",
            "  below 400              1 (14.3 %)",
            "  more                   1 (14.3 %)",
        ] {
            assert!(told.lines().any(|told| told == line), "'{line}' is not in {told}");
        }
        assert!(!told.contains("unfinished"), "{told}");
    }

    #[test]
    fn what_comes_again_is_repeated() {
        let mut stats = Stats::default();
        let games = crate::training::data::sample::games(2, 40);
        games.iter().for_each(|game| stats.add(game));
        assert!(stats.sampled > 20 && stats.repeated() < 0.3, "{} {}", stats.sampled, stats.repeated());
        let once = 1.0 - stats.repeated();
        games.iter().for_each(|game| stats.add(game));
        assert!((stats.repeated() - (1.0 - once / 2.0)).abs() < 1e-9, "{}", stats.repeated());
    }
}
