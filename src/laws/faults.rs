//! Irregularities and how the game goes on after them: illegal moves, wrong starts, players who are gone, penalties
//! (article 7, 11.7, 12.9).

use super::edition::{Edition, Speed};
use super::event::{Fault, Penalty, Ruling, What};
use super::game::{Game, Prover, Rulings};
use super::irregularity::{IllegalMoveCost, cost_of_illegal_move, penalty_article};
use super::result::{GameResult, Reason, Verdict};
use super::rule::{Article, Rule, illegal_move_penalty};
use crate::types::{Color, Move, PieceType};
use std::time::Duration;

impl Game {
    /// A move that is none: restore the position, or what the pawn became, and penalize (7.5; 2005: 7.4).
    pub(super) fn judge_fault(
        &mut self,
        fault: &Fault,
        time: Duration,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        let mover = self.position.side_to_move();
        if !self.spend(mover, time, prover, rulings) {
            return;
        }
        let number = self.illegal[mover.index()].saturating_add(1);
        self.illegal[mover.index()] = number;
        let (edition, supervised) = (self.regulations.edition, self.regulations.supervised);
        let article = illegal_move_penalty(edition, self.speed, supervised);
        match cost_of_illegal_move(edition, self.speed, supervised, number) {
            IllegalMoveCost::Game { or_draw } => {
                // Else the question below is whether the opponent can mate.
                if !or_draw && self.end_if_dead(!mover, prover, rulings) {
                    return;
                }
                let reason = Reason::IllegalMove(fault.text());
                // The pawn has become a queen by then (7.5.5: "after the action taken under ... 7.5.2").
                let position = self.as_queen(fault).map_or(self.position, |mv| self.position.after(mv));
                let is_draw = or_draw && self.cannot_mate_from(&position, !mover, prover, rulings);
                let verdict = if is_draw { Verdict::drawn(reason) } else { Verdict::lost(mover, reason) };
                self.end(verdict.by(article), rulings);
            }
            IllegalMoveCost::OpponentTime(time) => {
                let why = match fault {
                    Fault::NoMove(_) => "no move was made",
                    Fault::PromotionMissing { .. } => "the pawn was not exchanged",
                    Fault::Illegal(_) => "the move is illegal",
                };
                let text = match fault.text() {
                    text if text.is_empty() => why.to_string(),
                    text => format!("{why}: {text}"),
                };
                rulings.push(Ruling { what: What::Warning(mover, text), article });
                self.add_time(!mover, time, article, rulings);
                self.go_on_after(fault, mover, prover, rulings);
            }
        }
    }

    fn go_on_after(&mut self, fault: &Fault, mover: Color, prover: &mut dyn Prover, rulings: &mut Rulings) {
        if let Some(mv) = self.as_queen(fault) {
            return self.make_move(mv, Duration::ZERO, Rule::PromotionMissing, prover, rulings);
        }
        // To make a move, be it an illegal one, declines an offer.
        if self.offers.standing() == Some(!mover) {
            self.decline(mover, rulings);
        }
        if self.regulations.restore_clock
            && let Some(clock) = &mut self.clocks[mover.index()]
        {
            clock.restore();
            self.rule(What::ClocksSet, Some(Rule::ClockAfterIrregularity), rulings);
        }
        let rule = match fault {
            Fault::NoMove(_) => Rule::NoMove,
            _ => Rule::IllegalMove,
        };
        self.rule(What::MoveAgain(mover), Some(rule), rulings);
    }

    /// The move that a pawn without a new piece has made: it becomes a queen (since 2014).
    fn as_queen(&self, fault: &Fault) -> Option<Move> {
        let &Fault::PromotionMissing { from, to } = fault else { return None };
        let edition = self.regulations.edition;
        if edition == Edition::Fide2005 || from == to {
            return None;
        }
        Some(Move::promotion(from, to, PieceType::Queen)).filter(|&mv| self.position.is_legal(mv))
    }

    /// A player loses who does not keep to the Laws; his opponent gets half a point only if he could not have mated
    /// (11.7: the arbiter decides the opponent's score).
    pub(super) fn lose_by_fault(
        &mut self,
        player: Color,
        reason: Reason,
        article: Option<Article>,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        let half = self.regulations.edition.is_fide() && self.cannot_mate(!player, prover, rulings);
        if half && self.end_if_dead(player, prover, rulings) {
            return;
        }
        let verdict = Verdict::lost(player, reason).by(article);
        let result = if half { GameResult::HalfTo(!player) } else { verdict.result };
        self.end(Verdict { result, ..verdict }, rulings);
    }

    /// Annuls a game that began from a wrong position, unless it is too late for that in rapid and blitz chess (2005:
    /// B.4; later A.4 without enough arbiters only, else the rules of standard chess hold).
    pub(super) fn wrong_start(&mut self, rulings: &mut Rulings) {
        let edition = self.regulations.edition;
        let last = match edition {
            Edition::Engine => None,
            Edition::Fide2005 => Some(3),
            _ => (!self.regulations.supervised).then_some(10),
        };
        let is_late =
            self.speed != Speed::Standard && last.is_some_and(|moves| self.moves_of_both() >= moves);
        if is_late {
            return self.rule(What::Continues, Some(Rule::WrongStart), rulings);
        }
        self.annul("the starting position was wrong", Rule::WrongStart, rulings);
    }

    pub(super) fn colours_reversed(&mut self, rulings: &mut Rulings) {
        let starts_anew = match self.regulations.edition {
            Edition::Fide2005 | Edition::Fide2014 => false,
            _ => self.moves_of_both() < 10,
        };
        if starts_anew {
            self.annul("the colours were reversed", Rule::ColoursReversed, rulings);
        } else {
            self.rule(What::Continues, Some(Rule::ColoursReversed), rulings);
        }
    }

    /// How many moves both players have made.
    fn moves_of_both(&self) -> u32 {
        self.made[0].min(self.made[1])
    }

    fn annul(&mut self, why: &str, rule: Rule, rulings: &mut Rulings) {
        let reason = Reason::Annulled(why.into());
        self.end_by(rule, Verdict { result: GameResult::Annulled, reason, article: None }, rulings);
    }

    pub(super) fn penalize(
        &mut self,
        player: Color,
        penalty: Penalty,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        let article = penalty_article(self.regulations.edition, &penalty);
        match penalty {
            Penalty::Warning(why) => rulings.push(Ruling { what: What::Warning(player, why), article }),
            Penalty::OpponentTime(time) => {
                self.add_time(!player, time, article, rulings);
            }
            Penalty::OffenderTime(time) => self.take_time(player, time, article, rulings),
            Penalty::Loss(why) => self.lose_by_fault(player, Reason::Penalty(why), article, prover, rulings),
            Penalty::Expulsion(why) => {
                rulings.push(Ruling { what: What::Expelled(player), article });
                self.lose_by_fault(player, Reason::Penalty(why), article, prover, rulings);
            }
        }
    }
}
