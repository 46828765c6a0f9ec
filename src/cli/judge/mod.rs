//! `adoube judge`: rulings on positions and games that others have played.

mod audit;
mod can_win;
mod lines;
mod thorough;

use super::Failure;
use crate::board::{Board, FenError, Position};
use crate::laws::Edition;
use crate::laws::dead::DEFAULT_NODES;
use crate::notation::epd::parse_epd;
use crate::sys::lines::read_line;
use clap::ValueEnum;
use std::io::{self, BufRead};
use std::path::PathBuf;

/// Rules on positions and games by the Laws of Chess.
///
/// With a file of games in PGN it tells what was played or scored against the Laws: illegal moves, results that the
/// position contradicts, draws that were passed over, claims that were open and not made. Without one it reads positions
/// from the standard input, a line each.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Games in PGN; '-' reads them from the standard input
    games: Option<PathBuf>,
    /// The Laws: fide-2005, fide-2014, fide-2018, fide-2023 or engine
    #[arg(long, value_name = "EDITION", value_parser = edition, default_value = "fide-2023")]
    laws: Edition,
    /// Tell of each position whether this side can give mate by any series of legal moves
    #[arg(long, value_name = "SIDE", conflicts_with_all = ["games", "laws"])]
    can_win: Option<Side>,
    /// Look at so many positions at most for each answer
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODES, requires = "can_win", conflicts_with = "games")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// The names of the sides.
#[derive(Clone, Copy, ValueEnum)]
enum Side {
    White,
    Black,
}

const AFTER_HELP: &str = "\
Positions are lines 'FEN [moves e2e4 e7e5 ...]' or 'startpos [moves ...]', with --can-win a FEN each, or EPD; empty lines and,
without --can-win, lines that begin with # are passed over. Each gives the result or '*', why, by which article, and what
the player on move could claim; with --can-win 'winnable' and the moves to mate, 'unwinnable' or 'undetermined'.
Exit status: 0 nothing found, 1 something found or a line that cannot be judged, 2 wrong usage.";

/// No position with the moves of a game needs a longer line, in bytes with its end.
const LONGEST_LINE: usize = 1 << 20;

/// Reads a line, and of one that is too long the beginning; `None` behind the last one, else what is wrong with its length.
fn read_position(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<Result<(), String>>> {
    Ok(match read_line(input, line, LONGEST_LINE)? {
        0 => None,
        length if length > LONGEST_LINE as u64 => {
            Some(Err(format!("the line has more than {LONGEST_LINE} bytes with its end")))
        }
        _ => Some(Ok(())),
    })
}

/// The position of a line that was read as a FEN, or else that of an EPD.
fn position_or_epd(fen: Result<Board, FenError>, line: &str) -> Result<Position, FenError> {
    fen.map(Position::from).or_else(|error| parse_epd(line).map(|epd| epd.position).map_err(|_| error))
}

fn edition(name: &str) -> Result<Edition, String> {
    Edition::parse(name).ok_or_else(|| {
        let names = Edition::ALL.map(Edition::name);
        format!("expected one of {}", names.join(", "))
    })
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(side) = arguments.can_win {
        let (input, mut out) = (io::stdin().lock(), io::stdout().lock());
        return can_win::run(side, arguments.nodes, arguments.json, input, &mut out);
    }
    match &arguments.games {
        Some(file) => audit::run(file, arguments.laws, arguments.json),
        None => lines::run(arguments.laws, arguments.json),
    }
}
