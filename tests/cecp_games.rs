//! Whole games of the client of xboard's protocol, against the test engine and, where they are, real ones:
//! `ADOUBE_CECP="gnuchess;phalanx;fairymax" cargo test --release --test cecp_games -- --ignored --nocapture`,
//! the first ones against ADOUBE_CECP_OPPONENT if that is set, pondering with ADOUBE_CECP_PONDER, with a log in
//! ADOUBE_CECP_LOG.

mod support;

use adoube::board::{Board, Position};
use adoube::engine::cecp::{CecpClient, Level, parse_move};
use adoube::engine::config::{EngineConfig, Protocol};
use adoube::engine::connection::{Speaker, Surroundings, listen};
use adoube::engine::said::Said;
use adoube::engine::transcript::{Log, LogConfig, LogLevel};
use adoube::notation::san::to_san;
use adoube::notation::uci_move::to_uci;
use adoube::types::{Color, Move, Outcome};
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::cecp::{PATIENCE, mock_cecp};

/// A game, as its players and the rules of the board end it.
struct Played {
    sans: Vec<String>,
    end: String,
    /// What was said besides moves, and by whom.
    words: Vec<String>,
    /// Moves with a score, with a line, and moves that nobody asked for.
    scored: u32,
    lined: u32,
    unasked: u32,
}

/// How long each side has for the game, and for each move more.
const TIME: Duration = Duration::from_secs(4);
const INCREMENT: Duration = Duration::from_millis(100);

fn play(clients: [&mut CecpClient; 2], start: &str, book: &[&str], chess960: bool, ponder: bool) -> Played {
    let [white, black] = clients;
    let start = Position::from_fen(start).unwrap();
    let mut position = start;
    let mut moves: Vec<Move> = vec![];
    for text in book {
        moves.push(parse_move(text, &position).unwrap());
        position = position.after(moves[moves.len() - 1]);
    }
    let level = Level { clock: Some(TIME), increment: INCREMENT, ..Level::default() };
    let names = [black.name().to_string(), white.name().to_string()];
    for (client, opponent) in [&mut *white, &mut *black].into_iter().zip(&names) {
        client.new_game(&start, &moves, chess960, &level, ponder, opponent).unwrap();
    }
    let mut left = [TIME; 2];
    let mut played =
        Played { sans: vec![], end: String::new(), words: vec![], scored: 0, lined: 0, unasked: 0 };
    let mut counts = std::collections::BTreeMap::new();
    while played.end.is_empty() {
        let mover = position.side_to_move();
        let own = mover.index();
        let (client, other) =
            if mover == Color::White { (&mut *white, &mut *black) } else { (&mut *black, &mut *white) };
        let begun =
            client.think(&moves, Some(left[own]), Some(left[1 - own]), Instant::now() + PATIENCE).unwrap();
        let deadline = begun + PATIENCE;
        let (text, at) = loop {
            if let Some((said, at)) = client.take_said() {
                match said {
                    Said::Move(best) => break (best.best, at),
                    Said::Resign => {
                        played.end = format!("{} resigns", client.name());
                        break (String::new(), at);
                    }
                    other => played.words.push(format!("{} at {}: {other:?}", client.name(), moves.len())),
                }
            } else if let Some((said, _)) = other.take_said() {
                played.words.push(format!("{} at {}, out of turn: {said:?}", other.name(), moves.len()));
            } else {
                if let Some(error) = client.gone() {
                    panic!("{}: {error}", client.name());
                }
                assert!(Instant::now() < deadline, "{} says nothing; {:?}", client.name(), played.words);
                listen(&mut [&mut *client, &mut *other as &mut dyn Speaker], None, deadline);
            }
        };
        if !played.end.is_empty() {
            break;
        }
        let took = at - begun;
        if took > left[own] {
            played.words.push(format!(
                "{} overruns by {:?} at {}",
                client.name(),
                took - left[own],
                moves.len()
            ));
        }
        left[own] = left[own].saturating_sub(took) + INCREMENT;
        let mv = match parse_move(&text, &position) {
            Ok(mv) => mv,
            Err(error) => panic!("{}: {error}; {:?}", client.name(), played.words),
        };
        let (info, _) = client.take_info(&to_uci(mv, &position, chess960));
        played.scored += u32::from(info.score.is_some());
        played.lined += u32::from(!info.pv.is_empty());
        played.unasked += client.take_unasked();
        played.sans.push(to_san(mv, &position));
        position = position.after(mv);
        moves.push(mv);
        let count = counts.entry(position.key().0).or_insert(0);
        *count += 1;
        if position.has_no_moves() {
            played.end = if position.in_check() { "mate" } else { "stalemate" }.into();
        } else if position.halfmove_clock() >= 100 {
            played.end = "fifty moves".into();
        } else if *count >= 3 {
            played.end = "repetition".into();
        } else if position.is_insufficient_material() {
            played.end = "material".into();
        } else if moves.len() > 600 {
            played.end = "too long".into();
        }
    }
    for client in [white, black] {
        client.tell_result(Outcome::Draw, &played.end, Instant::now() + Duration::from_secs(2)).unwrap();
        // What it makes of the end.
        listen(&mut [client as &mut dyn Speaker], None, Instant::now() + Duration::from_millis(50));
    }
    played
}

