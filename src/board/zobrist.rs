//! The random numbers that keys are made of, and the keys of a whole board.

use super::Board;
use super::makemove::Observer;
use crate::sys::chance::{STEP, mix};
use crate::types::{CastlingRights, CastlingSide, Color, File, Key, Piece, PieceType, Square};

struct Numbers {
    piece: [[Key; 64]; Piece::NUM],
    castling: [[Key; 8]; 2],
    en_passant: [Key; 8],
    black_to_move: Key,
}

const fn next_random(state: &mut u64) -> Key {
    let number = mix(*state);
    *state = state.wrapping_add(STEP);
    Key(number)
}

const fn make_numbers() -> Numbers {
    let mut state = 0x0ad0_be00_c4e5;
    let mut numbers = Numbers {
        piece: [[Key(0); 64]; Piece::NUM],
        castling: [[Key(0); 8]; 2],
        en_passant: [Key(0); 8],
        black_to_move: next_random(&mut state),
    };
    let mut piece = 0;
    while piece < Piece::NUM {
        let mut square = 0;
        while square < 64 {
            numbers.piece[piece][square] = next_random(&mut state);
            square += 1;
        }
        piece += 1;
    }
    let mut file = 0;
    while file < 8 {
        numbers.castling[0][file] = next_random(&mut state);
        numbers.castling[1][file] = next_random(&mut state);
        numbers.en_passant[file] = next_random(&mut state);
        file += 1;
    }
    numbers
}

static NUMBERS: Numbers = make_numbers();

/// The number of a piece on a square.
#[inline(always)]
pub fn piece_key(piece: Piece, square: Square) -> Key {
    NUMBERS.piece[piece.index()][square.index()]
}

/// The number that says that Black is to move.
#[inline(always)]
pub fn side_key() -> Key {
    NUMBERS.black_to_move
}

/// The number of a file on which an en-passant capture is legal.
#[inline(always)]
pub fn en_passant_key(file: File) -> Key {
    NUMBERS.en_passant[file.index()]
}

/// The numbers of all rights together. A right is known by the file of its rook, so that in Chess960 the same
/// picture with rights on other rooks is another position.
#[inline]
pub fn castling_key(rights: CastlingRights) -> Key {
    let mut key = Key(0);
    if rights.is_empty() {
        return key;
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(rook) = rights.rook(color, side) {
                key ^= NUMBERS.castling[color.index()][rook.file().index()];
            }
        }
    }
    key
}

/// The keys of a position and of its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// Everything that makes two positions the same under article 9.2.3: pieces, side to move, castling rights, and
    /// the en-passant file if such a capture is legal.
    pub full: Key,
    /// The pawns of both sides.
    pub pawns: Key,
    /// Knights, bishops and kings of both sides.
    pub minor: Key,
    /// The pieces of each colour that are no pawns.
    pub non_pawn: [Key; 2],
}

impl Keys {
    /// The keys of `board`, from scratch.
    pub fn of(board: &Board) -> Keys {
        let mut keys = Keys::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                keys.add(piece, square);
            }
        }
        keys.full ^= castling_key(board.castling_rights());
        if let Some(square) = board.en_passant() {
            keys.full ^= en_passant_key(square.file());
        }
        if board.side_to_move() == Color::Black {
            keys.full ^= side_key();
        }
        keys
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let number = piece_key(piece, square);
        self.full ^= number;
        let kind = piece.kind();
        if kind == PieceType::Pawn {
            self.pawns ^= number;
        } else {
            self.non_pawn[piece.color().index()] ^= number;
            if matches!(kind, PieceType::Knight | PieceType::Bishop | PieceType::King) {
                self.minor ^= number;
            }
        }
    }
}

impl Observer for Keys {
    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
    }
}

/// How the full key changes when `piece` goes from one square to another: for tables of reversible moves.
pub(super) const fn travel_key(piece: Piece, a: Square, b: Square) -> Key {
    let numbers = &NUMBERS.piece[piece as usize];
    Key(numbers[a as usize].0 ^ numbers[b as usize].0 ^ NUMBERS.black_to_move.0)
}
