//! `adoube match` without further words: the engine plays a short game against itself.

use super::Failure;
use crate::arbiter::clock::Limits;
use crate::arbiter::judge::Officials;
use crate::arbiter::play::{Seat, Setting, play};
use crate::arbiter::proxy::{Claims, Proxy};
use crate::arbiter::record::PlayedMove;
use crate::board::Position;
use crate::engine::cecp::Level;
use crate::engine::client::{Client, NewGame};
use crate::engine::config::EngineConfig;
use crate::engine::connection::{Speaker, Surroundings};
use crate::laws::dead::Solver;
use crate::laws::{Regulations, TimeControl};
use crate::notation::diagram;
use crate::notation::pgn_reader::number_of_next;
use crate::notation::san::to_san;
use crate::sys::{children, signals};
use crate::tournament::config::{MatchConfig, PgnConfig, Player};
use crate::tournament::entry::Entry;
use crate::tournament::outputs::{Output, Records};
use crate::tournament::pgn::{comment, to_pgn};
use crate::tournament::schedule::Schedule;
use crate::tournament::stop::Stop;
use crate::types::Color;
use jiff::Timestamp;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Two processes of this program play one game, which is shown as it goes and added to a PGN file.
#[derive(clap::Args)]
#[command(after_help = "adoube match -help lists the words of matches between engines.")]
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
    if arguments.time.is_zero() {
        return Err(super::wrong_usage("match", "--time 0: expected more than 0 seconds"));
    }
    let mut out = std::io::stdout();
    // Before the game: what cannot be kept need not be played.
    let mut file = Output::open(&arguments.pgn)?;
    children::start_guard()?;
    children::stand_still_at_ctrl_z();
    let stop = Arc::new(Stop::new()?);
    let asked = stop.clone();
    signals::at_first_interrupt(move || {
        asked.ring();
    });
    let surroundings = Surroundings { bell: Some(stop.bell().clone()), ..Surroundings::default() };
    let engine = EngineConfig { cmd: std::env::current_exe()?, ..EngineConfig::default() };
    let mut white = Client::start(&engine, &surroundings)?;
    let mut black = Client::start(&engine, &surroundings)?;
    let name = white.name().to_string();
    let start = Position::default();
    let game = NewGame {
        start: &start,
        moves: &[],
        chess960: false,
        level: Level::default(),
        ponder: false,
        opponent: &name,
    };
    white.new_game(&game)?;
    black.new_game(&game)?;
    let clock = TimeControl::fischer(arguments.time, arguments.increment);
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    writeln!(out, "{name} against itself, {limits} seconds")?;

    let (began, start) = (Timestamp::now().as_millisecond(), Instant::now());
    let setting = Setting {
        regulations: Regulations::default(),
        start: Position::default(),
        book: &[],
        chess960: false,
        adjudication: Default::default(),
        keep_lines: false,
        check_mates: false,
        keep_handovers: false,
        bell: Some(stop.bell()),
        adjourns: None,
        resumed: None,
    };
    let plain = PgnConfig::default();
    let mut failure = None;
    let proxy = Proxy { claims: Claims::Auto, ..Proxy::default() };
    let seat = |client| Seat { client, limits: &limits, ponder: false, proxy };
    let seats = [seat(&mut white), seat(&mut black)];
    let mut prover = Solver::new();
    let officials = Officials { prover: &mut prover, tables: None, judge: None };
    let report = play(seats, &setting, officials, &mut |before, played, clocks| {
        let text = show(before, played, clocks, &plain);
        if let Err(error) = out.write_all(text.as_bytes()) {
            failure.get_or_insert(error);
            stop.ring();
        }
    });
    let engine = EngineConfig { name, ..engine };
    let player = Player { engine, limits: limits.clone(), ..Player::default() };
    let config = MatchConfig {
        players: vec![player.clone(), player],
        rounds: 1,
        games: 1,
        event: Some("Demonstration".into()),
        ..MatchConfig::default()
    };
    let fixture = Schedule::new(&config).fixture(0);
    let entry = Entry::new(fixture, None, report, began, start.elapsed());
    let text = to_pgn(&entry, &config, &plain);
    file.end_last(Records::Pgn)?;
    file.add(&text)?;
    if let Some(error) = failure {
        return Err(error.into());
    }
    writeln!(out, "\nResult: {} ({})", entry.result, entry.reason)?;
    writeln!(out, "The game is in {}", arguments.pgn.display())?;
    white.quit();
    black.quit();
    match entry.termination.as_str() {
        "normal" => Ok(()),
        "unterminated" => Err("the game was broken off".into()),
        _ => Err(format!("the game did not end on the board: {}", why(entry.reason, &entry.remarks)).into()),
    }
}

/// A reason with what is remarked on the game, if anything is.
fn why(reason: String, remarks: &[String]) -> String {
    std::iter::once(reason).chain(remarks.iter().cloned()).collect::<Vec<_>>().join("; ")
}

/// A move, and the board after it with the clocks beside it.
fn show(before: &Position, played: &PlayedMove, clocks: [Option<Duration>; 2], plain: &PgnConfig) -> String {
    let number = number_of_next(before);
    let san = to_san(played.mv, before);
    let mut lines = diagram::ranks(&before.after(played.mv));
    for (line, color) in [(0, Color::Black), (7, Color::White)] {
        let left = clocks[color.index()].unwrap_or_default();
        lines[line] += &format!("   {color} {:.1} s", left.as_secs_f64());
    }
    format!(
        "\n{number} {san}   {{{}}}\n{}\n{}\n",
        comment(played, before.side_to_move(), plain),
        lines.join("\n"),
        diagram::FILES
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_and_remarks_are_told_apart() {
        let told = |remarks: &[&str]| {
            let remarks: Vec<String> = remarks.iter().map(|&remark| remark.into()).collect();
            why("White loses on time".into(), &remarks)
        };
        assert_eq!(told(&[]), "White loses on time");
        assert_eq!(told(&["late", "by 3 ms"]), "White loses on time; late; by 3 ms");
    }
}
