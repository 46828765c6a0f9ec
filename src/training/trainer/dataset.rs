//! The positions of a run: read from the files of games, filtered, packed, and held in memory.
//!
//! Where memory does not suffice they are dealt out to files, a part each, and one part after the other is learnt from:
//! every epoch takes the parts in another order and the positions of a part in another order, but what is in a part stays
//! together. A part is a random choice out of all files, by a hash of the position, so that all of a position's duplicates
//! are in the same.

use super::filter::{Counts, Filter};
use super::order::Order;
use super::record::{Record, mix};
use super::settings::Settings;
use crate::openings::order::Chance;
use crate::training::data::{Block, DataError, DataReader, SelfplayGame};
use rayon::prelude::*;
use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes that a position takes while duplicates are looked for.
const BYTES_EACH: u64 = Record::BYTES as u64 + 20;
/// Blocks that are decoded together.
const BLOCKS: usize = 64;
/// No more parts than this: each is an open file.
const MAX_PARTS: u64 = 200;
/// Held out positions are never more.
const MAX_VALIDATION: usize = 4_000_000;

/// Why there is nothing to learn from.
#[derive(Debug)]
pub enum DatasetError {
    /// A file of games cannot be read at all.
    Data(DataError),
    /// A file of a part cannot be written or read.
    Part(PathBuf, io::Error),
    /// The filters leave nothing.
    Empty(Box<Counts>),
    /// It would need too many parts: megabytes that are enough.
    Memory(u64),
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatasetError::Data(error) => error.fmt(f),
            DatasetError::Part(path, error) => write!(f, "{}: {error}", path.display()),
            DatasetError::Empty(counts) => write!(f, "no position to learn from is left: {counts}"),
            DatasetError::Memory(enough) => {
                write!(f, "there are too many positions for so little memory: --memory {enough} is enough")
            }
        }
    }
}

impl std::error::Error for DatasetError {}

/// A set of numbers that are random already.
type Keys = HashSet<u64, BuildHasherDefault<Same>>;

/// Takes a number for its own hash.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = mix(self.0 ^ u64::from(byte)));
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// The positions of a run.
#[derive(Debug)]
pub struct Dataset {
    /// What was read, and what became of it.
    pub counts: Counts,
    /// Positions of games that are held out.
    pub validation: Vec<Record>,
    /// A number that other positions, or the same in another order, do not have.
    pub fingerprint: u64,
    /// How many positions each part has.
    sizes: Vec<u64>,
    /// The part that is in memory.
    loaded: usize,
    records: Vec<Record>,
    /// Where the parts are, if there is more than one; removed at the end.
    folder: Option<PathBuf>,
}

impl Drop for Dataset {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Where a step finds its positions.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The part.
    part: usize,
    /// The place of the first position in the part's order.
    pub first: u64,
    /// The part's order in this epoch.
    pub order: Order,
    /// How many steps from this one on find theirs in the same part and epoch.
    pub steps: u64,
    /// A seed for the mirror.
    pub mirror: u64,
}

impl Dataset {
    /// Packed positions as they are, with nothing held out; for tests and measurements.
    pub fn of_records(records: Vec<Record>, validation: Vec<Record>) -> Dataset {
        let counts = Counts {
            training: records.len() as u64,
            validation: validation.len() as u64,
            ..Counts::default()
        };
        let fingerprint = records.iter().fold(0, |sum, record| mix(sum ^ record.key()));
        let sizes = vec![records.len() as u64];
        Dataset { counts, validation, fingerprint, sizes, loaded: 0, records, folder: None }
    }

    /// Reads files. What is damaged in them is told and left out. `memory` is in bytes; `folder` is where parts go if
    /// there are any.
    ///
    /// # Errors
    /// If a file cannot be read at all, a part not be written, or nothing is left to learn from.
    pub fn read(
        files: &[PathBuf],
        settings: &Settings,
        memory: u64,
        folder: &Path,
        tell: &mut dyn FnMut(&DataError),
    ) -> Result<Dataset, DatasetError> {
        let positions = expected_positions(files, &settings.filter)?;
        let parts = (positions * BYTES_EACH).div_ceil(memory.max(1)).max(1);
        if parts > MAX_PARTS {
            return Err(DatasetError::Memory(((positions * BYTES_EACH / MAX_PARTS) >> 20) + 1));
        }
        let mut sink = Sink::new(settings, parts, folder)?;
        if parts == 1 {
            // At once, for growing would take twice the memory for a moment.
            sink.records.reserve_exact(positions as usize);
        }
        for file in files {
            let mut reader = DataReader::open(file).map_err(DatasetError::Data)?;
            let mut is_more = true;
            while is_more {
                let mut blocks: Vec<Block> = vec![];
                while blocks.len() < BLOCKS && is_more {
                    match reader.next_block() {
                        Some(Ok(block)) => blocks.push(block),
                        Some(Err(error @ DataError::Block { .. })) => tell(&error),
                        Some(Err(error)) => return Err(DatasetError::Data(error)),
                        None => is_more = false,
                    }
                }
                let packed: Vec<_> = blocks.par_iter().map(|block| Packed::new(block, settings)).collect();
                for packed in packed {
                    match packed {
                        Ok(packed) => sink.take(packed)?,
                        Err(what) => {
                            let file = file.display().to_string();
                            tell(&DataError::Block { file, offset: reader.whole(), what });
                        }
                    }
                }
            }
        }
        sink.finish()
    }

