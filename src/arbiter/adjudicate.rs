//! Ends that the players' own scores, or tablebases, bring about before the rules do. The Laws of Chess know no such ends:
//! a match has them only if it was asked to.

use crate::board::Position;
use crate::engine::info::Score;
use crate::tablebase::Ending;
use crate::types::{Color, Outcome};

/// A draw when both players see one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// From this move number on, counted as the position's FEN does.
    pub move_number: u32,
    /// When the last so many moves of each side had such a score, none of them but the first a capture or a pawn move.
    pub move_count: u32,
    /// The largest score that counts as a draw, in centipawns.
    pub score: i32,
}

/// A loss for the player who sees himself lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// When the last so many moves of the loser had such a score.
    pub move_count: u32,
    /// The smallest disadvantage that counts as lost, in centipawns.
    pub score: i32,
    /// Only if the winner's scores say the same.
    pub two_sided: bool,
}

/// An end that tablebases tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableRule {
    /// With no more pieces than this, kings and pawns among them; as many as there are tables for if not given.
    pub most_pieces: Option<u32>,
    /// As if there were no fifty-move rule.
    pub ignores_fifty_moves: bool,
    /// Games that are won end.
    pub wins: bool,
    /// Games that are drawn end.
    pub draws: bool,
}

impl TableRule {
    /// True if tables are to be asked about this position.
    pub fn applies(&self, position: &Position) -> bool {
        self.most_pieces.is_none_or(|most| position.occupied().count() <= most)
    }

    /// The outcome that `ending`, of the side to move, brings about. After moves without capture or pawn move a table does
    /// not tell whether a win comes before the fifty-move rule.
    pub fn outcome(&self, position: &Position, ending: Ending) -> Option<Outcome> {
        let us = position.side_to_move();
        let is_in_time = self.ignores_fifty_moves || position.halfmove_clock() == 0;
        let winner = match ending {
            Ending::Win => Some(us),
            Ending::Loss => Some(!us),
            Ending::CursedWin if self.ignores_fifty_moves => Some(us),
            Ending::BlessedLoss if self.ignores_fifty_moves => Some(!us),
            Ending::CursedWin | Ending::Draw | Ending::BlessedLoss => None,
        };
        match winner {
            Some(winner) => (self.wins && is_in_time).then_some(Outcome::Win(winner)),
            None => self.draws.then_some(Outcome::Draw),
        }
    }
}

/// Which of these rules a match has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Draws by score.
    pub draw: Option<DrawRule>,
    /// Losses by score.
    pub resign: Option<ResignRule>,
    /// A draw after so many moves of each side.
    pub max_moves: Option<u32>,
    /// What tablebases know.
    pub tables: Option<TableRule>,
}

/// What the scores of a game have said so far.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Moves in a row, of both sides, with a score near 0.
    level: u32,
    /// For each side, its moves in a row with a score that gives the game up, and one that claims it.
    lost: [u32; 2],
    won: [u32; 2],
    plies: u32,
}

/// An end by score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreEnd {
    /// Both see a draw.
    Draw,
    /// This side has won.
    Win(Color),
    /// The game has lasted long enough.
    TooLong,
}

