//! What a side attacks.

use super::Board;
use super::magics::{bishop_attacks, queen_attacks, rook_attacks};
use super::tables::{king_attacks, knight_attacks, pawn_attack_set};
use crate::types::{Bitboard, Color, PieceType, Square};

/// The squares that a side attacks, by the value of what attacks them; own pieces that it protects among them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Attacks {
    /// By pawns.
    pub by_pawns: Bitboard,
    /// By pawns, knights or bishops.
    pub by_minors: Bitboard,
    /// By pawns, knights, bishops or rooks.
    pub by_rooks: Bitboard,
    /// By anything.
    pub all: Bitboard,
}

/// The squares of each kind of piece, both sides together.
type Kinds = [Bitboard; PieceType::NUM];
/// The squares of each side's pieces.
type Colors = [Bitboard; Color::NUM];

/// What the pieces of `color` attack.
#[inline]
fn attacks_of(kinds: &Kinds, colors: &Colors, color: Color) -> Attacks {
    let occupied = colors[0] | colors[1];
    let own = |kind: PieceType| colors[color.index()] & kinds[kind.index()];
    let of = |kind: PieceType, attacks: fn(Square, Bitboard) -> Bitboard| {
        own(kind).into_iter().fold(Bitboard::EMPTY, |all, square| all | attacks(square, occupied))
    };
    let by_pawns = pawn_attack_set(own(PieceType::Pawn), color);
    let knights = of(PieceType::Knight, |square, _| knight_attacks(square));
    let by_minors = by_pawns | knights | of(PieceType::Bishop, bishop_attacks);
    let by_rooks = by_minors | of(PieceType::Rook, rook_attacks);
    let king = of(PieceType::King, |square, _| king_attacks(square));
    let all = by_rooks | of(PieceType::Queen, queen_attacks) | king;
    Attacks { by_pawns, by_minors, by_rooks, all }
}

/// The pieces of both sides that, at first sight, can be taken at a gain: attacked by something of less worth, or attacked
/// and not protected. A knight and a bishop are worth the same; kings are never among them; pins do not count.
///
/// `kinds` are the squares of each kind of piece and `colors` those of each side's pieces.
#[inline]
pub fn threatened(kinds: &Kinds, colors: &Colors) -> Bitboard {
    let [white, black] = Color::ALL.map(|color| attacks_of(kinds, colors, color));
    let [pawns, knights, bishops, rooks, queens, _] = *kinds;
    let of = |own: &Attacks, other: &Attacks| {
        (knights | bishops) & other.by_pawns
            | rooks & other.by_minors
            | queens & other.by_rooks
            | (pawns | knights | bishops | rooks | queens) & other.all.without(own.all)
    };
    of(&white, &black) & colors[Color::White.index()] | of(&black, &white) & colors[Color::Black.index()]
}

impl Board {
    /// What the pieces of `color` attack.
    pub fn attacks_of(&self, color: Color) -> Attacks {
        attacks_of(&self.kinds, &self.colors, color)
    }

    /// The pieces that [`threatened`] gives.
    pub fn threatened(&self) -> Bitboard {
        threatened(&self.kinds, &self.colors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

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
                let sets = [attacks.by_pawns, attacks.by_minors, attacks.by_rooks, attacks.all];
                let kinds: [&[PieceType]; 4] = [
                    &[PieceType::Pawn],
                    &[PieceType::Knight, PieceType::Bishop],
                    &[PieceType::Rook],
                    &[PieceType::Queen, PieceType::King],
                ];
                for square in Square::ALL {
                    let attackers =
                        position.attackers_to(square, position.occupied()) & position.of_color(color);
                    let mut expected = false;
                    for (set, kinds) in sets.iter().zip(kinds) {
                        expected |= kinds.iter().any(|&kind| (attackers & position.of_kind(kind)).any());
                        assert_eq!(set.has(square), expected, "{fen} {color:?} {square} {kinds:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn threatened_is_what_is_attacked_by_less_or_not_protected() {
        let worth = |kind: PieceType| match kind {
            PieceType::Pawn => 1,
            PieceType::Knight | PieceType::Bishop => 3,
            PieceType::Rook => 5,
            PieceType::Queen => 9,
            PieceType::King => 100,
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let (mut by_less, mut unprotected) = (0, 0);
        let mut position = Position::default();
        for _ in 0..2_000 {
            let legal = position.legal_moves();
            if legal.is_empty() || position.occupied().count() < 6 {
                position = Position::default();
                continue;
            }
            position = position.after(legal[random.random_range(0..legal.len())]);
            let threatened = position.threatened();
            for square in Square::ALL {
                let expected = position.piece_on(square).is_some_and(|piece| {
                    let around = position.attackers_to(square, position.occupied());
                    let attackers = around & position.of_color(!piece.color());
                    let less = |square| {
                        position.kind_on(square).is_some_and(|kind| worth(kind) < worth(piece.kind()))
                    };
                    let attacked_by_less = attackers.into_iter().any(less);
                    let free = attackers.any() && (around & position.of_color(piece.color())).is_empty();
                    by_less += usize::from(attacked_by_less && !free);
                    unprotected += usize::from(free && !attacked_by_less);
                    piece.kind() != PieceType::King && (attacked_by_less || free)
                });
                assert_eq!(threatened.has(square), expected, "{position:?} {square}");
            }
        }
        assert!(by_less > 1_000 && unprotected > 1_000, "{by_less} {unprotected}");
    }
}
