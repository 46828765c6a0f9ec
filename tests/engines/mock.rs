//! An engine to try the match runner with: it plays legal moves at random, at once, and misbehaves as it is told to.
//!
//! Without arguments it prints its modes and switches. Whatever it holds against its client (a `go` while it thinks, an
//! option that it has not got) goes to stderr and to the log, marked `[wrong]`; a position that cannot be is a panic.

mod modes;
mod words;

use adoube::board::{Board, Position};
use adoube::notation::uci_move::{parse_uci, to_uci};
use adoube::types::{Color, Move, Square};
use modes::{Args, Mode, read_args};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio, exit};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What is said to one `go`, put together before it is known when it will be said.
struct Answer {
    mode: Mode,
    text: Vec<u8>,
    /// Said later than the rest.
    again: Option<(Duration, Vec<u8>)>,
}

impl Answer {
    fn give(self) {
        match self.mode {
            Mode::Dribble => self.text.chunks(1).for_each(say),
            Mode::Crlf => say(String::from_utf8_lossy(&self.text).replace('\n', "\r\n").as_bytes()),
            _ => say(&self.text),
        }
        if let Some((delay, text)) = self.again {
            std::thread::spawn(move || {
                sleep(delay);
                say(&text);
            });
        }
        if self.mode == Mode::DieBetweenMoves {
            exit(3);
        }
    }
}

/// An answer that waits for its time, `stop` or `ponderhit`: whoever takes it gives it.
struct Waiting {
    slot: Arc<Mutex<Option<Answer>>>,
    ignores_stop: bool,
    after_stop: Duration,
    after_hit: Duration,
}

impl Waiting {
    fn take(slot: &Mutex<Option<Answer>>) -> Option<Answer> {
        slot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn end_after(slot: &Arc<Mutex<Option<Answer>>>, time: Duration) {
        let slot = slot.clone();
        std::thread::spawn(move || {
            sleep(time);
            Waiting::take(&slot).map(Answer::give)
        });
    }
}

struct Mock {
    args: Args,
    start: Instant,
    /// Commands of the mode's trigger so far.
    count: u32,
    /// How many `go` have come in this game.
    turn: usize,
    /// The last `position` line, and where it leads.
    line: String,
    position: Position,
    chess960: bool,
    waiting: Option<Waiting>,
}

impl Mock {
    /// How to behave now.
    fn mode(&self) -> Mode {
        let due = self.args.trigger.is_empty() || self.count >= self.args.after;
        if due { self.args.mode } else { Mode::Good }
    }

    fn delay(&self, default: u64) -> Duration {
        self.args.delay.unwrap_or(Duration::from_millis(default))
    }

    fn log(&self, text: &str) {
        if let Some(mut log) = self.args.log.as_ref() {
            let _ = log.write_all(format!("{} {text}\n", self.start.elapsed().as_micros()).as_bytes());
        }
    }

    fn complain(&self, what: &str) {
        self.log(&format!("[wrong] {what}"));
        let _ = writeln!(std::io::stderr(), "mock-engine: {what}");
    }

    fn say(&self, text: &str) {
        match self.args.mode {
            Mode::Crlf => say(text.replace('\n', "\r\n").as_bytes()),
            _ => say(text.as_bytes()),
        }
    }

