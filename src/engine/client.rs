//! An engine of a game, whatever it speaks.

use super::cecp::{self, CecpClient, Level};
use super::config::{EngineConfig, Protocol};
use super::connection::{Connection, Speaker, Surroundings};
use super::declared::Defaults;
use super::info::Info;
use super::process::EngineError;
use super::said::Said;
use super::uci_client::UciClient;
use crate::board::Position;
use crate::notation::uci_move::{UciMoveError, parse_uci};
use crate::types::{Move, Outcome};
use std::time::{Duration, Instant};

/// An engine that is ready to play.
#[derive(Debug)]
pub enum Client {
    /// It speaks UCI.
    Uci(Box<UciClient>),
    /// It speaks xboard's protocol.
    Cecp(Box<CecpClient>),
}

/// What an engine is told of a game before it begins.
#[derive(Debug)]
pub struct NewGame<'a> {
    /// Where it begins.
    pub start: &'a Position,
    /// Moves that have been made.
    pub moves: &'a [Move],
    /// Castling is written king takes rook.
    pub chess960: bool,
    /// How its thinking is limited.
    pub level: Level,
    /// It thinks on its opponent's time.
    pub ponder: bool,
    /// Whom it plays.
    pub opponent: &'a str,
}

/// What an engine is told when it is to move.
#[derive(Debug)]
pub struct Turn<'a> {
    /// For UCI: the lines `position` and `go`.
    pub lines: &'a [u8],
    /// For xboard's protocol: the moves from the start.
    pub moves: &'a [Move],
    /// What its clock shows, if it has one.
    pub own: Option<Duration>,
    /// What its opponent's clock shows.
    pub other: Option<Duration>,
}

/// Why a text is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misread {
    /// It says that there is none.
    NoMove,
    /// Not of the form of a move.
    Unreadable,
    /// No legal one.
    Illegal,
}

/// Texts that say that there is no move.
const NO_MOVES: [&str; 6] = ["", "0000", "@@@@", "(none)", "null", "NULL"];

impl Client {
    /// Starts an engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    /// If it cannot be started or does not greet or get ready in time.
    pub fn start(config: &EngineConfig, surroundings: &Surroundings) -> Result<Client, EngineError> {
        let client = match config.protocol {
            Protocol::Uci => UciClient::start(config, surroundings).map(Box::new).map(Client::Uci),
            Protocol::Cecp => CecpClient::start(config, surroundings).map(Box::new).map(Client::Cecp),
        };
        client.map_err(|error| surroundings.with_word(error, false))
    }

    /// Another game begins. The engine is ready afterwards, and has said all that it had to say before.
    ///
    /// # Errors
    /// If the engine is gone, does not get ready, or cannot play such a game.
    pub fn new_game(&mut self, game: &NewGame) -> Result<(), EngineError> {
        let ready = match self {
            Client::Uci(client) => client.new_game(),
            Client::Cecp(client) => {
                let &NewGame { start, moves, chess960, ref level, ponder, opponent } = game;
                client.new_game(start, moves, chess960, level, ponder, opponent)
            }
        };
        ready.map_err(|error| self.connection().surroundings.with_word(error, true))
    }

