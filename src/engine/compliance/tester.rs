//! The engine under test, from step to step: started when it is needed, asked, and started again when it has failed.

use super::answer::{Answer, Mode, judge};
use super::info_line::Fault;
use super::root::Root;
use super::talk::{Heard, Talk, clip, clip_finding, last_two};
use super::{Finding, Level, Outcome, Settings, Step};
use crate::engine::config::EngineConfig;
use crate::engine::declared::Declaration;
use crate::engine::process::EngineError;
use std::collections::BTreeMap;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// What steps return: an error if the engine hangs or is gone.
pub(super) type Done = Result<(), EngineError>;

/// After so many waits in vain the test is less patient, so that an engine that never answers does not take all day.
const HANGS: u32 = 3;
/// The patience that is left then.
const SHORT_PATIENCE: Duration = Duration::from_secs(1);
/// So many findings of a step are told.
const MOST_FINDINGS: usize = 4;

/// What an engine is that does not answer in time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Overdue {
    /// It hangs: nothing more is to be said to it.
    Hangs,
    /// It has failed, if it answers when it is told to stop; else it hangs.
    Fails,
    /// It is slow, if it answers when it is told to stop; else it hangs.
    IsSlow,
}

/// What was first seen of a fault, and how often it was.
pub(super) struct Seen {
    pub(super) count: u32,
    pub(super) what: String,
    pub(super) sent: String,
    pub(super) came: String,
}

/// An engine and what has been found about it.
pub(super) struct Tester<'a> {
    config: &'a EngineConfig,
    settings: Settings,
    talk: Option<Talk>,
    /// What it said between `uci` and `uciok`.
    pub(super) greeting: Vec<Heard>,
    /// The options that it declared there.
    pub(super) options: Vec<Declaration>,
    /// It has said `uciok` once.
    greeted: bool,
    mode: Mode,
    /// What was wrong with the lines of all searches so far.
    pub(super) faults: BTreeMap<Fault, Seen>,
    /// How many searches were answered.
    pub(super) searches: u32,
    /// The first that came on the error output, if anything did.
    pub(super) complaint: String,
    /// What the step has found.
    findings: Vec<Finding>,
    skipped: Option<String>,
    hangs: u32,
    /// Where the lines of the search begin.
    search: usize,
    /// It has kept to `searchmoves`, as far as it was asked to.
    pub(super) heeds_searchmoves: bool,
    /// The next answer may come without a line of thought: there is no time for one.
    pub(super) hurried: bool,
    /// What the step finds is worth a warning at most.
    pub(super) is_lenient: bool,
    /// What was sent to an engine that has been ended.
    parting: String,
    /// Too long lines of this process that have been counted.
    dropped: u32,
}

