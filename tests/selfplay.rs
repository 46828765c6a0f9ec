//! Self-play data as a user makes it and works on it.

mod support;

use adoube::eval::wdl::centipawns;
use adoube::training::data::{DataReader, DataWriter, Ending, Origin, SelfplayGame};
use adoube::types::{Color, Outcome, PieceType};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use support::{Killed, wait_until};

/// A folder that no other test uses, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("adoube-selfplay-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn adoube(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into()
}

/// What the command prints; it must succeed.
fn done(arguments: &[&str]) -> String {
    let out = adoube(arguments);
    assert!(out.status.success(), "{arguments:?}: {}", text(&out.stderr));
    text(&out.stdout)
}

/// What the command says; it must fail with this status.
fn refused(arguments: &[&str], status: i32) -> String {
    let out = adoube(arguments);
    assert_eq!(out.status.code(), Some(status), "{arguments:?}: {}", text(&out.stderr));
    text(&out.stderr)
}

fn bytes(file: &str) -> Vec<u8> {
    std::fs::read(file).unwrap()
}

fn length(file: &str) -> u64 {
    std::fs::metadata(file).map_or(0, |about| about.len())
}

/// The number behind a word at the beginning of a line.
fn number(report: &str, word: &str) -> f64 {
    let line =
        report.lines().find(|line| line.trim_start().starts_with(word)).unwrap_or_else(|| panic!("{report}"));
    line.trim_start()[word.len()..].split_whitespace().next().unwrap().parse().unwrap()
}

const FAST: [&str; 8] = ["--nodes", "15", "--hash", "1", "--opening-nodes", "50", "--eval-file", "classic"];

fn play(file: &str, more: &[&str]) -> String {
    done(&[&["selfplay", file][..], &FAST, more].concat())
}

#[test]
fn the_file_is_the_same_with_any_number_of_threads_and_after_any_interruption() {
    let folder = Folder::new("same");
    let (one, three, cut) = (folder.path("one"), folder.path("three"), folder.path("cut"));
    play(&one, &["--games", "300"]);
    play(&three, &["--games", "300", "--threads", "3"]);
    let whole = bytes(&one);
    assert!(whole == bytes(&three));
    let other = folder.path("other");
    play(&other, &["--games", "300", "--seed", "2"]);
    assert!(whole != bytes(&other), "the seed says something");
    // In steps.
    play(&cut, &["--games", "7"]);
    play(&cut, &["--games", "270", "--threads", "2"]);
    play(&cut, &["--games", "300"]);
    assert!(whole == bytes(&cut));
    // Cut in the header, in the first block, in the second, in its head, and not at all.
    for length in [0, 100, 5_000, whole.len() - 1, whole.len() - 2_000, whole.len()] {
        std::fs::write(&cut, &whole[..length]).unwrap();
        play(&cut, &["--games", "300", "--threads", "2"]);
        assert!(whole == bytes(&cut), "cut at {length} of {}", whole.len());
    }
    assert_eq!(done(&["data", "verify", &one]).lines().count(), 1);
}

#[test]
fn a_killed_run_goes_on() {
    let folder = Folder::new("killed");
    let file = folder.path("games");
    let arguments = [&["selfplay", &file][..], &FAST, &["--games", "600", "--threads", "2"]].concat();
    let child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let child = Killed(Some(child));
    wait_until("the first block", || length(&file) >= 2_000);
    drop(child);
    let cut = length(&file);
    done(&arguments);
    assert!(cut < length(&file), "it was done before it was killed");
    let straight = folder.path("straight");
    play(&straight, &["--games", "600"]);
    assert!(bytes(&file) == bytes(&straight));
}

#[cfg(unix)]
#[test]
fn a_run_whose_file_is_removed_writes_it_again_and_fails() {
    let folder = Folder::new("removed");
    let file = folder.path("games");
    let arguments = [&["selfplay", &file][..], &FAST, &["--games", "1000000"]].concat();
    let child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut child = Killed(Some(child));
    wait_until("the first block", || length(&file) >= 2_000);
    std::fs::remove_file(&file).unwrap();
    wait_until("it ends", || child.has_ended());
    let out = child.take().wait_with_output().unwrap();
    let told = text(&out.stderr);
    assert!(out.status.code() == Some(1) && told.contains("somebody has removed or renamed it"), "{told}");
    // What was in it, at least one block.
    let verified = done(&["data", "verify", &file]);
    assert!(verified.contains("whole") && number(&done(&["data", "stats", &file]), "games") >= 256.0);
}

/// What cannot be begun is told in its turn, with any number of threads, and what was played before stays.
#[test]
fn an_opening_that_fails_costs_no_game_before_it() {
    let folder = Folder::new("failing");
    let book = folder.path("odd.epd");
    // Random moves make good for the queen that is missing so seldom that two or so games come before they do not.
    std::fs::write(&book, "rnb1kb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n").unwrap();
    let mut kept = vec![];
    for threads in ["1", "4"] {
        let file = folder.path(threads);
        let words = "--nodes 15 --hash 1 --opening-nodes 1 --eval-file classic --random-plies 4 --opening-limit 100 --games 1000000";
        let more = ["--openings", &book, "--threads", threads];
        let words: Vec<&str> = words.split(' ').chain(more).collect();
        let told = refused(&[&["selfplay", &file][..], &words].concat(), 1);
        assert!(told.contains("openings in a row were unbalanced, over or too long"), "{told}");
        assert!(number(&done(&["data", "stats", &file]), "games") >= 1.0);
        kept.push(bytes(&file));
    }
    assert!(kept[0] == kept[1]);
    assert!(done(&["data", "verify", &folder.path("1")]).contains("whole"));
    // It is over, or there is no move left for it, but nobody is mated.
    for (start, more) in [
        ("4k3/8/8/8/8/8/r7/4K2R w - - 120 80", &["--random-plies", "0"][..]),
        (
            "[FEN \"4k3/8/8/8/8/8/r7/4K2R w - - 0 1\"]\n\n1. Kf1 Ke7 2. Ke1 Ke8 *",
            &["--random-plies", "0", "--longest", "4"][..],
        ),
    ] {
        let book = folder.path(if start.starts_with('[') { "over.pgn" } else { "over.epd" });
        std::fs::write(&book, format!("{start}\n")).unwrap();
        let file = folder.path("over");
        let words = ["--openings", &book, "--opening-limit", "30000", "--games", "2"];
        let told = refused(&[&["selfplay", &file][..], &FAST, &words, more].concat(), 1);
        assert!(told.contains("10000 openings in a row were unbalanced, over or too long"), "{told}");
        assert!(told.contains("a greater --opening-limit or --longest"), "{told}");
        std::fs::remove_file(&file).unwrap();
    }
}

