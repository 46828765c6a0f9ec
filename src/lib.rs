//! Adoube.
pub mod board;
pub mod movegen;
pub mod sys;
pub mod types;
pub mod notation;
