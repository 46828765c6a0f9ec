//! Games between two sessions, on disk: for each a record that anyone may read, and an envelope with the sealed move
//! (FIDE Handbook E/01, guidelines I; in 2014 appendix E). The record holds what has to stand on the envelope (I.2), and a
//! SHA-256 sum that the sealed move was bound by: whether the envelope has been opened and changed shows. The record itself
//! ends with a CRC-32 of what is before it.

use super::entry::{Entry, decode, encode};
use super::fingerprint::Fingerprint;
use crate::arbiter::record::{Adjourned, PlayedMove, SealedMove};
use crate::board::{FenStyle, Position};
use crate::engine::info::Score;
use crate::laws::snapshot::{ClockReading, Snapshot};
use crate::notation::uci_move::parse_uci;
use crate::openings::Opening;
use crate::sys::chance;
use crate::sys::files::{with_suffix, write_whole};
use crate::types::Color;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

const FORMAT: &str = "adoube-adjourned";
const VERSION: u32 = 1;

/// An adjourned game that is to go on.
#[derive(Clone, PartialEq, Debug)]
pub struct Saved {
    /// The game so far.
    pub entry: Entry,
    /// What the arbiter needs to take it up; without the sealed move's text if its envelope is gone or was changed.
    pub adjourned: Adjourned,
}

impl Saved {
    /// The opening that it began with.
    pub fn opening(&self) -> Opening {
        let Entry { start, book, opening, .. } = &self.entry;
        Opening { start: *start, moves: book.clone(), name: opening.clone() }
    }
}

/// The record, as JSON. From the players to how the game is resumed it is what I.2 wants.
#[derive(Serialize, Deserialize)]
struct Record {
    format: String,
    version: u32,
    /// Of the match, by which its games are known.
    seed: u64,
    players: [String; 2],
    /// Before the sealed move.
    position: String,
    time_used_s: [f64; 2],
    sealed_by: Color,
    move_number: u16,
    draw_offer: Option<Color>,
    resumption: String,
    time_left_s: [Option<f64>; 2],
    /// SHA-256 of the envelope's text.
    seal: String,
    sealed_time_us: u64,
    sealed_score: Option<Score>,
    sealed_depth: Option<u32>,
    clocks_and_counts: Snapshot,
    /// A line of the journal.
    game: String,
}

impl Record {
    /// False if what stands here twice differs: somebody has changed the one and not the other.
    fn agrees_with(&self, entry: &Entry) -> bool {
        let shows = |left: &Option<f64>, reading: &Option<ClockReading>| match (left, reading) {
            (Some(left), Some(reading)) => (left - reading.shown_ns as f64 / 1e9).abs() < 1e-6,
            (left, reading) => left.is_none() && reading.is_none(),
        };
        let mut clocks = self.time_left_s.iter().zip(&self.clocks_and_counts.clocks);
        self.position == entry.last.to_fen(FenStyle::Shredder)
            && self.sealed_by == entry.last.side_to_move()
            && self.move_number == entry.last.fullmove_number()
            && self.draw_offer == self.clocks_and_counts.offers.standing()
            && self.clocks_and_counts.sealed
            && clocks.all(|(left, reading)| shows(left, reading))
    }
}

/// What lies in the envelope besides the move: what was said of it would tell it. A line of JSON, which an envelope of an
/// earlier version has not.
#[derive(Default, Serialize, Deserialize)]
struct Said {
    /// As in the journal.
    played: String,
    pv: Vec<String>,
    kept: Vec<String>,
    remarks: Vec<String>,
}

impl Said {
    /// As the envelope has it; `last` is the position before the move.
    fn of(sealed: &SealedMove, last: &Position) -> Said {
        let mut said = Said { remarks: sealed.remarks.clone(), ..Said::default() };
        if let Some(played) = &sealed.said {
            encode(played, last, &mut said.played);
            (said.pv, said.kept) = (played.pv.clone(), played.kept.clone());
        }
        said
    }

