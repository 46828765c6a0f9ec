//! Endgame tablebases. Their files are too large to be kept here: tests that need some are told the folder, with all tables
//! of up to four pieces, by ADOUBE_SYZYGY. (`pip download chess --no-deps --no-binary :all:` has such tables, in
//! `data/syzygy/regular`.)
#![cfg(unix)]

mod support;

use adoube::board::{Board, Position};
use adoube::tablebase::{Ending, Tables};
use adoube::types::{Color, Piece, PieceType};
use rand::RngExt;
use std::collections::HashSet;
use std::process::Command;
use support::engine::Engine;
use support::lines::{Game, Said, Search};
use support::matches::{Scene, finish, games, tag};
use support::random;

fn command(scene: &Scene, start: &str, words: &str) -> Command {
    std::fs::write(scene.path("start.epd"), format!("{start}\n")).unwrap();
    let mut command = scene.bare();
    command.args(scene.player("A", "good --script b1b5")).args(scene.player("B", "good"));
    let usual = "-each tc=600 -rounds 1 -games 1 -pgnout file=g.pgn -openings file=start.epd";
    command.args(usual.split(' ')).args(words.split_whitespace());
    command
}

/// White takes the knight.
const ROOK: &str = "8/8/8/1n2k3/8/8/8/KR6 w - - 7 1";

#[test]
fn folders_without_tables_are_refused_before_the_first_game() {
    for (paths, expected) in [
        ("nowhere", "tablebases in nowhere: No such file or directory"),
        ("empty", "no tablebases in empty: expected files such as KQvK.rtbw"),
        ("empty:nowhere", "tablebases in nowhere: "),
        ("empty:", "no tablebases in empty:: expected files such as KQvK.rtbw"),
        ("foreign", "foreign/KQvK.rtbw is no table of wins and losses, or not a whole one"),
        ("cut", "cut/KQvK.rtbw is no table of wins and losses, or not a whole one"),
        ("begun", "begun/KQvK.rtbw is no table of wins and losses, or not a whole one"),
    ] {
        let scene = Scene::new();
        let cut = b"\x71\xe8\x23\x5d and not much more";
        let begun = &[&cut[..], &vec![0; 144 - cut.len()]].concat()[..];
        // "begun" has the right size, and nothing behind the beginning.
        let files = [("foreign", Some(&[b'x'; 80][..])), ("cut", Some(&cut[..])), ("begun", Some(begun))];
        for (folder, file) in [("empty", None)].into_iter().chain(files) {
            std::fs::create_dir(scene.path(folder)).unwrap();
            if let Some(bytes) = file {
                std::fs::write(scene.path(folder).join("KQvK.rtbw"), bytes).unwrap();
            }
        }
        let ended = finish(command(&scene, ROOK, &format!("-tb {paths}")).spawn().unwrap());
        assert_eq!(ended.code, Some(1), "{paths}: {}", ended.stderr);
        assert!(ended.stderr.contains(expected), "{paths}: {}", ended.stderr);
        assert!(!scene.path("g.pgn").exists(), "{paths}");
    }
}

fn folder() -> String {
    std::env::var("ADOUBE_SYZYGY").expect("ADOUBE_SYZYGY names the folder")
}

