//! `genfens`, by which OpenBench has an engine make openings for self-play
//! (<https://github.com/AndyGrant/OpenBench/issues/188>): `adoube "genfens N seed S book None|FILE [KEY VALUE ...]"
//! "quit"`. Commands before it may set `EvalFile`.

use super::Failure;
use super::values::{OpeningsFile, open_book, share};
use crate::board::FenStyle;
use crate::eval::Evaluation;
use crate::search::Solo;
use crate::sys::chance::Chance;
use crate::training::selfplay::{OpeningError, OpeningOptions, Openings};
use std::io::{BufWriter, Write};
use std::path::Path;

/// Random moves behind an opening out of a book.
const PLIES_BEHIND_BOOK: usize = 4;
/// As for `adoube selfplay`.
const MOST_RANDOM_PLIES: u64 = 100;
const HASH_MEGABYTES: usize = 1;

/// What is asked for.
#[derive(PartialEq, Debug)]
pub(super) struct Request {
    count: u64,
    seed: u64,
    book: Option<OpeningsFile>,
    options: OpeningOptions,
    eval_file: String,
}

/// True if the program's arguments are UCI commands, this one among them.
pub fn is_among(arguments: &[String]) -> bool {
    let is_uci = |first: &String| is_genfens(first) || crate::uci::is_command(first);
    arguments.first().is_some_and(is_uci) && arguments.iter().any(|argument| is_genfens(argument))
}

fn is_genfens(line: &str) -> bool {
    line.split_whitespace().next() == Some("genfens")
}

