//! The hand-made evaluation: material and squares, kept incrementally, and a few terms of pawns, mobility and king
//! safety, each with a value for the middle game and one for the endgame
//! (<https://www.chessprogramming.org/Tapered_Eval>). All numbers are our own estimates, in hundredths of a pawn.

use crate::board::magics::{bishop_attacks, queen_attacks, rook_attacks};
use crate::board::tables::{king_attacks, knight_attacks};
use crate::board::{Observer, Position};
use crate::movegen::generate::pawn_attack_set;
use crate::types::{Bitboard, Color, File, Piece, PieceType, Square};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A value for the middle game and one for the endgame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tapered {
    middle: i32,
    end: i32,
}

const fn t(middle: i32, end: i32) -> Tapered {
    Tapered { middle, end }
}

macro_rules! by_phase {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $op:tt) => {
        impl $trait for Tapered {
            type Output = Tapered;
            #[inline(always)]
            fn $method(self, other: Tapered) -> Tapered {
                t(self.middle $op other.middle, self.end $op other.end)
            }
        }
        impl $assign_trait for Tapered {
            #[inline(always)]
            fn $assign(&mut self, other: Tapered) {
                *self = *self $op other;
            }
        }
    };
}
by_phase!(Add, add, AddAssign, add_assign, +);
by_phase!(Sub, sub, SubAssign, sub_assign, -);

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn mul(self, factor: i32) -> Tapered {
        t(self.middle * factor, self.end * factor)
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn neg(self) -> Tapered {
        t(-self.middle, -self.end)
    }
}

const MATERIAL: [Tapered; PieceType::NUM] =
    [t(85, 105), t(330, 300), t(345, 315), t(470, 540), t(980, 980), t(0, 0)];

/// How much of a middle game a piece of each kind makes; 24 with all pieces on the board.
const PHASE: [i32; PieceType::NUM] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// The squares of the files a to d from the eighth rank (first line) to the first, as White sees them; the files e to
/// h mirror them. Middle game and endgame.
type Squares = [[(i32, i32); 4]; 8];

#[rustfmt::skip]
const SQUARES: [Squares; PieceType::NUM] = [
    [
        [(0, 0), (0, 0), (0, 0), (0, 0)],
        [(60, 110), (70, 105), (75, 100), (80, 95)],
        [(15, 65), (22, 62), (30, 55), (38, 50)],
        [(0, 28), (6, 24), (10, 16), (22, 12)],
        [(-8, 12), (0, 9), (6, 3), (18, 0)],
        [(-8, 3), (-2, 3), (0, 0), (4, 2)],
        [(-10, 5), (2, 5), (-4, 6), (-12, 8)],
        [(0, 0), (0, 0), (0, 0), (0, 0)],
    ],
    [
        [(-120, -70), (-60, -40), (-35, -25), (-25, -18)],
        [(-50, -35), (-25, -18), (10, -8), (5, 0)],
        [(-20, -22), (15, -5), (30, 8), (40, 15)],
        [(-5, -15), (10, 3), (25, 16), (32, 24)],
        [(-10, -15), (5, 0), (15, 15), (18, 22)],
        [(-18, -24), (0, -6), (10, 2), (14, 14)],
        [(-28, -36), (-18, -22), (-5, -12), (2, -4)],
        [(-70, -55), (-24, -42), (-24, -24), (-16, -18)],
    ],
    [
        [(-30, -14), (-15, -14), (-35, -8), (-30, -6)],
        [(-22, -8), (5, -2), (-5, 0), (-8, -2)],
        [(-5, -2), (18, 0), (22, 3), (22, 3)],
        [(-3, -2), (8, 5), (14, 8), (28, 11)],
        [(0, -6), (6, 2), (10, 8), (22, 11)],
        [(4, -8), (12, -2), (12, 6), (10, 8)],
        [(6, -12), (16, -10), (10, -4), (2, 2)],
        [(-18, -20), (-2, -10), (-12, -12), (-14, -6)],
    ],
    [
        [(14, 12), (16, 12), (16, 12), (24, 10)],
        [(10, 14), (14, 14), (32, 10), (36, 6)],
        [(-5, 10), (10, 8), (14, 6), (18, 4)],
        [(-16, 8), (-6, 6), (4, 6), (10, 2)],
        [(-24, 4), (-14, 4), (-8, 4), (-2, 1)],
        [(-28, -2), (-16, 0), (-12, -3), (-8, -3)],
        [(-30, -5), (-16, -4), (-12, -2), (-8, -2)],
        [(-14, -8), (-12, -2), (-2, 0), (8, -3)],
    ],
    [
        [(-12, -2), (2, 12), (12, 16), (18, 22)],
        [(-12, -6), (-28, 18), (0, 26), (0, 36)],
        [(-2, -8), (-4, 8), (8, 24), (14, 38)],
        [(-14, 4), (-14, 20), (-8, 26), (-6, 42)],
        [(-8, -6), (-14, 16), (-8, 22), (-8, 36)],
        [(-8, -14), (0, -12), (-6, 12), (-6, 8)],
        [(-14, -24), (-4, -26), (6, -24), (2, -16)],
        [(-8, -32), (-14, -30), (-6, -28), (4, -20)],
    ],
    [
        [(-20, -60), (0, -30), (0, -16), (-20, -14)],
        [(-10, -14), (0, 14), (0, 14), (-10, 16)],
        [(-12, 4), (0, 20), (-5, 26), (-20, 24)],
        [(-30, -6), (-20, 20), (-22, 28), (-32, 30)],
        [(-46, -16), (-26, 2), (-32, 20), (-44, 28)],
        [(-22, -18), (-18, -2), (-28, 12), (-44, 20)],
        [(4, -28), (2, -12), (-16, 2), (-40, 10)],
        [(8, -50), (28, -34), (-4, -20), (-20, -22)],
    ],
];

