//! One pawn structure: where each piece may get while no pawn moves or falls.
//!
//! Everything is seen from the side that wants to mate, which plays up the board and is called *ours*. The sets
//! are too large rather than too small: what is in none of them cannot happen. The kings are kept as pairs with the
//! side to move, for in blocked positions much depends on their not passing each other; of the other pieces each has
//! its own set, whatever the others do.

use crate::board::magics::{bishop_attacks, queen_attacks, rook_attacks};
use crate::board::tables::{king_attack_set, king_attacks, knight_attacks, pawn_attack_set};
use crate::types::{Bitboard, Color, PieceType, Rank, Square};
use arrayvec::ArrayVec;

/// What a man can do. A promoted pawn may be anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Only where pawns are men like others, see [`Class::merged`].
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    Promoted,
}

impl Kind {
    pub(super) fn of(kind: PieceType) -> Option<Kind> {
        Some(match kind {
            PieceType::Knight => Kind::Knight,
            PieceType::Bishop => Kind::Bishop,
            PieceType::Rook => Kind::Rook,
            PieceType::Queen => Kind::Queen,
            PieceType::Pawn | PieceType::King => return None,
        })
    }

    pub(super) fn slides(self) -> bool {
        !matches!(self, Kind::Pawn | Kind::Knight)
    }

    /// What it attacks from `square` through squares that are not `walls`.
    pub(super) fn attacks(self, side: usize, square: Square, walls: Bitboard) -> Bitboard {
        match self {
            Kind::Pawn => pawn_hits(Bitboard::from(square), side),
            Kind::Knight => knight_attacks(square),
            Kind::Bishop => bishop_attacks(square, walls),
            Kind::Rook => rook_attacks(square, walls),
            Kind::Queen => queen_attacks(square, walls),
            Kind::Promoted => queen_attacks(square, walls) | knight_attacks(square),
        }
    }
}

/// The two sides as indices.
pub(super) const OURS: usize = 0;
pub(super) const THEIRS: usize = 1;

/// A man that is neither king nor pawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Man {
    pub(super) kind: Kind,
    pub(super) side: usize,
    /// Where it may stand.
    pub(super) at: Bitboard,
    /// True if it may have been captured.
    pub(super) gone: bool,
    /// Of a pawn, where it stands at first.
    pub(super) start: Square,
}

impl Man {
    /// What it may attack.
    pub(super) fn hits(&self, walls: Bitboard) -> Bitboard {
        if self.kind == Kind::Pawn {
            return pawn_hits(self.at, self.side);
        }
        self.at.into_iter().fold(Bitboard::EMPTY, |all, from| all | self.kind.attacks(self.side, from, walls))
    }

    /// The squares on which it may stand when it attacks `square`.
    pub(super) fn attackers(&self, square: Square, walls: Bitboard) -> Bitboard {
        // From the square to the man is as from the man to the square, but for pawns.
        self.kind.attacks(1 - self.side, square, walls) & self.at
    }

    /// It stands where it stands for ever.
    pub(super) fn stays(&self) -> bool {
        !self.gone && !self.at.several()
    }
}

/// A castling move that may still be possible.
#[derive(Clone, Copy)]
pub(super) struct Castling {
    pub(super) side: usize,
    pub(super) king: Square,
    pub(super) king_to: Square,
    pub(super) rook: usize,
    pub(super) rook_to: Square,
    pub(super) path: Bitboard,
}

/// For each side to move and each square of their king the squares that our king may have.
pub(super) type Kings = [[Bitboard; 64]; 2];

/// A pawn structure and what may be the case under it.
#[derive(Clone)]
pub(super) struct Class {
    pub(super) pawns: [Bitboard; 2],
    pub(super) men: ArrayVec<Man, 32>,
    /// How many of the last men are promoted pawns, by side; ours come first.
    pub(super) promoted: [u8; 2],
    pub(super) kings: Kings,
}

/// What the pawns of a side attack; ours go up the board as White's do.
pub(super) fn pawn_hits(pawns: Bitboard, side: usize) -> Bitboard {
    pawn_attack_set(pawns, if side == OURS { Color::White } else { Color::Black })
}

impl Class {
    /// Where the kings may be: ours, theirs.
    pub(super) fn king_squares(&self) -> [Bitboard; 2] {
        let (mut ours, mut theirs) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for square in Square::ALL {
            let row = self.kings[0][square.index()] | self.kings[1][square.index()];
            if row.any() {
                ours |= row;
                theirs |= Bitboard::from(square);
            }
        }
        [ours, theirs]
    }

