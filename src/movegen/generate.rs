//! The generator: which piece can legally go where.
//!
//! It hands whole sets of target squares to a [`Sink`]. A list takes them apart into moves, a count only counts the
//! bits, perft plays them. Pins and checks are masks, so that no move has to be tried to see whether it is legal.

use crate::board::Board;
use crate::board::magics::Sliders;
use crate::board::tables::{between, king_attacks, knight_attacks, line, pawn_attack_set, pawn_attacks};
use crate::types::{Bitboard, CastlingSide, Color, File, PieceType, Rank, Square};

/// Which moves are wanted. Captures and quiets together are all, and no move is in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Portion {
    /// Every legal move; out of check these are the evasions.
    All,
    /// Captures, capturing promotions to all pieces, and pushes that make a queen.
    Captures,
    /// Everything else: castling and pushes that make a lesser piece are here.
    Quiets,
}

/// What a pawn on the last rank may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PromotionChoice {
    /// Knight, bishop, rook or queen.
    Any,
    /// A queen.
    Queen,
    /// Knight, bishop or rook.
    Lesser,
}

/// Where the generator puts what it finds.
pub trait Sink {
    /// A piece (no pawn) on `from` may go to each of `targets`.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// To each of `targets` a pawn may go that stands `step` indices before it; nobody promotes.
    fn pawns(&mut self, targets: Bitboard, step: i8);
    /// The same for pawns that promote.
    fn promotions(&mut self, targets: Bitboard, step: i8, choice: PromotionChoice);
    /// The pawn on `from` may capture en passant on `to`.
    fn en_passant(&mut self, from: Square, to: Square);
    /// The king may castle with the rook.
    fn castling(&mut self, king: Square, rook: Square);
}

/// The portions as constants, so that each becomes a generator of its own.
pub(super) const ALL: u8 = 0;
pub(super) const CAPTURES: u8 = 1;
pub(super) const QUIETS: u8 = 2;

/// One run of the generator for a side to move that the compiler knows (0 White, 1 Black).
struct Generator<'a, S, K, const SIDE: usize, const PORTION: u8> {
    board: &'a Board,
    sliders: S,
    sink: &'a mut K,
    king: Square,
    occupied: Bitboard,
    /// Own pieces that may not leave the line to their king.
    pinned: Bitboard,
    /// Where a piece must go: anywhere, or between king and checker or onto the checker.
    check_mask: Bitboard,
}

/// Puts the wanted legal moves of `board` into `sink`; `checkers` and `pinned` are those of the side to move.
#[inline(always)]
pub(super) fn generate<S: Sliders, K: Sink, const SIDE: usize, const PORTION: u8>(
    board: &Board,
    sliders: S,
    (checkers, pinned): (Bitboard, Bitboard),
    sink: &mut K,
) {
    let us = Color::ALL[SIDE];
    let king = board.king(us);
    let mut generator = Generator::<S, K, SIDE, PORTION> {
        board,
        sliders,
        sink,
        king,
        occupied: board.occupied(),
        pinned,
        check_mask: Bitboard::FULL,
    };
    generator.king_moves();
    match checkers.first() {
        None => {
            if PORTION != CAPTURES && board.castling_rights().any(us) {
                generator.castling_moves();
            }
        }
        Some(_) if checkers.several() => return,
        Some(checker) => generator.check_mask = between(king, checker).with(checker),
    }
    generator.pawn_moves();
    generator.knight_moves();
    generator.slider_moves();
}

/// Who gives check to the side to move, and which of its pieces are pinned.
#[inline(always)]
pub(super) fn checkers_and_pinned<S: Sliders, const SIDE: usize>(
    board: &Board,
    sliders: S,
) -> (Bitboard, Bitboard) {
    let us = Color::ALL[SIDE];
    let king = board.king(us);
    let own = board.of_color(us);
    let enemies = board.of_color(!us);
    let mut checkers = (knight_attacks(king) & board.pieces(!us, PieceType::Knight))
        | (pawn_attacks(us, king) & board.pieces(!us, PieceType::Pawn));
    let mut pinned = Bitboard::EMPTY;
    // Sliders that would give check if our own pieces were not there.
    let snipers = (sliders.rook(king, enemies) & board.straight_sliders(!us))
        | (sliders.bishop(king, enemies) & board.diagonal_sliders(!us));
    for sniper in snipers {
        let in_the_way = between(king, sniper) & own;
        if in_the_way.is_empty() {
            checkers |= Bitboard::from(sniper);
        } else if !in_the_way.several() {
            pinned |= in_the_way;
        }
    }
    (checkers, pinned)
}

