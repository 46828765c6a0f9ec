//! The journal: one line for each finished game, written before the game counts. Whatever happens to the program, or to
//! the files that are made from it, what the journal has is not lost.
//!
//! The file is text, a JSON object a line: first the match, then its games in the order in which they ended, and at the end
//! of each session the numbers of those that are adjourned. What was torn at its end when the machine stopped is put aside.

use super::entry::Entry;
use super::fingerprint::Fingerprint;
use super::journal_line::{self, ADJOURNED, Before, Told};
use crate::sys::{files, locks};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The name that a journal's first line gives its format.
pub const FORMAT: &str = "adoube-journal";
/// In version 1 no words said by which Laws games were played: they were those of engine testers.
const VERSION: u32 = 2;

/// The first line: what match this is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Always `FORMAT`.
    pub format: String,
    /// Of the format.
    pub version: u32,
    /// The command line that began the match.
    pub words: Vec<String>,
    /// The seed of everything random.
    pub seed: u64,
    /// What the players are called.
    pub names: Vec<String>,
    /// Of the file of openings.
    pub openings: Option<Fingerprint>,
    /// The sizes of the PGN file and of the EPD file before the match.
    pub sizes: [u64; 2],
    /// What the players' programs called themselves in the first session; earlier versions did not ask.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
}

impl Header {
    /// The first line of a new journal.
    pub fn new(
        words: &[String],
        seed: u64,
        names: Vec<String>,
        openings: Option<Fingerprint>,
        sizes: [u64; 2],
    ) -> Header {
        Header {
            format: FORMAT.into(),
            version: VERSION,
            words: words.to_vec(),
            seed,
            names,
            openings,
            sizes,
            programs: vec![],
        }
    }
}

/// Why a journal cannot be had.
#[derive(Debug)]
pub enum JournalError {
    /// Reading or writing fails.
    Io(PathBuf, io::Error),
    /// Another match is writing it.
    InUse(PathBuf),
    /// A line in it is none of a journal: its number, and why.
    Line(PathBuf, u64, String),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Io(path, error) => write!(f, "the journal {}: {error}", path.display()),
            JournalError::InUse(path) => {
                write!(f, "the journal {} is being written by another match", path.display())
            }
            JournalError::Line(path, line, reason) => {
                write!(f, "the journal {}, line {line}: {reason}", path.display())
            }
        }
    }
}

impl std::error::Error for JournalError {}

/// How far a match has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// No game has ended.
    Begun,
    /// Some have, if somebody has not broken their lines.
    Played,
    /// It has come to its end.
    Finished,
}

/// A journal that is being written. The file is locked.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Where the last whole line ends.
    length: u64,
    /// How long the file is, once something has been written.
    size: Option<u64>,
    synced: bool,
    /// The last game could be appended.
    has_last: bool,
    /// What the lines tell besides the games.
    found: Found,
    /// The file was not there before.
    is_new: bool,
}

/// Lines that are missing side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The game of the last of them.
    pub last: u64,
    /// How many games they had, as far as is known.
    pub games: u64,
}

/// What the lines of a journal tell besides the games.
#[derive(Clone, Default, Debug)]
struct Found {
    /// The game of the last line that has one.
    last: Option<u64>,
    /// How many games have lines.
    games: u64,
    /// Lines that are not there.
    missing: Vec<Missing>,
    /// The games that were adjourned when the last session ended.
    adjourned: Vec<u64>,
    /// How many lines at the end may have been games, and how many bytes there are behind the last whole line.
    broken: (u64, u64),
}

