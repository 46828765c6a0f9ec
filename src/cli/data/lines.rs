//! `adoube data export` and `adoube data label`: positions as lines of text, and scores that come back from lines.

use super::super::input;
use super::super::unfinished::Unfinished;
use super::{Failure, Games, Output, OutputArguments};
use crate::eval::Evaluation;
use crate::eval::wdl::centipawns;
use crate::training::work::{self, Choice, Column};
use crate::types::Score;
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

/// The longest line with a score that is read.
const LONGEST_LINE: u64 = 100;

pub(super) fn export(
    file: &Path,
    out: Option<&Path>,
    columns: &[Column],
    choice: Choice,
    eval_file: &str,
    output: &OutputArguments,
) -> Result<(), Failure> {
    let evaluation = Evaluation::from_setting(eval_file)?;
    let games = Games::open(file, &output.damage)?;
    let write = |out: &mut dyn Write| -> Result<u64, Failure> {
        let mut out = BufWriter::new(out);
        let mut count = 0;
        for (number, game) in (0..).zip(games) {
            count += work::export(&game?, number, choice, columns, &evaluation, &mut out)?;
        }
        out.flush()?;
        Ok(count)
    };
    let Some(wanted) = out else {
        return write(&mut io::stdout().lock()).map(drop);
    };
    let made = Unfinished::of(output.target(wanted, &[file])?);
    let mut text = File::create(made.path()).map_err(|error| made.failed(&error))?;
    let count = write(&mut text).map_err(|failure| match failure.downcast_ref::<io::Error>() {
        Some(error) => made.failed(error),
        None => failure,
    })?;
    text.sync_all().map_err(|error| made.failed(&error))?;
    if output.force {
        made.place()?
    } else {
        made.place_new()?
    }
    writeln!(io::stdout(), "{count} positions are in {}", made.wanted().display())?;
    Ok(())
}

pub(super) fn label(
    file: &Path,
    out: &Path,
    scores: &Path,
    choice: Choice,
    output: &OutputArguments,
) -> Result<(), Failure> {
    output.target(out, &[scores])?;
    let (name, text) = input::open(Some(scores), "data label")?;
    let mut scores = Scores { name, lines: BufReader::new(text), count: 0 };
    let options = json!({ "scores": scores.name, "noisy": choice.noisy });
    let mut made = Output::create(out, output, "label", options, &[file])?;
    for game in Games::open(file, &output.damage)? {
        let mut game = game?;
        work::label(&mut game, choice, || scores.next_one())?;
        made.push(game)?;
    }
    scores.must_end()?;
    made.finish()
}

/// Scores, one a line.
struct Scores {
    name: String,
    lines: BufReader<Box<dyn Read>>,
    /// Lines that were read.
    count: u64,
}

impl Scores {
    /// The next one, in hundredths of a pawn.
    fn next_one(&mut self) -> Result<f64, Failure> {
        let Some(line) = self.line()? else {
            return Err(format!(
                "{} has {} scores, and there are more positions than that: were they written from this file, with the same \
                 --noisy?",
                self.name, self.count
            )
            .into());
        };
        let largest = centipawns(Score::EVAL_BOUND);
        let number = line.trim().parse().ok().filter(|number: &f64| number.abs() <= f64::from(largest));
        number.ok_or_else(|| {
            let (name, number, line) =
                (&self.name, self.count, crate::notation::characters::visible(line.trim()));
            format!(
                "{name}, line {number}: '{line}' is no score: expected a number from -{largest} to {largest}"
            )
            .into()
        })
    }

    /// Nothing may be left.
    fn must_end(&mut self) -> Result<(), Failure> {
        let positions = self.count;
        match self.line()? {
            None => Ok(()),
            Some(_) => Err(format!(
                "{} has more scores than there are positions, {positions}: were they written from this file, with the same \
                 --noisy?",
                self.name
            )
            .into()),
        }
    }

    fn line(&mut self) -> Result<Option<String>, Failure> {
        let mut line = vec![];
        let count = (&mut self.lines).take(LONGEST_LINE).read_until(b'\n', &mut line);
        if count.map_err(|error| format!("{}: {error}", self.name))? == 0 {
            return Ok(None);
        }
        self.count += 1;
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}