    /// The move with what was said of it, if there was one.
    fn played(&self, last: &Position) -> Option<PlayedMove> {
        let (mv, fields) = self.played.trim_end().split_once(',')?;
        let played = decode(parse_uci(mv, last).ok()?, fields)?;
        Some(PlayedMove { pv: self.pv.clone(), kept: self.kept.clone(), ..played })
    }
}

/// Where the adjourned games of a match lie: beside its journal.
pub fn folder(journal: &Path) -> PathBuf {
    with_suffix(journal, ".adjourned")
}

/// Where the record of a game lies.
pub(super) fn record_path(folder: &Path, game: u64) -> PathBuf {
    folder.join(format!("game-{}.json", game + 1))
}

/// Where the envelope with this seal lies. Its name has the seal, so that a second adjournment of the game leaves the first
/// envelope alone until its own record is there.
fn envelope_path(folder: &Path, game: u64, seal: &str) -> PathBuf {
    folder.join(format!("game-{}-{}.envelope", game + 1, seal.get(..12).unwrap_or(seal)))
}

fn checksum(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut sum, byte| {
        let _ = write!(sum, "{byte:02x}");
        sum
    })
}

/// What cannot be guessed, so that trying all moves does not open the envelope.
fn nonce() -> String {
    format!("{:016x}{:016x}", chance::drawn(), chance::drawn())
}

/// Writes a game down. `names` are White's and Black's.
///
/// # Errors
/// If a file cannot be written.
pub fn save(
    folder: &Path,
    entry: &Entry,
    adjourned: &Adjourned,
    seed: u64,
    names: [&str; 2],
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let sealed = &adjourned.sealed;
    // A line for the move, one that keeps it from being guessed, and one for what was said of it.
    let text = sealed.text.as_deref().unwrap_or_default().replace('\n', " ");
    let said = serde_json::to_string(&Said::of(sealed, &entry.last))?;
    let envelope = format!("{text}\n{}\n{said}\n", nonce());
    let sealer = entry.last.side_to_move();
    let mut used = [Duration::ZERO; 2];
    for (played, mover) in entry.moves.iter().zip(entry.movers()) {
        used[mover.index()] += played.time;
    }
    used[sealer.index()] += sealed.time;
    let left = |player: usize| {
        adjourned.snapshot.clocks[player].as_ref().map(|reading| reading.shown_ns as f64 / 1e9)
    };
    let record = Record {
        format: FORMAT.into(),
        version: VERSION,
        seed,
        players: names.map(String::from),
        position: entry.last.to_fen(FenStyle::Shredder),
        time_used_s: used.map(|time| time.as_secs_f64()),
        sealed_by: sealer,
        move_number: entry.last.fullmove_number(),
        draw_offer: adjourned.snapshot.offers.standing(),
        resumption: "when and where the match is resumed".into(),
        time_left_s: [left(0), left(1)],
        seal: checksum(&envelope),
        sealed_time_us: sealed.time.as_micros() as u64,
        sealed_score: sealed.score,
        sealed_depth: sealed.depth,
        clocks_and_counts: adjourned.snapshot.clone(),
        game: entry.to_line().trim_end().to_string(),
    };
    // The record last: without it the game is played anew, without its envelope it is not.
    let game = entry.fixture.game;
    write_whole(&envelope_path(folder, game, &record.seal), envelope.as_bytes())?;
    let text = with_crc(&(serde_json::to_string_pretty(&record)? + "\n"));
    write_whole(&record_path(folder, game), text.as_bytes())?;
    remove_envelopes(folder, game, Some(&record.seal));
    Ok(())
}

/// What comes before the sum of a record, which is its last line but one.
const CRC: &str = ",\n  \"crc\": ";
/// What stands behind the name of a record that was refused, before a number if there are several.
const REFUSED: &str = ".bad";
/// How a record ends.
const END: &str = "\n}\n";

/// A record with the sum of what it was before.
fn with_crc(record: &str) -> String {
    let crc = Fingerprint::of(record.as_bytes()).crc;
    format!("{}{CRC}{crc}{END}", record.strip_suffix(END).unwrap_or(record))
}

