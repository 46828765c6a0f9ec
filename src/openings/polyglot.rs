//! Books in Polyglot's format: reading and writing (M. Van den Bergh, "Polyglot book format",
//! <http://hgm.nubati.net/book_format.html>).
//!
//! A book is a sequence of records of 16 bytes, highest byte first, sorted by key: key (8 bytes), move (2), weight (2),
//! learning data (4, which nobody fills). A weight of 0 says not to play the move.

use super::file::SharedFile;
use super::polyglot_keys::RANDOM;
use crate::board::{Board, Position};
use crate::notation::uci_move::parse_uci;
use crate::types::{CastlingSide, Color, File, Move, MoveKind, Piece, PieceType, Square};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

/// The bytes of a record.
pub const RECORD: usize = 16;
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const TURN: usize = 780;
/// More records than a position can have moves, even if a careless program wrote some twice.
const MOST_RECORDS: u64 = 4096;

/// The key of a position in such books.
///
/// The format counts an en-passant square when a pawn stands where it could capture, even if it may not because of a
/// pin. A position keeps only squares where it may; [`key_after`] knows the others too.
pub fn key(position: &Position) -> u64 {
    let en_passant = position.en_passant().map(|square| square.file());
    key_with(position.board(), en_passant)
}

/// The key of the position that a legal move leads to, exactly as the format says.
pub fn key_after(before: &Position, mv: Move) -> u64 {
    let after = before.after(mv);
    let (from, to) = (mv.from(), mv.to());
    let is_double_step =
        before.kind_on(from) == Some(PieceType::Pawn) && from.rank().index().abs_diff(to.rank().index()) == 2;
    let pawns = after.pieces(after.side_to_move(), PieceType::Pawn);
    let beside = |file: usize| pawns.has(Square::new(File::ALL[file], to.rank()));
    let file = to.file().index();
    let can_be_taken = is_double_step && (file > 0 && beside(file - 1) || file < 7 && beside(file + 1));
    key_with(after.board(), can_be_taken.then(|| to.file()))
}

fn key_with(board: &Board, en_passant: Option<File>) -> u64 {
    let mut key = 0;
    for square in board.occupied() {
        if let Some(piece) = board.piece_on(square) {
            key ^= RANDOM[64 * number_of(piece) + square.index()];
        }
    }
    for (index, (color, side)) in [
        (Color::White, CastlingSide::King),
        (Color::White, CastlingSide::Queen),
        (Color::Black, CastlingSide::King),
        (Color::Black, CastlingSide::Queen),
    ]
    .into_iter()
    .enumerate()
    {
        if board.castling_rights().rook(color, side).is_some() {
            key ^= RANDOM[CASTLING + index];
        }
    }
    if let Some(file) = en_passant {
        key ^= RANDOM[EN_PASSANT + file.index()];
    }
    if board.side_to_move() == Color::White {
        key ^= RANDOM[TURN];
    }
    key
}

/// Black pawn 0, white pawn 1, black knight 2 and so on.
fn number_of(piece: Piece) -> usize {
    2 * piece.kind().index() + usize::from(piece.color() == Color::White)
}

/// A record of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Of the position.
    pub key: u64,
    /// The move: three bits each, from the lowest, for file and rank of the target, file and rank of the origin, and
    /// the promotion (0 none, 1 knight to 4 queen). Castling is king takes rook.
    pub mv: u16,
    /// How good or frequent the move is among those of the position; 0 for a move not to be played.
    pub weight: u16,
    /// Learning data.
    pub learn: u32,
}

impl Entry {
    fn from_bytes(bytes: &[u8; RECORD]) -> Entry {
        let number = |range: std::ops::Range<usize>| {
            bytes[range].iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
        };
        Entry {
            key: number(0..8),
            mv: number(8..10) as u16,
            weight: number(10..12) as u16,
            learn: number(12..16) as u32,
        }
    }

    fn to_bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }

    /// The move, if it is legal in `position`. Castling is understood as the king's two steps too, as some programs
    /// write it.
    pub fn move_in(&self, position: &Position) -> Option<Move> {
        parse_uci(&self.text(), position).ok()
    }

    /// The move as UCI would write it, castling as king takes rook, whether or not it makes sense.
    pub fn text(&self) -> String {
        let square = |bits: u16| Square::from_index((bits & 63) as u8);
        let promoted = match self.mv >> 12 {
            0 => "",
            1 => "n",
            2 => "b",
            3 => "r",
            4 => "q",
            _ => "?",
        };
        format!("{}{}{promoted}", square(self.mv >> 6), square(self.mv))
    }
}

