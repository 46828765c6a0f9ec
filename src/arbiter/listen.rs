//! Talking with the engines of a game: who thinks, who ponders, who is waited for and how long.

use super::hear::Answer;
use super::play::{End, Pondering, Table};
use super::record::STOOD_STILL;
use crate::engine::client::Turn;
use crate::engine::connection::{Speaker, catch_up, listen_for_a_turn};
use crate::engine::process::EngineError;
use crate::laws::event::{Decision, Failure};
use crate::laws::{Clock, Event, Reason, Rule, Ruling, Verdict, What};
use crate::notation::uci_move::to_uci;
use crate::sys::moments::later;
use crate::sys::pipes::Woken;
use crate::types::{Color, Move};
use std::time::{Duration, Instant};

/// How long an engine is waited for after its flag has fallen, to learn how late it is, before it is killed.
const AFTER_FLAG: Duration = Duration::from_secs(1);
/// How long an engine that ponders on a decided game may take to stop.
const AFTER_GAME: Duration = Duration::from_secs(1);
/// With no more time than this for a move, an engine's waiting for processors is counted move by move.
const SHORT: Duration = Duration::from_secs(1);

/// Why no answer can come any more.
enum LateNews {
    /// Something was said that ends the game.
    Ended(End),
    /// The game is broken off.
    Interrupted,
    /// The engine is gone.
    Gone(EngineError),
}

