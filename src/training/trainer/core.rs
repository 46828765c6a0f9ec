//! One step of training on all processors: the batch is cut into slices, a gradient each, which are then summed in their
//! order while the optimiser moves the weights.
//!
//! How many slices there are depends on the sizes alone, so the number of threads changes nothing in the result.

use super::deep::{self, REST, Seen};
use super::kernel::{self, Block, Positions, Row, Step};
use super::layer::{Factored, Layer, REST_LIMIT, block, put, rows};
use super::model::Parameters;
use super::order::Order;
use super::record::Record;
use crate::eval::network::{Architecture, FIRST};
use crate::sys::chance::mix;
use crate::sys::cpu::Work;
use crate::sys::vectors::Vectors;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Positions of a slice that are worked on together, so that what is kept of them stays in the cache.
const CHUNK: usize = 512;

/// Positions to be looked at, and what is wanted of them.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// Where they are taken from.
    pub records: &'a [Record],
    /// In which order; as they stand if there is none.
    pub order: Option<Order>,
    /// The place of the first in that order.
    pub first: u64,
    /// How many.
    pub count: usize,
    /// Which of them go through the mirror, if any do: a seed.
    pub mirror: Option<u64>,
    /// How much of the target is what came later (`returns`: scores and the result), 0 to 1; the rest is the search's score.
    pub wdl: f32,
    /// The power of the error that is the loss.
    pub power: f32,
}

impl Batch<'_> {
    #[inline(always)]
    fn record(&self, place: usize) -> &Record {
        let place = self.first + place as u64;
        &self.records[self.order.map_or(place, |order| order.at(place)) as usize]
    }

    #[inline(always)]
    fn is_mirrored(&self, place: usize) -> bool {
        self.mirror.is_some_and(|seed| mix(seed ^ (self.first + place as u64)) & 1 != 0)
    }
}

/// The numbers of a network with the averages of the optimiser.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The numbers themselves.
    pub weights: Parameters,
    /// Average gradients.
    pub means: Parameters,
    /// Average squares of gradients.
    pub squares: Parameters,
}

impl State {
    /// A beginning from these weights.
    pub fn new(architecture: &Architecture, weights: Parameters) -> State {
        let zero = Parameters::zero(architecture);
        State { weights, means: zero.clone(), squares: zero }
    }
}

/// The learning rates of a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// Of all but what follows.
    pub all: f32,
    /// Of the weights of marks.
    pub marks: f32,
    /// Of deep layers.
    pub deep: f32,
}