const _: () = assert!(PieceType::Knight as u16 == 1 && PieceType::Queen as u16 == 4);

/// The sixteen bits of a move in the format.
fn encode(mv: Move) -> u16 {
    let promoted = match mv.kind() {
        MoveKind::Promotion(piece) => piece as u16,
        _ => 0,
    };
    mv.to() as u16 | (mv.from() as u16) << 6 | promoted << 12
}

/// A book that stays where it is, in its file or in the program.
pub struct Book {
    source: Source,
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").finish_non_exhaustive()
    }
}

enum Source {
    File(SharedFile),
    Memory(&'static [u8]),
}

impl Source {
    fn length(&self) -> u64 {
        match self {
            Source::File(file) => file.length(),
            Source::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Reads what is at `offset`, at most as much as fits; 0 bytes at the end.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Source::File(file) => file.read_at(buffer, offset),
            Source::Memory(bytes) => bytes.get(offset as usize..).unwrap_or_default().read(buffer),
        }
    }
}

impl Book {
    /// Opens a book, and reads it through.
    ///
    /// # Errors
    /// If the file cannot be read, its length is no multiple of a record's, or its records are not sorted.
    pub fn open(path: &Path) -> io::Result<Book> {
        let file = SharedFile::open(path)?;
        if !file.length().is_multiple_of(RECORD as u64) {
            let message =
                format!("{} bytes are no Polyglot book, whose records have 16 bytes each", file.length());
            return Err(io::Error::new(ErrorKind::InvalidData, message));
        }
        let book = Book { source: Source::File(file) };
        match book.first_unsorted()? {
            None => Ok(book),
            Some(record) => {
                let number = record + 1;
                let message = format!(
                    "it is no Polyglot book, or not sorted: record {number} has a lower key than the one before"
                );
                Err(io::Error::new(ErrorKind::InvalidData, message))
            }
        }
    }

    /// The book inside the program, `book/adoube.bin`.
    pub fn internal() -> Book {
        Book { source: Source::Memory(include_bytes!("../../book/adoube.bin")) }
    }

    /// The number of records.
    pub fn len(&self) -> u64 {
        self.source.length() / RECORD as u64
    }

    /// True if there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of this number, from 0.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn entry(&self, index: u64) -> io::Result<Entry> {
        if index >= self.len() {
            let message = format!("no record {index} of {}", self.len());
            return Err(io::Error::new(ErrorKind::InvalidInput, message));
        }
        let mut bytes = [0; RECORD];
        let mut filled = 0;
        while filled < RECORD {
            match self.source.read_at(&mut bytes[filled..], index * RECORD as u64 + filled as u64)? {
                0 => return Err(io::Error::new(ErrorKind::UnexpectedEof, "the book has become shorter")),
                count => filled += count,
            }
        }
        Ok(Entry::from_bytes(&bytes))
    }

    /// The records of a position with their numbers, in the order of the file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn entries(&self, key: u64) -> io::Result<Vec<(u64, Entry)>> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut found = vec![];
        for index in low..self.len().min(low + MOST_RECORDS) {
            let entry = self.entry(index)?;
            if entry.key != key {
                break;
            }
            found.push((index, entry));
        }
        Ok(found)
    }

    /// The legal moves that the book has for a position, with their weights, in the order of the file. `key` is the
    /// position's: [`key_after`] its last move, or [`key`] if there is none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn moves(&self, key: u64, position: &Position) -> io::Result<Vec<(Move, u16)>> {
        let entries = self.entries(key)?;
        Ok(entries
            .iter()
            .filter_map(|(_, entry)| entry.move_in(position).map(|mv| (mv, entry.weight)))
            .collect())
    }

    /// True if it has a move with some weight for the start position: without one nobody plays by it from there.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn begins(&self) -> io::Result<bool> {
        let start = Position::default();
        Ok(self.moves(key(&start), &start)?.iter().any(|(_, weight)| *weight > 0))
    }

    /// The number of the first record, from 0, whose key is less than the one's before it, if there is any: behind it
    /// nothing is found reliably.
    fn first_unsorted(&self) -> io::Result<Option<u64>> {
        let whole: Box<dyn Read + '_> = match &self.source {
            Source::File(file) => Box::new(file.reader(0)),
            Source::Memory(bytes) => Box::new(*bytes),
        };
        let mut reader = io::BufReader::with_capacity(1 << 16, whole);
        let mut bytes = [0; RECORD];
        let mut before = 0;
        for index in 0..self.len() {
            reader.read_exact(&mut bytes)?;
            let Entry { key, .. } = Entry::from_bytes(&bytes);
            if key < before {
                return Ok(Some(index));
            }
            before = key;
        }
        Ok(None)
    }
}

