//! What `bench` can be told, in our own words (`[depth] [threads] [hash]`) or in Stockfish's
//! (`hash threads limit positions [kind]`), which scripts and programs that drive engines know.

use super::POSITIONS;
use crate::board::{Board, FenStyle, Position};
use crate::search::Limits;
use crate::sys::files::must_be_ordinary;
use crate::types::MAX_DEPTH;
use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// More threads than this are a slip of the pen, here and where else many positions are searched.
pub const MOST_THREADS: u64 = 1_024;
/// The depths of a search or a count, in plies.
const DEPTHS: RangeInclusive<u64> = 1..=MAX_DEPTH as u64;
/// The longest search of a position, in milliseconds: some weeks.
const LONGEST: u64 = u32::MAX as u64;

/// What each position is searched to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BenchLimit {
    /// So many plies.
    Depth(u32),
    /// So many nodes.
    Nodes(u64),
    /// So long.
    MoveTime(Duration),
    /// A mate in so many moves.
    Mate(u32),
    /// Nothing is searched: the lines of so many plies are counted.
    Perft(u32),
}

/// What is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BenchPositions {
    /// Those of the signature.
    Fixed,
    /// The position on the board.
    Current,
    /// A file with a FEN or an EPD in each line.
    File(PathBuf),
}

/// What to bench.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchOptions {
    /// Where each search ends.
    pub limit: BenchLimit,
    /// Search threads; the signature holds for one.
    pub threads: u32,
    /// Size of the table in mebibytes.
    pub hash: u32,
    /// What is searched; the signature holds for the fixed ones.
    pub positions: BenchPositions,
    /// It was asked for in Stockfish's words.
    pub as_stockfish: bool,
}

impl Default for BenchOptions {
    fn default() -> BenchOptions {
        let limit = BenchLimit::Depth(13);
        BenchOptions { limit, threads: 1, hash: 16, positions: BenchPositions::Fixed, as_stockfish: false }
    }
}

impl BenchOptions {
    /// Reads what stands behind `bench`: up to three words are ours, more are Stockfish's. A table that does not fit is for
    /// [`run`](super::run) to refuse.
    ///
    /// # Errors
    /// Which word is wrong, and what was expected.
    pub fn from_words<W: AsRef<str>>(words: &[W]) -> Result<BenchOptions, String> {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let mut options = BenchOptions::default();
        if let [hash, threads, limit, positions, ref others @ ..] = words[..] {
            options.hash = hash_of(hash)?;
            options.threads = threads_of(threads)?;
            options.limit = BenchLimit::read(limit, others.first().unwrap_or(&"depth"))?;
            options.positions = BenchPositions::read(positions)?;
            options.as_stockfish = true;
            match others {
                // The sixth word of Stockfish 12 to 15: with its network, and we have nothing else if not told so.
                [] | [_] | [_, "mixed" | "NNUE"] => {}
                [_, "mixed" | "NNUE", word, ..] | [_, word, ..] => {
                    return Err(format!(
                        "'{word}' means nothing behind the kind of limit; another evaluation is chosen by EvalFile"
                    ));
                }
            }
            return Ok(options);
        }
        if let Some(depth) = words.first() {
            options.limit = BenchLimit::Depth(number("depth", depth, DEPTHS)? as u32);
        }
        if let Some(threads) = words.get(1) {
            options.threads = threads_of(threads)?;
        }
        if let Some(hash) = words.get(2) {
            options.hash = hash_of(hash)?;
        }
        Ok(options)
    }
}

impl BenchLimit {
    fn read(number_of_it: &str, kind: &str) -> Result<BenchLimit, String> {
        let within = |range| number(kind, number_of_it, range);
        Ok(match kind {
            "depth" => BenchLimit::Depth(within(DEPTHS)? as u32),
            "nodes" => BenchLimit::Nodes(within(1..=u64::MAX)?),
            "movetime" => BenchLimit::MoveTime(Duration::from_millis(within(1..=LONGEST)?)),
            "mate" => BenchLimit::Mate(within(DEPTHS)? as u32),
            "perft" => BenchLimit::Perft(within(DEPTHS)? as u32),
            _ => {
                return Err(format!(
                    "'{kind}' is no kind of limit: expected depth, nodes, movetime, mate or perft"
                ));
            }
        })
    }

    /// The limits of a search; none for what is only counted.
    pub(super) fn limits(self) -> Limits {
        let none = Limits::default();
        match self {
            BenchLimit::Depth(depth) => Limits { depth: Some(depth as i32), ..none },
            BenchLimit::Nodes(nodes) => Limits { nodes: Some(nodes), ..none },
            BenchLimit::MoveTime(time) => Limits { move_time: Some(time), ..none },
            BenchLimit::Mate(moves) => Limits { mate: Some(moves), ..none },
            BenchLimit::Perft(_) => none,
        }
    }
}

impl BenchPositions {
    fn read(word: &str) -> Result<BenchPositions, String> {
        match word {
            "default" => Ok(BenchPositions::Fixed),
            "current" => Ok(BenchPositions::Current),
            // Somebody has one number too many.
            _ if word.parse::<u64>().is_ok() => Err(format!(
                "'{word}' is no file of positions: expected 'default', 'current' or a file of FENs or EPD lines"
            )),
            _ => Ok(BenchPositions::File(word.into())),
        }
    }

