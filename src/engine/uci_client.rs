//! The client's side of UCI.

use super::config::EngineConfig;
use super::connection::{Connection, Speaker, Surroundings, catch_up, listen_until};
use super::declared::{Defaults, OptionKind};
use super::dialogue::Dialogue;
use super::info::Info;
use super::process::EngineError;
use super::said::Best;
use std::fmt;
use std::time::{Duration, Instant};

/// An engine that has said `uciok`.
pub struct UciClient {
    connection: Connection,
    dialogue: Dialogue,
    /// Its last move was none.
    in_doubt: bool,
}

impl fmt::Debug for UciClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UciClient").field("connection", &self.connection).finish_non_exhaustive()
    }
}

impl UciClient {
    /// Starts an engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    /// If it cannot be started or does not greet or get ready in time.
    pub fn start(config: &EngineConfig, surroundings: &Surroundings) -> Result<UciClient, EngineError> {
        let mut client = UciClient {
            connection: Connection::start(config, surroundings)?,
            dialogue: Dialogue::keeping(surroundings.kept_lines.clone()),
            in_doubt: false,
        };
        let deadline = surroundings.until(surroundings.startup_time);
        client.send(b"uci\n", deadline)?;
        listen_until(&mut client, deadline, "uciok", |client| client.dialogue.greeted)?;
        client.connection.program = client.dialogue.name.clone();
        if client.connection.name.is_empty() {
            client.connection.name = client.dialogue.name.clone();
        }
        let lines = client.option_lines(&config.options);
        client.ask_ready(&lines, surroundings.ready_time)?;
        // An engine without the network or the tables that it was told to use often plays on all the same.
        let errors = client.dialogue.take_errors();
        client.connection.refusals.extend(errors.into_iter().map(|error| format!("says: {error}")));
        Ok(client)
    }

    /// True if it has declared an option of this name.
    pub fn has_option(&self, name: &str) -> bool {
        self.dialogue.options.find(name).is_some()
    }

    /// The lines that set options. Threads first: some engines lay out their hash table anew, or for one thread only, when
    /// that changes.
    fn option_lines(&mut self, options: &[(String, String)]) -> String {
        let mut lines = String::new();
        let is_threads = |option: &&(String, String)| option.0.eq_ignore_ascii_case("Threads");
        let (first, then): (Vec<_>, Vec<_>) = options.iter().partition(is_threads);
        for (name, value) in first.into_iter().chain(then) {
            let Some(declared) = self.dialogue.options.find(name) else {
                self.connection.refusals.push(format!("doesn't have option {name}"));
                // It is sent all the same: there are options that engines keep to themselves.
                lines += &format!("setoption name {name} value {value}\n");
                continue;
            };
            let refusal = declared.refusal(value);
            self.connection.refusals.extend(refusal.map(|refusal| format!("cannot do that: {refusal}")));
            // In UCI letters are all the same, but Glaurung 2.2 knows its options only as it has written them.
            let name = &declared.name;
            match declared.kind {
                OptionKind::Button if value == "false" => {}
                OptionKind::Button => lines += &format!("setoption name {name}\n"),
                _ => lines += &format!("setoption name {name} value {}\n", declared.spelled(value)),
            }
        }
        lines
    }

    /// Another game begins. The engine is ready afterwards, and has said all that it had to say before.
    ///
    /// # Errors
    /// If the engine is gone or does not get ready.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.ask_ready("ucinewgame\n", self.connection.surroundings.new_game_time)?;
        self.dialogue.best = None;
        self.dialogue.unasked = 0;
        self.in_doubt = false;
        self.connection.count_threads();
        Ok(())
    }

    fn ask_ready(&mut self, lines_before: &str, patience: Duration) -> Result<(), EngineError> {
        let deadline = self.connection.surroundings.until(patience);
        self.dialogue.ready = false;
        self.send(format!("{lines_before}isready\n").as_bytes(), deadline)?;
        listen_until(self, deadline, "readyok", |client| client.dialogue.ready)
    }

    /// Lets it think: `text` is a `position` line and a `go` line, each with its newline, without which the engine would wait
    /// for the rest. The time at which its clock starts.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub fn go(&mut self, text: &[u8], deadline: Instant) -> Result<Instant, EngineError> {
        if std::mem::take(&mut self.in_doubt) {
            self.dialogue.stale = true;
            self.send(b"isready\n", deadline)?;
        }
        catch_up(self);
        self.dialogue.asked();
        // Before the write, not after: an engine can have its answer ready before we are on the processor again.
        let start = Instant::now();
        self.send(text, deadline)?;
        Ok(start)
    }

    /// Its last move was none, and it will be asked for another at once: what it says until it has heard that is about the
    /// first.
    pub fn take_back(&mut self) {
        self.in_doubt = true;
    }

    /// Its answer, once there is one, and when its line had been read off the pipe.
    pub fn take_best(&mut self) -> Option<(Best, Instant)> {
        self.dialogue.best.take()
    }

    /// Its answer, waited for.
    ///
    /// # Errors
    /// If it does not come by the deadline, or the engine is gone.
    pub fn await_best(&mut self, deadline: Instant) -> Result<Best, EngineError> {
        let expected = "bestmove";
        listen_until(self, deadline, expected, |client| client.dialogue.best.is_some())?;
        self.take_best().map(|(best, _)| best).ok_or(EngineError::Silent(expected))
    }

    /// True while it owes us a `bestmove`.
    pub fn is_thinking(&self) -> bool {
        self.dialogue.thinking
    }

    /// What it last said about the position and the move that it has played; and the lines to keep.
    pub fn take_info(&mut self, played: &str) -> (Info, Vec<String>) {
        (self.dialogue.info(played), self.dialogue.kept())
    }

    /// What it has declared.
    pub fn defaults(&self) -> Defaults {
        self.dialogue.options.defaults()
    }

    /// How many `bestmove` lines nobody had asked for since this was last called.
    pub fn take_unasked(&mut self) -> u32 {
        std::mem::take(&mut self.dialogue.unasked)
    }

    /// Lets it end by itself, and kills it if it does not.
    pub fn quit(self) {
        self.connection.quit();
    }
}

impl Speaker for UciClient {
    fn connection(&self) -> &Connection {
        &self.connection
    }

    fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }

    fn hear(&mut self, time: Option<Instant>) {
        let UciClient { connection, dialogue, .. } = self;
        connection.hear(time, |line, time| dialogue.hear(line.trim_ascii_start(), time));
    }
}
