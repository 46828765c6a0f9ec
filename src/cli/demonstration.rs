//! `adoube match` without further words: the engine plays a short game against itself.

use super::Failure;
use crate::arbiter::game::{Game, Reason};
use crate::board::Position;
use crate::engine::uci_client::UciClient;
use crate::notation::diagram;
use crate::notation::pgn::{GameRecord, Outcome};
use crate::notation::san::to_san;
use crate::sys::signals;
use crate::types::Color;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Two processes of this program play one game, which is shown as it goes and added to a PGN file.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The file that the game is added to
    #[arg(long, default_value = "adoube-match.pgn")]
    pgn: PathBuf,
    /// Each side's time in seconds
    #[arg(long, default_value = "3", value_parser = seconds)]
    time: Duration,
    /// Seconds added with each move
    #[arg(long, default_value = "0.1", value_parser = seconds)]
    increment: Duration,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    if !(0.0..=86_400.0).contains(&number) {
        return Err("expected 0 to 86400 seconds".to_string());
    }
    Ok(Duration::from_secs_f64(number))
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let interrupts = signals::interrupts();
    // Before the game: what cannot be kept need not be played.
    let unwritable = |error| format!("the game cannot be written to {}: {error}", arguments.pgn.display());
    let mut file = OpenOptions::new().create(true).append(true).open(&arguments.pgn).map_err(unwritable)?;
    let program = std::env::current_exe()?;
    let mut engines = [UciClient::start(program.clone(), &[])?, UciClient::start(program, &[])?];
    for engine in &mut engines {
        engine.new_game()?;
    }
    let name = engines[0].name().to_string();
    let control = format!("{}+{}", arguments.time.as_secs_f64(), arguments.increment.as_secs_f64());
    writeln!(out, "{name} against itself, {control} seconds")?;

    let start = Position::default();
    let mut game = Game::new(start, arguments.time, arguments.increment);
    let mut end = None;
    while end.is_none() {
        if interrupts.try_recv().is_ok() {
            break;
        }
        let before = *game.position();
        let mover = before.side_to_move();
        let over = game.play_move(&mut engines[mover.index()]);
        if let Some(played) = game.moves().last().filter(|_| game.position() != &before) {
            let dots = if mover == Color::White { "." } else { "..." };
            let number = format!("{}{dots}", before.fullmove_number());
            let san = to_san(played.mv, &before);
            writeln!(out, "\n{number} {san}   {{{}}}", played.comment())?;
            writeln!(out, "{}", draw(&game))?;
        }
        end = over;
    }
    let (outcome, reason, termination) = match &end {
        Some((outcome, reason)) => (*outcome, describe(*outcome, reason), termination(reason)),
        None => (Outcome::Unfinished, "interrupted".to_string(), "unterminated"),
    };
    writeln!(out, "\nResult: {outcome} ({reason})")?;
    let tags = [
        ("Event", "Demonstration"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "1"),
        ("White", &name),
        ("Black", &name),
    ];
    let mut tags: Vec<(String, String)> =
        tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    tags.push(("TimeControl".into(), control));
    tags.push(("Termination".into(), termination.into()));
    let mut moves: Vec<_> = game.moves().iter().map(|played| (played.mv, played.comment())).collect();
    if let Some((_, comment)) = moves.last_mut() {
        *comment += &format!(", {reason}");
    }
    let text = GameRecord { tags, start, moves, outcome }.to_string();
    file.write_all(text.as_bytes()).map_err(unwritable)?;
    writeln!(out, "The game is in {}", arguments.pgn.display())?;
    match termination {
        "normal" | "unterminated" => Ok(()),
        _ => Err(format!("the game did not end on the board: {reason}").into()),
    }
}

/// The value of the PGN tag `Termination`.
fn termination(reason: &Reason) -> &'static str {
    match reason {
        Reason::TimeForfeit => "time forfeit",
        Reason::IllegalMove(_) => "illegal move",
        Reason::EngineFailure(_) => "abandoned",
        _ => "normal",
    }
}

/// The end of the game in words: who did what.
fn describe(outcome: Outcome, reason: &Reason) -> String {
    match (outcome, reason) {
        (Outcome::Win(winner), Reason::Checkmate) => format!("{winner} mates"),
        (Outcome::Win(winner), Reason::TimeForfeit) => format!("{} loses on time", !winner),
        (Outcome::Win(winner), other) => format!("{}: {other}", !winner),
        (_, other) => format!("draw by {other}"),
    }
}

/// The board with the clocks beside it.
fn draw(game: &Game) -> String {
    let mut lines = diagram::ranks(game.position());
    for (line, color) in [(0, Color::Black), (7, Color::White)] {
        lines[line] += &format!("   {color} {:.1} s", game.left(color).as_secs_f64());
    }
    format!("{}\n{}", lines.join("\n"), diagram::FILES)
}
