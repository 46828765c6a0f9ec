//! What engines say besides their moves, and what is said in their name: offers, claims, resignations, complaints. Each
//! becomes an event of the Laws.

use super::play::{End, Table};
use crate::engine::said::{Best, Said};
use crate::laws::event::{Failure, Ground};
use crate::laws::{Event, Reason, Ruling, What};
use crate::types::{Color, Move, Outcome};
use std::time::{Duration, Instant};

/// So often an engine may refuse a legal move: once it is told the position anew (as two boards that differ are put
/// right by the rules for blind players, in the appendix on them).
const REFUSALS: u32 = 1;
/// So many ends of the game an engine may claim that are none: who goes on like that does not keep to the Laws (11.7). With
/// no clock, or by the habits of engine testers, wrong claims cost nothing, and would go on for ever.
const CLAIMS: u32 = 20;
/// So many offers of a player are heard in a game.
const OFFERS: u32 = 200;

/// What came of listening to the player on move.
pub(super) enum Answer {
    /// Its move, and when that had come.
    Best(Best, Instant),
    /// It has said something else and is to be asked again.
    AskAgain,
}

impl Table<'_> {
    /// Takes up what both engines have said. The answer of the player on move, if there is one.
    ///
    /// # Errors
    /// The end, if something brings it about.
    pub(super) fn attend(&mut self, mover: Color) -> Result<Option<Answer>, End> {
        let mut answer = None;
        for player in [mover, !mover] {
            while let Some((said, at)) = self.client(player).take_said(player == mover) {
                match said {
                    // A move that comes behind a claim is the answer all the same.
                    Said::Move(best) if player == mover => {
                        self.keeps_start = false;
                        return Ok(Some(Answer::Best(best, at)));
                    }
                    Said::Move(_) => {}
                    other => answer = self.take_up(player, player == mover, other, at)?.or(answer),
                }
            }
        }
        Ok(answer)
    }

    fn take_up(
        &mut self,
        player: Color,
        on_move: bool,
        said: Said,
        at: Instant,
    ) -> Result<Option<Answer>, End> {
        if self.game.verdict().is_some() {
            return Ok(None);
        }
        let time = self.thinking_time(at);
        if matches!(said, Said::OfferDraw) {
            let count = &mut self.heard_offers[player.index()];
            *count += 1;
            if *count > OFFERS {
                return Ok(None);
            }
        }
        // Said behind its own move, before it knew of the opponent's: too late for the one, too early for the other. Where
        // nobody has moved it can only be about the start.
        let has_crossed =
            on_move && !self.moves.is_empty() && self.turn_began.is_some_and(|(_, began)| at < began);
        if matches!(said, Said::Result { .. }) && !has_crossed {
            let count = &mut self.claims[player.index()];
            *count += 1;
            if *count > CLAIMS {
                let how = "claims again and again that the game is over".to_string();
                return self.rule(Event::Gone(player, Failure::Stalled(how))).map(|()| None);
            }
        }
        let ask_again = || on_move.then_some(Answer::AskAgain);
        match said {
            // Before the move it belongs to the move, and may claim the draw that the move brings.
            Said::OfferDraw if on_move && self.game.standing_offer() != Some(!player) => {
                self.offers_with_move = true;
                Ok(None)
            }
            Said::OfferDraw => self.rule(Event::Offer(player)).map(|()| None),
            Said::Resign => self.rule(Event::Resign(player)).map(|()| None),
            Said::Result { outcome: Outcome::Draw, comment } if has_crossed => {
                self.reproach_claim(player, Outcome::Draw, &comment);
                self.keeps_start = true;
                Ok(ask_again())
            }
            Said::Result { outcome: Outcome::Draw, comment } => {
                let claim = Event::Claim { by: player, ground: Ground::Any, intended: None, time };
                self.judge_claim(player, Outcome::Draw, &comment, claim)?;
                self.restart_clock(on_move, at);
                Ok(ask_again())
            }
            Said::Result { outcome: Outcome::Win(winner), comment } if winner == player => {
                let claim = Event::ClaimWin { by: player, time };
                self.judge_claim(player, Outcome::Win(winner), &comment, claim)?;
                self.restart_clock(on_move, at);
                Ok(ask_again())
            }
            // Who says that he has lost gives the game up.
            Said::Result { outcome: Outcome::Win(_), .. } => self.rule(Event::Resign(player)).map(|()| None),
            Said::Result { outcome: Outcome::Unfinished, comment } => {
                self.reproach_claim(player, Outcome::Unfinished, &comment);
                self.keeps_start |= on_move;
                Ok(ask_again())
            }
            Said::Refuses(text) => {
                self.refuse(player, &text)?;
                self.keeps_start |= on_move;
                Ok(ask_again())
            }
            Said::Move(_) => Ok(None),
        }
    }

    /// The time until a claim has been spent with it: a move that comes behind it is not to be charged for it again.
    fn restart_clock(&mut self, on_move: bool, at: Instant) {
        if on_move {
            self.spent += self.thinking_time(at);
            self.started = at;
            self.stood_still = Duration::ZERO;
        }
    }

    /// Who claims what is his, or a draw where the position is dead, does nothing wrong, and the rulings tell of it; any other
    /// claim is remarked on.
    fn judge_claim(&mut self, by: Color, outcome: Outcome, comment: &str, claim: Event) -> Result<(), End> {
        let rulings = self.game.apply(claim, self.officials.prover);
        let is_right = |ruling: &Ruling| match &ruling.what {
            What::ClaimUpheld(..) => true,
            What::Over(verdict) => outcome == Outcome::Draw && verdict.reason == Reason::DeadPosition,
            _ => false,
        };
        if !rulings.iter().any(is_right) {
            self.reproach_claim(by, outcome, comment);
        }
        self.carry_out(rulings)
    }

    fn reproach_claim(&mut self, player: Color, outcome: Outcome, comment: &str) {
        let number = self.game.position().fullmove_number();
        self.remark(player, &format!("claims {outcome} {{{comment}}} (move {number})"));
    }

    /// A player does not take a move or a position that is legal.
    fn refuse(&mut self, player: Color, text: &str) -> Result<(), End> {
        let number = self.game.position().fullmove_number();
        self.remark(player, &format!("does not take what it was sent: {text} (move {number})"));
        let count = &mut self.refusals[player.index()];
        *count += 1;
        if *count > REFUSALS {
            let how = format!("does not take legal moves: {text}");
            return self.rule(Event::Gone(player, Failure::Stalled(how)));
        }
        self.client(player).take_back();
        Ok(())
    }

    /// What the player's proxy says before the move: it resigns, accepts, claims with the move, or offers.
    pub(super) fn speak(&mut self, mover: Color, mv: Move, time: Duration) -> Result<(), End> {
        self.speak_of_end(mover, mv, time)?;
        self.offer_with_move(mover)
    }

    /// What is said with a move and ends the game before it is made: it is given up, a draw accepted or claimed.
    ///
    /// # Errors
    /// The end, if there is one.
    pub(super) fn speak_of_end(&mut self, mover: Color, mv: Move, time: Duration) -> Result<(), End> {
        let speaker = &self.speakers[mover.index()];
        let (resigns, wants_draw, claims) = (speaker.resigns(), speaker.wants_draw(), speaker.claims());
        if resigns {
            self.rule(Event::Resign(mover))?;
        }
        // In xboard's protocol a draw is claimed behind the move that brings it, or taken behind another.
        let may_end = self.game.standing_offer() == Some(!mover)
            || self.setting.regulations.edition.is_fide() && self.game.claim_holds(Some(mv));
        if may_end {
            // Few engines write both lines at once. The clock of the player stands, that of the opponent does not run yet.
            self.client(mover).hear_behind_move();
        }
        let is_claimed = may_end && self.client(mover).claims_draw();
        if is_claimed {
            self.client(mover).take_said(true);
        }
        let offers = self.offers_with_move || is_claimed;
        // Who has offered a draw himself takes the one that he is offered meanwhile.
        if (wants_draw || offers) && self.game.standing_offer() == Some(!mover) {
            self.rule(Event::Accept(mover))?;
        }
        // A claim is no use to who can mate instead.
        if (claims || offers)
            && self.game.claim_holds(Some(mv))
            && !self.game.position().after(mv).is_checkmate()
        {
            self.claim(mover, Some(mv), time)?;
        }
        Ok(())
    }

    /// The offer of a draw that goes with a move, if one does.
    ///
    /// # Errors
    /// The end, if there is one.
    pub(super) fn offer_with_move(&mut self, mover: Color) -> Result<(), End> {
        let offers = std::mem::take(&mut self.offers_with_move);
        let wants_to_offer = self.speakers[mover.index()].wants_draw() && self.game.may_offer(mover);
        if (wants_to_offer || offers) && self.game.standing_offer().is_none() {
            self.rule(Event::Offer(mover))?;
        }
        Ok(())
    }

    pub(super) fn claim(&mut self, by: Color, intended: Option<Move>, time: Duration) -> Result<(), End> {
        self.rule(Event::Claim { by, ground: Ground::Any, intended, time })
    }

    /// Passes an offer on to the opponent.
    pub(super) fn pass_on_offer(&mut self, by: Color) {
        // Who cannot be told is found out when he is on move.
        let _ = self.client(!by).tell_draw_offer(Instant::now() + MOMENT);
    }
}

/// So long an engine may take to read a word that nobody waits for.
const MOMENT: Duration = Duration::from_millis(100);
