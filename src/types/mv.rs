//! Moves in sixteen bits.

use super::{CastlingSide, PieceType, Square};
use std::num::NonZeroU16;

/// What is special about a move, if anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// A piece goes from one square to another and takes what stands there.
    Normal,
    /// A pawn reaches the last rank and becomes this piece.
    Promotion(PieceType),
    /// A pawn takes a pawn that has just passed it.
    EnPassant,
    /// The king castles: `to` is the square of the rook that it castles with (king takes rook), so that one form
    /// serves standard chess and Chess960.
    Castling,
}

/// A move: from, to and kind. Says nothing about whether it is legal anywhere.
///
/// Bits 0-5 from, 6-11 to, 12-13 promotion piece (knight to queen), 14-15 kind. From and to differ in every move, so
/// the number is never zero and `Option<Move>` takes no more room.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

const PROMOTION: u16 = 1 << 14;
const EN_PASSANT: u16 = 2 << 14;
const CASTLING: u16 = 3 << 14;
const KIND_BITS: u16 = 3 << 14;
const PROMOTION_PIECE_BITS: u16 = 3 << 12;
const PROMOTION_PIECES: [PieceType; 4] =
    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

impl Move {
    #[inline(always)]
    const fn encode(from: Square, to: Square, extra: u16) -> Move {
        match NonZeroU16::new(from as u16 | (to as u16) << 6 | extra) {
            Some(bits) => Move(bits),
            None => panic!("a move must go somewhere"),
        }
    }

    /// A move without anything special. Panics if `from` and `to` are both a1.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::encode(from, to, 0)
    }

    /// A promotion to `piece`. Panics if a pawn cannot become that.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, piece: PieceType) -> Move {
        assert!(!matches!(piece, PieceType::Pawn | PieceType::King));
        Move::encode(from, to, PROMOTION | (piece as u16 - 1) << 12)
    }

    /// An en-passant capture; `to` is the square passed over.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::encode(from, to, EN_PASSANT)
    }

    /// Castling of the king on `king` with the rook on `rook`.
    #[inline(always)]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move::encode(king, rook, CASTLING)
    }

    /// Where the piece comes from.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.0.get() as u8 & 63)
    }

    /// Where it goes; the rook's square when castling.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index((self.0.get() >> 6) as u8 & 63)
    }

    /// What is special about it.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 14 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion(PROMOTION_PIECES[(self.0.get() >> 12) as usize & 3]),
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        }
    }

    /// The piece that a pawn becomes, if it does.
    #[inline(always)]
    pub const fn promoted(self) -> Option<PieceType> {
        match self.kind() {
            MoveKind::Promotion(piece) => Some(piece),
            _ => None,
        }
    }

    /// True for castling.
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        self.0.get() >= CASTLING
    }

    /// The side that it castles to, if it does.
    #[inline(always)]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        if self.is_castling() { Some(CastlingSide::of(self.from(), self.to())) } else { None }
    }

    /// The sixteen bits, for a table.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits; `None` for 0 and for bits that no constructor sets. The move may be legal nowhere:
    /// check it against the position before playing it.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        let names_a_piece = bits & PROMOTION_PIECE_BITS != 0;
        if names_a_piece && bits & KIND_BITS != PROMOTION {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.kind() {
            MoveKind::Normal => Ok(()),
            MoveKind::Promotion(piece) => write!(f, "{}", piece.letter()),
            MoveKind::EnPassant => f.write_str(" e.p."),
            MoveKind::Castling => f.write_str(" castling"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_reads_back() {
        for from in Square::ALL {
            for to in Square::ALL {
                if from == to {
                    continue;
                }
                for (mv, kind) in [
                    (Move::normal(from, to), MoveKind::Normal),
                    (Move::promotion(from, to, PieceType::Rook), MoveKind::Promotion(PieceType::Rook)),
                    (Move::promotion(from, to, PieceType::Knight), MoveKind::Promotion(PieceType::Knight)),
                    (Move::en_passant(from, to), MoveKind::EnPassant),
                    (Move::castling(from, to), MoveKind::Castling),
                ] {
                    assert_eq!((mv.from(), mv.to(), mv.kind()), (from, to, kind));
                    assert_eq!(Move::from_bits(mv.bits()), Some(mv));
                    assert_eq!(mv.is_castling(), kind == MoveKind::Castling);
                    let side = mv.is_castling().then(|| CastlingSide::of(from, to));
                    assert_eq!(mv.castling_side(), side);
                    let stray = mv.bits() | 1 << 12;
                    let reads = kind == MoveKind::Promotion(PieceType::Rook)
                        || kind == MoveKind::Promotion(PieceType::Knight);
                    assert_eq!(Move::from_bits(stray).is_some(), reads);
                }
            }
        }
    }
}
