//! What was scored: games and pairs of games, counted from one engine's point of view.
//!
//! A pair is two games from one opening. With colours exchanged the advantage that the opening gives to one side
//! cancels, so the pair, not the game, is the independent event; its five possible scores give the pentanomial
//! statistics ("pentanomial model": M. Van den Bergh, "Comments on normalized Elo"). Whether the colours were exchanged
//! plays no part in counting, because each result is turned to the engine's point of view before it gets here.

use crate::types::{Color, Outcome};
use arrayvec::ArrayVec;
use std::collections::HashMap;

/// A finished game from one engine's point of view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameResult {
    /// The engine lost: 0 points.
    Loss,
    /// Half a point.
    Draw,
    /// The engine won: 1 point.
    Win,
}

impl GameResult {
    /// What `outcome` is for the engine that had this colour; none if the game was not finished.
    pub fn of(outcome: Outcome, color: Color) -> Option<GameResult> {
        match outcome {
            Outcome::Win(winner) if winner == color => Some(GameResult::Win),
            Outcome::Win(_) => Some(GameResult::Loss),
            Outcome::Draw => Some(GameResult::Draw),
            Outcome::Unfinished => None,
        }
    }
}

/// How many pairs of games had which results, the order of the two games put aside.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pairs {
    /// Both lost: 0 points of 2.
    pub ll: u64,
    /// One lost, one drawn: ½.
    pub ld: u64,
    /// Both drawn: 1. Apart from `wl`, with which it makes the middle class.
    pub dd: u64,
    /// One won, one lost: 1.
    pub wl: u64,
    /// One won, one drawn: 1½.
    pub wd: u64,
    /// Both won: 2.
    pub ww: u64,
}

impl Pairs {
    /// Adds a pair.
    pub fn add(&mut self, one: GameResult, other: GameResult) {
        use GameResult::{Draw, Loss, Win};
        let class = match (one.min(other), one.max(other)) {
            (Loss, Loss) => &mut self.ll,
            (Loss, Draw) => &mut self.ld,
            (Draw, Draw) => &mut self.dd,
            (Loss, Win) => &mut self.wl,
            (Draw, Win) => &mut self.wd,
            _ => &mut self.ww,
        };
        *class += 1;
    }

    /// The pentanomial counts: pairs with 0, ½, 1, 1½ and 2 points.
    pub fn counts(&self) -> [u64; 5] {
        [self.ll, self.ld, self.dd + self.wl, self.wd, self.ww]
    }

    /// The number of pairs.
    pub fn total(&self) -> u64 {
        self.counts().iter().sum()
    }
}

/// One engine's results against another, or against several.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// The finished pairs of these games. A game whose pair is not finished is counted above only.
    pub pairs: Pairs,
}

