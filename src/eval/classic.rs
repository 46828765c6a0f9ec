//! The hand-made evaluation: material and squares, kept incrementally, and a few terms of pawns, mobility and king
//! safety, each with a value for the middle game and one for the endgame
//! (<https://www.chessprogramming.org/Tapered_Eval>), in hundredths of a pawn.
//!
//! The numbers began as our own estimates and were fitted by gradient descent (logistic loss of result and search score,
//! 7 to 3; <https://www.chessprogramming.org/Texel%27s_Tuning_Method>) to 355,607 quiet positions of games that this
//! engine played against itself with 5,000 nodes a move. The fitting program is not kept: a network has taken the place
//! of these terms, which are used where there is none.

use crate::board::magics::{bishop_attacks, queen_attacks, rook_attacks};
use crate::board::tables::{king_attacks, knight_attacks, pawn_attack_set};
use crate::board::{Observer, Position};
use crate::types::{Bitboard, Color, File, Piece, PieceType, Square};
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

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

const MATERIAL: [Tapered; PieceType::NUM] =
    [t(96, 120), t(319, 284), t(343, 306), t(472, 529), t(977, 985), t(0, 0)];

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
        [(60, 46), (90, 37), (59, 91), (80, 92)],
        [(10, 5), (-9, -2), (33, 0), (-20, 32)],
        [(-20, -3), (-13, -12), (-12, -42), (1, -16)],
        [(-35, -27), (-22, -31), (-9, -38), (-9, -43)],
        [(-36, -25), (-7, -22), (-30, -21), (-32, -12)],
        [(-33, -8), (0, -10), (-19, -4), (-35, 13)],
        [(0, 0), (0, 0), (0, 0), (0, 0)],
    ],
    [
        [(-115, -61), (-48, -14), (-17, -13), (-24, -13)],
        [(-43, 4), (-23, -9), (24, 5), (27, 7)],
        [(-1, 8), (33, 19), (42, 9), (64, 8)],
        [(-9, 5), (19, 26), (50, 16), (28, 39)],
        [(14, 8), (25, 2), (26, 14), (12, 18)],
        [(-19, -9), (-2, 10), (7, 18), (18, 13)],
        [(-12, -62), (3, -1), (-9, -13), (3, 2)],
        [(-49, -37), (-12, 9), (-15, -22), (-3, 6)],
    ],
    [
        [(-8, 2), (-16, -14), (-35, -3), (-29, 20)],
        [(-41, -7), (-17, 0), (-12, -12), (-11, 8)],
        [(-2, 17), (26, -17), (7, 16), (14, -1)],
        [(-28, 13), (9, 24), (12, -7), (12, 16)],
        [(9, 13), (11, -2), (1, 17), (27, 9)],
        [(13, 5), (15, -5), (16, 9), (9, 0)],
        [(14, 13), (24, -22), (3, -16), (9, -12)],
        [(-9, -18), (-9, -34), (-4, -3), (-10, -18)],
    ],
    [
        [(19, 11), (24, -10), (16, -5), (33, 0)],
        [(1, 13), (-10, 12), (29, 6), (37, 12)],
        [(9, 12), (32, -2), (31, -2), (60, -14)],
        [(-24, 17), (-5, 12), (-5, 5), (13, 1)],
        [(-42, 23), (-29, 4), (-7, 14), (-19, 11)],
        [(-47, 7), (-25, 3), (-20, -15), (-20, 8)],
        [(-42, 3), (0, -8), (24, -29), (-8, -19)],
        [(-16, -18), (-8, -17), (10, -21), (1, -8)],
    ],
    [
        [(-11, -4), (12, 15), (21, 17), (23, 14)],
        [(-22, -6), (-40, 26), (-5, 32), (14, 30)],
        [(9, -15), (-15, 6), (11, 33), (33, 37)],
        [(5, 12), (-2, 18), (-3, 34), (9, 64)],
        [(-1, 2), (-18, 4), (19, 11), (14, 38)],
        [(-16, 0), (3, -12), (-10, 11), (-5, 18)],
        [(-31, -30), (-8, -59), (11, -46), (13, -49)],
        [(5, -28), (-19, -59), (4, -49), (4, -61)],
    ],
    [
        [(-22, -92), (3, -24), (9, -3), (-6, 9)],
        [(-3, -4), (5, 0), (6, 13), (-4, 3)],
        [(-6, 1), (4, 6), (-9, 20), (-19, -1)],
        [(-18, -14), (-20, 31), (-22, 4), (-39, 18)],
        [(-31, 6), (-45, 42), (9, 10), (-57, 16)],
        [(-20, -1), (-21, 6), (-35, 8), (-54, 17)],
        [(-8, 0), (0, -9), (-17, 1), (-34, -2)],
        [(8, -38), (8, -27), (-20, -28), (-4, -37)],
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

const TEMPO: i32 = 12;
const BISHOP_PAIR: Tapered = t(22, 10);
const DOUBLED: Tapered = t(-15, -27);
const ISOLATED: Tapered = t(0, -3);
/// A pawn that no enemy pawn can stop, by the rank that it has reached.
const PASSED: [Tapered; 8] =
    [t(0, 0), t(-4, -8), t(-9, 0), t(-3, 18), t(-1, 34), t(43, 55), t(57, 14), t(0, 0)];
const PASSED_AND_BLOCKED: Tapered = t(3, -24);
/// For each king's move between the king and the square before a passed pawn, and each rank of the pawn above the
/// second, in 16ths.
const ENEMY_KING_FAR: Tapered = t(-20, 116);
const OWN_KING_FAR: Tapered = t(9, -66);
/// A pawn that another pawn guards, by its rank.
const SUPPORTED: [Tapered; 8] =
    [t(0, 0), t(0, 0), t(11, -2), t(11, 17), t(19, 13), t(13, 38), t(9, 40), t(0, 0)];
/// A pawn with another on its left, by its rank.
const PHALANX: [Tapered; 8] =
    [t(0, 0), t(4, -1), t(14, 9), t(12, 29), t(42, 51), t(16, 45), t(4, 10), t(0, 0)];
/// A rook on a file without pawns, or without own pawns.
const OPEN_FILE: Tapered = t(43, -22);
const HALF_OPEN_FILE: Tapered = t(15, 2);
/// By the number of squares attacked that neither an own pawn or king holds nor an enemy pawn guards.
const KNIGHT_MOBILITY: [Tapered; 9] =
    [t(-35, -2), t(-20, -53), t(-15, -2), t(-3, -5), t(0, -1), t(6, -2), t(11, -8), t(10, 0), t(10, -22)];
const BISHOP_MOBILITY: [Tapered; 14] = [
    t(-34, -39),
    t(-22, -36),
    t(-12, -30),
    t(-4, -28),
    t(2, -3),
    t(12, 2),
    t(17, 5),
    t(15, 9),
    t(17, 4),
    t(20, 10),
    t(24, -1),
    t(8, 0),
    t(2, -15),
    t(-18, -29),
];
const ROOK_MOBILITY: [Tapered; 15] = [
    t(-20, -32),
    t(-22, -50),
    t(-10, -45),
    t(-9, -35),
    t(-1, -24),
    t(4, -31),
    t(2, -14),
    t(5, -5),
    t(11, 0),
    t(3, 9),
    t(15, -1),
    t(8, 3),
    t(38, -4),
    t(20, 3),
    t(53, -43),
];
const QUEEN_MOBILITY: [Tapered; 28] = [
    t(0, 0),
    t(-12, -1),
    t(-9, -4),
    t(-16, -4),
    t(-14, -13),
    t(-14, -23),
    t(-9, -32),
    t(-8, -13),
    t(0, -4),
    t(9, -10),
    t(4, 3),
    t(12, 22),
    t(7, 24),
    t(11, 18),
    t(11, 22),
    t(14, 19),
    t(14, 24),
    t(23, 18),
    t(24, 14),
    t(12, 7),
    t(5, -6),
    t(4, -8),
    t(1, 0),
    t(1, -6),
    t(-2, -6),
    t(-1, -8),
    t(-1, -3),
    t(-1, -3),
];
/// A knight or bishop beyond the third rank, guarded by a pawn, that no enemy pawn can ever drive away.
const OUTPOST: Tapered = t(26, 3);
/// A piece (no pawn) that an enemy pawn attacks.
const PAWN_THREAT: Tapered = t(42, 30);
/// A rook or queen that a knight or bishop attacks.
const THREAT_BY_MINOR: Tapered = t(40, 27);
/// A queen that a rook attacks.
const THREAT_BY_ROOK: Tapered = t(35, 12);
/// How much a piece of each kind that attacks squares beside the king counts in its danger, for each square and once.
const KING_ATTACK: [i32; PieceType::NUM] = [0, 14, 12, 18, 28, 0];
/// What the square of the danger is worth, in hundredths of a 256th.
const DANGER: i32 = 122;
/// A pawn of the king's own on its file or beside, one and two ranks before it.
const SHIELD: [i32; 2] = [21, 13];
const FIRST_THREE_RANKS: [Bitboard; 2] = [Bitboard(0xff_ffff), Bitboard(0xffff_ff00_0000_0000)];

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
    let outposts = pawn_attack_set(own_pawns, us)
        .without(pawn_attack_set(enemy_pawns | front_fill(enemy_pawns, !us), !us))
        .without(FIRST_THREE_RANKS[us.index()]);
    let enemy_queens = position.pieces(!us, PieceType::Queen);
    let enemy_heavies = enemy_queens | position.pieces(!us, PieceType::Rook);
    let enemy_king = position.king(!us);
    let king_zone = king_attacks(enemy_king).with(enemy_king);
    let occupied = position.occupied();
    let mut danger = 0;
    let mut attackers = 0;
    let mut look = |square: Square, kind: PieceType, attacks: Bitboard| -> usize {
        let hits = (attacks & king_zone).count() as i32;
        if hits > 0 {
            attackers += 1;
            danger += KING_ATTACK[kind.index()] * (1 + hits);
        }
        if matches!(kind, PieceType::Knight | PieceType::Bishop) {
            value += THREAT_BY_MINOR * (attacks & enemy_heavies).count() as i32;
            if outposts.has(square) {
                value += OUTPOST;
            }
        }
        (attacks & free).count() as usize
    };
    let mut mobility = Tapered::default();
    for square in position.pieces(us, PieceType::Knight) {
        mobility += KNIGHT_MOBILITY[look(square, PieceType::Knight, knight_attacks(square))];
    }
    for square in position.pieces(us, PieceType::Bishop) {
        mobility += BISHOP_MOBILITY[look(square, PieceType::Bishop, bishop_attacks(square, occupied))];
    }
    for square in position.pieces(us, PieceType::Queen) {
        mobility += QUEEN_MOBILITY[look(square, PieceType::Queen, queen_attacks(square, occupied))];
    }
    for square in position.pieces(us, PieceType::Rook) {
        let attacks = rook_attacks(square, occupied);
        mobility += ROOK_MOBILITY[look(square, PieceType::Rook, attacks)];
        mobility += THREAT_BY_ROOK * (attacks & enemy_queens).count() as i32;
        let file = Bitboard::from_file(square.file());
        if (file & own_pawns).is_empty() {
            mobility += if (file & enemy_pawns).is_empty() { OPEN_FILE } else { HALF_OPEN_FILE };
        }
    }
    // One attacker alone mates nobody.
    if attackers >= 2 {
        value.middle += danger * danger * DANGER / (256 * 100);
    }
    let pieces_hit = guarded & position.of_color(us).without(own_pawns);
    value -= PAWN_THREAT * pieces_hit.count() as i32;
    value.middle += king_shield(position, us, own_pawns);
    value + mobility
}

