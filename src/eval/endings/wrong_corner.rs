//! Rook's pawns whose corner the other king has reached, with no bishop that could drive it out
//! (<https://www.chessprogramming.org/Wrong_Color_Bishop_and_Rook_Pawn>).

use crate::board::Board;
use crate::board::tables::{king_attacks, pawn_attacks};
use crate::types::{Bitboard, Color, File, PieceType, Rank, Square};

/// True if `side`, which has neither knights nor rooks nor queens, has pawns on one of the outer files alone, no bishop on
/// the colour of the corner where they promote, and the other king stands in that corner, or beside it and the corner is
/// empty: they cannot take the corner from it, nor leave their file, for there is nothing to capture beside it, nor does a
/// pawn come to be there. That a piece has to go there, as it is the only move, is not looked for:
/// `k2n4/2K2p2/P1p1pB2/2B1B3/8/8/8/8 b`, where Nb7 axb7 is mate, counts as held.
#[inline]
pub(super) fn is_held(board: &Board, side: Color) -> bool {
    let pawns = board.pieces(side, PieceType::Pawn);
    let Some(first) = pawns.first() else { return false };
    let file = first.file();
    if !matches!(file, File::A | File::H) || pawns.without(Bitboard::from_file(file)).any() {
        return false;
    }
    let beside = Bitboard::from_file(if file == File::A { File::B } else { File::G });
    if (board.of_color(!side) & beside).without(Bitboard::from(board.king(!side))).any() {
        return false;
    }
    let corner = Square::new(file, Rank::Eighth.relative_to(side));
    let color = if Bitboard::DARK.has(corner) { Bitboard::DARK } else { !Bitboard::DARK };
    let king = board.king(!side);
    let bishops = board.pieces(side, PieceType::Bishop);
    (bishops & color).is_empty()
        && !(bishops.any() && pawns.several() && may_capture_beside(board, side, file, beside & !color))
        && (king == corner || king_attacks(corner).has(king) && !board.occupied().has(corner))
}

/// True if a pawn of the side that holds the corner may come to take a bishop on one of these squares, of the file beside the
/// pawns of `side`. If one of those shuts the king in, and nothing else can move, it has to, and another takes it there.
fn may_capture_beside(board: &Board, side: Color, file: File, squares: Bitboard) -> bool {
    let theirs = board.pieces(!side, PieceType::Pawn);
    let behind = theirs & Bitboard::from_file(file);
    let blocked = board.pieces(side, PieceType::Pawn).shift(if side == Color::White { 8 } else { -8 });
    let beyond = Bitboard::from_file(if file == File::A { File::C } else { File::F });
    // From farther away it would have to take twice.
    let comes_nearer = board.pieces(side, PieceType::Bishop).several() && (theirs & !behind).any();
    comes_nearer
        || (theirs & beyond).any()
        // With its way free it comes to squares of either colour.
        || (behind & !blocked).any()
        || behind.into_iter().any(|pawn| (pawn_attacks(!side, pawn) & squares).any())
}

#[cfg(test)]
mod tests {
    use super::super::tests::position;
    use super::*;
    use crate::board::Position;
    use crate::types::Move;

    /// Some reply keeps the corner, takes what has been promoted, or stalemate stands.
    fn saves_itself(position: &Position) -> bool {
        let moves = position.legal_moves();
        let holds = |&mv: &Move| {
            let next = position.after(mv);
            next.is_insufficient_material() || is_held(&next, Color::White)
        };
        if moves.is_empty() { !position.in_check() } else { moves.iter().any(holds) }
    }

