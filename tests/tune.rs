//! `adoube tune` as its user meets it: a run to its end, stopped and gone on with, and mistakes. Only in builds with the feature:
//! `cargo test --features tune --test tune`.
#![cfg(all(feature = "tune", target_os = "linux"))]

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use support::folder::Folder;
use support::matches::{Ended, finish};
use support::{Killed, engine, run, signal, wait_until};

/// Numbers of which the first two move; small games.
const USUAL: &str =
    "--only null_move_margin,futility_margin --limit nodes=100 --hash 1 --pairs 1 --rate 1 --spread 9";

fn words(file: &Path, more: &str) -> Vec<String> {
    let file = file.to_str().unwrap().to_string();
    let words = USUAL.split(' ').chain(more.split(' ')).map(String::from);
    ["tune".to_string(), file].into_iter().chain(words).collect()
}

fn tune(file: &Path, more: &str) -> (i32, String, String) {
    run(&words(file, more).iter().map(String::as_str).collect::<Vec<_>>(), "")
}

fn interrupted(tuner: Child) -> Ended {
    signal(tuner.id(), "INT");
    finish(tuner)
}

fn state(file: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn a_run_moves_the_numbers_and_is_the_same_every_time() {
    let folder = Folder::new("run");
    let files = ["a.json", "b.json"].map(|name| folder.join(name));
    let ran = files.each_ref().map(|file| tune(file, "--iterations 4 --threads 1 --seed 3"));
    let [(code, out, errors), again] = &ran;
    assert_eq!(*code, 0, "{out}{errors}");
    assert!(out.contains("iteration 4, 8 games:\nnull_move_margin "), "{out}");
    // Before that it tells every minute how it goes.
    let end = |out: &str| out.rfind("iteration 4, 8 games:\n").map(|at| out[at..].to_string());
    assert_eq!(end(out), end(&again.1));
    let kept = state(&files[0]);
    assert_eq!((&kept["games"], &kept["open"]), (&8.into(), &serde_json::json!([])));
    let values = kept["values"].as_object().unwrap();
    assert_eq!(values.len(), 2);
    for (name, value) in values {
        let line = out.lines().find(|line| line.starts_with(name)).unwrap();
        let default: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert_ne!(value.as_f64().unwrap(), default, "{line}");
    }
    // Nothing is left to do, and nothing is left behind.
    let text = std::fs::read(&files[0]).unwrap();
    let (code, out, errors) = tune(&files[0], "--iterations 4 --threads 1 --seed 3");
    assert_eq!((code, end(&out), std::fs::read(&files[0]).unwrap()), (0, end(&ran[0].1), text), "{errors}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn what_was_stopped_goes_on_and_plays_no_more_than_was_asked_for() {
    let folder = Folder::new("stop");
    let file = folder.join("t.json");
    let more = "--iterations 40 --threads 2";
    let start = || {
        let mut command = engine::command();
        command.args(words(&file, more)).stdin(Stdio::null());
        command.spawn().unwrap()
    };
    let mut first = Killed(Some(start()));
    // Each small match has a journal of its own: when a third is seen, something has been learnt.
    let mut seen = BTreeSet::new();
    wait_until("it plays", || {
        assert!(!first.has_ended(), "it has ended");
        let journal = std::fs::read_to_string(folder.join("t.json.0.journal")).unwrap_or_default();
        seen.extend(journal.lines().next().map(String::from));
        seen.len() >= 3
    });
    // What has been learnt would outlive a kill.
    assert!(state(&file)["games"].as_u64() >= Some(4));
    // Another run is not to write the same file.
    let (code, _, errors) = tune(&file, more);
    assert!(code == 1 && errors.contains("another run is writing"), "{errors}");
    let ended = interrupted(first.take());
    assert_eq!(ended.code, Some(1), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("stopped; the same command goes on from "), "{}", ended.stderr);
    assert_ne!(state(&file)["games"], 0);
    let ended = finish(start());
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("iteration 40, 80 games:"), "{}", ended.stdout);
    let kept = state(&file);
    assert_eq!((&kept["games"], &kept["open"]), (&80.into(), &serde_json::json!([])));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_run_goes_on_with_its_program_though_another_has_its_place() {
    let folder = Folder::new("program");
    let [file, program] = ["t.json", "adoube"].map(|name| folder.join(name));
    // By another process: nobody may start a file that this one, or a child of it, still has open to write.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_adoube")).arg(&program).status().unwrap();
    assert!(copied.success());
    let mut command = Command::new(&program);
    command.args(words(&file, "--iterations 20 --threads 1")).stdin(Stdio::null());
    let mut tuner = Killed(Some(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()));
    wait_until("it plays", || {
        assert!(!tuner.has_ended(), "it has ended");
        file.exists()
    });
    // As who builds does.
    std::fs::remove_file(&program).unwrap();
    std::fs::write(&program, "another").unwrap();
    let ended = finish(tuner.take());
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("iteration 20, 40 games:"), "{}", ended.stdout);
}

#[test]
fn stopped_while_it_meets_its_engines_it_says_how_it_goes_on_all_the_same() {
    let folder = Folder::new("meet");
    let file = folder.join("t.json");
    // With games as short as these, every second stop comes while engines are started.
    for _ in 0..10 {
        let mut command = engine::command();
        command.args(words(&file, "--iterations 400 --threads 2")).stdin(Stdio::null());
        let mut tuner = Killed(Some(command.spawn().unwrap()));
        let games = || file.exists().then(|| state(&file)["games"].as_u64());
        let before = games();
        wait_until("it plays", || tuner.has_ended() || games() > before);
        let ended = interrupted(tuner.take());
        let expected = format!("adoube: stopped; the same command goes on from {}\n", file.display());
        assert_eq!((ended.code, ended.stderr), (Some(1), expected), "{}", ended.stdout);
    }
}

#[test]
fn a_run_goes_on_with_the_openings_that_it_began_with() {
    let folder = Folder::new("openings");
    let [file, book] = ["t.json", "book.epd"].map(|name| folder.join(name));
    let positions = |count| {
        let all = std::fs::read_to_string("book/openings.epd").unwrap();
        let some: String = all.lines().take(count).map(|line| format!("{line}\n")).collect();
        std::fs::write(&book, some).unwrap();
    };
    let run = || {
        let mut words = words(&file, "--iterations 2 --threads 1");
        words.extend(["--openings".into(), book.display().to_string()]);
        run(&words.iter().map(String::as_str).collect::<Vec<_>>(), "")
    };
    positions(20);
    assert_eq!(run().0, 0);
    let kept = state(&file);
    positions(10);
    let (code, _, errors) = run();
    let expected = format!("it is of a run with other openings: {} has been changed", book.display());
    assert!(code == 1 && errors.contains(&expected), "{errors}");
    assert_eq!(state(&file), kept);
    // A state that says nothing of its openings, as earlier versions wrote it, goes on with those that there are.
    let mut earlier = kept.clone();
    earlier.as_object_mut().unwrap().remove("book").unwrap();
    std::fs::write(&file, earlier.to_string()).unwrap();
    let (code, _, errors) = run();
    assert_eq!(code, 0, "{errors}");
    assert_ne!(state(&file)["book"], kept["book"]);
}

#[test]
fn mistakes_are_named_and_nothing_is_begun() {
    let folder = Folder::new("mistakes");
    let file = folder.join("t.json");
    for (more, expected) in [
        ("--only nonsense", "there is no parameter 'nonsense'"),
        ("--rate 0", "--rate 0: expected more than 0, at most 1"),
        ("--rate 1.5", "--rate 1.5: expected more than 0, at most 1"),
        ("--spread 0", "--spread"),
        ("--iterations 0", "--iterations"),
        ("--limit nodes=many", "nodes"),
        ("--openings nowhere.epd", "nowhere.epd: "),
    ] {
        // Those on the right stand in place of the usual ones.
        let mut words = words(&file, more);
        let key = more.split(' ').next().unwrap();
        if let Some(usual) = words.iter().position(|word| word == key).filter(|&at| at < words.len() - 2) {
            words.drain(usual..usual + 2);
        }
        let (code, out, errors) = run(&words.iter().map(String::as_str).collect::<Vec<_>>(), "");
        assert!(code != 0 && errors.contains(expected), "{more}: {code} {out}{errors}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{more}");
    }
    assert_eq!(tune(&file, "--iterations 1 --threads 1").0, 0);
    let text = std::fs::read_to_string(&file).unwrap();
    let refused = |content: &str, more: &str| {
        std::fs::write(&file, content).unwrap();
        let (code, _, errors) = tune(&file, more);
        assert!(code != 0 && std::fs::read_to_string(&file).unwrap() == content, "{errors}");
        errors
    };
    assert!(refused(&text, "--iterations 2").contains("it is of another run:"));
    assert!(refused(&text, "--iterations 1 --seed 2").contains("it is of another run:"));
    let without = text.replace("\"futility_margin\"", "\"other\"");
    assert!(refused(&without, "--iterations 1").contains("no value of futility_margin"));
    assert!(refused("{", "--iterations 1").contains("t.json"));
}
