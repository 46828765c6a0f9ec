//! Words from a file: the journal of a match, or a text.

use super::Surroundings;
use super::line::{Findings, Line, value};
use super::values::{split, yes};
use crate::sys::files::is_one_file;
use crate::tournament::journal::FORMAT;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// The words of the match whose journal begins with this line; `None` if it is no journal.
pub fn words_of_journal(first_line: &str) -> Option<Vec<String>> {
    let header: serde_json::Value = serde_json::from_str(first_line).ok()?;
    if header.get("format")?.as_str()? != FORMAT {
        return None;
    }
    header.get("words")?.as_array()?.iter().map(|word| word.as_str().map(str::to_string)).collect()
}

/// What a file of words holds.
enum Content {
    /// The words of the match whose journal it is.
    Journal(Vec<String>),
    /// All of it.
    Text(String),
}

/// The largest text of words, in bytes.
const LONGEST_TEXT: u64 = 16 << 20;

/// Of a journal only the first line, since games beyond number may follow.
fn read(file: impl BufRead) -> io::Result<Content> {
    let mut file = file.take(LONGEST_TEXT + 1);
    let mut text = String::new();
    file.read_line(&mut text)?;
    if let Some(words) = words_of_journal(&text) {
        return Ok(Content::Journal(words));
    }
    file.read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST_TEXT {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "this is too large for a text of words"));
    }
    // Editors of Windows put a mark before the text.
    Ok(Content::Text(text.strip_prefix('\u{feff}').unwrap_or(&text).to_string()))
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
    line.config = Some(file.into());
    let shown = format!("-config file='{file}'");
    let content = (place.open)(Path::new(file)).and_then(read).map_err(|error| error.to_string());
    let Some(content) = findings.read(&shown, content) else { return line };
    let is_journal = matches!(content, Content::Journal(_));
    let words = match content {
        Content::Journal(words) => Ok(words),
        Content::Text(text) if text.trim_start().starts_with('{') => Err(NOT_OURS.to_string()),
        Content::Text(text) => split(&text, true),
    };
    let Some(words) = findings.read(&shown, words) else { return line };
    if is_journal {
        let is_this = |name: &str| is_one_file(Path::new(name), Path::new(file));
        match line.get("journal").map(|params| value(params, "file").is_some_and(is_this)) {
            None => {
                line.put("journal", "file", file);
                line.put_alone("resume");
            }
            Some(true) => line.put_alone("resume"),
            // The same match once more, with a journal of its own.
            Some(false) => {}
        }
    }
    let mut inside = Findings::default();
    let mut below = Line::read(&words, &mut inside);
    for word in ["config", "help", "version"] {
        if below.get(word).is_some() {
            inside.error(format!("-{word} belongs on the command line"));
        }
    }
    // Whether to go on is decided anew each time.
    if is_journal {
        below.remove("resume");
    }
    findings.errors.extend(inside.errors.into_iter().map(|error| format!("in '{file}': {error}")));
    findings.notes.extend(inside.notes.into_iter().map(|note| format!("in '{file}': {note}")));
    line.over(below)
}

const NOT_OURS: &str = "this is JSON, as fastchess's config.json: it cannot be read here; \
    expected a journal of ours or a text of words such as -rounds 100";
