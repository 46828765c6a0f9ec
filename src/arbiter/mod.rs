//! One game between two engines.
//!
//! Knows the engines' answers and the rules; never asks our own search.

pub mod absence;
pub mod adjudicate;
pub mod clock;
mod hear;
pub mod judge;
mod listen;
pub mod play;
pub mod proxy;
pub mod pv_check;
pub mod record;