fn config(command: &str) -> EngineConfig {
    let mut words = command.split_ascii_whitespace().map(String::from);
    let cmd = words.next().unwrap().into();
    // Some write their records into the folder that they run in.
    let dir = Some(std::env::temp_dir());
    EngineConfig { cmd, args: words.collect(), dir, protocol: Protocol::Cecp, ..EngineConfig::default() }
}

fn surroundings() -> Surroundings {
    let log = std::env::var_os("ADOUBE_CECP_LOG").map(|file| {
        let file = file.into();
        Log::open(&LogConfig { file, level: LogLevel::Trace, engine: true, realtime: true, append: true })
            .unwrap()
    });
    Surroundings { log: log.map(Arc::new), startup_time: PATIENCE, ..Surroundings::default() }
}

/// Games from the start, from an opening and from a position set up.
const GAMES: &[(&str, &[&str])] = &[
    (Board::START_FEN, &[]),
    (Board::START_FEN, &["e4", "e5", "Nf3"]),
    (Board::START_FEN, &["e4", "Nf6", "e5", "d5"]),
    ("4k2r/pppp4/8/8/8/8/4PPPP/R3K3 w Qk - 0 1", &[]),
    ("4k3/8/8/8/8/8/3P4/3QK3 b - - 3 20", &[]),
];

#[test]
fn the_test_engine_plays_whole_games() {
    let switches = |seed: &str, more: &str| {
        config(&format!("{} --seed {seed} --score 12 {more}", mock_cecp().display()))
    };
    let mut white = CecpClient::start(&switches("1", ""), &surroundings()).unwrap();
    let mut black = CecpClient::start(&switches("2", "--form gnu --no-features"), &surroundings()).unwrap();
    for (start, book) in GAMES {
        let played = play([&mut white, &mut black], start, book, false, true);
        assert!(played.words.is_empty() && played.unasked == 0, "{:?}", played.words);
        assert_eq!((played.scored, played.lined), (played.sans.len() as u32, played.sans.len() as u32));
    }
}

#[test]
#[ignore = "needs engines: set ADOUBE_CECP"]
fn real_engines_play_whole_games() {
    let commands = std::env::var("ADOUBE_CECP").expect("ADOUBE_CECP: commands parted by ';'");
    let ponder = std::env::var_os("ADOUBE_CECP_PONDER").is_some();
    for command in commands.split(';') {
        let surroundings = surroundings();
        let mut real = CecpClient::start(&config(command), &surroundings).unwrap();
        let opponent = std::env::var("ADOUBE_CECP_OPPONENT")
            .unwrap_or_else(|_| format!("{} --seed 5", mock_cecp().display()));
        let mut opposite = CecpClient::start(&config(&opponent), &surroundings).unwrap();
        println!("{command}: {}", real.name());
        for _ in 0..10 {
            // Whether it gets ready each time.
            CecpClient::start(&config(command), &surroundings).unwrap().quit();
        }
        for (index, (start, book)) in GAMES.iter().enumerate() {
            for swap in [false, true] {
                let clients = if swap { [&mut opposite, &mut real] } else { [&mut real, &mut opposite] };
                let played = play(clients, start, book, false, ponder);
                println!(
                    "  game {index}{}: {} plies, {}; {} with score, {} with line, {} unasked; {}; {:?}",
                    if swap { "b" } else { "w" },
                    played.sans.len(),
                    played.end,
                    played.scored,
                    played.lined,
                    played.unasked,
                    if real.must_restart() { "must restart" } else { "can go on" },
                    played.words
                );
                if opposite.must_restart() {
                    opposite = CecpClient::start(&config(&opponent), &surroundings).unwrap();
                }
                if real.must_restart() {
                    real = CecpClient::start(&config(command), &surroundings).unwrap();
                }
            }
        }
        real.quit();
    }
}

