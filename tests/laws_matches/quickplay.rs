//! The quickplay finish: requests of a draw, and the judge who decides about them.

use crate::support::laws::Side::{Cecp, Uci};
use crate::support::laws::{GOOD, assert_ends, command, moves, play};
use crate::support::matches::{Scene, finish, games};

/// A game with rooks in which White comes to ask for a draw in a quickplay finish: five wrong claims leave him, who began
/// with 15 minutes, a minute and a half (9.5.b of 2005).
fn quickplay_finish(who_decides: &str) -> String {
    let claim = "claim=1/2-1/2_{drawn}+nothing";
    let switches = format!("--score 0 --script 'a1b1 {claim} {claim} {claim} {claim} {claim} b1a1'");
    let rooks = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
    let words = format!("-each tc=900 -maxmoves 4 -laws fide-2005 quickplay=true {who_decides}");
    play(rooks, (Cecp(&switches), "finish=10/1"), (Uci("good --script h8g8,g8h8,h8g8"), ""), &words).0
}

#[test]
fn article_10_2_a_draw_is_claimed_in_a_quickplay_finish() {
    let game = quickplay_finish("");
    let text = moves(&game);
    assert!(text.contains("White loses 180 s on the clock (fide-2005:9.5.b)"), "{text}");
    // The fifth one half of three minutes, less what the engine took.
    assert!(text.contains("White loses 89.") || text.contains("White loses 90 s"), "{text}");
    let asked = text.find("White asks for a decision (fide-2005:10.2)").expect("a request");
    assert!(
        text[asked..].contains("White's request is rejected (fide-2005:10.2), Black gets 120 s more"),
        "{text}"
    );
    assert_eq!(text.matches("White asks for a decision").count(), 1, "a proxy asks once in a game: {text}");
    let judge = env!("CARGO_BIN_EXE_adoube");
    let game = quickplay_finish(&format!("judge-nodes=20000 judge={judge}"));
    assert_ends(&game, "1/2-1/2", "normal", "sees no advantage of the opponent (fide-2005:10.2)");
}

#[test]
fn article_g_4_a_delay_is_asked_for_in_a_quickplay_finish_and_told_to_engines() {
    let even = "good --score 0";
    let scene = Scene::new();
    let (white, black) = ((Uci(even), "tc=119 finish=delay:10/2"), (Uci(even), "tc=1200"));
    let words = "-maxmoves 4 -laws fide-2014 quickplay=true";
    let ended = finish(command(&scene, white, black, words).spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let text = moves(&games(&scene.path("g.pgn"))[0]);
    let asked = text.find("White asks for a decision (fide-2014:G.4)").expect("a request");
    assert!(text[..asked].contains(" 3. ") && !text[..asked].contains(" 4. "), "{text}");
    assert!(
        text[asked..].contains("every move has a delay of 5 s (fide-2014:G.4), Black gets 120 s more"),
        "{text}"
    );
    // Engines know a delay as an increment that their time has already.
    for name in ["A.log", "B.log"] {
        let log = scene.read(name);
        let told: Vec<&str> = log.lines().filter(|line| line.contains(" go ")).collect();
        let says = |line: &str, words: &[&str]| words.iter().all(|word| format!("{line} ").contains(word));
        assert!(says(told[1], &[" winc 0 ", " binc 0 "]), "{told:?}");
        let after = [" wtime 12", " winc 5000 ", " btime 132", " binc 5000 "];
        assert!(says(told.last().unwrap(), &after), "{told:?}");
    }
}

#[test]
fn a_judge_who_cannot_be_started_is_told_of_before_any_file_is_touched() {
    let scene = Scene::new();
    std::fs::write(scene.path("g.pgn"), "[Event \"old\"]\n\n*\n\n").unwrap();
    let words = "append=false -each tc=60 -laws fide-2014 quickplay=true judge=./nowhere";
    let ended = finish(command(&scene, GOOD, GOOD, words).spawn().unwrap());
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("the judge (./nowhere): cannot start"), "{}", ended.stderr);
    assert!(!ended.stdout.contains("Started game"), "{}", ended.stdout);
    assert_eq!(scene.read("g.pgn"), "[Event \"old\"]\n\n*\n\n");
    assert_eq!(scene.read("g.pgn.journal"), "");
    scene.assert_all_gone();
}

#[test]
fn a_judge_of_chess960_is_told_so_and_warned_of_if_he_does_not_know_it() {
    for option in ["option name UCI_Chess960 type check default false", "id author nobody"] {
        let scene = Scene::new();
        let script = format!(
            "#!/bin/sh\nwhile read -r word rest; do echo \"$word $rest\" >> judge.log; case $word in \
             uci) echo '{option}'; echo uciok;; isready) echo readyok;; quit) exit;; esac; done\n"
        );
        scene.write_program("judge.sh", &script);
        let words = "-each tc=60 -variant fischerandom -openings chess960=lot -maxmoves 2 -laws fide-2014 quickplay=true judge=./judge.sh";
        let ended = finish(command(&scene, GOOD, GOOD, words).spawn().unwrap());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(scene.read("judge.log").contains("setoption name UCI_Chess960 value true"));
        let is_warned = ended.stdout.contains("doesn't have option UCI_Chess960");
        assert_eq!(is_warned, !option.starts_with("option"), "{}", ended.stdout);
    }
}

#[test]
#[ignore = "wants files: ADOUBE_SYZYGY=folder with tables of up to four pieces"]
fn article_10_2_a_tablebase_decides_in_a_quickplay_finish() {
    let folder = std::env::var("ADOUBE_SYZYGY").expect("ADOUBE_SYZYGY names the folder");
    let game = quickplay_finish(&format!("-tb {folder} -tbadjudicate NONE"));
    let words = "the tablebase knows no win of the opponent (fide-2005:10.2)";
    assert_ends(&game, "1/2-1/2", "normal", words);
}
