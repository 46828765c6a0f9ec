//! Many games: who plays whom and when, the record of what was played, and what follows from it.
//!
//! Knows schedules, the journal and statistics; asks the arbiter for single games.

pub mod adjourned;
pub mod config;
mod desk;
pub mod elo;
pub mod entry;
pub mod fingerprint;
pub mod journal;
mod journal_line;
pub mod journal_place;
mod mend;
pub mod mle;
pub mod normal;
pub mod outputs;
pub mod pgn;
pub mod runner;
pub mod schedule;
pub mod score_sheet;
pub mod setup;
pub mod sprt;
#[cfg(any(feature = "tune", test))]
pub mod spsa;
pub mod standings;
mod starts;
pub mod stats;
pub mod stop;
mod worker;
