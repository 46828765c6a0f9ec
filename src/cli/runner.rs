//! `adoube match` with words: runs the match that they ask for.

use super::Failure;
use super::words::{self, Request};
use crate::report::console::Console;
use crate::sys::{children, signals, usage};
use crate::tournament::config::MatchConfig;
use crate::tournament::journal::Header;
use crate::tournament::runner::{self, Conclusion, Stop};
use crate::tournament::setup;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;

/// Plays the match.
pub(super) fn run(config: &MatchConfig, words: &[String], notes: &[String]) -> Result<(), Failure> {
    for note in notes.iter().filter(|_| !config.output.quiet) {
        eprintln!("adoube: {note}");
    }
    if config.resume {
        check_resumption(config)?;
    }
    // Before any other thread or process is started.
    children::start_guard().map_err(|error| format!("cannot start the guard of the engines: {error}"))?;
    usage::allow_many_files();
    let stop = Arc::new(Stop::new()?);
    let (interrupts, asked) = (signals::interrupts(), stop.clone());
    std::thread::Builder::new().name("interrupts".into()).spawn(move || {
        for () in interrupts {
            if !asked.ring() {
                // Asked twice: at once. The guard ends the engines.
                std::process::exit(1);
            }
        }
    })?;
    let mut console = Console::new(config);
    let (state, conclusion) = runner::run(config, words, &stop, &mut |event, state| {
        console.show(event, state);
        if console.is_closed() {
            stop.ring();
        }
    })?;
    console.conclude(&state, &conclusion);
    if let Some(pgn) = config.pgn.as_ref().filter(|_| config.output.crc32) {
        let (crc, _) = setup::fingerprint(&pgn.file)?;
        writeln!(std::io::stdout(), "File {} has CRC32: {crc:08x}", pgn.file.display())?;
    }
    let journal = runner::journal_path(config);
    let go_on = format!("the same command with -resume goes on; the journal is {}", journal.display());
    match conclusion {
        Conclusion::Complete | Conclusion::Decided(_) => Ok(()),
        Conclusion::Interrupted => Err(format!("interrupted; {go_on}").into()),
        Conclusion::Broken(why) => Err(format!("{why}; {go_on}").into()),
    }
}

/// Refuses to go on with a match that was another one.
fn check_resumption(config: &MatchConfig) -> Result<(), Failure> {
    let path = runner::journal_path(config);
    let Ok(file) = File::open(&path) else { return Ok(()) };
    let mut line = String::new();
    BufReader::new(file).read_line(&mut line)?;
    // What is no journal is told of when it is opened.
    let Ok(header) = serde_json::from_str::<Header>(&line) else { return Ok(()) };
    let first =
        words::parse(&header.words).map_err(|error| format!("the words in {}: {error}", path.display()))?;
    if let Request::Match { config: first, .. } = first {
        words::same_match(&first, config).map_err(|error| format!("-resume: {error}"))?;
    }
    Ok(())
}
