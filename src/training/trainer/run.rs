//! A run from its beginning, or from where it was left, to the network.

use super::checkpoint::{self, CheckpointError, Progress, Round};
use super::core::{Batch, Core, Rates, State, core};
use super::curve;
use super::dataset::{Dataset, DatasetError};
use super::export::{self, ExportError, RoundingError};
use super::kernel::sigmoid;
use super::measure::{Measure, measure};
use super::model::Parameters;
use super::record::Record;
use super::rounding::{self, spread};
use super::settings::Settings;
use super::widen::widened;
use crate::eval::Evaluation;
use crate::eval::network::{Architecture, Network};
use crate::eval::sanity::{self, Finding};
use crate::sys::files;
use crate::sys::locks::Held;
use crate::sys::vectors::Vectors;
use crate::training::valley::valley;
use serde_json::json;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps between looks at whether to stop, and what is told of the progress.
const STEPS_AT_ONCE: u64 = 16;
/// Held out positions whose values are compared before and after rounding.
const COMPARED: usize = 20_000;

/// Why a run fails.
#[derive(Debug)]
pub enum TrainError {
    /// Of the positions.
    Dataset(DatasetError),
    /// Of the checkpoint.
    Checkpoint(CheckpointError),
    /// Of the network.
    Export(ExportError),
    /// A file cannot be written.
    Io(PathBuf, io::Error),
    /// The system has not got the threads.
    Threads(String),
    /// The run that is to be resumed, or the weights to begin with, do not fit; why.
    Other(String),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::Dataset(error) => error.fmt(f),
            TrainError::Checkpoint(error) => error.fmt(f),
            TrainError::Export(error) => error.fmt(f),
            TrainError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Threads(why) => write!(f, "the threads cannot be had: {why}"),
            TrainError::Other(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for TrainError {}

/// Where a run begins.
#[derive(Debug)]
pub enum Start {
    /// With random weights.
    Random,
    /// With the weights of another network, which may be narrower ([`widened`]).
    From(Box<(Architecture, Parameters)>),
    /// Where this run was left.
    Resume(Box<(Progress, State)>),
}

impl Start {
    /// This beginning for a run with these settings: with its weights widened to what they are to be.
    ///
    /// # Errors
    /// If it does not fit the settings.
    pub fn fitted(self, settings: &Settings) -> Result<Start, TrainError> {
        Ok(match self {
            Start::From(other) => {
                let ((before, weights), now) = (*other, settings.architecture());
                let weights = widened(weights, &before, &now, settings.seed).map_err(TrainError::Other)?;
                Start::From(Box::new((now, weights)))
            }
            Start::Resume(checkpoint) => {
                same_settings(&checkpoint.0.settings, settings).map_err(TrainError::Other)?;
                Start::Resume(checkpoint)
            }
            Start::Random => Start::Random,
        })
    }
}

/// The files of a run: the network, and by its name checkpoint, log and drawing.
#[derive(Clone, Debug)]
pub struct Files {
    /// The network.
    pub network: PathBuf,
}

impl Files {
    /// The file with this ending instead of `.nnue`, or behind a name that ends otherwise: `v.1` and `v.2` share nothing.
    fn beside(&self, ending: &str) -> PathBuf {
        match self.network.extension() {
            Some(nnue) if nnue == "nnue" => self.network.with_extension(ending),
            _ => files::with_suffix(&self.network, &format!(".{ending}")),
        }
    }

    /// The checkpoint.
    pub fn checkpoint(&self) -> PathBuf {
        self.beside("checkpoint")
    }

    /// The log, JSON.
    pub fn log(&self) -> PathBuf {
        self.beside("json")
    }

    /// The losses as a drawing.
    pub fn drawing(&self) -> PathBuf {
        self.beside("svg")
    }

    /// What a run locks.
    fn lock(&self) -> PathBuf {
        self.beside("lock")
    }

    /// Keeps other runs from writing these files, as long as the value lives.
    ///
    /// # Errors
    /// If another run writes them, or the file to lock cannot be made.
    pub fn hold(&self) -> Result<Held, String> {
        Held::of_file(&self.lock(), &self.network)
    }

    /// Sees to it that checkpoint, log and drawing can be made, the first of which has the longest name: rather now than
    /// after hours.
    ///
    /// # Errors
    /// If one cannot.
    pub fn try_all(&self) -> Result<(), String> {
        for path in [self.checkpoint(), self.log(), self.drawing()] {
            files::to_be_replaced(&path).map_err(|error| format!("{} is {error}", path.display()))?;
        }
        let path = files::unfinished(&self.checkpoint());
        match File::create_new(&path) {
            Ok(_) => drop(std::fs::remove_file(&path)),
            // Of a run that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !path.is_dir() => {}
            Err(error) => return Err(format!("{} cannot be written: {error}", path.display())),
        }
        Ok(())
    }

    /// The folder of parts, while there are any.
    pub fn parts(&self) -> PathBuf {
        self.beside("parts")
    }

    /// Why a run must not write these files, of which some would replace another or one of `data`; all else may be
    /// replaced. Nothing is wrong with a network that is there already.
    ///
    /// # Errors
    /// What is wrong with the network's name.
    pub fn check(&self, data: &[PathBuf]) -> Result<(), String> {
        let network = self.network.display();
        let others = [self.checkpoint(), self.log(), self.drawing(), self.parts(), self.lock()];
        let ending = |path: &Path| path.extension().map(|ending| ending.to_ascii_lowercase());
        if others.iter().any(|other| ending(other) == ending(&self.network)) {
            return Err(format!(
                "the network cannot be called {network}, for a file that is written next to it has that ending: \
                 call it .nnue"
            ));
        }
        let folder = self.network.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(format!("{network} cannot be written: there is no folder {}", folder.display()));
        }
        if self.network.is_dir() {
            return Err(format!("{network} is a folder: expected a file"));
        }
        let whole = [self.checkpoint(), self.log(), self.drawing(), self.network.clone()];
        let unfinished = whole.iter().map(|file| files::unfinished(file));
        for written in others.iter().chain([&self.network]).cloned().chain(unfinished) {
            let Ok(place) = written.canonicalize() else { continue };
            // Or lies in it.
            if data.iter().any(|read| read.canonicalize().is_ok_and(|read| read.starts_with(&place))) {
                return Err(format!(
                    "{} would replace games that are learnt from: give another --out",
                    written.display()
                ));
            }
        }
        Ok(())
    }
}

/// What a run tells.
#[derive(Debug)]
pub enum Event<'a> {
    /// Steps have been done.
    Steps {
        /// How many of the run.
        done: u64,
        /// How many it has.
        of: u64,
        /// Positions a second since it began or was resumed.
        speed: f64,
        /// How long it goes on at this speed.
        left: Duration,
    },
    /// A round has ended.
    Round(&'a Round, Duration),
    /// All steps are done, and the weights are rounded, which may take minutes if there are many.
    Rounding,
}

/// How a run ended.
#[derive(Debug)]
pub enum End {
    /// The network is there.
    Complete(Box<Summary>),
    /// It was asked to stop; the checkpoint is there.
    Stopped,
}

/// What came of a complete run.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// How well the network fits the floats.
    pub rounding: RoundingError,
    /// How well it does, as it is written, on the positions held out; nothing if there are none.
    pub held_out: Option<Measure>,
    /// The same of the network that it is compared with, by name.
    pub against: Option<(String, Measure)>,
    /// What it says of our positions that cannot be right.
    pub findings: Vec<Finding>,
}

