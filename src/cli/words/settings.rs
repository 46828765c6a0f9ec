//! From a line of words to a match: each word's value.

use super::contradictions::contradictions;
use super::line::{Findings, Line, value};
use super::players::players;
use super::values::{
    Read, choice, decimal, milliseconds, probability, processors, score, small, span, variant, whole, yes,
};
use super::{Surroundings, laws};
use crate::arbiter::adjudicate::{Adjudication, DrawRule, ResignRule, TableRule};
use crate::board::chess960;
use crate::openings::{Format, OpeningsConfig, Order};
use crate::tournament::config::{
    Affinity, Kind, LogConfig, LogLevel, MOST_GAMES_AT_ONCE, MatchConfig, OpeningPolicy, OutputConfig,
    OutputStyle, PgnConfig, PgnNotation, SprtConfig, SprtModel,
};
use crate::tournament::sprt::Sprt;
use regex_lite::Regex;
use std::path::Path;
use std::time::Duration;

/// Rounds, if not given.
const ROUNDS: u64 = 2;
/// The most rounds, so that no count of games overflows.
const MAX_ROUNDS: u64 = 1_000_000_000;
/// Rounds, if not given, of a match that a test ends.
const ROUNDS_OF_A_TEST: u64 = 500_000;

/// A line while it is being understood.
pub(super) struct Reader<'a> {
    pub(super) line: &'a Line,
    pub(super) findings: &'a mut Findings,
}

impl Reader<'_> {
    pub(super) fn has(&self, word: &str) -> bool {
        self.line.get(word).is_some()
    }

    pub(super) fn pair<T>(&mut self, word: &str, key: &str, read: impl FnOnce(&str) -> Read<T>) -> Option<T> {
        let text = value(self.line.get(word)?, key)?;
        let place =
            if key.is_empty() { format!("-{word} {text}") } else { format!("-{word} {key}='{text}'") };
        self.findings.read(&place, read(text))
    }

    pub(super) fn one<T>(&mut self, word: &str, read: impl FnOnce(&str) -> Read<T>) -> Option<T> {
        self.pair(word, "", read)
    }

    pub(super) fn yes(&mut self, word: &str, key: &str, otherwise: bool) -> bool {
        self.pair(word, key, yes).unwrap_or(otherwise)
    }

    /// The file that a word must name.
    fn file<T: for<'a> From<&'a str>>(&mut self, word: &str) -> Option<T> {
        let params = self.line.get(word)?;
        let file = value(params, "file").map(T::from);
        if file.is_none() && !params.is_empty() {
            self.findings.missing(format!("-{word} has no file: expected -{word} file=FILE"));
        }
        file
    }
}

/// The match that a line asks for. What is wrong is told in `findings`; then the result means nothing.
pub(super) fn settings(line: &Line, place: &Surroundings<'_>, findings: &mut Findings) -> MatchConfig {
    let quick = quick(line, place, findings);
    let line = quick.as_ref().unwrap_or(line);
    let players = players(line, findings);
    let mut reader = Reader { line, findings };
    tell_ignored(&mut reader);
    let sprt = sprt(&mut reader, players.len());
    let games = games(&mut reader);
    let tested = if sprt.is_some() { ROUNDS_OF_A_TEST } else { ROUNDS };
    let style = style(&mut reader);
    let usual = MatchConfig::default();
    let mut config = MatchConfig {
        kind: kind(&mut reader, players.len()),
        rounds: reader.one("rounds", |text| whole(text, 1, MAX_ROUNDS, "100")).unwrap_or(tested),
        games,
        no_swap: reader.has("noswap"),
        reverse: reader.has("reverse"),
        variant: reader.one("variant", variant).unwrap_or_default(),
        concurrency: concurrency(&mut reader, place.processors),
        force_concurrency: reader.has("force-concurrency"),
        affinity: affinity(&mut reader),
        openings: openings(&mut reader),
        policy: policy(&mut reader),
        sprt,
        regulations: laws::regulations(&mut reader, sprt.is_some()),
        judge: laws::judge(&mut reader),
        tables: reader.one("tb", |text| Ok(text.to_string())),
        expulsion: laws::expulsion(&mut reader),
        session: reader.one("session", span),
        adjudication: adjudication(&mut reader),
        pgn: pgn(&mut reader),
        epd: reader.file("epdout"),
        epd_append: reader.yes("epdout", "append", true),
        recover: reader.has("recover"),
        strict: reader.has("strict"),
        check_mate_pvs: reader.has("check-mate-pvs"),
        seed: reader.one("srand", |text| whole(text, 0, u64::MAX, "12345")),
        wait: reader.one("wait", |text| milliseconds(text, 0)).unwrap_or_default(),
        log: log(&mut reader),
        event: reader.one("event", one_line),
        site: reader.one("site", one_line),
        output: OutputConfig {
            style,
            quiet: reader.has("quiet"),
            rating_interval: reader
                .one("ratinginterval", |text| whole(text, 0, u64::MAX, "10"))
                .unwrap_or(usual.output.rating_interval),
            score_interval: reader
                .one("scoreinterval", |text| whole(text, 0, u64::MAX, "1"))
                .unwrap_or(usual.output.score_interval),
            penta: penta(&mut reader, games, style, sprt),
            latency: reader.has("show-latency"),
            crc32: reader.yes("crc32", "pgn", false),
        },
        journal: reader.file("journal"),
        resume: reader.has("resume"),
        startup_time: time(&mut reader, "startup-ms", usual.startup_time),
        ready_time: time(&mut reader, "ping-ms", usual.ready_time),
        new_game_time: time(&mut reader, "ucinewgame-ms", usual.new_game_time),
        players,
    };
    if let (Some(openings), true) = (&mut config.openings, config.strict) {
        openings.strict = true;
    }
    contradictions(&config, place, line, findings);
    config
}

