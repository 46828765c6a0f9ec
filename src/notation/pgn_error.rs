//! What can be wrong with a game in PGN or on a score sheet.

use super::characters::visible;
use super::fide_reader::FideError;
use super::pgn_reader::PgnGame;
use super::san::SanError;
use crate::board::FenError;
use std::fmt;
use std::io;

/// Why a game could not be read.
#[derive(Debug)]
pub struct PgnError {
    /// The line of the file with the mistake, from 1.
    pub line: u64,
    /// What is wrong.
    pub kind: PgnErrorKind,
    /// The game as far as it can be read: its moves before the mistake, and its result; `None` if it has no start.
    pub before: Option<Box<PgnGame>>,
}

/// What can be wrong with a game.
#[derive(Debug)]
pub enum PgnErrorKind {
    /// The file cannot be read; nothing comes after this.
    Io(io::Error),
    /// The tag `FEN` is no position.
    Fen(FenError),
    /// The tag `Variant` names other rules.
    Variant(String),
    /// Chess960 without the tag `FEN`.
    NoStart,
    /// The main line passes a turn: the move number with its dots, and which word says so.
    NullMove(String, String),
    /// A word of the main line is no legal move: the move number with its dots, and why.
    Move(String, SanError),
    /// The same of a score sheet, which is read strictly: the move number with its dots, and why.
    Sheet(String, Box<FideError>),
    /// The file ends with a word that is no move yet, and could have become one or a result: the move number with its dots, and
    /// the word.
    CutOff(String, String),
    /// A move number that is not the one of the next move: as it is written, and as it should be.
    Number(String, String),
    /// The move that is due stands on a score sheet behind a ';', which begins a comment: its number with the dots.
    MoveInComment(String),
    /// A bracket of a comment or a variation that the game does not close.
    Unclosed(char),
    /// A comment or a tag is longer than what is kept of it.
    TooLong,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, visible(&self.kind.to_string()))
    }
}

impl fmt::Display for PgnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnErrorKind::Io(error) => error.fmt(f),
            PgnErrorKind::Fen(error) => write!(f, "tag FEN: {error}"),
            PgnErrorKind::Variant(name) => {
                write!(f, "tag Variant: '{name}' has other rules, expected Standard or Chess960")
            }
            PgnErrorKind::NoStart => f.write_str("Chess960 without the tag FEN, which says where it starts"),
            PgnErrorKind::NullMove(number, word) => {
                write!(f, "move {number} '{word}' passes, which is no move")
            }
            PgnErrorKind::Move(number, error) => write!(f, "move {number} {error}"),
            PgnErrorKind::Sheet(number, error) => write!(f, "move {number} {error}"),
            PgnErrorKind::CutOff(number, word) => {
                write!(f, "move {number} the file ends with '{word}', and may be cut off")
            }
            PgnErrorKind::Number(written, due) => {
                write!(f, "the move number '{written}' stands where '{due}' is due")
            }
            PgnErrorKind::MoveInComment(number) => {
                write!(f, "';' begins a comment in PGN, and move {number} stands in it")
            }
            PgnErrorKind::Unclosed(bracket) => write!(f, "'{bracket}' is never closed"),
            PgnErrorKind::TooLong => f.write_str("a text of more than 1 MiB, of which the rest is left out"),
        }
    }
}

impl std::error::Error for PgnError {}
