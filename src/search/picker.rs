//! The order in which a node tries its moves: the table's move, captures that do not lose material, quiet moves,
//! captures that do. Each portion is only made when it is reached.

use super::context::Context;
use super::history::{Histories, PieceTo};
use super::params;
use crate::board::Position;
use crate::board::see::SEE_VALUES;
use crate::movegen::{MAX_MOVES, Portion};
use crate::types::{Move, PieceType};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    MakeQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// Hands out the legal moves of a node one by one, the likeliest best first.
pub(super) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    quiets_wanted: bool,
    /// The moves of this stage that are still to come.
    moves: ArrayVec<Move, MAX_MOVES>,
    /// For each of them its [`key`].
    keys: ArrayVec<i32, MAX_MOVES>,
    bad_captures: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
}

impl Picker {
    /// All moves. `table_move` is played first if it is legal.
    #[inline(always)]
    pub(super) fn all(position: &Position, table_move: Option<Move>) -> Picker {
        Picker::new(table_move.filter(|&mv| position.is_legal(mv)), true)
    }

    /// Captures and promotions to a queen only.
    #[inline(always)]
    pub(super) fn noisy(position: &Position, table_move: Option<Move>) -> Picker {
        Picker::new(table_move.filter(|&mv| position.is_noisy(mv) && position.is_legal(mv)), false)
    }

