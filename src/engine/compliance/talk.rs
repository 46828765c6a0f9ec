//! A conversation line by line with an engine, and what was said in it.

use crate::engine::config::EngineConfig;
use crate::engine::process::{EngineError, LOOK_AGAIN, Process};
use crate::notation::characters::legible;
use crate::sys::pipes::{Woken, wait};
use std::cell::RefCell;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// So many lines of one search are kept, and of `info` lines behind them only the last; of all others twice as many.
const MOST_LINES: usize = 10_000;
/// Quotations are cut there.
const LONGEST_QUOTE: usize = 160;
/// So long may be what is found, the words of the engine in it.
const LONGEST_FINDING: usize = 500;

/// A line that the engine has said.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    /// Without the white space around it; what is no UTF-8 is replaced.
    pub(super) text: String,
    /// It was UTF-8.
    pub(super) is_utf8: bool,
}

/// A running engine and what has been said since the last `forget`.
pub(super) struct Talk {
    process: Process,
    sent: Vec<String>,
    heard: Vec<Heard>,
    /// Where lines are counted from.
    counted_from: usize,
    /// More than `MOST_LINES` lines came from there on.
    pub(super) flooded: bool,
    /// The first that came on its error output, if anything did.
    pub(super) complaint: String,
}

impl Talk {
    pub(super) fn start(config: &EngineConfig) -> Result<Talk, EngineError> {
        let process = Process::start(config)?;
        let (sent, heard, complaint) = (vec![], vec![], String::new());
        Ok(Talk { process, sent, heard, counted_from: 0, flooded: false, complaint })
    }

    /// Begins to remember what is said anew.
    pub(super) fn forget(&mut self) {
        self.sent.clear();
        self.heard.clear();
        self.counted_from = 0;
    }

    /// Sends lines, in one write; the last needs no end.
    pub(super) fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        self.send_bytes(format!("{lines}\n").as_bytes())
    }

    /// Sends bytes as they are.
    pub(super) fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        let shown = String::from_utf8_lossy(bytes).replace('\r', "\\r").replace('\t', "\\t");
        self.sent.extend(shown.strip_suffix('\n').unwrap_or(&shown).split('\n').map(String::from));
        self.process.send(bytes, Instant::now(), |_| ())
    }

    /// Where the next line will be in what `since` gives.
    pub(super) fn here(&self) -> usize {
        self.heard.len()
    }

    /// A search begins here: its lines are counted. Where the next line will be.
    pub(super) fn count_from_here(&mut self) -> usize {
        self.counted_from = self.here();
        self.counted_from
    }

    /// The lines that came from there on.
    pub(super) fn since(&self, mark: usize) -> Vec<Heard> {
        self.heard[mark.min(self.heard.len())..].to_vec()
    }

    /// Listens until a line is the one that is `expected`.
    pub(super) fn hear(
        &mut self,
        patience: Duration,
        expected: &'static str,
        mut is_it: impl FnMut(&str) -> bool,
    ) -> Result<(), EngineError> {
        let deadline = Instant::now() + patience;
        loop {
            while let Some(line) = self.process.next_line() {
                let text = String::from_utf8_lossy(line.trim_ascii_start());
                let heard =
                    Heard { is_utf8: matches!(text, std::borrow::Cow::Borrowed(_)), text: text.into() };
                let found = is_it(&heard.text);
                self.keep(heard);
                if found {
                    return Ok(());
                }
            }
            if self.process.output.is_closed() {
                return Err(self.process.gone(|_| ()));
            }
            // Checked whether or not something came: an engine that never stops talking is late too.
            if Instant::now() >= deadline {
                return Err(EngineError::Silent(expected));
            }
            let process = &mut self.process;
            let turn = deadline.min(Instant::now() + LOOK_AGAIN);
            let has_ended = process.has_ended();
            let woken = wait(&mut [&mut process.output, &mut process.errors], None, turn);
            if woken == Woken::Late && has_ended {
                return Err(process.gone(|_| ()));
            }
            if process.output.is_ready() {
                process.fill();
            }
            if process.errors.is_ready() {
                self.read_complaints();
            }
        }
    }

    fn keep(&mut self, heard: Heard) {
        let is_info = |heard: &Heard| heard.text.starts_with("info");
        let count = self.heard.len() - self.counted_from;
        let is_surplus = is_info(&heard) && count >= MOST_LINES;
        let is_too_much = count >= 2 * MOST_LINES;
        self.flooded |= is_surplus || is_too_much;
        if is_too_much || is_surplus && self.heard.last().is_some_and(is_info) {
            self.heard.pop();
        }
        self.heard.push(heard);
    }

    /// What comes in this time; the engine may be gone at its end.
    pub(super) fn overhear(&mut self, time: Duration) -> Result<Vec<Heard>, EngineError> {
        let mark = self.here();
        match self.hear(time, "anything", |_| false) {
            Ok(()) | Err(EngineError::Silent(_)) => Ok(self.since(mark)),
            Err(error) => Err(error),
        }
    }

    fn read_complaints(&mut self) {
        let complaint = RefCell::new(&mut self.complaint);
        self.process.read_complaints(|bytes| note(&mut complaint.borrow_mut(), bytes));
    }

    /// How many lines were too long to be read.
    pub(super) fn dropped_lines(&self) -> u32 {
        self.process.dropped_lines()
    }

    /// True if no line has been sent since the last `forget`.
    pub(super) fn has_sent_nothing(&self) -> bool {
        self.sent.is_empty()
    }

    /// The last three lines that were sent.
    pub(super) fn sent_lately(&self) -> String {
        quote(self.sent.iter().map(String::as_str), 3)
    }

    /// The last two lines that came.
    pub(super) fn heard_lately(&self) -> String {
        last_two(&self.heard)
    }

    /// Says these last words, or closes the engine's input if there are none, and waits for its end. How it ended and
    /// after which time, `None` if it had to be killed; and what came first on its error output.
    pub(super) fn end(
        self,
        last_words: Option<&[u8]>,
        patience: Duration,
    ) -> (Option<(ExitStatus, Duration)>, String) {
        let begin = Instant::now();
        let complaint = RefCell::new(self.complaint);
        let log = |bytes: &[u8]| note(&mut complaint.borrow_mut(), bytes);
        let status = self.process.end_by_itself(last_words, begin + patience, log);
        (status.map(|status| (status, begin.elapsed())), complaint.into_inner())
    }
}

