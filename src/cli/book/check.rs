//! `adoube book check`

use crate::board::Position;
use crate::cli::{Failure, tell};
use crate::openings::polyglot::{self, Book};
use crate::openings::{Broken, Format, NO_BEGINNING, OpeningsConfig, Place, Suite, SuiteError};
use crate::types::{Key, Move};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Reads a whole file of openings: broken lines are told with their numbers, and the exit status is then 1.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The file
    file: PathBuf,
    /// How it is written; by default as its name says
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// How many plies of each game are the opening; by default all
    #[arg(long)]
    plies: Option<u32>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FormatName {
    Epd,
    Pgn,
    Bin,
}

/// How many duplicates are told one by one.
const DUPLICATES_SHOWN: usize = 10;

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let file = &arguments.file;
    let format = match arguments.format {
        Some(FormatName::Epd) => Format::Epd,
        Some(FormatName::Pgn) => Format::Pgn,
        Some(FormatName::Bin) => Format::Polyglot,
        None => {
            std::fs::metadata(file).map_err(|error| SuiteError::Io(file.clone(), error))?;
            Format::of_file(file).ok_or_else(|| {
                format!("{}: its name does not say how it is written; give --format", file.display())
            })?
        }
    };
    if arguments.plies.is_some() && format != Format::Pgn {
        tell("--plies is for games; positions and books are read without it");
    }
    if format == Format::Polyglot {
        return check_book(file);
    }
    let config = OpeningsConfig { plies: arguments.plies, ..OpeningsConfig::new(file, format) };
    let mut out = std::io::stdout().lock();
    let mut written = Ok(());
    let mut tell = |line: &Broken| {
        if written.is_ok() {
            written = writeln!(out, "{line}");
        }
    };
    let (suite, broken) = match Suite::open_telling(&config, 0, 0, &mut tell) {
        Ok((suite, broken)) => (Some(suite), broken),
        Err(SuiteError::NothingUsable(_, broken)) => (None, broken),
        Err(error) => return Err(error.into()),
    };
    written?;
    let duplicates = suite.as_ref().map_or(Ok(0), |suite| show_duplicates(suite, &mut out))?;
    let openings = suite.map_or(0, |suite| suite.len());
    writeln!(out, "{openings} openings, {duplicates} of them duplicates, {} broken", broken.len())?;
    verdict(broken.len())
}

fn verdict(broken: usize) -> Result<(), Failure> {
    match broken {
        0 => Ok(()),
        1 => Err("1 opening cannot be played".into()),
        many => Err(format!("{many} openings cannot be played").into()),
    }
}

/// Counts the openings that end in the position of one before, and shows the first ones.
fn show_duplicates(suite: &Suite, out: &mut impl Write) -> Result<usize, Failure> {
    let mut first: HashMap<Key, u64> = HashMap::new();
    let mut duplicates = 0;
    for number in 0..suite.len() as u64 {
        match first.entry(suite.get(number)?.end().key()) {
            Entry::Vacant(place) => drop(place.insert(number)),
            Entry::Occupied(place) => {
                duplicates += 1;
                if duplicates <= DUPLICATES_SHOWN {
                    let line = |number| suite.line(number).map(Option::unwrap_or_default);
                    let (this, other) = (line(number)?, line(*place.get())?);
                    writeln!(out, "line {this}: the same position as line {other}")?;
                }
            }
        }
    }
    if duplicates > DUPLICATES_SHOWN {
        writeln!(out, "... and {} more", duplicates - DUPLICATES_SHOWN)?;
    }
    Ok(duplicates)
}

/// Goes through a Polyglot book, as far as lines of legal moves from the start position lead to what it knows: also such as it
/// would not play itself but answers, and in a book for one side over positions that it does not know.
fn check_book(file: &Path) -> Result<(), Failure> {
    let unreadable = |error| SuiteError::Io(file.to_path_buf(), error);
    let book = Book::open(file).map_err(unreadable)?;
    if book.is_empty() {
        return Err(format!("{}: there is no record", file.display()).into());
    }
    let begins = book.begins().map_err(unreadable)?;
    let keys = (0..book.len()).map(|number| book.entry(number).map(|entry| entry.key));
    let known = keys.collect::<Result<HashSet<u64>, _>>().map_err(unreadable)?;
    let start = Position::default();
    let mut seen = HashSet::from([polyglot::key(&start)]);
    let mut waiting = vec![(start, polyglot::key(&start))];
    let (mut positions, mut records, mut broken) = (0_u64, 0_u64, vec![]);
    let mut doubles = vec![];
    // Only positions that the book knows are followed, so their number is bounded by its records'.
    while let Some((position, key)) = waiting.pop() {
        let entries = book.entries(key).map_err(unreadable)?;
        positions += u64::from(!entries.is_empty());
        records += entries.len() as u64;
        let mut moves = HashSet::new();
        for (number, entry) in entries {
            let Some(mv) = entry.move_in(&position) else {
                let reason = format!("{} is no legal move in its position", entry.text());
                broken.push(Broken { place: Place::Record(number + 1), reason });
                continue;
            };
            if !moves.insert(mv) {
                doubles.push((Place::Record(number + 1), entry.text()));
            }
        }
        let mut reach = |before: &Position, mv: Move| {
            let next = polyglot::key_after(before, mv);
            if known.contains(&next) && seen.insert(next) {
                waiting.push((before.after(mv), next));
            }
            known.contains(&next)
        };
        for &mv in &position.legal_moves() {
            if !reach(&position, mv) && moves.contains(&mv) {
                // A book for one side knows nothing here, but may answer what the other side plays.
                let after = position.after(mv);
                for &reply in &after.legal_moves() {
                    reach(&after, reply);
                }
            }
        }
    }
    broken.sort_by_key(|broken| broken.place);
    doubles.sort();
    let mut out = std::io::stdout().lock();
    for (place, mv) in doubles.iter().take(DUPLICATES_SHOWN) {
        writeln!(out, "{place}: the position has {mv} before it already")?;
    }
    if doubles.len() > DUPLICATES_SHOWN {
        writeln!(out, "... and {} more", doubles.len() - DUPLICATES_SHOWN)?;
    }
    for broken in &broken {
        writeln!(out, "{broken}")?;
    }
    if records < book.len() {
        let others = book.len() - records;
        writeln!(
            out,
            "records of positions that no line in the book leads to, which are not judged: {others}"
        )?;
    }
    writeln!(
        out,
        "{} records; from the start position {positions} positions with {records} of them are reached, {} broken",
        book.len(),
        broken.len()
    )?;
    verdict(broken.len())?;
    if begins { Ok(()) } else { Err(format!("{}: {NO_BEGINNING}", file.display()).into()) }
}
