//! Files of positions and of games: what is read out of them, and what is left out.

use super::{START, Temporary, config, end, line, moves, number, numbered_lines, open, open_with};
use adoube::board::{FenStyle, Position};
use adoube::laws::Edition;
use adoube::notation::epd::parse_epd;
use adoube::notation::uci_move::to_uci;
use adoube::openings::{Broken, OpeningsConfig, Suite, SuiteError};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

#[test]
fn the_suite_of_the_project_is_balanced_and_has_no_position_twice() {
    let path = Path::new("book/openings.epd");
    let mut config = config(path);
    config.strict = true;
    let (suite, broken) = Suite::open(&config, 0, 0).unwrap();
    assert!(suite.len() >= 2_000 && broken.is_empty(), "{}", suite.len());
    let text = std::fs::read_to_string(path).unwrap();
    let mut seen = HashSet::new();
    for (number, line) in text.lines().enumerate() {
        let opening = suite.get(number as u64).unwrap();
        assert!(seen.insert(opening.start.key()), "line {}", number + 1);
        assert!(!opening.start.in_check(), "line {}", number + 1);
        let epd = parse_epd(line).unwrap();
        assert_eq!(epd.to_line(FenStyle::XFen), line);
        let score: i32 = epd.operand("ce").unwrap().parse().unwrap();
        assert!(score.abs() < 30, "line {}", number + 1);
        // The name is the way to the position.
        let moves = opening.name.unwrap();
        let words = moves.split(' ').filter(|word| !word.ends_with('.'));
        let end = words.fold(Position::default(), |position, word| {
            position.after(adoube::notation::san::parse_san(word, &position).unwrap())
        });
        assert_eq!(end, opening.start, "line {}", number + 1);
    }
    assert_eq!(seen.len(), suite.len());
}

#[test]
fn lines_are_read_as_people_write_them() {
    let text = format!(
        "\u{feff}# a comment\r\n{START}\r\n\r\n  ; another\r\n% and another\n\
         4k3/8/8/8/8/8/4P3/4K2R w K - hmvc 5; fmvn 30; id \"the end\"; ce 400;\n\
         4k3/8/8/8/8/8/4P3/4K2R w K - 7 31\n\
         4k3/8/8/8/8/8/4P3/4K2R w H -\n\
         rknrbbqn/pppppppp/8/8/8/8/PPPPPPPP/RKNRBBQN w DAda - c0 \"M\u{fc}ller\""
    );
    // The last line has no end and, as Latin-1, no UTF-8.
    let mut bytes: Vec<u8> = text.chars().flat_map(|c| c.to_string().into_bytes()).collect();
    let place = bytes.windows(2).position(|pair| pair == "\u{fc}".as_bytes()).unwrap();
    bytes.splice(place..place + 2, [0xfc]);
    let file = Temporary::new("epd", bytes);
    let (suite, broken) = open(&file);
    assert_eq!(broken, []);
    let ends: Vec<String> = (0..suite.len() as u64).map(|number| end(&suite, number)).collect();
    assert_eq!(
        ends,
        [
            START,
            "4k3/8/8/8/8/8/4P3/4K2R w K - 5 30",
            "4k3/8/8/8/8/8/4P3/4K2R w K - 7 31",
            "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1",
            "rknrbbqn/pppppppp/8/8/8/8/PPPPPPPP/RKNRBBQN w KQkq - 0 1",
        ]
    );
    assert_eq!(suite.get(1).unwrap().name.as_deref(), Some("the end"));
    assert_eq!(suite.get(0).unwrap().name, None);
    let lines: Vec<u64> = (0..5).map(|number| suite.line(number).unwrap().unwrap()).collect();
    assert_eq!(lines, [2, 6, 7, 8, 9]);
}

#[test]
fn lines_of_old_files_end_with_a_carriage_return_alone() {
    for end in ["\r", "\n", "\r\n"] {
        let file = Temporary::new("epd", [START, "x", START].join(end));
        let (suite, broken) = open(&file);
        assert_eq!((suite.len(), broken.iter().map(line).collect::<Vec<_>>()), (2, vec![2]), "{end:?}");
        assert_eq!((suite.line(1).unwrap(), suite.line(0).unwrap()), (Some(3), Some(1)), "{end:?}");
        assert_eq!(suite.get(1).unwrap().start, Position::default(), "{end:?}");
    }
}

