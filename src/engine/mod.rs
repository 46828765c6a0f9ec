//! Somebody else's program, or our own, as a process.
//!
//! Knows pipes and the UCI client's side; does not know who wins.

pub mod config;
pub mod process;
pub mod uci_client;
