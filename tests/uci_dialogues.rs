//! What clients really send when the engine is idle, and what it must answer: options, positions, limits.

mod support;

use adoube::board::Board;
use adoube::board::chess960;
use support::engine::{Engine, best_move, best_moves, command, says};
use support::lines::{Game, InfoLine, Said, Search};

/// The FEN of the position on the board.
fn fen(engine: &mut Engine) -> String {
    let lines = engine.ask("d");
    let line = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
    line.unwrap_or_else(|| panic!("{lines:#?}")).to_string()
}

/// Whatever was done to it, the engine is there and plays.
fn assert_alive(engine: &mut Engine) {
    assert_eq!(engine.sync(), [""; 0]);
    let lines = engine.go("position startpos moves e2e4\ngo depth 2");
    assert!(!says(&lines, "ERROR"), "{lines:#?}");
    assert_eq!(best_move(&lines).len(), 4);
}

#[test]
fn the_introduction_can_be_read_by_everybody() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(says(&lines, "id name Adoube ") && says(&lines, "id author "), "{lines:#?}");
    let wanted = [
        "Hash type spin default 16 ",
        "Clear Hash type button",
        "Threads type spin default 1 min 1 max ",
        "MultiPV type spin default 1 min 1 max 256",
        "Ponder type check default false",
        "Move Overhead type spin ",
        "UCI_Chess960 type check default false",
        "UCI_ShowWDL type check default false",
        "UCI_AnalyseMode type check default false",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default ",
        "Skill Level type spin default 20 min 0 max 20",
        "OwnBook type check default false",
        "BookFile type string default <internal>",
        "EvalFile type string default <internal>",
        "Debug Log File type string default <empty>",
        "UCI_EngineAbout type string default Adoube ",
    ];
    for option in wanted {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option}"))), "{option}");
    }
    assert!(lines.iter().all(|line| ["id ", "option ", "uciok"].iter().any(|word| line.starts_with(word))));
    engine.quit();
}

#[test]
fn everything_works_before_uci() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("setoption name UCI_Chess960 value true"), [""; 0]);
    let castle = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\ngo depth 2 searchmoves e1g1";
    assert_eq!(best_move(&engine.go(castle)), "e1h1");
    engine.quit();
}

#[test]
fn options_are_found_however_they_are_written() {
    let mut engine = Engine::start();
    for line in [
        "setoption name Hash value 32",
        "setoption name hASH value 16   ",
        "  setoption   name  multipv\tvalue 3",
        "setoption name move overhead value 50",
        "setoption name MoveOverhead value 50",
        "setoption name Clear Hash",
        "setoption name Clear Hash value ",
        "setoption name clear hash value",
        "setoption NAME UCI_ShowWDL VALUE TRUE",
        "setoption name Ponder value true",
        "setoption name OwnBook value false",
        "setoption name Skill Level value 20",
        "setoption name UCI_EngineAbout value <empty>",
        "register later",
        "copyprotection",
        "ucinewgame",
    ] {
        assert_eq!(engine.ask(line), [""; 0], "{line}");
    }
    let lines = engine.go("go depth 3");
    assert!(Search::check(&lines, &Game::new(Board::START_FEN), 3).last().wdl.is_some());
    engine.quit();
}

#[test]
fn options_that_cannot_be_set_change_nothing_and_say_so() {
    let mut engine = Engine::start();
    for line in [
        "setoption name Contempt value 5",
        "setoption name Hash value abc",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value 0",
        "setoption name Hash value -5",
        "setoption name Hash value 1000000000",
        "setoption name Hash value 9223372036854775807",
        "setoption name Hash value 99999999999999999999999999999999999999999999",
        "setoption name Threads value 0",
        "setoption name MultiPV value 0",
        "setoption name MultiPV value 2.5",
        "setoption name UCI_Elo value 1",
        "setoption name Skill Level value -9",
        "setoption name Ponder value perhaps",
        "setoption name",
        "setoption value 3",
        "setoption",
    ] {
        let lines = engine.ask(line);
        assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{line}: {lines:#?}");
        assert_alive(&mut engine);
    }
    engine.quit();
}

#[test]
fn more_threads_than_any_machine_has_are_brought_down_to_what_it_can_do() {
    let mut engine = Engine::start();
    let lines = engine.ask("setoption name Threads value 100000");
    assert!(lines.len() == 1 && lines[0].contains("100000 is taken as"), "{lines:#?}");
    assert_eq!(best_moves(&engine.go("go nodes 100")).len(), 1);
    assert_eq!(engine.ask("setoption name Threads value 2"), [""; 0]);
    assert_alive(&mut engine);
    engine.quit();
}

#[test]
fn debug_repeats_what_was_received() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("debug on"), ["info string received: isready"]);
    assert!(says(&engine.ask("joho debug on"), "info string received: joho debug on"));
    engine.ask("joho debug off");
    assert_eq!(engine.ask("ucinewgame"), [""; 0]);
    engine.quit();
}

