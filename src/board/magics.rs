//! What rook, bishop and queen attack, by one multiplication and one look into a table.
//!
//! Each square has a mask of the squares whose occupation matters and a magic factor that maps every subset of the
//! mask to an index (L. Kannan, "Magic Move-Bitboard Generation in Computer Chess", 2007;
//! <https://www.chessprogramming.org/Magic_Bitboards>). The factors were found by the search in the tests below; the
//! compiler proves them while it makes the table: two subsets that fall on one index must have equal attacks.
//!
//! Where the processor has BMI2, [`PextSliders`] does without the multiplication.

use super::tables::{BISHOP, ROOK, slow_attacks};
use crate::sys::cpu::Bmi2;
use crate::types::{Bitboard, Square};
use once_cell::sync::Lazy;
use std::fmt;

#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    factor: u64,
    /// Where the square's part of the table begins.
    offset: u32,
    /// 64 less the number of bits in the mask.
    shift: u32,
}

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;
const ENTRIES: usize = ROOK_ENTRIES + BISHOP_ENTRIES;

/// The squares whose occupation changes the attacks: all on the way but the last of each ray.
const fn relevant(square: usize, first_direction: usize) -> u64 {
    let file = 0x0101_0101_0101_0101u64 << (square & 7);
    let rank = 0xffu64 << (square & 56);
    let edges = (0x8181_8181_8181_8181 & !file) | (0xff00_0000_0000_00ff & !rank);
    slow_attacks(square, first_direction, 0) & !edges
}

const fn describe(factors: &[u64; 64], first_direction: usize, first_offset: usize) -> [Magic; 64] {
    let mut magics = [Magic { mask: 0, factor: 0, offset: 0, shift: 0 }; 64];
    let mut offset = first_offset;
    let mut square = 0;
    while square < 64 {
        let mask = relevant(square, first_direction);
        magics[square] =
            Magic { mask, factor: factors[square], offset: offset as u32, shift: 64 - mask.count_ones() };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    magics
}

static ROOK_MAGICS: [Magic; 64] = describe(&ROOK_FACTORS, ROOK, 0);
static BISHOP_MAGICS: [Magic; 64] = describe(&BISHOP_FACTORS, BISHOP, ROOK_ENTRIES);

const fn fill(table: &mut [Bitboard; ENTRIES], magics: &[Magic; 64], first_direction: usize) {
    let mut square = 0;
    while square < 64 {
        let Magic { mask, factor, offset, shift } = magics[square];
        // All subsets of the mask by the carry-rippler trick.
        let mut subset: u64 = 0;
        loop {
            let index = offset as usize + (subset.wrapping_mul(factor) >> shift) as usize;
            let attacks = slow_attacks(square, first_direction, subset);
            assert!(table[index].0 == 0 || table[index].0 == attacks, "a magic factor does not work");
            table[index] = Bitboard(attacks);
            subset = subset.wrapping_sub(mask) & mask;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
}

static TABLE: [Bitboard; ENTRIES] = {
    let mut table = [Bitboard::EMPTY; ENTRIES];
    fill(&mut table, &ROOK_MAGICS, ROOK);
    fill(&mut table, &BISHOP_MAGICS, BISHOP);
    table
};

#[inline(always)]
fn look_up(magic: &Magic, occupied: Bitboard) -> Bitboard {
    let index = (occupied.0 & magic.mask).wrapping_mul(magic.factor) >> magic.shift;
    TABLE[magic.offset as usize + index as usize]
}

/// The squares that a rook on `square` attacks, up to and including the first occupied one each way.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&ROOK_MAGICS[square.index()], occupied)
}

/// The squares that a bishop on `square` attacks, up to and including the first occupied one each way.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&BISHOP_MAGICS[square.index()], occupied)
}

/// The squares that a queen on `square` attacks.
#[inline(always)]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

/// A way to find what sliders attack; chosen once, outside the hot loop.
pub trait Sliders: Copy {
    /// The squares that a rook attacks.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;
    /// The squares that a bishop attacks.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;
}

/// Magic multiplication: on every processor.
#[derive(Clone, Copy, Debug)]
pub struct MagicSliders;

impl Sliders for MagicSliders {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        rook_attacks(square, occupied)
    }
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        bishop_attacks(square, occupied)
    }
}