/// Which opening a game has follows from its number: with a failure the same command would fail at it again.
#[test]
fn openings_that_are_too_long_are_drawn_again() {
    let folder = Folder::new("long");
    let (book, file) = (folder.path("book.pgn"), folder.path("games"));
    let long = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Nc3 Nc6 5. e3 e6 6. d3 d6 *";
    std::fs::write(&book, format!("[White \"a\"]\n\n{long}\n\n[White \"b\"]\n\n1. e3 e6 *\n")).unwrap();
    play(&file, &["--games", "20", "--openings", &book, "--random-plies", "0", "--longest", "12"]);
    let games = DataReader::open(Path::new(&file)).unwrap().map(Result::unwrap);
    let before = games.map(|game| game.plies.iter().take_while(|ply| ply.score.is_none()).count());
    assert_eq!(before.filter(|plies| [2, 3].contains(plies)).count(), 20);
}

#[cfg(unix)]
#[test]
fn a_full_disk_costs_nothing_that_was_written() {
    let folder = Folder::new("full");
    let (file, straight) = (folder.path("games"), folder.path("straight"));
    play(&file, &["--games", "150"]);
    let before = bytes(&file);
    let more = [&["selfplay", &file][..], &FAST, &["--games", "300"]].concat();
    // In blocks of 512 bytes: enough for what is there, too little for a whole block in its place.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", before.len() / 512 + 4);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_adoube")]).args(&more).stdin(Stdio::null());
    let out = shell.output().unwrap();
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains(&file), "{}", text(&out.stderr));
    assert!(bytes(&file) == before);
    done(&more);
    play(&straight, &["--games", "300"]);
    assert!(bytes(&file) == bytes(&straight));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_what_is_whole() {
    let folder = Folder::new("ctrl-c");
    let file = folder.path("games");
    let arguments = [&["selfplay", &file][..], &FAST, &["--games", "1000000"]].concat();
    let child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut child = Killed(Some(child));
    wait_until("the first block", || length(&file) >= 2_000);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let out = child.take().wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("adoube: stopped; the same command goes on"));
    assert!(done(&["data", "verify", &file]).contains("whole"));
}

/// A search that would take hours does not keep the run from ending.
#[cfg(unix)]
#[test]
fn ctrl_c_waits_for_no_search() {
    let folder = Folder::new("long-search");
    let file = folder.path("games");
    let words = "--nodes 100000000000 --hash 1 --opening-nodes 50 --eval-file classic --games 1 --threads 2";
    let arguments: Vec<&str> = ["selfplay", &file].into_iter().chain(words.split(' ')).collect();
    let child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut child = Killed(Some(child));
    wait_until("the header", || length(&file) > 0);
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    wait_until("it ends", || child.has_ended());
    assert_eq!(child.take().wait_with_output().unwrap().status.code(), Some(1));
}

#[cfg(unix)]
#[test]
fn what_is_replaced_is_a_file_and_not_the_link_to_it() {
    let folder = Folder::new("replaced");
    let [games, pipe, file, link] = ["games", "pipe", "file", "link"].map(|name| folder.path(name));
    let nowhere = folder.path("nowhere");
    std::os::unix::fs::symlink(folder.path("none"), &nowhere).unwrap();
    play(&games, &["--games", "2"]);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink(&file, &link).unwrap();
    std::fs::write(&file, "old").unwrap();
    let suite =
        ["book", "suite", "--count", "1", "--plies", "2", "--nodes", "100", "--move-nodes", "100", "--out"];
    let filter = |to| ["data", "filter", &games, to, "--force"].map(String::from);
    for words in [
        suite.iter().map(ToString::to_string).chain([pipe.clone()]).collect::<Vec<_>>(),
        filter(&pipe).to_vec(),
    ] {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert!(refused(&words, 1).contains("is no plain file"), "{words:?}");
        assert!(!std::fs::metadata(&pipe).unwrap().is_file());
    }
    assert!(refused(&[&suite[..], &[&nowhere]].concat(), 1).contains("leads nowhere"));
    done(&[&suite[..], &[&link]].concat());
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(std::fs::read_to_string(&file).unwrap().contains(" id "));
    done(&["data", "filter", &games, &link, "--force"]);
    assert!(
        std::fs::symlink_metadata(&link).unwrap().is_symlink()
            && done(&["data", "verify", &file]).contains("whole")
    );
}

