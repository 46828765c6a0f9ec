//! The nouns of chess: colours, pieces, squares, sets of squares, moves, castling rights, scores.
//!
//! Knows: how each is numbered and written. Does not know: a position, a rule, a search. Imports nothing of
//! the rest of the program; every other module may use it.

pub mod bitboard;
pub mod castling;
pub mod color;
pub mod depth;
pub mod key;
pub mod mv;
pub mod outcome;
pub mod piece;
pub mod score;
pub mod square;
pub mod tunable;

pub use bitboard::Bitboard;
pub use castling::{CastlingRights, CastlingSide};
pub use color::Color;
pub use depth::{Depth, MAX_DEPTH, MAX_PLY};
pub use key::Key;
pub use mv::{Move, MoveKind};
pub use outcome::Outcome;
pub use piece::{Piece, PieceType};
pub use score::Score;
pub use square::{File, NoSquare, Rank, Square};
