//! `adoube teach` and what is made of a teacher, run as a user runs it, on games that the test makes.

mod support;

use adoube::training::data::{DataReader, SelfplayGame};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use support::folder::Folder;
use support::games::{write_decided_games, write_games};
use support::text;
#[cfg(unix)]
use support::{Killed, signal};

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command.current_dir(folder).args(arguments.split_whitespace()).stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &str) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

fn good(folder: &Path, arguments: &str) -> String {
    let out = run(folder, arguments);
    assert_eq!(out.status.code(), Some(0), "{arguments}: {}{}", text(&out.stdout), text(&out.stderr));
    text(&out.stdout)
}

fn games(path: &Path) -> Vec<SelfplayGame> {
    DataReader::open(path).unwrap().map(Result::unwrap).collect()
}

const SMALL: &str = "--width 32 --layers 1 --batch 64 --epochs 2 --eval-file classic";

/// The number behind these words in the line of a measure.
fn gain(shown: &str, of: &str) -> f64 {
    let line = shown.lines().find(|line| line.ends_with(of)).unwrap_or_else(|| panic!("{of}: {shown}"));
    line.trim().split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_teacher_learns_from_games_and_a_network_from_what_it_says() {
    let folder = Folder::new("teach");
    write_decided_games(&folder.join("a.data"), 1, 120);
    let shown =
        good(&folder, &format!("teach a.data --out one.teacher {SMALL} --validation 0.2 --threads 1"));
    for words in
        ["120 games: ", " steps of 64 positions; 1 thread, ", "0 min left", "the teacher is in one.teacher"]
    {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    // Who has knights wins these games, which the static score does not know.
    assert!(gain(&shown, "one.teacher: result") > 100.0, "{shown}");
    assert!(!folder.join("one.teacher.checkpoint").exists() && !folder.join("one.teacher.lock").exists());
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    good(&folder, &format!("teach a.data --out two.teacher {SMALL} --validation 0.2 --threads 3"));
    assert!(file("one.teacher") == file("two.teacher"));
    good(&folder, &format!("teach a.data --out three.teacher {SMALL} --seed 2"));
    assert!(file("one.teacher") != file("three.teacher"));
    // Begun with what is known already, it knows as much after a step that is next to nothing.
    let little = "--rate 1e-9 --epochs 0.01 --validation 0.2";
    let again = good(
        &folder,
        &format!("teach a.data --out four.teacher --from one.teacher {SMALL} {little}")
            .replace("--epochs 2 ", ""),
    );
    let (before, after) = (gain(&shown, "one.teacher: result"), gain(&again, "four.teacher: result"));
    assert!((before - after).abs() < 0.3, "{before} {after}");

    write_decided_games(&folder.join("b.data"), 2, 60);
    let measured = good(&folder, "teach b.data --measure one.teacher three.teacher --eval-file classic");
    assert!(measured.contains("positions of 60 games: the evaluation leaves "), "{measured}");
    for of in
        ["a search, as played", "one.teacher: score", "three.teacher: result", "all together: near return"]
    {
        gain(&measured, of);
    }

    // What it says goes where positions are quiet, and nowhere else.
    let told = good(&folder, "data label b.data c.data --teacher one.teacher --eval-file classic");
    assert_eq!(told, "60 games are in c.data\n");
    good(&folder, "data label b.data d.data --teacher one.teacher --saying score --eval-file classic");
    good(&folder, "data label b.data e.data --teacher one.teacher three.teacher --eval-file classic");
    let [b, c, d, e] = ["b", "c", "d", "e"].map(|name| games(&folder.join(format!("{name}.data"))));
    let (mut count, mut changed) = (0, [0; 3]);
    for (at, before) in b.iter().enumerate() {
        let others = [&c[at], &d[at], &e[at]];
        for (ply, placed) in before.positions().enumerate() {
            for (changed, other) in changed.iter_mut().zip(others) {
                let (old, new) = (before.plies[ply], other.plies[ply]);
                assert_eq!((old.mv, old.score.is_some()), (new.mv, new.score.is_some()));
                assert!(placed.is_quiet() || old == new);
                *changed += u32::from(old != new);
            }
            count += u32::from(placed.is_quiet());
        }
        assert!(others.iter().all(|other| (other.outcome, other.start) == (before.outcome, before.start)));
    }
    assert!(count > 3_000 && changed.iter().all(|&changed| changed > count * 9 / 10), "{count} {changed:?}");
    assert!(c != d && c != e);
    good(&folder, "train c.data --out n.nnue --hidden 32 --batch 512 --epochs 1");
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_or_killed_goes_on_as_if_nothing_had_been() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new("teach-resumed");
    write_games(&folder.join("a.data"), 1, 40);
    let options = "teach a.data --width 32 --layers 1 --batch 64 --epochs 30 --eval-file classic";
    good(&folder, &format!("{options} --out whole.teacher"));
    let begun = command(&folder, &format!("{options} --out part.teacher"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut begun = Killed(Some(begun));
    let mut child = begun.take();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.starts_with("step ")).expect("a step");
    let other = run(&folder, &format!("{options} --out part.teacher --overwrite"));
    assert!(text(&other.stderr).contains("another run is writing part.teacher"), "{}", text(&other.stderr));
    signal(child.id(), "INT");
    let _ = lines.count();
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    let told = text(&out.stderr);
    assert!(told.contains("with --resume goes on from part.teacher.checkpoint"), "{told}");
    for (more, told) in [
        (
            "",
            "part.teacher.checkpoint is there already: --resume goes on with that run, --overwrite begins anew",
        ),
        ("--resume --seed 2", "is of a run with other options"),
    ] {
        let out = run(&folder, &format!("{options} --out part.teacher {more}"));
        assert_eq!(out.status.code(), Some(1), "{more}");
        assert!(text(&out.stderr).contains(told), "{more}: {}", text(&out.stderr));
    }
    // Nor is it gone on with other games.
    write_games(&folder.join("b.data"), 2, 40);
    let other = options.replace("a.data", "b.data");
    let out = run(&folder, &format!("{other} --out part.teacher --resume"));
    let told = text(&out.stderr);
    assert!(told.contains("the games are not those of part.teacher.checkpoint"), "{told}");
    // It is no teacher yet.
    let out = run(&folder, "teach a.data --measure part.teacher.checkpoint --eval-file classic");
    assert!(text(&out.stderr).contains("is a checkpoint"), "{}", text(&out.stderr));
    // A kill costs what came behind the checkpoint.
    let again =
        command(&folder, &format!("{options} --out part.teacher --resume")).stdout(Stdio::piped()).spawn();
    let mut again = Killed(Some(again.unwrap())).take();
    let mut lines = BufReader::new(again.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.starts_with("step ")).expect("a step");
    again.kill().unwrap();
    again.wait().unwrap();
    let shown = good(&folder, &format!("{options} --out part.teacher --resume"));
    assert!(shown.contains("goes on behind step"), "{shown}");
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(file("whole.teacher") == file("part.teacher"));
}

#[test]
fn mistakes_are_told_and_nothing_is_lost() {
    let folder = Folder::new("teach-wrong");
    write_games(&folder.join("a.data"), 1, 20);
    good(&folder, &format!("teach a.data --out t.teacher {SMALL}"));
    let before = std::fs::read(folder.join("t.teacher")).unwrap();
    std::fs::write(folder.join("text"), "no games\n").unwrap();
    for (arguments, status, told) in [
        ("teach a.data --out n.teacher --width 40", 2, "there is no width 40: expected a multiple of 32"),
        ("teach a.data --out n.teacher --layers 0", 2, "there are no 0 layers: expected 1 to 32"),
        ("teach a.data --out n.teacher --epochs 0", 2, "--epochs 0: expected more than 0"),
        ("teach a.data --out n.teacher --batch 7", 2, "--batch 7: expected 8 to"),
        ("teach a.data --out n.teacher --rate 0", 2, "--rate 0: expected more than 0"),
        ("teach a.data --out n.teacher --final-rate 1", 2, "--final-rate 1: expected 0 to the highest rate"),
        ("teach a.data --out n.teacher --validation 1", 2, "--validation 1: expected a share"),
        ("teach a.data", 2, "--out <TEACHER>"),
        ("teach a.data --out t.teacher", 1, "t.teacher is there already: --overwrite replaces it"),
        ("teach none.data --out n.teacher", 1, "none.data"),
        ("teach text --out n.teacher", 1, "text"),
        ("teach a.data --out a.data --overwrite", 1, "a.data would be replaced: give another --out"),
        ("teach a.data --out n.teacher --resume", 1, "n.teacher.checkpoint: "),
        (
            "teach a.data --out n.teacher --from t.teacher --eval-file classic",
            1,
            "t.teacher has --width 32 --layers 1",
        ),
        ("teach a.data --out n.teacher --from a.data", 1, "the teacher a.data: this is none"),
        (
            "teach a.data --measure t.teacher",
            1,
            "knows the values of another evaluation, classic, and not of ",
        ),
        ("data label a.data n.data --teacher t.teacher", 1, "give that as --eval-file"),
        ("data label a.data n.data --teacher text", 1, "the teacher text: this is none"),
        ("data label a.data n.data text --teacher t.teacher", 2, "cannot be used with"),
        ("data label a.data n.data", 2, "SCORES"),
        ("data label a.data n.data text --saying far", 2, "cannot be used with"),
        (
            "data label a.data a.data --teacher t.teacher --eval-file classic --force",
            1,
            "cannot be read and replaced at once",
        ),
        (
            "data label a.data t.teacher --teacher t.teacher --eval-file classic --force",
            1,
            "cannot be read and replaced at once",
        ),
    ] {
        let out = run(&folder, arguments);
        let errors = text(&out.stderr);
        assert_eq!(out.status.code(), Some(status), "{arguments}: {errors}");
        assert!(errors.contains(told), "{arguments}: {errors}");
    }
    assert!(std::fs::read(folder.join("t.teacher")).unwrap() == before);
    let left: Vec<_> = std::fs::read_dir(&*folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}
