//! The engine plays from a book, the one inside the program or a file's, and makes such books.

mod support;

use adoube::board::{Board, Position};
use adoube::notation::uci_move::parse_uci;
use adoube::openings::polyglot::{self, Book, BookWriter};
use std::collections::HashSet;
use std::path::PathBuf;
use support::adoube;
use support::engine::{Engine, best_move, says};
use support::folder::Folder;
use support::lines::{Game, Search};

const FROM_BOOK: &str = "info string a move out of the book";

/// A file that goes away with the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Temporary {
        let path = std::env::temp_dir().join(format!("adoube own book {} {name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn after(moves: &[&str]) -> Position {
    moves.iter().fold(Position::default(), |position, mv| position.after(parse_uci(mv, &position).unwrap()))
}

/// A book of moves that nobody plays by himself: 1. Na3, and 1...Nh6 as an answer; 1. h4 is not to be played.
fn odd_book() -> Vec<u8> {
    let mut writer = BookWriter::new();
    for (moves, mv, weight) in
        [(&[][..], "b1a3", 7), (&[], "h2h4", 0), (&["b1a3"], "g8h6", 1), (&["e2e4"], "e8e7", 1)]
    {
        let position = after(moves);
        // The last is not legal there: as good as not in the book.
        let mv = parse_uci(mv, &position).or_else(|_| parse_uci("e8e7", &after(&["e2e4", "e7e5", "a2a3"])));
        writer.add(polyglot::key(&position), mv.unwrap(), weight);
    }
    let mut bytes = vec![];
    writer.write(&mut bytes).unwrap();
    bytes
}

fn is_from_book(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with(FROM_BOOK))
}

#[test]
fn the_moves_of_the_book_are_played_but_not_for_analysis() {
    let file = Temporary::new("odd.bin", &odd_book());
    let mut engine = Engine::start();
    let told = engine.ask(&format!("setoption name BookFile value {}", file.0.display()));
    assert!(told.len() == 1 && told[0].ends_with("odd.bin, 4 moves"), "{told:#?}");
    // Nobody has asked for it.
    assert!(!is_from_book(&engine.go("position startpos\ngo nodes 3000")));
    assert_eq!(engine.ask("setoption name OwnBook value true"), [""; 0]);
    let start = Game::new(Board::START_FEN);
    for limits in ["nodes 3000000", "depth 60", "movetime 100000", "wtime 600000 btime 600000 winc 5000"] {
        let lines = engine.go(&format!("position startpos\ngo {limits}"));
        assert!(is_from_book(&lines) && best_move(&lines) == "b1a3", "{limits}: {lines:#?}");
        assert!(says(&lines, "one of 1"), "one with a weight of two: {lines:#?}");
        // With a score and a line, as of every move, and without thinking.
        assert!(Search::check(&lines, &start, 1).last().nodes < 10_003, "{lines:#?}");
    }
    let lines = engine.go("position startpos\ngo nodes 50");
    let nodes = Search::check(&lines, &start, 1).last().nodes;
    assert!(is_from_book(&lines) && nodes < 53, "{lines:#?}");
    let lines = engine.go("setoption name MultiPV value 3\nposition startpos moves b1a3\ngo depth 60");
    assert!(is_from_book(&lines) && best_move(&lines) == "g8h6", "{lines:#?}");
    engine.send("setoption name MultiPV value 1");
    // Not in the book, or nothing in it that can be played.
    for moves in ["b1a3 g8h6", "e2e4"] {
        assert!(
            !is_from_book(&engine.go(&format!("position startpos moves {moves}\ngo nodes 1000"))),
            "{moves}"
        );
    }
    for asked in [
        "go nodes 1000 searchmoves e2e4 d2d4",
        "go mate 1",
        "go infinite\nstop",
        "go\nstop",
        "setoption name UCI_AnalyseMode value true\ngo nodes 1000",
    ] {
        let lines = engine.go(&format!("position startpos\n{asked}"));
        assert!(!is_from_book(&lines) && best_move(&lines) != "b1a3", "{asked}: {lines:#?}");
    }
    engine.send("setoption name UCI_AnalyseMode value false");
    // Not before the opponent has moved.
    let mut lines = engine.go_and_wait("position startpos moves b1a3\ngo ponder wtime 60000 btime 60000");
    lines.extend(engine.go("ponderhit"));
    assert!(is_from_book(&lines) && best_move(&lines) == "g8h6", "{lines:#?}");
    engine.quit();
}

