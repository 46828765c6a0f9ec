//! An engine to try the match runner with that speaks xboard's protocol: it plays legal moves, at once, and does at
//! given moments what it is told to: offers, claims, resigns, complains, hangs, crashes. Run without arguments it tells
//! how. Whatever it holds against its client (a command that it has not asked for, a move in the wrong notation, a `go`
//! while it thinks) goes to the log, marked `[wrong]`, and to stderr.

mod modes_cecp;
mod words;

use adoube::board::{Board, Position};
use adoube::engine::cecp::{parse_move, write_move};
use adoube::types::{Color, Move, PieceType, Square};
use modes_cecp::{Args, Event, read_args};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

/// What comes of an item.
#[derive(PartialEq, Eq)]
enum Done {
    /// A move has been made, or is refused: the turn is over.
    Turn,
    /// There may be more.
    GoOn,
}

/// What `edit` puts together.
struct Edit {
    pieces: BTreeMap<u8, char>,
    color: Color,
}

struct Mock {
    args: Args,
    position: Position,
    /// The positions before each move, for `undo`.
    before: Vec<Position>,
    /// The side that it plays; none in force mode.
    plays: Option<Color>,
    /// The side that `white` or `black` has put on move.
    on_move: Option<Color>,
    chess960: bool,
    edit: Option<Edit>,
    /// How often it has been on move, and how often each event has come, in this game.
    turns: u32,
    counts: BTreeMap<Event, u32>,
    hangs: bool,
}

impl Mock {
    fn log(&self, text: &str) {
        if let Some(mut log) = self.args.log.as_ref() {
            let _ = log.write_all(format!("{text}\n").as_bytes());
        }
    }

    fn complain(&self, what: &str) {
        self.log(&format!("[wrong] {what}"));
        let _ = writeln!(std::io::stderr(), "mock-cecp: {what}");
    }

    fn require(&self, feature: &str, what: &str) {
        if !self.args.has(feature) {
            self.complain(&format!("'{what}' without feature {feature}"));
        }
    }

