//! What the forms with registers have in common: they differ in their instructions, and in `load`, `store`, `plus`,
//! `minus`, `output` and `first_layer`, not in how they walk along rows.

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
            update_both: |to, from, weights, add, sub| {
                // SAFETY: see above.
                unsafe { update(to, from, weights, add, sub) }
            },
            output: |sums, weights| {
                // SAFETY: see above.
                unsafe { output(sums, weights) }
            },
            deep: |sums, layers| {
                // SAFETY: see above.
                unsafe { deep(sums, layers) }
            },
        };

        #[target_feature(enable = $features)]
        #[inline]
        fn deep(sums: [Row; 2], layers: &Deep) -> i32 {
            layers.rest.value(&first_layer(sums, layers))
        }

        /// [`Lanes`] of each side that are kept in registers at a time: with two sides a half of the registers.
        const TILE: usize = $tile;

        #[target_feature(enable = $features)]
        #[inline]
        fn update<const N: usize>(
            to: [&mut [Lanes]; N],
            from: [Row; N],
            weights: &[Lanes],
            add: &[[u32; N]],
            sub: &[[u32; N]],
        ) {
            let lanes = from[0].len();
            // Loops, not closures: code of other modules that calls a closure is not compiled for these instructions.
            let mut at = 0;
            while at + TILE <= lanes {
                let mut sums = [[load(&from[0][at]); TILE]; N];
                for side in 0..N {
                    let from = &from[side][at..][..TILE];
                    for lane in 0..TILE {
                        sums[side][lane] = load(&from[lane]);
                    }
                }
                for starts in add {
                    for side in 0..N {
                        let row = &weights[starts[side] as usize + at..][..TILE];
                        for lane in 0..TILE {
                            sums[side][lane] = plus(sums[side][lane], &row[lane]);
                        }
                    }
                }
                for starts in sub {
                    for side in 0..N {
                        let row = &weights[starts[side] as usize + at..][..TILE];
                        for lane in 0..TILE {
                            sums[side][lane] = minus(sums[side][lane], &row[lane]);
                        }
                    }
                }
                for side in 0..N {
                    let to = &mut to[side][at..][..TILE];
                    for lane in 0..TILE {
                        store(&mut to[lane], sums[side][lane]);
                    }
                }
                at += TILE;
            }
            for at in at..lanes {
                for side in 0..N {
                    let mut sums = load(&from[side][at]);
                    for starts in add {
                        sums = plus(sums, &weights[starts[side] as usize + at]);
                    }
                    for starts in sub {
                        sums = minus(sums, &weights[starts[side] as usize + at]);
                    }
                    store(&mut to[side][at], sums);
                }
            }
        }
    };
}

pub(super) use tiled_kernels;
