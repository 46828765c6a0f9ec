//! The client of xboard's protocol against an engine that does what it is told to.

mod support;

use adoube::board::{Board, Position};
use adoube::engine::cecp::{CecpClient, Level};
use adoube::engine::config::{EngineConfig, Protocol};
use adoube::engine::connection::{Speaker, listen};
use adoube::engine::info::Score;
use adoube::engine::process::EngineError;
use adoube::engine::said::Said;
use adoube::types::{Color, Outcome};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use support::cecp::{PATIENCE, Table, level, mock_cecp, surroundings};

const START: &str = Board::START_FEN;

/// The engine with these switches; `LOG` stands for a file of its own, which `Logged` reads.
fn config(switches: &[&str]) -> EngineConfig {
    let mut args: Vec<String> = switches.iter().map(|word| (*word).to_string()).collect();
    args.extend(["--name".to_string(), "mock".to_string()]);
    EngineConfig { cmd: mock_cecp(), args, protocol: Protocol::Cecp, ..EngineConfig::default() }
}

fn start(switches: &[&str]) -> CecpClient {
    CecpClient::start(&config(switches), &surroundings()).unwrap()
}

fn table(switches: &[&str]) -> Table {
    Table::new(start(switches), START, &[])
}

/// A file for what an engine was told, removed in the end.
struct Log(PathBuf);

