//! The shape of a network, and which input a piece on a square is.

use super::{DeepWeights, FIRST, LANES, NetworkError, SECOND};
use crate::board::{Board, Exposure, Marks, Tension};
use crate::types::{Color, Piece, PieceType, Square};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Inputs of one view: two sides, six kinds, 64 squares.
pub const FEATURES: usize = 768;
/// The largest layer that is read.
const MAX_HIDDEN: usize = 2048;
const MAX_OUTPUT_BUCKETS: usize = 8;
/// Half a board: where a mirrored king can stand.
const KING_SQUARES: usize = 32;
const MAX_SCALE: u16 = 4_000;
/// What 32 king buckets come to where threatened pieces are apart.
const MAX_SETS: usize = 64;

/// How a side sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Inputs {
    /// From its own end.
    Plain = 1,
    /// From its own end, and through a mirror if its king stands on the files e to h, so that it is always on a to d.
    Mirrored = 2,
    /// As [`Inputs::Mirrored`], and threatened pieces ([`Exposure::threatens`]) have weights of their own.
    Threats = 3,
    /// As [`Inputs::Threats`], and the [`Marks`] of both sides are inputs too.
    Marks = 4,
    /// As [`Inputs::Marks`], and pieces have weights of their own for each [`Exposure`] instead of for threatened ones.
    Exposure = 5,
}

/// For threatened pieces and others, and for each exposure: the set of weights by the kind of piece and its exposure.
const SETS: [[[u8; Exposure::CODES]; PieceType::NUM]; 2] = {
    let mut sets = [[[0; Exposure::CODES]; PieceType::NUM]; 2];
    let mut at = 0;
    while at < PieceType::NUM * Exposure::CODES {
        let (kind, code) = (at / Exposure::CODES, at % Exposure::CODES);
        let exposure = Exposure(code as u8);
        sets[0][kind][code] = exposure.threatens(PieceType::ALL[kind]) as u8;
        sets[1][kind][code] = exposure.number() as u8;
        at += 1;
    }
    sets
};

impl Inputs {
    /// How many sets of weights the pieces of one position meet: 2 where threatened ones are apart, 13 with exposures.
    pub const fn sets(self) -> usize {
        match self {
            Inputs::Plain | Inputs::Mirrored => 1,
            Inputs::Threats | Inputs::Marks => 2,
            Inputs::Exposure => Exposure::NUM,
        }
    }

    /// Which of these a piece of this kind meets, so exposed.
    #[inline(always)]
    pub const fn set(self, kind: PieceType, exposure: Exposure) -> usize {
        let sets = match self {
            Inputs::Plain | Inputs::Mirrored => return 0,
            Inputs::Threats | Inputs::Marks => &SETS[0],
            Inputs::Exposure => &SETS[1],
        };
        sets[kind as usize][(exposure.0 % Exposure::CODES as u8) as usize] as usize
    }

    /// How many rows of weights there are for marks: the own side's, then the other's.
    pub const fn marks(self) -> usize {
        match self {
            Inputs::Plain | Inputs::Mirrored | Inputs::Threats => 0,
            Inputs::Marks | Inputs::Exposure => Color::NUM * Marks::NUM,
        }
    }
}

/// Size and inputs of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// How a side sees the board.
    pub inputs: Inputs,
    /// Sets of input weights (or groups of [`Inputs::sets`] of them), chosen by the square of the own king: 1, or as many
    /// as `king_table` names, up to 32, or 4 with [`Inputs::Exposure`].
    pub king_buckets: usize,
    /// The set for each square of a mirrored king as its side sees it: a1 to d1, a2 to d2 and so on. All zero with one set.
    pub king_table: [u8; 32],
    /// Sums of each side: a multiple of 32, 2048 at most.
    pub hidden: usize,
    /// Sets of output weights, chosen by the number of pieces: 1 to 8.
    pub output_buckets: usize,
    /// Whether each has two more layers beside it ([`Deep`](super::Deep)).
    pub deep: bool,
    /// Internal units of the score for an output of 1.
    pub scale: u16,
}

/// What turns a piece on a square into an input of one side: whose view it is, mirrored or not, with which set of
/// weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Exclusive or with a square: 56 for Black, 7 for a mirror.
    flip: u8,
    side: Color,
    bucket: u8,
    /// The first of the sets of weights of this bucket.
    set: u8,
    /// How many sets there are; the rows of marks stand behind them.
    sets: u8,
}

