//! One game.

use super::adjudicate::Adjudicator;
use super::{OpeningError, Openings, SelfplayOptions};
use crate::board::{History, Position};
use crate::search::{Limits, Solo};
use crate::sys::chance::Chance;
use crate::training::data::{Ending, Ply, SelfplayGame};
use crate::types::{Outcome, PieceType};
use std::sync::atomic::{AtomicBool, Ordering};

/// A game with what it cost.
pub(super) struct Played {
    pub(super) game: SelfplayGame,
    /// How many of its positions are quiet.
    pub(super) quiet: usize,
    /// Nodes of its searches, without those for the opening.
    pub(super) nodes: u64,
}

/// Plays game `number`; `None` if `stop` was set meanwhile.
pub(super) fn play(
    options: &SelfplayOptions,
    openings: &Openings,
    number: u64,
    solo: &mut Solo,
    stop: &AtomicBool,
) -> Result<Option<Played>, OpeningError> {
    let mut chance = Chance::of_part(options.seed, number);
    let adjudicated = chance.below(1_000) >= options.adjudication.unadjudicated;
    let opening = openings.draw(&mut chance, solo)?;
    let mut position = opening.start;
    let mut history = History::new(&position);
    let mut plies = vec![];
    for mv in opening.moves {
        plies.push(Ply { mv, score: None });
        position = position.after(mv);
        history.push(&position);
    }
    let mut adjudicator = Adjudicator::new(&options.adjudication);
    let mut nodes = 0;
    let limits =
        Limits { soft_nodes: Some(options.nodes), nodes: Some(options.hard_nodes), ..Limits::default() };
    let (outcome, ending) = loop {
        if let Some(end) = end(&position, &history) {
            break end;
        }
        if plies.len() >= options.longest {
            break (Outcome::Draw, Ending::TooLong);
        }
        let Some(found) = solo.search(&position, &history, limits.clone()) else {
            unreachable!("a game that is not over goes on");
        };
        // It may not have been let come to its end.
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        nodes += found.nodes;
        let irreversible =
            position.is_capture(found.best) || position.kind_on(found.best.from()) == Some(PieceType::Pawn);
        let side = position.side_to_move();
        let decision = adjudicator.hear(side, plies.len(), found.score, irreversible);
        // The move belongs to the game even if it is the last one: its score has been paid for.
        plies.push(Ply { mv: found.best, score: Some(found.score) });
        position = position.after(found.best);
        history.push(&position);
        if let Some(decision) = decision.filter(|_| adjudicated) {
            // What is on the board counts for more than what is thought of it.
            break end(&position, &history).unwrap_or(decision);
        }
    };
    let game = SelfplayGame { start: opening.start, plies, outcome, ending };
    let quiet = game.quiet_positions();
    Ok(Some(Played { game, quiet, nodes }))
}

/// How the game is over, if it is: by its position, by repetition, or by the fifty-move rule.
pub(in crate::training) fn end(position: &Position, history: &History) -> Option<(Outcome, Ending)> {
    if position.has_no_moves() {
        let loser = position.side_to_move();
        return Some(match position.in_check() {
            true => (Outcome::Win(!loser), Ending::Checkmate),
            false => (Outcome::Draw, Ending::Stalemate),
        });
    }
    if position.is_insufficient_material() {
        return Some((Outcome::Draw, Ending::Material));
    }
    if history.occurrences() >= 3 {
        return Some((Outcome::Draw, Ending::Repetition));
    }
    (position.halfmove_clock() >= 100).then_some((Outcome::Draw, Ending::FiftyMoves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::uci_move::parse_uci;
    use crate::types::Color;

    #[test]
    fn games_are_over_as_the_rules_of_chess_say() {
        let over = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            end(&position, &History::new(&position))
        };
        let (white, black) = (Outcome::Win(Color::White), Outcome::Win(Color::Black));
        let draw = |ending| Some((Outcome::Draw, ending));
        for (fen, expected) in [
            ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Some((white, Ending::Checkmate))),
            ("6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1", Some((black, Ending::Checkmate))),
            // Mate comes before all that is counted.
            ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", Some((white, Ending::Checkmate))),
            ("k7/2Q5/8/8/8/8/8/6K1 b - - 0 1", draw(Ending::Stalemate)),
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", draw(Ending::Material)),
            ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", draw(Ending::Material)),
            ("8/8/4k3/4p3/8/3KB3/8/8 w - - 0 1", None),
            ("8/8/4k3/8/8/3KR3/8/8 b - - 99 90", None),
            ("8/8/4k3/8/8/3K3R/8/8 b - - 100 90", draw(Ending::FiftyMoves)),
        ] {
            assert_eq!(over(fen), expected, "{fen}");
        }
        let mut position = Position::default();
        let mut history = History::new(&position);
        for (ply, word) in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ').enumerate() {
            assert_eq!(end(&position, &history), None, "ply {ply}");
            position = position.after(parse_uci(word, &position).unwrap());
            history.push(&position);
        }
        assert_eq!(end(&position, &history), draw(Ending::Repetition));
    }
}
