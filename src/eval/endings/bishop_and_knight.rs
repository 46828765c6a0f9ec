//! A win against a bare king that the search did not find without a plan: bishop and knight mate only in a corner of the
//! bishop's colour (<https://www.chessprogramming.org/KBNK_Endgame>).

use crate::board::Board;
use crate::types::{Bitboard, Color, PieceType};

/// Score units of the win before anything is done for it.
const WIN: i32 = 800;
/// Score units for each step of the bare king towards such a corner.
const CORNER: i32 = 120;
/// Score units for each step of the other king towards it.
const KINGS: i32 = 15;

/// The value for the side to move where one side has bishop and knight, the other a bare king; `None` elsewhere.
#[inline]
pub(super) fn value(board: &Board) -> Option<i32> {
    if board.occupied().count() == 4 { bishop_and_knight(board) } else { None }
}

fn bishop_and_knight(board: &Board) -> Option<i32> {
    let (bishop, knight) = (board.of_kind(PieceType::Bishop), board.of_kind(PieceType::Knight));
    let strong = Color::ALL.into_iter().find(|&color| {
        let own = board.of_color(color);
        (own & bishop).count() == 1 && (own & knight).count() == 1
    })?;
    let (king, bare) = (board.king(strong), board.king(!strong));
    let (file, rank) = (bare.file().index() as i32, bare.rank().index() as i32);
    // 0 on the long diagonal of the other colour, 7 in a corner of the bishop's.
    let is_dark = (bishop & Bitboard::DARK).any();
    let file_seen = if is_dark { file } else { 7 - file };
    let towards = (7 - file_seen - rank).abs();
    let value = WIN + CORNER * towards + KINGS * (7 - king.distance(bare));
    Some(if board.side_to_move() == strong { value } else { -value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value_of(fen: &str) -> Option<i32> {
        value(&Board::from_fen(fen).unwrap())
    }

    #[test]
    fn the_corner_is_that_of_the_bishops_colour() {
        // The bishop on c1 is a dark one, and dark are a1 and h8.
        for (board, steps, apart) in [
            ("8/8/8/8/8/4K3/8/k1B1N3", 7, 4),
            ("7k/8/8/8/8/4K3/8/2B1N3", 7, 5),
            ("k7/8/8/8/8/4K3/8/2B1N3", 0, 5),
            ("8/8/8/8/8/4K3/8/2B1N2k", 0, 3),
            ("8/8/8/4k3/8/4K3/8/2B1N3", 1, 2),
            ("8/7k/8/8/8/4K3/8/2B1N3", 6, 4),
        ] {
            let (white, black) =
                (value_of(&format!("{board} w - - 0 1")), value_of(&format!("{board} b - - 0 1")));
            let expected = WIN + CORNER * steps + KINGS * (7 - apart);
            assert_eq!((white, black), (Some(expected), Some(-expected)), "{board}");
        }
        // With a bishop on light squares it is the other way round, whoever has it.
        assert!(value_of("k7/8/2K5/8/8/8/8/4NB2 w - - 0 1") > value_of("7k/8/5K2/8/8/8/8/4NB2 w - - 0 1"));
        assert!(value_of("K7/8/2k5/8/8/8/8/4nb2 w - - 0 1") < value_of("7K/8/5k2/8/8/8/8/4nb2 w - - 0 1"));
    }

    #[test]
    fn nothing_else_is_touched() {
        for fen in [
            "k7/8/2K5/8/8/8/8/4NN2 w - - 0 1",
            "k7/8/2K5/8/8/8/8/4Nb2 w - - 0 1",
            "k7/8/2K5/8/8/8/7P/4NB2 w - - 0 1",
            "k7/8/2K5/8/8/8/8/4QB2 w - - 0 1",
        ] {
            assert_eq!(value_of(fen), None, "{fen}");
        }
    }
}
