//! Moves as the Laws of Chess write them (FIDE Laws of Chess 2023, appendix C; 2005, appendix E), in the letters of any
//! language.

use super::letters::Letters;
use super::san::distinction;
use crate::board::Position;
use crate::types::{CastlingSide, Move, MoveKind, PieceType};

/// The sign of mate; C.13 knows both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MateSign {
    /// `#`
    #[default]
    Hash,
    /// `++`, which some old books have for double check.
    TwoPlus,
}

/// What is written and what is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FideStyle {
    /// Whose letters.
    pub letters: &'static Letters,
    /// The square of departure in full: `Ng1f3`, `e7e5` (C.8 of 2023).
    pub long: bool,
    /// `x` in captures (C.9; the edition of 2005 wants it).
    pub captures: bool,
    /// `+` for check and the sign of mate (C.13).
    pub checks: bool,
    /// `e.p.`, in Spanish `a.p.` (C.9).
    pub en_passant: bool,
    /// How mate is written.
    pub mate: MateSign,
}

impl FideStyle {
    /// The short form with every sign.
    pub const fn new(letters: &'static Letters) -> FideStyle {
        FideStyle {
            letters,
            long: false,
            captures: true,
            checks: true,
            en_passant: true,
            mate: MateSign::Hash,
        }
    }

    /// The short form without the signs that C.13 leaves to the player: `ed6`, `Dd4`, `De3`.
    pub const fn plain(letters: &'static Letters) -> FideStyle {
        FideStyle { captures: false, checks: false, en_passant: false, ..FideStyle::new(letters) }
    }
}

/// Writes a legal move of `position`. Castling has the digit zero, a promotion no equals sign (C.11, C.13).
pub fn to_fide(mv: Move, position: &Position, style: &FideStyle) -> String {
    let mut text = without_signs(mv, position, style);
    if mv.kind() == MoveKind::EnPassant && style.en_passant {
        text.push(' ');
        text += style.letters.en_passant;
    }
    if style.checks {
        let next = position.after(mv);
        if next.in_check() {
            // The sign of check stands at the move: `bxa6+ a.p.`
            let sign = match (next.has_no_moves(), style.mate) {
                (false, _) => "+",
                (true, MateSign::Hash) => "#",
                (true, MateSign::TwoPlus) => "++",
            };
            let place = text.find(' ').unwrap_or(text.len());
            text.insert_str(place, sign);
        }
    }
    text
}

fn without_signs(mv: Move, position: &Position, style: &FideStyle) -> String {
    let (from, to) = (mv.from(), mv.to());
    if let Some(side) = mv.castling_side() {
        return match side {
            CastlingSide::King => "0-0".into(),
            CastlingSide::Queen => "0-0-0".into(),
        };
    }
    let kind = position.kind_on(from).unwrap_or(PieceType::Pawn);
    let capture = position.is_capture(mv);
    let letter = if kind == PieceType::Pawn { "" } else { style.letters.of(kind) };
    let origin = match kind {
        _ if style.long => from.to_string(),
        PieceType::Pawn if capture => from.file().to_string(),
        PieceType::Pawn => String::new(),
        _ => distinction(mv, kind, position),
    };
    let sign = if capture && style.captures { "x" } else { "" };
    let promoted = mv.promoted().map_or("", |kind| style.letters.of(kind));
    format!("{letter}{origin}{sign}{to}{promoted}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::letters::FIGURINE;
    use crate::notation::uci_move::parse_uci;

    fn spanish() -> FideStyle {
        FideStyle::new(Letters::find("es").unwrap())
    }

    fn written(fen: &str, uci: &str, style: FideStyle) -> String {
        let position = Position::from_fen(fen).unwrap();
        to_fide(parse_uci(uci, &position).unwrap(), &position, &style)
    }

    #[test]
    fn moves_have_the_letters_of_the_language() {
        let start = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";
        assert_eq!(written(start, "f1b5", spanish()), "Ab5");
        assert_eq!(written(start, "f3e5", spanish()), "Cxe5");
        assert_eq!(written(start, "f3e5", FideStyle::plain(spanish().letters)), "Ce5");
        assert_eq!(written(start, "d2d4", spanish()), "d4");
        assert_eq!(written(start, "f1b5", FideStyle::new(FIGURINE)), "♗b5");
        let long = FideStyle { long: true, ..spanish() };
        assert_eq!(written(start, "f1b5", long), "Af1b5");
        assert_eq!(written(start, "d2d4", long), "d2d4");
        assert_eq!(written(start, "f3e5", long), "Cf3xe5");
    }

    #[test]
    fn c10_twins_are_told_apart_by_file_else_rank_else_both_and_only_if_both_may_move() {
        let english = FideStyle::new(Letters::find("en").unwrap());
        assert_eq!(written("4r1k1/8/8/8/8/1N6/4N3/4K3 w - - 0 1", "b3d4", english), "Nd4", "e2 is pinned");
        assert_eq!(written("6k1/8/8/8/8/1N6/4N3/4K3 w - - 0 1", "b3d4", english), "Nbd4");
        assert_eq!(written("6k1/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g5f3", spanish()), "C5f3");
        assert_eq!(written("6k1/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "h4e4", english), "Qh4e4");
    }

    #[test]
    fn c9_to_c13_signs_are_written_or_left_out() {
        let en_passant = "8/1k6/8/pP6/8/8/4K3/8 w - a6 0 1";
        assert_eq!(written(en_passant, "b5a6", spanish()), "bxa6+ a.p.");
        assert_eq!(written(en_passant, "b5a6", FideStyle::new(Letters::find("de").unwrap())), "bxa6+ e.p.");
        assert_eq!(written(en_passant, "b5a6", FideStyle::plain(spanish().letters)), "ba6");
        assert_eq!(written(en_passant, "b5a6", FideStyle { captures: false, ..spanish() }), "ba6+ a.p.");
        assert_eq!(written("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", spanish()), "a8D");
        assert_eq!(written("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n", spanish()), "a8C");
        let mate = "7k/6pp/8/8/8/8/8/K3R3 w - - 0 1";
        assert_eq!(written(mate, "e1e8", spanish()), "Te8#");
        assert_eq!(written(mate, "e1e8", FideStyle { mate: MateSign::TwoPlus, ..spanish() }), "Te8++");
        assert_eq!(written(mate, "e1e8", FideStyle { checks: false, ..spanish() }), "Te8");
        let castling = "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert_eq!(written(castling, "e1g1", spanish()), "0-0+");
        assert_eq!(written(castling, "e1c1", FideStyle { long: true, ..spanish() }), "0-0-0");
    }
}
