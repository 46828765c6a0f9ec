//! Tests of the whole way from words to a request.

use super::values::split;
use super::*;
use crate::arbiter::adjudicate::ResignRule;
use crate::tournament::config::{Affinity, Kind, LogLevel, OpeningPolicy, OutputStyle, SprtModel};
use std::time::Duration;

/// A line as a shell would take it apart, on a machine with 64 processors.
fn ask(line: &str) -> Result<Request, WrongUsage> {
    ask_with(line, "")
}

/// The same where every file has this text.
pub(super) fn ask_with(line: &str, file: &str) -> Result<Request, WrongUsage> {
    let open = |path: &Path| match path.to_str() {
        Some("missing") => Err(io::Error::from(io::ErrorKind::NotFound)),
        _ => Ok(Box::new(io::Cursor::new(file.to_string())) as Box<dyn BufRead>),
    };
    parse_at(&split(line, false).unwrap(), &Surroundings { processors: Some(64), open: &open })
}

pub(super) fn match_of(line: &str) -> MatchConfig {
    match_with(line, "").0
}

pub(super) fn match_with(line: &str, file: &str) -> (MatchConfig, Vec<String>, Vec<String>) {
    match ask_with(line, file) {
        Ok(Request::Match { config, words, notes }) => (*config, words, notes),
        other => panic!("{line}: {other:#?}"),
    }
}

pub(super) fn notes_of(line: &str) -> Vec<String> {
    match_with(line, "").2
}

pub(super) fn wrong(line: &str) -> Vec<String> {
    match ask(line) {
        Err(WrongUsage(errors)) => errors,
        other => panic!("{line}: {other:#?}"),
    }
}

/// Two engines that could play.
pub(super) const TWO: &str = "-engine cmd=a -engine cmd=b -each tc=1+0";

#[test]
fn the_defaults_are_those_of_fastchess() {
    let config = match_of(TWO);
    assert_eq!((config.rounds, config.games, config.concurrency), (2, 2, 1));
    assert_eq!((config.kind, config.seed, config.policy), (Kind::RoundRobin, None, OpeningPolicy::Round));
    assert_eq!((config.output.rating_interval, config.output.score_interval), (10, 1));
    assert!(config.output.penta && !config.recover && config.openings.is_none());
    assert_eq!(config.startup_time, Duration::from_secs(10));
    assert_eq!((config.ready_time, config.new_game_time), (Duration::from_secs(60), Duration::from_secs(60)));
    assert!(config.players.iter().all(|player| player.limits.margin.is_zero() && !player.engine.restart));
    let config = match_of(&format!(
        "{TWO} -sprt elo0=0 elo1=2 -log file=l -epdout e.epd -resign movecount=3 -tournament gauntlet"
    ));
    let sprt = config.sprt.unwrap();
    assert_eq!((sprt.alpha, sprt.beta, sprt.model), (0.05, 0.05, SprtModel::Normalized));
    assert_eq!(config.rounds, 500_000);
    let small = match_of(&format!("{TWO} -sprt elo0=0 elo1=2 alpha=1e-3 -openings file=x.fen")).sprt.unwrap();
    assert_eq!((small.alpha, small.beta), (0.001, 0.05));
    let log = config.log.unwrap();
    assert!(log.level == LogLevel::Warning && log.append && log.realtime && !log.engine);
    assert!(config.epd.as_deref() == Some(Path::new("e.epd")) && config.epd_append);
    assert_eq!(config.adjudication.resign, Some(ResignRule { move_count: 3, score: 0, two_sided: false }));
    assert_eq!(config.kind, Kind::Gauntlet { seeds: 1 });
}

#[test]
fn both_spellings_and_negative_numbers() {
    let one = match_of(&format!("{TWO} -rounds 7 -concurrency -2 -use-affinity 0-61 -sprt elo0=-3 elo1=-1"));
    let two = match_of(
        "--engine cmd=a --engine cmd=b --each tc=1+0 --rounds 7 --concurrency -2 --use-affinity 0-61 --sprt elo0=-3 elo1=-1",
    );
    assert_eq!(one, two);
    assert_eq!((one.concurrency, one.rounds), (62, 7));
    assert!(matches!(one.affinity, Some(Affinity::List(list)) if list.len() == 62));
}

