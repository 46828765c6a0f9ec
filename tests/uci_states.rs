//! What may be said while the engine thinks, and how it ends. Whatever is sent when: each `go` is answered by just one
//! `bestmove`, and what waits for the search keeps its order.

mod support;

use adoube::board::Board;
use std::io::Write;
use support::engine::{Engine, best_move, best_moves, command, says};
use support::lines::{Game, Search};

#[test]
fn isready_is_answered_in_every_state() {
    let mut engine = Engine::start();
    assert_eq!(engine.sync(), [""; 0]);
    for begin in [
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go movetime 100000",
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite",
    ] {
        engine.go_and_wait(begin);
        assert_eq!(best_moves(&engine.go("stop")).len(), 1, "{begin}");
        assert_eq!(engine.sync(), [""; 0]);
    }
    engine.send("position startpos");
    for (begin, end) in [("go perft 30", "info string stopped"), ("bench 200", "")] {
        engine.go_and_wait(begin);
        engine.send("stop");
        engine.until(end);
        assert_eq!(engine.sync(), [""; 0]);
    }
    engine.quit();
}

/// Who asks behind `stop` whether the engine is ready wants what he has said since to be done.
#[test]
fn isready_waits_for_what_waits_for_a_search_that_ends() {
    let mut engine = Engine::start();
    for _ in 0..20 {
        for ends in ["stop", "ucinewgame"] {
            engine.go_and_wait("go infinite");
            engine.send(&format!("{ends}\nsetoption name nonsense\nisready"));
            let lines = engine.until("readyok");
            assert!(lines.iter().any(|line| line.contains("nonsense")), "{ends}: {lines:?}");
            assert_eq!(best_moves(&lines).len(), 1, "{ends}: {lines:?}");
        }
    }
    // So does who asks for nothing else: behind `readyok` the next move is that of the next search.
    for _ in 0..20 {
        engine.go_and_wait("go ponder wtime 1000 btime 1000");
        engine.send("stop\nisready");
        assert_eq!(best_moves(&engine.until("readyok")).len(), 1);
    }
    // And who asks behind the `stop` of a search that has waited for another.
    engine.go_and_wait("go infinite");
    engine.send("go infinite\nstop\nisready");
    assert_eq!(best_moves(&engine.until("readyok")).len(), 2);
    // One that goes on, or has just begun, keeps nobody waiting.
    engine.go_and_wait("go infinite\nsetoption name nonsense");
    assert_eq!(best_moves(&engine.sync()), [""; 0]);
    engine.send("go infinite\nsetoption name nonsense\nisready");
    assert_eq!(best_moves(&engine.until("readyok")).len(), 1);
    assert_eq!(best_moves(&engine.go("stop")).len(), 1);
    engine.quit();
}

#[test]
fn stop_and_ponderhit_without_a_search_mean_nothing() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("stop\nstop\nponderhit\nstop"), [""; 0]);
    assert_eq!(best_moves(&engine.go("go depth 2")).len(), 1);
    assert_eq!(engine.ask("stop\nponderhit"), [""; 0]);
    assert_eq!(best_moves(&engine.quit()), [""; 0]);
}

/// The deadlock of engines that wait for the search before they read on: nothing queued may hide a `stop`.
#[test]
fn stop_is_heard_behind_whatever_is_queued() {
    for queued in [
        "setoption name Hash value 8",
        "setoption name Threads value 2",
        "setoption name Clear Hash",
        "position startpos moves e2e4",
        "d",
        "eval",
        "setoption name MultiPV value 2\nposition startpos\nd\neval",
        "setoption name nonsense",
    ] {
        let mut engine = Engine::start();
        engine.go_and_wait(&format!("go infinite\n{queued}"));
        let lines = engine.go("stop");
        assert_eq!(best_moves(&lines).len(), 1, "{queued}");
        engine.sync();
        assert_eq!(best_moves(&engine.go("go depth 2")).len(), 1, "{queued}");
        engine.quit();
    }
}

