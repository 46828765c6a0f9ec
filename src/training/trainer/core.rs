//! One step of training on all processors: the batch is cut into slices, a gradient each, which are then summed in their
//! order while the optimiser moves the weights.
//!
//! How many slices there are depends on the sizes alone, so the number of threads changes nothing in the result.

use super::deep::{self, REST, Seen};
use super::kernel::{self, Block, Positions, Row, Step};
use super::model::Parameters;
use super::order::Order;
use super::record::{Record, mix};
use crate::eval::network::{Architecture, FEATURES, FIRST};
use crate::sys::cpu::Work;
use crate::sys::vectors::Vectors;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Positions of a slice that are worked on together, so that what is kept of them stays in the cache.
const CHUNK: usize = 512;
/// Rows that one task of the optimiser moves.
const ROWS: usize = 64;
/// So far a weight may go: times 64 it still fits eight bits.
pub const WEIGHT_LIMIT: f32 = 1.98;
/// The same for the numbers behind the first deep layer, which are floats in the file: so far that they hardly get there.
const REST_LIMIT: f32 = 100.0;
/// The same for each of two weights that are added.
pub const SHARED_LIMIT: f32 = 0.99;

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
    /// How much of the target is the game's result, 0 to 1; the rest is the search's score.
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
    /// The sums of the gradients that the batch has, for tests.
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

/// How many slices a batch has, which is how many threads can be at work. Each costs memory as large as the network,
/// and the time to sum it.
fn slices(architecture: &Architecture) -> usize {
    if architecture.hidden * architecture.sets() <= 512 { 8 } else { 4 }
}

/// One block of columns.
struct Layer<const C: usize> {
    /// What positions meet: with several sets, own and shared weights added.
    weights: Block<C>,
    means: Block<C>,
    squares: Block<C>,
    /// With several sets: the input weights without those that are shared, and those.
    factored: Option<Factored<C>>,
}

struct Factored<const C: usize> {
    own: Vec<Row<C>>,
    shared: Vec<Row<C>>,
    means: Vec<Row<C>>,
    squares: Vec<Row<C>>,
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
        let slices = (0..slices(&architecture)).map(|_| Slice::new(&architecture)).collect();
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
        let of_pieces = &all.features[..self.architecture.sets() * FEATURES * hidden];
        for (at, gradient) in of_pieces.iter().enumerate() {
            if let Some(shared) = at.checked_rem(all.shared.len()) {
                all.shared[shared] += gradient;
            }
        }
        all
    }
}

/// The columns of a block out of rows of `hidden`.
fn rows<const C: usize>(numbers: &[f32], hidden: usize, number: usize) -> Vec<Row<C>> {
    let row = |row: &[f32]| Row(std::array::from_fn(|column| row[number * C + column]));
    numbers.chunks_exact(hidden).map(row).collect()
}

/// The reverse of `rows`.
fn put<const C: usize>(numbers: &mut [f32], hidden: usize, number: usize, rows: &[Row<C>]) {
    for (to, from) in numbers.chunks_exact_mut(hidden).zip(rows) {
        to[number * C..(number + 1) * C].copy_from_slice(&from.0);
    }
}

fn block<const C: usize>(
    parameters: &Parameters,
    features: &[f32],
    hidden: usize,
    number: usize,
) -> Block<C> {
    Block {
        features: rows(features, hidden, number),
        bias: rows(&parameters.biases, hidden, number)[0],
        outputs: rows(&parameters.outputs, hidden, number).as_chunks().0.to_vec(),
        deep: rows(&parameters.deep_first, hidden, number).as_chunks().0.as_chunks().0.to_vec(),
    }
}

/// Moves some rows of input weights.
struct RowsWork<'a, const C: usize> {
    step: Step,
    /// The first row among those of the gradients.
    from: usize,
    gradients: &'a [&'a Block<C>],
    weights: &'a mut [Row<C>],
    means: &'a mut [Row<C>],
    squares: &'a mut [Row<C>],
}

impl<const C: usize> Work for RowsWork<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let RowsWork { step, from, gradients, weights, means, squares } = self;
        let sums = &mut [Row::ZERO; ROWS][..weights.len()];
        sum_rows(gradients, from, sums);
        for (((weights, sum), means), squares) in weights.iter_mut().zip(sums).zip(means).zip(squares) {
            kernel::descend_row(step, WEIGHT_LIMIT, weights, &sum.0, means, squares);
        }
    }
}

/// Sums the slices' gradients of the rows from a place on.
#[inline(always)]
fn sum_rows<const C: usize>(gradients: &[&Block<C>], from: usize, sums: &mut [Row<C>]) {
    for block in gradients {
        for (sum, row) in sums.iter_mut().zip(&block.features[from..]) {
            for column in 0..C {
                sum.0[column] += row.0[column];
            }
        }
    }
}

