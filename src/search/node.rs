//! An inner node, told in phases: is it over, does the table know it, what is it worth standing still, can it be
//! pruned whole; then its moves (in [`super::moves`]).

use super::params;
use super::table::{Bound, Entry};
use super::worker::Worker;
use crate::board::Position;
use crate::eval::endings;
use crate::laws::dead;
use crate::types::{Color, Depth, MAX_PLY, Move, Score};

/// The place of a node in the tree, known to the compiler.
pub(super) trait NodeKind {
    /// Its value is wanted exactly: it lies on a principal variation.
    const PV: bool;
    /// It is the root.
    const ROOT: bool;
}

pub(super) struct Root;
pub(super) struct Pv;
/// A node searched with a null window only to see on which side of it its value lies.
pub(super) struct Scout;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeKind for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// From this half-move clock on a position is not worth what the table says of it: the same one may have been reached
/// with moves to spare.
const NEAR_FIFTY_MOVES: u16 = 90;

/// What a position is worth without looking ahead.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    /// As the evaluator says.
    pub(super) raw: Score,
    /// With its usual error taken off.
    pub(super) corrected: Score,
    /// What the table knows better, or else the corrected evaluation.
    pub(super) guess: Score,
}

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) ply: usize,
    /// What is left to search, in plies; at least 1.
    pub(super) depth: Depth,
    /// A cutoff is expected here.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    pub(super) excluded: Option<Move>,
    /// What the table knows, with mate distances from the root.
    pub(super) entry: Option<Entry>,
    /// The table's move; at the root the best so far.
    pub(super) table_move: Option<Move>,
    /// The table's move takes something or makes a queen.
    pub(super) table_move_noisy: bool,
    /// The position is or was part of a principal variation.
    pub(super) table_pv: bool,
    /// The evaluation as the evaluator gave it.
    pub(super) raw_eval: Option<Score>,
    /// The evaluation with its usual error taken off.
    pub(super) static_eval: Option<Score>,
    /// The best guess of the value before searching: the static evaluation or what the table knows better.
    pub(super) eval: Score,
    /// The position is better for the side to move than it was at its last move.
    pub(super) improving: bool,
    /// What the side to move has in hand whatever its moves are worth: a draw if it can repeat.
    pub(super) floor: Score,
    /// The most that it can have.
    pub(super) ceiling: Score,
}

/// True if `side` lacks the material to mate or cannot win by theory ([`endings::cannot_win`]). The position is not a mate.
#[inline(always)]
pub fn cannot_win(position: &Position, side: Color) -> bool {
    dead::lacks_material(position, side) || endings::cannot_win(position, side)
}

/// A score for the side to move, no better than a draw if it cannot win, and no worse if the other side cannot.
#[inline(always)]
fn within_reach(position: &Position, score: Score) -> Score {
    let us = position.side_to_move();
    let winner = if score > Score::DRAW { us } else { !us };
    if cannot_win(position, winner) { Score::DRAW } else { score }
}

