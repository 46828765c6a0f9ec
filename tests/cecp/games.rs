//! Games as an engine is told them: positions, openings and moves, in the notation that it wants.

use super::{Log, START, config, start, table};
use crate::support::cecp::{PATIENCE, Table, level, surroundings};
use adoube::board::Position;
use adoube::engine::cecp::CecpClient;
use adoube::engine::process::EngineError;
use adoube::types::Outcome;
use std::time::Instant;

#[test]
fn an_ordinary_turn_is_three_lines() {
    let log = Log::new("turn");
    let mut table = table(&["--script", "e2e4 Nf3", "--log", log.path()]);
    assert_eq!(table.turn(), "e2e4");
    table.reply("e7e5");
    assert_eq!(table.turn(), "Nf3");
    let told = log.lines("go", "usermove e7e5");
    assert_eq!(told, ["go", "time 6000", "otim 6000", "usermove e7e5"]);
    assert_eq!(table.client.take_unasked(), 0);
    log.assert_well_spoken();
}

#[test]
fn an_opening_is_played_in_force_mode() {
    for (book, own) in [(&["e4", "e5", "Nf3"][..], "b8c6"), (&["e4", "e5"], "g1f3")] {
        let log = Log::new(&format!("opening-{own}"));
        let mut table = Table::new(start(&["--script", own, "--log", log.path()]), START, book);
        assert_eq!(table.turn(), own);
        log.assert_well_spoken();
    }
    // The opponent moves first.
    let log = Log::new("opening-black");
    let mut table = table(&["--script", "c7c5", "--log", log.path()]);
    table.reply("e2e4");
    assert_eq!(table.turn(), "c7c5");
    let told = log.lines("force", "go");
    assert_eq!(told[2..], ["usermove e2e4", "time 6000", "otim 6000", "go"]);
    log.assert_well_spoken();
}

#[test]
fn notations_are_those_that_the_engine_wants() {
    let fen = "r3k2r/1P6/8/8/8/8/7p/R3K2R b KQkq - 0 1";
    for (features, expected) in [
        ("ping=1 setboard=1 usermove=1 san=1 colors=0", ["usermove O-O", "usermove O-O-O"]),
        ("ping=1 setboard=1 usermove=0 san=0", ["e8g8", "e1c1"]),
        ("ping=1 setboard=1 usermove=0 san=1 time=0", ["O-O", "O-O-O"]),
    ] {
        let log = Log::new(&format!("notation-{}", features.len()));
        let start = start(&["--features", features, "--script", "a8a2 *", "--log", log.path()]);
        let mut table = Table::new(start, fen, &["O-O", "O-O-O"]);
        table.turn();
        let told = log.lines(&format!("setboard {fen}"), "go");
        assert_eq!(told[1..3], expected);
        assert_eq!(told.contains(&"black".to_string()), !features.contains("colors"));
        // It stands before times.
        let has_both = !features.contains("colors") && !features.contains("time=0");
        assert_eq!(told.contains(&"white".to_string()), has_both);
        assert_eq!(told.iter().any(|line| line.starts_with("time")), !features.contains("time=0"));
        table.reply("b8=Q");
        table.turn();
        log.assert_well_spoken();
    }
}

#[test]
fn an_engine_with_colors_is_told_whose_clock_it_is() {
    let log = Log::new("colors");
    let features = "ping=1 setboard=1 usermove=1";
    let mut table = Table::new(start(&["--features", features, "--log", log.path()]), START, &[]);
    table.turn();
    assert_eq!(log.lines("black", "go"), ["black", "time 6000", "otim 6000", "white", "go"]);
    log.assert_well_spoken();
}

#[test]
fn moves_of_an_opening_that_are_repeated_are_none_that_nobody_asked_for() {
    let client = start(&["--on", "new=say=1._..._e7e5"]);
    let mut table = Table::new(client, START, &["e4", "e5", "Nf3"]);
    assert_eq!(table.client.take_unasked(), 0);
    table.turn();
}

#[test]
fn engines_without_setboard_are_edited() {
    let log = Log::new("edit");
    let client = start(&["--features", "ping=1", "--script", "e7d6", "--log", log.path()]);
    let mut table = Table::new(client, "4k3/4p3/3P4/8/8/8/8/4K2R b K - 0 1", &[]);
    assert_eq!(table.turn(), "e7d6");
    let told = log.lines("edit", "go");
    assert_eq!(told[..8], ["edit", "#", "Pd6", "Rh1", "Ke1", "c", "Pe7", "Ke8"]);
    log.assert_well_spoken();
    let rights = Position::from_fen("4k3/8/8/8/8/8/8/4K2R b - - 0 1").unwrap();
    let refused = table.client.new_game(&rights, &[], false, &level(), false, "");
    assert!(matches!(refused, Err(EngineError::Unable(text)) if text.contains("castling rights")));
    let chess960 = table.client.new_game(&Position::default(), &[], true, &level(), false, "");
    assert!(matches!(chess960, Err(EngineError::Unable(_))));
}

