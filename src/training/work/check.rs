//! Whether a file is whole and its games are what it says.

use crate::board::History;
use crate::training::data::{DataError, DataReader, Ending, SelfplayGame};
use crate::training::selfplay::end;
use crate::types::Outcome;
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

/// Checks that the game ended as it says, and that nothing was searched after its end.
///
/// # Errors
/// What is wrong.
fn check_game(game: &SelfplayGame) -> Result<(), String> {
    let mut position = game.start;
    let mut history = History::new(&position);
    for (number, ply) in (1..).zip(&game.plies) {
        if !position.is_legal(ply.mv) {
            return Err(format!("the move of ply {number} is illegal"));
        }
        // The moves of an opening may come to a position for the third time, for example.
        if ply.score.is_some()
            && let Some((_, ending)) = end(&position, &history)
        {
            return Err(format!("it had ended by {} before ply {number}", ending.name()));
        }
        position = position.after(ply.mv);
        history.push(&position);
    }
    let (outcome, ending) = (game.outcome, game.ending);
    let (fits, is_result) = match (end(&position, &history), ending) {
        (Some((result, how)), _) => (ending == how, outcome == result),
        (None, Ending::WinAdjudicated) => (true, matches!(outcome, Outcome::Win(_))),
        (None, Ending::DrawAdjudicated | Ending::TooLong) => (true, outcome == Outcome::Draw),
        (None, _) => (false, false),
    };
    match (fits, is_result) {
        (false, _) => Err(format!("it is said to end by {}, and does not", ending.name())),
        (true, false) => Err(format!("{outcome} is no result of {}", ending.name())),
        (true, true) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::uci_move::parse_uci;
    use crate::sys::scratch::Scratch;
    use crate::training::data::{Block, Origin, Ply};
    use crate::types::{Color, Score};

    const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

    /// What is wrong with a game whose first `unsearched` moves no search chose.
    fn fault(moves: &str, unsearched: usize, outcome: Outcome, ending: Ending) -> Option<String> {
        let mut position = Position::default();
        let mut plies = vec![];
        for (ply, word) in moves.split(' ').enumerate() {
            let mv = parse_uci(word, &position).unwrap();
            plies.push(Ply { mv, score: (ply >= unsearched).then_some(Score::DRAW) });
            position = position.after(mv);
        }
        check_game(&SelfplayGame { start: Position::default(), plies, outcome, ending }).err()
    }

    #[test]
    fn ends_are_what_they_are_said_to_be() {
        let (white, black) = (Outcome::Win(Color::White), Outcome::Win(Color::Black));
        let mate = "f2f3 e7e5 g2g4 d8h4";
        assert_eq!(fault(mate, 0, black, Ending::Checkmate), None);
        let wrong = |moves, outcome, ending| fault(moves, 0, outcome, ending).unwrap();
        assert!(wrong(mate, white, Ending::Checkmate).contains("no result"));
        assert!(wrong(mate, black, Ending::WinAdjudicated).contains("adjudicated win, and does not"));
        assert_eq!(fault(KNIGHTS, 0, Outcome::Draw, Ending::Repetition), None);
        assert!(wrong(KNIGHTS, Outcome::Draw, Ending::TooLong).contains("too long, and does not"));
        assert_eq!(fault("e2e4", 0, white, Ending::WinAdjudicated), None);
        assert!(wrong("e2e4", Outcome::Draw, Ending::WinAdjudicated).contains("no result"));
        assert_eq!(fault("e2e4", 0, Outcome::Draw, Ending::TooLong), None);
        assert!(wrong("e2e4", white, Ending::DrawAdjudicated).contains("no result"));
        assert!(wrong("e2e4", Outcome::Draw, Ending::Stalemate).contains("stalemate, and does not"));
    }

    #[test]
    fn nothing_is_searched_after_the_end() {
        let on = format!("{KNIGHTS} e2e4");
        let error = fault(&on, 0, Outcome::Draw, Ending::TooLong).unwrap();
        assert_eq!(error, "it had ended by repetition before ply 9");
        assert_eq!(fault(&on, 9, Outcome::Draw, Ending::TooLong), None);
    }

    #[test]
    fn gaps_between_blocks_and_wrong_numbers_are_told() {
        let games = crate::training::data::sample::games(4, 4);
        let origin = Origin(serde_json::json!({}));
        let folder = Scratch::new();
        let file = folder.join("games.data");
        let faults = |blocks: &[Vec<u8>]| {
            std::fs::write(&file, [origin.to_bytes(), blocks.concat()].concat()).unwrap();
            let report = check_file(&file).unwrap();
            // Random games do not end as they say.
            let of_blocks = |fault: &String| !fault.contains("said to end") && !fault.contains("no result");
            report
                .faults
                .into_iter()
                .filter(of_blocks)
                .filter(|fault| !fault.contains("had ended"))
                .collect::<Vec<_>>()
        };
        let [first, second] =
            [(0, &games[..2]), (2, &games[2..])].map(|(at, games)| Block::of(at, games).to_bytes());
        assert_eq!(faults(&[first.clone(), second.clone()]), [""; 0]);
        let later = Block::of(5, &games[2..]).to_bytes();
        let told = faults(&[first.clone(), later]);
        assert!(
            told.len() == 1 && told[0].contains("game 2 is expected, a block with game 5 follows"),
            "{told:?}"
        );
        let mut lying = first;
        let quiet = u32::from_le_bytes(*lying[24..].first_chunk().unwrap());
        lying[24..28].copy_from_slice(&(quiet - 1).to_le_bytes());
        let mut crc = crc32fast::Hasher::new();
        crc.update(&lying[8..36]);
        crc.update(&lying[40..]);
        lying[36..40].copy_from_slice(&crc.finalize().to_le_bytes());
        let told = faults(&[lying, second]);
        let expected = format!("game 0 says {} quiet positions, there are {quiet}", quiet - 1);
        assert!(told.len() == 1 && told[0].contains(&expected), "{told:?}");
    }
}
