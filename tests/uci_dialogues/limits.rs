//! Limits of a search, and what it answers when there is nothing to search.

use crate::support::engine::{Engine, best_move, best_moves, says};
use crate::support::lines::{Game, InfoLine, Said, Search};
use adoube::board::Board;

#[test]
fn limits_in_any_order_and_with_anything_between_them() {
    let mut engine = Engine::start();
    for white in [true, false] {
        engine.send(if white { "position startpos" } else { "position startpos moves e2e4" });
        for go in [
            "go wtime 0 btime 0",
            "go wtime -5 btime -100 winc -1 binc -1",
            "go wtime 100",
            "go btime 100",
            "go wtime 50.7 btime 50.7",
            "go btime 30 winc 0 movestogo 1 wtime 30 binc 0",
            "go movestogo 0 wtime 20 btime 20",
            "go movetime 1",
            "go movetime 0",
            "go movetime -3",
            "go movetime 20 depth 3 wtime 1000 btime 1000 nodes 400",
            "go depth 2 hello world",
            "go nodes 10 wtime abc",
            "go nodes 0",
            "go depth 0",
            "go depth -1",
            "go nodes 200 depth 200 ponderer",
            "go depth 99999999999999999999999 nodes 50",
            "go nodes 99999999999999999999999 depth 2",
            "go wtime 99999999999999999999999 btime 99999999999999999999999 winc 99999999999999999999999 binc 99999999999999999999999 depth 2",
            "go movetime 9223372036854775807 depth 2",
            "go mate 1",
            "go mate 0",
            "go movestogo 5 depth 1",
            "go wtime btime depth 1",
        ] {
            let lines = engine.go(go);
            assert_ne!(best_move(&lines), "(none)", "{go}");
        }
    }
    for (go, remarks) in [
        ("go depth 1 wtime x", 1),
        ("go depth 1 x y", 2),
        ("go depth 1 wtime", 1),
        ("go depth 1", 0),
        ("go winc 5 binc 5 depth 1", 1),
        ("go movestogo 9 depth 1", 1),
    ] {
        let lines = engine.go(go);
        assert_eq!(
            lines.iter().filter(|line| line.starts_with("info string ERROR: ")).count(),
            remarks,
            "{go}"
        );
    }
    engine.quit();
}

#[test]
fn depth_is_reached_and_not_passed() {
    let mut engine = Engine::start();
    for depth in [1, 2, 7] {
        let search = Search::check(&engine.go(&format!("go depth {depth}")), &Game::new(Board::START_FEN), 1);
        assert_eq!(search.last().depth, depth);
    }
    // The other thread, which has not come so far, has no say.
    engine.send("setoption name Threads value 2");
    for _ in 0..25 {
        let lines = engine.go("ucinewgame\nposition startpos\ngo depth 9");
        assert_eq!(Search::check(&lines, &Game::new(Board::START_FEN), 1).last().depth, 9);
    }
    engine.quit();
}

/// With one thread; several can only look at each other's counts now and then.
#[test]
fn nodes_are_counted_to_the_last() {
    let mut engine = Engine::start();
    for nodes in [100, 1_000, 5_000, 40_000] {
        let lines = engine.go(&format!("ucinewgame\ngo nodes {nodes}"));
        let counted = Search::check(&lines, &Game::new(Board::START_FEN), 1).last().nodes;
        assert!((nodes..nodes + 3).contains(&counted), "{counted} of {nodes}");
    }
    engine.quit();
}

#[test]
fn searchmoves_are_respected() {
    let mut engine = Engine::start();
    for (go, allowed) in [
        ("go depth 5 searchmoves a2a3", &["a2a3"][..]),
        ("go searchmoves h2h4 a2a4 depth 5", &["h2h4", "a2a4"]),
        ("go searchmoves a2a4 e2e5 depth 4", &["a2a4"]),
        ("go searchmoves A2A4 depth 4", &["a2a4"]),
        ("go depth 4 searchmoves a2a3 wtime 1000 btime 1000", &["a2a3"]),
        ("go depth 3 searchmoves 0000", &["(none)"]),
        ("go depth 3 searchmoves e2e5", &["(none)"]),
    ] {
        let lines = engine.go(go);
        assert!(allowed.contains(&best_move(&lines)), "{go}: {lines:#?}");
        let first_moves = lines.iter().filter_map(|line| line.split(" pv ").nth(1)?.split(' ').next());
        assert!(first_moves.into_iter().all(|mv| allowed.contains(&mv)), "{go}: {lines:#?}");
    }
    // Who names no move has named none to leave out.
    let lines = engine.go("go depth 3 searchmoves");
    assert!(best_move(&lines).len() == 4 && says(&lines, "'searchmoves' needs a move"), "{lines:#?}");
    // Fewer moves than lines asked for.
    let lines = engine.go("setoption name MultiPV value 5\ngo depth 3 searchmoves h2h4 a2a4");
    let ranks =
        lines.iter().filter(|line| line.starts_with("info depth 3 ")).map(|line| line.contains("multipv 1 "));
    assert_eq!(ranks.take(2).collect::<Vec<_>>(), [true, false]);
    engine.quit();
}