    /// Obeys a command; false if it was the last one.
    fn obey(&mut self, line: &str) -> bool {
        self.log(line);
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        self.count += u32::from(command == self.args.trigger);
        if matches!(command, "go" | "position" | "setoption" | "ucinewgame")
            && let Some(waiting) = &self.waiting
        {
            let slot = waiting.slot.lock().unwrap_or_else(PoisonError::into_inner);
            if slot.is_some() {
                self.complain(&format!("'{command}' while it thinks"));
            }
        }
        match command {
            "position" => self.set_position(line),
            "go" => self.go(rest),
            "stop" | "ponderhit" => self.end_waiting(command),
            "isready" => self.get_ready(),
            "uci" => self.greet(),
            "setoption" => self.set_option(rest),
            "ucinewgame" if self.mode() == Mode::DieInNewgame => exit(3),
            "ucinewgame" => {
                self.turn = 0;
                if self.mode() == Mode::ReadyNewgame {
                    self.say("readyok\n");
                }
            }
            "quit" if self.args.mode == Mode::SlowQuit => {
                sleep(self.delay(1500));
                return false;
            }
            "quit" if self.args.mode == Mode::LastWords => {
                eprintln!("Goodbye.");
                return false;
            }
            "quit" => return matches!(self.args.mode, Mode::IgnoreQuit | Mode::IgnoreQuitChildren),
            _ => {}
        }
        true
    }

    fn greet(&mut self) {
        self.say(&format!("id name {}\nid author Adoube's tests\n{OPTIONS}", self.args.name));
        match self.mode() {
            Mode::NoUciok => return,
            Mode::SlowUciok => sleep(self.delay(500)),
            _ => {}
        }
        self.say("uciok\n");
    }

    fn get_ready(&mut self) {
        match self.mode() {
            Mode::Hang | Mode::NoReadyok => return,
            Mode::SlowReadyok => sleep(self.delay(500)),
            Mode::TwoReadyoks => self.say("readyok\n"),
            Mode::StaleBestmove => return self.say("bestmove e2e4\nreadyok\n"),
            _ => {}
        }
        self.say("readyok\n");
    }

    fn set_option(&mut self, rest: &str) {
        if self.mode() == Mode::CrashOnOption {
            exit(3);
        }
        if self.mode() == Mode::ErrorOnOption {
            return self.say(&format!("info string ERROR: no {rest}\ninfo string errors happen\n"));
        }
        let rest = rest.strip_prefix("name ").unwrap_or(rest);
        let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
        if !OPTIONS.contains(&format!("option name {name} type ")) {
            self.complain(&format!("no such option: '{name}'"));
        }
        if name == "UCI_Chess960" {
            self.chess960 = value == "true";
        }
    }

    /// Plays only what is new if the line goes on where the last one ended.
    fn set_position(&mut self, line: &str) {
        let moves = match line.strip_prefix(&self.line) {
            Some(more) if more.is_empty() || more.starts_with(' ') => more,
            _ => {
                let (start, moves) = line.split_once(" moves").unwrap_or((line, ""));
                self.position = match start.strip_prefix("position fen ") {
                    Some(fen) => Board::from_fen_lenient(fen).expect("a legal position").into(),
                    None => Position::default(),
                };
                moves
            }
        };
        for word in moves.split_ascii_whitespace().filter(|&word| word != "moves") {
            self.position = self.position.after(parse_uci(word, &self.position).expect("a legal move"));
        }
        self.line.clear();
        self.line.push_str(line);
    }

    fn go(&mut self, limits: &str) {
        let begin = Instant::now();
        self.turn += 1;
        let mode = self.mode();
        match mode {
            Mode::Hang | Mode::HangAnswersIsready => return,
            Mode::HangDeaf => sleep_for_ever(),
            Mode::CloseStdout => close_stdout(),
            Mode::DieBySignal => std::process::abort(),
            Mode::DieThinking => {
                sleep(self.delay(0));
                eprintln!("mock-engine: something terrible has happened\nmock-engine: it cannot go on");
                exit(3);
            }
            Mode::DieMidLine => {
                say(b"bestmove e2");
                exit(3);
            }
            Mode::FloodInfo => {
                let lines = INFO.repeat(1000);
                while try_to_say(lines.as_bytes()).is_ok() {}
                exit(0);
            }
            _ => {}
        }
        let answer = self.answer(mode);
        let has = |word: &str| limits.split(' ').any(|other| other == word);
        let ponders = has("ponder") && mode != Mode::PonderAnswersEarly;
        let late = matches!(mode, Mode::Late | Mode::LateIgnoresStop);
        let time = if late { self.budget(limits) + self.delay(100) } else { self.args.think };
        let timed = !ponders && !has("infinite");
        if timed && time < Duration::from_millis(1) {
            if !time.is_zero() {
                sleep(time);
            }
            while begin.elapsed() < self.args.burn {}
            return answer.give();
        }
        let slot = Arc::new(Mutex::new(Some(answer)));
        if timed {
            Waiting::end_after(&slot, time.saturating_sub(begin.elapsed()));
        }
        let ignores_stop = mode == Mode::LateIgnoresStop || (mode == Mode::PonderNeverStops && ponders);
        let after_stop = if mode == Mode::LateAtStop { self.delay(700) } else { Duration::ZERO };
        let after_hit = if late { time } else { Duration::ZERO };
        self.waiting = Some(Waiting { slot, ignores_stop, after_stop, after_hit });
    }

