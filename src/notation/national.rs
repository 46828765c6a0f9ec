//! Games in the letters of a language, as players write them (FIDE Laws of Chess 2023, appendix C): a score sheet as
//! plain text, or a PGN whose moves have national letters.
//!
//! Strict, as [`super::fide_reader`] is: whatever is not as the Laws write it, a move number that is not the next one
//! included, is an error with line and move number. The next game is then read.

use super::characters::{is_dash, is_invisible, plain};
use super::comment::{DRAW_OFFER, pattern};
use super::fide_reader::parse_fide;
use super::glyphs;
use super::letters::Letters;
use super::pgn_reader::{
    PgnError, PgnErrorKind, PgnGame, PgnMove, add_comment, as_far_as_read, count_behind, line_of_start,
    number_behind, rules, start, value_of,
};
use super::pgn_result::{BOTH_LOSE, both_have_lost, named_exceptional, outcome, settled};
use super::pgn_tokens::REMARK;
use crate::board::Position;
use crate::types::{Color, Outcome};
use once_cell::sync::Lazy;
use regex_lite::Regex;

/// A tag, which ends with its line.
static TAG: Lazy<Regex> = Lazy::new(|| pattern(r#"^\[\s*([^\s"\[\]]+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]"#));

/// The games of a text whose moves have these letters.
pub fn read_games(text: &str, letters: &'static Letters) -> Vec<Result<PgnGame, PgnError>> {
    let mut reader = Reader {
        whole: text,
        at: 0,
        line: (0, 1),
        comments_end: 0,
        letters,
        games: vec![],
        draft: Draft::default(),
    };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    while reader.step() {}
    reader.end_game(None);
    reader.games
}

struct Reader<'a> {
    whole: &'a str,
    /// The byte that comes next.
    at: usize,
    /// A byte before it, and its line.
    line: (usize, u64),
    /// The end of the comments that it was last looked behind: of those between here and there none is read for the next.
    comments_end: usize,
    letters: &'static Letters,
    games: Vec<Result<PgnGame, PgnError>>,
    draft: Draft,
}

/// A game while it is being read.
#[derive(Default)]
struct Draft {
    /// The byte that it begins with, and its line.
    begun: Option<(usize, u64)>,
    tags: Vec<(String, String)>,
    /// The line of each tag.
    tag_lines: Vec<u64>,
    /// Moves or numbers have come.
    has_text: bool,
    /// The position at the start and the one now; made when the first word comes.
    positions: Option<(Position, Position)>,
    comment: String,
    moves: Vec<PgnMove>,
    /// The word that ends it, if PGN's tag `Result` has no value for it.
    exceptional: Option<&'static str>,
    error: Option<PgnError>,
}

impl Draft {
    fn tag(&self, name: &str) -> Option<&str> {
        value_of(&self.tags, name)
    }
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.whole[self.at..]
    }

    /// The line of a byte, from 1. Bytes are asked for in their order.
    fn line(&mut self, at: usize) -> u64 {
        let (before, line) = self.line;
        let more = self.whole.as_bytes()[before..at].iter().filter(|&&byte| byte == b'\n').count();
        self.line = (at, line + more as u64);
        self.line.1
    }

    /// The game begins here, unless it has begun.
    fn mark_begin(&mut self) {
        if self.draft.begun.is_none() {
            self.draft.begun = Some((self.at, self.line(self.at)));
        }
    }

    /// Takes a comment. Behind a result it is said of the game that has ended.
    fn say(&mut self, text: &str) {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.games.last_mut() {
            Some(Ok(ended)) if self.draft.begun.is_none() => {
                add_comment(&mut ended.moves, &mut ended.comment, &words);
            }
            Some(Err(_)) if self.draft.begun.is_none() => {}
            _ => add_comment(&mut self.draft.moves, &mut self.draft.comment, &words),
        }
    }

    /// A bracket begins here that the game does not close. What follows is of no game.
    fn unclosed(&mut self, bracket: char) {
        self.mark_begin();
        self.draft.has_text = true;
        let line = self.line(self.at);
        let kind = PgnErrorKind::Unclosed(bracket);
        self.draft.error.get_or_insert(PgnError { line, kind, before: None });
        // From the line end on, which comes before that game.
        self.at += self.rest().find(NEXT_GAME).unwrap_or(self.rest().len());
        // What was taken for a comment may have been looked over to its bracket in another game.
        self.comments_end = 0;
    }

    /// Reads one piece of text; false at the end.
    fn step(&mut self) -> bool {
        let is_seen = |c: char| !c.is_whitespace() && !is_invisible(c);
        self.at += self.rest().find(is_seen).unwrap_or(self.rest().len());
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        // Not for every word: a line may be as long as the file.
        let line_end = || rest.find('\n').unwrap_or(rest.len());
        let before = self.whole[..self.at].chars().next_back();
        let at_line_start = matches!(before, None | Some('\n' | '\u{feff}'));
        match first {
            '[' if TAG.is_match(rest) => self.tag(),
            '%' if at_line_start => self.at += line_end(),
            ';' => {
                let end = line_end();
                if let Some(number) = self.move_due(&rest[1..end], self.at + end) {
                    let (line, kind) = (self.line(self.at), PgnErrorKind::MoveInComment(number));
                    self.draft.error = Some(PgnError { line, kind, before: None });
                }
                self.say(&rest[1..end]);
                self.at += end;
            }
            '{' => match COMMENT_END.find(rest).filter(|end| end.as_str() == "}").map(|end| end.start()) {
                Some(end) => {
                    self.say(&rest[1..end]);
                    self.at += end + 1;
                }
                None => self.unclosed(first),
            },
            '(' if let Some(length) = length_of_offer(rest) => {
                self.say(DRAW_OFFER);
                self.at += length;
            }
            '(' => match length_of_variation(rest) {
                Some(length) => self.at += length,
                None => self.unclosed(first),
            },
            '$' => {
                let digits: String = rest[1..].chars().take_while(char::is_ascii_digit).collect();
                if let (Some(last), Ok(number)) = (self.draft.moves.last_mut(), digits.parse()) {
                    last.nags.push(number);
                }
                self.at += 1 + digits.len();
            }
            '*' => {
                self.at += 1;
                self.end_game(Some(Outcome::Unfinished));
            }
            _ => self.word(),
        }
        true
    }

    fn tag(&mut self) {
        let rest = self.rest();
        let Some(found) = TAG.captures(rest) else { return };
        if self.draft.has_text || (&found[1] == "Event" && self.draft.tag("Event").is_some()) {
            self.end_game(None);
        }
        self.mark_begin();
        let line = self.line(self.at);
        self.draft.tag_lines.push(line);
        let value = found[2].replace("\\\"", "\"").replace("\\\\", "\\");
        self.draft.tags.push((found[1].to_string(), value.trim().to_string()));
        self.at += found[0].len();
    }

    /// A result, a move number, a move, or both in one word.
    fn word(&mut self) {
        let rest = self.rest();
        let begins = self.at;
        let line = self.line(begins);
        if let Some(length) = length_of_result(rest)
            && let Some(result) = outcome(&rest[..length])
        {
            self.at += length;
            return self.end_by(&rest[..length], result);
        }
        let end = rest.find(|c: char| c.is_whitespace() || "{}();$*".contains(c)).unwrap_or(rest.len());
        let word = &rest[..end.max(rest.chars().next().map_or(0, char::len_utf8))];
        if let Some(result) = outcome(word) {
            self.at += word.len();
            return self.end_by(word, result);
        }
        self.mark_begin();
        self.at += word.len();
        self.draft.has_text = true;
        let word = &*plain(word);
        let (number, text) = split_number(word);
        let (text, nag) = strip_judgement(text);
        let Some((start, position)) = self.begin() else { return };
        let plies = self.draft.moves.len();
        if self.draft.error.is_some() {
            return;
        }
        if let Some(number) = number
            && !is_due(number, count_behind(&start, plies), position.side_to_move())
        {
            let kind = PgnErrorKind::Number(number.to_string(), number_behind(&start, plies));
            self.draft.error = Some(PgnError { line, kind, before: None });
            return;
        }
        let text = text.to_string() + self.en_passant_sign(text);
        if text.is_empty() {
            // A judgement behind a blank.
            if let Some(last) = self.draft.moves.last_mut() {
                last.nags.extend(nag);
            }
        } else if text == BOTH_LOSE && both_have_lost(|name| self.draft.tag(name)) && self.game_ends() {
            self.end_by(&text, Outcome::Unfinished);
        } else {
            match parse_fide(&text, &position, self.letters) {
                Ok(mv) => {
                    let nags = nag.into_iter().collect();
                    self.draft.moves.push(PgnMove { mv, comment: String::new(), nags });
                    if let Some((_, now)) = &mut self.draft.positions {
                        *now = position.after(mv);
                    }
                }
                // 'Advantage White' has the same sign in the middle of a game.
                Err(_) if named_exceptional(&text).is_some() && self.game_ends() => {
                    self.end_by(&text, Outcome::Unfinished);
                }
                Err(error) => {
                    let kind = PgnErrorKind::Sheet(number_behind(&start, plies), Box::new(error));
                    self.draft.error = Some(PgnError { line, kind, before: None });
                }
            }
        }
    }

    /// The number of the move that is due, with its dots, if a comment that ends at this byte has nothing but moves from it on,
    /// and no move in its place follows.
    fn move_due(&mut self, comment: &str, end: usize) -> Option<String> {
        if !self.draft.has_text || self.draft.error.is_some() {
            return None;
        }
        let (start, position) = self.begin()?;
        let plies = self.draft.moves.len();
        let due = |number: &str| is_due(number, count_behind(&start, plies), position.side_to_move());
        let read = |text: &str, now: &Position| parse_fide(strip_judgement(text).0, now, self.letters).ok();
        let has_digits = |number: &str| number.starts_with(|c: char| c.is_ascii_digit());
        let mut now = position;
        for word in comment.split(|c: char| c.is_whitespace() || c == ';').filter(|word| !word.is_empty()) {
            let word = plain(word);
            let (number, text) = split_number(&word);
            if now == position && number.is_some_and(|number| !has_digits(number) || !due(number)) {
                return None;
            }
            if !text.is_empty() && outcome(&word).is_none() {
                now = now.after(read(text, &now)?);
            }
        }
        if now == position || split_number(&plain(comment.trim_start())).0.is_none() {
            return None;
        }
        // Many comments may stand one behind the other, and what follows them follows each.
        if self.comments_end < end {
            self.comments_end = self.whole.len() - behind_comments(&self.whole[end..]).len();
        }
        let (number, text) = next_move(&self.whole[self.comments_end..]);
        let is_in_place = number.is_none_or(|number| due(&number)) && read(&text, &position).is_some();
        (!is_in_place).then(|| number_behind(&start, plies))
    }

    /// What stands behind a result in its line and begins no other game, by the rules of `pgn_tokens`.
    fn remark(&self) -> Option<&'a str> {
        let rest = self.rest();
        let mut near = rest.char_indices().enumerate();
        let end = near.find(|&(count, (_, c))| c == '\n' || count == REMARK);
        let near = &rest[..end.map_or(rest.len(), |(_, (at, _))| at)];
        for word in near.split_whitespace() {
            match word.chars().next()? {
                '{' | ';' | '[' | '$' | '!' | '?' | '*' => return None,
                '(' if !near.contains(')') => return None,
                '(' => {}
                _ if word.chars().all(|c| c.is_ascii_digit() || c == '.') => continue,
                _ if word.contains(char::is_numeric) => return None,
                _ if !word.contains(char::is_alphabetic) => continue,
                _ => {}
            }
            let ends =
                |&(at, c): &(usize, char)| matches!(c, '\n' | '{') || c == '[' && TAG.is_match(&rest[at..]);
            return Some(rest.char_indices().find(ends).map_or(rest, |(at, _)| &rest[..at]));
        }
        None
    }

    /// Takes the sign of a capture en passant that stands behind a move and a blank.
    fn en_passant_sign(&mut self, text: &str) -> &'a str {
        let rest = self.rest();
        let sign = rest.trim_start();
        if text.is_empty() || !(sign.starts_with("a.p.") || sign.starts_with("e.p.")) {
            return "";
        }
        let end = sign[4..].find(|c| c != '+' && c != '#').map_or(sign.len(), |end| end + 4);
        self.at += rest.len() - sign.len() + end;
        &sign[..end]
    }

    /// The position now, or `None` and an error if the game has no start.
    fn begin(&mut self) -> Option<(Position, Position)> {
        if self.draft.positions.is_none() {
            match start(self.draft.tag("FEN"), self.draft.tag("Variant")) {
                Ok(start) => self.draft.positions = Some((start, start)),
                Err(kind) => {
                    let line = line_of_start(&kind, &self.draft.tags, &self.draft.tag_lines);
                    self.draft.error.get_or_insert(PgnError { line, kind, before: None });
                }
            }
        }
        self.draft.positions
    }

    /// True if nothing more of this game comes, but for comments.
    fn game_ends(&self) -> bool {
        let mut rest = self.rest().trim_start();
        while let Some(end) = [('{', '}'), (';', '\n')].iter().find(|(begin, _)| rest.starts_with(*begin)) {
            rest = rest.split_once(end.1).map_or("", |(_, behind)| behind.trim_start());
        }
        rest.is_empty() || TAG.is_match(rest)
    }

    fn end_by(&mut self, word: &str, result: Outcome) {
        self.draft.exceptional = named_exceptional(word);
        self.end_game(Some(result));
    }

    fn end_game(&mut self, result: Option<Outcome>) {
        let Some((begun, line)) = self.draft.begun else {
            // A result that belongs to nothing.
            self.draft = Draft::default();
            return;
        };
        self.begin();
        let draft = std::mem::take(&mut self.draft);
        let outcome = settled(result, draft.tag("Result"));
        let chess960 = draft.tag("Variant").is_some_and(|name| rules(name) == Some(true));
        let game = draft.positions.map(|(start, _)| PgnGame {
            tags: draft.tags,
            start,
            chess960,
            comment: draft.comment,
            moves: draft.moves,
            outcome,
            stated: result,
            restated: None,
            exceptional: draft.exceptional,
            line,
            offset: begun as u64,
            // That is a mistake here.
            unclosed: None,
            // The whole text is in memory as it is.
            cut: None,
        });
        self.games.push(as_far_as_read(game, draft.error, line));
        if let Some(remark) = result.and_then(|_| self.remark()) {
            self.say(remark);
            self.at += remark.len();
        }
    }
}

