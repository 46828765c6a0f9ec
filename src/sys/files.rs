//! Files that somebody names.

use super::locks;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Names that differ in case alone are usually of one file here.
const CASE_IS_NOTHING: bool = cfg!(any(windows, target_vendor = "apple"));

/// True if both paths lead to one file, which may be there or be made.
pub fn is_one_file(one: &Path, other: &Path) -> bool {
    let are_one = |one: PathBuf, other: PathBuf| {
        let folded = |path: &Path| path.to_string_lossy().to_lowercase();
        one == other || CASE_IS_NOTHING && folded(&one) == folded(&other)
    };
    one == other || real_path(one).is_ok_and(|one| real_path(other).is_ok_and(|other| are_one(one, other)))
}

/// True if something has failed because this process, or all together, have as many files open as they may.
pub fn are_too_many(error: &io::Error) -> bool {
    #[cfg(unix)]
    let known = [libc::EMFILE, libc::ENFILE];
    // ERROR_TOO_MANY_OPEN_FILES.
    #[cfg(not(unix))]
    let known = [4];
    error.raw_os_error().is_some_and(|error| known.contains(&error))
}

/// What has failed with a file, in words, with what helps if too many are open.
pub fn reason(error: &io::Error) -> String {
    let helps = if are_too_many(error) { "; fewer files or a higher limit (ulimit -n) help" } else { "" };
    format!("{error}{helps}")
}

/// So many links after each other are followed, as the system does.
const MOST_LINKS: u32 = 40;

/// The path of a file without links, even if what a link leads to is not there yet.
fn real_path(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match (fs::canonicalize(&path), fs::read_link(&path)) {
            (Ok(real), _) => return Ok(real),
            (Err(_), Ok(target)) => path = path.with_file_name("").join(target),
            (Err(_), Err(_)) => break,
        }
    }
    let made = || {
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    };
    made().map_or_else(|| std::path::absolute(&path), Ok)
}

/// Sees to it that what has this name, if anything has, is an ordinary file: opening a pipe would wait for somebody at its
/// other end, and what devices give has no end.
///
/// # Errors
/// If it is something else.
pub fn must_be_ordinary(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => {
            Err(io::Error::new(ErrorKind::InvalidInput, "this is not an ordinary file"))
        }
        _ => Ok(()),
    }
}

/// True if an open file that had this name has none any more: what is in it goes when it is closed. Where the system does
/// not count a file's names it is taken to have one.
///
/// # Errors
/// If the system does not tell.
pub fn is_removed(file: &File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    let has_none = std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) == 0;
    #[cfg(not(unix))]
    let has_none = false;
    // There are file systems that count nothing.
    Ok(has_none && !locks::is_called(file, path)?)
}

/// The path with this behind the whole of its name.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

/// Which file one that is made takes the place of: what a link leads to, not the link.
///
/// # Errors
/// If something stands there that is no file, such as a device or a link that leads nowhere: it would be gone.
pub fn to_be_replaced(wanted: &Path) -> io::Result<PathBuf> {
    let kept = |what| Err(io::Error::new(ErrorKind::InvalidInput, what));
    match fs::metadata(wanted) {
        Ok(about) if about.is_file() && wanted.is_symlink() => fs::canonicalize(wanted),
        Ok(about) if about.is_file() => Ok(wanted.to_path_buf()),
        Ok(about) if about.is_dir() => kept("a folder: expected a file"),
        Ok(_) => kept("no plain file, which could be replaced"),
        Err(_) if wanted.is_symlink() => kept("a link that leads nowhere"),
        Err(_) => Ok(wanted.to_path_buf()),
    }
}

/// What a file is called while it is written.
pub fn unfinished(path: &Path) -> PathBuf {
    with_suffix(path, ".new")
}

/// Makes the file in which another is written anew. What stands there already, such as what somebody has left who was killed,
/// goes: a link is not followed, for what it leads to has nothing to do with this.
///
/// # Errors
/// If it cannot be made.
pub fn make_unfinished(path: &Path) -> io::Result<File> {
    let new = unfinished(path);
    let _ = fs::remove_file(&new);
    File::create_new(new)
}

/// Writes a file so that its name stands for the old content or the new, whatever happens.
///
/// # Errors
/// If it cannot be written; what was there remains.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &to_be_replaced(path)?;
    let new = unfinished(path);
    let write = || {
        let mut file = make_unfinished(path)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        replace(&new, path)
    };
    write().inspect_err(|_| drop(fs::remove_file(&new)))
}

