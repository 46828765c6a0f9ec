//! The threads that search. They sleep on a channel between searches and share only the table and the signals
//! (Lazy SMP, <https://www.chessprogramming.org/Lazy_SMP>).

use super::driver::{Outcome, elect};
use super::events::{Event, Info};
use super::history::Histories;
use super::job::Job;
use super::pv::is_drawn;
use super::table::Bound;
use super::worker::Worker;
use crate::types::{Move, Score};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// A line of the deepest search takes a few kilobytes of stack a ply.
pub(super) const STACK_BYTES: usize = 16 << 20;

enum Order {
    /// The main thread's part of a search; the others' outcomes come over the channel, which ends with them.
    Lead(Arc<Job>, Receiver<Outcome>),
    /// A helper's part.
    Help(Arc<Job>, Sender<Outcome>),
    /// Forget what was learned; answer when done.
    Forget(Sender<()>),
    /// Answer when all that was ordered before is done.
    Rest(Sender<()>),
}

pub(super) struct Pool {
    orders: Vec<Sender<Order>>,
    handles: Vec<JoinHandle<()>>,
}

impl Pool {
    /// At least one thread, and as many as wanted if the system has them and the memory for what each learns.
    pub(super) fn new(threads: usize) -> std::io::Result<Pool> {
        let spawn = |id: usize| {
            let ((order, orders), (begun, begins)) = (unbounded(), bounded(1));
            let thread = std::thread::Builder::new().name(format!("search-{id}")).stack_size(STACK_BYTES);
            let handle = thread.spawn(move || {
                // Where the memory ends this thread ends too, and its sender with it.
                if let Some(histories) = Histories::try_new() {
                    let _ = begun.send(());
                    serve(id, histories, &orders);
                }
            })?;
            Ok((order, begins, handle))
        };
        // First all of them: each fills its own memory.
        let spawned: Vec<std::io::Result<_>> = (0..threads.max(1)).map(spawn).collect();
        let mut pool = Pool { orders: vec![], handles: vec![] };
        for thread in spawned {
            let begun = thread.and_then(|(order, begins, handle): (_, Receiver<()>, _)| {
                let begun = begins.recv().map(|()| (order, handle));
                begun.map_err(|_| std::io::ErrorKind::OutOfMemory.into())
            });
            match begun {
                Ok((order, handle)) => {
                    pool.orders.push(order);
                    pool.handles.push(handle);
                }
                Err(error) if pool.orders.is_empty() => return Err(error),
                // Fewer threads than wanted; the owner can count them.
                Err(_) => break,
            }
        }
        Ok(pool)
    }

    pub(super) fn threads(&self) -> usize {
        self.orders.len()
    }

    /// Sets all threads to work; the main one reports when they are done.
    pub(super) fn start(&self, job: &Arc<Job>) {
        let Some((main, helpers)) = self.orders.split_first() else { return };
        let (report, outcomes) = unbounded();
        // A strength is one of so many nodes, which helpers would add to.
        let helpers = if job.settings.elo.is_some() { &[] } else { helpers };
        // First who looks at the clock: where there are fewer processors than threads he would wait for the others.
        let _ = main.send(Order::Lead(job.clone(), outcomes));
        for helper in helpers {
            let _ = helper.send(Order::Help(job.clone(), report.clone()));
        }
    }

    /// Clears what the threads learned; waits for them.
    pub(super) fn forget(&self) {
        self.order_all(Order::Forget);
    }

    /// Waits until the threads have nothing more to do.
    pub(super) fn rest(&self) {
        self.order_all(Order::Rest);
    }

    /// Orders the same of all threads, and waits for their answers.
    fn order_all(&self, what: impl Fn(Sender<()>) -> Order) {
        let (done, answers) = bounded(self.orders.len());
        for order in &self.orders {
            let _ = order.send(what(done.clone()));
        }
        drop(done);
        while answers.recv().is_ok() {}
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.orders.clear();
        for handle in self.handles.drain(..) {
            let _ = handle.join();
        }
    }
}

/// A thread's life: until its orders end.
fn serve(id: usize, mut histories: Histories, orders: &Receiver<Order>) {
    for order in orders {
        match order {
            Order::Forget(done) => {
                histories.clear();
                let _ = done.send(());
            }
            Order::Rest(done) => {
                let _ = done.send(());
            }
            Order::Lead(job, outcomes) => {
                // Whatever happens, a search ends with its answer.
                let lead = catch_unwind(AssertUnwindSafe(|| lead(&job, &mut histories, &outcomes)));
                if let Err(panic) = lead {
                    job.signals.stop();
                    histories.clear();
                    job.tell(Event::Problem(format!("the search failed: {}", message(&*panic))));
                    job.tell(Event::Finished { best: job.root_moves.first().copied(), ponder: None });
                }
            }
            Order::Help(job, report) => {
                let help = || {
                    // It may be over before all have begun.
                    if job.signals.is_stopped() {
                        return None;
                    }
                    let mut worker = Worker::new(id, &job, &mut histories);
                    let outcome = if worker.root_moves.is_empty() { None } else { Some(worker.iterate()) };
                    worker.publish_nodes();
                    outcome.filter(|outcome| !outcome.lines.is_empty())
                };
                let outcome = catch_unwind(AssertUnwindSafe(help)).unwrap_or_else(|panic| {
                    histories.clear();
                    job.tell(Event::Problem(format!("thread {id} failed: {}", message(&*panic))));
                    None
                });
                if let Some(outcome) = outcome {
                    let _ = report.send(outcome);
                }
            }
        }
    }
}

