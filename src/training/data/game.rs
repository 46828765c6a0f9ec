//! One game, and its positions one by one.

use crate::board::Position;
use crate::types::{Color, Move, Outcome, Score};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Mate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// The position stood there for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn's move.
    FiftyMoves,
    /// Nobody could mate with what was left.
    Material,
    /// The searches of both sides agreed that one had won.
    WinAdjudicated,
    /// The searches of both sides agreed that nobody would win.
    DrawAdjudicated,
    /// The longest game allowed; counted as a draw.
    TooLong,
}

impl Ending {
    /// All of them, in the order of their codes.
    pub const ALL: [Ending; 8] = [
        Ending::Checkmate,
        Ending::Stalemate,
        Ending::Repetition,
        Ending::FiftyMoves,
        Ending::Material,
        Ending::WinAdjudicated,
        Ending::DrawAdjudicated,
        Ending::TooLong,
    ];

    /// The number that stands for it in a file, below 16.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The ending with this code.
    pub fn from_code(code: u8) -> Option<Ending> {
        Ending::ALL.get(usize::from(code)).copied()
    }

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::Repetition => "repetition",
            Ending::FiftyMoves => "fifty moves",
            Ending::Material => "insufficient material",
            Ending::WinAdjudicated => "adjudicated win",
            Ending::DrawAdjudicated => "adjudicated draw",
            Ending::TooLong => "too long",
        }
    }
}

/// A move and what was thought of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The search's value for the side that moves, in internal units, mates as they are; `None` if the move was drawn by
    /// lot or taken from a book.
    pub score: Option<Score>,
}

/// A game of the engine against itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfplayGame {
    /// Where it began.
    pub start: Position,
    /// Its moves.
    pub plies: Vec<Ply>,
    /// Who won.
    pub outcome: Outcome,
    /// How it ended.
    pub ending: Ending,
}

/// A position of a game with the move that was played there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlacedMove {
    /// The position before the move.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// The search's value of the position for its side to move, if it was searched.
    pub score: Option<Score>,
    /// Plies played before it in the game.
    pub ply: usize,
    /// What the side to move got out of the game: 1, 0.5 or 0; `None` if the game was not finished.
    pub points: Option<f32>,
}

impl PlacedMove {
    /// True if a static evaluation may learn from the position: it was searched, its value is no mate's, the side to move
    /// is not in check, and the best move takes nothing and makes no piece.
    pub fn is_quiet(&self) -> bool {
        self.score.is_some_and(|score| !score.is_decisive())
            && !self.position.in_check()
            && !self.position.is_capture(self.mv)
            && self.mv.promoted().is_none()
    }
}

impl SelfplayGame {
    /// The positions in which a move was played, in their order; not the last one. The moves must be legal.
    pub fn positions(&self) -> impl Iterator<Item = PlacedMove> + '_ {
        let mut next = self.start;
        self.plies.iter().enumerate().map(move |(ply, &Ply { mv, score })| {
            let position = next;
            next = position.after(mv);
            let points = points(self.outcome, position.side_to_move());
            PlacedMove { position, mv, score, ply, points }
        })
    }

    /// How many of its positions are quiet.
    pub fn quiet_positions(&self) -> usize {
        self.positions().filter(PlacedMove::is_quiet).count()
    }
}

/// What `side` gets for this outcome.
fn points(outcome: Outcome, side: Color) -> Option<f32> {
    match outcome {
        Outcome::Win(winner) => Some(if winner == side { 1.0 } else { 0.0 }),
        Outcome::Draw => Some(0.5),
        Outcome::Unfinished => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::uci_move::parse_uci;

    #[test]
    fn positions_whose_value_hangs_on_the_next_move_are_not_quiet() {
        let level = Some(Score::new(35));
        for (fen, text, score, is_quiet) in [
            ("4k3/P7/8/8/3p4/4P3/8/4K3 w - - 0 1", "e1e2", level, true),
            ("4k3/P7/8/8/3p4/4P3/8/4K3 w - - 0 1", "e3d4", level, false),
            ("4k3/P7/8/8/3p4/4P3/8/4K3 w - - 0 1", "a7a8q", level, false),
            ("4k3/P7/8/8/3p4/4P3/8/4K3 w - - 0 1", "a7a8n", level, false),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", level, false),
            // In check.
            ("4k3/8/8/8/1b6/8/8/4K3 w - - 0 1", "e1e2", level, false),
            // Giving one is as quiet as any move.
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", level, true),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a7", None, false),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a7", Some(Score::mate_in(9)), false),
            ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "e8d7", Some(Score::mated_in(9)), false),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = parse_uci(text, &position).unwrap();
            let placed = PlacedMove { position, mv, score, ply: 0, points: None };
            assert_eq!(placed.is_quiet(), is_quiet, "{fen} {text} {score:?}");
        }
    }
}