#[test]
fn fens_of_all_kinds_are_read() {
    let mut engine = Engine::start();
    let start = Board::START_FEN;
    for (given, expected) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", start),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0", start),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0", start),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", start),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1", start),
        ("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw  KQkq - 0 1 ", start),
        // Nobody can take: the square means nothing.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        // An inner rook is named, an outer one need not be.
        ("1rkr4/8/8/8/8/8/8/RRK4R w HBdb - 0 1", "1rkr4/8/8/8/8/8/8/RRK4R w KBkq - 0 1"),
    ] {
        assert_eq!(engine.ask(&format!("position fen {given}")), [""; 0], "{given}");
        assert_eq!(fen(&mut engine), expected, "{given}");
    }
    engine.quit();
}

#[test]
fn move_lists_empty_long_and_in_capitals() {
    let mut engine = Engine::start();
    for empty in ["position startpos moves", "position startpos moves ", "position startpos"] {
        engine.ask(empty);
        assert_eq!(fen(&mut engine), Board::START_FEN);
    }
    engine.ask("position fen 8/P6k/8/8/8/8/8/7K w - - 0 1 moves A7A8Q");
    assert!(fen(&mut engine).starts_with("Q7/7k/"));
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(2_000);
    assert_eq!(engine.ask(&format!("position startpos moves{shuffle}")), [""; 0]);
    assert!(fen(&mut engine).ends_with(" w KQkq - 8000 4001"), "{}", fen(&mut engine));
    assert_eq!(best_moves(&engine.go("go depth 3")).len(), 1);
    assert_alive(&mut engine);
    engine.quit();
}

/// Both spellings of castling are understood in both modes; the option alone decides how it is written.
#[test]
fn castling_is_read_both_ways_and_written_one_way() {
    let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let inner = "7k/8/8/8/8/8/8/1R3KR1 w GB - 0 1";
    let mut engine = Engine::start();
    for (mode, fen, given, written) in [
        (false, standard, "e1g1", "e1g1"),
        (false, standard, "e1h1", "e1g1"),
        (false, standard, "e1c1", "e1c1"),
        (false, standard, "e1a1", "e1c1"),
        (true, standard, "e1g1", "e1h1"),
        (true, standard, "e1h1", "e1h1"),
        (true, standard, "e1c1", "e1a1"),
        (true, standard, "e1a1", "e1a1"),
        (true, inner, "f1b1", "f1b1"),
        (false, inner, "f1b1", "f1b1"),
        (false, inner, "f1c1", "f1b1"),
        // Like a step of the king, but its own rook stands there.
        (true, inner, "f1g1", "f1g1"),
    ] {
        engine.send(&format!("setoption name UCI_Chess960 value {mode}"));
        let lines = engine.go(&format!("position fen {fen}\ngo depth 1 searchmoves {given}"));
        assert_eq!(best_move(&lines), written, "{mode} {fen} {given}");
        engine.ask(&format!("position fen {fen} moves {given}"));
        let mut game = Game::new(fen);
        game.chess960 = mode;
        game.play(written);
        let played = self::fen(&mut engine);
        assert_eq!(played, game.position.to_fen(adoube::board::FenStyle::XFen), "{mode} {fen} {given}");
    }
    engine.quit();
}

