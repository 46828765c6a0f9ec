//! `adoube book suite`: opening positions made by our own search.
//!
//! A candidate begins with the start position and plays some plies. Each is drawn at random from the legal moves, with
//! weights out of a short search by [`TASTE`]. So lines look like openings and differ all the same. A candidate is taken
//! if it is new, not in check, not over, and balanced in a longer search.
//!
//! Everything about a candidate follows from the seed and its number: each search begins with an empty memory, and
//! chance and weights are whole numbers. So a file can be made again anywhere, with any number of threads.

use super::judge::{Judge, Taste, spawn};
use super::output::Output;
use crate::board::{FenStyle, Position, chess960};
use crate::cli::searching::MOST_THREADS;
use crate::cli::{Failure, shown};
use crate::eval::wdl;
use crate::notation::epd::{Epd, Operation};
use crate::notation::san::to_san;
use crate::openings::why_over;
use crate::sys::chance::Chance;
use crate::types::Color;
use crossbeam_channel::bounded;
use std::collections::{BTreeMap, HashSet};
use std::io::{IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Makes opening positions, one a line in EPD: `id` has the moves that lead to it, `ce` what the search says for the side
/// to move, in hundredths of a pawn where 100 wins half of the games, and `acn` its nodes.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// How many positions
    #[arg(long, default_value = "2000")]
    count: NonZeroUsize,
    /// The file, which is replaced
    #[arg(long)]
    out: PathBuf,
    /// Plies from the start position
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// The search's value must be nearer to 0, in hundredths of a pawn
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(i32).range(1..))]
    max_score: i32,
    /// Nodes of the search that judges a position
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes of the search that weighs the moves of a ply
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    move_nodes: u64,
    /// Sets chance: the same seed makes the same file
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Searches at once; the file is the same whatever their number
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: u32,
    /// The rules
    #[arg(long, value_enum, default_value_t = Variant::Standard)]
    variant: Variant,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Variant {
    Standard,
    /// Chess960
    Fischerandom,
}

/// Which moves are played.
const TASTE: Taste = Taste { halving: 10, most_loss: 60 };
/// Searches of some thousand nodes need no more.
const HASH_MEGABYTES: usize = 1;
/// After so many candidates in a row that gave nothing new there is no hope.
const MOST_FAILURES: u64 = 20_000;

/// A candidate that passed all tests but that of being new.
struct Found {
    position: Position,
    /// The moves in SAN with their numbers.
    line: String,
    /// For the side to move, in hundredths of a pawn.
    score: i32,
}

/// Plays and judges candidate `number`: nothing, if it is no opening.
///
/// # Errors
/// If a search fails.
fn candidate(arguments: &Arguments, number: u64, judge: &mut Judge) -> Result<Option<Found>, String> {
    let mut chance = Chance::of_part(arguments.seed, number);
    let mut position = match arguments.variant {
        Variant::Standard => Position::default(),
        Variant::Fischerandom => {
            let array = chance.below(u64::from(chess960::ARRAYS)) as u16;
            Position::from(chess960::start(array, array))
        }
    };
    let mut words: Vec<String> = vec![];
    for _ in 0..arguments.plies {
        let count = position.legal_moves().len();
        let moves = judge.search(&position, arguments.move_nodes, count)?;
        let best = moves.iter().map(|(_, score)| *score).max();
        // Where somebody is being mated already there is no opening.
        let Some(best) = best.filter(|best| !best.is_decisive()) else { return Ok(None) };
        let weights = moves.iter().map(|(_, score)| TASTE.weight((best - *score) as u64));
        let Some(chosen) = chance.weighted(weights) else { return Ok(None) };
        let mv = moves[chosen].0;
        if position.side_to_move() == Color::White {
            words.push(format!("{}.", position.fullmove_number()));
        }
        words.push(to_san(mv, &position));
        position = position.after(mv);
        if why_over(&position).is_some() {
            return Ok(None);
        }
    }
    if position.in_check() {
        return Ok(None);
    }
    let moves = judge.search(&position, arguments.nodes, 1)?;
    let score = moves.first().map(|(_, score)| *score).filter(|score| !score.is_decisive());
    let score = score.map(wdl::centipawns).filter(|score| score.abs() < arguments.max_score);
    Ok(score.map(|score| Found { position, line: words.join(" "), score }))
}

