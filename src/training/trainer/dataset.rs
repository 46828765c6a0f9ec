//! The positions of a run: read from the files of games, filtered, packed, and held in memory.
//!
//! Where memory does not suffice they are dealt out to files, a part each, and one part after the other is learnt from:
//! every epoch takes the parts in another order and the positions of a part in another order, but what is in a part stays
//! together. A part is a random choice out of all files, by a hash of the position, so that all of a position's duplicates
//! are in the same.

use super::filter::{Counts, Filter};
use super::order::Order;
use super::record::Record;
use super::returns::returns;
use super::settings::Settings;
use crate::sys::chance::{Chance, mix};
use crate::sys::files::reason;
use crate::training::data::{Block, DataError, DataReader, SelfplayGame};
use rayon::prelude::*;
use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that a position takes while duplicates are looked for.
const BYTES_EACH: u64 = Record::BYTES as u64 + 20;
/// Blocks that are decoded together.
const BLOCKS: usize = 64;
/// So few steps of a part are made even, so that hardly any of its positions are left out.
const FEW_STEPS: usize = 16;
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
    /// It was asked to stop.
    Stopped,
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatasetError::Data(error) => error.fmt(f),
            DatasetError::Part(path, error) => write!(f, "{}: {}", path.display(), reason(error)),
            DatasetError::Empty(counts) => write!(f, "no position to learn from is left: {counts}"),
            DatasetError::Memory(enough) => {
                write!(f, "there are too many positions for so little memory: --memory {enough} is enough")
            }
            DatasetError::Stopped => f.write_str("stopped while the games were read; nothing is written"),
        }
    }
}

impl std::error::Error for DatasetError {}

/// How the positions of a run are held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// In memory if they take no more bytes than these, else in as many parts as are needed.
    Memory(u64),
    /// In as many parts as the run that is resumed had: another number would be another order.
    Parts(usize),
}

/// The files of the parts, and their folder if nothing else is in it: they go when this goes.
#[derive(Debug)]
struct PartFiles {
    folder: PathBuf,
    count: usize,
}

impl PartFiles {
    fn path(&self, part: usize) -> PathBuf {
        self.folder.join(format!("adoube-part-{part}"))
    }
}

impl Drop for PartFiles {
    fn drop(&mut self) {
        (0..self.count).for_each(|part| drop(std::fs::remove_file(self.path(part))));
        let _ = std::fs::remove_dir(&self.folder);
    }
}

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
    /// A number that other positions, scores or results, or the same in another order, do not have; the same in parts or
    /// without.
    pub fingerprint: u64,
    /// How many positions each part has.
    sizes: Vec<u64>,
    /// The part that is in memory.
    loaded: usize,
    records: Vec<Record>,
    /// Where the parts are, if there is more than one.
    files: Option<PartFiles>,
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
    /// Packed positions as they are.
    #[cfg(test)]
    pub(super) fn of_records(records: Vec<Record>, validation: Vec<Record>) -> Dataset {
        let counts = Counts {
            training: records.len() as u64,
            validation: validation.len() as u64,
            ..Counts::default()
        };
        let fingerprint = records.iter().fold(0, stamped);
        let sizes = vec![records.len() as u64];
        Dataset { counts, validation, fingerprint, sizes, loaded: 0, records, files: None }
    }

    /// Reads files. What is damaged in them is told and left out. `folder` is where parts go if there are any.
    ///
    /// # Errors
    /// If a file cannot be read at all, a part not be written, nothing is left to learn from, or `stop` is set.
    pub fn read(
        files: &[PathBuf],
        settings: &Settings,
        storage: Storage,
        folder: &Path,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&DataError),
    ) -> Result<Dataset, DatasetError> {
        let positions = expected_positions(files, &settings.filter, stop)?;
        let parts = match storage {
            Storage::Memory(bytes) => (positions * BYTES_EACH).div_ceil(bytes.max(1)).max(1),
            Storage::Parts(parts) => parts.max(1) as u64,
        };
        if parts > MAX_PARTS {
            return Err(DatasetError::Memory(((positions * BYTES_EACH / MAX_PARTS) >> 20) + 1));
        }
        // Those of a run that was killed would stay there for ever.
        drop(PartFiles { folder: folder.to_path_buf(), count: MAX_PARTS as usize });
        let dataset = Dataset::read_parts(files, settings, parts, (positions, folder), stop, tell)?;
        match storage {
            // The filters can leave so few that parts are not needed: small ones make small steps.
            Storage::Memory(bytes) if parts > 1 && dataset.len() * BYTES_EACH <= bytes => {
                let positions = dataset.len() + dataset.counts.duplicates;
                drop(dataset);
                Dataset::read_parts(files, settings, 1, (positions, folder), stop, &mut |_| ())
            }
            _ => Ok(dataset),
        }
    }

    /// Reads them into so many parts; with one `room` is made for as many positions as are expected.
    fn read_parts(
        files: &[PathBuf],
        settings: &Settings,
        parts: u64,
        (room, folder): (u64, &Path),
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&DataError),
    ) -> Result<Dataset, DatasetError> {
        let mut sink = Sink::new(settings, parts, folder)?;
        if parts == 1 {
            // At once, for growing would take twice the memory for a moment. If it is not to be had, fewer may do.
            let _ = sink.records.try_reserve_exact(room as usize);
        }
        for file in files {
            let mut reader = DataReader::open(file).map_err(DatasetError::Data)?;
            let mut is_more = true;
            while is_more {
                look_for_stop(stop)?;
                // Each with the place where it begins.
                let mut blocks: Vec<(u64, Block)> = vec![];
                while blocks.len() < BLOCKS && is_more {
                    match reader.next_block() {
                        Some(Ok(block)) => blocks.push((reader.whole() - block.head.size(), block)),
                        Some(Err(error @ DataError::Block { .. })) => tell(&error),
                        Some(Err(error)) => return Err(DatasetError::Data(error)),
                        None => is_more = false,
                    }
                }
                let pack = |(_, block): &(u64, Block)| Packed::new(block, settings);
                let packed: Vec<_> = blocks.par_iter().map(pack).collect();
                for (packed, &(offset, _)) in packed.into_iter().zip(&blocks) {
                    match packed {
                        Ok(packed) => sink.take(packed)?,
                        Err(what) => {
                            let file = file.display().to_string();
                            tell(&DataError::Block { file, offset, what });
                        }
                    }
                }
            }
        }
        sink.finish(stop)
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

    /// Positions of a step: as many as wanted, or somewhat fewer where a part has so few steps that much of it would be
    /// left out.
    pub fn batch(&self, wanted: usize) -> usize {
        let least = self.sizes.iter().copied().filter(|&size| size > 0).min().unwrap_or(1) as usize;
        match least.div_ceil(wanted) {
            steps if steps <= FEW_STEPS => least / steps,
            _ => wanted,
        }
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
        if let Some(files) = self.files.as_ref().filter(|_| place.part != self.loaded) {
            // What was there goes first, for there is not room for both.
            self.records = vec![];
            self.records = read_part(&files.path(place.part))?;
            self.loaded = place.part;
        }
        Ok(&self.records)
    }
}

