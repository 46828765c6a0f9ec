//! The command line: one file a subcommand.

mod bench;
mod compliance;
mod demonstration;
mod perft;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// A UCI chess engine and the arbiter of engine games.
///
/// Without a subcommand it speaks UCI on standard input and output, as chess programs expect it.
#[derive(Parser)]
#[command(name = "adoube", version, about, long_about, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit status: 0 done, 1 a game or a measurement failed, 2 wrong usage.
UCI commands can be given as arguments too, one argument a line: adoube 'go depth 12'";

#[derive(Subcommand)]
enum Command {
    /// Measure the search's speed; the number of nodes is its signature
    Bench(bench::Arguments),
    /// Count the lines of legal moves down to a depth
    Perft(perft::Arguments),
    /// Play a short demonstration match of the engine against itself
    Match(demonstration::Arguments),
}

/// Why a subcommand failed.
type Failure = Box<dyn std::error::Error>;

/// Does what the arguments ask for.
pub fn run() -> ExitCode {
    let done = match compliance_request() {
        Some((cmd, args)) => compliance::run(&cmd, &args),
        None => match Cli::parse().command {
            Command::Bench(arguments) => bench::run(&arguments),
            Command::Perft(arguments) => perft::run(&arguments),
            Command::Match(arguments) => demonstration::run(&arguments),
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if is_broken_pipe(failure.as_ref()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("adoube: {failure}");
            ExitCode::from(1)
        }
    }
}

/// The engine and its arguments of `match --compliance ENGINE [ARGUMENT]...`. Whatever follows belongs to the engine, which
/// is why it is not left to clap.
fn compliance_request() -> Option<(PathBuf, Vec<String>)> {
    let mut words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let asked = words.next()? == "match" && matches!(words.next()?.as_str(), "--compliance" | "-compliance");
    asked.then(|| Some((words.next()?.into(), words.collect())))?
}

/// The reader of our output has seen enough: no failure.
fn is_broken_pipe(failure: &(dyn std::error::Error + 'static)) -> bool {
    failure
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
