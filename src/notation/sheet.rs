//! Score sheets: the moves of both players in two columns, with the times of their clocks and draw offers (FIDE Laws of
//! Chess 2023, articles 8.1 and C.12), in plain text of fixed width.

use super::comment::{MoveNote, hours, pattern};
use super::pgn_reader::{PgnGame, count_behind};
use super::pgn_result::exceptional;
use super::rewrite::printable;
use super::spelling::Spelling;
use crate::board::{Board, FenStyle};
use crate::types::{Color, Outcome};
use once_cell::sync::Lazy;
use regex_lite::Regex;

/// The tags at the head of a sheet, which are called there as they are in PGN.
const HEAD: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// What a match runner tells of the engine's search before it says how the game ended: `n=167, pv="f3d4", `.
static FIELDS: Lazy<Regex> = Lazy::new(|| pattern(r#"^(?:[a-z]+=(?:"[^"]*"|[^\s,"]+)(?:,\s*|$))+"#));

/// What one move is on a sheet.
#[derive(Clone, Default)]
struct Cell {
    mv: String,
    time: String,
}

/// A score sheet of the game, which ends with the result and what is said behind the last move. With `signatures` there
/// is room for those of article 8.7.
pub fn score_sheet(game: &PgnGame, spelling: Spelling, signatures: bool) -> String {
    let game = &printable(game);
    let (rows, last) = rows(game, spelling);
    let columns: Vec<usize> = (0..4)
        .map(|column| {
            let title = if column % 2 == 0 { TITLES[column / 2].len() } else { 0 };
            let widths = rows.iter().map(|(_, cells)| text_of(cells, column).chars().count());
            widths.chain([title]).max().unwrap_or(0)
        })
        .collect();
    let mut lines = head(game);
    let time = if has_clocks(game) { "clock" } else { "time" };
    let titles = [0, 1].map(|side| {
        let time = if columns[2 * side + 1] > 0 { time } else { "" };
        Cell { mv: TITLES[side].into(), time: time.into() }
    });
    let line = |number: &str, cells: &[Cell; 2]| {
        let mut line = format!("{number:>5}");
        for (column, &width) in columns.iter().enumerate() {
            let text = text_of(cells, column);
            let blanks = " ".repeat(width - text.chars().count().min(width));
            match column % 2 {
                0 => line += &format!("  {text}{blanks}"),
                // Times stand under each other by their ends.
                _ if width > 0 => line += &format!("  {blanks}{text}"),
                _ => {}
            }
        }
        line.trim_end().to_string()
    };
    lines.push(line("No.", &titles));
    let rule = lines.last().map_or(0, |titles| titles.chars().count());
    let widest = rows.iter().map(|(number, cells)| line(number, cells).chars().count()).max();
    lines.push("-".repeat(rule.max(widest.unwrap_or(0))));
    lines.extend(rows.iter().map(|(number, cells)| line(number, cells)));
    lines.push(String::new());
    lines.push(format!("Result: {}", result(game)));
    let last = FIELDS.replace(&last, "");
    lines.extend((!last.is_empty()).then(|| last.into_owned()));
    if signatures {
        let room = "_".repeat(20);
        lines.push(format!("\nWhite {room}  Black {room}"));
    }
    lines.join("\n") + "\n"
}

const TITLES: [&str; 2] = ["White", "Black"];

/// True if the comments tell what the clocks showed; else the sheet has the time that each move took.
fn has_clocks(game: &PgnGame) -> bool {
    // Whose move it was matters to scores alone.
    game.moves.iter().any(|played| MoveNote::parse(&played.comment, Color::White).clock.is_some())
}

fn text_of(cells: &[Cell; 2], column: usize) -> &str {
    let cell = &cells[column / 2];
    if column.is_multiple_of(2) { &cell.mv } else { &cell.time }
}

fn head(game: &PgnGame) -> Vec<String> {
    let known = |name: &str| game.tag(name).filter(|value| !matches!(*value, "" | "?" | "????.??.??"));
    let mut lines = vec![];
    let mut add = |title: &str, value: &str| lines.push(format!("{:14}{value}", format!("{title}:")));
    for tag in HEAD {
        if let Some(value) = known(tag) {
            let rating = known(&format!("{tag}Elo")).map_or(String::new(), |elo| format!(" ({elo})"));
            add(tag, &format!("{value}{rating}"));
        }
    }
    for (tag, title) in [
        ("TimeControl", "Time control"),
        ("WhiteTimeControl", "White's time"),
        ("BlackTimeControl", "Black's time"),
        ("MoveLimit", "Each move"),
        ("WhiteMoveLimit", "White's move"),
        ("BlackMoveLimit", "Black's move"),
        ("Variant", "Variant"),
    ] {
        if let Some(value) = known(tag) {
            add(title, value);
        }
    }
    let start = game.start.to_fen(FenStyle::XFen);
    if start != Board::START_FEN {
        add("Start", &start);
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// A line for each move number, and what is said behind the last move.
fn rows(game: &PgnGame, spelling: Spelling) -> (Vec<(String, [Cell; 2])>, String) {
    let mut rows: Vec<(String, [Cell; 2])> = vec![];
    let clocks = has_clocks(game);
    let mut last = String::new();
    let mut position = game.start;
    for (ply, played) in game.moves.iter().enumerate() {
        let mover = position.side_to_move();
        let note = MoveNote::parse(&played.comment, mover);
        if mover == Color::White || rows.is_empty() {
            rows.push((count_behind(&game.start, ply).to_string(), [Cell::default(), Cell::default()]));
        }
        let offer = if note.draw_offer { " (=)" } else { "" };
        let time = if clocks { note.clock } else { note.elapsed };
        let time = time.map_or(String::new(), hours);
        let cell = Cell { mv: spelling.write(played.mv, &position) + offer, time };
        if let Some((_, cells)) = rows.last_mut() {
            if mover == Color::Black && cells[0].mv.is_empty() {
                cells[0].mv = "...".into();
            }
            cells[mover.index()] = cell;
        }
        last = note.text;
        position = position.after(played.mv);
    }
    (rows, last)
}

fn result(game: &PgnGame) -> String {
    if let Some(exceptional) = exceptional(game, &["FideResult", "Result"]) {
        return exceptional.into();
    }
    match game.outcome {
        Outcome::Unfinished => "*".into(),
        Outcome::Draw => "½-½".into(),
        won => won.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fide::FideStyle;
    use crate::notation::letters::Letters;
    use crate::notation::pgn_reader::PgnReader;

    fn sheet(text: &str, signatures: bool) -> String {
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        score_sheet(&game, Spelling::Fide(FideStyle::new(Letters::find("es").unwrap())), signatures)
    }

    #[test]
    fn a_sheet_has_names_moves_clocks_offers_and_the_result() {
        let pgn = "[Event \"Club\"]\n[Site \"?\"]\n[Date \"2024.05.01\"]\n[White \"Ana\"]\n[WhiteElo \"2100\"]\n\
            [Black \"Bo\"]\n[TimeControl \"5400+30\"]\n[Result \"1/2-1/2\"]\n\n1. e4 {[%clk 1:29:58]} e5 {[%clk 1:30:00]} \
            2. Nf3 {[%clk 1:29:30.5] (=)} Nc6 {[%clk 1:29:59], draw by agreement, 9.1} 1/2-1/2";
        let expected = "\
Event:        Club
Date:         2024.05.01
White:        Ana (2100)
Black:        Bo
Time control: 5400+30

  No.  White        clock  Black    clock
-----------------------------------------
    1  e4         1:29:58  e5     1:30:00
    2  Cf3 (=)  1:29:30.5  Cc6    1:29:59

Result: ½-½
draw by agreement, 9.1
";
        assert_eq!(sheet(pgn, false), expected);
    }

    #[test]
    fn what_the_engine_told_of_its_search_is_no_part_of_the_end() {
        for (said, end) in [
            (
                "latency=0.002s, n=167, sd=5, nps=83500, hashfull=0, tbhits=0, pv=\"f3d4, e5\", White mates",
                "White mates\n",
            ),
            (
                "line=\"info string 'n=1'\", White gets 60 s more (B.3, A.3), Black loses on time",
                "White gets 60 s more (B.3, A.3), Black loses on time\n",
            ),
            ("n=167, pv=\"f3d4\"", ""),
            ("White wins, n=167, as ever", "White wins, n=167, as ever\n"),
            ("x = 5, drawn", "x = 5, drawn\n"),
        ] {
            let sheet = sheet(&format!("1. e4 {{+0.31/5 0.100s, tl=5.000s, {said}}} 1-0"), false);
            assert!(sheet.ends_with(&format!("\nResult: 1-0\n{end}")), "{sheet}");
        }
    }

    #[test]
    fn what_is_not_known_is_left_out_and_black_may_begin() {
        let pgn = "[FEN \"4k3/8/8/8/8/4p3/8/R3K2R b KQ - 0 7\"]\n\n Kd8 {0.5s} O-O-O+ Kc8 0-1";
        let expected = "\
Start:        4k3/8/8/8/8/4p3/8/R3K2R b KQ - 0 7

  No.  White   Black       time
-------------------------------
    7  ...     Rd8    0:00:00.5
    8  0-0-0+  Rc8

Result: 0-1

White ____________________  Black ____________________
";
        assert_eq!(sheet(pgn, true), expected);
    }
}
