//! A file of openings, from which a match draws.
//!
//! Everything is read once and checked; what is kept is where each opening begins, and it is read again when it is
//! drawn. A file of 16 MB with 240,000 positions so takes one megabyte.

use super::file::SharedFile;
use super::polyglot::Book;
use super::walks::{DEFAULT_PLIES, Walks, draw};
use super::{Format, Opening, OpeningsConfig, Order};
use crate::board::{Position, chess960};
use crate::laws::Edition;
use crate::notation::characters::{legible, visible};
use crate::notation::decode;
use crate::notation::epd::parse_epd;
use crate::notation::pgn_reader::{PgnErrorKind, PgnGame, PgnReader};
use crate::notation::uci_move::parse_uci;
use crate::sys::chance::Chance;
use crate::sys::lines::read_line;
use std::fmt;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// No sensible position needs a longer line, in bytes.
const LONGEST_LINE: usize = 1 << 16;
/// How much is read at once when one opening is drawn: most lines fit.
const ONE_OPENING: usize = 512;
/// So many letters are kept of a name: it stands in the PGN and the journal of each game that is played from the opening.
const LONGEST_NAME: usize = 200;
/// How many broken openings are remembered, and a message names.
const NAMED: usize = 5;

/// Where something stands in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// The line of this number, from 1.
    Line(u64),
    /// The record of a Polyglot book of this number, from 1.
    Record(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(number) => write!(f, "line {number}"),
            Place::Record(number) => write!(f, "record {number}"),
        }
    }
}

/// What should be an opening and is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Where it stands.
    pub place: Place,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // It may quote the file.
        write!(f, "{}: {}", self.place, visible(&self.reason))
    }
}

/// What has been left out of a file for being no opening. There may be millions of them where the file is something else.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    first: Vec<Broken>,
    count: usize,
}

impl LeftOut {
    /// The first few.
    pub fn first(&self) -> &[Broken] {
        &self.first
    }

    /// How many there are in all.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if nothing has been left out.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn add(&mut self, broken: Broken) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(broken);
        }
    }
}

/// Why there are no openings.
#[derive(Debug)]
pub enum SuiteError {
    /// The file cannot be read, or is no longer what it was.
    Io(PathBuf, io::Error),
    /// There is nothing in it.
    Empty(PathBuf),
    /// Nothing in it can be played from; what is broken.
    NothingUsable(PathBuf, LeftOut),
    /// Some lines are broken, and that is not allowed.
    NotAllUsable(PathBuf, LeftOut),
    /// What stands at this line is no longer an opening: why.
    Changed(PathBuf, u64, String),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some = |f: &mut fmt::Formatter<'_>, broken: &LeftOut| {
            for line in &broken.first {
                write!(f, "\n  {line}")?;
            }
            match broken.count - broken.first.len() {
                0 => Ok(()),
                more => write!(f, "\n  and {more} more"),
            }
        };
        match self {
            SuiteError::Io(path, error) => write!(f, "the openings in {}: {error}", path.display()),
            SuiteError::Empty(path) => write!(f, "there are no openings in {}", path.display()),
            SuiteError::NothingUsable(path, broken) => {
                write!(f, "no opening in {} can be played:", path.display())?;
                some(f, broken)
            }
            SuiteError::NotAllUsable(path, broken) => {
                write!(f, "{} openings in {} cannot be played:", broken.len(), path.display())?;
                some(f, broken)
            }
            SuiteError::Changed(path, line, reason) => write!(
                f,
                "the openings in {} have changed since they were loaded: line {line}: {}",
                path.display(),
                visible(reason)
            ),
        }
    }
}

impl std::error::Error for SuiteError {}

/// Places in a file.
enum Offsets {
    /// Half the memory, for files below 4 GiB.
    Short(Vec<u32>),
    Long(Vec<u64>),
}

impl Offsets {
    fn for_file(length: u64) -> Offsets {
        if u32::try_from(length).is_ok() { Offsets::Short(vec![]) } else { Offsets::Long(vec![]) }
    }

    fn push(&mut self, offset: u64) {
        match self {
            // Below the file's length, by which the kind was chosen.
            Offsets::Short(offsets) => offsets.push(offset as u32),
            Offsets::Long(offsets) => offsets.push(offset),
        }
    }

