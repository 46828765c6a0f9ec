//! `adoube judge`, run as a user runs it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn judge(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_adoube"))
        .arg("judge")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Who is told something wrong does not read it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
const WALL: &str = "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1";

#[test]
fn a_line_for_each_position() {
    let input =
        format!("{MATE_IN_ONE}\n\n{WALL}\r\n{}\n", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    let out = judge(&["--can-win", "white", "--nodes", "2"], &input);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(text(&out.stdout), "winnable a1a8\nunwinnable\nundetermined\n");
    let out = judge(&["--can-win", "black"], WALL);
    assert_eq!(text(&out.stdout), "unwinnable\n");
}

#[test]
fn json() {
    let out = judge(&["--can-win", "white", "--json"], &format!("{MATE_IN_ONE}\n{WALL}\n"));
    let values: Vec<serde_json::Value> =
        text(&out.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(values[0]["verdict"], "winnable");
    assert_eq!(values[0]["moves"], serde_json::json!(["a1a8"]));
    assert_eq!(values[0]["line"], 1);
    assert_eq!(values[1]["fen"], WALL);
    assert_eq!(values[1]["verdict"], "unwinnable");
    assert!(values[1].get("moves").is_none());
}

#[test]
fn a_bad_line_is_named_and_the_lines_before_it_are_answered() {
    let out = judge(&["--can-win", "white"], &format!("{WALL}\n8/8/8/8/8/8/8/K7 w - - 0 1\n{WALL}\n"));
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(text(&out.stdout), "unwinnable\n");
    let error = text(&out.stderr);
    assert!(error.contains("line 2: ") && error.contains("has no king"), "{error}");
}

#[test]
fn wrong_arguments_are_refused() {
    for arguments in [
        &["--can-win", "white", "--laws", "engine"][..],
        &["--can-win", "grey"],
        &["--can-win", "white", "--nodes", "0"],
    ] {
        let out = judge(arguments, WALL);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(out.stdout.is_empty() && !out.stderr.is_empty());
    }
}
