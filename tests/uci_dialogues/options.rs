//! The introduction, and options as clients set them.

use super::assert_alive;
use crate::support::engine::{Engine, best_move, best_moves, says};
use crate::support::lines::{Game, Search};
use adoube::board::Board;

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
