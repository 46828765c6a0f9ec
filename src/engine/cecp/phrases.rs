//! What engines say in words of their own, and what it means.

use crate::types::{Color, Outcome};

/// The commands that an engine may be sent and need not know.
pub(super) const COMMANDS: [&str; 30] = [
    "xboard", "protover", "accepted", "rejected", "new", "variant", "random", "force", "go", "white",
    "black", "level", "st", "sd", "depth", "time", "otim", "result", "hard", "easy", "post", "computer",
    "name", "ics", "memory", "cores", "option", "draw", "ping", "?",
];

/// True for a complaint of a move or a position that the engine does not take. GNU Chess 6 says "Invalid".
pub(super) fn is_about_board(text: &str) -> bool {
    ["illegal move", "illegal position", "invalid move"].iter().any(|start| starts_with(text, start))
}

/// True if `text` begins so, in capitals or not.
pub(super) fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
}

/// `RESULT {COMMENT}`.
pub(super) fn result(text: &str) -> Option<(Outcome, &str)> {
    let end = text.find(|letter: char| letter == '{' || letter.is_whitespace()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let outcome = match word {
        "1-0" => Outcome::Win(Color::White),
        "0-1" => Outcome::Win(Color::Black),
        "1/2-1/2" => Outcome::Draw,
        _ => return None,
    };
    let rest = rest.trim();
    Some((outcome, rest.strip_prefix('{').map_or(rest, |rest| rest.trim_end_matches('}').trim())))
}

/// The move of `NUMBER ... MOVE`.
pub(super) fn numbered_move(text: &str) -> Option<&str> {
    let mut words = text.split_ascii_whitespace();
    let number = words.next()?;
    let number = number.strip_suffix('.').unwrap_or(number);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && words.next() == Some("...")).then(|| words.next().unwrap_or(""))
}

/// True for a line with the words `offer` and `draw`, unless it is about refusing one.
pub(super) fn is_offer(text: &str) -> bool {
    if text == "offer draw" {
        return true;
    }
    let lower = text.to_ascii_lowercase();
    let has =
        |wanted: &str| lower.split(|letter: char| !letter.is_ascii_alphabetic()).any(|word| word == wanted);
    has("draw")
        && (has("offer") || has("offers"))
        && !(has("no") || has("not"))
        && !["declin", "reject", "refus", "ignor"].iter().any(|part| lower.contains(part))
}
