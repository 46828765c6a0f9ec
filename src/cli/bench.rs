//! `adoube bench`

use super::searching::EVAL_FILE;
use super::{Failure, wrong_usage};
use crate::board::Position;
use crate::eval::Evaluation;
use crate::search::bench::{self, BenchOptions};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// The words that are no option.
const WORDS: &str = "\
[DEPTH] [THREADS] [HASH], hash in MB: 13 1 16 if not given; or as Stockfish has it HASH THREADS LIMIT POSITIONS [KIND], \
positions 'default', 'current' (the start position) or a file of FENs or EPD lines, kind depth, nodes, movetime, mate or perft";

/// Searches a fixed set of positions; with one thread the number of nodes is equal on every machine.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[arg(value_name = "WORD", num_args = 0.., help = WORDS)]
    words: Vec<String>,
    #[arg(long, value_name = "FILE", default_value = Evaluation::INTERNAL, help = EVAL_FILE)]
    eval_file: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { words, eval_file } = arguments;
    let options = BenchOptions::from_words(words).map_err(|error| wrong_usage("bench", error))?;
    let evaluation = Evaluation::from_setting(eval_file)?;
    let mut out = std::io::stdout();
    // Nobody reads what would still come.
    let is_closed = AtomicBool::new(false);
    let progress = |line: &str| {
        is_closed.fetch_or(writeln!(std::io::stdout(), "{line}").is_err(), Ordering::Relaxed);
    };
    let result = bench::run(&options, &Position::default(), &evaluation, &is_closed, progress)?;
    writeln!(out, "time {} ms", result.time.as_millis())?;
    for line in result.lines(&options) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
