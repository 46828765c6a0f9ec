//! Counting lines of moves and measuring the speed, in a thread of its own: what it says comes when it is done.

use crate::board::Position;
use crate::eval::Evaluation;
use crate::movegen::perft::{PerftOptions, divide, total};
use crate::notation::uci_move::to_uci;
use crate::search::bench::{self, BenchOptions};
use crossbeam_channel::Receiver;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A count that has begun.
pub(super) struct Count {
    /// Says all lines at once, then nothing more.
    pub lines: Receiver<Vec<String>>,
    stop: Arc<AtomicBool>,
}

impl Count {
    /// `go perft`.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub fn perft(position: Position, depth: u32, chess960: bool) -> io::Result<Count> {
        Count::start(move |stop| {
            let counts = divide(&position, depth, PerftOptions::default(), stop);
            if stop.load(Ordering::Relaxed) {
                return vec!["info string stopped before the count was done".to_string()];
            }
            let total = if depth == 0 { 1 } else { total(counts.iter().map(|(_, nodes)| *nodes)) };
            let line = |&(mv, nodes): &_| format!("{}: {nodes}", to_uci(mv, &position, chess960));
            let mut lines: Vec<String> = counts.iter().map(line).collect();
            // Libraries that read Stockfish wait for the empty line behind it.
            lines.push(format!("\nNodes searched: {total}\n"));
            lines
        })
    }

    /// `bench`; `current` is the position on the board.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub fn bench(options: BenchOptions, current: Position, evaluation: Evaluation) -> io::Result<Count> {
        Count::start(move |stop| match bench::run(&options, &current, &evaluation, stop, |_| {}) {
            Ok(_) if stop.load(Ordering::Relaxed) => {
                vec!["info string stopped before the bench was done".to_string()]
            }
            Ok(result) => result.lines(&options),
            Err(error) => vec![format!("info string ERROR: {error}")],
        })
    }

    fn start(work: impl FnOnce(&AtomicBool) -> Vec<String> + Send + 'static) -> io::Result<Count> {
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, lines) = crossbeam_channel::unbounded();
        let flag = stop.clone();
        let run = move || {
            let _ = sender.send(work(&flag));
        };
        std::thread::Builder::new().name("count".into()).spawn(run)?;
        Ok(Count { lines, stop })
    }

    /// Lets it end soon, with the word that it was not done.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
