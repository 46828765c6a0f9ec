//! The machine underneath: processors, memory, randomness, time; signals, pipes, files and locks; processes, and threads
//! that panic.
//!
//! A leaf: imports nothing of the rest. With `eval/simd` the only home of `unsafe`.

pub mod affinity;
pub mod chance;
pub mod children;
pub mod cpu;
pub mod files;
pub mod lines;
pub mod locks;
pub mod memory;
pub mod moments;
pub mod panics;
pub mod pipes;
pub mod products;
#[cfg(test)]
pub(crate) mod scratch;
pub mod signals;
pub mod usage;
pub mod vectors;
