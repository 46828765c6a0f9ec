//! What a teacher foretells of positions, and what it learns from them: the whole way there and back, for some at a time.

use super::attention::Field;
use super::layer::{Kept, Layer, Room};
use super::rows::{Moments, add, norm, norm_back, sum_of_two};
use super::sample::Sample;
use super::tokens::{SCALE, Tokens};
use super::weights::{Matrices, Places, Shape, VALUES};
use crate::sys::cpu::Work;
use crate::sys::products::{Products, grains};
use crate::sys::vectors::Vectors;
use crate::training::trainer::kernel::sigmoid;

/// How much the move that was played counts beside what is foretold in points: where it came from, and where it went to.
const MOVE_SHARE: f32 = 0.1;

/// What is foretold of a position, in logits: 0 is half a point, and 1 is 0.73.
pub type Foretold = [f32; VALUES];

/// A teacher's numbers, ready for products.
#[derive(Clone, Debug)]
pub struct Teacher {
    /// How large it is.
    pub shape: Shape,
    /// Where its numbers stand.
    pub places: Places,
    /// Its numbers.
    pub weights: Vec<f32>,
    matrices: Vec<Matrices>,
    products: Products,
    vectors: Vectors,
}

impl Teacher {
    /// One with these numbers. [`Teacher::prepare`] comes before all else.
    pub fn new(shape: Shape, weights: Vec<f32>, products: Products) -> Teacher {
        let places = Places::new(shape);
        assert_eq!(places.count, weights.len());
        let matrices = vec![Matrices::default(); shape.layers];
        Teacher { shape, places, weights, matrices, products, vectors: Vectors::widest() }
    }

    /// Makes the numbers ready for products, as they are now.
    pub fn prepare(&mut self, learns: bool) {
        for (matrices, places) in self.matrices.iter_mut().zip(&self.places.layers) {
            matrices.set(self.shape, places, &self.weights, learns);
        }
    }

    fn layer(&self, number: usize) -> Layer<'_> {
        Layer {
            shape: self.shape,
            places: &self.places.layers[number],
            weights: &self.weights,
            matrices: &self.matrices[number],
            products: self.products,
        }
    }
}

/// Losses, added up.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Losses {
    /// Cross entropy of what is foretold in points, as [`Foretold`], less what cannot be helped.
    pub values: [f64; VALUES],
    /// Of where the moves come from and where they go to.
    pub moves: [f64; 2],
}

impl Losses {
    /// Adds others.
    pub fn add(&mut self, other: &Losses) {
        self.values.iter_mut().zip(other.values).for_each(|(sum, loss)| *sum += loss);
        self.moves.iter_mut().zip(other.moves).for_each(|(sum, loss)| *sum += loss);
    }

    /// Shared out among so many.
    pub fn divided(self, count: f64) -> Losses {
        Losses { values: self.values.map(|loss| loss / count), moves: self.moves.map(|loss| loss / count) }
    }
}

/// What works on some positions.
#[derive(Debug)]
pub struct Learner {
    /// The slopes by all numbers, added up; empty until something is learnt.
    pub gradients: Vec<f32>,
    /// The losses, added up.
    pub losses: Losses,
    tokens: Tokens,
    fields: Vec<Field>,
    kept: Vec<Kept>,
    room: Room,
    numbers: Vec<f32>,
    slopes: Vec<f32>,
    last: Vec<f32>,
    by_last: Vec<f32>,
    moments: Vec<Moments>,
}

impl Learner {
    /// One for teachers of this shape.
    pub fn new(shape: Shape) -> Learner {
        Learner {
            gradients: vec![],
            losses: Losses::default(),
            tokens: Tokens::default(),
            fields: vec![],
            kept: vec![Kept::default(); shape.layers],
            room: Room::default(),
            numbers: vec![],
            slopes: vec![],
            last: vec![],
            by_last: vec![],
            moments: vec![],
        }
    }

    /// What the teacher foretells of these positions, which is appended to `foretold`.
    pub fn foretell(&mut self, teacher: &Teacher, samples: &[Sample], foretold: &mut Vec<Foretold>) {
        teacher.vectors.run(Pass { learner: self, teacher, samples, foretold, learns: false });
    }

    /// Adds the slopes that these positions give to the gradients, and the losses.
    pub fn learn(&mut self, teacher: &Teacher, samples: &[Sample]) {
        self.gradients.resize(teacher.places.count, 0.0);
        teacher.vectors.run(Pass { learner: self, teacher, samples, foretold: &mut vec![], learns: true });
    }