impl Drop for Journal {
    /// Unlocks the file. Closing it would not always do: a process that another thread is just starting has a copy of it
    /// until its program runs, and the lock is the copy's too. Of a match that could not be begun no file stays.
    fn drop(&mut self) {
        if self.is_new && self.file.metadata().is_ok_and(|about| about.len() == 0) {
            let _ = std::fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

/// Longer lines begin no journal, in bytes.
const LONGEST_HEADER: usize = 16 << 20;

/// Reads the first line of a file, and no more of one that is no journal than a journal's may have.
///
/// # Errors
/// If it cannot be read.
pub fn first_line(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = vec![];
    reader.take(LONGEST_HEADER as u64).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// The last line of a match that has come to its end.
const END: &str = "{\"end\":true}\n";

/// False for a line, or for what is there of one, that is certainly of no game.
fn may_be_game(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_other = |other: &str| line.starts_with(other.as_bytes()) || other.as_bytes().starts_with(line);
    !is_other(END.trim_end()) && !is_other(ADJOURNED)
}

impl Journal {
    /// Opens and locks the file, and makes it if it is not there.
    ///
    /// # Errors
    /// If it cannot be written, or is in use.
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        Journal::open_locked(path, locks::lock)
    }

    /// Does the same, and gives a match that has just been killed time to let go of it.
    ///
    /// # Errors
    /// As for [`Journal::open`].
    pub fn open_soon(path: &Path) -> Result<Journal, JournalError> {
        Journal::open_locked(path, locks::lock_soon)
    }

    fn open_locked(path: &Path, lock: fn(&File) -> bool) -> Result<Journal, JournalError> {
        let failed = |error| JournalError::Io(path.to_path_buf(), error);
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let (file, is_new) = loop {
            let made = options.clone().create_new(true).open(path);
            let is_new = made.is_ok();
            let file =
                made.or_else(|_| options.clone().create(true).truncate(false).open(path)).map_err(failed)?;
            if !file.metadata().map_err(failed)?.is_file() {
                // A device can be read for ever.
                return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "this is no plain file")));
            }
            if !lock(&file) {
                return Err(JournalError::InUse(path.to_path_buf()));
            }
            // Else it has just been put aside, or replaced.
            if locks::is_called(&file, path).map_err(failed)? {
                break (file, is_new);
            }
        };
        // What lies beside it, and what takes its place, goes by what a link leads to.
        let real = if path.is_symlink() { path.canonicalize().map_err(failed)? } else { path.to_path_buf() };
        Ok(Journal {
            file,
            path: real,
            length: 0,
            size: None,
            synced: true,
            has_last: false,
            found: Found::default(),
            is_new,
        })
    }

    /// What the file holds: the match and its games, or nothing if it is empty. Calls `each` for every game.
    ///
    /// # Errors
    /// If it cannot be read or is no journal. A torn last line is no error.
    pub fn read(&mut self, mut each: impl FnMut(Entry)) -> Result<Option<Header>, JournalError> {
        let failed = |error| JournalError::Io(self.path.clone(), error);
        self.file.seek(SeekFrom::Start(0)).map_err(failed)?;
        self.found = Found::default();
        let mut found = Found::default();
        let mut reader = BufReader::new(&self.file);
        let mut text = first_line(&mut reader).map_err(failed)?;
        let mut length = text.len() as u64;
        let Some(header) = self.header_of(&text)? else {
            self.length = 0;
            return Ok(None);
        };
        let mut broken_line = None;
        // The games up to a line, as it tells: those of which the lines were not there any more at its time are not among them.
        let mut counted = 0;
        for number in 2.. {
            text.clear();
            let count = reader.read_until(b'\n', &mut text).map_err(failed)?;
            let broken = |reason: String| JournalError::Line(self.path.clone(), number, reason);
            if text.last() != Some(&b'\n') {
                found.broken.0 += u64::from(may_be_game(&text));
                found.broken.1 += count as u64;
                break;
            }
            let line = &*String::from_utf8_lossy(&text);
            // An editor may have changed the ends of all lines.
            if line.trim_end() == END.trim_end() {
                if let Some(before) = broken_line {
                    // A game before the end is missing: no power cut leaves that.
                    return Err(before);
                }
                // Not part of what is kept: a match can be made longer.
                break;
            }
            let (told, before) = match (journal_line::read(line), broken_line.take()) {
                // A power cut can leave more than one broken line, but nothing whole after them.
                (Err(reason), before) => {
                    broken_line = before.or(Some(broken(reason)));
                    found.broken.0 += u64::from(may_be_game(&text));
                    found.broken.1 += count as u64;
                    continue;
                }
                (Ok(_), Some(before)) => return Err(before),
                (Ok(read), None) => read,
            };
            // Of the lines that are missing here the last is known, and how many they were.
            if let Some(Before { last, games }) = before {
                let games = games.unwrap_or(counted);
                if let Some(last) = last.filter(|_| last != found.last) {
                    found.missing.push(Missing { last, games: games.saturating_sub(counted).max(1) });
                }
                counted = games;
            }
            match told {
                Told::Game(entry) => {
                    found.last = Some(entry.fixture.game);
                    found.games += 1;
                    counted += 1;
                    each(*entry);
                }
                Told::Adjourned(games) => found.adjourned = games,
            }
            length += count as u64;
        }
        self.length = length;
        self.found = found;
        Ok(Some(header))
    }

