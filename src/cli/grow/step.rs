//! The steps of a generation, each a command of this program.

use super::plan::{MatchResult, Plan};
use super::{look_for_stop, path_text, say};
use crate::cli::Failure;
use crate::eval::Evaluation;
use crate::sys::children::GroupLeader;
use crate::sys::files::write_whole;
use crate::sys::signals;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The openings of the matches, in the folder.
pub(super) const OPENINGS: &str = "openings.epd";

pub(super) struct Steps<'a> {
    plan: &'a Plan,
    folder: &'a Path,
    stop: &'a AtomicBool,
    program: PathBuf,
}

impl<'a> Steps<'a> {
    pub(super) fn new(plan: &'a Plan, folder: &'a Path, stop: &'a AtomicBool) -> Result<Steps<'a>, Failure> {
        // The steps are in the background of the terminal.
        signals::write_from_background();
        Ok(Steps { plan, folder, stop, program: std::env::current_exe()? })
    }

    /// A file of a generation.
    fn file(&self, number: u32, extension: &str) -> Result<String, Failure> {
        path_text(&self.folder.join(format!("generation-{number}.{extension}")))
    }

    /// The network of a generation.
    pub(super) fn network(&self, number: u32) -> Result<String, Failure> {
        self.file(number, "nnue")
    }

    /// Plays games with a network, which may be one that knows nothing.
    pub(super) fn play(&self, number: u32, parent: &str, from_zero: bool) -> Result<(), Failure> {
        let Plan { positions, nodes, threads, seed, .. } = self.plan;
        let games = self.file(number, "games")?;
        let has = |extension| Ok::<bool, Failure>(Path::new(&self.file(number, extension)?).exists());
        // What has been learnt from is complete: with more of them the training could not go on.
        if Path::new(&games).exists() && (has("checkpoint")? || has("nnue")?) {
            return Ok(());
        }
        // If it is another plan by now, not if somebody has stopped it.
        let remedy = format!("; should it fail again, it plays anew once {games} is removed");
        let mut words = vec!["selfplay".to_string(), games];
        let seed = seed.wrapping_mul(1_000).wrapping_add(u64::from(number));
        words.extend(
            format!("--positions {positions} --nodes {nodes} --threads {threads} --seed {seed}")
                .split(' ')
                .map(String::from),
        );
        words.extend(["--eval-file".into(), parent.into()]);
        if from_zero {
            // Scores of 0 say nothing about who is winning.
            words.extend(["--unadjudicated".into(), "1".into()]);
        }
        self.run(&words, &remedy)
    }

    /// Trains a network on the games of some generations, and gives its file. Where what played knows nothing there are
    /// no scores to learn from: only how games end.
    pub(super) fn train(&self, number: u32, learnt_from: &[u32], from_zero: bool) -> Result<String, Failure> {
        let Plan { hidden, output_buckets, epochs, threads, seed, wdl, .. } = self.plan;
        let network = self.network(number)?;
        if Path::new(&network).exists() {
            return Ok(network);
        }
        let mut words = vec!["train".to_string()];
        for &earlier in learnt_from {
            words.push(self.file(earlier, "games")?);
        }
        words.extend(["--out".into(), network.clone()]);
        let target = if from_zero { "--wdl 1 --lambda 1".to_string() } else { format!("--wdl {wdl}") };
        let settings = format!(
            "--hidden {hidden} --output-buckets {output_buckets} --epochs {epochs} {target} --threads {threads} --seed {seed}"
        );
        words.extend(settings.split(' ').map(String::from));
        let beside = |extension| Path::new(&network).with_extension(extension);
        let checkpoint = beside("checkpoint");
        if !checkpoint.exists() {
            if beside("json").exists() || beside("svg").exists() {
                // Of a training that is begun anew.
                words.push("--overwrite".into());
            }
            self.run(&words, "")?;
            return Ok(network);
        }
        words.push("--resume".into());
        // If its games or settings are others by now, not if somebody has stopped it.
        let checkpoint = checkpoint.display();
        let remedy =
            format!("; should it fail again, it begins the training anew once {checkpoint} is removed");
        self.run(&words, &remedy)?;
        Ok(network)
    }

    /// Plays a match between a network and the one before.
    pub(super) fn compare(&self, number: u32, network: &str, parent: &str) -> Result<MatchResult, Failure> {
        let Plan { games, match_nodes, threads, seed, .. } = self.plan;
        for network in [network, parent] {
            // The match would go on with the hand-made evaluation.
            Evaluation::from_setting(network)?;
        }
        let pgn = format!("generation-{number}.pgn");
        let journal = self.folder.join(format!("{pgn}.journal"));
        let goes_on = journal.exists();
        let openings = self.openings(games.div_ceil(2), *seed, goes_on)?;
        let mut words = vec!["match".to_string()];
        for (name, network) in [("new", network), ("old", parent)] {
            words.extend([
                "-engine".into(),
                format!("name={name}"),
                format!("cmd={}", path_text(&self.program)?),
            ]);
            words.extend([
                format!("option.EvalFile={}", seen_from(self.folder, network)?),
                "option.Hash=8".into(),
            ]);
        }
        let rounds = games.div_ceil(2);
        let usual = format!(
            "-each nodes={match_nodes} -rounds {rounds} -games 2 -concurrency {threads} -force-concurrency -laws engine -recover --json"
        );
        words.extend(usual.split(' ').map(String::from));
        words.extend(["-openings".into(), format!("file={openings}"), "format=epd".into()]);
        words.extend(["-pgnout".into(), format!("file={pgn}")]);
        let mut remedy = String::new();
        if goes_on {
            words.push("-resume".into());
            // If the program lies elsewhere or the plan is another by now, not if somebody has stopped it.
            remedy = format!(
                "; the same command goes on; should it fail again, it begins the match anew once {} and the games in \
                 {pgn} are removed",
                journal.display()
            );
        }
        let said = self.hear(&words, &remedy)?;
        let events: Vec<Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        for warning in events.iter().filter(|event| event["event"] == "warning") {
            say(warning["text"].as_str().unwrap_or_default());
        }
        let summary = events
            .into_iter()
            .rfind(|event| event["event"] == "summary")
            .ok_or("the match gave no result")?;
        read_result(&summary)
            .ok_or_else(|| format!("the match gave no result that could be read: {summary}").into())
    }

    /// Openings for the matches: random moves that leave nobody far ahead. A match that goes on keeps those that it has.
    /// Their file's name, in the folder.
    fn openings(&self, count: u32, seed: u64, goes_on: bool) -> Result<String, Failure> {
        let name = OPENINGS.to_string();
        let file = self.folder.join(&name);
        let known = std::fs::read_to_string(&file).unwrap_or_default();
        if goes_on && !known.is_empty() || known.lines().count() >= count as usize {
            return Ok(name);
        }
        let said = self.hear(&[format!("genfens {count} seed {seed} book None"), "quit".into()], "")?;
        say(&format!("what stands behind 'info string genfens' there becomes {OPENINGS}"));
        let positions = said.lines().filter_map(|line| line.strip_prefix("info string genfens "));
        let lines: String = positions.map(|fen| format!("{fen}\n")).collect();
        write_whole(&file, lines.as_bytes()).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(name)
    }

    /// Runs a command before the user's eyes, to its end. The failure, if it fails, ends in `remedy`.
    fn run(&self, words: &[String], remedy: &str) -> Result<(), Failure> {
        show(words, None);
        let mut command = Command::new(&self.program);
        let status = self.lines(command.args(words), &mut say)?;
        match status.success() {
            true => Ok(()),
            // Somebody may have ended it alone, which it has said.
            false => {
                Err(format!("adoube {} failed: {status}; the same command goes on{remedy}", words[0]).into())
            }
        }
    }

    /// Runs a command, in the folder, for what it says. The failure, if it fails, ends in `remedy`.
    fn hear(&self, words: &[String], remedy: &str) -> Result<String, Failure> {
        let mut said = String::new();
        show(words, Some(self.folder));
        let mut command = Command::new(&self.program);
        let status = self.lines(command.args(words).current_dir(self.folder), &mut |line| {
            said.push_str(line);
            said.push('\n');
        })?;
        if !status.success() {
            return Err(format!("adoube {} failed: {status}{remedy}", words[0]).into());
        }
        Ok(said)
    }

    /// Runs a command for each line that it says. It has a group of its own under the guard, so that it ends with us
    /// however we end, and a wish to stop, which reaches us alone, is passed on to it.
    fn lines(&self, command: &mut Command, each: &mut dyn FnMut(&str)) -> Result<ExitStatus, Failure> {
        let program = self.program.display();
        let started = GroupLeader::spawn(command.stdout(Stdio::piped()));
        let mut leader = started.map_err(|error| format!("{program}: {error}"))?;
        let out = leader.child().stdout.take();
        let silent = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watch = || {
                while !silent.load(Ordering::Relaxed) {
                    if self.stop.load(Ordering::Relaxed) {
                        return leader.interrupt();
                    }
                    std::thread::sleep(LOOK_EVERY);
                }
            };
            scope.spawn(watch);
            let read = out
                .into_iter()
                .flat_map(|out| BufReader::new(out).lines())
                .try_for_each(|line| line.map(|line| each(&line)));
            silent.store(true, Ordering::Relaxed);
            read
        })?;
        // Ended before that, it would be killed.
        while !leader.has_ended() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let status = leader.end().ok_or("its end was not seen")?;
        look_for_stop(self.stop)?;
        Ok(status)
    }
}

