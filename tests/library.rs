//! What a program that uses the library may rely on: what it says in its own words, and not in those of a command line.

mod support;

use adoube::arbiter::clock::Limits;
use adoube::engine::config::EngineConfig;
use adoube::laws::TimeControl;
use adoube::tournament::config::{MatchConfig, Player};
use adoube::tournament::runner::{Conclusion, MatchError, run};
use adoube::tournament::stop::Stop;
use std::path::Path;
use std::time::Duration;
use support::folder::Folder;
use support::mock::mock_engine;

fn player(name: &str, limits: Limits) -> Player {
    let cmd = mock_engine();
    let engine =
        EngineConfig { name: name.into(), cmd, args: vec!["good".into()], ..EngineConfig::default() };
    Player { engine, limits, ..Player::default() }
}

/// A match of two, with its journal in this folder.
fn a_match(folder: &Path, limits: &Limits) -> MatchConfig {
    let players = vec![player("A", limits.clone()), player("B", limits.clone())];
    let adjudication = adoube::arbiter::adjudicate::Adjudication { max_moves: Some(4), ..Default::default() };
    MatchConfig { players, adjudication, journal: Some(folder.join("journal")), ..MatchConfig::default() }
}

fn play(config: &MatchConfig) -> Result<(u64, Conclusion), MatchError> {
    let played = run(config, &[], &Stop::new().unwrap(), &mut |_, _| {})?;
    Ok((played.0.standings.games(), played.1))
}

#[test]
fn a_match_needs_no_more_than_its_players() {
    let folder = Folder::new("default");
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let config = a_match(&folder, &limits);
    assert_eq!(play(&config).unwrap(), (2, Conclusion::Complete));
    let alone = MatchConfig { players: vec![player("A", limits)], ..config };
    assert!(play(&alone).unwrap_err().0.contains("at least two players"));
}

#[test]
fn no_limit_may_be_said_by_the_longest_time_that_there_is() {
    let folder = Folder::new("endless");
    let endless = Duration::MAX;
    let (depth, margin) = (Some(1), endless);
    for limits in [
        Limits { movetime: Some(endless), ..Limits::default() },
        Limits { clock: Some(TimeControl::fischer(endless, endless)), ..Limits::default() },
        Limits { clock: Some(TimeControl::fischer(endless, endless)), margin, ..Limits::default() },
        Limits { depth, margin, ..Limits::default() },
    ] {
        let mut config = a_match(&folder, &limits);
        config.startup_time = endless;
        config.ready_time = endless;
        config.new_game_time = endless;
        config.session = Some(endless);
        config.regulations.default_time = Some(endless);
        assert_eq!(play(&config).unwrap(), (2, Conclusion::Complete), "{limits:?}");
    }
}
