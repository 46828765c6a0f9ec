//! What irregularities cost: illegal moves, wrong claims, penalties of the arbiter.

use super::edition::{Edition, MINUTE, Speed};
use super::event::Penalty;
use super::rule::Article;
use std::time::Duration;

/// What an illegal move costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMoveCost {
    /// The opponent gets time, and the game goes on.
    OpponentTime(Duration),
    /// The game; a draw if the opponent cannot mate and `or_draw` says so.
    Game {
        /// The edition knows the exception.
        or_draw: bool,
    },
}

/// What a player's illegal move costs that is his `number`th, from 1 (7.5; 2005: 7.4, B.6, C.3; 2014: A.4.b, B.2).
pub fn cost_of_illegal_move(
    edition: Edition,
    speed: Speed,
    supervised: bool,
    number: u32,
) -> IllegalMoveCost {
    let (allowed, time, or_draw) = match (edition, speed) {
        (Edition::Engine, _) => (0, MINUTE, false),
        (Edition::Fide2005, Speed::Blitz) => (0, MINUTE, true),
        (Edition::Fide2005, _) => (2, 2 * MINUTE, false),
        // Without enough arbiters the first one loses (A.4.b).
        (Edition::Fide2014, Speed::Rapid | Speed::Blitz) if !supervised => (0, MINUTE, true),
        (Edition::Fide2023, Speed::Rapid) | (_, Speed::Blitz) => (1, MINUTE, true),
        _ => (1, 2 * MINUTE, true),
    };
    if number <= allowed { IllegalMoveCost::OpponentTime(time) } else { IllegalMoveCost::Game { or_draw } }
}

/// What an incorrect claim costs (9.5): the time that the opponent gets, and what the claimant loses who has so much
/// left.
pub fn cost_of_wrong_claim(edition: Edition, speed: Speed, left: Option<Duration>) -> (Duration, Duration) {
    let to_opponent = match (edition, speed) {
        (Edition::Fide2005, _) => 3 * MINUTE,
        (Edition::Fide2023, Speed::Rapid) | (_, Speed::Blitz) => MINUTE,
        _ => 2 * MINUTE,
    };
    let from_claimant = match left {
        Some(left) if edition == Edition::Fide2005 => {
            if left > 2 * MINUTE {
                (left / 2).min(3 * MINUTE)
            } else {
                left.saturating_sub(MINUTE)
            }
        }
        _ => Duration::ZERO,
    };
    (to_opponent, from_claimant)
}

/// The article by which a player leaves the competition.
pub fn expulsion_article(edition: Edition) -> Option<Article> {
    penalty_article(edition, &Penalty::Expulsion(String::new()))
}

/// The article for a penalty of the arbiter: its place in the edition's list.
pub(super) fn penalty_article(edition: Edition, penalty: &Penalty) -> Option<Article> {
    let places = match penalty {
        Penalty::Warning(_) => ["13.4.a", "12.9.a", "12.9.1", "12.9.1"],
        Penalty::OpponentTime(_) => ["13.4.b", "12.9.b", "12.9.2", "12.9.2"],
        Penalty::OffenderTime(_) => ["13.4.c", "12.9.c", "12.9.3", "12.9.3"],
        Penalty::Loss(_) => ["13.4.d", "12.9.f", "12.9.6", "12.9.6"],
        Penalty::Expulsion(_) => ["13.4.g", "12.9.h", "12.9.9", "12.9.9"],
    };
    edition.column().map(|column| Article { edition, number: places[column] })
}
