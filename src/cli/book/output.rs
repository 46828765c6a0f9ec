//! The file of a command while it is made.

use crate::cli::Failure;
use crate::cli::unfinished::{self, Unfinished};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The file while it is made, under another name, so that nobody finds half of it.
pub(super) struct Output {
    wanted: PathBuf,
    temporary: Unfinished,
    file: File,
}

impl Output {
    /// Begins the file that is `wanted`, which stays as it is until [`Output::finish`].
    pub(super) fn create(wanted: &Path) -> Result<Output, Failure> {
        let wanted = unfinished::target(wanted)?;
        let temporary = Unfinished::of(&wanted);
        let file = File::create(temporary.path())
            .map_err(|error| format!("{} cannot be written: {error}", wanted.display()))?;
        Ok(Output { wanted, temporary, file })
    }

    /// Writes all of it, and puts it in its place.
    pub(super) fn finish(
        self,
        write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(&self.file);
        write(&mut out)?;
        out.flush()?;
        drop(out);
        self.file.sync_all()?;
        std::fs::rename(self.temporary.path(), &self.wanted)
            .map_err(|error| format!("{} cannot be written: {error}", self.wanted.display()))?;
        Ok(())
    }
}
