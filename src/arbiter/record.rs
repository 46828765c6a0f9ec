//! What is kept of a game.

use super::game::Verdict;
use crate::board::Position;
use crate::engine::info::Score;
use crate::types::Move;
use std::time::Duration;

/// A move that an engine played, and what it said with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// How long it took.
    pub time: Duration,
    /// What its clock showed then; `None` without a clock for the game.
    pub left: Option<Duration>,
    /// The score, from the mover's point of view.
    pub score: Option<Score>,
    /// In plies.
    pub depth: Option<u32>,
    /// The deepest line, in plies.
    pub seldepth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the hash table was, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in tablebases.
    pub tbhits: Option<u64>,
    /// The time that the engine itself told.
    pub reported: Option<Duration>,
    /// The line that it saw, if lines are wanted.
    pub pv: Vec<String>,
    /// Its lines that the match keeps.
    pub kept: Vec<String>,
}

/// A game, from beginning to end.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// Where the moves begin.
    pub start: Position,
    /// Moves of the opening, which nobody thought about.
    pub book: Vec<Move>,
    /// The moves of the engines.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    pub verdict: Verdict,
    /// The position at its end.
    pub last: Position,
    /// What the engines did wrong, by the names that they have.
    pub remarks: Vec<String>,
    /// How long each `go` left after the `bestmove` before it had arrived, if that is wanted: what engines wait for us.
    pub handovers: Vec<Duration>,
}