impl Adjudicator {
    /// At the start of a game.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, level: 0, lost: [0; 2], won: [0; 2], plies: 0 }
    }

    /// Counts a move of `mover` with move number `number`, and says whether it ends the game. A move without a score
    /// breaks every row: silence is no offer. A capture or a pawn move, which `is_zeroing` tells, breaks the row of level
    /// scores.
    pub fn judge(
        &mut self,
        mover: Color,
        score: Option<Score>,
        number: u32,
        is_zeroing: bool,
    ) -> Option<ScoreEnd> {
        self.plies += 1;
        if let Some(rule) = self.rules.draw {
            let is_level = score.is_some_and(|score| score.is_within(rule.score));
            if is_zeroing {
                self.level = 0;
            }
            self.level = if is_level { self.level + 1 } else { 0 };
            if number >= rule.move_number && self.level >= rule.move_count.max(1).saturating_mul(2) {
                return Some(ScoreEnd::Draw);
            }
        }
        if let Some(rule) = self.rules.resign {
            let count = |row: &mut u32, goes_on: bool| *row = if goes_on { *row + 1 } else { 0 };
            let own = mover.index();
            count(&mut self.lost[own], score.is_some_and(|score| score.reversed().at_least(rule.score)));
            count(&mut self.won[own], score.is_some_and(|score| score.at_least(rule.score)));
            let needed = rule.move_count.max(1);
            for loser in Color::ALL {
                let agreed = !rule.two_sided || self.won[(!loser).index()] >= needed;
                if self.lost[loser.index()] >= needed && agreed {
                    return Some(ScoreEnd::Win(!loser));
                }
            }
        }
        self.rules.max_moves.filter(|&moves| self.plies >= moves.saturating_mul(2)).map(|_| ScoreEnd::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_end_what_the_fifty_move_rule_lets_them() {
        let at = |fen: &str| Position::from_fen(fen).unwrap();
        let fresh = at("8/8/8/4k3/8/8/8/KQ6 b - - 0 80");
        let late = at("8/8/8/4k3/8/8/8/KQ6 b - - 3 82");
        let rule = TableRule { most_pieces: Some(3), ignores_fifty_moves: false, wins: true, draws: true };
        let white = Some(Outcome::Win(Color::White));
        assert!(rule.applies(&fresh) && !TableRule { most_pieces: Some(2), ..rule }.applies(&fresh));
        for (rule, position, ending, expected) in [
            (rule, fresh, Ending::Loss, white),
            (rule, late, Ending::Loss, None),
            (rule, late, Ending::Draw, Some(Outcome::Draw)),
            (rule, fresh, Ending::BlessedLoss, Some(Outcome::Draw)),
            (TableRule { ignores_fifty_moves: true, ..rule }, late, Ending::Loss, white),
            (TableRule { ignores_fifty_moves: true, ..rule }, late, Ending::BlessedLoss, white),
            (TableRule { wins: false, ..rule }, fresh, Ending::Loss, None),
            (TableRule { draws: false, ..rule }, fresh, Ending::BlessedLoss, None),
        ] {
            assert_eq!(rule.outcome(&position, ending), expected, "{rule:?} {ending:?}");
        }
    }

    fn run(rules: Adjudication, first_number: u32, scores: &[Option<i32>]) -> Option<(usize, ScoreEnd)> {
        let mut adjudicator = Adjudicator::new(rules);
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let mover = if ply % 2 == 0 { Color::White } else { Color::Black };
            let number = first_number + ply as u32 / 2;
            let end = adjudicator.judge(mover, score.map(Score::Centipawns), number, false);
            end.map(|end| (ply, end))
        })
    }

    #[test]
    fn draws_need_both_and_the_move_number() {
        let draw = Some(DrawRule { move_number: 3, move_count: 2, score: 10 });
        let rules = Adjudication { draw, ..Adjudication::default() };
        assert_eq!(run(rules, 3, &[Some(10), Some(-10), Some(0), Some(9)]), Some((3, ScoreEnd::Draw)));
        assert_eq!(run(rules, 1, &[Some(0); 8]), Some((4, ScoreEnd::Draw)));
        let never = Adjudication { draw: draw.map(|draw| DrawRule { move_count: 1 << 31, ..draw }), ..rules };
        assert_eq!(run(never, 1, &[Some(0); 8]), None);
        assert_eq!(run(rules, 3, &[Some(0), Some(0), Some(11), Some(0), Some(0), Some(0)]), None);
        assert_eq!(run(rules, 3, &[Some(0), Some(0), None, Some(0), Some(0), Some(0)]), None, "silence");
        let mut broken = Adjudicator::new(rules);
        assert_eq!(broken.judge(Color::White, Some(Score::Mate(1)), 9, false), None);
        for _ in 0..3 {
            assert_eq!(broken.judge(Color::White, Some(Score::Centipawns(0)), 9, false), None);
        }
        assert_eq!(broken.judge(Color::White, Some(Score::Centipawns(0)), 9, true), None, "a capture");
        for _ in 0..2 {
            assert_eq!(broken.judge(Color::White, Some(Score::Centipawns(0)), 9, false), None);
        }
        assert_eq!(broken.judge(Color::White, Some(Score::Centipawns(0)), 9, false), Some(ScoreEnd::Draw));
    }

    #[test]
    fn a_player_resigns_for_himself() {
        let resign = |two_sided| {
            let resign = Some(ResignRule { move_count: 2, score: 500, two_sided });
            Adjudication { resign, ..Adjudication::default() }
        };
        let black_lost = [Some(100), Some(-500), Some(100), Some(-600)];
        assert_eq!(run(resign(false), 1, &black_lost), Some((3, ScoreEnd::Win(Color::White))));
        assert_eq!(run(resign(true), 1, &black_lost), None);
        let both_say = [Some(500), Some(-500), Some(700), Some(-600)];
        assert_eq!(run(resign(true), 1, &both_say), Some((3, ScoreEnd::Win(Color::White))));
        assert_eq!(run(resign(false), 1, &[Some(-500), Some(0), Some(-499), Some(0), Some(-500)]), None);
        let mut mated = Adjudicator::new(resign(false));
        assert_eq!(mated.judge(Color::White, Some(Score::Mate(-9)), 1, false), None);
        assert_eq!(
            mated.judge(Color::White, Some(Score::Mate(-8)), 2, false),
            Some(ScoreEnd::Win(Color::Black))
        );
    }

    #[test]
    fn games_end_some_day() {
        let rules = Adjudication { max_moves: Some(2), ..Adjudication::default() };
        assert_eq!(run(rules, 30, &[None; 9]), Some((3, ScoreEnd::TooLong)));
        assert_eq!(run(Adjudication::default(), 30, &[Some(0); 9]), None);
    }
}
