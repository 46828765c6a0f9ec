//! The client: start, games, moves.

mod hear_out;

use super::level::Level;
use super::moves::{parse_move, write_move};
use super::settings::Settings;
use super::setup::{can_be_edited, first_to_be_told, is_standard, write_edit};
use super::talk::Talk;
use crate::board::{FenStyle, Position};
use crate::engine::config::EngineConfig;
use crate::engine::connection::{self, Connection, Speaker, Surroundings, catch_up};
use crate::engine::info::Info;
use crate::engine::process::EngineError;
use crate::engine::said::Said;
use crate::sys::pipes::Woken;
use crate::types::{Color, Move, Outcome};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// So long one waits for the first `feature`. Section 9 of the protocol text says two seconds; GNU Chess needs more on a
/// busy machine now and then, and without its features loses the game that follows.
const FEATURE_WAIT: Duration = Duration::from_secs(5);
/// After so long without any it is asked for again.
const ASK_AGAIN: Duration = Duration::from_millis(300);

/// So many moves are told one by one. Longer games are set up where a pawn or a capture has last made all positions before
/// unrepeatable: GNU Chess 6.2.7 overruns a buffer of its own by more than 4,096 bytes at once.
const TOLD_MOVES: usize = 100;

/// An engine that speaks xboard's protocol.
///
/// A game goes so: `new_game`; then for each of its moves `think`, listening until `take_said` gives the move; between
/// them whatever there is to tell; in the end `tell_result`.
pub struct CecpClient {
    connection: Connection,
    talk: Talk,
    /// `memory` and `cores`, to be sent before each game.
    means: String,
    pings: u64,
    game: Game,
    /// Room for what is sent.
    outgoing: String,
}

/// The game, as far as the engine knows it.
#[derive(Default)]
struct Game {
    start: Position,
    chess960: bool,
    ponder: bool,
    opponent: String,
    level: Level,
    /// The level has changed and has not been told yet.
    level_is_new: bool,
    /// Where its moves are counted from, in plies of the game.
    level_from: usize,
    /// Where the period ends of which only the rest was told, in plies of the game.
    period_ends: Option<usize>,
    /// It does not know `st` or `sd`, and has been told in the old way.
    old_level_is_told: bool,
    /// The moves on its board, and where they lead.
    moves: Vec<Move>,
    position: Position,
    /// Where it thinks, or thought last.
    thought_about: Position,
    /// It plays neither side.
    forced: bool,
    /// Its board may be another than ours, or it may hold the game to be over.
    in_doubt: bool,
}

impl CecpClient {
    /// Starts an engine, hears its features, sets its options and waits until it is ready. One that has said nothing of
    /// features after five seconds is taken to speak version 1 until it does.
    ///
    /// # Errors
    /// If it cannot be started, ends, does not get ready in time, or does not play what its options say.
    pub fn start(config: &EngineConfig, surroundings: &Surroundings) -> Result<CecpClient, EngineError> {
        let mut client = CecpClient {
            connection: Connection::start(config, surroundings)?,
            talk: Talk::keeping(surroundings.kept_lines.clone()),
            means: String::new(),
            pings: 0,
            game: Game::default(),
            outgoing: String::new(),
        };
        let begin = Instant::now();
        let deadline = surroundings.until(surroundings.startup_time);
        client.send(b"xboard\nprotover 2\n", deadline)?;
        client.await_features(begin, deadline)?;
        client.connection.program = client.talk.features.myname.clone();
        if client.connection.name.is_empty() {
            client.connection.name = client.talk.features.myname.clone();
        }
        if !client.talk.features.any {
            let what = "names no feature of xboard's protocol, and is taken to speak its version 1: does it speak UCI?";
            client.connection.refusals.push(what.to_string());
        }
        // A match says so before its first game.
        client.must_play(config.option("UCI_Chess960") == Some("true"))?;
        let settings = Settings::of(&config.options, &client.talk.features);
        client.connection.refusals.extend(settings.refusals);
        client.means = format!("{}{}", settings.memory, settings.cores);
        let lines = [settings.memory, settings.options, settings.cores].concat();
        client.ask_ready(&lines, surroundings.ready_time)?;
        if !client.talk.features.ping && !lines.is_empty() {
            client.listen_a_while()?;
        }
        let complaints = client.talk.take_complaints();
        client.connection.refusals.extend(complaints.into_iter().map(|text| format!("says: {text}")));
        Ok(client)
    }