/// A run.
pub struct Run {
    dataset: Dataset,
    core: Box<dyn Core>,
    progress: Progress,
    batch: usize,
    round_steps: u64,
    steps: u64,
    against: Option<(String, Arc<Network>)>,
    data: Vec<String>,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("steps", &self.steps).finish_non_exhaustive()
    }
}

impl Run {
    /// Prepares a run.
    ///
    /// # Errors
    /// If the settings cannot be, the start does not fit them and the data, or the threads cannot be had.
    pub fn new(
        settings: &Settings,
        dataset: Dataset,
        start: Start,
        threads: usize,
        vectors: Vectors,
    ) -> Result<Run, TrainError> {
        settings.check().map_err(TrainError::Other)?;
        let architecture = settings.architecture();
        let fresh = Progress {
            settings: settings.clone(),
            fingerprint: dataset.fingerprint,
            parts: dataset.parts(),
            step: 0,
            loss: 0.0,
            positions: 0,
            seconds: 0.0,
            rounds: vec![],
            outputs: None,
            from: None,
        };
        let (progress, state) = match start.fitted(settings)? {
            Start::Random => {
                (fresh, State::new(&architecture, Parameters::random(&architecture, settings.seed)))
            }
            Start::From(other) => (fresh, State::new(&architecture, other.1)),
            Start::Resume(checkpoint) => {
                same_data(&checkpoint.0, &fresh).map_err(TrainError::Other)?;
                *checkpoint
            }
        };
        let core = core(&architecture, &state, threads, vectors)
            .map_err(|error| TrainError::Threads(error.to_string()))?;
        let batch = dataset.batch(settings.batch);
        let round_steps = settings.round_steps(dataset.steps(batch), batch);
        let steps = round_steps * settings.rounds();
        Ok(Run { dataset, core, progress, batch, round_steps, steps, against: None, data: vec![] })
    }