    fn get(&self, index: usize) -> u64 {
        match self {
            Offsets::Short(offsets) => u64::from(offsets[index]),
            Offsets::Long(offsets) => offsets[index],
        }
    }

    fn len(&self) -> usize {
        match self {
            Offsets::Short(offsets) => offsets.len(),
            Offsets::Long(offsets) => offsets.len(),
        }
    }

    fn arrange(&mut self, order: Order, seed: u64) {
        match self {
            Offsets::Short(offsets) => arrange(offsets, order, seed),
            Offsets::Long(offsets) => arrange(offsets, order, seed),
        }
    }
}

fn arrange<T>(offsets: &mut Vec<T>, order: Order, seed: u64) {
    offsets.shrink_to_fit();
    if order == Order::Random {
        Chance::new(seed).shuffle(offsets);
    }
}

enum Source {
    /// Lines of EPD.
    Lines(SharedFile, Offsets),
    /// Games, each played so many plies far.
    Games(SharedFile, Offsets, usize),
    /// Lines out of a book.
    Walks(Walks),
    /// Starting arrays of Chess960, by number.
    Arrays(Vec<u16>),
}

/// The openings of a file in the order in which a match draws them. Several threads may draw at once.
pub struct Suite {
    path: PathBuf,
    source: Source,
    /// The index of the first drawing; where it lies beyond the last opening, those before it have all been drawn.
    first: u64,
}

