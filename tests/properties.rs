//! What must hold for every position and every text: what we write we read back, and no text brings a reader down.

mod support;

use adoube::board::{Board, FenStyle, Position, chess960};
use adoube::notation::{san, uci_move};
use adoube::types::{CastlingSide, Color, MoveKind, Piece, PieceType, Rank, Square};
use proptest::prelude::*;

/// A position after some moves of standard chess, Chess960 or double Chess960, each chosen by a number.
fn position() -> impl Strategy<Value = Position> {
    let start = prop_oneof![
        Just((518, 518)),
        (0..chess960::ARRAYS).prop_map(|array| (array, array)),
        (0..chess960::ARRAYS, 0..chess960::ARRAYS),
    ];
    (start, prop::collection::vec(any::<u8>(), 0..160)).prop_map(|((white, black), choices)| {
        let mut position = Position::from(chess960::start(white, black));
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[usize::from(choice) % moves.len()]);
        }
        position
    })
}

/// A change of one character, at a place that wraps round the text's end.
#[derive(Clone, Debug)]
enum Change {
    Delete(usize),
    Insert(usize, char),
    Replace(usize, char),
    Swap(usize, usize),
}

/// Mostly characters that mean something in a FEN or a move: others are refused too soon to find much.
fn character() -> impl Strategy<Value = char> {
    let known: Vec<char> = "pnbrqkPNBRQK12345678/ wb-KQkqabcdefghAH0369_x+#=O:e.p.".chars().collect();
    prop_oneof![9 => prop::sample::select(known), 1 => any::<char>()]
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let place = 0..100_usize;
    let change = prop_oneof![
        place.clone().prop_map(Change::Delete),
        (place.clone(), character()).prop_map(|(place, new)| Change::Insert(place, new)),
        (place.clone(), character()).prop_map(|(place, new)| Change::Replace(place, new)),
        (place.clone(), place).prop_map(|(a, b)| Change::Swap(a, b)),
    ];
    prop::collection::vec(change, 1..5)
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for change in changes {
        let length = text.len();
        match *change {
            Change::Insert(place, new) => text.insert(place % (length + 1), new),
            _ if length == 0 => {}
            Change::Delete(place) => drop(text.remove(place % length)),
            Change::Replace(place, new) => text[place % length] = new,
            Change::Swap(a, b) => text.swap(a % length, b % length),
        }
    }
    text.into_iter().collect()
}

/// Each castling right has its king and its rook, and an en-passant square its capture.
fn rights_are_real(position: &Position) {
    let fen = position.to_fen(FenStyle::Shredder);
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(rook) = position.castling_rights().rook(color, side) {
                let king = position.king(color);
                assert_eq!(king.rank(), Rank::First.relative_to(color), "{fen}");
                assert_eq!(CastlingSide::of(king, rook), side, "{fen}");
                assert_eq!(position.piece_on(rook), Some(Piece::new(PieceType::Rook, color)), "{fen}");
            }
        }
    }
    let captures = position.legal_moves().into_iter().filter(|mv| mv.kind() == MoveKind::EnPassant).count();
    assert_eq!(position.en_passant().is_some(), captures > 0, "{fen}");
}

/// Reads `text` as a FEN in both ways. Whatever is accepted must be a position that can be written, read and played.
fn read_fen(text: &str) {
    let (strict, lenient) = (Board::from_fen(text), Board::from_fen_lenient(text));
    if strict.is_ok() {
        assert_eq!(strict, lenient, "{text}");
    }
    for read in [strict, lenient] {
        match read {
            Err(error) => assert!(!error.to_string().is_empty(), "{text:?}: {error:?}"),
            Ok(board) => {
                assert_eq!(board.validate(), Ok(()), "{text}");
                for style in [FenStyle::XFen, FenStyle::Shredder] {
                    assert_eq!(Board::from_fen(&board.to_fen(style)), Ok(board), "{text}");
                }
                let position = Position::from(board);
                rights_are_real(&position);
                for mv in position.legal_moves() {
                    assert!(position.is_legal(mv), "{text} {mv:?}");
                    assert_eq!(position.after(mv).validate(), Ok(()), "{text} {mv:?}");
                }
            }
        }
    }
}

/// Reads `text` as a move in both notations. Whatever is accepted must be legal.
fn read_move(text: &str, position: &Position) {
    match san::parse_san(text, position) {
        Err(error) => assert!(!error.to_string().is_empty(), "{text:?}: {error:?}"),
        Ok(mv) => assert!(position.is_legal(mv), "{text} {mv:?}"),
    }
    match uci_move::parse_uci(text, position) {
        Err(error) => assert!(!error.to_string().is_empty(), "{text:?}: {error:?}"),
        Ok(mv) => assert!(position.is_legal(mv), "{text} {mv:?}"),
    }
}

