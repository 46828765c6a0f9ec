//! The options that an engine declares, and what may be set.

use super::dialogue::LONGEST_KEPT;
use crate::notation::characters::legible;
use std::collections::{BTreeMap, HashMap};

/// The words of an `option` line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Declaration {
    /// The line itself.
    pub line: String,
    /// What stands between `name` and `type`; nothing if there is none.
    pub name: String,
    /// The word after `type`.
    pub kind: String,
    /// What follows `default`.
    pub default: Option<String>,
    /// What follows `min`.
    pub min: Option<String>,
    /// What follows `max`.
    pub max: Option<String>,
    /// What follows each `var`.
    pub vars: Vec<String>,
}

impl Declaration {
    /// Reads a line of an engine; `None` if its first word is not `option`. Blanks of any kind part words.
    pub fn read(line: &str) -> Option<Declaration> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("option") {
            return None;
        }
        let mut words = words.skip_while(|&word| word != "name").skip(1);
        let name: Vec<&str> = words.by_ref().take_while(|&word| word != "type").collect();
        let kind = words.next().unwrap_or_default().to_string();
        let line = line.to_string();
        let mut read = Declaration { line, name: name.join(" "), kind, ..Declaration::default() };
        // What is no key for this type may be a word of a value.
        let keys: &[&str] = match read.kind.as_str() {
            "combo" => &["default", "var"],
            "string" => &["default"],
            _ => &["default", "min", "max", "var"],
        };
        let mut key = "";
        for word in words {
            if keys.contains(&word) {
                key = word;
                read.begin(key);
            } else if let Some(value) = read.value(key) {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(word);
            }
        }
        Some(read)
    }

    /// A value without words yet.
    fn begin(&mut self, key: &str) {
        match key {
            "default" => self.default = Some(String::new()),
            "min" => self.min = Some(String::new()),
            "max" => self.max = Some(String::new()),
            _ => self.vars.push(String::new()),
        }
    }

    /// The value that has begun last behind this key.
    fn value(&mut self, key: &str) -> Option<&mut String> {
        match key {
            "default" => self.default.as_mut(),
            "min" => self.min.as_mut(),
            "max" => self.max.as_mut(),
            _ => self.vars.last_mut(),
        }
    }
}

/// An option as the engine has declared it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredOption {
    /// Its name.
    pub name: String,
    /// What may be set.
    pub kind: OptionKind,
    /// Its value before it is set; in xboard's protocol it is not looked at.
    pub default: Option<String>,
}

/// The values that an engine has for what matches are often told to be played with, unless it is told others; `None` for an
/// option that it does not know.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Defaults {
    /// That of `Threads`.
    pub threads: Option<String>,
    /// That of `Hash`, in megabytes.
    pub hash: Option<String>,
}

/// What may be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number in this range.
    Spin {
        /// The smallest.
        min: i128,
        /// The largest.
        max: i128,
    },
    /// One of these words.
    Combo(Vec<String>),
    /// Nothing: it is pressed.
    Button,
    /// Any text.
    Text,
    /// A type that is none of UCI's, or a declaration that cannot be read.
    Unknown,
}

impl DeclaredOption {
    /// Reads a line of an engine; `None` if it declares no option with a name.
    pub fn read(line: &str) -> Option<DeclaredOption> {
        let read = Declaration::read(line)?;
        let number = |value: Option<String>| value?.parse().ok();
        let kind = match read.kind.as_str() {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin {
                min: number(read.min).unwrap_or(i128::MIN),
                max: number(read.max).unwrap_or(i128::MAX),
            },
            "combo" => OptionKind::Combo(read.vars),
            "button" => OptionKind::Button,
            "string" => OptionKind::Text,
            _ => OptionKind::Unknown,
        };
        (!read.name.is_empty()).then_some(DeclaredOption { name: read.name, kind, default: read.default })
    }

    /// A value as the engine has spelled it, where it has: the words of a combo may be given in any letters.
    pub fn spelled<'a>(&'a self, value: &'a str) -> &'a str {
        let words: &[String] = if let OptionKind::Combo(words) = &self.kind { words } else { &[] };
        words.iter().find(|word| word.eq_ignore_ascii_case(value)).map_or(value, |word| word)
    }

    /// Why a value cannot be set, if it cannot.
    pub fn refusal(&self, value: &str) -> Option<String> {
        let name = &self.name;
        match &self.kind {
            OptionKind::Check if !["true", "false"].contains(&value) => {
                Some(format!("Invalid value for option {name}: '{value}' is neither true nor false"))
            }
            OptionKind::Spin { min, max } => match value.parse::<i128>() {
                Ok(number) if (*min..=*max).contains(&number) => None,
                Ok(_) => Some(format!("Invalid value for option {name}: {value} is not in {min} to {max}")),
                Err(_) => Some(format!("Invalid value for option {name}: '{value}' is no whole number")),
            },
            OptionKind::Combo(values) if !values.iter().any(|known| known.eq_ignore_ascii_case(value)) => {
                // There may be thousands, of any characters.
                let known = legible(&values.join(", "), LONGEST_KEPT);
                Some(format!("Invalid value for option {name}: '{value}' is none of {known}"))
            }
            _ => None,
        }
    }
}

/// More options than this nobody has.
pub(super) const MOST_OPTIONS: usize = 2000;
/// So many bytes may the declarations of all options have that are kept: a list of ten thousand values is one line.
const MOST_DECLARED: usize = 1 << 20;

