//! What the search learned from earlier cutoffs: which moves tend to be good, and by how much the static evaluation
//! tends to be wrong (<https://www.chessprogramming.org/History_Heuristic>,
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::params;
use crate::board::Position;
use crate::types::{Color, Depth, Key, Move, Piece, PieceType, Score, Square};

/// Every value of a move stays between minus and plus this.
pub(super) const LIMIT: i32 = 16_384;
const CORRECTION_LIMIT: i32 = 1_024;
const CORRECTION_SIZE: usize = 1 << 14;
/// How many plies back a move's continuation histories look.
pub(super) const CONTINUATIONS: [usize; 3] = [1, 2, 4];

/// Moves a value towards a bonus, by less the nearer it is to its limit ("history gravity").
#[inline(always)]
fn pull(value: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    *value = (i32::from(*value) + bonus - i32::from(*value) * bonus.abs() / limit) as i16;
}

/// What a cutoff at this depth adds.
pub(super) fn bonus(depth: Depth) -> i32 {
    (params::history_bonus_factor() * depth).min(params::history_bonus_max())
}

/// What the moves tried in vain before it lose.
pub(super) fn malus(depth: Depth) -> i32 {
    -(params::history_malus_factor() * depth).min(params::history_malus_max())
}

/// A piece and the square it went to, as an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const NUM: usize = Piece::NUM * Square::NUM;

    #[inline(always)]
    pub(super) fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * Square::NUM + to.index()) as u16)
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The last moves before a node as far as its continuation histories look; `None` for null moves and before the root.
pub(super) type Previous = [Option<PieceTo>; CONTINUATIONS.len()];

/// One thread's memory of a game.
pub(super) struct Histories {
    butterfly: Box<[i16]>,
    capture: Box<[i16]>,
    continuation: Box<[i16]>,
    correction_pawn: Box<[i16]>,
    correction_minor: Box<[i16]>,
    correction_non_pawn: [Box<[i16]>; 2],
}

fn zeros(len: usize) -> Box<[i16]> {
    vec![0; len].into_boxed_slice()
}

#[inline(always)]
fn butterfly_index(color: Color, mv: Move) -> usize {
    // From and to are the low twelve bits.
    color.index() << 12 | usize::from(mv.bits() & 0xfff)
}

#[inline(always)]
fn capture_index(piece_to: PieceTo, captured: PieceType) -> usize {
    piece_to.index() * PieceType::NUM + captured.index()
}

#[inline(always)]
fn correction_index(color: Color, key: Key) -> usize {
    color.index() * CORRECTION_SIZE + key.0 as usize % CORRECTION_SIZE
}

impl Histories {
    pub(super) fn new() -> Histories {
        Histories {
            butterfly: zeros(2 << 12),
            capture: zeros(PieceTo::NUM * PieceType::NUM),
            continuation: zeros(PieceTo::NUM * PieceTo::NUM),
            correction_pawn: zeros(2 * CORRECTION_SIZE),
            correction_minor: zeros(2 * CORRECTION_SIZE),
            correction_non_pawn: [zeros(2 * CORRECTION_SIZE), zeros(2 * CORRECTION_SIZE)],
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Histories::new();
    }

    /// How good a quiet move has been; between minus and plus four times [`LIMIT`].
    #[inline(always)]
    pub(super) fn quiet(&self, color: Color, mv: Move, piece_to: PieceTo, previous: &Previous) -> i32 {
        let own = i32::from(self.butterfly[butterfly_index(color, mv)]);
        let after =
            |before: &PieceTo| i32::from(self.continuation[before.index() * PieceTo::NUM + piece_to.index()]);
        own + previous.iter().flatten().map(after).sum::<i32>()
    }

    /// How good a capture, or a promotion to a queen, has been.
    #[inline(always)]
    pub(super) fn capture(&self, piece_to: PieceTo, captured: PieceType) -> i32 {
        i32::from(self.capture[capture_index(piece_to, captured)])
    }

    pub(super) fn update_quiet(
        &mut self,
        color: Color,
        mv: Move,
        piece_to: PieceTo,
        previous: &Previous,
        bonus: i32,
    ) {
        pull(&mut self.butterfly[butterfly_index(color, mv)], bonus, LIMIT);
        for before in previous.iter().flatten() {
            pull(&mut self.continuation[before.index() * PieceTo::NUM + piece_to.index()], bonus, LIMIT);
        }
    }

    pub(super) fn update_capture(&mut self, piece_to: PieceTo, captured: PieceType, bonus: i32) {
        pull(&mut self.capture[capture_index(piece_to, captured)], bonus, LIMIT);
    }

    /// By how much the evaluation of such positions has been too low, in score units.
    #[inline]
    pub(super) fn correction(&self, position: &Position) -> i32 {
        let color = position.side_to_move();
        let keys = position.keys();
        let at = |table: &[i16], key| i32::from(table[correction_index(color, key)]);
        let sum = params::correction_pawn() * at(&self.correction_pawn, keys.pawns)
            + params::correction_minor() * at(&self.correction_minor, keys.minor)
            + params::correction_non_pawn()
                * (at(&self.correction_non_pawn[0], keys.non_pawn[0])
                    + at(&self.correction_non_pawn[1], keys.non_pawn[1]));
        sum / (CORRECTION_LIMIT * 16)
    }

    /// Learns from a search whose result differs from the static evaluation by `error`.
    pub(super) fn update_correction(&mut self, position: &Position, depth: Depth, error: i32) {
        let color = position.side_to_move();
        let keys = position.keys();
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        let learn =
            |table: &mut [i16], key| pull(&mut table[correction_index(color, key)], bonus, CORRECTION_LIMIT);
        learn(&mut self.correction_pawn, keys.pawns);
        learn(&mut self.correction_minor, keys.minor);
        for color in Color::ALL {
            learn(&mut self.correction_non_pawn[color.index()], keys.non_pawn[color.index()]);
        }
    }

    /// The evaluation with its usual error taken off.
    #[inline]
    pub(super) fn corrected(&self, position: &Position, eval: Score) -> Score {
        (eval + self.correction(position)).clamp_eval()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_limits() {
        let mut value = 0;
        for _ in 0..1_000 {
            pull(&mut value, 3_000, LIMIT);
        }
        assert!(i32::from(value) <= LIMIT && i32::from(value) > LIMIT - 100);
        for _ in 0..1_000 {
            pull(&mut value, -40_000, LIMIT);
        }
        assert_eq!(i32::from(value), -LIMIT);
    }

    #[test]
    fn correction_goes_the_way_of_the_error_and_is_bounded() {
        let mut histories = Histories::new();
        let position = Position::default();
        for _ in 0..200 {
            histories.update_correction(&position, 12, 80);
        }
        let high = histories.correction(&position);
        assert!(high > 40 && high < 400, "{high}");
        assert_eq!(histories.correction(&position.after_null()), 0, "the other side to move");
    }
}
