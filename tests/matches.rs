//! Matches between engines that behave: schedule, ends by score, statistics, and what is written.
#![cfg(target_os = "linux")]

mod support;

use serde_json::Value;
use support::matches::{Scene, essence, finish, games, tag};
use support::{Killed, wait_until};

#[test]
fn between_two_games_the_match_waits_as_asked() {
    let scene = Scene::new();
    let words = "-rounds 1 -games 2 -each tc=60+1 -maxmoves 1 -wait 2000 -journal file=j";
    let ended = scene.play("good", "good", words);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let journal = scene.read("j");
    let entries = journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let began: Vec<i64> = entries.filter_map(|entry| entry["began"].as_i64()).collect();
    assert!(began.len() == 2 && began[1] - began[0] >= 2000, "{began:?}");
}

#[test]
fn a_test_ends_the_match() {
    let scene = Scene::new();
    let words = "-rounds 500 -each tc=60+1 -concurrency 2 -force-concurrency -sprt elo0=0 elo1=50 alpha=0.05 \
        beta=0.05 -resign movecount=1 score=1000 -pgnout file=g.pgn";
    // B gives up at its first move.
    let ended = scene.play("good --score 1", "resigns-badly", words);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("SPRT ([0.00, 50.00]) completed - H1 was accepted"), "{}", ended.stdout);
    let games = games(&scene.path("g.pgn"));
    assert!(games.len() < 100 && games.len() > 4, "{}", games.len());
    assert!(games.iter().all(|game| tag(game, "Termination") == "adjudication"));
    // Of a pair that the end has cut off no game is counted.
    let mut pairs = std::collections::HashMap::new();
    for game in &games {
        *pairs.entry(tag(game, "Round").split('.').next().unwrap().to_string()).or_insert(0) += 1;
    }
    let counted = 2 * pairs.values().filter(|games| **games == 2).count();
    let line = format!("Games: {counted}, Wins: {counted}, Losses: 0, Draws: 0,");
    assert!(ended.stdout.contains(&line), "{}", ended.stdout);
    // It stays decided.
    let again = scene.play("good --score 1", "resigns-badly", &format!("{words} -resume"));
    assert!(
        again.code == Some(0) && again.stdout.contains("completed - H1 was accepted"),
        "{}",
        again.stdout
    );
    assert!(!again.stdout.contains("Started game"), "{}", again.stdout);
    scene.assert_all_gone();
}

#[test]
fn what_engines_say_beside_their_moves_is_kept_where_it_is_wanted() {
    let scene = Scene::new();
    let words = "-rounds 1 -games 1 -each tc=60+1 stderr=errors.txt -maxmoves 2 -pgnout file=g.pgn match_line=^info.depth";
    let ended = scene.play("good --info", "flood-stderr --size 1", words);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(scene.read("errors.txt").len() > 1_000_000);
    // Lines are broken anywhere between words.
    let text = scene.read("g.pgn").split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(text.matches("line=\"info depth").count(), 2, "{text}");
}

