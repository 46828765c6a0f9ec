//! `adoube judge` as a user runs it: rulings on positions, and audits of games.

mod audits;
mod outcomes;
mod rulings;
#[path = "../support/mod.rs"]
mod support;

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
