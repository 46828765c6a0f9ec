//! What the Laws leave to the organiser of a competition.

use super::clock::ClockRules;
use super::edition::Edition;
use super::result::GameResult;
use crate::types::{Color, Outcome};
use std::time::Duration;

/// The regulations of a competition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Regulations {
    /// Which Laws.
    pub edition: Edition,
    /// Rapid and blitz games have an arbiter each who records them (A.3 and B.3; in 2018 and 2023 A.4 and B.4): a
    /// program always is one, unless it is told to act as if it were not.
    pub supervised: bool,
    /// When draws may be agreed.
    pub draws: DrawAgreement,
    /// How late a player may come, if the organiser says so. If he does not it is an hour in 2005 and no time at all later;
    /// but who starts engines knows how long they take to get ready, and has limits of his own.
    pub default_time: Option<Duration>,
    /// How games are scored.
    pub scoring: Scoring,
    /// A quickplay finish is played (2005: article 10; 2014: appendix G; since 2018: guidelines III).
    pub quickplay: bool,
    /// So many offers in a row that were declined may be made; more disturb (11.5).
    pub most_offers: u32,
    /// After an illegal move the clock shows what it did before that move (7.1); else its time is lost.
    pub restore_clock: bool,
}

impl Regulations {
    /// The regulations of an edition, if the organiser says nothing.
    pub fn of(edition: Edition) -> Regulations {
        Regulations { edition, ..Regulations::default() }
    }

    /// How clocks work under the edition.
    pub fn clock_rules(&self) -> ClockRules {
        ClockRules {
            increment_first: self.edition.is_fide(),
            carries_over_delay: self.edition != Edition::Fide2005,
        }
    }
}

impl Default for Regulations {
    fn default() -> Regulations {
        Regulations {
            edition: Edition::default(),
            supervised: true,
            draws: DrawAgreement::Free,
            default_time: None,
            scoring: Scoring::Classic,
            quickplay: false,
            most_offers: 3,
            restore_clock: false,
        }
    }
}

/// When players may agree to a draw (9.1.a, since 2018 9.1.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DrawAgreement {
    /// Whenever the Laws let them.
    #[default]
    Free,
    /// From this move number on.
    From(u32),
    /// Never.
    Never,
}

/// What games are worth (10.1; 2005: 11.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scoring {
    /// 1, ½, 0.
    #[default]
    Classic,
    /// 3, 1, 0.
    ThreeOneZero,
}

impl Scoring {
    /// What a result is worth to a player, in half points.
    pub fn half_points(self, result: GameResult, player: Color) -> u32 {
        let (win, draw) = match self {
            Scoring::Classic => (2, 1),
            Scoring::ThreeOneZero => (6, 2),
        };
        match result {
            GameResult::Played(Outcome::Win(winner)) | GameResult::Forfeit(winner) => {
                if winner == player {
                    win
                } else {
                    0
                }
            }
            GameResult::Played(Outcome::Draw) => draw,
            GameResult::HalfTo(lucky) => {
                if lucky == player {
                    draw
                } else {
                    0
                }
            }
            GameResult::Played(Outcome::Unfinished)
            | GameResult::BothLose
            | GameResult::DoubleForfeit
            | GameResult::Annulled => 0,
        }
    }
}
