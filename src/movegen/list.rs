//! Legal moves as a list.

use super::generate::{self, ALL, CAPTURES, Portion, PromotionChoice, QUIETS, Sink};
use crate::board::Position;
use crate::board::magics::MagicSliders;
use crate::types::{Bitboard, Color, Move, PieceType, Square};
use arrayvec::ArrayVec;

/// Room for the moves of any legal position: the most that a reachable one has is 218
/// (<https://www.chessprogramming.org/Chess_Position#Max_Moves>).
pub const MAX_MOVES: usize = 256;

/// Some legal moves of a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

const LESSER_PIECES: [PieceType; 3] = [PieceType::Rook, PieceType::Bishop, PieceType::Knight];

impl PromotionChoice {
    /// The pieces to choose from, the best first.
    #[inline(always)]
    pub(super) fn for_each(self, mut take: impl FnMut(PieceType)) {
        if self != PromotionChoice::Lesser {
            take(PieceType::Queen);
        }
        if self != PromotionChoice::Queen {
            LESSER_PIECES.into_iter().for_each(take);
        }
    }
}

/// Takes the generator's sets apart and hands over move after move.
pub(super) struct EachMove<F>(pub F);

impl<F: FnMut(Move)> Sink for EachMove<F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.0(Move::normal(from, to));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            self.0(Move::normal(to.offset(-step), to));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8, choice: PromotionChoice) {
        for to in targets {
            choice.for_each(|piece| self.0(Move::promotion(to.offset(-step), to, piece)));
        }
    }
    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.0(Move::en_passant(from, to));
    }
    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.0(Move::castling(king, rook));
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        self.moves(Portion::All)
    }

    /// The legal moves of one portion.
    pub fn moves(&self, portion: Portion) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_move(portion, |mv| list.push(mv));
        list
    }

    /// Hands the legal moves of one portion to `take`, in the order of [`Position::moves`]; for callers that keep
    /// them in a list of their own.
    #[inline]
    pub fn for_each_move(&self, portion: Portion, take: impl FnMut(Move)) {
        let sink = &mut EachMove(take);
        let known = (self.checkers(), self.pinned());
        match (portion, self.side_to_move()) {
            (Portion::All, Color::White) => {
                generate::generate::<_, _, 0, ALL>(self, MagicSliders, known, sink)
            }
            (Portion::All, Color::Black) => {
                generate::generate::<_, _, 1, ALL>(self, MagicSliders, known, sink)
            }
            (Portion::Captures, Color::White) => {
                generate::generate::<_, _, 0, CAPTURES>(self, MagicSliders, known, sink);
            }
            (Portion::Captures, Color::Black) => {
                generate::generate::<_, _, 1, CAPTURES>(self, MagicSliders, known, sink);
            }
            (Portion::Quiets, Color::White) => {
                generate::generate::<_, _, 0, QUIETS>(self, MagicSliders, known, sink)
            }
            (Portion::Quiets, Color::Black) => {
                generate::generate::<_, _, 1, QUIETS>(self, MagicSliders, known, sink)
            }
        }
    }

    /// True if the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && self.has_no_moves()
    }

    /// True if the side to move has no legal move: mate if it is in check, stalemate if not.
    pub fn has_no_moves(&self) -> bool {
        self.legal_moves().is_empty()
    }
}
