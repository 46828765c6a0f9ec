//! What the program is made of: for reports of faults and of speed.

use super::name_and_version;
use crate::eval::Evaluation;
use crate::eval::simd::Kernels;
use crate::sys::cpu::Bmi2;

/// Version, target, the instructions that are used and could be, and the evaluation, a line each.
pub fn program(evaluation: &Evaluation) -> String {
    let forms: Vec<&str> = Kernels::available().iter().map(|kernels| kernels.name).collect();
    format!(
        "{}\ncompiled for {} on {}{}\nsliding pieces by {}\nnetwork arithmetic {} (available: {})\nevaluation {}",
        name_and_version(),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if cfg!(debug_assertions) { ", with debugging checks" } else { "" },
        if Bmi2::detect().is_some() {
            "PEXT where it is faster, else magic factors"
        } else {
            "magic factors"
        },
        Kernels::best().name,
        forms.join(", "),
        evaluation
    )
}
