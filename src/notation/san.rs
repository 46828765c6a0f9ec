//! Moves in standard algebraic notation (PGN standard, section 8.2.3), written strictly and read leniently.

use crate::board::Position;
use crate::types::{CastlingSide, File, Move, MoveKind, PieceType, Rank, Square};
use std::fmt;

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SanError {
    /// Not readable as a move.
    Syntax(String),
    /// Readable, but no legal move is meant.
    Illegal(String),
    /// Several legal moves are meant: the text and the moves as they should be written.
    Ambiguous(String, Vec<String>),
}

impl SanError {
    /// The text as it was written.
    pub(super) fn text(&self) -> &str {
        match self {
            SanError::Syntax(text) | SanError::Illegal(text) | SanError::Ambiguous(text, _) => text,
        }
    }
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanError::Syntax(text) => {
                write!(f, "'{text}' is no move, expected one like Nf3, exd5, e8=Q or O-O")
            }
            SanError::Illegal(text) => write!(f, "no legal move is '{text}'"),
            SanError::Ambiguous(text, moves) => write!(f, "'{text}' can be {}", moves.join(" or ")),
        }
    }
}

impl std::error::Error for SanError {}

/// Writes a legal move of `position`: as few letters as make it clear, `+` for check, `#` for mate.
pub fn to_san(mv: Move, position: &Position) -> String {
    let mut san = without_suffix(mv, position);
    let next = position.after(mv);
    if next.in_check() {
        san.push(if next.has_no_moves() { '#' } else { '+' });
    }
    san
}

fn without_suffix(mv: Move, position: &Position) -> String {
    let (from, to) = (mv.from(), mv.to());
    if let Some(side) = mv.castling_side() {
        return match side {
            CastlingSide::King => "O-O".into(),
            CastlingSide::Queen => "O-O-O".into(),
        };
    }
    let kind = position.kind_on(from).unwrap_or(PieceType::Pawn);
    let capture = position.is_capture(mv);
    let mut san = String::with_capacity(8);
    if kind == PieceType::Pawn {
        if capture {
            san.push(from.file().letter());
        }
    } else {
        san.push(kind.letter().to_ascii_uppercase());
        san += &distinction(mv, kind, position);
    }
    if capture {
        san.push('x');
    }
    san += &to.to_string();
    if let Some(piece) = mv.promoted() {
        san.push('=');
        san.push(piece.letter().to_ascii_uppercase());
    }
    san
}

/// What tells a piece's move from the legal moves of its twins to the same square: nothing, the file, else the rank,
/// else both (section 8.2.3.4; FIDE Laws of Chess, C.10).
pub(super) fn distinction(mv: Move, kind: PieceType, position: &Position) -> String {
    let (from, to) = (mv.from(), mv.to());
    let twins: Vec<Square> = position
        .legal_moves()
        .into_iter()
        .filter(|other| other.to() == to && other.from() != from && !other.is_castling())
        .map(Move::from)
        .filter(|&square| position.kind_on(square) == Some(kind))
        .collect();
    let file_is_shared = twins.iter().any(|square| square.file() == from.file());
    let rank_is_shared = twins.iter().any(|square| square.rank() == from.rank());
    match (twins.is_empty(), file_is_shared, rank_is_shared) {
        (true, ..) => String::new(),
        (_, false, _) => from.file().to_string(),
        (_, true, false) => from.rank().to_string(),
        (_, true, true) => from.to_string(),
    }
}

/// What a text says about a move, as far as it says it.
struct Description {
    kind: Option<PieceType>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promoted: Option<PieceType>,
}

/// Signs of check and of judgement behind a move, `+-` and `=` among them.
pub(super) const SIGNS: [char; 8] = ['+', '#', '!', '?', ' ', '-', '/', '='];

