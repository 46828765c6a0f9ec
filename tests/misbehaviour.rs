//! What a match makes of engines that do not behave: each has its verdict, and none holds the match up, outlives it or
//! costs its opponent anything.
#![cfg(target_os = "linux")]

mod support;

use support::matches::{Ended, Scene, essence, finish, games, tag};

/// Plays one game in which B, with Black, misbehaves from its third move on, and checks how it ends.
fn check(mode: &str, words: &str, reason: &str, termination: &str) -> (Scene, Ended) {
    let scene = Scene::new();
    // What is said before the first '-' is said of B alone.
    let words = format!("{words} -rounds 1 -games 1 -maxmoves 8 -recover -pgnout file=g.pgn");
    let ended = scene.play("good --seed 1", mode, &words);
    let told = &ended.stdout;
    let line = told.lines().find(|line| line.starts_with("Finished game 1 (A vs B): "));
    let line = line.unwrap_or_else(|| panic!("{mode}: {told}{}", ended.stderr));
    let result = if reason.starts_with("Draw") { "1/2-1/2" } else { "1-0" };
    assert_eq!(line, format!("Finished game 1 (A vs B): {result} {{{reason}}}"), "{mode}: {told}");
    let games = games(&scene.path("g.pgn"));
    assert_eq!(games.len(), 1, "{mode}");
    assert_eq!(
        (tag(&games[0], "Result"), tag(&games[0], "Termination")),
        (result.into(), termination.into())
    );
    let text = games[0].split_whitespace().collect::<Vec<_>>().join(" ");
    let is_told = text.contains(&format!("{}}} {result}", reason));
    assert!(is_told || tag(&games[0], "PlyCount") == "0", "{mode}: {text}");
    assert_eq!(ended.code, Some(0), "{mode}: {}", ended.stderr);
    scene.assert_all_gone();
    scene.assert_well_spoken();
    (scene, ended)
}

const PLAYED_ON: &str = "Draw by adjudication: move limit";

#[test]
fn who_dies_has_lost() {
    for mode in ["die-thinking", "die-by-signal", "die-mid-line", "die-between-moves", "close-stdout"] {
        let (_, ended) =
            check(&format!("{mode} --after 3"), "-each tc=60+1", "Black disconnects", "abandoned");
        let how = match mode {
            "close-stdout" => "B has closed its output",
            "die-by-signal" => "B has ended (killed by signal 6)",
            _ => "B has ended (status 3)",
        };
        assert!(ended.stdout.contains(how), "{mode}: {}", ended.stdout);
        assert_eq!(mode == "die-thinking", ended.stdout.contains("its last words: "), "{}", ended.stdout);
    }
    let (scene, _) = check("die-in-newgame", "-each tc=60+1", "Black disconnects", "abandoned");
    assert!(!scene.read("A.log").contains(" go "), "nothing was played");
}

#[test]
fn who_closes_his_input_is_told_to_have_done_that() {
    let scene = Scene::new();
    let script = "#!/bin/sh\nwhile read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
                  go) exec 0<&-; echo bestmove e7e5; exec sleep 60;; esac; done\n";
    scene.write_program("c.sh", script);
    let words =
        "-engine cmd=./c.sh name=C -rounds 1 -games 1 -each tc=60+1 -maxmoves 4 -recover -pgnout file=g.pgn";
    let ended = scene.play("good", "good", words);
    assert!(ended.stdout.contains("C has closed its input"), "{}", ended.stdout);
    scene.assert_all_gone();
}

#[test]
fn who_dies_ends_the_match_unless_it_is_to_recover() {
    let scene = Scene::new();
    let words = "-rounds 4 -each tc=60+1 -maxmoves 4 -pgnout file=g.pgn";
    // The pause keeps the next game from beginning before the match has ended.
    let ended = scene.play("good", "die-thinking --after 3", &format!("{words} -wait 60000"));
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("-recover"), "{}", ended.stderr);
    assert_eq!(games(&scene.path("g.pgn")).len(), 1, "the game counts all the same");
    scene.assert_all_gone();
    let scene = Scene::new();
    let ended = scene.play("good", "die-thinking --after 3", &format!("{words} -recover"));
    assert_eq!(ended.code, Some(0));
    assert_eq!(games(&scene.path("g.pgn")).len(), 8);
    assert!(ended.stdout.contains("B failed 8 times (a crash)"), "{}", ended.stdout);
    assert_eq!(scene.read("B.log").matches("[start ").count(), 8, "started anew each time");
    scene.assert_well_spoken();
}

