//! Values that arguments of several subcommands have.

use super::{Failure, tell};
use crate::openings::{Format, OpeningsConfig, Suite};
use std::path::PathBuf;

/// A share from 0 to 1, in thousandths.
pub(super) fn share(text: &str) -> Result<u64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    let share: f64 = share.ok_or("a share is a number from 0 to 1")?;
    let thousandths = 1_000.0 * share;
    // What a user asks for is not rounded away.
    if (thousandths - thousandths.round()).abs() > 1e-6 {
        return Err("a share has at most three decimal places".into());
    }
    Ok(thousandths.round() as u64)
}

/// A file of openings whose name tells the format.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct OpeningsFile {
    pub(super) path: PathBuf,
    format: Format,
}

impl OpeningsFile {
    pub(super) fn of(path: PathBuf) -> Result<OpeningsFile, String> {
        match Format::of_file(&path) {
            Some(format) => Ok(OpeningsFile { path, format }),
            None => Err(format!(
                "{}: the name does not tell the format; it ends in .epd, .fen, .txt, .pgn or .bin",
                path.display()
            )),
        }
    }
}

/// A file of openings, all of them.
pub(super) fn open_book(file: &OpeningsFile) -> Result<Suite, Failure> {
    let config = OpeningsConfig::new(&file.path, file.format);
    let (suite, broken) = Suite::open(&config, 1, 100_000)?;
    if let Some(first) = broken.first().first() {
        let count = broken.len();
        tell(format!("{}: {count} openings are left out, first {first}", file.path.display()));
    }
    Ok(suite)
}
