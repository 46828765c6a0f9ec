//! Who speaks for engines that only know how to move. UCI has no word for an offer, a claim or a resignation; a proxy
//! says them in the player's name, by rules that the user sets and by the player's own scores. What it says is what the
//! Laws know, and is ruled on as if the player had said it.

use crate::engine::info::Score;
use crate::laws::event::Request;

/// When draws are claimed (9.2, 9.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Claims {
    /// Never.
    #[default]
    Never,
    /// Whenever a claim is correct.
    Auto,
    /// When a claim is correct and the own score is so many centipawns or less.
    Score(i32),
}

/// So many of the own moves in a row with such a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// In centipawns: the largest score that counts as a draw, or the smallest disadvantage that counts as lost.
    pub score: i32,
    /// How many moves.
    pub moves: u32,
}

impl Row {
    /// True if so many moves in a row are enough.
    fn is_full(self, count: u32) -> bool {
        count >= self.moves
    }
}

/// What is said in a player's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Proxy {
    /// When a draw is offered, and an offer accepted.
    pub draws: Option<Row>,
    /// Claims.
    pub claims: Claims,
    /// When a game is given up.
    pub resigns: Option<Row>,
    /// What is asked for in a quickplay finish.
    pub finish: Option<Finish>,
}

/// What is asked for in a quickplay finish, once in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finish {
    /// What.
    pub request: Request,
    /// When.
    pub when: Row,
}

/// A player's proxy with what the player's scores have said so far.
#[derive(Clone, Debug)]
pub struct Speaker {
    proxy: Proxy,
    /// Moves in a row with a score near 0, and with one that gives the game up.
    level: u32,
    lost: u32,
    /// Moves in a row with a score near enough to 0 to ask for a draw in a quickplay finish.
    even: u32,
    last: Option<Score>,
}

impl Speaker {
    /// At the start of a game.
    pub fn new(proxy: Proxy) -> Speaker {
        Speaker { proxy, level: 0, lost: 0, even: 0, last: None }
    }

    /// Takes note of the score of a move that is about to be made. A move without a score breaks every row.
    pub fn hear(&mut self, score: Option<Score>) {
        self.last = score;
        let count = |row: u32, goes_on: bool| if goes_on { row.saturating_add(1) } else { 0 };
        let is_level = |limit: i32| score.is_some_and(|score| score.is_within(limit));
        let is_lost = |limit: i32| score.is_some_and(|score| score.reversed().at_least(limit));
        self.level = count(self.level, self.proxy.draws.is_some_and(|row| is_level(row.score)));
        self.even = count(self.even, self.proxy.finish.is_some_and(|finish| is_level(finish.when.score)));
        self.lost = count(self.lost, self.proxy.resigns.is_some_and(|row| is_lost(row.score)));
    }

    /// True if the player would have a draw.
    pub fn wants_draw(&self) -> bool {
        self.proxy.draws.is_some_and(|row| row.is_full(self.level))
    }

    /// What the player asks for in a quickplay finish, if the scores say so; whether he may is for the Laws to say.
    pub fn finish(&self) -> Option<Finish> {
        self.proxy.finish.filter(|finish| finish.when.is_full(self.even))
    }

    /// True if the player gives up.
    pub fn resigns(&self) -> bool {
        self.proxy.resigns.is_some_and(|row| row.is_full(self.lost))
    }

    /// True if the player claims a draw that he can have.
    pub fn claims(&self) -> bool {
        match self.proxy.claims {
            Claims::Never => false,
            Claims::Auto => true,
            Claims::Score(limit) => {
                self.last.is_some_and(|score| score.reversed().at_least(limit.saturating_neg()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_scores_make_wishes() {
        let draws = Some(Row { score: 10, moves: 2 });
        let resigns = Some(Row { score: 500, moves: 2 });
        let mut speaker = Speaker::new(Proxy { draws, resigns, claims: Claims::Score(-50), finish: None });
        let mut hear = |score: Option<i32>| {
            speaker.hear(score.map(Score::Centipawns));
            (speaker.wants_draw(), speaker.resigns(), speaker.claims())
        };
        assert_eq!(hear(Some(10)), (false, false, false));
        assert_eq!(hear(Some(-10)), (true, false, false));
        assert_eq!(hear(None), (false, false, false), "silence says nothing");
        assert_eq!(hear(Some(-50)), (false, false, true));
        assert_eq!(hear(Some(-500)), (false, false, true));
        assert_eq!(hear(Some(-501)), (false, true, true));
        speaker.hear(Some(Score::Mate(-3)));
        assert!(speaker.resigns() && !speaker.wants_draw());
        speaker.hear(Some(Score::Mate(3)));
        assert!(!speaker.resigns() && !speaker.claims());
        let mut silent = Speaker::new(Proxy::default());
        silent.hear(Some(Score::Mate(-1)));
        assert!(!silent.claims() && !silent.resigns() && !silent.wants_draw());
    }
}
