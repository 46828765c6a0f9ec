//! What is read: a file, or the standard input.

use super::{Failure, wrong_usage};
use crate::notation::decode;
use crate::notation::epd::parse_epd;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// How much of an input is looked at before it is read: longer than any line with a position.
const HEAD: u64 = 1 << 16;

/// A file that `subcommand` is to read, with its name for messages; the standard input if it is `-`, or if there is none.
pub(super) fn open(file: Option<&Path>, subcommand: &str) -> Result<(String, Box<dyn Read>), Failure> {
    let Some(file) = file.filter(|file| *file != Path::new("-")) else {
        return Ok(("standard input".into(), Box::new(io::stdin())));
    };
    let name = file.display().to_string();
    if file.is_dir() {
        return Err(wrong_usage(subcommand, format!("{name} is a folder: expected a file")));
    }
    let input = File::open(file).map_err(|error| format!("{name}: {error}"))?;
    Ok((name, Box::new(input)))
}

/// The same for games in PGN. Positions are refused: as games, each of their words would be a wrong move.
pub(super) fn open_games(file: Option<&Path>, subcommand: &str) -> Result<(String, Box<dyn Read>), Failure> {
    let (name, input) = open(file, subcommand)?;
    let (line, input) = first_line(input).map_err(|error| format!("{name}: {error}"))?;
    // As `judge` reads them.
    let is_uci = matches!(line.split_whitespace().next(), Some("position" | "startpos"));
    if !is_uci && parse_epd(&line).is_err() {
        return Ok((name, input));
    }
    let advice = match file {
        Some(file) if file != Path::new("-") => format!("'adoube judge < {name}' rules on them"),
        _ => "'adoube judge' without a file rules on them".to_string(),
    };
    Err(wrong_usage(subcommand, format!("{name} has positions, expected games in PGN; {advice}")))
}

/// The first line that says something, and the whole input.
fn first_line(input: Box<dyn Read>) -> io::Result<(String, Box<dyn Read>)> {
    let mut input = BufReader::new(input);
    let mut head = vec![];
    loop {
        let begin = head.len();
        let count = (&mut input).take(HEAD - begin as u64).read_until(b'\n', &mut head)?;
        let line = decode(&head[begin..]);
        let line = line.trim_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        // Comments in files of positions and in PGN.
        let says_something = !line.is_empty() && !line.starts_with(['#', ';', '%']);
        if says_something || count == 0 {
            return Ok((line.to_string(), Box::new(Cursor::new(head).chain(input))));
        }
    }
}
