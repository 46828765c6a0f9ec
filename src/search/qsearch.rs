//! The quiescence search: captures and queens until the position is quiet, evasions when in check
//! (<https://www.chessprogramming.org/Quiescence_Search>).

use super::node::{NodeKind, table_cutoff};
use super::params;
use super::picker::{Picker, victim};
use super::table::{Bound, Entry};
use super::worker::Worker;
use crate::board::see::SEE_VALUES;
use crate::board::{Checks, Position};
use crate::types::{Move, MoveKind, Score};

impl Worker<'_> {
    /// The value of `position` between `alpha` and `beta` when only forcing moves are tried, fail-soft.
    pub(super) fn quiesce<N: NodeKind>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        self.enter::<N>(ply);
        if self.must_stop() {
            return Score::DRAW;
        }
        if let Some(score) = self.end_of_line(position, alpha, beta, ply) {
            return score;
        }
        // What is played at the root is not to be stalemate, however shallow the search is; farther on nobody looks.
        if ply == 1 && position.has_no_moves() && !position.in_check() {
            return Score::DRAW;
        }
        let mut floor = -Score::INFINITE;
        if alpha < Score::DRAW && self.history.has_upcoming_repetition(position, ply) {
            alpha = Score::DRAW;
            floor = Score::DRAW;
            if alpha >= beta {
                return alpha;
            }
        }
        let entry = self.probe(position, ply);
        if let Some(score) = table_cutoff::<N>(position, entry, 0, alpha, beta) {
            return score;
        }
        let in_check = position.in_check();
        let table_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let mut raw_eval = None;
        let mut best = -Score::INFINITE;
        if !in_check {
            let standing = self.evaluate_standing(position, entry, table_pv);
            raw_eval = Some(standing.raw);
            // Standing pat: some quiet move will nearly always be at least as good.
            best = standing.guess;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let futility = best + params::quiescence_futility();
        let table_move = entry.and_then(|entry| entry.mv);
        let mut picker =
            if in_check { Picker::all(position, table_move) } else { Picker::noisy(position, table_move) };
        let context = in_check.then(|| self.context(position, ply));
        let mut checks = None;
        let mut best_move = None;
        let mut number = 0;
        while let Some(mv) = picker.next(position, self.histories, context.as_ref()) {
            number += 1;
            self.job.table.prefetch(position.key_after(mv));
            if best.is_loss() {
                // Anything is tried against a mate.
            } else if in_check {
                // One evasion that holds is enough; other quiet ones are left.
                picker.skip_quiets();
                if !position.is_noisy(mv) && number > 1 {
                    continue;
                }
            } else if let Some(most) = left_out(position, &picker, &mut checks, mv, number, futility, alpha) {
                best = best.max(most);
                continue;
            }
            let next = self.make(position, mv, ply);
            let score = -self.quiesce::<N>(&next, -beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_line(mv, ply);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && number == 0 {
            return Score::mated_in(ply);
        }
        best = best.max(floor);
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let entry = Entry {
            mv: best_move,
            score: best.to_table(ply),
            eval: raw_eval,
            depth: 0,
            bound: Some(bound),
            pv: table_pv,
        };
        self.job.table.store(position.key(), entry);
        best
    }
}

/// Whether a capture or promotion without hope is left out, and then the most that it could have been worth
/// (`-INFINITE` where nobody has asked). `futility` is what the side to move hopes for beyond what a move takes.
#[inline(always)]
fn left_out(
    position: &Position,
    picker: &Picker,
    checks: &mut Option<Checks>,
    mv: Move,
    number: i32,
    futility: Score,
    alpha: Score,
) -> Option<Score> {
    // A piece is worth more units of the evaluation than hundredths of a pawn in exchanges.
    let gain = SEE_VALUES[victim(position, mv).index()] * params::quiescence_victim() / 100;
    let hopeless = futility + gain <= alpha;
    let late = number > params::quiescence_moves();
    if (hopeless || late)
        && mv.kind() == MoveKind::Normal
        && !checks.get_or_insert_with(|| position.checks()).given_by(position, mv)
    {
        return Some(if hopeless { futility + gain } else { -Score::INFINITE });
    }
    // So far below alpha that only what wins material could help.
    let far_below = futility <= alpha;
    let enough = if far_below {
        !picker.gave_bad_capture() && position.see_at_least(mv, 1)
    } else {
        picker.gave_good_capture() || !picker.gave_bad_capture() && position.see_at_least(mv, 0)
    };
    match (enough, far_below) {
        (true, _) => None,
        (false, true) => Some(futility),
        (false, false) => Some(-Score::INFINITE),
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::Histories;
    use super::super::job::Job;
    use super::super::node::Scout;
    use super::super::{Limits, Settings};
    use super::*;
    use crate::eval::Evaluation;

    /// The value of a position by captures alone, looked at with a null window just below `beta`.
    fn quiesce(fen: &str, beta: i32) -> Score {
        let position = Position::from_fen(fen).unwrap();
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let mut job = Job::of(position, limits, Settings::default(), 1);
        job.evaluation = Evaluation::default();
        let mut histories = Histories::new();
        let mut worker = Worker::new(0, &job, &mut histories);
        worker.quiesce::<Scout>(&position, Score::new(beta - 1), Score::new(beta), 0)
    }

    #[test]
    fn a_queen_is_taken_back_however_much_she_is_worth_to_the_evaluation() {
        // Black has just taken the queen on e5, where the rook takes back.
        let value = quiesce("1k6/1b6/4p3/2R1q1p1/P1p3Pp/7P/8/6K1 w - - 0 57", -300);
        assert!(value.units() >= -300, "{value:?}");
    }

    #[test]
    fn a_mate_on_the_board_is_one_in_no_moves() {
        assert_eq!(quiesce("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 0), Score::mated_in(0));
    }
}