impl Tally {
    /// Counts a game.
    pub fn add_game(&mut self, result: GameResult) {
        match result {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    /// Counts a pair, both games of which [`Tally::add_game`] has counted. [`PairedTally`] does this by itself.
    pub fn add_pair(&mut self, one: GameResult, other: GameResult) {
        self.pairs.add(one, other);
    }

    /// Adds other results of the same engine.
    pub fn merge(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        self.pairs.ll += other.pairs.ll;
        self.pairs.ld += other.pairs.ld;
        self.pairs.dd += other.pairs.dd;
        self.pairs.wl += other.pairs.wl;
        self.pairs.wd += other.pairs.wd;
        self.pairs.ww += other.pairs.ww;
    }

    /// The same games from the opponent's point of view.
    pub fn reversed(&self) -> Tally {
        let Pairs { ll, ld, dd, wl, wd, ww } = self.pairs;
        let pairs = Pairs { ll: ww, ld: wd, dd, wl, wd: ld, ww: ll };
        Tally { wins: self.losses, losses: self.wins, draws: self.draws, pairs }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Points: 1 for each win, ½ for each draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The counts that statistics are made from: those of the pairs, or those of single games.
    pub fn sample(&self, pairs: bool) -> Sample {
        if pairs {
            Sample::Pairs(self.pairs.counts())
        } else {
            Sample::Games { wins: self.wins, draws: self.draws, losses: self.losses }
        }
    }
}

/// A tally that finds the pairs itself: games end in any order, and those with the same number are a pair.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PairedTally {
    tally: Tally,
    /// The first results of pairs whose other game is still to come.
    open: HashMap<u64, GameResult>,
}

impl PairedTally {
    /// Counts a game of the engine that had this colour in it, and its pair if it was the second of it. A game that was
    /// not finished is not counted.
    pub fn add(&mut self, pair: u64, outcome: Outcome, color: Color) {
        let Some(result) = GameResult::of(outcome, color) else { return };
        self.tally.add_game(result);
        match self.open.remove(&pair) {
            Some(first) => self.tally.add_pair(first, result),
            None => {
                self.open.insert(pair, result);
            }
        }
    }

    /// What was counted so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}

/// Counts of independent events by score, which all statistics are made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// Single games: the trinomial model.
    Games {
        /// Games won.
        wins: u64,
        /// Games drawn.
        draws: u64,
        /// Games lost.
        losses: u64,
    },
    /// Pairs of games with 0, ½, 1, 1½ and 2 points: the pentanomial model.
    Pairs([u64; 5]),
}

/// A number for each class of a sample, from the lowest score to the highest. The score of class i of n is i/(n-1): 0
/// if everything was lost, 1 if everything was won.
pub type Classes = ArrayVec<f64, 5>;

impl Sample {
    /// How often each score was made, from the lowest to the highest.
    pub fn counts(&self) -> Classes {
        match *self {
            Sample::Games { wins, draws, losses } => {
                [losses, draws, wins].iter().map(|&count| count as f64).collect()
            }
            Sample::Pairs(counts) => counts.iter().map(|&count| count as f64).collect(),
        }
    }

    /// True if the events are pairs.
    pub fn is_pairs(&self) -> bool {
        matches!(self, Sample::Pairs(_))
    }

    /// The number of games in it.
    pub fn games(&self) -> u64 {
        match self {
            Sample::Games { wins, draws, losses } => wins + draws + losses,
            Sample::Pairs(counts) => 2 * counts.iter().sum::<u64>(),
        }
    }

    /// Points made in these games.
    pub fn points(&self) -> f64 {
        match *self {
            Sample::Games { wins, draws, .. } => wins as f64 + draws as f64 / 2.0,
            Sample::Pairs(counts) => {
                counts.iter().enumerate().map(|(class, &count)| class as f64 / 2.0 * count as f64).sum()
            }
        }
    }

    /// The same from the opponent's point of view.
    #[cfg(test)]
    pub(super) fn reversed(&self) -> Sample {
        match *self {
            Sample::Games { wins, draws, losses } => Sample::Games { wins: losses, draws, losses: wins },
            Sample::Pairs([ll, ld, middle, wd, ww]) => Sample::Pairs([ww, wd, middle, ld, ll]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};
    use proptest::prelude::*;

    #[test]
    fn results_are_the_engines_whatever_its_colour() {
        assert_eq!(GameResult::of(Outcome::Win(White), White), Some(GameResult::Win));
        assert_eq!(GameResult::of(Outcome::Win(White), Black), Some(GameResult::Loss));
        assert_eq!(GameResult::of(Outcome::Win(Black), Black), Some(GameResult::Win));
        assert_eq!(GameResult::of(Outcome::Draw, Black), Some(GameResult::Draw));
        assert_eq!(GameResult::of(Outcome::Unfinished, White), None);
    }

    #[test]
    fn pairs_are_right_with_colours_exchanged_and_without() {
        // Ten games won, five openings, first with exchanged colours, then always with White.
        for second_color in [Black, White] {
            let mut tally = PairedTally::default();
            for pair in 0..5 {
                tally.add(pair, Outcome::Win(White), White);
                tally.add(pair, Outcome::Win(second_color), second_color);
            }
            let expected = Tally { wins: 10, pairs: Pairs { ww: 5, ..Pairs::default() }, ..Tally::default() };
            assert_eq!(*tally.tally(), expected, "second games with {second_color}");
        }
        // White wins both games of a pair: one each with colours exchanged, both without.
        let mut exchanged = PairedTally::default();
        let mut always_white = PairedTally::default();
        for (first, second) in [(White, Black), (Black, White)] {
            exchanged.add(7, Outcome::Win(White), first);
            exchanged.add(7, Outcome::Win(White), second);
        }
        always_white.add(7, Outcome::Win(White), White);
        always_white.add(7, Outcome::Win(White), White);
        assert_eq!(exchanged.tally().pairs, Pairs { wl: 2, ..Pairs::default() });
        assert_eq!(always_white.tally().pairs, Pairs { ww: 1, ..Pairs::default() });
    }

    #[test]
    fn games_end_in_any_order_and_unfinished_pairs_wait() {
        let mut tally = PairedTally::default();
        tally.add(2, Outcome::Win(White), White);
        tally.add(1, Outcome::Draw, White);
        tally.add(3, Outcome::Unfinished, White);
        tally.add(1, Outcome::Draw, Black);
        assert_eq!((tally.tally().games(), tally.tally().pairs.total()), (3, 1));
        tally.add(2, Outcome::Win(White), Black);
        assert_eq!(tally.tally().pairs, Pairs { dd: 1, wl: 1, ..Pairs::default() });
        assert_eq!(tally.tally().pairs.counts(), [0, 0, 2, 0, 0], "one class, kept apart for their ratio");
    }

    /// The same game from the opponent's point of view.
    fn reversed(result: GameResult) -> GameResult {
        match result {
            GameResult::Loss => GameResult::Win,
            GameResult::Draw => GameResult::Draw,
            GameResult::Win => GameResult::Loss,
        }
    }

    fn result() -> impl Strategy<Value = GameResult> {
        prop_oneof![Just(GameResult::Loss), Just(GameResult::Draw), Just(GameResult::Win)]
    }

    proptest! {
        #[test]
        fn pairs_and_games_tell_the_same(games in prop::collection::vec((result(), result()), 0..40)) {
            let mut tally = Tally::default();
            let mut theirs = Tally::default();
            for &(one, other) in &games {
                tally.add_game(one);
                tally.add_game(other);
                tally.add_pair(one, other);
                theirs.add_game(reversed(one));
                theirs.add_game(reversed(other));
                theirs.add_pair(reversed(other), reversed(one));
            }
            let (single, paired) = (tally.sample(false), tally.sample(true));
            prop_assert_eq!(single.games(), paired.games());
            prop_assert_eq!((single.points(), tally.points()), (paired.points(), paired.points()));
            prop_assert_eq!(tally.reversed(), theirs);
            prop_assert_eq!(paired.reversed(), theirs.sample(true));
            prop_assert_eq!(single.reversed(), theirs.sample(false));
            let mut sum = tally;
            sum.merge(&theirs);
            prop_assert_eq!(sum, sum.reversed());
            prop_assert_eq!(sum.games(), 2 * tally.games());
        }
    }
}