#[test]
fn a_double_step_beside_a_pawn_that_cannot_take_it_is_found_in_the_book() {
    // The format counts the square behind a pawn that has just gone two steps if a pawn stands beside it, though its king
    // forbids it to take.
    let before = Position::from_fen("6k1/3p4/8/K3P2r/8/8/8/8 b - - 0 1").unwrap();
    let step = parse_uci("d7d5", &before).unwrap();
    let mut writer = BookWriter::new();
    writer.add(polyglot::key_after(&before, step), parse_uci("a5a4", &before.after(step)).unwrap(), 1);
    let mut bytes = vec![];
    writer.write(&mut bytes).unwrap();
    let file = Temporary::new("step.bin", &bytes);
    let mut engine = Engine::start();
    engine.send(&format!(
        "setoption name OwnBook value true\nsetoption name BookFile value {}",
        file.0.display()
    ));
    let lines = engine.go("position fen 6k1/3p4/8/K3P2r/8/8/8/8 b - - 0 1 moves d7d5\ngo nodes 1000");
    assert!(is_from_book(&lines) && best_move(&lines) == "a5a4", "{lines:#?}");
    engine.quit();
}

#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_writes_to_is_no_book_and_no_network() {
    let folder = Folder::new("pipe");
    let pipe = folder.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Engine::start();
    for option in ["BookFile", "EvalFile"] {
        let told = engine.ask(&format!("setoption name {option} value {}", pipe.display()));
        assert!(says(&told, "this is not an ordinary file"), "{told:#?}");
    }
    // Nor are they positions, for which nobody could stop it waiting.
    engine.send(&format!("bench 16 1 1 {}", pipe.display()));
    let told = engine.until("info string");
    assert!(says(&told, "this is not an ordinary file"), "{told:#?}");
    engine.quit();
}

#[test]
fn a_book_that_cannot_be_used_is_named_and_there_is_none_then() {
    let odd = odd_book();
    let mut unsorted = odd[16..].to_vec();
    unsorted.extend_from_slice(&odd[..16]);
    let files = [
        ("text.bin", &b"1. e4 e5 2. Nf3 Nc6 3. Bb5"[..], "16 bytes each"),
        ("short.bin", &odd[..40], "16 bytes each"),
        ("unsorted.bin", &unsorted, "record 4 has a lower key"),
        ("empty.bin", &[], "it is empty"),
    ]
    .map(|(name, bytes, hint)| (Temporary::new(name, bytes), hint));
    let missing = (std::env::temp_dir().join("there/is no.bin"), "there/is no.bin");
    let folder = (std::env::temp_dir(), "not an ordinary file");
    let paths = files.iter().map(|(file, hint)| (file.0.clone(), *hint)).chain([missing, folder]);
    let mut engine = Engine::start();
    engine.send("setoption name OwnBook value true");
    for (path, hint) in paths {
        assert!(says(&engine.ask("setoption name BookFile value <internal>"), "book: <internal>"));
        let told = engine.ask(&format!("setoption name BookFile value {}", path.display()));
        assert!(told.len() == 1 && told[0].starts_with("info string ERROR: the book "), "{told:#?}");
        assert!(says(&told, hint) && says(&told, "; there is none now"), "{hint}: {told:#?}");
        let lines = engine.go("position startpos\ngo nodes 500");
        assert!(!is_from_book(&lines) && best_move(&lines).len() == 4, "{lines:#?}");
    }
    assert_eq!(engine.ask("setoption name BookFile value <empty>"), ["info string no book"]);
    assert!(!is_from_book(&engine.go("position startpos\ngo nodes 500")));
    engine.quit();
}

