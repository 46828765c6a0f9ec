//! Scoring old games anew, with other nodes or another evaluation.

use crate::board::History;
use crate::search::{Limits, Solo};
use crate::training::data::SelfplayGame;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Searches the positions of games.
pub struct Rescorer {
    solo: Solo,
    limits: Limits,
}

impl Rescorer {
    /// Begins no iteration after `nodes`, and takes `hard_nodes` at most, but for the first iteration, which is finished.
    pub fn new(solo: Solo, nodes: u64, hard_nodes: u64) -> Rescorer {
        let limits = Limits { soft_nodes: Some(nodes), nodes: Some(hard_nodes), ..Limits::default() };
        Rescorer { solo, limits }
    }

    /// Gives every position that had a score a new one. Moves and result stay. What comes out does not depend on the
    /// games before.
    fn rescore(&mut self, game: &mut SelfplayGame) {
        self.solo.new_game();
        let mut position = game.start;
        let mut history = History::new(&position);
        for ply in &mut game.plies {
            if ply.score.is_some() {
                ply.score =
                    self.solo.search(&position, &history, self.limits.clone()).map(|found| found.score);
            }
            position = position.after(ply.mv);
            history.push(&position);
        }
    }
}

/// Scores games anew, a thread for each rescorer.
///
/// # Errors
/// If the system gives no thread.
pub fn rescore(games: &mut [SelfplayGame], rescorers: &mut [Rescorer]) -> std::io::Result<()> {
    let next = AtomicUsize::new(0);
    // Each is locked once, by the thread that draws its number.
    let games: Vec<Mutex<&mut SelfplayGame>> = games.iter_mut().map(Mutex::new).collect();
    std::thread::scope(|scope| {
        for rescorer in rescorers {
            let (next, games) = (&next, &games);
            let work = move || {
                while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Ok(mut game) = game.lock() {
                        rescorer.rescore(&mut game);
                    }
                }
            };
            std::thread::Builder::new().stack_size(Solo::STACK_BYTES).spawn_scoped(scope, work)?;
        }
        Ok(())
    })
}
