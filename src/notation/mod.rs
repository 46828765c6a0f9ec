//! Moves and games as text.
//!
//! Knows the rules through `movegen`; does not know who plays.

pub mod announce;
pub mod comment;
pub mod diagram;
pub mod epd;
pub mod fide;
pub mod fide_reader;
pub mod lan;
pub mod letters;
pub mod national;
pub mod pgn;
mod pgn_error;
pub mod pgn_reader;
pub mod pgn_result;
mod pgn_tokens;
pub mod rewrite;
pub mod san;
pub mod sheet;
pub mod spelling;
pub mod uci_move;

use std::borrow::Cow;

/// Bytes as text: UTF-8 if they are, else Latin-1 (ISO 8859-1), the character set of the PGN standard (section 4.1).
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}