#[test]
fn who_cannot_be_started_is_told_of_before_the_first_game() {
    for (mode, words, told) in [
        ("no-uciok", "-startup-ms 1500", "has not said 'uciok'"),
        ("die-at-start", "", "has ended"),
        ("crash-on-option", "", "has ended"),
        ("no-readyok", "-ping-ms 1500", "has not said 'readyok'"),
    ] {
        let scene = Scene::new();
        let words = format!("-rounds 2 -each tc=60+1 option.Hash=1 -recover {words}");
        let ended = scene.play("good", mode, &words);
        assert_eq!(ended.code, Some(1), "{mode}");
        assert!(ended.stderr.contains("engine 2") && ended.stderr.contains(told), "{mode}: {}", ended.stderr);
        assert!(!ended.stdout.contains("game"), "{mode}: {}", ended.stdout);
        scene.assert_all_gone();
    }
    let scene = Scene::new();
    let words = "-engine cmd=./nowhere name=N -rounds 1 -each tc=1";
    let ended = scene.play("good", "good", words);
    assert!(ended.stderr.contains("engine 3 (./nowhere): cannot start"), "{}", ended.stderr);
    scene.assert_all_gone();
}

#[test]
fn a_script_whose_interpreter_is_missing_is_not_said_to_be_missing() {
    let scene = Scene::new();
    scene.write_program("c.sh", "#!/no/such/interpreter\n");
    let ended = scene.play("good", "good", "-engine cmd=./c.sh name=C -rounds 1 -each tc=1");
    assert_eq!(ended.code, Some(1));
    let told = "c.sh: it is there, but not the interpreter or loader that it asks for";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    scene.assert_all_gone();
}

#[test]
fn who_cannot_be_started_again_is_named() {
    let scene = Scene::new();
    let script = format!("#!/bin/sh\nrm c.sh\nexec '{}' good\n", support::mock::mock_engine().display());
    scene.write_program("c.sh", &script);
    let words = "-engine cmd=./c.sh name=C restart=on -rounds 1 -each tc=60+1 -maxmoves 4 -recover";
    let ended = scene.play("good", "good", words);
    assert_eq!(ended.code, Some(1), "{}", ended.stdout);
    assert!(ended.stderr.contains("C: cannot start ./c.sh: "), "{}", ended.stderr);
    scene.assert_all_gone();
}

#[test]
fn who_does_not_get_ready_has_lost() {
    let words = "-each tc=60+1 -ucinewgame-ms 1500";
    let (_, ended) = check("no-readyok --after 2", words, "Black's connection stalls", "stalled connection");
    let told =
        "game 1: B does not get ready: the engine has not said 'readyok' within 1.5 s (-ucinewgame-ms)";
    assert!(ended.stdout.contains(told), "{}", ended.stdout);
    check("slow-readyok 50", "-each tc=60+1", PLAYED_ON, "adjudication");
}

/// What befalls both, such as a machine that stands still, says nothing of who is stronger.
#[test]
fn where_nobody_gets_ready_nobody_has_won() {
    let scene = Scene::new();
    let mode = "no-readyok --after 2";
    let words = "-rounds 1 -games 2 -each tc=60+1 -ucinewgame-ms 700 -pgnout file=g.pgn -laws engine";
    let ended = scene.play(mode, mode, &format!("{words} -recover"));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for told in [
        "Finished game 1 (A vs B): * {Neither player comes (-/-)}",
        "Warning; game 1: A does not get ready: the engine has not said 'readyok' within 0.7 s (-ucinewgame-ms)",
        "Warning; game 2: B does not get ready: the engine has not said 'readyok' within 0.7 s (-ucinewgame-ms)",
        "A failed 2 times",
        "B failed 2 times",
        "\nGames: 0, ",
    ] {
        assert!(ended.stdout.contains(told), "{told}: {}", ended.stdout);
    }
    let games = games(&scene.path("g.pgn"));
    let ends: Vec<_> = games.iter().map(|game| tag(game, "Termination")).collect();
    assert_eq!(ends, ["unplayed"; 2], "{games:?}");
    let stopped = scene.play(mode, mode, words);
    assert!(
        stopped.code == Some(1) && stopped.stdout.contains("Stopped after 1 game\n"),
        "{}",
        stopped.stdout
    );
}

