//! From files to positions, and the files that a run leaves.

use super::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Writes games to a file.
fn write(path: &Path, games: &[SelfplayGame]) {
    let mut writer = DataWriter::create(path, &Origin(serde_json::json!({ "test": true }))).unwrap();
    for game in games {
        writer.push(game.clone()).unwrap();
    }
    writer.finish().unwrap();
}

/// What nobody sets.
static NEVER: AtomicBool = AtomicBool::new(false);

fn read(
    files: &[PathBuf],
    settings: &Settings,
    bytes: u64,
    folder: &Path,
) -> Result<(Dataset, Vec<String>), DatasetError> {
    let mut told = vec![];
    let dataset = Dataset::read(
        files,
        settings,
        Storage::Memory(bytes),
        &folder.join("parts"),
        &NEVER,
        &mut |error| told.push(error.to_string()),
    )?;
    Ok((dataset, told))
}

/// The keys of all positions of an epoch, in its order.
fn epoch(dataset: &mut Dataset, batch: usize, epoch: u64) -> Vec<u64> {
    let steps = dataset.steps(batch);
    let mut keys = vec![];
    for step in epoch * steps..(epoch + 1) * steps {
        let place = dataset.place(step, batch, 1);
        let records = dataset.records(&place).unwrap();
        keys.extend((0..batch as u64).map(|at| records[place.order.at(place.first + at) as usize].key()));
    }
    keys
}

#[test]
fn files_are_mixed_held_out_by_games_and_in_parts_if_they_must_be() {
    let folder = Scratch::new();
    let files: Vec<PathBuf> = (0..3).map(|number| folder.join(format!("{number}.data"))).collect();
    for (number, file) in files.iter().enumerate() {
        let mut all = games(number as u64, 120, 90);
        // Some games are in all files.
        all.extend(games(77, 20, 90));
        write(file, &all);
    }
    let filter = Filter { ply: 6, ..Filter::default() };
    let settings = Settings { filter, validation: 0.1, ..Settings::default() };
    let (mut whole, told) = read(&files, &settings, 1 << 30, &folder).unwrap();
    assert!(told.is_empty() && whole.parts() == 1);
    let counts = whole.counts;
    assert_eq!(counts.games, 420);
    assert_eq!(
        counts.positions,
        counts.unsearched
            + counts.opening
            + counts.check
            + counts.tactical
            + counts.score
            + counts.clock
            + counts.pieces
            + counts.duplicates
            + counts.training
            + counts.validation
    );
    assert!(counts.unsearched > 0 && counts.check > 0 && counts.tactical > 0 && counts.duplicates > 1000);
    assert!((0.04..0.2).contains(&(counts.validation as f64 / counts.training as f64)), "{counts}");

    let mut first = epoch(&mut whole, 1, 0);
    let mut second = epoch(&mut whole, 1, 1);
    assert_eq!(first.len() as u64, counts.training);
    assert_ne!(first, second);
    first.sort();
    second.sort();
    assert_eq!(first, second);
    first.dedup();
    assert_eq!(first.len(), second.len(), "a position is there twice");

    let (mut parts, _) = read(&files, &settings, 200_000, &folder).unwrap();
    assert!(parts.parts() > 2, "{}", parts.parts());
    assert_eq!(parts.counts, counts);
    let mut third = epoch(&mut parts, 1, 0);
    let fourth = epoch(&mut parts, 1, 1);
    assert_ne!(third, fourth);
    third.sort();
    assert_eq!(third, second);
    assert!(folder.join("parts").exists());
    drop(parts);
    assert!(!folder.join("parts").exists());

    let told = read(&files, &settings, 10, &folder).unwrap_err().to_string();
    assert!(told.contains("--memory 1 is enough"), "{told}");
    let none = Filter { ply: 500, ..filter };
    let told = read(&files, &Settings { filter: none, ..settings.clone() }, 1 << 30, &folder)
        .unwrap_err()
        .to_string();
    assert!(told.contains("no position to learn from") && told.contains("opening"), "{told}");
}