/// Takes candidates in the order of their numbers, whoever is done first.
#[derive(Default)]
struct Collection {
    next: u64,
    early: BTreeMap<u64, Option<Found>>,
    keys: HashSet<u64>,
    taken: Vec<Found>,
    /// Candidates in a row that gave nothing.
    failures: u64,
}

impl Collection {
    /// Notes what came out of candidate `number`, until there are `count`.
    fn note(&mut self, number: u64, found: Option<Found>, count: usize) {
        self.early.insert(number, found);
        while self.taken.len() < count
            && let Some(found) = self.early.remove(&self.next)
        {
            self.next += 1;
            match found.filter(|found| self.keys.insert(found.position.key().0)) {
                Some(found) => {
                    self.taken.push(found);
                    self.failures = 0;
                }
                None => self.failures += 1,
            }
            if self.failures >= MOST_FAILURES {
                return;
            }
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let count = arguments.count.get();
    // Before the work: what cannot be kept need not be made.
    let output = Output::create(&arguments.out)?;
    let judges = (0..arguments.threads).map(|_| Judge::new(HASH_MEGABYTES)).collect::<Result<Vec<_>, _>>()?;
    let (next, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let mut collection = Collection::default();
    let progress = std::io::stderr().is_terminal();
    std::thread::scope(|scope| -> Result<(), Failure> {
        // Bounded, so that nobody runs far ahead of what is collected.
        let (sender, results) = bounded(64);
        for mut judge in judges {
            let (sender, next, done) = (sender.clone(), &next, &done);
            spawn(scope, done, move || {
                while !done.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let found = candidate(arguments, number, &mut judge);
                    if sender.send((number, found)).is_err() {
                        return;
                    }
                }
            })?;
        }
        drop(sender);
        for (number, found) in results {
            collection.note(number, found?, count);
            if progress {
                let (taken, next) = (collection.taken.len(), collection.next);
                // The terminal may be gone.
                let _ = write!(std::io::stderr(), "\r{taken} of {count} positions, {next} candidates");
            }
            if collection.taken.len() == count || collection.failures >= MOST_FAILURES {
                done.store(true, Ordering::Relaxed);
                break;
            }
        }
        if progress {
            let _ = writeln!(std::io::stderr());
        }
        Ok(())
    })?;
    if collection.taken.len() < count {
        return Err(format!(
            "only {} positions were found, and the last {MOST_FAILURES} candidates gave no new one; try more plies or a \
             greater --max-score",
            collection.taken.len()
        )
        .into());
    }
    output.finish(|out| write(out, arguments, &collection.taken))?;
    let out = arguments.out.display();
    let told = format!("{count} positions out of {} candidates are in {out}", collection.next);
    writeln!(std::io::stdout(), "{}", shown(told))?;
    Ok(())
}

/// Writes the positions, a line each.
fn write(out: &mut impl Write, arguments: &Arguments, positions: &[Found]) -> Result<(), Failure> {
    let style = match arguments.variant {
        Variant::Standard => FenStyle::XFen,
        Variant::Fischerandom => FenStyle::Shredder,
    };
    for Found { position, line, score } in positions {
        let operations = vec![
            Operation::new("id", line),
            Operation::new("ce", score.to_string()),
            Operation::new("acn", arguments.nodes.to_string()),
        ];
        writeln!(out, "{}", Epd { position: *position, operations }.to_line(style))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_taken_in_their_order_and_once() {
        let found = |score, fen| {
            let position = Position::from_fen(fen).unwrap();
            Some(Found { position, line: String::new(), score })
        };
        let start = crate::board::Board::START_FEN;
        let other = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
        let mut collection = Collection::default();
        collection.note(2, found(3, start), 2);
        collection.note(1, found(2, start), 2);
        assert!(collection.taken.is_empty(), "the first one is missing");
        collection.note(0, None, 2);
        assert_eq!(collection.failures, 1, "what failed before the first one that is taken counts no more");
        collection.note(3, found(4, other), 2);
        collection.note(4, found(5, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), 2);
        assert_eq!(collection.taken.iter().map(|found| found.score).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(collection.next, 4, "what comes behind the last one is not looked at");
    }
}