#[test]
fn who_does_not_answer_loses_on_time() {
    for mode in ["hang", "hang-deaf", "hang-answers-isready", "flood-info", "late-ignores-stop 60000"] {
        for limits in ["tc=0.4", "nodes=100 st=0.2", "depth=3 tc=2/0.4"] {
            let words = format!("{limits} -each tc=60");
            let (_, ended) =
                check(&format!("{mode} --after 3"), &words, "Black loses on time", "time forfeit");
            assert!(
                ended.stdout.contains("B gives no move, not even 1000 ms after"),
                "{mode}: {}",
                ended.stdout
            );
        }
    }
}

#[test]
fn who_is_late_loses_on_time_and_is_told_how_late() {
    // The last would take a minute, but is told to stop.
    for (mode, least) in [("late-ignores-stop 1", 1.0), ("late-ignores-stop 100", 100.0), ("late 60000", 0.0)]
    {
        let mode = format!("{mode} --after 3");
        let (_, ended) = check(&mode, "st=0.2 -each tc=60", "Black loses on time", "time forfeit");
        let told =
            ended.stdout.split("overruns its time by ").nth(1).unwrap_or_else(|| panic!("{}", ended.stdout));
        let overrun: f64 = told.split(' ').next().unwrap().parse().unwrap();
        assert!(overrun >= least && overrun < 1000.0, "{mode}: {overrun}");
        assert!(told.contains("for a processor"), "{told}");
    }
    // That is allowed, also where mistakes are not.
    let words = "-each tc=0.4 timemargin=10000 -strict";
    let (_, ended) = check("late 1 --after 3", words, PLAYED_ON, "adjudication");
    assert!(!ended.stderr.contains("game 1:"), "{}", ended.stderr);
    assert!(ended.stdout.contains("and is forgiven"), "{}", ended.stdout);
}

#[test]
fn who_talks_too_much_is_not_heard() {
    for mode in [
        "flood-then-move",
        "flood-no-newline",
        "flood-stderr",
        "not-utf8",
        "dribble",
        "crlf",
        "no-score",
        "bound-scores",
        "uppercase-promotion",
        "rook-castling",
    ] {
        check(&format!("{mode} --size 2"), "-each tc=60+1", PLAYED_ON, "adjudication");
    }
}

#[test]
fn who_makes_no_legal_move_has_lost() {
    for (mode, reason) in [
        ("illegal-move", "Black makes an illegal move: "),
        ("null-move", "Black makes an illegal move: 0000"),
        ("none-move", "Black makes an illegal move: (none)"),
        ("garbage-move", "Black makes an illegal move: hello"),
        ("not-utf8-move", "Black makes an illegal move: "),
        ("no-move", "Black makes no move, an illegal move"),
    ] {
        let scene = Scene::new();
        let words = "-rounds 1 -games 1 -each tc=60+1 -pgnout file=g.pgn";
        let ended = scene.play("good", &format!("{mode} --after 3"), words);
        assert!(ended.stdout.contains(&format!("1-0 {{{reason}")), "{mode}: {}", ended.stdout);
        let is_no_move = ["garbage-move", "not-utf8-move", "no-move", "none-move"].contains(&mode);
        let what = if is_no_move { "Move does not match uci move format" } else { "Illegal move" };
        let warning = format!("Warning; game 1: B gives no legal move: {what}");
        assert!(ended.stdout.contains(&warning), "{mode}: {}", ended.stdout);
        assert_eq!(tag(&games(&scene.path("g.pgn"))[0], "Termination"), "illegal move");
        assert_eq!(ended.code, Some(0), "no failure of the program: {}", ended.stderr);
        scene.assert_well_spoken();
        scene.assert_all_gone();
    }
}

