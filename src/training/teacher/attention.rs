//! Attention between the tokens of a position (A. Vaswani and others, "Attention Is All You Need", 2017), where to the product of
//! query and key is added what is learnt of the two places, and of whether one piece attacks the other.

// An index that all arrays of a row have in common is what the compiler makes the best vector code of.
#![allow(clippy::needless_range_loop)]

use super::rows::{self, exp};
use super::tokens::{MAX_TOKENS, PLACES, Seen};
use super::weights::{HEAD, RELATIONS, Shape};
use crate::sys::products::{Left, Products, Right, Rows};

/// What is added for tokens that are not there.
const NEVER: f32 = -1e9;
/// So that products of queries and keys do not grow with their length.
const SOFTENED: f32 = 0.176_776_7;

/// Tokens come in rows as long as this, or as [`LONG`] if there are more.
const SHORT: usize = 32;
const LONG: usize = 64;
const _: () = assert!(MAX_TOKENS <= LONG);

/// What attention needs to know of a position in every layer.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Its first token.
    first: usize,
    /// How many it has.
    count: usize,
    /// For each head and token a row: what is added for the two places.
    pairs: Vec<f32>,
    /// The slopes by these, from all layers.
    by_pairs: Vec<f32>,
    /// For each token a row: 1 for each piece that it attacks, then the same for each that attacks it.
    relations: [Vec<f32>; RELATIONS],
}

impl Field {
    /// Room for each token in a row.
    fn lanes(&self) -> usize {
        if self.count <= SHORT { SHORT } else { LONG }
    }

    /// Floats of all rows of all heads.
    pub fn size(&self, shape: Shape) -> usize {
        shape.heads() * self.count * self.lanes()
    }

    /// Becomes that of a position, whose tokens are at these places.
    #[inline(always)]
    pub fn set(&mut self, shape: Shape, seen: &Seen, places: &[u8], biases: &[f32]) {
        (self.first, self.count) = (seen.first, seen.count);
        let lanes = self.lanes();
        let size = self.size(shape);
        self.pairs.clear();
        self.pairs.resize(size, NEVER);
        self.by_pairs.clear();
        self.by_pairs.resize(size, 0.0);
        let places = &places[self.first..self.first + self.count];
        let rows = self.pairs.chunks_exact_mut(lanes);
        for (at, row) in rows.enumerate() {
            let (head, own) = (at / self.count, usize::from(places[at % self.count]));
            let biases = &biases[(head * PLACES + own) * PLACES..][..PLACES];
            for (bias, &place) in row.iter_mut().zip(places) {
                *bias = biases[usize::from(place)];
            }
        }
        for relations in &mut self.relations {
            relations.clear();
            relations.resize(self.count * lanes, 0.0);
        }
        for (one, &attacked) in seen.attacks.iter().enumerate() {
            for other in 0..seen.attacks.len() {
                let hits = (attacked >> other & 1) as f32;
                self.relations[0][one * lanes + other] = hits;
                self.relations[1][other * lanes + one] = hits;
            }
        }
    }

    /// Adds the slopes by what is learnt of places to `by_biases`.
    #[inline(always)]
    pub fn back(&self, places: &[u8], by_biases: &mut [f32]) {
        let places = &places[self.first..self.first + self.count];
        for (at, row) in self.by_pairs.chunks_exact(self.lanes()).enumerate() {
            let (head, own) = (at / self.count, usize::from(places[at % self.count]));
            let biases = &mut by_biases[(head * PLACES + own) * PLACES..][..PLACES];
            for (slope, &place) in row.iter().zip(places) {
                biases[usize::from(place)] += slope;
            }
        }
    }

    /// What each token finds: from `attend`, queries, keys and values of all tokens, to `found`, and into `shares` how much
    /// each looks at each.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub fn look(
        &self,
        products: Products,
        shape: Shape,
        relations: &[f32],
        attend: &[f32],
        shares: &mut [f32],
        found: &mut [f32],
        desk: &mut Desk,
    ) {
        let looking = Looking { products, shape, field: self, attend };
        match self.lanes() {
            SHORT => looking.look::<SHORT>(relations, shares, found, desk),
            _ => looking.look::<LONG>(relations, shares, found, desk),
        }
    }

    /// The way back: from the slopes by what was found to those by queries, keys and values, `to`, and to those by what is
    /// added for relations; those by what is added for places are kept.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub fn look_back(
        &mut self,
        products: Products,
        shape: Shape,
        attend: &[f32],
        shares: &[f32],
        slopes: &[f32],
        to: &mut [f32],
        by_relations: &mut [f32],
        desk: &mut Desk,
    ) {
        let mut by_pairs = std::mem::take(&mut self.by_pairs);
        let looking = Looking { products, shape, field: self, attend };
        match self.lanes() {
            SHORT => looking.look_back::<SHORT>(shares, slopes, to, &mut by_pairs, by_relations, desk),
            _ => looking.look_back::<LONG>(shares, slopes, to, &mut by_pairs, by_relations, desk),
        }
        self.by_pairs = by_pairs;
    }
}

/// Room for the products of one head.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    left: Left,
    right: Right,
    /// From each token to each.
    square: Vec<f32>,
    /// For each token what a head has of it.
    narrow: Vec<f32>,
}

/// Attention in one position.
#[derive(Clone, Copy)]
struct Looking<'a> {
    products: Products,
    shape: Shape,
    field: &'a Field,
    attend: &'a [f32],
}

impl<'a> Looking<'a> {
    /// Where a token's query, key or value (0 to 2) for a head stands.
    #[inline(always)]
    fn place(&self, head: usize, token: usize, which: usize) -> usize {
        ((self.field.first + token) * 3 + which) * self.shape.width + head * HEAD
    }

