//! Games as PGN (S. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994): writing them.

use super::lan::to_lan;
use super::pgn_reader::{number_behind, rules, value_of};
use super::san::to_san;
use super::uci_move::to_uci;
use crate::board::{Board, FenStyle, Position};
use crate::types::{Color, Move, Outcome};
use std::fmt;

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PgnNotation {
    /// Standard algebraic notation, as the standard wants it.
    #[default]
    San,
    /// Long algebraic notation.
    Lan,
    /// As UCI writes moves; castling is the king's step, in Chess960 king takes rook.
    Uci,
}

/// A game with what is said about it.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Tag names and values; the seven-tag roster should come first. Result, FEN and SetUp are added in writing.
    pub tags: Vec<(String, String)>,
    /// The position that it began from.
    pub start: Position,
    /// The moves, each with a comment that may be empty.
    pub moves: Vec<(Move, String)>,
    /// A comment on the game as a whole, before its moves; it may be empty.
    pub preface: String,
    /// How it ended.
    pub outcome: Outcome,
    /// How the moves are written.
    pub notation: PgnNotation,
}

/// Lines of the move text are at most so long (section 8.2.1).
const WIDTH: usize = 80;

impl fmt::Display for GameRecord {
    /// The game in export format, with an empty line at its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tag = |name: &str, value: &str| f.write_str(&tag_pair(name, value));
        // The result is the last of the seven tags that come first (section 8.1.1).
        let place =
            self.tags.iter().position(|(name, _)| name == "Black").map_or(self.tags.len(), |at| at + 1);
        let (first, then) = self.tags.split_at(place);
        for (name, value) in first {
            tag(name, value)?;
        }
        tag("Result", &self.outcome.to_string())?;
        for (name, value) in then {
            tag(name, value)?;
        }
        let start = self.start.to_fen(FenStyle::XFen);
        // Of Chess960 every start is one among many.
        if start != Board::START_FEN || self.is_chess960() {
            tag("SetUp", "1")?;
            tag("FEN", &start)?;
        }
        writeln!(f)?;
        writeln!(f, "{}", wrap(&self.words()))
    }
}

