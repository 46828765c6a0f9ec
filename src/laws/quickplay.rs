//! Quickplay finish: the last phase of a game without extra time (2005: article 10; 2014: appendix G; since 2018:
//! guidelines III).

use super::clock::Bonus;
use super::edition::{Edition, Speed};
use super::event::{Decision, Request, What};
use super::game::{Game, Prover, Rulings};
use super::result::{Reason, Verdict};
use super::rule::Rule;
use crate::types::Color;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// With less time than this a player can ask.
const LOW: Duration = Duration::from_secs(120);
/// What the opponent gets for the interruption.
const GRANT: Duration = Duration::from_secs(120);
/// What can be asked for each move (G.4).
const EXTRA: Duration = Duration::from_secs(5);

/// What has been asked and not yet decided.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    asked: Option<(Color, Request)>,
    /// Who has asked in this game.
    have_asked: [bool; 2],
    /// Whose claims the arbiter will decide later.
    #[serde(default)]
    postponed_of: [bool; 2],
    /// Whose flag has fallen: the decision on the postponed claim is due.
    flag_fell: Option<Color>,
}

impl State {
    pub(super) fn flag_to_decide_on(&self) -> Option<Color> {
        self.flag_fell
    }

    /// A flag falls. Whose claim has to be decided first, whichever flag it is.
    pub(super) fn flag_fell(&mut self, player: Color) -> Option<Color> {
        let claimant = self.postponed(player);
        self.flag_fell = claimant.map(|_| player);
        claimant
    }

    /// Whose claim has been postponed; this player's, if both have.
    fn postponed(&self, first: Color) -> Option<Color> {
        [first, !first].into_iter().find(|player| self.postponed_of[player.index()])
    }
}

impl Game {
    /// Why a player cannot ask now, if he cannot.
    fn obstacle_to_request(&self, by: Color, request: Request) -> Option<&'static str> {
        let edition = self.regulations.edition;
        let Some(clock) = self.clock(by) else { return Some("there is no clock") };
        if !self.regulations.quickplay || !edition.is_fide() {
            Some("no quickplay finish was announced")
        } else if self.speed == Speed::Blitz {
            Some("blitz games have no quickplay finish")
        } else if !self.clocks.iter().flatten().all(|clock| clock.control().has_no_bonus())
            || !clock.is_in_last_period()
        {
            Some("this is no last period without extra time")
        } else if by != self.position.side_to_move() {
            Some("only the player on move can ask")
        } else if clock.left() >= LOW {
            Some("there are two minutes or more left")
        } else if request == Request::Bonus && edition == Edition::Fide2005 {
            Some("the edition knows no such request")
        } else if self.quickplay.asked.is_some() || self.quickplay.postponed_of[by.index()] {
            Some("the player has asked already")
        } else {
            None
        }
    }

    /// True if the player has called the arbiter before in this game.
    pub fn has_asked_in_quickplay(&self, by: Color) -> bool {
        self.quickplay.have_asked[by.index()]
    }

    /// True if the player on move can call the arbiter for a draw.
    pub fn may_ask_in_quickplay(&self, by: Color) -> bool {
        self.verdict().is_none() && self.obstacle_to_request(by, Request::Draw).is_none()
    }

    pub(super) fn quickplay_request(&mut self, by: Color, request: Request, rulings: &mut Rulings) {
        if let Some(why) = self.obstacle_to_request(by, request) {
            return self.rule(What::NoEffect(why), Some(Rule::QuickplayApplies), rulings);
        }
        self.quickplay.asked = Some((by, request));
        self.quickplay.have_asked[by.index()] = true;
        let rule = match request {
            Request::Bonus => Rule::QuickplayBonus,
            Request::Draw => Rule::QuickplayClaim,
        };
        match (request, self.regulations.edition) {
            (Request::Bonus, _) => self.offer_by_claim(by, rule, rulings),
            // Only 2005 counts this claim among those that are offers (9.1.c).
            (Request::Draw, Edition::Fide2005) => self.offer_by_claim(by, Rule::ClaimIsOffer, rulings),
            (Request::Draw, _) => {}
        }
        if self.verdict().is_some() {
            return;
        }
        self.rule(What::DecisionDue(by), Some(rule), rulings);
    }

    pub(super) fn decide(&mut self, decision: Decision, prover: &mut dyn Prover, rulings: &mut Rulings) {
        if let Some(player) = self.quickplay.flag_fell {
            return self.decide_after_flag(player, decision, prover, rulings);
        }
        match (self.quickplay.asked.take(), self.quickplay.postponed(self.position.side_to_move())) {
            (Some((by, Request::Bonus)), _) => self.decide_on_bonus(by, &decision, rulings),
            (Some((by, Request::Draw)), _) | (None, Some(by)) => {
                self.decide_on_draw(by, decision, rulings);
            }
            (None, None) => {
                self.rule(What::NoEffect("nobody has asked"), Some(Rule::QuickplayClaim), rulings);
            }
        }
    }

    fn decide_on_bonus(&mut self, by: Color, decision: &Decision, rulings: &mut Rulings) {
        let rule = Rule::QuickplayBonus;
        if !matches!(decision, Decision::Agree(_)) {
            return self.rule(What::RequestRejected(by), Some(rule), rulings);
        }
        // 2014: "a time delay or cumulative time"; since 2018: "an increment".
        let bonus = match self.regulations.edition {
            Edition::Fide2014 => Bonus::Delay(EXTRA),
            _ => Bonus::Increment(EXTRA),
        };
        for clock in self.clocks.iter_mut().flatten() {
            clock.grant(bonus);
        }
        self.rule(What::BonusGranted(bonus), Some(rule), rulings);
        self.grant(!by, rule, rulings);
    }

    fn decide_on_draw(&mut self, by: Color, decision: Decision, rulings: &mut Rulings) {
        let rule = Rule::QuickplayClaim;
        match decision {
            Decision::Agree(why) => self.give_draw(why, rulings),
            Decision::Postpone { grant } => {
                let is_first = !std::mem::replace(&mut self.quickplay.postponed_of[by.index()], true);
                self.rule(What::Postponed(by), Some(rule), rulings);
                if grant && is_first {
                    self.grant(!by, rule, rulings);
                }
            }
            Decision::Reject => {
                self.quickplay.postponed_of[by.index()] = false;
                self.rule(What::RequestRejected(by), Some(rule), rulings);
                self.grant(!by, rule, rulings);
            }
        }
    }

    fn grant(&mut self, player: Color, rule: Rule, rulings: &mut Rulings) {
        self.add_time(player, GRANT, rule.article(self.regulations.edition), rulings);
    }

    /// The final word on a claim that was postponed until the player's flag fell: whether his opponent cannot win.
    fn decide_after_flag(
        &mut self,
        player: Color,
        decision: Decision,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        let claimant = std::mem::take(&mut self.quickplay).postponed(player).unwrap_or(player);
        match decision {
            Decision::Agree(why) => self.give_draw(why, rulings),
            Decision::Postpone { .. } | Decision::Reject => {
                self.rule(What::RequestRejected(claimant), Some(Rule::QuickplayClaim), rulings);
                self.flag_falls(player, prover, rulings);
            }
        }
    }

    fn give_draw(&mut self, why: String, rulings: &mut Rulings) {
        self.end_by(Rule::QuickplayClaim, Verdict::drawn(Reason::QuickplayFinish(why)), rulings);
    }
}
