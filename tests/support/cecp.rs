//! Games with the client of xboard's protocol, driven by hand: an arbiter that takes every word of its engines.

use super::mock::find;
use adoube::board::Position;
use adoube::engine::cecp::{CecpClient, Level, parse_move};
use adoube::engine::connection::{Speaker, Surroundings, listen};
use adoube::engine::process::EngineError;
use adoube::engine::said::{Best, Said};
use adoube::types::{Color, Move};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static MOCK: LazyLock<PathBuf> =
    LazyLock::new(|| find("mock-cecp", ["mock_cecp.rs", "modes_cecp.rs", "words.rs"]));

/// The program of the test engine that speaks xboard's protocol, `tests/engines/mock_cecp.rs`. Run without arguments it
/// tells what it can do.
pub fn mock_cecp() -> PathBuf {
    MOCK.clone()
}

/// After so long an engine hangs. No test measures time; this only keeps one from waiting for ever.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A game at a table of our own.
pub struct Table {
    pub client: CecpClient,
    pub start: Position,
    pub position: Position,
    pub moves: Vec<Move>,
    /// What its engine has said so far, moves too.
    pub said: Vec<Said>,
}

/// A minute for the game.
pub fn level() -> Level {
    Level { clock: Some(Duration::from_secs(60)), ..Level::default() }
}

pub fn surroundings() -> Surroundings {
    Surroundings { startup_time: PATIENCE, ..Surroundings::default() }
}

impl Table {
    /// A game that has begun, with `book` played.
    pub fn new(mut client: CecpClient, fen: &str, book: &[&str]) -> Table {
        let start = Position::from_fen(fen).unwrap();
        let mut position = start;
        let mut moves = vec![];
        for text in book {
            let mv = parse_move(text, &position).unwrap();
            position = position.after(mv);
            moves.push(mv);
        }
        client.new_game(&start, &moves, false, &level(), false, "Somebody").unwrap();
        Table { client, start, position, moves, said: vec![] }
    }

    pub fn side(&self) -> Color {
        self.position.side_to_move()
    }

    pub fn play(&mut self, mv: Move) {
        self.position = self.position.after(mv);
        self.moves.push(mv);
    }

    /// Makes a move of the engine's opponent.
    pub fn reply(&mut self, text: &str) {
        let mv = parse_move(text, &self.position).unwrap();
        self.play(mv);
    }

    /// Tells the engine to think.
    pub fn think(&mut self) {
        let time = Some(Duration::from_secs(60));
        self.client.think(&self.moves, time, time, Instant::now() + PATIENCE).unwrap();
    }

    /// The next thing that the engine says.
    ///
    /// # Errors
    /// If it ends before.
    pub fn hear(&mut self) -> Result<Said, EngineError> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some((said, _)) = self.client.take_said() {
                self.said.push(said.clone());
                return Ok(said);
            }
            if let Some(error) = self.client.gone() {
                return Err(error);
            }
            assert!(Instant::now() < deadline, "it says nothing; so far {:?}", self.said);
            listen(&mut [&mut self.client], None, deadline);
        }
    }

    /// Lets it think until it moves, and makes that move; the move as it was written.
    pub fn turn(&mut self) -> String {
        self.think();
        self.answer()
    }

    /// Waits until it moves, and makes that move.
    pub fn answer(&mut self) -> String {
        loop {
            if let Said::Move(Best { best: text, .. }) = self.hear().unwrap() {
                let mv = parse_move(&text, &self.position).unwrap_or_else(|error| panic!("{error}"));
                self.play(mv);
                return text;
            }
        }
    }
}
