//! The games that are made: their openings, searches and ends are what was asked for.

use super::{FAST, bytes, done, number, play, refused};
use crate::support::folder::Folder;
use adoube::eval::wdl::centipawns;
use adoube::training::data::{DataReader, Ending, SelfplayGame};
use adoube::types::{Color, Outcome, PieceType};
use std::path::Path;

/// What cannot be begun is told in its turn, with any number of threads, and what was played before stays.
#[test]
fn an_opening_that_fails_costs_no_game_before_it() {
    let folder = Folder::new("failing");
    let book = folder.path("odd.epd");
    // Random moves make good for the queen that is missing so seldom that two or so games come before they do not.
    std::fs::write(&book, "rnb1kb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n").unwrap();
    let mut kept = vec![];
    for threads in ["1", "4"] {
        let file = folder.path(threads);
        let words = "--nodes 15 --hash 1 --opening-nodes 1 --eval-file classic --random-plies 4 --opening-limit 100 --games 1000000";
        let more = ["--openings", &book, "--threads", threads];
        let words: Vec<&str> = words.split(' ').chain(more).collect();
        let told = refused(&[&["selfplay", &file][..], &words].concat(), 1);
        assert!(told.contains("openings in a row were unbalanced, over or too long"), "{told}");
        assert!(number(&done(&["data", "stats", &file]), "games") >= 1.0);
        kept.push(bytes(&file));
    }
    assert!(kept[0] == kept[1]);
    assert!(done(&["data", "verify", &folder.path("1")]).contains("whole"));
    // It is over, or there is no move left for it, but nobody is mated.
    for (start, more) in [
        ("4k3/8/8/8/8/8/r7/4K2R w - - 120 80", &["--random-plies", "0"][..]),
        (
            "[FEN \"4k3/8/8/8/8/8/r7/4K2R w - - 0 1\"]\n\n1. Kf1 Ke7 2. Ke1 Ke8 *",
            &["--random-plies", "0", "--longest", "4"][..],
        ),
    ] {
        let book = folder.path(if start.starts_with('[') { "over.pgn" } else { "over.epd" });
        std::fs::write(&book, format!("{start}\n")).unwrap();
        let file = folder.path("over");
        let words = ["--openings", &book, "--opening-limit", "30000", "--games", "2"];
        let told = refused(&[&["selfplay", &file][..], &FAST, &words, more].concat(), 1);
        assert!(told.contains("10000 openings in a row were unbalanced, over or too long"), "{told}");
        assert!(told.contains("a greater --opening-limit or --longest"), "{told}");
        std::fs::remove_file(&file).unwrap();
    }
}

/// Which opening a game has follows from its number: with a failure the same command would fail at it again.
#[test]
fn openings_that_are_too_long_are_drawn_again() {
    let folder = Folder::new("long");
    let (book, file) = (folder.path("book.pgn"), folder.path("games"));
    let long = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Nc3 Nc6 5. e3 e6 6. d3 d6 *";
    std::fs::write(&book, format!("[White \"a\"]\n\n{long}\n\n[White \"b\"]\n\n1. e3 e6 *\n")).unwrap();
    play(&file, &["--games", "20", "--openings", &book, "--random-plies", "0", "--longest", "12"]);
    let games = DataReader::open(Path::new(&file)).unwrap().map(Result::unwrap);
    let before = games.map(|game| game.plies.iter().take_while(|ply| ply.score.is_none()).count());
    assert_eq!(before.filter(|plies| [2, 3].contains(plies)).count(), 20);
}

#[test]
fn a_goal_in_positions_is_reached_with_the_first_game_that_does() {
    let folder = Folder::new("positions");
    let file = folder.path("games");
    play(&file, &["--positions", "900", "--threads", "2"]);
    let report = done(&["data", "stats", &file]);
    let (quiet, games) = (number(&report, "quiet positions"), number(&report, "games"));
    assert!(quiet >= 900.0, "{report}");
    assert!(number(&report, "half of the games are won with") > 0.0, "{report}");
    let fewer = folder.path("fewer");
    play(&fewer, &["--games", &format!("{}", games - 1.0)]);
    assert!(number(&done(&["data", "stats", &fewer]), "quiet positions") < 900.0);
    // Nothing is left to do.
    let before = bytes(&file);
    play(&file, &["--positions", "900"]);
    assert!(before == bytes(&file));
}

