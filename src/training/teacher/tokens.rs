//! What a teacher sees of positions: a token for each piece, one for each two files, and one for the whole.
//!
//! A token is the sum of the rows of weights that it has, and of those that all tokens of its position share. Pieces are told
//! by kind and square, how many squares they reach, and by which kinds of pieces of both sides their square is attacked, and
//! whether twice; so are the squares of two files, empty ones too.

use super::sample::{MAX_PIECES, Sample};
use crate::board::magics::{bishop_attacks, queen_attacks, rook_attacks};
use crate::board::tables::{king_attacks, knight_attacks, pawn_attacks};
use crate::training::trainer::kernel::sigmoid;
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// Tokens of two files each.
const STRIPS: usize = 4;
/// Tokens of a position without its pieces: those, and the whole.
const BESIDE_PIECES: usize = STRIPS + 1;
/// More tokens no position has.
pub const MAX_TOKENS: usize = MAX_PIECES + BESIDE_PIECES;
/// Where a token can be: the squares, behind them the strips of two files, and the whole.
pub const PLACES: usize = 64 + BESIDE_PIECES;
/// The place of the whole.
const WHOLE: usize = PLACES - 1;

/// By which kinds of each side a square is attacked, and whether twice.
const ATTACKED: usize = 2 * (PieceType::NUM + 1);
/// How many squares a piece reaches, in so many steps.
const REACHES: usize = 16;

const PIECE_ROWS: usize = 0;
const REACH_ROWS: usize = PIECE_ROWS + Piece::NUM * 64;
const ATTACKED_ROWS: usize = REACH_ROWS + Piece::NUM * REACHES;
const STRIP_ROWS: usize = ATTACKED_ROWS + ATTACKED;
const CONTROL_ROWS: usize = STRIP_ROWS + STRIPS;
const WHOLE_ROW: usize = CONTROL_ROWS + 16 * ATTACKED;
const CASTLING_ROWS: usize = WHOLE_ROW + 1;
const CLOCK_ROWS: usize = CASTLING_ROWS + 4;
const COUNT_ROWS: usize = CLOCK_ROWS + CLOCKS;
const NUMBER_ROWS: usize = COUNT_ROWS + MAX_PIECES + 1;
/// Rows of weights.
pub const ROWS: usize = NUMBER_ROWS + NUMBERS;

/// Steps of the fifty-move counter.
const CLOCKS: usize = 14;
/// Rows that are taken as often as a number says.
const NUMBERS: usize = 3;

/// Internal units at which 0.73 points are expected, here and in what is learnt.
pub const SCALE: f32 = 200.0;

/// A position among others.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Its first token.
    pub first: usize,
    /// How many it has.
    pub count: usize,
    /// Rows that all of them have, each as often as the number says.
    pub shared: Vec<(u16, f32)>,
    /// For each of its pieces the pieces that it attacks, by their bits; pieces are its first tokens.
    pub attacks: Vec<u64>,
    /// Which of its pieces belong to the side to move.
    pub own: u64,
    /// Its static score, 1 for [`SCALE`].
    pub still: f32,
}

/// Positions, made ready.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    /// Each of them.
    pub seen: Vec<Seen>,
    /// Where each token is.
    pub places: Vec<u8>,
    /// The rows of all tokens.
    pub rows: Vec<u16>,
    /// Where the rows of each token end.
    pub ends: Vec<u32>,
}

/// By which pieces squares are attacked.
#[derive(Default)]
struct Control {
    /// By kinds of either side.
    by: [u64; Piece::NUM],
    any: [u64; 2],
    twice: [u64; 2],
}

impl Control {
    fn add(&mut self, piece: Piece, attacks: Bitboard) {
        let side = piece.color().index();
        self.by[piece.index()] |= attacks.0;
        self.twice[side] |= self.any[side] & attacks.0;
        self.any[side] |= attacks.0;
    }

