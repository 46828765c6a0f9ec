//! Positions as lines of text, and scores that come back from them.

use super::{bytes, done, number, play, refused};
use crate::support::folder::Folder;
use crate::support::{adoube, text};
use adoube::training::data::{DataReader, SelfplayGame};
use std::path::Path;

fn games(file: &str) -> Vec<SelfplayGame> {
    DataReader::open(Path::new(file)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn positions_go_out_as_text_and_scores_come_back() {
    let folder = Folder::new("lines");
    let [file, lines, scores, made] = ["games", "lines", "scores", "made"].map(|name| folder.path(name));
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
    assert_eq!(done(&["data", "export", &file, "--columns", "fen,score,result"]), written);
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
        (level[4..].into(), "there are more positions than that"),
        (format!("{level}0\n"), "more scores than there are positions"),
        (level.replacen("0.4\n", &format!("{}\n", "1".repeat(500)), 1), "line 1: '111"),
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
