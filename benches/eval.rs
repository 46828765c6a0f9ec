//! Evaluations a second: the hand-made evaluation, and networks of several sizes and kinds by each form of the arithmetic that this
//! processor has, in turn in one run, so that the ratios hold on a noisy machine: `cargo bench --bench eval`.
//!
//! Every position of a small tree below real positions is evaluated, as a search does it; playing the moves is counted
//! too, and alone in the first line.

use adoube::board::Position;
use adoube::eval::network::{Architecture, Inputs, Network};
use adoube::eval::simd::Kernels;
use adoube::eval::{Evaluation, Evaluator};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Openings, middle games and endgames.
const ROOTS: [&str; 6] = [
    "r1bqk1nr/p3bpp1/2p4p/2Pp4/4p2P/BPP1P3/P4PP1/RN1QKB1R w KQ - 3 11",
    "r2qk2r/p1p2ppp/1pnb1n2/3ppb2/3P4/P1P2P2/1P2PNBP/RNBQ1RK1 w kq - 2 10",
    "r2qkb1r/pp2n1p1/2npbp2/2p1p3/2P4p/2NP2P1/PP2PPBP/R1BQ1KNR b kq - 4 10",
    "2rq1rk1/pQ3pbp/6p1/2P2b2/P3p3/P1NqP3/3N1PPP/1RB2RK1 b - - 0 18",
    "5rk1/p6p/4p1p1/3p2P1/5P2/PP1RP3/2r5/3R2K1 w - - 1 32",
    "8/5k2/p4pp1/P1p5/2P3n1/3r3p/3PRr1P/BR5K w - - 2 46",
];

/// Evaluates all positions down to `depth`, and of more than `width` moves only as many; returns how many.
fn walk(evaluator: &mut Evaluator, position: &Position, depth: u32, width: usize) -> u64 {
    let mut count = 0;
    let moves = position.legal_moves();
    let step = moves.len().div_ceil(width).max(1);
    for &mv in moves.iter().step_by(step) {
        let next = evaluator.make(position, mv);
        black_box(evaluator.evaluate(&next));
        count += 1;
        if depth > 1 {
            count += walk(evaluator, &next, depth - 1, width);
        }
        evaluator.unmake();
    }
    count
}

/// The same without evaluation.
fn walk_only(position: &Position, depth: u32, width: usize) -> u64 {
    let mut count = 0;
    let moves = position.legal_moves();
    let step = moves.len().div_ceil(width).max(1);
    for &mv in moves.iter().step_by(step) {
        let next = black_box(position.after(mv));
        count += 1;
        if depth > 1 {
            count += walk_only(&next, depth - 1, width);
        }
    }
    count
}

fn main() {
    // `cargo test --benches` runs this too: then only once, and shallow.
    let (rounds, depth) = if std::env::args().any(|arg| arg == "--bench") { (7, 6) } else { (1, 2) };
    let roots = ROOTS.map(|fen| Position::from_fen(fen).unwrap());
    let mut entries: Vec<(String, Evaluation, &'static Kernels)> =
        vec![("hand-made".into(), Evaluation::Classic, Kernels::best())];
    let mirrored = [128, 256, 512].map(|hidden| (Inputs::Mirrored, hidden, false, ""));
    let more = [
        (Inputs::Threats, 256, false, ", threats"),
        (Inputs::Marks, 256, false, ", threats, marks"),
        (Inputs::Exposure, 256, false, ", exposure, marks"),
        (Inputs::Exposure, 256, true, ", exposure, marks, deep layers"),
    ];
    for (inputs, hidden, deep, also) in mirrored.into_iter().chain(more) {
        let network =
            Network::material(Architecture { deep, ..Architecture::new(inputs, hidden, 1) }, 3, 1).unwrap();
        let network = Arc::new(network);
        for kernels in Kernels::available() {
            let name = format!("{hidden} hidden{also}, {}", kernels.name);
            entries.push((name, Evaluation::Network(network.clone()), kernels));
        }
    }
    let width = 6;
    let mut best = vec![f64::INFINITY; entries.len() + 1];
    let mut count = 0;
    for _ in 0..rounds {
        let start = Instant::now();
        count = roots.iter().map(|root| walk_only(root, depth, width)).sum::<u64>();
        best[0] = best[0].min(start.elapsed().as_secs_f64());
        for ((_, evaluation, kernels), best) in entries.iter().zip(&mut best[1..]) {
            let start = Instant::now();
            for root in &roots {
                let mut evaluator = Evaluator::with_kernels(root, evaluation, kernels);
                walk(&mut evaluator, root, depth, width);
            }
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    let names = std::iter::once("the moves alone").chain(entries.iter().map(|(name, ..)| name.as_str()));
    for (name, seconds) in names.zip(&best) {
        let (million, each) = (count as f64 / seconds / 1e6, seconds * 1e9 / count as f64);
        let alone = each - best[0] * 1e9 / count as f64;
        println!(
            "{name:<32} {million:7.1} million a second, {each:6.1} ns each, {alone:6.1} ns without the moves"
        );
    }
}
