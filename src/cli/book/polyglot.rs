//! `adoube book polyglot`: a book to play from, made by our own search.

use super::judge::{Judge, spawn};
use super::output::Output;
use super::tree::Tree;
use crate::board::Position;
use crate::cli::searching::MOST_THREADS;
use crate::cli::{Failure, shown};
use crate::types::{Move, Score};
use crossbeam_channel::unbounded;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Makes a book in Polyglot's format that an engine can play from, ply by ply from the start position: what the book plays
/// and what may be played against it, as far as enough games come there. A position's value is what was found at the end
/// of the best line from it.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The file, which is replaced
    #[arg(long)]
    out: PathBuf,
    /// Plies from the start position that the book knows moves for
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Leave out positions that less than this share of the games come to
    #[arg(long, default_value_t = 0.001, value_parser = share)]
    share: f64,
    /// Nodes of the search that judges a position
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Searches at once; the file is the same whatever their number
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: u32,
}

/// So many moves of a position are judged.
const LINES: usize = 6;
/// For searches of some hundred thousand nodes.
const HASH_MEGABYTES: usize = 16;

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "expected a number above 0, up to 1".into())
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    // Before the work: what cannot be kept need not be made.
    let output = Output::create(&arguments.out)?;
    let judges = (0..arguments.threads).map(|_| Judge::new(HASH_MEGABYTES));
    let mut judges = judges.collect::<Result<Vec<_>, _>>()?;
    let mut tree = Tree::new(arguments.share);
    for ply in 0..arguments.plies {
        let waiting = tree.waiting();
        tree.grow(judge(&waiting, &mut judges, arguments.nodes, ply)?);
    }
    let positions = tree.len();
    let book = tree.into_book();
    output.finish(|out| Ok(book.write(out)?))?;
    let (moves, out) = (book.entries().count(), arguments.out.display());
    writeln!(
        std::io::stdout(),
        "{}",
        shown(format!("{positions} positions with {moves} moves are in {out}"))
    )?;
    Ok(())
}

/// What the best moves of the positions are worth, in their order.
fn judge(
    positions: &[Position],
    judges: &mut [Judge],
    nodes: u64,
    ply: u32,
) -> Result<Vec<Vec<(Move, Score)>>, Failure> {
    let mut judged = vec![vec![]; positions.len()];
    let (next, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let progress = std::io::stderr().is_terminal();
    std::thread::scope(|scope| -> Result<(), Failure> {
        let (sender, results) = unbounded();
        for judge in judges {
            let (sender, next, done) = (sender.clone(), &next, &done);
            spawn(scope, done, move || {
                while !done.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(position) = positions.get(index) else { return };
                    if sender.send((index, judge.search(position, nodes, LINES))).is_err() {
                        return;
                    }
                }
            })?;
        }
        drop(sender);
        for (known, (index, moves)) in results.into_iter().enumerate() {
            judged[index] = moves?;
            if progress {
                let (ply, known, all) = (ply + 1, known + 1, positions.len());
                // The terminal may be gone.
                let _ = write!(std::io::stderr(), "\rply {ply}: {known} of {all} positions ");
            }
        }
        if progress && !positions.is_empty() {
            let _ = writeln!(std::io::stderr());
        }
        Ok(())
    })?;
    Ok(judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_some_of_all() {
        assert_eq!((share("1"), share("0.25")), (Ok(1.0), Ok(0.25)));
        for text in ["0", "-0.5", "1.01", "NaN", "half", ""] {
            assert_eq!(share(text), Err("expected a number above 0, up to 1".into()), "{text}");
        }
    }
}