#[test]
fn what_is_queued_keeps_its_order() {
    let mut engine = Engine::start();
    engine.go_and_wait("position startpos\ngo infinite");
    engine.send("d\nposition startpos moves e2e4\nd\nsetoption name MultiPV value 2\nposition fen 8/8/8/8/8/8/8/8 w - -\neval\nstop");
    let lines = engine.until("static evaluation");
    let interesting: Vec<&str> = lines
        .iter()
        .filter(|line| {
            ["bestmove", "Fen", "info string ERROR", "static"].iter().any(|word| line.starts_with(word))
        })
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    // The board of the search can be shown at once.
    assert_eq!(interesting, ["Fen:", "bestmove", "Fen:", "info", "static"]);
    let boards: Vec<&String> = lines.iter().filter(|line| line.starts_with("Fen: ")).collect();
    assert!(boards[0].ends_with("w KQkq - 0 1") && boards[1].ends_with("b KQkq - 0 1"), "{boards:?}");
    engine.quit();
}

/// A client that begins anew does not wait for the old; the old one answers first all the same.
#[test]
fn a_new_beginning_ends_the_old_search() {
    let mut engine = Engine::start();
    for old in ["go infinite", "go ponder wtime 100 btime 100", "go movetime 1000000"] {
        engine.go_and_wait(&format!("position startpos\n{old}"));
        engine.send("position startpos moves e2e4\ngo depth 2 searchmoves a7a6");
        let first = engine.until("bestmove");
        assert_ne!(best_move(&first), "a7a6");
        assert_eq!(best_move(&engine.until("bestmove")), "a7a6");
        engine.go_and_wait(&format!("position startpos\n{old}"));
        engine.send("ucinewgame");
        engine.until("bestmove");
        engine.go_and_wait(old);
        engine.send("go perft 2");
        assert_eq!(best_moves(&engine.until("Nodes searched: 400")).len(), 1);
        engine.go_and_wait(old);
        engine.send("bench 1");
        engine.until("bestmove");
        assert!(engine.until("").last().is_some_and(|line| line.contains(" nodes ")));
    }
    assert_eq!(engine.sync(), [""; 0]);
    engine.quit();
}

#[test]
fn every_go_of_a_burst_is_answered_once() {
    for threads in [1, 2] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Threads value {threads}"));
        let bursts = [
            "go infinite\ngo infinite\ngo infinite\nstop",
            "go infinite\ngo infinite\nsetoption name Hash value 8\nstop",
            "go infinite\nstop\ngo infinite\nstop\ngo infinite\nstop",
            "go infinite\nsetoption name MultiPV value 2\nucinewgame\nposition startpos\ngo ponder depth 3\nponderhit",
            "go ponder movetime 10\nsetoption name Ponder value true\nponderhit",
            "go infinite\ngo ponder depth 2\nsetoption name MultiPV value 1\nponderhit",
            "go depth 3\ngo depth 3\ngo nodes 10\nstop\nstop\nstop",
            "stop\nsetoption name MultiPV value 3\nposition startpos moves e2e4\ngo depth 4",
            "go infinite\ngo perft 3\ngo infinite\nbench 2\ngo movetime 10",
        ];
        for burst in bursts {
            engine.send(burst);
            let expected =
                burst.lines().filter(|line| line.starts_with("go ") && !line.contains("perft")).count();
            for _ in 0..expected {
                engine.until("bestmove");
            }
            let rest = engine.sync();
            assert_eq!(best_moves(&rest), [""; 0], "{burst}");
        }
        assert_eq!(best_moves(&engine.quit()), [""; 0]);
    }
}

#[test]
fn infinite_waits_for_stop_whatever_else_is_asked() {
    let mut engine = Engine::start();
    for (position, go) in [
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go infinite"),
        ("fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go infinite"),
        ("fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go infinite"),
        ("fen 7k/8/8/8/8/8/6r1/7K w - - 0 1", "go infinite"),
        ("startpos", "go infinite searchmoves a2a3"),
        ("startpos", "go infinite searchmoves 0000"),
        ("startpos", "go depth 1 infinite"),
        ("startpos", "go infinite nodes 10 movetime 1 mate 1 wtime 1 btime 1"),
        ("startpos", "go"),
    ] {
        engine.go_and_wait(&format!("position {position}\n{go}"));
        let lines = engine.go("stop");
        assert_eq!(best_moves(&lines).len(), 1, "{position} {go}");
    }
    engine.quit();
}