    fn end_waiting(&mut self, command: &str) {
        let Some(waiting) = &self.waiting else { return };
        let answer = match command {
            "stop" if waiting.ignores_stop => None,
            "stop" => {
                sleep(waiting.after_stop);
                Waiting::take(&waiting.slot)
            }
            _ if waiting.after_hit.is_zero() => Waiting::take(&waiting.slot),
            _ => {
                Waiting::end_after(&waiting.slot, waiting.after_hit);
                None
            }
        };
        answer.into_iter().for_each(Answer::give);
    }

    /// The time that it has for this move.
    fn budget(&self, limits: &str) -> Duration {
        let value = |name: &str| -> Option<u64> {
            limits.split(' ').skip_while(|word| *word != name).nth(1)?.parse().ok()
        };
        let clock = if self.position.side_to_move() == Color::White { "wtime" } else { "btime" };
        Duration::from_millis(value("movetime").or_else(|| value(clock)).unwrap_or(0))
    }

    /// A random legal move that depends on seed and position alone; the number of the move is mixed in so that a
    /// repeated position does not mean a circle.
    fn choose(&self, position: &Position, wanted: fn(&Move) -> bool) -> Option<Move> {
        let moves = position.legal_moves();
        if let Some(&mv) = moves.iter().find(|mv| wanted(mv)) {
            return Some(mv);
        }
        // SplitMix64's finaliser.
        let mut bits = position.key().0
            ^ (self.args.seed << 16 | u64::from(position.fullmove_number()))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        (!moves.is_empty()).then(|| moves[(bits % moves.len() as u64) as usize])
    }

