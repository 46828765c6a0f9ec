//! A few engines are started at a time: where all were at once, none would be ready before its time is up.

use super::stop::Stop;
use crate::sys::cpu::processors;
use parking_lot::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// How often somebody who waits looks whether the match is to end.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// As many starts at the same time as there are processors, and two where there is one.
pub(super) struct Starts {
    most: usize,
    /// After so long a start no longer counts: an engine that does not get ready keeps nobody else from being started.
    patience: Duration,
    /// Those that are going on, by number, and when each began.
    going_on: Mutex<GoingOn>,
    ended: Condvar,
}

#[derive(Default)]
struct GoingOn {
    numbers: u64,
    began: Vec<(u64, Instant)>,
}

impl Starts {
    pub(super) fn new(patience: Duration) -> Starts {
        Starts::at_most(processors().max(2), patience)
    }

    fn at_most(most: usize, patience: Duration) -> Starts {
        Starts { most, patience, going_on: Mutex::default(), ended: Condvar::new() }
    }

    /// Waits until an engine may be started, which goes on as long as what comes back is there. `None` if the match is to
    /// end.
    pub(super) fn wait(&self, stop: &Stop) -> Option<Start<'_>> {
        let mut going_on = self.going_on.lock();
        loop {
            if stop.is_rung() {
                return None;
            }
            going_on.began.retain(|(_, began)| began.elapsed() < self.patience);
            if going_on.began.len() < self.most {
                break;
            }
            self.ended.wait_for(&mut going_on, LOOK_AGAIN);
        }
        let number = going_on.numbers;
        going_on.numbers += 1;
        going_on.began.push((number, Instant::now()));
        Some(Start { starts: self, number })
    }
}

/// An engine is being started.
pub(super) struct Start<'a> {
    starts: &'a Starts,
    number: u64,
}

impl Drop for Start<'_> {
    fn drop(&mut self) {
        self.starts.going_on.lock().began.retain(|(number, _)| *number != self.number);
        self.starts.ended.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_are_started_at_a_time() {
        let (starts, stop) = (Starts::at_most(3, Duration::MAX), Stop::new().unwrap());
        let [now, most, all] = [(); 3].map(|()| AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..32 {
                scope.spawn(|| {
                    let start = starts.wait(&stop);
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    now.fetch_sub(1, Ordering::SeqCst);
                    all.fetch_add(usize::from(start.is_some()), Ordering::SeqCst);
                });
            }
        });
        assert!(most.into_inner() <= 3);
        assert_eq!(all.into_inner(), 32);
    }

    #[test]
    fn who_waits_hears_that_the_match_is_to_end() {
        let (starts, stop) = (Starts::at_most(1, Duration::MAX), Stop::new().unwrap());
        let first = starts.wait(&stop);
        let waits = std::thread::scope(|scope| {
            let waits = scope.spawn(|| starts.wait(&stop).is_some());
            stop.ring();
            waits.join().unwrap()
        });
        assert!(first.is_some() && !waits);
    }

    #[test]
    fn who_does_not_get_ready_keeps_nobody_waiting() {
        let (starts, stop) = (Starts::at_most(1, Duration::ZERO), Stop::new().unwrap());
        let hangs = starts.wait(&stop);
        let next = starts.wait(&stop);
        drop(hangs);
        assert!(next.is_some());
    }
}
