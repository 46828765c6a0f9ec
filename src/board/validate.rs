//! What makes a board a legal position, as far as it can be told without its past.

use super::Board;
use crate::types::{Bitboard, Color, PieceType, Square};
use std::fmt;

/// Why a board cannot be a position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalBoard {
    /// A side has this many kings instead of one.
    KingCount(Color, u32),
    /// A pawn on the first or last rank.
    PawnOnBackRank(Square),
    /// More pawns and promoted pieces than the eight pawns that a side begins with.
    TooMuchMaterial(Color),
    /// More than sixteen men, where any of them would do.
    TooManyMen(Color),
    /// The king of the side that has just moved can be taken.
    OppositeCheck(Color),
}

impl fmt::Display for IllegalBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalBoard::KingCount(color, 0) => write!(f, "{color} has no king; each side has exactly one"),
            IllegalBoard::KingCount(color, count) => {
                write!(f, "{color} has {count} kings; each side has exactly one")
            }
            IllegalBoard::PawnOnBackRank(square) => {
                write!(f, "a pawn stands on {square}; pawns stand on ranks 2 to 7 only")
            }
            IllegalBoard::TooMuchMaterial(color) => write!(
                f,
                "{color} has more pieces than a game can give it; pawns and promoted pieces are at most 8"
            ),
            IllegalBoard::TooManyMen(color) => write!(f, "{color} has more than sixteen men"),
            IllegalBoard::OppositeCheck(color) => {
                write!(f, "the {color} king is in check, but it is the other side's move")
            }
        }
    }
}

impl std::error::Error for IllegalBoard {}

/// Each side's pieces at the start, from pawn to king.
const INITIAL: [u32; PieceType::NUM] = [8, 2, 2, 2, 1, 1];

impl Board {
    /// Checks everything that does not depend on castling rights, en passant and counters.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), IllegalBoard> {
        self.validate_men()?;
        for color in Color::ALL {
            let pawns_used: u32 = PieceType::ALL
                .into_iter()
                .map(|kind| match kind {
                    PieceType::Pawn => self.pieces(color, kind).count(),
                    _ => self.pieces(color, kind).count().saturating_sub(INITIAL[kind.index()]),
                })
                .sum();
            if pawns_used > INITIAL[0] {
                return Err(IllegalBoard::TooMuchMaterial(color));
            }
        }
        self.validate_waiting_king()
    }

    /// The same, but any sixteen men a side will do.
    pub(super) fn validate_composed(&self) -> Result<(), IllegalBoard> {
        self.validate_men()?;
        for color in Color::ALL {
            if self.of_color(color).count() > 16 {
                return Err(IllegalBoard::TooManyMen(color));
            }
        }
        self.validate_waiting_king()
    }

    fn validate_men(&self) -> Result<(), IllegalBoard> {
        for color in Color::ALL {
            let kings = self.pieces(color, PieceType::King).count();
            if kings != 1 {
                return Err(IllegalBoard::KingCount(color, kings));
            }
        }
        if let Some(square) = (self.of_kind(PieceType::Pawn) & Bitboard::BACK_RANKS).first() {
            return Err(IllegalBoard::PawnOnBackRank(square));
        }
        Ok(())
    }

    fn validate_waiting_king(&self) -> Result<(), IllegalBoard> {
        let waiting = !self.side_to_move();
        let hunters = self.attackers_to(self.king(waiting), self.occupied()) & self.of_color(!waiting);
        if hunters.any() {
            return Err(IllegalBoard::OppositeCheck(waiting));
        }
        Ok(())
    }
}