#[test]
fn what_is_said_of_each_applies_everywhere_and_a_player_s_own_word_wins() {
    for line in [
        "-each tc=10+0.1 option.Hash=16 option.Threads=1 restart=on args=x -engine cmd=a option.hash=64 tc=5 -engine cmd=b st=1 args='y z' ponder restart=off",
        "-engine cmd=a option.hash=64 tc=5 -each tc=10+0.1 option.Hash=16 -engine cmd=b st=1 args='y z' ponder restart=off -each option.Threads=1 restart=on args=x",
    ] {
        let config = match_of(line);
        let [a, b] = &config.players[..] else { panic!() };
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        assert_eq!(a.engine.options, [pair("Threads", "1"), pair("hash", "64")]);
        assert_eq!(b.engine.options, [pair("Hash", "16"), pair("Threads", "1")]);
        assert_eq!(a.limits.clock.as_ref().unwrap().time(), Duration::from_secs(5));
        assert_eq!((b.limits.clock.clone(), b.limits.movetime), (None, Some(Duration::from_secs(1))));
        assert!(a.engine.restart && !b.engine.restart && b.ponder && !a.ponder);
        assert_eq!((a.engine.args.len(), b.engine.args.len()), (1, 2));
    }
}

#[test]
fn options_with_blanks_and_arguments() {
    let config = match_of(
        "-engine cmd=a \"option.Clear Hash=true\" arg=-p \"arg=x y\" plies=5 -engine cmd=b name=B depth=7 args=\"a b 'c d'\" timemargin=30",
    );
    assert_eq!(config.players[0].engine.options, [("Clear Hash".to_string(), "true".to_string())]);
    assert_eq!(config.players[0].engine.args, ["-p", "x y"]);
    assert_eq!(config.players[1].engine.args, ["a", "b", "c d"]);
    assert_eq!((config.players[0].limits.depth, config.players[1].limits.depth), (Some(5), Some(7)));
    assert_eq!(config.players[1].limits.margin, Duration::from_millis(30));
}

#[test]
fn names_are_made_where_they_are_not_given() {
    let names = |line: &str| {
        let config = match_of(&format!("{line} -each nodes=1"));
        config.players.into_iter().map(|player| player.engine.name).collect::<Vec<_>>()
    };
    assert_eq!(names("-engine cmd=/x/sf-16.1 -engine cmd=C:\\y\\Sf.EXE"), ["sf-16.1", "Sf"]);
    assert_eq!(names("-engine cmd=a -engine cmd=./a -engine cmd=x/a"), ["a", "a_2", "a_3"]);
    // A name that is given belongs to whom it is given.
    assert_eq!(names("-engine cmd=a -engine cmd=b name=a"), ["a_2", "a"]);
}

#[test]
fn other_requests() {
    assert_eq!(ask("-engine cmd=a --help -what"), Ok(Request::Help));
    assert_eq!(ask("-version"), Ok(Request::Version));
    assert_eq!(ask("--v"), Ok(Request::Version));
    let expected =
        Request::Compliance { program: "./e".into(), arguments: vec!["--uci".into(), "-help".into()] };
    assert_eq!(ask("--compliance ./e --uci -help"), Ok(expected));
    assert!(wrong("--compliance")[0].contains("ENGINE"));
    assert!(wrong(&format!("{TWO} --compliance e"))[0].contains("first word"));
}

#[test]
fn the_demonstration_is_told_apart() {
    for (line, expected) in [
        ("", true),
        ("--time 3 --pgn=x.pgn --increment 0.1", true),
        ("--pgn games", true),
        ("--time=-1", true),
        ("--time -1", true),
        ("--time", true),
        ("--help", false),
        ("everybody", false),
        ("--time 3 -engine cmd=a", false),
        ("--pgn --time 3", false),
    ] {
        assert_eq!(is_demonstration(&split(line, false).unwrap()), expected, "{line}");
    }
    assert!(wrong("--time 3 -engine cmd=a")[0].contains("-each tc=SECONDS+INCREMENT"));
}

