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
        // ASCII of full width.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(character as u32 - 0xfee0).unwrap_or(character),
        other => other,
    }
}

/// True for what nobody sees: marks of byte order and direction, joiners, and what chooses the form of the symbol before it.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}')
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
