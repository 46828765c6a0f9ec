//! `adoube teach`

use super::searching::MOST_THREADS;
use super::{Failure, Interrupted, say, tell, unfinished, wrong_usage};
use crate::eval::Evaluation;
use crate::sys::cpu;
use crate::sys::files::{is_one_file, with_suffix};
use crate::sys::locks::Held;
use crate::sys::products::Products;
use crate::sys::signals;
use crate::sys::usage;
use crate::training::teacher::file::{self, Header, evaluation_name};
use crate::training::teacher::learner::{Foretold, Losses, Teacher};
use crate::training::teacher::lessons::{Lessons, LessonsError};
use crate::training::teacher::measure::{Gain, gains};
use crate::training::teacher::school::{School, Settings, State, foretell};
use crate::training::teacher::tokens::SCALE;
use crate::training::teacher::weights::{Shape, VALUES};
use crate::training::work::Choice;
use crate::types::Score;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Trains a teacher on files of self-play games: a transformer that foretells what comes of a position, for a network to learn
/// from.
///
/// It learns what a network cannot, and is far too slow to play. `adoube data label --teacher` writes what it says into games,
/// and `adoube train` makes a network of those. Writes TEACHER, and next to it a checkpoint. Ctrl-C stops a few steps later, and
/// --resume goes on as if nothing had been. At the end it says how much better than the evaluation the teacher foretells the
/// results of the games held out.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Files of games
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The teacher to write
    #[arg(long, value_name = "TEACHER", required_unless_present = "measure")]
    out: Option<PathBuf>,
    /// Train nothing: say how well these teachers, and all together, foretell the results of all games
    #[arg(long, value_name = "TEACHER", num_args = 1.., conflicts_with_all = ["out", "resume", "overwrite", "from"])]
    measure: Vec<PathBuf>,
    /// Go on with the run whose checkpoint lies next to TEACHER
    #[arg(long, conflicts_with_all = ["overwrite", "from"])]
    resume: bool,
    /// Begin anew where there is a checkpoint or a teacher already
    #[arg(long)]
    overwrite: bool,
    /// Begin with the numbers of this teacher, which is as large
    #[arg(long, value_name = "TEACHER")]
    from: Option<PathBuf>,
    /// Numbers of a token: a multiple of 32
    #[arg(long, default_value_t = Settings::default().shape.width)]
    width: usize,
    /// Layers
    #[arg(long, default_value_t = Settings::default().shape.layers)]
    layers: usize,
    /// Times that each position is learnt from, as in 1.5
    #[arg(long, default_value_t = Settings::default().epochs)]
    epochs: f64,
    /// Positions of a step
    #[arg(long, default_value_t = Settings::default().batch)]
    batch: usize,
    /// The highest learning rate
    #[arg(long, default_value_t = Settings::default().rate)]
    rate: f64,
    /// The learning rate at the end [default: a hundredth of the highest]
    #[arg(long)]
    final_rate: Option<f64>,
    /// Steps in which the learning rate rises, a tenth of the run at most
    #[arg(long, default_value_t = Settings::default().warm_up)]
    warm_up: u64,
    /// Positions in check, and those whose move takes or promotes, as well
    #[arg(long)]
    noisy: bool,
    /// The share of games that is held out to measure with: those that 'train' holds out with the same share
    #[arg(long, default_value_t = Settings::default().validation)]
    validation: f64,
    /// Of everything random
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// What the teacher is to know the values of: a network's file, or 'classic' for the hand-made evaluation
    #[arg(long, alias = "evalfile", value_name = "FILE", default_value = Evaluation::INTERNAL)]
    eval_file: String,
    /// Threads [default: one a processor]; eight learn at most
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,
}

/// What a kill or a power cut costs at most.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);
/// So often it is told how far a run is.
const TOLD: u64 = 40;

