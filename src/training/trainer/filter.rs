//! Which positions of the games the trainer learns from.

use super::record::{Record, Worth};
use crate::sys::chance::mix;
use crate::training::data::PlacedMove;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What is left out. As text: `KEY=VALUE,...`, where keys that are not named keep their defaults.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Filter {
    /// Positions in check are left out: `check=drop`. A static evaluation is not asked about them.
    pub drop_checks: bool,
    /// Positions whose best move takes or promotes are left out: `tactical=drop`. Their score is that of the position after
    /// it.
    pub drop_tactical: bool,
    /// Scores beyond it either way are left out, in internal units: `score=3000`. Mates always are.
    pub score: i32,
    /// So many plies at the beginning of a game are left out, for they are random: `ply=16`.
    pub ply: usize,
    /// Positions with more plies since the last capture or pawn move are left out: `clock=60`. The pieces go to and fro.
    pub clock: u16,
    /// Positions with fewer pieces are left out, kings included: `pieces=4`.
    pub pieces: u32,
    /// The share of positions that is kept, chosen by lot: `keep=1`.
    pub keep: f64,
    /// A position that has been there already is left out: `duplicates=drop`.
    pub drop_duplicates: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            drop_checks: true,
            drop_tactical: true,
            score: 3000,
            ply: 16,
            clock: 60,
            pieces: 4,
            keep: 1.0,
            drop_duplicates: true,
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |drop| if drop { "drop" } else { "keep" };
        write!(
            f,
            "check={},tactical={},score={},ply={},clock={},pieces={},keep={},duplicates={}",
            word(self.drop_checks),
            word(self.drop_tactical),
            self.score,
            self.ply,
            self.clock,
            self.pieces,
            self.keep,
            word(self.drop_duplicates)
        )
    }
}

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Filter, String> {
        let mut filter = Filter::default();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (key, value) =
                pair.split_once('=').ok_or_else(|| format!("'{pair}' is not KEY=VALUE, such as 'ply=16'"))?;
            match key {
                "check" => filter.drop_checks = drops(key, value)?,
                "tactical" => filter.drop_tactical = drops(key, value)?,
                "duplicates" => filter.drop_duplicates = drops(key, value)?,
                "score" => filter.score = number(key, value, 1, 31_000)?,
                "ply" => filter.ply = number(key, value, 0, 10_000)?,
                "clock" => filter.clock = number(key, value, 0, 10_000)?,
                "pieces" => filter.pieces = number(key, value, 2, 32)?,
                "keep" => {
                    let share: f64 = value.parse().unwrap_or(f64::NAN);
                    if !(share > 0.0 && share <= 1.0) {
                        return Err(format!("keep={value}: expected a share above 0 and up to 1"));
                    }
                    filter.keep = share;
                }
                _ => {
                    return Err(format!(
                        "there is no filter '{key}'; there are check, tactical, score, ply, clock, pieces, keep, \
                         duplicates"
                    ));
                }
            }
        }
        Ok(filter)
    }
}

fn drops(key: &str, value: &str) -> Result<bool, String> {
    match value {
        "drop" => Ok(true),
        "keep" => Ok(false),
        _ => Err(format!("{key}={value}: expected drop or keep")),
    }
}

fn number<T: FromStr + PartialOrd + fmt::Display>(
    key: &str,
    value: &str,
    low: T,
    high: T,
) -> Result<T, String> {
    match value.parse() {
        Ok(number) if number >= low && number <= high => Ok(number),
        _ => Err(format!("{key}={value}: expected a whole number from {low} to {high}")),
    }
}

/// What became of the positions of the games: each is counted once, by the first filter that took it, but
/// for held-out ones beyond the most that are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Games read.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// The move was not chosen by a search.
    pub unsearched: u64,
    /// The game has no result.
    pub unfinished: u64,
    /// At the beginning of the game.
    pub opening: u64,
    /// In check.
    pub check: u64,
    /// The best move takes or promotes.
    pub tactical: u64,
    /// The score is a mate's or beyond the limit.
    pub score: u64,
    /// Too long without capture or pawn move.
    pub clock: u64,
    /// Too few pieces, or more than 32.
    pub pieces: u64,
    /// By lot.
    pub lot: u64,
    /// There already.
    pub duplicates: u64,
    /// Kept to learn from.
    pub training: u64,
    /// Kept to measure the loss with.
    pub validation: u64,
}

