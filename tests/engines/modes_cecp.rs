//! What the test engine of xboard's protocol can be told: its command line, and its plan.

use crate::words::Words;
use std::collections::BTreeMap;
use std::fs::File;
use std::time::Duration;

const USAGE: &str = "\
mock-cecp [SWITCH]...

The plan tells what happens when. ITEMS are joined by '+' and done one after the other:
    e2e4, Nf3         says this move as it is written, and plays it if it is legal
    *                 plays a legal move
    illegal=MOVE      says this as its move and plays nothing
    offer-draw        says 'offer draw'
    resign            says 'resign'
    claim=RESULT{..}  says this, with blanks for '_': claim=1/2-1/2_{Draw_by_repetition}
    say=TEXT          says this line, with blanks for '_'; more lines, in one write, with '|' between them
    text=TEXT         the same without a line end
    sleep=MS          waits
    nothing, refuse   does nothing more this time: makes no move, does not hear the opponent's
    hang              answers nothing any more; obeys quit
    deaf              reads nothing any more
    crash             ends with status 3
    flood=MB          so many megabytes of thinking output
    garbage           bytes that are no text
    long              a line of a megabyte

    --script \"ITEMS ITEMS ...\"  its turns from the first one on, in each game; after them, and without, '*'
    --at N=ITEMS      its N-th turn (counted anew with each 'new'); --at last=ITEMS: those that nothing is said of
    --on EVENT[N]=ITEMS  at the N-th coming (without N: each) of start, protover, new, ping, draw, result, or move, a
                      move of its opponent; for protover, ping and move a 'nothing', 'refuse', or a move takes the place of
                      the usual answer
    --seed S          '*' is a random move; the same seed in the same game gives the same (without: the first one)
    --form FORM       how it announces moves: move (usual), numbered ('12 ... e2e4'), gnu (numbered, then 'My move is',
                      and its opponent's moves are repeated), bare (without any word)
    --features TEXT   instead of 'ping=1 setboard=1 usermove=1 colors=0 playother=1 reuse=1'
    --no-features     speaks version 1 of the protocol
    --no-done         does not say 'done=1'
    --slow MS         says 'done=0' and waits so long before the rest
    --unknown WORD    says 'Error (unknown command)' to st, sd or level
    --score N         one line of thinking output before each move
    --name NAME       the name told (mock)
    --log FILE        append '[start PID]', each line received, what is wrong with it, and '[end]'
    --pids FILE       append the process id";

/// When something is done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// It has been started.
    Start,
    /// `protover` has come.
    Protover,
    /// `new` has come.
    New,
    /// `ping` has come.
    Ping,
    /// `draw` has come.
    Draw,
    /// `result` has come.
    Result,
    /// Its opponent has moved.
    Move,
    /// It is on move.
    Turn,
}

/// What is done when.
#[derive(Default)]
pub struct Plan {
    once: BTreeMap<(Event, u32), Vec<String>>,
    always: BTreeMap<Event, Vec<String>>,
}

impl Plan {
    /// What is done when this comes for the n-th time, if anything is said of that.
    pub fn items(&self, event: Event, count: u32) -> Option<Vec<String>> {
        self.once.get(&(event, count)).or_else(|| self.always.get(&event)).cloned()
    }

    fn put(&mut self, event: Event, count: Option<u32>, items: &str) {
        let items = items.split('+').map(String::from).collect();
        match count {
            Some(count) => self.once.insert((event, count), items),
            None => self.always.insert(event, items),
        };
    }
}

/// What the command line says.
pub struct Args {
    pub plan: Plan,
    pub seed: Option<u64>,
    pub form: String,
    pub features: String,
    pub any_features: bool,
    pub says_done: bool,
    pub slow: Option<Duration>,
    pub unknown: Vec<String>,
    pub score: Option<i64>,
    pub name: String,
    pub log: Option<File>,
    pub pids: Option<File>,
}

impl Args {
    /// The value of a yes-or-no feature, by the protocol's default if nothing was said of it.
    pub fn has(&self, feature: &str) -> bool {
        let default = matches!(feature, "time" | "draw" | "colors" | "reuse");
        if !self.any_features {
            return default;
        }
        let value = self.features.split(' ').find_map(|word| word.strip_prefix(feature)?.strip_prefix('='));
        value.map_or(default, |value| value == "1")
    }
}

/// The two sides of `WHEN=ITEMS`.
fn planned<'a>(text: &'a str, words: &Words) -> (&'a str, &'a str) {
    text.split_once('=').unwrap_or_else(|| words.refuse(&format!("'{text}' is not WHEN=ITEMS")))
}

fn event(text: &str, words: &Words) -> (Event, Option<u32>) {
    let name = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let count = (name.len() < text.len()).then(|| words.number(&text[name.len()..]));
    let event = match name {
        "start" => Event::Start,
        "protover" => Event::Protover,
        "new" => Event::New,
        "ping" => Event::Ping,
        "draw" => Event::Draw,
        "result" => Event::Result,
        "move" => Event::Move,
        _ => words.refuse(&format!("there is no event '{name}'")),
    };
    (event, count)
}

pub fn read_args() -> Args {
    let mut args = Args {
        plan: Plan::default(),
        seed: None,
        form: "move".into(),
        features: "ping=1 setboard=1 usermove=1 colors=0 playother=1 reuse=1".into(),
        any_features: true,
        says_done: true,
        slow: None,
        unknown: vec![],
        score: None,
        name: "mock".into(),
        log: None,
        pids: None,
    };
    let mut words = Words::new(|| USAGE.into());
    if words.peek().is_none() {
        words.refuse("what it can be told:");
    }
    while let Some(switch) = words.next() {
        match switch.as_str() {
            "--no-features" => {
                args.any_features = false;
                continue;
            }
            "--no-done" => {
                args.says_done = false;
                continue;
            }
            _ => {}
        }
        let value = words.value(&switch);
        match switch.as_str() {
            "--script" => {
                for (items, count) in value.split_ascii_whitespace().zip(1..) {
                    args.plan.put(Event::Turn, Some(count), items);
                }
            }
            "--at" => {
                let (count, items) = planned(&value, &words);
                args.plan.put(Event::Turn, (count != "last").then(|| words.number(count)), items);
            }
            "--on" => {
                let (when, items) = planned(&value, &words);
                let (event, count) = event(when, &words);
                args.plan.put(event, count, items);
            }
            "--seed" => args.seed = Some(words.number(&value)),
            "--form" => args.form = value,
            "--features" => args.features = value,
            "--slow" => args.slow = Some(words.milliseconds(&value)),
            "--unknown" => args.unknown.push(value),
            "--score" => args.score = Some(words.number(&value)),
            "--name" => args.name = value,
            "--log" => args.log = Some(words.appended(&value)),
            "--pids" => args.pids = Some(words.appended(&value)),
            _ => words.refuse(&format!("there is no switch '{switch}'")),
        }
    }
    args
}
