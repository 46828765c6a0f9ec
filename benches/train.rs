//! How fast the trainer is: positions a second of one processor by size of the network and kind of vectors, in turn; and a
//! teacher, on all processors, by kind of products. The positions are those of random play, with as many pieces as real games
//! have. Run with `cargo bench --bench train [-- ROUNDS]`.

use adoube::board::Position;
use adoube::eval::network::{Architecture, Inputs};
use adoube::sys::chance::Chance;
use adoube::sys::products::Products;
use adoube::sys::vectors::Vectors;
use adoube::training::teacher::sample::Sample;
use adoube::training::teacher::school::{School, Settings, State as Taught};
use adoube::training::teacher::weights::Shape;
use adoube::training::trainer::core::{Batch, Core, Rates, State, core};
use adoube::training::trainer::model::Parameters;
use adoube::training::trainer::order::Order;
use adoube::training::trainer::record::{Record, Worth};
use std::time::Instant;

/// So many positions are learnt from at a step.
const BATCH: usize = 16_384;
const STEPS: usize = 8;

/// Positions of games of random moves, 3 to 32 pieces, until there are enough of what `keep` makes of them.
fn positions<T>(enough: usize, mut keep: impl FnMut(&mut Vec<T>, &mut Chance, &Position)) -> Vec<T> {
    let mut chance = Chance::new(1);
    let mut kept = vec![];
    while kept.len() < enough {
        let mut position = Position::default();
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.occupied().count() < 4 {
                break;
            }
            let captures: Vec<_> = moves.iter().filter(|&&mv| position.is_capture(mv)).collect();
            let mv = match captures.len() {
                1.. if chance.below(3) == 0 => *captures[chance.below(captures.len() as u64) as usize],
                _ => moves[chance.below(moves.len() as u64) as usize],
            };
            position = position.after(mv);
            if chance.below(3) == 0 {
                keep(&mut kept, &mut chance, &position);
            }
        }
    }
    kept.truncate(enough);
    kept
}

fn records() -> Vec<Record> {
    positions(16 * BATCH, |records, chance, position| {
        let score = chance.below(1000) as i16 - 500;
        let expected = 0.5 + f32::from(score) / 2000.0;
        records.extend(Record::new(position, Worth { score, expected, returned: 0.5, half_points: 1 }));
    })
}

/// Positions of a teacher's step.
const TAUGHT: usize = 512;

/// A teacher by each kind of products, in turn.
fn teachers(rounds: u64) {
    let samples = positions(4_096, |samples, _, position| samples.extend(Sample::of_board(position, 0)));
    let settings = Settings { shape: Shape { width: 256, layers: 6 }, batch: TAUGHT, ..Settings::default() };
    let mut schools: Vec<_> = Products::all()
        .into_iter()
        .map(|products| {
            (products, School::new(&settings, Taught::random(&settings), samples.len(), products), vec![])
        })
        .collect();
    for _ in 0..rounds {
        for (_, school, speeds) in &mut schools {
            let begin = Instant::now();
            std::hint::black_box(school.step(&samples));
            speeds.push(TAUGHT as f64 / begin.elapsed().as_secs_f64());
        }
    }
    println!("a teacher of width 256 with 6 layers, all processors; positions a second: best, median");
    for (products, _, mut speeds) in schools {
        speeds.sort_by(f64::total_cmp);
        println!("{:>14} {:.0} {:.0}", products.name(), speeds[speeds.len() - 1], speeds[speeds.len() / 2]);
    }
}

/// Processor time of all threads of this process so far, in seconds.
#[cfg(target_os = "linux")]
fn processor_time() -> f64 {
    let ticks: u64 = std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok())
        .filter_map(|text| text.split(' ').next()?.parse::<u64>().ok())
        .sum();
    ticks as f64 / 1e9
}

/// Of one thread's work the wall's clock must do where the system tells no better.
#[cfg(not(target_os = "linux"))]
fn processor_time() -> f64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// Millions of positions a second of the wall's clock and of processor time.
fn measure(core: &mut dyn Core, records: &[Record], seed: u64) -> (f64, f64) {
    let (wall, processor) = (Instant::now(), processor_time());
    for step in 0..STEPS {
        let order = Some(Order::new(records.len() as u64, seed));
        let first = (step * BATCH % records.len()) as u64;
        let batch = Batch { records, order, first, count: BATCH, mirror: Some(3), wdl: 0.1, power: 2.0 };
        std::hint::black_box(core.step(&batch, Rates { all: 1e-3, marks: 1e-3, deep: 1e-3 }));
    }
    let positions = (STEPS * BATCH) as f64 / 1e6;
    (positions / wall.elapsed().as_secs_f64(), positions / (processor_time() - processor))
}

fn main() {
    // `cargo test --benches` runs this too: then only once.
    let usual = if std::env::args().any(|word| word == "--bench") { 5 } else { 1 };
    let rounds: u64 = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(usual);
    teachers(rounds);
    let records = records();
    let pieces = records.iter().map(|record| record.count()).sum::<usize>() as f64 / records.len() as f64;
    let processors = adoube::sys::cpu::processors();
    println!("{} positions, {pieces:.1} pieces on average; millions of positions a second", records.len());
    println!(
        "{:>6} {:>8} {:>9} {:>18} {:>18}",
        "hidden", "threads", "vectors", "wall: best, median", "CPU: best, median"
    );
    for hidden in [64, 128, 256, 512] {
        let architecture = Architecture::new(Inputs::Mirrored, hidden, 1);
        let state = State::new(&architecture, Parameters::random(&architecture, 1));
        let mut kinds: Vec<_> = Vectors::all().into_iter().map(|vectors| (1, vectors)).collect();
        if processors > 1 {
            kinds.push((processors, Vectors::widest()));
        }
        let mut cores: Vec<_> = kinds
            .iter()
            .map(|&(threads, vectors)| core(&architecture, &state, threads, vectors).expect("threads"))
            .collect();
        let mut speeds = vec![vec![]; kinds.len()];
        for round in 0..rounds {
            for (core, speeds) in cores.iter_mut().zip(&mut speeds) {
                speeds.push(measure(core.as_mut(), &records, round));
            }
        }
        for ((threads, vectors), speeds) in kinds.into_iter().zip(speeds) {
            let figures = |mut speeds: Vec<f64>| {
                speeds.sort_by(f64::total_cmp);
                format!("{:.2} {:.2}", speeds[speeds.len() - 1], speeds[speeds.len() / 2])
            };
            let wall = figures(speeds.iter().map(|speed| speed.0).collect());
            let processor = figures(speeds.iter().map(|speed| speed.1).collect());
            println!("{hidden:>6} {threads:>8} {:>9} {wall:>18} {processor:>18}", vectors.name());
        }
    }
}
