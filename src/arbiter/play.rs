//! One game between two engines, from the first `go` to the verdict.

use super::adjudicate::{Adjudication, Adjudicator, ScoreEnd};
use super::clock::{Clock, FlagFall, Limits};
use super::game::{Game, Reason, Verdict};
use super::pv_check;
use super::record::{GameReport, PlayedMove};
use crate::board::{Board, FenStyle, Position};
use crate::engine::process::EngineError;
use crate::engine::uci_client::{Best, UciClient};
use crate::notation::pgn::Outcome;
use crate::notation::uci_move::{UciMoveError, parse_uci, to_uci};
use crate::sys::pipes::{Bell, Woken};
use crate::types::{Color, Move};
use std::time::{Duration, Instant};

/// A player at the board.
pub struct Seat<'a> {
    /// Its engine, ready for a new game.
    pub client: &'a mut UciClient,
    /// Its time, nodes or depth.
    pub limits: Limits,
    /// It thinks on its opponent's time.
    pub ponder: bool,
}

/// What holds for the game as a whole.
pub struct Setting<'a> {
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
    /// Ends the game before its time.
    pub bell: Option<&'a Bell>,
}

/// Follows a game: the position before a move, the move, and both clocks after it, White's first.
pub type Observer<'a> = dyn FnMut(&Position, &PlayedMove, [Option<Duration>; 2]) + 'a;

/// How long an engine is waited for after its flag has fallen, to learn how late it is, before it is killed.
const AFTER_FLAG: Duration = Duration::from_secs(1);
/// How long an engine that ponders on a decided game may take to stop.
const AFTER_GAME: Duration = Duration::from_secs(1);
/// How often one looks whether an engine that says nothing is still there.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// With no more time than this for a move, an engine's waiting for processors is counted move by move.
const SHORT: Duration = Duration::from_secs(1);

/// Plays a game: `seats` are White's and Black's. An engine that still thinks at the end, or is gone, has to be started
/// anew; `UciClient::is_thinking` and `gone` tell.
pub fn play(seats: [Seat; 2], setting: &Setting, observer: &mut Observer) -> GameReport {
    let mut table = Table::new(seats, setting);
    // An opening can be over already.
    let mut end = table.game.over();
    let verdict = loop {
        if let Some(verdict) = end {
            break verdict;
        }
        end = table.play_move(observer).err();
    };
    table.settle(verdict.reason == Reason::Interrupted);
    GameReport {
        start: setting.start,
        book: setting.book.to_vec(),
        moves: table.moves,
        verdict,
        last: *table.game.position(),
        remarks: table.remarks,
        handovers: table.handovers,
    }
}

/// What an engine does on its opponent's time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pondering {
    No,
    /// It will be told to, once its opponent thinks.
    Planned(Move),
    /// It thinks about the position after this move.
    On(Move),
}

struct Table<'a> {
    seats: [Seat<'a>; 2],
    clocks: [Clock; 2],
    pondering: [Pondering; 2],
    /// How long each engine had waited for processors when the game began.
    waited_at_start: [Option<Duration>; 2],
    /// The same when its move began, if that was counted.
    waited_before: Option<Duration>,
    game: Game,
    adjudicator: Adjudicator,
    setting: &'a Setting<'a>,
    /// The `position` line with the moves so far.
    script: String,
    has_moves: bool,
    /// Room for what is sent.
    outgoing: String,
    moves: Vec<PlayedMove>,
    remarks: Vec<String>,
    handovers: Vec<Duration>,
    /// When the last `bestmove` had arrived.
    answered: Option<Instant>,
}

