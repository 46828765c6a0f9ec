//! A file that several threads read at any place, and that must not change meanwhile.

use crate::notation::{LONGEST_MARK, why_no_text};
use crate::sys::files::must_be_ordinary;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::time::SystemTime;

/// A file that can be read at any place through a shared reference.
pub(super) struct SharedFile {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: parking_lot::Mutex<File>,
    length: u64,
    modified: Option<SystemTime>,
}

impl SharedFile {
    pub(super) fn open(path: &Path) -> io::Result<SharedFile> {
        must_be_ordinary(path)?;
        let file = File::open(path)?;
        let about = file.metadata()?;
        let (length, modified) = (about.len(), about.modified().ok());
        #[cfg(not(unix))]
        let file = parking_lot::Mutex::new(file);
        let shared = SharedFile { file, length, modified };
        let mut beginning = [0; LONGEST_MARK];
        let count = shared.read_at(&mut beginning, 0)?;
        match why_no_text(&beginning[..count]) {
            Some(why) => Err(io::Error::new(ErrorKind::InvalidData, why)),
            None => Ok(shared),
        }
    }

    /// Its length in bytes when it was opened.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Reads what is at `offset`, at most as much as fits; 0 bytes at the end.
    #[cfg(unix)]
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        use std::os::unix::fs::FileExt;
        loop {
            match self.file.read_at(buffer, offset) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                done => return done,
            }
        }
    }

    /// Reads what is at `offset`, at most as much as fits; 0 bytes at the end.
    #[cfg(not(unix))]
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        use std::io::{Seek, SeekFrom};
        let mut file = self.file.lock();
        file.seek(SeekFrom::Start(offset))?;
        file.read(buffer)
    }

    /// The text from `offset` to the end.
    pub(super) fn reader(&self, offset: u64) -> Reader<'_> {
        Reader { file: self, offset }
    }

    /// An error if the file is no longer as it was when it was opened. A new file that takes its place under the same
    /// name does no harm: the old one stays open.
    pub(super) fn ensure_unchanged(&self) -> io::Result<()> {
        #[cfg(unix)]
        let about = self.file.metadata()?;
        #[cfg(not(unix))]
        let about = self.file.lock().metadata()?;
        if about.len() == self.length && about.modified().ok() == self.modified {
            return Ok(());
        }
        let what = match about.len().cmp(&self.length) {
            std::cmp::Ordering::Less => "has become shorter",
            std::cmp::Ordering::Equal => "was written to",
            std::cmp::Ordering::Greater => "has become longer",
        };
        Err(io::Error::new(ErrorKind::InvalidData, format!("the file {what} since it was opened")))
    }

    /// The line on which the byte at `offset` stands, from 1. Lines may end with a carriage return alone, as in old files.
    pub(super) fn line_at(&self, offset: u64) -> io::Result<u64> {
        let mut block = [0; 1 << 14];
        let mut reader = self.reader(0).take(offset);
        let (mut line, mut before) = (1, 0);
        loop {
            let count = reader.read(&mut block)?;
            if count == 0 {
                return Ok(line);
            }
            for &byte in &block[..count] {
                line += u64::from(byte == b'\r' || byte == b'\n' && before != b'\r');
                before = byte;
            }
        }
    }
}

/// Reads on from some place.
pub(super) struct Reader<'a> {
    file: &'a SharedFile,
    offset: u64,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.offset)?;
        self.offset += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    #[test]
    fn lines_end_as_they_do_for_the_reader_of_games() {
        let folder = Scratch::new();
        let path = folder.join("games.pgn");
        for (text, lines) in [("a\nb\nc", 3), ("a\rb\rc", 3), ("a\r\nb\r\nc", 3), ("a\r\r\nb\n\nc", 5)] {
            std::fs::write(&path, text).unwrap();
            let offset = text.len() as u64 - 1;
            assert_eq!(SharedFile::open(&path).unwrap().line_at(offset).unwrap(), lines, "{text:?}");
        }
    }
}
