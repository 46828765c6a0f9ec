//! Score sheets of the games that are being played: one file for each, a line for each move as soon as it is made
//! (article 8.1.a), so that nothing that was played is lost whatever becomes of the program. A game that is over is in the
//! journal, and its sheet is removed. The sheets that a program left that was killed are put aside before the next games.

use super::config::PgnConfig;
use super::pgn::comment;
use crate::arbiter::record::PlayedMove;
use crate::board::{Board, FenStyle, Position};
use crate::notation::pgn_reader::number_of_next;
use crate::notation::san::to_san;
use crate::sys::files::with_suffix;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where the sheets of a match lie: beside its journal.
pub fn folder(journal: &Path) -> PathBuf {
    with_suffix(journal, ".playing")
}

fn path(folder: &Path, game: u64) -> PathBuf {
    folder.join(format!("game-{}.pgn", game + 1))
}

/// A sheet that is being written.
#[derive(Debug)]
pub struct ScoreSheet {
    file: File,
}

impl ScoreSheet {
    /// Begins the sheet of a game between White and Black.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(folder: &Path, game: u64, names: [&str; 2], start: &Position) -> io::Result<ScoreSheet> {
        fs::create_dir_all(folder)?;
        let mut file = File::create(path(folder, game))?;
        let quoted = |name: &str| name.replace('\\', "\\\\").replace('"', "\\\"");
        let mut text =
            format!("[White \"{}\"]\n[Black \"{}\"]\n[Result \"*\"]\n", quoted(names[0]), quoted(names[1]));
        let fen = start.to_fen(FenStyle::XFen);
        if fen != Board::START_FEN {
            text += &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
        }
        file.write_all((text + "\n").as_bytes())?;
        Ok(ScoreSheet { file })
    }

    /// Writes a move down. `before` is the position that it was made in.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, before: &Position, played: &PlayedMove) -> io::Result<()> {
        let pgn = PgnConfig { commands: true, ..PgnConfig::default() };
        let note = comment(played, before.side_to_move(), &pgn).replace(['{', '}'], "");
        let line = format!("{} {} {{{note}}}\n", number_of_next(before), to_san(played.mv, before));
        self.file.write_all(line.as_bytes())
    }
}

/// Removes the sheet of a game that is over. What is not there is no error. The folder stays as long as the match runs, in
/// which another game may be about to begin.
pub fn remove(folder: &Path, game: u64) {
    let _ = fs::remove_file(path(folder, game));
}

/// The sheets that lie there.
fn sheets(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let is_sheet = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("game-") && name.ends_with(".pgn")
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()).filter(is_sheet)
}

/// True if there are sheets.
pub fn any(folder: &Path) -> bool {
    sheets(folder).next().is_some()
}

/// Removes what is left when the match ends in good order: games that were broken off are played anew. If they are kept,
/// what could not be written down anywhere else stands there, and only an empty folder is removed.
pub fn clear(folder: &Path, are_kept: bool) {
    for file in sheets(folder).filter(|_| !are_kept) {
        let _ = fs::remove_file(file);
    }
    let _ = fs::remove_dir(folder);
}
