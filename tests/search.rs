//! What the search has to understand, whatever its numbers: mates and how far they are, draws, and when there is one.

use adoube::board::{Board, History, Position};
use adoube::eval::Evaluation;
use adoube::eval::network::{Architecture, Inputs, Network};
use adoube::notation::uci_move::{parse_uci, to_uci};
use adoube::search::{Event, Info, Limits, Searcher, Settings, Task};
use crossbeam_channel::{Receiver, unbounded};
use std::collections::HashSet;
use std::sync::Arc;

/// A finished search: the best move and the last line.
struct Found {
    best: String,
    last: Info,
}

fn search(searcher: &mut Searcher, fen: &str, moves: &str, limits: Limits) -> Found {
    let mut position = Position::from_fen(fen).unwrap();
    let mut history = History::new(&position);
    for text in moves.split_whitespace() {
        position = position.after(parse_uci(text, &position).unwrap());
        history.push(&position);
    }
    let (sender, events) = unbounded();
    searcher.start(Task { position, history, limits, events: Some(sender) }, Settings::default());
    let mut last = None;
    for event in events {
        match event {
            Event::Info(info) => last = Some(info),
            Event::Finished { best, .. } => {
                let best = to_uci(best.unwrap(), &position, false);
                return Found { best, last: last.unwrap() };
            }
            _ => {}
        }
    }
    panic!("a search without an end");
}

fn to_depth(fen: &str, depth: i32) -> Found {
    let mut searcher = Searcher::new(8, 1).unwrap();
    search(&mut searcher, fen, "", Limits { depth: Some(depth), ..Limits::default() })
}

#[test]
fn mates_are_found_at_their_distance() {
    for (fen, depth, best, plies) in [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 4, Some("a1a8"), 1),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 8, None, 3),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 6, Some("h5f7"), 1),
        // Smothered: the queen is given up for it.
        ("5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", 12, Some("c4g8"), 3),
    ] {
        let found = to_depth(fen, depth);
        assert_eq!(found.last.score.plies_to_mate(), Some(plies), "{fen} {:?}", found.last);
        assert!(
            found.last.score.is_win() && best.is_none_or(|best| best == found.best),
            "{fen} {}",
            found.best
        );
    }
    let found = to_depth("7k/R7/8/8/8/8/8/1R5K b - - 0 1", 10);
    assert!(found.last.score.is_loss() && found.last.score.plies_to_mate() == Some(2), "{:?}", found.last);
}

#[test]
fn who_can_never_mate_has_a_draw_at_most() {
    // Bishops that stand on one colour do not mate, however many: not even with a rook's help against it.
    let mut searcher = Searcher::new(8, 1).unwrap();
    for (fen, better) in
        [("4k3/7r/8/8/2B5/1B1B4/4K3/8 w - - 0 1", 1), ("4k3/7r/8/8/2B5/1B1B4/4K3/8 b - - 0 1", -1)]
    {
        for depth in 1..=8 {
            let found = search(&mut searcher, fen, "", Limits { depth: Some(depth), ..Limits::default() });
            assert!(found.last.score.units() * better <= 0, "depth {depth}: {:?}", found.last);
        }
    }
}

#[test]
fn a_mate_stays_at_its_distance_with_a_full_table() {
    let mut searcher = Searcher::new(8, 1).unwrap();
    let fen = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    // What the table learnt from one root lies at another distance from the next.
    for (moves, depth, plies) in [
        ("", 10, 3),
        ("", 6, 3),
        ("", 12, 3),
        ("", 4, 3),
        ("b1b7 h8g8", 6, 1),
        ("", 8, 3),
        ("b1b7", 9, 2),
        ("", 9, 3),
    ] {
        let found = search(&mut searcher, fen, moves, Limits { depth: Some(depth), ..Limits::default() });
        assert_eq!(found.last.score.plies_to_mate(), Some(plies), "{moves} depth {depth}: {:?}", found.last);
    }
}

#[test]
fn a_lost_side_takes_the_perpetual_check() {
    // Black is a rook and two pawns ahead; White has checks without end on e8 and h5.
    let found = to_depth("6k1/6p1/5p2/8/8/8/qr6/4Q2K w - - 0 1", 12);
    assert_eq!(found.best, "e1e8");
    assert!(found.last.score.units() >= 0, "{:?}", found.last);
}

#[test]
fn a_won_side_avoids_the_third_repetition() {
    // The rooks have gone to and fro: one more time is a draw, and everything else wins.
    let shuffle = "a1a2 h8g8 a2a1 g8h8 a1a2 h8g8 a2a1";
    let mut searcher = Searcher::new(8, 1).unwrap();
    let limits = Limits { depth: Some(9), ..Limits::default() };
    let fen = "7k/8/8/8/8/8/8/RR5K w - - 0 1";
    let found = search(&mut searcher, fen, shuffle, limits.clone());
    assert_eq!(found.best, "g8h8", "Black repeats");
    assert_eq!(found.last.score.units(), 0, "{:?}", found.last);
    let found = search(&mut searcher, fen, &format!("{shuffle} g8g7"), limits);
    assert!(found.last.score.units() > 500, "{:?}", found.last);
}

