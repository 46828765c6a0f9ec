//! Proof of mates by brute force: every defence is tried, nothing is pruned.

use super::pv::is_drawn;
use super::table::Table;
use crate::board::{History, Position};
use crate::types::Move;

/// Positions between two looks at whether to go on.
const POSITIONS_PER_LOOK: u64 = 1_024;

/// A search for forced mates within a number of positions.
pub(super) struct Prover<'a> {
    table: &'a Table,
    /// The positions up to the one that is looked at.
    history: History,
    /// Positions that may still be looked at.
    budget: u64,
    /// Asked now and then; the search gives up when it says no.
    go_on: &'a dyn Fn() -> bool,
    /// It was told to.
    gave_up: bool,
}

impl<'a> Prover<'a> {
    /// Looks at no more than `budget` positions, and no more at all once `go_on` says no. The table's moves are tried
    /// first. `history` ends with the position that will be asked about, or about the moves of which.
    pub(super) fn new(
        table: &'a Table,
        history: History,
        budget: u64,
        go_on: &'a dyn Fn() -> bool,
    ) -> Prover<'a> {
        Prover { table, history, budget, go_on, gave_up: false }
    }

    /// Positions that it might still have looked at.
    pub(super) fn budget_left(&self) -> u64 {
        self.budget
    }

    /// True if it gave up: that no line was found proves nothing then.
    pub(super) fn has_given_up(&self) -> bool {
        self.gave_up || self.budget == 0
    }

    /// A line of at most `plies` plies that ends in mate, with the longest defence: an odd number when the side to
    /// move mates, an even one when it is mated.
    pub(super) fn mating_line(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        if self.budget.is_multiple_of(POSITIONS_PER_LOOK) && !(self.go_on)() {
            self.gave_up = true;
        }
        if self.has_given_up() {
            return None;
        }
        self.budget -= 1;
        // Behind the fifty-move limit only a mate that stands on the board already counts; no mate stands there thrice.
        if is_drawn(position, self.history.occurrences()) && !position.is_checkmate() {
            return None;
        }
        if plies.is_multiple_of(2) { self.defence(position, plies) } else { self.attack(position, plies) }
    }

    /// The same behind a move of the position that the history ends with.
    pub(super) fn line_behind(&mut self, position: &Position, mv: Move, plies: usize) -> Option<Vec<Move>> {
        let next = position.after(mv);
        self.history.push(&next);
        let line = self.mating_line(&next, plies);
        self.history.pop();
        line
    }

    fn attack(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        let mut moves = position.legal_moves();
        if plies == 1 {
            moves.retain(|mv| position.gives_check(*mv));
        } else {
            let known = self.table.probe(position.key()).and_then(|entry| entry.mv);
            moves.sort_by_cached_key(|&mv| (Some(mv) != known, !position.gives_check(mv)));
        }
        for mv in moves {
            if let Some(mut rest) = self.line_behind(position, mv, plies - 1) {
                rest.insert(0, mv);
                return Some(rest);
            }
        }
        None
    }

    fn defence(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return position.in_check().then(Vec::new);
        }
        if plies == 0 {
            return None;
        }
        // Captures and checks refute most attacks.
        moves.sort_by_cached_key(|&mv| !(position.is_capture(mv) || position.gives_check(mv)));
        let mut longest = vec![];
        for mv in moves {
            let mut rest = self.line_behind(position, mv, plies - 1)?;
            if rest.len() + 1 > longest.len() {
                rest.insert(0, mv);
                longest = rest;
            }
        }
        Some(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    fn plies_to_mate(fen: &str, most: usize) -> Option<usize> {
        let table = Table::new(1).unwrap();
        let position = Position::from_fen(fen).unwrap();
        let history = History::new(&position);
        Prover::new(&table, history, u64::MAX, &|| true).mating_line(&position, most).map(|line| line.len())
    }

    #[test]
    fn quiet_keys_and_forced_mates_are_found_and_nothing_else() {
        // A rook sacrifice that no capture or check gives away.
        let quiet = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
        assert_eq!(plies_to_mate(quiet, 3), Some(3));
        assert_eq!(plies_to_mate(quiet, 1), None);
        assert_eq!(plies_to_mate("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", 0), None, "stalemate is no mate");
        assert_eq!(plies_to_mate("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 2), Some(0));
        assert_eq!(plies_to_mate("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 5), Some(3));
    }

    #[test]
    fn the_fifty_move_limit_cuts_mates_off() {
        assert_eq!(plies_to_mate("7k/8/8/8/8/8/R7/1R5K w - - 97 80", 3), Some(3));
        assert_eq!(plies_to_mate("7k/8/8/8/8/8/R7/1R5K w - - 98 80", 3), None);
    }

    #[test]
    fn a_third_occurrence_is_no_step_on_the_way_to_a_mate() {
        let table = Table::new(1).unwrap();
        let mut position = Position::from_fen("kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1").unwrap();
        let mut history = History::new(&position);
        let mut prove = |moves: &str| {
            for text in moves.split_whitespace() {
                let [from, to] = [&text[..2], &text[2..]].map(|name| Square::parse(name).unwrap());
                position = position.after(Move::normal(from, to));
                history.push(&position);
            }
            Prover::new(&table, history.clone(), u64::MAX, &|| true).mating_line(&position, 3)
        };
        assert_eq!(prove("b8c7 a6a1 c7b8").unwrap().len(), 3, "the rook comes back to a6");
        assert_eq!(prove("a1a6 b8c7 a6a1 c7b8"), None, "where it would have been three times");
    }

    #[test]
    fn giving_up_is_told_from_finding_nothing() {
        let table = Table::new(1).unwrap();
        let start = Position::default();
        let history = || History::new(&start);
        let mut short = Prover::new(&table, history(), 100, &|| true);
        assert!(short.mating_line(&start, 5).is_none() && short.budget_left() == 0 && short.has_given_up());
        let budget = 4 * POSITIONS_PER_LOOK;
        let mut stopped = Prover::new(&table, history(), budget, &|| false);
        assert!(stopped.mating_line(&start, 5).is_none() && stopped.has_given_up());
        assert_eq!(stopped.budget_left(), budget, "what it has not looked at");
        let mut whole = Prover::new(&table, history(), u64::MAX, &|| true);
        assert!(whole.mating_line(&start, 3).is_none() && whole.budget_left() > 0);
    }

    #[test]
    fn the_line_is_that_of_the_longest_defence() {
        let table = Table::new(1).unwrap();
        let mut last = 0;
        let plies = |position: &Position, most| {
            let line =
                Prover::new(&table, History::new(position), u64::MAX, &|| true).mating_line(position, most);
            line.map(|line| line.len())
        };
        for queen in ["Q7", "3Q4"] {
            let root = Position::from_fen(&format!("7k/8/5K2/8/8/8/8/{queen} w - - 0 1")).unwrap();
            for mv in root.legal_moves() {
                // Some replies let it be over at once.
                for next in root.after(mv).legal_moves().iter().map(|&reply| root.after(mv).after(reply)) {
                    for position in next.legal_moves().iter().step_by(3).map(|&mv| next.after(mv)) {
                        if let (None, Some(found)) = (plies(&position, 2), plies(&position, 4)) {
                            assert_eq!(found, 4, "{position:?}");
                            last += 1;
                        }
                    }
                }
            }
        }
        assert!(last > 50, "{last}");
    }
}
