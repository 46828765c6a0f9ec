//! What the match runner itself costs: two engines that answer at once, a clock that never runs out, one game at a time
//! and two, by the habits of engine testers and by the FIDE Laws, in turn. Run with `cargo bench --bench runner [-- ROUNDS]`.

#[path = "../tests/support/mock.rs"]
mod mock;

use serde_json::Value;
use std::process::{Command, Stdio};

/// Plays so many rounds, and gives games a second, the runner's processor time a move and the times from `bestmove` to the
/// next `go`, in microseconds.
fn measure(rounds: u32, concurrency: u32, chatty: bool, laws: &str) -> (f64, f64, Vec<f64>) {
    let folder = std::env::temp_dir().join(format!("adoube-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let engine = mock::mock_engine();
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command.current_dir(&folder).arg("match").stdout(Stdio::piped());
    for (name, seed) in [("A", 1), ("B", 2)] {
        let info = if chatty { " --info" } else { "" };
        command.arg("-engine").arg(format!("cmd={}", engine.display())).arg(format!("name={name}"));
        command.arg(format!("args=good --seed {seed}{info}"));
    }
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/book/openings.epd");
    command.args([
        "-each",
        "tc=60+1",
        "-rounds",
        &rounds.to_string(),
        "-concurrency",
        &concurrency.to_string(),
    ]);
    command.args(["-laws", laws]);
    command.args(["-openings", &format!("file={book}"), "format=epd", "order=random", "-srand", "1"]);
    command.args(["-pgnout", "file=games.pgn", "-show-latency", "-force-concurrency", "--json"]);
    let output = command.output().expect("the match runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let summary: Value = serde_json::from_str(text.lines().last().expect("a summary")).expect("JSON");
    let _ = std::fs::remove_dir_all(&folder);
    let number = |name: &str| summary[name].as_f64().expect("a number");
    let handovers = summary["handover_us"].as_array().expect("times");
    let handovers = handovers.iter().filter_map(Value::as_f64).collect();
    (number("games") / number("seconds"), number("cpu_us_a_ply"), handovers)
}

fn main() {
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(200);
    println!(
        "{:>5} {:>6} {:>9} {:>9} {:>11} {:>24}",
        "games", "info", "laws", "games/s", "CPU us/ply", "to next go: 50, 99 %, us"
    );
    for _ in 0..3 {
        for (concurrency, chatty) in [(1, false), (2, false), (1, true), (2, true)] {
            for laws in ["engine", "fide-2023"] {
                let (speed, cpu, handovers) = measure(rounds, concurrency, chatty, laws);
                let (median, high) = (handovers[0], handovers[1]);
                println!(
                    "{concurrency:>5} {chatty:>6} {laws:>9} {speed:>9.1} {cpu:>11.1} {median:>15.1} {high:>8.1}"
                );
            }
        }
    }
}
