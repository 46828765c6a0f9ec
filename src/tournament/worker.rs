//! What a thread does that plays games: it fetches fixtures, keeps engines between games, and sends back what came out.

use super::adjourned::Saved;
use super::config::{MatchConfig, Player, Variant};
use super::entry::{EXPELLED, Entry};
use super::schedule::{Fixture, Schedule};
use super::score_sheet::ScoreSheet;
use super::setup::{named_judge, start_judge};
use super::standings::is_engine_failure;
use super::starts::Starts;
use super::stop::Stop;
use crate::arbiter::absence::without_players;
use crate::arbiter::clock::Limits;
use crate::arbiter::judge::{Judge, Officials};
use crate::arbiter::play::{Seat, Setting, play};
use crate::arbiter::record::GameReport;
use crate::board::Position;
use crate::engine::client::{Client, NewGame};
use crate::engine::connection::{Speaker, Surroundings};
use crate::engine::process::EngineError;
use crate::laws::dead::Solver;
use crate::laws::irregularity::expulsion_article;
use crate::laws::{GameResult, Reason, Verdict};
use crate::openings::Opening;
use crate::openings::suite::Suite;
use crate::sys::affinity;
use crate::sys::moments::later;
use crate::sys::pipes;
use crate::tablebase::Tables;
use crate::types::{Color, Move, Outcome};
use crossbeam_channel::Sender;
use jiff::Timestamp;
use parking_lot::Mutex;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Engines that a thread keeps running between games; the ones used last.
pub(super) const ENGINES_KEPT: usize = 4;

/// What comes from the threads.
pub(super) enum Message {
    /// A game has begun.
    Started(Fixture),
    /// A game has ended. The second is what is said of its losers, if the failure of an engine was the reason.
    Finished(Box<Entry>, Option<String>, Made),
    /// A game has been adjourned.
    Adjourned(Box<Saved>, Made),
    /// A game does not count: an engine failed as somebody ended the match, and may have been ended with it. The second is
    /// what is said of its losers.
    Dropped(Box<Entry>, String),
    /// The match cannot go on: why.
    Stopped(String),
    /// The thread has nothing more to do.
    Done,
}

/// What was done for a game in this run.
pub(super) struct Made {
    /// How long each `go` took to leave.
    pub(super) handovers: Vec<Duration>,
    /// So many of its moves are of earlier sessions.
    pub(super) earlier: usize,
}

/// The games that are still to be played.
pub(super) struct Queue {
    next: u64,
    end: u64,
    played: HashSet<u64>,
}

impl Queue {
    /// All games of the schedule that have not been played.
    pub(super) fn new(schedule: &Schedule, played: HashSet<u64>) -> Queue {
        Queue { next: 0, end: schedule.len(), played }
    }

    /// The next one.
    fn peek(&self) -> Option<u64> {
        (self.next..self.end).find(|game| !self.played.contains(game))
    }

    fn take(&mut self) -> Option<u64> {
        let game = self.peek()?;
        self.next = game + 1;
        Some(game)
    }
}

/// What all threads share.
pub(super) struct Shared<'a> {
    pub(super) config: &'a MatchConfig,
    pub(super) schedule: &'a Schedule,
    pub(super) suite: Option<&'a Suite>,
    pub(super) tables: Option<&'a Tables>,
    pub(super) surroundings: &'a Surroundings,
    pub(super) stop: &'a Stop,
    pub(super) queue: Mutex<Queue>,
    /// Games of an earlier session that are to go on.
    pub(super) adjourned: Mutex<HashMap<u64, Saved>>,
    /// Where the score sheets of games that are being played lie.
    pub(super) score_sheets: PathBuf,
    /// How often each player's engine has failed.
    pub(super) failures: Mutex<Vec<u32>>,
    /// Engines that run and wait for the first thread that needs them.
    pub(super) pool: Mutex<Vec<(usize, Client)>>,
    /// Who judges in quickplay finishes, running and waiting in the same way.
    pub(super) judge: Mutex<Option<Judge>>,
    /// Lets threads start engines.
    pub(super) starts: Starts,
}

