//! No line brings the reader of the journal down, and a game that it accepts is written and read again as the same: as a line,
//! and its moves as PGN, whatever its engines said.

#![no_main]

use adoube::notation::pgn_reader::PgnReader;
use adoube::tournament::config::{MatchConfig, PgnConfig, Player};
use adoube::tournament::entry::Entry;
use adoube::tournament::pgn::to_pgn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    let Ok(entry) = Entry::from_line(line) else { return };
    assert_eq!(Entry::from_line(&entry.to_line()).as_ref(), Ok(&entry));
    let config = MatchConfig { players: vec![Player::default(); 2], ..MatchConfig::default() };
    if entry.fixture.white.max(entry.fixture.black) > 1 {
        return;
    }
    let moves: Vec<_> =
        entry.book.iter().copied().chain(entry.moves.iter().map(|played| played.mv)).collect();
    for commands in [false, true] {
        let text = to_pgn(&entry, &config, &PgnConfig { commands, pv: true, ..PgnConfig::default() });
        let mut games: Vec<_> = PgnReader::new(text.as_bytes()).collect();
        assert_eq!(games.len(), 1, "{text}");
        let again = games.remove(0).expect("legal moves");
        assert_eq!(again.moves.iter().map(|played| played.mv).collect::<Vec<_>>(), moves, "{text}");
    }
});
