//! Adjourned games: sealing a move, and what becomes of it (2005: appendix A; 2014: appendix E; since 2018: guidelines
//! I).

use super::event::{Envelope, What};
use super::game::{Game, Prover, Rulings};
use super::result::{GameResult, Reason, Verdict};
use super::rule::Rule;
use crate::types::{Color, Outcome};
use std::time::Duration;

impl Game {
    /// The player on move has sealed: his clock stops, the opponent's does not start.
    pub(super) fn seal(&mut self, time: Duration, prover: &mut dyn Prover, rulings: &mut Rulings) {
        let mover = self.position.side_to_move();
        if !self.spend(mover, time, prover, rulings) {
            return;
        }
        if self.offers.standing() == Some(!mover) {
            self.decline(mover, rulings);
        }
        self.sealed = true;
        self.rule(What::Adjourned(mover), Some(Rule::Sealing), rulings);
    }

    /// The game goes on: the envelope is opened, and then it is seen who is absent.
    pub(super) fn resume(
        &mut self,
        envelope: Envelope,
        absent: [bool; 2],
        waited: Duration,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        self.sealed = false;
        self.rule(What::Resumed, Some(Rule::Resumption), rulings);
        let sealer = self.position.side_to_move();
        let edition = self.regulations.edition;
        if !waited.is_zero() && Rule::BothAbsentAtResumption.article(edition).is_some() {
            self.charge_for_waiting(!sealer, waited, prover, rulings);
        }
        if self.verdict().is_some() || self.quickplay.flag_to_decide_on().is_some() {
            return;
        }
        match envelope {
            Envelope::Move(mv) if self.position.is_legal(mv) => {
                // It was chosen before any offer that was made since, and declines none (E.4).
                let standing = self.offers.put_aside();
                self.make_move(mv, Duration::ZERO, Rule::Resumption, prover, rulings);
                self.offers.put_back(standing);
            }
            Envelope::Move(mv) => self.bad_sealed_move(sealer, format!("{mv:?}"), prover, rulings),
            Envelope::Bad(text) => self.bad_sealed_move(sealer, text, prover, rulings),
            Envelope::Lost => self.rule(What::SealAgain(sealer), Some(Rule::EnvelopeLost), rulings),
        }
        // What the sealed move has brought about stands, whoever is there (E.10).
        if self.verdict().is_none() {
            self.lose_by_absence(absent, prover, rulings);
        }
    }

    fn charge_for_waiting(
        &mut self,
        replier: Color,
        waited: Duration,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        let fell = self.clock(replier).is_some_and(|clock| waited >= clock.left());
        let article = Rule::BothAbsentAtResumption.article(self.regulations.edition);
        self.take_time(replier, waited, article, rulings);
        if fell {
            self.flag_falls(replier, prover, rulings);
        }
    }

    fn bad_sealed_move(
        &mut self,
        sealer: Color,
        text: String,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        let reason = Reason::SealedMove(text);
        self.lose_unless_opponent_cannot_mate(sealer, reason, Rule::BadSealedMove, prover, rulings);
    }

    fn lose_by_absence(&mut self, [white, black]: [bool; 2], prover: &mut dyn Prover, rulings: &mut Rulings) {
        let result = match (white, black) {
            (false, false) => return,
            (true, true) => GameResult::BothLose,
            (true, false) => GameResult::Played(Outcome::Win(Color::Black)),
            (false, true) => GameResult::Played(Outcome::Win(Color::White)),
        };
        let first = if black { Color::White } else { Color::Black };
        if !self.end_if_dead(first, prover, rulings) {
            let verdict = Verdict { result, reason: Reason::Absence, article: None };
            self.end_by(Rule::AbsentAtResumption, verdict, rulings);
        }
    }
}
