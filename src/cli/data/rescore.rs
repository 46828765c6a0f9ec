//! `adoube data rescore`: a file of games whose scores are made anew, which is gone on with whatever stopped it.

use super::super::progress::Display;
use super::super::searching::SearchArguments;
use super::super::selfplay;
use super::super::unfinished::Unfinished;
use super::{Failure, Games, Output, OutputArguments, count_games};
use crate::sys::files::is_one_file;
use crate::sys::signals::interrupt_flag;
use crate::training::data::{DataError, DataReader, Origin, SelfplayGame};
use crate::training::work::{Rescorer, rescore};
use serde_json::json;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Games in memory at once for each thread. They are kept together: so many a kill costs.
const AT_ONCE: usize = 16;

pub(super) fn run(
    file: &Path,
    out: &Path,
    arguments: &SearchArguments,
    threads: usize,
    output: &OutputArguments,
) -> Result<(), Failure> {
    let search = arguments.read("data rescore")?;
    let options = json!({
        "nodes": search.nodes,
        "hard_nodes": search.hard_nodes,
        "hash": search.hash,
        "search": search.signature()?,
    });
    output.target(out, &[&arguments.eval_file])?;
    let (wanted, origin) = Output::plan(out, output, "rescore", options, &[file])?;
    let of = count_games(file)?;
    let mut games = Games::open(file, &output.damage)?;
    let stop = interrupt_flag();
    let rescorer = |solo| Rescorer::new(solo, search.nodes, search.hard_nodes);
    let mut rescorers: Vec<_> = search.solos(threads)?.into_iter().map(rescorer).collect();
    let mut made = go_on(Unfinished::kept(wanted), &origin, file, &mut games, output)?;
    let mut display = Display::new();
    let (first, begin) = (made.games, Instant::now());
    let is_whole = loop {
        let some = games.by_ref().take(threads * AT_ONCE).collect::<Result<Vec<_>, DataError>>()?;
        let (before, wanted) = (made.games, some.len());
        if wanted == 0 || stop.load(Ordering::Relaxed) {
            break wanted == 0;
        }
        let scored = rescore(some, &mut rescorers, &stop, &mut |count| {
            let done = before + count as u64;
            let each = begin.elapsed().as_secs_f64() / (done - first) as f64;
            let left = Duration::try_from_secs_f64(each * of.saturating_sub(done) as f64).ok();
            let line = format!("{done} of {of} games, {:.1} games/s", 1.0 / each.max(1e-9));
            display.show(done as f64 / of.max(done) as f64, &line, left);
        })?;
        let are_all = scored.len() == wanted;
        for game in scored {
            made.push(game)?;
        }
        made.save()?;
        if !are_all {
            break false;
        }
    };
    drop(display);
    if is_whole {
        return made.finish();
    }
    made.complete()?;
    Err(format!("stopped with {} of {of} games scored; the same command goes on", made.games).into())
}

/// The file in the making, new or behind what is there of it, whose games `games` is led past.
fn go_on(
    made: Unfinished,
    origin: &Origin,
    file: &Path,
    games: &mut Games,
    output: &OutputArguments,
) -> Result<Output, Failure> {
    let path = made.path();
    if is_one_file(file, path) {
        return Err(format!("{} cannot be read and written at once", path.display()).into());
    }
    // What comes from elsewhere, or cannot be read, is refused when it is opened to be written.
    let begun = DataReader::open(path).ok().filter(|begun| begun.origin() == origin);
    let mut count = 0;
    // Behind damage nothing is gone on with.
    for scored in begun.into_iter().flatten().map_while(Result::ok) {
        // A file can have other games and yet say the same of itself.
        if !games.next().transpose()?.is_some_and(|game| is_same_but_for_scores(&scored, &game)) {
            let (path, game) = (path.display(), count + 1);
            return Err(format!(
                "{path} was made out of other games: {} has not its game {game}; without {path} all begins anew",
                file.display()
            )
            .into());
        }
        count += 1;
    }
    let opened = selfplay::open(path, origin).map_err(|failure| match failure.downcast_ref() {
        Some(DataError::Resume { .. }) => {
            format!("{failure}; without {} all begins anew", path.display()).into()
        }
        _ => failure,
    });
    let (writer, resumed) = opened?;
    if resumed.games != count {
        return Err(format!("{} is written by another program", path.display()).into());
    }
    Ok(Output { made, writer: Some(writer), games: count, force: output.force })
}

/// True if one can have come of the other by new scores.
fn is_same_but_for_scores(one: &SelfplayGame, other: &SelfplayGame) -> bool {
    (one.start, one.outcome, one.ending) == (other.start, other.outcome, other.ending)
        && one.plies.len() == other.plies.len()
        && one
            .plies
            .iter()
            .zip(&other.plies)
            .all(|(one, other)| (one.mv, one.score.is_some()) == (other.mv, other.score.is_some()))
}
