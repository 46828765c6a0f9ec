//! Trains networks.

pub mod core;
pub mod filter;
pub mod kernel;
pub mod model;
pub mod order;
pub mod record;
pub mod settings;
