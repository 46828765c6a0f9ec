//! Whatever a reader of moves accepts is legal, and its writer gives it a spelling that reads back as the same move.

#![no_main]

use adoube::board::{Position, chess960};
use adoube::notation::announce::{parse_announcement, to_announcement};
use adoube::notation::comment::MoveNote;
use adoube::notation::fide::{FideStyle, to_fide};
use adoube::notation::fide_reader::parse_fide;
use adoube::notation::lan::to_lan;
use adoube::notation::letters::LANGUAGES;
use adoube::notation::san::{parse_san, to_san};
use adoube::notation::uci_move::{parse_uci, to_uci};
use adoube::types::Color;
use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    /// The arrays of White and Black; the higher numbers mean standard chess.
    arrays: (u16, u16),
    /// Which language's letters are read and written.
    language: u8,
    /// Which of the legal moves is played, and again.
    moves: Vec<u8>,
    text: &'a str,
}

fn position(input: &Input) -> Position {
    let (white, black) = match input.arrays {
        (white, _) if white >= 2 * chess960::ARRAYS => (518, 518),
        (white, _) if white >= chess960::ARRAYS => (white, white),
        arrays => arrays,
    };
    let mut position = Position::from(chess960::start(white, black));
    for &choice in input.moves.iter().take(300) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        position = position.after(legal[usize::from(choice) % legal.len()]);
    }
    position
}

fuzz_target!(|input: Input| {
    let (position, text) = (position(&input), input.text);
    let letters = &LANGUAGES[usize::from(input.language) % LANGUAGES.len()];
    let mut accepted = vec![];
    match parse_fide(text, &position, letters) {
        Ok(mv) => accepted.push(mv),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    accepted.extend(parse_san(text, &position));
    accepted.extend(parse_uci(text, &position));
    accepted.extend(parse_announcement(text, &position));
    // Moves that no text has hit on are worth a look too.
    let legal = position.legal_moves();
    accepted.extend(input.moves.first().and_then(|&choice| legal.get(usize::from(choice))));
    for mv in accepted {
        assert!(position.is_legal(mv));
        assert_eq!(parse_san(&to_san(mv, &position), &position), Ok(mv));
        assert_eq!(parse_san(&to_lan(mv, &position), &position), Ok(mv));
        for chess960 in [false, true] {
            assert_eq!(parse_uci(&to_uci(mv, &position, chess960), &position), Ok(mv));
        }
        assert_eq!(parse_announcement(&to_announcement(mv, &position), &position), Ok(mv));
        for style in [FideStyle::new(letters), FideStyle::plain(letters)] {
            for style in [style, FideStyle { long: true, ..style }] {
                assert_eq!(parse_fide(&to_fide(mv, &position, &style), &position, letters), Ok(mv));
            }
        }
    }
    for mover in Color::ALL {
        let note = MoveNote::parse(text, mover);
        let again = MoveNote::parse(&note.to_commands(mover), mover);
        assert_eq!(again, note);
    }
});