#[test]
fn last_words_are_kept() {
    let scene = Scene::new();
    let engine = support::mock::mock_engine();
    let script = format!("'{}' \"$@\"\necho last words >&2\n", engine.display());
    std::fs::write(scene.path("engine.sh"), script).unwrap();
    let words = "-rounds 1 -games 1 -each tc=60+1 -maxmoves 2 -log file=log engine=true";
    let mut command = scene.command("good", "good", words);
    let third = ["-engine", "cmd=/bin/sh", "name=C", "args=engine.sh good", "stderr=errors.txt"];
    let ended = finish(command.args(third).spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(scene.read("errors.txt"), "last words\n");
    assert!(scene.read("log").contains("last words"), "{}", scene.read("log"));
}

#[test]
fn each_game_has_a_process_of_its_own_with_restart() {
    let scene = Scene::new();
    let engine = support::mock::mock_engine();
    std::fs::write(scene.path("engine.sh"), format!("echo >>starts; exec '{}' good\n", engine.display()))
        .unwrap();
    let words = "-rounds 1 -games 2 -each tc=60+1 -maxmoves 2";
    for (restart, starts) in [("off", 1), ("on", 5)] {
        let mut command = scene.command("good", "good", words);
        let third = ["-engine", "cmd=/bin/sh", "name=C", "args=engine.sh", &format!("restart={restart}")];
        std::fs::write(scene.path("starts"), "").unwrap();
        let ended = finish(command.args(third).spawn().unwrap());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        // One more with which the match meets it: that is not kept until its first game, which is not the first of all.
        assert_eq!(scene.read("starts").lines().count(), starts, "{restart}");
    }
}

#[test]
fn names_that_read_the_same_on_the_screen_are_warned_of() {
    let scene = Scene::new();
    let words = "-rounds 1 -games 1 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn";
    let ended = finish(
        scene
            .command("good", "good", words)
            .args(scene.player("Анна", "good"))
            .args(scene.player("Иван", "good"))
            .spawn()
            .unwrap(),
    );
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let told = "Warning; players 3 and 4 are both shown as ????: say name= otherwise\n";
    assert_eq!(ended.stdout.matches(told).count(), 1, "{}", ended.stdout);
    assert!(scene.read("g.pgn").contains("[White \"Анна\"]"));
}

#[test]
fn scores_end_games() {
    let scene = Scene::new();
    let each = "-rounds 1 -games 1 -each tc=60+1 -pgnout file=g.pgn append=false";
    let draw = format!("{each} -draw movenumber=10 movecount=3 score=15");
    let ended = scene.play("good --score 15", "good --score -15", &draw);
    assert!(ended.stdout.contains("1/2-1/2 {Draw by adjudication}"), "{}", ended.stdout);
    // Pawn moves and captures of random movers put it off, but not before move 10.
    let plies: u32 = tag(&games(&scene.path("g.pgn"))[0], "PlyCount").parse().unwrap();
    assert!(plies >= 19, "{plies}");
    let draw = format!("{each} -draw movenumber=1 movecount=15 score=15");
    scene.play("good --score 15", "good --score -15", &draw);
    let plies: u32 = tag(&games(&scene.path("g.pgn"))[0], "PlyCount").parse().unwrap();
    assert!(plies >= 30, "fifteen moves of each side: {plies}");
    let draw = format!("{each} -draw movenumber=1 movecount=2 score=10");
    let script = |moves: &str| format!("good --score 0 --script {moves}");
    scene.play(&script("e2e4,g1f3,f3g1"), &script("e7e5,g8f6,f6g8"), &draw);
    let plies = tag(&games(&scene.path("g.pgn"))[0], "PlyCount");
    assert_eq!(plies, "5", "the last pawn move and four more");
    let draw = format!("{each} -draw movenumber=2 movecount=1 score=10");
    scene.play(&script("g1f3,f3g1,g1f3"), &script("g8f6,f6g8"), &draw);
    assert_eq!(tag(&games(&scene.path("g.pgn"))[0], "PlyCount"), "3", "the first move of move 2");
    let resign = format!("{each} -resign movecount=4 score=600 twosided=true");
    let ended = scene.play("good --white-score 700", "good --white-score 600", &resign);
    assert!(ended.stdout.contains("1-0 {White wins by adjudication}"), "{}", ended.stdout);
    assert_eq!(tag(&games(&scene.path("g.pgn"))[0], "PlyCount"), "8");
}

#[test]
fn a_drawn_seed_is_read_back_from_json_by_every_program() {
    let scene = Scene::new();
    let words = "-rounds 1 -games 1 -each tc=60+1 -maxmoves 1 --json";
    let ended = scene.play("good", "good", words);
    let begin: Value = serde_json::from_str(ended.stdout.lines().next().unwrap()).unwrap();
    let seed = begin["seed"].as_u64().unwrap();
    assert!(seed < 1 << 53, "{seed}");
}

#[test]
fn everything_is_told_in_json() {
    let scene = Scene::new();
    let words = "-rounds 3 -each tc=60+1 -maxmoves 10 --json -show-latency -srand 5";
    let third = scene.player("C", "good --seed 3");
    let mut command = scene.command("good --seed 1 --info", "good --seed 2", words);
    let ended = finish(command.args(third).spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let lines: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["event"], "begin");
    assert_eq!(lines[0]["seed"], 5);
    let games: Vec<_> = lines.iter().filter(|line| line["event"] == "game").collect();
    assert_eq!(games.len(), 18);
    let summary = lines.last().unwrap();
    assert_eq!((&summary["event"], &summary["conclusion"]), (&"summary".into(), &"complete".into()));
    let players = summary["players"].as_array().unwrap();
    assert_eq!(players.len(), 3, "{summary}");
    for player in players {
        let number = |name: &str| player[name].as_u64().unwrap();
        assert_eq!(number("wins") + number("losses") + number("draws"), 12);
        let of = |result: &str, color: &str| {
            games.iter().filter(|game| game["result"] == result && game[color] == player["name"]).count()
                as u64
        };
        assert_eq!(number("wins"), of("1-0", "white") + of("0-1", "black"));
        assert!(player["elo"].is_f64() && player["penta"].as_array().unwrap().len() == 5);
    }
    assert!(summary["handover_us"][0].as_f64().unwrap() > 0.0 && summary["plies"].as_u64().unwrap() > 100);
}

#[test]
fn the_crc_of_the_games_is_told_in_the_form_of_the_rest() {
    let scene = Scene::new();
    let words = "-rounds 1 -each tc=60+1 -maxmoves 4 -crc32 pgn=true";
    let ended = scene.play("good", "good", &format!("{words} -pgnout file=a.pgn"));
    let crc = |name: &str| format!("{:08x}", crc32fast::hash(scene.read(name).as_bytes()));
    let last = ended.stdout.lines().last().unwrap();
    assert_eq!(last, format!("File a.pgn has CRC32: {}", crc("a.pgn")));
    let ended = scene.play("good", "good", &format!("{words} -pgnout file=b.pgn --json"));
    let last: Value = serde_json::from_str(ended.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(last, serde_json::json!({ "event": "crc32", "file": "b.pgn", "crc32": crc("b.pgn") }));
    // Who does not hear it hears why the match has ended.
    let failing = format!("{words} -pgnout file=c.pgn -journal c");
    let mut unheard = scene.command("good", "die-thinking", &failing);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let failed = unheard.stdout(writer).output().unwrap();
    let told = String::from_utf8_lossy(&failed.stderr);
    assert!(failed.status.code() == Some(1) && told.contains("-resume goes on"), "{told}");
    let ended = scene.play("good", "good", &format!("{words} -pgnout file=/dev/null -journal j"));
    assert!(ended.code == Some(0) && !ended.stdout.contains("CRC32"), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn nobody_has_to_read_the_warnings() {
    let scene = Scene::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = scene.command("good", "bad-pv", "-rounds 1 -each tc=60+1 -maxmoves 2 --quiet");
    let ended = command.stderr(full).output().unwrap();
    let shown = String::from_utf8(ended.stdout).unwrap();
    assert!(ended.status.code() == Some(0) && shown.contains("Finished match"), "{shown}");
}

#[test]
fn a_game_without_the_other_of_its_pair_is_told() {
    let scene = Scene::new();
    let ended = scene.play("die-thinking --after 2", "good", "-rounds 2 -each tc=60+1 -maxmoves 4");
    assert!(ended.stdout.contains("\n1 game is not counted: only whole pairs are\n"), "{}", ended.stdout);
}

#[test]
fn settings_that_are_hardly_ever_meant_are_warned_of() {
    let (openings, claims) = ("without -openings all games", "nobody claims: say claims=auto");
    for (words, expected) in [
        ("-rounds 2 -maxmoves 2", [true, false]),
        ("-rounds 1 -maxmoves 2", [false, false]),
        ("-rounds 1 -laws fide-2005", [false, true]),
        ("-rounds 1 -laws fide-2005 -maxmoves 2", [false, false]),
        ("-rounds 1 -laws fide-2005 -each claims=auto", [false, false]),
    ] {
        let scene = Scene::new();
        // The second player's first words end the match.
        let shown = scene.play("good", "die-thinking", &format!("-games 1 -each tc=60+1 {words}")).stdout;
        assert_eq!([shown.contains(openings), shown.contains(claims)], expected, "{words}: {shown}");
    }
}

#[test]
fn a_match_that_cannot_be_shown_says_why_it_ends() {
    let scene = Scene::new();
    // Many games, of which only the first can be over before somebody sees that nothing is shown; and all of them.
    for (more, goes_on) in [("-rounds 500", true), ("-rounds 1 --quiet", false)] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let words = format!("-each tc=60+1 -maxmoves 2 -journal file=j {more}");
        let mut command = scene.command("good", "good", &words);
        let ended = command.stdout(full).output().unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.code() == Some(1), "{told}");
        assert!(told.contains("the standard output cannot be written: No space left"), "{told}");
        assert_eq!(told.contains("-resume goes on"), goes_on, "{told}");
    }
}

#[test]
fn quiet_matches_show_the_end_alone() {
    let scene = Scene::new();
    let ended = scene.play("good", "good --seed 2", "-rounds 20 -each tc=60+1 -maxmoves 4 --quiet");
    assert_eq!(ended.code, Some(0));
    assert!(!ended.stdout.contains("game 1") && ended.stdout.matches("Results of").count() == 1);
}

#[test]
fn openings_are_played_with_both_colours_and_none_twice() {
    let scene = Scene::new();
    // Words are parted by blanks, which may be in the path.
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/book/openings.epd");
    std::fs::copy(book, scene.path("book.epd")).unwrap();
    let words = |seed: u32| {
        format!(
            "-rounds 40 -each tc=60+1 -maxmoves 2 -pgnout file={seed}.pgn -srand {seed} -openings file=book.epd \
             order=random -quiet"
        )
    };
    let play = |seed: u32| {
        let ended = scene.play("good --seed 1", "good --seed 2", &words(seed));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        games(&scene.path(&format!("{seed}.pgn")))
    };
    let first = play(1);
    assert_eq!(first.len(), 80);
    let mut seen = std::collections::HashSet::new();
    for pair in first.chunks(2) {
        assert_eq!(tag(&pair[0], "FEN"), tag(&pair[1], "FEN"));
        assert_eq!((tag(&pair[0], "White"), tag(&pair[1], "White")), ("A".into(), "B".into()));
        assert!(seen.insert(tag(&pair[0], "FEN")));
    }
    std::fs::remove_file(scene.path("1.pgn.journal")).unwrap();
    std::fs::rename(scene.path("1.pgn"), scene.path("kept.pgn")).unwrap();
    let all = |games: &[String]| games.iter().map(|game| essence(game)).collect::<Vec<_>>();
    assert_eq!(all(&play(1)), all(&first), "the seed is all");
    assert_ne!(all(&play(2)), all(&first));
}

#[test]
fn openings_that_come_again_are_told() {
    let scene = Scene::new();
    std::fs::write(scene.path("two.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/3P4/4K3 w - -\n")
        .unwrap();
    for (rounds, start, is_told) in [(2, 2, false), (3, 3, true)] {
        let words = format!("-rounds {rounds} -each tc=60 -maxmoves 2 -openings file=two.epd start={start}");
        let ended = scene.play("good", "good", &words);
        for told in [
            format!("two.epd: 2 openings for {rounds} rounds"),
            format!("two.epd: start={start} of 2 openings: counted on from the front"),
        ] {
            assert_eq!(ended.stdout.contains(&told), is_told, "{}", ended.stdout);
        }
    }
}

#[test]
fn broken_openings_are_told_and_left_out() {
    let scene = Scene::new();
    let good = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let text = format!("{good}\nnonsense\n{good} hmvc 3; fmvn 7;\nrnbqkbnr/8/8/8/8/8/8/RNBQKBNR x - - 0 1\n");
    std::fs::write(scene.path("book.epd"), text).unwrap();
    let words = "-rounds 2 -each tc=60+1 -maxmoves 2 -openings file=book.epd -pgnout file=g.pgn";
    let ended = scene.play("good", "good", words);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("line 2") && ended.stdout.contains("line 4"), "{}", ended.stdout);
    let games = games(&scene.path("g.pgn"));
    assert!(tag(&games[0], "FEN").ends_with(" 0 1") && tag(&games[2], "FEN").ends_with(" 3 7"));
    let ended = scene.play("good", "good", &format!("{words} -strict"));
    assert!(ended.code == Some(1) && ended.stderr.contains("line 2"), "{}", ended.stderr);
    // What is over depends on the Laws of the match.
    std::fs::write(scene.path("book.epd"), format!("{good} hmvc 5; fmvn 9;\n{good} hmvc 100; fmvn 60;\n"))
        .unwrap();
    for (laws, is_over) in [("engine", true), ("fide-2023", false)] {
        let ended = scene.play("good", "good", &format!("{words} -laws {laws}"));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert_eq!(ended.stdout.contains("line 2: the game is over"), is_over, "{}", ended.stdout);
    }
}

#[test]
fn chess960_is_played() {
    let fen = "bnrbkrnq/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRNQ w KQkq - 0 1";
    // Each process is told, also those of a second thread and those started anew.
    for more in ["", "-concurrency 2 -force-concurrency", "restart=on"] {
        let scene = Scene::new();
        std::fs::write(scene.path("book.epd"), format!("{fen}\n")).unwrap();
        let words = format!(
            "-rounds 5 -variant fischerandom -openings file=book.epd -pgnout file=g.pgn -each tc=60+1 {more}"
        );
        let ended = scene.play("rook-castling --seed 1", "rook-castling --seed 2", &words);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let log = scene.read("A.log");
        let starts = log.matches("[start ").count();
        assert_eq!(log.matches("setoption name UCI_Chess960 value true").count(), starts, "{more}");
        // X-FEN, which a PGN has, is not what engines are used to.
        assert!(log.contains("position fen bnrbkrnq/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRNQ w FCfc - 0 1 moves "));
        assert!(!log.contains("KQkq"), "{log}");
        scene.assert_well_spoken();
        let games = games(&scene.path("g.pgn"));
        assert_eq!(games.len(), 10);
        assert!(games.iter().all(|game| tag(game, "Variant") == "Chess960" && tag(game, "FEN") == fen));
        assert!(games.iter().all(|game| tag(game, "Termination") == "normal"));
        assert!(games.iter().any(|game| game.contains("O-O")), "somebody castles");
    }
    let scene = Scene::new();
    let ended = scene.play(
        "good",
        "good",
        "-rounds 1 -variant fischerandom -openings chess960=518 -maxmoves 2 -each tc=60",
    );
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        scene.read("A.log").contains("position startpos") && !scene.read("A.log").contains("position fen")
    );
}

#[test]
fn an_engine_that_names_no_chess960_is_refused_before_the_first_game() {
    let scene = Scene::new();
    let script = "#!/bin/sh\nwhile read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
                  go) echo bestmove e7e5;; quit) exit;; esac; done\n";
    scene.write_program("plain.sh", script);
    let play = |more: &str| {
        let words =
            "-variant fischerandom -openings chess960=518 -tournament gauntlet -pgnout file=g.pgn -games 1";
        scene.play(
            "good",
            "good",
            &format!("{words} -each tc=60 -rounds 1 -maxmoves 2 -engine name=C cmd=./plain.sh {more}"),
        )
    };
    let ended = play("");
    assert_eq!(ended.code, Some(1), "{}", ended.stdout);
    let told = "engine 3 (./plain.sh): does not play Chess960 (no option UCI_Chess960; if it plays it all the same, \
                give it option.UCI_Chess960=true)";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    assert!(!scene.path("g.pgn").exists());
    let ended = play("option.uci_chess960=true");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("C doesn't have option uci_chess960"), "{}", ended.stdout);
    assert_eq!(games(&scene.path("g.pgn")).len(), 2);
    scene.assert_all_gone();
}

