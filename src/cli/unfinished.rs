//! Files in the making, which nobody is to find half of.

use super::{Failure, INTERRUPTED, tell};
use crate::sys::files::{replace, to_be_replaced, with_suffix};
use crate::sys::signals;
use parking_lot::Mutex;
use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
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
                    // Behind a bar.
                    if io::stderr().is_terminal() {
                        let _ = writeln!(io::stderr());
                    }
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

    /// The file that takes the place of `wanted`, as for [`Unfinished::of`], and stays if it does not come to that: it is
    /// gone on with.
    pub(super) fn kept(wanted: PathBuf) -> Unfinished {
        Unfinished { path: with_suffix(&wanted, ".part"), wanted }
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

    /// Leaves it under the name that it has, whatever becomes of the process.
    pub(super) fn stays(&self) {
        FILES.lock().retain(|file| *file != self.path);
    }

    /// Gives the whole file its name, whatever has it.
    pub(super) fn place(&self) -> Result<(), Failure> {
        replace(&self.path, &self.wanted).map_err(|error| self.failed(&error))
    }

    /// Gives the whole file its name if nothing has it by now; else it stays under the one that it has.
    pub(super) fn place_new(&self) -> Result<(), Failure> {
        match rename_new(&self.path, &self.wanted) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.stays();
                let (wanted, path) = (self.wanted.display(), self.path.display());
                Err(format!("somebody has made {wanted} meanwhile: what was to be it is whole in {path}")
                    .into())
            }
            placed => placed.map_err(|error| self.failed(&error)),
        }
    }
}

/// Gives a file another name, which nothing may have.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::hard_link(from, to) {
        // Its first name is of no use any more, and does no harm.
        Ok(()) => {
            let _ = std::fs::remove_file(from);
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // There are file systems on which a file has but one name.
        Err(_) if to.symlink_metadata().is_ok() => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => std::fs::rename(from, to),
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut files = FILES.lock();
        if let Some(at) = files.iter().position(|file| *file == self.path) {
            files.swap_remove(at);
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    #[test]
    fn what_has_come_to_be_there_meanwhile_is_not_replaced_and_nothing_is_lost() {
        let folder = Scratch::new();
        let [path, wanted] = ["made.part", "made"].map(|name| folder.join(name));
        let read = || [&path, &wanted].map(|file| std::fs::read_to_string(file).ok());
        // Its place is free, is taken, or may be.
        for (there, force, left) in [
            (None, false, [None, Some("made")]),
            (Some("precious"), false, [Some("made"), Some("precious")]),
            (Some("precious"), true, [None, Some("made")]),
        ] {
            let _ = std::fs::remove_file(&wanted);
            there.into_iter().for_each(|text| std::fs::write(&wanted, text).unwrap());
            FILES.lock().push(path.clone());
            let unfinished = Unfinished { path: path.clone(), wanted: wanted.clone() };
            std::fs::write(&path, "made").unwrap();
            let placed = if force { unfinished.place() } else { unfinished.place_new() };
            drop(unfinished);
            assert_eq!(read(), left.map(|text| text.map(String::from)));
            assert!(!FILES.lock().contains(&path));
            if let Err(failure) = &placed {
                let told = failure.to_string();
                assert!(told.ends_with(&format!("is whole in {}", path.display())), "{told}");
            }
            assert_eq!(placed.is_err(), left[0].is_some());
        }
    }
}
