//! Our reader of PGN against the crate `pgn-reader`, and against texts that are none.

mod support;

use adoube::board::{FenStyle, Position};
use adoube::notation::pgn::{GameRecord, PgnNotation};
use adoube::notation::pgn_reader::{PgnErrorKind, PgnGame, PgnReader};
use adoube::notation::san::to_san;
use adoube::types::{Color, Outcome};
use pgn_reader::shakmaty::fen::Fen;
use pgn_reader::shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use pgn_reader::{Nag, RawTag, Reader, SanPlus, Visitor};
use proptest::prelude::*;
use rand::RngExt;
use std::ops::ControlFlow;

/// What both readers find in a game: tags, plies, the last position, the signs behind moves, the result.
#[derive(PartialEq, Eq, Debug, Default)]
struct Summary {
    tags: Vec<(String, String)>,
    plies: usize,
    last: String,
    nags: Vec<u8>,
    result: String,
}

struct Theirs;

impl Visitor for Theirs {
    type Tags = Summary;
    type Movetext = (Summary, Chess);
    type Output = Option<Summary>;

    fn begin_tags(&mut self) -> ControlFlow<Option<Summary>, Summary> {
        ControlFlow::Continue(Summary::default())
    }

    fn tag(&mut self, tags: &mut Summary, name: &[u8], value: RawTag<'_>) -> ControlFlow<Option<Summary>> {
        let name = String::from_utf8_lossy(name).into_owned();
        tags.tags.push((name, value.decode_utf8_lossy().trim().to_string()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Summary) -> ControlFlow<Option<Summary>, (Summary, Chess)> {
        let fen = tags.tags.iter().find(|(name, _)| name == "FEN");
        let position = fen.map_or(Some(Chess::default()), |(_, fen)| {
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).ok()
        });
        match position {
            Some(position) => ControlFlow::Continue((tags, position)),
            None => ControlFlow::Break(None),
        }
    }

    fn san(&mut self, (game, position): &mut (Summary, Chess), san: SanPlus) -> ControlFlow<Option<Summary>> {
        match san.san.to_move(position) {
            Ok(mv) => position.play_unchecked(mv),
            Err(_) => return ControlFlow::Break(None),
        }
        game.plies += 1;
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (game, _): &mut (Summary, Chess), nag: Nag) -> ControlFlow<Option<Summary>> {
        game.nags.push(nag.0);
        ControlFlow::Continue(())
    }

    fn outcome(
        &mut self,
        (game, _): &mut (Summary, Chess),
        outcome: pgn_reader::Outcome,
    ) -> ControlFlow<Option<Summary>> {
        game.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (mut game, position): (Summary, Chess)) -> Option<Summary> {
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        game.last = fen.rsplitn(3, ' ').last().unwrap().to_string();
        Some(game)
    }
}

fn theirs(pgn: &[u8]) -> Vec<Option<Summary>> {
    let mut reader = Reader::build(pgn).set_supported_comment_length(1 << 16).finish();
    let mut games = vec![];
    while let Some(game) = reader.read_game(&mut Theirs).unwrap() {
        games.push(game);
    }
    games
}

fn summary(game: PgnGame) -> Summary {
    let fen = game.end().to_fen(FenStyle::XFen);
    Summary {
        plies: game.moves.len(),
        last: fen.rsplitn(3, ' ').last().unwrap().to_string(),
        nags: game.moves.into_iter().flat_map(|played| played.nags).collect(),
        result: game.outcome.to_string(),
        tags: game.tags,
    }
}

fn ours(pgn: &[u8]) -> Vec<Option<Summary>> {
    PgnReader::new(pgn).map(|game| game.ok().map(summary)).collect()
}

fn compare(pgn: &[u8]) -> usize {
    let (ours, theirs) = (ours(pgn), theirs(pgn));
    for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(ours, theirs, "game {}", number + 1);
    }
    assert_eq!(ours.len(), theirs.len());
    ours.len()
}

