//! Files that one process at a time may write.

use std::fs::{File, TryLockError};

/// Locks a file until it is closed. False if somebody else has: a file system without locks holds nobody off.
pub fn lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}