#[test]
fn what_the_filters_leave_needs_no_parts_if_it_fits() {
    let folder = Scratch::new();
    let file = folder.join("a.data");
    write(&file, &games(1, 200, 90));
    let filter = Filter { ply: 75, ..Filter::default() };
    let settings = Settings { filter, validation: 0.1, ..Settings::default() };
    let (mut whole, _) = read(std::slice::from_ref(&file), &settings, 1 << 30, &folder).unwrap();
    let room = whole.len() * (Record::BYTES as u64 + 20);
    let (mut same, _) = read(std::slice::from_ref(&file), &settings, room, &folder).unwrap();
    assert_eq!((same.parts(), same.counts), (1, whole.counts));
    assert_eq!(epoch(&mut same, 1, 0), epoch(&mut whole, 1, 0));
    assert!(!folder.join("parts").exists());
    let (less, _) = read(&[file], &settings, room - 1, &folder).unwrap();
    assert!(less.parts() > 1 && less.counts == whole.counts);
}

#[test]
fn hardly_any_position_is_left_out_of_an_epoch() {
    let folder = Scratch::new();
    let file = folder.join("a.data");
    write(&file, &games(2, 60, 60));
    let (whole, _) = read(&[file], &Settings::default(), 1 << 30, &folder).unwrap();
    let all = whole.len() as usize;
    for wanted in (1..2 * all).step_by(7) {
        let batch = whole.batch(wanted);
        let learnt = whole.steps(batch) as usize * batch;
        assert!(
            batch <= wanted && 2 * batch > wanted.min(all) && learnt * 16 >= all * 15,
            "{wanted}: {batch}"
        );
        assert!(batch == wanted || all <= 16 * wanted, "{wanted}: {batch}");
    }
}

#[test]
fn damage_is_told_and_costs_a_block() {
    let folder = Scratch::new();
    let file = folder.join("a.data");
    write(&file, &games(1, 600, 40));
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let settings = Settings { filter: Filter { ply: 6, ..Filter::default() }, ..Settings::default() };
    let (dataset, told) = read(std::slice::from_ref(&file), &settings, 1 << 30, &folder).unwrap();
    assert!(told.len() == 1 && told[0].contains("a.data: the block at byte"), "{told:?}");
    assert_eq!(dataset.counts.games, 600 - 256);
    std::fs::write(&file, b"nonsense").unwrap();
    let told = read(&[file], &settings, 1 << 30, &folder).unwrap_err().to_string();
    assert!(told.contains("a.data is no file of self-play games"), "{told}");
    let told = read(&[folder.join("none")], &settings, 1 << 30, &folder).unwrap_err().to_string();
    assert!(told.contains("none"), "{told}");
}

#[test]
fn a_run_leaves_its_files_and_can_be_stopped() {
    let folder = Scratch::new();
    let files = Files { network: folder.join("net.nnue") };
    let records = records(&games(2, 30, 120), 400.0);
    let settings = Settings { hidden: 32, batch: 100, length: Length::Epochs(2), ..Settings::default() };
    let mut run = small_run(&settings, &records, Start::Random, 1, Vectors::widest());
    let end = run.finish(&files, Duration::MAX, &mut || true, &mut |_| {}).unwrap();
    assert!(matches!(end, End::Stopped) && !files.network.exists());
    let start = Start::Resume(Box::new(checkpoint::read(&files.checkpoint()).unwrap()));
    let mut run = small_run(&settings, &records, start, 1, Vectors::widest());
    assert_eq!(run.progress().step, 16);
    // Nothing is lost of what is told, if it is written so often.
    let kept = || checkpoint::read(&files.checkpoint()).unwrap().0.step;
    let mut told = vec![];
    // Asked to stop while weights are rounded.
    let is_rounding = Cell::new(false);
    let mut tell = |event: Event<'_>| match event {
        Event::Steps { done, .. } => told.push((done, kept())),
        Event::Rounding => is_rounding.set(true),
        Event::Round(..) => {}
    };
    let end = run.finish(&files, Duration::ZERO, &mut || is_rounding.get(), &mut tell).unwrap();
    assert!(matches!(end, End::Stopped) && !files.network.exists());
    let start = Start::Resume(Box::new(checkpoint::read(&files.checkpoint()).unwrap()));
    let mut run = small_run(&settings, &records, start, 1, Vectors::widest());
    assert_eq!(run.progress().step, run.steps());
    let end = run.finish(&files, Duration::MAX, &mut || false, &mut |_| {}).unwrap();
    assert!(!told.is_empty() && told.iter().all(|(done, kept)| done == kept), "{told:?}");
    let End::Complete(summary) = end else { panic!("{end:?}") };
    let network = Network::read(&std::fs::read(&files.network).unwrap()).unwrap();
    assert_eq!(network.architecture(), &settings.architecture());
    let log: serde_json::Value = serde_json::from_slice(&std::fs::read(files.log()).unwrap()).unwrap();
    assert_eq!(log["rounds"].as_array().unwrap().len(), 2);
    assert_eq!(log["rounding_error"]["mean"].as_f64(), Some(summary.rounding.mean));
    assert!(std::fs::read_to_string(files.drawing()).unwrap().contains("<polyline"));
}

