//! `adoube grow` as its user meets it: networks from nothing, on from where it was stopped, and mistakes.
#![cfg(target_os = "linux")]

mod support;

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use support::folder::Folder;
use support::matches::{finish, is_alive};
use support::{Killed, run, signal, wait_until};

fn grow(folder: &Path, words: &str) -> (i32, String, String) {
    grow_by(folder, &format!("--games 4 {words}"))
}

fn grow_by(folder: &Path, words: &str) -> (i32, String, String) {
    grow_from("zero", folder, words)
}

fn grow_from(from: &str, folder: &Path, words: &str) -> (i32, String, String) {
    let usual = "--positions 1500 --nodes 20 --hidden 32 --epochs 2 --match-nodes 50 --threads 2";
    let mut arguments = vec!["grow", folder.to_str().unwrap(), "--from", from];
    arguments.extend(usual.split(' ').chain(words.split(' ')));
    run(&arguments, "")
}

#[test]
fn a_network_grows_from_nothing_and_generations_can_be_added() {
    let folder = Folder::new("on");
    let (code, out, errors) = grow(&folder, "--generations 1");
    assert_eq!(code, 0, "{out}{errors}");
    for expected in [
        "Generation 1 of 1, from ",
        "$ adoube selfplay ",
        " --unadjudicated 1\n",
        "$ adoube train ",
        " --wdl 1 --lambda 1 ",
        "$ adoube match ",
        "generation 1: ",
    ] {
        assert!(out.contains(expected), "'{expected}' is not in {out}");
    }
    let network = std::fs::read(folder.join("generation-1.nnue")).unwrap();
    let (code, out, errors) = grow(&folder, "--generations 2");
    assert_eq!(code, 0, "{out}{errors}");
    assert!(!out.contains("Generation 1 of") && out.contains("Generation 2 of 2"), "{out}");
    // The first games have no scores: they are learnt from again only if their network was not kept.
    let train = train_line(&out);
    let record = std::fs::read_to_string(folder.join("grow.json")).unwrap();
    let first: serde_json::Value = serde_json::from_str(&record).unwrap();
    let kept = first["generations"][0]["kept"].as_bool().unwrap();
    assert_eq!(train.contains("generation-1.games"), !kept, "{train}");
    assert!(train.contains("generation-2.games"), "{train}");
    assert_eq!(out.contains(" --unadjudicated 1\n"), !kept, "{out}");
    assert_eq!(std::fs::read(folder.join("generation-1.nnue")).unwrap(), network);
    assert_eq!(record.matches("\"number\"").count(), 2, "{record}");
}

