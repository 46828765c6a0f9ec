//! Command lines as they are found in projects' scripts, manuals and issues, and as the testing frameworks write them.

use super::tests::{TWO, ask_with, match_of, match_with, notes_of, wrong};
use crate::arbiter::adjudicate::{DrawRule, ResignRule};
use crate::laws::{DrawAgreement, Edition, Scoring, TimeControl};
use crate::openings::{Format, Order};
use crate::tournament::config::{Affinity, Kind, LogLevel, MatchConfig, OutputStyle, SprtModel, Variant};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn clock(moves: Option<u32>, time: u64, increment: u64) -> Option<TimeControl> {
    let millis = Duration::from_millis;
    Some(TimeControl::repeating(moves, millis(time), millis(increment)))
}

fn names(config: &MatchConfig) -> Vec<&str> {
    config.players.iter().map(|player| player.engine.name.as_str()).collect()
}

fn option<'a>(config: &'a MatchConfig, player: usize, name: &str) -> Option<&'a str> {
    let options = &config.players[player].engine.options;
    options.iter().find(|(option, _)| option == name).map(|(_, value)| value.as_str())
}

#[test]
fn a_test_in_the_form_of_cutechess_counts_games_and_says_so() {
    let line = format!("{TWO} -sprt elo0=0 elo1=5 -output format=cutechess");
    assert!(!match_of(&line).output.penta);
    assert_eq!(
        notes_of(&line),
        ["-output format=cutechess: the test counts games by themselves, not pairs of them"]
    );
    assert!(notes_of(&format!("{line} -report penta=false")).is_empty());
    assert!(notes_of(&line.replace("elo1=5", "elo1=5 model=bayesian")).is_empty());
}

#[test]
fn openbench() {
    let line = "-recover -variant standard -testEnv -concurrency 4 -rounds 32 -games 2 \
        -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 \
        -engine dir=Engines/ cmd=./Ethereal-1A2B3C4D proto=uci tc=8.0+0.08 timemargin=250 \
        option.Threads=1 option.Hash=8 name=Ethereal-dev \
        -engine dir=Engines/ cmd=./Ethereal-5E6F7A8B proto=uci tc=8.0+0.08 timemargin=250 \
        option.Threads=1 option.Hash=8 option.SyzygyPath= name=Ethereal-base \
        -openings file=Books/UHO_4060_v2.epd format=epd order=random start=1 -srand 1234567890 \
        -pgnout file=PGNs/1.pgn seldepth=true nodes=true match_line='^info string pgncomment .*'";
    let config = match_of(line);
    assert_eq!(names(&config), ["Ethereal-dev", "Ethereal-base"]);
    let player = &config.players[0];
    assert_eq!(
        (player.engine.cmd.as_path(), player.engine.dir.as_deref()),
        (Path::new("./Ethereal-1A2B3C4D"), Some(Path::new("Engines/")))
    );
    assert_eq!(
        (player.limits.clock.clone(), player.limits.margin),
        (clock(None, 8000, 80), Duration::from_millis(250))
    );
    assert_eq!((option(&config, 0, "Hash"), option(&config, 1, "SyzygyPath")), (Some("8"), Some("")));
    assert_eq!(
        (config.rounds, config.games, config.concurrency, config.seed),
        (32, 2, 4, Some(1_234_567_890))
    );
    assert_eq!(config.adjudication.draw, Some(DrawRule { move_number: 40, move_count: 8, score: 10 }));
    assert_eq!(config.adjudication.resign, Some(ResignRule { move_count: 3, score: 400, two_sided: false }));
    let pgn = config.pgn.unwrap();
    assert_eq!(pgn.match_line.as_deref(), Some("^info string pgncomment .*"));
    assert!(pgn.seldepth && pgn.nodes && pgn.append && !pgn.nps && config.recover);
    assert_eq!(config.regulations.edition, Edition::Engine);
    assert!(notes_of(line).iter().any(|note| note.contains("-testEnv: played with -laws engine")));
    let config = match_of(&line.replace("-testEnv", "-testEnv -laws fide-2018"));
    assert_eq!(config.regulations.edition, Edition::Fide2018);

    // Its other limits, and positions with one game each.
    let line = "-recover -variant fischerandom -testEnv -concurrency 1 -rounds 8 -games 1 \
        -engine cmd=./A proto=uci tc=inf nodes=25000 timemargin=250 name=A-dev \
        -engine cmd=./B proto=uci st=0.50 timemargin=250 name=A-base -openings file=b.epd format=epd";
    let config = match_of(line);
    assert_eq!(
        (config.players[0].limits.clock.clone(), config.players[0].limits.nodes),
        (None, Some(25_000))
    );
    assert_eq!(config.players[1].limits.movetime, Some(Duration::from_millis(500)));
    assert_eq!((config.games, config.variant, config.output.penta), (1, Variant::Chess960, false));
}