/// The main thread's part: search, wait for the others, answer.
fn lead(job: &Job, histories: &mut Histories, outcomes: &Receiver<Outcome>) {
    if job.root_moves.is_empty() {
        show_the_end(job);
        job.wait_until_answer_is_due();
        job.signals.stop();
        outcomes.iter().for_each(drop);
        return job.tell(Event::Finished { best: None, ponder: None });
    }
    let mut worker = Worker::new(0, job, histories);
    let own = worker.iterate();
    worker.publish_nodes();
    if worker.held_back && !job.answer_is_due() {
        // Nothing else would be seen for as long as the client waits.
        worker.show(&own);
        worker.held_back = false;
    }
    job.wait_until_answer_is_due();
    job.signals.stop();
    let mut all = vec![own];
    all.extend(outcomes);
    // Who asks for a depth wants that depth, which the others may not have come to.
    let may_elect = job.settings.multi_pv == 1 && job.settings.elo.is_none() && job.limits.depth.is_none();
    let chosen = if may_elect { elect(&all) } else { 0 };
    let mut outcome = all.swap_remove(chosen);
    if chosen != 0 {
        worker.present(&mut outcome);
    }
    // The last line shown is always the one that is played. None comes twice: who reads the lines backwards, as many as he
    // has asked for, would take one move for two.
    if chosen != 0 || worker.held_back {
        worker.show(&outcome);
    }
    let line = &outcome.lines[0].line;
    job.tell(Event::Finished { best: line.first().copied(), ponder: expected_reply(job, line) });
}

/// The reply to ponder on, if there is one that does not end the game: the second move of the line, or, where the search
/// was cut off after its window was too low for the first, what the table has against that.
fn expected_reply(job: &Job, line: &[Move]) -> Option<Move> {
    let next = job.position.after(*line.first()?);
    if is_drawn(&next, job.history.occurrences_of_next(&next)) {
        return None;
    }
    let known = || job.table.probe(next.key()).and_then(|entry| entry.mv);
    let reply = line.get(1).copied().or_else(known).filter(|&reply| next.is_legal(reply))?;
    let after = next.after(reply);
    let mut history = job.history.clone();
    history.push(&next);
    let is_over = after.has_no_moves() || is_drawn(&after, history.occurrences_of_next(&after));
    (!is_over).then_some(reply)
}

