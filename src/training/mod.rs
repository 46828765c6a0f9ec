//! From games of the engine against itself to a network: the data, how it is made, and what is done with it.
//!
//! `data` is the file format, `selfplay` plays the games, `work` counts, sorts and corrects them, `trainer` makes networks of
//! them, `teacher` what teaches these more than games do by themselves; `valley` finds where a function is lowest. Knows the search; does not know UCI, and prints nothing.

pub mod data;
pub mod selfplay;
pub mod teacher;
pub mod trainer;
mod valley;
pub mod work;