    #[inline(always)]
    fn forward(&mut self, teacher: &Teacher, samples: &[Sample]) {
        let (shape, width, places) = (teacher.shape, teacher.shape.width, &teacher.places);
        self.tokens.clear();
        samples.iter().for_each(|sample| self.tokens.push(sample));
        let count = self.tokens.count();
        self.numbers.clear();
        self.numbers.resize(grains(count) * width, 0.0);
        let rows = &teacher.weights[places.rows.clone()];
        let row = |row: u16| &rows[usize::from(row) * width..][..width];
        self.fields.resize(samples.len(), Field::default());
        for (seen, field) in self.tokens.seen.iter().zip(&mut self.fields) {
            let (first, rest) = self.numbers[seen.first * width..][..seen.count * width].split_at_mut(width);
            seen.shared.iter().for_each(|&(shared, times)| add(first, row(shared), times));
            rest.chunks_exact_mut(width).for_each(|token| token.copy_from_slice(first));
            let tokens = self.numbers[seen.first * width..].chunks_exact_mut(width).take(seen.count);
            for (at, token) in tokens.enumerate() {
                self.tokens.rows_of(seen.first + at).iter().for_each(|&own| add(token, row(own), 1.0));
            }
            field.set(shape, seen, &self.tokens.places, &teacher.weights[places.pairs.clone()]);
        }
        for (number, kept) in self.kept.iter_mut().enumerate() {
            teacher.layer(number).forward(&mut self.numbers, &self.fields, kept, &mut self.room);
        }
        let by = places.last_norm.each_ref().map(|range| &teacher.weights[range.clone()]);
        self.last.clear();
        self.last.resize(count * width, 0.0);
        self.moments.clear();
        let rows = self.numbers.chunks_exact(width).zip(self.last.chunks_exact_mut(width));
        self.moments.extend(rows.map(|(row, out)| norm(row, by, out)));
    }

    /// What the whole of each position says.
    #[inline(always)]
    fn foretold(&self, teacher: &Teacher, at: usize) -> Foretold {
        let (width, places) = (teacher.shape.width, &teacher.places);
        let seen = &self.tokens.seen[at];
        let whole = &self.last[(seen.first + seen.count - 1) * width..][..width];
        std::array::from_fn(|value| {
            let weights = &teacher.weights[places.values.clone()][value * width..][..width];
            sum_of_two(weights, whole, |weight, number| weight * number)
                + teacher.weights[places.value_biases.start + value]
                + teacher.weights[places.value_slopes.start + value] * seen.still
        })
    }

    /// Losses, and the slopes by what comes out of the last layer, in `slopes`.
    #[inline(always)]
    fn judge(&mut self, teacher: &Teacher, samples: &[Sample]) {
        let (width, places, weights) = (teacher.shape.width, &teacher.places, &teacher.weights);
        self.slopes.clear();
        self.slopes.resize(self.last.len(), 0.0);
        for (at, sample) in samples.iter().enumerate() {
            let foretold = self.foretold(teacher, at);
            let truth = sample.truth();
            let wanted =
                [sigmoid(f32::from(truth.score) / SCALE), truth.returns[0], truth.returns[1], truth.points];
            let seen = &self.tokens.seen[at];
            let place = seen.first + seen.count - 1;
            let whole = &self.last[place * width..][..width];
            let slopes = &mut self.slopes[place * width..][..width];
            for value in 0..VALUES {
                let points = sigmoid(foretold[value]);
                let slope = points - wanted[value];
                self.losses.values[value] += divergence(wanted[value], points);
                let range = places.values.start + value * width..places.values.start + (value + 1) * width;
                add(slopes, &weights[range.clone()], slope);
                add(&mut self.gradients[range], whole, slope);
                self.gradients[places.value_biases.start + value] += slope;
                self.gradients[places.value_slopes.start + value] += slope * seen.still;
            }
            let mut chances: [f32; 64] = std::array::from_fn(|to| {
                let row = &weights[places.to.start + to * width..][..width];
                let bias = weights[places.to_biases.start + to];
                sum_of_two(row, whole, |weight, number| weight * number) + bias
            });
            self.losses.moves[1] += against(&mut chances, usize::from(sample.to));
            for (to, chance) in chances.into_iter().enumerate() {
                let range = places.to.start + to * width..places.to.start + (to + 1) * width;
                add(slopes, &weights[range.clone()], MOVE_SHARE * chance);
                add(&mut self.gradients[range], whole, MOVE_SHARE * chance);
                self.gradients[places.to_biases.start + to] += MOVE_SHARE * chance;
            }
            let own = || (0..seen.count).filter(|piece| seen.own >> piece & 1 != 0);
            let from = &weights[places.from.clone()];
            let mut chances: Vec<f32> = own()
                .map(|piece| {
                    let token = &self.last[(seen.first + piece) * width..][..width];
                    sum_of_two(from, token, |weight, number| weight * number)
                })
                .collect();
            let moved = own().position(|piece| self.tokens.places[seen.first + piece] == sample.from);
            let Some(moved) = moved else { continue };
            self.losses.moves[0] += against(&mut chances, moved);
            for (piece, chance) in own().zip(chances) {
                let token = (seen.first + piece) * width;
                add(&mut self.slopes[token..][..width], from, MOVE_SHARE * chance);
                add(
                    &mut self.gradients[places.from.clone()],
                    &self.last[token..][..width],
                    MOVE_SHARE * chance,
                );
            }
        }
    }

