//! The proof by pawn structures: no mate can stand under any structure that can come about.
//!
//! Pawn moves, captures by pawns and captures of pawns lead from one class to another. Each class is closed with all
//! that may come into it; when the classes stop growing and none allows a mate, there is none.

use super::mate::{Checker, MateTest};
use super::region::{Castling, Class, Kind, Man, OURS, THEIRS, pawn_hits};
use crate::board::Position;
use crate::board::tables::king_attacks;
use crate::types::{Bitboard, CastlingSide, Color, PieceType, Square};
use arrayvec::ArrayVec;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The pawns of both sides and how many have been promoted.
type ClassKey = (u64, u64, [u8; 2]);

/// The proof with its memory.
#[derive(Default)]
pub(super) struct Classes {
    classes: Vec<Class>,
    /// Classes to close, the least advanced first.
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
    numbers: HashMap<ClassKey, u32>,
    castlings: ArrayVec<Castling, 4>,
    closed: usize,
}

/// How a proof ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// There is no mate.
    Proved,
    /// Some class allows one, as far as the sets tell.
    Open,
    /// The budget is spent.
    Spent,
}

/// A mate may be possible.
struct MateMaybe;

const LAST: [Bitboard; 2] = [Bitboard(0xff00_0000_0000_0000), Bitboard(0xff)];
const THIRD: [Bitboard; 2] = [Bitboard(0xff_0000), Bitboard(0xff00_0000_0000)];

/// Grows with every move that leads to another class, so that a class is closed when all that can come into it has.
fn progress(pawns: &[Bitboard; 2]) -> u32 {
    let ranks = |set: Bitboard, side: usize| -> u32 {
        let advanced = |square: Square| (square.rank() as u32 ^ if side == OURS { 0 } else { 7 }) - 1;
        set.into_iter().map(advanced).sum()
    };
    let lost = 32 - pawns[0].count() - pawns[1].count();
    7 * lost + ranks(pawns[OURS], OURS) + ranks(pawns[THEIRS], THEIRS)
}

fn forward(set: Bitboard, side: usize) -> Bitboard {
    set.shift(if side == OURS { 8 } else { -8 })
}

impl Classes {
    /// Tries to prove that `side` cannot mate; closes `budget` classes at most.
    pub(super) fn prove(&mut self, position: &Position, side: Color, budget: usize) -> Proof {
        self.classes.clear();
        self.waiting.clear();
        self.numbers.clear();
        self.closed = 0;
        let root = self.root(position, side);
        if self.add_en_passant(&root, position, side).is_err() {
            return Proof::Open;
        }
        self.enter(root);
        while let Some(Reverse((_, number))) = self.waiting.pop() {
            if self.closed == budget {
                return Proof::Spent;
            }
            self.closed += 1;
            if self.process(number as usize).is_err() {
                return Proof::Open;
            }
        }
        Proof::Proved
    }

    /// How many classes the last proof has closed.
    pub(super) fn closed(&self) -> usize {
        self.closed
    }

    /// The class of the position itself.
    fn root(&mut self, position: &Position, side: Color) -> Class {
        let turn = |square: Square| square.relative_to(side);
        let turn_set = |set: Bitboard| if side == Color::White { set } else { Bitboard(set.0.swap_bytes()) };
        let colors = [side, !side];
        let mut class = Class {
            pawns: colors.map(|color| turn_set(position.pieces(color, PieceType::Pawn))),
            men: ArrayVec::new(),
            promoted: [0; 2],
            kings: [[Bitboard::EMPTY; 64]; 2],
        };
        self.castlings.clear();
        for (index, color) in colors.into_iter().enumerate() {
            for square in position.of_color(color) {
                if let Some(kind) = position.kind_on(square).and_then(Kind::of) {
                    let at = Bitboard::from(turn(square));
                    class.men.push(Man { kind, side: index, at, gone: false, start: turn(square) });
                }
            }
        }
        for (index, color) in colors.into_iter().enumerate() {
            for wing in CastlingSide::ALL {
                if let Some(rook) = position.castling_rights().rook(color, wing) {
                    let at = Bitboard::from(turn(rook));
                    let Some(man) = class.men.iter().position(|man| man.at == at) else { continue };
                    self.castlings.push(Castling {
                        side: index,
                        king: turn(position.king(color)),
                        king_to: turn(wing.king_target(color)),
                        rook: man,
                        rook_to: turn(wing.rook_target(color)),
                        path: turn_set(position.castling_path(color, wing, rook)),
                    });
                }
            }
        }
        let to_move = usize::from(position.side_to_move() != side);
        class.kings[to_move][turn(position.king(!side)).index()] = Bitboard::from(turn(position.king(side)));
        class
    }