#[test]
fn fishtest() {
    let line = "-testEnv -recover -repeat -games 2 -rounds 16 -ratinginterval 1 -scoreinterval 1 \
        -autosaveinterval 0 -report penta=true -pgnout file=results.pgn -crc32 pgn=true \
        -site https://tests.stockfishchess.org/tests/view/1 -event 'Batch 3: a vs b' -srand 42 \
        -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 -variant standard -concurrency 7 \
        -openings file=UHO_Lichess_4852_v1.epd format=epd order=random plies=16 start=321 -check-mate-pvs \
        -engine name=New-1234 tc=10+0.1 cmd=./stockfish_1234 option.Hash=16 proto=uci option.Threads=1 \
        -engine name=Base-5678 tc=10+0.1 cmd=./stockfish_5678 option.Hash=16 proto=uci option.Threads=1";
    let config = match_of(line);
    assert_eq!((config.output.rating_interval, config.output.score_interval), (1, 1));
    assert!(config.output.penta && config.output.crc32 && config.check_mate_pvs && config.recover);
    assert_eq!(config.event.as_deref(), Some("Batch 3: a vs b"));
    assert_eq!(config.openings.as_ref().unwrap().start, 321);
    assert_eq!(config.adjudication.draw, Some(DrawRule { move_number: 34, move_count: 8, score: 20 }));
    let notes = notes_of(line);
    for word in ["-testEnv", "-autosaveinterval", "plies="] {
        assert!(notes.iter().any(|note| note.contains(word)), "{word}: {notes:?}");
    }
}

#[test]
fn the_manuals() {
    let config = match_of(
        "-engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe \
         name=Engine2 -openings file=book.epd format=epd order=random \
         -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4",
    );
    assert_eq!(
        (config.rounds, config.games, config.players[1].limits.clock.clone()),
        (200, 2, clock(None, 60_000, 600))
    );
    assert_eq!(option(&config, 1, "Hash"), Some("64"));

    // The rough form of an end-to-end test.
    let config = match_of(
        "-engine cmd=random_mover name=random_move_1 -engine cmd=random_mover name=random_move_2 \
         -each tc=2+0.02s args='single words \"multiple words\"' -rounds 1 -repeat -concurrency 4 \
         -openings file=tests/e2e/openings.epd format=epd order=random",
    );
    assert_eq!(config.players[0].engine.args, ["single", "words", "multiple words"]);
    assert_eq!(config.players[0].limits.clock.clone(), clock(None, 2000, 20));
}

#[test]
fn a_regression_test_without_a_format() {
    let config = match_of(
        "-engine cmd=engines/icarus-dev name=IcarusDev -engine cmd=engines/icarus-main name=IcarusMain \
         -each tc=8+0.08 option.MoveOverhead=10 -rounds 50000 -concurrency 12 \
         -openings order=random file=books/UHO_Lichess_4852_v1.epd \
         -sprt elo0=-5 elo1=0 alpha=0.05 beta=0.05 -draw movenumber=40 movecount=8 score=10 -resign movecount=3 score=400",
    );
    let sprt = config.sprt.unwrap();
    assert_eq!((sprt.elo0, sprt.elo1, sprt.model), (-5.0, 0.0, SprtModel::Normalized));
    let openings = config.openings.unwrap();
    assert_eq!((openings.format, openings.order, openings.start), (Format::Epd, Order::Random, 1));
}