/// With `-quick` the line that it stands for: other words win over its own.
fn quick(line: &Line, place: &Surroundings<'_>, findings: &mut Findings) -> Option<Line> {
    let params = line.get("quick")?;
    let mut below = Line::default();
    let players = params.iter().filter(|(key, _)| key == "cmd");
    below.engines = players.map(|pair| vec![pair.clone()]).collect();
    if below.engines.len() != 2 {
        findings.missing(format!("-quick needs two cmd=, {} given", below.engines.len()));
    }
    match value(params, "book") {
        Some(book) => {
            below.put("openings", "file", book);
            below.put("openings", "order", "random");
        }
        None if line.get("openings").is_some() => below.put("openings", "order", "random"),
        None => findings.missing("-quick has no openings: expected book=FILE"),
    }
    let each = line.get("each");
    if !["tc", "st", "nodes", "depth"].iter().any(|key| each.is_some_and(|each| value(each, key).is_some())) {
        below.put("each", "tc", "10+0.1");
    }
    for (word, key, value) in [
        ("games", "", "2"),
        ("rounds", "", "25000"),
        ("recover", "", ""),
        ("draw", "movenumber", "30"),
        ("draw", "movecount", "8"),
        ("draw", "score", "8"),
        ("output", "format", "cutechess"),
    ] {
        below.put(word, key, value);
    }
    let processors = place.processors.map_or(1, |processors| processors.saturating_sub(2).max(1));
    below.put("concurrency", "", processors.to_string());
    let mut own = line.clone();
    own.remove("quick");
    // Engines of the line play beside those two.
    below.engines.append(&mut own.engines);
    Some(own.over(below))
}

/// Words that change nothing, taken for the sake of old scripts.
fn tell_ignored(reader: &mut Reader<'_>) {
    for (word, _) in &reader.line.words {
        if let Some(why) = word.ignored {
            let why = why.replacen("Changes", "changes", 1).replace('`', "");
            reader.findings.note(format!("-{} {}", word.name, why.trim_end_matches('.')));
        }
    }
    reader.one("autosaveinterval", |text| whole(text, 0, u64::MAX, "20"));
}

/// A text for a PGN tag.
fn one_line(text: &str) -> Read<String> {
    if text.contains(char::is_control) {
        return Err("expected a text of one line, without control characters".to_string());
    }
    Ok(text.to_string())
}

fn games(reader: &mut Reader<'_>) -> u32 {
    let given =
        reader.line.get("rounds").and_then(|params| whole(value(params, "")?, 1, MAX_ROUNDS, "").ok());
    let rounds = |text: &str| {
        let Ok(games) = whole(text, 3, MAX_ROUNDS, "") else { return String::new() };
        let all = games * given.unwrap_or(1);
        match all % 2 {
            0 => format!("; for {all} games say -rounds {} -games 2", all / 2),
            _ => format!("; for {all} games say -rounds {all} -games 1"),
        }
    };
    let read = |text: &str| {
        choice(text, &[("1", 1), ("2", 2)])
            .map_err(|_| format!("expected 1 or 2 games of one meeting, such as 2{}", rounds(text)))
    };
    let games = reader.one("games", read);
    let repeat = match reader.line.get("repeat") {
        Some(params) if params.is_empty() => Some(2),
        _ => reader.one("repeat", read),
    };
    if let (Some(games), Some(repeat)) = (games, repeat)
        && games != repeat
    {
        let error = format!("-repeat, which is -games {repeat}, and -games {games} contradict each other");
        reader.findings.error(error);
    }
    games.or(repeat).unwrap_or(2)
}

