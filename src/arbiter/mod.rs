//! One game between two engines.
//!
//! Knows the engines' answers and the rules; never asks our own search.

pub mod adjudicate;
pub mod clock;
pub mod game;
pub mod play;
pub mod pv_check;
pub mod record;