impl Counts {
    /// Adds those of other games.
    pub fn add(&mut self, other: &Counts) {
        let Counts { games, positions, unsearched, unfinished, opening, check, tactical, .. } = other;
        let Counts { score, clock, pieces, lot, duplicates, training, validation, .. } = other;
        self.games += games;
        self.positions += positions;
        self.unsearched += unsearched;
        self.unfinished += unfinished;
        self.opening += opening;
        self.check += check;
        self.tactical += tactical;
        self.score += score;
        self.clock += clock;
        self.pieces += pieces;
        self.lot += lot;
        self.duplicates += duplicates;
        self.training += training;
        self.validation += validation;
    }
}

impl fmt::Display for Counts {
    /// A line for what was read and kept, and one for what was left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} games, {} positions: {} to learn from, {} held out",
            self.games, self.positions, self.training, self.validation
        )?;
        let out = [
            ("no search", self.unsearched),
            ("no result", self.unfinished),
            ("opening", self.opening),
            ("check", self.check),
            ("tactical", self.tactical),
            ("score", self.score),
            ("clock", self.clock),
            ("pieces", self.pieces),
            ("lot", self.lot),
            ("duplicates", self.duplicates),
        ];
        f.write_str("left out:")?;
        for (at, (name, count)) in out.iter().filter(|(_, count)| *count > 0).enumerate() {
            write!(f, "{} {name} {count}", if at == 0 { "" } else { "," })?;
        }
        if out.iter().all(|(_, count)| *count == 0) {
            f.write_str(" nothing")?;
        }
        Ok(())
    }
}

impl Filter {
    /// Packs a position that may be learnt from, and counts it otherwise; `lot` is a random number that goes with the game.
    /// The score becomes expected points by `scale`; `returned` are those that came after (`returns`).
    pub fn pack(
        &self,
        placed: &PlacedMove,
        returned: f32,
        scale: f32,
        lot: u64,
        counts: &mut Counts,
    ) -> Option<Record> {
        counts.positions += 1;
        let position = &placed.position;
        let out = match (placed.score, placed.points) {
            (None, _) => &mut counts.unsearched,
            (_, None) => &mut counts.unfinished,
            _ if placed.ply < self.ply => &mut counts.opening,
            _ if self.drop_checks && position.in_check() => &mut counts.check,
            _ if self.drop_tactical && (position.is_capture(placed.mv) || placed.mv.promoted().is_some()) => {
                &mut counts.tactical
            }
            (Some(score), _) if score.is_decisive() || score.units().abs() > self.score => &mut counts.score,
            _ if position.halfmove_clock() > self.clock => &mut counts.clock,
            _ if position.occupied().count() < self.pieces => &mut counts.pieces,
            _ if !is_drawn(lot, placed.ply, self.keep) => &mut counts.lot,
            (Some(score), Some(points)) => {
                let expected = super::kernel::sigmoid(score.units() as f32 / scale);
                let half_points = (points * 2.0).round() as u8;
                let worth = Worth { score: score.units() as i16, expected, returned, half_points };
                match Record::new(position, worth) {
                    Some(record) => return Some(record),
                    None => &mut counts.pieces,
                }
            }
        };
        *out += 1;
        None
    }
}