/// The mode is on all the time in some clients, whatever is played.
#[test]
fn chess960_is_searched_and_written_in_its_own_way() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_Chess960 value true");
    for number in [0, 518, 959, 333] {
        let fen = chess960::start(number, number).to_fen(adoube::board::FenStyle::Shredder);
        let mut game = Game::new(&fen);
        game.chess960 = true;
        let mut played = String::new();
        for _ in 0..24 {
            if game.is_over() {
                break;
            }
            let lines = engine.go(&format!("position fen {fen} moves{played}\ngo nodes 400"));
            let search = Search::check(&lines, &game, 1);
            game.play(&search.best);
            played += &format!(" {}", search.best);
        }
    }
    engine.quit();
}

/// As Scid does it when it reviews a game: the move that has led there stands behind the FEN.
#[test]
fn words_behind_a_fen_are_left_out() {
    let mut engine = Engine::start();
    let there = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(
        engine.ask(&format!("position fen {there} e4 !? moves e7e5")),
        ["info string 'e4 !?' behind the FEN is left out"]
    );
    assert!(fen(&mut engine).starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq"));
    assert_eq!(best_moves(&engine.go("go depth 3")).len(), 1);
    engine.quit();
}

/// What cannot be read is said, never guessed: no move is given until the next good position.
#[test]
fn bad_positions_are_refused_whole_and_the_next_good_one_heals() {
    let mut engine = Engine::start();
    for bad in [
        "position startpos moves e2e4 e7e5 e1e3",
        "position startpos moves e2e4 xyz",
        "position startpos moves e2e4 0000",
        "position startpos moves e2e4 e7e8q",
        "position startpos moves e2e4 éé",
        "position fen",
        "position fen hello",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K4 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        "position fen kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w - - 0 1",
        "position fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e2e4",
        // The side that has moved is in check.
        "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "position",
        "position e2e4",
        "position startpos e2e4",
    ] {
        engine.ask("position startpos moves d2d4");
        let good = fen(&mut engine);
        let lines = engine.ask(bad);
        assert!(lines.len() == 1 && lines[0].starts_with("info string ERROR"), "{bad}: {lines:#?}");
        assert_eq!(fen(&mut engine), good, "{bad}");
        for go in ["go depth 3", "go", "go wtime 100 btime 100", "go movetime 5 searchmoves d7d5"] {
            let lines = engine.go(if go == "go" { "go infinite\nstop" } else { go });
            let rest: Vec<_> = lines.iter().filter(|line| !line.starts_with("info string")).collect();
            assert_eq!(rest, ["bestmove (none)"], "{bad}: {go}");
        }
        assert_alive(&mut engine);
    }
    // Behind a search it has its turn, neither before the `go` that came earlier nor after the one that came later.
    engine.go_and_wait("position startpos\ngo infinite");
    engine.send(
        "position startpos moves e2e4\ngo depth 2 searchmoves a7a6\nposition startpos d2d4\ngo depth 2",
    );
    let moves: Vec<String> = (0..3).map(|_| best_move(&engine.until("bestmove")).to_string()).collect();
    assert_eq!(moves[1..], ["a7a6", "(none)"]);
    engine.quit();
}

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

#[test]
fn board_and_evaluation_have_the_form_that_libraries_read() {
    let mut engine = Engine::start();
    // As python's `stockfish` does: seventeen lines of the board, a file's column at four times its number.
    let lines = engine.ask("position startpos moves e2e4\nd");
    let board: Vec<&String> = lines.iter().filter(|line| line.contains(['+', '|'])).collect();
    assert_eq!(board.len(), 17, "{lines:#?}");
    assert_eq!((&board[9][19..20], &board[9][15..16], &board[1][19..20]), ("P", " ", "k"), "{lines:#?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("Checkers:")), "{lines:#?}");
    // The third word is White's view in pawns, whoever is to move.
    let mut value = |fen: &str| -> String {
        let lines = engine.ask(&format!("position fen {fen}\neval"));
        assert!(says(&lines, "static evaluation for "), "{lines:#?}");
        let place = lines.iter().position(|line| line.starts_with("Final evaluation")).unwrap();
        assert!(lines[place].contains(" none ") || lines[place + 1].is_empty(), "{lines:#?}");
        lines[place].split_whitespace().nth(2).unwrap().to_string()
    };
    let queen_up = ["w", "b"].map(|side| value(&format!("4k3/8/8/8/8/8/8/3QK3 {side} - - 0 1")));
    assert!(queen_up.iter().all(|value| value.starts_with('+') && value != "+0.00"), "{queen_up:?}");
    assert_eq!(value("4k3/8/8/8/8/8/8/4K3 b - - 0 1"), "+0.00");
    assert_eq!(value("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1"), "none");
    engine.quit();
}

#[test]
fn perft_has_the_form_that_tools_read() {
    let mut engine = Engine::start();
    engine.send("go perft 3");
    let mut lines = engine.until("Nodes searched");
    assert!(says(&lines, "a2a3: 380") && lines.last().unwrap() == "Nodes searched: 8902");
    assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), 21);
    lines = engine.sync();
    assert_eq!(lines, [""], "an empty line ends it");
    let castle = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo perft 1";
    for (mode, written) in [(true, "e1h1: 1"), (false, "e1g1: 1")] {
        engine.send(&format!("setoption name UCI_Chess960 value {mode}\n{castle}"));
        assert!(engine.until("Nodes searched").contains(&written.to_string()), "{mode}");
    }
    assert!(says(&engine.ask("go perft 100000"), "info string ERROR"));
    engine.send("bench 1");
    assert!(engine.until("").last().is_some_and(|line| line.contains(" nodes ") && line.ends_with(" nps")));
    engine.quit();
}

#[test]
fn any_white_space_and_line_end_will_do() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\r\n  \t\r\n# a comment\r\n\tposition\tstartpos   moves e2e4\t\r\n isready \r\n");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    assert_eq!(fen(&mut engine), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    engine.send_bytes(b"go depth 2\r\n");
    engine.until("bestmove ");
    engine.send_bytes(b"joho isready\n");
    engine.until("readyok");
    engine.quit();
}

