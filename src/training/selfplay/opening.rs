//! Where games begin.

use super::game::end;
use crate::board::{History, Position, chess960};
use crate::eval::wdl::centipawns;
use crate::openings::{Opening, Suite, SuiteError};
use crate::search::{Limits, Solo};
use crate::sys::chance::Chance;
use serde::Serialize;
use std::fmt;

/// How openings are drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpeningOptions {
    /// So many random plies are played, or one more, with equal chances, so that either side moves first behind them.
    pub random_plies: usize,
    /// The share of games that begin in double Chess960, in thousandths; for openings out of no book.
    pub chess960: u64,
    /// A start is thrown away if a side is further ahead, in hundredths of a pawn of which 100 win half of the games.
    pub limit: i32,
    /// Nodes of the search that says so.
    pub nodes: u64,
}

impl Default for OpeningOptions {
    fn default() -> OpeningOptions {
        OpeningOptions { random_plies: 8, chess960: 100, limit: 300, nodes: 1_000 }
    }
}

/// Why no opening could be drawn.
#[derive(Debug)]
pub enum OpeningError {
    /// The book cannot be read.
    Book(SuiteError),
    /// So many starts in a row were thrown away.
    NoneBalanced(u32),
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::Book(error) => error.fmt(f),
            OpeningError::NoneBalanced(count) => write!(
                f,
                "{count} openings in a row were unbalanced, over or too long; try a greater --opening-limit or --longest, \
                 or another number of --random-plies"
            ),
        }
    }
}

impl std::error::Error for OpeningError {}

/// After so many starts in a row that were thrown away there is no hope.
const MOST_FAILURES: u32 = 10_000;

/// Draws openings.
#[derive(Debug)]
pub struct Openings {
    options: OpeningOptions,
    book: Option<Suite>,
    longest: usize,
}

impl Openings {
    /// Draws by lot from a book, or else from the start positions; what leaves no move in a game of `longest` plies is thrown
    /// away.
    pub fn new(options: OpeningOptions, book: Option<Suite>, longest: usize) -> Openings {
        Openings { options, book, longest }
    }

    /// The opening that `chance` draws; `solo` judges it, and is empty before and after.
    ///
    /// # Errors
    /// If the book cannot be read, or nothing balanced is found.
    pub fn draw(&self, chance: &mut Chance, solo: &mut Solo) -> Result<Opening, OpeningError> {
        for _ in 0..MOST_FAILURES {
            let Some(opening) = self.candidate(chance)? else { continue };
            solo.new_game();
            let end = opening.end();
            let limits = Limits {
                soft_nodes: Some(self.options.nodes),
                nodes: Some(self.options.nodes.saturating_mul(8)),
                ..Limits::default()
            };
            let found = solo.search(&end, &History::new(&end), limits);
            if found.is_some_and(|found| centipawns(found.score).abs() <= self.options.limit) {
                solo.new_game();
                return Ok(opening);
            }
        }
        Err(OpeningError::NoneBalanced(MOST_FAILURES))
    }

    /// A start and random moves, unless they end the game or leave no room for it.
    fn candidate(&self, chance: &mut Chance) -> Result<Option<Opening>, OpeningError> {
        let mut opening = match &self.book {
            Some(book) => book.get(chance.below(book.len() as u64)).map_err(OpeningError::Book)?,
            None => Opening { start: self.start(chance), moves: vec![], name: None },
        };
        let mut position = opening.end();
        let plies = self.options.random_plies + chance.below(2) as usize;
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return Ok(None);
            }
            let mv = moves[chance.below(moves.len() as u64) as usize];
            opening.moves.push(mv);
            position = position.after(mv);
        }
        let goes_on =
            opening.moves.len() < self.longest && end(&position, &History::new(&position)).is_none();
        Ok(goes_on.then_some(opening))
    }

    fn start(&self, chance: &mut Chance) -> Position {
        if chance.below(1_000) >= self.options.chess960 {
            return Position::default();
        }
        let mut array = || chance.below(u64::from(chess960::ARRAYS)) as u16;
        Position::from(chess960::start(array(), array()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Color, PieceType};

    fn openings(random_plies: usize, chess960: u64, book: Option<Suite>) -> Openings {
        Openings::new(OpeningOptions { random_plies, chess960, ..OpeningOptions::default() }, book, 400)
    }

    #[test]
    fn so_many_games_begin_in_double_chess960() {
        let starts = |chess960| {
            let openings = openings(8, chess960, None);
            let mut chance = Chance::new(1);
            (0..1_000).map(|_| openings.start(&mut chance)).collect::<Vec<Position>>()
        };
        let others = |starts: &[Position]| -> Vec<Position> {
            starts.iter().copied().filter(|start| *start != Position::default()).collect()
        };
        assert_eq!(others(&starts(0)).len(), 0);
        assert!(others(&starts(1_000)).len() > 990);
        let some = others(&starts(200));
        assert!((160..240).contains(&some.len()), "{}", some.len());
        // Each side has an array of its own.
        let kings = |start: &Position| Color::ALL.map(|side| start.king(side).file());
        assert!(some.iter().filter(|start| kings(start)[0] != kings(start)[1]).count() > some.len() / 2);
        assert!(some.iter().all(|start| start.of_kind(PieceType::Pawn).count() == 16));
    }

    #[test]
    fn either_side_moves_first_behind_the_random_plies() {
        let openings = openings(3, 0, None);
        let mut chance = Chance::new(1);
        let lengths: Vec<usize> =
            (0..400).map(|_| openings.candidate(&mut chance).unwrap().unwrap().moves.len()).collect();
        let count = |length| lengths.iter().filter(|&&other| other == length).count();
        assert!(count(3) + count(4) == 400 && count(3) > 160 && count(4) > 160, "{lengths:?}");
    }
}
