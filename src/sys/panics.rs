//! Threads that panic, and those that wait for them.

use std::sync::atomic::{AtomicBool, Ordering};

/// Sets the flag if its thread panics, so that others end that would wait for its part without end.
#[derive(Debug)]
pub struct SetInPanic<'a>(pub &'a AtomicBool);

impl Drop for SetInPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_is_set_by_a_panic_alone() {
        let (calm, panicked) = (AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| SetInPanic(&calm));
            let thread = scope.spawn(|| {
                let _set = SetInPanic(&panicked);
                // Without a panic's lines on the error output.
                std::panic::resume_unwind(Box::new(()));
            });
            assert!(thread.join().is_err());
        });
        assert_eq!([calm, panicked].map(AtomicBool::into_inner), [false, true]);
    }
}