#[test]
fn the_fifty_move_rule_comes_after_mate_and_before_everything_else() {
    // The hundredth half-move mates.
    let found = to_depth("6k1/5ppp/8/8/8/8/8/R6K w - - 99 80", 6);
    assert_eq!((found.best.as_str(), found.last.score.plies_to_mate()), ("a1a8", Some(1)));
    // No mate in time and nothing to take: a draw, however much is ahead.
    let found = to_depth("7k/8/8/8/8/8/R7/1R5K w - - 98 80", 8);
    assert_eq!(found.last.score.units(), 0, "{:?}", found.last);
    // A pawn move starts the count anew.
    let found = to_depth("7k/8/8/8/8/P7/R7/1R5K w - - 98 80", 8);
    assert!(found.last.score.units() > 300, "{:?}", found.last);
}

#[test]
fn stalemate_and_bare_kings_are_worth_nothing() {
    // Taking the pawn leaves bare kings; anything else loses to it.
    let found = to_depth("8/8/8/8/8/5k2/7p/7K w - - 0 1", 6);
    assert_eq!(found.last.score.units(), 0, "{:?}", found.last);
    // A queen ahead, but h8 to f7 is stalemate.
    let found = to_depth("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 6);
    assert_ne!(found.best, "g5g6");
    assert!(found.last.score.is_win(), "{:?}", found.last);
    // However shallow the search is.
    let fen = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
    let to_f7 = parse_uci("f1f7", &Position::from_fen(fen).unwrap()).unwrap();
    let limits = Limits { depth: Some(1), search_moves: Some(vec![to_f7]), ..Limits::default() };
    let mut searcher = Searcher::new(8, 1).unwrap();
    let found = search(&mut searcher, fen, "", limits);
    assert_eq!(found.last.score.units(), 0, "{:?}", found.last);
}

#[test]
fn what_theory_calls_drawn_is_a_draw() {
    // White has a bishop and a pawn more, and nothing to hope for: the corner has the other colour.
    let found = to_depth("8/5k2/3K3P/8/4B3/8/8/8 w - - 0 1", 12);
    assert_eq!(found.last.score.units(), 0, "{:?}", found.last);
    // With a bishop of the right colour it wins.
    let found = to_depth("8/5k2/3K3P/8/3B4/8/8/8 w - - 0 1", 12);
    assert!(found.last.score.units() > 300, "{:?}", found.last);
    // Black has the opposition.
    let found = to_depth("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", 4);
    assert_eq!(found.last.score.units(), 0, "{:?}", found.last);
}

#[test]
fn one_thread_is_deterministic_and_two_agree_on_what_is_clear() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 9";
    let (first, second) = (to_depth(fen, 10), to_depth(fen, 10));
    assert_eq!(
        (first.best, first.last.nodes, first.last.score),
        (second.best, second.last.nodes, second.last.score)
    );
    let mut searcher = Searcher::new(8, 2).unwrap();
    for _ in 0..20 {
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let found = search(&mut searcher, "3q4/6k1/8/8/8/8/8/3RK3 w - - 0 1", "", limits);
        assert_eq!(found.best, "d1d8", "a free queen");
    }
}

#[test]
fn a_smaller_table_is_taken_and_so_is_a_larger_one() {
    let mut searcher = Searcher::new(8, 1).unwrap();
    for megabytes in [2, 2, 16] {
        searcher.resize_hash(megabytes).unwrap();
        assert_eq!(searcher.hash_megabytes(), megabytes);
    }
}

/// How many nodes a search of a pawn ending takes; fewer if something is known of it.
fn nodes(searcher: &mut Searcher) -> u64 {
    let limits = Limits { depth: Some(8), ..Limits::default() };
    search(searcher, "4k3/pp3pp1/8/8/8/8/PP3PP1/4K3 w - - 0 1", "", limits).last.nodes
}

#[test]
fn what_was_learnt_with_other_tablebases_is_forgotten_and_nothing_else() {
    let mut searcher = Searcher::new(8, 1).unwrap();
    let first = nodes(&mut searcher);
    for (path, is_new) in
        [("", false), ("/no/such/folder", true), ("/no/such/folder", true), ("", true), ("", false)]
    {
        assert!(searcher.open_tables(path).is_ok_and(|tables| tables.is_none()) == path.is_empty());
        assert_eq!(nodes(&mut searcher) == first, is_new, "{path}");
    }
}

#[test]
fn what_was_learnt_with_another_evaluation_is_forgotten_and_nothing_else() {
    let mut searcher = Searcher::new(8, 1).unwrap();
    searcher.set_evaluation(Evaluation::Classic);
    let first = nodes(&mut searcher);
    searcher.set_evaluation(Evaluation::Classic);
    assert_ne!(nodes(&mut searcher), first);
    let network = Architecture::new(Inputs::Mirrored, 32, 1);
    searcher.set_evaluation(Evaluation::Network(Arc::new(Network::random(network, 1).unwrap())));
    nodes(&mut searcher);
    searcher.set_evaluation(Evaluation::Classic);
    assert_eq!(nodes(&mut searcher), first);
}