    /// The squares of the men that stay, by side.
    pub(super) fn fixed(&self) -> [Bitboard; 2] {
        let mut fixed = [Bitboard::EMPTY; 2];
        for man in self.men.iter().filter(|man| man.stays()) {
            fixed[man.side] |= man.at;
        }
        fixed
    }

    /// The squares that a side attacks whatever happens in this class, pawns and men that stay; kings left out.
    pub(super) fn surely_attacked(&self, side: usize, kings: [Bitboard; 2]) -> Bitboard {
        let mut attacked = pawn_hits(self.pawns[side], side);
        let mut may_stand = self.pawns[0] | self.pawns[1] | kings[side];
        for man in &self.men {
            may_stand |= man.at;
        }
        for man in self.men.iter().filter(|man| man.side == side && man.stays()) {
            // A promoted man is of no known kind.
            if man.kind != Kind::Promoted {
                attacked |= man.hits(may_stand);
            }
        }
        attacked
    }

    /// The squares on which the king of `side` is in a check that nothing can be put between: only the king may move,
    /// or the man that gives check be taken, which is another class or a man that does not stay.
    pub(super) fn no_pass(&self, side: usize) -> Bitboard {
        let staying = self.men.iter().filter(|man| man.side != side && man.stays());
        staying.fold(pawn_hits(self.pawns[1 - side], 1 - side), |all, man| {
            all | match man.kind {
                Kind::Knight => man.hits(Bitboard::EMPTY),
                Kind::Bishop | Kind::Rook | Kind::Queen => {
                    man.hits(Bitboard::EMPTY) & king_attack_set(man.at)
                }
                Kind::Pawn | Kind::Promoted => Bitboard::EMPTY,
            }
        })
    }

    /// Lets every set grow until nothing changes.
    pub(super) fn close(&mut self, castlings: &[Castling]) {
        loop {
            while self.grow_men() {}
            if !self.grow_kings() && !self.castle(castlings) {
                return;
            }
        }
    }

    /// One step of every man; true if something has changed.
    fn grow_men(&mut self) -> bool {
        let fixed = self.fixed();
        let mut kings = self.king_squares();
        for set in &mut kings {
            if set.several() {
                *set = Bitboard::EMPTY;
            }
        }
        let walls = self.pawns[0] | self.pawns[1] | fixed[0] | fixed[1] | kings[0] | kings[1];
        let mut changed = false;
        for index in 0..self.men.len() {
            let man = self.men[index];
            if man.at.is_empty() {
                continue;
            }
            let other = 1 - man.side;
            let hits = man.hits(walls);
            if man.kind == Kind::Pawn {
                changed |= self.grow_pawn(index, hits, walls);
                continue;
            }
            let closed = self.pawns[0] | self.pawns[1] | kings[0] | kings[1] | fixed[man.side];
            let to = man.at | hits.without(closed);
            if to != man.at {
                self.men[index].at = to;
                changed = true;
            }
            for enemy in self.men.iter_mut().filter(|enemy| enemy.side == other && !enemy.gone) {
                if (enemy.at & hits).any() {
                    enemy.gone = true;
                    changed = true;
                }
            }
        }
        changed
    }

    /// One step of a pawn that is a man like others; true if something has changed.
    fn grow_pawn(&mut self, index: usize, hits: Bitboard, walls: Bitboard) -> bool {
        let man = self.men[index];
        let ahead = |set: Bitboard| set.shift(if man.side == OURS { 8 } else { -8 });
        let single = ahead(man.at).without(walls);
        let third = if man.side == OURS { Rank::Third } else { Rank::Sixth };
        let double = ahead(single & Bitboard::from_rank(third)).without(walls);
        let mut to = man.at | single | double;
        // Pawns that face each other pass only if one of them leaves the file or falls.
        let file = Bitboard::from_file(man.start.file());
        if man.at.without(file).is_empty() {
            for other in &self.men {
                if other.kind == Kind::Pawn
                    && other.side != man.side
                    && !other.gone
                    && other.at.without(file).is_empty()
                    && (other.start > man.start) == (man.side == OURS)
                {
                    let beyond = Bitboard(if man.side == OURS {
                        u64::MAX << other.start.index()
                    } else {
                        u64::MAX >> (63 - other.start.index())
                    });
                    to = to.without(beyond);
                }
            }
        }
        let mut changed = false;
        for enemy in self.men.iter_mut().filter(|enemy| enemy.side != man.side) {
            let taken = enemy.at & hits;
            if taken.any() {
                to |= taken;
                changed |= !enemy.gone;
                enemy.gone = true;
            }
        }
        changed |= to != man.at;
        self.men[index].at = to;
        if (to & Bitboard::BACK_RANKS).any() {
            self.men[index].kind = Kind::Promoted;
        }
        changed
    }