    fn answer(&self, mode: Mode) -> Answer {
        let mut text = Vec::with_capacity(128);
        let wanted: fn(&Move) -> bool = match mode {
            Mode::UppercasePromotion => |mv| mv.promoted().is_some(),
            Mode::RookCastling | Mode::KingCastling => |mv| mv.is_castling(),
            _ => |_| false,
        };
        let position = self.position;
        let Some(mv) = self.choose(&position, wanted) else {
            text.extend(b"bestmove (none)\n");
            return Answer { mode, text, again: None };
        };
        let next = position.after(mv);
        let as_rook = (self.chess960 || mode == Mode::RookCastling) && mode != Mode::KingCastling;
        let best = to_uci(mv, &position, as_rook);
        self.add_info(mode, &best, &next, &mut text);
        text.extend(b"bestmove ");
        let scripted = self.args.script.get(self.turn - 1).filter(|answer| *answer != "-");
        if let Some(answer) = scripted {
            text.extend(format!("{answer}\n").as_bytes());
            return Answer { mode, text, again: None };
        }
        match mode {
            Mode::NotUtf8Move => text.extend(b"\xff\xfe4"),
            Mode::IllegalMove => text.extend(triple_step(&position).as_bytes()),
            Mode::IllegalKingInCheck => {
                let exposing = exposing_move(&position).map(|mv| to_uci(mv, &position, false));
                text.extend(exposing.unwrap_or(best).as_bytes());
            }
            Mode::NullMove => text.extend(b"0000"),
            Mode::NoneMove => text.extend(b"(none)"),
            Mode::NoMove => {
                text.pop();
            }
            Mode::GarbageMove => text.extend(b"hello"),
            Mode::UppercasePromotion => {
                let (squares, piece) = best.split_at(4);
                text.extend([squares, &piece.to_ascii_uppercase()].concat().as_bytes());
            }
            _ => text.extend(best.as_bytes()),
        }
        let reply = self.choose(&next, |_| false).map(|mv| to_uci(mv, &next, self.chess960));
        let mut again = None;
        match (mode, reply) {
            (Mode::BadPonderMove, _) => text.extend(format!(" ponder {}", triple_step(&next)).as_bytes()),
            (Mode::PonderGood | Mode::PonderAnswersEarly | Mode::PonderNeverStops, Some(reply)) => {
                text.extend(format!(" ponder {reply}").as_bytes());
            }
            (Mode::UnaskedBestmove, Some(reply)) => {
                again = Some((self.delay(20), format!("bestmove {reply}\n").into_bytes()));
            }
            (Mode::TwoBestmovesLate, _) => again = Some((self.delay(5), [&text[..], b"\n"].concat())),
            (Mode::TwoBestmoves, _) => {
                let moves = position.legal_moves();
                let other = moves.iter().find(|&&other| other != mv).unwrap_or(&mv);
                text.extend(format!("\nbestmove {}", to_uci(*other, &position, self.chess960)).as_bytes());
            }
            _ => {}
        }
        text.push(b'\n');
        Answer { mode, text, again }
    }

    /// What the mode, or `--info`, says before the move.
    fn add_info(&self, mode: Mode, best: &str, next: &Position, text: &mut Vec<u8>) {
        let (size, black) = (self.args.size << 20, next.side_to_move() == Color::White);
        let usual = |score: &str| {
            format!(
                "info depth 1 seldepth 1 score {score} nodes 20 nps 2000 time 1 hashfull 1 tbhits 0 pv {best}\n"
            )
        };
        let score = match (self.args.mate, self.args.white_score) {
            (Some(mate), _) => format!("mate {mate}"),
            (None, Some(score)) => format!("cp {}", if black { -score } else { score }),
            (None, None) => format!("cp {}", self.args.score),
        };
        match mode {
            Mode::FloodThenMove => text.extend(INFO.repeat(size / INFO.len()).as_bytes()),
            Mode::FloodNoNewline => {
                text.extend(b"info string ");
                text.resize(size, b'x');
                text.push(b'\n');
            }
            Mode::FloodStderr => {
                let _ = std::io::stderr().write_all("Line after line.\n".repeat(size / 17).as_bytes());
            }
            Mode::NotUtf8 => {
                text.extend(b"info string \xff\xfe\ninfo depth 1 score cp 12 pv e2e4 \xff\xc0\x80\n")
            }
            Mode::BadPv => {
                text.extend(usual(&score).replace('\n', &format!(" {}\n", triple_step(next))).as_bytes())
            }
            Mode::NoScore => {
                text.extend(format!("info string hm\ninfo depth 1 nodes 20 pv {best}\n").as_bytes())
            }
            Mode::MateScoreLies => text.extend(usual("mate 1").as_bytes()),
            Mode::BoundScores => {
                text.extend(usual(&score).as_bytes());
                text.extend(usual("cp 9000 lowerbound").as_bytes());
                text.extend(usual("cp -9000 upperbound").as_bytes());
                text.extend(usual("cp -9000").replace(" score", " multipv 2 score").as_bytes());
            }
            Mode::ResignsBadly => text.extend(usual("cp -2000").as_bytes()),
            Mode::Dribble | Mode::Crlf => text.extend(usual(&score).as_bytes()),
            _ if self.args.info => text.extend(usual(&score).as_bytes()),
            _ => {}
        }
    }
}

const OPTIONS: &str = "\
option name Hash type spin default 16 min 1 max 1024
option name Threads type spin default 1 min 1 max 512
option name Ponder type check default false
option name UCI_Chess960 type check default false
option name Clear Hash type button
option name Style type combo default Normal var Solid var Normal var Risky
option name Path type string default <empty>
";

const INFO: &str = "info depth 1 seldepth 1 score cp 12 nodes 20 nps 2000 time 1 hashfull 1 tbhits 0\n";

/// A pawn's triple step for the side to move, where no other piece can make it.
fn triple_step(position: &Position) -> &'static str {
    let steps = match position.side_to_move() {
        Color::White => ["a2a5", "b2b5", "h2h5"],
        Color::Black => ["a7a4", "b7b4", "h7h4"],
    };
    steps.into_iter().find(|text| parse_uci(text, position).is_err()).unwrap_or("a1a1")
}

