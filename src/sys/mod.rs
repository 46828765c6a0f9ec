//! The machine underneath: processor features, memory, signals.
//!
//! A leaf: imports nothing of the rest. With `search::table` and `eval::simd` the only home of `unsafe`.

pub mod cpu;
pub mod memory;
pub mod signals;
