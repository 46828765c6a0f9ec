//! Self-play data as a user makes it and works on it.

mod files;
mod games;
mod lines;
mod rescored;
mod stopped;
#[path = "../support/mod.rs"]
mod support;

use std::process::{Command, Stdio};
use support::{adoube, text};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// What the command prints; it must succeed.
fn done(arguments: &[&str]) -> String {
    let out = adoube(arguments);
    assert!(out.status.success(), "{arguments:?}: {}", text(&out.stderr));
    text(&out.stdout)
}

/// What the command says; it must fail with this status.
fn refused(arguments: &[&str], status: i32) -> String {
    let out = adoube(arguments);
    assert_eq!(out.status.code(), Some(status), "{arguments:?}: {}", text(&out.stderr));
    text(&out.stderr)
}

fn bytes(file: &str) -> Vec<u8> {
    std::fs::read(file).unwrap()
}

fn length(file: &str) -> u64 {
    std::fs::metadata(file).map_or(0, |about| about.len())
}

/// The number behind a word at the beginning of a line.
fn number(report: &str, word: &str) -> f64 {
    let line =
        report.lines().find(|line| line.trim_start().starts_with(word)).unwrap_or_else(|| panic!("{report}"));
    line.trim_start()[word.len()..].split_whitespace().next().unwrap().parse().unwrap()
}

const FAST: [&str; 8] = ["--nodes", "15", "--hash", "1", "--opening-nodes", "50", "--eval-file", "classic"];

fn play(file: &str, more: &[&str]) -> String {
    done(&[&["selfplay", file][..], &FAST, more].concat())
}
