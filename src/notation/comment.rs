//! What comments in PGN say about a move in a form for programs: clock, time taken, evaluation, depth, draw offer.
//!
//! Two grammars are in use. Commands, of the PGN supplement of 2001
//! (<https://www.enpassant.dk/chess/palview/enhancedpgn.htm>): `[%clk 0:59:58] [%emt 0:00:02] [%eval 0.31,18]`, the
//! evaluation from White's point of view. And the comments of engine matches, from the mover's: those of cutechess-cli and
//! fastchess, `+0.31/18 2.014s, tl=3598.000s`, and those of xboard and CCRL, `+0.31/18 2.0`. Draw offers are `(=)`, as the
//! Laws of Chess write them (C.12).

use crate::types::Color;
use once_cell::sync::Lazy;
use regex_lite::{Captures, Regex};
use std::fmt::Write;
use std::time::Duration;

/// How the offer of a draw is written down (FIDE Laws of Chess, C.12).
pub const DRAW_OFFER: &str = "(=)";

/// A score, from the mover's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves of the one who mates; negative if the mover is mated.
    Mate(i32),
}

/// What is known about a move besides the move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveNote {
    /// What the mover's clock showed after it.
    pub clock: Option<Duration>,
    /// How long it took.
    pub elapsed: Option<Duration>,
    /// What the mover thought of the position.
    pub eval: Option<Evaluation>,
    /// The depth of its search, in plies.
    pub depth: Option<u32>,
    /// A draw was offered with it.
    pub draw_offer: bool,
    /// Whatever else is said.
    pub text: String,
}

/// `[%clk 0:59:58.5]` and its kin, with the brackets.
static COMMAND: Lazy<Regex> = Lazy::new(|| pattern(r"\[%(clk|emt|eval)\s+([^\]\s]+)\s*\]"));
/// An offer, with the comma between it and what else is said.
static OFFER: Lazy<Regex> = Lazy::new(|| pattern(r",\s*\(=\)|\(=\)\s*,|\(=\)"));
/// The beginning of a match runner's comment. A time without its unit is the last that is said, or a comma and a blank follow:
/// longer numbers may be nodes, and `12,5` is one number to many.
static SCORE: Lazy<Regex> = Lazy::new(|| {
    let score = r"(?:([+-]?\d+\.\d+|[+-]?M\d+)(?:/(\d+))?)?";
    let time = r"(?:(\d+(?:\.\d+)?)s(?:,\s*|\s+|$)|(\d{1,6}(?:\.\d+)?|\d{1,4}:[0-5]\d)(?:,\s+|,?$))?";
    pattern(&format!(r"^{score}(?:^|\s+|$){time}"))
});
/// The time left, among a match runner's fields.
static TIME_LEFT: Lazy<Regex> = Lazy::new(|| pattern(r"(?:^|, )tl=(\d+(?:\.\d+)?)s(?:, |$)"));

/// A comment without the draw offers in it, and whether there was one.
pub(super) fn split_offer(comment: &str) -> (String, bool) {
    let gap = |offer: &Captures| if offer[0].starts_with(',') { "" } else { " " };
    (OFFER.replace_all(comment, gap).into_owned(), OFFER.is_match(comment))
}

/// A pattern of our own, which has no mistake in it.
pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of ours")
}

/// Whole seconds beyond this are no time of a game; they are left in the text.
const LONGEST: u64 = 1_000_000_000;

impl MoveNote {
    /// Reads a comment behind a move of this side. What is in neither grammar stays in `text`.
    pub fn parse(comment: &str, mover: Color) -> MoveNote {
        let mut note = MoveNote::default();
        let mut rest = COMMAND
            .replace_all(comment, |command: &Captures| {
                match note.take_command(&command[1], &command[2], mover) {
                    Some(()) => " ".to_string(),
                    None => command[0].to_string(),
                }
            })
            .into_owned();
        (rest, note.draw_offer) = split_offer(&rest);
        // What stood around something inside it must not become a command now.
        let mut scrap = MoveNote::default();
        let is_command = |found: Captures| scrap.take_command(&found[1], &found[2], mover).is_some();
        if COMMAND.captures_iter(&rest).any(is_command) {
            rest = rest.replace("[%", "[ %");
        }
        note.text = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        if rest != comment {
            note.close_gap();
        }
        // Who gives score or time by commands says nothing else in the other grammar.
        if note.eval.is_none() && note.elapsed.is_none() {
            note.take_score();
        }
        note
    }

