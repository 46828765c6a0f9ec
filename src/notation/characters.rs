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
        other => other,
    }
}

/// What castling is written with: a zero, or the letter O. Those of other alphabets look like it.
pub(super) fn castles(c: char) -> Option<char> {
    match c {
        '0' | 'O' | 'o' => Some(c),
        '\u{39f}' | '\u{3bf}' | '\u{41e}' | '\u{43e}' => Some('O'),
        _ => None,
    }
}
