//! What `d` and `eval` print: for people, but laid out as Stockfish does, since libraries that drive engines read it so. The
//! package `stockfish` on PyPI waits for the frame of the board and for the last line of the evaluation.

use super::format;
use crate::board::{FenStyle, Position};
use crate::eval::explain::Explanation;
use crate::eval::{Evaluation, wdl};
use crate::notation::diagram;
use crate::types::Color;

/// The board with FEN, key and checkers.
pub(super) fn position(position: &Position) -> String {
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    format!(
        "\n{}\n\nTo move: {}\nFen: {}\nKey: {}\nCheckers: {}",
        diagram::framed(position),
        position.side_to_move(),
        position.to_fen(FenStyle::XFen),
        position.key(),
        checkers.join(" ")
    )
}

/// The evaluation and where it comes from. The last line is White's view of it, in pawns; in check there is none, as no search
/// asks for one there.
pub(super) fn evaluation(position: &Position, evaluation: &Evaluation) -> String {
    let explanation = Explanation::new(position, evaluation);
    let score = explanation.score;
    let chances = format::chances(position, score);
    let side = position.side_to_move();
    let pawns = f64::from(wdl::centipawns(score)) / 100.0;
    let last = if position.in_check() {
        "Final evaluation: none (in check)".to_string()
    } else {
        // No -0.00 of a 0.
        let for_white = if side == Color::White { pawns } else { 0.0 - pawns };
        format!("Final evaluation       {for_white:+.2} (white side)\n")
    };
    format!(
        "\n{explanation}\nstatic evaluation for {side}: {} units, {pawns:+.2} pawns, chances {} {} {}\n\n{last}",
        score.units(),
        chances.win,
        chances.draw,
        chances.loss
    )
}
