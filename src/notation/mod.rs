//! Moves and games as text.
//!
//! Knows the rules through `movegen`; does not know who plays.

pub mod diagram;
pub mod lan;
pub mod pgn;
pub mod san;
pub mod uci_move;
