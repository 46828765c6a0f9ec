//! `adoube selfplay`

use super::progress::Display;
use super::searching::{MOST_THREADS, SearchArguments, Searching};
use super::values::{OpeningsFile, open_book, share};
use super::{Failure, PROGRAM};
use crate::sys::files::must_be_ordinary;
use crate::sys::signals;
use crate::training::data::{DataReader, DataWriter, Origin, Resumed};
use crate::training::selfplay::{
    self, Adjudication, Goal, OpeningOptions, Openings, Progress, SelfplayOptions,
};
use clap::builder::{PathBufValueParser, TypedValueParser};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Plays games of the engine against itself and keeps them for training.
///
/// The same command goes on with a file that is there already, whatever stopped it. All numbers of pawns are hundredths,
/// of which 100 win half of the games.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("end").required(true).args(["games", "positions"])))]
pub(super) struct Arguments {
    /// The file of games; continued if it is there and was made with the same options
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// Play so many games in all
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Play until the file has so many quiet positions
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    #[command(flatten)]
    search: SearchArguments,
    /// Games at once; the file is the same whatever their number
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: u32,
    /// Sets chance: the same seed makes the same file
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begin with so many random moves, or one more
    #[arg(long, value_name = "N", default_value_t = OpeningOptions::default().random_plies as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    random_plies: u32,
    /// The share of games that begin in double Chess960
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = share, conflicts_with = "openings")]
    chess960: u64,
    /// Begin with openings drawn from a file (EPD, PGN, Polyglot), before the random moves
    #[arg(long, value_name = "FILE")]
    #[arg(value_parser = PathBufValueParser::new().try_map(OpeningsFile::of))]
    openings: Option<OpeningsFile>,
    /// Throw away openings in which a side is further ahead
    #[arg(long, value_name = "CP", default_value_t = OpeningOptions::default().limit)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..))]
    opening_limit: i32,
    /// Nodes of the search that says so
    #[arg(long, value_name = "N", default_value_t = OpeningOptions::default().nodes)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    opening_nodes: u64,
    /// A side has won that is so far ahead ...
    #[arg(long, value_name = "CP", default_value_t = Adjudication::default().win_score)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..))]
    win_score: i32,
    /// ... for so many plies on end
    #[arg(long, value_name = "N", default_value_t = Adjudication::default().win_plies as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    win_plies: u32,
    /// A game is drawn in which nobody is further ahead ...
    #[arg(long, value_name = "CP", default_value_t = Adjudication::default().draw_score)]
    #[arg(value_parser = clap::value_parser!(i32).range(0..))]
    draw_score: i32,
    /// ... for so many plies on end without a capture or a pawn's move ...
    #[arg(long, value_name = "N", default_value_t = Adjudication::default().draw_plies as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    draw_plies: u32,
    /// ... after so many plies
    #[arg(long, value_name = "N", default_value_t = Adjudication::default().draw_after as u32)]
    draw_after: u32,
    /// The share of games that are played to their end
    #[arg(long, value_name = "SHARE", default_value = "0.15", value_parser = share)]
    unadjudicated: u64,
    /// A game of so many plies is a draw
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    longest: u32,
}

impl Arguments {
    fn options(&self, search: &Searching) -> SelfplayOptions {
        SelfplayOptions {
            seed: self.seed,
            nodes: search.nodes,
            hard_nodes: search.hard_nodes,
            hash: search.hash,
            openings: OpeningOptions {
                random_plies: self.random_plies as usize,
                chess960: if self.openings.is_some() { 0 } else { self.chess960 },
                limit: self.opening_limit,
                nodes: self.opening_nodes,
            },
            adjudication: Adjudication {
                win_score: self.win_score,
                win_plies: self.win_plies as usize,
                draw_score: self.draw_score,
                draw_plies: self.draw_plies as usize,
                draw_after: self.draw_after as usize,
                unadjudicated: self.unadjudicated,
            },
            longest: self.longest as usize,
        }
    }

