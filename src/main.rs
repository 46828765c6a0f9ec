//! Adoube: a UCI chess engine and the arbiter of engine games. Without arguments it speaks UCI.

use adoube::cli::genfens;
use adoube::sys::{children, lines, signals};
use adoube::uci::{self, Session};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    signals::survive_file_limit();
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into()).collect();
    let input = match arguments.first() {
        None => lines::lines(std::io::stdin()),
        // A UCI command by its looks, but it plays games.
        Some(_) if genfens::is_among(&arguments) => return adoube::cli::run(),
        // Some tools give their UCI commands as arguments.
        Some(first) if uci::is_command(first) => {
            lines::lines(std::io::Cursor::new(uci::lines_of(&arguments).join("\n")))
        }
        Some(first) if first == children::GUARD => {
            // It has the name of the program, by which somebody may end all that have it; it ends when we have.
            signals::ignore_requests();
            children::guard(std::io::stdin().lock());
            return ExitCode::SUCCESS;
        }
        Some(_) => return adoube::cli::run(),
    };
    let served = Session::new(uci::io::Output::standard())
        .map_err(Box::<dyn std::error::Error>::from)
        .and_then(|session| Ok(session.run(&input, &signals::first_interrupt())?));
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be there to read it.
            let _ = writeln!(std::io::stderr(), "adoube: {error}");
            ExitCode::from(1)
        }
    }
}
