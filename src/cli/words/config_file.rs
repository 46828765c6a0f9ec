//! Words from a file: the journal of a match, or a text.

use super::Surroundings;
use super::line::{Findings, Line, value};
use super::values::{split, yes};
use std::path::Path;

/// The words of the match whose journal begins with this line; `None` if it is no journal.
pub fn words_of_journal(first_line: &str) -> Option<Vec<String>> {
    let header: serde_json::Value = serde_json::from_str(first_line).ok()?;
    if header.get("format")?.as_str()? != "adoube-journal" {
        return None;
    }
    header.get("words")?.as_array()?.iter().map(|word| word.as_str().map(str::to_string)).collect()
}

/// A line with the words of the file that its `-config` names below its own.
pub(super) fn with_config(mut line: Line, place: &Surroundings<'_>, findings: &mut Findings) -> Line {
    let Some(params) = line.get("config").cloned() else { return line };
    line.remove("config");
    for key in ["outname", "stats"] {
        if value(&params, key).is_some() {
            findings.note(format!("-config {key}= changes nothing: the journal keeps the match"));
        }
    }
    let mut flag = |key: &str| {
        value(&params, key)
            .and_then(|text| findings.read(&format!("-config {key}='{text}'"), yes(text)))
            .unwrap_or(false)
    };
    flag("stats");
    if flag("discard") {
        findings.note("-config discard=true: its file is not read");
        return line;
    }
    let Some(file) = value(&params, "file") else { return line };
    let shown = format!("-config file='{file}'");
    let read = (place.read)(Path::new(file)).map_err(|error| error.to_string());
    let Some(text) = findings.read(&shown, read) else { return line };
    let journal = text.lines().next().and_then(words_of_journal);
    if journal.is_some() && line.get("resume").is_some() && line.get("journal").is_none() {
        line.put("journal", "file", file);
    }
    let words = match journal {
        Some(words) => Ok(words),
        None if text.trim_start().starts_with('{') => Err(NOT_OURS.to_string()),
        None => split(&text, true),
    };
    let Some(words) = findings.read(&shown, words) else { return line };
    let mut inside = Findings::default();
    let mut below = Line::read(&words, &mut inside);
    for word in ["config", "help", "version"] {
        if below.get(word).is_some() {
            inside.error(format!("-{word} belongs on the command line"));
        }
    }
    // Whether to go on is decided anew each time.
    if text.starts_with('{') {
        below.remove("resume");
    }
    findings.errors.extend(inside.errors.into_iter().map(|error| format!("in '{file}': {error}")));
    findings.notes.extend(inside.notes.into_iter().map(|note| format!("in '{file}': {note}")));
    line.over(below)
}

const NOT_OURS: &str = "this is JSON, as fastchess's config.json: it cannot be read here; \
    expected a journal of ours or a text of words such as -rounds 100";