impl<S: Sliders, K: Sink, const SIDE: usize, const PORTION: u8> Generator<'_, S, K, SIDE, PORTION> {
    const US: Color = Color::ALL[SIDE];
    const THEM: Color = Color::ALL[1 - SIDE];
    /// One rank forward.
    const UP: i8 = if SIDE == 0 { 8 } else { -8 };

    /// Squares that pieces may go to, pins and kings apart.
    #[inline(always)]
    fn wanted(&self) -> Bitboard {
        let squares = match PORTION {
            ALL => !self.board.of_color(Self::US),
            CAPTURES => self.board.of_color(Self::THEM),
            _ => !self.occupied,
        };
        squares & self.check_mask
    }

    #[inline(always)]
    fn knight_moves(&mut self) {
        let wanted = self.wanted();
        // A pinned knight cannot move.
        for from in self.board.pieces(Self::US, PieceType::Knight).without(self.pinned) {
            self.sink.piece(from, knight_attacks(from) & wanted);
        }
    }

    #[inline(always)]
    fn slider_moves(&mut self) {
        let wanted = self.wanted();
        let diagonal = self.board.diagonal_sliders(Self::US);
        let straight = self.board.straight_sliders(Self::US);
        for from in diagonal.without(self.pinned) {
            let mut targets = self.sliders.bishop(from, self.occupied);
            if straight.has(from) {
                targets |= self.sliders.rook(from, self.occupied);
            }
            self.sink.piece(from, targets & wanted);
        }
        for from in straight.without(diagonal | self.pinned) {
            self.sink.piece(from, self.sliders.rook(from, self.occupied) & wanted);
        }
        for from in (diagonal | straight) & self.pinned {
            let mut targets = Bitboard::EMPTY;
            if diagonal.has(from) {
                targets |= self.sliders.bishop(from, self.occupied);
            }
            if straight.has(from) {
                targets |= self.sliders.rook(from, self.occupied);
            }
            self.sink.piece(from, targets & wanted & line(self.king, from));
        }
    }

    #[inline(always)]
    fn king_moves(&mut self) {
        let them = Self::THEM;
        let mut candidates = king_attacks(self.king) & self.wanted();
        candidates = candidates.without(king_attacks(self.board.king(them)));
        candidates = candidates.without(pawn_attack_set(self.board.pieces(them, PieceType::Pawn), them));
        let without_king = self.occupied ^ Bitboard::from(self.king);
        let mut targets = candidates;
        for to in candidates {
            if self.is_hit_by_piece(to, without_king) {
                targets ^= Bitboard::from(to);
            }
        }
        self.sink.piece(self.king, targets);
    }

    /// True if an enemy knight or slider attacks `square`.
    #[inline(always)]
    fn is_hit_by_piece(&self, square: Square, occupied: Bitboard) -> bool {
        let them = Self::THEM;
        ((knight_attacks(square) & self.board.pieces(them, PieceType::Knight))
            | (self.sliders.bishop(square, occupied) & self.board.diagonal_sliders(them))
            | (self.sliders.rook(square, occupied) & self.board.straight_sliders(them)))
        .any()
    }

    #[inline(always)]
    fn castling_moves(&mut self) {
        for side in CastlingSide::ALL {
            if let Some(rook) = self.board.castling_rights().rook(Self::US, side)
                && (self.board.castling_path(Self::US, side, rook) & self.occupied).is_empty()
                && self.board.castling_is_safe(Self::US, side, rook)
            {
                self.sink.castling(self.king, rook);
            }
        }
    }

    #[inline(always)]
    fn pawn_moves(&mut self) {
        let pawns = self.board.pieces(Self::US, PieceType::Pawn);
        let free = pawns.without(self.pinned);
        self.pawn_moves_of(free, Bitboard::FULL);
        for from in pawns & self.pinned {
            self.pawn_moves_of(Bitboard::from(from), line(self.king, from));
        }
        if PORTION != QUIETS
            && let Some(to) = self.board.en_passant()
        {
            for from in pawn_attacks(Self::THEM, to) & pawns {
                if self.board.en_passant_is_legal(from, to) {
                    self.sink.en_passant(from, to);
                }
            }
        }
    }

    /// All steps and ordinary captures of some pawns that have to stay on `mask`.
    #[inline(always)]
    fn pawn_moves_of(&mut self, pawns: Bitboard, mask: Bitboard) {
        let last_rank = Bitboard::from_rank(Rank::Eighth.relative_to(Self::US));
        let mask = mask & self.check_mask;
        if PORTION != QUIETS {
            let enemies = self.board.of_color(Self::THEM) & mask;
            let west = pawns.without(Bitboard::from_file(File::A)).shift(Self::UP as i32 - 1) & enemies;
            let east = pawns.without(Bitboard::from_file(File::H)).shift(Self::UP as i32 + 1) & enemies;
            self.sink.pawns(west.without(last_rank), Self::UP - 1);
            self.sink.pawns(east.without(last_rank), Self::UP + 1);
            if ((west | east) & last_rank).any() {
                self.sink.promotions(west & last_rank, Self::UP - 1, PromotionChoice::Any);
                self.sink.promotions(east & last_rank, Self::UP + 1, PromotionChoice::Any);
            }
        }
        let empty = !self.occupied;
        let step = pawns.shift(Self::UP as i32) & empty;
        let promoting = step & last_rank & mask;
        if promoting.any() {
            let choice = match PORTION {
                ALL => PromotionChoice::Any,
                CAPTURES => PromotionChoice::Queen,
                _ => PromotionChoice::Lesser,
            };
            self.sink.promotions(promoting, Self::UP, choice);
        }
        if PORTION != CAPTURES {
            let third_rank = Bitboard::from_rank(Rank::Third.relative_to(Self::US));
            let double = (step & third_rank).shift(Self::UP as i32) & empty & mask;
            self.sink.pawns((step & mask).without(last_rank), Self::UP);
            self.sink.pawns(double, 2 * Self::UP);
        }
    }
}
