//! Moves as UCI writes them: `e2e4`, `e7e8q`, castling `e1g1` or, in Chess960, `e1h1`.

use crate::board::{Board, FenStyle, Position};
use crate::types::{CastlingSide, File, Move, MoveKind, PieceType, Rank, Square};
use std::fmt;

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciMoveError {
    /// Not of the form `e2e4` or `e7e8q`: the text.
    Syntax(String),
    /// The null move `0000`.
    Null,
    /// Not legal: the text and the FEN of the position.
    Illegal(String, String),
}

impl fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciMoveError::Syntax(text) => write!(f, "'{text}' is no move, expected one like e2e4 or e7e8q"),
            UciMoveError::Null => f.write_str("the null move 0000 cannot be played"),
            UciMoveError::Illegal(text, fen) => write!(f, "{text} is not legal in {fen}"),
        }
    }
}

impl std::error::Error for UciMoveError {}

/// A legal or pseudo-legal move of `board`. With `chess960` castling is written king takes rook; without, as the
/// king's step of two squares, unless king and rook do not stand as in standard chess.
pub fn to_uci(mv: Move, board: &Board, chess960: bool) -> String {
    let to = match mv.kind() {
        MoveKind::Castling if !chess960 && stands_as_in_standard_chess(mv) => {
            CastlingSide::of(mv.from(), mv.to()).king_target(board.side_to_move())
        }
        _ => mv.to(),
    };
    let mut text = format!("{}{to}", mv.from());
    text.extend(mv.promoted().map(PieceType::letter));
    text
}

fn stands_as_in_standard_chess(castling: Move) -> bool {
    castling.from().file() == File::E && matches!(castling.to().file(), File::A | File::H)
}

/// Reads a legal move of `position`. Both spellings of castling are understood, and capital letters.
///
/// # Errors
/// If the text is no move or the move is not legal.
pub fn parse_uci(text: &str, position: &Position) -> Result<Move, UciMoveError> {
    if text == "0000" {
        return Err(UciMoveError::Null);
    }
    let lower = text.to_ascii_lowercase();
    let syntax = || UciMoveError::Syntax(text.to_string());
    let from = lower.get(0..2).and_then(Square::parse).ok_or_else(syntax)?;
    let to = lower.get(2..4).and_then(Square::parse).ok_or_else(syntax)?;
    let promoted = match lower.get(4..).unwrap_or_default() {
        "" => None,
        "n" => Some(PieceType::Knight),
        "b" => Some(PieceType::Bishop),
        "r" => Some(PieceType::Rook),
        "q" => Some(PieceType::Queen),
        _ => return Err(syntax()),
    };
    candidates(position, from, to, promoted)
        .into_iter()
        .flatten()
        .find(|&mv| position.is_legal(mv))
        .ok_or_else(|| UciMoveError::Illegal(text.to_string(), position.to_fen(FenStyle::XFen)))
}

/// The moves that the squares can mean, the likeliest first.
fn candidates(
    position: &Position,
    from: Square,
    to: Square,
    promoted: Option<PieceType>,
) -> [Option<Move>; 3] {
    if from == to {
        // In Chess960 the king may castle without moving; only king takes rook can say so.
        return [None; 3];
    }
    if let Some(piece) = promoted {
        return [Some(Move::promotion(from, to, piece)), None, None];
    }
    let us = position.side_to_move();
    if position.kind_on(from) == Some(PieceType::King) {
        let by_target = CastlingSide::ALL.into_iter().find_map(|side| {
            let rook = position.castling_rights().rook(us, side)?;
            let two_steps = from.file().index().abs_diff(to.file().index()) > 1;
            (side.king_target(us) == to && two_steps && to.rank() == Rank::First.relative_to(us))
                .then(|| Move::castling(from, rook))
        });
        return [Some(Move::normal(from, to)), Some(Move::castling(from, to)), by_target];
    }
    [Some(Move::normal(from, to)), Some(Move::en_passant(from, to)), None]
}
