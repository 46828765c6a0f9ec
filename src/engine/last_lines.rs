//! What an engine last said of a position: which of its lines with a score counts.

use super::info::Info;

/// So long may one be that goes on in others: more than any with moves for all plies of a game.
const LONGEST: usize = 1 << 16;

/// The last line whose score is a bound, and the last whose score is none, both as they were said.
#[derive(Default)]
pub(super) struct LastLines {
    bound: String,
    exact: String,
    /// The bound came behind the exact score.
    bound_is_later: bool,
}

impl LastLines {
    /// Forgets them.
    pub(super) fn clear(&mut self) {
        self.bound.clear();
        self.exact.clear();
        self.bound_is_later = false;
    }

    /// Where the line that comes is to be written.
    pub(super) fn place(&mut self, is_bound: bool) -> &mut String {
        self.bound_is_later = is_bound;
        let place = if is_bound { &mut self.bound } else { &mut self.exact };
        place.clear();
        place
    }

    /// The line that came last goes on in this one.
    pub(super) fn go_on(&mut self, text: &str) {
        let last = if self.bound_is_later { &mut self.bound } else { &mut self.exact };
        if last.len() + text.len() < LONGEST {
            last.push(' ');
            last.push_str(text);
        }
    }

    /// What the engine says of the move that it has played, in UCI notation: its last exact score, unless that is of
    /// another move and a later bound of this one, as when the search was cut off after a better move had been found.
    pub(super) fn of_move(&self, played: &str, read: impl Fn(&str) -> Info) -> Info {
        if self.exact.is_empty() {
            return read(&self.bound);
        }
        let exact = read(&self.exact);
        let begins = |info: &Info| info.pv.first().is_some_and(|first| first == played);
        if self.bound_is_later && !exact.pv.is_empty() && !begins(&exact) {
            let bound = read(&self.bound);
            if begins(&bound) {
                return bound;
            }
        }
        exact
    }
}
