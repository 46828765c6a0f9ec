//! Many games at once, written in the order of their numbers.

use super::game::{Played, play};
use super::{OpeningError, Openings, SelfplayOptions};
use crate::search::Solo;
use crate::sys::panics::SetInPanic;
use crate::training::data::{DataError, DataWriter, Resumed};
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// When there is enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// So many games.
    Games(u64),
    /// The first game with which there are so many quiet positions.
    Positions(u64),
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// What the file had when the run began.
    pub before: Resumed,
    /// Games, plies and quiet positions of this run.
    pub games: u64,
    /// Plies of this run's games.
    pub plies: u64,
    /// Quiet positions of this run's games.
    pub quiet: u64,
    /// Plies that were searched.
    pub searched: u64,
    /// Nodes of those searches.
    pub nodes: u64,
    /// Games that ended in a draw.
    pub draws: u64,
    /// Since the run began.
    pub elapsed: Duration,
    /// What is wanted.
    pub goal: Goal,
}

impl Progress {
    /// The share of the goal that is reached, from 0 to 1.
    pub fn share(&self) -> f64 {
        let (done, goal) = self.done_and_goal();
        if goal == 0 { 1.0 } else { (done as f64 / goal as f64).min(1.0) }
    }

    /// The time that the rest will take, if it goes on as in this run.
    pub fn left(&self) -> Option<Duration> {
        let (done, goal) = self.done_and_goal();
        let of_this_run = match self.goal {
            Goal::Games(_) => self.games,
            Goal::Positions(_) => self.quiet,
        };
        let seconds = self.elapsed.as_secs_f64() / of_this_run as f64 * goal.saturating_sub(done) as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }

    fn done_and_goal(&self) -> (u64, u64) {
        match self.goal {
            Goal::Games(goal) => (self.before.games + self.games, goal),
            Goal::Positions(goal) => (self.before.quiet + self.quiet, goal),
        }
    }

    fn is_reached(&self) -> bool {
        let (done, goal) = self.done_and_goal();
        done >= goal
    }

    fn count(&mut self, played: &Played) {
        self.games += 1;
        self.plies += played.game.plies.len() as u64;
        self.quiet += played.quiet as u64;
        self.searched += played.game.plies.iter().filter(|ply| ply.score.is_some()).count() as u64;
        self.nodes += played.nodes;
        self.draws += u64::from(played.game.outcome == crate::types::Outcome::Draw);
    }
}

/// Why a run failed.
#[derive(Debug)]
pub enum SelfplayError {
    /// The file cannot be written.
    Data(DataError),
    /// A game cannot begin.
    Opening(OpeningError),
    /// The system gives no thread.
    Thread(std::io::Error),
}

impl fmt::Display for SelfplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelfplayError::Data(error) => error.fmt(f),
            SelfplayError::Opening(error) => error.fmt(f),
            SelfplayError::Thread(error) => write!(f, "no thread can be started: {error}"),
        }
    }
}

impl std::error::Error for SelfplayError {}

impl From<DataError> for SelfplayError {
    fn from(error: DataError) -> SelfplayError {
        SelfplayError::Data(error)
    }
}

/// How often progress is told and `stop` is looked at, at least.
const TICK: Duration = Duration::from_millis(200);

type Answer = (u64, Result<Option<Played>, OpeningError>);

