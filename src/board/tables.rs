//! What the leapers attack, and the lines between squares; made by the compiler.
//!
//! Knows geometry only. Sliding pieces are in [`super::magics`].

use crate::types::{Bitboard, Color, File, Square};

/// The eight directions as (file step, rank step): four of the rook, then four of the bishop.
const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The square `steps` away from `square`, if it is on the board.
const fn step(square: usize, steps: (i8, i8)) -> Option<usize> {
    let file = (square & 7) as i8 + steps.0;
    let rank = (square >> 3) as i8 + steps.1;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some((rank * 8 + file) as usize) }
}

const fn leaper(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut n = 0;
        while n < steps.len() {
            if let Some(to) = step(square, steps[n]) {
                table[square].0 |= 1 << to;
            }
            n += 1;
        }
        square += 1;
    }
    table
}

/// The squares that a slider reaches from `square` in one direction with `occupied` in its way, the first occupied
/// one included. Slow; for making tables.
const fn ray(square: usize, direction: (i8, i8), occupied: u64) -> u64 {
    let mut reached = 0;
    let mut here = square;
    while let Some(next) = step(here, direction) {
        reached |= 1 << next;
        if occupied >> next & 1 != 0 {
            break;
        }
        here = next;
    }
    reached
}

static KNIGHT: [Bitboard; 64] = leaper(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = leaper(&DIRECTIONS);
static PAWN: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

/// Where a slider's directions begin in [`DIRECTIONS`].
pub(super) const ROOK: usize = 0;
pub(super) const BISHOP: usize = 4;

/// What a slider with the four directions from `first_direction` on attacks. Slow; for making tables.
pub(super) const fn slow_attacks(square: usize, first_direction: usize, occupied: u64) -> u64 {
    ray(square, DIRECTIONS[first_direction], occupied)
        | ray(square, DIRECTIONS[first_direction + 1], occupied)
        | ray(square, DIRECTIONS[first_direction + 2], occupied)
        | ray(square, DIRECTIONS[first_direction + 3], occupied)
}

const fn on_empty_board(first_direction: usize) -> [Bitboard; 64] {
    let mut attacks = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        attacks[square] = Bitboard(slow_attacks(square, first_direction, 0));
        square += 1;
    }
    attacks
}

static STRAIGHT: [Bitboard; 64] = on_empty_board(ROOK);
static DIAGONAL: [Bitboard; 64] = on_empty_board(BISHOP);

/// The file and the rank of `square` without itself.
#[inline(always)]
pub fn straight_lines(square: Square) -> Bitboard {
    STRAIGHT[square.index()]
}

/// The diagonals of `square` without itself.
#[inline(always)]
pub fn diagonal_lines(square: Square) -> Bitboard {
    DIAGONAL[square.index()]
}

/// The squares that a knight on `square` attacks.
#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that a king on `square` attacks.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// All squares that kings on these attack.
#[inline(always)]
pub fn king_attack_set(kings: Bitboard) -> Bitboard {
    let sides = kings.without(Bitboard::from_file(File::A)).shift(-1)
        | kings.without(Bitboard::from_file(File::H)).shift(1);
    let row = kings | sides;
    sides | row.shift(8) | row.shift(-8)
}

/// The squares that a pawn of `color` on `square` attacks.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// All squares that the pawns of `color` attack.
#[inline(always)]
pub fn pawn_attack_set(pawns: Bitboard, color: Color) -> Bitboard {
    let [west, east] = pawn_attack_sides(pawns, color);
    west | east
}

/// The squares that the pawns of `color` attack towards the a-file, and those towards the h-file.
#[inline(always)]
pub fn pawn_attack_sides(pawns: Bitboard, color: Color) -> [Bitboard; 2] {
    let west = pawns.without(Bitboard::from_file(File::A));
    let east = pawns.without(Bitboard::from_file(File::H));
    match color {
        Color::White => [west.shift(7), east.shift(9)],
        Color::Black => [west.shift(-9), east.shift(-7)],
    }
}

/// For each pair of squares on one line: first the squares strictly between them, then the whole line.
const fn lines() -> ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut line = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut n = 0;
        while n < 8 {
            let direction = DIRECTIONS[n];
            let backward = (-direction.0, -direction.1);
            let whole = ray(from, direction, 0) | ray(from, backward, 0) | 1 << from;
            let mut passed = 0;
            let mut here = from;
            while let Some(to) = step(here, direction) {
                between[from][to] = Bitboard(passed);
                line[from][to] = Bitboard(whole);
                passed |= 1 << to;
                here = to;
            }
            n += 1;
        }
        from += 1;
    }
    (between, line)
}

static BETWEEN: [[Bitboard; 64]; 64] = lines().0;
static LINE: [[Bitboard; 64]; 64] = lines().1;

/// The squares strictly between two squares of one rank, file or diagonal; empty for all other pairs.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal that two different squares share, both included; empty if they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use Square::*;

    #[test]
    fn lines_and_leapers_end_at_the_edge() {
        assert_eq!(between(A1, D4), Bitboard::EMPTY.with(B2).with(C3));
        assert_eq!(between(A1, B3), Bitboard::EMPTY);
        assert_eq!(line(B2, C3).count(), 8);
        assert_eq!(line(H1, G3), Bitboard::EMPTY);
        assert_eq!(knight_attacks(A1), Bitboard::EMPTY.with(B3).with(C2));
        assert_eq!(king_attacks(H8).count(), 3);
        assert_eq!(pawn_attacks(Color::Black, A5), Bitboard::from(B4));
        assert_eq!(pawn_attacks(Color::White, H5), Bitboard::from(G6));
    }

    #[test]
    fn a_set_attacks_what_its_squares_attack() {
        let numbers = [0, u64::MAX, 0x8100_0000_0000_0081, 0x0102_0408_1020_4080, 0x9e37_79b9_7f4a_7c15];
        let sets = Square::ALL.into_iter().map(Bitboard::from).chain(numbers.map(Bitboard));
        for set in sets {
            let united = |attacks: fn(Square) -> Bitboard| {
                set.into_iter().fold(Bitboard::EMPTY, |all, from| all | attacks(from))
            };
            assert_eq!(king_attack_set(set), united(king_attacks), "{set:?}");
            assert_eq!(pawn_attack_set(set, Color::White), united(|from| pawn_attacks(Color::White, from)));
            assert_eq!(pawn_attack_set(set, Color::Black), united(|from| pawn_attacks(Color::Black, from)));
        }
    }
}
