//! The openings that games start from: suites in EPD, games in PGN, books in Polyglot's format.

use crate::board::Position;
use crate::types::Move;
use std::path::PathBuf;

/// How a file of openings is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A position a line, in EPD or FEN.
    Epd,
    /// Games in PGN.
    Pgn,
    /// A Polyglot book.
    Polyglot,
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
    /// The file.
    pub file: PathBuf,
    /// How it is written.
    pub format: Format,
    /// Their order.
    pub order: Order,
    /// How many plies of a game or of a book line are played; `None`: all.
    pub plies: Option<u32>,
    /// The number of the first opening, from 1, in the order above.
    pub start: u64,
    /// Refuse the whole file if a line of it is broken.
    pub strict: bool,
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
