//! Positions and moves as clients send them.

use super::{assert_alive, fen};
use crate::support::engine::{Engine, best_move, best_moves};
use crate::support::lines::{Game, Search};
use adoube::board::{Board, chess960};

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
fn flip_shows_the_position_from_the_other_side() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("position startpos moves e2e4\nflip"), [""; 0]);
    let flipped = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(fen(&mut engine), flipped);
    let lines = engine.go("go depth 1 searchmoves e2e4");
    assert_eq!(best_move(&lines), "e2e4");
    engine.send("flip\nflip\nflip");
    assert_eq!(fen(&mut engine), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_alive(&mut engine);
    engine.quit();
}