    /// Lets it think. The time at which its clock starts.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub fn think(&mut self, turn: &Turn, deadline: Instant) -> Result<Instant, EngineError> {
        match self {
            Client::Uci(client) => client.go(turn.lines, deadline),
            Client::Cecp(client) => client.think(turn.moves, turn.own, turn.other, deadline),
        }
    }

    /// What it has said of the game while it is on move, or, if `on_move` is not set, while its opponent is: what an
    /// engine finds by pondering is none of that. Each comes with the instant at which its line had been read off the pipe.
    pub fn take_said(&mut self, on_move: bool) -> Option<(Said, Instant)> {
        match self {
            Client::Uci(client) if on_move => client.take_best().map(|(best, at)| (Said::Move(best), at)),
            Client::Uci(_) => None,
            Client::Cecp(client) => client.take_said(),
        }
    }

    /// True if the next thing that it has said is that the game is drawn.
    pub fn claims_draw(&self) -> bool {
        matches!(self, Client::Cecp(client) if client.claims_draw())
    }

    /// Hears what it says behind its move, which may be the claim of a draw that the move brings, as far as its protocol has
    /// such: for a moment, in which nobody's clock is to run.
    pub fn hear_behind_move(&mut self) {
        if let Client::Cecp(client) = self {
            client.hear_behind_move();
        }
    }

    /// Reads a move as it writes them.
    ///
    /// # Errors
    /// If it is none that is legal in `position`.
    pub fn parse_move(&self, text: &str, position: &Position) -> Result<Move, Misread> {
        if NO_MOVES.contains(&text) {
            return Err(Misread::NoMove);
        }
        match self {
            Client::Uci(_) => parse_uci(text, position).map_err(|error| match error {
                UciMoveError::Null => Misread::NoMove,
                UciMoveError::Syntax(_) => Misread::Unreadable,
                UciMoveError::Illegal(..) => Misread::Illegal,
            }),
            Client::Cecp(_) => cecp::parse_move(text, position).map_err(|_| Misread::Illegal),
        }
    }

    /// Tells it to move at once.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub fn hurry(&mut self, deadline: Instant) -> Result<(), EngineError> {
        match self {
            Client::Uci(client) => client.send(b"stop\n", deadline),
            Client::Cecp(client) => client.move_now(deadline),
        }
    }

    /// Tells it that its opponent offers a draw, if it can be told.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub fn tell_draw_offer(&mut self, deadline: Instant) -> Result<(), EngineError> {
        match self {
            Client::Uci(_) => Ok(()),
            Client::Cecp(client) => client.tell_draw_offer(deadline).map(|_| ()),
        }
    }

    /// Tells it how the game has ended, if it can be told; one that still thinks is waited for until the deadline.
    ///
    /// # Errors
    /// If the engine is gone, or does not read.
    pub fn tell_result(
        &mut self,
        outcome: Outcome,
        comment: &str,
        deadline: Instant,
    ) -> Result<(), EngineError> {
        match self {
            Client::Uci(_) => Ok(()),
            Client::Cecp(client) => client.tell_result(outcome, comment, deadline),
        }
    }

    /// Its move was none, or it has refused one: it is told the position anew with its next turn, and what it says before it
    /// has heard that is no answer to it.
    pub fn take_back(&mut self) {
        match self {
            Client::Uci(client) => client.take_back(),
            Client::Cecp(client) => client.take_back(),
        }
    }

    /// Another period of its time control begins.
    pub fn set_level(&mut self, level: &Level) {
        if let Client::Cecp(client) = self {
            client.set_level(level);
        }
    }

    /// The UCI client, for what only UCI has.
    pub fn as_uci(&mut self) -> Option<&mut UciClient> {
        match self {
            Client::Uci(client) => Some(client),
            Client::Cecp(_) => None,
        }
    }

    /// True if another game needs another process.
    pub fn must_restart(&self) -> bool {
        match self {
            Client::Uci(client) => client.is_thinking(),
            Client::Cecp(client) => client.must_restart(),
        }
    }

    /// True while it owes us a move.
    pub fn is_thinking(&self) -> bool {
        match self {
            Client::Uci(client) => client.is_thinking(),
            Client::Cecp(client) => client.is_thinking(),
        }
    }

    /// What it last said about the position and the move that it has played, in UCI notation; and the lines to keep.
    pub fn take_info(&mut self, played: &str) -> (Info, Vec<String>) {
        match self {
            Client::Uci(client) => client.take_info(played),
            Client::Cecp(client) => client.take_info(played),
        }
    }

    /// What it has declared; in xboard's protocol there are no defaults of what every engine has.
    pub fn defaults(&self) -> Defaults {
        match self {
            Client::Uci(client) => client.defaults(),
            Client::Cecp(_) => Defaults::default(),
        }
    }

    /// How many moves nobody had asked for since this was last called.
    pub fn take_unasked(&mut self) -> u32 {
        match self {
            Client::Uci(client) => client.take_unasked(),
            Client::Cecp(client) => client.take_unasked(),
        }
    }

    /// Lets it end by itself, and kills it if it does not.
    pub fn quit(self) {
        match self {
            Client::Uci(client) => client.quit(),
            Client::Cecp(client) => client.quit(),
        }
    }
}

impl Speaker for Client {
    fn connection(&self) -> &Connection {
        match self {
            Client::Uci(client) => client.connection(),
            Client::Cecp(client) => client.connection(),
        }
    }

    fn connection_mut(&mut self) -> &mut Connection {
        match self {
            Client::Uci(client) => client.connection_mut(),
            Client::Cecp(client) => client.connection_mut(),
        }
    }

    fn hear(&mut self, time: Option<Instant>) {
        match self {
            Client::Uci(client) => client.hear(time),
            Client::Cecp(client) => client.hear(time),
        }
    }
}