#[test]
fn engines_are_asked_no_more_than_needed() {
    let scene = Scene::new();
    let ended = scene.play("good", "good", "-rounds 2 -each tc=60+1 -maxmoves 10");
    assert_eq!(ended.code, Some(0));
    let log = scene.read("A.log");
    let count = |word: &str| log.lines().filter(|line| line.split(' ').nth(1) == Some(word)).count();
    // One start, and one isready for it and for each game; none while moves are played.
    assert_eq!((count("uci"), count("ucinewgame"), count("isready"), count("go")), (1, 4, 5, 40));
    assert_eq!(count("quit"), 1);
    let restarting = scene.play("good", "good", "-rounds 2 -each tc=60+1 restart=on -maxmoves 4");
    assert_eq!(restarting.code, Some(0));
    assert_eq!(scene.read("A.log").matches("[start ").count(), 1 + 4);
}

#[test]
fn each_game_has_a_processor_of_its_own() {
    let scene = Scene::new();
    let ours = std::thread::available_parallelism().unwrap().get().min(2);
    let words = format!("-rounds 2 -each tc=60+1 -use-affinity -concurrency {ours}");
    let think = "good --think 20000";
    let mut child = Killed(Some(scene.command(think, think, &words).spawn().unwrap()));
    let games = |log: &str| scene.read(log).matches(" ucinewgame\n").count();
    wait_until("all games", || games("A.log") == ours && games("B.log") == ours);
    // Those that only introduced themselves have ended.
    let allowed = |pid: &str| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
        Some(list.trim().to_string())
    };
    let mut held: Vec<String> = scene.read("pids").lines().filter_map(allowed).collect();
    child.take().kill().unwrap();
    assert_eq!(held.len(), 2 * ours, "{held:?}");
    held.sort();
    // Both players of a game share it.
    assert!(held.iter().all(|list| list.parse::<usize>().is_ok()), "{held:?}");
    assert!(held.chunks(2).all(|players| players[0] == players[1]), "{held:?}");
    held.dedup();
    assert_eq!(held.len(), ours, "{held:?}");
}