    /// Waits for `done=1`, or five seconds; `done=0` means as long as any engine may take. Until a feature comes the
    /// engine is asked again and again: GNU Chess 6 loses lines that come while it starts.
    fn await_features(&mut self, mut begin: Instant, mut deadline: Instant) -> Result<(), EngineError> {
        let bell = self.connection.surroundings.bell.clone();
        let mut next_question = begin + ASK_AGAIN;
        loop {
            let features = &self.talk.features;
            let end = match features.done {
                Some(true) => return Ok(()),
                Some(false) => deadline,
                None => deadline.min(begin + FEATURE_WAIT),
            };
            // Looked at each time, not only when nothing comes: one that floods is late too.
            let now = Instant::now();
            if now >= end {
                return match features.done {
                    Some(false) => Err(EngineError::Silent("feature done=1")),
                    _ => Ok(()),
                };
            }
            let asks = !features.any;
            if asks && now >= next_question {
                next_question = now + ASK_AGAIN;
                self.send(b"protover 2\n", deadline)?;
            }
            let turn = if asks { end.min(next_question) } else { end };
            let (woken, stood_still) = connection::listen_a_while(self, bell.as_ref(), turn)?;
            if woken == Woken::Rung {
                return Err(EngineError::Interrupted);
            }
            begin += stood_still;
            deadline += stood_still;
            let replies = std::mem::take(&mut self.talk.replies);
            if !replies.is_empty() {
                self.send(replies.as_bytes(), deadline)?;
            }
            if let Some(error) = self.gone() {
                return Err(error);
            }
        }
    }

    /// True if another game needs another process: it says so (`reuse=0`), or may still think about the last one.
    pub fn must_restart(&self) -> bool {
        !self.talk.features.reuse || self.talk.thinking
    }

    /// Refuses an engine for games that it does not play.
    ///
    /// # Errors
    /// If it says that it does not play chess, or Chess960.
    fn must_play(&self, chess960: bool) -> Result<(), EngineError> {
        let features = &self.talk.features;
        if chess960 && !(features.plays("fischerandom") && features.setboard) {
            return Err(EngineError::no_chess960(NO_FISCHERANDOM));
        }
        if !chess960 && !features.plays("normal") {
            return Err(EngineError::Unable(
                "does not play chess: 'normal' is none of its variants".to_string(),
            ));
        }
        Ok(())
    }

    /// True if it can be told of a game that begins anywhere.
    pub fn takes_any_position(&self) -> bool {
        self.talk.features.setboard
    }

    /// Whether it can be told of a game that begins here.
    ///
    /// # Errors
    /// If it cannot.
    pub fn can_begin_at(&self, start: &Position) -> Result<(), EngineError> {
        if self.takes_any_position() { Ok(()) } else { can_be_edited(start) }
    }

    /// Another game begins, from `start` and with `moves` made already. The engine is ready afterwards, if it can say so
    /// (`ping`), and has said all that it had to say before. `opponent` is whom it is told to play.
    ///
    /// # Errors
    /// If the engine is gone or does not get ready, or cannot play this: chess, Chess960, or a position that it cannot be told.
    pub fn new_game(
        &mut self,
        start: &Position,
        moves: &[Move],
        chess960: bool,
        level: &Level,
        ponder: bool,
        opponent: &str,
    ) -> Result<(), EngineError> {
        self.must_play(chess960)?;
        let opponent =
            opponent.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let level = *level;
        let level_from = moves.len();
        self.game = Game { start: *start, chess960, ponder, opponent, level, level_from, ..Game::default() };
        self.talk.end();
        if self.talk.color.is_some() {
            self.hear_out()?;
        }
        self.talk.begin();
        let mut text = std::mem::take(&mut self.talk.replies);
        text += &self.means;
        text += &self.introduction(moves.is_empty());
        self.write_position(moves, false, &mut text)?;
        if !moves.is_empty() {
            // Before them they would count among its moves.
            self.write_level(moves.len(), None, &mut text);
        }
        // What it claims before it is ready is of the game before.
        self.talk.stale_until = self.talk.features.ping.then_some(self.pings + 1);
        self.ask_ready(&text, self.connection.surroundings.new_game_time)?;
        if chess960 && self.talk.unknown.iter().any(|known| known == "variant") {
            return Err(EngineError::no_chess960(NO_FISCHERANDOM));
        }
        // Some repeat the moves of the opening.
        self.talk.unasked = 0;
        self.connection.count_threads();
        Ok(())
    }

