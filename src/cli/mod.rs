//! The command line: one file a subcommand.

mod bench;
mod book;
mod compliance;
mod data;
mod demonstration;
pub mod genfens;
mod grow;
mod input;
mod judge;
mod notate;
mod perft;
mod progress;
mod runner;
mod searching;
mod selfplay;
mod sprt;
mod teach;
mod train;
#[cfg(feature = "tune")]
mod tune;
mod unfinished;
mod values;
pub mod words;

use crate::eval::Evaluation;
use crate::notation::characters::visible;
use crate::sys::children;
use crate::sys::signals::INTERRUPTED;
use crate::uci::about;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::fmt;
use std::io::Write;
use std::process::ExitCode;
use words::Request;

/// A UCI chess engine and the arbiter of engine games.
///
/// Without a subcommand it speaks UCI on standard input and output, as chess programs expect it.
#[derive(Parser)]
// Its usage is to say that a subcommand may be missing, as the words above it do.
#[command(name = "adoube", version, about, long_about, after_help = AFTER_HELP, subcommand_required = false)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
adoube match -help lists the words of a match.
Exit status: 0 done, 1 a game or a measurement failed, 2 wrong usage, 130 ended by Ctrl-C with nothing to keep.
UCI commands can be given as arguments too: adoube go depth 12, or one argument a line: adoube 'go depth 12' bench";

#[derive(Subcommand)]
enum Command {
    /// Measure the search's speed; the number of nodes is its signature
    Bench(bench::Arguments),
    /// Count the lines of legal moves down to a depth
    Perft(perft::Arguments),
    /// Make and check files of openings
    Book(book::Arguments),
    /// Grow a network from nothing: self-play, training, matches, generation after generation
    Grow(grow::Arguments),
    /// Rule on positions and games by the Laws of Chess
    Judge(judge::Arguments),
    /// Play a match of engines; without words, a short game of the engine against itself
    Match(demonstration::Arguments),
    /// Write games in another notation, or as score sheets
    Notate(notate::Arguments),
    /// Work on files of self-play games
    Data(data::Arguments),
    /// Play games of the engine against itself, to train from
    Selfplay(selfplay::Arguments),
    /// Tell from results whether an engine is stronger: sequential probability ratio test and Elo
    Sprt(sprt::Arguments),
    /// Train a teacher on self-play games, for networks to learn from
    Teach(teach::Arguments),
    /// Train a network on self-play games
    Train(train::Arguments),
    /// Tune the search's parameters by games
    #[cfg(feature = "tune")]
    Tune(tune::Arguments),
}

/// The program and its version.
const PROGRAM: &str = concat!("adoube ", env!("CARGO_PKG_VERSION"));

/// Why a subcommand failed.
type Failure = Box<dyn std::error::Error>;

/// Does what the arguments ask for.
pub fn run() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into()).collect();
    if genfens::is_among(&arguments) {
        return match genfens::read(&arguments) {
            Ok(request) => exit_code(genfens::run(request)),
            Err(wrong) => {
                tell(wrong);
                ExitCode::from(2)
            }
        };
    }
    if arguments == ["help", "match"] {
        return run_words(&["-help".to_string()]);
    }
    match words_of_a_match() {
        Some(Ok(words)) => return run_words(&words),
        Some(Err(word)) => {
            // Read otherwise, two files could become one.
            tell(format_args!("{} is no UTF-8, as all words of a match have to be", word.display()));
            return ExitCode::from(2);
        }
        None => {}
    }
    let matches = knows_negative_numbers(Cli::command()).try_get_matches();
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches)).unwrap_or_else(|error| {
        let mut told = error.print();
        if error.kind() == ErrorKind::DisplayVersion {
            told =
                told.and_then(|()| writeln!(std::io::stdout(), "{}", about::program(&Evaluation::default())));
        }
        match told {
            // Who was not told what he asked for is to know; who has closed the pipe does.
            Err(failed) if error.exit_code() == 0 && failed.kind() != std::io::ErrorKind::BrokenPipe => {
                tell(failed);
                std::process::exit(1)
            }
            _ => std::process::exit(error.exit_code()),
        }
    });
    let done = match cli.command {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
        Command::Grow(arguments) => grow::run(&arguments),
        Command::Judge(arguments) => judge::run(&arguments),
        Command::Match(arguments) => demonstration::run(&arguments),
        Command::Notate(arguments) => notate::run(&arguments),
        Command::Data(arguments) => data::run(&arguments),
        Command::Selfplay(arguments) => selfplay::run(&arguments),
        Command::Sprt(arguments) => sprt::run(&arguments),
        Command::Teach(arguments) => teach::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        #[cfg(feature = "tune")]
        Command::Tune(arguments) => tune::run(&arguments),
    };
    exit_code(done)
}

