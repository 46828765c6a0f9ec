//! Iterative deepening: the same search deeper and deeper, each time in a narrow window around the last result
//! (<https://www.chessprogramming.org/Iterative_Deepening>, <https://www.chessprogramming.org/Aspiration_Windows>).

use super::events::{Event, Info};
use super::mate::Prover;
use super::node::Root;
use super::params;
use super::pv::presentable;
use super::strength::Weakness;
use super::table::Bound;
use super::time::Trend;
use super::worker::{RootMove, Worker};
use crate::eval::static_score;
use crate::types::{Depth, MAX_DEPTH, Move, Score};
use std::time::Duration;

/// What one thread found.
pub(super) struct Outcome {
    /// The last iteration that was finished, or during which a better move was found.
    pub(super) depth: Depth,
    /// The best lines, as they are to be shown; more than one only when several were asked for.
    pub(super) lines: Vec<RootMove>,
    pub(super) seldepth: usize,
}

/// Lines a second that a client can read at leisure; some hang when flooded.
const LINES_PER_SECOND: f64 = 80.0;
/// Lines that may come at once at the beginning.
const LINES_AT_ONCE: usize = 60;
/// Bounds are reported once this has passed: some clients take them for values, and show how they flicker.
const SHOW_BOUNDS_AFTER: Duration = Duration::from_secs(8);