#[test]
fn a_directory_that_is_none_is_told_as_that() {
    let scene = Scene::new();
    let ended = scene.play("good", "good", "-rounds 1 -each tc=60+1 dir=no/such/folder");
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("no/such/folder is no directory"), "{}", ended.stderr);
}

#[test]
fn moves_that_nobody_asked_for_are_told_and_not_played() {
    for mode in ["two-bestmoves", "two-bestmoves-late 1", "unasked-bestmove 1"] {
        let words = "-rounds 1 -games 1 -each tc=60+1 -maxmoves 5 -pgnout file=g.pgn";
        let scene = Scene::new();
        // The opponent thinks long enough for the second answer to come while it does.
        let ended = scene.play("good --think 400000", &format!("{mode} --after 3"), words);
        assert!(
            ended.stdout.contains("1/2-1/2 {Draw by adjudication: move limit}"),
            "{mode}: {}",
            ended.stdout
        );
        assert!(
            ended.stdout.contains("B gives 1 bestmove that nobody asked for"),
            "{mode}: {}",
            ended.stdout
        );
        scene.assert_well_spoken();
        let told = &games(&scene.path("g.pgn"))[0];
        let plain = Scene::new();
        plain.play("good", "good", words);
        let expected = essence(&games(&plain.path("g.pgn"))[0]);
        assert_eq!(essence(told), expected, "{mode}");
    }
}

#[test]
fn what_is_said_while_the_other_gets_ready_is_no_answer() {
    let scene = Scene::new();
    let script = "#!/bin/sh\nmv=e2e4\nwhile read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok; \
                  sleep 0.1; echo bestmove a2a5;; go) echo bestmove $mv; mv=d2d4;; quit) exit;; esac; done\n";
    scene.write_program("c.sh", script);
    let mut command = scene.bare();
    command.args(["-engine", "cmd=./c.sh", "name=C"]);
    command.args(scene.player("B", "slow-readyok --delay 1000"));
    let words = "-rounds 1 -games 1 -each tc=60+1 -maxmoves 2 -laws engine -pgnout file=g.pgn";
    let ended = finish(command.args(words.split(' ')).spawn().unwrap());
    let told = &ended.stdout;
    assert!(told.contains("C gives 1 bestmove that nobody asked for") && told.contains(PLAYED_ON), "{told}");
}

#[test]
fn pondering_is_right_and_wrong_pondering_is_seen() {
    let ponder = |mode_of_a: &str, mode: &str, tc: &str| {
        let scene = Scene::new();
        let words = format!("-rounds 1 -games 1 -each tc={tc} ponder -maxmoves 20 -pgnout file=g.pgn");
        let ended = scene.play(&format!("{mode_of_a} --think 20000"), mode, &words);
        scene.assert_all_gone();
        scene.assert_well_spoken();
        (scene.read("B.log"), ended.stdout)
    };
    // The same seed foresees every move, another one hardly any.
    let (log, told) = ponder("ponder-good --seed 0", "ponder-good", "60+1");
    assert!(log.contains(" ponderhit") && !told.contains("Warning"), "{told}");
    let (log, told) = ponder("ponder-good --seed 1", "ponder-good", "60+1");
    assert!(log.contains(" stop") && !told.contains("Warning"), "{told}");
    assert!(log.contains("go ponder wtime") || log.contains("go ponder btime"), "{log}");
    // An opponent that does not ponder itself thinks long enough for the early answer to come first.
    let (_, told) = ponder("good", "ponder-answers-early --after 3", "60+1");
    assert!(
        told.contains("B answers 'go ponder' before it is told to") && told.contains(PLAYED_ON),
        "{told}"
    );
    let (_, told) = ponder("ponder-good --seed 1", "bad-ponder-move --after 3", "60+1");
    assert!(told.contains("B wants to ponder on an illegal move") && told.contains(PLAYED_ON), "{told}");
    let (_, told) = ponder("ponder-good --seed 1", "ponder-never-stops --after 3", "1");
    assert!(told.contains("{Black loses on time}"), "{told}");
    let (log, told) = ponder("ponder-good --seed 0", "ponder-good", "40/60");
    assert!(log.contains("go ponder btime") && log.contains("movestogo 39\n"), "{log}");
    assert!(log.contains(" ponderhit") && !told.contains("Warning"), "{told}");
}