fn kind(reader: &mut Reader<'_>, players: usize) -> Kind {
    let read = |text: &str| match text {
        "knockout" | "pyramid" => {
            Err("a tournament of cutechess-cli that is not here: expected roundrobin or gauntlet".to_string())
        }
        _ => choice(text, &[("roundrobin", false), ("round-robin", false), ("gauntlet", true)]),
    };
    let gauntlet = reader.one("tournament", read).unwrap_or(false);
    let seeds = reader.one("seeds", |text| small(text, 1, "1")).map(|seeds| seeds as usize);
    match (gauntlet, seeds) {
        (false, Some(_)) => {
            reader.findings.error("-seeds is for a gauntlet: add -tournament gauntlet");
        }
        (true, Some(seeds)) if seeds >= players && players > 1 => {
            reader
                .findings
                .error(format!("-seeds {seeds}: of {players} engines at most {} can be", players - 1));
        }
        _ => {}
    }
    if gauntlet { Kind::Gauntlet { seeds: seeds.unwrap_or(1) } } else { Kind::RoundRobin }
}

fn concurrency(reader: &mut Reader<'_>, processors: Option<usize>) -> usize {
    let read = |text: &str| match text.strip_prefix('-') {
        Some(less) => {
            let less = whole(less, 1, u64::from(u32::MAX), "-1")? as usize;
            let Some(processors) = processors else { return Ok(1) };
            let left = processors.saturating_sub(less);
            (left > 0).then_some(left).ok_or_else(|| format!("that leaves none of {processors} processors"))
        }
        None => small(text, 1, "4").map(|number| number as usize),
    };
    let wanted = reader.one("concurrency", read).unwrap_or(1);
    if wanted > MOST_GAMES_AT_ONCE {
        reader
            .findings
            .note(format!("-concurrency {wanted}: {MOST_GAMES_AT_ONCE} games at once are the most"));
    }
    wanted.min(MOST_GAMES_AT_ONCE)
}

fn affinity(reader: &mut Reader<'_>) -> Option<Affinity> {
    let params = reader.line.get("use-affinity")?;
    if params.is_empty() {
        return Some(Affinity::All);
    }
    reader.one("use-affinity", processors).map(Affinity::List)
}

/// Start positions of Chess960, which no file has.
fn arrays(reader: &mut Reader<'_>) -> Option<OpeningsConfig> {
    for key in ["file", "format", "order", "plies"] {
        if reader.line.get("openings").is_some_and(|params| value(params, key).is_some()) {
            reader.findings.error(format!("-openings chess960= needs no {key}=: leave one of them out"));
        }
    }
    let drawn = reader.pair("openings", "chess960", |text| match text {
        "lot" => Ok((None, Order::Random)),
        "all" => Ok((None, Order::Sequential)),
        _ => whole(text, 0, u64::from(chess960::ARRAYS) - 1, "518")
            .map(|number| (Some(number as u16), Order::Sequential))
            .map_err(|error| format!("expected lot, all, or a number: {error}")),
    });
    let (number, order) = drawn?;
    let usual = OpeningsConfig::new("chess960", Format::Chess960(number));
    Some(OpeningsConfig { order, start: start(reader), ..usual })
}

/// The number of the first opening.
fn start(reader: &mut Reader<'_>) -> u64 {
    reader.pair("openings", "start", |text| whole(text, 1, u64::MAX, "1")).unwrap_or(1)
}

