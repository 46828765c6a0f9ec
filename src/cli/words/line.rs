//! The words of a line in their groups, checked against the table: which word, which keys, each of them once.

use super::laws::OF_FIDE_ONLY;
use super::nearest::{hint, nearest};
use super::table::{ENGINE, FOREIGN, FOREIGN_KEYS, Form, Key, WORDS, Word, find};
use std::path::PathBuf;

/// What is to be said about a line.
#[derive(Default, Debug)]
pub(super) struct Findings {
    /// Why it is refused.
    pub(super) errors: Vec<String>,
    /// What is worth saying though it is taken.
    pub(super) notes: Vec<String>,
    /// Some words could not be read: what seems to be missing may be among them.
    pub(super) incomplete: bool,
}

impl Findings {
    /// Takes what was read, or tells where it could not be.
    pub(super) fn read<T>(&mut self, place: &str, value: Result<T, String>) -> Option<T> {
        value.map_err(|error| self.error(format!("{place}: {error}"))).ok()
    }

    pub(super) fn error(&mut self, text: impl Into<String>) {
        self.errors.push(text.into());
    }

    /// Tells that something is missing, unless it may be among what could not be read.
    pub(super) fn missing(&mut self, text: impl Into<String>) {
        if !self.incomplete {
            self.error(text);
        }
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}

/// What stands after a word: pairs, or one value whose key is empty.
pub(super) type Params = Vec<(String, String)>;

/// The value of a key.
pub(super) fn value<'a>(params: &'a Params, key: &str) -> Option<&'a str> {
    params.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// A line, or a file, of words.
#[derive(Clone, Default)]
pub(super) struct Line {
    /// What follows each `-engine`.
    pub(super) engines: Vec<Params>,
    /// The other words, each once.
    pub(super) words: Vec<(&'static Word, Params)>,
    /// The file that some of them are from.
    pub(super) config: Option<PathBuf>,
}

impl Line {
    /// What follows a word, if it is there.
    pub(super) fn get(&self, name: &str) -> Option<&Params> {
        self.words.iter().find(|(word, _)| word.name == name).map(|(_, params)| params)
    }

    /// Takes a word out.
    pub(super) fn remove(&mut self, name: &str) {
        self.words.retain(|(word, _)| word.name != name);
    }

    /// Puts a word in.
    pub(super) fn put(&mut self, name: &str, key: &str, value: impl Into<String>) {
        let pair = (key.to_string(), value.into());
        match self.words.iter_mut().find(|(word, _)| word.name == name) {
            Some((_, params)) => params.push(pair),
            None => self.words.extend(find(name).map(|word| (word, vec![pair]))),
        }
    }

    /// Puts a word in that has no value, if it is not there.
    pub(super) fn put_alone(&mut self, name: &str) {
        if self.get(name).is_none() {
            self.words.extend(find(name).map(|word| (word, vec![])));
        }
    }

    /// Reads words; what cannot be read is told and left out.
    pub(super) fn read(words: &[String], findings: &mut Findings) -> Line {
        let mut line = Line::default();
        let mut at = 0;
        while at < words.len() {
            let shown = &words[at];
            let after = at + 1;
            at = after + words[after..].iter().take_while(|word| !is_word(word)).count();
            if !is_word(shown) {
                findings.error(format!("'{shown}' stands before any word: expected one such as -engine"));
                continue;
            }
            let Some(word) = find(shown) else {
                findings.error(unknown(shown));
                continue;
            };
            if matches!(word.form, Form::Rest(_)) {
                findings.error(format!("{shown} must be the first word, and takes all that follow"));
                break;
            }
            let Some(params) = read_params(word, shown, &words[after..at], findings) else { continue };
            if word.name == "engine" {
                let place = format!("-engine {}", line.engines.len() + 1);
                line.engines.push(merged(word, &place, vec![], params, findings));
                continue;
            }
            let known = line.words.iter().position(|(known, _)| known.name == word.name);
            if known.is_some() && matches!(word.form, Form::Nothing) {
                findings.note(format!("-{} is given twice", word.name));
            }
            let index = known.unwrap_or_else(|| {
                line.words.push((word, vec![]));
                line.words.len() - 1
            });
            let before = std::mem::take(&mut line.words[index].1);
            line.words[index].1 = merged(word, &format!("-{}", word.name), before, params, findings);
        }
        line
    }