/// A move that would be legal if its king did not matter.
fn exposing_move(position: &Position) -> Option<Move> {
    let squares = || Square::ALL.into_iter();
    let moves = squares().flat_map(|from| squares().map(move |to| (from, to)));
    moves
        .filter(|(from, to)| from != to)
        .map(|(from, to)| Move::normal(from, to))
        .find(|&mv| position.is_pseudo_legal(mv) && !position.is_legal(mv))
}

/// One write.
fn try_to_say(bytes: &[u8]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}

/// If nobody listens any more, the end of the input will tell.
fn say(bytes: &[u8]) {
    let _ = try_to_say(bytes);
}

/// Not quite, so that a test that fails leaves nothing behind for long.
fn sleep_for_ever() -> ! {
    sleep(Duration::from_secs(600));
    exit(0)
}

fn ignore_signals() {
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT, signal_hook::consts::SIGHUP] {
        signal_hook::flag::register(signal, Arc::default()).expect("a handler");
    }
}

/// Ourselves again, asleep.
fn sleeper() -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.arg("sleep");
    command
}

/// Becomes a program that has no output; what it held open itself is closed on the way.
fn close_stdout() -> ! {
    #[cfg(unix)]
    let _failed = std::os::unix::process::CommandExt::exec(sleeper().stdout(Stdio::null()));
    sleep_for_ever()
}

fn main() {
    let args = read_args();
    let start = Instant::now();
    if matches!(args.mode, Mode::IgnoreQuit | Mode::IgnoreQuitChildren | Mode::Sleep) {
        ignore_signals();
    }
    let mut pids = format!("{}\n", std::process::id());
    if args.mode == Mode::IgnoreQuitChildren {
        let mut child = sleeper().stdin(Stdio::null()).spawn().expect("a child");
        pids += &format!("{}\n", child.id());
        std::thread::spawn(move || child.wait());
    }
    if let Some(mut file) = args.pids.as_ref() {
        file.write_all(pids.as_bytes()).expect("room for two numbers");
    }
    let mut mock = Mock {
        args,
        start,
        count: 0,
        turn: 0,
        line: String::new(),
        position: Position::default(),
        chess960: false,
        waiting: None,
    };
    mock.log(&format!("[start {}]", std::process::id()));
    match mock.args.mode {
        Mode::DieAtStart => exit(3),
        Mode::Sleep => sleep_for_ever(),
        _ => {}
    }
    let mut input = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut line = String::new();
    while input.read_line(&mut line).is_ok_and(|length| length > 0) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let plain = words.join(" ");
        let heard = mock.args.mode != Mode::Fussy || line.trim_end_matches('\n') == plain;
        if heard && !mock.obey(&plain) {
            break;
        }
        line.clear();
    }
    mock.log("[end]");
    if matches!(mock.args.mode, Mode::IgnoreQuit | Mode::IgnoreQuitChildren) {
        sleep_for_ever();
    }
}
