//! The files that are made from the journal: PGN, and the last positions in EPD.

use super::fingerprint::Fingerprint;
use crate::sys::files::{self, with_suffix};
use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
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

/// What a file is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Records {
    /// Games, each of which begins with the tag `Event`.
    Pgn,
    /// Lines.
    Epd,
}

impl Records {
    /// True if a line that begins a record begins so.
    fn begins(self, text: &[u8]) -> bool {
        self == Records::Epd || text.starts_with(b"[Event ")
    }

    /// True if the last record of a file is not whole and may be one of ours, of which these are missing.
    fn is_torn(self, record: &[u8], missing: &[Fingerprint]) -> bool {
        const BEGIN: &[u8] = b"[Event ";
        if self.is_whole(record) {
            return false;
        }
        if self == Records::Epd {
            return true;
        }
        if !(record.starts_with(BEGIN) || BEGIN.starts_with(record)) {
            return false;
        }
        // Of a game of others at most its empty line is missing.
        let mut ended = ["\n", "\n\n"].into_iter().map(|end| [record, end.as_bytes()].concat());
        let whole = ended.find(|ended| self.is_whole(ended));
        whole.is_none_or(|whole| missing.contains(&Fingerprint::of(&whole)))
    }

    /// What line ends are missing at the end of a record, of which these are the last bytes.
    fn missing_end(self, last: &[u8]) -> &'static str {
        let last = last.iter().rev().filter(|&&byte| byte != b'\r');
        match (self, last.take_while(|&&byte| byte == b'\n').count()) {
            (Records::Pgn, 0) => "\n\n",
            (Records::Pgn, 1) | (Records::Epd, 0) => "\n",
            _ => "",
        }
    }

    /// True if nothing is missing at the end of a record.
    fn is_whole(self, record: &[u8]) -> bool {
        let content = record.trim_ascii_end();
        let ends = record[content.len()..].iter().filter(|&&byte| byte == b'\n').count();
        match self {
            Records::Epd => ends >= 1,
            Records::Pgn => {
                // A tag that has been cut off may end like a game.
                let last = content.rsplit(|&byte| byte == b'\n').next();
                ends >= 2
                    && last.is_some_and(|line| !line.starts_with(b"["))
                    && ["1-0", "0-1", "1/2-1/2", "*"].iter().any(|end| content.ends_with(end.as_bytes()))
            }
        }
    }
}

/// Reads records one after the other, of which a file may have more than fit into memory.
struct RecordReader<R> {
    records: Records,
    reader: R,
    /// The line that begins the next record, of which there is nothing at the end.
    ahead: Vec<u8>,
}

impl<R: BufRead> RecordReader<R> {
    fn new(records: Records, reader: R) -> RecordReader<R> {
        RecordReader { records, reader, ahead: vec![] }
    }

    /// Reads the next record, of which there is nothing at the end. What stands before the first is one too.
    fn read(&mut self, record: &mut Vec<u8>) -> io::Result<()> {
        record.clear();
        loop {
            record.append(&mut self.ahead);
            self.reader.read_until(b'\n', &mut self.ahead)?;
            if self.ahead.is_empty() || !record.is_empty() && self.records.begins(&self.ahead) {
                return Ok(());
            }
        }
    }
}

/// What of the texts of a match is in a file.
#[derive(PartialEq, Eq, Debug)]
pub struct Found {
    /// Of each text, whether it is there.
    pub there: Vec<bool>,
    /// If one is not: what other whole records there are, and how many of each.
    pub others: HashMap<Fingerprint, usize>,
    /// What stands at the end of the file and is no whole record.
    pub torn: Vec<u8>,
}

/// Takes one of these records away, if it is among them.
pub(super) fn take(records: &mut HashMap<Fingerprint, usize>, text: Fingerprint) -> bool {
    let count = records.get_mut(&text).filter(|count| **count > 0);
    count.map(|count| *count -= 1).is_some()
}

/// A file that games are added to.
#[derive(Debug)]
pub struct Output {
    file: File,
    path: PathBuf,
    /// So long it was at least when it was last written. Others may add to it.
    seen: u64,
}