    /// This line, and below it those words and keys of another that it does not have itself and does not exclude.
    pub(super) fn over(mut self, below: Line) -> Line {
        // Two spellings of one thing: whoever says one of them has said it.
        let twins = [["games", "repeat"], ["json", "output"]];
        let said: Vec<&str> = self.words.iter().map(|(word, _)| word.name).collect();
        let excludes_seeds = self.get("tournament").is_some_and(|own| value(own, "") != Some("gauntlet"));
        for (word, params) in below.words {
            if excludes_seeds && word.name == "seeds" {
                continue;
            }
            let twin = twins.iter().find(|pair| pair.contains(&word.name));
            if let Some((_, own)) = self.words.iter_mut().find(|(own, _)| own.name == word.name) {
                let new: Params =
                    params.into_iter().filter(|(key, _)| !is_decided(word.name, key, own)).collect();
                own.extend(new);
            } else if !twin.is_some_and(|pair| pair.iter().any(|name| said.contains(name))) {
                self.words.push((word, params));
            }
        }
        if self.engines.is_empty() {
            self.engines = below.engines;
        }
        self
    }

    /// The line as words again.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = vec![];
        let engines = self.engines.iter().map(|params| ("engine", params));
        for (name, params) in engines.chain(self.words.iter().map(|(word, params)| (word.name, params))) {
            words.push(format!("-{name}"));
            words.extend(params.iter().map(|(key, value)| match key.as_str() {
                "" => value.clone(),
                key => format!("{key}={value}"),
            }));
        }
        words
    }
}

/// True if who says this behind a word has said what a key is, or that there is nothing for it to be.
fn is_decided(word: &str, key: &str, own: &Params) -> bool {
    let has = |key: &str| own.iter().any(|(name, _)| name.eq_ignore_ascii_case(key));
    let is_excluded = match (word, key) {
        (_, "tc") => has("st"),
        (_, "st") => has("tc"),
        ("openings", "file" | "format" | "order" | "plies") => has("chess960"),
        ("openings", "chess960") => has("file"),
        ("laws", key) => value(own, "edition") == Some("engine") && OF_FIDE_ONLY.contains(&key),
        _ => false,
    };
    is_excluded || has(key)
}

/// It is a word, and no value: it begins with a dash that is not a number's sign.
pub(super) fn is_word(text: &str) -> bool {
    let rest = text.strip_prefix('-');
    rest.is_some_and(|rest| !rest.starts_with(|first: char| first.is_ascii_digit() || first == '.'))
}

/// Why a word is refused that is not in the table.
fn unknown(shown: &str) -> String {
    let name = shown.trim_start_matches('-');
    if let Some((_, whose, instead)) = FOREIGN.iter().find(|(foreign, ..)| *foreign == name) {
        return format!("{shown} is a word of {whose} that a match here does not have: {instead}");
    }
    if let Some((word, value)) = name.split_once('=')
        && let Some(word) = find(word)
    {
        return match word.form {
            Form::Nothing => format!("'{shown}': -{} takes no value", word.name),
            _ => format!("'{shown}': its value stands after a blank: -{} {value}", word.name),
        };
    }
    let key = name.split(['=', '.']).next().unwrap_or_default();
    if ENGINE.iter().any(|known| known.name.split('.').next() == Some(key)) {
        return format!("{shown} is no word: {key} is a key of -engine and -each");
    }
    format!("unknown word '{shown}'{}", hint(name, WORDS.iter().map(|word| word.name), "-"))
}

