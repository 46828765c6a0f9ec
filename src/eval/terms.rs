//! What a network's value is corrected by: a few numbers about each side, told by name.
//!
//! Games of many nodes a move are too few to teach a network, but enough to teach some forty weights: of squares that one
//! side attacks twice, pawns before the king and the like, for few, some and most pieces on the board. How the weights were
//! found, and what games say of them, stands in `src/eval/NETWORKS.md`. They correct the errors of one network, and no other
//! is corrected by them.

use super::network::{Inputs, Network};
use super::pawns::{around_file, beside, front_fill, isolated, passed};
use crate::board::tables::king_attacks;
use crate::board::{Attacks, Board};
use crate::types::{Bitboard, Color, PieceType, Rank, Square};

/// The id of the network whose errors the weights correct: generation 16.
const NETWORK: [u8; 8] = [0x41, 0xa4, 0x68, 0x86, 0x43, 0x26, 0x75, 0x37];

/// How many numbers there are about a side.
const NUMBERS: usize = 14;
/// What one internal unit is in weights.
const UNIT: i32 = 64;

/// The weight of each number, in 64ths of an internal unit, with 8 pieces on the board and fewer, with 18, and with 28 and
/// more; in between in proportion.
#[rustfmt::skip]
const WEIGHTS: [[i16; 3]; NUMBERS] = [
    // Squares that the side attacks twice and the other does not; that it attacks and the other does not.
    [155, 98, 29],
    [-73, 46, 8],
    // Squares of the other king and around it that the side attacks; those of them that the other does not attack twice.
    [87, 148, 62],
    [-104, 111, 135],
    // Squares that its queens attack, without own pieces and what enemy pawns attack.
    [-156, -43, -22],
    // Pawns beside its king and before it, up to two ranks away; pawns on the other king's files, from the fifth rank on.
    [-47, -119, -384],
    [-664, -88, 280],
    // How far the king is from the middle, in half squares along files and ranks.
    [120, 16, -53],
    // Pawns; passed ones; the sum of the squares of the ranks that these have gone; isolated ones; protected by pawns.
    [-582, -182, 41],
    [251, 162, -249],
    [-40, 42, 1],
    [-316, -118, -149],
    [-261, -171, -99],
    // Knights and bishops from the fourth to the sixth rank, protected by a pawn, that no enemy pawn can ever attack.
    [504, -245, 434],
];

/// [`WEIGHTS`] by the number of pieces.
static BY_PIECES: [[i16; NUMBERS]; 33] = {
    let mut table = [[0; NUMBERS]; 33];
    let mut pieces = 0;
    while pieces < table.len() {
        // Tenths of the way from the weights of 8 pieces to those of 18, then to those of 28.
        let way = if pieces < 8 {
            0
        } else if pieces > 28 {
            20
        } else {
            pieces as i32 - 8
        };
        let (from, tenths) = if way < 10 { (0, way) } else { (1, way - 10) };
        let mut number = 0;
        while number < NUMBERS {
            let [low, high] = [WEIGHTS[number][from] as i32, WEIGHTS[number][from + 1] as i32];
            table[pieces][number] = ((low * (10 - tenths) + high * tenths) / 10) as i16;
            number += 1;
        }
        pieces += 1;
    }
    table
};

/// Whether values of this network are to be corrected.
pub(super) fn correct(network: &Network) -> bool {
    network.id() == NETWORK && network.architecture().inputs == Inputs::Exposure
}

/// What is to be added to the network's value of a position for White, in internal units; `attacks` are White's and
/// Black's.
#[inline]
pub(super) fn correction(board: &Board, attacks: &[Attacks; Color::NUM]) -> i32 {
    let [white, black] = attacks;
    let ours = numbers(board, Color::White, white, black);
    let theirs = numbers(board, Color::Black, black, white);
    // There are 32 pieces at most; the remainder tells the compiler so.
    let weights = &BY_PIECES[board.occupied().count() as usize % BY_PIECES.len()];
    let sum: i32 = (0..NUMBERS).map(|at| i32::from(weights[at]) * (ours[at] - theirs[at])).sum();
    sum / UNIT
}

/// The numbers about `us`, in the order of [`WEIGHTS`]; what both sides attack is known.
#[inline(always)]
fn numbers(board: &Board, us: Color, own: &Attacks, other: &Attacks) -> [i32; NUMBERS] {
    let pawns = board.pieces(us, PieceType::Pawn);
    let enemy_pawns = board.pieces(!us, PieceType::Pawn);
    let minors = board.pieces(us, PieceType::Knight) | board.pieces(us, PieceType::Bishop);
    let (king, enemy_king) = (board.king(us), board.king(!us));
    let ring = king_attacks(enemy_king).with(enemy_king) & own.all;
    let passed = passed(pawns, enemy_pawns, us);
    let driven_away = other.pawns | front_fill(other.pawns, !us);
    let outposts = minors & own.pawns & ranks(us, Rank::Fourth, Rank::Sixth);
    let count = |squares: Bitboard| squares.count() as i32;
    [
        count(own.twice.without(other.twice)),
        count(own.all.without(other.all)),
        count(ring),
        count(ring.without(other.twice)),
        count(own.queens.without(board.of_color(us) | other.pawns)),
        count(pawns & shield(king, us)),
        count(pawns & around_file(enemy_king) & ranks(us, Rank::Fifth, Rank::Seventh)),
        from_the_middle(king),
        count(pawns),
        count(passed),
        passed.into_iter().map(|square| gone(square, us).pow(2)).sum(),
        count(isolated(pawns)),
        count(pawns & own.pawns),
        count(outposts.without(driven_away)),
    ]
}

