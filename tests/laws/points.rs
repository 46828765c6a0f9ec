//! What games are worth, and how results are written (2014: article 10 and the glossary).

use super::support::*;
use adoube::laws::{Event, GameResult, Scoring};
use adoube::types::Outcome;

const PLAYED: [GameResult; 3] = [
    GameResult::Played(Outcome::Win(White)),
    GameResult::Played(Outcome::Draw),
    GameResult::Played(Outcome::Win(Black)),
];

fn both(scoring: Scoring, result: GameResult) -> [u32; 2] {
    [White, Black].map(|player| scoring.half_points(result, player))
}

#[test]
fn article_10_1_points() {
    assert_eq!(PLAYED.map(|result| both(Scoring::Classic, result)), [[2, 0], [1, 1], [0, 2]]);
    assert_eq!(PLAYED.map(|result| both(Scoring::ThreeOneZero, result)), [[6, 0], [2, 2], [0, 6]]);
    for scoring in [Scoring::Classic, Scoring::ThreeOneZero] {
        assert_eq!(both(scoring, GameResult::Forfeit(White)), both(scoring, PLAYED[0]), "a forfeit is a win");
    }
}

#[test]
fn article_10_2_only_normal_scores() {
    assert!(Scoring::Classic.allows([1, 0]), "half a point against nothing (12.9)");
    for wrong in [[2, 1], [1, 2], [2, 2], [3, 1]] {
        assert!(!Scoring::Classic.allows(wrong), "{wrong:?}");
    }
    assert!(Scoring::ThreeOneZero.allows([2, 2]) && !Scoring::ThreeOneZero.allows([6, 2]));
}

#[test]
fn article_8_7_results_are_written_and_never_change() {
    for (text, pgn) in [
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("0-0", "*"),
        ("1/2-0", "*"),
        ("0-1/2", "*"),
        ("+/-", "1-0"),
        ("-/+", "0-1"),
        ("-/-", "*"),
        ("void", "*"),
    ] {
        let result = GameResult::parse(text).unwrap();
        assert_eq!((result.to_string().as_str(), result.outcome().to_string().as_str()), (text, pgn));
    }
    let mut table = Table::without_clocks(Fide2023, START);
    table.says(Event::Resign(White));
    table.says(Event::Resign(Black));
    assert!(table.over().starts_with("0-1"), "what is over stays as it is");
}
