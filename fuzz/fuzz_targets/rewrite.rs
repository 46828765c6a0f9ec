//! What `notate` writes of a game, with its tags, comments and glyphs, reads as one game with the same moves and result, and
//! is written again in the same way.

#![no_main]

use adoube::notation::pgn_reader::{PgnGame, PgnReader};
use adoube::notation::rewrite::rewrite;
use adoube::notation::spelling::Spelling;
use adoube::types::Move;
use libfuzzer_sys::fuzz_target;

fn moves(game: &PgnGame) -> Vec<(Move, &[u8])> {
    game.moves.iter().map(|played| (played.mv, &played.nags[..])).collect()
}

fuzz_target!(|bytes: &[u8]| {
    // What has neither is no game when it is read again: a result alone.
    for game in
        PgnReader::new(bytes).flatten().filter(|game| !(game.tags.is_empty() && game.moves.is_empty()))
    {
        // A longer name is none to the reader.
        if game.tags.iter().any(|(name, _)| name.len() > 60) {
            continue;
        }
        for spelling in [Spelling::San, Spelling::Lan] {
            let text = rewrite(&game, spelling);
            let mut games: Vec<_> = PgnReader::new(text.as_bytes()).collect();
            assert_eq!(games.len(), 1, "{text}");
            let again = games.remove(0).expect("legal moves");
            assert_eq!((moves(&again), again.outcome), (moves(&game), game.outcome), "{text}");
            assert_eq!(rewrite(&again, spelling), text);
        }
    }
});
