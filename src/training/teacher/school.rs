//! How a teacher learns: steps of some positions each, on all processors.
//!
//! A step is cut into [`SLICES`] whatever the number of threads, whose slopes are added up in their order: the same positions,
//! settings and seed give the same teacher on any number of threads, and whether it was interrupted or not, as long as products
//! are made in the same way.

use super::learner::{Foretold, Learner, Losses, Teacher};
use super::sample::Sample;
use super::weights::{self, Places, Shape};
use crate::sys::chance::mix;
use crate::sys::products::Products;
use crate::training::trainer::order::Order;
use crate::training::trainer::settings::rate_at;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Into so many parts a step is cut.
pub const SLICES: usize = 8;
/// Positions that are worked on together: enough that the products' slopes are not added up too often.
const TOGETHER: usize = 32;
/// Numbers that one task moves.
const CHUNK: usize = 1 << 14;

/// What a teacher is and how it learns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// How large it is.
    pub shape: Shape,
    /// How often each position is learnt from; not only whole numbers.
    pub epochs: f64,
    /// Positions of a step.
    pub batch: usize,
    /// The highest learning rate.
    pub rate: f64,
    /// The learning rate at the end.
    pub final_rate: f64,
    /// Steps in which the rate rises, a tenth of the run at most.
    pub warm_up: u64,
    /// Positions in check, and those whose move takes or promotes, too.
    pub noisy: bool,
    /// The share of games that is held out.
    pub validation: f64,
    /// Of everything random.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            shape: Shape { width: 256, layers: 6 },
            epochs: 2.0,
            batch: 512,
            rate: 1e-3,
            final_rate: 1e-5,
            warm_up: 1_000,
            noisy: false,
            validation: 0.03,
            seed: 1,
        }
    }
}

impl Settings {
    /// What is wrong with them.
    ///
    /// # Errors
    /// If no teacher can learn so.
    pub fn check(&self) -> Result<(), String> {
        self.shape.check()?;
        let wrong = |name: &str, is: String, wanted: &str| Err(format!("--{name} {is}: expected {wanted}"));
        if !(self.epochs > 0.0 && self.epochs <= 1_000.0) {
            return wrong("epochs", self.epochs.to_string(), "more than 0, and 1000 at most");
        }
        if !(SLICES..=1 << 20).contains(&self.batch) {
            return wrong("batch", self.batch.to_string(), "8 to 1048576 positions");
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            return wrong("rate", self.rate.to_string(), "more than 0, and 1 at most");
        }
        if !(0.0..=self.rate).contains(&self.final_rate) {
            return wrong("final-rate", self.final_rate.to_string(), "0 to the highest rate");
        }
        if !(0.0..1.0).contains(&self.validation) {
            return wrong("validation", self.validation.to_string(), "a share from 0, and less than 1");
        }
        Ok(())
    }

    /// Steps with so many positions to learn from.
    pub fn steps(&self, positions: usize) -> u64 {
        ((self.epochs * positions as f64 / self.batch as f64).round() as u64).max(1)
    }
}

/// How far a teacher has come.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Steps done.
    pub step: u64,
    /// Its numbers.
    pub weights: Vec<f32>,
    /// Average slopes.
    pub means: Vec<f32>,
    /// Average squares of slopes.
    pub squares: Vec<f32>,
    /// The numbers as they have been on average of late, which do better than those of the last step.
    pub average: Vec<f32>,
}

impl State {
    /// A beginning with these numbers.
    pub fn new(weights: Vec<f32>) -> State {
        let zero = vec![0.0; weights.len()];
        State { step: 0, means: zero.clone(), squares: zero, average: weights.clone(), weights }
    }

    /// A beginning by lot.
    pub fn random(settings: &Settings) -> State {
        let places = Places::new(settings.shape);
        State::new(weights::random(settings.shape, &places, settings.seed))
    }
}

/// How much of the average slope remains at each step.
const BETA_1: f32 = 0.9;
/// The same of its square.
const BETA_2: f32 = 0.999;
/// Keeps the quotient finite.
const EPSILON: f32 = 1e-8;
/// How much of each weight of a matrix goes at each step, times the rate.
const DECAY: f32 = 0.01;
/// How much of the average numbers remains at each step, once there have been enough.
const AVERAGE: f32 = 0.999;

/// A teacher that learns.
#[derive(Debug)]
pub struct School {
    settings: Settings,
    steps: u64,
    teacher: Teacher,
    state: State,
    learners: Vec<Learner>,
    batch: Vec<Sample>,
}

impl School {
    /// Goes on with a state that fits the settings, for as many steps as these have with so many positions.
    pub fn new(settings: &Settings, mut state: State, positions: usize, products: Products) -> School {
        let shape = settings.shape;
        let teacher = Teacher::new(shape, std::mem::take(&mut state.weights), products);
        School {
            settings: settings.clone(),
            steps: settings.steps(positions),
            teacher,
            state,
            learners: (0..SLICES).map(|_| Learner::new(shape)).collect(),
            batch: vec![],
        }
    }