#[test]
fn who_ignores_everything_is_killed_with_its_children() {
    for mode in ["ignore-quit", "ignore-quit-children"] {
        check(mode, "-each tc=60+1", PLAYED_ON, "adjudication");
    }
}

#[test]
fn lines_that_cannot_be_played_are_told() {
    let (_, ended) = check("bad-pv --after 3", "-each tc=60+1", PLAYED_ON, "adjudication");
    assert!(
        ended.stdout.contains("Warning; game 1: B shows a wrong line: Illegal PV move"),
        "{}",
        ended.stdout
    );
    let (_, ended) = check("mate-score-lies", "-each tc=60+1 -check-mate-pvs", PLAYED_ON, "adjudication");
    assert!(ended.stdout.contains("B announces mate in 1 and shows"), "{}", ended.stdout);
}

#[test]
fn options_are_held_against_what_was_declared() {
    let scene = Scene::new();
    let words = "-rounds 1 -each tc=60+1 option.Hash=5000 option.Nothing=1 option.Threads=1 -maxmoves 2";
    let ended = scene.play("good", "good", words);
    assert!(
        ended
            .stdout
            .contains("Warning; A cannot do that: Invalid value for option Hash: 5000 is not in 1 to 1024"),
        "{}",
        ended.stdout
    );
    assert!(ended.stdout.contains("Warning; B doesn't have option Nothing"), "{}", ended.stdout);
    assert!(scene.read("A.log").contains("setoption name Threads value 1"));
    let ended = scene.play("good", "good", &format!("{words} -strict"));
    assert!(
        ended.code == Some(1) && ended.stderr.contains("Invalid value for option Hash"),
        "{}",
        ended.stderr
    );
}

#[test]
fn options_are_set_as_the_engine_has_spelled_them() {
    let scene = Scene::new();
    let words = "-rounds 1 -each tc=60+1 option.hash=2 option.STYLE=solid option.PATH=/Tmp/a -maxmoves 2";
    let ended = scene.play("good", "good", words);
    assert!(!ended.stdout.contains("Warning"), "{}", ended.stdout);
    let log = scene.read("A.log");
    for line in [
        "setoption name Hash value 2",
        "setoption name Style value Solid",
        "setoption name Path value /Tmp/a",
    ] {
        assert!(log.contains(&format!(" {line}\n")), "{line}: {log}");
    }
    scene.assert_well_spoken();
}

#[test]
fn strict_ends_the_match_at_the_first_mistake_that_it_could_survive() {
    let scene = Scene::new();
    let words = "-rounds 4 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn";
    // The pause keeps the next game, which would count if it ended, from beginning before the end of the match is known.
    let ended = scene.play("bad-pv", "good", &format!("{words} -strict -wait 60000"));
    assert!(
        ended.code == Some(1) && ended.stderr.contains("game 1: A shows a wrong line"),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("without -strict the match would go on"), "{}", ended.stderr);
    assert_eq!(games(&scene.path("g.pgn")).len(), 1, "the game is written down");
    let ended = scene.play("bad-pv", "good", &format!("{words} -resume"));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}

#[test]
fn strict_ends_the_match_at_a_failure_that_it_could_survive() {
    for (more, remedy) in [("-recover", "without -strict"), ("", "with -recover and without -strict")] {
        let scene = Scene::new();
        let words = "-rounds 4 -each tc=60+1 -maxmoves 2 -strict -wait 60000 -pgnout file=g.pgn";
        let ended = scene.play("good", "die-thinking", &format!("{words} {more}"));
        assert!(ended.code == Some(1) && ended.stderr.contains("game 1: B "), "{}", ended.stderr);
        assert!(ended.stderr.contains(&format!("; {remedy} the match would go on")), "{}", ended.stderr);
        assert_eq!(games(&scene.path("g.pgn")).len(), 1, "the game is written down");
    }
}

