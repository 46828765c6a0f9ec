//! The tree of a book: which positions come into it, and what is played there.
//!
//! It grows ply by ply from the start position, and knows nothing of searches: it says which positions wait, and is told
//! what their moves are worth. Every position has two shares of games that come to it, one for each side whose book it may
//! be: that side plays by [`OWN`], the other, which nobody can choose for, by [`OTHERS`]. Those that too few games come
//! to are left out. When it is grown, what was found at its ends goes back to the beginning, and by these values each
//! position's moves have their weights.

use super::judge::Taste;
use crate::board::Position;
use crate::openings::polyglot::{BookWriter, key, key_after};
use crate::openings::why_over;
use crate::types::{Move, Score};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What who plays by the book plays.
const OWN: Taste = Taste { halving: 4, most_loss: 12 };
/// What may be played against it.
const OTHERS: Taste = Taste { halving: 12, most_loss: 60 };

struct Choice {
    mv: Move,
    /// For who plays it.
    score: Score,
    /// The key behind it.
    next: u64,
}

struct Node {
    position: Position,
    /// The share of games that come here, by the side whose book it is.
    shares: [f64; 2],
    choices: Vec<Choice>,
}

/// The positions of a ply by their keys, which sets their order.
type Layer = BTreeMap<u64, Node>;

/// The positions of a book and what was found of their moves.
pub(super) struct Tree {
    least_share: f64,
    grown: Vec<Layer>,
    waiting: Layer,
    /// Keys of all that were ever in a layer: nothing comes twice, whatever the ply.
    known: HashSet<u64>,
}

impl Tree {
    /// The start position waits. Positions to which less than `least_share` of the games come are left out.
    pub(super) fn new(least_share: f64) -> Tree {
        let start = Position::default();
        let key = key(&start);
        let root = Node { position: start, shares: [1.0, 1.0], choices: vec![] };
        Tree {
            least_share,
            grown: vec![],
            waiting: BTreeMap::from([(key, root)]),
            known: HashSet::from([key]),
        }
    }

    /// The positions that wait to be judged.
    pub(super) fn waiting(&self) -> Vec<Position> {
        self.waiting.values().map(|node| node.position).collect()
    }

    /// Takes what the best moves of those that wait are worth, in their order; then those behind them wait.
    pub(super) fn grow(&mut self, judged: Vec<Vec<(Move, Score)>>) {
        debug_assert_eq!(judged.len(), self.waiting.len());
        let mut layer = std::mem::take(&mut self.waiting);
        for (node, moves) in layer.values_mut().zip(judged) {
            let position = node.position;
            let choice = |(mv, score)| Choice { mv, score, next: key_after(&position, mv) };
            node.choices = moves.into_iter().map(choice).collect();
            let own = shares(OWN, &node.choices);
            let others = shares(OTHERS, &node.choices);
            for (index, choice) in node.choices.iter().enumerate() {
                let next = position.after(choice.mv);
                if self.known.contains(&choice.next) || why_over(&next).is_some() {
                    continue;
                }
                let child = self.waiting.entry(choice.next).or_insert(Node {
                    position: next,
                    shares: [0.0, 0.0],
                    choices: vec![],
                });
                let us = position.side_to_move();
                child.shares[us.index()] += node.shares[us.index()] * own[index];
                child.shares[(!us).index()] += node.shares[(!us).index()] * others[index];
            }
        }
        self.waiting.retain(|_, node| node.shares.iter().any(|&share| share >= self.least_share));
        self.known.extend(self.waiting.keys());
        self.grown.push(layer);
    }

    /// The number of positions that have been judged.
    pub(super) fn len(&self) -> usize {
        self.grown.iter().map(BTreeMap::len).sum()
    }

    /// The book.
    pub(super) fn into_book(mut self) -> BookWriter {
        let mut book = BookWriter::new();
        let mut behind: HashMap<u64, Score> = HashMap::new();
        while let Some(mut layer) = self.grown.pop() {
            let mut values = HashMap::new();
            for (&key, node) in &mut layer {
                for choice in &mut node.choices {
                    if let Some(&value) = behind.get(&choice.next) {
                        choice.score = -value;
                    }
                }
                let Some(best) = best(&node.choices) else { continue };
                values.insert(key, best);
                for choice in &node.choices {
                    let weight = OWN.weight(loss(best, choice));
                    if weight > 0 {
                        book.add(key, choice.mv, weight);
                    }
                }
            }
            behind = values;
        }
        book
    }
}

fn best(choices: &[Choice]) -> Option<Score> {
    choices.iter().map(|choice| choice.score).max()
}

fn loss(best: Score, choice: &Choice) -> u64 {
    (best - choice.score) as u64
}

