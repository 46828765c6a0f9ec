//! What the test engine can be told to do: the table of its modes, and its command line.

use crate::words::Words;
use std::fmt::Write;
use std::fs::File;
use std::time::Duration;

macro_rules! modes {
    ($($mode:ident $name:literal $trigger:literal $text:literal)*) => {
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub enum Mode {
            $($mode),*
        }
        const MODES: &[(&str, Mode, &str, &str)] = &[$(($name, Mode::$mode, $trigger, $text)),*];
    };
}

// Name, the command whose N-th coming (`--after N`) sets it off (none: it is so from the start), what happens.
modes! {
    Good "good" "" "answers every go at once with a random legal move"
    NoUciok "no-uciok" "" "tells its options and never says uciok"
    SlowUciok "slow-uciok" "" "says uciok after --delay (500)"
    SlowReadyok "slow-readyok" "isready" "says readyok after --delay (500)"
    NoReadyok "no-readyok" "isready" "never says readyok"
    TwoReadyoks "two-readyoks" "isready" "says readyok twice"
    StaleBestmove "stale-bestmove" "isready" "says a bestmove that nobody asked for before its readyok"
    CrashOnOption "crash-on-option" "setoption" "ends with status 3"
    ErrorOnOption "error-on-option" "setoption" "info string ERROR: and the option, and goes on without it"
    DieAtStart "die-at-start" "" "ends with status 3 before it has read anything"
    DieInNewgame "die-in-newgame" "ucinewgame" "ends with status 3"
    ReadyNewgame "ready-newgame" "ucinewgame" "says readyok, which nobody has asked for"
    DieBetweenMoves "die-between-moves" "go" "ends with status 3 right after its answer"
    DieThinking "die-thinking" "go" "says why in two lines on stderr and ends with status 3, without a move, after --delay (0)"
    DieBySignal "die-by-signal" "go" "aborts (SIGABRT), without a move"
    DieMidLine "die-mid-line" "go" "ends with status 3 in the middle of its bestmove line"
    Hang "hang" "go" "reads on and answers neither go nor isready any more; obeys quit"
    HangAnswersIsready "hang-answers-isready" "go" "answers isready and no go any more; obeys quit"
    HangDeaf "hang-deaf" "go" "reads nothing any more"
    CloseStdout "close-stdout" "go" "closes its output and becomes sleep"
    IgnoreQuit "ignore-quit" "" "plays well; quit, the end of input, SIGTERM, SIGINT and SIGHUP do not end it"
    IgnoreQuitChildren "ignore-quit-children" "" "the same, with a child in sleep that holds the output open"
    SlowQuit "slow-quit" "" "plays well, and ends --delay (1500) after quit"
    LastWords "last-words" "" "plays well, and says something on stderr at quit"
    Sleep "sleep" "" "does nothing at all, and signals do not end it"
    Late "late" "go" "answers --delay (100) after its time, which may begin with ponderhit, or at stop"
    LateAtStop "late-at-stop" "go" "plays well, and answers --delay (700) after stop"
    LateIgnoresStop "late-ignores-stop" "go" "answers --delay (100) after its time, whatever comes"
    FloodInfo "flood-info" "go" "info lines without end, as fast as they are read"
    FloodThenMove "flood-then-move" "go" "--size megabytes of info lines, then a legal move"
    FloodNoNewline "flood-no-newline" "go" "one info line of --size megabytes, then a legal move"
    FloodStderr "flood-stderr" "go" "--size megabytes on stderr, then a legal move"
    NotUtf8 "not-utf8" "go" "info string and pv with bytes that are no UTF-8, then a legal move"
    NotUtf8Move "not-utf8-move" "go" "a bestmove that is no UTF-8"
    Dribble "dribble" "go" "a legal move with its info line, written byte by byte"
    Fussy "fussy" "" "plays well, and ignores lines with blanks too many or CR LF at their end"
    Crlf "crlf" "" "plays well; lines end with CR LF"
    IllegalMove "illegal-move" "go" "a pawn's triple step"
    IllegalKingInCheck "illegal-king-in-check" "go" "leaves its king in check as soon as it can"
    NullMove "null-move" "go" "bestmove 0000"
    NoneMove "none-move" "go" "bestmove (none)"
    NoMove "no-move" "go" "bestmove and nothing behind it"
    GarbageMove "garbage-move" "go" "bestmove hello"
    UppercasePromotion "uppercase-promotion" "go" "promotes when it can, and writes e7e8Q"
    RookCastling "rook-castling" "go" "castles when it can, and always writes king takes rook"
    KingCastling "king-castling" "go" "castles when it can, and always writes the king's own steps"
    TwoBestmoves "two-bestmoves" "go" "two legal moves in one write"
    TwoBestmovesLate "two-bestmoves-late" "go" "the same move again after --delay (5)"
    UnaskedBestmove "unasked-bestmove" "go" "moves for its opponent, --delay (20) after its own move"
    PonderGood "ponder-good" "go" "tells a ponder move: what a mock with its own seed will play"
    BadPonderMove "bad-ponder-move" "go" "tells an illegal ponder move"
    PonderAnswersEarly "ponder-answers-early" "go" "ponder-good, but go ponder is answered at once"
    PonderNeverStops "ponder-never-stops" "go" "ponder-good, but stop does not end its pondering"
    BadPv "bad-pv" "go" "a pv whose second move is illegal, then a legal move"
    NoScore "no-score" "go" "info lines without a score, then a legal move"
    MateScoreLies "mate-score-lies" "go" "announces mate in one with every move"
    BoundScores "bound-scores" "go" "an exact score, then bounds and a second line with absurd ones, then a move"
    ResignsBadly "resigns-badly" "go" "plays well and tells -2000 with every move"
}

