//! Setting up a position: where it is told from, and the command `edit` of engines that have no `setboard`.

use crate::board::{FenStyle, Position};
use crate::engine::process::EngineError;
use crate::types::{CastlingSide, Color, File, Move, PieceType, Rank, Square};
use std::fmt::Write;

/// True if the pieces stand as when a game of chess begins: whoever begins one has them so.
pub(super) fn is_standard(position: &Position) -> bool {
    position.board() == Position::default().board()
}

/// Whether a position can be told without `setboard`.
///
/// # Errors
/// As for [`write_edit`].
pub(super) fn can_be_edited(position: &Position) -> Result<(), EngineError> {
    if is_standard(position) { Ok(()) } else { write_edit(position, false, &mut String::new()) }
}

/// Appends the commands that set up a position in force mode. The game has to be new: `edit` does not change who is on
/// move, for which the protocol text makes White play a2a3 first.
///
/// # Errors
/// If the position is one of those that `edit` cannot tell; the message says what of it.
pub(super) fn write_edit(position: &Position, usermove: bool, text: &mut String) -> Result<(), EngineError> {
    let fen = || position.to_fen(FenStyle::XFen);
    if position.en_passant().is_some() {
        return Err(untold(&format!("the en-passant capture of {}", fen())));
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            // Castling is assumed to be allowed wherever king and rook stand at home.
            let stands = position.king(color) == Square::new(File::E, Rank::First.relative_to(color))
                && position.pieces(color, PieceType::Rook).has(side.rook_home(color));
            let has_right = position.castling_rights().rook(color, side).is_some();
            if stands != has_right {
                return Err(untold(&format!("the castling rights of {}", fen())));
            }
        }
    }
    if position.side_to_move() == Color::Black {
        text.push_str(if usermove { "usermove a2a3\n" } else { "a2a3\n" });
    }
    text.push_str("edit\n#\n");
    for color in Color::ALL {
        for kind in PieceType::ALL {
            for square in position.pieces(color, kind) {
                let _ = writeln!(text, "{}{square}", kind.letter().to_ascii_uppercase());
            }
        }
        text.push_str(if color == Color::White { "c\n" } else { ".\n" });
    }
    Ok(())
}

fn untold(what: &str) -> EngineError {
    let why = "cannot be told this opening, give it others: its command 'edit' cannot tell";
    EngineError::Unable(format!("{why} {what}"))
}

/// The number of moves from `start` on that a position can stand for: those up to the last one of a pawn or capture.
pub(super) fn first_to_be_told(start: &Position, moves: &[Move]) -> usize {
    let mut position = *start;
    let mut first = 0;
    for (index, &mv) in moves.iter().enumerate() {
        position = position.after(mv);
        if position.halfmove_clock() == 0 {
            first = index + 1;
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(fen: &str) -> Result<String, String> {
        let mut text = String::new();
        let told = write_edit(&Position::from_fen(fen).unwrap(), false, &mut text);
        told.map(|()| text).map_err(|error| error.to_string())
    }

    #[test]
    fn positions_are_edited() {
        assert_eq!(edit("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1").unwrap(), "edit\n#\nPe2\nRh1\nKe1\nc\nKe8\n.\n");
        assert_eq!(edit("4k3/8/8/8/8/8/8/4K3 b - - 0 1").unwrap(), "a2a3\nedit\n#\nKe1\nc\nKe8\n.\n");
    }

    #[test]
    fn white_passes_in_the_words_that_the_engine_knows_moves_by() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let mut text = String::new();
        write_edit(&position, true, &mut text).unwrap();
        assert!(text.starts_with("usermove a2a3\nedit\n"), "{text}");
    }

    #[test]
    fn what_cannot_be_told_is_refused() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            "4k2r/8/8/8/8/8/8/4K3 w - - 0 1",
            "r3k2r/8/8/8/8/8/8/4K3 w k - 0 1",
        ] {
            assert!(edit(fen).unwrap_err().contains("castling rights"), "{fen}");
        }
        assert!(edit("r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1").is_ok());
        assert!(edit("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap_err().contains("en-passant"));
    }
}
