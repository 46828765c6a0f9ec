//! `adoube judge --can-win`

use super::{Failure, Side, position_or_epd, read_position};
use crate::board::{Board, Position};
use crate::laws::dead::{Answer, Solver};
use crate::notation::uci_move::to_uci;
use crate::types::{Color, Move};
use serde::Serialize;
use std::io::{BufRead, Write};

/// What is written of a position with `--json`.
#[derive(Serialize)]
struct Verdict<'a> {
    line: usize,
    fen: &'a str,
    side: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
}

/// Answers line by line; empty lines are left out.
pub(super) fn run(
    side: Side,
    nodes: u64,
    json: bool,
    mut input: impl BufRead,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (color, name) = match side {
        Side::White => (Color::White, "white"),
        Side::Black => (Color::Black, "black"),
    };
    let mut solver = Solver::new();
    let (mut number, mut bytes) = (0, vec![]);
    while let Some(length) = read_position(&mut input, &mut bytes)? {
        number += 1;
        length.map_err(|error| format!("line {number}: {error}"))?;
        let text = String::from_utf8_lossy(&bytes);
        let fen = text.trim_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        if fen.is_empty() {
            continue;
        }
        let position = position_or_epd(Board::from_fen_composed(fen), fen)
            .map_err(|error| format!("line {number}: {error}"))?;
        let (verdict, moves) = match solver.can_win(&position, color, nodes) {
            Answer::Winnable(line) => ("winnable", Some(spell(&position, &line))),
            Answer::Unwinnable => ("unwinnable", None),
            Answer::Undetermined => ("undetermined", None),
        };
        if json {
            serde_json::to_writer(&mut *out, &Verdict { line: number, fen, side: name, verdict, moves })?;
            writeln!(out)?;
        } else {
            write!(out, "{verdict}")?;
            for mv in moves.into_iter().flatten() {
                write!(out, " {mv}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// A line of moves as UCI writes them.
fn spell(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = *position;
    line.iter()
        .map(|&mv| {
            let text = to_uci(mv, &position, false);
            position = position.after(mv);
            text
        })
        .collect()
}
