//! Games of a match as PGN and EPD, made from their journal entries.

use super::config::{MatchConfig, PgnConfig, Variant};
use super::entry::{Entry, day};
use crate::arbiter::clock::Limits;
use crate::arbiter::record::PlayedMove;
use crate::board::FenStyle;
use crate::engine::info::Score;
use crate::notation::comment::{DRAW_OFFER, Evaluation, MoveNote};
use crate::notation::epd::{Epd, Operation};
use crate::notation::pgn::GameRecord;
use crate::types::Color;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::fmt::Write;

/// The game in PGN.
pub fn to_pgn(entry: &Entry, config: &MatchConfig, pgn: &PgnConfig) -> String {
    let tags = tags(entry, config, pgn);
    let book = entry.book.iter().map(|&mv| (mv, if pgn.minimal { "" } else { "book" }.to_string()));
    let played = entry.moves.iter().zip(entry.movers());
    let comments = played.map(|(played, mover)| (played.mv, comment(played, mover, pgn)));
    let mut moves: Vec<_> = book.chain(comments).collect();
    let mut preface = String::new();
    if !pgn.minimal {
        let end = ending(entry);
        match moves.last_mut() {
            Some((_, last)) => last.extend([", ", &end]),
            None => preface = end,
        }
    }
    let (start, outcome, notation) = (entry.start, entry.result.outcome(), pgn.notation);
    GameRecord { tags, start, moves, preface, outcome, notation }.to_string()
}

/// What the arbiter ruled in the end, and why the game is over, with the article that says so.
fn ending(entry: &Entry) -> String {
    let mut text = String::new();
    for ruling in &entry.rulings {
        let _ = write!(text, "{ruling}, ");
    }
    text.push_str(&entry.reason);
    if let Some(article) = &entry.article {
        let _ = write!(text, " ({article})");
    }
    text
}