impl Worker<'_> {
    /// Searches until a limit is reached or somebody stops it. The main thread reports on the way.
    pub(super) fn iterate(&mut self) -> Outcome {
        let weakness = self.job.settings.elo.map(Weakness::of_elo);
        let asked = self.job.settings.multi_pv.max(weakness.as_ref().map_or(1, Weakness::candidates));
        let wanted_lines = asked.min(self.root_moves.len());
        let mut outcome = Outcome { depth: 0, lines: vec![], seldepth: 0 };
        let mut trend = Trend::default();

        for depth in 1..=self.last_iteration() {
            if self.id == 0 {
                self.job.set_iteration(depth);
            }
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -Score::INFINITE;
                root_move.bound = Bound::Exact;
            }
            for rank in 0..wanted_lines {
                self.first_root_move = rank;
                self.seldepth = 0;
                self.aspirate(self.staggered(depth), rank);
                // Stable, so that the others keep their order.
                self.root_moves[rank..].sort_by_key(RootMove::order);
                if self.stopped {
                    break;
                }
            }
            self.may_stop = true;
            self.publish_nodes();
            let best = &self.root_moves[0];
            if self.stopped {
                // What was searched since is to be seen in the last lines, if only by their counts.
                self.held_back = true;
                if outcome.lines.is_empty() {
                    self.judge_by_evaluation(wanted_lines);
                    outcome = self.outcome(depth, wanted_lines);
                } else if wanted_lines == 1 && !best.score.is_loss() && best.bound != Bound::Upper {
                    // A move with a value in this unfinished iteration is at least as good as the last one's; but a loss
                    // is one only if no other move is better.
                    outcome = self.outcome(depth, 1);
                }
                break;
            }
            let before = outcome.lines.first().map(|line| line.mv);
            self.root_moves[..wanted_lines].sort_by_key(RootMove::order);
            let best = &self.root_moves[0];
            trend.note(
                depth,
                before == Some(best.mv),
                best.score.units(),
                best.nodes as f64 / self.nodes.max(1) as f64,
            );
            outcome = self.outcome(depth, wanted_lines);
            if self.id == 0 {
                self.held_back = !(self.job.is_heard() && self.may_show(wanted_lines));
                if !self.held_back {
                    self.show(&outcome);
                }
                if self.is_done(&outcome, &trend) {
                    break;
                }
            }
            if weakness.as_ref().is_some_and(|weakness| self.nodes >= weakness.nodes) {
                break;
            }
        }
        if let Some(moves) = self.job.limits.mate
            && self.id == 0
        {
            self.prove_mate(moves as usize, &mut outcome);
        }
        self.publish_nodes();
        self.finished_at = Some((self.job.elapsed(), self.job.nodes()));
        if let Some(weakness) = weakness
            && self.id == 0
        {
            let best = outcome.lines[0].mv;
            weakness.choose(&mut outcome.lines);
            self.held_back |= outcome.lines[0].mv != best;
        }
        outcome
    }

    /// Gives the lines that not even the first iteration has reached the evaluation behind their first move, but no more
    /// than those have that were searched: they stay behind these.
    fn judge_by_evaluation(&mut self, wanted_lines: usize) {
        let position = self.job.position;
        let wanted = &mut self.root_moves[..wanted_lines];
        let reached = wanted.iter().take_while(|root_move| root_move.score != -Score::INFINITE).count();
        let most = reached.checked_sub(1).map_or(Score::INFINITE, |last| wanted[last].score);
        for root_move in &mut wanted[reached..] {
            let next = position.after(root_move.mv);
            let score = match (next.has_no_moves(), next.in_check()) {
                (true, true) => Score::mate_in(1),
                (true, false) => Score::DRAW,
                (false, _) => -static_score(&next, &self.job.evaluation),
            };
            root_move.score = score.min(most);
        }
        wanted[reached..].sort_by_key(RootMove::order);
    }

    /// The deepest iteration that the limits allow. For a mate the ordinary search, which finds most of them quickly,
    /// goes a little deeper than the mate; then brute force has the last word.
    fn last_iteration(&self) -> Depth {
        let mate = self
            .job
            .limits
            .mate
            .map_or(MAX_DEPTH, |moves| moves.saturating_mul(2).min(MAX_DEPTH as u32) as Depth);
        self.job.limits.depth.unwrap_or(MAX_DEPTH).min(mate).clamp(1, MAX_DEPTH)
    }

    /// Looks for a mate in at most `moves` moves by brute force, unless the search has found one or has been stopped.
    fn prove_mate(&mut self, moves: usize, outcome: &mut Outcome) {
        let job = self.job;
        let found = |line: &RootMove| {
            line.score.is_win() && line.score.plies_to_mate().is_some_and(|plies| plies < 2 * moves)
        };
        if outcome.lines.first().is_none_or(|line| found(line) || line.score.is_loss()) {
            return;
        }
        let go_on = || !job.signals.is_stopped() && !job.time_is_up();
        // The helpers' nodes count too.
        self.publish_nodes();
        let budget = job.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(job.nodes()));
        let mut prover = Prover::new(&job.table, job.history.clone(), budget, &go_on);
        let deepest = job.limits.depth.map_or(moves, |depth| moves.min((depth as usize).div_ceil(2)));
        'proof: for length in 1..=deepest {
            for mv in self.root_moves.iter().map(|root_move| root_move.mv) {
                if let Some(rest) = prover.line_behind(&job.position, mv, 2 * length - 2) {
                    // Its old line gives way, so that no move is shown twice, or else the last one. The others stay in
                    // their order.
                    let rank = outcome.lines.iter().position(|line| line.mv == mv);
                    let rank = rank.unwrap_or(outcome.lines.len() - 1);
                    outcome.lines[..=rank].rotate_right(1);
                    let best = &mut outcome.lines[0];
                    best.mv = mv;
                    best.score = Score::mate_in(rest.len() + 1);
                    best.bound = Bound::Exact;
                    *best.line = std::iter::once(mv).chain(rest).collect();
                    break 'proof;
                }
                if prover.has_given_up() {
                    break 'proof;
                }
            }
        }
        self.nodes += budget - prover.budget_left();
        self.held_back = true;
    }

    /// Helpers look at every other depth of their own, so that the threads do not all do the same.
    fn staggered(&self, depth: Depth) -> Depth {
        (depth + (self.id % 2) as Depth).min(MAX_DEPTH)
    }

    /// One iteration for one line: widens the window until the value lies in it.
    fn aspirate(&mut self, depth: Depth, rank: usize) {
        let guess = self.root_moves[rank].previous;
        let mut width = params::aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= 4 && !guess.is_decisive() {
            alpha = (guess - width).max(-Score::INFINITE);
            beta = (guess + width).min(Score::INFINITE);
        }
        let position = self.job.position;
        let mut reduced = depth;
        loop {
            let score = self.search::<Root>(&position, alpha, beta, reduced.max(1), 0, false);
            if self.stopped {
                return;
            }
            self.root_moves[rank..].sort_by_key(RootMove::order);
            if rank == 0 && (score <= alpha || score >= beta) {
                self.show_bound(depth);
            }
            if score <= alpha {
                if self.id == 0 && rank == 0 && self.root_moves.len() > 1 {
                    // What was enough for the move as it seemed is not for one that has got worse.
                    self.job.note_enough(false);
                }
                beta = Score::new((alpha.units() + beta.units()) / 2);
                alpha = (score - width).max(-Score::INFINITE);
                reduced = depth;
            } else if score >= beta {
                beta = (score + width).min(Score::INFINITE);
                if !score.is_decisive() {
                    reduced = (reduced - 1).max(depth - 3);
                }
            } else {
                return;
            }
            width += width / 2;
            if width > 600 || score.is_decisive() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// The first `count` lines, fit to be shown.
    fn outcome(&self, depth: Depth, count: usize) -> Outcome {
        let lines = self.root_moves[..count].to_vec();
        let seldepth = lines.iter().map(|line| line.seldepth).max().unwrap_or(0);
        let mut outcome = Outcome { depth, lines, seldepth };
        if self.id == 0 {
            self.present(&mut outcome);
        }
        outcome
    }

    /// Makes the lines of an outcome fit to be shown.
    pub(super) fn present(&self, outcome: &mut Outcome) {
        let job = self.job;
        for line in &mut outcome.lines {
            let (moves, score) = presentable(&job.position, &job.history, &job.table, &line.line, line.score);
            *line.line = moves.into_iter().collect();
            line.score = score;
        }
    }

    /// True if the main thread need not go on.
    fn is_done(&self, outcome: &Outcome, trend: &Trend) -> bool {
        let limits = &self.job.limits;
        let score = outcome.lines[0].score;
        if let (Some(moves), Some(plies)) = (limits.mate, score.plies_to_mate())
            && plies.div_ceil(2) <= moves as usize
        {
            return true;
        }
        // A proven mate does not get any shorter, once the iterations have gone well past it.
        let proven = outcome.lines.iter().all(|line| {
            line.score.plies_to_mate().is_some_and(|plies| outcome.depth as usize >= 2 * plies + 8)
        });
        if proven {
            return true;
        }
        let is_enough = limits.soft_nodes.is_some_and(|nodes| self.job.nodes() >= nodes)
            || self.job.time.is_enough(self.job.charged(), trend);
        let is_due = self.job.may_answer();
        self.job.note_enough(is_enough && !is_due);
        is_due && is_enough
    }

    /// True if a client can take so many lines more now; the last ones of a search always come.
    fn may_show(&self, lines: usize) -> bool {
        let allowed = LINES_AT_ONCE.max(lines) as f64 + self.job.elapsed().as_secs_f64() * LINES_PER_SECOND;
        (self.shown + lines) as f64 <= allowed
    }

    /// Reports that the window was missed, where iterations take so long that this is news. Several lines are of one
    /// iteration always, and wait for its end.
    fn show_bound(&mut self, depth: Depth) {
        let is_news = self.id == 0
            && self.job.is_heard()
            && self.job.settings.multi_pv == 1
            && self.job.elapsed() >= SHOW_BOUNDS_AFTER;
        if is_news && self.may_show(1) {
            self.publish_nodes();
            let outcome = self.outcome(depth, 1);
            self.show(&outcome);
        }
    }

    /// Reports the lines of an outcome.
    pub(super) fn show(&mut self, outcome: &Outcome) {
        // While it waits for the word to answer it does not search, though others may.
        let (time, nodes) = self.finished_at.unwrap_or_else(|| (self.job.elapsed(), self.job.nodes()));
        let time = time.max(Duration::from_micros(1));
        for (index, line) in outcome.lines.iter().take(self.job.settings.multi_pv).enumerate() {
            self.shown += 1;
            let score = self.job.probing.as_ref().map_or(line.score, |probing| probing.shown_score(line));
            self.job.tell(Event::Info(Info {
                depth: outcome.depth,
                seldepth: outcome.seldepth.max(outcome.depth as usize),
                rank: index + 1,
                score,
                drawn: line.table_score.is_some_and(|known| known == score && !score.is_decisive()),
                // A mate is shown only with a line that mates.
                bound: if score.is_decisive() { Bound::Exact } else { line.bound },
                nodes,
                time,
                table_hits: self.job.table_hits(),
                permille_full: self.job.table.permille_full(),
                pv: line.line.to_vec(),
            }));
        }
    }
}

/// The thread whose result is played: each votes for its move, the more the deeper it got and the better it scores
/// (<https://www.chessprogramming.org/Lazy_SMP>). What is proven comes before what is not: the quickest win, else of
/// losses the one that was found in the deepest iteration.
pub(super) fn elect(outcomes: &[Outcome]) -> usize {
    let lowest = outcomes.iter().map(|outcome| outcome.lines[0].score.units()).min().unwrap_or(0);
    let weight = |outcome: &Outcome| {
        i64::from(outcome.lines[0].score.units() - lowest + 12) * i64::from(outcome.depth)
    };
    let votes =
        |mv: Move| -> i64 { outcomes.iter().filter(|outcome| outcome.lines[0].mv == mv).map(weight).sum() };
    let mut elected = 0;
    for (index, outcome) in outcomes.iter().enumerate().skip(1) {
        let (now, best) = (&outcome.lines[0], &outcomes[elected].lines[0]);
        let better = if now.score.is_win() || best.score.is_win() {
            now.score > best.score
        } else {
            match (now.score.is_loss(), best.score.is_loss()) {
                (true, true) => (outcome.depth, now.score) > (outcomes[elected].depth, best.score),
                (false, false) => {
                    (votes(now.mv), weight(outcome)) > (votes(best.mv), weight(&outcomes[elected]))
                }
                (is_loss, _) => is_loss,
            }
        };
        if better {
            elected = index;
        }
    }
    elected
}

#[cfg(test)]
mod tests;