#[test]
fn what_was_thought_on_the_opponents_time_is_no_latency() {
    let scene = Scene::new();
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_adoube"));
    let mut command = scene.bare();
    for name in ["name=A", "name=B"] {
        command.args(["-engine", &engine, name]);
    }
    let words = "-each tc=4+0.1 ponder option.Hash=1 -rounds 1 -games 1 -maxmoves 8 -laws engine \
        -pgnout file=g.pgn latency=true";
    let ended = finish(command.args(words.split_whitespace()).spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let text = scene.read("g.pgn");
    let told: Vec<f64> = text
        .split_whitespace()
        .filter_map(|word| {
            word.strip_prefix("latency=")?.trim_end_matches(['}', ',']).strip_suffix('s')?.parse().ok()
        })
        .collect();
    // The first move of White is one of its own time.
    assert!(!told.is_empty() && told.len() < 16 && told.iter().all(|&latency| latency > -0.03), "{text}");
}

#[test]
fn the_log_tells_what_was_said() {
    let scene = Scene::new();
    let words = "-rounds 1 -games 1 -each tc=60+1 -maxmoves 2 -quiet -log level=trace file";
    let ended = scene.play("good", "bad-pv", &format!("{words}=log"));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let log = scene.read("log");
    for part in
        ["A <- uci\n", "A -> uciok\n", "B <- position startpos moves ", "B -> bestmove ", "Started game 1"]
    {
        assert!(log.contains(part), "{part} in {log}");
    }
    assert!(log.contains("[Warning] B shows a wrong line"), "{log}");
    // One that cannot be written loses no game, and that is told.
    for realtime in ["false", "true"] {
        let ended = scene.play("good", "good", &format!("{words}=/dev/full realtime={realtime}"));
        assert!(ended.code == Some(0) && ended.stdout.contains("Finished match"), "{}", ended.stdout);
        assert_eq!(
            ended.stderr.matches("lines of the log are missing: /dev/full: ").count(),
            1,
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn threads_are_told_before_the_hash_table_and_a_button_is_pressed_only_if_it_is_to_be() {
    for (press, lines) in [
        ("false", &["Threads value 1", "Hash value 32"][..]),
        ("true", &["Threads value 1", "Hash value 32", "Clear Hash"]),
    ] {
        let scene = Scene::new();
        let words = "-rounds 1 -games 1 -maxmoves 2 -each tc=60+1 option.Hash=32 option.Threads=1";
        let mut command = scene.command("good", "good", words);
        command.args(["-each", &format!("option.Clear Hash={press}")]);
        let ended = finish(command.spawn().unwrap());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let log = scene.read("A.log");
        let told = log.lines().filter_map(|line| line.split_once(" setoption name "));
        assert_eq!(told.map(|(_, option)| option).collect::<Vec<_>>(), lines, "{log}");
        scene.assert_well_spoken();
    }
}