#[test]
fn tuning_with_affinity_and_tables() {
    let line = "-sprt elo0=0 elo1=3 alpha=0.05 beta=0.10 -games 2 -rounds 400000 \
        -openings file=engines/openings/UHO_Lichess_4852_v1.epd order=random -draw movenumber=40 movecount=8 score=10 \
        -concurrency 12 -use-affinity -recover -engine name=dev cmd=engines/dev -engine name=base cmd=engines/base \
        -each tc=1+0.01";
    let config = match_of(line);
    assert_eq!((config.affinity, config.sprt.unwrap().beta), (Some(Affinity::All), 0.10));
    let config = match_of(&format!("{line} -tb /mnt/trunk/syzygy/ -tbpieces 5 -tbadjudicate DRAW"));
    let rule = config.adjudication.tables.unwrap();
    assert_eq!((rule.most_pieces, rule.wins, rule.draws), (Some(5), false, true));
    assert_eq!(config.tables.as_deref(), Some("/mnt/trunk/syzygy/"));
    let config = match_of(&format!("{line} -tb tables -tbadjudicate NONE"));
    assert!(config.adjudication.tables.is_none() && config.tables.is_some());
}

#[test]
fn a_gauntlet_with_each_twice() {
    // From an issue; `-each` stands before the last engine, and again after it.
    let config = match_of(
        "-openings file=C:\\cutechess-1.3.1-win64\\books\\UHO_Lichess_4852_v1.epd order=random start=567 \
         -engine cmd=\"Stockfish dev-20240709-362a77a3.exe\" name=Engine1 \
         -engine cmd=\"Stockfish dev-20240709-362a77a3.exe\" name=Engine2 -each proto=uci nodes=5000 dir=\"C:/Chess Engines/\" \
         -engine cmd=\"Stockfish dev-20240709-362a77a3.exe\" name=Engine3 -each proto=uci nodes=5000 dir=\"C:/Chess Engines/\" \
         -rounds 4 -concurrency 4 -resign movecount=3 score=600 -pgnout file=fastchess.pgn nodes=true -ratinginterval 1 \
         -log file=log level=trace -recover -tournament gauntlet",
    );
    assert_eq!(config.kind, Kind::Gauntlet { seeds: 1 });
    assert!(config.players.iter().all(|player| player.limits.nodes == Some(5000)));
    assert_eq!(config.players[2].engine.cmd, PathBuf::from("Stockfish dev-20240709-362a77a3.exe"));
    assert_eq!(config.log.unwrap().level, LogLevel::Trace);
}

#[test]
fn powershell_with_a_bare_pgn_file() {
    let config = match_of(
        "-engine dir=G:/Github/Stockfish/src/ name=b1 -engine dir=G:/Github/Stockfish/src/ name=b2 \
         -each cmd=stockfish.exe tc=1+0.01 -recover -concurrency 10 -openings file=openings.epd -rounds 5000 -repeat \
         -pgnout sprt-2582.pgn -log file=log.txt engine=true level=trace engine=true",
    );
    assert_eq!(config.players[1].engine.cmd, PathBuf::from("stockfish.exe"));
    assert_eq!(config.pgn.unwrap().file, PathBuf::from("sprt-2582.pgn"));
    assert!(config.log.unwrap().engine);
}

#[test]
fn a_bare_pgn_file_named_by_its_time_control() {
    for file in ["./tc=10+0.1/g.pgn", "sprt-tc=10+0.1.pgn"] {
        let config = match_of(&format!("-engine cmd=a -engine cmd=b -each tc=1 -pgnout {file} nodes=true"));
        assert_eq!(config.pgn.map(|pgn| (pgn.file, pgn.nodes)), Some((PathBuf::from(file), true)));
    }
    // What is nearly a key, or could be, is no file, but may have been meant to be one.
    let told = "unknown key 'n-ps' of -pgnout: did you mean 'nps'? (a file of that name: file=n-ps=b)";
    assert_eq!(wrong(&format!("{TWO} -pgnout n-ps=b")), [told]);
    let told = "unknown key 'a' of -epdout (a file of that name: file=a=b.epd)";
    assert_eq!(wrong(&format!("{TWO} -epdout a=b.epd")), [told]);
    // What stands first and is a key is one, whatever signs are in it.
    let words = "-pgnout match_line=foo file=g.pgn -laws default-time=60s edition=fide-2018";
    let config = match_of(&format!("-engine cmd=a -engine cmd=b -each tc=1 {words}"));
    assert_eq!(config.pgn.map(|pgn| pgn.file), Some(PathBuf::from("g.pgn")));
    assert_eq!(config.regulations.edition, Edition::Fide2018);
}

