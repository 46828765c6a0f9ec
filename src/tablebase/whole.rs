//! Whether a file of a table is there to its end, and whether the library can take its beginning: it believes what it
//! reads, and a beginning with holes of zeros, such as a download leaves that has not come to its end, kills the process. The
//! format is described by its author's program (<https://github.com/syzygy1/tb>).

use super::WINS;
use crate::sys::files::must_be_ordinary;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// An entry of the index is for two to the power of so many positions at most.
const MOST_INDEX_BITS: u8 = 31;

/// A pair of symbols has this on its right if it is none, but a value.
const VALUE: usize = 0xfff;

/// True if a file begins like one of its kind, has the size that one has, blocks of 64 bytes and a sum of 16 bytes, a sum,
/// and room for all the blocks that its beginning speaks of: a download that has not come to its end may have all its size
/// already. The pieces that it speaks of are those of its name, and its symbols lead to values. The sum itself would take
/// reading all of the file. `name` is that of the table: `KQvKR`.
///
/// # Errors
/// If it cannot be read.
pub(super) fn is_whole(file: &Path, magic: [u8; 4], name: &str) -> io::Result<bool> {
    must_be_ordinary(file)?;
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

    fn take_some(&mut self, count: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; count as usize];
        self.file.read_exact(&mut bytes)?;
        self.at += count;
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
        if has_pawns != name.contains('P') {
            return Ok(None);
        }
        let pieces = pieces(name);
        let pawns_on_both = name.split('v').all(|side| side.contains('P'));
        // With pawns there is a set for each file of the leading one. First come the orders in which the pieces of each are
        // counted: a byte for a piece, behind one or two others, and of it one half for White to move and one for Black.
        let sets = if has_pawns { 4 } else { 1 };
        for _ in 0..sets {
            let places = self.take_some(1 + u64::from(pawns_on_both))?;
            let order = self.take_some(pieces.len() as u64)?;
            let is_right = |shift: u32| {
                let half = |byte: &u8| byte >> shift & 0xf;
                // Places among the groups of like pieces, of which there are fewer than pieces.
                places.iter().map(half).all(|place| usize::from(place) < pieces.len())
                    && is_order(order.iter().map(half), &pieces)
            };
            if !is_right(0) || both_sides && !is_right(4) {
                return Ok(None);
            }
        }
        self.skip(self.at % 2)?;
        let mut blocks = 0;
        for _ in 0..sets * (1 + u64::from(both_sides)) {
            let Some(of_set) = self.set()? else { return Ok(None) };
            blocks += of_set;
        }
        // A sum of 16 bytes comes last.
        Ok(Some(self.at + blocks + 16))
    }

    /// Reads what is said of one set of positions: bytes of its blocks and of their sizes; `None` if it cannot be so.
    fn set(&mut self) -> io::Result<Option<u64>> {
        let [flags, block_size] = self.take()?;
        // All its positions are alike.
        if flags & 0x80 != 0 {
            return Ok(Some(0));
        }
        let [index_bits, spare] = self.take()?;
        // With none the library takes all positions for alike, and where in a block one stands it counts in 32 bits with a
        // sign.
        if !(1..=MOST_INDEX_BITS).contains(&index_bits) {
            return Ok(None);
        }
        let count = u64::from(u32::from_le_bytes(self.take()?));
        let [longest, shortest] = self.take()?;
        // Codes have a bit at least, and the library takes them from words of 64.
        if shortest == 0 || longest < shortest || longest > 63 {
            return Ok(None);
        }
        // Of the code: the first symbol of each length, then its symbols, three bytes each.
        self.skip(2 * (u64::from(longest - shortest) + 1))?;
        let symbols = u64::from(u16::from_le_bytes(self.take()?));
        let pairs = self.take_some(3 * symbols)?;
        self.skip(symbols % 2)?;
        if symbols == 0 || symbols > VALUE as u64 || !leads_to_values(&pairs) {
            return Ok(None);
        }
        Ok(Some(count.saturating_mul(1 << block_size.min(32)) + 2 * (count + u64::from(spare))))
    }
}

/// The pieces of a table as its file writes them, sorted: pawn to king 1 to 6, for the other side 9 to 14.
fn pieces(name: &str) -> Vec<u8> {
    let sides = name.split('v').zip([1, 9]);
    let letters = sides.flat_map(|(side, first)| side.chars().map(move |letter| (letter, first)));
    let mut pieces: Vec<u8> =
        letters.filter_map(|(letter, first)| Some("PNBRQK".find(letter)? as u8 + first)).collect();
    pieces.sort_unstable();
    pieces
}

