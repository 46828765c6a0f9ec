//! What engines say while they think: the `info` lines of UCI.

use serde::{Deserialize, Serialize};

/// A score from the mover's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Score {
    /// Hundredths of a pawn.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Moves to mate; negative or zero if the mover is mated.
    #[serde(rename = "mate")]
    Mate(i32),
}

impl Score {
    /// True if the mover is at least so many centipawns better; a mate is better than any number of them.
    pub fn at_least(self, centipawns: i32) -> bool {
        match self {
            Score::Centipawns(score) => score >= centipawns,
            Score::Mate(moves) => moves > 0,
        }
    }

    /// True if nobody is more than so many centipawns better, and no mate is seen.
    pub fn is_within(self, centipawns: i32) -> bool {
        matches!(self, Score::Centipawns(score) if i64::from(score).abs() <= i64::from(centipawns))
    }

    /// The score from the other side. Who is mated already has mated nobody: to the other it is a mate in one.
    pub fn reversed(self) -> Score {
        match self {
            Score::Centipawns(score) => Score::Centipawns(score.saturating_neg()),
            Score::Mate(0) => Score::Mate(1),
            Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
        }
    }
}

/// No search takes longer than this, ten years in milliseconds; a time beyond it is a mistake, and is left out.
pub(super) const LONGEST_TIME: u64 = 10 * 365 * 86_400_000;

/// What an `info` line tells; what it does not tell is `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// In plies.
    pub depth: Option<u32>,
    /// The deepest line, in plies.
    pub seldepth: Option<u32>,
    /// Since `go`, in milliseconds.
    pub time: Option<u64>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in tablebases.
    pub tbhits: Option<u64>,
    /// Which of several lines this is, from 1.
    pub multipv: Option<u32>,
    /// The score; a bound if `is_bound` says so.
    pub score: Option<Score>,
    /// The score is a bound only.
    pub is_bound: bool,
    /// The line, in UCI notation.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads the words after `info`. What cannot be read is left out, as GUIs do.
    pub fn parse(text: &str) -> Info {
        let mut info = Info::default();
        let mut words = text.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            let mut number = || words.next()?.parse::<u64>().ok();
            let small = |number: Option<u64>| number?.try_into().ok();
            match word {
                "depth" => info.depth = small(number()),
                "seldepth" => info.seldepth = small(number()),
                "time" => info.time = number().filter(|&time| time <= LONGEST_TIME),
                "nodes" => info.nodes = number(),
                "nps" => info.nps = number(),
                "hashfull" => info.hashfull = small(number()),
                "tbhits" => info.tbhits = number(),
                "multipv" => info.multipv = small(number()),
                "score" => {
                    let kind = words.next();
                    let number = words.next().and_then(|number| number.parse().ok());
                    info.score = match (kind, number) {
                        (Some("cp"), Some(number)) => Some(Score::Centipawns(number)),
                        (Some("mate"), Some(number)) => Some(Score::Mate(number)),
                        _ => None,
                    };
                }
                "lowerbound" | "upperbound" => info.is_bound = true,
                "pv" => {
                    info.pv.clear();
                    while let Some(mv) = words.next_if(|word| is_squares(word)) {
                        info.pv.push(mv.to_string());
                    }
                }
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

/// True for words of the form `e2e4` or `e7e8q`, in capitals or not.
pub(super) fn is_squares(word: &str) -> bool {
    let square =
        |file: u8, rank: u8| matches!(file, b'a'..=b'h' | b'A'..=b'H') && matches!(rank, b'1'..=b'8');
    match *word.as_bytes() {
        [a, b, c, d] => square(a, b) && square(c, d),
        [a, b, c, d, piece] => square(a, b) && square(c, d) && piece.is_ascii_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_mated_has_lost_and_the_other_has_won() {
        for (mover, is_won, is_lost) in [(0, false, true), (-2, false, true), (2, true, false)] {
            let score = Score::Mate(mover);
            assert_eq!((score.at_least(600), score.reversed().at_least(600)), (is_won, is_lost), "{mover}");
        }
    }

    #[test]
    fn fields_are_read_in_any_order() {
        let info = Info::parse(
            "score mate -3 depth 7 seldepth 12 nodes 4000000000 nps 2 hashfull 1000 tbhits 5 time 9 multipv 2 pv e2e4 e7e8q",
        );
        assert_eq!((info.depth, info.seldepth, info.time), (Some(7), Some(12), Some(9)));
        assert_eq!((info.nodes, info.nps, info.hashfull), (Some(4_000_000_000), Some(2), Some(1000)));
        assert_eq!((info.tbhits, info.multipv, info.score), (Some(5), Some(2), Some(Score::Mate(-3))));
        assert_eq!(info.pv, ["e2e4", "e7e8q"]);
        assert!(!info.is_bound);
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        let info = Info::parse("depth x score cp 12 lowerbound wdl 1 2 3 pv e2e4 what string score cp 5");
        assert_eq!((info.depth, info.score, info.is_bound), (None, Some(Score::Centipawns(12)), true));
        assert_eq!(info.pv, ["e2e4"]);
        assert_eq!(Info::parse("string depth 5"), Info::default());
        let info = Info::parse("depth 5 pv e2e4 e7e5 score cp -900 upperbound pv d2d4");
        assert_eq!((info.score, info.is_bound), (Some(Score::Centipawns(-900)), true), "behind the moves");
        assert_eq!(info.pv, ["d2d4"], "the last one");
        assert_eq!(Info::parse("pv e2e4 e7E5 e9e0").pv, ["e2e4", "e7E5"], "no squares");
        assert_eq!(Info::parse("score cp"), Info::default());
        assert_eq!(Info::parse("time 315360000000").time, Some(LONGEST_TIME));
        assert_eq!(Info::parse("time 315360000001 time 18446744073709551615"), Info::default());
        assert_eq!(Info::parse(""), Info::default());
    }

    #[test]
    fn mates_beat_centipawns() {
        assert!(Score::Mate(5).at_least(100_000) && !Score::Mate(-5).at_least(-100_000));
        assert!(Score::Centipawns(5).at_least(5) && !Score::Centipawns(5).at_least(6));
        assert!(Score::Mate(-2).reversed().at_least(1) && Score::Centipawns(-7).reversed().at_least(7));
    }
}
