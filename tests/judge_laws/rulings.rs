//! Rulings on positions, a line each.

use super::{judge, rulings};
use serde_json::Value;

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

#[test]
fn positions_may_be_epd() {
    let epd = "7k/5Q2/6K1/8/8/8/8/8 w - - hmvc 149; fmvn 120; id \"a\";";
    assert_eq!(rulings("fide-2005", epd), ["* claims: fifty moves now"]);
    let (status, out, _) = judge(&["--can-win", "black"], epd);
    assert_eq!((status, out.as_str()), (0, "unwinnable\n"));
}
