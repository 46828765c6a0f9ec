//! What a search says: the fields of its lines, the lines themselves, and a whole game.

mod support;

use adoube::board::Board;
use adoube::notation::uci_move::parse_uci;
use support::engine::{Engine, says};
use support::lines::{Game, InfoLine, Said, Search};

/// Openings, tactics, mates both ways, endgames, checks, promotions, en passant, and a few roots that are strange.
const POSITIONS: [&str; 22] = [
    Board::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    // Mate in one, two and three, and being mated.
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "7k/8/8/8/8/8/R7/1R5K w - - 0 1",
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
    "7k/R7/8/8/8/8/8/1R5K b - - 0 1",
    "8/8/8/8/8/4k3/r7/6K1 w - - 0 1",
    "8/8/8/8/8/2k5/8/K6q w - - 0 1",
    // Mates that the fifty-move limit cuts off, or just not.
    "8/8/8/8/3k4/8/8/KQ6 w - - 90 80",
    "7k/8/8/8/8/8/R7/1R5K w - - 97 80",
    "7k/8/8/8/8/8/R7/1R5K w - - 98 80",
    "7k/8/8/8/8/8/R7/1R5K w - - 100 80",
    "8/8/8/8/3k4/8/8/KR6 w - - 0 80",
    // One legal move; bare kings but for one piece; locked.
    "7k/8/8/8/8/8/r7/6K1 w - - 0 1",
    "7k/8/8/8/8/8/6r1/7K w - - 0 1",
    "8/8/4k3/8/2p5/8/B2K4/8 w - - 0 1",
    "8/p1p1p1p1/P1P1P1P1/8/k7/8/8/K7 w - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/PPPPPPP1/7k/8/8/K7/1ppppppp/8 w - - 0 1",
];

/// As many legal moves as any position is known to have.
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

/// More moves than the first iteration gets to.
#[test]
fn lines_that_no_search_has_reached_stand_behind_those_that_one_has() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 256");
    let lines = engine.go(&format!("ucinewgame\nposition fen {MOST_MOVES}\ngo nodes 100"));
    let last = lines.iter().rposition(|line| line.contains(" multipv 1 ")).unwrap();
    // Mates count more the sooner they are.
    let value = |line: &String| {
        let mut words = line.split_whitespace().skip_while(|word| *word != "score").skip(1);
        let (kind, number) = (words.next().unwrap(), words.next().unwrap().parse::<i32>().unwrap());
        match (kind, number) {
            ("mate", 1..) => 100_000 - number,
            ("mate", _) => -100_000 - number,
            _ => number,
        }
    };
    let values: Vec<i32> =
        lines[last..].iter().filter(|line| line.contains(" multipv ")).map(value).collect();
    assert_eq!(values.len(), 218);
    assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
}

#[test]
fn every_line_of_every_search_can_be_played() {
    let mut engine = Engine::start();
    for options in [
        "setoption name MultiPV value 1",
        "setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true",
        "setoption name MultiPV value 256",
        "setoption name MultiPV value 1\nsetoption name Threads value 2",
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1200",
    ] {
        let multi_pv = match options {
            _ if options.contains("256") => 256,
            _ if options.contains("value 3") => 3,
            _ => 1,
        };
        engine.send(options);
        for fen in POSITIONS {
            let root = Game::new(fen);
            let lines =
                engine.go(&format!("ucinewgame\nposition fen {fen}\ngo nodes {}", 6_000 + 500 * multi_pv));
            Search::check(&lines, &root, multi_pv);
        }
    }
    engine.quit();
}

/// The moves lead to the brink of the third repetition, with the side to move ahead or behind.
#[test]
fn lines_end_at_the_third_repetition() {
    let mut engine = Engine::start();
    for (fen, shuffle) in [
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", "h1g1 h8g8 g1h1 g8h8"),
        ("k7/8/8/8/8/8/r7/7K w - - 0 1", "h1g1 a8b8 g1h1 b8a8"),
        ("6k1/5pp1/7p/8/8/8/q4PPP/3Q2K1 w - - 0 1", "d1d8 g8h7 d8d1 h7g8"),
    ] {
        let mut game = Game::new(fen);
        let mut played = String::new();
        for mv in [shuffle, shuffle].join(" ").split(' ') {
            let lines = engine.go(&format!("position fen {fen} moves{played}\ngo depth 9 nodes 20000"));
            Search::check(&lines, &game, 1);
            game.play(mv);
            played += &format!(" {mv}");
        }
    }
    engine.quit();
}

#[test]
fn chances_follow_the_score_and_come_only_when_wanted() {
    let mut engine = Engine::start();
    let start = Game::new(Board::START_FEN);
    let plain = Search::check(&engine.go("go depth 4"), &start, 1);
    assert!(plain.infos.iter().all(|info| info.wdl.is_none()));
    engine.send("setoption name UCI_ShowWDL value true");
    let won = "6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1";
    let search = Search::check(&engine.go(&format!("position fen {won}\ngo depth 6")), &Game::new(won), 1);
    assert!(search.infos.iter().all(|info| info.wdl.is_some_and(|[win, _, loss]| win > loss)));
    let none = engine.go("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3");
    assert!(InfoLine::read(&none[0]).wdl.is_some_and(|[win, draw, loss]| (win, draw, loss) == (0, 1000, 0)));
    engine.quit();
}

#[test]
fn all_ranks_come_each_time_however_early_the_search_is_stopped() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 8");
    let start = Game::new(Board::START_FEN);
    for limit in
        ["nodes 1", "nodes 30", "nodes 200", "movetime 1", "wtime 1", "btime 1", "depth 1", "infinite\nstop"]
    {
        Search::check(&engine.go(&format!("ucinewgame\ngo {limit}")), &start, 8);
    }
    engine.quit();
}