/// A number below zero is a value, and no unknown option: whoever reads it can say what was expected.
fn knows_negative_numbers(command: clap::Command) -> clap::Command {
    command.allow_negative_numbers(true).mut_subcommands(knows_negative_numbers)
}

/// The words after `match`, or the first that is no text, if they are not for clap: it knows no words that begin with one
/// dash.
fn words_of_a_match() -> Option<Result<Vec<String>, OsString>> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != "match" {
        return None;
    }
    let words: Result<Vec<String>, OsString> = arguments.map(OsString::into_string).collect();
    (!words.as_ref().is_ok_and(|words| words::is_demonstration(words))).then_some(words)
}

/// Does what words after `match` ask for.
fn run_words(words: &[String]) -> ExitCode {
    let mut out = std::io::stdout();
    exit_code(match words::parse(words) {
        Err(wrong) => {
            for error in wrong.to_string().lines() {
                tell(error);
            }
            return ExitCode::from(2);
        }
        Ok(Request::Help) => out.write_all(words::help().as_bytes()).map_err(Failure::from),
        Ok(Request::Version) => writeln!(out, "{PROGRAM}").map_err(Failure::from),
        Ok(Request::Compliance { program, arguments }) => compliance::run(&program, &arguments),
        Ok(Request::Match { config, words, notes }) => runner::run(&config, &words, &notes),
    })
}

/// What a subcommand's end is to the caller of the program.
fn exit_code(done: Result<(), Failure>) -> ExitCode {
    children::dismiss_guard();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if is_broken_pipe(failure.as_ref()) => ExitCode::SUCCESS,
        Err(failure) => match failure.downcast::<clap::Error>() {
            Ok(wrong_usage) => wrong_usage.exit(),
            Err(failure) => {
                let status = if failure.is::<Interrupted>() { INTERRUPTED } else { 1 };
                tell(failure);
                ExitCode::from(status)
            }
        },
    }
}

/// A failure for which somebody is to blame who has ended the process before there was anything to keep.
#[derive(Debug)]
struct Interrupted(Failure);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Interrupted {}

/// A text as a terminal may have it: words of files and their names, which it may quote, are not to move the cursor. Lines end
/// where they did.
fn shown(text: impl fmt::Display) -> String {
    text.to_string().split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// A line on the standard error, where nobody may be there to read it.
fn tell(text: impl fmt::Display) {
    let _ = writeln!(std::io::stderr(), "adoube: {}", shown(text));
}

/// A line for whoever looks on. The work goes on if nobody does.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{}", shown(line));
}

/// A mistake in the arguments that clap cannot see, told as clap tells its own; of a command in another, `data filter`.
fn wrong_usage(subcommand: &str, message: impl fmt::Display) -> Failure {
    let mut command = &mut Cli::command();
    command.build();
    for name in subcommand.split(' ') {
        command = command.find_subcommand_mut(name).expect("a subcommand of ours");
    }
    Box::new(command.error(ErrorKind::ValueValidation, shown(message)))
}

/// The arguments that a command has these words for.
#[cfg(test)]
fn parsed<A: clap::Args>(words: &str) -> A {
    let command = A::augment_args(clap::Command::new("a command").no_binary_name(true));
    let matches = command.try_get_matches_from(words.split_whitespace());
    matches.and_then(|matches| A::from_arg_matches(&matches)).unwrap_or_else(|error| panic!("{error}"))
}

/// The reader of our output has seen enough: no failure.
fn is_broken_pipe(failure: &(dyn std::error::Error + 'static)) -> bool {
    failure
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn lines_end_where_they_did() {
        assert_eq!(shown("Müller\n  ♔\u{1b}[2J\r\n"), "Müller\n  ♔\\u{1b}[2J\\u{d}\n");
    }
}
