//! Perft: how many lines of legal moves a position has down to a depth
//! (<https://www.chessprogramming.org/Perft>), the test and the measure of a move generator.
//!
//! The last ply is counted in bulk, not played. The board is copied, not taken back, and carries no keys unless a
//! hash wants them.

use super::generate::{self, ALL, PromotionChoice, Sink};
use super::list::EachMove;
use crate::board::magics::{MagicSliders, PextSliders, Sliders};
use crate::board::{Board, Position};
use crate::sys::cpu::{Bmi2, Work};
use crate::types::{Bitboard, Color, Key, Move, Square};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Code for one kind of processor.
trait Kernel: Sliders + Send + Sync {
    /// Does the work in code compiled for that processor.
    fn call<W: Work>(self, work: W) -> W::Output;
}

impl Kernel for MagicSliders {
    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Output {
        work.run()
    }
}

impl Kernel for PextSliders {
    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Output {
        self.bmi2().run(work)
    }
}

/// Which code counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum KernelChoice {
    /// PEXT where the processor has it and is fast at it, else magics.
    #[default]
    Best,
    /// Magics always.
    Portable,
}

/// Counts the moves of the last ply without taking them apart.
struct Count(u64);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8, choice: PromotionChoice) {
        let pieces = match choice {
            PromotionChoice::Any => 4,
            PromotionChoice::Queen => 1,
            PromotionChoice::Lesser => 3,
        };
        self.0 += pieces * u64::from(targets.count());
    }
    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// The lines below one node, as work for a kernel.
struct Node<'a, S, const SIDE: usize, const OTHER: usize> {
    board: &'a Board,
    depth: u32,
    kernel: S,
    stop: &'a AtomicBool,
}

impl<S: Kernel, const SIDE: usize, const OTHER: usize> Work for Node<'_, S, SIDE, OTHER> {
    type Output = u64;
    #[inline(always)]
    fn run(self) -> u64 {
        let known = generate::checkers_and_pinned::<_, SIDE>(self.board, self.kernel);
        if self.depth == 1 {
            let mut count = Count(0);
            generate::generate::<_, _, SIDE, ALL>(self.board, self.kernel, known, &mut count);
            return count.0;
        }
        if self.depth >= 4 && self.stop.load(Ordering::Relaxed) {
            return 0;
        }
        let mut moves = super::MoveList::new();
        generate::generate::<_, _, SIDE, ALL>(
            self.board,
            self.kernel,
            known,
            &mut EachMove(|mv| moves.push(mv)),
        );
        let mut nodes = 0;
        for mv in moves {
            let mut next = *self.board;
            next.make_for::<_, SIDE>(mv, &mut ());
            nodes += count::<S, OTHER, SIDE>(&next, self.depth - 1, self.kernel, self.stop);
        }
        nodes
    }
}

/// Counts below a node; not inlined, so that the recursion has a place to come back to.
#[inline(never)]
fn count<S: Kernel, const SIDE: usize, const OTHER: usize>(
    board: &Board,
    depth: u32,
    kernel: S,
    stop: &AtomicBool,
) -> u64 {
    kernel.call(Node::<S, SIDE, OTHER> { board, depth, kernel, stop })
}

/// One slot of the hash: the key mixed with the count, so that a torn pair does not match, and the count.
struct Slot {
    check: AtomicU64,
    nodes: AtomicU64,
}

/// Counts that were made before, shared between threads.
struct Hash {
    slots: Box<[Slot]>,
}

impl Hash {
    fn new(megabytes: NonZeroUsize) -> Hash {
        let slots = (megabytes.get() << 20) / size_of::<Slot>();
        let empty = || Slot { check: AtomicU64::new(0), nodes: AtomicU64::new(0) };
        Hash { slots: (0..slots).map(|_| empty()).collect() }
    }

    /// The slot and the check value of a position at a depth.
    fn slot(&self, key: Key, depth: u32) -> (&Slot, u64) {
        let key = key.0 ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = (u128::from(key) * self.slots.len() as u128) >> 64;
        (&self.slots[index as usize], key)
    }

    fn get(&self, key: Key, depth: u32) -> Option<u64> {
        let (slot, key) = self.slot(key, depth);
        let nodes = slot.nodes.load(Ordering::Relaxed);
        (nodes != 0 && slot.check.load(Ordering::Relaxed) ^ nodes == key).then_some(nodes)
    }