#[test]
fn a_failure_in_the_last_game_leaves_nothing_to_go_on_with() {
    for (mode, more, told) in
        [("die-thinking", "", "an engine has failed"), ("bad-pv", "-strict", "game 1: B shows a wrong line")]
    {
        let scene = Scene::new();
        let words = format!("-rounds 1 -games 1 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn {more}");
        for _ in 0..2 {
            let ended = scene.play("good", mode, &words);
            assert!(ended.code == Some(1) && ended.stderr.contains(told), "{}", ended.stderr);
            assert!(ended.stdout.ends_with("Finished match\n"), "{}", ended.stdout);
            assert!(!ended.stderr.contains("go"), "{}", ended.stderr);
        }
        let ended = scene.play("good", mode, &format!("{words} --json"));
        let last: serde_json::Value = serde_json::from_str(ended.stdout.lines().last().unwrap()).unwrap();
        assert_eq!(last["conclusion"], "complete", "{last}");
        assert!(last["why"].as_str().unwrap().contains(told), "{last}");
        assert!(!scene.path("g.pgn.journal.1").exists(), "no match is unfinished");
    }
}

#[test]
fn a_match_that_cannot_begin_leaves_no_journal() {
    let scene = Scene::new();
    std::fs::create_dir(scene.path("folder")).unwrap();
    std::fs::write(scene.path("empty"), "").unwrap();
    let words = "-rounds 1 -each tc=60+1";
    for (wrong, files) in
        [("cmd=./none", "-pgnout file=g.pgn"), ("name=C", "-pgnout file=folder -journal file=j")]
    {
        let ended = scene.play("good", "good", &format!("{words} -engine {wrong} {files}"));
        assert_ne!(ended.code, Some(0), "{}", ended.stdout);
    }
    for name in ["g.pgn.journal", "folder.journal", "j"] {
        assert!(!scene.path(name).exists(), "{name}");
    }
    // One that somebody has made stays.
    scene.play("good", "good", &format!("{words} -engine cmd=./none -journal file=empty"));
    assert!(scene.path("empty").exists());
}

#[test]
fn an_opening_that_is_over_by_itself_is_told() {
    let scene = Scene::new();
    // By the Laws a dead position; no engine's evaluation knows it.
    std::fs::write(scene.path("wall.epd"), "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1\n").unwrap();
    let words = "-rounds 1 -each tc=60+1 -laws fide-2023 -openings file=wall.epd";
    let ended = scene.play("good", "good", words);
    let warning = "Warning; game 1: nobody has moved, the opening ends the game: Draw by dead position";
    assert!(ended.code == Some(0) && ended.stdout.contains(warning), "{}", ended.stdout);
    let ended = scene.play("good", "good", &format!("{words} -strict"));
    assert!(ended.code == Some(1) && ended.stderr.contains("nobody has moved"), "{}", ended.stderr);
}

#[test]
fn a_game_that_is_drawn_before_the_first_move_in_another_way_is_not_the_openings_fault() {
    let scene = Scene::new();
    std::fs::write(scene.path("rook.epd"), "4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n").unwrap();
    let words = "-rounds 1 -games 1 -each tc=0.2 -laws fide-2023 -recover -openings file=rook.epd";
    let ended = scene.play("hang", "good", words);
    assert!(
        ended.stdout.contains("a flag falls") && !ended.stdout.contains("the opening ends"),
        "{}",
        ended.stdout
    );
}

#[test]
fn words_of_a_match_are_text() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"file=p\xff.pgn");
    let mut command = support::engine::command();
    let ended = command
        .args(["match", "-engine", "cmd=x", "-engine", "cmd=y", "-pgnout"])
        .arg(name)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.code() == Some(2) && said.contains("is no UTF-8"), "{said}");
}

#[test]
fn errors_that_engines_tell_of_when_they_are_set_up_are_passed_on() {
    let scene = Scene::new();
    let words = "-rounds 1 -each tc=60+1 option.Path=none -maxmoves 2";
    let ended = scene.play("good", "error-on-option", words);
    let warning = "Warning; B says: ERROR: no name Path value none";
    assert_eq!(ended.stdout.matches("Warning;").count(), 1, "{}", ended.stdout);
    assert!(ended.code == Some(0) && ended.stdout.contains(warning), "{}", ended.stdout);
    let ended = scene.play("good", "error-on-option", &format!("{words} -strict"));
    assert!(
        ended.code == Some(1) && ended.stderr.contains("B says: ERROR: no name Path"),
        "{}",
        ended.stderr
    );
}
