//! The bench: a fixed set of positions searched to a fixed depth. With one thread the number of nodes is a signature of
//! the search, equal on every machine; the time says how fast this one is.

use super::{Event, Limits, Searcher, Settings, Task};
use crate::board::{Board, History, Position};
use crossbeam_channel::unbounded;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Openings, middle games and endgames.
const POSITIONS: [&str; 1] = [Board::START_FEN];

/// What to bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchOptions {
    /// Depth of each search, in plies.
    pub depth: u32,
    /// Search threads; the signature holds for one.
    pub threads: u32,
    /// Size of the table in mebibytes.
    pub hash: u32,
}

impl Default for BenchOptions {
    fn default() -> BenchOptions {
        BenchOptions { depth: 13, threads: 1, hash: 16 }
    }
}

impl BenchOptions {
    /// The numbers of the command `bench [depth] [threads] [hash]`, as far as they are given.
    pub fn from_numbers(numbers: &[u32]) -> BenchOptions {
        let at = |index: usize, default| numbers.get(index).copied().unwrap_or(default).max(1);
        let BenchOptions { depth, threads, hash } = BenchOptions::default();
        BenchOptions { depth: at(0, depth), threads: at(1, threads), hash: at(2, hash) }
    }
}

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes searched in all positions.
    pub nodes: u64,
    /// Time that took.
    pub time: Duration,
}

impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64().max(1e-9);
        write!(f, "{} nodes {} nps", self.nodes, (self.nodes as f64 / seconds) as u64)
    }
}

/// Searches all positions, each with an empty memory; tells `progress` after each. Ends early once `stop` is set.
///
/// # Errors
/// If the system has not got the memory or the threads.
pub fn run(
    options: BenchOptions,
    stop: &AtomicBool,
    mut progress: impl FnMut(&str),
) -> Result<BenchResult, Box<dyn std::error::Error>> {
    let mut searcher = Searcher::new(options.hash as usize, options.threads as usize)?;
    let mut result = BenchResult { nodes: 0, time: Duration::ZERO };
    for (index, fen) in POSITIONS.iter().enumerate() {
        let position = Position::from_fen(fen)?;
        searcher.new_game();
        let (sender, events) = unbounded();
        let limits = Limits { depth: Some(options.depth as i32), ..Limits::default() };
        let start = Instant::now();
        let task = Task { position, history: History::new(&position), limits, events: sender };
        searcher.start(task, Settings::default());
        let mut nodes = 0;
        for event in events {
            if let Event::Info(info) = event {
                nodes = info.nodes;
            }
            if stop.load(Ordering::Relaxed) {
                searcher.stop();
            }
        }
        result.time += start.elapsed();
        result.nodes += nodes;
        progress(&format!("position {}/{}: {nodes} nodes, {fen}", index + 1, POSITIONS.len()));
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(result)
}
