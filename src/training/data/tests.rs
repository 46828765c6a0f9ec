//! The file format as a whole.

use super::block::HEAD;
use super::*;
use crate::sys::scratch::Scratch;
use crate::types::MoveKind;
use serde_json::json;
use std::collections::HashSet;
use std::io::Cursor;

fn origin() -> Origin {
    Origin(json!({ "program": "test", "seed": 7 }))
}

/// A file with so many games in each block.
fn file(games: &[SelfplayGame], per_block: usize) -> Vec<u8> {
    let mut bytes = origin().to_bytes();
    for (number, games) in games.chunks(per_block).enumerate() {
        bytes.extend(Block::of((number * per_block) as u64, games).to_bytes());
    }
    bytes
}

fn read(bytes: &[u8]) -> Result<Vec<Result<SelfplayGame, DataError>>, DataError> {
    DataReader::new(Cursor::new(bytes), "f".into()).map(Iterator::collect)
}

/// The games that can be read, and the errors.
fn parts(bytes: &[u8]) -> (Vec<SelfplayGame>, Vec<DataError>) {
    let (mut games, mut errors) = (vec![], vec![]);
    for item in read(bytes).unwrap() {
        match item {
            Ok(game) => games.push(game),
            Err(error) => errors.push(error),
        }
    }
    (games, errors)
}

#[test]
fn games_of_all_kinds_come_back() {
    let games = sample::games(1, 600);
    let kinds: HashSet<&str> = games
        .iter()
        .flat_map(|game| &game.plies)
        .map(|ply| match ply.mv.kind() {
            MoveKind::Normal => "normal",
            MoveKind::Promotion(_) => "promotion",
            MoveKind::EnPassant => "en passant",
            MoveKind::Castling => "castling",
        })
        .collect();
    assert_eq!(kinds.len(), 4, "{kinds:?}");
    let bytes = file(&games, 256);
    let (back, errors) = parts(&bytes);
    assert!(errors.is_empty(), "{errors:?}");
    assert!(back == games);
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    // Random moves and scores: real ones take less.
    assert!(bytes.len() <= 3 * plies, "{} bytes for {plies} plies", bytes.len());
}

#[test]
fn the_bytes_of_a_file_never_change() {
    let games = sample::games(3, 12);
    assert_eq!(crc32fast::hash(&codec::encode(&games)), 0x9cbb_984c);
    assert_eq!(
        codec::decode(&codec::encode(&games), 12, games.iter().map(|g| g.plies.len()).sum()),
        Ok(games)
    );
}

#[test]
fn a_file_cut_anywhere_gives_the_whole_blocks_and_an_error() {
    let games = sample::games(2, 9);
    let bytes = file(&games, 3);
    let header = origin().to_bytes().len();
    let mut ends = vec![header];
    let mut reader = DataReader::new(Cursor::new(&bytes), "f".into()).unwrap();
    while let Some(block) = reader.next_block() {
        ends.push(ends.last().unwrap() + block.unwrap().head.size() as usize);
    }
    assert_eq!(*ends.last().unwrap(), bytes.len());
    for length in 0..bytes.len() {
        let cut = &bytes[..length];
        if length < header {
            let error = read(cut).expect_err("no header").to_string();
            assert!(error.contains("header is damaged: it is cut off"), "{length}: {error}");
            continue;
        }
        let whole = ends.iter().filter(|&&end| end <= length).count() - 1;
        let (back, errors) = parts(cut);
        assert_eq!(back, games[..3 * whole], "{length} bytes");
        if ends.contains(&length) {
            assert!(errors.is_empty());
        } else {
            assert_eq!(errors.len(), 1);
            let error = errors[0].to_string();
            assert!(
                error.contains(&format!("at byte {}", ends[whole])) && error.contains("cut off"),
                "{error}"
            );
        }
    }
}

