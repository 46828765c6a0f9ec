//! Files in the making, which nobody is to find half of.

use super::{Failure, tell};
use crate::sys::files::with_suffix;
use crate::sys::signals;
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// Those that there are.
static FILES: Mutex<Vec<PathBuf>> = Mutex::new(vec![]);
static WATCH: Once = Once::new();

/// Which file is replaced by one that is made: what a link leads to, not the link.
///
/// # Errors
/// If something stands there that is no file, such as a device or a link that leads nowhere: it would be gone.
pub(super) fn target(wanted: &Path) -> Result<PathBuf, Failure> {
    match std::fs::metadata(wanted) {
        Ok(about) if about.is_file() && wanted.is_symlink() => Ok(std::fs::canonicalize(wanted)?),
        Ok(about) if about.is_file() => Ok(wanted.to_path_buf()),
        Ok(about) if about.is_dir() => {
            Err(format!("{} is a folder: expected a file", wanted.display()).into())
        }
        Ok(_) => Err(format!("{} is no plain file, which could be replaced", wanted.display()).into()),
        Err(_) if wanted.is_symlink() => {
            Err(format!("{} is a link that leads nowhere", wanted.display()).into())
        }
        Err(_) => Ok(wanted.to_path_buf()),
    }
}

/// A file that goes with this value, or with the process if it is asked to end, unless it has another name by then.
pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    /// The file that is `wanted` later. Nothing is made yet.
    pub(super) fn of(wanted: &Path) -> Unfinished {
        WATCH.call_once(|| {
            let interrupts = signals::interrupts();
            let watch = move || {
                if interrupts.recv().is_ok() {
                    // The lock stays, so that no other is begun.
                    let files = FILES.lock();
                    files.iter().for_each(|file| drop(std::fs::remove_file(file)));
                    tell("stopped; nothing is written");
                    std::process::exit(130);
                }
            };
            // Where no thread can be had nobody hears what a signal asks for.
            let _ = std::thread::Builder::new().name("stop".into()).spawn(watch);
        });
        let file = with_suffix(wanted, &format!(".{}.part", std::process::id()));
        FILES.lock().push(file.clone());
        Unfinished(file)
    }

    /// Its name until it is finished.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        FILES.lock().retain(|file| *file != self.0);
        let _ = std::fs::remove_file(&self.0);
    }
}
