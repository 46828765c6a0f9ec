//! `adoube grow`: the whole way from nothing to a network, generation after generation.
//!
//! Each step is a command that anybody can type, and is shown before it is run: games by self-play, a network trained on
//! them, a match against the network before. All of them go on where they were stopped.

mod plan;
mod step;

use super::searching::MOST_THREADS;
use super::{Failure, say};
use crate::eval::Evaluation;
use crate::eval::network::{Architecture, Inputs, Network};
use crate::sys::files::write_whole;
use crate::sys::locks::Held;
use crate::sys::{children, cpu, signals};
use plan::{Generation, Plan, Record};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use step::{OPENINGS, Steps};

/// Grows a network: plays games, trains on them, and keeps what beats the network before, again and again.
///
/// The same command goes on with a folder in which it was stopped; a larger --generations adds generations.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The folder of games, networks and results [default: data/grow, with --demo data/demo]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Two tiny networks from nothing, in minutes
    #[arg(long)]
    demo: bool,
    /// How many generations there are to be [default: 4, with --demo 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    generations: Option<u32>,
    /// What plays the first games: 'zero', which knows nothing, 'classic', the hand-made evaluation, or a network's file
    /// [default: classic, with --demo zero]
    #[arg(long, value_name = "ZERO|CLASSIC|FILE")]
    from: Option<String>,
    /// Quiet positions of a generation [default: 8000000, with --demo 300000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// Nodes a move after which no iteration is begun, in self-play [default: 300, with --demo 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Neurons of the hidden layer: a multiple of 32 [default: 128, with --demo 32]
    #[arg(long, value_name = "N")]
    hidden: Option<usize>,
    /// Sets of output weights, chosen by the number of pieces [default: 1]
    #[arg(long, value_name = "N")]
    output_buckets: Option<usize>,
    /// Times that each position is learnt from [default: 10, with --demo 8]
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,
    /// The share of what came after in what is learnt: later scores of the game and its result [default: 0.3]
    #[arg(long, value_name = "SHARE")]
    wdl: Option<f64>,
    /// Train on the games of so many generations; those without scores, that 'zero' played, only while there are no others
    /// [default: 3, with --demo 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    window: Option<u32>,
    /// Games of the match against the network before; one more if the number is odd, and with less than 20 nothing is proved
    /// [default: 600, with --demo 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    games: Option<u32>,
    /// Nodes a move in that match [default: 2000, with --demo 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: Option<u64>,
    /// Threads and games at once [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: Option<u32>,
    /// Sets chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    fn plan(&self) -> Plan {
        let usual = if self.demo { Plan::demo() } else { Plan::usual() };
        Plan {
            generations: self.generations.unwrap_or(usual.generations),
            from: self.from.clone().unwrap_or(usual.from),
            positions: self.positions.unwrap_or(usual.positions),
            nodes: self.nodes.unwrap_or(usual.nodes),
            hidden: self.hidden.unwrap_or(usual.hidden),
            output_buckets: self.output_buckets.unwrap_or(usual.output_buckets),
            epochs: self.epochs.unwrap_or(usual.epochs),
            wdl: self.wdl.unwrap_or(usual.wdl),
            window: self.window.unwrap_or(usual.window),
            games: self.games.unwrap_or(usual.games),
            match_nodes: self.match_nodes.unwrap_or(usual.match_nodes),
            threads: self.threads.unwrap_or(cpu::processors() as u32),
            seed: self.seed,
        }
    }
}

/// The evaluation that knows nothing, by name.
const ZERO: &str = "zero";

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let plan = arguments.plan();
    // Rather now than after hours.
    plan.training().check().map_err(|error| super::wrong_usage("grow", error))?;
    if plan.from != ZERO {
        Evaluation::from_setting(&plan.from)?;
    }
    let usual = if arguments.demo { "data/demo" } else { "data/grow" };
    let folder = &undashed(arguments.folder.as_deref().unwrap_or(Path::new(usual)));
    path_text(folder)?;
    if folder.metadata().is_ok_and(|about| !about.is_dir()) {
        let message = format!("{} is no folder: expected one to keep all in", folder.display());
        return Err(super::wrong_usage("grow", message));
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut known = Record::read(folder)?;
    let is_complete = |record: &Record| record.generations.len() as u32 >= plan.generations;
    // What is complete is shown only, from a medium that cannot be written too.
    let _held = match known.as_ref().is_some_and(is_complete) {
        true => None,
        false => {
            let held = Held::of_file(&folder.join("grow.lock"), folder)?;
            known = Record::read(folder)?;
            Some(held)
        }
    };
    let mut record = known.map_or_else(|| claim(folder), Ok)?;
    let first = match plan.from.as_str() {
        ZERO => make_zero(folder, plan.hidden)?,
        "classic" => plan.from.clone(),
        file => path_text(&undashed(Path::new(file)))?,
    };
    let stop = signals::interrupt_flag();
    children::start_guard()?;
    children::stand_still_at_ctrl_z();
    let steps = Steps::new(&plan, folder, &stop)?;
    for number in record.generations.len() as u32 + 1..=plan.generations {
        let begin = Instant::now();
        let best = record.best();
        let from_zero = plan.from == ZERO && best.is_none();
        // By its place in the folder, which may have been moved.
        let parent = best.map_or(Ok(first.clone()), |best| steps.network(best.number))?;
        say(&format!("\nGeneration {number} of {}, from {parent}", plan.generations));
        steps.play(number, &parent, from_zero)?;
        let network = steps.train(number, &record.learnt_from(number, plan.window, from_zero), from_zero)?;
        let result = steps.compare(number, &network, &parent)?;
        let generation = Generation {
            number,
            parent,
            from_zero,
            network,
            kept: result.is_better(),
            result,
            hours: begin.elapsed().as_secs_f64() / 3600.0,
        };
        say(&generation.to_string());
        record.generations.push(generation);
        record.write(folder)?;
    }
    say(&format!("\n{record}"));
    match record.best() {
        Some(best) => say(&format!("The best network is {}", steps.network(best.number)?)),
        None => say(&format!("No network has beaten {first}")),
    }
    Ok(())
}