/// Thinks, and waits for the move.
fn turn(client: &mut CecpClient, moves: &[Move], words: &mut Vec<Said>) -> Option<String> {
    let minute = Some(Duration::from_secs(60));
    client.think(moves, minute, minute, Instant::now() + PATIENCE).unwrap();
    let deadline = Instant::now() + PATIENCE;
    loop {
        match client.take_said() {
            Some((Said::Move(best), _)) => return Some(best.best),
            Some((Said::Resign, _)) => return None,
            Some((other, _)) => words.push(other),
            None => {
                assert!(client.gone().is_none() && Instant::now() < deadline, "{}: {words:?}", client.name());
                listen(&mut [&mut *client as &mut dyn Speaker], None, deadline);
            }
        }
    }
}

/// What an arbiter under the Laws does to engines: positions again, offers, other levels, an end while they think.
#[test]
#[ignore = "needs engines: set ADOUBE_CECP"]
fn real_engines_bear_an_arbiter() {
    let commands = std::env::var("ADOUBE_CECP").expect("ADOUBE_CECP: commands parted by ';'");
    for command in commands.split(';') {
        let mut client = CecpClient::start(&config(command), &surroundings()).unwrap();
        let start = Position::default();
        let mut words = vec![];
        let quick = Level { movetime: Some(Duration::from_secs(1)), depth: Some(5), ..Level::default() };
        for game in 0..3 {
            client.new_game(&start, &[], false, &quick, game == 2, "Somebody").unwrap();
            let mut position = start;
            let mut moves = vec![];
            for number in 0..6 {
                let text = turn(&mut client, &moves, &mut words).expect("no resignation yet");
                let mv = parse_move(&text, &position).unwrap_or_else(|error| panic!("{command}: {error}"));
                match number % 3 {
                    // As if that move had been illegal.
                    0 => {
                        client.take_back();
                        let text = turn(&mut client, &moves, &mut words).expect("no resignation yet");
                        let mv = parse_move(&text, &position).unwrap();
                        position = position.after(mv);
                        moves.push(mv);
                    }
                    1 => {
                        position = position.after(mv);
                        moves.push(mv);
                        client.tell_draw_offer(Instant::now() + PATIENCE).unwrap();
                    }
                    _ => {
                        position = position.after(mv);
                        moves.push(mv);
                        client.set_level(&Level { depth: Some(4), ..quick });
                    }
                }
                // A reply that changes little.
                let replies = position.legal_moves();
                let quiet = replies.iter().find(|mv| !position.is_capture(**mv));
                let Some(&reply) = quiet.or(replies.first()) else { break };
                position = position.after(reply);
                moves.push(reply);
            }
            // The end, while it thinks.
            let long = Level { clock: Some(Duration::from_secs(3600)), ..Level::default() };
            client.new_game(&start, &moves[..4], false, &long, false, "Somebody").unwrap();
            let hour = long.clock;
            client.think(&moves[..4], hour, hour, Instant::now() + PATIENCE).unwrap();
            listen(&mut [&mut client as &mut dyn Speaker], None, Instant::now() + Duration::from_millis(200));
            let asked = Instant::now();
            client
                .tell_result(Outcome::Win(Color::Black), "White resigns", asked + Duration::from_secs(2))
                .unwrap();
            println!(
                "{command} game {game}: {} after {:?}; {words:?}",
                if client.must_restart() { "must restart" } else { "can go on" },
                asked.elapsed()
            );
            if client.must_restart() {
                client = CecpClient::start(&config(command), &surroundings()).unwrap();
            }
        }
    }
}
