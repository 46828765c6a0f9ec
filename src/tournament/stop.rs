//! The end of a match before its time.

use crate::sys::pipes::{self, Bell, Ringer, Woken};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What ends a match before its time, from any thread: it wakes all that wait.
#[derive(Debug)]
pub struct Stop {
    bell: Bell,
    ringer: Mutex<Option<Ringer>>,
    /// Games that are being played are adjourned, where they can be.
    adjourns: AtomicBool,
    /// When somebody asked for the end from outside: it was not the time, nor something in the match.
    asked: Mutex<Option<Instant>>,
}

impl Stop {
    /// Not rung yet.
    ///
    /// # Errors
    /// If the system has no more pipes.
    pub fn new() -> std::io::Result<Stop> {
        let (bell, ringer) = Bell::new()?;
        let (adjourns, asked) = (AtomicBool::new(false), Mutex::new(None));
        Ok(Stop { bell, ringer: Mutex::new(Some(ringer)), adjourns, asked })
    }

    /// Ends the session: like `ring`, but games that are being played are adjourned, where they can be.
    pub fn adjourn(&self) -> bool {
        self.asked.lock().get_or_insert_with(Instant::now);
        self.end_session()
    }

    /// The same when its time is up, or something in the match ends it: nobody has ended the engines then.
    pub(super) fn end_session(&self) -> bool {
        let mut ringer = self.ringer.lock();
        let ringer = ringer.take();
        // Before it rings, which is when it is dropped.
        self.adjourns.fetch_or(ringer.is_some(), Ordering::SeqCst);
        ringer.is_some()
    }

    /// True if somebody from outside has ended the match not longer than `before` ago, or does so `within` this time: he may
    /// have ended engines with it. One that fails later does so by itself.
    pub(super) fn is_just_ended_by_somebody(&self, before: Duration, within: Duration) -> bool {
        let now = Instant::now();
        let until = now + within;
        if self.asked.lock().is_none() && pipes::wait(&mut [], Some(&self.bell), until) == Woken::Rung {
            // It may have rung before, and tell of nobody.
            while self.asked.lock().is_none() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        self.asked.lock().is_some_and(|asked| now.saturating_duration_since(asked) <= before)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_may_have_been_ended_with_the_match_for_a_moment() {
        let stop = Stop::new().unwrap();
        let (long, soon) = (Duration::from_secs(3600), Duration::from_millis(1));
        assert!(!stop.is_just_ended_by_somebody(long, soon), "nobody has ended it");
        assert!(stop.end_session() && stop.is_rung());
        assert!(!stop.is_just_ended_by_somebody(long, soon), "it has ended by itself");
        assert!(!stop.adjourn(), "it had ended before");
        assert!(stop.is_just_ended_by_somebody(long, soon));
        std::thread::sleep(Duration::from_millis(2));
        assert!(!stop.is_just_ended_by_somebody(soon, soon), "that was long ago");
    }
}
