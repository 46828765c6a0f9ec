//! The form of what is read and of what is written.

use super::{assert_alive, fen};
use crate::support::engine::{Engine, best_moves, command, says};

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
fn what_the_program_is_and_understands_is_told() {
    let mut engine = Engine::start();
    let compiler = engine.ask("compiler");
    for line in ["compiled for ", "network arithmetic ", "evaluation network "] {
        assert!(compiler.iter().any(|told| told.starts_with(line)), "{line}: {compiler:#?}");
    }
    let help = engine.ask("help");
    for words in [", go, stop, ponderhit, ", "go perft N", "option Hash: ", "option BookFile: "] {
        assert!(
            help.iter().any(|told| told.starts_with("info string ") && told.contains(words)),
            "{words}: {help:#?}"
        );
    }
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
fn bench_takes_stockfishs_words_too() {
    let mut engine = Engine::start();
    engine.send("bench 3");
    let ours = engine.until("").last().unwrap().to_string();
    engine.send("bench 16 1 3 default depth");
    let lines = engine.until("Nodes/second    : ");
    let nodes = ours.split(' ').next().unwrap();
    assert!(lines.contains(&format!("Nodes searched  : {nodes}")), "{ours}: {lines:?}");
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\nbench 1 1 1 current perft mixed");
    assert!(engine.until("Nodes/second").contains(&"Nodes searched  : 15".to_string()));
    for (words, wrong) in [
        ("bench 16 1 3 default speed", "'speed' is no kind of limit"),
        ("bench 16 1 3 default depth classical", "'classical'"),
        ("bench 16 1 3 nowhere.fen", "nowhere.fen: "),
        ("bench 16 x 3 default", "invalid threads 'x'"),
    ] {
        engine.send(words);
        let told = engine.until("info string ERROR: ").pop().unwrap();
        assert!(told.contains(wrong), "{words}: {told}");
    }
    assert_alive(&mut engine);
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
