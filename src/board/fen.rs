//! Positions as text: FEN (PGN standard, section 16.1), X-FEN and Shredder-FEN
//! (<https://www.chessprogramming.org/Forsyth-Edwards_Notation>).
//!
//! Castling rights are read in all three forms: `K` and `Q` mean the outermost rook on that side, a file's letter the
//! rook on that file. The en-passant square is kept only if such a capture is legal.

use super::Board;
use super::validate::IllegalBoard;
use crate::types::{Bitboard, CastlingSide, Color, File, Piece, PieceType, Rank, Square};
use std::fmt;

/// How to write castling rights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FenStyle {
    /// `KQkq`, with the file's letter where the rook is not the outermost one.
    #[default]
    XFen,
    /// Always the rooks' files: `HAha`.
    Shredder,
}

/// The fields of a FEN in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum FenField {
    Placement,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Placement => "field 1 (pieces)",
            FenField::SideToMove => "field 2 (side to move)",
            FenField::Castling => "field 3 (castling)",
            FenField::EnPassant => "field 4 (en passant)",
            FenField::HalfmoveClock => "field 5 (half-move clock)",
            FenField::FullmoveNumber => "field 6 (move number)",
        })
    }
}

/// Why a text is no FEN: what was found, where, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// The text ends before this field.
    Missing(FenField),
    /// Something follows the last field.
    Trailing(String),
    /// This many ranks instead of eight.
    RankCount(usize),
    /// A rank (1 to 8) with this many squares instead of eight.
    RankLength(usize, usize),
    /// A character on a rank (1 to 8) that is neither a piece nor a count of empty squares.
    BadCharacter(usize, char),
    /// A field that reads otherwise than it may: the field, its text or the letter in it that is wrong, what was expected.
    BadField(FenField, String, &'static str),
    /// A castling right for which king or rook do not stand right: the letter.
    ImpossibleCastling(char),
    /// An en-passant square where no pawn can have passed.
    ImpossibleEnPassant(Square),
    /// The pieces cannot stand so.
    Illegal(IllegalBoard),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Missing(field) => write!(f, "the FEN ends before {field}"),
            FenError::Trailing(text) => write!(f, "'{text}' follows the last field of the FEN"),
            FenError::RankCount(count) => {
                write!(f, "{} has {count} ranks, expected 8", FenField::Placement)
            }
            FenError::RankLength(rank, squares) => {
                write!(f, "{}: rank {rank} has {squares} squares, expected 8", FenField::Placement)
            }
            FenError::BadCharacter(rank, found) => write!(
                f,
                "{}: '{found}' on rank {rank}, expected one of PNBRQKpnbrqk or a digit from 1 to 8, no two digits together",
                FenField::Placement
            ),
            FenError::BadField(field, found, expected) => {
                write!(f, "{field} is '{found}', expected {expected}")
            }
            FenError::ImpossibleCastling(right) => write!(
                f,
                "{}: '{right}' needs a king on its first rank and a rook for it on that side",
                FenField::Castling
            ),
            FenError::ImpossibleEnPassant(square) => write!(
                f,
                "{}: no pawn of the side that has just moved can have passed {square}",
                FenField::EnPassant
            ),
            FenError::Illegal(illegal) => write!(f, "{}: {illegal}", FenField::Placement),
        }
    }
}

impl std::error::Error for FenError {}

impl From<IllegalBoard> for FenError {
    fn from(illegal: IllegalBoard) -> FenError {
        FenError::Illegal(illegal)
    }
}

/// The highest counter that a FEN may hold: more than the longest game that the 75-move rule allows.
pub(super) const MAX_COUNTER: u16 = 9_999;

impl Board {
    /// Reads a FEN strictly: six fields, one blank between them.
    ///
    /// # Errors
    /// What is wrong, where, and what was expected.
    pub fn from_fen(fen: &str) -> Result<Board, FenError> {
        let mut fields = fen.split(' ');
        let mut next = |field| fields.next().filter(|text| !text.is_empty()).ok_or(FenError::Missing(field));
        let mut board = read_position(&mut next, Material::OfAGame)?;
        board.halfmove_clock = read_counter(FenField::HalfmoveClock, next(FenField::HalfmoveClock)?)?;
        board.fullmove_number = read_counter(FenField::FullmoveNumber, next(FenField::FullmoveNumber)?)?;
        match fields.next() {
            Some(text) => Err(FenError::Trailing(text.to_string())),
            None => Ok(board),
        }
    }

