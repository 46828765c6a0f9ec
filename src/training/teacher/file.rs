//! The files of a teacher: what has learnt, and what is still learning.
//!
//! Everything little-endian: the eight bytes `AdoubeTe`; the version, four bytes; the length of a line of JSON, four bytes, and
//! the line, [`Header`]; then floats, in the order of [`Places`]: of a teacher its numbers; of one that learns its numbers, average
//! slopes, their squares, and average numbers; last the CRC-32 of all this.

use super::school::{Settings, State};
use super::weights::Places;
use crate::eval::Evaluation;
use crate::sys::files::{must_be_ordinary, write_whole};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"AdoubeTe";
const VERSION: u32 = 1;
/// Magic word, version, length of the line.
const FIXED: usize = 16;

/// What a file says of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// What it is and how it learns.
    pub settings: Settings,
    /// Whose values it knows ([`evaluation_name`]).
    pub evaluation: String,
    /// Of the positions that it learns from.
    pub fingerprint: u64,
    /// Steps done.
    pub step: u64,
    /// True if that is all of them.
    pub complete: bool,
}

/// A name that no other evaluation has.
pub fn evaluation_name(evaluation: &Evaluation) -> String {
    match evaluation {
        Evaluation::Classic => Evaluation::CLASSIC.into(),
        Evaluation::Network(network) => network.id().iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// Why there is no teacher.
#[derive(Debug)]
pub enum FileError {
    /// Reading or writing fails.
    Io(PathBuf, io::Error),
    /// It is no teacher, or one that cannot be used; why.
    Unusable(PathBuf, String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            FileError::Unusable(path, why) => write!(f, "the teacher {}: {why}", path.display()),
        }
    }
}

impl std::error::Error for FileError {}

/// Writes a teacher, complete or learning, in the place of what is there, which remains until this is whole.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, header: &Header, state: &State) -> Result<(), FileError> {
    let line = serde_json::to_string(header).map_err(|error| {
        FileError::Unusable(path.to_path_buf(), format!("its line cannot be made: {error}"))
    })?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((line.len() as u32).to_le_bytes());
    bytes.extend(line.as_bytes());
    let arrays = if header.complete {
        vec![&state.average]
    } else {
        vec![&state.weights, &state.means, &state.squares, &state.average]
    };
    for array in arrays {
        bytes.extend(array.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    write_whole(path, &bytes).map_err(|error| FileError::Io(path.to_path_buf(), error))
}

/// Reads a teacher. Of a complete one the state is a beginning with its numbers.
///
/// # Errors
/// If it cannot be read, is something else, of another version, damaged or cut off.
pub fn read(path: &Path) -> Result<(Header, State), FileError> {
    let bytes = read_file(path).map_err(|error| FileError::Io(path.to_path_buf(), error))?;
    parse(&bytes).map_err(|why| FileError::Unusable(path.to_path_buf(), why))
}

/// The bytes of a teacher; of anything else, which may be larger than the memory, the first few.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    must_be_ordinary(path)?;
    let mut file = File::open(path)?;
    let mut bytes = vec![];
    (&mut file).take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes == MAGIC {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn parse(bytes: &[u8]) -> Result<(Header, State), String> {
    if !bytes.starts_with(MAGIC) {
        return Err("this is none: it does not begin with 'AdoubeTe'".into());
    }
    let word =
        |at: usize| bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    let cut_off = || "it is cut off".to_string();
    let version = word(8).ok_or_else(cut_off)?;
    if version != VERSION {
        return Err(format!("it has version {version}, this program reads version {VERSION}"));
    }
    let length = word(12).ok_or_else(cut_off)? as usize;
    let sealed = bytes.len().saturating_sub(4);
    let end = FIXED.checked_add(length).filter(|&end| end <= sealed).ok_or_else(cut_off)?;
    if word(sealed) != Some(crc32fast::hash(&bytes[..sealed])) {
        return Err("it is damaged or cut off: its checksum is wrong".into());
    }
    let header: Header =
        serde_json::from_slice(&bytes[FIXED..end]).map_err(|error| format!("its line: {error}"))?;
    header.settings.check()?;
    let count = Places::new(header.settings.shape).count;
    let (numbers, rest) = bytes[end..sealed].as_chunks::<4>();
    let arrays = if header.complete { 1 } else { 4 };
    if numbers.len() != arrays * count || !rest.is_empty() {
        return Err(format!("it has not the {} numbers that are to be there", arrays * count));
    }
    let numbers: Vec<f32> = numbers.iter().map(|&four| f32::from_le_bytes(four)).collect();
    if let Some(at) = numbers.iter().position(|number| !number.is_finite()) {
        return Err(format!("its number {at} is none"));
    }
    let mut arrays = numbers.chunks_exact(count).map(<[f32]>::to_vec);
    let mut next = || arrays.next().unwrap_or_default();
    let mut state = State::new(next());
    if !header.complete {
        state = State { step: header.step, means: next(), squares: next(), average: next(), ..state };
    }
    Ok((header, state))
}
