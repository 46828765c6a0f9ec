//! Moves as they are announced to players who cannot see the board (FIDE Laws of Chess 2014, appendix D.2.1; 2005,
//! appendix F): names for the files, German numbers and pieces. `g1f3` is "Springer Gustav eins Felix drei".

use crate::board::Position;
use crate::types::{CastlingSide, File, Move, PieceType, Rank, Square};
use std::fmt;

const FILES: [&str; 8] = ["Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector"];
const RANKS: [&str; 8] = ["eins", "zwei", "drei", "vier", "fuenf", "sechs", "sieben", "acht"];
/// By the index of [`PieceType`].
const PIECES: [&str; PieceType::NUM] = ["Bauer", "Springer", "Laeufer", "Turm", "Dame", "Koenig"];
const SHORT: &str = "Kurze Rochade";
const LONG: &str = "Lange Rochade";

/// A legal move of `position` as it is announced. A promotion names the new piece last, as the edition of 2014 demands.
pub fn to_announcement(mv: Move, position: &Position) -> String {
    if let Some(side) = mv.castling_side() {
        return match side {
            CastlingSide::King => SHORT.into(),
            CastlingSide::Queen => LONG.into(),
        };
    }
    let kind = position.kind_on(mv.from()).unwrap_or(PieceType::Pawn);
    let mut words = vec![PIECES[kind.index()]];
    for square in [mv.from(), mv.to()] {
        words.extend([FILES[square.file().index()], RANKS[square.rank().index()]]);
    }
    words.extend(mv.promoted().map(|kind| PIECES[kind.index()]));
    words.join(" ")
}

/// Why an announcement is no move here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnnounceError {
    /// Not of the form: the announcement and the first word that does not belong there, empty if one is missing.
    Form(String, String),
    /// Not legal: the announcement.
    Illegal(String),
}

impl fmt::Display for AnnounceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnnounceError::Form(text, word) if word.is_empty() => {
                write!(f, "'{text}' is not complete, expected one like 'Springer Gustav eins Felix drei'")
            }
            AnnounceError::Form(text, word) => write!(
                f,
                "'{word}' does not belong in '{text}', expected one like 'Springer Gustav eins Felix drei'"
            ),
            AnnounceError::Illegal(text) => write!(f, "no legal move is '{text}'"),
        }
    }
}

impl std::error::Error for AnnounceError {}

/// Understands the announcement of a legal move of `position`, in any case, with umlauts or without.
///
/// # Errors
/// If it has another form, or the move is not legal.
pub fn parse_announcement(text: &str, position: &Position) -> Result<Move, AnnounceError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain: Vec<String> = words.iter().map(|word| without_umlauts(word)).collect();
    let form = |place: usize| {
        let word = words.get(place).copied().unwrap_or_default();
        AnnounceError::Form(words.join(" "), word.to_string())
    };
    let illegal = || AnnounceError::Illegal(words.join(" "));
    let legal = position.legal_moves();
    for (name, side) in [(SHORT, CastlingSide::King), (LONG, CastlingSide::Queen)] {
        if plain.join(" ").eq_ignore_ascii_case(name) {
            return legal.into_iter().find(|mv| mv.castling_side() == Some(side)).ok_or_else(illegal);
        }
    }
    let named = |place: usize, names: &[&str]| {
        let word = plain.get(place)?;
        names.iter().position(|name| name.eq_ignore_ascii_case(word))
    };
    let piece =
        |place: usize| named(place, &PIECES).map(|index| PieceType::ALL[index]).ok_or_else(|| form(place));
    let square = |place: usize| {
        let file = named(place, &FILES).ok_or_else(|| form(place))?;
        let rank = named(place + 1, &RANKS).ok_or_else(|| form(place + 1))?;
        Ok(Square::new(File::from_index(file as u8), Rank::from_index(rank as u8)))
    };
    let (kind, from, to) = (piece(0)?, square(1)?, square(3)?);
    let promoted = match words.len() {
        0..=5 => None,
        6 => Some(piece(5)?),
        _ => return Err(form(6)),
    };
    let is_it =
        |mv: &Move| !mv.is_castling() && mv.from() == from && mv.to() == to && mv.promoted() == promoted;
    let found = legal.into_iter().find(is_it);
    found.filter(|_| position.kind_on(from) == Some(kind)).ok_or_else(illegal)
}

fn without_umlauts(word: &str) -> String {
    word.to_lowercase().replace('ö', "oe").replace('ä', "ae").replace('ü', "ue")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::notation::uci_move::parse_uci;

    fn announced(fen: &str, uci: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        let mv = parse_uci(uci, &position).unwrap();
        let text = to_announcement(mv, &position);
        assert_eq!(parse_announcement(&text, &position), Ok(mv), "{text}");
        text
    }

    #[test]
    fn d21_moves_are_announced_with_the_names_of_the_appendix() {
        let start = Board::START_FEN;
        assert_eq!(announced(start, "g1f3"), "Springer Gustav eins Felix drei");
        assert_eq!(announced(start, "e2e4"), "Bauer Eva zwei Eva vier");
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(announced(castling, "e1g1"), "Kurze Rochade");
        assert_eq!(announced(castling, "e1c1"), "Lange Rochade");
        assert_eq!(announced(castling, "h1h8"), "Turm Hector eins Hector acht");
        assert_eq!(announced(castling, "e1d2"), "Koenig Eva eins David zwei");
        let promotion = "8/P6k/8/8/8/1q6/8/K7 w - - 0 1";
        assert_eq!(announced(promotion, "a7a8n"), "Bauer Anna sieben Anna acht Springer");
        assert_eq!(announced(promotion, "a7a8b"), "Bauer Anna sieben Anna acht Laeufer");
        let black = "8/P6k/8/1b6/8/1q6/8/K7 b - - 0 1";
        assert_eq!(announced(black, "b3c2"), "Dame Bella drei Cesar zwei");
        assert_eq!(announced(black, "b5f1"), "Laeufer Bella fuenf Felix eins");
        assert_eq!(announced(black, "h7h6"), "Koenig Hector sieben Hector sechs");
    }

    #[test]
    fn what_is_said_differently_is_understood_or_refused() {
        let position = Position::from_fen("8/P6k/8/1b6/8/1q6/8/K7 b - - 0 1").unwrap();
        let read = |text: &str| parse_announcement(text, &position);
        assert_eq!(read(" läufer bella FÜNF felix eins "), read("Laeufer Bella fuenf Felix eins"));
        assert_eq!(
            read("Springer Bella fuenf Felix eins").unwrap_err().to_string(),
            "no legal move is 'Springer Bella fuenf Felix eins'"
        );
        assert!(matches!(read("Kurze Rochade"), Err(AnnounceError::Illegal(_))));
        let form = |text: &str| match read(text) {
            Err(AnnounceError::Form(_, word)) => word,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(form("Laeufer Berta fuenf Felix eins"), "Berta");
        assert_eq!(form("Laeufer Bella fuenf Felix"), "");
        assert_eq!(form("Laeufer Bella fuenf Felix eins Dame Dame"), "Dame");
        assert_eq!(form(""), "");
        let missing = Position::from_fen("8/P6k/8/8/8/1q6/8/K7 w - - 0 1").unwrap();
        let text = "Bauer Anna sieben Anna acht";
        assert_eq!(parse_announcement(text, &missing), Err(AnnounceError::Illegal(text.into())));
    }
}
