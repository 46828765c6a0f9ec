//! The bench: a fixed set of positions searched to a fixed depth. With one thread the number of nodes is a signature of
//! the search, equal on every machine; the time says how fast this one is.

mod options;

pub use options::{BenchLimit, BenchOptions, BenchPositions, MOST_THREADS};

use super::{Event, Limits, Searcher, Settings, Task};
use crate::board::{History, Position};
use crate::eval::Evaluation;
use crate::movegen::perft::{PerftOptions, divide, total};
use crossbeam_channel::{RecvTimeoutError, unbounded};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Openings, middle games and endgames out of games that this engine played against itself from random beginnings.
const POSITIONS: [&str; 50] = [
    "r1bqk1nr/p3bpp1/2p4p/2Pp4/4p2P/BPP1P3/P4PP1/RN1QKB1R w KQ - 3 11",
    "r1b1kb1r/p1pp2pp/2n1p1q1/8/Pp1PpPP1/2P1P3/1P3N1P/RNBQ2KR w kq - 1 13",
    "rn1q1knr/1b2b1pp/4pp2/pBppB2P/1p1PP3/5P2/PPP3P1/RN1QK1NR w KQ - 2 12",
    "r2qk2r/p1p2ppp/1pnb1n2/3ppb2/3P4/P1P2P2/1P2PNBP/RNBQ1RK1 w kq - 2 10",
    "r2qkb1r/1p2pp1p/2npbn2/pBp3p1/3P4/2N1P3/PPP2PPP/R1BQK1NR b KQkq - 0 8",
    "r1bqkbn1/p1pp1p2/2n4p/1p2p2p/3P1N2/8/PPP1PPPP/RN1QKB1R w KQq - 0 7",
    "r1bqkbn1/1ppppppr/p1n5/8/2P5/4P3/PP1P1PPP/RNB1KBNR w KQq - 1 6",
    "r2qkb1r/pp2n1p1/2npbp2/2p1p3/2P4p/2NP2P1/PP2PPBP/R1BQ1KNR b kq - 4 10",
    "rnbqkbnr/3p1ppp/pp2p3/2p3Q1/4PP2/2P5/PP1P2PP/RNB1KBNR b KQkq - 1 5",
    "r2qkbnr/1pp2p1p/p1n1b1p1/3p4/7N/P1NB2Q1/1PPP1PPP/R1B2RK1 b kq - 2 10",
    "rnbqkb1r/2p2ppp/pp3n2/3pp3/8/1P2P2P/P1PPBPP1/RNBQK1NR w KQkq - 0 6",
    "rnbqkbnr/1p2p1pp/p7/2pp2N1/2P1p3/7P/PP1P1PP1/RNBQKB1R w KQkq - 0 6",
    "2r1qb1r/p1n2k2/2p2p2/Pp2p2p/2b5/1QN4P/1P2PPB1/R1BR2K1 w - - 0 23",
    "2rqr1k1/1p3pbp/4p1p1/p1np4/P3nP1Q/1PN1PB1P/1BP4P/3R1RK1 w - - 4 20",
    "5r1k/1R4bp/7r/2p2B2/p1PpPp2/P4P1P/7P/2R3K1 w - - 1 28",
    "4r3/3p1pk1/b1n2p2/P5pp/2q1P3/2N5/1rPQ1PPP/R2R2K1 w - - 5 25",
    "r2qk2r/4p1bp/1p1nP1p1/2p5/p3b3/N2p1N2/PB1PQPPP/R4RK1 w kq - 0 24",
    "2r2rk1/pQ3pbp/6p1/2P2b2/P3p3/P1NqP3/3N1PPP/1RB2RK1 b - - 0 18",
    "5rk1/p6p/4p1p1/3p2P1/5P2/PP1RP3/2r5/3R2K1 w - - 1 32",
    "6k1/p3p2p/R3Pbp1/8/bP6/4K1P1/7P/8 b - - 1 34",
    "2r2r1k/7p/pQ4p1/3p1pP1/4b3/P7/KP2P2q/3R1BR1 w - - 0 31",
    "2b2r2/1p3pkp/2n1p3/1N1p1n1P/2r3p1/P1N1P1P1/5PB1/2KR3R w - - 2 23",
    "r4rk1/1pqbnppp/p2bpn2/1P1p4/P1pP1PP1/2P1PN1P/1BBN4/R2Q1RK1 w - - 1 16",
    "2b2rk1/2q3bp/5p2/2pp4/1p1p1P2/7P/2P3P1/1NNQR1K1 w - - 2 23",
    "2rqk3/p3pnrp/p3b1p1/3p1pP1/7P/PPN1PN2/R1P2P2/3QK2R w K - 2 15",
    "r2qr1k1/p1pbbpp1/3p4/1P1n3B/3pP3/P2P3P/1P3PP1/R1BQR1K1 w - - 0 17",
    "6k1/p7/7R/2p1p3/P3Nr2/8/2P3KP/8 w - - 1 36",
    "1r4k1/4prbp/2q2pp1/2P5/p2NP1b1/5N2/PP2QPPP/1K1R3R b - - 2 24",
    "4r3/5p2/R1pBb1k1/3pPpp1/7p/2P1PK2/3P2P1/5B2 b - - 1 31",
    "r3r2k/3q2pp/1Pp5/p2pn3/3Q3P/2N2P2/PPP2B2/1K1R3R w - - 3 26",
    "1k6/1p4pp/p4p2/8/3QP1B1/3P3P/PP3PP1/2r3K1 w - - 2 25",
    "r1b2rk1/1pp2ppp/5n2/4N3/8/R5P1/1QP2PBP/6K1 b - - 0 23",
    "r1b2k1r/1p2p1bp/8/4Pp1Q/1p1P1P1R/5q1B/PP1K3P/R7 b - - 1 25",
    "3r4/p2kbQ2/8/2p5/5R2/2P1BPK1/1q6/8 b - - 1 35",
    "4rk2/2P5/1P4p1/5p1p/N6P/5RP1/2r2K2/1R6 w - - 1 59",
    "8/6k1/8/Np1K2P1/8/P7/2b5/8 b - - 0 54",
    "3Q2k1/pbn5/2p4p/1pP1rpp1/1P1P4/P3PB1q/6R1/R5K1 b - - 0 36",
    "8/8/R5pp/8/5KP1/1k3P2/p4P2/r7 w - - 5 56",
    "4k3/8/4p3/4P1R1/3K2p1/8/8/8 b - - 2 73",
    "8/5k2/p4pp1/P1p5/2P3n1/3r3p/3PRr1P/BR5K w - - 2 46",
    "8/3k4/3P1p2/ppP5/1n1KP3/8/8/8 b - - 1 58",
    "1r4Nk/5p2/Q7/4p3/2p1q3/P7/3P4/R4K2 b - - 5 45",
    "8/8/8/4k3/4Pp2/8/4K3/7b b - - 5 63",
    "5bk1/8/4p1Q1/7p/5P1P/1K4P1/8/8 b - - 0 57",
    "5k2/2R3p1/r3p2p/1p1p4/4n3/pP1NK3/P4PPP/8 w - - 0 39",
    "Q3B1Q1/8/8/8/8/3K1k2/8/8 b - - 0 62",
    "8/1k4r1/1r6/R4R2/P1P5/5K2/8/8 b - - 2 59",
    "2r5/1p3p2/1b2k3/1N3p2/3P3P/2P3K1/5P2/1R6 b - - 1 38",
    "8/8/5k2/3R4/2B2p1K/p7/6P1/2b5 w - - 5 75",
    "8/8/7p/8/7R/3K3P/8/k7 w - - 3 49",
];