/// The options of an engine as far as they are kept, in the order in which they were declared.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    kept: BTreeMap<u64, Kept>,
    /// Where in `kept` a name was declared last, so that engines that declare much again and again cost little.
    places: HashMap<String, u64>,
    /// Where the next one goes.
    next: u64,
    /// How long the declarations of those that are kept were.
    bytes: usize,
}

/// An option, and how long its declaration was.
#[derive(Clone, Debug)]
struct Kept {
    option: DeclaredOption,
    bytes: usize,
}

impl Options {
    /// True if one more can be kept that is declared in so many bytes.
    pub(super) fn have_room(&self, bytes: usize) -> bool {
        self.kept.len() < MOST_OPTIONS && self.bytes + bytes <= MOST_DECLARED
    }

    /// Keeps one that was declared in so many bytes. False if there is no room for it.
    pub(super) fn add(&mut self, option: DeclaredOption, bytes: usize) -> bool {
        if !self.have_room(bytes) {
            return false;
        }
        self.places.insert(option.name.clone(), self.next);
        self.kept.insert(self.next, Kept { option, bytes });
        self.next += 1;
        self.bytes += bytes;
        true
    }

    /// Forgets what was declared last under this name, if anything was.
    pub(super) fn forget(&mut self, name: &str) {
        let forgotten = self.places.remove(name).and_then(|place| self.kept.remove(&place));
        self.bytes -= forgotten.map_or(0, |kept| kept.bytes);
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &DeclaredOption> {
        self.kept.values().map(|kept| &kept.option)
    }

    /// The first that has this name, in whatever case.
    pub(super) fn find(&self, name: &str) -> Option<&DeclaredOption> {
        self.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// What they tell of a match's usual settings.
    pub(super) fn defaults(&self) -> Defaults {
        let default = |name: &str| self.find(name)?.default.clone();
        Defaults { threads: default("Threads"), hash: default("Hash") }
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(declaration: &str, value: &str) -> Option<String> {
        DeclaredOption::read(declaration).unwrap().refusal(value)
    }

    #[test]
    fn values_are_held_against_the_declaration() {
        let spin = "option name Hash Size type spin default 16 min 1 max 1024";
        assert_eq!(DeclaredOption::read(spin).unwrap().name, "Hash Size");
        assert_eq!(refusal(spin, "1024"), None);
        assert_eq!(
            refusal(spin, "1025").unwrap(),
            "Invalid value for option Hash Size: 1025 is not in 1 to 1024"
        );
        assert_eq!(
            refusal(spin, "many").unwrap(),
            "Invalid value for option Hash Size: 'many' is no whole number"
        );
        let combo = "option name Style type combo default Normal var Solid Rock var Normal";
        assert_eq!(refusal(combo, "solid rock"), None);
        assert_eq!(
            refusal(combo, "Wild").unwrap(),
            "Invalid value for option Style: 'Wild' is none of Solid Rock, Normal"
        );
        assert_eq!(refusal("option name Ponder type check default false", "true"), None);
        assert!(refusal("option name Ponder type check default false", "1").is_some());
        assert_eq!(refusal("option name Path type string default <empty>", "anything at all"), None);
        assert_eq!(DeclaredOption::read("option type spin"), None);
        assert_eq!(DeclaredOption::read("options name A type spin"), None);
    }

    #[test]
    fn a_refusal_quotes_the_engine_shortly_and_legibly() {
        let combo =
            format!("option name Style type combo var \u{1b}[2J\u{202e}{}", " var wild".repeat(10_000));
        let told = refusal(&combo, "Mild").unwrap();
        let (_, words) = told.split_once(" is none of ").unwrap();
        assert!(words.starts_with("?[2J?, wild, wild") && words.len() == LONGEST_KEPT, "{told}");
    }

    #[test]
    fn numbers_may_be_larger_than_those_of_64_bits() {
        let big = "option name Big type spin default 1 min -99999999999999999999 max 99999999999999999999";
        for value in ["99999999999999999998", "-99999999999999999999", "0"] {
            assert_eq!(refusal(big, value), None, "{value}");
        }
        let beyond = refusal(big, "100000000000000000000").unwrap();
        assert!(beyond.ends_with(" is not in -99999999999999999999 to 99999999999999999999"), "{beyond}");
        let hash =
            refusal("option name Hash type spin default 1 min 1 max 9", "99999999999999999999").unwrap();
        assert!(hash.ends_with("99999999999999999999 is not in 1 to 9"), "{hash}");
    }

    #[test]
    fn blanks_part_words_and_keys_of_other_types_are_values() {
        let spin = "option\tname\tHash\tSize  type spin\tdefault 16 min 1\tmax 1024";
        assert_eq!(DeclaredOption::read(spin).unwrap().name, "Hash Size");
        assert!(refusal(spin, "0").is_some() && refusal(spin, "1025").is_some());
        let depth = "option name Use min depth or default type check default false";
        assert_eq!(DeclaredOption::read(depth).unwrap().name, "Use min depth or default");
        let combo = "option name Style type combo var min var at  the max default max";
        let read = Declaration::read(combo).unwrap();
        assert_eq!(
            (read.vars, read.default.as_deref()),
            (["min", "at the max"].map(String::from).into(), Some("max"))
        );
        let text = Declaration::read("option name Path type string default min max var").unwrap();
        assert_eq!((text.default.as_deref(), text.min), (Some("min max var"), None));
    }
}