/// Ends if somebody wants that.
fn look_for_stop(stop: &AtomicBool) -> Result<(), DatasetError> {
    if stop.load(Ordering::Relaxed) { Err(DatasetError::Stopped) } else { Ok(()) }
}

/// How many positions there may be, by what the heads of the blocks say.
fn expected_positions(files: &[PathBuf], filter: &Filter, stop: &AtomicBool) -> Result<u64, DatasetError> {
    let mut sum = 0;
    for file in files {
        let mut reader = DataReader::open(file).map_err(DatasetError::Data)?;
        while let Some(block) = reader.next_block() {
            look_for_stop(stop)?;
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
            let scale = f32::from(settings.scale);
            let placed: Vec<_> = game.positions().collect();
            let returns = returns(&placed, settings.lambda as f32, scale);
            for (placed, returned) in placed.iter().zip(returns) {
                records.extend(settings.filter.pack(placed, returned, scale, lot, &mut packed.counts));
            }
        }
        Ok(packed)
    }
}

/// The same for the same game, wherever it is: twice the same game is held out twice or not at all.
pub(in crate::training) fn game_hash(game: &SelfplayGame) -> u64 {
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
    /// Else, with their files, which are closed before they are removed.
    writers: Vec<BufWriter<File>>,
    files: Option<PartFiles>,
}

impl Sink {
    fn new(settings: &Settings, parts: u64, folder: &Path) -> Result<Sink, DatasetError> {
        let mut sink = Sink {
            drop_duplicates: settings.filter.drop_duplicates,
            counts: Counts::default(),
            fingerprint: 0,
            seen: Keys::default(),
            seen_validation: Keys::default(),
            validation: vec![],
            records: vec![],
            writers: vec![],
            files: None,
        };
        if parts > 1 {
            std::fs::create_dir_all(folder)
                .map_err(|error| DatasetError::Part(folder.to_path_buf(), error))?;
            let files = sink.files.insert(PartFiles { folder: folder.to_path_buf(), count: parts as usize });
            for part in 0..files.count {
                let path = files.path(part);
                let file = File::create(&path).map_err(|error| DatasetError::Part(path, error))?;
                sink.writers.push(BufWriter::with_capacity(1 << 16, file));
            }
        }
        Ok(sink)
    }

    fn take(&mut self, packed: Packed) -> Result<(), DatasetError> {
        self.counts.add(&packed.counts);
        self.fingerprint = packed.validation.iter().chain(&packed.training).fold(self.fingerprint, stamped);
        for record in packed.validation {
            if self.drop_duplicates && !self.seen_validation.insert(record.key()) {
                self.counts.duplicates += 1;
            } else if self.validation.len() < MAX_VALIDATION {
                self.validation.push(record);
            }
        }
        for record in packed.training {
            let key = record.key();
            if let Some(files) = &self.files {
                let part = (mix(key) % files.count as u64) as usize;
                self.writers[part]
                    .write_all(&record.to_bytes())
                    .map_err(|error| DatasetError::Part(files.path(part), error))?;
            } else if self.drop_duplicates && !self.seen.insert(key) {
                self.counts.duplicates += 1;
            } else {
                self.records.push(record);
            }
        }
        Ok(())
    }

    fn finish(mut self, stop: &AtomicBool) -> Result<Dataset, DatasetError> {
        let mut sizes = vec![self.records.len() as u64];
        let mut loaded = 0;
        if let Some(files) = &self.files {
            sizes.clear();
            loaded = usize::MAX;
            for (part, mut file) in self.writers.drain(..).enumerate() {
                look_for_stop(stop)?;
                let path = files.path(part);
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
            files: self.files,
        };
        match dataset.is_empty() {
            true => Err(DatasetError::Empty(Box::new(dataset.counts))),
            false => Ok(dataset),
        }
    }
}

/// The fingerprint of some positions and one more.
fn stamped(fingerprint: u64, record: &Record) -> u64 {
    let worth = u64::from(record.score as u16)
        | u64::from(record.half_points()) << 16
        | u64::from(record.target(1.0).to_bits()) << 32;
    mix(fingerprint ^ record.key() ^ mix(worth))
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