    fn goal(&self) -> Goal {
        match (self.games, self.positions) {
            (_, Some(positions)) => Goal::Positions(positions),
            (games, None) => Goal::Games(games.unwrap_or(0)),
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let search = arguments.search.read("selfplay")?;
    if arguments.longest <= arguments.random_plies + 1 {
        let (longest, random) = (arguments.longest, arguments.random_plies);
        let message =
            format!("--longest {longest} leaves no move behind --random-plies {random} or one more");
        return Err(super::wrong_usage("selfplay", message));
    }
    let options = arguments.options(&search);
    let book = arguments.openings.as_ref().map(open_book).transpose()?;
    let stop = signals::interrupt_flag();
    let origin = Origin(json!({
        "kind": "selfplay",
        "program": PROGRAM,
        "search": search.signature()?,
        "options": options,
        "book": arguments.openings.as_ref().map(|file| fingerprint(&file.path)).transpose()?,
    }));
    let solos = search.solos(arguments.threads as usize)?;
    let openings = Openings::new(options.openings.clone(), book, options.longest);
    let output = open(&arguments.out, &origin)?;
    let mut display = Display::new();
    let done = selfplay::run(&options, &openings, solos, output, arguments.goal(), &stop, &mut |progress| {
        display.show(progress.share(), &speed(progress), progress.left());
    });
    drop(display);
    let done = done?;
    let (games, quiet) = (done.before.games + done.games, done.before.quiet + done.quiet);
    let mut out = std::io::stdout();
    writeln!(out, "{games} games with {quiet} quiet positions are in {}", arguments.out.display())?;
    if done.games > 0 {
        writeln!(
            out,
            "played now: {} games, {:.1} plies a game, {:.1} % drawn, {:.0} nodes a move, {:.1} % of the plies quiet",
            done.games,
            done.plies as f64 / done.games as f64,
            100.0 * done.draws as f64 / done.games as f64,
            done.nodes as f64 / done.searched.max(1) as f64,
            100.0 * done.quiet as f64 / done.plies.max(1) as f64,
        )?;
        writeln!(out, "{}", speed(&done))?;
    }
    if done.share() < 1.0 {
        return Err("stopped; the same command goes on".into());
    }
    Ok(())
}

/// The file to write, new or behind what is there.
pub(super) fn open(path: &Path, origin: &Origin) -> Result<(DataWriter, Resumed), Failure> {
    must_be_ordinary(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let is_new = match std::fs::metadata(path) {
        Ok(about) => has_no_game(path, about.len(), origin)?,
        // If it is not for want of a file, making one tells why.
        Err(_) => true,
    };
    if is_new {
        return Ok((DataWriter::create(path, origin)?, Resumed::default()));
    }
    let (writer, resumed) = DataWriter::resume(path, origin)?;
    let cut = match resumed.cut {
        0 => String::new(),
        bytes => format!(", {bytes} bytes of a game block that was not finished are cut off"),
    };
    super::tell(format!("{} has {} games already and is gone on with{cut}", path.display(), resumed.games));
    Ok((writer, resumed))
}

/// True if a file of this size has nothing to lose: it was cut off within this header, or has nothing behind its own, as
/// after an attempt for which no opening was found.
fn has_no_game(path: &Path, size: u64, origin: &Origin) -> Result<bool, Failure> {
    let header = origin.to_bytes();
    if size < header.len() as u64 {
        let begun = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        if header.starts_with(&begun) {
            return Ok(true);
        }
    }
    let is_attempt =
        |begun: &Origin| begun.0["kind"] == origin.0["kind"] && begun.to_bytes().len() as u64 == size;
    Ok(DataReader::open(path).is_ok_and(|reader| is_attempt(reader.origin())))
}

/// By what a book is known again, whatever its name.
fn fingerprint(path: &Path) -> Result<serde_json::Value, Failure> {
    let print = crate::tournament::fingerprint::Fingerprint::of_file(path)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_json::to_value(print)?)
}

/// Games and quiet positions a second, and how much of what is played is quiet.
fn speed(progress: &Progress) -> String {
    let seconds = progress.elapsed.as_secs_f64().max(1e-9);
    format!(
        "{} games, {:.1} games/s, {:.0} positions/s, {:.0} % usable",
        progress.before.games + progress.games,
        progress.games as f64 / seconds,
        progress.quiet as f64 / seconds,
        100.0 * progress.quiet as f64 / progress.plies.max(1) as f64,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::parsed;

    fn arguments(words: &str) -> Arguments {
        parsed(&format!("games {words}"))
    }

    fn options(words: &str) -> SelfplayOptions {
        let arguments = arguments(&format!("--games 5 --eval-file classic {words}"));
        arguments.options(&arguments.search.read("selfplay").unwrap())
    }

    #[test]
    fn each_option_is_the_one_of_its_name() {
        let usual = options("");
        assert_eq!(
            (&usual.openings, usual.adjudication),
            (&OpeningOptions::default(), Adjudication::default())
        );
        assert_eq!(
            (usual.seed, usual.nodes, usual.hard_nodes, usual.hash, usual.longest),
            (1, 1_000, 8_000, 4, 400)
        );
        let words = "--nodes 21 --hard-nodes 22 --hash 3 --seed 4 --random-plies 5 --chess960 0.006 --opening-limit 7 \
                     --opening-nodes 8 --win-score 9 --win-plies 10 --draw-score 11 --draw-plies 12 --draw-after 13 \
                     --unadjudicated 0.014 --longest 15";
        let expected = SelfplayOptions {
            seed: 4,
            nodes: 21,
            hard_nodes: 22,
            hash: 3,
            openings: OpeningOptions { random_plies: 5, chess960: 6, limit: 7, nodes: 8 },
            adjudication: Adjudication {
                win_score: 9,
                win_plies: 10,
                draw_score: 11,
                draw_plies: 12,
                draw_after: 13,
                unadjudicated: 14,
            },
            longest: 15,
        };
        assert_eq!(options(words), expected);
        // Of a book's openings none is one of Chess960's.
        assert_eq!(options("--openings book.epd").openings.chess960, 0);
        let goals = ["--games 5", "--positions 6"].map(|words| arguments(words).goal());
        assert_eq!(goals, [Goal::Games(5), Goal::Positions(6)]);
    }
}