#[test]
fn mistakes_name_the_word_and_what_was_meant() {
    for (words, expected) in [
        ("-concurency 4", "unknown word '-concurency': did you mean '-concurrency'?"),
        ("--round 4", "unknown word '--round': did you mean '-rounds'?"),
        ("-tc 3", "-tc is no word: tc is a key of -engine and -each"),
        ("-option.Hash=4", "-option.Hash=4 is no word: option is a key of -engine and -each"),
        ("-banana", "unknown word '-banana'"),
        ("-rounds=4", "'-rounds=4': its value stands after a blank: -rounds 4"),
        ("-quiet=true", "'-quiet=true': -quiet takes no value"),
        (
            "-each nodes=5 whitepov",
            "-each whitepov is a key of cutechess-cli that a match here does not have: UCI scores are the engine's own",
        ),
        ("-engine cmd=c tmie=3", "unknown key 'tmie' of -engine: did you mean 'timemargin'?"),
        ("-draw movenumbr=3", "unknown key 'movenumbr' of -draw: did you mean 'movenumber'?"),
        ("-pgnout x.pgn mim", "-pgnout 'mim' is not key=value: did you mean 'min'?"),
        (
            "-engine cmd=c option.Clear Hash=true",
            "-engine option.Clear has no value: expected option.NAME=VALUE; a name with blanks is quoted: \"option.Clear Hash=true\"",
        ),
        ("-engine cmd=c name", "-engine name has no value: expected name=NAME"),
        ("-rounds", "-rounds has no value: expected -rounds N"),
        ("-rounds 3 4", "-rounds 3 4: expected one value, -rounds N"),
        ("-rounds ten", "-rounds ten: expected a whole number from 1 to 1000000000, such as 100"),
        ("-rounds 0", "-rounds 0: expected a whole number from 1 to 1000000000, such as 100"),
        (
            "-rounds 1000000001",
            "-rounds 1000000001: expected a whole number from 1 to 1000000000, such as 100",
        ),
        (
            "-rounds 18446744073709551615",
            "-rounds 18446744073709551615: expected a whole number from 1 to 1000000000, such as 100",
        ),
        ("-recover true", "-recover takes no value, but 'true' stands after it"),
        ("-engine", "-engine has no value: expected -engine cmd=FILE"),
        ("-log level=info", "-log has no file: expected -log file=FILE"),
        ("-pgnout nodes=true", "-pgnout has no file: expected -pgnout file=FILE"),
        ("-log file=", "-log file= has no value: expected file=FILE"),
        (
            "-log file=x level=infos",
            "-log level='infos': expected one of trace, info, warn, err, fatal: did you mean 'info'?",
        ),
        ("-pgnout file=x nodes=yes", "-pgnout nodes='yes': expected one of true, false"),
        (
            "-openings file=x.epd order=randon",
            "-openings order='randon': expected one of sequential, random: did you mean 'random'?",
        ),
        (
            "-openings file=book",
            "the openings 'book' have no known ending: add -openings format=epd, pgn or bin",
        ),
        ("-openings file=x.epd start=0", "-openings start='0': expected a whole number from 1 on, such as 1"),
        (
            "-openings file=x.epd policy=keep",
            "-openings policy='keep': expected one of round, encounter, default",
        ),
        ("-engine cmd=c ponder=maybe", "-engine ponder=maybe: expected ponder=true or ponder=false"),
        ("-use-affinity 3,x", "-use-affinity 3,x: expected numbers of processors, such as 3,5,7-11,13"),
        (
            "-bookmode ram",
            "-bookmode is a word of cutechess-cli that a match here does not have: of a book only what is drawn is held in memory: leave it out",
        ),
        ("-fcp cmd=x", "-fcp is a word of older cutechess-cli that a match here does not have: say -engine"),
        ("-tbpieces 6", "-tbpieces is for tablebases: add -tb FOLDER"),
        (
            "-tb x -tbadjudicate wins",
            "-tbadjudicate wins: expected one of BOTH, WIN_LOSS, DRAW, NONE: did you mean 'WIN_LOSS'?",
        ),
        (
            "-tournament knockout",
            "-tournament knockout: a tournament of cutechess-cli that is not here: expected roundrobin or gauntlet",
        ),
        ("-autosaveinterval x", "-autosaveinterval x: expected a whole number from 0 on, such as 20"),
        (
            "-draw score=-5",
            "-draw score='-5': expected a whole number from 0 to 1000000, such as 10 (centipawns)",
        ),
    ] {
        let errors = wrong(&format!("{TWO} {words}"));
        assert_eq!(errors, [expected], "{words}");
    }
    assert_eq!(wrong("everybody"), ["'everybody' stands before any word: expected one such as -engine"]);
}