#[test]
fn a_makefile_without_names_for_each_engine() {
    let config = match_of(
        "-engine cmd=./Agent4k name=Agent4k_1 tc=10+0.1 -engine cmd=./Agent4k name=Agent4k_2 tc=10+0.1 \
         -pgnout file=selfplay_debug.pgn -rounds 1 -log file=fastchess_debug.log level=trace engine=true",
    );
    assert_eq!((config.openings, config.concurrency, config.games), (None, 1, 2));
}

#[test]
fn crashes_without_a_clock() {
    let config = match_of(
        "-engine cmd=./scripted_result args=--crash-on-go name=crasher -engine cmd=./scripted_result name=healthy \
         -each nodes=1 -rounds 2 -repeat -concurrency 1 -recover -log file=log.txt level=info",
    );
    assert_eq!(config.players[0].engine.args, ["--crash-on-go"]);
    assert_eq!(config.players[1].limits.nodes, Some(1));
}

#[test]
fn time_limits_of_a_test_harness() {
    let config = match_of(
        "-engine cmd=a name=left option.Seed=7 -engine cmd=b name=right option.Seed=11 -each st=0.1 -concurrency 1 \
         -srand 101 -maxmoves 2 -pgnout file=RESULT.pgn append=false notation=uci min=false timeleft=true latency=true pv=false \
         -log file=RAW.log level=trace engine=true append=false -autosaveinterval 0 -ratinginterval 0 \
         -startup-ms 1000 -ucinewgame-ms 2000 -ping-ms 3000 -strict",
    );
    let millis = Duration::from_millis;
    assert_eq!(
        (config.startup_time, config.new_game_time, config.ready_time),
        (millis(1000), millis(2000), millis(3000))
    );
    assert!(config.strict && !config.pgn.as_ref().unwrap().append);
    assert_eq!((config.adjudication.max_moves, config.output.rating_interval), (Some(2), 0));
    assert_eq!((option(&config, 0, "Seed"), option(&config, 1, "Seed")), (Some("7"), Some("11")));
}

#[test]
fn cutechess_with_error_files() {
    let config = match_of(
        "-engine name=Aspect cmd=releases/v2_move_ordering -engine name=BlueCannonBall cmd=releases/v1_basic \
         -games 2 -rounds 50000 -pgnout \"sprt/pgnout.txt\" -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05 \
         -each proto=uci tc=8+0.08 stderr=sprt/stderr.txt \
         -openings order=random file=\"sprt/openings.epd\" format=epd -concurrency 6 -ratinginterval 10",
    );
    assert_eq!(config.players[0].engine.stderr.as_deref(), Some(Path::new("sprt/stderr.txt")));
    assert_eq!(config.pgn.unwrap().file, PathBuf::from("sprt/pgnout.txt"));
}

#[test]
fn cutechess_with_the_same_program_twice() {
    let config = match_of(
        "-engine cmd=o9-dev -engine cmd=o9-dev -each proto=uci tc=1+0.8 -games 2 -rounds 10000 -repeat 2 -maxmoves 250 \
         -openings file=/mnt/Data/Chess/StartingPositions/Hyat_4000_openings.epd format=epd order=sequential \
         -pgnout cutechess.pgn -concurrency 15 -ratinginterval 10 -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05",
    );
    assert_eq!(names(&config), ["o9-dev", "o9-dev_2"]);
    assert_eq!((config.games, config.adjudication.max_moves), (2, Some(250)));
}

