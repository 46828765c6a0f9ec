//! What a match tells programs: games and results as JSON objects, one a line.

use super::measures::{processor_time_a_ply, quantiles};
use crate::tournament::config::MatchConfig;
use crate::tournament::elo::Estimate;
use crate::tournament::entry::Entry;
use crate::tournament::runner::{Conclusion, State, counts_pairs};
use crate::tournament::schedule::Fixture;
use serde_json::{Value, json};

/// A game as JSON.
pub(super) fn game(entry: &Entry, config: &MatchConfig) -> Value {
    let Fixture { game, round, white, black, opening, .. } = entry.fixture;
    json!({
        "event": "game",
        "game": game + 1,
        "round": round + 1,
        "opening": opening + 1,
        "white": config.name(white),
        "black": config.name(black),
        "result": entry.result.to_string(),
        "reason": entry.reason,
        "article": entry.article,
        "termination": entry.termination,
        "plies": entry.book.len() + entry.moves.len(),
        "seconds": entry.duration.as_secs_f64(),
    })
}

/// A game that goes on in another session, as JSON.
pub(super) fn adjourned(entry: &Entry, config: &MatchConfig) -> Value {
    let Fixture { game, white, black, .. } = entry.fixture;
    json!({
        "event": "adjourned",
        "game": game + 1,
        "white": config.name(white),
        "black": config.name(black),
        "sealed_by": entry.last.side_to_move(),
        "move": entry.last.fullmove_number(),
    })
}

/// The results of a match, and how it ended.
pub(super) fn summary(config: &MatchConfig, state: &State, conclusion: &Conclusion) -> Value {
    let pairs = counts_pairs(config);
    let players: Vec<_> = config
        .names()
        .into_iter()
        .enumerate()
        .map(|(player, name)| {
            let tally = state.standings.of(player);
            let estimate = Estimate::of(&tally.sample(pairs));
            let failures: Vec<_> = state.standings.failures().filter(|failure| failure.0 == player).collect();
            json!({
                "name": name,
                "wins": tally.wins,
                "losses": tally.losses,
                "draws": tally.draws,
                "points": tally.points(),
                "points_by_regulations": state.standings.points(player, config.regulations.scoring),
                "penta": pairs.then(|| tally.pairs.counts()),
                "elo": estimate.elo.value,
                "elo_error": estimate.elo.error,
                "nelo": estimate.normalized.value,
                "nelo_error": estimate.normalized.error,
                "los": estimate.los,
                "regularised": estimate.regularised,
                "lost_by": failures.iter().map(|&(_, how, count)| (how.to_string(), json!(count))).collect::<serde_json::Map<_, _>>(),
            })
        })
        .collect();
    let sprt = state.sprt.as_ref().zip(state.progress(config)).map(|(sprt, progress)| {
        json!({
            "llr": progress.llr,
            "lower": sprt.lower(),
            "upper": sprt.upper(),
            "elo0": sprt.config().elo0,
            "elo1": sprt.config().elo1,
            "verdict": progress.verdict.to_string(),
            "regularised": progress.regularised,
        })
    });
    let (word, why) = match conclusion {
        Conclusion::Complete => ("complete", None),
        Conclusion::Failed(why) => ("complete", Some(why)),
        Conclusion::Decided(_) => ("decided", None),
        Conclusion::Interrupted => ("interrupted", None),
        Conclusion::Broken(why) => ("broken", Some(why)),
    };
    let mut line = json!({
        "event": "summary",
        "conclusion": word,
        "games": state.standings.games(),
        "of": state.total,
        "seconds": state.started.elapsed().as_secs_f64(),
        "players": players,
    });
    if let Some(line) = line.as_object_mut() {
        line.extend(sprt.map(|sprt| ("sprt".to_string(), sprt)));
        line.extend(why.map(|why| ("why".to_string(), json!(why))));
        if config.output.latency {
            line.insert("plies".into(), json!(state.plies));
            line.insert("cpu_us_a_ply".into(), json!(processor_time_a_ply(state)));
            line.insert("handover_us".into(), json!(quantiles(state)));
        }
    }
    line
}
