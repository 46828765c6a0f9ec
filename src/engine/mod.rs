//! Somebody else's program, or our own, as a process.
//!
//! Knows pipes and the UCI client's side; does not know who wins.

pub mod compliance;
pub mod config;
pub mod declared;
pub mod dialogue;
pub mod info;
pub mod process;
pub mod transcript;
pub mod uci_client;
