//! Reads moves as the Laws of Chess write them (FIDE Laws of Chess 2023, appendix C), in the letters of one language.
//!
//! Strict where [`super::san`] is lenient: a score sheet is evidence, so a misprint is reported with the moves that come
//! near it and never read as what may have been meant. The signs that C.13 leaves to the player may be missing; those
//! that stand there must be true.

use super::characters::{described, latin_twin};
use super::fide::{FideStyle, to_fide};
use super::letters::Letters;
use crate::board::Position;
use crate::types::{CastlingSide, File, Move, MoveKind, PieceType, Rank, Square};
use std::fmt;

/// What is wrong with a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FideMistake {
    /// A capital that stands for no piece in this language.
    Letter(char),
    /// A letter of another alphabet that looks like the one that belongs there: what is written, and what should be.
    Lookalike(char, char),
    /// The pawn has been given its letter (C.3).
    PawnLetter(char),
    /// Another system of notation, by its name (the preamble of appendix C).
    System(&'static str),
    /// A move and the number of the next one without a blank between them.
    RunTogether(String, String),
    /// An offer of a draw without its brackets (C.12).
    Offer,
    /// Not of the form of a move.
    Form,
    /// No legal move is this one.
    Illegal,
    /// Several legal moves are this one.
    Ambiguous,
    /// A pawn arrives on the last rank and nothing says what it becomes (C.11).
    NoPromotion,
    /// A sign says what is not so: the sign.
    Sign(&'static str),
}

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FideError {
    /// The text.
    pub text: String,
    /// The letters that it was read in.
    pub letters: &'static Letters,
    /// What is wrong.
    pub mistake: FideMistake,
    /// Legal moves that come near, as they should be written; may be empty.
    pub possible: Vec<String>,
}

impl fmt::Display for FideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': ", self.text)?;
        let (name, listed) = (self.letters.name, self.letters.listed());
        match &self.mistake {
            FideMistake::Letter(letter) => {
                write!(f, "'{letter}' is no piece's letter in {name} notation ({listed})")
            }
            FideMistake::Lookalike(written, meant) => {
                write!(f, "'{written}' is a {}; here belongs a {}", described(*written), described(*meant))
            }
            FideMistake::PawnLetter(letter) => {
                write!(f, "'{letter}' is the pawn's letter, which is not written")
            }
            FideMistake::System(name) => write!(f, "{name} notation, only algebraic notation is evidence"),
            FideMistake::RunTogether(mv, number) => {
                write!(f, "a blank is missing between '{mv}' and '{number}'")
            }
            FideMistake::Offer => f.write_str("the offer of a draw is written '(=)'"),
            FideMistake::Form => write!(f, "no move in {name} notation ({listed})"),
            FideMistake::Illegal => f.write_str("no legal move"),
            FideMistake::Ambiguous => f.write_str("several moves can be meant"),
            FideMistake::NoPromotion => f.write_str("the piece that the pawn becomes is missing"),
            FideMistake::Sign("x") => f.write_str("'x' where nothing is captured"),
            FideMistake::Sign("+") => f.write_str("'+' without check"),
            FideMistake::Sign(sign @ ("++" | "#")) => write!(f, "'{sign}' without mate"),
            FideMistake::Sign(sign) => write!(f, "'{sign}' without a capture en passant"),
        }?;
        match self.possible.is_empty() {
            true => Ok(()),
            false => write!(f, "; possible: {}", self.possible.join(", ")),
        }
    }
}

impl std::error::Error for FideError {}

/// A move's signs, and what is left without them.
struct Signs<'a> {
    bare: &'a str,
    check: Option<&'static str>,
    en_passant: Option<&'static str>,
}

/// Takes `+`, `++` or `#` and `e.p.` or `a.p.` from the end, in either order, each once.
fn strip_signs(text: &str) -> Signs<'_> {
    let mut signs = Signs { bare: text.trim(), check: None, en_passant: None };
    for _ in 0..2 {
        let strip = |list: &[&'static str]| {
            list.iter().find_map(|&sign| Some((sign, signs.bare.strip_suffix(sign)?.trim_end())))
        };
        if let Some((sign, bare)) = strip(&["++", "+", "#"]).filter(|_| signs.check.is_none()) {
            (signs.check, signs.bare) = (Some(sign), bare);
        } else if let Some((sign, bare)) = strip(&["e.p.", "a.p."]).filter(|_| signs.en_passant.is_none()) {
            (signs.en_passant, signs.bare) = (Some(sign), bare);
        }
    }
    signs
}

