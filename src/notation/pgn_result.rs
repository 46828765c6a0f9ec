//! Results as they stand in PGN and on score sheets.

use super::characters;
use super::pgn_reader::PgnGame;
use crate::types::{Color, Outcome};
use std::borrow::Cow;

/// How it is written that both have lost.
pub(super) const BOTH_LOSE: &str = "0-0";

/// The result of a game of which this stands behind the moves, and that in the tag `Result`.
pub(super) fn settled(stated: Option<Outcome>, tag: Option<&str>) -> Outcome {
    let of_tag = || tag.and_then(outcome).unwrap_or(Outcome::Unfinished);
    stated.filter(|stated| *stated != Outcome::Unfinished).unwrap_or_else(of_tag)
}

/// What PGN's tag `Result` has no value for (Laws, 8.7 and 11.8; `+/-` as tournament tables have it).
const EXCEPTIONAL: [&str; 7] = [BOTH_LOSE, "1/2-0", "0-1/2", "+/-", "-/+", "-/-", "void"];

/// True if the tags of a game, given by their names, say that both have lost: then it ends with [`BOTH_LOSE`], which is
/// castling elsewhere.
pub(super) fn both_have_lost<'a>(tag: impl Fn(&str) -> Option<&'a str>) -> bool {
    ["FideResult", "Result"].into_iter().filter_map(tag).any(|value| plain(value) == BOTH_LOSE)
}

/// The exceptional result of a game: what stands behind the moves, as one of these tags spells it, or what one of them says.
pub(super) fn exceptional<'a>(game: &'a PgnGame, tags: &[&str]) -> Option<&'a str> {
    let stated = game.exceptional;
    let mut values = tags.iter().filter_map(|name| game.tag(name));
    let tagged =
        values.find(|value| named_exceptional(value).is_some_and(|named| named == stated.unwrap_or(named)));
    tagged.or(stated)
}

/// The result that this text names, with plain signs, if PGN's tag `Result` has no value for it.
pub(super) fn named_exceptional(text: &str) -> Option<&'static str> {
    let text = plain(text);
    EXCEPTIONAL.into_iter().find(|name| *name == text)
}

/// The result of a game as it is written again.
pub(super) fn written(game: &PgnGame) -> String {
    // Where no tag says it too, readers of PGN take 0-0 for castling and +/- for a judgement.
    let reads_back = |result: &str| game.tag("Result").is_some() || outcome(result).is_some();
    let kept = exceptional(game, &["Result"]).filter(|_| game.outcome == Outcome::Unfinished);
    // No reader takes signs with blanks between them for a result.
    let kept = kept.filter(|result| reads_back(result)).map(|result| result.split_whitespace().collect());
    kept.unwrap_or_else(|| game.outcome.to_string())
}

/// The exceptional result behind the moves that neither [`written`] nor a tag tells.
pub(super) fn untold(game: &PgnGame) -> Option<&str> {
    let told = || named_exceptional(&written(game));
    game.exceptional.filter(|&result| game.tag("FideResult").is_none() && told() != Some(result))
}

/// A result as people write it, with any dash; `None` if it is none. Half a point against nothing is unfinished, as in PGN's
/// tag `Result`, which has no value for it, and so is a game that does not count.
pub fn outcome(text: &str) -> Option<Outcome> {
    match &*plain(text) {
        "1-0" | "1:0" => Some(Outcome::Win(Color::White)),
        "0-1" | "0:1" => Some(Outcome::Win(Color::Black)),
        "1/2-1/2" | "1/2" | "1/2:1/2" | "0.5-0.5" | "0,5-0,5" => Some(Outcome::Draw),
        "*" | "1/2-0" | "0-1/2" | "void" => Some(Outcome::Unfinished),
        _ => None,
    }
}

/// A result with plain signs and without blanks. Every word of a PGN is asked whether it is one, and few have others.
pub fn plain(text: &str) -> Cow<'_, str> {
    let plain: Cow<'_, str> = if text.bytes().all(|byte| byte.is_ascii_graphic()) {
        text.into()
    } else {
        let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        characters::plain(&bare).replace('½', "1/2").into()
    };
    match &*plain {
        "+:-" => "+/-".into(),
        "-:+" => "-/+".into(),
        "-:-" => "-/-".into(),
        _ => plain,
    }
}

/// The value of the tag `Result`, if it says something and no result is written so.
pub fn unknown_tag(game: &PgnGame) -> Option<&str> {
    let is_known = |value: &str| outcome(value).is_some() || named_exceptional(value).is_some();
    game.tag("Result").filter(|value| !matches!(value.trim(), "" | "?") && !is_known(value))
}
