//! A finished game as the journal keeps it: all that PGN, scores and statistics are made from.

use super::fingerprint::Fingerprint;
use super::schedule::Fixture;
use crate::arbiter::record::{GameReport, PlayedMove};
use crate::board::{FenStyle, Position};
use crate::engine::info::Score;
use crate::laws::GameResult;
use crate::notation::uci_move::{parse_uci, to_uci};
use crate::types::{Color, Move, Outcome};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::time::Duration;

/// How the reason ends for which a player loses who is no longer in the competition.
pub(super) const EXPELLED: &str = "expelled from the competition";

/// A game that counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Which game it is.
    pub fixture: Fixture,
    /// Where the moves begin.
    pub start: Position,
    /// What the opening is called.
    pub opening: Option<String>,
    /// Moves of the opening.
    pub book: Vec<Move>,
    /// Moves of the engines.
    pub moves: Vec<PlayedMove>,
    /// The position at the end.
    pub last: Position,
    /// What the players got.
    pub result: GameResult,
    /// Why, in words.
    pub reason: String,
    /// The article of the Laws that says so, if one does.
    pub article: Option<String>,
    /// What the arbiter ruled after the last move.
    pub rulings: Vec<String>,
    /// The value of the PGN tag `Termination`.
    pub termination: String,
    /// What the engines did wrong.
    pub remarks: Vec<String>,
    /// When it began, in milliseconds since 1970.
    pub began: i64,
    /// The day of the beginning by the calendar of the place, as PGN has it (standard, section 8.1.1.3). It is kept, so that
    /// the game stays what it was wherever the match goes on. An entry of an earlier version has none.
    pub date: Option<String>,
    /// How long it was played, in all sessions together.
    pub duration: Duration,
    /// When it ended, in milliseconds since 1970, if it was adjourned before: else it ended when it had been played so long.
    pub ended: Option<i64>,
    /// What was written of it to the PGN file and to the EPD file.
    pub texts: [Fingerprint; 2],
}

impl Entry {
    /// A game that has just been played.
    pub fn new(
        fixture: Fixture,
        opening: Option<String>,
        report: GameReport,
        began: i64,
        duration: Duration,
    ) -> Entry {
        let GameReport { start, book, mut moves, verdict, rulings, last, remarks, .. } = report;
        for PlayedMove { time, left, reported, .. } in &mut moves {
            [Some(time), left.as_mut(), reported.as_mut()]
                .into_iter()
                .flatten()
                .for_each(|time| *time = in_micros(*time));
        }
        Entry {
            fixture,
            start,
            opening,
            book,
            moves,
            last,
            result: verdict.result,
            reason: verdict.to_string(),
            article: verdict.article.map(|article| article.to_string()),
            rulings,
            termination: verdict.termination().to_string(),
            remarks,
            began,
            date: Some(day(began, TimeZone::system())),
            duration: in_micros(duration),
            ended: None,
            texts: [Fingerprint::default(); 2],
        }
    }

    /// The same for a game that was adjourned: what was played of it before is `earlier`.
    pub(super) fn resumed_from(self, earlier: &Entry) -> Entry {
        Entry {
            began: earlier.began,
            date: earlier.date.clone(),
            duration: earlier.duration + self.duration,
            ended: Some(self.end()),
            ..self
        }
    }

    /// When it ended, in milliseconds since 1970.
    pub fn end(&self) -> i64 {
        self.ended.unwrap_or(self.began + self.duration.as_millis() as i64)
    }

    /// True if who has lost it was not let play, or play on.
    pub(super) fn is_of_expelled(&self) -> bool {
        self.reason.ends_with(EXPELLED)
    }

    /// Who makes the moves behind the opening, one after the other.
    pub fn movers(&self) -> impl Iterator<Item = Color> + use<> {
        let starts = self.start.side_to_move();
        let first = if self.book.len().is_multiple_of(2) { starts } else { !starts };
        [first, !first].into_iter().cycle()
    }

