//! What an engine has said, line by line, and what it owes us.

use super::features::Features;
use super::phrases::{COMMANDS, is_about_board, is_offer, numbered_move, result, starts_with};
use super::thinking::Thinking;
use crate::board::Position;
use crate::engine::dialogue::{LONGEST_KEPT, LONGEST_MOVE, MOST_KEPT};
use crate::engine::info::{Info, is_squares};
use crate::engine::last_lines::LastLines;
use crate::engine::said::Said;
use crate::notation::characters::legible;
use crate::types::{Color, Outcome};
use regex_lite::Regex;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// So much that is no move is kept until it is taken; a game has no use for more.
const MOST_SAID: usize = 100;
/// So much is answered to `feature` lines before it can be sent: more than those of any engine that is no flood.
const MOST_REPLIES: usize = 1 << 16;
/// First words of what an engine says to people.
const TO_PEOPLE: [&str; 9] = [
    "telluser",
    "tellopponent",
    "tellothers",
    "tellall",
    "tellics",
    "tellicsnoalias",
    "askuser",
    "kibitz",
    "whisper",
];
/// What comes so soon after it was asked may have been written before.
const MOMENT: Duration = Duration::from_millis(10);
/// So much of a comment is kept.
const LONGEST_COMMENT: usize = 500;

/// The ways to announce a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Form {
    /// `move e2e4`.
    #[default]
    Move,
    /// `1. ... e2e4`, of GNU Chess.
    Numbered,
    /// `My move is: e2e4`.
    MyMove,
    /// `e2e4`, of engines that know no features.
    Bare,
}

/// The ways to refuse a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Refusal {
    /// `Illegal move: e2e4`, `tellusererror Illegal position`.
    Illegal,
    /// `Error (unknown command): e2e4`.
    Error,
}

/// The state of a conversation.
#[derive(Default)]
pub(super) struct Talk {
    pub(super) features: Features,
    /// What is owed for `feature` lines.
    pub(super) replies: String,
    /// The number of the last `pong`.
    pub(super) pong: Option<u64>,
    /// It has been told of an offer in this game, and may answer before it is asked for a move.
    pub(super) was_offered: bool,
    /// A game is on.
    pub(super) playing: bool,
    /// It owes us a move.
    pub(super) thinking: bool,
    /// When it was told to move.
    asked: Option<Instant>,
    /// Whose move it owed last.
    pub(super) color: Option<Color>,
    /// The move that it was told last, by its squares.
    pub(super) told: String,
    /// The same as it was written to it.
    pub(super) told_as: String,
    /// The move that it gave last, and how.
    given: (Form, String),
    /// How it refused a move, and the move that it had been told then.
    refused: Option<(Refusal, String)>,
    /// It may move so once more: its move has been taken back, or it has castled and its king stands where it stood.
    pub(super) may_repeat: bool,
    /// Up to the `pong` of this number its moves answer what it was asked before, and its claims are about that.
    pub(super) stale_until: Option<u64>,
    /// It has said in this game that it is over.
    pub(super) has_claimed: bool,
    /// One of those it owed.
    pub(super) owes_stale_move: bool,
    said: VecDeque<(Said, Instant)>,
    /// How many moves nobody had asked for.
    pub(super) unasked: u32,
    /// Commands that it says not to know.
    pub(super) unknown: Vec<String>,
    /// Errors that it tells of while it is set up, until they are taken.
    complaints: Option<Vec<String>>,
    last: LastLines,
    /// The line before was thinking output.
    has_just_thought: bool,
    kept_pattern: Option<Regex>,
    kept: Vec<String>,
}

impl Talk {
    /// A conversation that begins; lines that match `pattern` are kept.
    pub(super) fn keeping(pattern: Option<Regex>) -> Talk {
        Talk { kept_pattern: pattern, complaints: Some(vec![]), ..Talk::default() }
    }

