//! `adoube train`

use super::searching::MOST_THREADS;
use super::{Failure, Interrupted, say, shown, tell, unfinished, wrong_usage};
use crate::eval::network::{Architecture, Inputs, Network, NetworkError};
use crate::eval::{Evaluation, EvaluationError};
use crate::sys::cpu;
use crate::sys::files::{is_one_file, write_whole};
use crate::sys::locks;
use crate::sys::memory;
use crate::sys::signals;
use crate::sys::usage;
use crate::sys::vectors::Vectors;
use crate::training::trainer::checkpoint;
use crate::training::trainer::core::most_threads;
use crate::training::trainer::dataset::{Dataset, DatasetError, Storage};
use crate::training::trainer::export;
use crate::training::trainer::filter::Filter;
use crate::training::trainer::mean;
use crate::training::trainer::measure::Measure;
use crate::training::trainer::model::Parameters;
use crate::training::trainer::run::{End, Event, Files, Run, Start, Summary, TrainError, fitting_scale};
use crate::training::trainer::settings::{Length, Settings};
use crate::training::trainer::widen;
use clap::ValueEnum;
use clap::builder::NonEmptyStringValueParser;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The help of `--from`. Not a comment, which rustdoc would read: it takes the name for HTML.
const FROM: &str = "Begin with the weights of this checkpoint or network ('<internal>': the one inside the program), which \
    may have fewer neurons, one bucket instead of several, poorer --inputs, no deep layers, and another scale";

/// Trains a network on files of self-play games.
///
/// Writes NETWORK, and next to it a checkpoint, a log (.json) and the losses as a drawing (.svg). Ctrl-C stops a few
/// steps later, and --resume goes on as if nothing had been. The same files, options and seed give the same network,
/// whatever the number of threads.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Files of games, or of one generation after another: all are mixed
    #[arg(required_unless_present_any = ["export_only", "mean"])]
    data: Vec<PathBuf>,
    /// The network to write
    #[arg(long, value_name = "NETWORK")]
    out: PathBuf,
    /// Go on with the run whose checkpoint lies next to NETWORK
    #[arg(long, conflicts_with_all = ["overwrite", "from"])]
    resume: bool,
    /// Begin anew where there is a checkpoint or a network already
    #[arg(long)]
    overwrite: bool,
    #[arg(long, value_name = "FILE", help = FROM, value_parser = NonEmptyStringValueParser::new())]
    from: Option<String>,
    /// Train nothing: write the network of a checkpoint
    #[arg(long, value_name = "CHECKPOINT", conflicts_with_all = ["data", "resume", "from"])]
    export_only: Option<PathBuf>,
    /// Train nothing: write the network whose weights are the means of those of these networks; one that is named twice
    /// counts twice
    #[arg(long, value_name = "NETWORK", num_args = 1.., conflicts_with_all = ["data", "resume", "from", "export_only"], value_parser = NonEmptyStringValueParser::new())]
    mean: Vec<String>,
    /// Neurons of the hidden layer: a multiple of 32
    #[arg(long, default_value_t = Settings::default().hidden)]
    hidden: usize,
    /// How each side sees the board: plain; through a mirror when its king is on the files e to h; that and threatened
    /// pieces apart from others; that and marks of what the pieces could do to each other; or marks and pieces apart by
    /// what attacks and what protects them
    #[arg(long, value_enum, default_value_t = InputKind::Mirrored)]
    inputs: InputKind,
    /// Sets of input weights, chosen by the own king's square: 1, 2, 4 or 8, with exposure 4 at most
    #[arg(long, default_value_t = Settings::default().king_buckets)]
    king_buckets: usize,
    /// Sets of output weights, chosen by the number of pieces: 1 to 8
    #[arg(long, default_value_t = Settings::default().output_buckets)]
    output_buckets: usize,
    /// Times that each position is learnt from [default: 10]
    #[arg(long)]
    epochs: Option<u32>,
    /// Hundreds of millions of positions, instead of epochs
    #[arg(long, conflicts_with = "epochs")]
    superbatches: Option<u32>,
    /// Positions of a step
    #[arg(long, default_value_t = Settings::default().batch)]
    batch: usize,
    /// The highest learning rate
    #[arg(long, default_value_t = Settings::default().rate)]
    rate: f64,
    /// Two more layers beside each set of output weights
    #[arg(long)]
    deep: bool,
    /// How many times as fast deep layers learn
    #[arg(long, value_name = "TIMES", default_value_t = Settings::default().deep_rate)]
    deep_rate: f64,
    /// How many times as fast the weights of marks learn
    #[arg(long, value_name = "TIMES", default_value_t = Settings::default().marks_rate)]
    marks_rate: f64,
    /// The learning rate at the end [default: 0.0000024, or the highest if that is less]
    #[arg(long)]
    final_rate: Option<f64>,
    /// Steps in which the learning rate rises, a tenth of the run at most
    #[arg(long, default_value_t = Settings::default().warm_up)]
    warm_up: u64,
    /// The share of what came after in what is learnt, the rest being the score; A:B goes from A to B
    #[arg(long, default_value = "0.3", value_parser = wdl, value_name = "A[:B]")]
    wdl: [f64; 2],
    /// What came after: 1 is the game's result alone, less lets later scores of the game speak too, nearer ones more
    /// (the return of TD(lambda))
    #[arg(long, default_value_t = Settings::default().lambda)]
    lambda: f64,
    /// Internal units of the score at which 0.73 points are expected
    #[arg(long, default_value_t = Settings::default().scale)]
    scale: u16,
    /// The power of the error that is the loss
    #[arg(long, default_value_t = Settings::default().power)]
    loss_power: f64,
    /// Show half of the positions in a mirror, each time others; for plain inputs
    #[arg(long)]
    mirror_data: bool,
    /// What is left out, KEY=VALUE,...: check, tactical and duplicates are drop or keep; score, ply, clock, pieces;
    /// keep is the share of what remains, drawn by lot
    #[arg(long, default_value_t = Filter::default())]
    filter: Filter,
    /// The share of games that is held out to measure the loss with
    #[arg(long, default_value_t = Settings::default().validation)]
    validation: f64,
    /// Measure this network too, on the same held-out games
    #[arg(long, value_name = "NETWORK", conflicts_with_all = ["export_only", "mean"], value_parser = NonEmptyStringValueParser::new())]
    against: Option<String>,
    /// Of everything random
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// Threads; a step uses 4 or 8 at most, by the size of the network [default: one a processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,
    /// Megabytes that positions may take; more are dealt out to files next to NETWORK, in as many parts as before with
    /// --resume [default: half of what is free, 1024 where the system does not tell: all but Linux]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
}

