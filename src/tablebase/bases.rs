//! What pyrrhic-rs asks of us, and we of it.

use super::{Distance, Ending, TablesError};
use crate::board::Position;
use crate::board::magics::{bishop_attacks, queen_attacks, rook_attacks};
use crate::board::tables::{king_attacks, knight_attacks, pawn_attacks};
use crate::types::{Bitboard, Color, PieceType, Square};
use pyrrhic_rs::{DtzProbeValue, DtzResult, EngineAdapter, Piece, TBError, TableBases, WdlProbeResult};

/// Our attacks, as the library asks for them.
#[derive(Clone)]
struct Attacks;

/// The library's squares are ours: a1 is 0, b1 is 1.
fn at(square: u64) -> Square {
    Square::from_index(square as u8)
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
        let ([white, black, kings, queens, rooks, bishops, knights, pawns], passed, turn) = told(position);
        let result =
            self.0.probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, passed, turn);
        result.ok().map(ending)
    }

    /// How the moves of a position that cannot castle end.
    pub(super) fn distances(&self, position: &Position) -> Option<Vec<Distance>> {
        let ([white, black, kings, queens, rooks, bishops, knights, pawns], passed, turn) = told(position);
        let clock = u32::from(position.halfmove_clock().min(100));
        let result = self
            .0
            .probe_root(white, black, kings, queens, rooks, bishops, knights, pawns, clock, passed, turn);
        let result = result.ok()?;
        let mut moves = vec![];
        for mv in position.legal_moves() {
            let is_this = |found: &&DtzResult| {
                let squares = (usize::from(found.from_square), usize::from(found.to_square));
                squares == (mv.from().index(), mv.to().index()) && promoted(found.promotion) == mv.promoted()
            };
            let mut known = result.moves[..result.num_moves].iter().filter_map(|value| match value {
                DtzProbeValue::DtzResult(found) => Some(found),
                _ => None,
            });
            let found = known.find(is_this)?;
            moves.push((mv, ending(found.wdl), u32::from(found.dtz)));
        }
        Some(moves)
    }
}

/// A position as the library is told of it: both colours' squares, those of kings to pawns, the square that a pawn has just
/// passed, and whether White is on move.
fn told(position: &Position) -> ([u64; 8], u32, bool) {
    let kind = |kind: PieceType| position.of_kind(kind).0;
    let squares = [
        position.of_color(Color::White).0,
        position.of_color(Color::Black).0,
        kind(PieceType::King),
        kind(PieceType::Queen),
        kind(PieceType::Rook),
        kind(PieceType::Bishop),
        kind(PieceType::Knight),
        kind(PieceType::Pawn),
    ];
    // None is a1, where no pawn passes.
    let passed = position.en_passant().map_or(0, |square| square.index() as u32);
    (squares, passed, position.side_to_move() == Color::White)
}

fn ending(result: WdlProbeResult) -> Ending {
    match result {
        WdlProbeResult::Loss => Ending::Loss,
        WdlProbeResult::BlessedLoss => Ending::BlessedLoss,
        WdlProbeResult::Draw => Ending::Draw,
        WdlProbeResult::CursedWin => Ending::CursedWin,
        WdlProbeResult::Win => Ending::Win,
    }
}

/// What a pawn becomes; the library says "pawn" for nothing.
fn promoted(piece: Piece) -> Option<PieceType> {
    match piece {
        Piece::Knight => Some(PieceType::Knight),
        Piece::Bishop => Some(PieceType::Bishop),
        Piece::Rook => Some(PieceType::Rook),
        Piece::Queen => Some(PieceType::Queen),
        Piece::Pawn | Piece::King => None,
    }
}
