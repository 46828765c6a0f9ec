//! How a game ended: who got what, why, and by which article.

use super::rule::Article;
use crate::types::{Color, Outcome};
use std::fmt;

/// What the players got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// A game that was played: won, drawn or not finished.
    Played(Outcome),
    /// Nobody got anything: `0-0`.
    BothLose,
    /// This player got half a point although his opponent lost: `1/2-0` or `0-1/2`.
    HalfTo(Color),
    /// This player won without a game: `+/-` or `-/+`.
    Forfeit(Color),
    /// Neither came: `-/-`.
    DoubleForfeit,
    /// The game does not count and is to be played anew.
    Annulled,
}

impl GameResult {
    const NAMES: [(&'static str, GameResult); 11] = [
        ("1-0", GameResult::Played(Outcome::Win(Color::White))),
        ("0-1", GameResult::Played(Outcome::Win(Color::Black))),
        ("1/2-1/2", GameResult::Played(Outcome::Draw)),
        ("*", GameResult::Played(Outcome::Unfinished)),
        ("0-0", GameResult::BothLose),
        ("1/2-0", GameResult::HalfTo(Color::White)),
        ("0-1/2", GameResult::HalfTo(Color::Black)),
        ("+/-", GameResult::Forfeit(Color::White)),
        ("-/+", GameResult::Forfeit(Color::Black)),
        ("-/-", GameResult::DoubleForfeit),
        ("void", GameResult::Annulled),
    ];

    /// Reads what `Display` writes.
    pub fn parse(text: &str) -> Option<GameResult> {
        GameResult::NAMES.into_iter().find(|&(name, _)| name == text).map(|(_, result)| result)
    }

    /// The PGN tag Result, which knows four values only.
    pub fn outcome(self) -> Outcome {
        match self {
            GameResult::Played(outcome) => outcome,
            GameResult::Forfeit(winner) => Outcome::Win(winner),
            _ => Outcome::Unfinished,
        }
    }

    /// The game as statistics of strength count it, which know no game without a winner that is not drawn: who gets
    /// half a point against nothing has won, and where both lose nobody is better. What was not played tells nothing.
    pub fn rated(self) -> Outcome {
        match self {
            GameResult::HalfTo(player) => Outcome::Win(player),
            GameResult::BothLose => Outcome::Draw,
            GameResult::Forfeit(_) | GameResult::DoubleForfeit => Outcome::Unfinished,
            other => other.outcome(),
        }
    }

    /// The game for programs that know the four results of PGN alone: who has more of it.
    pub fn told(self) -> Outcome {
        match self {
            GameResult::Forfeit(winner) => Outcome::Win(winner),
            other => other.rated(),
        }
    }

    /// Who has lost, White first.
    pub fn losers(self) -> [bool; 2] {
        match self {
            GameResult::BothLose | GameResult::DoubleForfeit => [true; 2],
            GameResult::HalfTo(player) | GameResult::Forfeit(player) => {
                [player == Color::Black, player == Color::White]
            }
            GameResult::Played(Outcome::Win(winner)) => [winner == Color::Black, winner == Color::White],
            _ => [false; 2],
        }
    }

    /// True if no game was played.
    pub fn is_unplayed(self) -> bool {
        matches!(self, GameResult::Forfeit(_) | GameResult::DoubleForfeit)
    }

    /// True if the PGN tag Result cannot tell it.
    pub fn is_exceptional(self) -> bool {
        !matches!(self, GameResult::Played(_))
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = GameResult::NAMES.iter().find(|(_, result)| result == self).map_or("*", |(name, _)| name);
        f.write_str(name)
    }
}

/// Why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can mate with what it has.
    InsufficientMaterial,
    /// Neither side can mate by any series of legal moves, whatever it has.
    DeadPosition,
    /// The position stands on the board for the third time, or would after the move that was announced.
    ThreefoldRepetition,
    /// Fifty moves of each side without capture or pawn move.
    FiftyMoves,
    /// The position stands on the board for the fifth time.
    FivefoldRepetition,
    /// Seventy-five moves of each side without capture or pawn move.
    SeventyFiveMoves,
    /// The players have agreed to a draw.
    Agreement,
    /// The loser has resigned.
    Resignation,
    /// The side to move has used up its time.
    TimeForfeit,
    /// Both flags are down.
    BothFlags,
    /// The side to move gave this as its move; nothing, if it gave none.
    IllegalMove(String),
    /// This was sealed, which is no legal move.
    SealedMove(String),
    /// The engine of the side to move has ended or closed its pipes: how.
    Disconnected(String),
    /// The engine of the side to move does not answer, or does not get ready to play.
    Stalled(String),
    /// A player did not come.
    Absence,
    /// The arbiter's penalty.
    Penalty(String),
    /// The arbiter has upheld a claim in a quickplay finish: why.
    QuickplayFinish(String),
    /// The starting position or the colours were wrong: how.
    Annulled(String),
    /// Both players' scores say so, or the loser's.
    Adjudication,
    /// As many moves have been played as were allowed.
    MaxMoves,
    /// A tablebase knows how the game would end.
    Tablebase,
    /// The match was stopped.
    Interrupted,
}

