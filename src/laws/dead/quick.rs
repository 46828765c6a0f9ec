//! What can be told at once, after every move of a game.

use super::classes::{Classes, Proof};
use super::material::lacks_material;
use crate::board::tables::{king_attack_set, pawn_attack_set};
use crate::board::{Board, Position};
use crate::types::{Bitboard, Color, PieceType};

/// True if there are pawns and bishops only, and most of the pawns stand before another one: the kind of position in
/// which a proof by pawn structures is worth its time.
pub(super) fn is_blocked(board: &Board) -> bool {
    let pieces =
        board.of_kind(PieceType::Queen) | board.of_kind(PieceType::Rook) | board.of_kind(PieceType::Knight);
    let pawns = board.of_kind(PieceType::Pawn);
    if pieces.any() || pawns.is_empty() {
        return false;
    }
    let white = board.pieces(Color::White, PieceType::Pawn);
    let black = board.pieces(Color::Black, PieceType::Pawn);
    let free = white.without(pawns.shift(-8)) | black.without(pawns.shift(8));
    free.count() <= 2 && pawns.count() >= 2 * free.count() + 2
}

/// True if the king of `side`, were the board its own but for pawns, walks to a pawn that no pawn guards. With few
/// pawns the structure does not hold then, and to find that out would take a millisecond after every move of an ending.
fn takes_a_pawn(board: &Board, side: Color) -> bool {
    let pawns = board.pieces(!side, PieceType::Pawn);
    let guarded = pawn_attack_set(pawns, !side);
    let closed = board.of_kind(PieceType::Pawn) | guarded;
    let mut walked = Bitboard::from(board.king(side));
    loop {
        let next = king_attack_set(walked);
        if (next & pawns.without(guarded)).any() {
            return true;
        }
        let wider = walked | next.without(closed);
        if wider == walked {
            return false;
        }
        walked = wider;
    }
}

/// See [`super::Solver::is_dead_quick`].
pub(super) fn is_dead(position: &Position, classes: &mut Classes) -> bool {
    if position.is_insufficient_material() {
        return true;
    }
    // Moves are forced in check, or if there is hardly anything to move.
    let movers = position.of_color(position.side_to_move());
    let few = (movers & position.of_kind(PieceType::Pawn)).count() <= 2
        && !movers.without(position.of_kind(PieceType::Pawn)).several();
    if (position.in_check() || few) && ends_dead(position, FORCED_PLIES, &mut { FORCED_NODES }) {
        return true;
    }
    let few_pawns = position.of_kind(PieceType::Pawn).count() < 8;
    let is_open = || few_pawns && Color::ALL.into_iter().any(|side| takes_a_pawn(position, side));
    is_blocked(position)
        && !is_open()
        && !super::search::has_too_many_moves(position)
        && !position.has_no_moves()
        && Color::ALL
            .into_iter()
            .all(|side| lacks_material(position, side) || classes.prove(position, side, 4) == Proof::Proved)
}

/// How far forced moves are followed, with how many choices, and how many positions in all.
const FORCED_PLIES: u32 = 6;
const FORCED_CHOICES: usize = 3;
const FORCED_NODES: u32 = 40;

/// True if every line of a few forced moves ends in stalemate or without material.
fn ends_dead(position: &Position, plies: u32, nodes: &mut u32) -> bool {
    if super::search::has_too_many_moves(position) {
        return false;
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        return !position.in_check();
    }
    if position.is_insufficient_material() {
        return true;
    }
    if plies == 0 || moves.len() > FORCED_CHOICES || *nodes < moves.len() as u32 {
        return false;
    }
    *nodes -= moves.len() as u32;
    moves.into_iter().all(|mv| ends_dead(&position.after(mv), plies - 1, nodes))
}
