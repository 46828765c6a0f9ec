//! Our notations and our count of repetitions against tables that others have made. The tables lie elsewhere: a
//! folder that holds `san/`, `fen/` and `repetition/`, each file tab-separated under one line of headings.

mod support;

use adoube::board::{Board, FenStyle, History, Position};
use adoube::notation::{san, uci_move};
use adoube::types::MoveKind;
use std::collections::BTreeSet;

/// A table's lines below its headings.
struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(name: &str) -> Table {
        let folder = std::env::var("ADOUBE_TABLES").expect("ADOUBE_TABLES names the folder");
        let text = std::fs::read_to_string(std::path::Path::new(&folder).join(name)).unwrap();
        let mut lines = text.lines().map(|line| line.split('\t').map(str::to_string).collect::<Vec<_>>());
        let headings = lines.next().unwrap();
        let rows: Vec<_> = lines.collect();
        assert!(rows.len() >= 10, "{name} has lost its rows");
        for row in &rows {
            assert_eq!(row.len(), headings.len(), "{name}: {row:?}");
        }
        Table { headings, rows }
    }

    /// The cells under these headings, row after row.
    fn columns<const N: usize>(&self, headings: [&str; N]) -> impl Iterator<Item = [&str; N]> {
        let at = headings.map(|heading| self.headings.iter().position(|found| found == heading).unwrap());
        self.rows.iter().map(move |row| at.map(|column| row[column].as_str()))
    }
}

/// What differs, all of it: a table's first bad row says less than the pattern of its bad rows.
fn report(differences: &[String]) {
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

#[test]
#[ignore = "wants files: ADOUBE_TABLES=folder with san/san_tricky_public.tsv"]
fn san_is_written_strictly_and_read_as_people_write_it() {
    let table = Table::read("san/san_tricky_public.tsv");
    let mut differences = vec![];
    for [fen, uci, expected] in table.columns(["fen", "uci", "san_pgn"]) {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = uci_move::parse_uci(uci, &position).unwrap_or_else(|error| panic!("{error}"));
        let written = san::to_san(mv, &position);
        if written != expected {
            differences.push(format!("{fen} {uci}: written {written}, not {expected}"));
        }
        for text in [vec![expected.to_string()], support::sloppy_spellings(mv, &position)].concat() {
            let read = san::parse_san(&text, &position);
            if read != Ok(mv) {
                differences.push(format!("{fen} {uci}: '{text}' reads as {read:?}"));
            }
        }
    }
    report(&differences);
}

#[test]
#[ignore = "wants files: ADOUBE_TABLES=folder with fen/fen_castling_conventions.tsv"]
fn castling_rights_in_both_styles() {
    let table = Table::read("fen/fen_castling_conventions.tsv");
    let mut differences = vec![];
    for [shredder, xfen] in table.columns(["shredder_fen", "x_fen"]) {
        let board = Board::from_fen(shredder);
        if board != Board::from_fen(xfen) {
            differences.push(format!("not the same: {shredder} and {xfen}"));
        }
        for (style, expected) in [(FenStyle::Shredder, shredder), (FenStyle::XFen, xfen)] {
            let written = board.as_ref().map_or_else(ToString::to_string, |board| board.to_fen(style));
            if written != expected {
                differences.push(format!("{expected} is written {written}"));
            }
        }
    }
    report(&differences);
}

#[test]
#[ignore = "wants files: ADOUBE_TABLES=folder with fen/fen_ep_conventions.tsv"]
fn en_passant_squares_that_mean_nothing_are_dropped() {
    let table = Table::read("fen/fen_ep_conventions.tsv");
    let headings = ["fen_always_ep", "fen_xfen_ep(pseudo-legal)", "fen_legal_ep", "legal_ep_moves"];
    let mut differences = vec![];
    for [always, pseudo_legal, legal, moves] in table.columns(headings) {
        for fen in [always, pseudo_legal, legal] {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let written = position.to_fen(FenStyle::XFen);
            if written != legal {
                differences.push(format!("{fen} is written {written}, not {legal}"));
            }
            if Position::from_fen(legal).as_ref() != Ok(&position) {
                differences.push(format!("not the same: {fen} and {legal}"));
            }
            let expected: BTreeSet<String> =
                moves.split(' ').filter(|&uci| uci != "-").map(str::to_string).collect();
            let found: BTreeSet<String> = position
                .legal_moves()
                .into_iter()
                .filter(|mv| mv.kind() == MoveKind::EnPassant)
                .map(|mv| uci_move::to_uci(mv, &position, false))
                .collect();
            if found != expected {
                differences.push(format!("{fen}: captures {found:?}, not {expected:?}"));
            }
        }
    }
    report(&differences);
}

/// What python-chess says of texts that we refuse too. `IMPOSSIBLE_CHECK` and `TOO_MANY_CHECKERS` are not among it:
/// [`Board::validate`] does not ask how a check can have come about.
const REFUSED: [&str; 12] = [
    "PARSE-ERROR",
    "NO_WHITE_KING",
    "NO_BLACK_KING",
    "TOO_MANY_KINGS",
    "TOO_MANY_WHITE_PAWNS",
    "TOO_MANY_BLACK_PAWNS",
    "TOO_MANY_WHITE_PIECES",
    "TOO_MANY_BLACK_PIECES",
    "PAWNS_ON_BACKRANK",
    "BAD_CASTLING_RIGHTS",
    "INVALID_EP_SQUARE",
    "OPPOSITE_CHECK",
];

/// What the lenient reader decides otherwise than python-chess.
fn decided_otherwise(fen: &str) -> Option<bool> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [_, _, castling, _, ..] = fields[..] else {
        // Only the counters may be missing: whose move it is and who may castle is not to be guessed.
        return (!fen.is_empty()).then_some(false);
    };
    let mut letters: Vec<char> = castling.chars().collect();
    letters.sort_unstable();
    if letters.windows(2).any(|pair| pair[0] == pair[1]) {
        // The same right twice is a slip of whoever wrote it.
        return Some(false);
    }
    // The same rights in another order are the same rights.
    (castling != "KQkq" && letters == ['K', 'Q', 'k', 'q']).then_some(true)
}

