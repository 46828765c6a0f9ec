//! The options, in one table: from it come the `option` lines, `setoption`, and the list in the README.

use super::own_book::OwnBook;
use super::{AUTHOR, name_and_version};
use crate::eval::Evaluation;
use crate::search::{FULL_SKILL, MAX_ELO, MIN_ELO, Settings, Table, elo_of_skill};
use crate::sys::cpu::processors;
use crate::types::Depth;
use std::fmt;
use std::time::Duration;

/// What can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum OptionId {
    Hash,
    ClearHash,
    Threads,
    MultiPv,
    Ponder,
    MoveOverhead,
    Chess960,
    ShowWdl,
    AnalyseMode,
    LimitStrength,
    Elo,
    SkillLevel,
    OwnBook,
    BookFile,
    EvalFile,
    SyzygyPath,
    SyzygyProbeDepth,
    Syzygy50MoveRule,
    SyzygyProbeLimit,
    DebugLogFile,
    EngineAbout,
}

/// The values that an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A whole number.
    Spin {
        /// At the start.
        default: i64,
        /// The least one.
        min: i64,
        /// The greatest one.
        max: i64,
    },
    /// Yes or no; the default.
    Check(bool),
    /// Something that happens.
    Button,
    /// A text; the default.
    Text(String),
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Which it is.
    pub id: OptionId,
    /// Its name, which is found whatever its case and blanks.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it does, in a sentence.
    pub about: &'static str,
}

/// A value that an option was set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of a spin.
    Number(i64),
    /// Of a check.
    Flag(bool),
    /// Of a button.
    Pressed,
    /// Of a text.
    Text(String),
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// There is none of this name.
    Unknown(String),
    /// The value is not of the option's kind: name, value, what was expected.
    BadValue(&'static str, String, String),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => write!(f, "there is no option '{name}'"),
            OptionError::BadValue(name, value, expected) => {
                write!(f, "option {name} is not set: '{value}' is not {expected}")
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// The most threads that make sense here.
fn max_threads() -> i64 {
    (4 * processors() as i64).max(512)
}

/// The table.
pub fn table() -> Vec<Spec> {
    use Kind::{Button, Check, Spin, Text};
    let spec = |id, name, kind, about| Spec { id, name, kind, about };
    let about = format!("{} by {AUTHOR}, {}", name_and_version(), env!("CARGO_PKG_LICENSE"));
    vec![
        spec(
            OptionId::Hash,
            "Hash",
            Spin { default: 16, min: Table::MIN_MEGABYTES as i64, max: Table::max_megabytes() as i64 },
            "Size of the transposition table in MB.",
        ),
        spec(OptionId::ClearHash, "Clear Hash", Button, "Empties the transposition table."),
        spec(
            OptionId::Threads,
            "Threads",
            Spin { default: 1, min: 1, max: max_threads() },
            "Number of search threads.",
        ),
        spec(
            OptionId::MultiPv,
            "MultiPV",
            Spin { default: 1, min: 1, max: 256 },
            "Number of best lines to find and show.",
        ),
        spec(
            OptionId::Ponder,
            "Ponder",
            Check(false),
            "The client lets the engine think on the opponent's time, so it plans with a fifth more of its own.",
        ),
        spec(
            OptionId::MoveOverhead,
            "Move Overhead",
            Spin { default: 20, min: 0, max: 5000 },
            "Time in ms that each move loses between engine and clock.",
        ),
        spec(OptionId::Chess960, "UCI_Chess960", Check(false), "Castling is written king takes rook."),
        spec(
            OptionId::ShowWdl,
            "UCI_ShowWDL",
            Check(false),
            "Adds chances to win, draw and lose, out of 1000.",
        ),
        spec(
            OptionId::AnalyseMode,
            "UCI_AnalyseMode",
            Check(false),
            "Full strength whatever UCI_LimitStrength says, and full time even for an only move.",
        ),
        spec(
            OptionId::LimitStrength,
            "UCI_LimitStrength",
            Check(false),
            "Plays at the rating of UCI_Elo, but for analysis without end.",
        ),
        spec(
            OptionId::Elo,
            "UCI_Elo",
            Spin { default: i64::from(MAX_ELO), min: i64::from(MIN_ELO), max: i64::from(MAX_ELO) },
            "The rating to play at, if UCI_LimitStrength is on, on the scale of CCRL Blitz; measured against Stockfish.",
        ),
        spec(
            OptionId::SkillLevel,
            "Skill Level",
            Spin { default: i64::from(FULL_SKILL), min: 0, max: i64::from(FULL_SKILL) },
            "Below 20 plays at a rating, 1000 and 100 more for each level, if UCI_LimitStrength is off; not in analysis without end.",
        ),
        spec(
            OptionId::OwnBook,
            "OwnBook",
            Check(false),
            "Plays the moves of the book without thinking, but for analysis.",
        ),
        spec(
            OptionId::BookFile,
            "BookFile",
            Text(OwnBook::INTERNAL.to_string()),
            "The book's file, in Polyglot's format; <internal> is the one inside the program.",
        ),
        spec(
            OptionId::EvalFile,
            "EvalFile",
            Text(Evaluation::INTERNAL.to_string()),
            "The network's file; <internal> is the one inside the program, classic the hand-made evaluation.",
        ),
        spec(
            OptionId::SyzygyPath,
            "SyzygyPath",
            Text(String::new()),
            "Folders with Syzygy endgame tablebases, `:` between them (`;` on Windows, where they have to lie on the drive of the current folder). Not in builds for Linux on ARM.",
        ),
        spec(
            OptionId::SyzygyProbeDepth,
            "SyzygyProbeDepth",
            Spin { default: 1, min: 1, max: 100 },
            "The least depth at which positions with as many pieces as the largest tablebases have are looked up.",
        ),
        spec(
            OptionId::Syzygy50MoveRule,
            "Syzygy50MoveRule",
            Check(true),
            "Wins in tablebases that the fifty-move rule takes away are draws.",
        ),
        spec(
            OptionId::SyzygyProbeLimit,
            "SyzygyProbeLimit",
            Spin { default: 7, min: 0, max: 7 },
            "Positions with more pieces are not looked up; 0: none.",
        ),
        spec(
            OptionId::DebugLogFile,
            "Debug Log File",
            Text(String::new()),
            "All that is said from now on is added to this file, with the time, for reports of faults.",
        ),
        spec(
            OptionId::EngineAbout,
            "UCI_EngineAbout",
            Text(about),
            "What this is; setting it changes nothing.",
        ),
    ]
}

impl fmt::Display for Spec {
    /// The `option` line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            Kind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Check(default) => write!(f, "check default {default}"),
            Kind::Button => f.write_str("button"),
            Kind::Text(default) if default.is_empty() => f.write_str("string default <empty>"),
            Kind::Text(default) => write!(f, "string default {default}"),
        }
    }
}

