//! A child process that is spoken to in lines, and that does not outlive its owner.

use super::config::EngineConfig;
use crate::notation::characters::legible;
use crate::sys::children::GroupLeader;
use crate::sys::files::{self, with_suffix};
use crate::sys::pipes::{Read, Sink, Source};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Why an engine does not answer.
#[derive(Debug)]
pub enum EngineError {
    /// The program cannot be started.
    NotStarted(PathBuf, Error),
    /// It has ended, or closed its pipes: how, as far as one can tell, and the last that it wrote on its error output.
    Gone(String),
    /// It has not said this in time.
    Silent(&'static str),
    /// It has not said this within a time that a word of the match gives; without the time, by when that word has it.
    Unready(&'static str, Option<Duration>, &'static str),
    /// It cannot do what the game asks for: what, and what to do about it.
    Unable(String),
    /// We were told to end while we waited.
    Interrupted,
}

impl EngineError {
    /// It is none for games of Chess960: what it would have to name, and what to do about it.
    pub fn no_chess960(lack: &str) -> EngineError {
        EngineError::Unable(format!("does not play Chess960 ({lack})"))
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::NotStarted(program, error) => {
                write!(f, "cannot start {}: {error}", program.display())?;
                match files::are_too_many(error) {
                    true => write!(f, "; {FEWER_FILES}"),
                    false => Ok(()),
                }
            }
            EngineError::Gone(how) | EngineError::Unable(how) => f.write_str(how),
            EngineError::Silent(expected) => write!(f, "the engine has not said '{expected}' in time"),
            EngineError::Unready(expected, Some(within), word) => {
                write!(f, "the engine has not said '{expected}' within {} s ({word})", within.as_secs_f64())
            }
            EngineError::Unready(expected, None, word) => {
                write!(f, "the engine has not said '{expected}' in time ({word})")
            }
            EngineError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for EngineError {}

/// How long a process may take to end by itself after it was told to.
const GRACE: Duration = Duration::from_millis(500);
/// How long what it has written on its error output last may take to come.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// How often one looks whether a program that says nothing has ended: its pipe tells that, unless a child of its own holds
/// it open.
pub const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// Lines that are longer are dropped.
const LONGEST_LINE: usize = 1 << 16;
/// So much of the error output is remembered.
const COMPLAINTS: usize = 2000;
/// So much is read at once: who floods keeps nobody else waiting for longer than that takes.
const MOST_AT_ONCE: usize = 4096;

/// A running program. Dropping it kills it; `quit` lets it end by itself.
pub struct Process {
    input: Sink,
    /// What it writes on its output.
    pub(super) output: Source,
    /// What it writes on its error output.
    pub(super) errors: Source,
    buffer: Lines,
    complaints: Vec<u8>,
    /// Where the error output is kept.
    copy: Option<File>,
    /// Dropped last: one that we may not kill ends perhaps when nobody speaks or listens to it any more.
    leader: GroupLeader,
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process").field("leader", &self.leader).finish_non_exhaustive()
    }
}

/// What helps where no more files can be opened.
const FEWER_FILES: &str =
    "each engine needs some, and a smaller -concurrency or a higher limit (ulimit -n) helps";
/// Why a program that is there cannot be found.
const NO_INTERPRETER: &str = "it is there, but not the interpreter or loader that it asks for";

/// Bytes that have been read, and the lines in them.
struct Lines {
    bytes: Box<[u8]>,
    /// Where the next line begins, and where the bytes end.
    start: usize,
    end: usize,
    /// In the middle of a line that is too long.
    dropping: bool,
    /// How many lines were too long.
    dropped: u32,
}

impl Lines {
    fn new() -> Lines {
        Lines { bytes: vec![0; LONGEST_LINE].into(), start: 0, end: 0, dropping: false, dropped: 0 }
    }

    /// Where more can be read to: never nothing.
    fn room(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.end == self.bytes.len() {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            if self.end == self.bytes.len() {
                self.end = 0;
                self.dropping = true;
            }
        }
        &mut self.bytes[self.end..]
    }

