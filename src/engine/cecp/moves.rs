//! Moves as xboard's protocol writes them.

use crate::board::Position;
use crate::engine::info::is_squares;
use crate::notation::san::{parse_san, to_san};
use crate::notation::uci_move::{parse_uci, to_uci};
use crate::types::{CastlingSide, Move};

/// A legal move of `position` as an engine is told it: in standard algebraic notation or by its squares. By squares
/// castling is the king's step of two, but `O-O` and `O-O-O` in Chess960.
pub fn write_move(mv: Move, position: &Position, san: bool, chess960: bool) -> String {
    if san {
        return to_san(mv, position);
    }
    if let (true, Some(side)) = (chess960, mv.castling_side()) {
        return match side {
            CastlingSide::King => "O-O".into(),
            CastlingSide::Queen => "O-O-O".into(),
        };
    }
    to_uci(mv, position, false)
}

/// Reads a legal move of `position` as engines write it: by its squares, with both spellings of castling, or in algebraic
/// notation.
///
/// # Errors
/// If no legal move, or not one alone, is meant; the message says why.
pub fn parse_move(text: &str, position: &Position) -> Result<Move, String> {
    // `B4b5` is a bishop from the fourth rank.
    if text.starts_with('B')
        && let Ok(mv) = parse_san(text, position)
    {
        return Ok(mv);
    }
    if is_squares(text) {
        return parse_uci(text, position).map_err(|error| error.to_string());
    }
    parse_san(text, position).map_err(|error| error.to_string())
}

/// The moves of a line that an engine thinks of, from `position` on and in UCI's notation, up to the first word that is
/// none.
pub(super) fn read_line(text: &str, position: &Position, chess960: bool) -> Vec<String> {
    let mut position = *position;
    let mut line = vec![];
    for word in text.split_ascii_whitespace() {
        // Numbers stand alone or before a move: `1.`, `1...`, `12.e4`.
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let word = if digits.len() < word.len() && (digits.is_empty() || digits.starts_with('.')) {
            digits.trim_start_matches('.')
        } else {
            word
        };
        if word.is_empty() || word == "..." {
            continue;
        }
        // Sjeng marks what it has from its hash table.
        let word = word.trim_start_matches('<').trim_end_matches('>');
        // In parentheses stand remarks, and moves that are only hoped for.
        if word.starts_with('(') {
            break;
        }
        let Ok(mv) = parse_move(word, &position) else { break };
        line.push(to_uci(mv, &position, chess960));
        position = position.after(mv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn moves_are_written_and_read() {
        let castling = position("r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq - 0 1");
        for text in ["e1g1", "O-O", "0-0", "e1h1"] {
            let mv = parse_move(text, &castling).unwrap();
            assert_eq!(write_move(mv, &castling, false, false), "e1g1", "{text}");
            assert_eq!(write_move(mv, &castling, false, true), "O-O");
            assert_eq!(write_move(mv, &castling, true, false), "O-O");
        }
        let long = parse_move("O-O-O", &castling).unwrap();
        assert_eq!(write_move(long, &castling, false, false), "e1c1");
        assert_eq!(write_move(long, &castling, false, true), "O-O-O");
        assert_eq!(read_line("O-O-O", &castling, true), ["e1a1"]);
        let bishops = position("6k1/8/2B5/3p4/2B5/8/8/6K1 w - - 0 1");
        assert_eq!(to_uci(parse_move("B4b5", &bishops).unwrap(), &bishops, false), "c4b5");
        let pawn = position("6k1/8/8/8/1P6/8/8/6K1 w - - 0 1");
        assert_eq!(to_uci(parse_move("B4B5", &pawn).unwrap(), &pawn, false), "b4b5");
        let promoting = position("1k6/7P/8/8/8/8/8/K7 w - - 0 1");
        for text in ["h7h8q", "h7h8Q", "h8=Q", "h8Q+", "h7-h8=Q"] {
            assert_eq!(write_move(parse_move(text, &promoting).unwrap(), &promoting, false, false), "h7h8q");
        }
        for text in ["", "@@@@", "0000", "h7h8", "h7h8k", "hello", "\u{fffd}"] {
            assert!(parse_move(text, &promoting).is_err(), "{text}");
        }
    }

    #[test]
    fn lines_are_read_as_far_as_they_go() {
        let start = Position::default();
        let read = |text| read_line(text, &start, false).join(" ");
        assert_eq!(read("1. e4 e5 2.Nf3 <HT>"), "e2e4 e7e5 g1f3");
        assert_eq!(read("1. e4 2... d5 <d4>"), "e2e4 d7d5 d2d4");
        assert_eq!(read("e2e4 e7e5 O-O"), "e2e4 e7e5");
        assert_eq!(read("(e4 64%, d4 24%)"), "");
        assert_eq!(read("1-0"), "");
    }
}