/// Plays games until there are none left, or the bell is rung.
pub(super) fn work(shared: &Shared, processor: Option<usize>, messages: &Sender<Message>) {
    let done = catch_unwind(AssertUnwindSafe(|| {
        if let Some(processor) = processor
            && let Err(error) = affinity::hold_to(processor)
        {
            return Err(format!("cannot hold a game to processor {processor}: {error}"));
        }
        Worker { shared, engines: vec![], prover: Solver::new(), judge: None }.run(messages)
    }));
    let problem = match done {
        Ok(result) => result.err(),
        Err(_) => Some("a thread of the runner has failed; please report this".to_string()),
    };
    // Nobody listens any more if the match has ended.
    let _ = messages.send(problem.map_or(Message::Done, Message::Stopped));
}

struct Worker<'a> {
    shared: &'a Shared<'a>,
    /// Engines between games, the last used last.
    engines: Vec<(usize, Client)>,
    /// Whether a position is dead.
    prover: Solver,
    /// Who decides in quickplay finishes.
    judge: Option<Judge>,
}

/// So long after an engine's end one looks whether we were told to end too.
const MOMENT: Duration = Duration::from_millis(200);
/// So long after we were told to end an engine may have been told so too.
const ALSO_TOLD: Duration = Duration::from_secs(1);

