//! What the search learned from earlier cutoffs: which moves tend to be good, and by how much the static evaluation
//! tends to be wrong (<https://www.chessprogramming.org/History_Heuristic>,
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::context::{Context, Previous};
use super::params;
use crate::board::Position;
use crate::sys::memory::Pages;
use crate::types::{Color, Depth, Key, Move, Piece, PieceType, Score, Square};
use std::num::NonZeroU16;

/// Every value of a move stays between minus and plus this.
pub(super) const LIMIT: i32 = 16_384;
const CORRECTION_LIMIT: i32 = 1_024;
const CORRECTION_SIZE: usize = 1 << 14;
/// Tables of corrections, one for each way to tell positions apart.
const CORRECTIONS: usize = 4;
/// Pawn structures that have a history of their own; more share one.
const PAWN_STRUCTURES: usize = 1 << 9;

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

/// A piece and the square it went to, as an index from 1: an `Option` of it is as small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(NonZeroU16);

impl PieceTo {
    const NUM: usize = Piece::NUM * Square::NUM;

    #[inline(always)]
    pub(super) fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo(NonZeroU16::MIN.saturating_add((piece.index() * Square::NUM + to.index()) as u16))
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0.get()) - 1
    }
}

/// Where a quiet move has its butterfly history.
#[derive(Clone, Copy)]
pub(super) struct Butterfly(u16);

impl Butterfly {
    const NUM: usize = 8 << 12;

    /// By side, whether the other side attacks the squares that it comes from and goes to, and those squares.
    #[inline(always)]
    pub(super) fn new(context: &Context, mv: Move) -> Butterfly {
        let threatened = |square| u16::from(context.threats.all.has(square));
        let flags = (context.color.index() as u16) << 2 | threatened(mv.from()) << 1 | threatened(mv.to());
        // From and to are the low twelve bits.
        Butterfly(flags << 12 | mv.bits() & 0xfff)
    }
}

/// One thread's memory of a game: all tables in one piece of memory, since moves look them up all over.
pub(super) struct Histories {
    values: Pages<i16>,
}

/// Where each table begins.
mod start {
    use super::*;

    pub(super) const BUTTERFLY: usize = 0;
    pub(super) const PAWN: usize = BUTTERFLY + Butterfly::NUM;
    pub(super) const CONTINUATION: usize = PAWN + PAWN_STRUCTURES * PieceTo::NUM;
    pub(super) const CAPTURE: usize = CONTINUATION + (1 + PieceTo::NUM) * PieceTo::NUM;
    pub(super) const CORRECTION: usize = CAPTURE + PieceTo::NUM * PieceType::NUM;
    /// Behind the last.
    pub(super) const END: usize = CORRECTION + CORRECTIONS * Color::NUM * CORRECTION_SIZE;
}

#[inline(always)]
fn butterfly_index(butterfly: Butterfly) -> usize {
    start::BUTTERFLY + usize::from(butterfly.0)
}

/// Where the pawn history of a structure begins.
#[inline(always)]
fn pawn_row(pawns: Key) -> usize {
    start::PAWN + pawns.0 as usize % PAWN_STRUCTURES * PieceTo::NUM
}

/// Where the continuation history of a move begins. No move before has a row of its own, which stays zero.
#[inline(always)]
fn continuation_row(before: Option<PieceTo>) -> usize {
    start::CONTINUATION + before.map_or(0, |before| usize::from(before.0.get())) * PieceTo::NUM
}

#[inline(always)]
fn capture_index(piece_to: PieceTo, captured: PieceType) -> usize {
    start::CAPTURE + piece_to.index() * PieceType::NUM + captured.index()
}

/// Where the errors of the evaluation are kept for positions like this one: by pawns, minor pieces, White's pieces and
/// Black's.
#[inline(always)]
fn correction_indices(position: &Position) -> [usize; CORRECTIONS] {
    let keys = position.keys();
    let keys = [keys.pawns, keys.minor, keys.non_pawn[0], keys.non_pawn[1]];
    let color = position.side_to_move().index();
    std::array::from_fn(|table| {
        start::CORRECTION
            + (Color::NUM * table + color) * CORRECTION_SIZE
            + keys[table].0 as usize % CORRECTION_SIZE
    })
}

impl Histories {
    pub(super) fn new() -> Histories {
        Histories { values: Pages::new(start::END, |_| 0) }
    }

    /// The same; `None` if the system has not got the memory.
    pub(super) fn try_new() -> Option<Histories> {
        Pages::try_new(start::END, |_| 0).map(|values| Histories { values })
    }

    pub(super) fn clear(&mut self) {
        self.values.fill(0);
    }

