//! `adoube book`: openings.

mod check;
mod chess960;
mod judge;
mod output;
mod polyglot;
mod suite;
mod tree;

use super::Failure;
use clap::Subcommand;

/// Make and check openings.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make balanced opening positions by the engine's own search
    Suite(suite::Arguments),
    /// Make a Polyglot book to play from by the engine's own search
    Polyglot(polyglot::Arguments),
    /// Look for lines in a file of openings (EPD, PGN or Polyglot) that cannot be played, and for duplicates
    Check(check::Arguments),
    /// Print start positions of Chess960 by number or by lot
    Chess960(chess960::Arguments),
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Suite(arguments) => suite::run(arguments),
        Command::Polyglot(arguments) => polyglot::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Chess960(arguments) => chess960::run(arguments),
    }
}
