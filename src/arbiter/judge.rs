//! The arbiter's decision in a quickplay finish: whether a player can still win by normal means. It rests on what can be
//! proven, on tablebases, and beyond them on the search of an engine that the organiser has named; our own search is never
//! asked.

use crate::board::Position;
use crate::engine::config::EngineConfig;
use crate::engine::connection::{Speaker, Surroundings};
use crate::engine::info::Score;
use crate::engine::process::EngineError;
use crate::engine::uci_client::UciClient;
use crate::laws::Prover;
use crate::laws::event::Decision;
use crate::tablebase::{Ending, Tables};
use crate::types::Color;
use std::fmt;
use std::time::{Duration, Instant};

/// With no more than this, in centipawns, the opponent is not winning.
const LEVEL: i32 = 20;
/// With no more than this it remains to be seen.
const SLIGHT: i32 = 100;
/// How long the named engine may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Who decides.
pub struct Officials<'a> {
    /// Proves what can be proven.
    pub prover: &'a mut dyn Prover,
    /// Knows positions with few pieces.
    pub tables: Option<&'a Tables>,
    /// Searches.
    pub judge: Option<&'a mut Judge>,
}

impl fmt::Debug for Officials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Officials").finish_non_exhaustive()
    }
}

/// An engine that is asked, and how many nodes it searches. One that fails is stopped at once: the next request starts it
/// anew.
pub struct Judge {
    engine: EngineConfig,
    nodes: u64,
    surroundings: Surroundings,
    patience: Duration,
    name: String,
    /// It runs, and owes no answer.
    client: Option<UciClient>,
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge").field("name", &self.name).field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl Officials<'_> {
    /// Decides whether the opponent of `by`, who is on move and claims so or whose flag has fallen, cannot win; `script` is
    /// UCI's `position` line. When the flag has fallen the decision is final.
    pub(super) fn decide(
        &mut self,
        by: Color,
        position: &Position,
        script: &str,
        is_final: bool,
    ) -> (Decision, Option<String>) {
        if self.prover.can_win(position, !by) == Some(false) {
            return (Decision::Agree("the opponent cannot mate".into()), None);
        }
        if let Some(ending) = self.tables.and_then(|tables| tables.ending(position)) {
            let decision = match ending {
                Ending::Loss => Decision::Reject,
                _ => Decision::Agree("the tablebase knows no win of the opponent".into()),
            };
            return (decision, None);
        }
        let Some(judge) = &mut self.judge else { return (Decision::Reject, None) };
        let score = match judge.search(script) {
            Ok(score) => score,
            Err(problem) => return (Decision::Reject, Some(problem)),
        };
        // The score is that of `by`, who is on move.
        let decision = if score.at_least(-LEVEL) {
            Decision::Agree(format!("{} sees no advantage of the opponent", judge.name))
        } else if !is_final && score.at_least(-SLIGHT) {
            Decision::Postpone { grant: true }
        } else {
            Decision::Reject
        };
        (decision, None)
    }
}

fn start_client(engine: &EngineConfig, surroundings: &Surroundings) -> Result<UciClient, EngineError> {
    UciClient::start(engine, surroundings).map_err(|error| surroundings.with_word(error, false))
}

impl Judge {
    /// Starts the engine. The end of the session does not end it: a decision that is due is not to be one for that.
    ///
    /// # Errors
    /// If it cannot be started or does not greet or get ready in time.
    pub fn start(
        engine: &EngineConfig,
        nodes: u64,
        surroundings: &Surroundings,
    ) -> Result<Judge, EngineError> {
        let (engine, surroundings) = (engine.clone(), Surroundings { bell: None, ..surroundings.clone() });
        let client = start_client(&engine, &surroundings)?;
        let file = engine.cmd.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = Some(client.name().to_string()).filter(|name| !name.is_empty()).unwrap_or(file);
        Ok(Judge { engine, nodes, surroundings, patience: PATIENCE, name, client: Some(client) })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Options that it has not declared, or not with such values, and errors that it told of when it was set up.
    pub fn refusals(&self) -> &[String] {
        self.client.as_ref().map_or(&[], |client| client.refusals())
    }

    /// The score of the side to move.
    ///
    /// # Errors
    /// What is wrong with the engine, if it gives none in time.
    fn search(&mut self, script: &str) -> Result<Score, String> {
        let failed = |error| format!("{}, who is to judge, is stopped: {error}", self.name);
        let mut client = match self.client.take() {
            Some(client) => client,
            None => start_client(&self.engine, &self.surroundings).map_err(failed)?,
        };
        let text = format!("{script}\ngo nodes {}\n", self.nodes);
        // Whoever fails here is dropped, and so killed: its answer would come to the next question.
        let score = client.new_game().and_then(|()| {
            let deadline = Instant::now() + self.patience;
            client.go(text.as_bytes(), deadline)?;
            let answer = client.await_best(deadline)?;
            Ok(client.take_info(&answer.best).0.score)
        });
        let score = score.map_err(failed)?;
        self.client = Some(client);
        score.ok_or_else(|| format!("{}, who is to judge, gives no score", self.name))
    }

    /// Lets the engine end by itself, and kills it if it does not.
    pub fn quit(self) {
        self.client.into_iter().for_each(UciClient::quit);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::laws::dead::Solver;
    use crate::sys::scratch::Scratch;

    /// An engine of which the first process does `first` when it is asked; those that come after it answer.
    fn judge(first: &str, patience: Duration) -> (Judge, Scratch) {
        let folder = Scratch::new();
        let script = format!(
            "is_first=; mkdir started 2>&- && is_first=1; \
             while read -r word rest; do case $word in \
             uci) echo uciok;; isready) echo readyok;; quit) exit;; \
             go) if [ $is_first ]; then {first}; else echo info score cp 5; echo bestmove e1e2; fi;; \
             esac; done"
        );
        let engine = EngineConfig {
            name: "Referee".into(),
            cmd: "sh".into(),
            args: vec!["-c".into(), script],
            dir: Some(folder.to_path_buf()),
            ..EngineConfig::default()
        };
        let judge = Judge::start(&engine, 100, &Surroundings::default()).unwrap();
        (Judge { patience, ..judge }, folder)
    }

    #[test]
    fn a_judge_who_fails_is_stopped_and_the_next_question_has_another() {
        for (first, patience, what) in [
            (
                "continue",
                50,
                "Referee, who is to judge, is stopped: the engine has not said 'bestmove' in time",
            ),
            ("exit", 60_000, "Referee, who is to judge, is stopped: "),
            ("is_first=; echo bestmove e1e2", 60_000, "Referee, who is to judge, gives no score"),
        ] {
            let (mut judge, _folder) = judge(first, Duration::from_millis(patience));
            let ask = |judge: &mut Judge| {
                let mut officials =
                    Officials { prover: &mut Solver::new(), tables: None, judge: Some(judge) };
                let position = Position::from_fen("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1").unwrap();
                officials.decide(Color::White, &position, "position startpos", false)
            };
            let (decision, problem) = ask(&mut judge);
            assert_eq!(decision, Decision::Reject, "{first}");
            assert!(problem.as_ref().is_some_and(|problem| problem.starts_with(what)), "{problem:?}");
            assert_eq!(
                judge.client.is_none(),
                what.contains("stopped"),
                "{first}: only who fails is stopped"
            );
            judge.patience = PATIENCE;
            let (decision, problem) = ask(&mut judge);
            assert!(matches!(decision, Decision::Agree(_)), "{first}: {decision:?}, {problem:?}");
            assert_eq!(problem, None, "{first}");
            judge.quit();
        }
    }
}
