//! Some games together, compressed and with a checksum.

use super::SelfplayGame;
use super::codec;

/// Games of a block; the last one of a file may have fewer.
pub const GAMES_PER_BLOCK: usize = 256;

/// By what a block is known, wherever it begins.
pub(super) const MAGIC: [u8; 8] = *b"\xd1GDblock";
/// Bytes before the payload.
pub(super) const HEAD: usize = 40;
/// More is none of ours.
const LARGEST: u32 = 1 << 28;
/// Zstandard's level: higher ones gain one part in a hundred.
const LEVEL: i32 = 12;

/// What a block says of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockHead {
    /// The number of its first game in the file, from 0.
    pub first: u64,
    /// Games.
    pub games: u32,
    /// Plies of all its games.
    pub plies: u32,
    /// Quiet positions of all its games.
    pub quiet: u32,
    /// Length of the payload before compression, in bytes.
    pub raw: u32,
    /// Length of the payload in the file, in bytes.
    pub stored: u32,
}

impl BlockHead {
    fn to_bytes(self) -> Vec<u8> {
        let BlockHead { first, games, plies, quiet, raw, stored } = self;
        let mut bytes = first.to_le_bytes().to_vec();
        for number in [games, plies, quiet, raw, stored] {
            bytes.extend(number.to_le_bytes());
        }
        bytes
    }

    /// The head in the bytes between magic word and checksum, if its numbers make sense.
    fn from_bytes(bytes: &[u8; 28]) -> Option<BlockHead> {
        let (first, rest) = bytes.split_first_chunk()?;
        let (fours, _) = rest.as_chunks();
        let mut numbers = fours.iter().map(|&four| u32::from_le_bytes(four));
        let mut next = || numbers.next();
        let head = BlockHead {
            first: u64::from_le_bytes(*first),
            games: next()?,
            plies: next()?,
            quiet: next()?,
            raw: next()?,
            stored: next()?,
        };
        let sound = head.raw <= LARGEST && head.stored <= LARGEST && head.games <= GAMES_PER_BLOCK as u32;
        (sound && head.plies <= head.raw && head.quiet <= head.plies).then_some(head)
    }

    /// Bytes that the block takes in a file.
    pub fn size(&self) -> u64 {
        (HEAD + self.stored as usize) as u64
    }
}

/// A block as it is in a file. Its checksum is right, but its games have not been looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it says of itself.
    pub head: BlockHead,
    payload: Vec<u8>,
}

impl Block {
    /// A block of these games, the first of which has number `first` in its file. Their moves must be legal.
    pub fn of(first: u64, games: &[SelfplayGame]) -> Block {
        let raw = codec::encode(games);
        let payload = zstd::bulk::compress(&raw, LEVEL).expect("the level is one of Zstandard's");
        let head = BlockHead {
            first,
            games: games.len() as u32,
            plies: games.iter().map(|game| game.plies.len() as u32).sum(),
            quiet: games.iter().map(|game| game.quiet_positions() as u32).sum(),
            raw: raw.len() as u32,
            stored: payload.len() as u32,
        };
        Block { head, payload }
    }

    /// As it is written.
    pub fn to_bytes(&self) -> Vec<u8> {
        let fields = self.head.to_bytes();
        let crc = checksum(&fields, &self.payload);
        [&MAGIC[..], &fields, &crc.to_le_bytes(), &self.payload].concat()
    }

    /// Its games.
    ///
    /// # Errors
    /// What is wrong, if it was not written by [`Block::to_bytes`].
    pub fn games(&self) -> Result<Vec<SelfplayGame>, String> {
        let raw = zstd::bulk::decompress(&self.payload, self.head.raw as usize)
            .map_err(|error| format!("its payload cannot be decompressed: {error}"))?;
        if raw.len() != self.head.raw as usize {
            let expected = self.head.raw;
            return Err(format!("its payload has {} bytes instead of {expected}", raw.len()));
        }
        codec::decode(&raw, self.head.games as usize, self.head.plies as usize)
    }

    /// The head of the block that begins with these bytes, and its checksum.
    pub(super) fn head_of(bytes: &[u8; HEAD]) -> Result<(BlockHead, u32), String> {
        if !bytes.starts_with(&MAGIC) {
            return Err("it does not begin as blocks do".into());
        }
        let head = bytes[8..].first_chunk().and_then(BlockHead::from_bytes);
        let crc = bytes.last_chunk().copied().map(u32::from_le_bytes);
        head.zip(crc).ok_or_else(|| "its head makes no sense".into())
    }

    /// The block with this head, checksum and payload.
    pub(super) fn checked(head: BlockHead, crc: u32, payload: Vec<u8>) -> Result<Block, String> {
        if payload.len() < head.stored as usize {
            return Err(format!("it is cut off after {} bytes of {}", payload.len(), head.stored));
        }
        if checksum(&head.to_bytes(), &payload) != crc {
            return Err("its checksum is wrong".into());
        }
        Ok(Block { head, payload })
    }
}

fn checksum(fields: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(fields);
    hasher.update(payload);
    hasher.finalize()
}
