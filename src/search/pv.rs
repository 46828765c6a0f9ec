//! Lines as they are shown: legal to the end, ending where the game ends, and as long as the mate that they announce.

use super::mate::Prover;
use super::table::Table;
use crate::board::{History, Position};
use crate::types::{Move, Score};

/// Positions looked at to complete one mating line.
const BUDGET: u64 = 5_000;

/// A line from `root` with its score, made fit to be shown: cut behind mate, stalemate, third repetition and the
/// fifty-move limit. A mate score goes with a line that mates in just so many moves; where such a line cannot be found
/// quickly, the score becomes that of a won (or lost) position.
pub(super) fn presentable(
    root: &Position,
    history: &History,
    table: &Table,
    line: &[Move],
    score: Score,
) -> (Vec<Move>, Score) {
    let (mut moves, end) = cut(root, history, line);
    let Some(plies) = score.plies_to_mate() else { return (moves, score) };
    if moves.len() == plies && end.is_checkmate() {
        return (moves, score);
    }
    // Go on from the end of the line, or else from its first move.
    let first_only = usize::from(!moves.is_empty());
    for keep in [moves.len(), first_only] {
        moves.truncate(keep);
        let (mut position, mut history) = (*root, history.clone());
        for &mv in &moves {
            position = position.after(mv);
            history.push(&position);
        }
        let mut prover = Prover::new(table, history, BUDGET, &|| true);
        let rest = plies.checked_sub(keep).and_then(|left| prover.mating_line(&position, left));
        if let Some(mut rest) = rest {
            moves.append(&mut rest);
            let proven = moves.len();
            return (moves, if score.is_win() { Score::mate_in(proven) } else { Score::mated_in(proven) });
        }
    }
    let (moves, _) = cut(root, history, line);
    (moves, if score.is_win() { Score::EVAL_BOUND } else { -Score::EVAL_BOUND })
}

/// The line as far as the game goes on, and the position at its end.
fn cut(root: &Position, history: &History, line: &[Move]) -> (Vec<Move>, Position) {
    let mut position = *root;
    let mut history = history.clone();
    let mut moves = vec![];
    for &mv in line {
        if !position.is_legal(mv) {
            break;
        }
        position = position.after(mv);
        history.push(&position);
        moves.push(mv);
        if is_drawn(&position, history.occurrences()) {
            break;
        }
    }
    (moves, position)
}

/// True if the game ends with a position that has stood on the board so often, itself included.
pub(super) fn is_drawn(position: &Position, occurrences: usize) -> bool {
    occurrences >= 3 || position.halfmove_clock() >= 100 || position.is_insufficient_material()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    /// An ordinary move, as `a2a7`.
    fn mv(text: &str) -> Move {
        Move::normal(Square::parse(&text[..2]).unwrap(), Square::parse(&text[2..]).unwrap())
    }

    fn shown(fen: &str, before: &str, line: &str, score: Score) -> (String, Score) {
        let mut root = Position::from_fen(fen).unwrap();
        let mut history = History::new(&root);
        for text in before.split_whitespace() {
            root = root.after(mv(text));
            history.push(&root);
        }
        let moves: Vec<Move> = line.split_whitespace().map(mv).collect();
        let table = Table::new(1).unwrap();
        let (moves, score) = presentable(&root, &history, &table, &moves, score);
        let words: Vec<String> = moves.iter().map(|mv| format!("{}{}", mv.from(), mv.to())).collect();
        (words.join(" "), score)
    }

    const LADDER: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";

    #[test]
    fn a_mate_is_shown_to_its_end() {
        let two = Score::mate_in(3);
        assert_eq!(shown(LADDER, "", "a2a7 h8g8 b1b8", two), ("a2a7 h8g8 b1b8".into(), two));
        assert_eq!(shown(LADDER, "", "a2a7", two), ("a2a7 h8g8 b1b8".into(), two));
        assert_eq!(shown(LADDER, "a2a7", "h8g8", Score::mated_in(2)).0, "h8g8 b1b8");
        // The search may have seen a longer mate than there is.
        assert_eq!(shown(LADDER, "", "a2a7", Score::mate_in(5)).1, two);
    }

    #[test]
    fn a_mate_that_cannot_be_shown_is_not_announced() {
        let (line, score) = shown(LADDER, "", "h1g1 h8g8", Score::mate_in(3));
        assert_eq!(line, "h1g1 h8g8");
        assert!(!score.is_decisive() && score > Score::new(20_000));
    }

    #[test]
    fn lines_end_where_the_game_ends() {
        let shuffle = "a2a3 h8g8 a3a2 g8h8";
        let before = [shuffle, shuffle].join(" ");
        let (line, _) = shown(LADDER, &before[..before.len() - 5], "g8h8 a2a3 h8g8", Score::DRAW);
        assert_eq!(line, "g8h8", "the third repetition");
        let (line, _) = shown("7k/8/8/8/8/8/R7/1R5K w - - 98 80", "", "a2a3 h8g8 a3a2 g8h8", Score::DRAW);
        assert_eq!(line, "a2a3 h8g8", "the fifty-move limit");
        let (line, _) = shown("7k/8/8/8/8/8/6r1/7K w - - 0 1", "", "h1g2 h8g8 g2g3", Score::DRAW);
        assert_eq!(line, "h1g2", "bare kings");
    }
}
