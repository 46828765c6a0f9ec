//! What the search found, as UCI lines.

use crate::board::Position;
use crate::eval::wdl::{self, Wdl};
use crate::notation::uci_move::to_uci;
use crate::search::{Bound, Info, cannot_win};
use crate::types::{Depth, Move, Score};
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
        let drawn = Wdl { win: 0, draw: 1000, loss: 0 };
        let chances = if info.drawn { drawn } else { chances(root, info.score) };
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

/// The chances of the side to move; a side that cannot win has none.
pub(super) fn chances(position: &Position, score: Score) -> Wdl {
    let us = position.side_to_move();
    wdl::chances_in(position, score, [us, !us].map(|side| cannot_win(position, side)))
}

/// The line that names the move that is being searched.
pub(super) fn current_move(depth: Depth, mv: Move, number: usize, root: &Position, chess960: bool) -> String {
    format!("info depth {depth} currmove {} currmovenumber {number}", to_uci(mv, root, chess960))
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
    use crate::types::{Color, Square};

    #[test]
    fn who_cannot_win_has_no_chance_to() {
        // A rook's pawn, its corner covered by the bishop and not, beside one of the other side; king and pawn, drawn and won.
        for (fen, [can_win, can_lose]) in [
            ("7k/8/5K2/8/7P/4B3/p7/8 w - - 0 1", [true, true]),
            ("7k/8/5K2/8/7P/3B4/p7/8 w - - 0 1", [false, true]),
            ("7k/8/5K2/8/7P/3B4/p7/8 b - - 0 1", [true, false]),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", [false, false]),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", [false, false]),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", [true, false]),
        ] {
            let Wdl { win, draw, loss } = chances(&Position::from_fen(fen).unwrap(), Score::new(0));
            assert_eq!([win > 0, loss > 0, win + draw + loss == 1000], [can_win, can_lose, true], "{fen}");
        }
        // Beside the corner, but mated for want of room: its own rook stands there.
        let mated = Position::from_fen("5bkr/8/6KP/3B4/8/8/8/8 b - - 0 1").unwrap();
        assert!(mated.in_check() && mated.has_no_moves() && !cannot_win(&mated, Color::White));
        assert_eq!(chances(&mated, Score::mated_in(0)).loss, 1000);
    }

    #[test]
    fn what_tablebases_call_drawn_is_no_chance() {
        let root = Position::default();
        let known = |drawn| Info {
            depth: 0,
            seldepth: 0,
            rank: 1,
            score: Score::DRAW + 2,
            drawn,
            bound: Bound::Exact,
            nodes: 0,
            time: std::time::Duration::ZERO,
            table_hits: 1,
            permille_full: 0,
            pv: vec![],
        };
        let told = |drawn| info(&known(drawn), &root, Style { chess960: false, show_wdl: true });
        assert!(told(true).ends_with(" wdl 0 1000 0") && !told(false).ends_with(" 0 1000 0"));
    }

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(score(Score::mate_in(1)), "mate 1");
        assert_eq!(score(Score::mate_in(5)), "mate 3");
        assert_eq!(score(Score::mated_in(0)), "mate 0");
        assert_eq!(score(Score::mated_in(2)), "mate -1");
        assert_eq!(score(Score::mated_in(6)), "mate -3");
        assert!(score(Score::EVAL_BOUND).starts_with("cp "));
    }

    #[test]
    fn a_line_tells_each_number_under_its_name() {
        let root = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let castles = |position: &Position, to| Move::castling(position.king(position.side_to_move()), to);
        let (first, reply) =
            (castles(&root, Square::H1), castles(&root.after(castles(&root, Square::H1)), Square::A8));
        let found = Info {
            depth: 9,
            seldepth: 14,
            rank: 2,
            score: Score::mate_in(5),
            drawn: false,
            bound: Bound::Lower,
            nodes: 40_000,
            time: std::time::Duration::from_micros(250_900),
            table_hits: 3,
            permille_full: 71,
            pv: vec![first, reply],
        };
        let style = |chess960| Style { chess960, show_wdl: false };
        let expected = "info depth 9 seldepth 14 multipv 2 score mate 3 lowerbound nodes 40000 nps 159426 hashfull 71 \
                        tbhits 3 time 250 pv e1g1 e8c8";
        assert_eq!(info(&found, &root, style(false)), expected);
        let upper = Info { bound: Bound::Upper, ..found.clone() };
        let expected = expected.replace(" lowerbound ", " upperbound ");
        assert_eq!(info(&upper, &root, style(false)), expected);
        assert_eq!(info(&upper, &root, style(true)), expected.replace("e1g1 e8c8", "e1h1 e8a8"));
        assert_eq!(current_move(9, first, 3, &root, false), "info depth 9 currmove e1g1 currmovenumber 3");
        assert_eq!(current_move(9, first, 3, &root, true), "info depth 9 currmove e1h1 currmovenumber 3");
        assert_eq!(best_move(Some(first), Some(reply), &root, false), "bestmove e1g1 ponder e8c8");
        assert_eq!(best_move(Some(first), Some(reply), &root, true), "bestmove e1h1 ponder e8a8");
    }
}
