//! Files that somebody names.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The path of a file without links, which may be there or be made.
///
/// # Errors
/// If the system cannot tell the folder that this process is in.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    let made = || {
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    };
    fs::canonicalize(path).or_else(|_| made().map_or_else(|| std::path::absolute(path), Ok))
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_to_be_made_is_one_by_whatever_link_its_folder_is_named() {
        let folder = std::env::temp_dir().join(format!("adoube-files-{}", std::process::id()));
        fs::create_dir_all(folder.join("real")).unwrap();
        std::os::unix::fs::symlink("real", folder.join("link")).unwrap();
        let [one, other] = ["real", "link"].map(|name| real_path(&folder.join(name).join("new")).unwrap());
        let here = real_path(Path::new("no such file")).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(one, other);
        assert!(one.ends_with("real/new") && here.is_absolute());
    }
}
