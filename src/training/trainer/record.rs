//! A position in 32 bytes, as the trainer keeps it.

use crate::board::{Board, Marks, Tension};
use crate::eval::network::{Architecture, FEATURES, Inputs};
use crate::sys::chance::mix;
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// More pieces do not fit.
pub const MAX_PIECES: usize = 32;
/// More rows of input weights a position does not meet: its pieces' and its marks'.
pub const MAX_ROWS: usize = MAX_PIECES + Color::NUM * Marks::NUM;

/// A point, as it is kept; even, for half a point is common.
const WHOLE_POINT: f32 = 65_534.0;

/// What a position is worth for its side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth {
    /// The search's score in internal units.
    pub score: i16,
    /// The expected points that the score stands for, 0 to 1.
    pub expected: f32,
    /// The points that the rest of the game speaks for, 0 to 1 (`returns`).
    pub returned: f32,
    /// What came of the game in half points.
    pub half_points: u8,
}

/// A position with what it is worth, seen by the side to move: that side is White here, and the board is turned.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C)]
pub struct Record {
    occupied: u64,
    /// Four bits for each occupied square, in the order of squares, of [`Piece::ALL`].
    pieces: [u8; MAX_PIECES / 2],
    /// The expected points that the search's score stands for, of [`WHOLE_POINT`].
    expected: u16,
    /// The return of what came after (`returns`), of [`WHOLE_POINT`].
    returned: u16,
    /// The search's score in internal units.
    pub score: i16,
    /// In the lowest two bits what came of the game in half points, above them the square of the other side's king.
    result_and_king: u8,
    /// The square of the side to move's king.
    king: u8,
}

const _: () = assert!(size_of::<Record>() == Record::BYTES);

impl Record {
    /// Bytes of a record, here and in a file.
    pub const BYTES: usize = 32;

    /// Packs a position; `None` if it has more pieces than fit.
    pub fn new(board: &Board, worth: Worth) -> Option<Record> {
        let Worth { score, expected, returned, half_points } = worth;
        let [expected, returned] = [expected, returned].map(|points| (points * WHOLE_POINT).round() as u16);
        let mover = board.side_to_move();
        if board.occupied().count() as usize > MAX_PIECES {
            return None;
        }
        let flip = if mover == Color::White { 0 } else { 56 };
        let occupied = if flip == 0 { board.occupied().0 } else { board.occupied().0.swap_bytes() };
        let mut pieces = [0; MAX_PIECES / 2];
        let [king, other_king] = [mover, !mover].map(|side| board.king(side) as u8 ^ flip);
        for (place, square) in Bitboard(occupied).into_iter().enumerate() {
            let piece = board.piece_on(Square::from_index(square as u8 ^ flip))?;
            let own = if piece.color() == mover { Color::White } else { Color::Black };
            pieces[place / 2] |= (Piece::new(piece.kind(), own).index() as u8) << (4 * (place % 2));
        }
        let result_and_king = half_points.min(2) | other_king << 2;
        Some(Record { occupied, pieces, expected, returned, score, result_and_king, king })
    }

    /// How many pieces there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// What came of the game in half points: 0, 1 or 2.
    #[inline(always)]
    pub fn half_points(&self) -> u8 {
        self.result_and_king & 3
    }

    /// The expected points that are to be learnt, with this share of what came after.
    #[inline(always)]
    pub fn target(&self, wdl: f32) -> f32 {
        (wdl * f32::from(self.returned) + (1.0 - wdl) * f32::from(self.expected)) * (1.0 / WHOLE_POINT)
    }