/// What the engine has of memory that is no file's, in kB.
#[cfg(target_os = "linux")]
fn resident(engine: &Engine) -> i64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn fewer_threads_have_less_memory() {
    let mut engine = Engine::start();
    let mut with = |threads: u32| {
        engine.ask(&format!("setoption name Threads value {threads}"));
        engine.go("position startpos\ngo nodes 2000");
        resident(&engine)
    };
    // An allocator that keeps memory for others begins to do so with what it was given back.
    with(8);
    let (one, many, again) = (with(1), with(24), with(1));
    assert!(again - one < (many - one) / 8, "{one} kB, {many} kB, {again} kB");
    engine.quit();
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut engine = Engine::start();
    for go in [
        "go ponder movetime 5",
        "go movetime 5 ponder",
        "go ponder depth 2",
        "go ponder nodes 50",
        "go wtime 20 btime 20 ponder",
        "go ponder wtime 20 btime 20 winc 1 binc 1",
        "go ponder mate 1",
    ] {
        for word in ["ponderhit", "stop"] {
            engine.go_and_wait(&format!("position startpos moves e2e4 e7e5\n{go}"));
            assert_eq!(best_moves(&engine.go(word)).len(), 1, "{go} {word}");
            assert_eq!(engine.sync(), [""; 0]);
        }
    }
    let said = engine.go_and_wait("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo ponder movetime 1");
    assert_eq!(said, ["info depth 0 score cp 0"], "nothing is kept back that is known");
    assert_eq!(engine.go("ponderhit"), ["bestmove (none)"]);
    // Without any limit there is nothing that the hit could start.
    engine.go_and_wait("position startpos\ngo ponder");
    engine.go_and_wait("ponderhit");
    assert_eq!(best_moves(&engine.go("stop")).len(), 1);
    engine.quit();
}

/// A fixed time begins with the hit: the time that the search says it took holds both.
#[test]
fn the_time_for_the_move_begins_with_the_hit() {
    let mut engine = Engine::start();
    let game = Game::new(Board::START_FEN);
    engine.go_and_wait("position startpos\ngo ponder movetime 120");
    // 60 ms at least before the hit, and the 100 ms that are left when the move's overhead is off.
    let time = Search::check(&engine.go("ponderhit"), &game, 1).last().time;
    assert!(time >= 160, "{time}");
    engine.quit();
}

/// A hit that nobody waits for must not give the search its time again, or this one would never end.
#[test]
fn a_needless_ponderhit_changes_nothing() {
    let mut engine = Engine::start();
    engine.send("go movetime 100");
    let ended = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        !best_moves(&engine.ask("ponderhit")).is_empty()
    });
    assert!(ended);
    engine.quit();
}

#[test]
fn quitting_never_waits() {
    for begin in
        ["", "go infinite", "go ponder movetime 10", "go movetime 1000000", "go infinite\nd\ngo infinite"]
    {
        let mut engine = Engine::start();
        engine.ask(begin);
        let rest = engine.quit();
        // The search that ran has its answer.
        assert!(best_moves(&rest).len() <= 1 + begin.matches('\n').count(), "{begin}: {rest:#?}");
        assert_eq!(says(&rest, "bestmove"), begin.contains("go"), "{begin}: {rest:#?}");
    }
}