impl Output {
    /// Opens a file to add to, and makes it if it is not there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(path: &Path) -> Result<Output, OutputError> {
        let failed = |error| OutputError(path.to_path_buf(), error);
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        let seen = file.metadata().map_err(failed)?.len();
        Ok(Output { file, path: path.to_path_buf(), seen })
    }

    /// Throws away what is in it.
    ///
    /// # Errors
    /// If it cannot be cut.
    pub fn empty(&mut self) -> Result<(), OutputError> {
        match self.size()? {
            // So is what is no plain file, such as a pipe, which cannot be cut.
            0 => Ok(()),
            size => self.cut(size),
        }
    }

    /// True for what can be written and not read again: a pipe, a terminal.
    fn is_pipe(&self) -> bool {
        self.file.metadata().is_ok_and(|data| !data.is_file())
    }

    /// How much is in it, in bytes.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn size(&self) -> Result<u64, OutputError> {
        self.file.metadata().map(|data| data.len()).map_err(|error| OutputError(self.path.clone(), error))
    }

    /// Ends the last line, and in PGN the last game with an empty line, if whoever wrote it has not.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn end_last(&mut self, records: Records) -> Result<(), OutputError> {
        let failed = |error| OutputError(self.path.clone(), error);
        let size = self.size()?;
        if size == 0 || self.is_pipe() {
            return Ok(());
        }
        let mut last = vec![];
        let mut file = File::open(&self.path).map_err(failed)?;
        file.seek(SeekFrom::Start(size.saturating_sub(4))).map_err(failed)?;
        file.read_to_end(&mut last).map_err(failed)?;
        self.add(records.missing_end(&last))
    }

    /// Adds a text.
    ///
    /// # Errors
    /// If it cannot be written whole, or what had been written is not there any more.
    pub fn add(&mut self, text: &str) -> Result<(), OutputError> {
        let size = self.look()?;
        self.file.write_all(text.as_bytes()).map_err(|error| OutputError(self.path.clone(), error))?;
        self.seen = size + text.len() as u64;
        Ok(())
    }

    /// How much is in it, once it is certain that nobody has taken anything of it away. It may be called otherwise by now.
    ///
    /// # Errors
    /// If somebody has.
    pub fn look(&self) -> Result<u64, OutputError> {
        let failed = |error| OutputError(self.path.clone(), error);
        let size = self.size()?;
        if self.is_pipe() {
            return Ok(size);
        }
        if files::is_removed(&self.file, &self.path).map_err(failed)? {
            return Err(failed(io::Error::other("somebody has removed it")));
        }
        if size < self.seen {
            let why = format!("somebody has cut it: it had {} bytes and has {size}", self.seen);
            return Err(failed(io::Error::other(why)));
        }
        Ok(size)
    }

    /// After a stop: which of these texts, which were added one after the other from `start` on, are in the file as they
    /// were. Between them and behind them may stand what somebody else has added.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn find(
        &self,
        start: u64,
        texts: impl Iterator<Item = Fingerprint>,
        records: Records,
    ) -> Result<Found, OutputError> {
        let failed = |error| OutputError(self.path.clone(), error);
        let found = |there: Vec<bool>| Found { there, others: HashMap::new(), torn: vec![] };
        // What a pipe has been given is not there to be looked at.
        if self.is_pipe() {
            return Ok(found(texts.map(|_| true).collect()));
        }
        let mut file = File::open(&self.path).map_err(failed)?;
        if start > file.metadata().map_err(failed)?.len() {
            // Another file, or one that was cut: nothing of ours is known to be in it.
            return Ok(found(texts.map(|_| false).collect()));
        }
        let mut at = start;
        file.seek(SeekFrom::Start(at)).map_err(failed)?;
        let mut reader = BufReader::new(file);
        let mut texts = texts.peekable();
        let mut found = found(vec![]);
        let mut record = vec![];
        while let Some(text) = texts.peek() {
            record.clear();
            reader.by_ref().take(text.size).read_to_end(&mut record).map_err(failed)?;
            if Fingerprint::of(&record) != *text {
                break;
            }
            found.there.push(true);
            at += text.size;
            texts.next();
        }
        let missing: Vec<Fingerprint> = texts.collect();
        reader.seek(SeekFrom::Start(at)).map_err(failed)?;
        let mut rest = RecordReader::new(records, reader);
        loop {
            rest.read(&mut record).map_err(failed)?;
            if record.is_empty() {
                break;
            }
            if rest.ahead.is_empty() {
                if records.is_torn(&record, &missing) {
                    found.torn = record;
                    break;
                }
                // As it will be when others follow it.
                record.extend(records.missing_end(&record).as_bytes());
            }
            if !missing.is_empty() {
                *found.others.entry(Fingerprint::of(&record)).or_default() += 1;
            }
        }
        // The empty text is that of a game before the file was asked for.
        let is_there = |text: Fingerprint| text.size == 0 || take(&mut found.others, text);
        found.there.extend(missing.into_iter().map(is_there));
        Ok(found)
    }

    /// Moves its last bytes, which are these, to the end of a file beside it: where. What they are nobody knows here, but
    /// nothing is thrown away.
    ///
    /// # Errors
    /// If that file cannot be written, or this one not be cut, or if its last bytes are others by now.
    pub fn move_out(&mut self, bytes: &[u8]) -> Result<PathBuf, OutputError> {
        if !self.ends_with(bytes)? {
            let why = "somebody else is writing it, and its last game is not whole; try again";
            return Err(OutputError(self.path.clone(), io::Error::other(why)));
        }
        let place = with_suffix(&self.path, ".cut");
        Output::open(&place)?.file.write_all(bytes).map_err(|error| OutputError(place.clone(), error))?;
        self.cut(bytes.len() as u64)?;
        Ok(place)
    }

    /// True if its last bytes are these.
    fn ends_with(&self, bytes: &[u8]) -> Result<bool, OutputError> {
        let failed = |error| OutputError(self.path.clone(), error);
        let mut last = vec![];
        let mut file = File::open(&self.path).map_err(failed)?;
        file.seek(SeekFrom::Start(self.size()?.saturating_sub(bytes.len() as u64))).map_err(failed)?;
        file.read_to_end(&mut last).map_err(failed)?;
        Ok(last == bytes)
    }

    /// Cuts so many bytes off the end.
    fn cut(&mut self, bytes: u64) -> Result<(), OutputError> {
        let failed = |error| OutputError(self.path.clone(), error);
        // A file that is opened only to be added to cannot be cut on every system.
        let file = OpenOptions::new().write(true).open(&self.path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len().saturating_sub(bytes);
        file.set_len(size).map_err(failed)?;
        self.seen = size;
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    #[test]
    fn what_is_there_is_found() {
        let folder = Scratch::new();
        let path = folder.join("games");
        let texts = ["one\n", "THREE\n", "tw\n"].map(|text| Fingerprint::of(text.as_bytes()));
        let find = |content: &str| {
            std::fs::write(&path, content).unwrap();
            let output = Output::open(&path).unwrap();
            let Found { there, torn, .. } = output.find(4, texts.into_iter(), Records::Epd).unwrap();
            (there, String::from_utf8(torn).unwrap())
        };
        let found = |there: [bool; 3], torn: &str| (there.to_vec(), torn.to_string());
        assert_eq!(find("old one\nTHREE\ntw\n"), found([true; 3], ""));
        assert_eq!(find("old one\nTHREE\ntw\nmore"), found([true; 3], "more"));
        assert_eq!(find("old one\nTHREE\nt"), found([true, true, false], "t"));
        assert_eq!(find("old one\nTHREE\ntw"), found([true, true, false], "tw"));
        assert_eq!(find("old one\nTHRONG"), found([true, false, false], "THRONG"));
        assert_eq!(find("old "), found([false; 3], ""));
        assert_eq!(find("ol"), found([false; 3], ""));
        // Others add to the file too, and take from it.
        assert_eq!(find("old one\nother\nTHREE\ntw\nmore\n"), found([true; 3], ""));
        assert_eq!(find("old one\ntw\nmo"), found([true, false, true], "mo"));
        assert_eq!(find("old THREE\nother\n"), found([false, true, false], ""));
        std::fs::write(&path, "old oneT").unwrap();
        // Who has added something since keeps it.
        assert!(Output::open(&path).unwrap().move_out(b"e").is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old oneT");
        let place = Output::open(&path).unwrap().move_out(b"T").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old one");
        assert_eq!(std::fs::read_to_string(&place).unwrap(), "T");
        Output::open(&path).unwrap().empty().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
    }

    #[test]
    fn what_others_leave_at_the_end_is_no_torn_game_of_ours() {
        let folder = Scratch::new();
        let path = folder.join("games");
        let ours = "[Event \"ours\"]\n[Result \"1-0\"]\n\n1. e4 {so 1-0\nand more} 1-0\n\n";
        let torn = |content: &str, has_ours: bool| {
            std::fs::write(&path, format!("{}{content}", if has_ours { ours } else { "" })).unwrap();
            let texts = std::iter::once(Fingerprint::of(ours.as_bytes()));
            let found = Output::open(&path).unwrap().find(0, texts, Records::Pgn).unwrap();
            let Found { there, torn, .. } = found;
            assert_eq!(there, [has_ours], "{content}");
            String::from_utf8(torn).unwrap()
        };
        for others in
            ["[Event \"other\"]\n\n1. d4 1-0\n", "[Event \"other\"]\n\n*", "; a remark\n", "% more", ""]
        {
            assert_eq!([torn(others, true), torn(others, false)], ["", ""], "{others}");
        }
        // But the beginning of one of ours may be that of theirs.
        for end in (1..ours.len()).filter(|&end| !ours[..end].trim_end().ends_with("so 1-0")) {
            assert_eq!(torn(&ours[..end], false), ours[..end]);
        }
        assert_eq!(torn("[Event \"other\"]\n\n1. d4 d", true), "[Event \"other\"]\n\n1. d4 d");
    }

    #[test]
    fn what_else_is_there_is_told_where_a_game_is_missing() {
        let folder = Scratch::new();
        let path = folder.join("games");
        let games = ["a", "b", "c"].map(|name| format!("[Event \"{name}\"]\n\n1. e4 {{[Event }} 1-0\n\n"));
        let [first, other, third] = games.each_ref().map(|game| Fingerprint::of(game.as_bytes()));
        let found = |content: &str| {
            std::fs::write(&path, content).unwrap();
            let texts = [first, third].into_iter();
            Output::open(&path).unwrap().find(0, texts, Records::Pgn).unwrap()
        };
        // The end of the last one counts as it will be once it is followed by another.
        for cut in 0..=2 {
            let content = format!("{0}{1}{1}", games[0], games[1]);
            let mut found = found(&content[..content.len() - cut]);
            assert_eq!((&*found.there, &*found.torn), (&[true, false][..], &[][..]));
            assert_eq!([0; 3].map(|_| take(&mut found.others, other)), [true, true, false]);
            assert!(!take(&mut found.others, third));
        }
        // Where none is missing nobody asks.
        let all = found(&[&*games[0], &games[2], &games[1]].concat());
        assert_eq!((all.there, all.others.len()), (vec![true; 2], 0));
    }

    #[test]
    fn a_record_begins_on_a_line_of_its_own() {
        let folder = Scratch::new();
        let path = folder.join("games");
        let ended = |content: &str, records| {
            std::fs::write(&path, content).unwrap();
            Output::open(&path).unwrap().end_last(records).unwrap();
            std::fs::read_to_string(&path).unwrap()
        };
        for (content, pgn, epd) in [
            ("", "", ""),
            ("*", "*\n\n", "*\n"),
            ("1-0\n", "1-0\n\n", "1-0\n"),
            ("1-0\n\n", "1-0\n\n", "1-0\n\n"),
            ("1-0\r\n\r\n", "1-0\r\n\r\n", "1-0\r\n\r\n"),
        ] {
            assert_eq!((&*ended(content, Records::Pgn), &*ended(content, Records::Epd)), (pgn, epd));
        }
    }

    #[test]
    fn games_that_somebody_takes_away_are_missed() {
        let folder = Scratch::new();
        let path = folder.join("games");
        let mut output = Output::open(&path).unwrap();
        output.add("one\n").unwrap();
        Output::open(&path).unwrap().add("other\n").unwrap();
        output.add("two\n").unwrap();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(9).unwrap();
        let error = output.add("three\n").unwrap_err().to_string();
        assert!(error.contains(&*path.to_string_lossy()) && error.contains("somebody"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\nother", "left as it is");
        // What is cut here is nobody's loss.
        let mut output = Output::open(&path).unwrap();
        output.move_out(b"other").unwrap();
        output.add("two\n").unwrap();
        output.empty().unwrap();
        output.add("three\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "three\n");
        #[cfg(unix)]
        {
            // A file that is called otherwise by now is still there.
            let renamed = with_suffix(&path, ".1");
            std::fs::rename(&path, &renamed).unwrap();
            output.add("four\n").unwrap();
            assert_eq!(std::fs::read_to_string(&renamed).unwrap(), "three\nfour\n");
            std::fs::rename(&renamed, &path).unwrap();
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(output.add("five\n").is_err(), cfg!(unix));
    }

    #[test]
    fn games_are_told_apart() {
        let split = |text: &str| -> Vec<String> {
            let mut reader = RecordReader::new(Records::Pgn, text.as_bytes());
            let mut next = || {
                let mut record = vec![];
                reader.read(&mut record).unwrap();
                String::from_utf8(record).unwrap()
            };
            std::iter::from_fn(|| Some(next()).filter(|record| !record.is_empty())).collect()
        };
        let games = ["[Event \"a\"]\n[Site \"?\"]\n\n1. e4 {[Event } 1-0\n\n", "[Event \"b\"]\n\n*\n\n"];
        assert_eq!(split(&games.concat()), games);
        assert_eq!(
            split(&format!("e5 *\n\n{}[Event", games[1])),
            ["e5 *\n\n", &format!("{}[Event", games[1])]
        );
        assert_eq!(split(&format!("{}[Event ", games[0])), [games[0], "[Event "]);
        assert_eq!(split(""), [""; 0]);
        let is_whole = |text: &str| Records::Pgn.is_whole(text.as_bytes());
        assert!(games.iter().all(|game| is_whole(game)) && is_whole("1/2-1/2\r\n\r\n"));
        assert!(games.iter().all(|game| (0..game.len()).all(|end| !is_whole(&game[..end]))));
    }
}
