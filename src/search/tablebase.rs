//! What tablebases tell a search: which root moves keep what the position is worth, and, in the tree, how positions
//! end that a capture or a pawn move has just led to (<https://www.chessprogramming.org/Syzygy_Bases>).

use super::Settings;
use super::node::{Node, NodeKind, bound_settles};
use super::table::{Bound, Entry};
use super::worker::{RootMove, Worker};
use crate::board::{History, Position};
use crate::tablebase::{Ending, Ranked, Tables};
use crate::types::{Depth, MAX_PLY, Move, Score};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A win that the fifty-move rule takes away is worth so little more than a draw, in score units.
const CURSED: i32 = 2;
/// What the tables know of a position is worth so much more than having searched it to its depth, in plies.
const DEEPER: Depth = 6;

/// Tablebases as one search uses them.
pub(super) struct Probing {
    tables: Arc<Tables>,
    /// Positions of the tree with so many pieces at most are looked up; 0: none.
    limit: u32,
    fifty_moves: bool,
    /// The root's moves, if the tables know it.
    ranked: Vec<Ranked>,
    /// What is said of them does not count the half-moves that the root's counter has.
    forgets_counter: bool,
    hits: AtomicU64,
}

impl Probing {
    /// Asks the tables about the root.
    pub(super) fn new(
        tables: Arc<Tables>,
        settings: &Settings,
        root: &Position,
        history: &History,
    ) -> Probing {
        let limit = tables.most_pieces().min(settings.probe_limit);
        let mut probing = Probing {
            tables,
            limit,
            fifty_moves: settings.fifty_moves,
            ranked: vec![],
            forgets_counter: false,
            hits: 0.into(),
        };
        if root.occupied().count() <= limit
            && let Some((ranked, by_distance)) = probing.tables.rank_moves(root, history.has_repetition())
        {
            // Who keeps to the ranks gets there. Without distances a win wants to be found in the tree.
            let wins = ranked.iter().any(|ranked| probing.score(ranked.ending, 0).0.is_win());
            if by_distance || !wins {
                probing.limit = 0;
            }
            probing.forgets_counter = !by_distance && root.halfmove_clock() > 0;
            probing.hits = (ranked.len() as u64).into();
            probing.ranked = ranked;
        }
        probing
    }

    /// The rank of a root move, the same for all if the tables do not know the root, and its score if they do.
    pub(super) fn rank(&self, mv: Move) -> (i32, Option<Score>) {
        let known = self.ranked.iter().find(|ranked| ranked.mv == mv);
        known.map_or((0, None), |ranked| (ranked.rank, Some(self.score(ranked.ending, 0).0)))
    }

    /// The score to show of a root move: no search is as sure as the tables, but that there is a mate they do not know,
    /// nor, without distances, that the fifty moves will be over.
    pub(super) fn shown_score(&self, line: &RootMove) -> Score {
        let draws = self.forgets_counter && self.fifty_moves && line.score == Score::DRAW;
        line.table_score.filter(|_| line.score.plies_to_mate().is_none() && !draws).unwrap_or(line.score)
    }

    /// How many times the tables have known a position.
    pub(super) fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// The number of pieces up to which positions of the tree are looked up.
    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    /// What an ending `ply` plies from the root is worth, and whether a mate might be worth more.
    fn score(&self, ending: Ending, ply: usize) -> (Score, Bound) {
        let win = Score::table_win_in(ply);
        match ending {
            Ending::Win => (win, Bound::Lower),
            Ending::Loss => (-win, Bound::Upper),
            Ending::Draw => (Score::DRAW, Bound::Exact),
            Ending::CursedWin if !self.fifty_moves => (win, Bound::Lower),
            Ending::BlessedLoss if !self.fifty_moves => (-win, Bound::Upper),
            Ending::CursedWin => (Score::DRAW + CURSED, Bound::Exact),
            Ending::BlessedLoss => (Score::DRAW - CURSED, Bound::Exact),
        }
    }
}