#[test]
fn cutechess_with_zero_moves_and_a_minimal_pgn() {
    let config = match_of(
        "-engine name=pygone cmd=pygone -engine name=sunfish cmd=sunfish/sunfish -each proto=uci tc=0/298+2 restart=off \
         -openings file=book.pgn -repeat -pgnout games.pgn min fi -recover -wait 1000 -games 2 -rounds 1350",
    );
    assert_eq!(config.players[0].limits.clock.clone(), clock(None, 298_000, 2000));
    let pgn = config.pgn.unwrap();
    assert!(pgn.minimal && pgn.append);
    assert_eq!((config.openings.unwrap().format, config.wait), (Format::Pgn, Duration::from_secs(1)));
}

#[test]
fn cutechess_lines_that_cannot_be_taken_say_why() {
    for (line, hints) in [
        (
            "-debug -engine name=a cmd=a depth=3 -engine name=umax48 cmd=umax48 proto=xboard depth=3 \
             -each tc=inf restart=off -openings file=book.pgn -repeat -pgnout games.pgn min -games 2 -rounds 50",
            &["-debug is a word of cutechess-cli"][..],
        ),
        (
            "-engine conf=\"Lynx 1.10.0\" -engine conf=\"Lynx 1.9.1\" -each tc=inf/40+0.4 option.Hash=256 \
             -games 2 -rounds 5000 -repeat -maxmoves 400 -srand 1692649580 -tournament gauntlet -seeds 1 -concurrency 8 \
             -outcomeinterval 10 -ratinginterval 10 -resultformat wide2 -recover -pgnout matches\\progress.pgn",
            &["conf= is a key of cutechess-cli", "-outcomeinterval is a word", "-resultformat is a word"],
        ),
        (
            "-engine cmd=a -engine cmd=b -each tc=8+0.08 -tournament roundrobin -bergerschedule -livepgnout live min \
             -tournamentfile t -csvout file=sprt.csv",
            &[
                "-bergerschedule is a word of TCEC's cutechess-cli",
                "-livepgnout is a word of TCEC's cutechess-cli that a match here does not have: say -pgnout",
                "-tournamentfile is a word of TCEC's cutechess-cli that a match here does not have: say -journal",
                "-csvout is a word of newer fastchess that a match here does not have: say -json",
            ],
        ),
        (
            "-engine cmd=a -engine cmd=b -each proto=uci tc=8+0.08 -openings file=OPENINGS.epd format=epd order=random \
             -games 200 -rounds 1 -maxmoves 200 -concurrency 4 -ratinginterval 10",
            &["for 200 games say -rounds 100 -games 2"],
        ),
        (
            "-engine name=a cmd=a -engine name=b cmd=b -games 2 -rounds 500 -each proto=uci tc=8+0.08 -variant atomic",
            &["-variant atomic: expected one of standard"],
        ),
    ] {
        let errors = wrong(line);
        for hint in hints {
            assert!(errors.iter().any(|error| error.contains(hint)), "{hint}: {errors:#?}");
        }
    }
}

#[test]
fn variants_are_known_by_many_names() {
    for name in
        ["fischerandom", "FischeRandom", "fischerrandom", "FRC", "frc", "Chess960", "CHESS960", "wild/fr"]
    {
        let config = match_of(&format!("{TWO} -variant {name} -openings chess960=lot"));
        assert_eq!(config.variant, Variant::Chess960, "{name}");
    }
    assert_eq!(match_of(&format!("{TWO} -variant Standard")).variant, Variant::Standard);
    // One mistake is told once.
    let errors = wrong(&format!("{TWO} -variant fisherandum -openings chess960=lot"));
    assert!(matches!(&errors[..], [error] if error.starts_with("-variant fisherandum: expected one of")));
    let errors = wrong(&format!("{TWO} -variant Standard -openings chess960=lot"));
    assert!(
        matches!(&errors[..], [error] if error.ends_with("expected -variant fischerandom")),
        "{errors:?}"
    );
}

