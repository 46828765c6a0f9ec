//! Journals that are whole, torn, changed or somebody else's.

use super::*;
use crate::sys::scratch::Scratch;
use crate::tournament::entry::tests::sample;

fn header() -> Header {
    Header::new(
        &["-rounds".into(), "2".into()],
        u64::MAX,
        vec!["A".into(), "B".into()],
        Some(Fingerprint { size: 9, crc: 7 }),
        [0, 3],
    )
}

fn read(path: &Path) -> (Option<Header>, Vec<Entry>, Journal) {
    let mut journal = Journal::open(path).unwrap();
    let mut entries = vec![];
    let header = journal.read(|entry| entries.push(entry)).unwrap();
    (header, entries, journal)
}

#[test]
fn what_was_written_is_read_and_a_torn_line_is_cut_off() {
    let folder = Scratch::new();
    let path = folder.join("journal");
    let (nothing, _, mut journal) = read(&path);
    assert_eq!(nothing, None);
    journal.begin(&header()).unwrap();
    journal.append(&sample()).unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::InUse(_))));
    journal.append(&sample()).unwrap();
    drop(journal);
    let whole = std::fs::read(&path).unwrap();
    // Torn anywhere in the last line, which may be longer than the one in its place, or in the first.
    let longer = [&whole[..whole.len() - 1], &[b'x'; 5_000]].concat();
    for torn in [&whole[..whole.len() - 1], &longer] {
        std::fs::write(&path, torn).unwrap();
        let (found, entries, mut journal) = read(&path);
        assert_eq!((found, entries), (Some(header()), vec![sample()]));
        journal.append(&sample()).unwrap();
        drop(journal);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
    for end in [20, 60] {
        std::fs::write(&path, &whole[..end]).unwrap();
        assert_eq!(read(&path).0, None);
    }
    // Somebody's file may have no line end.
    std::fs::write(&path, "important").unwrap();
    assert!(matches!(Journal::open(&path).unwrap().read(drop), Err(JournalError::Line(_, 1, _))));
}

#[test]
fn nobody_is_held_off_by_a_copy_of_a_closed_journal() {
    let folder = Scratch::new();
    let path = folder.join("journal");
    let journal = Journal::open(&path).unwrap();
    let copy = journal.file.try_clone().unwrap();
    drop(journal);
    assert!(Journal::open(&path).is_ok());
    drop(copy);
}

#[test]
fn the_first_line_can_be_changed() {
    let folder = Scratch::new();
    let path = folder.join("journal");
    let mut journal = Journal::open(&path).unwrap();
    journal.begin(&header()).unwrap();
    journal.append(&sample()).unwrap();
    let words = vec!["-rounds".to_string(), "300".to_string()];
    journal.change_header(&Header { words: words.clone(), ..header() }).unwrap();
    journal.append(&sample()).unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::InUse(_))));
    drop(journal);
    let (found, entries, _) = read(&path);
    assert_eq!((found.unwrap().words, entries.len()), (words, 2));
}

#[cfg(unix)]
#[test]
fn what_stands_in_the_place_of_a_new_first_line_is_not_written_through() {
    let folder = Scratch::new();
    let [path, other] = ["journal", "other"].map(|name| folder.join(name));
    std::fs::write(&other, "precious").unwrap();
    std::os::unix::fs::symlink(&other, files::unfinished(&path)).unwrap();
    begun(&path).change_header(&header()).unwrap();
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "precious");
    assert_eq!((path.is_symlink(), read(&path).1.len()), (false, 1));
}

/// A journal with a game in it.
fn begun(path: &Path) -> Journal {
    let mut journal = Journal::open(path).unwrap();
    journal.begin(&header()).unwrap();
    journal.append(&sample()).unwrap();
    journal
}