    /// A game begins.
    pub(super) fn begin(&mut self) {
        self.said.clear();
        (self.playing, self.thinking, self.color, self.unasked) = (true, false, None, 0);
        (self.stale_until, self.was_offered, self.has_claimed) = (None, false, false);
        self.told.clear();
        self.told_as.clear();
        self.given.1.clear();
        self.refused = None;
    }

    /// It has been told to move for this side.
    pub(super) fn asked(&mut self, color: Color) {
        (self.thinking, self.color, self.asked) = (true, Some(color), Some(Instant::now()));
        self.last.clear();
        self.kept.clear();
    }

    /// The game is over: what it says of it from now on is of no use.
    pub(super) fn end(&mut self) {
        (self.playing, self.thinking) = (false, false);
    }

    /// True if what it said first, of what has not been taken, is that the game is drawn.
    pub(super) fn claims_draw(&self) -> bool {
        matches!(self.said.front(), Some((Said::Result { outcome: Outcome::Draw, .. }, _)))
    }

    /// What it said first, of what has not been taken.
    pub(super) fn take(&mut self) -> Option<(Said, Instant)> {
        self.said.pop_front()
    }

    /// What was last said about `position` and this move, as [`LastLines::of_move`] has it. From one that ponders nothing
    /// that is of another move: the last line of the search that it breaks off, which is about another position, comes when it
    /// has been told the real move, as from Phalanx.
    pub(super) fn info(&self, played: &str, position: &Position, chess960: bool, ponders: bool) -> Info {
        let is_of_other = |thinking: &Thinking, info: &Info| {
            ponders && thinking.has_line() && info.pv.first().is_none_or(|first| first != played)
        };
        self.last.of_move(played, |text| {
            let Some(thinking) = Thinking::parse(text) else { return Info::default() };
            let info = thinking.info(position, chess960);
            if is_of_other(&thinking, &info) { Info::default() } else { info }
        })
    }

    /// The lines to keep that came since it was last told to move.
    pub(super) fn kept(&mut self) -> Vec<String> {
        std::mem::take(&mut self.kept)
    }

    /// Takes note of a line.
    pub(super) fn hear(&mut self, line: &[u8], now: Instant) {
        let begins_with_blanks = line.starts_with(b"    ");
        let text = String::from_utf8_lossy(line.trim_ascii());
        if let Some(pattern) = &self.kept_pattern
            && self.kept.len() < MOST_KEPT
            && pattern.is_match(&text)
        {
            self.kept.push(legible(&text, LONGEST_KEPT));
        }
        let goes_on = std::mem::take(&mut self.has_just_thought) && begins_with_blanks && self.goes_on(&text);
        match text.as_bytes().first() {
            _ if goes_on => {}
            Some(b'0'..=b'9') => self.hear_number(&text, now),
            Some(b'#') | None => {}
            Some(_) => self.hear_words(&text, now),
        }
    }

    /// True if a line that begins with four blanks, behind thinking output, is the rest of what is thought there (section
    /// 10 of the protocol text), which is taken. Some engines write their numbers behind so many blanks too.
    fn goes_on(&mut self, text: &str) -> bool {
        let first = text.split_ascii_whitespace().next().unwrap_or_default();
        let is_said = matches!(
            first,
            "move" | "pong" | "feature" | "resign" | "offer" | "Error" | "tellusererror" | "#"
        ) || TO_PEOPLE.contains(&first)
            || starts_with(text, "my move is")
            || is_about_board(text)
            || result(text).is_some()
            || numbered_move(text).is_some();
        if !self.thinking || is_said || Thinking::parse(text).is_some() {
            return false;
        }
        self.last.go_on(text);
        self.has_just_thought = true;
        true
    }

    /// Thinking output for the most part, and of that much: its parts are looked at when they are needed.
    fn hear_number(&mut self, text: &str, now: Instant) {
        if let Some((outcome, comment)) = result(text) {
            return self.claim(outcome, comment, now);
        }
        if let Some(mv) = numbered_move(text) {
            // GNU Chess says what it was told in the same form.
            if !(is_squares(mv) && mv.eq_ignore_ascii_case(&self.told)) {
                self.give(Form::Numbered, mv, now);
            }
        } else if self.thinking
            && let Some(thinking) = Thinking::parse(text)
        {
            self.last.place(thinking.is_bound()).push_str(text);
            self.has_just_thought = true;
        } else {
            self.hear_bare(text, now);
        }
    }