#[test]
fn the_quick_word() {
    let config = match_of("-quick cmd=./stockfish cmd=./stockfish book=UHO.epd");
    assert_eq!(names(&config), ["stockfish", "stockfish_2"]);
    assert_eq!((config.rounds, config.games, config.concurrency), (25_000, 2, 62));
    assert_eq!(
        (config.output.style, config.output.penta, config.recover),
        (OutputStyle::Cutechess, false, true)
    );
    assert_eq!(config.adjudication.draw, Some(DrawRule { move_number: 30, move_count: 8, score: 8 }));
    assert_eq!(config.players[0].limits.clock.clone(), clock(None, 10_000, 100));
    assert_eq!(config.openings.unwrap().order, Order::Random);
    let config = match_of("-quick cmd=a cmd=b -openings file=U.pgn start=3");
    let openings = config.openings.unwrap();
    assert_eq!((openings.order, openings.start, openings.format), (Order::Random, 3, Format::Pgn));
    // Other words win.
    let config =
        match_of("-quick cmd=a cmd=b book=U.pgn -each st=1 -rounds 5 -concurrency 2 -draw score=20 -json");
    assert_eq!((config.players[0].limits.clock.clone(), config.rounds, config.concurrency), (None, 5, 2));
    assert_eq!(config.adjudication.draw, Some(DrawRule { move_number: 30, move_count: 8, score: 20 }));
    assert_eq!(config.output.style, OutputStyle::Json);
}

#[test]
fn what_the_line_says_stands_over_what_excludes_it() {
    let config = match_of("-quick cmd=A cmd=B -variant fischerandom -openings chess960=lot");
    assert_eq!(config.openings.unwrap().format, Format::Chess960(None));
    let over = |line: &str, file: &str| match_with(&format!("{TWO} -config file=m.txt {line}"), file).0;
    let chess960 = "-variant fischerandom -openings chess960=lot";
    let config = over(chess960, "-openings file=b.epd format=epd order=sequential plies=4 start=3");
    let openings = config.openings.unwrap();
    assert_eq!((openings.format, openings.order, openings.start), (Format::Chess960(None), Order::Random, 3));
    assert_eq!(over("-openings file=b.pgn", chess960).openings.unwrap().format, Format::Pgn);
    let config = over("-laws engine", "-laws fide-2018 draws=never expel=2 scoring=3-1-0");
    assert_eq!(
        (config.regulations.edition, config.regulations.draws, config.expulsion, config.regulations.scoring),
        (Edition::Engine, DrawAgreement::Free, None, Scoring::ThreeOneZero)
    );
    let config = over("-laws fide-2018", "-laws fide-2023 draws=never");
    assert_eq!(
        (config.regulations.edition, config.regulations.draws),
        (Edition::Fide2018, DrawAgreement::Never)
    );
    let gauntlet = "-tournament gauntlet -seeds 2";
    assert_eq!(over("-tournament roundrobin", gauntlet).kind, Kind::RoundRobin);
    assert_eq!(
        over("-engine cmd=c -tournament gauntlet", gauntlet).kind,
        Kind::Gauntlet { seeds: 2 },
        "of what it does not exclude the file is heard"
    );
}

#[test]
fn the_file_of_words_is_written_to_by_nobody() {
    for (word, shown) in [
        ("-log file=c.txt append=false", "-log file=c.txt"),
        ("-pgnout ./c.txt", "-pgnout file=./c.txt"),
        ("-epdout c.txt", "-epdout file=c.txt"),
    ] {
        let told = format!("-config file=c.txt and {shown} are one file: expected a file for each");
        let error = ask_with(&format!("{TWO} -config file=c.txt {word}"), "-rounds 7").unwrap_err();
        assert_eq!(error.errors(), [told]);
        match_with(&format!("{TWO} -config file=c.txt discard=true {word}"), "");
    }
}

#[test]
fn a_test_of_a_match_may_be_what_adoube_sprt_takes() {
    let sprt = match_of(&format!("{TWO} -sprt elo0=-3000 elo1=2000 alpha=0.49")).sprt.unwrap();
    assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha), (-3000.0, 2000.0, 0.49));
    let told = "-sprt elo1 is 3001: expected a number from -3000 to 3000";
    assert_eq!(wrong(&format!("{TWO} -sprt elo0=0 elo1=3001")), [told]);
}