    /// Lines that were read of in those behind them, and that are not there; they may be further on.
    pub fn missing(&self) -> &[Missing] {
        &self.found.missing
    }

    /// The games that were adjourned when the last session ended.
    pub fn adjourned(&self) -> &[u64] {
        &self.found.adjourned
    }

    /// Puts what was read behind the last whole line into a file of its own: how many games there may have been, and where
    /// they are, if there were any.
    ///
    /// # Errors
    /// If that cannot be written; then the journal is as it was before.
    pub fn move_out_broken(&mut self) -> Result<Option<(u64, PathBuf)>, JournalError> {
        let (lines, bytes) = std::mem::take(&mut self.found.broken);
        if lines == 0 {
            return Ok(None);
        }
        let place = files::with_suffix(&self.path, ".cut");
        let copy = || {
            let mut aside = OpenOptions::new().create(true).append(true).open(&place)?;
            (&self.file).seek(SeekFrom::Start(self.length))?;
            io::copy(&mut (&self.file).take(bytes), &mut aside)?;
            aside.sync_data()
        };
        copy().map_err(|error| JournalError::Io(place.clone(), error))?;
        self.file.set_len(self.length).map_err(|error| JournalError::Io(self.path.clone(), error))?;
        Ok(Some((lines, place)))
    }

    /// The match that a first line tells of; nothing if it was torn before anything was played.
    fn header_of(&self, line: &[u8]) -> Result<Option<Header>, JournalError> {
        let broken = |reason: &str| JournalError::Line(self.path.clone(), 1, reason.to_string());
        let no_journal = || broken("this is no journal of a match");
        if line.last() != Some(&b'\n') {
            // Or it is somebody's file, without a line end.
            let begun = format!("{{\"format\":\"{FORMAT}\"").into_bytes();
            let is_begun = line.starts_with(&begun) || begun.starts_with(line);
            // Of one that is not read to its end nobody knows what it is.
            return if is_begun && line.len() < LONGEST_HEADER { Ok(None) } else { Err(no_journal()) };
        }
        let header: Header =
            serde_json::from_str(&String::from_utf8_lossy(line)).map_err(|_| no_journal())?;
        if header.format != FORMAT || header.version != VERSION {
            return Err(broken(&format!("expected format {FORMAT} {VERSION}")));
        }
        Ok(Some(header))
    }

    /// How far the match of the file has come, or nothing if it is empty. Reads the ends of it alone: there may be a million
    /// games.
    ///
    /// # Errors
    /// If it cannot be read or does not begin like a journal.
    pub fn stage(&mut self) -> Result<Option<Stage>, JournalError> {
        let failed = |error| JournalError::Io(self.path.clone(), error);
        self.file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut reader = BufReader::new(&self.file);
        let (mut line, mut last) = (first_line(&mut reader).map_err(failed)?, vec![]);
        if self.header_of(&line)?.is_none() {
            return Ok(None);
        }
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(failed)?;
        // With the end of the line before it.
        let end = format!("\n{END}");
        let size = self.file.metadata().map_err(failed)?.len();
        reader.seek(SeekFrom::Start(size.saturating_sub(end.len() as u64))).map_err(failed)?;
        reader.read_to_end(&mut last).map_err(failed)?;
        Ok(Some(match line.last() {
            _ if last == end.as_bytes() => Stage::Finished,
            Some(b'\n') if may_be_game(&line) => Stage::Played,
            _ => Stage::Begun,
        }))
    }

