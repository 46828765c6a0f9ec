//! The search: position and limits in, events out.
//!
//! [`Searcher`] is the whole interface, and [`Solo`] for who searches position after position on a thread of his own.
//! Inside, `pool` has the threads, `driver` deepens, `node`, `moves` and `qsearch` are the tree, `picker`, `history` and
//! `context` order the moves, `table` remembers, `tablebase` asks Syzygy's, `time` budgets. Knows the evaluation; does not
//! know UCI, and prints nothing.

pub mod bench;
mod context;
mod driver;
mod events;
mod history;
mod job;
mod limits;
mod mate;
mod moves;
mod node;
pub mod params;
mod picker;
mod pool;
mod pv;
mod qsearch;
mod solo;
mod strength;
mod table;
mod tablebase;
mod time;
mod worker;

/// For [`Task::events`]: the ends of a channel, and how one is made.
pub use crossbeam_channel::{Receiver, Sender, unbounded};
pub use events::{Event, Info};
pub use limits::{ClockTime, Limits};
pub use node::cannot_win;
pub use solo::{Found, Solo};
pub use strength::{FULL_SKILL, MAX_ELO, MIN_ELO, elo_of_skill};
pub use table::{Bound, Table, TableTooLarge};

use crate::board::{History, Position};
use crate::eval::Evaluation;
use crate::tablebase::{Tables, TablesError};
use crate::types::Depth;
use job::{Job, Signals};
use pool::Pool;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

/// How to search, whatever the position.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many lines to find.
    pub multi_pv: usize,
    /// What each move loses between the engine and the clock.
    pub move_overhead: Duration,
    /// The opponent's time may be used too.
    pub may_ponder: bool,
    /// The result is for a person to read: no playing tricks with time or strength.
    pub analysis: bool,
    /// Play at this rating instead of as well as possible.
    pub elo: Option<u32>,
    /// Positions of the tree with as many pieces as the largest that are looked up at all are looked up from this depth on, in
    /// plies.
    pub probe_depth: Depth,
    /// Positions with more pieces, kings and pawns among them, are not looked up.
    pub probe_limit: u32,
    /// Wins that the fifty-move rule takes away are draws to tablebases.
    pub fifty_moves: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            move_overhead: Duration::from_millis(20),
            may_ponder: false,
            analysis: false,
            elo: None,
            probe_depth: 1,
            probe_limit: 7,
            fifty_moves: true,
        }
    }
}

/// One thing to search.
#[derive(Debug)]
pub struct Task {
    /// The root.
    pub position: Position,
    /// The game up to and including the root.
    pub history: History,
    /// When to stop.
    pub limits: Limits,
    /// Where the events go, if anybody listens. Unbounded, or somebody reads all of it: the search waits where nobody does, and
    /// so do those who wait for its end.
    pub events: Option<Sender<Event>>,
}

/// Why there is no searcher.
#[derive(Debug)]
pub enum SearcherError {
    /// Not the memory for its table.
    Table(TableTooLarge),
    /// Not one thread, or not the memory for what it learns.
    Threads(io::Error),
}

impl fmt::Display for SearcherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearcherError::Table(error) => error.fmt(f),
            SearcherError::Threads(error) => write!(f, "a thread to search in cannot be had: {error}"),
        }
    }
}

impl std::error::Error for SearcherError {}

/// Threads and memory for one search at a time.
pub struct Searcher {
    pool: Pool,
    table: Arc<Table>,
    evaluation: Evaluation,
    tables: Option<Arc<Tables>>,
    /// Where they were looked for.
    tables_path: String,
    running: Option<Arc<Signals>>,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher")
            .field("evaluation", &self.evaluation)
            .field("tables_path", &self.tables_path)
            .finish_non_exhaustive()
    }
}

impl Searcher {
    /// A searcher with a table of `megabytes` and so many threads, and the program's own evaluation. Table and
    /// histories have been touched, so that the first search need not wait for their memory.
    ///
    /// # Errors
    /// If the system has not got the memory or not even one thread.
    pub fn new(megabytes: usize, threads: usize) -> Result<Searcher, SearcherError> {
        let table = Arc::new(Table::new(megabytes).map_err(SearcherError::Table)?);
        let pool = Pool::new(threads).map_err(SearcherError::Threads)?;
        let mut searcher = Searcher {
            pool,
            table,
            evaluation: Evaluation::default(),
            tables: None,
            tables_path: String::new(),
            running: None,
        };
        searcher.new_game();
        Ok(searcher)
    }

