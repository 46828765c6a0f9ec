//! Who won.

use super::Color;
use std::fmt;

/// How a game ended, as the PGN tag Result has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Color),
    /// Nobody won.
    Draw,
    /// The game was not finished.
    Unfinished,
}

impl Outcome {
    /// All of them, in order of their index.
    pub const ALL: [Outcome; 4] =
        [Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw, Outcome::Unfinished];

    /// 0 where White won, 1 where Black won, 2 for a draw, 3 for a game that was not finished. Files of games have these
    /// numbers.
    pub const fn index(self) -> usize {
        match self {
            Outcome::Win(color) => color.index(),
            Outcome::Draw => 2,
            Outcome::Unfinished => 3,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Win(Color::White) => "1-0",
            Outcome::Win(Color::Black) => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unfinished => "*",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_stands_where_its_index_says() {
        assert_eq!(Outcome::ALL.map(Outcome::index), [0, 1, 2, 3]);
    }
}
