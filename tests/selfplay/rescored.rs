//! Games whose scores are made anew, in one run or in several.

use super::{bytes, command, done, number, play, refused};
use crate::support::folder::Folder;
use crate::support::{Killed, adoube, signal, text, wait_until};
use adoube::training::data::{DataReader, DataWriter, Origin, SelfplayGame};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

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
    signal(stopped.id(), "INT");
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