/// Material and square together, for White's pieces counted up and Black's down.
static PIECE_SQUARE: [[Tapered; 64]; Piece::NUM] = {
    let mut table = [[t(0, 0); 64]; Piece::NUM];
    let mut index = 0;
    while index < Piece::NUM {
        let piece = Piece::ALL[index];
        let kind = piece.kind() as usize;
        let mut square = 0;
        while square < 64 {
            let seen = Square::ALL[square].relative_to(piece.color()) as usize;
            let file = seen & 7;
            let (middle, end) = SQUARES[kind][7 - (seen >> 3)][if file < 4 { file } else { 7 - file }];
            let sign = if index % 2 == 0 { 1 } else { -1 };
            table[index][square] =
                t(sign * (MATERIAL[kind].middle + middle), sign * (MATERIAL[kind].end + end));
            square += 1;
        }
        index += 1;
    }
    table
};

/// What can be kept from move to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accumulator {
    /// Material and squares, White's less Black's.
    pieces: Tapered,
    /// How much of a middle game is on the board.
    phase: i32,
}

impl Accumulator {
    /// From scratch.
    pub fn of(position: &Position) -> Accumulator {
        let mut accumulator = Accumulator::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                accumulator.add(piece, square);
            }
        }
        accumulator
    }
}

impl Observer for Accumulator {
    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.pieces += PIECE_SQUARE[piece.index()][square.index()];
        self.phase += PHASE[piece.kind().index()];
    }
    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.pieces -= PIECE_SQUARE[piece.index()][square.index()];
        self.phase -= PHASE[piece.kind().index()];
    }
}

const TEMPO: i32 = 14;
const BISHOP_PAIR: Tapered = t(24, 45);
const DOUBLED: Tapered = t(-6, -16);
const ISOLATED: Tapered = t(-12, -10);
/// By the rank that the pawn has reached, from the second to the seventh.
const PASSED: [Tapered; 8] =
    [t(0, 0), t(-6, 4), t(-8, 10), t(-6, 28), t(14, 52), t(38, 95), t(50, 130), t(0, 0)];