    /// The queries, keys or values for a head.
    #[inline(always)]
    fn part(&self, head: usize, which: usize) -> Rows<'a> {
        Rows::part(&self.attend[self.place(head, 0, which)..], 3 * self.shape.width, HEAD, self.field.count)
    }

    #[inline(always)]
    fn look<const N: usize>(
        &self,
        relations: &[f32],
        shares: &mut [f32],
        found: &mut [f32],
        desk: &mut Desk,
    ) {
        let (count, first, width) = (self.field.count, self.field.first, self.shape.width);
        let [attacks, attackers] = self.field.relations.each_ref().map(|rows| rows.as_chunks::<N>().0);
        let pairs = self.field.pairs.as_chunks::<N>().0.chunks_exact(count);
        let shares = shares.chunks_exact_mut(count * N);
        desk.square.resize(N * N, 0.0);
        desk.narrow.resize(N * HEAD, 0.0);
        for (head, ((pairs, shares), relations)) in
            pairs.zip(shares).zip(relations.chunks(RELATIONS)).enumerate()
        {
            desk.left.set(self.part(head, 0));
            desk.right.set_transposed(self.part(head, 1));
            self.products.multiply(&desk.left, &desk.right, &mut desk.square, false);
            let rows = desk.square.as_chunks::<N>().0.iter().zip(shares.as_chunks_mut::<N>().0);
            let known = pairs.iter().zip(attacks).zip(attackers);
            for ((products, shares), ((pairs, attacks), attackers)) in rows.zip(known) {
                let mut row = [0.0; N];
                for at in 0..N {
                    row[at] = pairs[at]
                        + SOFTENED * products[at]
                        + relations[0] * attacks[at]
                        + relations[1] * attackers[at];
                }
                let most = rows::most(&row);
                for at in 0..N {
                    row[at] = exp(row[at] - most);
                }
                let share = 1.0 / rows::sum(&row, |share| share);
                for at in 0..N {
                    shares[at] = row[at] * share;
                }
            }
            desk.left.set(Rows::whole(shares, N));
            desk.right.set(self.part(head, 2));
            self.products.multiply(&desk.left, &desk.right, &mut desk.narrow, false);
            for (token, row) in desk.narrow.as_chunks::<HEAD>().0.iter().take(count).enumerate() {
                found[(first + token) * width + head * HEAD..][..HEAD].copy_from_slice(row);
            }
        }
    }

    #[inline(always)]
    fn look_back<const N: usize>(
        &self,
        shares: &[f32],
        slopes: &[f32],
        to: &mut [f32],
        by_pairs: &mut [f32],
        by_relations: &mut [f32],
        desk: &mut Desk,
    ) {
        let (count, first, width) = (self.field.count, self.field.first, self.shape.width);
        let [attacks, attackers] = self.field.relations.each_ref().map(|rows| rows.as_chunks::<N>().0);
        let by_pairs = by_pairs.as_chunks_mut::<N>().0.chunks_exact_mut(count);
        desk.square.resize(N * N, 0.0);
        desk.narrow.resize(N * HEAD, 0.0);
        for (head, (shares, by_pairs)) in shares.chunks_exact(count * N).zip(by_pairs).enumerate() {
            let slopes = Rows::part(&slopes[first * width + head * HEAD..], width, HEAD, count);
            desk.left.set(slopes);
            desk.right.set_transposed(self.part(head, 2));
            self.products.multiply(&desk.left, &desk.right, &mut desk.square, false);
            let (mut by_attacks, mut by_attackers) = ([0.0; N], [0.0; N]);
            let rows =
                desk.square.as_chunks_mut::<N>().0.iter_mut().zip(shares.as_chunks::<N>().0).zip(by_pairs);
            for (((row, shares), by_pairs), (attacks, attackers)) in rows.zip(attacks.iter().zip(attackers)) {
                let mean = rows::sum_of_two(row, shares, |slope, share| slope * share);
                for at in 0..N {
                    row[at] = shares[at] * (row[at] - mean);
                    by_pairs[at] += row[at];
                    by_attacks[at] += row[at] * attacks[at];
                    by_attackers[at] += row[at] * attackers[at];
                }
            }
            let by_relations = &mut by_relations[head * RELATIONS..][..RELATIONS];
            for (to, by) in by_relations.iter_mut().zip([by_attacks, by_attackers]) {
                *to += rows::sum(&by, |slope| slope);
            }
            // By the keys, the values and the queries, in that order.
            let by_scores = Rows::whole(&desk.square[..count * N], N);
            desk.left.set_transposed(by_scores);
            desk.right.set(self.part(head, 0));
            self.products.multiply(&desk.left, &desk.right, &mut desk.narrow, false);
            self.put(head, 1, SOFTENED, desk, to);
            desk.left.set_transposed(Rows::whole(shares, N));
            desk.right.set(slopes);
            self.products.multiply(&desk.left, &desk.right, &mut desk.narrow, false);
            self.put(head, 2, 1.0, desk, to);
            desk.left.set(by_scores);
            desk.right.set(self.part(head, 1));
            self.products.multiply(&desk.left, &desk.right, &mut desk.narrow, false);
            self.put(head, 0, SOFTENED, desk, to);
        }
    }

    /// Puts what a product has made for each token, so many times, where the token's query, key or value stands.
    #[inline(always)]
    fn put(&self, head: usize, which: usize, times: f32, desk: &Desk, to: &mut [f32]) {
        for (token, row) in desk.narrow.as_chunks::<HEAD>().0.iter().take(self.field.count).enumerate() {
            if let Some(to) = to[self.place(head, token, which)..].first_chunk_mut::<HEAD>() {
                for at in 0..HEAD {
                    to[at] = times * row[at];
                }
            }
        }
    }
}
