//! The file of a command while it is made.

use crate::cli::Failure;
use crate::cli::unfinished::{self, Unfinished};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The file while it is made, under another name, so that nobody finds half of it.
pub(super) struct Output {
    made: Unfinished,
    file: File,
}

impl Output {
    /// Begins the file that is `wanted`, which stays as it is until [`Output::finish`].
    pub(super) fn create(wanted: &Path) -> Result<Output, Failure> {
        let made = Unfinished::of(unfinished::target(wanted)?);
        let file = File::create(made.path()).map_err(|error| made.failed(&error))?;
        Ok(Output { made, file })
    }

    /// Writes all of it, and puts it in its place.
    pub(super) fn finish(
        self,
        write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(&self.file);
        // What else it says has words of its own.
        write(&mut out)
            .map_err(|error| if error.is::<io::Error>() { self.made.failed(&error) } else { error })?;
        out.flush().map_err(|error| self.made.failed(&error))?;
        drop(out);
        self.file.sync_all().map_err(|error| self.made.failed(&error))?;
        self.made.place()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    #[test]
    fn what_is_there_stays_until_all_is_written() {
        let folder = Scratch::new();
        let file = folder.join("book.bin");
        std::fs::write(&file, "old").unwrap();
        let read = || std::fs::read_to_string(&file).unwrap();
        let output = Output::create(&file).unwrap();
        assert_eq!(read(), "old");
        let failed = output.finish(|out| {
            out.write_all(b"half")?;
            Err("no more".into())
        });
        assert_eq!((failed.unwrap_err().to_string().as_str(), read().as_str()), ("no more", "old"));
        Output::create(&file).unwrap().finish(|out| Ok(out.write_all(b"new")?)).unwrap();
        assert_eq!(read(), "new");
    }
}