#[test]
fn moves_behind_a_position_lead_on_to_where_the_opening_ends() {
    let file = Temporary::new("epd", format!("{START} moves e2e4 e7e5; id \"open\";\n{START} moves e2e5\n"));
    let (suite, broken) = open(&file);
    assert_eq!((suite.len(), moves(&suite, 0).as_str()), (1, "e2e4 e7e5"));
    assert_eq!(suite.get(0).unwrap().name.as_deref(), Some("open"));
    assert_eq!(line(&broken[0]), 2);
    assert!(broken[0].reason.starts_with("moves: "), "{}", broken[0].reason);
}

#[test]
fn broken_lines_are_named_and_left_out() {
    let long = format!("{START} id \"{}\"", "x".repeat(70_000));
    let text = format!(
        "# good ones are on lines 2 and 9\n{START}\nnonsense\n\n\
         4k3/8/8/8/8/8/4P3/4K2R b K -\n4k2R/8/8/8/8/8/8/4K3 w - -\nR5k1/5ppp/8/8/8/8/8/6K1 b - -\n\
         {long}\n{START}\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n4k3/8/8/8/8/8/8/4K3 w - -\n{START} id \"x\n"
    );
    let file = Temporary::new("epd", text);
    let (suite, broken) = open(&file);
    assert_eq!(suite.len(), 3, "line 5 is good too: {broken:?}");
    assert_eq!(suite.line(2).unwrap(), Some(9));
    let found: Vec<(u64, &str)> =
        broken.iter().map(|broken| (line(broken), broken.reason.as_str())).collect();
    for (found, expected) in found.iter().zip([
        (3, "the FEN ends before field 2"),
        (6, "Black king is in check"),
        (7, "mated"),
        (8, "65536 bytes"),
        (10, "stalemated"),
        (11, "neither side can mate"),
        (12, "closing quotation mark"),
    ]) {
        assert!(found.0 == expected.0 && found.1.contains(expected.1), "{found:?}, {expected:?}");
    }
    assert_eq!(found.len(), 7);
    let mut strict = config(&file.0);
    strict.strict = true;
    let error = Suite::open(&strict, 1, 1).err().unwrap();
    assert!(matches!(&error, SuiteError::NotAllUsable(_, broken) if broken.len() == 7));
    let told = error.to_string();
    assert!(told.contains("line 3: ") && told.contains("and 2 more") && !told.contains("line 11"), "{told}");
    assert!(told.contains("line 10: "), "five are named: {told}");
}

#[test]
fn an_opening_has_all_words_of_its_name_whatever_the_file_begins_with() {
    let file = Temporary::new("epd", format!("\u{feff}{START} id \"Queen's Gambit\" \"declined\";\n"));
    let (suite, broken) = open(&file);
    assert_eq!(broken, []);
    assert_eq!(suite.get(0).unwrap().name.as_deref(), Some("Queen's Gambit declined"));
    let tags = "[ECO \"B90\"]\n[Opening \"Sicilian\"]\n[Variation \"Najdorf\"]";
    let file = Temporary::new("pgn", format!("{tags}\n\n1. e4 c5 *\n"));
    assert_eq!(open(&file).0.get(0).unwrap().name.as_deref(), Some("B90 Sicilian, Najdorf"));
}

#[test]
fn a_name_is_short_and_has_nothing_that_terminals_obey() {
    // It comes into the PGN and the journal of each game.
    let long = "a".repeat(1_000);
    let file = Temporary::new("epd", format!("{START} id \"\u{1b}[2J\u{202e}{long}\";\n"));
    assert_eq!(open(&file).0.get(0).unwrap().name, Some(format!("?[2J?{}", &long[..195])));
    let tags = format!("[ECO \"B90\"]\n[Opening \"\u{202e}{long}\"]\n[Variation \"{long}\"]");
    let file = Temporary::new("pgn", format!("{tags}\n\n1. e4 c5 *\n"));
    assert_eq!(open(&file).0.get(0).unwrap().name, Some(format!("B90 ?{}", &long[..195])));
}

