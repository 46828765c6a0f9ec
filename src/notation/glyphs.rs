//! Judgements as signs and words, and their numbers: the numeric annotation glyphs of PGN (standard, section 10; from 140 on
//! in common use, <https://en.wikipedia.org/wiki/Numeric_Annotation_Glyphs>).

/// What may be glued to a move: signs of check and mate, and those that judgements in letters of ASCII are made of.
pub(super) const SIGNS: [char; 5] = ['+', '#', '-', '=', '/'];

/// The number of a sign behind a move: `!?` and its kin.
pub(super) fn of_move(signs: &str) -> Option<u8> {
    Some(match signs {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}

/// The number of a letter that stands by itself, as Scid writes it: a novelty, what it calls a diagram, and the row. They may be
/// a piece with a blank behind it, too.
pub(super) fn of_letter(word: &str) -> Option<u8> {
    Some(match word {
        "N" => 146,
        "D" => 201,
        "R" => 144,
        _ => return None,
    })
}

/// The number of a sign or a longer word that stands by itself; Scid writes the words instead of signs. Of the two numbers of
/// a sign that stands for both sides it is White's, the first.
pub(super) fn of_word(word: &str) -> Option<u8> {
    Some(match word {
        "□" | "forced" => 7,
        "worst" => 9,
        "=" => 10,
        "=,quiet" | "quiet" => 11,
        "↹" => 12,
        "∞" | "~" => 13,
        "⩲" | "+=" | "+/=" => 14,
        "⩱" | "=+" | "=/+" => 15,
        "±" | "+/-" => 16,
        "∓" | "-/+" => 17,
        "+-" => 18,
        "-+" => 19,
        "+--" => 20,
        "--+" => 21,
        "⊙" => 22,
        "◯" => 24,
        "◯◯" => 26,
        "◯◯◯" => 28,
        "↻" => 30,
        "↺" => 31,
        "↻↻" => 32,
        "↺↺" => 33,
        "↻↻↻" => 34,
        "↺↺↺" => 35,
        "↑" => 36,
        "↓" => 37,
        "⇑" => 38,
        "⇓" => 39,
        "→" => 40,
        "←" => 41,
        "&/-" => 42,
        "&/+" => 43,
        "=/&" | "=∞" | "=/∞" | "∞=" | "⯹" => 44,
        "+/&" => 46,
        "-/&" => 47,
        "⊞" => 48,
        "⊞⊞" => 50,
        "⊞⊞⊞" => 52,
        "⟩" => 54,
        "⟫" => 56,
        "⋙" => 58,
        "⟨" => 60,
        "⟪" => 62,
        "⋘" => 64,
        "↗" => 92,
        "↖" => 93,
        "⇈" => 96,
        "⇊" => 97,
        "⇄" => 130,
        "⇆" | "⇄⇄" => 132,
        "⇆⇆" => 133,
        "⇄⇄⇄" => 134,
        "⇆⇆⇆" => 135,
        "⊕" => 136,
        "⊖" => 137,
        "⊕⊕" => 138,
        "⊖⊖" => 139,
        "△" => 140,
        "⌓" => 142,
        "RR" => 145,
        "TN" => 146,
        "⊥" => 148,
        "⟺" => 149,
        "⇗" => 150,
        "◫" => 151,
        "◨" => 153,
        "⊶" => 154,
        "ǁ" => 190,
        "⡁" => 191,
        "⚯" => 192,
        "⚮" => 193,
        "⚨" => 212,
        "⌊" => 214,
        "⌋" => 215,
        _ => return None,
    })
}

/// The number of the judgement glued to the end of a move, as old files have it: `e4+-`, and behind the sign of check or mate
/// `Qh5+-+`. `+=` may be either a check and `=` or one sign: who writes checks would have written that of a check first.
pub(super) fn behind_move(word: &str, gives_check: bool) -> Option<u8> {
    let signs = &word[word.trim_end_matches(SIGNS).len()..];
    let of_rest = |check: &str| of_word(signs.strip_prefix(check)?);
    let with_check = ["+", "++", "#"].into_iter().find_map(of_rest);
    if gives_check { with_check.or_else(|| of_word(signs)) } else { of_word(signs).or(with_check) }
}
