//! What a score means: how likely it wins, and hundredths of a pawn that compare with other engines'.
//!
//! Fitted by maximum likelihood to the results of 236,869 positions of 1,807 games, none of them adjudicated, that this
//! engine played against itself with generation 17 of `NETWORKS.md` (`adoube selfplay --nodes 5000 --unadjudicated 1
//! --chess960 0 --seed 2911`). Longer thinking wins more with the same score. `adoube data stats` fits the same curve to any
//! games. From generation 7 on it had been 199 and 115: what `NETWORKS.md` and `STRENGTH.md` tell of limits in hundredths of
//! a pawn goes by those.

use crate::board::Position;
use crate::types::Score;

/// How likely a value wins: a logistic curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The internal value at which the side to move wins half of its games.
    pub half_won: f64,
    /// How much more of it makes wins e times as likely against the rest, in internal units.
    pub spread: f64,
}

/// Our games'.
const OURS: Model = Model { half_won: 183.0, spread: 85.0 };

impl Model {
    /// The probability, 0 to 1, that the side with this value wins; that with the opposite value is the one to lose.
    pub fn win(&self, units: f64) -> f64 {
        1.0 / (1.0 + ((self.half_won - units) / self.spread).exp())
    }
}

/// Chances out of 1000 to win, draw and lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// The side to move wins.
    pub win: u32,
    /// Nobody wins.
    pub draw: u32,
    /// The side to move loses.
    pub loss: u32,
}

/// The score in hundredths of a pawn, where 100 wins half of the games; for scores that are no mate.
pub fn centipawns(score: Score) -> i32 {
    centipawns_of(score.units().into()).round() as i32
}

/// The same for internal units that need not be whole, such as a mean.
pub fn centipawns_of(units: f64) -> f64 {
    units * 100.0 / OURS.half_won
}

/// The internal units of hundredths of a pawn, of which 100 win half of the games.
pub fn units_of(centipawns: f64) -> f64 {
    centipawns * OURS.half_won / 100.0
}

/// Chances by a logistic curve for winning and its mirror image for losing, the rest being draws.
pub fn chances(score: Score) -> Wdl {
    if score.is_decisive() {
        let won = score > Score::DRAW;
        return Wdl { win: if won { 1000 } else { 0 }, draw: 0, loss: if won { 0 } else { 1000 } };
    }
    let curve = |units: f64| (1000.0 * OURS.win(units)).round() as u32;
    let units = f64::from(score.units());
    let (win, loss) = (curve(units), curve(-units));
    Wdl { win, draw: 1000 - win - loss, loss }
}

/// The chances in `position`, which has this score: a draw for certain in stalemate and without the material to mate, and
/// no win for a side that cannot (`cannot_win`, that of the side to move first), unless a mate has been found all the same.
pub fn chances_in(position: &Position, score: Score, cannot_win: [bool; 2]) -> Wdl {
    let is_stalemate = || !position.in_check() && position.has_no_moves();
    if position.is_insufficient_material() || is_stalemate() {
        return Wdl { win: 0, draw: 1000, loss: 0 };
    }
    let found = chances(score);
    if score.is_decisive() {
        return found;
    }
    let [win, loss] = [if cannot_win[0] { 0 } else { found.win }, if cannot_win[1] { 0 } else { found.loss }];
    Wdl { win, draw: 1000 - win - loss, loss }
}

#[cfg(test)]
mod tests {
    use super::super::network::Network;
    use super::*;

    #[test]
    fn one_pawn_wins_half_and_the_sides_mirror() {
        let half = chances(Score::new(OURS.half_won as i32));
        assert_eq!(half.win, 500);
        assert_eq!(centipawns(Score::new(OURS.half_won as i32)), 100);
        for units in [-3000, -120, 0, 1, 77, 2500] {
            let (here, there) = (chances(Score::new(units)), chances(Score::new(-units)));
            assert_eq!(here.win + here.draw + here.loss, 1000);
            assert_eq!((here.win, here.loss), (there.loss, there.win));
        }
        assert_eq!(chances(Score::mated_in(4)), Wdl { win: 0, draw: 0, loss: 1000 });
    }

    #[test]
    fn what_is_drawn_on_the_board_is_drawn_for_certain() {
        let draw = Wdl { win: 0, draw: 1000, loss: 0 };
        for (fen, drawn) in [
            ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", true),
            ("8/8/8/3k4/8/8/5N2/3K4 w - - 0 1", true),
            ("8/8/8/3k4/8/8/5P2/3K4 w - - 0 1", false),
            ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", false),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(chances_in(&position, Score::DRAW, [false; 2]) == draw, drawn, "{fen}");
        }
        let position = Position::from_fen("8/8/8/3k4/8/8/5P2/3K4 w - - 0 1").unwrap();
        let [all, lone] =
            [[false; 2], [false, true]].map(|lacks| chances_in(&position, Score::new(40), lacks));
        assert_eq!(lone, Wdl { win: all.win, draw: all.draw + all.loss, loss: 0 });
    }

    #[test]
    fn what_is_certain_is_told_as_certain() {
        let (won, lost) = (Wdl { win: 1000, draw: 0, loss: 0 }, Wdl { win: 0, draw: 0, loss: 1000 });
        assert_eq!((chances(Score::table_win_in(3)), chances(-Score::table_win_in(3))), (won, lost));
        let position = Position::from_fen("8/8/8/3k4/8/8/5P2/3K4 w - - 0 1").unwrap();
        assert_eq!(chances_in(&position, Score::mate_in(7), [true, false]), won, "found all the same");
        let mated = Position::from_fen("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(chances_in(&mated, Score::mated_in(0), [false; 2]), lost, "no stalemate");
    }

    /// Another network has another curve: it is to be fitted by games of that one.
    #[test]
    fn the_curve_is_that_of_the_network_of_the_repository() {
        let network = Network::read(include_bytes!("adoube.nnue")).unwrap();
        assert_eq!(u64::from_be_bytes(network.id()), 0x7eb9_9130_4a0d_bb4c, "fit the curve again, see above");
    }

    #[test]
    fn hundredths_of_a_pawn_are_rounded() {
        for (units, shown) in [(0, 0), (1, 1), (2, 1), (3, 2), (183, 100), (300, 164)] {
            assert_eq!(centipawns(Score::new(units)), shown);
            assert_eq!(centipawns(Score::new(-units)), -shown);
        }
    }
}
