//! No file of openings brings its readers down; what they accept when they index the file they can draw too, and no opening
//! that is drawn is over.

#![no_main]

use adoube::openings::suite::Suite;
use adoube::openings::{Format, OpeningsConfig};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, content)) = bytes.split_first() else { return };
    let format = match kind % 3 {
        0 => Format::Epd,
        1 => Format::Pgn,
        _ => Format::Polyglot,
    };
    let path = std::env::temp_dir().join(format!("adoube-fuzz-{}", std::process::id()));
    std::fs::write(&path, content).expect("a file");
    let plies = (kind & 16 != 0).then_some(u32::from(kind >> 5));
    let config = OpeningsConfig { plies, standard: kind & 8 != 0, ..OpeningsConfig::new(&path, format) };
    if let Ok((suite, _)) = Suite::open(&config, u64::from(kind), 20) {
        for number in 0..(suite.len() as u64).min(30) {
            let opening = suite.get(number).expect("what was found before");
            assert_eq!(opening.why_over(config.laws), None);
        }
    }
});
