//! What is read: a file, or the standard input.

use super::{Failure, wrong_usage};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A file that `subcommand` is to read, with its name for messages; the standard input if it is `-`, or if there is none.
pub(super) fn open(file: Option<&Path>, subcommand: &str) -> Result<(String, Box<dyn Read>), Failure> {
    let Some(file) = file.filter(|file| *file != Path::new("-")) else {
        return Ok(("standard input".into(), Box::new(io::stdin())));
    };
    let name = file.display().to_string();
    if file.is_dir() {
        return Err(wrong_usage(subcommand, format!("{name} is a folder: expected a file")));
    }
    let input = File::open(file).map_err(|error| format!("{name}: {error}"))?;
    Ok((name, Box::new(input)))
}
