//! One game between two engines, from the first `go` to the verdict: what engines say becomes events of the Laws, and what
//! the Laws rule is carried out.

use super::absence::opened;
use super::adjudicate::{Adjudication, Adjudicator, ScoreEnd};
use super::clock::Limits;
use super::hear::Answer;
use super::judge::Officials;
use super::proxy::{Finish, Proxy, Speaker};
use super::pv_check;
use super::record::{Adjourned, FORGIVEN, GameReport, PlayedMove, SealedMove};
use crate::board::{FenStyle, Position};
use crate::engine::client::{Client, Misread};
use crate::engine::connection::Speaker as _;
use crate::engine::info::{Info, Score};
use crate::engine::said::Best;
use crate::laws::event::{Adjudicated, Decision, Envelope, Fault, Request};
use crate::laws::{Clock, Event, Game, Period, Regulations, Ruling, Verdict, What};
use crate::notation::uci_move::{parse_uci, to_uci};
use crate::sys::pipes::Bell;
use crate::types::{Color, Move, Outcome};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A player at the board.
#[derive(Debug)]
pub struct Seat<'a> {
    /// Its engine, ready for a new game.
    pub client: &'a mut Client,
    /// Its time, nodes or depth.
    pub limits: &'a Limits,
    /// It thinks on its opponent's time.
    pub ponder: bool,
    /// What is said in its name.
    pub proxy: Proxy,
}

/// What holds for the game as a whole.
#[derive(Debug)]
pub struct Setting<'a> {
    /// The Laws, and what the organiser has made of them.
    pub regulations: Regulations,
    /// Where it begins.
    pub start: Position,
    /// Moves of the opening, which nobody thinks about.
    pub book: &'a [Move],
    /// Castling is written king takes rook.
    pub chess960: bool,
    /// Ends by score.
    pub adjudication: Adjudication,
    /// Keep the lines that engines saw.
    pub keep_lines: bool,
    /// Complain of mate scores whose lines do not end in that mate.
    pub check_mates: bool,
    /// Keep how long each `go` took to leave.
    pub keep_handovers: bool,
    /// Ends the session.
    pub bell: Option<&'a Bell>,
    /// At the end of the session the game is adjourned if this says so; else it is broken off.
    pub adjourns: Option<&'a AtomicBool>,
    /// The game goes on that was adjourned so.
    pub resumed: Option<&'a Adjourned>,
}

/// Follows a game: the position before a move, the move, and both clocks after it, White's first.
pub type Observer<'a> = dyn FnMut(&Position, &PlayedMove, [Option<Duration>; 2]) + 'a;

/// Plays a game: `seats` are White's and Black's. An engine that still thinks at the end, or is gone, has to be started
/// anew; `Client::must_restart` and `gone` tell.
pub fn play<'a>(
    seats: [Seat<'a>; 2],
    setting: &'a Setting<'a>,
    officials: Officials<'a>,
    observer: &mut Observer,
) -> GameReport {
    let mut table = Table::new(seats, setting, officials);
    let mut end = table.begin(observer).err();
    let end = loop {
        if let Some(end) = end {
            break end;
        }
        end = table.play_move(observer).err();
    };
    let (verdict, adjourned) = match end {
        End::Over(verdict) => (verdict, None),
        End::Sealed(sealed) => (Verdict::interrupted(), Some(*sealed)),
    };
    table.settle(&verdict);
    let adjourned = adjourned.map(|sealed| Adjourned {
        moves: table.moves.clone(),
        remarks: table.remarks.clone(),
        rulings: table.notes.clone(),
        snapshot: table.game.snapshot(),
        sealed,
    });
    GameReport {
        start: setting.start,
        book: setting.book.to_vec(),
        moves: table.moves,
        verdict,
        rulings: table.notes,
        last: *table.game.position(),
        remarks: table.remarks,
        handovers: table.handovers,
        adjourned,
    }
}

/// What an engine does on its opponent's time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pondering {
    No,
    /// It will be told to, once its opponent thinks.
    Planned(Move),
    /// It thinks about the position after this move.
    On(Move),
}

