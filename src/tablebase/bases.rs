//! What pyrrhic-rs asks of us, and we of it.

use super::{Ending, TablesError};
use crate::board::Position;
use crate::board::magics::{bishop_attacks, queen_attacks, rook_attacks};
use crate::board::tables::{king_attacks, knight_attacks, pawn_attacks};
use crate::types::{Bitboard, Color, PieceType, Square};
use pyrrhic_rs::{EngineAdapter, TBError, TableBases, WdlProbeResult};

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

/// The open tables.
pub(super) struct Bases(TableBases<Attacks>);

impl Bases {
    /// Opens what lies in the folders, which have been looked through.
    pub(super) fn open(paths: &str) -> Result<Bases, TablesError> {
        TableBases::new(paths).map(Bases).map_err(|error| match error {
            TBError::AlreadyInitialized => TablesError::Again,
            _ => TablesError::Empty(paths.to_string()),
        })
    }

    /// How a position that cannot castle ends.
    pub(super) fn ending(&self, position: &Position) -> Option<Ending> {
        let kind = |kind: PieceType| position.of_kind(kind).0;
        let result = self.0.probe_wdl(
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
