//! What is done with files of games: counting, checking, dividing, mixing, sorting out, scoring anew, writing as text.

mod chances;
mod check;
mod choose;
mod export;
mod rescore;
mod stats;

pub use check::check_file;
pub use choose::{Filter, Keep, Mix};
pub use export::{Choice, Column, export, label, set_scores};
pub use rescore::{Rescorer, rescore};
pub use stats::Stats;