/// Plays games into `writer` until the goal is reached or `stop` is set, a thread for each of `solos`; tells `progress`
/// every now and then and at the end. What `before` says is in the file already.
///
/// # Errors
/// If the file cannot be written or a game cannot begin. What was written before stays.
pub fn run(
    options: &SelfplayOptions,
    openings: &Openings,
    solos: Vec<Solo>,
    (writer, before): (DataWriter, Resumed),
    goal: Goal,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Progress, SelfplayError> {
    let next = AtomicU64::new(before.games);
    let ended = AtomicBool::new(false);
    let state = Progress {
        before,
        games: 0,
        plies: 0,
        quiet: 0,
        searched: 0,
        nodes: 0,
        draws: 0,
        elapsed: Duration::ZERO,
        goal,
    };
    std::thread::scope(|scope| {
        let (sender, results) = bounded(64);
        let mut spawned = Ok(());
        let stoppers: Vec<_> = solos.iter().map(Solo::stopper).collect();
        for (id, mut solo) in solos.into_iter().enumerate() {
            let (sender, next, ended): (Sender<Answer>, _, _) = (sender.clone(), &next, &ended);
            let work = move || {
                // Its game would be waited for without end.
                let _end = SetInPanic(ended);
                while !ended.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let played = play(options, openings, number, &mut solo, ended);
                    if sender.send((number, played)).is_err() {
                        return;
                    }
                }
            };
            let thread = std::thread::Builder::new().name(format!("selfplay-{id}"));
            let thread = thread.stack_size(Solo::STACK_BYTES).spawn_scoped(scope, work);
            spawned = spawned.and(thread.map(drop));
        }
        drop(sender);
        let done = match spawned {
            Ok(()) => collect(state, writer, &results, stop, progress),
            Err(error) => Err(SelfplayError::Thread(error)),
        };
        ended.store(true, Ordering::Relaxed);
        // No more games are taken: what a search finds now is for nobody.
        stoppers.iter().for_each(|stop| stop());
        // Whoever wants to hand something in finds that nobody takes it.
        drop(results);
        done
    })
}

/// Puts the games into their order and writes them.
fn collect(
    mut state: Progress,
    mut writer: DataWriter,
    results: &crossbeam_channel::Receiver<Answer>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Progress, SelfplayError> {
    let start = Instant::now();
    let mut early = BTreeMap::new();
    let mut told = start;
    while !state.is_reached() && !stop.load(Ordering::Relaxed) {
        match results.recv_timeout(TICK) {
            Ok((number, played)) => {
                if let Some(played) = played.transpose() {
                    early.insert(number, played);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            // All threads are gone, in a panic that the scope will tell of.
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while !state.is_reached()
            && let Some(played) = early.remove(&(state.before.games + state.games))
        {
            match played {
                Ok(played) => {
                    state.count(&played);
                    writer.push(played.game)?;
                }
                Err(error) => {
                    // Those before it count, and those behind it might have done without it.
                    writer.finish()?;
                    return Err(SelfplayError::Opening(error));
                }
            }
        }
        state.elapsed = start.elapsed();
        if told.elapsed() >= TICK {
            told = Instant::now();
            progress(&state);
        }
    }
    writer.finish()?;
    state.elapsed = start.elapsed();
    progress(&state);
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::data::{Ending, sample};
    use crate::types::{Color, Outcome};

    #[test]
    fn what_is_left_goes_by_what_this_run_has_played() {
        let before = Resumed { games: 300, plies: 24_000, quiet: 9_000, cut: 0 };
        let mut progress = Progress {
            before,
            games: 0,
            plies: 0,
            quiet: 0,
            searched: 0,
            nodes: 0,
            draws: 0,
            elapsed: Duration::from_secs(20),
            goal: Goal::Games(1_000),
        };
        assert_eq!((progress.share(), progress.left()), (0.3, None));
        let game = sample::games(1, 40).into_iter().max_by_key(|game| game.plies.len()).unwrap();
        let searched = game.plies.iter().filter(|ply| ply.score.is_some()).count() as u64;
        let plies = game.plies.len() as u64;
        assert!(searched < plies);
        for number in 0..100 {
            let outcome = if number % 4 == 0 { Outcome::Draw } else { Outcome::Win(Color::Black) };
            let game =
                crate::training::data::SelfplayGame { outcome, ending: Ending::TooLong, ..game.clone() };
            progress.count(&Played { game, quiet: 10, nodes: 500 });
        }
        assert_eq!((progress.games, progress.plies, progress.searched), (100, 100 * plies, 100 * searched));
        assert_eq!((progress.quiet, progress.nodes, progress.draws), (1_000, 50_000, 25));
        assert!((progress.share() - 0.4).abs() < 1e-9 && !progress.is_reached());
        // A hundred games took twenty seconds, six hundred are to come.
        assert!((progress.left().unwrap().as_secs_f64() - 120.0).abs() < 1e-6, "{:?}", progress.left());
        progress.goal = Goal::Positions(12_000);
        assert!((progress.share() - 10.0 / 12.0).abs() < 1e-9 && !progress.is_reached());
        assert!((progress.left().unwrap().as_secs_f64() - 40.0).abs() < 1e-6, "{:?}", progress.left());
        progress.goal = Goal::Positions(10_000);
        assert!(progress.is_reached() && progress.share() == 1.0);
    }
}
