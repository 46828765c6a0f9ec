//! The steps that look back on all searches, and those that end the engine.

use super::info_line::Fault;
use super::root::Root;
use super::tester::{Done, Tester};
use super::{Level, Step};
use std::time::Duration;

pub(super) const STEPS: &[Step] = &[
    Step {
        name: "Show an info line before each move",
        run: |tester| seen(tester, Level::Failure, &[Fault::NoInfo]),
    },
    Step {
        name: "Show a score before each move",
        run: |tester| seen(tester, Level::Failure, &[Fault::NoScore]),
    },
    Step {
        name: "Write info lines that can be read",
        run: |tester| seen(tester, Level::Warning, &[Fault::BadInfo]),
    },
    Step {
        name: "Say nothing but UCI while thinking",
        run: |tester| {
            seen(tester, Level::Warning, &[Fault::StrangeLine, Fault::NotUtf8, Fault::BadBestmoveLine])
        },
    },
    Step {
        name: "Say no more than can be heard",
        run: |tester| seen(tester, Level::Warning, &[Fault::Flood, Fault::TooLong]),
    },
    Step {
        name: "Show only legal moves in lines",
        run: |tester| seen(tester, Level::Warning, &[Fault::IllegalPvMove]),
    },
    Step {
        name: "Spell the moves of lines like played ones",
        run: |tester| seen(tester, Level::Warning, &[Fault::PvMoveSpelling]),
    },
    Step {
        name: "End lines with checkmate",
        run: |tester| seen(tester, Level::Warning, &[Fault::PvAfterCheckmate]),
    },
    Step {
        name: "End lines with stalemate",
        run: |tester| seen(tester, Level::Warning, &[Fault::PvAfterStalemate]),
    },
    Step {
        name: "End lines with threefold repetition",
        run: |tester| seen(tester, Level::Warning, &[Fault::PvAfterThreefold]),
    },
    Step {
        name: "End lines with the fifty-move rule",
        run: |tester| seen(tester, Level::Warning, &[Fault::PvAfterFiftyMoves]),
    },
    Step {
        name: "Show announced mates to their end",
        run: |tester| seen(tester, Level::Warning, &[Fault::MatePvTooShort]),
    },
    Step {
        name: "Show announced mates no longer than announced",
        run: |tester| seen(tester, Level::Warning, &[Fault::MatePvTooLong]),
    },
    Step {
        name: "End announced mates with mate",
        run: |tester| seen(tester, Level::Warning, &[Fault::MatePvWithoutMate]),
    },
    Step {
        name: "Play the first move of the last line",
        run: |tester| seen(tester, Level::Warning, &[Fault::OtherMoveThanPv]),
    },
    Step {
        name: "Ponder on legal moves",
        run: |tester| seen(tester, Level::Warning, &[Fault::BadPonderMove]),
    },
    Step { name: "End at quit", run: |tester| ends(tester, Some(b"quit\n"), Level::Failure) },
    Step {
        name: "End at quit while thinking",
        run: |tester| ends_thinking(tester, Some(b"quit\n"), Level::Failure),
    },
    Step { name: "End when the input is closed", run: |tester| ends(tester, None, Level::Warning) },
    Step {
        name: "End when the input is closed while thinking",
        run: |tester| ends_thinking(tester, None, Level::Warning),
    },
    Step { name: "Keep silent on the error output", run: silent },
];

/// How long an engine may take to end.
const FAREWELL: Duration = Duration::from_secs(1);

/// Whether any of this was seen in the searches so far.
fn seen(tester: &mut Tester, level: Level, faults: &[Fault]) -> Done {
    if tester.searches == 0 {
        tester.fail("has not answered any search");
    }
    faults.iter().for_each(|&fault| tester.find_seen(level, fault));
    Ok(())
}

/// A client that is killed closes the input: an engine that goes on then, goes on for ever.
fn ends(tester: &mut Tester, last_words: Option<&[u8]>, level: Level) -> Done {
    tester.sync()?;
    ends_now(tester, last_words, level)
}

fn ends_thinking(tester: &mut Tester, last_words: Option<&[u8]>, level: Level) -> Done {
    let root = Root::start("");
    let begin = tester.begin(&root, "infinite")?;
    // Long enough to be in the middle of it.
    if tester.answer_within(Duration::from_millis(100), &root, begin)?.is_some() {
        tester.fail("answers before it is told to");
    }
    ends_now(tester, last_words, level)
}

fn ends_now(tester: &mut Tester, last_words: Option<&[u8]>, level: Level) -> Done {
    let sent = if last_words.is_some() { "quit" } else { "the end of the input" };
    match tester.end(last_words)? {
        None => tester.find_in(level, format!("does not end at {sent} and has to be killed"), "nothing"),
        Some((_, after)) if after > FAREWELL + tester.tolerance() => {
            tester.find_in(
                Level::Warning,
                format!("ends only {} ms after {sent}", after.as_millis()),
                "its end",
            );
        }
        Some((status, _)) if !status.success() => {
            tester.find_in(Level::Warning, format!("does not end well at {sent}"), &status.to_string());
        }
        Some(_) => {}
    }
    Ok(())
}

/// Nibbler shows it to the user, coloured.
fn silent(tester: &mut Tester) -> Done {
    if !tester.complaint.is_empty() {
        let complaint = tester.complaint.clone();
        tester.find_in(Level::Warning, "says something on its error output", &complaint);
    }
    Ok(())
}