/// As many lines as these are a flood if they come often, but the first iteration is shown.
#[test]
fn the_first_iteration_is_shown_however_many_lines_it_has() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 256");
    let lines = engine.go(&format!("position fen {MOST_MOVES}\ngo depth 2"));
    for depth in [1, 2] {
        let of_depth = lines.iter().filter(|line| line.starts_with(&format!("info depth {depth} "))).count();
        assert_eq!(of_depth, 218);
    }
    Search::check(&lines, &Game::new(MOST_MOVES), 218);
    engine.quit();
}

/// Cut off while the window of the last iteration was too low, the score is a bound and called one.
#[test]
fn a_score_that_is_only_a_bound_says_so() {
    let mut engine = Engine::start();
    let (mut bounds, mut exact) = (0, 0);
    for fen in &POSITIONS[..5] {
        for nodes in (2_000..8_000).step_by(200) {
            let lines = engine.go(&format!("ucinewgame\nposition fen {fen}\ngo nodes {nodes}"));
            *if Search::check(&lines, &Game::new(fen), 1).last().is_lower_bound {
                &mut bounds
            } else {
                &mut exact
            } += 1;
        }
    }
    assert!(bounds > 0 && exact > 0, "{bounds} {exact}");
    engine.quit();
}

/// A search that prunes may see a longer mate than there is, but never a shorter one, nor one for the wrong side.
#[test]
fn mates_are_announced_with_their_sign() {
    let mut engine = Engine::start();
    for (fen, shortest) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("7k/R7/8/8/8/8/8/1R5K b - - 0 1", -1),
    ] {
        let lines = engine.go(&format!("ucinewgame\nposition fen {fen}\ngo depth 16"));
        let Said::Mate(found) = Search::check(&lines, &Game::new(fen), 1).last().score else {
            panic!("{lines:#?}")
        };
        assert!(found.signum() == i64::signum(shortest) && found.abs() >= shortest.abs(), "{found}: {fen}");
    }
    engine.quit();
}

/// Who lets the engine think until he says so sees what it has found while he waits, not behind `stop` alone.
#[test]
fn what_has_been_found_is_shown_before_anybody_says_stop() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 10");
    // Iterations follow one another in no time here, so that most of their lines are held back.
    engine.send("position fen 8/3Q4/8/8/4k2K/8/8/2Q5 w - - 0 1\ngo infinite");
    while !engine.next().expect("a mate in two moves").contains(" multipv 1 score mate 2 ") {}
    engine.go("stop");
    for (fen, end) in
        [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")]
    {
        engine.send(&format!("position fen {fen}\ngo infinite"));
        let line = engine.next().unwrap();
        assert!(line.starts_with("info depth 0 ") && line.contains(&format!(" score {end}")), "{line}");
        assert_eq!(engine.go("stop"), ["bestmove (none)"]);
    }
    engine.quit();
}

#[test]
fn no_flood_even_where_every_depth_is_reached_at_once() {
    let mut engine = Engine::start();
    for fen in ["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "8/p1p1p1p1/P1P1P1P1/8/k7/8/8/K7 w - - 0 1"] {
        let begin = std::time::Instant::now();
        engine.send(&format!("position fen {fen}\ngo infinite"));
        std::thread::sleep(std::time::Duration::from_millis(500));
        let lines = engine.go("stop");
        // A hundred lines a second, and what may come at once at the beginning.
        let allowed = 80.0 + 100.0 * begin.elapsed().as_secs_f64();
        assert!((lines.len() as f64) < allowed, "{} lines", lines.len());
        Search::check(&lines, &Game::new(fen), 1);
    }
    engine.quit();
}

#[test]
fn a_long_search_names_the_moves_that_it_looks_at() {
    let mut engine = Engine::start();
    engine.send("position startpos\ngo infinite");
    let named = std::iter::from_fn(|| engine.next()).find(|line| line.contains(" currmove "));
    let named = named.expect("an engine that searches");
    let ["info", "depth", _, "currmove", mv, "currmovenumber", number] =
        named.split(' ').collect::<Vec<_>>()[..]
    else {
        panic!("{named}")
    };
    assert!(parse_uci(mv, &Game::new(Board::START_FEN).position).is_ok(), "{named}");
    assert!((1..=20).contains(&number.parse::<usize>().unwrap()), "{named}");
    engine.go("stop");
    engine.quit();
}

/// What a program that runs matches would complain about, in whole games with a growing list of moves: one from the
/// start, and some that end in mate or just before or behind the fifty-move limit.
#[test]
fn games_against_itself_give_no_reason_to_complain() {
    for (fen, threads) in [
        (Board::START_FEN, 1),
        ("8/8/8/3k4/8/8/8/KR6 w - - 60 100", 1),
        ("8/8/8/3k4/8/8/8/KQ6 w - - 84 100", 1),
        ("8/8/8/3k4/8/8/8/KQ6 w - - 84 100", 2),
        ("8/8/4k3/8/8/2b5/3n4/3K4 b - - 0 100", 1),
        ("8/4k3/8/8/1r6/8/8/K2Q4 w - - 20 100", 2),
        ("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1", 1),
    ] {
        let mut engine = Engine::start();
        let mut game = Game::new(fen);
        let mut played = String::new();
        engine.send(&format!("setoption name Threads value {threads}\nucinewgame"));
        for _ in 0..150 {
            if game.is_over() {
                break;
            }
            let lines = engine.go(&format!("position fen {fen} moves{played}\ngo nodes 3000"));
            assert!(!says(&lines, "ERROR"), "{lines:#?}");
            let search = Search::check(&lines, &game, 1);
            game.play(&search.best);
            played += &format!(" {}", search.best);
        }
        engine.quit();
    }
}
