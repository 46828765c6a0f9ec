//! The engine as its clients see it: a process with two pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// After so long without a line something hangs. No test measures time; this only keeps one from waiting for ever.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Engine {
    /// Starts the engine and waits for its first line.
    pub fn start() -> Engine {
        let engine = Engine::start_with(&mut command());
        let banner = engine.next().expect("a first line");
        assert!(banner.starts_with("Adoube ") && banner.contains(" by ") && banner.is_ascii(), "{banner}");
        engine
    }

    /// Starts `command` and waits for nothing.
    pub fn start_with(command: &mut Command) -> Engine {
        let mut child = command.spawn().expect("the engine starts");
        let output = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if sender.send(line.expect("UTF-8 from the engine")).is_err() {
                    break;
                }
            }
        });
        Engine { input: child.stdin.take(), child, lines }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine listens");
    }

    /// Sends lines; the last one needs no line end.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// The next line, or `None` at the end of the output.
    pub fn next(&self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine is silent"),
        }
    }

    /// The lines up to and with the first one that begins with `prefix`.
    pub fn until(&self, prefix: &str) -> Vec<String> {
        let mut lines = vec![];
        loop {
            let line =
                self.next().unwrap_or_else(|| panic!("the engine ended before '{prefix}': {lines:#?}"));
            let found = line.starts_with(prefix);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// What comes before the answer to `isready`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends lines and returns what comes back before `readyok`. For what is answered at once.
    pub fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.sync()
    }

    /// Sends lines and returns everything up to the next `bestmove`.
    pub fn go(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.until("bestmove")
    }

    /// Sends lines that start a search, and gives it the time to answer too early.
    pub fn go_and_wait(&mut self, text: &str) -> Vec<String> {
        let mut lines = self.ask(text);
        std::thread::sleep(Duration::from_millis(60));
        lines.extend(self.sync());
        assert_eq!(best_moves(&lines), [""; 0], "'{text}' is answered before its time: {lines:#?}");
        lines
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The rest of the output and how the process ended.
    pub fn end(mut self) -> (Vec<String>, ExitStatus) {
        let mut lines = vec![];
        while let Some(line) = self.next() {
            lines.push(line);
        }
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (lines, status);
            }
            assert!(begin.elapsed() < PATIENCE, "the engine has closed its output and goes on");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends it and returns what it still had to say. It must end well, and have kept silent on stderr.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        let mut errors = self.child.stderr.take().unwrap();
        let (lines, status) = self.end();
        assert!(status.success(), "{status}");
        let complaints = std::io::read_to_string(&mut errors).unwrap();
        assert_eq!(complaints, "");
        lines
    }
}

impl Drop for Engine {
    /// A test that fails leaves no process behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The moves of the `bestmove` lines.
pub fn best_moves(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("bestmove ")?.split(' ').next()).collect()
}

/// The one `bestmove` of an answer.
pub fn best_move(lines: &[String]) -> &str {
    match best_moves(lines)[..] {
        [best] => best,
        ref found => panic!("{found:?} in {lines:#?}"),
    }
}

/// True if some line holds `text`.
pub fn says(lines: &[String], text: &str) -> bool {
    lines.iter().any(|line| line.contains(text))
}
