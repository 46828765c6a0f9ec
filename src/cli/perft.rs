//! `adoube perft`

use super::Failure;
use crate::board::{Board, Position};
use crate::movegen::perft::{KernelChoice, PerftOptions, divide, perft, total};
use crate::notation::uci_move::to_uci;
use crate::sys::memory::available_megabytes;
use crate::types::MAX_DEPTH;
use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Counts the lines of legal moves; the last line is 'Nodes searched: N'.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Length of the lines, in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=MAX_DEPTH as i64))]
    depth: u32,
    /// The position, in FEN, X-FEN or Shredder-FEN; the counters may be missing
    #[arg(long, default_value = Board::START_FEN, value_parser = Board::from_fen_lenient)]
    fen: Board,
    /// Threads
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Remember counts in a table of so many MB
    #[arg(long, value_name = "MB")]
    hash: Option<NonZeroUsize>,
    /// Show the count of each move
    #[arg(long)]
    divide: bool,
    /// Do not use instructions that some processors have not got
    #[arg(long)]
    portable: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let position = Position::from(arguments.fen);
    let kernel = if arguments.portable { KernelChoice::Portable } else { KernelChoice::Best };
    let options = PerftOptions { threads: arguments.threads, hash: arguments.hash, kernel };
    if let (Some(hash), Some(available)) = (arguments.hash, available_megabytes())
        && hash.get() > available
    {
        return Err(format!("a hash of {hash} MB cannot be had, this machine has {available} MB free").into());
    }
    // Not every system tells what it has got.
    let has_room = |hash: NonZeroUsize| {
        let bytes = hash.get().checked_mul(1 << 20);
        bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
    };
    if let Some(hash) = arguments.hash.filter(|hash| !has_room(*hash)) {
        return Err(format!("a hash of {hash} MB cannot be had").into());
    }
    let mut out = std::io::stdout().lock();
    let start = Instant::now();
    let total_nodes = if arguments.divide && arguments.depth > 0 {
        let counts = divide(&position, arguments.depth, options, &AtomicBool::new(false));
        for &(mv, nodes) in &counts {
            writeln!(out, "{}: {nodes}", to_uci(mv, &position, false))?;
        }
        writeln!(out)?;
        total(counts.iter().map(|(_, nodes)| *nodes))
    } else {
        perft(&position, arguments.depth, options)
    };
    if total_nodes == u64::MAX {
        return Err(format!("there are {} nodes or more: too many to count", u64::MAX).into());
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    writeln!(out, "{:.3} s, {:.1} million nodes a second", seconds, total_nodes as f64 / seconds / 1e6)?;
    writeln!(out, "Nodes searched: {total_nodes}")?;
    Ok(())
}
