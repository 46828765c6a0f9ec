//! Self-play data as a user makes it and works on it.

mod files;
mod games;
mod rescored;
mod stopped;
#[path = "../support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use support::Killed;

/// A folder that no other test uses, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("adoube-selfplay-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn adoube(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into()
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

#[cfg(unix)]
fn interrupt(child: &Killed) {
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
}