#[test]
fn a_journal_that_somebody_changes_takes_no_more_games() {
    let folder = Scratch::new();
    let path = folder.join("journal");
    for length in [0, 40, 100_000] {
        let mut journal = begun(&path);
        File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
        let error = journal.append(&sample()).unwrap_err().to_string();
        let told = error.contains(&*path.to_string_lossy()) && error.contains("somebody");
        assert!(told && !journal.has_last(), "{error}");
        assert!(journal.finish().is_err());
        assert_eq!(std::fs::metadata(&path).unwrap().len(), length, "left as it is");
    }
}

#[cfg(unix)]
#[test]
fn a_journal_that_somebody_removes_is_there_again() {
    let folder = Scratch::new();
    let path = folder.join("journal");
    let mut journal = begun(&path);
    let whole = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let error = journal.append(&sample()).unwrap_err().to_string();
    assert!(error.contains("somebody has removed it; all games"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    // What has been put in its place is somebody's.
    std::fs::write(&path, "precious").unwrap();
    let error = journal.append(&sample()).unwrap_err().to_string();
    assert!(error.contains("somebody has removed it, and"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
}

#[test]
fn other_files_are_refused() {
    let folder = Scratch::new();
    let path = folder.join("journal");
    std::fs::write(&path, "[Event \"x\"]\n").unwrap();
    let mut journal = Journal::open(&path).unwrap();
    assert!(journal.read(|_| ()).unwrap_err().to_string().contains("no journal"));
    drop(journal);
    for other in
        [Header { version: VERSION - 1, ..header() }, Header { format: "a-journal".into(), ..header() }]
    {
        std::fs::write(&path, serde_json::to_string(&other).unwrap() + "\n").unwrap();
        let error = Journal::open(&path).unwrap().read(|_| ()).unwrap_err().to_string();
        assert!(error.contains(&format!("line 1: expected format {FORMAT} {VERSION}")), "{error}");
    }
    // So much of a file is read, and no more; what begins like a journal is not taken for the beginning of one then.
    for beginning in ["important", "{\"format\":\"adoube-journal\""] {
        std::fs::write(&path, beginning).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(LONGEST_HEADER as u64 + 1).unwrap();
        let mut journal = Journal::open(&path).unwrap();
        assert_eq!(first_line(&mut BufReader::new(&journal.file)).unwrap().len(), LONGEST_HEADER);
        let [read, looked] = [journal.read(drop).map(drop), journal.stage().map(drop)];
        assert!(
            [read, looked].iter().all(|it| matches!(it, Err(JournalError::Line(_, 1, _)))),
            "{beginning}"
        );
    }
    let line = serde_json::to_string(&header()).unwrap();
    std::fs::write(&path, format!("{line}\n{{}}\n")).unwrap();
    let (_, entries, _) = read(&path);
    assert!(entries.is_empty(), "broken lines at the end are cut off");
    std::fs::write(&path, format!("{line}\n{{}}\n{}", sample().to_line())).unwrap();
    let error = Journal::open(&path).unwrap().read(|_| ()).unwrap_err().to_string();
    assert!(error.contains("line 2"), "but not before a whole one: {error}");
    std::fs::write(&path, format!("{line}\n{{}}\n{END}")).unwrap();
    let error = Journal::open(&path).unwrap().read(|_| ()).unwrap_err().to_string();
    assert!(error.contains("line 2"), "nor before the end of the match: {error}");
}

#[test]
fn how_far_a_match_has_come_is_told_without_its_games() {
    let folder = Scratch::new();
    let path = folder.join("journal");
    let line = serde_json::to_string(&header()).unwrap() + "\n";
    let game = sample().to_line();
    for (text, stage) in [
        (String::new(), None),
        (line[..40].to_string(), None),
        (line.clone(), Some(Stage::Begun)),
        (format!("{line}{}", &game[..game.len() - 1]), Some(Stage::Begun)),
        (format!("{line}{game}"), Some(Stage::Played)),
        (format!("{line}{game}{}", &game[..20]), Some(Stage::Played)),
        (format!("{line}{game}{}", &END[..END.len() - 1]), Some(Stage::Played)),
        (format!("{line}{game}{END}"), Some(Stage::Finished)),
        (format!("{line}{END}"), Some(Stage::Finished)),
        // Reading it would be an error.
        (format!("{line}{{}}\n{game}"), Some(Stage::Played)),
    ] {
        std::fs::write(&path, &text).unwrap();
        assert_eq!(Journal::open(&path).unwrap().stage().unwrap(), stage, "{text}");
    }
    for text in ["important", "important\n", "{}\n"] {
        std::fs::write(&path, text).unwrap();
        assert!(matches!(Journal::open(&path).unwrap().stage(), Err(JournalError::Line(_, 1, _))));
    }
}

#[test]
fn lines_that_are_missing_or_broken_are_told() {
    let folder = Scratch::new();
    let path = folder.join("journal");
    let mut journal = Journal::open(&path).unwrap();
    journal.begin(&header()).unwrap();
    for game in [0, 1, 3, 2] {
        let mut entry = sample();
        entry.fixture.game = game;
        journal.append(&entry).unwrap();
    }
    journal.adjourn(&[4, 6]).unwrap();
    journal.adjourn(&[4, 6]).unwrap();
    drop(journal);
    let whole = std::fs::read_to_string(&path).unwrap();
    assert_eq!(whole.lines().count(), 6, "what is known already is not told again");
    let (_, entries, mut journal) = read(&path);
    assert_eq!((entries.len(), journal.missing(), journal.adjourned()), (4, &[][..], &[4, 6][..]));
    assert!(journal.move_out_broken().unwrap().is_none());
    // What is put before them changes nothing.
    journal.change_header(&Header { names: vec![], ..header() }).unwrap();
    drop(journal);
    let without = |number: usize| {
        let lines = whole.lines().enumerate().filter(|(at, _)| *at != number);
        lines.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    for (line, game) in [(1, 0), (3, 3), (4, 2)] {
        std::fs::write(&path, without(line)).unwrap();
        let (_, entries, journal) = read(&path);
        assert_eq!((entries.len(), journal.missing()), (3, &[Missing { last: game, games: 1 }][..]));
    }
    // Side by side they are told together, and what is written then goes on from there.
    let lines: Vec<&str> = whole.lines().collect();
    std::fs::write(&path, format!("{}\n{}\n{}\n", lines[0], lines[1], lines[4])).unwrap();
    let (_, _, mut journal) = read(&path);
    let two = [Missing { last: 3, games: 2 }];
    assert_eq!(journal.missing(), two);
    let mut entry = sample();
    entry.fixture.game = 1;
    journal.append(&entry).unwrap();
    drop(journal);
    let (_, entries, journal) = read(&path);
    assert_eq!((entries.len(), journal.missing()), (3, &two[..]));
    drop(journal);
    // Earlier versions did not count.
    let uncounted = |line: &str| {
        let (body, _) = line.split_once(",\"games\":").unwrap();
        let crc = Fingerprint::of(body.as_bytes()).crc;
        format!("{body},\"sum\":{crc}}}\n")
    };
    let lines = [1, 4].map(|at| uncounted(lines[at]));
    std::fs::write(&path, format!("{}\n{}", whole.lines().next().unwrap(), lines.concat())).unwrap();
    let (_, _, journal) = read(&path);
    assert_eq!(journal.missing(), [Missing { last: 3, games: 1 }]);
    drop(journal);
    // Two lines at the end are no games.
    let end = whole.find("{\"adjourned\"").unwrap();
    std::fs::write(&path, format!("{}{{}}\n{{\"game\"", &whole[..end])).unwrap();
    let (_, entries, mut journal) = read(&path);
    let aside = files::with_suffix(&path, ".cut");
    assert_eq!(journal.move_out_broken().unwrap(), Some((2, aside.clone())));
    assert_eq!((entries.len(), std::fs::read_to_string(&aside).unwrap().as_str()), (4, "{}\n{\"game\""));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole[..end]);
}
