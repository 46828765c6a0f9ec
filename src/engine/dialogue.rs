//! What an engine has said, line by line, and what it owes us.

use super::declared::{DeclaredOption, Options};
use super::info::Info;
use super::last_lines::LastLines;
use super::said::Best;
use crate::notation::characters::legible;
use regex_lite::Regex;
use std::time::Instant;

/// The state of a conversation.
#[derive(Default)]
pub(super) struct Dialogue {
    /// What it calls itself, with its version.
    pub(super) name: String,
    pub(super) options: Options,
    /// `uciok` has been said.
    pub(super) greeted: bool,
    /// `readyok` has been said since it was asked for.
    pub(super) ready: bool,
    /// A `go` has not been answered yet.
    pub(super) thinking: bool,
    /// Until its next `readyok` it speaks of what it was asked before.
    pub(super) stale: bool,
    /// The answer to the last `go`, and when its line had been read off the pipe.
    pub(super) best: Option<(Best, Instant)>,
    /// How many `bestmove` lines nobody had asked for.
    pub(super) unasked: u32,
    /// What it has called an error (`info string error …`) while it was not thinking.
    errors: Vec<String>,
    /// The last lines with a score, of those about the first line.
    last: LastLines,
    /// Which lines are kept for the record.
    kept_pattern: Option<Regex>,
    kept: Vec<String>,
}

impl Dialogue {
    /// A conversation that begins; lines that match `pattern` are kept.
    pub(super) fn keeping(pattern: Option<Regex>) -> Dialogue {
        Dialogue { kept_pattern: pattern, ..Dialogue::default() }
    }

    /// A `go` has been sent.
    pub(super) fn asked(&mut self) {
        self.thinking = true;
        self.best = None;
        self.last.clear();
        self.kept.clear();
    }

    /// Takes note of a line.
    pub(super) fn hear(&mut self, line: &[u8], now: Instant) {
        // Engines say little else than this, and much of it, so that nothing is read in it before it is needed.
        if let Some(rest) = after(line, b"info") {
            self.hear_info(rest);
        } else if let Some(rest) = after(line, b"bestmove") {
            self.hear_best(rest, now);
        } else if line == b"readyok" {
            (self.ready, self.stale) = (true, false);
        } else if !self.greeted {
            self.hear_greeting(&String::from_utf8_lossy(line));
        }
        if let Some(pattern) = &self.kept_pattern {
            let line = String::from_utf8_lossy(line);
            if self.kept.len() < MOST_KEPT && pattern.is_match(&line) {
                self.kept.push(legible(&line, LONGEST_KEPT));
            }
        }
    }

    fn hear_info(&mut self, rest: &[u8]) {
        if let Some(text) = after(rest, b"string") {
            return self.hear_text(text);
        }
        if !self.thinking || self.stale || behind(rest, b"score").is_none() {
            return;
        }
        if behind(rest, b"multipv").is_some_and(|line| after(line, b"1").is_none()) {
            return;
        }
        let is_bound = contains(rest, b"lowerbound") || contains(rest, b"upperbound");
        let place = self.last.place(is_bound);
        match std::str::from_utf8(rest) {
            Ok(text) => place.push_str(text),
            Err(_) => place.push_str(&String::from_utf8_lossy(rest)),
        }
    }

    /// A text for people.
    fn hear_text(&mut self, text: &[u8]) {
        if is_error(text) && !self.thinking && self.errors.len() < MOST_KEPT {
            self.errors.push(legible(&String::from_utf8_lossy(text), LONGEST_KEPT));
        }
    }

    fn hear_best(&mut self, rest: &[u8], now: Instant) {
        if !self.thinking || self.stale {
            self.unasked += 1;
            return;
        }
        self.thinking = false;
        let text = String::from_utf8_lossy(rest);
        let mut words = text.split_ascii_whitespace();
        let best = legible(words.next().unwrap_or_default(), LONGEST_MOVE);
        let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
        self.best = Some((Best { best, ponder: ponder.map(|word| legible(word, LONGEST_MOVE)) }, now));
    }

    fn hear_greeting(&mut self, line: &str) {
        // The byte order mark of a program that writes what its system takes for text.
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next()) {
            (Some("uciok"), None) => self.greeted = true,
            (Some("id"), Some("name")) => {
                self.name = legible(&words.collect::<Vec<_>>().join(" "), LONGEST_KEPT);
            }
            (Some("option"), _) if self.options.have_room(line.len()) => {
                if let Some(option) = DeclaredOption::read(line) {
                    self.options.add(option, line.len());
                }
            }
            _ => {}
        }
    }

    /// What was last said about the position and this move, as [`LastLines::of_move`] has it.
    pub(super) fn info(&self, played: &str) -> Info {
        self.last.of_move(played, Info::parse)
    }

    /// What it has called an error while it was not thinking, since this was last called.
    pub(super) fn take_errors(&mut self) -> Vec<String> {
        std::mem::take(&mut self.errors)
    }

    /// The lines to keep that came since the last `go`.
    pub(super) fn kept(&mut self) -> Vec<String> {
        std::mem::take(&mut self.kept)
    }
}