#[test]
fn games_are_what_the_options_say() {
    let folder = Folder::new("options");
    let file = folder.path("games");
    let plain = ["--games", "60", "--chess960", "0.5"];
    play(&file, &[&plain[..], &["--unadjudicated", "1", "--longest", "120"]].concat());
    let report = done(&["data", "stats", &file]);
    assert_eq!(number(&report, "games"), 60.0);
    assert_eq!(number(&report, "adjudicated win"), 0.0);
    assert_eq!(number(&report, "adjudicated draw"), 0.0);
    assert!(number(&report, "checkmate") > 0.0, "{report}");
    assert!(number(&report, "too long") > 0.0 && report.contains("to 120)"), "{report}");
    let size: f64 = report.rsplit_once('(').unwrap().1.split(' ').next().unwrap().parse().unwrap();
    assert!(size <= 4.0, "{size} bytes a ply");
    let adjudicated = folder.path("adjudicated");
    play(&adjudicated, &[&plain[..], &["--unadjudicated", "0", "--win-score", "300"]].concat());
    let report = done(&["data", "stats", &adjudicated]);
    assert!(number(&report, "adjudicated win") > 20.0, "{report}");
}

#[test]
fn games_begin_with_openings_of_a_file() {
    let folder = Folder::new("book");
    let (file, book) = (folder.path("games"), folder.path("book.epd"));
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -\n").unwrap();
    play(&file, &["--games", "5", "--openings", &book, "--random-plies", "2"]);
    assert!(done(&["data", "verify", &file]).contains("whole, 5 games"));
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 w - -\n").unwrap();
    let error = refused(
        &[&["selfplay", &file][..], &FAST, &["--games", "9", "--openings", &book, "--random-plies", "2"]]
            .concat(),
        1,
    );
    assert!(error.contains("made in another way"), "{error}");
    let missing = folder.path("missing.epd");
    let new = folder.path("new");
    let error = refused(&["selfplay", &new, "--games", "1", "--openings", &missing], 1);
    assert!(error.contains("missing.epd") && !Path::new(&new).exists(), "{error}");
}

#[test]
fn openbench_gets_its_openings() {
    let openings = |line: &str| {
        let out = done(&["setoption name EvalFile value classic", line, "quit"]);
        let fens: Vec<String> = out
            .lines()
            .map(|line| {
                line.strip_prefix("info string genfens ").unwrap_or_else(|| panic!("{line}")).to_string()
            })
            .collect();
        for fen in &fens {
            adoube::board::Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        }
        fens
    };
    let first = openings("genfens 8 seed 1 book None nodes 100");
    assert_eq!(first.len(), 8);
    assert_eq!(first, openings("genfens 8 seed 1 book None nodes 100"));
    assert_ne!(first, openings("genfens 8 seed 2 book None nodes 100"));
    let castling = |fen: &String| fen.split(' ').nth(2).unwrap().chars().all(|right| "KQkq-".contains(right));
    assert!(first.iter().all(castling), "as programs write FEN: {first:?}");
    let sides = ["w", "b"].map(|side| first.iter().filter(|fen| fen.split(' ').nth(1) == Some(side)).count());
    assert!(sides[0] > 0 && sides[1] > 0, "{first:?}");
    let folder = Folder::new("genfens");
    let book = folder.path("book.epd");
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -\n").unwrap();
    let from_book = openings(&format!("genfens 3 seed 1 book {book} random_plies 0 nodes 100"));
    assert!(
        from_book.len() == 3 && from_book.iter().all(|fen| !fen.contains(['q', 'Q', 'r', 'R'])),
        "{from_book:?}"
    );
    let error = refused(&["genfens 3 seed 1 book none.epd", "quit"], 1);
    assert!(error.contains("none.epd"), "{error}");
    for (line, what) in [
        ("genfens x seed 1 book None", "'genfens x'"),
        ("genfens 2 seed -1 book None", "'seed -1'"),
        ("genfens 2 seed 1 book none.xyz", "none.xyz: the name does not tell the format"),
        ("genfens", "whole number"),
    ] {
        let error = refused(&[line, "quit"], 2);
        assert!(error.contains(what), "{line}: {error}");
    }
}

