//! Products of matrices of bfloat16 numbers (the upper halves of floats), added up in floats: by the matrix unit of newer Intel
//! processors (AMX), by AVX-512 BF16, or in floats (Intel, "Architecture Instruction Set Extensions Programming
//! Reference", chapters on AMX and on AVX512_BF16).
//!
//! Both factors lie in tiles of a kilobyte, in which all three kinds find them: 16 rows of 32 numbers of the left one; of the
//! right one 32 rows of 16 numbers, two rows interleaved.

#![allow(unsafe_code)]
// An index that all arrays of a row have in common is what the compiler makes the best vector code of.
#![allow(clippy::needless_range_loop)]

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod bfloat16;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

/// Rows, columns and what is added up come in multiples of this.
pub const GRAIN: usize = 32;
/// Rows of a left tile, columns of a right one.
const SIDE: usize = 16;
/// Numbers of a tile.
const TILE: usize = SIDE * GRAIN;

/// Numbers of a tile, aligned for the widest vectors.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Tile([u16; TILE]);

impl Tile {
    const ZERO: Tile = Tile([0; TILE]);
}

/// The nearest bfloat16 number, the even one of two; no number stays none only while its upper half says so.
#[inline(always)]
pub fn rounded(number: f32) -> u16 {
    let bits = number.to_bits();
    (bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

/// A bfloat16 number as a float.
#[inline(always)]
fn widened(number: u16) -> f32 {
    f32::from_bits(u32::from(number) << 16)
}

/// Two numbers side by side, the first in the lower half.
#[inline(always)]
fn pair(low: f32, high: f32) -> u32 {
    u32::from(rounded(low)) | u32::from(rounded(high)) << 16
}

/// So many as are asked for, rounded up to whole grains.
pub const fn grains(count: usize) -> usize {
    count.next_multiple_of(GRAIN)
}

/// Rows of floats from which a factor is made: a stretch of each of some rows that lie evenly.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    numbers: &'a [f32],
    stride: usize,
    columns: usize,
    count: usize,
}

impl<'a> Rows<'a> {
    /// All of the numbers, so many to a row.
    #[inline(always)]
    pub fn whole(numbers: &'a [f32], columns: usize) -> Rows<'a> {
        Rows { numbers, stride: columns, columns, count: numbers.len() / columns }
    }

    /// So many numbers of each of `count` rows, which begin `stride` apart, the first where the numbers do.
    #[inline(always)]
    pub fn part(numbers: &'a [f32], stride: usize, columns: usize, count: usize) -> Rows<'a> {
        Rows { numbers, stride, columns, count }
    }

    #[inline(always)]
    fn row(&self, at: usize) -> &'a [f32] {
        &self.numbers[at * self.stride..][..self.columns]
    }
}

/// What rows that are not there are taken for.
const NOTHING: [f32; SIDE] = [0.0; SIDE];

/// A matrix on the left of a product.
#[derive(Clone, Debug, Default)]
pub struct Left {
    rows: usize,
    inner: usize,
    tiles: Vec<Tile>,
}

impl Left {
    #[inline(always)]
    fn reshape(&mut self, rows: usize, inner: usize) {
        assert!(rows.is_multiple_of(GRAIN) && inner.is_multiple_of(GRAIN), "{rows} {inner}");
        (self.rows, self.inner) = (rows, inner);
        self.tiles.resize(rows * inner / TILE, Tile::ZERO);
    }

    /// Becomes the matrix of these rows, and of rows of zeros to the next whole grain.
    #[inline(always)]
    pub fn set(&mut self, rows: Rows<'_>) {
        self.reshape(grains(rows.count), rows.columns);
        let across = rows.columns / GRAIN;
        for row in 0..rows.count {
            for (part, numbers) in rows.row(row).as_chunks::<GRAIN>().0.iter().enumerate() {
                let tile = &mut self.tiles[row / SIDE * across + part].0;
                let place = &mut tile.as_chunks_mut::<GRAIN>().0[row % SIDE];
                for at in 0..GRAIN {
                    place[at] = rounded(numbers[at]);
                }
            }
        }
        for row in rows.count..self.rows {
            for part in 0..across {
                let tile = &mut self.tiles[row / SIDE * across + part].0;
                tile.as_chunks_mut::<GRAIN>().0[row % SIDE] = [0; GRAIN];
            }
        }
    }

    /// Becomes the transpose of what [`Left::set`] makes of the rows.
    #[inline(always)]
    pub fn set_transposed(&mut self, rows: Rows<'_>) {
        self.reshape(rows.columns, grains(rows.count));
        let across = self.inner / GRAIN;
        for at_couple in 0..self.inner / 2 {
            let (lows, highs) = couple(rows, 2 * at_couple);
            for side in 0..rows.columns / SIDE {
                let low = lows.get(side).unwrap_or(&NOTHING);
                let high = highs.get(side).unwrap_or(&NOTHING);
                let tile = &mut self.tiles[side * across + at_couple / SIDE].0;
                let mut pairs = [0; SIDE];
                for at in 0..SIDE {
                    pairs[at] = pair(low[at], high[at]);
                }
                let places = tile.as_chunks_mut::<2>().0;
                for at in 0..SIDE {
                    places[at * SIDE + at_couple % SIDE] = [pairs[at] as u16, (pairs[at] >> 16) as u16];
                }
            }
        }
    }
}

/// Two rows that follow each other, cut into sixteens; nothing of one that is not there.
#[inline(always)]
fn couple(rows: Rows<'_>, first: usize) -> (&[[f32; SIDE]], &[[f32; SIDE]]) {
    let cut = |at: usize| if at < rows.count { rows.row(at).as_chunks::<SIDE>().0 } else { &[] };
    (cut(first), cut(first + 1))
}

/// A matrix on the right of a product.
#[derive(Clone, Debug, Default)]
pub struct Right {
    inner: usize,
    columns: usize,
    tiles: Vec<Tile>,
}

impl Right {
    #[inline(always)]
    fn reshape(&mut self, inner: usize, columns: usize) {
        assert!(columns.is_multiple_of(GRAIN) && inner.is_multiple_of(GRAIN), "{inner} {columns}");
        (self.inner, self.columns) = (inner, columns);
        self.tiles.resize(inner * columns / TILE, Tile::ZERO);
    }

    /// Becomes the matrix of these rows, and of rows of zeros to the next whole grain.
    #[inline(always)]
    pub fn set(&mut self, rows: Rows<'_>) {
        self.reshape(grains(rows.count), rows.columns);
        let across = self.inner / GRAIN;
        for at_couple in 0..self.inner / 2 {
            let (lows, highs) = couple(rows, 2 * at_couple);
            for side in 0..rows.columns / SIDE {
                let low = lows.get(side).unwrap_or(&NOTHING);
                let high = highs.get(side).unwrap_or(&NOTHING);
                let tile = &mut self.tiles[side * across + at_couple / SIDE].0;
                let place = &mut tile.as_chunks_mut::<GRAIN>().0[at_couple % SIDE];
                for at in 0..SIDE {
                    place[2 * at] = rounded(low[at]);
                    place[2 * at + 1] = rounded(high[at]);
                }
            }
        }
    }

    /// Becomes the transpose of what [`Right::set`] makes of the rows.
    #[inline(always)]
    pub fn set_transposed(&mut self, rows: Rows<'_>) {
        self.reshape(rows.columns, grains(rows.count));
        let across = self.inner / GRAIN;
        for column in 0..self.columns {
            let is_there = column < rows.count;
            let numbers: &[[f32; GRAIN]] = if is_there { rows.row(column).as_chunks().0 } else { &[] };
            for part in 0..across {
                let tile = &mut self.tiles[column / SIDE * across + part].0;
                let numbers = numbers.get(part).unwrap_or(&[0.0; GRAIN]);
                let mut small = [0; GRAIN];
                for at in 0..GRAIN {
                    small[at] = rounded(numbers[at]);
                }
                let places = tile.as_chunks_mut::<2>().0;
                for (couple, &pair) in small.as_chunks::<2>().0.iter().enumerate() {
                    places[couple * SIDE + column % SIDE] = pair;
                }
            }
        }
    }
}

/// A way to multiply that the processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Products(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
enum Kind {
    Floats,
    Bfloat16,
    Amx,
}

impl Products {
    /// All that this processor has, the fastest last.
    pub fn all() -> Vec<Products> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut kinds = vec![Products(Kind::Floats)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bf16") {
                kinds.push(Products(Kind::Bfloat16));
            }
            if amx::is_there() {
                kinds.push(Products(Kind::Amx));
            }
        }
        kinds
    }

    /// The fastest that this processor has.
    pub fn fastest() -> Products {
        Products::all().last().copied().unwrap_or(Products(Kind::Floats))
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Floats => "floats",
            Kind::Bfloat16 => "AVX-512 BF16",
            Kind::Amx => "AMX",
        }
    }

    /// Puts the product of `left` and `right` into `out`, row by row, or adds it to what is there. The kinds differ in the
    /// last bits, for they add up in other orders.
    pub fn multiply(self, left: &Left, right: &Right, out: &mut [f32], add: bool) {
        assert!(left.inner == right.inner && out.len() == left.rows * right.columns, "sizes");
        match self.0 {
            Kind::Floats => by_floats(left, right, out, add),
            // SAFETY: this kind is only made after the processor was seen to have the instructions, and the sizes fit each
            // other, seen above and when the factors were made. What it gains is measured by benches/train.rs.
            #[cfg(target_arch = "x86_64")]
            Kind::Bfloat16 => unsafe { bfloat16::multiply(left, right, out, add) },
            // SAFETY: as above, and the system lets this process use the matrix unit.
            #[cfg(target_arch = "x86_64")]
            Kind::Amx => unsafe { amx::multiply(left, right, out, add) },
            #[cfg(not(target_arch = "x86_64"))]
            Kind::Bfloat16 | Kind::Amx => {}
        }
    }
}

