//! Values as users write them. Each reader says what it expected, with an example.

use super::nearest::hint;
use crate::laws::{Bonus, Period, TimeControl};
use crate::notation::pgn_reader::rules;
use crate::tournament::config::Variant;
use std::time::Duration;

/// What was read, or what was expected.
pub(super) type Read<T> = Result<T, String>;

/// The longest time that is taken: beyond ten years somebody has mistaken the unit.
const MAX_SECONDS: f64 = 10.0 * 365.0 * 86_400.0;

/// A whole number from `min` to `max`.
pub(super) fn whole(text: &str, min: u64, max: u64, example: &str) -> Read<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits && (min..=max).contains(&number) => Ok(number),
        _ if max == u64::MAX => Err(format!("expected a whole number from {min} on, such as {example}")),
        _ => Err(format!("expected a whole number from {min} to {max}, such as {example}")),
    }
}

/// A whole number that fits a `u32`.
pub(super) fn small(text: &str, min: u32, example: &str) -> Read<u32> {
    whole(text, u64::from(min), u64::from(u32::MAX), example).map(|number| number as u32)
}

/// A score in centipawns, without its sign.
pub(super) fn score(text: &str) -> Read<i32> {
    whole(text, 0, 1_000_000, "10").map(|number| number as i32).map_err(|error| error + " (centipawns)")
}

/// A number, perhaps with a sign and a fraction.
pub(super) fn decimal(text: &str, example: &str) -> Read<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    text.parse().ok().filter(|_| plain).ok_or_else(|| format!("expected a number, such as {example}"))
}

/// A probability that can be an error's.
pub(super) fn probability(text: &str) -> Read<f64> {
    let expected = || "expected a number above 0 and below 1, such as 0.05".to_string();
    // Of a thousandth and less some write the power.
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse().ok().filter(|p| plain && *p > 0.0 && *p < 1.0).ok_or_else(expected)
}

/// A time in milliseconds.
pub(super) fn milliseconds(text: &str, min: u64) -> Read<Duration> {
    let number = whole(text, min, (MAX_SECONDS * 1e3) as u64, "1000");
    number.map(Duration::from_millis).map_err(|error| error + " (milliseconds)")
}

/// Seconds with or without a fraction, and perhaps an `s` behind them as some write.
fn plain_seconds(text: &str) -> Option<f64> {
    let text = text.strip_suffix('s').unwrap_or(text);
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|seconds| plain && (0.0..=MAX_SECONDS).contains(seconds))
}

/// A time for each move.
pub(super) fn move_time(text: &str) -> Read<Duration> {
    let time = plain_seconds(text).map(Duration::from_secs_f64).filter(|time| !time.is_zero());
    time.ok_or_else(|| "expected seconds above 0, such as 0.1".to_string())
}

/// A time control; `None` is `inf`.
pub(super) fn time_control(text: &str) -> Read<Option<TimeControl>> {
    if matches!(text, "inf" | "infinite") {
        return Ok(None);
    }
    let expected = || {
        "expected [moves/]time[+increment] in seconds or minutes:seconds, such as 10+0.1, 40/60+0.6, 1:30+1 or inf; \
         periods with : between them, such as 40/5400:1800; a delay as 10d2 or 10b2; an hourglass as *60"
            .to_string()
    };
    // As the PGN standard writes it, and as cutechess-cli does.
    if let Some(time) = text.strip_prefix('*').or_else(|| text.strip_prefix("hg")) {
        let time = move_time(time).map_err(|_| expected())?;
        return Ok(Some(TimeControl::Hourglass(time)));
    }
    periods(text).map(|periods| Some(TimeControl::Periods(periods))).ok_or_else(expected)
}

/// The clock that a PGN tag names, where all times are in seconds, before other limits of the moves; nothing if it names
/// none.
pub(in crate::cli) fn tagged_time_control(text: &str) -> Option<TimeControl> {
    let text = text.split(',').next()?.trim();
    if let Some(time) = text.strip_prefix('*') {
        return move_time(time).ok().map(TimeControl::Hourglass);
    }
    text.split(':').map(|part| period(part, None)).collect::<Option<_>>().map(TimeControl::Periods)
}

/// Periods with colons between them. Two numbers with a colon are minutes and seconds if nothing stands behind the first
/// and the second is less than 60: an `s` behind the first, or an increment, makes them two periods.
fn periods(text: &str) -> Option<Vec<Period>> {
    let parts: Vec<&str> = text.split(':').collect();
    let mut periods: Vec<Period> = vec![];
    let mut index = 0;
    while index < parts.len() {
        let digits = parts[index].rsplit('/').next()?;
        let is_minutes = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = parts.get(index + 1).filter(|next| {
            let number = next.find(['+', 'd', 'b']).map_or(**next, |end| &next[..end]);
            is_minutes && plain_seconds(number).is_some_and(|seconds| seconds < 60.0)
        });
        periods.push(period(parts[index], seconds.copied())?);
        index += if seconds.is_some() { 2 } else { 1 };
    }
    // All but the last end after a number of moves.
    let (_, first) = periods.split_last()?;
    first.iter().all(|period| period.moves.is_some()).then_some(periods)
}