    #[test]
    fn against_a_bare_king_no_move_changes_it() {
        let mut seen = 0;
        let pawns = Square::ALL.into_iter().filter(|square| square.file() == File::H);
        let bishops = Square::ALL.into_iter().filter(|&square| !Bitboard::DARK.has(square));
        for (pawn, bishop) in pawns.flat_map(|pawn| bishops.clone().map(move |bishop| (pawn, bishop))) {
            for (bare, king) in king_attacks(Square::H8)
                .with(Square::H8)
                .into_iter()
                .flat_map(|bare| Square::ALL.map(|king| (bare, king)))
            {
                let placed = [(pawn, 'P'), (bishop, 'B'), (bare, 'k'), (king, 'K')];
                if let Some(position) = position(&placed, Color::Black) {
                    assert!(is_held(&position, Color::White) && saves_itself(&position), "{placed:?}");
                    seen += 1;
                }
                let Some(position) = position(&placed, Color::White) else { continue };
                for mv in position.legal_moves().iter().filter(|mv| mv.promoted().is_some()) {
                    assert!(saves_itself(&position.after(*mv)), "{placed:?} {mv:?}");
                }
            }
        }
        assert!(seen > 30_000, "{seen}");
    }

    fn held(fen: &str) -> bool {
        let board = Board::from_fen(fen).unwrap();
        is_held(&board, Color::White)
    }

    #[test]
    fn the_corner_is_kept_from_pawns_of_its_file_and_bishops_of_the_other_colour() {
        for (board, expected) in [
            ("7k/8/5K2/8/7P/3B4/8/8", true),
            ("7k/8/5K2/8/7P/8/8/8", true),
            ("8/6k1/8/4K2P/7P/3B4/8/8", true),
            ("6k1/5p2/5K2/8/7P/3B4/8/8", true),
            // There is something to capture on the next file; White mates in six (the first).
            ("6k1/8/5Kp1/7P/8/3B4/8/8", false),
            ("6k1/8/4Kpp1/7P/8/3B4/8/8", false),
            ("7k/6n1/5K2/8/7P/3B4/8/8", false),
            // The bishop covers the corner.
            ("7k/8/5K2/8/7P/4B3/8/8", false),
            ("7k/8/5K2/8/7P/3BB3/8/8", false),
            // The king is not there yet.
            ("5k2/8/5K2/8/7P/3B4/8/8", false),
            ("k7/8/5K2/8/7P/3B4/8/8", false),
            // A man of its own stands in it; mate in one.
            ("b7/k1K5/p7/P7/8/8/8/4B3", false),
            ("r7/k1K5/p7/P7/8/8/8/4B3", false),
            ("k7/b1K5/p7/P7/8/8/8/4B3", true),
            // A pawn has to take the bishop, and is taken: White wins with the next pawn's file.
            ("k7/P6p/1K5B/p7/PB6/8/P7/8", false),
            ("k7/P7/1K6/8/p7/P7/8/B7", true),
            ("k7/P7/1K6/p7/8/B7/P7/8", false),
            ("k7/P7/1K6/2p5/1B6/8/P7/8", false),
            ("k7/P7/1K6/2p5/8/8/P7/8", true),
            ("k7/P7/1K6/3p4/1B6/8/P7/8", true),
            ("k7/P7/1K6/3p4/1B1B4/8/P7/8", false),
            // Another pawn.
            ("7k/8/5K2/8/6PP/3B4/8/8", false),
            ("7k/8/5K2/8/P6P/3B4/8/8", false),
            ("7k/8/5K2/8/8/3B4/8/8", false),
            // On the other side of the board the colours are the other way round.
            ("k7/8/2K5/8/P7/2B5/8/8", true),
            ("k7/8/2K5/8/P7/3B4/8/8", false),
        ] {
            for side in ["w", "b"] {
                assert_eq!(held(&format!("{board} {side} - - 0 1")), expected, "{board} {side}");
            }
        }
    }

    #[test]
    fn black_goes_the_other_way() {
        for (fen, expected) in [
            ("8/8/3b4/7p/8/5k2/8/7K w - - 0 1", true),
            ("8/8/4b3/7p/8/5k2/8/7K w - - 0 1", false),
            ("7K/8/3b4/7p/8/5k2/8/8 w - - 0 1", false),
        ] {
            assert_eq!(is_held(&Board::from_fen(fen).unwrap(), Color::Black), expected, "{fen}");
        }
    }
}
