//! What is told of results, and of how a match ended.

use super::*;
use crate::report::events;
use crate::report::measures::{measurements, quantiles};
use crate::tournament::config::{SprtConfig, SprtModel};
use crate::tournament::sprt::Sprt;
use crate::types::Outcome;
use indicatif::TermLike;

/// A game that this colour wins on time.
fn won(config: &MatchConfig, game: u64, color: Color) -> Entry {
    let result = GameResult::Played(Outcome::Win(color));
    Entry { result, ..entry(config, game, Reason::TimeForfeit) }
}

/// What is shown of these games, of four that were to be played, when somebody stops the match.
fn interrupted(config: &MatchConfig, games: &[Entry]) -> String {
    let (page, mut state) = (Page::default(), state(config));
    let mut console = Console::to(config, Box::new(page.clone()), ProgressDrawTarget::hidden());
    for entry in games {
        state.standings.add(entry);
        console.show(Event::Finished(entry), &state);
    }
    console.conclude(&state, &Conclusion::Interrupted);
    let text = page.0.borrow().clone();
    String::from_utf8(text).unwrap()
}

#[test]
fn the_score_is_the_first_players_after_every_game() {
    let style = OutputStyle::Cutechess;
    let config = config(OutputConfig { style, score_interval: 1, ..OutputConfig::default() }, ["A", "B"]);
    let games = [0, 1, 2].map(|game| won(&config, game, Color::White));
    let text = interrupted(&config, &games);
    let scores: Vec<&str> = text.lines().filter(|line| line.starts_with("Score of ")).collect();
    assert_eq!(
        scores,
        [
            "Score of A vs B: 1 - 0 - 0  [1.000] 1",
            "Score of A vs B: 1 - 1 - 0  [0.500] 2",
            "Score of A vs B: 2 - 1 - 0  [0.667] 3"
        ]
    );
    assert!(text.ends_with("Interrupted after 3 games\n"), "{text}");
}

#[test]
fn points_are_told_where_wins_and_draws_do_not_tell_them() {
    let mut config = config(OutputConfig::default(), ["A", "B"]);
    let usual = won(&config, 1, Color::White);
    let uneven = Entry { result: GameResult::HalfTo(Color::White), ..won(&config, 0, Color::White) };
    assert!(!interrupted(&config, std::slice::from_ref(&usual)).contains("Points ("));
    let text = interrupted(&config, &[uneven, usual.clone()]);
    assert!(text.contains("\nPoints (1-0.5-0): A 0.5, B 1\n"), "{text}");
    config.regulations.scoring = Scoring::ThreeOneZero;
    let text = interrupted(&config, &[usual]);
    assert!(text.contains("\nPoints (3-1-0): A 0, B 3\n"), "{text}");
}

#[test]
fn who_is_on_move_has_sealed() {
    let config = config(OutputConfig::default(), ["A", "B"]);
    let (page, state) = (Page::default(), state(&config));
    let last = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 41").unwrap();
    // In the second game B has White.
    let entry = Entry { last, ..entry(&config, 1, Reason::Checkmate) };
    let mut console = Console::to(&config, Box::new(page.clone()), ProgressDrawTarget::hidden());
    console.show(Event::Adjourned(&entry), &state);
    let text = String::from_utf8_lossy(&page.0.borrow()).into_owned();
    assert_eq!(text, "Adjourned game 2 (B vs A): Black has sealed move 41\n");
    let told = events::adjourned(&entry, &config);
    assert_eq!((&told["sealed_by"], &told["move"]), (&json!(Color::Black), &json!(41)));
}

#[test]
fn a_game_is_told_by_numbers_from_one_and_with_all_its_moves() {
    let config = config(OutputConfig::default(), ["A", "B"]);
    let book = vec![Position::default().legal_moves()[0]];
    let entry = Entry { book, ..won(&config, 3, Color::Black) };
    let told = events::game(&entry, &config);
    for (name, expected) in [
        ("game", json!(4)),
        ("round", json!(2)),
        ("opening", json!(2)),
        ("white", json!("B")),
        ("black", json!("A")),
        ("result", json!("0-1")),
        ("termination", json!("time forfeit")),
        ("plies", json!(1)),
    ] {
        assert_eq!(told[name], expected, "{name}");
    }
}

#[test]
fn the_summary_tells_each_player_his_own() {
    let mut config = config(OutputConfig::default(), ["A", "B"]);
    config.regulations.scoring = Scoring::ThreeOneZero;
    let mut state = state(&config);
    let (elo0, elo1, alpha, beta) = (0.0, 5.0, 0.05, 0.1);
    let sprt = SprtConfig { elo0, elo1, alpha, beta, model: SprtModel::Normalized };
    state.sprt = Some(Sprt::new(sprt).unwrap());
    // A wins both.
    state.standings.add(&won(&config, 0, Color::White));
    state.standings.add(&won(&config, 1, Color::Black));
    let told = events::summary(&config, &state, &Conclusion::Interrupted);
    assert_eq!(
        (&told["conclusion"], &told["games"], &told["of"]),
        (&json!("interrupted"), &json!(2), &json!(4))
    );
    let number = |value: &Value| value.as_f64().unwrap();
    assert!((number(&told["sprt"]["lower"]) - (0.1f64 / 0.95).ln()).abs() < 1e-12, "{told}");
    assert!((number(&told["sprt"]["upper"]) - (0.9f64 / 0.05).ln()).abs() < 1e-12, "{told}");
    for (player, name, wins, lost_by) in [(0, "A", 2, json!({})), (1, "B", 0, json!({ "time forfeit": 2 }))] {
        let told = &told["players"][player];
        assert_eq!(
            (&told["name"], &told["wins"], &told["losses"]),
            (&json!(name), &json!(wins), &json!(2 - wins))
        );
        assert_eq!(told["lost_by"], lost_by);
        assert_eq!(number(&told["points"]), wins as f64);
        assert_eq!(number(&told["points_by_regulations"]), 3.0 * wins as f64);
        // One pair, and a further one that makes the variance: 1.96 deviations of two pairs.
        let error = 1.959_963_984_540_054 / 2f64.sqrt() * 800.0 / 10f64.ln() / 2f64.sqrt();
        assert!((number(&told["nelo_error"]) - error).abs() < 1e-9, "{told}");
        assert_eq!(number(&told["los"]) > 0.9, player == 0, "{told}");
        assert_eq!(number(&told["elo"]) > 0.0, player == 0, "{told}");
    }
}

