//! Times and periods as an engine is told them.

use super::{Log, START, start, table};
use crate::support::cecp::{Table, level};
use adoube::board::Position;
use adoube::engine::cecp::Level;
use std::time::Duration;

#[test]
fn periods_are_told_when_they_begin() {
    let log = Log::new("periods");
    let mut table = table(&["--log", log.path()]);
    table.turn();
    table.reply("e7e5");
    let second = Level { moves: Some(20), clock: Some(Duration::from_secs(90)), ..Level::default() };
    table.client.set_level(&second);
    table.client.set_level(&second);
    table.turn();
    assert_eq!(
        log.lines("go", "usermove e7e5"),
        ["go", "level 20 1:30 0", "time 6000", "otim 6000", "usermove e7e5"]
    );
    table.client.set_level(&second);
    table.reply("d7d6");
    table.turn();
    let told = log.lines("usermove e7e5", "usermove d7d6");
    assert_eq!(told[1..], ["time 6000", "otim 6000", "usermove d7d6"], "it is no other than before");
    log.assert_well_spoken();
}

#[test]
fn moves_that_nobody_thought_about_do_not_count_for_a_period() {
    let log = Log::new("periods-book");
    let client = start(&["--log", log.path()]);
    let mut table = Table::new(client, START, &[]);
    let book = ["e4", "e5", "Nf3", "Nc6"];
    for mv in book {
        table.reply(mv);
    }
    let forty = Level { moves: Some(40), ..level() };
    table.client.new_game(&table.start, &table.moves, false, &forty, false, "").unwrap();
    table.turn();
    let told = log.lines("usermove b8c6", "go");
    assert_eq!(told[..2], ["usermove b8c6", "level 40 1 0"]);
    // When it is told everything anew, what is left of them.
    table.reply("a7a6");
    table.turn();
    table.reply("b7b6");
    table.client.take_back();
    table.turn();
    let log_now = log.read();
    assert_eq!(log_now.matches("\nlevel 38 1 0\n").count(), 1, "{log_now}");
    assert!(log_now.contains("usermove b7b6\nping 4\nlevel 38 1 0\ntime 6000\n"), "{log_now}");
    // And where they have been made the next ones, which are as many as ever, with what is on the clock.
    for _ in 0..38 {
        let mv = table.position.legal_moves()[0];
        table.play(mv);
        table.client.take_unasked();
        table.turn();
    }
    assert_eq!(log.read().matches("\nlevel 40 1 0\n").count(), 2, "{}", log.read());
    log.assert_well_spoken();
}

/// To set up a position without `setboard` a game is begun anew, with its level.
#[test]
fn a_period_that_a_new_game_has_told_is_not_told_again() {
    let log = Log::new("periods-edit");
    let mut table = table(&["--features", "ping=1 colors=0", "--log", log.path()]);
    table.turn();
    table.reply("e7e5");
    table.client.set_level(&Level { moves: Some(20), ..level() });
    table.client.take_back();
    table.turn();
    assert_eq!(log.read().matches("level 20 1 0\n").count(), 1);
    log.assert_well_spoken();
}

#[test]
fn old_engines_are_told_depth_and_time_in_the_old_way() {
    let log = Log::new("old-level");
    let mut client = start(&["--unknown", "st", "--unknown", "sd", "--log", log.path()]);
    let level = Level { movetime: Some(Duration::from_secs(5)), depth: Some(7), ..Level::default() };
    let start = Position::default();
    client.new_game(&start, &[], false, &level, false, "").unwrap();
    let mut table = Table { client, start, position: start, moves: vec![], said: vec![] };
    table.turn();
    assert_eq!(log.lines("force", "go")[2..5], ["level 1 0:05", "depth 7", "7"]);
    // So are others, once.
    let other = Level { movetime: Some(Duration::from_secs(90)), depth: Some(9), ..Level::default() };
    table.client.set_level(&other);
    table.reply("e7e5");
    table.turn();
    table.reply("d7d6");
    table.turn();
    let told = log.lines("go", "usermove d7d6");
    let expected = [
        "go, st 90, sd 9, level 1 1:30, depth 9, 9, time 6000, otim 6000, usermove e7e5",
        "time 6000, otim 6000, usermove d7d6",
    ];
    assert_eq!(told.join(", "), expected.join(", "));
}
