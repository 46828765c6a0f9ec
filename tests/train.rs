//! `adoube train`, run as a user runs it, on games that the test makes.

mod support;

use adoube::eval::network::Network;
use adoube::training::data::{DataWriter, Origin};
use adoube::training::trainer::run::Files;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use support::folder::Folder;
use support::games::write_games;
use support::text;
#[cfg(unix)]
use support::{Killed, signal, wait_until};

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command.current_dir(folder).arg("train").args(arguments.split_whitespace()).stdin(Stdio::null());
    command
}

fn train(folder: &Path, arguments: &str) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

#[cfg(unix)]
fn started(folder: &Path, arguments: &str) -> Killed {
    let mut command = command(folder, arguments);
    Killed(Some(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")))
}

/// What a run says that is asked to end.
#[cfg(unix)]
fn ended(mut run: Killed, name: &str) -> (Option<i32>, String) {
    signal(run.id(), name);
    let out = run.take().wait_with_output().unwrap();
    (out.status.code(), text(&out.stderr))
}

fn good(folder: &Path, arguments: &str) -> String {
    let out = train(folder, arguments);
    assert_eq!(out.status.code(), Some(0), "{arguments}: {}{}", text(&out.stdout), text(&out.stderr));
    text(&out.stdout)
}

const SMALL: &str = "--hidden 32 --batch 512 --epochs 3";

#[test]
fn games_become_a_network_that_is_the_same_each_time() {
    let folder = Folder::new("good");
    write_games(&folder.join("a.data"), 1, 80);
    write_games(&folder.join("b.data"), 2, 80);
    let shown = good(&folder, &format!("a.data b.data --out one.nnue {SMALL} --threads 1"));
    for line in
        ["160 games, ", "left out: no search 1280, opening 1280, ", "3 of 3: loss 0.", "one.nnue: rounding"]
    {
        assert!(shown.lines().any(|shown| shown.starts_with(line)), "{line}: {shown}");
    }
    for ending in ["nnue", "checkpoint", "json", "svg"] {
        assert!(folder.join(format!("one.{ending}")).exists(), "{ending}");
    }
    let network = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let first = Network::read(&network("one.nnue")).unwrap();
    assert_eq!(first.to_string().split(',').next(), Some("(768hm -> 32)x2 -> 1"));
    // Losses fall.
    let log: serde_json::Value = serde_json::from_slice(&network("one.json")).unwrap();
    let loss = |round: usize| log["rounds"][round]["validation_loss"].as_f64().unwrap();
    assert!(loss(2) < 0.8 * loss(0), "{log}");

    for (threads, told) in [(3, " 3 threads,"), (9, " 8 of 9 threads,")] {
        let shown =
            good(&folder, &format!("a.data b.data --out two.nnue {SMALL} --overwrite --threads {threads}"));
        assert!(shown.contains(told), "{shown}");
        assert!(network("one.nnue") == network("two.nnue"), "{threads}");
    }
    good(&folder, &format!("a.data b.data --out three.nnue {SMALL} --seed 2"));
    assert!(network("one.nnue") != network("three.nnue"));
    good(&folder, "--export-only one.checkpoint --out again.nnue");
    assert!(network("one.nnue") == network("again.nnue"));
    // Of a network and itself the mean is that network, of two it is another, whose order does not matter.
    good(&folder, "--mean one.nnue one.nnue --out mean.nnue");
    assert!(network("one.nnue") == network("mean.nnue"));
    let shown = good(&folder, "--mean one.nnue three.nnue --out mean.nnue --overwrite");
    assert!(
        shown.starts_with("mean.nnue: (768hm -> 32)x2 -> 1") && shown.contains(", of 2 networks"),
        "{shown}"
    );
    // Only `.nnue` gives way to the endings of other files.
    for (name, seed) in [("v.1", 1), ("v.2", 2)] {
        good(&folder, &format!("a.data b.data --out {name} {SMALL} --seed {seed}"));
    }
    for ending in ["checkpoint", "json", "svg"] {
        assert!(network(&format!("v.1.{ending}")) != network(&format!("v.2.{ending}")), "{ending}");
    }
    let mean = |name: &str| Network::read(&network(name)).unwrap().weights();
    good(&folder, "--out other.nnue --mean three.nnue --mean one.nnue");
    assert!(mean("mean.nnue") == mean("other.nnue"));
    assert!(mean("mean.nnue") != mean("one.nnue") && mean("mean.nnue") != mean("three.nnue"));
    // The same network has the same loss, by whichever name; the network of another seed has another.
    let shown = good(
        &folder,
        &format!("a.data b.data --out two.nnue {SMALL} --overwrite --against one.nnue --threads 1"),
    );
    for (name, loss) in
        [("two.nnue: rounded", " positions held out, "), ("one.nnue: rounded", " cp on average")]
    {
        assert!(shown.lines().any(|line| line.starts_with(name) && line.contains(loss)), "{shown}");
    }
    // Random games do not teach what a queen is worth.
    assert!(shown.contains("remark: "), "{shown}");
    let log = |name: &str| -> serde_json::Value { serde_json::from_slice(&network(name)).unwrap() };
    let (first, compared) = (log("one.json"), log("two.json"));
    assert!(first["against"].is_null() && first["held_out"]["loss"].as_f64().unwrap() > 0.0, "{first}");
    assert_eq!(compared["held_out"], first["held_out"]);
    assert_eq!(compared["against"]["held_out"], first["held_out"]);
    assert_eq!(compared["against"]["network"], "one.nnue");
    assert!(!compared["findings"].as_array().unwrap().is_empty());
    let rounded = first["held_out"]["loss"].as_f64().unwrap();
    assert!((rounded / loss(2) - 1.0).abs() < 0.05, "{first}");
    good(&folder, &format!("a.data b.data --out three.nnue {SMALL} --overwrite --seed 2 --against one.nnue"));
    let other = log("three.json");
    assert_eq!(other["against"]["held_out"], first["held_out"]);
    assert_ne!(other["held_out"], first["held_out"]);
    // What it came from is told, also by a run that was gone on with.
    for (begins, came_from) in
        [("", None), ("--from one.nnue --overwrite", Some("one.nnue")), ("--resume", Some("one.nnue"))]
    {
        good(&folder, &format!("a.data b.data --out from.nnue {SMALL} {begins}"));
        let log = log("from.json");
        assert_eq!(
            (log["from"].as_str(), &log["data"]),
            (came_from, &serde_json::json!(["a.data", "b.data"]))
        );
    }
    let shown = good(
        &folder,
        &format!("b.data --out fine.nnue {SMALL} --from one.checkpoint --rate 1e-4 --wdl 0:0.5"),
    );
    assert!(shown.contains("wdl 0.50"), "{shown}");
    // At this rate nothing is learnt: a wider network still says what the one it was made of says.
    let wide = format!(
        "a.data b.data --out wide.nnue {SMALL} --overwrite --from one.nnue --rate 1e-8 --final-rate 0"
    );
    good(&folder, &wide.replace("--hidden 32", "--hidden 64 --king-buckets 2 --output-buckets 8"));
    let loss = |name: &str| log(name)["held_out"]["loss"].as_f64().unwrap();
    assert!((loss("wide.json") / loss("one.json") - 1.0).abs() < 0.01, "{}", log("wide.json"));
    // A finished run has nothing left to do.
    let shown = good(&folder, &format!("a.data b.data --out one.nnue {SMALL} --resume"));
    assert!(shown.contains("goes on behind step") && !shown.contains("3 of 3"), "{shown}");
}

#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_or_killed_goes_on_as_if_nothing_had_been() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new("kill");
    write_games(&folder.join("a.data"), 1, 150);
    let options = "a.data --hidden 256 --batch 256 --epochs 100";
    good(&folder, &format!("{options} --out whole.nnue"));
    let mut resume = "";
    for name in ["INT", "KILL", "TERM"] {
        let mut child = command(&folder, &format!("{options} --out part.nnue {resume}"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Behind the first round there is a checkpoint.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        lines.find(|line| line.contains(" of 100: loss")).expect("a round");
        let other = train(&folder, &format!("{options} --out part.nnue --overwrite"));
        assert_eq!(other.status.code(), Some(1));
        assert!(text(&other.stderr).contains("another run is writing part.nnue"), "{}", text(&other.stderr));
        signal(child.id(), name);
        let _ = lines.count();
        let out = child.wait_with_output().unwrap();
        if name != "KILL" {
            assert_eq!(out.status.code(), Some(1));
            assert!(text(&out.stderr).contains("--resume goes on"), "{}", text(&out.stderr));
        }
        resume = "--resume";
    }
    assert!(!folder.join("part.nnue").exists() && !folder.join("part.lock").exists());
    let shown = good(&folder, &format!("{options} --out part.nnue --resume"));
    assert!(shown.contains("goes on behind step"), "{shown}");
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(file("whole.nnue") == file("part.nnue"));
}

/// What must not stand beside --resume is told, and the checkpoint of the run before is gone before the first of this one.
#[cfg(unix)]
#[test]
fn a_run_that_begins_anew_or_from_another_is_gone_on_with_by_itself() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new("anew");
    write_games(&folder.join("a.data"), 1, 40);
    let checkpoint = folder.join("n.checkpoint");
    // A round that takes longer than the test.
    let long = "a.data --out n.nnue --hidden 256 --batch 512 --superbatches 1";
    for (more, told) in [
        ("--from old.nnue", "the same command with --resume instead of --from goes on from n.checkpoint"),
        ("--overwrite", "with --resume instead of --overwrite goes on from"),
        ("--overwrite --from old.nnue", "with --resume instead of --overwrite and --from goes on from"),
    ] {
        if more.starts_with("--from") {
            good(&folder, &format!("a.data --out old.nnue {SMALL}"));
        } else {
            assert!(checkpoint.exists());
            let run = started(&folder, &format!("{long} {more}"));
            wait_until("the checkpoint of the run before goes", || !checkpoint.exists());
            drop(run);
            let out = train(&folder, &format!("{long} --resume"));
            assert!(text(&out.stderr).contains("n.checkpoint: "), "{}", text(&out.stderr));
        }
        for (more, told) in [(more, told), ("--resume", "the same command with --resume goes on from")] {
            let mut run = started(&folder, &format!("{long} {more}"));
            let mut lines = BufReader::new(run.0.as_mut().unwrap().stdout.take().unwrap()).lines();
            lines.find(|line| line.as_ref().unwrap().contains(" steps of ")).expect("it begins").unwrap();
            let (status, errors) = ended(run, "INT");
            assert!(status == Some(1) && errors.contains(told), "{status:?} {errors}");
        }
    }
}

#[test]
fn mistakes_are_told_with_their_remedy() {
    let folder = Folder::new("mistakes");
    write_games(&folder.join("a.data"), 1, 20);
    std::fs::write(folder.join("foreign"), b"something else").unwrap();
    good(&folder, &format!("a.data --out there.nnue {SMALL}"));
    let mut checkpoint = std::fs::read(folder.join("there.checkpoint")).unwrap();
    *checkpoint.last_mut().unwrap() ^= 1;
    std::fs::write(folder.join("damaged.checkpoint"), &checkpoint).unwrap();
    std::fs::copy(folder.join("a.data"), folder.join("games.json")).unwrap();
    std::fs::copy(folder.join("there.nnue"), folder.join("alone.nnue")).unwrap();
    std::fs::write(folder.join("cut.nnue"), &std::fs::read(folder.join("there.nnue")).unwrap()[..1_000])
        .unwrap();
    std::fs::write(folder.join("drawn.svg"), "mine").unwrap();
    for name in ["folder", "logged.json", "begun.checkpoint.new"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    std::fs::copy(folder.join("there.checkpoint"), folder.join("bare")).unwrap();
    std::fs::write(folder.join("kept.lock"), "mine").unwrap();
    #[cfg(unix)]
    for (target, name) in
        [("nowhere.nnue", "link.nnue"), ("nowhere.svg", "linked.svg"), ("/dev/null", "device.nnue")]
    {
        std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
    }
    let before = std::fs::read(folder.join("a.data")).unwrap();
    for (arguments, status, hint) in [
        (
            "a.data --out kept.nnue --hidden 32 --epochs 1",
            1,
            "kept.lock: this is a file with something in it",
        ),
        #[cfg(unix)]
        ("--export-only there.checkpoint --out link.nnue", 1, "link.nnue is a link that leads nowhere"),
        #[cfg(unix)]
        ("--export-only there.checkpoint --out device.nnue --overwrite", 1, "device.nnue is no plain file"),
        ("--out n.nnue", 2, "<DATA>"),
        ("a.data", 2, "--out"),
        ("a.data --out n.nnue --hidden 100", 2, "hidden size is 100; expected a multiple of 32"),
        (
            "a.data --out n.nnue --inputs half",
            2,
            "[possible values: plain, mirrored, threats, marks, exposure]",
        ),
        ("a.data --out n.nnue --king-buckets 3", 2, "--king-buckets is 3: expected 1, 2, 4 or 8"),
        ("a.data --out n.nnue --king-buckets 4 --inputs plain", 2, "needs other --inputs than plain"),
        ("a.data --out n.nnue --output-buckets 9", 2, "output buckets is 9; expected 1 to 8"),
        ("a.data --out n.nnue --epochs 0", 2, "no length"),
        ("a.data --out n.nnue --epochs 1 --superbatches 1", 2, "cannot be used with"),
        ("a.data --out n.nnue --superbatches 0", 2, "no length"),
        ("a.data --out n.nnue --batch 0", 2, "--batch is 0"),
        ("a.data --out n.nnue --rate 0", 2, "--rate is 0"),
        ("a.data --out n.nnue --final-rate 1", 2, "--final-rate is 1"),
        ("a.data --out n.nnue --warm-up x", 2, "--warm-up"),
        ("a.data --out n.nnue --wdl 0.1:2", 2, "'2' is no share from 0 to 1"),
        ("a.data --out n.nnue --scale 0", 2, "scale is 0; expected 1 to 4000"),
        ("a.data --out n.nnue --loss-power 9", 2, "--loss-power is 9"),
        ("a.data --out n.nnue --mirror-data", 2, "--mirror-data does nothing"),
        ("a.data --out n.nnue --filter plys=4", 2, "there is no filter 'plys'"),
        ("a.data --out n.nnue --filter ply=900", 1, "no position to learn from is left"),
        ("a.data --out n.nnue --validation 0.9", 2, "--validation is 0.9"),
        ("a.data --out n.nnue --seed=-1", 2, "--seed"),
        ("a.data --out n.nnue --against none.nnue", 1, "the network 'none.nnue' cannot be read"),
        ("a.data --out n.nnue --against foreign", 1, "this is no Adoube network"),
        ("a.data --out n.nnue --against classic", 2, "--against needs a network"),
        (
            "a.data --out n.nnue --against there.nnue --validation 0",
            2,
            "--against needs games that are held out",
        ),
        ("a.data --out n.nnue --threads 0", 2, "1..=1024"),
        ("a.data --out n.nnue --memory 0", 2, "--memory"),
        ("none.data --out n.nnue", 1, "none.data: "),
        ("foreign --out n.nnue", 1, "foreign is no file of self-play games"),
        ("a.data --out there.nnue", 1, "--resume goes on with that run, --overwrite begins anew"),
        ("a.data --out there.nnue --resume --overwrite", 2, "cannot be used with"),
        ("a.data --out there.nnue --resume --hidden 64 --batch 512 --epochs 3", 1, "hidden was 32 and is 64"),
        // Before any game is read.
        (
            "none.data --out there.nnue --resume --hidden 64 --batch 512 --epochs 3",
            1,
            "hidden was 32 and is 64",
        ),
        ("none.data --out n.nnue --from there.checkpoint --inputs plain", 1, "(768hm -> 32)x2 -> 1"),
        ("a.data --out n.nnue --resume", 1, "n.checkpoint: "),
        ("a.data --out damaged.nnue --resume", 1, "damaged.checkpoint: it is damaged or cut off"),
        ("a.data --out n.nnue --from damaged.checkpoint", 1, "it is damaged or cut off"),
        ("a.data --out n.nnue --from there.checkpoint --inputs plain", 1, "(768hm -> 32)x2 -> 1"),
        ("a.data --out n.nnue --from none.nnue", 1, "'none.nnue' cannot be read"),
        ("a.data --out n.nnue --from cut.nnue", 1, "'cut.nnue' cannot be used: the file is cut short"),
        ("a.data --out n.nnue --from classic", 2, "--from needs a network"),
        ("a.data --out n.nnue --from foreign", 1, "does not begin with 'AdoubeCP'"),
        (
            "--export-only there.checkpoint --out n.nnue --wdl 1 --hidden 64",
            2,
            "--hidden is for a training, and",
        ),
        ("--mean there.nnue there.nnue --out n.nnue --rate 1", 2, "--rate is for a training, and"),
        ("--export-only bare --out bare --overwrite", 1, "bare cannot be read and replaced at once"),
        ("a.data --out logged.nnue --overwrite", 1, "logged.json is a folder"),
        ("a.data --out begun.nnue", 1, "begun.checkpoint.new cannot be written"),
        #[cfg(unix)]
        ("a.data --out linked.nnue --overwrite", 1, "linked.svg is a link that leads nowhere"),
        ("a.data --out n.nnue --from=", 2, "--from"),
        ("a.data --out n.nnue --against=", 2, "--against"),
        ("--mean= there.nnue --out n.nnue", 2, "--mean"),
        ("--export-only foreign --out n.nnue", 1, "does not begin with 'AdoubeCP'"),
        ("a.data --export-only there.checkpoint --out n.nnue", 2, "cannot be used with"),
        ("a.data --out no/such/n.nnue --hidden 32 --epochs 1", 1, "no/such/n.nnue cannot be written"),
        ("a.data --out a.data", 1, "a.data would replace games"),
        ("a.data ./games.json --out games.nnue", 1, "games.json would replace games"),
        ("a.data --out n.checkpoint", 1, "cannot be called n.checkpoint"),
        ("a.data --out n.JSON", 1, "cannot be called n.JSON"),
        ("--export-only there.checkpoint --out there.checkpoint", 1, "cannot be called there.checkpoint"),
        ("a.data --out alone.nnue", 1, "alone.nnue is there already: --overwrite replaces it"),
        ("a.data --out drawn.nnue", 1, "drawn.svg is there already: --overwrite replaces it"),
        ("a.data --out folder --overwrite", 1, "folder is a folder: expected a file"),
        ("--export-only there.checkpoint --out alone.nnue", 1, "--overwrite replaces it"),
        ("--mean there.nnue there.nnue --out alone.nnue", 1, "--overwrite replaces it"),
        ("--mean there.nnue <internal> --out n.nnue", 1, "network 2 is (768hm"),
        ("--mean there.nnue classic --out n.nnue", 2, "--mean needs networks"),
        ("--mean there.nnue none.nnue --out n.nnue", 1, "'none.nnue' cannot be read"),
        ("--mean there.nnue there.checkpoint --out n.nnue", 1, "this is no Adoube network"),
        ("--mean --out n.nnue", 2, "--mean"),
        ("a.data --mean there.nnue --out n.nnue", 2, "cannot be used with"),
    ] {
        let out = train(&folder, arguments);
        let told = text(&out.stderr);
        assert_eq!(out.status.code(), Some(status), "{arguments}: {told}");
        assert!(told.contains(hint), "{arguments}: {told}");
        assert!(!folder.join("n.nnue").exists(), "{arguments}");
    }
    assert!(std::fs::read(folder.join("a.data")).unwrap() == before);
    good(&folder, "--export-only there.checkpoint --out alone.nnue --overwrite");
    // No memory is too large, and none is too small for few positions.
    good(&folder, &format!("a.data --out large.nnue {SMALL} --memory 17592186044416"));
    // Damage in the data is told, and what is whole is used.
    write_games(&folder.join("two.data"), 3, 300);
    let mut bytes = std::fs::read(folder.join("two.data")).unwrap();
    let middle = bytes.len() / 3;
    bytes[middle] ^= 1;
    std::fs::write(folder.join("two.data"), bytes).unwrap();
    let out = train(&folder, &format!("two.data --out two.nnue {SMALL}"));
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("two.data: the block at byte"), "{}", text(&out.stderr));
    assert!(text(&out.stdout).contains("44 games, "), "{}", text(&out.stdout));
}

#[test]
fn games_to_learn_from_are_not_lost_to_files_that_a_run_makes() {
    let folder = Folder::new("lost");
    write_games(&folder.join("a.data"), 1, 20);
    std::fs::create_dir(folder.join("q.parts")).unwrap();
    for name in ["q.parts/adoube-part-0", "q.nnue.new", "q.checkpoint.new", "q.lock"] {
        std::fs::copy(folder.join("a.data"), folder.join(name)).unwrap();
        let out = train(&folder, &format!("{name} --out q.nnue {SMALL}"));
        let told = text(&out.stderr);
        assert!(out.status.code() == Some(1) && told.contains("would replace games"), "{name}: {told}");
        assert!(folder.join(name).exists(), "{name}");
        std::fs::remove_file(folder.join(name)).unwrap();
    }
    // Somebody's own files may lie where parts would.
    std::fs::write(folder.join("q.parts/part-0"), "precious").unwrap();
    good(&folder, &format!("a.data --out q.nnue {SMALL}"));
    assert_eq!(std::fs::read_to_string(folder.join("q.parts/part-0")).unwrap(), "precious");
}

/// A checkpoint goes before the first one of the run that takes its place, and a kill between would leave neither.
#[test]
fn a_checkpoint_to_begin_with_is_not_lost_to_that_of_the_run() {
    let folder = Folder::new("own");
    write_games(&folder.join("a.data"), 1, 40);
    good(&folder, &format!("a.data --out n.nnue {SMALL}"));
    let checkpoint = || std::fs::read(folder.join("n.checkpoint")).unwrap();
    let before = checkpoint();
    for more in
        ["--from n.checkpoint", "--from n.checkpoint --overwrite", "--from ./n.checkpoint --overwrite"]
    {
        let out = train(&folder, &format!("none.data --out n.nnue {SMALL} {more}"));
        let told = text(&out.stderr);
        let expected =
            "n.checkpoint would be replaced by the checkpoint of what begins with it: give another --out";
        assert!(out.status.code() == Some(1) && told.contains(expected), "{more}: {told}");
    }
    assert!(checkpoint() == before);
    std::fs::copy(folder.join("n.checkpoint"), folder.join("copy.checkpoint")).unwrap();
    good(&folder, &format!("a.data --out n.nnue {SMALL} --from copy.checkpoint --overwrite"));
}

#[cfg(unix)]
#[test]
fn what_is_dealt_out_to_files_does_not_stay_when_a_run_is_asked_to_end() {
    let folder = Folder::new("dealt");
    write_games(&folder.join("a.data"), 1, 6_000);
    let run = started(&folder, "a.data --out n.nnue --hidden 32 --superbatches 1 --memory 1 --threads 1");
    let parts = folder.join("n.parts");
    wait_until("games are dealt out", || parts.join("adoube-part-0").exists());
    let (status, errors) = ended(run, "TERM");
    assert_eq!(status, Some(130), "nothing is kept: {errors}");
    assert!(!parts.exists() && !folder.join("n.lock").exists(), "{errors}");
}

#[test]
fn games_that_are_still_written_are_told_and_may_have_grown() {
    let folder = Folder::new("written");
    let [data, more] = ["a.data", "b.data"].map(|name| folder.join(name));
    write_games(&data, 1, 40);
    write_games(&more, 2, 40);
    let warning = "a.data is being written: --resume will not find the same positions";
    let arguments = format!("a.data b.data --out n.nnue {SMALL}");
    // Elsewhere a lock keeps readers off.
    #[cfg(unix)]
    {
        let (writer, _) =
            DataWriter::resume(&data, &Origin(serde_json::json!({ "made by": "a test" }))).unwrap();
        let out = train(&folder, &arguments);
        let told = text(&out.stderr);
        assert!(out.status.success() && told.contains(warning) && !told.contains("b.data"), "{told}");
        drop(writer);
    }
    let out = train(&folder, &format!("{arguments} --overwrite"));
    assert!(out.status.success() && !text(&out.stderr).contains(warning), "{}", text(&out.stderr));
    write_games(&data, 1, 50);
    let told = text(&train(&folder, &format!("{arguments} --resume")).stderr);
    assert!(told.contains("in the same order (a file may have grown since)"), "{told}");
}

/// A file system's names have 255 bytes at most.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_too_long_for_a_checkpoint_is_refused_before_anything_is_read() {
    let folder = Folder::new("long");
    let long = "n".repeat(243);
    let told = text(&train(&folder, &format!("none.data --out {long}.nnue {SMALL}")).stderr);
    assert!(told.contains(&format!("{long}.checkpoint.new cannot be written: ")), "{told}");
    // For a network alone it is not.
    write_games(&folder.join("a.data"), 1, 40);
    good(&folder, &format!("a.data --out one.nnue {SMALL}"));
    good(&folder, &format!("--export-only one.checkpoint --out {long}.nnue"));
}

#[test]
fn nothing_is_written_where_a_run_writes() {
    let folder = Folder::new("held");
    write_games(&folder.join("a.data"), 1, 40);
    good(&folder, &format!("a.data --out one.nnue {SMALL}"));
    let held = Files { network: folder.join("two.nnue") }.hold().unwrap();
    for arguments in ["--export-only one.checkpoint", "--mean one.nnue one.nnue"] {
        let out = train(&folder, &format!("{arguments} --out two.nnue"));
        let told = text(&out.stderr);
        assert!(out.status.code() == Some(1) && told.contains("another run is writing"), "{told}");
        assert!(!folder.join("two.nnue").exists());
    }
    drop(held);
}
