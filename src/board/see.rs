//! Static exchange evaluation: what a series of captures on one square brings.
//!
//! Pins are not seen, discovered attackers are (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>).

use super::Position;
use super::magics::{bishop_attacks, rook_attacks};
use crate::types::{Bitboard, Move, MoveKind, PieceType, Square};

/// What a piece counts in an exchange, in hundredths of a pawn; the king is never left to be taken.
pub const SEE_VALUES: [i32; PieceType::NUM] = [100, 310, 330, 500, 950, 0];

#[inline(always)]
fn value(kind: PieceType) -> i32 {
    SEE_VALUES[kind.index()]
}

impl Position {
    /// True if the exchange that the move begins brings its side at least `threshold` (hundredths of a pawn), both
    /// sides capturing with their least valuable piece and free to stop.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let gain = match mv.kind() {
            MoveKind::Castling => return threshold <= 0,
            MoveKind::EnPassant => value(PieceType::Pawn),
            MoveKind::Normal => self.kind_on(to).map_or(0, value),
            MoveKind::Promotion(kind) => {
                self.kind_on(to).map_or(0, value) + value(kind) - value(PieceType::Pawn)
            }
        };
        // What the mover has over the threshold if the other side stops here, and if its piece is taken for nothing.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        let Some(mover) = mv.promoted().or(self.kind_on(from)) else { return false };
        balance -= value(mover);
        if balance >= 0 {
            return true;
        }

        let mut occupied = self.occupied() ^ Bitboard::from(from);
        if mv.kind() == MoveKind::EnPassant {
            occupied ^= Bitboard::from(Square::new(to.file(), from.rank()));
        }
        let diagonal = self.of_kind(PieceType::Bishop) | self.of_kind(PieceType::Queen);
        let straight = self.of_kind(PieceType::Rook) | self.of_kind(PieceType::Queen);
        let mut attackers = self.attackers_to(to, occupied) & occupied;
        let us = self.side_to_move();
        let mut side = !us;
        loop {
            let mine = attackers & self.of_color(side);
            let Some((kind, square)) = self.least_valuable(mine) else { break };
            side = !side;
            // From here on `balance` is the view of the side that has just captured, if its piece is lost.
            balance = -balance - 1 - value(kind);
            occupied ^= Bitboard::from(square);
            if balance >= 0 {
                // The king may not capture into an attack.
                if kind == PieceType::King && (attackers & occupied & self.of_color(side)).any() {
                    side = !side;
                }
                break;
            }
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= bishop_attacks(to, occupied) & diagonal;
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= rook_attacks(to, occupied) & straight;
            }
            attackers &= occupied;
        }
        // The side that cannot or will not go on has lost the exchange.
        side != us
    }

    #[inline(always)]
    fn least_valuable(&self, attackers: Bitboard) -> Option<(PieceType, Square)> {
        if attackers.is_empty() {
            return None;
        }
        PieceType::ALL
            .into_iter()
            .find_map(|kind| (attackers & self.of_kind(kind)).first().map(|square| (kind, square)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Square::*;

    fn exact(fen: &str, mv: Move) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let mut value = -2_000;
        while position.see_at_least(mv, value + 1) {
            value += 1;
        }
        value
    }

    #[test]
    fn exchanges_come_out_right() {
        let [pawn, knight, bishop, rook, queen, _] = SEE_VALUES;
        for (fen, mv, expected) in [
            // Nobody takes back.
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", Move::normal(E1, E5), pawn),
            // A knight for a pawn: rook and queen behind it do not help.
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", Move::normal(D3, E5), pawn - knight),
            // The defender only comes into view behind the first taker.
            ("3qk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", Move::normal(D2, D5), pawn - rook),
            ("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", Move::normal(D2, D5), pawn),
            // A king may take only what nobody guards.
            ("8/8/8/3k4/3p4/8/3R4/3RK3 w - - 0 1", Move::normal(D2, D4), pawn),
            ("8/8/8/3k4/3p4/8/3R4/4K3 w - - 0 1", Move::normal(D2, D4), pawn - rook),
            ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", Move::en_passant(D5, C6), pawn),
            ("4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1", Move::en_passant(D5, C6), 0),
            (
                "2b3k1/3P4/8/8/8/8/8/4K3 w - - 0 1",
                Move::promotion(D7, C8, PieceType::Queen),
                bishop + queen - pawn,
            ),
            ("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", Move::promotion(C7, D8, PieceType::Queen), rook - pawn),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Move::castling(E1, H1), 0),
            ("4k3/8/2p5/8/8/8/3Q4/4K3 w - - 0 1", Move::normal(D2, D5), -queen),
        ] {
            assert_eq!(exact(fen, mv), expected, "{fen} {mv:?}");
        }
    }

    #[test]
    fn a_piece_that_a_pawn_becomes_is_what_is_lost_and_a_pawn_taken_in_passing_is_out_of_the_way() {
        let [pawn, knight, ..] = SEE_VALUES;
        // The rook takes the new queen back.
        let lost = "3r1k2/1P6/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(exact(lost, Move::promotion(B7, B8, PieceType::Queen)), -pawn);
        assert_eq!(exact(lost, Move::promotion(B7, B8, PieceType::Rook)), -pawn);
        let takes = "1n1r1k2/P7/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(exact(takes, Move::promotion(A7, B8, PieceType::Queen)), knight - pawn);
        // A rook takes back, from before the pawn or from behind it.
        assert_eq!(exact("2r1k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", Move::en_passant(D5, C6)), 0);
        assert_eq!(exact("4k3/8/8/2pP4/8/4K3/8/2r5 w - c6 0 1", Move::en_passant(D5, C6)), 0);
    }
}
