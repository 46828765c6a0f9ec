//! A game that was read, written again in another notation.

use super::comment::{DRAW_OFFER, Evaluation, MoveNote, hours, split_offer};
use super::pgn::{move_text, tag_pair, wrap};
use super::pgn_reader::{PgnGame, count_behind, number_behind};
use super::pgn_result::{unknown_tag, untold, written};
use super::spelling::Spelling;
use crate::types::{Color, Outcome};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The game with its tags, comments and glyphs in export format, the moves as `spelling` has them; announced moves stand
/// one in a line. Variations are not kept. A game without tags gets none but `FideResult`, for a result that cannot stand behind
/// moves; one in the tag `Result` that nobody knows stays there if no other is known.
pub fn rewrite(game: &PgnGame, spelling: Spelling) -> String {
    let game = &printable(game);
    let mut text = String::new();
    let result = written(game);
    // Of two that have one name the first counts, and other readers may take the last.
    let mut known = HashSet::new();
    let kept = unknown_tag(game).filter(|_| game.outcome == Outcome::Unfinished).unwrap_or(&result);
    for (name, value) in game.tags.iter().filter(|(name, _)| known.insert(name)) {
        text += &tag_pair(name, if name == "Result" { kept } else { value });
    }
    text.extend(untold(game).map(|result| tag_pair("FideResult", result)));
    if !text.is_empty() {
        text.push('\n');
    }
    if spelling == Spelling::Announced {
        text += &announcements(game);
    } else {
        text += &wrap(&words(game, spelling));
    }
    text + "\n"
}

/// The game as it may be written: PGN has no control characters in its texts (section 7), and terminals obey them. A blank stands
/// for each in comments and values of tags, but for line ends and tabs, and '_' in names of tags, which have no blanks.
pub(super) fn printable(game: &PgnGame) -> PgnGame {
    let is_obeyed = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    let print = |text: &mut String| *text = text.replace(is_obeyed, " ").trim().to_string();
    let mut game = game.clone();
    for (name, value) in &mut game.tags {
        *name = name.replace(char::is_control, "_");
        print(value);
    }
    print(&mut game.comment);
    game.moves.iter_mut().for_each(|played| print(&mut played.comment));
    game
}

/// True if a draw offer stands behind the move as the Laws want it; PGN has no place for it but a comment.
fn writes_offers(spelling: Spelling) -> bool {
    matches!(spelling, Spelling::Fide(_) | Spelling::Announced)
}

fn words(game: &PgnGame, spelling: Spelling) -> Vec<String> {
    let mut position = game.start;
    let moves = game.moves.iter().map(|played| {
        let mut text = vec![spelling.write(played.mv, &position)];
        text.extend(played.nags.iter().map(|number| format!("${number}")));
        let (comment, offered) = match writes_offers(spelling) {
            true => split_offer(&played.comment),
            false => (played.comment.clone(), false),
        };
        text.extend(offered.then(|| DRAW_OFFER.to_string()));
        position = position.after(played.mv);
        (text, comment)
    });
    move_text(&game.start, &game.comment, moves, written(game))
}

fn announcements(game: &PgnGame) -> String {
    let mut text = String::new();
    let mut position = game.start;
    for (ply, played) in game.moves.iter().enumerate() {
        let offer = if split_offer(&played.comment).1 { format!(" {DRAW_OFFER}") } else { String::new() };
        let announced = Spelling::Announced.write(played.mv, &position);
        text += &format!("{} {announced}{offer}\n", number_behind(&game.start, ply));
        position = position.after(played.mv);
    }
    text + &format!("{}\n", written(game))
}