const PASSED_AND_BLOCKED: Tapered = t(-6, -24);
/// A rook on a file without pawns, or without own pawns.
const OPEN_FILE: Tapered = t(32, 8);
const HALF_OPEN_FILE: Tapered = t(14, 6);
/// For each square that a piece attacks outside the enemy pawns' reach, above the usual number of them.
const MOBILITY: [Tapered; PieceType::NUM] = [t(0, 0), t(5, 4), t(5, 5), t(3, 5), t(2, 4), t(0, 0)];
const USUAL_MOBILITY: [i32; PieceType::NUM] = [0, 4, 6, 6, 11, 0];
/// How much a piece of each kind that attacks squares beside the king counts in its danger.
const KING_ATTACK: [i32; PieceType::NUM] = [0, 14, 12, 18, 28, 0];
/// A pawn of the king's own on its file or beside, one and two ranks before it.
const SHIELD: [i32; 2] = [13, 7];
/// A piece (no pawn) that an enemy pawn attacks.
const PAWN_THREAT: Tapered = t(38, 30);

/// The value for the side to move.
pub fn evaluate(position: &Position, accumulator: &Accumulator) -> i32 {
    let mut value = accumulator.pieces;
    value += terms(position, Color::White) - terms(position, Color::Black);
    let phase = accumulator.phase.min(FULL_PHASE);
    let mut end = value.end;
    if !can_win(position, if end > 0 { Color::White } else { Color::Black }) {
        end /= 8;
    }
    let blended = (value.middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;
    let view = match position.side_to_move() {
        Color::White => blended,
        Color::Black => -blended,
    };
    view + TEMPO
}

/// False if a side without pawns has hardly more than the other: then it seldom wins.
fn can_win(position: &Position, color: Color) -> bool {
    let worth = |color: Color| -> i32 {
        [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen]
            .into_iter()
            .map(|kind| position.pieces(color, kind).count() as i32 * MATERIAL[kind.index()].end)
            .sum()
    };
    position.pieces(color, PieceType::Pawn).any()
        || worth(color) - worth(!color) > MATERIAL[PieceType::Bishop.index()].end
}

/// The squares before a set of pawns of `color`, to the last rank.
#[inline(always)]
fn front_fill(pawns: Bitboard, color: Color) -> Bitboard {
    let mut filled = pawns;
    for ranks in [8, 16, 32] {
        filled |= filled.shift(if color == Color::White { ranks } else { -ranks });
    }
    filled.shift(if color == Color::White { 8 } else { -8 })
}

/// Everything but material and squares for one side.
fn terms(position: &Position, us: Color) -> Tapered {
    let mut value = pawn_terms(position, us);
    if position.pieces(us, PieceType::Bishop).several() {
        value += BISHOP_PAIR;
    }
    let own_pawns = position.pieces(us, PieceType::Pawn);
    let enemy_pawns = position.pieces(!us, PieceType::Pawn);
    let guarded = pawn_attack_set(enemy_pawns, !us);
    let free = !(own_pawns | position.pieces(us, PieceType::King) | guarded);
    let enemy_king = position.king(!us);
    let king_zone = king_attacks(enemy_king).with(enemy_king);
    let occupied = position.occupied();
    let mut danger = 0;
    let mut attackers = 0;
    for kind in [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
        for square in position.pieces(us, kind) {
            let attacks = match kind {
                PieceType::Knight => knight_attacks(square),
                PieceType::Bishop => bishop_attacks(square, occupied),
                PieceType::Rook => rook_attacks(square, occupied),
                _ => queen_attacks(square, occupied),
            };
            let mobility = (attacks & free).count() as i32 - USUAL_MOBILITY[kind.index()];
            value += MOBILITY[kind.index()] * mobility;
            let hits = (attacks & king_zone).count() as i32;
            if hits > 0 {
                attackers += 1;
                danger += KING_ATTACK[kind.index()] * (1 + hits);
            }
            if kind == PieceType::Rook {
                let file = Bitboard::from_file(square.file());
                if (file & own_pawns).is_empty() {
                    value += if (file & enemy_pawns).is_empty() { OPEN_FILE } else { HALF_OPEN_FILE };
                }
            }
        }
    }
    // One attacker alone mates nobody.
    if attackers >= 2 {
        value.middle += danger * danger / 220;
    }
    let pieces_hit = guarded & position.of_color(us).without(own_pawns);
    value -= PAWN_THREAT * pieces_hit.count() as i32;
    value.middle += king_shield(position, us, own_pawns);
    value
}

fn pawn_terms(position: &Position, us: Color) -> Tapered {
    let own = position.pieces(us, PieceType::Pawn);
    let enemy = position.pieces(!us, PieceType::Pawn);
    let enemy_front = front_fill(enemy, !us);
    let enemy_reach = enemy_front | pawn_attack_set(enemy | enemy_front, !us);
    let own_front = front_fill(own, us);
    let mut value = DOUBLED * (own & own_front).count() as i32;
    for square in own.without(enemy_reach).without(front_fill(own, !us)) {
        value += PASSED[square.relative_to(us).rank().index()];
        let ahead = square.offset(if us == Color::White { 8 } else { -8 });
        if position.piece_on(ahead).is_some() {
            value += PASSED_AND_BLOCKED;
        }
        let mine = distance(position.king(us), ahead);
        let theirs = distance(position.king(!us), ahead);
        let rank = square.relative_to(us).rank().index() as i32;
        value.end += (theirs * 5 - mine * 3) * (rank - 1).max(0) / 2;
    }
    for file in File::ALL {
        let here = own & Bitboard::from_file(file);
        if here.any() && (own & neighbours(file)).is_empty() {
            value += ISOLATED * here.count() as i32;
        }
    }
    value
}

/// The files beside a file.
#[inline(always)]
fn neighbours(file: File) -> Bitboard {
    let file = Bitboard::from_file(file);
    let west = file.without(Bitboard::from_file(File::A)).shift(-1);
    west | file.without(Bitboard::from_file(File::H)).shift(1)
}

/// King moves between two squares.
fn distance(a: Square, b: Square) -> i32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks) as i32
}