    /// Leaves out what stood between that which has been taken and the text.
    fn close_gap(&mut self) {
        self.text = self.text.trim_start_matches([',', ' ']).trim_end().to_string();
    }

    fn take_command(&mut self, name: &str, value: &str, mover: Color) -> Option<()> {
        match name {
            "clk" => self.clock = Some(clock_time(value)?),
            "emt" => self.elapsed = Some(clock_time(value)?),
            _ => {
                let (score, depth) = value.split_once(',').map_or((value, None), |(a, b)| (a, Some(b)));
                let depth =
                    depth.map(|depth| depth.parse().ok()).map_or(Some(None), |depth| depth.map(Some))?;
                let score = match score.strip_prefix('#') {
                    Some(mate) => Evaluation::Mate(mate.parse().ok()?),
                    // ChessBase counts in hundredths, with the depth behind them: `[%eval 23,14]`.
                    None if depth.is_some() && !score.contains('.') => {
                        Evaluation::Centipawns(centipawns(score)? / 100)
                    }
                    None => Evaluation::Centipawns(centipawns(score)?),
                };
                self.eval = Some(if mover == Color::White { score } else { score.reversed() });
                self.depth = depth.or(self.depth);
            }
        }
        Some(())
    }

    /// Takes the grammar of match runners from the text, and keeps what is left.
    fn take_score(&mut self) {
        let text = self.text.clone();
        let Some(found) = SCORE.captures(&text) else { return };
        let of = |group: usize| found.get(group).map(|part| part.as_str());
        let score = of(1).and_then(|score| match score.split_once('M') {
            Some((sign, moves)) => {
                let moves: i32 = moves.parse().ok()?;
                Some(Evaluation::Mate(if sign == "-" { -moves } else { moves }))
            }
            None => centipawns(score).map(Evaluation::Centipawns),
        });
        let depth = of(2).map(|depth| depth.parse::<u32>().ok());
        // Without its unit a time is one only behind a score with its depth.
        let time = of(3).map(seconds).or_else(|| of(4).filter(|_| depth.is_some()).map(clock_time));
        // A number alone may be anything; and numbers that are none stay where they are.
        let is_alone = depth.is_none() && time.is_none();
        if is_alone || of(1).is_some() != score.is_some() || depth == Some(None) || time == Some(None) {
            return;
        }
        self.eval = score;
        self.depth = depth.flatten();
        self.elapsed = time.flatten();
        let rest = &text[found.get(0).map_or(0, |whole| whole.end())..];
        self.text = rest.to_string();
        let left =
            TIME_LEFT.captures(rest).and_then(|field| Some((field.get(0)?.range(), seconds(&field[1])?)));
        if let Some((range, clock)) = left {
            self.clock = Some(clock);
            let (before, after) = (&rest[..range.start], &rest[range.end..]);
            let between = if before.is_empty() || after.is_empty() { "" } else { ", " };
            self.text = format!("{before}{between}{after}");
        }
        self.close_gap();
    }

    /// The comment with commands: `[%clk 0:59:58] [%emt 0:00:02] [%eval 0.31,18] (=) text`.
    pub fn to_commands(&self, mover: Color) -> String {
        let mut words = vec![];
        words.extend(self.clock.map(|time| format!("[%clk {}]", hours(time))));
        words.extend(self.elapsed.map(|time| format!("[%emt {}]", hours(time))));
        if let Some(score) = self.eval {
            let score = match if mover == Color::White { score } else { score.reversed() } {
                Evaluation::Centipawns(score) => decimal(score, ""),
                Evaluation::Mate(moves) => format!("#{moves}"),
            };
            let depth = self.depth.map_or(String::new(), |depth| format!(",{depth}"));
            words.push(format!("[%eval {score}{depth}]"));
        }
        words.extend(self.draw_offer.then(|| DRAW_OFFER.to_string()));
        words.extend((!self.text.is_empty()).then(|| self.text.clone()));
        words.join(" ")
    }