/// False if a record is not what its sum is of; one of an earlier version has none.
fn is_as_written(record: &str) -> bool {
    // An editor may have changed the ends of all lines.
    let record = record.replace("\r\n", "\n");
    match record.rfind(CRC) {
        Some(place) => with_crc(&(record[..place].to_string() + END)) == record,
        None => !record.contains("\"crc\""),
    }
}

/// True if a record was refused, and lies aside.
pub(super) fn was_refused(record: &Path) -> bool {
    with_suffix(record, REFUSED).exists()
}

/// A name for a record that is refused, which none has that was put aside before.
fn place_aside(record: &Path) -> PathBuf {
    let first = with_suffix(record, REFUSED);
    let others = (2..).map(|number| with_suffix(record, &format!("{REFUSED}{number}")));
    std::iter::once(first.clone()).chain(others).find(|place| !place.exists()).unwrap_or(first)
}

/// The records of a game that were put aside.
fn put_aside(folder: &Path, game: &str) -> Vec<PathBuf> {
    let begin = format!("{game}.json{REFUSED}");
    let is_one =
        |file: &PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begin));
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| file.path()).filter(is_one).collect()
}

/// Removes the envelopes of a game but the one with this seal, and those of records that were put aside: they may be wanted
/// once more.
fn remove_envelopes(folder: &Path, game: u64, but: Option<&str>) {
    let aside = put_aside(folder, &format!("game-{}", game + 1));
    let texts: Vec<String> = aside.iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
    let is_of_one_aside = |seal: &str| texts.iter().any(|text| text.contains(seal));
    let kept = but.map(|seal| envelope_path(folder, game, seal));
    let prefix = format!("game-{}-", game + 1);
    let Ok(files) = fs::read_dir(folder) else { return };
    for file in files.flatten().map(|file| file.path()) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let seal = name.strip_prefix(&prefix).and_then(|name| name.strip_suffix(".envelope"));
        if seal.is_some_and(|seal| !is_of_one_aside(seal)) && kept.as_ref() != Some(&file) {
            let _ = fs::remove_file(&file);
        }
    }
}

/// Removes a game that is over, and the folder with the last one. What is not there is no error.
pub fn remove(folder: &Path, game: u64) {
    let _ = fs::remove_file(record_path(folder, game));
    remove_envelopes(folder, game, None);
    let _ = fs::remove_dir(folder);
}

/// Removes envelopes without a record, and files half written, which were left by who was killed on the way.
fn sweep(folder: &Path) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let game = name.strip_suffix(".envelope").and_then(|name| name.rsplit_once('-'));
        // That of a record that was put aside may be wanted once more.
        let has_record = |game: &str| folder.join(format!("{game}.json")).exists();
        let is_alone =
            game.is_some_and(|(game, _seal)| !has_record(game) && put_aside(folder, game).is_empty());
        if is_alone || [".json", ".envelope"].iter().any(|kind| name.ends_with(&format!("{kind}.new"))) {
            let _ = fs::remove_file(&file);
        }
    }
    let _ = fs::remove_dir(folder);
}

/// True if there are adjourned games of a match.
pub fn any(folder: &Path) -> bool {
    let is_record = |file: fs::DirEntry| file.path().extension().is_some_and(|ending| ending == "json");
    fs::read_dir(folder).is_ok_and(|files| files.flatten().any(is_record))
}

/// The games of which there are records, in their order.
pub fn games(folder: &Path) -> Vec<u64> {
    let number = |file: fs::DirEntry| {
        let name = file.file_name().into_string().ok()?;
        let number: u64 = name.strip_prefix("game-")?.strip_suffix(".json")?.parse().ok()?;
        number.checked_sub(1)
    };
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut games: Vec<u64> = files.filter_map(number).collect();
    games.sort_unstable();
    games
}

