//! One thread's view of one search: the line that it is looking at, its memory, and when to stop.

use super::context::{CONTINUATIONS, Context, Previous};
use super::history::{Butterfly, Histories, PieceTo};
use super::job::Job;
use super::picker::piece_to;
use super::table::Bound;
use super::tablebase::Probing;
use crate::board::{History, Position};
use crate::eval::Evaluator;
use crate::types::{MAX_PLY, Move, Score};
use arrayvec::ArrayVec;
use std::cmp::Reverse;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A line of moves.
pub(super) type Line = ArrayVec<Move, { MAX_PLY + 1 }>;

/// What is remembered of each ply of the line being searched.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The move made here: which piece went where; `None` for a null move.
    pub(super) piece_to: Option<PieceTo>,
    /// Where that move has its butterfly history, if it was quiet and tried as one.
    pub(super) quiet: Option<Butterfly>,
    /// The static evaluation, unless in check.
    pub(super) static_eval: Option<Score>,
    /// The move left out while its singularity is examined.
    pub(super) excluded: Option<Move>,
    /// True if the node is in a principal variation, or the table knows its position from one.
    pub(super) table_pv: bool,
    /// Cutoffs at this ply since the node before it was entered.
    pub(super) cutoffs: u32,
}

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Its value in this iteration, if it has been the best so far; minus infinity otherwise.
    pub(super) score: Score,
    /// What the value says; no exact one if the window was missed and the search was to be repeated.
    pub(super) bound: Bound,
    /// Its value in the last iteration.
    pub(super) previous: Score,
    /// The line that begins with it; elsewhere, for root moves are sorted often.
    pub(super) line: Box<Line>,
    /// The longest line looked at below it with more than a null window, in plies.
    pub(super) seldepth: usize,
    /// Nodes searched below it in all iterations.
    pub(super) nodes: u64,
    /// Moves with a higher one are better by what tablebases say.
    pub(super) table_rank: i32,
    /// What tablebases say that it is worth.
    pub(super) table_score: Option<Score>,
}

impl RootMove {
    /// Where it stands among the others: by what tablebases say of it, then by its value.
    pub(super) fn order(&self) -> (Reverse<i32>, Reverse<Score>) {
        (Reverse(self.table_rank), Reverse(self.score))
    }
}

/// Frames before the root, so that every ply has predecessors, and the move before it too.
const FRAMES_BEFORE: usize = CONTINUATIONS[CONTINUATIONS.len() - 1] + 1;
/// The first iteration is finished whatever happens, unless it takes more nodes than this.
const MOST_FIRST_NODES: u64 = 20_000;
/// Most nodes between two looks at the limits.
const MOST_PER_CHECK: u64 = 1_024;
/// Fewest where there is a clock, with which a search begins.
const LEAST_PER_CHECK: u64 = 32;
/// So long the nodes between two looks at the clock may take, and so long they should at least: looking costs time too.
const LONGEST_CHECK: Duration = Duration::from_millis(2);
const SHORTEST_CHECK: Duration = Duration::from_micros(500);

/// How many nodes to search before the next look at the clock, when so many took so long. On a slow machine the usual number
/// takes longer than `Move Overhead` forgives.
fn next_step(step: u64, took: Duration) -> u64 {
    let next = match took {
        _ if took > LONGEST_CHECK => step / 2,
        _ if took < SHORTEST_CHECK => step * 2,
        _ => step,
    };
    next.clamp(LEAST_PER_CHECK, MOST_PER_CHECK)
}

