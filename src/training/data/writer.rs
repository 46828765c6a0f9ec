//! Writing a file: whole blocks only, so that it can be continued whatever stopped it.

use super::{Block, DataError, DataReader, GAMES_PER_BLOCK, Origin, SelfplayGame};
use crate::sys::{files, locks};
use serde_json::Value;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Error, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Writes games in their order, block by block.
pub struct DataWriter {
    output: File,
    path: PathBuf,
    file: String,
    /// Games not yet written.
    waiting: Vec<SelfplayGame>,
    /// Games in the blocks before `end`.
    written: u64,
    /// Where the next block begins, in bytes.
    end: u64,
    /// How long we have left the file: behind `end` stands a short block if there is one.
    length: u64,
}

impl fmt::Debug for DataWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataWriter").field("file", &self.file).finish_non_exhaustive()
    }
}

/// What a file that is continued has already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Resumed {
    /// Games.
    pub games: u64,
    /// Plies of all of them.
    pub plies: u64,
    /// Quiet positions of all of them.
    pub quiet: u64,
    /// Bytes of a block that was not whole and has been cut off.
    pub cut: u64,
}

impl DataWriter {
    /// Makes a file, or empties the one that is there.
    ///
    /// # Errors
    /// If the system refuses, somebody else is writing the file, or nobody could read its header for its length.
    pub fn create(path: &Path, origin: &Origin) -> Result<DataWriter, DataError> {
        let file = path.display().to_string();
        let failed = |error| DataError::Io { file: file.clone(), error };
        if !origin.fits() {
            let what = "too much is to be said about where its games come from";
            return Err(failed(Error::new(ErrorKind::InvalidInput, what)));
        }
        // Emptied only when nobody else has it.
        let mut output = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(failed)?;
        lock(&output, &file)?;
        output.set_len(0).map_err(failed)?;
        let header = origin.to_bytes();
        output.write_all(&header).map_err(failed)?;
        let (path, end) = (path.to_path_buf(), header.len() as u64);
        Ok(DataWriter { output, path, file, waiting: vec![], written: 0, end, length: end })
    }

    /// Continues a file behind its last whole block. The last block, if it has fewer games than others, is filled up, so
    /// that the bytes are those of a file that was written without a break.
    ///
    /// # Errors
    /// If it is no such file, or has another origin, or is damaged elsewhere than at its end, or somebody else is writing
    /// it.
    pub fn resume(path: &Path, origin: &Origin) -> Result<(DataWriter, Resumed), DataError> {
        let file = path.display().to_string();
        let failed = |error| DataError::Io { file: file.clone(), error };
        let refused = |what: String| DataError::Resume { file: file.clone(), what };
        let output = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
        lock(&output, &file)?;
        // By the same opening of the file: elsewhere a lock keeps all others from reading too.
        let input = BufReader::new(output.try_clone().map_err(failed)?);
        let mut reader = DataReader::new(input, file.clone())?;
        if reader.origin() != origin {
            return Err(refused(format!(
                "it was made in another way; it has {}, this would be {}",
                beside(&reader.origin().0, &origin.0),
                beside(&origin.0, &reader.origin().0)
            )));
        }
        let mut resumed = Resumed::default();
        let mut damage = None;
        let mut last: Option<Block> = None;
        while let Some(block) = reader.next_block() {
            match block {
                Err(error @ DataError::Block { .. }) if damage.is_none() => damage = Some(error),
                Err(error) => return Err(error),
                Ok(_) if let Some(damage) = damage => {
                    return Err(refused(format!(
                        "there are whole blocks behind a damaged one ({damage}); 'adoube data filter --skip-damaged' saves \
                         them in another file"
                    )));
                }
                Ok(block) if block.head.first != resumed.games => {
                    let (found, expected) = (block.head.first, resumed.games);
                    return Err(refused(format!("a block begins with game {found} instead of {expected}")));
                }
                Ok(block) => {
                    resumed.games += u64::from(block.head.games);
                    resumed.plies += u64::from(block.head.plies);
                    resumed.quiet += u64::from(block.head.quiet);
                    last = Some(block);
                }
            }
        }
        let end = reader.whole();
        resumed.cut = output.metadata().map_err(failed)?.len() - end;
        output.set_len(end).map_err(failed)?;
        let path = path.to_path_buf();
        let mut writer =
            DataWriter { output, path, file, waiting: vec![], written: resumed.games, end, length: end };
        if let Some(short) = last.filter(|last| (last.head.games as usize) < GAMES_PER_BLOCK) {
            writer.waiting = short.games().map_err(|what| writer.refused(what))?;
            writer.written = short.head.first;
            writer.end -= short.head.size();
        }
        Ok((writer, resumed))
    }

    fn failed(&self, error: Error) -> DataError {
        DataError::Io { file: self.file.clone(), error }
    }

    fn refused(&self, what: String) -> DataError {
        DataError::Resume { file: self.file.clone(), what }
    }