impl Arguments {
    fn settings(&self) -> Settings {
        Settings {
            shape: Shape { width: self.width, layers: self.layers },
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            final_rate: self.final_rate.unwrap_or(self.rate / 100.0),
            warm_up: self.warm_up,
            noisy: self.noisy,
            validation: self.validation,
            seed: self.seed,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let threads = arguments.threads.map_or_else(cpu::processors, usize::from);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .map_err(|error| format!("the threads cannot be had: {error}"))?;
    usage::allow_many_files();
    match &arguments.out {
        Some(out) => train(arguments, out),
        None => measure(arguments),
    }
}

fn train(arguments: &Arguments, out: &Path) -> Result<(), Failure> {
    let settings = arguments.settings();
    settings.check().map_err(|error| wrong_usage("teach", error))?;
    let out = unfinished::target(out)?;
    let checkpoint = with_suffix(&out, ".checkpoint");
    if let Some(read) =
        arguments.data.iter().find(|data| [&out, &checkpoint].iter().any(|to| is_one_file(data, to)))
    {
        return Err(format!("{} would be replaced: give another --out", read.display()).into());
    }
    let _held = Held::of_file(&with_suffix(&out, ".lock"), &out)?;
    if !arguments.resume && !arguments.overwrite {
        if checkpoint.exists() {
            let there = checkpoint.display();
            return Err(format!(
                "{there} is there already: --resume goes on with that run, --overwrite begins anew"
            )
            .into());
        }
        if out.exists() {
            return Err(format!("{} is there already: --overwrite replaces it", out.display()).into());
        }
    }
    let evaluation = Evaluation::from_setting(&arguments.eval_file)?;
    let name = evaluation_name(&evaluation);
    let (state, fingerprint) = begin(arguments, &settings, &name, &checkpoint)?;
    let stop = signals::interrupt_flag();
    let lessons = read_games(arguments, &evaluation, settings.validation, &stop)?;
    let mut header = Header {
        settings: settings.clone(),
        evaluation: name,
        fingerprint: lessons.fingerprint,
        step: 0,
        complete: false,
    };
    if fingerprint.is_some_and(|fingerprint| fingerprint != lessons.fingerprint) {
        return Err(format!(
            "the games are not those of {}: give the same files in the same order (a file may have grown since), or begin \
             anew with --overwrite",
            checkpoint.display()
        )
        .into());
    }
    let products = Products::fastest();
    let mut school = School::new(&settings, state, lessons.samples.len(), products);
    say(&format!(
        "{} numbers, {} steps of {} positions; {}, {}",
        school.numbers(),
        school.steps(),
        settings.batch,
        counted(rayon::current_num_threads(), "thread"),
        products.name()
    ));
    if school.step_number() > 0 {
        say(&format!("goes on behind step {}", school.step_number()));
    }
    if !arguments.resume && checkpoint.exists() {
        // Else --resume would go on with the run before, if this one is ended before its first checkpoint.
        std::fs::remove_file(&checkpoint).map_err(|error| format!("{}: {error}", checkpoint.display()))?;
    }
    learn(&mut school, &lessons, &stop, |school| {
        header.step = school.step_number();
        file::write(&checkpoint, &header, &school.state()).map_err(Failure::from)
    })?;
    if school.step_number() < school.steps() {
        return Err(format!(
            "stopped at step {} of {}; the same command with --resume{} goes on from {}",
            school.step_number(),
            school.steps(),
            super::train::in_place_of(arguments.overwrite, arguments.from.is_some()),
            checkpoint.display()
        )
        .into());
    }
    (header.step, header.complete) = (school.step_number(), true);
    file::write(&out, &header, &school.state())?;
    // What it would go on with is of no use any more.
    let _ = std::fs::remove_file(&checkpoint);
    say(&format!("the teacher is in {}", out.display()));
    if !lessons.held_out.is_empty() {
        let mut teacher = school.graduate(products);
        teacher.prepare(false);
        show(&lessons, &[(out.display().to_string(), teacher)]);
    }
    Ok(())
}

/// What a run begins with, and if it is gone on with, of which positions.
fn begin(
    arguments: &Arguments,
    settings: &Settings,
    evaluation: &str,
    checkpoint: &Path,
) -> Result<(State, Option<u64>), Failure> {
    if arguments.resume {
        let (header, state) = file::read(checkpoint)?;
        if header.settings != *settings || header.evaluation != evaluation {
            let checkpoint = checkpoint.display();
            return Err(format!(
                "{checkpoint} is of a run with other options: give the same, or begin anew with --overwrite"
            )
            .into());
        }
        return Ok((state, Some(header.fingerprint)));
    }
    let Some(from) = &arguments.from else { return Ok((State::random(settings), None)) };
    let (header, state) = file::read(from)?;
    fits(from, &header, evaluation)?;
    if header.settings.shape != settings.shape {
        let Shape { width, layers } = header.settings.shape;
        return Err(format!("{} has --width {width} --layers {layers}", from.display()).into());
    }
    Ok((State::new(state.average), None))
}

/// Sees to it that a teacher is complete, and knows the values of this evaluation.
pub(super) fn fits(path: &Path, header: &Header, evaluation: &str) -> Result<(), Failure> {
    let path = path.display();
    if !header.complete {
        return Err(format!("{path} is a checkpoint: the run has to be gone on with to its end").into());
    }
    if header.evaluation != evaluation {
        return Err(format!(
            "{path} knows the values of another evaluation, {}, and not of {evaluation}: give that as --eval-file",
            header.evaluation
        )
        .into());
    }
    Ok(())
}

/// Reads teachers that are to foretell, made ready.
pub(super) fn read_teachers(
    paths: &[PathBuf],
    evaluation: &Evaluation,
) -> Result<Vec<(String, Teacher)>, Failure> {
    let name = evaluation_name(evaluation);
    let read = |path: &PathBuf| -> Result<(String, Teacher), Failure> {
        let (header, state) = file::read(path)?;
        fits(path, &header, &name)?;
        let mut teacher = Teacher::new(header.settings.shape, state.average, Products::fastest());
        teacher.prepare(false);
        Ok((path.display().to_string(), teacher))
    };
    paths.iter().map(read).collect()
}

fn read_games(
    arguments: &Arguments,
    evaluation: &Evaluation,
    held_out: f64,
    stop: &AtomicBool,
) -> Result<Lessons, Failure> {
    let choice = Choice { noisy: arguments.noisy };
    let lessons = Lessons::read(&arguments.data, evaluation, choice, held_out, stop, &mut |error| {
        tell(format_args!("{error}; left out"))
    });
    let lessons = lessons.map_err(|error| match error {
        LessonsError::Stopped => Interrupted(error.into()).into(),
        error => Failure::from(error),
    })?;
    say(&format!(
        "{}: {} to learn from, {} of {} held out",
        counted(lessons.games as usize, "game"),
        counted(lessons.samples.len(), "position"),
        lessons.held_out.len(),
        counted(lessons.ends.len(), "game")
    ));
    Ok(lessons)
}

/// Does the steps that are left, or those until `stop` is set, and saves what has come of it now and then, and in the end.
fn learn(
    school: &mut School,
    lessons: &Lessons,
    stop: &AtomicBool,
    mut save: impl FnMut(&School) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let every = (school.steps() / TOLD).max(1);
    let (mut saved, mut told) = (Instant::now(), Instant::now());
    let (mut losses, mut count) = (Losses::default(), 0);
    while school.step_number() < school.steps() && !stop.load(Ordering::Relaxed) {
        let of_step = school.step(&lessons.samples);
        if of_step.values.iter().any(|loss| !loss.is_finite()) {
            return Err("the losses are no numbers any more: a smaller --rate may help".into());
        }
        losses.add(&of_step);
        count += 1;
        let step = school.step_number();
        if step.is_multiple_of(every) || step == school.steps() {
            let each = told.elapsed().as_secs_f64() / f64::from(count);
            let losses_here = losses.divided(f64::from(count));
            let left = Duration::from_secs_f64(each * (school.steps() - step) as f64);
            say(&format!(
                "step {step} of {}: {}; {:.3} s a step, {} min left",
                school.steps(),
                named(&losses_here),
                each,
                left.as_secs().div_ceil(60)
            ));
            (losses, count, told) = (Losses::default(), 0, Instant::now());
        }
        if saved.elapsed() >= CHECKPOINT_EVERY {
            save(school)?;
            saved = Instant::now();
        }
    }
    save(school)
}

/// Losses by what they are of.
fn named(losses: &Losses) -> String {
    let [score, near, far, result] = losses.values;
    let [from, to] = losses.moves;
    format!(
        "score {score:.5}, returns {near:.5} and {far:.5}, result {result:.5}; moves from {from:.3}, to {to:.3}"
    )
}

fn measure(arguments: &Arguments) -> Result<(), Failure> {
    let evaluation = Evaluation::from_setting(&arguments.eval_file)?;
    let teachers = read_teachers(&arguments.measure, &evaluation)?;
    let lessons = read_games(arguments, &evaluation, 1.0, &signals::interrupt_flag())?;
    show(&lessons, &teachers);
    Ok(())
}

/// What is foretold, by its place in [`crate::training::teacher::learner::Foretold`].
const FORETOLD: [&str; VALUES] = ["score", "near return", "far return", "result"];

/// Says how much of the squared error of results each teacher takes away, and all together, on the positions held out.
fn show(lessons: &Lessons, teachers: &[(String, Teacher)]) {
    let samples = &lessons.held_out;
    let foretold: Vec<_> = teachers.iter().map(|(_, teacher)| foretell(teacher, samples)).collect();
    let mut names = vec!["a search, as played".to_string()];
    let mut logits: Vec<Vec<f32>> =
        vec![samples.iter().map(|sample| f32::from(sample.truth().score) / SCALE).collect()];
    for ((name, _), foretold) in teachers.iter().zip(&foretold) {
        for (value, what) in FORETOLD.iter().enumerate() {
            names.push(format!("{name}: {what}"));
            logits.push(foretold.iter().map(|foretold| foretold[value]).collect());
        }
    }
    if teachers.len() > 1 {
        for (value, what) in FORETOLD.iter().enumerate() {
            names.push(format!("all together: {what}"));
            logits.push((0..samples.len()).map(|at| mean(&foretold, at, value)).collect());
        }
    }
    let (before, gains) = gains(samples, &lessons.ends, &logits);
    say(&format!(
        "{} of {}: the evaluation leaves {before:.2} thousandths of a point squared of results; less is left, with 24 pieces \
         and more, 14 to 23, fewer, by",
        counted(samples.len(), "position"),
        counted(lessons.ends.len(), "game")
    ));
    for (name, gain) in names.iter().zip(gains) {
        let Gain { mean, error, by_pieces: [many, some, few] } = gain;
        say(&format!("  {mean:+.2} ± {error:.2} ({many:+.2}, {some:+.2}, {few:+.2})  {name}"));
    }
}

/// What all teachers foretell of a position, on average.
pub(super) fn mean(foretold: &[Vec<Foretold>], at: usize, value: usize) -> f32 {
    foretold.iter().map(|one| one[at][value]).sum::<f32>() / foretold.len() as f32
}

/// The score that a logit stands for.
pub(super) fn logit(logit: f32) -> Score {
    Score::new((logit * SCALE).round() as i32)
}

/// A number and what is counted.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