/// True if these are the pieces, in whatever order.
fn is_order(order: impl Iterator<Item = u8>, pieces: &[u8]) -> bool {
    let mut order: Vec<u8> = order.collect();
    order.sort_unstable();
    order == pieces
}

/// True if every symbol is a value or a pair of others that lead to values in the end, none of them to itself: the library
/// follows them without looking.
fn leads_to_values(pairs: &[u8]) -> bool {
    let count = pairs.len() / 3;
    let parts = |symbol: usize| -> Option<[usize; 2]> {
        let [low, middle, high] = [0, 1, 2].map(|index| usize::from(pairs[3 * symbol + index]));
        let right = high << 4 | middle >> 4;
        (right != VALUE).then_some([(middle & 0xf) << 8 | low, right])
    };
    // Which lead to values, and which are being followed.
    let (mut known, mut begun) = (vec![false; count], vec![false; count]);
    let mut stack = vec![];
    for symbol in 0..count {
        stack.push(symbol);
        while let Some(&symbol) = stack.last() {
            let parts = parts(symbol).into_iter().flatten();
            let open: Vec<usize> = parts.filter(|&part| known.get(part) != Some(&true)).collect();
            if known[symbol] || open.is_empty() {
                known[symbol] = true;
                stack.pop();
            } else if begun[symbol] || open.iter().any(|&part| part >= count) {
                return false;
            } else {
                begun[symbol] = true;
                stack.extend(open);
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::DISTANCES;
    use super::*;
    use crate::sys::scratch::Scratch;

    /// The pieces as a file has them, in the same order for both sides to move.
    fn order(name: &str) -> Vec<u8> {
        let pawns_on_both = name.split('v').all(|side| side.contains('P'));
        let places = if pawns_on_both { &[0x00, 0x11][..] } else { &[0x00] };
        places.iter().copied().chain(pieces(name).into_iter().map(|piece| piece * 0x11)).collect()
    }

    /// A symbol that is a value.
    const LEAF: [u8; 3] = [1, 0xf0, 0xff];

    #[test]
    fn files_that_end_before_their_blocks_are_not_whole() {
        let folder = Scratch::new();
        let file = folder.join("table");
        // For both sides: blocks of 64 bytes, three and none spare, codes of one and two bits, one symbol.
        let set = [&[0, 6, 8, 0, 3, 0, 0, 0, 2, 1][..], &[0; 4], &[1, 0], &LEAF, &[0]].concat();
        let order = order("KQvK");
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
    }

    #[test]
    fn tables_with_pawns_and_those_of_distances_are_as_long_as_their_heads_say() {
        let folder = Scratch::new();
        let file = folder.join("table");
        // Blocks of 64 bytes, three and forty spare, codes of one to four bits, two symbols.
        let set = [&[0, 6, 8, 40, 3, 0, 0, 0, 4, 1][..], &[0; 8], &[2, 0], &LEAF, &LEAF].concat();
        let blocks = 3 * 64 + 2 * (3 + 40);
        for (name, magic, flags, orders, sets) in [
            ("KQvK", WINS.1, 0, 4, 1),
            // For each file of the leading pawn there is a set; pawns on both sides have an order of their own.
            ("KPvK", WINS.1, 2, 4 * 4, 4),
            ("KPvKP", WINS.1, 2, 4 * 6, 4),
            ("KPvKP", WINS.1, 3, 4 * 6, 8),
            // Of distances there are those for one side.
            ("KQvK", DISTANCES.1, 1, 4, 1),
            ("KPvK", DISTANCES.1, 3, 4 * 4, 4),
        ] {
            let order = order(name);
            let mut head = [&magic[..], &[flags], &order.repeat(orders / order.len())].concat();
            assert_eq!(head.len(), 5 + orders, "{name}");
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
    }

    #[test]
    fn a_beginning_that_would_kill_the_library_is_none() {
        let folder = Scratch::new();
        let file = folder.join("table");
        let is_whole = |name: &str, flags: u8, order: &[u8], set: &[u8]| {
            let mut bytes = [&WINS.1[..], &[flags], order].concat();
            bytes.resize(bytes.len().next_multiple_of(2), 0);
            bytes.extend(set);
            bytes.resize((bytes.len() + 1024).next_multiple_of(64) + 16, 7);
            std::fs::write(&file, &bytes).unwrap();
            super::is_whole(&file, WINS.1, name).unwrap()
        };
        let set = |lengths: [u8; 2], symbols: &[[u8; 3]]| {
            let offsets = vec![0; 2 * (usize::from(lengths[0].saturating_sub(lengths[1])) + 1)];
            let count = (symbols.len() as u16).to_le_bytes();
            let mut set =
                [&[0, 6, 8, 0, 3, 0, 0, 0][..], &lengths, &offsets, &count, &symbols.concat()].concat();
            set.resize(set.len().next_multiple_of(2), 0);
            set
        };
        let pair = |left: u16, right: u16| {
            let [low, high] = left.to_le_bytes();
            [low, high | (right << 4) as u8, (right >> 4) as u8]
        };
        let good = set([2, 1], &[pair(1, 2), LEAF, pair(1, 1)]);
        let own = order("KQvK");
        for (lengths, symbols, whole) in [
            ([2, 1], &[pair(1, 2), LEAF, pair(1, 1)][..], true),
            ([2, 1], &[pair(2, 1), pair(2, 2), LEAF], true),
            // A hole, at the front or behind.
            ([2, 1], &[[0; 3], LEAF, pair(1, 1)], false),
            ([2, 1], &[pair(1, 2), pair(0, 0), LEAF], false),
            ([2, 1], &[pair(1, 1), pair(2, 2), pair(1, 1), LEAF], false),
            ([2, 1], &[pair(2, 2), LEAF, pair(1, 2)], false),
            // Of three symbols none is the fourth.
            ([2, 1], &[pair(1, 3), LEAF, LEAF], false),
            ([2, 1], &[pair(0xffe, 1), LEAF, LEAF], false),
            ([2, 1], &[], false),
            ([1, 2], &[LEAF], false),
            ([0, 0], &[LEAF], false),
            ([70, 1], &[LEAF], false),
            // As many as there may be, and one more.
            ([2, 1], &[LEAF; 4095], true),
            ([2, 1], &[LEAF; 4096], false),
        ] {
            let set = set(lengths, symbols);
            let told = &symbols[..symbols.len().min(4)];
            assert_eq!(is_whole("KQvK", 0, &own, &set), whole, "{lengths:?} {told:?}");
        }
        // The pieces stand in any order, each half of a byte for a side to move.
        let both = [&good[..], &good].concat();
        for (name, flags, order, whole) in [
            ("KQvK", 0, &[0, 0x5, 0x6, 0xe][..], true),
            ("KQvK", 0, &[0, 0x6, 0xe, 0x5], true),
            ("KQvK", 1, &[0, 0x56, 0x65, 0xee], true),
            ("KQvK", 1, &[0, 0x06, 0x05, 0x0e], false),
            ("KQvK", 0, &[0; 4], false),
            ("KQvK", 0, &[0, 0x4, 0x6, 0xe], false),
            ("KQvK", 0, &[0, 0xd, 0x6, 0xe], false),
            ("KRvK", 0, &[0, 0x4, 0x6, 0xe], true),
            ("KQvKR", 0, &[0, 0xc, 0x6, 0xe, 0x5], true),
            ("KQvKR", 0, &[0, 0x4, 0x6, 0xe, 0xd], false),
            // The place of the first group is one of theirs, for each side that the file is for.
            ("KQvK", 0, &[0x02, 0x5, 0x6, 0xe], true),
            ("KQvK", 0, &[0xf2, 0x5, 0x6, 0xe], true),
            ("KQvK", 0, &[0x03, 0x5, 0x6, 0xe], false),
            ("KQvK", 1, &[0x12, 0x55, 0x66, 0xee], true),
            ("KQvK", 1, &[0xf2, 0x55, 0x66, 0xee], false),
            // Pawns are told of in their name and in the file.
            ("KQvK", 2, &[0, 0x5, 0x6, 0xe], false),
            ("KPvK", 0, &[0, 0x1, 0x6, 0xe], false),
        ] {
            assert_eq!(is_whole(name, flags, order, &both), whole, "{name} {flags} {order:x?}");
        }
        for (bits, whole) in [(1, true), (31, true), (0, false), (32, false), (255, false)] {
            let mut set = good.clone();
            set[2] = bits;
            assert_eq!(is_whole("KQvK", 0, &own, &set), whole, "{bits} bits");
        }
    }
}
