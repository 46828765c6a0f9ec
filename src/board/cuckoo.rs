//! All reversible moves by what they do to the key, for [`super::history`].

use super::zobrist::travel_key;
use crate::types::{Key, Piece, PieceType, Square};

const SLOTS: usize = 8192;

/// All reversible moves of all pieces by the way they change the full key, in a cuckoo hash table.
pub(super) struct Cuckoo {
    keys: [Key; SLOTS],
    moves: [(Square, Square); SLOTS],
}

pub(super) static CUCKOO: Cuckoo = Cuckoo::new();

const fn slots(key: Key) -> [usize; 2] {
    [key.0 as usize % SLOTS, (key.0 >> 16) as usize % SLOTS]
}

impl Cuckoo {
    const fn new() -> Cuckoo {
        let mut table = Cuckoo { keys: [Key(0); SLOTS], moves: [(Square::A1, Square::A1); SLOTS] };
        let mut count = 0;
        // From knight up: pawns do not go back.
        let mut index = 2;
        while index < Piece::NUM {
            let piece = Piece::ALL[index];
            let mut a = 0;
            while a < 64 {
                let mut b = a + 1;
                while b < 64 {
                    if reaches(piece.kind(), a, b) {
                        table.insert(piece, Square::ALL[a], Square::ALL[b]);
                        count += 1;
                    }
                    b += 1;
                }
                a += 1;
            }
            index += 1;
        }
        assert!(count == 3668, "the number of reversible moves is known");
        table
    }

    const fn insert(&mut self, piece: Piece, a: Square, b: Square) {
        let mut key = travel_key(piece, a, b);
        let mut squares = (a, b);
        let mut slot = slots(key)[0];
        loop {
            let evicted = (self.keys[slot], self.moves[slot]);
            self.keys[slot] = key;
            self.moves[slot] = squares;
            if evicted.0.0 == 0 {
                return;
            }
            (key, squares) = evicted;
            let [first, second] = slots(key);
            slot = if slot == first { second } else { first };
        }
    }

    /// The squares between which a piece goes whose move changes the key so, if there is such a move.
    #[inline(always)]
    pub(super) fn find(&self, key: Key) -> Option<(Square, Square)> {
        slots(key).into_iter().find(|&slot| self.keys[slot] == key).map(|slot| self.moves[slot])
    }
}

/// True if a piece of this kind goes from one square to the other on an empty board.
const fn reaches(kind: PieceType, a: usize, b: usize) -> bool {
    let file = (a & 7).abs_diff(b & 7);
    let rank = (a >> 3).abs_diff(b >> 3);
    let straight = file == 0 || rank == 0;
    let diagonal = file == rank;
    match kind {
        PieceType::Pawn => false,
        PieceType::Knight => file * rank == 2,
        PieceType::Bishop => diagonal,
        PieceType::Rook => straight,
        PieceType::Queen => straight || diagonal,
        PieceType::King => file <= 1 && rank <= 1,
    }
}
