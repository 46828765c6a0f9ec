use super::*;
#[cfg(unix)]
use Level::{Failure, Warning};

#[test]
fn names_are_unique_and_outcomes_are_told() {
    let mut names = step_names();
    assert!(names.len() >= 50);
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    let finding = |level, what: &str| Finding {
        level,
        what: what.into(),
        sent: "go depth 1".into(),
        came: "nothing".into(),
    };
    let findings = vec![finding(Level::Warning, "hums"), finding(Level::Failure, "hangs")];
    let text = Outcome::Found(findings).to_string();
    assert_eq!(
        text, "failed (hums; hangs)\n    sent: go depth 1\n    came: nothing",
        "the same quotation is told once"
    );
    assert_eq!(Outcome::Skipped("it cannot ponder".into()).to_string(), "passed (it cannot ponder)");
    let summary = Summary { passed: 3, warnings: 1, failed: 0 };
    assert_eq!(summary.to_string(), "3 passed, 1 warning, 0 failed");
    assert_eq!(Summary { warnings: 0, ..summary }.to_string(), "3 passed, 0 warnings, 0 failed");
}

/// An engine that answers well and at once, unless `arms`, cases of a shell for the lines that it reads, say otherwise. It
/// plays `$move`.
#[cfg(unix)]
fn engine(arms: &str) -> EngineConfig {
    let options = "option name Hash type spin default 1 min 1 max 9\n\
                   option name Threads type spin default 1 min 1 max 9\n\
                   option name MultiPV type spin default 1 min 1 max 3\n\
                   option name UCI_Chess960 type check default false";
    let script = format!(
        "move=a2a3; while read -r line; do case $line in {arms} \
         uci) echo 'id name A\nid author B\n{options}\nuciok';; isready) echo readyok;; quit) exit;; \
         go*) echo \"info depth 4 score cp 1 nodes 20 pv $move\nbestmove $move\";; esac; done"
    );
    EngineConfig { cmd: "sh".into(), args: vec!["-c".into(), script], ..EngineConfig::default() }
}

/// What each of these steps says of the engine that does so, once it has greeted.
#[cfg(unix)]
fn take(arms: &str, names: &[&str]) -> Vec<Outcome> {
    let config = engine(arms);
    // Nobody is too slow for it, and whoever says nothing is not waited for long.
    let settings = Settings {
        patience: Duration::from_secs(2),
        tolerance: Duration::from_secs(60),
        ..Settings::default()
    };
    let mut tester = Tester::new(&config, settings);
    let mut outcomes = vec![];
    for name in ["Start the engine", "Answer uci with uciok"].iter().chain(names) {
        outcomes.push(tester.take(steps().find(|step| step.name == *name).expect(name)));
    }
    outcomes.split_off(2)
}

/// What the engine does, the steps, the level of what the last of them finds, and words of it.
#[cfg(unix)]
type Row<'a> = (&'a str, &'a [&'a str], Option<Level>, &'a str);

