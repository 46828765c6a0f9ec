//! What the search found, as UCI lines.

use crate::board::Position;
use crate::eval::wdl::{self, Wdl};
use crate::laws::dead::lacks_material;
use crate::notation::uci_move::to_uci;
use crate::search::{Bound, Info};
use crate::types::{Move, Score};
use std::fmt::Write;

/// How the client wants things written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) chess960: bool,
    pub(super) show_wdl: bool,
}

/// `cp` with 100 for a half-won game, or `mate` in moves, negative when the side to move is mated.
pub(super) fn score(score: Score) -> String {
    match score.plies_to_mate() {
        Some(plies) if score.is_win() => format!("mate {}", plies.div_ceil(2)),
        Some(0) => "mate 0".to_string(),
        Some(plies) => format!("mate -{}", plies / 2),
        None => format!("cp {}", wdl::centipawns(score)),
    }
}

/// The moves of a line from `root`.
pub(super) fn line(root: &Position, moves: &[Move], chess960: bool) -> String {
    let mut position = *root;
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        words.push(to_uci(mv, &position, chess960));
        position = position.after(mv);
    }
    words.join(" ")
}

/// An `info` line.
pub(super) fn info(info: &Info, root: &Position, style: Style) -> String {
    let mut text = format!("info depth {}", info.depth);
    if info.depth > 0 {
        let _ = write!(text, " seldepth {} multipv {}", info.seldepth, info.rank);
    }
    let _ = write!(text, " score {}", score(info.score));
    text += match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    if style.show_wdl {
        let chances = chances(root, info.score);
        let _ = write!(text, " wdl {} {} {}", chances.win, chances.draw, chances.loss);
    }
    if info.depth > 0 {
        let seconds = info.time.as_secs_f64().max(1e-6);
        let _ = write!(
            text,
            " nodes {} nps {} hashfull {} tbhits {} time {} pv {}",
            info.nodes,
            (info.nodes as f64 / seconds) as u64,
            info.permille_full,
            info.table_hits,
            info.time.as_millis(),
            line(root, &info.pv, style.chess960)
        );
    }
    text
}

/// The chances of the side to move, which may lack the material to win, as the other side may.
pub(super) fn chances(position: &Position, score: Score) -> Wdl {
    let us = position.side_to_move();
    wdl::chances_in(position, score, [us, !us].map(|side| lacks_material(position, side)))
}

/// The `bestmove` line.
pub(super) fn best_move(best: Option<Move>, ponder: Option<Move>, root: &Position, chess960: bool) -> String {
    let Some(best) = best else { return "bestmove (none)".to_string() };
    let mut text = format!("bestmove {}", to_uci(best, root, chess960));
    if let Some(ponder) = ponder {
        let _ = write!(text, " ponder {}", to_uci(ponder, &root.after(best), chess960));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(score(Score::mate_in(1)), "mate 1");
        assert_eq!(score(Score::mate_in(5)), "mate 3");
        assert_eq!(score(Score::mated_in(0)), "mate 0");
        assert_eq!(score(Score::mated_in(2)), "mate -1");
        assert_eq!(score(Score::mated_in(6)), "mate -3");
        assert!(score(Score::EVAL_BOUND).starts_with("cp "));
    }
}
