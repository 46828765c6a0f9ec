//! Endings whose outcome is known, and that an evaluation alone does not know: king and pawn against king (`king_and_pawn`),
//! rook's pawns that a bishop cannot help (`wrong_corner`), and the way to mate with bishop and knight
//! (`bishop_and_knight`).

mod bishop_and_knight;
mod king_and_pawn;
mod wrong_corner;

use crate::board::Board;
use crate::types::{Color, PieceType};

/// True if theory knows that `side`, which has the material to mate, cannot win against sound play. `false` says nothing.
#[inline]
pub fn cannot_win(board: &Board, side: Color) -> bool {
    let own = board.of_color(side);
    let others =
        board.of_kind(PieceType::Knight) | board.of_kind(PieceType::Rook) | board.of_kind(PieceType::Queen);
    if (own & others).any() {
        return false;
    }
    wrong_corner::is_held(board, side)
        || king_and_pawn::is_it(board, side) && !king_and_pawn::is_won(board, side)
}

/// The value for the side to move with what is known of the ending, if anything; `value` is what an evaluation says.
#[inline]
pub fn corrected(board: &Board, value: i32) -> i32 {
    let us = board.side_to_move();
    let ahead = if value > 0 { us } else { !us };
    if cannot_win(board, ahead) {
        return 0;
    }
    bishop_and_knight::value(board).or_else(|| king_and_pawn::value(board)).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::types::Square;

    /// The position with these pieces, by their letters, if it can be and no two stand on one square.
    pub(super) fn position(placed: &[(Square, char)], side: Color) -> Option<Position> {
        let mut rows = [[' '; 8]; 8];
        for &(square, letter) in placed {
            let place = &mut rows[7 - square.rank().index()][square.file().index()];
            if std::mem::replace(place, letter) != ' ' {
                return None;
            }
        }
        let mut board = rows.map(|row| row.iter().collect::<String>()).join("/");
        for empty in (1..=8).rev() {
            board = board.replace(&" ".repeat(empty), &empty.to_string());
        }
        Position::from_fen(&format!("{board} {} - - 0 1", side.letter())).ok()
    }

    #[test]
    fn what_cannot_be_won_is_worth_nothing_and_what_can_be_lost_is_left() {
        for (fen, value, expected) in [
            // A bishop and a rook's pawn that nobody drives out of the corner.
            ("7k/8/5K2/8/7P/3B4/8/8 w - - 0 1", 700, 0),
            ("7k/8/5K2/8/7P/3B4/8/8 b - - 0 1", -700, 0),
            ("7k/8/5K2/8/7P/4B3/8/8 b - - 0 1", -700, -700),
            // Yet the pawns of the other side may win.
            ("7k/8/5K2/8/7P/3B4/1pp5/8 b - - 0 1", 500, 500),
            ("7k/8/5K2/8/7P/3B4/1pp5/8 w - - 0 1", 500, 0),
            // What the other side has does not help.
            ("7k/n7/5K2/8/7P/3B4/8/8 w - - 0 1", 700, 0),
            // With another piece the corner does not hold.
            ("7k/8/5K2/8/7P/3BN3/8/8 w - - 0 1", 900, 900),
            // King and pawn.
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", -300, 0),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", 300, 0),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", -300, -680),
            ("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1", 300, 680),
        ] {
            assert_eq!(corrected(&Board::from_fen(fen).unwrap(), value), expected, "{fen}");
        }
    }
}
