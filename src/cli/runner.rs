//! `adoube match` with words: runs the match that they ask for.

use super::Failure;
use super::words;
use crate::report::console::Console;
use crate::report::text::plain;
use crate::sys::{children, signals, usage};
use crate::tournament::config::{MatchConfig, OutputStyle};
use crate::tournament::fingerprint::Fingerprint;
use crate::tournament::journal::Header;
use crate::tournament::runner::{self, Conclusion, Stop};
use serde_json::json;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// Plays the match.
pub(super) fn run(config: &MatchConfig, words: &[String], notes: &[String]) -> Result<(), Failure> {
    for note in notes.iter().filter(|_| !config.output.quiet) {
        super::tell(note);
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
        let mut is_first = true;
        for () in interrupts {
            // Asked twice: at once. The guard ends the engines. The end of the session may have come before.
            if !std::mem::take(&mut is_first) {
                super::tell("stopped at once");
                std::process::exit(1);
            }
            asked.adjourn();
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
    if let Some(pgn) = config.pgn.as_ref().filter(|pgn| config.output.crc32 && is_plain_file(&pgn.file)) {
        let crc = Fingerprint::of_file(&pgn.file)?.crc;
        let file = pgn.file.to_string_lossy();
        let line = if config.output.style == OutputStyle::Json {
            json!({ "event": "crc32", "file": file, "crc32": format!("{crc:08x}") }).to_string()
        } else {
            format!("File {} has CRC32: {crc:08x}", plain(&file))
        };
        writeln!(std::io::stdout(), "{line}")?;
    }
    let journal = state.journal.display();
    let go_on = match state.journal == runner::journal_path(config) {
        true => format!("the same command with -resume goes on; the journal is {journal}"),
        // Of matches side by side only one has the usual name.
        false => format!("adoube match -config file={journal} goes on"),
    };
    match conclusion {
        Conclusion::Complete | Conclusion::Decided(_) => Ok(()),
        Conclusion::Interrupted => {
            let games = match state.adjourned {
                0 => String::new(),
                1 => "1 game is adjourned; ".into(),
                games => format!("{games} games are adjourned; "),
            };
            Err(format!("interrupted; {games}{go_on}").into())
        }
        Conclusion::Broken(why) => Err(format!("{why}; {go_on}").into()),
    }
}

/// Longer lines begin no journal.
const LONGEST_HEADER: u64 = 16 << 20;

/// False for what could be read for ever, or not again, such as a pipe.
fn is_plain_file(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| data.is_file())
}

/// Refuses to go on with a match that was another one.
fn check_resumption(config: &MatchConfig) -> Result<(), Failure> {
    let path = runner::journal_path(config);
    if !is_plain_file(&path) {
        return Ok(());
    }
    let Ok(file) = File::open(&path) else { return Ok(()) };
    let mut line = vec![];
    BufReader::new(file.take(LONGEST_HEADER)).read_until(b'\n', &mut line)?;
    // What is no journal is told of when it is opened.
    let Ok(header) = serde_json::from_slice::<Header>(&line) else { return Ok(()) };
    let mut first = words::parse_header(&header.words)
        .map_err(|error| format!("the words in {}: {error}", path.display()))?;
    // Whether it was given or drawn.
    first.seed = Some(header.seed);
    words::same_match(&first, config).map_err(|error| format!("-resume: {error}"))?;
    Ok(())
}
