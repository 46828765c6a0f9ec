//! `adoube tune`, in builds with the feature `tune`: the search's parameters by SPSA.
//!
//! Each thread plays one small match at a time between two settings; its result moves the values, which all threads share.

use super::Failure;
use super::searching::MOST_THREADS;
use super::words::{self, Request};
use crate::search::params;
use crate::sys::files::{with_suffix, write_whole};
use crate::sys::locks::Held;
use crate::sys::panics::SetInPanic;
use crate::sys::{children, cpu, signals, usage};
use crate::tournament::fingerprint::Fingerprint;
use crate::tournament::runner::{self, Conclusion, Event};
use crate::tournament::spsa::Gains;
use crate::tournament::stop::Stop;
use crate::types::tunable::Parameter;
use parking_lot::Mutex;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Tunes the search's parameters by games against itself (SPSA).
///
/// The same command goes on where it was stopped. What it has come to is in FILE, and on the screen.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Where the state is kept: iterations done, values
    #[arg(value_name = "FILE", default_value = "data/tune.json")]
    file: PathBuf,
    /// Parameters to tune; if none are named all that begin within their range, not at an end of it
    #[arg(long, value_name = "NAME,NAME...", value_delimiter = ',')]
    only: Vec<String>,
    /// Iterations: each is a small match of two settings
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Pairs of games of an iteration
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pairs: u64,
    /// How far a point moves each parameter at the end, as a share of the spread
    #[arg(long, value_name = "RATE", default_value_t = 0.002)]
    rate: f64,
    /// How far each of the two settings lies from the present values at the end, in steps of each parameter
    #[arg(long, value_name = "STEPS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    spread: u32,
    /// Limits of a move, as after -each in a match: 'nodes=5000' or 'tc=2+0.02'
    #[arg(long, value_name = "LIMIT", default_value = "nodes=5000")]
    limit: String,
    /// Openings, in EPD
    #[arg(long, value_name = "FILE", default_value = "book/openings.epd")]
    openings: PathBuf,
    /// Hash table of each player, in MB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=MAX_HASH))]
    hash: u64,
    /// Matches at once [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: Option<u32>,
    /// Sets chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// More than any machine has, in MB.
const MAX_HASH: u64 = 1 << 25;

