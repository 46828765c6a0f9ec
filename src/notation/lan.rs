//! Long algebraic notation: `e2-e4`, `Ng1-f3`, `e7xd8=Q+`.

use super::san::to_san;
use crate::board::Position;
use crate::types::{Move, PieceType};

/// A legal move in long algebraic notation, as in the PGN standard's section 8.2.3 but with both squares in full
/// (FIDE Laws of Chess, appendix C.8, the long form).
pub fn to_lan(mv: Move, position: &Position) -> String {
    let short = to_san(mv, position);
    if mv.is_castling() {
        return short;
    }
    let piece = match position.kind_on(mv.from()) {
        None | Some(PieceType::Pawn) => String::new(),
        Some(kind) => kind.letter().to_ascii_uppercase().to_string(),
    };
    let sign = if position.is_capture(mv) { 'x' } else { '-' };
    let promoted =
        mv.promoted().map_or(String::new(), |kind| format!("={}", kind.letter().to_ascii_uppercase()));
    let check = short.trim_start_matches(|letter| letter != '+' && letter != '#');
    format!("{piece}{}{sign}{}{promoted}{check}", mv.from(), mv.to())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::san::parse_san;

    #[test]
    fn both_squares_are_written() {
        let lan = |fen: &str, san: &str| {
            let position = Position::from_fen(fen).unwrap();
            to_lan(parse_san(san, &position).unwrap(), &position)
        };
        let start = crate::board::Board::START_FEN;
        assert_eq!(lan(start, "e4"), "e2-e4");
        assert_eq!(lan(start, "Nf3"), "Ng1-f3");
        assert_eq!(lan("3rk3/4P3/8/8/8/8/8/R3K2R w KQ - 0 1", "exd8=Q+"), "e7xd8=Q+");
        assert_eq!(lan("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O"), "O-O");
        assert_eq!(lan("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6"), "e5xd6");
    }
}
