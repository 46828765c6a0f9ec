//! A layer: attention, then a wider row of neurons for each token; both are added to the token, which is brought to mean 0 and
//! deviation 1 before each (R. Xiong and others, "On Layer Normalization in the Transformer Architecture", 2020). The neurons
//! give the squares of what is above 0 (D. So and others, "Primer", 2021).

use super::attention::{Desk, Field};
use super::rows::{Moments, add_all, add_to_each, norm, norm_again, norm_back};
use super::weights::{LayerPlaces, Matrices, Shape, WIDER};
use crate::sys::products::{Left, Products, Right, Rows};
use std::ops::Range;

/// What is kept of a layer for the way back.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Tokens as they came in.
    before: Vec<f32>,
    first: Vec<Moments>,
    /// Queries, keys and values.
    attend: Vec<f32>,
    /// How much each token looks at each, position by position.
    shares: Vec<f32>,
    /// What was found.
    found: Vec<f32>,
    /// Tokens after attention.
    between: Vec<f32>,
    second: Vec<Moments>,
    /// Neurons before they are cut off and squared.
    wide: Vec<f32>,
}

/// Room for what is only needed for a moment.
#[derive(Clone, Debug, Default)]
pub struct Room {
    left: Left,
    right: Right,
    desk: Desk,
    /// As wide as tokens.
    narrow: Vec<f32>,
    /// As wide as neurons, or as queries, keys and values.
    wide: Vec<f32>,
    /// The slopes by one.
    slopes: Vec<f32>,
}

/// A layer with all that its steps need.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// Of the teacher.
    pub shape: Shape,
    /// Where its numbers stand.
    pub places: &'a LayerPlaces,
    /// All numbers.
    pub weights: &'a [f32],
    /// Its matrices.
    pub matrices: &'a Matrices,
    /// How to multiply.
    pub products: Products,
}

fn fit(rows: &mut Vec<f32>, length: usize) {
    rows.resize(length, 0.0);
}

/// What comes out of a neuron.
#[inline(always)]
fn squared(number: f32) -> f32 {
    let above = if number > 0.0 { number } else { 0.0 };
    above * above
}

