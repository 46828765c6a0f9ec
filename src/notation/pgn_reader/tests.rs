use super::*;
use crate::board::FenStyle;
use crate::notation::pgn::{GameRecord, PgnNotation};
use crate::notation::san::to_san;

fn games(text: &[u8]) -> Vec<Result<PgnGame, String>> {
    // A small block, so that everything is cut somewhere.
    PgnReader::with_block(text, 1).map(|game| game.map_err(|error| error.to_string())).collect()
}

fn only(text: &str) -> PgnGame {
    let [Ok(game)] = &games(text.as_bytes())[..] else { panic!("{:?}", games(text.as_bytes())) };
    game.clone()
}

fn sans(game: &PgnGame) -> String {
    let mut position = game.start;
    let san = |played: &PgnMove| {
        let san = to_san(played.mv, &position);
        position = position.after(played.mv);
        san
    };
    game.moves.iter().map(san).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_game_has_tags_moves_comments_signs_and_a_result() {
    let text = "[Event \"A\"]\n[Result \"1-0\"]\n\n{before} 1. e4! {one} $10 {two} (1. d4 {no} (1. c4) d5 1-0) \
                1... e5 ; to the end (\n2. Nf3!? 1/2-1/2\n";
    let game = only(text);
    assert_eq!(sans(&game), "e4 e5 Nf3");
    assert_eq!((game.tag("Event"), game.tag("Site")), (Some("A"), None));
    assert_eq!(game.comment, "before");
    assert_eq!((game.moves[0].comment.as_str(), &game.moves[0].nags[..]), ("one two", &[1, 10][..]));
    assert_eq!(game.moves[1].comment, "to the end (");
    assert_eq!(game.moves[2].nags, [5]);
    assert_eq!(game.outcome, Outcome::Draw, "what stands behind the moves counts");
    assert_eq!((game.line, game.offset), (1, 0));
    assert_eq!(only("[Result \"0-1\"]\n\n1. e4").outcome, Outcome::Win(Color::Black));
}

#[test]
fn moves_are_read_in_many_spellings() {
    let game = only(
        "1.e2-e4 e7e5 2.g1f3 Nb8c6 3 Bf1b5 g8f6 4 0-0 ♞f6xe4 5. d4 b7-b6? 6 dxe5 Bb7 7 Re1 d5 8 exd6 e.p. *",
    );
    assert_eq!(sans(&game), "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4 b6 dxe5 Bb7 Re1 d5 exd6");
    let fen = "rnbq1kr1/pp1p4/7p/n5bR/2pPPP2/1PP2Q2/PB2B3/RN4K1 w - - 2 21";
    for (text, read) in [("b3c4", Some("bxc4")), ("B3C4", Some("bxc4")), ("B3c4", None), ("B3xc4", None)] {
        let read_as = games(format!("[FEN \"{fen}\"]\n\n21. {text} *").as_bytes()).pop().unwrap();
        assert_eq!(read_as.ok().map(|game| sans(&game)).as_deref(), read, "{text}: no bishop stands on b3");
    }
    for sign in ["e.p.", "ep", "e.p.+", "ep#"] {
        let game = only(&format!("1 e4 Nf6 2 e5 d5 3 exd6 {sign} *"));
        assert_eq!(sans(&game), "e4 Nf6 e5 d5 exd6", "{sign}");
    }
    let game = only("[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9\"] 9. 00 000 10 Kg2 *");
    assert_eq!(sans(&game), "O-O O-O-O Kg2");
    let game = only("[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9\"] e1g1 e8c8 *");
    assert_eq!(sans(&game), "O-O O-O-O");
    let game = only(
        "[Variant \"Chess 960\"][FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"] e1g1 O-O-O *",
    );
    assert_eq!((sans(&game).as_str(), game.chess960), ("O-O O-O-O", true));
    assert_eq!(
        game.start.to_fen(FenStyle::Shredder),
        "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"
    );
}

