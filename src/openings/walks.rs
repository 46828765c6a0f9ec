//! Lines drawn from a Polyglot book: random walks by the moves' weights that end in different positions.

use super::Opening;
use super::polyglot::{Book, Entry, key, key_after};
use crate::board::Position;
use crate::laws::Edition;
use crate::sys::chance::Chance;
use crate::types::Move;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;

/// Plies of a line if nobody says how many.
pub(super) const DEFAULT_PLIES: u32 = 16;
/// More lines are not kept; drawings go round then.
const MOST_WALKS: u64 = 1 << 20;

/// Lines, one behind the other.
#[derive(Default)]
pub(super) struct Walks {
    moves: Vec<Move>,
    /// Where each line ends in `moves`.
    ends: Vec<u32>,
}

impl Walks {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, index: usize) -> &[Move] {
        let begin = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.moves[begin..self.ends[index] as usize]
    }
}

/// A position of the book at some depth: its key and the plies played.
type Node = (u64, u32);

/// A move, its weight, and where it leads.
type Choice = (Move, u64, Node);

/// What a walk has to know.
struct Walker<'a> {
    book: &'a Book,
    plies: u32,
    /// The choices at nodes where somebody has been, without those that lead to spent ones: a book is read from its file, and
    /// some nodes are come to for each line.
    known: HashMap<Node, Vec<Choice>>,
    /// Nodes behind which no new end is left.
    spent: HashSet<Node>,
    /// Records that are no legal moves, by their numbers.
    illegal: BTreeMap<u64, String>,
}

/// Draws `wanted` lines of at most `plies` plies, which end where a position comes for the second time; fewer if the book
/// has not got so many that end in different positions, none of them the end of the game under these Laws; and says which
/// records on the way are no legal moves, by their numbers from 0.
pub(super) fn draw(
    book: &Book,
    plies: u32,
    laws: Edition,
    wanted: u64,
    seed: u64,
) -> io::Result<(Walks, BTreeMap<u64, String>)> {
    let mut walker =
        Walker { book, plies, known: HashMap::new(), spent: HashSet::new(), illegal: BTreeMap::new() };
    let mut chance = Chance::new(seed);
    let mut walks = Walks::default();
    let mut ends = HashSet::new();
    let start = Position::default();
    let root = (key(&start), 0);
    // Each round makes at least one more node spent, so the book comes to an end.
    while (walks.len() as u64) < wanted.min(MOST_WALKS) && !walker.spent.contains(&root) {
        let (moves, end) = walker.walk(&start, root, &mut chance)?;
        // The same position may be met at another depth, or again with other counters.
        let Some(end) = end else { continue };
        let line = Opening { start, moves, name: None };
        if line.why_over(laws).is_none() && ends.insert(end.key()) {
            walks.moves.extend(line.moves);
            walks.ends.push(walks.moves.len() as u32);
        }
    }
    Ok((walks, walker.illegal))
}

impl Walker<'_> {
    /// The moves of the book at a node, with their weights and where they lead, leaving those that are not to be played.
    fn choices(&mut self, position: &Position, node: Node) -> io::Result<Vec<Choice>> {
        let (key, ply) = node;
        let mut choices = vec![];
        if ply >= self.plies {
            return Ok(choices);
        }
        for (number, entry) in self.book.entries(key)? {
            let Entry { weight, .. } = entry;
            match entry.move_in(position) {
                None => {
                    let text = format!("{} is no legal move in its position", entry.text());
                    self.illegal.insert(number, text);
                }
                Some(mv) if weight > 0 => {
                    choices.push((mv, u64::from(weight), (key_after(position, mv), ply + 1)));
                }
                Some(_) => {}
            }
        }
        Ok(choices)
    }

    /// Walks to an end that nobody has come to in this way, at the latest to a position where it has been already, as a book
    /// may lead round in a circle; or into a node whose ends are all known, which is then marked, and there is no end.
    fn walk(
        &mut self,
        start: &Position,
        root: Node,
        chance: &mut Chance,
    ) -> io::Result<(Vec<Move>, Option<Position>)> {
        let (mut position, mut node) = (*start, root);
        let mut moves = vec![];
        let mut met = HashSet::new();
        loop {
            let is_new = met.insert(node.0);
            if is_new && !self.known.contains_key(&node) {
                let choices = self.choices(&position, node)?;
                if !choices.is_empty() {
                    self.known.insert(node, choices);
                }
            }
            let Some(choices) = self.known.get_mut(&node).filter(|_| is_new) else {
                self.spent.insert(node);
                return Ok((moves, Some(position)));
            };
            choices.retain(|(_, _, next)| !self.spent.contains(next));
            let Some(index) = chance.weighted(choices.iter().map(|(_, weight, _)| *weight)) else {
                self.known.remove(&node);
                self.spent.insert(node);
                return Ok((moves, None));
            };
            let (mv, _, next) = choices[index];
            moves.push(mv);
            position = position.after(mv);
            node = next;
        }
    }
}