/// Makes a book.
#[derive(Clone, Debug, Default)]
pub struct BookWriter {
    weights: BTreeMap<u64, BTreeMap<u16, u64>>,
}

impl BookWriter {
    /// A book without moves.
    pub fn new() -> BookWriter {
        BookWriter::default()
    }

    /// Adds weight to a legal move in the position of `key`, which comes from [`key`] or, better, [`key_after`].
    pub fn add(&mut self, key: u64, mv: Move, weight: u64) {
        let sum = self.weights.entry(key).or_default().entry(encode(mv)).or_default();
        *sum = sum.saturating_add(weight);
    }

    /// The records, sorted by key and then the heaviest first. Weights that are too great for the format are made
    /// smaller, all of a position by the same factor, but not down to 0.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.weights.iter().flat_map(|(&key, moves)| {
            let greatest = moves.values().copied().max().unwrap_or(0);
            let divisor = greatest.div_ceil(u64::from(u16::MAX)).max(1);
            let weight = move |sum: u64| if sum == 0 { 0 } else { (sum / divisor).max(1) as u16 };
            let mut moves: Vec<(u16, u64)> = moves.iter().map(|(&mv, &sum)| (mv, sum)).collect();
            moves.sort_by_key(|&(mv, sum)| (std::cmp::Reverse(sum), mv));
            moves.into_iter().map(move |(mv, sum)| Entry { key, mv, weight: weight(sum), learn: 0 })
        })
    }

    /// Writes the book.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.entries().try_for_each(|entry| out.write_all(&entry.to_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::FenStyle;
    use crate::sys::scratch::Scratch;

    #[test]
    fn behind_the_last_record_there_is_none() {
        let book = Book::internal();
        let last = book.len() - 1;
        assert!(book.entry(last).is_ok());
        for index in [last + 1, u64::MAX] {
            let error = book.entry(index).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            assert_eq!(error.to_string(), format!("no record {index} of {}", last + 1));
        }
    }

    fn play(moves: &str) -> (Position, u64) {
        let mut position = Position::default();
        let mut now = key(&position);
        for text in moves.split_whitespace() {
            let mv = parse_uci(text, &position).unwrap();
            now = key_after(&position, mv);
            position = position.after(mv);
        }
        (position, now)
    }

    #[test]
    fn the_published_keys_come_out() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let (position, found) = play(moves);
            assert_eq!(found, expected, "{moves}");
            assert_eq!(key(&position), expected, "{moves}, from the position alone");
        }
    }

    /// In the published keys both sides' rights are lost at once.
    #[test]
    fn each_right_to_castle_has_its_number() {
        let key = |rights: &str| {
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
            super::key(&Position::from_fen(&fen).unwrap())
        };
        for (index, right) in ["K", "Q", "k", "q"].into_iter().enumerate() {
            assert_eq!(key(right) ^ key("-"), RANDOM[CASTLING + index], "{right}");
        }
    }

    #[test]
    fn a_pinned_pawn_beside_makes_another_key() {
        // The pawn on d4 is pinned on the file, so that it may not take on c3; the format counts the square all the same.
        let before = Position::from_fen("3k4/8/8/8/3p4/8/2P5/3RK3 w - - 0 1").unwrap();
        let mv = parse_uci("c2c4", &before).unwrap();
        assert_eq!(key_after(&before, mv) ^ key(&before.after(mv)), RANDOM[EN_PASSANT + 2]);
        // Beside the files at the edge of the board a pawn is seen as well.
        for (fen, step) in [
            ("4k3/8/8/8/7p/8/6P1/4K3 w - - 0 1", "g2g4"),
            ("4k3/8/8/8/p7/8/1P6/4K3 w - - 0 1", "b2b4"),
            ("4k3/8/8/8/6p1/8/7P/4K3 w - - 0 1", "h2h4"),
            ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a2a4"),
        ] {
            let before = Position::from_fen(fen).unwrap();
            let mv = parse_uci(step, &before).unwrap();
            assert!(before.after(mv).en_passant().is_some());
            assert_eq!(key_after(&before, mv), key(&before.after(mv)), "{step}");
        }
        // Only a pawn's two steps count.
        let before = Position::from_fen("4k3/8/8/8/3p4/8/2R5/4K3 w - - 0 1").unwrap();
        let mv = parse_uci("c2c4", &before).unwrap();
        assert_eq!(key_after(&before, mv), key(&before.after(mv)));
        // Across the edge nothing stands beside.
        let before = Position::from_fen("3k4/8/8/8/7p/8/P7/4K3 w - - 0 1").unwrap();
        let mv = parse_uci("a2a4", &before).unwrap();
        assert_eq!(key_after(&before, mv), key(&before.after(mv)));
    }

    #[test]
    fn every_move_reads_back_as_the_format_writes_it() {
        for (fen, text, bits, in_format) in [
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 4 << 6 | 7, "e1h1"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 4 << 6, "e1a1"),
            ("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", 4 << 12 | 50 << 6 | 58, "c7c8q"),
            ("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8n", 1 << 12 | 50 << 6 | 58, "c7c8n"),
            ("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8b", 2 << 12 | 50 << 6 | 58, "c7c8b"),
            ("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8r", 3 << 12 | 50 << 6 | 58, "c7c8r"),
            (Board::START_FEN, "g1f3", 6 << 6 | 21, "g1f3"),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = parse_uci(text, &position).unwrap();
            assert_eq!(encode(mv), bits, "{text}");
            let entry = Entry { key: 0, mv: bits, weight: 1, learn: 0 };
            assert_eq!((entry.move_in(&position), entry.text().as_str()), (Some(mv), in_format));
        }
        let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        for (bits, found) in
            [(4 << 6 | 6, true), (0, false), (4 << 6 | 60, false), (5 << 12 | 4 << 6 | 5, false)]
        {
            let entry = Entry { key: 0, mv: bits, weight: 1, learn: 0 };
            assert_eq!(entry.move_in(&position).is_some(), found, "{}", entry.text());
        }
    }

    #[test]
    fn what_is_written_is_found() {
        let mut writer = BookWriter::new();
        let mut expected = BTreeMap::new();
        for (moves, weight) in [("", 3), ("", 3), ("e2e4", 1), ("e2e4 e7e5", 200_000), ("g1f3", 0)] {
            let (position, now) = play(moves);
            for (rank, &mv) in position.legal_moves().iter().enumerate().take(3) {
                writer.add(now, mv, weight * rank as u64);
            }
            expected.insert(now, position);
        }
        let mut bytes = vec![];
        writer.write(&mut bytes).unwrap();
        let folder = Scratch::new();
        let file = folder.join("book.bin");
        std::fs::write(&file, &bytes).unwrap();
        let book = Book::open(&file).unwrap();
        assert_eq!((book.len(), book.is_empty()), (12, false));
        for (now, position) in &expected {
            let legal = position.legal_moves();
            let weights = match position.to_fen(FenStyle::XFen).as_str() {
                Board::START_FEN => [12, 6, 0],
                fen if fen.contains("4p3/4P3") => [57_142, 28_571, 0],
                fen if fen.contains("4P3") => [2, 1, 0],
                _ => [0, 0, 0],
            };
            let moves = book.moves(key(position), position).unwrap();
            assert_eq!(moves.iter().map(|(_, weight)| *weight).collect::<Vec<_>>(), weights);
            assert!(moves.iter().all(|(mv, _)| legal[..3].contains(mv)));
            assert!(book.entries(*now).unwrap().iter().all(|(_, entry)| entry.key == *now));
        }
        assert!(book.moves(key(&play("d2d4").0), &play("d2d4").0).unwrap().is_empty());
    }

    #[test]
    fn a_move_that_was_hardly_played_is_played_all_the_same() {
        let start = Position::default();
        let mut writer = BookWriter::new();
        for (rank, &mv) in start.legal_moves().iter().enumerate().take(3) {
            writer.add(key(&start), mv, [1, 1_000_000, 0][rank]);
        }
        let weights: Vec<u16> = writer.entries().map(|entry| entry.weight).collect();
        assert_eq!(weights, [62_500, 1, 0]);
    }

    #[test]
    fn what_is_no_book_is_refused() {
        let folder = Scratch::new();
        let file = folder.join("book.bin");
        let unsorted = [[2; RECORD], [3; RECORD], [1; RECORD]].concat();
        for (bytes, hint) in [
            (vec![7; 15], "16 bytes each"),
            (vec![0x1f, 0x8b, 0, 0], "gzip"),
            (unsorted, "not sorted: record 3 has a lower key"),
        ] {
            std::fs::write(&file, &bytes).unwrap();
            let error = Book::open(&file).err().unwrap().to_string();
            assert!(error.contains(hint), "{error}");
        }
        assert_eq!(Book::internal().first_unsorted().unwrap(), None);
        std::fs::write(&file, []).unwrap();
        let book = Book::open(&file).unwrap();
        assert!(
            book.is_empty()
                && book.moves(key(&Position::default()), &Position::default()).unwrap().is_empty()
        );
        assert!(book.entry(0).is_err());
    }
}