    /// What each game begins with, the level too if nothing has been played before it.
    fn introduction(&mut self, with_level: bool) -> String {
        let (features, game) = (&self.talk.features, &mut self.game);
        let mut text = "new\n".to_string();
        if game.chess960 {
            text += "variant fischerandom\n";
        }
        if features.ics {
            text += "ics -\n";
        }
        // Who does not want to know who the opponent is need not know that word: Fairy-Max 5.0b dies of it at times.
        if features.name {
            if !game.opponent.is_empty() {
                let _ = writeln!(text, "name {}", game.opponent);
            }
            text += "computer\n";
        }
        if with_level {
            game.level.write(&mut text);
            (game.level_is_new, game.old_level_is_told) = (false, false);
        }
        // `easy` alone switches to and fro in GNU Chess 4.
        text += if game.ponder { "hard\n" } else { "hard\neasy\n" };
        text += "post\n";
        text
    }

    /// Tells the level behind so many plies of the game: the moves still to do, and what is on the clock if that is given
    /// (section 9 of the protocol text).
    fn write_level(&mut self, plies: usize, clock: Option<Duration>, text: &mut String) {
        let game = &mut self.game;
        let mut level = game.level;
        let made = plies.saturating_sub(game.level_from) / 2;
        game.period_ends = None;
        if let Some(period) = level.moves.filter(|&period| period > 0) {
            let left = period - made as u32 % period;
            level.moves = Some(left);
            game.period_ends = (left < period).then_some(plies + 2 * left as usize);
        }
        level.clock = level.clock.and(clock).or(level.clock);
        level.write(text);
        (game.level_is_new, game.old_level_is_told) = (false, false);
    }

    /// Puts a position on its board, in force mode, without the level. Without `setboard` that takes a new game, which has been
    /// announced already unless `again` is set.
    fn write_position(&mut self, moves: &[Move], again: bool, text: &mut String) -> Result<(), EngineError> {
        let (before, moves) = moves.split_at(match self.talk.features.setboard {
            // Who holds the game to be over would do so again where those moves have led, and take no more.
            true if self.talk.has_claimed => moves.len(),
            true if moves.len() > TOLD_MOVES => first_to_be_told(&self.game.start, moves),
            _ => 0,
        });
        let start = before.iter().fold(self.game.start, |position, &mv| position.after(mv));
        let is_standard = is_standard(&start);
        let usermove = self.talk.features.usermove;
        if self.talk.features.setboard {
            text.push_str("force\n");
            // A game that has just begun stands so already, but for Chess960, where the engine may have drawn by lot.
            if again || !is_standard || self.game.chess960 {
                let _ = writeln!(text, "setboard {}", start.to_fen(FenStyle::XFen));
            }
        } else {
            if again {
                text.push_str("force\n");
                *text += &self.introduction(false);
            }
            text.push_str("force\n");
            if !is_standard {
                write_edit(&start, usermove, text)?;
            }
        }
        self.game.position = start;
        self.game.moves = before.to_vec();
        (self.game.forced, self.game.in_doubt) = (true, false);
        self.talk.may_repeat = again;
        self.talk.told.clear();
        self.talk.told_as.clear();
        moves.iter().for_each(|&mv| self.write_move(mv, text));
        Ok(())
    }

    /// Tells a move, and plays it on our board.
    fn write_move(&mut self, mv: Move, text: &mut String) {
        let game = &mut self.game;
        let features = &self.talk.features;
        if features.usermove {
            text.push_str("usermove ");
        }
        self.talk.told = write_move(mv, &game.position, false, game.chess960);
        self.talk.told_as = write_move(mv, &game.position, features.san, game.chess960);
        text.push_str(&self.talk.told_as);
        text.push('\n');
        game.position = game.position.after(mv);
        game.moves.push(mv);
    }