#[test]
fn a_root_without_moves_is_answered_with_its_score() {
    let mut engine = Engine::start();
    for (fen, score) in
        [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"), ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0")]
    {
        for go in ["go depth 5", "go wtime 1000 btime 1000", "go nodes 100", "go mate 3", "go movetime 10000"]
        {
            let lines = engine.go(&format!("position fen {fen}\n{go}"));
            assert_eq!(lines, [format!("info depth 0 score {score}"), "bestmove (none)".into()], "{go}");
        }
    }
    // In check, but mated only by whoever forbids all moves.
    let lines = engine.go("position fen 7k/8/8/8/8/8/8/K6R b - - 0 1\ngo depth 5 searchmoves 0000");
    assert!(lines[0].starts_with("info string") && lines[0].contains("searchmoves"), "{lines:#?}");
    assert_eq!(lines[1..], ["bestmove (none)"]);
    engine.quit();
}

#[test]
fn a_mate_is_found_when_asked_for_and_given_up_when_there_is_none() {
    let mut engine = Engine::start();
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ] {
        let lines = engine.go(&format!("ucinewgame\nposition fen {fen}\ngo mate {moves}"));
        let Said::Mate(found) = Search::check(&lines, &Game::new(fen), 1).last().score else {
            panic!("{lines:#?}")
        };
        assert!((1..=moves).contains(&found), "{lines:#?}");
    }
    // The others keep their order behind it.
    let lines = engine.go("ucinewgame\nsetoption name MultiPV value 3\nposition fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1\ngo mate 2");
    let shown = |from_end: usize| {
        let infos: Vec<&String> = lines.iter().filter(|line| line.contains(" pv ")).collect();
        let last = infos.len() - 3 * from_end;
        let firsts = infos[last - 3..last]
            .iter()
            .map(|line| line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap());
        firsts.map(String::from).collect::<Vec<_>>()
    };
    let (before, after) = (shown(1), shown(0));
    assert_eq!(after, ["a1a6", &before[0], &before[1]], "{lines:?}");
    engine.send("setoption name MultiPV value 1");
    let lines = engine.go("ucinewgame\nposition startpos\ngo mate 4");
    assert_eq!(best_moves(&lines).len(), 1, "{lines:#?}");
    // What the proof looks at is counted too.
    let infos: Vec<InfoLine> =
        lines.iter().filter(|line| line.contains(" pv ")).map(|line| InfoLine::read(line)).collect();
    let [.., before, after] = &infos[..] else { panic!("{lines:?}") };
    assert!(after.nodes > 5 * before.nodes, "{lines:?}");
    // Both keep to the other limits.
    let lines = engine.go("ucinewgame\nposition startpos\ngo mate 4 nodes 20000");
    let nodes = Search::check(&lines, &Game::new(Board::START_FEN), 1).last().nodes;
    assert!((20_000..20_003).contains(&nodes), "{lines:?}");
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let lines = engine.go(&format!("ucinewgame\nposition fen {fen}\ngo mate 2 depth 1"));
    let score = Search::check(&lines, &Game::new(fen), 1).last().score;
    assert!(matches!(score, Said::Centipawns(_)), "{lines:?}");
    engine.quit();
}

#[test]
fn no_line_comes_twice() {
    let mut engine = Engine::start();
    for lines in [3, 1] {
        let said = engine.go(&format!("setoption name MultiPV value {lines}\nposition startpos\ngo depth 6"));
        let search = Search::check(&said, &Game::new(Board::START_FEN), lines);
        let told: Vec<_> = search.infos.iter().map(|info| (info.depth, info.rank)).collect();
        let once: Vec<_> =
            (1..=6).flat_map(|depth| (1..=lines as u64).map(move |rank| (depth, rank))).collect();
        assert_eq!(told, once);
    }
    engine.quit();
}
