//! The transposition table: what was found out about a position, shared by all threads without a lock.
//!
//! A cluster is four 64-bit words: three entries and a word with their sixteen-bit checks. A check is part of the
//! key, mixed with the entry itself, so that an entry torn by two writers (the idea of R. Hyatt and T. Mann, "A
//! lock-less transposition table", 2002) or meant for another position is found out, all but three times in 65,536
//! (a probe compares three); what slips through is a wrong score at worst, since moves are checked before they are played.

use crate::sys::memory::{AtomicWords, available_megabytes, prefetch, total_megabytes};
use crate::types::{Depth, Key, Move, Score};
use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a score says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// This is the true value.
    Exact = 3,
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or the one that caused a cutoff; not necessarily legal here.
    pub mv: Option<Move>,
    /// The score, mate distances counted from this position.
    pub score: Score,
    /// The uncorrected static evaluation, unless the side to move is in check.
    pub eval: Option<Score>,
    /// The depth that it was searched to, in plies; 0 for quiescence.
    pub depth: Depth,
    /// What the score says; `None` if only the evaluation is known.
    pub bound: Option<Bound>,
    /// True if the position has been part of a principal variation.
    pub pv: bool,
}

const ENTRIES: usize = 3;
const CLUSTER_WORDS: usize = 4;
const CLUSTER_BYTES: usize = CLUSTER_WORDS * 8;
/// Searches are counted in five bits.
const GENERATIONS: u8 = 32;
/// No evaluation, in the sixteen bits of one.
const NO_EVAL: i16 = i16::MIN;

// Sixteen bits hold every score.
const _: () = assert!(Score::INFINITE.units() < i16::MAX as i32);

impl Entry {
    /// Move 16, score 16, evaluation 16, depth 8, then generation 5, pv 1, bound 2 bits.
    fn pack(self, generation: u8) -> u64 {
        let mv = u64::from(self.mv.map_or(0, Move::bits));
        let score = u64::from(self.score.units() as i16 as u16);
        let eval = u64::from(self.eval.map_or(NO_EVAL, |eval| eval.units() as i16) as u16);
        let depth = self.depth.clamp(0, 255) as u64;
        let bound = self.bound.map_or(0, |bound| bound as u64);
        let flags = u64::from(generation) << 3 | u64::from(self.pv) << 2 | bound;
        mv | score << 16 | eval << 32 | depth << 48 | flags << 56
    }

    fn unpack(word: u64) -> Entry {
        let eval = (word >> 32) as u16 as i16;
        Entry {
            mv: Move::from_bits(word as u16),
            score: Score::new(i32::from((word >> 16) as u16 as i16)),
            eval: (eval != NO_EVAL).then(|| Score::new(i32::from(eval))),
            depth: (word >> 48) as u8 as Depth,
            bound: match word >> 56 & 3 {
                0 => None,
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                _ => Some(Bound::Exact),
            },
            pv: word >> 58 & 1 != 0,
        }
    }
}

fn generation_of(word: u64) -> u8 {
    (word >> 59) as u8
}

/// The sixteen bits that show that `word` was written whole, for a position with this key.
fn check(key: Key, word: u64) -> u16 {
    (key.0 ^ word ^ word >> 16 ^ word >> 32 ^ word >> 48) as u16
}

/// Why a table of some size cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableTooLarge {
    /// The size that was asked for, in mebibytes.
    pub wanted: usize,
    /// The size that the machine could give, in mebibytes, if it tells and that is why.
    pub available: Option<usize>,
}

impl fmt::Display for TableTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a hash table of {} MB cannot be had", self.wanted)?;
        match self.available {
            Some(available) => write!(f, ", this machine has {available} MB free"),
            None => f.write_str(": the system refuses the memory"),
        }
    }
}

impl std::error::Error for TableTooLarge {}

/// The table.
pub struct Table {
    words: AtomicWords,
    generation: AtomicU8,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("words", &self.words).finish_non_exhaustive()
    }
}

impl Table {
    /// The smallest size in mebibytes.
    pub const MIN_MEGABYTES: usize = 1;

    /// The largest size in mebibytes that this machine can hold. With addresses of 32 bits no process gets more than half of
    /// what they reach.
    pub fn max_megabytes() -> usize {
        let addressable = if cfg!(target_pointer_width = "32") { 2_048 } else { usize::MAX };
        total_megabytes().unwrap_or(1 << 20).clamp(Table::MIN_MEGABYTES, addressable)
    }

