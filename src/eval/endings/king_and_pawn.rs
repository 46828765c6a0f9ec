//! King and pawn against king, solved by going back from the promotions
//! (<https://www.chessprogramming.org/KPK>), for all squares of the bare king at once.

use crate::board::Board;
use crate::board::tables::{king_attack_set, king_attacks, pawn_attacks};
use crate::types::{Bitboard, Color, File, PieceType, Rank, Square};
use once_cell::sync::Lazy;

/// Score units that a won position is worth at least.
const WIN: i32 = 600;

/// For White's pawn on one of the files a to d and its king: where the bare king loses.
type Lost = [[Bitboard; Square::NUM]; Square::NUM];

/// Which positions White wins.
struct Solution {
    white_to_move: Lost,
    black_to_move: Lost,
}

/// Found when first asked for; 64 KB, not on the heap, for the search allocates nothing.
static SOLUTION: Lazy<Solution> = Lazy::new(Solution::new);

impl Solution {
    fn new() -> Solution {
        let empty = [[Bitboard::EMPTY; Square::NUM]; Square::NUM];
        let mut solution = Solution { white_to_move: empty, black_to_move: empty };
        // A step of the pawn leads to ranks that are done.
        for rank in Rank::ALL[1..7].iter().rev() {
            for file in &File::ALL[..4] {
                let pawn = Square::new(*file, *rank);
                while solution.go_back(pawn) {}
            }
        }
        solution
    }

    /// Goes back one move with the pawn where it is. True if that brought anything.
    fn go_back(&mut self, pawn: Square) -> bool {
        let mut news = false;
        for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
            let black = self.black_loses(pawn, king);
            news |= black != self.black_to_move[pawn.index()][king.index()];
            self.black_to_move[pawn.index()][king.index()] = black;
            let white = self.white_wins(pawn, king);
            news |= white != self.white_to_move[pawn.index()][king.index()];
            self.white_to_move[pawn.index()][king.index()] = white;
        }
        news
    }

    /// Where the bare king loses when it is its turn: each step that it has leads where White wins, and it has one.
    fn black_loses(&self, pawn: Square, king: Square) -> Bitboard {
        let allowed = !king_attacks(king).with(king) & !pawn_attacks(Color::White, pawn);
        // It may take the pawn where the king does not guard it; that White does not win.
        let safe = allowed.without(self.white_to_move[pawn.index()][king.index()]);
        (king_attack_set(allowed).without(king_attack_set(safe)))
            .without(king_attacks(king).with(king).with(pawn))
    }

    /// Where the bare king loses when White is to move: some move leads where it loses.
    fn white_wins(&self, pawn: Square, king: Square) -> Bitboard {
        let mut wins = Bitboard::EMPTY;
        for to in king_attacks(king).without(Bitboard::from(pawn)) {
            wins |= self.black_to_move[pawn.index()][to.index()];
        }
        let stop = pawn.offset(8);
        if stop != king {
            let mut steps = match pawn.rank() {
                // The queen, or a rook where she would give stalemate, wins where nothing is beside her. Where the bare king
                // is but she is guarded another move wins as well.
                Rank::Seventh => !king_attacks(stop),
                _ => self.black_to_move[stop.index()][king.index()],
            };
            let beyond = stop.offset(8);
            if pawn.rank() == Rank::Second && beyond != king {
                steps |= self.black_to_move[beyond.index()][king.index()];
            }
            wins |= steps.without(Bitboard::from(stop));
        }
        wins.without(king_attacks(king).with(king).with(pawn) | pawn_attacks(Color::White, pawn))
    }
}

/// True if `side` has a king and one pawn, the other a bare king.
#[inline]
pub(super) fn is_it(board: &Board, side: Color) -> bool {
    board.occupied().count() == 3 && board.pieces(side, PieceType::Pawn).any()
}

/// True if `side`, which has the pawn, wins.
pub(super) fn is_won(board: &Board, side: Color) -> bool {
    let Some(pawn) = board.pieces(side, PieceType::Pawn).first() else { return false };
    let mirrored = pawn.file() > File::D;
    let seen = |square: Square| {
        let square = square.relative_to(side);
        if mirrored { Square::from_index(square as u8 ^ 7) } else { square }
    };
    let to_move = board.side_to_move() == side;
    let lost = if to_move { &SOLUTION.white_to_move } else { &SOLUTION.black_to_move };
    lost[seen(pawn).index()][seen(board.king(side)).index()].has(seen(board.king(!side)))
}