/// A network in training.
pub trait Core: Send {
    /// Learns from a batch, and gives the sum of the losses before.
    fn step(&mut self, batch: &Batch<'_>, rates: Rates) -> f64;
    /// The sum of the losses.
    fn loss(&mut self, batch: &Batch<'_>) -> f64;
    /// The numbers.
    fn state(&self) -> State;
    /// The sums of the gradients that the batch has.
    #[cfg(test)]
    fn gradients(&mut self, batch: &Batch<'_>) -> Parameters;
}

/// Makes a network ready to be trained.
///
/// # Errors
/// If the threads cannot be had.
pub fn core(
    architecture: &Architecture,
    state: &State,
    threads: usize,
    vectors: Vectors,
) -> Result<Box<dyn Core>, ThreadPoolBuildError> {
    let name = |number| format!("trainer-{number}");
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build()?;
    Ok(if architecture.hidden.is_multiple_of(64) {
        Box::new(Blocks::<64>::new(*architecture, state, pool, vectors))
    } else {
        Box::new(Blocks::<32>::new(*architecture, state, pool, vectors))
    })
}

/// How many threads can learn at once: a batch has as many slices. Each costs memory as large as the network, and the
/// time to sum it.
pub fn most_threads(architecture: &Architecture) -> usize {
    if architecture.hidden * architecture.sets() <= 512 { 8 } else { 4 }
}

/// What one task works with.
struct Slice<const C: usize> {
    gradients: Vec<Block<C>>,
    bias_gradients: Vec<f32>,
    loss: f64,
    picked: Vec<Record>,
    positions: Positions,
    sums: Vec<Vec<[Row<C>; 2]>>,
    outputs: Vec<f32>,
    /// Of each position the sums of the first deep layer, then the slopes by them.
    deep: Vec<[f32; FIRST]>,
    seen: Vec<Seen>,
    /// By output bucket.
    rest_gradients: Vec<[f32; REST]>,
}

struct Blocks<const C: usize> {
    architecture: Architecture,
    layers: Vec<Layer<C>>,
    /// Output biases with their averages.
    biases: Vec<[f32; 3]>,
    /// By output bucket the numbers behind the first deep layer, with their averages; none without.
    rest: Vec<[[f32; REST]; 3]>,
    slices: Vec<Slice<C>>,
    pool: ThreadPool,
    vectors: Vectors,
}

/// The work on one slice.
struct SliceWork<'a, const C: usize> {
    architecture: &'a Architecture,
    layers: &'a [Layer<C>],
    biases: &'a [[f32; 3]],
    rest: &'a [[[f32; REST]; 3]],
    batch: &'a Batch<'a>,
    /// Places in the batch.
    range: std::ops::Range<usize>,
    slice: &'a mut Slice<C>,
    with_gradients: bool,
}

impl<const C: usize> Work for SliceWork<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let SliceWork { architecture, layers, biases, rest, batch, range, slice, with_gradients } = self;
        slice.loss = 0.0;
        if with_gradients {
            slice.gradients.iter_mut().for_each(Block::clear);
            slice.bias_gradients.fill(0.0);
            slice.rest_gradients.fill([0.0; REST]);
        }
        let mut from = range.start;
        while from < range.end {
            let to = range.end.min(from + CHUNK);
            slice.prepare(architecture, batch, from..to);
            let outputs = &mut slice.outputs[..to - from];
            for (output, &bucket) in outputs.iter_mut().zip(&slice.positions.buckets) {
                *output = biases[usize::from(bucket)][0];
            }
            let deep = &mut slice.deep[..to - from];
            deep.fill([0.0; FIRST]);
            for (layer, sums) in layers.iter().zip(&mut slice.sums) {
                kernel::forward(&layer.weights, &slice.positions, sums, outputs, deep);
            }
            if !rest.is_empty() {
                let each = outputs.iter_mut().zip(&slice.positions.buckets).zip(&*deep).zip(&mut slice.seen);
                for (((output, &bucket), sums), seen) in each {
                    *output += deep::forward(&rest[usize::from(bucket)][0], sums, seen);
                }
            }
            slice.loss += slopes(outputs, &slice.positions.targets, batch.power);
            if with_gradients {
                for (&slope, &bucket) in outputs.iter().zip(&slice.positions.buckets) {
                    slice.bias_gradients[usize::from(bucket)] += slope;
                }
                if !rest.is_empty() {
                    let each = outputs.iter().zip(&slice.positions.buckets).zip(&mut *deep).zip(&slice.seen);
                    for (((&slope, &bucket), slopes), seen) in each {
                        let bucket = usize::from(bucket);
                        let gradients = &mut slice.rest_gradients[bucket];
                        *slopes = deep::backward(&rest[bucket][0], seen, slope, gradients);
                    }
                }
                for ((layer, sums), gradients) in layers.iter().zip(&slice.sums).zip(&mut slice.gradients) {
                    kernel::backward(&layer.weights, &slice.positions, sums, outputs, deep, gradients);
                }
            }
            from = to;
        }
    }
}

/// Puts the slope of the loss in the place of each output, and gives the sum of the losses.
#[inline(always)]
fn slopes(outputs: &mut [f32], targets: &[f32], power: f32) -> f64 {
    let mut loss = 0.0;
    for output in outputs.iter_mut() {
        *output = kernel::sigmoid(*output);
    }
    for (output, &target) in outputs.iter_mut().zip(targets) {
        let points = *output;
        let error = points - target;
        let flatness = points * (1.0 - points);
        if power == 2.0 {
            loss += f64::from(error * error);
            *output = 2.0 * error * flatness;
        } else {
            let size = error.abs();
            loss += f64::from(size.powf(power));
            *output = power * size.powf(power - 1.0) * error.signum() * flatness;
        }
    }
    loss
}

