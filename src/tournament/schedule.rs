//! Who plays whom, with which colours and from which opening: all of it follows from the number of the game.

use super::config::{Kind, MatchConfig, OpeningPolicy};

/// A game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number in the match, from 0.
    pub game: u64,
    /// Its round, from 0.
    pub round: u64,
    /// Which meeting of two players it belongs to, from 0.
    pub encounter: u64,
    /// The player with White, by its place in the configuration.
    pub white: usize,
    /// The player with Black.
    pub black: usize,
    /// The number of its opening, from 0.
    pub opening: u64,
}

impl Fixture {
    /// The pairing that it belongs to: the player that comes first in the configuration first.
    pub fn pairing(&self) -> (usize, usize) {
        (self.white.min(self.black), self.white.max(self.black))
    }
}

/// All games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: u64,
    games: u64,
    no_swap: bool,
    reverse: bool,
    policy: OpeningPolicy,
}

impl Schedule {
    /// The games that a configuration asks for.
    pub fn new(config: &MatchConfig) -> Schedule {
        let count = config.players.len();
        let all = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
        let pairings = match config.kind {
            Kind::RoundRobin => all.collect(),
            Kind::Gauntlet { seeds } => {
                all.filter(|&(first, second)| first < seeds && second >= seeds).collect()
            }
        };
        Schedule {
            pairings,
            rounds: config.rounds,
            games: config.games.max(1).into(),
            no_swap: config.no_swap,
            reverse: config.reverse,
            policy: config.policy,
        }
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.rounds.saturating_mul(self.pairings.len() as u64).saturating_mul(self.games)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many openings are drawn.
    pub fn openings(&self) -> u64 {
        match self.policy {
            OpeningPolicy::Round => self.rounds,
            OpeningPolicy::Encounter => self.len() / self.games,
        }
    }

    /// The game with a number, from 0.
    ///
    /// # Panics
    /// If nobody meets anybody, so that there is no game.
    pub fn fixture(&self, game: u64) -> Fixture {
        let encounter = game / self.games;
        let round = encounter / self.pairings.len() as u64;
        let (first, second) = self.pairings[(encounter % self.pairings.len() as u64) as usize];
        // With one game each meeting the colours change from round to round, and within a round they are dealt as in
        // Berger's tables, so that nobody has one of them twice more often than the other.
        let turn = if self.games > 1 { game % self.games } else { round + (second - first - 1) as u64 };
        let exchanged = (turn % 2 == 1 && !self.no_swap) != self.reverse;
        let (white, black) = if exchanged { (second, first) } else { (first, second) };
        let opening = match self.policy {
            OpeningPolicy::Round => round,
            OpeningPolicy::Encounter => encounter,
        };
        Fixture { game, round, encounter, white, black, opening }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::config::Player;

    fn schedule(players: usize, kind: Kind, change: impl Fn(&mut MatchConfig)) -> Schedule {
        let players = vec![Player::default(); players];
        let mut config = MatchConfig { players, kind, rounds: 3, games: 2, ..MatchConfig::default() };
        change(&mut config);
        Schedule::new(&config)
    }

    fn games(schedule: &Schedule) -> Vec<(usize, usize, u64)> {
        (0..schedule.len())
            .map(|game| schedule.fixture(game))
            .map(|fixture| (fixture.white, fixture.black, fixture.opening))
            .collect()
    }

    #[test]
    fn each_opening_is_played_with_both_colours() {
        let two = schedule(2, Kind::RoundRobin, |_| ());
        assert_eq!(games(&two), [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (0, 1, 2), (1, 0, 2)]);
        let reversed = schedule(2, Kind::RoundRobin, |config| config.reverse = true);
        assert_eq!(games(&reversed)[..2], [(1, 0, 0), (0, 1, 0)]);
        let fixed = schedule(2, Kind::RoundRobin, |config| config.no_swap = true);
        assert!(games(&fixed).iter().all(|&(white, ..)| white == 0));
        let single = schedule(2, Kind::RoundRobin, |config| config.games = 1);
        assert_eq!(games(&single), [(0, 1, 0), (1, 0, 1), (0, 1, 2)]);
    }

    #[test]
    fn with_one_game_a_meeting_nobody_has_one_colour_more_often_by_two() {
        for players in 2..9 {
            for kind in [Kind::RoundRobin, Kind::Gauntlet { seeds: 1 }] {
                let single = schedule(players, kind, |config| config.games = 1);
                let mut balance = vec![0_i32; players];
                for round in games(&single).chunks(single.pairings.len()) {
                    for &(white, black, _) in round {
                        balance[white] += 1;
                        balance[black] -= 1;
                    }
                    assert!(balance.iter().all(|balance| balance.abs() <= 1), "{kind:?}: {balance:?}");
                }
            }
        }
    }

    #[test]
    fn everybody_meets_everybody_or_the_seeds() {
        let three = schedule(3, Kind::RoundRobin, |config| config.policy = OpeningPolicy::Encounter);
        assert_eq!((three.len(), three.openings()), (18, 9));
        assert_eq!(games(&three)[..4], [(0, 1, 0), (1, 0, 0), (0, 2, 1), (2, 0, 1)]);
        assert_eq!(games(&three)[6..8], [(0, 1, 3), (1, 0, 3)]);
        let gauntlet = schedule(4, Kind::Gauntlet { seeds: 2 }, |config| config.rounds = 1);
        assert_eq!(gauntlet.openings(), 1);
        let met: Vec<_> = (0..4).map(|meeting| gauntlet.fixture(2 * meeting).pairing()).collect();
        assert_eq!(met, [(0, 2), (0, 3), (1, 2), (1, 3)]);
    }

    #[test]
    fn each_meeting_begins_with_the_same_player() {
        let odd = schedule(2, Kind::RoundRobin, |config| config.games = 3);
        assert_eq!(games(&odd)[..6], [(0, 1, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1), (1, 0, 1), (0, 1, 1)]);
        let fixed = schedule(2, Kind::RoundRobin, |config| (config.no_swap, config.reverse) = (true, true));
        assert!(games(&fixed).iter().all(|&(white, ..)| white == 1));
    }
}
