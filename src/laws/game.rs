//! A game under the Laws: events in, rulings out.
//!
//! The state machine is pure. It knows no process and no clock but the times that events bring, so that a game can be
//! replayed from its record, and any sequence of events has an answer.

use super::clock::{Clock, TimeControl};
use super::dead::{Answer, DEFAULT_NODES, Solver};
use super::edition::{Edition, Speed};
use super::event::{Adjudicated, Event, Failure, Ruling, What};
use super::offers::Offers;
use super::regulations::Regulations;
use super::result::{GameResult, Reason, Verdict};
use super::rule::{Article, Rule};
use crate::board::{History, Position};
use crate::types::{Color, Move, Outcome};
use std::time::Duration;

/// Who can tell whether a side can mate by any series of legal moves.
pub trait Prover {
    /// Whether `side` can; `None` if that could not be decided.
    fn can_win(&mut self, position: &Position, side: Color) -> Option<bool>;
    /// True if neither side can, as far as that can be told at once.
    fn is_dead(&mut self, position: &Position) -> bool;
}

impl Prover for Solver {
    fn can_win(&mut self, position: &Position, side: Color) -> Option<bool> {
        match Solver::can_win(self, position, side, DEFAULT_NODES) {
            Answer::Winnable(_) => Some(true),
            Answer::Unwinnable => Some(false),
            Answer::Undetermined => None,
        }
    }

    fn is_dead(&mut self, position: &Position) -> bool {
        self.is_dead_quick(position)
    }
}

/// What ends the game in a position whatever went before it, as far as material and counters tell: who gets what, why,
/// and by which rule.
pub fn end_by_position(position: &Position, edition: Edition) -> Option<(Outcome, Reason, Rule)> {
    let draw = |reason, rule| Some((Outcome::Draw, reason, rule));
    if position.has_no_moves() {
        return if position.in_check() {
            Some((Outcome::Win(!position.side_to_move()), Reason::Checkmate, Rule::Checkmate))
        } else {
            draw(Reason::Stalemate, Rule::Stalemate)
        };
    }
    if position.is_insufficient_material() {
        return draw(Reason::InsufficientMaterial, Rule::DeadPosition);
    }
    match (edition, position.halfmove_clock()) {
        (Edition::Engine, 100..) => draw(Reason::FiftyMoves, Rule::FiftyMoves),
        (Edition::Fide2014 | Edition::Fide2018 | Edition::Fide2023, 150..) => {
            draw(Reason::SeventyFiveMoves, Rule::SeventyFive)
        }
        _ => None,
    }
}

/// The end that a position brings about by having been there so often, if it does without a claim.
pub fn end_by_repetition(history: &History, edition: Edition) -> Option<(Reason, Rule)> {
    match edition {
        Edition::Engine => {
            (history.occurrences() >= 3).then_some((Reason::ThreefoldRepetition, Rule::Threefold))
        }
        Edition::Fide2005 => None,
        // "Five consecutive alternate moves by each player": with the same moves to and fro between them.
        Edition::Fide2014 => {
            history.stood_every_four_plies(5).then_some((Reason::FivefoldRepetition, Rule::Fivefold))
        }
        Edition::Fide2018 | Edition::Fide2023 => {
            (history.occurrences() >= 5).then_some((Reason::FivefoldRepetition, Rule::Fivefold))
        }
    }
}

/// A game in progress, or over.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) regulations: Regulations,
    pub(super) speed: Speed,
    pub(super) position: Position,
    pub(super) history: History,
    pub(super) moves: Vec<Move>,
    /// Moves of each side, those of an opening among them.
    pub(super) made: [u32; 2],
    pub(super) clocks: [Option<Clock>; 2],
    pub(super) illegal: [u32; 2],
    pub(super) offers: Offers,
    pub(super) quickplay: super::quickplay::State,
    /// The player on move has sealed his move.
    pub(super) sealed: bool,
    verdict: Option<Verdict>,
}

