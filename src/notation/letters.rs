//! The letters that languages have for the pieces.
//!
//! Sources: the PGN standard, section 17, for the seventeen languages of its table; for Catalan, Croatian, Russian and
//! Slovak <https://en.wikipedia.org/wiki/Algebraic_notation_(chess)#Naming_the_pieces>.
//!
//! The same letter means different pieces in different languages (R is rey, roi, rook or ratsu), so a language is always
//! told, never guessed from moves.

use crate::types::PieceType;

/// How a language writes pieces.
#[derive(PartialEq, Eq, Debug)]
pub struct Letters {
    /// ISO 639-1, or `figurine`.
    pub code: &'static str,
    /// The language's name in English.
    pub name: &'static str,
    /// Pawn, knight, bishop, rook, queen, king. The pawn's is never written in algebraic notation (FIDE Laws of Chess,
    /// C.3).
    pieces: [&'static str; PieceType::NUM],
    /// The sign of a capture en passant (C.9).
    pub en_passant: &'static str,
}

const fn language(
    code: &'static str,
    name: &'static str,
    pieces: [&'static str; PieceType::NUM],
    en_passant: &'static str,
) -> Letters {
    Letters { code, name, pieces, en_passant }
}

/// The white chess symbols of Unicode; the black ones are read as well.
pub static FIGURINE: &Letters = &LANGUAGES[LANGUAGES.len() - 1];

/// All that are known, by code; the figurines come last.
pub static LANGUAGES: [Letters; 22] = [
    language("ca", "Catalan", ["P", "C", "A", "T", "D", "R"], "a.p."),
    language("cs", "Czech", ["P", "J", "S", "V", "D", "K"], "e.p."),
    language("da", "Danish", ["B", "S", "L", "T", "D", "K"], "e.p."),
    language("de", "German", ["B", "S", "L", "T", "D", "K"], "e.p."),
    language("en", "English", ["P", "N", "B", "R", "Q", "K"], "e.p."),
    language("es", "Spanish", ["P", "C", "A", "T", "D", "R"], "a.p."),
    language("et", "Estonian", ["P", "R", "O", "V", "L", "K"], "e.p."),
    language("fi", "Finnish", ["P", "R", "L", "T", "D", "K"], "e.p."),
    language("fr", "French", ["P", "C", "F", "T", "D", "R"], "e.p."),
    language("hr", "Croatian", ["P", "S", "L", "T", "D", "K"], "e.p."),
    language("hu", "Hungarian", ["G", "H", "F", "B", "V", "K"], "e.p."),
    language("is", "Icelandic", ["P", "R", "B", "H", "D", "K"], "e.p."),
    language("it", "Italian", ["P", "C", "A", "T", "D", "R"], "e.p."),
    language("nl", "Dutch", ["O", "P", "L", "T", "D", "K"], "e.p."),
    language("no", "Norwegian", ["B", "S", "L", "T", "D", "K"], "e.p."),
    language("pl", "Polish", ["P", "S", "G", "W", "H", "K"], "e.p."),
    language("pt", "Portuguese", ["P", "C", "B", "T", "D", "R"], "e.p."),
    language("ro", "Romanian", ["P", "C", "N", "T", "D", "R"], "e.p."),
    // Kon' and korol' begin alike: the king has two letters.
    language("ru", "Russian", ["п", "К", "С", "Л", "Ф", "Кр"], "e.p."),
    language("sk", "Slovak", ["P", "J", "S", "V", "D", "K"], "e.p."),
    language("sv", "Swedish", ["B", "S", "L", "T", "D", "K"], "e.p."),
    language("figurine", "figurine", ["♙", "♘", "♗", "♖", "♕", "♔"], "e.p."),
];

/// The pieces that a pawn can become.
const PROMOTIONS: [PieceType; 4] = [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight];

impl Letters {
    /// The letters of a language, by its code or its English name, in any case.
    pub fn find(name: &str) -> Option<&'static Letters> {
        LANGUAGES
            .iter()
            .find(|known| known.code.eq_ignore_ascii_case(name) || known.name.eq_ignore_ascii_case(name))
    }

    /// What is written for this kind; the pawn's letter too, which moves do not have.
    pub fn of(&self, kind: PieceType) -> &'static str {
        self.pieces[kind.index()]
    }

