//! Openings as a match draws them, out of files as people make them.

mod support;

use adoube::board::{Board, FenStyle, Position};
use adoube::laws::Edition;
use adoube::notation::epd::{Epd, Operation, parse_epd};
use adoube::notation::uci_move::{parse_uci, to_uci};
use adoube::openings::polyglot::{self, BookWriter};
use adoube::openings::{Broken, Format, OpeningsConfig, Order, Place, Suite, SuiteError};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

const START: &str = Board::START_FEN;

/// A file that goes away with the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(ending: &str, bytes: impl AsRef<[u8]>) -> Temporary {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("adoube-openings-{}-{number}.{ending}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, bytes).unwrap();
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn config(file: &Path) -> OpeningsConfig {
    OpeningsConfig::new(file, Format::of_file(file).unwrap())
}

fn open(file: &Temporary) -> (Suite, Vec<Broken>) {
    open_with(&config(&file.0), 100)
}

/// The suite and all that is left out of it.
fn open_with(config: &OpeningsConfig, needed: u64) -> (Suite, Vec<Broken>) {
    let mut all = vec![];
    let tell = &mut |broken: &Broken| all.push(broken.clone());
    let (suite, left_out) = Suite::open_telling(config, 1, needed, tell).unwrap();
    assert_eq!((left_out.len(), left_out.first()), (all.len(), &all[..all.len().min(5)]));
    (suite, all)
}

fn end(suite: &Suite, number: u64) -> String {
    suite.get(number).unwrap().end().to_fen(FenStyle::XFen)
}

/// The moves of a drawing.
fn moves(suite: &Suite, number: u64) -> String {
    let opening = suite.get(number).unwrap();
    opening.moves.iter().map(|&mv| to_uci(mv, &opening.start, false)).collect::<Vec<_>>().join(" ")
}

/// On which line it stands.
fn line(broken: &Broken) -> u64 {
    let Place::Line(number) = broken.place else { panic!("{broken}") };
    number
}

/// The king's file tells which line it is.
fn numbered_lines(count: usize) -> String {
    let fen = |n: usize| format!("4k3/8/8/8/8/8/4P3/K6R w - - {} {}\n", n % 100, n / 100 + 1);
    (0..count).map(fen).collect()
}

