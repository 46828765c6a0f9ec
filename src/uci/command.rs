//! What a line from the outside asks for: a pure reader.

use crate::search::bench::BenchOptions;
use crate::types::MAX_DEPTH;
use std::fmt;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`
    Uci,
    /// `debug on` or `debug off`
    Debug(bool),
    /// `isready`
    IsReady,
    /// `setoption name … [value …]`
    SetOption {
        /// Its words with one blank between them.
        name: String,
        /// Its words in the same way; `None` without the word `value`.
        value: Option<String>,
    },
    /// `ucinewgame`
    NewGame,
    /// `position …`
    Position(PositionCommand),
    /// A `position` for which [`parse`] gives an error, and that: it has its turn like a good one.
    NoPosition(String),
    /// `go …`
    Go(GoCommand),
    /// `go perft N`
    Perft(u32),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `register` and `copyprotection`: read and ignored.
    Ignored,
    /// `d`
    Display,
    /// `flip`
    Flip,
    /// `eval`
    Eval,
    /// `compiler`
    Compiler,
    /// `bench …`
    Bench(BenchOptions),
    /// `help`
    Help,
}

/// What `position` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionCommand {
    /// The FEN, or `None` for the start position.
    pub fen: Option<String>,
    /// The moves as they were written.
    pub moves: Vec<String>,
}

/// What `go` says. Numbers are as they were written; times are in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct GoCommand {
    pub white_time: Option<i64>,
    pub black_time: Option<i64>,
    pub white_increment: Option<i64>,
    pub black_increment: Option<i64>,
    pub moves_to_go: Option<i64>,
    pub move_time: Option<i64>,
    pub nodes: Option<i64>,
    pub depth: Option<i64>,
    pub mate: Option<i64>,
    pub infinite: bool,
    pub ponder: bool,
    pub search_moves: Option<Vec<String>>,
    /// What could not be read and is left out.
    pub problems: Vec<String>,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// No word of the line is a command.
    Unknown(String),
    /// The command's words are not as they should be: command, what was expected.
    Malformed(&'static str, &'static str),
    /// What is wrong behind `bench`.
    Bench(String),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(line) if line == "xboard" => {
                f.write_str("unknown command 'xboard': this engine speaks UCI; polyglot joins it to programs of xboard's protocol")
            }
            CommandError::Unknown(line) => write!(f, "unknown command '{line}', try 'help'"),
            CommandError::Malformed(command, expected) => write!(f, "'{command}' expects {expected}"),
            CommandError::Bench(problem) => write!(f, "'bench': {problem}"),
        }
    }
}

impl std::error::Error for CommandError {}

/// How much of an unknown line is repeated.
const SHOWN: usize = 60;

/// Reads a line. Blank lines and comments (`#`) are no command; unknown words before a known one are skipped, as the
/// protocol wants it.
///
/// # Errors
/// If the line is not understood.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    // Some programs begin what they write with a byte order mark.
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    if words.first().is_none_or(|word| word.starts_with('#')) {
        return Ok(None);
    }
    for start in 0..words.len() {
        if let Some(command) = read(words[start], &words[start + 1..], line)? {
            return Ok(Some(command));
        }
    }
    Err(CommandError::Unknown(line.trim().chars().take(SHOWN).collect()))
}

fn read(word: &str, rest: &[&str], line: &str) -> Result<Option<Command>, CommandError> {
    Ok(Some(match word {
        "uci" => Command::Uci,
        "debug" => match rest {
            ["on"] => Command::Debug(true),
            ["off"] => Command::Debug(false),
            _ => return Err(CommandError::Malformed("debug", "'on' or 'off'")),
        },
        "isready" => Command::IsReady,
        "setoption" => read_option(rest, line)?,
        "ucinewgame" => Command::NewGame,
        "position" => read_position(rest)?,
        "go" => match rest {
            // Deeper, the recursion would outgrow its stack, long before the count ends.
            ["perft", numbers @ ..] => {
                let depth = if let [number] = numbers { number.parse().ok() } else { None };
                let depth = depth.filter(|&depth| depth <= MAX_DEPTH as u32);
                Command::Perft(
                    depth.ok_or(CommandError::Malformed("go perft", "a depth in plies, 245 at most"))?,
                )
            }
            _ => Command::Go(read_go(rest)),
        },
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" | "exit" => Command::Quit,
        "register" | "copyprotection" => Command::Ignored,
        "d" => Command::Display,
        "flip" => Command::Flip,
        "eval" => Command::Eval,
        "compiler" => Command::Compiler,
        "bench" => Command::Bench(BenchOptions::from_words(rest).map_err(CommandError::Bench)?),
        "help" | "--help" => Command::Help,
        _ => return Ok(None),
    }))
}