    /// The entry as a line of the journal, with its line end.
    pub fn to_line(&self) -> String {
        let mut position = self.start;
        let mut book = String::new();
        for &mv in &self.book {
            let _ = write!(book, "{} ", to_uci(mv, &position, true));
            position = position.after(mv);
        }
        let mut moves = String::with_capacity(32 * self.moves.len());
        for played in &self.moves {
            encode(played, &position, &mut moves);
            position = position.after(played.mv);
        }
        // Nothing where all are empty.
        let lists = |of_move: fn(&PlayedMove) -> &Vec<String>| {
            let all: Vec<Vec<String>> = self.moves.iter().map(of_move).cloned().collect();
            if all.iter().all(Vec::is_empty) { vec![] } else { all }
        };
        let Fixture { game, round, encounter, white, black, opening } = self.fixture;
        let line = Line {
            game,
            round,
            encounter,
            white,
            black,
            opening,
            result: self.result.to_string(),
            reason: self.reason.clone(),
            article: self.article.clone(),
            after: self.rulings.clone(),
            termination: self.termination.clone(),
            began: self.began,
            date: self.date.clone(),
            duration_us: self.duration.as_micros() as u64,
            ended: self.ended,
            texts: self.texts,
            start: self.start.to_fen(FenStyle::Shredder),
            opening_name: self.opening.clone(),
            book: book.trim_end().to_string(),
            moves: moves.trim_end().to_string(),
            pv: lists(|played| &played.pv),
            kept: lists(|played| &played.kept),
            rulings: lists(|played| &played.rulings),
            remarks: self.remarks.clone(),
        };
        // A struct of numbers, strings and lists always has a JSON form.
        serde_json::to_string(&line).unwrap_or_default() + "\n"
    }

    /// Reads a line of the journal.
    ///
    /// # Errors
    /// If it is no such line, in words.
    pub fn from_line(line: &str) -> Result<Entry, String> {
        let entry = Entry::from_unfinished_line(line)?;
        if entry.result == GameResult::Played(Outcome::Unfinished) {
            return Err("'*' is no result".into());
        }
        Ok(entry)
    }

    /// Reads a line like those of the journal, of a game that may go on.
    ///
    /// # Errors
    /// If it is no such line, in words.
    pub fn from_unfinished_line(line: &str) -> Result<Entry, String> {
        let line: Line = serde_json::from_str(line).map_err(|error| without_place(&error))?;
        let start = Position::from_fen(&line.start).map_err(|error| error.to_string())?;
        let mut position = start;
        let mut play = |text: &str| {
            let mv = parse_uci(text, &position).map_err(|error| error.to_string())?;
            position = position.after(mv);
            Ok::<Move, String>(mv)
        };
        let book = line.book.split_ascii_whitespace().map(&mut play).collect::<Result<Vec<_>, _>>()?;
        let mut moves = vec![];
        for (ply, text) in line.moves.split_ascii_whitespace().enumerate() {
            let (mv, fields) = text.split_once(',').unwrap_or((text, ""));
            let mut played = decode(play(mv)?, fields).ok_or_else(|| format!("cannot read '{text}'"))?;
            played.pv = line.pv.get(ply).cloned().unwrap_or_default();
            played.kept = line.kept.get(ply).cloned().unwrap_or_default();
            played.rulings = line.rulings.get(ply).cloned().unwrap_or_default();
            moves.push(played);
        }
        let result = GameResult::parse(&line.result);
        Ok(Entry {
            fixture: Fixture {
                game: line.game,
                round: line.round,
                encounter: line.encounter,
                white: line.white,
                black: line.black,
                opening: line.opening,
            },
            start,
            opening: line.opening_name,
            book,
            moves,
            last: position,
            result: result.ok_or_else(|| format!("'{}' is no result", line.result))?,
            reason: line.reason,
            article: line.article,
            rulings: line.after,
            termination: line.termination,
            remarks: line.remarks,
            began: line.began,
            date: line.date,
            duration: Duration::from_micros(line.duration_us),
            ended: line.ended,
            texts: line.texts,
        })
    }
}

