//! By what a text or a file is known again.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// By what a text is known again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Fingerprint {
    /// In bytes.
    pub size: u64,
    /// CRC-32.
    pub crc: u32,
}

impl Fingerprint {
    /// Of a text.
    pub fn of(text: &[u8]) -> Fingerprint {
        Fingerprint { size: text.len() as u64, crc: crc32fast::hash(text) }
    }

    /// Of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Fingerprint> {
        let mut file = File::open(path)?;
        let mut hasher = crc32fast::Hasher::new();
        let mut block = vec![0; 1 << 16];
        let mut size = 0;
        loop {
            match file.read(&mut block)? {
                0 => return Ok(Fingerprint { size, crc: hasher.finalize() }),
                count => {
                    hasher.update(&block[..count]);
                    size += count as u64;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    #[test]
    fn a_file_is_known_by_its_text() {
        let folder = Scratch::new();
        let path = folder.join("text");
        let text = "123456789".repeat(20_000);
        std::fs::write(&path, &text).unwrap();
        assert_eq!(Fingerprint::of_file(&path).unwrap(), Fingerprint::of(text.as_bytes()));
        // The check value of this CRC.
        assert_eq!(Fingerprint::of(b"123456789"), Fingerprint { size: 9, crc: 0xcbf4_3926 });
    }
}