#[test]
fn castling_may_have_a_sign_between_its_squares() {
    let fen = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9\"]\n\n";
    for (text, read) in [
        ("e1-g1 e8-c8", "O-O O-O-O"),
        ("e1-c1!? e8-g8", "O-O-O O-O"),
        ("e1g1! e8c8", "O-O O-O-O"),
        ("e1:h1+- e8-c8=", "O-O O-O-O"),
    ] {
        assert_eq!(sans(&only(&format!("{fen}{text} *"))), read, "{text}");
    }
    let check = "[FEN \"5k2/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. e1-g1+ f8-e7 *";
    assert_eq!(sans(&only(check)), "O-O+ Ke7");
    let shuffled = "[Variant \"Chess960\"]\n[FEN \"1rk4r/8/8/8/8/8/3P4/1RK4R b HBhb - 0 1\"]\n\n";
    assert_eq!(sans(&only(&format!("{shuffled}c8xb8 c1-g1 *"))), "O-O-O O-O");
    // Where it is not legal, that is an illegal move.
    let bare = "[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n";
    for (fen, text) in [(bare, "e1-g1"), (bare, "e1xh1"), (fen, "e1-h2"), (fen, "e1-e3")] {
        let found = games(format!("{fen}{text} *").as_bytes()).remove(0);
        assert!(found.unwrap_err().ends_with(&format!("no legal move is '{text}'")), "{text}");
    }
}

