//! What the forms with registers have in common: they differ in their instructions, and in `load`, `store`, `plus`,
//! `minus` and `output`, not in how they walk along rows.

/// Makes `KERNELS` of the functions of the module that it stands in. They must be compiled for the same `$features`.
macro_rules! tiled_kernels {
    ($name:literal, $features:literal) => {
        // SAFETY of the calls that leave plain code: `Kernels::available` gives these functions out only after the
        // processor was seen to have the instructions.
        pub(super) static KERNELS: Kernels = Kernels {
            name: $name,
            add_sub: |to, from, add, sub| {
                // SAFETY: see above.
                unsafe { combine(to, from, [add], [sub]) }
            },
            add_sub_sub: |to, from, add, sub| {
                // SAFETY: see above.
                unsafe { combine(to, from, [add], sub) }
            },
            add_add_sub_sub: |to, from, add, sub| {
                // SAFETY: see above.
                unsafe { combine(to, from, add, sub) }
            },
            update: |sums, add, sub| {
                // SAFETY: see above.
                unsafe { update(sums, add, sub) }
            },
            output: |sums, weights| {
                // SAFETY: see above.
                unsafe { output(sums, weights) }
            },
        };

        /// [`Lanes`] that are kept in registers at a time: eight of the registers at least remain.
        const TILE: usize = 4;

        type Tile = [Lanes; TILE];

        #[target_feature(enable = $features)]
        #[inline]
        fn combine<const A: usize, const S: usize>(
            to: &mut [Lanes],
            from: Row,
            add: [Row; A],
            sub: [Row; S],
        ) {
            let (to_tiles, to_rest) = to.as_chunks_mut::<TILE>();
            let (from_tiles, from_rest) = from.as_chunks::<TILE>();
            // Loops, not closures: code of other modules that calls a closure is not compiled for these instructions.
            let (mut add_tiles, mut sub_tiles): ([&[Tile]; A], [&[Tile]; S]) = ([&[]; A], [&[]; S]);
            let (mut add_rest, mut sub_rest): ([Row; A], [Row; S]) = ([&[]; A], [&[]; S]);
            for index in 0..A {
                (add_tiles[index], add_rest[index]) = add[index].as_chunks();
            }
            for index in 0..S {
                (sub_tiles[index], sub_rest[index]) = sub[index].as_chunks();
            }
            for (index, (to, from)) in to_tiles.iter_mut().zip(from_tiles).enumerate() {
                let mut sums = [load(&from[0]); TILE];
                for lane in 0..TILE {
                    sums[lane] = load(&from[lane]);
                }
                for row in add_tiles {
                    let row = &row[index];
                    for lane in 0..TILE {
                        sums[lane] = plus(sums[lane], &row[lane]);
                    }
                }
                for row in sub_tiles {
                    let row = &row[index];
                    for lane in 0..TILE {
                        sums[lane] = minus(sums[lane], &row[lane]);
                    }
                }
                for lane in 0..TILE {
                    store(&mut to[lane], sums[lane]);
                }
            }
            for (index, (to, from)) in to_rest.iter_mut().zip(from_rest).enumerate() {
                let mut sums = load(from);
                for row in add_rest {
                    sums = plus(sums, &row[index]);
                }
                for row in sub_rest {
                    sums = minus(sums, &row[index]);
                }
                store(to, sums);
            }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn update(sums: &mut [Lanes], add: &[Row], sub: &[Row]) {
            let (tiles, rest) = sums.as_chunks_mut::<TILE>();
            let mut at = 0;
            for tile in tiles {
                let mut registers = [load(&tile[0]); TILE];
                for lane in 0..TILE {
                    registers[lane] = load(&tile[lane]);
                }
                for row in add {
                    let row = &row[at..at + TILE];
                    for lane in 0..TILE {
                        registers[lane] = plus(registers[lane], &row[lane]);
                    }
                }
                for row in sub {
                    let row = &row[at..at + TILE];
                    for lane in 0..TILE {
                        registers[lane] = minus(registers[lane], &row[lane]);
                    }
                }
                for lane in 0..TILE {
                    store(&mut tile[lane], registers[lane]);
                }
                at += TILE;
            }
            for lanes in rest {
                let mut register = load(lanes);
                for row in add {
                    register = plus(register, &row[at]);
                }
                for row in sub {
                    register = minus(register, &row[at]);
                }
                store(lanes, register);
                at += 1;
            }
        }
    };
}

pub(super) use tiled_kernels;