impl View {
    /// The row of input weights of `piece` on `square`, in that of the sets of one position ([`Inputs::set`]).
    #[inline(always)]
    pub fn row(self, piece: Piece, square: Square, set: usize) -> usize {
        let theirs = piece.color() as usize ^ self.side as usize;
        (usize::from(self.set) + set) * FEATURES
            + theirs * (FEATURES / 2)
            + piece.kind().index() * 64
            + usize::from(square as u8 ^ self.flip)
    }

    /// The row of input weights of a mark of `color`, by its number.
    #[inline(always)]
    pub fn row_of_mark(self, color: Color, number: usize) -> usize {
        let theirs = color as usize ^ self.side as usize;
        usize::from(self.sets) * FEATURES + theirs * Marks::NUM + number
    }

    /// The square that is seen as a1.
    pub fn first_square(self) -> Square {
        Square::from_index(self.flip)
    }

    /// A number for each view of one side, less than [`Architecture::views`].
    #[inline(always)]
    pub fn index(self) -> usize {
        2 * usize::from(self.bucket) + usize::from(self.flip & 7 != 0)
    }
}

/// What turns the board so that a side is at its lower end.
#[inline(always)]
fn upright(side: Color) -> u8 {
    if side == Color::White { 0 } else { 56 }
}

impl Architecture {
    /// One set of input weights, no deep layers, scale 400.
    pub const fn new(inputs: Inputs, hidden: usize, output_buckets: usize) -> Architecture {
        Architecture {
            inputs,
            king_buckets: 1,
            king_table: [0; 32],
            hidden,
            output_buckets,
            deep: false,
            scale: 400,
        }
    }

    /// How `side` sees the board with its king on `king`.
    #[inline(always)]
    pub fn view(&self, side: Color, king: Square) -> View {
        let upright = upright(side);
        let mirrored = self.inputs != Inputs::Plain && king.file().index() > 3;
        let flip = if mirrored { upright | 7 } else { upright };
        let seen = king as u8 ^ flip;
        // Without a mirror the table is all zero, so that the files e to h may read any of it.
        let bucket = self.king_table[usize::from(seen >> 3) * 4 + usize::from(seen & 3)];
        let (set, sets) = (bucket * self.inputs.sets() as u8, self.sets() as u8);
        View { flip, side, bucket, set, sets }
    }

    /// Sets of input weights: one, two or thirteen for each king bucket.
    pub const fn sets(&self) -> usize {
        self.king_buckets * self.inputs.sets()
    }

    /// Rows of input weights: for each set one of each piece on each square, then those of marks.
    pub const fn rows(&self) -> usize {
        self.sets() * FEATURES + self.inputs.marks()
    }

    /// Exposures and marks, as far as the inputs tell of them.
    #[inline(always)]
    pub fn tension(&self, board: &Board) -> Tension {
        match self.inputs {
            Inputs::Plain | Inputs::Mirrored => Tension::NONE,
            Inputs::Threats => board.tension::<false>(),
            Inputs::Marks | Inputs::Exposure => board.tension::<true>(),
        }
    }

    /// Every view of White's, then of Black's, in the order of [`View::index`].
    pub fn all_views(&self) -> Vec<View> {
        let sets = self.sets() as u8;
        let of_side = |side: Color| {
            (0..self.views() as u8).map(move |index| {
                let (bucket, mirror) = (index / 2, if index % 2 == 1 { 7 } else { 0 });
                View {
                    flip: upright(side) | mirror,
                    side,
                    bucket,
                    set: bucket * self.inputs.sets() as u8,
                    sets,
                }
            })
        };
        Color::ALL.into_iter().flat_map(of_side).collect()
    }

    /// How many views one side can have.
    pub fn views(&self) -> usize {
        2 * self.king_buckets
    }

    /// The set of output weights for so many pieces on the board, kings included: 2 to 32 in equal steps, the first set
    /// having the fewest pieces.
    #[inline(always)]
    pub fn output_bucket(&self, pieces: u32) -> usize {
        (pieces.clamp(2, 32) as usize - 2) * self.output_buckets / 31
    }

    /// Numbers of each part: features, biases, outputs, output biases.
    pub fn sizes(&self) -> [usize; 4] {
        let Architecture { hidden, output_buckets, .. } = *self;
        [self.rows() * hidden, hidden, output_buckets * 2 * hidden, output_buckets]
    }

    /// Numbers of both parts of the deep layers of all output buckets; none without.
    pub fn deep_sizes(&self) -> [usize; 2] {
        let buckets = if self.deep { self.output_buckets } else { 0 };
        DeepWeights::sizes(self.hidden).map(|size| buckets * size)
    }