/// [`Inputs`] by name.
#[derive(Clone, Copy, ValueEnum)]
enum InputKind {
    Plain,
    Mirrored,
    Threats,
    Marks,
    Exposure,
}

impl InputKind {
    fn inputs(self) -> Inputs {
        match self {
            InputKind::Plain => Inputs::Plain,
            InputKind::Mirrored => Inputs::Mirrored,
            InputKind::Threats => Inputs::Threats,
            InputKind::Marks => Inputs::Marks,
            InputKind::Exposure => Inputs::Exposure,
        }
    }
}

/// What a kill or a power cut costs at most.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);

/// Reads a share, or two.
fn wdl(text: &str) -> Result<[f64; 2], String> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let number = |word: &str| match word.trim().parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("'{word}' is no share from 0 to 1")),
    };
    Ok([number(first)?, number(last)?])
}

impl Arguments {
    fn settings(&self) -> Settings {
        let length = match (self.epochs, self.superbatches) {
            (_, Some(superbatches)) => Length::Superbatches(superbatches),
            (Some(epochs), None) => Length::Epochs(epochs),
            (None, None) => Settings::default().length,
        };
        Settings {
            hidden: self.hidden,
            inputs: self.inputs.inputs(),
            king_buckets: self.king_buckets,
            output_buckets: self.output_buckets,
            scale: self.scale,
            batch: self.batch,
            length,
            rate: self.rate,
            marks_rate: self.marks_rate,
            deep: self.deep,
            deep_rate: self.deep_rate,
            final_rate: self.final_rate.unwrap_or(Settings::default().final_rate.min(self.rate)),
            warm_up: self.warm_up,
            wdl: self.wdl,
            lambda: self.lambda,
            power: self.loss_power,
            mirror_data: self.mirror_data,
            seed: self.seed,
            validation: self.validation,
            filter: self.filter,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let files = Files { network: unfinished::target(&arguments.out)? };
    files.check(&arguments.data)?;
    let settings = arguments.settings();
    let trains_nothing = arguments.export_only.is_some() || !arguments.mean.is_empty();
    if trains_nothing && let Some(name) = settings.difference(&Settings::default()) {
        let message = format!("--{name} is for a training, and --export-only and --mean train nothing");
        return Err(wrong_usage("train", message));
    }
    let _held = files.hold()?;
    // Where there is a checkpoint too, `start` says what can be done.
    let is_alone = trains_nothing || !files.checkpoint().exists();
    if is_alone && !arguments.overwrite && !arguments.resume {
        let more = if trains_nothing { vec![] } else { vec![files.log(), files.drawing()] };
        let written = [files.network.clone()].into_iter().chain(more);
        if let Some(file) = written.into_iter().find(|file| file.exists()) {
            return Err(format!("{} is there already: --overwrite replaces it", file.display()).into());
        }
    }
    if let Some(path) = &arguments.export_only {
        return export_only(path, &files);
    }
    if !arguments.mean.is_empty() {
        return write_mean(&arguments.mean, &files);
    }
    files.try_all()?;
    settings.check().map_err(|error| wrong_usage("train", error))?;
    let against = network_against(arguments, &settings)?;
    // What does not fit is told before hours go into reading.
    let start = start(arguments, &files)?.fitted(&settings)?;
    let begin = Instant::now();
    let threads = arguments.threads.map_or_else(cpu::processors, usize::from);
    // Games are read and numbers rounded by no more threads than learn.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.map_err(|error| TrainError::Threads(error.to_string()))?;
    // Each part of what is dealt out is one.
    usage::allow_many_files();
    // What is dealt out to files would stay on the disk if the process just died.
    let stop = signals::interrupt_flag();
    let dataset = read_games(arguments, &settings, &start, &files, &stop)?;
    let vectors = Vectors::widest();
    let mut run = Run::new(&settings, dataset, start, threads, vectors)?;
    let data = arguments.data.iter().map(|file| file.display().to_string()).collect();
    run.name_sources(data, arguments.from.clone());
    if let Some((name, network)) = arguments.against.clone().zip(against) {
        run.compare_with(name, network);
    }
    let learning = match most_threads(&settings.architecture()) {
        most if most < threads => format!("{most} of {threads} threads"),
        _ => format!("{threads} threads"),
    };
    say(&format!(
        "{}: {} steps of {} positions; {learning}, {}; read in {:.1} s",
        settings.architecture(),
        run.steps(),
        run.batch(),
        vectors.name(),
        begin.elapsed().as_secs_f64()
    ));
    if run.progress().step > 0 {
        say(&format!("goes on behind step {}", run.progress().step));
    }
    let checkpoint = files.checkpoint();
    if !arguments.resume && checkpoint.exists() {
        // Else --resume would go on with the run before, if this one is ended before its first checkpoint.
        std::fs::remove_file(&checkpoint).map_err(|error| format!("{}: {error}", checkpoint.display()))?;
    }
    let rounds = settings.rounds();
    let mut shown = Instant::now();
    let has_watcher = io::stderr().is_terminal();
    let mut is_stopped = || stop.load(Ordering::Relaxed);
    let end = run.finish(&files, CHECKPOINT_EVERY, &mut is_stopped, &mut |event| match event {
        Event::Round(round, left) => {
            let validation =
                round.validation_loss.map_or(String::new(), |loss| format!(", validation {loss:.6}"));
            say(&format!(
                "{} of {rounds}: loss {:.6}{validation}; rate {:.2e}, wdl {:.2}; {:.2} million positions/s, {} left",
                round.round,
                round.training_loss,
                round.rate,
                round.wdl,
                round.speed / 1e6,
                time(left)
            ));
        }
        Event::Steps { done, of, speed, left } if has_watcher && shown.elapsed() >= Duration::from_secs(1) => {
            shown = Instant::now();
            let _ = write!(
                io::stderr(),
                "\rstep {done} of {of}, {:.2} million positions/s, {} left   \r",
                speed / 1e6,
                time(left)
            );
        }
        Event::Steps { .. } => {}
        Event::Rounding => say("rounds the weights"),
    })?;
    match end {
        End::Stopped => Err(format!(
            "stopped at step {}; the same command with --resume{} goes on from {}",
            run.progress().step,
            in_place_of(arguments.overwrite, arguments.from.is_some()),
            files.checkpoint().display()
        )
        .into()),
        End::Complete(summary) => {
            show(&summary, &files);
            if let (Some(name), None) = (&arguments.against, &summary.against) {
                tell(format_args!("no position was held out to measure {name} on"));
            }
            Ok(())
        }
    }
}

/// What must go from a command to which `--resume` comes.
pub(super) fn in_place_of(overwrite: bool, from: bool) -> &'static str {
    match (overwrite, from) {
        (false, false) => "",
        (true, false) => " instead of --overwrite",
        (false, true) => " instead of --from",
        (true, true) => " instead of --overwrite and --from",
    }
}

/// The network of `--against`.
fn network_against(arguments: &Arguments, settings: &Settings) -> Result<Option<Arc<Network>>, Failure> {
    let Some(setting) = &arguments.against else { return Ok(None) };
    match Evaluation::from_setting(setting)? {
        Evaluation::Classic => {
            Err(wrong_usage("train", "--against needs a network, not the hand-made evaluation"))
        }
        Evaluation::Network(_) if settings.validation <= 0.0 => {
            Err(wrong_usage("train", "--against needs games that are held out: give --validation a share"))
        }
        Evaluation::Network(network) => Ok(Some(network)),
    }
}

/// Reads what is learnt from, and says what that is.
fn read_games(
    arguments: &Arguments,
    settings: &Settings,
    start: &Start,
    files: &Files,
    stop: &AtomicBool,
) -> Result<Dataset, Failure> {
    let free = memory::available_megabytes().map_or(1024, |free| free as u64 / 2);
    let megabytes = arguments.memory.unwrap_or(free).max(1);
    let storage = match start {
        Start::Resume(checkpoint) => Storage::Parts(checkpoint.0.parts),
        _ => Storage::Memory(megabytes.saturating_mul(1 << 20)),
    };
    // A pipe would be waited for here, and is refused there.
    let is_written = |file: &&PathBuf| file.is_file() && locks::is_locked(file);
    for file in arguments.data.iter().filter(is_written) {
        tell(format_args!(
            "{} is being written: --resume will not find the same positions; 'adoube data mix' makes a copy that stays",
            file.display()
        ));
    }
    let dataset = Dataset::read(&arguments.data, settings, storage, &files.parts(), stop, &mut |error| {
        tell(format_args!("{error}; left out"))
    });
    let dataset = dataset.map_err(|error| match error {
        DatasetError::Stopped => Interrupted(error.into()).into(),
        error => Failure::from(error),
    })?;
    say(&dataset.counts.to_string());
    if let Some(scale) = fitting_scale(&dataset.validation) {
        say(&format!("results of the games held out fit a scale of {scale:.0}; it is {}", settings.scale));
    }
    if dataset.parts() > 1 {
        say(&format!("more than fits into memory: {} parts", dataset.parts()));
    }
    Ok(dataset)
}

/// Says what came of a complete run.
fn show(summary: &Summary, files: &Files) {
    let (network, rounding) = (files.network.display().to_string(), summary.rounding);
    say(&format!(
        "{network}: rounding changes values by {:.2} units on average, {:.1} at most, of {:.0} on average",
        rounding.mean, rounding.largest, rounding.mean_value
    ));
    let own = summary.held_out.as_ref().map(|measure| (&network, measure));
    let other = summary.against.as_ref().map(|(name, measure)| (name, measure));
    for (name, measure) in own.into_iter().chain(other) {
        let Measure { loss, mean_centipawns, positions } = measure;
        say(&format!(
            "{name}: rounded, loss {loss:.6} on {positions} positions held out, {mean_centipawns:.0} cp on average"
        ));
    }
    for finding in &summary.findings {
        say(&format!("remark: {finding}"));
    }
}

/// Where the run begins.
fn start(arguments: &Arguments, files: &Files) -> Result<Start, Failure> {
    let path = files.checkpoint();
    if arguments.resume {
        return Ok(Start::Resume(Box::new(checkpoint::read(&path)?)));
    }
    let is_checkpoint = |from: &String| is_one_file(Path::new(from), &path);
    if let Some(from) = arguments.from.as_ref().filter(|from| path.exists() && is_checkpoint(from)) {
        // It goes before the first checkpoint of this run: a kill between would leave neither.
        return Err(format!(
            "{from} would be replaced by the checkpoint of what begins with it: give another --out, or a copy of it to --from"
        )
        .into());
    }
    if path.exists() && !arguments.overwrite {
        return Err(format!(
            "{} is there already: --resume goes on with that run, --overwrite begins anew",
            path.display()
        )
        .into());
    }
    match &arguments.from {
        Some(from) => Ok(Start::From(Box::new(weights(from)?))),
        None => Ok(Start::Random),
    }
}

/// The weights of a network or a checkpoint, whichever it is.
fn weights(from: &str) -> Result<(Architecture, Parameters), Failure> {
    match Evaluation::from_setting(from) {
        Ok(Evaluation::Network(network)) => Ok((*network.architecture(), widen::of_network(&network))),
        Ok(Evaluation::Classic) => Err(wrong_usage("train", "--from needs a network or a checkpoint")),
        Err(EvaluationError::Network(_, NetworkError::Foreign)) => {
            let (progress, state) = checkpoint::read(Path::new(from))?;
            Ok((progress.settings.architecture(), state.weights))
        }
        Err(error) => Err(error.into()),
    }
}

fn export_only(path: &Path, files: &Files) -> Result<(), Failure> {
    if is_one_file(path, &files.network) {
        return Err(format!("{} cannot be read and replaced at once", path.display()).into());
    }
    let (progress, state) = checkpoint::read(path)?;
    let network =
        export::quantise(&progress.settings.architecture(), &state.weights, progress.outputs.as_ref())?;
    write(&network, &format!("step {}", progress.step), files)
}

fn write_mean(names: &[String], files: &Files) -> Result<(), Failure> {
    let network = |name: &String| match Evaluation::from_setting(name)? {
        Evaluation::Network(network) => Ok(network),
        Evaluation::Classic => {
            Err(wrong_usage("train", "--mean needs networks, not the hand-made evaluation"))
        }
    };
    let networks = names.iter().map(network).collect::<Result<Vec<_>, Failure>>()?;
    let mean = mean::mean(&networks)?;
    write(&mean, &format!("{} networks", networks.len()), files)
}

/// Writes a network that needed no training, and says what it is of.
fn write(network: &Network, of: &str, files: &Files) -> Result<(), Failure> {
    write_whole(&files.network, &network.write())
        .map_err(|error| format!("{}: {error}", files.network.display()))?;
    let told = format!("{}: {network}, of {of}", files.network.display());
    writeln!(io::stdout(), "{}", shown(told))?;
    Ok(())
}

/// Hours, minutes and seconds.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes}:{seconds:02} min"),
        (hours, minutes, _) => format!("{hours}:{minutes:02} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::parsed;

    fn settings(words: &str) -> Settings {
        parsed::<Arguments>(&format!("a.data --out n.nnue {words}")).settings()
    }

    #[test]
    fn each_option_is_the_setting_of_its_name() {
        assert_eq!(settings(""), Settings::default());
        let words = "--hidden 64 --inputs exposure --king-buckets 4 --output-buckets 3 --superbatches 7 --batch 500 \
                     --rate 0.5 --deep --deep-rate 3 --marks-rate 5 --final-rate 0.25 --warm-up 11 --wdl 0.1:0.7 \
                     --lambda 0.6 --scale 321 --loss-power 2.5 --filter ply=9,keep=0.5 --validation 0.125 --seed 13";
        let expected = Settings {
            hidden: 64,
            inputs: Inputs::Exposure,
            king_buckets: 4,
            output_buckets: 3,
            deep: true,
            scale: 321,
            batch: 500,
            length: Length::Superbatches(7),
            rate: 0.5,
            marks_rate: 5.0,
            deep_rate: 3.0,
            final_rate: 0.25,
            warm_up: 11,
            wdl: [0.1, 0.7],
            lambda: 0.6,
            power: 2.5,
            mirror_data: false,
            seed: 13,
            validation: 0.125,
            filter: Filter { ply: 9, keep: 0.5, ..Filter::default() },
        };
        assert_eq!(settings(words), expected);
        let slow = settings("--rate 1e-7");
        assert!(slow.final_rate == 1e-7 && slow.check().is_ok());
        let plain = settings("--inputs plain --mirror-data --epochs 3 --wdl 0.25");
        assert!(plain.inputs == Inputs::Plain && plain.mirror_data);
        assert_eq!((plain.length, plain.wdl), (Length::Epochs(3), [0.25; 2]));
        let kinds = ["mirrored", "threats", "marks"].map(|kind| settings(&format!("--inputs {kind}")).inputs);
        assert_eq!(kinds, [Inputs::Mirrored, Inputs::Threats, Inputs::Marks]);
    }

    #[test]
    fn times_are_told_by_their_largest_units() {
        for (seconds, told) in [
            (0, "0 s"),
            (59, "59 s"),
            (60, "1:00 min"),
            (3_599, "59:59 min"),
            (3_600, "1:00 h"),
            (90_000, "25:00 h"),
            (7_509, "2:05 h"),
        ] {
            assert_eq!(time(Duration::from_secs(seconds)), told);
        }
    }
}