impl<const C: usize> Slice<C> {
    fn new(architecture: &Architecture) -> Slice<C> {
        let blocks = architecture.hidden / C;
        Slice {
            gradients: vec![Block::zero(architecture); blocks],
            bias_gradients: vec![0.0; architecture.output_buckets],
            loss: 0.0,
            picked: Vec::with_capacity(CHUNK),
            positions: Positions::default(),
            sums: vec![vec![[Row::ZERO; 2]; CHUNK]; blocks],
            outputs: vec![0.0; CHUNK],
            deep: vec![[0.0; FIRST]; CHUNK],
            seen: vec![Seen::NOTHING; CHUNK],
            rest_gradients: vec![[0.0; REST]; architecture.output_buckets],
        }
    }

    /// Unpacks positions of the batch.
    #[inline(always)]
    fn prepare(&mut self, architecture: &Architecture, batch: &Batch<'_>, range: std::ops::Range<usize>) {
        // By themselves first, for then the processor waits for the memory of many at once.
        self.picked.clear();
        self.picked.extend(range.clone().map(|place| *batch.record(place)));
        self.positions.clear();
        for (record, place) in self.picked.iter().zip(range) {
            let target = record.target(batch.wdl);
            self.positions.push(architecture, record, batch.is_mirrored(place), target);
        }
    }
}

impl<const C: usize> Blocks<C> {
    fn new(architecture: Architecture, state: &State, pool: ThreadPool, vectors: Vectors) -> Blocks<C> {
        let hidden = architecture.hidden;
        let layers = (0..hidden / C).map(|number| Layer {
            weights: block(&state.weights, &state.weights.merged_features(), hidden, number),
            means: block(&state.means, &state.means.features, hidden, number),
            squares: block(&state.squares, &state.squares.features, hidden, number),
            factored: (architecture.sets() > 1).then(|| Factored {
                own: rows(&state.weights.features, hidden, number),
                shared: rows(&state.weights.shared, hidden, number),
                means: rows(&state.means.shared, hidden, number),
                squares: rows(&state.squares.shared, hidden, number),
            }),
        });
        let layers = layers.collect();
        let [weights, means, squares] =
            [&state.weights, &state.means, &state.squares].map(|part| &part.output_biases);
        let biases =
            (0..architecture.output_buckets).map(|at| [weights[at], means[at], squares[at]]).collect();
        let [weights, means, squares] =
            [&state.weights, &state.means, &state.squares].map(|part| part.deep_rest.as_chunks().0);
        let rest = (0..weights.len()).map(|at| [weights[at], means[at], squares[at]]).collect();
        let slices = (0..most_threads(&architecture)).map(|_| Slice::new(&architecture)).collect();
        Blocks { architecture, layers, biases, rest, slices, pool, vectors }
    }

    /// Goes over a batch; losses and gradients are then in the slices.
    fn pass(&mut self, batch: &Batch<'_>, with_gradients: bool) -> f64 {
        let Blocks { architecture, layers, biases, rest, slices, pool, vectors } = self;
        let parts = slices.len();
        pool.install(|| {
            slices.par_iter_mut().enumerate().with_max_len(1).for_each(|(part, slice)| {
                let range = batch.count * part / parts..batch.count * (part + 1) / parts;
                let work =
                    SliceWork { architecture, layers, biases, rest, batch, range, slice, with_gradients };
                vectors.run(work);
            });
        });
        slices.iter().map(|slice| slice.loss).sum()
    }

    /// Moves all weights by the gradients of the last pass.
    fn descend(&mut self, share: f32, rates: Rates) {
        let step = Step { rate: rates.all, share };
        let Blocks { layers, biases, rest, slices, pool, vectors, .. } = self;
        let (slices, vectors) = (&*slices, *vectors);
        pool.install(|| {
            layers.par_iter_mut().enumerate().for_each(|(number, layer)| {
                let gradients: Vec<&Block<C>> = slices.iter().map(|slice| &slice.gradients[number]).collect();
                layer.descend(step, rates, &gradients, vectors);
            });
        });
        for (bucket, [weight, mean, square]) in biases.iter_mut().enumerate() {
            let gradient = slices.iter().map(|slice| slice.bias_gradients[bucket]).sum();
            // No vector instruction reads it: it may be as large as it likes.
            kernel::descend(step, f32::MAX, weight, gradient, mean, square);
        }
        let step = Step { rate: rates.deep, share };
        for (bucket, [weights, means, squares]) in rest.iter_mut().enumerate() {
            for at in 0..REST {
                let gradient = slices.iter().map(|slice| slice.rest_gradients[bucket][at]).sum();
                let (weight, mean, square) = (&mut weights[at], &mut means[at], &mut squares[at]);
                kernel::descend(step, REST_LIMIT, weight, gradient, mean, square);
            }
        }
    }

