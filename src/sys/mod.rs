//! The machine underneath: processor features, memory, signals, pipes.
//!
//! A leaf: imports nothing of the rest. With `search::table` and `eval::simd` the only home of `unsafe`.

pub mod cpu;
pub mod lines;
pub mod memory;
pub mod signals;