/// A name as it is compared: without case and blanks.
fn folded(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
}

/// Reads a setting: which option, its value, and a remark if the value had to be brought into range.
///
/// # Errors
/// If there is no such option or the value is not of its kind.
pub fn read(name: &str, value: Option<&str>) -> Result<(OptionId, Value, Option<String>), OptionError> {
    let spec = table()
        .into_iter()
        .find(|spec| folded(spec.name) == folded(name))
        .ok_or_else(|| OptionError::Unknown(name.to_string()))?;
    let text = value.unwrap_or_default();
    let bad = |expected: &str| OptionError::BadValue(spec.name, text.to_string(), expected.to_string());
    let mut remark = None;
    let value = match spec.kind {
        Kind::Button => Value::Pressed,
        Kind::Text(_) => Value::Text(if text == "<empty>" { String::new() } else { text.to_string() }),
        Kind::Check(_) => match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "on" => Value::Flag(true),
            "false" | "0" | "off" => Value::Flag(false),
            _ => return Err(bad("true or false")),
        },
        Kind::Spin { min, max, .. } => {
            let number: i128 =
                text.parse().map_err(|_| bad(&format!("a whole number from {min} to {max}")))?;
            // A table that does not fit is refused, not made smaller: see `Table::new`.
            let max_taken = if spec.id == OptionId::Hash { i64::MAX } else { max };
            let taken = number.clamp(i128::from(min), i128::from(max_taken)) as i64;
            if i128::from(taken) != number {
                remark = Some(format!("option {}: {number} is taken as {taken}", spec.name));
            }
            Value::Number(taken)
        }
    };
    Ok((spec.id, value, remark))
}

/// The values that do not belong to the searcher itself.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the search has to know of them, but for the rating to play at, which several others decide about.
    pub search: Settings,
    /// Castling is written king takes rook.
    pub chess960: bool,
    /// Show chances.
    pub show_wdl: bool,
    /// Play at `elo`.
    pub limit_strength: bool,
    /// A rating.
    pub elo: u32,
    /// Play at the rating of this level, if it is not the highest.
    pub skill_level: u32,
    /// Play from the book.
    pub own_book: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            search: Settings::default(),
            chess960: false,
            show_wdl: false,
            limit_strength: false,
            elo: MAX_ELO,
            skill_level: FULL_SKILL,
            own_book: false,
        }
    }
}

