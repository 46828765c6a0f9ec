//! Choosing among games and bringing those of several files together.

use crate::eval::wdl::centipawns;
use crate::openings::order::Chance;
use crate::training::data::{DataError, Ending, SelfplayGame};
use crate::types::Outcome;

/// Which games to keep; nothing given keeps all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// At least so many plies.
    pub min_plies: Option<usize>,
    /// At most so many plies.
    pub max_plies: Option<usize>,
    /// One of these results.
    pub outcomes: Option<Vec<Outcome>>,
    /// One of these endings.
    pub endings: Option<Vec<Ending>>,
    /// The first search sees neither side further ahead than this, in hundredths of a pawn of which 100 win half of the
    /// games.
    pub max_first_score: Option<i32>,
}

impl Filter {
    /// True if the game is wanted.
    pub fn keeps(&self, game: &SelfplayGame) -> bool {
        let first = game.plies.iter().find_map(|ply| ply.score);
        self.min_plies.is_none_or(|least| game.plies.len() >= least)
            && self.max_plies.is_none_or(|most| game.plies.len() <= most)
            && self.outcomes.as_ref().is_none_or(|wanted| wanted.contains(&game.outcome))
            && self.endings.as_ref().is_none_or(|wanted| wanted.contains(&game.ending))
            && self.max_first_score.is_none_or(|most| {
                first.is_some_and(|score| !score.is_decisive() && centipawns(score).abs() <= most)
            })
    }
}

/// Chooses a share of games by lot.
pub struct Keep {
    chance: Chance,
    /// In thousandths.
    share: u64,
}

impl Keep {
    /// Chooses this share, in thousandths; the same games for the same seed.
    pub fn new(seed: u64, share: u64) -> Keep {
        Keep { chance: Chance::new(seed), share }
    }

    /// True if the next game is chosen.
    pub fn next_one(&mut self) -> bool {
        self.chance.below(1_000) < self.share
    }
}

/// One source of a mixture: its games, how many there are, and which share is taken.
struct Source<I> {
    games: I,
    left: u64,
    keep: Keep,
}

/// Games of several sources in an order by lot, so that each source is spread evenly over the whole; the games of one
/// source stay in their order.
pub struct Mix<I> {
    chance: Chance,
    sources: Vec<Source<I>>,
}

impl<I: Iterator<Item = Result<SelfplayGame, DataError>>> Mix<I> {
    /// Mixes sources, each with the number of its games and the share to take, in thousandths.
    pub fn new(seed: u64, sources: Vec<(I, u64, u64)>) -> Mix<I> {
        let source = |(number, (games, left, share))| Source {
            games,
            left,
            keep: Keep { chance: Chance::of_part(seed, number), share },
        };
        Mix { chance: Chance::new(seed), sources: (1..).zip(sources).map(source).collect() }
    }
}

impl<I: Iterator<Item = Result<SelfplayGame, DataError>>> Iterator for Mix<I> {
    type Item = Result<SelfplayGame, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let index = self.chance.weighted(self.sources.iter().map(|source| source.left))?;
            let source = &mut self.sources[index];
            source.left -= 1;
            match source.games.next() {
                Some(Ok(game)) if source.keep.next_one() => return Some(Ok(game)),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Some(Err(error)),
                None => source.left = 0,
            }
        }
    }
}