/// The network that knows nothing, in the folder.
const ZERO_FILE: &str = "zero.nnue";

/// Gives a folder that has none a record, an empty one: from then on the openings and the first network there are this
/// command's, and may be replaced. Until then files of their names are somebody's, unless there are games of a generation:
/// then it is the record that is lost.
fn claim(folder: &Path) -> Result<Record, Failure> {
    let files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    let is_of_generation = |name: &str| {
        let number = name.strip_prefix("generation-").and_then(|rest| rest.strip_suffix(".games"));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let is_grown = files.iter().any(|file| file.file_name().to_str().is_some_and(is_of_generation));
    let mut known = [OPENINGS, ZERO_FILE].map(|name| folder.join(name)).into_iter();
    if let Some(file) = known.find(|file| !is_grown && file.symlink_metadata().is_ok()) {
        let file = file.display();
        return Err(format!("{file} is there already: give it another name, or name another folder").into());
    }
    let record = Record::default();
    record.write(folder)?;
    Ok(record)
}

/// Writes the network that knows nothing.
fn make_zero(folder: &Path, hidden: usize) -> Result<String, Failure> {
    let file = folder.join(ZERO_FILE);
    let network = Network::zero(Architecture::new(Inputs::Mirrored, hidden, 1))?;
    let bytes = network.write();
    // On a full disk it could not be written again.
    if !std::fs::read(&file).is_ok_and(|before| before == bytes) {
        write_whole(&file, &bytes).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    path_text(&file)
}

/// The path as no command takes it for an option.
fn undashed(path: &Path) -> PathBuf {
    let is_dashed = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    if is_dashed { Path::new(".").join(path) } else { path.to_path_buf() }
}

/// A path as a word of a command line.
fn path_text(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().ok_or_else(|| format!("{}: expected a path in UTF-8", path.display()))?;
    if text.contains(char::is_control) {
        return Err(
            format!("{text:?}: expected a path without line ends and other control characters").into()
        );
    }
    Ok(text.to_string())
}

/// Ends if somebody wants that.
fn look_for_stop(stop: &AtomicBool) -> Result<(), Failure> {
    if stop.load(Ordering::Relaxed) { Err("stopped; the same command goes on".into()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;
    use clap::Args;

    #[test]
    fn what_knows_nothing_is_written_once() {
        let folder = Scratch::new();
        // Nothing can be written there: what would be renamed is a folder.
        let blocked = crate::sys::files::unfinished(&folder.join("zero.nnue"));
        std::fs::create_dir_all(&blocked).unwrap();
        assert!(make_zero(&folder, 32).is_err());
        std::fs::remove_dir(&blocked).unwrap();
        let file = make_zero(&folder, 32).unwrap();
        std::fs::create_dir(&blocked).unwrap();
        assert_eq!(make_zero(&folder, 32).unwrap(), file);
        assert!(make_zero(&folder, 64).is_err(), "another network");
    }

    #[test]
    fn help_tells_the_numbers_of_both_plans() {
        let command = Arguments::augment_args(clap::Command::new("grow"));
        let [usual, demo] = [Plan::usual(), Plan::demo()].map(|plan| {
            [
                ("generations", plan.generations.to_string()),
                ("from", plan.from),
                ("positions", plan.positions.to_string()),
                ("nodes", plan.nodes.to_string()),
                ("hidden", plan.hidden.to_string()),
                ("output-buckets", plan.output_buckets.to_string()),
                ("epochs", plan.epochs.to_string()),
                ("wdl", plan.wdl.to_string()),
                ("window", plan.window.to_string()),
                ("games", plan.games.to_string()),
                ("match-nodes", plan.match_nodes.to_string()),
            ]
        });
        for ((name, usual), (_, demo)) in usual.into_iter().zip(demo) {
            let option = command.get_arguments().find(|option| option.get_long() == Some(name)).unwrap();
            let help = option.get_help().unwrap().to_string();
            let with_demo = if usual == demo { String::new() } else { format!(", with --demo {demo}") };
            assert!(help.ends_with(&format!("[default: {usual}{with_demo}]")), "{name}: {help}");
        }
    }
}