    /// The engine's board is not to be trusted, though nothing shows it, such as after `Illegal move` for a legal one: the
    /// next `think` puts the position on it anew.
    pub fn take_back(&mut self) {
        self.game.in_doubt = true;
    }

    /// What holds from its next move on: another period of the time control.
    pub fn set_level(&mut self, level: &Level) {
        self.game.level_is_new |= self.game.level != *level;
        self.game.level = *level;
    }

    /// Lets it think after `moves` from the start, with so much left on its clock and on its opponent's. The time at which
    /// its clock starts.
    ///
    /// An engine that has made its last move and heard all others is told the opponent's last one. Any other difference
    /// between `moves` and what it has on its board, such as an illegal move that it has made there or the end of the game
    /// that it has claimed, is mended first.
    ///
    /// # Errors
    /// If the engine is gone, or does not read, or cannot be told the position.
    pub fn think(
        &mut self,
        moves: &[Move],
        own: Option<Duration>,
        other: Option<Duration>,
        deadline: Instant,
    ) -> Result<Instant, EngineError> {
        let mut text = std::mem::take(&mut self.outgoing);
        text.clear();
        text.push_str(&self.talk.replies);
        self.talk.replies.clear();
        let told = self.write_think(moves, own, other, &mut text);
        self.outgoing = text;
        told?;
        self.game.thought_about = self.game.position;
        catch_up(self);
        self.talk.asked(self.game.position.side_to_move());
        // Before the write, not after: an engine can have its answer ready before we are on the processor again.
        let start = Instant::now();
        self.connection.send(self.outgoing.as_bytes(), deadline)?;
        Ok(start)
    }

    fn write_think(
        &mut self,
        moves: &[Move],
        own: Option<Duration>,
        other: Option<Duration>,
        text: &mut String,
    ) -> Result<(), EngineError> {
        let known = self.game.moves.len();
        let goes_on = moves.starts_with(&self.game.moves) && moves.len() - known <= 1;
        let has_begun = !self.game.forced;
        // It may owe a move still, and be asked for it again.
        let asked_twice = has_begun && moves.len() == known;
        let is_told_anew = self.game.in_doubt || !goes_on || asked_twice;
        if is_told_anew {
            self.write_position(moves, true, text)?;
            // The move that it owes may be on its way, and others that it does not: none must pass for the one that it is
            // asked for now.
            if self.talk.features.ping {
                let number = self.write_ping(text);
                self.talk.stale_until = Some(number);
                self.talk.owes_stale_move = self.talk.thinking;
            }
        }
        let period_ends = self.game.period_ends.is_some_and(|end| moves.len() >= end);
        let counts_anew = is_told_anew && (self.game.level.moves.is_some() || !self.talk.features.setboard);
        if self.game.level_is_new || period_ends || counts_anew {
            let clock = own.filter(|_| !self.game.level_is_new);
            if self.game.level_is_new || period_ends {
                self.game.level_from = moves.len();
            }
            self.write_level(moves.len(), clock, text);
        }
        let is_unknown = |command: &str| self.talk.unknown.iter().any(|known| known == command);
        let (no_st, no_sd) = (is_unknown("st"), is_unknown("sd"));
        if (no_st || no_sd) && !std::mem::replace(&mut self.game.old_level_is_told, true) {
            self.game.level.write_old(text, no_st, no_sd);
        }
        if self.game.forced {
            if moves.len() > self.game.moves.len() {
                self.write_move(moves[moves.len() - 1], text);
            }
            // Obsolete, but wanted by engines that do not say otherwise, and in this order (section 13 of the protocol
            // text): `black` makes the engine play White, and so its clock White's, `white` puts White on move.
            let (own_color, other_color) = match self.game.position.side_to_move() {
                Color::White => ("white\n", "black\n"),
                Color::Black => ("black\n", "white\n"),
            };
            let features = &self.talk.features;
            if features.colors && features.time {
                text.push_str(other_color);
            }
            self.write_times(own, other, text);
            if self.talk.features.colors {
                text.push_str(own_color);
            }
            text.push_str("go\n");
            self.game.forced = false;
        } else {
            self.write_times(own, other, text);
            self.write_move(moves[moves.len() - 1], text);
        }
        Ok(())
    }

