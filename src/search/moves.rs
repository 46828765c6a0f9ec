//! The moves of an inner node: judge, extend, reduce, search, reward.

use super::context::Context;
use super::events::Event;
use super::history::{Butterfly, bonus, malus};
use super::node::{Node, NodeKind, Pv, Scout};
use super::params;
use super::picker::{Picker, piece_to, victim};
use super::table::{Bound, Entry};
use super::worker::Worker;
use crate::board::Position;
use crate::types::{Depth, Move, Score};
use arrayvec::ArrayVec;
use once_cell::sync::Lazy;
use std::time::Duration;

/// Natural logarithms of 0 to 255 in 1024ths, those of 0 and 1 being 0.
static LOG: Lazy<[i32; 256]> =
    Lazy::new(|| std::array::from_fn(|n| (f64::from(n.max(1) as u32).ln() * 1024.0).round() as i32));

/// Moves tried before the best one; more than these are not punished.
type Tried = ArrayVec<Move, 32>;

/// One move in its node.
struct Candidate {
    mv: Move,
    /// Its number among the moves tried, from 1.
    number: usize,
    noisy: bool,
    /// It is known to lose no material.
    safe: bool,
    /// Where it has its butterfly history, if it is quiet.
    butterfly: Option<Butterfly>,
    gives_check: bool,
    /// What its history says of it.
    history: i32,
}

/// What is done with a move before it is searched.
enum Verdict {
    Search,
    Skip,
    /// Neither this quiet move nor any that follows.
    SkipQuiets,
}

/// What the search without the table's move says of that move.
enum Singularity {
    /// Search it so much deeper (or, below 0, less deep).
    Extend(Depth),
    /// Another move cuts off too: the node is done.
    Cutoff(Score),
}

/// The main thread names its root moves once this has passed.
const NAME_MOVES_AFTER: Duration = Duration::from_secs(3);
/// Moves that may be named at once: those of a few lines. Many lines, searched in no time, would be a flood.
const NAMES_AT_ONCE: f64 = 100.0;
/// Moves that may be named a second when those have been.
const NAMES_PER_SECOND: f64 = 20.0;