#[test]
fn what_may_be_among_the_unreadable_is_not_called_missing() {
    for (line, errors) in [
        ("-engine cmd= -engine cmd=b -each tc=1", 1),
        ("-engine cmd=a -engine cmd=b -each tcc=1", 1),
        ("-engin cmd=a -engine cmd=b -each tc=1", 1),
        ("-engine cmd=a -engine cmd=b -each tc=1 -pgnout fle=x -crc32 pgn=true", 1),
        ("-engine -engine cmd=b -sprt elo0=0 elo=5", 2),
    ] {
        assert_eq!(wrong(line).len(), errors, "{line}: {:#?}", wrong(line));
    }
}

#[test]
fn values_of_players_name_the_player() {
    for (words, expected) in [
        ("name=A tc=60x", "-engine 1 (A) tc='60x': expected [moves/]time[+increment]"),
        ("name=A tc=1 st=abc", "-engine 1 (A) st='abc': expected seconds above 0, such as 0.1"),
        ("name=A tc=1 nodes=0", "-engine 1 (A) nodes='0': expected a whole number from 1 on, such as 100000"),
        ("name=A tc=1 timemargin=-3", "-engine 1 (A) timemargin='-3': expected a whole number from 0"),
        ("name=A tc=1 proto=usi", "-engine 1 (A) proto='usi': expected one of uci, xboard, cecp"),
        ("name=A tc=1 proto=cecp nodes=5", "-engine 1 (A): nodes= cannot be told in xboard's protocol"),
        ("name=A tc=1 restart=yes", "-engine 1 (A) restart='yes': expected one of on, off, auto"),
        ("name=A tc=1 \"args='x\"", "-engine 1 (A) args=''x': a quotation mark ' is not closed"),
        ("name=A tc=1 'name=B\"'", "-engine 1 name= is given twice"),
        ("name=A", "-engine 1 (A) may think for ever: give tc=, st=, nodes= or depth=, such as tc=10+0.1"),
        ("name=A tc=inf", "-engine 1 (A) may think for ever"),
        ("name=A tc=1+1 st=1", "-engine 1 (A): tc and st contradict each other: give one of them"),
    ] {
        let errors = wrong(&format!("-engine cmd=a {words} -engine cmd=b tc=1"));
        assert!(errors.len() == 1 && errors[0].starts_with(expected), "{words}: {errors:#?}");
    }
    assert_eq!(wrong("-engine cmd=a -engine cmd=b -each tc=x").len(), 1, "told once, not for each");
    assert_eq!(wrong("-engine tc=1 -engine cmd=b tc=1"), ["-engine 1 has no program: give cmd=FILE"]);
}