    /// Obeys a command; false if it was the last one.
    fn obey(&mut self, line: &str) -> bool {
        self.log(line);
        if self.hangs {
            return line != "quit";
        }
        if self.edit.is_some() {
            self.obey_edit(line);
            return true;
        }
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "protover" => {
                if !self.happens(Event::Protover) {
                    self.greet();
                }
            }
            "ping" => {
                self.require("ping", line);
                if !self.happens(Event::Ping) {
                    say(&format!("pong {rest}"));
                }
            }
            "new" => {
                self.happens(Event::New);
                self.position = Position::default();
                self.before.clear();
                (self.plays, self.chess960, self.turns) = (Some(Color::Black), false, 0);
                self.counts.retain(|&event, _| event == Event::New || event == Event::Ping);
            }
            "variant" => self.chess960 = rest == "fischerandom",
            "force" => self.plays = None,
            "setboard" => {
                self.require("setboard", line);
                match Board::from_fen_lenient(rest) {
                    Ok(board) => self.position = board.into(),
                    Err(error) => self.complain(&format!("{line}: {error}")),
                }
                self.before.clear();
            }
            "edit" => self.edit = Some(Edit { pieces: BTreeMap::new(), color: Color::White }),
            "undo" => match self.before.pop() {
                Some(before) => self.position = before,
                None => self.complain("nothing to undo"),
            },
            "white" | "black" if !self.args.has("colors") => {
                self.complain(&format!("'{line}' with colors=0"))
            }
            "white" | "black" => {
                // The one before the times says whose they are, the other puts its side on move.
                self.on_move = Some(if command == "white" { Color::White } else { Color::Black });
            }
            "go" => {
                let on_move = self.on_move.take();
                if on_move.is_some_and(|side| side != self.position.side_to_move()) {
                    self.complain(&format!("'go' with {on_move:?} on move, which is not"));
                }
                if on_move.is_none() && self.args.has("colors") {
                    self.complain("'go' without a colour on move");
                }
                if self.plays.is_some() {
                    self.complain("'go' while it plays");
                }
                self.plays = Some(self.position.side_to_move());
                self.think();
            }
            "time" | "otim" => self.require("time", line),
            "draw" => {
                self.require("draw", line);
                self.happens(Event::Draw);
            }
            "result" => _ = self.happens(Event::Result),
            "name" | "ics" => self.require(command, line),
            "memory" => self.require("memory", line),
            "cores" => self.require("smp", line),
            "st" | "sd" | "level" if self.args.unknown.iter().any(|word| word == command) => {
                say(&format!("Error (unknown command): {line}"));
            }
            "option" => {
                let name = rest.split('=').next().unwrap_or(rest);
                if !self.args.features.contains(&format!("option=\"{name} -")) {
                    self.complain(&format!("no such option: '{name}'"));
                }
            }
            "xboard" | "accepted" | "rejected" | "level" | "st" | "sd" | "hard" | "easy" | "post"
            | "computer" | "?" | "depth" => {}
            "quit" => return false,
            "usermove" => {
                self.require("usermove", line);
                self.hear_move(rest);
            }
            other if other.bytes().all(|byte| byte.is_ascii_digit()) => {}
            _ => {
                if self.args.has("usermove") {
                    self.complain(&format!("'{line}' is no command"));
                }
                self.hear_move(line);
            }
        }
        true
    }

    fn greet(&mut self) {
        let (name, features) = (&self.args.name, &self.args.features);
        if let Some(delay) = self.args.slow {
            say("feature done=0");
            sleep(delay);
        }
        if self.args.any_features {
            say(&format!("feature myname=\"{name}\"\nfeature {features}"));
            if self.args.says_done {
                say("feature done=1");
            }
        }
    }

    fn obey_edit(&mut self, line: &str) {
        let Some(edit) = &mut self.edit else { return };
        match line {
            "#" => edit.pieces.clear(),
            "c" => edit.color = !edit.color,
            "." => {
                let pieces = std::mem::take(&mut edit.pieces);
                self.edit = None;
                self.put(&pieces);
            }
            _ => match (
                line.get(..1).and_then(|letter| letter.chars().next()),
                line.get(1..).and_then(Square::parse),
            ) {
                (Some(letter), Some(square)) if PieceType::from_letter(letter).is_some() => {
                    let white = edit.color == Color::White;
                    let letter =
                        if white { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
                    edit.pieces.insert(square.index() as u8, letter);
                }
                _ => self.complain(&format!("'{line}' in edit")),
            },
        }
    }

    /// Sets up what was edited: the side on move stays, castling is allowed where king and rook are at home.
    fn put(&mut self, pieces: &BTreeMap<u8, char>) {
        let at = |square: u8| pieces.get(&square).copied();
        let mut rows = vec![];
        for rank in (0..8).rev() {
            let row: String = (0..8).map(|file| at(rank * 8 + file).unwrap_or('1')).collect();
            let row =
                (2..=8).rev().fold(row, |row, count| row.replace(&"1".repeat(count), &count.to_string()));
            rows.push(row);
        }
        let rights: String =
            [(4, 'K', 7, 'R', 'K'), (4, 'K', 0, 'R', 'Q'), (60, 'k', 63, 'r', 'k'), (60, 'k', 56, 'r', 'q')]
                .into_iter()
                .filter(|&(king, k, rook, r, _)| at(king) == Some(k) && at(rook) == Some(r))
                .map(|(.., letter)| letter)
                .collect();
        let side = if self.position.side_to_move() == Color::White { "w" } else { "b" };
        let rights = if rights.is_empty() { "-" } else { &rights };
        match Board::from_fen_lenient(&format!("{} {side} {rights} - 0 1", rows.join("/"))) {
            Ok(board) => self.position = board.into(),
            Err(error) => self.complain(&format!("edit: {error}")),
        }
        self.before.clear();
    }

    /// A move of the opponent, or one in force mode.
    fn hear_move(&mut self, text: &str) {
        if self.plays == Some(self.position.side_to_move()) {
            self.complain(&format!("'{text}' while it is on move itself"));
        }
        if self.plays.is_some() && self.happens(Event::Move) {
            return;
        }
        match parse_move(text, &self.position) {
            Ok(mv) => {
                let expected = write_move(mv, &self.position, self.args.has("san"), self.chess960);
                if expected != text {
                    self.complain(&format!("'{text}' is not written {expected}"));
                }
                self.play(mv);
                if self.args.form == "gnu" {
                    say(&format!("1. {text}"));
                }
            }
            Err(error) => {
                self.complain(&error);
                return say(&format!("Illegal move: {text}"));
            }
        }
        if self.plays == Some(self.position.side_to_move()) {
            self.think();
        }
    }

    fn play(&mut self, mv: Move) {
        self.before.push(self.position);
        self.position = self.position.after(mv);
    }

    /// Does what there is for the n-th coming of an event. True if that takes the place of what is usually done.
    fn happens(&mut self, event: Event) -> bool {
        let count = self.counts.entry(event).or_default();
        *count += 1;
        let Some(items) = self.args.plan.items(event, *count) else { return false };
        items.iter().any(|item| self.act(item) == Done::Turn)
    }

    /// Its turn: what the plan says, else a legal move.
    fn think(&mut self) {
        self.turns += 1;
        let items = self.args.plan.items(Event::Turn, self.turns).unwrap_or_else(|| vec!["*".into()]);
        for item in items {
            self.act(&item);
        }
    }

    fn act(&mut self, item: &str) -> Done {
        let (word, value) = item.split_once('=').unwrap_or((item, ""));
        let text = value.replace('_', " ").replace('|', "\n");
        match word {
            "offer-draw" => say("offer draw"),
            "resign" => say("resign"),
            "claim" | "say" => say(&text),
            "text" => say_bytes(text.as_bytes()),
            "sleep" => sleep(Duration::from_millis(value.parse().unwrap_or(100))),
            "refuse" | "nothing" => return Done::Turn,
            "hang" => {
                self.hangs = true;
                return Done::Turn;
            }
            "deaf" => loop {
                sleep(Duration::from_secs(3600));
            },
            "crash" => {
                let frames = "mock-cecp: a frame\n".repeat(value.parse().unwrap_or(0));
                eprintln!("{frames}mock-cecp: something terrible has happened");
                exit(3);
            }
            "flood" => {
                let megabytes: usize = value.parse().unwrap_or(1);
                let line = "5 12 3 400 e2e4 e7e5\n";
                say_bytes(line.repeat((megabytes << 20) / line.len()).as_bytes());
            }
            "garbage" => say_bytes(b"\xff\xfe\x00\x1b[2J 1 \xc0\nmove\xff\n"),
            "long" => say_bytes(&[vec![b'x'; 1 << 20], vec![b'\n']].concat()),
            "illegal" => self.announce(&text),
            _ => {
                self.make_move(item);
                return Done::Turn;
            }
        }
        Done::GoOn
    }

    /// Makes the move of a plan, or a legal one for `*`; says it even if it is not legal.
    fn make_move(&mut self, text: &str) {
        let chosen = if text == "*" { self.choose() } else { parse_move(text, &self.position).ok() };
        let Some(mv) = chosen else {
            if text != "*" {
                self.announce(text);
            }
            return;
        };
        let said = match text {
            "*" => write_move(mv, &self.position, self.args.has("san"), self.chess960),
            _ => text.to_string(),
        };
        let info = self.args.score.map(|score| {
            let pv = write_move(mv, &self.position, true, self.chess960);
            format!("1 {score} 2 30 {pv}")
        });
        self.play(mv);
        info.iter().for_each(|info| say(info));
        self.announce(&said);
    }

    fn announce(&self, mv: &str) {
        match self.args.form.as_str() {
            "gnu" => say(&format!("1. ... {mv}\nMy move is : {mv}")),
            "numbered" => say(&format!("12 ... {mv}")),
            "bare" => say(mv),
            _ => say(&format!("move {mv}")),
        }
    }

    /// The first legal move, or with a seed a random one that depends on seed and position alone.
    fn choose(&self) -> Option<Move> {
        let moves = self.position.legal_moves();
        let Some(seed) = self.args.seed else { return moves.first().copied() };
        // SplitMix64's finaliser.
        let mut bits = self.position.key().0
            ^ (seed << 16 | u64::from(self.position.fullmove_number())).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        (!moves.is_empty()).then(|| moves[(bits % moves.len() as u64) as usize])
    }
}

fn say(text: &str) {
    say_bytes(format!("{text}\n").as_bytes());
}

/// One write. Nobody may be there any more.
fn say_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

fn main() {
    let args = read_args();
    if let Some(mut pids) = args.pids.as_ref() {
        let _ = pids.write_all(format!("{}\n", std::process::id()).as_bytes());
    }
    let mut mock = Mock {
        args,
        position: Position::default(),
        before: vec![],
        plays: None,
        on_move: None,
        chess960: false,
        edit: None,
        turns: 0,
        counts: BTreeMap::new(),
        hangs: false,
    };
    mock.log(&format!("[start {}]", std::process::id()));
    mock.happens(Event::Start);
    for line in BufReader::new(std::io::stdin()).lines() {
        let Ok(line) = line else { break };
        if !mock.obey(line.trim()) {
            break;
        }
    }
    mock.log("[end]");
}
