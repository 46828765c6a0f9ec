//! `adoube book`: suites that it makes, and files that it checks.

use super::{START, Temporary, small_book};
use crate::support::{self, adoube};
use adoube::board::Position;
use adoube::notation::epd::parse_epd;
use adoube::notation::uci_move::parse_uci;
use adoube::openings::SuiteError;
use adoube::openings::polyglot::{self, BookWriter};
use std::collections::HashSet;

#[test]
fn the_check_reads_as_many_plies_as_it_is_told_to() {
    let check = |file: &Temporary, arguments: &[&str]| {
        let (status, out, err) =
            support::run(&[&["book", "check", file.0.to_str().unwrap()], arguments].concat(), "");
        (status, out.lines().last().unwrap_or_default().to_string(), err)
    };
    // Both games begin alike; what is wrong with the second comes later.
    let games = Temporary::new("pgn", "1. e4 e5 *\n\n1. e4 c5 2. Bb7 *\n");
    let (status, sum, _) = check(&games, &["--plies", "1"]);
    assert_eq!((status, sum.as_str()), (0, "2 openings, 1 of them duplicates, 0 broken"));
    let (status, sum, err) = check(&games, &[]);
    assert_eq!((status, sum.as_str()), (1, "1 openings, 0 of them duplicates, 1 broken"));
    assert!(err.contains("1 opening cannot be played"), "{err}");
    let different = Temporary::new("pgn", "1. e4 *\n\n1. d4 *\n");
    assert_eq!(check(&different, &[]).1, "2 openings, 0 of them duplicates, 0 broken");
    let nothing = Temporary::new("epd", "x\ny\n");
    let (status, out, _) = support::run(&["book", "check", nothing.0.to_str().unwrap()], "");
    assert!(status == 1 && out.starts_with("line 1: ") && out.contains("\nline 2: "), "{out}");
    assert!(out.ends_with("\n0 openings, 0 of them duplicates, 2 broken\n"), "{out}");
    let (status, _, err) = check(&Temporary::new("epd", format!("{START}\n")), &["--plies", "1"]);
    assert!(status == 0 && err.contains("--plies is for games"), "{err}");
    let unsorted = Temporary::new("bin", [[7; 16], [6; 16]].concat());
    let (status, _, err) = check(&unsorted, &[]);
    assert!(status == 1 && err.contains("record 2 has a lower key"), "{err}");
}

#[test]
fn what_is_wrong_with_an_opening_has_nothing_that_terminals_obey() {
    let moves = format!("{START}\n{START} moves \u{1b}[2Je7\u{9b};\n");
    let variant = "[Variant \"\u{202e}st\"]\n\n1. e4 *\n";
    for (ending, text, quoted) in
        [("epd", moves.as_str(), "'\\u{1b}[2Je7\\u{9b}'"), ("pgn", variant, "'\\u{202e}st'")]
    {
        let file = Temporary::new(ending, text);
        let (status, out, _) = support::run(&["book", "check", file.0.to_str().unwrap()], "");
        assert!(status == 1 && out.contains(quoted), "{out:?}");
    }
    let changed = SuiteError::Changed("book.epd".into(), 7, "'\u{1b}[2J' is no move".into());
    assert!(changed.to_string().ends_with(": line 7: '\\u{1b}[2J' is no move"), "{changed:?}");
}

#[test]
fn the_check_names_bad_records_in_the_order_of_the_file() {
    let mut bytes = small_book();
    // One of the start position's, and the first of all, which is an answer to some first move.
    let key = polyglot::key(&Position::default()).to_be_bytes();
    let record = bytes.chunks(polyglot::RECORD).position(|record| record.starts_with(&key)).unwrap();
    assert!(record > 0);
    for record in [0, record] {
        bytes[record * 16 + 8..record * 16 + 10].copy_from_slice(&(12_u16 << 6 | 36).to_be_bytes());
    }
    let file = Temporary::new("bin", bytes);
    let (status, out, err) = support::run(&["book", "check", file.0.to_str().unwrap()], "");
    let lines: Vec<&str> = out.lines().collect();
    let bad = |number| format!("record {number}: e2e5 is no legal move in its position");
    assert_eq!((status, &lines[..2]), (1, &[bad(1).as_str(), &bad(record + 1)][..]), "{out}");
    assert!(lines[2].ends_with(", 2 broken") && err.contains("2 openings cannot be played"), "{out}{err}");
}