    /// Begins to search; returns at once. Ends the search that runs, whose `Finished` comes first.
    pub fn start(&mut self, task: Task, settings: Settings) {
        // Else nobody could any more, and this one would wait for its turn for ever.
        self.stop();
        let signals = Arc::new(Signals::new(task.limits.ponder));
        self.table.new_search();
        let threads = self.pool.threads();
        let mut job =
            Job::new(task, settings, self.evaluation.clone(), self.table.clone(), signals.clone(), threads);
        if let Some(tables) = &self.tables {
            job.use_tables(tables.clone());
        }
        self.running = Some(signals);
        self.pool.start(&Arc::new(job));
    }

    /// Tells the search to answer now.
    pub fn stop(&self) {
        if let Some(signals) = &self.running {
            signals.stop();
        }
    }

    /// Tells the search that the opponent has played the move that it pondered on.
    pub fn ponder_hit(&self) {
        if let Some(signals) = &self.running {
            signals.ponder_hit();
        }
    }

    /// Ends the search that runs, if one does, and waits for its end.
    fn end(&mut self) {
        if let Some(signals) = self.running.take() {
            signals.stop();
            self.pool.rest();
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Changes the number of threads and returns how many there are now: fewer than asked for if the system has no
    /// more. Ends the search that runs.
    pub fn set_threads(&mut self, threads: usize) -> usize {
        self.end();
        // Clients tell it again and again, and what was learnt is kept.
        if threads != self.pool.threads()
            && let Ok(pool) = Pool::new(threads)
        {
            self.pool = pool;
            // Answered when they have made their memory.
            self.pool.forget();
        }
        self.pool.threads()
    }

    /// What gives positions their values.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Changes what gives positions their values, and forgets everything that was learned with another. Ends the search
    /// that runs.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.end();
        if !self.evaluation.is(&evaluation) {
            self.evaluation = evaluation;
            self.new_game();
        }
    }

    /// Opens endgame tablebases in place of those that were open, or closes these if there is nothing in `paths`, and
    /// forgets everything that was learned with others. Ends the search that runs.
    ///
    /// Tables that are open already stay so, as they were when they were opened.
    ///
    /// # Errors
    /// If they cannot be opened; then there are none.
    pub fn open_tables(&mut self, paths: &str) -> Result<Option<&Tables>, TablesError> {
        self.end();
        if paths == self.tables_path && (paths.is_empty() || self.tables.is_some()) {
            // Clients tell it again and again, and what was learnt is kept.
            return Ok(self.tables.as_deref());
        }
        paths.clone_into(&mut self.tables_path);
        // Threads that have answered this have let go of the old ones.
        self.new_game();
        self.tables = None;
        if !paths.is_empty() {
            self.tables = Some(Arc::new(Tables::open(paths)?));
        }
        Ok(self.tables.as_deref())
    }

    /// The size of the table in mebibytes.
    pub fn hash_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Changes the size of the table, which is then empty. Ends the search that runs.
    ///
    /// # Errors
    /// If the machine has not got the memory; the old table stays.
    pub fn resize_hash(&mut self, megabytes: usize) -> Result<(), TableTooLarge> {
        self.end();
        if megabytes != self.hash_megabytes() {
            self.table = Arc::new(Table::in_place_of(self.hash_megabytes(), megabytes)?);
            self.clear_hash();
        }
        Ok(())
    }

    /// Empties the table. Ends the search that runs.
    pub fn clear_hash(&mut self) {
        self.end();
        self.table.clear(self.pool.threads());
    }

    /// Forgets everything that was learned. Ends the search that runs.
    pub fn new_game(&mut self) {
        self.clear_hash();
        self.pool.forget();
    }
}

impl Drop for Searcher {
    /// Ends a search that still runs.
    fn drop(&mut self) {
        self.stop();
    }
}