/// Scripts write all that they want at once, and `quit` behind it.
#[test]
fn a_count_is_finished_before_what_comes_behind_it() {
    let mut engine = Engine::start();
    engine.send(
        "go perft 3\nd\nposition startpos moves e2e4\ngo perft 2\nbench 1\nucinewgame\ngo movetime 1000000",
    );
    let lines = engine.quit();
    let at = |what: &str| lines.iter().position(|line| line.contains(what));
    // The search that stands before `quit` is ended all the same.
    let order =
        [at("Nodes searched: 8902"), at("Fen:"), at("Nodes searched: 600"), at(" nps"), at("bestmove")];
    assert!(order.is_sorted() && !order.contains(&None), "{order:?}: {lines:#?}");
    // And the one that has ended a search.
    let mut engine = Engine::start();
    engine.go_and_wait("go infinite");
    engine.send("go perft 2");
    assert!(says(&engine.quit(), "Nodes searched: 400"));
}

#[test]
fn stop_ends_a_count_whatever_waits_behind_it() {
    for count in ["go perft 30", "bench 200"] {
        for behind in ["", "go infinite", "go perft 30\ngo infinite", "d\nucinewgame"] {
            let mut engine = Engine::start();
            engine.ask(count);
            engine.send(&format!("{behind}\nstop"));
            for count in behind.matches("perft").map(|_| "perft").chain([count]) {
                let told = engine.until("info string stopped before the ");
                // What was counted so far is not given out for the count.
                assert!(!told.iter().any(|line| line.contains("odes")), "{count} {behind}: {told:#?}");
                engine.send("stop");
            }
            if behind.contains("infinite") {
                engine.until("bestmove");
            }
            engine.quit();
        }
    }
}

/// In a pipe the input ends before the search: what ends by itself may, the rest is ended.
#[test]
fn the_end_of_the_input_ends_what_only_a_word_could_end() {
    for (input, expected) in [
        ("go depth 6", 1),
        ("go movetime 50", 1),
        ("go nodes 3000", 1),
        ("go infinite", 1),
        ("go", 1),
        ("go ponder movetime 10", 1),
        ("go ponder depth 9\nponderhit", 1),
        ("go depth 3\ngo infinite", 2),
        ("go infinite\ngo depth 3\nd\ngo ponder wtime 1 btime 1", 3),
        ("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite", 1),
        ("go perft 3", 0),
        ("isready", 0),
        ("", 0),
    ] {
        let mut engine = Engine::start();
        // The last line has no end.
        engine.send_bytes(input.as_bytes());
        engine.close_input();
        let (lines, status) = engine.end();
        assert!(status.success(), "{input}: {status}");
        assert_eq!(best_moves(&lines).len(), expected, "{input}: {lines:#?}");
        for (go, last) in [("go depth 6", "info depth 6 "), ("go ponder depth 9\nponderhit", "info depth 9 ")]
        {
            assert!(input != go || says(&lines, last), "{lines:#?}");
        }
        assert_eq!(says(&lines, "Nodes searched: 8902"), input == "go perft 3");
    }
}

/// The client is gone: no reason to panic, and none to go on.
#[test]
fn a_closed_output_ends_the_engine_quietly() {
    for input in ["uci\nisready\n", "go depth 5\n", "go infinite\nuci\n", "setoption name x\nisready\n"] {
        let mut child = command().spawn().unwrap();
        drop(child.stdout.take());
        let mut pipe = child.stdin.take().unwrap();
        // It may have ended already, at its first line.
        let _ = pipe.write_all(input.as_bytes()).and_then(|()| pipe.flush());
        let errors = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), errors.as_str()), (Some(0), ""), "{input}");
    }
}

/// Some work says nothing for hours.
#[cfg(unix)]
#[test]
fn a_client_that_is_gone_ends_silent_work_too() {
    use std::io::{BufRead, BufReader};
    for work in ["go mate 9", "go perft 30", "bench 200"] {
        let mut child = support::Killed(Some(command().spawn().unwrap()));
        let engine = child.0.as_mut().unwrap();
        let mut output = BufReader::new(engine.stdout.take().unwrap());
        let mut input = engine.stdin.take().unwrap();
        input.write_all(format!("{work}\nisready\n").as_bytes()).and_then(|()| input.flush()).unwrap();
        let mut line = String::new();
        while !line.starts_with("readyok") {
            line.clear();
            assert_ne!(output.read_line(&mut line).unwrap(), 0);
        }
        drop((input, output));
        support::wait_until(work, || child.has_ended());
    }
}