#[test]
fn contradictions_are_refused() {
    for (line, expected) in [
        ("", "a match needs at least two engines, 0 given"),
        ("-engine cmd=a tc=1", "a match needs at least two engines, 1 given"),
        (
            "-engine cmd=a name=x -engine cmd=b name=x -each tc=1",
            "two engines are called 'x': names must be unique",
        ),
        ("TWO -sprt elo0=5 elo1=5", "-sprt elo0 (5) must be less than elo1 (5)"),
        ("TWO -sprt elo0=0", "-sprt has no elo1=: expected -sprt elo0=0 elo1=5"),
        ("TWO -sprt elo0=0 elo1=5 alpha=0.6 beta=0.4", "-sprt alpha is 0.6: expected a probability"),
        (
            "TWO -sprt elo0=0 elo1=5 alpha=0",
            "-sprt alpha='0': expected a number above 0 and below 1, such as 0.05",
        ),
        (
            "TWO -sprt elo0=0 elo1=5 -engine cmd=c",
            "-sprt tests one engine against another: two are needed, not 3",
        ),
        (
            "TWO -games 3",
            "-games 3: expected 1 or 2 games of one meeting, such as 2; for 3 games say -rounds 3 -games 1",
        ),
        (
            "TWO -rounds 10 -games 3",
            "-games 3: expected 1 or 2 games of one meeting, such as 2; for 30 games say -rounds 15 -games 2",
        ),
        ("TWO -games 0", "-games 0: expected 1 or 2 games of one meeting, such as 2"),
        ("TWO -games 1 -repeat", "-repeat, which is -games 2, and -games 1 contradict each other"),
        ("TWO -seeds 1", "-seeds is for a gauntlet: add -tournament gauntlet"),
        ("TWO -tournament gauntlet -seeds 2", "-seeds 2: of 2 engines at most 1 can be"),
        ("TWO -concurrency 0", "-concurrency 0: expected a whole number from 1 to 4294967295, such as 4"),
        ("TWO -concurrency -64", "-concurrency -64: that leaves none of 64 processors"),
        (
            "TWO -concurrency 65",
            "-concurrency 65: this machine has 64 processors; say -force-concurrency if it is meant",
        ),
        (
            "TWO -concurrency 3 -use-affinity 1,2",
            "-use-affinity names 2 processors for 3 games at the same time",
        ),
        (
            "TWO -variant fischerandom",
            "-variant fischerandom has no start positions: expected -openings chess960=lot or file=FILE",
        ),
        ("TWO -openings chess960=lot", "-openings chess960= is for Chess960: expected -variant fischerandom"),
        (
            "TWO -variant fischerandom -openings chess960=960",
            "-openings chess960='960': expected lot, all, or a number: expected a whole number from 0 to 959",
        ),
        (
            "TWO -variant fischerandom -openings chess960=lot file=x.epd",
            "-openings chess960= needs no file=: leave one of them out",
        ),
        (
            "TWO -each 'option.Hash=1\nquit'",
            "-each option.Hash='1\nquit': a line end or another control character would be a command",
        ),
        ("TWO -event 'a\nb'", "-event a\nb: expected a text of one line, without control characters"),
        ("TWO -site 'a\tb'", "-site a\tb: expected a text of one line"),
        (
            "-engine cmd=a 'name=a\nb' -engine cmd=b -each tc=1",
            "-engine 1 (a\nb) name='a\nb': expected a name",
        ),
        ("-engine 'cmd=a\nb' -engine cmd=b -each tc=1", "-engine 1: its program's name \"a\\nb\" has "),
        (
            "TWO -use-affinity -each option.threads=4",
            "-use-affinity holds each game to one processor, but -engine 1 (a) has option.Threads=4: leave one of them out",
        ),
        (
            "TWO -pgnout file=y.pgn -journal file=./y.pgn",
            "-pgnout file=y.pgn and the journal ./y.pgn are one file: expected a file for each",
        ),
        ("TWO -pgnout file=x -epdout file=x", "-pgnout file=x and -epdout file=x are one file"),
        (
            "TWO -openings file=b.pgn -pgnout file=b.pgn",
            "-openings file=b.pgn and -pgnout file=b.pgn are one file",
        ),
        ("TWO -log file=l -epdout file=l", "-epdout file=l and -log file=l are one file"),
        ("TWO -sprt elo0=0 elo1=5 beta=0.5", "-sprt beta is 0.5: expected a probability between 0 and 0.5"),
        ("TWO -pgnout file=g match_line=(", "-pgnout match_line: "),
        ("TWO -pgnout file=g -each stderr=g", "-pgnout file=g and stderr=g are one file"),
        ("TWO -crc32 pgn=true", "-crc32 pgn=true: there is no -pgnout file"),
        ("TWO -json -output format=cutechess", "-json and -output contradict each other: give one of them"),
        ("TWO -rounds 5 -rounds 6", "-rounds is given twice: '5' and '6'"),
        ("TWO -draw score=5 movecount=3 -draw score=6", "-draw score= is given twice: '5' and '6'"),
        ("-quick cmd=a book=b.epd", "-quick needs two cmd=, 1 given"),
        ("-quick cmd=a cmd=b", "-quick has no openings: expected book=FILE"),
    ] {
        let errors = wrong(&line.replace("TWO", TWO));
        assert!(errors[0].starts_with(expected), "{line}: {errors:#?}");
    }
}