/// What a text says about a move.
struct Description {
    kind: PieceType,
    file: Option<File>,
    rank: Option<Rank>,
    captures: bool,
    to: Square,
    promoted: Option<PieceType>,
}

/// Reads a legal move of `position`, without its number and without a draw offer: `Cf3`, `Ng1f3`, `Ng1-f3`, `ed4`,
/// `exd4`, `e7e5`, `exd6 a.p.`, `a8D`, `a8=D`, `0-0`, `O-O-O`, with `+`, `++` or `#`. The departure may be told more
/// exactly than needed.
///
/// # Errors
/// If the text is no move in these letters, if no legal move or several are meant, or if a sign is false.
pub fn parse_fide(text: &str, position: &Position, letters: &'static Letters) -> Result<Move, FideError> {
    read(text, position, letters).map_err(|(mistake, fitting)| {
        let style = FideStyle::new(letters);
        let (mistake, fitting) = match mistake {
            FideMistake::Form => lookalike(text, position, letters)
                .unwrap_or_else(|| (misform(text, position, letters), fitting)),
            other => (other, fitting),
        };
        let possible = match mistake {
            FideMistake::System(_) | FideMistake::RunTogether(..) | FideMistake::Offer => vec![],
            _ if fitting.is_empty() => near(text, position, letters),
            _ => fitting.into_iter().map(|mv| to_fide(mv, position, &style)).collect(),
        };
        FideError { text: told(text.trim()), letters, mistake, possible }
    })
}

/// The text, of a very long one its beginning.
fn told(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TOLD) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// The mistake, and the moves that fit all the same.
type Refusal = (FideMistake, Vec<Move>);

fn read(text: &str, position: &Position, letters: &'static Letters) -> Result<Move, Refusal> {
    let signs = strip_signs(text);
    let legal = position.legal_moves();
    let castling = match signs.bare {
        "0-0" | "O-O" => Some(CastlingSide::King),
        "0-0-0" | "O-O-O" => Some(CastlingSide::Queen),
        _ => None,
    };
    let (mv, says_capture) = if let Some(side) = castling {
        let found = legal.into_iter().find(|mv| mv.castling_side() == Some(side));
        (found.ok_or((FideMistake::Illegal, vec![]))?, false)
    } else {
        let Some(wanted) = describe(signs.bare, letters) else {
            return Err((FideMistake::Form, vec![]));
        };
        let fitting: Vec<Move> = legal.iter().copied().filter(|mv| wanted.fits(*mv, position)).collect();
        let found = match fitting[..] {
            [mv] => mv,
            [] => {
                let unnamed = Description { promoted: None, ..wanted };
                let becomes: Vec<Move> = legal
                    .into_iter()
                    .filter(|mv| mv.promoted().is_some() && unnamed.fits_but_for_promotion(*mv, position))
                    .collect();
                return Err(match becomes.is_empty() || wanted.promoted.is_some() {
                    true => (FideMistake::Illegal, vec![]),
                    false => (FideMistake::NoPromotion, becomes),
                });
            }
            _ => return Err((FideMistake::Ambiguous, fitting)),
        };
        (found, wanted.captures)
    };
    check_signs(mv, position, &signs, says_capture)
        .map_or(Ok(mv), |sign| Err((FideMistake::Sign(sign), vec![mv])))
}

/// The first sign that is not true of a legal move.
fn check_signs(mv: Move, position: &Position, signs: &Signs, captures: bool) -> Option<&'static str> {
    if captures && !position.is_capture(mv) {
        return Some("x");
    }
    let next = position.after(mv);
    let is_true = match signs.check {
        None => true,
        Some("+") => next.in_check(),
        Some(_) => next.is_checkmate(),
    };
    if !is_true {
        return signs.check;
    }
    signs.en_passant.filter(|_| mv.kind() != MoveKind::EnPassant)
}

impl Description {
    fn fits(&self, mv: Move, position: &Position) -> bool {
        mv.promoted() == self.promoted && self.fits_but_for_promotion(mv, position)
    }

