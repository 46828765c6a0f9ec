//! The client's side of UCI.

use super::config::EngineConfig;
use super::declared::{DeclaredOption, OptionKind};
use super::dialogue::Dialogue;
pub use super::dialogue::{Best, Identity};
use super::info::Info;
use super::process::{EngineError, Process};
use super::transcript::Log;
use crate::sys::children::RunQueue;
use crate::sys::pipes::{Bell, Woken, wait};
use arrayvec::ArrayVec;
use regex_lite::Regex;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What engines are started with.
#[derive(Clone)]
pub struct Surroundings {
    /// How long one may take to say `uciok`.
    pub startup_time: Duration,
    /// How long one may take to say `readyok`.
    pub ready_time: Duration,
    /// How long one may take to be ready for a new game.
    pub new_game_time: Duration,
    /// Ends all waiting.
    pub bell: Option<Bell>,
    /// Where everything is written down.
    pub log: Option<Arc<Log>>,
    /// Lines of engines to keep for the record.
    pub kept_lines: Option<Regex>,
}

impl Default for Surroundings {
    fn default() -> Surroundings {
        let (startup_time, ready_time) = (Duration::from_secs(10), Duration::from_secs(60));
        let new_game_time = ready_time;
        Surroundings { startup_time, ready_time, new_game_time, bell: None, log: None, kept_lines: None }
    }
}

/// An engine that has said `uciok`.
pub struct UciClient {
    process: Process,
    dialogue: Dialogue,
    /// What the match calls it.
    name: String,
    surroundings: Surroundings,
    /// Options that could not be set as asked.
    refusals: Vec<String>,
    run_queue: RunQueue,
}

impl UciClient {
    /// Starts an engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    /// If it cannot be started or does not greet or get ready in time.
    pub fn start(config: &EngineConfig, surroundings: &Surroundings) -> Result<UciClient, EngineError> {
        let process = Process::start(config)?;
        let mut client = UciClient {
            run_queue: RunQueue::of(process.id()),
            process,
            dialogue: Dialogue::keeping(surroundings.kept_lines.clone()),
            name: config.name.clone(),
            surroundings: surroundings.clone(),
            refusals: vec![],
        };
        let deadline = Instant::now() + surroundings.startup_time;
        client.send(b"uci\n", deadline)?;
        client.listen_until(deadline, "uciok", |dialogue| dialogue.greeted)?;
        if client.name.is_empty() {
            client.name = client.dialogue.identity.name.clone();
        }
        let lines = client.option_lines(&config.options);
        client.ask_ready(&lines, surroundings.ready_time)?;
        Ok(client)
    }

    /// The lines that set options. Threads first: some engines lay out their hash table anew, or for one thread only, when
    /// that changes.
    fn option_lines(&mut self, options: &[(String, String)]) -> String {
        let mut lines = String::new();
        let is_threads = |option: &&(String, String)| option.0.eq_ignore_ascii_case("Threads");
        let (first, then): (Vec<_>, Vec<_>) = options.iter().partition(is_threads);
        for (name, value) in first.into_iter().chain(then) {
            let declared =
                self.dialogue.options.iter().find(|declared| declared.name.eq_ignore_ascii_case(name));
            match declared {
                None => self.refusals.push(format!("doesn't have option {name}")),
                Some(declared) => {
                    let refusal = declared.refusal(value);
                    self.refusals.extend(refusal.map(|refusal| format!("cannot do that: {refusal}")));
                }
            }
            // What it has not declared is sent all the same: there are options that engines keep to themselves.
            match declared.map(|declared| &declared.kind) {
                Some(OptionKind::Button) if value == "false" => {}
                Some(OptionKind::Button) => lines += &format!("setoption name {name}\n"),
                _ => lines += &format!("setoption name {name} value {value}\n"),
            }
        }
        lines
    }

    /// What the match calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it says of itself.
    pub fn identity(&self) -> &Identity {
        &self.dialogue.identity
    }

    /// The options that it has declared.
    pub fn options(&self) -> &[DeclaredOption] {
        &self.dialogue.options
    }

    /// Options that it has not declared, or not with such values.
    pub fn refusals(&self) -> &[String] {
        &self.refusals
    }