fn is_drawn(lot: u64, ply: usize, share: f64) -> bool {
    share >= 1.0 || (mix(lot ^ ply as u64) >> 11) as f64 / (1u64 << 53) as f64 <= share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::types::Score;
    use crate::types::Square::{self, *};

    fn counts(
        filter: &str,
        fen: &str,
        [from, to]: [Square; 2],
        score: Option<Score>,
        ply: usize,
    ) -> (bool, Counts) {
        let position = Position::from_fen(fen).unwrap();
        let mv = *position.legal_moves().iter().find(|mv| (mv.from(), mv.to()) == (from, to)).unwrap();
        let placed = PlacedMove { position, mv, score, ply, points: Some(0.5) };
        let mut counts = Counts::default();
        let filter: Filter = filter.parse().unwrap();
        (filter.pack(&placed, 0.5, 400.0, 7, &mut counts).is_some(), counts)
    }

    #[test]
    fn each_filter_takes_what_it_should_and_counts_it() {
        let some = |units| Some(Score::new(units));
        let quiet = "4k3/pp4p1/8/8/3p4/2P5/P5PP/4K3 w - - 8 40";
        let check = "4k3/pp4p1/8/8/1b1p4/8/P5PP/4K3 w - - 8 40";
        for (filter, fen, mv, score, ply, taken) in [
            ("", quiet, [G2, G3], some(10), 20, ""),
            ("", quiet, [G2, G3], None, 20, "no search"),
            ("", quiet, [G2, G3], some(10), 15, "opening"),
            ("ply=15", quiet, [G2, G3], some(10), 15, ""),
            ("", check, [E1, E2], some(10), 20, "check"),
            ("check=keep", check, [E1, E2], some(10), 20, ""),
            ("", quiet, [C3, D4], some(10), 20, "tactical"),
            ("tactical=keep", quiet, [C3, D4], some(10), 20, ""),
            ("", quiet, [G2, G3], some(3001), 20, "score"),
            ("", quiet, [G2, G3], some(-3001), 20, "score"),
            ("score=4000", quiet, [G2, G3], some(3001), 20, ""),
            ("score=31000", quiet, [G2, G3], Some(Score::mate_in(900)), 20, "score"),
            ("clock=7", quiet, [G2, G3], some(10), 20, "clock"),
            ("clock=8", quiet, [G2, G3], some(10), 20, ""),
            ("pieces=11", quiet, [G2, G3], some(10), 20, "pieces"),
            ("pieces=10", quiet, [G2, G3], some(10), 20, ""),
            ("keep=0.000001", quiet, [G2, G3], some(10), 20, "lot"),
        ] {
            let (kept, counts) = counts(filter, fen, mv, score, ply);
            assert_eq!(kept, taken.is_empty(), "{filter} {mv:?} {score:?}");
            let told = counts.to_string();
            let expected = if kept { "left out: nothing".into() } else { format!("left out: {taken} 1") };
            assert_eq!(told.lines().last(), Some(&*expected), "{filter} {mv:?} {score:?}");
            assert_eq!(counts.positions, 1);
        }
    }

    #[test]
    fn the_text_comes_back_and_mistakes_are_told() {
        let text = "check=keep,tactical=drop,score=900,ply=3,clock=7,pieces=9,keep=0.25,duplicates=keep";
        assert_eq!(text.parse::<Filter>().unwrap().to_string(), text);
        assert_eq!("".parse::<Filter>(), Ok(Filter::default()));
        for (text, hint) in [
            ("plies=3", "there is no filter 'plies'"),
            ("ply", "'ply' is not KEY=VALUE"),
            ("ply=-1", "ply=-1: expected a whole number from 0"),
            ("score=40000", "from 1 to 31000"),
            ("keep=0", "above 0"),
            ("keep=nan", "above 0"),
            ("check=yes", "expected drop or keep"),
        ] {
            let told = text.parse::<Filter>().unwrap_err();
            assert!(told.contains(hint), "{told}");
        }
    }

    #[test]
    fn a_share_is_a_share() {
        let kept = (0..40_000).filter(|&game| is_drawn(mix(game / 100), game as usize % 100, 0.3)).count();
        assert!((11_600..12_400).contains(&kept), "{kept}");
    }

    #[test]
    fn the_lot_of_a_position_goes_with_its_game() {
        let kept = |lot| (0..64).filter(|&ply| is_drawn(lot, ply, 0.5)).collect::<Vec<_>>();
        assert_eq!(kept(1), kept(1));
        let (one, other) = (kept(1), kept(2));
        let both = one.iter().filter(|ply| other.contains(ply)).count();
        assert!(
            one.len() > 20 && other.len() > 20 && both < one.len().min(other.len()) - 5,
            "{one:?} {other:?}"
        );
    }

    #[test]
    fn what_a_position_is_worth_is_kept_for_its_side_to_move() {
        let position = Position::from_fen("4k3/pp4p1/8/8/3p4/2P5/P5PP/4K3 b - - 8 40").unwrap();
        let mv = *position.legal_moves().iter().find(|mv| (mv.from(), mv.to()) == (G7, G6)).unwrap();
        let placed = PlacedMove { position, mv, score: Some(Score::new(-150)), ply: 20, points: Some(0.0) };
        let record = Filter::default().pack(&placed, 0.25, 300.0, 1, &mut Counts::default()).unwrap();
        assert_eq!((record.score, record.half_points()), (-150, 0));
        // 1 / (1 + e^0.5).
        for (wdl, points) in [(0.0, 0.377_541), (1.0, 0.25)] {
            assert!((record.target(wdl) - points).abs() < 2e-5, "{}", record.target(wdl));
        }
    }

    #[test]
    fn all_that_was_counted_is_added() {
        let all = |times: u64| Counts {
            games: times,
            positions: 2 * times,
            unsearched: 3 * times,
            unfinished: 4 * times,
            opening: 5 * times,
            check: 6 * times,
            tactical: 7 * times,
            score: 8 * times,
            clock: 9 * times,
            pieces: 10 * times,
            lot: 11 * times,
            duplicates: 12 * times,
            training: 13 * times,
            validation: 14 * times,
        };
        let mut counts = all(1);
        counts.add(&all(10));
        assert_eq!(counts, all(11));
    }
}
