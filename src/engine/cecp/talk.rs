//! What an engine has said, line by line, and what it owes us.

use super::features::Features;
use super::moves::is_squares;
use super::phrases::{COMMANDS, is_about_board, is_offer, numbered_move, result, starts_with};
use super::thinking::Thinking;
use crate::board::Position;
use crate::engine::dialogue::{LONGEST_KEPT, LONGEST_MOVE, MOST_KEPT, legible};
use crate::engine::info::Info;
use crate::engine::last_lines::LastLines;
use crate::engine::said::Said;
use crate::types::{Color, Outcome};
use regex_lite::Regex;
use std::collections::VecDeque;
use std::time::Instant;

/// So much that is no move is kept until it is taken; a game has no use for more.
const MOST_SAID: usize = 100;
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

/// The state of a conversation.
#[derive(Default)]
pub(super) struct Talk {
    pub(super) features: Features,
    /// What is owed for `feature` lines.
    pub(super) replies: String,
    /// The number of the last `pong`.
    pub(super) pong: Option<u64>,
    /// A game is on.
    pub(super) playing: bool,
    /// It owes us a move.
    pub(super) thinking: bool,
    /// Whose move it owed last.
    pub(super) color: Option<Color>,
    /// The move that it was told last, by its squares.
    pub(super) told: String,
    /// The same as it was written to it.
    pub(super) told_as: String,
    /// The move that it gave last, and how.
    given: (Form, String),
    /// It may move so once more: its move has been taken back, or it has castled and its king stands where it stood.
    pub(super) may_repeat: bool,
    /// Up to the `pong` of this number its moves answer what it was asked before.
    pub(super) stale_until: Option<u64>,
    /// One of those it owed.
    pub(super) owes_stale_move: bool,
    said: VecDeque<(Said, Instant)>,
    /// How many moves nobody had asked for.
    pub(super) unasked: u32,
    /// Commands that it says not to know.
    pub(super) unknown: Vec<String>,
    last: LastLines,
    /// The line before was thinking output.
    has_just_thought: bool,
    kept_pattern: Option<Regex>,
    kept: Vec<String>,
}

impl Talk {
    /// A conversation that begins; lines that match `pattern` are kept.
    pub(super) fn keeping(pattern: Option<Regex>) -> Talk {
        Talk { kept_pattern: pattern, ..Talk::default() }
    }

    /// A game begins.
    pub(super) fn begin(&mut self) {
        self.said.clear();
        (self.playing, self.thinking, self.color, self.unasked) = (true, false, None, 0);
        self.stale_until = None;
        self.told.clear();
        self.told_as.clear();
        self.given.1.clear();
    }

    /// It has been told to move for this side.
    pub(super) fn asked(&mut self, color: Color) {
        (self.thinking, self.color) = (true, Some(color));
        self.last.clear();
        self.kept.clear();
    }

    /// The game is over: what it says of it from now on is of no use.
    pub(super) fn end(&mut self) {
        (self.playing, self.thinking) = (false, false);
    }

    /// What it said first, of what has not been taken.
    pub(super) fn take(&mut self) -> Option<(Said, Instant)> {
        self.said.pop_front()
    }