/// The same attacks in the order in which PEXT numbers the subsets: the carry-rippler's.
static PEXT_TABLE: Lazy<Box<[Bitboard]>> = Lazy::new(|| {
    let mut table = Vec::with_capacity(ENTRIES);
    for (magics, first_direction) in [(&ROOK_MAGICS, ROOK), (&BISHOP_MAGICS, BISHOP)] {
        for (square, magic) in magics.iter().enumerate() {
            let mut subset: u64 = 0;
            loop {
                table.push(Bitboard(slow_attacks(square, first_direction, subset)));
                subset = subset.wrapping_sub(magic.mask) & magic.mask;
                if subset == 0 {
                    break;
                }
            }
        }
    }
    table.into_boxed_slice()
});

/// Bit extraction by the BMI2 instruction PEXT.
#[derive(Clone, Copy)]
pub struct PextSliders {
    bmi2: Bmi2,
    table: &'static [Bitboard],
}

impl fmt::Debug for PextSliders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PextSliders").field("bmi2", &self.bmi2).finish_non_exhaustive()
    }
}

impl PextSliders {
    /// The tables, made at the first call; `bmi2` shows that the processor has the instruction.
    pub fn new(bmi2: Bmi2) -> PextSliders {
        PextSliders { bmi2, table: &PEXT_TABLE }
    }

    /// The proof that these were made with.
    #[inline(always)]
    pub fn bmi2(self) -> Bmi2 {
        self.bmi2
    }

    #[inline(always)]
    fn look_up(self, magic: &Magic, occupied: Bitboard) -> Bitboard {
        self.table[magic.offset as usize + self.bmi2.pext(occupied.0, magic.mask) as usize]
    }
}

impl Sliders for PextSliders {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&ROOK_MAGICS[square.index()], occupied)
    }
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&BISHOP_MAGICS[square.index()], occupied)
    }
}

#[rustfmt::skip]
const ROOK_FACTORS: [u64; 64] = [
    0x6280008010204000, 0x0440200010004003, 0x08800c8010002000, 0x0080080080100006,
    0x0200100420020008, 0x2200120051081004, 0x4200012800a40200, 0x0b000082a2420300,
    0x000a002482044100, 0x0800802000400088, 0x2021002001001040, 0x48c0801000080080,
    0xa002002012000408, 0x8102800400020080, 0x002900a200010004, 0x000100010024448a,
    0x0080004000200048, 0x8010024001a00040, 0x0004868020001000, 0x1088808008001000,
    0x2001010010080004, 0x0011010008020400, 0x8000040011102a48, 0x0001a2000b508401,
    0x4080308080004004, 0x08005000c0002000, 0x01a0004040100800, 0x0800080480100080,
    0x0840040080080082, 0x0002020080040080, 0x115002040001b830, 0x2010244200041081,
    0x0100400888800220, 0x2006290281004000, 0x0010002000801080, 0x8601042009001000,
    0x0009810400800800, 0x0001000803000400, 0x4000021004000801, 0x0880004092000114,
    0x0422944000218000, 0x04810086004a0020, 0x0980401200820021, 0x00280c1001010020,
    0x0000080004008080, 0x0900040002008080, 0x0202020001008080, 0x0000104420820001,
    0x0440800020410100, 0x0820008040002180, 0x4020001000480040, 0x4020100080080080,
    0x0000800800440280, 0x060c010040020040, 0x4280081002010400, 0x0000104c00850600,
    0x0200490210802202, 0x04204000930088a1, 0x000a004408108022, 0x0422600830001501,
    0x0d0a002010040802, 0x2002009024080122, 0x0102980b82131034, 0x0080018300442c02,
];

