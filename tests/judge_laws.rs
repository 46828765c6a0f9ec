//! `adoube judge` as a user runs it: rulings on positions, and audits of games.

mod support;

use serde_json::Value;
use support::engine::{Engine, command};

/// Exit status, standard output and standard error.
fn judge(arguments: &[&str], input: &str) -> (i32, String, String) {
    support::run(&[&["judge"], arguments].concat(), input)
}

/// What is written about lines that can all be judged.
fn rulings(edition: &str, input: &str) -> Vec<String> {
    let (status, out, err) = judge(&["--laws", edition], input);
    assert_eq!((status, err.as_str()), (0, ""), "{input}");
    out.lines().map(str::to_string).collect()
}

const ROOKS: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1 moves a1b1 h8g8 b1a1 g8h8 a1d1 h8h5 d1a1";

#[test]
fn lines_are_ruled_by_their_edition() {
    let wall = "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1";
    let input = format!("7k/5Q2/6K1/8/8/8/8/8 w - - 149 120 moves f7g7\n{wall}\n\n# nothing\nstartpos\n");
    assert_eq!(
        rulings("fide-2023", &input),
        [
            "1-0 White mates (fide-2023:5.1.1)",
            "1/2-1/2 Draw by dead position (fide-2023:5.2.2)",
            "* claims: none",
        ]
    );
    let taken = "4k3/8/8/1p1p1p1p/1P1P1P1P/8/3r4/4K3 w - - 0 1 moves e1d2";
    let dead = ["1/2-1/2 Draw by dead position (fide-2023:5.2.2)"];
    assert_eq!(rulings("fide-2023", taken), dead, "with the last move");
    let seventy_five = "7k/5Q2/6K1/8/8/8/8/8 w - - 149 120 moves f7f4";
    assert_eq!(
        rulings("fide-2014", seventy_five),
        ["1/2-1/2 Draw by seventy-five moves rule (fide-2014:9.6.b)"]
    );
    assert_eq!(rulings("fide-2005", seventy_five), ["* claims: fifty moves now"]);
    let fifty = seventy_five.replace("149", "99");
    assert_eq!(rulings("engine", &fifty), ["1/2-1/2 Draw by fifty moves rule"]);
}

#[test]
fn claims_of_the_player_on_move_are_told() {
    let (now, fifty) = (format!("{ROOKS} h5h8"), ROOKS.replace("0 1 moves", "95 80 moves"));
    assert_eq!(
        rulings("fide-2018", &format!("{ROOKS}\n{now}\n{fifty}\n")),
        [
            "* claims: threefold with h5h8",
            "* claims: threefold now",
            "* claims: fifty moves now; threefold with h5h8",
        ]
    );
    let almost = rulings("fide-2018", "7k/8/8/8/8/8/7r/R3K3 w - - 99 90\n");
    assert!(almost[0].starts_with("* claims: fifty moves with ") && almost[0].contains("a1a8"), "{almost:?}");
    let both = |clock: u32| {
        let moves = "a1b1 h8g8 b1a1 g8h8 a1b1 h8g8 b1a1 g8h8";
        rulings("fide-2018", &format!("4k2r/8/8/8/8/8/8/R3K3 w - - {clock} 90 moves {moves}\n")).remove(0)
    };
    let almost = both(91);
    assert!(
        almost.starts_with("* claims: threefold now; fifty moves with ") && almost.contains("a1b1"),
        "{almost}"
    );
    assert_eq!(both(92), "* claims: threefold now; fifty moves now");
}

/// People paste what was sent to an engine, and number lines as their editor does.
#[test]
fn lines_may_begin_as_uci_has_them_and_comments_count_as_lines() {
    let fen = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";
    let input =
        format!("# a comment\nposition startpos moves e2e4\n\nposition fen {fen} moves f7g7\nfen {fen}\nx\n");
    let (status, out, err) = judge(&[], &input);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines, ["* claims: none", "1-0 White mates (fide-2023:5.1.1)", "* claims: none"], "{err}");
    assert!(status == 1 && err.contains("line 6: 'x'"), "{err}");
}