#[test]
#[ignore = "wants files: ADOUBE_SYZYGY=folder with tables of up to four pieces"]
fn a_position_is_worth_what_its_best_move_leads_to() {
    let tables = Tables::open(&folder()).unwrap();
    assert!(tables.most_pieces() >= 4);
    assert!(Tables::open(&folder()).is_err(), "twice");
    assert_eq!(tables.ending(&Position::default()), None);
    let kinds = [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    let mut random = random(1);
    let mut counts = [0; 5];
    while counts.iter().sum::<u32>() < 20_000 {
        // Pawns side by side now and then, for captures en passant.
        let mut placement = vec![(PieceType::King, Color::White), (PieceType::King, Color::Black)];
        for _ in 0..random.random_range(1..=2) {
            let color = if random.random() { Color::White } else { Color::Black };
            placement.push((kinds[random.random_range(0..kinds.len())], color));
        }
        let mut board = [None; 64];
        for (kind, color) in placement {
            board[random.random_range(0..64)] = Some(Piece::new(kind, color));
        }
        let rows = board.chunks(8).map(|row| {
            let text =
                |piece: &Option<Piece>| piece.map_or("1".to_string(), |piece| piece.letter().to_string());
            let row = row.iter().map(text).collect::<String>();
            (2..=8).rev().fold(row, |row, empty| row.replace(&"1".repeat(empty), &empty.to_string()))
        });
        let turn = if random.random() { "w" } else { "b" };
        let fen = format!("{} {turn} - - 0 1", rows.collect::<Vec<_>>().join("/"));
        let Ok(board) = Board::from_fen(&fen) else { continue };
        let position = Position::from(board);
        let moves = position.legal_moves();
        if moves.is_empty() {
            continue;
        }
        let ending = tables.ending(&position).unwrap_or_else(|| panic!("{fen} is not in the tables"));
        counts[ending as usize] += 1;
        let best = moves.into_iter().map(|mv| {
            let next = position.after(mv);
            match (next.has_no_moves(), next.in_check()) {
                (true, true) => Ending::Win,
                (true, false) => Ending::Draw,
                _ => -tables.ending(&next).unwrap(),
            }
        });
        // With four pieces no win takes fifty moves.
        assert_eq!(best.max(), Some(ending), "{fen}");
    }
    assert!([Ending::Loss, Ending::Draw, Ending::Win].iter().all(|&ending| counts[ending as usize] > 500));
    assert_eq!(
        tables.ending(&Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap()),
        None,
        "castling"
    );
    // After d2d4 the pawn is taken en passant and Black wins; without that it is a draw.
    let passing = |square: &str| {
        let fen = format!("8/8/8/8/k2Pp3/8/8/6K1 b - {square} 0 1");
        tables.ending(&Position::from_fen(&fen).unwrap()).unwrap()
    };
    assert_eq!((passing("d3"), passing("-")), (Ending::Win, Ending::Draw));
    // Of what a pawn becomes the heavy pieces win.
    let position = Position::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let (moves, by_distance) = tables.rank_moves(&position, false).unwrap();
    let mut becomes: Vec<_> =
        moves.iter().filter_map(|ranked| Some((ranked.mv.promoted()?, ranked.ending))).collect();
    becomes.sort_by_key(|(kind, _)| *kind as u8);
    let endings = [Ending::Draw, Ending::Draw, Ending::Win, Ending::Win];
    assert!(by_distance && becomes.iter().map(|(_, ending)| *ending).eq(endings), "{becomes:?}");
    // Every win is as good as another, until a position has come again.
    let position = Position::from_fen("8/8/8/4k3/8/8/8/KQ6 w - - 0 1").unwrap();
    let ranks = |repeated| {
        let (moves, _) = tables.rank_moves(&position, repeated).unwrap();
        moves
            .iter()
            .filter(|ranked| ranked.ending == Ending::Win)
            .map(|ranked| ranked.rank)
            .collect::<HashSet<_>>()
    };
    assert!(ranks(false).len() == 1 && ranks(true).len() > 1);
    // A win that the counter leaves no time for is none.
    let position = Position::from_fen("8/8/8/4k3/8/8/8/KQ6 w - - 99 90").unwrap();
    let (moves, _) = tables.rank_moves(&position, false).unwrap();
    assert!(moves.iter().all(|ranked| ranked.ending != Ending::Win), "{moves:?}");
}

#[test]
fn an_engine_goes_on_without_tables_that_it_cannot_open() {
    let mut engine = Engine::start();
    for (path, told) in
        [("/no/such/folder", "ERROR: tablebases in /no/such/folder: "), ("<empty>", "no tablebases")]
    {
        engine.send(&format!("setoption name SyzygyPath value {path}"));
        let lines = engine.sync();
        assert!(lines[0].starts_with(&format!("info string {told}")), "{lines:?}");
        assert!(engine.go("position startpos\ngo depth 3").iter().any(|line| line.contains(" tbhits 0 ")));
    }
    engine.quit();
}

/// Bishop and knight, with which the search alone does not mate when it has three hundred nodes a move; queen against rook;
/// a lone pawn that is worth a draw, and one that wins.
#[test]
#[ignore = "wants files: ADOUBE_SYZYGY=folder with tables of up to four pieces"]
fn an_engine_wins_what_tables_call_won() {
    let mut engine = Engine::start();
    for _ in 0..2 {
        engine.send(&format!("setoption name SyzygyPath value {}", folder()));
        let lines = engine.sync();
        assert!(
            lines[0].starts_with("info string ") && lines[0].contains("tablebases with up to "),
            "{lines:?}"
        );
    }
    for fen in [
        "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
        "8/8/8/3rk3/8/8/Q7/1K6 w - - 0 1",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "8/4k3/8/8/4K3/8/4P3/8 w - - 0 1",
    ] {
        engine.send("ucinewgame");
        let mut game = Game::new(fen);
        let mut played = String::new();
        let mut first = None;
        while !game.is_over() {
            let lines = engine.go(&format!("position fen {fen} moves{played}\ngo nodes 300"));
            let search = Search::check(&lines, &game, 1);
            first = first.or(Some(search.last().score));
            game.play(&search.best);
            played += &format!(" {}", search.best);
        }
        let won = matches!(first, Some(Said::Mate(1..))) || matches!(first, Some(Said::Centipawns(5000..)));
        assert_eq!(game.is_mate(), won, "{fen} {first:?}{played}");
        assert_eq!(won, fen != "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "{fen}");
    }
    engine.quit();
}

/// Of the tables of distances one is there and one is not.
#[test]
#[ignore = "wants files: ADOUBE_SYZYGY=folder with tables of up to four pieces"]
fn what_distances_are_missing_for_is_still_known_to_be_won() {
    let scene = Scene::new();
    for file in ["KQvK.rtbw", "KRvK.rtbw", "KQvK.rtbz"] {
        std::fs::copy(format!("{}/{file}", folder()), scene.path(file)).unwrap();
    }
    let mut engine = Engine::start();
    engine.send(&format!("setoption name SyzygyPath value {}", scene.folder.display()));
    for fen in
        ["8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "8/8/8/4k3/8/8/8/KR6 w - - 0 1", "8/8/8/4k3/8/8/8/KR6 b - - 0 1"]
    {
        let search =
            Search::check(&engine.go(&format!("position fen {fen}\ngo depth 4")), &Game::new(fen), 1);
        let score = search.last().score;
        let known = if fen.contains(" w ") {
            matches!(score, Said::Centipawns(5000..))
        } else {
            matches!(score, Said::Centipawns(..=-5000))
        };
        assert!(known, "{fen} {score:?}");
    }
    engine.quit();
}

#[test]
#[ignore = "wants files: ADOUBE_SYZYGY=folder with tables of up to four pieces"]
fn games_end_by_tables() {
    let folder = folder();
    let drawn = "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1";
    for (start, words, result, reason) in [
        (ROOK, "", "1-0", "White wins by adjudication: SyzygyTB"),
        (ROOK, "-tbadjudicate DRAW -maxmoves 5", "1/2-1/2", "move limit"),
        ("8/7p/8/1n2k3/8/8/8/KR6 w - - 7 1", "-tbpieces 3 -maxmoves 1", "1/2-1/2", "move limit"),
        (drawn, "-tbadjudicate WIN_LOSS -maxmoves 1", "1/2-1/2", "move limit"),
        // Nothing is taken: only without the fifty-move rule the win is sure.
        ("8/8/8/8/4k3/8/8/KR6 w - - 7 1", "-maxmoves 1", "1/2-1/2", "move limit"),
        ("8/8/8/8/4k3/8/8/KR6 w - - 7 1", "-tbignore50", "1-0", "SyzygyTB"),
    ] {
        let scene = Scene::new();
        let words = format!("-tb {folder} {words}");
        let ended = finish(command(&scene, start, &words).spawn().unwrap());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let game = games(&scene.path("g.pgn")).remove(0);
        assert_eq!(tag(&game, "Result"), result, "{words}: {game}");
        assert_eq!(tag(&game, "Termination"), "adjudication", "{words}: {game}");
        let text = game.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(reason), "{words}: {text}");
    }
}
