//! The numbers of a teacher: where each stands, how they begin, and as the products want them.

use super::tokens::{PLACES, ROWS};
use crate::sys::chance::Chance;
use crate::sys::products::{GRAIN, Right, Rows};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Numbers of a head of attention.
pub const HEAD: usize = GRAIN;
/// How often as wide as a token what is between the two products of a layer is.
pub const WIDER: usize = 2;
/// What is foretold in points: the score, the return that looks less far, the one that looks farther, the result.
pub const VALUES: usize = 4;
/// For each head of a layer: more attention to what is attacked, and to what attacks.
pub const RELATIONS: usize = 2;

/// How large a teacher is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// Numbers of a token: a multiple of [`HEAD`].
    pub width: usize,
    /// Layers.
    pub layers: usize,
}

impl Shape {
    /// The largest width.
    pub const MAX_WIDTH: usize = 1024;
    /// The most layers.
    pub const MAX_LAYERS: usize = 32;

    /// How many heads of attention a layer has.
    pub fn heads(&self) -> usize {
        self.width / HEAD
    }

    /// What is wrong with it.
    ///
    /// # Errors
    /// If there is no such teacher.
    pub fn check(&self) -> Result<(), String> {
        if !self.width.is_multiple_of(HEAD) || !(1..=Shape::MAX_WIDTH).contains(&self.width) {
            return Err(format!(
                "there is no width {}: expected a multiple of {HEAD} up to {}",
                self.width,
                Shape::MAX_WIDTH
            ));
        }
        if !(1..=Shape::MAX_LAYERS).contains(&self.layers) {
            return Err(format!("there are no {} layers: expected 1 to {}", self.layers, Shape::MAX_LAYERS));
        }
        Ok(())
    }
}

/// Where the numbers of a layer stand among all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerPlaces {
    /// How much of each number of a token is wanted before attention, and what is added.
    pub first_norm: [Range<usize>; 2],
    /// To queries, keys and values, side by side; a row for each number of a token.
    pub attend: Range<usize>,
    /// What is added to these.
    pub attend_bias: Range<usize>,
    /// For each head [`RELATIONS`].
    pub relations: Range<usize>,
    /// Back from what the heads have found.
    pub gather: Range<usize>,
    /// What is added to that.
    pub gather_bias: Range<usize>,
    /// As `first_norm`, before the rest.
    pub second_norm: [Range<usize>; 2],
    /// To the wider row.
    pub widen: Range<usize>,
    /// What is added to that.
    pub widen_bias: Range<usize>,
    /// And back.
    pub narrow: Range<usize>,
    /// What is added to that.
    pub narrow_bias: Range<usize>,
}

/// Where all numbers stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// The rows that tokens are the sum of.
    pub rows: Range<usize>,
    /// For each head, from each place to each place.
    pub pairs: Range<usize>,
    /// Of each layer.
    pub layers: Vec<LayerPlaces>,
    /// As those of layers, behind the last.
    pub last_norm: [Range<usize>; 2],
    /// From the token of the whole to each of [`VALUES`].
    pub values: Range<usize>,
    /// What is added to each.
    pub value_biases: Range<usize>,
    /// How much of the static score is added to each.
    pub value_slopes: Range<usize>,
    /// From the token of a piece to how likely it moves.
    pub from: Range<usize>,
    /// From the token of the whole to how likely each square is gone to.
    pub to: Range<usize>,
    /// What is added to these.
    pub to_biases: Range<usize>,
    /// How many numbers there are.
    pub count: usize,
}

impl Places {
    /// Those of a teacher of this shape.
    pub fn new(shape: Shape) -> Places {
        let (width, heads) = (shape.width, shape.heads());
        let mut count = 0;
        let mut take = |numbers: usize| {
            count += numbers;
            count - numbers..count
        };
        let rows = take(ROWS * width);
        let pairs = take(heads * PLACES * PLACES);
        let layers = (0..shape.layers).map(|_| LayerPlaces {
            first_norm: [take(width), take(width)],
            attend: take(width * 3 * width),
            attend_bias: take(3 * width),
            relations: take(heads * RELATIONS),
            gather: take(width * width),
            gather_bias: take(width),
            second_norm: [take(width), take(width)],
            widen: take(width * WIDER * width),
            widen_bias: take(WIDER * width),
            narrow: take(WIDER * width * width),
            narrow_bias: take(width),
        });
        let layers = layers.collect();
        let last_norm = [take(width), take(width)];
        let values = take(VALUES * width);
        let (value_biases, value_slopes) = (take(VALUES), take(VALUES));
        let (from, to, to_biases) = (take(width), take(64 * width), take(64));
        Places {
            rows,
            pairs,
            layers,
            last_norm,
            values,
            value_biases,
            value_slopes,
            from,
            to,
            to_biases,
            count,
        }
    }
}