fn king_shield(position: &Position, us: Color, own_pawns: Bitboard) -> i32 {
    let king = position.king(us);
    let files = Bitboard::from_file(king.file()) | neighbours(king.file());
    let up = if us == Color::White { 8 } else { -8 };
    let mut row = Bitboard::from_rank(king.rank());
    SHIELD
        .into_iter()
        .map(|worth| {
            row = row.shift(up);
            worth * (own_pawns & files & row).count() as i32
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incremental_equals_from_scratch_and_the_sides_mirror() {
        let mirror = |fen: &str| {
            let mut fields: Vec<String> = fen.split(' ').map(str::to_string).collect();
            let swap =
                |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
            fields[0] = fields[0].split('/').rev().collect::<Vec<_>>().join("/").chars().map(swap).collect();
            fields[1] = if fields[1] == "w" { "b".into() } else { "w".into() };
            Position::from_fen(&fields.join(" ")).unwrap()
        };
        for fen in [
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w - - 4 9",
            "8/2p3k1/1p1p3p/3P1p2/2P2P2/1P4KP/8/8 b - - 0 40",
            "6k1/5ppp/8/3P4/8/1r6/5PPP/2R3K1 w - - 0 30",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let other = mirror(fen);
            assert_eq!(
                evaluate(&position, &Accumulator::of(&position)),
                evaluate(&other, &Accumulator::of(&other)),
                "{fen}"
            );
            for mv in position.legal_moves() {
                let mut accumulator = Accumulator::of(&position);
                let next = position.make(mv, &mut accumulator);
                assert_eq!(accumulator, Accumulator::of(&next), "{fen} {mv:?}");
            }
        }
    }

    #[test]
    fn a_passed_pawn_counts_and_a_queen_more_a_rook() {
        let value = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            evaluate(&position, &Accumulator::of(&position))
        };
        assert!(
            value("4k3/p7/8/1P6/8/8/8/4K3 w - - 0 1") < value("4k3/5p2/8/1P6/8/8/8/4K3 w - - 0 1"),
            "passed"
        );
        assert!(value("4k3/8/8/8/8/8/8/R3K3 w - - 0 1") < value("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"));
    }
}