fn number(suite: &Suite, drawing: u64) -> usize {
    let position = suite.get(drawing).unwrap().start;
    (usize::from(position.fullmove_number()) - 1) * 100 + usize::from(position.halfmove_clock())
}

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
    for path in ["/no/such/file.epd", "src.epd/../src"] {
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
fn all_openings_come_before_one_comes_again() {
    let file = Temporary::new("epd", numbered_lines(500));
    for (order, start) in [
        (Order::Sequential, 1),
        (Order::Sequential, 499),
        (Order::Random, 17),
        (Order::Random, 0),
        (Order::Random, 777),
    ] {
        let mut config = config(&file.0);
        (config.order, config.start) = (order, start);
        let (suite, _) = Suite::open(&config, 42, 1).unwrap();
        for round in 0..3 {
            let drawn: HashSet<usize> = (0..500).map(|i| number(&suite, round * 500 + i)).collect();
            assert_eq!(drawn.len(), 500, "{order:?} from {start}");
        }
        assert_eq!(number(&suite, 3), number(&suite, 503));
        assert_eq!(number(&suite, u64::MAX), number(&suite, u64::MAX % 500));
    }
    // Parts of a long test are told to begin ever later, however small the book is.
    for (start, first) in [(500, 499), (501, 0), (1_503, 2), (u64::MAX, (u64::MAX - 1) % 500)] {
        let (suite, _) = Suite::open(&OpeningsConfig { start, ..config(&file.0) }, 42, 1).unwrap();
        assert_eq!(number(&suite, 0) as u64, first, "{start}");
    }
}

#[test]
fn the_order_follows_from_the_seed_for_ever() {
    let file = Temporary::new("epd", numbered_lines(1_000));
    let draw = |order, start, seed| {
        let mut config = config(&file.0);
        (config.order, config.start) = (order, start);
        let (suite, _) = Suite::open(&config, seed, 1).unwrap();
        (0..8).map(|drawing| number(&suite, drawing)).collect::<Vec<_>>()
    };
    assert_eq!(draw(Order::Sequential, 1, 9), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(draw(Order::Sequential, 998, 9), [997, 998, 999, 0, 1, 2, 3, 4]);
    let pinned = draw(Order::Random, 1, 1);
    assert_eq!(pinned, PINNED);
    assert_eq!(draw(Order::Random, 4, 1)[..5], pinned[3..], "the start turns the shuffled order");
    assert_ne!(draw(Order::Random, 1, 2), pinned);
}

#[test]
fn the_line_of_an_opening_is_that_of_the_drawing() {
    let file = Temporary::new("epd", format!("# from the second on\n{}", numbered_lines(5)));
    let (suite, _) = Suite::open(&OpeningsConfig { start: 2, ..config(&file.0) }, 1, 1).unwrap();
    let lines: Vec<u64> = (0..5).map(|drawing| suite.line(drawing).unwrap().unwrap()).collect();
    assert_eq!((number(&suite, 0), lines), (1, vec![3, 4, 5, 6, 2]));
}

#[test]
fn games_come_whole_and_in_the_order_that_is_wanted() {
    let there_and_back = "Nf3 Nf6 Ng1 Ng8 ".repeat(5);
    let games: String = (0..40).map(|n| format!("[Opening \"{n}\"]\n\n{there_and_back}*\n\n")).collect();
    let file = Temporary::new("pgn", games);
    // No repetition ends a game under these Laws.
    let laws = Edition::Fide2005;
    let draw = |order| {
        let (suite, _) = Suite::open(&OpeningsConfig { order, laws, ..config(&file.0) }, 3, 1).unwrap();
        let opening = |number| suite.get(number).unwrap();
        assert!((0..40).all(|number| opening(number).moves.len() == 20));
        (0..40).map(|number| opening(number).name.unwrap().parse().unwrap()).collect::<Vec<usize>>()
    };
    let in_order = draw(Order::Sequential);
    assert!(in_order.iter().copied().eq(0..40));
    let mut lot = draw(Order::Random);
    assert_ne!(lot, in_order);
    lot.sort_unstable();
    assert_eq!(lot, in_order);
}

/// The first openings of 1000 with the seed 1. Another sequence would break every match that goes on.
const PINNED: [usize; 8] = [637, 615, 934, 665, 867, 776, 690, 945];

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

#[test]
fn threads_draw_at_once() {
    let file = Temporary::new("epd", numbered_lines(2_000));
    let (suite, _) = open(&file);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let suite = &suite;
            scope.spawn(move || {
                (0..2_000).for_each(|i| {
                    assert_eq!(number(suite, i * 7 + thread), (i as usize * 7 + thread as usize) % 2_000)
                })
            });
        }
    });
}

/// Adds the moves of a line from one of its plies on, with the keys that Polyglot gives.
fn add_line<'a>(writer: &mut BookWriter, line: impl IntoIterator<Item = &'a str>, from: usize) {
    let mut position = Position::default();
    let mut key = polyglot::key(&position);
    for (ply, text) in line.into_iter().enumerate() {
        let mv = parse_uci(text, &position).unwrap();
        if ply >= from {
            writer.add(key, mv, 1);
        }
        key = polyglot::key_after(&position, mv);
        position = position.after(mv);
    }
}