/// What the root is worth if it is mate or stalemate. Where all its moves were excluded nobody has looked what it is worth.
fn show_the_end(job: &Job) {
    if !job.position.has_no_moves() {
        return;
    }
    job.tell(Event::Info(Info {
        depth: 0,
        seldepth: 0,
        rank: 1,
        score: if job.position.is_checkmate() { Score::mated_in(0) } else { Score::DRAW },
        drawn: false,
        bound: Bound::Exact,
        nodes: 0,
        time: Duration::ZERO,
        table_hits: 0,
        permille_full: 0,
        pv: vec![],
    }));
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::super::limits::Limits;
    use super::super::table::Entry;
    use super::super::{Settings, Task};
    use super::*;
    use crate::board::{History, Position};
    use crate::types::Square;

    #[test]
    fn the_expected_reply_is_the_lines_or_the_tables() {
        // After f2f3 and e7e5 the move g2g4 would let Black mate.
        let position =
            Position::from_fen("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2").unwrap();
        let job = Job::of(position, Limits::default(), Settings::default(), 1);
        let first = Move::normal(Square::G2, Square::G4);
        let next = position.after(first);
        assert_eq!(expected_reply(&job, &[first]), None);
        let know = |mv: Move| {
            let (score, bound) = (Score::DRAW, Some(Bound::Exact));
            job.table
                .store(next.key(), Entry { mv: Some(mv), score, eval: None, depth: 1, bound, pv: false });
        };
        know(Move::normal(Square::D7, Square::D5));
        assert_eq!(expected_reply(&job, &[first]), Some(Move::normal(Square::D7, Square::D5)));
        assert_eq!(
            expected_reply(&job, &[first, Move::normal(Square::B8, Square::C6)]),
            Some(Move::normal(Square::B8, Square::C6))
        );
        know(Move::normal(Square::D8, Square::H4));
        assert_eq!(expected_reply(&job, &[first]), None, "there is nothing to think about behind a mate");
        know(first);
        assert_eq!(expected_reply(&job, &[first]), None, "the keys of two positions may be alike");
        assert_eq!(expected_reply(&job, &[]), None);
        let last =
            Position::from_fen("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 99 90").unwrap();
        let job = Job::of(last, Limits::default(), Settings::default(), 1);
        let first = Move::normal(Square::B1, Square::C3);
        let reply = Move::normal(Square::B8, Square::C6);
        let entry =
            Entry { mv: Some(reply), score: Score::DRAW, eval: None, depth: 1, bound: None, pv: false };
        job.table.store(last.after(first).key(), entry);
        assert_eq!(expected_reply(&job, &[first]), None, "fifty moves have been made");
    }

    #[test]
    fn a_reply_that_draws_the_game_is_not_expected() {
        let reply = |fen: &str, before: &[[&str; 2]], line: [[&str; 2]; 2]| {
            let mv = |[from, to]: [&str; 2]| {
                Move::normal(Square::parse(from).unwrap(), Square::parse(to).unwrap())
            };
            let mut position = Position::from_fen(fen).unwrap();
            let mut history = History::new(&position);
            for &played in before {
                position = position.after(mv(played));
                history.push(&position);
            }
            let task = Task { position, history, limits: Limits::default(), events: None };
            let job = Job::for_task(task, Settings::default(), 1);
            expected_reply(&job, &line.map(mv))
        };
        let rook = "8/8/8/8/1R6/5k2/8/4K3 w - - 20 11";
        let gives = [["b4", "g4"], ["f3", "g4"]];
        let stays = [["b4", "b8"], ["f3", "g4"]];
        assert!(reply(rook, &[], gives).is_none() && reply(rook, &[], stays).is_some(), "two bare kings");
        // Black's king comes back to f3 for the third time.
        let (away, back) = ([["b4", "b8"], ["f3", "g4"]], [["b8", "b4"], ["g4", "f3"]]);
        let twice = [away, back, away].concat();
        assert!(reply(rook, &twice[..2], back).is_some() && reply(rook, &twice, back).is_none(), "repeated");
        let late = "8/8/8/8/1R6/5k2/8/4K3 w - - 98 80";
        assert!(reply(late, &[], stays).is_none(), "fifty moves are made with it");
    }

    #[test]
    fn a_helpers_line_is_made_fit_to_be_shown_and_gives_way_where_several_are_wanted() {
        let position = Position::from_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1").unwrap();
        let found = |multi_pv| {
            let (events, heard) = unbounded();
            let limits = Limits { nodes: Some(1), ..Limits::default() };
            let task = Task { position, history: History::new(&position), limits, events: Some(events) };
            let settings = Settings { multi_pv, ..Settings::default() };
            let job = Job::for_task(task, settings, 1);
            let mut histories = Histories::new();
            // What a helper has seen: a mate whose line the table has cut short.
            let mut mate = Worker::new(0, &job, &mut histories).root_moves[0].clone();
            mate.mv = Move::normal(Square::A2, Square::A7);
            *mate.line = [mate.mv].into_iter().collect();
            mate.score = Score::mate_in(3);
            let (report, outcomes) = unbounded();
            report.send(Outcome { depth: 9, lines: vec![mate; multi_pv], seldepth: 9 }).unwrap();
            drop(report);
            lead(&job, &mut histories, &outcomes);
            drop(job);
            heard.into_iter().filter_map(|event| match event {
                Event::Info(info) => Some(info),
                _ => None,
            })
        };
        let last = found(1).last().unwrap();
        assert_eq!((last.score, last.pv.len()), (Score::mate_in(3), 3), "{last:?}");
        let last = found(2).last().unwrap();
        assert!((last.rank, last.depth) == (2, 1) && !last.score.is_decisive(), "{last:?}");
    }

    #[test]
    fn a_search_that_fails_is_answered_all_the_same() {
        let (pool, position) = (Pool::new(2).unwrap(), Position::default());
        let search = |counted| {
            let (events, heard) = unbounded();
            let limits = Limits { depth: Some(3), ..Limits::default() };
            let task = Task { position, history: History::new(&position), limits, events: Some(events) };
            // Threads whose nodes nobody counts fail when they tell them.
            let job = Job::for_task(task, Settings::default(), counted);
            pool.start(&Arc::new(job));
            let (mut problems, mut answers) = (vec![], vec![]);
            for event in heard {
                match event {
                    Event::Problem(text) => problems.push(text),
                    Event::Finished { best, .. } => answers.push(best),
                    _ => {}
                }
            }
            assert!(answers.len() == 1 && answers[0].is_some(), "{counted}: {answers:?}");
            problems
        };
        assert!(search(0).iter().any(|text| text.starts_with("the search failed: index out of bounds")));
        assert!(search(1).iter().all(|text| text.starts_with("thread 1 failed: index out of bounds")));
        assert_eq!(search(2), [""; 0], "the threads go on");
    }
}