impl<'a> Layer<'a> {
    fn of(&self, range: &Range<usize>) -> &'a [f32] {
        &self.weights[range.clone()]
    }

    fn norm_of(&self, places: &[Range<usize>; 2]) -> [&'a [f32]; 2] {
        places.each_ref().map(|range| self.of(range))
    }

    /// Brings tokens a layer on.
    #[inline(always)]
    pub fn forward(&self, tokens: &mut [f32], fields: &[Field], kept: &mut Kept, room: &mut Room) {
        let (width, places) = (self.shape.width, self.places);
        let count = tokens.len() / width;
        kept.before.clear();
        kept.before.extend_from_slice(tokens);
        self.normed(tokens, &places.first_norm, &mut kept.first, room);
        fit(&mut kept.attend, 3 * tokens.len());
        self.products.multiply(&room.left, &self.matrices.attend.there, &mut kept.attend, false);
        add_to_each(&mut kept.attend, self.of(&places.attend_bias));
        kept.found.clear();
        fit(&mut kept.found, tokens.len());
        fit(&mut kept.shares, fields.iter().map(|field| field.size(self.shape)).sum());
        let mut shares = kept.shares.as_mut_slice();
        for field in fields {
            let own = shares.split_off_mut(..field.size(self.shape)).unwrap_or_default();
            let relations = self.of(&places.relations);
            field.look(
                self.products,
                self.shape,
                relations,
                &kept.attend,
                own,
                &mut kept.found,
                &mut room.desk,
            );
        }
        room.left.set(Rows::whole(&kept.found, width));
        self.products.multiply(&room.left, &self.matrices.gather.there, tokens, true);
        add_to_each(tokens, self.of(&places.gather_bias));
        kept.between.clear();
        kept.between.extend_from_slice(tokens);
        self.normed(tokens, &places.second_norm, &mut kept.second, room);
        fit(&mut kept.wide, WIDER * count * width);
        self.products.multiply(&room.left, &self.matrices.widen.there, &mut kept.wide, false);
        add_to_each(&mut kept.wide, self.of(&places.widen_bias));
        room.wide.clear();
        room.wide.extend(kept.wide.iter().map(|&number| squared(number)));
        room.left.set(Rows::whole(&room.wide, WIDER * width));
        self.products.multiply(&room.left, &self.matrices.narrow.there, tokens, true);
        add_to_each(tokens, self.of(&places.narrow_bias));
    }

    /// Puts what comes of the tokens by a norm on the left of a product.
    #[inline(always)]
    fn normed(
        &self,
        tokens: &[f32],
        places: &[Range<usize>; 2],
        moments: &mut Vec<Moments>,
        room: &mut Room,
    ) {
        let (width, by) = (self.shape.width, self.norm_of(places));
        fit(&mut room.narrow, tokens.len());
        moments.clear();
        for (row, out) in tokens.chunks_exact(width).zip(room.narrow.chunks_exact_mut(width)) {
            moments.push(norm(row, by, out));
        }
        room.left.set(Rows::whole(&room.narrow, width));
    }

    /// The way back: from the slopes by the tokens that came out to those by the tokens that came in, in `slopes`; those by
    /// the layer's own numbers are added to `gradients`.
    #[inline(always)]
    pub fn backward(
        &self,
        slopes: &mut [f32],
        fields: &mut [Field],
        kept: &Kept,
        gradients: &mut [f32],
        room: &mut Room,
    ) {
        let (width, places) = (self.shape.width, self.places);
        add_all(&mut gradients[places.narrow_bias.clone()], slopes);
        room.left.set(Rows::whole(slopes, width));
        room.right.set(Rows::whole(slopes, width));
        fit(&mut room.slopes, kept.wide.len());
        self.products.multiply(&room.left, &self.matrices.narrow.back, &mut room.slopes, false);
        room.wide.clear();
        room.wide.extend(kept.wide.iter().map(|&number| squared(number)));
        room.left.set_transposed(Rows::whole(&room.wide, WIDER * width));
        self.products.multiply(&room.left, &room.right, &mut gradients[places.narrow.clone()], true);
        for (slope, number) in room.slopes.iter_mut().zip(&kept.wide) {
            *slope *= if *number > 0.0 { 2.0 * number } else { 0.0 };
        }
        let moments = (&kept.between[..], &kept.second[..]);
        let there = (&places.widen, &places.widen_bias, &self.matrices.widen.back);
        self.through(WIDER * width, moments, &places.second_norm, there, slopes, gradients, room);

        add_all(&mut gradients[places.gather_bias.clone()], slopes);
        room.left.set(Rows::whole(slopes, width));
        room.right.set(Rows::whole(slopes, width));
        fit(&mut room.narrow, slopes.len());
        self.products.multiply(&room.left, &self.matrices.gather.back, &mut room.narrow, false);
        room.left.set_transposed(Rows::whole(&kept.found, width));
        self.products.multiply(&room.left, &room.right, &mut gradients[places.gather.clone()], true);
        room.slopes.clear();
        fit(&mut room.slopes, kept.attend.len());
        let mut shares = kept.shares.as_slice();
        for field in fields {
            let own = shares.split_off(..field.size(self.shape)).unwrap_or_default();
            let by_relations = &mut gradients[places.relations.clone()];
            let (slopes, to) = (&room.narrow, &mut room.slopes);
            field.look_back(
                self.products,
                self.shape,
                &kept.attend,
                own,
                slopes,
                to,
                by_relations,
                &mut room.desk,
            );
        }
        let moments = (&kept.before[..], &kept.first[..]);
        let there = (&places.attend, &places.attend_bias, &self.matrices.attend.back);
        self.through(3 * width, moments, &places.first_norm, there, slopes, gradients, room);
    }

    /// From the slopes by what a norm and a matrix have made of tokens, `room.slopes`, `columns` wide, to those by the tokens,
    /// which are added to `slopes`, and to those by the numbers of both.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn through(
        &self,
        columns: usize,
        (tokens, moments): (&[f32], &[Moments]),
        norm: &[Range<usize>; 2],
        (matrix, bias, back): (&Range<usize>, &Range<usize>, &Right),
        slopes: &mut [f32],
        gradients: &mut [f32],
        room: &mut Room,
    ) {
        let (width, by) = (self.shape.width, self.norm_of(norm));
        add_all(&mut gradients[bias.clone()], &room.slopes);
        fit(&mut room.narrow, tokens.len());
        let rows = tokens.chunks_exact(width).zip(moments);
        for ((row, &moments), out) in rows.clone().zip(room.narrow.chunks_exact_mut(width)) {
            norm_again(row, moments, by, out);
        }
        room.left.set_transposed(Rows::whole(&room.narrow, width));
        room.right.set(Rows::whole(&room.slopes, columns));
        self.products.multiply(&room.left, &room.right, &mut gradients[matrix.clone()], true);
        room.left.set(Rows::whole(&room.slopes, columns));
        self.products.multiply(&room.left, back, &mut room.narrow, false);
        // Stretch and shift stand side by side.
        let gradients = &mut gradients[norm[0].start..norm[1].end];
        let (by_stretch, by_shift) = gradients.split_at_mut(width);
        fit(&mut room.wide, width);
        let slopes_by_normed = room.narrow.chunks_exact(width);
        for (((row, &moments), by_normed), to) in
            rows.zip(slopes_by_normed).zip(slopes.chunks_exact_mut(width))
        {
            norm_back(row, moments, by[0], by_normed, to, [by_stretch, by_shift], &mut room.wide[..width]);
        }
    }
}