const SWITCHES: &str = "
    --after N         misbehave from the N-th such command on; before, play well (1)
    --seed S          of the random moves: the same seed in the same game gives the same moves (0)
    --delay MS        the mode's time; also as MODE MS
    --size MB         the mode's megabytes (10)
    --script A,B,...  its answers in each game, word for word, from the first go on; '-' and after them: a move
    --name NAME       the name told (mock MODE)
    --info            one info line before each move
    --score CP        the score told, from the mover's view (12); implies --info
    --white-score CP  the score told, from White's view; implies --info
    --mate N          tell mate in N; implies --info
    --think US        sleep so many microseconds before each answer; from 1000 on, stop ends it
    --burn US         keep the processor busy so many microseconds before each answer
    --log FILE        append '[start PID]', each line received and '[end]', with microseconds since the start
    --pids FILE       append the process id, and that of the child if there is one";

/// What the command line says.
pub struct Args {
    pub mode: Mode,
    pub trigger: &'static str,
    pub after: u32,
    pub seed: u64,
    pub delay: Option<Duration>,
    pub size: usize,
    pub script: Vec<String>,
    pub name: String,
    pub info: bool,
    pub score: i32,
    pub white_score: Option<i32>,
    pub mate: Option<i32>,
    pub think: Duration,
    pub burn: Duration,
    pub log: Option<File>,
    pub pids: Option<File>,
}

fn usage() -> String {
    let mut text = "mock-engine MODE [MS] [SWITCH]...\n\n".to_string();
    for (name, _, trigger, what) in MODES {
        let _ = writeln!(text, "    {name:21} {trigger:10} {what}");
    }
    text + SWITCHES
}

pub fn read_args() -> Args {
    let mut words = Words::new(usage);
    let name = words.next().unwrap_or_else(|| words.refuse("a mode is wanted"));
    let Some(&(_, mode, trigger, _)) = MODES.iter().find(|(known, ..)| *known == name) else {
        words.refuse(&format!("there is no mode '{name}'"))
    };
    let has_delay = words.peek().is_some_and(|word| !word.starts_with('-'));
    let delay = if has_delay { words.next() } else { None };
    let delay = delay.map(|ms| words.milliseconds(&ms));
    let mut args = Args {
        mode,
        trigger,
        after: 1,
        seed: 0,
        delay,
        size: 10,
        script: vec![],
        name: format!("mock {name}"),
        info: false,
        score: 12,
        white_score: None,
        mate: None,
        think: Duration::ZERO,
        burn: Duration::ZERO,
        log: None,
        pids: None,
    };
    while let Some(switch) = words.next() {
        if switch == "--info" {
            args.info = true;
            continue;
        }
        let value = words.value(&switch);
        args.info |= matches!(switch.as_str(), "--score" | "--white-score" | "--mate");
        match switch.as_str() {
            "--after" => args.after = words.number(&value),
            "--seed" => args.seed = words.number(&value),
            "--delay" => args.delay = Some(words.milliseconds(&value)),
            "--script" => args.script = value.split(',').map(String::from).collect(),
            "--size" => args.size = words.number(&value),
            "--name" => args.name = value,
            "--score" => args.score = words.number(&value),
            "--white-score" => args.white_score = Some(words.number(&value)),
            "--mate" => args.mate = Some(words.number(&value)),
            "--think" => args.think = Duration::from_micros(words.number(&value)),
            "--burn" => args.burn = Duration::from_micros(words.number(&value)),
            "--log" => args.log = Some(words.appended(&value)),
            "--pids" => args.pids = Some(words.appended(&value)),
            _ => words.refuse(&format!("there is no switch '{switch}'")),
        }
    }
    args
}
