//! What can be wrong with a data file.

use crate::sys::files::reason;
use std::fmt;
use std::io;

/// Why data could not be read or written. Every kind names the file.
#[derive(Debug)]
pub enum DataError {
    /// The system refused.
    Io {
        /// The file.
        file: String,
        /// What it said.
        error: io::Error,
    },
    /// Not a file of this kind.
    Foreign {
        /// The file.
        file: String,
    },
    /// A file of this kind in another version.
    Version {
        /// The file.
        file: String,
        /// Its version.
        found: u16,
    },
    /// The header is damaged or cut off.
    Header {
        /// The file.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// A block is damaged or cut off; those before it, and any after it, can be read.
    Block {
        /// The file.
        file: String,
        /// Where the block begins, in bytes.
        offset: u64,
        /// What is wrong.
        what: String,
    },
    /// Its name has been taken from a file that is being written.
    Taken {
        /// The file.
        file: String,
        /// What has become of its games.
        what: String,
    },
    /// The file cannot be continued.
    Resume {
        /// The file.
        file: String,
        /// Why.
        what: String,
    },
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataError::Io { file, error } => write!(f, "{file}: {}", reason(error)),
            DataError::Foreign { file } => {
                write!(f, "{file} is no file of self-play games: it does not begin with 'AdoubeGD'")
            }
            DataError::Version { file, found } => write!(
                f,
                "{file} has version {found} of the format, this program reads version {}",
                super::header::VERSION
            ),
            DataError::Header { file, what } => write!(f, "{file}: the header is damaged: {what}"),
            DataError::Block { file, offset, what } => {
                write!(f, "{file}: the block at byte {offset} is damaged: {what}")
            }
            DataError::Taken { file, what } => write!(f, "{file}: {what}"),
            DataError::Resume { file, what } => write!(f, "{file} cannot be continued: {what}"),
        }
    }
}

impl std::error::Error for DataError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            DataError::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
