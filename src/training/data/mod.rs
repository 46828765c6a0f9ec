//! Files of self-play games: start, moves, scores, result; about two bytes a ply.
//!
//! All numbers are little endian. A file is a header and then blocks, each of which can be read without the others, so
//! that damage costs one block and a program that was killed in the middle of a block leaves all others whole.
//!
//! Header:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `AdoubeGD` |
//! | 2 | version of the format, 1 |
//! | 2 | 0 |
//! | 4 | length of the line that follows |
//! | 4 | CRC-32 of the eight bytes between the magic word and this, and of the line |
//! | n | where the games come from: one line of JSON, with its end of line |
//!
//! Block:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `\xd1GDblock` |
//! | 8 | number of its first game, counted from 0 in the file |
//! | 4 | games, at most 256 |
//! | 4 | plies |
//! | 4 | quiet positions, see [`PlacedMove::is_quiet`] |
//! | 4 | length of the payload before compression |
//! | 4 | length of the payload as it follows |
//! | 4 | CRC-32 of the 28 bytes between the magic word and this, and of the payload as it follows |
//! | n | payload, compressed with Zstandard (RFC 8878) |
//!
//! The payload is three streams one behind the other, for what is alike compresses better together. Numbers are LEB128:
//! seven bits a byte, the lowest first, the top bit set if more follow.
//!
//! 1. For each game: how it ended (a byte: [`Ending::code`] plus 16 times 0 White won, 1 Black won, 2 draw, 3
//!    unfinished), the number of its plies, and where it begins: 0 the start position of chess, 1 two numbers of
//!    Chess960 arrays (White's, Black's), 2 the length of a Shredder-FEN and the FEN.
//! 2. For each ply of each game a byte: the index of its move among the legal ones, sorted by [`Move::bits`], that is by
//!    kind (normal, promotion, en passant, castling), promotion piece (knight to queen), target (the rook's square when
//!    castling), origin.
//! 3. For each ply of each game a number: 0 if no search chose the move, else 1 plus the difference between its score and
//!    what the score before foretells (the negative of the ply before if that has a score, else 0), zigzag coded (0, -1,
//!    1, -2, 2 as 0, 1, 2, 3, 4). A score is in internal units from the side to move's view and may be a mate's.
//!
//! [`Move::bits`]: crate::types::Move::bits

mod block;
mod codec;
mod error;
mod game;
mod header;
mod reader;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;
mod writer;

pub use block::{Block, BlockHead, GAMES_PER_BLOCK};
pub use error::DataError;
pub use game::{Ending, PlacedMove, Ply, SelfplayGame};
pub use header::Origin;
pub use reader::DataReader;
pub use writer::{DataWriter, Resumed};
