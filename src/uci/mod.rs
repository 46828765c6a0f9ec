//! The Universal Chess Interface (S. Meyer-Kahlen, R. Huber, 2004 and 2006): how a program that shows chess speaks to
//! this engine.
//!
//! `command` reads lines, `go` the limits of a search, `options` is the table of what can be set, `format` writes lines,
//! `session` holds the state, `count` counts beside it, `game` is what is on the board, `own_book` the book to play from,
//! `io` the pipes and the log, `about` what the program is made of, `inspect` what `d` and `eval` print. The engine's side of
//! UCI; the client's is in `engine` and `arbiter`.

pub mod about;
pub mod command;
mod count;
mod format;
mod game;
mod go;
mod inspect;
pub mod io;
pub mod options;
mod own_book;
pub mod session;

pub use session::Session;

/// Name and version, as `id name` gives them; with the commit if the build was told it (see the Makefile).
pub fn name_and_version() -> String {
    match option_env!("ADOUBE_COMMIT") {
        Some(commit) if !commit.is_empty() => format!("Adoube {}-dev-{commit}", env!("CARGO_PKG_VERSION")),
        _ => format!("Adoube {}", env!("CARGO_PKG_VERSION")),
    }
}

/// Who made it, as `id author` gives it.
pub const AUTHOR: &str = "the Adoube authors";

/// True if an argument of the command line is meant as a UCI command: it begins with one that is no subcommand.
pub fn is_command(argument: &str) -> bool {
    let word = argument.split_ascii_whitespace().next().unwrap_or_default();
    let is_subcommand = matches!(argument, "bench" | "help");
    let is_meant = match command::parse(argument) {
        Ok(command) => command.is_some(),
        // What is wrong with it is told as on standard input.
        Err(command::CommandError::Malformed(command, _)) => command.starts_with(word),
        Err(command::CommandError::Bench(_)) => word == "bench",
        Err(command::CommandError::Unknown(_)) => false,
    };
    !is_subcommand && !word.starts_with('-') && is_meant
}

/// The lines of UCI that arguments of the command line are: one each, but the words of a command that was not quoted
/// (`go depth 12` as three arguments) are one line up to the next command.
pub fn lines_of(arguments: &[String]) -> Vec<String> {
    const WITH_WORDS: [&str; 5] = ["go", "position", "setoption", "bench", "debug"];
    let is_known =
        |argument: &str| !matches!(command::parse(argument), Err(command::CommandError::Unknown(_)));
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for argument in arguments {
        match lines.last_mut() {
            Some(line) if is_open && !is_known(argument) => {
                line.push(' ');
                line.push_str(argument);
            }
            _ => {
                is_open = WITH_WORDS.contains(&argument.as_str());
                lines.push(argument.clone());
            }
        }
    }
    // The end of the arguments ends the program too, and waits for a search with a limit: `adoube 'go depth 12' quit`.
    lines.pop_if(|line| line == "quit");
    lines
}

#[cfg(test)]
mod tests {
    use super::lines_of;

    #[test]
    fn words_of_a_command_that_is_not_quoted_are_one_line() {
        let lines =
            |arguments: &[&str]| lines_of(&arguments.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(
            lines(&["position", "startpos", "moves", "e2e4", "go", "perft", "3", "quit"]),
            ["position startpos moves e2e4", "go perft 3"]
        );
        assert_eq!(lines(&["setoption", "name", "Hash", "value", "32", "bench", "1"]).len(), 2);
        assert_eq!(lines(&["go depth 2", "quit", "d"]).len(), 3);
        // What was quoted is a line, and a mistake behind it, or behind a command without words, is told as one.
        for arguments in [["go depth 2", "3"], ["uci", "3"]] {
            assert_eq!(lines(&arguments), arguments);
        }
    }
}