#[test]
#[ignore = "wants files: ADOUBE_TABLES=folder with fen/fen_invalid_or_odd.tsv"]
fn impossible_fens_are_refused() {
    let table = Table::read("fen/fen_invalid_or_odd.tsv");
    let mut differences = vec![];
    for [fen, verdict] in table.columns(["fen", "python_chess"]) {
        let accepted = decided_otherwise(fen)
            .unwrap_or_else(|| !REFUSED.into_iter().any(|refused| verdict.contains(refused)));
        let lenient = Board::from_fen_lenient(fen);
        if lenient.is_ok() != accepted {
            differences.push(format!("'{fen}' ({verdict}): leniently {lenient:?}"));
        }
        // The strict reader also wants all six fields, and moves counted from 1.
        let six_fields = fen.split(' ').count() == 6 && !fen.ends_with(" 0");
        let strict = Board::from_fen(fen);
        if strict.is_ok() != (accepted && six_fields) {
            differences.push(format!("'{fen}' ({verdict}): strictly {strict:?}"));
        }
    }
    report(&differences);
}

#[test]
#[ignore = "wants files: ADOUBE_TABLES=folder with repetition/rep_cases.tsv"]
fn repetitions_and_the_clock_come_when_they_should() {
    let table = Table::read("repetition/rep_cases.tsv");
    let headings = [
        "id",
        "fen",
        "uci_moves",
        "third_occurrence_ply_FIDE",
        "fifth_ply_2017plus",
        "clock100_ply",
        "clock150_ply",
        "final_state",
    ];
    let mut differences = vec![];
    for [id, fen, moves, third, fifth, clock100, clock150, end] in table.columns(headings) {
        let mut position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mut history = History::new(&position);
        let mut trimmed = history.clone();
        let mut first: [Option<usize>; 4] = [None; 4];
        let mut note = |ply: usize, position: &Position, occurrences: usize| {
            let clock = position.halfmove_clock();
            let now = [occurrences >= 3, occurrences >= 5, clock >= 100, clock >= 150];
            for (first, now) in first.iter_mut().zip(now) {
                *first = first.or(now.then_some(ply));
            }
        };
        note(0, &position, history.occurrences());
        for (uci, ply) in moves.split_whitespace().zip(1..) {
            let mv = uci_move::parse_uci(uci, &position).unwrap_or_else(|error| panic!("{id}: {error}"));
            position = position.after(mv);
            history.push(&position);
            trimmed.push(&position);
            trimmed.trim();
            note(ply, &position, history.occurrences());
            if trimmed.occurrences() != history.occurrences() {
                differences.push(format!("{id}: trimming changes the count at ply {ply}"));
            }
        }
        for (name, found, expected) in [
            ("third time", first[0], third),
            ("fifth time", first[1], fifth),
            ("clock at 100", first[2], clock100),
            ("clock at 150", first[3], clock150),
        ] {
            let found = found.map_or("-".to_string(), |ply| ply.to_string());
            if found != expected {
                differences.push(format!("{id}: {name} at ply {found}, not {expected}"));
            }
        }
        let state = match (position.has_no_moves(), position.in_check()) {
            (false, _) => "ongoing",
            (true, true) => "checkmate",
            (true, false) => "stalemate",
        };
        if state != end {
            differences.push(format!("{id}: ends {state}, not {end}"));
        }
    }
    report(&differences);
}
