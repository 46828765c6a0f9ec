//! Draw offers and agreements (5.2.c, 9.1).

use super::event::What;
use super::game::{Game, Rulings};
use super::regulations::DrawAgreement;
use super::result::{Reason, Verdict};
use super::rule::Rule;
use crate::types::Color;
use serde::{Deserialize, Serialize};

/// Which offer stands, and how often each player's offers have been declined.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Offers {
    standing: Option<Color>,
    /// Declined one after the other, with no move between them without an offer.
    declined_in_a_row: [u32; 2],
    offered_since_move: [bool; 2],
}

impl Offers {
    /// Who has offered a draw that still can be accepted.
    pub fn standing(&self) -> Option<Color> {
        self.standing
    }

    pub(super) fn stand(&mut self, by: Color) {
        self.standing = Some(by);
        self.offered_since_move[by.index()] = true;
    }

    /// Takes the standing offer away, undecided.
    pub(super) fn put_aside(&mut self) -> Option<Color> {
        self.standing.take()
    }

    /// What was put aside stands again.
    pub(super) fn put_back(&mut self, standing: Option<Color>) {
        self.standing = standing;
    }

    fn declined(&mut self) -> Option<Color> {
        let by = self.standing.take()?;
        let count = &mut self.declined_in_a_row[by.index()];
        *count = count.saturating_add(1);
        Some(by)
    }

    /// A player has moved: that declines the other's offer. Whose it was, if there was one.
    pub(super) fn moved(&mut self, mover: Color) -> Option<Color> {
        let own = mover.index();
        if !std::mem::take(&mut self.offered_since_move[own]) {
            self.declined_in_a_row[own] = 0;
        }
        if self.standing == Some(!mover) { self.declined() } else { None }
    }
}

impl Game {
    /// Why a player cannot offer a draw now, if he cannot. The player on move makes the move that his offer comes with.
    fn obstacle_to_offer(&self, by: Color) -> Option<Rule> {
        let moves = self.position.side_to_move() == by && self.made[(!by).index()] > 0;
        self.obstacle_to_agreement().filter(|&rule| rule != Rule::BothHaveMoved || !moves)
    }

    /// Why players cannot agree to a draw now, if they cannot.
    fn obstacle_to_agreement(&self) -> Option<Rule> {
        let is_early = match self.regulations.draws {
            DrawAgreement::Free => false,
            DrawAgreement::Never => true,
            DrawAgreement::From(number) => u32::from(self.position.fullmove_number()) < number,
        };
        if is_early {
            Some(Rule::NoAgreement)
        } else if self.made.contains(&0) && Rule::BothHaveMoved.article(self.regulations.edition).is_some() {
            Some(Rule::BothHaveMoved)
        } else {
            None
        }
    }

    /// True if an offer of the player would be passed on now.
    pub fn may_offer(&self, by: Color) -> bool {
        self.verdict().is_none()
            && self.obstacle_to_offer(by).is_none()
            && self.offers.declined_in_a_row[by.index()] < self.regulations.most_offers
    }

    pub(super) fn offer(&mut self, by: Color, rulings: &mut Rulings) {
        if let Some(rule) = self.obstacle_to_offer(by) {
            return self.rule(What::OfferRefused(by), Some(rule), rulings);
        }
        if self.offers.standing == Some(!by) {
            return self.agree(rulings);
        }
        if self.offers.standing == Some(by) {
            return self.rule(What::NoEffect("the offer stands already"), Some(Rule::DrawOffer), rulings);
        }
        if self.offers.declined_in_a_row[by.index()] >= self.regulations.most_offers {
            self.offers.offered_since_move[by.index()] = true;
            self.rule(What::OfferRefused(by), Some(Rule::Disturbance), rulings);
            let why = "draws offered again and again".to_string();
            return self.rule(What::Warning(by, why), Some(Rule::Disturbance), rulings);
        }
        self.offers.stand(by);
        self.rule(What::Offered(by), Some(Rule::DrawOffer), rulings);
    }

    pub(super) fn decline(&mut self, by: Color, rulings: &mut Rulings) {
        if self.offers.standing != Some(!by) {
            return self.rule(What::NoEffect("no offer stands"), Some(Rule::DrawOffer), rulings);
        }
        self.offers.declined();
        self.rule(What::Declined(!by), Some(Rule::DrawOffer), rulings);
    }

    pub(super) fn accept(&mut self, by: Color, rulings: &mut Rulings) {
        if self.offers.standing != Some(!by) {
            return self.rule(What::NoEffect("no offer stands"), Some(Rule::DrawOffer), rulings);
        }
        match self.obstacle_to_agreement() {
            Some(rule) => self.rule(What::OfferRefused(!by), Some(rule), rulings),
            None => self.agree(rulings),
        }
    }

    fn agree(&mut self, rulings: &mut Rulings) {
        self.end_by(Rule::Agreement, Verdict::drawn(Reason::Agreement), rulings);
    }

    /// What a player has asked the arbiter for is an offer too by this rule, where draws can be agreed; with an offer of the
    /// opponent's it is an agreement.
    pub(super) fn offer_by_claim(&mut self, by: Color, rule: Rule, rulings: &mut Rulings) {
        if self.obstacle_to_agreement().is_some() || self.offers.standing == Some(by) {
            return;
        }
        if self.offers.standing == Some(!by) {
            self.agree(rulings);
        } else {
            self.offers.stand(by);
            self.rule(What::Offered(by), Some(rule), rulings);
        }
    }
}
