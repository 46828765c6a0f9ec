//! A board with what is asked of it at every move.

use super::makemove::Observer;
use super::tables::{king_attacks, knight_attacks, line, pawn_attacks};
use super::zobrist::{castling_key, en_passant_key, piece_key, side_key};
use super::{Board, FenError, Keys};
use crate::types::{Bitboard, CastlingSide, Key, Move, MoveKind, PieceType, Square};
use std::ops::Deref;

use super::magics::{bishop_attacks, queen_attacks, rook_attacks};

/// A legal position: the board, its keys, who gives check and what is pinned. Reads like a [`Board`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    keys: Keys,
    checkers: Bitboard,
    blockers: Bitboard,
}

impl Deref for Position {
    type Target = Board;
    #[inline(always)]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl From<Board> for Position {
    fn from(board: Board) -> Position {
        let (checkers, blockers) = board.checkers_and_blockers(board.side_to_move());
        Position { keys: Keys::of(&board), checkers, blockers, board }
    }
}

impl Default for Position {
    /// The initial position of standard chess.
    fn default() -> Position {
        Position::from_fen(Board::START_FEN).expect("the start position is legal")
    }
}

impl Position {
    /// Reads a FEN as [`Board::from_fen`] does.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Board::from_fen(fen).map(Position::from)
    }

    /// The board alone.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The full key.
    #[inline(always)]
    pub fn key(&self) -> Key {
        self.keys.full
    }

    /// All keys.
    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// True if the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The side to move's own pieces that may not leave the line to their king.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        self.blockers & self.board.of_color(self.board.side_to_move)
    }

    /// The position after a legal move; `observer` hears which pieces come and go.
    #[inline]
    #[must_use]
    pub fn make<O: Observer>(&self, mv: Move, observer: &mut O) -> Position {
        let mut next = *self;
        next.keys.full ^= side_key() ^ self.en_passant_part();
        let castling = self.board.castling;
        {
            let Position { board, keys, .. } = &mut next;
            board.make(mv, &mut (keys, observer));
        }
        if next.board.castling != castling {
            next.keys.full ^= castling_key(castling) ^ castling_key(next.board.castling);
        }
        next.keys.full ^= next.en_passant_part();
        (next.checkers, next.blockers) = next.board.checkers_and_blockers(next.board.side_to_move);
        next
    }

    /// The position after a legal move, with nobody watching.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Position {
        self.make(mv, &mut ())
    }

    /// The position after passing; not to be called in check.
    #[must_use]
    pub fn after_null(&self) -> Position {
        let mut next = *self;
        next.keys.full ^= side_key() ^ self.en_passant_part();
        next.board.make_null();
        (next.checkers, next.blockers) = next.board.checkers_and_blockers(next.board.side_to_move);
        next
    }

    #[inline(always)]
    fn en_passant_part(&self) -> Key {
        self.board.en_passant.map_or(Key(0), |square| en_passant_key(square.file()))
    }

    /// The key after `mv`, near enough to fetch its table entry early: exact for plain moves and captures without a
    /// change of rights.
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> Key {
        let mut key = self.keys.full ^ side_key() ^ self.en_passant_part();
        if let Some(piece) = self.board.piece_on(mv.from()) {
            key ^= piece_key(piece, mv.from()) ^ piece_key(piece, mv.to());
        }
        if let Some(captured) = self.board.piece_on(mv.to()) {
            key ^= piece_key(captured, mv.to());
        }
        key
    }

    /// True if the move takes something.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::EnPassant => true,
            MoveKind::Castling => false,
            _ => self.board.piece_on(mv.to()).is_some(),
        }
    }

    /// What the move takes.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<PieceType> {
        match mv.kind() {
            MoveKind::EnPassant => Some(PieceType::Pawn),
            MoveKind::Castling => None,
            _ => self.board.kind_on(mv.to()),
        }
    }

    /// True if the move takes something or makes a queen: the moves that change the material most.
    #[inline(always)]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.promoted() == Some(PieceType::Queen)
    }

    /// The square where the moving piece ends: the king's when castling.
    #[inline(always)]
    pub fn destination(&self, mv: Move) -> Square {
        match mv.castling_side() {
            Some(side) => side.king_target(self.board.side_to_move),
            None => mv.to(),
        }
    }

    /// True if the move is one that the side to move could make if its king did not matter. Any sixteen bits may be
    /// asked about.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let us = self.board.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.board.piece_on(from) else { return false };
        if piece.color() != us || from == to {
            return false;
        }
        let kind = piece.kind();
        if mv.is_castling() {
            return kind == PieceType::King && {
                let side = CastlingSide::of(from, to);
                self.board.castling.rook(us, side) == Some(to)
                    && (self.board.castling_path(us, side, to) & self.board.occupied()).is_empty()
                    && self.checkers.is_empty()
            };
        }
        if self.board.of_color(us).has(to) {
            return false;
        }
        if kind == PieceType::Pawn {
            return self.is_pseudo_legal_pawn_move(mv);
        }
        mv.kind() == MoveKind::Normal && piece_attacks(kind, from, self.board.occupied()).has(to)
    }

    fn is_pseudo_legal_pawn_move(&self, mv: Move) -> bool {
        let us = self.board.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let attacks = pawn_attacks(us, from).has(to);
        if mv.kind() == MoveKind::EnPassant {
            return attacks && self.board.en_passant == Some(to);
        }
        let on_last_rank = Bitboard::BACK_RANKS.has(to);
        if on_last_rank != mv.promoted().is_some() || mv.is_castling() {
            return false;
        }
        if attacks {
            return self.board.of_color(!us).has(to);
        }
        if self.board.piece_on(to).is_some() || from.file() != to.file() {
            return false;
        }
        let advance = to.relative_to(us).rank() as i8 - from.relative_to(us).rank() as i8;
        match advance {
            1 => true,
            2 => {
                let passed = Square::from_index((from as u8 + to as u8) / 2);
                from.relative_to(us).rank() as u8 == 1 && self.board.piece_on(passed).is_none()
            }
            _ => false,
        }
    }

    /// True if the move is legal. Any sixteen bits may be asked about.
    pub fn is_legal(&self, mv: Move) -> bool {
        if !self.is_pseudo_legal(mv) {
            return false;
        }
        let us = self.board.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let king = self.board.king(us);
        let enemies = self.board.of_color(!us);
        match mv.kind() {
            MoveKind::EnPassant => return self.board.en_passant_is_legal(from, to),
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                return self.board.castling_is_safe(us, side, to);
            }
            _ => {}
        }
        if from == king {
            let without_king = self.board.occupied() ^ Bitboard::from(king);
            return (self.board.attackers_to(to, without_king) & enemies).is_empty();
        }
        if self.blockers.has(from) && !line(king, from).has(to) {
            return false;
        }
        match self.checkers.first() {
            None => true,
            Some(_) if self.checkers.several() => false,
            Some(checker) => to == checker || super::tables::between(king, checker).has(to),
        }
    }
}

