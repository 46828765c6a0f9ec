//! Positions, a line each.

use super::thorough::Thorough;
use super::{position_or_epd, read_position};
use crate::board::{Board, Position};
use crate::cli::{Failure, tell};
use crate::laws::claims::OpenClaims;
use crate::laws::event::Ground;
use crate::laws::{Edition, Event, Game, Regulations};
use crate::notation::epd::parse_epd;
use crate::notation::uci_move::{UciMoveError, parse_uci, to_uci};
use crate::notation::{decode, why_no_text};
use crate::report::text::plain_and_short;
use crate::types::Move;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Duration;

/// Characters of an error: room for a FEN and an explanation, but not for all that a line can have.
const LONGEST_ERROR: usize = 1_000;

/// Rules on each line of the standard input. Lines that cannot be judged are told, the others judged all the same.
pub(super) fn run(edition: Edition, as_json: bool) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let mut input = io::stdin().lock();
    let mut solver = Thorough::new();
    let (mut number, mut broken) = (0_u64, 0_u64);
    let mut bytes = vec![];
    while let Some(length) = read_position(&mut input, &mut bytes)? {
        number += 1;
        if let Some(why) = why_no_text(&bytes).filter(|_| number == 1) {
            return Err(format!("standard input: {why}").into());
        }
        let text = decode(&bytes).trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).to_string();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let judged = length.and_then(|()| judge(&text, edition, &mut solver));
        match (judged, as_json) {
            (Ok(game), false) => writeln!(out, "{}", in_words(&game))?,
            (Ok(game), true) => writeln!(out, "{}", in_json(number, &game))?,
            (Err(error), as_json) => {
                broken += 1;
                let error = plain_and_short(&error, LONGEST_ERROR);
                if as_json {
                    writeln!(out, "{}", json!({ "line": number, "error": error }))?;
                } else {
                    out.flush()?;
                    tell(format_args!("line {number}: {error}"));
                }
            }
        }
        out.flush()?;
    }
    match broken {
        0 => Ok(()),
        1 => Err("1 line cannot be judged".into()),
        many => Err(format!("{many} lines cannot be judged").into()),
    }
}

/// The game after a line's moves.
fn judge(text: &str, edition: Edition, solver: &mut Thorough) -> Result<Game, String> {
    let (start, played) = read(text)?;
    let mut moves = vec![];
    let mut position = start;
    let mut error = None;
    for (number, text) in (1..).zip(&played) {
        match parse_uci(text, &position) {
            Ok(mv) => {
                position = position.after(mv);
                moves.push((mv, text));
            }
            Err(why) => {
                error = Some((number, text, why));
                break;
            }
        }
    }
    solver.prepare(&start, moves.iter().map(|&(mv, _)| mv));
    let mut game = Game::new(Regulations::of(edition), start, [None, None]);
    game.begin(&[], solver);
    for (number, &(mv, text)) in (1..).zip(&moves) {
        not_after_the_end(&game, number, text)?;
        game.apply(Event::Move { mv, time: Duration::ZERO }, solver);
    }
    if let Some((number, text, why)) = error {
        not_after_the_end(&game, number, text)?;
        let advice = match why {
            UciMoveError::Illegal(..) => "",
            _ => "; moves are written as UCI has them",
        };
        return Err(format!("move {number}: {why}{advice}"));
    }
    Ok(game)
}

/// The position of a line, and the moves that lead on from it.
fn read(text: &str) -> Result<(Position, Vec<String>), String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.strip_prefix(&["position"]).unwrap_or(&words);
    let words = words.strip_prefix(&["fen"]).unwrap_or(words);
    if is_epd(words) {
        let line = words.join(" ");
        let epd = parse_epd(&line).map_err(|error| format!("'{line}': {error}"))?;
        return Ok((epd.position, epd.moves().map(String::from).collect()));
    }
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (fen, moves) = words.split_at(end);
    let start = match fen {
        [] => return Err("no position, expected 'FEN [moves e2e4 ...]' or 'startpos [moves ...]'".into()),
        ["startpos"] => Position::default(),
        _ => {
            let fen = fen.join(" ");
            position_or_epd(Board::from_fen_lenient(&fen), &fen).map_err(|error| {
                format!("'{fen}': {error}; expected 'FEN [moves e2e4 ...]' or 'startpos [moves ...]'")
            })?
        }
    };
    Ok((start, moves.iter().skip(1).map(|mv| mv.to_string()).collect()))
}

/// True for a line with operations behind the position, whose semicolons no FEN has. In their texts the word `moves` is a word
/// like others.
fn is_epd(words: &[&str]) -> bool {
    let Some((fields, rest)) = words.split_at_checked(4) else { return false };
    let is_counter = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let first = rest.iter().find(|word| !is_counter(word));
    let has_name = first.is_some_and(|word| *word != "moves" && word.starts_with(char::is_alphabetic));
    let has_semicolon = rest.iter().any(|word| word.contains(';'));
    !fields.contains(&"moves") && (has_name || has_semicolon)
}

fn not_after_the_end(game: &Game, number: usize, text: &str) -> Result<(), String> {
    match game.verdict() {
        Some(verdict) => Err(format!("move {number} '{text}' comes after the end: {verdict}")),
        None => Ok(()),
    }
}

const fn name(ground: Ground) -> &'static str {
    match ground {
        Ground::Threefold => "threefold",
        Ground::FiftyMoves => "fifty moves",
        Ground::Any => "any",
    }
}

fn uci(mv: Move, game: &Game) -> String {
    to_uci(mv, game.position(), false)
}

fn in_words(game: &Game) -> String {
    if let Some(verdict) = game.verdict() {
        let article = verdict.article.map_or(String::new(), |article| format!(" ({article})"));
        return format!("{} {verdict}{article}", verdict.result);
    }
    let open = game.open_claims();
    let mut claims: Vec<String> = open.now.iter().map(|&ground| format!("{} now", name(ground))).collect();
    for ground in [Ground::Threefold, Ground::FiftyMoves] {
        let moves = moves_for(ground, &open, game);
        if !moves.is_empty() {
            claims.push(format!("{} with {}", name(ground), moves.join(" ")));
        }
    }
    if claims.is_empty() { "* claims: none".into() } else { format!("* claims: {}", claims.join("; ")) }
}

/// The moves with which a draw could be claimed that cannot be claimed without one.
fn moves_for(ground: Ground, open: &OpenClaims, game: &Game) -> Vec<String> {
    if open.now.contains(&ground) {
        return vec![];
    }
    open.with_move.iter().filter(|(_, other)| *other == ground).map(|&(mv, _)| uci(mv, game)).collect()
}

fn in_json(line: u64, game: &Game) -> Value {
    if let Some(verdict) = game.verdict() {
        return json!({
            "line": line,
            "result": verdict.result.to_string(),
            "reason": verdict.to_string(),
            "article": verdict.article.map(|article| article.to_string()),
            "claims": [],
        });
    }
    let open = game.open_claims();
    let now = open.now.iter().map(|&ground| json!({ "ground": name(ground), "move": null }));
    let with = [Ground::Threefold, Ground::FiftyMoves].into_iter().flat_map(|ground| {
        let moves = moves_for(ground, &open, game);
        moves.into_iter().map(move |mv| json!({ "ground": name(ground), "move": mv }))
    });
    let claims: Vec<Value> = now.chain(with).collect();
    json!({ "line": line, "result": "*", "reason": null, "article": null, "claims": claims })
}
