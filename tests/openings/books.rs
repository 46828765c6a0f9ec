//! Polyglot books, and the lines that are walked in them.

use super::{Temporary, add_line, config, end, moves, open, small_book};
use crate::support;
use adoube::board::Position;
use adoube::notation::uci_move::parse_uci;
use adoube::openings::polyglot;
use adoube::openings::polyglot::BookWriter;
use adoube::openings::{Broken, OpeningsConfig, Place, Suite};
use std::collections::{HashMap, HashSet};

#[test]
fn a_book_is_walked_without_coming_to_the_same_end_twice() {
    let file = Temporary::new("bin", small_book());
    let config = config(&file.0);
    // 20 first moves, two answers, two of which go on into one position: 39 ends.
    let (suite, broken) = Suite::open(&config, 5, 1_000).unwrap();
    assert_eq!((suite.len(), broken.len()), (39, 0));
    let ends: HashSet<String> = (0..39).map(|number| end(&suite, number)).collect();
    assert_eq!(ends.len(), 39);
    assert_eq!(end(&suite, 39), end(&suite, 0));
    // No more are drawn than needed, and the same seed draws the same.
    let (few, _) = Suite::open(&config, 5, 10).unwrap();
    assert_eq!(few.len(), 10);
    assert!((0..10).all(|number| moves(&few, number) == moves(&suite, number)));
    let (other, _) = Suite::open(&config, 6, 10).unwrap();
    assert!((0..10).any(|number| moves(&few, number) != moves(&other, number)));
    let (later, _) = Suite::open(&OpeningsConfig { start: 5, ..config.clone() }, 5, 10).unwrap();
    assert!((0..10).all(|number| moves(&later, number) == moves(&suite, number + 4)));
    let (short, _) = Suite::open(&OpeningsConfig { plies: Some(1), ..config.clone() }, 5, 1_000).unwrap();
    assert_eq!(short.len(), 20);
    // Chance follows the weights: of 2000 first drawings, the heaviest twenty times as many as the lightest.
    let mut counts: HashMap<String, usize> = HashMap::new();
    for seed in 0..2_000 {
        let (one, _) = Suite::open(&OpeningsConfig { plies: Some(1), ..config.clone() }, seed, 1).unwrap();
        *counts.entry(moves(&one, 0)).or_default() += 1;
    }
    let mut counts: Vec<usize> = counts.into_values().collect();
    counts.sort_unstable();
    assert!(counts[counts.len() - 1] > 140 && counts[0] < 30, "{counts:?}");
}

#[test]
fn a_walk_takes_no_move_of_weight_0_and_ends_in_no_mate() {
    let mut writer = BookWriter::new();
    for (line, weight) in [("f2f3 e7e5 g2g4 d8h4", 5), ("e2e4 e7e5", 0), ("d2d4", 0)] {
        let mut position = Position::default();
        let mut key = polyglot::key(&position);
        for (ply, text) in line.split(' ').enumerate() {
            let mv = parse_uci(text, &position).unwrap();
            // That of 1. e4 alone has a weight.
            writer.add(key, mv, if (ply, text) == (0, "e2e4") { 5 } else { weight });
            key = polyglot::key_after(&position, mv);
            position = position.after(mv);
        }
    }
    let mut bytes = vec![];
    writer.write(&mut bytes).unwrap();
    let (suite, broken) = open(&Temporary::new("bin", bytes));
    assert_eq!((suite.len(), broken.len()), (1, 0));
    assert_eq!(end(&suite, 0), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

/// A book of these lines.
fn book_of(lines: &[&str]) -> Vec<u8> {
    let mut writer = BookWriter::new();
    for line in lines {
        add_line(&mut writer, line.split(' '), 0);
    }
    let mut bytes = vec![];
    writer.write(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_line_of_a_book_has_sixteen_plies_unless_another_number_is_wanted() {
    let steps = ["a2a3 a7a6", "b2b3 b7b6", "c2c3 c7c6", "d2d3 d7d6", "e2e3 e7e6", "f2f3 f7f6", "g2g3 g7g6"];
    let line = format!("{} h2h3 h7h6 a3a4 a6a5", steps.join(" "));
    let file = Temporary::new("bin", book_of(&[line.as_str()]));
    for (plies, length) in [(None, 16), (Some(17), 17), (Some(40), 18), (Some(0), 0)] {
        let (suite, _) = Suite::open(&OpeningsConfig { plies, ..config(&file.0) }, 1, 1).unwrap();
        assert_eq!(suite.get(0).unwrap().moves.len(), length, "{plies:?}");
    }
}

/// A book that leads round in a circle has no more lines than one that does not, however long they may be.
#[test]
fn a_line_ends_where_a_position_comes_again() {
    let circle = "g1f3 g8f6 f3g1 f6g8";
    let file = Temporary::new("bin", book_of(&[circle, "e2e4"]));
    for plies in [4, 5, 100, u32::MAX] {
        let (suite, _) =
            Suite::open(&OpeningsConfig { plies: Some(plies), ..config(&file.0) }, 1, 100).unwrap();
        let mut lines: Vec<String> = (0..suite.len() as u64).map(|number| moves(&suite, number)).collect();
        lines.sort();
        assert_eq!(lines, ["e2e4", circle], "{plies}");
    }
}

#[test]
fn a_position_that_is_reached_at_two_depths_is_one_end() {
    let file = Temporary::new("bin", book_of(&["e2e4 e7e5", "e2e3 e7e6 e3e4 e6e5"]));
    let (suite, _) = open(&file);
    assert_eq!(suite.len(), 1);
}

/// After 4. d4 Black's pawn on e4 stands beside, but is pinned: Polyglot's key counts the capture all the same.
#[test]
fn a_line_goes_on_behind_a_double_step_that_cannot_be_taken() {
    let file = Temporary::new("bin", book_of(&["e2e4 d7d5 e4d5 e7e5 d1e2 e5e4 d2d4 d8d5"]));
    let (suite, _) = open(&file);
    assert_eq!(suite.get(0).unwrap().moves.len(), 8);
    let (status, told, _) = support::run(&["book", "check", file.0.to_str().unwrap()], "");
    assert!(status == 0 && told.contains(" 8 positions with 8 of them are reached, 0 broken"), "{told}");
}

#[test]
fn records_that_are_no_moves_are_skipped_and_named() {
    let mut bytes = small_book();
    // The heaviest first move, whichever record that is, becomes e2e5.
    let key = polyglot::key(&Position::default()).to_be_bytes();
    let record = bytes.chunks(polyglot::RECORD).position(|record| record.starts_with(&key)).unwrap();
    bytes[record * 16 + 8..record * 16 + 10].copy_from_slice(&(12_u16 << 6 | 36).to_be_bytes());
    let file = Temporary::new("bin", bytes);
    let (suite, broken) = open(&file);
    assert!(suite.len() >= 36, "{}", suite.len());
    let place = Place::Record(record as u64 + 1);
    let expected = Broken { place, reason: "e2e5 is no legal move in its position".into() };
    assert_eq!(broken, [expected]);
    let strict = OpeningsConfig { strict: true, ..config(&file.0) };
    let error = Suite::open(&strict, 1, 1).err().unwrap().to_string();
    assert!(error.contains(&format!("\n  record {}: e2e5", record + 1)), "{error}");
}