    /// The classes after the captures en passant that are possible at once.
    fn add_en_passant(&mut self, root: &Class, position: &Position, side: Color) -> Result<(), MateMaybe> {
        let Some(square) = position.en_passant() else { return Ok(()) };
        let mover = usize::from(position.side_to_move() != side);
        let to = Bitboard::from(square.relative_to(side));
        let captured = forward(to, 1 - mover);
        for from in pawn_hits(to, 1 - mover) & root.pawns[mover] {
            let mut next = root.clone();
            next.pawns[mover] = (next.pawns[mover] | to).without(Bitboard::from(from));
            next.pawns[1 - mover] = next.pawns[1 - mover].without(captured);
            next.kings.swap(0, 1);
            self.arrive(next, mover, |test, king, own| {
                square.relative_to(side) != king
                    && test.possible(king, own, Checker::Pawn(square.relative_to(side)))
            })?;
        }
        Ok(())
    }

    fn enter(&mut self, class: Class) {
        let key = (class.pawns[0].0, class.pawns[1].0, class.promoted);
        let number = *self.numbers.entry(key).or_insert(self.classes.len() as u32);
        match self.classes.get_mut(number as usize) {
            Some(known) => known.join(&class),
            None => {
                self.waiting.push(Reverse((progress(&class.pawns), number)));
                self.classes.push(class);
            }
        }
    }

    /// Enters a class that a move of `mover` has led to, unless nothing can be so. `kings` holds the pairs after the
    /// move. If the move is ours, `mates` tells whether it may mate a king.
    fn arrive(
        &mut self,
        mut class: Class,
        mover: usize,
        mates: impl Fn(&MateTest, Square, Square) -> bool,
    ) -> Result<(), MateMaybe> {
        let pawns = class.pawns[0] | class.pawns[1];
        let fixed = class.fixed();
        for man in &mut class.men {
            man.at = man.at.without(pawns);
            if !man.gone && man.at.is_empty() {
                return Ok(());
            }
        }
        let held = pawns | fixed[0] | fixed[1];
        let mut any = false;
        let turn = 1 - mover;
        // No move leaves the mover's king to a pawn.
        let attacked = pawn_hits(class.pawns[turn], turn);
        for square in Square::ALL {
            let row = &mut class.kings[turn][square.index()];
            *row = row.without(if mover == OURS { held | attacked } else { held });
            if held.has(square) || mover == THEIRS && attacked.has(square) {
                *row = Bitboard::EMPTY;
            }
            any |= row.any();
        }
        if !any {
            return Ok(());
        }
        if mover == OURS {
            let test = MateTest::new(&class);
            for king in Square::ALL {
                for own in class.kings[THEIRS][king.index()] {
                    if mates(&test, king, own) {
                        return Err(MateMaybe);
                    }
                }
            }
        }
        self.enter(class);
        Ok(())
    }

    /// Closes a class, looks for mates in it, and enters the classes that moves lead to.
    fn process(&mut self, number: usize) -> Result<(), MateMaybe> {
        let mut class = self.classes[number].clone();
        let mut merged = class.merged();
        merged.close(&self.castlings);
        if look_for_mates(&merged, !self.castlings.is_empty()).is_ok() {
            return Ok(());
        }
        class.close(&self.castlings);
        self.classes[number] = class.clone();
        look_for_mates(&class, !self.castlings.is_empty())?;
        for side in [OURS, THEIRS] {
            if class.kings[side].iter().all(|row| row.is_empty()) {
                continue;
            }
            self.pushes(&class, side)?;
            self.pawn_captures(&class, side)?;
            self.pawns_taken(&class, side)?;
        }
        Ok(())
    }

    fn pushes(&mut self, class: &Class, side: usize) -> Result<(), MateMaybe> {
        let fixed = class.fixed();
        let walls = class.pawns[0] | class.pawns[1] | fixed[0] | fixed[1];
        for from in class.pawns[side] {
            let single = forward(Bitboard::from(from), side).without(walls);
            let double = forward(single & THIRD[side], side).without(walls);
            for to in single | double {
                self.pawn_to(class, side, from, to, None)?;
            }
            // A double step can be answered en passant.
            for to in double {
                let neighbours = king_attacks(to) & Bitboard::from_rank(to.rank()) & class.pawns[1 - side];
                for enemy in neighbours {
                    let mut next = class.clone();
                    next.pawns[side] = next.pawns[side].without(Bitboard::from(from));
                    next.pawns[1 - side] = next.pawns[1 - side].without(Bitboard::from(enemy)) | single;
                    next.kings[1 - side] = [Bitboard::EMPTY; 64];
                    let passed = single.first().unwrap_or(to);
                    self.arrive(next, 1 - side, |test, king, own| {
                        test.possible(king, own, Checker::Pawn(passed))
                    })?;
                }
            }
        }
        Ok(())
    }