/// A generation whose self-play would take days, once it plays, and the number of that process.
fn endless(folder: &Path) -> (Killed, String) {
    let words = "--from zero --positions 4000000000 --nodes 20 --hidden 32 --generations 1 --threads 1";
    let child = Command::new(env!("CARGO_BIN_EXE_adoube"))
        .arg("grow")
        .arg(folder)
        .args(words.split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // That Ctrl-Z is for whoever can let it go on.
        .process_group(0)
        .spawn()
        .unwrap();
    let mut grow = Killed(Some(child));
    let games = folder.join("generation-1.games");
    wait_until("it plays", || {
        assert!(!grow.has_ended(), "it has ended");
        std::fs::metadata(&games).is_ok_and(|file| file.len() > 0)
    });
    let player =
        std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let is_player = |process: &String| {
        let read =
            |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
        let of = |stat: &str| Some(stat.rsplit(')').next()?.split_whitespace().nth(1)?.to_string());
        of(&read("stat")) == Some(grow.id().to_string()) && read("cmdline").contains("selfplay")
    };
    let player = player.filter(is_player).collect::<String>();
    assert!(is_alive(&player), "'{player}'");
    (grow, player)
}

#[test]
fn a_request_to_stop_reaches_the_step_that_runs() {
    let folder = Folder::new("stop");
    let (mut grow, player) = endless(&folder);
    let child = grow.take();
    signal(child.id(), "INT");
    let ended = finish(child);
    assert_eq!(ended.code, Some(1), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("adoube: stopped; the same command goes on"), "{}", ended.stderr);
    assert!(!is_alive(&player), "{player}");
    let (code, counted, errors) =
        run(&["data", "verify", folder.join("generation-1.games").to_str().unwrap()], "");
    assert_eq!(code, 0, "{counted}{errors}");
}

#[test]
fn the_step_that_runs_stands_still_with_grow_and_may_write_to_its_terminal() {
    let folder = Folder::new("still");
    let (grow, player) = endless(&folder);
    let status = |process: &str, field: &str| {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
        line.trim().to_string()
    };
    let both = [grow.id().to_string(), player];
    let are_still = || both.each_ref().map(|process| status(process, "State:").starts_with('T'));
    signal(grow.id(), "TSTP");
    wait_until("they stand still", || are_still() == [true; 2]);
    signal(grow.id(), "CONT");
    wait_until("they go on", || are_still() == [false; 2]);
    // SIGTTOU, signal 22: with `stty tostop` it stops those who write in the background.
    let ignored = u64::from_str_radix(&status(&both[1], "SigIgn:"), 16).unwrap();
    assert!(ignored >> 21 & 1 == 1, "{ignored:x}");
    drop(grow);
}

#[test]
fn no_step_outlives_a_killed_grow() {
    let folder = Folder::new("killed");
    let (grow, player) = endless(&folder);
    drop(grow);
    wait_until("it ends", || !is_alive(&player));
}

#[test]
fn files_of_somebody_else_are_not_replaced_and_its_own_are() {
    let folder = Folder::new("mine");
    std::fs::write(folder.join("generation-notes.txt"), "mine").unwrap();
    for name in ["openings.epd", "zero.nnue"] {
        let file = folder.join(name);
        std::fs::write(&file, "mine").unwrap();
        // Of what begins with something else than nothing, too: it may be asked for in the same folder later.
        for from in ["zero", "classic"] {
            let (code, out, errors) = grow_from(from, &folder, "--games 4 --generations 1");
            let told = format!("{} is there already: give it another name", file.display());
            assert!(code == 1 && errors.contains(&told) && !out.contains("$ adoube"), "{out}{errors}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
        }
        std::fs::remove_file(file).unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    }
    let (grow_killed, player) = endless(&folder);
    drop(grow_killed);
    wait_until("it ends", || !is_alive(&player));
    // As if it had been killed before it played.
    std::fs::remove_file(folder.join("generation-1.games")).unwrap();
    assert!(folder.join("zero.nnue").exists());
    let (code, out, errors) = grow(&folder, "--generations 1");
    assert_eq!(code, 0, "{out}{errors}");
}

#[test]
fn a_second_one_does_not_grow_in_the_same_folder() {
    let folder = Folder::new("second");
    let (_first, player) = endless(&folder);
    let (code, out, errors) = grow(&folder, "--generations 1");
    let told = format!("another run is writing {} ", folder.display());
    assert!(code == 1 && errors.contains(&told) && !out.contains("$ adoube"), "{out}{errors}");
    assert!(is_alive(&player));
}

#[test]
fn what_helps_a_match_that_cannot_go_on_is_told() {
    let folder = Folder::new("match");
    assert_eq!(grow(&folder, "--generations 1").0, 0);
    let record = folder.join("grow.json");
    std::fs::remove_file(&record).unwrap();
    let other = || {
        let words =
            "--from zero --positions 1500 --nodes 20 --hidden 32 --epochs 2 --match-nodes 60 --games 4";
        let words = format!("{words} --threads 2 --generations 1");
        let arguments = [&["grow", folder.to_str().unwrap()], &words.split(' ').collect::<Vec<_>>()[..]];
        run(&arguments.concat(), "")
    };
    let (code, out, errors) = other();
    let journal = folder.join("generation-1.pgn.journal");
    let remedy =
        format!("begins the match anew once {} and the games in generation-1.pgn", journal.display());
    assert!(code == 1 && errors.contains(&remedy), "{out}{errors}");
    std::fs::remove_file(journal).unwrap();
    std::fs::remove_file(folder.join("generation-1.pgn")).unwrap();
    let (code, out, errors) = other();
    assert!(code == 0 && record.exists() && !out.contains(" -resume"), "{out}{errors}");
    let games = std::fs::read_to_string(folder.join("generation-1.pgn")).unwrap();
    assert_eq!(games.matches("[Event ").count(), 4);
}

fn train_line(out: &str) -> &str {
    out.lines().find(|line| line.starts_with("$ adoube train")).unwrap_or_else(|| panic!("{out}"))
}

#[test]
fn a_moved_folder_goes_on_from_its_best_network() {
    let (old, new) = (Folder::new("old"), Folder::new("new"));
    assert_eq!(grow(&old, "--generations 1").0, 0);
    let record = old.join("grow.json");
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, text.replace("\"kept\": false", "\"kept\": true")).unwrap();
    std::fs::remove_dir(&new).unwrap();
    std::fs::rename(&old, &new).unwrap();
    let (code, out, errors) = grow(&new, "--generations 2 --window 2");
    assert_eq!(code, 0, "{out}{errors}");
    let best = new.join("generation-1.nnue");
    assert!(out.contains(&format!("Generation 2 of 2, from {}\n", best.display())), "{out}");
    // It has scores: its games are adjudicated, and learnt from alone.
    assert!(!out.contains("--unadjudicated"), "{out}");
    let train = train_line(&out);
    assert!(!train.contains("generation-1.games") && train.contains(" --wdl 0.3 --threads"), "{train}");
}

#[test]
fn a_network_is_not_taken_for_nothing_for_its_name() {
    let folder = Folder::new("name");
    assert_eq!(grow(&folder, "--generations 1").0, 0);
    let named = folder.join("nonzero.nnue");
    std::fs::copy(folder.join("generation-1.nnue"), &named).unwrap();
    let words = "--positions 500 --nodes 10 --hidden 32 --epochs 1 --games 2 --match-nodes 20 --threads 2 --generations 1";
    let inner = folder.join("inner");
    let mut arguments = vec!["grow", inner.to_str().unwrap(), "--from", named.to_str().unwrap()];
    arguments.extend(words.split(' '));
    let (code, out, errors) = run(&arguments, "");
    assert_eq!(code, 0, "{out}{errors}");
    assert!(!out.contains("--unadjudicated") && out.contains(" --wdl 0.3 --threads"), "{out}");
}

#[test]
fn what_was_begun_is_not_begun_anew() {
    let folder = Folder::new("again");
    assert_eq!(grow(&folder, "--generations 1").0, 0);
    // As if it had been stopped behind the training: games and network stay, the match has its journal.
    std::fs::remove_file(folder.join("grow.json")).unwrap();
    let files =
        || ["games", "nnue"].map(|kind| std::fs::read(folder.join(format!("generation-1.{kind}"))).unwrap());
    let before = files();
    // Moved meanwhile, and back again: the match does not know where it is.
    let moved = folder.with_extension("moved");
    std::fs::rename(&folder, &moved).unwrap();
    let (code, out, errors) = grow(&moved, "--generations 1");
    std::fs::rename(&moved, &folder).unwrap();
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains(" -resume") && !out.contains("$ adoube train"), "{out}");
    assert!(files() == before);
    // A match that goes on keeps its openings, even if it is to have more games than they last for.
    std::fs::remove_file(folder.join("grow.json")).unwrap();
    let openings = || std::fs::read(folder.join("openings.epd")).unwrap();
    let known = openings();
    let (code, out, errors) = grow_by(&folder, "--generations 1 --games 12");
    assert_eq!(code, 0, "{out}{errors}");
    assert!(openings() == known && out.contains(" -rounds 6 "), "{out}");
    // A network that is broken by now plays no match, which would be one of the hand-made evaluation.
    std::fs::remove_file(folder.join("grow.json")).unwrap();
    std::fs::write(folder.join("generation-1.nnue"), &before[1][..1_000]).unwrap();
    let (code, out, errors) = grow(&folder, "--generations 1");
    assert!(code == 1 && errors.contains("generation-1.nnue' cannot be used"), "{out}{errors}");
}

