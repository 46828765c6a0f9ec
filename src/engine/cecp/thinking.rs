//! Thinking output: the lines `ply score time nodes pv` (section 10 of the protocol text).

use super::moves::read_line;
use crate::board::Position;
use crate::engine::info::{Info, LONGEST_TIME, Score};

/// The parts of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Thinking<'a> {
    ply: u32,
    score: i64,
    milliseconds: u64,
    nodes: Option<u64>,
    seldepth: Option<u32>,
    nps: Option<u64>,
    tbhits: Option<u64>,
    line: &'a str,
}

impl<'a> Thinking<'a> {
    /// Reads a line; `None` if it is no thinking output.
    pub(super) fn parse(text: &'a str) -> Option<Thinking<'a>> {
        let (ply, rest) = word(text)?;
        // GNU Chess 4 puts a sign behind the ply, and counts seconds.
        let digits = ply.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let unit = match ply.len() - digits.len() {
            0 => 10,
            1 => 1000,
            _ => return None,
        };
        let ply = digits.parse().ok()?;
        let (score, rest) = word(rest)?;
        let (time, rest) = word(rest)?;
        let (nodes, rest) = word(rest)?;
        let score = score.parse().ok()?;
        // Some write their first time, before a clock tick has passed, as a negative one.
        let time: i64 = time.parse().ok()?;
        // Old counters have 32 bits, and turn negative.
        let nodes: i128 = nodes.parse().ok()?;
        let (numbers, line) = optional_numbers(rest);
        let (tbhits, rest) = numbers.split_last().map_or((None, &[][..]), |(last, rest)| (Some(*last), rest));
        Some(Thinking {
            ply,
            score,
            milliseconds: u64::try_from(time).unwrap_or(0).saturating_mul(unit),
            nodes: u64::try_from(nodes).ok(),
            seldepth: rest.first().and_then(|&number| u32::try_from(number).ok()),
            nps: rest.get(1).copied(),
            tbhits,
            line: line.trim(),
        })
    }

    /// The score is only a bound: its line ends with a question or exclamation mark, or, as HoiChess has it, begins with
    /// a sign in parentheses.
    pub(super) fn is_bound(&self) -> bool {
        self.line.ends_with(['?', '!']) || without_sign(self.line).is_some()
    }

    /// It has a line, whether that can be read or not.
    pub(super) fn has_line(&self) -> bool {
        !self.line.is_empty()
    }

    /// The same in the terms of UCI, its line read from `position` on.
    pub(super) fn info(&self, position: &Position, chess960: bool) -> Info {
        // A line in parentheses is no search's, but a book's.
        let from_book = self.line.starts_with('(') && self.nodes == Some(0);
        Info {
            depth: Some(self.ply),
            seldepth: self.seldepth,
            time: Some(self.milliseconds).filter(|&time| time <= LONGEST_TIME),
            nodes: self.nodes,
            nps: self.nps,
            tbhits: self.tbhits,
            score: (!from_book).then(|| score(self.score)),
            is_bound: self.is_bound(),
            pv: read_line(without_sign(self.line).unwrap_or(self.line), position, chess960),
            ..Info::default()
        }
    }
}

/// What follows `(+)` or `(-)`.
fn without_sign(line: &str) -> Option<&str> {
    line.strip_prefix("(+)").or(line.strip_prefix("(-)"))
}

/// The first word, and what follows it.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The numbers between the nodes and the line. They are there only if a tab parts them from it, the last that is not
/// behind a word that is no number.
fn optional_numbers(text: &str) -> (Vec<u64>, &str) {
    let mut numbers = vec![];
    let mut parted = (vec![], text);
    let mut rest = text;
    loop {
        let blank = rest.len() - rest.trim_start().len();
        if let Some(tab) = rest[..blank].rfind('\t') {
            parted = (numbers.clone(), &rest[tab + 1..]);
        }
        match word(rest).and_then(|(word, after)| Some((word.parse().ok()?, after))) {
            Some((number, after)) => {
                numbers.push(number);
                rest = after;
            }
            None => return parted,
        }
    }
}

/// From here on the protocol text counts: so much and N is mate in N moves.
const MATE: i64 = 100_000;
/// What engines take for the score of a mate on the board when they count plies down from it, as many do, whatever the
/// protocol text says: GNU Chess 6, Phalanx XXV, older ones (two of them), HoiChess 0.22, Sjeng 11.2.
const MATES_BY_PLY: [i64; 6] = [10_000, 30_000, 32_000, 32_767, MATE, 1_000_000];
/// The longest mate that is recognised so, in plies.
const LONGEST_MATE: i64 = 100;

/// A score as it was written, in centipawns or as a mate in one of the usual ways.
fn score(written: i64) -> Score {
    let size = written.saturating_abs();
    let missing =
        MATES_BY_PLY.into_iter().map(|mate| mate - size).find(|plies| (1..=LONGEST_MATE).contains(plies));
    let moves = match missing {
        Some(plies) => (plies + 1) / 2,
        None if size >= MATE => size - MATE,
        None => return Score::Centipawns(i32::try_from(written).unwrap_or(0)),
    };
    let moves = i32::try_from(moves).unwrap_or(i32::MAX);
    // A mate that is on the board already is the mover's own only if he is the one mated.
    Score::Mate(if written > 0 { moves.max(1) } else { -moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(text: &str) -> Option<Info> {
        Thinking::parse(text).map(|thinking| thinking.info(&Position::default(), false))
    }

    #[test]
    fn lines_are_read() {
        let crafty = info("4    109      14   1435  1. e4 d5 2. Qf3 dxe4 3. Qxe4 Nc6").unwrap();
        assert_eq!((crafty.depth, crafty.time, crafty.nodes), (Some(4), Some(140), Some(1435)));
        assert_eq!((crafty.score, crafty.is_bound), (Some(Score::Centipawns(109)), false));
        assert_eq!(crafty.pv, ["e2e4", "d7d5", "d1f3", "d5e4", "f3e4", "b8c6"]);
        let gnu = info("3&     -76    2      191   d2d4  e8e7").unwrap();
        assert_eq!((gnu.time, gnu.score), (Some(2000), Some(Score::Centipawns(-76))));
        assert_eq!(gnu.pv, ["d2d4"]);
        assert_eq!(info("1 +8 0 42 d4").unwrap().score, Some(Score::Centipawns(8)));
        assert_eq!([-1, -5].map(|time| info(&format!("2 8 {time} 42")).unwrap().time), [Some(0); 2]);
        let endless = [LONGEST_TIME / 10 + 1, i64::MAX as u64].map(|time| format!("2 8 {time} 42"));
        assert_eq!(endless.map(|line| info(&line).unwrap().time), [None; 2]);
        let overflowed = info("9 30 12 -2147480000 e2e4").unwrap();
        assert_eq!((overflowed.nodes, overflowed.depth, overflowed.time), (None, Some(9), Some(120)));
        assert_eq!((overflowed.score, overflowed.pv.len()), (Some(Score::Centipawns(30)), 1));
        let book = info("0      0       0      0  (e4 64%, d4 24%)").unwrap();
        assert_eq!((book.score, book.pv.len()), (None, 0));
        let searched = info("5 30 10 100 (e4 is hoped for)").unwrap();
        assert_eq!(searched.score, Some(Score::Centipawns(30)), "no book counts nodes");
        let bound = info("5 2792 0 5864 (+) 1. e4 e5").unwrap();
        assert!(bound.is_bound && bound.pv.len() == 2 && bound.score.is_some());
        assert!(info("9 15 1 4 e4 e5?").unwrap().is_bound && info("9 15 1 4 e4!").unwrap().is_bound);
    }

    #[test]
    fn optional_numbers_stand_before_a_tab() {
        let full = info("9 15 108 48000 21 1500000 7 33\te2e4\te7e5").unwrap();
        assert_eq!((full.seldepth, full.nps, full.tbhits), (Some(21), Some(1_500_000), Some(33)));
        assert_eq!(full.pv, ["e2e4", "e7e5"]);
        let one = info("9 15 108 48000 33\te2e4").unwrap();
        assert_eq!((one.seldepth, one.tbhits), (None, Some(33)));
        let none = info("9 15 108 48000 1. e4").unwrap();
        assert_eq!((none.seldepth, none.tbhits, none.pv.len()), (None, None, 1));
    }

    #[test]
    fn other_lines_are_none() {
        for text in ["", "1. e2e4", "1. ... d7d5", "9 15 x 1", "9 15 1", "9.. 1 1 1", "x 1 1 1", "- 1 1 1"] {
            assert_eq!(info(text), None, "{text}");
        }
    }

    #[test]
    fn mates_are_told_in_several_ways() {
        for (written, read) in [
            (100_003, Score::Mate(3)),
            (-100_003, Score::Mate(-3)),
            (100_000, Score::Mate(1)),
            (-100_000, Score::Mate(0)),
            (32_766, Score::Mate(1)),
            (-32_763, Score::Mate(-2)),
            (9_999, Score::Mate(1)),
            (29_997, Score::Mate(2)),
            (-29_998, Score::Mate(-1)),
            (99_995, Score::Mate(3)),
            (999_996, Score::Mate(2)),
            (9_899, Score::Centipawns(9_899)),
            (31_000, Score::Centipawns(31_000)),
            (i64::MIN, Score::Mate(-i32::MAX)),
        ] {
            assert_eq!(score(written), read, "{written}");
        }
    }
}