    /// A pawn goes to a square, capturing the man with the number `captured`.
    fn pawn_to(
        &mut self,
        class: &Class,
        side: usize,
        from: Square,
        to: Square,
        captured: Option<usize>,
    ) -> Result<(), MateMaybe> {
        let mut next = class.clone();
        next.pawns[side] = next.pawns[side].without(Bitboard::from(from));
        next.pawns[1 - side] = next.pawns[1 - side].without(Bitboard::from(to));
        if let Some(man) = captured {
            next.men[man].at = Bitboard::EMPTY;
            next.men[man].gone = true;
        }
        next.kings[1 - side] = next.kings[side];
        next.kings[side] = [Bitboard::EMPTY; 64];
        if !LAST[side].has(to) {
            next.pawns[side] |= Bitboard::from(to);
            return self.arrive(next, side, |test, king, own| test.possible(king, own, Checker::Pawn(to)));
        }
        let bit = Bitboard::from(to);
        for man in &mut next.men {
            man.at = man.at.without(bit);
            if !man.gone && man.at.is_empty() {
                return Ok(());
            }
        }
        for square in Square::ALL {
            let row = &mut next.kings[1 - side][square.index()];
            *row = if square == to { Bitboard::EMPTY } else { row.without(bit) };
        }
        let theirs = next.promoted[THEIRS] as usize;
        let place = next.men.len() - if side == OURS { theirs } else { 0 };
        if next.men.is_full() {
            return Err(MateMaybe);
        }
        next.men.insert(place, Man { kind: Kind::Promoted, side, at: bit, gone: false, start: to });
        next.promoted[side] += 1;
        self.arrive(next, side, |test, king, own| test.possible(king, own, Checker::Pawn(to)))
    }

    fn pawn_captures(&mut self, class: &Class, side: usize) -> Result<(), MateMaybe> {
        for from in class.pawns[side] {
            let hits = pawn_hits(Bitboard::from(from), side);
            for to in hits & class.pawns[1 - side] {
                self.pawn_to(class, side, from, to, None)?;
            }
            for to in hits.without(class.pawns[0] | class.pawns[1]) {
                for man in 0..class.men.len() {
                    if class.men[man].side != side && class.men[man].at.has(to) {
                        self.pawn_to(class, side, from, to, Some(man))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Men and kings of `side` take pawns.
    fn pawns_taken(&mut self, class: &Class, side: usize) -> Result<(), MateMaybe> {
        let fixed = class.fixed();
        let kings = class.king_squares();
        let mut walls = class.pawns[0] | class.pawns[1] | fixed[0] | fixed[1];
        for set in kings {
            if !set.several() {
                walls |= set;
            }
        }
        let targets = class.pawns[1 - side];
        for (index, man) in class.men.iter().enumerate().filter(|(_, man)| man.side == side) {
            for to in man.hits(walls) & targets {
                let mut next = class.clone();
                next.pawns[1 - side] = next.pawns[1 - side].without(Bitboard::from(to));
                next.men[index].at = Bitboard::from(to);
                for (other, man) in next.men.iter_mut().enumerate() {
                    if other != index {
                        man.at = man.at.without(Bitboard::from(to));
                    }
                }
                next.kings[1 - side] = next.kings[side];
                next.kings[side] = [Bitboard::EMPTY; 64];
                self.arrive(next, side, |test, king, own| test.possible(king, own, Checker::Man))?;
            }
        }
        let guarded = class.surely_attacked(1 - side, kings);
        for to in targets.without(guarded) {
            self.king_takes(class, side, to)?;
        }
        Ok(())
    }

    /// The king of `side` takes the pawn on `to`, from wherever it can.
    fn king_takes(&mut self, class: &Class, side: usize, to: Square) -> Result<(), MateMaybe> {
        let zone = king_attacks(to);
        let mut next = class.clone();
        next.pawns[1 - side] = next.pawns[1 - side].without(Bitboard::from(to));
        next.kings = [[Bitboard::EMPTY; 64]; 2];
        let mut through = Bitboard::EMPTY;
        for square in Square::ALL {
            let row = class.kings[side][square.index()];
            if side == OURS {
                if (row & zone).any() && square != to && !zone.has(square) {
                    next.kings[THEIRS][square.index()] = Bitboard::from(to);
                    through |= row & zone;
                }
            } else if zone.has(square) {
                next.kings[OURS][to.index()] |= row.without(zone.with(to));
            }
        }
        self.arrive(next, side, |test, king, own| {
            through.into_iter().any(|left| test.possible(king, own, Checker::Through(left)))
        })
    }
}

/// Looks for a mate in a closed class: by a move of a man, or by a king that leaves a line.
fn look_for_mates(class: &Class, castling: bool) -> Result<(), MateMaybe> {
    let test = MateTest::new(class);
    let in_check = class.no_pass(OURS);
    let moves = castling || class.men.iter().any(|man| man.side == OURS && man.at.several());
    for king in Square::ALL {
        let before = class.kings[OURS][king.index()];
        let after = class.kings[THEIRS][king.index()];
        let by_man = if castling { before | after } else { before };
        if moves && by_man.without(in_check).into_iter().any(|own| test.possible(king, own, Checker::Man)) {
            return Err(MateMaybe);
        }
        for own in after {
            let left = king_attacks(own) & before;
            if left.into_iter().any(|left| test.possible(king, own, Checker::Through(left))) {
                return Err(MateMaybe);
            }
        }
    }
    Ok(())
}