#[test]
fn what_does_not_contradict_is_taken() {
    for words in [
        "-json -quiet",
        #[cfg(unix)]
        "-pgnout file=/dev/null -epdout file=/dev/null",
        "-json -output format=json",
        "-resume -journal file=x.journal",
        "-resume -journal x.journal",
        "-noswap -reverse",
        "-concurrency 65 -force-concurrency",
        "-repeat -games 2",
        "-repeat 1 -games 1",
        "-tournament round-robin",
        "-openings file=b.bin plies=8 policy=encounter",
        "-openings file=b format=bin",
        "-variant fischerandom -openings chess960=lot start=3",
        "-maxmoves 0",
        "-use-affinity -each option.Threads=1",
        "-each option.Threads=4",
        "-rounds 1000000000",
        "-event My Event -site Somewhere else",
    ] {
        match_of(&format!("{TWO} {words}"));
    }
    assert_eq!(match_of(&format!("{TWO} -event My Event")).event.as_deref(), Some("My Event"));
    assert_eq!(match_of(&format!("{TWO} -json")).output.style, OutputStyle::Json);
}

#[test]
fn what_changes_nothing_is_worth_a_note() {
    for (words, expected) in [
        ("-autosaveinterval 0", "-autosaveinterval changes nothing: the journal keeps each game as it ends"),
        ("-randomseed", "-randomseed changes nothing: the seed is drawn unless -srand gives it"),
        ("-concurrency 1025 -force-concurrency", "-concurrency 1025: 1024 games at once are the most"),
        ("-rounds 3 -rounds 3", "-rounds is given twice"),
        ("-recover -recover", "-recover is given twice"),
        ("-log file=x compress=true", "-log compress=true changes nothing: the log is written as plain text"),
        (
            "-openings file=x.epd plies=8",
            "-openings plies= changes nothing: positions of an EPD file have no moves before them",
        ),
        ("-resign movecount=3", "-resign without score= takes every score that is not above 0 as lost"),
        ("-report penta=true -games 1", "-report penta=true changes nothing: there are no pairs of games"),
        (
            "-openings file=x.bin order=sequential",
            "-openings order= changes nothing: a Polyglot book is always drawn from by lot",
        ),
        ("-laws judge=x", "-laws judge= changes nothing without quickplay=true"),
        ("-each finish=10/4", "finish= changes nothing without -laws quickplay=true"),
        (
            "-laws quickplay=true -each finish=10/4",
            "finish= changes nothing in blitz games, which have no quickplay finish",
        ),
        (
            "-laws edition=fide-2005 quickplay=true -each finish=delay:10/4",
            "finish=delay: changes nothing with -laws fide-2005, which knows no such request",
        ),
        ("-config outname=x.json", "-config outname= changes nothing: the journal keeps the match"),
    ] {
        assert_eq!(notes_of(&format!("{TWO} {words}")), [expected], "{words}");
    }
    assert!(notes_of(TWO).is_empty());
}

#[test]
fn all_errors_are_told_but_no_more_than_ten_shown() {
    let errors = wrong(&format!("{TWO} -rounds x -wait y -games 5 -nonsense"));
    assert_eq!(errors.len(), 4, "{errors:#?}");
    let many: String = (0..13).map(|number| format!(" -nonsense{number}")).collect();
    let shown = ask(&format!("{TWO}{many}")).unwrap_err().to_string();
    assert_eq!(shown.lines().count(), 11);
    assert_eq!(shown.lines().last(), Some("and 3 more"));
}

