//! A game on a clock: whose move it is, who has how much time, and how it ends.

use crate::board::{FenStyle, History, Position};
use crate::engine::uci_client::{Answer, Clocks, ScoreKind, UciClient};
use crate::notation::pgn::Outcome;
use crate::notation::uci_move::{parse_uci, to_uci};
use crate::types::{Color, Move};
use std::fmt;
use std::time::Duration;

/// Why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The position stands on the board for the third time.
    ThreefoldRepetition,
    /// Fifty moves of each side without capture or pawn move.
    FiftyMoves,
    /// Neither side can mate with what it has.
    InsufficientMaterial,
    /// The side to move has used up its time.
    TimeForfeit,
    /// The side to move gave this as its move.
    IllegalMove(String),
    /// The side to move's engine failed.
    EngineFailure(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Checkmate => f.write_str("checkmate"),
            Reason::Stalemate => f.write_str("stalemate"),
            Reason::ThreefoldRepetition => f.write_str("threefold repetition"),
            Reason::FiftyMoves => f.write_str("fifty moves"),
            Reason::InsufficientMaterial => f.write_str("insufficient material"),
            Reason::TimeForfeit => f.write_str("time forfeit"),
            Reason::IllegalMove(text) => write!(f, "illegal move {text}"),
            Reason::EngineFailure(text) => f.write_str(text),
        }
    }
}

/// A move that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// What the engine said with it.
    pub answer: Answer,
}

impl Played {
    /// Score, depth and time as a PGN comment: `+0.32/11 0.074s`, from the mover's point of view.
    pub fn comment(&self) -> String {
        let seconds = self.answer.time.as_secs_f64();
        let score = match self.answer.score {
            Some((ScoreKind::Centipawns, cp)) => format!("{:+.2}", f64::from(cp) / 100.0),
            Some((ScoreKind::Mate, moves)) => {
                format!("{}M{}", if moves < 0 { '-' } else { '+' }, moves.abs())
            }
            None => return format!("{seconds:.3}s"),
        };
        format!("{score}/{} {seconds:.3}s", self.answer.depth)
    }
}

/// A game in progress.
pub struct Game {
    start: Position,
    position: Position,
    history: History,
    moves: Vec<Played>,
    /// The moves in UCI notation.
    words: Vec<String>,
    left: [Duration; 2],
    increment: Duration,
}

/// How long an engine is waited for after its flag has fallen.
const AFTER_FLAG: Duration = Duration::from_secs(2);

impl Game {
    /// A game from `start` with `time` and `increment` for each side.
    pub fn new(start: Position, time: Duration, increment: Duration) -> Game {
        Game {
            start,
            position: start,
            history: History::new(&start),
            moves: vec![],
            words: vec![],
            left: [time; 2],
            increment,
        }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// What `color` has left.
    pub fn left(&self, color: Color) -> Duration {
        self.left[color.index()]
    }

    /// How the game has ended on the board, if it has.
    pub fn over(&self) -> Option<(Outcome, Reason)> {
        let position = &self.position;
        if position.has_no_moves() {
            return Some(if position.in_check() {
                (Outcome::Win(!position.side_to_move()), Reason::Checkmate)
            } else {
                (Outcome::Draw, Reason::Stalemate)
            });
        }
        let reason = if position.is_insufficient_material() {
            Reason::InsufficientMaterial
        } else if self.history.occurrences() >= 3 {
            Reason::ThreefoldRepetition
        } else if position.halfmove_clock() >= 100 {
            Reason::FiftyMoves
        } else {
            return None;
        };
        Some((Outcome::Draw, reason))
    }

    /// Lets the engine of the side to move make its move; the end of the game if it fails to.
    pub fn play_move(&mut self, engine: &mut UciClient) -> Option<(Outcome, Reason)> {
        let mover = self.position.side_to_move();
        let lost = |reason| Some((Outcome::Win(!mover), reason));
        let [white, black] = self.left;
        let clocks = Clocks { white, black, increment: self.increment };
        let start = self.start.to_fen(FenStyle::XFen);
        let left = self.left[mover.index()];
        let answer = match engine.think(&start, &self.words, clocks, left + AFTER_FLAG) {
            Ok(answer) => answer,
            Err(crate::engine::process::EngineError::Silent(_)) => return lost(Reason::TimeForfeit),
            Err(error) => return lost(Reason::EngineFailure(error.to_string())),
        };
        if answer.time >= left {
            return lost(Reason::TimeForfeit);
        }
        let Ok(mv) = parse_uci(&answer.best, &self.position) else {
            return lost(Reason::IllegalMove(answer.best));
        };
        self.left[mover.index()] = left - answer.time + self.increment;
        self.words.push(to_uci(mv, &self.position, false));
        self.moves.push(Played { mv, answer });
        self.position = self.position.after(mv);
        self.history.push(&self.position);
        self.over()
    }
}