impl Worker<'_> {
    /// Looks a node up. Its score, if that settles it; else what is known goes into the node and, on a principal
    /// variation, into `alpha`.
    #[inline(always)]
    pub(super) fn probe_tables<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &mut Node,
        alpha: &mut Score,
        beta: Score,
    ) -> Option<Score> {
        // The tables know nothing of the counter, so it has to stand at zero.
        if N::ROOT
            || self.probe_limit == 0
            || position.halfmove_clock() != 0
            || node.excluded.is_some()
            || position.occupied().count() > self.probe_limit
        {
            return None;
        }
        self.probe_few_pieces::<N>(position, node, alpha, beta)
    }

    #[cold]
    fn probe_few_pieces<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &mut Node,
        alpha: &mut Score,
        beta: Score,
    ) -> Option<Score> {
        let job = self.job;
        let probing = job.probing.as_ref()?;
        // The largest tables are the slowest to read.
        if position.occupied().count() == probing.limit && node.depth < job.settings.probe_depth {
            return None;
        }
        let ending = probing.tables.ending(position)?;
        probing.hits.fetch_add(1, Ordering::Relaxed);
        let (score, bound) = probing.score(ending, node.ply);
        if bound_settles(Some(bound), score, *alpha, beta) {
            let entry = Entry {
                mv: None,
                score: score.to_table(node.ply),
                eval: None,
                depth: (node.depth + DEEPER).min(MAX_PLY as Depth - 1),
                bound: Some(bound),
                pv: node.table_pv,
            };
            job.table.store(position.key(), entry);
            return Some(score);
        }
        if N::PV && bound == Bound::Lower {
            node.floor = node.floor.max(score);
            *alpha = (*alpha).max(score);
        } else if N::PV {
            node.ceiling = score;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::Histories;
    use super::super::job::Job;
    use super::super::node::Scout;
    use super::super::{Event, Info, Limits, Task};
    use super::*;
    use crate::types::{Color, PieceType, Square};
    use crossbeam_channel::unbounded;

    /// The side with more rooks wins.
    fn rooks(position: &Position) -> Option<Ending> {
        let us = position.side_to_move();
        let count = |color| (position.of_kind(PieceType::Rook) & position.of_color(color)).count();
        Some(match count(us).cmp(&count(!us)) {
            std::cmp::Ordering::Less => Ending::Loss,
            std::cmp::Ordering::Equal => Ending::Draw,
            std::cmp::Ordering::Greater => Ending::Win,
        })
    }

    /// The same, but no win is in time.
    fn slow_rooks(position: &Position) -> Option<Ending> {
        rooks(position).map(|ending| match ending {
            Ending::Win => Ending::CursedWin,
            Ending::Loss => Ending::BlessedLoss,
            other => other,
        })
    }

    /// The last lines of a search two plies deep.
    fn search(fen: &str, tables: Option<Tables>, settings: Settings) -> Vec<Info> {
        search_among(None, fen, tables, settings)
    }

    fn search_among(
        search_moves: Option<Vec<Move>>,
        fen: &str,
        tables: Option<Tables>,
        settings: Settings,
    ) -> Vec<Info> {
        let position = Position::from_fen(fen).unwrap();
        let (events, heard) = unbounded();
        let limits = Limits { depth: Some(2), search_moves, ..Limits::default() };
        let lines = settings.multi_pv;
        let task = Task { position, history: History::new(&position), limits, events: Some(events) };
        let mut job = Job::for_task(task, settings, 1);
        if let Some(tables) = tables {
            job.use_tables(Arc::new(tables));
        }
        Worker::new(0, &job, &mut Histories::new()).iterate();
        drop(job);
        let infos = heard.into_iter().filter_map(|event| match event {
            Event::Info(info) => Some(info),
            _ => None,
        });
        let infos: Vec<Info> = infos.collect();
        infos[infos.len() - lines..].to_vec()
    }

    /// White takes the rook, or Black does.
    const ROOKS: &str = "4k3/8/8/8/8/8/r7/R3K3 w - - 5 1";

    #[test]
    fn what_a_capture_leads_to_is_looked_up() {
        let known = |tell, settings| search(ROOKS, Some(Tables::told(3, tell)), settings).remove(0);
        let plain = search(ROOKS, None, Settings::default()).remove(0);
        assert!(!plain.score.is_decisive() && plain.table_hits == 0, "{plain:?}");
        let won = known(rooks, Settings::default());
        assert_eq!((won.score, won.bound), (Score::table_win_in(1), Bound::Exact));
        assert!(won.table_hits > 0);
        let slow = known(slow_rooks, Settings::default());
        assert!(!slow.score.is_decisive() && slow.table_hits > 0, "{slow:?}");
        let patient = Settings { fifty_moves: false, ..Settings::default() };
        assert_eq!(known(slow_rooks, patient).score, Score::table_win_in(1));
        for settings in [
            Settings { probe_limit: 2, ..Settings::default() },
            Settings { probe_depth: 3, ..Settings::default() },
        ] {
            let not_asked = known(rooks, settings);
            assert_eq!((not_asked.score, not_asked.table_hits), (plain.score, 0));
        }
        // Smaller tables than the largest are read at any depth.
        let few = |position: &Position| rooks(position).filter(|_| position.occupied().count() < 4);
        let deep = Settings { probe_depth: 3, ..Settings::default() };
        let asked = search(ROOKS, Some(Tables::told(4, few)), deep).remove(0);
        assert_eq!(asked.score, Score::table_win_in(1));
    }

    #[test]
    fn positions_with_half_moves_on_the_counter_are_not_looked_up() {
        // Whatever the root's moves are worth, the tables do not know all of them.
        let beside =
            |position: &Position| rooks(position).filter(|_| position.king(Color::White) == Square::F1);
        let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 5 1";
        let line = search(fen, Some(Tables::told(3, beside)), Settings::default()).remove(0);
        assert!(line.table_hits == 0 && !line.score.is_decisive(), "{line:?}");
    }

    #[test]
    fn the_way_to_an_ending_is_kept_from_its_own_position() {
        let root = Position::from_fen(ROOKS).unwrap();
        let mut job = Job::of(root, Limits::default(), Settings::default(), 1);
        job.use_tables(Arc::new(Tables::told(3, rooks)));
        let mut histories = Histories::new();
        let mut worker = Worker::new(0, &job, &mut histories);
        let lost = Position::from_fen("4k3/8/8/8/8/8/8/r3K3 w - - 0 1").unwrap();
        // At a draw or more the search would be over before: a lone king cannot win.
        let alpha = Score::new(-100);
        let score = worker.search::<Scout>(&lost, alpha, alpha + 1, 2, 4, true);
        assert_eq!(score, -Score::table_win_in(4));
        assert_eq!(job.table.probe(lost.key()).unwrap().score, -Score::table_win_in(0));
    }

    #[test]
    fn moves_at_the_root_keep_what_the_tables_say_of_it() {
        let settings = Settings { multi_pv: 2, ..Settings::default() };
        let lines = search(ROOKS, Some(Tables::told(4, rooks)), settings);
        let position = Position::from_fen(ROOKS).unwrap();
        assert!(position.is_noisy(lines[0].pv[0]) && !position.is_noisy(lines[1].pv[0]));
        assert_eq!(lines[0].score, Score::table_win_in(0));
        // Black would take in his turn: a move that the tables call drawn, though a rook is lost.
        assert!(lines[1].score.is_loss() || lines[1].score == Score::DRAW, "{lines:?}");
        assert!(lines[0].table_hits as usize >= position.legal_moves().len());
        // The search would take the rook; by tables that call the side with fewer rooks the winner that loses.
        let fewer = Tables::told(4, |position| rooks(position).map(|ending| -ending));
        let kept = search(ROOKS, Some(fewer), Settings::default()).remove(0);
        let quiet = position.legal_moves().into_iter().filter(|&mv| !position.is_noisy(mv)).collect();
        let best = search_among(Some(quiet), ROOKS, None, Settings::default()).remove(0);
        assert_eq!((&kept.pv, kept.score, kept.nodes), (&best.pv, Score::DRAW, best.nodes));
        // One that is not in time is a draw, whatever little it is worth beside.
        let drawn = |tell, settings| {
            let line =
                search("4k3/8/8/8/8/8/8/R3K3 w - - 5 1", Some(Tables::told(4, tell)), settings).remove(0);
            (line.drawn, line.score.units())
        };
        assert_eq!(drawn(slow_rooks, Settings::default()), (true, CURSED));
        let patient = || Settings { fifty_moves: false, ..Settings::default() };
        assert!(!drawn(slow_rooks, patient()).0 && !drawn(rooks, Settings::default()).0);
        // A win by a rook is none for whoever has not got it.
        let lost =
            search("4k3/8/8/8/8/8/8/R3K3 b - - 5 1", Some(Tables::told(4, rooks)), Settings::default());
        assert_eq!(lost[0].score, -Score::table_win_in(0));
        // Without distances the tables do not see that the fifty moves are over.
        let over = |rook: &str| {
            let fen = format!("4k3/8/8/8/8/8/8/{rook} w - - 99 100");
            search(&fen, Some(Tables::told(4, rooks)), Settings::default()).remove(0).score
        };
        assert_eq!([over("R3K3"), over("1r2K3")], [Score::DRAW; 2]);
        let endless = Settings { fifty_moves: false, ..Settings::default() };
        let won = search("4k3/8/8/8/8/8/8/R3K3 w - - 99 100", Some(Tables::told(4, rooks)), endless);
        assert_eq!(won[0].score, Score::table_win_in(0));
    }

    #[test]
    fn the_tree_is_looked_up_below_a_win_without_distances_and_below_what_nobody_knows() {
        let limit = |fen: &str| {
            let root = Position::from_fen(fen).unwrap();
            let tables = Arc::new(Tables::told(4, rooks));
            Probing::new(tables, &Settings::default(), &root, &History::new(&root)).limit()
        };
        assert_eq!(limit("4k3/8/8/8/8/8/8/R3K3 w - - 5 1"), 4);
        assert_eq!(limit("4k3/p7/8/8/8/8/8/R3K2R w - - 5 1"), 4);
        // Of a draw all is known.
        assert_eq!(limit("r3k3/8/8/8/8/8/7R/4K3 w - - 5 1"), 0);
    }
}