#[test]
fn what_xboards_protocol_cannot_tell_is_told_to_the_user() {
    let notes = |time: &str| notes_of(&format!("-engine cmd=a proto=xboard -engine cmd=b -each st={time}"));
    assert_eq!(notes("1.5"), [""; 0]);
    let told = notes("0.5");
    assert!(told.len() == 1 && told[0].contains("knows no st= below a second"), "{told:?}");
}

#[test]
fn words_of_a_file_stand_below_those_of_the_line() {
    let file = "# a match\n-engine cmd=a 'name=The A'\n-engine cmd=b\n-each tc=10+0.1 option.Hash=16\n-rounds 5 -games 1 -draw movecount=4 score=5\n";
    let (config, words, _) =
        match_with("-config file=m.txt -rounds 9 -repeat -draw score=8 -each st=1 option.hash=32", file);
    assert_eq!((config.rounds, config.games, config.players.len()), (9, 2, 2));
    let draw = config.adjudication.draw.unwrap();
    assert_eq!((draw.move_count, draw.score), (4, 8));
    assert_eq!((config.players[0].limits.clock.clone(), config.players[0].engine.options.len()), (None, 1));
    assert_eq!(config.players[0].engine.name, "The A");
    // The words tell the whole match without the file.
    assert!(!words.iter().any(|word| word == "-config"));
    let Ok(Request::Match { config: again, .. }) =
        parse_at(&words, &Surroundings { processors: Some(64), open: &|_| panic!() })
    else {
        panic!("{words:?}")
    };
    assert_eq!(*again, config);
    // Engines of the line stand in the place of the file's.
    let (config, ..) = match_with("-config file=m.txt -engine cmd=x -engine cmd=y -engine cmd=z", file);
    assert_eq!(config.players.len(), 3);
    let (config, _, notes) = match_with(&format!("{TWO} -config file=m.txt discard=true"), file);
    assert!(config.rounds == 2 && notes.len() == 1);
    let windows = "\u{feff}-rounds 7 \\\r\n-event x\r\n";
    assert_eq!(match_with(&format!("{TWO} -config file=m.txt"), windows).0.rounds, 7);
}

#[test]
fn files_that_cannot_be_taken() {
    for (file, text, expected) in [
        ("missing", "", "-config file='missing': entity not found"),
        (
            "config.json",
            "{\n  \"resign\": {}\n}",
            "-config file='config.json': this is JSON, as fastchess's config.json",
        ),
        ("x", "-engine 'cmd=a", "-config file='x': a quotation mark ' is not closed"),
        ("x", "-nonsense", "in 'x': unknown word '-nonsense'"),
        ("x", "-config file=y", "in 'x': -config belongs on the command line"),
    ] {
        let error = ask_with(&format!("{TWO} -config file={file}"), text).unwrap_err();
        assert!(error.errors().len() == 1 && error.errors()[0].starts_with(expected), "{error}");
    }
}