/// So much of what an engine gives as its move is looked at.
pub(super) const LONGEST_MOVE: usize = 20;
/// So many lines are kept of a move: an engine that floods is not to fill memory and disk.
pub(super) const MOST_KEPT: usize = 20;
/// So many letters are kept of a line.
pub const LONGEST_KEPT: usize = 500;

/// True if a text for people tells of an error, by its first word: Stockfish writes `ERROR:`, and Nibbler shows such lines
/// in red.
pub(super) fn is_error(text: &[u8]) -> bool {
    let (word, rest) = text.split_at(text.len().min(b"error".len()));
    word.eq_ignore_ascii_case(b"error") && !rest.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// What follows `word` and a blank at the start of the line; nothing, if the line is the word.
pub(super) fn after<'a>(line: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(word)?;
    match rest.first() {
        None => Some(rest),
        Some(first) if first.is_ascii_whitespace() => Some(rest.trim_ascii_start()),
        Some(_) => None,
    }
}

/// What follows the first `word` of `text` that has something behind it, with blanks of any kind between words, as
/// [`Info::parse`] has them.
fn behind<'a>(text: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let first = *word.first()?;
    let begins = |at: usize| text[at] == first && (at == 0 || text[at - 1].is_ascii_whitespace());
    let rest = (0..text.len()).filter(|&at| begins(at)).find_map(|at| after(&text[at..], word))?;
    (!rest.is_empty()).then_some(rest)
}