/// It would wait for ever for somebody at the other end.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_of_games() {
    let folder = Folder::new("pipe");
    let (pipe, out) = (folder.path("pipe"), folder.path("n.nnue"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for words in [
        &["selfplay", &pipe, "--games", "1"][..],
        &["data", "stats", &pipe],
        &["data", "verify", &pipe],
        &["train", &pipe, "--out", &out],
        &["train", "--export-only", &pipe, "--out", &out],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = Killed(Some(command.spawn().unwrap()));
        wait_until("it refuses", || child.has_ended());
        let out = child.take().wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(1), "{words:?}");
        assert!(
            text(&out.stderr).contains("this is not an ordinary file"),
            "{words:?}: {}",
            text(&out.stderr)
        );
    }
}

#[test]
fn an_attempt_without_a_game_is_none_to_go_on_with() {
    let folder = Folder::new("no-game");
    let (file, won) = (folder.path("games"), folder.path("won.epd"));
    std::fs::write(&won, "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1\n").unwrap();
    let words =
        [&["selfplay", &file][..], &FAST, &["--games", "2", "--openings", &won, "--random-plies", "0"]]
            .concat();
    assert!(refused(&words, 1).contains("try a greater --opening-limit"));
    assert!(done(&["data", "verify", &file]).contains("0 games"));
    let empty = folder.path("empty");
    done(&["data", "filter", &file, &empty]);
    let other = [&["selfplay", &empty][..], &FAST, &["--games", "2"]].concat();
    assert!(refused(&other, 1).contains("made in another way"), "another command has made it");
    let other_seed = [&words[..], &["--opening-limit", "5000", "--seed", "77"]].concat();
    done(&[&words[..], &["--opening-limit", "5000"]].concat());
    let limit = refused(&[&words[..], &["--opening-limit", "5001"]].concat(), 1);
    assert!(limit.contains(r#"it has {"options":{"openings":{"limit":5000}}}"#), "{limit}");
    assert!(limit.contains(r#"this would be {"options":{"openings":{"limit":5001}}}"#), "{limit}");
    // Nothing that is the same.
    let seed = refused(&other_seed, 1);
    assert!(seed.contains(r#"this would be {"options":{"seed":77}}"#), "{seed}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_nothing_of_what_is_whole_or_not_at_all() {
    let folder = Folder::new("ctrl-c-part");
    let made = folder.path("made");
    let words = format!("book suite --count 100000 --nodes 100 --plies 4 --out {made}");
    let arguments: Vec<&str> = words.split(' ').collect();
    let child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut child = Killed(Some(child));
    let part = PathBuf::from(format!("{made}.{}.part", child.id()));
    wait_until(&words, || part.exists());
    interrupt(&child);
    let out = child.take().wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(130), "{words}: {}", text(&out.stderr));
    assert!(text(&out.stderr).contains("stopped; nothing is written"), "{}", text(&out.stderr));
    assert!(!part.exists() && !Path::new(&made).exists(), "{words}");
}

#[cfg(unix)]
fn interrupt(child: &Killed) {
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
}

#[test]
fn a_goal_in_positions_is_reached_with_the_first_game_that_does() {
    let folder = Folder::new("positions");
    let file = folder.path("games");
    play(&file, &["--positions", "900", "--threads", "2"]);
    let report = done(&["data", "stats", &file]);
    let (quiet, games) = (number(&report, "quiet positions"), number(&report, "games"));
    assert!(quiet >= 900.0, "{report}");
    assert!(number(&report, "half of the games are won with") > 0.0, "{report}");
    let fewer = folder.path("fewer");
    play(&fewer, &["--games", &format!("{}", games - 1.0)]);
    assert!(number(&done(&["data", "stats", &fewer]), "quiet positions") < 900.0);
    // Nothing is left to do.
    let before = bytes(&file);
    play(&file, &["--positions", "900"]);
    assert!(before == bytes(&file));
}

#[test]
fn games_are_what_the_options_say() {
    let folder = Folder::new("options");
    let file = folder.path("games");
    let plain = ["--games", "60", "--chess960", "0.5"];
    play(&file, &[&plain[..], &["--unadjudicated", "1", "--longest", "120"]].concat());
    let report = done(&["data", "stats", &file]);
    assert_eq!(number(&report, "games"), 60.0);
    assert_eq!(number(&report, "adjudicated win"), 0.0);
    assert_eq!(number(&report, "adjudicated draw"), 0.0);
    assert!(number(&report, "checkmate") > 0.0, "{report}");
    assert!(number(&report, "too long") > 0.0 && report.contains("to 120)"), "{report}");
    let size: f64 = report.rsplit_once('(').unwrap().1.split(' ').next().unwrap().parse().unwrap();
    assert!(size <= 4.0, "{size} bytes a ply");
    let adjudicated = folder.path("adjudicated");
    play(&adjudicated, &[&plain[..], &["--unadjudicated", "0", "--win-score", "300"]].concat());
    let report = done(&["data", "stats", &adjudicated]);
    assert!(number(&report, "adjudicated win") > 20.0, "{report}");
}

#[test]
fn games_begin_with_openings_of_a_file() {
    let folder = Folder::new("book");
    let (file, book) = (folder.path("games"), folder.path("book.epd"));
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -\n").unwrap();
    play(&file, &["--games", "5", "--openings", &book, "--random-plies", "2"]);
    assert!(done(&["data", "verify", &file]).contains("whole, 5 games"));
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 w - -\n").unwrap();
    let error = refused(
        &[&["selfplay", &file][..], &FAST, &["--games", "9", "--openings", &book, "--random-plies", "2"]]
            .concat(),
        1,
    );
    assert!(error.contains("made in another way"), "{error}");
    let missing = folder.path("missing.epd");
    let new = folder.path("new");
    let error = refused(&["selfplay", &new, "--games", "1", "--openings", &missing], 1);
    assert!(error.contains("missing.epd") && !Path::new(&new).exists(), "{error}");
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new("mistakes");
    let file = folder.path("games");
    assert!(refused(&["selfplay", &file], 2).contains("--games"));
    let limits = ["selfplay", &file, "--games", "1", "--nodes", "100", "--hard-nodes", "50"];
    // What is free is enough for one of two. Nothing is touched of it before it is used.
    if let Some(free) = adoube::sys::memory::available_megabytes() {
        let hash = (free * 2 / 3).to_string();
        let tables = refused(&["selfplay", &file, "--games", "1", "--threads", "2", "--hash", &hash], 1);
        assert!(tables.contains(&format!("2 hash tables of {hash} MB cannot be had")), "{tables}");
    }
    assert!(refused(&limits, 2).contains("--hard-nodes 50 is less than --nodes 100"));
    assert!(refused(&["selfplay", &file, "--games", "1", "--chess960", "10"], 2).contains("from 0 to 1"));
    assert!(refused(&["selfplay", &file, "--games", "1", "--eval-file", "no.nnue"], 1).contains("no.nnue"));
    assert!(!Path::new(&file).exists());
    play(&file, &["--games", "3"]);
    let other = [&["selfplay", &file][..], &FAST, &["--games", "3", "--seed", "9"]].concat();
    assert!(refused(&other, 1).contains("cannot be continued"));
    let foreign = folder.path("foreign");
    std::fs::write(&foreign, "[Event \"?\"]\n").unwrap();
    assert!(refused(&["selfplay", &foreign, "--games", "3"], 1).contains("no file of self-play games"));
    assert_eq!(bytes(&foreign), b"[Event \"?\"]\n");
    assert!(refused(&["data", "stats", &foreign], 1).contains("no file of self-play games"));
    assert!(refused(&["data", "verify", &folder.path("none")], 1).contains("none"));
    // The others are checked all the same.
    let verified = adoube(&["data", "verify", &foreign, &file]);
    assert!(verified.status.code() == Some(1) && text(&verified.stdout).contains("whole, 3 games"));
    let endless = ["selfplay", &folder.path("endless"), "--positions", "9", "--longest", "9"];
    assert!(refused(&endless, 2).contains("--longest 9 leaves no move behind --random-plies 8"));
    let many = ["selfplay", &folder.path("many"), "--games", "1", "--threads", "1025"];
    assert!(refused(&many, 2).contains("1..=1024"));
    let (one, two) = (folder.path("one"), folder.path("two"));
    let rounded = ["data", "split", &file, &one, &two, "--share", "0.0004"];
    assert!(refused(&rounded, 2).contains("at most three decimal places"));
    assert!(refused(&["data", "split", &file, &one, &one], 2).contains("both parts"));
    let shares = ["data", "mix", &two, &file, "--shares", "1,1"];
    assert!(refused(&shares, 2).contains("--shares has 2 numbers for 1 files"));
    let unknown = ["selfplay", &folder.path("unknown"), "--games", "1", "--openings", "foo.xyz"];
    assert!(refused(&unknown, 2).contains("the name does not tell the format"));
    assert!(refused(&["data", "filter", &file, &one, "--max-first-score=-1"], 2).contains("max-first-score"));
    assert!(refused(&["data", "filter", &file, &folder.path("."), "--force"], 1).contains("is a folder"));
    assert!(refused(&["data", "mix", &file, &file, "--force"], 1).contains("read and replaced at once"));
    let none = ["data", "filter", &file, &one, "--min-plies", "9", "--max-plies", "8"];
    assert!(refused(&none, 2).contains("no game has --min-plies 9 and --max-plies 8"));
    assert!(!Path::new(&one).exists() && !Path::new(&two).exists());
    let out = folder.path("out");
    assert!(refused(&["data", "mix", &out, &file, "--shares", "1,1"], 2).contains("2 numbers for 1 files"));
    std::fs::write(&out, "kept").unwrap();
    assert!(refused(&["data", "filter", &file, &out], 1).contains("--force"));
    assert_eq!(bytes(&out), b"kept");
    done(&["data", "filter", &file, &out, "--force"]);
    assert!(done(&["data", "verify", &out]).contains("3 games"));
    // No file of a failed command is left behind.
    let mut damaged = bytes(&file);
    let end = damaged.len() - 10;
    damaged[end] ^= 1;
    std::fs::write(&file, &damaged).unwrap();
    let made = folder.path("made");
    let error = refused(&["data", "filter", &file, &made], 1);
    assert!(error.contains("at byte") && error.contains("checksum"), "{error}");
    let names: Vec<_> =
        std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().contains("part")), "{names:?}");
    assert!(refused(&["data", "verify", &file], 1).contains("checksum"));
    assert!(done(&["data", "filter", &file, &made, "--skip-damaged"]).contains("0 games"));
}

#[test]
fn files_are_divided_mixed_and_sorted_out_without_loss() {
    let folder = Folder::new("work");
    let (a, b) = (folder.path("a"), folder.path("b"));
    play(&a, &["--games", "200"]);
    play(&b, &["--games", "100", "--seed", "2"]);
    let (most, part) = (folder.path("most"), folder.path("part"));
    done(&["data", "split", &a, &most, &part, "--share", "0.2"]);
    let games = |file: &str| number(&done(&["data", "stats", file]), "games");
    let plies = |file: &str| number(&done(&["data", "stats", file]), "plies");
    assert_eq!(games(&most) + games(&part), 200.0);
    assert!((20.0..60.0).contains(&games(&part)), "{}", games(&part));
    assert_eq!(plies(&most) + plies(&part), plies(&a));
    let mixed = folder.path("mixed");
    done(&["data", "mix", &mixed, &most, &part, &b]);
    assert_eq!((games(&mixed), plies(&mixed)), (300.0, plies(&a) + plies(&b)));
    assert!(done(&["data", "verify", &mixed]).contains("whole"));
    done(&["data", "mix", &mixed, &a, &b, "--shares", "0.5,1", "--force"]);
    assert!((160.0..240.0).contains(&games(&mixed)), "{}", games(&mixed));
    let (won, drawn) = (folder.path("won"), folder.path("drawn"));
    done(&["data", "filter", &a, &won, "--result", "white,black", "--min-plies", "30"]);
    done(&["data", "filter", &a, &drawn, "--result", "draw"]);
    let report = done(&["data", "stats", &won]);
    assert_eq!(number(&report, "drawn"), 0.0);
    assert!(games(&won) > 0.0 && games(&won) + games(&drawn) <= 200.0);
    let (short, long) = (folder.path("short"), folder.path("long"));
    done(&["data", "filter", &a, &short, "--max-plies", "29"]);
    done(&["data", "filter", &a, &long, "--min-plies", "30"]);
    assert_eq!(games(&short) + games(&long), 200.0);
    assert!(games(&short) > 0.0 && plies(&short) <= 29.0 * games(&short), "{}", plies(&short));
    assert!(games(&long) > 0.0 && plies(&long) >= 30.0 * games(&long), "{}", plies(&long));
}

#[test]
fn a_mixture_of_any_number_of_files_can_be_read() {
    let folder = Folder::new("many");
    let (file, some, many) = (folder.path("games"), folder.path("some"), folder.path("many"));
    play(&file, &["--games", "1"]);
    // Together more than a header may say of its sources.
    done(&[&["data", "mix", &some][..], &[file.as_str(); 60]].concat());
    done(&[&["data", "mix", &many][..], &[some.as_str(); 60]].concat());
    assert!(60 * bytes(&some).len() > 1 << 20);
    assert!(done(&["data", "verify", &many]).contains("whole, 3600 games"));
}

/// As many as the system allows, whatever the shell does.
#[cfg(unix)]
#[test]
fn a_mixture_of_more_files_than_may_be_open_is_told_what_helps() {
    let folder = Folder::new("open");
    let (file, mixed) = (folder.path("games"), folder.path("mixed"));
    play(&file, &["--games", "1"]);
    let words = [&["data", "mix", &mixed][..], &[file.as_str(); 60]].concat();
    let mix = |limit: &str| {
        let script = format!("ulimit {limit} 40; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_adoube")]).args(&words).stdin(Stdio::null());
        shell.output().unwrap()
    };
    let soft = mix("-Sn");
    assert!(soft.status.success(), "{}", text(&soft.stderr));
    std::fs::remove_file(&mixed).unwrap();
    let hard = text(&mix("-n").stderr);
    assert!(hard.contains(&file) && hard.contains("a higher limit (ulimit -n) help"), "{hard}");
    assert!(!Path::new(&mixed).exists());
}

/// What is damaged has no games that are counted, so that nobody would ask for what is behind the last good block.
#[test]
fn damage_at_the_end_of_a_file_is_not_mixed_away() {
    let folder = Folder::new("mixed-damage");
    let (file, good, mixed) = (folder.path("games"), folder.path("good"), folder.path("mixed"));
    play(&file, &["--games", "300"]);
    play(&good, &["--games", "20", "--seed", "2"]);
    let whole = bytes(&file);
    // The second of two blocks, and all that there is.
    for (length, left) in [(whole.len() - 100, 256), (5_000, 0)] {
        std::fs::write(&file, &whole[..length]).unwrap();
        let told = refused(&["data", "mix", &mixed, &file, &good], 1);
        assert!(
            told.contains("at byte") && told.contains("is damaged") && !Path::new(&mixed).exists(),
            "{told}"
        );
        let out = adoube(&["data", "mix", &mixed, &file, &good, "--skip-damaged"]);
        assert!(text(&out.stdout).contains(&format!("{} games are in", left + 20)), "{}", text(&out.stdout));
        assert_eq!(text(&out.stderr).matches("left out").count(), 1, "{}", text(&out.stderr));
        std::fs::remove_file(&mixed).unwrap();
    }
}

#[test]
fn scores_are_made_anew_and_moves_stay() {
    let folder = Folder::new("rescore");
    let (file, one, two) = (folder.path("games"), folder.path("one"), folder.path("two"));
    play(&file, &["--games", "12"]);
    let deeper = ["--nodes", "60", "--hash", "1", "--eval-file", "classic"];
    done(&[&["data", "rescore", &file, &one][..], &deeper].concat());
    done(&[&["data", "rescore", &file, &two, "--threads", "3"][..], &deeper].concat());
    assert!(bytes(&one) == bytes(&two));
    let (before, after) = (done(&["data", "stats", &file]), done(&["data", "stats", &one]));
    assert_eq!(number(&before, "plies"), number(&after, "plies"));
    assert_eq!(number(&before, "searched"), number(&after, "searched"));
    let scores = |report: &str| report.split_once("scores of quiet").unwrap().1.to_string();
    assert_ne!(scores(&before), scores(&after));
    // Searches of a game begin with nothing, whatever was searched for its opening: they can be made again.
    let again = folder.path("again");
    done(&["data", "rescore", &file, &again, "--nodes", "15", "--hash", "1", "--eval-file", "classic"]);
    let games =
        |file: &str| DataReader::open(Path::new(file)).unwrap().map(Result::unwrap).collect::<Vec<_>>();
    assert!(games(&file) == games(&again));
}

/// What is done of a file whose games are scored anew.
fn part_of(made: &str) -> String {
    format!("{made}.part")
}

/// The games of a file, and what it says of itself.
fn read(file: &str) -> (Vec<SelfplayGame>, Origin) {
    let reader = DataReader::open(Path::new(file)).unwrap();
    let origin = reader.origin().clone();
    (reader.map(Result::unwrap).collect(), origin)
}

fn write(file: &str, origin: &Origin, games: &[SelfplayGame]) {
    let mut writer = DataWriter::create(Path::new(file), origin).unwrap();
    games.iter().for_each(|game| writer.push(game.clone()).unwrap());
    writer.finish().unwrap();
}

#[test]
fn rescoring_goes_on_behind_what_is_done() {
    let folder = Folder::new("rescore-resume");
    let (file, made) = (folder.path("games"), folder.path("made"));
    play(&file, &["--games", "20"]);
    let words = ["data", "rescore", &file, &made, "--nodes", "20", "--hash", "1", "--eval-file", "classic"];
    assert!(done(&words).contains("20 games are in"));
    let (whole, part) = (bytes(&made), part_of(&made));
    assert!(!Path::new(&part).exists());
    let (games, origin) = read(&made);
    let go_on = || {
        std::fs::remove_file(&made).unwrap();
        let out = adoube(&words);
        assert!(out.status.success() && !Path::new(&part).exists(), "{}", text(&out.stderr));
        text(&out.stderr)
    };
    for kept in [1, 17, 20] {
        write(&part, &origin, &games[..kept]);
        let told = go_on();
        assert!(told.contains(&format!("{part} has {kept} games already and is gone on with")), "{told}");
        assert!(bytes(&made) == whole, "{kept} games");
    }
    // Cut in the header, behind it, in the block, and nowhere.
    for length in [0, 100, whole.len() - 1, whole.len()] {
        std::fs::write(&part, &whole[..length]).unwrap();
        go_on();
        assert!(bytes(&made) == whole, "cut at {length}");
    }
    // What is done is not done again.
    let mut other = games.clone();
    let ply = other[3].plies.iter_mut().find(|ply| ply.score.is_some()).unwrap();
    ply.score = ply.score.map(|score| -score);
    write(&part, &origin, &other[..5]);
    go_on();
    assert!(read(&made).0 == other);
    // The file that is there gives way when all is done.
    write(&part, &origin, &games[..5]);
    assert!(refused(&words, 1).contains("--force replaces it"));
    done(&[&words[..], &["--force"]].concat());
    assert!(bytes(&made) == whole && !Path::new(&part).exists());
}

#[cfg(unix)]
#[test]
fn what_is_rescored_is_kept_when_the_program_is_stopped_or_killed() {
    let folder = Folder::new("rescore-stopped");
    let (file, made) = (folder.path("games"), folder.path("made"));
    play(&file, &["--games", "20"]);
    let (mut games, origin) = read(&file);
    // Nothing is to be done for sixteen games, and the others are never done.
    games[..16].iter_mut().flat_map(|game| &mut game.plies).for_each(|ply| ply.score = None);
    write(&file, &origin, &games);
    let words = ["data", "rescore", &file, &made, "--nodes", "100000000000", "--eval-file", "classic"];
    let part = part_of(&made);
    let kept = || DataReader::open(Path::new(&part)).map_or(0, |games| games.map_while(Result::ok).count());
    let begin =
        || Killed(Some(command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()));
    let killed = begin();
    wait_until("what is done is kept", || kept() == 16);
    drop(killed);
    assert_eq!(kept(), 16);
    let mut stopped = begin();
    let mut lines = BufReader::new(stopped.0.as_mut().unwrap().stderr.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains(&format!("{part} has 16 games already and is gone on with")), "{first}");
    interrupt(&stopped);
    let told = lines.map(Result::unwrap).collect::<String>();
    assert!(told.contains("stopped with 16 of 20 games scored; the same command goes on"), "{told}");
    assert_eq!(stopped.take().wait().unwrap().code(), Some(1));
    assert!(kept() == 16 && !Path::new(&made).exists());
}

#[test]
fn what_was_scored_in_another_way_is_not_gone_on_with() {
    let folder = Folder::new("rescore-other");
    let (file, other, made) = (folder.path("games"), folder.path("other"), folder.path("made"));
    play(&file, &["--games", "6"]);
    play(&other, &["--games", "6", "--seed", "2"]);
    let usual = ["--nodes", "20", "--hash", "1", "--eval-file", "classic"];
    let words = |file, more| [&["data", "rescore", file, &made][..], &usual, more].concat();
    done(&words(&file, &[]));
    let (whole, part) = (bytes(&made), part_of(&made));
    std::fs::rename(&made, &part).unwrap();
    let network = ["data", "rescore", &file, &made, "--nodes", "20", "--hash", "1"];
    for (words, says) in [
        (words(&file, &["--hard-nodes", "21"]), r#"this would be {"options":{"hard_nodes":21}}"#),
        (network.to_vec(), r#""evaluation""#),
        (words(&other, &[]), "made in another way"),
    ] {
        let told = refused(&words, 1);
        assert!(told.contains(says) && told.contains(&format!("without {part} all begins anew")), "{told}");
        assert!(bytes(&part) == whole && !Path::new(&made).exists(), "{words:?}");
    }
    // What says the same of itself may have other games by now, or fewer: the fourth comes before the third, or the last two are
    // gone.
    let (games, origin) = read(&file);
    for (order, missing) in [(&[0, 1, 3, 2, 4, 5][..], 3), (&[0, 1, 2, 3], 5)] {
        write(&file, &origin, &order.iter().map(|&game: &usize| games[game].clone()).collect::<Vec<_>>());
        let told = refused(&words(&file, &[]), 1);
        assert!(told.contains(&format!("has not its game {missing}")), "{told}");
        assert!(bytes(&part) == whole && !Path::new(&made).exists(), "{missing}");
    }
    write(&file, &origin, &games);
    // A file of somebody's by that name is none of ours.
    std::fs::write(&part, "a download").unwrap();
    assert!(refused(&words(&file, &[]), 1).contains("no file of self-play games"));
    assert_eq!(bytes(&part), b"a download");
    std::fs::write(&part, &whole).unwrap();
    assert!(refused(&["data", "rescore", &part, &made], 1).contains("read and written at once"));
    // Two do not write it at once.
    let open = std::fs::File::open(&part).unwrap();
    open.lock().unwrap();
    assert!(refused(&words(&file, &[]), 1).contains("another program is writing it"));
    drop(open);
    done(&words(&file, &[]));
    assert!(bytes(&made) == whole);
}

#[test]
fn openbench_gets_its_openings() {
    let openings = |line: &str| {
        let out = done(&["setoption name EvalFile value classic", line, "quit"]);
        let fens: Vec<String> = out
            .lines()
            .map(|line| {
                line.strip_prefix("info string genfens ").unwrap_or_else(|| panic!("{line}")).to_string()
            })
            .collect();
        for fen in &fens {
            adoube::board::Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        }
        fens
    };
    let first = openings("genfens 8 seed 1 book None nodes 100");
    assert_eq!(first.len(), 8);
    assert_eq!(first, openings("genfens 8 seed 1 book None nodes 100"));
    assert_ne!(first, openings("genfens 8 seed 2 book None nodes 100"));
    let castling = |fen: &String| fen.split(' ').nth(2).unwrap().chars().all(|right| "KQkq-".contains(right));
    assert!(first.iter().all(castling), "as programs write FEN: {first:?}");
    let sides = ["w", "b"].map(|side| first.iter().filter(|fen| fen.split(' ').nth(1) == Some(side)).count());
    assert!(sides[0] > 0 && sides[1] > 0, "{first:?}");
    let folder = Folder::new("genfens");
    let book = folder.path("book.epd");
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -\n").unwrap();
    let from_book = openings(&format!("genfens 3 seed 1 book {book} random_plies 0 nodes 100"));
    assert!(
        from_book.len() == 3 && from_book.iter().all(|fen| !fen.contains(['q', 'Q', 'r', 'R'])),
        "{from_book:?}"
    );
    let error = refused(&["genfens 3 seed 1 book none.epd", "quit"], 1);
    assert!(error.contains("none.epd"), "{error}");
    for (line, what) in [
        ("genfens x seed 1 book None", "'genfens x'"),
        ("genfens 2 seed -1 book None", "'seed -1'"),
        ("genfens 2 seed 1 book none.xyz", "none.xyz: the name does not tell the format"),
        ("genfens", "whole number"),
    ] {
        let error = refused(&[line, "quit"], 2);
        assert!(error.contains(what), "{line}: {error}");
    }
}

/// At which ply the scores of a game agree that it is won or drawn, and how, by `win` and `draw`: a score and for how many
/// plies, draws after some more.
fn agreed(game: &SelfplayGame, win: (i32, usize), draw: (i32, usize, usize)) -> Option<(usize, Outcome)> {
    let sizes: Vec<Option<(i32, Color, bool)>> = game
        .positions()
        .map(|placed| {
            let (score, side) = (placed.score?, placed.position.side_to_move());
            let size = if score.is_decisive() { i32::MAX } else { centipawns(score).abs() };
            let is_pawn = placed.position.kind_on(placed.mv.from()) == Some(PieceType::Pawn);
            let leader = if score.units() > 0 { side } else { !side };
            Some((size, leader, is_pawn || placed.position.is_capture(placed.mv)))
        })
        .collect();
    (0..sizes.len()).find_map(|ply| {
        let last = |count: usize| {
            let from = (ply + 1).checked_sub(count)?;
            sizes[from..=ply].iter().copied().collect::<Option<Vec<_>>>()
        };
        let leader = sizes[ply]?.1;
        let is_won = last(win.1).is_some_and(|last| last.iter().all(|it| it.0 >= win.0 && it.1 == leader));
        let is_drawn =
            ply >= draw.2 && last(draw.1).is_some_and(|last| last.iter().all(|it| it.0 <= draw.0 && !it.2));
        let outcome = if is_won { Outcome::Win(leader) } else { Outcome::Draw };
        (is_won || is_drawn).then_some((ply, outcome))
    })
}

#[test]
fn games_are_ended_where_their_scores_agree_and_a_share_is_not() {
    let folder = Folder::new("agreed");
    // With the second only mates are seen coming: some are on the board by then.
    for (name, win, draw) in [("both", (400, 3), (40, 4, 30)), ("mates", (30_000, 3), (0, 40, 30))] {
        let file = folder.path(name);
        let words = format!(
            "--games 120 --threads 2 --longest 160 --unadjudicated 0.3 --win-score {} --win-plies {} --draw-score {} \
             --draw-plies {} --draw-after {}",
            win.0, win.1, draw.0, draw.1, draw.2
        );
        play(&file, &words.split_whitespace().collect::<Vec<_>>());
        assert!(done(&["data", "verify", &file]).contains("whole"));
        let (mut ended, mut went_on, mut draws) = (0, 0, 0);
        for game in DataReader::open(Path::new(&file)).unwrap() {
            let game = game.unwrap();
            let agreed = agreed(&game, win, draw);
            let last = game.plies.len() - 1;
            match game.ending {
                Ending::WinAdjudicated | Ending::DrawAdjudicated => {
                    assert_eq!(agreed, Some((last, game.outcome)));
                    assert_eq!(game.ending == Ending::DrawAdjudicated, game.outcome == Outcome::Draw);
                    ended += 1;
                    draws += usize::from(game.outcome == Outcome::Draw);
                }
                _ => went_on += usize::from(agreed.is_some_and(|(ply, _)| ply < last)),
            }
        }
        if name == "both" {
            assert!((20..60).contains(&went_on) && ended > 50, "{went_on} {ended}");
            assert!(draws > 0, "{draws}");
        }
    }
}

#[test]
fn statistics_are_of_all_files_and_the_seed_divides_them() {
    let folder = Folder::new("all-files");
    let [a, b, most, part] = ["a", "b", "most", "part"].map(|name| folder.path(name));
    play(&a, &["--games", "60"]);
    play(&b, &["--games", "20", "--seed", "2"]);
    let report = done(&["data", "stats", &a, &b]);
    assert_eq!(number(&report, "games"), 80.0);
    assert_eq!(number(&report, "size"), (length(&a) + length(&b)) as f64);
    let chosen = |seed: &str| {
        done(&["data", "split", &a, &most, &part, "--share", "0.5", "--seed", seed, "--force"]);
        let games =
            |file: &str| DataReader::open(Path::new(file)).unwrap().map(Result::unwrap).collect::<Vec<_>>();
        (games(&most), games(&part))
    };
    let first = chosen("1");
    assert!(first.0.len() + first.1.len() == 60 && first == chosen("1") && first != chosen("2"));
}

#[test]
fn results_and_endings_are_sorted_out_by_their_names() {
    let folder = Folder::new("names");
    let [file, out] = ["games", "out"].map(|name| folder.path(name));
    let words = "--games 70 --longest 90 --win-score 700 --draw-score 30 --draw-plies 4 --draw-after 30 --unadjudicated 0.5";
    play(&file, &words.split(' ').collect::<Vec<_>>());
    let read =
        |file: &str| DataReader::open(Path::new(file)).unwrap().map(Result::unwrap).collect::<Vec<_>>();
    let all = read(&file);
    let mut kinds = 0;
    let mut is_sorted_out = |option: &str, name: &str, is_one: &dyn Fn(&SelfplayGame) -> bool| {
        done(&["data", "filter", &file, &out, option, name, "--force"]);
        let expected: Vec<SelfplayGame> = all.iter().filter(|game| is_one(game)).cloned().collect();
        assert!(read(&out) == expected, "{option} {name}");
        kinds += usize::from(!expected.is_empty());
    };
    for (name, outcome) in [
        ("white", Outcome::Win(Color::White)),
        ("black", Outcome::Win(Color::Black)),
        ("draw", Outcome::Draw),
    ] {
        is_sorted_out("--result", name, &|game| game.outcome == outcome);
    }
    for (name, ending) in [
        ("checkmate", Ending::Checkmate),
        ("stalemate", Ending::Stalemate),
        ("repetition", Ending::Repetition),
        ("fifty-moves", Ending::FiftyMoves),
        ("material", Ending::Material),
        ("win-adjudicated", Ending::WinAdjudicated),
        ("draw-adjudicated", Ending::DrawAdjudicated),
        ("too-long", Ending::TooLong),
    ] {
        is_sorted_out("--ending", name, &|game| game.ending == ending);
    }
    assert!(kinds >= 6, "{kinds}");
}

#[test]
fn searches_take_the_nodes_that_they_are_given() {
    let folder = Folder::new("nodes");
    let nodes_a_move = |name: &str, words: &str| {
        let file = folder.path(name);
        let usual = "--hash 1 --opening-nodes 50 --eval-file classic --games 2 --longest 20";
        let words: Vec<&str> = usual.split(' ').chain(words.split(' ')).collect();
        let said = done(&[&["selfplay", &file][..], &words].concat());
        let before = said.split_once(" nodes a move").unwrap_or_else(|| panic!("{said}")).0;
        before.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    // No iteration after so many ...
    let soft = nodes_a_move("soft", "--nodes 50 --hard-nodes 20000");
    assert!((50.0..1_000.0).contains(&soft), "{soft}");
    // ... and nothing at all beyond so many, where the last iteration would go on.
    let [hard, free] =
        ["300", "30000"].map(|most| nodes_a_move(most, &format!("--nodes 300 --hard-nodes {most}")));
    assert!(hard < 330.0 && free > 1.2 * hard, "{hard} {free}");
}

/// The status tells what is damaged, and files are whole, whether or not somebody reads what is said of them.
#[test]
#[cfg(target_os = "linux")]
fn what_nobody_reads_is_done_all_the_same() {
    let folder = Folder::new("unheard");
    let [file, most, part, foreign] = ["games", "most", "part", "foreign"].map(|name| folder.path(name));
    play(&file, &["--games", "3"]);
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let split = ["data", "split", &file, &most, &part, "--share", "0.5"];
    let status = command(&split).stdout(full()).stderr(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(1));
    assert_eq!(adoube(&["data", "verify", &most, &part]).status.code(), Some(0));
    std::fs::write(&foreign, "[Event \"?\"]\n").unwrap();
    let unread = || std::io::pipe().unwrap().1;
    for (files, code) in [(&[&file, &foreign][..], 1), (&[&foreign, &file], 1), (&[&file], 0)] {
        let mut verify = command(&["data", "verify"]);
        let status = verify.args(files).stdout(unread()).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{files:?}");
    }
}