    /// Steps of the whole run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Steps done.
    pub fn step_number(&self) -> u64 {
        self.state.step
    }

    /// How many numbers it learns.
    pub fn numbers(&self) -> usize {
        self.teacher.weights.len()
    }

    /// How far it has come.
    pub fn state(&self) -> State {
        State { weights: self.teacher.weights.clone(), ..self.state.clone() }
    }

    /// Does the next step, and gives the mean losses before it.
    pub fn step(&mut self, samples: &[Sample]) -> Losses {
        let (count, size) = (samples.len() as u64, self.settings.batch as u64);
        self.batch.clear();
        for place in self.state.step * size..(self.state.step + 1) * size {
            let order = Order::new(count, mix(mix(self.settings.seed) ^ (place / count)));
            self.batch.push(samples[order.at(place % count) as usize]);
        }
        self.teacher.prepare(true);
        let (teacher, batch) = (&self.teacher, &self.batch);
        let slices = self.learners.par_iter_mut().enumerate();
        slices.for_each(|(slice, learner)| {
            learner.losses = Losses::default();
            let [begin, end] = [slice, slice + 1].map(|slice| slice * batch.len() / SLICES);
            for some in batch[begin..end].chunks(TOGETHER) {
                learner.learn(teacher, some);
            }
        });
        self.descend();
        let mut losses = Losses::default();
        self.learners.iter().for_each(|learner| losses.add(&learner.losses));
        losses.divided(size as f64)
    }

    /// A step of AdamW (I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2017), as the trainer's.
    fn descend(&mut self) {
        let Settings { rate, final_rate, warm_up, .. } = self.settings;
        let rate = rate_at([rate, final_rate], warm_up, self.state.step, self.steps) as f32;
        self.state.step += 1;
        let share = 1.0 / self.settings.batch as f32;
        let done = self.state.step as f32;
        let remains = AVERAGE.min((1.0 + done) / (10.0 + done));
        for layer in &self.teacher.places.layers {
            for matrix in [&layer.attend, &layer.gather, &layer.widen, &layer.narrow] {
                self.teacher.weights[matrix.clone()]
                    .iter_mut()
                    .for_each(|weight| *weight *= 1.0 - rate * DECAY);
            }
        }
        let mut gradients: Vec<_> =
            self.learners.iter_mut().map(|learner| learner.gradients.chunks_mut(CHUNK)).collect();
        // For each chunk those of all slices.
        let chunks = self.teacher.weights.len().div_ceil(CHUNK);
        let gradients: Vec<Vec<&mut [f32]>> =
            (0..chunks).map(|_| gradients.iter_mut().filter_map(Iterator::next).collect()).collect();
        let numbers =
            self.teacher.weights.par_chunks_mut(CHUNK).zip(self.state.average.par_chunks_mut(CHUNK));
        let means = self.state.means.par_chunks_mut(CHUNK).zip(self.state.squares.par_chunks_mut(CHUNK));
        numbers.zip(means).zip(gradients).for_each(|(((weights, average), (means, squares)), mut slices)| {
            let Some((sums, others)) = slices.split_first_mut() else { return };
            for other in others {
                for (sum, slope) in sums.iter_mut().zip(other.iter_mut()) {
                    *sum += std::mem::take(slope);
                }
            }
            let moments = sums.iter_mut().zip(means).zip(squares);
            for (((slope, mean), square), (weight, average)) in moments.zip(weights.iter_mut().zip(average)) {
                let slope = std::mem::take(slope) * share;
                *mean = BETA_1 * *mean + (1.0 - BETA_1) * slope;
                *square = BETA_2 * *square + (1.0 - BETA_2) * slope * slope;
                *weight -= rate * *mean / (square.sqrt() + EPSILON);
                *average = remains * *average + (1.0 - remains) * *weight;
            }
        });
    }

    /// The teacher that has come of it so far.
    pub fn graduate(&self, products: Products) -> Teacher {
        Teacher::new(self.settings.shape, self.state.average.clone(), products)
    }
}

/// What a teacher, made ready, foretells of positions, on all processors.
pub fn foretell(teacher: &Teacher, samples: &[Sample]) -> Vec<Foretold> {
    // So many that a learner's memory is worth it.
    let parts = samples.par_chunks(TOGETHER * 16).map(|part| {
        let mut learner = Learner::new(teacher.shape);
        let mut foretold = vec![];
        part.chunks(TOGETHER).for_each(|some| learner.foretell(teacher, some, &mut foretold));
        foretold
    });
    parts.flatten().collect()
}
