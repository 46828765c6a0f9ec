//! Reading a file, past what is damaged.

use super::block::{HEAD, MAGIC};
use super::{Block, DataError, Origin, SelfplayGame};
use crate::sys::files::must_be_ordinary;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Reads games in their order. What is damaged gives an error, and the next call goes on behind it.
pub struct DataReader<R> {
    input: R,
    file: String,
    origin: Origin,
    /// Where the next block should begin.
    offset: u64,
    /// Where the last good block ended, or the header.
    whole: u64,
    ended: bool,
    games: std::vec::IntoIter<SelfplayGame>,
    /// The number of the game that comes next, if it is of the same block.
    next: u64,
}

impl<R> fmt::Debug for DataReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataReader").field("file", &self.file).finish_non_exhaustive()
    }
}

impl DataReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, is something else, of another version, or has a damaged header.
    pub fn open(path: &Path) -> Result<DataReader<BufReader<File>>, DataError> {
        let file = path.display().to_string();
        match must_be_ordinary(path).and_then(|()| File::open(path)) {
            Ok(opened) => DataReader::new(BufReader::with_capacity(1 << 17, opened), file),
            Err(error) => Err(DataError::Io { file, error }),
        }
    }
}

impl<R: Read + Seek> DataReader<R> {
    /// Reads from `input`, which errors call `file`.
    ///
    /// # Errors
    /// As for [`DataReader::open`].
    pub fn new(mut input: R, file: String) -> Result<DataReader<R>, DataError> {
        let (origin, length) = Origin::read(&mut input, &file)?;
        let games = vec![].into_iter();
        Ok(DataReader { input, file, origin, offset: length, whole: length, ended: false, games, next: 0 })
    }

    /// Where the games come from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Where the last good block read so far ended, in bytes.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// The number in the file, from 0, of the game that came last, whatever was left out before it; 0 before the first.
    pub fn number(&self) -> u64 {
        self.next.saturating_sub(1)
    }

    /// The next block, without its games being looked at; for several threads to decode. Not to be mixed with the
    /// iterator over games.
    pub fn next_block(&mut self) -> Option<Result<Block, DataError>> {
        if self.ended {
            return None;
        }
        let offset = self.offset;
        match self.block_at(offset) {
            Ok(None) => {
                self.ended = true;
                None
            }
            Ok(Some(Ok(block))) => {
                self.offset = offset + block.head.size();
                self.whole = self.offset;
                Some(Ok(block))
            }
            Ok(Some(Err(what))) => {
                let found = self.find_block(offset + 1);
                let damage = DataError::Block { file: self.file.clone(), offset, what };
                Some(Err(match found {
                    Ok(next) => {
                        self.ended = next.is_none();
                        self.offset = next.unwrap_or(offset);
                        damage
                    }
                    Err(error) => self.failed(error),
                }))
            }
            Err(error) => Some(Err(self.failed(error))),
        }
    }

    fn failed(&mut self, error: io::Error) -> DataError {
        self.ended = true;
        DataError::Io { file: self.file.clone(), error }
    }

    /// The block at `offset`: nothing at the end of the file, or what is wrong.
    #[allow(clippy::type_complexity)]
    fn block_at(&mut self, offset: u64) -> io::Result<Option<Result<Block, String>>> {
        self.input.seek(SeekFrom::Start(offset))?;
        let mut head = vec![];
        self.input.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        if head.is_empty() {
            return Ok(None);
        }
        let Some(bytes) = head.first_chunk() else {
            return Ok(Some(Err(format!("it is cut off after {} bytes of its head", head.len()))));
        };
        let (head, crc) = match Block::head_of(bytes) {
            Ok(found) => found,
            Err(what) => return Ok(Some(Err(what))),
        };
        let mut payload = vec![];
        self.input.by_ref().take(head.stored.into()).read_to_end(&mut payload)?;
        Ok(Some(Block::checked(head, crc, payload)))
    }

    /// Where the first good block at or after `from` begins.
    fn find_block(&mut self, from: u64) -> io::Result<Option<u64>> {
        const WINDOW: u64 = 1 << 16;
        let mut window_at = from;
        loop {
            self.input.seek(SeekFrom::Start(window_at))?;
            let mut window = vec![];
            self.input.by_ref().take(WINDOW).read_to_end(&mut window)?;
            for place in 0..window.len().saturating_sub(MAGIC.len() - 1) {
                let at = window_at + place as u64;
                if window[place..].starts_with(&MAGIC) && matches!(self.block_at(at)?, Some(Ok(_))) {
                    return Ok(Some(at));
                }
            }
            if (window.len() as u64) < WINDOW {
                return Ok(None);
            }
            window_at += WINDOW - (MAGIC.len() as u64 - 1);
        }
    }
}

impl<R: Read + Seek> Iterator for DataReader<R> {
    type Item = Result<SelfplayGame, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                self.next += 1;
                return Some(Ok(game));
            }
            let offset = self.offset;
            match self.next_block()? {
                Err(error) => return Some(Err(error)),
                Ok(block) => match block.games() {
                    Ok(games) => (self.games, self.next) = (games.into_iter(), block.head.first),
                    Err(what) => {
                        return Some(Err(DataError::Block { file: self.file.clone(), offset, what }));
                    }
                },
            }
        }
    }
}
