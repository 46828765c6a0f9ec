//! The steps before the first search: greeting, options, positions, lines that mean nothing.

use super::tester::{Done, Tester};
use super::{Level, Step};
use crate::engine::dialogue::{after, is_error};
use std::collections::BTreeSet;

/// How long an engine is listened to that has nothing to say.
const QUIET: std::time::Duration = std::time::Duration::from_millis(100);

pub(super) const STEPS: &[Step] = &[
    Step { name: "Start the engine", run: |tester| tester.start() },
    Step { name: "Answer uci with uciok", run: |tester| tester.greet() },
    Step { name: "Say id name", run: |tester| says_id(tester, "name") },
    Step { name: "Say id author", run: |tester| says_id(tester, "author") },
    Step { name: "Say id first, then options, then uciok", run: greeting_order },
    Step { name: "Declare options that can be read", run: options_are_readable },
    Step { name: "Declare each option once", run: options_are_unique },
    Step { name: "Declare Hash and Threads", run: usual_options },
    Step { name: "Answer isready with readyok", run: ready_once },
    Step { name: "Answer uci a second time", run: greet_again },
    Step { name: "Set each option to its default", run: set_defaults },
    Step { name: "Set an option by its name in small letters", run: set_in_small_letters },
    Step { name: "Survive an option that is not there", run: set_unknown },
    Step { name: "Survive a value that is none", run: set_nonsense },
    Step { name: "Accept ucinewgame", run: new_game },
    Step { name: "Accept position startpos", run: |tester| obey(tester, "position startpos") },
    Step { name: "Accept position fen", run: |tester| obey(tester, FEN) },
    Step { name: "Accept position with moves", run: position_with_moves },
    Step { name: "Ignore unknown commands", run: |tester| provoke(tester, "hello\nxyzzy 1 2 3\ndebug off") },
    Step { name: "Ignore empty lines and extra blanks", run: blanks },
    Step {
        name: "Read lines that end with CR LF",
        run: |tester| tester.sync_by(b"position startpos\r\nisready\r\n").map(drop),
    },
    Step { name: "Ignore stop and ponderhit when idle", run: |tester| obey(tester, "stop\nponderhit") },
    Step { name: "Say no bestmove without go", run: no_move_without_go },
];

const FEN: &str = "position fen r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

/// Sends lines and sees that the engine is ready afterwards, and has not moved.
fn obey(tester: &mut Tester, lines: &str) -> Done {
    tester.send(lines)?;
    tester.sync().map(drop)
}

/// Who hears a second answer later takes it for that to his next question.
fn ready_once(tester: &mut Tester) -> Done {
    tester.sync()?;
    tester.overhear(QUIET).map(drop)
}

fn new_game(tester: &mut Tester) -> Done {
    tester.send("ucinewgame")?;
    ready_once(tester)
}

/// The same for lines that the engine may well complain of on its error output.
fn provoke(tester: &mut Tester, lines: &str) -> Done {
    obey(tester, lines)?;
    tester.forgive();
    Ok(())
}

/// The greeting's lines that begin with this word, with what follows it.
fn said_of<'a>(tester: &'a Tester, word: &str) -> impl Iterator<Item = (usize, &'a str)> {
    tester.greeting.iter().enumerate().filter_map(move |(index, line)| {
        let rest = line.text.strip_prefix(word)?;
        rest.starts_with(|c: char| c.is_ascii_whitespace()).then_some((index, rest.trim()))
    })
}

fn says_id(tester: &mut Tester, what: &str) -> Done {
    let found = said_of(tester, "id").any(|(_, rest)| {
        rest.strip_prefix(what).is_some_and(|rest| rest.starts_with([' ', '\t']) && !rest.trim().is_empty())
    });
    if !found {
        tester.fail(format!("does not say 'id {what}' before uciok"));
    }
    Ok(())
}

fn greeting_order(tester: &mut Tester) -> Done {
    let last_id = said_of(tester, "id").last().map(|(index, _)| index);
    let first_option = said_of(tester, "option").next().map(|(index, _)| index);
    if last_id > first_option && first_option.is_some() {
        tester.warn("says id after its first option");
    }
    // What came before `uci` was heard is a banner.
    let begin = said_of(tester, "id").next().map_or(0, |(index, _)| index);
    let strange = tester.greeting[begin..].iter().map(|line| line.text.clone()).find(|line| {
        let word = line.split_ascii_whitespace().next();
        !matches!(word, None | Some("id" | "option" | "uciok" | "info" | "copyprotection" | "registration"))
    });
    if let Some(line) = strange {
        tester.find_in(Level::Warning, "says something among its options that is no UCI", &line);
    }
    Ok(())
}

