//! What a match shows while it runs: lines in the forms of fastchess or cutechess-cli, JSON, and at a terminal a progress
//! bar below them.

use super::text::{self, Standing};
use crate::sys::usage;
use crate::tournament::config::{MatchConfig, OutputStyle};
use crate::tournament::elo::Estimate;
use crate::tournament::entry::Entry;
use crate::tournament::runner::{Conclusion, Event, State, counts_pairs};
use crate::tournament::schedule::Fixture;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Shows a match.
pub struct Console<'a> {
    config: &'a MatchConfig,
    bar: ProgressBar,
    /// The standard output has been closed: nobody looks on any more.
    closed: bool,
    /// Pairs of games (or games) at the last rating.
    rated: u64,
}

impl<'a> Console<'a> {
    /// Shows nothing yet.
    pub fn new(config: &'a MatchConfig) -> Console<'a> {
        let shows_bar = !config.output.quiet
            && config.output.style != OutputStyle::Json
            && std::io::stdout().is_terminal()
            && std::io::stderr().is_terminal();
        let target = if shows_bar { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Console { config, bar: ProgressBar::with_draw_target(None, target), closed: false, rated: 0 }
    }

    /// True if whoever read our output has gone.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Shows what happens.
    pub fn show(&mut self, event: Event, state: &State) {
        match event {
            Event::Warning(text) => self.warn(text),
            Event::Resumed(games) => self.resumed(games, state),
            Event::Ready => self.ready(state),
            Event::Started(fixture) => self.started(fixture, state),
            Event::Finished(entry) => self.finished(entry, state),
            Event::Tick => self.update_bar(state),
        }
    }

    /// Shows how the match ended.
    pub fn conclude(&mut self, state: &State, conclusion: &Conclusion) {
        self.bar.finish_and_clear();
        if self.is_json() {
            return self.put(&format!("{}\n", self.summary(state, conclusion)));
        }
        if state.standings.games() > 0 {
            self.put(&self.rating(state));
        }
        let mut text = String::new();
        for (player, how, count) in state.standings.failures() {
            text += &format!("{}: {count} lost by {how}\n", state.names[player]);
        }
        if self.config.output.latency {
            text += &measurements(state);
        }
        text += &match conclusion {
            Conclusion::Complete => "Finished match\n".to_string(),
            Conclusion::Decided(verdict) => {
                let config = state.sprt.as_ref().map(|sprt| *sprt.config());
                let bounds =
                    config.map_or(String::new(), |sprt| format!(" ([{:.2}, {:.2}])", sprt.elo0, sprt.elo1));
                format!("SPRT{bounds} completed - {verdict}\nFinished match\n")
            }
            Conclusion::Interrupted => format!("Interrupted after {} games\n", state.standings.games()),
            Conclusion::Broken(_) => format!("Stopped after {} games\n", state.standings.games()),
        };
        self.put(&text);
    }

    fn is_json(&self) -> bool {
        self.config.output.style == OutputStyle::Json
    }

    /// Text on the standard output, above the bar.
    fn put(&mut self, text: &str) {
        let mut out = std::io::stdout();
        let done = self.bar.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()));
        self.closed |= done.is_err();
    }

    fn warn(&mut self, text: &str) {
        if self.is_json() {
            self.put(&format!("{}\n", json!({ "event": "warning", "text": text })));
        } else if self.config.output.quiet {
            eprintln!("adoube: warning: {text}");
        } else {
            self.put(&format!("Warning; {text}\n"));
        }
    }

    fn resumed(&mut self, games: u64, state: &State) {
        self.rated = self.units(state);
        if self.is_json() {
            self.put(&format!("{}\n", json!({ "event": "resumed", "games": games })));
        } else if !self.config.output.quiet {
            self.put(&format!("Resuming after {games} games\n"));
        }
    }

    fn ready(&mut self, state: &State) {
        self.bar.set_length(state.total);
        let style = ProgressStyle::with_template("{pos}/{len} {wide_bar} {msg} {prefix}");
        self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.update_bar(state);
        if self.is_json() {
            let line = json!({
                "event": "begin",
                "players": state.names,
                "games": state.total,
                "seed": state.seed,
            });
            self.put(&format!("{line}\n"));
        } else if !self.config.output.quiet && self.config.openings.is_some() && self.config.seed.is_none() {
            self.put(&format!("Seed {}\n", state.seed));
        }
    }