    #[inline(always)]
    fn backward(&mut self, teacher: &Teacher) {
        let (width, places) = (teacher.shape.width, &teacher.places);
        // From here on the slopes by what comes out of the last layer stand where its numbers stood.
        std::mem::swap(&mut self.by_last, &mut self.slopes);
        self.slopes.clear();
        self.slopes.resize(self.numbers.len(), 0.0);
        let stretch = &teacher.weights[places.last_norm[0].clone()];
        let gradients = &mut self.gradients[places.last_norm[0].start..places.last_norm[1].end];
        let (by_stretch, by_shift) = gradients.split_at_mut(width);
        let mut room = vec![0.0; width];
        let rows = self.numbers.chunks_exact(width).zip(&self.moments);
        let slopes = self.by_last.chunks_exact(width).zip(self.slopes.chunks_exact_mut(width));
        for ((row, &moments), (slopes, to)) in rows.zip(slopes) {
            norm_back(row, moments, stretch, slopes, to, [by_stretch, by_shift], &mut room);
        }
        for (number, kept) in self.kept.iter().enumerate().rev() {
            let layer = teacher.layer(number);
            layer.backward(&mut self.slopes, &mut self.fields, kept, &mut self.gradients, &mut self.room);
        }
        for (seen, field) in self.tokens.seen.iter().zip(&self.fields) {
            field.back(&self.tokens.places, &mut self.gradients[places.pairs.clone()]);
            let gradients = &mut self.gradients[places.rows.clone()];
            room.fill(0.0);
            for token in seen.first..seen.first + seen.count {
                let slopes = &self.slopes[token * width..][..width];
                add(&mut room, slopes, 1.0);
                for &row in self.tokens.rows_of(token) {
                    add(&mut gradients[usize::from(row) * width..][..width], slopes, 1.0);
                }
            }
            for &(row, times) in &seen.shared {
                add(&mut gradients[usize::from(row) * width..][..width], &room, times);
            }
        }
    }
}

/// By how much what is foretold misses what is wanted, both in points (Kullback and Leibler's divergence).
#[inline(always)]
fn divergence(wanted: f32, points: f32) -> f64 {
    let part = |wanted: f32, points: f32| {
        if wanted > 0.0 { f64::from(wanted) * f64::from(wanted / points.max(1e-30)).ln() } else { 0.0 }
    };
    part(wanted, points) + part(1.0 - wanted, 1.0 - points)
}

/// Makes logits the slopes of the loss by them, if this one is what came true, and gives the loss.
#[inline(always)]
fn against(logits: &mut [f32], true_one: usize) -> f64 {
    let most = logits.iter().fold(f32::NEG_INFINITY, |most, &logit| most.max(logit));
    logits.iter_mut().for_each(|logit| *logit = super::rows::exp(*logit - most));
    let share = 1.0 / logits.iter().sum::<f32>();
    logits.iter_mut().for_each(|chance| *chance *= share);
    let loss = -f64::from(logits[true_one].max(1e-30)).ln();
    logits[true_one] -= 1.0;
    loss
}

/// The way there, and back.
struct Pass<'a> {
    learner: &'a mut Learner,
    teacher: &'a Teacher,
    samples: &'a [Sample],
    foretold: &'a mut Vec<Foretold>,
    learns: bool,
}

impl Work for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Pass { learner, teacher, samples, foretold, learns } = self;
        learner.forward(teacher, samples);
        if learns {
            learner.judge(teacher, samples);
            learner.backward(teacher);
        } else {
            foretold.extend((0..samples.len()).map(|at| learner.foretold(teacher, at)));
        }
    }
}