/// A book of 20 first moves with weights 1 to 20, each with two answers.
fn small_book() -> Vec<u8> {
    let mut writer = BookWriter::new();
    let start = Position::default();
    for (rank, mv) in start.legal_moves().into_iter().enumerate() {
        writer.add(polyglot::key(&start), mv, rank as u64 + 1);
        let (next, key) = (start.after(mv), polyglot::key_after(&start, mv));
        for answer in ["a7a6", "h7h5"] {
            writer.add(key, parse_uci(answer, &next).unwrap(), 5);
        }
    }
    // A transposition: 1. a3 a6 2. h3 and 1. h3 a6 2. a3 end in the same position.
    for line in [["a2a3", "a7a6", "h2h3"], ["h2h3", "a7a6", "a2a3"]] {
        add_line(&mut writer, line, 2);
    }
    let mut bytes = vec![];
    writer.write(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_book_is_walked_without_coming_to_the_same_end_twice() {
    let file = Temporary::new("bin", small_book());
    let config = config(&file.0);
    // 20 first moves, two answers, two of which go on into one position: 39 ends.
    let (suite, broken) = Suite::open(&config, 5, 1_000).unwrap();
    assert_eq!((suite.len(), broken.len()), (39, 0));
    let ends: HashSet<String> = (0..39).map(|number| end(&suite, number)).collect();
    assert_eq!(ends.len(), 39);
    assert_eq!(end(&suite, 39), end(&suite, 0));
    // No more are drawn than needed, and the same seed draws the same.
    let (few, _) = Suite::open(&config, 5, 10).unwrap();
    assert_eq!(few.len(), 10);
    assert!((0..10).all(|number| moves(&few, number) == moves(&suite, number)));
    let (other, _) = Suite::open(&config, 6, 10).unwrap();
    assert!((0..10).any(|number| moves(&few, number) != moves(&other, number)));
    let (later, _) = Suite::open(&OpeningsConfig { start: 5, ..config.clone() }, 5, 10).unwrap();
    assert!((0..10).all(|number| moves(&later, number) == moves(&suite, number + 4)));
    let (short, _) = Suite::open(&OpeningsConfig { plies: Some(1), ..config.clone() }, 5, 1_000).unwrap();
    assert_eq!(short.len(), 20);
    // Chance follows the weights: of 2000 first drawings, the heaviest twenty times as many as the lightest.
    let mut counts: HashMap<String, usize> = HashMap::new();
    for seed in 0..2_000 {
        let (one, _) = Suite::open(&OpeningsConfig { plies: Some(1), ..config.clone() }, seed, 1).unwrap();
        *counts.entry(moves(&one, 0)).or_default() += 1;
    }
    let mut counts: Vec<usize> = counts.into_values().collect();
    counts.sort_unstable();
    assert!(counts[counts.len() - 1] > 140 && counts[0] < 30, "{counts:?}");
}

#[test]
fn a_walk_takes_no_move_of_weight_0_and_ends_in_no_mate() {
    let mut writer = BookWriter::new();
    for (line, weight) in [("f2f3 e7e5 g2g4 d8h4", 5), ("e2e4 e7e5", 0), ("d2d4", 0)] {
        let mut position = Position::default();
        let mut key = polyglot::key(&position);
        for (ply, text) in line.split(' ').enumerate() {
            let mv = parse_uci(text, &position).unwrap();
            // That of 1. e4 alone has a weight.
            writer.add(key, mv, if (ply, text) == (0, "e2e4") { 5 } else { weight });
            key = polyglot::key_after(&position, mv);
            position = position.after(mv);
        }
    }
    let mut bytes = vec![];
    writer.write(&mut bytes).unwrap();
    let (suite, broken) = open(&Temporary::new("bin", bytes));
    assert_eq!((suite.len(), broken.len()), (1, 0));
    assert_eq!(end(&suite, 0), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

/// A book of these lines.
fn book_of(lines: &[&str]) -> Vec<u8> {
    let mut writer = BookWriter::new();
    for line in lines {
        add_line(&mut writer, line.split(' '), 0);
    }
    let mut bytes = vec![];
    writer.write(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_line_of_a_book_has_sixteen_plies_unless_another_number_is_wanted() {
    let steps = ["a2a3 a7a6", "b2b3 b7b6", "c2c3 c7c6", "d2d3 d7d6", "e2e3 e7e6", "f2f3 f7f6", "g2g3 g7g6"];
    let line = format!("{} h2h3 h7h6 a3a4 a6a5", steps.join(" "));
    let file = Temporary::new("bin", book_of(&[line.as_str()]));
    for (plies, length) in [(None, 16), (Some(17), 17), (Some(40), 18), (Some(0), 0)] {
        let (suite, _) = Suite::open(&OpeningsConfig { plies, ..config(&file.0) }, 1, 1).unwrap();
        assert_eq!(suite.get(0).unwrap().moves.len(), length, "{plies:?}");
    }
}

/// A book that leads round in a circle has no more lines than one that does not, however long they may be.
#[test]
fn a_line_ends_where_a_position_comes_again() {
    let circle = "g1f3 g8f6 f3g1 f6g8";
    let file = Temporary::new("bin", book_of(&[circle, "e2e4"]));
    for plies in [4, 5, 100, u32::MAX] {
        let (suite, _) =
            Suite::open(&OpeningsConfig { plies: Some(plies), ..config(&file.0) }, 1, 100).unwrap();
        let mut lines: Vec<String> = (0..suite.len() as u64).map(|number| moves(&suite, number)).collect();
        lines.sort();
        assert_eq!(lines, ["e2e4", circle], "{plies}");
    }
}

#[test]
fn a_position_that_is_reached_at_two_depths_is_one_end() {
    let file = Temporary::new("bin", book_of(&["e2e4 e7e5", "e2e3 e7e6 e3e4 e6e5"]));
    let (suite, _) = open(&file);
    assert_eq!(suite.len(), 1);
}

/// After 4. d4 Black's pawn on e4 stands beside, but is pinned: Polyglot's key counts the capture all the same.
#[test]
fn a_line_goes_on_behind_a_double_step_that_cannot_be_taken() {
    let file = Temporary::new("bin", book_of(&["e2e4 d7d5 e4d5 e7e5 d1e2 e5e4 d2d4 d8d5"]));
    let (suite, _) = open(&file);
    assert_eq!(suite.get(0).unwrap().moves.len(), 8);
    let (status, told, _) = support::run(&["book", "check", file.0.to_str().unwrap()], "");
    assert!(status == 0 && told.contains(" 8 positions with 8 of them are reached, 0 broken"), "{told}");
}

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
fn records_that_are_no_moves_are_skipped_and_named() {
    let mut bytes = small_book();
    // The heaviest first move, whichever record that is, becomes e2e5.
    let key = polyglot::key(&Position::default()).to_be_bytes();
    let record = bytes.chunks(polyglot::RECORD).position(|record| record.starts_with(&key)).unwrap();
    bytes[record * 16 + 8..record * 16 + 10].copy_from_slice(&(12_u16 << 6 | 36).to_be_bytes());
    let file = Temporary::new("bin", bytes);
    let (suite, broken) = open(&file);
    assert!(suite.len() >= 36, "{}", suite.len());
    let place = Place::Record(record as u64 + 1);
    let expected = Broken { place, reason: "e2e5 is no legal move in its position".into() };
    assert_eq!(broken, [expected]);
    let strict = OpeningsConfig { strict: true, ..config(&file.0) };
    let error = Suite::open(&strict, 1, 1).err().unwrap().to_string();
    assert!(error.contains(&format!("\n  record {}: e2e5", record + 1)), "{error}");
}

#[test]
fn the_command_makes_the_same_suite_with_any_number_of_threads_and_checks_it() {
    let adoube =
        |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_adoube")).args(arguments).output().unwrap();
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_bring_a_suite_down(bytes in prop::collection::vec(any::<u8>(), 0..400), records in any::<bool>()) {
        for (ending, plies) in [("epd", None), ("pgn", Some(2)), ("bin", Some(3))] {
            let mut bytes = bytes.clone();
            if ending == "bin" && records {
                // A book's start, so that something is looked at.
                bytes.truncate(bytes.len() / 16 * 16);
                for record in bytes.chunks_mut(16) {
                    record[..8].copy_from_slice(&polyglot::key(&Position::default()).to_be_bytes());
                }
            }
            let file = Temporary::new(ending, &bytes);
            let config = OpeningsConfig { plies, ..config(&file.0) };
            if let Ok((suite, _)) = Suite::open(&config, 3, 20) {
                for number in 0..suite.len() as u64 {
                    prop_assert!(suite.get(number).is_ok());
                }
            }
        }
    }

    #[test]
    fn an_epd_reads_back(id in ".{0,20}", value in "[a-z0-9 ]{1,9}", seed in any::<u64>(), plies in 0..60_usize) {
        let mut position = Position::from(support::start(support::Variant::DoubleChess960, &mut support::random(seed)));
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[seed as usize % moves.len()]);
        }
        let epd = Epd { position, operations: vec![Operation::new("id", id), Operation::new("x", value)] };
        prop_assert_eq!(parse_epd(&epd.to_line(FenStyle::XFen)), Ok(epd.clone()));
        prop_assert_eq!(parse_epd(&epd.to_line(FenStyle::Shredder)), Ok(epd));
    }

    #[test]
    fn no_text_brings_the_epd_reader_down(
        parts in prop::collection::vec(
            prop::sample::select(vec!["id", "hmvc", "\"", "\\", ";", " ", "9", "\u{fc}", "-", "/", "K", "\t", START]), 0..16,
        ),
        any in any::<String>(),
    ) {
        let text = parts.concat();
        for text in [text.clone(), any, format!("{START} {text}"), format!("{START} id \"{text}")] {
            if let Err(error) = parse_epd(&text) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}

#[test]
fn the_arrays_of_chess960_are_drawn_by_lot_in_order_or_by_number() {
    let suite = |number, order, start, seed| {
        let config = OpeningsConfig {
            format: Format::Chess960(number),
            order,
            start,
            ..config(Path::new("no-file.epd"))
        };
        Suite::open(&config, seed, 10).unwrap().0
    };
    let ranks = |suite: &Suite, count: u64| -> Vec<String> {
        (0..count).map(|number| end(suite, number).split('/').next().unwrap().to_string()).collect()
    };
    let all = suite(None, Order::Sequential, 1, 7);
    let in_order = ranks(&all, 961);
    assert_eq!((in_order[0].as_str(), in_order[518].as_str()), ("bbqnnrkr", "rnbqkbnr"));
    assert_eq!(in_order[960], in_order[0], "and from the beginning");
    assert_eq!(in_order[..960].iter().collect::<std::collections::HashSet<_>>().len(), 960);
    assert_eq!(ranks(&suite(None, Order::Sequential, 519, 7), 1), ["rnbqkbnr"]);
    let lot = ranks(&suite(None, Order::Random, 1, 7), 960);
    assert_ne!(lot, in_order[..960]);
    assert_eq!(lot, ranks(&suite(None, Order::Random, 1, 7), 960), "the seed says it all");
    assert_ne!(lot, ranks(&suite(None, Order::Random, 1, 8), 960));
    let mut sorted = (lot, in_order[..960].to_vec());
    sorted.0.sort();
    sorted.1.sort();
    assert_eq!(sorted.0, sorted.1, "none comes again before all have come");
    let one = suite(Some(0), Order::Sequential, 1, 7);
    assert_eq!(ranks(&one, 3), ["bbqnnrkr"; 3]);
    assert_eq!(one.get(5).unwrap().name.as_deref(), Some("Chess960 position 0"));
}