#[test]
fn a_flipped_byte_costs_its_block_and_no_other() {
    let games = sample::games(5, 9);
    let bytes = file(&games, 3);
    let header = origin().to_bytes().len();
    let first = DataReader::new(Cursor::new(&bytes), "f".into()).unwrap().next_block().unwrap().unwrap();
    let second = header + first.head.size() as usize;
    for place in (0..bytes.len()).filter(|place| place % 3 == 0 || *place < header + HEAD) {
        for mask in [1, 0x80] {
            let mut wrong = bytes.clone();
            wrong[place] ^= mask;
            if place < header {
                let error = read(&wrong).err().unwrap_or_else(|| panic!("byte {place} is not missed"));
                let text = error.to_string();
                assert!(text.starts_with("f ") || text.starts_with("f:"), "{text}");
                continue;
            }
            let (back, errors) = parts(&wrong);
            assert_eq!(errors.len(), 1, "byte {place}: {errors:?}");
            assert_eq!(back.len(), 6, "byte {place}");
            let kept = if place < second { back[..] == games[3..] } else { back[..3] == games[..3] };
            assert!(kept, "byte {place}");
        }
    }
}

#[test]
fn games_keep_their_numbers_where_others_before_them_are_lost() {
    let mut bytes = file(&sample::games(5, 8), 3);
    let numbers = |bytes: &[u8]| {
        let mut reader = DataReader::new(Cursor::new(bytes.to_vec()), "f".into()).unwrap();
        let mut numbers = vec![];
        while let Some(game) = reader.next() {
            numbers.extend(game.is_ok().then(|| reader.number()));
        }
        numbers
    };
    assert_eq!(numbers(&bytes), [0, 1, 2, 3, 4, 5, 6, 7]);
    // In the first block's games.
    bytes[origin().to_bytes().len() + HEAD] ^= 1;
    assert_eq!(numbers(&bytes), [3, 4, 5, 6, 7]);
}

#[test]
fn foreign_files_and_other_versions_are_named() {
    for foreign in [&b""[..], b"[Event \"?\"]\n", b"AdoubeNN\x01\x00"] {
        let error = read(foreign).err().unwrap().to_string();
        assert_eq!(error.contains("no file of self-play games"), !foreign.is_empty(), "{error}");
    }
    let mut later = origin().to_bytes();
    later[8] = 2;
    let error = read(&later).err().unwrap().to_string();
    assert_eq!(error, "f has version 2 of the format, this program reads version 1");
}

#[test]
fn payloads_that_lie_are_refused() {
    let games = sample::games(4, 8);
    let plies = games.iter().map(|game| game.plies.len()).sum::<usize>();
    let payload = codec::encode(&games);
    assert_eq!(codec::decode(&payload, 8, plies).unwrap(), games);
    assert!(codec::decode(&payload, 7, plies).is_err());
    assert!(codec::decode(&payload, 8, plies + 1).is_err());
    assert!(codec::decode(&[&payload[..], &[0]].concat(), 8, plies).unwrap_err().contains("left over"));
    // Whatever the bytes are, there is an answer.
    for place in 0..payload.len() {
        assert!(codec::decode(&payload[..place], 8, plies).is_err(), "{place}");
        let mut wrong = payload.clone();
        wrong[place] = !wrong[place];
        let _ = codec::decode(&wrong, 8, plies);
    }
}

#[test]
fn a_file_cut_anywhere_is_continued_to_the_same_bytes() {
    let games = sample::games(6, 600);
    let folder = Scratch::new();
    let path = folder.join("games.data");
    let mut writer = DataWriter::create(&path, &origin()).unwrap();
    games.iter().for_each(|game| writer.push(game.clone()).unwrap());
    writer.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let header = origin().to_bytes().len();
    for length in (header..=bytes.len()).step_by(797).chain([bytes.len()]) {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let (mut writer, resumed) = DataWriter::resume(&path, &origin()).unwrap();
        let there = &games[..resumed.games as usize];
        assert_eq!(resumed.quiet, there.iter().map(|game| game.quiet_positions() as u64).sum::<u64>());
        games[there.len()..].iter().for_each(|game| writer.push(game.clone()).unwrap());
        writer.finish().unwrap();
        assert!(std::fs::read(&path).unwrap() == bytes, "cut at {length}");
    }
}

