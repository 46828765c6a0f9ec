//! The articles that rulings cite. Each rule has a number in each edition; appendices became guidelines in 2018.

use super::edition::{Edition, Speed};
use std::fmt;

/// An article of an edition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Article {
    /// The edition.
    pub edition: Edition,
    /// Its number there, such as `9.6.2`; for a guideline such as `Guidelines III.5`.
    pub number: &'static str,
}

impl fmt::Display for Article {
    /// Such as `fide-2023:9.6.2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.edition, self.number)
    }
}

/// What a ruling rests on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Mate.
    Checkmate,
    /// Resignation.
    Resignation,
    /// Stalemate.
    Stalemate,
    /// Neither player can mate.
    DeadPosition,
    /// Draw by agreement.
    Agreement,
    /// The clock is stopped, and the move complete.
    MoveCompleted,
    /// A clock that is wrong is put right.
    ClockDefect,
    /// Absence.
    DefaultTime,
    /// A fallen flag loses, or draws if the opponent cannot mate.
    FlagFall,
    /// Both flags are down, and nobody knows which fell first.
    BothFlags,
    /// The arbiter sets the clocks after an irregularity.
    ClockAfterIrregularity,
    /// The starting position was wrong.
    WrongStart,
    /// Colours were exchanged.
    ColoursReversed,
    /// An illegal move is taken back.
    IllegalMove,
    /// A pawn on the last rank was not exchanged.
    PromotionMissing,
    /// The clock was stopped without a move.
    NoMove,
    /// Draws may be agreed late only, or never.
    NoAgreement,
    /// Both players must have moved before they agree to a draw.
    BothHaveMoved,
    /// How a draw is offered, and how long the offer stands.
    DrawOffer,
    /// A claim is an offer too.
    ClaimIsOffer,
    /// Claim of the third occurrence of a position, which is on the board.
    Threefold,
    /// Claim of the third occurrence with a move that is announced.
    ThreefoldAnnounced,
    /// Claim of fifty moves, which have been made.
    FiftyMoves,
    /// Claim of fifty moves with a move that is announced.
    FiftyMovesAnnounced,
    /// Only before the move can be claimed.
    ClaimBeforeMove,
    /// A correct claim draws.
    ClaimCorrect,
    /// An incorrect claim costs time.
    ClaimIncorrect,
    /// The fifth occurrence draws.
    Fivefold,
    /// Seventy-five moves draw.
    SeventyFive,
    /// Offers and claims must not disturb.
    Disturbance,
    /// Who does not keep to the Laws has lost.
    Refusal,
    /// And if both do not, both have.
    BothRefuse,
    /// Extra time after a disturbance from outside.
    ExtraTime,
    /// The arbiter's penalties.
    Penalties,
    /// A move is sealed.
    Sealing,
    /// A sealed move that is no move loses.
    BadSealedMove,
    /// The game goes on.
    Resumption,
    /// Who is absent at the resumption.
    AbsentAtResumption,
    /// Nobody is there at the resumption.
    BothAbsentAtResumption,
    /// The envelope is lost.
    EnvelopeLost,
    /// Whether a quickplay finish is played.
    QuickplayApplies,
    /// Extra time for each move is asked for.
    QuickplayBonus,
    /// A draw is claimed in a quickplay finish.
    QuickplayClaim,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 43] = [
        Rule::Checkmate,
        Rule::Resignation,
        Rule::Stalemate,
        Rule::DeadPosition,
        Rule::Agreement,
        Rule::MoveCompleted,
        Rule::ClockDefect,
        Rule::DefaultTime,
        Rule::FlagFall,
        Rule::BothFlags,
        Rule::ClockAfterIrregularity,
        Rule::WrongStart,
        Rule::ColoursReversed,
        Rule::IllegalMove,
        Rule::PromotionMissing,
        Rule::NoMove,
        Rule::NoAgreement,
        Rule::BothHaveMoved,
        Rule::DrawOffer,
        Rule::ClaimIsOffer,
        Rule::Threefold,
        Rule::ThreefoldAnnounced,
        Rule::FiftyMoves,
        Rule::FiftyMovesAnnounced,
        Rule::ClaimBeforeMove,
        Rule::ClaimCorrect,
        Rule::ClaimIncorrect,
        Rule::Fivefold,
        Rule::SeventyFive,
        Rule::Disturbance,
        Rule::Refusal,
        Rule::BothRefuse,
        Rule::ExtraTime,
        Rule::Penalties,
        Rule::Sealing,
        Rule::BadSealedMove,
        Rule::Resumption,
        Rule::AbsentAtResumption,
        Rule::BothAbsentAtResumption,
        Rule::EnvelopeLost,
        Rule::QuickplayApplies,
        Rule::QuickplayBonus,
        Rule::QuickplayClaim,
    ];

    /// The numbers in 2005, 2014, 2018 and 2023; empty where an edition has no such rule.
    pub const fn numbers(self) -> [&'static str; 4] {
        match self {
            Rule::Checkmate => ["5.1.a", "5.1.a", "5.1.1", "5.1.1"],
            Rule::Resignation => ["5.1.b", "5.1.b", "5.1.2", "5.1.2"],
            Rule::Stalemate => ["5.2.a", "5.2.a", "5.2.1", "5.2.1"],
            Rule::DeadPosition => ["5.2.b", "5.2.b", "5.2.2", "5.2.2"],
            Rule::Agreement => ["5.2.c", "5.2.c", "5.2.3", "5.2.3"],
            Rule::MoveCompleted => ["6.8.a", "6.2.a", "6.2.1", "6.2.1"],
            Rule::ClockDefect => ["6.11", "6.10", "6.10", "6.10"],
            Rule::DefaultTime => ["6.7", "6.7.a", "6.7.1", "6.7.1"],
            Rule::FlagFall => ["6.10", "6.9", "6.9", "6.9"],
            Rule::BothFlags => ["6.12", "6.11", "Guidelines III.3.1", "Guidelines III.3.1"],
            Rule::ClockAfterIrregularity => ["6.14", "7.1", "7.1", "7.1"],
            Rule::WrongStart => ["7.1.a", "7.2.a", "7.2.1", "7.2.1"],
            Rule::ColoursReversed => ["7.2", "7.3", "7.3", "7.3"],
            Rule::IllegalMove => ["7.4.a", "7.5.a", "7.5.1", "7.5.1"],
            Rule::PromotionMissing => ["7.4.a", "7.5.a", "7.5.2", "7.5.2"],
            Rule::NoMove => ["7.4.a", "7.5.a", "7.5.3", "7.5.3"],
            Rule::NoAgreement => ["", "9.1.a", "9.1.1", "9.1.1"],
            Rule::BothHaveMoved => ["", "", "5.2.3", "5.2.3"],
            Rule::DrawOffer => ["9.1.a", "9.1.b.1", "9.1.2.1", "9.1.2.1"],
            Rule::ClaimIsOffer => ["9.1.c", "9.1.b.3", "9.1.2.3", "9.1.2.3"],
            Rule::Threefold => ["9.2.b", "9.2.b", "9.2.1.2", "9.2.2"],
            Rule::ThreefoldAnnounced => ["9.2.a", "9.2.a", "9.2.1.1", "9.2.1"],
            Rule::FiftyMoves => ["9.3.b", "9.3.b", "9.3.2", "9.3.2"],
            Rule::FiftyMovesAnnounced => ["9.3.a", "9.3.a", "9.3.1", "9.3.1"],
            Rule::ClaimBeforeMove => ["9.4"; 4],
            Rule::ClaimCorrect => ["9.5.a", "9.5.a", "9.5.2", "9.5.2"],
            Rule::ClaimIncorrect => ["9.5.b", "9.5.b", "9.5.3", "9.5.3"],
            Rule::Fivefold => ["", "9.6.a", "9.6.1", "9.6.1"],
            Rule::SeventyFive => ["", "9.6.b", "9.6.2", "9.6.2"],
            Rule::Disturbance => ["12.5", "11.5", "11.5", "11.5"],
            Rule::Refusal => ["12.7", "11.7", "11.7", "11.7"],
            Rule::BothRefuse => ["12.8", "11.8", "11.8", "11.8"],
            Rule::ExtraTime => ["13.5", "12.5", "12.5", "12.5"],
            Rule::Penalties => ["13.4", "12.9", "12.9", "12.9"],
            Rule::Sealing => ["A.1", "E.1", "Guidelines I.1", "Guidelines I.1"],
            Rule::BadSealedMove => ["A.8", "E.8", "Guidelines I.8", "Guidelines I.8"],
            Rule::Resumption => ["A.9", "E.9", "Guidelines I.9", "Guidelines I.9"],
            Rule::AbsentAtResumption => ["A.10", "E.10", "Guidelines I.10", "Guidelines I.10"],
            Rule::BothAbsentAtResumption => ["", "E.11", "Guidelines I.11", "Guidelines I.11"],
            Rule::EnvelopeLost => ["A.11", "E.12", "Guidelines I.12", "Guidelines I.12"],
            Rule::QuickplayApplies => ["10.1", "G.3", "Guidelines III.2", "Guidelines III.2"],
            Rule::QuickplayBonus => ["", "G.4", "Guidelines III.4", "Guidelines III.4"],
            Rule::QuickplayClaim => ["10.2", "G.5", "Guidelines III.5", "Guidelines III.5"],
        }
    }

    /// The article of an edition; `None` where it has no such rule, as engine testers' habits have none.
    pub const fn article(self, edition: Edition) -> Option<Article> {
        let Some(column) = edition.column() else { return None };
        let number = self.numbers()[column];
        if number.is_empty() { None } else { Some(Article { edition, number }) }
    }
}

