//! Games to which a player does not come: forfeits, and adjourned games that are decided without him.

use super::clock::Limits;
use super::play::Setting;
use crate::board::Position;
use crate::laws::event::Envelope;
use crate::laws::{Event, Game, Prover, Verdict, What};
use crate::notation::uci_move::parse_uci;
use crate::types::Move;
use std::time::Duration;

/// What lies in an envelope with this text, if it was found, for the position before the sealed move.
pub(super) fn opened(text: Option<&str>, before: &Position) -> Envelope {
    match text.map(|text| (text, parse_uci(text, before))) {
        None => Envelope::Lost,
        Some((_, Ok(mv))) => Envelope::Move(mv),
        Some((text, Err(_))) => Envelope::Bad(text.to_string()),
    }
}

/// What becomes of a game for which these players (White first) did not get ready in time; and the sealed move of an
/// adjourned game, if it was made: it may end the game otherwise (guidelines I.10).
pub fn without_players(
    absent: [bool; 2],
    limits: [&Limits; 2],
    setting: &Setting,
    prover: &mut dyn Prover,
) -> (Verdict, Option<Move>) {
    let rules = setting.regulations.clock_rules();
    let clocks = limits.map(|limits| limits.start_clock(rules));
    let mut game;
    let mut played = 0;
    let event = match setting.resumed {
        None => {
            game = Game::new(setting.regulations.clone(), setting.start, clocks);
            Event::Absent(absent)
        }
        Some(adjourned) => {
            let later = adjourned.moves.iter().map(|played| played.mv);
            let moves: Vec<_> = setting.book.iter().copied().chain(later).collect();
            played = moves.len();
            let regulations = setting.regulations.clone();
            game = Game::restore(regulations, setting.start, clocks, &moves, &adjourned.snapshot);
            let envelope = opened(adjourned.sealed.text.as_deref(), game.position());
            Event::Resume { envelope, absent, waited: Duration::ZERO }
        }
    };
    let rulings = game.apply(event, prover);
    let verdict = rulings.into_iter().find_map(|ruling| match ruling.what {
        What::Over(verdict) => Some(verdict),
        _ => None,
    });
    let sealed = game.moves().get(played).copied();
    (verdict.unwrap_or_else(Verdict::interrupted), sealed)
}
