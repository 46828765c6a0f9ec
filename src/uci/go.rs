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
    // Who only gives the opponent's time wants a move at once. Clocks that stand still at 0 beside another limit are none
    // (KDE's Knights): the other limit is what is wanted.
    let has_other = go.depth.or(go.nodes).or(go.move_time).or(go.mate).is_some();
    let stands_still = has_other && [own, other] == [Some(0); 2] && increment.unwrap_or(0) <= 0;
    let clock = own.or(other.map(|_| 0)).filter(|_| !stands_still).map(|left| ClockTime {
        left: milliseconds(left),
        increment: milliseconds(increment.unwrap_or(0)),
        moves_to_go: go.moves_to_go.filter(|&moves| moves > 0).map(|moves| moves.min(1_000) as u32),
    });
    if clock.is_none()
        && !stands_still
        && [go.moves_to_go, increment].into_iter().flatten().any(|number| number > 0)
    {
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

#[cfg(test)]
mod tests {
    use super::super::command::{Command, parse};
    use super::*;
    use crate::board::Board;

    /// The limits of a `go` in the start position, or in the one after 1. e4, and whether there is something wrong with it.
    fn limits_of(words: &str, side: Color) -> (Limits, bool) {
        let Ok(Some(Command::Go(go))) = parse(&format!("go {words}")) else { panic!("{words}") };
        let start = Position::from_fen(Board::START_FEN).unwrap();
        let position = match side {
            Color::White => start,
            Color::Black => start.after(parse_uci("e2e4", &start).unwrap()),
        };
        let (limits, problems) = limits(&go, &position);
        (limits, !problems.is_empty())
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let clock = |left, increment, moves_to_go| {
            let [left, increment] = [left, increment].map(Duration::from_millis);
            Some(ClockTime { left, increment, moves_to_go })
        };
        let all = "wtime 5000 btime 7000 winc 50 binc 70 movestogo 12";
        for (words, white, black) in [
            (all, clock(5_000, 50, Some(12)), clock(7_000, 70, Some(12))),
            ("wtime 5000 btime 7000", clock(5_000, 0, None), clock(7_000, 0, None)),
            ("wtime 5000 binc 70", clock(5_000, 0, None), clock(0, 70, None)),
            ("wtime -9 btime -9 winc -1 binc -1 movestogo 0", clock(0, 0, None), clock(0, 0, None)),
            ("wtime 1 btime 1 movestogo 1001", clock(1, 0, Some(1_000)), clock(1, 0, Some(1_000))),
            ("depth 3", None, None),
            ("depth 3 wtime 0 btime 0 movestogo 3", None, None),
            ("wtime 0 btime 0 nodes 500", None, None),
            ("wtime 0 btime 0 movetime 500", None, None),
            ("wtime 0 btime 0 mate 3", None, None),
            ("wtime 0 btime 0 movestogo 3", clock(0, 0, Some(3)), clock(0, 0, Some(3))),
            ("wtime 0 btime 0 winc 9 binc 9 depth 3", clock(0, 9, None), clock(0, 9, None)),
            ("wtime 0 btime 7000 depth 3", clock(0, 0, None), clock(7_000, 0, None)),
        ] {
            for (side, expected) in [(Color::White, white), (Color::Black, black)] {
                let (limits, is_wrong) = limits_of(words, side);
                assert_eq!((limits.clock, is_wrong), (expected, false), "{words}, {side}");
            }
        }
    }

    #[test]
    fn what_is_said_of_a_clock_without_time_is_left_out_and_told() {
        for (words, white, black) in
            [("winc 50 depth 3", true, false), ("binc 70 depth 3", false, true), ("movestogo 9", true, true)]
        {
            for (side, is_told) in [(Color::White, white), (Color::Black, black)] {
                let (limits, is_wrong) = limits_of(words, side);
                assert_eq!((limits.clock, is_wrong), (None, is_told), "{words}, {side}");
            }
        }
    }

    #[test]
    fn limits_out_of_range_are_brought_into_it() {
        let most = u32::try_from(MAX_DEPTH).unwrap();
        let huge = "99999999999999999999999";
        for (words, expected) in [
            ("depth 7", Limits { depth: Some(7), ..Limits::default() }),
            ("depth -3", Limits { depth: Some(1), ..Limits::default() }),
            (&format!("depth {huge}"), Limits { depth: Some(MAX_DEPTH), ..Limits::default() }),
            ("mate 0", Limits { mate: Some(1), ..Limits::default() }),
            (&format!("mate {huge}"), Limits { mate: Some(most), ..Limits::default() }),
            ("nodes -1", Limits { nodes: Some(1), ..Limits::default() }),
            ("nodes 7 infinite", Limits { nodes: Some(7), infinite: true, ..Limits::default() }),
            ("movetime -3", Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() }),
            ("movetime 30.9", Limits { move_time: Some(Duration::from_millis(30)), ..Limits::default() }),
        ] {
            assert_eq!(limits_of(words, Color::White), (expected, false), "{words}");
        }
    }

    #[test]
    fn moves_that_cannot_be_searched_are_left_out_and_told() {
        let start = Position::default();
        let e2e4 = parse_uci("e2e4", &start).unwrap();
        for (words, moves, is_told) in [
            ("searchmoves e2e4", Some(vec![e2e4]), false),
            ("searchmoves e2e5 e2e4 depth 3", Some(vec![e2e4]), true),
            ("searchmoves 0000", Some(vec![]), true),
            ("searchmoves", None, true),
        ] {
            let (limits, is_wrong) = limits_of(words, Color::White);
            assert_eq!((limits.search_moves, is_wrong), (moves, is_told), "{words}");
        }
    }
}
