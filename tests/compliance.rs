//! The conformity test finds each misbehaviour of the test engine, and nothing in our own.

mod support;

use adoube::engine::compliance::{Level, Outcome, Progress, Settings, Summary, run, step_names};
use adoube::engine::config::EngineConfig;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use support::mock::mock_engine;

/// The steps that found something, with what they found.
type Found = BTreeMap<&'static str, (Level, String)>;

/// No engine is too late for it: what is not about time does not depend on how busy the machine is.
fn patient() -> Settings {
    Settings { tolerance: Duration::from_secs(60), ..Settings::default() }
}

fn test(cmd: PathBuf, arguments: &str, settings: Settings) -> (Found, Summary) {
    let args = arguments.split_ascii_whitespace().map(String::from).collect();
    let config = EngineConfig { cmd, args, ..EngineConfig::default() };
    let names = step_names();
    let mut found = Found::new();
    let mut steps = 0;
    let summary = run(&config, &settings, &mut |progress| {
        let Progress::Ended(number, name, outcome) = progress else { return };
        steps += 1;
        assert_eq!((number, names[number - 1]), (steps, name));
        if let Some(level) = outcome.level() {
            let Outcome::Found(findings) = outcome else { unreachable!() };
            assert!(findings.iter().all(|finding| !finding.sent.is_empty() && !finding.came.is_empty()));
            found.insert(names[number - 1], (level, outcome.to_string()));
        }
    });
    assert_eq!(summary.passed + summary.warnings + summary.failed, steps);
    (found, summary)
}

fn mock(arguments: &str, settings: Settings) -> Found {
    test(mock_engine(), arguments, settings).0
}

/// What the test finds in the mode that answers well: it does not search, and so cannot do what it is asked for.
const WITHOUT_SEARCH: [&str; 6] = [
    "Answer in a position with checkmate",
    "Answer in a position with stalemate",
    "Find mate in one",
    "Search for mate",
    "Search only searchmoves",
    "Search with depth",
];

#[test]
fn our_own_engine_passes_without_a_warning() {
    let (found, summary) = test(env!("CARGO_BIN_EXE_adoube").into(), "", patient());
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(summary.passed, step_names().len());
}

#[test]
fn a_good_engine_that_does_not_search_is_told_only_that() {
    for arguments in
        ["good --info", "crlf", "resigns-badly", "ponder-good --info", "dribble", "slow-uciok 50 --info"]
    {
        let found = mock(arguments, patient());
        assert!(found.values().all(|(level, _)| *level == Level::Warning), "{arguments}: {found:#?}");
        assert_eq!(found.into_keys().collect::<Vec<_>>(), WITHOUT_SEARCH, "{arguments}");
    }
}

/// Nobody waits long for an engine that is known to hang; what a busy machine adds is more of the same.
fn impatient() -> Settings {
    Settings { startup: Duration::from_secs(2), patience: Duration::from_millis(200), ..patient() }
}

