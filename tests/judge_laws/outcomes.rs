//! Audits of the ends of games: results that position, tags or termination contradict.

use super::{MATE, audit, game};

#[test]
fn results_that_the_position_contradicts() {
    let found = audit("fide-2023", &game(MATE, "", "1. Qg7# 0-1"));
    assert_eq!(
        found,
        ["game 1, line 1: move 1. White mates, so the result is 1-0; the result is 0-1 (fide-2023:5.1.1)"]
    );
    let found = audit("fide-2023", "1. f3 e5 2. g4 Qh4# 1-0\n");
    assert!(found[0].starts_with("game 1, line 1: move 2... Black mates, so the result is 0-1"), "{found:?}");
    let found = audit("fide-2014", &game("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "", "1. Qf7 1-0"));
    assert!(found[0].contains("Draw by stalemate") && found[0].ends_with("(fide-2014:5.2.a)"), "{found:?}");
    let dead = game("8/8/8/4k3/8/8/4p3/4K1B1 w - - 0 1", "", "1. Kxe2 *");
    let found = audit("fide-2018", &dead);
    assert!(found[0].contains("so the result is 1/2-1/2; the game has no result"), "{found:?}");
    // Without a move there is none to name.
    let found = audit("fide-2023", &game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 7", "", "1-0"));
    assert!(found[0].starts_with("game 1, line 1: Draw by stalemate"), "{found:?}");
    let two = game(MATE, "", "1. Qg7# 1-0").replace("[Result \"1-0\"]", "[Result \"0-1\"]");
    let found = audit("fide-2018", &two);
    assert_eq!(found, ["game 1, line 1: the tag Result says 0-1, and behind the moves stands 1-0"]);
    for (tag, behind) in [("½-½", "1-0"), ("1/2", "0-1"), ("1–0", "*")] {
        let found = audit("fide-2018", &format!("[Result \"{tag}\"]\n\n1. e4 e5 {behind}\n"));
        assert_eq!(
            found,
            [format!("game 1, line 1: the tag Result says {tag}, and behind the moves stands {behind}")]
        );
    }
}

#[test]
fn claims_that_were_not_made_are_told_once() {
    let knights = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 e4";
    let games = format!("[Result \"*\"]\n\n{knights} *\n\n");
    let found = audit("fide-2023", &games);
    assert_eq!(
        found,
        ["game 1, line 1: move 5. White could have claimed a draw by threefold repetition (fide-2023:9.2.2)"]
    );
    let found = audit("engine", &games);
    assert!(found[0].contains("move 5. the game was over before this move"), "{found:?}");
    let fifty = game("4k2r/8/8/8/8/8/8/R3K3 b - - 99 90", "", "90... Rg8 91. Ra2 0-1");
    let found = audit("fide-2018", &fifty);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("move 91. White could have claimed a draw after fifty moves"), "{found:?}");
    let at_the_end = game("4k2r/8/8/8/8/8/8/R3K3 b - - 99 90", "", "90... Rg8 0-1");
    assert_eq!(audit("fide-2018", &at_the_end).len(), 1, "White was on move when the game was stopped");
}

#[test]
fn draws_that_were_passed_over_and_dead_positions() {
    let knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
    let fivefold = format!("[Result \"1-0\"]\n\n{knights} e4 1-0\n\n");
    let found = audit("fide-2018", &fivefold);
    assert!(found[1].contains("move 9. the game was over before this move: Draw by 5-fold repetition"));
    assert!(found[1].ends_with("the result is 1-0 (fide-2018:9.6.1)"), "{found:?}");
    assert_eq!(audit("fide-2005", &fivefold).len(), 1, "in 2005 it could only be claimed");
    let wall = game("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", "", "1. Kd2 Kd7 1/2-1/2");
    let found = audit("fide-2014", &wall);
    assert!(
        found[0].contains("move 1. the game was over before this move: Draw by dead position"),
        "{found:?}"
    );
    assert_eq!(audit("engine", &wall), [""; 0]);
    // Dead from the middle of the game on.
    let closed =
        game("4k3/8/8/1p1p1p1p/1P1P1P1P/8/3r4/5K2 b - - 0 1", "", "1... Ke7 2. Ke1 Ke8 3. Kxd2 Kd7 1/2-1/2");
    let found = audit("fide-2023", &closed);
    assert!(found.len() == 1 && found[0].contains("move 3... the game was over before"), "{found:?}");
}

#[test]
fn winners_who_cannot_mate() {
    let bare = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    let tagged =
        |termination: &str| game(bare, &format!("[Termination \"{termination}\"]\n"), "1... Kd7 0-1");
    for (edition, termination, article) in [
        ("fide-2005", "time forfeit", Some("6.10")),
        ("fide-2023", "Time forfeit", Some("6.9")),
        ("fide-2014", "illegal move", Some("7.5.b")),
        ("fide-2023", "illegal move", Some("7.5.5")),
        ("fide-2023", "normal", Some("5.1.2")),
        ("fide-2018", "normal", None),
        ("fide-2018", "Timeless won by resignation", None),
        ("fide-2023", "Illegal Time won by resignation", Some("5.1.2")),
        ("fide-2018", "White won on time", Some("6.9")),
        ("fide-2005", "illegal move", None),
        ("fide-2023", "abandoned", None),
        ("engine", "time forfeit", None),
    ] {
        let found = audit(edition, &tagged(termination));
        match article {
            None => assert_eq!(found, [""; 0], "{edition}, {termination}"),
            Some(article) => {
                assert!(found[0].contains("Black wins") && found[0].contains("a draw"), "{found:?}");
                assert!(found[0].ends_with(&format!("({edition}:{article})")), "{found:?}");
            }
        }
    }
    // Names are no reasons, and hide none.
    for (name, termination, is_found) in [
        ("checkmate_bob", "checkmate_bob won by resignation", false),
        ("in-time", "in-time won - game abandoned", false),
        ("resign_not", "resign_not won on time", true),
        ("time", "Time won on time", true),
        ("Élan time", "élan time won by agreement", false),
        ("e", "e won on time", true),
        ("", "won on time", true),
    ] {
        let tags = format!("[Black \"{name}\"]\n[Termination \"{termination}\"]\n");
        let found = audit("fide-2018", &game(bare, &tags, "1... Kd7 0-1"));
        assert_eq!(found.iter().any(|text| text.contains("on time")), is_found, "{name}: {found:?}");
        assert_eq!(found.len(), usize::from(is_found), "{name}: {found:?}");
    }
    // Who does not say how a game ended means that it was resigned.
    let found = audit("fide-2023", &game(bare, "", "1... Kd7 0-1"));
    assert!(found.len() == 1 && found[0].ends_with("(fide-2023:5.1.2)"), "{found:?}");
    // What an illegal move brings about hangs on the clock.
    let blitz = |tag: &str, control: &str| {
        let tags = format!("[Termination \"illegal move\"]\n[{tag} \"{control}\"]\n");
        game(bare, &tags, "1... Kd7 0-1")
    };
    for (edition, tag, control, article) in [
        ("fide-2005", "TimeControl", "180", "C.3"),
        ("fide-2005", "WhiteTimeControl", "180", "C.3"),
        ("fide-2005", "TimeControl", "180, depth 5", "C.3"),
        ("fide-2014", "TimeControl", "40/300:120+1", "B.2, 7.5.b"),
        ("fide-2018", "BlackTimeControl", "900+10", "A.3, 7.5.5"),
        ("fide-2023", "TimeControl", "*300", "B.3, A.3, 7.5.5"),
        ("fide-2023", "TimeControl", "5400+30", "7.5.5"),
        ("fide-2023", "TimeControl", "-", "7.5.5"),
    ] {
        let found = audit(edition, &blitz(tag, control));
        assert!(found[0].ends_with(&format!("({edition}:{article})")), "{control}: {found:?}");
    }
    // Of two clocks the one with more time says how fast the game was.
    let odds = blitz("WhiteTimeControl", "180").replace("[White", "[BlackTimeControl \"5400\"]\n[White");
    assert_eq!(audit("fide-2005", &odds), [""; 0]);
    assert_eq!(audit("fide-2005", &blitz("TimeControl", "900")), [""; 0]);
    let fair = game("4k1b1/8/8/8/8/8/P7/4K3 b - - 0 1", "[Termination \"time forfeit\"]\n", "1... Kd7 0-1");
    assert_eq!(audit("fide-2023", &fair), [""; 0], "a bishop can mate with the pawn's help");
}

#[test]
fn draws_that_are_none() {
    let finding = |edition: &str, games: String| audit(edition, &games).pop().unwrap_or_default();
    // Both have to move before they can agree (since 2018).
    for moves in ["1/2-1/2", "1. e4 1/2-1/2"] {
        let early = format!("[Result \"1/2-1/2\"]\n\n{moves}\n\n");
        for (edition, found) in [("fide-2014", false), ("fide-2018", true), ("fide-2023", true)] {
            let text = finding(edition, early.clone());
            let is_told = text.ends_with(&format!("before both players have moved ({edition}:5.2.3)"));
            assert_eq!((is_told, text.is_empty()), (found, !found), "{text}");
        }
    }
    assert_eq!(finding("fide-2023", "[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n\n".into()), "");
    // Whom the arbiter or a program stops has agreed to nothing.
    for moves in ["1/2-1/2", "1. e4 1/2-1/2"] {
        let ended = |how: &str| {
            let tags = format!("[Result \"1/2-1/2\"]\n[Termination \"{how}\"]\n\n");
            finding("fide-2023", format!("{tags}{moves}\n\n"))
        };
        for how in ["adjudication", "unterminated", "rules infraction", "abandoned"] {
            assert_eq!(ended(how), "", "{moves}");
        }
        for how in ["", "?", "-", "normal", "Normal", "Game drawn by agreement", "draw agreed"] {
            assert!(ended(how).contains("a draw cannot be agreed before both"), "{moves} {how}");
        }
        let on_time = ended("time forfeit");
        assert!(on_time.contains("does not lose on time, but"), "{moves} {on_time}");
    }
    assert_eq!(finding("fide-2023", game(MATE, "", "1. Qf4 1/2-1/2")), "", "what came before nobody knows");
    let later = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2";
    assert_eq!(finding("fide-2023", game(later, "", "2. e4 1/2-1/2")), "", "both have moved");
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(finding("fide-2023", game(black, "", "1... e5 1/2-1/2")), "", "so they have");
    // Whoever is on move loses on time or by illegal moves, unless the other one cannot mate.
    let tagged = |fen: &str, termination: &str, moves: &str| {
        game(fen, &format!("[Termination \"{termination}\"]\n"), moves)
    };
    let pawn = "8/8/8/4k3/2n5/8/P7/K7 b - - 0 1";
    for (edition, termination, article) in [
        ("fide-2023", "Game drawn by timeout vs insufficient material", Some("6.9")),
        ("fide-2005", "time forfeit", Some("6.10")),
        ("fide-2023", "illegal move", Some("7.5.5")),
        ("fide-2005", "illegal move", None),
        ("engine", "time forfeit", None),
        ("fide-2023", "normal", None),
    ] {
        let text = finding(edition, tagged(pawn, termination, "1... Nd6 1/2-1/2"));
        assert_eq!(text.contains("move 1... White does not lose "), article.is_some(), "{edition}: {text}");
        if let Some(article) = article {
            assert!(text.ends_with(&format!("but Black can mate ({edition}:{article})")), "{text}");
        }
    }
    let bare = "8/8/8/4k3/2n5/8/8/K1B5 b - - 0 1";
    assert_eq!(
        finding("fide-2023", tagged("8/8/8/4k3/8/8/P7/K7 b - - 0 1", "time forfeit", "1... Kd5 1/2-1/2")),
        ""
    );
    assert!(finding("fide-2023", tagged(bare, "time forfeit", "1... Nd6 1/2-1/2")).contains("can mate"));
    for (word, reason) in [("checkmate", "mate"), ("stalemate", "stalemate")] {
        let text = finding("fide-2023", tagged(bare, &format!("White won by {word}"), "1... Nd6 1-0"));
        assert!(text.contains(&format!("speaks of {word}, but this is no {reason}")), "{text}");
    }
    assert_eq!(finding("fide-2023", tagged(MATE, "White won by checkmate", "1. Qg7# 1-0")), "");
}

#[test]
fn results_that_tags_have_no_value_for() {
    let read = |tag: &str, moves: &str| audit("fide-2023", &format!("[Result \"{tag}\"]\n\n{moves}\n\n"));
    let quiet = [""; 0];
    assert_eq!(read("0-0", "1. e4 e5 2. Nf3 Nc6 0-0"), quiet, "castling is not legal");
    assert_eq!(read("0-0", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 0-0"), quiet, "it would be, but both have lost");
    assert_eq!(read("0-0", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 0-0"), quiet);
    assert_eq!(read("*", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0"), quiet, "here it is castling");
    assert_eq!(read("1/2-0", "1. e4 e5 1/2-0"), quiet);
    assert_eq!(read("0-½", "1. e4 e5 0-½"), quiet);
    assert!(read("*", "1. e4 e5 2. Nf3 Nc6 0-0")[0].contains("no legal move is '0-0'"));
    let mated = read("0-0", "1. f3 e5 2. g4 Qh4# 0-0");
    assert!(mated[0].contains("so the result is 0-1; the result is 0-0"), "{mated:?}");
    assert_eq!(read("?", "1. e4 e5 1-0"), quiet, "nobody has written it down");
    let odd = read("2-0", "1. e4 e5 *");
    assert!(odd[0].contains("the tag Result says 2-0, which is no result"), "{odd:?}");
}

#[test]
fn forfeits_are_no_contradiction_to_moves_without_a_result() {
    let tagged = |tags: &str, end: &str| audit("fide-2023", &format!("{tags}\n\n1. e4 e5 {end}\n\n"));
    for name in ["Result", "FideResult"] {
        for (forfeit, won, lost) in [("+/-", "1-0", "0-1"), ("-/+", "0-1", "1-0"), ("−/+", "0-1", "1-0")] {
            let tag = format!("[{name} \"{forfeit}\"]");
            for end in [forfeit, won, "*", ""] {
                assert_eq!(tagged(&tag, end), [""; 0], "{tag} {end}");
            }
            let found = tagged(&tag, lost);
            let text = format!("{name} says {forfeit}, and behind the moves stands {lost}");
            assert!(found.len() == 1 && found[0].ends_with(&text), "{tag}: {found:?}");
        }
    }
    for result in ["-/-", "–/–", "void", "0–0"] {
        assert_eq!(tagged(&format!("[Result \"{result}\"]"), result), [""; 0], "{result}");
    }
    let mated = audit("fide-2023", "1. f3 e5 2. g4 Qh4# 1/2-0");
    assert!(mated[0].contains("so the result is 0-1; the result is 1/2-0"), "{mated:?}");
}

#[test]
fn an_exceptional_result_that_another_contradicts() {
    let tagged = |exceptional: &str, result: &str| {
        let tags = format!("[Result \"{result}\"]\n[FideResult \"{exceptional}\"]\n");
        format!("{tags}\n1. e4 e5 {result}\n\n")
    };
    let found = audit("fide-2023", &tagged("1/2-0", "0-1"));
    assert!(found[0].contains("FideResult says 1/2-0, and behind the moves stands 0-1"), "{found:?}");
    let right = tagged("0-1/2", "*") + &tagged("-/+", "0-1") + &tagged("0-0", "*") + &tagged("odd", "1-0");
    assert_eq!(audit("fide-2014", &right), [""; 0]);
}