#[test]
fn the_command_makes_the_same_suite_with_any_number_of_threads_and_checks_it() {
    let make = |threads, variant, seed| {
        let file = Temporary::new("epd", "old");
        let path = file.0.to_str().unwrap();
        let out = adoube(&[
            "book",
            "suite",
            "--count",
            "12",
            "--nodes",
            "400",
            "--move-nodes",
            "200",
            "--plies",
            "5",
            "--seed",
            seed,
            "--max-score",
            "25",
            "--threads",
            threads,
            "--variant",
            variant,
            "--out",
            path,
        ]);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        assert!(out.stderr.is_empty(), "no progress where nobody looks");
        (std::fs::read_to_string(path).unwrap(), adoube(&["book", "check", path]))
    };
    for variant in ["standard", "fischerandom"] {
        let (text, check) = make("1", variant, "3");
        assert_eq!(make("3", variant, "3").0, text);
        assert_ne!(make("1", variant, "4").0, text);
        assert!(check.status.success());
        assert_eq!(String::from_utf8(check.stdout).unwrap(), "12 openings, 0 of them duplicates, 0 broken\n");
        let mut castling = HashSet::new();
        for line in text.lines() {
            let epd = parse_epd(line).unwrap();
            assert_eq!((epd.position.fullmove_number(), epd.position.in_check()), (3, false), "{line}");
            let score: i32 = epd.operand("ce").unwrap().parse().unwrap();
            assert!(score.abs() < 25, "{line}");
            assert_eq!(epd.operand("acn"), Some("400"), "{line}");
            // Five plies: 1. A b 2. C d 3. E.
            let words: Vec<&str> = epd.operand("id").unwrap().split(' ').collect();
            assert_eq!((words.len(), words[0], words[3], words[6]), (8, "1.", "2.", "3."), "{line}");
            castling.insert(line.split(' ').nth(2).unwrap().to_string());
        }
        let is_standard = castling
            .is_subset(&["KQkq", "KQ", "kq", "Kkq", "Qkq", "KQk", "KQq", "-"].map(String::from).into());
        assert_eq!(is_standard, variant == "standard", "{castling:?}");
        assert!(is_standard || castling.len() > 3, "{castling:?}");
    }
    let file = Temporary::new("epd", format!("{START}\nx\n{START}\n"));
    let check = adoube(&["book", "check", file.0.to_str().unwrap()]);
    let told = String::from_utf8(check.stdout).unwrap();
    assert_eq!(check.status.code(), Some(1));
    assert!(
        told.contains("line 2: the FEN ends") && told.contains("line 3: the same position as line 1\n"),
        "{told}"
    );
    assert!(told.ends_with("2 openings, 1 of them duplicates, 1 broken\n"), "{told}");
    let file = Temporary::new("epd", format!("{START}\n").repeat(14));
    let told = String::from_utf8(adoube(&["book", "check", file.0.to_str().unwrap()]).stdout).unwrap();
    assert!(told.ends_with("\n... and 3 more\n14 openings, 13 of them duplicates, 0 broken\n"), "{told}");
    assert_eq!(told.lines().count(), 10 + 2, "{told}");
    let file = Temporary::new("bin", small_book());
    let check = adoube(&["book", "check", file.0.to_str().unwrap()]);
    let told = String::from_utf8(check.stdout).unwrap();
    assert_eq!(
        told,
        "62 records; from the start position 23 positions with 62 of them are reached, 0 broken\n"
    );
    let file = Temporary::new("bin", Vec::new());
    let check = adoube(&["book", "check", file.0.to_str().unwrap()]);
    assert!(check.status.code() == Some(1) && check.stdout.is_empty());
    // A move twice in its position, and a book whose moves for the start position are not to be played.
    let record = |mv: u16, weight: u16| {
        let key = polyglot::key(&Position::default());
        [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    // e2e4 and d2d4.
    let (e4, d4) = (0o1434, 0o1333);
    for (records, told, status) in [
        (
            [record(e4, 2), record(e4, 1), record(d4, 0)].concat(),
            "record 2: the position has e2e4 before it already\n",
            0,
        ),
        ([record(e4, 0), record(d4, 0)].concat(), "2 records; ", 1),
    ] {
        let file = Temporary::new("bin", records);
        let check = adoube(&["book", "check", file.0.to_str().unwrap()]);
        assert!(String::from_utf8_lossy(&check.stdout).starts_with(told), "{check:?}");
        assert_eq!(check.status.code(), Some(status), "{check:?}");
        let error = String::from_utf8_lossy(&check.stderr);
        assert_eq!(error.contains("no move for the start position"), status == 1, "{error}");
    }
    let out = adoube(&[
        "book",
        "suite",
        "--count",
        "2000",
        "--plies",
        "1",
        "--nodes",
        "1",
        "--move-nodes",
        "1",
        "--out",
        "/no/such/x.epd",
    ]);
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn of_a_book_all_is_judged_that_its_lines_lead_to() {
    let for_white = [("", "e2e4"), ("e2e4 e7e5", "g1f3"), ("e2e4 e7e5 g1f3 b8c6", "f1b5")];
    let for_black = [("e2e4", "e7e5"), ("d2d4", "g8f6"), ("e2e4 e7e5 g1f3", "b8c6")];
    // What it would not play itself.
    let answering = [("", "e2e4"), ("c2c4", "e7e5"), ("c2c4 e7e5", "g1f3")];
    let check = |bytes: Vec<u8>| {
        let file = Temporary::new("bin", bytes);
        String::from_utf8(adoube(&["book", "check", file.0.to_str().unwrap()]).stdout).unwrap()
    };
    for records in [for_white, for_black, answering] {
        let (book, last) = book_of_records(records);
        let told = "3 records; from the start position 3 positions with 3 of them are reached";
        assert_eq!(check(book.clone()), format!("{told}, 0 broken\n"), "{records:?}");
        let mut broken = book;
        let at = broken.chunks(polyglot::RECORD).position(|record| record[..8] == last.to_be_bytes());
        // a1a1.
        broken[at.unwrap() * polyglot::RECORD + 8..][..2].fill(0);
        assert!(check(broken).ends_with(&format!("{told}, 1 broken\n")), "{records:?}");
    }
    // Of a position that nothing leads to nobody knows what is right.
    assert_eq!(
        check([small_book(), vec![255; polyglot::RECORD]].concat()),
        "records of positions that no line in the book leads to, which are not judged: 1\n\
         63 records; from the start position 23 positions with 62 of them are reached, 0 broken\n"
    );
}

/// A book of positions with a move each, told by the moves that lead there, and the key of the last one.
fn book_of_records(records: [(&str, &str); 3]) -> (Vec<u8>, u64) {
    let mut writer = BookWriter::new();
    let mut last = 0;
    for (line, mv) in records {
        let mut position = Position::default();
        last = polyglot::key(&position);
        for word in line.split_whitespace() {
            let step = parse_uci(word, &position).unwrap();
            (last, position) = (polyglot::key_after(&position, step), position.after(step));
        }
        writer.add(last, parse_uci(mv, &position).unwrap(), 1);
    }
    let mut bytes = vec![];
    writer.write(&mut bytes).unwrap();
    (bytes, last)
}