#[rustfmt::skip]
const BISHOP_FACTORS: [u64; 64] = [
    0x08103000a1004201, 0x00a2141102020200, 0x404802004a080400, 0x0084240381000400,
    0x08040420a0108000, 0x01a1100210002900, 0x0540820802400100, 0x00c0108411284000,
    0x0004082048120044, 0x0062844808812200, 0x1004308500410800, 0x0020440400880200,
    0x1000841044800500, 0x9014010108410000, 0x10000082082104c8, 0x104e003401180840,
    0x1250212002701108, 0x14b8060302081200, 0x4008001040440020, 0x0008409024004000,
    0x0102823400a02000, 0x0540800808040220, 0x00004000880808a0, 0x44228a0026080200,
    0x001010100a421020, 0x06010400c8105403, 0x2408080004004010, 0x0004010000200880,
    0x0201080401004000, 0x0010004000241001, 0x0208020049009280, 0x4804288000260500,
    0x0044324000200420, 0x0002011010041000, 0x0044240100100100, 0x0402008020120201,
    0x00040c0400001100, 0x041045820005a200, 0x000840a090440201, 0x20862c0120010080,
    0x0008020222811088, 0x0101010821080204, 0x010500c066211000, 0x0102042124010800,
    0x40000a2049000a00, 0x6001600800404080, 0x0042041414000093, 0x0004040c00280040,
    0x0000823002201120, 0x0000820802022000, 0x0001042a01104000, 0x0000202020882042,
    0x150000c002822004, 0x4108041042020101, 0x0004092801040844, 0x0005640804450010,
    0xc010140088041100, 0x0400408088080352, 0x0000002100513041, 0x4203009000840400,
    0x0000010091020220, 0x9801002004410200, 0x000022281000a080, 0x0020a20400409201,
];

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{Rng, SeedableRng};

    fn random() -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(0x00ad_0be5)
    }

    #[test]
    fn attacks_agree_with_the_slow_rays_on_random_boards() {
        let mut random = random();
        let pext = Bmi2::detect().map(PextSliders::new);
        for _ in 0..2_000 {
            let occupied = Bitboard(random.next_u64() & random.next_u64());
            for square in Square::ALL {
                let rook = Bitboard(slow_attacks(square.index(), ROOK, occupied.0));
                let bishop = Bitboard(slow_attacks(square.index(), BISHOP, occupied.0));
                assert_eq!(rook_attacks(square, occupied), rook, "rook {square}{occupied:?}");
                assert_eq!(bishop_attacks(square, occupied), bishop, "bishop {square}{occupied:?}");
                if let Some(pext) = pext {
                    assert_eq!(pext.rook(square, occupied), rook, "rook {square}{occupied:?}");
                    assert_eq!(pext.bishop(square, occupied), bishop, "bishop {square}{occupied:?}");
                }
            }
        }
    }

    /// A factor that maps every subset of the square's mask without a harmful collision.
    fn find_factor(square: usize, first_direction: usize, random: &mut impl Rng) -> u64 {
        let mask = relevant(square, first_direction);
        let shift = 64 - mask.count_ones();
        let mut subsets = vec![];
        let mut subset: u64 = 0;
        loop {
            subsets.push((subset, slow_attacks(square, first_direction, subset)));
            subset = subset.wrapping_sub(mask) & mask;
            if subset == 0 {
                break;
            }
        }
        let mut used = vec![(0u32, 0u64); 1 << mask.count_ones()];
        for attempt in 1.. {
            // Factors with few bits set spread the product well.
            let factor = random.next_u64() & random.next_u64() & random.next_u64();
            if (mask.wrapping_mul(factor) >> 56).count_ones() < 6 {
                continue;
            }
            let works = subsets.iter().all(|&(subset, attacks)| {
                let entry = &mut used[(subset.wrapping_mul(factor) >> shift) as usize];
                let free = entry.0 != attempt;
                if free {
                    *entry = (attempt, attacks);
                }
                free || entry.1 == attacks
            });
            if works {
                return factor;
            }
        }
        unreachable!("the attempts do not end")
    }

    /// Prints the two tables of factors of this file.
    #[test]
    #[ignore = "a tool: cargo test --release find_the_factors -- --ignored --nocapture"]
    fn find_the_factors() {
        let mut random = random();
        for (name, first_direction) in [("ROOK", ROOK), ("BISHOP", BISHOP)] {
            println!("#[rustfmt::skip]\nconst {name}_FACTORS: [u64; 64] = [");
            for square in 0..64 {
                let factor = find_factor(square, first_direction, &mut random);
                let line_end = if square % 4 == 3 { "\n" } else { " " };
                let indent = if square % 4 == 0 { "    " } else { "" };
                print!("{indent}0x{factor:016x},{line_end}");
            }
            println!("];\n");
        }
    }
}
