//! One search as all its threads see it: the position, the limits, the signals, and where to report.

use super::Settings;
use super::events::Event;
use super::limits::Limits;
use super::table::Table;
use super::tablebase::Probing;
use super::time::TimeManager;
use crate::board::{History, Position};
use crate::eval::Evaluation;
use crate::tablebase::Tables;
use crate::types::{Depth, Move};
use crossbeam_channel::Sender;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How the owner of a search speaks to it.
pub(super) struct Signals {
    stopped: AtomicBool,
    pondering: AtomicBool,
    started: Instant,
    /// When the opponent played the expected move, in microseconds since the start.
    ponder_hit_at: AtomicU64,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    pub(super) fn new(pondering: bool) -> Signals {
        Signals {
            stopped: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            started: Instant::now(),
            ponder_hit_at: AtomicU64::new(0),
            lock: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// As if the search had begun so long ago.
    #[cfg(test)]
    pub(super) fn begun_before(self, age: Duration) -> Signals {
        Signals { started: self.started.checked_sub(age).unwrap(), ..self }
    }

    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    pub(super) fn stop(&self) {
        let _guard = self.lock.lock();
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    pub(super) fn ponder_hit(&self) {
        let _guard = self.lock.lock();
        // Said without need, or twice, it must not give a running search its time again.
        if !self.is_pondering() {
            return;
        }
        let now = self.started.elapsed().as_micros() as u64;
        self.ponder_hit_at.store(now, Ordering::Relaxed);
        // Who sees this sees the time above as well.
        self.pondering.store(false, Ordering::Release);
        self.changed.notify_all();
    }

    /// True if the search may answer: stopped, or no longer pondering if that was all it waited for.
    fn let_answer(&self, for_stop: bool) -> bool {
        self.is_stopped() || !for_stop && !self.is_pondering()
    }

    /// Sleeps until the search may answer.
    fn wait(&self, for_stop: bool) {
        let mut guard = self.lock.lock();
        while !self.let_answer(for_stop) {
            self.changed.wait(&mut guard);
        }
    }
}

pub(super) struct Job {
    pub(super) position: Position,
    pub(super) history: History,
    pub(super) root_moves: Vec<Move>,
    pub(super) limits: Limits,
    pub(super) settings: Settings,
    pub(super) evaluation: Evaluation,
    pub(super) time: TimeManager,
    pub(super) table: Arc<Table>,
    pub(super) signals: Arc<Signals>,
    /// Tablebases, if there are any.
    pub(super) probing: Option<Probing>,
    /// Nodes searched so far, by thread.
    pub(super) nodes_of: Vec<AtomicU64>,
    iteration: AtomicI32,
    /// The last iteration would have been enough for an answer, had one been due.
    enough: AtomicBool,
    events: Option<Sender<Event>>,
}

impl Job {
    /// A search in a small table of its own by the hand-made evaluation.
    #[cfg(test)]
    pub(super) fn of(position: Position, limits: Limits, settings: Settings, threads: usize) -> Job {
        let history = History::new(&position);
        Job::for_task(super::Task { position, history, limits, events: None }, settings, threads)
    }

    /// The same with what came before and who hears of it.
    #[cfg(test)]
    pub(super) fn for_task(task: super::Task, settings: Settings, threads: usize) -> Job {
        let (table, signals) = (Arc::new(Table::new(1).unwrap()), Arc::new(Signals::new(false)));
        Job::new(task, settings, Evaluation::Classic, table, signals, threads)
    }

    pub(super) fn new(
        task: super::Task,
        settings: Settings,
        evaluation: Evaluation,
        table: Arc<Table>,
        signals: Arc<Signals>,
        threads: usize,
    ) -> Job {
        let super::Task { position, history, limits, events } = task;
        let mut root_moves = position.legal_moves().to_vec();
        if let Some(wanted) = &limits.search_moves {
            root_moves.retain(|mv| wanted.contains(mv));
        }
        let only_move = root_moves.len() == 1 && !settings.analysis;
        let number = position.fullmove_number();
        let time = TimeManager::new(&limits, settings.move_overhead, number, only_move, settings.may_ponder);
        Job {
            position,
            history,
            root_moves,
            limits,
            settings,
            evaluation,
            time,
            table,
            signals,
            probing: None,
            nodes_of: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            iteration: AtomicI32::new(0),
            enough: AtomicBool::new(false),
            events,
        }
    }

    /// Lets the search ask tablebases.
    pub(super) fn use_tables(&mut self, tables: Arc<Tables>) {
        self.probing = Some(Probing::new(tables, &self.settings, &self.position, &self.history));
    }

    /// How many times tablebases have known a position.
    pub(super) fn table_hits(&self) -> u64 {
        self.probing.as_ref().map_or(0, Probing::hits)
    }

    /// Nodes searched by all threads, as far as they have said.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes_of.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.signals.started.elapsed()
    }

    /// Time as the limits count it: on a clock from the beginning, for a fixed time from the end of pondering.
    pub(super) fn charged(&self) -> Duration {
        let waited = Duration::from_micros(self.signals.ponder_hit_at.load(Ordering::Relaxed));
        if self.limits.clock.is_some() { self.elapsed() } else { self.elapsed().saturating_sub(waited) }
    }

    /// True if a limit may end the search: nobody has asked for it to go on until he says so.
    pub(super) fn may_answer(&self) -> bool {
        !self.limits.infinite && !self.signals.is_pondering()
    }

    /// Says whether what has been searched is enough for an answer that is not due yet.
    pub(super) fn note_enough(&self, enough: bool) {
        self.enough.store(enough, Ordering::Relaxed);
    }

    /// True if the hard limit has passed, or the answer is due now after more was searched than it needs.
    pub(super) fn time_is_up(&self) -> bool {
        let late = || self.time.hard().is_some_and(|hard| self.charged() >= hard);
        self.may_answer() && (self.enough.load(Ordering::Relaxed) || late())
    }

    /// True if an answer may be given.
    pub(super) fn answer_is_due(&self) -> bool {
        self.signals.let_answer(self.limits.is_unbounded())
    }

    /// Waits until an answer may be given.
    pub(super) fn wait_until_answer_is_due(&self) {
        self.signals.wait(self.limits.is_unbounded());
    }

    /// The main thread is at this iteration.
    pub(super) fn set_iteration(&self, depth: Depth) {
        self.iteration.store(depth, Ordering::Relaxed);
    }

    /// The iteration that the main thread is at, as a number of plies.
    #[inline(always)]
    pub(super) fn deepest_iteration(&self) -> usize {
        self.iteration.load(Ordering::Relaxed).max(1) as usize
    }

    /// True if anybody wants to hear of the search.
    pub(super) fn is_heard(&self) -> bool {
        self.events.is_some()
    }

    /// Reports; nobody listening is no reason to fail.
    pub(super) fn tell(&self, event: Event) {
        if let Some(events) = &self.events {
            let _ = events.send(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Task;
    use super::super::limits::ClockTime;
    use super::super::time::Trend;
    use super::*;

    fn job(position: Position, limits: Limits, settings: Settings, signals: Arc<Signals>) -> Job {
        let task = Task { position, history: History::new(&position), limits, events: None };
        Job::new(task, settings, Evaluation::Classic, Arc::new(Table::new(1).unwrap()), signals, 1)
    }

    #[test]
    fn an_only_move_is_played_soon_and_analysed_as_long_as_any() {
        let minute = Duration::from_secs(60);
        let clock = ClockTime { left: minute, increment: Duration::ZERO, moves_to_go: None };
        let is_enough = |fen: &str, analysis| {
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let settings = Settings { analysis, ..Settings::default() };
            let job = job(Position::from_fen(fen).unwrap(), limits, settings, Arc::new(Signals::new(false)));
            job.time.is_enough(Duration::from_millis(200), &Trend::default())
        };
        let only = "k7/2Q5/8/8/8/p7/8/7K b - - 0 1";
        assert!(is_enough(only, false) && !is_enough(only, true));
        assert!(!is_enough("k7/8/8/8/8/p7/8/7K b - - 0 1", false));
    }

    #[test]
    fn enough_searched_before_the_hit_is_answered_at_the_hit() {
        let position = Position::default();
        let hour = Duration::from_secs(3_600);
        let clock = ClockTime { left: hour, increment: Duration::ZERO, moves_to_go: None };
        for enough in [false, true] {
            let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
            let signals = Arc::new(Signals::new(true));
            let job = job(position, limits, Settings::default(), signals.clone());
            job.note_enough(enough);
            assert!(!job.time_is_up(), "the opponent still thinks");
            signals.ponder_hit();
            assert_eq!(job.time_is_up(), enough);
        }
    }

    #[test]
    fn on_a_clock_the_time_of_pondering_counts_and_for_a_fixed_time_it_does_not() {
        let minute = Duration::from_secs(60);
        let charged = |limits: Limits| {
            let signals = Arc::new(Signals::new(true).begun_before(minute));
            let limits = Limits { ponder: true, ..limits };
            let job = job(Position::default(), limits, Settings::default(), signals.clone());
            signals.ponder_hit();
            job.charged()
        };
        let clock = ClockTime { left: 60 * minute, increment: Duration::ZERO, moves_to_go: None };
        assert!(charged(Limits { clock: Some(clock), ..Limits::default() }) >= minute);
        assert!(charged(Limits { move_time: Some(60 * minute), ..Limits::default() }) < minute);
    }

    #[test]
    fn what_is_enough_is_what_the_last_iteration_says() {
        let limits =
            Limits { move_time: Some(Duration::from_secs(3_600)), ponder: true, ..Limits::default() };
        let signals = Arc::new(Signals::new(true));
        let job = job(Position::default(), limits, Settings::default(), signals.clone());
        job.note_enough(true);
        // The next one has found a better move.
        job.note_enough(false);
        signals.ponder_hit();
        assert!(!job.time_is_up());
    }

    #[test]
    fn the_time_is_planned_with_what_was_set_and_the_number_of_the_move() {
        let clock =
            ClockTime { left: Duration::from_secs(60), increment: Duration::from_secs(1), moves_to_go: None };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let late = Position::from_fen("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 31").unwrap();
        for (position, overhead, may_ponder) in
            [(Position::default(), 500, false), (Position::default(), 20, true), (late, 0, false)]
        {
            let move_overhead = Duration::from_millis(overhead);
            let settings = Settings { move_overhead, may_ponder, ..Settings::default() };
            let job = job(position, limits.clone(), settings, Arc::new(Signals::new(false)));
            let number = position.fullmove_number();
            assert_eq!(job.time, TimeManager::new(&limits, move_overhead, number, false, may_ponder));
        }
    }

    #[test]
    fn the_nodes_are_those_of_all_threads() {
        let job = Job::of(Position::default(), Limits::default(), Settings::default(), 3);
        job.nodes_of.iter().zip([5, 30, 200]).for_each(|(of, nodes)| of.store(nodes, Ordering::Relaxed));
        assert_eq!(job.nodes(), 235);
    }
}