const _: () = assert!(Rule::ALL.len() == Rule::QuickplayClaim as usize + 1);

/// The article under which an illegal move is penalized, and which says when that draws the game.
pub fn illegal_move_penalty(edition: Edition, speed: Speed, supervised: bool) -> Option<Article> {
    let number = match (edition, speed, supervised) {
        (Edition::Engine, ..) => return None,
        (Edition::Fide2005, Speed::Standard, _) => "7.4.b",
        (Edition::Fide2005, Speed::Rapid, _) => "B.6, 7.4.b",
        (Edition::Fide2005, Speed::Blitz, _) => "C.3",
        (Edition::Fide2014, Speed::Standard, _) => "7.5.b",
        (Edition::Fide2014, Speed::Rapid, true) => "A.3, 7.5.b",
        (Edition::Fide2014, Speed::Rapid, false) => "A.4.b",
        (Edition::Fide2014, Speed::Blitz, true) => "B.2, 7.5.b",
        (Edition::Fide2014, Speed::Blitz, false) => "B.4, A.4.b",
        (_, Speed::Standard, _) => "7.5.5",
        (Edition::Fide2018, Speed::Rapid, true) => "A.3, 7.5.5",
        (Edition::Fide2018, Speed::Rapid, false) => "A.4.2, 7.5.5",
        (Edition::Fide2018, Speed::Blitz, true) => "B.2, 7.5.5",
        (Edition::Fide2018, Speed::Blitz, false) => "B.2, B.4, A.4.2, 7.5.5",
        (Edition::Fide2023, Speed::Rapid, _) => "A.3, 7.5.5",
        (Edition::Fide2023, Speed::Blitz, _) => "B.3, A.3, 7.5.5",
    };
    Some(Article { edition, number })
}

/// The article by which the opponent gets time for an incorrect claim.
pub fn wrong_claim_penalty(edition: Edition, speed: Speed) -> Option<Article> {
    let number = match (edition, speed) {
        (Edition::Fide2014, Speed::Blitz) => "B.2, 9.5.b",
        (Edition::Fide2018, Speed::Blitz) => "B.2, 9.5.3",
        (Edition::Fide2023, Speed::Rapid) => "A.3, 9.5.3",
        (Edition::Fide2023, Speed::Blitz) => "B.3, A.3, 9.5.3",
        _ => return Rule::ClaimIncorrect.article(edition),
    };
    Some(Article { edition, number })
}
