//! The file from which a run goes on.
//!
//! Everything little-endian: the eight bytes `AdoubeCP`; the version, four bytes; the length of a line of JSON, four bytes,
//! and the line, which is [`Progress`]; then the numbers of [`State`] as floats, weights, means, squares, each in the order
//! of [`Parameters::parts`]; last the CRC-32 of all this.

use super::core::State;
use super::model::Parameters;
use super::rounding::Outputs;
use super::settings::Settings;
use crate::sys::files::{must_be_ordinary, write_whole};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"AdoubeCP";
const VERSION: u32 = 2;
/// Magic word, version, length of the line.
const FIXED: usize = 16;

/// Why there is no checkpoint.
#[derive(Debug)]
pub enum CheckpointError {
    /// Reading or writing fails.
    Io(PathBuf, io::Error),
    /// It is no checkpoint, or one that cannot be used; why.
    Unusable(PathBuf, String),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            CheckpointError::Unusable(path, why) => write!(f, "the checkpoint {}: {why}", path.display()),
        }
    }
}

impl std::error::Error for CheckpointError {}

/// What came of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// Its number, from 1.
    pub round: u64,
    /// The mean loss of the positions learnt from, each before the step that it was in.
    pub training_loss: f64,
    /// The mean loss of the positions held out, after the round; none if there are none.
    pub validation_loss: Option<f64>,
    /// The learning rate at its end.
    pub rate: f64,
    /// The share of what came later in the target at its end.
    pub wdl: f64,
    /// Positions a second of its training, by the wall's clock.
    pub speed: f64,
}

/// How far a run has come.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// What run it is.
    pub settings: Settings,
    /// Of the positions that it learns from.
    pub fingerprint: u64,
    /// In how many parts they are held.
    pub parts: usize,
    /// Steps done.
    pub step: u64,
    /// The sum of the losses in the round under way.
    pub loss: f64,
    /// The positions that they are of.
    pub positions: u64,
    /// Seconds that the round has taken.
    pub seconds: f64,
    /// The rounds done.
    pub rounds: Vec<Round>,
    /// The output weights as they were rounded at the end; nothing before it.
    pub outputs: Option<Outputs>,
    /// The network or checkpoint that it began with, by name.
    #[serde(default)]
    pub from: Option<String>,
}

/// Writes a checkpoint in the place of the one before, which remains until this one is whole.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, progress: &Progress, state: &State) -> Result<(), CheckpointError> {
    let line = serde_json::to_string(progress).map_err(|error| {
        CheckpointError::Unusable(path.to_path_buf(), format!("its line cannot be made: {error}"))
    })?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((line.len() as u32).to_le_bytes());
    bytes.extend(line.as_bytes());
    for parameters in [&state.weights, &state.means, &state.squares] {
        for part in parameters.parts() {
            bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
        }
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    write_whole(path, &bytes).map_err(|error| CheckpointError::Io(path.to_path_buf(), error))
}

/// Reads a checkpoint.
///
/// # Errors
/// If it cannot be read, is something else, of another version, damaged or cut off.
pub fn read(path: &Path) -> Result<(Progress, State), CheckpointError> {
    let bytes = read_file(path).map_err(|error| CheckpointError::Io(path.to_path_buf(), error))?;
    parse(&bytes).map_err(|why| CheckpointError::Unusable(path.to_path_buf(), why))
}

/// The bytes of a checkpoint; of anything else, which may be larger than the memory, the first few.
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

fn parse(bytes: &[u8]) -> Result<(Progress, State), String> {
    if !bytes.starts_with(MAGIC) {
        return Err("this is none: it does not begin with 'AdoubeCP'".into());
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
    let progress: Progress =
        serde_json::from_slice(&bytes[FIXED..end]).map_err(|error| format!("its line: {error}"))?;
    progress.settings.check()?;
    let architecture = progress.settings.architecture();
    let mut state = State::new(&architecture, Parameters::zero(&architecture));
    let (numbers, rest) = bytes[end..sealed].as_chunks::<4>();
    let mut numbers = numbers.iter().map(|&four| f32::from_le_bytes(four));
    let parts = [&mut state.weights, &mut state.means, &mut state.squares];
    for to in parts.into_iter().flat_map(Parameters::parts_mut).flatten() {
        *to = numbers.next().ok_or("it has too few numbers for its sizes")?;
    }
    if numbers.next().is_some() || !rest.is_empty() {
        return Err("it has too many numbers for its sizes".into());
    }
    Ok((progress, state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    fn sample() -> (Progress, State) {
        let settings = Settings { hidden: 32, king_buckets: 2, output_buckets: 3, ..Settings::default() };
        let architecture = settings.architecture();
        let state = State {
            weights: Parameters::random(&architecture, 1),
            means: Parameters::random(&architecture, 2),
            squares: Parameters::random(&architecture, 3),
        };
        let round = Round {
            round: 1,
            training_loss: 0.1,
            validation_loss: Some(1.0 / 3.0),
            rate: 1e-3,
            wdl: 0.1,
            speed: 1e6,
        };
        let (fingerprint, loss) = (u64::MAX - 5, 0.1 + 0.2);
        let rounds = vec![round];
        (
            Progress {
                settings,
                fingerprint,
                parts: 3,
                step: 7,
                loss,
                positions: 9,
                seconds: 0.7,
                rounds,
                outputs: Some(Outputs { weights: vec![1, -2], biases: vec![3] }),
                from: Some("a.nnue".into()),
            },
            state,
        )
    }

    #[test]
    fn what_is_written_is_read_to_the_last_bit() {
        let folder = Scratch::new();
        let path = folder.join("a.checkpoint");
        let (progress, state) = sample();
        for _ in 0..2 {
            write(&path, &progress, &state).unwrap();
        }
        let (progress_again, state_again) = read(&path).unwrap();
        assert!(progress == progress_again && state == state_again);
        assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 1, "nothing else is left");
        let told = read(&folder.join("none")).unwrap_err().to_string();
        assert!(told.contains("none"), "{told}");

        let bytes = std::fs::read(&path).unwrap();
        for length in (0..400).chain((400..bytes.len()).step_by(1009)) {
            assert!(parse(&bytes[..length]).is_err(), "{length} bytes");
        }
        for at in (0..400).chain((400..bytes.len()).step_by(1009)) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert!(parse(&damaged).is_err(), "byte {at}");
        }
        for (bytes, hint) in [
            (&b"AdoubeNN........"[..], "does not begin with 'AdoubeCP'"),
            (b"AdoubeCP\x09\0\0\0....", "version 9"),
            (&bytes[..bytes.len() / 2], "checksum"),
        ] {
            let told = parse(bytes).unwrap_err();
            assert!(told.contains(hint), "{told}");
        }
    }
}
