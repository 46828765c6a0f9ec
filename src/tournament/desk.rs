//! Where the games of a match come in from the threads that play them, and are written down.

use super::adjourned::{self, Saved};
use super::config::MatchConfig;
use super::entry::Entry;
use super::fingerprint::Fingerprint;
use super::journal::Journal;
use super::outputs::Output;
use super::pgn::{to_epd, to_pgn};
use super::runner::{Conclusion, Event, MatchError, State, failed};
use super::schedule::Fixture;
use super::score_sheet;
use super::sprt::Verdict;
use super::stop::Stop;
use super::worker::Made;
use crate::arbiter::record::{FORGIVEN, STOOD_STILL};
use crate::engine::transcript::{Log, LogLevel};
use crate::laws::irregularity::expulsion_article;
use std::collections::HashSet;
use std::sync::Arc;

/// Where results come in and are written down.
pub(super) struct Desk<'a> {
    /// Players who are no longer in the competition, and were told to be so.
    pub(super) expelled: HashSet<usize>,
    pub(super) config: &'a MatchConfig,
    pub(super) state: State,
    pub(super) journal: Journal,
    pub(super) pgn: Option<Output>,
    pub(super) epd: Option<Output>,
    pub(super) log: Option<Arc<Log>>,
    pub(super) stop: &'a Stop,
    pub(super) conclusion: Option<Conclusion>,
    /// Something that a game has to be written to cannot be.
    pub(super) cannot_write: bool,
    /// Of a game that was dropped there is a score sheet alone.
    pub(super) keeps_sheets: bool,
}