impl Worker<'_> {
    /// The value of `position` between `alpha` and `beta` to `depth` plies, fail-soft. Worthless once the search has
    /// been stopped.
    pub(super) fn search<N: NodeKind>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiesce::<N>(position, alpha, beta, ply);
        }
        self.enter::<N>(ply);
        if self.must_stop() {
            return Score::DRAW;
        }
        let mut floor = -Score::INFINITE;
        if !N::ROOT {
            if let Some(score) = self.end_of_line(position, alpha, beta, ply) {
                return score;
            }
            // Mate distance pruning: no line from here is better than a mate already found nearer the root.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            // A repetition within reach is a draw in hand.
            if alpha < Score::DRAW && self.history.has_upcoming_repetition(position, ply) {
                alpha = Score::DRAW;
                floor = Score::DRAW;
            }
            if alpha >= beta {
                return alpha;
            }
        }

        let mut node = self.open_node::<N>(position, depth.min(MAX_PLY as Depth - 1), ply, cut_node);
        node.floor = floor;
        if let Some(score) = table_cutoff::<N>(position, node.entry, node.depth, alpha, beta) {
            return score;
        }
        if let Some(score) = self.probe_tables::<N>(position, &mut node, &mut alpha, beta) {
            return score;
        }
        self.evaluate_node(position, &mut node);
        self.judge_last_move(&node);
        if !N::PV
            && !node.in_check
            && node.excluded.is_none()
            && let Some(score) = self.prune_node(position, &node, alpha, beta)
        {
            return score;
        }
        // Internal iterative reduction: without a move from the table the ordering is poor, so find one cheaply first.
        if (N::PV || cut_node)
            && node.depth >= params::iir_depth()
            && node.table_move.is_none()
            && node.excluded.is_none()
        {
            node.depth -= 1;
        }
        self.search_moves::<N>(position, &node, alpha, beta)
    }

    /// Housekeeping at the entrance of every node.
    #[inline(always)]
    pub(super) fn enter<N: NodeKind>(&mut self, ply: usize) {
        if N::PV {
            self.seldepth = self.seldepth.max(ply);
            self.lines[ply].clear();
        }
    }

    /// The score of a position where the game, or the search's room, ends; or where a draw is the most that a side
    /// without the means to mate can have, and that settles it.
    #[inline(always)]
    pub(super) fn end_of_line(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Option<Score> {
        if self.history.is_repetition(ply) || position.is_insufficient_material() {
            return Some(Score::DRAW);
        }
        let us = position.side_to_move();
        if (alpha >= Score::DRAW && dead::lacks_material(position, us))
            || (beta <= Score::DRAW && dead::lacks_material(position, !us))
        {
            return Some(Score::DRAW);
        }
        if position.halfmove_clock() >= 100 {
            // Mate comes before the fifty-move rule (article 9.6.2 puts it so for the seventy-five).
            return Some(if position.is_checkmate() { Score::mated_in(ply) } else { Score::DRAW });
        }
        if ply + 1 >= MAX_PLY {
            let score = if position.in_check() { Score::DRAW } else { self.evaluator.evaluate(position) };
            return Some(score);
        }
        None
    }

    #[inline(always)]
    fn open_node<N: NodeKind>(
        &mut self,
        position: &Position,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Node {
        let excluded = self.frame(ply).excluded;
        let entry = if excluded.is_some() { None } else { self.probe(position, ply) };
        let table_pv = match excluded {
            Some(_) => self.frame(ply).table_pv,
            None => N::PV || entry.is_some_and(|entry| entry.pv),
        };
        let table_move = if N::ROOT {
            Some(self.root_moves[self.first_root_move].mv)
        } else {
            entry.and_then(|entry| entry.mv)
        };
        self.frame_mut(ply).table_pv = table_pv;
        self.frame_mut(ply + 1).cutoffs = 0;
        Node {
            ply,
            depth,
            cut_node,
            in_check: position.in_check(),
            excluded,
            entry,
            table_move,
            table_move_noisy: table_move.is_some_and(|mv| position.is_noisy(mv)),
            table_pv,
            raw_eval: None,
            static_eval: None,
            eval: Score::DRAW,
            improving: false,
            floor: -Score::INFINITE,
            ceiling: Score::INFINITE,
        }
    }

    /// What the table knows of the position, with mate distances from the root.
    #[inline(always)]
    pub(super) fn probe(&self, position: &Position, ply: usize) -> Option<Entry> {
        let mut entry = self.job.table.probe(position.key())?;
        entry.score = entry.score.from_table(ply, position.halfmove_clock());
        Some(entry)
    }

    /// Fills in the evaluations.
    #[inline(always)]
    fn evaluate_node(&mut self, position: &Position, node: &mut Node) {
        let ply = node.ply;
        if node.in_check {
            self.frame_mut(ply).static_eval = None;
            return;
        }
        if node.excluded.is_some() {
            // The node is being searched already, without one move.
            node.static_eval = self.frame(ply).static_eval;
            node.eval = node.static_eval.unwrap_or_default();
        } else {
            let standing = self.evaluate_standing(position, node.entry, node.table_pv);
            node.raw_eval = Some(standing.raw);
            node.static_eval = Some(standing.corrected);
            node.eval = standing.guess;
            self.frame_mut(ply).static_eval = Some(standing.corrected);
        }
        let before = self.frame_before(ply, 2).static_eval.or(self.frame_before(ply, 4).static_eval);
        node.improving = match (node.static_eval, before) {
            (Some(now), Some(before)) => now > before,
            _ => false,
        };
    }

    /// What a quiet move has made of the evaluation says at once what it is worth; that need not wait for a cutoff.
    #[inline(always)]
    fn judge_last_move(&mut self, node: &Node) {
        let last = self.frame_before(node.ply, 1);
        if node.excluded.is_none()
            && let (Some(butterfly), Some(before), Some(now)) =
                (last.quiet, last.static_eval, node.static_eval)
        {
            let gained = -(before.units() + now.units());
            let limit = params::eval_change_max();
            let bonus = (params::eval_change_factor() * gained).clamp(-limit, limit);
            self.histories.update_butterfly(butterfly, bonus);
        }
    }

    /// The evaluation of a position without check, out of the table if it is there; else it is put there,
    /// unless there is an entry without one, as from tablebases.
    #[inline(always)]
    pub(super) fn evaluate_standing(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        pv: bool,
    ) -> Standing {
        let known = entry.and_then(|entry| entry.eval);
        let raw = match known {
            Some(raw) => raw,
            None => self.evaluator.evaluate(position),
        };
        let corrected = within_reach(position, self.histories.corrected(position, raw));
        if entry.is_none() {
            let entry = Entry { mv: None, score: Score::DRAW, eval: Some(raw), depth: 0, bound: None, pv };
            self.job.table.store(position.key(), entry);
        }
        Standing { raw, corrected, guess: better_guess(entry, corrected) }
    }

    /// Gives up on a node without trying its moves one by one.
    #[inline(always)]
    fn prune_node(&mut self, position: &Position, node: &Node, alpha: Score, beta: Score) -> Option<Score> {
        let Node { depth, eval, ply, .. } = *node;
        // Razoring: so far below alpha that only captures could help; look whether they do.
        if depth <= 4 && eval + params::razoring_margin() * depth < alpha {
            let score = self.quiesce::<Scout>(position, alpha, beta, ply);
            if score < alpha || self.stopped {
                return Some(score);
            }
        }
        // Reverse futility pruning: so far above beta that the opponent's next moves will hardly bring it below.
        let margin = params::reverse_futility_margin() * (depth - Depth::from(node.improving)).max(0);
        if depth <= params::reverse_futility_depth()
            && eval - margin >= beta
            && !beta.is_loss()
            && !eval.is_win()
        {
            return Some(Score::new((2 * eval.units() + beta.units()) / 3));
        }
        self.try_null_move(position, node, beta)
    }

    /// Null move pruning: if passing the move still leads above beta, a real move will too, zugzwang apart
    /// (<https://www.chessprogramming.org/Null_Move_Pruning>).
    #[inline(always)]
    fn try_null_move(&mut self, position: &Position, node: &Node, beta: Score) -> Option<Score> {
        let Node { depth, eval, ply, .. } = *node;
        let after_null = ply > 0 && self.frame_before(ply, 1).piece_to.is_none();
        let static_eval = node.static_eval?;
        if depth < 3
            || after_null
            || eval < beta
            || static_eval + params::null_move_margin_slope() * depth < beta + params::null_move_margin()
            || beta.is_loss()
            || ply < self.no_null_before
            || !position.has_pieces(position.side_to_move())
        {
            return None;
        }
        let above = (eval - beta) / params::null_move_eval_divisor();
        let reduction = params::null_move_base() + depth / params::null_move_divisor() + above.min(3);
        let next = position.after_null();
        self.job.table.prefetch(next.key());
        let frame = self.frame_mut(ply);
        (frame.piece_to, frame.quiet) = (None, None);
        self.history.push_null(&next);
        let score =
            -self.search::<Scout>(&next, -beta, -beta + 1, depth - reduction, ply + 1, !node.cut_node);
        self.history.pop();
        if self.stopped || score < beta {
            return None;
        }
        // A mate that rests on passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if depth < params::null_move_verified_depth() || self.no_null_before > 0 {
            return Some(score);
        }
        self.no_null_before = ply + (depth - reduction).max(0) as usize * 3 / 4;
        let verified = self.search::<Scout>(position, beta - 1, beta, depth - reduction, ply, false);
        self.no_null_before = 0;
        (verified >= beta && !self.stopped).then_some(score)
    }
}