    /// The next whole line, without its end and blanks before that.
    fn next(&mut self) -> Option<&[u8]> {
        loop {
            let length = self.bytes[self.start..self.end].iter().position(|&byte| byte == b'\n')?;
            let line = self.start..self.start + length;
            self.start = line.end + 1;
            if !std::mem::take(&mut self.dropping) {
                return Some(self.bytes[line].trim_ascii_end());
            }
            self.dropped += 1;
        }
    }
}

/// The program that a configuration names: a file in its directory or in ours, on Windows with `.exe` or without, else a name
/// for the system to find.
fn program(config: &EngineConfig) -> PathBuf {
    let is_file = |path: &Path| {
        let names = [path.to_path_buf(), with_suffix(path, std::env::consts::EXE_SUFFIX)];
        names.iter().find(|name| name.is_file()).and_then(|name| std::path::absolute(name).ok())
    };
    let there = config.dir.as_ref().and_then(|dir| is_file(&dir.join(&config.cmd)));
    there.or_else(|| is_file(&config.cmd)).unwrap_or_else(|| config.cmd.clone())
}

impl Process {
    /// Starts the program in a process group of its own.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(config: &EngineConfig) -> Result<Process, EngineError> {
        let program = program(config);
        let mut command = Command::new(&program);
        command.args(&config.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let not_started = |error| EngineError::NotStarted(program.clone(), error);
        if let Some(dir) = &config.dir {
            // The system would say of the program that it is not there.
            if !dir.is_dir() {
                let text = format!("{} is no directory", dir.display());
                return Err(not_started(Error::other(text)));
            }
            command.current_dir(dir);
        }
        let open = |path: &Path| OpenOptions::new().create(true).append(true).open(path);
        let copy = match &config.stderr {
            None => None,
            Some(file) => Some(open(file).map_err(|error| {
                not_started(Error::other(format!("its stderr={}: {error}", file.display())))
            })?),
        };
        let mut leader = GroupLeader::spawn(&mut command).map_err(|error| {
            // The system says the same of a program that is not there and of one whose interpreter is not.
            let is_there = error.kind() == ErrorKind::NotFound && program.is_file();
            not_started(if is_there { Error::new(error.kind(), NO_INTERPRETER) } else { error })
        })?;
        let child = leader.child();
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(not_started(ErrorKind::BrokenPipe.into()));
        };
        Ok(Process {
            input: Sink::new(input).map_err(not_started)?,
            output: Source::new(output).map_err(not_started)?,
            errors: Source::new(errors).map_err(not_started)?,
            buffer: Lines::new(),
            complaints: vec![],
            copy,
            leader,
        })
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.leader.id()
    }

    /// Sends text that ends with a line end, in one write.
    ///
    /// # Errors
    /// If the program has closed its input, or does not read.
    pub(super) fn send(
        &mut self,
        text: &[u8],
        deadline: Instant,
        log: impl Fn(&[u8]),
    ) -> Result<(), EngineError> {
        match self.input.write(text, deadline) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::TimedOut => {
                Err(EngineError::Silent("anything, nor read its input"))
            }
            Err(_) => Err(self.gone(log)),
        }
    }

    /// Reads once what is there on the output. False if there was nothing.
    pub(super) fn fill(&mut self) -> bool {
        let room = self.buffer.room();
        let most = room.len().min(MOST_AT_ONCE);
        match self.output.read(&mut room[..most]) {
            Read::Bytes(count) => {
                self.buffer.end += count;
                true
            }
            Read::Nothing | Read::Closed => false,
        }
    }

    /// The next line that has been read, without its end and blanks before that.
    pub(super) fn next_line(&mut self) -> Option<&[u8]> {
        self.buffer.next()
    }

    /// How many lines were dropped because they are too long.
    pub(super) fn dropped_lines(&self) -> u32 {
        self.buffer.dropped
    }

    /// Reads once what is there on the error output. False if there was nothing.
    pub(super) fn read_complaints(&mut self, log: impl Fn(&[u8])) -> bool {
        let mut bytes = [0; 4096];
        let Read::Bytes(count) = self.errors.read(&mut bytes) else { return false };
        log(&bytes[..count]);
        keep(&bytes[..count], self.copy.as_mut());
        self.complaints.extend_from_slice(&bytes[..count]);
        let surplus = self.complaints.len().saturating_sub(COMPLAINTS);
        self.complaints.drain(..surplus);
        true
    }

    /// True once the program has ended, even if something that it has started holds its pipes open.
    pub(super) fn has_ended(&mut self) -> bool {
        self.leader.has_ended()
    }