#[test]
fn an_escape_may_follow_the_byte_order_mark_and_judgements_a_move() {
    let game = only("\u{feff}% hello {\n1. e4+- e5-+ 2. Nf3+/- Nc6+= 3. Bb5=+ a6-/+ 4. O-O+- *");
    assert_eq!(sans(&game), "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
    let nags: Vec<&[u8]> = game.moves.iter().map(|played| &played.nags[..]).collect();
    assert_eq!(nags, [18, 19, 16, 14, 15, 17, 18].each_ref().map(std::slice::from_ref));
}

#[test]
fn judgements_glued_to_a_move_are_those_that_stand_by_themselves() {
    let line = |judged: &str| {
        let game = only(&format!("1.d3 e5 2.Nf3 Bb4{judged} *"));
        assert_eq!(sans(&game), "d3 e5 Nf3 Bb4+", "{judged}");
        game.moves[3].nags.clone()
    };
    // The move gives check: the first plus is its sign, unless only both together mean something.
    for (judged, nags) in [
        ("", &[][..]),
        ("+", &[]),
        ("++", &[]),
        ("#", &[]),
        ("-", &[]),
        ("=", &[10]),
        ("+=", &[10]),
        ("++=", &[14]),
        ("+-", &[18]),
        ("++-", &[18]),
        ("-+", &[19]),
        ("+-+", &[19]),
        ("+++-", &[18]),
        ("+\u{2212}", &[18]),
        ("=+", &[15]),
        ("+=+", &[15]),
        ("+=/+", &[15]),
        ("+/=", &[14]),
        ("++/-", &[16]),
        ("±", &[16]),
        ("+\u{221e}", &[13]),
        ("!±", &[1, 16]),
        ("+!?+/-", &[5, 16]),
    ] {
        assert_eq!(line(judged), nags, "{judged}");
    }
    let judged = |text: &str| only(text).moves.iter().map(|played| played.nags.clone()).collect::<Vec<_>>();
    assert_eq!(judged("1.e4+= e5 2.Nf3= *"), [vec![14], vec![], vec![10]]);
    assert_eq!(judged("1.e4 Nf6 2.e5 d5 3.exd6 e.p.+- *")[4], [18]);
    // No promotion's sign is a judgement, and behind one it may stand.
    let promoted =
        |mv: &str| judged(&format!("[FEN \"8/4P2k/8/8/8/8/8/K7 w - - 0 1\"] 1. {mv} *"))[0].clone();
    for (mv, nags) in
        [("e8=Q", &[][..]), ("e8Q=", &[10]), ("e8=Q=", &[10]), ("e8=Q+-", &[18]), ("e8(R)=", &[10])]
    {
        assert_eq!(promoted(mv), nags, "{mv}");
    }
}

#[test]
fn a_text_that_is_not_kept_whole_is_told_with_its_line() {
    let cut = |text: &str| PgnReader::new(text.as_bytes()).next().unwrap().unwrap().cut_text();
    let long = "x".repeat(1 << 20);
    for (text, line) in [
        (format!("1. e4\n{{{long}y}} e5 *"), Some(2)),
        (format!("1. e4 e5\n\n;{long}y\n*"), Some(3)),
        (format!("1. e4 e5 1-0 {{{long}y}}\n"), Some(1)),
        (format!("[Event \"x\"]\n[Site \"{long}y\"]\n\n1. e4 *"), Some(2)),
        (format!("1. e4 {{{long}}} e5 *"), None),
        (format!("1. e4 (1. d4\n{{{long}y}}) e5 *"), None),
        (format!("1. e4\n%{long}y\ne5 *"), None),
    ] {
        let told =
            line.map(|line| format!("line {line}: a text of more than 1 MiB, of which the rest is left out"));
        assert_eq!(cut(&text).map(|error| error.to_string()), told, "{}", &text[..20]);
    }
    let two = format!("1. e4 e5 *\n[Event \"{long}y\"]\n\n1. d4 *");
    let games: Vec<PgnGame> = PgnReader::new(two.as_bytes()).map(Result::unwrap).collect();
    assert_eq!([games[0].cut, games[1].cut], [None, Some(2)]);
}

#[test]
fn games_are_told_apart_whatever_is_missing() {
    let text = "\u{feff}1. e4 * 1. d4 1-0 * \n[Event \"a\"]\n1. c4\n\n[Event \"b\"]\n[Event \"c\"]\n\n{x} 1. Nf3 (1. a3\n\
                [Event \"d\"]\n\n1. b3 {never closed\n[Event \"e\"]\n\n 1. g3 {at the end";
    let found: Vec<(String, u64)> = games(text.as_bytes())
        .into_iter()
        .map(|game| game.unwrap())
        .map(|game| (format!("{}:{}", game.tag("Event").unwrap_or("-"), sans(&game)), game.line))
        .collect();
    let expected =
        [("-:e4", 1), ("-:d4", 1), ("a:c4", 2), ("b:", 5), ("c:Nf3", 6), ("d:b3", 9), ("e:g3", 12)];
    assert_eq!(found, expected.map(|(game, line)| (game.to_string(), line)));
    assert!(games(b"").is_empty() && games(b" * {x} 1-0 \r\n").is_empty());
}

#[test]
fn a_bracket_that_is_never_closed_is_known_with_its_line() {
    let text = "1. e4 (1. d4) e5 *\n1. c4\n(1. b3 (1. b4)\n1. b3 *\n[Event \"b\"]\n\n1. d4 d5\n{so\n2. c4 *\n\
                [Event \"c\"]\n\n1. e4 (1. c4 {in\n) e5 1-0\n[Event \"d\"]\n\n1. e4 1-0\n{late";
    let found: Vec<(String, Option<(char, u64)>)> = games(text.as_bytes())
        .into_iter()
        .map(|game| game.unwrap())
        .map(|game| (sans(&game), game.unclosed))
        .collect();
    let expected = [
        ("e4 e5", None),
        ("c4", Some(('(', 3))),
        ("d4 d5", Some(('{', 8))),
        ("e4", Some(('{', 12))),
        ("e4", Some(('{', 17))),
    ];
    assert_eq!(found, expected.map(|(game, unclosed)| (game.to_string(), unclosed)));
    let error = only("1. e4 (e5").closed().unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), error.before.map(|game| sans(&game))),
        ("line 1: '(' is never closed", Some("e4".into()))
    );
    assert!(only("1. e4 (1. d4) *").closed().is_ok());
    // A file that ends within a tag; one that ends its line is read as it was meant.
    let [Ok(whole), Ok(cut)] = &games(b"[Event \"a\"]\n[Site \"b\n\n1. e4 *\n\n[Event \"c\"]\n[Site \"d")[..]
    else {
        panic!("two games")
    };
    assert_eq!((whole.unclosed, cut.unclosed), (None, Some(('[', 7))));
    let [Ok(whole), Ok(cut)] = &games(b"1. e4 *\n\n[Event \"c")[..] else { panic!("two games") };
    assert_eq!((whole.unclosed, cut.unclosed), (None, Some(('[', 3))));
}