impl<'a> Tester<'a> {
    pub(super) fn new(config: &'a EngineConfig, settings: Settings) -> Tester<'a> {
        Tester {
            config,
            settings,
            talk: None,
            greeting: vec![],
            options: vec![],
            greeted: false,
            mode: Mode { chess960: false, multipv: 1 },
            faults: BTreeMap::new(),
            searches: 0,
            complaint: String::new(),
            findings: vec![],
            skipped: None,
            hangs: 0,
            search: 0,
            heeds_searchmoves: true,
            hurried: false,
            is_lenient: false,
            parting: String::new(),
            dropped: 0,
        }
    }

    /// Does a step and says how it ended.
    pub(super) fn take(&mut self, step: &Step) -> Outcome {
        self.findings.clear();
        self.skipped = None;
        self.hurried = false;
        self.is_lenient = false;
        self.parting = String::from("nothing");
        if let Some(talk) = &mut self.talk {
            talk.forget();
        }
        // What was said before is kept; steps that provoke complaints forgive theirs.
        self.note_complaint();
        if let Err(error) = (step.run)(self) {
            self.fail(error.to_string());
            if matches!(error, EngineError::Silent(_)) {
                self.hangs += 1;
            }
            self.drop_engine();
        }
        if !self.findings.is_empty() {
            return Outcome::Found(std::mem::take(&mut self.findings));
        }
        self.skipped.take().map_or(Outcome::Passed, Outcome::Skipped)
    }

    /// False once it has been asked to greet and has not.
    pub(super) fn is_worth_asking(&self) -> bool {
        self.greeted || self.talk.is_some()
    }

    /// How long it may take to answer.
    pub(super) fn patience(&self) -> Duration {
        let most = if self.hangs >= HANGS { SHORT_PATIENCE } else { Duration::MAX };
        self.settings.patience.min(most)
    }

    /// So much later than asked is in time.
    pub(super) fn tolerance(&self) -> Duration {
        self.settings.tolerance
    }

    /// Ends the process; the next step that needs one starts another.
    pub(super) fn drop_engine(&mut self) {
        self.note_process();
        self.talk = None;
        self.mode = Mode { chess960: false, multipv: 1 };
    }

    /// Takes over what only the process knows.
    fn note_process(&mut self) {
        self.note_complaint();
        self.note_dropped();
    }

    fn note_complaint(&mut self) {
        if let Some(talk) = self.talk.as_ref().filter(|_| self.complaint.is_empty()) {
            self.complaint.clone_from(&talk.complaint);
        }
    }

    fn note_dropped(&mut self) {
        let Some(talk) = &self.talk else { return };
        let dropped = talk.dropped_lines();
        if dropped > self.dropped {
            self.fault(
                Fault::TooLong,
                "says lines of more than 64 KB".to_string(),
                "a line of more than 64 KB",
            );
        }
        self.dropped = dropped;
    }

    // What was found.

    fn find(&mut self, level: Level, what: String, came: Option<&str>) {
        let level = if self.is_lenient { Level::Warning } else { level };
        if self.findings.len() >= MOST_FINDINGS {
            // No number of warnings hides that a step has failed.
            let Some(place) = self.findings.iter().rposition(|finding| finding.level < level) else { return };
            self.findings.remove(place);
        }
        let (sent, heard) = match &self.talk {
            // A step that sends nothing looks back on the greeting.
            Some(talk) if self.greeted && talk.has_sent_nothing() => {
                ("uci".to_string(), last_two(&self.greeting))
            }
            Some(talk) => (talk.sent_lately(), talk.heard_lately()),
            None => (self.parting.clone(), "nothing".to_string()),
        };
        let came = came.map_or(heard, clip);
        self.findings.push(Finding { level, what: clip_finding(&what), sent, came });
    }

    /// The engine breaks its clients; the last lines are quoted.
    pub(super) fn fail(&mut self, what: impl Into<String>) {
        self.find(Level::Failure, what.into(), None);
    }

    /// The engine does what it better did not; the last lines are quoted.
    pub(super) fn warn(&mut self, what: impl Into<String>) {
        self.find(Level::Warning, what.into(), None);
    }

    /// The same with a line of its own to quote.
    pub(super) fn find_in(&mut self, level: Level, what: impl Into<String>, came: &str) {
        self.find(level, what.into(), Some(came));
    }

    /// A finding about what was seen earlier.
    pub(super) fn find_seen(&mut self, level: Level, fault: Fault) {
        let searches = self.searches;
        let Some(seen) = self.faults.get(&fault) else { return };
        let often = if seen.count == 1 { "once".to_string() } else { format!("{} times", seen.count) };
        let what = format!("{}: {often} in {searches} searches", seen.what);
        self.findings.push(Finding { level, what, sent: seen.sent.clone(), came: seen.came.clone() });
    }

    /// Something was wrong with a line of a search: told at the end, once for all searches.
    fn fault(&mut self, fault: Fault, what: String, line: &str) {
        let sent = self.talk.as_ref().map(Talk::sent_lately).unwrap_or_default();
        let came = clip(line);
        let what = clip_finding(&what);
        self.faults.entry(fault).or_insert(Seen { count: 0, what, sent, came }).count += 1;
    }

    /// What it has said on its error output so far was our fault.
    pub(super) fn forgive(&mut self) {
        if self.complaint.is_empty()
            && let Some(talk) = &mut self.talk
        {
            talk.complaint.clear();
        }
    }

    /// The step does not concern this engine.
    pub(super) fn skip(&mut self, why: &str) -> Done {
        self.skipped = Some(why.to_string());
        Ok(())
    }

    // Speaking.

    /// The engine, ready for anything.
    fn ready_talk(&mut self) -> Result<&mut Talk, EngineError> {
        if self.talk.is_none() {
            self.start()?;
            if self.greeted {
                self.greet()?;
                self.sync()?;
                if let Some(talk) = &mut self.talk {
                    talk.forget();
                }
            }
        }
        self.talk.as_mut().ok_or(EngineError::Interrupted)
    }

    /// Starts the process and says nothing to it.
    pub(super) fn start(&mut self) -> Done {
        self.dropped = 0;
        self.talk = Some(Talk::start(self.config)?);
        Ok(())
    }

    /// Says `uci` and listens until `uciok`.
    pub(super) fn greet(&mut self) -> Done {
        let startup = self.settings.startup;
        let Some(talk) = &mut self.talk else { return Err(EngineError::Interrupted) };
        talk.send("uci")?;
        let mark = talk.here();
        talk.hear(startup, "uciok", |line| line == "uciok")?;
        let lines = talk.since(mark);
        if !self.greeted {
            self.options = lines.iter().filter_map(|line| Declaration::read(&line.text)).collect();
            self.greeting = lines;
            self.greeted = true;
        }
        Ok(())
    }

    /// Sends lines.
    pub(super) fn send(&mut self, lines: &str) -> Done {
        self.ready_talk()?.send(lines)
    }

    /// Asks whether it is ready, and waits for the answer. What came before it, where no `bestmove` belongs.
    pub(super) fn sync(&mut self) -> Result<Vec<Heard>, EngineError> {
        self.sync_by(b"isready\n")
    }

    /// The same with these bytes, in which `isready` is asked once.
    pub(super) fn sync_by(&mut self, bytes: &[u8]) -> Result<Vec<Heard>, EngineError> {
        let patience = self.patience();
        let talk = self.ready_talk()?;
        let mark = talk.here();
        talk.send_bytes(bytes)?;
        talk.hear(patience, "readyok", |line| line == "readyok")?;
        let mut lines = talk.since(mark);
        lines.pop();
        self.note_dropped();
        self.refuse_moves(&lines);
        Ok(lines)
    }

    /// What it says unasked in this time, where no `bestmove` and no second answer belongs.
    pub(super) fn overhear(&mut self, time: Duration) -> Result<Vec<Heard>, EngineError> {
        let lines = self.ready_talk()?.overhear(time)?;
        self.refuse_moves(&lines);
        if let Some(line) = lines.iter().find(|line| matches!(&*line.text, "readyok" | "uciok")) {
            self.find_in(
                Level::Warning,
                format!("says a {} that nobody has asked for", line.text),
                &line.text,
            );
        }
        Ok(lines)
    }

    fn refuse_moves(&mut self, lines: &[Heard]) {
        if let Some(line) = lines.iter().find(|line| is_best(&line.text)) {
            self.find_in(Level::Failure, "says a bestmove that nobody has asked for", &line.text);
        }
    }

    /// Waits for `readyok`; the time that it took.
    pub(super) fn time_to_ready(&mut self) -> Result<Duration, EngineError> {
        let begin = Instant::now();
        self.sync()?;
        Ok(begin.elapsed())
    }

    /// The option that it has declared under this name.
    pub(super) fn option(&self, name: &str) -> Option<&Declaration> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets how castling is spelled.
    pub(super) fn set_chess960(&mut self, on: bool) -> Done {
        self.send(&format!("setoption name UCI_Chess960 value {on}"))?;
        self.mode.chess960 = on;
        Ok(())
    }

    /// Sets how many lines are asked for.
    pub(super) fn set_multipv(&mut self, count: u32) -> Done {
        self.send(&format!("setoption name MultiPV value {count}"))?;
        self.mode.multipv = count;
        Ok(())
    }

    // Searching.

    /// Lets it search and waits for its answer; a search that does not end by itself is stopped, and has failed, unless
    /// nothing was said of time: then it may be slow.
    pub(super) fn go(&mut self, root: &Root, limits: &str) -> Result<Answer, EngineError> {
        let begin = self.begin(root, limits)?;
        let is_of_work = limits.split(' ').any(|word| matches!(word, "depth" | "nodes"));
        self.answer(root, begin, if is_of_work { Overdue::IsSlow } else { Overdue::Fails })
    }

    /// Sends position and `go`; when.
    pub(super) fn begin(&mut self, root: &Root, limits: &str) -> Result<Instant, EngineError> {
        self.search = self.ready_talk()?.count_from_here();
        let begin = Instant::now();
        self.send(&format!("{}\ngo {limits}", root.line))?;
        Ok(begin)
    }

    /// Waits for the answer to a search that ends by itself, or was told to stop.
    pub(super) fn answer(
        &mut self,
        root: &Root,
        begin: Instant,
        overdue: Overdue,
    ) -> Result<Answer, EngineError> {
        let patience = self.patience();
        match self.ready_talk()?.hear(patience, "bestmove", is_best) {
            Err(EngineError::Silent(_)) if overdue != Overdue::Hangs => {
                let talk = self.ready_talk()?;
                talk.send("stop")?;
                talk.hear(patience.min(SHORT_PATIENCE), "bestmove", is_best)?;
                let text = format!("does not answer within {} s, only after 'stop'", patience.as_secs_f32());
                if overdue == Overdue::IsSlow {
                    self.warn(text);
                } else {
                    self.hangs += 1;
                    self.fail(text);
                }
            }
            heard => heard?,
        }
        self.judged(root, begin.elapsed())
    }

    /// The same for a search that may go on: nothing if it does.
    pub(super) fn answer_within(
        &mut self,
        time: Duration,
        root: &Root,
        begin: Instant,
    ) -> Result<Option<Answer>, EngineError> {
        match self.ready_talk()?.hear(time, "bestmove", is_best) {
            Ok(()) => self.judged(root, begin.elapsed()).map(Some),
            Err(EngineError::Silent(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn judged(&mut self, root: &Root, took: Duration) -> Result<Answer, EngineError> {
        self.searches += 1;
        let mark = self.search;
        let lines = self.ready_talk()?.since(mark);
        let (answer, verdict) = judge(&lines, root, self.mode, took);
        if let Some(what) = verdict.bad_move {
            self.fail(what);
        }
        for (fault, what, line) in verdict.faults {
            if self.hurried && matches!(fault, Fault::NoInfo | Fault::NoScore) {
                continue;
            }
            self.fault(fault, what, &line);
        }
        if let Some(talk) = &mut self.talk
            && std::mem::take(&mut talk.flooded)
        {
            self.fault(
                Fault::Flood,
                "says more than 10000 lines in one search".to_string(),
                "line upon line",
            );
        }
        Ok(answer)
    }

    /// Checks that the answer came before its time was over. The best of three counts, since a machine can be busy.
    pub(super) fn go_in_time(&mut self, root: &Root, limits: &str, time: Duration) -> Done {
        let mut least = Duration::MAX;
        for _ in 0..3 {
            let took = self.go(root, limits)?.took;
            least = least.min(took);
            if least <= time + self.tolerance() || !self.findings.is_empty() {
                break;
            }
        }
        self.judge_time(least, time);
        self.sync().map(drop)
    }

    /// Tells of an answer that took longer than its time.
    pub(super) fn judge_time(&mut self, took: Duration, time: Duration) {
        let what = format!("takes {} ms where it has {} ms", took.as_millis(), time.as_millis());
        if took > time + 10 * self.tolerance() {
            self.fail(what);
        } else if took > time + self.tolerance() {
            self.warn(what);
        }
    }

    /// Ends the process with these words, or by closing its input. How it ended and after which time.
    pub(super) fn end(
        &mut self,
        last_words: Option<&[u8]>,
    ) -> Result<Option<(ExitStatus, Duration)>, EngineError> {
        let patience = self.patience();
        self.ready_talk()?;
        self.note_process();
        let Some(talk) = self.talk.take() else { return Ok(None) };
        let farewell = last_words.map_or("(the end of the input)".into(), String::from_utf8_lossy);
        self.parting = format!("{} | {}", talk.sent_lately(), farewell.trim());
        let (end, complaint) = talk.end(last_words, patience);
        if self.complaint.is_empty() {
            self.complaint = complaint;
        }
        Ok(end)
    }
}

/// True for lines that end a search.
fn is_best(line: &str) -> bool {
    line.split_ascii_whitespace().next() == Some("bestmove")
}

#[cfg(test)]
mod tests;
