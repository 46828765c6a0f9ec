//! What a match shows while it runs: lines in the forms of fastchess or cutechess-cli, JSON, and at a terminal a progress
//! bar below them.

use super::conditions::conditions;
use super::events;
use super::measures::measurements;
use super::text::{self, Standing, plain, plain_and_short};
use crate::laws::Scoring;
use crate::tournament::config::{MatchConfig, OutputStyle};
use crate::tournament::elo::Estimate;
use crate::tournament::entry::Entry;
use crate::tournament::runner::{Conclusion, Event, State, counts_pairs};
use crate::tournament::schedule::Fixture;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// Shows a match.
pub struct Console<'a> {
    config: &'a MatchConfig,
    bar: ProgressBar,
    out: Box<dyn Write>,
    /// Why nothing could be shown, the first time: nobody looks on any more, or the disk of a file is full.
    failure: Option<io::Error>,
    /// Pairs of games (or games) at the last rating.
    rated: u64,
    /// The last rating shown.
    shown: String,
    /// The last score shown, in the form of cutechess-cli.
    score: String,
}

impl fmt::Debug for Console<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console").finish_non_exhaustive()
    }
}

impl<'a> Console<'a> {
    /// Shows nothing yet.
    pub fn new(config: &'a MatchConfig) -> Console<'a> {
        let shows_bar = !config.output.quiet
            && config.output.style != OutputStyle::Json
            && std::io::stdout().is_terminal()
            && std::io::stderr().is_terminal();
        let target = if shows_bar { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Console::to(config, Box::new(std::io::stdout()), target)
    }

    fn to(config: &'a MatchConfig, out: Box<dyn Write>, target: ProgressDrawTarget) -> Console<'a> {
        let bar = ProgressBar::with_draw_target(None, target);
        Console { config, bar, out, failure: None, rated: 0, shown: String::new(), score: String::new() }
    }

    /// Why nothing can be shown any more, if that is so.
    pub fn failure(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }

    /// Shows what happens.
    pub fn show(&mut self, event: Event, state: &State) {
        match event {
            Event::Warning(text) => self.warn(text, &plain_and_short(text, LONGEST_WARNING)),
            Event::Remark(game, text) => {
                let text = format!("game {}: {text}", game + 1);
                self.warn(&text, &plain_and_short(&without_failures(&text), LONGEST_REMARK));
            }
            Event::Resumed(games) => self.resumed(games, state),
            Event::Ready => self.ready(state),
            Event::Started(fixture) => self.started(fixture, state),
            Event::Finished(entry) => self.finished(entry, state),
            Event::Adjourned(entry) => self.adjourned(entry),
            Event::Tick => self.update_bar(state),
        }
    }

    /// Shows how the match ended.
    pub fn conclude(&mut self, state: &State, conclusion: &Conclusion) {
        self.bar.finish_and_clear();
        if self.is_json() {
            return self.put(&format!("{}\n", events::summary(self.config, state, conclusion)));
        }
        let mut text = String::new();
        let games = state.standings.games();
        let standings = &state.standings;
        let alone = if counts_pairs(self.config) { standings.rated() - 2 * standings.pairs() } else { 0 };
        // Of more than two the table has the points.
        if self.config.output.style == OutputStyle::Cutechess && self.config.players.len() == 2 && games > 0 {
            let last = score(self.config, state, (0, 1));
            text += if last == self.score { "" } else { &last };
        }
        let rating = self.rating(state);
        if games > 0 && rating != self.shown {
            text += &rating;
        }
        if alone > 0 {
            let are = if alone == 1 { "game is" } else { "games are" };
            text += &format!("{alone} {are} not counted: only whole pairs are\n");
        }
        text += &points(self.config, state);
        let is_fide = self.config.regulations.edition.is_fide();
        for (player, how, count) in state.standings.failures() {
            let times = if count == 1 { "once".to_string() } else { format!("{count} times") };
            let (name, how) = (plain(self.config.name(player)), failure(how, is_fide));
            text += &format!("{name} failed {times} ({how})\n");
        }
        if self.config.output.latency {
            text += &measurements(self.config, state);
        }
        text += &match conclusion {
            Conclusion::Complete | Conclusion::Failed(_) => "Finished match\n".to_string(),
            Conclusion::Decided(verdict) => {
                let config = state.sprt.as_ref().map(|sprt| *sprt.config());
                let bounds =
                    config.map_or(String::new(), |sprt| format!(" ([{:.2}, {:.2}])", sprt.elo0, sprt.elo1));
                format!("SPRT{bounds} completed - {verdict}\nFinished match\n")
            }
            Conclusion::Interrupted => format!("Interrupted after {}\n", of_games(games)),
            Conclusion::Broken(_) => format!("Stopped after {}\n", of_games(games)),
        };
        self.put(&text);
    }

    fn is_json(&self) -> bool {
        self.config.output.style == OutputStyle::Json
    }

    /// Text on the standard output, above the bar.
    fn put(&mut self, text: &str) {
        let out = &mut self.out;
        let done = self.bar.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()));
        if let Err(error) = done {
            self.failure.get_or_insert(error);
        }
    }

    fn warn(&mut self, text: &str, shown: &str) {
        if self.config.output.quiet {
            // Nobody may be there to read it.
            let _ = writeln!(std::io::stderr(), "adoube: warning: {shown}");
        } else if self.is_json() {
            self.put(&format!("{}\n", json!({ "event": "warning", "text": text })));
        } else {
            self.put(&format!("Warning; {shown}\n"));
        }
    }

    fn resumed(&mut self, games: u64, state: &State) {
        self.rated = self.units(state);
        if self.config.output.quiet {
            return;
        }
        if self.is_json() {
            self.put(&format!("{}\n", json!({ "event": "resumed", "games": games })));
        } else {
            self.put(&format!("Resuming after {}\n", of_games(games)));
        }
    }

    fn ready(&mut self, state: &State) {
        self.bar.set_length(state.total);
        let style = ProgressStyle::with_template("{pos}/{len} {wide_bar} {msg} {prefix}");
        self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.update_bar(state);
        if let Some((first, second)) = text::alike(&self.config.names())
            && !self.is_json()
        {
            let shown = plain(self.config.name(second));
            let [first, second] = [first, second].map(|player| player + 1);
            let text = format!("players {first} and {second} are both shown as {shown}: say name= otherwise");
            self.warn(&text, &text);
        }
        if self.config.output.quiet {
            return;
        }
        if self.is_json() {
            let line = json!({
                "event": "begin",
                "players": self.config.names(),
                "games": state.total,
                "seed": state.seed,
            });
            self.put(&format!("{line}\n"));
        } else if self.config.openings.is_some() && self.config.seed.is_none() {
            self.put(&format!("Seed {}\n", state.seed));
        }
    }

    fn started(&mut self, fixture: &Fixture, state: &State) {
        if !self.is_json() && !self.config.output.quiet {
            let [white, black] = [fixture.white, fixture.black].map(|player| plain(self.config.name(player)));
            let number = fixture.game + 1;
            self.put(&format!("Started game {number} of {} ({white} vs {black})\n", state.total));
        }
    }

    fn adjourned(&mut self, entry: &Entry) {
        if self.config.output.quiet {
            return;
        }
        if self.is_json() {
            return self.put(&format!("{}\n", events::adjourned(entry, self.config)));
        }
        let Fixture { game, white, black, .. } = entry.fixture;
        let [white, black] = [white, black].map(|player| plain(self.config.name(player)));
        let sealer = entry.last.side_to_move();
        let number = entry.last.fullmove_number();
        let text =
            format!("Adjourned game {} ({white} vs {black}): {sealer} has sealed move {number}\n", game + 1);
        self.put(&text);
    }

    fn finished(&mut self, entry: &Entry, state: &State) {
        let output = &self.config.output;
        if output.quiet {
            return;
        }
        if self.is_json() {
            return self.put(&format!("{}\n", events::game(entry, self.config)));
        }
        let Fixture { game, white, black, .. } = entry.fixture;
        let [white, black] = [white, black].map(|player| plain(self.config.name(player)));
        // Scripts that read these lines know four results at most, and look for the reason behind the first colon.
        let exceptional =
            if entry.result.is_exceptional() { format!(" ({})", entry.result) } else { String::new() };
        let mut text = format!(
            "Finished game {} ({white} vs {black}): {} {{{}{exceptional}}}\n",
            game + 1,
            entry.result.told(),
            plain(&entry.reason)
        );
        let games = state.standings.games();
        let is_due = |interval: u64, count: u64| interval > 0 && count > 0 && count.is_multiple_of(interval);
        if output.style == OutputStyle::Cutechess && is_due(output.score_interval, games) {
            self.score = score(self.config, state, entry.fixture.pairing());
            text += &self.score;
        }
        let units = self.units(state);
        if units > self.rated && is_due(output.rating_interval, units) {
            self.rated = units;
            self.shown = self.rating(state);
            text += &self.shown;
        }
        self.put(&text);
        self.update_bar(state);
    }

    /// What the rating interval counts: pairs of games, or games.
    fn units(&self, state: &State) -> u64 {
        if counts_pairs(self.config) { state.standings.pairs() } else { state.standings.games() }
    }

    fn rating(&self, state: &State) -> String {
        let standings: Vec<_> = self
            .config
            .names()
            .into_iter()
            .enumerate()
            .map(|(player, name)| Standing { name: plain(name), tally: state.standings.of(player) })
            .collect();
        let (pairs, sprt) = (counts_pairs(self.config), state.sprt.as_ref());
        match self.config.output.style {
            OutputStyle::Cutechess => text::cutechess(&standings, pairs, sprt),
            _ => text::fastchess(&standings, &conditions(self.config, &state.defaults), pairs, sprt),
        }
    }

    fn update_bar(&mut self, state: &State) {
        if self.bar.is_hidden() {
            return;
        }
        let games = state.standings.games();
        self.bar.set_position(games);
        let seconds = state.started.elapsed().as_secs_f64();
        let speed = games.saturating_sub(state.resumed) as f64 / seconds.max(1e-9);
        let mut message = String::new();
        if let [first, _] = self.config.names()[..] {
            let tally = state.standings.between(0, 1);
            let estimate = Estimate::of(&tally.sample(counts_pairs(self.config)));
            message = format!(
                "{first} {}/{games} Elo {:+.0} ± {:.0}",
                tally.points(),
                estimate.elo.value,
                estimate.elo.error
            );
        }
        if let Some(progress) = state.progress(self.config) {
            message += &format!(" LLR {:+.2}", progress.llr);
        }
        self.bar.set_message(message);
        let left = time_left(state.total.saturating_sub(games), speed);
        let left = left.map_or(String::new(), |left| format!(", {} left", HumanDuration(left)));
        self.bar.set_prefix(format!("{speed:.2} games/s{left}"));
    }
}

fn of_games(count: u64) -> String {
    if count == 1 { "1 game".into() } else { format!("{count} games") }
}

/// The longest warning; it may name files.
const LONGEST_WARNING: usize = 1000;

/// The longest remark on a game; it may quote any text of an engine.
const LONGEST_REMARK: usize = 400;

/// A remark on a game as a line shows it. Fishtest takes every line with one of these words for a lost game: only the line of
/// the game's end may have them.
fn without_failures(text: &str) -> String {
    [("disconnect", "dis-connect"), ("stall", "st-all"), ("on time", "on-time"), ("timeout", "time-out")]
        .into_iter()
        .fold(text.to_string(), |text, (word, instead)| text.replace(word, instead))
}

/// How games were lost, from a value of the tag `Termination`, without the words that [`without_failures`] avoids.
fn failure(termination: &str, is_fide: bool) -> String {
    match termination {
        "time forfeit" => "time".into(),
        "abandoned" => "a crash".into(),
        "unplayed" => "not being ready to play".into(),
        // With the habits of engine testers it is that as well.
        "stalled connection" if !is_fide => "not being ready to play, or not keeping to the game".into(),
        "stalled connection" => "not keeping to the game".into(),
        other => plain(other),
    }
}

/// How long so many games take at so many a second, if that can be said; a year stands for all that is longer.
fn time_left(games: u64, speed: f64) -> Option<Duration> {
    let longest = Duration::from_secs(365 * 86_400);
    let left = || Duration::try_from_secs_f64(games as f64 / speed).map_or(longest, |left| left.min(longest));
    (speed > 0.0).then(left)
}

/// What the first of two players has scored against the second, in the form of cutechess-cli.
fn score(config: &MatchConfig, state: &State, (first, second): (usize, usize)) -> String {
    let standing =
        Standing { name: plain(config.name(first)), tally: state.standings.between(first, second) };
    text::cutechess_score(&standing, &plain(config.name(second)))
}

/// The points by the regulations, where wins, draws and losses do not tell them.
fn points(config: &MatchConfig, state: &State) -> String {
    let scoring = config.regulations.scoring;
    let standings = &state.standings;
    if standings.games() == 0 || (scoring == Scoring::Classic && !standings.has_exceptional_results()) {
        return String::new();
    }
    let points =
        |(player, name): (usize, &str)| format!("{} {}", plain(name), standings.points(player, scoring));
    let all: Vec<String> = config.names().into_iter().enumerate().map(points).collect();
    let name = match scoring {
        Scoring::Classic => "1-0.5-0",
        Scoring::ThreeOneZero => "3-1-0",
    };
    format!("Points ({name}): {}\n", all.join(", "))
}

#[cfg(test)]
mod tests {
    mod results;