/// What a piece that is no pawn attacks from `square` when `occupied` squares are in the way.
#[inline(always)]
pub(super) fn piece_attacks(kind: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Knight => knight_attacks(square),
        PieceType::Bishop => bishop_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Queen => queen_attacks(square, occupied),
        PieceType::King => king_attacks(square),
    }
}

#[cfg(test)]
mod tests {
    use super::super::played_by_chance;
    use super::*;

    #[test]
    fn after_a_pass_all_is_as_if_read_anew() {
        let (mut passed, mut pinned) = (0, 0);
        for position in played_by_chance(9).take(20_000).filter(|position| !position.in_check()) {
            let next = position.after_null();
            assert_eq!(next, Position::from(*next.board()), "{position:?}");
            assert_eq!(next.side_to_move(), !position.side_to_move());
            passed += usize::from(position.en_passant().is_some());
            pinned += usize::from(next.pinned().any());
        }
        assert!(passed > 20 && pinned > 300, "{passed} {pinned}");
    }

    #[test]
    fn what_is_taken_stood_where_the_piece_goes_or_beside_it() {
        use Square::*;
        let position = Position::from_fen("r3k2r/8/8/3pP3/8/8/6B1/R3K2R w KQkq d6 0 1").unwrap();
        for (mv, captured) in [
            (Move::normal(A1, A8), Some(PieceType::Rook)),
            (Move::normal(A1, A7), None),
            (Move::normal(G2, D5), Some(PieceType::Pawn)),
            (Move::en_passant(E5, D6), Some(PieceType::Pawn)),
            (Move::castling(E1, H1), None),
        ] {
            assert!(position.is_legal(mv), "{mv:?}");
            assert_eq!(
                (position.captured(mv), position.is_capture(mv)),
                (captured, captured.is_some()),
                "{mv:?}"
            );
        }
    }
}