    /// Reads a FEN as it is found in the wild: any white space or `_` between the fields, and the two counters may be
    /// missing (as in EPD). Everything else is as strict as in [`Board::from_fen`].
    ///
    /// # Errors
    /// What is wrong, where, and what was expected.
    pub fn from_fen_lenient(fen: &str) -> Result<Board, FenError> {
        read_lenient(fen, Material::OfAGame)
    }

    /// Reads a FEN as [`Board::from_fen_lenient`] does, but allows a composer's material: up to sixteen men a side of
    /// any kinds. Such a board may have more moves than a move list holds.
    ///
    /// # Errors
    /// What is wrong, where, and what was expected.
    pub fn from_fen_composed(fen: &str) -> Result<Board, FenError> {
        read_lenient(fen, Material::Composed)
    }

    /// The FEN of the board.
    pub fn to_fen(&self, style: FenStyle) -> String {
        let mut fen = String::with_capacity(90);
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_count(&mut fen, empty);
                        empty = 0;
                        fen.push(piece.letter());
                    }
                }
            }
            push_count(&mut fen, empty);
            if rank != Rank::First {
                fen.push('/');
            }
        }
        fen.push(' ');
        fen.push(self.side_to_move.letter());
        fen.push(' ');
        self.push_castling(&mut fen, style);
        fen.push(' ');
        match self.en_passant {
            Some(square) => fen += &square.to_string(),
            None => fen.push('-'),
        }
        fen + &format!(" {} {}", self.halfmove_clock, self.fullmove_number)
    }

    fn push_castling(&self, fen: &mut String, style: FenStyle) {
        let before = fen.len();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(rook) = self.castling.rook(color, side) else { continue };
                let by_side = style == FenStyle::XFen && self.outermost_rook(color, side) == Some(rook);
                let letter = match side {
                    _ if !by_side => rook.file().letter(),
                    CastlingSide::King => 'k',
                    CastlingSide::Queen => 'q',
                };
                fen.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if fen.len() == before {
            fen.push('-');
        }
    }

    /// The rook of `color` on its first rank that is farthest from the king on this side.
    fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let first_rank = Bitboard::from_rank(Rank::First.relative_to(color));
        let king = self.king(color);
        let mut rooks = (self.pieces(color, PieceType::Rook) & first_rank)
            .into_iter()
            .filter(|&rook| CastlingSide::of(king, rook) == side);
        match side {
            CastlingSide::King => rooks.last(),
            CastlingSide::Queen => rooks.next(),
        }
    }

    /// Grants the right that one letter of the castling field names.
    fn read_castling_letter(&mut self, letter: char) -> Result<(), FenError> {
        let impossible = FenError::ImpossibleCastling(letter);
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let king = self.king(color);
        let first_rank = Rank::First.relative_to(color);
        let rook = match letter.to_ascii_lowercase() {
            'k' => self.outermost_rook(color, CastlingSide::King),
            'q' => self.outermost_rook(color, CastlingSide::Queen),
            _ => File::from_letter(letter).map(|file| Square::new(file, first_rank)),
        };
        let Some(rook) = rook.filter(|&rook| {
            king.rank() == first_rank && self.piece_on(rook) == Some(Piece::new(PieceType::Rook, color))
        }) else {
            return Err(impossible);
        };
        let side = CastlingSide::of(king, rook);
        if self.castling.rook(color, side).is_some() {
            return Err(FenError::BadField(
                FenField::Castling,
                letter.to_string(),
                "at most once: one right a side and wing",
            ));
        }
        self.castling.grant(color, side, rook.file());
        Ok(())
    }
}

fn push_count(fen: &mut String, empty: u32) {
    if empty > 0 {
        fen.extend(char::from_digit(empty, 10));
    }
}

fn read_counter(field: FenField, text: &str) -> Result<u16, FenError> {
    let (least, expected) = match field {
        FenField::FullmoveNumber => (1, "a number from 1 to 9999"),
        _ => (0, "a number from 0 to 9999"),
    };
    text.parse()
        .ok()
        .filter(|number| (least..=MAX_COUNTER).contains(number) && !text.starts_with('+'))
        .ok_or_else(|| FenError::BadField(field, text.to_string(), expected))
}

/// What men a side may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Material {
    /// What its first sixteen can become in a game.
    OfAGame,
    /// Any sixteen.
    Composed,
}

