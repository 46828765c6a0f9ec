//! Whether a program speaks UCI as its clients need it: a conformity test of many small steps.
//!
//! Knows what clients send, what they trip over and what the UCI text asks for; does not know how anything is printed. A
//! step fails if what the engine did breaks clients (no `bestmove`, an illegal move, a crash); it gets a warning for
//! what match runners complain of and for what the UCI text recommends. Every step has deadlines of its own, and an
//! engine that hangs or dies is started again for the next one.
//!
//! The subjects are those of the conformity test of fastchess and of the warnings that make fishtest stop a test, besides
//! what known clients (Arena, Cute Chess, fishnet, Nibbler, PyChess, python-chess, Scid) do. The UCI text is that of
//! April 2006, by Stefan Meyer-Kahlen.

mod answer;
mod declarations;
mod greeting_steps;
mod info_line;
mod line_steps;
mod move_steps;
mod root;
mod search_steps;
mod talk;
mod tester;

use super::config::EngineConfig;
use std::fmt;
use std::time::Duration;
use tester::Tester;

/// How patient the test is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How long the engine may take to say `uciok`.
    pub startup: Duration,
    /// How long it may take to answer anything else, beyond the time that it was given.
    pub patience: Duration,
    /// So much later than asked is still in time: pipes and a busy machine take their part. More is worth a warning, ten
    /// times as much is a failure.
    pub tolerance: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            startup: Duration::from_secs(10),
            patience: Duration::from_secs(5),
            tolerance: Duration::from_millis(100),
        }
    }
}

/// How bad something is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Match runners complain of it, or the UCI text recommends something else.
    Warning,
    /// It breaks clients.
    Failure,
}

/// Something that is wrong, with what was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// What it is, in a sentence about the engine.
    pub what: String,
    /// What was sent, its lines parted by ` | `.
    pub sent: String,
    /// What came, in the same form; `nothing` if nothing came.
    pub came: String,
}

/// How a step ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing was wrong.
    Passed,
    /// It does not concern this engine: why.
    Skipped(String),
    /// Something was wrong; never empty.
    Found(Vec<Finding>),
}

impl Outcome {
    /// The worst that was found, if anything was.
    pub fn level(&self) -> Option<Level> {
        match self {
            Outcome::Found(findings) => findings.iter().map(|finding| finding.level).max(),
            Outcome::Passed | Outcome::Skipped(_) => None,
        }
    }
}

impl fmt::Display for Outcome {
    /// `passed`, `warning (…)`: what stands behind the name of the step, and the quotations in lines of their own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let findings = match self {
            Outcome::Passed => return f.write_str("passed"),
            Outcome::Skipped(why) => return write!(f, "passed ({why})"),
            Outcome::Found(findings) => findings,
        };
        let verdict = if self.level() == Some(Level::Failure) { "failed" } else { "warning" };
        let what: Vec<&str> = findings.iter().map(|finding| finding.what.as_str()).collect();
        write!(f, "{verdict} ({})", what.join("; "))?;
        let mut last = None;
        for finding in findings {
            // The same words can be wrong in two ways.
            if last.replace((&finding.sent, &finding.came)) == Some((&finding.sent, &finding.came)) {
                continue;
            }
            write!(f, "\n    sent: {}\n    came: {}", finding.sent, finding.came)?;
        }
        Ok(())
    }
}

/// What the test tells while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// A step begins: its number, from 1, and its name.
    Begun(usize, &'a str),
    /// It has ended.
    Ended(usize, &'a str, &'a Outcome),
}

/// How many steps ended how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Without complaint.
    pub passed: usize,
    /// With nothing worse than warnings.
    pub warnings: usize,
    /// With a failure.
    pub failed: usize,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = if self.warnings == 1 { "" } else { "s" };
        write!(f, "{} passed, {} warning{ending}, {} failed", self.passed, self.warnings, self.failed)
    }
}

/// A step of the test.
struct Step {
    name: &'static str,
    /// Does it. An error is that of an engine which hangs or is gone; it counts as a failure.
    run: fn(&mut Tester) -> Result<(), super::process::EngineError>,
}

/// All steps, in the order in which they are taken.
fn steps() -> impl Iterator<Item = &'static Step> {
    [greeting_steps::STEPS, search_steps::STEPS, move_steps::STEPS, line_steps::STEPS].into_iter().flatten()
}

/// The names of all steps, in their order.
pub fn step_names() -> Vec<&'static str> {
    steps().map(|step| step.name).collect()
}

/// Puts an engine to the test; `report` hears of each step. An engine that does not greet is not asked any more.
pub fn run(config: &EngineConfig, settings: &Settings, report: &mut dyn FnMut(Progress)) -> Summary {
    let mut tester = Tester::new(config, *settings);
    let mut summary = Summary::default();
    for (step, number) in steps().zip(1..) {
        report(Progress::Begun(number, step.name));
        let outcome = tester.take(step);
        match outcome.level() {
            None => summary.passed += 1,
            Some(Level::Warning) => summary.warnings += 1,
            Some(Level::Failure) => summary.failed += 1,
        }
        report(Progress::Ended(number, step.name, &outcome));
        if !tester.is_worth_asking() {
            break;
        }
    }
    summary
}

#[cfg(test)]
mod tests;