/// The product in floats, by the library matrixmultiply.
fn by_floats(left: &Left, right: &Right, out: &mut [f32], add: bool) {
    thread_local! {
        static ROOM: RefCell<[Vec<f32>; 2]> = const { RefCell::new([vec![], vec![]]) };
    }
    ROOM.with_borrow_mut(|[one, other]| {
        one.resize(left.rows * left.inner, 0.0);
        let across = left.inner / GRAIN;
        for (row, numbers) in one.chunks_exact_mut(left.inner).enumerate() {
            for (part, numbers) in numbers.as_chunks_mut::<GRAIN>().0.iter_mut().enumerate() {
                let tile = &left.tiles[row / SIDE * across + part].0;
                let place = &tile.as_chunks::<GRAIN>().0[row % SIDE];
                for at in 0..GRAIN {
                    numbers[at] = widened(place[at]);
                }
            }
        }
        other.resize(right.inner * right.columns, 0.0);
        for (couple, numbers) in other.chunks_exact_mut(2 * right.columns).enumerate() {
            let (low, high) = numbers.split_at_mut(right.columns);
            let lows = low.as_chunks_mut::<SIDE>().0;
            let highs = high.as_chunks_mut::<SIDE>().0;
            for (side, (low, high)) in lows.iter_mut().zip(highs).enumerate() {
                let tile = &right.tiles[side * across + couple / SIDE].0;
                let place = &tile.as_chunks::<GRAIN>().0[couple % SIDE];
                for at in 0..SIDE {
                    low[at] = widened(place[2 * at]);
                    high[at] = widened(place[2 * at + 1]);
                }
            }
        }
        let (rows, inner, columns) = (left.rows, left.inner, right.columns);
        let stride = |length: usize| length as isize;
        // SAFETY: all three lie there row by row, as long as their sizes say, the last of which was seen by the caller.
        unsafe {
            matrixmultiply::sgemm(
                rows,
                inner,
                columns,
                1.0,
                one.as_ptr(),
                stride(inner),
                1,
                other.as_ptr(),
                stride(columns),
                1,
                if add { 1.0 } else { 0.0 },
                out.as_mut_ptr(),
                stride(columns),
                1,
            );
        }
    });
}
