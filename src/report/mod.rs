//! What people and programs get to see of a match.
//!
//! Knows output forms; takes plain results and gives text. Does not know processes or files.

mod conditions;
pub mod console;
mod events;
mod measures;
pub mod text;
