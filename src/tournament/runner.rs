//! A match from its first game to its last: sets the players up, hands out games, keeps the journal, and stops when the
//! match is decided, interrupted or broken.

use super::config::{Affinity, MatchConfig, Variant};
use super::entry::Entry;
use super::journal::{Header, Journal};
use super::outputs::Output;
use super::pgn::{to_epd, to_pgn};
use super::schedule::{Fixture, Schedule};
use super::sprt::{Progress, Sprt, Verdict};
use super::standings::Standings;
use super::worker::{Message, Queue, Shared, work};
use crate::engine::transcript::{Log, LogLevel};
use crate::engine::uci_client::{Surroundings, UciClient};
use crate::openings::suite::Suite;
use crate::sys::affinity;
use crate::sys::pipes::{Bell, Ringer};
use crossbeam_channel::{Receiver, bounded, select, tick};
use parking_lot::Mutex;
use regex_lite::Regex;
use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
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
fn failed(error: impl fmt::Display) -> MatchError {
    MatchError(error.to_string())
}

/// What happens in a match, for those who look on.
pub enum Event<'a> {
    /// Something that is not as it should be.
    Warning(&'a str),
    /// The match goes on after so many games.
    Resumed(u64),
    /// All is ready: the first game is about to begin.
    Ready,
    /// A game begins.
    Started(&'a Fixture),
    /// A game has ended, and counts.
    Finished(&'a Entry),
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
    /// Somebody stopped it.
    Interrupted,
    /// It could not go on: why.
    Broken(String),
}

/// A match as it stands.
pub struct State {
    /// What the players are called.
    pub names: Vec<String>,
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
    /// How long each `go` of this run took to leave, if that is measured.
    pub handovers: Vec<Duration>,
    /// For each player, how much longer its moves took than it said, in total and how many there were.
    pub latencies: Vec<(f64, u64)>,
    /// Moves of engines in this run.
    pub plies: u64,
}

impl State {
    /// Where the test stands.
    pub fn progress(&self, config: &MatchConfig) -> Option<Progress> {
        let sprt = self.sprt.as_ref()?;
        Some(sprt.of_tally(&self.standings.between(0, 1), counts_pairs(config)))
    }

    fn add(&mut self, entry: &Entry) {
        self.standings.add(entry);
    }

    fn measure(&mut self, entry: &Entry, handovers: Vec<Duration>) {
        self.handovers.extend(handovers);
        self.plies += entry.moves.len() as u64;
        let mut mover = entry.fixture.white;
        let mut other = entry.fixture.black;
        let first = entry.book.iter().fold(entry.start, |position, &mv| position.after(mv)).side_to_move();
        if first == crate::types::Color::Black {
            std::mem::swap(&mut mover, &mut other);
        }
        for played in &entry.moves {
            if let Some(reported) = played.reported {
                let (sum, count) = &mut self.latencies[mover];
                *sum += played.time.as_secs_f64() - reported.as_secs_f64();
                *count += 1;
            }
            std::mem::swap(&mut mover, &mut other);
        }
    }
}

/// True if statistics are those of pairs of games.
pub fn counts_pairs(config: &MatchConfig) -> bool {
    config.output.penta && config.games == 2
}

/// Where the journal of a match is.
pub fn journal_path(config: &MatchConfig) -> PathBuf {
    let beside_pgn = || {
        let pgn = &config.pgn.as_ref()?.file;
        // Beside a device, such as /dev/null, there is no place for a file.
        let is_plain = std::fs::metadata(pgn).map_or(true, |data| data.is_file());
        is_plain.then(|| {
            let mut name = pgn.clone().into_os_string();
            name.push(".journal");
            PathBuf::from(name)
        })
    };
    config.journal.clone().or_else(beside_pgn).unwrap_or_else(|| PathBuf::from("adoube-match.journal"))
}

/// Plays a match. `words` is the command line, which the journal keeps; `interrupts` ends the match; `watch` is told what
/// happens.
///
/// # Errors
/// If the match cannot begin. Once it has begun, what stops it is told in the conclusion.
pub fn run(
    config: &MatchConfig,
    words: &[String],
    interrupts: &Receiver<()>,
    watch: &mut dyn FnMut(Event, &State),
) -> Result<(State, Conclusion), MatchError> {
    let mut setup = Setup::new(config, watch)?;
    let (bell, ringer) = Bell::new().map_err(failed)?;
    let processors = processors(config)?;
    setup.surroundings.bell = Some(bell.clone());
    let pool = setup.meet_players(config, processors.is_empty(), watch)?;
    setup.open_files(config, words)?;
    watch(Event::Ready, &setup.state);
    let Setup { state, schedule, suite, surroundings, journal, pgn, epd, played, .. } = setup;
    let shared = Shared {
        config,
        schedule: &schedule,
        suite: suite.as_ref(),
        surroundings: &surroundings,
        bell: &bell,
        queue: Mutex::new(Queue::new(&schedule, played)),
        pool: Mutex::new(pool),
    };
    let (sender, messages) = bounded(64);
    let mut desk = Desk {
        config,
        state,
        journal,
        pgn,
        epd,
        log: surroundings.log.clone(),
        queue: &shared.queue,
        ringer: Some(ringer),
        conclusion: None,
    };
    desk.look_at_test();
    std::thread::scope(|scope| {
        let mut running = 0;
        for number in 0..config.concurrency.max(1) {
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
                    Ok(Message::Finished(entry, failure, handovers)) => {
                        desk.finished(*entry, failure, handovers, watch);
                    }
                    Ok(Message::Stopped(why)) => {
                        running -= 1;
                        desk.stop(Conclusion::Broken(why));
                    }
                    Ok(Message::Done) => running -= 1,
                    Err(_) => break,
                },
                recv(interrupts) -> _ => desk.stop(Conclusion::Interrupted),
                recv(seconds) -> _ => desk.tick(watch),
            }
        }
    });
    drop(shared.pool);
    desk.close()
}

