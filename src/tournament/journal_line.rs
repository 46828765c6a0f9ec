//! A line of the journal behind the first. Each ends with what was before it, the last game and how many there were, and a
//! CRC-32 of itself, so that what somebody has changed shows, and what is missing.

use super::entry::{Entry, without_place};
use super::fingerprint::Fingerprint;
use serde::{Deserialize, Serialize};

/// What a line tells.
pub(super) enum Told {
    /// A game.
    Game(Box<Entry>),
    /// The games that were adjourned when a session ended.
    Adjourned(Vec<u64>),
}

/// What was before a line.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Before {
    /// The last game.
    pub last: Option<u64>,
    /// How many games; earlier versions did not count them.
    pub games: Option<u64>,
}

/// How the line begins that tells which games are adjourned.
pub(super) const ADJOURNED: &str = "{\"adjourned\":";

/// The line that tells which games are adjourned, without its end.
#[derive(Serialize, Deserialize)]
struct Adjourned {
    adjourned: Vec<u64>,
}

/// The line that tells which games are adjourned.
pub(super) fn of_adjourned(games: &[u64], before: Before) -> String {
    let line = Adjourned { adjourned: games.to_vec() };
    // Numbers always have a JSON form.
    with_end(&serde_json::to_string(&line).unwrap_or_default(), before)
}

/// The line of a game.
pub(super) fn of_game(entry: &Entry, before: Before) -> String {
    with_end(&entry.to_line(), before)
}

/// A line with its end. Whoever does not know this reads JSON with some more keys.
fn with_end(line: &str, before: Before) -> String {
    let line = line.trim_end();
    let body = line.strip_suffix('}').unwrap_or(line);
    let last = before.last.map_or("null".to_string(), |game| game.to_string());
    let games = before.games.map_or(String::new(), |games| format!(",\"games\":{games}"));
    let body = format!("{body},\"behind\":{last}{games}");
    let crc = Fingerprint::of(body.as_bytes()).crc;
    format!("{body},\"sum\":{crc}}}\n")
}

/// What was before a line; nothing is known of a line of an earlier version.
///
/// # Errors
/// If the line is not what it was.
fn end_of(line: &str) -> Result<Option<Before>, String> {
    // Within a text there would be a stroke before each quote.
    let body = line.trim_end().strip_suffix('}').and_then(|line| line.rsplit_once(",\"sum\":"));
    let Some((body, crc)) = body else { return Ok(None) };
    if crc.parse() != Ok(Fingerprint::of(body.as_bytes()).crc) {
        return Err("it has been changed, or is damaged".into());
    }
    Ok(body.rsplit_once(",\"behind\":").map(|(_, before)| {
        let (last, games) = before.split_once(",\"games\":").unwrap_or((before, ""));
        Before { last: last.parse().ok(), games: games.parse().ok() }
    }))
}

/// Reads a line, and what was before it, if it tells that.
///
/// # Errors
/// If it is none, in words.
pub(super) fn read(line: &str) -> Result<(Told, Option<Before>), String> {
    if line.trim().is_empty() {
        return Err("it is empty".into());
    }
    let before = end_of(line)?;
    let told = if line.starts_with(ADJOURNED) {
        let line: Adjourned = serde_json::from_str(line).map_err(|error| without_place(&error))?;
        Told::Adjourned(line.adjourned)
    } else {
        Told::Game(Box::new(Entry::from_line(line)?))
    };
    Ok((told, before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::entry::tests::sample;

    #[test]
    fn a_line_that_was_changed_is_none() {
        let before = |last, games| Before { last, games };
        let first = before(None, Some(0));
        let seventh = before(Some(7), Some(5));
        let line = of_game(&sample(), seventh);
        assert!(
            matches!(read(&line), Ok((Told::Game(entry), Some(before))) if *entry == sample() && before == seventh)
        );
        assert!(
            matches!(read(&of_game(&sample(), first)), Ok((Told::Game(_), Some(before))) if before == first)
        );
        // As earlier versions have written it.
        let uncounted = before(Some(7), None);
        assert!(matches!(read(&of_game(&sample(), uncounted)), Ok((_, Some(before))) if before == uncounted));
        assert!(matches!(read(&sample().to_line()), Ok((Told::Game(_), None))));
        let won = "\"result\":\"1-0\"";
        assert!(line.contains(won), "{line}");
        for (old, new) in
            [(won, "\"result\":\"0-1\""), ("\"behind\":7", "\"behind\":6"), ("\"sum\":", "\"sum\":1")]
        {
            assert_eq!(read(&line.replace(old, new)).err().unwrap(), "it has been changed, or is damaged");
        }
        let line = of_adjourned(&[3, 8], before(Some(2), Some(1)));
        assert!(
            matches!(read(&line), Ok((Told::Adjourned(games), Some(Before { last: Some(2), games: Some(1) }))) if games == [3, 8])
        );
        assert!(read(&line.replace('8', "9")).is_err());
    }

    #[test]
    fn what_is_wrong_with_a_line_is_told_without_a_second_place() {
        for (line, why) in
            [("\n", "it is empty"), ("{\n", "EOF while parsing an object"), ("{}\n", "missing field `game`")]
        {
            assert_eq!(read(line).err().unwrap(), why);
        }
    }
}
