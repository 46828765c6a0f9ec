//! Characters that stand in files in the place of those that moves and results are written with.

/// True for hyphens and dashes of all lengths, and for signs that look like them.
pub(super) fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{ad}' | '\u{2010}'
            ..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'
    )
}

/// The character that words are written with in place of this one.
pub(super) fn as_written(character: char) -> char {
    match character {
        dash if is_dash(dash) => '-',
        // White and black king, queen, rook, bishop, knight.
        '\u{2654}'..='\u{2658}' | '\u{265a}'..='\u{265e}' => {
            ['K', 'Q', 'R', 'B', 'N'][(character as usize - 0x2654) % 6]
        }
        // The pawn's symbol says nothing.
        '\u{2659}' | '\u{265f}' => 'P',
        other => half_width(other),
    }
}

/// The character of ASCII that this one of full width is.
fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        other => other,
    }
}

/// The word with a hyphen for each dash that word processors have, in half width, and without what nobody sees.
pub(super) fn plain(word: &str) -> String {
    let seen = word.chars().filter(|&c| is_dash(c) || !is_invisible(c));
    seen.map(|c| if is_dash(c) { '-' } else { half_width(c) }).collect()
}

/// True for what nobody sees: marks of byte order and direction, what turns the direction round, joiners, and what chooses the
/// form of the symbol before it.
pub(super) fn is_invisible(c: char) -> bool {
    let is_of_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_joiner = matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}');
    is_of_direction || is_joiner || matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{feff}')
}

/// True for what terminals obey, what nobody sees, the soft hyphen, and Unicode's separators of lines and paragraphs.
fn is_hidden(c: char) -> bool {
    c.is_control() || is_invisible(c) || matches!(c, '\u{ad}' | '\u{2028}' | '\u{2029}')
}

/// The piece that texts in ChessBase's figurine font have these signs for.
pub(super) fn in_figurine_font(c: char) -> Option<char> {
    Some(match c {
        '¢' => 'K',
        '£' => 'Q',
        '¤' => 'N',
        '¥' => 'B',
        '¦' => 'R',
        _ => return None,
    })
}

/// What castling is written with: a zero, or the letter O. Those of other alphabets look like it.
pub(super) fn castles(c: char) -> Option<char> {
    match c {
        '0' | 'O' | 'o' => Some(c),
        '\u{39f}' | '\u{3bf}' | '\u{41e}' | '\u{43e}' => Some('O'),
        _ => None,
    }
}

/// The Latin letter, or the zero, that letters look like.
pub(super) fn latin_twin(c: char) -> char {
    const TWINS: [(char, &str); 23] = [
        ('0', "OoОоΟο"),
        ('A', "АΑ"),
        ('B', "ВΒ"),
        ('C', "СϹ"),
        ('E', "ЕΕ"),
        ('G', "Ԍ"),
        ('H', "НΗ"),
        ('I', "ІΙ"),
        ('J', "ЈͿ"),
        ('K', "КΚ"),
        ('M', "МΜ"),
        ('N', "Ν"),
        ('P', "РΡ"),
        ('S', "Ѕ"),
        ('T', "ТΤ"),
        ('X', "ХΧ"),
        ('a', "аα"),
        ('c', "сϲ"),
        ('d', "ԁ"),
        ('e', "е"),
        ('h', "һ"),
        ('p', "рρ"),
        ('x', "х×χ"),
    ];
    TWINS.into_iter().find(|(_, twins)| twins.contains(c)).map_or(c, |(latin, _)| latin)
}

/// What a character is, by its alphabet and its number.
pub(super) fn described(c: char) -> String {
    let kind = match c {
        '0'..='9' => "digit",
        'A'..='Z' | 'a'..='z' => "Latin letter",
        '\u{370}'..='\u{3ff}' => "Greek letter",
        '\u{400}'..='\u{52f}' => "Cyrillic letter",
        _ => "sign",
    };
    format!("{kind} (U+{:04X})", c as u32)
}

/// The text with numbers for the characters that nobody sees or that terminals obey.
pub fn visible(text: &str) -> String {
    let shown = |c: char| -> String { if is_hidden(c) { c.escape_unicode().collect() } else { c.into() } };
    text.chars().map(shown).collect()
}

/// A text of others as it may stand in a file or on a terminal: at most so many letters, and '?' for the characters that nobody
/// sees or that terminals obey.
pub fn legible(text: &str, most: usize) -> String {
    text.chars().take(most).map(|c| if is_hidden(c) { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_shown() {
        let hidden = "\u{7}\u{7f}\u{9b}\u{ad}\u{61c}\u{200b}\u{200d}\u{202e}\u{2028}\u{2029}\u{2066}\u{feff}";
        assert_eq!(legible(&format!("a{hidden}b"), 99), format!("a{}b", "?".repeat(12)));
        assert!(visible(hidden).is_ascii() && visible("\u{202e}") == "\\u{202e}");
        for seen in ["Müller ♔ Карпов 日本 אב", "e\u{301} –"] {
            assert_eq!((visible(seen), legible(seen, 99)), (seen.to_string(), seen.to_string()));
        }
        assert_eq!(legible("éab", 2), "éa");
    }
}
