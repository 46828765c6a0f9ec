//! No text brings the readers of FEN and EPD down, and whatever they accept can be written, read again and played.

#![no_main]

use adoube::board::{Board, FenStyle, Position};
use adoube::notation::epd::parse_epd;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(epd) = parse_epd(text)
        && text.lines().count() == 1
    {
        assert_eq!(parse_epd(&epd.to_line(FenStyle::XFen)), Ok(epd));
    }
    let (strict, lenient) = (Board::from_fen(text), Board::from_fen_lenient(text));
    if strict.is_ok() {
        assert_eq!(strict, lenient);
    }
    let Ok(board) = lenient else { return };
    assert_eq!(board.validate(), Ok(()));
    for style in [FenStyle::XFen, FenStyle::Shredder] {
        assert_eq!(Board::from_fen(&board.to_fen(style)), Ok(board));
    }
    let position = Position::from(board);
    for mv in position.legal_moves() {
        assert!(position.is_legal(mv));
        assert_eq!(position.after(mv).validate(), Ok(()));
    }
});