impl Worker<'_> {
    fn run(mut self, messages: &Sender<Message>) -> Result<(), String> {
        loop {
            let Some(game) = self.shared.queue.lock().take() else { break };
            if self.shared.stop.is_rung() {
                break;
            }
            let fixture = self.shared.schedule.fixture(game);
            if messages.send(Message::Started(fixture)).is_err() {
                break;
            }
            let earlier = self.shared.adjourned.lock().remove(&game);
            let opening = match (&earlier, self.shared.suite) {
                (Some(saved), _) => saved.opening(),
                (None, Some(suite)) => suite.get(fixture.opening).map_err(|error| error.to_string())?,
                (None, None) => Opening { start: Position::default(), moves: vec![], name: None },
            };
            let (began, start) = (Timestamp::now().as_millisecond(), Instant::now());
            let mut report = self.play_guarded(fixture, &opening, earlier.as_ref())?;
            let made = Made {
                handovers: std::mem::take(&mut report.handovers),
                earlier: earlier.as_ref().map_or(0, |saved| saved.adjourned.moves.len()),
            };
            if let Some(adjourned) = report.adjourned.take() {
                let entry = entry_of(fixture, opening, report, earlier.as_ref(), began, start.elapsed());
                let saved = Saved { entry, adjourned };
                let _ = messages.send(Message::Adjourned(Box::new(saved), made));
                break;
            }
            if report.verdict.reason == Reason::Interrupted {
                break;
            }
            let failure = failure(&report.verdict);
            // Whoever ends a whole group of processes ends the engines with us: then it is not their failure.
            let is_excused =
                failure.is_some() && self.shared.stop.is_just_ended_by_somebody(ALSO_TOLD, MOMENT);
            if !is_excused {
                self.count_failure(fixture, &report.verdict);
            }
            let entry = entry_of(fixture, opening, report, earlier.as_ref(), began, start.elapsed());
            if is_excused {
                let _ = messages.send(Message::Dropped(Box::new(entry), failure.unwrap_or_default()));
                break;
            }
            if messages.send(Message::Finished(Box::new(entry), failure, made)).is_err() {
                break;
            }
            if !self.shared.config.wait.is_zero() && self.shared.queue.lock().peek().is_some() {
                let until = later(Instant::now(), self.shared.config.wait);
                pipes::wait(&mut [], Some(self.shared.stop.bell()), until);
            }
        }
        self.engines.drain(..).for_each(|(_, client)| client.quit());
        self.judge.into_iter().for_each(Judge::quit);
        Ok(())
    }

    /// A game. Should the runner itself fail in it, whoever was on move has lost, and the match goes on.
    fn play_guarded(
        &mut self,
        fixture: Fixture,
        opening: &Opening,
        earlier: Option<&Saved>,
    ) -> Result<GameReport, String> {
        let first = earlier.map_or_else(|| opening.end(), |saved| saved.entry.last);
        let on_move = Cell::new(first.side_to_move());
        let result = catch_unwind(AssertUnwindSafe(|| self.play(fixture, opening, earlier, &on_move)));
        result.unwrap_or_else(|_| {
            let how = "was on move when the runner failed; please report this".to_string();
            let verdict = Verdict::lost(on_move.get(), Reason::Stalled(how));
            Ok(not_played_on(opening, earlier, verdict, None, vec![]))
        })
    }

    /// A game, or the reason why there is none.
    ///
    /// # Errors
    /// If the match cannot go on: it is no engine's fault that the system has no more processes or files.
    fn play(
        &mut self,
        fixture: Fixture,
        opening: &Opening,
        earlier: Option<&Saved>,
        on_move: &Cell<Color>,
    ) -> Result<GameReport, String> {
        let config = self.shared.config;
        let setting = Setting {
            start: opening.start,
            book: &opening.moves,
            chess960: config.variant == Variant::Chess960,
            adjudication: config.adjudication,
            regulations: config.regulations.clone(),
            keep_lines: config.pgn.as_ref().is_some_and(|pgn| pgn.pv),
            check_mates: config.check_mate_pvs,
            keep_handovers: config.output.latency,
            bell: Some(self.shared.stop.bell()),
            adjourns: config.regulations.edition.is_fide().then(|| self.shared.stop.adjourns()),
            resumed: earlier.map(|saved| &saved.adjourned),
        };
        if let Some(verdict) = self.expelled(fixture, earlier.is_some()) {
            return Ok(not_played_on(opening, earlier, verdict, None, vec![]));
        }
        let players = [&config.players[fixture.white], &config.players[fixture.black]];
        let ready = [
            self.ready(fixture.white, fixture.black, opening, earlier),
            self.ready(fixture.black, fixture.white, opening, earlier),
        ];
        let (mut white, mut black) = match ready {
            [Ok(white), Ok(black)] => (white, black),
            some => {
                let limits = players.map(|player| &player.limits);
                let (verdict, sealed, remarks) = self.unready(fixture, some, limits, &setting)?;
                return Ok(not_played_on(opening, earlier, verdict, sealed, remarks));
            }
        };
        let [of_white, of_black] = players;
        self.meet_judge()?;
        let mut sheet = self.score_sheet(fixture, opening, earlier)?;
        let officials =
            Officials { prover: &mut self.prover, tables: self.shared.tables, judge: self.judge.as_mut() };
        let seats = [seat(&mut white, of_white), seat(&mut black, of_black)];
        let mut problem = None;
        let mut report = play(seats, &setting, officials, &mut |before, played, _| {
            on_move.set(!before.side_to_move());
            if let Some(sheet) = &mut sheet {
                problem = problem.take().or(sheet.write(before, played).err());
            }
        });
        // The sheet is for games that are cut off, and this one is not.
        report.remarks.extend(
            problem
                .map(|error| format!("the score sheet of game {} is not whole: {error}", fixture.game + 1)),
        );
        self.keep(fixture.white, white);
        self.keep(fixture.black, black);
        Ok(report)
    }

    /// Sees to it that who is to judge is there, if anybody is to.
    fn meet_judge(&mut self) -> Result<(), String> {
        if self.judge.is_none() {
            self.judge = self.shared.judge.lock().take();
        }
        if self.judge.is_none() {
            let shared = self.shared;
            let _start = named_judge(shared.config).and_then(|_| shared.starts.wait(shared.stop));
            self.judge =
                start_judge(self.shared.config, self.shared.surroundings).map_err(|error| error.0)?;
        }
        Ok(())
    }

    /// The score sheet of a game under the Laws, with the moves of earlier sessions.
    fn score_sheet(
        &self,
        fixture: Fixture,
        opening: &Opening,
        earlier: Option<&Saved>,
    ) -> Result<Option<ScoreSheet>, String> {
        let config = self.shared.config;
        if !config.regulations.edition.is_fide() {
            return Ok(None);
        }
        let names = [fixture.white, fixture.black].map(|player| config.players[player].engine.name.as_str());
        let folder = &self.shared.score_sheets;
        let named = |error| format!("cannot write a score sheet in {}: {error}", folder.display());
        let mut sheet = ScoreSheet::begin(folder, fixture.game, names, &opening.end()).map_err(named)?;
        let mut position = opening.end();
        for played in earlier.iter().flat_map(|saved| &saved.adjourned.moves) {
            sheet.write(&position, played).map_err(named)?;
            position = position.after(played.mv);
        }
        Ok(Some(sheet))
    }

    /// The player's engine, ready for a new game against `opponent`.
    fn ready(
        &mut self,
        player: usize,
        opponent: usize,
        opening: &Opening,
        earlier: Option<&Saved>,
    ) -> Result<Client, EngineError> {
        let config = self.shared.config;
        let kept = self.engines.iter().position(|(owner, _)| *owner == player);
        let from_pool = || {
            let mut pool = self.shared.pool.lock();
            let place = pool.iter().position(|(owner, _)| *owner == player)?;
            Some(pool.swap_remove(place).1)
        };
        let running = kept.map(|place| self.engines.remove(place).1).or_else(from_pool);
        // Our own waiting is on nobody's time.
        let start = match running {
            Some(_) => None,
            None => Some(self.shared.starts.wait(self.shared.stop).ok_or(EngineError::Interrupted)?),
        };
        // Whoever may come so late (6.7) has so long for all together: to be started, to greet and to get ready.
        let deadline = config.regulations.default_time.map(|late| later(Instant::now(), late));
        let mut client = match running {
            Some(mut client) => {
                client.give_until(deadline);
                client
            }
            // It is put off if we stand still while it starts.
            None => {
                let surroundings = Surroundings { deadline, ..self.shared.surroundings.clone() };
                Client::start(&config.players[player].set_up(config.variant), &surroundings)?
            }
        };
        drop(start);
        let limits = &config.players[player].limits;
        let clock = limits.start_clock(config.regulations.clock_rules());
        let mut moves = opening.moves.clone();
        moves.extend(earlier.iter().flat_map(|saved| &saved.adjourned.moves).map(|played| played.mv));
        let ready = client.new_game(&NewGame {
            start: &opening.start,
            moves: &moves,
            chess960: config.variant == Variant::Chess960,
            level: limits.level(clock.as_ref()),
            ponder: config.players[player].ponder,
            opponent: &config.players[opponent].engine.name,
        });
        // What is waited for behind the game has a time of its own.
        client.give_until(None);
        ready.map(|()| client)
    }

    /// The verdict about players who do not get ready, and how they did not.
    ///
    /// # Errors
    /// If it is not an engine's fault.
    fn unready(
        &mut self,
        fixture: Fixture,
        ready: [Result<Client, EngineError>; 2],
        limits: [&Limits; 2],
        setting: &Setting,
    ) -> Result<(Verdict, Option<Move>, Vec<String>), String> {
        let (mut first, mut remarks) = (None, vec![]);
        let mut absent = [false; 2];
        for (player, ready) in Color::ALL.into_iter().zip(ready) {
            let number = if player == Color::White { fixture.white } else { fixture.black };
            let name = &self.shared.config.players[number].engine.name;
            match ready {
                Ok(client) => self.keep(number, client),
                Err(EngineError::Interrupted) => return Ok((Verdict::interrupted(), None, vec![])),
                Err(error @ EngineError::NotStarted(..)) => return Err(format!("{name}: {error}")),
                Err(EngineError::Unable(why)) => {
                    return Err(format!("{name} {why}"));
                }
                Err(error) => {
                    absent[player.index()] = true;
                    remarks.push(format!("{name} does not get ready: {error}"));
                    let failure = match error {
                        EngineError::Gone(how) => Reason::Disconnected(how),
                        other => Reason::Stalled(format!("does not get ready: {other}")),
                    };
                    first.get_or_insert((player, failure));
                }
            }
        }
        match first {
            // That failure is told by itself. Where both fail nobody has won anything.
            Some((player, failure)) if !setting.regulations.edition.is_fide() && absent != [true; 2] => {
                Ok((Verdict::lost(player, failure), None, vec![]))
            }
            _ => {
                let (verdict, sealed) = without_players(absent, limits, setting, &mut self.prover);
                Ok((verdict, sealed, remarks))
            }
        }
    }

    /// Counts a failure before the next game begins.
    fn count_failure(&self, fixture: Fixture, verdict: &Verdict) {
        let is_failure = is_engine_failure(verdict.termination());
        for (has_lost, player) in verdict.result.losers().into_iter().zip([fixture.white, fixture.black]) {
            self.shared.failures.lock()[player] += u32::from(is_failure && has_lost);
        }
    }

    /// The verdict about a game of players who are no longer in the competition.
    fn expelled(&self, fixture: Fixture, has_begun: bool) -> Option<Verdict> {
        let most = self.shared.config.expulsion?;
        let failures = self.shared.failures.lock();
        let result = match [fixture.white, fixture.black].map(|player| failures[player] >= most) {
            [false, false] => return None,
            [true, true] => GameResult::DoubleForfeit,
            [white, _] => GameResult::Forfeit(if white { Color::Black } else { Color::White }),
        };
        let result = match result {
            GameResult::Forfeit(winner) if has_begun => GameResult::Played(Outcome::Win(winner)),
            GameResult::DoubleForfeit if has_begun => GameResult::BothLose,
            unplayed => unplayed,
        };
        let reason = Reason::Penalty(EXPELLED.into());
        let article = expulsion_article(self.shared.config.regulations.edition);
        Some(Verdict { result, reason, article })
    }

    /// Keeps an engine for the next game, if it is fit for one.
    fn keep(&mut self, player: usize, mut client: Client) {
        if client.is_thinking() || client.gone().is_some() {
            // Dropped, and so killed: it does not listen, or is not there.
            return;
        }
        if self.shared.config.players[player].engine.restart || client.must_restart() {
            client.quit();
            return;
        }
        self.engines.push((player, client));
        if self.engines.len() > ENGINES_KEPT {
            self.engines.remove(0).1.quit();
        }
    }
}

