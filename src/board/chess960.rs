//! The 960 starting arrays of Chess960, by R. Scharnagl's numbers (FIDE Handbook E/01, Guidelines II;
//! <https://www.chessprogramming.org/Reinhard_Scharnagl>).

use super::Board;
use crate::types::{CastlingSide, Color, File, Piece, PieceType, Rank, Square};

/// How many starting arrays there are.
pub const ARRAYS: u16 = 960;

/// The pieces of the first rank from a to h in array `number` (0 to 959; 518 is standard chess; higher numbers begin
/// anew).
pub fn array(number: u16) -> [PieceType; 8] {
    let number = usize::from(number % ARRAYS);
    let mut rank: [Option<PieceType>; 8] = [None; 8];
    // Bishops on the light squares b, d, f, h, then on the dark squares a, c, e, g.
    rank[number % 4 * 2 + 1] = Some(PieceType::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceType::Bishop);
    let mut place = |kind, skip: usize| {
        let mut free = rank.iter_mut().filter(|square| square.is_none());
        if let Some(square) = free.nth(skip) {
            *square = Some(kind);
        }
    };
    place(PieceType::Queen, number / 16 % 6);
    // The ten ways to put two knights on five squares.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)];
    let (first, second) = KNIGHTS[number / 96];
    place(PieceType::Knight, first);
    place(PieceType::Knight, second);
    place(PieceType::Rook, 0);
    place(PieceType::King, 0);
    place(PieceType::Rook, 0);
    rank.map(|square| square.unwrap_or(PieceType::Rook))
}

/// The starting position with these arrays; Chess960 when they are equal, double Chess960 when not.
pub fn start(white: u16, black: u16) -> Board {
    let mut board = Board::empty();
    for (color, number) in [(Color::White, white), (Color::Black, black)] {
        let mut rooks = vec![];
        for (file, kind) in File::ALL.into_iter().zip(array(number)) {
            board.put(Piece::new(kind, color), Square::new(file, Rank::First.relative_to(color)));
            board.put(Piece::new(PieceType::Pawn, color), Square::new(file, Rank::Second.relative_to(color)));
            if kind == PieceType::Rook {
                rooks.push(file);
            }
        }
        board.castling.grant(color, CastlingSide::Queen, rooks[0]);
        board.castling.grant(color, CastlingSide::King, rooks[1]);
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_arrays_are_960_legal_ones_and_518_is_standard_chess() {
        assert_eq!(start(518, 518), Board::from_fen(Board::START_FEN).unwrap());
        let all: HashSet<[PieceType; 8]> = (0..ARRAYS).map(array).collect();
        assert_eq!(all.len(), usize::from(ARRAYS));
        for array in all {
            let at = |kind| (0..8).filter(move |&file| array[file] == kind).collect::<Vec<_>>();
            let (bishops, rooks, king) = (at(PieceType::Bishop), at(PieceType::Rook), at(PieceType::King)[0]);
            assert_ne!(bishops[0] % 2, bishops[1] % 2);
            assert!(rooks[0] < king && king < rooks[1]);
        }
    }

    /// Scharnagl's method with a pencil: bishops, queen, two knights, and what is left is rook, king, rook.
    fn by_hand(number: usize) -> String {
        let mut rank = ['.'; 8];
        let (number, light) = (number / 4, number % 4);
        rank[[1, 3, 5, 7][light]] = 'b';
        let (number, dark) = (number / 4, number % 4);
        rank[[0, 2, 4, 6][dark]] = 'b';
        let free = |rank: &[char; 8]| (0..8).filter(|&file| rank[file] == '.').collect::<Vec<_>>();
        let (number, queen) = (number / 6, number % 6);
        rank[free(&rank)[queen]] = 'q';
        let pairs: Vec<_> =
            (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second))).collect();
        let (five, (first, second)) = (free(&rank), pairs[number]);
        (rank[five[first]], rank[five[second]]) = ('n', 'n');
        for (file, piece) in free(&rank).into_iter().zip(['r', 'k', 'r']) {
            rank[file] = piece;
        }
        rank.iter().collect()
    }

    #[test]
    fn the_arrays_have_scharnagls_numbers() {
        let array = |number: u16| array(number).map(PieceType::letter).iter().collect::<String>();
        for (number, pieces) in [
            (0, "bbqnnrkr"),
            (1, "bqnbnrkr"),
            (97, "bqnbrnkr"),
            (200, "qbnrbknr"),
            (333, "nrqbkrbn"),
            (518, "rnbqkbnr"),
            (700, "rbqknnbr"),
            (959, "rkrnnqbb"),
        ] {
            assert_eq!(array(number), pieces, "{number}");
        }
        for number in 0..ARRAYS {
            assert_eq!(array(number), by_hand(number.into()), "{number}");
        }
    }
}