impl Worker<'_> {
    pub(super) fn search_moves<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let ply = node.ply;
        let first_alpha = alpha;
        let context = self.context(position, ply);
        let mut picker = Picker::all(position, if N::ROOT { None } else { node.table_move });
        let mut next_root_move = self.first_root_move;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());

        loop {
            let next = if N::ROOT {
                next_root_move += 1;
                // Of those that tablebases tell apart only the best.
                let rank = self.root_moves[self.first_root_move].table_rank;
                let next = self.root_moves.get(next_root_move - 1);
                next.filter(|root_move| root_move.table_rank == rank).map(|root_move| root_move.mv)
            } else {
                picker.next(position, self.histories, Some(&context))
            };
            let Some(mv) = next else { break };
            if node.excluded == Some(mv) {
                continue;
            }
            number += 1;
            // Early: what comes before the table is asked takes as long as its memory does.
            self.job.table.prefetch(position.key_after(mv));
            let candidate = self.describe(position, &context, mv, number, picker.gave_good_capture());
            if N::ROOT {
                self.name_root_move(&candidate);
            } else if !best.is_loss() && position.has_pieces(position.side_to_move()) {
                match self.judge(position, node, &context, &candidate, alpha) {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }
            let extension = match self.singularity::<N>(position, node, mv, beta) {
                Singularity::Extend(plies) => plies,
                Singularity::Cutoff(score) => return score,
            };
            if self.stopped {
                return Score::DRAW;
            }
            let nodes_before = self.nodes;
            let score =
                self.search_move::<N>(position, node, &candidate, alpha, beta, node.depth - 1 + extension);
            if self.stopped {
                return Score::DRAW;
            }
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                let bound = match score {
                    _ if score <= alpha => Bound::Upper,
                    _ if score >= beta => Bound::Lower,
                    _ => Bound::Exact,
                };
                self.note_root_move(next_root_move - 1, score, bound, nodes, number == 1);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_line(mv, ply);
                    }
                    if score >= beta {
                        self.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    alpha = score;
                }
            }
            if best_move != Some(mv) {
                // More than these are too many to be worth punishing.
                let _ = if candidate.noisy { captures.try_push(mv) } else { quiets.try_push(mv) };
            }
        }

        if number == 0 {
            return match (node.excluded, node.in_check) {
                (Some(_), _) => alpha,
                (None, true) => Score::mated_in(ply),
                (None, false) => Score::DRAW,
            };
        }
        best = best.max(node.floor).min(node.ceiling);
        if best_move.is_none() {
            self.reward_last_move(node);
        }
        if let Some(mv) = best_move.filter(|_| best >= beta) {
            self.reward(position, node, &context, mv, &quiets, &captures);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.record::<N>(position, node, best, best_move, bound);
        best
    }

    #[inline(always)]
    fn describe(
        &self,
        position: &Position,
        context: &Context,
        mv: Move,
        number: usize,
        safe: bool,
    ) -> Candidate {
        let noisy = position.is_noisy(mv);
        let piece_to = piece_to(position, mv);
        let history = if noisy {
            self.histories.capture(piece_to, victim(position, mv))
        } else {
            self.histories.quiet(context, mv, piece_to)
        };
        let butterfly = (!noisy).then(|| Butterfly::new(context, mv));
        let gives_check = context.checks.given_by(position, mv);
        Candidate { mv, number, butterfly, noisy, safe, gives_check, history }
    }

    /// Decides whether a move is worth being searched at all, once there is one that does not lose at once.
    #[inline(always)]
    fn judge(
        &self,
        position: &Position,
        node: &Node,
        context: &Context,
        candidate: &Candidate,
        alpha: Score,
    ) -> Verdict {
        let Candidate { mv, number, noisy, safe, gives_check, history, .. } = *candidate;
        let depth = node.depth;
        if noisy {
            // SEE pruning.
            let allowed =
                -params::see_capture_margin() * depth - history / params::see_capture_history_divisor();
            return if safe && allowed <= 0 || position.see_at_least(mv, allowed) {
                Verdict::Search
            } else {
                Verdict::Skip
            };
        }
        // Late move pruning: the later a quiet move, the less it is worth a look.
        let enough = (params::late_move_base() + depth * depth) / if node.improving { 1 } else { 2 };
        if number as i32 > enough.max(2) {
            return Verdict::SkipQuiets;
        }
        let reduced = (depth - base_reduction(depth, number, false) / 1024).max(0);
        // Futility pruning: the evaluation is so low that a quiet move will hardly raise it above alpha.
        if let Some(eval) = node.static_eval
            && !gives_check
            && reduced <= params::futility_depth()
            && eval + params::futility_base() + params::futility_margin() * reduced + history / 128 <= alpha
        {
            return Verdict::SkipQuiets;
        }
        // History pruning.
        if reduced <= params::history_pruning_depth() && history < -params::history_pruning_margin() * depth {
            return Verdict::Skip;
        }
        // SEE pruning.
        let allowed = -params::see_quiet_margin() * reduced * reduced;
        if context.is_out_of_reach(mv) || position.see_at_least(mv, allowed) {
            Verdict::Search
        } else {
            Verdict::Skip
        }
    }

    /// Singular extension: if no other move comes near what the table says of its move, that move is searched deeper
    /// (<https://www.chessprogramming.org/Singular_Extensions>).
    #[inline(always)]
    fn singularity<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        mv: Move,
        beta: Score,
    ) -> Singularity {
        let Node { ply, depth, entry: Some(entry), .. } = *node else { return Singularity::Extend(0) };
        let examined = !N::ROOT
            && node.excluded.is_none()
            && entry.mv == Some(mv)
            && depth >= params::singular_depth()
            && entry.depth >= depth - 3
            && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && !entry.score.is_decisive()
            // Lines that only extensions make long are not made longer.
            && ply < 2 * self.job.deepest_iteration();
        if !examined {
            return Singularity::Extend(0);
        }
        let target = entry.score - params::singular_margin() * depth;
        self.frame_mut(ply).excluded = Some(mv);
        let score = self.search::<Scout>(position, target - 1, target, (depth - 1) / 2, ply, node.cut_node);
        self.frame_mut(ply).excluded = None;
        if self.stopped {
            return Singularity::Extend(0);
        }
        if score < target {
            let on_pv = if N::PV { params::double_extension_margin_pv() } else { 0 };
            let by_far = score + params::double_extension_margin() + on_pv < target;
            Singularity::Extend(if by_far { 2 } else { 1 })
        } else if !N::PV && target >= beta && !target.is_decisive() {
            // Multi-cut: the others cut off as well.
            Singularity::Cutoff(target)
        } else if entry.score >= beta {
            Singularity::Extend(-2)
        } else if node.cut_node {
            Singularity::Extend(-1)
        } else {
            Singularity::Extend(0)
        }
    }

    /// How much less deep a late move is searched at first, in 1024ths of a ply.
    #[inline(always)]
    fn reduction(&self, node: &Node, candidate: &Candidate) -> i32 {
        let mut reduction = base_reduction(node.depth, candidate.number, candidate.noisy);
        if node.cut_node {
            reduction += params::lmr_cut_node();
        }
        if !node.improving {
            reduction += params::lmr_not_improving();
        }
        if node.table_pv {
            reduction -= params::lmr_table_pv();
        }
        if candidate.gives_check {
            reduction -= params::lmr_check();
        }
        if node.table_move_noisy {
            reduction += params::lmr_table_capture();
        }
        if self.frame(node.ply + 1).cutoffs > 3 {
            reduction += params::lmr_many_cutoffs();
        }
        reduction - candidate.history * 1024 / params::lmr_history_divisor()
    }

    /// Searches one move: late ones less deep and with a null window first, and again where that is not enough
    /// (<https://www.chessprogramming.org/Principal_Variation_Search>).
    #[inline(always)]
    fn search_move<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        alpha: Score,
        beta: Score,
        depth: Depth,
    ) -> Score {
        let ply = node.ply;
        let reduction = self.reduction(node, candidate);
        let next = self.make(position, candidate.mv, ply);
        self.frame_mut(ply).quiet = candidate.butterfly;
        let first = candidate.number == 1;
        let mut score = Score::DRAW;
        let mut fails_high = first && N::PV;
        if !fails_high {
            let scout = |worker: &mut Self, depth, cut_node| {
                -worker.search::<Scout>(&next, -alpha - 1, -alpha, depth, ply + 1, cut_node)
            };
            let late = node.depth >= 2 && candidate.number > 1 + usize::from(N::ROOT);
            let reduced = if late { (depth - reduction / 1024).clamp(1.min(depth), depth) } else { depth };
            score = scout(self, reduced, late || !node.cut_node);
            if reduced < depth && score > alpha && !self.stopped {
                score = scout(self, depth, !node.cut_node);
                if !candidate.noisy && !self.stopped {
                    // The moves that led here learn from the second look already, before the node is done.
                    let gain = match score {
                        _ if score <= alpha => malus(depth),
                        _ if score >= beta => bonus(depth),
                        _ => 0,
                    };
                    let moved = piece_to(position, candidate.mv);
                    self.histories.update_continuation(&self.previous(ply), moved, gain);
                }
            }
            fails_high = N::PV && score > alpha;
        }
        if fails_high && !self.stopped {
            score = -self.search::<Pv>(&next, -beta, -alpha, depth, ply + 1, false);
        }
        self.unmake();
        score
    }

    fn name_root_move(&mut self, candidate: &Candidate) {
        if self.id != 0 || !self.job.is_heard() {
            return;
        }
        let now = self.job.elapsed();
        if now < NAME_MOVES_AFTER {
            return;
        }
        let more = (now - self.names_counted_at).as_secs_f64() * NAMES_PER_SECOND;
        (self.names_left, self.names_counted_at) = ((self.names_left + more).min(NAMES_AT_ONCE), now);
        if self.names_left >= 1.0 {
            self.names_left -= 1.0;
            let number = self.first_root_move + candidate.number;
            let iteration = self.job.deepest_iteration() as Depth;
            self.job.tell(Event::CurrentMove(iteration, candidate.mv, number));
        }
    }

    /// Keeps the result of a root move.
    fn note_root_move(&mut self, index: usize, score: Score, bound: Bound, nodes: u64, first: bool) {
        let seldepth = self.seldepth;
        let (root_move, below) = (&mut self.root_moves[index], &self.lines[1]);
        root_move.nodes += nodes;
        if first || bound != Bound::Upper {
            root_move.score = score;
            root_move.bound = bound;
            self.has_root_value = true;
            root_move.seldepth = seldepth;
            root_move.line.truncate(1);
            let room = root_move.line.remaining_capacity();
            root_move.line.extend(below.iter().copied().take(room));
        } else {
            root_move.score = -Score::INFINITE;
        }
    }

    /// The move that cut off gains in history. Captures tried before it lose, and quiet moves if it is one.
    fn reward(
        &mut self,
        position: &Position,
        node: &Node,
        context: &Context,
        best: Move,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let (gain, loss) = (bonus(node.depth), malus(node.depth));
        if position.is_noisy(best) {
            self.histories.update_capture(piece_to(position, best), victim(position, best), gain);
        } else {
            self.histories.update_quiet(context, best, piece_to(position, best), gain);
            for &mv in quiets {
                self.histories.update_quiet(context, mv, piece_to(position, mv), loss);
            }
        }
        for &mv in captures {
            self.histories.update_capture(piece_to(position, mv), victim(position, mv), loss);
        }
    }

    /// No move was good enough here: the quiet move that led here gains.
    fn reward_last_move(&mut self, node: &Node) {
        let last = *self.frame_before(node.ply, 1);
        if node.excluded.is_none()
            && let (Some(butterfly), Some(piece_to)) = (last.quiet, last.piece_to)
        {
            let gain = bonus(node.depth) * params::fail_low_bonus() / 128;
            self.histories.update_butterfly(butterfly, gain);
            let previous = self.previous(node.ply - 1);
            self.histories.update_continuation(&previous, piece_to, gain);
        }
    }

    /// Keeps the result of the node in the table and learns how wrong the evaluation was.
    fn record<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        best: Score,
        best_move: Option<Move>,
        bound: Bound,
    ) {
        // A choice among some of the moves says nothing about the position.
        let some_moves_only = node.excluded.is_some()
            || N::ROOT && (self.first_root_move > 0 || self.job.limits.search_moves.is_some());
        if some_moves_only {
            return;
        }
        let entry = Entry {
            mv: best_move,
            score: best.to_table(node.ply),
            eval: node.raw_eval,
            depth: node.depth,
            bound: Some(bound),
            pv: node.table_pv,
        };
        self.job.table.store(position.key(), entry);
        if let Some(eval) = node.static_eval {
            let quiet = best_move.is_none_or(|mv| !position.is_noisy(mv));
            let says_something = match bound {
                Bound::Exact => true,
                Bound::Lower => best > eval,
                Bound::Upper => best < eval,
            };
            if quiet && says_something && !best.is_decisive() {
                self.histories.update_correction(position, node.depth, best - eval);
            }
        }
    }
}

/// Late move reduction by depth and number alone, in 1024ths of a ply.
#[inline(always)]
fn base_reduction(depth: Depth, number: usize, noisy: bool) -> i32 {
    let product = LOG[depth.clamp(0, 255) as usize] * LOG[number.min(255)] / 1024;
    if noisy {
        params::lmr_capture_factor() * product / 1024
    } else {
        params::lmr_quiet_base() + params::lmr_quiet_factor() * product / 1024
    }
}