/// Games in a file, which are dealt out to parts.
fn in_parts(folder: &Path, settings: &Settings) -> Dataset {
    let file = folder.join("a.data");
    write(&file, &games(1, 150, 90));
    let dataset = read(&[file], settings, 100_000, folder).unwrap().0;
    assert!(dataset.parts() > 2, "{}", dataset.parts());
    dataset
}

/// All that is left to do is to round and to write.
#[test]
fn a_run_that_was_killed_at_its_very_end_gives_the_same_network() {
    let folder = Scratch::new();
    let filter = Filter { ply: 6, ..Filter::default() };
    for validation in [0.0, 0.1] {
        let settings = Settings { hidden: 32, batch: 200, length: Length::Epochs(1), ..Settings::default() };
        let settings = Settings { filter, validation, ..settings };
        let begin =
            |start| Run::new(&settings, in_parts(&folder, &settings), start, 1, Vectors::widest()).unwrap();
        let network = |mut run: Run, name: &str| {
            let files = Files { network: folder.join(name) };
            let end = run.finish(&files, Duration::MAX, &mut || false, &mut |_| {}).unwrap();
            assert!(matches!(&end, End::Complete(summary) if summary.rounding.positions > 200), "{end:?}");
            std::fs::read(&files.network).unwrap()
        };
        let whole = network(begin(Start::Random), "whole.nnue");
        let mut run = begin(Start::Random);
        to_the_end(&mut run);
        let left = Start::Resume(Box::new((run.progress().clone(), run.state())));
        drop(run);
        assert!(network(begin(left), "resumed.nnue") == whole, "validation {validation}");
        // In memory the order would be another.
        let file = folder.join("a.data");
        let mut progress = begin(Start::Random).progress().clone();
        let dataset = |storage| {
            let parts = folder.join("parts");
            Dataset::read(std::slice::from_ref(&file), &settings, storage, &parts, &NEVER, &mut |_| {})
                .unwrap()
        };
        let same = dataset(Storage::Parts(progress.parts));
        assert_eq!((same.parts(), same.fingerprint), (progress.parts, progress.fingerprint));
        progress.step = 1;
        let state = begin(Start::Random).state();
        let resumed = |storage| {
            let start = Start::Resume(Box::new((progress.clone(), state.clone())));
            Run::new(&settings, dataset(storage), start, 1, Vectors::widest()).map(|run| run.steps())
        };
        assert!(resumed(Storage::Parts(progress.parts)).is_ok());
        let told = resumed(Storage::Memory(1 << 30)).unwrap_err().to_string();
        assert!(told.contains("parts and are in 1"), "{told}");
    }
}

#[test]
fn only_the_parts_themselves_are_removed() {
    let folder = Scratch::new();
    let settings = Settings { filter: Filter { ply: 6, ..Filter::default() }, ..Settings::default() };
    let foreign = folder.join("parts").join("somebody's file");
    std::fs::create_dir_all(folder.join("parts")).unwrap();
    std::fs::write(&foreign, b"precious").unwrap();
    drop(in_parts(&folder, &settings));
    assert_eq!(std::fs::read(&foreign).unwrap(), b"precious");
    assert_eq!(std::fs::read_dir(folder.join("parts")).unwrap().count(), 1);
    std::fs::remove_file(&foreign).unwrap();
    // One part cannot be made: those before it are not left behind.
    std::fs::create_dir_all(folder.join("parts").join("adoube-part-1").join("x")).unwrap();
    let told = read(&[folder.join("a.data")], &settings, 100_000, &folder).unwrap_err().to_string();
    assert!(told.contains("part-1"), "{told}");
    assert_eq!(std::fs::read_dir(folder.join("parts")).unwrap().count(), 1);
}

