//! The openings that games start from: suites in EPD, games in PGN, books in Polyglot's format, the arrays of Chess960.
//!
//! [`Suite`] draws from all four. Knows notation and the Laws; does not know who plays or what a position is worth.

mod file;
pub mod polyglot;
mod polyglot_keys;
pub mod suite;
mod walks;

pub use suite::{Broken, LeftOut, NO_BEGINNING, Place, Suite, SuiteError};

use crate::board::Position;
use crate::laws::game::{Prover, end_by_position};
use crate::laws::{Edition, Game, Reason, Regulations};
use crate::types::{Color, Move};
use std::path::{Path, PathBuf};

/// How a file of openings is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A position a line, in EPD or FEN.
    Epd,
    /// Games in PGN.
    Pgn,
    /// A Polyglot book.
    Polyglot,
    /// No file: the starting arrays of Chess960, all 960 or the one of this number (0 to 959; 518 is standard chess).
    Chess960(Option<u16>),
}

/// In which order openings are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they stand in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed; none comes again before all have come.
    Random,
}

/// Which openings a match is played from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningsConfig {
    /// The file; for the arrays of Chess960, which are in none, what they are called.
    pub file: PathBuf,
    /// How it is written.
    pub format: Format,
    /// Their order. Lines out of a Polyglot book have none but chance.
    pub order: Order,
    /// How many plies of a game or of a book line are played; `None`: all of a game, 16 of a book. A book line ends
    /// earlier where a position comes for the second time.
    /// Positions in EPD have none.
    pub plies: Option<u32>,
    /// The number of the first opening, from 1, in the order above.
    pub start: u64,
    /// Refuse the whole file if a line of it is broken.
    pub strict: bool,
    /// Take an opening in which somebody may castle as only Chess960 knows it for a broken one: in a game of standard chess
    /// an engine cannot say such castling, nor be told of it.
    pub standard: bool,
    /// Take an opening in which the game is over under these Laws for a broken one.
    pub laws: Edition,
}

impl OpeningsConfig {
    /// All of a file from its first opening on, in its order; under the Laws of today.
    pub fn new(file: impl Into<PathBuf>, format: Format) -> OpeningsConfig {
        OpeningsConfig {
            file: file.into(),
            format,
            order: Order::default(),
            plies: None,
            start: 1,
            strict: false,
            standard: false,
            laws: Edition::default(),
        }
    }
}

/// A position that a game starts from, with the moves that led to it.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Where the moves begin.
    pub start: Position,
    /// Moves that are played without the engines.
    pub moves: Vec<Move>,
    /// What the file calls it, if it does.
    pub name: Option<String>,
}

impl Opening {
    /// The position that the engines begin with.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.after(mv))
    }

    /// Why nothing can be played from its end under these Laws, or `None` if something can. A dead position is known by its
    /// material alone: of others the arbiter tells when a game has begun.
    pub fn why_over(&self, laws: Edition) -> Option<&'static str> {
        let mut game = Game::new(Regulations::of(laws), self.start, [None, None]);
        game.begin(&self.moves, &mut NoProofs);
        game.verdict().map(|verdict| words(&verdict.reason))
    }
}

/// Proves nothing.
struct NoProofs;

impl Prover for NoProofs {
    fn can_win(&mut self, _: &Position, _: Color) -> Option<bool> {
        None
    }

    fn is_dead(&mut self, _: &Position) -> bool {
        false
    }
}

impl Format {
    /// The format that a file's name promises: `.epd`, `.fen` and `.txt` for positions, `.pgn`, and `.bin` for books.
    pub fn of_file(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "epd" | "fen" | "txt" => Some(Format::Epd),
            "pgn" => Some(Format::Pgn),
            "bin" => Some(Format::Polyglot),
            _ => None,
        }
    }
}

/// Why nothing can be played from a position under the Laws of today, or `None` if something can.
pub fn why_over(position: &Position) -> Option<&'static str> {
    end_by_position(position, Edition::Fide2023).map(|(_, reason, _)| words(&reason))
}

/// Why a game is over for those who have only its moves.
fn words(reason: &Reason) -> &'static str {
    match reason {
        Reason::Checkmate => "the side to move is mated",
        Reason::Stalemate => "the side to move is stalemated",
        Reason::InsufficientMaterial => "neither side can mate any more",
        Reason::FiftyMoves => "50 moves have passed without capture or pawn move",
        Reason::SeventyFiveMoves => "75 moves have passed without capture or pawn move",
        Reason::ThreefoldRepetition => "the position stands there for the third time",
        Reason::FivefoldRepetition => "the position stands there for the fifth time",
        _ => "it has been decided",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::epd::parse_epd;

    #[test]
    fn games_that_are_over_are_known() {
        for (line, over) in [
            ("4k3/8/8/8/8/8/4P3/4K2R w K -", None),
            ("R5k1/5ppp/8/8/8/8/8/6K1 b - -", Some("mated")),
            ("7k/5Q2/6K1/8/8/8/8/8 b - -", Some("stalemated")),
            ("7k/8/6K1/8/8/8/8/6N1 b - -", Some("mate any more")),
            ("4k3/8/8/8/8/8/4P3/4K2R w K - hmvc 149;", None),
            ("4k3/8/8/8/8/8/4P3/4K2R w K - hmvc 150;", Some("75 moves")),
        ] {
            let found = why_over(&parse_epd(line).unwrap().position);
            assert_eq!(found.is_some(), over.is_some(), "{line}");
            assert!(found.unwrap_or_default().contains(over.unwrap_or_default()), "{line}: {found:?}");
        }
    }

    #[test]
    fn a_name_promises_a_format() {
        for (name, format) in [
            ("a.epd", Some(Format::Epd)),
            ("b.x.PGN", Some(Format::Pgn)),
            ("c.bin", Some(Format::Polyglot)),
            ("d.fen", Some(Format::Epd)),
            ("e.txt", Some(Format::Epd)),
            ("epd", None),
            ("d.gz", None),
        ] {
            assert_eq!(Format::of_file(Path::new(name)), format, "{name}");
        }
    }
}