/// A remark repeats what was not understood, but never so that it looks like a line of its own.
#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xff\xfe\x00hello\x00\xc3\x28\n");
    engine.send_bytes(b"position startpos moves e2\xffe4\n");
    engine.send_bytes(b"setoption name \x00 value \xf0\x9f\x98\n");
    engine.send_bytes(b"x\rbestmove e2e4\x0bgo\x1b[2J\n");
    let mut lines = engine.sync();
    let huge = "x".repeat(2 << 20);
    for line in ["", "position fen ", "position startpos moves ", "setoption name "] {
        lines.extend(engine.ask(&format!("{line}{huge}")));
    }
    for line in ["go searchmoves ", "go "] {
        lines.extend(engine.go(&format!("{line}{huge}\nstop")));
    }
    assert!(lines.len() >= 8, "{lines:#?}");
    for line in &lines {
        assert!(line.len() < 2_000 && !line.chars().any(char::is_control), "{line}");
    }
    assert_alive(&mut engine);
    engine.quit();
}

#[test]
fn arguments_are_lines_too() {
    let engine = Engine::start_with(command().args(["position startpos moves e2e4", "d", "go depth 3"]));
    let (lines, status) = engine.end();
    assert!(status.success() && says(&lines, "Fen: rnbqkbnr/pppppppp/8/8/4P3/"), "{lines:#?}");
    assert_eq!(best_moves(&lines).len(), 1);
}