    /// How good a quiet move has been; some five times [`LIMIT`] at most.
    #[inline(always)]
    pub(super) fn quiet(&self, context: &Context, mv: Move, piece_to: PieceTo) -> i32 {
        let at = |index: usize| i32::from(self.values[index]);
        let [first, second, fourth, sixth] =
            context.previous.map(|before| at(continuation_row(before) + piece_to.index()));
        (at(butterfly_index(Butterfly::new(context, mv))) * params::weight_butterfly()
            + at(pawn_row(context.pawns) + piece_to.index()) * params::weight_pawn()
            + first * params::weight_last()
            + second * params::weight_second()
            + fourth * params::weight_fourth()
            + sixth * params::weight_sixth())
            / 16
    }

    /// How good a capture, or a promotion to a queen, has been.
    #[inline(always)]
    pub(super) fn capture(&self, piece_to: PieceTo, captured: PieceType) -> i32 {
        i32::from(self.values[capture_index(piece_to, captured)])
    }

    pub(super) fn update_quiet(&mut self, context: &Context, mv: Move, piece_to: PieceTo, bonus: i32) {
        self.update_butterfly(Butterfly::new(context, mv), bonus);
        pull(&mut self.values[pawn_row(context.pawns) + piece_to.index()], bonus, LIMIT);
        self.update_continuation(&context.previous, piece_to, bonus);
    }

    /// Judges a quiet move by the moves before it alone.
    pub(super) fn update_continuation(&mut self, previous: &Previous, piece_to: PieceTo, bonus: i32) {
        for before in previous.iter().filter(|before| before.is_some()) {
            pull(&mut self.values[continuation_row(*before) + piece_to.index()], bonus, LIMIT);
        }
    }

    /// Judges a quiet move by the squares that it came from and went to alone.
    pub(super) fn update_butterfly(&mut self, butterfly: Butterfly, bonus: i32) {
        pull(&mut self.values[butterfly_index(butterfly)], bonus, LIMIT);
    }

    pub(super) fn update_capture(&mut self, piece_to: PieceTo, captured: PieceType, bonus: i32) {
        pull(&mut self.values[capture_index(piece_to, captured)], bonus, LIMIT);
    }

    /// By how much the evaluation of such positions has been too low, in score units.
    #[inline]
    pub(super) fn correction(&self, position: &Position) -> i32 {
        let [pawns, minor, white, black] =
            correction_indices(position).map(|index| i32::from(self.values[index]));
        let sum = params::correction_pawn() * pawns
            + params::correction_minor() * minor
            + params::correction_non_pawn() * (white + black);
        sum / (CORRECTION_LIMIT * 16)
    }

    /// Learns from a search whose result differs from the static evaluation by `error`.
    pub(super) fn update_correction(&mut self, position: &Position, depth: Depth, error: i32) {
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for index in correction_indices(position) {
            pull(&mut self.values[index], bonus, CORRECTION_LIMIT);
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
    fn what_a_move_is_worth_depends_on_threats_pawns_and_the_moves_before() {
        let mut histories = Histories::new();
        let mv = Move::normal(Square::G1, Square::F3);
        let piece_to = PieceTo::new(Piece::WhiteKnight, Square::F3);
        let context = |fen: &str, last: Option<PieceTo>| {
            Context::new(&Position::from_fen(fen).unwrap(), [last, None, None, None])
        };
        let learnt = context("4k3/8/8/8/8/8/P7/4K1N1 w - - 0 1", Some(piece_to));
        histories.update_quiet(&learnt, mv, piece_to, 1_600);
        let [squares, pawns, after] =
            [params::weight_butterfly(), params::weight_pawn(), params::weight_last()]
                .map(|weight| 1_600 * weight / 16);
        assert_eq!(histories.quiet(&learnt, mv, piece_to), squares + pawns + after);
        for (fen, last, rest) in [
            ("4k3/8/8/8/8/8/P7/4K1N1 w - - 0 1", None, squares + pawns),
            ("4k3/8/8/8/8/8/1P6/4K1N1 w - - 0 1", Some(piece_to), squares + after),
            ("4k1r1/8/8/8/8/8/P7/4K1N1 w - - 0 1", Some(piece_to), pawns + after),
            ("4kr2/8/8/8/8/8/P7/4K1N1 w - - 0 1", Some(piece_to), pawns + after),
            ("4k3/7p/8/8/8/8/P7/4K1N1 w - - 0 1", None, squares),
        ] {
            assert_eq!(histories.quiet(&context(fen, last), mv, piece_to), rest, "{fen}");
        }
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