#[test]
fn parts_do_not_stay_when_reading_is_stopped() {
    let folder = Scratch::new();
    let file = folder.join("a.data");
    write(&file, &games(1, 600, 40));
    let settings = Settings { filter: Filter { ply: 6, ..Filter::default() }, ..Settings::default() };
    let (bytes, parts) = (std::fs::read(&file).unwrap(), folder.join("parts"));
    // Stopped before anything, behind the last block, and not at all.
    for (is_set, damaged, expected) in [(true, false, true), (false, true, true), (false, false, false)] {
        let mut bytes = bytes.clone();
        bytes.truncate(bytes.len() - usize::from(damaged));
        std::fs::write(&file, bytes).unwrap();
        let stop = AtomicBool::new(is_set);
        let mut dealt_out = false;
        let read = Dataset::read(
            std::slice::from_ref(&file),
            &settings,
            Storage::Parts(3),
            &parts,
            &stop,
            &mut |_| {
                dealt_out = parts.join("adoube-part-2").exists();
                stop.store(true, Ordering::Relaxed);
            },
        );
        assert_eq!(dealt_out, damaged);
        assert_eq!(matches!(read, Err(DatasetError::Stopped)), expected);
        drop(read);
        assert!(!parts.exists());
    }
}

#[test]
fn other_results_are_other_data() {
    let folder = Scratch::new();
    let file = folder.join("a.data");
    let settings = Settings { filter: Filter { ply: 6, ..Filter::default() }, ..Settings::default() };
    let mut all = games(1, 40, 90);
    all.extend(games(1, 3, 90));
    let fingerprint = |games: &[SelfplayGame], memory| {
        write(&file, games);
        read(std::slice::from_ref(&file), &settings, memory, &folder).unwrap().0.fingerprint
    };
    let first = fingerprint(&all, 1 << 30);
    assert_eq!(fingerprint(&all, 1 << 30), first);
    assert_eq!(fingerprint(&all, 50_000), first, "parts are another matter");
    let mut drawn = all.clone();
    drawn.iter_mut().for_each(|game| game.outcome = Outcome::Draw);
    assert_ne!(fingerprint(&drawn, 1 << 30), first);
    assert_ne!(fingerprint(&all[1..], 1 << 30), first);
}

/// The checksum is right, the games are not.
#[test]
fn a_block_that_cannot_be_decoded_is_told_by_its_place() {
    let folder = Scratch::new();
    let file = folder.join("a.data");
    write(&file, &games(1, 700, 20));
    let mut bytes = std::fs::read(&file).unwrap();
    let magic = &b"\xd1GDblock"[..];
    let blocks: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(magic)).collect();
    assert_eq!(blocks.len(), 3);
    let (begin, end) = (blocks[1], blocks[2]);
    bytes[begin + 40..begin + 60].fill(0xff);
    let mut crc = crc32fast::Hasher::new();
    crc.update(&bytes[begin + 8..begin + 36]);
    crc.update(&bytes[begin + 40..end]);
    bytes[begin + 36..begin + 40].copy_from_slice(&crc.finalize().to_le_bytes());
    std::fs::write(&file, &bytes).unwrap();
    let settings = Settings { filter: Filter { ply: 6, ..Filter::default() }, ..Settings::default() };
    let (dataset, told) = read(&[file], &settings, 1 << 30, &folder).unwrap();
    assert_eq!(dataset.counts.games, 700 - 256);
    assert!(told.len() == 1 && told[0].contains(&format!("byte {begin}")), "{told:?}, expected {begin}");
}

#[test]
fn the_same_game_is_held_out_the_same_way_and_its_positions_once() {
    let folder = Scratch::new();
    let files = ["a", "b"].map(|name| folder.join(format!("{name}.data")));
    // Other games before the same ones.
    write(&files[0], &games(1, 60, 60));
    write(&files[1], &[games(2, 1, 60), games(1, 60, 60), games(2, 1, 60)].concat());
    let filter = |text: &str| format!("ply=6,{text}").parse().unwrap();
    let settings = Settings { filter: filter("duplicates=keep"), validation: 0.5, ..Settings::default() };
    let (twice, _) = read(&files, &settings, 1 << 30, &folder).unwrap();
    let times = |records: &[Record]| {
        let mut times = std::collections::HashMap::new();
        records.iter().for_each(|record| *times.entry(record.key()).or_insert(0) += 1);
        times
    };
    let held_out = times(&twice.validation);
    assert!(held_out.len() > 300 && twice.counts.duplicates == 0);
    assert!(held_out.values().all(|times| times % 2 == 0));
    let settings = Settings { filter: filter("duplicates=drop"), ..settings };
    let (once, _) = read(&files, &settings, 1 << 30, &folder).unwrap();
    assert!(times(&once.validation).values().all(|&times| times == 1));
    assert_eq!(once.validation.len(), held_out.len());
}