/// At which ply the scores of a game agree that it is won or drawn, and how, by `win` and `draw`: a score and for how many
/// plies, draws after some more.
fn agreed(game: &SelfplayGame, win: (i32, usize), draw: (i32, usize, usize)) -> Option<(usize, Outcome)> {
    let sizes: Vec<Option<(i32, Color, bool)>> = game
        .positions()
        .map(|placed| {
            let (score, side) = (placed.score?, placed.position.side_to_move());
            let size = if score.is_decisive() { i32::MAX } else { centipawns(score).abs() };
            let is_pawn = placed.position.kind_on(placed.mv.from()) == Some(PieceType::Pawn);
            let leader = if score.units() > 0 { side } else { !side };
            Some((size, leader, is_pawn || placed.position.is_capture(placed.mv)))
        })
        .collect();
    (0..sizes.len()).find_map(|ply| {
        let last = |count: usize| {
            let from = (ply + 1).checked_sub(count)?;
            sizes[from..=ply].iter().copied().collect::<Option<Vec<_>>>()
        };
        let leader = sizes[ply]?.1;
        let is_won = last(win.1).is_some_and(|last| last.iter().all(|it| it.0 >= win.0 && it.1 == leader));
        let is_drawn =
            ply >= draw.2 && last(draw.1).is_some_and(|last| last.iter().all(|it| it.0 <= draw.0 && !it.2));
        let outcome = if is_won { Outcome::Win(leader) } else { Outcome::Draw };
        (is_won || is_drawn).then_some((ply, outcome))
    })
}

#[test]
fn games_are_ended_where_their_scores_agree_and_a_share_is_not() {
    let folder = Folder::new("agreed");
    // With the second only mates are seen coming: some are on the board by then.
    for (name, win, draw) in [("both", (400, 3), (40, 4, 30)), ("mates", (30_000, 3), (0, 40, 30))] {
        let file = folder.path(name);
        let words = format!(
            "--games 120 --threads 2 --longest 160 --unadjudicated 0.3 --win-score {} --win-plies {} --draw-score {} \
             --draw-plies {} --draw-after {}",
            win.0, win.1, draw.0, draw.1, draw.2
        );
        play(&file, &words.split_whitespace().collect::<Vec<_>>());
        assert!(done(&["data", "verify", &file]).contains("whole"));
        let (mut ended, mut went_on, mut draws) = (0, 0, 0);
        for game in DataReader::open(Path::new(&file)).unwrap() {
            let game = game.unwrap();
            let agreed = agreed(&game, win, draw);
            let last = game.plies.len() - 1;
            match game.ending {
                Ending::WinAdjudicated | Ending::DrawAdjudicated => {
                    assert_eq!(agreed, Some((last, game.outcome)));
                    assert_eq!(game.ending == Ending::DrawAdjudicated, game.outcome == Outcome::Draw);
                    ended += 1;
                    draws += usize::from(game.outcome == Outcome::Draw);
                }
                _ => went_on += usize::from(agreed.is_some_and(|(ply, _)| ply < last)),
            }
        }
        // Mates that were seen coming, too.
        assert!(ended > 0, "{name}");
        if name == "both" {
            assert!((20..60).contains(&went_on) && ended > 50, "{went_on} {ended}");
            assert!(draws > 0, "{draws}");
        }
    }
}

#[test]
fn searches_take_the_nodes_that_they_are_given() {
    let folder = Folder::new("nodes");
    let nodes_a_move = |name: &str, words: &str| {
        let file = folder.path(name);
        let usual = "--hash 1 --opening-nodes 50 --eval-file classic --games 2 --longest 20";
        let words: Vec<&str> = usual.split(' ').chain(words.split(' ')).collect();
        let said = done(&[&["selfplay", &file][..], &words].concat());
        let before = said.split_once(" nodes a move").unwrap_or_else(|| panic!("{said}")).0;
        before.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    // No iteration after so many ...
    let soft = nodes_a_move("soft", "--nodes 50 --hard-nodes 20000");
    assert!((50.0..1_000.0).contains(&soft), "{soft}");
    // ... and nothing at all beyond so many, where the last iteration would go on.
    let [hard, free] =
        ["300", "30000"].map(|most| nodes_a_move(most, &format!("--nodes 300 --hard-nodes {most}")));
    assert!(hard < 330.0 && free > 1.2 * hard, "{hard} {free}");
}