    fn fits_but_for_promotion(&self, mv: Move, position: &Position) -> bool {
        let departs = self.file.is_none_or(|file| mv.from().file() == file)
            && self.rank.is_none_or(|rank| mv.from().rank() == rank);
        // A pawn's capture needs its file (C.9), and only a capture has a file without a rank.
        let pawn_is_clear = self.kind != PieceType::Pawn
            || self.rank.is_some()
            || self.file.is_some() == position.is_capture(mv);
        !mv.is_castling()
            && mv.to() == self.to
            && position.kind_on(mv.from()) == Some(self.kind)
            && departs
            && pawn_is_clear
    }
}

/// Takes a move apart: letter, departure, sign, arrival, promotion. `None` if it has another form.
fn describe(bare: &str, letters: &Letters) -> Option<Description> {
    let (kind, rest) = letters.strip_piece(bare).unwrap_or((PieceType::Pawn, bare));
    let (promoted, rest) = match letters.strip_promotion(rest).filter(|_| kind == PieceType::Pawn) {
        Some((promoted, rest)) => (Some(promoted), rest.strip_suffix('=').unwrap_or(rest)),
        None => (None, rest),
    };
    let before = rest.len().checked_sub(2).filter(|&before| rest.is_char_boundary(before))?;
    let (departure, arrival) = rest.split_at(before);
    let to = Square::parse(arrival)?;
    let captures = departure.ends_with('x');
    let hyphen = departure.ends_with('-');
    let departure = departure.strip_suffix(['x', '-']).unwrap_or(departure);
    let mut characters = departure.chars().peekable();
    let file = characters.next_if(char::is_ascii_lowercase).map(File::from_letter);
    let rank = characters.next_if(char::is_ascii_digit).map(Rank::from_digit);
    // A letter or digit that is off the board, or something behind them.
    if file == Some(None) || rank == Some(None) || characters.next().is_some() {
        return None;
    }
    let (file, rank) = (file.flatten(), rank.flatten());
    let is_whole = file.is_some() && rank.is_some();
    let pawn_without_file = kind == PieceType::Pawn && file.is_none() && (captures || rank.is_some());
    if (hyphen && !is_whole) || pawn_without_file {
        return None;
    }
    Some(Description { kind, file, rank, captures, to, promoted })
}

/// What is wrong with a text that has not the form of a move.
fn misform(text: &str, position: &Position, letters: &'static Letters) -> FideMistake {
    let bare = strip_signs(text).bare;
    if bare == "=" {
        return FideMistake::Offer;
    }
    if let Some(system) = other_system(bare) {
        return FideMistake::System(system);
    }
    let text = text.trim();
    // 'Ae79.': what stands before a number and its dot may be a move.
    let dot = text.trim_end_matches(|c: char| !matches!(c, '.' | '…')).trim_end_matches(['.', '…']);
    let digits = dot.len() - dot.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if dot.len() < text.len() {
        for count in 1..=digits.min(MOST_DIGITS) {
            let (mv, number) = text.split_at(dot.len() - count);
            if read(mv, position, letters).is_ok() {
                let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
                return FideMistake::RunTogether(mv.to_string(), number[..end].to_string());
            }
        }
    }
    match bare.chars().next() {
        Some(first) if bare.starts_with(letters.of(PieceType::Pawn)) => FideMistake::PawnLetter(first),
        Some(first) if first.is_uppercase() && letters.strip_piece(bare).is_none() => {
            FideMistake::Letter(first)
        }
        // 'Pd4' where the pawn's letter is another piece's in this language is that piece's move.
        _ => FideMistake::Form,
    }
}

/// The system of notation that a text belongs to, if it is another one than the algebraic: `P-K4`, `PxP`, `N-KB3`,
/// Spanish `P4R` and `C3AR`, or the figures of correspondence chess (`5254`).
fn other_system(bare: &str) -> Option<&'static str> {
    let squares = |digit: char| ('1'..='8').contains(&digit);
    if matches!(bare.len(), 4 | 5) && bare.chars().all(squares) {
        return Some("numeric");
    }
    let parts: Vec<&str> = bare.split(['-', 'x', '×']).collect();
    let is_capital = |c: char| c.is_ascii_uppercase();
    let is_piece = |part: &str| {
        let name = part.split(['/', '(']).next().unwrap_or(part);
        !name.is_empty() && name.len() <= 3 && name.chars().all(is_capital)
    };
    // English 'KB3' and 'K4', Spanish '3AR' and '4R'.
    let is_place = |part: &str| {
        let letters = part.trim_matches(squares);
        part.len() - letters.len() == 1 && (1..=3).contains(&letters.len()) && letters.chars().all(is_capital)
    };
    let descriptive = match parts[..] {
        [piece, arrival] => is_piece(piece) && (is_place(arrival) || is_piece(arrival)),
        // 'P4R', 'C3AR': piece, rank, file.
        [whole] => match whole.find(squares) {
            Some(digit) => is_piece(&whole[..digit]) && is_piece(&whole[digit + 1..]),
            None => false,
        },
        _ => false,
    };
    descriptive.then_some("descriptive")
}