fn pawn_terms(position: &Position, us: Color) -> Tapered {
    let own = position.pieces(us, PieceType::Pawn);
    let enemy = position.pieces(!us, PieceType::Pawn);
    let enemy_front = front_fill(enemy, !us);
    let enemy_reach = enemy_front | pawn_attack_set(enemy | enemy_front, !us);
    let own_front = front_fill(own, us);
    let rank = |square: Square| square.relative_to(us).rank().index();
    let mut value = DOUBLED * (own & own_front).count() as i32;
    for square in own.without(enemy_reach).without(front_fill(own, !us)) {
        value += PASSED[rank(square)];
        let ahead = square.offset(if us == Color::White { 8 } else { -8 });
        if position.piece_on(ahead).is_some() {
            value += PASSED_AND_BLOCKED;
        }
        let advance = (rank(square) as i32 - 1).max(0);
        let kings = ENEMY_KING_FAR * position.king(!us).distance(ahead)
            + OWN_KING_FAR * position.king(us).distance(ahead);
        value += t(kings.middle * advance / 16, kings.end * advance / 16);
    }
    for square in own & pawn_attack_set(own, us) {
        value += SUPPORTED[rank(square)];
    }
    for square in own & own.without(Bitboard::from_file(File::H)).shift(1) {
        value += PHALANX[rank(square)];
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

    fn at(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn value(fen: &str) -> i32 {
        evaluate(&at(fen), &Accumulator::of(&at(fen)))
    }

    #[test]
    fn to_be_on_move_is_all_that_an_even_position_is_worth() {
        for side in ["w", "b"] {
            assert_eq!(value(&format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {side} KQkq - 0 1")), 12);
        }
    }

    #[test]
    fn more_pieces_than_at_the_start_are_no_more_than_a_middle_game() {
        let position = at("k7/pp6/8/8/8/8/8/KQQQQQQQ w - - 0 1");
        let accumulator = Accumulator::of(&position);
        let whole = accumulator.pieces + terms(&position, Color::White) - terms(&position, Color::Black);
        assert_eq!(evaluate(&position, &accumulator), whole.middle + TEMPO);
    }

    #[test]
    fn without_pawns_hardly_more_seldom_wins() {
        for (board, sign) in [("4k3/8/8/8/8/8/8/R3K3", 1), ("r3k3/8/8/8/8/8/8/4K3", -1)] {
            assert!(value(&format!("{board} w - - 0 1")) * sign > 350, "{board}");
        }
        for (board, sign) in [("2b1k3/8/8/8/8/8/8/R3K3", 1), ("r3k3/8/8/8/8/8/8/2B1K3", -1)] {
            assert!(value(&format!("{board} w - - 0 1")) * sign < 150, "{board}");
        }
    }

    #[test]
    fn pawns_count_by_their_place_and_the_kings() {
        let of = |board: &str, us: Color| pawn_terms(&at(&format!("{board} w - - 0 1")), us);
        // On the fifth rank, by itself; the own king two steps from the square before it, the other seven.
        assert_eq!(of("8/8/8/P7/1K6/8/8/7k", Color::White), t(-1 - 22, 34 - 3 + 127));
        assert_eq!(of("7K/8/8/1k6/p7/8/8/8", Color::Black), t(-1 - 22, 34 - 3 + 127));
        // Something stands before it.
        let (free, blocked) = ("4k3/8/3n4/4P3/8/8/8/4K3", "4k3/8/4n3/4P3/8/8/8/4K3");
        assert_eq!(of(blocked, Color::White) - of(free, Color::White), t(3, -24));
        // The files a and h are not beside each other: two passed pawns, each by itself.
        assert_eq!(of("4k3/8/8/8/P7/7P/8/4K3", Color::White), t(-3 - 5 - 9 - 3, 18 + 25 + 16 - 6));
        // The one in front is guarded.
        let chains = "4k3/8/4p3/3pP3/3P4/8/8/4K3";
        assert_eq!((of(chains, Color::White), of(chains, Color::Black)), (t(19, 13), t(11, 17)));
    }

    #[test]
    fn pawns_before_the_king_shield_it() {
        let shield = |fen: &str, us| king_shield(&at(fen), us, at(fen).pieces(us, PieceType::Pawn));
        let fen = "6k1/5p2/6p1/8/8/7P/5PP1/6K1 w - - 0 1";
        assert_eq!((shield(fen, Color::White), shield(fen, Color::Black)), (2 * 21 + 13, 21 + 13));
    }

    #[test]
    fn rooks_and_knights_count_by_their_squares() {
        let of = |board: &str| terms(&at(&format!("{board} b - - 0 1")), Color::White);
        // Thirteen squares on an open file; twelve on a half-open one.
        assert_eq!(of("7k/8/8/8/8/8/8/R6K"), t(20 + 43, 3 - 22));
        assert_eq!(of("7k/p7/8/8/8/8/8/R6K"), t(38 + 15, -4 + 2));
        // One rook beside the king is no danger, two are: 108 * 108 * 122 / 25600.
        assert_eq!(of("7k/R7/8/8/8/8/8/7K"), t(53 + 43, -43 - 22));
        assert_eq!(of("1R5k/R7/8/8/8/8/8/7K"), t(2 * (53 + 43) + 55, 2 * (-43 - 22)));
        // A knight with eight squares that a pawn attacks.
        assert_eq!(of("7k/8/8/4p3/3N4/8/8/7K"), t(10 - 42, -22 - 30));
        // Guarded by a pawn, beyond the third rank and not.
        for (board, expected) in
            [("7k/8/8/3N4/4P3/8/8/7K", t(10 + 26, -22 + 3)), ("7k/8/8/8/8/3N4/4P3/7K", t(10, -22))]
        {
            let pawns = pawn_terms(&at(&format!("{board} b - - 0 1")), Color::White);
            assert_eq!(of(board) - pawns, expected, "{board}");
        }
    }
}
