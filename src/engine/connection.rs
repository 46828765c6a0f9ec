//! The line to an engine, whatever it speaks: its process, the log of what is said, and the waiting for it.

use super::config::EngineConfig;
use super::process::{EngineError, LOOK_AGAIN, Process};
use super::transcript::Log;
use crate::sys::children::RunQueue;
use crate::sys::moments::later;
use crate::sys::pipes::{Bell, MOST_SOURCES, Woken, wait};
use arrayvec::ArrayVec;
use regex_lite::Regex;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What engines are started with.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// How long one may take to greet: to say `uciok`, or `feature done=1`.
    pub startup_time: Duration,
    /// How long one may take to say `readyok` or `pong`.
    pub ready_time: Duration,
    /// How long one may take to be ready for a new game.
    pub new_game_time: Duration,
    /// By then one has to be ready to play, if that is said: those three times do not count then.
    pub deadline: Option<Instant>,
    /// Ends all waiting.
    pub bell: Option<Bell>,
    /// Where everything is written down.
    pub log: Option<Arc<Log>>,
    /// Lines of engines to keep for the record.
    pub kept_lines: Option<Regex>,
}

impl Default for Surroundings {
    fn default() -> Surroundings {
        // An engine that is to be ready may be loading tables from a slow disk.
        let (startup_time, ready_time) = (Duration::from_secs(10), Duration::from_secs(60));
        let new_game_time = ready_time;
        let (deadline, bell) = (None, None);
        Surroundings { startup_time, ready_time, new_game_time, deadline, bell, log: None, kept_lines: None }
    }
}

impl Surroundings {
    /// When the wait for something ends that may take so long.
    pub(super) fn until(&self, patience: Duration) -> Instant {
        self.deadline.unwrap_or_else(|| later(Instant::now(), patience))
    }

    /// The error of an engine that has not got ready, for a game if it has been before, with the time that it had and the
    /// word that changes that.
    pub fn with_word(&self, error: EngineError, for_game: bool) -> EngineError {
        let EngineError::Silent(expected) = error else { return error };
        if self.deadline.is_some() {
            return EngineError::Unready(expected, None, "-laws default-time=");
        }
        let (within, word) = match expected {
            _ if for_game => (self.new_game_time, "-ucinewgame-ms"),
            "readyok" | "pong" => (self.ready_time, "-ping-ms"),
            _ => (self.startup_time, "-startup-ms"),
        };
        EngineError::Unready(expected, Some(within), word)
    }

    /// The log, if what engines say goes there.
    fn log_of_lines(&self) -> Option<&Log> {
        self.log.as_deref().filter(|log| log.wants_lines())
    }
}

/// A running engine that is spoken and listened to.
pub struct Connection {
    process: Process,
    /// What the match calls it.
    pub(super) name: String,
    /// What its program calls itself; nothing if it does not say so.
    pub(super) program: String,
    pub(super) surroundings: Surroundings,
    /// Options that could not be set as asked, and errors that it told of when it was set up.
    pub(super) refusals: Vec<String>,
    run_queue: RunQueue,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A client of an engine, as far as the line to it is concerned: clients of different protocols are listened to together.
pub trait Speaker {
    /// The line to the engine.
    fn connection(&self) -> &Connection;

    /// The same, to speak and to listen.
    fn connection_mut(&mut self) -> &mut Connection;

    /// Takes note of the lines that have come; `time` is when they were read off the pipe, if any were.
    fn hear(&mut self, time: Option<Instant>);

    /// What the match calls it.
    fn name(&self) -> &str {
        &self.connection().name
    }

    /// What its program calls itself, if it says so.
    fn program(&self) -> &str {
        &self.connection().program
    }

    /// By when it has to be ready for the next game, if not as long after it is told as the surroundings say.
    fn give_until(&mut self, deadline: Option<Instant>) {
        self.connection_mut().surroundings.deadline = deadline;
    }

    /// Options that it has not declared, or not with such values, and errors that it told of when it was set up.
    fn refusals(&self) -> &[String] {
        &self.connection().refusals
    }

    /// Sends lines in one write.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    fn send(&mut self, text: &[u8], deadline: Instant) -> Result<(), EngineError> {
        self.connection_mut().send(text, deadline)
    }

    /// The error, if it has closed its output, or ended.
    fn gone(&mut self) -> Option<EngineError> {
        let connection = self.connection_mut();
        connection.process.output.is_closed().then(|| connection.gone())
    }

    /// True if its process has ended, even though something may still hold its pipes open.
    fn has_ended(&mut self) -> bool {
        self.connection_mut().process.has_ended()
    }

    /// The error that tells how it has ended.
    fn ended(&mut self) -> EngineError {
        self.connection_mut().gone()
    }

    /// How long it has waited for processors so far, where the system tells.
    fn waited_for_processor(&self) -> Option<Duration> {
        let run_queue = &self.connection().run_queue;
        (!run_queue.is_unknown()).then(|| run_queue.waited())
    }
}

