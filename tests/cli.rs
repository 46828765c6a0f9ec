//! The commands besides UCI, run as a user runs them.

mod support;

use std::process::{Command, Stdio};
use support::folder::Folder;
use support::{adoube, text};

#[test]
fn perft_counts_and_divides() {
    let out = adoube(&["perft", "4"]);
    assert_eq!(text(&out.stdout).lines().last(), Some("Nodes searched: 197281"));
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    let out = adoube(&["perft", "3", "--divide", "--threads", "2", "--hash", "4", "--fen", kiwipete]);
    let lines: Vec<String> = text(&out.stdout).lines().map(str::to_string).collect();
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 97862"));
    let parts = lines.iter().filter_map(|line| line.split_once(": ")).filter(|(mv, _)| mv.len() == 4);
    assert_eq!(parts.map(|(_, nodes)| nodes.parse::<u64>().unwrap()).sum::<u64>(), 97_862);
    assert!(lines.iter().any(|line| line.starts_with("e1g1: ")), "castling as UCI writes it");
}

#[test]
fn the_bench_is_a_signature_and_its_last_line_is_what_tools_read() {
    let signature = || {
        let out = text(&adoube(&["bench", "6"]).stdout);
        let last = out.lines().last().unwrap().to_string();
        let words: Vec<&str> = last.split(' ').collect();
        assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{last}");
        words[0].parse::<u64>().unwrap()
    };
    assert_eq!(signature(), signature());
}

