//! From what `go` says to the limits of a search.

use super::command::GoCommand;
use crate::board::Position;
use crate::notation::uci_move::parse_uci;
use crate::search::{ClockTime, Limits};
use crate::types::{Color, MAX_DEPTH};
use std::time::Duration;

/// A time in milliseconds as clients send it: a flag that has fallen is at 0.
fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.max(0) as u64)
}

/// The limits, and what is wrong with them.
pub(super) fn limits(go: &GoCommand, position: &Position) -> (Limits, Vec<String>) {
    let mut problems = go.problems.clone();
    let (own, other, increment) = match position.side_to_move() {
        Color::White => (go.white_time, go.black_time, go.white_increment),
        Color::Black => (go.black_time, go.white_time, go.black_increment),
    };
    // Who only gives the opponent's time wants a move at once.
    let clock = own.or(other.map(|_| 0)).map(|left| ClockTime {
        left: milliseconds(left),
        increment: milliseconds(increment.unwrap_or(0)),
        moves_to_go: go.moves_to_go.filter(|&moves| moves > 0).map(|moves| moves.min(1_000) as u32),
    });
    if clock.is_none() && [go.moves_to_go, increment].into_iter().flatten().any(|number| number > 0) {
        problems.push("there is no time on the clock: increments and 'movestogo' are left out".into());
    }
    let search_moves = go.search_moves.as_ref().map(|texts| {
        let mut moves = vec![];
        for text in texts {
            match parse_uci(text, position) {
                Ok(mv) => moves.push(mv),
                Err(error) => problems.push(format!("searchmoves: {error}")),
            }
        }
        moves
    });
    let limits = Limits {
        clock,
        move_time: go.move_time.map(|time| milliseconds(time.max(1))),
        nodes: go.nodes.map(|nodes| nodes.max(1) as u64),
        soft_nodes: None,
        depth: go.depth.map(|depth| depth.clamp(1, i64::from(MAX_DEPTH)) as i32),
        mate: go.mate.map(|moves| moves.clamp(1, i64::from(MAX_DEPTH)) as u32),
        infinite: go.infinite,
        ponder: go.ponder,
        search_moves,
    };
    (limits, problems)
}