    fn started(&mut self, fixture: &Fixture, state: &State) {
        if !self.is_json() && !self.config.output.quiet {
            let (white, black) = (&state.names[fixture.white], &state.names[fixture.black]);
            let number = fixture.game + 1;
            self.put(&format!("Started game {number} of {} ({white} vs {black})\n", state.total));
        }
    }

    fn finished(&mut self, entry: &Entry, state: &State) {
        let output = &self.config.output;
        if self.is_json() {
            return self.put(&format!("{}\n", game(entry, state)));
        }
        if output.quiet {
            return;
        }
        let Fixture { game, white, black, .. } = entry.fixture;
        let (white, black) = (&state.names[white], &state.names[black]);
        let mut text = format!(
            "Finished game {} ({white} vs {black}): {} {{{}}}\n",
            game + 1,
            entry.outcome,
            entry.reason
        );
        let games = state.standings.games();
        let is_due = |interval: u64, count: u64| interval > 0 && count > 0 && count.is_multiple_of(interval);
        if output.style == OutputStyle::Cutechess && is_due(output.score_interval, games) {
            let (first, second) = entry.fixture.pairing();
            let standing =
                Standing { name: state.names[first].clone(), tally: state.standings.between(first, second) };
            text += &text::cutechess_score(&standing, &state.names[second]);
        }
        let units = self.units(state);
        if units > self.rated && is_due(output.rating_interval, units) {
            self.rated = units;
            text += &self.rating(state);
        }
        self.put(&text);
        self.update_bar(state);
    }

    /// What the rating interval counts: pairs of games, or games.
    fn units(&self, state: &State) -> u64 {
        if counts_pairs(self.config) && self.config.players.len() == 2 {
            state.standings.between(0, 1).pairs.total()
        } else {
            state.standings.games()
        }
    }

    fn rating(&self, state: &State) -> String {
        let standings: Vec<_> = state
            .names
            .iter()
            .enumerate()
            .map(|(player, name)| Standing { name: name.clone(), tally: state.standings.of(player) })
            .collect();
        let (pairs, sprt) = (counts_pairs(self.config), state.sprt.as_ref());
        match self.config.output.style {
            OutputStyle::Cutechess => text::cutechess(&standings, pairs, sprt),
            _ => text::fastchess(&standings, &conditions(self.config), pairs, sprt),
        }
    }

