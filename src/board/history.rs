//! Which positions came before: repetition, and repetition that is one move away.

use super::Position;
use super::cuckoo::CUCKOO;
use super::tables::between;
use super::zobrist::side_key;
use crate::types::Key;

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    /// How many plies back a position can be the same: since the last capture, pawn move or null move.
    reach: u16,
}

/// The keys of a game's positions and of the line being searched, up to the position now on the board.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<Entry>,
}

impl History {
    /// A game that begins with `position`.
    pub fn new(position: &Position) -> History {
        History { entries: vec![Entry { key: position.key(), reach: 0 }] }
    }

    fn now(&self) -> Entry {
        self.entries.last().copied().unwrap_or(Entry { key: Key(0), reach: 0 })
    }

    /// The entry of a position that a move from the one on the board leads to.
    #[inline(always)]
    fn entry_behind(&self, next: &Position) -> Entry {
        let reach = if next.halfmove_clock() == 0 { 0 } else { self.now().reach.saturating_add(1) };
        Entry { key: next.key(), reach }
    }

    /// A move led to `position`.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.entries.push(self.entry_behind(position));
    }

    /// A null move led to `position`: nothing before it counts.
    #[inline]
    pub fn push_null(&mut self, position: &Position) {
        self.entries.push(Entry { key: position.key(), reach: 0 });
    }

    /// Takes the last move back; nothing, where there is none.
    #[inline]
    pub fn pop(&mut self) {
        if self.entries.len() > 1 {
            self.entries.pop();
        }
    }

    /// Forgets what an irreversible move has cut off. For games, where nothing is taken back; keeps long ones short.
    pub fn trim(&mut self) {
        let keep = self.now().reach as usize + 1;
        self.entries.drain(..self.entries.len() - keep);
    }

    /// How often the position of an entry stood on the board up to then, itself included; the entry has this place, or
    /// will have it.
    fn count(&self, Entry { key, reach }: Entry, place: usize) -> usize {
        1 + (4..=reach as usize).step_by(2).filter(|back| self.entries[place - back].key == key).count()
    }

    fn occurrences_at(&self, index: usize) -> usize {
        self.count(self.entries[index], index)
    }

    /// How often the position now on the board has stood there, itself included (article 9.2).
    pub fn occurrences(&self) -> usize {
        self.occurrences_at(self.entries.len() - 1)
    }

    /// True if some position since the last capture or pawn move has stood on the board twice.
    pub fn has_repetition(&self) -> bool {
        let last = self.entries.len() - 1;
        (0..=self.now().reach as usize).any(|back| self.occurrences_at(last - back) > 1)
    }

    /// How often `next` will have stood on the board when the next move leads to it (article 9.2 with a move that is
    /// announced).
    pub fn occurrences_of_next(&self, next: &Position) -> usize {
        self.count(self.entry_behind(next), self.entries.len())
    }

    /// True if the position now on the board stood there so many times, itself included, with four plies between each two:
    /// the same moves to and fro (article 9.6.a of 2014).
    pub fn stood_every_four_plies(&self, times: usize) -> bool {
        let now = self.now();
        let last = self.entries.len() - 1;
        let span = 4 * times.saturating_sub(1);
        span <= now.reach as usize
            && (4..=span).step_by(4).all(|back| self.entries[last - back].key == now.key)
    }

    /// True if the search may take the position for a draw by repetition: it stood on the board once before in the
    /// `ply` plies since the root, or twice in all.
    #[inline]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let now = self.now();
        let last = self.entries.len() - 1;
        let mut seen = 0;
        for back in (4..=now.reach as usize).step_by(2) {
            if self.entries[last - back].key == now.key {
                seen += 1;
                if back < ply || seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// True if the side to move has a move that repeats a position in the sense of [`History::is_repetition`], found
    /// without trying the moves (M. van Kervinck, "The Cuckoo algorithm for repetition detection", 2013;
    /// <https://www.chessprogramming.org/Repetitions>).
    #[inline]
    pub fn has_upcoming_repetition(&self, position: &Position, ply: usize) -> bool {
        let now = self.now();
        let last = self.entries.len() - 1;
        let key = |back: usize| self.entries[last - back].key;
        if now.reach < 3 {
            return false;
        }
        // What the moves of the other side have changed since. One move of ours cannot take that back too.
        let mut theirs = now.key ^ key(1) ^ side_key();
        for back in (3..=now.reach as usize).step_by(2) {
            theirs ^= key(back - 1) ^ key(back) ^ side_key();
            if theirs != Key(0) {
                continue;
            }
            let Some((a, b)) = CUCKOO.find(now.key ^ key(back)) else { continue };
            if (between(a, b) & position.occupied()).any() {
                continue;
            }
            let mover = position.piece_on(a).or(position.piece_on(b));
            if mover.is_some_and(|piece| piece.color() == position.side_to_move())
                && (back < ply || self.occurrences_at(last - back) >= 2)
            {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Move, PieceType, Square};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    fn play(fen: &str, moves: &[(Square, Square)]) -> (Position, History) {
        let mut position = Position::from_fen(fen).unwrap();
        let mut history = History::new(&position);
        for &(from, to) in moves {
            position = position.after(Move::normal(from, to));
            history.push(&position);
        }
        (position, history)
    }

    const ROOKS: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
    use Square::*;
    const SHUFFLE: [(Square, Square); 4] = [(A1, B1), (H8, G8), (B1, A1), (G8, H8)];

    #[test]
    fn behind_the_first_position_nothing_is_taken_back() {
        let (_, mut history) = play(ROOKS, &SHUFFLE);
        (0..9).for_each(|_| history.pop());
        assert_eq!(history.occurrences(), 1, "the first position is still there");
    }

    #[test]
    fn one_repetition_inside_the_tree_or_two_in_all_are_a_draw() {
        let (_, history) = play(ROOKS, &SHUFFLE);
        assert_eq!(history.occurrences(), 2);
        assert!(!history.is_repetition(4), "the root itself must come twice");
        assert!(history.is_repetition(5));
        let twice = [SHUFFLE, SHUFFLE].concat();
        let (_, history) = play(ROOKS, &twice);
        assert_eq!(history.occurrences(), 3);
        assert!(history.is_repetition(0));
    }

    #[test]
    fn what_has_come_twice_is_a_repetition_until_something_is_taken() {
        let has = |moves: &[(Square, Square)]| play(ROOKS, moves).1.has_repetition();
        let on = [&SHUFFLE[..], &[(A1, B1)]].concat();
        assert_eq!([&SHUFFLE[..3], &SHUFFLE[..], &on].map(has), [false, true, true]);
        let taken = [&SHUFFLE[..], &[(A1, A8), (E8, E7), (A8, H8)]].concat();
        assert!(!has(&taken));
    }

    #[test]
    fn upcoming_repetition_is_repetition_one_move_early() {
        let (position, history) = play(ROOKS, &SHUFFLE[..3]);
        assert!(history.has_upcoming_repetition(&position, 4));
        assert!(!history.has_upcoming_repetition(&position, 3), "that only goes back to the root");
        let seven = [&SHUFFLE[..], &SHUFFLE[..3]].concat();
        let (position, history) = play(ROOKS, &seven);
        assert!(history.has_upcoming_repetition(&position, 0), "the third time");
        // Another piece in the way of the rook that would go back.
        let (position, history) = play("1n2k2r/8/8/8/8/8/8/R3K3 w - - 0 1", &[(A1, A8), (H8, H7), (A8, A7)]);
        assert!(!history.has_upcoming_repetition(&position, 9));
    }

    #[test]
    fn upcoming_repetition_is_what_trying_every_move_finds() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let (mut near, mut far) = (0, 0);
        for game in 0..120 {
            // Kings in corners and few pieces: what was there soon comes again, by other ways than to and fro, too.
            let fen =
                ["k7/p7/1p6/8/8/6P1/6NP/7K w - - 0 1", "kb6/p1p5/8/8/8/8/5P1P/5B1K w - - 0 1"][game % 2];
            let mut position = Position::from_fen(fen).unwrap();
            let mut history = History::new(&position);
            for ply in 0..60 {
                let moves = position.legal_moves();
                let quiet: Vec<Move> = moves
                    .iter()
                    .copied()
                    .filter(|mv| position.kind_on(mv.from()) != Some(PieceType::Pawn))
                    .collect();
                let depth = random.random_range(0..=ply);
                let repeats = |mv: Move| {
                    let mut history = history.clone();
                    history.push(&position.after(mv));
                    history.is_repetition(depth + 1)
                };
                let expected = moves.iter().any(|&mv| repeats(mv));
                let found = history.has_upcoming_repetition(&position, depth);
                assert_eq!(found, expected, "{position:?}");
                let last = history.entries.len() - 1;
                let back = moves
                    .iter()
                    .any(|&mv| last >= 3 && history.entries[last - 3].key == position.after(mv).key());
                near += usize::from(expected && back);
                far += usize::from(expected && !back);
                let Some(&mv) = quiet.get(random.random_range(0..quiet.len().max(1))) else { break };
                position = position.after(mv);
                history.push(&position);
            }
        }
        assert!(near > 100 && far > 100, "{near} {far}");
    }

    #[test]
    fn a_null_move_and_a_capture_cut_the_past_off() {
        let (position, mut history) = play(ROOKS, &SHUFFLE[..3]);
        assert!(history.has_upcoming_repetition(&position, 9));
        history.trim();
        assert!(history.has_upcoming_repetition(&position, 9));
        // To and fro around passes of both sides: what stands then has stood before the first of them.
        let mut history = History::new(&Position::from_fen(ROOKS).unwrap());
        let mut position = Position::from_fen(ROOKS).unwrap();
        for step in [Some((A1, B1)), None, Some((B1, A1)), None] {
            position = match step {
                Some((from, to)) => position.after(Move::normal(from, to)),
                None => position.after_null(),
            };
            match step {
                Some(_) => history.push(&position),
                None => history.push_null(&position),
            }
        }
        assert_eq!(position.key(), Position::from_fen(ROOKS).unwrap().key());
        assert_eq!(history.occurrences(), 1);
        // Behind a capture nothing of before is kept, and what comes after it counts as ever.
        let mut position = Position::from_fen("4k2r/8/8/8/8/8/8/R3K2n w - - 0 1").unwrap();
        let mut history = History::new(&position);
        let moves =
            [(A1, B1), (H8, G8), (B1, A1), (G8, H8), (A1, A2), (H8, G8), (A2, H2), (G8, H8), (H2, H1)];
        for (from, to) in moves.into_iter().chain([(H8, G8), (H1, G1), (G8, H8), (G1, H1)]) {
            position = position.after(Move::normal(from, to));
            history.push(&position);
        }
        assert_eq!(history.occurrences(), 2);
        history.trim();
        assert_eq!((history.occurrences(), history.entries.len()), (2, 5));
    }
}
