//! Claims of a draw (9.2 to 9.5), and which ones a player could make.

use super::event::{Ground, Penalty, What};
use super::game::{Game, Prover, Rulings};
use super::irregularity::{cost_of_wrong_claim, penalty_article};
use super::result::{Reason, Verdict};
use super::rule::{Article, Rule, wrong_claim_penalty};
use crate::types::{Color, Move};
use std::time::Duration;

/// The claims that the player on move could make.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenClaims {
    /// With the position on the board.
    pub now: Vec<Ground>,
    /// With a move that he announces.
    pub with_move: Vec<(Move, Ground)>,
}

const GROUNDS: [Ground; 2] = [Ground::Threefold, Ground::FiftyMoves];

impl Game {
    /// Whether a ground holds, now or after a move that is announced: which of the two.
    fn ground_of(&self, ground: Ground, intended: Option<Move>) -> Option<Ground> {
        let (occurrences, clock) = match intended {
            None => (self.history.occurrences(), self.position.halfmove_clock()),
            Some(mv) => {
                let after = self.position.after(mv);
                (self.history.occurrences_of_next(&after), after.halfmove_clock())
            }
        };
        let is_asked = |asked| ground == asked || ground == Ground::Any;
        if is_asked(Ground::Threefold) && occurrences >= 3 {
            Some(Ground::Threefold)
        } else if is_asked(Ground::FiftyMoves) && clock >= 100 {
            Some(Ground::FiftyMoves)
        } else {
            None
        }
    }

    /// True if a claim of the player on move would be correct, with the position or with a legal move that he announces.
    pub fn claim_holds(&self, intended: Option<Move>) -> bool {
        intended.is_none_or(|mv| self.position.is_legal(mv))
            && self.ground_of(Ground::Any, intended).is_some()
    }

    /// All claims that the player on move could make; none if the game is over, or under the habits of engine testers, by
    /// which games are drawn without any.
    pub fn open_claims(&self) -> OpenClaims {
        if self.verdict().is_some() || self.sealed || !self.regulations.edition.is_fide() {
            return OpenClaims::default();
        }
        let holds = |ground, intended| self.ground_of(ground, intended).is_some();
        OpenClaims {
            now: GROUNDS.into_iter().filter(|&ground| holds(ground, None)).collect(),
            with_move: self
                .position
                .legal_moves()
                .into_iter()
                .flat_map(|mv| GROUNDS.map(|ground| (mv, ground)))
                .filter(|&(mv, ground)| holds(ground, Some(mv)))
                .collect(),
        }
    }

    pub(super) fn judge_claim(
        &mut self,
        by: Color,
        ground: Ground,
        intended: Option<Move>,
        time: Duration,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        if by != self.position.side_to_move() {
            // The right to claim ended with the move; what remains is an offer.
            self.rule(
                What::NoEffect("only the player on move can claim"),
                Some(Rule::ClaimBeforeMove),
                rulings,
            );
            return self.offer(by, rulings);
        }
        if !self.spend(by, time, prover, rulings) {
            return;
        }
        let intended = intended.filter(|&mv| self.position.is_legal(mv));
        if let Some(found) = self.ground_of(ground, intended) {
            let (reason, rule) = match (found, intended) {
                (Ground::FiftyMoves, None) => (Reason::FiftyMoves, Rule::FiftyMoves),
                (Ground::FiftyMoves, Some(_)) => (Reason::FiftyMoves, Rule::FiftyMovesAnnounced),
                (_, None) => (Reason::ThreefoldRepetition, Rule::Threefold),
                (_, Some(_)) => (Reason::ThreefoldRepetition, Rule::ThreefoldAnnounced),
            };
            self.rule(What::ClaimUpheld(by, intended), Some(Rule::ClaimCorrect), rulings);
            return self.end_by(rule, Verdict::drawn(reason), rulings);
        }
        if self.end_if_dead(by, prover, rulings) {
            return;
        }
        self.rule(What::ClaimRejected(by, intended), Some(Rule::ClaimIncorrect), rulings);
        self.pay_for_claim(by, [wrong_claim_penalty(self.regulations.edition, self.speed); 2], rulings);
        self.offer_by_claim(by, Rule::ClaimIsOffer, rulings);
        if let (None, Some(mv)) = (self.verdict(), intended) {
            self.make_move(mv, Duration::ZERO, Rule::ClaimIncorrect, prover, rulings);
        }
    }

    /// The Laws know no claim of a win. Who makes one disturbs his opponent for nothing, and pays as for a claim of a
    /// draw.
    pub(super) fn judge_claim_of_win(
        &mut self,
        by: Color,
        time: Duration,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        if by == self.position.side_to_move() && !self.spend(by, time, prover, rulings) {
            return;
        }
        if self.end_if_dead(by, prover, rulings) {
            return;
        }
        self.rule(What::ClaimRejected(by, None), Some(Rule::Penalties), rulings);
        let penalties = [Penalty::OpponentTime, Penalty::OffenderTime].map(|of| of(Duration::ZERO));
        let articles = penalties.map(|penalty| penalty_article(self.regulations.edition, &penalty));
        self.pay_for_claim(by, articles, rulings);
    }

    /// The articles are those by which the opponent gets time and by which the claimant loses it.
    fn pay_for_claim(&mut self, by: Color, articles: [Option<Article>; 2], rulings: &mut Rulings) {
        let edition = self.regulations.edition;
        if !edition.is_fide() {
            return;
        }
        let left = self.clock(by).map(|clock| clock.left());
        let (to_opponent, from_claimant) = cost_of_wrong_claim(edition, self.speed, left);
        self.add_time(!by, to_opponent, articles[0], rulings);
        if !from_claimant.is_zero() {
            self.take_time(by, from_claimant, articles[1], rulings);
        }
    }
}
