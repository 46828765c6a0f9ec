//! What an earlier run of a match has left in its PGN and EPD: what is torn is put aside, what is missing added.

use super::config::MatchConfig;
use super::fingerprint::Fingerprint;
use super::journal::Header;
use super::outputs::{Output, Records, take};
use super::pgn::{to_epd, to_pgn};
use super::runner::{Event, MatchError, State, failed};
use super::setup::Setup;
use std::collections::{HashMap, HashSet};

impl Setup {
    /// Lets what somebody else has left at the end of PGN and EPD be followed by our games.
    pub(super) fn end_last_records(&mut self) -> Result<(), MatchError> {
        for (output, records) in [(&mut self.pgn, Records::Pgn), (&mut self.epd, Records::Epd)] {
            output.as_mut().map_or(Ok(()), |output| output.end_last(records)).map_err(failed)?;
        }
        Ok(())
    }

    /// Adds to PGN and EPD what the journal has and they have not.
    pub(super) fn mend_files(
        &mut self,
        config: &MatchConfig,
        words: &[String],
        header: Header,
        watch: &mut dyn FnMut(Event, &State),
    ) -> Result<(), MatchError> {
        if let Some((lines, place)) = self.journal.move_out_broken().map_err(failed)? {
            let (journal, place) = (self.journal.path().display(), place.display());
            let text = match lines {
                1 => format!(
                    "the last line of {journal} is no whole game; it is in {place} now, and that game is played anew"
                ),
                _ => format!(
                    "the last {lines} lines of {journal} are no whole games; they are in {place} now, and those games are \
                     played anew"
                ),
            };
            watch(Event::Warning(&text), &self.state);
        }
        let mut now = Header { words: words.to_vec(), ..header.clone() };
        let mut there = [vec![], vec![]];
        let mut others = [HashMap::new(), HashMap::new()];
        let outputs = [(&mut self.pgn, Records::Pgn), (&mut self.epd, Records::Epd)];
        for (which, (output, records)) in outputs.into_iter().enumerate() {
            let Some(output) = output else { continue };
            // A file that has been taken away is made anew.
            now.sizes[which] = now.sizes[which].min(output.size().map_err(failed)?);
            let texts = self.texts.iter().map(|texts| texts[which]);
            let found = output.find(now.sizes[which], texts, records).map_err(failed)?;
            (there[which], others[which]) = (found.there, found.others);
            if !found.torn.is_empty() {
                let place = output.move_out(&found.torn).map_err(failed)?;
                let text = format!(
                    "the last {} bytes of {} are no whole game; they are in {} now",
                    found.torn.len(),
                    output.path().display(),
                    place.display()
                );
                watch(Event::Warning(&text), &self.state);
            }
        }
        self.end_last_records()?;
        if now != header {
            self.journal.change_header(&now).map_err(failed)?;
        }
        if there.iter().flatten().all(|&there| there) {
            return Ok(());
        }
        let (pgn, epd) = (&mut self.pgn, &mut self.epd);
        let mut index = 0;
        let mut problem = None;
        let has_others = others.each_ref().map(|others| !others.is_empty());
        let mut added = [0_u64; 2];
        let mut add = |which: usize, output: &mut Output, text: &str| {
            // What was added here before may have been told otherwise than the first time, by which the journal knows it:
            // another version may have played the game.
            if problem.is_none() && !take(&mut others[which], Fingerprint::of(text.as_bytes())) {
                problem = output.add(text).err();
                added[which] += u64::from(problem.is_none());
            }
        };
        let mut seen = HashSet::new();
        let read = self.journal.read(|entry| {
            // A game that stands there twice counts once, as in what there is.
            if !seen.insert(entry.fixture.game) {
                return;
            }
            let is_missing = |which: usize| there[which].get(index) == Some(&false);
            if is_missing(0)
                && let (Some(output), Some(pgn)) = (&mut *pgn, &config.pgn)
            {
                add(0, output, &to_pgn(&entry, config, pgn));
            }
            if is_missing(1)
                && let Some(output) = &mut *epd
            {
                add(1, output, &to_epd(&entry, config));
            }
            index += 1;
        });
        read.map_err(failed)?;
        for (which, output) in [&self.pgn, &self.epd].into_iter().enumerate() {
            // Somebody else may have added what is not ours, or have changed what was.
            if let Some(output) = output.as_ref().filter(|_| has_others[which] && added[which] > 0) {
                let (added, path) = (added[which], output.path().display());
                let text = format!(
                    "{added} of {index} games were not in {path} as they had been written, and are added"
                );
                watch(Event::Warning(&text), &self.state);
            }
        }
        problem.map_or(Ok(()), |error| Err(failed(error)))
    }
}