fn options_are_readable(tester: &mut Tester) -> Done {
    for option in tester.options.clone() {
        let (broken, disliked) = option.problems();
        if let Some(what) = broken {
            tester.find_in(Level::Failure, what, &option.line);
        }
        if let Some(what) = disliked {
            tester.find_in(Level::Warning, what, &option.line);
        }
    }
    Ok(())
}

fn options_are_unique(tester: &mut Tester) -> Done {
    let mut names = BTreeSet::new();
    for option in tester.options.clone() {
        if !names.insert(option.name.to_ascii_lowercase()) {
            tester.find_in(Level::Failure, format!("declares {} twice", option.name), &option.line);
        }
    }
    Ok(())
}

/// OpenBench sets both in every test, and rating lists want them.
fn usual_options(tester: &mut Tester) -> Done {
    for name in ["Hash", "Threads"] {
        if tester.option(name).is_none() {
            tester.warn(format!("has no option {name}"));
        }
    }
    Ok(())
}

/// Clients that take over a running engine greet again.
fn greet_again(tester: &mut Tester) -> Done {
    tester.sync()?;
    tester.greet()?;
    ready_once(tester)
}

fn set_defaults(tester: &mut Tester) -> Done {
    for option in tester.options.clone() {
        if let Some(line) = option.setting() {
            // One by one, so that what is quoted is the one that went wrong.
            tester.send(&line)?;
            let lines = tester.sync()?;
            if let Some(line) = lines.iter().find(|line| is_refusal(&line.text)) {
                let what = format!("refuses the default of its own option {}", option.name);
                tester.find_in(Level::Failure, what, &line.text);
            }
        }
    }
    Ok(())
}

/// True if a line tells that there is no such option, or not with this value, or of any error.
fn is_refusal(line: &str) -> bool {
    let text = after(line.as_bytes(), b"info").and_then(|rest| after(rest, b"string"));
    if text.is_some_and(is_error) {
        return true;
    }
    let line = line.to_ascii_lowercase();
    ["no such option", "unknown option", "invalid option", "no option", "invalid value"]
        .iter()
        .any(|words| line.contains(words))
}

/// The UCI text: names of options are not case sensitive.
fn set_in_small_letters(tester: &mut Tester) -> Done {
    let Some(mut option) = tester.options.iter().find(|option| option.kind == "spin").cloned() else {
        return tester.skip("it has no option that is a number");
    };
    option.name.make_ascii_lowercase();
    tester.send(&option.setting().unwrap_or_default())?;
    let lines = tester.sync()?;
    if let Some(line) = lines.iter().find(|line| is_refusal(&line.text)) {
        tester.find_in(Level::Warning, "knows the option only as it spells it itself", &line.text);
    }
    tester.forgive();
    Ok(())
}

/// Some clients send options without looking whether they are there.
fn set_unknown(tester: &mut Tester) -> Done {
    provoke(tester, "setoption name No Such Option value 1\nsetoption name Nor This")
}

/// No client should, but a mistyped setting is no reason to die.
fn set_nonsense(tester: &mut Tester) -> Done {
    let Some(option) = tester.options.iter().find(|option| option.kind == "spin") else {
        return tester.skip("it has no option that is a number");
    };
    let (line, again) = (format!("setoption name {} value many", option.name), option.setting());
    tester.send(&line)?;
    if let Err(error) = tester.sync() {
        tester.warn(format!("does not survive it: {error}"));
        tester.forgive();
        tester.drop_engine();
        return Ok(());
    }
    provoke(tester, &again.unwrap_or_default())
}

/// Scid sends the word without a move behind it.
fn position_with_moves(tester: &mut Tester) -> Done {
    obey(tester, "position startpos moves")?;
    obey(tester, "position startpos moves e2e4 a7a6 e4e5 d7d5 e5d6")?;
    obey(tester, &format!("{FEN} moves e1g1 f6e4"))
}

fn blanks(tester: &mut Tester) -> Done {
    tester.sync_by(b"\n\n   \n\tposition   startpos \t moves   e2e4  \n  isready  \n").map(drop)
}

fn no_move_without_go(tester: &mut Tester) -> Done {
    obey(tester, "position startpos moves e2e4")?;
    tester.overhear(QUIET).map(drop)
}