/// Why no further move is played.
pub(super) enum End {
    /// The game is over, or broken off.
    Over(Verdict),
    /// The session is over, and this move is sealed.
    Sealed(Box<SealedMove>),
}

pub(super) struct Table<'a> {
    pub(super) seats: [Seat<'a>; 2],
    pub(super) speakers: [Speaker; 2],
    pub(super) pondering: [Pondering; 2],
    /// The player on move began to think on the opponent's time, or may have.
    pub(super) has_pondered: bool,
    /// How long each engine had waited for processors when the game began.
    pub(super) waited_at_start: [Option<Duration>; 2],
    /// The same when its move began, if that was counted.
    pub(super) waited_before: Option<Duration>,
    pub(super) game: Game,
    pub(super) officials: Officials<'a>,
    adjudicator: Adjudicator,
    pub(super) setting: &'a Setting<'a>,
    /// The session is over: the move that is thought about will be sealed.
    pub(super) sealing: bool,
    /// When the clock of the player on move began to run.
    pub(super) started: Instant,
    /// When the player on move was first asked for a move, after so many of the game.
    pub(super) turn_began: Option<(usize, Instant)>,
    /// What the move that is thought about had taken before: until a claim or an illegal move.
    pub(super) spent: Duration,
    /// It goes on although the player is asked again.
    pub(super) keeps_start: bool,
    /// How long the arbiter himself was stopped since then.
    pub(super) stood_still: Duration,
    /// The player on move has offered a draw with its move, or, if that is illegal, with the next one (9.1.2.1).
    pub(super) offers_with_move: bool,
    /// How often each engine has refused what it was sent.
    pub(super) refusals: [u32; 2],
    /// How often each engine has claimed the end of the game, and offered a draw.
    pub(super) claims: [u32; 2],
    pub(super) heard_offers: [u32; 2],
    /// The period that each engine knows of, and the number of moves that it was told for it; none of a game that goes on.
    pub(super) periods: [(Option<Period>, Option<u32>); 2],
    /// The `position` line with the moves so far.
    pub(super) script: String,
    has_moves: bool,
    /// Room for what is sent.
    pub(super) outgoing: String,
    pub(super) moves: Vec<PlayedMove>,
    /// Rulings since the last move.
    notes: Vec<String>,
    pub(super) remarks: Vec<String>,
    handovers: Vec<Duration>,
    /// When the last `bestmove` had arrived.
    answered: Option<Instant>,
}

impl<'a> Table<'a> {
    fn new(seats: [Seat<'a>; 2], setting: &'a Setting<'a>, officials: Officials<'a>) -> Table<'a> {
        let is_standard = setting.start.board() == Position::default().board();
        // In Chess960 as Cute Chess and fastchess send it: Glaurung 2.2, for one, looks for the rooks of X-FEN's K and Q in
        // the corners.
        let style = if setting.chess960 { FenStyle::Shredder } else { FenStyle::XFen };
        let rules = setting.regulations.clock_rules();
        let clocks = [seats[0].limits.start_clock(rules), seats[1].limits.start_clock(rules)];
        let mut table = Table {
            game: Game::new(setting.regulations.clone(), setting.start, clocks.clone()),
            speakers: [Speaker::new(seats[0].proxy), Speaker::new(seats[1].proxy)],
            waited_at_start: [seats[0].client.waited_for_processor(), seats[1].client.waited_for_processor()],
            waited_before: None,
            seats,
            pondering: [Pondering::No; 2],
            has_pondered: false,
            officials,
            adjudicator: Adjudicator::new(setting.adjudication),
            setting,
            sealing: false,
            started: Instant::now(),
            turn_began: None,
            spent: Duration::ZERO,
            keeps_start: false,
            stood_still: Duration::ZERO,
            offers_with_move: false,
            refusals: [0; 2],
            claims: [0; 2],
            heard_offers: [0; 2],
            periods: clocks.each_ref().map(|clock| {
                let known = clock.as_ref().filter(|_| setting.resumed.is_none());
                known.map_or((None, None), |clock| (clock.period(), clock.moves_to_go()))
            }),
            script: match is_standard {
                true => "position startpos".into(),
                false => format!("position fen {}", setting.start.to_fen(style)),
            },
            has_moves: false,
            outgoing: String::with_capacity(1024),
            moves: vec![],
            notes: vec![],
            remarks: vec![],
            handovers: vec![],
            answered: None,
        };
        let mut position = setting.start;
        for &mv in setting.book {
            table.add_to_script(mv, &position);
            position = position.after(mv);
        }
        if let Some(adjourned) = setting.resumed {
            table.go_on_from(adjourned, position, clocks);
        }
        table
    }

