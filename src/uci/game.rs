//! The position that the client has set up, and how it came about.

use super::command::PositionCommand;
use crate::board::{Board, History, Position};
use crate::notation::uci_move::parse_uci;
use crate::openings::polyglot;

/// The fields of a FEN.
const FIELDS: usize = 6;

/// The position that the client has set up, and how it came about.
#[derive(Clone)]
pub(super) struct Game {
    pub position: Position,
    pub history: History,
    /// The position's key in books.
    pub book_key: u64,
}

impl Default for Game {
    fn default() -> Game {
        Game::from(Position::default())
    }
}

impl From<Position> for Game {
    fn from(position: Position) -> Game {
        Game { history: History::new(&position), book_key: polyglot::key(&position), position }
    }
}

impl Game {
    /// The position with its moves played, and what was left out: words between the FEN and the moves. (Scid, reviewing a
    /// game, writes the last move in SAN behind the FEN that it has led to.)
    ///
    /// # Errors
    /// What is wrong. A move where `moves` is missing is: who wrote it may mean it to be played.
    pub fn read(command: &PositionCommand) -> Result<(Game, Option<String>), String> {
        let words: Vec<&str> = command.fen.iter().flat_map(|fen| fen.split(' ')).collect();
        let (fields, others) = words.split_at(words.len().min(FIELDS));
        let board = match &command.fen {
            None => *Position::default().board(),
            Some(_) => Board::from_fen_lenient(&fields.join(" ")).map_err(|error| error.to_string())?,
        };
        let mut game = Game::from(Position::from(board));
        if let Some(word) = others.iter().find(|word| parse_uci(word, &game.position).is_ok()) {
            return Err(format!("the word 'moves' is missing before '{word}'"));
        }
        let mut last = None;
        for (index, text) in command.moves.iter().enumerate() {
            let mv =
                parse_uci(text, &game.position).map_err(|error| format!("move {}: {error}", index + 1))?;
            last = Some((game.position, mv));
            game.position = game.position.after(mv);
            game.history.push(&game.position);
            game.history.trim();
        }
        if let Some((before, mv)) = last {
            game.book_key = polyglot::key_after(&before, mv);
        }
        Ok((game, (!others.is_empty()).then(|| others.join(" "))))
    }
}