    fn hear_words(&mut self, text: &str, now: Instant) {
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match first {
            "move" => self.give(Form::Move, rest.split_ascii_whitespace().next().unwrap_or(""), now),
            "pong" => {
                self.pong = rest.parse().ok();
                self.stale_until = self.stale_until.filter(|&number| self.pong != Some(number));
            }
            "feature" if self.replies.len() >= MOST_REPLIES => {}
            "feature" => self.features.read(rest, &mut self.replies),
            "resign" => self.say(Said::Resign, now),
            "tellusererror" if is_about_board(rest) => self.refuse(Refusal::Illegal, rest, now),
            "tellusererror" => self.complain(rest),
            _ if TO_PEOPLE.contains(&first) => {}
            "Error" => self.hear_error(text, now),
            _ if is_about_board(text) => self.hear_illegal(text, now),
            _ if starts_with(text, "my move is") => {
                let mv = text["my move is".len()..].trim_start_matches([':', ' ', '\t']);
                self.give(Form::MyMove, mv.split_ascii_whitespace().next().unwrap_or(""), now);
            }
            _ if is_offer(text) => self.say(Said::OfferDraw, now),
            _ => match self.old_result(text) {
                Some(outcome) => self.claim(outcome, text, now),
                None => self.hear_bare(text, now),
            },
        }
    }

    /// A line that may be nothing but a move: engines of version 1 are not all known.
    fn hear_bare(&mut self, text: &str, now: Instant) {
        let is_echo = text.eq_ignore_ascii_case(&self.told);
        if !self.features.any && self.thinking && is_squares(text) && !is_echo {
            self.give(Form::Bare, text, now);
        }
    }

    /// A move. Some announce it twice, in two ways; the second comes as late as it likes, but can be told from the next
    /// move: nobody moves twice from one square to another, unless the first time does not count. In the same way it comes
    /// at once, or is a move that cannot be made.
    fn give(&mut self, form: Form, text: &str, now: Instant) {
        if self.stale_until.is_some() {
            let was_owed = std::mem::take(&mut self.owes_stale_move);
            self.unasked += u32::from(self.playing && !was_owed);
            return;
        }
        let text = legible(text, LONGEST_MOVE);
        let (last_form, last) = &self.given;
        let may_be_old = !self.thinking || self.asked.is_none_or(|asked| now < asked + MOMENT);
        if !text.is_empty()
            && *last == text
            && (*last_form != form || (is_squares(&text) && !self.may_repeat && may_be_old))
        {
            return;
        }
        if !self.thinking {
            self.unasked += u32::from(self.playing);
            return;
        }
        (self.thinking, self.may_repeat) = (false, false);
        self.refused = None;
        self.said.push_back((Said::Move(text.as_str().into()), now));
        self.given = (form, text);
    }

    fn say(&mut self, said: Said, now: Instant) {
        // Before it is asked for the first time it speaks of the game before; but GNU Chess claims a draw that the start
        // holds ready when it has been told of that, and its `pong` parts the one from the other.
        let is_of_this_game = match said {
            Said::Refuses(_) => true,
            Said::OfferDraw => self.was_offered || self.color.is_some(),
            Said::Result { .. } => self.features.ping || self.color.is_some(),
            _ => self.color.is_some(),
        };
        // Until it has been told everything anew it speaks of positions that were there before; and for one that holds the
        // game to be over every move that it was sent is wrong.
        let is_stale = self.stale_until.is_some()
            && match said {
                Said::Result { .. } => true,
                Said::Refuses(_) => self.has_claimed,
                _ => false,
            };
        if self.playing && is_of_this_game && !is_stale && self.said.len() < MOST_SAID {
            self.has_claimed |= matches!(said, Said::Result { .. });
            self.said.push_back((said, now));
        }
    }

