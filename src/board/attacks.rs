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

impl Board {
    /// What the pieces of `color` attack.
    pub fn attacks_of(&self, color: Color) -> Attacks {
        let occupied = self.occupied();
        let of = |kind: PieceType, attacks: fn(Square, Bitboard) -> Bitboard| {
            let squares = self.pieces(color, kind).into_iter();
            squares.fold(Bitboard::EMPTY, |all, square| all | attacks(square, occupied))
        };
        let by_pawns = pawn_attack_set(self.pieces(color, PieceType::Pawn), color);
        let knights = of(PieceType::Knight, |square, _| knight_attacks(square));
        let by_minors = by_pawns | knights | of(PieceType::Bishop, bishop_attacks);
        let by_rooks = by_minors | of(PieceType::Rook, rook_attacks);
        let all = by_rooks | of(PieceType::Queen, queen_attacks) | king_attacks(self.king(color));
        Attacks { by_pawns, by_minors, by_rooks, all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

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
}
