//! What several test files need.
#![allow(dead_code)]

use adoube::board::{Board, Position, chess960};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

pub fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The rules that a game is played by, as far as they matter to its starting position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    Standard,
    Chess960,
    DoubleChess960,
}

pub fn start(variant: Variant, random: &mut Xoshiro256PlusPlus) -> Board {
    let white = random.random_range(0..chess960::ARRAYS);
    match variant {
        Variant::Standard => Board::from_fen(Board::START_FEN).unwrap(),
        Variant::Chess960 => chess960::start(white, white),
        Variant::DoubleChess960 => chess960::start(white, random.random_range(0..chess960::ARRAYS)),
    }
}

/// Plays random games from the variant's starts and shows each position to `visit`, `count` in all.
pub fn random_positions(
    variant: Variant,
    count: usize,
    random: &mut Xoshiro256PlusPlus,
    mut visit: impl FnMut(&Position),
) {
    let mut seen = 0;
    while seen < count {
        let mut position = Position::from(start(variant, random));
        for _ in 0..220 {
            visit(&position);
            seen += 1;
            let moves = position.legal_moves();
            if moves.is_empty() || position.is_insufficient_material() || seen >= count {
                break;
            }
            position = position.after(moves[random.random_range(0..moves.len())]);
        }
    }
}
