//! How a move changes a board.

use super::Board;
use super::fen::MAX_COUNTER;
use super::tables::pawn_attacks;
use crate::types::{Bitboard, CastlingSide, Color, Move, MoveKind, Piece, PieceType, Rank, Square};

/// Whoever must know which pieces come and go: keys, evaluation, a network's accumulator. The board tells it and
/// does not know who it is.
pub trait Observer {
    /// `piece` now stands on `square`.
    fn add(&mut self, piece: Piece, square: Square);
    /// `piece` no longer stands on `square`.
    fn remove(&mut self, piece: Piece, square: Square);
}

/// Nobody watches.
impl Observer for () {
    #[inline(always)]
    fn add(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn remove(&mut self, _: Piece, _: Square) {}
}

/// Two watch.
impl<A: Observer, B: Observer> Observer for (&mut A, &mut B) {
    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.0.add(piece, square);
        self.1.add(piece, square);
    }
    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.0.remove(piece, square);
        self.1.remove(piece, square);
    }
}

impl Board {
    /// Plays a legal move. What an illegal one does is a wrong board, nothing worse.
    ///
    /// # Panics
    /// With debug assertions, if no piece stands where the move begins.
    #[inline]
    pub fn make<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        match self.side_to_move {
            Color::White => self.make_for::<O, 0>(mv, observer),
            Color::Black => self.make_for::<O, 1>(mv, observer),
        }
    }

    /// [`Board::make`] for a side to move that the compiler knows: 0 White, 1 Black.
    #[inline(always)]
    pub(crate) fn make_for<O: Observer, const SIDE: usize>(&mut self, mv: Move, observer: &mut O) {
        let us = Color::ALL[SIDE];
        let them = !us;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "no piece on {from}");
            return;
        };
        self.count_and_hand_over(us);

        if mv.is_castling() {
            self.castle(us, from, to, observer);
            return;
        }
        if let Some(captured) = self.piece_on(to) {
            self.take_off(captured, to, observer);
            self.halfmove_clock = 0;
            if captured.kind() == PieceType::Rook {
                self.castling.revoke_rook(them, to);
            }
        }
        self.take_off(piece, from, observer);
        match piece.kind() {
            PieceType::Pawn => {
                self.halfmove_clock = 0;
                match mv.kind() {
                    MoveKind::Promotion(kind) => self.put_on(Piece::new(kind, us), to, observer),
                    MoveKind::EnPassant => {
                        self.put_on(piece, to, observer);
                        self.take_off(Piece::new(PieceType::Pawn, them), to.offset(back(us)), observer);
                    }
                    _ => {
                        self.put_on(piece, to, observer);
                        if from as u8 ^ to as u8 == 16 {
                            self.offer_en_passant(us, to.offset(back(us)));
                        }
                    }
                }
            }
            kind => {
                self.put_on(piece, to, observer);
                match kind {
                    PieceType::King => self.castling.revoke_all(us),
                    PieceType::Rook => self.castling.revoke_rook(us, from),
                    _ => {}
                }
            }
        }
    }

    #[inline(never)]
    fn castle<O: Observer>(&mut self, us: Color, king: Square, rook: Square, observer: &mut O) {
        let side = CastlingSide::of(king, rook);
        let (king_piece, rook_piece) = (Piece::new(PieceType::King, us), Piece::new(PieceType::Rook, us));
        // Both leave before either arrives: in Chess960 one may go where the other stood.
        self.take_off(king_piece, king, observer);
        self.take_off(rook_piece, rook, observer);
        self.put_on(king_piece, side.king_target(us), observer);
        self.put_on(rook_piece, side.rook_target(us), observer);
        self.castling.revoke_all(us);
    }

    /// Passes the move to the other side, as the null-move search does; not to be called in check.
    pub fn make_null(&mut self) {
        self.count_and_hand_over(self.side_to_move);
    }

    /// Counts a half-move of `us` and gives the move to the other side. The counters stop at the highest that a FEN may hold,
    /// so that what is written can be read again.
    #[inline(always)]
    fn count_and_hand_over(&mut self, us: Color) {
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_COUNTER);
        self.fullmove_number = (self.fullmove_number + u16::from(us == Color::Black)).min(MAX_COUNTER);
        self.side_to_move = !us;
        self.en_passant = None;
    }

    /// After a double step by `us` over `passed`: remembers the square if the other side can capture there.
    #[inline(always)]
    fn offer_en_passant(&mut self, us: Color, passed: Square) {
        let capturers = pawn_attacks(us, passed) & self.pieces(!us, PieceType::Pawn);
        if capturers.any() && self.some_en_passant_is_legal(capturers, passed) {
            self.en_passant = Some(passed);
        }
    }

    #[inline(never)]
    fn some_en_passant_is_legal(&self, capturers: Bitboard, passed: Square) -> bool {
        capturers.into_iter().any(|from| self.en_passant_is_legal(from, passed))
    }

    /// Sets the en-passant square that a FEN gives, if a capture there is legal; says whether the square is possible
    /// at all: on the right rank, empty, an enemy pawn before it and nothing behind it.
    pub(crate) fn read_en_passant(&mut self, passed: Square) -> bool {
        let them = !self.side_to_move;
        let pawn = passed.offset(-back(them));
        let origin = passed.offset(back(them));
        let possible = passed.rank() == Rank::Third.relative_to(them)
            && self.piece_on(passed).is_none()
            && self.piece_on(origin).is_none()
            && self.piece_on(pawn) == Some(Piece::new(PieceType::Pawn, them));
        if possible {
            self.offer_en_passant(them, passed);
        }
        possible
    }

    #[inline(always)]
    fn put_on<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.put(piece, square);
        observer.add(piece, square);
    }

    #[inline(always)]
    fn take_off<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        let bit = Bitboard::from(square);
        self.kinds[piece.kind().index()] ^= bit;
        self.colors[piece.color().index()] ^= bit;
        self.mailbox[square.index()] = None;
        observer.remove(piece, square);
    }
}

/// One rank towards the side's own first rank, as a step between indices.
#[inline(always)]
const fn back(color: Color) -> i8 {
    match color {
        Color::White => -8,
        Color::Black => 8,
    }
}
