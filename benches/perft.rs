//! Perft against the crates `cozy-chess`, `shakmaty` and `chess`, in turn in one run, so that the ratios hold on a
//! noisy machine: `cargo bench --bench perft`. All count the last ply in bulk, on one thread, without a hash.

use adoube::board::Position;
use adoube::movegen::perft::{KernelChoice, PerftOptions, perft};
use std::hint::black_box;
use std::time::Instant;

type Count = Box<dyn Fn(&str, u32) -> u64>;

// Two closures, as in cozy-chess's own example: with one for both cases it loses a quarter of its speed.
fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy(&next, depth - 1);
            }
            false
        });
    }
    nodes
}

fn chess(board: &chess::Board, depth: usize) -> u64 {
    chess::MoveGen::movegen_perft_test(board, depth) as u64
}

fn shakmaty(fen: &str, depth: u32) -> u64 {
    let fen: shakmaty::fen::Fen = fen.parse().unwrap();
    let position: shakmaty::Chess = fen.into_position(shakmaty::CastlingMode::Standard).unwrap();
    shakmaty::perft(&position, depth)
}

fn adoube(kernel: KernelChoice) -> Count {
    Box::new(move |fen, depth| {
        let options = PerftOptions { kernel, ..PerftOptions::default() };
        perft(&Position::from_fen(fen).unwrap(), depth, options)
    })
}

fn main() {
    // `cargo test --benches` runs this too: then only once, and shallow.
    let rounds = if std::env::args().any(|arg| arg == "--bench") { 7 } else { 0 };
    let positions = [
        ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
        ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ];
    let programs: [(&str, Count); 5] = [
        ("adoube", adoube(KernelChoice::Best)),
        ("adoube, portable", adoube(KernelChoice::Portable)),
        ("cozy-chess", Box::new(|fen, depth| cozy(&fen.parse().unwrap(), depth))),
        ("chess", Box::new(|fen, depth| chess(&fen.parse().unwrap(), depth as usize))),
        ("shakmaty", Box::new(shakmaty)),
    ];
    for (name, fen, depth) in positions {
        let depth = if rounds == 0 { 3 } else { depth };
        let nodes = programs[0].1(fen, depth);
        let mut seconds = vec![vec![]; programs.len()];
        for _ in 0..rounds.max(1) {
            for ((program, count), seconds) in programs.iter().zip(&mut seconds) {
                let start = Instant::now();
                let found = black_box(count(black_box(fen), black_box(depth)));
                seconds.push(start.elapsed().as_secs_f64());
                assert_eq!(found, nodes, "{program} counts otherwise");
            }
        }
        let median = |times: &Vec<f64>| {
            let mut times = times.clone();
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        let cozy = median(&seconds[2]);
        println!("{name}, depth {depth}: {nodes} nodes, median of {} runs in turn", rounds.max(1));
        for ((program, _), seconds) in programs.iter().zip(&seconds) {
            let median = median(seconds);
            println!(
                "  {program:<17} {:7.1} Mnodes/s   {:.2} x cozy-chess",
                nodes as f64 / median / 1e6,
                cozy / median
            );
        }
    }
}
