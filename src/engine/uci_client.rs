//! The client's side of UCI.

use super::process::{EngineError, Process};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long an engine may take to get ready.
const PATIENCE: Duration = Duration::from_secs(10);

/// Clocks as they are sent with `go`.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// What White has left.
    pub white: Duration,
    /// What Black has left.
    pub black: Duration,
    /// What each move adds to either.
    pub increment: Duration,
}

/// What an engine answered to `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move as it was written.
    pub best: String,
    /// The last score, as `cp` or `mate` with its number, in words of the protocol.
    pub score: Option<(ScoreKind, i32)>,
    /// The depth of that score, in plies.
    pub depth: u32,
    /// How long it took, from sending to receiving.
    pub time: Duration,
}

/// What the number of a score means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreKind {
    /// Hundredths of a pawn.
    Centipawns,
    /// Moves to mate.
    Mate,
}

/// An engine that has said `uciok`.
pub struct UciClient {
    process: Process,
    name: String,
}

impl UciClient {
    /// Starts an engine and waits until it is ready.
    ///
    /// # Errors
    /// If it cannot be started or does not greet in time.
    pub fn start(program: PathBuf, arguments: &[OsString]) -> Result<UciClient, EngineError> {
        let mut client = UciClient { process: Process::start(program, arguments)?, name: "?".into() };
        client.process.send("uci")?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let line = client.process.receive(deadline, "uciok")?;
            if let Some(name) = line.strip_prefix("id name ") {
                client.name = name.to_string();
            }
            if line == "uciok" {
                break;
            }
        }
        client.wait_until_ready()?;
        Ok(client)
    }

    /// What it calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Another game begins.
    ///
    /// # Errors
    /// If the engine is gone or does not get ready.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.process.send("ucinewgame")?;
        self.wait_until_ready()
    }

    fn wait_until_ready(&mut self) -> Result<(), EngineError> {
        self.process.send("isready")?;
        let deadline = Instant::now() + PATIENCE;
        while self.process.receive(deadline, "readyok")? != "readyok" {}
        Ok(())
    }

    /// Lets it think about the position after `moves` (in UCI notation) from `fen`, until `patience` has passed.
    ///
    /// # Errors
    /// If it is gone or gives no move in time.
    pub fn think(
        &mut self,
        fen: &str,
        moves: &[String],
        clocks: Clocks,
        patience: Duration,
    ) -> Result<Answer, EngineError> {
        let Clocks { white, black, increment } = clocks;
        let increment = increment.as_millis();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let started = Instant::now();
        self.process.send(&format!(
            "position fen {fen}{moves}\ngo wtime {} btime {} winc {increment} binc {increment}",
            white.as_millis(),
            black.as_millis()
        ))?;
        let (mut score, mut depth) = (None, 0);
        loop {
            let line = self.process.receive(started + patience, "bestmove")?;
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words[..] {
                ["bestmove", best, ..] => {
                    return Ok(Answer { best: best.to_string(), score, depth, time: started.elapsed() });
                }
                ["bestmove"] => return Err(EngineError::Unreadable(line)),
                ["info", ..] => {
                    if let Some((kind, number)) = read_score(&words) {
                        score = Some((kind, number));
                        depth =
                            read_after(&words, "depth").and_then(|word| word.parse().ok()).unwrap_or(depth);
                    }
                }
                _ => {}
            }
        }
    }
}

fn read_after<'a>(words: &[&'a str], word: &str) -> Option<&'a str> {
    let at = words.iter().position(|&other| other == word)?;
    words.get(at + 1).copied()
}

fn read_score(words: &[&str]) -> Option<(ScoreKind, i32)> {
    let at = words.iter().position(|&word| word == "score")?;
    let kind = match *words.get(at + 1)? {
        "cp" => ScoreKind::Centipawns,
        "mate" => ScoreKind::Mate,
        _ => return None,
    };
    Some((kind, words.get(at + 2)?.parse().ok()?))
}