/// The table's score, if it settles a node off the principal variation with so many plies to go.
#[inline(always)]
pub(super) fn table_cutoff<N: NodeKind>(
    position: &Position,
    entry: Option<Entry>,
    depth: Depth,
    alpha: Score,
    beta: Score,
) -> Option<Score> {
    let entry = entry?;
    let settles = !N::PV
        && entry.depth >= depth
        && position.halfmove_clock() < NEAR_FIFTY_MOVES
        && bound_settles(entry.bound, entry.score, alpha, beta);
    settles.then_some(entry.score)
}

/// True if a score with this bound answers the question whether the value lies below alpha or above beta.
#[inline(always)]
pub(super) fn bound_settles(bound: Option<Bound>, score: Score, alpha: Score, beta: Score) -> bool {
    match bound {
        None => false,
        Some(Bound::Exact) => true,
        Some(Bound::Lower) => score >= beta,
        Some(Bound::Upper) => score <= alpha,
    }
}

/// The table's score in place of the evaluation where it is on the right side of it.
#[inline(always)]
fn better_guess(entry: Option<Entry>, eval: Score) -> Score {
    match entry {
        Some(Entry { bound: Some(bound), score, .. }) if !score.is_decisive() => match bound {
            Bound::Exact => score,
            Bound::Lower => eval.max(score),
            Bound::Upper => eval.min(score),
        },
        _ => eval,
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::Histories;
    use super::super::job::Job;
    use super::super::{Limits, Settings};
    use super::*;

    /// The value of a node deep in the tree, with what the table knows of its position, and how many more were searched.
    fn value(fen: &str, depth: Depth, ply: usize, known: Option<Entry>) -> (Score, u64) {
        let position = Position::from_fen(fen).unwrap();
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let job = Job::of(position, limits, Settings::default(), 1);
        if let Some(entry) = known {
            job.table.store(position.key(), entry);
        }
        let mut histories = Histories::new();
        let mut worker = Worker::new(0, &job, &mut histories);
        let score = worker.search::<Scout>(&position, Score::new(99), Score::new(100), depth, ply, true);
        (score, worker.nodes)
    }

    #[test]
    fn near_the_fifty_move_limit_the_table_is_not_believed() {
        // In check, where no evaluation stands for the value either.
        let score = Score::new(-4_321);
        let entry = Entry { mv: None, score, eval: None, depth: 30, bound: Some(Bound::Upper), pv: false };
        for depth in [2, 0] {
            let fen = |clock| format!("4k3/8/8/8/4r3/8/8/4K2R w - - {clock} 90");
            let known = |clock| value(&fen(clock), depth, 4, Some(entry)).0;
            assert_eq!(known(NEAR_FIFTY_MOVES - 1), score, "{depth}");
            assert_ne!(known(NEAR_FIFTY_MOVES), score, "{depth}");
        }
    }

    #[test]
    fn the_tree_ends_where_its_room_does() {
        for fen in ["4k3/8/8/8/4r3/8/8/4K2R w - - 0 1", "4k2q/8/8/8/8/8/8/4K2R w - - 0 1"] {
            let [last, before] = [MAX_PLY - 1, MAX_PLY - 2].map(|ply| value(fen, 2, ply, None).1);
            assert!(last == 0 && before > 0, "{fen}: {last} {before}");
        }
    }
}