    /// Takes up an adjourned game before the sealed move.
    fn go_on_from(&mut self, adjourned: &Adjourned, first: Position, clocks: [Option<Clock>; 2]) {
        let mut position = first;
        let mut all = self.setting.book.to_vec();
        for played in &adjourned.moves {
            let mover = position.side_to_move();
            self.add_to_script(played.mv, &position);
            all.push(played.mv);
            self.speakers[mover.index()].hear(played.score);
            let number = u32::from(position.fullmove_number());
            position = position.after(played.mv);
            // It ended nothing then, and ends nothing now.
            self.adjudicator.judge(mover, played.score, number, position.halfmove_clock() == 0);
        }
        let regulations = self.setting.regulations.clone();
        self.game = Game::restore(regulations, self.setting.start, clocks, &all, &adjourned.snapshot);
        self.moves = adjourned.moves.clone();
        self.remarks = adjourned.remarks.clone();
    }

    /// Sees whether the opening is over already, or opens the envelope.
    fn begin(&mut self, observer: &mut Observer) -> Result<(), End> {
        let Some(adjourned) = self.setting.resumed else {
            let rulings = self.game.begin(self.setting.book, self.officials.prover);
            let begun = self.carry_out(rulings);
            if let Err(End::Over(verdict)) = &begun {
                self.remarks.push(format!("nobody has moved, the opening ends the game: {verdict}"));
            }
            return begun;
        };
        let before = *self.game.position();
        let sealer = before.side_to_move();
        let envelope = opened(adjourned.sealed.text.as_deref(), &before);
        let sealed_move = match envelope {
            Envelope::Move(mv) => Some(mv),
            Envelope::Bad(_) | Envelope::Lost => None,
        };
        let rulings = self.game.apply(
            Event::Resume { envelope, absent: [false; 2], waited: Duration::ZERO },
            self.officials.prover,
        );
        if let Some(mv) = sealed_move {
            self.add_to_script(mv, &before);
            let sealed = &adjourned.sealed;
            let (left, notes) = (self.game.clock(sealer).map(Clock::left), adjourned.rulings.clone());
            self.moves.push(PlayedMove { left, rulings: notes, ..sealed.made(mv) });
            self.remarks.extend(sealed.remarks.iter().cloned());
            self.speakers[sealer.index()].hear(sealed.score);
            self.tell_observer(&before, observer);
            self.carry_out(rulings)?;
            self.pass_on_standing_offer();
            return self.adjudicate(sealer, sealed.score, u32::from(before.fullmove_number()));
        }
        self.notes = adjourned.rulings.clone();
        self.carry_out(rulings)?;
        self.pass_on_standing_offer();
        Ok(())
    }

    /// Tells of an offer that was made before the adjournment: the process that heard it has ended.
    fn pass_on_standing_offer(&mut self) {
        if let Some(by) = self.game.standing_offer() {
            self.pass_on_offer(by);
        }
    }

    /// Tells what the Laws hand to an event, and carries it out.
    ///
    /// # Errors
    /// The end, if they bring it about.
    pub(super) fn rule(&mut self, event: Event) -> Result<(), End> {
        let rulings = self.game.apply(event, self.officials.prover);
        self.carry_out(rulings)
    }