    /// Begins anew with this match. What was there is gone.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&mut self, header: &Header) -> Result<(), JournalError> {
        self.length = 0;
        self.found = Found::default();
        // A header of strings and numbers always has a JSON form.
        let line = serde_json::to_string(header).unwrap_or_default() + "\n";
        self.put(line.as_bytes())?;
        self.sync()
    }

    /// Puts another first line before the games that have been read.
    ///
    /// # Errors
    /// If that cannot be written; then the journal is as it was before.
    pub fn change_header(&mut self, header: &Header) -> Result<(), JournalError> {
        let failed = |error| JournalError::Io(self.path.clone(), error);
        let new_path = files::unfinished(&self.path);
        let write = || {
            files::make_unfinished(&self.path).map_err(|error| JournalError::Io(new_path.clone(), error))?;
            let mut new = Journal::open(&new_path)?;
            new.begin(header)?;
            (&self.file).seek(SeekFrom::Start(0)).map_err(failed)?;
            let mut games = BufReader::new((&self.file).take(self.length));
            games.skip_until(b'\n').map_err(failed)?;
            new.length += io::copy(&mut games, &mut new.file).map_err(failed)?;
            new.size = Some(new.length);
            new.found = self.found.clone();
            new.file.sync_data().map_err(failed)?;
            Ok(new)
        };
        let discard = |_: &JournalError| drop(std::fs::remove_file(&new_path));
        let new = write().inspect_err(discard)?;
        let path = self.path.clone();
        let rename =
            || files::replace(&new_path, &path).map_err(|error| JournalError::Io(path.clone(), error));
        if cfg!(unix) {
            rename().inspect_err(discard)?;
            *self = new;
        } else {
            // A file that is open cannot be replaced everywhere.
            *self = new;
            rename().inspect_err(discard)?;
        }
        self.path = path;
        Ok(())
    }

    /// What is before the next line.
    fn before(&self) -> Before {
        Before { last: self.found.last, games: Some(self.found.games) }
    }

    /// Adds a game. Afterwards the system has it, whatever happens to this process.
    ///
    /// # Errors
    /// If it cannot be written; then the journal is as it was before.
    pub fn append(&mut self, entry: &Entry) -> Result<(), JournalError> {
        self.has_last = false;
        self.put(journal_line::of_game(entry, self.before()).as_bytes())?;
        self.has_last = true;
        self.found.last = Some(entry.fixture.game);
        self.found.games += 1;
        Ok(())
    }

    /// Says which games are adjourned, so that it shows if the record of one is lost.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn adjourn(&mut self, games: &[u64]) -> Result<(), JournalError> {
        if games != self.found.adjourned {
            self.put(journal_line::of_adjourned(games, self.before()).as_bytes())?;
            self.found.adjourned = games.to_vec();
        }
        Ok(())
    }

    /// True if the last game that was to be appended has been.
    pub fn has_last(&self) -> bool {
        self.has_last
    }

    /// Says that the match has come to its end.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&mut self) -> Result<(), JournalError> {
        self.put(END.as_bytes())?;
        self.sync()
    }

    /// Sees to it that what has been written is still there.
    ///
    /// # Errors
    /// If it is not.
    fn look(&self) -> io::Result<()> {
        if files::is_removed(&self.file, &self.path)? {
            let and = match self.write_again() {
                Ok(()) => "; all games that it had are there again".to_string(),
                Err(error) => format!(", and it cannot be written again: {error}"),
            };
            return Err(io::Error::other(format!("somebody has removed it{and}")));
        }
        let (Some(was), is) = (self.size, self.file.metadata()?.len()) else { return Ok(()) };
        if is != was {
            let lost = if is < was { "; the games that it has lost are played anew" } else { "" };
            let why = format!("somebody has changed it: it had {was} bytes and has {is}{lost}");
            return Err(io::Error::other(why));
        }
        Ok(())
    }

    /// Puts what is in the file, which has no name any more, into one that has it.
    fn write_again(&self) -> io::Result<()> {
        let mut again = File::create_new(&self.path)?;
        (&self.file).seek(SeekFrom::Start(0))?;
        io::copy(&mut (&self.file).take(self.length), &mut again)?;
        again.sync_data()
    }

    fn put(&mut self, line: &[u8]) -> Result<(), JournalError> {
        self.look().map_err(|error| JournalError::Io(self.path.clone(), error))?;
        let write = |file: &mut File| {
            file.set_len(self.length)?;
            file.seek(SeekFrom::Start(self.length))?;
            file.write_all(line)
        };
        match write(&mut self.file) {
            Ok(()) => {
                self.length += line.len() as u64;
                self.size = Some(self.length);
                self.synced = false;
                Ok(())
            }
            Err(error) => {
                // Half a line would be cut off at the next reading anyway.
                let _ = self.file.set_len(self.length);
                Err(JournalError::Io(self.path.clone(), error))
            }
        }
    }

    /// Lets the disk have what the system has, so that it survives a power cut too.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        if !self.synced {
            self.file.sync_data().map_err(|error| JournalError::Io(self.path.clone(), error))?;
            self.synced = true;
        }
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests;
