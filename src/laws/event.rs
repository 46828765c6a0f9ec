//! What happens in a game, and what the arbiter says to it.

use super::clock::Bonus;
use super::result::{Reason, Verdict};
use super::rule::Article;
use crate::types::{Color, Move, Outcome, Square};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What happens in a game. Whoever is not named is the player on move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A legal move, and how long the player thought since his clock began to run.
    Move {
        /// The move.
        mv: Move,
        /// The time.
        time: Duration,
    },
    /// Something else was given as a move.
    Irregular {
        /// What.
        fault: Fault,
        /// How long the player thought.
        time: Duration,
    },
    /// A draw is offered.
    Offer(Color),
    /// An offer is declined in words; a move declines it too.
    Decline(Color),
    /// An offer is accepted.
    Accept(Color),
    /// A draw is claimed.
    Claim {
        /// By whom.
        by: Color,
        /// On what ground.
        ground: Ground,
        /// The move that the player has announced, which he then must play.
        intended: Option<Move>,
        /// How long the player has thought.
        time: Duration,
    },
    /// A win is claimed that the board does not show.
    ClaimWin {
        /// By whom.
        by: Color,
        /// How long the player has thought, if he is on move.
        time: Duration,
    },
    /// A player resigns.
    Resign(Color),
    /// The flag of the player on move has fallen.
    Flag,
    /// Both flags are found down, and nobody knows which fell first: from records of other clocks.
    BothFlags {
        /// In the last period.
        last_period: bool,
    },
    /// A player can no longer be reached.
    Gone(Color, Failure),
    /// Both cannot, since the same moment.
    BothGone(Failure),
    /// Who has not come within the default time; White first. The other has.
    Absent([bool; 2]),
    /// The game began from a wrong position.
    WrongStart,
    /// The players have each other's colours.
    ColoursReversed,
    /// The player on move has sealed his move, after so much thought.
    Seal {
        /// The time.
        time: Duration,
    },
    /// The adjourned game goes on.
    Resume {
        /// What was in the envelope.
        envelope: Envelope,
        /// Who has not come within the default time.
        absent: [bool; 2],
        /// What the player who has to answer lost before he came, when at first nobody was there.
        waited: Duration,
    },
    /// The arbiter penalizes a player.
    Penalize(Color, Penalty),
    /// The arbiter gives both players time after a disturbance from outside.
    ExtraTime(Duration),
    /// A clock was wrong; what both are to show, White's first.
    SetClocks([Duration; 2]),
    /// A player in a quickplay finish calls the arbiter.
    Quickplay(Color, Request),
    /// What the arbiter says to it.
    Decide(Decision),
    /// The organiser's rules end the game, not the Laws.
    Adjudicate(Outcome, Adjudicated),
    /// The game is broken off.
    Interrupt,
}

/// How a player was lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The program has ended or closed its pipes: how.
    Disconnected(String),
    /// It does not answer, or does not get ready: how.
    Stalled(String),
}

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Reason {
        match failure {
            Failure::Disconnected(how) => Reason::Disconnected(how),
            Failure::Stalled(how) => Reason::Stalled(how),
        }
    }
}

/// What was given instead of a legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A move that is not legal here, or a text that is none: as it was given.
    Illegal(String),
    /// No move at all: the clock was stopped without one.
    NoMove(String),
    /// A pawn went to the last rank and nobody said what it becomes.
    PromotionMissing {
        /// From.
        from: Square,
        /// To.
        to: Square,
    },
}

impl Fault {
    /// What was given.
    pub fn text(&self) -> String {
        match self {
            Fault::Illegal(text) | Fault::NoMove(text) => text.clone(),
            Fault::PromotionMissing { from, to } => format!("{from}{to}"),
        }
    }
}

/// On what ground a draw is claimed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ground {
    /// The position appears for the third time (9.2).
    Threefold,
    /// Fifty moves (9.3).
    FiftyMoves,
    /// Either; the arbiter looks for himself.
    Any,
}

/// What is found where the sealed move should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Envelope {
    /// A legal move.
    Move(Move),
    /// Something that is ambiguous, unreadable or illegal.
    Bad(String),
    /// Nothing: it is lost.
    Lost,
}

/// The arbiter's penalties (12.9; 2005: 13.4). Points are the competition's business and not the game's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Penalty {
    /// A warning: why.
    Warning(String),
    /// The opponent gets time.
    OpponentTime(Duration),
    /// The offender loses time.
    OffenderTime(Duration),
    /// The offender loses the game: why.
    Loss(String),
    /// The offender loses and leaves the competition: why.
    Expulsion(String),
}

/// What a player asks for in a quickplay finish.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Five seconds more for each move of both: a delay in 2014 (G.4), an increment since (III.4).
    Bonus,
    /// A draw, since the opponent cannot win by normal means or does not try (G.5).
    Draw,
}

