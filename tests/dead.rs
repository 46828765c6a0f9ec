//! Whether a side can still mate, against the crate `chasolver` and against plain reachability.

mod support;

use adoube::board::{Board, FenStyle, Position};
use adoube::laws::dead::{Answer, DEFAULT_NODES, Solver};
use adoube::types::{Color, Piece, PieceType, Rank, Square};
use chasolver::Winnability;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt};
use std::collections::HashSet;
use support::{Variant, random, random_positions};

/// Walls of pawns, with bishops, knights and gaps, to make small changes to.
const BLOCKED: [&str; 14] = [
    "8/2k5/1p1p1p2/1P1P1P2/8/3K4/8/8 w - - 0 1",
    "8/1k3b2/p1p1p1p1/P1P1P1P1/8/8/2B1K3/8 w - - 0 1",
    "2b1k3/8/p2p1p1p/P1pP1P1P/2P5/8/3BK3/8 w - - 0 1",
    "8/4k1b1/1p1p2p1/pP1Pp1P1/P3P3/5B2/3K4/8 w - - 0 1",
    "1b2k3/p1p1p1p1/P1P1P1P1/8/8/8/8/2B1K3 w - - 0 1",
    "k1b5/p1p1p3/P1P1P1p1/6P1/8/1B6/8/K7 b - - 0 1",
    "8/8/2k3b1/p1p2p1p/P1P2P1P/2K1B3/8/8 w - - 0 1",
    "5bk1/5p1p/4pPpP/4P1P1/8/8/1B6/6K1 w - - 0 1",
    "8/p7/Pp1k1p2/1Pp1pPp1/2P1P1P1/3B4/3K4/8 w - - 0 1",
    "6k1/4p1p1/p1p1P1P1/P1P5/3b1p2/5P2/3K1B2/8 b - - 0 1",
    "8/k7/p1p1p1p1/P1P1P1P1/1b1B4/8/4K1N1/8 w - - 0 1",
    "b6k/1p1p1p1p/1P1P1P1P/8/8/8/B7/K7 w - - 0 1",
    "8/5p2/k1p1pPp1/p1P1P1P1/P7/1B1K1b2/8/8 b - - 0 1",
    "kb6/p1p2p1p/PpP2P1P/1P6/8/8/6P1/K7 b - - 0 1",
];

type Men = [Option<Piece>; 64];

fn men_of(board: &Board) -> Men {
    std::array::from_fn(|index| board.piece_on(Square::ALL[index]))
}

/// The position with these men, if it is one.
fn position_of(men: &Men, to_move: Color) -> Option<Position> {
    let mut fen = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        for file in 0..8 {
            fen.push(men[rank.index() * 8 + file].map_or('1', Piece::letter));
        }
        fen.push(if rank == Rank::First { ' ' } else { '/' });
    }
    let digits = |count: usize| char::from_digit(count as u32, 10).unwrap().to_string();
    for count in (2..=8).rev() {
        fen = fen.replace(&"1".repeat(count), &digits(count));
    }
    fen.push(to_move.letter());
    fen.push_str(" - - 0 1");
    Position::from_fen(&fen).ok()
}

fn any_square(random: &mut impl Rng) -> usize {
    random.random_range(0..64)
}

fn any_man(random: &mut impl Rng) -> Piece {
    let kind = PieceType::ALL[random.random_range(0..5)];
    Piece::new(kind, Color::ALL[random.random_range(0..2)])
}

fn any_side(random: &mut impl Rng) -> Color {
    Color::ALL[random.random_range(0..2)]
}

