//! `adoube match` with words: runs the match that they ask for.

use super::{Failure, Interrupted, words};
use crate::report::console::Console;
use crate::report::text::plain;
use crate::sys::files::is_one_file;
use crate::sys::signals::INTERRUPTED;
use crate::sys::{children, signals, usage};
use crate::tournament::adjourned;
use crate::tournament::config::{MatchConfig, OutputStyle};
use crate::tournament::fingerprint::Fingerprint;
use crate::tournament::journal::{self, Header};
use crate::tournament::journal_place::{has_usual_journal, journal_path, numbered_journal};
use crate::tournament::runner::{self, Conclusion, Event};
use crate::tournament::stop::Stop;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Plays the match.
pub(super) fn run(config: &MatchConfig, words: &[String], notes: &[String]) -> Result<(), Failure> {
    for note in notes.iter().filter(|_| !config.output.quiet) {
        super::tell(note);
    }
    if config.resume {
        check_resumption(config)?;
    }
    // Before any other thread or process is started.
    children::start_guard()?;
    children::stand_still_at_ctrl_z();
    usage::allow_many_files();
    let stop = Arc::new(Stop::new()?);
    let (interrupts, asked) = (signals::interrupts(), stop.clone());
    let how = Arc::new(OnceLock::new());
    let known = how.clone();
    let watch = move || end_when_asked(&interrupts, &asked, &known);
    std::thread::Builder::new().name("interrupts".into()).spawn(watch)?;
    let mut console = Console::new(config);
    let (state, conclusion) = runner::run(config, words, &stop, &mut |event, state| {
        if matches!(event, Event::Ready) {
            if !is_one_file(&state.journal, &journal_path(config)) {
                let journal = state.journal.display();
                super::tell(format_args!("another match goes on here: the journal of this one is {journal}"));
            }
            let _ = how.set(how_to_go_on(config, &state.journal));
        }
        console.show(event, state);
        if console.failure().is_some() {
            stop.adjourn();
        }
    })
    .map_err(|error| match stop.is_rung() && console.failure().is_none() {
        // It has not begun, and nobody else ends it by then.
        true => Failure::from(Interrupted(error.into())),
        false => error.into(),
    })?;
    console.conclude(&state, &conclusion);
    let summed = show_crc32(config);
    let go_on = how_to_go_on(config, &state.journal);
    let unshown = console.failure().filter(|error| error.kind() != ErrorKind::BrokenPipe);
    let unshown = unshown.map(|error| format!("the standard output cannot be written: {error}"));
    match conclusion {
        Conclusion::Complete | Conclusion::Decided(_) => unshown.map_or(summed, |why| Err(why.into())),
        Conclusion::Failed(why) => Err(why.into()),
        Conclusion::Interrupted => {
            let why = unshown.unwrap_or_else(|| "interrupted".into());
            // Those too that were adjourned before, and not taken up in this session.
            let games = match adjourned::games(&adjourned::folder(&state.journal)).len() {
                0 => String::new(),
                1 => "1 game is adjourned; ".into(),
                games => format!("{games} games are adjourned; "),
            };
            Err(format!("{why}; {games}{go_on}").into())
        }
        Conclusion::Broken(why) => Err(format!("{why}; {go_on}").into()),
    }
}

/// The sum of the PGN, if it is asked for.
fn show_crc32(config: &MatchConfig) -> Result<(), Failure> {
    // Other things, such as a pipe, could be read for ever, or not again.
    let wanted = config.pgn.as_ref().filter(|pgn| config.output.crc32 && pgn.file.is_file());
    let Some(pgn) = wanted else { return Ok(()) };
    let crc = Fingerprint::of_file(&pgn.file)?.crc;
    let file = pgn.file.to_string_lossy();
    let line = if config.output.style == OutputStyle::Json {
        json!({ "event": "crc32", "file": file, "crc32": format!("{crc:08x}") }).to_string()
    } else {
        format!("File {} has CRC32: {crc:08x}", plain(&file))
    };
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

/// Adjourns the match, or ends it, when the process is asked to end, and ends the process when it is asked again, or if it
/// is still preparing the match by then; `how` the match goes on is known once that is done. The end of the session may have
/// come before.
fn end_when_asked(interrupts: &Receiver<()>, stop: &Stop, how: &OnceLock<String>) {
    if interrupts.recv().is_err() {
        return;
    }
    stop.adjourn();
    let is_late = interrupts.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout);
    if is_late && how.get().is_none() {
        // Files may be read for minutes. What is being mended is mended again next time.
        super::tell("stopped before the first game");
        std::process::exit(INTERRUPTED.into());
    }
    if is_late {
        super::tell("the moves in progress are waited for; asked once more, the match ends at once");
        if interrupts.recv().is_err() {
            return;
        }
    }
    // The guard ends the engines.
    match how.get() {
        Some(how) => super::tell(format_args!("stopped at once; {how}")),
        None => super::tell("stopped at once"),
    }
    std::process::exit(how.get().map_or(INTERRUPTED.into(), |_| 1));
}

/// What is said to whoever wants to go on with a match.
fn how_to_go_on(config: &MatchConfig, journal: &Path) -> String {
    let is_usual = is_one_file(journal, &journal_path(config));
    let journal = journal.display();
    match is_usual {
        true => format!("the same command with -resume goes on; the journal is {journal}"),
        // Of matches side by side only one has the usual name.
        false => format!("adoube match -config file={journal} goes on"),
    }
}

/// A match that has not ended so long after it was asked to says what it waits for.
const SOON: Duration = Duration::from_secs(1);

/// Refuses to go on with a match that was another one.
fn check_resumption(config: &MatchConfig) -> Result<(), Failure> {
    let why = match difference(&journal_path(config), config) {
        Ok(Some(why)) => why,
        // What cannot be read, such as on Windows the journal of a match that is being played, is told of when it is opened.
        Ok(None) | Err(Difference::Unreadable) => return Ok(()),
        Err(Difference::Words(error)) => return Err(error.into()),
    };
    let other = side_by_side(config).find(|path| matches!(difference(path, config), Ok(None)));
    let hint = other.map_or(String::new(), |other| {
        format!("; adoube match -config file={} goes on with one of these words", other.display())
    });
    Err(format!("-resume: {why}{hint}").into())
}

/// The journals of matches without any file of their own that were played beside another.
fn side_by_side(config: &MatchConfig) -> impl Iterator<Item = PathBuf> + use<> {
    let are_possible = has_usual_journal(config);
    let paths = (2..).map(numbered_journal);
    paths.take_while(move |path| are_possible && path.is_file())
}

/// Why nobody knows in what a match is another.
enum Difference {
    /// The journal cannot be read.
    Unreadable,
    /// Its words are none: why.
    Words(String),
}

/// In what the match of a journal is another than this one, if it is.
fn difference(path: &Path, config: &MatchConfig) -> Result<Option<String>, Difference> {
    if !path.is_file() {
        return Ok(None);
    }
    let Ok(file) = File::open(path) else { return Ok(None) };
    let line = journal::first_line(&mut BufReader::new(file)).map_err(|_| Difference::Unreadable)?;
    // What is no journal is told of when it is opened.
    let Ok(header) = serde_json::from_slice::<Header>(&line) else { return Ok(None) };
    let mut first = words::parse_header(&header.words)
        .map_err(|error| Difference::Words(format!("the words in {}: {error}", path.display())))?;
    // Whether it was given or drawn.
    first.seed = Some(header.seed);
    Ok(words::same_match(&first, config).err())
}
