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
    pub(super) fn end_session(&self) {
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