/// The training goes on with the games that it was begun with, and if they are others by now what helps is told.
#[test]
fn games_that_have_been_learnt_from_stay_as_they_are() {
    let folder = Folder::new("learnt");
    assert_eq!(grow(&folder, "--generations 1").0, 0);
    let games = folder.join("generation-1.games");
    let before = std::fs::read(&games).unwrap();
    let remove =
        |names: &[&str]| names.iter().for_each(|name| std::fs::remove_file(folder.join(name)).unwrap());
    // As if it had been stopped behind the last step of the training.
    let [record, network] = ["grow.json", "generation-1.nnue"];
    remove(&[record, network]);
    let more = "--from zero --positions 3000 --nodes 20 --hidden 32 --epochs 2 --match-nodes 50 --games 4 --threads 2 --generations 1";
    let (code, out, errors) =
        run(&["grow", folder.to_str().unwrap()].into_iter().chain(more.split(' ')).collect::<Vec<_>>(), "");
    assert_eq!(code, 0, "{out}{errors}");
    assert!(train_line(&out).ends_with(" --resume") && std::fs::read(&games).unwrap() == before, "{out}");
    remove(&[record, network]);
    let other = folder.join("other.games");
    let words =
        ["selfplay", other.to_str().unwrap(), "--games", "9", "--nodes", "10", "--eval-file", "classic"];
    assert_eq!(run(&words, "").0, 0);
    std::fs::rename(&other, &games).unwrap();
    let (code, _, errors) = grow(&folder, "--generations 1");
    let remedy = format!("once {} is removed", folder.join("generation-1.checkpoint").display());
    assert!(code == 1 && errors.contains(&remedy), "{errors}");
    remove(&["generation-1.checkpoint"]);
    // These games are continued by nobody: they were made in another way.
    let (code, out, errors) = grow(&folder, "--generations 1");
    let is_told =
        ["made in another way", "generation-1.games is removed"].iter().all(|hint| errors.contains(hint));
    assert!(code == 1 && is_told && !out.contains("$ adoube train"), "{errors}");
    // That helps, though log and drawing of the training are still there.
    remove(&["generation-1.games"]);
    let (code, out, errors) = grow(&folder, "--generations 1");
    assert!(code == 0 && train_line(&out).ends_with(" --overwrite"), "{out}{errors}");
}