impl<'a> Table<'a> {
    fn new(seats: [Seat<'a>; 2], setting: &'a Setting<'a>) -> Table<'a> {
        let start = setting.start.to_fen(FenStyle::XFen);
        let is_standard = start == Board::START_FEN;
        let mut table = Table {
            clocks: [Clock::new(seats[0].limits), Clock::new(seats[1].limits)],
            waited_at_start: [seats[0].client.waited_for_processor(), seats[1].client.waited_for_processor()],
            waited_before: None,
            seats,
            pondering: [Pondering::No; 2],
            game: Game::new(setting.start),
            adjudicator: Adjudicator::new(setting.adjudication),
            setting,
            script: if is_standard { "position startpos".into() } else { format!("position fen {start}") },
            has_moves: false,
            outgoing: String::with_capacity(1024),
            moves: vec![],
            remarks: vec![],
            handovers: vec![],
            answered: None,
        };
        for &mv in setting.book {
            table.put_on_board(mv);
        }
        table
    }

    fn put_on_board(&mut self, mv: Move) {
        self.script.push_str(self.before_next_move());
        self.script.push_str(&to_uci(mv, self.game.position(), self.setting.chess960));
        self.has_moves = true;
        self.game.play(mv);
    }

    fn before_next_move(&self) -> &'static str {
        if self.has_moves { " " } else { " moves " }
    }

    fn client(&mut self, player: Color) -> &mut UciClient {
        self.seats[player.index()].client
    }

    fn remark(&mut self, player: Color, text: &str) {
        let remark = format!("{} {text}", self.client(player).name());
        self.remarks.push(remark);
    }

    /// Lets the player on move think, and makes its move.
    ///
    /// # Errors
    /// The verdict, if that ends the game.
    fn play_move(&mut self, observer: &mut Observer) -> Result<(), Verdict> {
        let mover = self.game.position().side_to_move();
        let start = self.let_think(mover)?;
        self.handovers.extend(self.answered.map(|answered| answered.elapsed()));
        if let Pondering::Planned(mv) = self.pondering[(!mover).index()] {
            self.let_ponder(!mover, mv);
        }
        let deadline = start + self.clocks[mover.index()].budget();
        let best = self.await_best(mover, deadline)?;
        let time = best.at - start;
        self.answered = Some(best.at).filter(|_| self.setting.keep_handovers);
        match self.clocks[mover.index()].charge(time) {
            Ok(Duration::ZERO) => {}
            Ok(forgiven) => self.report_overrun(mover, Some((forgiven, &best.best)), "and is forgiven"),
            Err(FlagFall { overrun }) => {
                self.report_overrun(mover, Some((overrun, &best.best)), "");
                return Err(Verdict::lost(mover, Reason::TimeForfeit));
            }
        }
        let before = *self.game.position();
        let mv = match parse_uci(&best.best, &before) {
            Ok(mv) => mv,
            Err(error) => {
                let what = match error {
                    UciMoveError::Syntax(_) => "Move does not match uci move format",
                    _ => "Illegal move",
                };
                self.remark(mover, &format!("gives no legal move: {what} {}", best.best));
                return Err(Verdict::lost(mover, Reason::IllegalMove(best.best)));
            }
        };
        let end = self.note_move(mover, mv, time);
        if let Some(played) = self.moves.last() {
            observer(&before, played, [self.clocks[0].left(), self.clocks[1].left()]);
        }
        // The rules come before the scores.
        if let Some(verdict) = self.game.over() {
            return Err(verdict);
        }
        match end {
            Some(ScoreEnd::Draw) => return Err(Verdict::drawn(Reason::Adjudication)),
            Some(ScoreEnd::TooLong) => return Err(Verdict::drawn(Reason::MaxMoves)),
            Some(ScoreEnd::Win(winner)) => return Err(Verdict::lost(!winner, Reason::Adjudication)),
            None => {}
        }
        if let (true, Some(text)) = (self.seats[mover.index()].ponder, best.ponder) {
            match parse_uci(&text, self.game.position()) {
                Ok(reply) => self.pondering[mover.index()] = Pondering::Planned(reply),
                Err(_) => self.remark(mover, &format!("wants to ponder on an illegal move: {text}")),
            }
        }
        Ok(())
    }

    /// Records a move and plays it; an end by score, if it brings one about.
    fn note_move(&mut self, mover: Color, mv: Move, time: Duration) -> Option<ScoreEnd> {
        let (info, kept) = self.client(mover).take_info();
        if !info.pv.is_empty()
            && let Some(complaint) = pv_check::complaint(
                &info,
                mv,
                self.game.position(),
                self.game.history(),
                self.setting.check_mates,
            )
        {
            let number = self.game.position().fullmove_number();
            self.remark(mover, &format!("{complaint} (move {number})"));
        }
        let number = self.game.position().fullmove_number();
        self.put_on_board(mv);
        let is_zeroing = self.game.position().halfmove_clock() == 0;
        let end = self.adjudicator.judge(mover, info.score, number.into(), is_zeroing);
        self.moves.push(PlayedMove {
            mv,
            time,
            left: self.clocks[mover.index()].left(),
            score: info.score,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            nps: info.nps,
            hashfull: info.hashfull,
            tbhits: info.tbhits,
            reported: info.time.map(Duration::from_millis),
            pv: if self.setting.keep_lines { info.pv } else { vec![] },
            kept,
        });
        end
    }

    /// Starts the clock of the player on move, and lets it know. When the clock began to run.
    ///
    /// # Errors
    /// The verdict, if the player loses already here.
    fn let_think(&mut self, mover: Color) -> Result<Instant, Verdict> {
        let own = mover.index();
        let unasked = self.client(mover).take_unasked();
        if unasked > 0 {
            self.remark(mover, &format!("gives {unasked} bestmove that nobody asked for"));
        }
        let budget = self.clocks[own].budget();
        let is_short = budget <= SHORT;
        self.waited_before = if is_short { self.client(mover).waited_for_processor() } else { None };
        let mut clock_runs_since = None;
        if let Pondering::On(expected) = std::mem::replace(&mut self.pondering[own], Pondering::No) {
            if !self.client(mover).is_thinking() {
                self.client(mover).take_best();
                self.remark(mover, "answers 'go ponder' before it is told to");
            } else {
                let start = Instant::now();
                let deadline = start + budget;
                if self.moves.last().is_some_and(|played| played.mv == expected) {
                    self.tell(mover, b"ponderhit\n", deadline)?;
                    return Ok(start);
                }
                self.tell(mover, b"stop\n", deadline)?;
                self.await_best(mover, deadline)?;
                clock_runs_since = Some(start);
            }
        }
        self.outgoing.clear();
        self.outgoing.push_str(&self.script);
        self.outgoing.push('\n');
        let (clock, other) = (&self.clocks[own], &self.clocks[1 - own]);
        Clock::go(clock, other, mover == Color::White, false, &mut self.outgoing);
        self.outgoing.push('\n');
        let sent = self.seats[own].client.go(self.outgoing.as_bytes(), Instant::now() + budget);
        let start = sent.map_err(|error| failure(mover, error))?;
        Ok(clock_runs_since.unwrap_or(start))
    }

    fn tell(&mut self, player: Color, text: &[u8], deadline: Instant) -> Result<(), Verdict> {
        self.client(player).send(text, deadline).map_err(|error| failure(player, error))
    }

    /// Lets a player think about the position after its opponent's likely reply.
    fn let_ponder(&mut self, player: Color, reply: Move) {
        let own = player.index();
        self.outgoing.clear();
        self.outgoing.push_str(&self.script);
        self.outgoing.push_str(self.before_next_move());
        self.outgoing.push_str(&to_uci(reply, self.game.position(), self.setting.chess960));
        self.outgoing.push('\n');
        let (clock, other) = (&self.clocks[own], &self.clocks[1 - own]);
        Clock::go(clock, other, player == Color::White, true, &mut self.outgoing);
        self.outgoing.push('\n');
        // Its opponent's time runs, so that nobody waits for one that does not read.
        let sent = self.seats[own].client.go(self.outgoing.as_bytes(), Instant::now());
        // If it cannot be told it is found out when its own clock runs.
        self.pondering[own] = if sent.is_ok() { Pondering::On(reply) } else { Pondering::No };
    }

    /// The answer of the player on move. Its deadline is absolute: nothing that it says moves it.
    ///
    /// # Errors
    /// The verdict, if none comes in time.
    fn await_best(&mut self, mover: Color, deadline: Instant) -> Result<Best, Verdict> {
        if let Some(best) = self.listen_until(mover, deadline)? {
            return Ok(best);
        }
        // The game is lost already; how late the answer comes tells whose fault it was.
        let _ = self.tell(mover, b"stop\n", Instant::now());
        match self.listen_until(mover, Instant::now() + AFTER_FLAG) {
            Ok(best) => {
                let late =
                    best.as_ref().map(|best| (best.at.saturating_duration_since(deadline), &*best.best));
                self.report_overrun(mover, late, "");
            }
            Err(verdict) if verdict.reason == Reason::Interrupted => return Err(verdict),
            // It has ended after its time was up: lost on time all the same.
            Err(_) => self.remark(mover, "has ended when its time was up"),
        }
        Err(Verdict::lost(mover, Reason::TimeForfeit))
    }

    /// The answer, or `None` if it has not come by the deadline.
    ///
    /// # Errors
    /// The verdict, if none can come any more.
    fn listen_until(&mut self, mover: Color, deadline: Instant) -> Result<Option<Best>, Verdict> {
        loop {
            if let Some(best) = self.client(mover).take_best() {
                return Ok(Some(best));
            }
            if let Some(error) = self.client(mover).gone() {
                return Err(failure(mover, error));
            }
            let now = Instant::now();
            if now >= deadline {
                return Ok(None);
            }
            // A pipe tells that an engine has ended, unless a child of its own holds it open: so one looks now and then.
            let turn = deadline.min(now + LOOK_AGAIN);
            let [white, black] = &mut self.seats;
            // The one on move first, whose clock runs.
            let (first, second) = if mover == Color::White { (white, black) } else { (black, white) };
            let mut clients = [&mut *first.client, &mut *second.client];
            match UciClient::listen(&mut clients, self.setting.bell, turn) {
                Woken::Rung => {
                    return Err(Verdict { outcome: Outcome::Unfinished, reason: Reason::Interrupted });
                }
                Woken::Late if turn < deadline && self.client(mover).has_ended() => {
                    let error = self.client(mover).ended();
                    return Err(failure(mover, error));
                }
                Woken::Late | Woken::Ready => {}
            }
        }
    }

    /// Tells how much too late a move came, and how much of that the engine spent waiting for a processor.
    fn report_overrun(&mut self, mover: Color, late: Option<(Duration, &str)>, end: &str) {
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

    /// After the game: nobody ponders any more.
    fn settle(&mut self, interrupted: bool) {
        for player in [Color::White, Color::Black] {
            let is_pondering = matches!(self.pondering[player.index()], Pondering::On(_));
            if is_pondering && !interrupted && self.client(player).is_thinking() {
                let deadline = Instant::now() + AFTER_GAME;
                if self.tell(player, b"stop\n", deadline).is_ok() {
                    // Who does not stop is seen to be thinking still, and started anew.
                    let _ = self.listen_until(player, deadline);
                }
            }
        }
    }
}

/// The verdict about an engine that cannot be spoken to.
fn failure(player: Color, error: EngineError) -> Verdict {
    match error {
        EngineError::Silent(_) => Verdict::lost(player, Reason::TimeForfeit),
        EngineError::Interrupted => Verdict { outcome: Outcome::Unfinished, reason: Reason::Interrupted },
        other => Verdict::lost(player, Reason::Disconnected(other.to_string())),
    }
}