impl Reason {
    /// The value of the PGN tag `Termination`, in the words of the programs that read it.
    pub fn termination(&self) -> &'static str {
        match self {
            Reason::TimeForfeit | Reason::BothFlags => "time forfeit",
            Reason::IllegalMove(_) => "illegal move",
            Reason::SealedMove(_) | Reason::Penalty(_) => "rules infraction",
            // Who does not come, not even to a game that has begun; one that has not is "unplayed".
            Reason::Disconnected(_) | Reason::Absence => "abandoned",
            Reason::Stalled(_) => "stalled connection",
            Reason::Adjudication | Reason::MaxMoves | Reason::Tablebase => "adjudication",
            Reason::Annulled(_) | Reason::Interrupted => "unterminated",
            _ => "normal",
        }
    }
}

impl fmt::Display for Reason {
    /// What it is, whoever has won: [`Verdict`] tells who did what.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, told) = match self {
            Reason::Checkmate => ("checkmate", ""),
            Reason::Stalemate => ("stalemate", ""),
            Reason::InsufficientMaterial => ("insufficient mating material", ""),
            Reason::DeadPosition => ("dead position", ""),
            Reason::ThreefoldRepetition => ("3-fold repetition", ""),
            Reason::FiftyMoves => ("fifty moves rule", ""),
            Reason::FivefoldRepetition => ("5-fold repetition", ""),
            Reason::SeventyFiveMoves => ("seventy-five moves rule", ""),
            Reason::Agreement => ("agreement", ""),
            Reason::Resignation => ("resignation", ""),
            Reason::TimeForfeit => ("time forfeit", ""),
            Reason::BothFlags => ("both flags have fallen", ""),
            Reason::IllegalMove(text) => ("illegal move", text.as_str()),
            Reason::SealedMove(text) => ("no legal move was sealed", text.as_str()),
            Reason::Disconnected(how) => ("disconnection", how.as_str()),
            Reason::Stalled(how) => ("stalled connection", how.as_str()),
            Reason::Absence => ("absence", ""),
            Reason::Penalty(why) => ("penalty", why.as_str()),
            Reason::QuickplayFinish(why) => ("quickplay finish", why.as_str()),
            Reason::Annulled(why) => ("annulled", why.as_str()),
            Reason::Adjudication => ("adjudication", ""),
            Reason::MaxMoves => ("adjudication", "move limit"),
            Reason::Tablebase => ("adjudication", "SyzygyTB"),
            Reason::Interrupted => ("interrupted", ""),
        };
        f.write_str(what)?;
        if told.is_empty() { Ok(()) } else { write!(f, ": {told}") }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// What the players got.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// By which article; `None` for ends that the Laws do not know.
    pub article: Option<Article>,
}

impl Verdict {
    /// A game that `loser` has lost, outside the Laws.
    pub fn lost(loser: Color, reason: Reason) -> Verdict {
        Verdict { result: GameResult::Played(Outcome::Win(!loser)), reason, article: None }
    }

    /// A drawn game, outside the Laws.
    pub fn drawn(reason: Reason) -> Verdict {
        Verdict { result: GameResult::Played(Outcome::Draw), reason, article: None }
    }

    /// A game that was broken off.
    pub fn interrupted() -> Verdict {
        let result = GameResult::Played(Outcome::Unfinished);
        Verdict { result, reason: Reason::Interrupted, article: None }
    }

    /// Under an article.
    pub fn by(self, article: Option<Article>) -> Verdict {
        Verdict { article, ..self }
    }

