//! A position and its motion.
//!
//! [`Board`] holds what a FEN holds; [`Position`] adds what a search and an arbiter ask for at every move: keys,
//! checkers, pins. Knows how pieces move, how a move changes a board, and how boards are written; does not list moves
//! (that is `movegen`) and does not know what a position is worth.

mod attacks;
mod checks;
pub mod chess960;
mod cuckoo;
pub mod fen;
pub mod history;
pub mod magics;
pub mod makemove;
mod position;
pub mod see;
pub mod tables;
mod tension;
pub mod validate;
pub mod zobrist;

pub use attacks::Attacks;
pub use checks::Checks;
pub use fen::{FenError, FenStyle};
pub use history::History;
pub use makemove::Observer;
pub use position::Position;
pub use tension::{Exposure, Exposures, Marks, Tension};
pub use zobrist::Keys;

use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, File, Piece, PieceType, Square};
use magics::{bishop_attacks, rook_attacks};
use tables::{between, diagonal_lines, king_attacks, knight_attacks, pawn_attacks, straight_lines};

/// What stands where, who is to move, and the rights and counters: what a FEN says, in a form that can be copied
/// quickly.
///
/// Each side has exactly one king. The en-passant square is set only when an en-passant capture is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    kinds: [Bitboard; PieceType::NUM],
    colors: [Bitboard; Color::NUM],
    mailbox: [Option<Piece>; Square::NUM],
    castling: CastlingRights,
    en_passant: Option<Square>,
    side_to_move: Color,
    halfmove_clock: u16,
    fullmove_number: u16,
}

impl Board {
    /// The FEN of the initial position of standard chess.
    pub const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// A board without a piece: the beginning of every reader's work, no legal position.
    pub(crate) const fn empty() -> Board {
        Board {
            kinds: [Bitboard::EMPTY; PieceType::NUM],
            colors: [Bitboard::EMPTY; Color::NUM],
            mailbox: [None; Square::NUM],
            castling: CastlingRights::NONE,
            en_passant: None,
            side_to_move: Color::White,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The side that moves next.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Who may still castle with which rook.
    #[inline(always)]
    pub fn castling_rights(&self) -> CastlingRights {
        self.castling
    }

    /// True if nobody may castle as only Chess960 knows it.
    pub fn castles_as_usual(&self) -> bool {
        let is_usual = |color| {
            CastlingSide::ALL.into_iter().all(|side| {
                let rook = self.castling.rook(color, side);
                rook.is_none_or(|rook| rook == side.rook_home(color) && self.king(color).file() == File::E)
            })
        };
        Color::ALL.into_iter().all(is_usual)
    }

    /// The square behind a pawn that has just made a double step, if some pawn can legally capture it there.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move, 9,999 at most.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move that is next or under way, from 1 to 9,999 (where it stays).
    #[inline(always)]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The piece on `square`.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// The kind of the piece on `square`.
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Option<PieceType> {
        self.mailbox[square.index()].map(Piece::kind)
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares of one side's pieces.
    #[inline(always)]
    pub fn of_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of one kind of piece, of both sides.
    #[inline(always)]
    pub fn of_kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of one side's pieces of one kind.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    /// Rooks and queens of one side.
    #[inline(always)]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        (self.of_kind(PieceType::Rook) | self.of_kind(PieceType::Queen)) & self.of_color(color)
    }

    /// Bishops and queens of one side.
    #[inline(always)]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        (self.of_kind(PieceType::Bishop) | self.of_kind(PieceType::Queen)) & self.of_color(color)
    }

    /// The square of the king of `color`.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        Square::from_index(self.pieces(color, PieceType::King).0.trailing_zeros() as u8)
    }

    /// True if `color` has something besides king and pawns.
    #[inline(always)]
    pub fn has_pieces(&self, color: Color) -> bool {
        self.of_color(color).without(self.of_kind(PieceType::Pawn) | self.of_kind(PieceType::King)).any()
    }