/// What the arbiter says to one event.
pub type Rulings = Vec<Ruling>;

impl Game {
    /// A game from `start` with these clocks, White's first; a player without a clock has all the time he wants.
    pub fn new(regulations: Regulations, start: Position, clocks: [Option<Clock>; 2]) -> Game {
        let longest =
            clocks.iter().flatten().map(Clock::control).max_by_key(|control| control.time_for_sixty_moves());
        let speed = regulations.edition.speed(longest);
        Game {
            regulations,
            speed,
            position: start,
            history: History::new(&start),
            moves: vec![],
            made: [0; 2],
            clocks,
            illegal: [0; 2],
            offers: Offers::default(),
            quickplay: super::quickplay::State::default(),
            sealed: false,
            verdict: None,
        }
    }

    /// Plays moves of an opening, which nobody thinks about, and looks whether the game is over before it begins.
    pub fn begin(&mut self, opening: &[Move], prover: &mut dyn Prover) -> Rulings {
        let mut rulings = vec![];
        self.put_all_on_board(opening);
        self.look_at_the_board(prover, &mut rulings);
        rulings
    }

    /// Rules on an event.
    pub fn apply(&mut self, event: Event, prover: &mut dyn Prover) -> Rulings {
        let mut rulings = vec![];
        if let Some(why) = self.obstacle(&event) {
            self.rule(What::NoEffect(why), None, &mut rulings);
            return rulings;
        }
        let (white, mover) = (Color::White, self.position.side_to_move());
        match event {
            Event::Move { mv, time } => {
                self.make_move(mv, time, Rule::MoveCompleted, prover, &mut rulings);
            }
            Event::Irregular { fault, time } => self.judge_fault(&fault, time, prover, &mut rulings),
            Event::Offer(by) => self.offer(by, &mut rulings),
            Event::Decline(by) => self.decline(by, &mut rulings),
            Event::Accept(by) => self.accept(by, &mut rulings),
            Event::Claim { by, ground, intended, time } => {
                self.judge_claim(by, ground, intended, time, prover, &mut rulings);
            }
            Event::ClaimWin { by, time } => self.judge_claim_of_win(by, time, prover, &mut rulings),
            Event::Resign(by) => self.resign(by, prover, &mut rulings),
            Event::Flag => self.flag_falls(mover, prover, &mut rulings),
            Event::BothFlags { last_period } => self.both_flags(last_period, &mut rulings),
            Event::Gone(player, failure) => {
                let article = Rule::Refusal.article(self.regulations.edition);
                self.lose_by_fault(player, failure.into(), article, prover, &mut rulings);
            }
            Event::BothGone(failure) => self.both_gone(failure, prover, &mut rulings),
            Event::Absent(absent) => self.absent(absent, &mut rulings),
            Event::WrongStart => self.wrong_start(&mut rulings),
            Event::ColoursReversed => self.colours_reversed(&mut rulings),
            Event::Seal { time } => self.seal(time, prover, &mut rulings),
            Event::Resume { envelope, absent, waited } => {
                self.resume(envelope, absent, waited, prover, &mut rulings);
            }
            Event::Penalize(player, penalty) => self.penalize(player, penalty, prover, &mut rulings),
            Event::ExtraTime(time) => {
                let article = Rule::ExtraTime.article(self.regulations.edition);
                for player in [white, !white] {
                    self.add_time(player, time, article, &mut rulings);
                }
            }
            Event::SetClocks(left) => {
                for (clock, left) in self.clocks.iter_mut().zip(left) {
                    if let Some(clock) = clock {
                        clock.set(left);
                    }
                }
                self.rule(What::ClocksSet, Some(Rule::ClockDefect), &mut rulings);
            }
            Event::Quickplay(by, request) => self.quickplay_request(by, request, &mut rulings),
            Event::Decide(decision) => self.decide(decision, prover, &mut rulings),
            Event::Adjudicate(outcome, how) => {
                let reason = match how {
                    Adjudicated::Score => Reason::Adjudication,
                    Adjudicated::MaxMoves => Reason::MaxMoves,
                    Adjudicated::Tables => Reason::Tablebase,
                };
                if let Outcome::Win(winner) = outcome
                    && self.end_if_dead(winner, prover, &mut rulings)
                {
                    return rulings;
                }
                let result = GameResult::Played(outcome);
                self.end(Verdict { result, reason, article: None }, &mut rulings);
            }
            Event::Interrupt => self.end(Verdict::interrupted(), &mut rulings),
        }
        rulings
    }

