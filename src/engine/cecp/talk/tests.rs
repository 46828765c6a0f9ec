//! Tests of what is made of the lines of an engine.

use super::*;

fn hear(talk: &mut Talk, lines: &[&str]) -> Vec<Said> {
    let now = Instant::now();
    lines.iter().for_each(|line| talk.hear(line.as_bytes(), now));
    std::iter::from_fn(|| talk.take()).map(|(said, _)| said).collect()
}

fn playing(color: Color) -> Talk {
    let mut talk = Talk::default();
    talk.features.any = true;
    talk.begin();
    talk.asked(color);
    talk
}

fn mv(text: &str) -> Said {
    Said::Move(text.into())
}

fn claim(outcome: Outcome, comment: &str) -> Said {
    Said::Result { outcome, comment: comment.to_string() }
}

#[test]
fn what_matters_comes_in_order() {
    let mut talk = playing(Color::White);
    let said = hear(
        &mut talk,
        &["tellics say hello", "offer draw", "# offer draw", "move e2e4", "1/2-1/2 {Draw by repetition}", ""],
    );
    assert_eq!(said, [Said::OfferDraw, mv("e2e4"), claim(Outcome::Draw, "Draw by repetition")]);
    assert!(!talk.thinking && talk.unasked == 0);
    assert_eq!(hear(&mut talk, &["move d2d4", "move"]), [], "nobody asked");
    assert_eq!(talk.unasked, 2);
    talk.asked(Color::White);
    assert_eq!(hear(&mut talk, &["move"]), [mv("")], "a move that is none");
    talk.end();
    assert_eq!(hear(&mut talk, &["resign", "1-0 {White mates}", "move e2e4"]), [], "after the game");
}

#[test]
fn moves_announced_twice_count_once() {
    let mut talk = playing(Color::Black);
    talk.told = "e2e4".to_string();
    let said = hear(&mut talk, &["1. e2e4", "1. ... e2e4", "1. ... d7d5", "My move is : d7d5"]);
    assert_eq!((said, talk.unasked), (vec![mv("d7d5")], 0));
    talk.asked(Color::Black);
    assert_eq!(hear(&mut talk, &["My move is : d7d5", "2. ... Nf6"]), [mv("Nf6")], "said late");
    talk.asked(Color::Black);
    assert_eq!(hear(&mut talk, &["3. ... Nf6"]), [mv("Nf6")], "the same word can be another move");
    talk.asked(Color::Black);
    assert_eq!(hear(&mut talk, &["4. ... g8f6"]), [mv("g8f6")]);
    (talk.thinking, talk.may_repeat) = (true, true);
    assert_eq!(hear(&mut talk, &["My move is : g8f6", "4. ... g8f6"]), [mv("g8f6")], "the same once more");
    assert!(!talk.thinking && !talk.may_repeat);
    talk.asked(Color::Black);
    assert_eq!(hear(&mut talk, &["5. ... Nc6", "My move is : Nc6"]), [mv("Nc6")]);
    assert_eq!(talk.unasked, 0);
}

#[test]
fn a_move_that_is_repeated_is_told_from_one_that_is_said_twice() {
    let mut talk = playing(Color::Black);
    let later = Instant::now() + Duration::from_secs(1);
    assert_eq!(hear(&mut talk, &["move g8f6", "move g8f6"]), [mv("g8f6")]);
    talk.asked(Color::Black);
    assert_eq!(hear(&mut talk, &["move g8f6"]), [], "said at once, it was on its way");
    assert!(talk.thinking && talk.unasked == 0);
    talk.hear(b"My move is : g8f6", later);
    assert_eq!(talk.take(), None, "the other way may take its time");
    talk.hear(b"move g8f6", later);
    assert_eq!(talk.take().map(|(said, _)| said), Some(mv("g8f6")), "an illegal move");
}

#[test]
fn replies_to_a_flood_of_features_have_an_end() {
    let mut talk = playing(Color::White);
    let line = format!("feature {}", "a=1 ".repeat(1000));
    for _ in 0..100 {
        talk.hear(line.as_bytes(), Instant::now());
    }
    assert!((MOST_REPLIES..2 * MOST_REPLIES).contains(&talk.replies.len()), "{}", talk.replies.len());
}

