//! A position that the engine is asked about, with the line that sets it up and what came before.

use crate::board::{Board, History, Position};
use crate::notation::uci_move::{parse_uci, to_uci};
use crate::types::Move;

/// A position to search.
#[derive(Clone)]
pub(super) struct Root {
    /// The `position` command.
    pub(super) line: String,
    pub(super) position: Position,
    pub(super) history: History,
}

impl Root {
    /// The initial position after these moves, parted by blanks.
    pub(super) fn start(moves: &str) -> Root {
        Root::new("position startpos", Position::default(), moves, false)
    }

    /// A position of the test's own, which has to be legal.
    pub(super) fn fen(fen: &str) -> Root {
        Root::after_fen(fen, "", false)
    }

    /// A position of the test's own after these moves.
    pub(super) fn after_fen(fen: &str, moves: &str, chess960: bool) -> Root {
        let position = Board::from_fen(fen).expect("the positions of the test are legal").into();
        Root::new(&format!("position fen {fen}"), position, moves, chess960)
    }

    fn new(line: &str, position: Position, moves: &str, chess960: bool) -> Root {
        let mut root = Root { line: line.to_string(), position, history: History::new(&position) };
        for word in moves.split_ascii_whitespace() {
            let mv = parse_uci(word, &root.position).expect("the moves of the test are legal");
            root.play(mv, chess960);
        }
        root
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move, chess960: bool) {
        let join = if self.line.contains(" moves ") { " " } else { " moves " };
        self.line = format!("{}{join}{}", self.line, to_uci(mv, &self.position, chess960));
        self.position = self.position.after(mv);
        self.history.push(&self.position);
    }

    /// True if the rules end the game here, as engine matches apply them.
    pub(super) fn is_over(&self) -> bool {
        self.position.has_no_moves()
            || self.position.halfmove_clock() >= 100
            || self.history.occurrences() >= 3
    }

    /// The position after a long, aimless game in which nothing repeats and the fifty moves never run out.
    pub(super) fn long(plies: usize) -> Root {
        let mut root = Root::start("");
        for ply in 0..plies {
            let position = root.position;
            let legal = position.legal_moves();
            // A pawn now and then keeps the fifty-move counter low; pieces otherwise, since pawns run out.
            let pawn_is_due = position.halfmove_clock() >= 60;
            let is_wanted = |mv: Move| {
                let is_pawn = position.kind_on(mv.from()) == Some(crate::types::PieceType::Pawn);
                if position.is_capture(mv) || mv.promoted().is_some() || is_pawn != pawn_is_due {
                    return false;
                }
                let mut next = root.clone();
                next.play(mv, false);
                !next.is_over() && next.history.occurrences() == 1 && !next.position.in_check()
            };
            let in_turn = (0..legal.len()).map(|i| legal[(i + ply * 7) % legal.len()]);
            let Some(mv) = in_turn.clone().find(|&mv| is_wanted(mv)).or_else(|| in_turn.clone().next())
            else {
                break;
            };
            root.play(mv, false);
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lead_where_they_say() {
        let root = Root::start("e2e4 e7e5");
        assert_eq!(root.line, "position startpos moves e2e4 e7e5");
        let castled = Root::after_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false);
        assert!(castled.line.ends_with(" moves e1g1"));
    }

    #[test]
    fn games_are_over_as_in_matches_between_engines() {
        let old = |clock: u32| Root::fen(&format!("7k/8/8/8/8/8/5Q2/K7 w - - {clock} 80"));
        assert!(!old(99).is_over() && old(100).is_over());
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
        assert!(Root::start(&there_and_back).is_over() && !Root::start(&there_and_back[..35]).is_over());
        assert!(Root::start("f2f3 e7e5 g2g4 d8h4").is_over());
    }

    #[test]
    fn the_long_game_is_long_and_not_over() {
        let root = Root::long(600);
        assert_eq!(root.line.split(' ').count(), 3 + 600);
        assert!(!root.is_over());
    }
}