    /// What was last said about `position` and this move, as [`LastLines::of_move`] has it.
    pub(super) fn info(&self, played: &str, position: &Position, chess960: bool) -> Info {
        self.last.of_move(played, |text| {
            Thinking::parse(text).map(|thinking| thinking.info(position, chess960)).unwrap_or_default()
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
        if !self.thinking || text.starts_with("move ") || Thinking::parse(text).is_some() {
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
            "feature" => self.features.read(rest, &mut self.replies),
            "resign" => self.say(Said::Resign, now),
            "tellusererror" if is_about_board(rest) => self.refuse(rest, now),
            // What it says to people.
            "tellusererror" | "telluser" | "tellopponent" | "tellothers" | "tellall" | "tellics"
            | "tellicsnoalias" | "askuser" | "kibitz" | "whisper" => {}
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
    /// move: nobody moves twice from one square to another, unless the first time does not count.
    fn give(&mut self, form: Form, text: &str, now: Instant) {
        if self.stale_until.is_some() {
            let was_owed = std::mem::take(&mut self.owes_stale_move);
            self.unasked += u32::from(self.playing && !was_owed);
            return;
        }
        let text = legible(text, LONGEST_MOVE);
        let (last_form, last) = &self.given;
        if !text.is_empty()
            && *last == text
            && (*last_form != form || (is_squares(&text) && !self.may_repeat))
        {
            return;
        }
        if !self.thinking {
            self.unasked += u32::from(self.playing);
            return;
        }
        (self.thinking, self.may_repeat) = (false, false);
        self.said.push_back((Said::Move(text.as_str().into()), now));
        self.given = (form, text);
    }

    fn say(&mut self, said: Said, now: Instant) {
        // Before it is asked for the first time it speaks of the game before.
        let is_of_this_game = self.color.is_some() || matches!(said, Said::Refuses(_));
        if self.playing && is_of_this_game && self.said.len() < MOST_SAID {
            self.said.push_back((said, now));
        }
    }

    fn refuse(&mut self, text: &str, now: Instant) {
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
            self.refuse(text, now);
        } else {
            self.note_unknown(command);
        }
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
            self.refuse(text, now);
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
mod tests {
    use super::*;

    fn hear(talk: &mut Talk, lines: &[&str]) -> Vec<Said> {
        let now = Instant::now();
        lines.iter().for_each(|line| talk.hear(line.as_bytes(), now));
        std::iter::from_fn(|| talk.take()).map(|(said, _)| said).collect()
    }

    fn playing(color: Color) -> Talk {
        let mut talk = Talk::default();
        talk.features.any = true;
        talk.begin();
        talk.asked(color);
        talk
    }

    fn mv(text: &str) -> Said {
        Said::Move(text.into())
    }

    fn claim(outcome: Outcome, comment: &str) -> Said {
        Said::Result { outcome, comment: comment.to_string() }
    }

    #[test]
    fn what_matters_comes_in_order() {
        let mut talk = playing(Color::White);
        let said = hear(
            &mut talk,
            &[
                "tellics say hello",
                "offer draw",
                "# offer draw",
                "move e2e4",
                "1/2-1/2 {Draw by repetition}",
                "",
            ],
        );
        assert_eq!(said, [Said::OfferDraw, mv("e2e4"), claim(Outcome::Draw, "Draw by repetition")]);
        assert!(!talk.thinking && talk.unasked == 0);
        assert_eq!(hear(&mut talk, &["move d2d4", "move"]), [], "nobody asked");
        assert_eq!(talk.unasked, 2);
        talk.asked(Color::White);
        assert_eq!(hear(&mut talk, &["move"]), [mv("")], "a move that is none");
        talk.end();
        assert_eq!(hear(&mut talk, &["resign", "1-0 {White mates}", "move e2e4"]), [], "after the game");
    }

    #[test]
    fn moves_announced_twice_count_once() {
        let mut talk = playing(Color::Black);
        talk.told = "e2e4".to_string();
        let said = hear(&mut talk, &["1. e2e4", "1. ... e2e4", "1. ... d7d5", "My move is : d7d5"]);
        assert_eq!((said, talk.unasked), (vec![mv("d7d5")], 0));
        talk.asked(Color::Black);
        assert_eq!(hear(&mut talk, &["My move is : d7d5", "2. ... Nf6"]), [mv("Nf6")], "said late");
        talk.asked(Color::Black);
        assert_eq!(hear(&mut talk, &["3. ... Nf6"]), [mv("Nf6")], "the same word can be another move");
        talk.asked(Color::Black);
        assert_eq!(hear(&mut talk, &["4. ... g8f6"]), [mv("g8f6")]);
        (talk.thinking, talk.may_repeat) = (true, true);
        assert_eq!(
            hear(&mut talk, &["My move is : g8f6", "4. ... g8f6"]),
            [mv("g8f6")],
            "the same once more"
        );
        assert!(!talk.thinking && !talk.may_repeat);
        talk.asked(Color::Black);
        assert_eq!(hear(&mut talk, &["5. ... Nc6", "My move is : Nc6"]), [mv("Nc6")]);
        assert_eq!(talk.unasked, 0);
    }

    #[test]
    fn bare_moves_are_for_engines_without_features() {
        let mut talk = playing(Color::White);
        assert_eq!(hear(&mut talk, &["e2e4"]), []);
        talk.features.any = false;
        talk.told = "e7e5".to_string();
        assert_eq!(hear(&mut talk, &["e7e5", "e2e4"]), [mv("e2e4")]);
    }

    #[test]
    fn resignations_have_several_forms() {
        let results = ["0-1 {White resigns}", "0-1 {White Resigns}", "0-1{resigned}"];
        for line in results.into_iter().chain(["resign", "White resigns", "computer resigns"]) {
            assert_eq!(hear(&mut playing(Color::White), &[line]), [Said::Resign], "{line}");
        }
        let other = claim(Outcome::Win(Color::White), "Black resigns");
        assert_eq!(hear(&mut playing(Color::White), &["1-0 {Black resigns}"]), [other], "not its own");
    }

    #[test]
    fn results_have_several_forms() {
        let (white, black) = (Outcome::Win(Color::White), Outcome::Win(Color::Black));
        for (line, outcome, comment) in [
            ("1-0 {White mates}", white, "White mates"),
            ("0-1", black, ""),
            ("1/2-1/2{Stalemate}", Outcome::Draw, "Stalemate"),
            ("Black mates", black, "Black mates"),
            ("computer mates", white, "computer mates"),
            ("opponent mates", black, "opponent mates"),
            ("checkmate!", black, "checkmate!"),
            ("Draw", Outcome::Draw, "Draw"),
            ("game is a draw by the 50 move rule", Outcome::Draw, "game is a draw by the 50 move rule"),
        ] {
            assert_eq!(hear(&mut playing(Color::White), &[line]), [claim(outcome, comment)], "{line}");
        }
        for line in ["White (1) : ", "Drawish position", "1-00", "Blackmail", "1/2"] {
            assert_eq!(hear(&mut playing(Color::White), &[line]), [], "{line}");
        }
    }

    #[test]
    fn offers_are_told_from_their_refusals() {
        for line in ["offer draw", "I offer you a draw", "Engine offers a draw."] {
            assert_eq!(hear(&mut playing(Color::White), &[line]), [Said::OfferDraw], "{line}");
        }
        let others =
            ["draw offer declined", "tellopponent I offer a draw", "no draw offer", "offer a drawing"];
        for line in others.into_iter().chain(["I do not offer a draw"]) {
            assert_eq!(hear(&mut playing(Color::White), &[line]), [], "{line}");
        }
        let flood: Vec<Said> = hear(&mut playing(Color::White), &["offer draw"; 1000]);
        assert_eq!(flood.len(), MOST_SAID);
        let mut talk = playing(Color::White);
        let mut lines = vec!["offer draw"; 1000];
        lines.push("move e2e4");
        assert_eq!(hear(&mut talk, &lines).last(), Some(&mv("e2e4")), "a move is never lost");
    }

    #[test]
    fn complaints_about_moves_are_told_from_those_about_commands() {
        let mut talk = playing(Color::White);
        (talk.told, talk.told_as) = ("e7e5".to_string(), "Nf3".to_string());
        for line in [
            "Error (ambiguous move): Nf3",
            "Illegal move: e7e5",
            "illegal move",
            "Illegal move (no matching move)e7e5",
            "Error (ambiguous move): e7e5",
            "Error (unknown command): usermove e7e5",
            "Error (unknown command): usermove",
            "Illegal position",
            "Invalid move: e7e5",
        ] {
            assert_eq!(hear(&mut talk, &[line]), [Said::Refuses(line.to_string())], "{line}");
        }
        assert_eq!(
            hear(&mut talk, &["tellusererror Illegal position", "tellusererror Cannot open book.bin"]),
            [Said::Refuses("Illegal position".into())]
        );
        assert_eq!(
            hear(&mut talk, &["Error (unknown command): st", "Illegal move: sd", "Invalid move: 5", "Error"]),
            []
        );
        assert_eq!(hear(&mut talk, &["Illegal move: depth 5", "Illegal move: ?", "Illegal move: ?"]), []);
        assert_eq!(talk.unknown, ["st", "sd", "depth", "?"]);
    }

    #[test]
    fn the_last_exact_score_counts() {
        let mut talk = playing(Color::White);
        let info = |talk: &Talk| talk.info("e2e4", &Position::default(), false);
        hear(&mut talk, &["1 5 0 20 e4!"]);
        assert!(info(&talk).is_bound);
        hear(
            &mut talk,
            &["2 30 0 40 e4 e5", "3 99 0 50 d4?", "garbage", "4 x 0 0 e4", "move e2e4", "5 1 0 0 a4"],
        );
        assert_eq!((info(&talk).depth, info(&talk).pv.len()), (Some(2), 2));
        talk.asked(Color::White);
        assert_eq!(info(&talk), Info::default());
    }

    #[test]
    fn lines_go_on_behind_four_blanks() {
        let mut talk = playing(Color::White);
        talk.features.any = false;
        let line = |talk: &Talk| talk.info("e2e4", &Position::default(), false).pv.join(" ");
        let lines = ["2 30 0 40 e2e4", "    e7e5", "      g1f3 resign", "", "    e2e4"];
        assert_eq!(hear(&mut talk, &lines), [mv("e2e4")], "only what follows at once goes on");
        assert_eq!(line(&talk), "e2e4 e7e5 g1f3");
        talk.asked(Color::White);
        assert_eq!(
            hear(&mut talk, &["    1 30 0 40 e2e4", "    2 31 0 50 d2d4", "    move d2d4"]),
            [mv("d2d4")]
        );
        assert_eq!(line(&talk), "d2d4");
        talk.asked(Color::White);
        let long = format!("    {}", "e7e5 ".repeat(100));
        let mut lines = vec!["1 30 0 40 e2e4"];
        lines.resize(1000, &long);
        assert_eq!(hear(&mut talk, &lines), []);
        assert!(
            talk.last.of_move("", |text| Info { nodes: Some(text.len() as u64), ..Info::default() }).nodes
                < Some(1 << 16)
        );
    }

    #[test]
    fn what_is_said_before_it_is_asked_is_of_the_game_before() {
        let mut talk = playing(Color::White);
        talk.end();
        talk.begin();
        let lines = ["1-0 {White mates}", "resign", "offer draw", "Illegal position"];
        assert_eq!(hear(&mut talk, &lines), [Said::Refuses("Illegal position".into())]);
        talk.asked(Color::White);
        assert_eq!(hear(&mut talk, &["resign"]), [Said::Resign]);
    }

    #[test]
    fn nothing_is_left_of_the_game_before() {
        let mut talk = playing(Color::White);
        (talk.told, talk.stale_until) = ("e7e5".to_string(), Some(7));
        talk.hear(b"offer draw", Instant::now());
        talk.begin();
        assert_eq!(talk.take(), None);
        talk.asked(Color::Black);
        assert_eq!(hear(&mut talk, &["1. ... e7e5"]), [mv("e7e5")], "no repetition of what it was told");
    }

    #[test]
    fn moves_are_stale_until_the_pong_that_was_asked_for() {
        let mut talk = playing(Color::White);
        talk.stale_until = Some(7);
        assert_eq!(hear(&mut talk, &["pong 6", "move e2e4", "pong 7", "move d2d4"]), [mv("d2d4")]);
    }

    #[test]
    fn lines_to_keep_are_those_since_it_was_asked() {
        let mut talk = Talk::keeping(Some(Regex::new("book").unwrap()));
        hear(&mut talk, &["# book of the move before"]);
        talk.asked(Color::White);
        let long = "book ".repeat(10);
        hear(&mut talk, &["# book: e4", "# search", &long]);
        assert_eq!(talk.kept(), ["# book: e4", long.trim()]);
        hear(&mut talk, &["# book"; MOST_KEPT + 1]);
        assert_eq!(talk.kept().len(), MOST_KEPT);
    }

    #[test]
    fn anything_may_come() {
        const PARTS: [&[u8]; 24] = [
            b"move",
            b"my move is",
            b"pong",
            b"feature",
            b"option=\"x -spin",
            b"=",
            b"\"",
            b"1-0",
            b"{",
            b"12",
            b"-3",
            b"...",
            b"e2e4",
            b"illegal move",
            b"Error",
            b"(",
            b"):",
            b"offer",
            b"draw",
            b"\xff",
            b"\xc3\xb6",
            b"\t",
            b"!",
            b"99999999999999999999",
        ];
        let mut talk = playing(Color::White);
        let mut bits = 1_u64;
        let mut moves = 0;
        for _ in 0..100_000 {
            let mut line = vec![];
            for _ in 0..=bits % 6 {
                // Knuth's MMIX generator; its high bits are good.
                bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                line.extend(PARTS[(bits >> 40) as usize % PARTS.len()]);
                line.extend(&b"  "[..(bits >> 60) as usize % 3]);
            }
            talk.hear(line.trim_ascii(), Instant::now());
            let _ = talk.info("e2e4", &Position::default(), false);
            moves +=
                std::iter::from_fn(|| talk.take()).filter(|(said, _)| matches!(said, Said::Move(_))).count();
            talk.asked(Color::White);
        }
        assert!(moves > 1000, "{moves} moves");
        assert!(talk.features.options.len() <= crate::engine::dialogue::MOST_OPTIONS);
    }
}