    /// Some refuse a move twice, in two ways, as some announce theirs (see [`Talk::give`]): HoiChess takes what is no move
    /// to it for a command. The second line may come when the move has been told once more already.
    fn refuse(&mut self, way: Refusal, text: &str, now: Instant) {
        if self.refused.as_ref().is_some_and(|(first, told)| *first != way && *told == self.told) {
            return;
        }
        self.refused = Some((way, self.told.clone()));
        self.say(Said::Refuses(legible(text, LONGEST_COMMENT)), now);
    }

    fn claim(&mut self, outcome: Outcome, comment: &str, now: Instant) {
        let loses = self.color.is_some_and(|color| outcome == Outcome::Win(!color));
        if loses && comment.to_ascii_lowercase().contains("resign") {
            return self.say(Said::Resign, now);
        }
        self.say(Said::Result { outcome, comment: legible(comment, LONGEST_COMMENT) }, now);
    }

    /// `Error (TYPE): COMMAND`.
    fn hear_error(&mut self, text: &str, now: Instant) {
        let command =
            text.split_once("):").or(text.split_once(':')).map_or("", |(_, command)| command.trim());
        let is_move = |word: &str| word == self.told || word == self.told_as;
        let is_told = !self.told.is_empty() && command.split_ascii_whitespace().any(is_move);
        if is_told || command.starts_with("usermove") {
            self.refuse(Refusal::Error, text, now);
        } else {
            let about_settings = ["option", "memory", "cores"];
            if about_settings.iter().any(|word| command.split([' ', '=']).next() == Some(*word)) {
                self.complain(text);
            }
            self.note_unknown(command);
        }
    }

    fn complain(&mut self, text: &str) {
        if let Some(complaints) = self.complaints.as_mut().filter(|known| known.len() < MOST_SAID) {
            complaints.push(legible(text, LONGEST_COMMENT));
        }
    }

    /// The errors that it has told of while it was set up. That is over now.
    pub(super) fn take_complaints(&mut self) -> Vec<String> {
        self.complaints.take().unwrap_or_default()
    }

    /// `Illegal move: MOVE`. Engines that take all that they do not know for a move say so of commands too.
    fn hear_illegal(&mut self, text: &str, now: Instant) {
        let about = text.rsplit([':', ')']).next().unwrap_or("").trim();
        let first = about.split_ascii_whitespace().next().unwrap_or("");
        let is_number = !about.is_empty() && about.bytes().all(|byte| byte.is_ascii_digit());
        if COMMANDS.contains(&first) {
            self.note_unknown(first);
        } else if !is_number {
            // A number is the depth that was told in the old way.
            self.refuse(Refusal::Illegal, text, now);
        }
    }

    fn note_unknown(&mut self, command: &str) {
        let command = command.split_ascii_whitespace().next().unwrap_or("");
        if COMMANDS.contains(&command) && !self.unknown.iter().any(|known| known == command) {
            self.unknown.push(command.to_string());
        }
    }

    /// The results of old engines (section 13 of the protocol text). What begins with `White`, `Black` or `Draw` and is
    /// none in full is passed over, though xboard takes it for one: a wrong claim is punished here.
    fn old_result(&self, text: &str) -> Option<Outcome> {
        let own = self.color?;
        let win = |color| Some(Outcome::Win(color));
        let begins = |start: &str| text.starts_with(start);
        if begins("White resigns") || text == "Black" || begins("Black mates") || begins("Black wins") {
            win(Color::Black)
        } else if begins("Black resigns") || text == "White" || begins("White mates") || begins("White wins")
        {
            win(Color::White)
        } else if begins("computer mates") {
            win(own)
        } else if begins("opponent mates") || begins("computer resigns") {
            win(!own)
        } else if begins("checkmate") {
            win(if self.thinking { !own } else { own })
        } else if text == "Draw" || begins("Draw by") || begins("game is a draw") {
            Some(Outcome::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests;