    /// Why nothing can come of an event now.
    fn obstacle(&self, event: &Event) -> Option<&'static str> {
        if self.verdict.is_some() {
            return Some("the game is over");
        }
        if self.quickplay.flag_to_decide_on().is_some() {
            let decides = matches!(event, Event::Decide(_) | Event::Interrupt);
            return (!decides).then_some("the arbiter has to decide first");
        }
        let between_sessions = matches!(
            event,
            Event::Resume { .. }
                | Event::Offer(_)
                | Event::Accept(_)
                | Event::Decline(_)
                | Event::Resign(_)
                | Event::WrongStart
                | Event::Penalize(..)
                | Event::ExtraTime(_)
                | Event::SetClocks(_)
                | Event::Adjudicate(..)
                | Event::Interrupt
        );
        match (self.sealed, event) {
            (true, _) if !between_sessions => Some("the game is adjourned"),
            (false, Event::Resume { .. }) => Some("the game is not adjourned"),
            _ => None,
        }
    }

    /// Plays a move; `rule` says why it stands.
    pub(super) fn make_move(
        &mut self,
        mv: Move,
        time: Duration,
        rule: Rule,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        if !self.position.is_legal(mv) {
            let fault = super::event::Fault::Illegal(format!("{mv:?}"));
            return self.judge_fault(&fault, time, prover, rulings);
        }
        let mover = self.position.side_to_move();
        if !self.complete_move(mover, time, prover, rulings) {
            return;
        }
        self.rule(What::Stands(mv), Some(rule), rulings);
        if let Some(other) = self.offers.moved(mover) {
            self.rule(What::Declined(other), Some(Rule::DrawOffer), rulings);
        }
        self.put_on_board(mv);
        self.look_at_the_board(prover, rulings);
    }

    /// Stops the mover's clock after a move. False if the flag fell.
    fn complete_move(
        &mut self,
        mover: Color,
        time: Duration,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) -> bool {
        let own = mover.index();
        // What one of them uses is the other's only if that holds for both.
        let hourglass = |clock: &&Clock| matches!(clock.control(), TimeControl::Hourglass(_));
        let both_are_hourglasses = self.clocks.iter().flatten().filter(hourglass).count() == 2;
        let Some(clock) = &mut self.clocks[own] else { return true };
        let used = clock.running().saturating_add(time);
        let fell = clock.complete(time).is_err();
        if fell {
            self.flag_falls(mover, prover, rulings);
        } else if let (true, Some(other)) = (both_are_hourglasses, &mut self.clocks[1 - own]) {
            other.add(used);
        }
        !fell
    }

    /// Counts time of a move that is not completed. False if the flag fell.
    pub(super) fn spend(
        &mut self,
        mover: Color,
        time: Duration,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) -> bool {
        let fell = self.clocks[mover.index()].as_mut().is_some_and(|clock| clock.spend(time).is_err());
        if fell {
            self.flag_falls(mover, prover, rulings);
        }
        !fell
    }

    /// Plays moves up to the first that is not legal.
    pub(super) fn put_all_on_board(&mut self, moves: &[Move]) {
        for &mv in moves {
            if !self.position.is_legal(mv) {
                break;
            }
            self.put_on_board(mv);
        }
    }

    fn put_on_board(&mut self, mv: Move) {
        self.made[self.position.side_to_move().index()] += 1;
        self.position = self.position.after(mv);
        self.history.push(&self.position);
        self.moves.push(mv);
    }

    /// Ends the game if the position does. Mate comes before all else (9.6).
    fn look_at_the_board(&mut self, prover: &mut dyn Prover, rulings: &mut Rulings) {
        if let Some((result, reason, rule)) = self.end_on_board(prover) {
            self.end_by(rule, Verdict { result: GameResult::Played(result), reason, article: None }, rulings);
        }
    }

    fn end_on_board(&self, prover: &mut dyn Prover) -> Option<(Outcome, Reason, Rule)> {
        let edition = self.regulations.edition;
        let repeated = end_by_repetition(&self.history, edition);
        let position = &self.position;
        let dead = |prover: &mut dyn Prover| {
            (edition != Edition::Engine && prover.is_dead(position))
                .then_some((Reason::DeadPosition, Rule::DeadPosition))
        };
        end_by_position(position, edition)
            .or_else(|| dead(prover).or(repeated).map(|(reason, rule)| (Outcome::Draw, reason, rule)))
    }

    fn resign(&mut self, by: Color, prover: &mut dyn Prover, rulings: &mut Rulings) {
        let mut verdict = Verdict::lost(by, Reason::Resignation);
        if self.regulations.edition == Edition::Fide2023 {
            if self.cannot_mate(!by, prover, rulings) {
                verdict = Verdict::drawn(Reason::Resignation);
            }
        } else if self.end_if_dead(!by, prover, rulings) {
            return;
        }
        self.end_by(Rule::Resignation, verdict, rulings);
    }

    /// Ends the game if the position is dead (5.2.2), asking about `first` first. After a move only a quick look is taken: what
    /// that has missed has ended the game all the same, and is looked for before anything off the board gives somebody the
    /// game, or calls a claim wrong.
    pub(super) fn end_if_dead(
        &mut self,
        first: Color,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) -> bool {
        let position = &self.position;
        let is_dead = self.regulations.edition.is_fide()
            && [first, !first].into_iter().all(|side| prover.can_win(position, side) == Some(false));
        if is_dead {
            self.end_by(Rule::DeadPosition, Verdict::drawn(Reason::DeadPosition), rulings);
        }
        is_dead
    }

    /// The flag of the player who is to move has fallen.
    pub(super) fn flag_falls(&mut self, player: Color, prover: &mut dyn Prover, rulings: &mut Rulings) {
        if let Some(clock) = &mut self.clocks[player.index()] {
            clock.fall();
        }
        if let Some(claimant) = self.quickplay.flag_fell(player) {
            return self.rule(What::DecisionDue(claimant), Some(Rule::QuickplayClaim), rulings);
        }
        self.lose_unless_opponent_cannot_mate(player, Reason::TimeForfeit, Rule::FlagFall, prover, rulings);
    }

    /// The player loses; it is a draw if his opponent cannot mate.
    pub(super) fn lose_unless_opponent_cannot_mate(
        &mut self,
        player: Color,
        reason: Reason,
        rule: Rule,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) {
        let is_draw = self.regulations.edition.is_fide() && self.cannot_mate(!player, prover, rulings);
        let verdict = if is_draw { Verdict::drawn(reason) } else { Verdict::lost(player, reason) };
        self.end_by(rule, verdict, rulings);
    }

    fn both_flags(&mut self, last_period: bool, rulings: &mut Rulings) {
        if last_period {
            self.end_by(Rule::BothFlags, Verdict::drawn(Reason::BothFlags), rulings);
        } else {
            self.rule(What::Continues, Some(Rule::BothFlags), rulings);
        }
    }

    fn both_gone(&mut self, failure: Failure, prover: &mut dyn Prover, rulings: &mut Rulings) {
        if self.end_if_dead(Color::White, prover, rulings) {
            return;
        }
        let verdict = Verdict { result: GameResult::BothLose, reason: failure.into(), article: None };
        self.end_by(Rule::BothRefuse, verdict, rulings);
    }

    fn absent(&mut self, [white, black]: [bool; 2], rulings: &mut Rulings) {
        let result = match (white, black) {
            (false, false) => return self.rule(What::Continues, None, rulings),
            (true, true) => GameResult::DoubleForfeit,
            (white_is_absent, _) => {
                GameResult::Forfeit(if white_is_absent { Color::Black } else { Color::White })
            }
        };
        let verdict = Verdict { result, reason: Reason::Absence, article: None };
        self.end_by(Rule::DefaultTime, verdict, rulings);
    }

    /// True if it is certain that a player cannot mate. What is not decided is told, and counts as possible.
    pub(super) fn cannot_mate(&self, player: Color, prover: &mut dyn Prover, rulings: &mut Rulings) -> bool {
        self.cannot_mate_from(&self.position, player, prover, rulings)
    }

    /// The same for a position that is not on the board.
    pub(super) fn cannot_mate_from(
        &self,
        position: &Position,
        player: Color,
        prover: &mut dyn Prover,
        rulings: &mut Rulings,
    ) -> bool {
        let answer = prover.can_win(position, player);
        if answer.is_none() {
            self.rule(What::Undetermined(player), None, rulings);
        }
        answer == Some(false)
    }

    pub(super) fn add_time(
        &mut self,
        player: Color,
        time: Duration,
        article: Option<Article>,
        rulings: &mut Rulings,
    ) {
        if let Some(clock) = &mut self.clocks[player.index()] {
            clock.add(time);
            rulings.push(Ruling { what: What::TimeAdded(player, time), article });
        }
    }

    /// Takes as much of a clock's time as it has.
    pub(super) fn take_time(
        &mut self,
        player: Color,
        time: Duration,
        article: Option<Article>,
        rulings: &mut Rulings,
    ) {
        if let Some(clock) = &mut self.clocks[player.index()] {
            let taken = clock.deduct(time);
            rulings.push(Ruling { what: What::TimeTaken(player, taken), article });
        }
    }

    pub(super) fn rule(&self, what: What, rule: Option<Rule>, rulings: &mut Rulings) {
        let article = rule.and_then(|rule| rule.article(self.regulations.edition));
        rulings.push(Ruling { what, article });
    }

    /// Ends the game by the article that the rule has in the edition.
    pub(super) fn end_by(&mut self, rule: Rule, verdict: Verdict, rulings: &mut Rulings) {
        self.end(verdict.by(rule.article(self.regulations.edition)), rulings);
    }

    pub(super) fn end(&mut self, verdict: Verdict, rulings: &mut Rulings) {
        self.verdict = Some(verdict.clone());
        let article = verdict.article;
        rulings.push(Ruling { what: What::Over(verdict), article });
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Which positions came before.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The moves so far, those of the opening among them.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// A player's clock, if he has one.
    pub fn clock(&self, player: Color) -> Option<&Clock> {
        self.clocks[player.index()].as_ref()
    }

    /// How many illegal moves a player has completed.
    pub fn illegal_moves(&self, player: Color) -> u32 {
        self.illegal[player.index()]
    }

    /// Who has offered a draw that still can be accepted.
    pub fn standing_offer(&self) -> Option<Color> {
        self.offers.standing()
    }

    /// True between sessions.
    pub fn is_adjourned(&self) -> bool {
        self.sealed
    }

    /// Whose flag has fallen, if a claim in a quickplay finish has to be decided first: whether the opponent of this player
    /// cannot win (2014: G.5.b).
    pub fn flag_to_decide_on(&self) -> Option<Color> {
        self.quickplay.flag_to_decide_on()
    }

    /// How the game has ended, if it has.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// The regulations that it is played under.
    pub fn regulations(&self) -> &Regulations {
        &self.regulations
    }

    /// How fast the game counts.
    pub fn speed(&self) -> Speed {
        self.speed
    }
}