    /// Measures this network too in the end, on the same held-out positions.
    pub fn compare_with(&mut self, name: String, network: Arc<Network>) {
        self.against = Some((name, network));
    }

    /// Names for the log the files of games and, in a run that begins, the network or checkpoint that it begins with.
    pub fn name_sources(&mut self, data: Vec<String>, from: Option<String>) {
        self.data = data;
        self.progress.from = from.or(self.progress.from.take());
    }

    /// Steps of the run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How far it has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The numbers so far.
    #[cfg(test)]
    pub(super) fn state(&self) -> State {
        self.core.state()
    }

    /// Positions of a step.
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// Does some steps, to the end of the round at most. The round, if it has ended.
    ///
    /// # Errors
    /// If positions cannot be read, or a loss is no number any more.
    pub fn advance(&mut self, most: u64) -> Result<Option<&Round>, TrainError> {
        let settings = self.progress.settings.clone();
        let begin = Instant::now();
        let round_end = (self.progress.step / self.round_steps + 1) * self.round_steps;
        let end = round_end.min(self.progress.step.saturating_add(most)).min(self.steps);
        while self.progress.step < end {
            let step = self.progress.step;
            let place = self.dataset.place(step, self.batch, settings.seed);
            let records = self.dataset.records(&place).map_err(TrainError::Dataset)?;
            for ahead in 0..place.steps.min(end - step) {
                let batch = Batch {
                    records,
                    order: Some(place.order),
                    first: place.first + ahead * self.batch as u64,
                    count: self.batch,
                    mirror: settings.mirror_data.then_some(place.mirror),
                    wdl: settings.wdl_at(step + ahead, self.steps) as f32,
                    power: settings.power as f32,
                };
                let rate = settings.rate_at(step + ahead, self.steps);
                let times = |factor: f64| (rate * factor) as f32;
                let rates = Rates {
                    all: times(1.0),
                    marks: times(settings.marks_rate),
                    deep: times(settings.deep_rate),
                };
                self.progress.loss += self.core.step(&batch, rates);
                self.progress.positions += self.batch as u64;
                self.progress.step += 1;
            }
        }
        self.progress.seconds += begin.elapsed().as_secs_f64();
        if self.progress.step < round_end {
            return Ok(None);
        }
        if let Some((part, at)) = self.core.state().weights.first_unusable() {
            return Err(TrainError::Export(ExportError::NotFinite(part, at)));
        }
        let (step, positions) = (self.progress.step, self.progress.positions as f64);
        let validation_loss = self.validation_loss();
        let progress = &mut self.progress;
        progress.rounds.push(Round {
            round: progress.rounds.len() as u64 + 1,
            training_loss: progress.loss / positions,
            validation_loss,
            rate: settings.rate_at(step - 1, self.steps),
            wdl: settings.wdl_at(step - 1, self.steps),
            speed: positions / progress.seconds.max(1e-9),
        });
        (progress.loss, progress.positions, progress.seconds) = (0.0, 0, 0.0);
        Ok(progress.rounds.last())
    }

