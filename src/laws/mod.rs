//! The Laws of Chess as FIDE publishes them, by edition, for games between engines: what a move, a claim, an offer, a
//! fallen flag or an illegal move brings about, with the article that says so.
//!
//! Knows the board and its moves. Does not know processes, files, the system's time or how moves are written: whoever
//! runs a game turns what players say into [`event::Event`]s, hands them to [`game::Game`], and carries out its
//! [`event::Ruling`]s.
#![doc = include_str!("ARTICLES.md")]

pub mod claims;
pub mod clock;
pub mod dead;
pub mod edition;
pub mod event;
pub mod game;
pub mod irregularity;
pub mod regulations;
pub mod result;
pub mod rule;
pub mod snapshot;

mod adjournment;
mod faults;
pub mod offers;
pub mod quickplay;

pub use clock::{Bonus, Clock, FlagFall, Period, TimeControl};
pub use edition::{Edition, Speed};
pub use event::{Event, Ruling, What};
pub use game::{Game, Prover, Rulings};
pub use regulations::{DrawAgreement, Regulations, Scoring};
pub use result::{GameResult, Reason, Verdict};
pub use rule::{Article, Rule};