#[test]
fn bare_moves_are_for_engines_without_features() {
    let mut talk = playing(Color::White);
    assert_eq!(hear(&mut talk, &["e2e4"]), []);
    talk.features.any = false;
    talk.told = "e7e5".to_string();
    assert_eq!(hear(&mut talk, &["e7e5", "e2e4"]), [mv("e2e4")]);
}

#[test]
fn resignations_have_several_forms() {
    let results = ["0-1 {White resigns}", "0-1 {White Resigns}", "0-1{resigned}"];
    for line in results.into_iter().chain(["resign", "White resigns", "computer resigns"]) {
        assert_eq!(hear(&mut playing(Color::White), &[line]), [Said::Resign], "{line}");
    }
    let other = claim(Outcome::Win(Color::White), "Black resigns");
    assert_eq!(hear(&mut playing(Color::White), &["1-0 {Black resigns}"]), [other], "not its own");
}

#[test]
fn results_have_several_forms() {
    let (white, black) = (Outcome::Win(Color::White), Outcome::Win(Color::Black));
    for (line, outcome, comment) in [
        ("1-0 {White mates}", white, "White mates"),
        ("0-1", black, ""),
        ("1/2-1/2{Stalemate}", Outcome::Draw, "Stalemate"),
        ("Black mates", black, "Black mates"),
        ("computer mates", white, "computer mates"),
        ("opponent mates", black, "opponent mates"),
        ("checkmate!", black, "checkmate!"),
        ("Draw", Outcome::Draw, "Draw"),
        ("game is a draw by the 50 move rule", Outcome::Draw, "game is a draw by the 50 move rule"),
    ] {
        assert_eq!(hear(&mut playing(Color::White), &[line]), [claim(outcome, comment)], "{line}");
    }
    for line in ["White (1) : ", "Drawish position", "1-00", "Blackmail", "1/2"] {
        assert_eq!(hear(&mut playing(Color::White), &[line]), [], "{line}");
    }
}

#[test]
fn offers_are_told_from_their_refusals() {
    for line in ["offer draw", "I offer you a draw", "Engine offers a draw."] {
        assert_eq!(hear(&mut playing(Color::White), &[line]), [Said::OfferDraw], "{line}");
    }
    let others = ["draw offer declined", "tellopponent I offer a draw", "no draw offer", "offer a drawing"];
    for line in others.into_iter().chain(["I do not offer a draw"]) {
        assert_eq!(hear(&mut playing(Color::White), &[line]), [], "{line}");
    }
    let flood: Vec<Said> = hear(&mut playing(Color::White), &["offer draw"; 1000]);
    assert_eq!(flood.len(), MOST_SAID);
    let mut talk = playing(Color::White);
    let mut lines = vec!["offer draw"; 1000];
    lines.push("move e2e4");
    assert_eq!(hear(&mut talk, &lines).last(), Some(&mv("e2e4")), "a move is never lost");
}

#[test]
fn complaints_about_moves_are_told_from_those_about_commands() {
    let mut talk = playing(Color::White);
    (talk.told, talk.told_as) = ("e7e5".to_string(), "Nf3".to_string());
    for line in [
        "Error (ambiguous move): Nf3",
        "Illegal move: e7e5",
        "illegal move",
        "Illegal move (no matching move)e7e5",
        "Error (ambiguous move): e7e5",
        "Error (unknown command): usermove e7e5",
        "Error (unknown command): usermove",
        "Illegal position",
        "Invalid move: e7e5",
    ] {
        // Each is the first of its turn.
        talk.refused = None;
        assert_eq!(hear(&mut talk, &[line]), [Said::Refuses(line.to_string())], "{line}");
    }
    assert_eq!(
        hear(&mut talk, &["tellusererror Illegal position", "tellusererror Cannot open book.bin"]),
        [Said::Refuses("Illegal position".into())]
    );
    assert_eq!(
        hear(&mut talk, &["Error (unknown command): st", "Illegal move: sd", "Invalid move: 5", "Error"]),
        []
    );
    assert_eq!(hear(&mut talk, &["Illegal move: depth 5", "Illegal move: ?", "Illegal move: ?"]), []);
    assert_eq!(talk.unknown, ["st", "sd", "depth", "?"]);
}