#[test]
fn what_waits_can_be_saved_without_the_file_being_another_one() {
    let folder = Scratch::new();
    let path = folder.join("games.data");
    let games = sample::games(5, GAMES_PER_BLOCK as u64 + 10);
    let mut writer = DataWriter::create(&path, &origin()).unwrap();
    for (number, game) in games.iter().enumerate() {
        writer.push(game.clone()).unwrap();
        if number % 50 == 7 || number == GAMES_PER_BLOCK {
            writer.save().unwrap();
            writer.save().unwrap();
            let (read, damage) = parts(&std::fs::read(&path).unwrap());
            assert!(damage.is_empty() && read == games[..=number], "{number}");
        }
    }
    writer.finish().unwrap();
    assert!(std::fs::read(&path).unwrap() == file(&games, GAMES_PER_BLOCK));
}

#[test]
fn a_header_that_nobody_would_read_is_not_written() {
    let folder = Scratch::new();
    let path = folder.join("games.data");
    let long = |length| Origin(json!("x".repeat(length)));
    // Two quotation marks and an end of line.
    let longest = (1 << 20) - 3;
    DataWriter::create(&path, &long(longest)).unwrap().finish().unwrap();
    assert_eq!(DataReader::open(&path).unwrap().origin(), &long(longest));
    assert!(long(longest).fits() && !long(longest + 1).fits());
    std::fs::write(&path, "kept").unwrap();
    assert!(DataWriter::create(&path, &long(longest + 1)).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), b"kept");
}

#[test]
fn more_games_than_a_block_has_are_not_believed() {
    let games = sample::games(9, 1);
    let errors = |count: usize| parts(&file(&vec![games[0].clone(); count], count)).1;
    assert!(errors(GAMES_PER_BLOCK).is_empty());
    assert!(errors(GAMES_PER_BLOCK + 1)[0].to_string().contains("makes no sense"));
}

#[test]
fn a_file_in_use_of_another_origin_or_damaged_inside_is_not_continued() {
    let games = sample::games(8, 20);
    let folder = Scratch::new();
    let path = folder.join("games.data");
    let open = || DataWriter::resume(&path, &origin()).map(|_| ()).unwrap_err().to_string();
    std::fs::write(&path, file(&games, 5)).unwrap();
    let (writer, resumed) = DataWriter::resume(&path, &origin()).unwrap();
    assert_eq!((resumed.games, resumed.cut), (20, 0));
    assert!(open().contains("another program is writing it"));
    assert!(DataWriter::create(&path, &origin()).is_err());
    drop(writer);
    let other = Origin(json!({ "program": "test", "seed": 8 }));
    let error = DataWriter::resume(&path, &other).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("\"seed\":8") && error.contains("\"seed\":7"), "{error}");
    let mut wrong = file(&games, 5);
    wrong[origin().to_bytes().len() + HEAD + 3] ^= 4;
    std::fs::write(&path, &wrong).unwrap();
    assert!(open().contains("behind a damaged one"));
    assert_eq!(std::fs::read(&path).unwrap(), wrong, "nothing is lost");
    // The second block is missing.
    let parts =
        [origin().to_bytes(), Block::of(0, &games[..5]).to_bytes(), Block::of(10, &games[10..]).to_bytes()];
    let gap = parts.concat();
    std::fs::write(&path, &gap).unwrap();
    let error = open();
    assert!(error.contains("a block begins with game 10 instead of 5"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), gap);
}

