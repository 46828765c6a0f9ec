//! Scoring old games anew, with other nodes or another evaluation.

use crate::board::History;
use crate::search::{Limits, Solo};
use crate::training::data::SelfplayGame;
use crossbeam_channel::RecvTimeoutError;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

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
    /// games before. False if it was stopped: what the searches say then is of no use.
    fn rescore(&mut self, game: &mut SelfplayGame) -> bool {
        self.solo.new_game();
        let mut position = game.start;
        let mut history = History::new(&position);
        for ply in &mut game.plies {
            if ply.score.is_some() {
                ply.score =
                    self.solo.search(&position, &history, self.limits.clone()).map(|found| found.score);
                if self.solo.is_stopped() {
                    return false;
                }
            }
            position = position.after(ply.mv);
            history.push(&position);
        }
        true
    }
}

/// How often `stop` is looked at, at least.
const TICK: Duration = Duration::from_millis(200);

/// Scores games anew, a thread for each rescorer, and tells after each how many have been. Once `stop` is set the searches
/// end, the rescorers are of no more use, and what comes back are the games before the first that was not done.
///
/// # Errors
/// If the system gives no thread.
pub fn rescore(
    mut games: Vec<SelfplayGame>,
    rescorers: &mut [Rescorer],
    stop: &AtomicBool,
    tell: &mut dyn FnMut(usize),
) -> std::io::Result<Vec<SelfplayGame>> {
    let next = AtomicUsize::new(0);
    let (sender, scored) = crossbeam_channel::unbounded();
    let stoppers: Vec<_> = rescorers.iter().map(|rescorer| rescorer.solo.stopper()).collect();
    let mut done = vec![false; games.len()];
    // Each is locked once, by the thread that draws its number.
    let shared: Vec<Mutex<&mut SelfplayGame>> = games.iter_mut().map(Mutex::new).collect();
    std::thread::scope(|scope| {
        for rescorer in rescorers {
            let (next, shared, sender) = (&next, &shared, sender.clone());
            let work = move || {
                let draw = || {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    Some((number, shared.get(number)?))
                };
                while let Some((number, game)) = draw()
                    && rescorer.rescore(&mut game.lock())
                {
                    // Nobody listens any more if another thread could not be started.
                    let _ = sender.send(number);
                }
            };
            std::thread::Builder::new().stack_size(Solo::STACK_BYTES).spawn_scoped(scope, work)?;
        }
        drop(sender);
        let mut count = 0;
        loop {
            match scored.recv_timeout(TICK) {
                Ok(number) => {
                    done[number] = true;
                    count += 1;
                    tell(count);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return std::io::Result::Ok(()),
            }
            if stop.load(Ordering::Relaxed) {
                stoppers.iter().for_each(|stop| stop());
            }
        }
    })?;
    games.truncate(done.iter().take_while(|done| **done).count());
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::eval::Evaluation;
    use crate::notation::uci_move::parse_uci;
    use crate::training::data::{Ending, Ply, sample};
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
        let games = vec![game.clone(), game.clone(), game];
        let rescorer = |_| Rescorer::new(Solo::new(1, Evaluation::Classic).unwrap(), nodes, hard_nodes);
        let mut told = vec![];
        let mut tell = |count| told.push(count);
        let games = rescore(games, &mut [0, 1].map(rescorer), &AtomicBool::new(false), &mut tell).unwrap();
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
    fn what_was_stopped_comes_back_without_a_game_that_was_not_done() {
        let games = sample::games(3, 6);
        let rescorer = |_| Rescorer::new(Solo::new(1, Evaluation::Classic).unwrap(), 40, 320);
        let score = |stop: &AtomicBool, told: &mut usize| {
            let mut tell = |count| {
                *told = count;
                stop.store(count == 2, Ordering::Relaxed);
            };
            rescore(games.clone(), &mut [0, 1].map(rescorer), stop, &mut tell).unwrap()
        };
        let all = rescore(games.clone(), &mut [rescorer(0)], &AtomicBool::new(false), &mut |_| ()).unwrap();
        assert_eq!(all.len(), 6);
        // Whatever comes of it, nothing that a stopped search has said.
        let mut told = 0;
        let some = score(&AtomicBool::new(false), &mut told);
        assert!(told >= 2 && some.len() <= told && some == all[..some.len()]);
        let endless = Rescorer::new(Solo::new(1, Evaluation::Classic).unwrap(), u64::MAX, u64::MAX);
        let none = rescore(games.clone(), &mut [endless], &AtomicBool::new(true), &mut |_| ()).unwrap();
        assert!(none.is_empty(), "{}", none.len());
    }

    #[test]
    fn no_search_takes_more_than_its_hard_nodes() {
        let hard = scores(2_000, 200);
        assert_eq!(scores(20_000, 200), hard);
        assert_ne!(scores(2_000, 16_000), hard);
    }
}
