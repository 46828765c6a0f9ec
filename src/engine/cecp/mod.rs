//! The client's side of xboard's protocol, version 2, and 1 for engines that know no other: T. Mann and H. G. Muller,
//! "Chess Engine Communication Protocol" (`engine-intf.html` of xboard), called the protocol text below.
//!
//! An engine of this kind keeps the board itself and moves as soon as it is told its opponent's move. What it says of
//! the game (moves, draw offers, claims, resignations, complaints) is passed on in order; what follows from it is
//! decided elsewhere.

mod client;
mod features;
mod level;
mod moves;
mod phrases;
mod settings;
mod setup;
mod talk;
mod thinking;

pub use client::CecpClient;
pub use level::Level;
pub use moves::{parse_move, write_move};

use super::connection::Speaker;
use std::fmt;

impl fmt::Debug for CecpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CecpClient").field("connection", self.connection()).finish_non_exhaustive()
    }
}
