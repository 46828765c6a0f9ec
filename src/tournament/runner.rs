//! A match from its first game to its last: sets the players up, hands out games, keeps the journal, and stops when the
//! match is decided, interrupted or broken.

use super::config::{Affinity, MOST_GAMES_AT_ONCE, MatchConfig};
use super::desk::Desk;
use super::entry::Entry;
use super::schedule::Fixture;
use super::score_sheet;
use super::setup::{Setup, doubts};
use super::sprt::{Progress, Sprt, Verdict};
use super::standings::{Standings, is_engine_failure};
use super::starts::Starts;
use super::stop::Stop;
use super::worker::{Made, Message, Queue, Shared, work};
use crate::arbiter::judge::Judge;
use crate::engine::declared::Defaults;
use crate::sys::affinity;
use crate::tablebase::Tables;
use crossbeam_channel::{bounded, select, tick};
use hdrhistogram::Histogram;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Why a match cannot be played, in words that name what is wrong.
#[derive(Debug)]
pub struct MatchError(pub String);

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for MatchError {}

/// Any error ends a match in words.
pub(super) fn failed(error: impl fmt::Display) -> MatchError {
    MatchError(error.to_string())
}

/// What happens in a match, for those who look on.
#[derive(Debug)]
pub enum Event<'a> {
    /// Something that is not as it should be.
    Warning(&'a str),
    /// The same of a single game, from 0.
    Remark(u64, &'a str),
    /// The match goes on after so many games.
    Resumed(u64),
    /// All is ready: the first game is about to begin.
    Ready,
    /// A game begins.
    Started(&'a Fixture),
    /// A game has ended, and counts.
    Finished(&'a Entry),
    /// A game has been adjourned.
    Adjourned(&'a Entry),
    /// A second has passed.
    Tick,
}

/// How a match came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// All games have been played.
    Complete,
    /// The test has decided.
    Decided(Verdict),
    /// All games have been played, but in the last of them something failed that would have ended the match: what.
    Failed(String),
    /// Somebody stopped it.
    Interrupted,
    /// It could not go on: why.
    Broken(String),
}

/// A match as it stands.
#[derive(Debug)]
pub struct State {
    /// All results.
    pub standings: Standings,
    /// How many games there are to be.
    pub total: u64,
    /// Games of earlier runs among those played.
    pub resumed: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// When this run began.
    pub started: Instant,
    /// The test, if there is one.
    pub sprt: Option<Sprt>,
    /// How long each `go` of this run took to leave, in nanoseconds, if that is measured.
    pub handovers: Histogram<u64>,
    /// For each player, how much longer its moves took than it said, in total and how many there were.
    pub latencies: Vec<(f64, u64)>,
    /// Moves of engines in this run.
    pub plies: u64,
    /// Games that were adjourned in this run.
    pub adjourned: u64,
    /// For each player, what its engine has declared; none before it was met.
    pub defaults: Vec<Defaults>,
    /// The journal: not where [`super::journal_place::journal_path`] has it if another match was writing that one.
    pub journal: PathBuf,
}

/// In nanoseconds: longer ones count as this.
const LONGEST_HANDOVER: u64 = 10_000_000_000;

impl State {
    /// Of a match of which nothing has been played.
    pub(super) fn new(
        players: usize,
        total: u64,
        sprt: Option<Sprt>,
        journal: PathBuf,
    ) -> Result<State, MatchError> {
        Ok(State {
            standings: Standings::default(),
            total,
            resumed: 0,
            seed: 0,
            started: Instant::now(),
            sprt,
            handovers: Histogram::new_with_bounds(1, LONGEST_HANDOVER, 3).map_err(failed)?,
            latencies: vec![(0.0, 0); players],
            plies: 0,
            adjourned: 0,
            defaults: vec![],
            journal,
        })
    }

    /// Where the test stands.
    pub fn progress(&self, config: &MatchConfig) -> Option<Progress> {
        let sprt = self.sprt.as_ref()?;
        Some(sprt.of_tally(&self.standings.between(0, 1), counts_pairs(config)))
    }

    /// How often a player's engine has failed.
    pub(super) fn failures(&self, player: usize) -> u32 {
        let of_player = |failure: &(usize, &str, u64)| failure.0 == player && is_engine_failure(failure.1);
        let count: u64 = self.standings.failures().filter(of_player).map(|(.., count)| count).sum();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    pub(super) fn measure(&mut self, entry: &Entry, made: Made) {
        for time in made.handovers {
            self.handovers.saturating_record(time.as_nanos() as u64);
        }
        let players = [entry.fixture.white, entry.fixture.black];
        for (played, mover) in entry.moves.iter().zip(entry.movers()).skip(made.earlier) {
            self.plies += 1;
            if let Some(reported) = played.reported {
                let (sum, count) = &mut self.latencies[players[mover.index()]];
                *sum += played.time.as_secs_f64() - reported.as_secs_f64();
                *count += 1;
            }
        }
    }
}

/// True if statistics are those of pairs of games.
pub fn counts_pairs(config: &MatchConfig) -> bool {
    config.output.penta && config.games == 2
}

/// Plays a match. `words` is the command line, which the journal keeps; `stop` ends the match; `watch` is told what happens.
///
/// # Errors
/// If the match cannot begin, for what [`MatchConfig::check`] finds or anything else. Once it has begun, what stops it is told
/// in the conclusion.
pub fn run(
    config: &MatchConfig,
    words: &[String],
    stop: &Stop,
    watch: &mut dyn FnMut(Event, &State),
) -> Result<(State, Conclusion), MatchError> {
    config.check()?;
    let processors = processors(config)?;
    let tables = config.tables.as_deref().map(Tables::open).transpose().map_err(failed)?;
    let mut setup = Setup::new(config, stop, watch)?;
    let pool = setup.meet_players(config, processors.is_empty(), watch)?;
    let judge = setup.meet_judge(config, processors.is_empty(), watch)?;
    setup.open_files(config, words, watch)?;
    watch(Event::Ready, &setup.state);
    doubts(config, &setup.schedule).into_iter().for_each(|doubt| watch(Event::Warning(doubt), &setup.state));
    let Setup { state, schedule, suite, surroundings, journal, pgn, epd, played, adjourned, .. } = setup;
    let shared = Shared {
        score_sheets: score_sheet::folder(journal.path()),
        failures: Mutex::new((0..config.players.len()).map(|player| state.failures(player)).collect()),
        config,
        schedule: &schedule,
        suite: suite.as_ref(),
        tables: tables.as_ref(),
        surroundings: &surroundings,
        stop,
        queue: Mutex::new(Queue::new(&schedule, played)),
        adjourned: Mutex::new(adjourned),
        pool: Mutex::new(pool),
        judge: Mutex::new(judge),
        starts: Starts::new(config.startup_time),
    };
    let (sender, messages) = bounded(64);
    let log = surroundings.log.clone();
    let mut desk = Desk {
        expelled: HashSet::new(),
        config,
        state,
        journal,
        pgn,
        epd,
        log,
        stop,
        conclusion: None,
        cannot_write: false,
        keeps_sheets: false,
    };
    desk.look_at_test();
    desk.look_for_failures(watch);
    let desk = std::thread::scope(|scope| {
        // Owned here, so that a failure at the desk ends the threads that it would else leave waiting.
        let mut desk = desk;
        let messages = messages;
        let mut running = 0;
        let left = desk.state.total.saturating_sub(desk.state.standings.games());
        let wanted = config.concurrency.min(MOST_GAMES_AT_ONCE).min(left.try_into().unwrap_or(usize::MAX));
        for number in 0..wanted.max(1) {
            let processor = (!processors.is_empty()).then(|| processors[number % processors.len()]);
            let (shared, sender) = (&shared, sender.clone());
            let thread = std::thread::Builder::new().name(format!("game {}", number + 1));
            match thread.spawn_scoped(scope, move || work(shared, processor, &sender)) {
                Ok(_) => running += 1,
                Err(error) => desk.stop(Conclusion::Broken(format!("no thread can be started: {error}"))),
            }
        }
        let seconds = tick(Duration::from_secs(1));
        while running > 0 {
            select! {
                recv(messages) -> message => match message {
                    Ok(Message::Started(fixture)) => desk.started(&fixture, watch),
                    Ok(Message::Finished(entry, failure, made)) => {
                        desk.finished(*entry, failure, made, watch);
                    }
                    Ok(Message::Adjourned(saved, made)) => desk.adjourned(&saved, made, watch),
                    Ok(Message::Dropped(entry, how)) => desk.dropped(&entry, &how, watch),
                    Ok(Message::Stopped(why)) => {
                        running -= 1;
                        desk.stop(Conclusion::Broken(why));
                    }
                    Ok(Message::Done) => running -= 1,
                    Err(_) => break,
                },
                recv(seconds) -> _ => desk.tick(watch),
            }
        }
        desk
    });
    shared.pool.into_inner().into_iter().for_each(|(_, client)| client.quit());
    shared.judge.into_inner().into_iter().for_each(Judge::quit);
    Ok(desk.close(watch))
}

/// The processors that games are held to; none if they are not held.
fn processors(config: &MatchConfig) -> Result<Vec<usize>, MatchError> {
    let available = affinity::processors();
    match &config.affinity {
        None => Ok(vec![]),
        Some(_) if available.is_empty() => {
            Err(MatchError("-use-affinity: this system does not tell its processors".into()))
        }
        Some(Affinity::All) => Ok(available),
        Some(Affinity::List(list)) => {
            if let Some(absent) = list.iter().find(|cpu| !available.contains(cpu)) {
                return Err(MatchError(format!("-use-affinity: processor {absent} is not ours to use")));
            }
            Ok(list.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::entry::tests::sample;

    #[test]
    fn games_are_held_to_the_processors_that_are_named() {
        let named = |affinity| processors(&MatchConfig { affinity, ..MatchConfig::default() });
        let all = affinity::processors();
        assert_eq!(named(None).unwrap(), [0; 0]);
        let Some(&last) = all.last() else { return };
        assert_eq!(named(Some(Affinity::All)).unwrap(), all);
        assert_eq!(named(Some(Affinity::List(vec![last]))).unwrap(), [last]);
        let error = named(Some(Affinity::List(vec![last, 1_000_000]))).unwrap_err();
        assert_eq!(error.0, "-use-affinity: processor 1000000 is not ours to use");
    }

    #[test]
    fn a_move_that_took_longer_than_its_engine_said_is_put_down_to_that_engine() {
        let late = |earlier, is_with_book| {
            let mut entry = sample();
            entry.book.retain(|_| is_with_book);
            for (played, late) in entry.moves.iter_mut().zip([1, 20, 300]) {
                played.reported = Some(Duration::from_secs(2));
                played.time = Duration::from_secs(2 + late);
            }
            let mut state = State::new(2, 0, None, PathBuf::new()).unwrap();
            state.measure(&entry, Made { handovers: vec![], earlier });
            state.latencies
        };
        // Black, player 0, is on move first, and the book has a move of his; White moves behind it.
        assert_eq!(late(0, true), [(20.0, 1), (301.0, 2)]);
        assert_eq!(late(0, false), [(301.0, 2), (20.0, 1)]);
        // What was played in earlier sessions has been counted there.
        assert_eq!(late(1, true), [(20.0, 1), (300.0, 1)]);
    }
}