    use super::*;
    use crate::arbiter::record::GameReport;
    use crate::board::Position;
    use crate::engine::config::EngineConfig;
    use crate::laws::{GameResult, Reason, Verdict};
    use crate::tournament::config::{OpeningPolicy, OutputConfig, Player};
    use crate::tournament::schedule::Schedule;
    use crate::tournament::standings::Standings;
    use crate::types::Color;
    use hdrhistogram::Histogram;
    use serde_json::Value;
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::time::Instant;

    #[derive(Clone, Default)]
    struct Page(Rc<RefCell<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
            self.0.borrow_mut().write(text)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn config<const N: usize>(output: OutputConfig, names: [&str; N]) -> MatchConfig {
        let engine = |name: &str| EngineConfig { name: name.into(), ..EngineConfig::default() };
        MatchConfig {
            players: names.map(|name| Player { engine: engine(name), ..Player::default() }).to_vec(),
            rounds: 2,
            games: 2,
            policy: OpeningPolicy::Round,
            output,
            ..MatchConfig::default()
        }
    }

    fn state(config: &MatchConfig) -> State {
        State {
            standings: Standings::default(),
            total: Schedule::new(config).len(),
            resumed: 0,
            seed: 0,
            started: Instant::now(),
            sprt: None,
            handovers: Histogram::new(3).unwrap(),
            latencies: vec![(0.0, 0); config.players.len()],
            plies: 0,
            adjourned: 0,
            defaults: vec![],
            journal: std::path::PathBuf::new(),
        }
    }

    fn entry(config: &MatchConfig, game: u64, reason: Reason) -> Entry {
        let start = Position::default();
        let report = GameReport {
            start,
            book: vec![],
            moves: vec![],
            verdict: Verdict::lost(Color::Black, reason),
            last: start,
            remarks: vec![],
            handovers: vec![],
            rulings: vec![],
            adjourned: None,
        };
        Entry::new(Schedule::new(config).fixture(game), None, report, 0, Duration::ZERO)
    }

    /// What a match shows whose games White wins for these reasons, with a warning of each.
    fn shown<const N: usize>(output: OutputConfig, names: [&str; N], reasons: Vec<Reason>) -> String {
        let config = config(output, names);
        let page = Page::default();
        let mut console = Console::to(&config, Box::new(page.clone()), ProgressDrawTarget::hidden());
        let mut state = state(&config);
        console.show(Event::Ready, &state);
        for (game, reason) in reasons.into_iter().enumerate() {
            let entry = entry(&config, game as u64, reason);
            console.show(Event::Started(&entry.fixture), &state);
            state.standings.add(&entry);
            let text = "Black disconnects: it said 'inst\u{e4}lled'\n\n on time, a timeout, a stall";
            console.show(Event::Remark(game as u64, text), &state);
            console.show(Event::Finished(&entry), &state);
        }
        console.conclude(&state, &Conclusion::Complete);
        let text = page.0.borrow().clone();
        String::from_utf8(text).unwrap()
    }

    fn all_failures() -> Vec<Reason> {
        let lost = || "x".to_string();
        vec![
            Reason::TimeForfeit,
            Reason::IllegalMove("\u{e9}\n\n".repeat(500)),
            Reason::Disconnected(lost()),
            Reason::Stalled(lost()),
        ]
    }

    #[test]
    fn lines_are_plain_and_only_the_end_of_a_game_reads_as_a_failure() {
        for style in [OutputStyle::Fastchess, OutputStyle::Cutechess] {
            let output = OutputConfig { style, rating_interval: 1, ..OutputConfig::default() };
            let text = shown(output, ["\u{c4}nne\n", "B"], all_failures());
            assert!(text.is_ascii() && !text.contains("\n\n"), "{text}");
            assert!(text.lines().all(|line| line.len() < 500), "{text}");
            assert!(text.contains(" {Black makes an illegal move: ?????"), "{text}");
            let counted = |line: &&str| {
                ["disconnect", "stall", "on time", "timeout"].iter().any(|word| line.contains(word))
            };
            let lines: Vec<&str> = text.lines().filter(counted).collect();
            assert_eq!(lines.len(), 3, "{lines:#?}");
            assert!(lines.iter().all(|line| line.starts_with("Finished game ")), "{lines:#?}");
            for line in
                ["B failed once (time)", "B failed once (a crash)", "?nne? failed once (illegal move)"]
            {
                assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
            }
            assert!(text.contains("\n?nne? failed once (not keeping to the game)\n"), "{text}");
        }
        let said = |event: Event| {
            let (config, page) = (config(OutputConfig::default(), ["A", "B"]), Page::default());
            let mut console = Console::to(&config, Box::new(page.clone()), ProgressDrawTarget::hidden());
            console.show(event, &state(&config));
            String::from_utf8(page.0.borrow().clone()).unwrap()
        };
        // What names a file is not changed, however that is called.
        assert_eq!(said(Event::Warning("game on time.pgn: line 3")), "Warning; game on time.pgn: line 3\n");
        assert_eq!(said(Event::Remark(6, "it stalls")), "Warning; game 7: it st-alls\n");
        let long = "x".repeat(5000);
        let lengths = [Event::Warning(&long), Event::Remark(0, &long)].map(|event| said(event).len());
        assert!(lengths[0] < 1100 && lengths[1] < 500, "{lengths:?}");
    }

    #[test]
    fn who_stalls_in_a_game_is_told_from_who_does_not_come_to_it() {
        assert_eq!(failure("unplayed", true), "not being ready to play");
        assert_eq!(failure("stalled connection", true), "not keeping to the game");
        let both = failure("stalled connection", false);
        assert!(
            both.contains("not being ready to play") && both.contains("not keeping to the game"),
            "{both}"
        );
    }

    #[test]
    fn json_has_everything_as_it_was() {
        let output = OutputConfig { style: OutputStyle::Json, ..OutputConfig::default() };
        let text = shown(output, ["\u{c4}nne", "B"], all_failures());
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0]["players"][0], "\u{c4}nne");
        assert!(
            lines[1]["text"].as_str().unwrap().contains("Black disconnects: it said 'inst\u{e4}lled'\n\n")
        );
        assert!(lines[4]["reason"].as_str().unwrap().contains(&"\u{e9}\n\n".repeat(500)));
        assert_eq!(lines.last().unwrap()["games"], 4);
    }