#[test]
fn a_folder_whose_name_begins_with_a_dash_is_no_option() {
    let folder = Folder::new("dash");
    let words = "--from zero --positions 500 --nodes 10 --hidden 32 --epochs 1 --games 2 --match-nodes 20 --threads 2";
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command
        .current_dir(&folder)
        .arg("grow")
        .args(words.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command.args(["--generations", "1", "--", "-y"]);
    let out = command.output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    // And a network.
    std::fs::copy(folder.join("-y/generation-1.nnue"), folder.join("-n.nnue")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command.current_dir(&folder).arg("grow").args(words.split(' ').skip(2)).stdout(Stdio::null());
    command.args(["--generations", "1", "--from=-n.nnue", "--", "-z"]).stderr(Stdio::piped());
    let out = command.output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn mistakes_are_told_before_anything_is_played() {
    let folder = Folder::new("wrong");
    for (words, expected) in [
        ("--hidden 33", "33"),
        ("--wdl 2", "--wdl is 2"),
        ("--from nowhere.nnue", "the network 'nowhere.nnue' cannot be read"),
        ("--generations 0", "0 is not in 1..=1000"),
    ] {
        let arguments =
            [&["grow", folder.to_str().unwrap()][..], &words.split(' ').collect::<Vec<_>>()].concat();
        let (code, out, errors) = run(&arguments, "");
        assert!(
            code != 0 && errors.contains(expected) && !out.contains("selfplay"),
            "{words}: {out}{errors}"
        );
    }
    std::fs::write(folder.join("grow.json"), "{").unwrap();
    let (code, _, errors) = grow(&folder, "--generations 1");
    assert!(code == 1 && errors.contains("grow.json"), "{errors}");
}

#[test]
fn what_is_asked_for_reaches_each_step() {
    let folder = Folder::new("steps");
    let words = "--from classic --positions 150 --nodes 11 --hidden 32 --output-buckets 2 --epochs 1 --wdl 0.4 --games 2 \
                 --match-nodes 21 --threads 2 --seed 7 --generations 2";
    let mut arguments = vec!["grow", folder.to_str().unwrap()];
    arguments.extend(words.split_whitespace());
    let (code, out, errors) = run(&arguments, "");
    assert_eq!(code, 0, "{out}{errors}");
    // Two games prove nothing: no network is kept, and the next one's games are not played by it.
    assert!(out.contains("Generation 2 of 2, from classic\n"), "{out}");
    // As a shell would take it.
    let file = |name: &str| {
        let file = folder.join(name).display().to_string();
        if file.contains(' ') { format!("'{file}'") } else { file }
    };
    let [one, two] = ["generation-1.games", "generation-2.games"].map(file);
    let trained = "--hidden 32 --output-buckets 2 --epochs 1 --wdl 0.4 --threads 2 --seed 7\n";
    for expected in [
        format!(
            "$ adoube selfplay {one} --positions 150 --nodes 11 --threads 2 --seed 7001 --eval-file classic\n"
        ),
        format!(
            "$ adoube selfplay {two} --positions 150 --nodes 11 --threads 2 --seed 7002 --eval-file classic\n"
        ),
        format!("$ adoube train {one} --out {} {trained}", file("generation-1.nnue")),
        format!("$ adoube train {one} {two} --out {} {trained}", file("generation-2.nnue")),
        " -each nodes=21 -rounds 1 -games 2 -concurrency 2 ".into(),
    ] {
        assert!(out.contains(&expected), "'{expected}' is not in {out}");
    }
    let matches: Vec<&str> = out.lines().filter(|line| line.starts_with("$ adoube match")).collect();
    assert_eq!(matches.len(), 2, "{out}");
    for (number, line) in (1..).zip(matches) {
        let options: Vec<&str> = line.split("-engine ").skip(1).collect();
        let has = |at: usize, words: [&str; 2]| {
            words.iter().all(|word| options[at].split(' ').any(|is| is == *word))
        };
        assert!(has(0, ["name=new", &format!("option.EvalFile=generation-{number}.nnue")]), "{line}");
        assert!(has(1, ["name=old", "option.EvalFile=classic"]), "{line}");
    }
}