impl Connection {
    /// Starts an engine.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn start(
        config: &EngineConfig,
        surroundings: &Surroundings,
    ) -> Result<Connection, EngineError> {
        let process = Process::start(config)?;
        Ok(Connection {
            run_queue: RunQueue::of(process.id()),
            process,
            name: config.name.clone(),
            surroundings: surroundings.clone(),
            refusals: vec![],
            program: String::new(),
        })
    }

    /// Sends lines in one write.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub(super) fn send(&mut self, text: &[u8], deadline: Instant) -> Result<(), EngineError> {
        let log = self.surroundings.log_of_lines();
        let sent = self.process.send(text, deadline, |text| complained(log, &self.name, text));
        // Only now: what we do for ourselves is on nobody's clock.
        if let Some(log) = log {
            text.split(|&byte| byte == b'\n')
                .filter(|line| !line.is_empty())
                .for_each(|line| log.sent(&self.name, line));
        }
        sent
    }

    /// Looks anew for its threads, which it may have started or ended since.
    pub(super) fn count_threads(&mut self) {
        self.run_queue = RunQueue::of(self.process.id());
    }

    /// Takes what is there, once; the time at which it was taken, if something was.
    fn read(&mut self) -> Option<Instant> {
        // The clock stops here.
        (self.process.output.is_ready() && self.process.fill()).then(Instant::now)
    }

    /// Passes on the lines that were taken.
    pub(super) fn hear(&mut self, time: Option<Instant>, mut listener: impl FnMut(&[u8], Instant)) {
        let log = self.surroundings.log_of_lines();
        if let Some(time) = time {
            while let Some(line) = self.process.next_line() {
                if let Some(log) = log {
                    log.received(&self.name, line);
                }
                listener(line, time);
            }
        }
        if self.process.errors.is_ready() {
            self.process.read_complaints(|text| complained(log, &self.name, text));
        }
    }

    /// Lets it end by itself, and kills it if it does not.
    pub(super) fn quit(self) {
        let log = self.surroundings.log_of_lines();
        self.process.quit(|text| complained(log, &self.name, text));
    }

    /// The error that tells how it has gone.
    fn gone(&mut self) -> EngineError {
        let log = self.surroundings.log_of_lines();
        self.process.gone(|text| complained(log, &self.name, text))
    }
}

/// Notes what an engine of this name has written on its error output.
fn complained(log: Option<&Log>, name: &str, text: &[u8]) {
    if let Some(log) = log {
        log.complained(name, text);
    }
}

/// Waits until one of at most two engines says something, and hears it.
pub fn listen(clients: &mut [&mut dyn Speaker], bell: Option<&Bell>, deadline: Instant) -> Woken {
    let mut sources: ArrayVec<_, MOST_SOURCES> = ArrayVec::new();
    for client in clients.iter_mut() {
        let process = &mut client.connection_mut().process;
        sources.push(&mut process.output);
        sources.push(&mut process.errors);
    }
    let woken = wait(&mut sources, bell, deadline);
    drop(sources);
    if woken == Woken::Ready {
        // First all that has come is taken, with its time; what it says is looked at afterwards, so that nobody waits
        // for what is made of another's words.
        let times: ArrayVec<_, 2> = clients.iter_mut().map(|client| client.connection_mut().read()).collect();
        for (client, time) in clients.iter_mut().zip(times) {
            client.hear(time);
        }
    }
    woken
}

/// Who is woken so much later than he asked for was stopped himself, with the whole match (Ctrl-Z) or its host.
const LONG_STANDSTILL: Duration = Duration::from_secs(1);

/// Listens to at most two engines for a short while, at most until the deadline: a pipe tells that an engine has ended, unless
/// a child of its own holds it open, so one looks now and then. And how long we stood still meanwhile, which is nobody's time.
pub fn listen_for_a_turn(
    clients: &mut [&mut dyn Speaker],
    bell: Option<&Bell>,
    deadline: Instant,
) -> (Woken, Duration) {
    let begin = Instant::now();
    let turn = deadline.min(begin + LOOK_AGAIN);
    let woken = listen(clients, bell, turn);
    let stood_still = if turn.elapsed() > LONG_STANDSTILL { begin.elapsed() } else { Duration::ZERO };
    (woken, stood_still)
}

/// Listens to one engine for a short while, at most until the deadline; and how long we stood still, by which its deadlines
/// are to be put off. That for all together is.
///
/// # Errors
/// How it has ended, if it has and nothing comes.
pub(super) fn listen_a_while(
    client: &mut dyn Speaker,
    bell: Option<&Bell>,
    deadline: Instant,
) -> Result<(Woken, Duration), EngineError> {
    // One looks first, so that nothing can come behind a silence.
    let has_ended = client.has_ended();
    let (woken, stood_still) = listen_for_a_turn(&mut [&mut *client], bell, deadline);
    if let Some(deadline) = &mut client.connection_mut().surroundings.deadline {
        *deadline += stood_still;
    }
    if woken == Woken::Late && has_ended { Err(client.ended()) } else { Ok((woken, stood_still)) }
}

/// Reads so many times at most what has come before a question.
const MOST_OLD: u32 = 64;