pub(super) struct Worker<'a> {
    /// 0 is the main thread, which watches the limits and reports.
    pub(super) id: usize,
    pub(super) job: &'a Job,
    pub(super) histories: &'a mut Histories,
    pub(super) evaluator: Evaluator,
    pub(super) history: History,
    frames: Vec<Frame>,
    /// The principal variation below each ply.
    pub(super) lines: Vec<Line>,
    pub(super) root_moves: Vec<RootMove>,
    /// The first root move that the current search may choose: those before it have their lines already.
    pub(super) first_root_move: usize,
    pub(super) nodes: u64,
    next_check: u64,
    /// Nodes between two looks at the limits.
    step: u64,
    /// When the last one was; for who minds a clock.
    looked_at: Option<Duration>,
    /// Positions with so many pieces at most are looked up in tablebases; 0: none.
    pub(super) probe_limit: u32,
    pub(super) seldepth: usize,
    /// The ply below which null moves are forbidden while one is being verified.
    pub(super) no_null_before: usize,
    /// True once the first iteration is complete.
    pub(super) may_stop: bool,
    /// True once some root move has a value.
    pub(super) has_root_value: bool,
    pub(super) stopped: bool,
    /// How many lines it has reported.
    pub(super) shown: usize,
    /// What it would play has not been reported, or not with all that was searched for it.
    pub(super) held_back: bool,
    /// How many root moves it may still name, and since when that is counted.
    pub(super) names_left: f64,
    pub(super) names_counted_at: Duration,
    /// The time and the nodes of all threads when the search was over, though not yet answered.
    pub(super) finished_at: Option<(Duration, u64)>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(id: usize, job: &'a Job, histories: &'a mut Histories) -> Worker<'a> {
        let rank = |mv| job.probing.as_ref().map_or((0, None), |probing| probing.rank(mv));
        let root_move = |&mv: &Move| {
            let (table_rank, table_score) = rank(mv);
            RootMove {
                mv,
                score: -Score::INFINITE,
                bound: Bound::Exact,
                previous: -Score::INFINITE,
                line: Box::new(Line::from_iter([mv])),
                seldepth: 0,
                nodes: 0,
                table_rank,
                table_score,
            }
        };
        let mut root_moves: Vec<_> = job.root_moves.iter().map(root_move).collect();
        // The last search's best move first: what it found comes back at once, and no mate gets longer.
        let known = job.table.probe(job.position.key()).and_then(|entry| entry.mv);
        if let Some(place) = root_moves.iter().position(|root_move| Some(root_move.mv) == known) {
            root_moves[..=place].rotate_right(1);
        }
        root_moves.sort_by_key(RootMove::order);
        // Who does not look at the clock has no use for looking more often.
        let looked_at = (id == 0 && job.time.hard().is_some()).then(|| job.elapsed());
        Worker {
            id,
            job,
            histories,
            evaluator: Evaluator::new(&job.position, &job.evaluation),
            history: job.history.clone(),
            frames: vec![Frame::default(); MAX_PLY + FRAMES_BEFORE + 2],
            // Not cloned from one another: that would copy all their room.
            lines: std::iter::repeat_with(Line::new).take(MAX_PLY + 2).collect(),
            root_moves,
            first_root_move: 0,
            nodes: 0,
            next_check: 0,
            step: if looked_at.is_some() { LEAST_PER_CHECK } else { MOST_PER_CHECK },
            looked_at,
            probe_limit: job.probing.as_ref().map_or(0, Probing::limit),
            seldepth: 0,
            no_null_before: 0,
            may_stop: false,
            has_root_value: false,
            stopped: false,
            shown: 0,
            held_back: false,
            names_left: 0.0,
            names_counted_at: Duration::ZERO,
            finished_at: None,
        }
    }

    #[inline(always)]
    pub(super) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + FRAMES_BEFORE]
    }

    #[inline(always)]
    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + FRAMES_BEFORE]
    }

    /// The frame `plies` before `ply`, which may lie before the root.
    #[inline(always)]
    pub(super) fn frame_before(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[ply + FRAMES_BEFORE - plies]
    }

    /// The moves that led to `ply`, as the continuation histories want them.
    #[inline(always)]
    pub(super) fn previous(&self, ply: usize) -> Previous {
        CONTINUATIONS.map(|plies| self.frame_before(ply, plies).piece_to)
    }

    /// What the ordering of the moves of `position` at `ply` wants to know.
    #[inline(always)]
    pub(super) fn context(&self, position: &Position, ply: usize) -> Context {
        Context::new(position, self.previous(ply))
    }

    /// Plays a legal move at `ply`.
    #[inline(always)]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let frame = self.frame_mut(ply);
        frame.piece_to = Some(piece_to(position, mv));
        frame.quiet = None;
        self.nodes += 1;
        let next = self.evaluator.make(position, mv);
        self.history.push(&next);
        next
    }

    /// Takes the move back.
    #[inline(always)]
    pub(super) fn unmake(&mut self) {
        self.evaluator.unmake();
        self.history.pop();
    }

    /// Puts `mv` before the line of the next ply.
    pub(super) fn update_line(&mut self, mv: Move, ply: usize) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(below[0].iter().copied().take(room));
    }

    /// True once the search is to end; looks at the limits now and then.
    #[inline(always)]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.stopped |= self.job.signals.is_stopped() && self.can_stop();
        self.stopped
    }

    /// True once there is something to play and, but for positions where that takes unusually long, all lines to show.
    #[inline(always)]
    fn can_stop(&self) -> bool {
        self.may_stop || self.has_root_value && self.nodes > MOST_FIRST_NODES
    }

    #[cold]
    fn check_limits(&mut self) {
        self.publish_nodes();
        if let Some(before) = &mut self.looked_at {
            let now = self.job.elapsed();
            self.step = next_step(self.step, now.saturating_sub(*before));
            *before = now;
        }
        self.next_check = self.nodes + self.step;
        let signals = &self.job.signals;
        if let Some(limit) = self.job.limits.nodes
            && self.job.may_answer()
        {
            let total = self.job.nodes();
            if total >= limit && self.can_stop() {
                signals.stop();
            }
            let left = limit.saturating_sub(total) / self.job.nodes_of.len() as u64;
            self.next_check = self.nodes + left.clamp(1, self.step);
        }
        if self.id == 0 && self.can_stop() && self.job.time_is_up() {
            signals.stop();
        }
    }

    /// Lets the others see how many nodes this thread has searched.
    pub(super) fn publish_nodes(&self) {
        self.job.nodes_of[self.id].store(self.nodes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Entry;
    use super::super::{Limits, Settings};
    use super::*;
    use crate::board::Position;

    #[test]
    fn the_last_searchs_best_move_comes_first() {
        let position = Position::default();
        let legal = position.legal_moves();
        let mv = Some(legal[11]);
        let job = Job::of(position, Limits::default(), Settings::default(), 1);
        let (score, bound) = (Score::DRAW, Some(Bound::Exact));
        job.table.store(position.key(), Entry { mv, score, eval: None, depth: 9, bound, pv: true });
        let mut histories = Histories::new();
        let worker = Worker::new(0, &job, &mut histories);
        let moves: Vec<Move> = worker.root_moves.iter().map(|root_move| root_move.mv).collect();
        assert_eq!(
            (moves[0], moves[1], moves[12]),
            (legal[11], legal[0], legal[12]),
            "the others as they were"
        );
    }

    #[test]
    fn the_clock_is_looked_at_every_millisecond_or_so_whatever_the_speed() {
        for nodes_per_second in [30_000, 50_000, 300_000, 1_500_000, 40_000_000] {
            let mut step = LEAST_PER_CHECK;
            for _ in 0..10 {
                step = next_step(step, Duration::from_secs_f64(step as f64 / nodes_per_second as f64));
            }
            let took = Duration::from_secs_f64(step as f64 / nodes_per_second as f64);
            assert!(took <= LONGEST_CHECK, "{nodes_per_second}: {step}");
            assert!(took >= SHORTEST_CHECK || step == MOST_PER_CHECK, "{nodes_per_second}: {step}");
        }
        // Slower than that, or held up, one looks as often as it makes sense to.
        assert_eq!(next_step(LEAST_PER_CHECK, Duration::from_secs(1)), LEAST_PER_CHECK);
        assert_eq!(next_step(MOST_PER_CHECK, Duration::from_secs(1)), MOST_PER_CHECK / 2);
    }

    #[test]
    fn the_clock_is_looked_at_where_it_is_a_limit_and_by_the_main_thread() {
        let first_look = |limits, id| {
            let job = Job::of(Position::default(), limits, Settings::default(), 2);
            let mut histories = Histories::new();
            let mut worker = Worker::new(id, &job, &mut histories);
            worker.looked_at = worker.looked_at.map(|before| before + Duration::from_secs(3_600));
            // One that took no time: the next comes after twice as many nodes.
            worker.must_stop();
            worker.next_check
        };
        let timed = || Limits { move_time: Some(Duration::from_secs(3_600)), ..Limits::default() };
        assert_eq!([0, 1].map(|id| first_look(timed(), id)), [2 * LEAST_PER_CHECK, MOST_PER_CHECK]);
        let fixed = Limits { depth: Some(9), ..Limits::default() };
        assert_eq!(first_look(fixed, 0), MOST_PER_CHECK);
    }

    #[test]
    fn the_limit_of_nodes_is_one_of_all_threads_together() {
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        let job = Job::of(Position::default(), limits, Settings::default(), 2);
        let mut histories = Histories::new();
        let mut must_stop = |others| {
            job.nodes_of[1].store(others, Ordering::Relaxed);
            let mut worker = Worker::new(0, &job, &mut histories);
            (worker.nodes, worker.may_stop) = (1, true);
            worker.must_stop()
        };
        assert_eq!([98, 99].map(&mut must_stop), [false, true]);
    }
}
