//! Which moves give check.

use super::Position;
use super::magics::{bishop_attacks, rook_attacks};
use super::position::piece_attacks;
use super::tables::{knight_attacks, line, pawn_attacks};
use crate::types::{Bitboard, CastlingSide, Move, MoveKind, PieceType, Square};

/// From where the side to move gives check: made once for a position, then asked of many moves.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// The king that is to be checked.
    king: Square,
    /// By kind of piece, the squares from which it attacks the king.
    squares: [Bitboard; PieceType::NUM],
    /// Pieces that open the line of a slider when they leave it.
    discoverers: Bitboard,
}

impl Position {
    /// From where the side to move gives check.
    #[inline]
    pub fn checks(&self) -> Checks {
        let us = self.side_to_move();
        let king = self.king(!us);
        let occupied = self.occupied();
        let (straight, diagonal) = (rook_attacks(king, occupied), bishop_attacks(king, occupied));
        let squares = [
            pawn_attacks(!us, king),
            knight_attacks(king),
            diagonal,
            straight,
            straight | diagonal,
            Bitboard::EMPTY,
        ];
        let (_, blockers) = self.checkers_and_blockers(!us);
        Checks { king, squares, discoverers: blockers & self.of_color(us) }
    }

    /// True if a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        self.checks().given_by(self, mv)
    }
}

impl Checks {
    /// True if a piece of this kind attacks the king from `square`, as the pieces stand before its move.
    #[inline(always)]
    pub fn from(&self, kind: PieceType, square: Square) -> bool {
        self.squares[kind.index()].has(square)
    }

    /// True if a legal move of `position`, for which this was made, gives check.
    #[inline(always)]
    pub fn given_by(&self, position: &Position, mv: Move) -> bool {
        if mv.kind() != MoveKind::Normal {
            return self.given_by_special(position, mv);
        }
        // A line that opens for the piece itself as it leaves its square goes through that square: it gave check from
        // there before.
        position.kind_on(mv.from()).is_some_and(|kind| self.from(kind, mv.to())) || self.discovers(mv)
    }

    #[inline(always)]
    fn discovers(&self, mv: Move) -> bool {
        self.discoverers.has(mv.from()) && !line(mv.from(), self.king).has(mv.to())
    }

    #[inline(never)]
    fn given_by_special(&self, position: &Position, mv: Move) -> bool {
        let us = position.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let without_mover = position.occupied() ^ Bitboard::from(from);
        match mv.kind() {
            MoveKind::Normal => false,
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                let (king_to, rook_to) = (side.king_target(us), side.rook_target(us));
                let after = (without_mover ^ Bitboard::from(to)).with(king_to).with(rook_to);
                rook_attacks(rook_to, after).has(self.king)
            }
            MoveKind::EnPassant => {
                let captured = Bitboard::from(Square::new(to.file(), from.rank()));
                let after = (without_mover ^ captured).with(to);
                let discovered = (rook_attacks(self.king, after) & position.straight_sliders(us))
                    | (bishop_attacks(self.king, after) & position.diagonal_sliders(us));
                discovered.any() || self.from(PieceType::Pawn, to)
            }
            MoveKind::Promotion(kind) => {
                piece_attacks(kind, to, without_mover).has(self.king) || self.discovers(mv)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Square::*;

    #[test]
    fn castling_opens_the_rank_that_its_king_stood_on() {
        for (fen, mv, gives) in [
            ("8/8/8/8/8/8/8/k3K2R w K - 0 1", Move::castling(E1, H1), true),
            ("8/8/8/8/8/8/8/kN2K2R w K - 0 1", Move::castling(E1, H1), false),
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", Move::castling(E1, H1), true),
            ("5k2/8/8/5P2/8/8/8/4K2R w K - 0 1", Move::castling(E1, H1), false),
            // The king goes where it does not stand in the way of its rook, or where it does.
            ("8/8/8/8/8/8/8/1RK4k w B - 0 1", Move::castling(C1, B1), true),
            ("8/8/8/8/8/8/8/k4KR1 w G - 0 1", Move::castling(F1, G1), true),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert!(position.is_legal(mv), "{fen}");
            assert_eq!((position.gives_check(mv), position.after(mv).in_check()), (gives, gives), "{fen}");
        }
    }
}