/// No game has more moves than numbers of so many digits count.
const MOST_DIGITS: usize = 4;
/// So much is told of a text that is no move.
const LONGEST_TOLD: usize = 40;
/// The most moves that are offered for a misprint.
const MOST_NEAR: usize = 6;
/// The longest text that moves come near to, in characters.
const LONGEST_NEAR: usize = 12;
/// Texts that differ in more characters are not near.
const FARTHEST: usize = 2;

/// Legal moves whose spelling differs from the text in the fewest characters.
fn near(text: &str, position: &Position, letters: &'static Letters) -> Vec<String> {
    let bare = strip_signs(text).bare;
    let length = bare.chars().count();
    if length > LONGEST_NEAR || !names_square(bare) {
        return vec![];
    }
    let styles = styles(letters);
    let distance = |mv| {
        let distances = styles.iter().map(|style| differences(bare, &to_fide(mv, position, style)));
        // What has nothing in common with the text is not near.
        distances.min().filter(|&distance| distance < length)
    };
    let found: Vec<(Option<usize>, Move)> =
        position.legal_moves().into_iter().map(|mv| (distance(mv), mv)).collect();
    let least = found.iter().filter_map(|&(distance, _)| distance).min().filter(|&least| least <= FARTHEST);
    let near = found.into_iter().filter(|&(distance, _)| least.is_some() && distance == least);
    near.map(|(_, mv)| to_fide(mv, position, &FideStyle::new(letters))).take(MOST_NEAR).collect()
}

/// The ways of writing a move that a misprint is compared with.
fn styles(letters: &'static Letters) -> [FideStyle; 4] {
    let plain = FideStyle::plain(letters);
    [
        plain,
        FideStyle { captures: true, ..plain },
        FideStyle { long: true, ..plain },
        FideStyle { long: true, captures: true, ..plain },
    ]
}

/// True if a letter and a digit stand together, as in a square or in one misspelt, or zeros as in castling.
fn names_square(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    let is_square = |pair: &[char]| pair[0].is_alphabetic() && pair[1].is_ascii_digit();
    characters.windows(2).any(is_square) || text.matches(['0', 'O', 'o']).count() > 1
}

/// The mistake of a text that looks like a legal move and has a letter of another alphabet in it, and that move.
fn lookalike(text: &str, position: &Position, letters: &'static Letters) -> Option<Refusal> {
    let bare: Vec<char> = strip_signs(text).bare.chars().take(LONGEST_NEAR).collect();
    let looks_like = |meant: &str| bare.iter().map(|&c| latin_twin(c)).eq(meant.chars().map(latin_twin));
    let styles = styles(letters);
    for mv in position.legal_moves() {
        let mut spellings = styles.iter().map(|style| to_fide(mv, position, style));
        if let Some(meant) = spellings.find(|meant| looks_like(meant)) {
            let mut pairs = bare.iter().copied().zip(meant.chars());
            let (written, meant) = pairs.find(|(written, meant)| written != meant)?;
            return Some((FideMistake::Lookalike(written, meant), vec![mv]));
        }
    }
    None
}