/// Few clients know of `UCI_AnalyseMode`.
#[test]
fn analysis_without_end_knows_no_limited_strength() {
    let mut engine = Engine::start();
    engine.send("setoption name Skill Level value 0\ngo infinite");
    engine.until("info depth 8");
    engine.go("stop");
    let lines = engine.go("go movetime 60000");
    assert!(!says(&lines, "info depth 8"), "but a move for a game does: {lines:?}");
    // And so does thinking in a game on the opponent's time.
    let mut lines = engine.go_and_wait("ucinewgame\ngo ponder");
    lines.extend(engine.go("stop"));
    assert!(!says(&lines, "info depth 8"), "{lines:?}");
    engine.quit();
}

#[cfg(unix)]
#[test]
fn a_request_to_end_is_a_quit() {
    for signal in ["TERM", "INT", "HUP"] {
        if signal == "HUP" && support::is_hangup_ignored() {
            continue;
        }
        for begin in ["", "go infinite", "go perft 30"] {
            let mut engine = Engine::start();
            engine.ask(begin);
            support::signal(engine.id(), signal);
            let (lines, status) = engine.end();
            assert!(status.success(), "{signal} {begin}: {status}");
            assert_eq!(says(&lines, "bestmove"), begin == "go infinite");
        }
    }
}

/// Nodes of the last iteration that the engine tells of.
fn nodes(lines: &[String]) -> u64 {
    let words = lines.iter().rev().find_map(|line| line.split_once(" nodes "));
    words.and_then(|(_, rest)| rest.split(' ').next()?.parse().ok()).unwrap_or_else(|| panic!("{lines:?}"))
}

/// Clients tell all options again before each move.
#[test]
fn options_that_are_set_already_change_nothing() {
    let mut engine = Engine::start();
    let mut second = |between: &str| {
        engine.go("ucinewgame\nposition startpos\ngo depth 10");
        nodes(&engine.go(&format!("{between}position startpos moves e2e4\ngo depth 10")))
    };
    let expected = second("");
    for option in [
        "Threads value 1",
        "Hash value 16",
        "EvalFile value <internal>",
        "UCI_Chess960 value false",
        "SyzygyPath value <empty>",
    ] {
        assert_eq!(second(&format!("setoption name {option}\n")), expected, "{option}");
    }
    assert_ne!(second("setoption name Clear Hash\n"), expected);
    engine.quit();
}

/// A strength is one of so many nodes.
#[test]
fn a_limited_strength_does_not_grow_with_threads() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 2000");
    let mut with = |threads: u32| {
        nodes(&engine.go(&format!(
            "setoption name Threads value {threads}\nucinewgame\nposition startpos\ngo nodes 1000000"
        )))
    };
    let alone = with(1);
    assert!((100..5_000).contains(&alone), "{alone} of the million that could have been had");
    assert_eq!(with(2), alone);
    engine.send("setoption name UCI_LimitStrength value false\nsetoption name Threads value 1\nsetoption name Skill Level value 4");
    let of_skill = nodes(&engine.go("ucinewgame\nposition startpos\ngo nodes 100000"));
    assert!(of_skill < alone, "{of_skill}: a rating of 1400");
    engine.send("setoption name Skill Level value 20");
    assert!(nodes(&engine.go("ucinewgame\nposition startpos\ngo nodes 100000")) > 50_000);
    engine.quit();
}

#[cfg(unix)]
#[test]
fn a_second_request_ends_the_engine_whose_client_does_not_read() {
    use std::io::Write;
    let mut command = support::engine::command();
    let mut engine =
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    // More than any pipe takes.
    engine.stdin.as_mut().unwrap().write_all("d\n".repeat(4_000).as_bytes()).unwrap();
    let id = engine.id().to_string();
    let mut engine = support::Killed(Some(engine));
    for _ in 0..100 {
        std::thread::sleep(std::time::Duration::from_millis(500));
        if engine.has_ended() {
            return;
        }
        std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
    }
    panic!("it does not end");
}
