//! How far a position is from a helpmate: what the search goes by, never what it concludes from.

use crate::board::Position;
use crate::board::tables::king_attacks;
use crate::types::{Bitboard, Color, File, Move, PieceType, Rank, Square};

/// The corners, light and dark.
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);

pub static LAB: std::sync::OnceLock<[i32; 20]> = std::sync::OnceLock::new();
pub const DEFAULTS: [i32; 20] = [6, 3, 3, 0, 1, 1, 2, 3, 3, 10, 10, 60, 1, 8, 10, 2, 4, 2, 4, 10];
fn lab() -> [i32; 20] {
    *LAB.get_or_init(|| {
        let mut values = DEFAULTS;
        if let Ok(text) = std::env::var("DEADP") {
            for (value, text) in values.iter_mut().zip(text.split(',')) {
                *value = text.parse().unwrap();
            }
        }
        values
    })
}

/// What the winner has to do first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Queen a pawn.
    Promote,
    /// Mate with a heavy piece.
    Mate,
    /// Mate with minor pieces, which needs men of the other side in its king's way.
    Minor,
}

/// What the winner aims at.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    us: Color,
    pub(super) p: [i32; 20],
}

/// What is known of one position before its moves are rated.
pub(super) struct State {
    /// The estimate of the position.
    base: i32,
    /// False if no single move can mate.
    pub(super) may_mate: bool,
    phase: Phase,
    king: Square,
    own: Square,
    target: Bitboard,
    zone: Bitboard,
    /// The pawn nearest to promotion and the squares that it has to cross.
    runner: Option<Square>,
    path: Bitboard,
}

fn distance(a: Square, b: Square) -> i32 {
    let file = a.file().index().abs_diff(b.file().index());
    let rank = a.rank().index().abs_diff(b.rank().index());
    file.max(rank) as i32
}

fn nearest(square: Square, targets: Bitboard) -> i32 {
    targets.into_iter().map(|target| distance(square, target)).min().unwrap_or(0)
}

fn weight(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 0,
    }
}

/// The squares before a pawn up to the last rank.
fn path(pawn: Square, color: Color) -> Bitboard {
    let ahead = match color {
        Color::White => u64::MAX << pawn.index() << 1,
        Color::Black => !(u64::MAX << pawn.index()),
    };
    Bitboard::from_file(pawn.file()) & Bitboard(ahead)
}

impl Plan {
    pub(super) fn new(side: Color) -> Plan {
        Plan { us: side, p: lab() }
    }

    /// The estimate of a position and what rating its moves needs.
    pub(super) fn look(&self, position: &Position, ply: u16) -> State {
        let (us, p) = (self.us, &self.p);
        let king = position.king(!us);
        let own = position.king(us);
        let zone = king_attacks(king);
        let theirs = position.of_color(!us);
        let occupied = position.occupied();
        let without_king = occupied ^ Bitboard::from(king);
        let mut flights = 0;
        for square in zone.without(theirs) {
            if (position.attackers_to(square, without_king) & position.of_color(us)).is_empty() {
                flights += 1;
            }
        }
        let ours = |kind| position.pieces(us, kind);
        let heavy = (ours(PieceType::Queen) | ours(PieceType::Rook)).any();
        let pawns = ours(PieceType::Pawn);
        let phase = match (heavy, pawns.any()) {
            (true, _) => Phase::Mate,
            (false, true) => Phase::Promote,
            (false, false) => Phase::Minor,
        };
        let bishops = ours(PieceType::Bishop);
        let one_color = (bishops & Bitboard::DARK).is_empty() || bishops.without(Bitboard::DARK).is_empty();
        let mut target = CORNERS;
        if phase == Phase::Minor && bishops.any() && one_color && ours(PieceType::Knight).is_empty() {
            target = CORNERS & if (bishops & Bitboard::DARK).any() { Bitboard::DARK } else { !Bitboard::DARK };
        }
        let mut base = p[0] * flights + p[1] * distance(king, own) + p[2] * nearest(king, target);
        let mut runner = None;
        let mut way = Bitboard::EMPTY;
        match phase {
            Phase::Mate => {}
            Phase::Promote => {
                let mut best = i32::MAX;
                for pawn in pawns {
                    let ahead = path(pawn, us);
                    let steps = ahead.count() as i32;
                    let cost = p[9] * steps + p[10] * (ahead & occupied).count() as i32
                        + p[10] * (ahead & position.of_kind(PieceType::Pawn)).count() as i32;
                    if cost < best {
                        best = cost;
                        runner = Some(pawn);
                        way = ahead;
                    }
                }
                base = base * p[17] / 4 + p[11] + best;
            }
            Phase::Minor => {
                let helpers = theirs ^ Bitboard::from(king);
                base += p[14] + p[15] * nearest(king, helpers);
            }
        }
        State { base, may_mate: flights <= 5, phase, king, own, target, zone, runner, path: way }
    }

    /// The estimate of the position after a move.
    pub(super) fn rate(&self, position: &Position, state: &State, mv: Move) -> i32 {
        let p = &self.p;
        let Some(kind) = position.kind_on(mv.from()) else { return state.base };
        let (from, to) = (mv.from(), mv.to());
        let mut rating = state.base;
        let captured = position.captured(mv);
        if position.side_to_move() == self.us {
            if let Some(captured) = captured {
                rating -= if state.phase == Phase::Minor { -8 } else { weight(captured) * p[6] / 2 };
            }
            if mv.promoted() == Some(PieceType::Queen) {
                rating -= p[11] * 2;
            }
            match kind {
                PieceType::King if !mv.is_castling() => {
                    rating += p[1] * (distance(to, state.king) - distance(from, state.king));
                    if state.path.has(to) { rating += p[10] / 2 }
                    if state.path.has(from) { rating -= p[10] / 2 }
                }
                PieceType::Pawn => rating -= if state.runner == Some(from) { p[13] } else { p[16] },
                _ => {
                    rating += p[5] + p[12] * (distance(to, state.king) - distance(from, state.king));
                    if state.path.has(to) { rating += p[10] / 2 }
                    if state.path.has(from) { rating -= p[10] / 2 }
                }
            }
        } else {
            if let Some(captured) = captured {
                rating += 3 + p[7] * weight(captured);
                if state.runner == Some(to) {
                    rating += p[19];
                }
            }
            if state.path.has(to) {
                rating += p[10] / 2;
            }
            if state.path.has(from) {
                rating -= p[10] / 2;
            }
            if kind == PieceType::King {
                rating += p[2] * (nearest(to, state.target) - nearest(from, state.target));
                rating += p[1] * (distance(to, state.own) - distance(from, state.own));
            } else {
                rating += p[4];
                if state.zone.has(to) {
                    rating -= p[8];
                }
                if state.zone.has(from) {
                    rating += p[8];
                }
                if state.phase == Phase::Minor {
                    if kind == PieceType::Pawn {
                        rating -= p[18];
                    } else {
                        rating += p[15] * (distance(to, state.king) - distance(from, state.king));
                    }
                }
                if let Some(piece) = mv.promoted() {
                    rating += if piece == PieceType::Queen || piece == PieceType::Rook { 4 } else { -2 };
                }
            }
        }
        let _ = (File::A, Rank::First);
        rating
    }
}
