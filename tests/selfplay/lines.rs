//! Positions as lines of text, and scores that come back from them.

use super::{bytes, command, done, number, play, refused};
use crate::support::folder::Folder;
use crate::support::{adoube, text};
use adoube::training::data::{DataReader, SelfplayGame};
use std::path::Path;

fn games(file: &str) -> Vec<SelfplayGame> {
    DataReader::open(Path::new(file)).unwrap().map(Result::unwrap).collect()
}

/// These lines of a text, and then all that are behind as many.
fn lines_of(text: &str, first: &[usize]) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let rest = lines[first.len()..].iter().copied();
    first.iter().map(|line| lines[*line]).chain(rest).collect()
}

#[test]
fn positions_go_out_as_text_and_scores_come_back() {
    let folder = Folder::new("lines");
    let [file, lines, scores, made, piped] =
        ["games", "lines", "scores", "made", "piped"].map(|name| folder.path(name));
    play(&file, &["--games", "12"]);
    let told = done(&["data", "export", &file, &lines]);
    let written = std::fs::read_to_string(&lines).unwrap();
    let count = written.lines().count();
    assert_eq!(told, format!("{count} positions are in {lines}\n"));
    assert_eq!(count as f64, number(&done(&["data", "stats", &file]), "quiet positions"));
    let is_right = |line: &str| {
        let [fen, score, result] = line.split(" | ").collect::<Vec<_>>()[..] else { return false };
        let plain = ["1.0", "0.5", "0.0"].contains(&result) && score.parse::<i16>().is_ok();
        plain && adoube::board::Position::from_fen(fen).is_ok()
    };
    assert!(written.lines().all(is_right), "{written}");
    // Without a file to the standard output.
    for words in [&["--columns", "fen,score,result"][..], &["-"]] {
        assert_eq!(done(&[&["data", "export", &file][..], words].concat()), written);
    }
    assert!(refused(&["data", "export", &file, &lines], 1).contains("--force replaces it"));
    assert!(refused(&["data", "export", &file, &file, "--force"], 1).contains("read and replaced at once"));
    done(&["data", "export", &file, &lines, "--force", "--noisy", "--columns", "score"]);
    let noisy = std::fs::read_to_string(&lines).unwrap();
    assert!(noisy.lines().count() > count);

    // All that a score is rounded by is lost the first time, and nothing the second.
    done(&["data", "label", &file, &made, &lines, "--noisy"]);
    assert_eq!(done(&["data", "export", &made, "--noisy", "--columns", "score"]), noisy);
    let level: String = "0.4\n".repeat(count);
    std::fs::write(&scores, &level).unwrap();
    done(&["data", "label", &file, &made, &scores, "--force"]);
    assert_eq!(done(&["data", "export", &made, "--columns", "score"]), level.replace("0.4", "1"));
    // With the positions that they are of, whatever their counters are, as Windows writes them, and as far as scores go.
    let (fen, rest) = written.split_once(" | ").unwrap();
    let (_, rest) = rest.split_once(" | ").unwrap();
    let placed = fen.rsplitn(3, ' ').last().unwrap();
    let far = format!("\u{feff}{placed} 49 99 | 17216 | {rest}\n\n").replace('\n', "\r\n");
    std::fs::write(&scores, far).unwrap();
    done(&["data", "label", &file, &made, &scores, "--force"]);
    assert_eq!(done(&["data", "export", &made]), format!("{fen} | 17216 | {rest}"));
    // From a pipe the same.
    let input = std::fs::File::open(&scores).unwrap();
    let out = command(&["data", "label", &file, &piped, "-"]).stdin(input).output().unwrap();
    assert!(out.status.success() && bytes(&piped) == bytes(&made), "{}", text(&out.stderr));
    let moves = |games: &[SelfplayGame]| {
        let of = |game: &SelfplayGame| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
        games.iter().map(of).collect::<Vec<_>>()
    };
    assert!(moves(&games(&file)) == moves(&games(&made)));
    assert!(done(&["data", "verify", &made]).contains("whole"));

    // What does not fit changes nothing.
    let before = bytes(&made);
    for (text, hint) in [
        (
            level.replacen("0.4", "much", 1),
            "line 1: 'much' is no score: expected a number from -17216 to 17216",
        ),
        (level.replacen("0.4", "NaN", 1), "line 1: 'NaN' is no score"),
        (level.replacen("0.4", "-17217", 1), "line 1: '-17217' is no score"),
        (level[4..].into(), "there are more positions than that"),
        (format!("{level}\n0\n"), "more scores than there are positions"),
        // Whatever is behind a line's first thousand bytes is no line of its own.
        (
            level[4..].replacen("0.4", &format!("0.{}", "4".repeat(1_050)), 1),
            "line 1: it has more than 1000 bytes",
        ),
        (lines_of(&written, &[1, 0]), "' is not the position, "),
        (lines_of(&written, &[0, 0]), "line 2: '"),
    ] {
        std::fs::write(&scores, text).unwrap();
        let told = refused(&["data", "label", &file, &made, &scores, "--force"], 1);
        assert!(told.contains(hint), "{told}");
    }
    let out = refused(&["data", "label", &file, &scores, &scores, "--force"], 1);
    assert!(out.contains("read and replaced at once"), "{out}");
    assert!(bytes(&made) == before);
    let out = adoube(&["data", "export", &file, "--columns", "eval"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("there is no column 'eval'"), "{}", text(&out.stderr));
}

#[test]
fn the_column_static_is_of_the_network_that_is_named_and_no_network_is_replaced() {
    let folder = Folder::new("static");
    let [file, network] = ["games", "network"].map(|name| folder.path(name));
    play(&file, &["--games", "3"]);
    let columns = "--columns=game,ply,static";
    let [own, classic] = [&[columns][..], &[columns, "--eval-file", "classic"]]
        .map(|words| done(&[&["data", "export", &file][..], words].concat()));
    assert!(own.starts_with("0 | ") && own != classic);
    let places = |text: &str| {
        text.lines().map(|line| line.rsplit_once(" | ").unwrap().0.to_string()).collect::<Vec<_>>()
    };
    assert!(places(&own) == places(&classic) && own.contains("\n2 | "), "{own}");
    let told = refused(&["data", "export", &file, "--eval-file", "classic"], 2);
    assert!(told.contains("--eval-file is for the column static"), "{told}");

    std::fs::copy("src/eval/adoube.nnue", &network).unwrap();
    assert!(done(&["data", "export", &file, columns, "--eval-file", &network]) == own);
    let whole = bytes(&network);
    let export = ["data", "export", &file, &network, columns];
    let rescore = ["data", "rescore", &file, &network, "--nodes", "5"];
    for words in [&export[..], &rescore] {
        let told = refused(&[words, &["--force", "--eval-file", &network]].concat(), 1);
        assert!(told.contains("cannot be read and replaced at once"), "{told}");
    }
    assert!(bytes(&network) == whole);
}