fn seat<'a>(client: &'a mut Client, player: &'a Player) -> Seat<'a> {
    Seat { client, limits: &player.limits, ponder: player.ponder, proxy: player.proxy }
}

/// What is said of the losers of a game that ended with the failure of an engine, if it did.
fn failure(verdict: &Verdict) -> Option<String> {
    match &verdict.reason {
        // Of both one has been heard, and which is not known here.
        Reason::Disconnected(how) | Reason::Stalled(how) if verdict.result.losers() == [true; 2] => {
            Some(format!("can no longer be reached: one {how}"))
        }
        Reason::Disconnected(how) | Reason::Stalled(how) => Some(how.clone()),
        // The remarks tell how.
        Reason::Absence => Some("did not get ready for the game".to_string()),
        _ => None,
    }
}

/// A game as the journal keeps it; one that was adjourned began in an earlier session.
fn entry_of(
    fixture: Fixture,
    opening: Opening,
    report: GameReport,
    earlier: Option<&Saved>,
    began: i64,
    duration: Duration,
) -> Entry {
    let entry = Entry::new(fixture, opening.name, report, began, duration);
    match earlier {
        Some(saved) => entry.resumed_from(&saved.entry),
        None => entry,
    }
}

/// A game that was decided without being played, or played on: with `sealed`, by the move that had been sealed.
fn not_played_on(
    opening: &Opening,
    earlier: Option<&Saved>,
    verdict: Verdict,
    sealed: Option<Move>,
    remarks: Vec<String>,
) -> GameReport {
    let mut report = GameReport {
        start: opening.start,
        book: opening.moves.clone(),
        moves: vec![],
        verdict,
        rulings: vec![],
        last: opening.end(),
        remarks: vec![],
        handovers: vec![],
        adjourned: None,
    };
    if let Some(Saved { entry, adjourned, .. }) = earlier {
        report.moves = adjourned.moves.clone();
        report.rulings = adjourned.rulings.clone();
        report.remarks = adjourned.remarks.clone();
        report.last = entry.last;
        if let Some(mv) = sealed {
            report.moves.push(adjourned.sealed.made(mv));
            report.remarks.extend(adjourned.sealed.remarks.iter().cloned());
            report.last = report.last.after(mv);
        }
    }
    report.remarks.extend(remarks);
    report
}
