//! Files that somebody names.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

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
