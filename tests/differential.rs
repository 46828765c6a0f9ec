//! Our rules against those of the crate `shakmaty`, on positions of random games.

mod support;

use adoube::board::{FenStyle, Keys, Position};
use adoube::movegen::Portion;
use adoube::notation::{san, uci_move};
use adoube::types::Move;
use rand::RngExt;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::collections::BTreeMap;
use support::Variant;

/// UCI and SAN of every legal move.
type Moves = BTreeMap<String, String>;

fn our_moves(position: &Position) -> Moves {
    let moves = position.legal_moves();
    let named: Moves =
        moves.iter().map(|&mv| (uci_move::to_uci(mv, position, true), san::to_san(mv, position))).collect();
    assert_eq!(named.len(), moves.len(), "a move comes twice in {}", position.to_fen(FenStyle::XFen));
    named
}

fn their_moves(position: &Chess) -> Moves {
    let name = |mv: shakmaty::Move| {
        let uci = mv.to_uci(CastlingMode::Chess960).to_string();
        (uci, SanPlus::from_move(position.clone(), mv).to_string())
    };
    position.legal_moves().into_iter().map(name).collect()
}

/// Compares everything that both programs can say about a position.
fn compare(position: &Position) {
    let fen = position.to_fen(FenStyle::XFen);
    let shredder = position.to_fen(FenStyle::Shredder);
    let theirs: Chess = shredder
        .parse::<Fen>()
        .unwrap_or_else(|error| panic!("{shredder}: {error}"))
        .into_position(CastlingMode::Chess960)
        .unwrap_or_else(|error| panic!("{shredder}: {error}"));
    assert_eq!(our_moves(position), their_moves(&theirs), "{fen}");
    let their_fen = Fen::from_position(&theirs, EnPassantMode::Legal).to_string();
    assert_eq!(fen, their_fen, "the en-passant square or the castling rights");
    assert_eq!(position.in_check(), theirs.is_check(), "{fen}");
    assert_eq!(position.in_check() && position.has_no_moves(), theirs.is_checkmate(), "{fen}");
    assert_eq!(!position.in_check() && position.has_no_moves(), theirs.is_stalemate(), "{fen}");
    assert_eq!(position.is_insufficient_material(), theirs.is_insufficient_material(), "{fen}");
    for text in [&fen, &shredder] {
        assert_eq!(Position::from_fen(text).as_ref(), Ok(position), "{text} does not read back");
    }
}

/// What must hold inside our own rules.
fn examine(position: &Position, any_moves: &[Move]) {
    let fen = position.to_fen(FenStyle::XFen);
    let all = position.legal_moves();
    let (captures, quiets) = (position.moves(Portion::Captures), position.moves(Portion::Quiets));
    assert_eq!(captures.len() + quiets.len(), all.len(), "{fen}");
    for &mv in &all {
        assert!(position.is_pseudo_legal(mv) && position.is_legal(mv), "{fen} {mv:?}");
        assert!(captures.contains(&mv) != quiets.contains(&mv), "{fen} {mv:?}");
        let noisy = position.is_noisy(mv);
        assert_eq!(captures.contains(&mv), noisy, "{fen} {mv:?}");
        let next = position.after(mv);
        assert_eq!(*next.keys(), Keys::of(&next), "{fen} {mv:?}");
        assert_eq!(next, Position::from(*next.board()), "{fen} {mv:?}");
        assert_eq!(position.gives_check(mv), next.in_check(), "{fen} {mv:?}");
        for text in [uci_move::to_uci(mv, position, true), uci_move::to_uci(mv, position, false)] {
            assert_eq!(uci_move::parse_uci(&text, position), Ok(mv), "{fen} {text}");
        }
        let text = san::to_san(mv, position);
        assert_eq!(san::parse_san(&text, position), Ok(mv), "{fen} {text}");
    }
    // Moves that came out of nowhere, as from a torn table entry.
    for &mv in any_moves {
        assert_eq!(position.is_legal(mv), all.contains(&mv), "{fen} {mv:?}");
    }
}

fn run(variant: Variant, count: usize, seed: u64) {
    let mut random = support::random(seed);
    let mut noise = support::random(seed + 1);
    support::random_positions(variant, count, &mut random, |position| {
        compare(position);
        let any_moves: Vec<Move> = (0..300).filter_map(|_| Move::from_bits(noise.random::<u16>())).collect();
        examine(position, &any_moves);
    });
}

#[test]
fn standard_chess() {
    run(Variant::Standard, 60_000, 1);
}

#[test]
fn chess960() {
    run(Variant::Chess960, 40_000, 2);
}

#[test]
fn double_chess960() {
    run(Variant::DoubleChess960, 20_000, 3);
}
