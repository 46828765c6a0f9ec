//! The words of the Laws: which edition, what the organiser has decided, and what is said in a player's name.

use super::line::value;
use super::settings::Reader;
use super::values::{Read, choice, score, small, span, whole};
use crate::arbiter::proxy::{Claims, Finish, Row};
use crate::engine::config::EngineConfig;
use crate::laws::event::Request;
use crate::laws::{DrawAgreement, Edition, Regulations, Scoring};
use std::path::PathBuf;
use std::time::Duration;

/// Keys that the edition `engine` does not know.
pub(super) const OF_FIDE_ONLY: [&str; 6] =
    ["supervised", "draws", "default-time", "clock", "expel", "quickplay"];

/// The regulations of a match. A test of strength is played by the habits of engine testers if nothing else is said.
pub(super) fn regulations(reader: &mut Reader<'_>, has_sprt: bool) -> Regulations {
    let editions = Edition::ALL.map(|edition| (edition.name(), edition));
    // Frameworks that do not leave the test to the runner say so.
    let is_test = has_sprt || reader.has("testEnv");
    let otherwise = if is_test { Edition::Engine } else { Edition::default() };
    let given = reader.pair("laws", "edition", |text| choice(text, &editions));
    if given.is_none() && is_test && !has_sprt {
        reader.findings.note("-testEnv: played with -laws engine, since no edition is given");
    }
    let edition = given.unwrap_or(otherwise);
    let usual = Regulations::of(edition);
    let scorings = [("1-0.5-0", Scoring::Classic), ("3-1-0", Scoring::ThreeOneZero)];
    let regulations = Regulations {
        supervised: reader.yes("laws", "supervised", usual.supervised),
        draws: reader.pair("laws", "draws", draw_agreement).unwrap_or(usual.draws),
        default_time: reader.pair("laws", "default-time", late),
        scoring: reader.pair("laws", "scoring", |text| choice(text, &scorings)).unwrap_or(usual.scoring),
        most_offers: reader.pair("laws", "offers", most_offers).unwrap_or(usual.most_offers),
        restore_clock: reader
            .pair("laws", "clock", |text| choice(text, &[("keep", false), ("restore", true)]))
            .unwrap_or(usual.restore_clock),
        quickplay: reader.yes("laws", "quickplay", usual.quickplay),
        ..usual
    };
    let given = reader
        .line
        .get("laws")
        .and_then(|params| OF_FIDE_ONLY.into_iter().find(|&key| value(params, key).is_some()));
    if let (Some(key), false) = (given, edition.is_fide()) {
        reader.findings.error(format!("-laws engine knows no {key}=: it is for the editions of FIDE"));
    }
    regulations
}

/// Who decides in quickplay finishes.
pub(super) fn judge(reader: &mut Reader<'_>) -> Option<(EngineConfig, u64)> {
    let nodes = reader.pair("laws", "judge-nodes", |text| whole(text, 1, u64::MAX, "1000000"));
    let cmd = reader.pair("laws", "judge", |text| Ok(PathBuf::from(text)));
    if nodes.is_some() && cmd.is_none() {
        reader.findings.error("-laws judge-nodes= is for a judge: add judge=FILE");
    }
    cmd.map(|cmd| (EngineConfig { cmd, ..EngineConfig::default() }, nodes.unwrap_or(JUDGE_NODES)))
}

/// How many nodes a judge searches, if not given.
const JUDGE_NODES: u64 = 1_000_000;

/// After how many failures a player is expelled.
pub(super) fn expulsion(reader: &mut Reader<'_>) -> Option<u32> {
    reader.pair("laws", "expel", |text| small(text, 1, "3"))
}

/// How late an engine may come: not before it can be there.
fn late(text: &str) -> Read<Duration> {
    let least = Duration::from_millis(100);
    span(text).ok().filter(|time| *time >= least).ok_or_else(|| {
        "expected a time such as 60s: an engine has to be started, and needs a moment".to_string()
    })
}

fn draw_agreement(text: &str) -> Read<DrawAgreement> {
    match text.strip_prefix("from:") {
        Some(number) => small(number, 1, "from:30").map(DrawAgreement::From),
        None => choice(text, &[("free", DrawAgreement::Free), ("never", DrawAgreement::Never)])
            .map_err(|error| error + ", or from:30 for the move from which on draws may be agreed"),
    }
}

/// When draws are claimed in a player's name.
pub(super) fn claims(text: &str) -> Read<Claims> {
    match text.strip_prefix("score:") {
        Some(limit) => {
            let (sign, digits) = limit.strip_prefix('-').map_or((1, limit), |digits| (-1, digits));
            score(digits).map(|score| Claims::Score(sign * score))
        }
        None => {
            let all = [("auto", Claims::Auto), ("never", Claims::Never), ("score", Claims::Score(0))];
            choice(text, &all).map_err(|error| error + ", or score:20 for a score of at most 20 centipawns")
        }
    }
}

/// `SCORE/MOVES`: so many centipawns for so many moves.
fn row(text: &str, example: &str) -> Read<Row> {
    let expected = || format!("expected CENTIPAWNS/MOVES, such as {example}");
    let (limit, moves) = text.split_once('/').ok_or_else(expected)?;
    Ok(Row { score: score(limit)?, moves: small(moves, 1, "8")? })
}

/// When a draw is offered, and accepted, in a player's name.
pub(super) fn offers(text: &str) -> Read<Row> {
    row(text, "10/8")
}

/// What is asked for in a player's name in a quickplay finish.
pub(super) fn finish(text: &str) -> Read<Finish> {
    let (request, rest) = match text.strip_prefix("delay:") {
        Some(rest) => (Request::Bonus, rest),
        None => (Request::Draw, text),
    };
    row(rest, "10/4").map(|when| Finish { request, when })
}

/// When a player's game is given up.
pub(super) fn resigns(text: &str) -> Read<Row> {
    let row = row(text, "600/4")?;
    if row.score == 0 {
        return Err("expected a disadvantage above 0, such as 600/4".to_string());
    }
    Ok(row)
}

fn most_offers(text: &str) -> Result<u32, String> {
    small(text, 1, "3")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_in_a_players_name() {
        assert_eq!(claims("score:-20"), Ok(Claims::Score(-20)));
        assert_eq!((claims("score"), claims("auto")), (Ok(Claims::Score(0)), Ok(Claims::Auto)));
        assert!(claims("sometimes").is_err_and(|error| error.contains("score:20")));
        assert_eq!(offers("10/8"), Ok(Row { score: 10, moves: 8 }));
        for text in ["10", "10/0", "/8", "x/8", "-1/8"] {
            assert!(offers(text).is_err(), "{text}");
        }
        assert!(resigns("0/4").is_err() && resigns("600/4").is_ok());
        assert_eq!(draw_agreement("from:30"), Ok(DrawAgreement::From(30)));
        assert!(draw_agreement("30").is_err_and(|error| error.contains("from:30")));
        // The first offer is none that is made again and again; "never" is a word of draws=.
        assert_eq!(most_offers("0").is_err(), most_offers("1").is_ok());
    }
}
