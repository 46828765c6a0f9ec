//! A match from its first game to its last: sets the players up, hands out games, keeps the journal, and stops when the
//! match is decided, interrupted or broken.

use super::adjourned::{self, Saved};
use super::config::{Affinity, MOST_GAMES_AT_ONCE, MatchConfig};
use super::entry::Entry;
use super::fingerprint::Fingerprint;
use super::journal::Journal;
use super::outputs::Output;
use super::pgn::{to_epd, to_pgn};
use super::schedule::Fixture;
use super::score_sheet;
use super::setup::{Setup, doubts};
use super::sprt::{Progress, Sprt, Verdict};
use super::standings::Standings;
use super::starts::Starts;
use super::worker::{Made, Message, Queue, Shared, work};
use crate::arbiter::judge::Judge;
use crate::arbiter::record::STOOD_STILL;
use crate::engine::declared::Defaults;
use crate::engine::transcript::{Log, LogLevel};
use crate::laws::irregularity::expulsion_article;
use crate::sys::affinity;
use crate::sys::files::with_suffix;
use crate::sys::pipes::{self, Bell, Ringer, Woken};
use crate::tablebase::Tables;
use crossbeam_channel::{bounded, select, tick};
use hdrhistogram::Histogram;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// What ends a match before its time, from any thread: it wakes all that wait.
#[derive(Debug)]
pub struct Stop {
    bell: Bell,
    ringer: Mutex<Option<Ringer>>,
    /// Games that are being played are adjourned, where they can be.
    adjourns: AtomicBool,
    /// The time is up, and nobody has asked for the end besides.
    by_time: AtomicBool,
}

impl Stop {
    /// Not rung yet.
    ///
    /// # Errors
    /// If the system has no more pipes.
    pub fn new() -> std::io::Result<Stop> {
        let (bell, ringer) = Bell::new()?;
        let [adjourns, by_time] = [false; 2].map(AtomicBool::new);
        Ok(Stop { bell, ringer: Mutex::new(Some(ringer)), adjourns, by_time })
    }

    /// Ends the session: like `ring`, but games that are being played are adjourned, where they can be.
    pub fn adjourn(&self) -> bool {
        self.by_time.store(false, Ordering::SeqCst);
        self.ring_to_adjourn()
    }

    /// The same when its time is up: nobody has ended the engines then.
    fn end_session(&self) {
        if self.ring_to_adjourn() {
            self.by_time.store(true, Ordering::SeqCst);
        }
    }

    /// True if somebody has ended the match, or does within this time.
    pub(super) fn is_ended_by_somebody(&self, within: Duration) -> bool {
        let until = Instant::now() + within;
        let is_rung = pipes::wait(&mut [], Some(&self.bell), until) == Woken::Rung;
        if is_rung && self.by_time.load(Ordering::SeqCst) {
            // It has rung already, and tells of nobody.
            std::thread::sleep(until.saturating_duration_since(Instant::now()));
        }
        is_rung && !self.by_time.load(Ordering::SeqCst)
    }

    fn ring_to_adjourn(&self) -> bool {
        let mut ringer = self.ringer.lock();
        let ringer = ringer.take();
        // Before it rings, which is when it is dropped.
        self.adjourns.fetch_or(ringer.is_some(), Ordering::SeqCst);
        ringer.is_some()
    }

    /// Whether the end of the session adjourns games.
    pub fn adjourns(&self) -> &AtomicBool {
        &self.adjourns
    }

    /// Ends the match. False if that had been done before.
    pub fn ring(&self) -> bool {
        self.ringer.lock().take().is_some()
    }

    /// True if the match is to end.
    pub fn is_rung(&self) -> bool {
        self.ringer.lock().is_none()
    }

    /// What those who wait listen to.
    pub fn bell(&self) -> &Bell {
        &self.bell
    }
}

/// How a match came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// All games have been played.
    Complete,
    /// The test has decided.
    Decided(Verdict),
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
    /// The journal: not where [`journal_path`] has it if another match was writing that one.
    pub journal: PathBuf,
}