    /// The comment of a match runner: `+0.31/18 2.014s, tl=3598.000s, text (=)`. A depth without a score is not written.
    pub fn to_score(&self) -> String {
        let mut text = match self.eval {
            Some(Evaluation::Centipawns(score)) => decimal(score, "+"),
            Some(Evaluation::Mate(moves)) => {
                format!("{}M{}", if moves <= 0 { '-' } else { '+' }, moves.unsigned_abs())
            }
            None => String::new(),
        };
        if let Some(depth) = self.depth.filter(|_| self.eval.is_some()) {
            let _ = write!(text, "/{depth}");
        }
        let mut fields = vec![];
        let time = self.elapsed.map(|time| format!("{}s", decimal_seconds(time)));
        if !text.is_empty() || time.is_some() {
            fields.push([text, time.unwrap_or_default()].join(" ").trim().to_string());
        }
        fields.extend(self.clock.map(|time| format!("tl={}s", decimal_seconds(time))));
        fields.extend((!self.text.is_empty()).then(|| self.text.clone()));
        let offer = if self.draw_offer { DRAW_OFFER } else { "" };
        format!("{} {offer}", fields.join(", ")).trim().to_string()
    }
}

impl Evaluation {
    /// `{"cp": 31}` or `{"mate": -3}`.
    pub fn to_json(self) -> serde_json::Value {
        match self {
            Evaluation::Centipawns(score) => serde_json::json!({ "cp": score }),
            Evaluation::Mate(moves) => serde_json::json!({ "mate": moves }),
        }
    }

    /// The same from the other side's point of view.
    #[must_use]
    pub fn reversed(self) -> Evaluation {
        match self {
            Evaluation::Centipawns(score) => Evaluation::Centipawns(score.saturating_neg()),
            Evaluation::Mate(moves) => Evaluation::Mate(moves.saturating_neg()),
        }
    }
}

/// `0.31`, `-12.05`, with this sign before what is not negative.
fn decimal(score: i32, plus: &str) -> String {
    let sign = if score < 0 { "-" } else { plus };
    format!("{sign}{}.{:02}", score.unsigned_abs() / 100, score.unsigned_abs() % 100)
}

/// Reads pawns with a fraction of any length.
fn centipawns(text: &str) -> Option<i32> {
    let plain = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = plain.starts_with(|c: char| c.is_ascii_digit())
        && plain.chars().all(|c| c.is_ascii_digit() || c == '.');
    let score = text.parse::<f64>().ok().filter(|_| is_number)? * 100.0;
    // Beyond this a float is no exact number of hundredths any more.
    (score.abs() < 1e9).then(|| score.round() as i32)
}

fn seconds(text: &str) -> Option<Duration> {
    let milliseconds = (text.parse::<f64>().ok()? * 1000.0).round();
    let sane = (0.0..LONGEST as f64 * 1000.0).contains(&milliseconds);
    sane.then(|| Duration::from_millis(milliseconds as u64))
}

/// Reads `h:mm:ss`, `mm:ss` or `ss`, with a fraction of a second or without.
fn clock_time(text: &str) -> Option<Duration> {
    let mut parts = text.rsplit(':');
    let last = parts.next()?;
    let plain = last.chars().all(|c| c.is_ascii_digit() || c == '.');
    let mut time = seconds(last).filter(|_| plain)?;
    for unit in [60, 3600] {
        if let Some(part) = parts.next() {
            let count: u64 = part.parse().ok().filter(|&count| count < LONGEST)?;
            time += Duration::from_secs(count * unit);
        }
    }
    (parts.next().is_none() && time.as_secs() < LONGEST).then_some(time)
}

/// Rounded to the millisecond.
fn milliseconds(time: Duration) -> u128 {
    (time.as_micros() + 500) / 1000
}

