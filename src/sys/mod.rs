//! The machine underneath: processor features, memory, signals, pipes.
//!
//! A leaf: imports nothing of the rest. The only home of `unsafe`.

pub mod cpu;
pub mod lines;
pub mod memory;
pub mod signals;