/// How often each move is played, out of 1.
fn shares(taste: Taste, choices: &[Choice]) -> Vec<f64> {
    let Some(best) = best(choices) else { return vec![] };
    let weights: Vec<u64> = choices.iter().map(|choice| taste.weight(loss(best, choice))).collect();
    let sum: u64 = weights.iter().sum();
    weights.iter().map(|&weight| weight as f64 / sum as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::uci_move::{parse_uci, to_uci};
    use crate::openings::polyglot::Entry;
    use std::collections::BTreeSet;

    /// Tells the tree of each position that waits what `moves` says of it.
    fn judge(tree: &mut Tree, mut moves: impl FnMut(&Position) -> Vec<(&'static str, i32)>) {
        let judged = tree.waiting().into_iter().map(|position| {
            let told = moves(&position).into_iter();
            told.map(|(mv, units)| (parse_uci(mv, &position).unwrap(), Score::new(units))).collect()
        });
        let judged = judged.collect();
        tree.grow(judged);
    }

    fn entries(book: &BookWriter, position: &Position) -> Vec<(String, u16)> {
        let key = key(position);
        let found = book.entries().filter(|entry| entry.key == key);
        let text = |entry: Entry| (to_uci(entry.move_in(position).unwrap(), position, false), entry.weight);
        found.map(text).collect()
    }

    fn after(moves: &str) -> Position {
        moves
            .split(' ')
            .fold(Position::default(), |position, mv| position.after(parse_uci(mv, &position).unwrap()))
    }

    #[test]
    fn what_the_book_does_not_play_is_answered_if_others_may_play_it() {
        let mut tree = Tree::new(0.1);
        // A move that the book plays too, one that only others play, and one that nobody does.
        let [near, far, farthest] =
            [OWN.halving, 2 * OTHERS.halving, OTHERS.most_loss + 1].map(|loss| 40 - loss as i32);
        judge(&mut tree, |_| vec![("e2e4", 40), ("d2d4", near), ("a2a3", far), ("g2g4", farthest)]);
        let keys = |positions: &[Position]| positions.iter().map(key).collect::<BTreeSet<_>>();
        assert_eq!(keys(&tree.waiting()), keys(&["e2e4", "d2d4", "a2a3"].map(after)));
        // Others play 1. a3 a quarter as often as 1. e4: 0.12 of the games; half of that is too little for 1. a3 e5.
        judge(&mut tree, |position| match position.key() == after("a2a3").key() {
            true => vec![("e7e5", 10), ("d7d5", 10)],
            // As White was told, so that 1. e4 stays the better move.
            false if position.key() == after("e2e4").key() => vec![("g8f6", -40)],
            false => vec![("g8f6", -near)],
        });
        assert_eq!(keys(&tree.waiting()), keys(&["e2e4 g8f6", "d2d4 g8f6"].map(after)));
        assert_eq!(tree.len(), 4);
        let book = tree.into_book();
        let names = |position: &Position| entries(&book, position).into_iter().map(|(mv, _)| mv);
        assert!(names(&Position::default()).eq(["e2e4", "d2d4"]));
        assert_eq!(names(&after("a2a3")).count(), 2);
    }

    #[test]
    fn nobody_comes_where_both_have_left_the_book() {
        let far = -2 * OTHERS.halving as i32;
        let mut tree = Tree::new(0.01);
        judge(&mut tree, |_| vec![("e2e4", 0), ("a2a3", far)]);
        judge(&mut tree, |_| vec![("e7e5", 0), ("h7h5", far)]);
        let waiting = tree.waiting();
        let waits = |moves| waiting.iter().any(|position| key(position) == key(&after(moves)));
        let found = ["e2e4 e7e5", "e2e4 h7h5", "a2a3 e7e5", "a2a3 h7h5"].map(waits);
        assert_eq!(found, [true, true, true, false]);
    }

    #[test]
    fn what_is_found_later_counts_at_the_beginning() {
        let mut tree = Tree::new(0.01);
        judge(&mut tree, |_| vec![("e2e4", 40), ("d2d4", 36)]);
        judge(&mut tree, |position| match position.key() == after("e2e4").key() {
            true => vec![("e7e5", -40)],
            false => vec![("d7d5", -36)],
        });
        judge(&mut tree, |position| match position.key() == after("e2e4 e7e5").key() {
            // White has less than was thought.
            true => vec![("g1f3", 36 - OWN.halving as i32), ("f1c4", 10)],
            false => vec![("c2c4", 36)],
        });
        let book = tree.into_book();
        assert_eq!(entries(&book, &Position::default()), [("d2d4".into(), 61680), ("e2e4".into(), 30840)]);
        assert_eq!(entries(&book, &after("e2e4")), [("e7e5".into(), 61680)]);
    }

    #[test]
    fn a_position_that_just_enough_games_come_to_stays() {
        let mut tree = Tree::new(0.5);
        judge(&mut tree, |_| vec![("e2e4", 0), ("d2d4", 0)]);
        assert_eq!(tree.waiting().len(), 2);
    }

    #[test]
    fn what_comes_again_later_is_not_judged_again() {
        let mut tree = Tree::new(0.5);
        for mv in ["e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8"] {
            judge(&mut tree, |_| vec![(mv, 0)]);
        }
        assert_eq!((tree.len(), tree.waiting()), (6, vec![]));
    }

    #[test]
    fn nothing_waits_where_the_game_is_over() {
        let mut tree = Tree::new(0.5);
        for mv in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            judge(&mut tree, |_| vec![(mv, 0)]);
        }
        assert_eq!((tree.len(), tree.waiting()), (4, vec![]));
    }

    #[test]
    fn ways_into_one_position_add_up_and_none_is_judged_twice() {
        let mut tree = Tree::new(0.2);
        judge(&mut tree, |_| vec![("e2e4", 0), ("d2d4", 0), ("g1f3", 0)]);
        judge(&mut tree, |_| vec![("d7d5", 0), ("g8f6", 0)]);
        // A sixth of the games has come to each of the six: too little.
        assert!(tree.waiting().is_empty());
        let mut tree = Tree::new(0.2);
        judge(&mut tree, |_| vec![("d2d4", 0), ("c2c4", 0)]);
        judge(&mut tree, |_| vec![("e7e6", 0)]);
        let key = |moves| key(&after(moves));
        judge(&mut tree, |position| match position.key() == after("d2d4 e7e6").key() {
            true => vec![("c2c4", 0), ("g1f3", 0), ("b1c3", 0), ("c1f4", 0)],
            false => vec![("d2d4", 0), ("g1f3", 0), ("b1c3", 0), ("e2e3", 0)],
        });
        // An eighth and an eighth.
        assert_eq!(tree.waiting().iter().map(super::key).collect::<Vec<_>>(), [key("d2d4 e7e6 c2c4")]);
    }
}
