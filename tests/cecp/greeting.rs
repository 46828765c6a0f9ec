//! How an engine is greeted: its features, its options, and what it is told only if it has asked for it.

use super::{Log, START, config, start, table};
use crate::support::cecp::{PATIENCE, Table, level, surroundings};
use adoube::board::Position;
use adoube::engine::cecp::CecpClient;
use adoube::engine::connection::Speaker;
use adoube::engine::process::EngineError;
use std::time::{Duration, Instant};

#[test]
fn the_greeting_is_answered() {
    let log = Log::new("greeting");
    let features = "ping=1 setboard=1 usermove=1 colors=0 memory=1 smp=1 name=1 ics=1 egt=\"x\" \
                    option=\"Style -combo Solid /// *Wild\" option=\"Book -check 1\" option=\"Log -check 0\" \
                    option=\"Reset -button\"";
    let mut config = config(&["--features", features, "--log", log.path()]);
    let options = [
        ("Style", "solid"),
        ("book", "false"),
        ("Log", "1"),
        ("Reset", "true"),
        ("Reset", "false"),
        ("Threads", "2"),
        ("Hash", "64"),
        ("Ponder", "true"),
        ("UCI_Chess960", "true"),
        ("Contempt", "5"),
        ("Style", "Mild"),
    ];
    config.options = options.map(|(name, value)| (name.to_string(), value.to_string())).to_vec();
    let client = CecpClient::start(&config, &surroundings()).unwrap();
    assert_eq!(client.name(), "mock");
    assert_eq!(
        client.refusals(),
        [
            "doesn't have option Contempt",
            "cannot do that: Invalid value for option Style: 'Mild' is none of Solid, Wild"
        ]
    );
    let mut table = Table::new(client, START, &[]);
    table.turn();
    let told = log.lines("xboard", "go");
    for line in [
        "accepted ping",
        "rejected egt",
        "option Style=Solid",
        "option Book=0",
        "option Log=1",
        "option Reset",
        "accepted done",
    ] {
        assert_eq!(told.iter().filter(|known| *known == line).count(), 1, "{line}: {told:#?}");
    }
    // Once when it is set up, so that it can complain, and again with each game.
    assert_eq!(told.iter().filter(|line| *line == "memory 64").count(), 2, "{told:#?}");
    let begin = told.iter().rposition(|line| line == "memory 64").unwrap();
    assert_eq!(
        told[begin..],
        [
            "memory 64",
            "cores 2",
            "new",
            "ics -",
            "name Somebody",
            "computer",
            "level 0 1 0",
            "hard",
            "easy",
            "post",
            "force",
            "ping 2",
            "time 6000",
            "otim 6000",
            "go"
        ]
    );
    log.assert_well_spoken();
}

#[test]
fn errors_while_it_is_set_up_are_heard() {
    let client = start(&["--on", "start=say=tellusererror_no_network|Error_(bad_value):_option_Style=7"]);
    assert_eq!(client.refusals(), ["says: no network", "says: Error (bad value): option Style=7"]);
}

#[test]
fn who_has_not_asked_for_memory_and_cores_is_not_told_of_them() {
    let log = Log::new("means");
    let mut config = config(&["--features", "ping=1 setboard=1 name=1", "--log", log.path()]);
    config.name = "Given".into();
    config.options = [("Hash", "64"), ("Threads", "2")].map(|(a, b)| (a.to_string(), b.to_string())).to_vec();
    let mut client = CecpClient::start(&config, &surroundings()).unwrap();
    assert_eq!(client.name(), "Given", "whatever it calls itself");
    assert_eq!(client.refusals(), ["doesn't have option Hash", "doesn't have option Threads"]);
    // A name has no end of a line in it.
    client.new_game(&Position::default(), &[], false, &level(), false, "A\nB").unwrap();
    let told = log.lines("new", "force");
    assert!(told.contains(&"name A B".to_string()), "{told:?}");
    assert!(!log.read().contains("memory") && !log.read().contains("cores"));
    log.assert_well_spoken();
}

#[test]
fn engines_of_version_1_play_too() {
    for form in ["move", "numbered", "gnu", "bare"] {
        let log = Log::new(&format!("v1-{form}"));
        let switches = ["--no-features", "--form", form, "--seed", "3", "--log", log.path()];
        let mut table = table(&switches);
        let [refusal] = table.client.refusals() else { panic!("{:?}", table.client.refusals()) };
        assert!(refusal.contains("does it speak UCI?"), "{refusal}");
        for _ in 0..20 {
            table.turn();
            let mv = table.position.legal_moves()[0];
            table.play(mv);
        }
        assert_eq!(table.client.take_unasked(), 0, "{form}");
        let told = log.lines("force", "go");
        assert_eq!(told[..6], ["force", "black", "time 6000", "otim 6000", "white", "go"]);
        assert!(!log.read().contains("ping"));
        log.assert_well_spoken();
    }
}

#[test]
fn features_may_come_slowly_or_never_end() {
    let mut slow = Table::new(start(&["--slow", "2500", "--script", "e2e4"]), START, &[]);
    assert_eq!(slow.turn(), "e2e4");
    let mut open = Table::new(start(&["--no-done", "--script", "e2e4"]), START, &[]);
    assert_eq!(open.turn(), "e2e4");
    let mut late = surroundings();
    late.startup_time = Duration::from_millis(200);
    let error = CecpClient::start(&config(&["--slow", "60000"]), &late).err().unwrap();
    assert!(matches!(error, EngineError::Silent("feature done=1")), "{error}");
}

/// GNU Chess 6 loses lines that come while it starts.
#[test]
fn who_has_not_heard_is_asked_for_its_features_again() {
    let log = Log::new("asked-again");
    let client = start(&["--on", "protover1=nothing", "--log", log.path()]);
    assert_eq!(client.name(), "mock", "its features have come");
    assert!(log.read().matches("protover 2\n").count() >= 2);
    log.assert_well_spoken();
}

#[test]
fn engines_that_want_no_offers_get_none() {
    let log = Log::new("no-offers");
    let mut table = table(&["--features", "ping=1 setboard=1 draw=0 reuse=0", "--log", log.path()]);
    assert!(!table.client.tell_draw_offer(Instant::now() + PATIENCE).unwrap());
    assert!(table.client.must_restart(), "reuse=0");
    assert!(!log.read().contains("computer"), "who has not asked for names");
    table.turn();
    log.assert_well_spoken();
}