/// Reads a legal move of `position` as people write it: castling with zeros or letters, `x`, `+` and `#` missing or
/// too many, `e8Q`, `e8=Q` or `e8(Q)`, more squares than needed, long notation (`Ng1-f3`, `e2e4`), `e.p.`, and
/// exclamation and question marks. A pawn of which only the square is named stays on its file.
///
/// # Errors
/// If the text is no move, or no legal move or several are meant.
pub fn parse_san(text: &str, position: &Position) -> Result<Move, SanError> {
    let bare = text.trim().trim_end_matches(SIGNS);
    let bare = ["e.p.", "ep", "e.p"].iter().find_map(|suffix| bare.strip_suffix(suffix)).unwrap_or(bare);
    let bare = bare.trim_end_matches(SIGNS);
    let legal = position.legal_moves();
    if let Some(side) = castling_side(bare) {
        return legal
            .into_iter()
            .find(|mv| mv.castling_side() == Some(side))
            .ok_or_else(|| SanError::Illegal(text.to_string()));
    }
    let wanted = describe(bare).ok_or_else(|| SanError::Syntax(text.to_string()))?;
    let takes = bare.contains(TAKES);
    let fits = |mv: &Move, kind: Option<PieceType>| {
        mv.kind() != MoveKind::Castling
            && mv.to() == wanted.to
            && mv.promoted() == wanted.promoted
            && kind.is_none_or(|kind| position.kind_on(mv.from()) == Some(kind))
            && wanted.file.is_none_or(|file| mv.from().file() == file)
            && wanted.rank.is_none_or(|rank| mv.from().rank() == rank)
            && (kind != Some(PieceType::Pawn)
                || takes
                || wanted.file.is_some()
                || mv.from().file() == mv.to().file())
    };
    // Without a letter a pawn moves; but `g1f3` can only mean what stands on g1.
    let kind = if wanted.file.is_some() && wanted.rank.is_some() {
        wanted.kind
    } else {
        Some(wanted.kind.unwrap_or(PieceType::Pawn))
    };
    let found: Vec<Move> = legal.into_iter().filter(|mv| fits(mv, kind)).collect();
    match found[..] {
        [mv] => Ok(mv),
        [] => Err(SanError::Illegal(text.to_string())),
        _ => {
            let clear = found.into_iter().map(|mv| to_san(mv, position)).collect();
            Err(SanError::Ambiguous(text.to_string(), clear))
        }
    }
}

/// Signs of a capture.
const TAKES: [char; 3] = ['x', 'X', ':'];

fn castling_side(text: &str) -> Option<CastlingSide> {
    let letters: String =
        text.chars().filter(|&c| c != '-').map(|c| if c == '0' { 'O' } else { c }).collect();
    match letters.to_ascii_uppercase().as_str() {
        "OO" => Some(CastlingSide::King),
        "OOO" => Some(CastlingSide::Queen),
        _ => None,
    }
}

fn describe(text: &str) -> Option<Description> {
    // A piece's letter may be lost.
    if text.starts_with(TAKES) || text.starts_with('-') {
        return None;
    }
    let mut letters: Vec<char> =
        text.chars().filter(|c| !TAKES.contains(c) && !matches!(c, '-' | '=' | '/' | '(' | ')')).collect();
    let kind = match letters.first()? {
        c @ ('K' | 'Q' | 'R' | 'B' | 'N' | 'P') => {
            let kind = PieceType::from_letter(*c);
            letters.remove(0);
            kind
        }
        _ => None,
    };
    let promoted = match letters.last()? {
        c @ ('Q' | 'R' | 'B' | 'N' | 'q' | 'r' | 'n') => {
            let piece = PieceType::from_letter(*c);
            letters.pop();
            piece
        }
        // A small b at the end is a bishop only behind a whole square.
        'b' if letters.len() >= 3 && letters[letters.len() - 2].is_ascii_digit() => {
            letters.pop();
            Some(PieceType::Bishop)
        }
        _ => None,
    };
    let square = letters.split_off(letters.len().checked_sub(2)?);
    let to = Square::parse(&square.into_iter().collect::<String>())?;
    // What becomes something elsewhere was written down badly, or has a judgement glued to it (`e6N`).
    if promoted.is_some() && !matches!(to.rank(), Rank::First | Rank::Eighth) {
        return None;
    }
    // A capital letter is a piece in another language, and no pawn's file: `Cc3` is a knight's move, or a queen's.
    let file_of = |letter: char| File::from_letter(letter).filter(|_| letter.is_ascii_lowercase());
    let (file, rank) = match letters[..] {
        [] => (None, None),
        [one] => match (file_of(one), Rank::from_digit(one)) {
            (None, None) => return None,
            // No pawn is told from another by its rank alone: a number of a move, perhaps.
            (None, Some(_)) if kind.is_none_or(|kind| kind == PieceType::Pawn) => return None,
            found => found,
        },
        [file, rank] => (Some(file_of(file)?), Some(Rank::from_digit(rank)?)),
        _ => return None,
    };
    Some(Description { kind, file, rank, to, promoted })
}