    /// The value of the PGN tag `Termination`.
    pub fn termination(&self) -> &'static str {
        if self.result.is_unplayed() { "unplayed" } else { self.reason.termination() }
    }

    /// The player whose fault or loss it was, where there is one.
    fn loser(&self) -> Option<Color> {
        match self.result {
            GameResult::Played(Outcome::Win(winner)) | GameResult::Forfeit(winner) => Some(!winner),
            GameResult::HalfTo(player) => Some(!player),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict {
    /// Who did what, in the words that programs look for in the output of match runners.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(loser) = self.loser() {
            let winner = !loser;
            match &self.reason {
                Reason::Checkmate => write!(f, "{winner} mates"),
                Reason::Resignation => write!(f, "{loser} resigns"),
                Reason::TimeForfeit => write!(f, "{loser} loses on time"),
                Reason::IllegalMove(text) if text.is_empty() => {
                    write!(f, "{loser} makes no move, an illegal move")
                }
                Reason::IllegalMove(text) => write!(f, "{loser} makes an illegal move: {text}"),
                Reason::SealedMove(text) => write!(f, "{loser} has sealed no legal move: {text}"),
                Reason::Disconnected(_) => write!(f, "{loser} disconnects"),
                Reason::Stalled(_) => write!(f, "{loser}'s connection stalls"),
                Reason::Absence => write!(f, "{loser} does not come"),
                Reason::Penalty(why) => write!(f, "{loser} loses by penalty: {why}"),
                Reason::Tablebase => write!(f, "{winner} wins by {}", Reason::Tablebase),
                _ => write!(f, "{winner} wins by {}", Reason::Adjudication),
            }?;
            return if matches!(self.result, GameResult::HalfTo(_)) {
                write!(f, ", {winner} cannot mate and gets half a point")
            } else {
                Ok(())
            };
        }
        match &self.reason {
            Reason::Checkmate => write!(f, "Draw by {}", Reason::Adjudication),
            Reason::Resignation => f.write_str("Draw: a player resigns whom the opponent cannot mate"),
            Reason::TimeForfeit => f.write_str("Draw: a flag falls and the opponent cannot mate"),
            Reason::BothFlags => f.write_str("Draw: both flags have fallen"),
            Reason::IllegalMove(_) => {
                f.write_str("Draw: an illegal move would lose, but the opponent cannot mate")
            }
            Reason::SealedMove(_) => {
                f.write_str("Draw: no legal move was sealed, but the opponent cannot mate")
            }
            Reason::QuickplayFinish(why) => write!(f, "Draw in a quickplay finish: {why}"),
            Reason::Disconnected(_) | Reason::Stalled(_) => {
                f.write_str("Both players lose: neither can be reached")
            }
            Reason::Absence => f.write_str("Neither player comes"),
            Reason::Penalty(why) => write!(f, "Both players lose by penalty: {why}"),
            Reason::Annulled(why) => write!(f, "Annulled: {why}"),
            Reason::Interrupted => fmt::Display::fmt(&self.reason, f),
            drawn => write!(f, "Draw by {drawn}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_words_of_its_own_of_which_a_verdict_makes_a_sentence() {
        let illegal = Reason::IllegalMove("e2e5".into());
        for (reason, words, drawn, lost) in [
            (Reason::Checkmate, "checkmate", "Draw by adjudication", "White mates"),
            (Reason::Stalemate, "stalemate", "Draw by stalemate", "White wins by adjudication"),
            (
                Reason::FiftyMoves,
                "fifty moves rule",
                "Draw by fifty moves rule",
                "White wins by adjudication",
            ),
            (
                Reason::MaxMoves,
                "adjudication: move limit",
                "Draw by adjudication: move limit",
                "White wins by adjudication",
            ),
            (
                Reason::Tablebase,
                "adjudication: SyzygyTB",
                "Draw by adjudication: SyzygyTB",
                "White wins by adjudication: SyzygyTB",
            ),
            (Reason::Adjudication, "adjudication", "Draw by adjudication", "White wins by adjudication"),
            (
                illegal,
                "illegal move: e2e5",
                "Draw: an illegal move would lose, but the opponent cannot mate",
                "Black makes an illegal move: e2e5",
            ),
            (Reason::Interrupted, "interrupted", "interrupted", "White wins by adjudication"),
        ] {
            assert_eq!(reason.to_string(), words);
            assert_eq!(Verdict::drawn(reason.clone()).to_string(), drawn);
            assert_eq!(Verdict::lost(Color::Black, reason).to_string(), lost);
        }
    }
}