/// The processors that games are held to; none if they are not held.
fn processors(config: &MatchConfig) -> Result<Vec<usize>, MatchError> {
    let available = affinity::processors();
    let list = match &config.affinity {
        None => return Ok(vec![]),
        Some(Affinity::All) => available,
        Some(Affinity::List(list)) => {
            if let Some(absent) = list.iter().find(|cpu| !available.contains(cpu)) {
                return Err(MatchError(format!("-use-affinity: processor {absent} is not ours to use")));
            }
            list.clone()
        }
    };
    if list.is_empty() {
        return Err(MatchError("-use-affinity: this system does not tell its processors".into()));
    }
    Ok(list)
}

/// A match that is being prepared.
struct Setup {
    state: State,
    schedule: Schedule,
    suite: Option<Suite>,
    openings: Option<(u32, u64)>,
    surroundings: Surroundings,
    journal: Journal,
    /// What the journal told of earlier runs.
    header: Option<Header>,
    played: HashSet<u64>,
    entries: Vec<[u64; 2]>,
    pgn: Option<Output>,
    epd: Option<Output>,
}

impl Setup {
    /// Reads what there is to read: openings, and the journal of an earlier run.
    fn new(config: &MatchConfig, watch: &mut dyn FnMut(Event, &State)) -> Result<Setup, MatchError> {
        let schedule = Schedule::new(config);
        let sprt = config.sprt.map(Sprt::new).transpose().map_err(failed)?;
        let log = config.log.as_ref().map(|log| {
            Log::open(log)
                .map_err(|error| MatchError(format!("cannot write {}: {error}", log.file.display())))
        });
        let log = log.transpose()?.map(Arc::new);
        let kept_lines = config.pgn.as_ref().and_then(|pgn| pgn.match_line.as_deref()).map(Regex::new);
        let kept_lines =
            kept_lines.transpose().map_err(|error| MatchError(format!("-pgnout match_line: {error}")))?;
        let surroundings = Surroundings {
            startup_time: config.startup_time,
            ready_time: config.ready_time,
            new_game_time: config.new_game_time,
            bell: None,
            log,
            kept_lines,
        };
        let mut state = State {
            names: vec![],
            standings: Standings::default(),
            total: schedule.len(),
            resumed: 0,
            seed: 0,
            started: Instant::now(),
            sprt,
            handovers: vec![],
            latencies: vec![(0.0, 0); config.players.len()],
            plies: 0,
        };
        let (mut journal, aside) = open_journal(config)?;
        let (mut played, mut entries) = (HashSet::new(), vec![]);
        let mut header = None;
        if config.resume {
            let read = journal.read(|entry| {
                if played.insert(entry.fixture.game) {
                    state.add(&entry);
                    entries.push(entry.bytes);
                }
            });
            header = read.map_err(failed)?;
        }
        state.resumed = state.standings.games();
        // The standard library keys its hash maps with randomness of the system.
        let drawn = || RandomState::new().build_hasher().finish() >> 1;
        state.seed = header.as_ref().map(|header| header.seed).or(config.seed).unwrap_or_else(drawn);
        if let Some(aside) = aside {
            let text = format!(
                "an unfinished match was in the way; it is now {} and can be gone on with by -config file={0}",
                aside.display()
            );
            watch(Event::Warning(&text), &state);
        }
        if config.resume {
            match &header {
                Some(_) => watch(Event::Resumed(state.resumed), &state),
                None => watch(
                    Event::Warning(&format!("{} holds no match: beginning one", journal.path().display())),
                    &state,
                ),
            }
        }
        let (suite, openings) = open_suite(config, &schedule, &state, watch)?;
        if let Some(known) = header.as_ref().filter(|known| known.openings != openings) {
            let change = if known.openings.is_some() { "has changed since" } else { "was none in" };
            return Err(MatchError(format!("cannot resume: the file of openings {change} the first run")));
        }
        Ok(Setup {
            state,
            schedule,
            suite,
            openings,
            surroundings,
            journal,
            header,
            played,
            entries,
            pgn: None,
            epd: None,
        })
    }

