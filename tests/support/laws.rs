//! Single games under the Laws between test engines of either protocol, and what the record has of them.

use super::cecp::mock_cecp;
use super::matches::{Ended, Scene, finish, games, tag};
use adoube::board::Board;
use std::process::Command;

/// One side of a game.
#[derive(Clone, Copy)]
pub enum Side<'a> {
    /// The test engine of UCI, with its mode and switches.
    Uci(&'a str),
    /// That of xboard's protocol, with its switches.
    Cecp(&'a str),
}
use Side::{Cecp, Uci};

pub fn player(scene: &Scene, name: &str, side: &Side, more: &str) -> Vec<String> {
    let mut words = match side {
        Uci(mode) => scene.player(name, mode),
        Cecp(switches) => vec![
            "-engine".into(),
            format!("cmd={}", mock_cecp().display()),
            format!("name={name}"),
            "proto=xboard".into(),
            format!("args={switches} --pids pids --log {name}.log"),
        ],
    };
    words.extend(more.split_whitespace().map(String::from));
    words
}

pub fn command(scene: &Scene, white: (Side, &str), black: (Side, &str), words: &str) -> Command {
    let mut command = scene.bare();
    command.args(player(scene, "A", &white.0, white.1)).args(player(scene, "B", &black.0, black.1));
    command.args("-rounds 1 -games 1 -pgnout file=g.pgn".split(' ')).args(words.split_whitespace());
    command
}

/// Plays one game from a position, and gives its text in one line.
pub fn play(start: &str, white: (Side, &str), black: (Side, &str), words: &str) -> (String, Ended) {
    let scene = Scene::new();
    std::fs::write(scene.path("start.epd"), format!("{start}\n")).unwrap();
    let words = format!("-openings file=start.epd {words}");
    let ended = finish(command(&scene, white, black, &words).spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let games = games(&scene.path("g.pgn"));
    assert_eq!(games.len(), 1, "{}{}", ended.stdout, ended.stderr);
    scene.assert_all_gone();
    (games[0].clone(), ended)
}

/// Plays one game, part of it in a session of three seconds and the rest in a second one; its text, and what came of the
/// second.
pub fn play_in_two_sessions(white: (Side, &str), black: (Side, &str), words: &str) -> (String, Ended) {
    let scene = Scene::new();
    let session =
        |more: &str| finish(command(&scene, white, black, &format!("{words} {more}")).spawn().unwrap());
    let first = session("-session 3s");
    assert!(first.stdout.contains("Adjourned game 1"), "{}{}", first.stdout, first.stderr);
    let second = session("-resume");
    assert_eq!(second.code, Some(0), "{}{}", second.stdout, second.stderr);
    (games(&scene.path("g.pgn")).remove(0), second)
}

/// The moves with their comments, in one line.
pub fn moves(game: &str) -> String {
    let text = game.split("]\n\n").last().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
pub fn assert_ends(game: &str, result: &str, termination: &str, words: &str) {
    let text = moves(game);
    assert!(text.contains(words), "'{words}' is not in {text}");
    assert_eq!((&*tag(game, "Result"), &*tag(game, "Termination")), (result, termination), "{text}");
}

pub const START: &str = Board::START_FEN;
pub const GOOD: (Side, &str) = (Uci("good"), "");
