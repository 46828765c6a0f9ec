//! Hearing an engine out: up to the `pong` that says that it has obeyed all before, or for a while if it has no `ping`.

use super::CecpClient;
use crate::engine::cecp::talk::Talk;
use crate::engine::connection::{Speaker, listen_a_while, listen_until};
use crate::engine::process::EngineError;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// So long an engine without `ping` is heard out before the next game. A result can come behind the move that ends the
/// game (section 9 of the protocol text).
const LAST_WORDS: Duration = Duration::from_millis(200);
/// So long one without `ping` is heard out behind a move: claims come microseconds to some milliseconds after it.
const BEHIND_MOVE: Duration = Duration::from_millis(20);
/// So long one with `ping` may take to answer there: one that hangs is not to hold up the game.
const PONG_BEHIND_MOVE: Duration = Duration::from_secs(10);

impl CecpClient {
    /// Hears what an engine has to say still of the game before, which must not pass for words about the next, such as that
    /// it does not take the position.
    pub(super) fn hear_out(&mut self) -> Result<(), EngineError> {
        if self.talk.features.ping {
            return self.ask_ready("", self.connection.surroundings.new_game_time);
        }
        self.listen_a_while()
    }

    /// Hears what an engine says that cannot be asked whether that was all.
    pub(super) fn listen_a_while(&mut self) -> Result<(), EngineError> {
        match listen_until(self, Instant::now() + LAST_WORDS, "", |_| false) {
            Err(EngineError::Silent(_)) => Ok(()),
            other => other,
        }
    }

    /// Hears what it says behind its move, while nobody's clock runs: the claim of a draw that the move brings is a line of
    /// its own, and may come a few milliseconds later. If it is gone or does not answer, its next turn shows that.
    pub fn hear_behind_move(&mut self) {
        let has_ping = self.talk.features.ping;
        let deadline = Instant::now() + if has_ping { PONG_BEHIND_MOVE } else { BEHIND_MOVE };
        let mut pong = None;
        if has_ping && !self.talk.claims_draw() {
            let mut text = String::new();
            pong = Some(self.write_ping(&mut text));
            if self.send(text.as_bytes(), deadline).is_err() {
                return;
            }
        }
        let is_heard = |talk: &Talk| talk.claims_draw() || pong.is_some() && talk.pong == pong;
        while !is_heard(&self.talk) && self.gone().is_none() && Instant::now() < deadline {
            // Not for the bell: a move that is sealed can claim a draw too.
            if listen_a_while(self, None, deadline).is_err() {
                return;
            }
        }
    }

    /// Asks for a sign that all before has been obeyed: the number that comes with it.
    pub(super) fn write_ping(&mut self, text: &mut String) -> u64 {
        self.pings += 1;
        let _ = writeln!(text, "ping {}", self.pings);
        self.pings
    }

    /// Sends lines, and waits until the engine has obeyed them; does not wait for one without `ping`.
    pub(super) fn ask_ready(&mut self, lines: &str, patience: Duration) -> Result<(), EngineError> {
        let deadline = self.connection.surroundings.until(patience);
        if !self.talk.features.ping {
            return self.send(lines.as_bytes(), deadline);
        }
        let mut text = lines.to_string();
        let number = self.write_ping(&mut text);
        self.send(text.as_bytes(), deadline)?;
        listen_until(self, deadline, "pong", |client| client.talk.pong == Some(number))?;
        // Whoever answers a ping has no move to make any more.
        self.talk.thinking = false;
        Ok(())
    }
}
