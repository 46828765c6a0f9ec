//! How far a position is from a helpmate: what the search goes by, never what it concludes from.

use crate::board::Position;
use crate::board::tables::{king_attacks, pawn_attacks};
use crate::types::{Bitboard, Color, Move, PieceType, Rank, Square};

/// The corners, light and dark.
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);

/// What the winner aims at from one root.
#[derive(Clone, Copy, Default)]
pub(super) struct Plan {
    side: Option<Color>,
}

/// What is known of one position before its moves are rated.
pub(super) struct State {
    /// The estimate of the position.
    base: i32,
    /// False if no single move can mate.
    pub(super) may_mate: bool,
    king: Square,
    target: Bitboard,
    zone: Bitboard,
    heavy: bool,
    helpers: bool,
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

impl Plan {
    pub(super) fn new(_root: &Position, side: Color) -> Plan {
        Plan { side: Some(side) }
    }

    fn side(&self) -> Color {
        self.side.unwrap_or(Color::White)
    }

    /// The estimate of a position and what rating its moves needs.
    pub(super) fn look(&self, position: &Position) -> State {
        let us = self.side();
        let king = position.king(!us);
        let own = position.king(us);
        let zone = king_attacks(king);
        let theirs = position.of_color(!us);
        let without_king = position.occupied() ^ Bitboard::from(king);
        let mut flights = 0;
        for square in zone.without(theirs) {
            if (position.attackers_to(square, without_king) & position.of_color(us)).is_empty() {
                flights += 1;
            }
        }
        let ours = |kind| position.pieces(us, kind);
        let heavy = (ours(PieceType::Queen) | ours(PieceType::Rook)).any();
        let bishops = ours(PieceType::Bishop);
        let one_color = (bishops & Bitboard::DARK).is_empty() || bishops.without(Bitboard::DARK).is_empty();
        let target = if !heavy && bishops.any() && one_color && ours(PieceType::Knight).is_empty() {
            let color = if (bishops & Bitboard::DARK).any() { Bitboard::DARK } else { !Bitboard::DARK };
            CORNERS & color
        } else {
            CORNERS
        };
        let minors = bishops.count() + ours(PieceType::Knight).count();
        let pawns = ours(PieceType::Pawn);
        let mut base = 20 + 6 * flights + 3 * distance(king, own) + 3 * nearest(king, target);
        if !heavy {
            // Without a heavy piece the nearest pawn has to become one.
            let steps = pawns
                .into_iter()
                .map(|pawn| 7 - pawn.rank().relative_to(us).index() as i32)
                .min()
                .unwrap_or(if minors > 1 { 3 } else { 7 });
            base += 10 + 5 * steps;
        }
        let helpers =
            !heavy && pawns.is_empty() && (minors < 2 || (one_color && ours(PieceType::Knight).is_empty()));
        State { base, may_mate: flights <= 5, king, target, zone, heavy, helpers }
    }

    /// The estimate of the position after a move.
    pub(super) fn rate(&self, position: &Position, state: &State, mv: Move) -> i32 {
        let us = self.side();
        let Some(kind) = position.kind_on(mv.from()) else { return state.base };
        let (from, to) = (mv.from(), mv.to());
        let mut rating = state.base;
        let captured = position.captured(mv);
        if position.side_to_move() == us {
            if let Some(captured) = captured {
                rating -= if state.helpers { -4 } else { weight(captured) };
            }
            if let Some(piece) = mv.promoted() {
                rating -= if piece == PieceType::Queen { 12 } else { 6 };
            }
            match kind {
                PieceType::King if !mv.is_castling() => {
                    rating += 3 * (distance(to, state.king) - distance(from, state.king));
                }
                PieceType::Pawn if !state.heavy => rating -= 5,
                PieceType::Pawn => rating -= 1,
                _ => {
                    rating += distance(to, state.king) - distance(from, state.king);
                }
            }
        } else {
            if let Some(captured) = captured {
                rating += 3 + 3 * weight(captured);
            }
            if kind == PieceType::King {
                rating += 3 * (nearest(to, state.target) - nearest(from, state.target));
                let own = position.king(us);
                rating += 3 * (distance(to, own) - distance(from, own));
            } else {
                if state.zone.has(to) {
                    rating -= 3;
                }
                if state.zone.has(from) {
                    rating += 3;
                }
                if kind == PieceType::Pawn && state.helpers {
                    rating -= 4;
                }
                if let Some(piece) = mv.promoted() {
                    rating += if piece == PieceType::Queen || piece == PieceType::Rook { 4 } else { -2 };
                }
            }
        }
        let _ = (pawn_attacks(us, from), Rank::First);
        rating
    }
}