impl Desk<'_> {
    /// Ends the match; games that nothing is wrong with are adjourned. What comes first counts.
    pub(super) fn stop(&mut self, conclusion: Conclusion) {
        // Somebody else may have ended it before.
        let is_first = self.stop.end_session();
        self.conclusion.get_or_insert(if is_first { conclusion } else { Conclusion::Interrupted });
    }

    /// Ends the match because something cannot be written: that is told even if somebody ended it before.
    fn break_off(&mut self, why: String) {
        self.stop.end_session();
        self.conclusion = Some(Conclusion::Broken(why));
        self.cannot_write = true;
    }

    fn log(&self, level: LogLevel, text: &str) {
        if let Some(log) = &self.log {
            log.write(level, text);
        }
    }

    pub(super) fn started(&mut self, fixture: &Fixture, watch: &mut dyn FnMut(Event, &State)) {
        if self.conclusion.is_none() {
            self.log(LogLevel::Info, &format!("Started game {}", fixture.game + 1));
            watch(Event::Started(fixture), &self.state);
        }
    }

    pub(super) fn adjourned(&mut self, saved: &Saved, made: Made, watch: &mut dyn FnMut(Event, &State)) {
        let Saved { entry, adjourned, .. } = saved;
        let Fixture { game, white, black, .. } = entry.fixture;
        let names = [white, black].map(|player| self.config.name(player));
        let folder = adjourned::folder(self.journal.path());
        if let Err(error) = adjourned::save(&folder, entry, adjourned, self.state.seed, names) {
            let text = format!("game {} cannot be adjourned: {}: {error}", game + 1, folder.display());
            self.log(LogLevel::Fatal, &text);
            return self.break_off(text);
        }
        score_sheet::remove(&score_sheet::folder(self.journal.path()), entry.fixture.game);
        self.state.adjourned += 1;
        self.state.measure(entry, made);
        self.log(LogLevel::Info, &format!("Adjourned game {}", game + 1));
        watch(Event::Adjourned(entry), &self.state);
    }

    /// Tells of a game that does not count because an engine in it may have been ended with the match.
    pub(super) fn dropped(&mut self, entry: &Entry, how: &str, watch: &mut dyn FnMut(Event, &State)) {
        let sheets = score_sheet::folder(self.journal.path());
        let adjourned = adjourned::record_path(&adjourned::folder(self.journal.path()), entry.fixture.game);
        let what_next =
            if adjourned.exists() { "goes on from where it was adjourned" } else { "is played anew" };
        let mut text =
            format!("{} {how}, just as the match was ended: the game {what_next}", self.losers(entry));
        if score_sheet::any(&sheets) {
            self.keeps_sheets = true;
            text += &format!("; its score sheet is in {}", sheets.display());
        }
        self.log(LogLevel::Warning, &format!("game {}: {text}", entry.fixture.game + 1));
        watch(Event::Remark(entry.fixture.game, &text), &self.state);
    }

    /// Who has lost a game.
    fn losers(&self, entry: &Entry) -> String {
        let [white, black] = entry.result.losers();
        let losers = [(white, entry.fixture.white), (black, entry.fixture.black)];
        let losers = losers.into_iter().filter(|(has_lost, _)| *has_lost);
        let names: Vec<&str> = losers.map(|(_, player)| self.config.name(player)).collect();
        names.join(" and ")
    }

    pub(super) fn finished(
        &mut self,
        mut entry: Entry,
        failure: Option<String>,
        made: Made,
        watch: &mut dyn FnMut(Event, &State),
    ) {
        if self.cannot_write || matches!(self.conclusion, Some(Conclusion::Decided(_))) {
            // Decided before this game came to its end: it does not count. What ends a match otherwise, such as the failure
            // of an engine in another game, takes nothing from this one.
            return;
        }
        if let Err(error) = self.write_down(&mut entry) {
            self.log(LogLevel::Fatal, &error.0);
            self.break_off(error.0);
            if !self.journal.has_last() {
                return;
            }
        }
        adjourned::remove(&adjourned::folder(self.journal.path()), entry.fixture.game);
        score_sheet::remove(&score_sheet::folder(self.journal.path()), entry.fixture.game);
        self.state.standings.add(&entry);
        self.state.measure(&entry, made);
        for remark in &entry.remarks {
            self.log(LogLevel::Warning, remark);
            watch(Event::Remark(entry.fixture.game, remark), &self.state);
        }
        let is_mistake = |remark: &&String| !remark.starts_with(STOOD_STILL) && !remark.contains(FORGIVEN);
        let mistake = entry.remarks.iter().find(is_mistake);
        let strict = self.config.strict;
        if let (true, Some(mistake), None) = (strict, mistake, &self.conclusion) {
            let game = entry.fixture.game + 1;
            self.fail(format!("game {game}: {mistake}"), "without -strict");
        }
        let text = format!("Finished game {}: {} {}", entry.fixture.game + 1, entry.result, entry.reason);
        self.log(LogLevel::Info, &text);
        watch(Event::Finished(&entry), &self.state);
        self.look_at_test();
        self.look_for_failures(watch);
        if let Some(how) = failure {
            // Not in the words of the result: there are programs that count the lines with these.
            let text = format!("{} {how}", self.losers(&entry));
            let told = format!("game {}: {text}", entry.fixture.game + 1);
            self.log(LogLevel::Error, &told);
            watch(Event::Remark(entry.fixture.game, &text), &self.state);
            let goes_on = self.config.recover || self.config.expulsion.is_some();
            let (why, remedy) = match (strict, goes_on) {
                (false, true) => return,
                (true, true) => (told.as_str(), "without -strict"),
                (true, false) => (told.as_str(), "with -recover and without -strict"),
                (false, false) => ("an engine has failed", "with -recover"),
            };
            if self.conclusion.is_none() {
                self.fail(why.to_string(), remedy);
            }
        }
    }

    /// Ends the match because of something in a game that has ended. Behind the last game nothing could go on.
    fn fail(&mut self, why: String, remedy: &str) {
        let is_whole = self.state.standings.games() >= self.state.total;
        self.stop(match is_whole {
            true => Conclusion::Failed(why),
            false => Conclusion::Broken(format!("{why}; {remedy} the match would go on")),
        });
    }

    /// Expels players whose engines have failed too often (12.9).
    pub(super) fn look_for_failures(&mut self, watch: &mut dyn FnMut(Event, &State)) {
        let Some(most) = self.config.expulsion else { return };
        for player in 0..self.config.players.len() {
            if self.state.failures(player) >= most && self.expelled.insert(player) {
                let article = expulsion_article(self.config.regulations.edition);
                let article = article.map_or(String::new(), |article| format!(" ({article})"));
                let name = self.config.name(player);
                // More are known after a resumption: games that were lost because of it.
                let times = if most == 1 { "1 failure".into() } else { format!("{most} failures") };
                let text = format!("{name} is expelled after {times}{article}");
                self.log(LogLevel::Error, &text);
                watch(Event::Warning(&text), &self.state);
                // Its two players play no game any more, and what is not played decides nothing.
                if self.state.sprt.is_some() && self.conclusion.is_none() {
                    let why = format!("the test cannot be decided without {name}");
                    self.stop(Conclusion::Broken(why));
                }
            }
        }
    }

    /// The journal first: what it has counts, and the files can be made from it.
    fn write_down(&mut self, entry: &mut Entry) -> Result<(), MatchError> {
        let pgn = self.config.pgn.as_ref().map(|pgn| to_pgn(entry, self.config, pgn)).unwrap_or_default();
        let epd = if self.epd.is_some() { to_epd(entry, self.config) } else { String::new() };
        entry.texts = [Fingerprint::of(pgn.as_bytes()), Fingerprint::of(epd.as_bytes())];
        self.journal.append(entry).map_err(failed)?;
        if let Some(output) = &mut self.pgn {
            output.add(&pgn).map_err(failed)?;
        }
        if let Some(output) = &mut self.epd {
            output.add(&epd).map_err(failed)?;
        }
        Ok(())
    }

    pub(super) fn look_at_test(&mut self) {
        if let Some(progress) = self.state.progress(self.config)
            && progress.verdict != Verdict::GoOn
        {
            self.stop.ring();
            // Also of a match that was asked to end while this game came to its end.
            self.conclusion.get_or_insert(Conclusion::Decided(progress.verdict));
        }
    }

    pub(super) fn tick(&mut self, watch: &mut dyn FnMut(Event, &State)) {
        if let Err(error) = self.journal.sync() {
            self.break_off(error.to_string());
        }
        if self.config.session.is_some_and(|session| self.state.started.elapsed() >= session) {
            self.stop.end_session();
        }
        watch(Event::Tick, &self.state);
    }

    pub(super) fn close(mut self, watch: &mut dyn FnMut(Event, &State)) -> (State, Conclusion) {
        if let (Some(log), Some(config)) = (&self.log, &self.config.log)
            && let Err(error) = log.finish()
        {
            let text = format!("lines of the log are missing: {}: {error}", config.file.display());
            watch(Event::Warning(&text), &self.state);
        }
        let is_broken = matches!(self.conclusion, Some(Conclusion::Broken(_)));
        let keeps_sheets = is_broken || self.keeps_sheets;
        score_sheet::clear(&score_sheet::folder(self.journal.path()), keeps_sheets);
        let is_whole = self.state.standings.games() >= self.state.total;
        let end = if is_whole { Conclusion::Complete } else { Conclusion::Interrupted };
        let mut conclusion = self.conclusion.take().unwrap_or(end);
        let is_finished = !matches!(conclusion, Conclusion::Interrupted | Conclusion::Broken(_));
        let adjourned = adjourned::games(&adjourned::folder(self.journal.path()));
        let closed = match is_finished {
            true => self.journal.finish(),
            false => {
                let noted = self.journal.adjourn(&adjourned);
                self.journal.sync().and(noted)
            }
        };
        let mut outputs = self.pgn.iter().chain(&self.epd);
        let closed = closed.map_err(failed).and_then(|()| {
            // Somebody may have taken the last games away.
            outputs.try_for_each(|output| output.look().map(drop)).map_err(failed)
        });
        // What broke the match off first is told.
        if let (Err(error), false) = (closed, matches!(conclusion, Conclusion::Broken(_))) {
            conclusion = Conclusion::Broken(error.0);
        }
        (self.state, conclusion)
    }
}
