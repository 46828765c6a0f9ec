//! What games are worth, and how results are written (2014: article 10 and the glossary).

use super::support::*;
use adoube::laws::{Event, GameResult, Reason, Scoring, Verdict};
use adoube::types::Outcome;

const PLAYED: [GameResult; 3] = [
    GameResult::Played(Outcome::Win(White)),
    GameResult::Played(Outcome::Draw),
    GameResult::Played(Outcome::Win(Black)),
];

/// All results with what PGN has of them.
const RESULTS: [(&str, &str); 10] = [
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
    for scoring in [Scoring::Classic, Scoring::ThreeOneZero] {
        let normal = PLAYED.map(|result| both(scoring, result));
        let scores = normal.map(|[white, _]| white);
        for (text, _) in RESULTS {
            let [white, black] = both(scoring, GameResult::parse(text).unwrap());
            assert!(scores.contains(&white) && scores.contains(&black), "{text}: {white} and {black}");
            let within = normal.iter().any(|most| white <= most[0] && black <= most[1]);
            assert!(within, "{text}: {white} and {black} are more than a game has");
        }
        let draw = both(scoring, PLAYED[1])[0];
        assert_eq!(
            both(scoring, GameResult::HalfTo(White)),
            [draw, 0],
            "half a point against nothing (12.9)"
        );
    }
}

#[test]
fn article_8_7_results_are_written_and_never_change() {
    for (text, pgn) in RESULTS {
        let result = GameResult::parse(text).unwrap();
        assert_eq!((result.to_string().as_str(), result.outcome().to_string().as_str()), (text, pgn));
    }
    let mut table = Table::without_clocks(Fide2023, START);
    table.says(Event::Resign(White));
    table.says(Event::Resign(Black));
    assert!(table.over().starts_with("0-1"), "what is over stays as it is");
}

#[test]
fn every_result_has_its_losers_and_what_statistics_of_strength_make_of_it() {
    let losers = |white, black| [white, black];
    for (text, lost, rated) in [
        ("1-0", losers(false, true), "1-0"),
        ("0-1", losers(true, false), "0-1"),
        ("1/2-1/2", losers(false, false), "1/2-1/2"),
        ("0-0", losers(true, true), "1/2-1/2"),
        ("1/2-0", losers(false, true), "1-0"),
        ("0-1/2", losers(true, false), "0-1"),
        ("+/-", losers(false, true), "*"),
        ("-/+", losers(true, false), "*"),
        ("-/-", losers(true, true), "*"),
        ("void", losers(false, false), "*"),
        ("*", losers(false, false), "*"),
    ] {
        let result = GameResult::parse(text).unwrap();
        assert_eq!((result.losers(), result.rated().to_string().as_str()), (lost, rated), "{text}");
        let told = match text {
            "+/-" => "1-0",
            "-/+" => "0-1",
            _ => rated,
        };
        assert_eq!(result.told().to_string(), told, "{text}");
        let is_unplayed = ["+/-", "-/+", "-/-"].contains(&text);
        assert_eq!(result.is_unplayed(), is_unplayed, "{text}");
        let verdict = Verdict { result, reason: Reason::Absence, article: None };
        let termination = if is_unplayed { "unplayed" } else { "abandoned" };
        assert_eq!(verdict.termination(), termination, "{text}");
    }
}

#[test]
fn every_reason_has_its_word_in_the_tag_termination() {
    let text = String::new;
    for (word, reasons) in [
        (
            "normal",
            &[
                Reason::Checkmate,
                Reason::Stalemate,
                Reason::InsufficientMaterial,
                Reason::DeadPosition,
                Reason::ThreefoldRepetition,
                Reason::FiftyMoves,
                Reason::FivefoldRepetition,
                Reason::SeventyFiveMoves,
                Reason::Agreement,
                Reason::Resignation,
                Reason::QuickplayFinish(text()),
            ][..],
        ),
        ("time forfeit", &[Reason::TimeForfeit, Reason::BothFlags]),
        ("illegal move", &[Reason::IllegalMove(text())]),
        ("rules infraction", &[Reason::SealedMove(text()), Reason::Penalty(text())]),
        ("abandoned", &[Reason::Disconnected(text()), Reason::Absence]),
        ("stalled connection", &[Reason::Stalled(text())]),
        ("adjudication", &[Reason::Adjudication, Reason::MaxMoves, Reason::Tablebase]),
        ("unterminated", &[Reason::Annulled(text()), Reason::Interrupted]),
    ] {
        for reason in reasons {
            assert_eq!(reason.termination(), word, "{reason:?}");
        }
    }
}
