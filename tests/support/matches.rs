//! Matches as their users run them: a command line, what it prints, and the files that it leaves.

use super::engine;
use super::folder::Folder;
use super::mock::mock_engine;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// After so long a match hangs. No test measures time; this only keeps one from waiting for ever.
const PATIENCE: Duration = Duration::from_secs(600);

/// A folder of its own for a match, removed in the end.
pub struct Scene {
    pub folder: Folder,
}

/// What came of a match.
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Scene {
    pub fn new() -> Scene {
        Scene { folder: Folder::new("match") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// A program of a few lines of shell.
    pub fn write_program(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(self.path(name)).status().unwrap().success());
    }

    /// The words that make the test engine a player: `mode` with its switches.
    pub fn player(&self, name: &str, mode: &str) -> Vec<String> {
        let mock = mock_engine();
        let words =
            ["-engine", &format!("cmd={}", mock.display()), &format!("name={name}")].map(String::from);
        // Each start tells its process, so that one can see whether all have ended; and what it was sent.
        let log = format!("{name}.log");
        words.into_iter().chain([format!("args={mode} --pids pids --log {log}")]).collect()
    }

    /// A match in this folder of which nothing has been said yet.
    pub fn bare(&self) -> Command {
        let mut command = engine::command();
        command.current_dir(&self.folder).stdin(Stdio::null()).arg("match");
        command
    }

    /// A command line: two players, and what is given in `words`, parted by blanks. Unless they name the Laws, games are
    /// played by the habits of engine testers.
    pub fn command(&self, white: &str, black: &str, words: &str) -> Command {
        let mut command = self.bare();
        command.args(self.player("A", white)).args(self.player("B", black)).args(words.split_whitespace());
        if !words.contains("-laws") {
            command.args(["-laws", "engine"]);
        }
        command
    }

    /// Plays a match to its end.
    pub fn play(&self, white: &str, black: &str, words: &str) -> Ended {
        finish(self.command(white, black, words).spawn().unwrap())
    }

    /// Waits until every process of the test engine has ended, and its children.
    pub fn assert_all_gone(&self) {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let pids = self.read("pids");
            let alive: Vec<&str> = pids.lines().filter(|pid| is_alive(pid)).collect();
            if alive.is_empty() {
                assert!(!pids.is_empty(), "no engine was started");
                return;
            }
            assert!(Instant::now() < deadline, "still running: {alive:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Fails if the test engine saw anything in what it was sent that UCI does not allow.
    pub fn assert_well_spoken(&self) {
        for name in ["A.log", "B.log"] {
            let log = self.read(name);
            assert!(log.contains("[start ") && !log.contains("[wrong]"), "{name}: {log}");
        }
    }
}

/// Waits for the end of a match.
pub fn finish(mut child: Child) -> Ended {
    let deadline = Instant::now() + PATIENCE;
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let read = |source: &mut dyn std::io::Read| {
        let mut text = String::new();
        source.read_to_string(&mut text).unwrap();
        text
    };
    let stderr = std::thread::spawn(move || read(&mut err));
    let stdout = std::thread::spawn(move || read(&mut out));
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if Instant::now() > deadline => {
                let _ = child.kill();
                panic!("the match hangs");
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    Ended { code: status.code(), stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

/// What a process does, as a letter (proc(5)); none if it is not there.
pub fn state(pid: &str) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).ok()?;
    stat.rsplit(')').next()?.trim_start().chars().next()
}

/// True if the process runs; one that has ended and is not waited for does not.
pub fn is_alive(pid: &str) -> bool {
    state(pid).is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// The games of a PGN file.
pub fn games(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut games: Vec<String> = text.split("[Event ").skip(1).map(|game| format!("[Event {game}")).collect();
    assert!(text.is_empty() || text.ends_with("\n\n"), "torn: {text}");
    games.sort_by_key(|game| tag(game, "Round").rsplit('.').next().unwrap().parse::<u64>().unwrap());
    games
}

/// The day on which a game began, as the calendar has it where clocks are so many hours before UTC.
pub fn day_in(game: &str, hours: i8) -> String {
    let began: jiff::Timestamp = tag(game, "GameStartTime").parse().unwrap();
    let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(hours));
    began.to_zoned(zone).strftime("%Y.%m.%d").to_string()
}

/// The value of a tag.
pub fn tag(game: &str, name: &str) -> String {
    let start = format!("[{name} \"");
    let line = game.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_default();
    line.trim_end_matches("\"]").to_string()
}

/// Players, result and moves: what is the same whenever the same game is played.
pub fn essence(game: &str) -> String {
    let mut moves = String::new();
    let mut in_comment = false;
    for letter in game.split("]\n\n").last().unwrap_or_default().chars() {
        match letter {
            '{' => in_comment = true,
            '}' => in_comment = false,
            _ if !in_comment => moves.push(letter),
            _ => {}
        }
    }
    let words = moves.split_whitespace().filter(|word| !word.ends_with('.')).collect::<Vec<_>>().join(" ");
    format!("{} {} {} {words}", tag(game, "White"), tag(game, "Black"), tag(game, "FEN"))
}
