//! Another estimate of how far a position is from a helpmate: by the squares that their king can still flee to.
//!
//! Slower than [`super::estimate`] and mostly worse, but not misled by the same positions: in composed ones, where
//! men are many and hardly any can move, the way to the mate is often a way of shutting the king in.

use super::estimate::{nearest, target, weight};
use crate::board::Position;
use crate::board::tables::king_attacks;
use crate::types::{Bitboard, Color, Move, PieceType, Square};

/// The numbers that the estimate is made of. They steer the search and nothing else.
mod worth {
    /// A square that their king may go to.
    pub(super) const FLIGHT: i32 = 6;
    /// A step between the kings, and one of their king to its corner.
    pub(super) const STEP: i32 = 3;
    /// Having no heavy piece yet, and a step of the foremost pawn; steps that minor pieces stand for.
    pub(super) const NO_HEAVY: i32 = 10;
    pub(super) const PAWN_STEP: i32 = 5;
    pub(super) const MINORS: i32 = 3;
    pub(super) const LONE_MINOR: i32 = 7;
    /// Promotion of ours to a queen, or to something else.
    pub(super) const QUEEN: i32 = 12;
    pub(super) const OTHER: i32 = 6;
    /// What our men lose by a capture, by their usual value.
    pub(super) const LOSS: i32 = 3;
    /// A man of theirs beside its king.
    pub(super) const BESIDE: i32 = 3;
    /// A man taken, or a pawn step of theirs, where we need their men in their king's way.
    pub(super) const HELPER: i32 = 4;
    /// Promotion of theirs to a piece that guards much, or to one that guards little.
    pub(super) const GUARD: i32 = 4;
    pub(super) const NO_GUARD: i32 = -2;
}

/// What is known of one position before its moves are rated.
pub(super) struct State {
    base: i32,
    us: Color,
    king: Square,
    own: Square,
    target: Bitboard,
    zone: Bitboard,
    heavy: bool,
    /// Their men have to stand in their king's way.
    helpers: bool,
}

/// The estimate of a position for `us` and what rating its moves needs.
pub(super) fn look(position: &Position, us: Color) -> State {
    let king = position.king(!us);
    let own = position.king(us);
    let zone = king_attacks(king);
    let without_king = position.occupied() ^ Bitboard::from(king);
    let ours = position.of_color(us);
    let is_flight = |square: &Square| (position.attackers_to(*square, without_king) & ours).is_empty();
    let flights = zone.without(position.of_color(!us)).into_iter().filter(is_flight).count() as i32;
    let of = |kind| position.pieces(us, kind);
    let heavy = (of(PieceType::Queen) | of(PieceType::Rook)).any();
    let target = target(position, us, heavy);
    let minors = of(PieceType::Bishop).count() + of(PieceType::Knight).count();
    let pawns = of(PieceType::Pawn);
    let mut base = 20 + worth::FLIGHT * flights + worth::STEP * (king.distance(own) + nearest(king, target));
    if !heavy {
        // Without a heavy piece the nearest pawn has to become one.
        let steps = pawns.into_iter().map(|pawn| 7 - pawn.rank().relative_to(us).index() as i32).min();
        let none = if minors > 1 { worth::MINORS } else { worth::LONE_MINOR };
        base += worth::NO_HEAVY + worth::PAWN_STEP * steps.unwrap_or(none);
    }
    let bishops = of(PieceType::Bishop);
    let one_color = (bishops & Bitboard::DARK).is_empty() || bishops.without(Bitboard::DARK).is_empty();
    let weak = minors < 2 || (one_color && of(PieceType::Knight).is_empty());
    State { base, us, king, own, target, zone, heavy, helpers: !heavy && pawns.is_empty() && weak }
}

/// The estimate of the position after a move.
pub(super) fn rate(position: &Position, state: &State, mv: Move) -> i32 {
    let Some(kind) = position.kind_on(mv.from()) else { return state.base };
    let (from, to) = (mv.from(), mv.to());
    let mut rating = state.base;
    let captured = position.captured(mv);
    if position.side_to_move() == state.us {
        rating += match captured {
            Some(_) if state.helpers => worth::HELPER,
            Some(captured) => -weight(captured),
            None => 0,
        };
        rating -= match mv.promoted() {
            Some(PieceType::Queen) => worth::QUEEN,
            Some(_) => worth::OTHER,
            None => 0,
        };
        let nearer = to.distance(state.king) - from.distance(state.king);
        return rating
            + match kind {
                PieceType::King if !mv.is_castling() => worth::STEP * nearer,
                PieceType::Pawn if state.heavy => -1,
                PieceType::Pawn => -worth::PAWN_STEP,
                _ => nearer,
            };
    }
    if let Some(captured) = captured {
        rating += worth::LOSS * (1 + weight(captured));
    }
    if kind == PieceType::King {
        let corner = nearest(to, state.target) - nearest(from, state.target);
        return rating + worth::STEP * (corner + to.distance(state.own) - from.distance(state.own));
    }
    rating -= worth::BESIDE * (i32::from(state.zone.has(to)) - i32::from(state.zone.has(from)));
    if kind == PieceType::Pawn && state.helpers {
        rating -= worth::HELPER;
    }
    rating
        + match mv.promoted() {
            Some(PieceType::Queen | PieceType::Rook) => worth::GUARD,
            Some(_) => worth::NO_GUARD,
            None => 0,
        }
}
