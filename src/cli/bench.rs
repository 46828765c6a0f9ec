//! `adoube bench`

use super::Failure;
use super::searching::{EVAL_FILE, MOST_THREADS};
use crate::eval::Evaluation;
use crate::search::bench::{self, BenchOptions};
use crate::types::MAX_DEPTH;
use std::io::Write;
use std::sync::atomic::AtomicBool;

/// Searches a fixed set of positions; with one thread the number of nodes is equal on every machine.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Depth of each search, in plies
    #[arg(default_value_t = BenchOptions::default().depth, value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH as i64))]
    depth: u32,
    /// Search threads
    #[arg(default_value_t = BenchOptions::default().threads, value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: u32,
    /// Size of the transposition table in MB
    #[arg(default_value_t = BenchOptions::default().hash, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    #[arg(long, value_name = "FILE", default_value = Evaluation::INTERNAL, help = EVAL_FILE)]
    eval_file: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let &Arguments { depth, threads, hash, ref eval_file } = arguments;
    let evaluation = Evaluation::from_setting(eval_file)?;
    let mut out = std::io::stdout();
    let never = AtomicBool::new(false);
    let progress = |line: &str| {
        let _ = writeln!(std::io::stdout(), "{line}");
    };
    let result = bench::run(BenchOptions { depth, threads, hash }, &evaluation, &never, progress)?;
    writeln!(out, "time {} ms", result.time.as_millis())?;
    writeln!(out, "{result}")?;
    Ok(())
}