/// Positions are quick to make, so four times as many cases as PROPTEST_CASES says or proptest holds for enough. No
/// file is kept of those that failed: the message has all that is needed.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.saturating_mul(4), failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn fens_read_back(position in position()) {
        let board = *position.board();
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            let fen = position.to_fen(style);
            prop_assert_eq!(Board::from_fen(&fen), Ok(board), "{}", fen);
            for blank in [" ", "_", "\t", "  ", " \r\n"] {
                let text = fen.replace(' ', blank);
                prop_assert_eq!(Board::from_fen_lenient(&text), Ok(board), "{:?}", text);
            }
            let four_fields = fen.rsplitn(3, ' ').last().unwrap_or_default();
            let with_counters = format!("{four_fields} 0 1");
            prop_assert_eq!(Board::from_fen_lenient(four_fields), Board::from_fen(&with_counters));
            prop_assert!(Board::from_fen(four_fields).is_err());
        }
    }

    #[test]
    fn rights_are_part_of_the_key(position in position()) {
        rights_are_real(&position);
        let fen = position.to_fen(FenStyle::Shredder);
        let fields: Vec<&str> = fen.split(' ').collect();
        let letters: Vec<char> = fields[2].chars().filter(|&letter| letter != '-').collect();
        // All that can be left of the rights: every set of castling letters, with and without the capture.
        let mut keys = std::collections::HashMap::new();
        for set in 0..1_usize << letters.len() {
            let kept: String = (0..letters.len()).filter(|n| set >> n & 1 != 0).map(|n| letters[n]).collect();
            for en_passant in [fields[3], "-"] {
                let castling = if kept.is_empty() { "-" } else { &kept };
                let fen = [fields[0], fields[1], castling, en_passant, "0", "1"].join(" ");
                let key = Position::from_fen(&fen).unwrap().key();
                let same = keys.entry(key).or_insert_with(|| fen.clone());
                prop_assert_eq!(&*same, &fen, "two positions, one key");
            }
        }
    }

    #[test]
    fn moves_read_back_however_they_are_written(position in position()) {
        let fen = position.to_fen(FenStyle::Shredder);
        let mut seen = std::collections::HashSet::new();
        for mv in position.legal_moves() {
            let strict = san::to_san(mv, &position);
            prop_assert!(seen.insert(strict.clone()), "{} twice in {}", strict, fen);
            for text in [vec![strict], support::sloppy_spellings(mv, &position)].concat() {
                prop_assert_eq!(san::parse_san(&text, &position), Ok(mv), "{:?} in {}", text, fen);
            }
            for text in [uci_move::to_uci(mv, &position, true), uci_move::to_uci(mv, &position, false)] {
                prop_assert_eq!(uci_move::parse_uci(&text, &position), Ok(mv), "{} in {}", text, fen);
                let capitals = text.to_ascii_uppercase();
                prop_assert_eq!(uci_move::parse_uci(&capitals, &position), Ok(mv), "{} in {}", capitals, fen);
            }
        }
    }

    #[test]
    fn a_damaged_fen_is_refused_or_is_a_position(
        position in position(),
        damages in prop::collection::vec(changes(), 20),
        shredder in any::<bool>(),
    ) {
        let fen = position.to_fen(if shredder { FenStyle::Shredder } else { FenStyle::XFen });
        damages.iter().for_each(|damage| read_fen(&changed(&fen, damage)));
    }

    #[test]
    fn from_any_square_to_any_square_is_refused_or_is_legal(
        position in position(),
        from in prop::sample::select(&Square::ALL[..]),
    ) {
        for to in Square::ALL {
            for promoted in ["", "q", "n"] {
                let text = format!("{from}{to}{promoted}");
                read_move(&text, &position);
                prop_assert!(from != to || uci_move::parse_uci(&text, &position).is_err());
            }
        }
    }

    #[test]
    fn a_damaged_move_is_refused_or_is_legal(position in position(), damages in prop::collection::vec(changes(), 4)) {
        for mv in position.legal_moves() {
            let texts = [san::to_san(mv, &position), uci_move::to_uci(mv, &position, true)];
            for damage in &damages {
                texts.iter().for_each(|text| read_move(&changed(text, damage), &position));
            }
        }
    }

    #[test]
    fn any_text_is_read_without_panic(
        position in position(),
        known in prop::collection::vec(character(), 0..100),
        text in any::<String>(),
    ) {
        for text in [text, known.iter().collect(), known.iter().take(6).collect()] {
            read_fen(&text);
            read_move(&text, &position);
        }
    }
}