/// What is kept between runs.
#[derive(Serialize, Deserialize)]
struct State {
    /// What cannot be changed on the way.
    plan: String,
    /// Nor can the openings in the file that the plan names. Earlier versions did not look at them.
    #[serde(default)]
    book: Option<Fingerprint>,
    /// Iterations begun: each has its own seed, and is learnt from once.
    iteration: u64,
    /// Those of them that have not come to their end.
    #[serde(default)]
    open: BTreeSet<u64>,
    /// Games played.
    games: u64,
    values: BTreeMap<String, f64>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let wrong = |text: String| super::wrong_usage("tune", text);
    let named = |parameter: &&Parameter| {
        // From an end chance can only lead away.
        let within = parameter.min < parameter.default && parameter.default < parameter.max;
        if arguments.only.is_empty() {
            within
        } else {
            arguments.only.iter().any(|name| name == parameter.name)
        }
    };
    let parameters: Vec<Parameter> = params::ALL.iter().filter(named).copied().collect();
    if let Some(name) = arguments.only.iter().find(|name| !params::ALL.iter().any(|it| it.name == **name)) {
        return Err(wrong(format!("there is no parameter '{name}'; the command uci lists them")));
    }
    if !(arguments.rate > 0.0 && arguments.rate <= 1.0) {
        return Err(wrong(format!("--rate {}: expected more than 0, at most 1", arguments.rate)));
    }
    let plan = format!(
        "iterations {} pairs {} rate {} spread {} limit {} hash {} openings {} seed {} of {}",
        arguments.iterations,
        arguments.pairs,
        arguments.rate,
        arguments.spread,
        arguments.limit,
        arguments.hash,
        arguments.openings.display(),
        arguments.seed,
        parameters.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(",")
    );
    // Rather now than in every thread.
    let zero = vec![0; parameters.len()];
    let program = own_program()?;
    config(arguments, &program, &parameters, [&zero, &zero], 0, Path::new("journal"))?;
    let book = Fingerprint::of_file(&arguments.openings)
        .map_err(|error| format!("{}: {error}", arguments.openings.display()))?;
    make_folder(&arguments.file)?;
    let _held = Held::of_file(&with_suffix(&arguments.file, ".lock"), &arguments.file)?;
    let state = read(&arguments.file, plan, book, &arguments.openings, &parameters)?;
    children::start_guard()?;
    children::stand_still_at_ctrl_z();
    usage::allow_many_files();
    let stop = signals::interrupt_flag();
    let bell = Stop::new()?;
    let tuner = Tuner {
        arguments,
        program,
        parameters,
        gains: Gains {
            iterations: arguments.iterations,
            rate: arguments.rate,
            spread: f64::from(arguments.spread),
        },
        stop: &stop,
        bell: &bell,
        shared: Mutex::new(Shared {
            waiting: state.open.clone(),
            state,
            shown: Instant::now(),
            told: HashSet::new(),
            failure: None,
        }),
    };
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Should a thread not start, nobody else goes on.
        let _ends = [SetInPanic(&stop), SetInPanic(&is_over)];
        let watch = || {
            while !is_over.load(Ordering::Relaxed) {
                if stop.load(Ordering::Relaxed) {
                    bell.ring();
                }
                std::thread::sleep(LOOK_EVERY);
            }
        };
        scope.spawn(watch);
        let tuners: Vec<_> = (0..arguments.threads.unwrap_or(cpu::processors() as u32))
            .map(|thread| {
                let tuner = &tuner;
                scope.spawn(move || {
                    let _stop = SetInPanic(tuner.stop);
                    if let Err(failure) = tuner.work(thread) {
                        tuner.stop.store(true, Ordering::Relaxed);
                        tuner.shared.lock().failure.get_or_insert(failure.to_string());
                    }
                })
            })
            .collect();
        let ends: Vec<_> = tuners.into_iter().map(|tuner| tuner.join()).collect();
        is_over.store(true, Ordering::Relaxed);
        // A failure of our own is not to look like a stop.
        if let Some(panic) = ends.into_iter().find_map(Result::err) {
            std::panic::resume_unwind(panic);
        }
    });
    let Shared { state, failure, .. } = tuner.shared.into_inner();
    // Nothing is left of a run that has never begun.
    if state.games > 0 {
        write(&arguments.file, &state)?;
    }
    let shown = show(&state, &tuner.parameters, true);
    match failure {
        Some(failure) => Err(failure.into()),
        None if state.iteration < arguments.iterations || !state.open.is_empty() => {
            Err(format!("stopped; the same command goes on from {}", arguments.file.display()).into())
        }
        None => shown,
    }
}

struct Tuner<'a> {
    arguments: &'a Arguments,
    /// What both players are started by.
    program: PathBuf,
    parameters: Vec<Parameter>,
    gains: Gains,
    stop: &'a AtomicBool,
    /// Ends the matches that are played.
    bell: &'a Stop,
    shared: Mutex<Shared>,
}

struct Shared {
    state: State,
    /// Iterations that were begun earlier, and are to be begun again.
    waiting: BTreeSet<u64>,
    shown: Instant,
    /// What has been warned of.
    told: HashSet<String>,
    failure: Option<String>,
}

/// Between two looks whether to stop.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Between two looks at how it goes.
const INTERVAL: Duration = Duration::from_secs(60);