#[test]
fn what_the_runner_costs_is_told_in_its_units() {
    let config = config(OutputConfig::default(), ["A", "B"]);
    let mut state = state(&config);
    assert_eq!(quantiles(&state), None);
    for microseconds in 1..=100 {
        state.handovers.record(1000 * microseconds).unwrap();
    }
    let found = quantiles(&state).unwrap();
    for (value, expected) in found.into_iter().zip([50.0, 99.0, 100.0]) {
        assert!((value / expected - 1.0).abs() < 1e-3, "{found:?}");
    }
    // Seconds, of ten moves.
    state.latencies[1] = (0.05, 10);
    let text = measurements(&config, &state);
    let line = "Latency of B: 5.000 ms a move beyond what it reported (10 moves)\n";
    assert!(text.starts_with(line) && !text.contains("Latency of A"), "{text}");
}

#[test]
fn quiet_json_is_the_summary_alone() {
    let output = OutputConfig { style: OutputStyle::Json, quiet: true, ..OutputConfig::default() };
    let text = shown(output, ["A", "B"], vec![Reason::Checkmate; 4]);
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.len(), 1, "{text}");
    assert_eq!((&events[0]["event"], &events[0]["games"]), (&json!("summary"), &json!(4)));
}

#[test]
fn games_that_were_not_played_are_missing_from_no_pair() {
    let config = config(OutputConfig::default(), ["A", "B"]);
    let (page, mut state) = (Page::default(), state(&config));
    for game in 0..2 {
        let result = GameResult::Forfeit(Color::White);
        state.standings.add(&Entry { result, ..entry(&config, game, Reason::Absence) });
    }
    let mut console = Console::to(&config, Box::new(page.clone()), ProgressDrawTarget::hidden());
    console.conclude(&state, &Conclusion::Complete);
    let text = String::from_utf8_lossy(&page.0.borrow()).into_owned();
    assert!(text.contains("Finished match") && !text.contains("not counted"), "{text}");
}

/// Of a match in which nothing was shown before, or not the last games.
#[test]
fn the_score_is_shown_at_the_end_but_not_twice() {
    for (quiet, score_interval, expected) in [
        (false, 1, &["1 - 0 - 0", "1 - 1 - 0", "2 - 1 - 0", "2 - 2 - 0"][..]),
        (false, 3, &["2 - 1 - 0", "2 - 2 - 0"]),
        (false, 4, &["2 - 2 - 0"]),
        (false, 0, &["2 - 2 - 0"]),
        (true, 1, &["2 - 2 - 0"]),
    ] {
        let output =
            OutputConfig { style: OutputStyle::Cutechess, quiet, score_interval, ..OutputConfig::default() };
        let text = shown(output, ["A", "B"], vec![Reason::Checkmate; 4]);
        let scores = text.lines().filter_map(|line| line.strip_prefix("Score of A vs B: "));
        let scores: Vec<&str> = scores.map(|score| &score[..9]).collect();
        assert_eq!(scores, expected, "{text}");
    }
}

/// A terminal that nobody looks at.
#[derive(Debug)]
struct Dark;

impl TermLike for Dark {
    fn width(&self) -> u16 {
        80
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn write_str(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_bar_tells_games_score_elo_and_test() {
    let config = config(OutputConfig::default(), ["A", "B"]);
    let mut state = state(&config);
    let target = ProgressDrawTarget::term_like(Box::new(Dark));
    let mut console = Console::to(&config, Box::new(Page::default()), target);
    // A wins two and loses one.
    for (game, color) in [(0, Color::White), (1, Color::Black), (2, Color::Black)] {
        state.standings.add(&won(&config, game, color));
    }
    let mut told = |event: Event, state: &State| {
        console.show(event, state);
        (console.bar.position(), console.bar.message(), console.bar.prefix())
    };
    state.resumed = 3;
    let (games, message, prefix) = told(Event::Ready, &state);
    assert_eq!((games, prefix.as_str()), (3, "0.00 games/s"), "none of this run");
    assert!(message.starts_with("A 2/3 Elo +") && !message.contains("LLR"), "{message}");
    let (elo0, elo1, alpha, beta) = (0.0, 5.0, 0.05, 0.05);
    let sprt = SprtConfig { elo0, elo1, alpha, beta, model: SprtModel::Normalized };
    (state.sprt, state.resumed) = (Some(Sprt::new(sprt).unwrap()), 1);
    state.standings.add(&won(&config, 3, Color::White));
    state.total = 9;
    let (games, message, prefix) = told(Event::Tick, &state);
    assert!(games == 4 && message.starts_with("A 2/4 Elo +0 ") && message.contains(" LLR "), "{message}");
    assert!(prefix.contains(" games/s, ") && prefix.ends_with(" left"), "{prefix}");
}