#[test]
fn variants_are_known_by_the_names_in_use() {
    for name in ["wild/fr", "Chess 960 (Fischer Random)", "Double Chess960", "Fischerandom"] {
        assert_eq!(rules(name), Some(true), "{name}");
    }
    for name in ["Classical", "Standard Chess", "From Position", ""] {
        assert_eq!(rules(name), Some(false), "{name}");
    }
    for name in ["Antichess", "wild/0", "Crazyhouse"] {
        assert_eq!(rules(name), None, "{name}");
    }
}

#[test]
fn wild_starts_of_fics_are_chess_from_a_position() {
    let read = |variant: &str, fen: &str| {
        let text = format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n1. e4 e5 *");
        games(text.as_bytes()).remove(0)
    };
    let shuffled = "qbkrnbnr/pppppppp/8/8/8/8/PPPPPPPP/QBKRNBNR w - - 0 1";
    for variant in ["wild/1", "wild/2", "Wild/3", "wild/4", "wild/8a"] {
        let game = read(variant, shuffled).unwrap();
        assert_eq!((sans(&game).as_str(), game.chess960), ("e4 e5", false), "{variant}");
    }
    assert!(read("wild/1", Board::START_FEN).is_ok(), "kings at home castle as ever");
    assert!(read("wild/2", "8/8").unwrap_err().starts_with("line 2: tag FEN: "));
    let reversed = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (variant, fen) in [("wild/0", reversed), ("wild/0", ""), ("wild/9", shuffled), ("wild/", shuffled)] {
        let error = read(variant, fen).unwrap_err();
        assert!(error.starts_with(&format!("line 1: tag Variant: '{variant}'")), "{error}");
    }
    assert!(read("wild/0", &reversed.replace("KQkq", "KQ")).is_ok());
}

#[test]
fn mistakes_are_told_with_numbers_beyond_four_digits() {
    let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R b - - 0 9999\"]\n\n9999... Kd8 10000. Ke2 Ke8 10001. Kf4 *";
    assert_eq!(games(text.as_bytes()), [Err("line 3: move 10001. no legal move is 'Kf4'".into())]);
}

#[test]
fn a_tag_that_is_not_as_it_should_be_does_not_cut_the_game_in_two() {
    for odd in
        ["[ECO-Code \"x\"]", "[White Elo \"x\"]", "[Annotator]", "[Größe \"x\"]", "[Site “s”]", "[Site s]"]
    {
        let text = format!(
            "[Event \"a\"]\n[FEN \"8/8/8/8/8/4k3/4p3/4K3 b - - 0 40\"]\n{odd}\n[White \"w\"]\n\n40... Kd3 *\n"
        );
        let game = only(&text);
        assert_eq!((sans(&game).as_str(), game.tag("White")), ("Kd3", Some("w")), "{odd}");
    }
    // Behind moves nothing in brackets is one, but for what a game begins with.
    let found = games(b"1. e4\n[with a plan]\n1... e5 *\n1. d4\n[Event b]\n1. c4 *");
    assert_eq!(
        found[0].as_ref().unwrap_err(),
        "line 2: move 1... '[with a plan]' is no move, expected one like Nf3, exd5, e8=Q or O-O"
    );
    let game = |index: usize| found[index].as_ref().unwrap();
    assert_eq!(
        (sans(game(1)).as_str(), sans(game(2)).as_str(), game(2).tag("Event")),
        ("d4", "c4", Some("b"))
    );
    assert_eq!(only("[White “w”]\n1. d4").tag("White"), Some("w"));
    assert_eq!(games("1. e4\n[White “w”]\n[Site s]\n1. d4".as_bytes()).len(), 2);
    assert_eq!(found.len(), 3);
}