    /// Starts each engine once, so that what is wrong with it is known before the first game, and its name with it. Those
    /// that can be used later are given back.
    fn meet_players(
        &mut self,
        config: &MatchConfig,
        can_be_used: bool,
        watch: &mut dyn FnMut(Event, &State),
    ) -> Result<Vec<(usize, UciClient)>, MatchError> {
        let mut pool = vec![];
        for (player, settings) in config.players.iter().enumerate() {
            let client = UciClient::start(&settings.engine, &self.surroundings).map_err(|error| {
                MatchError(format!("engine {} ({}): {error}", player + 1, settings.engine.cmd.display()))
            })?;
            let name = client.name().to_string();
            for refusal in client.refusals() {
                if config.strict {
                    return Err(MatchError(format!("{name} {refusal}")));
                }
                watch(Event::Warning(&format!("{name} {refusal}")), &self.state);
            }
            let has =
                |option: &str| client.options().iter().any(|known| known.name.eq_ignore_ascii_case(option));
            if config.variant == Variant::Chess960 && !has("UCI_Chess960") {
                watch(Event::Warning(&format!("{name} does not declare UCI_Chess960")), &self.state);
            }
            if settings.ponder && !has("Ponder") {
                watch(Event::Warning(&format!("{name} does not declare Ponder")), &self.state);
            }
            self.state.names.push(name);
            pool.push((player, client));
        }
        if let Some(known) = self.header.as_ref().filter(|known| known.names != self.state.names) {
            let (then, now) = (known.names.join(", "), self.state.names.join(", "));
            return Err(MatchError(format!("cannot resume: the players were {then} and are {now}")));
        }
        // A game that is held to a processor wants processes that are.
        if !can_be_used {
            pool.drain(..).for_each(|(_, client): (usize, UciClient)| client.quit());
        }
        Ok(pool)
    }