/// Gives a file that is whole the name of another, and what that one allowed to whom.
///
/// # Errors
/// If it cannot have the name.
pub fn replace(new: &Path, path: &Path) -> io::Result<()> {
    if let Ok(before) = fs::metadata(path) {
        // There are file systems that know nothing of it.
        let _ = fs::set_permissions(new, before.permissions());
    }
    fs::rename(new, path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn what_a_link_leads_to_is_written_and_what_is_no_file_stays() {
        let folder = Scratch::new();
        let [real, link, nowhere] = ["real", "link", "nowhere"].map(|name| folder.join(name));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink("real", &link).unwrap();
        std::os::unix::fs::symlink("gone", &nowhere).unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(link.is_symlink() && fs::read(&real).unwrap() == b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        for kept in [&nowhere, &*folder, Path::new("/dev/null")] {
            assert!(write_whole(kept, b"new").is_err(), "{}", kept.display());
        }
        assert!(nowhere.is_symlink());
    }

    #[test]
    fn what_stands_in_the_place_of_an_unfinished_file_is_not_written_through() {
        let folder = Scratch::new();
        let [file, other] = ["file", "other"].map(|name| folder.join(name));
        for place in [&other, &file] {
            fs::write(place, "old").unwrap();
            std::os::unix::fs::symlink(place, unfinished(&file)).unwrap();
            write_whole(&file, b"new").unwrap();
            assert!(!file.is_symlink() && !unfinished(&file).is_symlink());
            assert_eq!([&file, &other].map(|path| fs::read(path).unwrap()), [b"new", b"old"]);
        }
        fs::write(unfinished(&file), "longer than that").unwrap();
        write_whole(&file, b"newer").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"newer");
    }

    #[test]
    fn who_has_too_many_files_open_is_told_what_helps() {
        let text = |code| reason(&io::Error::from_raw_os_error(code));
        assert!([libc::EMFILE, libc::ENFILE].iter().all(|&code| text(code).contains("(ulimit -n) help")));
        assert!(!text(libc::ENOENT).contains("help"));
    }

    #[test]
    fn a_file_to_be_made_is_one_by_whatever_link_its_folder_is_named() {
        let folder = Scratch::new();
        fs::create_dir_all(folder.join("real")).unwrap();
        std::os::unix::fs::symlink("real", folder.join("link")).unwrap();
        let [one, other] = ["real/new", "link/new"].map(|name| folder.join(name));
        let are_one = is_one_file(&one, &other);
        // Nor need what a link leads to be there.
        std::os::unix::fs::symlink("real/new", folder.join("early")).unwrap();
        std::os::unix::fs::symlink("early", folder.join("second")).unwrap();
        std::os::unix::fs::symlink("round", folder.join("round")).unwrap();
        let links = ["early", "second", "round"].map(|name| is_one_file(&folder.join(name), &one));
        assert_eq!(links, [true, true, false]);
        assert!(are_one && !is_one_file(&one, Path::new("new")));
        assert_eq!(is_one_file(Path::new("no such"), Path::new("No Such")), CASE_IS_NOTHING);
        assert!(is_one_file(Path::new("no such file"), &std::path::absolute("no such file").unwrap()));
    }

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let folder = Scratch::new();
        fs::create_dir_all(folder.join("taken")).unwrap();
        let file = folder.join("network.nnue");
        let kept = folder.join("kept");
        fs::write(&file, b"old").unwrap();
        // Who has opened the old file goes on reading it.
        fs::hard_link(&file, &kept).unwrap();
        let written = write_whole(&file, b"new");
        // A folder is not replaced, and nothing stays beside it.
        let refused = write_whole(&folder.join("taken"), b"new");
        // Where nothing can be written beside it the old file stays.
        fs::create_dir(unfinished(&kept)).unwrap();
        let blocked = write_whole(&kept, b"new");
        let read = [&file, &kept].map(|path| fs::read(path).unwrap());
        let mut names: Vec<_> =
            fs::read_dir(&*folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert!(written.is_ok() && refused.is_err() && blocked.is_err());
        assert_eq!(read, [b"new".to_vec(), b"old".to_vec()]);
        assert_eq!(names, ["kept", "kept.new", "network.nnue", "taken"]);
        assert_eq!(unfinished(&file), folder.join("network.nnue.new"));
    }
}
