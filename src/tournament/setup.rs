//! What has to be there before the first game of a match: openings, the journal of an earlier run, engines that greet, and
//! files that can be written.

use super::adjourned::{self, Saved};
use super::config::{CHESS960, LogConfig, MatchConfig, OpeningPolicy, Player, Variant, for_variant};
use super::fingerprint::Fingerprint;
use super::journal::{Header, Journal, JournalError, Stage};
use super::journal_place::{has_usual_journal, journal_path, numbered_journal};
use super::outputs::Output;
use super::runner::{Event, MatchError, State, failed};
use super::schedule::{Fixture, Schedule};
use super::score_sheet;
use super::sprt::Sprt;
use super::stop::Stop;
use super::worker::ENGINES_KEPT;
use crate::arbiter::judge::Judge;
use crate::arbiter::proxy::Claims;
use crate::engine::client::Client;
use crate::engine::config::{EngineConfig, Protocol};
use crate::engine::connection::{Speaker, Surroundings};
use crate::engine::process::EngineError;
use crate::engine::transcript::Log;
use crate::laws::Edition;
use crate::openings::suite::Suite;
use crate::openings::{Format, OpeningsConfig};
use crate::sys::chance;
use crate::sys::files::with_suffix;
use regex_lite::Regex;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Games whose openings are looked at before the first one; the openings of more are told of when it is their turn.
const MOST_LOOKED_AT: usize = 10_000;

/// A match that is being prepared.
pub(super) struct Setup {
    pub(super) state: State,
    pub(super) schedule: Schedule,
    pub(super) suite: Option<Suite>,
    openings: Option<Fingerprint>,
    pub(super) surroundings: Surroundings,
    pub(super) journal: Journal,
    /// What the journal told of earlier runs.
    header: Option<Header>,
    pub(super) played: HashSet<u64>,
    /// Games of an earlier session that are to go on.
    pub(super) adjourned: HashMap<u64, Saved>,
    pub(super) texts: Vec<[Fingerprint; 2]>,
    /// The journal is that of an unfinished match, which is to be put aside.
    in_the_way: bool,
    /// What the players' programs call themselves.
    programs: Vec<String>,
    pub(super) pgn: Option<Output>,
    pub(super) epd: Option<Output>,
}

