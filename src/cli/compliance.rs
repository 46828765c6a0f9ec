//! `adoube match --compliance`: does an engine speak UCI as its clients need it?

use super::Failure;
use crate::engine::compliance::{Progress, Settings, run as put_to_the_test};
use crate::engine::config::EngineConfig;
use crate::sys::children;
use std::io::Write;
use std::path::Path;

/// Tests the engine and prints a line for each step.
///
/// # Errors
/// If a step has failed, or else if nobody reads what is printed.
pub(super) fn run(cmd: &Path, args: &[String]) -> Result<(), Failure> {
    children::start_guard()?;
    let config = EngineConfig { cmd: cmd.to_path_buf(), args: args.to_vec(), ..EngineConfig::default() };
    let mut out = std::io::stdout();
    let mut unheard = None;
    let summary = put_to_the_test(&config, &Settings::default(), &mut |progress| {
        let told = match progress {
            Progress::Begun(number, name) => {
                write!(out, "Step {number}: {name}... ").and_then(|()| out.flush())
            }
            Progress::Ended(_, _, outcome) => writeln!(out, "{outcome}"),
        };
        unheard = unheard.take().or(told.err());
    });
    // Whoever does not listen is to know by the status what has failed.
    unheard = unheard.or_else(|| writeln!(out, "{summary}").err());
    match summary.failed {
        0 => unheard.map_or(Ok(()), |error| Err(error.into())),
        1 => Err("the engine has failed a step".into()),
        failed => Err(format!("the engine has failed {failed} steps").into()),
    }
}
