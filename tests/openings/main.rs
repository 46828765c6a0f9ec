//! Openings as a match draws them, out of files as people make them.

mod books;
mod commands;
mod files;
mod order;
mod properties;
#[path = "../support/mod.rs"]
mod support;

use adoube::board::{Board, FenStyle, Position};
use adoube::notation::uci_move::{parse_uci, to_uci};
use adoube::openings::polyglot;
use adoube::openings::polyglot::BookWriter;
use adoube::openings::{Broken, Format, OpeningsConfig, Place, Suite};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const START: &str = Board::START_FEN;

/// A file that goes away with the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(ending: &str, bytes: impl AsRef<[u8]>) -> Temporary {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("adoube-openings-{}-{number}.{ending}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, bytes).unwrap();
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn config(file: &Path) -> OpeningsConfig {
    OpeningsConfig::new(file, Format::of_file(file).unwrap())
}

fn open(file: &Temporary) -> (Suite, Vec<Broken>) {
    open_with(&config(&file.0), 100)
}

/// The suite and all that is left out of it.
fn open_with(config: &OpeningsConfig, needed: u64) -> (Suite, Vec<Broken>) {
    let mut all = vec![];
    let tell = &mut |broken: &Broken| all.push(broken.clone());
    let (suite, left_out) = Suite::open_telling(config, 1, needed, tell).unwrap();
    assert_eq!((left_out.len(), left_out.first()), (all.len(), &all[..all.len().min(5)]));
    (suite, all)
}

fn end(suite: &Suite, number: u64) -> String {
    suite.get(number).unwrap().end().to_fen(FenStyle::XFen)
}

/// The moves of a drawing.
fn moves(suite: &Suite, number: u64) -> String {
    let opening = suite.get(number).unwrap();
    opening.moves.iter().map(|&mv| to_uci(mv, &opening.start, false)).collect::<Vec<_>>().join(" ")
}

/// On which line it stands.
fn line(broken: &Broken) -> u64 {
    let Place::Line(number) = broken.place else { panic!("{broken}") };
    number
}

/// The king's file tells which line it is.
fn numbered_lines(count: usize) -> String {
    let fen = |n: usize| format!("4k3/8/8/8/8/8/4P3/K6R w - - {} {}\n", n % 100, n / 100 + 1);
    (0..count).map(fen).collect()
}

fn number(suite: &Suite, drawing: u64) -> usize {
    let position = suite.get(drawing).unwrap().start;
    (usize::from(position.fullmove_number()) - 1) * 100 + usize::from(position.halfmove_clock())
}

/// Adds the moves of a line from one of its plies on, with the keys that Polyglot gives.
fn add_line<'a>(writer: &mut BookWriter, line: impl IntoIterator<Item = &'a str>, from: usize) {
    let mut position = Position::default();
    let mut key = polyglot::key(&position);
    for (ply, text) in line.into_iter().enumerate() {
        let mv = parse_uci(text, &position).unwrap();
        if ply >= from {
            writer.add(key, mv, 1);
        }
        key = polyglot::key_after(&position, mv);
        position = position.after(mv);
    }
}

/// A book of 20 first moves with weights 1 to 20, each with two answers.
fn small_book() -> Vec<u8> {
    let mut writer = BookWriter::new();
    let start = Position::default();
    for (rank, mv) in start.legal_moves().into_iter().enumerate() {
        writer.add(polyglot::key(&start), mv, rank as u64 + 1);
        let (next, key) = (start.after(mv), polyglot::key_after(&start, mv));
        for answer in ["a7a6", "h7h5"] {
            writer.add(key, parse_uci(answer, &next).unwrap(), 5);
        }
    }
    // A transposition: 1. a3 a6 2. h3 and 1. h3 a6 2. a3 end in the same position.
    for line in [["a2a3", "a7a6", "h2h3"], ["h2h3", "a7a6", "a2a3"]] {
        add_line(&mut writer, line, 2);
    }
    let mut bytes = vec![];
    writer.write(&mut bytes).unwrap();
    bytes
}
