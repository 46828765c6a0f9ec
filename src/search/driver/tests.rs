//! Tests of iterative deepening.

use super::super::history::Histories;
use super::super::job::{Job, Signals};
use super::super::table::Table;
use super::super::{ClockTime, Limits, Settings, Task};
use super::*;
use crate::board::{Board, History, Position};
use crate::eval::Evaluation;
use crate::types::Square;
use crossbeam_channel::unbounded;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A thread works on a position within limits, as if it had begun so long ago: what it says.
fn events(
    (fen, limits): (&str, Limits),
    age: Duration,
    multi_pv: usize,
    work: impl FnOnce(&mut Worker),
) -> Vec<Event> {
    let position = Position::from_fen(fen).unwrap();
    let (events, heard) = unbounded();
    let settings = Settings { multi_pv, ..Settings::default() };
    let signals = Arc::new(Signals::new(limits.ponder).begun_before(age));
    let task = Task { position, history: History::new(&position), limits, events: Some(events) };
    let table = Arc::new(Table::new(1).unwrap());
    let job = Job::new(task, settings, Evaluation::default(), table, signals, 2);
    work(&mut Worker::new(0, &job, &mut Histories::new()));
    drop(job);
    heard.into_iter().collect()
}

fn to_depth(depth: Depth) -> (&'static str, Limits) {
    (Board::START_FEN, Limits { depth: Some(depth), ..Limits::default() })
}

fn infos(events: Vec<Event>) -> Vec<Info> {
    let infos = events.into_iter().filter_map(|event| match event {
        Event::Info(info) => Some(info),
        _ => None,
    });
    infos.collect()
}

/// A thread searches the start position, as if it had begun so long ago: the bounds of the lines that it shows.
fn bounds(age: Duration, multi_pv: usize, search: impl FnOnce(&mut Worker)) -> Vec<Bound> {
    infos(events(to_depth(11), age, multi_pv, search)).iter().map(|info| info.bound).collect()
}

/// What a whole search says: its bounds, and how many lines.
fn said(age: Duration, multi_pv: usize) -> (Vec<Bound>, usize) {
    let bounds = bounds(age, multi_pv, |worker| drop(worker.iterate()));
    let count = bounds.len();
    (bounds.into_iter().filter(|&bound| bound != Bound::Exact).collect(), count)
}

/// Which of these threads is elected: depth, move (of those from the start position) and score of each.
fn elected(threads: &[(Depth, usize, Score)]) -> usize {
    let moves = Position::default().legal_moves();
    let outcome = |&(depth, index, score): &(Depth, usize, Score)| {
        let line = RootMove {
            mv: moves[index],
            score,
            bound: Bound::Exact,
            previous: score,
            line: Box::default(),
            seldepth: 0,
            nodes: 0,
            table_rank: 0,
            table_score: None,
        };
        Outcome { depth, lines: vec![line], seldepth: 0 }
    };
    elect(&threads.iter().map(outcome).collect::<Vec<_>>())
}

#[test]
fn threads_vote_and_what_is_proven_stands() {
    let cp = Score::new;
    assert_eq!(
        elected(&[(12, 0, cp(20)), (12, 1, cp(25)), (13, 1, cp(25))]),
        2,
        "two of three, the deeper one"
    );
    assert_eq!(elected(&[(12, 0, cp(20)), (10, 1, cp(21))]), 0);
    let (soon, late) = (Score::mated_in(4), Score::mated_in(8));
    assert_eq!(
        elected(&[(16, 0, soon), (1, 1, cp(-1047)), (2, 1, cp(-845))]),
        0,
        "a loss is not guessed away"
    );
    assert_eq!(elected(&[(12, 0, cp(-900)), (11, 1, late)]), 1);
    assert_eq!(elected(&[(16, 0, soon), (6, 1, late)]), 0, "a shallow search has not seen the quicker mate");
    assert_eq!(elected(&[(16, 0, soon), (16, 1, late)]), 1);
    let win = Score::mate_in(5);
    assert_eq!(elected(&[(16, 0, cp(900)), (3, 1, win), (9, 2, Score::mate_in(7))]), 1);
    assert_eq!(elected(&[(16, 0, soon), (3, 1, win)]), 1);
    assert_eq!(elected(&[(3, 0, win), (16, 1, soon)]), 0);
}

#[test]
fn a_missed_window_is_reported_where_iterations_take_long() {
    assert_eq!(said(Duration::ZERO, 1), (vec![], 11));
    let (bounds, count) = said(Duration::from_secs(60), 1);
    assert!(bounds.contains(&Bound::Lower) && bounds.contains(&Bound::Upper), "{bounds:?}");
    assert_eq!(count, 11 + bounds.len());
    assert_eq!(said(Duration::from_secs(60), 3), (vec![], 3 * 11));
}