/// Hears what an engine has said already, before it is asked: none of it is to be taken for the answer.
pub fn catch_up(client: &mut dyn Speaker) {
    for _ in 0..MOST_OLD {
        if client.gone().is_some() || listen(&mut [&mut *client], None, Instant::now()) != Woken::Ready {
            return;
        }
    }
}

/// Waits until what one engine has said is enough.
///
/// # Errors
/// If it is not by the deadline, the engine is gone, or the bell is rung.
pub(super) fn listen_until<C: Speaker>(
    client: &mut C,
    mut deadline: Instant,
    expected: &'static str,
    done: impl Fn(&C) -> bool,
) -> Result<(), EngineError> {
    let bell = client.connection().surroundings.bell.clone();
    while !done(client) {
        let (woken, stood_still) = listen_a_while(client, bell.as_ref(), deadline)?;
        if woken == Woken::Rung {
            return Err(EngineError::Interrupted);
        }
        deadline += stood_still;
        if done(client) {
            break;
        }
        if let Some(error) = client.gone() {
            return Err(error);
        }
        // Looked at each time, not only when nothing comes: one that floods is late too.
        if Instant::now() >= deadline {
            return Err(EngineError::Silent(expected));
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::engine::cecp::Level;
    use crate::engine::client::{Client, NewGame};
    use crate::engine::config::Protocol;

    /// No test measures time; this only keeps one from waiting for ever.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// An engine that does what a shell is told to, ready for its first game.
    fn start(protocol: Protocol, script: &str) -> Result<Client, EngineError> {
        let args = ["-c", script].map(String::from).to_vec();
        let config = EngineConfig { cmd: "sh".into(), args, protocol, ..EngineConfig::default() };
        Client::start(&config, &Surroundings { startup_time: PATIENCE, ..Surroundings::default() })
    }

    #[test]
    fn who_does_not_get_ready_is_told_which_word_gives_more_time() {
        let soon = Duration::from_millis(20);
        let given = Surroundings {
            startup_time: soon,
            ready_time: 2 * soon,
            new_game_time: 3 * soon,
            ..Surroundings::default()
        };
        let late = Surroundings { deadline: Some(Instant::now()), ..given.clone() };
        let hear = |lines| "read line; ".repeat(lines);
        let greets = hear(1) + "echo uciok; ";
        let ready = greets.clone() + &hear(1) + "echo readyok; ";
        let patient = Surroundings { startup_time: PATIENCE, ready_time: PATIENCE, ..given.clone() };
        for (script, surroundings, told) in [
            (hear(1), &given, "'uciok' within 0.02 s (-startup-ms)"),
            (
                greets,
                &Surroundings { startup_time: PATIENCE, ..given.clone() },
                "'readyok' within 0.04 s (-ping-ms)",
            ),
            (ready, &patient, "'readyok' within 0.06 s (-ucinewgame-ms)"),
            (hear(1), &late, "'uciok' in time (-laws default-time=)"),
        ] {
            let args = ["-c".to_string(), format!("{script} exec sleep 600")].to_vec();
            let config = EngineConfig { cmd: "sh".into(), args, ..EngineConfig::default() };
            let silent = Client::start(&config, surroundings).and_then(|mut client| new_game(&mut client));
            assert_eq!(silent.unwrap_err().to_string(), format!("the engine has not said {told}"));
        }
    }

    fn new_game(client: &mut Client) -> Result<(), EngineError> {
        let (start, level) = (&Position::default(), Level::default());
        client.new_game(&NewGame { start, moves: &[], chess960: false, level, ponder: false, opponent: "" })
    }

    #[test]
    fn who_has_ended_is_not_waited_for_though_a_child_holds_its_pipes() {
        let hear = |lines| "read line; ".repeat(lines);
        for (protocol, script) in [
            (Protocol::Uci, hear(1)),
            (Protocol::Uci, hear(1) + "echo uciok; " + &hear(1)),
            (Protocol::Uci, hear(1) + "echo uciok; " + &hear(1) + "echo readyok; " + &hear(2)),
            (Protocol::Cecp, hear(2) + "echo feature done=0; " + &hear(1)),
            (Protocol::Cecp, hear(2) + "echo feature ping=1 done=1; " + &hear(3)),
        ] {
            let ended = start(protocol, &format!("{script} sleep 600 &"))
                .and_then(|mut client| new_game(&mut client))
                .unwrap_err();
            assert!(matches!(&ended, EngineError::Gone(how) if how == "has ended"), "{script}: {ended}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_engines_threads_are_looked_for_anew_with_each_game() {
        for (protocol, script) in [
            (
                Protocol::Uci,
                "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; esac; done",
            ),
            (Protocol::Cecp, "echo feature done=1; while read line; do :; done"),
        ] {
            let mut client = start(protocol, script).unwrap();
            // As if all that it had at first had ended.
            client.connection_mut().run_queue = RunQueue::of(0);
            assert!(client.waited_for_processor().is_none());
            new_game(&mut client).unwrap();
            assert!(client.waited_for_processor().is_some());
        }
    }
}