/// What a won position is worth to the side to move, more the farther the pawn has come; `None` elsewhere.
#[inline]
pub(super) fn value(board: &Board) -> Option<i32> {
    let side = Color::ALL.into_iter().find(|&side| is_it(board, side))?;
    let pawn = board.pieces(side, PieceType::Pawn).first()?;
    if !is_won(board, side) {
        return None;
    }
    let value = WIN + 20 * pawn.relative_to(side).rank().index() as i32;
    Some(if board.side_to_move() == side { value } else { -value })
}

#[cfg(test)]
mod tests {
    use super::super::tests::position;
    use super::*;
    use crate::board::Position;
    use crate::types::Move;

    /// True if White, who has made a queen or a rook or whose pawn is still there, wins with Black to move.
    fn wins_after(position: &Position) -> bool {
        let replies = position.legal_moves();
        if is_it(position, Color::White) {
            return is_won(position, Color::White);
        }
        let taken = |mv: &Move| position.is_capture(*mv);
        !position.is_insufficient_material()
            && if replies.is_empty() { position.in_check() } else { !replies.iter().any(taken) }
    }

    #[test]
    fn every_position_is_worth_what_the_best_move_makes_of_it() {
        let mut won = 0;
        for pawn in Square::ALL.into_iter().filter(|square| (1..7).contains(&square.rank().index())) {
            for king in Square::ALL {
                for bare in Square::ALL {
                    for side in Color::ALL {
                        let placed = [(pawn, 'P'), (king, 'K'), (bare, 'k')];
                        let Some(position) = position(&placed, side) else { continue };
                        let moves = position.legal_moves();
                        let mut after = moves.iter().map(|&mv| position.after(mv));
                        let expected = match side {
                            Color::White => after.any(|next| wins_after(&next)),
                            Color::Black => {
                                !moves.is_empty() && after.all(|next| is_won(&next, Color::White))
                            }
                        };
                        assert_eq!(
                            is_won(&position, Color::White),
                            expected,
                            "{pawn} {king} {bare} {side:?}"
                        );
                        won += u32::from(expected);
                    }
                }
            }
        }
        assert_eq!(won, 2 * 111_282);
    }

    #[test]
    fn known_positions_are_judged_as_books_have_them() {
        for (fen, won) in [
            // The king two ranks ahead of its pawn wins, whoever moves; one rank ahead it needs the opposition.
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false),
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false),
            ("4k3/8/3PK3/8/8/8/8/8 b - - 0 1", true),
            // White loses a move; Black has been stalemated.
            ("4k3/4P3/4K3/8/8/8/8/8 w - - 0 1", true),
            // A rook's pawn does not win, nor does a knight's pawn with the king on the wrong side of it.
            ("7k/8/7K/7P/8/8/8/8 b - - 0 1", false),
            ("7k/8/5KP1/8/8/8/8/8 w - - 0 1", false),
            ("6k1/8/6KP/8/8/8/8/8 b - - 0 1", false),
            // The square of the pawn.
            ("8/8/8/P5k1/8/8/8/K7 w - - 0 1", true),
            ("8/8/8/P3k3/8/8/8/7K w - - 0 1", true),
            ("8/8/8/P3k3/8/8/8/7K b - - 0 1", false),
        ] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(is_won(&board, Color::White), won, "{fen}");
        }
    }

    #[test]
    fn black_goes_the_other_way_and_the_pawn_gains_by_going_on() {
        let value_of = |fen: &str| value(&Board::from_fen(fen).unwrap());
        let won = value_of("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1").unwrap();
        assert!(won >= WIN);
        assert_eq!(value_of("8/8/8/8/4p3/4k3/8/4K3 w - - 0 1"), Some(-won));
        assert!(value_of("8/8/8/8/8/4pk2/8/3K4 b - - 0 1").unwrap() > won);
        assert_eq!(value_of("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"), None, "stalemate");
        assert_eq!(value_of("8/8/8/8/4p3/4k3/4P3/4K3 w - - 0 1"), None);
        assert_eq!(value_of("8/8/8/8/8/4k3/8/4K3 w - - 0 1"), None);
    }
}
