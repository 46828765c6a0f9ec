//! Adoube.
pub mod board;
pub mod eval;
pub mod movegen;
pub mod notation;
pub mod search;
pub mod sys;
pub mod types;
pub mod uci;