#[test]
fn a_mistake_names_its_line_and_the_next_game_is_read() {
    let text = "[Event \"a\"]\r\n\r\n1. e4 e5\r\n2. Ke3 Nc6 3. xx *\r\n\r\n[Event \"b\"]\r\n[FEN \"8/8 w\"]\r\n\r\n*\r\n\
                [Event \"c\"]\r\n[Variant \"Atomic\"]\r\n\r\n1. e4 *\r\n1. -- e5 *\r\n1. e4 *";
    let found = games(text.as_bytes());
    let error = |index: usize| found[index].as_ref().unwrap_err().as_str();
    assert_eq!(error(0), "line 4: move 2. no legal move is 'Ke3'");
    assert!(error(1).starts_with("line 7: tag FEN: "), "{}", error(1));
    assert!(error(2).starts_with("line 11: tag Variant: 'Atomic'"), "{}", error(2));
    assert_eq!(error(3), "line 14: move 1. '--' passes, which is no move");
    assert_eq!(sans(found[4].as_ref().unwrap()), "e4");
    assert_eq!(found.len(), 5);
}

#[test]
fn a_file_that_ends_within_a_move_is_cut_off() {
    let behind =
        |word: &str| games(format!("1. e4 e5\n2. {word}").as_bytes()).remove(0).map(|game| sans(&game));
    for word in ["Nf", "Ke", "d", "1-", "0-", "1/", "1/2-1", "Nf\r\n"] {
        let expected =
            format!("line 2: move 2. the file ends with '{}', and may be cut off", word.trim_end());
        assert_eq!(behind(word), Err(expected));
    }
    let castling = |word: &str| format!("[FEN \"r3k3/8/8/8/8/8/8/4K3 b q - 0 1\"]\n1... {word}");
    for word in ["O-", "O-O-", "0-0-"] {
        assert!(
            games(castling(word).as_bytes())[0].as_ref().unwrap_err().ends_with("may be cut off"),
            "{word}"
        );
    }
    assert!(
        games(b"[FEN \"8/P6k/8/8/8/8/8/7K w - - 0 1\"]\n1. a8=")[0].as_ref().unwrap_err().ends_with("off")
    );
    // A move is a move, and what cannot become one or is not the last is wrong.
    assert_eq!(behind("Nf3"), Ok("e4 e5 Nf3".into()));
    for word in [
        "Nf6",
        "Rb",
        "Ng1",
        "foo",
        "Nf *",
        "Nf 3.",
        "Nf {x}",
        "Nf \u{1a}",
        "Nf (d4)",
        "Nf (d4 d",
        "Nf\n[Event \"x\"]",
    ] {
        assert!(!behind(word).unwrap_err().contains("cut off"), "{word}");
    }
    let error = PgnReader::new(&b"[Result \"1-0\"]\n\n1. e4 e5 2. N"[..]).next().unwrap().unwrap();
    assert_eq!(sans(&error), "e4 e5", "a letter may be a judgement");
    let error = PgnReader::new(&b"1. e4 e5 2. Nf"[..]).next().unwrap().unwrap_err();
    assert_eq!(sans(&error.before.unwrap()), "e4 e5");
}

#[test]
fn what_stands_behind_a_result_is_said_of_the_game_before_it() {
    let text = "1. e4 e5 1-0 {on time} ; late\n[Event \"b\"]\n\n{of b} 1. d4 0-1 {last}\n";
    let found = games(text.as_bytes());
    let game = |index: usize| found[index].as_ref().unwrap();
    assert_eq!(
        (game(0).moves[1].comment.as_str(), game(0).outcome),
        ("on time late", Outcome::Win(Color::White))
    );
    assert_eq!((game(1).comment.as_str(), game(1).moves[0].comment.as_str()), ("of b", "last"));
    assert_eq!((game(1).line, found.len()), (2, 2));
}

