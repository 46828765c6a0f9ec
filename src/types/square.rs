//! Squares, files and ranks.

use super::Color;
use std::fmt;
use std::str::FromStr;

/// One of the 64 squares, numbered from a1 = 0 along the ranks to h8 = 63 (little-endian rank-file mapping).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

// The unused numbers above 63 make room for `None`.
const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// Number of squares.
    pub const NUM: usize = 64;

    /// All squares, in order of their index.
    #[rustfmt::skip]
    pub const ALL: [Square; 64] = {
        use Square::*;
        [
            A1, B1, C1, D1, E1, F1, G1, H1,
            A2, B2, C2, D2, E2, F2, G2, H2,
            A3, B3, C3, D3, E3, F3, G3, H3,
            A4, B4, C4, D4, E4, F4, G4, H4,
            A5, B5, C5, D5, E5, F5, G5, H5,
            A6, B6, C6, D6, E6, F6, G6, H6,
            A7, B7, C7, D7, E7, F7, G7, H7,
            A8, B8, C8, D8, E8, F8, G8, H8,
        ]
    };

    /// The square whose index is the low six bits of `index`.
    #[inline(always)]
    #[rustfmt::skip]
    pub const fn from_index(index: u8) -> Square {
        use Square::*;
        // The compiler sees that each number becomes itself: this is a mask and nothing more.
        match index & 63 {
            0 => A1, 1 => B1, 2 => C1, 3 => D1, 4 => E1, 5 => F1, 6 => G1, 7 => H1,
            8 => A2, 9 => B2, 10 => C2, 11 => D2, 12 => E2, 13 => F2, 14 => G2, 15 => H2,
            16 => A3, 17 => B3, 18 => C3, 19 => D3, 20 => E3, 21 => F3, 22 => G3, 23 => H3,
            24 => A4, 25 => B4, 26 => C4, 27 => D4, 28 => E4, 29 => F4, 30 => G4, 31 => H4,
            32 => A5, 33 => B5, 34 => C5, 35 => D5, 36 => E5, 37 => F5, 38 => G5, 39 => H5,
            40 => A6, 41 => B6, 42 => C6, 43 => D6, 44 => E6, 45 => F6, 46 => G6, 47 => H6,
            48 => A7, 49 => B7, 50 => C7, 51 => D7, 52 => E7, 53 => F7, 54 => G7, 55 => H7,
            56 => A8, 57 => B8, 58 => C8, 59 => D8, 60 => E8, 61 => F8, 62 => G8, _ => H8,
        }
    }

    /// The square on this file and rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::from_index(rank as u8 * 8 + file as u8)
    }

    /// 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file it stands on.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::from_index(self as u8)
    }

    /// The rank it stands on.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self as u8 >> 3)
    }

    /// The same square seen from the other side of the board: a1 and a8 change places.
    #[inline(always)]
    pub const fn flip_rank(self) -> Square {
        Square::from_index(self as u8 ^ 56)
    }

    /// The square as `color` sees it: itself for White, flipped for Black.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => self.flip_rank(),
        }
    }

    /// The square `steps` numbers on (8 a rank, 1 a file), counted round the board's end; for steps known to stay
    /// on the board.
    #[inline(always)]
    pub const fn offset(self, steps: i8) -> Square {
        Square::from_index((self as u8).wrapping_add(steps as u8))
    }

    /// How many moves a king needs from one to the other.
    #[inline]
    pub const fn distance(self, other: Square) -> i32 {
        let files = self.file().index().abs_diff(other.file().index());
        let ranks = self.rank().index().abs_diff(other.rank().index());
        (if files > ranks { files } else { ranks }) as i32
    }

    /// Reads `a1` to `h8`, lower case.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(Square::from_index((rank - b'1') * 8 + file - b'a'))
            }
            _ => None,
        }
    }
}

/// What was read is no square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSquare;

impl fmt::Display for NoSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no square: expected a1 to h8")
    }
}

impl std::error::Error for NoSquare {}

impl FromStr for Square {
    type Err = NoSquare;

    fn from_str(text: &str) -> Result<Square, NoSquare> {
        Square::parse(text).ok_or(NoSquare)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

/// A file, a to h.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files from a to h.
    pub const ALL: [File; 8] = [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

    /// The file whose index is the low three bits of `index`.
    #[inline(always)]
    pub const fn from_index(index: u8) -> File {
        match index & 7 {
            0 => File::A,
            1 => File::B,
            2 => File::C,
            3 => File::D,
            4 => File::E,
            5 => File::F,
            6 => File::G,
            _ => File::H,
        }
    }

    /// 0 for a to 7 for h.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Reads a letter from a to h of either case.
    pub const fn from_letter(letter: char) -> Option<File> {
        match letter.to_ascii_lowercase() {
            c @ 'a'..='h' => Some(File::from_index(c as u8 - b'a')),
            _ => None,
        }
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A rank, the first to the eighth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks from White's first.
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

    /// The rank whose index is the low three bits of `index`.
    #[inline(always)]
    pub const fn from_index(index: u8) -> Rank {
        match index & 7 {
            0 => Rank::First,
            1 => Rank::Second,
            2 => Rank::Third,
            3 => Rank::Fourth,
            4 => Rank::Fifth,
            5 => Rank::Sixth,
            6 => Rank::Seventh,
            _ => Rank::Eighth,
        }
    }

    /// 0 for the first to 7 for the eighth.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank as `color` counts it: Black's first rank is the eighth.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank::from_index(7 - self as u8),
        }
    }

    /// Reads a digit from 1 to 8.
    pub const fn from_digit(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Some(Rank::from_index(digit as u8 - b'1')),
            _ => None,
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.index() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Bitboard;

    #[test]
    fn squares_are_read_as_they_are_written_and_collected_to_sets() {
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for text in ["", "e", "e9", "i1", "E4", "e4 "] {
            assert_eq!(text.parse::<Square>(), Err(NoSquare), "{text:?}");
        }
        let set: Bitboard = [Square::A1, Square::H8, Square::A1].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::H8]);
    }

    #[test]
    fn a_king_goes_the_longer_of_the_two_ways() {
        use Square::*;
        for (one, other, moves) in [(E4, E4, 0), (A1, H8, 7), (B1, C8, 7), (G3, C2, 4), (H4, A5, 7)] {
            assert_eq!((one.distance(other), other.distance(one)), (moves, moves), "{one} {other}");
        }
    }
}
