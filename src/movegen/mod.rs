//! All legal moves of a position, in the portions that a search wants, and how many there are down to a depth.
//!
//! Knows `board`; does not know what a move is worth.

pub mod generate;
mod list;
pub mod perft;

pub use generate::Portion;
pub use list::{MAX_MOVES, MoveList};