    fn collect(
        &self,
        part: impl Fn(&Layer<C>) -> (&Block<C>, &[Row<C>], &[Row<C>]),
        part_of_three: usize,
    ) -> Parameters {
        let hidden = self.architecture.hidden;
        let mut parameters = Parameters::zero(&self.architecture);
        for (number, layer) in self.layers.iter().enumerate() {
            let (block, features, shared) = part(layer);
            put(&mut parameters.features, hidden, number, features);
            put(&mut parameters.shared, hidden, number, shared);
            put(&mut parameters.biases, hidden, number, &[block.bias]);
            put(&mut parameters.outputs, hidden, number, block.outputs.as_flattened());
            put(&mut parameters.deep_first, hidden, number, block.deep.as_flattened().as_flattened());
        }
        for (to, from) in parameters.deep_rest.as_chunks_mut().0.iter_mut().zip(&self.rest) {
            *to = from[part_of_three];
        }
        for (to, from) in parameters.output_biases.iter_mut().zip(&self.biases) {
            *to = from[part_of_three];
        }
        parameters
    }
}

impl<const C: usize> Core for Blocks<C> {
    fn step(&mut self, batch: &Batch<'_>, rates: Rates) -> f64 {
        let loss = self.pass(batch, true);
        self.descend(1.0 / batch.count as f32, rates);
        loss
    }

    fn loss(&mut self, batch: &Batch<'_>) -> f64 {
        self.pass(batch, false)
    }

    fn state(&self) -> State {
        State {
            weights: self.collect(
                |layer| match &layer.factored {
                    Some(factored) => (&layer.weights, &factored.own, &factored.shared),
                    None => (&layer.weights, &layer.weights.features, &[]),
                },
                0,
            ),
            means: self.collect(
                |layer| {
                    let shared = layer.factored.as_ref().map_or(&[][..], |factored| &factored.means);
                    (&layer.means, &layer.means.features, shared)
                },
                1,
            ),
            squares: self.collect(
                |layer| {
                    let shared = layer.factored.as_ref().map_or(&[][..], |factored| &factored.squares);
                    (&layer.squares, &layer.squares.features, shared)
                },
                2,
            ),
        }
    }

    #[cfg(test)]
    fn gradients(&mut self, batch: &Batch<'_>) -> Parameters {
        self.pass(batch, true);
        let hidden = self.architecture.hidden;
        let mut all = Parameters::zero(&self.architecture);
        for slice in &self.slices {
            let mut part = Parameters::zero(&self.architecture);
            for (number, block) in slice.gradients.iter().enumerate() {
                put(&mut part.features, hidden, number, &block.features);
                put(&mut part.biases, hidden, number, &[block.bias]);
                put(&mut part.outputs, hidden, number, block.outputs.as_flattened());
                put(&mut part.deep_first, hidden, number, block.deep.as_flattened().as_flattened());
            }
            for (to, from) in part.deep_rest.as_chunks_mut().0.iter_mut().zip(&slice.rest_gradients) {
                *to = *from;
            }
            part.output_biases.copy_from_slice(&slice.bias_gradients);
            for (all, part) in all.parts_mut().into_iter().zip(part.parts()) {
                all.iter_mut().zip(part).for_each(|(all, part)| *all += part);
            }
        }
        let of_pieces = self.architecture.sets() * crate::eval::network::FEATURES * hidden;
        for (at, gradient) in all.features[..of_pieces].iter().enumerate() {
            if let Some(shared) = at.checked_rem(all.shared.len()) {
                all.shared[shared] += gradient;
            }
        }
        all
    }
}
