//! Positions of games as lines of text, for trainers and tools of others, and scores that come back from them.

use crate::board::{FenStyle, Position};
use crate::eval::{Evaluation, static_score, wdl};
use crate::notation::uci_move::to_uci;
use crate::training::data::{PlacedMove, SelfplayGame};
use crate::types::{Color, Score};
use std::io::{self, Write};
use std::str::FromStr;

/// What a line says of a position. Scores and results are White's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    /// The position, with Chess960's castling rights as X-FEN has them.
    Fen,
    /// What the search said, in hundredths of a pawn of which 100 win half of the games, rounded.
    Score,
    /// How the game ended: 1.0, 0.5 or 0.0.
    Result,
    /// What the evaluation says without a search, as the score.
    Static,
    /// The move that was played, as in UCI; castling as `e1g1` where king and rook stand as in standard chess, else as the
    /// king's move onto its own rook.
    Move,
    /// The game's number in the file, from 0.
    Game,
    /// Moves of either side before it in the game.
    Ply,
}

impl Column {
    /// All of them by name.
    pub const NAMES: [(&'static str, Column); 7] = [
        ("fen", Column::Fen),
        ("score", Column::Score),
        ("result", Column::Result),
        ("static", Column::Static),
        ("move", Column::Move),
        ("game", Column::Game),
        ("ply", Column::Ply),
    ];
}

impl FromStr for Column {
    type Err = String;

    fn from_str(name: &str) -> Result<Column, String> {
        let found = Column::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, column)| *column).ok_or_else(|| {
            let names = Column::NAMES.map(|(name, _)| name).join(", ");
            format!("there is no column '{name}'; there are {names}")
        })
    }
}

/// Which positions have lines: those of games with a result that were searched and whose score is no mate's, and unless
/// noisy ones are wanted too, only quiet ones ([`PlacedMove::is_quiet`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Positions in check, and those whose move takes or promotes, have lines as well.
    pub noisy: bool,
}

impl Choice {
    /// True for a position that is chosen.
    pub fn takes(self, placed: &PlacedMove) -> bool {
        placed.points.is_some()
            && placed.score.is_some_and(|score| !score.is_decisive())
            && (self.noisy || placed.is_quiet())
    }
}

/// Writes a line for each position of the game that is chosen, and says how many there are. Columns stand apart by ` | `: position,
/// score and result make the lines that the trainer bullet's tools read (<https://docs.rs/crate/bulletformat/1.8.0>, "Text
/// Formats").
///
/// # Errors
/// If `out` cannot be written.
pub fn export(
    game: &SelfplayGame,
    number: u64,
    choice: Choice,
    columns: &[Column],
    evaluation: &Evaluation,
    out: &mut impl Write,
) -> io::Result<u64> {
    let mut count = 0;
    for placed in game.positions().filter(|placed| choice.takes(placed)) {
        let position = &placed.position;
        for (at, column) in columns.iter().enumerate() {
            if at > 0 {
                out.write_all(b" | ")?;
            }
            match column {
                Column::Fen => write!(out, "{}", position.to_fen(FenStyle::XFen))?,
                Column::Score => {
                    let score = placed.score.unwrap_or(Score::DRAW);
                    write!(out, "{}", wdl::centipawns(whites(position.side_to_move(), score)))?;
                }
                Column::Result => {
                    let points = placed.points.unwrap_or(0.5);
                    let is_white = position.side_to_move() == Color::White;
                    write!(out, "{:.1}", if is_white { points } else { 1.0 - points })?;
                }
                Column::Static => {
                    let score = static_score(position, evaluation);
                    write!(out, "{}", wdl::centipawns(whites(position.side_to_move(), score)))?;
                }
                Column::Move => write!(out, "{}", to_uci(placed.mv, position, false))?,
                Column::Game => write!(out, "{number}")?,
                Column::Ply => write!(out, "{}", placed.ply)?,
            }
        }
        out.write_all(b"\n")?;
        count += 1;
    }
    Ok(count)
}

/// Gives each position of the game that is chosen, in the order in which [`export`] writes them, the score that `next` has for
/// it: White's, in hundredths of a pawn. Moves, result and all other scores stay.
///
/// # Errors
/// What `next` says, and the game is then of no use.
pub fn label<E>(
    game: &mut SelfplayGame,
    choice: Choice,
    mut next: impl FnMut(&Position) -> Result<f64, E>,
) -> Result<(), E> {
    let mut failed = None;
    set_scores(game, choice, |position| {
        if failed.is_some() {
            return None;
        }
        match next(position) {
            Ok(score) => {
                let score = Score::new(wdl::units_of(score).round() as i32);
                Some(whites(position.side_to_move(), score))
            }
            Err(error) => {
                failed = Some(error);
                None
            }
        }
    });
    failed.map_or(Ok(()), Err)
}

/// Gives each position of the game that is chosen the score that `next` has for it, its side to move's, at most as large as
/// an evaluation can be, if it has one.
pub fn set_scores(game: &mut SelfplayGame, choice: Choice, mut next: impl FnMut(&Position) -> Option<Score>) {
    // The moves have to be played before scores are changed: they are read from the same game.
    let chosen: Vec<PlacedMove> = game.positions().filter(|placed| choice.takes(placed)).collect();
    for PlacedMove { position, ply, .. } in chosen {
        if let Some(score) = next(&position) {
            game.plies[ply].score = Some(score.clamp_eval());
        }
    }
}

