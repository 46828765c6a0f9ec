//! `adoube book chess960`

use crate::board::{FenStyle, Position, chess960};
use crate::cli::Failure;
use crate::notation::epd::{Epd, Operation};
use crate::sys::chance::Chance;
use std::io::Write;

/// Prints start positions of Chess960, one a line in EPD: those of the numbers, some drawn by lot, or all 960.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Their numbers by R. Scharnagl; 518 is standard chess
    #[arg(value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(..=i64::from(chess960::ARRAYS) - 1))]
    numbers: Vec<u16>,
    /// Draw so many different ones instead
    #[arg(long, value_name = "COUNT", conflicts_with = "numbers")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=i64::from(chess960::ARRAYS)))]
    lot: Option<u16>,
    /// What the lot follows from; drawn anew each time if not given
    #[arg(long, requires = "lot", conflicts_with = "numbers")]
    seed: Option<u64>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut numbers = arguments.numbers.clone();
    if numbers.is_empty() {
        numbers = (0..chess960::ARRAYS).collect();
    }
    if let Some(count) = arguments.lot {
        arguments.seed.map_or_else(Chance::drawn, Chance::new).shuffle(&mut numbers);
        numbers.truncate(usize::from(count));
    }
    let mut out = std::io::stdout().lock();
    for number in numbers {
        let position = Position::from(chess960::start(number, number));
        let id = Operation::new("id", format!("Chess960 position {number}"));
        writeln!(out, "{}", Epd { position, operations: vec![id] }.to_line(FenStyle::XFen))?;
    }
    Ok(())
}