#[test]
fn a_mate_is_never_shown_as_a_bound() {
    let shown = bounds(Duration::ZERO, 1, |worker| {
        for score in [Score::new(50), Score::mate_in(3), Score::mated_in(4)] {
            let line = RootMove { score, bound: Bound::Lower, ..worker.root_moves[0].clone() };
            worker.show(&Outcome { depth: 6, lines: vec![line], seldepth: 6 });
        }
    });
    assert_eq!(shown, [Bound::Lower, Bound::Exact, Bound::Exact]);
}

/// Mate in two moves by either rook.
const LADDER: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";

/// A score, and how many positions were looked at, behind the search for a mate in so many moves.
fn proven(fen: &str, moves: usize, limits: Limits, age: Duration, stopped: bool) -> (Score, u64) {
    let mut found = (Score::DRAW, 0);
    events((fen, limits), age, 1, |worker| {
        if stopped {
            worker.job.signals.stop();
        }
        let line = RootMove { score: Score::mate_in(9), ..worker.root_moves[0].clone() };
        let mut outcome = Outcome { depth: 4, lines: vec![line], seldepth: 4 };
        worker.prove_mate(moves, &mut outcome);
        found = (outcome.lines[0].score, worker.nodes);
    });
    found
}

#[test]
fn a_shorter_mate_is_proven_where_the_search_has_found_a_longer_one() {
    let (now, minute) = (Duration::ZERO, Duration::from_secs(60));
    let mate = |moves| proven(LADDER, moves, Limits::default(), now, false).0.plies_to_mate();
    // There is none in one, and that of nine plies is one in five.
    assert_eq!([1, 2, 4, 5].map(mate), [9, 3, 3, 9].map(Some));
    let looked_at = |limits, stopped| proven(Board::START_FEN, 4, limits, minute, stopped).1;
    let whole = looked_at(Limits::default(), false);
    let late = Limits { move_time: Some(minute), ..Limits::default() };
    assert!(looked_at(late, false) < whole / 10 && looked_at(Limits::default(), true) < whole / 10);
    // What a helper has searched is taken off the limit of nodes, but for the last one's.
    let of_two = |helper| {
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let job = Job::of(Position::default(), limits, Settings::default(), 2);
        job.nodes_of[1].store(helper, Ordering::Relaxed);
        let mut histories = Histories::new();
        let mut worker = Worker::new(0, &job, &mut histories);
        let line = RootMove { score: Score::DRAW, ..worker.root_moves[0].clone() };
        let mut outcome = Outcome { depth: 1, lines: vec![line], seldepth: 1 };
        worker.prove_mate(4, &mut outcome);
        worker.nodes
    };
    assert_eq!([0, 900].map(of_two), [1_000, 100]);
}

#[test]
fn mates_in_all_lines_end_a_search_and_a_mate_in_one_of_them_does_not() {
    let (mate, other) = (Score::mate_in(3), Score::new(300));
    events(to_depth(60), Duration::ZERO, 2, |worker| {
        let is_done = |depth, scores: [Score; 2]| {
            let lines = scores.map(|score| RootMove { score, ..worker.root_moves[0].clone() }).to_vec();
            worker.is_done(&Outcome { depth, lines, seldepth: 0 }, &Trend::default())
        };
        assert!(is_done(14, [mate, mate]) && !is_done(13, [mate, mate]));
        assert!(!is_done(14, [mate, other]) && !is_done(60, [other, -mate]));
    });
}

#[test]
fn helpers_go_one_ply_ahead_in_turn() {
    events(to_depth(1), Duration::ZERO, 1, |worker| {
        let depths = [0, 1, 2, 3].map(|id| {
            worker.id = id;
            worker.staggered(5)
        });
        assert_eq!((depths, worker.staggered(MAX_DEPTH)), ([5, 6, 5, 6], MAX_DEPTH));
        // The moves of the root have all the nodes but the root's own, one in each iteration.
        worker.id = 0;
        let _ = worker.iterate();
        let of_moves: u64 = worker.root_moves.iter().map(|root_move| root_move.nodes).sum();
        assert!(of_moves > 0 && worker.nodes - of_moves <= 3, "{of_moves} of {}", worker.nodes);
    });
}

#[test]
fn what_is_shown_behind_the_end_has_the_time_and_nodes_of_the_end() {
    let shown = events(to_depth(3), Duration::ZERO, 1, |worker| {
        // What was seen before it does not count.
        worker.seldepth = 99;
        let outcome = worker.iterate();
        let (_, nodes) = worker.finished_at.unwrap();
        assert_eq!(nodes, worker.nodes);
        worker.finished_at = Some((Duration::from_secs(5), 77));
        worker.show(&outcome);
    });
    let last = infos(shown).pop().unwrap();
    assert_eq!((last.time, last.nodes, last.seldepth < 99), (Duration::from_secs(5), 77, true));
}