#[test]
fn a_bracket_that_is_never_closed_is_no_end_of_an_opening() {
    let text = "1. e4 e5 2. Nf3 {natural Nc6 3. Bb5 a6\n\n[Event \"b\"]\n\n1. d4 d5 *\n\n[Event \"c\"]\n\n\
                1. c4 (1. Nf3 c5\n\n[Event \"d\"]\n\n1. f4 f5 {\n";
    let file = Temporary::new("pgn", text);
    for (plies, expected) in [
        (None, &[(1, "'{' is never closed"), (9, "'(' is never closed"), (13, "'{' is never closed")][..]),
        (Some(2), &[(9, "'(' is never closed")]),
    ] {
        let mut config = config(&file.0);
        config.plies = plies;
        let (suite, broken) = open_with(&config, 1);
        let found: Vec<(u64, &str)> =
            broken.iter().map(|broken| (line(broken), broken.reason.as_str())).collect();
        assert_eq!((suite.len(), &found[..]), (4 - expected.len(), expected), "{plies:?}");
    }
}

/// Stockfish loses such games by castling, which it reads and writes in the way of standard chess.
#[test]
fn castling_of_chess960_is_refused_for_standard_chess() {
    let usual = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    let unusual = [
        "1r2k2r/8/8/8/8/8/8/R3K2R w KQkb -",
        "r3k2r/8/8/8/8/8/8/RK5R w HAkq -",
        "r3k1r1/8/8/8/8/8/8/4K3 w gq -",
    ];
    let epd =
        Temporary::new("epd", format!("{usual}\n{}\n8/8/8/4k3/8/8/4P3/R2K3R w - -\n", unusual.join("\n")));
    let game =
        |fen: &str| format!("[SetUp \"1\"]\n[FEN \"{fen} 0 1\"]\n[Variant \"Chess960\"]\n\n1. Kf1 *\n\n");
    let pgn = Temporary::new("pgn", [usual, unusual[0]].map(game).concat());
    for (file, good, bad) in [(&epd, 2, 3), (&pgn, 1, 1)] {
        let mut config = config(&file.0);
        let (suite, broken) = open_with(&config, 1);
        assert_eq!((suite.len(), broken.len()), (good + bad, 0), "{broken:?}");
        config.standard = true;
        let (suite, broken) = open_with(&config, 1);
        assert_eq!((suite.len(), broken.len()), (good, bad), "{broken:?}");
        assert!(broken.iter().all(|broken| broken.reason.contains("-variant fischerandom")));
    }
}

#[test]
fn files_without_an_opening_are_refused() {
    for (ending, bytes, hint) in [
        ("epd", &b""[..], "there are no openings"),
        ("epd", b"# only this\n\n", "there are no openings"),
        ("epd", b"x\ny\n", "line 1: the FEN ends before"),
        ("epd", b"\x1f\x8b\x08", "unpack it first"),
        ("pgn", b"", "there are no openings"),
        ("pgn", b"1. e5 *", "line 1: move 1. no legal move"),
        ("pgn", b"[Event \"fool\"]\n\n1. f3 e5 2. g4 Qh4# 0-1", "line 1: the game is over"),
        ("bin", b"", "there are no openings"),
        ("bin", &[7; 20], "16 bytes each"),
        ("bin", &[7; 32], "no move for the start position"),
        ("bin", &[[7; 16], [6; 16]].concat(), "record 2 has a lower key than the one before"),
    ] {
        let file = Temporary::new(ending, bytes);
        let error = Suite::open(&config(&file.0), 1, 1).err().unwrap().to_string();
        assert!(error.contains(hint) && error.contains(file.0.to_str().unwrap()), "{error}");
    }
    // The second is a folder.
    for path in ["/no/such/file.epd", "src"] {
        let mut config = config(Path::new("x.epd"));
        config.file = PathBuf::from(path);
        assert!(matches!(Suite::open(&config, 1, 1), Err(SuiteError::Io(..))), "{path}");
    }
}

