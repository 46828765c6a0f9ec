//! What a search thinks of the moves in a position, and how likely each is played for that.

use crate::board::{History, Position};
use crate::cli::Failure;
use crate::search::{Event, Limits, Searcher, Settings, Task};
use crate::sys::panics::SetInPanic;
use crate::types::{Move, Score};
use crossbeam_channel::unbounded;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Scope};

/// A searching thread with its memory.
pub(super) struct Judge {
    searcher: Searcher,
}

impl Judge {
    /// A judge with a table of so many mebibytes.
    pub(super) fn new(hash_megabytes: usize) -> Result<Judge, Failure> {
        Ok(Judge { searcher: Searcher::new(hash_megabytes, 1)? })
    }

    /// The best `lines` moves with their values, from a search of so many nodes that remembers nothing.
    ///
    /// # Errors
    /// If the search fails: what it had found by then is not what it finds another time.
    pub(super) fn search(
        &mut self,
        position: &Position,
        nodes: u64,
        lines: usize,
    ) -> Result<Vec<(Move, Score)>, String> {
        self.searcher.new_game();
        let (sender, events) = unbounded();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let task =
            Task { position: *position, history: History::new(position), limits, events: Some(sender) };
        self.searcher.start(task, Settings { multi_pv: lines, ..Settings::default() });
        let mut found = BTreeMap::new();
        for event in events {
            match event {
                // The last information of each rank counts.
                Event::Info(info) => {
                    if let Some(&mv) = info.pv.first() {
                        found.insert(info.rank, (mv, info.score));
                    }
                }
                Event::Problem(why) => return Err(why),
                Event::Finished { .. } => break,
                _ => {}
            }
        }
        Ok(found.into_values().collect())
    }
}

/// Starts a thread that judges. If there is none to be had, or it panics, `done` is set, for those that judge beside it.
///
/// # Errors
/// If there is none to be had.
pub(super) fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    done: &'scope AtomicBool,
    work: impl FnOnce() + Send + 'scope,
) -> Result<(), Failure> {
    let work = move || {
        let _done = SetInPanic(done);
        work();
    };
    let thread = Builder::new().name("judge".into()).spawn_scoped(scope, work);
    thread.map(drop).map_err(|error| {
        done.store(true, Ordering::Relaxed);
        format!("there is no thread to search with: {error}").into()
    })
}

/// How likely a move is played by how much worse it is than the best one.
#[derive(Clone, Copy)]
pub(super) struct Taste {
    /// A move that is worse by so many internal units (some 200 are a pawn) is half as likely.
    pub(super) halving: u64,
    /// One that is worse by more is not played.
    pub(super) most_loss: u64,
}

impl Taste {
    /// The weight of the best move.
    const FULL_WEIGHT: u64 = 1 << 20;

    /// The weight of a move that is worse than the best one by `loss` units: half for each `halving`, in between on a
    /// straight line, for whole numbers are equal everywhere.
    pub(super) fn weight(self, loss: u64) -> u64 {
        if loss > self.most_loss {
            return 0;
        }
        let (halvings, rest) = (loss / self.halving, loss % self.halving);
        (Taste::FULL_WEIGHT >> halvings) * (2 * self.halving - rest) / (2 * self.halving)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_last_counts_and_more_nodes_find_more() {
        let mut judge = Judge::new(1).unwrap();
        // A mate in two, of which a search of a node knows nothing.
        let position = Position::from_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1").unwrap();
        let mut is_won = |nodes| judge.search(&position, nodes, 1).unwrap()[0].1.is_decisive();
        assert_eq!((is_won(1), is_won(20_000)), (false, true));
    }

    #[test]
    fn weights_halve_and_end() {
        let taste = Taste { halving: 10, most_loss: 60 };
        let weight = |loss| taste.weight(loss);
        assert_eq!(weight(0), Taste::FULL_WEIGHT);
        assert_eq!(weight(10), Taste::FULL_WEIGHT / 2);
        assert_eq!(weight(20), Taste::FULL_WEIGHT / 4);
        assert_eq!(weight(5), Taste::FULL_WEIGHT * 3 / 4);
        assert!((1..=60).all(|loss| weight(loss) < weight(loss - 1) && weight(loss) > 0));
        assert_eq!(weight(61), 0);
    }
}
