//! `adoube data`

mod lines;
mod rescore;
mod taught;

use super::searching::{MOST_THREADS, SearchArguments};
use super::unfinished::{self, Unfinished};
use super::values::share;
use super::{Failure, PROGRAM};
use crate::eval::Evaluation;
use crate::notation::characters::visible;
use crate::sys::files::is_one_file;
use crate::sys::usage;
use crate::training::data::{DataError, DataReader, DataWriter, Ending, Origin, SelfplayGame};
use crate::training::work::{Choice, Column, Filter, Keep, Mix, Stats, check_file};
use crate::types::{Color, Outcome};
use clap::{Subcommand, ValueEnum};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use taught::Saying;

/// Count, check, divide, mix, filter and rescore files of self-play games, and write them as text.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say what is in files
    Stats {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        damage: Damage,
    },
    /// Check that files are whole, their moves legal and their games ended as they say
    Verify {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Divide a file by lot, for example into games to train from and games to test with
    Split {
        /// The file to divide
        file: PathBuf,
        /// The file that most games go to
        most: PathBuf,
        /// The file that the share goes to
        part: PathBuf,
        /// The share of games in the second file
        #[arg(long, value_parser = share, default_value = "0.02")]
        share: u64,
        /// Sets chance
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Put the games of several files into one, spread evenly
    Mix {
        /// The file to make
        out: PathBuf,
        /// The files to take games from
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Which share of each file to take, as in '1,0.5'; all of each if not given
        #[arg(long, value_delimiter = ',', value_parser = share, value_name = "SHARES")]
        shares: Vec<u64>,
        /// Sets chance
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Keep some games
    Filter {
        /// The file to take games from
        file: PathBuf,
        /// The file to make
        out: PathBuf,
        /// Games of so many plies or more
        #[arg(long, value_name = "N")]
        min_plies: Option<usize>,
        /// Games of so many plies or fewer
        #[arg(long, value_name = "N")]
        max_plies: Option<usize>,
        /// Games with one of these results
        #[arg(long, value_delimiter = ',', value_name = "RESULTS")]
        result: Vec<ResultName>,
        /// Games that ended in one of these ways
        #[arg(long, value_delimiter = ',', value_name = "ENDINGS")]
        ending: Vec<EndingName>,
        /// Games at whose beginning no side was further ahead, in hundredths of a pawn of which 100 win half of the games
        #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..))]
        max_first_score: Option<i32>,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Search every position that has a score anew; moves and results stay
    ///
    /// This takes as long as playing the games with the same nodes: hours for millions of positions. The file is there when
    /// all is done. If it is stopped before, what is done stays beside it, as OUT.part, and the same command goes on.
    Rescore {
        /// The file to take games from
        file: PathBuf,
        /// The file to make
        out: PathBuf,
        #[command(flatten)]
        search: SearchArguments,
        /// Searches at once; the file is the same whatever their number
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
        threads: u32,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Write positions as lines of text, FEN | score | result, for other trainers and tools
    ///
    /// A line for each quiet position of games with a result. Scores and results are White's, scores in hundredths of a pawn
    /// of which 100 win half of the games. `adoube data label` brings scores for the same positions back.
    Export {
        /// The file to take games from
        file: PathBuf,
        /// The text to write; the standard output if not given or '-'
        out: Option<PathBuf>,
        /// What a line has, in this order: fen, score, result, static (the evaluation without a search), move, game (its
        /// number, from 0), ply
        #[arg(long, value_delimiter = ',', value_name = "NAMES", default_value = "fen,score,result")]
        columns: Vec<Column>,
        #[command(flatten)]
        lines: Lines,
        /// What the column static is of: a network's file, or 'classic' for the hand-made evaluation; the network inside the
        /// program if not given
        #[arg(long, alias = "evalfile", value_name = "FILE")]
        eval_file: Option<String>,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Give positions the scores of a text, a line for each that `export` writes, or what teachers foretell; moves and results
    /// stay
    ///
    /// What a slower network says of the positions, for example, for a faster one to learn from.
    Label {
        /// The file to take games from
        file: PathBuf,
        /// The file to make
        out: PathBuf,
        /// A line for each position: its score, White's, in hundredths of a pawn as `export` has them, with decimals if you
        /// like; or FEN | score, and more behind it, where the position has to be that one. '-' reads the standard input
        #[arg(required_unless_present = "teacher", conflicts_with = "teacher")]
        scores: Option<PathBuf>,
        /// Instead of a text, what this teacher foretells, or several on average ('adoube teach')
        #[arg(long, value_name = "TEACHER", num_args = 1..)]
        teacher: Vec<PathBuf>,
        /// What of all that teachers foretell [default: far]
        #[arg(long, value_enum, conflicts_with = "scores")]
        saying: Option<Saying>,
        /// What the teachers know the values of: a network's file, or 'classic' for the hand-made evaluation; the network
        /// inside the program if not given
        #[arg(long, alias = "evalfile", value_name = "FILE", conflicts_with = "scores")]
        eval_file: Option<String>,
        #[command(flatten)]
        lines: Lines,
        #[command(flatten)]
        output: OutputArguments,
    },
}

/// Which positions are lines of text.
#[derive(clap::Args)]
struct Lines {
    /// Positions in check, and those whose move takes or promotes, as well
    #[arg(long)]
    noisy: bool,
}

impl Lines {
    fn choice(&self) -> Choice {
        Choice { noisy: self.noisy }
    }
}

/// What to do about damage.
#[derive(clap::Args)]
struct Damage {
    /// Leave out damaged blocks instead of ending there
    #[arg(long)]
    skip_damaged: bool,
}

/// How to write.
#[derive(clap::Args)]
struct OutputArguments {
    /// Replace files that are there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    damage: Damage,
}

impl OutputArguments {
    /// Which file is to be made out of `sources`, if it may be.
    fn target(&self, wanted: &Path, sources: &[impl AsRef<Path>]) -> Result<PathBuf, Failure> {
        let wanted = unfinished::target(wanted)?;
        if wanted.exists() && !self.force {
            return Err(format!("{} is there already; --force replaces it", wanted.display()).into());
        }
        if sources.iter().any(|source| is_one_file(source.as_ref(), &wanted)) {
            return Err(format!("{} cannot be read and replaced at once", wanted.display()).into());
        }
        Ok(wanted)
    }
}

/// Results by name.
#[derive(Clone, Copy, ValueEnum)]
enum ResultName {
    White,
    Black,
    Draw,
}

/// Endings by name, in the order of [`Ending::ALL`].
#[derive(Clone, Copy, ValueEnum)]
enum EndingName {
    Checkmate,
    Stalemate,
    Repetition,
    FiftyMoves,
    Material,
    WinAdjudicated,
    DrawAdjudicated,
    TooLong,
}

impl EndingName {
    fn ending(self) -> Ending {
        Ending::ALL[self as usize]
    }
}

impl ResultName {
    fn outcome(self) -> Outcome {
        match self {
            ResultName::White => Outcome::Win(Color::White),
            ResultName::Black => Outcome::Win(Color::Black),
            ResultName::Draw => Outcome::Draw,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    // A mixture reads all of its files at once.
    usage::allow_many_files();
    match &arguments.command {
        Command::Stats { files, damage } => stats(files, damage),
        Command::Verify { files } => verify(files),
        Command::Split { file, most, part, share, seed, output } => {
            split(file, [most, part], *share, *seed, output)
        }
        Command::Mix { out, files, shares, seed, output } => mix(out, files, shares, *seed, output),
        Command::Filter { file, out, min_plies, max_plies, result, ending, max_first_score, output } => {
            let outcomes: Vec<Outcome> = result.iter().map(|name| name.outcome()).collect();
            let endings: Vec<Ending> = ending.iter().map(|name| name.ending()).collect();
            let wanted = Filter {
                min_plies: *min_plies,
                max_plies: *max_plies,
                outcomes: (!outcomes.is_empty()).then_some(outcomes),
                endings: (!endings.is_empty()).then_some(endings),
                max_first_score: *max_first_score,
            };
            filter(file, out, &wanted, output)
        }
        Command::Rescore { file, out, search, threads, output } => {
            rescore::run(file, out, search, *threads as usize, output)
        }
        Command::Export { file, out, columns, lines, eval_file, output } => {
            lines::export(file, out.as_deref(), columns, lines.choice(), eval_file.as_deref(), output)
        }
        Command::Label { file, out, scores, teacher, saying, eval_file, lines, output } => match scores {
            Some(scores) => lines::label(file, out, scores, lines.choice(), output),
            None => {
                let saying = saying.unwrap_or(Saying::Far);
                let eval_file = eval_file.as_deref().unwrap_or(Evaluation::INTERNAL);
                taught::label(file, out, teacher, saying, lines.choice(), eval_file, output)
            }
        },
    }
}

fn split(
    file: &Path,
    [most, part]: [&Path; 2],
    share: u64,
    seed: u64,
    output: &OutputArguments,
) -> Result<(), Failure> {
    let options = json!({ "share": share, "seed": seed });
    if is_one_file(most, part) {
        let message = format!("both parts would go to {}", most.display());
        return Err(super::wrong_usage("data split", message));
    }
    let mut most = Output::create(most, output, "split", options.clone(), &[file])?;
    let mut part = Output::create(part, output, "split part", options, &[file])?;
    let mut keep = Keep::new(seed, share);
    for game in Games::open(file, &output.damage)? {
        let chosen = if keep.next_one() { &mut part } else { &mut most };
        chosen.push(game?)?;
    }
    // Neither takes its place before both are whole, and nothing is told before both have.
    most.complete()?;
    part.complete()?;
    // Nor does one go for the other's sake.
    let placed = [&most, &part].map(|made| (made, made.place()));
    placed.iter().filter(|(_, placed)| placed.is_ok()).try_for_each(|(made, _)| made.tell())?;
    match placed.map(|(_, placed)| placed) {
        [Err(one), Err(other)] => Err(format!("{one}; {other}").into()),
        [one, other] => one.and(other),
    }
}

fn filter(file: &Path, out: &Path, wanted: &Filter, output: &OutputArguments) -> Result<(), Failure> {
    if let (Some(least), Some(largest)) = (wanted.min_plies, wanted.max_plies)
        && least > largest
    {
        let message = format!("no game has --min-plies {least} and --max-plies {largest}");
        return Err(super::wrong_usage("data filter", message));
    }
    let options = json!({
        "min_plies": wanted.min_plies,
        "max_plies": wanted.max_plies,
        "results": wanted.outcomes.iter().flatten().map(Outcome::to_string).collect::<Vec<_>>(),
        "endings": wanted.endings.iter().flatten().map(|ending| ending.name()).collect::<Vec<_>>(),
        "max_first_score": wanted.max_first_score,
    });
    let mut made = Output::create(out, output, "filter", options, &[file])?;
    for game in Games::open(file, &output.damage)? {
        let game = game?;
        if wanted.keeps(&game) {
            made.push(game)?;
        }
    }
    made.finish()
}

fn stats(files: &[PathBuf], damage: &Damage) -> Result<(), Failure> {
    let mut stats = Stats::default();
    let mut bytes = 0;
    for file in files {
        let games = Games::open(file, damage)?;
        bytes += std::fs::metadata(file)?.len();
        for game in games {
            stats.add(&game?);
        }
    }
    let mut out = std::io::stdout();
    write!(out, "{stats}")?;
    let share = match stats.plies {
        0 => String::new(),
        plies => format!(" ({:.2} a ply)", bytes as f64 / plies as f64),
    };
    writeln!(out, "size             {bytes} bytes{share}")?;
    Ok(())
}

fn verify(files: &[PathBuf]) -> Result<(), Failure> {
    let (mut faults, mut unheard) = (0, None);
    for file in files {
        let report = match check_file(file) {
            Ok(report) => report,
            // The others are checked all the same.
            Err(error) => {
                super::tell(error);
                faults += 1;
                continue;
            }
        };
        report.faults.iter().for_each(super::tell);
        faults += report.faults.len();
        let (games, plies) = (report.games, report.plies);
        let verdict = if report.faults.is_empty() { "whole" } else { "damaged" };
        // Whoever does not listen is to know by the status what is damaged.
        let name = visible(&file.display().to_string());
        let told = writeln!(std::io::stdout(), "{name}: {verdict}, {games} games, {plies} plies");
        unheard = unheard.or(told.err());
    }
    match faults {
        0 => unheard.map_or(Ok(()), |error| Err(error.into())),
        1 => Err("1 fault".into()),
        _ => Err(format!("{faults} faults").into()),
    }
}

fn mix(
    out: &Path,
    files: &[PathBuf],
    shares: &[u64],
    seed: u64,
    output: &OutputArguments,
) -> Result<(), Failure> {
    if !shares.is_empty() && shares.len() != files.len() {
        let message = format!("--shares has {} numbers for {} files", shares.len(), files.len());
        return Err(super::wrong_usage("data mix", message));
    }
    let shares = if shares.is_empty() { vec![1_000; files.len()] } else { shares.to_vec() };
    let options = json!({ "shares": shares, "seed": seed });
    let mut made = Output::create(out, output, "mix", options, &files.iter().collect::<Vec<_>>())?;
    let mut sources = vec![];
    for (file, share) in files.iter().zip(shares) {
        let count = count_games(file)?;
        sources.push((Games::open(file, &output.damage)?, count, share));
    }
    for game in Mix::new(seed, sources) {
        made.push(game?)?;
    }
    made.finish()
}

/// How many games a file has in its whole blocks.
fn count_games(file: &Path) -> Result<u64, DataError> {
    let mut heads = DataReader::open(file)?;
    let mut count = 0;
    while let Some(block) = heads.next_block() {
        count += block.map_or(0, |block| u64::from(block.head.games));
    }
    Ok(count)
}

/// The games of a file; damaged blocks end them or are told of and left out.
struct Games {
    reader: DataReader<BufReader<File>>,
    skip_damaged: bool,
}

impl Games {
    fn open(file: &Path, damage: &Damage) -> Result<Games, DataError> {
        Ok(Games { reader: DataReader::open(file)?, skip_damaged: damage.skip_damaged })
    }

    /// The number in the file of the game that came last.
    fn number(&self) -> u64 {
        self.reader.number()
    }
}

impl Iterator for Games {
    type Item = Result<SelfplayGame, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.reader.next()? {
                Err(error @ DataError::Block { .. }) if self.skip_damaged => {
                    super::tell(format!("{error}; left out"));
                }
                item => return Some(item),
            }
        }
    }
}

/// A file in the making, under another name until it is whole.
struct Output {
    made: Unfinished,
    writer: Option<DataWriter>,
    games: u64,
    /// It may replace what is there.
    force: bool,
}

impl Output {
    /// Begins a file that is made out of `sources`.
    fn create(
        wanted: &Path,
        arguments: &OutputArguments,
        kind: &str,
        options: Value,
        sources: &[impl AsRef<Path>],
    ) -> Result<Output, Failure> {
        let (wanted, origin) = Output::plan(wanted, arguments, kind, options, sources)?;
        let made = Unfinished::of(wanted);
        let writer = DataWriter::create(made.path(), &origin);
        let writer = Some(writer.map_err(|error| of_wanted(&made, error))?);
        Ok(Output { made, writer, games: 0, force: arguments.force })
    }

    /// Which file is to be made, if it may be, and what it is to say of itself.
    fn plan(
        wanted: &Path,
        arguments: &OutputArguments,
        kind: &str,
        options: Value,
        sources: &[impl AsRef<Path>],
    ) -> Result<(PathBuf, Origin), Failure> {
        let wanted = arguments.target(wanted, sources)?;
        let mut origins = vec![];
        for source in sources {
            origins.push(DataReader::open(source.as_ref())?.origin().0.clone());
        }
        let origin = |sources: Value| {
            Origin(json!({
                "kind": kind,
                "program": PROGRAM,
                "options": options,
                "sources": sources,
            }))
        };
        let mut origin_of_all = origin(origins.clone().into());
        if !origin_of_all.fits() {
            // Thousands of files, or mixtures of mixtures: their number has to do.
            origin_of_all = origin(origins.len().into());
        }
        Ok((wanted, origin_of_all))
    }

    fn push(&mut self, game: SelfplayGame) -> Result<(), Failure> {
        self.games += 1;
        let pushed = self.writer.as_mut().map_or(Ok(()), |writer| writer.push(game));
        pushed.map_err(|error| of_wanted(&self.made, error))
    }

    /// Writes what waits, which games to come are still put together with.
    fn save(&mut self) -> Result<(), Failure> {
        let saved = self.writer.as_mut().map_or(Ok(()), DataWriter::save);
        saved.map_err(|error| of_wanted(&self.made, error))
    }

    /// Writes what waits, and hands all of it to the disk.
    fn complete(&mut self) -> Result<(), Failure> {
        let written = self.writer.take().map_or(Ok(()), DataWriter::finish);
        written.map_err(|error| of_wanted(&self.made, error))
    }

    fn place(&self) -> Result<(), Failure> {
        if self.force { self.made.place() } else { self.made.place_new() }
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.complete()?;
        self.place()?;
        self.tell()
    }

    fn tell(&self) -> Result<(), Failure> {
        let told = format!("{} games are in {}", self.games, self.made.wanted().display());
        writeln!(std::io::stdout(), "{}", super::shown(told))?;
        Ok(())
    }
}

/// What failed, by the name that the file is to have.
fn of_wanted(made: &Unfinished, error: DataError) -> Failure {
    match error {
        DataError::Io { error, .. } => made.failed(&error),
        DataError::Taken { .. } => {
            // What was written again is not to go with the rest.
            made.stays();
            error.into()
        }
        other => other.into(),
    }
}