/// How many characters have to be put in, taken out or changed to make one text the other (Levenshtein's distance).
fn differences(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, a) in a.chars().enumerate() {
        let mut diagonal = line;
        row[0] = line + 1;
        for (column, &b) in b.iter().enumerate() {
            let change = diagonal + usize::from(a != b);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::notation::uci_move::to_uci;

    const START: &str = Board::START_FEN;
    /// The sample game of appendix C before its sixth move.
    const SAMPLE: &str = "rnbqkb1r/ppp2ppp/8/3pP3/3Qn3/5N2/PPP2PPP/RNB1KB1R w KQkq d6 0 6";

    fn letters(code: &str) -> &'static Letters {
        Letters::find(code).unwrap()
    }

    fn uci(text: &str, fen: &str, code: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        let mv = parse_fide(text, &position, letters(code)).unwrap_or_else(|error| panic!("{error}"));
        to_uci(mv, &position, false)
    }

    fn error(text: &str, fen: &str, code: &str) -> FideError {
        let position = Position::from_fen(fen).unwrap();
        parse_fide(text, &position, letters(code)).expect_err(text)
    }

    #[test]
    fn c8_to_c13_moves_are_read_short_and_long_with_and_without_signs() {
        for text in ["Cf3", "Cg1f3", "Cg1-f3", "Cgf3", "C1f3"] {
            assert_eq!(uci(text, START, "es"), "g1f3");
        }
        for text in ["e4", "e2e4", "e2-e4"] {
            assert_eq!(uci(text, START, "de"), "e2e4");
        }
        for text in ["ed6", "exd6", "e5d6", "e5xd6", "exd6 a.p.", "exd6a.p.", "exd6 e.p."] {
            assert_eq!(uci(text, SAMPLE, "es"), "e5d6", "{text}");
        }
        let check = "8/1k6/8/pP6/8/8/4K3/8 w - a6 0 1";
        for text in ["ba6", "bxa6+ a.p.", "bxa6 a.p.+", "bxa6a.p.+"] {
            assert_eq!(uci(text, check, "es"), "b5a6", "{text}");
        }
        let castling = "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        for text in ["0-0", "O-O", "0-0+"] {
            assert_eq!(uci(text, castling, "es"), "e1g1");
        }
        assert_eq!(uci("0-0-0", castling, "es"), "e1c1");
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        for (text, code) in
            [("a8D", "es"), ("a8=D", "es"), ("a7a8D", "es"), ("a8♕", "figurine"), ("a8Ф", "ru")]
        {
            assert_eq!(uci(text, promotion, code), "a7a8q", "{text}");
        }
        let mate = "7k/6pp/8/8/8/8/8/K3R3 w - - 0 1";
        for text in ["Te8", "Te8+", "Te8#", "Te8++"] {
            assert_eq!(uci(text, mate, "es"), "e1e8");
        }
    }

    #[test]
    fn the_language_alone_says_what_a_letter_means() {
        let rooks_and_king = "6k1/8/8/8/8/8/8/R3K2R w - - 0 1";
        assert_eq!(uci("Re2", rooks_and_king, "es"), "e1e2");
        assert_eq!(uci("Ra2", rooks_and_king, "en"), "a1a2");
        assert_eq!(error("Ra2", rooks_and_king, "es").mistake, FideMistake::Illegal);
        assert_eq!(uci("Pf3", START, "nl"), "g1f3", "the paard");
    }

    #[test]
    fn c3_a_pawn_has_no_letter() {
        for (text, code) in [("Pd4", "es"), ("Bd4", "de"), ("pd4", "en")] {
            let error = error(text, START, code);
            assert_ne!(error.mistake, FideMistake::Illegal, "{error}");
            assert_eq!(error.possible, ["d4"], "{error}");
        }
        assert_eq!(
            error("Pd4", START, "es").to_string(),
            "'Pd4': 'P' is the pawn's letter, which is not written; possible: d4"
        );
        assert_eq!(error("Bd4", START, "de").mistake, FideMistake::PawnLetter('B'));
    }

    #[test]
    fn misprints_of_the_printed_laws_are_reported_with_what_was_possible() {
        let before_5 = "rnbqkb1r/pppp1ppp/8/4P3/3pn3/5N2/PPP2PPP/RNBQKB1R w KQkq - 1 5";
        let wrong = error("Dxd5", before_5, "es");
        assert_eq!((wrong.mistake, wrong.possible), (FideMistake::Illegal, vec!["Dxd4".to_string()]));
        let before_4 = "rnbqkb1r/pppp1ppp/5n2/4P3/3p4/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4";
        assert_eq!(
            error("CCe4", before_4, "es").to_string(),
            "'CCe4': no move in Spanish notation (R D T A C); possible: Ce4"
        );
        let before_11 = "r1bqr1k1/ppp1bppp/2nn4/6B1/8/4QN2/PPPN1PPP/2KR1B1R w - - 8 11";
        assert_eq!(
            error("Kb1", before_11, "es").to_string(),
            "'Kb1': 'K' is no piece's letter in Spanish notation (R D T A C); possible: Rb1, Cb1"
        );
        let before_8 = "r1bqkb1r/ppp2ppp/2nn4/6B1/8/4QN2/PPP2PPP/RN2KB1R b KQkq - 3 8";
        assert_eq!(
            error("Ae79.", before_8, "es").to_string(),
            "'Ae79.': a blank is missing between 'Ae7' and '9.'"
        );
        let run_on = error("Ae79.Cbd2", before_8, "es");
        assert_eq!(run_on.mistake, FideMistake::RunTogether("Ae7".into(), "9.".into()));
    }

    #[test]
    fn letters_of_another_alphabet_are_named_by_their_numbers() {
        let told = |text: &str, code: &str| error(text, START, code).to_string();
        assert_eq!(
            told("Kf3", "ru"),
            "'Kf3': 'K' is a Latin letter (U+004B); here belongs a Cyrillic letter (U+041A); possible: Кf3"
        );
        assert_eq!(
            told("е4", "ru"),
            "'е4': 'е' is a Cyrillic letter (U+0435); here belongs a Latin letter (U+0065); possible: e4"
        );
        assert!(told("Νf3", "en").starts_with("'Νf3': 'Ν' is a Greek letter (U+039D); here belongs a Latin"));
        let castling = error("О-О", "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "ru");
        assert_eq!(castling.mistake, FideMistake::Lookalike('О', '0'));
        assert_eq!(error("Kf4", START, "ru").mistake, FideMistake::Letter('K'));
    }

    #[test]
    fn what_has_nothing_in_common_with_a_move_is_not_near_it() {
        for text in ["-", "x", "e", "Cf", "a", "?", "A9", ""] {
            assert!(error(text, START, "es").possible.is_empty(), "{text}");
        }
        assert_eq!(error("e9", START, "es").possible, ["e3", "e4"]);
        let castling = error("0-O", "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "es");
        assert_eq!(castling.possible, ["0-0+"]);
    }

    #[test]
    fn signs_must_be_true_and_departures_clear() {
        let sign = |text: &str, fen: &str| match error(text, fen, "es").mistake {
            FideMistake::Sign(sign) => sign,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(sign("Cxf3", START), "x");
        assert_eq!(sign("Cf3+", START), "+");
        assert_eq!(sign("Cf3++", START), "++");
        assert_eq!(sign("Cf3#", START), "#");
        assert_eq!(sign("e4 a.p.", START), "a.p.");
        let before_4 = "rnbqkb1r/pppp1ppp/5n2/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3";
        assert_eq!(error("d4", before_4, "es").possible, ["exd4", "d6", "d5"], "a capture needs its file");
        assert_eq!(error("ee4", START, "es").mistake, FideMistake::Illegal);
        let knights = error("Nd4", "6k1/8/8/8/8/1N6/4N3/4K3 w - - 0 1", "en");
        assert_eq!(knights.mistake, FideMistake::Ambiguous);
        assert_eq!(knights.possible, ["Ned4", "Nbd4"]);
        let promotion = error("a8", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "es");
        assert_eq!(promotion.mistake, FideMistake::NoPromotion);
        assert_eq!(promotion.possible, ["a8D", "a8T", "a8A", "a8C"]);
        assert_eq!(error("a8R", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "es").mistake, FideMistake::Form);
        assert_eq!(error("0-0", START, "es").mistake, FideMistake::Illegal);
    }

    #[test]
    fn other_systems_are_named_and_refused() {
        for (text, system) in [
            ("P-K4", "descriptive"),
            ("N-KB3", "descriptive"),
            ("PxP", "descriptive"),
            ("QxRP", "descriptive"),
            ("P4R", "descriptive"),
            ("C3AR", "descriptive"),
            ("5254", "numeric"),
        ] {
            assert_eq!(error(text, START, "es").mistake, FideMistake::System(system), "{text}");
        }
        for text in ["", "-", "x", "e", "e9", "i4", "ä4", "Cf", "C-f3", "xd4", "2e4", "♘f3", "Cf3Cf6", "e4e"]
        {
            assert_eq!(error(text, START, "es").mistake, FideMistake::Form, "{text:?}");
        }
        // Each number with its dot may be the one that has run into a move.
        assert_eq!(error(&"20.31".repeat(40), START, "es").mistake, FideMistake::Form);
        let long = error(&"7".repeat(1_000_000), START, "es");
        assert_eq!(long.text.chars().count(), LONGEST_TOLD + 1);
    }
}