    /// The piece that a move in these letters begins with, and the rest; the pawn has none.
    pub fn strip_piece<'a>(&self, text: &'a str) -> Option<(PieceType, &'a str)> {
        // The king first: in Russian his letters begin with the knight's.
        let kinds = PieceType::ALL.into_iter().rev().filter(|&kind| kind != PieceType::Pawn);
        let written = kinds.clone().find_map(|kind| Some((kind, text.strip_prefix(self.of(kind))?)));
        written.or_else(|| {
            let symbol = text.chars().next().filter(|_| self == FIGURINE)?;
            let kind = kinds.into_iter().find(|&kind| black_symbol(kind) == symbol)?;
            Some((kind, &text[symbol.len_utf8()..]))
        })
    }

    /// The piece that a promotion in these letters ends with, and what stands before it.
    pub fn strip_promotion<'a>(&self, text: &'a str) -> Option<(PieceType, &'a str)> {
        let written = PROMOTIONS.into_iter().find_map(|kind| Some((kind, text.strip_suffix(self.of(kind))?)));
        written.or_else(|| {
            let symbol = text.chars().next_back().filter(|_| self == FIGURINE)?;
            let kind = PROMOTIONS.into_iter().find(|&kind| black_symbol(kind) == symbol)?;
            Some((kind, &text[..text.len() - symbol.len_utf8()]))
        })
    }

    /// True if they are of the Cyrillic alphabet.
    pub fn are_cyrillic(&self) -> bool {
        self.listed().contains(|c| ('\u{400}'..='\u{4ff}').contains(&c))
    }

    /// The five letters from king to knight, as people list them.
    pub fn listed(&self) -> String {
        let kinds =
            [PieceType::King, PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight];
        kinds.map(|kind| self.of(kind)).join(" ")
    }
}

/// U+265A (king) to U+265F (pawn).
fn black_symbol(kind: PieceType) -> char {
    ['♟', '♞', '♝', '♜', '♛', '♚'][kind.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_language_has_a_letter_twice() {
        for language in &LANGUAGES {
            let letters: HashSet<&str> = PieceType::ALL.into_iter().map(|kind| language.of(kind)).collect();
            assert_eq!(letters.len(), PieceType::NUM, "{}", language.name);
            for kind in PieceType::ALL.into_iter().skip(1) {
                let text = format!("{}e4", language.of(kind));
                assert_eq!(language.strip_piece(&text), Some((kind, "e4")), "{}", language.name);
            }
            assert_eq!(language.strip_piece("e4"), None, "{}", language.name);
            assert_eq!(Letters::find(language.code), Some(language));
        }
        let codes: HashSet<&str> = LANGUAGES.iter().map(|language| language.code).collect();
        assert_eq!(codes.len(), LANGUAGES.len());
    }

    #[test]
    fn kings_queens_rooks_bishops_knights_and_pawns_of_all_languages() {
        let table = [
            ("ca", "R D T A C P"),
            ("cs", "K D V S J P"),
            ("da", "K D T L S B"),
            ("de", "K D T L S B"),
            ("en", "K Q R B N P"),
            ("es", "R D T A C P"),
            ("et", "K L V O R P"),
            ("fi", "K D T L R P"),
            ("fr", "R D T F C P"),
            ("hr", "K D T L S P"),
            ("hu", "K V B F H G"),
            ("is", "K D H B R P"),
            ("it", "R D T A C P"),
            ("nl", "K D T L P O"),
            ("no", "K D T L S B"),
            ("pl", "K H W G S P"),
            ("pt", "R D T B C P"),
            ("ro", "R D T N C P"),
            ("ru", "Кр Ф Л С К п"),
            ("sk", "K D V S J P"),
            ("sv", "K D T L S B"),
            ("figurine", "♔ ♕ ♖ ♗ ♘ ♙"),
        ];
        for (language, (code, letters)) in LANGUAGES.iter().zip(table) {
            let told = format!("{} {}", language.listed(), language.of(PieceType::Pawn));
            assert_eq!((language.code, told.as_str()), (code, letters));
        }
        assert_eq!(table.len(), LANGUAGES.len());
    }

    #[test]
    fn letters_are_those_of_the_language() {
        let of = |name: &str| Letters::find(name).unwrap();
        assert_eq!(of("es").listed(), "R D T A C");
        assert_eq!(of("German").listed(), "K D T L S");
        assert_eq!(of("NL").listed(), "K D T L P");
        assert_eq!(of("figurine").listed(), "♔ ♕ ♖ ♗ ♘");
        assert_eq!((of("en").listed().as_str(), FIGURINE.code), ("K Q R B N", "figurine"));
        assert_eq!(of("ru").strip_piece("Крf1"), Some((PieceType::King, "f1")));
        assert_eq!(of("ru").strip_piece("Кf3"), Some((PieceType::Knight, "f3")));
        assert_eq!(FIGURINE.strip_piece("♞f6"), Some((PieceType::Knight, "f6")));
        assert_eq!(FIGURINE.strip_promotion("e1♛"), Some((PieceType::Queen, "e1")));
        assert_eq!(of("es").strip_promotion("e8T"), Some((PieceType::Rook, "e8")));
        assert_eq!(of("es").strip_promotion("e8R"), None, "no pawn becomes a king");
        assert!(of("ru").are_cyrillic() && !of("es").are_cyrillic() && !FIGURINE.are_cyrillic());
        assert!(Letters::find("xx").is_none());
    }
}