#[test]
fn a_move_that_is_refused_in_two_ways_is_refused_once() {
    let mut talk = playing(Color::White);
    (talk.told, talk.told_as) = ("b8c6".to_string(), "b8c6".to_string());
    let [illegal, error] = ["Illegal move (game over): b8c6", "Error (unknown command): b8c6"];
    let refusal = |line: &str| Said::Refuses(line.to_string());
    assert_eq!(hear(&mut talk, &[illegal, error]), [refusal(illegal)]);
    assert_eq!(hear(&mut talk, &[illegal, error]), [refusal(illegal)], "told once more");
    talk.told = "g8f6".to_string();
    let other = "Error (unknown command): g8f6";
    assert_eq!(hear(&mut talk, &[other]), [refusal(other)], "another move");
    hear(&mut talk, &["move e2e4"]);
    assert_eq!(hear(&mut talk, &["Illegal move: g8f6"]).len(), 1, "it has moved since");
}

#[test]
fn the_last_exact_score_counts() {
    let mut talk = playing(Color::White);
    let info = |talk: &Talk| talk.info("e2e4", &Position::default(), false, false);
    hear(&mut talk, &["1 5 0 20 e4!"]);
    assert!(info(&talk).is_bound);
    hear(
        &mut talk,
        &["2 30 0 40 e4 e5", "3 99 0 50 d4?", "garbage", "4 x 0 0 e4", "move e2e4", "5 1 0 0 a4"],
    );
    assert_eq!((info(&talk).depth, info(&talk).pv.len()), (Some(2), 2));
    talk.asked(Color::White);
    assert_eq!(info(&talk), Info::default());
}

#[test]
fn a_line_of_another_move_counts_only_if_it_cannot_be_of_a_search_that_was_broken_off() {
    let mut talk = playing(Color::White);
    let info = |talk: &Talk, ponders| talk.info("e2e4", &Position::default(), false, ponders).depth;
    for (lines, expected) in [
        (&["7 285 0 50 d4 d5"][..], None),
        (&["7 285 0 50 Nf6 d4"], None),
        (&["7 285 0 50 d4 d5", "2 30 0 50 e4 e5"], Some(2)),
        (&["7 285 0 50"], Some(7)),
    ] {
        talk.asked(Color::White);
        hear(&mut talk, lines);
        assert_eq!(info(&talk, true), expected, "{lines:?}");
        assert!(info(&talk, false).is_some(), "{lines:?}");
    }
}

#[test]
fn lines_go_on_behind_four_blanks() {
    let mut talk = playing(Color::White);
    talk.features.any = false;
    let line = |talk: &Talk| talk.info("e2e4", &Position::default(), false, false).pv.join(" ");
    let lines = ["2 30 0 40 e2e4", "    e7e5", "      g1f3 resign", "", "    e2e4"];
    assert_eq!(hear(&mut talk, &lines), [mv("e2e4")], "only what follows at once goes on");
    assert_eq!(line(&talk), "e2e4 e7e5 g1f3");
    talk.asked(Color::White);
    assert_eq!(hear(&mut talk, &["    1 30 0 40 e2e4", "    2 31 0 50 d2d4", "    move d2d4"]), [mv("d2d4")]);
    assert_eq!(line(&talk), "d2d4");
    for (said, expected) in [
        ("My move is: e2e4", mv("e2e4")),
        ("1. ... g1f3", mv("g1f3")),
        ("resign", Said::Resign),
        ("offer draw", Said::OfferDraw),
        ("0-1 {White resigns}", Said::Resign),
        ("Illegal move: e7e5", Said::Refuses("Illegal move: e7e5".into())),
    ] {
        talk.asked(Color::White);
        assert_eq!(hear(&mut talk, &["1 30 0 40 d2d4", &format!("    {said}")]), [expected], "{said}");
    }
    assert_eq!(hear(&mut talk, &["1 30 0 40 d2d4", "    pong 7"]), []);
    assert_eq!(talk.pong, Some(7));
    talk.asked(Color::White);
    let long = format!("    {}", "e7e5 ".repeat(100));
    let mut lines = vec!["1 30 0 40 e2e4"];
    lines.resize(1000, &long);
    assert_eq!(hear(&mut talk, &lines), []);
    assert!(
        talk.last.of_move("", |text| Info { nodes: Some(text.len() as u64), ..Info::default() }).nodes
            < Some(1 << 16)
    );
}