    pub(super) fn carry_out(&mut self, rulings: Vec<Ruling>) -> Result<(), End> {
        for ruling in rulings {
            match &ruling.what {
                What::Over(verdict) => return Err(End::Over(verdict.clone())),
                What::Stands(..) | What::Declined(_) | What::Continues | What::NoEffect(_) => {}
                What::Offered(by) => {
                    self.write_offer(*by);
                    self.pass_on_offer(*by);
                }
                What::DecisionDue(by) => {
                    self.note(&ruling);
                    self.decide(*by)?;
                }
                _ => self.note(&ruling),
            }
        }
        Ok(())
    }

    /// Writes a ruling down with the move that comes.
    pub(super) fn note(&mut self, ruling: &Ruling) {
        self.notes.push(ruling.to_string());
    }

    /// Writes an offer down with the move of the player who makes it (8.1.d), which may have been made already.
    fn write_offer(&mut self, by: Color) {
        let sign = crate::notation::comment::DRAW_OFFER.to_string();
        if by == self.game.position().side_to_move() {
            self.notes.push(sign);
        } else if let Some(last) = self.moves.last_mut() {
            last.rulings.push(sign);
        } else {
            // Nobody has moved yet but the opening.
            self.notes.push(What::Offered(by).to_string());
        }
    }

    /// What a player has asked for in a quickplay finish is decided while both clocks stand still.
    fn decide(&mut self, by: Color) -> Result<(), End> {
        let decision = match self.speakers[by.index()].finish() {
            Some(Finish { request: Request::Bonus, .. }) => Decision::Agree("granted".into()),
            _ => {
                let flag = self.game.flag_to_decide_on();
                let (by, position) = (flag.unwrap_or(by), self.game.position());
                let (decision, problem) = self.officials.decide(by, position, &self.script, flag.is_some());
                self.remarks.extend(problem);
                decision
            }
        };
        self.rule(Event::Decide(decision))
    }

    fn add_to_script(&mut self, mv: Move, position: &Position) {
        self.script.push_str(self.before_next_move());
        self.script.push_str(&to_uci(mv, position, self.setting.chess960));
        self.has_moves = true;
    }

