//! What several test files need.
#![allow(dead_code)]

pub mod cecp;
pub mod engine;
pub mod folder;
pub mod games;
#[cfg(unix)]
pub mod laws;
pub mod lines;
#[cfg(unix)]
pub mod matches;
pub mod mock;

use adoube::board::{Board, Position, chess960};
use adoube::notation::{san, uci_move};
use adoube::types::{Move, MoveKind, PieceType};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Runs the program to its end: exit status, standard output and standard error.
pub fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> (i32, String, String) {
    let mut child = engine::command().args(arguments).spawn().expect("the program starts");
    // Who does not want the input closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    let out = child.wait_with_output().unwrap();
    (out.status.code().unwrap(), text(&out.stdout), text(&out.stderr))
}

/// Runs the program to its end without any input.
pub fn adoube(arguments: &[&str]) -> Output {
    engine::command().args(arguments).stdin(Stdio::null()).output().expect("the program starts")
}

/// What a program has written.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Sends a signal, such as `INT`, to a process.
pub fn signal(process: impl std::fmt::Display, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
    assert!(sent.unwrap().success(), "{name} to {process}");
}

/// Waits until this is so, for a minute at most.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "still waiting: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A process that is killed when nobody waits for it any more.
pub struct Killed(pub Option<Child>);

impl Killed {
    /// The process, to be waited for.
    pub fn take(&mut self) -> Child {
        self.0.take().expect("nobody has waited for it")
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.0.as_ref().expect("nobody has waited for it").id()
    }

    /// True if it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.0.as_mut().is_none_or(|child| child.try_wait().unwrap().is_some())
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// True if somebody has started the tests as `nohup` does: then whatever they start ignores a hangup, too.
pub fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).is_some_and(|bits| bits & 1 == 1)
}

/// The rules that a game is played by, as far as they matter to its starting position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    Standard,
    Chess960,
    DoubleChess960,
}

pub fn start(variant: Variant, random: &mut Xoshiro256PlusPlus) -> Board {
    let white = random.random_range(0..chess960::ARRAYS);
    match variant {
        Variant::Standard => Board::from_fen(Board::START_FEN).unwrap(),
        Variant::Chess960 => chess960::start(white, white),
        Variant::DoubleChess960 => chess960::start(white, random.random_range(0..chess960::ARRAYS)),
    }
}

/// Plays random games from the variant's starts and shows each position to `visit`, `count` in all.
pub fn random_positions(
    variant: Variant,
    count: usize,
    random: &mut Xoshiro256PlusPlus,
    mut visit: impl FnMut(&Position),
) {
    let mut seen = 0;
    while seen < count {
        let mut position = Position::from(start(variant, random));
        for _ in 0..220 {
            visit(&position);
            seen += 1;
            let moves = position.legal_moves();
            if moves.is_empty() || position.is_insufficient_material() || seen >= count {
                break;
            }
            position = position.after(moves[random.random_range(0..moves.len())]);
        }
    }
}

/// The forms in which people write a legal move, besides the one that `to_san` gives.
pub fn sloppy_spellings(mv: Move, position: &Position) -> Vec<String> {
    let strict = san::to_san(mv, position);
    let bare = strict.trim_end_matches(['+', '#']);
    let mut spellings =
        vec![bare.to_string(), format!("{bare}+"), format!("{strict}!?"), format!(" {strict}\n")];
    if mv.is_castling() {
        let zeros = bare.replace('O', "0");
        spellings.extend([bare.replace('-', ""), bare.to_ascii_lowercase(), format!("{zeros}+"), zeros]);
        return spellings;
    }
    let piece = match position.kind_on(mv.from()) {
        Some(PieceType::Pawn) | None => String::new(),
        Some(kind) => kind.letter().to_ascii_uppercase().to_string(),
    };
    let (from, to) = (mv.from(), mv.to());
    let takes = position.is_capture(mv);
    let promoted =
        mv.promoted().map_or(String::new(), |kind| format!("={}", kind.letter().to_ascii_uppercase()));
    let long = format!("{piece}{from}{}{to}{promoted}", if takes { "x" } else { "-" });
    spellings.extend([long.replace('-', ""), long, uci_move::to_uci(mv, position, true)]);
    // File or rank though neither is needed.
    if !piece.is_empty()
        && bare.strip_prefix(&piece).is_some_and(|rest| rest.trim_start_matches('x').len() == 2)
    {
        let more = [from.file().to_string(), from.rank().to_string()];
        spellings.extend(more.map(|more| bare.replacen(&piece, &format!("{piece}{more}"), 1)));
    }
    if takes {
        spellings.extend(["", ":", "X"].map(|sign| bare.replace('x', sign)));
    }
    if let Some((before, piece)) = bare.split_once('=') {
        spellings.extend([
            format!("{before}{piece}"),
            format!("{before}({piece})"),
            format!("{before}/{piece}"),
        ]);
        let small = piece.to_ascii_lowercase();
        spellings.extend([format!("{before}={small}"), format!("{before}{small}")]);
    }
    if mv.kind() == MoveKind::EnPassant {
        spellings
            .extend(["e.p.", " e.p.", " ep", "+ e.p.", " e.p.+"].map(|suffix| format!("{bare}{suffix}")));
    }
    spellings
}
