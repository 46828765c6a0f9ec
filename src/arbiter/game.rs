//! A game on the board: its moves, and the ends that the rules bring about, as engine matches apply them.

use crate::board::{History, Position};
use crate::notation::pgn::Outcome;
use crate::types::{Color, Move};
use std::fmt;

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
    /// The side to move gave this as its move; nothing, if it gave none.
    IllegalMove(String),
    /// The engine of the side to move has ended or closed its pipes: how.
    Disconnected(String),
    /// The engine of the side to move does not get ready to play.
    Stalled(String),
    /// Both players' scores say so, or the loser's.
    Adjudication,
    /// As many moves have been played as were allowed.
    MaxMoves,
    /// The match was stopped.
    Interrupted,
}

impl Reason {
    /// The value of the PGN tag `Termination`, in the words of the programs that read it.
    pub fn termination(&self) -> &'static str {
        match self {
            Reason::TimeForfeit => "time forfeit",
            Reason::IllegalMove(_) => "illegal move",
            Reason::Disconnected(_) => "abandoned",
            Reason::Stalled(_) => "stalled connection",
            Reason::Adjudication | Reason::MaxMoves => "adjudication",
            Reason::Interrupted => "unterminated",
            _ => "normal",
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
}

impl Verdict {
    /// A game that `loser` has lost.
    pub fn lost(loser: Color, reason: Reason) -> Verdict {
        Verdict { outcome: Outcome::Win(!loser), reason }
    }

    /// A drawn game.
    pub fn drawn(reason: Reason) -> Verdict {
        Verdict { outcome: Outcome::Draw, reason }
    }
}

impl fmt::Display for Verdict {
    /// Who did what, in the words that programs look for in the output of match runners.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.outcome, &self.reason) {
            (Outcome::Win(winner), Reason::Checkmate) => write!(f, "{winner} mates"),
            (Outcome::Win(winner), Reason::TimeForfeit) => write!(f, "{} loses on time", !winner),
            (Outcome::Win(winner), Reason::IllegalMove(text)) if text.is_empty() => {
                write!(f, "{} makes no move, an illegal move", !winner)
            }
            (Outcome::Win(winner), Reason::IllegalMove(text)) => {
                write!(f, "{} makes an illegal move: {text}", !winner)
            }
            (Outcome::Win(winner), Reason::Disconnected(_)) => write!(f, "{} disconnects", !winner),
            (Outcome::Win(winner), Reason::Stalled(_)) => write!(f, "{}'s connection stalls", !winner),
            (Outcome::Win(winner), _) => write!(f, "{winner} wins by adjudication"),
            (_, Reason::Stalemate) => f.write_str("Draw by stalemate"),
            (_, Reason::ThreefoldRepetition) => f.write_str("Draw by 3-fold repetition"),
            (_, Reason::FiftyMoves) => f.write_str("Draw by fifty moves rule"),
            (_, Reason::InsufficientMaterial) => f.write_str("Draw by insufficient mating material"),
            (_, Reason::MaxMoves) => f.write_str("Draw by adjudication: move limit"),
            (_, Reason::Interrupted) => f.write_str("interrupted"),
            _ => f.write_str("Draw by adjudication"),
        }
    }
}

/// A game in progress.
pub struct Game {
    position: Position,
    history: History,
}

impl Game {
    /// A game from `start`.
    pub fn new(start: Position) -> Game {
        Game { position: start, history: History::new(&start) }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Which positions came before.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position = self.position.after(mv);
        self.history.push(&self.position);
    }

    /// How the game has ended on the board, if it has. Mate comes before all else, as in article 9.6.2.
    pub fn over(&self) -> Option<Verdict> {
        let position = &self.position;
        if position.has_no_moves() {
            return Some(if position.in_check() {
                Verdict::lost(position.side_to_move(), Reason::Checkmate)
            } else {
                Verdict::drawn(Reason::Stalemate)
            });
        }
        if position.is_insufficient_material() {
            Some(Verdict::drawn(Reason::InsufficientMaterial))
        } else if self.history.occurrences() >= 3 {
            Some(Verdict::drawn(Reason::ThreefoldRepetition))
        } else if position.halfmove_clock() >= 100 {
            Some(Verdict::drawn(Reason::FiftyMoves))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::san::parse_san;

    fn end_of(fen: &str, moves: &[&str]) -> Option<String> {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for text in moves {
            assert_eq!(game.over(), None, "before {text}");
            game.play(parse_san(text, game.position()).unwrap());
        }
        game.over().map(|verdict| format!("{} {verdict}", verdict.outcome))
    }

    #[test]
    fn games_end_on_the_board() {
        let start = crate::board::Board::START_FEN;
        assert_eq!(end_of(start, &["f3", "e5", "g4", "Qh4#"]).unwrap(), "0-1 Black mates");
        assert_eq!(end_of("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", &["Qg6"]).unwrap(), "1/2-1/2 Draw by stalemate");
        let back_and_forth = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"];
        assert_eq!(end_of(start, &back_and_forth).unwrap(), "1/2-1/2 Draw by 3-fold repetition");
        assert_eq!(end_of(start, &back_and_forth[..7]), None);
        let fen = "7k/8/8/8/8/8/r7/K7 w - - 0 1";
        assert_eq!(end_of(fen, &["Kxa2"]).unwrap(), "1/2-1/2 Draw by insufficient mating material");
        let fen = "7k/8/8/8/8/8/r7/2K5 w - - 98 90";
        assert_eq!(end_of(fen, &["Kb1", "Ra3"]).unwrap(), "1/2-1/2 Draw by fifty moves rule");
        let fen = "7k/R7/1R6/8/8/8/8/K7 w - - 99 90";
        assert_eq!(end_of(fen, &["Rb8#"]).unwrap(), "1-0 White mates", "mate comes first");
    }
}
