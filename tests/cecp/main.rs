//! The client of xboard's protocol against an engine that does what it is told to.

mod clocks;
mod games;
mod greeting;
#[path = "../support/mod.rs"]
mod support;
mod trouble;
mod words;

use adoube::board::Board;
use adoube::engine::cecp::CecpClient;
use adoube::engine::config::{EngineConfig, Protocol};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use support::cecp::{PATIENCE, Table, mock_cecp, surroundings};

const START: &str = Board::START_FEN;

/// The test engine with these switches.
fn config(switches: &[&str]) -> EngineConfig {
    let mut args: Vec<String> = switches.iter().map(|word| (*word).to_string()).collect();
    args.extend(["--name".to_string(), "mock".to_string()]);
    EngineConfig { cmd: mock_cecp(), args, protocol: Protocol::Cecp, ..EngineConfig::default() }
}

fn start(switches: &[&str]) -> CecpClient {
    CecpClient::start(&config(switches), &surroundings()).unwrap()
}

fn table(switches: &[&str]) -> Table {
    Table::new(start(switches), START, &[])
}

/// A file for what an engine was told, removed in the end.
struct Log(PathBuf);

impl Log {
    fn new(name: &str) -> Log {
        let path = std::env::temp_dir().join(format!("adoube-cecp-{}-{name}.log", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Log(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn read(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap_or_default()
    }

    /// What it was told from the line `from` on, once it has read the line `to`.
    fn lines(&self, from: &str, to: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let text = self.read();
            let found = text.lines().skip_while(|line| *line != from).map(String::from).collect::<Vec<_>>();
            if found.iter().any(|line| line == to) {
                return found;
            }
            assert!(Instant::now() < deadline, "no '{to}' after '{from}': {text}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn assert_well_spoken(&self) {
        let text = self.read();
        assert!(text.contains("[start ") && !text.contains("[wrong]"), "{text}");
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
