//! Engines that make noise, end or hang.

use super::{START, config, table};
use crate::support::cecp::{Table, level, surroundings};
use adoube::board::Position;
use adoube::engine::cecp::CecpClient;
use adoube::engine::connection::Speaker;
use adoube::engine::process::EngineError;
use adoube::engine::said::Said;
use adoube::types::{Color, Outcome};
use std::time::{Duration, Instant};

#[test]
fn noise_hides_no_move() {
    for items in ["flood=5", "garbage", "long", "text=12_3", "say=move_", "say="] {
        let mut table = table(&["--script", &format!("{items}+say=+e2e4")]);
        table.think();
        // A move that is none is one all the same; a text without a line end swallows no more than the next line.
        let expected = if items.starts_with("say=move") { "" } else { "e2e4" };
        assert_eq!(table.hear().unwrap(), Said::Move(expected.into()), "{items}");
    }
}

#[test]
fn whoever_ends_is_missed() {
    for items in ["crash", "offer-draw+crash", "crash=1000"] {
        let mut table = table(&["--script", items]);
        table.think();
        let error = std::iter::repeat_with(|| table.hear()).find_map(Result::err).unwrap();
        assert!(error.to_string().contains("something terrible"), "{error}");
        assert!(table.client.has_ended());
    }
    for event in ["start", "new"] {
        let mut config = config(&["--on", &format!("{event}=crash")]);
        config.name = "A".into();
        let ended = CecpClient::start(&config, &surroundings())
            .and_then(|mut client| client.new_game(&Position::default(), &[], false, &level(), false, ""));
        assert!(matches!(ended, Err(EngineError::Gone(_))), "{event}");
    }
}

#[test]
fn whoever_hangs_is_not_waited_for() {
    let mut surroundings = surroundings();
    surroundings.ready_time = Duration::from_secs(1);
    surroundings.new_game_time = Duration::from_secs(1);
    for switches in [["--on", "ping=hang"], ["--on", "ping=deaf"], ["--on", "ping=nothing"]] {
        let error = CecpClient::start(&config(&switches), &surroundings).err().unwrap();
        assert!(matches!(error, EngineError::Silent("pong")), "{switches:?}: {error}");
    }
    for items in ["hang", "deaf"] {
        let client = CecpClient::start(&config(&["--script", items]), &surroundings).unwrap();
        let mut table = Table::new(client, START, &[]);
        table.think();
        let soon = Instant::now() + Duration::from_millis(50);
        table.client.move_now(soon).unwrap();
        table.client.tell_result(Outcome::Win(Color::Black), "Time", soon).unwrap();
        assert!(table.client.must_restart(), "{items}");
        let again = table.client.new_game(&Position::default(), &[], false, &level(), false, "");
        assert!(matches!(again, Err(EngineError::Silent("pong"))));
    }
}