#[test]
fn lines_in_json() {
    let (status, out, err) =
        judge(&["--json", "--laws=fide-2023"], &format!("{ROOKS}\nstartpos moves e2e5\n"));
    assert_eq!((status, err.as_str()), (1, "adoube: 1 line cannot be judged\n"));
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["result"], "*");
    assert_eq!(lines[0]["claims"], serde_json::json!([{ "ground": "threefold", "move": "h5h8" }]));
    assert_eq!(lines[1]["line"], 2);
    assert!(lines[1]["error"].as_str().unwrap().contains("e2e5 is not legal"));
    let (_, out, _) = judge(&["--json"], "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    let mate: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&mate["result"], &mate["article"]), (&"1-0".into(), &"fide-2023:5.1.1".into()));
    assert_eq!(mate["reason"], "White mates");
}

#[test]
fn lines_that_cannot_be_judged_are_told_and_the_others_judged() {
    let input = "startpos moves e2e4\n\
        8/8/8/8 w - - 0 1\n\
        startpos moves e2e4 e7\n\
        startpos moves e2e4 e2e4\n\
        moves e2e4\n\
        7k/5Q2/6K1/8/8/8/8/8 w - - 0 1 moves f7g7 h8g7\n\
        startpos\n\
        8/8/8/4k3/8/8/4p3/4K1B1 w - - 0 1 moves e1e2 e5f4\n";
    let (status, out, err) = judge(&[], input);
    assert_eq!((status, out.as_str()), (1, "* claims: none\n* claims: none\n"));
    let errors: Vec<&str> = err.lines().collect();
    for (error, parts) in errors.iter().zip([
        ["line 2: '8/8/8/8 w - - 0 1'", "expected 'FEN [moves e2e4 ...]'"],
        ["line 3: move 2: 'e7' is no move", "moves are written as UCI has them"],
        ["line 4: move 2: e2e4 is not legal in", "rnbqkbnr/pppppppp/8/8/4P3"],
        ["line 5: no position", "expected 'FEN [moves e2e4 ...]'"],
        ["line 6: move 2 'h8g7' comes after the end", "White mates"],
        ["line 8: move 2 'e5f4' comes after the end", "Draw by"],
        ["6 lines cannot be judged", ""],
    ]) {
        assert!(parts.into_iter().all(|part| error.contains(part)), "{error}");
    }
    assert_eq!(errors.len(), 7);
    assert!(!errors[2].contains("as UCI has them"), "it is written so: {}", errors[2]);
    let (_, _, err) = judge(&[], &format!("startpos moves {}\n", "e".repeat(100_000)));
    assert!(err.starts_with("adoube: line 1: move 1: 'eee") && err.len() < 2_000, "{} bytes", err.len());
}

#[test]
fn wrong_usage_has_its_own_exit_status() {
    for (arguments, said) in [
        (&["--laws", "fide-1997"][..], "expected one of fide-2005, fide-2014, fide-2018, fide-2023, engine"),
        (&["."], ". is a folder: expected a file"),
        (&["--lows"], "unexpected argument"),
        (&["--nodes", "5", "-"], "cannot be used with"),
    ] {
        let (status, _, err) = judge(arguments, "");
        assert_eq!(status, 2, "{arguments:?}: {err}");
        assert!(err.contains(said), "{err}");
    }
    for (arguments, said) in
        [(&["no such file.pgn"][..], "no such file.pgn: "), (&["-"], "standard input: there is no game")]
    {
        let (status, _, err) = judge(arguments, "");
        assert_eq!(status, 1);
        assert!(err.contains(said), "{err}");
    }
}

/// A game in PGN from a position.
fn game(fen: &str, tags: &str, moves: &str) -> String {
    let result = moves.split_whitespace().last().unwrap();
    format!("[Result \"{result}\"]\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n{tags}\n{moves}\n\n")
}