impl Setup {
    /// Reads what there is to read: openings, and the journal of an earlier run.
    pub(super) fn new(
        config: &MatchConfig,
        stop: &Stop,
        watch: &mut dyn FnMut(Event, &State),
    ) -> Result<Setup, MatchError> {
        let schedule = Schedule::new(config);
        let sprt = config.sprt.map(Sprt::new).transpose().map_err(failed)?;
        // First of all: whoever else writes there may write the log too.
        let (mut journal, in_the_way) = open_journal(config)?;
        let surroundings = surroundings(config, stop)?;
        let place = journal.path().to_path_buf();
        let mut state = State::new(config.players.len(), schedule.len(), sprt, place)?;
        let (mut played, mut texts) = (HashSet::new(), vec![]);
        let mut header = None;
        // An earlier version dealt the colours of single games otherwise.
        let mut paired_otherwise = None;
        let mut compare = |fixture: Fixture, file: &Path| {
            if !schedule.is_empty() && schedule.fixture(fixture.game) != fixture {
                paired_otherwise.get_or_insert_with(|| (fixture.game, file.to_path_buf()));
            }
        };
        if config.resume {
            let path = state.journal.clone();
            let read = journal.read(|entry| {
                compare(entry.fixture, &path);
                if played.insert(entry.fixture.game) {
                    state.standings.add(&entry);
                    texts.push(entry.texts);
                }
            });
            header = read.map_err(failed)?;
        }
        state.resumed = state.standings.games();
        // Below 2^53, for programs that read JSON's numbers as floating point (RFC 8259, section 6).
        let drawn = || chance::drawn() >> 11;
        state.seed = header.as_ref().map(|header| header.seed).or(config.seed).unwrap_or_else(drawn);
        let mut adjourned = HashMap::new();
        if header.is_some() {
            let folder = adjourned::folder(journal.path());
            let (games, problems) = adjourned::load(&folder, state.seed);
            for problem in lost_games(&journal, &played).into_iter().chain(problems) {
                watch(Event::Warning(&problem), &state);
            }
            // Some may be over since, as the journal tells.
            let (over, going_on): (HashMap<_, _>, HashMap<_, _>) =
                games.into_iter().partition(|(game, _)| played.contains(game));
            over.into_keys().for_each(|game| adjourned::remove(&folder, game));
            adjourned = going_on;
            for fixture in adjourned.values().map(|saved| saved.entry.fixture) {
                compare(fixture, &adjourned::record_path(&folder, fixture.game));
            }
            watch(Event::Resumed(state.resumed), &state);
        } else if config.resume {
            let games = config.pgn.as_ref().map(|pgn| &pgn.file);
            let more = match games.filter(|file| fs::metadata(file).is_ok_and(|about| about.len() > 0)) {
                Some(file) => format!("; its games are added to {}, which has some already", file.display()),
                None => String::new(),
            };
            let text = format!("{} holds no match: beginning one{more}", journal.path().display());
            watch(Event::Warning(&text), &state);
        }
        if let Some((game, file)) = paired_otherwise {
            let (file, game) = (file.display(), game + 1);
            return Err(MatchError(format!("cannot resume: game {game} in {file} was paired otherwise")));
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
            adjourned,
            texts,
            in_the_way,
            programs: vec![],
            pgn: None,
            epd: None,
        })
    }

    /// Starts each engine once, so that what is wrong with it is known before the first game, and its name with it. Those
    /// that are wanted soon are given back, if they can be used, and the others end: each may have a large table. This is no
    /// game yet, to which one could come too late.
    pub(super) fn meet_players(
        &mut self,
        config: &MatchConfig,
        can_be_used: bool,
        watch: &mut dyn FnMut(Event, &State),
    ) -> Result<Vec<(usize, Client)>, MatchError> {
        let mut pool = vec![];
        let soon =
            if can_be_used { wanted_soon(config, &self.schedule, &self.played) } else { HashSet::new() };
        for (player, settings) in config.players.iter().enumerate() {
            let client = Client::start(&settings.set_up(config.variant), &self.surroundings)
                .and_then(|client| if_it_plays(config.variant, settings, client))
                .map_err(|error| match error {
                    // That is no fault of the engine.
                    EngineError::Interrupted => MatchError(STOPPED.into()),
                    error => {
                        let program = settings.engine.cmd.display();
                        MatchError(format!("engine {} ({program}): {error}", player + 1))
                    }
                })?;
            self.programs.push(client.program().to_string());
            self.tell_refusals(config, client.name(), client.refusals(), watch)?;
            self.look_at_openings(player, &client).map_err(|why| {
                // It would end again whatever goes on with it.
                MatchError(format!("{} {why}", settings.engine.name))
            })?;
            self.state.defaults.push(client.defaults());
            // A game that is held to a processor wants processes that are.
            if soon.contains(&player) {
                pool.push((player, client));
            } else {
                client.quit();
            }
        }
        if let Some(known) = self.header.as_ref().filter(|known| known.names != config.names()) {
            let (then, now) = (known.names.join(", "), config.names().join(", "));
            return Err(MatchError(format!("cannot resume: the players were {then} and are {now}")));
        }
        let known = self.header.iter().flat_map(|known| &known.programs);
        for ((then, now), name) in known.zip(&self.programs).zip(config.names()) {
            if then != now {
                let text = format!(
                    "{name} is another program than in the first session: \"{now}\"; it was \"{then}\""
                );
                watch(Event::Warning(&text), &self.state);
            }
        }
        Ok(pool)
    }

    /// Looks whether a player can be told the openings of the games that are left, before any of them is played.
    ///
    /// # Errors
    /// If not.
    fn look_at_openings(&self, player: usize, client: &Client) -> Result<(), EngineError> {
        let (Client::Cecp(client), Some(suite)) = (client, &self.suite) else { return Ok(()) };
        if client.takes_any_position() {
            return Ok(());
        }
        let mut seen = HashSet::new();
        let left = (0..self.schedule.len()).filter(|game| !self.played.contains(game));
        for game in left.take(MOST_LOOKED_AT) {
            let Fixture { white, black, opening, .. } = self.schedule.fixture(game);
            // One that cannot be read is told of when its game begins.
            if [white, black].contains(&player)
                && seen.insert(opening)
                && let Ok(opening) = suite.get(opening)
            {
                client.can_begin_at(&opening.start)?;
            }
        }
        Ok(())
    }

    /// Warns of what an engine cannot be told.
    ///
    /// # Errors
    /// If there is something and the match is strict.
    fn tell_refusals(
        &self,
        config: &MatchConfig,
        name: &str,
        refusals: &[String],
        watch: &mut dyn FnMut(Event, &State),
    ) -> Result<(), MatchError> {
        for refusal in refusals {
            if config.strict {
                return Err(MatchError(format!("{name} {refusal}")));
            }
            watch(Event::Warning(&format!("{name} {refusal}")), &self.state);
        }
        Ok(())
    }

    /// Starts who is to judge, for the first thread that needs one, so that what is wrong with it is known before the first
    /// game.
    pub(super) fn meet_judge(
        &self,
        config: &MatchConfig,
        can_be_used: bool,
        watch: &mut dyn FnMut(Event, &State),
    ) -> Result<Option<Judge>, MatchError> {
        let judge = start_judge(config, &self.surroundings)?;
        if let Some(judge) = &judge {
            self.tell_refusals(config, judge.name(), judge.refusals(), watch)?;
        }
        if can_be_used {
            return Ok(judge);
        }
        judge.into_iter().for_each(Judge::quit);
        Ok(None)
    }

    /// Opens what is written, and mends what an earlier run has left torn. Only now, when nothing else can fail, anything is
    /// changed of what is there, but for a log that begins anew: what engines say first is to be in it.
    pub(super) fn open_files(
        &mut self,
        config: &MatchConfig,
        words: &[String],
        watch: &mut dyn FnMut(Event, &State),
    ) -> Result<(), MatchError> {
        let open = |path: &PathBuf| Output::open(path).map_err(failed);
        self.pgn = config.pgn.as_ref().map(|pgn| open(&pgn.file)).transpose()?;
        self.epd = config.epd.as_ref().map(open).transpose()?;
        if let Some(header) = self.header.take() {
            self.put_sheets_aside(watch)?;
            return self.mend_files(config, words, header, watch);
        }
        if self.in_the_way {
            let (journal, aside) = put_aside(&self.journal)?;
            self.journal = journal;
            let text = format!(
                "an unfinished match was in the way; it is now {0} and can be gone on with by -config file={0}",
                aside.display()
            );
            watch(Event::Warning(&text), &self.state);
        } else if adjourned::any(&adjourned::folder(self.journal.path())) {
            let aside = put_folder_aside(self.journal.path(), adjourned::folder)?;
            let text =
                format!("games of an earlier match were adjourned; they are in {} now", aside.display());
            watch(Event::Warning(&text), &self.state);
        }
        self.put_sheets_aside(watch)?;
        // Whoever wanted to go on with a match wants none thrown away, though its journal is not where it was said to be.
        if !config.resume {
            self.empty_outputs(config)?;
        }
        self.end_last_records()?;
        let size = |output: &Option<Output>| output.as_ref().map_or(Ok(0), Output::size).map_err(failed);
        let sizes = [size(&self.pgn)?, size(&self.epd)?];
        let names = config.names().into_iter().map(String::from).collect();
        let header = Header::new(words, self.state.seed, names, self.openings, sizes);
        let header = Header { programs: self.programs.clone(), ..header };
        self.journal.begin(&header).map_err(failed)
    }

    /// Keeps the score sheets of games that were broken off: such a game is played anew, and its sheet begun anew with it.
    fn put_sheets_aside(&self, watch: &mut dyn FnMut(Event, &State)) -> Result<(), MatchError> {
        let folder = score_sheet::folder(self.journal.path());
        if score_sheet::any(&folder) {
            // Who was killed just then had no time to remove that of a game that is over.
            self.played.iter().for_each(|&game| score_sheet::remove(&folder, game));
        }
        if score_sheet::any(&folder) {
            let aside = put_folder_aside(self.journal.path(), score_sheet::folder)?;
            let text = format!("games were broken off; their score sheets are in {} now", aside.display());
            watch(Event::Warning(&text), &self.state);
        }
        Ok(())
    }

    /// Throws away what PGN and EPD have held so far, if it is to be replaced.
    fn empty_outputs(&mut self, config: &MatchConfig) -> Result<(), MatchError> {
        let pgn = self.pgn.as_mut().filter(|_| config.pgn.as_ref().is_some_and(|pgn| !pgn.append));
        let epd = self.epd.as_mut().filter(|_| !config.epd_append);
        pgn.into_iter().chain(epd).try_for_each(Output::empty).map_err(failed)
    }
}

