//! Games for tests: random moves with scores that wander.

use super::{Ending, Ply, SelfplayGame};
use crate::board::{Position, chess960};
use crate::sys::chance::Chance;
use crate::types::{Outcome, Score};

/// Games of all kinds: standard, double Chess960 and from elsewhere; every ending.
pub(crate) fn games(seed: u64, count: u64) -> Vec<SelfplayGame> {
    (0..count).map(|number| game(&mut Chance::of_part(seed, number), number)).collect()
}

fn game(chance: &mut Chance, number: u64) -> SelfplayGame {
    let start = match number % 4 {
        0 => Position::default(),
        1 => Position::from(chess960::start(chance.below(960) as u16, chance.below(960) as u16)),
        // Castling, promotions and captures en passant are at hand.
        2 => Position::from_fen("r3k2r/pPpp1p1p/8/4P3/4p1P1/8/PpPP1P1P/R3K2R b KQkq - 3 20").unwrap(),
        _ => Position::from_fen("4k3/1P4P1/8/3pP3/2Pp4/8/1p4p1/4K3 w - d6 0 40").unwrap(),
    };
    let mut plies = vec![];
    let mut position = start;
    let mut score = Score::DRAW;
    for ply in 0..chance.below(160) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[chance.below(moves.len() as u64) as usize];
        score = -score + (chance.below(61) as i32 - 30);
        let shown = match chance.below(40) {
            0 => Score::mate_in(chance.below(30) as usize),
            1 => Score::mated_in(chance.below(30) as usize),
            2 => Score::new(chance.below(60_001) as i32 - 30_000),
            _ => score,
        };
        plies.push(Ply { mv, score: (ply >= 8 && chance.below(50) > 0).then_some(shown) });
        position = position.after(mv);
    }
    let outcome = Outcome::ALL[chance.below(4) as usize];
    SelfplayGame { start, plies, outcome, ending: Ending::ALL[number as usize % Ending::ALL.len()] }
}
