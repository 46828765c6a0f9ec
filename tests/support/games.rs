//! Files of games that tests make.

use adoube::board::Position;
use adoube::sys::chance::Chance;
use adoube::training::data::{DataWriter, Ending, Origin, Ply, SelfplayGame};
use adoube::types::{Color, Outcome, PieceType, Score};
use std::path::Path;

/// Random games, scored by the number of pieces, in a file. All are drawn.
pub fn write_games(path: &Path, seed: u64, count: u64) {
    write_games_from(path, seed, count, |_| (Position::default(), Outcome::Draw));
}

/// The same, where one side has no bishops and the other no knights, in turn; who has knights wins.
pub fn write_decided_games(path: &Path, seed: u64, count: u64) {
    let start = |fen| Position::from_fen(fen).unwrap();
    let white = start("r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RN1QK1NR w KQkq - 0 1");
    let black = start("rn1qk1nr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R w KQkq - 0 1");
    write_games_from(path, seed, count, |number| match number % 2 {
        0 => (white, Outcome::Win(Color::White)),
        _ => (black, Outcome::Win(Color::Black)),
    });
}

fn write_games_from(path: &Path, seed: u64, count: u64, beginning: impl Fn(u64) -> (Position, Outcome)) {
    let mut writer = DataWriter::create(path, &Origin(serde_json::json!({ "made by": "a test" }))).unwrap();
    for number in 0..count {
        let mut chance = Chance::of_part(seed, number);
        let (start, outcome) = beginning(number);
        let (mut position, mut plies) = (start, vec![]);
        for ply in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let us = position.side_to_move();
            let difference = position.of_color(us).count() as i32 - position.of_color(!us).count() as i32;
            let queens = position.pieces(us, PieceType::Queen).count() as i32;
            let score = Score::new(100 * difference + 50 * queens);
            let mv = moves[chance.below(moves.len() as u64) as usize];
            plies.push(Ply { mv, score: (ply >= 8).then_some(score) });
            position = position.after(mv);
        }
        writer.push(SelfplayGame { start, plies, outcome, ending: Ending::TooLong }).unwrap();
    }
    writer.finish().unwrap();
}
