//! Many games: who plays whom and when, the record of what was played, and what follows from it.
//!
//! Knows schedules, the journal and statistics; asks the arbiter for single games.

pub mod config;
pub mod entry;
pub mod journal;
pub mod pgn;
pub mod schedule;
