//! What can never mate, by material alone.

use crate::board::Board;
use crate::types::{Bitboard, Color, PieceType};

/// True if `side` can never mate for want of material, whatever the other side does. `false` says nothing. The board is
/// not a mate yet.
///
/// A bare king cannot. A knight needs a piece beside the enemy king that is not a queen, for a queen takes the
/// knight. Bishops of one colour need a pawn or a knight of the other side, or one of its bishops on the other
/// colour: else nothing keeps the king off the squares that they do not reach.
#[inline]
pub fn lacks_material(board: &Board, side: Color) -> bool {
    let own = board.of_color(side);
    let strong =
        board.of_kind(PieceType::Pawn) | board.of_kind(PieceType::Rook) | board.of_kind(PieceType::Queen);
    if (own & strong).any() {
        return false;
    }
    let knights = own & board.of_kind(PieceType::Knight);
    let bishops = own & board.of_kind(PieceType::Bishop);
    let other = board.of_color(!side).without(board.of_kind(PieceType::King));
    match (knights.count(), bishops.any()) {
        (0, false) => true,
        (0, true) => {
            let dark = (bishops & Bitboard::DARK).any();
            let light = bishops.without(Bitboard::DARK).any();
            if dark && light {
                return false;
            }
            let opposite =
                board.of_kind(PieceType::Bishop) & if dark { !Bitboard::DARK } else { Bitboard::DARK };
            let helpers = board.of_kind(PieceType::Pawn) | board.of_kind(PieceType::Knight) | opposite;
            (other & helpers).is_empty()
        }
        (1, false) => other.without(board.of_kind(PieceType::Queen)).is_empty(),
        _ => false,
    }
}
