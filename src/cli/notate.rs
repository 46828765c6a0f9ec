//! `adoube notate`

use super::{Failure, input, tell, wrong_usage};
use crate::notation::fide::{FideStyle, MateSign};
use crate::notation::letters::{LANGUAGES, Letters};
use crate::notation::national::read_games;
use crate::notation::pgn_reader::{PgnError, PgnErrorKind, PgnGame, PgnReader};
use crate::notation::pgn_result::unknown_tag;
use crate::notation::rewrite::{rewrite, to_json};
use crate::notation::sheet::score_sheet;
use crate::notation::spelling::Spelling;
use crate::notation::{decode, decode_cyrillic, why_no_text};
use serde_json::json;
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// Writes games again in another notation: in the letters of a language as the FIDE Laws of Chess have it, in figurines,
/// as moves are announced, or as programs write them.
///
/// Games that cannot be read are told with file, game, line and move number; the others are written all the same, and
/// the exit status is then 1.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The games; '-' or nothing is the standard input
    file: Option<PathBuf>,
    /// The notation to write: a language's code, 'figurine', 'announced', 'san', 'lan' or 'uci'
    #[arg(long = "as", value_name = "NOTATION", value_parser = target)]
    target: Target,
    /// The letters of the moves that are read, strictly; without it PGN as programs write it
    #[arg(long, value_name = "LANG", value_parser = letters)]
    from: Option<&'static Letters>,
    /// Write only the game of this number, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// A score sheet with clock times and draw offers
    #[arg(long, conflicts_with = "json")]
    sheet: bool,
    /// Room for the players' signatures on the sheet
    #[arg(long, requires = "sheet")]
    signatures: bool,
    /// One JSON object a game
    #[arg(long)]
    json: bool,
    /// The square of departure in full: Cg1f3, e7e5
    #[arg(long)]
    long: bool,
    /// No 'x' for captures
    #[arg(long)]
    no_captures: bool,
    /// No '+' for check and no sign for mate
    #[arg(long)]
    no_checks: bool,
    /// No 'e.p.' for captures en passant
    #[arg(long)]
    no_en_passant: bool,
    /// None of these signs, all of which the Laws leave to the player
    #[arg(long)]
    plain: bool,
    /// The sign of mate: '#' or '++'
    #[arg(long, value_name = "SIGN", default_value = "#", value_parser = mate_sign)]
    mate: MateSign,
}

const AFTER_HELP: &str = "\
Languages: ca cs da de en es et fi fr hr hu is it nl no pl pt ro ru sk sv, or their English names. Letters with --from
are never guessed: R is a king in Spanish, a rook in English and a knight in Finnish.
Output: PGN with the tags and comments of the game and the moves in the notation, without variations; announced moves one a
line; with --sheet the moves of both players in two columns, to be printed: no sheet is read again; with --json one object a line.";

/// What `--as` names.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Letters(&'static Letters),
    San,
    Lan,
    Uci,
    Announced,
}

fn target(name: &str) -> Result<Target, String> {
    Ok(match name {
        "san" => Target::San,
        "lan" => Target::Lan,
        "uci" => Target::Uci,
        "announced" => Target::Announced,
        _ => Target::Letters(letters(name).map_err(|error| error + ", announced, san, lan, uci")?),
    })
}

fn letters(name: &str) -> Result<&'static Letters, String> {
    Letters::find(name).ok_or_else(|| {
        let codes: Vec<&str> = LANGUAGES.iter().map(|known| known.code).collect();
        format!("expected one of {}", codes.join(", "))
    })
}

fn mate_sign(text: &str) -> Result<MateSign, String> {
    match text {
        "#" => Ok(MateSign::Hash),
        "++" => Ok(MateSign::TwoPlus),
        _ => Err("expected '#' or '++'".into()),
    }
}

impl Arguments {
    fn spelling(&self, game: &PgnGame) -> Spelling {
        match self.target {
            Target::San => Spelling::San,
            Target::Lan => Spelling::Lan,
            Target::Uci => Spelling::Uci { chess960: game.chess960 },
            Target::Announced => Spelling::Announced,
            Target::Letters(letters) => Spelling::Fide(FideStyle {
                letters,
                long: self.long,
                captures: !(self.no_captures || self.plain),
                checks: !(self.no_checks || self.plain),
                en_passant: !(self.no_en_passant || self.plain),
                mate: self.mate,
            }),
        }
    }