#[test]
fn chess960_is_a_variant() {
    let log = Log::new("chess960");
    let features = "ping=1 setboard=1 usermove=1 colors=0 variants=\"normal,fischerandom\"";
    let mut client = start(&["--features", features, "--script", "O-O", "--log", log.path()]);
    let fen = "2k2r2/8/8/8/8/8/5P2/1R2K1R1 w GBf - 0 1";
    let position = Position::from_fen(fen).unwrap();
    client.new_game(&position, &[], true, &level(), false, "").unwrap();
    let mut table = Table { client, start: position, position, moves: vec![], said: vec![] };
    assert_eq!(table.turn(), "O-O");
    table.reply("O-O");
    table.turn();
    assert!(log.read().contains("variant fischerandom\n") && log.read().contains("usermove O-O\n"));
    log.assert_well_spoken();
    // What an engine may have drawn by lot is told too where it is the usual one.
    let mut usual = start(&["--features", features, "--log", log.path()]);
    usual.new_game(&Position::default(), &[], true, &level(), false, "").unwrap();
    assert!(log.read().contains("force\nsetboard rnbqkbnr/pppppppp/"), "{}", log.read());
    // Who does not name it, or names it not and does not know it, or plays only other games.
    for (switches, chess960) in [
        (&["--features", "ping=1 setboard=1 variants=\"normal\""][..], true),
        (&["--on", "new=say=Illegal_move:_variant_fischerandom"], true),
        (&["--features", "ping=1 setboard=1 variants=\"chu,fischerandom\""], false),
    ] {
        let begun = CecpClient::start(&config(switches), &surroundings())
            .and_then(|mut client| client.new_game(&position, &[], chess960, &level(), false, ""));
        assert!(matches!(begun, Err(EngineError::Unable(_))), "{switches:?}");
    }
    // In a match of it that is known at once.
    let mut config = config(&["--features", "ping=1 setboard=1 variants=\"normal\""]);
    config.options = vec![("UCI_Chess960".to_string(), "true".to_string())];
    let begun = CecpClient::start(&config, &surroundings());
    let told = begun.err().map(|error| error.to_string());
    assert_eq!(told.as_deref(), Some("does not play Chess960 (no variant fischerandom with setboard)"));
}

#[test]
fn a_king_may_go_where_its_rook_was_when_it_castled() {
    let log = Log::new("castled");
    let client = start(&["--script", "g1h1 g1h1", "--log", log.path()]);
    let mut table = Table::new(client, "4k3/7p/8/8/8/8/7P/6KR w H - 0 1", &[]);
    assert_eq!(table.turn(), "g1h1");
    table.reply("e8e7");
    assert_eq!(table.turn(), "g1h1");
    log.assert_well_spoken();
}

#[test]
fn a_position_can_be_set_up_again() {
    let log = Log::new("again");
    let mut table = table(&["--seed", "1", "--log", log.path()]);
    table.turn();
    table.reply("e7e5");
    table.client.take_back();
    table.turn();
    // Less than before: the game has gone back.
    table.moves.truncate(1);
    table.position = table.start.after(table.moves[0]);
    table.reply("d7d5");
    table.turn();
    // More than one move: it has not been asked for some time.
    for _ in 0..3 {
        let mv = table.position.legal_moves()[0];
        table.play(mv);
    }
    table.turn();
    assert_eq!(log.read().matches("\nsetboard").count(), 3);
    log.assert_well_spoken();
}

#[test]
fn long_games_are_set_up_from_where_no_position_can_come_again() {
    let log = Log::new("long");
    let client = start(&["--log", log.path()]);
    let mut book = vec!["e4", "e5"];
    for _ in 0..30 {
        book.extend(["Nf3", "Nc6", "Ng1", "Nb8"]);
    }
    // Then a pawn moves.
    book.extend(["d4", "Nf6", "Bd3"]);
    let mut table = Table::new(client, START, &book);
    table.turn();
    let told = log.lines("force", "go");
    let fen = "setboard rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 62";
    assert_eq!(told[1..4], [fen, "usermove g8f6", "usermove f1d3"]);
    // It goes on as usual, and a move that is made is another one to be told.
    table.reply("a2a3");
    table.turn();
    table.reply("b2b3");
    table.client.take_back();
    table.turn();
    assert_eq!(log.read().matches("\nsetboard").count(), 2);
    log.assert_well_spoken();
}

#[test]
fn one_process_plays_many_games() {
    let log = Log::new("games");
    let mut client = start(&["--script", "e2e4+offer-draw d2d4+say=move_e2e4", "--log", log.path()]);
    for game in 0..50 {
        let mut table = Table::new(client, START, &[]);
        assert_eq!(table.turn(), "e2e4", "game {game}");
        table.reply("e7e5");
        assert_eq!(table.turn(), "d2d4");
        table.client.tell_result(Outcome::Draw, "enough", Instant::now() + PATIENCE).unwrap();
        client = table.client;
    }
    log.assert_well_spoken();
    client.quit();
}