impl Log {
    fn new(name: &str) -> Log {
        let path = std::env::temp_dir().join(format!("adoube-cecp-{}-{name}.log", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Log(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn read(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap_or_default()
    }

    /// What it was told from the line `from` on, once it has read the line `to`.
    fn lines(&self, from: &str, to: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let text = self.read();
            let found = text.lines().skip_while(|line| *line != from).map(String::from).collect::<Vec<_>>();
            if found.iter().any(|line| line == to) {
                return found;
            }
            assert!(Instant::now() < deadline, "no '{to}' after '{from}': {text}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn assert_well_spoken(&self) {
        let text = self.read();
        assert!(!text.contains("[wrong]"), "{text}");
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn the_greeting_is_answered() {
    let log = Log::new("greeting");
    let features = "ping=1 setboard=1 usermove=1 colors=0 memory=1 smp=1 name=1 ics=1 egt=\"x\" \
                    option=\"Style -combo Solid /// *Wild\" option=\"Book -check 1\" option=\"Log -check 0\" \
                    option=\"Reset -button\"";
    let mut config = config(&["--features", features, "--log", log.path()]);
    let options = [
        ("Style", "solid"),
        ("book", "false"),
        ("Log", "1"),
        ("Reset", "true"),
        ("Reset", "false"),
        ("Threads", "2"),
        ("Hash", "64"),
        ("Ponder", "true"),
        ("UCI_Chess960", "true"),
        ("Contempt", "5"),
        ("Style", "Mild"),
    ];
    config.options = options.map(|(name, value)| (name.to_string(), value.to_string())).to_vec();
    let client = CecpClient::start(&config, &surroundings()).unwrap();
    assert_eq!(client.name(), "mock");
    assert_eq!(
        client.refusals(),
        [
            "doesn't have option Contempt",
            "cannot do that: Invalid value for option Style: 'Mild' is none of Solid, Wild"
        ]
    );
    let mut table = Table::new(client, START, &[]);
    table.turn();
    let told = log.lines("xboard", "go");
    for line in [
        "accepted ping",
        "rejected egt",
        "option Style=Solid",
        "option Book=0",
        "option Log=1",
        "option Reset",
        "accepted done",
    ] {
        assert_eq!(told.iter().filter(|known| *known == line).count(), 1, "{line}: {told:#?}");
    }
    // Once when it is set up, so that it can complain, and again with each game.
    assert_eq!(told.iter().filter(|line| *line == "memory 64").count(), 2, "{told:#?}");
    let begin = told.iter().rposition(|line| line == "memory 64").unwrap();
    assert_eq!(
        told[begin..],
        [
            "memory 64",
            "cores 2",
            "new",
            "ics -",
            "name Somebody",
            "computer",
            "level 0 1 0",
            "hard",
            "easy",
            "post",
            "force",
            "ping 2",
            "time 6000",
            "otim 6000",
            "go"
        ]
    );
    log.assert_well_spoken();
}

#[test]
fn errors_while_it_is_set_up_are_heard() {
    let client = start(&["--on", "start=say=tellusererror_no_network|Error_(bad_value):_option_Style=7"]);
    assert_eq!(client.refusals(), ["says: no network", "says: Error (bad value): option Style=7"]);
}

#[test]
fn who_has_not_asked_for_memory_and_cores_is_not_told_of_them() {
    let log = Log::new("means");
    let mut config = config(&["--features", "ping=1 setboard=1 name=1", "--log", log.path()]);
    config.name = "Given".into();
    config.options = [("Hash", "64"), ("Threads", "2")].map(|(a, b)| (a.to_string(), b.to_string())).to_vec();
    let mut client = CecpClient::start(&config, &surroundings()).unwrap();
    assert_eq!(client.name(), "Given", "whatever it calls itself");
    assert_eq!(client.refusals(), ["doesn't have option Hash", "doesn't have option Threads"]);
    // A name has no end of a line in it.
    client.new_game(&Position::default(), &[], false, &level(), false, "A\nB").unwrap();
    let told = log.lines("new", "force");
    assert!(told.contains(&"name A B".to_string()), "{told:?}");
    assert!(!log.read().contains("memory") && !log.read().contains("cores"));
    log.assert_well_spoken();
}

#[test]
fn an_ordinary_turn_is_three_lines() {
    let log = Log::new("turn");
    let mut table = table(&["--script", "e2e4 Nf3", "--log", log.path()]);
    assert_eq!(table.turn(), "e2e4");
    table.reply("e7e5");
    assert_eq!(table.turn(), "Nf3");
    let told = log.lines("go", "usermove e7e5");
    assert_eq!(told, ["go", "time 6000", "otim 6000", "usermove e7e5"]);
    assert_eq!(table.client.take_unasked(), 0);
    log.assert_well_spoken();
}

#[test]
fn an_opening_is_played_in_force_mode() {
    for (book, own) in [(&["e4", "e5", "Nf3"][..], "b8c6"), (&["e4", "e5"], "g1f3")] {
        let log = Log::new(&format!("opening-{own}"));
        let mut table = Table::new(start(&["--script", own, "--log", log.path()]), START, book);
        assert_eq!(table.turn(), own);
        log.assert_well_spoken();
    }
    // The opponent moves first.
    let log = Log::new("opening-black");
    let mut table = table(&["--script", "c7c5", "--log", log.path()]);
    table.reply("e2e4");
    assert_eq!(table.turn(), "c7c5");
    let told = log.lines("force", "go");
    assert_eq!(told[2..], ["usermove e2e4", "time 6000", "otim 6000", "go"]);
    log.assert_well_spoken();
}

#[test]
fn notations_are_those_that_the_engine_wants() {
    let fen = "r3k2r/1P6/8/8/8/8/7p/R3K2R b KQkq - 0 1";
    for (features, expected) in [
        ("ping=1 setboard=1 usermove=1 san=1 colors=0", ["usermove O-O", "usermove O-O-O"]),
        ("ping=1 setboard=1 usermove=0 san=0", ["e8g8", "e1c1"]),
        ("ping=1 setboard=1 usermove=0 san=1 time=0", ["O-O", "O-O-O"]),
    ] {
        let log = Log::new(&format!("notation-{}", features.len()));
        let start = start(&["--features", features, "--script", "a8a2 *", "--log", log.path()]);
        let mut table = Table::new(start, fen, &["O-O", "O-O-O"]);
        table.turn();
        let told = log.lines(&format!("setboard {fen}"), "go");
        assert_eq!(told[1..3], expected);
        assert_eq!(told.contains(&"black".to_string()), !features.contains("colors"));
        // It stands before times.
        let has_both = !features.contains("colors") && !features.contains("time=0");
        assert_eq!(told.contains(&"white".to_string()), has_both);
        assert_eq!(told.iter().any(|line| line.starts_with("time")), !features.contains("time=0"));
        table.reply("b8=Q");
        table.turn();
        log.assert_well_spoken();
    }
}

#[test]
fn an_engine_with_colors_is_told_whose_clock_it_is() {
    let log = Log::new("colors");
    let features = "ping=1 setboard=1 usermove=1";
    let mut table = Table::new(start(&["--features", features, "--log", log.path()]), START, &[]);
    table.turn();
    assert_eq!(log.lines("black", "go"), ["black", "time 6000", "otim 6000", "white", "go"]);
    log.assert_well_spoken();
}

#[test]
fn a_result_that_comes_late_is_of_the_game_before() {
    let switches =
        ["--features", "setboard=1 usermove=1 colors=0", "--script", "e2e4+sleep=5+say=1-0_{mates}"];
    let mut table = table(&switches);
    table.turn();
    table.client.tell_result(Outcome::Win(Color::White), "mates", Instant::now() + PATIENCE).unwrap();
    let mut next = Table::new(table.client, START, &[]);
    next.turn();
    assert!(matches!(&next.said[..], [Said::Move(_)]), "{:?}", next.said);
}

#[test]
fn a_refusal_of_what_a_game_begins_with_is_heard() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for features in ["ping=1 setboard=1 usermove=1 colors=0", "setboard=1 usermove=1 colors=0"] {
        for words in ["tellusererror_Illegal_position", "Illegal_move:_e7e5"] {
            let switches = ["--features", features, "--on", &format!("new=say={words}")];
            let mut client = start(&switches);
            for game in 1..=2 {
                let mut table = Table::new(client, fen, &[]);
                table.think();
                let said = table.hear().unwrap();
                assert!(
                    matches!(&said, Said::Refuses(text) if text.starts_with("Illegal")),
                    "{game}: {said:?}"
                );
                table.answer();
                table.client.tell_result(Outcome::Draw, "enough", Instant::now() + PATIENCE).unwrap();
                client = table.client;
            }
        }
    }
}

#[test]
fn a_refusal_that_comes_late_is_of_the_game_before() {
    for features in ["ping=1 setboard=1 usermove=1 colors=0", "setboard=1 usermove=1 colors=0"] {
        let switches = ["--features", features, "--on", "result=sleep=5+say=Illegal_move:_e7e5"];
        let mut table = table(&switches);
        table.turn();
        table.client.tell_result(Outcome::Draw, "enough", Instant::now() + PATIENCE).unwrap();
        let mut next = Table::new(table.client, START, &[]);
        next.turn();
        assert!(matches!(&next.said[..], [Said::Move(_)]), "{features}: {:?}", next.said);
    }
}

#[test]
fn moves_of_an_opening_that_are_repeated_are_none_that_nobody_asked_for() {
    let client = start(&["--on", "new=say=1._..._e7e5"]);
    let mut table = Table::new(client, START, &["e4", "e5", "Nf3"]);
    assert_eq!(table.client.take_unasked(), 0);
    table.turn();
}

#[test]
fn engines_without_setboard_are_edited() {
    let log = Log::new("edit");
    let client = start(&["--features", "ping=1", "--script", "e7d6", "--log", log.path()]);
    let mut table = Table::new(client, "4k3/4p3/3P4/8/8/8/8/4K2R b K - 0 1", &[]);
    assert_eq!(table.turn(), "e7d6");
    let told = log.lines("edit", "go");
    assert_eq!(told[..8], ["edit", "#", "Pd6", "Rh1", "Ke1", "c", "Pe7", "Ke8"]);
    log.assert_well_spoken();
    let rights = Position::from_fen("4k3/8/8/8/8/8/8/4K2R b - - 0 1").unwrap();
    let refused = table.client.new_game(&rights, &[], false, &level(), false, "");
    assert!(matches!(refused, Err(EngineError::Unable(text)) if text.contains("castling rights")));
    let chess960 = table.client.new_game(&Position::default(), &[], true, &level(), false, "");
    assert!(matches!(chess960, Err(EngineError::Unable(_))));
}

#[test]
fn chess960_is_a_variant() {
    let log = Log::new("chess960");
    let features = "ping=1 setboard=1 usermove=1 colors=0 variants=\"normal,fischerandom\"";
    let mut client = start(&["--features", features, "--script", "O-O", "--log", log.path()]);
    let fen = "2k2r2/8/8/8/8/8/5P2/1R2K1R1 w GBf - 0 1";
    let position = Position::from_fen(fen).unwrap();
    client.new_game(&position, &[], true, &level(), false, "").unwrap();
    let mut table = Table { client, start: position, position, moves: vec![], said: vec![] };
    assert_eq!(table.turn(), "O-O");
    table.reply("O-O");
    table.turn();
    assert!(log.read().contains("variant fischerandom\n") && log.read().contains("usermove O-O\n"));
    log.assert_well_spoken();
    // What an engine may have drawn by lot is told too where it is the usual one.
    let mut usual = start(&["--features", features, "--log", log.path()]);
    usual.new_game(&Position::default(), &[], true, &level(), false, "").unwrap();
    assert!(log.read().contains("force\nsetboard rnbqkbnr/pppppppp/"), "{}", log.read());
    // Who does not name it, or names it not and does not know it, or plays only other games.
    for (switches, chess960) in [
        (&["--features", "ping=1 setboard=1 variants=\"normal\""][..], true),
        (&["--on", "new=say=Illegal_move:_variant_fischerandom"], true),
        (&["--features", "ping=1 setboard=1 variants=\"chu,fischerandom\""], false),
    ] {
        let begun = CecpClient::start(&config(switches), &surroundings())
            .and_then(|mut client| client.new_game(&position, &[], chess960, &level(), false, ""));
        assert!(matches!(begun, Err(EngineError::Unable(_))), "{switches:?}");
    }
    // In a match of it that is known at once.
    let mut config = config(&["--features", "ping=1 setboard=1 variants=\"normal\""]);
    config.options = vec![("UCI_Chess960".to_string(), "true".to_string())];
    let begun = CecpClient::start(&config, &surroundings());
    let told = begun.err().map(|error| error.to_string());
    assert_eq!(told.as_deref(), Some("does not play Chess960 (no variant fischerandom with setboard)"));
}

#[test]
fn engines_of_version_1_play_too() {
    for form in ["move", "numbered", "gnu", "bare"] {
        let log = Log::new(&format!("v1-{form}"));
        let switches = ["--no-features", "--form", form, "--seed", "3", "--log", log.path()];
        let mut table = table(&switches);
        let [refusal] = table.client.refusals() else { panic!("{:?}", table.client.refusals()) };
        assert!(refusal.contains("does it speak UCI?"), "{refusal}");
        for _ in 0..20 {
            table.turn();
            let mv = table.position.legal_moves()[0];
            table.play(mv);
        }
        assert_eq!(table.client.take_unasked(), 0, "{form}");
        let told = log.lines("force", "go");
        assert_eq!(
            told,
            ["force", "black", "time 6000", "otim 6000", "white", "go"].map(String::from)[..]
                .to_vec()
                .iter()
                .chain(&told[6..])
                .cloned()
                .collect::<Vec<_>>()
        );
        assert!(!log.read().contains("ping"));
        log.assert_well_spoken();
    }
}

#[test]
fn features_may_come_slowly_or_never_end() {
    let mut slow = Table::new(start(&["--slow", "2500", "--script", "e2e4"]), START, &[]);
    assert_eq!(slow.turn(), "e2e4");
    let mut open = Table::new(start(&["--no-done", "--script", "e2e4"]), START, &[]);
    assert_eq!(open.turn(), "e2e4");
    let mut late = surroundings();
    late.startup_time = Duration::from_millis(200);
    let error = CecpClient::start(&config(&["--slow", "60000"]), &late).err().unwrap();
    assert!(matches!(error, EngineError::Silent("feature done=1")), "{error}");
}

/// GNU Chess 6 loses lines that come while it starts.
#[test]
fn who_has_not_heard_is_asked_for_its_features_again() {
    let log = Log::new("asked-again");
    let client = start(&["--on", "protover1=nothing", "--log", log.path()]);
    assert_eq!(client.name(), "mock", "its features have come");
    assert!(log.read().matches("protover 2\n").count() >= 2);
    log.assert_well_spoken();
}

#[test]
fn offers_claims_and_resignations_come_in_order() {
    let mut table = table(&[
        "--script",
        "offer-draw+e2e4+offer-draw claim=1/2-1/2_{Draw_by_repetition}+d2d4 resign",
        "--on",
        "draw1=offer-draw",
    ]);
    table.turn();
    assert_eq!(table.hear().unwrap(), Said::OfferDraw);
    assert_eq!(table.said, [Said::OfferDraw, Said::Move("e2e4".into()), Said::OfferDraw]);
    assert!(table.client.tell_draw_offer(Instant::now() + PATIENCE).unwrap());
    assert_eq!(table.hear().unwrap(), Said::OfferDraw, "accepted");
    table.reply("e7e5");
    table.think();
    let claim = Said::Result { outcome: Outcome::Draw, comment: "Draw by repetition".into() };
    assert_eq!(table.hear().unwrap(), claim);
    table.answer();
    table.reply("d7d5");
    table.think();
    assert_eq!(table.hear().unwrap(), Said::Resign);
    assert!(table.client.is_thinking(), "it owes a move still");
    table
        .client
        .tell_result(Outcome::Win(Color::Black), "White resigns}\n", Instant::now() + PATIENCE)
        .unwrap();
    assert!(!table.client.must_restart());
}

#[test]
fn a_result_is_a_line_with_one_comment() {
    let log = Log::new("result");
    let mut table = table(&["--log", log.path()]);
    table.turn();
    table.client.tell_result(Outcome::Draw, "so {it}\nis", Instant::now() + PATIENCE).unwrap();
    assert_eq!(
        log.lines("force", "result 1/2-1/2 {so  it  is}").pop().as_deref(),
        Some("result 1/2-1/2 {so  it  is}")
    );
    log.assert_well_spoken();
}

#[test]
fn engines_that_want_no_offers_get_none() {
    let log = Log::new("no-offers");
    let mut table = table(&["--features", "ping=1 setboard=1 draw=0 reuse=0", "--log", log.path()]);
    assert!(!table.client.tell_draw_offer(Instant::now() + PATIENCE).unwrap());
    assert!(table.client.must_restart(), "reuse=0");
    assert!(!log.read().contains("computer"), "who has not asked for names");
    table.turn();
    log.assert_well_spoken();
}

#[test]
fn a_king_may_go_where_its_rook_was_when_it_castled() {
    let log = Log::new("castled");
    let client = start(&["--script", "g1h1 g1h1", "--log", log.path()]);
    let mut table = Table::new(client, "4k3/7p/8/8/8/8/7P/6KR w H - 0 1", &[]);
    assert_eq!(table.turn(), "g1h1");
    table.reply("e8e7");
    assert_eq!(table.turn(), "g1h1");
    log.assert_well_spoken();
}

#[test]
fn a_game_goes_on_after_an_illegal_move() {
    for features in ["ping=1 setboard=1 usermove=1 colors=0", "ping=1 colors=0"] {
        let log = Log::new(&format!("illegal-{}", features.len()));
        let switches =
            ["--features", features, "--at", "2=illegal=e4e6", "--at", "last=*", "--log", log.path()];
        let mut table = table(&switches);
        table.turn();
        table.reply("e7e5");
        table.think();
        assert_eq!(table.hear().unwrap(), Said::Move("e4e6".into()));
        // The same position again, and its clock runs on.
        table.turn();
        if features.contains("setboard") {
            // Without it the game had to begin anew, and so does the plan.
            table.reply("d7d5");
            table.turn();
        }
        // The third, which nobody waits for, parts what it says of the one move from what it says of the other.
        assert_eq!(log.read().matches("\nping").count(), 3, "nobody waited on the clock");
        log.assert_well_spoken();
    }
}

#[test]
fn a_second_illegal_move_that_was_on_its_way_is_not_the_answer_to_the_next_question() {
    let log = Log::new("illegal-twice");
    let mut table = table(&[
        "--at",
        "2=illegal=e4e6",
        "--at",
        "last=*",
        "--on",
        "ping3=illegal=e4e7",
        "--log",
        log.path(),
    ]);
    table.turn();
    table.reply("e7e5");
    table.think();
    assert_eq!(table.hear().unwrap(), Said::Move("e4e6".into()));
    table.turn();
    assert_eq!(table.client.take_unasked(), 1);
    log.assert_well_spoken();
}

#[test]
fn a_game_goes_on_after_a_wrong_claim() {
    let log = Log::new("claim");
    let mut table = table(&[
        "--script",
        "e2e4+claim=1-0_{White_mates} d2d4 claim=0-1_{Black_mates} g1f3",
        "--log",
        log.path(),
    ]);
    table.turn();
    assert!(matches!(table.hear().unwrap(), Said::Result { outcome: Outcome::Win(Color::White), .. }));
    table.reply("e7e5");
    assert_eq!(table.turn(), "d2d4");
    assert_eq!(log.read().matches("\nsetboard").count(), 1, "it was told where the game stands");
    table.reply("d7d5");
    table.think();
    assert!(matches!(table.hear().unwrap(), Said::Result { outcome: Outcome::Win(Color::Black), .. }));
    assert_eq!(table.turn(), "g1f3", "instead of the move that it has not made");
    log.assert_well_spoken();
}

#[test]
fn who_has_claimed_the_end_is_told_where_the_game_stands_and_not_how_it_came_there() {
    let log = Log::new("claimed");
    let mut table = table(&["--script", "e2e4 claim=1/2-1/2_{Draw} g1f3 b1c3", "--log", log.path()]);
    table.turn();
    table.reply("e7e5");
    table.think();
    assert!(matches!(table.hear().unwrap(), Said::Result { outcome: Outcome::Draw, .. }));
    assert_eq!(table.turn(), "g1f3");
    let fen = "setboard rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(log.lines(fen, "ping 3")[..2], [fen, "ping 3"], "no moves");
    table.reply("d7d5");
    assert_eq!(table.turn(), "b1c3");
    log.assert_well_spoken();
}

#[test]
fn a_move_behind_a_wrong_claim_is_no_answer_to_the_next_question() {
    let log = Log::new("stale");
    // The move has been on its way when it is asked again, and comes before its answer to the ping.
    let mut table = table(&[
        "--script",
        "e2e4 claim=1/2-1/2_{Draw} g1f3 b1c3",
        "--on",
        "ping3=illegal=d2d4",
        "--log",
        log.path(),
    ]);
    table.turn();
    table.reply("e7e5");
    table.think();
    let claim = Said::Result { outcome: Outcome::Draw, comment: "Draw".into() };
    assert_eq!(table.hear().unwrap(), claim);
    assert_eq!(table.turn(), "g1f3");
    assert_eq!(log.read().matches("\nping").count(), 3);
    table.reply("d7d5");
    assert_eq!(table.turn(), "b1c3");
    assert_eq!(table.client.take_unasked(), 0);
    log.assert_well_spoken();
}

#[test]
fn a_legal_move_that_is_refused_can_be_told_again() {
    let log = Log::new("refused");
    let mut table = table(&["--on", "move1=say=Illegal_move:_e7e5+refuse", "--log", log.path()]);
    table.turn();
    table.reply("e7e5");
    table.think();
    assert_eq!(table.hear().unwrap(), Said::Refuses("Illegal move: e7e5".into()));
    table.client.take_back();
    let text = table.turn();
    // A move that is taken back can be made again.
    table.position = table.start.after(table.moves[0]).after(table.moves[1]);
    table.moves.truncate(2);
    table.client.take_back();
    assert_eq!(table.turn(), text);
    log.assert_well_spoken();
}

#[test]
fn a_position_can_be_set_up_again() {
    let log = Log::new("again");
    let mut table = table(&["--seed", "1", "--log", log.path()]);
    table.turn();
    table.reply("e7e5");
    table.client.take_back();
    table.turn();
    // Less than before: the game has gone back.
    table.moves.truncate(1);
    table.position = table.start.after(table.moves[0]);
    table.reply("d7d5");
    table.turn();
    // More than one move: it has not been asked for some time.
    for _ in 0..3 {
        let mv = table.position.legal_moves()[0];
        table.play(mv);
    }
    table.turn();
    assert_eq!(log.read().matches("\nsetboard").count(), 3);
    log.assert_well_spoken();
}

#[test]
fn periods_are_told_when_they_begin() {
    let log = Log::new("periods");
    let mut table = table(&["--log", log.path()]);
    table.turn();
    table.reply("e7e5");
    let second = Level { moves: Some(20), clock: Some(Duration::from_secs(90)), ..Level::default() };
    table.client.set_level(&second);
    table.client.set_level(&second);
    table.turn();
    assert_eq!(
        log.lines("go", "usermove e7e5"),
        ["go", "level 20 1:30 0", "time 6000", "otim 6000", "usermove e7e5"]
    );
    table.client.set_level(&second);
    table.reply("d7d6");
    table.turn();
    let told = log.lines("usermove e7e5", "usermove d7d6");
    assert_eq!(told[1..], ["time 6000", "otim 6000", "usermove d7d6"], "it is no other than before");
    log.assert_well_spoken();
}

#[test]
fn moves_that_nobody_thought_about_do_not_count_for_a_period() {
    let log = Log::new("periods-book");
    let client = start(&["--log", log.path()]);
    let mut table = Table::new(client, START, &[]);
    let book = ["e4", "e5", "Nf3", "Nc6"];
    for mv in book {
        table.reply(mv);
    }
    let forty = Level { moves: Some(40), ..level() };
    table.client.new_game(&table.start, &table.moves, false, &forty, false, "").unwrap();
    table.turn();
    let told = log.lines("usermove b8c6", "go");
    assert_eq!(told[..2], ["usermove b8c6", "level 40 1 0"]);
    // When it is told everything anew, what is left of them.
    table.reply("a7a6");
    table.turn();
    table.reply("b7b6");
    table.client.take_back();
    table.turn();
    let log_now = log.read();
    assert_eq!(log_now.matches("\nlevel 38 1 0\n").count(), 1, "{log_now}");
    assert!(log_now.contains("usermove b7b6\nping 4\nlevel 38 1 0\ntime 6000\n"), "{log_now}");
    // And where they have been made the next ones, which are as many as ever, with what is on the clock.
    for _ in 0..38 {
        let mv = table.position.legal_moves()[0];
        table.play(mv);
        table.client.take_unasked();
        table.turn();
    }
    assert_eq!(log.read().matches("\nlevel 40 1 0\n").count(), 2, "{}", log.read());
    log.assert_well_spoken();
}

#[test]
fn long_games_are_set_up_from_where_no_position_can_come_again() {
    let log = Log::new("long");
    let client = start(&["--log", log.path()]);
    let mut book = vec!["e4", "e5"];
    for _ in 0..30 {
        book.extend(["Nf3", "Nc6", "Ng1", "Nb8"]);
    }
    // Then a pawn moves.
    book.extend(["d4", "Nf6", "Bd3"]);
    let mut table = Table::new(client, START, &book);
    table.turn();
    let told = log.lines("force", "go");
    let fen = "setboard rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 62";
    assert_eq!(told[1..4], [fen, "usermove g8f6", "usermove f1d3"]);
    // It goes on as usual, and a move that is made is another one to be told.
    table.reply("a2a3");
    table.turn();
    table.reply("b2b3");
    table.client.take_back();
    table.turn();
    assert_eq!(log.read().matches("\nsetboard").count(), 2);
    log.assert_well_spoken();
}

/// To set up a position without `setboard` a game is begun anew, with its level.
#[test]
fn a_period_that_a_new_game_has_told_is_not_told_again() {
    let log = Log::new("periods-edit");
    let mut table = table(&["--features", "ping=1 colors=0", "--log", log.path()]);
    table.turn();
    table.reply("e7e5");
    table.client.set_level(&Level { moves: Some(20), ..level() });
    table.client.take_back();
    table.turn();
    assert_eq!(log.read().matches("level 20 1 0\n").count(), 1);
    log.assert_well_spoken();
}

#[test]
fn old_engines_are_told_depth_and_time_in_the_old_way() {
    let log = Log::new("old-level");
    let mut client = start(&["--unknown", "st", "--unknown", "sd", "--log", log.path()]);
    let level = Level { movetime: Some(Duration::from_secs(5)), depth: Some(7), ..Level::default() };
    let start = Position::default();
    client.new_game(&start, &[], false, &level, false, "").unwrap();
    let mut table = Table { client, start, position: start, moves: vec![], said: vec![] };
    table.turn();
    assert_eq!(log.lines("force", "go")[2..5], ["level 1 0:05", "depth 7", "7"]);
    // So are others, once.
    let other = Level { movetime: Some(Duration::from_secs(90)), depth: Some(9), ..Level::default() };
    table.client.set_level(&other);
    table.reply("e7e5");
    table.turn();
    table.reply("d7d6");
    table.turn();
    let told = log.lines("go", "usermove d7d6");
    let expected = [
        "go, st 90, sd 9, level 1 1:30, depth 9, 9, time 6000, otim 6000, usermove e7e5",
        "time 6000, otim 6000, usermove d7d6",
    ];
    assert_eq!(told.join(", "), expected.join(", "));
}

#[test]
fn scores_come_with_moves() {
    for (written, score) in
        [("35", Score::Centipawns(35)), ("100003", Score::Mate(3)), ("-32761", Score::Mate(-3))]
    {
        let mut table = table(&["--score", written, "--script", "e2e4 f1c4"]);
        table.turn();
        let (info, _) = table.client.take_info("e2e4");
        assert_eq!((info.score, info.depth, info.time), (Some(score), Some(1), Some(20)));
        assert_eq!(info.pv, ["e2e4"]);
        table.reply("e7e5");
        table.turn();
        assert_eq!(table.client.take_info("f1c4").0.pv, ["f1c4"], "from where it thought");
    }
}

#[test]
fn the_last_line_of_pondering_is_no_score_of_the_move() {
    for (ponder, depth) in [(true, None), (false, Some(7))] {
        let mut client = start(&["--script", "say=7_285_10_100_d2d4_d7d5+e2e4 say=5_30_1_10_f1c4+f1c4"]);
        client.new_game(&Position::default(), &[], false, &level(), ponder, "").unwrap();
        let start = Position::default();
        let mut table = Table { client, start, position: start, moves: vec![], said: vec![] };
        table.turn();
        assert_eq!(table.client.take_info("e2e4").0.depth, depth);
        table.reply("e7e5");
        table.turn();
        assert_eq!(table.client.take_info("f1c4").0.depth, Some(5), "its own");
    }
}

#[test]
fn moves_out_of_turn_are_counted() {
    let log = Log::new("unasked");
    let script = "say=move_d2d4+e2e4+say=move_e7e5+say=move_d7d5 *";
    let mut table = table(&["--script", script, "--log", log.path()]);
    table.think();
    assert_eq!(table.hear().unwrap(), Said::Move("d2d4".into()), "the first one counts");
    let (mut unasked, deadline) = (table.client.take_unasked(), Instant::now() + PATIENCE);
    while unasked < 3 {
        assert!(Instant::now() < deadline, "{unasked} have come");
        listen(&mut [&mut table.client], None, deadline);
        unasked += table.client.take_unasked();
    }
    assert_eq!((table.client.take_said(), unasked), (None, 3));
    table.reply("d2d4");
    table.reply("d7d5");
    table.turn();
    assert_eq!(log.read().matches("\nsetboard").count(), 1, "whatever it has on its board");
}

#[test]
fn what_lies_in_the_pipe_before_a_question_is_no_answer_to_it() {
    let mut table = table(&["--script", "e2e4+sleep=20+say=move_a2a5 *"]);
    assert_eq!(table.turn(), "e2e4");
    // Nobody listens while it comes.
    std::thread::sleep(Duration::from_millis(500));
    table.reply("e7e5");
    table.think();
    assert_eq!(table.client.take_unasked(), 1);
    assert_ne!(table.hear().unwrap(), Said::Move("a2a5".into()));
}

#[test]
fn an_offer_can_be_answered_before_a_move_is_asked_for() {
    let mut table = table(&["--on", "draw=offer-draw"]);
    table.client.tell_draw_offer(Instant::now() + PATIENCE).unwrap();
    // Nobody listens while the answer comes.
    std::thread::sleep(Duration::from_millis(500));
    table.think();
    assert_eq!(table.hear().unwrap(), Said::OfferDraw);
}

#[test]
fn noise_hides_no_move() {
    for items in ["flood=5", "garbage", "long", "text=12_3", "say=move_", "say="] {
        let mut table = table(&["--script", &format!("{items}+say=+e2e4")]);
        table.think();
        // A move that is none is one all the same; a text without a line end swallows no more than the next line.
        let expected = if items.starts_with("say=move") { "" } else { "e2e4" };
        assert_eq!(table.hear().unwrap(), Said::Move(expected.into()), "{items}");
    }
}

#[test]
fn whoever_ends_is_missed() {
    for items in ["crash", "offer-draw+crash", "crash=1000"] {
        let mut table = table(&["--script", items]);
        table.think();
        let error = std::iter::repeat_with(|| table.hear()).find_map(Result::err).unwrap();
        assert!(error.to_string().contains("something terrible"), "{error}");
        assert!(table.client.has_ended());
    }
    for event in ["start", "new"] {
        let mut config = config(&["--on", &format!("{event}=crash")]);
        config.name = "A".into();
        let ended = CecpClient::start(&config, &surroundings())
            .and_then(|mut client| client.new_game(&Position::default(), &[], false, &level(), false, ""));
        assert!(matches!(ended, Err(EngineError::Gone(_))), "{event}");
    }
}

#[test]
fn whoever_hangs_is_not_waited_for() {
    let mut surroundings = surroundings();
    surroundings.ready_time = Duration::from_secs(1);
    surroundings.new_game_time = Duration::from_secs(1);
    for switches in [["--on", "ping=hang"], ["--on", "ping=deaf"], ["--on", "ping=nothing"]] {
        let error = CecpClient::start(&config(&switches), &surroundings).err().unwrap();
        assert!(matches!(error, EngineError::Silent("pong")), "{switches:?}: {error}");
    }
    for items in ["hang", "deaf"] {
        let client = CecpClient::start(&config(&["--script", items]), &surroundings).unwrap();
        let mut table = Table::new(client, START, &[]);
        table.think();
        let soon = Instant::now() + Duration::from_millis(50);
        table.client.move_now(soon).unwrap();
        table.client.tell_result(Outcome::Win(Color::Black), "Time", soon).unwrap();
        assert!(table.client.must_restart(), "{items}");
        let again = table.client.new_game(&Position::default(), &[], false, &level(), false, "");
        assert!(matches!(again, Err(EngineError::Silent("pong"))));
    }
}

#[test]
fn one_process_plays_many_games() {
    let log = Log::new("games");
    let mut client = start(&["--script", "e2e4+offer-draw d2d4+say=move_e2e4", "--log", log.path()]);
    for game in 0..50 {
        let mut table = Table::new(client, START, &[]);
        assert_eq!(table.turn(), "e2e4", "game {game}");
        table.reply("e7e5");
        assert_eq!(table.turn(), "d2d4");
        table.client.tell_result(Outcome::Draw, "enough", Instant::now() + PATIENCE).unwrap();
        client = table.client;
    }
    log.assert_well_spoken();
    client.quit();
}