#[test]
fn words_behind_a_result_in_its_line_are_said_of_it() {
    for remark in [
        "White wins on time",
        "(time)",
        ", 34 moves",
        "34 moves",
        "in 34.",
        "- Black resigns; c4",
        "Weiß gibt auf",
    ] {
        let text = format!("[Event \"a\"]\n\n1. e4 e5 1-0 {remark}\n\n[Event \"b\"]\n\n1. d4 0-1\n");
        let [Ok(first), Ok(second)] = &games(text.as_bytes())[..] else {
            panic!("{:?}", games(text.as_bytes()))
        };
        assert_eq!((sans(first).as_str(), first.moves[1].comment.as_str()), ("e4 e5", remark));
        assert_eq!((sans(second).as_str(), second.line), ("d4", 5));
    }
    // Games without tags may stand in one line, and a variation ends with its bracket.
    let blanks = format!("1. e4 1-0{}1. d4 *", " ".repeat(70_000));
    for text in [
        "1. e4 1-0 1. d4 *",
        "1. e4 1-0 1 d4 *",
        "e4 1-0 d4 *",
        "1. e4 1-0 \r\nd4 *",
        "1. e4 1-0 ♙d4 *",
        "1. e4 1-0, 1. d4 *",
        "1. e4 1/2 - 1/2 | 1. d4 *",
        "1. e4 1-0) 1. d4 *",
        &blanks,
    ] {
        let [Ok(first), Ok(second)] = &games(text.as_bytes())[..] else { panic!("{text}") };
        assert_eq!([sans(first), sans(second)], ["e4", "d4"], "{text}");
    }
    assert_eq!(sans(&only("1. e4 (1. d4 1-0 by force) 1... e5 *")), "e4 e5");
    // A comment or a tag ends a remark.
    let [Ok(first), Ok(second)] = &games(b"1. e4 1-0 resigns {a\nb} [Event \"c\"]\n1. d4 *")[..] else {
        panic!("two games")
    };
    assert_eq!((first.moves[0].comment.as_str(), second.tag("Event")), ("resigns a b", Some("c")));
    assert_eq!(only("1. e4 1-0\u{1a}").moves[0].comment, "");
}

#[test]
fn a_letter_judges_a_move_unless_it_is_torn_off_the_next() {
    let game = only("1.e4 N e5 = 2.Nf3 D Nc6 N 3. Bb5 *");
    assert_eq!(sans(&game), "e4 e5 Nf3 Nc6 Bb5");
    let nags: Vec<&[u8]> = game.moves.iter().map(|played| &played.nags[..]).collect();
    assert_eq!(nags, [&[146][..], &[10], &[201], &[146], &[]]);
    for text in ["1. N f3 *", "1. e4 e5 2. N f3 Nc6 *", "1. e4 e5 2. N (d4) *"] {
        assert!(games(text.as_bytes())[0].as_ref().unwrap_err().contains("'N' is no move"), "{text}");
    }
    // What a number stands before is whole, and so is what stands behind one.
    let game = only("1.e4 c5 N 2.c3 d5 3.exd5 Qxd5 D 4.d4 Nc6 N 5 Be3 *");
    assert_eq!(sans(&game), "e4 c5 c3 d5 exd5 Qxd5 d4 Nc6 Be3");
    assert_eq!([1, 5, 7].map(|at: usize| game.moves[at].nags[0]), [146, 201, 146]);
    assert_eq!(
        sans(&only("1. e4 e5 2. N(g)f3 Nc6 3. N(b)c3 R(a)b8 4. N(3)xe5 *")),
        "e4 e5 Nf3 Nc6 Nc3 Rb8 Nxe5"
    );
}

