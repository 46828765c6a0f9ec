//! A position as a teacher keeps it, with what came of it.

use crate::board::Board;
use crate::training::data::PlacedMove;
use crate::types::{Bitboard, CastlingSide, Color, Piece, Square};

/// More pieces do not fit.
pub const MAX_PIECES: usize = 32;

/// A point, as it is kept; even, for half a point is common.
const WHOLE_POINT: f32 = 65_534.0;

/// What a position's game says of it, for its side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Truth {
    /// The search's score in internal units.
    pub score: i16,
    /// The returns that look less far and farther ahead, in points.
    pub returns: [f32; 2],
    /// What came of the game, in points.
    pub points: f32,
}

/// A position, seen by the side to move: that side is White here, the board is turned, and mirrored if its king is on the
/// files a to d.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    occupied: u64,
    /// Four bits for each occupied square, in the order of squares, of [`Piece::ALL`].
    pieces: [u8; MAX_PIECES / 2],
    returns: [u16; 2],
    score: i16,
    /// What the evaluation says without a search, in internal units.
    pub still: i16,
    half_points: u8,
    /// A bit for each right to castle: own towards h, own towards a, the other's in the same order.
    pub castling: u8,
    /// Half-moves since the last capture or pawn's move, 255 at most.
    pub clock: u8,
    /// Where the move that was played came from, as the board is seen here.
    pub from: u8,
    /// Where it went to; castling goes to the rook.
    pub to: u8,
}

/// How the board has to be turned: what squares are combined with.
fn turn(board: &Board) -> u8 {
    let mover = board.side_to_move();
    let flip = if mover == Color::White { 0 } else { 56 };
    let is_left = board.king(mover).index() % 8 < 4;
    if is_left { flip ^ 7 } else { flip }
}

impl Sample {
    /// Packs a position of a game, its static score in internal units, and what its game says; `None` if it has more pieces
    /// than fit.
    pub fn new(placed: &PlacedMove, still: i32, truth: Truth) -> Option<Sample> {
        let board = placed.position.board();
        let mut sample = Sample::of_board(board, still)?;
        let turn = turn(board);
        sample.from = placed.mv.from().index() as u8 ^ turn;
        sample.to = placed.mv.to().index() as u8 ^ turn;
        sample.returns = truth.returns.map(|points| (points * WHOLE_POINT).round() as u16);
        sample.score = truth.score;
        sample.half_points = (2.0 * truth.points) as u8;
        Some(sample)
    }

    /// Packs a position of which nothing is known; `None` if it has more pieces than fit.
    pub fn of_board(board: &Board, still: i32) -> Option<Sample> {
        let mover = board.side_to_move();
        if board.occupied().count() as usize > MAX_PIECES {
            return None;
        }
        let turn = turn(board);
        let occupied: u64 = board.occupied().into_iter().map(|square| 1 << (square as u8 ^ turn)).sum();
        let mut pieces = [0; MAX_PIECES / 2];
        for (place, square) in Bitboard(occupied).into_iter().enumerate() {
            let piece = board.piece_on(Square::from_index(square as u8 ^ turn))?;
            let own = if piece.color() == mover { Color::White } else { Color::Black };
            pieces[place / 2] |= (Piece::new(piece.kind(), own).index() as u8) << (4 * (place % 2));
        }
        let mut castling = 0;
        let sides = [(mover, 0), (!mover, 2)];
        for (color, first) in sides {
            for side in CastlingSide::ALL {
                let is_right = (side == CastlingSide::King) == (turn & 7 == 0);
                if board.castling_rights().rook(color, side).is_some() {
                    castling |= 1 << (first + u8::from(!is_right));
                }
            }
        }
        Some(Sample {
            occupied,
            pieces,
            returns: [0; 2],
            score: 0,
            still: still.clamp(-32_000, 32_000) as i16,
            half_points: 0,
            castling,
            clock: board.halfmove_clock().min(255) as u8,
            from: 0,
            to: 0,
        })
    }

    /// How many pieces there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// Each piece with its square, in the order of squares.
    #[inline(always)]
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Bitboard(self.occupied).into_iter().enumerate().map(|(place, square)| {
            let code = self.pieces[place / 2] >> (4 * (place % 2)) & 15;
            (Piece::ALL[usize::from(code) % Piece::NUM], square)
        })
    }

    /// What its game says of it.
    #[inline(always)]
    pub fn truth(&self) -> Truth {
        Truth {
            score: self.score,
            returns: self.returns.map(|points| f32::from(points) / WHOLE_POINT),
            points: f32::from(self.half_points) / 2.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::uci_move::parse_uci;
    use crate::types::Score;

    fn sample(fen: &str, mv: &str) -> Sample {
        let position = Position::from_fen(fen).unwrap();
        let mv = parse_uci(mv, &position).unwrap();
        let placed = PlacedMove { position, mv, score: Some(Score::new(-71)), ply: 9, points: Some(0.5) };
        let truth = Truth { score: -71, returns: [0.25, 0.75], points: 0.5 };
        Sample::new(&placed, 17, truth).unwrap()
    }

    #[test]
    fn each_side_sees_its_own_pieces_below_and_its_king_on_the_right() {
        // The same position, seen by either side, and through a mirror.
        let expected = sample("4k3/5r2/8/2n5/8/4P3/6B1/6K1 w - - 7 30", "g2d5");
        for (fen, mv) in [
            ("6k1/6b1/4p3/8/2N5/8/5R2/4K3 b - - 7 30", "g7d4"),
            ("3k4/2r5/8/5n2/8/3P4/1B6/1K6 w - - 7 30", "b2e5"),
            ("1k6/1b6/3p4/8/5N2/8/2R5/3K4 b - - 7 30", "b7e4"),
        ] {
            assert_eq!(sample(fen, mv), expected, "{fen}");
        }
        assert_eq!((expected.clock, expected.still, expected.count()), (7, 17, 6));
        let truth = expected.truth();
        assert_eq!((truth.score, truth.points), (-71, 0.5));
        assert!((truth.returns[0] - 0.25).abs() < 1e-4 && (truth.returns[1] - 0.75).abs() < 1e-4);
        assert_eq!((expected.from, expected.to), (Square::G2 as u8, Square::D5 as u8));
        let pieces: String =
            expected.pieces().map(|(piece, square)| format!("{}{square}", piece.letter())).collect();
        assert_eq!(pieces, "Kg1Bg2Pe3nc5rf7ke8");
    }

    #[test]
    fn rights_to_castle_are_told_by_whose_and_where_to() {
        for (fen, castling) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0b1111),
            ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", 0b1001),
            ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1", 0b0110),
            // With the king on c1 the board is mirrored: the rook on h1 is to its left.
            ("4k3/8/8/8/8/8/8/R1K4R w H - 0 1", 0b0010),
            ("4k3/8/8/8/8/8/8/R1K4R w A - 0 1", 0b0001),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let sample = Sample::of_board(position.board(), 0).unwrap();
            assert_eq!(sample.castling, castling, "{fen}");
        }
    }
}