fn decimal_seconds(time: Duration) -> String {
    let milliseconds = milliseconds(time);
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// A time as clocks show it: `h:mm:ss`, with a fraction (to the millisecond) if there is one.
pub fn hours(time: Duration) -> String {
    let milliseconds = milliseconds(time);
    let seconds = milliseconds / 1000;
    let mut text = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if !milliseconds.is_multiple_of(1000) {
        let _ = write!(text, ".{:03}", milliseconds % 1000);
        text.truncate(text.trim_end_matches('0').len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(comment: &str) -> MoveNote {
        MoveNote::parse(comment, Color::White)
    }

    fn ms(milliseconds: u64) -> Option<Duration> {
        Some(Duration::from_millis(milliseconds))
    }

    #[test]
    fn commands_are_read_from_whites_point_of_view() {
        let comment = "good [%clk 1:02:03.5] [%emt 0:00:02] and [%eval -0.31,18] [%csl Gd4] (=)";
        let note = read(comment);
        assert_eq!((note.clock, note.elapsed), (ms(3_723_500), ms(2000)));
        assert_eq!((note.eval, note.depth), (Some(Evaluation::Centipawns(-31)), Some(18)));
        assert!(note.draw_offer);
        assert_eq!(note.text, "good and [%csl Gd4]");
        assert_eq!(MoveNote::parse(comment, Color::Black).eval, Some(Evaluation::Centipawns(31)));
        assert_eq!(MoveNote::parse("[%eval #-3]", Color::Black).eval, Some(Evaluation::Mate(3)));
        assert_eq!(read("[%clk 12:30]").clock, ms(750_000));
        for offer in ["0.100s (=), drawn", "0.100s, (=), drawn", "(=), drawn", "drawn, (=)", "drawn (=)"] {
            let note = read(offer);
            assert_eq!((note.draw_offer, note.text.as_str()), (true, "drawn"), "{offer}");
        }
        for wrong in
            ["[%clk x]", "[%clk -1:00:00]", "[%clk 1:2:3:4]", "[%eval]", "[%eval 99999999999]", "[%emt 1e5]"]
        {
            assert_eq!(read(wrong), MoveNote { text: wrong.into(), ..MoveNote::default() });
        }
    }

    #[test]
    fn a_score_without_a_point_and_with_a_depth_is_in_hundredths() {
        for (comment, score) in [
            ("[%eval 23,14]", Evaluation::Centipawns(23)),
            ("[%eval -154,0]", Evaluation::Centipawns(-154)),
            ("[%eval 23.0,14]", Evaluation::Centipawns(2300)),
            ("[%eval 23]", Evaluation::Centipawns(2300)),
            ("[%eval #3,12]", Evaluation::Mate(3)),
        ] {
            assert_eq!(read(comment).eval, Some(score), "{comment}");
        }
        for wrong in ["[%eval x,14]", "[%eval 99999999999,14]"] {
            assert_eq!(read(wrong).text, wrong);
        }
    }

    #[test]
    fn the_comments_of_match_runners_are_read_from_the_movers_point_of_view() {
        let note =
            MoveNote::parse("-0.12/9 1.235s, tl=59.000s, n=12, White wins by adjudication", Color::Black);
        assert_eq!((note.eval, note.depth), (Some(Evaluation::Centipawns(-12)), Some(9)));
        assert_eq!((note.elapsed, note.clock), (ms(1235), ms(59_000)));
        assert_eq!(note.text, "n=12, White wins by adjudication");
        let note = read("-M3/20 0.1s, White mates");
        assert_eq!(
            (note.eval, note.elapsed, note.text.as_str()),
            (Some(Evaluation::Mate(-3)), ms(100), "White mates")
        );
        assert_eq!(read("0.000s").elapsed, ms(0));
        assert_eq!(read("+1.20/12").depth, Some(12));
        assert_eq!(read("0.52s").elapsed, ms(520));
        for prose in ["book", "0.5", "2.5 was better", "12s", "+1.2", "1-0", "s", "+1.20/99999999999 1.0s"] {
            let note = read(prose);
            assert!(note.eval.is_none() && note.depth.is_none(), "{prose}: {note:?}");
            assert!(note.text == prose || note.elapsed.is_some(), "{prose}: {note:?}");
        }
    }

    #[test]
    fn behind_score_and_depth_a_time_may_have_no_unit() {
        for (comment, elapsed, text) in [
            ("+0.26/5 0.1", ms(100), ""),
            ("+0.21/15 12", ms(12_000), ""),
            ("-M3/15 1:05", ms(65_000), ""),
            ("+0.21/15 12, White mates", ms(12_000), "White mates"),
            // The time left, which xboard can write in its place.
            ("+0.26/5 +65", None, "+65"),
            ("+0.26/5 3 pawns up", None, "3 pawns up"),
            ("+0.26/5 1-0", None, "1-0"),
            ("+0.26/5 12,5", None, "12,5"),
            ("+0.26/5 1:75", None, "1:75"),
            ("+0.26/5 1234567", None, "1234567"),
            ("+0.26/5 99999999999999", None, "99999999999999"),
        ] {
            let note = read(comment);
            assert!(note.eval.is_some() && note.depth.is_some(), "{comment}: {note:?}");
            assert_eq!((note.elapsed, note.text.as_str()), (elapsed, text), "{comment}");
        }
        for prose in ["12", "1:05", "+0.5 12", "0.1, or so"] {
            assert_eq!(read(prose), MoveNote { text: prose.into(), ..MoveNote::default() });
        }
    }

    #[test]
    fn both_grammars_are_written() {
        let note = MoveNote {
            clock: ms(3_598_000),
            elapsed: ms(2_014),
            eval: Some(Evaluation::Centipawns(-5)),
            depth: Some(18),
            draw_offer: true,
            text: "why not".into(),
        };
        let commands = "[%clk 0:59:58] [%emt 0:00:02.014] [%eval -0.05,18] (=) why not";
        assert_eq!(note.to_commands(Color::White), commands);
        assert!(note.to_commands(Color::Black).contains("[%eval 0.05,18]"));
        assert_eq!(note.to_score(), "-0.05/18 2.014s, tl=3598.000s, why not (=)");
        assert_eq!(MoveNote::default().to_score() + &MoveNote::default().to_commands(Color::White), "");
        let mate = MoveNote { eval: Some(Evaluation::Mate(-2)), ..MoveNote::default() };
        assert_eq!((mate.to_commands(Color::Black), mate.to_score()), ("[%eval #2]".into(), "-M2".into()));
        let mated = MoveNote { eval: Some(Evaluation::Mate(0)), ..MoveNote::default() };
        assert_eq!(mated.to_score(), "-M0", "the mover is mated already");
    }

    fn time() -> impl Strategy<Value = Option<Duration>> {
        prop::option::of((0..1_000_000_000_u64).prop_map(Duration::from_millis))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_written_reads_back(
            clock in time(),
            elapsed in time(),
            score in prop::option::of(-99_999..99_999_i32),
            mate in any::<bool>(),
            depth in prop::option::of(0..200_u32),
            draw_offer in any::<bool>(),
            text in prop::sample::select(&["", "book", "White mates", "n=12, nps=7"][..]),
            black in any::<bool>(),
        ) {
            let eval = score.map(|score| if mate { Evaluation::Mate(score | 1) } else { Evaluation::Centipawns(score) });
            let depth = depth.filter(|_| eval.is_some());
            let note = MoveNote { clock, elapsed, eval, depth, draw_offer, text: text.into() };
            let mover = if black { Color::Black } else { Color::White };
            prop_assert_eq!(MoveNote::parse(&note.to_commands(mover), mover), note.clone());
            if elapsed.is_some() {
                prop_assert_eq!(MoveNote::parse(&note.to_score(), mover), note);
            }
        }

        #[test]
        fn what_stands_between_the_fields_is_no_text(
            parts in prop::collection::vec(
                prop::sample::select(&["(=)", ",", " ", "x", "[%clk 0:01:00]", "+0.10/3", "0.1s", "tl=5s"][..]),
                0..12,
            ),
        ) {
            let note = MoveNote::parse(&parts.concat(), Color::White);
            prop_assert_eq!(MoveNote::parse(&note.to_commands(Color::White), Color::White), note);
        }

        #[test]
        fn any_comment_is_read_and_written_without_panic(text in "\\PC*", digits in "[-+M0-9./#:s,=%\\[\\]clkemtv ]*") {
            for text in [text, digits] {
                let note = MoveNote::parse(&text, Color::Black);
                let again = MoveNote::parse(&note.to_commands(Color::Black), Color::Black);
                prop_assert_eq!(again, note);
            }
        }
    }
}
