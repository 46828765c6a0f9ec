//! The beginning of a file: what it is and where its games come from.

use super::DataError;
use serde_json::Value;
use std::io::{self, Read};

/// By what a file is known.
const MAGIC: [u8; 8] = *b"AdoubeGD";
/// The version of the format.
pub(super) const VERSION: u16 = 1;
/// Bytes before the line of JSON.
const FIXED: usize = 20;
/// A longer line is none of ours, in bytes.
const LONGEST_LINE: u32 = 1 << 20;

/// Where games come from: program, evaluation, options, other files, as an object of JSON.
#[derive(Clone, PartialEq, Debug)]
pub struct Origin(pub Value);

impl Origin {
    /// The header of a file of these games.
    pub fn to_bytes(&self) -> Vec<u8> {
        let line = self.line();
        let mut fields = vec![];
        fields.extend(VERSION.to_le_bytes());
        fields.extend(0u16.to_le_bytes());
        fields.extend((line.len() as u32).to_le_bytes());
        let crc = checksum(&fields, line.as_bytes());
        [&MAGIC[..], &fields, &crc.to_le_bytes(), line.as_bytes()].concat()
    }

    /// False if the header would be longer than one that is read.
    pub fn fits(&self) -> bool {
        self.line().len() <= LONGEST_LINE as usize
    }

    fn line(&self) -> String {
        format!("{}\n", self.0)
    }

    /// Reads a header, and says how long it is.
    pub(super) fn read(input: &mut impl Read, file: &str) -> Result<(Origin, u64), DataError> {
        let damaged = |what: &str| DataError::Header { file: file.into(), what: what.into() };
        let failed = |error: io::Error| DataError::Io { file: file.into(), error };
        let mut fixed = vec![];
        input.by_ref().take(FIXED as u64).read_to_end(&mut fixed).map_err(failed)?;
        if fixed.len() < MAGIC.len() && MAGIC.starts_with(&fixed) {
            return Err(damaged("it is cut off"));
        }
        if !fixed.starts_with(&MAGIC) {
            return Err(DataError::Foreign { file: file.into() });
        }
        let Some((fields, crc)) = fixed[MAGIC.len()..].split_at_checked(8) else {
            return Err(damaged("it is cut off"));
        };
        let version = u16::from_le_bytes([fields[0], fields[1]]);
        if version != VERSION {
            return Err(DataError::Version { file: file.into(), found: version });
        }
        let (Ok(crc), Ok(length)) = (crc.try_into(), fields[4..].try_into()) else {
            return Err(damaged("it is cut off"));
        };
        let (crc, length) = (u32::from_le_bytes(crc), u32::from_le_bytes(length));
        if length > LONGEST_LINE {
            return Err(damaged("the length of its line makes no sense"));
        }
        let mut line = vec![];
        input.by_ref().take(length.into()).read_to_end(&mut line).map_err(failed)?;
        if line.len() < length as usize {
            return Err(damaged("it is cut off"));
        }
        if checksum(fields, &line) != crc {
            return Err(damaged("its checksum is wrong"));
        }
        let value: Value =
            serde_json::from_slice(&line).map_err(|error| damaged(&format!("no JSON: {error}")))?;
        Ok((Origin(value), (FIXED + line.len()) as u64))
    }
}

fn checksum(fields: &[u8], line: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(fields);
    hasher.update(line);
    hasher.finalize()
}