/// A time with its unit, `2h`, `90m`, `30s`; seconds without one.
pub(super) fn span(text: &str) -> Read<Duration> {
    let (number, unit) = match text.strip_suffix(['h', 'm', 's']) {
        Some(number) if text.ends_with('h') => (number, 3600.0),
        Some(number) if text.ends_with('m') => (number, 60.0),
        Some(number) => (number, 1.0),
        None => (text, 1.0),
    };
    let seconds = plain_seconds(number).filter(|_| !number.ends_with('s')).map(|number| number * unit);
    let time =
        seconds.filter(|seconds| *seconds > 0.0 && *seconds <= MAX_SECONDS).map(Duration::from_secs_f64);
    time.ok_or_else(|| "expected a time such as 30s, 90m or 2h".to_string())
}

/// One period; with `seconds` its time is in minutes, and they are added.
fn period(text: &str, seconds: Option<&str>) -> Option<Period> {
    let (moves, rest) = match text.split_once('/') {
        // As other runners have it: no number of moves, the time is for all of them.
        Some(("0" | "inf" | "infinite", rest)) => (None, rest),
        Some((moves, rest)) => (Some(small(moves, 1, "").ok()?), rest),
        None => (None, text),
    };
    let last = seconds.unwrap_or(rest);
    let place = last.find(['+', 'd', 'b']);
    let (number, bonus) = place.map_or((last, ""), |place| last.split_at(place));
    let time = match seconds {
        Some(_) => rest.parse::<u32>().ok()? as f64 * 60.0 + plain_seconds(number)?,
        None => plain_seconds(number)?,
    };
    if time > MAX_SECONDS {
        return None;
    }
    let time = Duration::from_secs_f64(time);
    let extra = match bonus.get(1..) {
        Some(extra) => Duration::from_secs_f64(plain_seconds(extra)?),
        None => Duration::ZERO,
    };
    let bonus = match bonus.chars().next() {
        _ if extra.is_zero() => Bonus::None,
        Some('d') => Bonus::Delay(extra),
        Some('b') => Bonus::Bronstein(extra),
        _ => Bonus::Increment(extra),
    };
    (!time.is_zero()).then_some(Period { moves, time, bonus })
}

/// One of a few.
pub(super) fn choice<T: Copy>(text: &str, all: &[(&str, T)]) -> Read<T> {
    let names = || all.iter().map(|(name, _)| *name);
    all.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
        let names_text = names().collect::<Vec<_>>().join(", ");
        format!("expected one of {names_text}{}", hint(text, names(), ""))
    })
}

/// `true` or `false`.
pub(super) fn yes(text: &str) -> Read<bool> {
    choice(text, &[("true", true), ("false", false)])
}

/// What the games are, by the names that files of games have for it too.
pub(super) fn variant(text: &str) -> Read<Variant> {
    match rules(text) {
        Some(true) => Ok(Variant::Chess960),
        Some(false) if !text.is_empty() => Ok(Variant::Standard),
        _ => choice(
            text,
            &[
                ("standard", Variant::Standard),
                ("fischerandom", Variant::Chess960),
                ("chess960", Variant::Chess960),
            ],
        ),
    }
}

/// Processors, `3,5,7-11,13`.
pub(super) fn processors(text: &str) -> Read<Vec<usize>> {
    let mut list = vec![];
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let ends = (whole(first, 0, 65_535, ""), whole(last, 0, 65_535, ""));
        let (Ok(first), Ok(last)) = ends else {
            return Err("expected numbers of processors, such as 3,5,7-11,13".to_string());
        };
        if first > last {
            return Err(format!("the range {part} ends before it begins"));
        }
        list.extend((first..=last).map(|number| number as usize));
    }
    let mut sorted = list.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("processor {} is named twice", pair[0])),
        None => Ok(list),
    }
}

