//! That the nodes of a search take no memory. Alone in its file: the counting allocator is that of the whole program.

use adoube::board::{Board, History, Position};
use adoube::eval::Evaluation;
use adoube::search::{Found, Limits, Solo};

/// The start, two middlegames, one of them full of captures and checks, and an endgame.
const POSITIONS: [&str; 4] = [
    Board::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1b2rk1/pp3ppp/2n1pn2/q1bp4/2P5/2N1PN2/PP1BBPPP/R2Q1RK1 w - - 4 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Searches so many nodes, and tells how many blocks of memory were taken meanwhile.
fn blocks_taken(solo: &mut Solo, fen: &str, nodes: u64) -> (Found, u64) {
    let position = Position::from_fen(fen).unwrap();
    let history = History::new(&position);
    solo.new_game();
    let mut found = None;
    let taken = allocation_counter::measure(|| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        found = solo.search(&position, &history, limits);
    });
    (found.unwrap(), taken.count_total)
}

/// Twenty times the nodes only take what a few more iterations keep of their lines.
#[test]
fn nodes_take_no_memory() {
    let work = || {
        let mut solo = Solo::new(8, Evaluation::default()).unwrap();
        for fen in POSITIONS {
            let (shallow, few) = blocks_taken(&mut solo, fen, 10_000);
            let (deep, many) = blocks_taken(&mut solo, fen, 200_000);
            let iterations = u64::try_from(deep.depth - shallow.depth).unwrap();
            assert!(iterations > 0 && many - few <= 16 * iterations, "{fen}: {few}, then {many} blocks");
        }
    };
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(Solo::STACK_BYTES).spawn_scoped(scope, work).unwrap();
    });
}
