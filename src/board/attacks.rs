//! What a side attacks.

use super::Board;
use super::magics::{bishop_attacks, queen_attacks, rook_attacks};
use super::tables::{king_attacks, knight_attacks, pawn_attack_sides};
use super::tension::Tension;
use crate::types::{Bitboard, Color, PieceType};

/// The squares that a side attacks, by the kind of piece; own pieces that it protects among them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Attacks {
    /// By pawns.
    pub pawns: Bitboard,
    /// By knights.
    pub knights: Bitboard,
    /// By bishops.
    pub bishops: Bitboard,
    /// By rooks.
    pub rooks: Bitboard,
    /// By queens.
    pub queens: Bitboard,
    /// By anything.
    pub all: Bitboard,
    /// By two pieces or more.
    pub twice: Bitboard,
}

impl Attacks {
    /// By pawns, knights or bishops.
    #[inline(always)]
    pub fn by_minors(&self) -> Bitboard {
        self.pawns | self.knights | self.bishops
    }

    /// By pawns, knights, bishops or rooks.
    #[inline(always)]
    pub fn by_rooks(&self) -> Bitboard {
        self.by_minors() | self.rooks
    }

    /// Adds what one more piece attacks to what all attack.
    #[inline(always)]
    fn add(&mut self, squares: Bitboard) {
        self.twice |= self.all & squares;
        self.all |= squares;
    }
}

/// The squares of each kind of piece, both sides together.
pub(super) type Kinds = [Bitboard; PieceType::NUM];
/// The squares of each side's pieces.
pub(super) type Colors = [Bitboard; Color::NUM];

/// What the pieces of `color` attack.
#[inline(always)]
pub(super) fn attacks_of(kinds: &Kinds, colors: &Colors, color: Color) -> Attacks {
    let (own, occupied) = (colors[color.index()], colors[0] | colors[1]);
    let [pawns, knights, bishops, rooks, queens, kings] = *kinds;
    let [west, east] = pawn_attack_sides(pawns & own, color);
    let mut attacks =
        Attacks { pawns: west | east, all: west | east, twice: west & east, ..Attacks::default() };
    // A loop for each kind: written once, with the kind's attacks as a function, they were not compiled into their place.
    for square in knights & own {
        let attacked = knight_attacks(square);
        attacks.add(attacked);
        attacks.knights |= attacked;
    }
    for square in bishops & own {
        let attacked = bishop_attacks(square, occupied);
        attacks.add(attacked);
        attacks.bishops |= attacked;
    }
    for square in rooks & own {
        let attacked = rook_attacks(square, occupied);
        attacks.add(attacked);
        attacks.rooks |= attacked;
    }
    for square in queens & own {
        let attacked = queen_attacks(square, occupied);
        attacks.add(attacked);
        attacks.queens |= attacked;
    }
    for square in kings & own {
        attacks.add(king_attacks(square));
    }
    attacks
}

impl Board {
    /// What the pieces of `color` attack.
    pub fn attacks_of(&self, color: Color) -> Attacks {
        attacks_of(&self.kinds, &self.colors, color)
    }

    /// The [`Tension`] of the position.
    #[inline]
    pub fn tension<const MARKS: bool>(&self) -> Tension {
        Tension::new::<MARKS>(&self.kinds, &self.colors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::types::Square;

    #[test]
    fn a_square_is_attacked_by_what_could_capture_there() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
            "7k/P6Q/8/q2pP3/8/8/n6P/B6K b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for color in Color::ALL {
                let attacks = position.attacks_of(color);
                let Attacks { pawns, knights, bishops, rooks, queens, all, twice } = attacks;
                let sets = [pawns, knights, bishops, rooks, queens];
                for square in Square::ALL {
                    let attackers =
                        position.attackers_to(square, position.occupied()) & position.of_color(color);
                    for (set, kind) in sets.iter().zip(PieceType::ALL) {
                        let expected = (attackers & position.of_kind(kind)).any();
                        assert_eq!(set.has(square), expected, "{fen} {color:?} {square} {kind:?}");
                    }
                    assert_eq!(all.has(square), attackers.any(), "{fen} {color:?} {square}");
                    assert_eq!(twice.has(square), attackers.count() > 1, "{fen} {color:?} {square}");
                    assert_eq!(attacks.by_minors().has(square), (pawns | knights | bishops).has(square));
                    assert_eq!(attacks.by_rooks() ^ attacks.by_minors(), rooks.without(attacks.by_minors()));
                }
            }
        }
    }
}
