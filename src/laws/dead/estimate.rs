//! How far a position is from a helpmate: what the search goes by, never what it concludes from.

use crate::board::Position;
use crate::board::tables::king_attacks;
use crate::types::{Bitboard, Color, Move, PieceType, Square};

/// The corners, light and dark.
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);

/// The numbers that the estimate is made of, tuned for few nodes on the ends of games and on composed positions.
/// They steer the search and nothing else.
mod worth {
    /// A step between the kings, and one of their king to its corner.
    pub(super) const KINGS: i32 = 3;
    pub(super) const CORNER: i32 = 3;
    /// A move of a piece that brings the mate no nearer.
    pub(super) const IDLE: i32 = 1;
    /// What our men lose by a capture, by their usual value.
    pub(super) const LOSS: i32 = 3;
    /// A man of theirs beside its king.
    pub(super) const BESIDE: i32 = 3;
    /// Having no heavy piece yet; a step of the pawn that is to become one; a man in its way; its advance; its loss.
    pub(super) const NO_HEAVY: i32 = 75;
    pub(super) const STEP: i32 = 8;
    pub(super) const IN_THE_WAY: i32 = 6;
    pub(super) const ADVANCE: i32 = 14;
    pub(super) const RUNNER_LOST: i32 = 5;
    /// Having minor pieces only; taking a man that could stand in their king's way; a pawn step of theirs, which
    /// may become such a man.
    pub(super) const MINORS: i32 = 12;
    pub(super) const HELPER_LOST: i32 = 8;
    pub(super) const HELPER_ADVANCE: i32 = 2;
    /// A man of theirs then that guards more than it stands in the way: a queen, and where there are bishops only all but one.
    pub(super) const SPARE: i32 = 8;
    /// Promotion of theirs to a piece that guards much, or to one that guards little.
    pub(super) const GUARD: i32 = 4;
    pub(super) const NO_GUARD: i32 = -2;
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
}

/// What is known of one position before its moves are rated.
pub(super) struct State {
    /// The estimate of the position.
    base: i32,
    phase: Phase,
    king: Square,
    own: Square,
    target: Bitboard,
    zone: Bitboard,
    /// The pawn nearest to promotion and the squares that it has to cross.
    runner: Option<Square>,
    path: Bitboard,
    /// Men of theirs that had better be taken.
    spare: Bitboard,
}

pub(super) fn nearest(square: Square, targets: Bitboard) -> i32 {
    targets.into_iter().map(|target| square.distance(target)).min().unwrap_or(0)
}

pub(super) fn weight(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 0,
    }
}