    /// Bytes of all numbers in a file.
    pub fn payload_bytes(&self) -> usize {
        let [features, biases, outputs, output_biases] = self.sizes();
        let [first, rest] = self.deep_sizes();
        2 * (features + biases + outputs) + 4 * output_biases + first + 4 * rest
    }

    pub(super) fn check(&self) -> Result<(), NetworkError> {
        let Architecture { inputs, king_buckets, king_table, hidden, output_buckets, scale, .. } = *self;
        let wrong =
            |field, value: usize, expected| Err(NetworkError::Field { field, value: value as u64, expected });
        if hidden == 0 || !hidden.is_multiple_of(LANES) || hidden > MAX_HIDDEN {
            return wrong("hidden size", hidden, "a multiple of 32 from 32 to 2048");
        }
        if output_buckets == 0 || output_buckets > MAX_OUTPUT_BUCKETS {
            return wrong("output buckets", output_buckets, "1 to 8");
        }
        if king_buckets == 0 || king_buckets > KING_SQUARES {
            return wrong("king buckets", king_buckets, "1 to 32");
        }
        if king_buckets > 1 && inputs == Inputs::Plain {
            return wrong("king buckets", king_buckets, "1, since the inputs are not mirrored");
        }
        if self.sets() > MAX_SETS {
            return wrong("king buckets", king_buckets, "1 to 4, since the inputs are exposures");
        }
        if let Some(&bucket) = king_table.iter().find(|&&bucket| usize::from(bucket) >= king_buckets) {
            return wrong("king table entry", bucket.into(), "less than the number of king buckets");
        }
        if scale == 0 || scale > MAX_SCALE {
            return wrong("scale", scale.into(), "1 to 4000");
        }
        Ok(())
    }
}