#[test]
fn parts_come_in_another_order_in_each_epoch() {
    let folder = Scratch::new();
    let settings = Settings { filter: Filter { ply: 6, ..Filter::default() }, ..Settings::default() };
    let dataset = in_parts(&folder, &settings);
    // A part is known by its size.
    let orders: Vec<Vec<u64>> = (0..6)
        .map(|epoch| {
            let mut sizes = vec![];
            while sizes.iter().sum::<u64>() < dataset.len() {
                let step = epoch * dataset.len() + sizes.iter().sum::<u64>();
                sizes.push(dataset.place(step, 1, 1).steps);
            }
            sizes
        })
        .collect();
    assert!(orders.iter().all(|order| order.len() == dataset.parts()));
    assert!(orders.iter().any(|order| order != &orders[0]), "{orders:?}");
}

#[test]
fn scores_are_in_the_fingerprint_and_those_that_only_returns_hear_of_too() {
    let folder = Scratch::new();
    let file = folder.join("a.data");
    let all = games(1, 30, 90);
    let fingerprint = |games: &[SelfplayGame], lambda| {
        let filter = Filter { ply: 6, ..Filter::default() };
        write(&file, games);
        let settings = Settings { filter, lambda, ..Settings::default() };
        read(std::slice::from_ref(&file), &settings, 1 << 30, &folder).unwrap().0.fingerprint
    };
    let changed = |is_one: &dyn Fn(&Position, &Ply) -> bool| {
        let mut changed = all.clone();
        for game in &mut changed {
            let mut position = game.start;
            for ply in &mut game.plies {
                if is_one(&position, ply) {
                    ply.score = ply.score.map(|score| Score::new(score.units() + 1));
                }
                position = position.after(ply.mv);
            }
        }
        changed
    };
    // With the result alone no return tells of the scores.
    assert_ne!(fingerprint(&changed(&|_, _| true), 1.0), fingerprint(&all, 1.0));
    // Nobody learns from positions where something is taken.
    let of_captures = changed(&|position, ply| position.is_capture(ply.mv));
    assert_eq!(fingerprint(&of_captures, 1.0), fingerprint(&all, 1.0));
    assert_ne!(fingerprint(&of_captures, 0.5), fingerprint(&all, 0.5));
}

#[test]
fn parts_are_as_many_as_what_is_kept_needs() {
    let folder = Scratch::new();
    let file = folder.join("a.data");
    write(&file, &games(1, 60, 90));
    let read = |filter: &str, bytes| {
        let filter =
            format!("ply=0,duplicates=keep,score=31000,clock=10000,pieces=2,{filter}").parse().unwrap();
        let settings = Settings { filter, validation: 0.0, ..Settings::default() };
        read(std::slice::from_ref(&file), &settings, bytes, &folder).unwrap().0
    };
    let each = Record::BYTES as u64 + 20;
    // More than the quiet ones.
    for filter in ["tactical=keep", "check=keep"] {
        let all = read(filter, 1 << 30).len();
        assert_eq!(read(filter, all * each - 1).parts(), 2, "{filter}");
    }
    // Few of many: their memory would not be enough for all.
    let all = read("", 1 << 30).len();
    let few = read("keep=0.02", all * each / 250);
    assert!((2..20).contains(&few.parts()) && few.len() < all / 25, "{} {}", few.parts(), few.len());
}

#[test]
fn the_seed_chooses_which_share_of_positions_is_kept() {
    let folder = Scratch::new();
    let file = folder.join("a.data");
    write(&file, &games(1, 60, 90));
    let kept = |seed| {
        let filter = Filter { ply: 6, keep: 0.3, ..Filter::default() };
        let settings = Settings { filter, seed, validation: 0.0, ..Settings::default() };
        let mut dataset = read(std::slice::from_ref(&file), &settings, 1 << 30, &folder).unwrap().0;
        let mut keys = epoch(&mut dataset, 1, 0);
        keys.sort();
        keys
    };
    assert_eq!(kept(1), kept(1));
    assert_ne!(kept(1), kept(2));
}
