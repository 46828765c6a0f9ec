//! The files that are made from the journal: PGN, and the last positions in EPD.

use super::fingerprint::Fingerprint;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why a file cannot be written.
#[derive(Debug)]
pub struct OutputError(PathBuf, io::Error);

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}: {}", self.0.display(), self.1)
    }
}

impl std::error::Error for OutputError {}

/// A file that games are added to.
#[derive(Debug)]
pub struct Output {
    file: File,
    path: PathBuf,
}

impl Output {
    /// Opens a file to add to, or to replace, and makes it if it is not there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(path: &Path, append: bool) -> Result<Output, OutputError> {
        let failed = |error| OutputError(path.to_path_buf(), error);
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        let mut output = Output { file, path: path.to_path_buf() };
        let size = output.size()?;
        // Not asked of what is no plain file, such as a pipe, which cannot be cut.
        if !append && size > 0 {
            output.cut(size)?;
        }
        Ok(output)
    }

    /// How much is in it, in bytes.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn size(&self) -> Result<u64, OutputError> {
        self.file.metadata().map(|data| data.len()).map_err(|error| OutputError(self.path.clone(), error))
    }

    /// Adds a text.
    ///
    /// # Errors
    /// If it cannot be written whole.
    pub fn add(&mut self, text: &str) -> Result<(), OutputError> {
        self.file.write_all(text.as_bytes()).map_err(|error| OutputError(self.path.clone(), error))
    }

    /// After a stop: how many of these texts, which were added one after the other from `start` on, are in the file as
    /// they were, and what stands behind the last of them.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn find(
        &self,
        start: u64,
        texts: impl Iterator<Item = Fingerprint>,
    ) -> Result<(usize, Vec<u8>), OutputError> {
        let failed = |error| OutputError(self.path.clone(), error);
        let mut file = File::open(&self.path).map_err(failed)?;
        if start > file.metadata().map_err(failed)?.len() {
            // Another file, or one that was cut: nothing of ours is known to be in it.
            return Ok((0, vec![]));
        }
        file.seek(SeekFrom::Start(start)).map_err(failed)?;
        let mut reader = BufReader::new(file);
        let mut whole = 0;
        let mut bytes = vec![];
        for text in texts {
            reader.by_ref().take(text.size).read_to_end(&mut bytes).map_err(failed)?;
            if bytes.len() as u64 != text.size || crc32fast::hash(&bytes) != text.crc {
                break;
            }
            whole += 1;
            bytes.clear();
        }
        reader.read_to_end(&mut bytes).map_err(failed)?;
        Ok((whole, bytes))
    }

    /// Moves its last bytes, which are these, to the end of a file beside it: where. What they are nobody knows here, but
    /// nothing is thrown away.
    ///
    /// # Errors
    /// If that file cannot be written, or this one not be cut.
    pub fn move_out(&mut self, bytes: &[u8]) -> Result<PathBuf, OutputError> {
        let mut name = self.path.clone().into_os_string();
        name.push(".cut");
        let place = PathBuf::from(name);
        Output::open(&place, true)?
            .file
            .write_all(bytes)
            .map_err(|error| OutputError(place.clone(), error))?;
        self.cut(bytes.len() as u64)?;
        Ok(place)
    }

    /// Cuts so many bytes off the end.
    fn cut(&mut self, bytes: u64) -> Result<(), OutputError> {
        let failed = |error| OutputError(self.path.clone(), error);
        // A file that is opened only to be added to cannot be cut on every system.
        let file = OpenOptions::new().write(true).open(&self.path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        file.set_len(size.saturating_sub(bytes)).map_err(failed)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found() {
        let path = std::env::temp_dir().join(format!("adoube-output-{}", std::process::id()));
        let texts = ["one", "THREE", "tw"].map(Fingerprint::of);
        let find = |content: &str| {
            std::fs::write(&path, content).unwrap();
            let (whole, rest) = Output::open(&path, true).unwrap().find(4, texts.into_iter()).unwrap();
            (whole, String::from_utf8(rest).unwrap())
        };
        assert_eq!(find("old oneTHREEtw"), (3, String::new()));
        assert_eq!(find("old oneTHREEtwmore"), (3, "more".into()));
        assert_eq!(find("old oneTHREEt"), (2, "t".into()));
        assert_eq!(find("old oneTHRONG"), (1, "THRONG".into()));
        assert_eq!(find("old "), (0, String::new()));
        assert_eq!(find("ol"), (0, String::new()));
        std::fs::write(&path, "old oneT").unwrap();
        let place = Output::open(&path, true).unwrap().move_out(b"T").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old one");
        assert_eq!(std::fs::read_to_string(&place).unwrap(), "T");
        std::fs::remove_file(&place).unwrap();
        drop(Output::open(&path, false).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
        std::fs::remove_file(&path).unwrap();
    }
}
