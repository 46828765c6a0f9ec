//! Which moves keep what a position is worth, and which of them make progress.

use super::{Ending, Tables};
use crate::board::Position;
use crate::types::Move;

/// A move as tablebases judge it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// The move.
    pub mv: Move,
    /// Moves with the highest rank keep what the position is worth; those with the same are told apart by nothing that
    /// the tables know and the result depends on.
    pub rank: i32,
    /// How it ends.
    pub ending: Ending,
}

/// The rank of a move that wins for certain.
const WINS: i32 = 10_000;

/// The rank of a move that ends so, `distance` plies, itself included, before the next capture or pawn move, with `clock`
/// half-moves on the counter. A win that is in time whatever is played for it ranks as high as any other, so that the
/// search is free to choose; once a position has come again (`repeated`), or the counter is near its end, the shorter way
/// is the better one. So it is with losses the other way round.
fn rank(ending: Ending, distance: u32, clock: u32, repeated: bool) -> i32 {
    // A position that is set up may have any number there.
    let clock = clock.min(100);
    let end = (distance + clock) as i32;
    match ending {
        Ending::Win if end <= 99 && !repeated => WINS,
        Ending::Win | Ending::CursedWin => WINS - end,
        Ending::Draw => 0,
        // A mistake of the winner's may still take it beyond the fifty moves.
        Ending::Loss if 2 * distance + clock < 100 => -WINS,
        Ending::Loss | Ending::BlessedLoss => end - WINS,
    }
}

