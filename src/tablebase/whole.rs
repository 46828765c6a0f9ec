//! Whether a file of a table is there to its end. The format is described by its author's program
//! (<https://github.com/syzygy1/tb>).

use super::WINS;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// True if a file begins like one of its kind, has the size that one has, blocks of 64 bytes and a sum of 16 bytes, a sum,
/// and room for all the blocks that its beginning speaks of: a download that has not come to its end may have all its size
/// already. The sum itself would take reading them all. `name` is that of the table: `KQvKR`.
///
/// # Errors
/// If it cannot be read.
pub(super) fn is_whole(file: &Path, magic: [u8; 4], name: &str) -> io::Result<bool> {
    let mut file = File::open(file)?;
    let size = file.metadata()?.len();
    if size % 64 != 16 {
        return Ok(false);
    }
    let mut sum = [0; 16];
    file.seek(SeekFrom::End(-16))?;
    file.read_exact(&mut sum)?;
    if sum == [0; 16] {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(0))?;
    let mut head = Head { file: BufReader::new(file), at: 0 };
    match head.least_size(magic, name) {
        Ok(least) => Ok(least.is_some_and(|least| least <= size)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The beginning of a file, read from the first byte on.
struct Head {
    file: BufReader<File>,
    /// Where the next byte is.
    at: u64,
}

impl Head {
    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn skip(&mut self, count: u64) -> io::Result<()> {
        self.file.seek_relative(count as i64)?;
        self.at += count;
        Ok(())
    }

    /// Bytes that the file has at least, by what stands in its head; `None` if it begins otherwise. The indices of blocks,
    /// a small part, are not counted: their number follows from that of the positions.
    fn least_size(&mut self, magic: [u8; 4], name: &str) -> io::Result<Option<u64>> {
        if self.take()? != magic {
            return Ok(None);
        }
        let [flags] = self.take()?;
        // Distances are for one side alone.
        let (both_sides, has_pawns) = (magic == WINS.1 && flags & 1 != 0, flags & 2 != 0);
        let pieces = name.len() as u64 - 1;
        let pawns_on_both = name.split('v').all(|side| side.contains('P'));
        // With pawns there is a set for each file of the leading one. First come the orders of the pieces.
        let sets = if has_pawns { 4 } else { 1 };
        self.skip(sets * (pieces + 1 + u64::from(pawns_on_both)))?;
        self.skip(self.at % 2)?;
        let mut blocks = 0;
        for _ in 0..sets * (1 + u64::from(both_sides)) {
            blocks += self.set()?;
        }
        // A sum of 16 bytes comes last.
        Ok(Some(self.at + blocks + 16))
    }

    /// Passes over what is said of one set of positions: bytes of its blocks and of their sizes.
    fn set(&mut self) -> io::Result<u64> {
        let [flags, block_size] = self.take()?;
        // All its positions are alike.
        if flags & 0x80 != 0 {
            return Ok(0);
        }
        let [_index_bits, spare] = self.take()?;
        let count = u64::from(u32::from_le_bytes(self.take()?));
        let [longest, shortest] = self.take()?;
        // Of the code: the first symbol of each length, then its symbols, three bytes each.
        self.skip(2 * (u64::from(longest.saturating_sub(shortest)) + 1))?;
        let symbols = u64::from(u16::from_le_bytes(self.take()?));
        self.skip(3 * symbols + symbols % 2)?;
        Ok(count.saturating_mul(1 << block_size.min(32)) + 2 * (count + u64::from(spare)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::DISTANCES;
    use super::*;

    #[test]
    fn files_that_end_before_their_blocks_are_not_whole() {
        let file = std::env::temp_dir().join(format!("adoube-table-{}", std::process::id()));
        // For both sides: blocks of 64 bytes, three and none spare, codes of one and two bits, one symbol.
        let set = [&[0, 6, 8, 0, 3, 0, 0, 0, 2, 1][..], &[0; 4], &[1, 0], &[0; 4]].concat();
        let order = [0, 1, 2, 3];
        let alike = [0x80, 2];
        let head = |flags: u8, sets: &[&[u8]]| [&WINS.1[..], &[flags], &order, &[0], &sets.concat()].concat();
        let is_whole = |head: &[u8], size: usize| {
            let mut bytes = head.to_vec();
            bytes.resize(size, 7);
            std::fs::write(&file, &bytes).unwrap();
            super::is_whole(&file, WINS.1, "KQvK").unwrap()
        };
        for (head, blocks) in [
            (head(0, &[&set]), 1),
            (head(1, &[&set, &set]), 2),
            (head(1, &[&set, &alike]), 1),
            (head(1, &[&alike, &set]), 1),
        ] {
            let least = head.len() + blocks * (3 * 64 + 3 * 2) + 16;
            let least = least - 16 + (64 - (least - 16) % 64) % 64 + 16;
            assert!(is_whole(&head, least) && is_whole(&head, least + 64), "{head:?}");
            assert!(!is_whole(&head, least - 64) && !is_whole(&head, least + 1), "{head:?}");
            assert!(!is_whole(&[&b"x"[..], &head[1..]].concat(), least));
        }
        assert!(!is_whole(&head(0, &[]), 80), "a head of rubbish, which asks for more than there is");
        assert!(!is_whole(&WINS.1, 16), "it ends within its head");
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn tables_with_pawns_and_those_of_distances_are_as_long_as_their_heads_say() {
        let file = std::env::temp_dir().join(format!("adoube-table-pawns-{}", std::process::id()));
        // Blocks of 64 bytes, three and forty spare, codes of one to four bits, two symbols.
        let set = [&[0, 6, 8, 40, 3, 0, 0, 0, 4, 1][..], &[0; 8], &[2, 0], &[0; 6]].concat();
        let blocks = 3 * 64 + 2 * (3 + 40);
        for (name, magic, flags, order, sets) in [
            ("KQvK", WINS.1, 0, 4, 1),
            // For each file of the leading pawn there is a set; pawns on both sides have an order of their own.
            ("KPvK", WINS.1, 2, 4 * 4, 4),
            ("KPvKP", WINS.1, 2, 4 * 6, 4),
            ("KPvKP", WINS.1, 3, 4 * 6, 8),
            // Of distances there are those for one side.
            ("KQvK", DISTANCES.1, 1, 4, 1),
            ("KPvK", DISTANCES.1, 3, 4 * 4, 4),
        ] {
            let mut head = [&magic[..], &[flags], &vec![0; order]].concat();
            head.resize(head.len().next_multiple_of(2), 0);
            head.extend(set.repeat(sets));
            let least = (head.len() + sets * blocks).next_multiple_of(64) + 16;
            for (size, whole) in [(least, true), (least - 64, false)] {
                let mut bytes = head.clone();
                bytes.resize(size, 7);
                std::fs::write(&file, &bytes).unwrap();
                assert_eq!(is_whole(&file, magic, name).unwrap(), whole, "{name} {flags}, {size} bytes");
                // As a download leaves a file that has all its size already.
                bytes[size - 16..].fill(0);
                std::fs::write(&file, &bytes).unwrap();
                assert!(!is_whole(&file, magic, name).unwrap(), "no sum");
            }
        }
        std::fs::remove_file(&file).unwrap();
    }
}