/// Numbers drawn by lot, as large as keeps what goes through them as large as it was; what is added back to a token begins
/// small (A. Radford and others, "Language Models are Unsupervised Multitask Learners", 2019, 2.3). Some heads begin with an
/// eye for what attacks, is attacked, or stands near; values begin as the static score.
pub fn random(shape: Shape, places: &Places, seed: u64) -> Vec<f32> {
    let mut chance = Chance::new(seed);
    let mut weights = vec![0.0; places.count];
    let mut draw = |range: &Range<usize>, most: f32, weights: &mut [f32]| {
        for weight in &mut weights[range.clone()] {
            *weight = most * ((chance.below(1 << 24) as f32 + 0.5) / (1 << 23) as f32 - 1.0);
        }
    };
    let most = |inputs: usize| (3.0 / inputs as f32).sqrt();
    let back = 1.0 / (2.0 * shape.layers as f32).sqrt();
    draw(&places.rows, 0.5, &mut weights);
    for layer in &places.layers {
        draw(&layer.attend, most(shape.width), &mut weights);
        draw(&layer.gather, back * most(shape.width), &mut weights);
        draw(&layer.widen, most(shape.width), &mut weights);
        draw(&layer.narrow, back * most(WIDER * shape.width), &mut weights);
        for norm in [&layer.first_norm, &layer.second_norm] {
            weights[norm[0].clone()].fill(1.0);
        }
        for (head, relations) in weights[layer.relations.clone()].chunks_exact_mut(RELATIONS).enumerate() {
            match head {
                0 => relations[0] = 2.0,
                1 => relations[1] = 2.0,
                2 => relations.fill(2.0),
                _ => {}
            }
        }
    }
    weights[places.last_norm[0].clone()].fill(1.0);
    weights[places.value_slopes.clone()].fill(1.0);
    let pairs = weights[places.pairs.clone()].chunks_exact_mut(PLACES * PLACES);
    for (head, pairs) in pairs.enumerate().skip(3).take(3) {
        for (at, bias) in pairs.iter_mut().enumerate() {
            let (one, other) = (at / PLACES, at % PLACES);
            let [one_file, other_file] = [one, other].map(|place| place % 8);
            let [one_rank, other_rank] = [one, other].map(|place| place / 8);
            let are_squares = one < 64 && other < 64;
            let is_near = match head {
                3 => are_squares && one_file.abs_diff(other_file).max(one_rank.abs_diff(other_rank)) <= 1,
                4 => are_squares && one_file == other_file,
                _ => are_squares && one_file.abs_diff(other_file) == one_rank.abs_diff(other_rank),
            };
            if is_near {
                *bias = 1.5;
            }
        }
    }
    weights
}

/// A matrix of weights as the products want it, for the way there and for the way back.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// As it is.
    pub there: Right,
    /// Its transpose; empty if nothing is learnt.
    pub back: Right,
}

impl Matrix {
    fn set(&mut self, weights: &[f32], columns: usize, learns: bool) {
        let rows = Rows::whole(weights, columns);
        self.there.set(rows);
        if learns {
            self.back.set_transposed(rows);
        }
    }
}

/// The matrices of a layer.
#[derive(Clone, Debug, Default)]
pub struct Matrices {
    /// [`LayerPlaces::attend`].
    pub attend: Matrix,
    /// [`LayerPlaces::gather`].
    pub gather: Matrix,
    /// [`LayerPlaces::widen`].
    pub widen: Matrix,
    /// [`LayerPlaces::narrow`].
    pub narrow: Matrix,
}

impl Matrices {
    /// Takes the weights of a layer as they are now.
    pub fn set(&mut self, shape: Shape, places: &LayerPlaces, weights: &[f32], learns: bool) {
        let Shape { width, .. } = shape;
        self.attend.set(&weights[places.attend.clone()], 3 * width, learns);
        self.gather.set(&weights[places.gather.clone()], width, learns);
        self.widen.set(&weights[places.widen.clone()], WIDER * width, learns);
        self.narrow.set(&weights[places.narrow.clone()], width, learns);
    }
}
