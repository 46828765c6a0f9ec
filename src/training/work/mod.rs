//! What is done with files of games: counting, checking, dividing, mixing, sorting out, scoring anew.

mod chances;
mod check;
mod choose;
mod rescore;
mod stats;

pub use check::check_file;
pub use choose::{Filter, Keep, Mix};
pub use rescore::{Rescorer, rescore};
pub use stats::Stats;
