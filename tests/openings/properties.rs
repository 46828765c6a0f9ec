//! What holds for any bytes and any text.

use super::{START, Temporary, config};
use crate::support;
use adoube::board::{FenStyle, Position};
use adoube::notation::epd::{Epd, Operation, parse_epd};
use adoube::openings::polyglot;
use adoube::openings::{OpeningsConfig, Suite};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_bring_a_suite_down(bytes in prop::collection::vec(any::<u8>(), 0..400), records in any::<bool>()) {
        for (ending, plies) in [("epd", None), ("pgn", Some(2)), ("bin", Some(3))] {
            let mut bytes = bytes.clone();
            if ending == "bin" && records {
                // A book's start, so that something is looked at.
                bytes.truncate(bytes.len() / 16 * 16);
                for record in bytes.chunks_mut(16) {
                    record[..8].copy_from_slice(&polyglot::key(&Position::default()).to_be_bytes());
                }
            }
            let file = Temporary::new(ending, &bytes);
            let config = OpeningsConfig { plies, ..config(&file.0) };
            if let Ok((suite, _)) = Suite::open(&config, 3, 20) {
                for number in 0..suite.len() as u64 {
                    prop_assert!(suite.get(number).is_ok());
                }
            }
        }
    }

    #[test]
    fn an_epd_reads_back(id in ".{0,20}", value in "[a-z0-9 ]{1,9}", seed in any::<u64>(), plies in 0..60_usize) {
        let mut position = Position::from(support::start(support::Variant::DoubleChess960, &mut support::random(seed)));
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[seed as usize % moves.len()]);
        }
        let epd = Epd { position, operations: vec![Operation::new("id", id), Operation::new("x", value)] };
        prop_assert_eq!(parse_epd(&epd.to_line(FenStyle::XFen)), Ok(epd.clone()));
        prop_assert_eq!(parse_epd(&epd.to_line(FenStyle::Shredder)), Ok(epd));
    }

    #[test]
    fn no_text_brings_the_epd_reader_down(
        parts in prop::collection::vec(
            prop::sample::select(vec!["id", "hmvc", "\"", "\\", ";", " ", "9", "\u{fc}", "-", "/", "K", "\t", START]), 0..16,
        ),
        any in any::<String>(),
    ) {
        let text = parts.concat();
        for text in [text.clone(), any, format!("{START} {text}"), format!("{START} id \"{text}")] {
            if let Err(error) = parse_epd(&text) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}
