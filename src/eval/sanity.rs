//! Positions whose value everybody knows, about: what a network says of them that cannot be right.
//!
//! The bounds are wide. A network outside them has learnt from too little or from something broken; one inside may be bad
//! all the same.

use super::{Evaluation, static_score};
use crate::board::{Board, Position};
use std::fmt;

/// The largest value that is about nothing, in internal units.
const ABOUT_EVEN: i32 = 60;
/// No value is larger.
const MOST: i32 = 100_000;

/// What it is, the position with White to move, and what it is worth to White at least and at most, in internal units.
const EXPECTED: [(&str, &str, i32, i32); 14] = [
    ("the start position", Board::START_FEN, -ABOUT_EVEN, ABOUT_EVEN),
    ("a queen less", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", -2500, -600),
    ("a rook less", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", -1300, -300),
    ("a bishop less", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RN1QKBNR w KQkq - 0 1", -900, -200),
    ("a knight less", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1", -900, -200),
    ("a pawn less", "rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR w KQkq - 0 1", -300, -20),
    ("a queen more", "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 600, 2500),
    ("a rook more", "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1", 300, 1300),
    ("a pawn more", "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20, 400),
    ("rooks and pawns alike", "2r3k1/pp3ppp/8/8/8/8/PP3PPP/2R3K1 w - - 0 25", -ABOUT_EVEN, ABOUT_EVEN),
    ("a pawn about to promote", "8/4P1k1/7p/8/8/7P/6K1/8 w - - 0 60", 100, MOST),
    ("king and queen", "8/8/8/4k3/8/8/3Q4/3K4 w - - 0 60", 500, MOST),
    ("king and rook", "8/8/8/4k3/8/8/3R4/3K4 w - - 0 60", 300, MOST),
    ("bare kings", "8/8/8/3k4/8/8/8/3K4 w - - 0 60", -ABOUT_EVEN, ABOUT_EVEN),
];

/// A value that cannot be right, in internal units for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What position it is.
    pub what: &'static str,
    /// The position.
    pub fen: String,
    /// What the evaluation says.
    pub value: i32,
    /// The least and the largest value that might be right.
    pub expected: [i32; 2],
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { what, fen, value, expected: [least, most] } = self;
        write!(f, "{what} ({fen}) is worth {value:+} units, ")?;
        match (*least, *most) {
            (least, most) if least == most => write!(f, "and {most:+} with the colours exchanged"),
            (least, MOST) => write!(f, "expected {least:+} at least"),
            (least, most) => write!(f, "expected {least:+} to {most:+}"),
        }
    }
}

/// All that an evaluation says of our positions that cannot be right: values out of their bounds, and any difference when
/// the colours are exchanged.
pub fn findings(evaluation: &Evaluation) -> Vec<Finding> {
    check(&|position| static_score(position, evaluation).units())
}

fn check(evaluate: &dyn Fn(&Position) -> i32) -> Vec<Finding> {
    let value = |fen: &str| Position::from_fen(fen).ok().map(|position| evaluate(&position));
    let mut findings = vec![];
    for (what, fen, least, most) in EXPECTED {
        let exchanged = with_colors_exchanged(fen);
        let (Some(white), Some(black)) = (value(fen), value(&exchanged)) else { continue };
        if !(least..=most).contains(&white) {
            findings.push(Finding { what, fen: fen.to_string(), value: white, expected: [least, most] });
        }
        if black != white {
            findings.push(Finding { what, fen: exchanged, value: black, expected: [white; 2] });
        }
    }
    findings
}

/// The same position with Black in White's place; of FENs without an en passant square.
fn with_colors_exchanged(fen: &str) -> String {
    let mut fields = fen.split(' ');
    let mut next = || fields.next().unwrap_or_default();
    let exchange = |text: &str| -> String {
        let other =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(other).collect()
    };
    let ranks: Vec<&str> = next().split('/').rev().collect();
    let board = exchange(&ranks.join("/"));
    let side = if next() == "w" { "b" } else { "w" };
    // White's castling rights come first.
    let (white, black): (Vec<char>, Vec<char>) =
        exchange(next()).chars().partition(|c| !c.is_ascii_lowercase());
    let rights: String = white.into_iter().chain(black).collect();
    let rest: Vec<&str> = fields.collect();
    format!("{board} {side} {rights} {}", rest.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::{Architecture, Inputs, Network};
    use crate::types::Color;
    use std::sync::Arc;

    #[test]
    fn the_network_inside_has_learnt_what_everybody_knows() {
        let findings = findings(&Evaluation::internal().unwrap());
        assert!(findings.is_empty(), "{findings:#?}");
    }

    #[test]
    fn every_position_can_be_read_and_is_another_with_the_colours_exchanged() {
        for (what, fen, least, most) in EXPECTED {
            let position = Position::from_fen(fen).unwrap();
            assert!(least < most, "{what}");
            let exchanged = with_colors_exchanged(fen);
            let other = Position::from_fen(&exchanged).unwrap();
            assert_eq!(with_colors_exchanged(&exchanged), fen, "{what}");
            for square in position.occupied() {
                let (here, there) = (position.piece_on(square), other.piece_on(square.flip_rank()));
                let same =
                    here.zip(there).is_some_and(|(a, b)| a.kind() == b.kind() && a.color() == !b.color());
                assert!(same, "{what}");
            }
        }
    }

    #[test]
    fn a_network_that_knows_nothing_is_found_out() {
        let zero = Network::zero(Architecture::new(Inputs::Mirrored, 32, 1)).unwrap();
        let found = findings(&Evaluation::Network(Arc::new(zero)));
        // All that is not about even.
        let uneven = EXPECTED.iter().filter(|(.., least, most)| !(*least..=*most).contains(&0));
        assert!(found.iter().map(|finding| finding.what).eq(uneven.map(|(what, ..)| *what)), "{found:#?}");
        assert_eq!(
            found[0].to_string(),
            "a queen less (rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1) is worth +0 units, expected \
             -2500 to -600"
        );
    }

    #[test]
    fn a_value_that_depends_on_the_colours_is_found_out() {
        let good = Evaluation::internal().unwrap();
        let for_white = |position: &Position| {
            let value = static_score(position, &good).units();
            if position.side_to_move() == Color::White { value } else { value + 1 }
        };
        let found = check(&for_white);
        let exchanged = found.iter().filter(|finding| finding.expected[0] == finding.expected[1]);
        assert_eq!(exchanged.count(), EXPECTED.len());
        let start = "the start position (rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1) is worth ";
        assert!(found[0].to_string().starts_with(start), "{}", found[0]);
        assert!(found[0].to_string().ends_with(" with the colours exchanged"), "{}", found[0]);
    }
}
