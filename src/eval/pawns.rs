//! What the squares of pawns tell, and which squares count for them.

use crate::board::tables::pawn_attack_set;
use crate::types::{Bitboard, Color, File, Square};

/// The squares before a set of pawns of `color`, to the last rank.
#[inline(always)]
pub(super) fn front_fill(pawns: Bitboard, color: Color) -> Bitboard {
    let mut filled = pawns;
    for ranks in [8, 16, 32] {
        filled |= filled.shift(if color == Color::White { ranks } else { -ranks });
    }
    filled.shift(if color == Color::White { 8 } else { -8 })
}

/// The squares beside a set, to the left and to the right.
#[inline(always)]
pub(super) fn beside(squares: Bitboard) -> Bitboard {
    let west = squares.without(Bitboard::from_file(File::A)).shift(-1);
    west | squares.without(Bitboard::from_file(File::H)).shift(1)
}

/// The file of a square and those beside it.
#[inline(always)]
pub(super) fn around_file(square: Square) -> Bitboard {
    let file = Bitboard::from_file(square.file());
    file | beside(file)
}

/// The foremost pawns of `us` on their files that no enemy pawn can stop
/// (<https://www.chessprogramming.org/Passed_Pawn>).
#[inline(always)]
pub(super) fn passed(own: Bitboard, enemy: Bitboard, us: Color) -> Bitboard {
    let front = front_fill(enemy, !us);
    own.without(front | pawn_attack_set(enemy | front, !us)).without(front_fill(own, !us))
}

/// Pawns without another of their side on the files beside them
/// (<https://www.chessprogramming.org/Isolated_Pawn>).
#[inline(always)]
pub(super) fn isolated(own: Bitboard) -> Bitboard {
    let files = own | front_fill(own, Color::White) | front_fill(own, Color::Black);
    own.without(beside(files))
}
