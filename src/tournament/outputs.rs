//! The files that are made from the journal: PGN, and the last positions in EPD.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
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
        // Not asked of what is no plain file, such as a pipe, which cannot be cut.
        if !append && file.metadata().map_err(failed)?.len() > 0 {
            file.set_len(0).map_err(failed)?;
        }
        Ok(Output { file, path: path.to_path_buf() })
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

    /// After a stop: cuts off what was torn, and tells how many of the texts, which were added one after the other from
    /// `start` on and have these `sizes`, are in the file. A file that has become shorter than `start` is added to as it
    /// is, and has none of them.
    ///
    /// # Errors
    /// If the file cannot be cut.
    pub fn mend(&mut self, start: u64, sizes: impl Iterator<Item = u64>) -> Result<usize, OutputError> {
        let size = self.size()?;
        let mut end = start;
        let mut whole = 0;
        for length in sizes {
            if end + length > size {
                break;
            }
            end += length;
            whole += 1;
        }
        // What stands behind the last text is one that the journal has too, torn.
        if end < size && size > start {
            self.file.set_len(end).map_err(|error| OutputError(self.path.clone(), error))?;
        }
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_file_is_mended() {
        let path = std::env::temp_dir().join(format!("adoube-output-{}", std::process::id()));
        let mend = |content: &str| {
            std::fs::write(&path, content).unwrap();
            let mut output = Output::open(&path, true).unwrap();
            let whole = output.mend(4, [3, 5, 2].into_iter()).unwrap();
            (whole, std::fs::read_to_string(&path).unwrap())
        };
        assert_eq!(mend("old oneTHREEtw"), (3, "old oneTHREEtw".to_string()));
        assert_eq!(mend("old oneTHREEt"), (2, "old oneTHREE".to_string()));
        assert_eq!(mend("old oneT"), (1, "old one".to_string()));
        assert_eq!(mend("old "), (0, "old ".to_string()));
        assert_eq!(mend("ol"), (0, "ol".to_string()));
        drop(Output::open(&path, false).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
        std::fs::remove_file(&path).unwrap();
    }
}
