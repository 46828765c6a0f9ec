//! The way to the client: one locked writer. And the log of what is said on it.

use crate::sys::files::must_be_ordinary;
use crate::sys::pipes::standard_output_is_abandoned;
use jiff::Zoned;
use parking_lot::Mutex;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The only way to the outside: whole lines, flushed. A client that has closed its end is no error but the wish to
/// quit.
pub struct Output {
    ends: Mutex<Ends>,
    /// Tells whether nobody reads any more, without writing.
    is_abandoned: fn() -> bool,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

/// Where lines go. Under one lock, so that the log has them in the order in which they were said.
struct Ends {
    client: Box<dyn Write + Send>,
    log: Option<File>,
    /// Why the client could not be told something, the first time.
    failure: Option<io::Error>,
}

impl Output {
    /// Writes to `writer` from now on.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        let ends = Ends { client: Box::new(writer), log: None, failure: None };
        Output { ends: Mutex::new(ends), is_abandoned: || false }
    }

    /// Writes to the standard output from now on.
    pub fn standard() -> Output {
        Output { is_abandoned: standard_output_is_abandoned, ..Output::new(io::stdout()) }
    }

    /// Writes a line, or several.
    pub fn line(&self, text: &str) {
        let mut ends = self.ends.lock();
        let told = ends.tell(text);
        let noted = ends.note("<<", text);
        ends.see(told, noted);
    }

    /// Notes in the log, if there is one, what the client has said.
    pub(super) fn heard(&self, line: &str) {
        let mut ends = self.ends.lock();
        let noted = ends.note(">>", line);
        ends.see(Ok(()), noted);
    }

    /// Whether all lines have reached the client, or he had gone.
    ///
    /// # Errors
    /// If a line could not be written for another reason, as when the output is a file on a full disk.
    pub(super) fn outcome(self) -> io::Result<()> {
        match self.ends.into_inner().failure {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    /// Begins to add all that is said to a file, which is made if need be, with `head` before it; without a file nothing
    /// is added to any from now on.
    ///
    /// # Errors
    /// If the file cannot be written or is no ordinary one; then there is no log.
    pub(super) fn log_to(&self, file: Option<&Path>, head: &str) -> io::Result<()> {
        let mut ends = self.ends.lock();
        ends.log = None;
        let Some(path) = file else { return Ok(()) };
        // What could not be read has been replaced on the way here: the file would have a name that nobody gave it.
        if path.to_string_lossy().contains(char::REPLACEMENT_CHARACTER) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "its name is no UTF-8"));
        }
        must_be_ordinary(path)?;
        ends.log = Some(OpenOptions::new().create(true).append(true).open(path)?);
        ends.note("--", head)
    }

    /// True once nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.ends.lock().failure.is_some() || (self.is_abandoned)()
    }
}

impl Ends {
    /// Tells the client if the log has just ended, once, and sees whether he is still there.
    fn see(&mut self, mut told: io::Result<()>, noted: io::Result<()>) {
        if let Err(error) = noted {
            told = told.and(self.tell(&format!("info string ERROR: the log ends here: {error}")));
        }
        if let Err(error) = told {
            self.failure.get_or_insert(error);
        }
    }

    fn tell(&mut self, text: &str) -> io::Result<()> {
        self.client.write_all(format!("{text}\n").as_bytes())?;
        self.client.flush()
    }

    /// Adds lines to the log, each with the time and who says it; a log that cannot be written is none.
    fn note(&mut self, who: &str, text: &str) -> io::Result<()> {
        let Some(log) = &mut self.log else { return Ok(()) };
        let now = Zoned::now().strftime("%Y-%m-%d %H:%M:%S%.6f").to_string();
        let lines: String = text.trim_end().lines().map(|line| format!("{now} {who} {line}\n")).collect();
        // All at once, so that two programs with one log do not write into each other's lines.
        let noted = log.write_all(lines.as_bytes());
        if noted.is_err() {
            self.log = None;
        }
        noted
    }
}