/// What stands after a word, by the word's form; `None` if that is told to be wrong.
fn read_params(word: &Word, shown: &str, texts: &[String], findings: &mut Findings) -> Option<Params> {
    let one = |text: &String| vec![(String::new(), text.clone())];
    match (word.form, texts) {
        (Form::Nothing | Form::Optional(_), []) => Some(vec![]),
        (Form::Nothing, [first, ..]) => {
            findings.error(format!("{shown} takes no value, but '{first}' stands after it"));
            None
        }
        (Form::One(_) | Form::Optional(_), [text]) if !text.is_empty() => Some(one(text)),
        (Form::One(value), []) => {
            findings.error(format!("{shown} has no value: expected {shown} {value}"));
            None
        }
        (Form::One(value) | Form::Optional(value), _) => {
            findings.error(format!("{shown} {}: expected one value, {shown} {value}", texts.join(" ")));
            None
        }
        (Form::Text(value), _) => {
            let text = texts.join(" ");
            if text.is_empty() {
                findings.error(format!("{shown} has no value: expected {shown} {value}"));
                return None;
            }
            Some(one(&text))
        }
        (Form::Pairs(keys) | Form::FileAndPairs(keys), _) => {
            let bare = matches!(word.form, Form::FileAndPairs(_));
            if texts.is_empty() {
                let value = keys.first().map_or(String::new(), |key| format!("{}={}", key.name, key.value));
                findings.error(format!("{shown} has no value: expected {shown} {value}"));
                return None;
            }
            let mut pairs = vec![];
            let mut texts = texts.iter().enumerate();
            while let Some((index, text)) = texts.next() {
                let key = text.split_once('=').map(|(key, _)| key);
                let is_key = |key: &str| keys.iter().any(|known| known.name == key);
                // What could be a key, mistyped, has no signs of a path in it, or is near to one.
                let may_be_key = |key: &str| {
                    key.bytes().all(|byte| byte.is_ascii_alphabetic())
                        || nearest(key, keys.iter().map(|known| known.name)).is_some()
                };
                let is_no_pair = key.is_none_or(|key| !may_be_key(key));
                let first = keys.first().map_or("file", |key| key.name);
                if bare && index == 0 && is_no_pair && !text.is_empty() {
                    // The first key's value may stand without it.
                    pairs.push((first.to_string(), text.clone()));
                    continue;
                }
                match read_pair(keys, text, word) {
                    Ok(pair) => pairs.push(pair),
                    Err(error) => {
                        let may_be_name = bare && index == 0 && !key.is_some_and(is_key);
                        let way_out = format!(" (a file of that name: {first}={text})");
                        findings.error(error + if may_be_name { &way_out } else { "" });
                        // The rest of a name with blanks is no mistake of its own.
                        if text.starts_with("option.") && !text.contains('=') {
                            texts.find(|(_, text)| text.contains('='));
                        }
                    }
                }
            }
            Some(pairs)
        }
        (Form::Rest(_), _) => None,
    }
}

/// A pair `key=value`, or a key that may stand alone.
fn read_pair(keys: &[Key], text: &str, word: &Word) -> Result<(String, String), String> {
    let find = |name: &str| {
        let option = name.strip_prefix("option.").is_some_and(|option| !option.trim().is_empty());
        let name = if option { "option.NAME" } else { name };
        keys.iter().find(|key| key.name == name)
    };
    let of = word.name;
    let Some((name, value)) = text.split_once('=') else {
        return match find(text) {
            Some(key) if key.alone => Ok((text.to_string(), "true".to_string())),
            Some(key) => {
                let quoted = if key.name == "option.NAME" {
                    "; a name with blanks is quoted: \"option.Clear Hash=true\""
                } else {
                    ""
                };
                Err(format!("-{of} {text} has no value: expected {}={}{quoted}", key.name, key.value))
            }
            None => Err(foreign_key(word, text, "").unwrap_or_else(|| {
                let hint = hint(text, keys.iter().map(|key| key.name), "");
                format!("-{of} '{text}' is not key=value{hint}")
            })),
        };
    };
    match find(name) {
        None => Err(foreign_key(word, name, "=").unwrap_or_else(|| {
            let hint = hint(name, keys.iter().map(|key| key.name), "");
            format!("unknown key '{name}' of -{of}{hint}")
        })),
        Some(key) if value.is_empty() && !matches!(key.name, "option.NAME" | "args") => {
            Err(format!("-{of} {name}= has no value: expected {}={}", key.name, key.value))
        }
        Some(key) if key.value.is_empty() && !matches!(value, "true" | "false") => {
            Err(format!("-{of} {text}: expected {name}=true or {name}=false"))
        }
        // Two names of one key.
        Some(key) if key.name == "plies" && matches!(word.name, "engine" | "each") => {
            Ok(("depth".to_string(), value.to_string()))
        }
        Some(_) => Ok((name.to_string(), value.to_string())),
    }
}

/// Why a key is refused that another runner has.
fn foreign_key(word: &Word, name: &str, sign: &str) -> Option<String> {
    let mut keys = FOREIGN_KEYS.iter().filter(|_| matches!(word.name, "engine" | "each"));
    let (_, whose, instead) = keys.find(|(foreign, ..)| *foreign == name)?;
    Some(format!(
        "-{} {name}{sign} is a key of {whose} that a match here does not have: {instead}",
        word.name
    ))
}

/// Pairs added to those before them; what is there already may come again only with the same value.
fn merged(word: &Word, place: &str, mut before: Params, new: Params, findings: &mut Findings) -> Params {
    for (key, value) in new {
        let many = word.keys().iter().any(|known| known.many && known.name == key);
        let known = before.iter().find(|(name, _)| !many && name.eq_ignore_ascii_case(&key));
        let dot = if key.is_empty() { String::new() } else { format!(" {key}=") };
        match known {
            None => before.push((key, value)),
            Some((_, old)) if *old == value => findings.note(format!("{place}{dot} is given twice")),
            Some((_, old)) => {
                findings.error(format!("{place}{dot} is given twice: '{old}' and '{value}'"));
            }
        }
    }
    before
}