    /// Opens what is written, and mends what an earlier run has left torn.
    fn open_files(&mut self, config: &MatchConfig, words: &[String]) -> Result<(), MatchError> {
        let resumed = self.header.is_some();
        if let Some(pgn) = &config.pgn {
            self.pgn = Some(Output::open(&pgn.file, pgn.append || resumed).map_err(failed)?);
        }
        if let Some(epd) = &config.epd {
            self.epd = Some(Output::open(epd, config.epd_append || resumed).map_err(failed)?);
        }
        let Some(header) = &self.header else {
            let size = |output: &Option<Output>| output.as_ref().map_or(Ok(0), Output::size).map_err(failed);
            let sizes = [size(&self.pgn)?, size(&self.epd)?];
            let names = self.state.names.clone();
            let header = Header::new(words, self.state.seed, names, self.openings, sizes);
            return self.journal.begin(&header).map_err(failed);
        };
        let mut missing = [usize::MAX; 2];
        for (which, output) in [&mut self.pgn, &mut self.epd].into_iter().enumerate() {
            if let Some(output) = output {
                let sizes = self.entries.iter().map(|bytes| bytes[which]);
                missing[which] = output.mend(header.sizes[which], sizes).map_err(failed)?;
            }
        }
        let first_missing = missing.into_iter().min().unwrap_or(usize::MAX);
        if first_missing >= self.entries.len() {
            return Ok(());
        }
        let mut index = 0;
        let mut problem = None;
        let (pgn, epd, names) = (&mut self.pgn, &mut self.epd, &self.state.names);
        self.journal
            .read(|entry| {
                for (which, output) in [&mut *pgn, &mut *epd].into_iter().enumerate() {
                    if index >= missing[which]
                        && let Some(output) = output
                    {
                        let text = if which == 0 {
                            config
                                .pgn
                                .as_ref()
                                .map(|pgn| to_pgn(&entry, config, names, pgn))
                                .unwrap_or_default()
                        } else {
                            to_epd(&entry, names)
                        };
                        if let Err(error) = output.add(&text) {
                            problem.get_or_insert(failed(error));
                        }
                    }
                }
                index += 1;
            })
            .map_err(failed)?;
        problem.map_or(Ok(()), Err)
    }
}

/// The journal; and where an unfinished one was put that is not to be gone on with.
fn open_journal(config: &MatchConfig) -> Result<(Journal, Option<PathBuf>), MatchError> {
    let path = journal_path(config);
    let mut journal = Journal::open(&path).map_err(failed)?;
    if config.resume {
        return Ok((journal, None));
    }
    // A file that is something else is refused rather than overwritten.
    let mut games = 0;
    let has_match = journal.read(|_| games += 1).map_err(failed)?.is_some();
    if !has_match || games == 0 || journal.is_finished() {
        return Ok((journal, None));
    }
    let numbered = |number: u32| {
        let mut name = path.clone().into_os_string();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    let aside = (1..).map(numbered).find(|name| !name.exists()).unwrap_or_else(|| numbered(0));
    std::fs::rename(&path, &aside)
        .map_err(|error| MatchError(format!("cannot rename {}: {error}", path.display())))?;
    drop(journal);
    Ok((Journal::open(&path).map_err(failed)?, Some(aside)))
}

/// How many broken lines of a file of openings are shown.
const BROKEN_SHOWN: usize = 5;

/// The openings, with the CRC-32 and the size of their file.
#[allow(clippy::type_complexity)]
fn open_suite(
    config: &MatchConfig,
    schedule: &Schedule,
    state: &State,
    watch: &mut dyn FnMut(Event, &State),
) -> Result<(Option<Suite>, Option<(u32, u64)>), MatchError> {
    let Some(openings) = &config.openings else { return Ok((None, None)) };
    let (suite, broken) = Suite::open(openings, state.seed, schedule.openings()).map_err(failed)?;
    let file = openings.file.display();
    for line in broken.iter().take(BROKEN_SHOWN) {
        watch(Event::Warning(&format!("{file}: {line}")), state);
    }
    if broken.len() > BROKEN_SHOWN {
        let text = format!("{file}: {} broken openings in all, left out", broken.len());
        watch(Event::Warning(&text), state);
    }
    let fingerprint =
        fingerprint(&openings.file).map_err(|error| MatchError(format!("cannot read {file}: {error}")))?;
    Ok((Some(suite), Some(fingerprint)))
}

/// CRC-32 and size of a file.
///
/// # Errors
/// If it cannot be read.
pub fn fingerprint(path: &Path) -> std::io::Result<(u32, u64)> {
    let mut file = File::open(path)?;
    let mut hasher = crc32fast::Hasher::new();
    let mut block = vec![0; 1 << 16];
    let mut size = 0;
    loop {
        match file.read(&mut block)? {
            0 => return Ok((hasher.finalize(), size)),
            count => {
                hasher.update(&block[..count]);
                size += count as u64;
            }
        }
    }
}

/// Where results come in and are written down.
struct Desk<'a> {
    config: &'a MatchConfig,
    state: State,
    journal: Journal,
    pgn: Option<Output>,
    epd: Option<Output>,
    log: Option<Arc<Log>>,
    queue: &'a Mutex<Queue>,
    ringer: Option<Ringer>,
    conclusion: Option<Conclusion>,
}