    /// The same with the pawns as men that move and fall like others: one class for all that can follow.
    pub(super) fn merged(&self) -> Class {
        let mut merged = self.clone();
        for side in [OURS, THEIRS] {
            for start in self.pawns[side] {
                let at = Bitboard::from(start);
                merged.men.push(Man { kind: Kind::Pawn, side, at, gone: false, start });
            }
        }
        merged.pawns = [Bitboard::EMPTY; 2];
        merged
    }

    /// Lets the kings move as far as they can, the men standing as they may; true if something has changed.
    fn grow_kings(&mut self) -> bool {
        let fixed = self.fixed();
        let squares = self.king_squares();
        let pawns = self.pawns[0] | self.pawns[1];
        let open =
            [OURS, THEIRS].map(|side| !(pawns | fixed[side] | self.surely_attacked(1 - side, squares)));
        let can_pass =
            [OURS, THEIRS].map(|side| self.men.iter().any(|man| man.side == side && man.at.several()));
        let in_check = [OURS, THEIRS].map(|side| self.no_pass(side));
        let mut changed = false;
        let mut visited = [Bitboard::EMPTY; 2];
        loop {
            let mut grown = false;
            for square in Square::ALL {
                let index = square.index();
                let row = self.kings[0][index];
                if row.any() {
                    let to = king_attack_set(row) & open[OURS].without(king_attacks(square).with(square));
                    visited[OURS] |= to;
                    let mut all = self.kings[1][index] | to;
                    if can_pass[OURS] {
                        all |= row.without(in_check[OURS]);
                    }
                    grown |= all != self.kings[1][index];
                    self.kings[1][index] = all;
                }
            }
            for square in Square::ALL {
                let index = square.index();
                let row = self.kings[1][index];
                if row.is_empty() {
                    continue;
                }
                if can_pass[THEIRS]
                    && !in_check[THEIRS].has(square)
                    && row.without(self.kings[0][index]).any()
                {
                    self.kings[0][index] |= row;
                    grown = true;
                }
                for to in king_attacks(square) & open[THEIRS] {
                    let apart = row.without(king_attacks(to).with(to));
                    if apart.any() {
                        visited[THEIRS] |= Bitboard::from(to);
                        if apart.without(self.kings[0][to.index()]).any() {
                            self.kings[0][to.index()] |= apart;
                            grown = true;
                        }
                    }
                }
            }
            if !grown {
                break;
            }
            changed = true;
        }
        for man in &mut self.men {
            if !man.gone && (man.at & visited[1 - man.side]).any() {
                man.gone = true;
                changed = true;
            }
        }
        changed
    }

    /// Castles where nothing that stays is in the way; true if something has changed.
    fn castle(&mut self, castlings: &[Castling]) -> bool {
        let fixed = self.fixed();
        let mut changed = false;
        for castling in castlings {
            let rook = Bitboard::from(castling.rook_to);
            let walls = self.pawns[0] | self.pawns[1] | fixed[0] | fixed[1];
            if (castling.path & walls).any() {
                continue;
            }
            let mut castled = false;
            for square in Square::ALL {
                let index = square.index();
                if castling.side == OURS {
                    if self.kings[0][index].has(castling.king) {
                        castled = true;
                        changed |= !self.kings[1][index].has(castling.king_to);
                        self.kings[1][index] |= Bitboard::from(castling.king_to);
                    }
                } else if square == castling.king && self.kings[1][index].any() {
                    castled = true;
                    let row = self.kings[1][index];
                    let to = castling.king_to.index();
                    changed |= row.without(self.kings[0][to]).any();
                    self.kings[0][to] |= row;
                }
            }
            if castled && let Some(man) = self.men.get_mut(castling.rook) {
                changed |= rook.without(man.at).any();
                man.at |= rook;
            }
        }
        changed
    }

    /// Takes in what `other` allows.
    pub(super) fn join(&mut self, other: &Class) {
        for (man, new) in self.men.iter_mut().zip(&other.men) {
            man.at |= new.at;
            man.gone |= new.gone;
        }
        for (row, new) in self.kings.as_flattened_mut().iter_mut().zip(other.kings.as_flattened()) {
            *row |= *new;
        }
    }
}