/// A line without its first words and the blanks around the rest.
fn behind(line: &str, words: usize) -> &str {
    let skip = |rest: &'_ str| rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
    (0..words).fold(line.trim_ascii(), |rest, _| rest[skip(rest)..].trim_ascii_start())
}

/// Reads what stands behind `setoption` in a line.
fn read_option(words: &[&str], line: &str) -> Result<Command, CommandError> {
    let malformed = CommandError::Malformed("setoption", "name NAME [value VALUE]");
    let [first, words @ ..] = words else { return Err(malformed) };
    if !first.eq_ignore_ascii_case("name") {
        return Err(malformed);
    }
    let value_at = words.iter().position(|word| word.eq_ignore_ascii_case("value"));
    let name = words[..value_at.unwrap_or(words.len())].join(" ");
    if name.is_empty() {
        return Err(malformed);
    }
    // Paths can have several blanks on end.
    let value = value_at.map(|at| {
        let before = line.split_ascii_whitespace().count() - words[at + 1..].len();
        behind(line, before).to_string()
    });
    Ok(Command::SetOption { name, value })
}

fn read_position(words: &[&str]) -> Result<Command, CommandError> {
    let malformed = CommandError::Malformed("position", "startpos or fen FEN, then perhaps moves MOVE …");
    let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let fen = match &words[..moves_at] {
        ["startpos"] => None,
        ["fen", fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
        _ => return Err(malformed),
    };
    let moves = words[moves_at..].iter().skip(1).map(ToString::to_string).collect();
    Ok(Command::Position(PositionCommand { fen, moves }))
}

fn read_go(words: &[&str]) -> GoCommand {
    const KEYWORDS: [&str; 13] = [
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "movetime",
        "nodes",
        "depth",
        "mate",
        "infinite",
        "ponder",
        "searchmoves",
        "perft",
    ];
    let mut go = GoCommand::default();
    let mut words = words.iter().peekable();
    while let Some(&word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                let next = || words.next_if(|word| !KEYWORDS.contains(word)).map(ToString::to_string);
                let moves: Vec<String> = std::iter::from_fn(next).collect();
                if moves.is_empty() {
                    go.problems.push("'searchmoves' needs a move and is left out".to_string());
                } else {
                    go.search_moves.get_or_insert_default().extend(moves);
                }
            }
            _ if KEYWORDS.contains(&word) && word != "perft" => {
                let number = words.next_if(|word| !KEYWORDS.contains(word));
                let Some(number) = number.and_then(|word| read_number(word)) else {
                    go.problems.push(format!("'{word}' needs a number and is left out"));
                    continue;
                };
                let field = match word {
                    "wtime" => &mut go.white_time,
                    "btime" => &mut go.black_time,
                    "winc" => &mut go.white_increment,
                    "binc" => &mut go.black_increment,
                    "movestogo" => &mut go.moves_to_go,
                    "movetime" => &mut go.move_time,
                    "nodes" => &mut go.nodes,
                    "depth" => &mut go.depth,
                    _ => &mut go.mate,
                };
                *field = Some(number);
            }
            _ => go.problems.push(format!("'{}' means nothing to 'go' and is left out", shorten(word))),
        }
    }
    go
}

/// A whole number; one with a fraction, as some programs send it, is cut, and one too large is the largest.
fn read_number(word: &str) -> Option<i64> {
    let whole = word.split_once('.').map_or(word, |(whole, _)| whole);
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(whole.parse().unwrap_or(if whole.starts_with('-') { i64::MIN } else { i64::MAX }))
}