    #[inline(always)]
    fn new(table_move: Option<Move>, quiets_wanted: bool) -> Picker {
        Picker {
            stage: Stage::Table,
            table_move,
            quiets_wanted,
            moves: ArrayVec::new(),
            keys: ArrayVec::new(),
            bad_captures: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// No more quiet moves from now on.
    pub(super) fn skip_quiets(&mut self) {
        self.quiets_wanted = false;
    }

    /// True if the last move is a capture that loses no material; it need not be asked again.
    #[inline(always)]
    pub(super) fn gave_good_capture(&self) -> bool {
        self.stage == Stage::GoodCaptures
    }

    /// True if the last move is a capture that loses material.
    #[inline(always)]
    pub(super) fn gave_bad_capture(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// The next move. Without a context only captures and promotions to a queen come.
    #[inline(always)]
    pub(super) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: Option<&Context>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeCaptures => {
                    self.make_captures(position, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.pick() {
                    Some(mv) if position.see_at_least(mv, 0) => return Some(mv),
                    Some(mv) => self.bad_captures.push(mv),
                    None => self.stage = Stage::MakeQuiets,
                },
                Stage::MakeQuiets => {
                    if let (true, Some(context)) = (self.quiets_wanted, context) {
                        self.make_quiets(position, histories, context);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.pick().filter(|_| self.quiets_wanted) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    self.next_bad += 1;
                    match self.bad_captures.get(self.next_bad - 1) {
                        Some(&mv) => return Some(mv),
                        None => self.stage = Stage::Done,
                    }
                }
                Stage::Done => return None,
            }
        }
    }

    // These two are long and seldom reached, [`Picker::next`] is asked for every move: it stays small without them.

    #[inline(never)]
    fn make_captures(&mut self, position: &Position, histories: &Histories) {
        self.make(position, Portion::Captures, |mv| capture_score(position, histories, mv));
    }

    #[inline(never)]
    fn make_quiets(&mut self, position: &Position, histories: &Histories, context: &Context) {
        self.make(position, Portion::Quiets, |mv| {
            let kind = position.kind_on(mv.from()).unwrap_or(PieceType::King);
            let checks = context.checks.from(kind, mv.to())
                && position.see_at_least(mv, -params::check_ordering_loss());
            histories.quiet(context, mv, piece_to(position, mv))
                + escape(context, kind, mv)
                + if checks { params::check_ordering() } else { 0 }
        });
    }

    /// Makes the moves of a portion, without the table's, with their scores. In place: lists of this size are dear to
    /// hand around.
    #[inline(always)]
    fn make(&mut self, position: &Position, portion: Portion, score: impl Fn(Move) -> i32) {
        let table_move = self.table_move;
        let Picker { moves, keys, .. } = self;
        moves.clear();
        position.for_each_move(portion, |mv| {
            if Some(mv) != table_move {
                moves.push(mv);
            }
        });
        keys.clear();
        for (index, &mv) in moves.iter().enumerate() {
            keys.push(key(score(mv), index));
        }
    }

    /// Takes the move with the highest score out, the first of equals.
    #[inline(always)]
    fn pick(&mut self) -> Option<Move> {
        // The largest of many numbers is found several at a time, which their place would not be.
        let index = match self.keys.as_slice() {
            [] => return None,
            keys => place(keys.iter().fold(i32::MIN, |largest, &key| largest.max(key))),
        };
        self.keys.swap_remove(index);
        if let Some(moved) = self.keys.get_mut(index) {
            *moved = key(*moved >> PLACE_BITS, index);
        }
        Some(self.moves.swap_remove(index))
    }
}

/// The low bits of a key.
const PLACE_BITS: u32 = 8;
const _: () = assert!(MAX_MOVES == 1 << PLACE_BITS);

/// A move's score and, in the low bits, its place from behind: keys compare as scores do, and of equal ones the first is
/// the largest. Scores are below 2^23 either way.
#[inline(always)]
fn key(score: i32, index: usize) -> i32 {
    score << PLACE_BITS | (MAX_MOVES - 1 - index) as i32
}

/// The place of the move with this key.
#[inline(always)]
fn place(key: i32) -> usize {
    MAX_MOVES - 1 - key as usize % MAX_MOVES
}

/// What a quiet move gains by leaving the attack of a lesser piece, or loses by going into one, in history units.
#[inline(always)]
fn escape(context: &Context, kind: PieceType, mv: Move) -> i32 {
    let lesser = match kind {
        PieceType::Pawn | PieceType::King => return 0,
        PieceType::Knight | PieceType::Bishop => context.threats.pawns,
        PieceType::Rook => context.threats.by_minors(),
        PieceType::Queen => context.threats.by_rooks(),
    };
    let gained = i32::from(lesser.has(mv.from())) - i32::from(lesser.has(mv.to()));
    gained * SEE_VALUES[kind.index()] * params::escape_ordering()
}

/// Which piece a legal move puts where; the king's square when castling.
#[inline(always)]
pub(super) fn piece_to(position: &Position, mv: Move) -> PieceTo {
    let piece = position.piece_on(mv.from());
    debug_assert!(piece.is_some());
    PieceTo::new(piece.unwrap_or(crate::types::Piece::WhitePawn), position.destination(mv))
}

/// What a noisy move takes; a push that makes a queen counts as taking a pawn.
#[inline(always)]
pub(super) fn victim(position: &Position, mv: Move) -> PieceType {
    position.captured(mv).unwrap_or(PieceType::Pawn)
}

/// Most valuable victim first, with what history says of such captures, and queens before lesser promotions.
#[inline(always)]
fn capture_score(position: &Position, histories: &Histories, mv: Move) -> i32 {
    let promotion = mv.promoted().map_or(0, |piece| SEE_VALUES[piece.index()] * 16);
    let taken = victim(position, mv);
    SEE_VALUES[taken.index()] * 16 + promotion + histories.capture(piece_to(position, mv), taken) / 4
}

#[cfg(test)]
mod tests {
    use super::super::context::CONTINUATIONS;
    use super::*;
    use crate::types::{Color, Square};

    #[test]
    fn a_queen_that_a_rook_attacks_goes_into_safety_first() {
        let position = Position::from_fen("3rk3/8/8/1p6/8/3Q4/PPP2P2/6K1 w - - 0 1").unwrap();
        let histories = Histories::new();
        let context = Context::new(&position, [None; CONTINUATIONS.len()]);
        let mut picker = Picker::all(&position, None);
        let mut quiets = vec![];
        while let Some(mv) = picker.next(&position, &histories, Some(&context)) {
            if !position.is_noisy(mv) && !position.gives_check(mv) {
                quiets.push(mv);
            }
        }
        let attacked = position.attacks_of(Color::Black).all;
        let is_safe = |mv: &&Move| mv.from() == Square::D3 && !attacked.has(mv.to());
        let safe = quiets.iter().filter(is_safe).count();
        assert!(safe > 10 && quiets[..safe].iter().all(|mv| is_safe(&mv)), "{quiets:?}");
    }

    #[test]
    fn the_highest_score_comes_first_and_the_first_of_equals() {
        let scores = [-7, 300, 0, -900_000, 300, 900_000, 0, -7, -8];
        let moves: Vec<Move> =
            Square::ALL.iter().skip(1).map(|&to| Move::normal(Square::A1, to)).take(scores.len()).collect();
        let mut picker = Picker::new(None, true);
        for (index, &score) in scores.iter().enumerate() {
            picker.moves.push(moves[index]);
            picker.keys.push(key(score, index));
        }
        let mut left: Vec<(Move, i32)> = moves.into_iter().zip(scores).collect();
        while !left.is_empty() {
            let highest = left.iter().map(|&(_, score)| score).max().unwrap();
            let first = left.iter().position(|&(_, score)| score == highest).unwrap();
            assert_eq!(picker.pick(), Some(left.swap_remove(first).0));
        }
        assert_eq!(picker.pick(), None);
    }

    #[test]
    fn every_legal_move_comes_once_and_the_tables_first() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let histories = Histories::new();
            let context = Context::new(&position, [None; CONTINUATIONS.len()]);
            let mut legal = position.legal_moves().to_vec();
            let table_move = legal[legal.len() / 2];
            let mut picker = Picker::all(&position, Some(table_move));
            let mut picked = vec![];
            while let Some(mv) = picker.next(&position, &histories, Some(&context)) {
                picked.push(mv);
            }
            assert_eq!(picked[0], table_move);
            picked.sort_by_key(|mv| mv.bits());
            legal.sort_by_key(|mv| mv.bits());
            assert_eq!(picked, legal, "{fen}");
            let mut noisy = Picker::noisy(&position, None);
            while let Some(mv) = noisy.next(&position, &histories, None) {
                assert!(position.is_noisy(mv), "{fen} {mv:?}");
            }
        }
    }
}
