//! Playing weaker than one can, on request (`UCI_LimitStrength`): fewer nodes, and now and then not the best of the
//! moves found.

use super::worker::RootMove;
use crate::types::Key;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// The weakest rating that can be asked for.
pub const MIN_ELO: u32 = 1000;
/// The strongest rating that can be asked for.
pub const MAX_ELO: u32 = 2800;

/// How a rating is played. The ratings are nominal: the scale has not been measured against rated engines.
pub(super) struct Weakness {
    elo: u32,
}

impl Weakness {
    pub(super) fn of_elo(elo: u32) -> Weakness {
        Weakness { elo: elo.clamp(MIN_ELO, MAX_ELO) }
    }

    /// Lines to choose from.
    pub(super) fn candidates(&self) -> usize {
        4
    }

    /// No new iteration is begun after so many nodes: doubled every 150 points.
    pub(super) fn nodes(&self) -> u64 {
        (60.0 * f64::from((self.elo - MIN_ELO) as f32 / 150.0).exp2()) as u64
    }

    /// By how much a line's score may be misjudged, in score units.
    fn misjudgement(&self) -> i32 {
        ((MAX_ELO - self.elo) / 10) as i32
    }

    /// Puts the line that is played first: the best after each score was misjudged a little, but for wins, which are
    /// proven, and among those that the tablebases think as much of as of the best.
    pub(super) fn choose(&self, lines: &mut [RootMove], key: Key) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(key.0 ^ rand_seed());
        let error = self.misjudgement();
        let mut judged = |line: &RootMove| {
            let is_sure = error == 0 || line.score.is_win();
            line.score.units() + if is_sure { 0 } else { random.random_range(-error..=error) }
        };
        let first = lines.first().map(|line| line.table_rank);
        let kept = (0..lines.len()).filter(|&index| Some(lines[index].table_rank) == first);
        // Of equals the last is the largest: from behind, so that the first is.
        let best = kept.rev().max_by_key(|&index| judged(&lines[index]));
        if let Some(best) = best {
            lines.swap(0, best);
        }
    }
}

/// Different at every call, so that a weak player does not always err the same way.
fn rand_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::super::table::Bound;
    use super::*;
    use crate::types::{Move, Score, Square};

    #[test]
    fn the_first_of_equals_is_played_where_nothing_is_misjudged() {
        let line = |to, score| RootMove {
            mv: Move::normal(Square::A1, to),
            score: Score::new(score),
            bound: Bound::Exact,
            previous: Score::DRAW,
            line: Box::default(),
            seldepth: 1,
            nodes: 1,
            table_rank: 0,
            table_score: None,
        };
        let mut lines = [line(Square::A2, 5), line(Square::A3, 9), line(Square::A4, 9), line(Square::A5, 9)];
        Weakness::of_elo(MAX_ELO).choose(&mut lines, Key(0));
        assert_eq!(lines[0].mv, Move::normal(Square::A1, Square::A3));
        // Nobody who sees two mates takes the longer one, nor something else.
        for _ in 0..50 {
            let mut lines = [Score::mate_in(3), Score::mate_in(1), Score::new(900)].map(Score::units);
            lines.sort_unstable_by_key(|&units| -units);
            let mut lines =
                [line(Square::A2, lines[0]), line(Square::A3, lines[1]), line(Square::A4, lines[2])];
            Weakness::of_elo(MIN_ELO).choose(&mut lines, Key(0));
            assert_eq!(lines[0].mv, Move::normal(Square::A1, Square::A2));
        }
        // What the tables say comes before what the search thinks.
        let mut lines = [line(Square::A2, 0), line(Square::A3, 50)];
        lines[1].table_rank = -1;
        Weakness::of_elo(MAX_ELO).choose(&mut lines, Key(0));
        assert_eq!(lines[0].mv, Move::normal(Square::A1, Square::A2));
    }

    #[test]
    fn the_scale_rises() {
        let of = |elo| Weakness::of_elo(elo);
        assert!(of(1000).nodes() < of(1300).nodes() && of(1300).nodes() * 100 < of(2800).nodes());
        assert!(of(1000).misjudgement() > of(2000).misjudgement());
        assert_eq!(of(2800).misjudgement(), 0);
        assert_eq!(of(1).nodes(), of(MIN_ELO).nodes());
    }
}