/// Words split and quoted as in a shell; with `comments`, `#` begins one that goes to the end of the line.
pub(super) fn split(text: &str, comments: bool) -> Read<Vec<String>> {
    let mut words = vec![];
    let mut word: Option<String> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '#' if comments && word.is_none() => while letters.next_if(|&next| next != '\n').is_some() {},
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        None => return Err(format!("a quotation mark {letter} is not closed")),
                        Some(next) if next == letter => break,
                        // Before other letters it stands for itself, as Windows paths need.
                        Some('\\') if letter == '"' && matches!(letters.peek(), Some('"' | '\\')) => {
                            word.extend(letters.next());
                        }
                        Some(next) => word.push(next),
                    }
                }
            }
            '\\' if matches!(letters.peek(), Some('\n')) => {
                letters.next();
            }
            // As lines of Windows end.
            '\\' if letters.peek() == Some(&'\r') => {
                letters.next();
                letters.next_if_eq(&'\n');
            }
            '\\' if matches!(letters.peek(), Some(' ' | '"' | '\'' | '\\' | '#')) => {
                word.get_or_insert_default().extend(letters.next());
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls() {
        let control = |moves, time, increment| {
            let (time, increment) = (Duration::from_millis(time), Duration::from_millis(increment));
            Some(TimeControl::repeating(moves, time, increment))
        };
        for (text, expected) in [
            ("inf", None),
            ("infinite", None),
            ("10+0.1", control(None, 10_000, 100)),
            ("40/60+0.6", control(Some(40), 60_000, 600)),
            ("1:30+1", control(None, 90_000, 1000)),
            ("40/1:30+0.5", control(Some(40), 90_000, 500)),
            ("40/1:9.65+0.1", control(Some(40), 69_650, 100)),
            ("2+0.02s", control(None, 2000, 20)),
            ("0/298+2", control(None, 298_000, 2000)),
            ("inf/40+0.4", control(None, 40_000, 400)),
            ("0/0:10", control(None, 10_000, 0)),
            ("60", control(None, 60_000, 0)),
            (".5", control(None, 500, 0)),
        ] {
            assert_eq!(time_control(text), Ok(expected), "{text}");
        }
        let wrong = [
            "",
            "x",
            "10+",
            "+1",
            "10+0.1+2",
            "40/",
            "/60",
            "4x/60",
            "1:2:3",
            "-5",
            "1e3",
            "nan",
            "0",
            "0+1",
            "5+-1",
            "99999999999999",
        ];
        for text in wrong {
            assert!(time_control(text).is_err_and(|error| error.contains("40/60+0.6")), "{text}");
        }
        for text in ["5400:1800", "5256001:00", "40/5400:", "40/60+1:", "*", "*0", "hg", "10d", "10x2"] {
            assert!(time_control(text).is_err(), "{text}");
        }
    }

    #[test]
    fn clocks_with_periods_delays_and_sand() {
        for (text, shown) in [
            ("40/5400:1800", "40/5400:1800"),
            ("40/5400+30:20/3600+30:1800+30", "40/5400+30:20/3600+30:1800+30"),
            ("40/60s:30", "40/60:30"),
            ("40/60:30", "40/3630"),
            ("40/1:30+0.5:15", "40/90+0.5:15"),
            ("40/20b2", "40/20b2"),
            ("40/20b2:10d0.5", "40/20b2:10d0.5"),
            ("1:30d2", "90d2"),
            ("*60", "*60"),
            ("hg60", "*60"),
        ] {
            let control = time_control(text).unwrap().unwrap();
            assert_eq!(control.to_string(), shown, "{text}");
        }
        assert_eq!(span("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!((span("1.5m"), span("30")), (Ok(Duration::from_secs(90)), Ok(Duration::from_secs(30))));
        for text in ["", "h", "2d", "-1s", "30ss", "0s"] {
            assert!(span(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(whole("007", 1, 9, "2"), Ok(7));
        for text in ["", "0", "10", "+3", "-3", "3.0", "x", "99999999999999999999999"] {
            assert!(whole(text, 1, 9, "2").is_err_and(|error| error.ends_with("such as 2")), "{text}");
        }
        assert_eq!(move_time("0.1"), Ok(Duration::from_millis(100)));
        assert!(move_time("0").is_err() && move_time("inf").is_err());
        assert_eq!(decimal("-1.75", "2"), Ok(-1.75));
        for text in ["inf", "nan", "1e5", "", "--1"] {
            assert!(decimal(text, "2").is_err(), "{text}");
        }
        assert!(probability("0").is_err() && probability("1").is_err() && probability("0.05").is_ok());
    }

    #[test]
    fn lists_of_processors() {
        assert_eq!(processors("3,5,7-11,13"), Ok(vec![3, 5, 7, 8, 9, 10, 11, 13]));
        for (text, hint) in
            [("3,", "3,5,7-11"), ("a", "3,5,7-11"), ("5-3", "5-3"), ("1,0-2", "1 is named twice")]
        {
            assert!(processors(text).is_err_and(|error| error.contains(hint)), "{text}");
        }
    }

    #[test]
    fn words_as_in_a_shell() {
        for (text, expected) in [
            ("a b 'c d'", &["a", "b", "c d"][..]),
            ("  a\t\"b \\\" c\"  ", &["a", "b \" c"]),
            ("option.\"Clear Hash\"=true", &["option.Clear Hash=true"]),
            ("a\\ b ''", &["a b", ""]),
            ("C:\\engines\\a.exe \"D:\\b c\"", &["C:\\engines\\a.exe", "D:\\b c"]),
            ("", &[]),
        ] {
            assert_eq!(split(text, false).unwrap(), expected, "{text}");
        }
        let text = "-rounds 5 # five\n# nothing\n-each tc=1+0 a#b \\\n 'x # y'";
        assert_eq!(split(text, true).unwrap(), ["-rounds", "5", "-each", "tc=1+0", "a#b", "x # y"]);
        assert!(split("'a", false).is_err_and(|error| error.contains('\'')));
    }
}