fn openings(reader: &mut Reader<'_>) -> Option<OpeningsConfig> {
    if reader.line.get("openings").is_some_and(|params| value(params, "chess960").is_some()) {
        return arrays(reader);
    }
    let file: String = reader.file("openings")?;
    let formats = [
        ("epd", Format::Epd),
        ("pgn", Format::Pgn),
        ("bin", Format::Polyglot),
        ("polyglot", Format::Polyglot),
    ];
    let given = reader.line.get("openings").is_some_and(|params| value(params, "format").is_some());
    let format = match reader.pair("openings", "format", |text| choice(text, &formats)) {
        None if !given => {
            let known = Format::of_file(Path::new(&file));
            if known.is_none() {
                let error = format!(
                    "the openings '{file}' have no known ending: add -openings format=epd, pgn or bin"
                );
                reader.findings.error(error);
            }
            known
        }
        format => format,
    };
    let orders = [("sequential", Order::Sequential), ("random", Order::Random)];
    let plies = reader.pair("openings", "plies", |text| small(text, 1, "16"));
    if plies.is_some() && format == Some(Format::Epd) {
        reader
            .findings
            .note("-openings plies= changes nothing: positions of an EPD file have no moves before them");
    }
    let order = reader.pair("openings", "order", |text| choice(text, &orders));
    if order == Some(Order::Sequential) && format == Some(Format::Polyglot) {
        reader.findings.note("-openings order= changes nothing: a Polyglot book is always drawn from by lot");
    }
    let usual = OpeningsConfig::new(file, format.unwrap_or(Format::Epd));
    Some(OpeningsConfig { order: order.unwrap_or_default(), plies, start: start(reader), ..usual })
}

fn policy(reader: &mut Reader<'_>) -> OpeningPolicy {
    let all = [
        ("round", OpeningPolicy::Round),
        ("encounter", OpeningPolicy::Encounter),
        // cutechess-cli's: a new opening for each meeting.
        ("default", OpeningPolicy::Encounter),
    ];
    reader.pair("openings", "policy", |text| choice(text, &all)).unwrap_or_default()
}

fn sprt(reader: &mut Reader<'_>, players: usize) -> Option<SprtConfig> {
    let params = reader.line.get("sprt")?;
    for key in ["elo0", "elo1"] {
        if value(params, key).is_none() {
            reader.findings.missing(format!("-sprt has no {key}=: expected -sprt elo0=0 elo1=5"));
        }
    }
    if players != 2 {
        reader
            .findings
            .missing(format!("-sprt tests one engine against another: two are needed, not {players}"));
    }
    let models = [
        ("normalized", SprtModel::Normalized),
        ("logistic", SprtModel::Logistic),
        ("bayesian", SprtModel::Bayesian),
    ];
    let elo0 = reader.pair("sprt", "elo0", |text| decimal(text, "2.5"));
    let elo1 = reader.pair("sprt", "elo1", |text| decimal(text, "2.5"));
    let alpha = reader.pair("sprt", "alpha", probability).unwrap_or(0.05);
    let beta = reader.pair("sprt", "beta", probability).unwrap_or(0.05);
    let model = reader.pair("sprt", "model", |text| choice(text, &models)).unwrap_or_default();
    let config = SprtConfig { elo0: elo0?, elo1: elo1?, alpha, beta, model };
    if let Err(error) = Sprt::new(config) {
        reader.findings.error(format!("-sprt {error}"));
    }
    Some(config)
}

fn adjudication(reader: &mut Reader<'_>) -> Adjudication {
    let count = |text: &str| small(text, 1, "8");
    let draw = reader.has("draw").then(|| DrawRule {
        move_number: reader.pair("draw", "movenumber", |text| small(text, 0, "34")).unwrap_or(0),
        move_count: reader.pair("draw", "movecount", count).unwrap_or(1),
        score: reader.pair("draw", "score", score).unwrap_or(0),
    });
    let resign = reader.has("resign").then(|| ResignRule {
        move_count: reader.pair("resign", "movecount", count).unwrap_or(1),
        score: reader.pair("resign", "score", score).unwrap_or(0),
        two_sided: reader.yes("resign", "twosided", false),
    });
    if resign.is_some_and(|rule| rule.score == 0) {
        reader.findings.note("-resign without score= takes every score that is not above 0 as lost");
    }
    let max_moves = reader.one("maxmoves", |text| small(text, 0, "200")).filter(|&moves| moves > 0);
    Adjudication { draw, resign, max_moves, tables: table_rule(reader) }
}

/// Which games tablebases end.
fn table_rule(reader: &mut Reader<'_>) -> Option<TableRule> {
    let (win, draw) = (true, true);
    let ends = [
        ("BOTH", Some((win, draw))),
        ("WIN_LOSS", Some((win, !draw))),
        ("DRAW", Some((!win, draw))),
        ("NONE", None),
    ];
    let ends = reader.one("tbadjudicate", |text| choice(text, &ends)).unwrap_or(Some((win, draw)));
    let most_pieces = reader.one("tbpieces", |text| small(text, 3, "6"));
    let ignores_fifty_moves = reader.has("tbignore50");
    if !reader.has("tb") {
        let words = ["tbadjudicate", "tbpieces", "tbignore50"];
        if let Some(word) = words.into_iter().find(|word| reader.has(word)) {
            reader.findings.error(format!("-{word} is for tablebases: add -tb FOLDER"));
        }
        return None;
    }
    ends.map(|(wins, draws)| TableRule { most_pieces, ignores_fifty_moves, wins, draws })
}

