//! The helpmate search: best position first, each position once.
//!
//! A helpmate has no opponent, so the tree is a graph in which one path is looked for. Positions wait in buckets by
//! an estimate of how far from a mate they are; the estimate is that of the parent, corrected for the move, so that a
//! position is made only when its turn comes. When nothing waits any more, every position that can be reached has
//! been seen, and there is no mate.

use super::estimate::Plan;
use super::flights;
use super::material::lacks_material;
use crate::board::magics::{bishop_attacks, queen_attacks, rook_attacks};
use crate::board::tables::knight_attacks;
use crate::board::{Board, Position};
use crate::movegen::MAX_MOVES;
use crate::types::{Color, Move, PieceType};

/// How a search ended.
pub(super) enum Outcome {
    /// A line to a mate.
    Mate(Vec<Move>),
    /// All reachable positions are seen, and none is a mate.
    Exhausted,
    /// The limit of nodes is reached.
    Limit,
}

/// Which estimate the search goes by.
#[derive(Clone, Copy)]
pub(super) enum Estimate {
    Plan,
    Flights,
}

/// In what order positions are searched.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) estimate: Estimate,
    /// One move in so many is a random one; zero: none is.
    pub(super) one_in: usize,
    /// What a ply since the last move that cannot be taken back adds to the estimate, in sixteenths.
    pub(super) clock: i32,
    /// Where the random numbers begin.
    pub(super) seed: u64,
}

/// A position that has been seen, and how it was reached.
struct Node {
    position: Position,
    parent: u32,
    mv: Option<Move>,
}

/// A move that waits to be made.
#[derive(Clone, Copy)]
struct Waiting {
    parent: u32,
    mv: Move,
}

/// Number of buckets; worse estimates share the last one.
const BUCKETS: usize = 256;

/// More positions than the numbers of nodes can tell apart are not looked at.
pub(super) const MAX_NODES: usize = 1 << 31;

/// True if a move list might not hold all moves of the side to move: only where there is more material than a game
/// can bring.
pub(super) fn has_too_many_moves(board: &Board) -> bool {
    let us = board.side_to_move();
    let own = board.of_color(us);
    // Nine queens and a king cannot have as many.
    if own.count() <= 10 || board.validate().is_ok() {
        return false;
    }
    let occupied = board.occupied();
    let mut moves = 0;
    for square in own {
        moves += match board.kind_on(square) {
            Some(PieceType::Pawn) => 12,
            Some(PieceType::Knight) => knight_attacks(square).without(own).count(),
            Some(PieceType::Bishop) => bishop_attacks(square, occupied).without(own).count(),
            Some(PieceType::Rook) => rook_attacks(square, occupied).without(own).count(),
            Some(PieceType::Queen) => queen_attacks(square, occupied).without(own).count(),
            Some(PieceType::King) | None => 10,
        };
    }
    moves as usize > MAX_MOVES
}

/// A random move comes from the first of so many buckets.
const NEAR: usize = 16;

/// An empty slot of the table.
const FREE: u32 = u32::MAX;

/// The search's memory, used again from one question to the next.
pub(super) struct Search {
    nodes: Vec<Node>,
    /// Numbers of nodes by their positions' keys, open addressing, at most half full.
    table: Vec<u32>,
    buckets: Vec<Vec<Waiting>>,
    /// No bucket below this one has anything.
    lowest: usize,
    waiting: usize,
    random: u64,
    way: Way,
    /// The root has more material than a game can bring.
    composed: bool,
    /// A position was left out because its moves cannot be listed.
    incomplete: bool,
    side: Color,
}

/// The same but for the counters, which have no part in what can be reached.
fn same(a: &Board, b: &Board) -> bool {
    a.side_to_move() == b.side_to_move()
        && a.en_passant() == b.en_passant()
        && a.castling_rights() == b.castling_rights()
        && a.of_color(Color::White) == b.of_color(Color::White)
        && a.of_color(Color::Black) == b.of_color(Color::Black)
        && PieceType::ALL.into_iter().all(|kind| a.of_kind(kind) == b.of_kind(kind))
}

impl Search {
    pub(super) fn new() -> Search {
        Search {
            nodes: Vec::new(),
            table: vec![FREE; 1 << 10],
            buckets: (0..BUCKETS).map(|_| Vec::new()).collect(),
            lowest: 0,
            waiting: 0,
            random: 0,
            way: Way { estimate: Estimate::Plan, one_in: 0, clock: 0, seed: 0 },
            composed: false,
            incomplete: false,
            side: Color::White,
        }
    }

    /// Gives back what a long search has taken: the next question may come hours later, or never.
    pub(super) fn let_go(&mut self) {
        if self.nodes.capacity() > 1 << 12 {
            self.nodes = Vec::new();
        }
        if self.table.len() > 1 << 12 {
            self.table = vec![FREE; 1 << 10];
        }
        for bucket in &mut self.buckets {
            if bucket.capacity() > 1 << 12 {
                *bucket = Vec::new();
            }
        }
    }

