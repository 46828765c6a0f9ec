//! Where the journal of a match lies.

use super::config::MatchConfig;
use crate::sys::files::with_suffix;
use std::path::{Path, PathBuf};

/// False for what is there and neither file nor folder, such as the device `/dev/null`, and on Windows for `NUL`, which cannot
/// even be looked at.
pub fn may_be_file(path: &Path) -> bool {
    let may_come = |error: std::io::Error| !cfg!(windows) || error.kind() == std::io::ErrorKind::NotFound;
    std::fs::metadata(path).map_or_else(may_come, |data| data.is_file() || data.is_dir())
}

/// Where the journal of a match is.
pub fn journal_path(config: &MatchConfig) -> PathBuf {
    let beside_pgn = || {
        let pgn = &config.pgn.as_ref()?.file;
        // Beside a device there is no place for a file.
        may_be_file(pgn).then(|| with_suffix(pgn, ".journal"))
    };
    config.journal.clone().or_else(beside_pgn).unwrap_or_else(|| PathBuf::from("adoube-match.journal"))
}

/// True if the match has no file of its own that its journal could be, or lie beside.
pub fn has_usual_journal(config: &MatchConfig) -> bool {
    config.journal.is_none() && !config.pgn.as_ref().is_some_and(|pgn| may_be_file(&pgn.file))
}

/// The journal of a match without any file of its own that was begun while others went on in the same folder: the second
/// has number 2.
pub fn numbered_journal(number: u32) -> PathBuf {
    PathBuf::from(format!("adoube-match-{number}.journal"))
}