#[test]
fn what_could_be_two_things_is_no_move() {
    // A capital letter is a piece in some language, and no pawn's file.
    for (before, mv) in [
        ("1. e4 e5 2.", "Cc3"),
        ("1. e4 e5 2.", "Cf3"),
        ("1. f4 e5 2.", "Fxe5"),
        ("1. d4 d5 2. c4 a6 3.", "Cxd5"),
        ("1.", "Hh3"),
        ("1.", "Dd4"),
        ("1. e4", "D7d5"),
        // Behind a pawn that becomes nothing there a letter judges, perhaps.
        ("1.", "e4N"),
        ("1.", "Nf3N"),
        // A piece that somebody's program could not write.
        ("1. d4", "?f6"),
        ("1. e4 e5 2.", "!?bd2"),
        ("1.", "~c3"),
        ("1. e4 e5 2.", "-f3"),
        // Numeric notation, as in games by correspondence; what is not due as a number can be nothing else.
        ("", "5254"),
        ("1. e4 e5", "7163"),
        ("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 9\"]\n\n9. Kb2 Kg7", "17181"),
    ] {
        let found = games(format!("{before} {mv} *").as_bytes()).remove(0);
        let error = found.err().unwrap_or_else(|| panic!("{mv} is a move"));
        assert!(error.contains(&format!("'{mv}' is no move")), "{error}");
    }
    assert_eq!(sans(&only("1. e4! e5!?Nf3 ?! Nc6 (?) 3. Bb5 ! a6?Ba4 *")), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4");
    assert!(games(b"1. e4 e5 2. Nf3 N?c6 *")[0].as_ref().unwrap_err().contains("'?c6' is no move"));
    let promoted = "[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"]\n\n";
    for how in ["e8(Q)", "e8=(Q)", "e8/(Q)", "e8/Q"] {
        assert_eq!(sans(&only(&format!("{promoted}1. {how} *"))), "e8=Q");
    }
    assert_eq!(sans(&only("1. E2E4 E7E5 2. B1C3 *")), "e4 e5 Nc3");
    let fen = "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1234\"]\n\n";
    assert_eq!(sans(&only(&format!("{fen}1234 a8=Q Kg7 1235 Kb2 *"))), "a8=Q Kg7 Kb2");
}

#[test]
fn a_number_glued_to_a_move_is_the_one_that_is_due() {
    assert_eq!(sans(&only("1e4 e5 2Nf3 2Nc6 3Bb5 *")), "e4 e5 Nf3 Nc6 Bb5");
    // A bishop, as programs that read print see it.
    let error = |text: &str| games(text.as_bytes()).remove(0).unwrap_err();
    assert!(error("1. e4 e5 2. 8c4 d6 *").starts_with("line 1: move 2. '8c4' is no move"));
    assert!(error("1. e4 e5 2. Bc4 d6 3. 8b3 *").starts_with("line 1: move 3. '8b3' is no move"));
    assert!(error("8c4 *").contains("'8c4'"));
    // From a position moves are counted as it says or from one.
    let fen = "[FEN \"4k3/8/8/8/8/4p3/8/R3K2R b KQ - 0 7\"]\n\n";
    for moves in ["7e2 8Kf2 Kd7 9Kxe2", "1e2 2Kf2 Kd7 3Kxe2", "7e2 8Kf2 Kd7 1Kxe2"] {
        let found = games(format!("{fen}{moves} *").as_bytes()).remove(0);
        assert_eq!(
            found.map(|game| game.moves.len()).ok(),
            Some(4),
            "{moves}: a piece's letter is no square"
        );
    }
    assert!(games(format!("{fen}7Kd7 8Kf1 9e2 *").as_bytes()).remove(0).is_err());
    assert_eq!(games(b"1d4 d5 2c4 * 1d4 d5 2c4 *").into_iter().filter(Result::is_ok).count(), 2);
}

#[test]
fn the_sign_of_a_capture_stands_behind_something() {
    for mv in ["xd5", "Xd5", ":d5"] {
        let found = games(format!("1. e4 d5 2. {mv} *").as_bytes()).remove(0);
        assert!(found.unwrap_err().contains(&format!("'{mv}' is no move")));
    }
    assert_eq!(sans(&only("1. e4 d5 2. e×d5 Q:d5 3. Nc3 *")), "e4 d5 exd5 Qxd5 Nc3");
}

#[test]
fn a_game_is_there_up_to_its_mistake() {
    let error =
        PgnReader::new(&b"[White \"a\"]\n\n{x} 1. e4 e5 2. Ke3 Nf6 3. d4 1-0 {y}"[..]).next().unwrap();
    let game = error.unwrap_err().before.unwrap();
    assert_eq!((sans(&game).as_str(), game.outcome), ("e4 e5", Outcome::Win(Color::White)));
    assert_eq!((game.tag("White"), game.comment.as_str(), game.line), (Some("a"), "x", 1));
    let error = PgnReader::new(&b"[FEN \"8/8\"]\n\n1. e4 *"[..]).next().unwrap().unwrap_err();
    assert_eq!(error.before, None);
}

