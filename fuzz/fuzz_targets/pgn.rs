//! No file brings the readers of games down; games that they accept are written again in every notation, and what was
//! written reads as the same moves.

#![no_main]

use adoube::notation::decode;
use adoube::notation::fide::FideStyle;
use adoube::notation::letters::{LANGUAGES, Letters};
use adoube::notation::national::read_games;
use adoube::notation::pgn_reader::{PgnGame, PgnReader};
use adoube::notation::rewrite::{rewrite, to_json};
use adoube::notation::sheet::score_sheet;
use adoube::notation::spelling::Spelling;
use adoube::types::Move;
use libfuzzer_sys::fuzz_target;

fn moves(game: &PgnGame) -> Vec<Move> {
    game.moves.iter().map(|played| played.mv).collect()
}

/// Tags and comments may have anything in them that ends a game for the reader; the moves alone must read back.
fn bare(game: &PgnGame) -> PgnGame {
    let mut bare = game.clone();
    bare.tags = vec![("FEN".into(), game.start.to_fen(adoube::board::FenStyle::Shredder))];
    if game.chess960 {
        bare.tags.push(("Variant".into(), "Chess960".into()));
    }
    bare.comment.clear();
    bare.moves.iter_mut().for_each(|played| played.comment.clear());
    bare
}

fn write_again(game: &PgnGame, letters: &'static Letters) {
    let fide = Spelling::Fide(FideStyle::new(letters));
    for spelling in
        [Spelling::San, Spelling::Lan, Spelling::Uci { chess960: true }, Spelling::Announced, fide]
    {
        assert!(!rewrite(game, spelling).is_empty());
    }
    let _ = (score_sheet(game, fide, true), to_json(game, fide));
    let bare = bare(game);
    for spelling in [Spelling::San, Spelling::Lan] {
        let text = rewrite(&bare, spelling);
        let again = PgnReader::new(text.as_bytes()).next().expect("a game").expect("legal moves");
        assert_eq!((moves(&again), again.outcome), (moves(game), game.outcome));
    }
    let again = read_games(&rewrite(&bare, fide), letters).remove(0).expect("legal moves");
    assert_eq!((moves(&again), again.outcome), (moves(game), game.outcome));
}

fuzz_target!(|bytes: &[u8]| {
    let letters = &LANGUAGES[bytes.len() % LANGUAGES.len()];
    for block in [1, 1 << 16] {
        for game in PgnReader::with_block(bytes, block) {
            match game {
                Ok(game) => write_again(&game, letters),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    for game in read_games(&decode(bytes), letters) {
        match game {
            Ok(game) => write_again(&game, letters),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
