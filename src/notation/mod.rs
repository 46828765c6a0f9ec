//! Moves and games as text.
//!
//! Knows the rules through `movegen`; does not know who plays.

pub mod announce;
pub mod characters;
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
    let of_mark = FORMS.into_iter().find(|(mark, _)| beginning.starts_with(mark)).map(|(_, why)| why);
    of_mark.or_else(|| is_unmarked_utf_16(beginning).then_some("this is UTF-16; save it as UTF-8"))
}

/// True if each second byte is nought, as in UTF-16 whose first characters are ASCII.
fn is_unmarked_utf_16(beginning: &[u8]) -> bool {
    let pairs = || beginning.as_chunks::<2>().0.iter().take(LONGEST_MARK / 2);
    let all = |form: fn(&[u8; 2]) -> bool| pairs().count() == LONGEST_MARK / 2 && pairs().all(form);
    all(|pair| pair[0] > 0 && pair[0].is_ascii() && pair[1] == 0)
        || all(|pair| pair[0] == 0 && pair[1] > 0 && pair[1].is_ascii())
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

/// The same, but with Windows-1251 for Latin-1: the character set of Cyrillic texts.
pub fn decode_cyrillic(bytes: &[u8]) -> Cow<'_, str> {
    /// Those from 0x80 to 0xbf; the alphabet follows, in its order.
    const WINDOWS: &str = "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\u{a0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{ad}®Ї°±Ііґµ¶·ё№є»јЅѕї";
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| cyrillic(byte, WINDOWS)).collect()),
    }
}

fn cyrillic(byte: u8, signs: &str) -> char {
    match byte {
        0x80..=0xbf => signs.chars().nth(usize::from(byte - 0x80)).unwrap_or(char::REPLACEMENT_CHARACTER),
        0xc0..=0xff => char::from_u32(0x410 + u32::from(byte - 0xc0)).unwrap_or(char::REPLACEMENT_CHARACTER),
        _ => char::from(byte),
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
    use super::{decode, decode_cyrillic, why_no_text};

    #[test]
    fn what_is_no_utf_8_is_latin_1_and_windows_1252() {
        assert_eq!(decode(b"M\xc3\xbcller"), "Müller");
        assert_eq!(decode(b"M\xfcller \x8aahovski\x85 \x93a\x94 \x80\x9f"), "Müller Šahovski… “a” €Ÿ");
        assert_eq!(
            decode_cyrillic(b"1.\xcaf3 \xca\xe0\xf0\xef\xee\xe2 \xb8\xa8\x80\xbf\xff"),
            "1.Кf3 Карпов ёЁЂїя"
        );
        assert_eq!(decode_cyrillic("Кf3".as_bytes()), "Кf3");
    }

    #[test]
    fn utf_16_needs_no_mark_to_be_known() {
        let utf_16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(bytes).collect()
        };
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            assert!(why_no_text(&utf_16("1. e4 e5", bytes)).is_some_and(|why| why.contains("UTF-16")));
            assert_eq!(why_no_text(&utf_16("1.", bytes)), None);
        }
        for other in [&b"1. e4 e5"[..], b"\0\0\0\0\0\0\0\0", b"1\x002\x003 ", b""] {
            assert_eq!(why_no_text(other), None, "{other:?}");
        }
    }
}