/// All rows at once, since some of them wait.
#[cfg(unix)]
fn check(rows: &[Row<'_>]) {
    std::thread::scope(|scope| {
        for &(arms, names, level, words) in rows {
            scope.spawn(move || {
                let outcome = take(arms, names).pop().expect("a step");
                assert_eq!(outcome.level(), level, "{names:?} of {arms}: {outcome}");
                assert!(outcome.to_string().contains(words), "'{words}' of {arms}: {outcome}");
            });
        }
    });
}

#[cfg(unix)]
#[test]
fn what_is_wrong_with_a_greeting_is_found() {
    let order = &["Say id first, then options, then uciok"][..];
    let readable = &["Declare options that can be read"][..];
    let hash = "option name Hash type spin default 1 min 1 max 9";
    let greeting = |lines: &[&str]| format!("uci) printf '%s\\n' '{}' uciok;;", lines.join("' '"));
    for (lines, names, level, words) in [
        (&["id author B"][..], &["Say id name"][..], Some(Failure), "'id name' before uciok"),
        (&["id name", "id author B"], &["Say id name"], Some(Failure), "'id name' before uciok"),
        (&["id name A", "id author"], &["Say id author"], Some(Failure), "'id author' before uciok"),
        (&[hash, "id name A"], order, Some(Warning), "id after its first option"),
        (&["id name A", "hello", hash], order, Some(Warning), "no UCI)\n    sent: uci\n    came: hello"),
        (&["A of 2026, by B", "id name A", hash], order, None, "passed"),
        (&["option name Hash type spin default 1"], readable, Some(Failure), "no whole numbers"),
        (&["option name Path type string default"], readable, Some(Warning), "a bare default"),
        (&[hash, "option name HASH type button"], &["Declare each option once"], Some(Failure), "HASH twice"),
        (&[hash], &["Declare Hash and Threads"], Some(Warning), "no option Threads"),
    ] {
        let outcome = take(&greeting(lines), names).pop().expect("a step");
        assert_eq!(outcome.level(), level, "{lines:?}: {outcome}");
        assert!(outcome.to_string().contains(words), "'{words}' of {lines:?}: {outcome}");
    }
}

#[cfg(unix)]
#[test]
fn options_that_are_not_taken_are_found() {
    let silent = "Keep silent on the error output";
    check(&[
        (
            "setoption*Hash*) echo 'info string Invalid value';;",
            &["Set each option to its default"],
            Some(Failure),
            "refuses the default of its own option Hash",
        ),
        (
            "setoption*hash*) echo 'No such option: hash';;",
            &["Set an option by its name in small letters"],
            Some(Warning),
            "only as it spells it itself",
        ),
        ("setoption*many) exit 3;;", &["Survive a value that is none"], Some(Warning), "does not survive it"),
        // What is nonsense may be told.
        ("setoption*many) echo nonsense >&2;;", &["Survive a value that is none", silent], None, "passed"),
        ("ucinewgame) echo sense >&2;;", &["Accept ucinewgame", silent], Some(Warning), "came: sense"),
    ]);
}

#[cfg(unix)]
#[test]
fn searches_that_are_not_what_was_asked_for_are_found() {
    let mate = &["Find mate in one"][..];
    let castle = "Castle in Chess960";
    let x_fen = &["Castle in Chess960 after an X-FEN"][..];
    let lines = &["Show as many lines as MultiPV asks for"][..];
    check(&[
        (
            "go*) echo 'info score cp 1 nodes 100001 pv a2a3\nbestmove a2a3';;",
            &["Search with nodes"],
            Some(Warning),
            "searches 100001 nodes where 5000 were allowed)\n    sent: position fen r1bq1rk1/",
        ),
        (
            "go*) echo 'info score cp 1 pv a2a3\nbestmove a2a3';;",
            &["Search with nodes"],
            Some(Warning),
            "does not tell how many",
        ),
        (
            "go*) echo 'info depth 5 score cp 1 pv a2a3\nbestmove a2a3';;",
            &["Search with depth"],
            Some(Warning),
            "of depth 5 at most, not 4",
        ),
        ("position*) move=a7a6;;", mate, Some(Warning), "plays a7a6 where d8h4 is mate"),
        (
            "go*) echo 'info score mate 2 pv d8h4\nbestmove d8h4';;",
            mate,
            Some(Warning),
            "tells Mate(2) for a mate in one",
        ),
        (
            "go*mate*) ;; stop) echo bestmove a2a3;;",
            &["Search for mate"],
            Some(Warning),
            "does not end 'go mate 2'",
        ),
        ("", &[castle], Some(Warning), "plays a2a3 where castling, e1g1"),
        ("", &["Ponder until ponderhit"], None, "passed (it declares no Ponder)"),
        (
            "uci) echo 'option name Ponder type check default false\nuciok';; go*) ;; stop) echo bestmove a2a3;;",
            &["Ponder until ponderhit"],
            Some(Failure),
            "only after 'stop'",
        ),
        // Who does not keep to searchmoves is not told so twice.
        ("", &["Search only searchmoves", castle], None, "passed"),
        ("uci) echo 'option name Hash type button\nuciok';;", &[castle], None, "no UCI_Chess960"),
        // Clients send Shredder-FEN: who does not know it cannot play for them.
        ("position*GBgb*) move=b1b3;;", &[castle], Some(Failure), "plays an illegal move: b1b3"),
        ("position*HAha*) exit 3;;", &[castle], Some(Failure), "has ended"),
        ("position*KQkq*) exit 3;;", &[castle], Some(Warning), "warning (plays a2a3 where castling, e1g1"),
        ("position*1R*KQkq*) move=b1b3;;", x_fen, Some(Warning), "warning (plays an illegal move: b1b3"),
        ("position*KQkq*) exit 3;;", x_fen, Some(Warning), "has ended"),
        ("position*1R*) exit 3;;", &[x_fen[0], castle], Some(Failure), "has ended"),
        (
            "position*k7*) move=a8b8;;",
            lines,
            Some(Warning),
            "shows the lines [1] at its last depth, not 1 to 3",
        ),
        (
            "position*k7*) move=a8b8;; \
             go*) for n in 1 2 3; do echo info depth 5 multipv $n score cp 1 pv $move; done; echo bestmove $move;;",
            lines,
            Some(Warning),
            "warning (shows the lines [1, 2, 3] where there are 2 legal moves)",
        ),
        (
            "go*) echo 'info score cp 1 pv a2a3\nbestmove a2a3\ninfo string more';;",
            &["Say nothing after bestmove"],
            Some(Warning),
            "came: info string more",
        ),
        (
            "go*) ;; stop) echo bestmove a2a3;;",
            &["Move with 0 ms on the clock"],
            Some(Warning),
            "thinks on with no time",
        ),
    ]);
}

/// What a step has set would be held against the engine in the next one.
#[cfg(unix)]
#[test]
fn what_was_set_for_a_step_is_set_back() {
    let castles = "position*e8e7*) move=g1h1;; position*e8c8*) move=c8c7;; position*4K2R*) move=e1g1;;";
    let three = "go*) for n in 1 2 3; do echo info depth 5 multipv $n score cp 1 pv $move; done; echo bestmove $move;;";
    let lines = [
        "Show as many lines as MultiPV asks for",
        "Search with movetime",
        "Write info lines that can be read",
    ];
    check(&[
        (castles, &["Castle in Chess960", "Castle as UCI writes it"], None, "passed"),
        (three, &lines, Some(Warning), "shows line 2 of 1"),
    ]);
}

#[cfg(unix)]
#[test]
fn ends_are_told_with_what_was_said_last() {
    check(&[
        (
            "uci) trap 'exit 3' EXIT; echo uciok;;",
            &["End when the input is closed"],
            Some(Warning),
            "does not end well at the end of the input",
        ),
        (
            "quit) exit 3;;",
            &["End at quit"],
            Some(Warning),
            "does not end well at quit)\n    sent: isready | quit\n",
        ),
        ("", &["End when the input is closed while thinking"], Some(Failure), "answers before it is told to"),
        (
            "",
            &["Read lines that end with CR LF"],
            Some(Failure),
            "sent: position startpos\\r | isready\\r\n    came: nothing",
        ),
    ]);
}

#[cfg(unix)]
#[test]
fn searches_are_looked_back_on() {
    let silent = "go*) echo bestmove $move;;";
    let (hurried, info) = ("Move at once with 1 ms on the clock", "Show an info line before each move");
    check(&[
        ("", &[info], Some(Failure), "has not answered any search"),
        // There is no time for a line of thought in a millisecond, but in the step behind there is.
        (silent, &[hurried, info], None, "passed"),
        (
            silent,
            &[hurried, "Search with movetime", info],
            Some(Failure),
            "before its move: once in 2 searches",
        ),
        (
            silent,
            &["Search with movetime", "Search with depth", info],
            Some(Failure),
            "2 times in 2 searches",
        ),
        (
            "go*) echo readyok; echo \"info score cp 1 pv $move\nbestmove $move\";;",
            &["Search with movetime", "Say nothing but UCI while thinking"],
            None,
            "passed",
        ),
    ]);
}

#[cfg(unix)]
#[test]
fn another_process_is_greeted_and_knows_nothing_of_what_was_set() {
    let dies = "uci) has_greeted=1; echo uciok;; isready) if [ $has_greeted ]; then echo readyok; fi;; go*) exit 3;;";
    // The game of Chess960 kills it; in the next one castling is written as usual.
    let castles = "position*GBgb*) exit 3;; position*e8e7*) move=g1h1;; position*e8c8*) move=c8c7;; \
                   position*4K2R*) move=e1g1;;";
    check(&[
        (dies, &["Search with wtime alone", "Accept ucinewgame"], None, "passed"),
        (castles, &["Castle in Chess960", "Castle as UCI writes it"], None, "passed"),
    ]);
}