fn shorten(word: &str) -> String {
    word.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_however_they_are_spaced() {
        assert_eq!(parse("  isready\r\n"), Ok(Some(Command::IsReady)));
        assert_eq!(parse("joho debug on"), Ok(Some(Command::Debug(true))));
        assert_eq!(parse(" \t "), Ok(None));
        assert_eq!(parse("\u{feff}uci"), Ok(Some(Command::Uci)), "a byte order mark");
        assert!(matches!(parse("u\u{feff}ci"), Err(CommandError::Unknown(_))));
        assert_eq!(parse("# go infinite"), Ok(None));
        assert!(matches!(parse("hello"), Err(CommandError::Unknown(_))));
        assert!(matches!(parse("debug perhaps"), Err(CommandError::Malformed("debug", _))));
    }

    #[test]
    fn options_have_names_and_values_with_blanks() {
        let option = |name: &str, value: Option<&str>| {
            Ok(Some(Command::SetOption { name: name.into(), value: value.map(Into::into) }))
        };
        assert_eq!(parse("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(parse("setoption name Clear Hash value "), option("Clear Hash", Some("")));
        assert_eq!(parse("setoption NAME  a  b VALUE c  d "), option("a b", Some("c  d")));
        assert_eq!(parse("x setoption name a value  /b  c/d.bin\t"), option("a", Some("/b  c/d.bin")));
        assert_eq!(
            parse("setoption name BookFile value a value b"),
            option("BookFile", Some("a value b")),
            "the first one ends the name"
        );
        assert!(parse("setoption value 3").is_err());
        assert!(parse("setoption name value 3").is_err());
    }

    #[test]
    fn positions_and_their_moves() {
        let position = |fen: Option<&str>, moves: &[&str]| {
            let moves = moves.iter().map(ToString::to_string).collect();
            Ok(Some(Command::Position(PositionCommand { fen: fen.map(Into::into), moves })))
        };
        assert_eq!(parse("position startpos moves"), position(None, &[]));
        assert_eq!(parse("position startpos moves e2e4  e7e5"), position(None, &["e2e4", "e7e5"]));
        assert_eq!(parse("position fen 8/8 w - - moves"), position(Some("8/8 w - -"), &[]));
        assert!(parse("position").is_err() && parse("position fen").is_err());
        assert!(parse("position startpos e2e4").is_err());
    }

    #[test]
    fn go_takes_its_words_in_any_order_and_leaves_out_what_it_cannot_read() {
        let Ok(Some(Command::Go(go))) = parse(
            "go searchmoves e2e4 d2d4 wtime 1000 btime -5 ponder movestogo x depth 99999999999999999999 nodes",
        ) else {
            panic!("no go")
        };
        assert_eq!(go.search_moves, Some(vec!["e2e4".to_string(), "d2d4".to_string()]));
        assert_eq!((go.white_time, go.black_time, go.moves_to_go), (Some(1000), Some(-5), None));
        assert_eq!((go.depth, go.nodes, go.ponder), (Some(i64::MAX), None, true));
        assert_eq!(go.problems.len(), 2, "{:?}", go.problems);
        for (line, moves) in [
            ("go searchmoves", None),
            ("go searchmoves depth 5", None),
            ("go searchmoves a2a3 depth 5 searchmoves", Some(vec!["a2a3".to_string()])),
        ] {
            let Ok(Some(Command::Go(go))) = parse(line) else { panic!("no go") };
            assert_eq!((go.search_moves, go.depth), (moves, line.contains('5').then_some(5)), "{line}");
            assert_eq!(go.problems, ["'searchmoves' needs a move and is left out"], "{line}");
        }
        assert_eq!(parse("go perft 5"), Ok(Some(Command::Perft(5))));
        for line in ["go perft", "go perft x", "go perft 246", "go perft 3 x", "go perft 3 wtime 1000"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn numbers_are_read_as_far_as_they_are_numbers() {
        for (word, number) in [
            ("50", Some(50)),
            ("50.7", Some(50)),
            ("-3.5", Some(-3)),
            ("-", None),
            (".5", None),
            ("+5", None),
            ("5s", None),
            ("99999999999999999999", Some(i64::MAX)),
            ("-99999999999999999999", Some(i64::MIN)),
        ] {
            assert_eq!(read_number(word), number, "{word}");
        }
    }

    #[test]
    fn what_people_type_is_read() {
        assert_eq!(parse("exit"), Ok(Some(Command::Quit)));
        let bench = |words: &[&str]| Ok(Some(Command::Bench(BenchOptions::from_words(words).unwrap())));
        assert_eq!(parse("bench 5 2 16"), bench(&["5", "2", "16"]));
        assert_eq!(parse("bench"), bench(&[]));
        assert_eq!(parse("bench 16 1 13 default depth"), bench(&["16", "1", "13", "default", "depth"]));
        assert!(parse("bench 5 2 16 1").is_err() && parse("bench deep").is_err());
    }
}
