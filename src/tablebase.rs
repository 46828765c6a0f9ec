//! Syzygy endgame tablebases: how a position with few pieces ends with the best play of both sides.
//!
//! Knows positions; does not know who asks. The probing is pyrrhic-rs's, the format Ronald de Man's
//! (<https://github.com/syzygy1/tb>).

use crate::board::Position;
use crate::board::magics::{bishop_attacks, queen_attacks, rook_attacks};
use crate::board::tables::{king_attacks, knight_attacks, pawn_attacks};
use crate::types::{Bitboard, Color, PieceType, Square};
use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};
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
    bases: TableBases<Attacks>,
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
        }
    }
}

impl std::error::Error for TablesError {}

/// Our attacks, as the library asks for them.
#[derive(Clone)]
struct Attacks;

/// The library's squares are ours: a1 is 0, b1 is 1.
fn at(square: u64) -> Square {
    Square::ALL[square as usize & 63]
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        pawn_attacks(color, at(square)).0
    }

    fn knight_attacks(square: u64) -> u64 {
        knight_attacks(at(square)).0
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        bishop_attacks(at(square), Bitboard(occupied)).0
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        rook_attacks(at(square), Bitboard(occupied)).0
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        queen_attacks(at(square), Bitboard(occupied)).0
    }

    fn king_attacks(square: u64) -> u64 {
        king_attacks(at(square)).0
    }
}

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
        match TableBases::new(paths) {
            Ok(bases) => Ok(Tables { bases, most_pieces }),
            Err(pyrrhic_rs::TBError::AlreadyInitialized) => Err(TablesError::Again),
            Err(_) => Err(TablesError::Empty(paths.to_string())),
        }
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
        let kind = |kind: PieceType| position.of_kind(kind).0;
        let result = self.bases.probe_wdl(
            position.of_color(Color::White).0,
            position.of_color(Color::Black).0,
            kind(PieceType::King),
            kind(PieceType::Queen),
            kind(PieceType::Rook),
            kind(PieceType::Bishop),
            kind(PieceType::Knight),
            kind(PieceType::Pawn),
            // None is a1, where no pawn passes.
            position.en_passant().map_or(0, |square| square.index() as u32),
            position.side_to_move() == Color::White,
        );
        Some(match result.ok()? {
            WdlProbeResult::Loss => Ending::Loss,
            WdlProbeResult::BlessedLoss => Ending::BlessedLoss,
            WdlProbeResult::Draw => Ending::Draw,
            WdlProbeResult::CursedWin => Ending::CursedWin,
            WdlProbeResult::Win => Ending::Win,
        })
    }
}
