//! The book that the engine plays from by itself (`OwnBook`, `BookFile`).

use crate::board::Position;
use crate::openings::polyglot::Book;
use crate::search::Limits;
use crate::sys::chance::Chance;
use crate::types::Move;
use std::io;
use std::path::Path;

/// A move out of the book is searched for so many nodes: enough for a score, a line and a move to ponder on.
const NODES: u64 = 10_000;

/// A book, if there is any, and chance to choose by.
pub(super) struct OwnBook {
    book: Option<Book>,
    chance: Chance,
}

impl OwnBook {
    /// The setting that names the book inside the program.
    pub(super) const INTERNAL: &'static str = "<internal>";

    /// The book inside the program.
    pub(super) fn new() -> OwnBook {
        OwnBook { book: Some(Book::internal()), chance: Chance::drawn() }
    }

    /// Takes the book that a setting names, the one inside the program, a file's or none, and says what there is now; if
    /// the file cannot be used, why, and there is no book then.
    pub(super) fn open(&mut self, setting: &str) -> String {
        self.book = None;
        let opened = match setting {
            "" => return "no book".into(),
            OwnBook::INTERNAL => Ok(Book::internal()),
            path => open_file(Path::new(path)),
        };
        match opened {
            Ok(book) => {
                let told = format!("book: {setting}, {} moves", book.len());
                self.book = Some(book);
                told
            }
            Err(error) => format!("ERROR: the book {setting} cannot be used: {error}; there is none now"),
        }
    }

    /// Narrows a search down to a move that the book plays here, chosen by the moves' weights, and says so, or what is
    /// wrong. Not if nothing but `stop` or a mate ends the search, or the client names moves: that is analysis. `key` is the
    /// position's in books.
    pub(super) fn choose(&mut self, key: u64, position: &Position, limits: &mut Limits) -> Option<String> {
        if limits.is_unbounded() || limits.mate.is_some() || limits.search_moves.is_some() {
            return None;
        }
        match self.draw(key, position) {
            Ok((mv, played)) => {
                limits.search_moves = Some(vec![mv?]);
                limits.nodes = Some(limits.nodes.map_or(NODES, |nodes| nodes.min(NODES)));
                Some(format!("a move out of the book, one of {played}"))
            }
            Err(error) => Some(format!("ERROR: the book cannot be read: {error}")),
        }
    }

    /// A move, and how many the book plays here.
    fn draw(&mut self, key: u64, position: &Position) -> io::Result<(Option<Move>, usize)> {
        let Some(book) = &self.book else { return Ok((None, 0)) };
        let moves = book.moves(key, position)?;
        let weights = moves.iter().map(|&(_, weight)| u64::from(weight));
        let chosen = self.chance.weighted(weights).map(|index| moves[index].0);
        Ok((chosen, moves.iter().filter(|&&(_, weight)| weight > 0).count()))
    }
}

/// Opens a file that has something in it.
fn open_file(path: &Path) -> io::Result<Book> {
    let book = Book::open(path)?;
    if book.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is empty"));
    }
    Ok(book)
}
