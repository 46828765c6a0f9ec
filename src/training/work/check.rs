//! Whether a file is whole and its games are what it says.

use crate::board::History;
use crate::laws::dead::lacks_material;
use crate::training::data::{DataError, DataReader, Ending, SelfplayGame};
use crate::types::{Color, Outcome};
use std::path::Path;

/// What a check of a file found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Games that could be read.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// What is wrong, each with its place.
    pub faults: Vec<String>,
}

/// Reads all of a file: checksums, numbers of games, legality of moves, ends of games.
///
/// # Errors
/// If it cannot be read at all.
pub fn check_file(path: &Path) -> Result<Report, DataError> {
    let mut reader = DataReader::open(path)?;
    let file = path.display();
    let mut report = Report::default();
    let mut next = 0;
    while let Some(block) = reader.next_block() {
        let block = match block {
            Ok(block) => block,
            Err(error) => {
                report.faults.push(error.to_string());
                continue;
            }
        };
        let first = block.head.first;
        if first != next {
            report.faults.push(format!("{file}: game {next} is expected, a block with game {first} follows"));
        }
        next = first + u64::from(block.head.games);
        let games = match block.games() {
            Ok(games) => games,
            Err(what) => {
                report.faults.push(format!("{file}: the block of game {first}: {what}"));
                continue;
            }
        };
        let quiet = games.iter().map(|game| game.quiet_positions() as u64).sum::<u64>();
        if quiet != u64::from(block.head.quiet) {
            let said = block.head.quiet;
            report.faults.push(format!(
                "{file}: the block of game {first} says {said} quiet positions, there are {quiet}"
            ));
        }
        for (number, game) in (first..).zip(&games) {
            report.games += 1;
            report.plies += game.plies.len() as u64;
            if let Err(what) = check_game(game) {
                report.faults.push(format!("{file}: game {number}: {what}"));
            }
        }
    }
    Ok(report)
}

/// Checks that the game ended as it says and not before.
///
/// # Errors
/// What is wrong.
pub fn check_game(game: &SelfplayGame) -> Result<(), String> {
    let mut position = game.start;
    let mut history = History::new(&position);
    for (ply, mv) in game.plies.iter().map(|ply| ply.mv).enumerate() {
        if !position.is_legal(mv) {
            return Err(format!("the move of ply {} is illegal", ply + 1));
        }
        position = position.after(mv);
        history.push(&position);
    }
    let mated = position.is_checkmate();
    let fits = match game.ending {
        Ending::Checkmate => mated,
        Ending::Stalemate => !position.in_check() && position.has_no_moves(),
        Ending::Repetition => history.occurrences() >= 3,
        Ending::FiftyMoves => !mated && position.halfmove_clock() >= 100,
        Ending::Material => Color::ALL.into_iter().all(|side| lacks_material(&position, side)),
        Ending::WinAdjudicated | Ending::DrawAdjudicated | Ending::TooLong => !position.has_no_moves(),
    };
    if !fits {
        return Err(format!("it is said to end by {}, and does not", game.ending.name()));
    }
    let outcome = match game.ending {
        Ending::Checkmate => game.outcome == Outcome::Win(!position.side_to_move()),
        Ending::WinAdjudicated => matches!(game.outcome, Outcome::Win(_)),
        _ => game.outcome == Outcome::Draw,
    };
    if outcome { Ok(()) } else { Err(format!("{} is no result of {}", game.outcome, game.ending.name())) }
}