impl Table<'_> {
    /// How long the clock of the player on move had run at a moment.
    pub(super) fn thinking_time(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.started).saturating_sub(self.stood_still)
    }

    /// How long the player has thought about a move in all, with what came before a claim or an illegal move.
    pub(super) fn thought(&self, mover: Color, time: Duration) -> Duration {
        self.game.clock(mover).map_or(self.spent, Clock::running).saturating_add(time)
    }

    /// How long the player's next move may take.
    pub(super) fn budget(&self, player: Color) -> Duration {
        self.seats[player.index()].limits.budget(self.game.clock(player), self.spent)
    }

    /// Starts the clock of the player on move, and lets it know. When the clock began to run.
    ///
    /// # Errors
    /// The end, if the player loses already here.
    pub(super) fn let_think(&mut self, mover: Color) -> Result<Instant, End> {
        let own = mover.index();
        let unasked = self.client(mover).take_unasked();
        if unasked > 0 {
            let what = if self.client(mover).as_uci().is_some() { "bestmove" } else { "moves" };
            self.remark(mover, &format!("gives {unasked} {what} that nobody asked for"));
        }
        let budget = self.budget(mover);
        let is_short = budget <= SHORT;
        self.waited_before = if is_short { self.client(mover).waited_for_processor() } else { None };
        let mut clock_runs_since = std::mem::take(&mut self.keeps_start).then_some(self.started);
        // An engine of xboard's protocol does not say whether it has.
        self.has_pondered = self.seats[own].ponder && self.client(mover).as_uci().is_none();
        if let Pondering::On(expected) = std::mem::replace(&mut self.pondering[own], Pondering::No) {
            if !self.client(mover).is_thinking() {
                self.client(mover).take_said(true);
                self.remark(mover, "answers 'go ponder' before it is told to");
            } else {
                let start = Instant::now();
                let deadline = later(start, budget);
                if self.moves.last().is_some_and(|played| played.mv == expected) {
                    self.tell(mover, b"ponderhit\n", deadline)?;
                    self.has_pondered = true;
                    return Ok(start);
                }
                self.tell(mover, b"stop\n", deadline)?;
                self.await_best(mover, start)?;
                clock_runs_since = Some(start);
            }
        }
        self.outgoing.clear();
        self.outgoing.push_str(&self.script);
        self.outgoing.push('\n');
        // It is told what it has, and not what it had when its clock began to run.
        let running =
            clock_runs_since.map_or(Duration::ZERO, |since| since.elapsed().saturating_sub(self.stood_still));
        let running_clock = self.game.clock(mover).filter(|_| !running.is_zero()).map(|clock| {
            let mut clock = clock.clone();
            // A flag that has fallen shows there as 0, and is looked at when the move comes.
            let _ = clock.spend(running);
            clock
        });
        let spent = self.spent + running;
        self.write_go(mover, running_clock.as_ref(), spent, false);
        self.outgoing.push('\n');
        self.announce_period(mover);
        let turn = Turn {
            lines: self.outgoing.as_bytes(),
            moves: self.game.moves(),
            own: self.seats[own].limits.available(running_clock.as_ref().or(self.game.clock(mover)), spent),
            other: self.game.clock(!mover).map(Clock::available),
        };
        let sent = self.seats[own].client.think(&turn, later(Instant::now(), budget));
        let start = sent.map_err(|error| self.fail(mover, error))?;
        let plies = self.moves.len();
        self.turn_began = self.turn_began.filter(|(known, _)| *known == plies).or(Some((plies, start)));
        Ok(clock_runs_since.unwrap_or(start))
    }

    /// Tells an engine that keeps its own account of another period.
    fn announce_period(&mut self, player: Color) {
        let own = player.index();
        let Some(clock) = self.game.clock(player) else { return };
        let (period, to_go) = (clock.period(), clock.moves_to_go());
        let (known, told) = self.periods[own];
        // What was left of one when it was told is not the length of those that follow.
        let is_longer = to_go > told && period.is_some_and(|period| period.moves == to_go);
        if period != known || is_longer {
            let level = self.seats[own].limits.level(Some(clock));
            self.periods[own] = (period, to_go);
            self.seats[own].client.set_level(&level);
        }
    }

    /// Appends the `go` for a player to what is sent, for a move that has taken `spent` so far; `running` is its clock as it
    /// stands, if it runs already.
    fn write_go(&mut self, player: Color, running: Option<&Clock>, spent: Duration, ponder: bool) {
        let clocks = [running.or(self.game.clock(player)), self.game.clock(!player)];
        let limits = self.seats[player.index()].limits;
        limits.go(clocks, spent, player == Color::White, ponder, &mut self.outgoing);
    }

    /// Says something that only UCI has.
    fn tell(&mut self, player: Color, text: &[u8], deadline: Instant) -> Result<(), End> {
        let Some(client) = self.client(player).as_uci() else { return Ok(()) };
        client.send(text, deadline).map_err(|error| self.fail(player, error))
    }

    /// What an engine that cannot be spoken to brings about.
    fn fail(&mut self, player: Color, error: EngineError) -> End {
        let event = match error {
            EngineError::Silent(_) => {
                self.remark(player, "has not read what it was told when its time was up");
                Event::Flag
            }
            EngineError::Interrupted => Event::Interrupt,
            other => {
                let how = other.to_string();
                let failure = Failure::Disconnected(how.clone());
                let both = self.setting.regulations.edition.is_fide() && self.has_died(!player);
                let event = if both { Event::BothGone(failure) } else { Event::Gone(player, failure) };
                let end = self.end_by(event);
                if matches!(&end, End::Over(verdict) if verdict.reason == Reason::DeadPosition) {
                    self.remark(player, &format!("{how}, in a dead position"));
                }
                return end;
            }
        };
        self.end_by(event)
    }

    /// True if an engine has ended whose clock does not run, and nothing that it has started speaks for it.
    fn has_died(&mut self, player: Color) -> bool {
        let client = self.client(player);
        catch_up(client);
        client.has_ended() && client.gone().is_some()
    }

    /// The end that an event brings about which always does.
    pub(super) fn end_by(&mut self, event: Event) -> End {
        for event in [event, Event::Decide(Decision::Reject)] {
            if let Err(end) = self.rule(event) {
                return end;
            }
        }
        End::Over(Verdict::interrupted())
    }

    /// Lets a player think about the position after its opponent's likely reply.
    pub(super) fn let_ponder(&mut self, player: Color, reply: Move) {
        let own = player.index();
        self.outgoing.clear();
        self.outgoing.push_str(&self.script);
        self.outgoing.push_str(self.before_next_move());
        self.outgoing.push_str(&to_uci(reply, self.game.position(), self.setting.chess960));
        self.outgoing.push('\n');
        self.write_go(player, None, Duration::ZERO, true);
        self.outgoing.push('\n');
        // Its opponent's time runs, so that nobody waits for one that does not read.
        let Some(client) = self.seats[own].client.as_uci() else { return };
        let sent = client.go(self.outgoing.as_bytes(), Instant::now());
        // If it cannot be told it is found out when its own clock runs.
        self.pondering[own] = if sent.is_ok() { Pondering::On(reply) } else { Pondering::No };
    }

    /// The answer of the player on move, whose clock runs since `start`. Its deadline is absolute: nothing that it says
    /// moves it; but what its opponent does wrong may bring it time.
    ///
    /// # Errors
    /// The end, if none comes in time.
    pub(super) fn await_best(&mut self, mover: Color, start: Instant) -> Result<Answer, End> {
        let by = |game: &Self| later(start, game.stood_still.saturating_add(game.budget(mover)));
        let mut deadline = by(self);
        loop {
            if let Some(answer) = self.listen_until(mover, deadline)? {
                return Ok(answer);
            }
            let now = by(self);
            if now <= deadline {
                break;
            }
            deadline = now;
        }
        let ruling = Instant::now();
        let end = self.end_by(Event::Flag);
        // The game is over; how late the answer comes tells whose fault it was. Nobody has listened while it was looked into
        // whether the opponent could mate: a time that is mostly that is only a bound.
        let deaf = ruling.elapsed();
        let _ = self.client(mover).hurry(Instant::now());
        match self.hear_until(mover, Instant::now() + AFTER_FLAG) {
            Ok(Some(Answer::Best(best, at))) => {
                let late = at.saturating_duration_since(deadline);
                let end = if late < deaf + deaf { "at the most" } else { "" };
                self.report_overrun(mover, Some((late, &best.best)), end);
            }
            Ok(_) => self.report_overrun(mover, None, ""),
            Err(LateNews::Ended(_) | LateNews::Interrupted) => {}
            // It has ended after its time was up: lost on time all the same.
            Err(LateNews::Gone(_)) => self.remark(mover, "has ended when its time was up"),
        }
        Err(end)
    }

    /// The answer, or `None` if it has not come by the deadline.
    ///
    /// # Errors
    /// The end, if none can come any more.
    fn listen_until(&mut self, mover: Color, deadline: Instant) -> Result<Option<Answer>, End> {
        self.hear_until(mover, deadline).map_err(|news| match news {
            LateNews::Ended(end) => end,
            LateNews::Interrupted => self.end_by(Event::Interrupt),
            LateNews::Gone(error) => self.fail(mover, error),
        })
    }

    /// The answer, or `None` if it has not come by the deadline.
    ///
    /// # Errors
    /// Why none can come any more.
    fn hear_until(&mut self, mover: Color, mut deadline: Instant) -> Result<Option<Answer>, LateNews> {
        loop {
            if let Some(answer) = self.attend(mover).map_err(LateNews::Ended)? {
                return Ok(Some(answer));
            }
            if let Some(error) = self.client(mover).gone() {
                return Err(LateNews::Gone(error));
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            let [white, black] = &mut self.seats;
            // The one on move first, whose clock runs.
            let (first, second) = if mover == Color::White { (white, black) } else { (black, white) };
            let mut clients = [&mut *first.client as &mut dyn Speaker, &mut *second.client];
            // At the end of a session the player on move may think on, and seals his move.
            let bell = self.setting.bell.filter(|_| !self.sealing);
            let (woken, stood_still) = listen_for_a_turn(&mut clients, bell, deadline);
            if !stood_still.is_zero() {
                deadline += stood_still;
                self.stand_still(stood_still);
            }
            match woken {
                Woken::Rung if self.adjourns() => self.sealing = true,
                Woken::Rung => return Err(LateNews::Interrupted),
                Woken::Late if Instant::now() < deadline && self.client(mover).has_ended() => {
                    let error = self.client(mover).ended();
                    return Err(LateNews::Gone(error));
                }
                Woken::Late | Woken::Ready => {}
            }
        }
    }

    /// The arbiter heard nothing for so long, as he was stopped himself: that time counts for nobody (6.10).
    fn stand_still(&mut self, time: Duration) {
        self.stood_still += time;
        let number = self.game.position().fullmove_number();
        let seconds = time.as_secs_f64();
        self.remarks
            .push(format!("{STOOD_STILL} for {seconds:.1} s, which count for nobody (move {number})"));
        if Color::ALL.into_iter().any(|player| self.game.clock(player).is_some()) {
            let article = Rule::ClockDefect.article(self.setting.regulations.edition);
            self.note(&Ruling { what: What::ClocksSet, article });
        }
    }

    /// Tells how much too late a move came, and how much of that the engine spent waiting for a processor.
    pub(super) fn report_overrun(&mut self, mover: Color, late: Option<(Duration, &str)>, end: &str) {
        let number = self.game.position().fullmove_number();
        let mut text = match late {
            Some((overrun, best)) => {
                let space = if end.is_empty() { "" } else { " " };
                format!("overruns its time by {:.3} ms with {best}{space}{end}", overrun.as_secs_f64() * 1e3)
            }
            None => format!("gives no move, not even {} ms after its time was up", AFTER_FLAG.as_millis()),
        };
        text += &format!(" (move {number})");
        let now = self.client(mover).waited_for_processor();
        let before = self.waited_before.or(self.waited_at_start[mover.index()]);
        if let (Some(now), Some(before)) = (now, before) {
            let since = if self.waited_before.is_some() { "this move" } else { "this game" };
            let waited = now.saturating_sub(before).as_secs_f64() * 1e3;
            text += &format!("; in {since} its threads waited {waited:.3} ms for a processor");
        }
        self.remark(mover, &text);
    }

    /// After the game: nobody ponders any more, and engines that can be told are told how it ended.
    pub(super) fn settle(&mut self, verdict: &Verdict) {
        let comment = verdict.to_string();
        for player in Color::ALL {
            let deadline = Instant::now() + AFTER_GAME;
            if self.client(player).gone().is_some() {
                continue;
            }
            // Who does not hear, or does not stop, is seen to be thinking still, and started anew.
            let _ = self.client(player).tell_result(verdict.result.outcome(), &comment, deadline);
            let is_pondering = matches!(self.pondering[player.index()], Pondering::On(_));
            let goes_on = verdict.reason != Reason::Interrupted && self.client(player).is_thinking();
            if is_pondering && goes_on && self.client(player).hurry(deadline).is_ok() {
                let _ = self.hear_until(player, deadline);
            }
        }
    }
}
