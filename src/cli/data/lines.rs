//! `adoube data export` and `adoube data label`: positions as lines of text, and scores that come back from lines.

use super::super::unfinished::Unfinished;
use super::super::{input, shown, wrong_usage};
use super::{Failure, Games, Output, OutputArguments};
use crate::board::{FenStyle, Position};
use crate::eval::Evaluation;
use crate::eval::wdl::centipawns;
use crate::notation::characters::visible;
use crate::sys::lines::read_line;
use crate::training::work::{self, Choice, Column};
use crate::types::Score;
use serde_json::json;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

/// The longest line with a score that is read, in bytes with its end: a position, and what other columns have.
const LONGEST_LINE: usize = 1_000;

pub(super) fn export(
    file: &Path,
    out: Option<&Path>,
    columns: &[Column],
    choice: Choice,
    eval_file: Option<&str>,
    output: &OutputArguments,
) -> Result<(), Failure> {
    if eval_file.is_some() && !columns.contains(&Column::Static) {
        let message = "--eval-file is for the column static, which --columns does not have";
        return Err(wrong_usage("data export", message));
    }
    let eval_file = eval_file.unwrap_or(Evaluation::INTERNAL);
    let evaluation = Evaluation::from_setting(eval_file)?;
    let mut games = Games::open(file, &output.damage)?;
    let mut write = |out: &mut dyn Write| -> Result<u64, Failure> {
        let mut out = BufWriter::new(out);
        let mut count = 0;
        while let Some(game) = games.next() {
            count += work::export(&game?, games.number(), choice, columns, &evaluation, &mut out)?;
        }
        out.flush()?;
        Ok(count)
    };
    let Some(wanted) = out.filter(|out| *out != Path::new("-")) else {
        return write(&mut io::stdout().lock()).map(drop);
    };
    let made = Unfinished::of(output.target(wanted, &[file, Path::new(eval_file)])?);
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
    let told = format!("{count} positions are in {}", made.wanted().display());
    writeln!(io::stdout(), "{}", shown(told))?;
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
    let mut scores = Scores { name, text: BufReader::new(text), lines: 0, line: vec![] };
    // Not where the scores are from: through a pipe they make the same file.
    let options = json!({ "noisy": choice.noisy });
    let mut made = Output::create(out, output, "label", options, &[file])?;
    for game in Games::open(file, &output.damage)? {
        let mut game = game?;
        work::label(&mut game, choice, |position| scores.next_of(position))?;
        made.push(game)?;
    }
    scores.must_end()?;
    made.finish()
}

/// Scores, one a line.
struct Scores {
    name: String,
    text: BufReader<Box<dyn Read>>,
    /// Lines that were read.
    lines: u64,
    /// The last one.
    line: Vec<u8>,
}

impl Scores {
    /// The next one, in hundredths of a pawn, which has to be of this position if it says of which it is.
    fn next_of(&mut self, position: &Position) -> Result<f64, Failure> {
        let Some(line) = self.next_line()? else {
            return Err(format!(
                "{} has {} scores, and there are more positions than that: {FROM_THIS_FILE}",
                self.name, self.lines
            )
            .into());
        };
        let mut columns = line.split('|').map(str::trim);
        let first = columns.next().unwrap_or_default();
        let score = columns.next().unwrap_or(first);
        if line.contains('|') && !is_of(first, position) {
            let fen = position.to_fen(FenStyle::XFen);
            let found = visible(first);
            return Err(self.wrong(&format!("'{found}' is not the position, {fen}: {FROM_THIS_FILE}")));
        }
        let largest = centipawns(Score::EVAL_BOUND);
        let number = score.parse().ok().filter(|number: &f64| number.abs() <= f64::from(largest));
        number.ok_or_else(|| {
            let found = visible(score);
            self.wrong(&format!("'{found}' is no score: expected a number from -{largest} to {largest}"))
        })
    }

    /// Nothing may be left but empty lines.
    fn must_end(&mut self) -> Result<(), Failure> {
        let positions = self.lines;
        while let Some(line) = self.next_line()? {
            if !line.is_empty() {
                return Err(format!(
                    "{} has more scores than there are positions, {positions}: {FROM_THIS_FILE}",
                    self.name
                )
                .into());
            }
        }
        Ok(())
    }

    /// The next line without the blanks around it.
    fn next_line(&mut self) -> Result<Option<String>, Failure> {
        let length = read_line(&mut self.text, &mut self.line, LONGEST_LINE);
        let length = length.map_err(|error| format!("{}: {error}", self.name))?;
        if length == 0 {
            return Ok(None);
        }
        self.lines += 1;
        if length > LONGEST_LINE as u64 {
            return Err(self.wrong(&format!("it has more than {LONGEST_LINE} bytes with its end")));
        }
        let line = String::from_utf8_lossy(&self.line);
        let line = line.trim_start_matches('\u{feff}').trim();
        Ok(Some(line.into()))
    }

    /// What is wrong with the last line.
    fn wrong(&self, what: &str) -> Failure {
        format!("{}, line {}: {what}", self.name, self.lines).into()
    }
}

/// What to ask oneself where lines and positions do not go together.
const FROM_THIS_FILE: &str = "were they written from this file, with the same --noisy?";

/// If a FEN is this position's, whatever its counters of moves.
fn is_of(fen: &str, position: &Position) -> bool {
    let own = position.to_fen(FenStyle::XFen);
    fen.split_whitespace().take(4).eq(own.split_whitespace().take(4))
}
