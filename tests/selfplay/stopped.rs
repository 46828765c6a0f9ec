//! Runs that are stopped, killed or run out of space, and go on as if nothing had happened.

use super::{FAST, bytes, command, done, length, number, play, refused};
use crate::support::folder::Folder;
use crate::support::{Killed, signal, text, wait_until};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
    signal(child.id(), "INT");
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
    signal(child.id(), "INT");
    wait_until("it ends", || child.has_ended());
    assert_eq!(child.take().wait_with_output().unwrap().status.code(), Some(1));
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
    signal(child.id(), "INT");
    let out = child.take().wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(130), "{words}: {}", text(&out.stderr));
    assert!(text(&out.stderr).contains("stopped; nothing is written"), "{}", text(&out.stderr));
    assert!(!part.exists() && !Path::new(&made).exists(), "{words}");
}