    /// The error that tells how the program has gone.
    pub(super) fn gone(&mut self, log: impl Fn(&[u8])) -> EngineError {
        let deadline = Instant::now() + LAST_WORDS;
        // A process that has closed its pipes is most often about to end, and its last words may be long.
        loop {
            let ended = self.leader.has_ended();
            while self.read_complaints(&log) && Instant::now() < deadline {}
            if ended && self.errors.is_closed() || Instant::now() >= deadline {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // The child stays unreaped, as the leader of its group, until the process is dropped.
        let mut how = match (self.leader.look(), self.output.is_closed()) {
            (Ok(Some(status)), _) => has_ended(status),
            (Err(_), _) => "has ended".into(),
            (Ok(None), true) => "has closed its output".into(),
            (Ok(None), false) => "has closed its input".into(),
        };
        let complaints = String::from_utf8_lossy(&self.complaints);
        let lines: Vec<&str> = complaints.trim().lines().collect();
        if !lines.is_empty() {
            let last = &lines[lines.len().saturating_sub(3)..];
            how += &format!("; its last words: {}", legible(&last.join(" | "), COMPLAINTS));
        }
        EngineError::Gone(how)
    }

    /// Tells it to end, and kills it and its children if it does not.
    pub(super) fn quit(self, log: impl Fn(&[u8])) {
        self.part(Some(b"quit\n"), Instant::now() + GRACE, log);
    }

    /// Says these last words, or closes its input if there are none, and waits for it to end. How it ended; `None` if it
    /// had to be killed.
    pub(super) fn end_by_itself(
        self,
        last_words: Option<&[u8]>,
        deadline: Instant,
        log: impl Fn(&[u8]),
    ) -> Option<ExitStatus> {
        let (status, by_itself) = self.part(last_words, deadline, log);
        status.filter(|_| by_itself)
    }

    /// How it ended, and whether it did so without being killed. What it says last on its error output goes where all of
    /// that goes.
    fn part(
        self,
        last_words: Option<&[u8]>,
        deadline: Instant,
        log: impl Fn(&[u8]),
    ) -> (Option<ExitStatus>, bool) {
        let Process { mut leader, mut input, mut output, mut errors, mut copy, .. } = self;
        let mut scrap = [0; 4096];
        let mut hear_complaints = |scrap: &mut [u8], until: Instant| {
            while Instant::now() < until
                && let Read::Bytes(count) = errors.read(scrap)
            {
                keep(&scrap[..count], copy.as_mut());
                log(&scrap[..count]);
            }
        };
        let (listens, input) = match last_words {
            Some(words) => (input.write(words, deadline).is_ok(), Some(input)),
            None => {
                drop(input);
                (true, None)
            }
        };
        if listens {
            while !leader.has_ended() && Instant::now() < deadline {
                // It may have something to say first, and wait until it is heard.
                while matches!(output.read(&mut scrap), Read::Bytes(_)) && Instant::now() < deadline {}
                hear_complaints(&mut scrap, deadline);
                std::thread::sleep(Duration::from_micros(500));
            }
        }
        let by_itself = leader.has_ended();
        hear_complaints(&mut scrap, Instant::now() + LAST_WORDS);
        drop((input, output, errors));
        (leader.end(), by_itself)
    }
}

/// What is said of a program that has ended: with what went wrong, if its status or a signal tells of something.
fn has_ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    match (signal, status.code()) {
        (Some(signal), _) => format!("has ended (killed by signal {signal})"),
        (None, None | Some(0)) => "has ended".into(),
        // What Windows says of a crash is looked up in this form.
        (None, Some(code @ ..0)) => format!("has ended (status {code:#x})"),
        (None, Some(code)) => format!("has ended (status {code})"),
    }
}

/// Adds what came on the error output to its copy. What cannot be kept is no reason to lose a game.
fn keep(bytes: &[u8], copy: Option<&mut File>) {
    let _ = copy.map(|copy| copy.write_all(bytes));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(lines: &mut Lines, bytes: &[u8]) -> Vec<String> {
        let mut found = vec![];
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = lines.room();
            let count = rest.len().min(room.len());
            assert!(count > 0);
            room[..count].copy_from_slice(&rest[..count]);
            lines.end += count;
            rest = &rest[count..];
            while let Some(line) = lines.next() {
                found.push(String::from_utf8_lossy(line).into_owned());
            }
        }
        found
    }

    #[cfg(unix)]
    #[test]
    fn who_has_too_many_files_open_is_told_what_helps() {
        let text = |code| EngineError::NotStarted("x".into(), Error::from_raw_os_error(code)).to_string();
        assert!([libc::EMFILE, libc::ENFILE].iter().all(|&code| text(code).ends_with(FEWER_FILES)));
        assert!(!text(libc::ENOENT).contains(FEWER_FILES));
    }

    #[test]
    fn lines_are_put_together_and_cut() {
        let mut lines = Lines::new();
        assert_eq!(feed(&mut lines, b"one\r\n two \nth"), ["one", " two"]);
        assert_eq!(feed(&mut lines, b"ree\n\n"), ["three", ""]);
        // A line of exactly the longest length, with its end, still comes; a longer one is dropped whole.
        let long = "x".repeat(LONGEST_LINE - 1);
        assert_eq!(feed(&mut lines, format!("{long}\nnext\n").as_bytes()), [long.as_str(), "next"]);
        let longer = "x".repeat(3 * LONGEST_LINE + 5);
        assert_eq!(feed(&mut lines, format!("{longer}\nnext\n").as_bytes()), ["next"]);
    }

    /// How a shell is said to have gone that has come to the end of this.
    #[cfg(unix)]
    fn gone(script: &str) -> String {
        let args = ["-c", script].map(String::from).to_vec();
        let config = EngineConfig { cmd: "sh".into(), args, ..EngineConfig::default() };
        let mut process = Process::start(&config).unwrap();
        while !process.has_ended() {
            std::thread::yield_now();
        }
        process.gone(|_| ()).to_string()
    }

    #[cfg(unix)]
    #[test]
    fn last_words_change_no_terminal() {
        let how = gone("printf 'one\\n\\033[2Jtwo\\n' >&2");
        assert_eq!(how, "has ended; its last words: one | ?[2Jtwo");
    }

    #[cfg(unix)]
    #[test]
    fn how_it_has_ended_is_told() {
        for (script, how) in [
            ("exit 0", "has ended"),
            ("exit 3", "has ended (status 3)"),
            ("exit 255", "has ended (status 255)"),
            ("kill -9 $$", "has ended (killed by signal 9)"),
            ("echo why >&2; kill -15 $$", "has ended (killed by signal 15); its last words: why"),
        ] {
            assert_eq!(gone(script), how, "{script}");
        }
    }
}