    /// Positions to learn from.
    pub fn len(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The positions that are in memory now: all, or those of a part, or none.
    pub fn loaded_records(&self) -> &[Record] {
        &self.records
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.sizes.len()
    }

    /// Positions of a step: as many as wanted, if there are so many.
    pub fn batch(&self, wanted: usize) -> usize {
        let largest = self.sizes.iter().copied().max().unwrap_or(1);
        wanted.min(largest.max(1) as usize)
    }

    /// Steps of an epoch. What is left of a part behind its last whole batch is left out, other positions in each epoch.
    pub fn steps(&self, batch: usize) -> u64 {
        self.sizes.iter().map(|size| size / batch as u64).sum()
    }

    /// Where a step finds its positions. There must be some steps in an epoch.
    pub fn place(&self, step: u64, batch: usize, seed: u64) -> Place {
        let epoch_steps = self.steps(batch);
        let (epoch, mut step) = (step / epoch_steps, step % epoch_steps);
        let epoch_seed = mix(mix(seed) ^ epoch);
        let mut parts: Vec<usize> = (0..self.sizes.len()).collect();
        Chance::new(epoch_seed).shuffle(&mut parts);
        let mut part = parts[0];
        for candidate in parts {
            part = candidate;
            let steps = self.sizes[part] / batch as u64;
            if step < steps {
                break;
            }
            step -= steps;
        }
        let size = self.sizes[part];
        let part_seed = mix(epoch_seed ^ mix(part as u64 + 1));
        Place {
            part,
            first: step * batch as u64,
            order: Order::new(size, part_seed),
            steps: size / batch as u64 - step,
            mirror: mix(part_seed),
        }
    }

    /// The positions among which a place is; they are read if they are not in memory.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn records(&mut self, place: &Place) -> Result<&[Record], DatasetError> {
        if let Some(folder) = self.folder.as_ref().filter(|_| place.part != self.loaded) {
            // What was there goes first, for there is not room for both.
            self.records = vec![];
            self.records = read_part(&part_path(folder, place.part))?;
            self.loaded = place.part;
        }
        Ok(&self.records)
    }
}

/// How many positions there may be, by what the heads of the blocks say.
fn expected_positions(files: &[PathBuf], filter: &Filter) -> Result<u64, DatasetError> {
    let mut sum = 0;
    for file in files {
        let mut reader = DataReader::open(file).map_err(DatasetError::Data)?;
        while let Some(block) = reader.next_block() {
            // Damage is told when the games are read.
            let Ok(block) = block else { continue };
            let quiet_only = filter.drop_checks && filter.drop_tactical;
            sum += u64::from(if quiet_only { block.head.quiet } else { block.head.plies });
        }
    }
    Ok((sum as f64 * filter.keep) as u64)
}

/// The positions of a block, those of games that are held out apart.
struct Packed {
    counts: Counts,
    training: Vec<Record>,
    validation: Vec<Record>,
}

impl Packed {
    fn new(block: &Block, settings: &Settings) -> Result<Packed, String> {
        let mut packed = Packed { counts: Counts::default(), training: vec![], validation: vec![] };
        for game in block.games()? {
            packed.counts.games += 1;
            let hash = game_hash(&game);
            let is_held_out =
                (hash >> 11) as f64 / (1u64 << 53) as f64 <= settings.validation && settings.validation > 0.0;
            let records = if is_held_out { &mut packed.validation } else { &mut packed.training };
            let lot = mix(hash ^ settings.seed);
            for placed in game.positions() {
                let scale = f32::from(settings.scale);
                records.extend(settings.filter.pack(&placed, scale, lot, &mut packed.counts));
            }
        }
        Ok(packed)
    }
}

/// The same for the same game, wherever it is: twice the same game is held out twice or not at all.
fn game_hash(game: &SelfplayGame) -> u64 {
    game.plies.iter().fold(game.start.key().0, |hash, ply| mix(hash ^ u64::from(ply.mv.bits())))
}

