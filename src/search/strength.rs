//! Playing weaker than one can, on request (`UCI_LimitStrength`, `Skill Level`): fewer nodes, and now and then not the
//! best of the moves found.

use super::worker::RootMove;
use crate::sys::chance::Chance;

/// The weakest rating that can be asked for.
pub const MIN_ELO: u32 = 1000;
/// The strongest rating that can be asked for.
pub const MAX_ELO: u32 = LADDER[LADDER.len() - 1].elo;

/// The skill level of full strength.
pub const FULL_SKILL: u32 = 20;
/// What each level below it is stronger than the one before, in rating points.
const SKILL_STEP: u32 = 100;
const _: () = assert!(MIN_ELO + (FULL_SKILL - 1) * SKILL_STEP <= MAX_ELO);

/// The rating of a skill level, from [`MIN_ELO`] for 0 in equal steps; `None` for full strength.
pub fn elo_of_skill(level: u32) -> Option<u32> {
    (level < FULL_SKILL).then(|| MIN_ELO + level * SKILL_STEP)
}

/// A rating that was measured: how it was played.
struct Rung {
    elo: u32,
    nodes: f32,
    misjudgement: f32,
}

const fn rung(elo: u32, nodes: f32, misjudgement: f32) -> Rung {
    Rung { elo, nodes, misjudgement }
}

/// Measured in games against the skill levels of Stockfish 15.1, whose ratings are on the scale of CCRL Blitz
/// (<https://github.com/official-stockfish/Stockfish/pull/4341>); games, and how far it can be trusted:
/// `benches/STRENGTH.md`.
const LADDER: [Rung; 12] = [
    rung(960, 1.0, 1700.0),
    rung(1050, 1.0, 1200.0),
    rung(1200, 1.0, 600.0),
    rung(1290, 1.0, 400.0),
    rung(1410, 30.0, 300.0),
    rung(1600, 100.0, 180.0),
    rung(1750, 300.0, 120.0),
    rung(2100, 1000.0, 80.0),
    rung(2410, 3000.0, 50.0),
    rung(2630, 10000.0, 30.0),
    rung(2800, 30000.0, 15.0),
    rung(3000, 100000.0, 0.0),
];

/// How a rating is played.
pub(super) struct Weakness {
    /// No new iteration is begun after so many nodes.
    pub(super) nodes: u64,
    /// By how much a line's score may be misjudged, in score units.
    misjudgement: i32,
}

impl Weakness {
    /// Between the two rungs next to it.
    pub(super) fn of_elo(elo: u32) -> Weakness {
        let elo = elo.clamp(MIN_ELO, MAX_ELO);
        let above = LADDER.partition_point(|rung| rung.elo < elo);
        let (low, high) = (&LADDER[above - 1], &LADDER[above]);
        let share = (elo - low.elo) as f32 / (high.elo - low.elo) as f32;
        Weakness {
            nodes: (low.nodes * (high.nodes / low.nodes).powf(share)).round() as u64,
            misjudgement: (low.misjudgement + share * (high.misjudgement - low.misjudgement)).round() as i32,
        }
    }

    /// Lines to choose from.
    pub(super) fn candidates(&self) -> usize {
        4
    }

    /// Puts the line that is played first: the best after each score was misjudged a little, but for wins, which are
    /// proven, and among those that the tablebases think as much of as of the best.
    pub(super) fn choose(&self, lines: &mut [RootMove]) {
        // Another sequence at every call, so that a weak player does not always err the same way.
        let mut chance = Chance::drawn();
        let error = self.misjudgement;
        let mut judged = |line: &RootMove| {
            let is_sure = error == 0 || line.score.is_win();
            line.score.units() + if is_sure { 0 } else { chance.below(2 * error as u64 + 1) as i32 - error }
        };
        let first = lines.first().map(|line| line.table_rank);
        let kept = (0..lines.len()).filter(|&index| Some(lines[index].table_rank) == first);
        // Of equals the last is the largest: from behind, so that the first is.
        let best = kept.rev().max_by_key(|&index| judged(&lines[index]));
        if let Some(best) = best {
            // The others stay in their order, and the best of them is shown.
            lines[..=best].rotate_right(1);
        }
    }
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
        let sure = Weakness { nodes: 1, misjudgement: 0 };
        sure.choose(&mut lines);
        assert_eq!(lines[0].mv, Move::normal(Square::A1, Square::A3));
        // Nobody who sees two mates takes the longer one, nor something else.
        for _ in 0..50 {
            let mut lines = [Score::mate_in(3), Score::mate_in(1), Score::new(900)].map(Score::units);
            lines.sort_unstable_by_key(|&units| -units);
            let mut lines =
                [line(Square::A2, lines[0]), line(Square::A3, lines[1]), line(Square::A4, lines[2])];
            Weakness::of_elo(MIN_ELO).choose(&mut lines);
            assert_eq!(lines[0].mv, Move::normal(Square::A1, Square::A2));
        }
        // Of moves that are nearly as good, or look so to the weak, each is played now and then.
        let mut first = [0; 3];
        for _ in 0..200 {
            let mut lines = [line(Square::A2, 20), line(Square::A3, 10), line(Square::A4, 0)];
            Weakness::of_elo(MIN_ELO).choose(&mut lines);
            first[lines[0].mv.to().rank().index() - 1] += 1;
        }
        assert!(first.iter().all(|&times| times > 0), "{first:?}");
        // The others come behind it in their order.
        let mut lines = [line(Square::A2, 5), line(Square::A3, 9), line(Square::A4, 99)];
        sure.choose(&mut lines);
        assert_eq!(lines.each_ref().map(|line| line.mv.to()), [Square::A4, Square::A2, Square::A3]);
        // What the tables say comes before what the search thinks.
        let mut lines = [line(Square::A2, 0), line(Square::A3, 50)];
        lines[1].table_rank = -1;
        sure.choose(&mut lines);
        assert_eq!(lines[0].mv, Move::normal(Square::A1, Square::A2));
    }

    #[test]
    fn the_scale_rises() {
        let of = |elo| Weakness::of_elo(elo);
        assert!(of(1300).nodes * 100 < of(2800).nodes);
        assert!(of(1000).nodes < of(1500).nodes && of(1000).misjudgement > of(1300).misjudgement);
        assert!(of(1000).misjudgement > of(2000).misjudgement);
        assert_eq!(of(MAX_ELO).misjudgement, 0);
        for elo in MIN_ELO..MAX_ELO {
            let (here, next) = (of(elo), of(elo + 1));
            assert!(here.nodes <= next.nodes && here.misjudgement >= next.misjudgement, "{elo}");
            let later = of(elo + 20);
            assert!(
                here.nodes < later.nodes || here.misjudgement > later.misjudgement || elo + 20 > MAX_ELO,
                "{elo}"
            );
            // No step is a leap.
            assert!(next.nodes <= here.nodes + 1 + here.nodes / 20, "{elo}");
            assert!(here.misjudgement - next.misjudgement <= 8, "{elo}");
        }
        for rung in LADDER.iter().filter(|rung| rung.elo >= MIN_ELO) {
            let found = of(rung.elo);
            assert_eq!((found.nodes as f32, found.misjudgement as f32), (rung.nodes, rung.misjudgement));
        }
        for (beyond, end) in [(1, MIN_ELO), (9999, MAX_ELO)] {
            assert_eq!((of(beyond).nodes, of(beyond).misjudgement), (of(end).nodes, of(end).misjudgement));
        }
    }
}