/// The squares beside a king, and those before it and beside them, up to two ranks away.
#[inline(always)]
fn shield(king: Square, us: Color) -> Bitboard {
    let square = Bitboard::from_square(king);
    let three = square | beside(square);
    let up = if us == Color::White { 8 } else { -8 };
    beside(square) | three.shift(up) | three.shift(2 * up)
}

/// The ranks from one to another as `us` counts them.
#[inline(always)]
fn ranks(us: Color, from: Rank, to: Rank) -> Bitboard {
    let (low, high) = match us {
        Color::White => (from.index(), to.index()),
        Color::Black => (7 - to.index(), 7 - from.index()),
    };
    Bitboard(!0 << (8 * low) & !0 >> (8 * (7 - high)))
}

/// How far a square is from the middle of the board, in half squares along files and ranks: 2 to 14.
#[inline(always)]
fn from_the_middle(square: Square) -> i32 {
    let away = |index: usize| (2 * index as i32 - 7).abs();
    away(square.file().index()) + away(square.rank().index())
}

/// The ranks that a pawn of `us` on `square` has gone: 0 to 5.
#[inline(always)]
fn gone(square: Square, us: Color) -> i32 {
    square.rank().relative_to(us).index() as i32 - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::eval::network::Architecture;
    use crate::eval::{Evaluation, static_score};

    fn both(fen: &str) -> [[i32; NUMBERS]; Color::NUM] {
        let position = Position::from_fen(fen).unwrap();
        let [white, black] = position.attacks();
        [numbers(&position, Color::White, &white, &black), numbers(&position, Color::Black, &black, &white)]
    }

    #[test]
    fn numbers_are_what_they_say() {
        // White: c5 is passed, protected and three ranks on, b4 is passed, h6 storms, the knight on d6 stands on an outpost.
        let [white, black] = both("5rk1/5pp1/3N3P/2P5/1P6/8/8/3Q3K w - - 0 1");
        // Twice d6 (queen and pawn) and g1 (queen and king).
        assert_eq!(white[0], 2);
        // Of f8, g8, h8, f7, g7 and h7 the knight has f7, where Black has king and rook, the pawn g7.
        assert_eq!(white[2..4], [2, 1]);
        // The queen has 4 squares along its file, 6 along its rank, 4 and 3 along its diagonals.
        assert_eq!(white[4..], [17, 0, 1, 14, 3, 2, 13, 1, 1, 1]);
        // f7 twice, where White has one; alone f8, h8, h7, e6, f6, g6, h6, a8, b8, d8 and g8.
        assert_eq!(black[..4], [1, 11, 0, 0]);
        // f7 is passed, and still at home.
        assert_eq!(black[4..], [0, 2, 0, 12, 2, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn weights_go_from_column_to_column_by_the_pieces() {
        let column = |column: usize| WEIGHTS.map(|weights| weights[column]);
        for (pieces, expected) in [(2, 0), (8, 0), (18, 1), (28, 2), (32, 2)] {
            assert_eq!(BY_PIECES[pieces], column(expected), "{pieces}");
        }
        assert_eq!([BY_PIECES[13][8], BY_PIECES[23][8]], [(-582 - 182) / 2, (-182 + 41) / 2]);
    }

    #[test]
    fn colours_flip_exactly() {
        let [white, black] = both("r4rk1/1b2bppp/p1nqpn2/1p6/3P4/PBN2N2/1P2QPPP/R1BR2K1 w - - 0 1");
        let [flipped_white, flipped_black] =
            both("r1br2k1/1p2qppp/pbn2n2/3p4/1P6/P1NQPN2/1B2BPPP/R4RK1 b - - 0 1");
        assert_eq!((white, black), (flipped_black, flipped_white));
        assert_ne!(white, black);
    }

    #[test]
    fn only_the_network_inside_is_corrected() {
        let Evaluation::Network(network) = Evaluation::internal().unwrap() else { return };
        assert!(correct(&network));
        assert!(!correct(&Network::zero(Architecture::new(Inputs::Mirrored, 32, 1)).unwrap()));
        let position = Position::from_fen("6k1/5pp1/3N3P/2P5/1P6/8/8/3Q3K w - - 0 1").unwrap();
        let correction = correction(&position, &position.attacks());
        assert_ne!(correction, 0);
        let value = static_score(&position, &Evaluation::Network(network.clone()));
        assert_eq!(value.units(), network.evaluate(&position) + correction);
    }
}