/// One man of a blocked position is taken off, put elsewhere or added.
fn mutation(random: &mut impl Rng) -> Option<Position> {
    let board = Board::from_fen(BLOCKED[random.random_range(0..BLOCKED.len())]).unwrap();
    let mut men = men_of(&board);
    let occupied: Vec<usize> = (0..64).filter(|&square| men[square].is_some()).collect();
    let from = occupied[random.random_range(0..occupied.len())];
    let is_king = men[from].map(Piece::kind) == Some(PieceType::King);
    match random.random_range(0..4) {
        0 if !is_king => men[from] = None,
        1 => {
            let to = any_square(random);
            if men[to].is_some() {
                return None;
            }
            men[to] = men[from].take();
        }
        2 => {
            let to = any_square(random);
            if men[to].is_some() {
                return None;
            }
            men[to] = Some(any_man(random));
        }
        3 if !is_king => men[from] = Some(any_man(random)),
        _ => return None,
    }
    position_of(&men, any_side(random))
}

/// Kings and up to four men.
fn small(random: &mut impl Rng, most: usize) -> Option<Position> {
    let mut men: Men = [None; 64];
    men[any_square(random)] = Some(Piece::WhiteKing);
    men[any_square(random)] = Some(Piece::BlackKing);
    for _ in 0..random.random_range(0..=most) {
        let square = any_square(random);
        if men[square].is_none() {
            men[square] = Some(any_man(random));
        }
    }
    position_of(&men, any_side(random))
}

/// Positions of all kinds: a third changed walls, a third small material, a third from random games, late ones.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = random(seed);
    let mut found = vec![];
    while found.len() < count / 3 {
        found.extend(mutation(&mut random));
    }
    while found.len() < 2 * count / 3 {
        found.extend(small(&mut random, 4));
    }
    found.extend(ends_of_games(count - found.len(), &mut random));
    found
}