impl Tuner<'_> {
    /// One thread's part: match after match until the last iteration or the end of the session.
    fn work(&self, thread: u32) -> Result<(), Failure> {
        let journal = with_suffix(&self.arguments.file, &format!(".{thread}.journal"));
        loop {
            let (k, values) = {
                let Shared { state, waiting, .. } = &mut *self.shared.lock();
                if self.stop.load(Ordering::Relaxed) {
                    break;
                }
                let k = match waiting.pop_first() {
                    Some(k) => k,
                    None if state.iteration < self.arguments.iterations => {
                        state.iteration += 1;
                        state.iteration - 1
                    }
                    None => break,
                };
                state.open.insert(k);
                (k, self.values(state))
            };
            let seed = self.arguments.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ k;
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let trial = self.gains.draw(&self.parameters, &values, k, &mut random);
            let played = self.play([&trial.plus, &trial.minus], seed, &journal);
            // A stopped match is played anew, and one that could not begin has left an empty one.
            if !matches!(played, Ok(Some(_))) {
                let _ = std::fs::remove_file(&journal);
            }
            let Some(result) = played? else { break };
            let shared = &mut *self.shared.lock();
            shared.state.open.remove(&k);
            let mut values = self.values(&shared.state);
            self.gains.learn(&self.parameters, &mut values, k, &trial, result);
            for (parameter, value) in self.parameters.iter().zip(values) {
                shared.state.values.insert(parameter.name.into(), value);
            }
            shared.state.games += 2 * self.arguments.pairs;
            // A match takes much longer, and a kill costs no more than those under way.
            write(&self.arguments.file, &shared.state)?;
            if shared.shown.elapsed() >= INTERVAL {
                shared.shown = Instant::now();
                show(&shared.state, &self.parameters, false)?;
            }
        }
        let _ = std::fs::remove_file(journal);
        Ok(())
    }

    fn values(&self, state: &State) -> Vec<f64> {
        self.parameters.iter().map(|it| state.values[it.name]).collect()
    }

    /// Plays a match of two settings and returns the first one's points less the second's; nothing if it was stopped. An
    /// engine that fails says nothing of its setting's strength.
    fn play(&self, values: [&[i32]; 2], seed: u64, journal: &Path) -> Result<Option<f64>, Failure> {
        let (config, words) = config(self.arguments, &self.program, &self.parameters, values, seed, journal)?;
        // One of a run that was killed is of no use.
        let _ = std::fs::remove_file(journal);
        let ran = runner::run(&config, &words, self.bell, &mut |event, _| {
            // No remarks: what is said of a single game would be said of thousands.
            if let Event::Warning(text) = event
                && self.shared.lock().told.insert(text.to_string())
            {
                super::tell(format_args!("warning: {text}"));
            }
        });
        let (state, conclusion) = match ran {
            // Stopped while it met its engines.
            Err(_) if self.bell.is_rung() => return Ok(None),
            ran => ran?,
        };
        match conclusion {
            Conclusion::Failed(why) | Conclusion::Broken(why) => {
                let setting = |values: &[i32]| {
                    let named =
                        self.parameters.iter().zip(values).map(|(it, value)| format!("{}={value}", it.name));
                    named.collect::<Vec<_>>().join(" ")
                };
                Err(format!("{why}: {} against {}", setting(values[0]), setting(values[1])).into())
            }
            Conclusion::Interrupted => Ok(None),
            Conclusion::Complete | Conclusion::Decided(_) => {
                let tally = state.standings.between(0, 1);
                Ok(Some(tally.wins as f64 - tally.losses as f64))
            }
        }
    }
}

