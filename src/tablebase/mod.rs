//! Syzygy endgame tablebases: how a position with few pieces ends with the best play of both sides.
//!
//! Knows positions; does not know who asks. The probing is pyrrhic-rs's, the format Ronald de Man's
//! (<https://github.com/syzygy1/tb>). That library takes characters of C for signed ones: where they are not, as on
//! Linux for ARM, there are no tablebases, and whoever asks for them is told so.

// Everything that has signed characters and that a chess engine may run on.
#[cfg(any(target_arch = "x86_64", target_arch = "x86", target_vendor = "apple", windows))]
mod bases;
#[cfg(not(any(target_arch = "x86_64", target_arch = "x86", target_vendor = "apple", windows)))]
#[path = "no_bases.rs"]
mod bases;

use crate::board::Position;
use bases::Bases;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// How a position ends for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ending {
    /// It is lost.
    Loss,
    /// It is lost, but for the fifty-move rule.
    BlessedLoss,
    /// It is drawn.
    Draw,
    /// It is won, but for the fifty-move rule.
    CursedWin,
    /// It is won.
    Win,
}

/// Tablebases that have been found. A process opens them once.
pub struct Tables {
    bases: Bases,
    most_pieces: u32,
}

/// Why tablebases could not be opened.
#[derive(Debug)]
pub enum TablesError {
    /// One of the folders cannot be read.
    Folder(String, io::Error),
    /// No tables lie in the folders.
    Empty(String),
    /// A file is not what its name says, or was copied in part.
    Damaged(PathBuf),
    /// They were opened already.
    Again,
    /// This build cannot read any.
    NotHere,
}

impl fmt::Display for TablesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablesError::Folder(folder, error) => write!(f, "tablebases in {folder}: {error}"),
            TablesError::Empty(paths) => {
                write!(f, "no tablebases in {paths}: expected files such as KQvK.rtbw")
            }
            TablesError::Damaged(file) => {
                write!(f, "{} is no table of wins and losses, or not a whole one", file.display())
            }
            TablesError::Again => f.write_str("tablebases can be opened only once"),
            TablesError::NotHere => {
                f.write_str("this build cannot read tablebases: they need x86, macOS or Windows")
            }
        }
    }
}

impl std::error::Error for TablesError {}

/// True if a file begins like a table of wins and losses and has the size that one has: blocks of 64 bytes, and a sum of
/// 16 bytes.
fn is_whole(file: &Path) -> io::Result<bool> {
    let mut file = File::open(file)?;
    let mut magic = [0; 4];
    let begins = match file.read_exact(&mut magic) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => false,
        read => read.map(|()| magic == [0x71, 0xe8, 0x23, 0x5d])?,
    };
    Ok(begins && file.metadata()?.len() % 64 == 16)
}

impl Tables {
    /// Opens the tables in one or several folders, with `:` between them (`;` on Windows).
    ///
    /// # Errors
    /// If a folder cannot be read, if there are no tables in them or damaged ones, or if some were opened before.
    pub fn open(paths: &str) -> Result<Tables, TablesError> {
        // The library counts tables that are not there, and says on standard output what is wrong with others.
        let mut most_pieces = 0;
        for folder in std::env::split_paths(paths).filter(|folder| folder != Path::new("")) {
            let failed = |error| TablesError::Folder(folder.display().to_string(), error);
            for entry in std::fs::read_dir(&folder).map_err(failed)? {
                let file = entry.map_err(failed)?.path();
                if file.extension().is_some_and(|extension| extension == "rtbw") {
                    if !is_whole(&file).map_err(failed)? {
                        return Err(TablesError::Damaged(file));
                    }
                    let name = file.file_stem().unwrap_or_default().to_string_lossy();
                    most_pieces = most_pieces.max(name.chars().filter(|&piece| piece != 'v').count() as u32);
                }
            }
        }
        if most_pieces == 0 {
            return Err(TablesError::Empty(paths.to_string()));
        }
        Ok(Tables { bases: Bases::open(paths)?, most_pieces })
    }

    /// The most pieces, kings and pawns among them, that some table has.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// How the position ends, if its table is there. The table does not know what has been played: counters are left
    /// aside but for the rule that fifty moves without capture or pawn move draw. It knows no castling either.
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        if position.occupied().count() > self.most_pieces() || !position.castling_rights().is_empty() {
            return None;
        }
        self.bases.ending(position)
    }
}
