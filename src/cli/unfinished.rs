//! Files in the making, which nobody is to find half of.

use super::{Failure, INTERRUPTED, tell};
use crate::sys::files::{to_be_replaced, with_suffix};
use crate::sys::signals;
use parking_lot::Mutex;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// Those that there are.
static FILES: Mutex<Vec<PathBuf>> = Mutex::new(vec![]);
static WATCH: Once = Once::new();

/// Which file is replaced by one that is made.
///
/// # Errors
/// As [`to_be_replaced`].
pub(super) fn target(wanted: &Path) -> Result<PathBuf, Failure> {
    to_be_replaced(wanted).map_err(|error| format!("{} is {error}", wanted.display()).into())
}

/// A file that goes with this value, or with the process if it is asked to end, unless it has its place by then.
pub(super) struct Unfinished {
    path: PathBuf,
    wanted: PathBuf,
}

impl Unfinished {
    /// The file that takes the place of `wanted`, which [`target`] has given. Nothing is made yet.
    pub(super) fn of(wanted: PathBuf) -> Unfinished {
        WATCH.call_once(|| {
            let interrupts = signals::interrupts();
            let watch = move || {
                if interrupts.recv().is_ok() {
                    // The lock stays, so that no other is begun.
                    let files = FILES.lock();
                    files.iter().for_each(|file| drop(std::fs::remove_file(file)));
                    tell("stopped; nothing is written");
                    std::process::exit(INTERRUPTED.into());
                }
            };
            // Where no thread can be had nobody hears what a signal asks for.
            let _ = std::thread::Builder::new().name("stop".into()).spawn(watch);
        });
        let path = with_suffix(&wanted, &format!(".{}.part", std::process::id()));
        FILES.lock().push(path.clone());
        Unfinished { path, wanted }
    }

    /// Its name until it is finished.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its name then.
    pub(super) fn wanted(&self) -> &Path {
        &self.wanted
    }

    /// What failed, in words.
    pub(super) fn failed(&self, error: &dyn fmt::Display) -> Failure {
        format!("{} cannot be written: {error}", self.wanted.display()).into()
    }

    /// Gives the whole file its name.
    pub(super) fn place(&self) -> Result<(), Failure> {
        std::fs::rename(&self.path, &self.wanted).map_err(|error| self.failed(&error))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        FILES.lock().retain(|file| *file != self.path);
        let _ = std::fs::remove_file(&self.path);
    }
}