    /// The mean loss of the positions held out, with the share of what came later that the run ends with.
    fn validation_loss(&mut self) -> Option<f64> {
        let settings = &self.progress.settings;
        let records = &self.dataset.validation;
        let mut loss = 0.0;
        let mut first = 0;
        while first < records.len() {
            let count = (records.len() - first).min(1 << 16);
            let batch = Batch {
                records,
                order: None,
                first: first as u64,
                count,
                mirror: None,
                wdl: settings.wdl[1] as f32,
                power: settings.power as f32,
            };
            loss += self.core.loss(&batch);
            first += count;
        }
        (!records.is_empty()).then(|| loss / records.len() as f64)
    }

    /// Trains to the end or until `is_stopped`, with a checkpoint after each round and at least so often within one.
    ///
    /// # Errors
    /// As for [`Run::advance`]; or if a file cannot be written, or the network cannot be made.
    pub fn finish(
        &mut self,
        files: &Files,
        checkpoint_every: Duration,
        is_stopped: &mut dyn FnMut() -> bool,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<End, TrainError> {
        let begin = Instant::now();
        let first = self.progress.step;
        let mut saved = Instant::now();
        while self.progress.step < self.steps {
            let round_ended = self.advance(STEPS_AT_ONCE)?.is_some();
            let stopped = is_stopped();
            if round_ended || stopped || saved.elapsed() >= checkpoint_every {
                let state = self.core.state();
                checkpoint::write(&files.checkpoint(), &self.progress, &state)
                    .map_err(TrainError::Checkpoint)?;
                saved = Instant::now();
            }
            let done = self.progress.step;
            let seconds = begin.elapsed().as_secs_f64().max(1e-9);
            let speed = ((done - first) * self.batch as u64) as f64 / seconds;
            let left = Duration::from_secs_f64(((self.steps - done) * self.batch as u64) as f64 / speed);
            match self.progress.rounds.last() {
                Some(round) if round_ended => tell(Event::Round(round, left)),
                _ => tell(Event::Steps { done, of: self.steps, speed, left }),
            }
            if stopped {
                return Ok(End::Stopped);
            }
        }
        tell(Event::Rounding);
        Ok(self.export(files, is_stopped)?.map_or(End::Stopped, |summary| End::Complete(Box::new(summary))))
    }

    /// Writes network, log and drawing; nothing if it is asked to stop before.
    fn export(
        &mut self,
        files: &Files,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Summary>, TrainError> {
        let state = self.core.state();
        let weights = &state.weights;
        let architecture = self.progress.settings.architecture();
        // Of positions in parts those that were learnt from last, even if it was before the run was resumed.
        let last = self.dataset.place(self.steps - 1, self.batch, self.progress.settings.seed);
        self.dataset.records(&last).map_err(TrainError::Dataset)?;
        let held_out = match self.dataset.validation.len() {
            0 => self.dataset.loaded_records(),
            _ => &self.dataset.validation[..],
        };
        let held_out: Vec<Record> = spread(held_out.len(), COMPARED).map(|at| held_out[at]).collect();
        let nearest = export::quantise(&architecture, weights, None).map_err(TrainError::Export)?;
        // Not on the positions on which the error is measured, if any are held out.
        let learnt = self.dataset.loaded_records();
        let Some(outputs) = rounding::fit(&architecture, weights, &nearest.weights(), learnt, is_stopped)
        else {
            return Ok(None);
        };
        let network = export::quantise(&architecture, weights, Some(&outputs)).map_err(TrainError::Export)?;
        self.progress.outputs = Some(outputs);
        let rounding = export::rounding_error(&network, weights, &held_out);
        checkpoint::write(&files.checkpoint(), &self.progress, &state).map_err(TrainError::Checkpoint)?;
        let settings = &self.progress.settings;
        let measured = |network: &Network| measure(network, settings, &self.dataset.validation);
        let other = self.against.as_ref();
        let network = Arc::new(network);
        let summary = Summary {
            rounding,
            held_out: measured(&network),
            against: other.and_then(|(name, network)| Some((name.clone(), measured(network)?))),
            findings: sanity::findings(&Evaluation::Network(network.clone())),
        };
        let log = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "network": network.to_string(),
            "data": self.data,
            "from": self.progress.from,
            "settings": settings,
            "positions": self.dataset.counts,
            "fingerprint": format!("{:016x}", self.dataset.fingerprint),
            "batch": self.batch,
            "steps": self.steps,
            "rounds": self.progress.rounds,
            "rounding_error": rounding,
            "held_out": summary.held_out,
            "against": summary.against.as_ref().map(|(name, measure)| json!({ "network": name, "held_out": measure })),
            "findings": summary.findings.iter().map(Finding::to_string).collect::<Vec<_>>(),
        });
        let title = format!("{network}: {} positions", self.dataset.counts.training);
        let drawing = curve::svg(&self.progress.rounds, &title);
        let write = |path: &Path, bytes: &[u8]| {
            files::write_whole(path, bytes).map_err(|error| TrainError::Io(path.to_path_buf(), error))
        };
        write(&files.log(), format!("{log:#}\n").as_bytes())?;
        write(&files.drawing(), drawing.as_bytes())?;
        write(&files.network, &network.write())?;
        Ok(Some(summary))
    }
}

