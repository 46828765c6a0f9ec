//! Broken commands by the hundred: the engine answers `isready` after each, gives one `bestmove` for each `go`, and
//! plays on afterwards as if nothing had been.

mod support;

use adoube::board::Board;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use support::engine::{Engine, best_move, best_moves, says};
use support::lines::{Game, Search};

const COMMANDS: [&str; 24] = [
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "debug off",
    "stop",
    "ponderhit",
    "register later",
    "d",
    "eval",
    "help",
    "setoption name Hash value 4",
    "setoption name MultiPV value 3",
    "setoption name UCI_Chess960 value true",
    "setoption name Clear Hash",
    "setoption name UCI_LimitStrength value true",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 99 200",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "go depth 3",
    "go nodes 500 searchmoves e2e4 d2d4",
    "go wtime 30 btime 30 winc 1 binc 1 movestogo 3",
    "go movetime 5",
];

const WORDS: [&str; 44] = [
    "go",
    "position",
    "startpos",
    "fen",
    "moves",
    "setoption",
    "name",
    "value",
    "Hash",
    "MultiPV",
    "Move",
    "Overhead",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "e2e4",
    "a7a8q",
    "0000",
    "e1g1",
    "true",
    "<empty>",
    "-",
    "w",
    "KQkq",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "8/8/8/8/8/8/8/8",
    "stop",
    "isready",
    "d",
    "eval",
    "uci",
    "perft",
    "bench",
    "ponderhit",
    "on",
];

const ODDITIES: [&str; 22] = [
    "-1",
    "0",
    "00",
    "1e9",
    "0x10",
    "NaN",
    "-0",
    "1.5",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999999999999999",
    "é",
    "日本",
    "\u{202e}",
    "\u{0}",
    "\t",
    "\r",
    "\"",
    "🦀🦀",
];

fn pick<'a>(from: &[&'a str], random: &mut Xoshiro256PlusPlus) -> &'a str {
    from[random.random_range(0..from.len())]
}

/// A real line with something done to it, or words at random.
fn broken(random: &mut Xoshiro256PlusPlus) -> String {
    let mut line = pick(&COMMANDS, random).to_string();
    if random.random_bool(0.3) {
        let count = random.random_range(1..12);
        let words: Vec<&str> = (0..count)
            .map(|_| if random.random_bool(0.7) { pick(&WORDS, random) } else { pick(&ODDITIES, random) })
            .collect();
        line = words.join(" ");
    }
    for _ in 0..random.random_range(0..3) {
        let mut words: Vec<&str> = line.split(' ').collect();
        let at = random.random_range(0..words.len());
        match random.random_range(0..7) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, pick(&WORDS, random)),
            2 => words.insert(at, pick(&ODDITIES, random)),
            3 => words[at] = pick(&ODDITIES, random),
            4 => words.truncate(at),
            5 => words.extend(words.clone()),
            _ => {
                let other = random.random_range(0..words.len());
                words.swap(at, other);
            }
        }
        line = words.join(" ");
    }
    if random.random_bool(0.2) {
        let mut letters: Vec<char> = line.chars().collect();
        for _ in 0..3 {
            if !letters.is_empty() {
                let at = random.random_range(0..letters.len());
                letters[at] = random.random_range(' '..'\u{7f}');
            }
        }
        line = letters.into_iter().collect();
    }
    line
}

/// The command that the engine will find in a line, as far as this test must know it.
fn meaning(line: &str) -> Option<adoube::uci::command::Command> {
    adoube::uci::command::parse(line).ok().flatten()
}

/// Sends `count` broken lines in one conversation; some searches are left running, some are stopped at once.
fn torment(seed: u64, count: usize, threads: usize) {
    use adoube::uci::command::Command;
    let mut random = support::random(seed);
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Threads value {threads}"));
    let (mut searches, mut answers, mut sent) = (0, 0, vec![]);
    for _ in 0..count {
        let line = broken(&mut random);
        let meaning = meaning(&line);
        match &meaning {
            Some(Command::Quit) => continue,
            Some(Command::Go(_)) => searches += 1,
            // These may take long, or more memory than a test should; other tests have them.
            Some(Command::Bench(_)) => continue,
            Some(Command::SetOption { name, .. }) if name.eq_ignore_ascii_case("threads") => continue,
            _ => {}
        }
        sent.push(line.clone());
        engine.send(&line);
        // A count may go on for ever, and what comes behind it waits.
        let counts = matches!(meaning, Some(Command::Perft(_)));
        if random.random_bool(0.5) || counts {
            sent.push("stop".to_string());
            engine.send("stop");
        }
        let lines = engine.sync();
        assert!(!says(&lines, "failed"), "{lines:#?} after {sent:#?}");
        answers += best_moves(&lines).len();
        assert!(answers <= searches, "an answer too many: {lines:#?} after {sent:#?}");
    }
    // Each of those that still wait ends with a word of its own.
    engine.send("stop\nposition startpos\nsetoption name UCI_LimitStrength value false\nsetoption name MultiPV value 1");
    engine.send("setoption name UCI_Chess960 value false\nsetoption name UCI_ShowWDL value false\ndebug off\nucinewgame");
    engine.send("go depth 3 searchmoves h2h3");
    searches += 1;
    let mut last = vec![];
    while answers < searches {
        last = engine.until("bestmove");
        answers += 1;
    }
    assert_eq!(best_move(&last), "h2h3", "{sent:#?}");
    assert_eq!(engine.sync(), [""; 0], "{sent:#?}");
    let mut game = Game::new(Board::START_FEN);
    game.play("e2e4");
    let lines = engine.go("position startpos moves e2e4\ngo nodes 2000");
    if threads == 1 {
        Search::check(&lines, &game, 1);
    }
    game.play(best_move(&lines));
    engine.quit();
}

#[test]
fn broken_commands_break_nothing() {
    for seed in 0..12 {
        torment(seed, 100, 1);
    }
}

#[test]
fn nor_with_two_threads() {
    for seed in 100..106 {
        torment(seed, 100, 2);
    }
}