/// As scripts and programs that know Stockfish write it.
#[test]
fn the_bench_takes_stockfishs_words() {
    let nodes = |arguments: &[&str]| {
        let out = text(&adoube(&[&["bench"], arguments].concat()).stdout).to_string();
        let line =
            out.lines().find(|line| line.ends_with(" nps")).unwrap_or_else(|| panic!("{arguments:?}: {out}"));
        (line.split(' ').next().unwrap().parse::<u64>().unwrap(), out)
    };
    let (ours, out) = nodes(&["6", "1", "16"]);
    assert!(!out.contains("Nodes searched"), "{out}");
    let (theirs, out) = nodes(&["16", "1", "6", "default", "depth"]);
    assert_eq!(theirs, ours);
    let found = out.lines().find_map(|line| line.strip_prefix("Nodes searched  : "));
    assert_eq!(found, Some(&*ours.to_string()), "{out}");
    assert!(out.lines().last().unwrap().starts_with("Nodes/second    : "), "{out}");
    assert_eq!(nodes(&["1", "1", "3", "current", "perft"]).0, 8_902);
    let file = std::env::temp_dir().join(format!("adoube-bench-{}.fen", std::process::id()));
    std::fs::write(&file, "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\n4k3/8/8/8/8/8/8/4K3 b - -\n").unwrap();
    let name = file.to_str().unwrap();
    assert_eq!(nodes(&["1", "1", "1", name, "perft"]).0, 15 + 5);
    assert!(nodes(&["1", "1", "500", name, "nodes"]).1.contains("position 2/2: "));
    std::fs::write(&file, "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n4k3 w\n").unwrap();
    for (words, status, told) in [
        (["1", "1", "1", name, "depth"], 1, format!("{name}, line 2: ")),
        (["1", "1", "1", "no such file", "depth"], 1, "no such file: ".to_string()),
        (["1", "1", "1", "default", "eval"], 2, "'eval' is no kind of limit".to_string()),
        (["1", "0", "1", "default", "depth"], 2, "invalid threads '0'".to_string()),
    ] {
        let out = adoube(&[&["bench"], &words[..]].concat());
        let errors = text(&out.stderr);
        assert!(out.status.code() == Some(status) && errors.contains(&told), "{words:?}: {errors}");
    }
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_bench_that_nobody_reads_ends() {
    let folder = Folder::new("unread-bench");
    let positions = folder.join("positions.epd");
    // Nothing to search, and what would take for ever.
    std::fs::write(
        &positions,
        "k7/8/8/8/8/8/8/K7 w - -\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n",
    )
    .unwrap();
    let mut bench = Command::new(env!("CARGO_BIN_EXE_adoube"));
    bench.args(["bench", "1", "1", "100"]).arg(&positions).arg("depth").stdout(Stdio::piped());
    let mut child = support::Killed(Some(bench.spawn().unwrap()));
    drop(child.0.as_mut().unwrap().stdout.take());
    support::wait_until("the bench ends", || child.has_ended());
}

#[test]
fn a_demonstration_game_is_played_shown_and_kept() {
    let folder = Folder::new("demonstration");
    let file = folder.join("game.pgn");
    let file_name = file.to_str().unwrap();
    for games in 1..=2 {
        let out = adoube(&["match", "--time", "1.5", "--increment", "0.05", "--pgn", file_name]);
        let shown = text(&out.stdout);
        let result = shown.lines().find_map(|line| line.strip_prefix("Result: ")).expect("a result");
        let result = result.split(' ').next().unwrap();
        let pgn = std::fs::read_to_string(&file).unwrap();
        assert_eq!(pgn.matches("[White \"Adoube").count(), games, "each game is added");
        assert!(pgn.trim_end().ends_with(result), "{result}: {pgn}");
        assert!(pgn.contains(&format!("[Result \"{result}\"]")) && pgn.contains("1. "), "{pgn}");
        assert!(shown.contains("White") && shown.contains(" a b c d e f g h"), "{shown}");
    }
}

#[test]
fn sprt_tells_the_ratio_the_bounds_and_the_verdict() {
    for (arguments, lines) in [
        (
            &["--penta", "365,16618,36229,16974,390", "--elo0", "0", "--elo1", "2"][..],
            &["LLR: 2.2503677035", "Bounds: -2.9444389792 to 2.9444389792", "Verdict: go on"][..],
        ),
        (
            &["--penta", "[10, 200, 450, 260, 20]", "--elo0=0", "--elo1=5", "--model=logistic"],
            &["LLR: 3.1162072964", "Verdict: H1 was accepted", "Games: 1880, Points: 980.0 (52.13 %)"],
        ),
        (
            &["--wdl", "36433,68692,36027", "--elo0", "0", "--elo1", "2", "--beta", "0.1"],
            &["LLR: 0.9232934509", "Bounds: -2.2512917986 to 2.8903717579"],
        ),
        (
            &["--wdl", "300,450,250", "--elo0", "0", "--elo1", "5", "--model", "bayesian"],
            &["LLR: 0.9248076145"],
        ),
        (
            &["--wdl", "0,0,3", "--elo0", "-50", "--elo1", "-5"],
            &["Verdict: go on", "Games: 3, Points: 0.0 (0.00 %)"],
        ),
    ] {
        let out = adoube(&[&["sprt"], arguments].concat());
        assert_eq!(out.status.code(), Some(0), "{arguments:?} {}", text(&out.stderr));
        let shown = text(&out.stdout);
        assert!(shown.starts_with("LLR: "), "{shown}");
        for line in lines {
            assert!(shown.lines().any(|shown| shown == *line), "{arguments:?} {line}: {shown}");
        }
        let regularised = arguments.contains(&"0,0,3");
        assert_eq!(shown.contains("Regularised: Elo ("), regularised, "{shown}");
    }
}

#[test]
fn mistakes_are_told_and_have_their_exit_status() {
    for (arguments, status, hint) in [
        (&["perftt", "5"][..], 2, "perft"),
        (&["--x"], 2, "Usage: adoube [COMMAND]"),
        (&["--"], 2, "Usage: adoube [COMMAND]"),
        (&["perft"], 2, "<DEPTH>"),
        (&["perft", "300"], 2, "245"),
        (&["perft", "3", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], 2, "king"),
        (&["perft", "3", "--fen", "x"], 2, "'--fen <FEN>'"),
        (&["bench", "x"], 2, "invalid"),
        (&["bench", "5", "1", "4000000000"], 1, "cannot be had"),
        (&["match", "everybody"], 2, "everybody"),
        (&["sprt", "--elo0", "0", "--elo1", "5"], 2, "--penta"),
        (&["sprt", "--wdl", "1,2,3", "--elo1", "5"], 2, "--elo0"),
        (&["sprt", "--elo0", "0", "--elo1", "5"], 2, "<--penta <LL,LD,DD,WD,WW>|--wdl <W,D,L>>"),
        (
            &["sprt", "--wdl", "1,2,3", "--penta", "1,2,3,4,5", "--elo0", "0", "--elo1", "5"],
            2,
            "cannot be used",
        ),
        (&["sprt", "--wdl", "1,2", "--elo0", "0", "--elo1", "5"], 2, "expected 3 numbers"),
        (
            &["sprt", "--penta", "-1,2,3,4,5", "--elo0", "0", "--elo1", "5"],
            2,
            "'-1' is not a number of games",
        ),
        (
            &["sprt", "--wdl", "1,2,3", "--elo0", "5", "--elo1", "-5"],
            2,
            "elo0 (5) must be less than elo1 (-5)",
        ),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "nan", "--elo1", "5"], 2, "elo0 is NaN"),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "0", "--elo1", "5", "--alpha", "0.5"], 2, "alpha is 0.5"),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "0", "--elo1", "5", "--beta", "-0.1"], 2, "beta is -0.1"),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "0", "--elo1", "5", "--model", "x"], 2, "logistic"),
        (
            &["sprt", "--penta", "1,2,3,4,5", "--elo0", "0", "--elo1", "5", "--model", "bayesian"],
            2,
            "give --wdl instead",
        ),
        (&["match", "--time=-1"], 2, "seconds"),
        (&["match", "--time=0", "--pgn", "/no/such/folder/game.pgn"], 2, "more than 0 seconds"),
        (&["book", "suite", "--threads", "1025"], 2, "1..=1024"),
        (&["match", "-engine", "cmd=a", "-concurency", "2"], 2, "did you mean '-concurrency'?"),
        (&["match", "--compliance"], 2, "ENGINE"),
        (&["match", "--pgn", "/no/such/folder/game.pgn"], 1, "/no/such/folder/game.pgn"),
    ] {
        let out = adoube(arguments);
        assert_eq!(out.status.code(), Some(status), "{arguments:?}");
        let told = text(&out.stderr);
        assert!(told.contains(hint), "{arguments:?}: {told}");
    }
}

