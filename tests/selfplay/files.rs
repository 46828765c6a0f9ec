//! What `adoube data` makes of files of games, and mistakes that are named.

use super::{FAST, bytes, command, done, length, number, play, refused};
use crate::support::folder::Folder;
use crate::support::{Killed, adoube, text, wait_until};
use adoube::training::data::{DataReader, Ending, SelfplayGame};
use adoube::types::{Color, Outcome};
use std::path::Path;
use std::process::{Command, Stdio};

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
    // Whoever checks the files of others has not named them.
    let named = folder.path("é\u{1b}[2J");
    std::fs::copy(&file, &named).unwrap();
    assert!(done(&["data", "verify", &named]).contains("é\\u{1b}[2J: whole, 3 games"));
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
    let names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
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