impl Options {
    /// Takes over a value that [`read`] has given, of an option that is one of these.
    pub fn set(&mut self, id: OptionId, value: Value) {
        match (id, value) {
            (OptionId::MultiPv, Value::Number(lines)) => self.search.multi_pv = lines as usize,
            (OptionId::Ponder, Value::Flag(on)) => self.search.may_ponder = on,
            (OptionId::MoveOverhead, Value::Number(ms)) => {
                self.search.move_overhead = Duration::from_millis(ms as u64)
            }
            (OptionId::Chess960, Value::Flag(on)) => self.chess960 = on,
            (OptionId::ShowWdl, Value::Flag(on)) => self.show_wdl = on,
            (OptionId::AnalyseMode, Value::Flag(on)) => self.search.analysis = on,
            (OptionId::LimitStrength, Value::Flag(on)) => self.limit_strength = on,
            (OptionId::Elo, Value::Number(elo)) => self.elo = elo as u32,
            (OptionId::SkillLevel, Value::Number(level)) => self.skill_level = level as u32,
            (OptionId::OwnBook, Value::Flag(on)) => self.own_book = on,
            (OptionId::SyzygyProbeDepth, Value::Number(depth)) => self.search.probe_depth = depth as Depth,
            (OptionId::Syzygy50MoveRule, Value::Flag(on)) => self.search.fifty_moves = on,
            (OptionId::SyzygyProbeLimit, Value::Number(limit)) => self.search.probe_limit = limit as u32,
            // A user is not to lose the engine for that; tests have to see it.
            (id, value) if cfg!(test) => panic!("nothing comes of {id:?} set to {value:?}"),
            _ => {}
        }
    }

    /// The rating to play at, if not as well as possible: a rating that was asked for comes before a level.
    fn rating(&self) -> Option<u32> {
        match self.limit_strength {
            true => Some(self.elo),
            false => elo_of_skill(self.skill_level),
        }
    }

    /// What the search has to know of them.
    pub fn settings(&self) -> Settings {
        Settings { elo: self.rating().filter(|_| !self.search.analysis), ..self.search.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        for name in ["Move Overhead", "moveoverhead", " MOVE  overhead "] {
            assert_eq!(read(name, Some("7")), Ok((OptionId::MoveOverhead, Value::Number(7), None)));
        }
        assert!(matches!(read("Contempt", Some("0")), Err(OptionError::Unknown(_))));
    }

    #[test]
    fn values_are_checked() {
        let (_, value, remark) = read("Threads", Some("0")).unwrap();
        assert!(value == Value::Number(1) && remark.is_some());
        assert!(read("Threads", Some("99999999999999999999999")).is_ok());
        for (name, value) in [("Hash", "abc"), ("Hash", ""), ("Ponder", "maybe"), ("MultiPV", "2.5")] {
            assert!(matches!(read(name, Some(value)), Err(OptionError::BadValue(..))), "{name} {value}");
        }
        assert_eq!(read("clear hash", Some("")), Ok((OptionId::ClearHash, Value::Pressed, None)));
    }

    #[test]
    fn the_lines_can_be_read_by_clients_that_split_at_words() {
        for spec in table() {
            let line = spec.to_string();
            for word in ["name", "type", "default", "min", "max", "var"] {
                assert!(line.split(' ').filter(|&part| part == word).count() <= 1, "{line}");
            }
            assert!(!line.ends_with("default"), "{line}");
        }
    }

    #[test]
    fn the_readme_lists_them_all() {
        let readme = include_str!("../../README.md");
        for spec in table() {
            let row = readme.lines().find(|line| line.starts_with(&format!("| `{}` |", spec.name)));
            assert!(row.is_some_and(|row| row.contains(spec.about)), "README: {} {}", spec.name, spec.about);
        }
    }

    #[test]
    fn analysis_is_never_weakened() {
        let mut options = Options { limit_strength: true, elo: 1500, ..Options::default() };
        assert_eq!(options.settings().elo, Some(1500));
        options.skill_level = 3;
        assert_eq!(options.settings().elo, Some(1500));
        options.limit_strength = false;
        assert_eq!(options.settings().elo, Some(1300));
        options.search.analysis = true;
        assert_eq!(options.settings().elo, None);
        options = Options { skill_level: FULL_SKILL, ..Options::default() };
        assert_eq!(options.settings().elo, None);
    }

    #[test]
    fn what_the_search_has_to_know_reaches_it() {
        let search = Settings {
            multi_pv: 3,
            may_ponder: true,
            move_overhead: Duration::from_millis(77),
            probe_depth: 5,
            probe_limit: 4,
            fifty_moves: false,
            ..Settings::default()
        };
        let Settings { multi_pv, may_ponder, move_overhead, probe_depth, probe_limit, fifty_moves, .. } =
            Options { search, ..Options::default() }.settings();
        assert_eq!((multi_pv, may_ponder, move_overhead), (3, true, Duration::from_millis(77)));
        assert_eq!((probe_depth, probe_limit, fifty_moves), (5, 4, false));
    }

    #[test]
    fn flags_are_read_as_people_write_them() {
        for (text, flag) in [
            ("true", true),
            ("TRUE", true),
            ("1", true),
            ("on", true),
            ("false", false),
            ("0", false),
            ("Off", false),
        ] {
            assert_eq!(read("Ponder", Some(text)), Ok((OptionId::Ponder, Value::Flag(flag), None)), "{text}");
        }
    }
}
