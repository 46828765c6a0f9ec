//! Whether a mate can stand on the board under a pawn structure.

use super::region::{Class, Man, OURS, THEIRS, pawn_hits};
use crate::board::tables::{between, king_attacks};
use crate::types::{Bitboard, Square};
use arrayvec::ArrayVec;

/// What is asked again and again of a closed class.
pub(super) struct MateTest<'a> {
    men: &'a [Man],
    /// What is always in the way, their king apart.
    walls: Bitboard,
    pawn_hits: Bitboard,
    /// What all our men may attack.
    all_hits: Bitboard,
    /// By our man, what all our others may attack.
    others: ArrayVec<Bitboard, 32>,
    /// Squares that their king can never go to because its own men stand there.
    blocked: Bitboard,
}

/// Who may give the mating check.
#[derive(Clone, Copy)]
pub(super) enum Checker {
    /// Any man, but no pawn.
    Man,
    /// A slider through this square, which has just been left.
    Through(Square),
    /// The pawn that has just arrived on this square, or a slider from anywhere.
    Pawn(Square),
}

impl<'a> MateTest<'a> {
    pub(super) fn new(class: &'a Class) -> MateTest<'a> {
        let fixed = class.fixed();
        let kings = class.king_squares();
        let mut walls = class.pawns[0] | class.pawns[1] | fixed[0] | fixed[1];
        if !kings[OURS].several() {
            walls |= kings[OURS];
        }
        let hits: ArrayVec<Bitboard, 32> = class
            .men
            .iter()
            .map(|man| match man.side {
                OURS => man.hits(walls),
                _ => Bitboard::EMPTY,
            })
            .collect();
        let others = (0..hits.len())
            .map(|index| {
                let rest = hits.iter().enumerate().filter(|&(other, _)| other != index);
                rest.fold(Bitboard::EMPTY, |all, (_, &hits)| all | hits)
            })
            .collect();
        MateTest {
            men: &class.men,
            walls,
            pawn_hits: pawn_hits(class.pawns[OURS], OURS),
            all_hits: hits.iter().fold(Bitboard::EMPTY, |all, &hits| all | hits),
            others,
            blocked: class.pawns[THEIRS] | fixed[THEIRS],
        }
    }

    /// True if their king on `king` may be mated with ours on `own`.
    pub(super) fn possible(&self, king: Square, own: Square, checker: Checker) -> bool {
        let flights = king_attacks(king).without(self.blocked | self.pawn_hits | king_attacks(own));
        let rest = flights.without(self.all_hits);
        if !self.can_block(rest, own) {
            return false;
        }
        if let Checker::Pawn(pawn) = checker
            && pawn_hits(Bitboard::from(pawn), OURS).has(king)
            && !rest.has(pawn)
        {
            return true;
        }
        for (index, man) in self.men.iter().enumerate().filter(|(_, man)| man.side == OURS) {
            if !man.kind.slides() && !matches!(checker, Checker::Man) {
                continue;
            }
            let left = flights.without(self.others[index]);
            let from = man.attackers(king, self.walls);
            for square in from {
                if square == own || between(square, king).has(own) {
                    continue;
                }
                if let Checker::Through(through) = checker
                    && !between(square, king).has(through)
                {
                    continue;
                }
                let hit = man.kind.attacks(OURS, square, self.walls);
                if self.can_block(left.without(hit), square) {
                    return true;
                }
            }
        }
        false
    }

    /// True if different men of theirs may stand on all of `squares`, the checker standing on `checker`.
    fn can_block(&self, squares: Bitboard, checker: Square) -> bool {
        if squares.is_empty() {
            return true;
        }
        if squares.has(checker) {
            return false;
        }
        let men: ArrayVec<Bitboard, 32> = self
            .men
            .iter()
            .filter(|man| man.side == THEIRS && man.at.without(self.blocked).any())
            .map(|man| man.at)
            .collect();
        squares.count() as usize <= men.len() && assign(squares, &men, 0)
    }
}

/// True if each of `squares` can have a man of its own.
fn assign(mut squares: Bitboard, men: &[Bitboard], used: u32) -> bool {
    let Some(square) = squares.pop_first() else { return true };
    men.iter().enumerate().any(|(index, at)| {
        used & (1 << index) == 0 && at.has(square) && assign(squares, men, used | 1 << index)
    })
}