/// Moves all input weights where some are shared.
struct FactoredWork<'a, const C: usize> {
    step: Step,
    marks_rate: f32,
    gradients: &'a [&'a Block<C>],
    layer: &'a mut Layer<C>,
}

impl<const C: usize> Work for FactoredWork<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let FactoredWork { step, marks_rate, gradients, layer } = self;
        let Layer { weights, means, squares, factored: Some(factored) } = layer else { return };
        let features = &mut weights.features;
        // The rows of marks, which come last, are fewer than those of a set.
        let buckets = features.len() / FEATURES;
        let marks = features.len() - features.len() % FEATURES;
        for from in (marks..features.len()).step_by(ROWS) {
            let to = features.len().min(from + ROWS);
            let step = Step { rate: marks_rate, ..step };
            let own = &mut factored.own[from..to];
            let (means, squares) = (&mut means.features[from..to], &mut squares.features[from..to]);
            RowsWork { step, from, gradients, weights: own, means, squares }.run();
            features[from..to].copy_from_slice(&factored.own[from..to]);
        }
        for from in (0..FEATURES).step_by(ROWS) {
            let mut shared = [Row::ZERO; ROWS];
            for bucket in 0..buckets {
                let mut sums = [Row::ZERO; ROWS];
                let first = bucket * FEATURES + from;
                sum_rows(gradients, first, &mut sums);
                for (at, sum) in sums.iter().enumerate() {
                    let row = first + at;
                    kernel::descend_row(
                        step,
                        SHARED_LIMIT,
                        &mut factored.own[row],
                        &sum.0,
                        &mut means.features[row],
                        &mut squares.features[row],
                    );
                    for column in 0..C {
                        shared[at].0[column] += sum.0[column];
                    }
                }
            }
            for (at, sum) in shared.iter().enumerate() {
                let row = from + at;
                let Factored { own, shared, means, squares } = &mut *factored;
                let (means, squares) = (&mut means[row], &mut squares[row]);
                kernel::descend_row(step, SHARED_LIMIT, &mut shared[row], &sum.0, means, squares);
                for bucket in 0..buckets {
                    let merged = bucket * FEATURES + row;
                    for column in 0..C {
                        features[merged].0[column] = own[merged].0[column] + shared[row].0[column];
                    }
                }
            }
        }
    }
}

impl<const C: usize> Layer<C> {
    fn descend(&mut self, step: Step, rates: Rates, gradients: &[&Block<C>], vectors: Vectors) {
        let marks_rate = rates.marks;
        if self.factored.is_some() {
            vectors.run(FactoredWork { step, marks_rate, gradients, layer: self });
        } else {
            let weights = self.weights.features.par_chunks_mut(ROWS);
            let means = self.means.features.par_chunks_mut(ROWS);
            let squares = self.squares.features.par_chunks_mut(ROWS);
            weights.zip(means).zip(squares).enumerate().for_each(|(number, ((weights, means), squares))| {
                let from = number * ROWS;
                vectors.run(RowsWork { step, from, gradients, weights, means, squares });
            });
        }
        let Layer { weights, means, squares, .. } = self;
        let sum = |row: &dyn Fn(&Block<C>) -> Row<C>| {
            let mut sum = [0.0; C];
            for block in gradients {
                sum.iter_mut().zip(row(block).0).for_each(|(sum, part)| *sum += part);
            }
            sum
        };
        let bias = sum(&|block| block.bias);
        kernel::descend_row(step, WEIGHT_LIMIT, &mut weights.bias, &bias, &mut means.bias, &mut squares.bias);
        for bucket in 0..weights.outputs.len() {
            for side in 0..2 {
                let output = sum(&|block| block.outputs[bucket][side]);
                kernel::descend_row(
                    step,
                    WEIGHT_LIMIT,
                    &mut weights.outputs[bucket][side],
                    &output,
                    &mut means.outputs[bucket][side],
                    &mut squares.outputs[bucket][side],
                );
            }
        }
        let step = Step { rate: rates.deep, ..step };
        for bucket in 0..weights.deep.len() {
            for neuron in 0..FIRST {
                for side in 0..2 {
                    let row = sum(&|block| block.deep[bucket][neuron][side]);
                    kernel::descend_row(
                        step,
                        WEIGHT_LIMIT,
                        &mut weights.deep[bucket][neuron][side],
                        &row,
                        &mut means.deep[bucket][neuron][side],
                        &mut squares.deep[bucket][neuron][side],
                    );
                }
            }
        }
    }
}