/// From White's point of view, or from there back to the side's.
fn whites(side: Color, score: Score) -> Score {
    if side == Color::White { score } else { -score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::uci_move::parse_uci;
    use crate::training::data::{Ending, Ply, sample};
    use crate::types::Outcome;

    const LINE: [Column; 3] = [Column::Fen, Column::Score, Column::Result];
    const QUIET: Choice = Choice { noisy: false };
    const NOISY: Choice = Choice { noisy: true };

    /// Black wins; 183 units are a pawn.
    fn game() -> SelfplayGame {
        let start = Position::from_fen("r3k3/8/8/8/3p4/2P5/8/R3K2R w KQq - 4 30").unwrap();
        let mut position = start;
        let mut plies = vec![];
        for (word, score) in [
            ("e1g1", Some(Score::new(183))),
            ("e8c8", Some(Score::new(-366))),
            ("c3d4", Some(Score::new(915))),
            ("d8d4", None),
            ("a1a8", Some(Score::mated_in(8))),
            ("c8b7", Some(Score::new(549))),
        ] {
            let mv = parse_uci(word, &position).unwrap();
            plies.push(Ply { mv, score });
            position = position.after(mv);
        }
        SelfplayGame { start, plies, outcome: Outcome::Win(Color::Black), ending: Ending::TooLong }
    }

    fn text(game: &SelfplayGame, choice: Choice, columns: &[Column]) -> String {
        let mut out = vec![];
        let count = export(game, 7, choice, columns, &Evaluation::Classic, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().count() as u64, count);
        text
    }

    #[test]
    fn a_line_has_what_white_gets() {
        let expected = "r3k3/8/8/8/3p4/2P5/8/R3K2R w KQq - 4 30 | 100 | 0.0\n\
                        r3k3/8/8/8/3p4/2P5/8/R4RK1 b q - 5 30 | 200 | 0.0\n";
        assert_eq!(text(&game(), QUIET, &LINE), expected);
        // The capture and the move out of check besides, never what was not searched or is a mate's.
        let columns = [Column::Game, Column::Ply, Column::Move, Column::Score];
        let expected = "7 | 0 | e1g1 | 100\n7 | 1 | e8c8 | 200\n7 | 2 | c3d4 | 500\n7 | 5 | c8b7 | -300\n";
        assert_eq!(text(&game(), NOISY, &columns), expected);
        for (outcome, points) in
            [(Outcome::Win(Color::White), "1.0"), (Outcome::Draw, "0.5"), (Outcome::Win(Color::Black), "0.0")]
        {
            let game = SelfplayGame { outcome, ..game() };
            assert_eq!(text(&game, QUIET, &[Column::Result]), format!("{points}\n{points}\n"));
        }
        let unfinished = SelfplayGame { outcome: Outcome::Unfinished, ..game() };
        assert_eq!(text(&unfinished, NOISY, &columns), "");
    }

    #[test]
    fn the_evaluation_is_whites_too() {
        let statics = text(&game(), QUIET, &[Column::Static]);
        let statics: Vec<i32> = statics.lines().map(|line| line.parse().unwrap()).collect();
        assert!(statics.len() == 2 && statics.iter().all(|value| *value > 200), "{statics:?}");
    }

    #[test]
    fn scores_come_back_to_the_positions_that_they_were_written_for() {
        for choice in [QUIET, NOISY] {
            let mut count = 0;
            for game in sample::games(5, 40) {
                let written = text(&game, choice, &[Column::Score]);
                let mut lines = written.lines();
                let mut labelled = game.clone();
                let next = |_: &Position| lines.next().unwrap().parse::<f64>().map(|score| 1.5 - score);
                label(&mut labelled, choice, next).unwrap();
                assert_eq!(lines.next(), None);
                for (before, after) in game.positions().zip(labelled.positions()) {
                    assert_eq!((before.position, before.mv), (after.position, after.mv));
                    let (Some(old), Some(new)) = (before.score, after.score) else {
                        assert_eq!(before.score, after.score);
                        continue;
                    };
                    let is_white = before.position.side_to_move() == Color::White;
                    let shift = if is_white { 2.745 } else { -2.745 };
                    let error = f64::from(new.units() + old.units()) - shift;
                    if choice.takes(&before) {
                        assert!(error.abs() <= 1.5, "{old:?} {new:?}");
                        count += 1;
                    } else {
                        assert_eq!(old, new);
                    }
                }
            }
            assert!(count > 500, "{count}");
        }
    }

    #[test]
    fn scores_as_large_as_can_be_are_no_mates() {
        let mut game = game();
        let mut scores = [17_400.0, -17_400.0].into_iter();
        label(&mut game, QUIET, |_| scores.next().ok_or(())).unwrap();
        let scores: Vec<_> = game.plies[..2].iter().map(|ply| ply.score).collect();
        assert_eq!(scores, [Some(Score::EVAL_BOUND); 2]);
    }

    #[test]
    fn an_unknown_column_is_told_with_those_that_there_are() {
        assert_eq!("static".parse(), Ok(Column::Static));
        let told = "eval".parse::<Column>().unwrap_err();
        assert!(
            told.starts_with("there is no column 'eval'; there are fen, score, result, static, "),
            "{told}"
        );
    }
}
