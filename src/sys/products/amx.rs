//! Products by the matrix unit of newer Intel processors.

#![allow(unsafe_code)]

use super::{GRAIN, Left, Right, SIDE, TILE};
use once_cell::sync::Lazy;
use std::arch::asm;

/// Bytes of a row of a tile.
const ROW_BYTES: usize = 64;
const TILE_BYTES: usize = 2 * TILE;

static IS_THERE: Lazy<bool> = Lazy::new(|| has_instructions() && is_allowed());

/// True if the processor has the unit and the system lets us use it.
pub fn is_there() -> bool {
    *IS_THERE
}

fn has_instructions() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const BF16: u32 = 1 << 22;
    const TILES: u32 = 1 << 24;
    __cpuid(0).eax >= 7 && __cpuid_count(7, 0).edx & (BF16 | TILES) == BF16 | TILES
}

/// Asks for the unit's registers, which Linux gives a process only then
/// (<https://docs.kernel.org/arch/x86/xstate.html>).
#[cfg(target_os = "linux")]
fn is_allowed() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const TILE_DATA: libc::c_long = 18;
    // SAFETY: a request without pointers; where it is not known it fails.
    unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, TILE_DATA) == 0 }
}

#[cfg(not(target_os = "linux"))]
fn is_allowed() -> bool {
    false
}

/// The shapes of the eight tiles: all of 16 rows of 64 bytes.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

static SHAPES: Shapes = Shapes {
    palette: 1,
    start_row: 0,
    reserved: [0; 14],
    row_bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
    rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
};

/// The product by the matrix unit, 32 rows and 32 columns of it at a time.
///
/// # Safety
/// [`is_there`], and the sizes fit.
pub unsafe fn multiply(left: &Left, right: &Right, out: &mut [f32], add: bool) {
    let across = left.inner / GRAIN;
    let stride = right.columns * size_of::<f32>();
    // SAFETY: the shapes are what the instruction wants, and the unit is there.
    unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const SHAPES, options(nostack, preserves_flags)) };
    for strip in 0..right.columns / GRAIN {
        let rights = right.tiles[2 * strip * across..][..2 * across].as_ptr();
        for block in 0..left.rows / GRAIN {
            let lefts = left.tiles[2 * block * across..][..2 * across].as_ptr();
            let begin = block * GRAIN * right.columns + strip * GRAIN;
            let out = &mut out[begin..begin + (GRAIN - 1) * right.columns + GRAIN];
            // SAFETY: reads two rows of `across` tiles of each factor, which lie there one behind the other, and reads
            // and writes 32 rows of 32 floats, a stride apart, the last of which ends where `out` does.
            unsafe {
                asm!(
                    "test {add}, {add}",
                    "jnz 2f",
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "tilezero tmm2",
                    "tilezero tmm3",
                    "jmp 3f",
                    "2:",
                    "tileloadd tmm0, [{out} + {stride}]",
                    "tileloadd tmm1, [{out} + {stride} + 64]",
                    "tileloadd tmm2, [{lower} + {stride}]",
                    "tileloadd tmm3, [{lower} + {stride} + 64]",
                    "3:",
                    "tileloadd tmm4, [{left} + {row}]",
                    "tileloadd tmm6, [{right} + {row}]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tileloadd tmm7, [{other_right} + {row}]",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "tileloadd tmm5, [{other_left} + {row}]",
                    "tdpbf16ps tmm2, tmm5, tmm6",
                    "tdpbf16ps tmm3, tmm5, tmm7",
                    "add {left}, {step}",
                    "add {right}, {step}",
                    "add {other_left}, {step}",
                    "add {other_right}, {step}",
                    "dec {count}",
                    "jnz 3b",
                    "tilestored [{out} + {stride}], tmm0",
                    "tilestored [{out} + {stride} + 64], tmm1",
                    "tilestored [{lower} + {stride}], tmm2",
                    "tilestored [{lower} + {stride} + 64], tmm3",
                    add = in(reg) u64::from(add),
                    out = in(reg) out.as_mut_ptr(),
                    lower = in(reg) out.as_mut_ptr().add(SIDE * right.columns),
                    stride = in(reg) stride,
                    row = in(reg) ROW_BYTES,
                    left = inout(reg) lefts => _,
                    right = inout(reg) rights => _,
                    other_left = inout(reg) lefts.add(across) => _,
                    other_right = inout(reg) rights.add(across) => _,
                    count = inout(reg) across => _,
                    step = const TILE_BYTES,
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                    out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                    options(nostack),
                );
            }
        }
    }
    // SAFETY: the unit is there. Its registers need not be kept any more.
    unsafe { asm!("tilerelease", options(nostack, preserves_flags)) };
}