/// Keeps the first complaint.
fn note(complaint: &mut String, bytes: &[u8]) {
    if complaint.is_empty() {
        complaint.push_str(&String::from_utf8_lossy(bytes).trim().replace('\n', " | "));
    }
}

/// The last two of what was heard.
pub(super) fn last_two(heard: &[Heard]) -> String {
    quote(heard.iter().map(|heard| heard.text.as_str()), 2)
}

/// The last of these lines, cut to a length that can be read.
fn quote<'a>(lines: impl DoubleEndedIterator<Item = &'a str>, count: usize) -> String {
    let mut last: Vec<String> = lines.rev().take(count).map(clip).collect();
    last.reverse();
    if last.is_empty() { "nothing".to_string() } else { last.join(" | ") }
}

/// A quotation of an engine's words.
pub(super) fn clip(text: &str) -> String {
    shorten(text, LONGEST_QUOTE)
}

/// What is found, short enough to be read.
pub(super) fn clip_finding(text: &str) -> String {
    shorten(text, LONGEST_FINDING)
}

/// A text with its middle left out if it is long, and without control characters, which would change the terminal.
fn shorten(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return legible(text, most);
    }
    let half = most / 2;
    let tail: String = text.chars().skip(count - half).collect();
    format!("{} … {}", legible(text, half), legible(&tail, half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_short() {
        assert_eq!(quote([].into_iter(), 2), "nothing");
        assert_eq!(quote(["a", "b", "c"].into_iter(), 2), "b | c");
        let long = "x".repeat(500) + "y";
        assert!(clip(&long).len() < 200 && clip(&long).ends_with('y'));
        assert_eq!(clip(&long).matches('x').count(), LONGEST_QUOTE - 1);
        assert_eq!(clip("\u{1b}[2J\u{7f}é"), "?[2J?é", "and change no terminal");
    }

    #[cfg(unix)]
    #[test]
    fn of_a_flood_no_more_than_its_beginning_is_kept() {
        for text in ["info depth 1", "y"] {
            let config = EngineConfig { cmd: "true".into(), ..EngineConfig::default() };
            let mut talk = Talk::start(&config).unwrap();
            for _ in 0..3 * MOST_LINES {
                talk.keep(Heard { text: text.into(), is_utf8: true });
            }
            talk.keep(Heard { text: "bestmove e2e4".into(), is_utf8: true });
            assert!(talk.flooded && talk.heard.len() <= 2 * MOST_LINES, "{text}: {}", talk.heard.len());
            assert_eq!(talk.since(0).last().unwrap().text, "bestmove e2e4");
        }
    }

    #[cfg(unix)]
    #[test]
    fn who_has_ended_is_not_waited_for_though_a_child_holds_its_pipes() {
        let args = ["-c", "sleep 600 &"].map(String::from).to_vec();
        let mut talk =
            Talk::start(&EngineConfig { cmd: "sh".into(), args, ..EngineConfig::default() }).unwrap();
        let heard = talk.hear(Duration::from_secs(60), "anything", |_| false);
        assert!(matches!(heard, Err(EngineError::Gone(how)) if how == "has ended"));
    }
}