/// Each mode with a step that finds it, how bad that is, and a word of what is said.
type Row = (&'static str, &'static str, Level, &'static str);

/// All rows at once, since most of them wait.
fn check(table: &[Row], settings: Settings) {
    std::thread::scope(|scope| {
        for row in table {
            scope.spawn(move || check_row(row, settings));
        }
    });
}

fn check_row(&(arguments, step, level, word): &Row, settings: Settings) {
    let found = mock(arguments, settings);
    let Some((seen, text)) = found.get(step) else {
        panic!("{arguments}: '{step}' finds nothing, but {found:#?}")
    };
    assert_eq!(*seen, level, "{arguments}: {text}");
    assert!(text.contains(word), "{arguments}: '{word}' is not in: {text}");
}

#[test]
fn lines_that_runners_warn_of_are_found() {
    use Level::{Failure, Warning};
    let table = [
        ("good", "Show an info line before each move", Failure, "no info line"),
        ("no-score", "Show a score before each move", Failure, "no score"),
        ("bound-scores", "Write info lines that can be read", Warning, "line 2 of 1"),
        ("bad-pv", "Show only legal moves in lines", Warning, "illegal move, "),
        ("mate-score-lies", "End announced mates with mate", Warning, "does not end in mate"),
        ("mate-score-lies", "Tell mates from the mover's side", Warning, "mate 1, and one ply later"),
        ("good --mate 3", "Show announced mates to their end", Warning, "1 plies, not 5"),
        ("good --mate 0", "Show announced mates no longer than announced", Warning, "1 plies, not 0"),
        ("bad-ponder-move --info", "Ponder on legal moves", Warning, "which is illegal"),
        ("flood-then-move --size 2", "Say no more than can be heard", Warning, "10000 lines"),
        ("flood-no-newline --size 1", "Say no more than can be heard", Warning, "64 KB"),
        ("flood-stderr --size 1", "Keep silent on the error output", Warning, "Line after line."),
        ("last-words", "Keep silent on the error output", Warning, "Goodbye."),
        ("not-utf8", "Say nothing but UCI while thinking", Warning, "no UTF-8"),
        ("two-readyoks", "Answer isready with readyok", Warning, "says a readyok that nobody has asked for"),
        ("ready-newgame", "Accept ucinewgame", Warning, "says a readyok that nobody has asked for"),
        ("error-on-option", "Set each option to its default", Failure, "default of its own option Hash"),
    ];
    check(&table, patient());
}

#[test]
fn moves_that_cannot_be_played_are_found() {
    let first = "Search with wtime alone";
    let table = [
        ("illegal-move", first, "illegal move"),
        ("null-move", first, "null move"),
        ("none-move", first, "'(none)' is no move"),
        ("no-move", first, "'' is no move"),
        ("garbage-move", first, "'hello' is no move"),
        ("not-utf8-move", first, "is no move"),
        ("illegal-king-in-check", "Keep pinned pieces where they are", "is not legal"),
        ("uppercase-promotion", "Promote as UCI writes it", "Q for the move a7a8"),
        ("rook-castling", "Castle as UCI writes it", "writes e1h1 for the move e1g1"),
        ("king-castling", "Castle in Chess960", "writes e1g1 for the move e1h1"),
        ("stale-bestmove", "Answer isready with readyok", "nobody has asked for"),
        ("two-bestmoves", first, "nobody has asked for"),
        ("two-bestmoves-late", "Say nothing after bestmove", "nobody has asked for"),
        ("unasked-bestmove", "Say nothing after bestmove", "nobody has asked for"),
        ("ponder-answers-early", "Ponder until ponderhit", "before it is told to"),
    ];
    check(&table.map(|(mode, step, word)| (mode, step, Level::Failure, word)), patient());
}

#[test]
fn engines_that_die_are_started_again_and_told() {
    let first = "Search with wtime alone";
    let table = [
        ("crash-on-option", "Set each option to its default", "has ended"),
        ("die-in-newgame", "Accept ucinewgame", "has ended"),
        ("die-between-moves", first, "has ended"),
        ("die-thinking", first, "something terrible has happened"),
        ("die-by-signal", first, "has ended"),
        ("die-mid-line", first, "has ended"),
    ];
    check(&table.map(|(mode, step, word)| (mode, step, Level::Failure, word)), patient());
    let found = mock("die-thinking", patient());
    assert!(!found.contains_key("End at quit"), "steps without a search pass: {found:#?}");
    assert!(found.contains_key("Read a game of 600 plies"), "{found:#?}");
}

#[test]
fn engines_that_hang_are_left_behind() {
    // Elsewhere some who ignore all that is said cannot be had.
    #[cfg(unix)]
    {
        let first = "Search with wtime alone";
        let table = [
            ("no-readyok", "Answer isready with readyok", "'readyok' in time"),
            ("fussy", "Ignore empty lines and extra blanks", "'readyok' in time"),
            ("fussy", "Read lines that end with CR LF", "'readyok' in time"),
            ("hang", first, "'bestmove' in time"),
            ("hang-answers-isready", first, "'bestmove' in time"),
            ("hang-deaf", first, "'bestmove' in time"),
            ("close-stdout", first, "has closed its output"),
            ("flood-info", first, "'bestmove' in time"),
            ("late-ignores-stop 0", "Search infinite until stop", "'bestmove' in time"),
            ("ponder-never-stops", "Ponder until stop", "'bestmove' in time"),
            ("ignore-quit", "End at quit", "has to be killed"),
            ("ignore-quit-children", "End at quit while thinking", "has to be killed"),
        ];
        check(&table.map(|(mode, step, word)| (mode, step, Level::Failure, word)), impatient());
    }
    // Who is given time has to keep to it; who is given work may be slow.
    let slow = "good --info --think 500000";
    let table = [
        (slow, "Search with depth", Level::Warning, "only after 'stop'"),
        (slow, "Search with movetime", Level::Failure, "only after 'stop'"),
    ];
    check(&table, impatient());
    let found = mock("ignore-quit", impatient());
    assert_eq!(found["End when the input is closed"].0, Level::Warning);
}

#[test]
fn engines_that_do_not_greet_are_not_asked_any_more() {
    for arguments in ["no-uciok", "sleep", "die-at-start"] {
        let settings = Settings { startup: Duration::from_millis(300), ..impatient() };
        let (found, summary) = test(mock_engine(), arguments, settings);
        assert_eq!(found["Answer uci with uciok"].0, Level::Failure, "{arguments}: {found:#?}");
        assert_eq!((summary.passed, summary.failed), (1, 1), "{arguments}");
    }
    let (found, summary) = test("/no/such/engine".into(), "", impatient());
    assert!(found["Start the engine"].1.contains("cannot start /no/such/engine"), "{found:#?}");
    assert_eq!((summary.passed, summary.failed), (0, 1));
}

/// These wait, however long they are measured: never less than they are told to.
#[test]
fn engines_that_are_late_are_found() {
    let strict = Settings { tolerance: Duration::from_millis(20), ..Settings::default() };
    let slow = [
        ("late-at-stop", "Search infinite until stop", Level::Warning, "ms after 'stop'"),
        ("slow-quit", "End at quit while thinking", Level::Warning, "ms after quit"),
    ];
    check(&slow, strict);
    let found = mock("late 300", strict);
    for (step, time) in [
        ("Search with wtime alone", 100),
        ("Search with btime alone", 100),
        ("Search with a clock and increments", 100),
        ("Search with movestogo", 100),
        ("Search with movetime", 100),
        ("Ponder until ponderhit", 500),
        ("Play a short game", 500),
    ] {
        let seen = found.get(step).unwrap_or_else(|| panic!("'{step}' finds nothing, but {found:#?}"));
        let is_told = seen.1.contains(&format!("ms where it has {time} ms"));
        assert!(seen.0 == Level::Failure && is_told, "{step}: {seen:?}");
    }
    let stricter = Settings { tolerance: Duration::from_millis(2), ..Settings::default() };
    let row =
        ("slow-readyok 20", "Answer isready at once while thinking", Level::Warning, "readyok only after");
    check(&[row], stricter);
}

fn command_line(arguments: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    let output = command.args(["match", "--compliance"]).arg(mock_engine()).args(arguments);
    let output = output.stdin(Stdio::null()).output().expect("the program starts");
    (String::from_utf8(output.stdout).expect("UTF-8"), output.status.code())
}

#[test]
fn the_command_tells_each_step_and_the_sum() {
    let (text, status) = command_line(&["good", "--info", "--name", "Somebody"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.starts_with("Step 1: Start the engine... passed\nStep 2: "), "{text}");
    assert!(text.trim_end().ends_with(" warnings, 0 failed"), "{text}");
    let (text, status) = command_line(&["no-move"]);
    assert_eq!(status, Some(1), "{text}");
    let failed = "Search with wtime alone... failed (plays an illegal move: '' is no move";
    assert!(text.contains(failed) && text.contains("\n    came: bestmove\n"), "{text}");
}