    pub(super) fn before_next_move(&self) -> &'static str {
        if self.has_moves { " " } else { " moves " }
    }

    pub(super) fn client(&mut self, player: Color) -> &mut Client {
        self.seats[player.index()].client
    }

    pub(super) fn remark(&mut self, player: Color, text: &str) {
        let remark = format!("{} {text}", self.client(player).name());
        self.remarks.push(remark);
    }

    /// True if the end of the session does not end the game. One that has not begun is none to adjourn.
    pub(super) fn adjourns(&self) -> bool {
        !self.moves.is_empty()
            && self.setting.adjourns.is_some_and(|adjourns| adjourns.load(Ordering::SeqCst))
    }

    /// Lets the player on move think, and makes its move.
    ///
    /// # Errors
    /// The end, if that ends the game.
    fn play_move(&mut self, observer: &mut Observer) -> Result<(), End> {
        let mover = self.game.position().side_to_move();
        if self.speakers[mover.index()].claims() && self.game.claim_holds(None) {
            self.claim(mover, None, Duration::ZERO)?;
        }
        let may_ask = self.game.may_ask_in_quickplay(mover) && !self.game.has_asked_in_quickplay(mover);
        if let (true, Some(finish)) = (may_ask, self.speakers[mover.index()].finish()) {
            self.rule(Event::Quickplay(mover, finish.request))?;
        }
        if !self.keeps_start {
            self.stood_still = Duration::ZERO;
        }
        let start = self.let_think(mover)?;
        self.started = start;
        self.handovers.extend(self.answered.take().map(|answered| answered.elapsed()));
        if let Pondering::Planned(mv) = self.pondering[(!mover).index()] {
            self.let_ponder(!mover, mv);
        }
        let Answer::Best(best, at) = self.await_best(mover, start)? else { return Ok(()) };
        let time = self.thinking_time(at);
        // Its opponent may have brought it more time.
        let budget = self.budget(mover);
        self.answered = Some(at).filter(|_| self.setting.keep_handovers);
        if time >= budget {
            self.report_overrun(mover, Some((time - budget, &best.best)), "");
            return Err(self.end_by(Event::Flag));
        }
        let within = budget - self.seats[mover.index()].limits.margin;
        if time > within {
            self.report_overrun(mover, Some((time - within, &best.best)), FORGIVEN);
        }
        if self.sealing {
            return self.seal(mover, best, time);
        }
        let before = *self.game.position();
        match self.client(mover).parse_move(&best.best, &before) {
            Ok(mv) => self.make_move(mover, mv, time, &best, observer),
            Err(misread) => self.judge_fault(mover, &best.best, misread, &before, time, observer),
        }
    }

    /// A legal move, and what the player or its proxy says with it.
    fn make_move(
        &mut self,
        mover: Color,
        mv: Move,
        time: Duration,
        best: &Best,
        observer: &mut Observer,
    ) -> Result<(), End> {
        let own = mover.index();
        let played = to_uci(mv, self.game.position(), self.setting.chess960);
        let (info, kept) = self.client(mover).take_info(&played);
        self.check_line(mover, mv, &info);
        self.speakers[own].hear(info.score);
        self.speak(mover, mv, time)?;
        let before = *self.game.position();
        let thought = self.thought(mover, time);
        let rulings = self.game.apply(Event::Move { mv, time }, self.officials.prover);
        self.record(mover, &before, thought, (info, kept), rulings, observer)?;
        if let (true, Some(text)) = (self.seats[own].ponder, &best.ponder) {
            match parse_uci(text, self.game.position()) {
                Ok(reply) => self.pondering[own] = Pondering::Planned(reply),
                Err(_) => self.remark(mover, &format!("wants to ponder on an illegal move: {text}")),
            }
        }
        Ok(())
    }

    /// Writes a move down if it stands, and carries out what was ruled on it.
    fn record(
        &mut self,
        mover: Color,
        before: &Position,
        time: Duration,
        (info, kept): (Info, Vec<String>),
        mut rulings: Vec<Ruling>,
        observer: &mut Observer,
    ) -> Result<(), End> {
        let stands = |ruling: &Ruling| match ruling.what {
            What::Stands(mv) => Some(mv),
            _ => None,
        };
        let place = rulings.iter().position(|ruling| stands(ruling).is_some()).unwrap_or(rulings.len());
        let then = rulings.split_off(place);
        self.carry_out(rulings)?;
        let Some(mv) = then.first().and_then(stands) else { return Ok(()) };
        self.spent = Duration::ZERO;
        self.add_to_script(mv, before);
        let (left, score) = (self.game.clock(mover).map(Clock::left), info.score);
        let rulings = std::mem::take(&mut self.notes);
        let info = self.as_kept(info);
        self.moves.push(PlayedMove { left, rulings, ..PlayedMove::said(mv, time, info, kept) });
        self.tell_observer(before, observer);
        // The rules come before the scores.
        self.carry_out(then)?;
        self.adjudicate(mover, score, u32::from(before.fullmove_number()))
    }

    /// Of what an engine said the part that is kept.
    fn as_kept(&self, info: Info) -> Info {
        let pv = if self.setting.keep_lines { info.pv } else { vec![] };
        Info { time: info.time.filter(|_| !self.has_pondered), pv, ..info }
    }

    fn tell_observer(&mut self, before: &Position, observer: &mut Observer) {
        let left = Color::ALL.map(|player| self.game.clock(player).map(Clock::left));
        if let Some(played) = self.moves.last() {
            observer(before, played, left);
        }
    }

    fn check_line(&mut self, mover: Color, mv: Move, info: &Info) {
        if info.pv.is_empty() {
            return;
        }
        let (position, history) = (self.game.position(), self.game.history());
        let edition = self.setting.regulations.edition;
        let whole_mates = self.setting.check_mates;
        if let Some(complaint) = pv_check::complaint(info, mv, position, history, edition, whole_mates) {
            let number = position.fullmove_number();
            self.remark(mover, &format!("{complaint} (move {number})"));
        }
    }

    fn adjudicate(&mut self, mover: Color, score: Option<Score>, number: u32) -> Result<(), End> {
        let is_zeroing = self.game.position().halfmove_clock() == 0;
        let (outcome, how) = match self.adjudicator.judge(mover, score, number, is_zeroing) {
            None => match self.told_by_tables() {
                Some(outcome) => (outcome, Adjudicated::Tables),
                None => return Ok(()),
            },
            Some(ScoreEnd::Draw) => (Outcome::Draw, Adjudicated::Score),
            Some(ScoreEnd::TooLong) => (Outcome::Draw, Adjudicated::MaxMoves),
            Some(ScoreEnd::Win(winner)) => (Outcome::Win(winner), Adjudicated::Score),
        };
        self.rule(Event::Adjudicate(outcome, how))
    }

    fn told_by_tables(&self) -> Option<Outcome> {
        let rule = self.setting.adjudication.tables?;
        let position = self.game.position();
        let ending = self.officials.tables.filter(|_| rule.applies(position))?.ending(position)?;
        rule.outcome(position, ending)
    }

    /// What was given as a move is none.
    fn judge_fault(
        &mut self,
        mover: Color,
        text: &str,
        misread: Misread,
        before: &Position,
        time: Duration,
        observer: &mut Observer,
    ) -> Result<(), End> {
        let what = match misread {
            Misread::Illegal => "Illegal move",
            Misread::NoMove if text == "0000" => "Illegal move",
            _ => "Move does not match uci move format",
        };
        self.remark(mover, &format!("gives no legal move: {what} {text}"));
        let as_queen = [format!("{text}q"), format!("{text}=Q")];
        let queen = as_queen.iter().find_map(|text| self.client(mover).parse_move(text, before).ok());
        let queen = queen.filter(|mv| mv.promoted().is_some());
        let fault = match (misread, queen) {
            (Misread::Illegal, Some(mv)) => Fault::PromotionMissing { from: mv.from(), to: mv.to() },
            (Misread::NoMove, _) => Fault::NoMove(text.to_string()),
            _ => Fault::Illegal(text.to_string()),
        };
        let mut said = self.client(mover).take_info(text);
        if !matches!(fault, Fault::PromotionMissing { .. }) {
            // What it said was about a move that it has not made.
            said = (Info::default(), vec![]);
        }
        let thought = self.thought(mover, time);
        let rulings = self.game.apply(Event::Irregular { fault, time }, self.officials.prover);
        // It has made that move on a board of its own.
        self.client(mover).take_back();
        let score = said.0.score;
        let plies = self.moves.len();
        let done = self.record(mover, before, thought, said, rulings, observer);
        if self.moves.len() > plies {
            self.speakers[mover.index()].hear(score);
            return done.and_then(|()| self.offer_with_move(mover));
        }
        let is_lost = !self.setting.regulations.restore_clock;
        self.spent = if is_lost { self.spent + time } else { Duration::ZERO };
        done
    }

    /// The session is over: the move is sealed as it was given, and looked at when the envelope is opened.
    fn seal(&mut self, mover: Color, best: Best, time: Duration) -> Result<(), End> {
        let (position, known, chess960) = (*self.game.position(), self.remarks.len(), self.setting.chess960);
        let mv = self.client(mover).parse_move(&best.best, &position).ok();
        // Written so that it can be read whatever the engine speaks, if it can be read at all.
        let text = |chess960| mv.map_or(best.best.clone(), |mv| to_uci(mv, &position, chess960));
        let (info, kept) = self.client(mover).take_info(&text(chess960));
        self.speakers[mover.index()].hear(info.score);
        if let Some(mv) = mv {
            self.check_line(mover, mv, &info);
            self.speak_of_end(mover, mv, time)?;
        }
        let spoken = known..self.remarks.len();
        let thought = self.thought(mover, time);
        self.rule(Event::Seal { time })?;
        self.offer_with_move(mover)?;
        let remarks = self.remarks.drain(spoken).collect();
        let (text, score, depth, info) = (Some(text(true)), info.score, info.depth, self.as_kept(info));
        let said = mv.map(|mv| PlayedMove::said(mv, thought, info, kept));
        Err(End::Sealed(Box::new(SealedMove { text, time: thought, score, depth, said, remarks })))
    }
}