    /// The positions, each with its FEN.
    pub(super) fn all(&self, current: &Position) -> Result<Vec<(String, Position)>, String> {
        let file = match self {
            BenchPositions::Fixed => {
                let read = |fen: &&str| {
                    Ok((fen.to_string(), Position::from_fen(fen).map_err(|error| error.to_string())?))
                };
                return POSITIONS.iter().map(read).collect();
            }
            BenchPositions::Current => return Ok(vec![(current.to_fen(FenStyle::XFen), *current)]),
            BenchPositions::File(file) => file,
        };
        let name = file.display();
        // What is begun at the prompt could not be stopped while it waits for a pipe.
        let text = must_be_ordinary(file).and_then(|()| fs::read_to_string(file));
        let text = text.map_err(|error| format!("{name}: {error}"))?;
        let text = text.trim_start_matches('\u{feff}');
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let read = |(number, line): (usize, &str)| {
            let fen = without_operations(line);
            match Board::from_fen_lenient(&fen) {
                Ok(board) => Ok((fen, Position::from(board))),
                Err(error) => Err(format!("{name}, line {number}: {error}")),
            }
        };
        let says_something = |(_, line): &(usize, &str)| !line.is_empty() && !line.starts_with('#');
        let positions: Vec<_> = lines.filter(says_something).map(read).collect::<Result<_, String>>()?;
        if positions.is_empty() {
            return Err(format!("{name} has no positions: expected a FEN or an EPD in each line"));
        }
        Ok(positions)
    }
}

/// A FEN as it is, an EPD without its operations.
fn without_operations(line: &str) -> String {
    let fields: Vec<&str> = line.split_whitespace().collect();
    match fields.get(4) {
        Some(operation) if operation.starts_with(|c: char| c.is_ascii_alphabetic()) => fields[..4].join(" "),
        _ => line.into(),
    }
}

fn threads_of(word: &str) -> Result<u32, String> {
    Ok(number("threads", word, 1..=MOST_THREADS)? as u32)
}

fn hash_of(word: &str) -> Result<u32, String> {
    Ok(number("hash in MB", word, 1..=u64::from(u32::MAX))? as u32)
}

fn number(name: &str, word: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let number = word.parse().ok().filter(|number| range.contains(number));
    let (least, most) = (range.start(), range.end());
    number.ok_or_else(|| format!("invalid {name} '{word}': expected a whole number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;
    use std::path::Path;

    fn read(words: &str) -> Result<BenchOptions, String> {
        BenchOptions::from_words(&words.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn up_to_three_numbers_are_depth_threads_and_size_as_far_as_they_are_given() {
        let BenchOptions { limit, threads, hash, .. } = BenchOptions::default();
        for (words, expected) in [
            ("", (limit, threads, hash)),
            ("5", (BenchLimit::Depth(5), threads, hash)),
            ("5 2", (BenchLimit::Depth(5), 2, hash)),
            ("5 2 64", (BenchLimit::Depth(5), 2, 64)),
        ] {
            let (limit, threads, hash) = expected;
            let expected = BenchOptions { limit, threads, hash, ..BenchOptions::default() };
            assert_eq!(read(words), Ok(expected), "{words}");
        }
        for (words, wrong) in
            [("0", "depth '0'"), ("246", "245"), ("5 0", "threads '0'"), ("5 9999", "1024"), ("5 1 x", "'x'")]
        {
            assert!(read(words).is_err_and(|error| error.contains(wrong)), "{words}");
        }
    }

    #[test]
    fn stockfishs_words_are_size_threads_limit_positions_and_kind() {
        let (fixed, current) = (BenchPositions::Fixed, BenchPositions::Current);
        for (words, limit, positions) in [
            ("64 2 13 default depth", BenchLimit::Depth(13), fixed.clone()),
            ("64 2 7 current", BenchLimit::Depth(7), current.clone()),
            ("64 2 9000 a/b.fen nodes", BenchLimit::Nodes(9_000), BenchPositions::File("a/b.fen".into())),
            ("64 2 300 default movetime", BenchLimit::MoveTime(Duration::from_millis(300)), fixed.clone()),
            ("64 2 3 default mate", BenchLimit::Mate(3), fixed.clone()),
            ("64 2 4 current perft", BenchLimit::Perft(4), current),
            ("64 2 13 default depth mixed", BenchLimit::Depth(13), fixed),
        ] {
            let expected = BenchOptions { limit, threads: 2, hash: 64, positions, as_stockfish: true };
            assert_eq!(read(words), Ok(expected), "{words}");
        }
        for (words, wrong) in [
            ("x 1 13 default depth", "'x'"),
            ("16 1 300 default depth", "depth '300'"),
            ("16 1 0 default nodes", "nodes '0'"),
            ("16 1 13 default eval", "'eval'"),
            ("16 1 13 default depth classical", "'classical'"),
            ("16 1 13 default depth NNUE x", "'x'"),
            ("5 2 16 1", "'1'"),
        ] {
            assert!(read(words).is_err_and(|error| error.contains(wrong)), "{words}: {:?}", read(words));
        }
    }

    #[test]
    fn positions_of_a_file_are_read_as_others_write_them() {
        let folder = Scratch::new();
        let file = folder.join("positions");
        let one = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 40";
        let text = format!("\u{feff}{one}\r\n# none\n\n4k3/8/8/8/8/8/4P3/4K3 b - - bm Kd7; id \"two\";\n");
        std::fs::write(&file, text).unwrap();
        let all = |file: &Path| BenchPositions::File(file.into()).all(&Position::default());
        let positions = all(&file).unwrap();
        assert_eq!(positions.len(), 2);
        assert_eq!((positions[0].0.as_str(), positions[0].1.halfmove_clock()), (one, 3));
        assert_eq!(positions[1].0, "4k3/8/8/8/8/8/4P3/4K3 b - -");
        std::fs::write(&file, format!("{one}\n# none\n4k3/8/8/8/8/8/4P3/4K3 b - x\n")).unwrap();
        let told = all(&file).unwrap_err();
        assert!(told.contains("positions, line 3: "), "{told}");
        assert!(all(&folder).unwrap_err().contains("this is not an ordinary file"));
    }
}
