//! What came of a position, told by the game that went on from it: less by chance than its bare result.
//!
//! One game lends one result to a hundred positions, and much of it was decided long after them. The λ-return of
//! temporal difference learning (R. S. Sutton, "Learning to Predict by the Methods of Temporal Differences", Machine
//! Learning 3, 1988; for chess J. Baxter, A. Tridgell and L. Weaver, "KnightCap", 1998) takes the search's opinion at
//! each later move as well, those nearer more: the next position's with weight 1 - λ, the one's after it with (1 - λ)λ,
//! and so on; the result has what is left. With λ = 1 it is the result alone.

use super::kernel::sigmoid;
use crate::training::data::PlacedMove;
use crate::types::Color;

/// The λ-return of each position of a game, in points for the side to move; half a point where the game has no result.
/// A score stands for 1 / (1 + e^(-score/scale)) points; positions that were not searched have no opinion.
pub fn returns(game: &[PlacedMove], lambda: f32, scale: f32) -> Vec<f32> {
    let mut returns = vec![0.5; game.len()];
    // White's.
    let mut later = None;
    for (at, placed) in game.iter().enumerate().rev() {
        let seen_by_white = |points: f32| match placed.position.side_to_move() {
            Color::White => points,
            Color::Black => 1.0 - points,
        };
        let Some(points) = placed.points else { continue };
        let return_here = *later.get_or_insert(seen_by_white(points));
        returns[at] = seen_by_white(return_here);
        if let Some(score) = placed.score {
            let opinion = seen_by_white(sigmoid(score.units() as f32 / scale));
            later = Some((1.0 - lambda) * opinion + lambda * return_here);
        }
    }
    returns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::data::{Ending, Ply, SelfplayGame};
    use crate::types::{Outcome, Score};

    /// A game that White wins; a score of 400 stands for 0.73106 points.
    fn game(scores: [Option<i32>; 4]) -> Vec<PlacedMove> {
        let start = crate::board::Position::default();
        let mut position = start;
        let mut plies = vec![];
        for score in scores {
            let mv = position.legal_moves()[0];
            plies.push(Ply { mv, score: score.map(Score::new) });
            position = position.after(mv);
        }
        let outcome = Outcome::Win(Color::White);
        let game = SelfplayGame { start, plies, outcome, ending: Ending::TooLong };
        game.positions().collect()
    }

    #[test]
    fn each_later_opinion_counts_less_than_the_one_before() {
        // White's opinions: -, 0.73106 (Black to move has -400), 0.5, 0.26894 (Black has 400).
        let placed = game([Some(9000), Some(-400), Some(0), Some(400)]);
        let found = returns(&placed, 0.5, 400.0);
        let third = 0.5 * 0.26894 + 0.5;
        let second = 0.5 * 0.5 + 0.5 * third;
        let first = 0.5 * 0.73106 + 0.5 * second;
        for (found, expected) in found.iter().zip([first, 1.0 - second, third, 0.0]) {
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
        }
    }

    #[test]
    fn the_whole_weight_on_the_result_is_the_result_and_what_was_not_searched_says_nothing() {
        assert_eq!(returns(&game([Some(50); 4]), 1.0, 400.0), [1.0, 0.0, 1.0, 0.0]);
        assert_eq!(returns(&game([None; 4]), 0.5, 400.0), [1.0, 0.0, 1.0, 0.0]);
        assert_eq!(returns(&game([Some(50), None, None, None]), 0.0, 400.0), [1.0, 0.0, 1.0, 0.0]);
    }
}