/// The game as an object: `tags`, `start` and `end` as FEN, `result`, `comment` (what is said before the first move, if
/// anything is), and `moves` with number, colour, the move as `spelling` has it and in UCI notation, and what is known of
/// clock, time (seconds), evaluation (of the mover: `cp` or `mate`), depth, draw offer, glyphs and comment.
pub fn to_json(game: &PgnGame, spelling: Spelling) -> Value {
    use crate::board::FenStyle::XFen;
    let game = &printable(game);
    let mut position = game.start;
    let mut moves = vec![];
    for (ply, played) in game.moves.iter().enumerate() {
        let mover = position.side_to_move();
        let note = MoveNote::parse(&played.comment, mover);
        let mut entry = json!({
            "number": count_behind(&game.start, ply),
            "color": if mover == Color::White { "white" } else { "black" },
            "move": spelling.write(played.mv, &position),
            "uci": Spelling::Uci { chess960: game.chess960 }.write(played.mv, &position),
        });
        let mut add = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                entry[name] = value;
            }
        };
        add("clock", note.clock.map(|time| hours(time).into()));
        add("time", note.elapsed.map(|time| time.as_secs_f64().into()));
        add("eval", note.eval.map(Evaluation::to_json));
        add("depth", note.depth.map(Value::from));
        add("draw_offer", note.draw_offer.then_some(Value::Bool(true)));
        add("nags", (!played.nags.is_empty()).then(|| played.nags.clone().into()));
        add("comment", (!note.text.is_empty()).then(|| note.text.clone().into()));
        moves.push(entry);
        position = position.after(played.mv);
    }
    // In turn from behind, for of two that have one name the first counts.
    let tags = game.tags.iter().rev();
    let tags = tags.map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
    let mut object = json!({
        "tags": Value::Object(tags),
        "start": game.start.to_fen(XFen),
        "moves": moves,
        "result": untold(game).map_or_else(|| written(game), str::to_string),
        "end": position.to_fen(XFen),
    });
    if !game.comment.is_empty() {
        object["comment"] = game.comment.clone().into();
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fide::FideStyle;
    use crate::notation::letters::{FIGURINE, Letters};
    use crate::notation::pgn_reader::PgnReader;

    fn game_of(text: &str) -> PgnGame {
        PgnReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    #[test]
    fn an_offer_goes_with_its_comma() {
        let text = "1. e4 e5 {-0.00/5 0.100s (=), White accepts, Draw by agreement} 1/2-1/2";
        let text = rewrite(&game_of(text), Spelling::Fide(FideStyle::new(FIGURINE)));
        assert!(text.contains("e5 (=) {-0.00/5 0.100s White accepts, Draw by agreement}"), "{text}");
    }

    const PGN: &str = "[Event \"a \\\"b\\\"\"]\n[White \"Müller\"]\n[Result \"*\"]\n\n{before} 1. e4! {[%clk 0:59:58] fine (=)} \
        1... e5 (1... c5) 2. Nf3 {(=)} Nc6 1/2-1/2\n";

    #[test]
    fn a_game_is_written_in_any_notation() {
        let game = game_of(PGN);
        let moves = |spelling: Spelling| {
            let text = rewrite(&game, spelling);
            let (tags, moves) = text.split_once("\n\n").unwrap();
            assert_eq!(tags, "[Event \"a \\\"b\\\"\"]\n[White \"Müller\"]\n[Result \"1/2-1/2\"]");
            moves.to_string()
        };
        let spanish = FideStyle::new(Letters::find("es").unwrap());
        assert_eq!(
            moves(Spelling::San),
            "{before} 1. e4 $1 {[%clk 0:59:58] fine (=)} 1... e5 2. Nf3 {(=)} 2... Nc6\n1/2-1/2\n\n"
        );
        assert_eq!(
            moves(Spelling::Fide(spanish)),
            "{before} 1. e4 $1 (=) {[%clk 0:59:58] fine} 1... e5 2. Cf3 (=) Cc6 1/2-1/2\n\n"
        );
        assert!(moves(Spelling::Uci { chess960: false }).contains("1... e7e5 2. g1f3"));
        assert!(moves(Spelling::Lan).contains("2. Ng1-f3"));
        assert!(moves(Spelling::Fide(FideStyle::new(FIGURINE))).contains("♘f3 (=) ♘c6"));
        assert_eq!(
            moves(Spelling::Announced),
            "1. Bauer Eva zwei Eva vier (=)\n1... Bauer Eva sieben Eva fuenf\n\
             2. Springer Gustav eins Felix drei (=)\n2... Springer Bella acht Cesar sechs\n1/2-1/2\n\n"
        );
        assert!(rewrite(&game_of("1. e4 *"), Spelling::San).starts_with("1. e4 *"));
        let twice = rewrite(&game_of("[Event \"a\"]\n[Site \"b\"]\n[Site \"c\"]\n\n1. e4 *"), Spelling::San);
        assert!(twice.starts_with("[Event \"a\"]\n[Site \"b\"]\n\n"), "{twice}");
    }

    #[test]
    fn a_tag_that_names_no_result_is_kept_where_no_other_is_known() {
        let written = |tag: &str, end: &str| {
            let text = rewrite(&game_of(&format!("[Result \"{tag}\"]\n\n1. e4 {end}")), Spelling::San);
            let (head, moves) = text.trim_end().split_once("\n\n1. e4 ").unwrap();
            format!("{} {moves}", head.split('"').nth(1).unwrap())
        };
        for (tag, end, expected) in [
            ("1 - 0", "", "1-0 1-0"),
            ("½ : ½", "*", "1/2-1/2 1/2-1/2"),
            ("½ \u{2013} ½", "", "1/2-1/2 1/2-1/2"),
            ("0,5-0,5", "", "1/2-1/2 1/2-1/2"),
            ("0.5 - 0.5", "", "1/2-1/2 1/2-1/2"),
            ("+:-", "", "+:- +:-"),
            ("- : -", "*", "-:- -:-"),
            ("Remis", "", "Remis *"),
            ("1-0 ff", "*", "1-0 ff *"),
            ("Remis", "1/2-1/2", "1/2-1/2 1/2-1/2"),
            ("?", "", "* *"),
            ("", "", "* *"),
        ] {
            assert_eq!(written(tag, end), expected, "{tag} {end}");
        }
    }

    #[test]
    fn json_has_what_is_known() {
        let value = to_json(&game_of(PGN), Spelling::Fide(FideStyle::new(Letters::find("de").unwrap())));
        assert_eq!(value["tags"]["White"], "Müller");
        let first = json!({
            "number": 1, "color": "white", "move": "e4", "uci": "e2e4", "clock": "0:59:58", "draw_offer": true,
            "nags": [1], "comment": "fine",
        });
        assert_eq!(value["moves"][0], first);
        assert_eq!(value["moves"][2]["move"], "Sf3");
        assert_eq!(value["result"], "1/2-1/2");
        assert_eq!(value["end"], "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    }
}
