//! Audits of files of games: what is read of them, and how findings are told.

use super::{MATE, audit, game, judge};
use crate::support::engine::{Engine, command};
use serde_json::Value;

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
        ("two_results", "[Result \"1-0\"]\n\n1. e4 e5 1-0 {time} 0-1\n".into()),
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