/// Answers the command.
pub(super) fn run(request: Request) -> Result<(), Failure> {
    let book = request.book.as_ref().map(open_book).transpose()?;
    let mut solo = Solo::new(HASH_MEGABYTES, Evaluation::from_setting(&request.eval_file)?)?;
    let openings = Openings::new(request.options, book, usize::MAX);
    let draw = move || -> std::io::Result<()> {
        let mut out = BufWriter::new(std::io::stdout());
        for number in 0..request.count {
            let opening = openings.draw(&mut Chance::of_part(request.seed, number), &mut solo);
            let opening = opening.map_err(|error| std::io::Error::other(told(&error)))?;
            writeln!(out, "info string genfens {}", opening.end().to_fen(FenStyle::XFen))?;
        }
        out.flush()
    };
    // A search needs more stack than the main thread may have.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(Solo::STACK_BYTES);
        match thread.spawn_scoped(scope, draw)?.join() {
            Ok(done) => done.map_err(Failure::from),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// What failed, with what helps here.
fn told(error: &OpeningError) -> String {
    match error {
        OpeningError::NoneBalanced(count) => format!(
            "genfens: {count} openings in a row were unbalanced or over; try a greater limit, or another number of random_plies"
        ),
        other => other.to_string(),
    }
}

/// Reads the command among the program's arguments, or says what is wrong with it.
pub(super) fn read(arguments: &[String]) -> Result<Request, String> {
    let mut eval_file = Evaluation::INTERNAL.to_string();
    for line in arguments.iter().take_while(|line| !is_genfens(line)) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["setoption", "name", name, "value", file @ ..] = &words[..]
            && name.eq_ignore_ascii_case("EvalFile")
        {
            eval_file = file.join(" ");
        }
    }
    let mut lines = arguments.iter().map(String::as_str).skip_while(|line| !is_genfens(line));
    let line = lines.next().unwrap_or_default();
    if line.trim() == "genfens" {
        return Err(
            "genfens: a whole number is expected behind 'genfens', all of it in quotes: \"genfens 10 seed 42 book None\""
                .into(),
        );
    }
    if let Some(other) = lines.find(|line| !matches!(line.trim(), "quit" | "isready" | "")) {
        return Err(format!("genfens: what is behind it is not done: start the program again for '{other}'"));
    }
    let mut words = line.split_whitespace().skip(1);
    let count = number("genfens", words.next())?;
    let mut options = OpeningOptions { chess960: 0, ..OpeningOptions::default() };
    let (mut seed, mut book, mut plies) = (0, None, None);
    while let Some(key) = words.next() {
        let value = words.next();
        match key {
            "seed" => seed = number(key, value)?,
            "book" => {
                let file = value.ok_or("genfens: 'book' needs a file or None")?;
                let is_none = file.eq_ignore_ascii_case("none");
                book = (!is_none).then(|| OpeningsFile::of(Path::new(file).to_path_buf())).transpose()?;
            }
            "random_plies" => plies = Some(number_up_to(MOST_RANDOM_PLIES, key, value)? as usize),
            "chess960" => {
                let text = value.unwrap_or_default();
                options.chess960 =
                    share(text).map_err(|error| format!("genfens: '{key} {text}': {error}"))?;
            }
            "limit" => options.limit = number_up_to(i32::MAX as u64, key, value)? as i32,
            "nodes" => options.nodes = number(key, value)?.max(1),
            _ => {
                return Err(format!(
                    "genfens: unknown '{key}'; it knows seed, book, random_plies, chess960, limit and nodes"
                ));
            }
        }
    }
    let default = if book.is_some() { PLIES_BEHIND_BOOK } else { options.random_plies };
    options.random_plies = plies.unwrap_or(default);
    Ok(Request { count, seed, book, options, eval_file })
}

fn number(key: &str, value: Option<&str>) -> Result<u64, String> {
    let value = value.unwrap_or_default();
    value.parse().map_err(|_| format!("genfens: '{key} {value}': a whole number is expected behind '{key}'"))
}

fn number_up_to(largest: u64, key: &str, value: Option<&str>) -> Result<u64, String> {
    match number(key, value)? {
        number if number > largest => {
            Err(format!("genfens: '{key} {number}': at most {largest} is possible"))
        }
        number => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(lines: &[&str]) -> Result<Request, String> {
        read(&lines.iter().map(|line| line.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn a_file_of_that_name_is_none() {
        let is_among = |line: &str| is_among(&line.split('|').map(String::from).collect::<Vec<_>>());
        assert!(is_among("genfens 3 seed 1 book None|quit"));
        assert!(is_among("setoption name EvalFile value x|genfens 3 seed 1 book None|quit"));
        assert!(!is_among("selfplay|genfens") && !is_among("data|stats|genfens") && !is_among("bench"));
    }

    #[test]
    fn the_command_is_read_with_its_keys() {
        let plain = request(&["genfens 12 seed 18446744073709551615 book None", "quit"]).unwrap();
        assert_eq!((plain.count, plain.seed, plain.book, plain.options.chess960), (12, u64::MAX, None, 0));
        let full = request(&[
            "setoption name EvalFile value classic",
            "genfens 3 seed 7 book Books/a.epd random_plies 2 chess960 0.25 limit 150 nodes 500",
        ]);
        let options = OpeningOptions { random_plies: 2, chess960: 250, limit: 150, nodes: 500 };
        let book = Some(OpeningsFile::of("Books/a.epd".into()).unwrap());
        assert_eq!(full, Ok(Request { count: 3, seed: 7, book, options, eval_file: "classic".into() }));
        assert_eq!(
            request(&["genfens 1 seed 1 book a.epd"]).unwrap().options.random_plies,
            PLIES_BEHIND_BOOK
        );
        // As `setoption` has it: the name in any letters, and blanks in the value.
        let file =
            request(&["setoption name evalfile value My Nets/a.net", "genfens 1 seed 1 nodes 0"]).unwrap();
        assert_eq!((file.eval_file.as_str(), file.options.nodes), ("My Nets/a.net", 1));
        assert_eq!(request(&["genfens 1 book none"]).unwrap().book, None);
        for (line, what) in [
            ("genfens", "all of it in quotes"),
            ("genfens x", "whole number"),
            ("genfens 3 seed -1", "'seed -1'"),
            ("genfens 3 seed 1 boook None", "unknown 'boook'"),
            ("genfens 3 seed 1 book", "needs a file"),
            ("genfens 3 seed 1 book a.xyz", "does not tell the format"),
            ("genfens 3 chess960 2", "from 0 to 1"),
            ("genfens 3 random_plies 101", "'random_plies 101': at most 100"),
            ("genfens 3 limit 2147483648", "at most 2147483647"),
        ] {
            let error = request(&[line]).unwrap_err();
            assert!(error.contains(what), "{line}: {error}");
        }
        let first = "genfens 2 seed 1 book None";
        assert!(request(&[first, "isready", "quit"]).is_ok());
        for other in ["genfens 2 seed 2 book None", "bench 1", "setoption name EvalFile value classic"] {
            let error = request(&[first, other, "quit"]).unwrap_err();
            assert!(error.ends_with(&format!("start the program again for '{other}'")), "{error}");
        }
        assert!(told(&OpeningError::NoneBalanced(7)).contains("7 openings in a row"));
    }
}