fn pgn(reader: &mut Reader<'_>) -> Option<PgnConfig> {
    let file = reader.file("pgnout")?;
    let notations = [("san", PgnNotation::San), ("lan", PgnNotation::Lan), ("uci", PgnNotation::Uci)];
    let params = reader.line.get("pgnout")?;
    let lines: Vec<&str> =
        params.iter().filter(|(key, _)| key == "match_line").map(|(_, line)| line.as_str()).collect();
    let match_line = match lines[..] {
        [] => None,
        [line] => Some(line.to_string()),
        // Lines that match any of them.
        _ => Some(lines.iter().map(|line| format!("(?:{line})")).collect::<Vec<_>>().join("|")),
    };
    if let Some(Err(error)) = match_line.as_deref().map(Regex::new) {
        reader.findings.error(format!("-pgnout match_line: {error}"));
    }
    let mut tell = |key: &str| reader.yes("pgnout", key, false);
    Some(PgnConfig {
        file,
        minimal: tell("min"),
        nodes: tell("nodes"),
        seldepth: tell("seldepth"),
        nps: tell("nps"),
        hashfull: tell("hashfull"),
        tbhits: tell("tbhits"),
        timeleft: tell("timeleft"),
        latency: tell("latency"),
        pv: tell("pv"),
        append: reader.yes("pgnout", "append", true),
        notation: reader.pair("pgnout", "notation", |text| choice(text, &notations)).unwrap_or_default(),
        match_line,
        commands: reader
            .pair("pgnout", "comments", |text| choice(text, &[("score", false), ("clock", true)]))
            .unwrap_or_default(),
    })
}

fn log(reader: &mut Reader<'_>) -> Option<LogConfig> {
    let file = reader.file("log")?;
    let levels = [
        ("trace", LogLevel::Trace),
        ("info", LogLevel::Info),
        ("warn", LogLevel::Warning),
        ("err", LogLevel::Error),
        ("fatal", LogLevel::Fatal),
    ];
    if reader.yes("log", "compress", false) {
        reader.findings.note("-log compress=true changes nothing: the log is written as plain text");
    }
    Some(LogConfig {
        file,
        level: reader.pair("log", "level", |text| choice(text, &levels)).unwrap_or_default(),
        engine: reader.yes("log", "engine", false),
        realtime: reader.yes("log", "realtime", true),
        append: reader.yes("log", "append", true),
    })
}

fn style(reader: &mut Reader<'_>) -> OutputStyle {
    let styles = [
        ("fastchess", OutputStyle::Fastchess),
        ("cutechess", OutputStyle::Cutechess),
        ("json", OutputStyle::Json),
    ];
    let style = reader.pair("output", "format", |text| choice(text, &styles));
    match style {
        Some(style) if reader.has("json") && style != OutputStyle::Json => {
            reader.findings.error("-json and -output contradict each other: give one of them");
            style
        }
        _ if reader.has("json") => OutputStyle::Json,
        style => style.unwrap_or_default(),
    }
}

/// Pairs of games can be counted only where they are played, and not everything knows of them.
fn penta(reader: &mut Reader<'_>, games: u32, style: OutputStyle, sprt: Option<SprtConfig>) -> bool {
    let asked = reader.pair("report", "penta", yes);
    let why = if games != 2 {
        "there are no pairs of games"
    } else if style == OutputStyle::Cutechess {
        if asked.is_none() && sprt.is_some_and(|sprt| sprt.model != SprtModel::Bayesian) {
            reader
                .findings
                .note("-output format=cutechess: the test counts games by themselves, not pairs of them");
        }
        "the form of cutechess-cli has none"
    } else if sprt.is_some_and(|sprt| sprt.model == SprtModel::Bayesian) {
        "the bayesian model has none"
    } else {
        return asked.unwrap_or(true);
    };
    if asked == Some(true) {
        reader.findings.note(format!("-report penta=true changes nothing: {why}"));
    }
    false
}

fn time(reader: &mut Reader<'_>, word: &str, usual: Duration) -> Duration {
    reader.one(word, |text| milliseconds(text, 1)).unwrap_or(usual)
}