    /// Writes the rows of input weights of the side to move's view and of the other's, for each piece and mark; `mirror`
    /// exchanges left and right first. The number of rows; what stands behind so many means nothing.
    #[inline(always)]
    pub fn rows(&self, architecture: &Architecture, mirror: bool, rows: &mut [[u16; 2]; MAX_ROWS]) -> usize {
        let turn = if mirror { 7 } else { 0 };
        // A row is that of a pawn on a1, with other squares and pieces added: six bits of square, turned by those that
        // are set for a1, then 64 for each kind and 384 for the other colour.
        let view = |side, king: u8| architecture.view(side, Square::from_index(king ^ turn));
        let views = [view(Color::White, self.king), view(Color::Black, self.result_and_king >> 2)];
        let [(own_base, own_flip), (other_base, other_flip)] = views.map(|view| {
            let row = view.row(Piece::WhitePawn, Square::A1, 0);
            (row as u16 & !63, (row as u16 & 63) ^ u16::from(turn))
        });
        let mut squares = [0; MAX_PIECES];
        let mut left = self.occupied;
        let mut count = 0;
        while left != 0 {
            squares[count & (MAX_PIECES - 1)] = left.trailing_zeros() as u16;
            left &= left - 1;
            count += 1;
        }
        let tension = match architecture.inputs {
            Inputs::Plain | Inputs::Mirrored => Tension::NONE,
            Inputs::Threats => self.tension::<false>(&squares, count),
            Inputs::Marks | Inputs::Exposure => self.tension::<true>(&squares, count),
        };
        for (pair, (rows, squares)) in
            self.pieces.iter().zip(rows.as_chunks_mut::<2>().0.iter_mut().zip(squares.as_chunks::<2>().0))
        {
            for half in 0..2 {
                let piece = u16::from(pair >> (4 * half) & 15);
                let (color, kind) = (piece & 1, usize::from(piece >> 1) % PieceType::NUM);
                let color = color * (FEATURES / 2) as u16;
                let exposure = tension.exposures.of(Square::from_index(squares[half] as u8));
                let set = architecture.inputs.set(PieceType::ALL[kind], exposure);
                let piece = (set * FEATURES + kind * 64) as u16;
                rows[half] = [
                    own_base.wrapping_add(color) + piece + (squares[half] ^ own_flip),
                    other_base.wrapping_sub(color).wrapping_add(piece) + (squares[half] ^ other_flip),
                ];
            }
        }
        let mut end = count.min(MAX_PIECES);
        for color in Color::ALL {
            for number in tension.marks[color.index()].numbers() {
                rows[end] = views.map(|view| view.row_of_mark(color, number) as u16);
                end += 1;
            }
        }
        end
    }

    /// Exposures and marks; `squares` are those of the first `count` pieces.
    #[inline(always)]
    fn tension<const MARKS: bool>(&self, squares: &[u16; MAX_PIECES], count: usize) -> Tension {
        let (mut kinds, mut colors) = ([Bitboard::EMPTY; PieceType::NUM], [Bitboard::EMPTY; Color::NUM]);
        for (place, square) in squares.iter().enumerate().take(count) {
            let piece = self.pieces[place / 2] >> (4 * (place % 2)) & 15;
            let bit = Bitboard(1 << square);
            kinds[usize::from(piece >> 1) % PieceType::NUM] |= bit;
            colors[usize::from(piece & 1)] |= bit;
        }
        Tension::new::<MARKS>(&kinds, &colors)
    }

