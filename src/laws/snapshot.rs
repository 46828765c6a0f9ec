//! A game between two sessions, as it is written down: all that its moves do not tell.

use super::clock::Clock;
use super::game::Game;
use super::offers::Offers;
use super::quickplay;
use super::regulations::Regulations;
use crate::board::Position;
use crate::types::Move;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a clock says between sessions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClockReading {
    /// The main time, in nanoseconds.
    pub left_ns: u64,
    /// What it shows, in nanoseconds: a delay is not paid by the main time.
    pub shown_ns: u64,
    /// What has been used of the present move, in nanoseconds.
    pub running_ns: u64,
    /// The period, from 0.
    pub period: usize,
    /// Moves until the next one.
    pub moves_to_go: Option<u32>,
    /// The delay that was granted for each move, in nanoseconds, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted_delay_ns: Option<u64>,
    /// The increment that was granted for each move, in nanoseconds, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted_increment_ns: Option<u64>,
}

/// What goes with the moves of an adjourned game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// White's clock and Black's.
    pub clocks: [Option<ClockReading>; 2],
    /// Illegal moves of each.
    pub illegal: [u32; 2],
    /// Offers of draws.
    pub offers: Offers,
    /// Requests in a quickplay finish.
    pub quickplay: quickplay::State,
    /// A move is sealed.
    pub sealed: bool,
}

/// Time as a number; a game lasts less than 584 years.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Game {
    /// What has to be written down besides the moves.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            clocks: [0, 1].map(|player: usize| self.clocks[player].as_ref().map(Clock::reading)),
            illegal: self.illegal,
            offers: self.offers.clone(),
            quickplay: self.quickplay.clone(),
            sealed: self.sealed,
        }
    }

    /// The game again, from what was written down. `clocks` are as at the start of the game, and set to what they showed.
    /// Moves that are not legal end the list.
    pub fn restore(
        regulations: Regulations,
        start: Position,
        clocks: [Option<Clock>; 2],
        moves: &[Move],
        snapshot: &Snapshot,
    ) -> Game {
        let mut game = Game::new(regulations, start, clocks);
        for (clock, reading) in game.clocks.iter_mut().zip(&snapshot.clocks) {
            if let (Some(clock), Some(reading)) = (clock, reading) {
                clock.set_reading(reading);
            }
        }
        game.put_all_on_board(moves);
        game.illegal = snapshot.illegal;
        game.offers = snapshot.offers.clone();
        game.quickplay = snapshot.quickplay.clone();
        game.sealed = snapshot.sealed;
        game
    }
}
