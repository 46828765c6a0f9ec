//! Which king may still castle with which rook.

use super::{Color, File, Rank, Square};

/// The side of the board that the king castles to, whatever the files are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h-file: king to g, rook to f.
    King,
    /// Towards the a-file: king to c, rook to d.
    Queen,
}

impl CastlingSide {
    /// Both sides, king's first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The side on which `rook` stands as seen from `king`.
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> CastlingSide {
        if rook as u8 > king as u8 { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// Where the rook of `color` stands at the beginning of a game of standard chess.
    #[inline(always)]
    pub const fn rook_home(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::H,
            CastlingSide::Queen => File::A,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Where the king of `color` ends.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Where the rook of `color` ends.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }
}

/// The four castling rights, each with the file of its rook, as Chess960 (and double Chess960, where the sides
/// differ) needs it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    rook_files: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: CastlingRights = CastlingRights { rook_files: [[None; 2]; 2] };

    /// The square of the rook that `color` may castle with on this side, if it still may.
    #[inline(always)]
    pub const fn rook(self, color: Color, side: CastlingSide) -> Option<Square> {
        match self.rook_files[color as usize][side as usize] {
            Some(file) => Some(Square::new(file, Rank::First.relative_to(color))),
            None => None,
        }
    }

    /// True if `color` may still castle on some side.
    #[inline(always)]
    pub const fn any(self, color: Color) -> bool {
        self.rook_files[color as usize][0].is_some() || self.rook_files[color as usize][1].is_some()
    }

    /// True if nobody may castle any more.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        !self.any(Color::White) && !self.any(Color::Black)
    }

    /// Grants `color` the right on this side with the rook on `file`.
    #[inline(always)]
    pub const fn grant(&mut self, color: Color, side: CastlingSide, file: File) {
        self.rook_files[color as usize][side as usize] = Some(file);
    }

    /// Takes both rights of `color` away: the king has moved.
    #[inline(always)]
    pub const fn revoke_all(&mut self, color: Color) {
        self.rook_files[color as usize] = [None; 2];
    }

    /// Takes the right away that belongs to the rook of `color` on `square`, if there is one: it has moved or was
    /// taken.
    #[inline(always)]
    pub fn revoke_rook(&mut self, color: Color, square: Square) {
        if square.rank() == Rank::First.relative_to(color) {
            for right in &mut self.rook_files[color.index()] {
                if *right == Some(square.file()) {
                    *right = None;
                }
            }
        }
    }
}
