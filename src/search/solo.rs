//! Searching on the caller's own thread, for programs that search position after position: nobody listens, nothing is
//! waited for, and no clock runs.

use super::history::Histories;
use super::job::{Job, Signals};
use super::worker::Worker;
use super::{Limits, Settings, Table, TableTooLarge, Task};
use crate::board::{History, Position};
use crate::eval::Evaluation;
use crate::types::{Depth, Move, Score};
use parking_lot::Mutex;
use std::fmt;
use std::sync::Arc;

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best move.
    pub best: Move,
    /// The value for the side to move.
    pub score: Score,
    /// The last iteration, in plies.
    pub depth: Depth,
    /// Nodes searched.
    pub nodes: u64,
}

/// A search with a table of its own. The same positions with the same limits by nodes or depth in the same order give
/// the same results.
pub struct Solo {
    evaluation: Evaluation,
    table: Arc<Table>,
    histories: Histories,
    running: Arc<Mutex<Running>>,
}

/// What there is to stop.
#[derive(Default)]
struct Running {
    /// The search, or the last one.
    signals: Option<Arc<Signals>>,
    is_stopped: bool,
}

impl fmt::Debug for Solo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solo").field("evaluation", &self.evaluation).finish_non_exhaustive()
    }
}

impl Solo {
    /// What a thread that searches needs of stack.
    pub const STACK_BYTES: usize = super::pool::STACK_BYTES;

    /// A search with a table of `megabytes` and this evaluation.
    ///
    /// # Errors
    /// If the machine has not got the memory.
    pub fn new(megabytes: usize, evaluation: Evaluation) -> Result<Solo, TableTooLarge> {
        let (table, running) = (Arc::new(Table::new(megabytes)?), Arc::default());
        Ok(Solo { evaluation, table, histories: Histories::new(), running })
    }

    /// Ends the search that runs, from any thread, and each later one as soon as it has a move. What they find is of no use
    /// by then.
    pub fn stopper(&self) -> impl Fn() + Send + use<> {
        let running = self.running.clone();
        move || {
            let mut running = running.lock();
            running.is_stopped = true;
            running.signals.iter().for_each(|signals| signals.stop());
        }
    }

    /// True once it has been stopped: what it has found since, and the last search too, may be of no use.
    pub fn is_stopped(&self) -> bool {
        self.running.lock().is_stopped
    }

    /// How the search that begins is spoken to.
    fn signals(&self) -> Arc<Signals> {
        let signals = Arc::new(Signals::new(false));
        let mut running = self.running.lock();
        if running.is_stopped {
            signals.stop();
        }
        running.signals = Some(signals.clone());
        signals
    }

    /// Forgets everything.
    pub fn new_game(&mut self) {
        self.table.clear(1);
        self.histories.clear();
    }

    /// Searches within `limits`, which must not be without bounds; `history` is the game up to and including `position`.
    /// `None` if there is no legal move.
    pub fn search(&mut self, position: &Position, history: &History, limits: Limits) -> Option<Found> {
        debug_assert!(!limits.is_unbounded(), "nobody could stop it");
        self.table.new_search();
        let task = Task { position: *position, history: history.clone(), limits, events: None };
        let signals = self.signals();
        let job =
            Job::new(task, Settings::default(), self.evaluation.clone(), self.table.clone(), signals, 1);
        if job.root_moves.is_empty() {
            return None;
        }
        let mut worker = Worker::new(0, &job, &mut self.histories);
        let outcome = worker.iterate();
        let best = outcome.lines.first()?;
        Some(Found { best: best.mv, score: best.score, depth: outcome.depth, nodes: worker.nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_game_is_searched_as_the_first_one_was() {
        let mut solo = Solo::new(1, Evaluation::Classic).unwrap();
        let start = Position::default();
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let mut search = |anew: bool| {
            if anew {
                solo.new_game();
            }
            solo.search(&start, &History::new(&start), limits.clone()).unwrap()
        };
        let first = search(false);
        assert_ne!(search(false).nodes, first.nodes, "what was learnt");
        assert_eq!(search(true), first);
        // The table alone would forget the position, and so would the histories.
        solo.table.clear(1);
        assert_ne!(solo.search(&start, &History::new(&start), limits).unwrap().nodes, first.nodes);
    }

    #[test]
    fn what_runs_and_what_comes_later_is_stopped() {
        let start = Position::default();
        let mut solo = Solo::new(1, Evaluation::Classic).unwrap();
        let stop = solo.stopper();
        let mut nodes = |most| {
            solo.search(&start, &History::new(&start), Limits { nodes: Some(most), ..Limits::default() })
        };
        assert_eq!(nodes(60_000).unwrap().nodes, 60_000);
        let most = 30_000_000;
        let running = std::thread::scope(|scope| {
            scope.spawn(&stop);
            nodes(most)
        });
        assert!(running.unwrap().nodes < most && nodes(60_000).unwrap().nodes < 30_000);
    }

    #[test]
    fn the_game_before_counts() {
        // The rooks have gone to and fro twice: whoever goes back once more has a draw, and Black has nothing better.
        let mut position = Position::from_fen("7k/8/8/8/8/8/8/RR5K w - - 0 1").unwrap();
        let mut history = History::new(&position);
        let one = |from, to| Move::normal(from, to);
        use crate::types::Square::{A1, A2, G8, H8};
        let shuffle = [one(A1, A2), one(H8, G8), one(A2, A1), one(G8, H8)];
        for &mv in [shuffle, shuffle].concat().iter().take(7) {
            position = position.after(mv);
            history.push(&position);
        }
        let mut solo = Solo::new(1, Evaluation::Classic).unwrap();
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let found = solo.search(&position, &history, limits.clone()).unwrap();
        assert_eq!((found.best, found.score), (one(G8, H8), Score::DRAW));
        solo.new_game();
        assert!(solo.search(&position, &History::new(&position), limits).unwrap().score < Score::DRAW);
    }
}