    /// Begins anew. The position must have moves and material.
    pub(super) fn start(&mut self, position: &Position, side: Color, way: Way) {
        self.let_go();
        self.nodes.clear();
        self.table.fill(FREE);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.lowest = BUCKETS;
        self.waiting = 0;
        self.random = way.seed;
        self.way = way;
        self.composed = position.validate().is_err();
        self.incomplete = false;
        self.side = side;
        self.nodes.push(Node { position: *position, parent: 0, mv: None });
        self.enter(0);
    }

    /// Goes on until `limit` positions are seen. Positions that `is_lost` says can never become a mate are left out;
    /// it is asked after moves that cannot be taken back.
    pub(super) fn run(&mut self, limit: usize, is_lost: &mut dyn FnMut(&Position, usize) -> bool) -> Outcome {
        if self.nodes.len() == 1
            && let Some(line) = self.expand(0)
        {
            return Outcome::Mate(line);
        }
        loop {
            if self.nodes.len() >= limit || self.waiting / 40 >= limit {
                return Outcome::Limit;
            }
            let Some(Waiting { parent, mv }) = self.next() else {
                return if self.incomplete { Outcome::Limit } else { Outcome::Exhausted };
            };
            let from = &self.nodes[parent as usize].position;
            let position = from.after(mv);
            let irreversible = position.halfmove_clock() == 0;
            if irreversible && lacks_material(&position, self.side) {
                continue;
            }
            if self.composed && has_too_many_moves(&position) {
                self.incomplete = true;
                continue;
            }
            let slot = match self.find(&position) {
                Ok(_) => continue,
                Err(slot) => slot,
            };
            if irreversible && is_lost(&position, self.nodes.len()) {
                continue;
            }
            let number = self.nodes.len() as u32;
            self.nodes.push(Node { position, parent, mv: Some(mv) });
            self.table[slot] = number;
            if self.nodes.len() * 2 > self.table.len() {
                self.grow();
            }
            if let Some(line) = self.expand(number) {
                return Outcome::Mate(line);
            }
        }
    }

    /// The next move to make: mostly the best, now and then a random one of the better ones, so that no plain on
    /// which all estimates are alike holds the search up.
    fn next(&mut self) -> Option<Waiting> {
        while self.lowest < BUCKETS && self.buckets[self.lowest].is_empty() {
            self.lowest += 1;
        }
        if self.lowest == BUCKETS {
            return None;
        }
        self.waiting -= 1;
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let random = (self.random >> 33) as usize;
        if self.way.one_in > 0 && random.is_multiple_of(self.way.one_in) {
            let bucket = (self.lowest + (random >> 8) % NEAR).min(BUCKETS - 1);
            let len = self.buckets[bucket].len();
            if len > 0 {
                return Some(self.buckets[bucket].swap_remove((random >> 12) % len));
            }
        }
        self.buckets[self.lowest].pop()
    }

    /// Puts the moves of a node into the buckets, or returns the line if one of them mates.
    fn expand(&mut self, number: u32) -> Option<Vec<Move>> {
        let position = self.nodes[number as usize].position;
        let moves = position.legal_moves();
        if position.side_to_move() == self.side {
            for &mv in &moves {
                if position.gives_check(mv) && position.after(mv).has_no_moves() {
                    return Some(self.line(number, mv));
                }
            }
        }
        let moves = moves.iter().rev();
        let clock = i32::from(position.halfmove_clock()) * self.way.clock / 16;
        match self.way.estimate {
            Estimate::Plan => {
                let plan = Plan::new(self.side);
                let state = plan.look(&position);
                moves.for_each(|&mv| self.wait(number, mv, clock + plan.rate(&position, &state, mv)));
            }
            Estimate::Flights => {
                let state = flights::look(&position, self.side);
                moves.for_each(|&mv| self.wait(number, mv, clock + flights::rate(&position, &state, mv)));
            }
        }
        None
    }

    /// Puts a move into its bucket.
    fn wait(&mut self, parent: u32, mv: Move, estimate: i32) {
        let bucket = estimate.clamp(0, BUCKETS as i32 - 1) as usize;
        self.buckets[bucket].push(Waiting { parent, mv });
        self.lowest = self.lowest.min(bucket);
        self.waiting += 1;
    }

    /// The moves from the root to a node, and one more.
    fn line(&self, number: u32, last: Move) -> Vec<Move> {
        let mut line = vec![last];
        let mut node = &self.nodes[number as usize];
        while let Some(mv) = node.mv {
            line.push(mv);
            node = &self.nodes[node.parent as usize];
        }
        line.reverse();
        line
    }

    /// The slot of an equal position, or the free one where it belongs.
    fn find(&self, position: &Position) -> Result<usize, usize> {
        let mask = self.table.len() - 1;
        let mut slot = (position.key().0 >> 7) as usize & mask;
        loop {
            match self.table[slot] {
                FREE => return Err(slot),
                number => {
                    let other = &self.nodes[number as usize].position;
                    if other.key() == position.key() && same(other, position) {
                        return Ok(slot);
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    fn enter(&mut self, number: u32) {
        if let Err(slot) = self.find(&self.nodes[number as usize].position) {
            self.table[slot] = number;
        }
    }

    fn grow(&mut self) {
        self.table = vec![FREE; self.table.len() * 4];
        for number in 0..self.nodes.len() as u32 {
            self.enter(number);
        }
    }
}