/// The JSON form. Times are in microseconds where the name says so, else in milliseconds.
#[derive(Serialize, Deserialize)]
struct Line {
    game: u64,
    round: u64,
    encounter: u64,
    white: usize,
    black: usize,
    opening: u64,
    result: String,
    reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    article: Option<String>,
    termination: String,
    began: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    duration_us: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<i64>,
    texts: [Fingerprint; 2],
    start: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opening_name: Option<String>,
    book: String,
    /// For each move `e2e4,score,depth,seldepth,nodes,nps,hashfull,tbhits,time,left,reported`, times in microseconds,
    /// empty where unknown; a score is in centipawns or, after `#`, in moves to mate.
    moves: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pv: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kept: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rulings: Vec<Vec<String>>,
    /// Rulings after the last move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    after: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
}

/// What is wrong with a line that is known by a number of its own, without the place that is told in it.
pub(super) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_string()
}

/// The day of a time, in milliseconds since 1970, as PGN writes it.
pub(super) fn day(time: i64, zone: TimeZone) -> String {
    let time = Timestamp::from_millisecond(time).unwrap_or_default();
    time.to_zoned(zone).strftime("%Y.%m.%d").to_string()
}

/// A time as the journal knows it: what is made from it later is then what was made from it at first.
fn in_micros(time: Duration) -> Duration {
    Duration::new(time.as_secs(), time.subsec_micros() * 1000)
}

/// Appends a move to the text of moves, with a blank.
pub(super) fn encode(played: &PlayedMove, position: &Position, text: &mut String) {
    text.push_str(&to_uci(played.mv, position, true));
    let micros = |time: Duration| time.as_micros() as u64;
    let _ = match played.score {
        Some(Score::Centipawns(score)) => write!(text, ",{score}"),
        Some(Score::Mate(moves)) => write!(text, ",#{moves}"),
        None => write!(text, ","),
    };
    let numbers = [
        played.depth.map(u64::from),
        played.seldepth.map(u64::from),
        played.nodes,
        played.nps,
        played.hashfull.map(u64::from),
        played.tbhits,
        Some(micros(played.time)),
        played.left.map(micros),
        played.reported.map(micros),
    ];
    for number in numbers {
        text.push(',');
        if let Some(number) = number {
            let _ = write!(text, "{number}");
        }
    }
    text.push(' ');
}

/// Reads what `encode` wrote after the move.
pub(super) fn decode(mv: Move, fields: &str) -> Option<PlayedMove> {
    let mut fields = fields.split(',');
    let score = match fields.next()? {
        "" => None,
        text => Some(match text.strip_prefix('#') {
            Some(moves) => Score::Mate(moves.parse().ok()?),
            None => Score::Centipawns(text.parse().ok()?),
        }),
    };
    let mut numbers = [None; 9];
    for number in &mut numbers {
        *number = match fields.next()? {
            "" => None,
            text => Some(text.parse::<u64>().ok()?),
        };
    }
    let small = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok());
    let [depth, seldepth, nodes, nps, hashfull, tbhits, time, left, reported] = numbers;
    let bare = PlayedMove::bare(mv, Duration::from_micros(time?), left.map(Duration::from_micros));
    Some(PlayedMove {
        score,
        depth: small(depth),
        seldepth: small(seldepth),
        nodes,
        nps,
        hashfull: small(hashfull),
        tbhits,
        reported: reported.map(Duration::from_micros),
        ..bare
    })
}

#[cfg(test)]
pub(in crate::tournament) mod tests {
    use super::*;
    use crate::laws::{Reason, Verdict};
    use crate::types::Color;

