//! What the games of a match have come to so far.

use super::entry::Entry;
use super::stats::{PairedTally, Tally};
use crate::laws::Scoring;
use crate::types::Color;
use std::collections::BTreeMap;

/// All results of a match.
#[derive(Clone, Default, Debug)]
pub struct Standings {
    /// For each two players that have met, the results of the one that comes first in the configuration.
    pairings: BTreeMap<(usize, usize), PairedTally>,
    games: u64,
    rated: u64,
    pairs: u64,
    /// For each player, how often it has lost in each of these ways, by the value of the tag `Termination`.
    failures: BTreeMap<(usize, String), u64>,
    /// For each player, what its games were worth in half points, by each way of scoring.
    half_points: BTreeMap<usize, [u64; SCORINGS.len()]>,
    /// Some game had a result that wins, draws and losses cannot tell.
    exceptional: bool,
}

const SCORINGS: [Scoring; 2] = [Scoring::Classic, Scoring::ThreeOneZero];

impl Standings {
    /// Counts a game.
    pub fn add(&mut self, entry: &Entry) {
        let (white, black) = (entry.fixture.white, entry.fixture.black);
        let pairing @ (first, _) = entry.fixture.pairing();
        let color = if first == white { Color::White } else { Color::Black };
        let tally = self.pairings.entry(pairing).or_default();
        let counted = |tally: &PairedTally| (tally.tally().games(), tally.tally().pairs.total());
        let (rated, pairs) = counted(tally);
        tally.add(entry.fixture.encounter, entry.result.rated(), color);
        let now = counted(tally);
        self.rated += now.0 - rated;
        self.pairs += now.1 - pairs;
        self.games += 1;
        for (player, color) in [(white, Color::White), (black, Color::Black)] {
            let points = self.half_points.entry(player).or_default();
            for (sum, scoring) in points.iter_mut().zip(SCORINGS) {
                *sum += u64::from(scoring.half_points(entry.result, color));
            }
        }
        self.exceptional |= entry.result.is_exceptional();
        // Who is expelled has failed before, and not in the games that are lost by it.
        let is_failure = !matches!(entry.termination.as_str(), "normal" | "adjudication" | "unterminated")
            && !entry.is_of_expelled();
        for (has_lost, player) in entry.result.losers().into_iter().zip([white, black]) {
            if is_failure && has_lost {
                *self.failures.entry((player, entry.termination.clone())).or_default() += 1;
            }
        }
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many of them have a result that is rated: those that were not played have none.
    pub fn rated(&self) -> u64 {
        self.rated
    }

    /// How many pairs are whole.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// What a player's games were worth, by a way of scoring.
    pub fn points(&self, player: usize, scoring: Scoring) -> f64 {
        let place = SCORINGS.iter().position(|&known| known == scoring).unwrap_or_default();
        self.half_points.get(&player).map_or(0.0, |points| points[place] as f64 / 2.0)
    }

    /// True if wins, draws and losses do not tell the points.
    pub fn has_exceptional_results(&self) -> bool {
        self.exceptional
    }

    /// What a player has scored against another.
    pub fn between(&self, player: usize, other: usize) -> Tally {
        let tally = |pairing| self.pairings.get(&pairing).map_or(Tally::default(), |tally| *tally.tally());
        if player < other { tally((player, other)) } else { tally((other, player)).reversed() }
    }

    /// What a player has scored against all.
    pub fn of(&self, player: usize) -> Tally {
        let mut sum = Tally::default();
        for &(first, second) in self.pairings.keys() {
            if player == first || player == second {
                sum.merge(&self.between(player, if player == first { second } else { first }));
            }
        }
        sum
    }

    /// How often players have lost otherwise than on the board, and how: by the value of the tag `Termination`.
    pub fn failures(&self) -> impl Iterator<Item = (usize, &str, u64)> {
        self.failures.iter().map(|((player, how), &count)| (*player, how.as_str(), count))
    }
}

/// True if a game with this value of the tag `Termination` was lost by an engine's failure: it was gone, stood still or did
/// not come.
pub fn is_engine_failure(termination: &str) -> bool {
    matches!(termination, "abandoned" | "stalled connection" | "unplayed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::GameResult;
    use crate::tournament::entry::tests::sample;
    use crate::types::Outcome;

    #[test]
    fn results_belong_to_the_player_whatever_his_colour() {
        let mut standings = Standings::default();
        let mut entry = sample();
        for (game, (white, black, outcome)) in [
            (1, 0, Outcome::Win(Color::White)),
            (0, 1, Outcome::Draw),
            (0, 2, Outcome::Win(Color::White)),
            (2, 0, Outcome::Win(Color::Black)),
        ]
        .into_iter()
        .enumerate()
        {
            (entry.fixture.white, entry.fixture.black) = (white, black);
            entry.result = GameResult::Played(outcome);
            entry.fixture.encounter = game as u64 / 2;
            standings.add(&entry);
        }
        assert_eq!((standings.rated(), standings.pairs()), (4, 2));
        let against = standings.between(0, 1);
        assert_eq!((against.wins, against.draws, against.losses), (0, 1, 1));
        assert_eq!(against.pairs.counts(), [0, 1, 0, 0, 0]);
        assert_eq!(standings.between(1, 0).pairs.counts(), [0, 0, 0, 1, 0]);
        let all = standings.of(0);
        assert_eq!((all.wins, all.draws, all.losses), (2, 1, 1));
        assert_eq!(all.pairs.counts(), [0, 1, 0, 0, 1]);
        assert_eq!(
            (standings.points(0, Scoring::Classic), standings.points(0, Scoring::ThreeOneZero)),
            (2.5, 7.0)
        );
        assert!(!standings.has_exceptional_results());
        entry.result = GameResult::HalfTo(Color::White);
        standings.add(&entry);
        assert_eq!(
            (standings.points(2, Scoring::Classic), standings.points(0, Scoring::Classic)),
            (0.5, 2.5)
        );
        assert!(standings.has_exceptional_results());
        let failures: Vec<_> = standings.failures().collect();
        assert_eq!(failures, [(0, "time forfeit", 2), (2, "time forfeit", 2)]);
        entry.result = GameResult::DoubleForfeit;
        standings.add(&entry);
        assert_eq!((standings.games(), standings.rated()), (6, 5), "not played, not rated");
    }

    #[test]
    fn a_game_that_the_arbiter_ended_is_no_failure_and_an_exception_stays_one() {
        let mut standings = Standings::default();
        for (termination, result) in [
            ("adjudication", GameResult::Played(Outcome::Win(Color::White))),
            ("normal", GameResult::HalfTo(Color::White)),
            ("unterminated", GameResult::Played(Outcome::Unfinished)),
            ("normal", GameResult::Played(Outcome::Win(Color::Black))),
        ] {
            standings.add(&Entry { termination: termination.into(), result, ..sample() });
        }
        // Who was expelled was not let play.
        let reason = "Black loses by penalty: expelled from the competition".to_string();
        for (termination, result) in [
            ("unplayed", GameResult::Forfeit(Color::White)),
            ("rules infraction", GameResult::Played(Outcome::Win(Color::White))),
        ] {
            standings.add(&Entry {
                termination: termination.into(),
                result,
                reason: reason.clone(),
                ..sample()
            });
        }
        assert_eq!(standings.failures().count(), 0);
        assert!(standings.has_exceptional_results());
    }
}