#[test]
fn root_moves_are_named_once_iterations_take_long() {
    let named = |age, id| {
        let named = events(to_depth(2), age, 2, |worker| {
            worker.id = id;
            drop(worker.iterate());
        });
        let moves = named.into_iter().filter_map(|event| match event {
            Event::CurrentMove(depth, mv, number) => Some((depth, mv, number)),
            _ => None,
        });
        moves.collect::<Vec<_>>()
    };
    assert_eq!((named(Duration::ZERO, 0).len(), named(Duration::from_secs(60), 1).len()), (0, 0));
    let named = named(Duration::from_secs(60), 0);
    // Each move for the first line, each but that line's for the second one, perhaps more than once.
    let numbers = |depth| {
        let of_depth = named.iter().filter(|named| named.0 == depth).map(|named| named.2);
        of_depth.collect::<Vec<_>>()
    };
    let expected: Vec<usize> = (1..=20).chain(2..=20).collect();
    assert_eq!(numbers(1), expected);
    assert_eq!(numbers(2), expected);
    let moves: std::collections::HashSet<Move> = named[..20].iter().map(|named| named.1).collect();
    assert_eq!(moves.len(), 20);
}

#[test]
fn what_was_enough_is_not_once_the_move_has_got_worse() {
    let is_enough = |guess| {
        let mut is_enough = true;
        events(to_depth(5), Duration::ZERO, 1, |worker| {
            worker.job.note_enough(true);
            worker.root_moves[0].previous = Score::new(guess);
            worker.aspirate(5, 0);
            is_enough = worker.job.time_is_up();
        });
        is_enough
    };
    assert_eq!([900, -900].map(is_enough), [false, true]);
}

#[test]
fn who_has_pondered_for_as_long_as_the_move_needs_answers_a_hit_at_once() {
    let left = Duration::from_secs(60);
    let clock = ClockTime { left, increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
    for (age, is_enough) in [(Duration::ZERO, false), (left / 15, true)] {
        events((Board::START_FEN, limits.clone()), age, 1, |worker| {
            worker.aspirate(1, 0);
            let outcome = worker.outcome(1, 1);
            assert!(!worker.is_done(&outcome, &Trend::default()), "nobody has asked for a move");
            worker.job.signals.ponder_hit();
            assert_eq!(worker.job.time_is_up(), is_enough, "{age:?}");
            // It is not that the clock has run out.
            worker.job.note_enough(false);
            assert!(!worker.job.time_is_up(), "{age:?}");
        });
    }
}

#[test]
fn root_moves_are_not_named_by_the_hundred() {
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let named = |age| {
        let said = events(("6k1/8/8/8/8/8/5Q2/6K1 w - - 0 1", limits.clone()), age, 23, |worker| {
            drop(worker.iterate());
        });
        said.iter().filter(|event| matches!(event, Event::CurrentMove(..))).count()
    };
    // A hundred, and twenty for each second that this takes; here some 2,000 would be named in the first tenth of one.
    let counts = [4, 120].map(|age| named(Duration::from_secs(age)));
    assert!(counts.iter().all(|count| (60..400).contains(count)), "{counts:?}");
}

#[test]
fn the_best_of_some_moves_is_not_kept_as_the_best_of_all() {
    let kept = |first, search_moves| {
        let (fen, limits) = to_depth(3);
        let mut kept = None;
        events((fen, Limits { search_moves, ..limits }), Duration::ZERO, 2, |worker| {
            let position = worker.job.position;
            worker.first_root_move = first;
            worker.search::<Root>(&position, -Score::INFINITE, Score::INFINITE, 3, 0, false);
            kept = worker.job.table.probe(position.key()).and_then(|entry| entry.mv);
        });
        kept.is_some()
    };
    let some = Position::default().legal_moves()[..2].to_vec();
    assert_eq!([kept(0, None), kept(1, None), kept(0, Some(some))], [true, false, false]);
}

#[test]
fn what_no_search_has_reached_is_worth_what_stands_behind_the_move() {
    // The queen mates on f8, and stalemates on f7 and elsewhere.
    let fen = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
    events((fen, Limits::default()), Duration::ZERO, 1, |worker| {
        let count = worker.root_moves.len();
        worker.judge_by_evaluation(count);
        let best = &worker.root_moves[0];
        assert_eq!((best.mv.to(), best.score), (Square::F8, Score::mate_in(1)));
        assert!(worker.root_moves.is_sorted_by_key(RootMove::order));
        let mut high = 0;
        for line in &worker.root_moves[1..] {
            let next = worker.job.position.after(line.mv);
            let stands = -static_score(&next, &worker.job.evaluation);
            assert_eq!(line.score, if next.has_no_moves() { Score::DRAW } else { stands }, "{:?}", line.mv);
            high += usize::from(line.score > Score::new(300));
        }
        assert!(high > 10 && high < count - 1, "{high}");
    });
}