#[test]
fn what_is_no_text_is_no_game() {
    let utf16: Vec<u8> = "\u{feff}1. e4 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, what) in [
        (&b"\x1f\x8b\x08\0"[..], "gzip"),
        (b"\x28\xb5\x2f\xfd\x04", "Zstandard"),
        (b"PK\x03\x04\x14", "zip"),
        (&utf16, "UTF-16"),
    ] {
        let found = games(bytes);
        let [Err(error)] = &found[..] else { panic!("{found:?}") };
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn only_so_many_plies_are_looked_at() {
    let text = &b"1. e4 {a} e5 {b} 2. Ke3?? {c} * 1. d4 *"[..];
    let games: Vec<PgnGame> = PgnReader::new(text).with_most_plies(2).map(Result::unwrap).collect();
    assert_eq!(games.iter().map(sans).collect::<Vec<_>>(), ["e4 e5", "d4"]);
    assert_eq!((games[0].moves[1].comment.as_str(), games[0].moves[1].nags.len()), ("b", 0));
    let again = PgnReader::new(&text[games[1].offset as usize..]).next().unwrap().unwrap();
    assert_eq!(sans(&again), "d4");
}

#[test]
fn what_the_writer_writes_reads_back() {
    let game = only(
        "[Event \"a \\\"b\\\" \\\\\"]\n[FEN \"4k3/8/8/8/8/4p3/8/R3K2R b KQ - 0 7\"]\n Kd8 {x} O-O-O+ Kc8 0-1",
    );
    let tags = vec![("Event".to_string(), game.tag("Event").unwrap().to_string())];
    let moves = game.moves.iter().map(|played| (played.mv, played.comment.clone())).collect();
    let record = GameRecord {
        tags,
        start: game.start,
        moves,
        preface: String::new(),
        outcome: game.outcome,
        notation: PgnNotation::San,
    };
    let again = only(&record.to_string());
    assert_eq!((again.start, &again.moves, again.outcome), (game.start, &game.moves, game.outcome));
    assert_eq!(again.tag("Event"), game.tag("Event"));
}

#[test]
fn games_of_tags_alone_are_apart_where_a_line_is_empty() {
    let text = "[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"1-0\"]\n\n[White \"Carl\"]\n[Result \"0-1\"]\n\n1. e4 e5 0-1\n";
    let [Ok(first), Ok(second)] = &games(text.as_bytes())[..] else { panic!("two games") };
    assert_eq!(
        (first.tag("White"), first.outcome, first.moves.len()),
        (Some("Anna"), Outcome::Win(Color::White), 0)
    );
    assert_eq!(
        (second.tag("White"), second.outcome, second.moves.len()),
        (Some("Carl"), Outcome::Win(Color::Black), 2)
    );
    let fens = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n".repeat(3);
    assert_eq!(games(fens.as_bytes()).into_iter().filter(Result::is_ok).count(), 3);
    // Twice in one block it is one game, and so is a tag that nothing begins with.
    for more in ["[White \"x\"]\n", "\n[ECO \"A00\"]\n"] {
        assert_eq!(
            games(format!("[White \"a\"]\n[ECO \"B00\"]\n{more}\n1. e4 *").as_bytes()).len(),
            1,
            "{more}"
        );
    }
}

#[test]
fn what_web_sites_put_around_a_game_is_none() {
    for begin in ["[pgn]", "[pgn height=500 initialHalfmove=end]"] {
        let text = format!("{begin}\n[Event \"a\"]\n\n1. e4 e6 2. d4 d5 1-0\n[/pgn]\n");
        let [Ok(game)] = &games(text.as_bytes())[..] else { panic!("one game: {text}") };
        assert_eq!((sans(game), game.tags.len()), ("e4 e6 d4 d5".into(), 1));
    }
}

#[test]
fn a_game_does_not_begin_with_a_sign() {
    let text = "9?e4 e5 *";
    let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!((game.offset, game.moves.len()), (2, 2));
    let again = PgnReader::new(&text.as_bytes()[2..]).next().unwrap().unwrap();
    assert_eq!(again.moves, game.moves);
}
