//! `adoube judge`

mod can_win;

use super::Failure;
use crate::laws::dead::DEFAULT_NODES;
use clap::ValueEnum;
use std::io;

/// Rules on positions, one FEN a line on standard input.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Tell of each position whether this side can give mate by any series of legal moves
    #[arg(long, value_name = "SIDE", required = true)]
    can_win: Option<Side>,
    /// Look at so many positions at most for each answer
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODES, requires = "can_win")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Answer in JSON, an object a line
    #[arg(long)]
    json: bool,
}

/// The names of the sides.
#[derive(Clone, Copy, ValueEnum)]
enum Side {
    White,
    Black,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match arguments.can_win {
        Some(side) => {
            let (input, mut out) = (io::stdin().lock(), io::stdout().lock());
            can_win::run(side, arguments.nodes, arguments.json, input, &mut out)
        }
        None => Ok(()),
    }
}
