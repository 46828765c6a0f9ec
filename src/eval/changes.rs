//! What a move changes in the sums of a network: the rows of weights that come, and those that go.

use super::network::{Network, View};
use crate::board::{Board, Exposure, Marks, Tension};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// The most rows that come or go at once, and room for more: all squares and all marks.
const MOST: usize = 256;
const _: () = assert!(Square::NUM + Color::NUM * Marks::NUM < MOST);

/// What of a position goes into a network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub board: Board,
    /// As far as the network is told of it.
    pub tension: Tension,
}

impl Placement {
    pub(super) const EMPTY: Placement = Placement { board: Board::empty(), tension: Tension::NONE };

    /// The squares on which something else stands than in `other`, or the same exposed in another way.
    #[inline(always)]
    fn differs(&self, other: &Placement) -> Bitboard {
        let mut squares = self.tension.exposures.differs(&other.tension.exposures);
        for color in Color::ALL {
            squares |= self.board.of_color(color) ^ other.board.of_color(color);
        }
        for kind in PieceType::ALL {
            squares |= self.board.of_kind(kind) ^ other.board.of_kind(kind);
        }
        squares
    }
}

/// Where the rows of weights that a view can meet begin, in lanes: looked up, which is faster than counting it out.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    /// The row of each piece on the first square, by its exposure. The last piece is none.
    pieces: [[u32; Exposure::CODES]; Piece::NUM + 1],
    /// How far behind are the rows of each square.
    squares: [u32; Square::NUM],
    /// Those of marks, by colour and number.
    marks: [[u32; u64::BITS as usize]; Color::NUM],
}

impl Starts {
    pub(super) fn new(network: &Network, view: View) -> Starts {
        let start = |row: usize| (row * network.lanes()) as u32;
        let first = |piece, set| view.row(piece, view.first_square(), set);
        let mut pieces = [[0; Exposure::CODES]; Piece::NUM + 1];
        for piece in Piece::ALL {
            let set = |code| network.architecture().inputs.set(piece.kind(), Exposure(code as u8));
            pieces[piece as usize] = std::array::from_fn(|code| start(first(piece, set(code))));
        }
        let behind = |square| start(view.row(Piece::WhitePawn, square, 0) - first(Piece::WhitePawn, 0));
        Starts {
            pieces,
            squares: Square::ALL.map(behind),
            marks: Color::ALL
                .map(|color| std::array::from_fn(|number| start(view.row_of_mark(color, number)))),
        }
    }
}

/// Rows of weights, for each of `N` views by where they begin.
#[derive(Clone, Debug)]
struct Rows<const N: usize> {
    starts: [[u32; N]; MOST],
    count: u8,
}

impl<const N: usize> Rows<N> {
    const NONE: Rows<N> = Rows { starts: [[0; N]; MOST], count: 0 };

    /// Puts one more behind the others, which counts only if it is `there`: without a branch, for nobody can foretell it.
    #[inline(always)]
    fn push(&mut self, starts: [u32; N], there: bool) {
        self.starts[usize::from(self.count)] = starts;
        self.count += u8::from(there);
    }

    #[inline(always)]
    fn all(&self) -> &[[u32; N]] {
        &self.starts[..usize::from(self.count)]
    }
}

/// What must be added to the sums of `N` views, and taken away from them.
#[derive(Clone, Debug)]
pub(super) struct Changes<const N: usize> {
    came: Rows<N>,
    went: Rows<N>,
}

impl<const N: usize> Changes<N> {
    pub(super) const NONE: Changes<N> = Changes { came: Rows::NONE, went: Rows::NONE };

    /// Finds what makes `now` of `before`, in place of what was found last.
    #[inline(always)]
    pub(super) fn find(&mut self, before: &Placement, now: &Placement, views: [&Starts; N]) {
        let Changes { came, went } = self;
        (came.count, went.count) = (0, 0);
        for square in now.differs(before) {
            for (placement, rows) in [(now, &mut *came), (before, &mut *went)] {
                let piece = placement.board.piece_on(square);
                let exposure = usize::from(placement.tension.exposures.of(square).0);
                let number = piece.map_or(Piece::NUM, |piece| piece as usize);
                let start = |view: &Starts| view.pieces[number][exposure] + view.squares[square.index()];
                rows.push(views.map(start), piece.is_some());
            }
        }
        for (one, other, rows) in [(now, before, came), (before, now, went)] {
            for color in Color::ALL.map(Color::index) {
                for number in one.tension.marks[color].without(other.tension.marks[color]).numbers() {
                    rows.push(views.map(|view| view.marks[color][number]), true);
                }
            }
        }
    }

    /// The rows that came.
    #[inline(always)]
    pub(super) fn came(&self) -> &[[u32; N]] {
        self.came.all()
    }

    /// The rows that went.
    #[inline(always)]
    pub(super) fn went(&self) -> &[[u32; N]] {
        self.went.all()
    }
}