/// Where packed positions go.
struct Sink {
    drop_duplicates: bool,
    counts: Counts,
    fingerprint: u64,
    seen: Keys,
    seen_validation: Keys,
    validation: Vec<Record>,
    /// If they stay in memory.
    records: Vec<Record>,
    /// Else, with their folder.
    parts: Vec<BufWriter<File>>,
    folder: PathBuf,
}

impl Sink {
    fn new(settings: &Settings, parts: u64, folder: &Path) -> Result<Sink, DatasetError> {
        let mut files = vec![];
        if parts > 1 {
            std::fs::create_dir_all(folder)
                .map_err(|error| DatasetError::Part(folder.to_path_buf(), error))?;
            for part in 0..parts as usize {
                let path = part_path(folder, part);
                let file = File::create(&path).map_err(|error| DatasetError::Part(path, error))?;
                files.push(BufWriter::with_capacity(1 << 16, file));
            }
        }
        Ok(Sink {
            drop_duplicates: settings.filter.drop_duplicates,
            counts: Counts::default(),
            fingerprint: 0,
            seen: Keys::default(),
            seen_validation: Keys::default(),
            validation: vec![],
            records: vec![],
            parts: files,
            folder: folder.to_path_buf(),
        })
    }

    fn take(&mut self, packed: Packed) -> Result<(), DatasetError> {
        self.counts.add(&packed.counts);
        for record in packed.validation {
            if self.drop_duplicates && !self.seen_validation.insert(record.key()) {
                self.counts.duplicates += 1;
            } else if self.validation.len() < MAX_VALIDATION {
                self.validation.push(record);
            }
        }
        for record in packed.training {
            let key = record.key();
            if self.parts.is_empty() {
                if self.drop_duplicates && !self.seen.insert(key) {
                    self.counts.duplicates += 1;
                    continue;
                }
                self.records.push(record);
            } else {
                let part = (mix(key) % self.parts.len() as u64) as usize;
                self.parts[part]
                    .write_all(&record.to_bytes())
                    .map_err(|error| DatasetError::Part(part_path(&self.folder, part), error))?;
            }
            self.fingerprint = mix(self.fingerprint ^ key ^ mix(record.score as u64));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Dataset, DatasetError> {
        let mut sizes = vec![self.records.len() as u64];
        let mut loaded = 0;
        let folder = (!self.parts.is_empty()).then(|| self.folder.clone());
        if let Some(folder) = &folder {
            sizes.clear();
            loaded = usize::MAX;
            for (part, mut file) in std::mem::take(&mut self.parts).into_iter().enumerate() {
                let path = part_path(folder, part);
                file.flush().map_err(|error| DatasetError::Part(path.clone(), error))?;
                drop(file);
                if self.drop_duplicates {
                    self.counts.duplicates += without_duplicates(&path)?;
                }
                let length = std::fs::metadata(&path).map_err(|error| DatasetError::Part(path, error))?.len();
                sizes.push(length / Record::BYTES as u64);
            }
        }
        self.counts.training = sizes.iter().sum();
        self.counts.validation = self.validation.len() as u64;
        let dataset = Dataset {
            counts: self.counts,
            validation: self.validation,
            fingerprint: mix(self.fingerprint ^ self.counts.training),
            sizes,
            loaded,
            records: self.records,
            folder,
        };
        match dataset.is_empty() {
            true => Err(DatasetError::Empty(Box::new(dataset.counts))),
            false => Ok(dataset),
        }
    }
}

fn part_path(folder: &Path, part: usize) -> PathBuf {
    folder.join(format!("part-{part}"))
}

fn read_part(path: &Path) -> Result<Vec<Record>, DatasetError> {
    let failed = |error| DatasetError::Part(path.to_path_buf(), error);
    let file = File::open(path).map_err(failed)?;
    let count = file.metadata().map_err(failed)?.len() / Record::BYTES as u64;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut records = Vec::with_capacity(count as usize);
    let mut bytes = [0; Record::BYTES];
    for _ in 0..count {
        reader.read_exact(&mut bytes).map_err(failed)?;
        records.push(Record::from_bytes(&bytes));
    }
    Ok(records)
}

/// Takes duplicates out of a part's file, and says how many there were.
fn without_duplicates(path: &Path) -> Result<u64, DatasetError> {
    let failed = |error| DatasetError::Part(path.to_path_buf(), error);
    let mut records = read_part(path)?;
    let before = records.len();
    let mut seen = Keys::default();
    records.retain(|record| seen.insert(record.key()));
    if records.len() < before {
        let mut writer = BufWriter::new(File::create(path).map_err(failed)?);
        for record in &records {
            writer.write_all(&record.to_bytes()).map_err(failed)?;
        }
        writer.flush().map_err(failed)?;
    }
    Ok((before - records.len()) as u64)
}