impl fmt::Display for Architecture {
    /// As people write it: `(768hm -> 256)x2 -> 1`; `+threats` where threatened pieces are apart, `+exposure` where each
    /// exposure is, `+marks` where there are marks too, and at the end `+(16x2 -> 32 -> 1)` where there are deep layers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(768")?;
        if self.king_buckets > 1 {
            write!(f, "x{}", self.king_buckets)?;
        }
        f.write_str(match self.inputs {
            Inputs::Plain => "",
            Inputs::Mirrored => "hm",
            Inputs::Threats => "hm+threats",
            Inputs::Marks => "hm+threats+marks",
            Inputs::Exposure => "hm+exposure+marks",
        })?;
        write!(f, " -> {})x2 -> {}", self.hidden, self.output_buckets)?;
        if self.deep { write!(f, "+({FIRST}x2 -> {SECOND} -> 1)") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::PieceType;

    #[test]
    fn each_side_sees_the_board_from_its_end_and_its_king_on_the_left() {
        let plain = Architecture::new(Inputs::Plain, 32, 1);
        let white = plain.view(Color::White, Square::G1);
        let black = plain.view(Color::Black, Square::G8);
        assert_eq!(white.row(Piece::WhitePawn, Square::A2, 0), 8);
        assert_eq!(black.row(Piece::BlackPawn, Square::A7, 0), 8);
        assert_eq!(black.row(Piece::WhiteKing, Square::H1, 0), 384 + 5 * 64 + 63);
        let mirrored = Architecture { inputs: Inputs::Mirrored, ..plain };
        let white = mirrored.view(Color::White, Square::E1);
        assert_eq!(white.row(Piece::WhiteKing, Square::E1, 0), 5 * 64 + 3);
        assert_eq!(mirrored.view(Color::White, Square::D1).row(Piece::WhiteKing, Square::D1, 0), 5 * 64 + 3);
        assert_ne!(white.index(), mirrored.view(Color::White, Square::D1).index());
        assert_eq!(mirrored.view(Color::Black, Square::H8).row(Piece::WhitePawn, Square::G2, 0), 384 + 49);
    }

    #[test]
    fn every_row_is_one_piece_on_one_square() {
        for inputs in [Inputs::Plain, Inputs::Mirrored, Inputs::Threats, Inputs::Marks, Inputs::Exposure] {
            let architecture = Architecture::new(inputs, 32, 1);
            for (side, king) in [(Color::White, Square::B1), (Color::Black, Square::F6)] {
                let view = architecture.view(side, king);
                let mut seen = vec![false; architecture.rows()];
                for set in 0..inputs.sets() {
                    for (piece, square) in Piece::ALL.into_iter().flat_map(|p| Square::ALL.map(|s| (p, s))) {
                        assert!(!std::mem::replace(&mut seen[view.row(piece, square, set)], true));
                    }
                }
                if inputs.marks() > 0 {
                    for (color, number) in
                        Color::ALL.into_iter().flat_map(|c| (0..Marks::NUM).map(move |n| (c, n)))
                    {
                        let first = if color == side { 0 } else { Marks::NUM };
                        assert_eq!(
                            view.row_of_mark(color, number),
                            inputs.sets() * FEATURES + first + number
                        );
                        seen[view.row_of_mark(color, number)] = true;
                    }
                }
                assert!(seen.iter().all(|&seen| seen));
            }
        }
        assert_eq!(PieceType::NUM * 2 * 64, FEATURES);
    }

    #[test]
    fn pieces_are_apart_by_what_the_inputs_tell() {
        let exposures = (0..Exposure::CODES as u8).map(Exposure);
        for kind in PieceType::ALL {
            for exposure in exposures.clone() {
                let set = |inputs: Inputs| inputs.set(kind, exposure);
                assert_eq!([set(Inputs::Plain), set(Inputs::Mirrored)], [0, 0]);
                let threatened = usize::from(exposure.threatens(kind));
                assert_eq!([set(Inputs::Threats), set(Inputs::Marks)], [threatened, threatened]);
                assert_eq!(set(Inputs::Exposure), exposure.number());
            }
        }
    }

    #[test]
    fn king_buckets_follow_the_table() {
        let mut architecture = Architecture::new(Inputs::Mirrored, 32, 1);
        architecture.king_buckets = 2;
        architecture.king_table = std::array::from_fn(|square| u8::from(square >= 4));
        assert_eq!(architecture.check(), Ok(()));
        let view = architecture.view(Color::Black, Square::H7);
        assert_eq!(view.index(), 3);
        assert_eq!(view.row(Piece::BlackKing, Square::H7, 0), FEATURES + 5 * 64 + 8);
        assert_eq!(architecture.view(Color::Black, Square::A8).index(), 0);
        for (inputs, sets) in [(Inputs::Threats, 2), (Inputs::Exposure, 13)] {
            architecture.inputs = inputs;
            let view = architecture.view(Color::Black, Square::H7);
            assert_eq!((view.index(), architecture.views()), (3, 4));
            for set in 0..sets {
                let row = view.row(Piece::BlackKnight, Square::H7, set);
                assert_eq!(row, (sets + set) * FEATURES + PieceType::Knight.index() * 64 + 8);
            }
        }
        architecture.king_buckets = 4;
        assert_eq!(architecture.check(), Ok(()));
        architecture.king_buckets = 5;
        assert!(matches!(architecture.check(), Err(NetworkError::Field { field: "king buckets", .. })));
    }

    #[test]
    fn all_views_are_those_of_kings_in_the_order_of_their_numbers() {
        for inputs in [Inputs::Mirrored, Inputs::Threats, Inputs::Marks, Inputs::Exposure] {
            let mut architecture = Architecture::new(inputs, 32, 1);
            architecture.king_buckets = 4;
            architecture.king_table = std::array::from_fn(|square| (square % 4) as u8);
            let views = architecture.all_views();
            assert_eq!(views.len(), Color::NUM * architecture.views());
            for (side, king) in Color::ALL.into_iter().flat_map(|side| Square::ALL.map(|king| (side, king))) {
                let view = architecture.view(side, king);
                assert_eq!(views[side.index() * architecture.views() + view.index()], view);
                let row = view.row(Piece::WhitePawn, view.first_square(), 0);
                assert_eq!(row % 64, 0);
            }
        }
        let plain = Architecture::new(Inputs::Plain, 32, 1);
        let of_side = |side| plain.view(side, Square::H1);
        assert_eq!([0, 2].map(|number| plain.all_views()[number]), Color::ALL.map(of_side));
    }

    #[test]
    fn output_buckets_are_all_used() {
        for buckets in 1..=8 {
            let architecture = Architecture::new(Inputs::Plain, 32, buckets);
            assert_eq!(architecture.output_bucket(2), 0);
            assert_eq!(architecture.output_bucket(32), buckets - 1);
            assert_eq!(architecture.output_bucket(40), buckets - 1);
        }
    }

    #[test]
    fn output_buckets_have_equal_shares_of_the_pieces() {
        for (buckets, firsts) in
            [(3, &[2, 13, 23][..]), (7, &[2, 7, 11, 16, 20, 25, 29]), (8, &[2, 6, 10, 14, 18, 22, 26, 30])]
        {
            let architecture = Architecture::new(Inputs::Plain, 32, buckets);
            let bucket = |pieces: u32| architecture.output_bucket(pieces);
            let begins = (2..=32).filter(|&pieces| pieces == 2 || bucket(pieces) > bucket(pieces - 1));
            assert_eq!(begins.collect::<Vec<u32>>(), firsts);
        }
    }
}