    fn write_times(&self, own: Option<Duration>, other: Option<Duration>, text: &mut String) {
        if self.talk.features.time {
            self.game.level.write_times(own, other, text);
        }
    }

    /// What it has said of the game, one after the other, each with the instant at which its line had been read off the
    /// pipe.
    pub fn take_said(&mut self) -> Option<(Said, Instant)> {
        let (said, at) = self.talk.take()?;
        match &said {
            Said::Move(best) => match parse_move(&best.best, &self.game.position) {
                Ok(mv) => {
                    // The king takes its rook and stays where it is: it may go there next, in the same words.
                    self.talk.may_repeat |=
                        mv.is_castling() && self.game.position.destination(mv) == mv.from();
                    self.game.position = self.game.position.after(mv);
                    self.game.moves.push(mv);
                }
                Err(_) => self.game.in_doubt = true,
            },
            Said::Result { .. } | Said::Resign => self.game.in_doubt = true,
            Said::OfferDraw | Said::Refuses(_) => {}
        }
        Some((said, at))
    }

    /// True if the next thing that it has said is that the game is drawn.
    pub fn claims_draw(&self) -> bool {
        self.talk.claims_draw()
    }

    /// Tells it that its opponent offers a draw; false if it does not want to know of such (`draw=0`).
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub fn tell_draw_offer(&mut self, deadline: Instant) -> Result<bool, EngineError> {
        let wanted = self.talk.features.draw;
        if wanted {
            self.send(b"draw\n", deadline)?;
            self.talk.was_offered = true;
        }
        Ok(wanted)
    }

    /// Tells it to move at once. It may, or may not.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub fn move_now(&mut self, deadline: Instant) -> Result<(), EngineError> {
        self.send(b"?\n", deadline)
    }

    /// Tells it that the game is over, and how: it is to think no more, about its opponent's moves neither. What it says
    /// until the next game is of no use. One that owes a move is waited for until the deadline, if it has `ping`; when it
    /// does not answer, `must_restart` tells.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub fn tell_result(
        &mut self,
        outcome: Outcome,
        comment: &str,
        deadline: Instant,
    ) -> Result<(), EngineError> {
        let comment: String = comment
            .chars()
            .map(|letter| if letter.is_control() || matches!(letter, '{' | '}') { ' ' } else { letter })
            .collect();
        self.talk.playing = false;
        self.game.forced = true;
        let lines = format!("force\nresult {outcome} {{{comment}}}\n");
        if !self.talk.thinking {
            return self.send(lines.as_bytes(), deadline);
        }
        match self.ask_ready(&lines, deadline.saturating_duration_since(Instant::now())) {
            Err(EngineError::Silent("pong") | EngineError::Interrupted) => Ok(()),
            other => other,
        }
    }

    /// True while it owes us a move.
    pub fn is_thinking(&self) -> bool {
        self.talk.thinking
    }

    /// What it last said about the position and the move that it has played, in UCI notation; and the lines to keep.
    pub fn take_info(&mut self, played: &str) -> (Info, Vec<String>) {
        let game = &self.game;
        let info = self.talk.info(played, &game.thought_about, game.chess960, game.ponder);
        (info, self.talk.kept())
    }

    /// How many moves nobody had asked for since this was last called.
    pub fn take_unasked(&mut self) -> u32 {
        let unasked = std::mem::take(&mut self.talk.unasked);
        // It has made them on its board.
        self.game.in_doubt |= unasked > 0;
        unasked
    }

    /// Lets it end by itself, and kills it if it does not.
    pub fn quit(self) {
        self.connection.quit();
    }
}

impl Speaker for CecpClient {
    fn connection(&self) -> &Connection {
        &self.connection
    }

    fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }

    fn hear(&mut self, time: Option<Instant>) {
        let CecpClient { connection, talk, .. } = self;
        connection.hear(time, |line, time| talk.hear(line, time));
    }
}

const NO_FISCHERANDOM: &str = "no variant fischerandom with setboard";