#[test]
fn what_is_said_before_it_is_asked_is_of_the_game_before() {
    let mut talk = playing(Color::White);
    talk.end();
    talk.begin();
    let lines = ["1-0 {White mates}", "resign", "offer draw", "Illegal position"];
    assert_eq!(hear(&mut talk, &lines), [Said::Refuses("Illegal position".into())]);
    talk.asked(Color::White);
    assert_eq!(hear(&mut talk, &["resign"]), [Said::Resign]);
}

#[test]
fn nothing_is_left_of_the_game_before() {
    let mut talk = playing(Color::White);
    (talk.told, talk.stale_until) = ("e7e5".to_string(), Some(7));
    talk.hear(b"offer draw", Instant::now());
    talk.begin();
    assert_eq!(talk.take(), None);
    talk.asked(Color::Black);
    assert_eq!(hear(&mut talk, &["1. ... e7e5"]), [mv("e7e5")], "no repetition of what it was told");
}

#[test]
fn moves_are_stale_until_the_pong_that_was_asked_for() {
    let mut talk = playing(Color::White);
    talk.stale_until = Some(7);
    assert_eq!(hear(&mut talk, &["pong 6", "move e2e4", "pong 7", "move d2d4"]), [mv("d2d4")]);
}

#[test]
fn lines_to_keep_are_those_since_it_was_asked() {
    let mut talk = Talk::keeping(Some(Regex::new("book").unwrap()));
    hear(&mut talk, &["# book of the move before"]);
    talk.asked(Color::White);
    let long = "book ".repeat(10);
    hear(&mut talk, &["# book: e4", "# search", &long]);
    assert_eq!(talk.kept(), ["# book: e4", long.trim()]);
    hear(&mut talk, &["# book"; MOST_KEPT + 1]);
    assert_eq!(talk.kept().len(), MOST_KEPT);
}

#[test]
fn anything_may_come() {
    const PARTS: [&[u8]; 24] = [
        b"move",
        b"my move is",
        b"pong",
        b"feature",
        b"option=\"x -spin",
        b"=",
        b"\"",
        b"1-0",
        b"{",
        b"12",
        b"-3",
        b"...",
        b"e2e4",
        b"illegal move",
        b"Error",
        b"(",
        b"):",
        b"offer",
        b"draw",
        b"\xff",
        b"\xc3\xb6",
        b"\t",
        b"!",
        b"99999999999999999999",
    ];
    let mut talk = playing(Color::White);
    let mut bits = 1_u64;
    let mut moves = 0;
    for _ in 0..100_000 {
        let mut line = vec![];
        for _ in 0..=bits % 6 {
            // Knuth's MMIX generator; its high bits are good.
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            line.extend(PARTS[(bits >> 40) as usize % PARTS.len()]);
            line.extend(&b"  "[..(bits >> 60) as usize % 3]);
        }
        talk.hear(line.trim_ascii(), Instant::now());
        let _ = talk.info("e2e4", &Position::default(), false, false);
        moves += std::iter::from_fn(|| talk.take()).filter(|(said, _)| matches!(said, Said::Move(_))).count();
        talk.asked(Color::White);
    }
    assert!(moves > 1000, "{moves} moves");
    assert!(talk.features.options.len() <= crate::engine::declared::MOST_OPTIONS);
}