fn tags(entry: &Entry, config: &MatchConfig, pgn: &PgnConfig) -> Vec<(String, String)> {
    let mut tags = vec![];
    let mut tag = |name: &str, value: &str| tags.push((name.to_string(), value.to_string()));
    let began = Timestamp::from_millisecond(entry.began).unwrap_or_default();
    tag("Event", config.event.as_deref().unwrap_or("Adoube match"));
    tag("Site", config.site.as_deref().unwrap_or("?"));
    let date = entry.date.clone().unwrap_or_else(|| day(entry.began, TimeZone::UTC));
    tag("Date", &date);
    tag("Round", &format!("{}.{}", entry.fixture.round + 1, entry.fixture.game + 1));
    tag("White", config.name(entry.fixture.white));
    tag("Black", config.name(entry.fixture.black));
    if config.variant == Variant::Chess960 {
        tag("Variant", "Chess960");
    }
    if pgn.minimal {
        return tags;
    }
    let ended = Timestamp::from_millisecond(entry.end()).unwrap_or_default();
    let seconds = entry.duration.as_secs();
    let duration = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if let Some(opening) = &entry.opening {
        tag("Opening", opening);
    }
    let mut of_players = |name: &str, tell: fn(&Limits) -> String| {
        let told = |player: usize| config.players.get(player).map_or(String::new(), |it| tell(&it.limits));
        let (white, black) = (told(entry.fixture.white), told(entry.fixture.black));
        let tags = [("", &white), ("White", &white), ("Black", &black)];
        let tags = if white == black { &tags[..1] } else { &tags[1..] };
        for (whose, value) in tags.iter().filter(|(_, value)| !value.is_empty()) {
            tag(&format!("{whose}{name}"), value);
        }
    };
    of_players("TimeControl", time_control);
    of_players("MoveLimit", move_limit);
    tag("GameStartTime", &began.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
    tag("GameEndTime", &ended.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
    tag("GameDuration", &duration);
    tag("PlyCount", &(entry.book.len() + entry.moves.len()).to_string());
    tag("Termination", &entry.termination);
    if entry.result.is_exceptional() {
        tag("FideResult", &entry.result.to_string());
    }
    tags
}

/// What stands in the tag `TimeControl`: a clock, or that there is none (standard, section 9.6.1); a time for each move, which the
/// standard does not know, as other runners have it.
fn time_control(limits: &Limits) -> String {
    match (&limits.clock, limits.movetime) {
        (Some(clock), _) => clock.to_string(),
        (None, Some(_)) => Limits { nodes: None, depth: None, ..limits.clone() }.to_string(),
        (None, None) => "-".to_string(),
    }
}

/// What else holds the thinking; programs that read `TimeControl` know nothing but clocks.
fn move_limit(limits: &Limits) -> String {
    let movetime = limits.movetime.filter(|_| limits.clock.is_some());
    Limits { clock: None, movetime, ..limits.clone() }.to_string()
}

/// What is told of a move of `mover`: score, depth and time as testers know them (`+0.32/11 0.074s`), or the commands that
/// chess programs draw curves from (`[%clk 0:00:59.9] [%emt 0:00:00.1] [%eval 0.32,11]`); and what else is wanted.
pub fn comment(played: &PlayedMove, mover: Color, pgn: &PgnConfig) -> String {
    if pgn.minimal {
        return String::new();
    }
    let eval = played.score.map(|score| match score {
        Score::Centipawns(score) => Evaluation::Centipawns(score),
        Score::Mate(moves) => Evaluation::Mate(moves),
    });
    let is_offer = |ruling: &String| ruling == DRAW_OFFER;
    let note = MoveNote {
        clock: played.left.filter(|_| pgn.commands || pgn.timeleft),
        elapsed: Some(played.time),
        eval,
        depth: played.depth,
        draw_offer: played.rulings.iter().any(is_offer),
        text: fields(played, pgn),
    };
    if pgn.commands { note.to_commands(mover) } else { note.to_score() }
}

/// What else is wanted of a move, and what the arbiter ruled.
fn fields(played: &PlayedMove, pgn: &PgnConfig) -> String {
    let mut fields = vec![];
    let mut field = |wanted: bool, name: &str, value: Option<String>| {
        fields.extend(value.filter(|_| wanted).map(|value| format!("{name}={value}")));
    };
    let latency = played.reported.map(|reported| {
        let difference = played.time.as_secs_f64() - reported.as_secs_f64();
        format!("{difference:.3}s")
    });
    field(pgn.latency, "latency", latency);
    field(pgn.nodes, "n", played.nodes.map(|nodes| nodes.to_string()));
    field(pgn.seldepth, "sd", played.seldepth.map(|depth| depth.to_string()));
    field(pgn.nps, "nps", played.nps.map(|nps| nps.to_string()));
    field(pgn.hashfull, "hashfull", played.hashfull.map(|full| full.to_string()));
    field(pgn.tbhits, "tbhits", played.tbhits.map(|hits| hits.to_string()));
    field(pgn.pv && !played.pv.is_empty(), "pv", Some(format!("\"{}\"", played.pv.join(" "))));
    let rulings = played.rulings.iter().filter(|ruling| *ruling != DRAW_OFFER);
    // As fastchess has it, so that such a line is not taken for fields of ours.
    fields.extend(played.kept.iter().map(|line| format!("line=\"{}\"", line.replace('"', "'"))));
    fields.extend(rulings.cloned());
    fields.join(", ")
}

/// The position at the end of the game, with who played and how it ended.
pub fn to_epd(entry: &Entry, config: &MatchConfig) -> String {
    let players = format!("{} - {}", config.name(entry.fixture.white), config.name(entry.fixture.black));
    let end = format!("{} {}", entry.result, entry.reason);
    let operations = vec![Operation::new("c0", players), Operation::new("c1", end)];
    Epd { position: entry.last, operations }.to_line(FenStyle::XFen) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::TimeControl;
    use crate::tournament::config::{PgnNotation, Player};
    use crate::tournament::entry::tests::sample;
    use std::time::Duration;

    fn config() -> MatchConfig {
        let mut config = MatchConfig { players: vec![Player::default(); 2], ..MatchConfig::default() };
        for (player, name) in config.players.iter_mut().zip(["A", "B"]) {
            player.engine.name = name.into();
        }
        config.players[0].limits.nodes = Some(500);
        config.players[1].limits.movetime = Some(Duration::from_millis(100));
        config
    }

    #[test]
    fn a_game_tells_what_is_wanted() {
        let bare = PgnConfig::default();
        let text = to_pgn(&sample(), &config(), &bare);
        let expected = "[Event \"Adoube match\"]\n[Site \"?\"]\n[Date \"2023.11.14\"]\n[Round \"3.6\"]\n[White \"B\"]\n\
            [Black \"A\"]\n[Result \"1-0\"]\n[Opening \"A00 \\\"Odd\\\"\"]\n[WhiteTimeControl \"0.1/move\"]\n\
            [BlackTimeControl \"-\"]\n[BlackMoveLimit \"500 nodes\"]\n[GameStartTime \"2023-11-14T22:13:20Z\"]\n\
            [GameEndTime \"2023-11-14T22:13:22Z\"]\n[GameDuration \"00:00:02\"]\n[PlyCount \"4\"]\n\
            [Termination \"time forfeit\"]\n[SetUp \"1\"]\n\
            [FEN \"4k3/8/8/8/8/4p3/8/R3K2R b KQ - 0 7\"]\n\n\
            7... Kd8 {book} 8. O-O-O+ {-0.12/9 1.235s, line=\"info string 'said'\" (=)} 8...\n\
            Kc7 {0.000s} 9. Rd5 {-M3 0.000s, White gets 60 s more (fide-2023:B.3, A.3,\n\
            7.5.5), Black loses on time (fide-2023:6.9)} 1-0\n\n";
        assert_eq!(text, expected);
        // A clock is told apart from other limits.
        let mut timed = config();
        timed.players[0].limits.clock =
            Some(TimeControl::fischer(Duration::from_secs(180), Duration::from_secs(2)));
        let timed = to_pgn(&sample(), &timed, &bare);
        assert_eq!(timed, expected.replace("[BlackTimeControl \"-\"]", "[BlackTimeControl \"180+2\"]"));
        // What both have is told once.
        let mut same = config();
        same.players[1].limits = Limits { depth: Some(9), ..same.players[0].limits.clone() };
        same.players[0].limits.depth = Some(9);
        let same = to_pgn(&sample(), &same, &bare);
        assert!(
            same.contains("[TimeControl \"-\"]\n[MoveLimit \"500 nodes, depth 9\"]\n[GameStart"),
            "{same}"
        );
        let all = PgnConfig {
            notation: PgnNotation::Uci,
            nodes: true,
            seldepth: true,
            nps: true,
            hashfull: true,
            tbhits: true,
            timeleft: true,
            latency: true,
            pv: true,
            ..PgnConfig::default()
        };
        let text = to_pgn(&sample(), &config(), &all).replace('\n', " ");
        let castled = "e1c1 {-0.12/9 1.235s, tl=59.000s, latency=0.005s, n=123456789012, sd=14, nps=1000000, \
            hashfull=3, tbhits=0, pv=\"e1c1 d8c7\", line=\"info string 'said'\" (=)}";
        assert!(text.contains(castled), "{text}");
        let commands = PgnConfig { commands: true, ..PgnConfig::default() };
        let text = to_pgn(&sample(), &config(), &commands).replace('\n', " ");
        let castled =
            "O-O-O+ {[%clk 0:00:59] [%emt 0:00:01.235] [%eval -0.12,9] (=) line=\"info string 'said'\"}";
        assert!(text.contains(castled) && text.contains("Rd5 {[%emt 0:00:00] [%eval #-3]"), "{text}");
        let minimal = PgnConfig { minimal: true, ..PgnConfig::default() };
        let text = to_pgn(&sample(), &config(), &minimal);
        assert!(
            text.ends_with("7... Kd8 8. O-O-O+ Kc7 9. Rd5 1-0\n\n") && !text.contains("PlyCount"),
            "{text}"
        );
    }

    #[test]
    fn a_long_game_is_told_in_hours_minutes_and_seconds() {
        let entry = Entry { duration: Duration::from_secs(3_725), ..sample() };
        let text = to_pgn(&entry, &config(), &PgnConfig::default());
        assert!(text.contains("[GameDuration \"01:02:05\"]"), "{text}");
        assert!(text.contains("[GameEndTime \"2023-11-14T23:15:25Z\"]"), "{text}");
        let resumed = Entry { ended: Some(1_700_100_000_000), ..entry };
        let text = to_pgn(&resumed, &config(), &PgnConfig::default());
        assert!(text.contains("[GameEndTime \"2023-11-16T02:00:00Z\"]"), "{text}");
        assert!(text.contains("[GameDuration \"01:02:05\"]"), "{text}");
    }

    #[test]
    fn the_date_is_that_of_the_place_and_the_times_are_not() {
        let entry = Entry { date: Some("2023.11.15".into()), ..sample() };
        let text = to_pgn(&entry, &config(), &PgnConfig::default());
        assert!(text.contains("[Date \"2023.11.15\"]"), "{text}");
        assert!(text.contains("[GameStartTime \"2023-11-14T22:13:20Z\"]"), "{text}");
    }

    #[test]
    fn the_last_position_is_told() {
        assert_eq!(
            to_epd(&sample(), &config()),
            "8/2k5/8/3R4/8/4p3/8/2K4R b - - hmvc 4; fmvn 9; c0 \"B - A\"; c1 \"1-0 Black loses on time\";\n"
        );
        let mut config = config();
        for (player, name) in config.players.iter_mut().zip(["A \"x\"", "end\\"]) {
            player.engine.name = name.into();
        }
        let epd = crate::notation::epd::parse_epd(to_epd(&sample(), &config).trim_end()).unwrap();
        assert_eq!(epd.operand("c0"), Some("end\\ - A \"x\""));
        assert_eq!(epd.operand("c1"), Some("1-0 Black loses on time"));
    }
}