/// What starts this program. Its file may be another's before the last match, where somebody builds it anew; on Linux the
/// system keeps the one that runs, which others may start unless it may not be read.
fn own_program() -> std::io::Result<PathBuf> {
    // By the number that is this process's there: in a namespace of processes that of `std` may be another's.
    let kept = std::fs::read_link("/proc/self").map(|number| Path::new("/proc").join(number).join("exe"));
    let starts = |program: &PathBuf| {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    kept.ok().filter(starts).map_or_else(std::env::current_exe, Ok)
}

/// The match of two settings.
fn config(
    arguments: &Arguments,
    program: &Path,
    parameters: &[Parameter],
    values: [&[i32]; 2],
    seed: u64,
    journal: &Path,
) -> Result<(crate::tournament::config::MatchConfig, Vec<String>), Failure> {
    let text = |path: &Path| {
        let text = path.to_str().map(String::from);
        text.ok_or_else(|| format!("{}: expected a path in UTF-8", path.display()))
    };
    let program = text(program)?;
    let mut words = vec![];
    for (name, values) in [("plus", values[0]), ("minus", values[1])] {
        words.extend(["-engine".into(), format!("name={name}"), format!("cmd={program}")]);
        let options = parameters.iter().zip(values);
        words.extend(options.map(|(parameter, value)| format!("option.{}={value}", parameter.name)));
    }
    let Arguments { pairs, hash, limit, openings, .. } = arguments;
    words.extend(["-each".into(), format!("option.Hash={hash}")]);
    words.extend(limit.split_whitespace().map(String::from));
    let usual = format!("-rounds {pairs} -games 2 -concurrency 1 -laws engine -srand {seed}");
    words.extend(usual.split(' ').map(String::from));
    words.extend(["-openings".into(), format!("file={}", text(openings)?), "format=epd".into()]);
    words.push("order=random".into());
    match words::parse(&words) {
        Ok(Request::Match { mut config, words, .. }) => {
            config.journal = Some(journal.to_path_buf());
            Ok((*config, words))
        }
        Ok(_) => Err("the words of a match ask for something else".into()),
        Err(wrong) => Err(super::wrong_usage("tune", wrong)),
    }
}

fn make_folder(file: &Path) -> Result<(), Failure> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(())
}

/// The state in the file, or that of the beginning.
fn read(
    file: &Path,
    plan: String,
    book: Fingerprint,
    openings: &Path,
    parameters: &[Parameter],
) -> Result<State, Failure> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let values = parameters.iter().map(|it| (it.name.into(), f64::from(it.default))).collect();
            return Ok(State {
                plan,
                book: Some(book),
                iteration: 0,
                open: BTreeSet::new(),
                games: 0,
                values,
            });
        }
        Err(error) => return Err(named(&error).into()),
    };
    let mut state: State = serde_json::from_str(&text).map_err(|error| named(&error))?;
    if state.plan != plan {
        let text = format!("it is of another run:\n  {}\nand not\n  {plan}", state.plan);
        return Err(super::wrong_usage("tune", named(&text)));
    }
    if *state.book.get_or_insert(book) != book {
        let openings = openings.display();
        return Err(named(&format!("it is of a run with other openings: {openings} has been changed")).into());
    }
    if let Some(missing) = parameters.iter().find(|it| !state.values.contains_key(it.name)) {
        return Err(named(&format!("no value of {}", missing.name)).into());
    }
    Ok(state)
}

fn write(file: &Path, state: &State) -> Result<(), Failure> {
    make_folder(file)?;
    let text = serde_json::to_string_pretty(state)?;
    write_whole(file, text.as_bytes()).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(())
}

/// How it stands: a line on the way, a table at the end.
fn show(state: &State, parameters: &[Parameter], whole: bool) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let moved = |it: &Parameter| (state.values[it.name] - f64::from(it.default)) / f64::from(it.step);
    let mut by_way: Vec<&Parameter> = parameters.iter().collect();
    by_way.sort_by(|a, b| moved(b).abs().total_cmp(&moved(a).abs()));
    write!(out, "iteration {}, {} games:", state.iteration, state.games)?;
    if whole {
        for it in parameters {
            let value = state.values[it.name];
            write!(out, "\n{:<28} {:>8} -> {value:>10.1} ({:+.1} steps)", it.name, it.default, moved(it))?;
        }
    } else {
        for it in by_way.iter().take(5) {
            write!(out, " {} {:.1}", it.name, state.values[it.name])?;
        }
    }
    writeln!(out)?;
    Ok(())
}