/// Refuses to go on with a run that was another one.
fn same_settings(was: &Settings, is: &Settings) -> Result<(), String> {
    for ((name, before), (other, now)) in was.options().into_iter().zip(is.options()) {
        if (name, &before) != (other, &now) {
            let is = if name == other { "is".into() } else { format!("--{other} is") };
            return Err(format!(
                "this is another run than that of the checkpoint: --{name} was {before} and {is} {now}; without --resume, \
                 and with --overwrite, the run begins anew"
            ));
        }
    }
    Ok(())
}

/// Refuses to go on with a run that learnt from something else.
fn same_data(was: &Progress, is: &Progress) -> Result<(), String> {
    if was.fingerprint != is.fingerprint {
        return Err(
            "the data is not that of the checkpoint: give the same files in the same order (a file may have grown \
             since), or begin anew with --overwrite"
                .into(),
        );
    }
    if was.parts != is.parts {
        return Err(format!(
            "the positions were in {} parts and are in {}, which is another order: read them in as many as before, or \
             begin anew with --overwrite",
            was.parts, is.parts
        ));
    }
    Ok(())
}

/// The scale at which scores foretell the results best: the least sum of squared errors of the expected points, between 50
/// and 2000 internal units. Nothing if there is none between, as with scores that foretell nothing, or where there are fewer
/// than 5,000 positions, which are of too few games.
pub fn fitting_scale(records: &[Record]) -> Option<f64> {
    if records.len() < 5_000 {
        return None;
    }
    // Files follow each other here, and each may be of its own kind.
    let sample: Vec<&Record> = spread(records.len(), 200_000).map(|at| &records[at]).collect();
    let error = |scale: f64| -> f64 {
        let each = sample.iter().map(|record| {
            let expected = sigmoid((f64::from(record.score) / scale) as f32);
            f64::from(expected - 0.5 * f32::from(record.half_points())).powi(2)
        });
        each.sum()
    };
    // On the logarithm.
    valley(50f64.ln()..2000f64.ln(), 0.002, |scale| error(scale.exp())).map(f64::exp)
}
