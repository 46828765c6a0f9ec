//! Dead positions against the crate `chasolver`, in turn in one run: `cargo bench --bench dead`. The time a question
//! (position and side) in blocked positions, on the ends of random games, and of the quick test after every move.
//!
//! `ADOUBE_DEAD=file` adds a file of lines `FEN <tab> white|black <tab> winnable|unwinnable`, whose answers are
//! compared too.

use adoube::board::{Board, FenStyle, Position};
use adoube::laws::dead::{Answer, DEFAULT_NODES, Solver};
use adoube::types::Color;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::hint::black_box;
use std::time::{Duration, Instant};

const BLOCKED: [&str; 12] = [
    "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
    "8/2k5/1p1p1p2/1P1P1P2/8/3K4/8/8 w - - 0 1",
    "8/1k3b2/p1p1p1p1/P1P1P1P1/8/8/2B1K3/8 w - - 0 1",
    "2b1k3/8/p2p1p1p/P1pP1P1P/2P5/8/3BK3/8 w - - 0 1",
    "8/4k1b1/1p1p2p1/pP1Pp1P1/P3P3/5B2/3K4/8 w - - 0 1",
    "1b2k3/p1p1p1p1/P1P1P1P1/8/8/8/8/2B1K3 w - - 0 1",
    "8/8/2k3b1/p1p2p1p/P1P2P1P/2K1B3/8/8 w - - 0 1",
    "5bk1/5p1p/4pPpP/4P1P1/8/8/1B6/6K1 w - - 0 1",
    "8/p7/Pp1k1p2/1Pp1pPp1/2P1P1P1/3B4/3K4/8 w - - 0 1",
    "8/k7/p1p1p1p1/P1P1P1P1/1b1B4/8/4K1N1/8 w - - 0 1",
    "b6k/1p1p1p1p/1P1P1P1P/8/8/8/B7/K7 w - - 0 1",
    "8/5p2/k1p1pPp1/p1P1P1P1/P7/1B1K1b2/8/8 b - - 0 1",
];

struct Question {
    position: Position,
    side: Color,
    expected: Option<bool>,
}

fn both_sides(position: Position) -> [Question; 2] {
    Color::ALL.map(|side| Question { position, side, expected: None })
}

/// All positions of some random games.
fn games(count: usize) -> Vec<Vec<Position>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    (0..count)
        .map(|_| {
            let mut game = vec![Position::default()];
            while let Some(position) = game.last() {
                let moves = position.legal_moves();
                if moves.is_empty() || game.len() == 120 {
                    break;
                }
                game.push(position.after(moves[random.random_range(0..moves.len())]));
            }
            game
        })
        .collect()
}

fn read(path: &str) -> Vec<Question> {
    let text = std::fs::read_to_string(path).expect("the file of ADOUBE_DEAD");
    let questions = text.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = Position::from(Board::from_fen_composed(fields.first()?).ok()?);
        let side = if *fields.get(1)? == "white" { Color::White } else { Color::Black };
        Some(Question { position, side, expected: Some(*fields.get(2)? == "winnable") })
    });
    questions.collect()
}

fn ours(solver: &mut Solver, question: &Question) -> Option<bool> {
    match solver.can_win(&question.position, question.side, DEFAULT_NODES) {
        Answer::Winnable(_) => Some(true),
        Answer::Unwinnable => Some(false),
        Answer::Undetermined => None,
    }
}

fn other_board(position: &Position) -> Option<chess::Board> {
    position.to_fen(FenStyle::XFen).parse().ok()
}

fn other_side(side: Color) -> chess::Color {
    if side == Color::White { chess::Color::White } else { chess::Color::Black }
}

fn theirs(board: &chess::Board, side: Color) -> Option<bool> {
    let answer = chasolver::winnability(board, other_side(side))?;
    Some(matches!(answer, chasolver::Winnability::Winnable { .. }))
}

fn row(name: &str, mut times: Vec<Duration>, note: &str) {
    times.sort_unstable();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let total: Duration = times.iter().sum();
    println!(
        "  {name:<10} {:>12.2} µs on average, median {:.2}, longest {:.0}{note}",
        micros(total) / times.len() as f64,
        micros(times[times.len() / 2]),
        micros(times[times.len() - 1]),
    );
}

fn compare(name: &str, questions: &[Question]) {
    println!("{name}: {} questions", questions.len());
    let mut solver = Solver::new();
    let (mut our_times, mut their_times, mut open, mut wrong) = (vec![], vec![], [0; 2], [0; 2]);
    for question in questions {
        let start = Instant::now();
        let answer = ours(&mut solver, black_box(question));
        our_times.push(start.elapsed());
        let Some(board) = other_board(&question.position) else { continue };
        let start = Instant::now();
        let other = theirs(black_box(&board), question.side);
        their_times.push(start.elapsed());
        for (index, answer) in [answer, other].into_iter().enumerate() {
            open[index] += u32::from(answer.is_none());
            wrong[index] +=
                u32::from(answer.is_some() && question.expected.is_some_and(|e| Some(e) != answer));
        }
    }
    row("adoube", our_times, &format!("; {} undetermined, {} wrong", open[0], wrong[0]));
    row("chasolver", their_times, &format!("; {} undetermined, {} wrong", open[1], wrong[1]));
}

/// The quick test of both after every move of some games.
fn quick(games: &[Vec<Position>]) {
    let mut solver = Solver::new();
    let positions: Vec<&Position> = games.iter().flatten().collect();
    let start = Instant::now();
    let dead = positions.iter().filter(|position| solver.is_dead_quick(black_box(position))).count();
    let time = start.elapsed();
    let nanos = |time: Duration| time.as_secs_f64() * 1e9 / positions.len() as f64;
    println!("after every move: {} positions", positions.len());
    println!("  adoube     {:>12.0} ns on average, {dead} dead", nanos(time));
    let boards: Vec<chess::Board> = positions.iter().filter_map(|position| other_board(position)).collect();
    let start = Instant::now();
    let sides = [chess::Color::White, chess::Color::Black];
    let is_dead =
        |board: &&chess::Board| sides.iter().all(|&side| chasolver::is_unwinnable_fast(board, side));
    let dead = boards.iter().filter(|board| is_dead(&black_box(*board))).count();
    println!("  chasolver  {:>12.0} ns on average, {dead} dead", nanos(start.elapsed()));
}

fn main() {
    // `cargo test --benches` runs this too: then only a little of it.
    let count = if std::env::args().any(|arg| arg == "--bench") { 200 } else { 2 };
    let blocked: Vec<Question> =
        BLOCKED.iter().flat_map(|fen| both_sides(Position::from_fen(fen).unwrap())).collect();
    compare("blocked positions", &blocked);
    let games = games(count);
    let ends: Vec<Question> = games.iter().flat_map(|game| both_sides(game[game.len() - 1])).collect();
    compare("ends of games", &ends);
    quick(&games);
    if let Ok(path) = std::env::var("ADOUBE_DEAD") {
        compare(&path, &read(&path));
    }
}