impl fmt::Debug for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Suite").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Suite {
    /// Reads and checks a file of openings, or sets up the arrays of Chess960. `seed` shuffles them if the order is random, and leads through a Polyglot
    /// book, from which `needed` openings are drawn at once (at most 2^20 of them; others go by the whole file).
    ///
    /// Tells of the broken lines too; they are left out.
    ///
    /// # Errors
    /// If the file cannot be read, if no opening is left, or if some are broken and the configuration is strict.
    pub fn open(config: &OpeningsConfig, seed: u64, needed: u64) -> Result<(Suite, LeftOut), SuiteError> {
        Suite::open_telling(config, seed, needed, &mut |_| ())
    }

    /// The same, and tells of each broken line when it is found.
    ///
    /// # Errors
    /// As [`Suite::open`].
    pub fn open_telling(
        config: &OpeningsConfig,
        seed: u64,
        needed: u64,
        tell: &mut dyn FnMut(&Broken),
    ) -> Result<(Suite, LeftOut), SuiteError> {
        let OpeningsConfig { file: path, format, order, plies, start, strict, standard, laws } = config;
        let failed = |error| SuiteError::Io(path.clone(), error);
        let first = start.saturating_sub(1);
        let mut broken = LeftOut::default();
        let mut leave_out = |one: Broken| {
            tell(&one);
            broken.add(one);
        };
        let fitness = Fitness { standard: *standard, laws: *laws };
        let source = match format {
            Format::Epd => {
                let (file, mut offsets) = index_lines(path, fitness, &mut leave_out).map_err(failed)?;
                offsets.arrange(*order, seed);
                Source::Lines(file, offsets)
            }
            Format::Pgn => {
                let plies = plies.map_or(usize::MAX, |plies| plies as usize);
                let (file, mut offsets) =
                    index_games(path, plies, fitness, &mut leave_out).map_err(failed)?;
                offsets.arrange(*order, seed);
                Source::Games(file, offsets, plies)
            }
            Format::Polyglot => {
                let plies = plies.unwrap_or(DEFAULT_PLIES);
                Source::Walks(
                    walk_book(path, plies, *laws, first, needed, seed, &mut leave_out).map_err(failed)?,
                )
            }
            Format::Chess960(number) => {
                let mut arrays = number.map_or((0..chess960::ARRAYS).collect(), |number| vec![number]);
                arrange(&mut arrays, *order, seed);
                Source::Arrays(arrays)
            }
        };
        let suite = Suite { path: path.clone(), source, first };
        match (suite.is_empty(), broken.is_empty()) {
            (true, true) => Err(SuiteError::Empty(path.clone())),
            (true, false) => Err(SuiteError::NothingUsable(path.clone(), broken)),
            (false, false) if *strict => Err(SuiteError::NotAllUsable(path.clone(), broken)),
            _ => Ok((suite, broken)),
        }
    }

    /// The number of different openings; drawings begin anew after them.
    pub fn len(&self) -> usize {
        match &self.source {
            Source::Lines(_, offsets) | Source::Games(_, offsets, _) => offsets.len(),
            Source::Walks(walks) => walks.len(),
            Source::Arrays(arrays) => arrays.len(),
        }
    }

    /// True for no opening, which [`Suite::open`] does not let happen.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The opening of drawing `number`, from 0. None comes twice before all have come.
    ///
    /// # Errors
    /// If the file cannot be read any more, or has changed.
    pub fn get(&self, number: u64) -> Result<Opening, SuiteError> {
        let failed = |error| SuiteError::Io(self.path.clone(), error);
        let index = self.index(number);
        match &self.source {
            Source::Walks(walks) => {
                Ok(Opening { start: Position::default(), moves: walks.get(index).to_vec(), name: None })
            }
            Source::Arrays(arrays) => {
                let number = arrays[index];
                let start = Position::from(chess960::start(number, number));
                Ok(Opening { start, moves: vec![], name: Some(format!("Chess960 position {number}")) })
            }
            Source::Lines(file, offsets) => {
                file.ensure_unchanged().map_err(failed)?;
                let offset = offsets.get(index);
                let mut line = vec![];
                let mut reader = BufReader::with_capacity(ONE_OPENING, file.reader(offset));
                read_line(&mut reader, &mut line, LONGEST_LINE).map_err(failed)?;
                read_opening(&line).map_err(|reason| self.changed(file, offset, reason))
            }
            Source::Games(file, offsets, plies) => {
                file.ensure_unchanged().map_err(failed)?;
                let offset = offsets.get(index);
                let reader = PgnReader::with_block(file.reader(offset), 4 * ONE_OPENING);
                let opening = match reader.with_most_plies(*plies).next() {
                    Some(Ok(game)) => opening_of_game(game, *plies).map_err(|(_, reason)| reason),
                    Some(Err(error)) => Err(error.kind.to_string()),
                    None => Err("there is no game".to_string()),
                };
                opening.map_err(|reason| self.changed(file, offset, reason))
            }
        }
    }

    /// The line of the file on which the opening of drawing `number` stands, from 1; `None` for a line out of a book and
    /// for arrays. Reads the file up to there.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn line(&self, number: u64) -> io::Result<Option<u64>> {
        match &self.source {
            Source::Walks(_) | Source::Arrays(_) => Ok(None),
            Source::Lines(file, offsets) | Source::Games(file, offsets, _) => {
                file.line_at(offsets.get(self.index(number))).map(Some)
            }
        }
    }

    fn index(&self, number: u64) -> usize {
        let len = self.len() as u64;
        ((self.first % len + number % len) % len) as usize
    }

    fn changed(&self, file: &SharedFile, offset: u64, reason: String) -> SuiteError {
        match file.line_at(offset) {
            Ok(line) => SuiteError::Changed(self.path.clone(), line, reason),
            Err(error) => SuiteError::Io(self.path.clone(), error),
        }
    }
}

/// Finds the lines that are openings and those that should be.
fn index_lines(
    path: &Path,
    fitness: Fitness,
    leave_out: &mut dyn FnMut(Broken),
) -> io::Result<(SharedFile, Offsets)> {
    let file = SharedFile::open(path)?;
    let mut offsets = Offsets::for_file(file.length());
    let mut reader = BufReader::with_capacity(1 << 16, file.reader(0));
    let mut bytes = vec![];
    let mut offset = 0;
    for line in 1.. {
        let length = read_line(&mut reader, &mut bytes, LONGEST_LINE)?;
        if length == 0 {
            break;
        }
        let text = without_mark(&bytes).trim_ascii();
        if !text.is_empty() && !matches!(text[0], b'#' | b';' | b'%') {
            match read_opening(&bytes).and_then(|opening| fitness.check(&opening)) {
                Ok(()) => offsets.push(offset),
                Err(reason) => leave_out(Broken { place: Place::Line(line), reason }),
            }
        }
        offset += length;
    }
    drop(reader);
    Ok((file, offsets))
}

