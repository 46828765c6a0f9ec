//! All the ways in which a move can be written.

use super::announce::to_announcement;
use super::fide::{FideStyle, to_fide};
use super::lan::to_lan;
use super::san::to_san;
use super::uci_move::to_uci;
use crate::board::Position;
use crate::types::Move;

/// A way to write moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// Standard algebraic notation of PGN: `Nf3`, `e8=Q`, `O-O`.
    San,
    /// Long algebraic notation: `Ng1-f3`.
    Lan,
    /// As UCI writes moves; in Chess960 the king takes the rook to castle.
    Uci {
        /// The game is one of Chess960.
        chess960: bool,
    },
    /// As the Laws of Chess write them, in the letters of a language.
    Fide(FideStyle),
    /// As they are announced.
    Announced,
}

impl Spelling {
    /// Writes a legal move of `position`.
    pub fn write(self, mv: Move, position: &Position) -> String {
        match self {
            Spelling::San => to_san(mv, position),
            Spelling::Lan => to_lan(mv, position),
            Spelling::Uci { chess960 } => to_uci(mv, position, chess960),
            Spelling::Fide(style) => to_fide(mv, position, &style),
            Spelling::Announced => to_announcement(mv, position),
        }
    }
}