impl Desk<'_> {
    /// Ends the match. What comes first counts.
    fn stop(&mut self, conclusion: Conclusion) {
        self.queue.lock().close();
        self.conclusion.get_or_insert(conclusion);
        self.ringer = None;
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

    fn finished(
        &mut self,
        mut entry: Entry,
        failure: Option<String>,
        handovers: Vec<Duration>,
        watch: &mut dyn FnMut(Event, &State),
    ) {
        if self.conclusion.is_some() {
            // Decided before this game came to its end: it does not count.
            return;
        }
        if let Err(error) = self.write_down(&mut entry) {
            self.log(LogLevel::Fatal, &error.0);
            self.stop(Conclusion::Broken(error.0));
            if !self.journal.has_last() {
                return;
            }
        }
        self.state.add(&entry);
        self.state.measure(&entry, handovers);
        for remark in &entry.remarks {
            self.log(LogLevel::Warning, remark);
            watch(Event::Warning(&format!("game {}: {remark}", entry.fixture.game + 1)), &self.state);
        }
        let text = format!("Finished game {}: {} {}", entry.fixture.game + 1, entry.outcome, entry.reason);
        self.log(LogLevel::Info, &text);
        watch(Event::Finished(&entry), &self.state);
        self.look_at_test();
        if let Some(how) = failure {
            let text = format!("game {}: {}: the engine {how}", entry.fixture.game + 1, entry.reason);
            self.log(LogLevel::Error, &text);
            watch(Event::Warning(&text), &self.state);
            if !self.config.recover && self.conclusion.is_none() {
                self.stop(Conclusion::Broken(
                    "an engine has failed; with -recover the match would go on".into(),
                ));
            }
        }
    }

    /// The journal first: what it has counts, and the files can be made from it.
    fn write_down(&mut self, entry: &mut Entry) -> Result<(), MatchError> {
        let names = &self.state.names;
        let pgn =
            self.config.pgn.as_ref().map(|pgn| to_pgn(entry, self.config, names, pgn)).unwrap_or_default();
        let epd = if self.epd.is_some() { to_epd(entry, names) } else { String::new() };
        entry.bytes = [pgn.len() as u64, epd.len() as u64];
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
            self.stop(Conclusion::Decided(progress.verdict));
        }
    }

    fn tick(&mut self, watch: &mut dyn FnMut(Event, &State)) {
        if let Err(error) = self.journal.sync() {
            self.stop(Conclusion::Broken(error.to_string()));
        }
        watch(Event::Tick, &self.state);
    }

    fn close(mut self) -> Result<(State, Conclusion), MatchError> {
        let mut conclusion = self.conclusion.take().unwrap_or(Conclusion::Complete);
        let is_finished = matches!(conclusion, Conclusion::Complete | Conclusion::Decided(_));
        let closed = if is_finished { self.journal.finish() } else { self.journal.sync() };
        if let (Err(error), true) = (closed, is_finished) {
            conclusion = Conclusion::Broken(error.to_string());
        }
        Ok((self.state, conclusion))
    }
}
