//! The log of all that is said.

use super::assert_alive;
use crate::support::engine::{Engine, command, says};
use crate::support::folder::Folder;

#[test]
fn all_that_is_said_is_in_the_log() {
    let folder = Folder::new("log");
    let file = folder.join("a log.txt");
    let log = || std::fs::read_to_string(&file).unwrap();
    let mut engine = Engine::start();
    let set = format!("setoption name Debug Log File value {}", file.display());
    let mut said = vec![];
    for round in 1..=2 {
        assert_eq!(engine.ask(&set), [""; 0]);
        said.extend([">> position startpos", ">> go depth 3"].map(String::from));
        said.extend(engine.go("position startpos  \r\ngo depth 3").iter().map(|line| format!("<< {line}")));
        engine.send("d");
        assert_eq!(engine.ask("setoption name Debug Log File value <empty>")[0], "");
        assert_eq!(engine.ask("setoption name UCI_ShowWDL value false"), [""; 0]);
        let log = log();
        // Each beginning has its head.
        assert_eq!(log.matches(&format!(" -- process {}\n", engine.id())).count(), round, "{log}");
        // Each line begins with its time.
        for line in log.lines() {
            let (time, rest) = line.split_at(26);
            assert!(time.starts_with("20") && time.as_bytes()[19] == b'.', "{line}");
            assert!([" >> ", " << ", " -- "].iter().any(|mark| rest.starts_with(mark)), "{line}");
        }
        let found: Vec<&str> = log.lines().map(|line| &line[27..]).collect();
        for line in &said {
            assert!(found.contains(&line.as_str()), "'{line}' is not in {log}");
        }
        assert!(found.contains(&"<< Checkers:") || found.contains(&"<< Checkers: "), "{log}");
        assert!(!log.contains("ShowWDL"), "{log}");
    }
    let before = log();
    // A folder, and a folder that is not there.
    for path in [std::env::temp_dir(), file.join("below.txt")] {
        engine.send(&set);
        let told = engine.ask(&format!("setoption name Debug Log File value {}", path.display()));
        assert!(
            told.len() == 1 && says(&told, "cannot be written") && says(&told, "no log is kept"),
            "{told:#?}"
        );
    }
    // Nor is one made by another name than its own.
    engine.send(&set);
    let named = [set.trim_end_matches(".txt").as_bytes(), b"\xe9.txt\n"].concat();
    engine.send_bytes(&named);
    let told = engine.sync();
    assert!(told.len() == 1 && says(&told, "no UTF-8") && says(&told, "no log is kept"), "{told:#?}");
    let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
    let names = std::fs::read_dir(file.parent().unwrap()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    assert_eq!(names.filter(|name| name.starts_with(&stem)).count(), 1);
    assert_eq!(engine.ask("setoption name UCI_ShowWDL value true"), [""; 0]);
    assert!(log().starts_with(&before) && !log().contains("ShowWDL value true"));
    assert_alive(&mut engine);
    engine.quit();
}

/// As the clock of the machine's user has it, whose GUI keeps a log too.
#[cfg(unix)]
#[test]
fn a_log_goes_by_the_time_of_the_place() {
    // Small systems know no places.
    if !std::path::Path::new("/usr/share/zoneinfo/Asia/Tokyo").is_file() {
        return;
    }
    let time_in = |place: &str| {
        let folder = Folder::new("log");
        let file = folder.join("log.txt");
        let mut engine = Engine::start_with(command().env("TZ", place));
        engine.until("Adoube ");
        assert_eq!(engine.ask(&format!("setoption name Debug Log File value {}", file.display())), [""; 0]);
        engine.quit();
        let log = std::fs::read_to_string(&file).unwrap();
        log[..19].parse::<jiff::civil::DateTime>().unwrap()
    };
    let (in_utc, in_tokyo) = (time_in("UTC"), time_in("Asia/Tokyo"));
    let minutes = in_utc.duration_until(in_tokyo).as_mins();
    assert!((539..600).contains(&minutes), "{in_utc} {in_tokyo}");
}

/// The shell lets no file grow beyond a few lines, and a write that would is refused and not punished.
#[cfg(unix)]
#[test]
fn a_log_that_can_grow_no_more_is_told_of_once() {
    let folder = Folder::new("log");
    let file = folder.join("full log.txt");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\"", env!("CARGO_BIN_EXE_adoube")]);
    shell.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut engine = Engine::start_with(shell.stderr(std::process::Stdio::piped()));
    // Once what is heard is too much, once what is said.
    for (line, times) in [("register later\n", 400), ("d\n", 12)] {
        let _ = std::fs::remove_file(&file);
        engine.send(&format!("setoption name Debug Log File value {}", file.display()));
        let lines = engine.ask(&line.repeat(times));
        let told = lines.iter().filter(|line| line.starts_with("info string ERROR: the log ends here: "));
        assert_eq!(told.count(), 1, "{lines:#?}");
    }
    assert_alive(&mut engine);
    engine.quit();
}