#[test]
fn a_journal_tells_its_words() {
    let header = r#"{"format":"adoube-journal","version":1,"words":["-engine","cmd=a","name=x y","-engine","cmd=b","-each","tc=1+0","-rounds","7","-resume"]}"#;
    assert_eq!(words_of_journal(header).unwrap().len(), 10);
    for other in
        ["", "-rounds 5", "{}", r#"{"format":"x","words":[]}"#, r#"{"format":"adoube-journal","words":[1]}"#]
    {
        assert_eq!(words_of_journal(other), None, "{other}");
    }
    // It is gone on with, wherever it was when it was begun.
    let text = format!("{}\n{{\"game\":1}}\n", header.replace("\"-resume\"", "\"-journal\",\"file=x\""));
    for resume in ["", "-resume", "-journal file=m.journal", "-journal m.journal -resume"] {
        let line = format!("-config file=m.journal -rounds 9 {resume}");
        let (config, words, _) = match_with(&line, &text);
        assert_eq!((config.rounds, config.players[0].engine.name.as_str()), (9, "x y"));
        assert!(config.resume && config.journal.as_deref() == Some(Path::new("m.journal")), "{words:?}");
    }
    assert!(
        match_with("-config file=m.journal -journal ./m.journal", &text).0.resume,
        "one file by two names"
    );
    // With another journal it is a new match of the same words.
    for text in [&text, &format!("{header}\n")] {
        let (config, ..) = match_with("-config file=m.journal -journal file=n.journal", text);
        assert!(!config.resume && config.journal.as_deref() == Some(Path::new("n.journal")));
    }
    // A text of words is none to go on with.
    let (config, ..) = match_with("-config file=m.txt", "-engine cmd=a\n-engine cmd=b -each tc=1+0");
    assert!(!config.resume && config.journal.is_none());
}

/// A journal can be larger than the memory.
#[test]
fn only_the_first_line_of_a_journal_is_read() {
    struct NoMore;
    impl io::Read for NoMore {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("read too far"))
        }
    }
    let ask_of = |text: &'static str| {
        let open = |_: &Path| {
            Ok(Box::new(io::BufReader::new(io::Read::chain(text.as_bytes(), NoMore))) as Box<dyn BufRead>)
        };
        let words = ["-config", "file=f"].map(String::from);
        parse_at(&words, &Surroundings { processors: Some(64), open: &open })
    };
    let journal = "{\"format\":\"adoube-journal\",\"words\":[\"-engine\",\"cmd=a\",\"-engine\",\"cmd=b\",\"-each\",\"tc=1\"]}\n";
    assert!(matches!(ask_of(journal), Ok(Request::Match { config, .. }) if config.resume));
    assert!(ask_of("-rounds 5\n").unwrap_err().to_string().contains("read too far"));
    // What never ends is not read for ever.
    let endless = |_: &Path| Ok(Box::new(io::BufReader::new(io::repeat(b' '))) as Box<dyn BufRead>);
    let words = ["-config", "file=f"].map(String::from);
    let error = parse_at(&words, &Surroundings { processors: Some(64), open: &endless }).unwrap_err();
    assert!(error.to_string().contains("too large"), "{error}");
}

#[test]
fn words_of_another_machine_do_not_depend_on_this_one() {
    let header = |line: &str| parse_header(&split(line, false).unwrap());
    for words in ["-concurrency 100000", "-concurrency -100000", "-concurrency -2 -use-affinity 5"] {
        let config = header(&format!("{TWO} {words}")).unwrap();
        assert_eq!(same_match(&config, &match_of(TWO)), Ok(()), "{words}");
    }
    assert_eq!(header("-quick cmd=a cmd=b book=b.epd").unwrap().concurrency, 1);
    for (line, expected) in [
        ("-concurrency 2", "two engines"),
        ("-help", "no match"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -config file=/dev/null", "unsupported"),
    ] {
        let error = header(line).unwrap_err().to_string();
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn the_table_is_sound_and_the_readme_shows_it() {
    for (index, word) in table::WORDS.iter().enumerate() {
        assert!(!word.about.is_empty() && word.about.ends_with('.'), "{}", word.name);
        assert!(!table::WORDS[..index].iter().any(|before| before.name == word.name), "{} twice", word.name);
        let foreign = table::FOREIGN.iter().any(|(name, ..)| *name == word.name);
        assert!(!foreign, "{} is ours", word.name);
        assert!(help().contains(&format!("\n  -{}", word.name)), "{}", word.name);
        for (index, key) in word.keys().iter().enumerate() {
            assert!(
                !word.keys()[..index].iter().any(|before| before.name == key.name),
                "{} {}",
                word.name,
                key.name
            );
        }
    }
    let readme = include_str!("../../../README.md");
    let shown =
        readme.split_once("<!-- words -->\n").and_then(|(_, rest)| rest.split_once("\n<!-- /words -->"));
    let shown = shown.expect("the marks are in the README").0;
    let expected = table::markdown();
    assert!(shown.trim() == expected.trim(), "README, between the marks:\n{expected}");
}
