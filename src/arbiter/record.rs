//! What is kept of a game.

use crate::board::Position;
use crate::engine::info::{Info, Score};
use crate::laws::Verdict;
use crate::laws::snapshot::Snapshot;
use crate::types::Move;
use std::time::Duration;

/// How the remark on a game begins that is nobody's fault: the match itself was stopped.
pub const STOOD_STILL: &str = "the match stood still";

/// What the remark on a move says that took longer than its time, and no longer than is allowed.
pub const FORGIVEN: &str = "and is forgiven";

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
    /// What the arbiter ruled since the move before, and offers of draws, as the score sheet has them.
    pub rulings: Vec<String>,
}

impl PlayedMove {
    /// A move of which nothing else is known.
    pub fn bare(mv: Move, time: Duration, left: Option<Duration>) -> PlayedMove {
        PlayedMove {
            mv,
            time,
            left,
            score: None,
            depth: None,
            seldepth: None,
            nodes: None,
            nps: None,
            hashfull: None,
            tbhits: None,
            reported: None,
            pv: vec![],
            kept: vec![],
            rulings: vec![],
        }
    }

    /// A move with what its engine said of it; what its clock shows and what is ruled come later.
    pub fn said(mv: Move, time: Duration, info: Info, kept: Vec<String>) -> PlayedMove {
        PlayedMove {
            score: info.score,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            nps: info.nps,
            hashfull: info.hashfull,
            tbhits: info.tbhits,
            reported: info.time.map(Duration::from_millis),
            pv: info.pv,
            kept,
            ..PlayedMove::bare(mv, time, None)
        }
    }
}

/// A move that was sealed, as the engine gave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SealedMove {
    /// What it said; nothing if the envelope was lost.
    pub text: Option<String>,
    /// How long it thought.
    pub time: Duration,
    /// The score, from its point of view.
    pub score: Option<Score>,
    /// In plies.
    pub depth: Option<u32>,
    /// All that was said of it, if it is one; nothing if the envelope was lost.
    pub said: Option<PlayedMove>,
    /// What is to be said of its line, which would tell the move.
    pub remarks: Vec<String>,
}

impl SealedMove {
    /// The move as it is made when the envelope has been opened.
    pub fn made(&self, mv: Move) -> PlayedMove {
        let said = self.said.clone().filter(|said| said.mv == mv);
        said.unwrap_or_else(|| PlayedMove {
            score: self.score,
            depth: self.depth,
            ..PlayedMove::bare(mv, self.time, None)
        })
    }
}

/// A game between two sessions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adjourned {
    /// The moves of the engines so far.
    pub moves: Vec<PlayedMove>,
    /// What the engines did wrong so far.
    pub remarks: Vec<String>,
    /// What the arbiter ruled since the last of the moves.
    pub rulings: Vec<String>,
    /// Clocks, offers and penalties.
    pub snapshot: Snapshot,
    /// The move that nobody knows yet.
    pub sealed: SealedMove,
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
    /// What the arbiter ruled after the last move.
    pub rulings: Vec<String>,
    /// The position at its end.
    pub last: Position,
    /// What the engines did wrong, by the names that they have.
    pub remarks: Vec<String>,
    /// How long each `go` left after the `bestmove` before it had arrived, if that is wanted: what engines wait for us.
    pub handovers: Vec<Duration>,
    /// It is not over but adjourned.
    pub adjourned: Option<Adjourned>,
}