/// Time between two looks whether to stop.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Shows a command, and in which folder it runs if it is another.
fn show(words: &[String], folder: Option<&Path>) {
    let plain = if cfg!(windows) { r"-+_=.,:/@\" } else { "-+_=.,:/%@^" };
    let is_plain =
        |word: &String| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || plain.contains(c));
    let quoted = words.iter().map(|word| match is_plain(word) {
        true => word.clone(),
        false if cfg!(windows) => format!("\"{word}\""),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    });
    let remark = if cfg!(windows) { " & rem" } else { "  #" };
    let folder = folder.map_or(String::new(), |folder| format!("{remark} in {}", folder.display()));
    say(&format!("$ adoube {}{folder}", quoted.collect::<Vec<_>>().join(" ")));
}

/// The first player's result.
fn read_result(summary: &Value) -> Option<MatchResult> {
    let player = &summary["players"][0];
    let count = |name: &str| player[name].as_u64();
    let number = |name: &str| player[name].as_f64();
    Some(MatchResult {
        wins: count("wins")?,
        draws: count("draws")?,
        losses: count("losses")?,
        elo: number("elo")?,
        elo_error: number("elo_error")?,
    })
}

/// An evaluation's name for a command that runs in the folder: so a match goes on however the folder is named, and
/// wherever it has been moved.
fn seen_from(folder: &Path, evaluation: &str) -> Result<String, Failure> {
    let path = Path::new(evaluation);
    match path.file_name() {
        Some(name) if path.parent() == Some(folder) => path_text(Path::new(name)),
        _ if Evaluation::is_path(evaluation) => path_text(&std::path::absolute(path)?),
        _ => Ok(evaluation.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_match_in_the_folder_finds_each_evaluation() {
        let seen = |evaluation: &str| seen_from(Path::new("data/g"), evaluation).unwrap();
        for name in ["", "<internal>", "classic"] {
            assert_eq!(seen(name), name);
        }
        assert_eq!(seen("data/g/zero.nnue"), "zero.nnue");
        assert!(Path::new(&seen("other.nnue")).is_absolute());
    }

    #[test]
    fn a_result_is_the_first_players() {
        let player = |wins, losses, elo| json!({ "wins": wins, "draws": 5, "losses": losses, "elo": elo, "elo_error": 30.5 });
        let summary = json!({ "event": "summary", "players": [player(7, 2, 90.0), player(2, 7, -90.0)] });
        let expected = MatchResult { wins: 7, draws: 5, losses: 2, elo: 90.0, elo_error: 30.5 };
        assert_eq!(read_result(&summary), Some(expected));
        assert_eq!(read_result(&json!({ "players": [] })), None);
    }
}