    fn put(&self, key: Key, depth: u32, nodes: u64) {
        let (slot, key) = self.slot(key, depth);
        slot.nodes.store(nodes, Ordering::Relaxed);
        slot.check.store(key ^ nodes, Ordering::Relaxed);
    }
}

/// How to count.
#[derive(Clone, Copy, Debug)]
pub struct PerftOptions {
    /// Threads to count with.
    pub threads: NonZeroUsize,
    /// Size of a hash of counts in mebibytes, if any.
    pub hash: Option<NonZeroUsize>,
    /// Which code counts.
    pub kernel: KernelChoice,
}

impl Default for PerftOptions {
    fn default() -> PerftOptions {
        PerftOptions { threads: NonZeroUsize::MIN, hash: None, kernel: KernelChoice::Best }
    }
}

/// What all threads of one count share.
struct Counter<'a> {
    kernel: KernelChoice,
    hash: Option<Hash>,
    stop: &'a AtomicBool,
}

impl Counter<'_> {
    fn count(&self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if let Some(hash) = &self.hash
            && depth >= 2
        {
            if let Some(nodes) = hash.get(position.key(), depth) {
                return nodes;
            }
            let nodes = if depth == 2 {
                self.count_without_hash(position, depth)
            } else {
                total(position.legal_moves().iter().map(|&mv| self.count(&position.after(mv), depth - 1)))
            };
            if !self.stop.load(Ordering::Relaxed) {
                hash.put(position.key(), depth, nodes);
            }
            return nodes;
        }
        self.count_without_hash(position, depth)
    }

    fn count_without_hash(&self, board: &Board, depth: u32) -> u64 {
        match (self.kernel, Bmi2::detect()) {
            (KernelChoice::Best, Some(bmi2)) => count_with(board, depth, PextSliders::new(bmi2), self.stop),
            _ => count_with(board, depth, MagicSliders, self.stop),
        }
    }
}

fn count_with<S: Kernel>(board: &Board, depth: u32, kernel: S, stop: &AtomicBool) -> u64 {
    match board.side_to_move() {
        Color::White => count::<S, 0, 1>(board, depth, kernel, stop),
        Color::Black => count::<S, 1, 0>(board, depth, kernel, stop),
    }
}

/// Counts the lines of `depth` plies below each legal move of `position`, in the generator's order. The sum of the
/// counts is the perft number; at depth 0 that is 1 and there is nothing to divide. Once `stop` is set the counts are
/// worthless.
pub fn divide(position: &Position, depth: u32, options: PerftOptions, stop: &AtomicBool) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    if depth == 0 {
        return vec![];
    }
    let counter = Counter { kernel: options.kernel, hash: options.hash.map(Hash::new), stop };
    // The threads share out pairs of moves: finer pieces than single moves, and about equal.
    let plies_played = if options.threads.get() == 1 || depth < 3 { 1 } else { 2 };
    let jobs: Vec<(usize, Position)> = if plies_played == 1 {
        moves.iter().enumerate().map(|(index, &mv)| (index, position.after(mv))).collect()
    } else {
        let replies = |(index, &mv)| {
            let next = position.after(mv);
            let replies = next.legal_moves().into_iter().map(move |reply| (index, next.after(reply)));
            replies.collect::<Vec<_>>()
        };
        moves.iter().enumerate().flat_map(replies).collect()
    };
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next_job = AtomicUsize::new(0);
    let work = || {
        while let Some((index, position)) = jobs.get(next_job.fetch_add(1, Ordering::Relaxed)) {
            let nodes = counter.count(position, depth - plies_played);
            let add = |count: u64| Some(count.saturating_add(nodes));
            let _ = counts[*index].fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.threads.get().min(jobs.len().max(1)) {
            // With fewer threads than wanted the others do more.
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    moves.into_iter().zip(counts.into_iter().map(AtomicU64::into_inner)).collect()
}

/// The number of lines of `depth` plies; [`u64::MAX`] if there are more than it says.
pub fn perft(position: &Position, depth: u32, options: PerftOptions) -> u64 {
    if depth == 0 {
        return 1;
    }
    let stop = AtomicBool::new(false);
    if options.threads.get() == 1 {
        return Counter { kernel: options.kernel, hash: options.hash.map(Hash::new), stop: &stop }
            .count(position, depth);
    }
    total(divide(position, depth, options, &stop).iter().map(|(_, nodes)| *nodes))
}

/// The sum of counts; [`u64::MAX`] stands for that and more, which only a hash can count to.
pub fn total(counts: impl IntoIterator<Item = u64>) -> u64 {
    counts.into_iter().fold(0, u64::saturating_add)
}