    fn update_bar(&mut self, state: &State) {
        if self.bar.is_hidden() {
            return;
        }
        let games = state.standings.games();
        self.bar.set_position(games);
        let seconds = state.started.elapsed().as_secs_f64();
        let speed = (games - state.resumed) as f64 / seconds.max(1e-9);
        let mut message = String::new();
        if let [first, _] = &state.names[..] {
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
        let mut speed_text = format!("{speed:.2} games/s");
        if speed > 0.0 {
            let left = Duration::from_secs_f64((state.total - games) as f64 / speed);
            speed_text += &format!(", {} left", indicatif::HumanDuration(left));
        }
        self.bar.set_prefix(speed_text);
    }

    fn summary(&self, state: &State, conclusion: &Conclusion) -> Value {
        let pairs = counts_pairs(self.config);
        let players: Vec<_> = state
            .names
            .iter()
            .enumerate()
            .map(|(player, name)| {
                let tally = state.standings.of(player);
                let estimate = Estimate::of(&tally.sample(pairs));
                let failures: Vec<_> = state.standings.failures().filter(|failure| failure.0 == player).collect();
                json!({
                    "name": name,
                    "wins": tally.wins,
                    "losses": tally.losses,
                    "draws": tally.draws,
                    "points": tally.points(),
                    "penta": pairs.then(|| tally.pairs.counts()),
                    "elo": estimate.elo.value,
                    "elo_error": estimate.elo.error,
                    "nelo": estimate.normalized.value,
                    "nelo_error": estimate.normalized.error,
                    "los": estimate.los,
                    "regularised": estimate.regularised,
                    "lost_by": failures.iter().map(|&(_, how, count)| (how.to_string(), json!(count))).collect::<serde_json::Map<_, _>>(),
                })
            })
            .collect();
        let sprt = state.sprt.as_ref().zip(state.progress(self.config)).map(|(sprt, progress)| {
            json!({
                "llr": progress.llr,
                "lower": sprt.lower(),
                "upper": sprt.upper(),
                "elo0": sprt.config().elo0,
                "elo1": sprt.config().elo1,
                "verdict": progress.verdict.to_string(),
                "regularised": progress.regularised,
            })
        });
        let (word, why) = match conclusion {
            Conclusion::Complete => ("complete", None),
            Conclusion::Decided(_) => ("decided", None),
            Conclusion::Interrupted => ("interrupted", None),
            Conclusion::Broken(why) => ("broken", Some(why)),
        };
        let mut line = json!({
            "event": "summary",
            "conclusion": word,
            "games": state.standings.games(),
            "of": state.total,
            "seconds": state.started.elapsed().as_secs_f64(),
            "players": players,
        });
        if let Some(line) = line.as_object_mut() {
            line.extend(sprt.map(|sprt| ("sprt".to_string(), sprt)));
            line.extend(why.map(|why| ("why".to_string(), json!(why))));
            if self.config.output.latency {
                line.insert("plies".into(), json!(state.plies));
                line.insert("cpu_us_a_ply".into(), json!(processor_time_a_ply(state)));
                line.insert("handover_us".into(), json!(quantiles(state)));
            }
        }
        line
    }
}

/// A game as JSON.
fn game(entry: &Entry, state: &State) -> Value {
    let Fixture { game, round, white, black, opening, .. } = entry.fixture;
    json!({
        "event": "game",
        "game": game + 1,
        "round": round + 1,
        "opening": opening + 1,
        "white": state.names[white],
        "black": state.names[black],
        "result": entry.outcome.to_string(),
        "reason": entry.reason,
        "termination": entry.termination,
        "plies": entry.book.len() + entry.moves.len(),
        "seconds": entry.duration.as_secs_f64(),
    })
}

/// What a match was played with, as it stands behind the names: `8+0.08, 1t, 16MB, book.epd`.
fn conditions(config: &MatchConfig) -> String {
    let of_all = |parts: Vec<String>| {
        let mut distinct = parts.clone();
        distinct.dedup();
        (!parts.iter().all(String::is_empty)).then(|| distinct.join(" - "))
    };
    let option = |name: &str, unit: &str| {
        let value = |options: &[(String, String)]| {
            let found = options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            found.map_or(String::new(), |(_, value)| format!("{value}{unit}"))
        };
        of_all(config.players.iter().map(|player| value(&player.engine.options)).collect())
    };
    let limits = of_all(config.players.iter().map(|player| player.limits.to_string()).collect());
    let book = config.openings.as_ref().and_then(|openings| openings.file.file_name());
    let parts = [
        limits,
        option("Threads", "t"),
        option("Hash", "MB"),
        book.map(|name| name.to_string_lossy().into()),
    ];
    parts.into_iter().flatten().collect::<Vec<String>>().join(", ")
}

/// Processor time of the runner for each move of an engine, in microseconds.
fn processor_time_a_ply(state: &State) -> f64 {
    usage::processor_time().as_secs_f64() * 1e6 / state.plies.max(1) as f64
}

/// The median, the 99th percentile and the longest of the handovers, in microseconds.
fn quantiles(state: &State) -> Option<[f64; 3]> {
    let times = &state.handovers;
    let shares = [times.value_at_quantile(0.5), times.value_at_quantile(0.99), times.max()];
    (!times.is_empty()).then(|| shares.map(|nanoseconds| nanoseconds as f64 / 1e3))
}

/// What `-show-latency` tells.
fn measurements(state: &State) -> String {
    let mut text = String::new();
    for (name, &(sum, count)) in state.names.iter().zip(&state.latencies) {
        if count > 0 {
            let mean = sum / count as f64 * 1e3;
            text +=
                &format!("Latency of {name}: {mean:.3} ms a move beyond what it reported ({count} moves)\n");
        }
    }
    if let Some([median, high, longest]) = quantiles(state) {
        text += &format!(
            "From bestmove to the next go: median {median:.1} us, 99 % {high:.1} us, at most {longest:.1} us\n"
        );
    }
    text += &format!(
        "The runner's own processor time: {:.1} us a move ({} moves)\n",
        processor_time_a_ply(state),
        state.plies
    );
    if let Some(memory) = usage::peak_memory() {
        text += &format!("The runner's memory: at most {memory} KiB\n");
    }
    text
}