#[test]
fn all_that_is_said_is_in_the_log() {
    let file = std::env::temp_dir().join(format!("adoube log {}-.txt", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let log = || std::fs::read_to_string(&file).unwrap();
    let mut engine = Engine::start();
    let set = format!("setoption name Debug Log File value {}", file.display());
    let mut said = vec![];
    for round in 1..=2 {
        assert_eq!(engine.ask(&set), [""; 0]);
        said.extend([">> position startpos", ">> go depth 3"].map(String::from));
        said.extend(engine.go("position startpos  \r\ngo depth 3").iter().map(|line| format!("<< {line}")));
        engine.send("d");
        assert_eq!(engine.ask("setoption name Debug Log File value <empty>")[0], "");
        assert_eq!(engine.ask("setoption name UCI_ShowWDL value false"), [""; 0]);
        let log = log();
        // Each beginning has its head.
        assert_eq!(log.matches(&format!(" -- process {}\n", engine.id())).count(), round, "{log}");
        // Each line begins with its time.
        for line in log.lines() {
            let (time, rest) = line.split_at(26);
            assert!(time.starts_with("20") && time.as_bytes()[19] == b'.', "{line}");
            assert!([" >> ", " << ", " -- "].iter().any(|mark| rest.starts_with(mark)), "{line}");
        }
        let found: Vec<&str> = log.lines().map(|line| &line[27..]).collect();
        for line in &said {
            assert!(found.contains(&line.as_str()), "'{line}' is not in {log}");
        }
        assert!(found.contains(&"<< Checkers:") || found.contains(&"<< Checkers: "), "{log}");
        assert!(!log.contains("ShowWDL"), "{log}");
    }
    let before = log();
    // A folder, and a folder that is not there.
    for path in [std::env::temp_dir(), file.join("below.txt")] {
        engine.send(&set);
        let told = engine.ask(&format!("setoption name Debug Log File value {}", path.display()));
        assert!(
            told.len() == 1 && says(&told, "cannot be written") && says(&told, "no log is kept"),
            "{told:#?}"
        );
    }
    // Nor is one made by another name than its own.
    engine.send(&set);
    let named = [set.trim_end_matches(".txt").as_bytes(), b"\xe9.txt\n"].concat();
    engine.send_bytes(&named);
    let told = engine.sync();
    assert!(told.len() == 1 && says(&told, "no UTF-8") && says(&told, "no log is kept"), "{told:#?}");
    let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
    let names = std::fs::read_dir(file.parent().unwrap()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    assert_eq!(names.filter(|name| name.starts_with(&stem)).count(), 1);
    assert_eq!(engine.ask("setoption name UCI_ShowWDL value true"), [""; 0]);
    assert!(log().starts_with(&before) && !log().contains("ShowWDL value true"));
    assert_alive(&mut engine);
    engine.quit();
    std::fs::remove_file(&file).unwrap();
}

/// As the clock of the machine's user has it, whose GUI keeps a log too.
#[cfg(unix)]
#[test]
fn a_log_goes_by_the_time_of_the_place() {
    // Small systems know no places.
    if !std::path::Path::new("/usr/share/zoneinfo/Asia/Tokyo").is_file() {
        return;
    }
    let time_in = |place: &str| {
        let name = format!("adoube place {} {}.txt", place.replace('/', "-"), std::process::id());
        let file = std::env::temp_dir().join(name);
        let mut engine = Engine::start_with(command().env("TZ", place));
        engine.until("Adoube ");
        assert_eq!(engine.ask(&format!("setoption name Debug Log File value {}", file.display())), [""; 0]);
        engine.quit();
        let log = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        log[..19].parse::<jiff::civil::DateTime>().unwrap()
    };
    let (in_utc, in_tokyo) = (time_in("UTC"), time_in("Asia/Tokyo"));
    let minutes = in_utc.duration_until(in_tokyo).as_mins();
    assert!((539..600).contains(&minutes), "{in_utc} {in_tokyo}");
}

/// The shell lets no file grow beyond a few lines, and a write that would is refused and not punished.
#[cfg(unix)]
#[test]
fn a_log_that_can_grow_no_more_is_told_of_once() {
    let file = std::env::temp_dir().join(format!("adoube full log {}.txt", std::process::id()));
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\"", env!("CARGO_BIN_EXE_adoube")]);
    shell.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut engine = Engine::start_with(shell.stderr(std::process::Stdio::piped()));
    // Once what is heard is too much, once what is said.
    for (line, times) in [("register later\n", 400), ("d\n", 12)] {
        let _ = std::fs::remove_file(&file);
        engine.send(&format!("setoption name Debug Log File value {}", file.display()));
        let lines = engine.ask(&line.repeat(times));
        let told = lines.iter().filter(|line| line.starts_with("info string ERROR: the log ends here: "));
        assert_eq!(told.count(), 1, "{lines:#?}");
    }
    std::fs::remove_file(&file).unwrap();
    assert_alive(&mut engine);
    engine.quit();
}
