//! Scoring old games anew, with other nodes or another evaluation.

use crate::board::History;
use crate::search::{Limits, Solo};
use crate::training::data::SelfplayGame;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Searches the positions of games.
#[derive(Debug)]
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

/// Scores games anew, a thread for each rescorer, and tells after each how many have been.
///
/// # Errors
/// If the system gives no thread.
pub fn rescore(
    games: &mut [SelfplayGame],
    rescorers: &mut [Rescorer],
    tell: &mut dyn FnMut(usize),
) -> std::io::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, scored) = crossbeam_channel::unbounded();
    // Each is locked once, by the thread that draws its number.
    let games: Vec<Mutex<&mut SelfplayGame>> = games.iter_mut().map(Mutex::new).collect();
    std::thread::scope(|scope| {
        for rescorer in rescorers {
            let (next, games, sender) = (&next, &games, sender.clone());
            let work = move || {
                while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                    rescorer.rescore(&mut game.lock());
                    // Nobody listens any more if another thread could not be started.
                    let _ = sender.send(());
                }
            };
            std::thread::Builder::new().stack_size(Solo::STACK_BYTES).spawn_scoped(scope, work)?;
        }
        drop(sender);
        for (count, ()) in (1..).zip(scored) {
            tell(count);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::eval::Evaluation;
    use crate::notation::uci_move::parse_uci;
    use crate::training::data::{Ending, Ply};
    use crate::types::{Outcome, Score};

    /// What searches say of a game in which White is a queen ahead and goes to and fro.
    fn scores(nodes: u64, hard_nodes: u64) -> Vec<Option<i32>> {
        let start = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1").unwrap();
        let mut position = start;
        let mut plies = vec![];
        for word in "d1d2 g8f8 d2d1 f8g8 d1d2 g8f8 d2d1 f8g8".split(' ') {
            let mv = parse_uci(word, &position).unwrap();
            plies.push(Ply { mv, score: Some(Score::DRAW) });
            position = position.after(mv);
        }
        plies[0].score = None;
        let game = SelfplayGame { start, plies, outcome: Outcome::Draw, ending: Ending::Repetition };
        let mut games = [game.clone(), game.clone(), game];
        let rescorer = |_| Rescorer::new(Solo::new(1, Evaluation::Classic).unwrap(), nodes, hard_nodes);
        let mut told = vec![];
        rescore(&mut games, &mut [0, 1].map(rescorer), &mut |count| told.push(count)).unwrap();
        assert!(told == [1, 2, 3] && games[1] == games[0] && games[2] == games[0]);
        games[0].plies.iter().map(|ply| ply.score.map(|score| score.units())).collect()
    }

    #[test]
    fn searches_know_what_has_been_on_the_board() {
        let scores = scores(300, 2_400);
        assert_eq!(scores[0], None);
        // A queen behind, until the king's next move brings the position for the third time.
        assert!(scores[1] < Some(-300) && scores[2] > Some(300) && scores[7] == Some(0), "{scores:?}");
    }

    #[test]
    fn no_search_takes_more_than_its_hard_nodes() {
        let hard = scores(2_000, 200);
        assert_eq!(scores(20_000, 200), hard);
        assert_ne!(scores(2_000, 16_000), hard);
    }
}
