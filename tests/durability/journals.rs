//! Journals that are gone on with, and those that are of another match.

use super::{assert_whole, play, start, undisturbed, wait_for_games, without_sums, words};
use crate::support::matches::{Scene, finish};
use crate::support::{signal, wait_until};

#[test]
fn the_first_seed_may_be_given_again_or_not() {
    let scene = Scene::new();
    let child = start(&scene, "");
    wait_for_games(&scene, 5);
    signal(child.id(), "INT");
    finish(child);
    let (white, black) = ("good --seed 1 --think 2000", "good --seed 2 --think 2000");
    let without = words(&scene).replace(" -srand 7", "");
    let ended = scene.play(white, black, &format!("{without} -resume"));
    assert_whole(&scene, &ended, undisturbed());
    assert_eq!(
        play(&scene, "-resume").code,
        Some(0),
        "the journal has other words by now, and the same seed"
    );
    let other = scene.play(white, black, &format!("{without} -srand 8 -resume"));
    assert!(other.code == Some(1) && other.stderr.contains("-srand differs"), "{}", other.stderr);
}

#[test]
fn a_journal_of_other_pairings_is_not_gone_on_with() {
    let scene = Scene::new();
    let words = "-rounds 2 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn";
    assert_eq!(scene.play("good", "good", words).code, Some(0));
    let journal = without_sums(&scene.read("g.pgn.journal"));
    let exchanged = journal.replacen(r#""white":0,"black":1"#, r#""white":1,"black":0"#, 1);
    let exchanged = exchanged.replace("{\"end\":true}\n", "");
    assert_ne!(journal.len(), exchanged.len());
    std::fs::write(scene.path("g.pgn.journal"), &exchanged).unwrap();
    let ended = scene.play("good", "good", &format!("{words} -resume"));
    assert!(ended.code == Some(1) && ended.stderr.contains("was paired otherwise"), "{}", ended.stderr);
    assert_eq!(scene.read("g.pgn.journal"), exchanged);
}

#[test]
fn a_journal_of_other_players_or_openings_is_not_gone_on_with() {
    let scene = Scene::new();
    let book = "4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    std::fs::write(scene.path("book.epd"), book).unwrap();
    let words = "-rounds 2 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn -openings file=book.epd";
    assert_eq!(scene.play("good", "good", words).code, Some(0));
    let journal = scene.read("g.pgn.journal").replace("{\"end\":true}\n", "");
    let begin = journal.find(r#""openings":{"#).unwrap();
    let end = begin + journal[begin..].find('}').unwrap() + 1;
    let without = journal.replacen(&journal[begin..end], r#""openings":null"#, 1);
    let renamed = journal.replacen(r#""names":["A","B"]"#, r#""names":["A","C"]"#, 1);
    assert_ne!(renamed, journal);
    let other_book = format!("{book}4k3/8/8/8/8/8/3P4/4K3 w - -\n");
    for (journal, book, told) in [
        (&renamed, book, "the players were A, C and are A, B"),
        (&journal, &other_book, "the file of openings has changed since the first run"),
        (&without, book, "the file of openings was none in the first run"),
    ] {
        std::fs::write(scene.path("book.epd"), book).unwrap();
        std::fs::write(scene.path("g.pgn.journal"), journal).unwrap();
        let ended = scene.play("good", "good", &format!("{words} -resume"));
        assert!(ended.code == Some(1) && ended.stderr.contains(told), "{told}: {}", ended.stderr);
        assert_eq!(&scene.read("g.pgn.journal"), journal);
    }
    scene.assert_all_gone();
}

#[test]
fn what_somebody_has_taken_out_of_a_journal_is_told_and_played_anew() {
    let scene = Scene::new();
    let words = "-rounds 3 -games 1 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn";
    let resume = || {
        let ended = scene.play("good", "good", &format!("{words} -resume"));
        assert!(
            ended.code == Some(0) && ended.stdout.contains("Games: 3"),
            "{}{}",
            ended.stdout,
            ended.stderr
        );
        ended.stdout
    };
    let change = |edit: &dyn Fn(&mut Vec<String>)| {
        let mut lines: Vec<String> = scene.read("g.pgn.journal").lines().map(String::from).collect();
        edit(&mut lines);
        std::fs::write(scene.path("g.pgn.journal"), lines.join("\n") + "\n").unwrap();
    };
    assert_eq!(scene.play("good", "good", words).code, Some(0));
    assert!(!resume().contains("played anew"), "nothing is wrong");
    // The line of the second game.
    change(&|lines| drop(lines.remove(2)));
    let told = resume();
    assert!(
        told.contains("the line of game 2 is missing in g.pgn.journal; that game is played anew"),
        "{told}"
    );
    assert!(!resume().contains("is missing"), "it has been played");
    // Two lines side by side, after which that of the second game is left.
    change(&|lines| drop(lines.drain(1..3)));
    let told = resume();
    assert!(
        told.contains(
            "2 lines are missing in g.pgn.journal, the last that of game 3; those games are played anew"
        ),
        "{told}"
    );
    assert!(!resume().contains("missing"), "they have been played");
    // The results of the last two games, and the end of the match.
    change(&|lines| {
        lines.pop();
        lines.iter_mut().skip(2).for_each(|line| *line = line.replace("1/2-1/2", "1-0"));
    });
    let told = resume();
    let aside = "the last 2 lines of g.pgn.journal are no whole games; they are in g.pgn.journal.cut now, and those games";
    assert!(told.contains(aside), "{told}");
    assert_eq!(scene.read("g.pgn.journal.cut").matches("1-0").count(), 2);
    // Before others a line that was changed is no accident.
    change(&|lines| lines[2] = lines[2].replace("1/2-1/2", "1-0"));
    let ended = scene.play("good", "good", &format!("{words} -resume"));
    let why = "the journal g.pgn.journal, line 3: it has been changed, or is damaged";
    assert!(ended.code == Some(1) && ended.stderr.contains(why), "{}", ended.stderr);
}

#[test]
fn another_program_under_a_players_name_is_told() {
    let scene = Scene::new();
    let words = "-rounds 1 -each tc=60+1 -maxmoves 2 -pgnout file=g.pgn";
    let resume = || scene.play("good", "good", &format!("{words} -resume"));
    assert_eq!(scene.play("good", "good", words).code, Some(0));
    assert!(!resume().stdout.contains("another program"));
    let journal = scene.read("g.pgn.journal");
    let at = journal.find("\"programs\":[\"").unwrap() + "\"programs\":[\"".len();
    std::fs::write(scene.path("g.pgn.journal"), format!("{}My {}", &journal[..at], &journal[at..])).unwrap();
    let ended = resume();
    let told = "A is another program than in the first session: ";
    assert!(ended.stdout.contains(told) && ended.stdout.contains("it was \"My "), "{}", ended.stdout);
    assert!(!ended.stdout.contains("B is another"), "{}", ended.stdout);
}

#[test]
fn a_journal_behind_a_link_stays_there() {
    let scene = Scene::new();
    std::fs::create_dir(scene.path("safe")).unwrap();
    std::fs::write(scene.path("safe/journal"), "").unwrap();
    std::os::unix::fs::symlink("safe/journal", scene.path("link")).unwrap();
    let child = start(&scene, "-journal file=link");
    wait_until("some games", || scene.read("link").lines().count() > 5);
    signal(child.id(), "INT");
    assert_eq!(finish(child).code, Some(1));
    let ended = play(&scene, "-journal file=link -resume");
    assert_whole(&scene, &ended, undisturbed());
    assert!(scene.path("link").is_symlink() && !scene.path("link.new").exists());
}

#[test]
fn another_match_is_not_mistaken_for_this_one() {
    let scene = Scene::new();
    let words =
        "-rounds 2 -each tc=3000+1 -maxmoves 4 -pgnout file=g.pgn -log file=g.log engine=true append=false";
    // It plays one game, and is waited for in the second as long as it takes.
    let waiting = "hang --after 5";
    let mut child = scene.command(waiting, "good", words).spawn().unwrap();
    wait_for_games(&scene, 1);
    let logged = scene.read("g.log").len();
    let second = scene.play(waiting, "good", words);
    assert!(second.stderr.contains("is being written by another match"), "{}", second.stderr);
    let log = scene.read("g.log");
    assert!(
        log.len() >= logged && !log.contains('\0') && logged > 0,
        "the other's log is not touched: {log}"
    );
    // Asked more than once it ends at once.
    wait_until("the match ends", || {
        signal(child.id(), "INT");
        child.try_wait().unwrap().is_some()
    });
    finish(child);
    let other = scene.play(waiting, "good", &format!("{words} -resume -games 1"));
    assert!(other.code == Some(1) && other.stderr.contains("-games"), "{}", other.stderr);
    // Without -resume the unfinished match is put aside, not overwritten.
    let before = scene.read("g.pgn.journal");
    let again = scene.play("good", "good", words);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(scene.read("g.pgn.journal.1"), before);
    assert!(again.stdout.contains("g.pgn.journal.1"), "{}", again.stdout);
    // More rounds make it longer.
    let logged = scene.read("g.log");
    let longer = scene.play("good", "good", &words.replace("-rounds 2", "-rounds 3 -resume"));
    assert!(longer.stdout.contains("Resuming after 4 games") && longer.stdout.contains("Games: 6,"));
    // So does its log, which would else be replaced.
    assert!(scene.read("g.log").starts_with(&logged) && scene.read("g.log").len() > logged.len());
    // A file that is no journal is not touched.
    std::fs::write(scene.path("precious"), "precious\n").unwrap();
    let refused = scene.play("good", "good", &format!("{words} -journal file=precious"));
    assert!(refused.code == Some(1) && refused.stderr.contains("no journal"), "{}", refused.stderr);
    assert_eq!(scene.read("precious"), "precious\n");
}

#[test]
fn of_two_matches_side_by_side_each_is_told_how_to_go_on() {
    let scene = Scene::new();
    let words = "-rounds 20000 -each tc=60+1 -maxmoves 4 -srand 1";
    let begin = || scene.command("good --burn 300", "good", words).spawn().unwrap();
    let wait_for = |journal: &str| {
        wait_until(journal, || scene.read(journal).lines().count() >= 3);
    };
    let first = begin();
    wait_for("adoube-match.journal");
    let same = scene.play("good --burn 300", "good", &format!("{words} -resume"));
    assert!(
        same.code == Some(1) && same.stderr.contains("is being written by another match"),
        "{}",
        same.stderr
    );
    let second = begin();
    wait_for("adoube-match-2.journal");
    for (child, way) in [
        (second, "adoube match -config file=adoube-match-2.journal goes on"),
        (first, "the same command with -resume goes on; the journal is adoube-match.journal"),
    ] {
        signal(child.id(), "INT");
        let ended = finish(child);
        assert!(ended.code == Some(1) && ended.stderr.contains(way), "{}", ended.stderr);
    }
    scene.assert_all_gone();
    // Whose match another's journal is in the way of finds its own.
    let journal = scene.read("adoube-match-2.journal");
    let other =
        journal.replacen(r#""-srand","1""#, r#""-srand","2""#, 1).replacen(r#""seed":1,"#, r#""seed":2,"#, 1);
    assert_ne!(journal, other);
    std::fs::write(scene.path("adoube-match-2.journal"), other).unwrap();
    let told = scene.play("good --burn 300", "good", &words.replace("-srand 1", "-srand 2 -resume")).stderr;
    let way = "adoube match -config file=adoube-match-2.journal goes on with one of these words";
    assert!(told.contains("-srand") && told.contains(way), "{told}");
}