#[test]
fn the_book_inside_plays_this_and_that() {
    let book = Book::internal();
    let mut engine = Engine::start();
    engine.send("setoption name OwnBook value true\nsetoption name UCI_LimitStrength value true");
    let mut openings = HashSet::new();
    for _ in 0..12 {
        let mut moves = vec![];
        for _ in 0..2 {
            let mv = engine.go(&format!("position startpos moves {}\ngo depth 50", moves.join(" ")));
            assert!(is_from_book(&mv), "{moves:?}: {mv:#?}");
            let position = after(&moves.iter().map(String::as_str).collect::<Vec<_>>());
            let played = parse_uci(best_move(&mv), &position).unwrap();
            let known = book.moves(polyglot::key(&position), &position).unwrap();
            assert!(known.iter().any(|&(mv, weight)| mv == played && weight > 0), "{moves:?}: {played:?}");
            moves.push(best_move(&mv).to_string());
        }
        openings.insert(moves);
    }
    assert!(openings.len() > 3, "{openings:#?}");
    engine.quit();
}

#[test]
fn books_are_made_the_same_with_any_number_of_threads() {
    let make = |threads, share, plies| {
        let file = Temporary::new(&format!("{threads} {share} {plies}.bin"), b"old");
        let path = file.0.to_str().unwrap();
        let words = ["book", "polyglot", "--nodes", "400", "--plies", plies];
        let out = adoube(&[&words[..], &["--threads", threads, "--share", share, "--out", path]].concat());
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        assert!(out.stderr.is_empty(), "no progress where nobody looks");
        (
            String::from_utf8(out.stdout).unwrap(),
            adoube(&["book", "check", path]),
            std::fs::read(path).unwrap(),
        )
    };
    let (told, check, bytes) = make("1", "0.03", "3");
    assert_eq!(make("3", "0.03", "3").2, bytes);
    assert!(check.status.success(), "{check:?}");
    let moves = bytes.len() / polyglot::RECORD;
    assert!(told.contains(&format!(" with {moves} moves are in ")), "{told}");
    // The fewer must come to a position, the more there are.
    // Also of moves that the book answers and does not play.
    let told = String::from_utf8(check.stdout).unwrap();
    assert!(told.starts_with(&format!("{moves} records; ")), "{told}");
    assert!(told.ends_with(&format!(" positions with {moves} of them are reached, 0 broken\n")), "{told}");
    assert!(make("2", "0.2", "3").2.len() < bytes.len());
    // Of one ply: the start position alone.
    let first = make("1", "0.03", "1").2;
    assert!(!first.is_empty() && first.len() < bytes.len());
    let start = polyglot::key(&Position::default()).to_be_bytes();
    assert!(first.chunks(polyglot::RECORD).all(|record| record[..8] == start));
    let file = Temporary::new("kept.bin", b"old");
    let path = file.0.to_str().unwrap();
    for (words, hint) in [
        (["--share", "0", "--out", path], "expected a number above 0"),
        (["--share", "1.5", "--out", path], "expected a number above 0"),
        (["--plies", "0", "--out", path], "is not in"),
        (["--plies", "1", "--out", "/no/such/x.bin"], "cannot be written"),
    ] {
        let out = adoube(&[&["book", "polyglot"][..], &words].concat());
        assert!(!out.status.success() && out.stdout.is_empty());
        assert!(String::from_utf8_lossy(&out.stderr).contains(hint), "{hint}: {out:?}");
        assert_eq!(std::fs::read(path).unwrap(), b"old");
    }
}
