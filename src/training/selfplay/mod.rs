//! Games of the engine against itself.
//!
//! Everything about a game follows from the seed, its number and the options: it begins with an empty table and empty
//! histories, searches by nodes, and chance is drawn from a sequence of its own. So a file of games can be made again
//! anywhere with any number of threads, byte for byte, and a run that was stopped goes on as if it had not been.
//!
//! A game begins in the start position of chess, in one of double Chess960 (both sides have arrays of their own), or in
//! one of a book; random legal moves follow. A start where a search finds one side far ahead, where the game is over, or
//! that is too long for a game is thrown away and another one drawn.

mod adjudicate;
mod game;
mod opening;
mod run;

pub(super) use game::end;
pub use opening::{OpeningError, OpeningOptions, Openings};
pub use run::{Goal, Progress, SelfplayError, run};

use serde::Serialize;

/// How the engine plays against itself. All shares are in thousandths, for whole numbers are equal everywhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SelfplayOptions {
    /// What chance follows from.
    pub seed: u64,
    /// No iteration is begun after so many nodes.
    pub nodes: u64,
    /// No search takes more nodes, but for its first iteration, which is finished.
    pub hard_nodes: u64,
    /// Size of each thread's table in mebibytes.
    pub hash: usize,
    /// Where games begin.
    pub openings: OpeningOptions,
    /// When a game is ended before its end.
    pub adjudication: Adjudication,
    /// A game that comes to so many plies, those of its opening among them, is a draw.
    pub longest: usize,
}

/// When a game is ended because the searches agree on its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Adjudication {
    /// A side has won whose advantage is at least this, in hundredths of a pawn of which 100 win half of the games, ...
    pub win_score: i32,
    /// ... in the eyes of the side to move for so many plies on end.
    pub win_plies: usize,
    /// A game is drawn in which nobody's advantage is greater than this, in hundredths of a pawn, ...
    pub draw_score: i32,
    /// ... for so many plies on end, none of which takes anything or moves a pawn, ...
    pub draw_plies: usize,
    /// ... after so many plies of the game.
    pub draw_after: usize,
    /// The share of games that are played to their end, in thousandths.
    pub unadjudicated: u64,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            win_score: 1_000,
            win_plies: 4,
            draw_score: 5,
            draw_plies: 10,
            draw_after: 70,
            unadjudicated: 150,
        }
    }
}