impl State {
    /// Where the test stands.
    pub fn progress(&self, config: &MatchConfig) -> Option<Progress> {
        let sprt = self.sprt.as_ref()?;
        Some(sprt.of_tally(&self.standings.between(0, 1), counts_pairs(config)))
    }

    /// How often a player's engine has failed.
    fn failures(&self, player: usize) -> u32 {
        let of_player = |failure: &(usize, &str, u64)| {
            failure.0 == player && matches!(failure.1, "abandoned" | "stalled connection" | "unplayed")
        };
        let count: u64 = self.standings.failures().filter(of_player).map(|(.., count)| count).sum();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn measure(&mut self, entry: &Entry, made: Made) {
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

/// False for what is there and neither file nor folder, such as the device `/dev/null`, and on Windows for `NUL`, which cannot
/// even be looked at.
pub fn may_be_file(path: &Path) -> bool {
    let may_come = |error: std::io::Error| !cfg!(windows) || error.kind() == std::io::ErrorKind::NotFound;
    std::fs::metadata(path).map_or_else(may_come, |data| data.is_file() || data.is_dir())
}

/// Where the journal of a match is.
pub fn journal_path(config: &MatchConfig) -> PathBuf {
    let beside_pgn = || {
        let pgn = &config.pgn.as_ref()?.file;
        // Beside a device there is no place for a file.
        may_be_file(pgn).then(|| with_suffix(pgn, ".journal"))
    };
    config.journal.clone().or_else(beside_pgn).unwrap_or_else(|| PathBuf::from("adoube-match.journal"))
}

/// True if the match has no file of its own that its journal could be, or lie beside.
pub fn has_usual_journal(config: &MatchConfig) -> bool {
    config.journal.is_none() && !config.pgn.as_ref().is_some_and(|pgn| may_be_file(&pgn.file))
}

/// The journal of a match without any file of its own that was begun while others went on in the same folder: the second
/// has number 2.
pub fn numbered_journal(number: u32) -> PathBuf {
    PathBuf::from(format!("adoube-match-{number}.journal"))
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
    let mut desk =
        Desk { expelled: HashSet::new(), config, state, journal, pgn, epd, log, stop, conclusion: None };
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

/// Where results come in and are written down.
struct Desk<'a> {
    /// Players who are no longer in the competition, and were told to be so.
    expelled: HashSet<usize>,
    config: &'a MatchConfig,
    state: State,
    journal: Journal,
    pgn: Option<Output>,
    epd: Option<Output>,
    log: Option<Arc<Log>>,
    stop: &'a Stop,
    conclusion: Option<Conclusion>,
}

impl Desk<'_> {
    /// Ends the match; games that nothing is wrong with are adjourned. What comes first counts.
    fn stop(&mut self, conclusion: Conclusion) {
        // Somebody else may have ended it before.
        let is_first = self.stop.adjourn();
        self.conclusion.get_or_insert(if is_first { conclusion } else { Conclusion::Interrupted });
    }

    /// Ends the match because something cannot be written: that is told even if somebody ended it before.
    fn break_off(&mut self, why: String) {
        self.stop.adjourn();
        self.conclusion = Some(Conclusion::Broken(why));
    }

    fn log(&self, level: LogLevel, text: &str) {
        if let Some(log) = &self.log {
            log.write(level, text);
        }
    }

    fn started(&mut self, fixture: &Fixture, watch: &mut dyn FnMut(Event, &State)) {
        if self.conclusion.is_none() {
            self.log(LogLevel::Info, &format!("Started game {}", fixture.game + 1));
            watch(Event::Started(fixture), &self.state);
        }
    }

    fn adjourned(&mut self, saved: &Saved, made: Made, watch: &mut dyn FnMut(Event, &State)) {
        let Saved { entry, adjourned, .. } = saved;
        let Fixture { game, white, black, .. } = entry.fixture;
        let names = [white, black].map(|player| self.config.name(player));
        let folder = adjourned::folder(self.journal.path());
        if let Err(error) = adjourned::save(&folder, entry, adjourned, self.state.seed, names) {
            let text = format!("game {} cannot be adjourned: {}: {error}", game + 1, folder.display());
            self.log(LogLevel::Fatal, &text);
            return self.break_off(text);
        }
        score_sheet::remove(&score_sheet::folder(self.journal.path()), entry.fixture.game);
        self.state.adjourned += 1;
        self.state.measure(entry, made);
        self.log(LogLevel::Info, &format!("Adjourned game {}", game + 1));
        watch(Event::Adjourned(entry), &self.state);
    }

    fn finished(
        &mut self,
        mut entry: Entry,
        failure: Option<String>,
        made: Made,
        watch: &mut dyn FnMut(Event, &State),
    ) {
        if self.conclusion.is_some() {
            // Decided before this game came to its end: it does not count.
            return;
        }
        if let Err(error) = self.write_down(&mut entry) {
            self.log(LogLevel::Fatal, &error.0);
            self.break_off(error.0);
            if !self.journal.has_last() {
                return;
            }
        }
        adjourned::remove(&adjourned::folder(self.journal.path()), entry.fixture.game);
        score_sheet::remove(&score_sheet::folder(self.journal.path()), entry.fixture.game);
        self.state.standings.add(&entry);
        self.state.measure(&entry, made);
        for remark in &entry.remarks {
            self.log(LogLevel::Warning, remark);
            watch(Event::Remark(entry.fixture.game, remark), &self.state);
        }
        let mistake = entry.remarks.iter().find(|remark| !remark.starts_with(STOOD_STILL));
        let strict = self.config.strict;
        if let (true, Some(mistake), None) = (strict, mistake, &self.conclusion) {
            let game = entry.fixture.game + 1;
            let text = format!("game {game}: {mistake}; without -strict the match would go on");
            self.stop(Conclusion::Broken(text));
        }
        let text = format!("Finished game {}: {} {}", entry.fixture.game + 1, entry.result, entry.reason);
        self.log(LogLevel::Info, &text);
        watch(Event::Finished(&entry), &self.state);
        self.look_at_test();
        self.look_for_failures(watch);
        if let Some(how) = failure {
            // Not in the words of the result: there are programs that count the lines with these.
            let [white, black] = entry.result.losers();
            let losers = [(white, entry.fixture.white), (black, entry.fixture.black)];
            let losers = losers.into_iter().filter(|(has_lost, _)| *has_lost);
            let names: Vec<&str> = losers.map(|(_, player)| self.config.name(player)).collect();
            let text = format!("{} {how}", names.join(" and "));
            let told = format!("game {}: {text}", entry.fixture.game + 1);
            self.log(LogLevel::Error, &told);
            watch(Event::Remark(entry.fixture.game, &text), &self.state);
            let goes_on = self.config.recover || self.config.expulsion.is_some();
            let (why, remedy) = match (strict, goes_on) {
                (false, true) => return,
                (true, true) => (told.as_str(), "without -strict"),
                (true, false) => (told.as_str(), "with -recover and without -strict"),
                (false, false) => ("an engine has failed", "with -recover"),
            };
            if self.conclusion.is_none() {
                self.stop(Conclusion::Broken(format!("{why}; {remedy} the match would go on")));
            }
        }
    }

    /// Expels players whose engines have failed too often (12.9).
    fn look_for_failures(&mut self, watch: &mut dyn FnMut(Event, &State)) {
        let Some(most) = self.config.expulsion else { return };
        for player in 0..self.config.players.len() {
            if self.state.failures(player) >= most && self.expelled.insert(player) {
                let article = expulsion_article(self.config.regulations.edition);
                let article = article.map_or(String::new(), |article| format!(" ({article})"));
                let name = self.config.name(player);
                // More are known after a resumption: games that were lost because of it.
                let times = if most == 1 { "1 failure".into() } else { format!("{most} failures") };
                let text = format!("{name} is expelled after {times}{article}");
                self.log(LogLevel::Error, &text);
                watch(Event::Warning(&text), &self.state);
                // Its two players play no game any more, and what is not played decides nothing.
                if self.state.sprt.is_some() && self.conclusion.is_none() {
                    let why = format!("the test cannot be decided without {name}");
                    self.stop(Conclusion::Broken(why));
                }
            }
        }
    }

    /// The journal first: what it has counts, and the files can be made from it.
    fn write_down(&mut self, entry: &mut Entry) -> Result<(), MatchError> {
        let pgn = self.config.pgn.as_ref().map(|pgn| to_pgn(entry, self.config, pgn)).unwrap_or_default();
        let epd = if self.epd.is_some() { to_epd(entry, self.config) } else { String::new() };
        entry.texts = [Fingerprint::of(pgn.as_bytes()), Fingerprint::of(epd.as_bytes())];
        self.journal.append(entry).map_err(failed)?;
        if let Some(output) = &mut self.pgn {
            output.add(&pgn).map_err(failed)?;
        }
        if let Some(output) = &mut self.epd {
            output.add(&epd).map_err(failed)?;
        }
        Ok(())
    }

    fn look_at_test(&mut self) {
        if let Some(progress) = self.state.progress(self.config)
            && progress.verdict != Verdict::GoOn
        {
            self.stop.ring();
            // Also of a match that was asked to end while this game came to its end.
            self.conclusion.get_or_insert(Conclusion::Decided(progress.verdict));
        }
    }

    fn tick(&mut self, watch: &mut dyn FnMut(Event, &State)) {
        if let Err(error) = self.journal.sync() {
            self.break_off(error.to_string());
        }
        if self.config.session.is_some_and(|session| self.state.started.elapsed() >= session) {
            self.stop.end_session();
        }
        watch(Event::Tick, &self.state);
    }

    fn close(mut self, watch: &mut dyn FnMut(Event, &State)) -> (State, Conclusion) {
        if let (Some(log), Some(config)) = (&self.log, &self.config.log)
            && let Err(error) = log.finish()
        {
            let text = format!("lines of the log are missing: {}: {error}", config.file.display());
            watch(Event::Warning(&text), &self.state);
        }
        let is_broken = matches!(self.conclusion, Some(Conclusion::Broken(_)));
        score_sheet::clear(&score_sheet::folder(self.journal.path()), is_broken);
        let is_whole = self.state.standings.games() >= self.state.total;
        let end = if is_whole { Conclusion::Complete } else { Conclusion::Interrupted };
        let mut conclusion = self.conclusion.take().unwrap_or(end);
        let is_finished = matches!(conclusion, Conclusion::Complete | Conclusion::Decided(_));
        let closed = if is_finished { self.journal.finish() } else { self.journal.sync() };
        let mut outputs = self.pgn.iter().chain(&self.epd);
        let closed = closed.map_err(failed).and_then(|()| {
            // Somebody may have taken the last games away.
            outputs.try_for_each(|output| output.look().map(drop)).map_err(failed)
        });
        // What broke the match off first is told.
        if let (Err(error), false) = (closed, matches!(conclusion, Conclusion::Broken(_))) {
            conclusion = Conclusion::Broken(error.0);
        }
        (self.state, conclusion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::entry::tests::sample;

    #[test]
    fn a_move_that_took_longer_than_its_engine_said_is_put_down_to_that_engine() {
        let late = |earlier, is_with_book| {
            let mut entry = sample();
            entry.book.retain(|_| is_with_book);
            for (played, late) in entry.moves.iter_mut().zip([1, 20, 300]) {
                played.reported = Some(Duration::from_secs(2));
                played.time = Duration::from_secs(2 + late);
            }
            let mut state = State {
                standings: Standings::default(),
                total: 0,
                resumed: 0,
                seed: 0,
                started: Instant::now(),
                sprt: None,
                handovers: Histogram::new(3).unwrap(),
                latencies: vec![(0.0, 0); 2],
                plies: 0,
                adjourned: 0,
                defaults: vec![],
                journal: PathBuf::new(),
            };
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
