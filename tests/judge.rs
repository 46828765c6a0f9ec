//! `adoube judge`, run as a user runs it.

mod support;

use support::folder::Folder;

fn judge(arguments: &[&str], input: &str) -> (i32, String, String) {
    support::run(&[&["judge"], arguments].concat(), input)
}

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
const WALL: &str = "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1";

#[test]
fn a_line_for_each_position() {
    let input =
        format!("{MATE_IN_ONE}\n\n{WALL}\r\n{}\n", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    let out = judge(&["--can-win", "white", "--nodes", "2"], &input);
    assert_eq!(out.0, 0, "{}", out.2);
    assert_eq!(out.1, "winnable a1a8\nunwinnable\nundetermined\n");
    let out = judge(&["--can-win", "black"], WALL);
    assert_eq!(out.1, "unwinnable\n");
}

#[test]
fn a_composers_position_has_more_pieces_than_a_game() {
    let (status, out, err) = judge(&["--can-win", "white"], "k7/8/8/8/8/NNN5/PPPPPPPP/7K w - - 0 1");
    assert!(status == 0 && out.starts_with("winnable "), "{out}{err}");
}

#[test]
fn where_games_are_drawn_without_claims_there_are_none() {
    let game = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
    assert_eq!(judge(&["--laws", "fide-2023"], game).1, "* claims: threefold with f6g8\n");
    assert_eq!(judge(&["--laws", "engine"], game).1, "* claims: none\n");
}

#[test]
fn json() {
    let out = judge(&["--can-win", "white", "--json"], &format!("{MATE_IN_ONE}\n{WALL}\n"));
    let values: Vec<serde_json::Value> =
        out.1.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(values[0]["verdict"], "winnable");
    assert_eq!(values[0]["moves"], serde_json::json!(["a1a8"]));
    assert_eq!(values[0]["line"], 1);
    assert_eq!(values[1]["fen"], WALL);
    assert_eq!(values[1]["verdict"], "unwinnable");
    assert!(values[1].get("moves").is_none());
    let out = judge(&["--can-win", "black", "--json"], &format!("\n{WALL}\n"));
    let value: serde_json::Value = serde_json::from_str(&out.1).unwrap();
    assert_eq!((&value["side"], &value["line"]), (&"black".into(), &2.into()));
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let out = judge(&["--can-win", "white"], &format!("\u{feff}{WALL}\n"));
    assert_eq!((out.0, out.1.as_str()), (0, "unwinnable\n"), "{}", out.2);
}

#[test]
fn a_bad_line_is_named_and_the_lines_before_it_are_answered() {
    let out = judge(&["--can-win", "white"], &format!("{WALL}\n8/8/8/8/8/8/8/K7 w - - 0 1\n{WALL}\n"));
    assert_eq!(out.0, 1);
    assert_eq!(out.1, "unwinnable\n");
    let error = out.2;
    assert!(error.contains("line 2: ") && error.contains("has no king"), "{error}");
}

#[test]
fn a_line_that_is_too_long_is_told() {
    let input = format!("{}\n{MATE_IN_ONE}\n", "x".repeat((1 << 20) + 1));
    let told = "line 1: the line has more than 1048576 bytes";
    let (status, out, err) = judge(&[], &input);
    assert!(err.contains(told) && err.len() < 1000, "{err}");
    assert_eq!((status, out.as_str()), (1, "* claims: none\n"), "the next one is judged all the same");
    let (status, out, err) = judge(&["--can-win", "white"], &input);
    assert!(err.contains(told) && err.len() < 1000, "{err}");
    assert_eq!((status, out.as_str()), (1, ""));
}

#[test]
fn wrong_arguments_are_refused() {
    for arguments in [
        &["--can-win", "white", "--laws", "engine"][..],
        &["--can-win", "grey"],
        &["--can-win", "white", "--nodes", "0"],
    ] {
        let out = judge(arguments, WALL);
        assert_eq!(out.0, 2, "{arguments:?}");
        assert!(out.1.is_empty() && !out.2.is_empty());
    }
}

/// As `-epdout` writes lines, and as `book check` reads them.
#[test]
fn operations_of_an_epd_may_say_anything() {
    let drawn = "8/8/8/8/5k2/4N3/6N1/6K1 b - - hmvc 100; fmvn 196; c0 \"A - B\"; \
        c1 \"1/2-1/2 Draw by fifty moves rule\";";
    let out = judge(&["--laws", "engine"], drawn);
    assert_eq!((out.0, out.1.as_str()), (0, "1/2-1/2 Draw by fifty moves rule\n"), "{}", out.2);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for tail in [
        "hmvc 0; fmvn 1; moves f2f3 e7e5 g2g4 d8h4;",
        "0 1 moves f2f3 e7e5 g2g4 d8h4;",
        "moves f2f3 e7e5 g2g4 d8h4 ;",
        "id \"two moves\"; moves \"f2f3 e7e5 g2g4 d8h4\";",
        "c0 \"moves e2e4\"; moves f2f3 e7e5 g2g4 d8h4",
        "0 1 moves f2f3 e7e5 g2g4 d8h4",
        "moves f2f3 e7e5 g2g4 d8h4; id \"a\"",
        "0 1; moves f2f3 e7e5 g2g4 d8h4; id \"no moves\"",
    ] {
        let out = judge(&[], &format!("{start} {tail}"));
        assert_eq!(out.1, "0-1 Black mates (fide-2023:5.1.1)\n", "{tail}: {}", out.2);
    }
    for (tail, said) in [
        ("fmvn three;", "field 6 (move number) is 'three'"),
        ("hmvc 0; moves e2e5;", "move 1: e2e5 is not legal"),
        ("c0 \"no moves", "the text of 'c0' has no closing quotation mark"),
    ] {
        let out = judge(&[], &format!("{start} {tail}"));
        assert!(out.0 == 1 && out.1.is_empty() && out.2.contains(said), "{tail}: {}", out.2);
    }
}

#[test]
fn a_file_of_positions_is_no_file_of_games() {
    let folder = Folder::new("positions");
    let file = folder.path("some positions.epd");
    let name = file.as_str();
    let epd = "# mates\n\n\u{feff}6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8; id \"a\";\n";
    let run = |arguments: &[&str], input: &str| support::run(arguments, input);
    for text in [epd, MATE_IN_ONE, "startpos moves e2e4\n", "position startpos\n"] {
        std::fs::write(&file, text).unwrap();
        for arguments in [&["judge", name][..], &["notate", name, "--as", "san"]] {
            let (status, out, err) = run(arguments, "");
            let said =
                format!("{name} has positions, expected games in PGN; 'adoube judge < {name}' rules on them");
            assert!(
                status == 2 && out.is_empty() && err.contains(&said),
                "{arguments:?}: {status} {out}{err}"
            );
        }
        for arguments in [&["judge", "-"][..], &["notate", "--as", "san"]] {
            let (status, _, err) = run(arguments, text);
            let said = "standard input has positions, expected games in PGN; 'adoube judge' without a file";
            assert!(status == 2 && err.contains(said), "{arguments:?}: {status} {err}");
        }
    }
    // What was looked at is read all the same.
    let games = "; two games\n% of one\n\n1. e4 (1. d4) e5 *\n\n[Event \"b\"]\n\n1. c4 *\n";
    let (status, out, err) = run(&["notate", "--as", "san"], games);
    assert_eq!(
        (status, out.as_str()),
        (0, "{two games} 1. e4 e5 *\n\n[Event \"b\"]\n\n1. c4 *\n\n"),
        "{err}"
    );
    assert_eq!(judge(&["-"], games).1, "2 games, 0 findings\n");
}