    /// An empty table.
    ///
    /// # Errors
    /// If the machine has not got the memory.
    pub fn new(megabytes: usize) -> Result<Table, TableTooLarge> {
        Table::in_place_of(0, megabytes)
    }

    /// An empty table, when one of `old` mebibytes is about to go.
    ///
    /// # Errors
    /// If the machine has not got the memory.
    pub fn in_place_of(old: usize, megabytes: usize) -> Result<Table, TableTooLarge> {
        let available = available_megabytes().map(|available| available + old);
        if available.is_some_and(|available| megabytes > available) {
            return Err(TableTooLarge { wanted: megabytes, available });
        }
        // What is free is not always to be had: `ulimit -v`.
        let refused = TableTooLarge { wanted: megabytes, available: None };
        let words = megabytes.checked_mul((1 << 20) / CLUSTER_BYTES * CLUSTER_WORDS).ok_or(refused)?;
        let words = AtomicWords::new(words).ok_or(refused)?;
        Ok(Table { words, generation: AtomicU8::new(0) })
    }

    /// The size in mebibytes.
    pub fn megabytes(&self) -> usize {
        (self.words.len() * 8) >> 20
    }

    /// Forgets everything, with several threads, or on the caller's if one is enough.
    pub fn clear(&self, threads: usize) {
        let empty = |part: &[AtomicU64]| part.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        let share = self.words.len().div_ceil(threads.max(1)).max(1 << 16);
        if threads <= 1 {
            empty(&self.words);
        } else {
            std::thread::scope(|scope| {
                for part in self.words.chunks(share) {
                    let spawned = std::thread::Builder::new().spawn_scoped(scope, move || empty(part));
                    // The system has no more threads to give.
                    if spawned.is_err() {
                        empty(part);
                    }
                }
            });
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// A new search begins: what is in the table grows older.
    pub fn new_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: Key) -> &[AtomicU64] {
        let clusters = self.words.len() / CLUSTER_WORDS;
        let index = ((u128::from(key.0) * clusters as u128) >> 64) as usize;
        &self.words[index * CLUSTER_WORDS..][..CLUSTER_WORDS]
    }

    /// Asks for the memory where a key's entries are, before it is needed.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        prefetch(&self.cluster(key)[0]);
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<Entry> {
        let cluster = self.cluster(key);
        let checks = cluster[ENTRIES].load(Ordering::Relaxed);
        (0..ENTRIES).find_map(|slot| {
            let word = cluster[slot].load(Ordering::Relaxed);
            (word != 0 && (checks >> (16 * slot)) as u16 == check(key, word)).then(|| Entry::unpack(word))
        })
    }

    /// Keeps an entry, in place of one for the same position or of the one that is worth least: shallow and old.
    /// Without a move, that of the entry before it for the same position stays.
    #[inline]
    pub fn store(&self, key: Key, mut entry: Entry) {
        let cluster = self.cluster(key);
        let checks = cluster[ENTRIES].load(Ordering::Relaxed);
        let generation = self.generation.load(Ordering::Relaxed);
        let mut chosen = 0;
        let mut least = i32::MAX;
        for (slot, word) in cluster[..ENTRIES].iter().enumerate() {
            let word = word.load(Ordering::Relaxed);
            if word == 0 {
                // Slots fill in order: there is nothing behind this one.
                chosen = slot;
                break;
            }
            let old = Entry::unpack(word);
            let age = i32::from((generation + GENERATIONS - generation_of(word)) % GENERATIONS);
            if (checks >> (16 * slot)) as u16 == check(key, word) {
                // A much shallower result of the same search does not push out a deep one, unless it is exact.
                let keeps = entry.bound != Some(Bound::Exact)
                    && age == 0
                    && entry.depth + if entry.pv { 6 } else { 4 } <= old.depth;
                if keeps {
                    return;
                }
                entry.mv = entry.mv.or(old.mv);
                chosen = slot;
                break;
            }
            let worth = old.depth - 8 * age;
            if worth < least {
                (chosen, least) = (slot, worth);
            }
        }
        let word = entry.pack(generation);
        if word == 0 {
            // That is an empty slot, and says nothing but an evaluation of 0.
            return;
        }
        let shift = 16 * chosen;
        let checks = checks & !(0xffff << shift) | u64::from(check(key, word)) << shift;
        cluster[chosen].store(word, Ordering::Relaxed);
        cluster[ENTRIES].store(checks, Ordering::Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths.
    pub fn permille_full(&self) -> usize {
        let sample = self.words.len().min(1000 * CLUSTER_WORDS);
        let generation = self.generation.load(Ordering::Relaxed);
        let used = self.words[..sample]
            .chunks(CLUSTER_WORDS)
            .flat_map(|cluster| &cluster[..ENTRIES])
            .map(|word| word.load(Ordering::Relaxed))
            .filter(|&word| word != 0 && generation_of(word) == generation)
            .count();
        used * 1000 * CLUSTER_WORDS / (sample * ENTRIES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    fn entry(depth: Depth, mv: Option<Move>) -> Entry {
        let bound = Some(Bound::Exact);
        Entry { mv, score: Score::mated_in(7), eval: Some(Score::new(-431)), depth, bound, pv: true }
    }

    #[test]
    fn entries_come_back_whole() {
        let table = Table::new(1).unwrap();
        let mv = Some(Move::en_passant(Square::E5, Square::D6));
        for bound in [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)] {
            for eval in [None, Some(-Score::EVAL_BOUND)] {
                let key = Key(0x1234_5678_9abc_def0 ^ bound.map_or(9, |bound| bound as u64) << 50);
                let entry = Entry { bound, eval, pv: eval.is_some(), ..entry(245, mv) };
                table.store(key, entry);
                assert_eq!(table.probe(key), Some(entry));
            }
        }
    }

    #[test]
    fn what_says_nothing_makes_no_hole() {
        let table = Table::new(1).unwrap();
        let keys = [1, 2, 3].map(Key);
        keys.iter().for_each(|key| table.store(*key, entry(5, None)));
        let nothing =
            Entry { mv: None, score: Score::DRAW, eval: Some(Score::DRAW), depth: 0, bound: None, pv: false };
        table.store(Key(4), nothing);
        assert!(keys.iter().all(|key| table.probe(*key).is_some()));
    }

    #[test]
    fn a_torn_or_foreign_entry_is_not_found() {
        let table = Table::new(1).unwrap();
        let key = Key(77);
        table.store(key, entry(9, None));
        assert_eq!(table.probe(Key(78)), None, "the same cluster, another position");
        let word = &table.cluster(key)[0];
        word.store(word.load(Ordering::Relaxed) ^ 1 << 20, Ordering::Relaxed);
        assert_eq!(table.probe(key), None, "the score of somebody else");
    }

    #[test]
    fn the_shallow_and_the_old_go_first_and_the_move_stays() {
        let table = Table::new(1).unwrap();
        let mv = Some(Move::normal(Square::E2, Square::E4));
        for (key, depth) in [(1, 20), (2, 4), (3, 12)] {
            table.store(Key(key), entry(depth, mv));
        }
        table.store(Key(4), entry(1, None));
        assert!(table.probe(Key(2)).is_none() && table.probe(Key(1)).is_some());
        (0..3).for_each(|_| table.new_search());
        table.store(Key(4), entry(2, None));
        table.store(Key(3), entry(13, None));
        assert_eq!(table.probe(Key(3)).unwrap().mv, mv);
        table.store(Key(5), entry(3, None));
        assert!(table.probe(Key(1)).is_none(), "deep but three searches old");
        assert!(table.permille_full() < 2);
    }

    #[test]
    fn what_the_machine_has_not_got_is_refused() {
        let refused = Table::new(1 << 40).expect_err("nobody has an exbibyte");
        assert_eq!(refused.wanted, 1 << 40);
    }

    #[test]
    fn clearing_leaves_nothing() {
        let table = Table::new(2).unwrap();
        (0..50_000u64).for_each(|n| table.store(Key(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)), entry(3, None)));
        assert!(table.permille_full() > 100);
        table.clear(3);
        assert_eq!(table.permille_full(), 0);
    }

    #[test]
    fn only_this_search_fills_the_table_however_many_there_were() {
        let table = Table::new(1).unwrap();
        for search in 0..70 {
            assert_eq!(table.permille_full(), 0, "search {search}");
            // All three of a cluster.
            (1..=3).for_each(|key| table.store(Key(key), entry(5, None)));
            assert_eq!(table.permille_full(), 1, "search {search}");
            table.new_search();
        }
    }

    #[test]
    fn a_deep_entry_gives_way_to_a_shallow_one_only_of_another_search() {
        let table = Table::new(1).unwrap();
        let shallow = Entry { bound: Some(Bound::Upper), pv: false, ..entry(2, None) };
        let depth = || table.probe(Key(1)).unwrap().depth;
        table.store(Key(1), entry(20, None));
        table.store(Key(1), shallow);
        assert_eq!(depth(), 20);
        table.new_search();
        table.store(Key(1), shallow);
        assert_eq!(depth(), 2);
    }
}
