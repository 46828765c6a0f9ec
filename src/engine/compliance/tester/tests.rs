//! Tests of the tester: what it finds, and for how long it waits.

use super::*;

fn tester(config: &EngineConfig) -> Tester<'_> {
    Tester::new(config, Settings::default())
}

#[test]
fn an_engine_that_has_hung_three_times_is_not_waited_for_long() {
    let config = EngineConfig::default();
    let mut tester = tester(&config);
    let hangs = Step { name: "hang", run: |_| Err(EngineError::Silent("anything")) };
    for hung in 1..=HANGS {
        assert_eq!(tester.patience(), Settings::default().patience);
        assert_eq!(tester.take(&hangs).level(), Some(Level::Failure), "{hung}");
    }
    assert_eq!(tester.patience(), SHORT_PATIENCE);
}

#[test]
fn a_little_late_is_worth_a_warning_and_very_late_a_failure() {
    let config = EngineConfig::default();
    let milliseconds = |took| {
        let mut tester = tester(&config);
        tester.judge_time(Duration::from_millis(took), Duration::from_millis(500));
        tester.findings.first().map(|finding| finding.level)
    };
    assert_eq!([600, 601, 1500, 1501].map(milliseconds), {
        [None, Some(Level::Warning), Some(Level::Warning), Some(Level::Failure)]
    });
}

#[test]
fn options_are_known_in_any_letters() {
    let config = EngineConfig::default();
    let mut tester = tester(&config);
    tester.options.extend(Declaration::read("option name hash type spin default 1 min 1 max 9"));
    assert!(tester.option("Hash").is_some() && tester.option("Threads").is_none());
}

#[test]
fn of_a_step_some_findings_are_told() {
    let config = EngineConfig::default();
    fn hums(tester: &mut Tester) -> Done {
        (0..9).for_each(|_| tester.warn("hums"));
        Ok(())
    }
    let outcome = tester(&config).take(&Step { name: "hum", run: hums });
    assert!(matches!(outcome, Outcome::Found(findings) if findings.len() == MOST_FINDINGS));
}

#[test]
fn no_number_of_warnings_hides_a_failure() {
    let config = EngineConfig::default();
    let mut tester = tester(&config);
    let warnings = ["a", "b", "c", "d", "e"];
    warnings.iter().for_each(|what| tester.warn(*what));
    tester.fail("x");
    let found = |tester: &Tester| -> Vec<String> {
        tester.findings.iter().map(|finding| finding.what.clone()).collect()
    };
    assert_eq!(found(&tester), ["a", "b", "c", "x"]);
    ["y", "z", "v", "w"].iter().for_each(|what| tester.fail(*what));
    assert_eq!(found(&tester), ["x", "y", "z", "v"]);
}

#[test]
fn findings_are_short_whatever_an_engine_writes() {
    let config = EngineConfig::default();
    let mut tester = tester(&config);
    let long = "x".repeat(60_000);
    tester.fail(format!("has ended; {long}\u{1b}[2J"));
    tester.fault(Fault::BadInfo, format!("says {long}"), &long);
    tester.searches = 2;
    tester.find_seen(Level::Warning, Fault::BadInfo);
    let [first, second] = &tester.findings[..] else { panic!() };
    assert!(first.what.starts_with("has ended; x") && first.what.ends_with("x?[2J"));
    assert!(second.what.ends_with("x: once in 2 searches"));
    assert!(first.what.len() < 1000 && second.what.len() < 1000);
}

/// A busy machine is no fault of an engine's.
#[cfg(unix)]
#[test]
fn of_three_answers_the_best_counts() {
    let script = "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
                  go) n=$((n + 1)); [ $n -gt 2 ] || sleep 1.2; echo bestmove e2e4;; esac; done";
    let args = ["-c", script].map(String::from).to_vec();
    let config = EngineConfig { cmd: "sh".into(), args, ..EngineConfig::default() };
    let settings = Settings { tolerance: Duration::from_secs(1), ..Settings::default() };
    let mut tester = Tester::new(&config, settings);
    let greet = Step { name: "greet", run: |tester| tester.start().and_then(|()| tester.greet()) };
    assert_eq!(tester.take(&greet), Outcome::Passed);
    let time =
        |tester: &mut Tester| tester.go_in_time(&Root::start(""), "movetime 1", Duration::from_millis(1));
    assert_eq!(tester.take(&Step { name: "time", run: time }), Outcome::Passed);
    assert_eq!(tester.searches, 3);
}

#[cfg(unix)]
#[test]
fn what_is_found_in_the_greeting_is_told_with_it() {
    let args = ["-c", "read line; echo id name A; echo uciok; read line"].map(String::from).to_vec();
    let config = EngineConfig { cmd: "sh".into(), args, ..EngineConfig::default() };
    let mut tester = tester(&config);
    let greet = Step { name: "greet", run: |tester| tester.start().and_then(|()| tester.greet()) };
    assert_eq!(tester.take(&greet), Outcome::Passed);
    let look = Step {
        name: "look back",
        run: |tester| {
            tester.warn("has no option Hash");
            Ok(())
        },
    };
    let Outcome::Found(findings) = tester.take(&look) else { panic!() };
    assert_eq!((findings[0].sent.as_str(), findings[0].came.as_str()), ("uci", "id name A | uciok"));
}