/// A random game, with variations and remarks strewn in.
fn write_game(random: &mut impl rand::Rng) -> String {
    let start = Position::from(support::start(
        if random.random_bool(0.5) { support::Variant::Standard } else { support::Variant::Chess960 },
        &mut support::random(random.next_u64()),
    ));
    let tags = vec![("Event".to_string(), format!("a \"{}\" \\", random.random_range(0..9)))];
    let mut position = start;
    let mut moves = vec![];
    for _ in 0..random.random_range(0..120) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[random.random_range(0..legal.len())];
        moves.push((mv, String::new()));
        position = position.after(mv);
    }
    let outcomes = [Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw];
    let outcome = outcomes[random.random_range(0..3)];
    let game = GameRecord {
        tags,
        start,
        moves: moves.clone(),
        preface: String::new(),
        outcome,
        notation: PgnNotation::San,
    }
    .to_string();
    let (head, _) = game.split_once("\n\n").unwrap();
    let mut text = format!("{head}\n\n");
    position = start;
    for (mv, _) in moves {
        text += &to_san(mv, &position);
        text += [
            " ",
            "\n",
            "! ",
            " $14 ",
            " {x (y} ",
            " (1. xx (zz {)}) $3 yy!) ",
            " ; to the end ) \n",
            "\n%( escape\n",
        ][random.random_range(0..8)];
        position = position.after(mv);
    }
    text + &format!(" {outcome}\n\n")
}

#[test]
fn another_reader_finds_the_same_in_random_games() {
    let mut random = support::random(7);
    let text: String = (0..300).map(|_| write_game(&mut random)).collect();
    assert_eq!(compare(text.as_bytes()), 300);
    assert!(ours(text.as_bytes()).iter().all(Option::is_some), "what neither can read proves nothing");
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(ours(crlf.as_bytes()), ours(text.as_bytes()));
}

/// Files from elsewhere, named by ADOUBE_PGN with commas between them; their games must be without mistakes.
#[test]
#[ignore = "needs files"]
fn another_reader_finds_the_same_in_files_from_elsewhere() {
    let files = std::env::var("ADOUBE_PGN").expect("ADOUBE_PGN names files");
    for file in files.split(',') {
        let text = std::fs::read(file).unwrap();
        println!("{file}: {} games", compare(&text));
    }
}

#[test]
fn an_input_that_fails_is_told_once() {
    struct Broken(usize);
    impl std::io::Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0 += 1;
            if self.0 > 1 {
                return Err(std::io::Error::other("the cable"));
            }
            buffer[..8].copy_from_slice(b"1. e4 e5");
            Ok(8)
        }
    }
    let games: Vec<_> = PgnReader::new(Broken(0)).take(9).collect();
    let [Err(error)] = &games[..] else { panic!("{games:?}") };
    assert!(matches!(error.kind, PgnErrorKind::Io(_)) && error.to_string().contains("the cable"), "{error}");
}

/// Pieces of PGN, whole and broken.
fn fragment() -> impl Strategy<Value = Vec<u8>> {
    let known: Vec<&[u8]> = vec![
        b"[Event \"x\"]\n",
        b"[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n",
        b"[",
        b"\"",
        b"]",
        b"{",
        b"}",
        b"(",
        b")",
        b";",
        b"\n",
        b"\r\n",
        b"%",
        b"$1",
        b"$999",
        b"1.",
        b"1...",
        b"e4",
        b" e5 ",
        b"Nf3",
        b"O-O",
        b"0-0",
        b"1-0",
        b"1/2",
        b"-1/2",
        b"*",
        b"!?",
        b"e8(Q)",
        b"e.p.",
        b"\xef\xbb\xbf",
        b"\xe2\x99",
        b"\xff",
        b"\0",
        b"\\",
        b" ",
    ];
    prop_oneof![
        9 => prop::sample::select(known).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..20),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_bring_the_reader_down(
        parts in prop::collection::vec(fragment(), 0..60),
        plies in prop_oneof![Just(usize::MAX), 0..3_usize],
        block in 1..300_usize,
    ) {
        let text = parts.concat();
        let whole: Vec<_> = PgnReader::new(&text[..]).with_most_plies(plies).collect();
        let pieces: Vec<_> = PgnReader::with_block(&text[..], block).with_most_plies(plies).collect();
        prop_assert_eq!(whole.len(), pieces.len());
        let mut before = 0;
        for (game, again) in whole.iter().zip(pieces) {
            // The size of the blocks changes nothing.
            prop_assert_eq!(game.as_ref().map_err(ToString::to_string), again.as_ref().map_err(ToString::to_string));
            let Ok(game) = game else { continue };
            prop_assert!(game.moves.len() <= plies && game.offset >= before);
            before = game.offset;
            // What begins at the offset is this game, but for a % that no longer begins a line.
            let there = PgnReader::new(&text[game.offset as usize..]).with_most_plies(plies).next();
            let Some(Ok(there)) = there else { panic!("{}", text.escape_ascii()) };
            prop_assert_eq!(&there.moves, &game.moves, "{}", text.escape_ascii());
        }
    }
}
