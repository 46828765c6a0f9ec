//! What an engine says of the game, whatever it speaks.

use crate::types::Outcome;

/// What an engine has said that matters to the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// Its move.
    Move(Best),
    /// It offers a draw, or accepts one, or, before its move, claims the draw that the move brings.
    OfferDraw,
    /// A claim that the game is over, such as `1-0 {White mates}`.
    Result {
        /// The result that it claims.
        outcome: Outcome,
        /// Why, in its words.
        comment: String,
    },
    /// It resigns.
    Resign,
    /// It does not take what it was sent: why, such as `Illegal move: e2e4`.
    Refuses(String),
}

/// A move that an engine gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Best {
    /// The move as it was written; empty if none was.
    pub best: String,
    /// The move to ponder on, as it was written.
    pub ponder: Option<String>,
}

impl From<&str> for Best {
    /// A move without one to ponder on.
    fn from(text: &str) -> Best {
        Best { best: text.to_string(), ponder: None }
    }
}