/// A hundred moves of one side without a capture end a game of engine testers only; what is over is not the same under
/// all Laws.
#[test]
fn openings_that_the_laws_end_at_once_are_left_out() {
    const TO_AND_FRO: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let counters = "4k3/8/8/8/8/8/4P3/4K2R w K - hmvc 99;\n\
                    4k3/8/8/8/8/8/4P3/4K2R w K - hmvc 100;\n\
                    4k3/8/8/8/8/8/4P3/4K2R w K - hmvc 150;\n";
    let repeated = format!(
        "[Event \"twice\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 *\n\n[Event \"thrice\"]\n\n{TO_AND_FRO} *\n\n\
         [Event \"five times\"]\n\n{TO_AND_FRO} {TO_AND_FRO} *\n\n"
    );
    let left_out = |ending, content: &str, laws| -> Vec<String> {
        let file = Temporary::new(ending, content);
        let (_, broken) = open_with(&OpeningsConfig { laws, ..config(&file.0) }, 100);
        broken.iter().map(Broken::to_string).collect()
    };
    let over =
        |line: u64, reason: &str| format!("line {line}: the game is over where the opening ends: {reason}");
    let fifty = |line| over(line, "50 moves have passed without capture or pawn move");
    let seventy_five = over(3, "75 moves have passed without capture or pawn move");
    let thrice = |line| over(line, "the position stands there for the third time");
    let five_times = over(9, "the position stands there for the fifth time");
    assert_eq!(left_out("epd", counters, Edition::Engine), [fifty(2), fifty(3)]);
    assert_eq!(left_out("epd", counters, Edition::Fide2005), [""; 0]);
    assert_eq!(left_out("epd", counters, Edition::Fide2023), [seventy_five]);
    assert_eq!(left_out("pgn", &repeated, Edition::Engine), [thrice(5), thrice(9)]);
    assert_eq!(left_out("pgn", &repeated, Edition::Fide2018), [five_times]);
    assert_eq!(left_out("pgn", &repeated, Edition::Fide2005), [""; 0]);
}

#[test]
fn games_are_openings_as_far_as_the_plies_go() {
    let text = "[Event \"a\"]\n[ECO \"B20\"]\n[Opening \"Sicilian\"]\n[Variation \"?\"]\n\n1. e4 c5 2. Nf3 {x} Nc6 3. Bb9 *\n\n\
                [Event \"b\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 5 30\"]\n\n30. O-O *\n\n[Event \"c\"]\n\n1. e4 xx *\n";
    let file = Temporary::new("pgn", text);
    let mut config = config(&file.0);
    config.plies = Some(3);
    let (suite, broken) = open_with(&config, 1);
    assert_eq!(broken.iter().map(line).collect::<Vec<_>>(), [15]);
    assert_eq!(suite.len(), 2);
    let opening = suite.get(0).unwrap();
    let moves: Vec<String> = opening.moves.iter().map(|&mv| to_uci(mv, &opening.start, false)).collect();
    assert_eq!((moves.join(" ").as_str(), opening.name.as_deref()), ("e2e4 c7c5 g1f3", Some("B20 Sicilian")));
    assert_eq!(end(&suite, 1), "4k3/8/8/8/8/8/4P3/5RK1 b - - 6 30");
    assert_eq!((suite.get(3).unwrap().name, suite.line(1).unwrap()), (None, Some(8)));
    config.plies = None;
    let (suite, broken) = open_with(&config, 1);
    assert_eq!((suite.len(), broken.len()), (1, 2));
}

#[test]
fn a_file_that_changes_is_told_and_one_that_is_replaced_does_no_harm() {
    let lines = numbered_lines(300);
    for damage in ["shorter", "longer", "written"] {
        let file = Temporary::new("epd", &lines);
        let (suite, _) = open(&file);
        assert_eq!(number(&suite, 299), 299);
        let mut handle = std::fs::OpenOptions::new().append(true).open(&file.0).unwrap();
        match damage {
            "shorter" => handle.set_len(100).unwrap(),
            "longer" => handle.write_all(b"more").unwrap(),
            _ => {
                let later = std::time::SystemTime::now() + std::time::Duration::from_secs(9);
                handle.set_modified(later).unwrap();
            }
        }
        let told = suite.get(299).err().unwrap().to_string();
        assert!(told.contains(damage) && told.contains(file.0.to_str().unwrap()), "{told}");
    }
    let games = Temporary::new("pgn", "1. e4 *\n\n1. d4 *\n");
    let (suite, _) = open(&games);
    assert_eq!(suite.get(1).unwrap().moves.len(), 1);
    let mut handle = std::fs::OpenOptions::new().append(true).open(&games.0).unwrap();
    handle.write_all(b"\n1. c4 *\n").unwrap();
    assert!(suite.get(0).err().unwrap().to_string().contains("longer"));
    if cfg!(unix) {
        let (file, other) = (Temporary::new("epd", &lines), Temporary::new("epd", "nothing"));
        let (suite, _) = open(&file);
        std::fs::rename(&other.0, &file.0).unwrap();
        assert_eq!(number(&suite, 299), 299);
    }
}