/// The engine, unless it speaks UCI and does not know Chess960, of which the match is. Whoever sets the option himself knows
/// why: some keep it to themselves.
fn if_it_plays(variant: Variant, player: &Player, mut client: Client) -> Result<Client, EngineError> {
    let declares = client.as_uci().is_none_or(|client| client.has_option(CHESS960));
    if variant == Variant::Standard || declares || player.engine.option(CHESS960).is_some() {
        return Ok(client);
    }
    client.quit();
    Err(EngineError::no_chess960(
        "no option UCI_Chess960; if it plays it all the same, give it option.UCI_Chess960=true",
    ))
}

/// Whose engines are best kept running until the first games: the players of those that begin at once, and of the next ones no
/// more than one thread would keep.
fn wanted_soon(config: &MatchConfig, schedule: &Schedule, played: &HashSet<u64>) -> HashSet<usize> {
    let left = (0..schedule.len()).filter(|game| !played.contains(game));
    let mut soon = HashSet::new();
    for (index, game) in left.take(config.concurrency.max(2 * ENGINES_KEPT)).enumerate() {
        let Fixture { white, black, .. } = schedule.fixture(game);
        for player in [white, black] {
            // Who is started anew for each game plays but one with this process.
            let may_wait = soon.len() < ENGINES_KEPT && !config.players[player].engine.restart;
            if index < config.concurrency || may_wait {
                soon.insert(player);
            }
        }
    }
    soon
}