    fn check(&self) -> Result<(), Failure> {
        let has_style = self.long
            || self.no_captures
            || self.no_checks
            || self.no_en_passant
            || self.plain
            || self.mate != MateSign::Hash;
        if has_style && !matches!(self.target, Target::Letters(_)) {
            let advice =
                "--long, --plain, --mate and the --no-... are for the letters of a language or figurines";
            return Err(wrong_usage("notate", advice));
        }
        if self.mate != MateSign::Hash && (self.plain || self.no_checks) {
            return Err(wrong_usage("notate", "--mate is for signs that --plain and --no-checks leave out"));
        }
        Ok(())
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.check()?;
    let (name, input) = input::open_games(arguments.file.as_deref(), "notate")?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (mut number, mut written, mut broken) = (0, 0_u64, 0_u64);
    let (games, odd_lines) = games(input, arguments.from).map_err(|error| format!("{name}: {error}"))?;
    for game in games {
        number += 1;
        if arguments.game.is_some_and(|wanted| wanted != number) {
            continue;
        }
        match game {
            Ok(game) => {
                write_game(&mut out, &game, number, written > 0, arguments)?;
                written += 1;
                if let Some(value) = unknown_tag(&game) {
                    out.flush()?;
                    tell(format_args!(
                        "{name}: game {number}: tag Result: '{}' is no result",
                        value.escape_debug()
                    ));
                }
                let cut = game.cut_text();
                if let Some(error) = game.closed().err().or(cut) {
                    out.flush()?;
                    tell(format_args!("{name}: game {number}, {error}"));
                    broken += 1;
                }
            }
            Err(PgnError { kind: PgnErrorKind::Io(error), .. }) => {
                out.flush()?;
                return Err(format!("{name}: {error}").into());
            }
            Err(error) => {
                out.flush()?;
                let hint = odd_lines.get(&error.line).map_or_else(String::new, |read_as| {
                    format!(" (the line is not UTF-8, and was read as {read_as}; save the file as UTF-8)")
                });
                tell(format_args!("{name}: game {number}, {error}{hint}"));
                broken += 1;
            }
        }
        if arguments.game == Some(number) {
            break;
        }
    }
    out.flush()?;
    match (broken, arguments.game) {
        (0, Some(wanted)) if written == 0 => {
            Err(format!("{name}: there is no game {wanted}, only {number}").into())
        }
        (0, None) if written == 0 => Err(format!("{name}: there is no game").into()),
        (0, _) => Ok(()),
        (1, _) => Err("1 game cannot be read whole".into()),
        (many, _) => Err(format!("{many} games cannot be read whole").into()),
    }
}

type Games = Box<dyn Iterator<Item = Result<PgnGame, PgnError>>>;

/// The lines of a file that are not UTF-8, with the name of what they were read as.
type OddLines = HashMap<u64, &'static str>;

fn games(mut input: Box<dyn Read>, from: Option<&'static Letters>) -> io::Result<(Games, OddLines)> {
    let mut odd = OddLines::new();
    let Some(letters) = from else { return Ok((Box::new(PgnReader::new(input)), odd)) };
    let mut bytes = vec![];
    input.read_to_end(&mut bytes)?;
    if let Some(why) = why_no_text(&bytes) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    let is_cyrillic = letters.are_cyrillic();
    let read_as = if is_cyrillic { "Windows-1251" } else { "Windows-1252" };
    let mut text = String::with_capacity(bytes.len());
    // Files are put together from others, each in its own character set. Old ones have a carriage return alone.
    let mut rest = &bytes[..];
    for number in 1.. {
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let (line, behind) = rest.split_at(end.unwrap_or(rest.len()));
        if std::str::from_utf8(line).is_err() {
            odd.insert(number, read_as);
        }
        text += &if is_cyrillic { decode_cyrillic(line) } else { decode(line) };
        if behind.is_empty() {
            break;
        }
        text.push('\n');
        rest = behind.strip_prefix(b"\r\n").unwrap_or(&behind[1..]);
    }
    // So a mark of the byte order may stand anywhere.
    let text = text.replace('\u{feff}', "");
    Ok((Box::new(read_games(&text, letters).into_iter()), odd))
}

fn write_game(
    out: &mut impl Write,
    game: &PgnGame,
    number: u64,
    is_another: bool,
    arguments: &Arguments,
) -> io::Result<()> {
    let spelling = arguments.spelling(game);
    if arguments.json {
        let mut object = to_json(game, spelling);
        object["game"] = json!(number);
        return writeln!(out, "{object}");
    }
    if !arguments.sheet {
        return out.write_all(rewrite(game, spelling).as_bytes());
    }
    let gap = if is_another { "\n\n" } else { "" };
    write!(out, "{gap}{}", score_sheet(game, spelling, arguments.signatures))
}