fn ends_of_games(count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<Position> {
    let mut found = vec![];
    let mut last: Option<Position> = None;
    random_positions(Variant::Standard, 40 * count, random, |position| {
        if let Some(last) = last.take_if(|last| position.fullmove_number() < last.fullmove_number()) {
            found.push(last);
        }
        if position.fullmove_number() % 10 == 3 {
            found.push(*position);
        }
        last = Some(*position);
    });
    found.truncate(count);
    found
}

/// Plays the line and checks that its end is the mate it claims to be.
fn replay(position: &Position, side: Color, line: &[adoube::types::Move]) {
    let fen = position.to_fen(FenStyle::XFen);
    let mut position = *position;
    for &mv in line {
        assert!(position.is_legal(mv), "{fen}: {mv:?} is not legal");
        position = position.after(mv);
    }
    assert!(position.is_checkmate() && position.side_to_move() == !side, "{fen}: no mate at the end");
}

fn oracle(position: &Position, side: Color) -> Option<bool> {
    let board: chess::Board = position.to_fen(FenStyle::XFen).parse().ok()?;
    let side = if side == Color::White { chess::Color::White } else { chess::Color::Black };
    Some(matches!(chasolver::winnability(&board, side)?, Winnability::Winnable { .. }))
}

/// Compares answer by answer; at most one in a hundred may be left open.
fn compare(count: usize, seed: u64) {
    let mut solver = Solver::new();
    let (mut winnable, mut unwinnable, mut undetermined, mut without_oracle) = (0, 0, 0, 0);
    for position in positions(count, seed) {
        let fen = position.to_fen(FenStyle::XFen);
        let mut dead = true;
        for side in Color::ALL {
            let answer = solver.can_win(&position, side, DEFAULT_NODES);
            let expected = oracle(&position, side);
            without_oracle += u32::from(expected.is_none());
            match answer {
                Answer::Winnable(line) => {
                    replay(&position, side, &line);
                    assert_ne!(expected, Some(false), "{fen}: {side} can mate, says only ours");
                    winnable += 1;
                    dead = false;
                }
                Answer::Unwinnable => {
                    assert_ne!(expected, Some(true), "{fen}: {side} cannot mate, says only ours");
                    unwinnable += 1;
                }
                Answer::Undetermined => {
                    undetermined += 1;
                    dead = false;
                }
            }
        }
        if solver.is_dead_quick(&position) {
            assert!(dead, "{fen} is not dead");
        }
    }
    println!(
        "winnable {winnable}, unwinnable {unwinnable}, undetermined {undetermined}, no oracle {without_oracle}"
    );
    assert!(undetermined * 100 <= winnable + unwinnable, "{undetermined} undetermined");
    assert!(without_oracle * 100 <= winnable + unwinnable, "{without_oracle} without an oracle");
}

#[test]
fn chasolver_agrees() {
    compare(1_000, 1);
}

#[test]
#[ignore = "minutes"]
fn chasolver_agrees_on_many_positions() {
    compare(12_000, 2);
}

/// Whether `side` mates in some position that can be reached; nothing if there are more than `limit`.
fn reaches_mate(root: &Position, side: Color, limit: usize) -> Option<bool> {
    let mut seen = HashSet::from([root.key()]);
    let mut waiting = vec![*root];
    while let Some(position) = waiting.pop() {
        let moves = position.legal_moves();
        if moves.is_empty() && position.in_check() && position.side_to_move() != side {
            return Some(true);
        }
        for mv in moves {
            let next = position.after(mv);
            if seen.insert(next.key()) {
                waiting.push(next);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(false)
}

#[test]
fn reachability_agrees() {
    let mut random = random(3);
    let mut solver = Solver::new();
    let mut decided = [0; 2];
    for round in 0..4_000 {
        let Some(position) = (if round % 2 == 0 { small(&mut random, 2) } else { mutation(&mut random) })
        else {
            continue;
        };
        for side in Color::ALL {
            let Some(mates) = reaches_mate(&position, side, 2_000) else { continue };
            decided[usize::from(mates)] += 1;
            let fen = position.to_fen(FenStyle::XFen);
            match solver.can_win(&position, side, DEFAULT_NODES) {
                Answer::Winnable(line) => {
                    replay(&position, side, &line);
                    assert!(mates, "{fen}: {side} does not mate anywhere");
                }
                Answer::Unwinnable => assert!(!mates, "{fen}: {side} mates somewhere"),
                Answer::Undetermined => panic!("{fen}: {side} undetermined, and so few positions"),
            }
        }
    }
    assert!(decided.into_iter().all(|count| count >= 40), "{decided:?}");
}

#[test]
fn dead_positions_come_only_at_the_end_of_a_random_game() {
    let mut solver = Solver::new();
    let mut checked = 0;
    random_positions(Variant::Chess960, 20_000, &mut random(4), |position| {
        if solver.is_dead_quick(position) {
            checked += 1;
            for side in Color::ALL {
                let answer = solver.can_win(position, side, DEFAULT_NODES);
                assert_eq!(answer, Answer::Unwinnable, "{}", position.to_fen(FenStyle::XFen));
            }
        }
    });
    assert!(checked > 0, "random games end with bare kings now and then");
}

/// A queen, and any bishop but one, only guards the squares where the knight could mate: first they are given away.
#[test]
fn a_knight_mates_against_queens_and_bishops() {
    let mut solver = Solver::new();
    for fen in [
        "1K1kB3/8/8/8/n7/7Q/8/8 w - - 0 1",
        "8/8/8/8/2Qn4/8/8/k1K3B1 w - - 0 1",
        "1Q3K2/2B5/8/n7/8/3Q4/8/7k w - - 0 1",
        "8/1n3K2/8/8/8/B3Q3/1Bk5/8 w - - 0 1",
        "8/8/1k6/7B/B5n1/5B1K/8/8 w - - 0 1",
        "8/1B6/K7/8/1kn5/7B/8/8 w - - 0 1",
        "8/K7/8/3k4/8/3BQ3/n1B5/4Q3 w - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        match solver.can_win(&position, Color::Black, DEFAULT_NODES) {
            Answer::Winnable(line) => replay(&position, Color::Black, &line),
            other => panic!("{fen}: {other:?}"),
        }
    }
}