/// What engines of the match are started in: the log is opened for it.
fn surroundings(config: &MatchConfig, stop: &Stop) -> Result<Surroundings, MatchError> {
    let log = config.log.as_ref().map(|log| {
        // Whoever goes on with a match wants to know how it has gone so far.
        let log = LogConfig { append: log.append || config.resume, ..log.clone() };
        Log::open(&log).map_err(|error| MatchError(format!("cannot write {}: {error}", log.file.display())))
    });
    let log = log.transpose()?.map(Arc::new);
    let kept_lines = config.pgn.as_ref().and_then(|pgn| pgn.match_line.as_deref()).map(Regex::new);
    let kept_lines =
        kept_lines.transpose().map_err(|error| MatchError(format!("-pgnout match_line: {error}")))?;
    // Before the first game one may take as long as one may come late to one. A default time shortens nothing here: each
    // game has a deadline made of it.
    let late = config.regulations.default_time.unwrap_or_default();
    Ok(Surroundings {
        startup_time: config.startup_time.max(late),
        ready_time: config.ready_time.max(late),
        new_game_time: config.new_game_time,
        deadline: None,
        bell: Some(stop.bell().clone()),
        log,
        kept_lines,
    })
}

/// The engine that is asked in quickplay finishes, if there are any and one is named.
pub(super) fn start_judge(
    config: &MatchConfig,
    surroundings: &Surroundings,
) -> Result<Option<Judge>, MatchError> {
    let Some((engine, nodes)) = named_judge(config) else { return Ok(None) };
    Judge::start(&for_variant(engine, config.variant), *nodes, surroundings).map(Some).map_err(|error| {
        match error {
            EngineError::Interrupted => MatchError(STOPPED.into()),
            error => MatchError(format!("the judge ({}): {error}", engine.cmd.display())),
        }
    })
}

