//! The test engine does what its modes' names say: a runner's test that it passes by mistake proves nothing.

mod support;

use adoube::board::{Board, FenStyle};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::engine::{Engine, best_move, best_moves};
use support::folder::Folder;
use support::lines::Game;
use support::mock::mock_engine;

const START: &str = Board::START_FEN;

/// The test engine with these arguments, parted by blanks, and a file as the last one.
fn mock(arguments: &str, file: Option<&Path>) -> Command {
    let mut command = Command::new(mock_engine());
    command.args(arguments.split(' ')).args(file);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn start(arguments: &str) -> Engine {
    start_with_file(arguments, None)
}

fn start_with_file(arguments: &str, file: Option<&Path>) -> Engine {
    let mut command = mock(arguments, file);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Engine::start_with(&mut command)
}

/// What `mock-engine` says to `input` and until its end, lossily read, on stdout and stderr, and its status.
fn output(arguments: &str, input: &str) -> (String, String, Option<i32>) {
    output_of(mock(arguments, None), input)
}

fn output_of(mut command: Command, input: &str) -> (String, String, Option<i32>) {
    let mut child = command.spawn().unwrap();
    // It may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let out = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&out.stdout), text(&out.stderr), out.status.code())
}

#[test]
fn the_good_one_plays_legal_moves_that_seed_and_position_decide() {
    let play = |arguments: &str, by_fen: bool| {
        let (mut engine, mut game, mut moves) = (start(arguments), Game::new(START), String::new());
        engine.ask("uci");
        while !game.is_over() && moves.len() < 2000 {
            let line = match by_fen {
                true => format!("position fen {}", game.position.to_fen(FenStyle::XFen)),
                false if moves.is_empty() => "position startpos".to_string(),
                false => format!("position startpos moves{moves}"),
            };
            let answer = engine.go(&format!("{line}\ngo wtime 1000 btime 1000"));
            game.play(best_move(&answer));
            moves += &format!(" {}", best_move(&answer));
        }
        assert!(engine.quit().is_empty());
        moves
    };
    let moves = play("good", false);
    assert!(moves.len() > 200, "{moves}");
    assert_eq!(moves, play("good --info", false));
    assert_eq!(moves, play("good", true), "position lines that go on mean the same as those that do not");
    assert_ne!(moves, play("good --seed 1", false));
}

#[test]
fn each_bad_answer_is_bad_from_its_turn_on() {
    for (arguments, bad) in [
        ("null-move", "bestmove 0000\n"),
        ("none-move", "bestmove (none)\n"),
        ("no-move", "bestmove\n"),
        ("garbage-move", "bestmove hello\n"),
        ("illegal-move", "bestmove a2a5\n"),
        ("bad-ponder-move", " ponder a7a4\n"),
        ("not-utf8-move", "bestmove \u{fffd}"),
        ("not-utf8", "info string \u{fffd}"),
        ("mate-score-lies", " score mate 1 "),
        ("good --mate -3", " score mate -3 "),
        ("good --score -40", " score cp -40 "),
        ("good --white-score 7", " score cp 7 "),
        ("bound-scores", " score cp 9000 lowerbound "),
        ("resigns-badly", " score cp -2000 "),
        ("bad-pv", " a7a4\nbestmove"),
        ("dribble", "0 pv "),
        ("crlf", "\r\nbestmove "),
        ("two-bestmoves", "\nbestmove "),
        ("flood-then-move --size 1", "info depth 1 "),
        ("flood-no-newline --size 1", "xxxxx\nbestmove "),
    ] {
        let good = "position startpos\ngo movetime 5\n";
        let (out, complaints, status) = output(arguments, good);
        assert!(out.contains(bad) && complaints.is_empty() && status == Some(0), "{arguments}: {out:.300}");
        if !arguments.starts_with("good") && arguments != "crlf" {
            let (out, ..) = output(&format!("{arguments} --after 2"), good);
            assert!(
                out.starts_with("bestmove ") && out.len() <= 15 && !out.contains(bad),
                "{arguments}: {out}"
            );
        }
    }
    let (out, complaints, _) = output("flood-stderr --size 1", "go\n");
    assert!(out.starts_with("bestmove ") && complaints.len() > 1_000_000);
    let pinned = "position fen 4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1\ngo\n";
    let (out, ..) = output("illegal-king-in-check", pinned);
    let game = Game::new("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1");
    let mv = out.trim().strip_prefix("bestmove ").unwrap();
    assert!(adoube::notation::uci_move::parse_uci(mv, &game.position).is_err(), "{mv}");
    let promotes = "position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1\ngo\n";
    assert_eq!(output("uppercase-promotion", promotes).0, "bestmove a7a8Q\n");
    let castles = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo\n";
    assert_eq!(output("rook-castling", castles).0, "bestmove e1h1\n");
    let (_, complaint, _) = output("good", "setoption name Ash value 1\n");
    assert_eq!(complaint, "mock-engine: no such option: 'Ash'\n");
}

#[test]
fn the_ways_to_end_are_as_many() {
    for (arguments, input, out, complaint) in [
        ("die-at-start", "", "", ""),
        ("die-in-newgame --after 2", "ucinewgame\nisready\nucinewgame\nisready\n", "readyok\n", ""),
        ("die-thinking", "go\nisready\n", "", "mock-engine: something terrible has happened\n"),
        ("die-between-moves", "go\nisready\n", "bestmove ", ""),
        ("die-mid-line", "go\nisready\n", "bestmove e2", ""),
        ("crash-on-option", "setoption name Hash value 2\nisready\n", "", ""),
    ] {
        let (said, complained, status) = output(arguments, input);
        assert!(
            said.starts_with(out) && complained.starts_with(complaint),
            "{arguments}: {said} {complained}"
        );
        assert!(said.matches('\n').count() < 2 && status == Some(3), "{arguments}: {said} {status:?}");
    }
    #[cfg(unix)]
    {
        assert_eq!(output("die-by-signal", "go\n").2, None);
        let mut engine = start("close-stdout");
        engine.send("go\nquit");
        assert_eq!(engine.next(), None);
    }
}

#[test]
fn silence_is_kept_as_the_modes_say() {
    let uci = "uci\nisready\nposition startpos\ngo infinite\nstop\nisready\n";
    for (arguments, uciok, ready, moves) in [
        ("good", true, 2, 1),
        ("no-uciok", false, 2, 1),
        ("slow-uciok 20", true, 2, 1),
        ("slow-readyok 20", true, 2, 1),
        ("no-readyok --after 2", true, 1, 1),
        ("stale-bestmove", true, 2, 4),
        ("hang", true, 1, 0),
        ("hang-answers-isready", true, 2, 0),
    ] {
        let (out, ..) = output(arguments, uci);
        let found =
            (out.contains("\nuciok\n"), out.matches("\nreadyok").count(), out.matches("bestmove").count());
        assert_eq!(found, (uciok, ready, moves), "{arguments}: {out}");
    }
}

#[test]
fn time_and_pondering_are_kept_or_not() {
    let mut late = start("late 50");
    let begin = Instant::now();
    late.go("position startpos\ngo wtime 30 btime 9000");
    assert!(begin.elapsed() >= Duration::from_millis(80));
    late.go("go wtime 600000 btime 1\nstop");
    late.go("position startpos moves e2e4\ngo wtime 600000 btime 1");
    assert!(late.quit().is_empty());
    let mut deaf = start("late-ignores-stop 0");
    deaf.go_and_wait("position startpos\ngo movetime 400\nstop");
    deaf.until("bestmove");

    let mut good = start("ponder-good");
    let answer = good.go("position startpos\ngo movetime 5");
    let [_, best, _, reply] = answer[0].split(' ').collect::<Vec<_>>()[..] else { panic!("{answer:?}") };
    good.go_and_wait(&format!("position startpos moves {best} {reply}\ngo ponder movetime 5"));
    good.go("ponderhit");
    good.go_and_wait("go ponder movetime 5");
    good.go("stop");
    let opponent = start("good").go(&format!("position startpos moves {best}\ngo"));
    assert_eq!(best_move(&opponent), reply, "a mock of the same seed plays what it is expected to");
    assert_eq!(best_moves(&start("ponder-answers-early").ask("go ponder")).len(), 1);
    let mut stubborn = start("ponder-never-stops");
    stubborn.go_and_wait("go ponder\nstop");
    stubborn.go("ponderhit");
    let mut repeater = start("two-bestmoves-late");
    let own = repeater.go("go");
    assert_eq!(repeater.until("bestmove"), own);
    let mut meddler = start("unasked-bestmove");
    let own = meddler.go("position startpos\ngo");
    let other = meddler.until("bestmove");
    let mut game = Game::new(START);
    game.play(best_move(&own));
    game.play(best_move(&other));
}

#[test]
fn the_log_tells_what_came() {
    let folder = Folder::new("mock");
    let file = folder.join("log");
    output_of(mock("good --log", Some(&file)), "uci\ngo infinite\ngo infinite\nquit\n");
    let log = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = log.lines().filter_map(|line| Some(line.split_once(' ')?.1)).collect();
    assert!(lines[0].starts_with("[start "), "{log}");
    assert_eq!(
        lines[1..],
        ["uci", "go infinite", "go infinite", "[wrong] 'go' while it thinks", "quit", "[end]"]
    );
}

/// Nothing but SIGKILL for the whole group ends these.
#[cfg(unix)]
#[test]
fn families_that_do_not_end_are_found_by_their_pids() {
    use support::engine::says;
    let folder = Folder::new("mock");
    let file = folder.join("pids");
    let mut engine = start_with_file("ignore-quit-children --pids", Some(&file));
    assert!(says(&engine.ask("uci"), "uciok"));
    engine.send("quit");
    engine.go("go");
    engine.close_input();
    std::thread::sleep(Duration::from_millis(50));
    let pids = std::fs::read_to_string(&file).unwrap();
    let pids: Vec<u32> = pids.lines().map(|line| line.parse().unwrap()).collect();
    assert!(pids.len() == 2 && pids[0] == engine.id(), "{pids:?}");
    // Whoever ends at the first request is gone, or waited for by its parent, at the second.
    for pid in pids.repeat(2) {
        support::signal(pid, "TERM");
        std::thread::sleep(Duration::from_millis(30));
    }
    adoube::sys::children::kill_group(engine.id());
    let (lines, status) = engine.end();
    assert!(
        lines.is_empty() && status.code().is_none(),
        "the output is closed when both have ended: {lines:?}"
    );
}
