//! The Laws of Chess: pure rules, without a process, a clock of the system, input or output.

pub mod dead;