/// The corners that their king may be mated in: with nothing but bishops of one colour, those of that colour.
/// `strong` says that we have more than minor pieces.
pub(super) fn target(position: &Position, us: Color, strong: bool) -> Bitboard {
    let bishops = position.pieces(us, PieceType::Bishop);
    if strong || bishops.is_empty() || position.pieces(us, PieceType::Knight).any() {
        return CORNERS;
    }
    match ((bishops & Bitboard::DARK).any(), bishops.without(Bitboard::DARK).any()) {
        (true, false) => CORNERS & Bitboard::DARK,
        (false, true) => CORNERS.without(Bitboard::DARK),
        _ => CORNERS,
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
        Plan { us: side }
    }

    /// The estimate of a position and what rating its moves needs.
    pub(super) fn look(&self, position: &Position) -> State {
        let us = self.us;
        let king = position.king(!us);
        let own = position.king(us);
        let zone = king_attacks(king);
        let theirs = position.of_color(!us);
        let occupied = position.occupied();
        let ours = |kind| position.pieces(us, kind);
        let heavy = (ours(PieceType::Queen) | ours(PieceType::Rook)).any();
        let pawns = ours(PieceType::Pawn);
        let phase = match (heavy, pawns.any()) {
            (true, _) => Phase::Mate,
            (false, true) => Phase::Promote,
            (false, false) => Phase::Minor,
        };
        let target = target(position, us, phase != Phase::Minor);
        let mut base = worth::KINGS * king.distance(own) + worth::CORNER * nearest(king, target);
        let mut runner = None;
        let mut way = Bitboard::EMPTY;
        let mut spare = Bitboard::EMPTY;
        match phase {
            Phase::Mate => {}
            Phase::Promote => {
                let mut best = i32::MAX;
                for pawn in pawns {
                    let ahead = path(pawn, us);
                    let steps = ahead.count() as i32;
                    let men =
                        (ahead & occupied).count() + (ahead & position.of_kind(PieceType::Pawn)).count();
                    let cost = worth::STEP * steps + worth::IN_THE_WAY * men as i32;
                    if cost < best {
                        best = cost;
                        runner = Some(pawn);
                        way = ahead;
                    }
                }
                base += worth::NO_HEAVY + best;
            }
            Phase::Minor => {
                let queens = position.pieces(!us, PieceType::Queen);
                let helpers = theirs.without(queens | Bitboard::from(king));
                let bishops = helpers & position.of_kind(PieceType::Bishop);
                let surplus = if helpers == bishops { bishops.count().saturating_sub(1) } else { 0 };
                spare = queens | if surplus > 0 { bishops } else { Bitboard::EMPTY };
                let cost = worth::SPARE * (queens.count() + surplus) as i32;
                base += worth::MINORS + nearest(king, helpers) + cost;
            }
        }
        State { base, phase, king, own, target, zone, runner, path: way, spare }
    }

    /// The estimate of the position after a move.
    pub(super) fn rate(&self, position: &Position, state: &State, mv: Move) -> i32 {
        let Some(kind) = position.kind_on(mv.from()) else { return state.base };
        let mut rating = state.base;
        // Whoever stands in the runner's way had better leave.
        let (from, to) = (mv.from(), mv.to());
        let pawn = kind == PieceType::Pawn && position.side_to_move() == self.us;
        if !pawn {
            let in_the_way = i32::from(state.path.has(to)) - i32::from(state.path.has(from));
            rating += worth::IN_THE_WAY / 2 * in_the_way;
        }
        rating
            + if position.side_to_move() == self.us {
                self.rate_ours(position, state, kind, mv)
            } else {
                self.rate_theirs(position, state, kind, mv)
            }
    }

    fn rate_ours(&self, position: &Position, state: &State, kind: PieceType, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let mut rating = match position.captured(mv) {
            Some(_) if state.spare.has(to) => -worth::SPARE,
            Some(_) if state.phase == Phase::Minor => worth::HELPER_LOST,
            Some(captured) => -weight(captured),
            None => 0,
        };
        if mv.promoted() == Some(PieceType::Queen) {
            rating -= 2 * worth::NO_HEAVY;
        }
        rating
            + match kind {
                PieceType::King if !mv.is_castling() => {
                    worth::KINGS * (to.distance(state.king) - from.distance(state.king))
                }
                PieceType::Pawn if state.runner == Some(from) => -worth::ADVANCE,
                PieceType::Pawn => 0,
                _ => worth::IDLE,
            }
    }

    fn rate_theirs(&self, position: &Position, state: &State, kind: PieceType, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let mut rating = 0;
        if let Some(captured) = position.captured(mv) {
            rating += worth::LOSS * (1 + weight(captured));
            if state.runner == Some(to) {
                rating += worth::RUNNER_LOST;
            }
        }
        if kind == PieceType::King {
            return rating
                + worth::CORNER * (nearest(to, state.target) - nearest(from, state.target))
                + worth::KINGS * (to.distance(state.own) - from.distance(state.own));
        }
        if kind == PieceType::Queen && state.phase == Phase::Minor {
            return rating;
        }
        rating -= worth::BESIDE * (i32::from(state.zone.has(to)) - i32::from(state.zone.has(from)));
        if state.phase == Phase::Minor {
            rating += if kind == PieceType::Pawn {
                -worth::HELPER_ADVANCE
            } else {
                to.distance(state.king) - from.distance(state.king)
            };
        }
        rating
            + match mv.promoted() {
                Some(PieceType::Queen | PieceType::Rook) => worth::GUARD,
                Some(_) => worth::NO_GUARD,
                None => 0,
            }
    }
}