impl Tables {
    /// The legal moves of a position in the order of [`Position::legal_moves`], if the tables know them all; and whether
    /// by their distances, so that who keeps to the best rank also gets there. `repeated`: some position has come twice
    /// since the last capture or pawn move. Not to be called by two threads at once.
    pub fn rank_moves(&self, position: &Position, repeated: bool) -> Option<(Vec<Ranked>, bool)> {
        let clock = u32::from(position.halfmove_clock());
        if let Some(distances) = self.distances(position) {
            let ranked =
                |(mv, ending, distance)| Ranked { mv, rank: rank(ending, distance, clock, repeated), ending };
            return Some((distances.into_iter().map(ranked).collect(), true));
        }
        let ranked = |mv: Move| {
            let next = position.after(mv);
            let ending = match (next.has_no_moves(), next.in_check()) {
                (true, true) => Ending::Win,
                (true, false) => Ending::Draw,
                _ => -self.ending(&next)?,
            };
            // As if it were all in time: no distance is known.
            let distance = if matches!(ending, Ending::CursedWin | Ending::BlessedLoss) { 101 } else { 1 };
            Some(Ranked { mv, rank: rank(ending, distance, 0, false), ending })
        };
        let moves: Option<Vec<Ranked>> = position.legal_moves().into_iter().map(ranked).collect();
        moves.map(|moves| (moves, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_go_from_wins_to_losses() {
        use Ending::{BlessedLoss, CursedWin, Draw, Loss, Win};
        let rank = |ending, distance, clock| rank(ending, distance, clock, false);
        assert_eq!(rank(Win, 1, 0), rank(Win, 60, 30));
        assert!(rank(Win, 60, 30) > rank(Win, 60, 40) && rank(Win, 60, 40) > rank(CursedWin, 70, 40));
        assert!(rank(CursedWin, 70, 40) > rank(CursedWin, 101, 40) && rank(CursedWin, 800, 99) > 0);
        assert!(0 > rank(BlessedLoss, 800, 99) && rank(Draw, 0, 50) == 0);
        assert!(rank(BlessedLoss, 300, 0) > rank(BlessedLoss, 101, 0));
        assert!(rank(BlessedLoss, 101, 0) > rank(Loss, 90, 9) && rank(Loss, 60, 9) > rank(Loss, 40, 9));
        assert_eq!(rank(Loss, 40, 9), rank(Loss, 2, 0));
        assert!(rank(Win, 5, 9_999) > 0 && rank(Loss, 5, 9_999) < 0, "whatever the counter is set to");
        assert!(super::rank(Win, 1, 0, true) > super::rank(Win, 3, 0, true));
        assert!(super::rank(Win, 3, 0, true) > super::rank(CursedWin, 101, 0, true));
    }

    /// The hundredth half-move draws, unless it mates, captures or moves a pawn.
    #[test]
    fn what_is_just_in_time_is_certain_and_what_is_not_is_not() {
        let rank = |ending, distance, clock| rank(ending, distance, clock, false);
        assert_eq!((rank(Ending::Win, 99, 0), rank(Ending::Win, 19, 80)), (WINS, WINS));
        assert!(rank(Ending::Win, 100, 0) < WINS && rank(Ending::Win, 20, 80) < WINS);
        assert_eq!((rank(Ending::Loss, 49, 1), rank(Ending::Loss, 9, 81)), (-WINS, -WINS));
        assert!(rank(Ending::Loss, 50, 0) > -WINS && rank(Ending::Loss, 10, 80) > -WINS);
    }

    #[test]
    fn without_distances_moves_are_ranked_by_what_they_lead_to() {
        // Who has the queen wins.
        let tables = Tables::told(3, |position| {
            let strong = position.of_kind(crate::types::PieceType::Queen);
            let ours = position.of_color(position.side_to_move());
            Some(match strong.any() {
                true if (strong & ours).any() => Ending::Win,
                true => Ending::Loss,
                false => Ending::Draw,
            })
        });
        let position = Position::from_fen("7k/8/8/8/8/8/1r6/Q6K w - - 0 1").unwrap();
        assert_eq!(tables.rank_moves(&position, false), None, "four pieces");
        let position = Position::from_fen("6k1/8/8/8/8/8/8/Q6K w - - 0 1").unwrap();
        let (moves, by_distance) = tables.rank_moves(&position, false).unwrap();
        assert!(!by_distance && moves.len() == position.legal_moves().len());
        assert!(moves.iter().all(|ranked| ranked.ending == Ending::Win && ranked.rank == moves[0].rank));
        // Stalemate.
        let position = Position::from_fen("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1").unwrap();
        assert_eq!(tables.rank_moves(&position, false).unwrap().0, []);
    }

    #[test]
    fn tables_know_no_castling_and_a_stalemate_is_a_draw() {
        let tables = Tables::told(3, |position| {
            let ours = position.of_color(position.side_to_move());
            Some(if ours.several() { Ending::Win } else { Ending::Loss })
        });
        let ending = |fen: &str| tables.ending(&Position::from_fen(fen).unwrap());
        assert_eq!(ending("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
        assert_eq!(ending("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), Some(Ending::Win));
        let position = Position::from_fen("k7/8/8/1Q6/8/8/8/7K w - - 0 1").unwrap();
        let (moves, _) = tables.rank_moves(&position, false).unwrap();
        let (drawn, won): (Vec<Ranked>, Vec<Ranked>) =
            moves.iter().copied().partition(|ranked| ranked.rank == 0);
        assert!(won.iter().all(|ranked| (ranked.ending, ranked.rank) == (Ending::Win, WINS)));
        let drawn: Vec<_> = drawn.iter().map(|ranked| (ranked.mv.to(), ranked.ending)).collect();
        assert_eq!(drawn, [(crate::types::Square::B6, Ending::Draw)]);
    }

    #[test]
    fn what_the_fifty_moves_save_is_behind_what_is_certain() {
        let tables = Tables::told(3, |position| {
            let ours = position.of_color(position.side_to_move());
            Some(if ours.several() { Ending::CursedWin } else { Ending::BlessedLoss })
        });
        for (side, ending, rank) in [("w", Ending::CursedWin, 9_899), ("b", Ending::BlessedLoss, -9_899)] {
            let position = Position::from_fen(&format!("8/8/3k4/8/8/8/8/R6K {side} - - 0 1")).unwrap();
            let (moves, _) = tables.rank_moves(&position, false).unwrap();
            let same = moves.iter().all(|ranked| (ranked.ending, ranked.rank) == (ending, rank));
            assert!(same && !moves.is_empty(), "{moves:?}");
        }
    }
}