/// Games that are written where nobody finds them are lost.
#[cfg(unix)]
#[test]
fn a_file_that_is_taken_away_from_its_writer_is_told() {
    use std::fs;
    let games = sample::games(9, 8);
    let folder = Scratch::new();
    let [path, other] = ["games.data", "other"].map(|name| folder.join(name));
    let whole = [origin().to_bytes(), Block::of(0, &games).to_bytes()].concat();
    // Before the last block, or behind it.
    for last in [0, 8] {
        let taken = |take: &dyn Fn()| {
            let mut writer = DataWriter::create(&path, &origin()).unwrap();
            games[..last].iter().for_each(|game| writer.push(game.clone()).unwrap());
            writer.finish_block().unwrap();
            take();
            games[last..].iter().for_each(|game| writer.push(game.clone()).unwrap());
            writer.finish().map_err(|error| error.to_string())
        };
        assert_eq!(taken(&|| ()), Ok(()));
        let removed = taken(&|| fs::remove_file(&path).unwrap()).unwrap_err();
        let there = |place: &std::path::Path| {
            format!("somebody has removed or renamed it; all games that it had are in {}", place.display())
        };
        assert!(removed.ends_with(&there(&path)), "{removed}");
        assert!(fs::read(&path).unwrap() == whole);
        let replaced = taken(&|| {
            fs::write(&other, "precious").unwrap();
            fs::rename(&other, &path).unwrap();
        });
        let replaced = replaced.unwrap_err();
        let saved = crate::sys::files::with_suffix(&path, ".saved");
        assert!(replaced.ends_with(&there(&saved)), "{replaced}");
        assert!(fs::read(&path).unwrap() == b"precious" && fs::read(&saved).unwrap() == whole);
        fs::remove_file(saved).unwrap();
        for rename in [true, false] {
            let renamed = taken(&|| {
                fs::rename(&path, &other).unwrap();
                if !rename {
                    fs::write(&path, "precious").unwrap();
                }
            });
            let renamed = renamed.unwrap_err();
            let (told, left) = match rename {
                true => (there(&path), &whole[..]),
                false => ("its games are where it was moved to".to_string(), &b"precious"[..]),
            };
            assert!(renamed.ends_with(&told), "{renamed}");
            assert!(fs::read(&other).unwrap() == whole && fs::read(&path).unwrap() == left);
        }
    }
}

/// What is put behind a gap is lost, and what somebody else has put there would be.
#[cfg(unix)]
#[test]
fn a_file_that_somebody_else_has_changed_is_not_written_on() {
    let games = sample::games(9, 8);
    let folder = Scratch::new();
    let path = folder.join("games.data");
    for (last, length) in [(0, 5), (0, 9_999), (8, 500), (8, 99_999)] {
        let mut writer = DataWriter::create(&path, &origin()).unwrap();
        games[..last].iter().for_each(|game| writer.push(game.clone()).unwrap());
        writer.finish_block().unwrap();
        let was = std::fs::metadata(&path).unwrap().len();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
        games[last..].iter().for_each(|game| writer.push(game.clone()).unwrap());
        let told = writer.finish().unwrap_err().to_string();
        let expected = format!("somebody has changed it: it had {was} bytes and has {length}");
        assert!(told.ends_with(&expected), "{told}");
        assert_eq!(std::fs::metadata(&path).unwrap().len(), length);
    }
}

#[test]
fn a_block_behind_damage_is_found_wherever_it_begins() {
    let games = sample::games(7, 3);
    let block = Block::of(0, &games).to_bytes();
    // What is looked through is read in pieces of 65,536 bytes.
    for length in (65_520..65_560).chain([0, 1, 131_050, 131_064]) {
        let bytes = [origin().to_bytes(), vec![7; length], block.clone()].concat();
        let (back, errors) = parts(&bytes);
        assert_eq!((back.len(), errors.len()), (3, usize::from(length > 0)), "{length} bytes of damage");
    }
}
