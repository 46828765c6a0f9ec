//! Ending games whose result is clear.

use super::Adjudication;
use crate::eval::wdl::centipawns;
use crate::training::data::Ending;
use crate::types::{Color, Outcome, Score};

/// What the searches of a game have agreed on so far.
pub(super) struct Adjudicator<'a> {
    rules: &'a Adjudication,
    /// The side that was far ahead at the last ply, and for how many plies it has been.
    ahead: Option<(Color, usize)>,
    /// For how many plies nobody has been ahead and nothing has happened.
    level: usize,
}

impl Adjudicator<'_> {
    pub(super) fn new(rules: &Adjudication) -> Adjudicator<'_> {
        Adjudicator { rules, ahead: None, level: 0 }
    }

    /// `side` is to move after `plies` plies, its search says `score`, and its move does or does not take something or
    /// move a pawn. How the game is to end before the move, if it is.
    pub(super) fn hear(
        &mut self,
        side: Color,
        plies: usize,
        score: Score,
        irreversible: bool,
    ) -> Option<(Outcome, Ending)> {
        let advantage = if score.is_decisive() { i32::MAX } else { centipawns(score).abs() };
        let leader = if score > Score::DRAW { side } else { !side };
        self.ahead = match self.ahead {
            _ if advantage < self.rules.win_score => None,
            Some((before, plies)) if before == leader => Some((leader, plies + 1)),
            _ => Some((leader, 1)),
        };
        self.level = if advantage <= self.rules.draw_score && !irreversible { self.level + 1 } else { 0 };
        match self.ahead {
            Some((winner, plies)) if plies >= self.rules.win_plies => {
                Some((Outcome::Win(winner), Ending::WinAdjudicated))
            }
            _ if self.level >= self.rules.draw_plies && plies >= self.rules.draw_after => {
                Some((Outcome::Draw, Ending::DrawAdjudicated))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Adjudication = Adjudication {
        win_score: 1_000,
        win_plies: 4,
        draw_score: 5,
        draw_plies: 6,
        draw_after: 20,
        unadjudicated: 0,
    };

    /// When a game with these scores of the side to move, White beginning, is ended, and how.
    fn ended(scores: &[i32], irreversible: impl Fn(usize) -> bool) -> Option<(usize, Outcome)> {
        let mut adjudicator = Adjudicator::new(&RULES);
        scores.iter().enumerate().find_map(|(ply, &units)| {
            let side = if ply % 2 == 0 { Color::White } else { Color::Black };
            let (outcome, _) = adjudicator.hear(side, ply, Score::new(units), irreversible(ply))?;
            Some((ply, outcome))
        })
    }

    #[test]
    fn a_win_needs_both_sides_to_say_so_without_a_break() {
        let big = 2_000;
        let win = |scores: &[i32]| ended(scores, |_| false);
        assert_eq!(win(&[big, -big, big, -big]), Some((3, Outcome::Win(Color::White))));
        assert_eq!(win(&[-big, big, -big, big]), Some((3, Outcome::Win(Color::Black))));
        assert_eq!(win(&[big, -big, 1_500, -big, big, -big]), None, "a break");
        assert_eq!(win(&[big, big, big, big, big, big]), None, "each side thinks that it has won");
        let mated = Score::mated_in(6).units();
        assert_eq!(win(&[mated, -mated, mated, -mated]), Some((3, Outcome::Win(Color::Black))));
    }

    #[test]
    fn a_draw_needs_a_late_and_quiet_stretch() {
        let level = [3; 40];
        assert_eq!(ended(&level, |_| false), Some((20, Outcome::Draw)));
        assert_eq!(ended(&level, |ply| ply == 18), Some((24, Outcome::Draw)), "a capture at ply 18");
        assert_eq!(ended(&level, |ply| ply % 5 == 0), None);
        assert_eq!(ended(&[30; 40], |_| false), None);
    }

    #[test]
    fn the_scores_named_are_enough() {
        // So many hundredths of a pawn in internal units.
        let units = |centipawns: i32| {
            (1..4_000).find(|&units| crate::eval::wdl::centipawns(Score::new(units)) == centipawns)
        };
        let [just, short] = [1_000, 999].map(|centipawns| units(centipawns).unwrap());
        let win = |units: i32| ended(&[units, -units, units, -units, units, -units], |_| false);
        assert_eq!((win(just), win(short)), (Some((3, Outcome::Win(Color::White))), None));
        let [level, more] = [5, 6].map(|centipawns| units(centipawns).unwrap());
        let draw = |units: i32| ended(&[units; 40], |_| false);
        assert_eq!((draw(level), draw(more)), (Some((20, Outcome::Draw)), None));
    }
}