    /// A number that is the same for the same pieces on the same squares, and else hardly ever.
    pub fn key(&self) -> u64 {
        let half = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&self.pieces[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        mix(mix(mix(self.occupied) ^ half(0)) ^ half(8))
    }

    /// The bytes for a file.
    pub fn to_bytes(&self) -> [u8; Record::BYTES] {
        let mut bytes = [0; Record::BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.expected.to_le_bytes());
        bytes[26..28].copy_from_slice(&self.returned.to_le_bytes());
        bytes[28..30].copy_from_slice(&self.score.to_le_bytes());
        bytes[30] = self.result_and_king;
        bytes[31] = self.king;
        bytes
    }

    /// What [`Record::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8; Record::BYTES]) -> Record {
        let mut pieces = [0; MAX_PIECES / 2];
        pieces.copy_from_slice(&bytes[8..24]);
        let mut occupied = [0; 8];
        occupied.copy_from_slice(&bytes[..8]);
        Record {
            occupied: u64::from_le_bytes(occupied),
            pieces,
            expected: u16::from_le_bytes([bytes[24], bytes[25]]),
            returned: u16::from_le_bytes([bytes[26], bytes[27]]),
            score: i16::from_le_bytes([bytes[28], bytes[29]]),
            result_and_king: bytes[30],
            king: bytes[31],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const KIWIPETE_TURNED: &str = "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1";

    fn record(fen: &str) -> Record {
        let worth = Worth { score: -77, expected: 0.4, returned: 0.9, half_points: 2 };
        Record::new(&Position::from_fen(fen).unwrap(), worth).unwrap()
    }

    #[test]
    fn the_sides_are_alike_and_bytes_come_back() {
        let record_of_white = record(KIWIPETE);
        assert_eq!(record_of_white, record(KIWIPETE_TURNED));
        assert_eq!(record_of_white.count(), 32);
        assert_eq!(Record::from_bytes(&record_of_white.to_bytes()), record_of_white);
        for (wdl, target) in [(0.0, 0.4), (1.0, 0.9), (0.2, 0.5)] {
            assert!((record_of_white.target(wdl) - target).abs() < 1e-5);
        }
        let others = [Board::START_FEN, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2R b - - 0 1"];
        let mut keys: Vec<u64> = others.map(|fen| record(fen).key()).to_vec();
        keys.push(record_of_white.key());
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 4);
    }

    #[test]
    fn rows_are_those_of_the_network() {
        for fen in [KIWIPETE, KIWIPETE_TURNED, "8/1P4k1/8/3q4/8/8/2K5/8 b - - 0 1", Board::START_FEN] {
            let position = Position::from_fen(fen).unwrap();
            let mover = position.side_to_move();
            let mut architecture = Architecture::new(Inputs::Mirrored, 32, 1);
            architecture.king_buckets = 3;
            architecture.king_table = std::array::from_fn(|square| (square % 3) as u8);
            let threats = Architecture { inputs: Inputs::Threats, ..architecture };
            let marks = Architecture { inputs: Inputs::Marks, ..architecture };
            let exposure = Architecture { inputs: Inputs::Exposure, ..architecture };
            for architecture in
                [Architecture::new(Inputs::Plain, 32, 1), architecture, threats, marks, exposure]
            {
                let views = [mover, !mover].map(|side| architecture.view(side, position.king(side)));
                let tension = architecture.tension(&position);
                let of_pieces = position.occupied().into_iter().map(|square| {
                    let piece = position.piece_on(square).unwrap();
                    let set = architecture.inputs.set(piece.kind(), tension.exposures.of(square));
                    views.map(|view| view.row(piece, square, set) as u16)
                });
                let of_marks = Color::ALL.into_iter().flat_map(|color| {
                    let numbers = tension.marks[color.index()].numbers();
                    numbers.map(move |number| views.map(|view| view.row_of_mark(color, number) as u16))
                });
                let mut expected: Vec<_> = of_pieces.chain(of_marks).collect();
                let mut rows = [[0; 2]; MAX_ROWS];
                let count = record(fen).rows(&architecture, false, &mut rows);
                let mut found = rows[..count].to_vec();
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "{fen}");
            }
        }
    }

    #[test]
    fn a_mirror_changes_plain_inputs_and_no_mirrored_ones() {
        let rows = |inputs, mirror| {
            let mut rows = [[0; 2]; MAX_ROWS];
            let count = record(KIWIPETE).rows(&Architecture::new(inputs, 32, 1), mirror, &mut rows);
            let mut rows = rows[..count].to_vec();
            rows.sort();
            rows
        };
        assert_ne!(rows(Inputs::Plain, true), rows(Inputs::Plain, false));
        for inputs in [Inputs::Mirrored, Inputs::Marks, Inputs::Exposure] {
            assert_eq!(rows(inputs, true), rows(inputs, false));
        }
    }

    #[test]
    fn the_key_tells_each_piece_of_a_full_board() {
        let fens = [
            Board::START_FEN,
            "rbnqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR w KQkq - 0 1",
        ];
        let keys = fens.map(|fen| record(fen).key());
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "{}", fens[at]);
        }
    }
}
