//! What a position is worth.

use super::MAX_PLY;
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

/// A value from the side to move's point of view in internal units: about 100 a pawn in the middle game. Values
/// beyond [`Score::MATE_BOUND`] say in how many plies somebody is mated, those between [`Score::WIN_BOUND`] and that in how
/// many a position comes that tablebases call won.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

const MATE: i32 = 32_000;

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Beyond every value that a position can have.
    pub const INFINITE: Score = Score(MATE + 1);
    /// Giving mate at once; `MATE - n` mates in n plies.
    pub const MATE: Score = Score(MATE);
    /// At and above: a forced mate was found.
    pub const MATE_BOUND: Score = Score(MATE - MAX_PLY as i32);
    /// Won by tablebases at once; `TABLE_WIN - n` in n plies.
    const TABLE_WIN: Score = Score(MATE - MAX_PLY as i32 - 1);
    /// At and above: won for certain, by mate or by tablebases.
    pub const WIN_BOUND: Score = Score(Score::TABLE_WIN.0 - MAX_PLY as i32);
    /// The largest value that an evaluation may return.
    pub const EVAL_BOUND: Score = Score(Score::WIN_BOUND.0 - 1);

    /// A value in internal units, no farther from 0 than [`Score::INFINITE`]: it is negated and added to.
    #[inline(always)]
    pub const fn new(units: i32) -> Score {
        Score(units)
    }

    /// The side to move mates in `plies` plies.
    #[inline(always)]
    pub const fn mate_in(plies: usize) -> Score {
        Score(MATE - plies as i32)
    }

    /// The side to move is mated in `plies` plies.
    #[inline(always)]
    pub const fn mated_in(plies: usize) -> Score {
        Score(plies as i32 - MATE)
    }

    /// In `plies` plies comes a position that tablebases call won for the side to move now.
    #[inline(always)]
    pub const fn table_win_in(plies: usize) -> Score {
        Score(Score::TABLE_WIN.0 - plies as i32)
    }

    /// The internal units.
    #[inline(always)]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// True if the side to move wins for certain: it has a forced mate, or tablebases say so.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::WIN_BOUND.0
    }

    /// True if the side to move loses for certain.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::WIN_BOUND.0
    }

    /// True if somebody wins for certain.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Plies to the mate, if one was found.
    #[inline(always)]
    pub const fn plies_to_mate(self) -> Option<usize> {
        let size = self.0.abs();
        if size >= Score::MATE_BOUND.0 { Some((MATE - size) as usize) } else { None }
    }

    /// Plies to the mate, or to the position that tablebases know.
    const fn plies_to_win(self) -> Option<usize> {
        match self.plies_to_mate() {
            None if self.is_decisive() => Some((Score::TABLE_WIN.0 - self.0.abs()) as usize),
            plies => plies,
        }
    }

    /// As an evaluation: never a certain win or loss.
    #[inline(always)]
    pub fn clamp_eval(self) -> Score {
        self.clamp(-Score::EVAL_BOUND, Score::EVAL_BOUND)
    }

    /// The value as the table keeps it: distances to mates and wins counted from the node, not from the root.
    #[inline(always)]
    pub const fn to_table(self, ply: usize) -> Score {
        if self.is_win() {
            Score(self.0 + ply as i32)
        } else if self.is_loss() {
            Score(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The value out of the table, with distances counted from the root again. A mate or win that the fifty-move rule
    /// would cut off (`rule50` half-moves are on the counter) is taken for a high evaluation.
    #[inline(always)]
    pub const fn from_table(self, ply: usize, rule50: u16) -> Score {
        if let Some(plies) = self.plies_to_win() {
            if plies as i32 > 100 - rule50 as i32 {
                return if self.0 > 0 { Score::EVAL_BOUND } else { Score(-Score::EVAL_BOUND.0) };
            }
            if self.0 > 0 { Score(self.0 - ply as i32) } else { Score(self.0 + ply as i32) }
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn add(self, units: i32) -> Score {
        Score(self.0 + units)
    }
}

impl AddAssign<i32> for Score {
    #[inline(always)]
    fn add_assign(&mut self, units: i32) {
        self.0 += units;
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn sub(self, units: i32) -> Score {
        Score(self.0 - units)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline(always)]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_mate() {
            Some(plies) if self.0 > 0 => write!(f, "mates in {plies} plies"),
            Some(plies) => write!(f, "mated in {plies} plies"),
            None => match self.plies_to_win() {
                Some(plies) if self.0 > 0 => write!(f, "won by tablebases in {plies} plies"),
                Some(plies) => write!(f, "lost by tablebases in {plies} plies"),
                None => write!(f, "{}", self.0),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_scores_keep_their_distance_through_the_table() {
        for plies in [1, 2, 7, 60] {
            for sign in [1, -1] {
                let score = Score(sign * Score::mate_in(plies + 10).units());
                let stored = score.to_table(10);
                assert_eq!(stored.plies_to_mate(), Some(plies));
                assert_eq!(stored.from_table(4, 0).plies_to_mate(), Some(plies + 4));
            }
        }
        assert_eq!(Score::new(250).to_table(9).from_table(3, 99), Score::new(250));
    }

    #[test]
    fn wins_by_tablebases_lie_between_mates_and_evaluations() {
        for plies in [0, 1, MAX_PLY - 1] {
            let win = Score::table_win_in(plies);
            assert!(win.is_win() && (-win).is_loss() && win.plies_to_mate().is_none());
            assert!(Score::EVAL_BOUND < win && win < Score::mate_in(MAX_PLY));
        }
        assert!(!Score::EVAL_BOUND.is_decisive());
        for sign in [1, -1] {
            let score = Score(sign * Score::table_win_in(12).units());
            assert_eq!(score.to_table(10), Score(sign * Score::table_win_in(2).units()));
            assert_eq!(score.to_table(10).from_table(4, 98), Score(sign * Score::table_win_in(6).units()));
            assert_eq!(score.to_table(10).from_table(4, 99), Score(sign * Score::EVAL_BOUND.units()));
        }
    }

    #[test]
    fn a_mate_beyond_the_fifty_move_limit_is_not_trusted() {
        let stored = Score::mate_in(21);
        assert!(stored.from_table(0, 79).is_win());
        assert!(!stored.from_table(0, 80).is_win());
        assert!(!(-stored).from_table(0, 80).is_loss());
    }
}
