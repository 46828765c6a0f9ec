//! Counts of moves against numbers that other programs have confirmed.

mod support;

use adoube::board::{Board, FenStyle, Position};
use adoube::movegen::perft::{KernelChoice, PerftOptions, divide, perft};
use rand::RngExt;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use support::Variant;

/// The six positions of <https://www.chessprogramming.org/Perft_Results> with their counts from depth 1 up.
const WIKI: [(&str, &[u64]); 6] = [
    (Board::START_FEN, &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324]),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624, 11_030_083]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
];

fn kernels() -> [PerftOptions; 2] {
    [KernelChoice::Best, KernelChoice::Portable]
        .map(|kernel| PerftOptions { kernel, ..PerftOptions::default() })
}

#[test]
fn the_wiki_positions_to_four_plies_with_every_kernel() {
    for (fen, counts) in WIKI {
        let position = Position::from_fen(fen).unwrap();
        for options in kernels() {
            for (depth, &count) in counts.iter().enumerate().take(4) {
                assert_eq!(perft(&position, depth as u32 + 1, options), count, "{fen} depth {}", depth + 1);
            }
        }
    }
}

#[test]
#[ignore = "deep"]
fn the_wiki_positions_whole() {
    for (fen, counts) in WIKI {
        let position = Position::from_fen(fen).unwrap();
        for options in kernels() {
            let depth = counts.len();
            assert_eq!(perft(&position, depth as u32, options), counts[depth - 1], "{fen} depth {depth}");
        }
    }
}

#[test]
fn threads_and_hash_count_the_same() {
    let (fen, counts) = WIKI[1];
    let position = Position::from_fen(fen).unwrap();
    let two = NonZeroUsize::new(2).unwrap();
    for (threads, hash) in [(two, None), (NonZeroUsize::MIN, Some(two)), (two, Some(two))] {
        let options = PerftOptions { threads, hash, kernel: KernelChoice::Best };
        assert_eq!(perft(&position, 4, options), counts[3], "{options:?}");
        let parts = divide(&position, 4, options, &AtomicBool::new(false));
        assert_eq!(parts.len() as u64, counts[0]);
        assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), counts[3], "{options:?}");
    }
    assert_eq!(perft(&position, 0, PerftOptions::default()), 1);
}

/// Only a hash gets so far, and only where there are few positions.
#[test]
fn more_than_can_be_counted_is_no_number() {
    let position = Position::from_fen("8/8/8/3k4/8/3K4/8/8 w - - 0 1").unwrap();
    let hash = NonZeroUsize::new(4);
    for threads in [NonZeroUsize::MIN, NonZeroUsize::new(2).unwrap()] {
        let count =
            |depth| perft(&position, depth, PerftOptions { threads, hash, kernel: KernelChoice::Best });
        assert!(count(23) < u64::MAX);
        assert_eq!((count(24), count(30)), (u64::MAX, u64::MAX));
    }
}

/// Runs a file of lines `FEN ;D1 n ;D2 n …` as far as the node limit allows, and says how many counts it compared.
fn run_suite(text: &str, limit: u64) -> usize {
    let mut compared = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut parts = line.split(';').map(str::trim);
        let fen = parts.next().unwrap();
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for part in parts {
            let (depth, count) = part.split_once(' ').unwrap();
            let depth: u32 = depth.strip_prefix('D').unwrap().parse().unwrap();
            let count: u64 = count.trim().parse().unwrap();
            if count <= limit {
                assert_eq!(perft(&position, depth, PerftOptions::default()), count, "{fen} depth {depth}");
                compared += 1;
            }
        }
    }
    compared
}

const SUITES: [(&str, Variant, &str); 3] = [
    ("standard", Variant::Standard, include_str!("data/perft/standard.epd")),
    ("chess960", Variant::Chess960, include_str!("data/perft/chess960.epd")),
    ("double_chess960", Variant::DoubleChess960, include_str!("data/perft/double_chess960.epd")),
];

#[test]
fn own_suites() {
    for (name, _, text) in SUITES {
        assert!(run_suite(text, 100_000) >= 350, "{name} has lost its positions");
    }
}

#[test]
#[ignore = "deep"]
fn own_suites_deep() {
    for (_, _, text) in SUITES {
        run_suite(text, u64::MAX);
    }
}

#[test]
#[ignore = "wants files: ADOUBE_PERFT_SUITES=file[,file…] with lines 'FEN ;D1 n ;D2 n …', ADOUBE_PERFT_LIMIT=nodes"]
fn suites_from_elsewhere() {
    let files = std::env::var("ADOUBE_PERFT_SUITES").expect("ADOUBE_PERFT_SUITES names the files");
    let limit = std::env::var("ADOUBE_PERFT_LIMIT").map_or(10_000_000, |limit| limit.parse().unwrap());
    for file in files.split(',') {
        let compared = run_suite(&std::fs::read_to_string(file).unwrap(), limit);
        println!("{file}: {compared} counts agree");
    }
}

fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            if depth == 1 {
                nodes += 1;
            } else {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

/// Writes the files of `SUITES` anew: positions from random games, sparse ones and crowded ones, each count confirmed
/// by cozy-chess.
#[test]
#[ignore = "a tool: makes tests/data/perft"]
fn make_own_suites() {
    let mut random = support::random(20_261_120);
    for (name, variant, _) in SUITES {
        let mut lines = vec![];
        while lines.len() < 120 {
            let plies = random.random_range(2..160);
            let mut last = None;
            support::random_positions(variant, plies, &mut random, |position| last = Some(*position));
            let Some(position) = last.filter(|position| !position.has_no_moves()) else { continue };
            let fen = position.to_fen(FenStyle::Shredder);
            let cozy_board = cozy_chess::Board::from_fen(&fen, true).unwrap();
            let counts: Vec<String> = (1..=5)
                .map(|depth| (depth, perft(&position, depth, PerftOptions::default())))
                .take_while(|&(depth, count)| depth <= 3 || count < 3_000_000)
                .map(|(depth, count)| {
                    assert_eq!(cozy(&cozy_board, depth), count, "{fen} depth {depth}");
                    format!(";D{depth} {count}")
                })
                .collect();
            lines.push(format!("{} {}\n", position.to_fen(FenStyle::XFen), counts.join(" ")));
        }
        std::fs::write(format!("tests/data/perft/{name}.epd"), lines.concat()).unwrap();
    }
}