/// All adjourned games of the match with this seed, by their numbers; what cannot be read, or is of another match, is told
/// in words, and is played anew.
pub fn load(folder: &Path, seed: u64) -> (HashMap<u64, Saved>, Vec<String>) {
    let (mut games, mut problems) = (HashMap::new(), vec![]);
    sweep(folder);
    let Ok(files) = fs::read_dir(folder) else { return (games, problems) };
    let mut files: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "json")) {
        match read(file, seed) {
            Ok((saved, problem)) => {
                problems.extend(problem.map(|problem| format!("{}: {problem}", file.display())));
                games.insert(saved.entry.fixture.game, saved);
            }
            Err(problem) => {
                // So that it is neither counted nor told of again.
                let aside = place_aside(file);
                let place = fs::rename(file, &aside)
                    .map_or(String::new(), |()| format!("; the record is {} now", aside.display()));
                problems.push(format!("{}: {problem}; that game is played anew{place}", file.display()));
            }
        }
    }
    (games, problems)
}

fn read(file: &Path, seed: u64) -> Result<(Saved, Option<String>), String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let record: Record = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if record.format != FORMAT || record.version != VERSION {
        return Err("no record of an adjourned game, or of another version".into());
    }
    if record.seed != seed {
        let [white, black] = &record.players;
        return Err(format!("a game of another match, {white} against {black}"));
    }
    let entry = Entry::from_unfinished_line(&record.game)?;
    if !is_as_written(&text) || !record.agrees_with(&entry) {
        return Err("it has been changed, or is damaged".into());
    }
    let place = file.parent().unwrap_or(Path::new(""));
    let (text, said, problem) =
        match fs::read_to_string(envelope_path(place, entry.fixture.game, &record.seal)) {
            Err(_) => (None, Said::default(), Some("its envelope is lost".to_string())),
            Ok(text) if checksum(&text) != record.seal => {
                (None, Said::default(), Some("its envelope has been changed, and counts as lost".to_string()))
            }
            Ok(text) => {
                let mut lines = text.lines();
                let mv = lines.next().unwrap_or_default().to_string();
                let said = lines.nth(1).and_then(|line| serde_json::from_str(line).ok());
                (Some(mv), said.unwrap_or_default(), None)
            }
        };
    let sealed = SealedMove {
        text,
        time: Duration::from_micros(record.sealed_time_us),
        score: record.sealed_score,
        depth: record.sealed_depth,
        said: said.played(&entry.last),
        remarks: said.remarks,
    };
    let adjourned = Adjourned {
        moves: entry.moves.clone(),
        remarks: entry.remarks.clone(),
        rulings: entry.rulings.clone(),
        snapshot: record.clocks_and_counts,
        sealed,
    };
    Ok((Saved { entry, adjourned }, problem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{GameResult, Regulations, TimeControl};
    use crate::sys::scratch::Scratch;
    use crate::tournament::entry::tests::sample;
    use crate::types::Outcome;

    fn adjourned() -> (Entry, Adjourned) {
        let mut entry = sample();
        entry.result = GameResult::Played(Outcome::Unfinished);
        let rules = Regulations::default().clock_rules();
        let control = TimeControl::fischer(Duration::from_secs(60), Duration::ZERO);
        let clock = crate::laws::Clock::new(control, rules, Duration::ZERO);
        let game = crate::laws::Game::new(Regulations::default(), entry.start, [Some(clock), None]);
        let (score, depth) = (Some(Score::Centipawns(-40)), Some(7));
        let time = Duration::from_micros(1_500_000);
        let mv = parse_uci("c7b6", &entry.last).unwrap();
        let said = PlayedMove {
            score,
            depth,
            nodes: Some(5000),
            reported: Some(Duration::from_secs(1)),
            pv: vec!["c7b6".into(), "a1b1".into()],
            kept: vec!["info string c7b6 it is".into()],
            ..PlayedMove::bare(mv, time, None)
        };
        let remarks = vec!["A shows a wrong line: pv c7b6".into()];
        let text = Some("c7b6".into());
        let sealed = SealedMove { text, time, score, depth, said: Some(said), remarks };
        let (moves, remarks) = (entry.moves.clone(), entry.remarks.clone());
        let rulings = entry.rulings.clone();
        let snapshot = Snapshot { sealed: true, ..game.snapshot() };
        (entry, Adjourned { moves, remarks, rulings, snapshot, sealed })
    }

    #[test]
    fn a_game_comes_back_with_its_envelope_or_without() {
        let scratch = Scratch::new();
        let folder = scratch.join("adjourned");
        let (entry, adjourned) = adjourned();
        save(&folder, &entry, &adjourned, 77, ["B", "A"]).unwrap();
        let (games, problems) = load(&folder, 77);
        assert_eq!(problems, Vec::<String>::new());
        let saved = &games[&entry.fixture.game];
        assert_eq!((&saved.entry, &saved.adjourned), (&entry, &adjourned));
        let (others, problems) = load(&folder, 78);
        assert!(others.is_empty() && problems[0].contains("another match"), "{problems:?}");
        let file = record_path(&folder, entry.fixture.game);
        let aside = with_suffix(&file, ".bad");
        assert!(
            problems[0].contains("of another match, B against A; that game is played anew"),
            "{problems:?}"
        );
        assert!(problems[0].ends_with(&format!("the record is {} now", aside.display())), "{problems:?}");
        assert!(load(&folder, 77).0.is_empty(), "it was put aside, but with its envelope");
        fs::rename(&aside, &file).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let record: Record = serde_json::from_str(&text).unwrap();
        let envelope = envelope_path(&folder, entry.fixture.game, &record.seal);
        assert!(envelope.exists());
        // What stands on the envelope (I.2), and not what is in it.
        for part in [
            "\"B\"",
            "\"A\"",
            "\"position\"",
            "\"sealed_by\": \"black\"",
            "\"move_number\": 9",
            "\"draw_offer\": null",
            "\"resumption\"",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("c7b6"), "{text}");
        // Black's sealed move is among his; the move out of the book took no time.
        let used = [1_234_567 + 20, 20 + 1_500_000].map(|time| Duration::from_micros(time).as_secs_f64());
        assert_eq!(record.time_used_s, used);
        let sealed = fs::read_to_string(&envelope).unwrap();
        fs::write(&envelope, sealed.replace("c7b6", "c7b7")).unwrap();
        let (games, problems) = load(&folder, 77);
        assert!(problems[0].contains("changed"), "{problems:?}");
        assert_eq!(games[&entry.fixture.game].adjourned.sealed.text, None);
        // One of a game without a record belongs to nothing.
        let orphan = envelope_path(&folder, 40, &record.seal);
        fs::write(&orphan, "e2e4").unwrap();
        assert!(load(&folder, 77).0.len() == 1 && envelope.exists() && !orphan.exists());
        fs::remove_file(&envelope).unwrap();
        let (games, problems) = load(&folder, 77);
        assert!(problems[0].contains("lost") && games[&entry.fixture.game].adjourned.sealed.text.is_none());
        fs::write(&file, "{}").unwrap();
        let (games, problems) = load(&folder, 77);
        assert!(games.is_empty() && problems[0].contains("played anew"));
        fs::remove_file(&aside).unwrap();
        remove(&folder, entry.fixture.game);
        assert!(!folder.exists());
    }

    /// A place of its own with a game in it, and the text of its record.
    fn saved() -> (Scratch, PathBuf, String) {
        let folder = Scratch::new();
        let (entry, adjourned) = adjourned();
        save(&folder, &entry, &adjourned, 77, ["B", "A"]).unwrap();
        let file = record_path(&folder, entry.fixture.game);
        let text = fs::read_to_string(&file).unwrap();
        (folder, file, text)
    }

    #[test]
    fn what_was_put_aside_is_not_lost_when_more_is() {
        let (folder, file, text) = saved();
        let game = adjourned().0.fixture.game;
        let record: Record = serde_json::from_str(&text).unwrap();
        let first = envelope_path(&folder, game, &record.seal);
        assert_eq!(load(&folder, 78).1.len(), 1);
        // Another match goes on in the same folder, and is the wrong one for a third.
        let (entry, adjourned) = adjourned();
        save(&folder, &entry, &adjourned, 78, ["C", "D"]).unwrap();
        let problems = load(&folder, 79).1;
        let second = with_suffix(&file, ".bad2");
        assert!(problems[0].ends_with(&format!("the record is {} now", second.display())), "{problems:?}");
        assert_eq!(fs::read_to_string(with_suffix(&file, ".bad")).unwrap(), text);
        assert!(fs::read_to_string(&second).unwrap().contains("\"C\""));
        // Nor is its envelope, whatever becomes of the game here.
        remove(&folder, game);
        fs::remove_file(&second).unwrap();
        assert!(load(&folder, 79).1.is_empty() && first.exists());
        fs::rename(with_suffix(&file, ".bad"), &file).unwrap();
        let (games, problems) = load(&folder, 77);
        assert_eq!(problems, [""; 0]);
        assert_eq!(games[&game].adjourned.sealed.text.as_deref(), Some("c7b6"));
    }

    #[test]
    fn a_record_that_was_changed_is_none() {
        let (folder, file, text) = saved();
        let clock = "\"left_ns\": 60000000000";
        assert!(text.contains(clock), "{text}");
        for (old, new) in
            [(clock, "\"left_ns\": 0"), ("\"crc\": ", "\"crc\": 1"), ("\"crc\": ", "\"crc\":  ")]
        {
            fs::write(&file, text.replacen(old, new, 1)).unwrap();
            let (games, problems) = load(&folder, 77);
            assert!(
                games.is_empty() && problems[0].contains("changed, or is damaged; that game is played anew")
            );
        }
        fs::write(&file, text.replace('\n', "\r\n")).unwrap();
        assert_eq!(load(&folder, 77).0.len(), 1);
    }

    #[test]
    fn a_record_of_an_earlier_version_has_no_sum_and_is_looked_at_all_the_same() {
        let (folder, file, text) = saved();
        let earlier = text[..text.rfind(CRC).unwrap()].to_string() + END;
        fs::write(&file, &earlier).unwrap();
        assert_eq!(load(&folder, 77).0.len(), 1);
        for (old, new) in [
            (" d1d5,", " d1d4,"),
            ("\"sealed_by\": \"black\"", "\"sealed_by\": \"white\""),
            ("\"shown_ns\": 60000000000", "\"shown_ns\": 50000000000"),
            ("\"sealed\": true", "\"sealed\": false"),
            ("\"time_left_s\": [\n    60.0", "\"time_left_s\": [\n    null"),
        ] {
            let changed = earlier.replacen(old, new, 1);
            assert_ne!(changed, earlier, "{old}");
            fs::write(&file, changed).unwrap();
            assert!(load(&folder, 77).0.is_empty(), "{new}");
        }
    }

    #[test]
    fn an_envelope_of_an_earlier_version_tells_no_more_than_the_move() {
        let (folder, file, text) = saved();
        let record: Record = serde_json::from_str(&text).unwrap();
        let game = adjourned().0.fixture.game;
        let old = "c7b6\nnonce\n";
        let seal = checksum(old);
        fs::write(envelope_path(&folder, game, &seal), old).unwrap();
        let earlier = text[..text.rfind(CRC).unwrap()].to_string() + END;
        fs::write(&file, earlier.replace(&record.seal, &seal)).unwrap();
        let (games, problems) = load(&folder, 77);
        assert_eq!(problems, [""; 0]);
        let sealed = &games[&game].adjourned.sealed;
        assert_eq!((sealed.text.as_deref(), &sealed.said), (Some("c7b6"), &None));
        let made = sealed.made(parse_uci("c7b6", &games[&game].entry.last).unwrap());
        assert_eq!((made.depth, made.nodes, made.time), (Some(7), None, Duration::from_micros(1_500_000)));
    }
}