    /// All pieces of both sides that attack `square` when `occupied` squares are in the way.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let straight = self.of_kind(PieceType::Rook) | self.of_kind(PieceType::Queen);
        let diagonal = self.of_kind(PieceType::Bishop) | self.of_kind(PieceType::Queen);
        (pawn_attacks(Color::White, square) & self.pieces(Color::Black, PieceType::Pawn))
            | (pawn_attacks(Color::Black, square) & self.pieces(Color::White, PieceType::Pawn))
            | (knight_attacks(square) & self.of_kind(PieceType::Knight))
            | (king_attacks(square) & self.of_kind(PieceType::King))
            | (rook_attacks(square, occupied) & straight)
            | (bishop_attacks(square, occupied) & diagonal)
    }

    /// The pieces that give check to the king of `color`, and the pieces of either side that alone stand between it and
    /// an enemy slider: its own are pinned, the enemy's give check when they leave the line.
    #[inline]
    pub fn checkers_and_blockers(&self, color: Color) -> (Bitboard, Bitboard) {
        let king = self.king(color);
        let mut checkers = (pawn_attacks(color, king) & self.pieces(!color, PieceType::Pawn))
            | (knight_attacks(king) & self.pieces(!color, PieceType::Knight));
        let mut blockers = Bitboard::EMPTY;
        let snipers = (straight_lines(king) & self.straight_sliders(!color))
            | (diagonal_lines(king) & self.diagonal_sliders(!color));
        let occupied = self.occupied();
        for sniper in snipers {
            let in_the_way = between(king, sniper) & occupied;
            if in_the_way.is_empty() {
                checkers |= Bitboard::from(sniper);
            } else if !in_the_way.several() {
                blockers |= in_the_way;
            }
        }
        (checkers, blockers)
    }

    /// True if a capture en passant by the pawn on `from` with the passed square `to` leaves its own king safe.
    pub(crate) fn en_passant_is_legal(&self, from: Square, to: Square) -> bool {
        let us = self.piece_on(from).map_or(self.side_to_move, Piece::color);
        let captured = Bitboard::from(Square::new(to.file(), from.rank()));
        let occupied = (self.occupied() ^ Bitboard::from(from) ^ captured).with(to);
        (self.attackers_to(self.king(us), occupied) & self.of_color(!us)).without(captured).is_empty()
    }

    /// The squares that king and rook cross or reach when castling, without those that they stand on.
    #[inline]
    pub(crate) fn castling_path(&self, color: Color, side: CastlingSide, rook: Square) -> Bitboard {
        let king = self.king(color);
        let king_target = side.king_target(color);
        let rook_target = side.rook_target(color);
        (between(king, king_target) | between(rook, rook_target))
            .with(king_target)
            .with(rook_target)
            .without(Bitboard::from(king) | Bitboard::from(rook))
    }

    /// True if the king of `color` crosses no attacked square on its way and is not attacked at its end, king and
    /// rook out of the way.
    pub(crate) fn castling_is_safe(&self, color: Color, side: CastlingSide, rook: Square) -> bool {
        let king = self.king(color);
        let target = side.king_target(color);
        let occupied = self.occupied() ^ Bitboard::from(king) ^ Bitboard::from(rook);
        between(king, target)
            .with(target)
            .into_iter()
            .all(|square| (self.attackers_to(square, occupied) & self.of_color(!color)).is_empty())
    }

    /// True if neither side can mate by any sequence of moves for want of material: bare kings, or with them one
    /// knight, or bishops that all stand on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy =
            self.of_kind(PieceType::Pawn) | self.of_kind(PieceType::Rook) | self.of_kind(PieceType::Queen);
        if heavy.any() {
            return false;
        }
        let knights = self.of_kind(PieceType::Knight);
        let bishops = self.of_kind(PieceType::Bishop);
        match (knights.count(), bishops.any()) {
            (0, _) => (bishops & Bitboard::DARK).is_empty() || bishops.without(Bitboard::DARK).is_empty(),
            (1, false) => true,
            _ => false,
        }
    }

    /// The board without the piece on `square`: perhaps no legal position any more, but one that can be looked at.
    /// Castling rights with a rook that is gone remain.
    pub(crate) fn without_piece(&self, square: Square) -> Board {
        let mut board = *self;
        let others = !Bitboard::from(square).0;
        board.kinds.iter_mut().chain(&mut board.colors).for_each(|set| set.0 &= others);
        board.mailbox[square.index()] = None;
        board
    }

    /// The same position from the other side: colours exchanged, the first rank for the eighth. All rules are the same for
    /// both sides, so that what can be on a board can be flipped.
    #[must_use]
    pub fn flipped(&self) -> Board {
        let mut board = Board {
            en_passant: self.en_passant.map(Square::flip_rank),
            side_to_move: !self.side_to_move,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            ..Board::empty()
        };
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                board.put(Piece::new(piece.kind(), !piece.color()), square.flip_rank());
            }
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castling.rook(color, side) {
                    board.castling.grant(!color, side, rook.file());
                }
            }
        }
        board
    }

    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::from(square);
        self.kinds[piece.kind().index()] |= bit;
        self.colors[piece.color().index()] |= bit;
        self.mailbox[square.index()] = Some(piece);
    }
}

/// The positions of games that chance plays, one game after the other.
#[cfg(test)]
pub(crate) fn played_by_chance(seed: u64) -> impl Iterator<Item = Position> {
    use rand::{RngExt, SeedableRng};
    let mut random = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::default();
    std::iter::repeat_with(move || {
        let legal = position.legal_moves();
        let is_over = legal.is_empty() || position.occupied().count() < 6;
        position = match is_over {
            true => Position::default(),
            false => position.after(legal[random.random_range(0..legal.len())]),
        };
        position
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_position_has_as_many_moves_and_flipped_again_is_the_same() {
        for position in played_by_chance(8).take(2_000) {
            let flipped = Position::from(position.flipped());
            assert_eq!(flipped.legal_moves().len(), position.legal_moves().len(), "{position:?}");
            assert_eq!(flipped.flipped(), *position.board(), "{position:?}");
        }
        for (fen, flipped) in [
            ("r3k2r/8/8/8/1pP5/8/8/R3K2R b Kq c3 4 7", "r3k2r/8/8/1Pp5/8/8/8/R3K2R w Qk c6 4 7"),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w Gb - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b Bg - 0 1"),
        ] {
            assert_eq!(Board::from_fen(fen).unwrap().flipped(), Board::from_fen(flipped).unwrap(), "{fen}");
        }
    }

    #[test]
    fn checkers_attack_the_king_and_blockers_alone_keep_a_slider_from_it() {
        let (mut checks, mut pins, mut discoverers) = (0, 0, 0);
        for position in played_by_chance(6).take(10_000) {
            for color in Color::ALL {
                let hunters = |occupied| {
                    position.attackers_to(position.king(color), occupied) & position.of_color(!color)
                };
                let (checkers, blockers) = position.checkers_and_blockers(color);
                let occupied = position.occupied();
                assert_eq!(checkers, hunters(occupied), "{position:?}");
                for square in occupied {
                    let opens = hunters(occupied ^ Bitboard::from(square)).without(checkers).any();
                    assert_eq!(blockers.has(square), opens, "{position:?} {square}");
                }
                checks += usize::from(checkers.any());
                pins += usize::from((blockers & position.of_color(color)).any());
                discoverers += usize::from((blockers & position.of_color(!color)).any());
            }
        }
        assert!(checks > 300 && pins > 300 && discoverers > 300, "{checks} {pins} {discoverers}");
    }
}
