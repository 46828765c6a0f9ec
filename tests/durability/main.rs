//! Nothing is lost: whatever stops a match, it goes on as if nothing had happened, and no engine is left behind.
#![cfg(target_os = "linux")]

mod files;
mod journals;
mod stopped;
#[path = "../support/mod.rs"]
mod support;

use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use support::matches::{Ended, Scene, essence, games, tag};
use support::wait_until;

/// Thirty games whose moves follow from the seeds and the openings. With engines that think for two milliseconds a move they
/// take seconds, of which whoever is to stop them in the middle may miss some.
const WORDS: &str = "-rounds 15 -each tc=60+1 -maxmoves 60 -concurrency 2 -force-concurrency -srand 7 \
    -pgnout file=g.pgn -epdout file=g.epd -ratinginterval 0";

fn words(scene: &Scene) -> String {
    // The suite that comes with the program.
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/book/openings.epd");
    std::fs::copy(book, scene.path("book.epd")).unwrap();
    format!("{WORDS} -openings file=book.epd format=epd order=random")
}

fn play(scene: &Scene, more: &str) -> Ended {
    scene.play(
        "good --seed 1 --think 2000",
        "good --seed 2 --think 2000",
        &format!("{} {more}", words(scene)),
    )
}

fn start(scene: &Scene, more: &str) -> Child {
    let words = format!("{} {more}", words(scene));
    scene.command("good --seed 1 --think 2000", "good --seed 2 --think 2000", &words).spawn().unwrap()
}

/// The games of an undisturbed match, in their order; it is played once.
fn undisturbed() -> &'static [String] {
    static GAMES: OnceLock<Vec<String>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let scene = Scene::new();
        let ended = play(&scene, "");
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let games = games(&scene.path("g.pgn"));
        assert_eq!(games.len(), 30);
        games.iter().map(|game| essence(game)).collect()
    })
}

fn wait_for_games(scene: &Scene, count: usize) {
    wait_until("some games", || scene.read("g.pgn.journal").lines().count() > count);
}

/// The match that a journal tells of.
fn resumed_from_journal(scene: &Scene, journal: &str) -> Command {
    let mut command = support::engine::command();
    command.current_dir(&scene.folder).stdin(Stdio::null());
    command.args(["match", "-config", &format!("file={journal}")]);
    command
}

/// A journal as earlier versions have written it, in which a change does not show.
fn without_sums(journal: &str) -> String {
    let cut = |line: &str| match line.rfind(",\"behind\":") {
        Some(place) => format!("{}}}\n", &line[..place]),
        None => format!("{line}\n"),
    };
    journal.lines().map(cut).collect()
}

/// Checks that a resumed match is as if nothing had happened.
fn assert_whole(scene: &Scene, ended: &Ended, expected: &[String]) {
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let found = games(&scene.path("g.pgn"));
    let numbers: Vec<String> = found.iter().map(|game| tag(game, "Round")).collect();
    let wanted: Vec<String> = (0..30).map(|game| format!("{}.{}", game / 2 + 1, game + 1)).collect();
    assert_eq!(numbers, wanted, "each game once");
    let found: Vec<String> = found.iter().map(|game| essence(game)).collect();
    assert_eq!(found, expected);
    assert_eq!(scene.read("g.epd").lines().count(), 30);
    // The score is that of the games.
    let count = |name: &str, white: &str| {
        games(&scene.path("g.pgn"))
            .iter()
            .filter(|game| tag(game, "Result") == name && tag(game, "White") == white)
            .count()
    };
    let (wins, losses) = (count("1-0", "A") + count("0-1", "B"), count("0-1", "A") + count("1-0", "B"));
    let line = format!("Games: 30, Wins: {wins}, Losses: {losses}, Draws: {},", 30 - wins - losses);
    assert!(ended.stdout.contains(&line), "{line} in {}", ended.stdout);
    scene.assert_all_gone();
    scene.assert_well_spoken();
}