    /// What there is to say of a square, numbers below [`ATTACKED`].
    fn of(&self, square: usize) -> impl Iterator<Item = usize> + '_ {
        let sets = self.by.iter().chain(&self.twice).enumerate();
        sets.filter(move |(_, set)| *set >> square & 1 != 0).map(|(which, _)| which)
    }
}

/// What a piece attacks.
fn attacks(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind() {
        PieceType::Pawn => pawn_attacks(piece.color(), square),
        PieceType::Knight => knight_attacks(square),
        PieceType::Bishop => bishop_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Queen => queen_attacks(square, occupied),
        PieceType::King => king_attacks(square),
    }
}

impl Tokens {
    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.seen.clear();
        self.places.clear();
        self.rows.clear();
        self.ends.clear();
    }

    /// How many tokens there are.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The rows of a token that are its own.
    #[inline(always)]
    pub fn rows_of(&self, token: usize) -> &[u16] {
        let begin = token.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[begin as usize..self.ends[token] as usize]
    }

    /// Ends a token.
    fn end(&mut self, place: usize) {
        self.places.push(place as u8);
        self.ends.push(self.rows.len() as u32);
    }

    fn row(&mut self, row: usize) {
        self.rows.push(row as u16);
    }

    /// Appends a position.
    pub fn push(&mut self, sample: &Sample) {
        let first = self.count();
        let mut squares = [Square::A1; MAX_PIECES];
        let mut sets = [Bitboard::EMPTY; MAX_PIECES];
        let mut control = Control::default();
        let (mut occupied, mut by_side) = (Bitboard::EMPTY, [0u64; 2]);
        for (piece, square) in sample.pieces() {
            occupied = occupied.with(square);
            by_side[piece.color().index()] |= 1 << square as u8;
        }
        for (at, (piece, square)) in sample.pieces().enumerate() {
            squares[at] = square;
            sets[at] = attacks(piece, square, occupied);
            control.add(piece, sets[at]);
        }
        let count = sample.count();
        let (mut own, mut attacked) = (0, vec![0u64; count]);
        for (at, (piece, square)) in sample.pieces().enumerate() {
            let side = piece.color().index();
            self.row(PIECE_ROWS + piece.index() * 64 + square.index());
            let reach = sets[at].0 & !by_side[side];
            let steps = if piece.kind() == PieceType::Queen { 2 } else { 1 };
            let reach = (reach.count_ones() as usize / steps).min(REACHES - 1);
            self.row(REACH_ROWS + piece.index() * REACHES + reach);
            for which in control.of(square.index()) {
                self.row(ATTACKED_ROWS + which);
            }
            self.end(square.index());
            own |= u64::from(piece.color() == Color::White) << at;
            let hits = (0..count).filter(|&other| sets[at].has(squares[other]));
            attacked[at] = hits.map(|other| 1 << other).sum();
        }
        for strip in 0..STRIPS {
            self.row(STRIP_ROWS + strip);
            for at in 0..16 {
                for which in control.of(at / 2 * 8 + 2 * strip + at % 2) {
                    self.row(CONTROL_ROWS + at * ATTACKED + which);
                }
            }
            self.end(64 + strip);
        }
        self.row(WHOLE_ROW);
        self.end(WHOLE);
        let still = f32::from(sample.still) / SCALE;
        let clock = f32::from(sample.clock) / 100.0;
        let mut shared = vec![];
        let mut share = |row: usize, times: f32| shared.push((row as u16, times));
        for right in 0..4 {
            if sample.castling >> right & 1 != 0 {
                share(CASTLING_ROWS + right, 1.0);
            }
        }
        share(CLOCK_ROWS + usize::from(sample.clock / 8).min(CLOCKS - 1), 1.0);
        share(COUNT_ROWS + count, 1.0);
        for (at, number) in
            [2.0 * sigmoid(still) - 1.0, still.clamp(-4.0, 4.0) / 2.0, clock].into_iter().enumerate()
        {
            share(NUMBER_ROWS + at, number);
        }
        let count = count + BESIDE_PIECES;
        self.seen.push(Seen { first, count, shared, attacks: attacked, own, still });
    }
}