#[test]
fn a_new_game_is_searched_as_the_first_one_was() {
    let mut searcher = Searcher::new(8, 1).unwrap();
    let nodes = |searcher: &mut Searcher| {
        let limits = Limits { depth: Some(8), ..Limits::default() };
        search(searcher, Board::START_FEN, "", limits).last.nodes
    };
    let first = nodes(&mut searcher);
    // Without the table there are still the histories.
    searcher.clear_hash();
    assert_ne!(nodes(&mut searcher), first);
    searcher.new_game();
    assert_eq!(nodes(&mut searcher), first);
}

#[test]
fn the_table_is_full_of_what_this_search_has_found() {
    let mut searcher = Searcher::new(1, 1).unwrap();
    let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let full = search(&mut searcher, Board::START_FEN, "", limits(40_000)).last.permille_full;
    assert!(full > 100, "{full}");
    let other = search(&mut searcher, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "", limits(100)).last.permille_full;
    assert!(other < 10, "{other}");
}

#[test]
fn who_plays_at_a_low_rating_does_not_always_play_the_same() {
    let mut searcher = Searcher::new(1, 1).unwrap();
    let mut best = |elo| {
        let (sender, events) = unbounded();
        let position = Position::default();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let task = Task { position, history: History::new(&position), limits, events: Some(sender) };
        searcher.new_game();
        searcher.start(task, Settings { elo, ..Settings::default() });
        let mut moves = events.into_iter().filter_map(|event| match event {
            Event::Finished { best, .. } => best,
            _ => None,
        });
        moves.next().unwrap()
    };
    let mut moves = |elo| (0..30).map(|_| best(elo)).collect::<HashSet<_>>().len();
    assert_eq!((moves(None), moves(Some(1_000)) > 1), (1, true));
}

#[test]
fn a_searcher_that_cannot_be_had_is_told_to_other_threads_too() {
    let refused = std::thread::spawn(|| Searcher::new(1 << 40, 1)).join().unwrap().err().unwrap();
    let refused: Box<dyn std::error::Error + Send + Sync> = refused.into();
    assert!(refused.to_string().starts_with("a hash table of 1099511627776 MB cannot be had"), "{refused}");
}

/// Or the thread that drops it would wait for ever.
#[test]
fn a_searcher_that_is_dropped_ends_its_search() {
    let (sender, events) = unbounded();
    let (done, is_done) = unbounded();
    std::thread::spawn(move || {
        let mut searcher = Searcher::new(1, 2).unwrap();
        let position = Position::default();
        let limits = Limits { infinite: true, ..Limits::default() };
        searcher.start(
            Task { position, history: History::new(&position), limits, events: Some(sender) },
            Settings::default(),
        );
        drop(searcher);
        done.send(()).unwrap();
    });
    assert!(is_done.recv_timeout(std::time::Duration::from_secs(60)).is_ok(), "it still searches");
    assert!(matches!(events.into_iter().last(), Some(Event::Finished { best: Some(_), .. })));
}

/// Begins a search that only its owner can end.
fn search_without_end(searcher: &mut Searcher) -> Receiver<Event> {
    let (sender, events) = unbounded();
    let position = Position::default();
    let limits = Limits { infinite: true, ..Limits::default() };
    let task = Task { position, history: History::new(&position), limits, events: Some(sender) };
    searcher.start(task, Settings::default());
    events
}

/// Or both would wait for ever: the second for its turn, and the first for somebody who can stop it.
#[test]
fn whatever_changes_the_searcher_ends_the_search_that_runs_and_so_does_the_next_one() {
    type Change = fn(&mut Searcher);
    let changes: [(&str, Change); 8] = [
        ("start", |searcher| {
            let limits = Limits { depth: Some(3), ..Limits::default() };
            search(searcher, Board::START_FEN, "", limits);
        }),
        ("set_threads", |searcher| assert_eq!(searcher.set_threads(1), 1)),
        ("the same threads", |searcher| assert_eq!(searcher.set_threads(2), 2)),
        ("set_evaluation", |searcher| searcher.set_evaluation(Evaluation::Classic)),
        ("open_tables", |searcher| assert!(searcher.open_tables("").is_ok())),
        ("resize_hash", |searcher| searcher.resize_hash(2).unwrap()),
        ("clear_hash", Searcher::clear_hash),
        ("new_game", Searcher::new_game),
    ];
    for (name, change) in changes {
        let (done, is_done) = unbounded();
        std::thread::spawn(move || {
            let mut searcher = Searcher::new(1, 2).unwrap();
            let events = search_without_end(&mut searcher);
            change(&mut searcher);
            // Whoever waits for the end has its answer already, and what comes then is searched as ever.
            let last = events.try_iter().last();
            done.send((last, nodes(&mut searcher))).unwrap();
        });
        let (last, nodes) = is_done.recv_timeout(std::time::Duration::from_secs(60)).expect(name);
        assert!(matches!(last, Some(Event::Finished { best: Some(_), .. })), "{name}: {last:?}");
        assert!(nodes > 0, "{name}");
    }
}
