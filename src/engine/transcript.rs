//! The log: what was said between us and the engines, and what happened to the games.

use jiff::Zoned;
use parking_lot::Mutex;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// How much a log tells; each level tells what those before it do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum LogLevel {
    /// What ends the match.
    Fatal,
    /// An engine that ends or hangs.
    Error,
    /// What an engine does wrong.
    #[default]
    Warning,
    /// Games and their ends.
    Info,
    /// Each line of each engine.
    Trace,
}

/// Where the lines go.
struct Out {
    file: BufWriter<File>,
    /// Why some of them did not get there, if so: the first reason.
    failure: Option<io::Error>,
}

/// The log of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogConfig {
    /// The file.
    pub file: PathBuf,
    /// How much it tells.
    pub level: LogLevel,
    /// Each line of each engine, whatever the level.
    pub engine: bool,
    /// Write each line at once.
    pub realtime: bool,
    /// Add to a file that is there; else it is replaced.
    pub append: bool,
}

/// A log that is being written, by several threads.
pub struct Log {
    out: Mutex<Out>,
    level: LogLevel,
    engine: bool,
    realtime: bool,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("level", &self.level).finish_non_exhaustive()
    }
}

impl Log {
    /// Opens the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(config: &LogConfig) -> io::Result<Log> {
        let mut options = OpenOptions::new();
        options.create(true).write(true).append(config.append).truncate(!config.append);
        let file = BufWriter::new(options.open(&config.file)?);
        let out = Mutex::new(Out { file, failure: None });
        Ok(Log { out, level: config.level, engine: config.engine, realtime: config.realtime })
    }

    /// True if the lines of engines are told.
    pub fn wants_lines(&self) -> bool {
        self.engine || self.level == LogLevel::Trace
    }

    /// A line, if the log tells so much.
    pub fn write(&self, level: LogLevel, text: &str) {
        if level <= self.level {
            self.put(&format!("[{level:?}] {text}"));
        }
    }

    /// A line that was sent to an engine.
    pub fn sent(&self, engine: &str, line: &[u8]) {
        self.line(engine, "<-", line);
    }

    /// A line that an engine has written on its output.
    pub fn received(&self, engine: &str, line: &[u8]) {
        self.line(engine, "->", line);
    }

    /// Something that an engine has written on its error output.
    pub fn complained(&self, engine: &str, text: &[u8]) {
        text.split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .for_each(|line| self.line(engine, "!>", line));
    }

    fn line(&self, engine: &str, arrow: &str, line: &[u8]) {
        if self.wants_lines() {
            self.put(&format!("{engine} {arrow} {}", String::from_utf8_lossy(line).trim_end()));
        }
    }

    /// Writes what has not been written yet.
    ///
    /// # Errors
    /// The first reason, if lines are missing.
    pub fn finish(&self) -> io::Result<()> {
        let mut out = self.out.lock();
        let flushed = out.file.flush();
        out.failure.take().map_or(flushed, Err)
    }

    /// A log that cannot be written any more is no reason to lose games: that is told at the end.
    fn put(&self, text: &str) {
        let now = Zoned::now().strftime("%Y-%m-%d %H:%M:%S%.6f").to_string();
        let mut out = self.out.lock();
        let mut written = writeln!(out.file, "{now} {text}");
        if self.realtime {
            written = written.and_then(|()| out.file.flush());
        }
        out.failure = out.failure.take().or(written.err());
    }
}