/// A tag in a line of its own (section 8.1.1).
pub(super) fn tag_pair(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Words in lines of 80 characters, each line with its end.
pub(super) fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    let mut at = 0;
    while at < words.len() {
        let mut end = at + unbroken(&words[at..]);
        // Some programs take every line that begins with a bracket for a tag, and lose the moves in it.
        while words.get(end).is_some_and(|word| word.starts_with('[')) {
            let longer = end + unbroken(&words[end..]);
            if words[at..longer].join(" ").chars().count() > WIDTH {
                break;
            }
            end = longer;
        }
        let word = &words[at..end].join(" ");
        at = end;
        let width = word.chars().count();
        // A line that begins so inside a comment would be taken for the beginning of another game, or left out
        // (section 6).
        let may_begin = !word.starts_with("[Event") && !word.starts_with('%');
        if column > 0 && column + 1 + width > WIDTH && may_begin {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += width;
    }
    text + "\n"
}

/// How many of the words, from the first one on, stand in one line: a command in a comment, such as `[%clk 0:01:02]`, is
/// one thing to most programs that look for it.
fn unbroken(words: &[String]) -> usize {
    let is_open = |word: &str| word.rfind("[%").is_some_and(|at| !word[at..].contains(']'));
    if !is_open(&words[0]) {
        return 1;
    }
    // One that is never closed is none.
    let end = words.iter().skip(1).take(LONGEST_COMMAND).position(|word| word.contains([']', '}']));
    end.filter(|&end| words[end + 1].contains(']')).map_or(1, |end| end + 2)
}

/// Words in a command behind its name, at most.
const LONGEST_COMMAND: usize = 4;

impl GameRecord {
    fn is_chess960(&self) -> bool {
        value_of(&self.tags, "Variant").is_some_and(|value| rules(value) == Some(true))
    }

    /// The words of the move text.
    fn words(&self) -> Vec<String> {
        let mut position = self.start;
        let is_chess960 = self.is_chess960();
        let moves = self.moves.iter().map(|(mv, comment)| {
            let text = match self.notation {
                PgnNotation::San => to_san(*mv, &position),
                PgnNotation::Lan => to_lan(*mv, &position),
                PgnNotation::Uci => to_uci(*mv, &position, is_chess960),
            };
            position = position.after(*mv);
            (vec![text], comment.clone())
        });
        move_text(&self.start, &self.preface, moves, self.outcome.to_string())
    }
}

/// Move numbers, moves, comments and the result, as the words of a move text. Each move comes with what stands behind it, and
/// with its comment; `preface` is said before the first.
pub(super) fn move_text(
    start: &Position,
    preface: &str,
    moves: impl Iterator<Item = (Vec<String>, String)>,
    result: String,
) -> Vec<String> {
    let mut words = vec![];
    add_comment(preface, &mut words);
    let mut number_is_due = true;
    for (ply, (text, comment)) in moves.enumerate() {
        let is_whites = (start.side_to_move() == Color::White) == ply.is_multiple_of(2);
        if is_whites || number_is_due {
            words.push(number_behind(start, ply));
        }
        words.extend(text);
        number_is_due = add_comment(&comment, &mut words);
    }
    words.push(result);
    words
}

/// Adds a comment in braces as words of the move text, and tells whether it says anything: else there is none.
fn add_comment(comment: &str, words: &mut Vec<String>) -> bool {
    let comment = comment.replace(['{', '}'], "");
    let comment = comment.trim();
    if !comment.is_empty() {
        // They are wrapped too, a word at a time.
        words.extend(format!("{{{comment}}}").split_whitespace().map(str::to_string));
    }
    !comment.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn_reader::PgnReader;
    use crate::notation::san::parse_san;

    #[test]
    fn a_game_is_written_in_export_format() {
        let start = Position::from_fen("4k3/8/8/8/8/4p3/8/R3K2R b KQ - 0 7").unwrap();
        let mut position = start;
        let mut moves = vec![];
        for (text, comment) in [("Kd8", "+0.10/3 0.1s"), ("O-O-O+", ""), ("Kc8", "a {b} c"), ("Rd3", " {} ")]
        {
            let mv = parse_san(text, &position).unwrap();
            position = position.after(mv);
            moves.push((mv, comment.to_string()));
        }
        let tags = vec![("Event".to_string(), "say \"check\"".to_string())];
        let (preface, notation) = ("on the whole".to_string(), PgnNotation::San);
        let game = GameRecord { tags, start, moves, preface, outcome: Outcome::Draw, notation };
        assert_eq!(
            game.to_string(),
            "[Event \"say \\\"check\\\"\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n\
             [FEN \"4k3/8/8/8/8/4p3/8/R3K2R b KQ - 0 7\"]\n\n\
             {on the whole} 7... Kd8 {+0.10/3 0.1s} 8. O-O-O+ Kc8 {a b c} 9. Rd3 1/2-1/2\n\n"
        );
    }

    #[test]
    fn chess960_says_where_it_starts_and_castles_to_the_rook() {
        let start = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let castling = parse_san("O-O", &start).unwrap();
        let text = |start: Position, moves: &[Move], variant: Option<&str>| {
            let tags =
                variant.map(|variant| ("Variant".to_string(), variant.to_string())).into_iter().collect();
            let moves = moves.iter().map(|&mv| (mv, String::new())).collect();
            let (outcome, notation) = (Outcome::Unfinished, PgnNotation::Uci);
            GameRecord { tags, start, moves, preface: String::new(), outcome, notation }.to_string()
        };
        assert!(text(start, &[castling], None).contains("1. e1g1 *"));
        assert!(text(start, &[castling], Some("Chess960")).contains("1. e1h1 *"));
        let array = Position::default();
        assert!(
            !text(array, &[], None).contains("FEN") && !text(array, &[], Some("Standard")).contains("FEN")
        );
        assert!(
            text(array, &[], Some("Chess960"))
                .contains(&format!("[SetUp \"1\"]\n[FEN \"{}\"]", Board::START_FEN))
        );
    }

    #[test]
    fn no_line_of_a_comment_begins_like_a_game() {
        let comment = format!("{} [Event \"x\"] y", "x".repeat(75));
        let mut words = vec![];
        add_comment(&comment, &mut words);
        assert!(!wrap(&words).contains("\n[Event"));
        // Nor like a line that is left out.
        words.clear();
        add_comment(&format!("{} % of it", "x".repeat(78)), &mut words);
        assert!(!wrap(&words).contains("\n%"));
    }

    #[test]
    fn commands_in_comments_are_not_broken() {
        let comment = "[%clk 0:01:02] and [%emt 0:00:01]";
        for before in 0..80 {
            let mut words = vec![];
            add_comment(&format!("{} {comment} [%open and so on", "x".repeat(before)), &mut words);
            let text = wrap(&words);
            assert!(text.contains("[%clk 0:01:02]") && text.contains("[%emt 0:00:01]"), "{text}");
            assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
            assert_eq!(
                text.split_whitespace().collect::<Vec<_>>(),
                words.join(" ").split(' ').collect::<Vec<_>>()
            );
        }
        // No line begins with one, for it would be taken for a tag, but where there are too many for a line.
        for commands in 1..9 {
            let comment = ["[%clk 0:01:02]", "[a]"].repeat(commands).join(" ");
            for before in 0..80 {
                let mut words = vec!["y".repeat(before), "e4".to_string()];
                add_comment(&comment, &mut words);
                let text = wrap(&words);
                assert_eq!(text.lines().any(|line| line.starts_with('[')), commands > 4, "{text}");
                assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
            }
        }
        // One that is not closed holds nothing together, wherever its comment ends.
        let text = wrap(&["{[%clk".to_string(), "x".repeat(70), "y}".to_string(), "[a]".to_string()]);
        assert_eq!(text.lines().count(), 2, "{text}");
    }

    #[test]
    fn lines_are_not_longer_than_eighty() {
        let start = Position::default();
        let mut position = start;
        let mut moves = vec![];
        for text in ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(30) {
            let mv = parse_san(text, &position).unwrap();
            position = position.after(mv);
            moves.push((mv, String::new()));
        }
        let (outcome, notation) = (Outcome::Unfinished, PgnNotation::San);
        let text = GameRecord { tags: vec![], start, moves, preface: String::new(), outcome, notation };
        let text = text.to_string();
        assert!(text.lines().all(|line| line.len() <= WIDTH) && text.lines().count() > 10, "{text}");
    }

    #[test]
    fn moves_are_counted_on_beyond_four_digits() {
        let start = Position::from_fen("4k3/8/8/8/8/8/8/4K2R b - - 0 9997").unwrap();
        let mut position = start;
        let mut moves = vec![];
        for text in ["Kd8", "Ke2", "Ke8", "Ke1"].repeat(3) {
            let mv = parse_san(text, &position).unwrap();
            position = position.after(mv);
            moves.push((mv, String::new()));
        }
        let (outcome, notation, preface) = (Outcome::Unfinished, PgnNotation::San, String::new());
        let game = GameRecord { tags: vec![], start, moves, preface, outcome, notation };
        let text = game.to_string().replace('\n', " ");
        assert!(text.contains("9997... Kd8 9998. Ke2 Ke8 9999. Ke1 Kd8 10000. Ke2 Ke8 10001. Ke1"), "{text}");
        let read = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let played: Vec<Move> = read.moves.iter().map(|played| played.mv).collect();
        assert_eq!(played, game.moves.iter().map(|(mv, _)| *mv).collect::<Vec<_>>());
    }
}