/// The findings in games.
fn audit(edition: &str, games: &str) -> Vec<String> {
    let (status, out, _) = judge(&["-", "--laws", edition], games);
    let mut lines: Vec<String> = out.lines().map(str::to_string).collect();
    let total = lines.pop().unwrap();
    assert!(total.contains(&format!(", {} finding", lines.len())), "{total}");
    assert_eq!(status, i32::from(!lines.is_empty()));
    lines
}

const MATE: &str = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";

#[test]
fn clean_games_give_nothing() {
    let games = "[Result \"1/2-1/2\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n\n".to_string()
        + &game(MATE, "", "1. Qg7# 1-0")
        + &game("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "", "1. Qf7 1/2-1/2")
        + "[Result \"0-1\"]\n[Termination \"time forfeit\"]\n\n1. e4 e5 0-1\n";
    for edition in ["fide-2005", "fide-2014", "fide-2018", "fide-2023", "engine"] {
        assert_eq!(audit(edition, &games), [""; 0], "{edition}");
    }
}

#[test]
fn illegal_moves_and_broken_games_are_found_and_the_rest_audited() {
    let games = "[Event \"a\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"b\"]\n[FEN \"8/8\"]\n\n*\n\n".to_string()
        + &game(MATE, "", "1. Qg7# 0-1");
    let found = audit("fide-2014", &games);
    assert!(found[0].starts_with("game 1, line 3: move 2.") && found[0].ends_with("(fide-2014:7.5.a)"));
    assert!(found[1].starts_with("game 2, line 6: tag FEN"), "{}", found[1]);
    assert!(found[2].starts_with("game 3"));
    assert_eq!(found.len(), 3);
    // Up to a move that cannot be played a game is audited like others; behind its end there is no illegal move.
    let knights = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 ";
    let fivefold = format!(
        "[Result \"1-0\"]\n\n{knights}5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 9. e4 e5 10. Ke3 *\n"
    );
    let found = audit("fide-2023", &fivefold);
    assert!(found[0].contains("the tag Result says 1-0") && found[1].contains("move 5. White could have"));
    assert!(found[2].starts_with("game 1, line 1: move 9. the game was over before"), "{found:?}");
    assert_eq!(found.len(), 3);
    let claim = audit("fide-2023", &format!("\n{knights}5. Nf3 Nf6 6.\nKe3 1-0\n"));
    assert!(claim[0].starts_with("game 1, line 2: move 5. White could have"), "{claim:?}");
    assert!(claim[1].starts_with("game 1, line 3: move 6. no legal move"), "{claim:?}");
    assert_eq!(claim.len(), 2, "the result is not compared with a position that is not the last: {claim:?}");
    let found = audit("fide-2023", &game(MATE, "", "1. Qg7# Kxg7 2. Ke3 1-0"));
    assert!(
        found[0].contains("line 1: move 1... the game was over before this move: White mates"),
        "{found:?}"
    );
    assert_eq!(found.len(), 1);
    let (_, out, _) = judge(&["--json", "-"], &game(MATE, "", "1. Qg7# Kxg7 1-0"));
    assert!(out.contains("\"mate_passed_over\""), "{out}");
    let found = audit("fide-2023", &game(MATE, "", "1. Qg7# mate 1-0"));
    assert!(found.len() == 1 && found[0].contains("'mate' is no move"), "nobody has moved: {found:?}");
    // But that was the end, and the result another one.
    for behind in ["1. Qg7# mate 0-1", "1. Qg7# {mate 0-1"] {
        let found = audit("fide-2023", &game(MATE, "", behind).replace("[Result \"mate\"]", ""));
        assert!(found.len() == 2 && found[0].contains("White mates, so the result is 1-0"), "{found:?}");
    }
    // Where no result is seen it may be in what cannot be read, and so may be what ends a game that has not ended.
    let found = audit("fide-2023", &game(MATE, "", "1. Qg7# {mate").replace("[Result \"{mate\"]", ""));
    assert!(found.len() == 1 && found[0].contains("is never closed"), "{found:?}");
    let bare = game("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "[Termination \"time forfeit\"]\n", "1... Kd7 xx 0-1");
    let found = audit("fide-2023", &bare);
    assert!(found.len() == 1 && found[0].contains("'xx' is no move"), "{found:?}");
    // A pawn does not come to an enemy's square by a step.
    let found = audit("fide-2023", "1. e4 d5 2. d5 Qxd5 *\n");
    assert_eq!(found, ["game 1, line 1: move 2. no legal move is 'd5' (fide-2023:7.5.1)"]);
    let found = audit("fide-2023", "1. e4 e5 2. -- Nc6 *\n");
    assert_eq!(found, ["game 1, line 1: move 2. '--' passes, which is no move (fide-2023:7.5.3)"]);
    for promotion in ["a8", "a8=", "axb8+"] {
        let found =
            audit("fide-2023", &game("1n6/P6k/8/8/8/8/8/K7 w - - 0 1", "", &format!("1. {promotion} *")));
        assert!(found[0].ends_with("it does not say what the pawn becomes (fide-2023:7.5.2)"), "{found:?}");
    }
    // What was written down badly is no illegal move.
    let (status, out, _) = judge(
        &["--json", "-"],
        "1. foo *\n\n\
        [FEN \"4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1\"]\n\n1. Ne4 *\n",
    );
    assert_eq!(status, 1);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> =
        lines.iter().map(|line| (&line["game"], &line["kind"], line["article"].is_null())).collect();
    assert_eq!(
        told,
        [(&1.into(), &"unreadable".into(), true), (&2.into(), &"unreadable".into(), true)],
        "{out}"
    );
}

#[test]
fn a_bracket_that_is_never_closed_is_found() {
    let text = "1. e4 e5\n2. Nf3 (2. f4 Nc6 3. Bb5 a6 1-0\n\n[Event \"b\"]\n\n1. d4 d5 0-1\n";
    assert_eq!(audit("fide-2023", text), ["game 1, line 2: '(' is never closed"]);
}

#[test]
fn a_comment_that_is_not_read_whole_is_found() {
    let text = format!("1. e4 e5\n{{{}}} 1-0\n", "x".repeat((1 << 20) + 1));
    let told = "game 1, line 2: a text of more than 1 MiB, of which the rest is left out";
    assert!(audit("fide-2023", &text).contains(&told.to_string()));
    assert!(!audit("fide-2023", &text.replacen('x', "", 1)).contains(&told.to_string()));
}

#[test]
fn a_file_that_may_be_cut_off_is_told_at_its_end() {
    let game = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3\n\n";
    let finding = "game 2, line 5: the tag Result says 1-0, and nothing stands behind the moves: the file may be cut off";
    assert_eq!(audit("fide-2023", &game.repeat(2)), [finding]);
    assert_eq!(
        audit("fide-2023", &format!("{game}[Event \"b\"]\n\n1. e4 1-0")),
        [""; 0],
        "another game follows"
    );
    assert_eq!(audit("fide-2023", &game.replace("1-0", "*")), [""; 0], "it may have no result");
    let within = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf";
    assert_eq!(
        audit("fide-2023", within),
        ["game 1, line 3: move 2. the file ends with 'Nf', and may be cut off"]
    );
    assert!(audit("fide-2023", &format!("{within} 1-0"))[0].contains("'Nf' is no move"), "it ends there");
    assert!(judge(&["--json", "-"], within).1.contains("\"kind\":\"cut_off\""));
    let mated = "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4#";
    assert_eq!(audit("fide-2023", mated), [""; 0], "nothing can follow");
    assert_eq!(
        audit("fide-2023", "[Event \"a\"]\n\n1. e4 *\n\n[White \"X"),
        ["game 2, line 5: '[' is never closed"]
    );
}

#[test]
fn a_finding_is_told_when_it_is_found_and_moves_no_cursor() {
    let mut judge = Engine::start_with(command().args(["judge", "-"]));
    judge.send("[Result \"\x1b]0;x\x07-0\"]\n\n1. e4 1-0\n\n[Event \"next\"]");
    let finding = "game 1, line 1: the tag Result says ?]0;x?-0, which is no result";
    assert_eq!(judge.next().as_deref(), Some(finding), "before the games end");
    judge.close_input();
    assert_eq!(judge.end().1.code(), Some(1));
}

#[test]
fn positions_may_be_epd() {
    let epd = "7k/5Q2/6K1/8/8/8/8/8 w - - hmvc 149; fmvn 120; id \"a\";";
    assert_eq!(rulings("fide-2005", epd), ["* claims: fifty moves now"]);
    let (status, out, _) = judge(&["--can-win", "black"], epd);
    assert_eq!((status, out.as_str()), (0, "unwinnable\n"));
}

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
        for how in ["", "normal", "Normal", "Game drawn by agreement", "draw agreed"] {
            assert!(ended(how).contains("a draw cannot be agreed before both"), "{moves} {how}");
        }
        let on_time = ended("time forfeit");
        assert!(on_time.contains("does not lose on time, but"), "{moves} {on_time}");
    }
    assert_eq!(finding("fide-2023", game(MATE, "", "1. Qf4 1/2-1/2")), "", "what came before nobody knows");
    let later = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2";
    assert_eq!(finding("fide-2023", game(later, "", "2. e4 1/2-1/2")), "", "both have moved");
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

#[test]
fn findings_in_json() {
    let (status, out, _) = judge(&["--json", "-"], &game(MATE, "", "1. Qg7# 0-1"));
    assert_eq!(status, 1);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [finding] = &lines[..] else { panic!("{out}") };
    assert_eq!((&finding["game"], &finding["move"]), (&1.into(), &"1.".into()));
    assert_eq!((&finding["kind"], &finding["article"]), (&"wrong_result".into(), &"fide-2023:5.1.1".into()));
}

#[test]
fn each_kind_of_finding_has_its_word_in_json() {
    let kinds = |games: &str| {
        let (_, out, _) = judge(&["--json", "-"], games);
        let kind =
            |line: &str| serde_json::from_str::<Value>(line).unwrap()["kind"].as_str().unwrap().to_string();
        out.lines().map(kind).collect::<Vec<_>>()
    };
    let ended = |fen: &str, termination: &str, moves: &str| {
        game(fen, &format!("[Termination \"{termination}\"]\n"), moves)
    };
    let bare = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    let pawn = "8/8/8/4k3/2n5/8/P7/K7 b - - 0 1";
    for (kind, games) in [
        ("unreadable", "1. foo *\n".to_string()),
        ("unreadable", "1. P2e4 *\n".into()),
        ("cut_off", "1. e4 *\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3".into()),
        ("illegal_move", "1. e4 e5 2. Ke3 *\n".into()),
        ("two_results", "[Result \"0-1\"]\n\n1. e4 e5 1-0\n".into()),
        ("unknown_result", "[Result \"2-0\"]\n\n1. e4 e5 *\n".into()),
        ("mate_passed_over", game(MATE, "", "1. Qg7# Kxg7 1-0")),
        ("dead_position", game("8/8/8/4k3/8/8/4p3/4K1B1 w - - 0 1", "", "1. Kxe2 Kf4 *")),
        ("dead_position", game("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", "", "1. Kd2 *")),
        ("draw_passed_over", game("4k2r/8/8/8/8/8/8/R3K3 w - - 149 120", "", "120. Ra2 Rg8 1-0")),
        ("claim_missed", game("4k2r/8/8/8/8/8/8/R3K3 b - - 99 90", "", "90... Rg8 91. Ra2 0-1")),
        ("wrong_result", game(MATE, "", "1. Qg7# 0-1")),
        ("wrong_termination", ended(MATE, "White won by checkmate", "1. Qf4 1-0")),
        ("winner_cannot_mate", ended(bare, "time forfeit", "1... Kd7 0-1")),
        ("loser_draws", ended(pawn, "time forfeit", "1... Nd6 1/2-1/2")),
        ("agreed_too_early", "[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n".into()),
    ] {
        assert_eq!(kinds(&games).pop().as_deref(), Some(kind), "{games}");
    }
}