fn read_lenient(fen: &str, material: Material) -> Result<Board, FenError> {
    let mut fields = fen.split([' ', '\t', '\r', '\n', '_']).filter(|text| !text.is_empty());
    let mut board = read_position(&mut |field| fields.next().ok_or(FenError::Missing(field)), material)?;
    if let Some(text) = fields.next() {
        board.halfmove_clock = read_counter(FenField::HalfmoveClock, text)?;
    }
    if let Some(text) = fields.next() {
        // Some programs count moves from 0.
        let text = if text == "0" { "1" } else { text };
        board.fullmove_number = read_counter(FenField::FullmoveNumber, text)?;
    }
    match fields.next() {
        Some(text) => Err(FenError::Trailing(text.to_string())),
        None => Ok(board),
    }
}

/// Reads the first four fields.
fn read_position<'a>(
    next: &mut impl FnMut(FenField) -> Result<&'a str, FenError>,
    material: Material,
) -> Result<Board, FenError> {
    let mut board = Board::empty();
    read_placement(&mut board, next(FenField::Placement)?)?;
    board.side_to_move = match next(FenField::SideToMove)? {
        "w" => Color::White,
        "b" => Color::Black,
        other => return Err(FenError::BadField(FenField::SideToMove, other.to_string(), "'w' or 'b'")),
    };
    match material {
        Material::OfAGame => board.validate()?,
        Material::Composed => board.validate_composed()?,
    }
    let castling = next(FenField::Castling)?;
    if castling != "-" {
        for letter in castling.chars() {
            if !matches!(letter.to_ascii_lowercase(), 'a'..='h' | 'k' | 'q') {
                let expected = "'-', or letters of KQkq or of the rooks' files";
                return Err(FenError::BadField(FenField::Castling, castling.to_string(), expected));
            }
            board.read_castling_letter(letter)?;
        }
    }
    match next(FenField::EnPassant)? {
        "-" => {}
        text => {
            let square = Square::parse(text).ok_or_else(|| {
                FenError::BadField(FenField::EnPassant, text.to_string(), "'-' or a square of rank 3 or 6")
            })?;
            if !board.read_en_passant(square) {
                return Err(FenError::ImpossibleEnPassant(square));
            }
        }
    }
    Ok(board)
}