    /// A short game with all that can be kept, by player 1 with White against player 0.
    pub(in crate::tournament) fn sample() -> Entry {
        let start = Position::from_fen("4k3/8/8/8/8/4p3/8/R3K2R b KQ - 0 7").unwrap();
        let mut position = start;
        let mut play = |text: &str| {
            let mv = parse_uci(text, &position).unwrap();
            position = position.after(mv);
            mv
        };
        let book = vec![play("e8d8")];
        let castled = PlayedMove {
            mv: play("e1c1"),
            time: Duration::from_micros(1_234_567),
            left: Some(Duration::from_micros(59_000_001)),
            score: Some(Score::Centipawns(-12)),
            depth: Some(9),
            seldepth: Some(14),
            nodes: Some(123_456_789_012),
            nps: Some(1_000_000),
            hashfull: Some(3),
            tbhits: Some(0),
            reported: Some(Duration::from_millis(1230)),
            pv: vec!["e1c1".into(), "d8c7".into()],
            kept: vec!["info string \"said\"".into()],
            rulings: vec!["(=)".into()],
        };
        let silent = PlayedMove::bare(play("d8c7"), Duration::from_micros(20), None);
        let mated = PlayedMove { mv: play("d1d5"), score: Some(Score::Mate(-3)), ..silent.clone() };
        Entry {
            fixture: Fixture { game: 5, round: 2, encounter: 2, white: 1, black: 0, opening: 2 },
            start,
            opening: Some("A00 \"Odd\"".into()),
            book,
            moves: vec![castled, silent, mated],
            last: position,
            result: GameResult::Played(Outcome::Win(Color::White)),
            reason: "Black loses on time".into(),
            article: Some("fide-2023:6.9".into()),
            rulings: vec!["White gets 60 s more (fide-2023:B.3, A.3, 7.5.5)".into()],
            termination: "time forfeit".into(),
            remarks: vec!["B overruns".into()],
            began: 1_700_000_000_123,
            date: None,
            duration: Duration::from_micros(2_500_000),
            ended: None,
            texts: [Fingerprint { size: 700, crc: 5 }, Fingerprint { size: 50, crc: u32::MAX }],
        }
    }

    #[test]
    fn an_entry_comes_back_from_its_line() {
        let entry = sample();
        let line = entry.to_line();
        assert_eq!(line.matches('\n').count(), 1);
        assert_eq!(Entry::from_line(&line).unwrap(), entry);
        let dated = Entry { date: Some("2023.11.15".into()), ..sample() };
        assert_eq!(Entry::from_line(&dated.to_line()).unwrap(), dated);
        let resumed = Entry { ended: Some(1_700_000_003_000), ..sample() };
        assert_eq!(Entry::from_line(&resumed.to_line()).unwrap(), resumed);
        let torn = &line[..line.len() - 20];
        assert!(Entry::from_line(torn).is_err());
        assert!(Entry::from_line(&line.replace("e1a1,", "e1a1x,")).is_err());
    }

    #[test]
    fn a_resumed_game_begins_in_its_first_session_and_ends_in_its_last() {
        let date = Some("2023.11.15".into());
        let first = Entry { date: date.clone(), ..sample() };
        let session = |began| Entry { began, date: Some("2023.11.16".into()), ..sample() };
        let last = session(1_700_200_000_000).resumed_from(&session(1_700_100_000_000).resumed_from(&first));
        assert_eq!((last.began, &last.date), (first.began, &date));
        assert_eq!((last.duration, last.end()), (3 * first.duration, 1_700_200_002_500));
    }

    #[test]
    fn a_new_entry_has_no_time_that_its_line_has_not() {
        let Entry { fixture, start, book, mut moves, last, .. } = sample();
        let odd = Duration::from_nanos(1_500_499);
        for played in &mut moves {
            (played.time, played.left) = (odd, Some(odd));
            played.reported = Some(Duration::from_millis(1));
        }
        let verdict = Verdict::lost(Color::Black, Reason::Checkmate);
        let (rulings, remarks, handovers, adjourned) = (vec![], vec![], vec![], None);
        let report = GameReport { start, book, moves, verdict, rulings, last, remarks, handovers, adjourned };
        let entry = Entry::new(fixture, None, report, 0, odd);
        assert_eq!(Entry::from_line(&entry.to_line()).unwrap(), entry);
    }
}
