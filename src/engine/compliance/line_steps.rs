//! The steps that look back on all searches, and those that end the engine.

use super::info_line::Fault;
use super::root::Root;
use super::tester::{Done, Tester};
use super::{Level, Step};
use std::time::Duration;

/// A step that tells what was seen of these faults in the searches before it.
macro_rules! look_back {
    ($name:literal, $level:ident, $($fault:ident),+) => {
        Step { name: $name, run: |tester| seen(tester, Level::$level, &[$(Fault::$fault),+]) }
    };
}

pub(super) const STEPS: &[Step] = &[
    look_back!("Show an info line before each move", Failure, NoInfo),
    look_back!("Show a score before each move", Failure, NoScore),
    look_back!("Write info lines that can be read", Warning, BadInfo),
    look_back!("Say nothing but UCI while thinking", Warning, StrangeLine, NotUtf8, BadBestmoveLine),
    look_back!("Say no more than can be heard", Warning, Flood, TooLong),
    look_back!("Show only legal moves in lines", Warning, IllegalPvMove),
    look_back!("Spell the moves of lines like played ones", Warning, PvMoveSpelling),
    look_back!("End lines with checkmate", Warning, PvAfterCheckmate),
    look_back!("End lines with stalemate", Warning, PvAfterStalemate),
    look_back!("End lines with threefold repetition", Warning, PvAfterThreefold),
    look_back!("End lines with the fifty-move rule", Warning, PvAfterFiftyMoves),
    look_back!("Show announced mates to their end", Warning, MatePvTooShort),
    look_back!("Show announced mates no longer than announced", Warning, MatePvTooLong),
    look_back!("End announced mates with mate", Warning, MatePvWithoutMate),
    look_back!("Play the first move of the last line", Warning, OtherMoveThanPv),
    look_back!("Ponder on legal moves", Warning, BadPonderMove),
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
