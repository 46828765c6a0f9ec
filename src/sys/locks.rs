//! Files that one process at a time may write.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Locks a file until it is closed. False if somebody else has: a file system without locks holds nobody off.
pub fn lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// For how long a lock may outlive who held it: a process that is killed while it starts another leaves the lock to that one,
/// until it has become the other program. On a busy machine 0.14 s were seen.
const LETTING_GO: Duration = Duration::from_millis(500);

/// Between two tries.
const TRY_EVERY: Duration = Duration::from_millis(10);

/// Does the same, for files of who starts other programs: somebody who has locked it is given half a second to let go.
pub fn lock_soon(file: &File) -> bool {
    let begun = Instant::now();
    lock_while(file, || {
        std::thread::sleep(TRY_EVERY);
        begun.elapsed() < LETTING_GO
    })
}

/// Tries it as long as `goes_on` says so, which is asked behind each try that failed.
fn lock_while(file: &File, mut goes_on: impl FnMut() -> bool) -> bool {
    while !lock(file) {
        if !goes_on() {
            return false;
        }
    }
    true
}

/// True if somebody has locked a file, as who writes it does. One that cannot be opened is for others to tell.
pub fn is_locked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// A hold on what a file stands for: it is there and locked as long as the value lives, and then removed.
#[must_use]
#[derive(Debug)]
pub struct Held {
    path: PathBuf,
    /// Unlocked when it is closed, behind the removal.
    _locked: File,
}

impl Held {
    /// Makes the file if it is not there, and locks it. `None` if somebody else holds it.
    ///
    /// # Errors
    /// If it cannot be made, or has something in it: then it is no lock, but somebody's file, which would be removed.
    pub fn new(path: &Path) -> io::Result<Option<Held>> {
        loop {
            let file = File::options().create(true).write(true).truncate(false).open(path)?;
            if file.metadata()?.len() > 0 {
                return Err(io::Error::new(
                    io::ErrorKind::AlreadyExists,
                    "this is a file with something in it, no lock",
                ));
            }
            if !lock(&file) {
                return Ok(None);
            }
            // Between opening and locking it who held it may have removed it.
            if is_called(&file, path)? {
                return Ok(Some(Held { path: path.to_path_buf(), _locked: file }));
            }
        }
    }

    /// Keeps other runs that ask for the same lock from writing a file.
    ///
    /// # Errors
    /// In words, if another run is writing it, or for the reasons above.
    pub fn of_file(lock: &Path, file: &Path) -> Result<Held, String> {
        let held = Held::new(lock).map_err(|error| format!("{}: {error}", lock.display()))?;
        held.ok_or_else(|| format!("another run is writing {} ({})", file.display(), lock.display()))
    }
}

/// True if an open file still has this name: between opening and locking it, who held it may have given it another.
///
/// # Errors
/// If the system does not tell.
#[cfg(unix)]
pub fn is_called(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (open, there) = match (file.metadata()?, std::fs::metadata(path)) {
        (_, Err(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        (open, there) => (open, there?),
    };
    Ok((open.dev(), open.ino()) == (there.dev(), there.ino()))
}

/// Not looked at here: an open file may have been renamed or removed all the same.
#[cfg(not(unix))]
pub fn is_called(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    #[test]
    fn a_lock_is_seen_from_outside_and_not_by_another_reader() {
        let folder = Scratch::new();
        let path = folder.join("held");
        assert!(!is_locked(&path));
        let file = File::create(&path).unwrap();
        assert!(!is_locked(&path));
        assert!(lock(&file) && is_locked(&path));
        drop(file);
        let reader = File::open(&path).unwrap();
        reader.lock_shared().unwrap();
        assert!(!is_locked(&path));
    }

    #[test]
    fn a_lock_that_is_let_go_soon_is_waited_for() {
        let folder = Scratch::new();
        let path = folder.join("held");
        let holder = File::create(&path).unwrap();
        assert!(lock(&holder));
        let file = File::open(&path).unwrap();
        let (mut holder, mut tries) = (Some(holder), 0);
        assert!(lock_while(&file, || {
            tries += 1;
            if tries == 3 {
                holder = None;
            }
            tries < 5
        }));
        assert_eq!(tries, 3);
        assert!(!lock_soon(&File::open(&path).unwrap()), "somebody who stays is not waited for without end");
    }

    #[test]
    fn what_has_been_removed_is_no_hold() {
        let folder = Scratch::new();
        let path = folder.join("held");
        let open = || File::options().create(true).write(true).truncate(false).open(&path).unwrap();
        let removed = open();
        assert!(is_called(&removed, &path).unwrap());
        std::fs::remove_file(&path).unwrap();
        assert!(!is_called(&removed, &path).unwrap());
        let anew = open();
        assert!(is_called(&anew, &path).unwrap() && !is_called(&removed, &path).unwrap());
        let held = Held::new(&path).unwrap();
        assert!(held.is_some() && Held::new(&path).unwrap().is_none());
        let told = Held::of_file(&path, Path::new("network")).unwrap_err();
        assert_eq!(told, format!("another run is writing network ({})", path.display()));
        drop(held);
        assert!(!path.exists());
        // What has something in it is somebody's, and stays.
        std::fs::write(&path, b"a file").unwrap();
        let refused = Held::new(&path);
        let kept = std::fs::read(&path);
        assert!(refused.is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists));
        assert_eq!(kept.unwrap(), b"a file");
    }
}