/// The arbiter's answer in a quickplay finish.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The draw is given, or the extra time: why.
    Agree(String),
    /// Not yet.
    Postpone {
        /// The opponent gets two minutes.
        grant: bool,
    },
    /// No.
    Reject,
}

/// Ends that the Laws do not know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Adjudicated {
    /// By the players' scores.
    Score,
    /// By the number of moves.
    MaxMoves,
    /// By tablebases.
    Tables,
}

/// What the arbiter rules, and under which article; none for what the Laws do not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// What.
    pub what: What,
    /// The article.
    pub article: Option<Article>,
}

/// What the arbiter rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The move stands, and the opponent's clock runs.
    Stands(Move),
    /// The position is as before; the player moves again.
    MoveAgain(Color),
    /// A player gets time.
    TimeAdded(Color, Duration),
    /// A player loses time.
    TimeTaken(Color, Duration),
    /// What the clocks show is set.
    ClocksSet,
    /// A warning: of what.
    Warning(Color, String),
    /// A player has offered a draw.
    Offered(Color),
    /// The opponent has declined this player's offer.
    Declined(Color),
    /// This player's offer cannot be accepted here, or is not passed on.
    OfferRefused(Color),
    /// A claim is correct; with the move that was announced, if one was: nobody plays it, and it is written down here alone.
    ClaimUpheld(Color, Option<Move>),
    /// A claim is not correct; with the move that was announced.
    ClaimRejected(Color, Option<Move>),
    /// A player asks the arbiter in a quickplay finish, who now has to decide.
    DecisionDue(Color),
    /// The arbiter will decide later.
    Postponed(Color),
    /// The arbiter does not agree.
    RequestRejected(Color),
    /// Each move has this extra time from now on.
    BonusGranted(Bonus),
    /// The move is sealed, and the game adjourned.
    Adjourned(Color),
    /// The game goes on.
    Resumed,
    /// The envelope is lost: the player states his move again.
    SealAgain(Color),
    /// The game goes on as it is.
    Continues,
    /// Nothing comes of it: why.
    NoEffect(&'static str),
    /// Whether the opponent could mate is not known, and counts as yes.
    Undetermined(Color),
    /// This player is no longer in the competition.
    Expelled(Color),
    /// The game is over.
    Over(Verdict),
}

/// Seconds as a person reads them.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.0.as_millis() as f64 / 1e3)
    }
}

/// The move that a claim goes by, if it goes by one.
struct Announced(Option<Move>);

impl fmt::Display for Announced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |mv| write!(f, " with {mv:?}"))
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Stands(mv) => write!(f, "{mv:?} stands"),
            What::MoveAgain(player) => write!(f, "the position stands as before, {player} moves again"),
            What::TimeAdded(player, time) => write!(f, "{player} gets {} more", Seconds(*time)),
            What::TimeTaken(player, time) => write!(f, "{player} loses {} on the clock", Seconds(*time)),
            What::ClocksSet => f.write_str("the clocks are set anew"),
            What::Warning(player, why) => write!(f, "{player} is warned: {why}"),
            What::Offered(player) => write!(f, "{player} offers a draw"),
            What::Declined(player) => write!(f, "{player}'s offer of a draw is declined"),
            What::OfferRefused(player) => write!(f, "{player}'s offer of a draw is not passed on"),
            What::ClaimUpheld(player, mv) => write!(f, "{player}'s claim{} is correct", Announced(*mv)),
            What::ClaimRejected(player, mv) => write!(f, "{player}'s claim{} is not correct", Announced(*mv)),
            What::DecisionDue(player) => write!(f, "{player} asks for a decision"),
            What::Postponed(player) => write!(f, "the decision on {player}'s claim is postponed"),
            What::RequestRejected(player) => write!(f, "{player}'s request is rejected"),
            What::BonusGranted(bonus) => {
                let kind = if bonus.delay().is_zero() { "an increment" } else { "a delay" };
                write!(f, "every move has {kind} of {}", Seconds(bonus.time()))
            }
            What::Adjourned(player) => write!(f, "{player} has sealed a move, the game is adjourned"),
            What::Resumed => f.write_str("the game is resumed"),
            What::SealAgain(player) => write!(f, "the envelope is lost, {player} states the move"),
            What::Continues => f.write_str("the game continues"),
            What::NoEffect(why) => write!(f, "without effect: {why}"),
            What::Undetermined(player) => {
                write!(f, "whether {player} could mate is not decided, and counts as possible")
            }
            What::Expelled(player) => write!(f, "{player} is expelled from the competition"),
            What::Over(verdict) => write!(f, "{verdict}"),
        }
    }
}

impl fmt::Display for Ruling {
    /// In words, with the article.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.article {
            Some(article) => write!(f, "{} ({article})", self.what),
            None => write!(f, "{}", self.what),
        }
    }
}
