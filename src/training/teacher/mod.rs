//! A teacher: a transformer that learns from games what a network cannot, and says it of each position, for the network to
//! learn from. It is far too slow to play.
//!
//! `sample` is a position as it is kept, `tokens` what is seen of it, `weights` the numbers, `rows` what is done with rows of
//! floats, `attention` and `layer` the way there and back, `learner` all of it for some positions. `lessons` are the positions of
//! games, `school` is how it learns from them, `measure` how much it knows then, `file` how it is kept.

pub mod attention;
pub mod file;
pub mod layer;
pub mod learner;
pub mod lessons;
pub mod measure;
pub mod rows;
pub mod sample;
pub mod school;
#[cfg(test)]
mod tests;
pub mod tokens;
pub mod weights;
