//! Moves and games as text.
//!
//! Knows the rules through `movegen`; does not know who plays.

pub mod announce;
mod characters;
pub mod comment;
pub mod diagram;
pub mod epd;
pub mod fide;
pub mod fide_reader;
mod glyphs;
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

/// Why a file that begins with these bytes holds no text that could be read here, if its first ones say so.
pub fn why_no_text(beginning: &[u8]) -> Option<&'static str> {
    const FORMS: [(&[u8], &str); 8] = [
        (b"\x1f\x8b", "this is compressed (gzip); unpack it first"),
        (b"\x28\xb5\x2f\xfd", "this is compressed (Zstandard); unpack it first"),
        (b"BZh", "this is compressed (bzip2); unpack it first"),
        (b"\xfd7zXZ\0", "this is compressed (xz); unpack it first"),
        (b"7z\xbc\xaf\x27\x1c", "this is an archive (7z); unpack it first"),
        (b"PK\x03\x04", "this is an archive (zip); unpack it first"),
        (b"\xff\xfe", "this is UTF-16; save it as UTF-8"),
        (b"\xfe\xff", "this is UTF-16; save it as UTF-8"),
    ];
    FORMS.into_iter().find(|(mark, _)| beginning.starts_with(mark)).map(|(_, why)| why)
}

/// The longest mark that [`why_no_text`] knows, in bytes.
pub const LONGEST_MARK: usize = 6;

/// Bytes as text: UTF-8 if they are, else Latin-1 (ISO 8859-1), the character set of the PGN standard (section 4.1). Where that
/// has control characters nobody writes, quotation marks, dashes and letters of Windows-1252 are read, as browsers do
/// (<https://encoding.spec.whatwg.org/#names-and-labels>).
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(of_byte).collect()),
    }
}

/// The character that a byte is where the text is no UTF-8.
fn of_byte(byte: u8) -> char {
    /// Those from 0x80 to 0x9f; five are nothing in Windows-1252 either.
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn what_is_no_utf_8_is_latin_1_and_windows_1252() {
        assert_eq!(decode(b"M\xc3\xbcller"), "Müller");
        assert_eq!(decode(b"M\xfcller \x8aahovski\x85 \x93a\x94 \x80\x9f"), "Müller Šahovski… “a” €Ÿ");
    }
}