/// Who is to judge, if anybody is, and with how many nodes.
pub(super) fn named_judge(config: &MatchConfig) -> Option<&(EngineConfig, u64)> {
    config.judge.as_ref().filter(|_| config.regulations.quickplay)
}

/// What is said if somebody ends the match while engines are met.
const STOPPED: &str = "stopped before the first game";

/// Games of which the journal knows that they were played or adjourned, and that are lost all the same, in words.
fn lost_games(journal: &Journal, played: &HashSet<u64>) -> Vec<String> {
    let is_open = |game: &&u64| !played.contains(*game);
    let file = journal.path().display();
    let missing = journal.missing().iter().filter(|missing| is_open(&&missing.last));
    let missing = missing.map(|missing| match (missing.last + 1, missing.games) {
        (game, 1) => format!("the line of game {game} is missing in {file}; that game is played anew"),
        (game, games) => format!(
            "{games} lines are missing in {file}, the last that of game {game}; those games are played anew"
        ),
    });
    let folder = adjourned::folder(journal.path());
    let adjourned = journal.adjourned().iter().filter(is_open);
    let lost = adjourned.map(|&game| (game, adjourned::record_path(&folder, game)));
    // One that was changed lies aside by now, and is told.
    let is_lost = |record: &PathBuf| !record.exists() && !adjourned::was_refused(record);
    let lost = lost.filter(|(_, record)| is_lost(record)).map(|(game, record)| {
        let record = record.display();
        format!("game {} was adjourned, and {record} is lost; that game is played anew", game + 1)
    });
    missing.chain(lost).collect()
}

/// The journal; and whether it is that of an unfinished match that is not to be gone on with.
fn open_journal(config: &MatchConfig) -> Result<(Journal, bool), MatchError> {
    let mut path = journal_path(config);
    let mut number = 1;
    // Matches without any file of their own may be played side by side: none waits for the others.
    let is_one_of_many = has_usual_journal(config) && !config.resume;
    let open = if is_one_of_many { Journal::open } else { Journal::open_soon };
    let mut journal = loop {
        match open(&path) {
            Err(JournalError::InUse(_)) if is_one_of_many => {
                number += 1;
                path = numbered_journal(number);
            }
            opened => break opened.map_err(failed)?,
        }
    };
    if config.resume {
        return Ok((journal, false));
    }
    // A file that is something else is refused rather than overwritten.
    let in_the_way = match journal.stage().map_err(failed)? {
        None | Some(Stage::Finished) => false,
        Some(Stage::Begun) => adjourned::any(&adjourned::folder(journal.path())),
        Some(Stage::Played) => true,
    };
    Ok((journal, in_the_way))
}

/// Gives a journal another name, and a new one its place; and the name.
fn put_aside(journal: &Journal) -> Result<(Journal, PathBuf), MatchError> {
    let path = journal.path();
    let aside = free_name(path);
    // The journal last: as long as it is there, so is the match.
    for folder in [adjourned::folder, score_sheet::folder] {
        if folder(path).exists() {
            rename(&folder(path), &folder(&aside))?;
        }
    }
    rename(path, &aside)?;
    Ok((Journal::open(path).map_err(failed)?, aside))
}

/// Gives a folder beside a journal, of what no match here can go on with, the name that it has beside a free one: which.
fn put_folder_aside(journal: &Path, folder: fn(&Path) -> PathBuf) -> Result<PathBuf, MatchError> {
    let aside = folder(&free_name(journal));
    rename(&folder(journal), &aside)?;
    Ok(aside)
}

/// The name of a journal with a number behind it, of which there is nothing yet.
fn free_name(journal: &Path) -> PathBuf {
    let numbered = |number: u32| with_suffix(journal, &format!(".{number}"));
    let is_free = |name: &PathBuf| {
        ![name.clone(), adjourned::folder(name), score_sheet::folder(name)].iter().any(|path| path.exists())
    };
    (1..).map(numbered).find(is_free).unwrap_or_else(|| numbered(0))
}

fn rename(from: &Path, to: &Path) -> Result<(), MatchError> {
    fs::rename(from, to).map_err(|error| MatchError(format!("cannot rename {}: {error}", from.display())))
}