/// True if `word` occurs in `text`.
fn contains(text: &[u8], word: &[u8]) -> bool {
    let Some((&first, rest)) = word.split_first() else { return true };
    text.iter().enumerate().any(|(at, &byte)| byte == first && text[at + 1..].starts_with(rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::info::Score;

    fn hear(dialogue: &mut Dialogue, lines: &[&str]) {
        let now = Instant::now();
        lines.iter().for_each(|line| dialogue.hear(line.as_bytes(), now));
    }

    #[test]
    fn texts_that_begin_with_the_word_error_are_errors() {
        let mut dialogue = Dialogue::default();
        let others =
            ["info string errors: none", "info string no error", "info string", "info error", "error: 3"];
        hear(&mut dialogue, &others);
        assert!(dialogue.take_errors().is_empty());
        hear(
            &mut dialogue,
            &["info string error", "info string  ERROR: no file", "info string Error, again"],
        );
        assert_eq!(dialogue.take_errors(), ["error", "ERROR: no file", "Error, again"]);
        dialogue.asked();
        hear(&mut dialogue, &["info string error: low on time"]);
        assert!(dialogue.take_errors().is_empty(), "said while it thinks");
        hear(&mut dialogue, &["bestmove e2e4"]);
        hear(&mut dialogue, &["info string error: flood"; 30]);
        assert_eq!(dialogue.take_errors().len(), MOST_KEPT);
    }

    #[test]
    fn a_later_bound_counts_if_it_is_of_the_move_and_the_exact_score_is_not() {
        let mut dialogue = Dialogue { greeted: true, ..Dialogue::default() };
        dialogue.asked();
        let score = |dialogue: &Dialogue, played| dialogue.info(played).score.unwrap();
        hear(&mut dialogue, &["info score cp 431 pv d4d5 e6d5", "info score cp 532 lowerbound pv d4c5"]);
        assert_eq!(score(&dialogue, "d4c5"), Score::Centipawns(532));
        assert_eq!(score(&dialogue, "d4d5"), Score::Centipawns(431));
        assert_eq!(score(&dialogue, "a2a3"), Score::Centipawns(431), "and that is to be complained of");
        hear(&mut dialogue, &["info score cp 500 pv d4d5 e6d5"]);
        assert_eq!(score(&dialogue, "d4c5"), Score::Centipawns(500), "the bound was earlier");
    }

    #[test]
    fn the_last_exact_score_of_the_first_line_counts() {
        let mut dialogue = Dialogue { greeted: true, ..Dialogue::default() };
        hear(&mut dialogue, &["info depth 9 score cp 99"]);
        dialogue.asked();
        assert_eq!(dialogue.info(""), Info::default(), "said before it was asked");
        hear(
            &mut dialogue,
            &[
                "info depth 1 score cp 1 lowerbound",
                "info depth 1 multipv 1 score cp 10 pv e2e4",
                "info depth 1 multipv 2 score cp 20 pv d2d4",
                "info depth 2 score cp 30 upperbound",
                "info string score cp 40 ",
                "info nodes 5",
                "bestmove e2e4 ponder e7e5",
                "bestmove d2d4",
            ],
        );
        assert_eq!(dialogue.info("e2e4").score, Some(Score::Centipawns(10)));
        let (best, _) = dialogue.best.clone().unwrap();
        assert_eq!((best.best.as_str(), best.ponder.as_deref()), ("e2e4", Some("e7e5")));
        assert_eq!((dialogue.thinking, dialogue.unasked), (false, 1));
        dialogue.asked();
        hear(&mut dialogue, &["info depth 1 score cp 1 lowerbound", "bestmove"]);
        assert_eq!(dialogue.info("").score, Some(Score::Centipawns(1)), "a bound is better than nothing");
        assert_eq!(dialogue.best.take().unwrap().0.best, "");
        dialogue.asked();
        hear(
            &mut dialogue,
            &[
                "info depth 1 score cp 7 multipv 1",
                "bestmove \u{1b}[2J0123456789012345678901234 ponder \u{1b}[2J0123456789012345678901234",
            ],
        );
        assert_eq!(dialogue.info("").score, Some(Score::Centipawns(7)), "at the end of the line too");
        let (best, _) = dialogue.best.unwrap();
        for word in [Some(best.best), best.ponder] {
            assert_eq!(
                word.as_deref(),
                Some("?[2J0123456789012345"),
                "neither long nor of control characters"
            );
        }
    }

    #[test]
    fn words_may_have_any_blanks_between_them() {
        for (line, score) in [
            ("info depth 5 multipv  1 score cp 12 pv e2e4", Some(12)),
            ("info depth 5 multipv\t1\tscore\tcp\t12", Some(12)),
            ("info\tscore  cp 12 multipv  1", Some(12)),
            ("info score cp 12 multipv", Some(12)),
            ("info multipv\t2 score cp 99", None),
            ("info score cp 99 multipv  2", None),
            ("info multipv 12 score cp 99", None),
            ("info depth 5 score", None),
            ("info depth 5 myscore cp 99", None),
        ] {
            let mut dialogue = Dialogue { greeted: true, ..Dialogue::default() };
            dialogue.asked();
            hear(&mut dialogue, &[line]);
            assert_eq!(dialogue.info("").score, score.map(Score::Centipawns), "{line}");
        }
        // What tells no score takes nobody's place.
        let mut dialogue = Dialogue { greeted: true, ..Dialogue::default() };
        dialogue.asked();
        hear(&mut dialogue, &["info score cp 12", "info depth 6 score ", "info depth 6 nodes 5"]);
        assert_eq!(dialogue.info("").score, Some(Score::Centipawns(12)));
    }

    #[test]
    fn a_greeting_may_begin_with_a_byte_order_mark() {
        let mut dialogue = Dialogue::default();
        hear(&mut dialogue, &["\u{feff}id name Bom", "uciok"]);
        assert_eq!((dialogue.name.as_str(), dialogue.greeted), ("Bom", true));
    }

    #[test]
    fn a_greeting_is_read() {
        let mut dialogue = Dialogue::default();
        hear(
            &mut dialogue,
            &[
                "Some Engine 1.0 by somebody",
                "id name Some Engine  1.0\u{1b}[2J",
                "id author A, B",
                "option name Hash type spin default 1 min 1 max 2",
                "option",
                "uciokay",
                "uciok",
                "option name Late type button",
            ],
        );
        assert_eq!(dialogue.name, "Some Engine 1.0?[2J");
        assert_eq!((dialogue.options.len(), dialogue.greeted), (1, true));
    }

    #[test]
    fn so_much_is_kept_of_all_options_and_no_more() {
        let mut dialogue = Dialogue::default();
        for number in 0..100 {
            let line = format!("option name O{number} type combo{}", " var a".repeat(10_000));
            hear(&mut dialogue, &[&line]);
        }
        // A small one finds its place all the same.
        hear(&mut dialogue, &["option name Hash type spin default 1 min 1 max 2", "uciok"]);
        let lines = dialogue.options.iter().filter(|option| option.name.starts_with('O')).count();
        assert!((4..40).contains(&lines), "{lines} of sixty thousand bytes");
        assert!(dialogue.greeted && dialogue.options.iter().any(|option| option.name == "Hash"));
    }

    #[test]
    fn lines_are_kept_that_match() {
        let kept_pattern = Some(Regex::new("^info string pgncomment .*").unwrap());
        let mut dialogue = Dialogue { greeted: true, kept_pattern, ..Dialogue::default() };
        dialogue.asked();
        hear(&mut dialogue, &["info string pgncomment a", "info string b", "bestmove e2e4"]);
        assert_eq!(dialogue.kept(), ["info string pgncomment a"]);
        assert!(dialogue.kept().is_empty());
    }
}