    #[test]
    fn the_rating_is_shown_at_the_end_but_not_twice() {
        let count = |rating_interval, quiet, games: usize| {
            let output = OutputConfig { rating_interval, quiet, ..OutputConfig::default() };
            let text = shown(output, ["A", "B"], vec![Reason::Checkmate; games]);
            text.matches("Results of A vs B").count()
        };
        assert_eq!(
            (count(1, false, 4), count(2, false, 4), count(3, false, 4), count(0, false, 4)),
            (2, 1, 1, 1)
        );
        assert_eq!((count(1, true, 4), count(1, false, 3), count(1, false, 1)), (1, 1, 1));
    }

    #[test]
    fn pairs_of_all_players_are_counted() {
        let count = |rating_interval| {
            let output = OutputConfig { rating_interval, ..OutputConfig::default() };
            shown(output, ["A", "B", "C"], vec![Reason::Checkmate; 12]).matches("Rank Name").count()
        };
        assert_eq!((count(2), count(3), count(6), count(7)), (3, 2, 1, 1));
    }

    #[test]
    fn the_block_counts_finished_pairs() {
        let text = shown(OutputConfig::default(), ["A", "B"], vec![Reason::Checkmate; 3]);
        assert!(
            text.contains(
                "\nGames: 2, Wins: 1, Losses: 1, Draws: 0, Points: 1.0 (50.00 %)\nPtnml(0-2): [0, 0, 1, 0, 0]"
            ),
            "{text}"
        );
    }

    #[test]
    fn times_that_are_left() {
        let seconds = |games, speed| time_left(games, speed).map(|left| left.as_secs());
        assert_eq!((seconds(100, 2.0), seconds(5, 0.0)), (Some(50), None));
        for speed in [f64::MIN_POSITIVE, 1e-300, 1e-9] {
            assert_eq!(seconds(u64::MAX, speed), Some(31_536_000));
        }
    }

    #[test]
    fn a_rating_of_earlier_games_is_not_shown_again() {
        let config = config(OutputConfig { rating_interval: 1, ..OutputConfig::default() }, ["A", "B"]);
        let (page, mut state) = (Page::default(), state(&config));
        let mut console = Console::to(&config, Box::new(page.clone()), ProgressDrawTarget::hidden());
        let mut blocks = vec![];
        for game in 0..4 {
            let entry = entry(&config, game, Reason::Checkmate);
            state.standings.add(&entry);
            match game {
                0 => {}
                1 => console.show(Event::Resumed(2), &state),
                _ => console.show(Event::Finished(&entry), &state),
            }
            blocks.push(String::from_utf8_lossy(&page.0.borrow()).matches("Results of").count());
        }
        assert_eq!(blocks, [0, 0, 0, 1]);
    }
}