#[test]
fn help_of_a_match_is_that_of_its_words() {
    let shown = |arguments: &[&str]| text(&adoube(arguments).stdout);
    let words = shown(&["help", "match"]);
    assert!(words.contains("-engine") && words == shown(&["match", "-help"]), "{words}");
}

/// OpenBench asks for the speed of an engine with a network of its own so.
#[test]
fn commands_in_arguments_are_finished_before_the_last_one_quits() {
    let shown =
        text(&adoube(&["setoption name EvalFile value classic", "bench 2", "go perft 3", "quit"]).stdout);
    assert!(shown.contains(" nps\n") && shown.contains("Nodes searched: 8902"), "{shown}");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    for arguments in [
        &["bench", "1"][..],
        &["perft", "1"],
        &["go depth 1"],
        &["go perft 1", "quit"],
        &["--version"],
        &["help", "sprt"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let done = Command::new(env!("CARGO_BIN_EXE_adoube"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .unwrap();
        let told = text(&done.stderr);
        assert!(done.status.code() == Some(1) && told.contains("os error 28"), "{arguments:?}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_limit_on_files_is_a_failure_and_no_end_without_a_word() {
    let folder = Folder::new("limit");
    let file = folder.join("said");
    for work in ["book chess960", "'go depth 12'"] {
        let line = format!("ulimit -f 1; exec \"$0\" {work} > \"$1\"");
        let mut limited = Command::new("sh");
        limited.args(["-c", &line, env!("CARGO_BIN_EXE_adoube")]).arg(&file).stdin(Stdio::null());
        let done = limited.output().unwrap();
        std::fs::remove_file(&file).unwrap();
        let told = text(&done.stderr);
        assert!(
            done.status.code() == Some(1) && told.contains("File too large"),
            "{:?}: {told}",
            done.status
        );
    }
}

/// So little memory that this or that cannot be had: what there is room for is done, and what there is none for is named.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_cannot_be_had_is_named() {
    for (kilobytes, threads) in [
        (20_000, 1),
        (45_000, 1),
        (57_000, 1),
        (66_000, 1),
        (74_000, 1),
        (77_000, 1),
        (110_000, 1),
        (300_000, 64),
    ] {
        let line = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
        let mut limited = Command::new("sh");
        limited.args(["-c", &line, env!("CARGO_BIN_EXE_adoube"), "setoption name Hash value 65536"]);
        limited.arg(format!("setoption name Threads value {threads}")).arg("go depth 1").stdin(Stdio::null());
        let done = limited.output().unwrap();
        let (said, told) = (text(&done.stdout), text(&done.stderr));
        match done.status.code() {
            Some(0) => assert!(
                said.contains("bestmove") && said.contains("65536 MB cannot be had"),
                "{kilobytes}: {said}"
            ),
            // The system may not even have loaded the program.
            Some(127) => {}
            status => {
                assert!(status == Some(1) && told.contains("cannot be had"), "{kilobytes}: {status:?} {told}")
            }
        }
        assert!(!told.contains("this machine has"), "{kilobytes}: {told}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_has_to_read_the_mistakes() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for (arguments, status) in
        [(&["match", "-nonsense"][..], 2), (&["perft", "3", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], 2)]
    {
        let done = Command::new(env!("CARGO_BIN_EXE_adoube"))
            .args(arguments)
            .stdin(Stdio::null())
            .stderr(full.try_clone().unwrap())
            .status();
        assert_eq!(done.unwrap().code(), Some(status), "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_there_and_commands_may_be_arguments() {
    let help = text(&adoube(&["--help"]).stdout);
    for word in ["bench", "perft", "match", "sprt", "train", "UCI"] {
        assert!(help.contains(word), "{help}");
    }
    // Each command is told by its own line.
    for (word, about) in [("match", "Play a match of engines"), ("book", "Make and check files of openings")]
    {
        let line = help.lines().find(|line| line.trim_start().starts_with(word)).expect("a line of help");
        assert!(line.trim_start()[word.len()..].trim_start().starts_with(about), "{line}");
    }
    assert!(text(&adoube(&["--version"]).stdout).starts_with("adoube "));
    assert!(text(&adoube(&["match", "-version"]).stdout).starts_with("adoube "));
    let help = text(&adoube(&["match", "--help"]).stdout);
    for word in ["--compliance ENGINE", "\n  -rounds N\n", "timemargin=MS"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    let wrong = text(&adoube(&["go perft x"]).stdout);
    assert!(wrong.contains("info string ERROR: 'go perft' expects a depth"), "{wrong}");
    let out = text(&adoube(&["position startpos moves e2e4", "go depth 3"]).stdout);
    assert!(out.lines().last().unwrap().starts_with("bestmove "), "{out}");
    let out = text(&adoube(&["go", "depth", "3", "quit"]).stdout);
    assert!(out.contains("info depth 3 "), "{out}");
    let out = text(&adoube(&["position", "startpos", "moves", "e2e4", "go", "perft", "2", "quit"]).stdout);
    assert!(out.contains("Nodes searched: 600\n"), "{out}");
}

/// What configuration files, journals and names of files hold may come from anywhere.
#[test]
fn words_of_others_do_not_move_the_cursor() {
    let folder = Folder::new("cursor");
    let words = folder.path("words");
    std::fs::write(&words, "-foo\u{1b}[2J\u{1b}]0;pwned\u{7}\n-bär\u{202e}\n").unwrap();
    let config = format!("file={words}");
    for (arguments, status, quoted) in [
        (
            &["match", "-config", &config][..],
            2,
            &["-foo\\u{1b}[2J\\u{1b}]0;pwned\\u{7}", "-bär\\u{202e}"][..],
        ),
        (&["data", "stats", "é\u{1b}[2J\u{9b}"], 1, &["é\\u{1b}[2J\\u{9b}"]),
        (&["bench", "1", "1", "1", "default", "é\u{1b}[2J"], 2, &["'é\\u{1b}[2J'"]),
    ] {
        let out = adoube(arguments);
        let told = text(&out.stderr);
        assert_eq!(out.status.code(), Some(status), "{arguments:?}: {told}");
        assert!(quoted.iter().all(|quoted| told.contains(quoted)), "{arguments:?}: {told:?}");
        let is_raw = |c: char| c == '\u{202e}' || c.is_control() && c != '\n';
        assert!(!told.contains(is_raw), "{arguments:?}: {told:?}");
    }
}

#[test]
fn start_positions_are_printed_by_number_and_by_lot() {
    let print = |arguments: &[&str]| {
        let out = adoube(&[&["book", "chess960"], arguments].concat());
        (out.status.code(), text(&out.stdout), text(&out.stderr))
    };
    let (status, shown, _) = print(&["518", "0"]);
    let expected = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"Chess960 position 518\";\n\
        bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - id \"Chess960 position 0\";\n";
    assert_eq!((status, shown.as_str()), (Some(0), expected));
    let all = print(&[]).1;
    let different: std::collections::HashSet<&str> = all.lines().collect();
    assert_eq!((all.lines().count(), different.len()), (960, 960));
    let lot = print(&["--lot", "5", "--seed", "3"]).1;
    assert_eq!(lot.lines().filter(|line| different.contains(line)).count(), 5);
    assert_eq!(lot, print(&["--lot", "5", "--seed", "3"]).1);
    assert_ne!(lot, print(&["--lot", "5", "--seed", "4"]).1);
    for (arguments, hint) in [
        (&["960"][..], "960 is not in 0..=959"),
        (&["-1"], "-1 is not in 0..=959"),
        (&["--lot", "-1"], "-1 is not in 1..=960"),
        (&["--lot", "0"], "1..=960"),
        (&["7", "--lot", "2"], "cannot be used with"),
    ] {
        let (status, _, error) = print(arguments);
        assert_eq!(status, Some(2), "{arguments:?}");
        assert!(error.contains(hint), "{arguments:?}: {error}");
    }
}