fn read_placement(board: &mut Board, text: &str) -> Result<(), FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::RankCount(ranks.len()));
    }
    for (rank, squares) in Rank::ALL.into_iter().rev().zip(ranks) {
        let number = rank.index() + 1;
        let mut file = 0;
        let mut after_digit = false;
        for letter in squares.chars() {
            let digit = letter.to_digit(10).filter(|digit| (1..=8).contains(digit) && !after_digit);
            after_digit = digit.is_some();
            match (digit, Piece::from_letter(letter)) {
                (Some(empty), _) => file += empty as usize,
                (None, Some(piece)) => {
                    if file < 8 {
                        board.put(piece, Square::new(File::ALL[file], rank));
                    }
                    file += 1;
                }
                (None, None) => return Err(FenError::BadCharacter(number, letter)),
            }
        }
        if file != 8 {
            return Err(FenError::RankLength(number, file));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    #[test]
    fn castling_rights_want_king_and_rook_at_home_and_stand_once() {
        let rights =
            |fen: &str| Board::from_fen(&format!("{fen} - 0 1")).map(|board| board.castling_rights());
        assert!(rights("4k3/8/8/8/8/8/8/R3K2R w KQ").is_ok_and(|rights| rights.any(Color::White)));
        for (fen, letter) in [
            ("4k3/8/8/8/8/8/4K3/R6R w Q", 'Q'),
            ("4k3/8/8/8/8/8/8/R3K2N w K", 'K'),
            ("4k3/8/8/8/8/8/8/R3K2r w Q", ' '),
            ("4k2r/8/8/8/8/8/8/4K3 w K", 'K'),
            ("7r/4k3/8/8/8/8/8/4K3 w k", 'k'),
            ("4k3/8/8/8/8/8/8/R3K3 w H", 'H'),
        ] {
            let expected = if letter == ' ' { None } else { Some(FenError::ImpossibleCastling(letter)) };
            assert_eq!(rights(fen).err(), expected, "{fen}");
        }
        for fen in ["4k3/8/8/8/8/8/8/R3K2R w KK", "4k3/8/8/8/8/8/8/R3K2R w KH", "4k3/8/8/8/8/8/8/R2RK3 w QA"]
        {
            assert!(matches!(rights(fen), Err(FenError::BadField(FenField::Castling, ..))), "{fen}");
        }
    }

    #[test]
    fn only_a_pawn_that_can_just_have_made_a_double_step_is_taken_en_passant() {
        let read = |fen: &str| Board::from_fen(&format!("{fen} 0 1")).map(|board| board.en_passant());
        let passed = Some(Square::D6);
        assert_eq!(read("4k3/8/8/3pP3/8/8/8/4K3 w - d6"), Ok(passed));
        assert_eq!(read("4k3/8/8/3pP3/8/8/8/4K3 w - -"), Ok(None));
        for (fen, square) in [
            // Where it comes from or what it passes is not empty, there is no pawn, or it is the wrong side's.
            ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6", Square::D6),
            ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6", Square::D6),
            ("4k3/8/8/4P3/8/8/8/4K3 w - d6", Square::D6),
            ("4k3/8/8/3nP3/8/8/8/4K3 w - d6", Square::D6),
            ("4k3/8/8/3PP3/8/8/8/4K3 w - d6", Square::D6),
            ("4k3/8/8/3pP3/8/8/8/4K3 b - d6", Square::D6),
            ("4k3/8/3p4/4P3/8/8/8/4K3 w - d7", Square::D7),
        ] {
            assert_eq!(read(fen), Err(FenError::ImpossibleEnPassant(square)), "{fen}");
        }
    }

    #[test]
    fn counters_are_plain_numbers_in_their_range() {
        let read = |half: &str, full: &str| {
            let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - {half} {full}");
            Board::from_fen(&fen).map(|board| (board.halfmove_clock(), board.fullmove_number()))
        };
        assert_eq!(read("0", "1"), Ok((0, 1)));
        assert_eq!(read("9999", "9999"), Ok((9_999, 9_999)));
        for (half, full, field) in [
            ("-1", "1", FenField::HalfmoveClock),
            ("+1", "1", FenField::HalfmoveClock),
            ("10000", "1", FenField::HalfmoveClock),
            ("0", "0", FenField::FullmoveNumber),
            ("0", "+1", FenField::FullmoveNumber),
            ("0", "x", FenField::FullmoveNumber),
        ] {
            assert!(
                matches!(read(half, full), Err(FenError::BadField(found, ..)) if found == field),
                "{half} {full}"
            );
        }
        // Some programs count moves from 0.
        let lenient = Board::from_fen_lenient("4k3/8/8/8/8/8/8/4K3 w - - 3 0").unwrap();
        assert_eq!((lenient.halfmove_clock(), lenient.fullmove_number()), (3, 1));
    }

    #[test]
    fn counters_stay_where_they_can_still_be_read() {
        let highest = Board::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 9999 9999").unwrap();
        let (mut moved, mut passed) = (highest, highest);
        moved.make(Move::normal(Square::E8, Square::E7), &mut ());
        passed.make_null();
        for board in [moved, passed] {
            assert_eq!((board.halfmove_clock(), board.fullmove_number()), (9_999, 9_999));
            assert_eq!(Board::from_fen(&board.to_fen(FenStyle::XFen)), Ok(board));
        }
    }

    #[test]
    fn squares_of_a_rank_are_counted_in_one_way() {
        let read = |rank: &str| Board::from_fen(&format!("4k3/8/8/8/8/8/{rank}/4K3 w - - 0 1")).err();
        assert_eq!(read("2P5"), None);
        assert_eq!(read("44"), Some(FenError::BadCharacter(2, '4')));
        assert_eq!(read("9"), Some(FenError::BadCharacter(2, '9')));
        assert_eq!(read("P8"), Some(FenError::RankLength(2, 9)));
        assert_eq!(read("PP5"), Some(FenError::RankLength(2, 7)));
    }

    #[test]
    fn a_game_gives_a_side_eight_pawns_worth_of_pieces_and_a_composer_sixteen_men() {
        let game = |fen: &str| Board::from_fen(fen).is_ok();
        let composed = |fen: &str| Board::from_fen_composed(fen).is_ok();
        // Eight pawns have become knights beside the two, and nine.
        assert!(game("4k3/8/8/8/8/8/NNNNNNNN/NN2K3 w - - 0 1"));
        let eleven = "4k3/8/8/8/8/8/NNNNNNNN/NNN1K3 w - - 0 1";
        assert!(!game(eleven) && composed(eleven));
        assert!(composed("4k3/8/8/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1"));
        assert!(!composed("4k3/8/8/8/8/N7/NNNNNNNN/NNNNKNNN w - - 0 1"));
    }
}
