//! The order in which openings are drawn.

use super::{Temporary, config, end, number, numbered_lines, open};
use adoube::laws::Edition;
use adoube::openings::{Format, OpeningsConfig, Order, Suite};
use std::collections::HashSet;
use std::path::Path;

#[test]
fn all_openings_come_before_one_comes_again() {
    let file = Temporary::new("epd", numbered_lines(500));
    for (order, start) in [
        (Order::Sequential, 1),
        (Order::Sequential, 499),
        (Order::Random, 17),
        (Order::Random, 0),
        (Order::Random, 777),
    ] {
        let mut config = config(&file.0);
        (config.order, config.start) = (order, start);
        let (suite, _) = Suite::open(&config, 42, 1).unwrap();
        for round in 0..3 {
            let drawn: HashSet<usize> = (0..500).map(|i| number(&suite, round * 500 + i)).collect();
            assert_eq!(drawn.len(), 500, "{order:?} from {start}");
        }
        assert_eq!(number(&suite, 3), number(&suite, 503));
        assert_eq!(number(&suite, u64::MAX), number(&suite, u64::MAX % 500));
    }
    // Parts of a long test are told to begin ever later, however small the book is.
    for (start, first) in [(500, 499), (501, 0), (1_503, 2), (u64::MAX, (u64::MAX - 1) % 500)] {
        let (suite, _) = Suite::open(&OpeningsConfig { start, ..config(&file.0) }, 42, 1).unwrap();
        assert_eq!(number(&suite, 0) as u64, first, "{start}");
    }
}

#[test]
fn the_order_follows_from_the_seed_for_ever() {
    let file = Temporary::new("epd", numbered_lines(1_000));
    let draw = |order, start, seed| {
        let mut config = config(&file.0);
        (config.order, config.start) = (order, start);
        let (suite, _) = Suite::open(&config, seed, 1).unwrap();
        (0..8).map(|drawing| number(&suite, drawing)).collect::<Vec<_>>()
    };
    assert_eq!(draw(Order::Sequential, 1, 9), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(draw(Order::Sequential, 998, 9), [997, 998, 999, 0, 1, 2, 3, 4]);
    let pinned = draw(Order::Random, 1, 1);
    assert_eq!(pinned, PINNED);
    assert_eq!(draw(Order::Random, 4, 1)[..5], pinned[3..], "the start turns the shuffled order");
    assert_ne!(draw(Order::Random, 1, 2), pinned);
}

#[test]
fn the_line_of_an_opening_is_that_of_the_drawing() {
    let file = Temporary::new("epd", format!("# from the second on\n{}", numbered_lines(5)));
    let (suite, _) = Suite::open(&OpeningsConfig { start: 2, ..config(&file.0) }, 1, 1).unwrap();
    let lines: Vec<u64> = (0..5).map(|drawing| suite.line(drawing).unwrap().unwrap()).collect();
    assert_eq!((number(&suite, 0), lines), (1, vec![3, 4, 5, 6, 2]));
}

#[test]
fn games_come_whole_and_in_the_order_that_is_wanted() {
    let there_and_back = "Nf3 Nf6 Ng1 Ng8 ".repeat(5);
    let games: String = (0..40).map(|n| format!("[Opening \"{n}\"]\n\n{there_and_back}*\n\n")).collect();
    let file = Temporary::new("pgn", games);
    // No repetition ends a game under these Laws.
    let laws = Edition::Fide2005;
    let draw = |order| {
        let (suite, _) = Suite::open(&OpeningsConfig { order, laws, ..config(&file.0) }, 3, 1).unwrap();
        let opening = |number| suite.get(number).unwrap();
        assert!((0..40).all(|number| opening(number).moves.len() == 20));
        (0..40).map(|number| opening(number).name.unwrap().parse().unwrap()).collect::<Vec<usize>>()
    };
    let in_order = draw(Order::Sequential);
    assert!(in_order.iter().copied().eq(0..40));
    let mut lot = draw(Order::Random);
    assert_ne!(lot, in_order);
    lot.sort_unstable();
    assert_eq!(lot, in_order);
}

/// The first openings of 1000 with the seed 1. Another sequence would break every match that goes on.
const PINNED: [usize; 8] = [637, 615, 934, 665, 867, 776, 690, 945];

#[test]
fn threads_draw_at_once() {
    let file = Temporary::new("epd", numbered_lines(2_000));
    let (suite, _) = open(&file);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let suite = &suite;
            scope.spawn(move || {
                (0..2_000).for_each(|i| {
                    assert_eq!(number(suite, i * 7 + thread), (i as usize * 7 + thread as usize) % 2_000)
                })
            });
        }
    });
}

#[test]
fn the_arrays_of_chess960_are_drawn_by_lot_in_order_or_by_number() {
    let suite = |number, order, start, seed| {
        let config = OpeningsConfig {
            format: Format::Chess960(number),
            order,
            start,
            ..config(Path::new("no-file.epd"))
        };
        Suite::open(&config, seed, 10).unwrap().0
    };
    let ranks = |suite: &Suite, count: u64| -> Vec<String> {
        (0..count).map(|number| end(suite, number).split('/').next().unwrap().to_string()).collect()
    };
    let all = suite(None, Order::Sequential, 1, 7);
    let in_order = ranks(&all, 961);
    assert_eq!((in_order[0].as_str(), in_order[518].as_str()), ("bbqnnrkr", "rnbqkbnr"));
    assert_eq!(in_order[960], in_order[0], "and from the beginning");
    assert_eq!(in_order[..960].iter().collect::<std::collections::HashSet<_>>().len(), 960);
    assert_eq!(ranks(&suite(None, Order::Sequential, 519, 7), 1), ["rnbqkbnr"]);
    let lot = ranks(&suite(None, Order::Random, 1, 7), 960);
    assert_ne!(lot, in_order[..960]);
    assert_eq!(lot, ranks(&suite(None, Order::Random, 1, 7), 960), "the seed says it all");
    assert_ne!(lot, ranks(&suite(None, Order::Random, 1, 8), 960));
    let mut sorted = (lot, in_order[..960].to_vec());
    sorted.0.sort();
    sorted.1.sort();
    assert_eq!(sorted.0, sorted.1, "none comes again before all have come");
    let one = suite(Some(0), Order::Sequential, 1, 7);
    assert_eq!(ranks(&one, 3), ["bbqnnrkr"; 3]);
    assert_eq!(one.get(5).unwrap().name.as_deref(), Some("Chess960 position 0"));
}
