//! The words after `adoube match`: those of fastchess, and those of cutechess-cli that are here too.
//!
//! They become a [`MatchConfig`], or all that is wrong with them is told before anything runs. Nothing is opened
//! but the file of `-config`. `table` is the one list of words; `line` groups words and checks them against it;
//! `settings` and `players` understand the values.

mod config_file;
mod contradictions;
mod laws;
mod line;
mod nearest;
mod players;
mod same;
mod settings;
mod table;
mod values;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod wild;

pub use config_file::words_of_journal;
pub use same::same_match;
pub(super) use values::tagged_time_control;

use crate::sys::cpu;
use crate::tournament::config::MatchConfig;
use line::{Findings, Line};
use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// So many errors are shown at once.
const SHOWN_ERRORS: usize = 10;

/// What the words ask for.
#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    /// A match.
    Match {
        /// What it is.
        config: Box<MatchConfig>,
        /// The words that say so, those of a `-config` file among them: the journal keeps them.
        words: Vec<String>,
        /// What is worth saying of words that were taken but change nothing, a line each.
        notes: Vec<String>,
    },
    /// A check of how an engine keeps to UCI.
    Compliance {
        /// The engine.
        program: PathBuf,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// The list of words.
    Help,
    /// The version.
    Version,
}

/// All that is wrong with a line of words; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongUsage(Vec<String>);

impl WrongUsage {
    /// One line for each error.
    pub fn errors(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for WrongUsage {
    /// The first errors, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0[..self.0.len().min(SHOWN_ERRORS)].join("\n"))?;
        match self.0.len().saturating_sub(SHOWN_ERRORS) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for WrongUsage {}

/// What the words depend on besides themselves.
struct Surroundings<'a> {
    /// How many processors there are; nothing where words are of another machine.
    processors: Option<usize>,
    /// Opens a file.
    open: &'a dyn Fn(&Path) -> io::Result<Box<dyn BufRead>>,
}

/// Reads the words after `adoube match`.
///
/// # Errors
/// If the words are wrong; everything that is wrong is told at once.
pub fn parse(words: &[String]) -> Result<Request, WrongUsage> {
    let open = |path: &Path| File::open(path).map(|file| Box::new(BufReader::new(file)) as Box<dyn BufRead>);
    parse_at(words, &Surroundings { processors: Some(cpu::processors()), open: &open })
}

/// Reads the words of a match that has begun, as its journal keeps them. The match may have begun on another machine:
/// nothing depends on this one.
///
/// # Errors
/// If the words are wrong, or ask for no match.
pub fn parse_header(words: &[String]) -> Result<MatchConfig, WrongUsage> {
    let open = |_: &Path| Err(io::Error::from(io::ErrorKind::Unsupported));
    match parse_at(words, &Surroundings { processors: None, open: &open })? {
        Request::Match { config, .. } => Ok(*config),
        _ => Err(WrongUsage(vec!["these words ask for no match".to_string()])),
    }
}

fn parse_at(words: &[String], place: &Surroundings<'_>) -> Result<Request, WrongUsage> {
    let first = words.first().and_then(|word| word.starts_with('-').then(|| table::find(word)).flatten());
    if first.is_some_and(|word| word.name == "compliance") {
        return compliance(&words[1..]);
    }
    let mut findings = Findings::default();
    let line = Line::read(words, &mut findings);
    // Whoever asks for help gets it, whatever else is on the line.
    for (name, request) in [("help", Request::Help), ("version", Request::Version)] {
        if line.get(name).is_some() {
            return Ok(request);
        }
    }
    let from_a_file = line.get("config").is_some();
    let line = config_file::with_config(line, place, &mut findings);
    findings.incomplete = !findings.errors.is_empty();
    let config = settings::settings(&line, place, &mut findings);
    if !findings.errors.is_empty() {
        let mut told = HashSet::new();
        findings.errors.retain(|error| told.insert(error.clone()));
        return Err(WrongUsage(findings.errors));
    }
    let words = if from_a_file { line.words() } else { words.to_vec() };
    Ok(Request::Match { config: Box::new(config), words, notes: findings.notes })
}

fn compliance(words: &[String]) -> Result<Request, WrongUsage> {
    match words.split_first() {
        Some((program, arguments)) if !program.is_empty() => {
            Ok(Request::Compliance { program: program.into(), arguments: arguments.to_vec() })
        }
        _ => Err(WrongUsage(vec![
            "--compliance has no value: expected --compliance ENGINE [ARGS]".to_string(),
        ])),
    }
}

/// True if the words after `adoube match` ask for the demonstration: there are none but its own options.
pub fn is_demonstration(words: &[String]) -> bool {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (name, value) =
            word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        if !matches!(name, "--pgn" | "--time" | "--increment") {
            return false;
        }
        // A missing value is told by the demonstration.
        if value.is_none() && words.next().is_some_and(|value| line::is_word(value)) {
            return false;
        }
    }
    true
}

/// The list of words for `adoube match -help`.
pub fn help() -> String {
    table::help()
}
