//! What the forms with registers have in common: they differ in their instructions, and in `load`, `store`, `plus`,
//! `minus` and `output`, not in how they walk along rows.

/// Makes `KERNELS` of the functions of the module that it stands in. They must be compiled for the same `$features`.
macro_rules! tiled_kernels {
    ($name:literal, $features:literal, $tile:literal) => {
        // SAFETY of the calls that leave plain code: `Kernels::available` gives these functions out only after the
        // processor was seen to have the instructions.
        pub(super) static KERNELS: Kernels = Kernels {
            name: $name,
            update: |to, from, weights, add, sub| {
                // SAFETY: see above.
                unsafe { update(to, from, weights, add, sub) }
            },
            output: |sums, weights| {
                // SAFETY: see above.
                unsafe { output(sums, weights) }
            },
        };

        /// [`Lanes`] that are kept in registers at a time: eight of the registers at least remain.
        const TILE: usize = $tile;

        #[target_feature(enable = $features)]
        #[inline]
        fn update(to: &mut [Lanes], from: Row, weights: &[Lanes], add: &[u32], sub: &[u32]) {
            let (to_tiles, to_rest) = to.as_chunks_mut::<TILE>();
            let (from_tiles, from_rest) = from.as_chunks::<TILE>();
            // Loops, not closures: code of other modules that calls a closure is not compiled for these instructions.
            let mut at = 0;
            for (to, from) in to_tiles.iter_mut().zip(from_tiles) {
                let mut sums = [load(&from[0]); TILE];
                for lane in 0..TILE {
                    sums[lane] = load(&from[lane]);
                }
                for &start in add {
                    let row = &weights[start as usize + at..][..TILE];
                    for lane in 0..TILE {
                        sums[lane] = plus(sums[lane], &row[lane]);
                    }
                }
                for &start in sub {
                    let row = &weights[start as usize + at..][..TILE];
                    for lane in 0..TILE {
                        sums[lane] = minus(sums[lane], &row[lane]);
                    }
                }
                for lane in 0..TILE {
                    store(&mut to[lane], sums[lane]);
                }
                at += TILE;
            }
            for (to, from) in to_rest.iter_mut().zip(from_rest) {
                let mut sums = load(from);
                for &start in add {
                    sums = plus(sums, &weights[start as usize + at]);
                }
                for &start in sub {
                    sums = minus(sums, &weights[start as usize + at]);
                }
                store(to, sums);
                at += 1;
            }
        }
    };
}

pub(super) use tiled_kernels;
