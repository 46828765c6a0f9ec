//! Matches under the Laws: what engines do, what the arbiter rules, and what the record says of it.
#![cfg(target_os = "linux")]

mod adjournment;
mod draws;
mod ended;
mod failures;
mod illegal;
mod quickplay;
#[path = "../support/mod.rs"]
mod support;
mod time;