    /// Another game begins. The engine is ready afterwards, and has said all that it had to say before.
    ///
    /// # Errors
    /// If the engine is gone or does not get ready.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.ask_ready("ucinewgame\n", self.surroundings.new_game_time)?;
        self.dialogue.best = None;
        self.dialogue.unasked = 0;
        self.run_queue = RunQueue::of(self.process.id());
        Ok(())
    }

    fn ask_ready(&mut self, lines_before: &str, patience: Duration) -> Result<(), EngineError> {
        let deadline = Instant::now() + patience;
        self.dialogue.ready = false;
        self.send(format!("{lines_before}isready\n").as_bytes(), deadline)?;
        self.listen_until(deadline, "readyok", |dialogue| dialogue.ready)
    }

    /// Sends lines in one write.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub fn send(&mut self, text: &[u8], deadline: Instant) -> Result<(), EngineError> {
        let sent = self.process.send(text, deadline);
        // Only now: what we do for ourselves is on nobody's clock.
        if let Some(log) = self.surroundings.log.as_ref().filter(|log| log.wants_lines()) {
            text.split(|&byte| byte == b'\n')
                .filter(|line| !line.is_empty())
                .for_each(|line| log.sent(&self.name, line));
        }
        sent
    }

    /// Lets it think: `text` is a `position` line and a `go` line. The time at which its clock starts.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub fn go(&mut self, text: &[u8], deadline: Instant) -> Result<Instant, EngineError> {
        self.dialogue.asked();
        // Before the write, not after: an engine can have its answer ready before we are on the processor again.
        let start = Instant::now();
        self.send(text, deadline)?;
        Ok(start)
    }

    /// Its answer, once there is one.
    pub fn take_best(&mut self) -> Option<Best> {
        self.dialogue.best.take()
    }

    /// True while it owes us a `bestmove`.
    pub fn is_thinking(&self) -> bool {
        self.dialogue.thinking
    }

    /// What it last said about the position, and the lines to keep.
    pub fn take_info(&mut self) -> (Info, Vec<String>) {
        (self.dialogue.info(), self.dialogue.kept())
    }

    /// How many `bestmove` lines nobody had asked for since this was last called.
    pub fn take_unasked(&mut self) -> u32 {
        std::mem::take(&mut self.dialogue.unasked)
    }

    /// The error, if it has closed its output, or ended.
    pub fn gone(&mut self) -> Option<EngineError> {
        self.process.output.is_closed().then(|| self.process.gone())
    }

    /// True if its process has ended, even though something may still hold its pipes open.
    pub fn has_ended(&mut self) -> bool {
        self.process.has_ended()
    }

    /// The error that tells how it has ended.
    pub fn ended(&mut self) -> EngineError {
        self.process.gone()
    }

    /// How long it has waited for processors so far, where the system tells.
    pub fn waited_for_processor(&self) -> Option<Duration> {
        (!self.run_queue.is_unknown()).then(|| self.run_queue.waited())
    }

    fn listen_until(
        &mut self,
        deadline: Instant,
        expected: &'static str,
        done: impl Fn(&Dialogue) -> bool,
    ) -> Result<(), EngineError> {
        let bell = self.surroundings.bell.clone();
        while !done(&self.dialogue) {
            match UciClient::listen(&mut [self], bell.as_ref(), deadline) {
                Woken::Rung => return Err(EngineError::Interrupted),
                Woken::Late => return Err(EngineError::Silent(expected)),
                Woken::Ready if Instant::now() >= deadline && !done(&self.dialogue) => {
                    return Err(EngineError::Silent(expected));
                }
                Woken::Ready => {}
            }
            if !done(&self.dialogue)
                && let Some(error) = self.gone()
            {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Waits until one of at most two engines says something, and hears it.
    pub fn listen(clients: &mut [&mut UciClient], bell: Option<&Bell>, deadline: Instant) -> Woken {
        let mut sources: ArrayVec<_, { crate::sys::pipes::MOST_SOURCES }> = ArrayVec::new();
        for client in clients.iter_mut() {
            sources.push(&mut client.process.output);
            sources.push(&mut client.process.errors);
        }
        let woken = wait(&mut sources, bell, deadline);
        drop(sources);
        if woken == Woken::Ready {
            // First all that has come is taken, with its time; what it says is looked at afterwards, so that nobody waits
            // for what is made of another's words.
            let times: ArrayVec<_, 2> = clients.iter_mut().map(|client| client.read()).collect();
            for (client, time) in clients.iter_mut().zip(times) {
                client.hear(time);
            }
        }
        woken
    }

    /// Takes what is there, once; the time at which it was taken, if something was.
    fn read(&mut self) -> Option<Instant> {
        // The clock stops here.
        (self.process.output.is_ready() && self.process.fill()).then(Instant::now)
    }

    /// Hears what was taken.
    fn hear(&mut self, time: Option<Instant>) {
        let log = self.surroundings.log.as_ref().filter(|log| log.wants_lines());
        if let Some(time) = time {
            while let Some(line) = self.process.next_line() {
                if let Some(log) = log {
                    log.received(&self.name, line);
                }
                self.dialogue.hear(line, time);
            }
        }
        if self.process.errors.is_ready() {
            self.process.read_complaints(|text| {
                if let Some(log) = log {
                    log.complained(&self.name, text);
                }
            });
        }
    }

    /// Lets it end by itself, and kills it if it does not.
    pub fn quit(self) {
        self.process.quit();
    }
}
