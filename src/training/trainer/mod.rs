//! Trains networks: from files of games to a network file, on all processors.
//!
//! `dataset` reads games, `filter` leaves out what there is nothing to learn from, `record` is what remains of a position;
//! `order` mixes positions of all files, without memory and alike on every machine. `kernel` has the inner loops, `deep` those
//! of deep layers, `layer` moves the weights, `core` is a step on all processors, `model` the numbers. `settings` says what a
//! run is, `run` goes through it, `checkpoint` keeps it, `widen` begins another with its numbers, `export` makes the network
//! of it, `rounding` with as little loss as can be, `mean` makes one network of several, `measure` says how well it does and
//! `curve` draws the losses.
//!
//! What is learnt: the expected points of the side to move, a mixture of 1 / (1 + e^(-score/scale)) and what came after
//! (`returns`: later scores of the game and its result), are compared with 1 / (1 + e^-output); the loss is the square of
//! the difference. The optimiser is AdamW, the rate rises for a while and falls along a cosine. Each weight is kept
//! in the range that the file can hold; whether their sums fit too is seen when the network is made of them.
//!
//! The same data, settings and seed give the same network to the last bit, on any number of threads and any kind of
//! vector instructions, and whether the run was interrupted or not; but positions that do not fit into memory come in an
//! order that depends on the number of parts. (With a `--loss-power` other than 2 the last bit may depend on the machine.)

pub mod checkpoint;
pub mod core;
mod curve;
pub mod dataset;
mod deep;
pub mod export;
pub mod filter;
pub(in crate::training) mod kernel;
mod layer;
pub mod mean;
pub mod measure;
pub mod model;
pub mod order;
pub mod record;
pub(in crate::training) mod returns;
mod rounding;
pub mod run;
pub mod settings;
#[cfg(test)]
mod tests;
pub mod widen;
