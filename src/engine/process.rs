//! A child process that is spoken to in lines, and that does not outlive its owner.

use crate::sys::lines::lines;
use crate::sys::signals::kill_group;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::ffi::OsString;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// Why an engine does not answer.
#[derive(Debug)]
pub enum EngineError {
    /// The program cannot be started.
    NotStarted(PathBuf, std::io::Error),
    /// It has ended, or closed its pipes.
    Gone,
    /// It has not said this in time.
    Silent(&'static str),
    /// It has said something that cannot be read.
    Unreadable(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::NotStarted(program, error) => {
                write!(f, "cannot start {}: {error}", program.display())
            }
            EngineError::Gone => f.write_str("the engine has ended"),
            EngineError::Silent(expected) => write!(f, "the engine has not said '{expected}' in time"),
            EngineError::Unreadable(line) => write!(f, "the engine's line '{line}' cannot be read"),
        }
    }
}

impl std::error::Error for EngineError {}

/// How long a process may take to end by itself after it was told to.
const GRACE: Duration = Duration::from_millis(500);

/// A running program. Dropping it ends it.
pub struct Process {
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
}

impl Process {
    /// Starts a program, in a process group of its own where there are such, so that a Ctrl-C meant for us does not
    /// reach it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(program: PathBuf, arguments: &[OsString]) -> Result<Process, EngineError> {
        let mut command = Command::new(&program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| EngineError::NotStarted(program, error))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Process { child, input, output: lines(output) }),
            _ => Err(EngineError::Gone),
        }
    }

    /// Sends lines in one write.
    ///
    /// # Errors
    /// If the program has closed its input.
    pub fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        self.input.write_all(format!("{lines}\n").as_bytes()).map_err(|_| EngineError::Gone)
    }

    /// The next line, without the white space around it; `expected` says what one waits for.
    ///
    /// # Errors
    /// If none comes before the deadline, or none will ever come.
    pub fn receive(&self, deadline: Instant, expected: &'static str) -> Result<String, EngineError> {
        match self.output.recv_deadline(deadline) {
            Ok(line) => Ok(line.trim().to_string()),
            Err(RecvTimeoutError::Timeout) => Err(EngineError::Silent(expected)),
            Err(RecvTimeoutError::Disconnected) => Err(EngineError::Gone),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.send("quit");
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
