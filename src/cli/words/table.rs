//! The words of a match in one table: from it come the parser's knowledge, the help and the list in the README.

use std::fmt::Write;

/// What stands after a word.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// Nothing.
    Nothing,
    /// One value, called so.
    One(&'static str),
    /// One value or none.
    Optional(&'static str),
    /// Any words, which are one text.
    Text(&'static str),
    /// Pairs `key=value`.
    Pairs(&'static [Key]),
    /// Pairs, or first the value of the first key without the key.
    FileAndPairs(&'static [Key]),
    /// Everything up to the end of the line.
    Rest(&'static str),
}

/// A key with a value.
pub(super) struct Key {
    /// Its name.
    pub(super) name: &'static str,
    /// What its value is called.
    pub(super) value: &'static str,
    /// What it does.
    pub(super) about: &'static str,
    /// It may stand alone, which means `true`.
    pub(super) alone: bool,
    /// It may be given more than once.
    pub(super) many: bool,
}

impl Key {
    /// As one writes it.
    fn shown(&self) -> String {
        if self.alone && self.value.is_empty() {
            self.name.to_string()
        } else {
            format!("{}={}", self.name, self.value)
        }
    }
}

const fn key(name: &'static str, value: &'static str, about: &'static str) -> Key {
    Key { name, value, about, alone: false, many: false }
}

const fn alone(name: &'static str, value: &'static str, about: &'static str) -> Key {
    Key { name, value, about, alone: true, many: false }
}

const fn many(name: &'static str, value: &'static str, about: &'static str) -> Key {
    Key { name, value, about, alone: false, many: true }
}

/// A row of the table.
pub(super) struct Word {
    /// Its name, without the dash.
    pub(super) name: &'static str,
    /// What stands after it.
    pub(super) form: Form,
    /// What it does, in a sentence.
    pub(super) about: &'static str,
    /// Why it changes nothing, if it is only taken for the sake of old scripts.
    pub(super) ignored: Option<&'static str>,
}

impl Word {
    /// The keys that it takes.
    pub(super) fn keys(&self) -> &'static [Key] {
        match self.form {
            Form::Pairs(keys) | Form::FileAndPairs(keys) => keys,
            _ => &[],
        }
    }

    /// As one writes it, its keys shown by `key`; those that have a table of their own are not.
    fn shown(&self, key: Option<fn(&Key) -> String>) -> String {
        let after = match (self.form, key) {
            (Form::Nothing, _) => String::new(),
            (Form::One(value) | Form::Text(value) | Form::Rest(value), _) => value.to_string(),
            (Form::Optional(value), _) => format!("[{value}]"),
            (Form::Pairs(keys) | Form::FileAndPairs(keys), Some(key)) if !takes_engine_keys(self) => {
                keys.iter().map(key).collect::<Vec<_>>().join(" ")
            }
            (Form::Pairs(_), _) => "KEY=VALUE...".to_string(),
            (Form::FileAndPairs(keys), _) => {
                format!("{} KEY=VALUE...", keys.first().map_or("FILE", |key| key.value))
            }
        };
        format!("-{} {after}", self.name).trim_end().to_string()
    }
}

/// Its keys are those of an engine, which have a table of their own.
fn takes_engine_keys(word: &Word) -> bool {
    matches!(word.name, "engine" | "each")
}

const fn word(name: &'static str, form: Form, about: &'static str) -> Word {
    Word { name, form, about, ignored: None }
}

const fn ignored(name: &'static str, form: Form, why: &'static str) -> Word {
    Word { name, form, about: why, ignored: Some(why) }
}

const YES: &str = "true|false";

/// What is said of one engine, or of each.
pub(super) const ENGINE: &[Key] = &[
    key(
        "cmd",
        "FILE",
        "The program: a path (from `dir`, if that is given) or a name to be found in PATH; on Windows without `.exe` too.",
    ),
    key(
        "name",
        "NAME",
        "What the match calls it; if not given, the program's file name, with `_2`, `_3` where that is taken.",
    ),
    key("dir", "FOLDER", "Where it runs."),
    key("args", "\"A B 'C D'\"", "Its arguments, split and quoted as in a shell."),
    many("arg", "A", "One argument, taken as it is; may be repeated."),
    key("proto", "uci|xboard", "The protocol; `uci` if not given, `cecp` is the same as `xboard`."),
    key(
        "tc",
        "MOVES/TIME+INC",
        "The clock in seconds or minutes:seconds: `10+0.1`, `40/60`, `1:30+1`; several periods `40/5400+30:1800+30`; a \
         delay `10d2`, after Bronstein `10b2`; an hourglass `*60`; `inf` for none.",
    ),
    key("st", "SECONDS", "The time for each move."),
    key("nodes", "N", "Nodes for each move."),
    key("depth", "N", "Depth for each move."),
    key("plies", "N", "The same as `depth`."),
    key("timemargin", "MS", "How far a move may overrun its time; 0 if not given."),
    key("restart", "on|off", "Start the process anew for each game; `off` if not given."),
    alone("ponder", "", "It thinks on its opponent's time."),
    key(
        "claims",
        "never|auto|score:CP",
        "Draws are claimed in its name: whenever it can, or with a score of at most so much; `never` if not given.",
    ),
    key(
        "offers",
        "CP/MOVES",
        "Draws are offered and accepted in its name after so many of its moves this near to 0.",
    ),
    key(
        "finish",
        "[delay:]CP/MOVES",
        "In a quickplay finish with less than two minutes a draw (or, with `delay:`, five seconds a move) is asked for in \
         its name after so many of its moves this near to 0.",
    ),
    key("resigns", "CP/MOVES", "It is given up after so many of its moves at least so far below 0."),
    key("stderr", "FILE", "Where its error output goes."),
    key("option.NAME", "VALUE", "An option of the engine; a button is pressed by `true`."),
    alone("trust", "", "Changes nothing: what engines claim is looked at."),
];

const LAWS: &[Key] = &[
    key(
        "edition",
        "fide-2005|fide-2014|fide-2018|fide-2023|engine",
        "The edition, or the habits of engine testers.",
    ),
    key(
        "supervised",
        YES,
        "Each game has its arbiter, which makes illegal moves cheaper in rapid and blitz of 2014.",
    ),
    key("draws", "free|never|from:N", "When draws may be agreed."),
    key("default-time", "TIME", "How late a player may come (`60s`, `1h`)."),
    key("scoring", "1-0.5-0|3-1-0", "What games are worth."),
    key("offers", "N", "So many offers in a row are passed on; 3 if not given."),
    key("clock", "keep|restore", "After an illegal move the clock goes on, or back to before that move."),
    key(
        "quickplay",
        YES,
        "A quickplay finish is played in the last period, where no period gives extra time.",
    ),
    key("judge", "FILE", "The UCI engine that decides in a quickplay finish what cannot be proven."),
    key("judge-nodes", "N", "How many nodes it searches; 1000000 if not given."),
    key("expel", "N", "A player whose engine fails so often is expelled."),
];

const OPENINGS: &[Key] = &[
    key("file", "FILE", "The file."),
    key("format", "epd|pgn|bin", "How it is written; told by the file's ending if not given."),
    key("order", "sequential|random", "The order; `sequential` if not given (in fastchess `random`)."),
    key(
        "plies",
        "N",
        "How many plies of a PGN game or of a book line are played; all, and 16, if not given. A book line ends earlier \
         where a position comes for the second time.",
    ),
    key("start", "N", "The number of the first one; beyond the last one they are counted on from the front."),
    key("policy", "round|encounter", "When the next one is drawn; `round` if not given."),
    key(
        "chess960",
        "lot|all|N",
        "No file: start positions of Chess960 by lot (`-srand`), in the order of their numbers, or number N (0 to 959).",
    ),
];

const PGN: &[Key] = &[
    key("file", "FILE", "The file."),
    key("append", YES, "Add to a file that is there."),
    key("notation", "san|lan|uci", "How moves are written."),
    alone("min", YES, "Only the tags and the moves."),
    alone("fi", "", "Changes nothing: only finished games are written."),
    key(
        "comments",
        "score|clock",
        "`+0.32/11 0.074s`, or `[%clk 0:00:59]`, `[%emt]` and `[%eval]` for chess programs.",
    ),
    key("nodes", YES, "Tell the nodes."),
    key("seldepth", YES, "Tell the selective depth."),
    key("nps", YES, "Tell the nodes per second."),
    key("hashfull", YES, "Tell how full the hash table is."),
    key("tbhits", YES, "Tell the tablebase hits."),
    key("timeleft", YES, "Tell the time left."),
    key("latency", YES, "Tell measured less reported time."),
    key("pv", YES, "Tell the line that the engine saw."),
    many("match_line", "REGEX", "Tell the engine's lines that match."),
];

const LOG: &[Key] = &[
    key("file", "FILE", "The file."),
    key("level", "trace|info|warn|err|fatal", "How much it tells; `warn` if not given."),
    key("engine", YES, "Each line of each engine."),
    key("realtime", YES, "Write each line at once."),
    key("append", YES, "Add to a file that is there."),
    key("compress", YES, "Changes nothing."),
];

const SPRT: &[Key] = &[
    key("elo0", "ELO", "The null hypothesis."),
    key("elo1", "ELO", "The alternative."),
    key("alpha", "P", "The error of the first kind."),
    key("beta", "P", "The error of the second kind."),
    key("model", "normalized|logistic|bayesian", "The units of Elo; `normalized` if not given."),
];

const CONFIG: &[Key] = &[
    key("file", "FILE", "The file."),
    key("outname", "FILE", "Changes nothing."),
    key("discard", YES, "Do not read the file."),
    key("stats", YES, "Changes nothing."),
];

/// The table.
pub(super) const WORDS: &[Word] = &[
    word("engine", Form::Pairs(ENGINE), "A player; at least two are needed."),
    word(
        "each",
        Form::Pairs(ENGINE),
        "The same for all players, wherever it stands; a player's own word wins.",
    ),
    word(
        "rounds",
        Form::One("N"),
        "How often each pairing meets; 2 if not given, 500000 with `-sprt`, 25000 with `-quick`.",
    ),
    word(
        "games",
        Form::One("1|2"),
        "Games at each meeting; 2 if not given, with one opening and the colours exchanged. With 1, \
         each player has had both colours equally often at the end of a round, or one of them once more.",
    ),
    word("repeat", Form::Optional("1|2"), "The same as `-games 2`, or as `-games` with the number."),
    word(
        "concurrency",
        Form::One("N"),
        "Games at the same time, 1,024 at most; a negative number: processors less so many.",
    ),
    word(
        "force-concurrency",
        Form::Nothing,
        "More games at the same time than processors are wanted indeed.",
    ),
    word(
        "openings",
        Form::Pairs(OPENINGS),
        "Where games start from; in the order of the file if `order` is not given (in fastchess by lot).",
    ),
    word(
        "sprt",
        Form::Pairs(SPRT),
        "A sequential probability ratio test that ends the match; `alpha` and `beta` are 0.05 if not given, `model` is \
         normalized.",
    ),
    word(
        "draw",
        Form::Pairs(&[
            key("movenumber", "N", "From this move on."),
            key("movecount", "N", "So many moves of each side."),
            key("score", "CP", "At most so far from 0."),
        ]),
        "A draw when from a move number on both sides' scores stay near 0 for so many moves on end, counted anew from each capture and pawn move; 0, 1 and 0 if not given.",
    ),
    word(
        "resign",
        Form::Pairs(&[
            key("movecount", "N", "So many moves."),
            key("score", "CP", "At least so far below 0."),
            key("twosided", YES, "The winner must agree."),
        ]),
        "A loss for the side whose scores stay so far below 0 for so many moves; 1 and 0 if not given.",
    ),
    word(
        "laws",
        Form::FileAndPairs(LAWS),
        "The Laws of Chess that are applied; `fide-2023` if not given, `engine` with `-sprt` or `-testEnv`.",
    ),
    word(
        "testEnv",
        Form::Nothing,
        "The match is part of a test, as fishtest and OpenBench have it: `-laws engine` if no edition is given.",
    ),
    word(
        "session",
        Form::One("TIME"),
        "The session ends after so long (`2h`, `90m`, `30s`), and games are adjourned (under the Laws; else they are broken off); `-resume` goes on with them.",
    ),
    word("maxmoves", Form::One("N"), "A draw after so many moves of each side; 0: never."),
    word(
        "tb",
        Form::One("PATHS"),
        "Folders with Syzygy tablebases, `:` between them (`;` on Windows, all on the drive of the current folder): they end games, those that somebody wins behind a capture or a pawn move, and decide in quickplay finishes. Not in builds for Linux on ARM.",
    ),
    word(
        "tbpieces",
        Form::One("N"),
        "They end games with no more than so many pieces; as many as there are tables for if not given.",
    ),
    word("tbignore50", Form::Nothing, "They end games as if there were no fifty-move rule."),
    word(
        "tbadjudicate",
        Form::One("WIN_LOSS|DRAW|BOTH|NONE"),
        "Which games they end; `BOTH` if not given, `NONE` for quickplay finishes only.",
    ),
    word(
        "pgnout",
        Form::FileAndPairs(PGN),
        "A PGN file of the games and what its comments tell; `append=true` if not given.",
    ),
    word(
        "epdout",
        Form::FileAndPairs(&[
            key("file", "FILE", "The file."),
            key("append", YES, "Add to a file that is there."),
        ]),
        "A file for the last position of each game.",
    ),
    word("tournament", Form::One("roundrobin|gauntlet"), "Who plays whom."),
    word("seeds", Form::One("N"), "In a gauntlet the first so many players meet all others; 1 if not given."),
    word("noswap", Form::Nothing, "Never exchange the colours."),
    word("reverse", Form::Nothing, "The second player of each pairing begins with White."),
    word("variant", Form::One("standard|fischerandom"), "Chess or Chess960."),
    word("recover", Form::Nothing, "Go on when an engine fails."),
    word(
        "strict",
        Form::Nothing,
        "End the match after the game with the first mistake of an engine that is warned of (but for time that \
         `timemargin=` allows), or at a mistake in a file of openings.",
    ),
    word("srand", Form::One("N"), "The seed of everything random; drawn if not given."),
    word("wait", Form::One("MS"), "The pause between two games."),
    word("use-affinity", Form::Optional("3,5,7-11"), "Hold each game to a processor, of all or of these."),
    word("event", Form::Text("NAME"), "The PGN tag Event."),
    word("site", Form::Text("NAME"), "The PGN tag Site."),
    word(
        "ratinginterval",
        Form::One("N"),
        "Show the rating after so many pairs of games, or games where nothing is told of pairs; 10 if not given, 0: at the end only.",
    ),
    word(
        "scoreinterval",
        Form::One("N"),
        "In cutechess's form show the score after so many games; 1 if not given, 0: only that of two players at the end.",
    ),
    word(
        "report",
        Form::Pairs(&[key("penta", YES, "Statistics of pairs.")]),
        "Statistics of whole pairs of games, without a game whose other is missing; they are shown if not denied.",
    ),
    word(
        "output",
        Form::Pairs(&[key("format", "fastchess|cutechess|json", "The form.")]),
        "Whose form the lines have; in cutechess's nothing is told of pairs, and tests count games by themselves.",
    ),
    word("json", Form::Nothing, "One JSON object a line; the same as `-output format=json`."),
    word("quiet", Form::Nothing, "Show the final result only."),
    word("show-latency", Form::Nothing, "Show how long engines thought beyond what they reported."),
    word(
        "crc32",
        Form::Pairs(&[key("pgn", YES, "Of the PGN file.")]),
        "Print the CRC-32 of the PGN file at the end.",
    ),
    word("check-mate-pvs", Form::Nothing, "Warn of a mate score whose line does not end in that mate."),
    word("log", Form::Pairs(LOG), "A log."),
    word(
        "journal",
        Form::FileAndPairs(&[key("file", "FILE", "The file.")]),
        "The journal, from which a match is resumed; beside the PGN file if not given, `adoube-match.journal` without one.",
    ),
    word("resume", Form::Nothing, "Go on with the match that the journal tells of."),
    word(
        "config",
        Form::Pairs(CONFIG),
        "Words from a file: a journal, whose match goes on, or a text as in a shell with `#` comments; those on the line win.",
    ),
    word(
        "startup-ms",
        Form::One("MS"),
        "How long an engine may take to say `uciok` or `feature done=1`; 10000 if not given.",
    ),
    word(
        "ucinewgame-ms",
        Form::One("MS"),
        "How long it may take to be ready for a new game; 60000 if not given.",
    ),
    word("ping-ms", Form::One("MS"), "How long it may take to say `readyok`; 60000 if not given."),
    word(
        "quick",
        Form::Pairs(&[many("cmd", "FILE", "A player; twice."), key("book", "FILE", "The openings.")]),
        "Two players at 10+0.1 with random openings, draws by score, 25000 rounds, `-recover`, all processors but two and lines as cutechess-cli has them; other words win.",
    ),
    word(
        "compliance",
        Form::Rest("ENGINE [ARGS]"),
        "Check how an engine keeps to UCI, instead of a match; the first word.",
    ),
    word("version", Form::Nothing, "Show the version."),
    word("help", Form::Nothing, "Show this."),
    ignored("autosaveinterval", Form::One("N"), "Changes nothing: the journal keeps each game as it ends."),
    ignored("randomseed", Form::Nothing, "Changes nothing: the seed is drawn unless `-srand` gives it."),
];

/// Words of other runners that are not taken: name, whose it is, what to do instead.
pub(super) const FOREIGN: &[(&str, &str, &str)] = &[
    ("debug", "cutechess-cli", "say -log file=FILE engine=true"),
    ("bookmode", "cutechess-cli", "of a book only what is drawn is held in memory: leave it out"),
    ("resultformat", "cutechess-cli", "the form is chosen by -output"),
    ("outcomeinterval", "cutechess-cli", "results are shown with the rating: say -ratinginterval N"),
    ("engines", "cutechess-cli", "engines.json is not read: say -engine cmd=FILE"),
    ("protocols", "cutechess-cli", "there are uci and xboard"),
    ("variants", "cutechess-cli", "there are standard and fischerandom"),
    ("livepgnout", "TCEC's cutechess-cli", "say -pgnout file=FILE, which has each game as soon as it ends"),
    ("tournamentfile", "TCEC's cutechess-cli", "say -journal file=FILE, from which -resume goes on"),
    ("bergerschedule", "TCEC's cutechess-cli", "there is one order of a round robin: leave it out"),
    ("csvout", "newer fastchess", "say -json, and take the results from its lines"),
    ("pgnin", "older cutechess-cli", "say -openings file=FILE format=pgn"),
    ("pgndepth", "older cutechess-cli", "say -openings file=FILE format=pgn plies=N"),
    ("fcp", "older cutechess-cli", "say -engine"),
    ("scp", "older cutechess-cli", "say -engine"),
    ("both", "older cutechess-cli", "say -each"),
    ("gauntlet", "c-chess-cli", "say -tournament gauntlet"),
    ("sample", "c-chess-cli", "there is no such output"),
    ("pgn", "the demonstration and of c-chess-cli", "say -pgnout file=FILE"),
    ("time", "the demonstration", "say -each tc=SECONDS+INCREMENT"),
    ("increment", "the demonstration", "say -each tc=SECONDS+INCREMENT"),
];

/// Keys of `-engine` of other runners that are not taken.
pub(super) const FOREIGN_KEYS: &[(&str, &str, &str)] = &[
    ("conf", "cutechess-cli", "engines.json is not read: give cmd= and the options"),
    ("initstr", "cutechess-cli", "give UCI options as option.NAME=VALUE"),
    ("book", "cutechess-cli", "say -openings file=FILE format=bin"),
    ("bookdepth", "cutechess-cli", "say -openings file=FILE format=bin plies=N"),
    ("whitepov", "cutechess-cli", "UCI scores are the engine's own"),
    ("hg", "cutechess-cli", "an hourglass is tc=*SECONDS"),
    ("tscale", "cutechess-cli", "say -startup-ms and -ping-ms"),
    ("movetime", "c-chess-cli", "say st=SECONDS"),
];

/// The word of this name, with or without its dashes.
pub(super) fn find(name: &str) -> Option<&'static Word> {
    let name = match name.trim_start_matches('-') {
        "v" => "version",
        "h" => "help",
        other => other,
    };
    WORDS.iter().find(|word| word.name == name)
}

const USAGE: &str = "\
Usage: adoube match -engine cmd=A -engine cmd=B -each tc=10+0.1 [words]
       adoube match [--pgn FILE] [--time SECONDS] [--increment SECONDS]
       adoube match --compliance ENGINE [ARGS]

The first plays a match, the second shows a game of the engine against itself,
the third checks an engine. The words are those of fastchess, and those of
cutechess-cli that are here too; -word and --word are the same.

Example: adoube match -engine cmd=./new -engine cmd=./old \\
  -each tc=10+0.1 option.Hash=64 -rounds 200 -repeat -concurrency 4 \\
  -openings file=book.epd order=random -pgnout file=games.pgn
";

/// The text of `adoube match -help`.
pub(super) fn help() -> String {
    let mut text = USAGE.to_string();
    for word in WORDS {
        let _ = write!(text, "\n  {}\n      {}\n", word.shown(None), word.about);
        let keys = if word.name == "each" { &[] } else { word.keys() };
        for key in keys {
            let _ = writeln!(text, "        {:<22} {}", key.shown(), key.about);
        }
    }
    text.replace('`', "")
}

/// The tables in the README; keys without a value there take `true` or `false`.
#[cfg(test)]
pub(super) fn markdown() -> String {
    let short = |key: &Key| if key.value == YES { format!("{}=", key.name) } else { key.shown() };
    let row = |shown: &str, about: &str| format!("| `{}` | {about} |\n", shown.replace('|', "\\|"));
    let mut text = "| Word | What it does |\n|---|---|\n".to_string();
    text.extend(WORDS.iter().map(|word| row(&word.shown(Some(short)), word.about)));
    text += "\n| Key of `-engine` and `-each` | What it does |\n|---|---|\n";
    text.extend(ENGINE.iter().map(|key| row(&key.shown(), key.about)));
    text
}