/// Without the mark of UTF-8 that some editors put at the beginning of a file.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// The opening on a line of EPD, or what is wrong with it.
fn read_opening(line: &[u8]) -> Result<Opening, String> {
    if line.len() >= LONGEST_LINE {
        return Err(format!("the line has more than {LONGEST_LINE} bytes"));
    }
    let mut epd = parse_epd(&decode(without_mark(line).trim_ascii())).map_err(|error| error.to_string())?;
    let id = epd.operations.iter_mut().find(|operation| operation.opcode == "id");
    let name = id.and_then(|operation| named(&operation.operands.join(" ")));
    let (mut position, mut moves) = (epd.position, vec![]);
    for text in epd.moves() {
        let mv = parse_uci(text, &position).map_err(|error| format!("moves: {error}"))?;
        position = position.after(mv);
        moves.push(mv);
    }
    Ok(Opening { start: epd.position, moves, name })
}

/// Finds the games that are openings and those that should be.
fn index_games(
    path: &Path,
    plies: usize,
    fitness: Fitness,
    leave_out: &mut dyn FnMut(Broken),
) -> io::Result<(SharedFile, Offsets)> {
    let file = SharedFile::open(path)?;
    let mut offsets = Offsets::for_file(file.length());
    for game in PgnReader::new(file.reader(0)).with_most_plies(plies) {
        let problem = match game {
            Ok(game) => {
                let offset = game.offset;
                let line = game.line;
                let check = |opening| fitness.check(&opening).map_err(|reason| (line, reason));
                match opening_of_game(game, plies).and_then(check) {
                    Ok(()) => {
                        offsets.push(offset);
                        continue;
                    }
                    Err((line, reason)) => Broken { place: Place::Line(line), reason },
                }
            }
            Err(error) => match error.kind {
                PgnErrorKind::Io(error) => return Err(error),
                kind => Broken { place: Place::Line(error.line), reason: kind.to_string() },
            },
        };
        leave_out(problem);
    }
    Ok((file, offsets))
}

/// The opening of so many plies that a game is, or the line and what is wrong with it.
fn opening_of_game(game: PgnGame, plies: usize) -> Result<Opening, (u64, String)> {
    // What is missing may be behind it.
    if let Some((bracket, line)) = game.unclosed.filter(|_| game.moves.len() < plies) {
        return Err((line, PgnErrorKind::Unclosed(bracket).to_string()));
    }
    let known = |tag: &str| game.tag(tag).filter(|value| !matches!(*value, "" | "?" | "-" | "*"));
    let opening = [known("Opening"), known("Variation")].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let name = named([known("ECO").unwrap_or_default(), &opening].join(" ").trim());
    let moves = game.moves.iter().map(|played| played.mv).collect();
    Ok(Opening { start: game.start, moves, name })
}

/// What an opening is called, if it is: a name of the file as it may stand in other files.
fn named(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| legible(text, LONGEST_NAME))
}

/// What an opening has to be, so that games can begin with it.
#[derive(Clone, Copy)]
struct Fitness {
    standard: bool,
    laws: Edition,
}

impl Fitness {
    /// What is wrong with an opening.
    fn check(self, opening: &Opening) -> Result<(), String> {
        if let Some(reason) = opening.why_over(self.laws) {
            return Err(format!("the game is over where the opening ends: {reason}"));
        }
        if self.standard && !opening.start.board().castles_as_usual() {
            return Err("its castling is that of Chess960 (-variant fischerandom)".to_string());
        }
        Ok(())
    }
}

/// What is wrong with a book that no game can begin with.
pub const NO_BEGINNING: &str = "the book has no move for the start position";

/// Draws lines from a book.
fn walk_book(
    path: &Path,
    plies: u32,
    laws: Edition,
    first: u64,
    needed: u64,
    seed: u64,
    leave_out: &mut dyn FnMut(Broken),
) -> io::Result<Walks> {
    let book = Book::open(path)?;
    if book.is_empty() {
        return Ok(Walks::default());
    }
    if plies > 0 && !book.begins()? {
        return Err(io::Error::new(io::ErrorKind::InvalidData, NO_BEGINNING));
    }
    let (walks, illegal) = draw(&book, plies, laws, needed.max(1).saturating_add(first), seed)?;
    for (record, reason) in illegal {
        leave_out(Broken { place: Place::Record(record + 1), reason });
    }
    Ok(walks)
}