    /// Adds a game; its moves must be legal. A block is written when it is full.
    ///
    /// # Errors
    /// As for [`DataWriter::finish_block`].
    pub fn push(&mut self, game: SelfplayGame) -> Result<(), DataError> {
        self.waiting.push(game);
        if self.waiting.len() >= GAMES_PER_BLOCK { self.finish_block() } else { Ok(()) }
    }

    /// Writes the games that wait as a block; a short one, if there are few.
    ///
    /// # Errors
    /// If the system refuses, or somebody has removed the file, given it another name or changed its length.
    pub fn finish_block(&mut self) -> Result<(), DataError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let block = Block::of(self.written, &self.waiting);
        self.write(&block.to_bytes()).map_err(|error| self.failed(error))?;
        self.written += self.waiting.len() as u64;
        self.waiting.clear();
        self.look()
    }

    /// Writes the games that wait as a short block, over which the next one is written with more of them: the file has all
    /// that was pushed, and in the end the bytes of one that was written without this.
    ///
    /// # Errors
    /// As for [`DataWriter::finish_block`].
    pub fn save(&mut self) -> Result<(), DataError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let begin = self.end;
        let block = Block::of(self.written, &self.waiting);
        self.write(&block.to_bytes()).map_err(|error| self.failed(error))?;
        self.end = begin;
        self.look()
    }

    /// Sees to it that what has been written can be found.
    ///
    /// # Errors
    /// If the file's name is gone, or leads elsewhere by now.
    fn look(&self) -> Result<(), DataError> {
        let failed = |error| self.failed(error);
        if locks::is_called(&self.output, &self.path).map_err(failed)? {
            return Ok(());
        }
        let found = fs::symlink_metadata(&self.path);
        // Over a network a file that is removed has a name until it is closed, so where ours is free it may be gone soon.
        let is_free = found.is_err_and(|error| error.kind() == ErrorKind::NotFound);
        let what = if !is_free && !files::is_removed(&self.output, &self.path).map_err(failed)? {
            "its name leads elsewhere by now; its games are where it was moved to".to_string()
        } else {
            let place = if is_free { self.path.clone() } else { files::with_suffix(&self.path, ".saved") };
            match (self.write_again(&place), place.display()) {
                (Ok(()), place) => {
                    format!("somebody has removed or renamed it; all games that it had are in {place}")
                }
                (Err(error), place) => {
                    format!("somebody has removed or renamed it, and {place} cannot be written: {error}")
                }
            }
        };
        Err(DataError::Taken { file: self.file.clone(), what })
    }

    /// Puts what is in the file into another, which must not be there.
    fn write_again(&self, place: &Path) -> io::Result<()> {
        let mut again = File::create_new(place)?;
        (&self.output).seek(SeekFrom::Start(0))?;
        io::copy(&mut (&self.output).take(self.length), &mut again)?;
        again.sync_all()
    }

    /// How long the file is, which nobody but us may have changed: what is put behind a gap is lost.
    fn unchanged_length(&self) -> io::Result<u64> {
        let (was, is) = (self.length, self.output.metadata()?.len());
        match is == was {
            true => Ok(is),
            false => Err(Error::other(format!("somebody has changed it: it had {was} bytes and has {is}"))),
        }
    }

    /// Writes a block at the end, over a short one that it continues if there is one.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let before = self.unchanged_length()?;
        let over = before.saturating_sub(self.end).min(bytes.len() as u64);
        let (head, tail) = bytes.split_at(over as usize);
        // What needs room comes first: on a full disk the short block still stands.
        let written = self.put(tail, self.end + over);
        if written.is_err() {
            self.output.set_len(before)?;
        }
        written?;
        self.put(head, self.end)?;
        self.end += bytes.len() as u64;
        self.length = self.end;
        self.output.set_len(self.end)
    }

    fn put(&mut self, bytes: &[u8], place: u64) -> io::Result<()> {
        self.output.seek(SeekFrom::Start(place))?;
        self.output.write_all(bytes)
    }

    /// Writes what waits and hands all of it to the disk.
    ///
    /// # Errors
    /// As for [`DataWriter::finish_block`].
    pub fn finish(mut self) -> Result<(), DataError> {
        self.finish_block()?;
        self.output.sync_all().and_then(|()| self.unchanged_length()).map_err(|error| self.failed(error))?;
        self.look()
    }
}

/// Keeps others from writing the file.
fn lock(output: &File, file: &str) -> Result<(), DataError> {
    if locks::lock(output) {
        return Ok(());
    }
    let error = Error::new(ErrorKind::ResourceBusy, "another program is writing it");
    Err(DataError::Io { file: file.into(), error })
}

/// What an origin, or a part of it, says that another does not.
fn beside(one: &Value, other: &Value) -> Value {
    let (Some(fields), Some(others)) = (one.as_object(), other.as_object()) else { return one.clone() };
    let differ = fields.iter().filter(|(key, value)| others.get(*key) != Some(*value));
    let part = |(key, value): (&String, &Value)| {
        (key.clone(), beside(value, others.get(key).unwrap_or(&Value::Null)))
    };
    Value::Object(differ.map(part).collect())
}