/// How often to see whether the bench is to end early.
const LOOK_AT_STOP: Duration = Duration::from_millis(5);

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes searched in all positions.
    pub nodes: u64,
    /// Time that took.
    pub time: Duration,
}

impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nodes_per_second())
    }
}

impl BenchResult {
    fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }

    /// The lines to end with. Who has asked in Stockfish's words waits for its last ones, as the package `stockfish` on PyPI
    /// does.
    pub fn lines(&self, options: &BenchOptions) -> Vec<String> {
        let mut lines = vec![self.to_string()];
        if options.as_stockfish {
            lines.extend([
                format!("Total time (ms) : {}", self.time.as_millis()),
                format!("Nodes searched  : {}", self.nodes),
                format!("Nodes/second    : {}", self.nodes_per_second()),
            ]);
        }
        lines
    }
}

/// Searches all positions with this evaluation, each with an empty memory; tells `progress` after each. `current` is the one
/// on the board. Ends early once `stop` is set.
///
/// # Errors
/// If the system has not got the memory or the threads, or the positions cannot be read.
pub fn run(
    options: &BenchOptions,
    current: &Position,
    evaluation: &Evaluation,
    stop: &AtomicBool,
    mut progress: impl FnMut(&str),
) -> Result<BenchResult, Box<dyn std::error::Error>> {
    let positions = options.positions.all(current)?;
    let mut searcher = Searcher::new(options.hash as usize, options.threads as usize)?;
    searcher.set_evaluation(evaluation.clone());
    let mut result = BenchResult { nodes: 0, time: Duration::ZERO };
    for (index, (fen, position)) in positions.iter().enumerate() {
        searcher.new_game();
        let start = Instant::now();
        let nodes = match options.limit {
            BenchLimit::Perft(depth) => total(
                divide(position, depth, PerftOptions::default(), stop).into_iter().map(|(_, nodes)| nodes),
            ),
            limit => search(&mut searcher, *position, limit.limits(), stop),
        };
        result.time += start.elapsed();
        result.nodes = result.nodes.saturating_add(nodes);
        progress(&format!("position {}/{}: {nodes} nodes, {fen}", index + 1, positions.len()));
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(result)
}

/// The nodes that a search takes.
fn search(searcher: &mut Searcher, position: Position, limits: Limits, stop: &AtomicBool) -> u64 {
    let (sender, events) = unbounded();
    let task = Task { position, history: History::new(&position), limits, events: Some(sender) };
    searcher.start(task, Settings::default());
    let mut nodes = 0;
    loop {
        match events.recv_timeout(LOOK_AT_STOP) {
            Ok(Event::Info(info)) => nodes = info.nodes,
            Ok(Event::Finished { .. }) | Err(RecvTimeoutError::Disconnected) => return nodes,
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
        }
        if stop.load(Ordering::Relaxed) {
            searcher.stop();
        }
    }
}
