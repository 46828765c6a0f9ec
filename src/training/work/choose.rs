//! Choosing among games and bringing those of several files together.

use crate::eval::wdl::centipawns;
use crate::sys::chance::Chance;
use crate::training::data::{DataError, Ending, SelfplayGame};
use crate::types::Outcome;
use std::fmt;

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
#[derive(Debug)]
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

impl<I> fmt::Debug for Mix<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mix").finish_non_exhaustive()
    }
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
            let Some(index) = self.chance.weighted(self.sources.iter().map(|source| source.left)) else {
                // No game is left, but damage behind the last one of a source has not come up yet.
                return self.sources.iter_mut().find_map(|source| source.games.find(Result::is_err));
            };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::data::sample;
    use crate::types::{Color, Score};

    /// A game whose first search says `units`, behind two plies without one.
    fn game(units: Option<i32>, outcome: Outcome, ending: Ending) -> SelfplayGame {
        let mut game = sample::games(1, 12).into_iter().find(|game| game.plies.len() > 9).unwrap();
        game.plies.truncate(6);
        let scores = [None, None, units, units.map(|units| 3 * units), None, Some(5_000)];
        game.plies.iter_mut().zip(scores).for_each(|(ply, score)| ply.score = score.map(Score::new));
        SelfplayGame { outcome, ending, ..game }
    }

    #[test]
    fn only_games_that_are_asked_for_are_kept() {
        let white = Outcome::Win(Color::White);
        let won = game(Some(100), white, Ending::Checkmate);
        let all = Filter::default();
        let ended = |endings: &[Ending]| Filter { endings: Some(endings.to_vec()), ..Filter::default() };
        let results =
            |outcomes: &[Outcome]| Filter { outcomes: Some(outcomes.to_vec()), ..Filter::default() };
        for (filter, is_kept) in [
            (all.clone(), true),
            (Filter { min_plies: Some(6), max_plies: Some(6), ..all.clone() }, true),
            (Filter { min_plies: Some(7), ..all.clone() }, false),
            (Filter { max_plies: Some(5), ..all.clone() }, false),
            (results(&[Outcome::Draw, white]), true),
            (results(&[Outcome::Win(Color::Black), Outcome::Draw]), false),
            (ended(&[Ending::TooLong, Ending::Checkmate]), true),
            (ended(&[Ending::TooLong, Ending::Stalemate]), false),
        ] {
            assert_eq!(filter.keeps(&won), is_kept, "{filter:?}");
        }
        // 183 units are 100 hundredths of a pawn.
        let level = Filter { max_first_score: Some(100), ..all };
        let mate = Score::mate_in(3).units();
        for (units, is_kept) in [(183, true), (-183, true), (185, false), (-185, false), (mate, false)] {
            assert_eq!(level.keeps(&game(Some(units), white, Ending::Checkmate)), is_kept, "{units}");
        }
        let mut unsearched = won;
        unsearched.plies.iter_mut().for_each(|ply| ply.score = None);
        assert!(!level.keeps(&unsearched));
    }

    #[test]
    fn the_seed_says_which_share_is_chosen() {
        let chosen = |seed, share| {
            let mut keep = Keep::new(seed, share);
            (0..2_000).map(|_| keep.next_one()).collect::<Vec<bool>>()
        };
        let count = |chosen: &[bool]| chosen.iter().filter(|&&is_chosen| is_chosen).count();
        assert_eq!(chosen(1, 100), chosen(1, 100));
        assert_ne!(chosen(1, 100), chosen(2, 100));
        assert!((150..250).contains(&count(&chosen(1, 100))));
        assert_eq!([0, 1_000].map(|share| count(&chosen(3, share))), [0, 2_000]);
    }

    #[test]
    fn each_source_is_spread_over_the_whole_and_stays_in_its_order() {
        let long = |game: &SelfplayGame| game.plies.len() > 20;
        let games: Vec<_> = sample::games(3, 600).into_iter().filter(long).take(400).collect();
        let mix = |seed, shares: [u64; 2]| {
            let halves = [&games[..300], &games[300..]].into_iter().zip(shares);
            let sources = halves.map(|(games, share)| {
                (games.iter().cloned().map(Ok::<_, DataError>), games.len() as u64, share)
            });
            let place = |game: SelfplayGame| games.iter().position(|other| *other == game).unwrap();
            Mix::new(seed, sources.collect()).map(|game| place(game.unwrap())).collect::<Vec<_>>()
        };
        let mixed = mix(1, [1_000, 1_000]);
        assert_eq!(mixed.len(), 400);
        let of = |places: &[usize], second: bool| {
            places.iter().copied().filter(|&place| (place >= 300) == second).collect::<Vec<_>>()
        };
        assert!(of(&mixed, false).is_sorted() && of(&mixed, true).is_sorted());
        for quarter in mixed.chunks(100) {
            assert!((12..38).contains(&of(quarter, true).len()), "{quarter:?}");
        }
        let [some, others] = [1, 2].map(|seed| mix(seed, [500, 1_000]));
        assert!((115..185).contains(&of(&some, false).len()) && of(&some, true).len() == 100);
        assert_ne!(of(&some, false), of(&others, false));
    }
}
