//! What clients really send when the engine is idle, and what it must answer: options, positions, limits.

mod forms;
mod limits;
mod logs;
mod options;
mod positions;
#[path = "../support/mod.rs"]
mod support;

use support::engine::{Engine, best_move, says};

/// The FEN of the position on the board.
fn fen(engine: &mut Engine) -> String {
    let lines = engine.ask("d");
    let line = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
    line.unwrap_or_else(|| panic!("{lines:#?}")).to_string()
}

/// Whatever was done to it, the engine is there and plays.
fn assert_alive(engine: &mut Engine) {
    assert_eq!(engine.sync(), [""; 0]);
    let lines = engine.go("position startpos moves e2e4\ngo depth 2");
    assert!(!says(&lines, "ERROR"), "{lines:#?}");
    assert_eq!(best_move(&lines).len(), 4);
}