/// What is allowed, and is hardly ever meant.
pub(super) fn doubts(config: &MatchConfig, schedule: &Schedule) -> Vec<&'static str> {
    let mut doubts = vec![];
    if config.openings.is_none() && schedule.openings() > 1 {
        doubts.push(
            "without -openings all games begin from the initial position, and engines that do not vary repeat theirs, \
             which count all the same",
        );
    }
    let claims_nothing =
        |player: &Player| player.engine.protocol == Protocol::Uci && player.proxy.claims == Claims::Never;
    if config.regulations.edition == Edition::Fide2005
        && config.players.iter().all(claims_nothing)
        && config.adjudication.max_moves.is_none()
        && config.adjudication.draw.is_none()
    {
        doubts.push(
            "fide-2005 ends no game by repetition or fifty moves without a claim, and nobody claims: say claims=auto or \
             -maxmoves",
        );
    }
    doubts
}

/// The openings, with the CRC-32 and the size of their file if they have one.
fn open_suite(
    config: &MatchConfig,
    schedule: &Schedule,
    state: &State,
    watch: &mut dyn FnMut(Event, &State),
) -> Result<(Option<Suite>, Option<Fingerprint>), MatchError> {
    let Some(openings) = &config.openings else { return Ok((None, None)) };
    let openings = &OpeningsConfig {
        standard: config.variant == Variant::Standard,
        laws: config.regulations.edition,
        ..openings.clone()
    };
    let (suite, broken) = Suite::open(openings, state.seed, schedule.openings()).map_err(failed)?;
    let file = openings.file.display();
    for line in broken.first() {
        watch(Event::Warning(&format!("{file}: {line}")), state);
    }
    if broken.len() > broken.first().len() {
        let text = format!("{file}: {} broken openings in all, left out", broken.len());
        watch(Event::Warning(&text), state);
    }
    let (there, needed) = (suite.len() as u64, schedule.openings());
    let start = openings.start;
    if start > there && !matches!(openings.format, Format::Polyglot) {
        let text = format!("{file}: start={start} of {there} openings: counted on from the front");
        watch(Event::Warning(&text), state);
    }
    // A number of Chess960 is asked for as the only one, and how long a test takes nobody knows.
    if needed > there && config.sprt.is_none() && !matches!(openings.format, Format::Chess960(Some(_))) {
        let what = match config.policy {
            OpeningPolicy::Round => "rounds",
            OpeningPolicy::Encounter => "meetings",
        };
        let text = format!("{file}: {there} openings for {needed} {what}: some are played again");
        watch(Event::Warning(&text), state);
    }
    if matches!(openings.format, Format::Chess960(_)) {
        return Ok((Some(suite), None));
    }
    let fingerprint = Fingerprint::of_file(&openings.file)
        .map_err(|error| MatchError(format!("cannot read {file}: {error}")))?;
    Ok((Some(suite), Some(fingerprint)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_that_are_not_wanted_soon_are_not_kept() {
        let player = |restart| Player {
            engine: EngineConfig { restart, ..EngineConfig::default() },
            ..Player::default()
        };
        let soon = |players: usize, restart, concurrency, played: u64| {
            let players = vec![player(restart); players];
            let config = MatchConfig { players, rounds: 1, games: 2, concurrency, ..MatchConfig::default() };
            let mut soon: Vec<usize> =
                wanted_soon(&config, &Schedule::new(&config), &(0..played).collect()).into_iter().collect();
            soon.sort_unstable();
            soon
        };
        assert_eq!(soon(3, false, 1, 0), [0, 1, 2]);
        assert_eq!(soon(12, false, 1, 0), [0, 1, 2, 3]);
        assert_eq!(soon(12, false, 12, 0), [0, 1, 2, 3, 4, 5, 6], "two games each of six pairings");
        assert_eq!(soon(12, true, 1, 0), [0, 1]);
        assert_eq!(soon(12, true, 1, 2), [0, 2], "after a pairing that is over");
        assert_eq!(soon(2, false, 5, 2), [0; 0]);
    }
}