/// What stands where another game begins for certain, whatever is still open.
const NEXT_GAME: &str = "\n[Event \"";

/// Where a comment ends: if with no bracket, it has none in this game.
static COMMENT_END: Lazy<Regex> = Lazy::new(|| pattern(&format!(r"\}}|{}", regex_lite::escape(NEXT_GAME))));

/// How many bytes a variation has, with those inside it; comments in it may have brackets. `None` if it has no end in this
/// game.
fn length_of_variation(text: &str) -> Option<usize> {
    let mut depth = 0;
    // What ends the comment that is open.
    let mut comment_end = None;
    for (at, character) in text.char_indices() {
        match character {
            '\n' if text[at..].starts_with(NEXT_GAME) => return None,
            _ if comment_end == Some(character) => comment_end = None,
            _ if comment_end.is_some() => {}
            '{' => comment_end = Some('}'),
            ';' => comment_end = Some('\n'),
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// How many bytes the offer of a draw has that a text begins with.
fn length_of_offer(text: &str) -> Option<usize> {
    let behind = text.strip_prefix('(')?.trim_start().strip_prefix('=')?.trim_start().strip_prefix(')')?;
    Some(text.len() - behind.len())
}

/// How many bytes a result has, with blanks around its sign, that a text begins with.
fn length_of_result(text: &str) -> Option<usize> {
    let half = |text: &str| ["1/2", "½", "1", "0"].into_iter().find(|half| text.starts_with(half));
    let behind = text[half(text)?.len()..].trim_start();
    let behind = behind.strip_prefix(|c| is_dash(c) || c == ':')?.trim_start();
    let behind = &behind[half(behind)?.len()..];
    let ends = behind.chars().next().is_none_or(|c| c.is_whitespace() || "{}();$*[".contains(c));
    ends.then_some(text.len() - behind.len())
}

/// Takes a move number with its dots, which may be missing, from a word: `1.e4`, `1e4`, `11...Te8`, `10.0-0-0`.
fn split_number(word: &str) -> (Option<&str>, &str) {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let behind = &word[digits..];
    let end = if behind.starts_with(['.', '…']) {
        let dots = behind.len() - behind.trim_start_matches(['.', '…']).len();
        let (number, text) = word.split_at(digits + dots);
        // "1.-", as Spanish sheets have it.
        return (Some(number), text.strip_prefix('-').filter(|_| digits > 0).unwrap_or(text));
    } else if behind.starts_with(':') {
        // What a clock showed.
        0
    } else if behind.starts_with("-0") {
        // The last zero belongs to the castling.
        digits - word[..digits].ends_with('0') as usize
    } else if matches!(digits, 4 | 5) {
        // The figures of correspondence chess, which no number of a move looks like.
        0
    } else {
        digits
    };
    let (number, rest) = word.split_at(end);
    ((!number.is_empty()).then_some(number), rest)
}

/// A text without the comments that it begins with.
fn behind_comments(text: &str) -> &str {
    let mut text = text.trim_start();
    while let Some(end) = match text.chars().next() {
        Some('{') => text.find('}').map(|end| end + 1),
        Some(';') => text.find('\n'),
        _ => None,
    } {
        text = text[end..].trim_start();
    }
    text
}

/// What stands next in a text, as if it were a move, and the number before it.
fn next_move(text: &str) -> (Option<String>, String) {
    let mut words =
        text.split(|c: char| c.is_whitespace() || "{};()$".contains(c)).filter(|word| !word.is_empty());
    let mut next = || plain(words.next().unwrap_or_default());
    let first = next();
    let (number, rest) = split_number(&first);
    let number = number.map(str::to_string);
    (number, if rest.is_empty() { next() } else { rest.to_string() })
}

/// Takes `!`, `??` and their kin from a move's end, as a numeric glyph.
fn strip_judgement(text: &str) -> (&str, Option<u8>) {
    let bare = text.trim_end_matches(['!', '?']);
    (bare, glyphs::of_move(&text[bare.len()..]))
}

/// True if this number with its dots may stand before the next move. Dots alone stand for a move of White's.
fn is_due(number: &str, next: usize, mover: Color) -> bool {
    let digits = number.trim_end_matches(['.', '…']);
    let dots: usize = number[digits.len()..].chars().map(|dot| if dot == '…' { 3 } else { 1 }).sum();
    let blacks_turn = mover == Color::Black;
    let is_its_number = digits.parse() == Ok(next);
    // A stop behind a move or an offer says nothing.
    (digits.is_empty() && (dots == 1 || blacks_turn)) || (is_its_number && (dots < 2 || blacks_turn))
}

#[cfg(test)]
mod tests;
