//! Somebody else's program, or our own, as a process.
//!
//! Knows pipes and the client's side of UCI and of xboard's protocol; does not know who wins.

pub mod cecp;
pub mod client;
pub mod compliance;
pub mod config;
pub mod connection;
pub mod declared;
pub mod dialogue;
pub mod info;
mod last_lines;
pub mod process;
pub mod said;
pub mod transcript;
pub mod uci_client;
