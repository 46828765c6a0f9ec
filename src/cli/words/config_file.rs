//! Words from a file: the journal of a match, or a text.

use super::Surroundings;
use super::line::{Findings, Line, value};
use super::values::{split, yes};
use crate::sys::files::{is_one_file, with_suffix};
use crate::tournament::journal::FORMAT;
use crate::tournament::journal_place::may_be_file;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

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
    let mut goes_on = false;
    if is_journal {
        let is_this = |name: &str| is_one_file(Path::new(name), Path::new(file));
        match line.get("journal").map(|params| value(params, "file").is_some_and(is_this)) {
            None => {
                goes_on = true;
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
    let inner = below.get("journal").and_then(|params| value(params, "file")).map(PathBuf::from);
    let file = PathBuf::from(file);
    let line = line.over(below);
    // Whoever names the journal himself knows which he means.
    if goes_on
        && let Some(other) = inner.or_else(|| beside_pgn(&line))
        && is_copy(&file, &other, place)
    {
        findings.error(format!(
            "{shown}: its words lead to {}, which is another journal of the same match: expected that one, or -journal \
             file= with the files that the match is to write, such as -pgnout file=",
            other.display()
        ));
    }
    line
}

/// Where the journal would be by the PGN of a line.
fn beside_pgn(line: &Line) -> Option<PathBuf> {
    let pgn = Path::new(value(line.get("pgnout")?, "file")?);
    may_be_file(pgn).then(|| with_suffix(pgn, ".journal"))
}

/// True if a journal is that of the same match as another one, and not the other one itself under a name with a number, as
/// it is given when a match is begun anew: the folder has been copied, or the journal.
fn is_copy(file: &Path, other: &Path, place: &Surroundings<'_>) -> bool {
    let seed = |file: &Path| {
        let mut line = String::new();
        (place.open)(file).ok()?.take(LONGEST_TEXT).read_line(&mut line).ok()?;
        serde_json::from_str::<serde_json::Value>(&line).ok()?.get("seed")?.as_u64()
    };
    let names = [file, other].map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned());
    let number = names[0].strip_prefix(&names[1]).and_then(|rest| rest.strip_prefix('.'));
    let is_numbered = number.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
        && is_one_file(&file.with_file_name(&names[1]), other);
    !is_one_file(file, other) && !is_numbered && seed(other).is_some_and(|other| seed(file) == Some(other))
}

const NOT_OURS: &str = "this is JSON, as fastchess's config.json: it cannot be read here; \
    expected a journal of ours or a text of words such as -rounds 100";

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_copied_folder_does_not_write_into_the_first_one() {
        let journal = |seed: u64, more: &[&str]| {
            let words: Vec<&str> =
                ["-engine", "cmd=a", "-engine", "cmd=b"].iter().chain(more).copied().collect();
            format!("{}\n", serde_json::json!({ "format": FORMAT, "seed": seed, "words": words }))
        };
        let pgn = ["-pgnout", "file=one/g.pgn"];
        let own = ["-pgnout", "file=one/g.pgn", "-journal", "file=one/j"];
        let files = HashMap::from([
            ("one/g.pgn.journal", journal(7, &pgn)),
            ("one/g.pgn.journal.1", journal(7, &pgn)),
            ("one/j", journal(7, &own)),
            ("two/g.pgn.journal", journal(7, &pgn)),
            ("two/j", journal(7, &own)),
            ("two/other", journal(8, &pgn)),
            ("two/alone", journal(7, &["-pgnout", "file=two/none.pgn"])),
            ("two/usual", journal(7, &[])),
        ]);
        let open = |path: &Path| -> io::Result<Box<dyn BufRead>> {
            let text = files.get(path.to_str().unwrap()).cloned().ok_or(io::ErrorKind::NotFound)?;
            Ok(Box::new(io::Cursor::new(text)))
        };
        let place = Surroundings { processors: Some(1), open: &open };
        let errors = |words: &str| {
            let words: Vec<String> = words.split(' ').map(String::from).collect();
            let mut findings = Findings::default();
            let line = Line::read(&words, &mut findings);
            with_config(line, &place, &mut findings);
            findings.errors.join(";")
        };
        for (file, other) in [("two/g.pgn.journal", "one/g.pgn.journal"), ("two/j", "one/j")] {
            let told = errors(&format!("-config file={file}"));
            assert!(told.contains(&format!("its words lead to {other}, which is another journal")), "{told}");
        }
        for words in [
            "file=one/g.pgn.journal",
            "file=one/g.pgn.journal.1",
            "file=one/j",
            "file=two/other",
            "file=two/alone",
            "file=two/usual",
            "file=two/g.pgn.journal -pgnout file=two/g.pgn",
            "file=two/g.pgn.journal -journal file=two/g.pgn.journal",
        ] {
            assert_eq!(errors(&format!("-config {words}")), "", "{words}");
        }
    }
}
