//! Matches under the Laws: claims, offers and requests, what they cost, and what is known of them after an adjournment.
#![cfg(target_os = "linux")]

mod support;

use support::cecp::mock_cecp;
use support::laws::Side::{Cecp, Uci};
use support::laws::{GOOD, START, assert_ends, command, moves, play, play_in_two_sessions, player};
use support::matches::{Ended, Scene, finish, games, tag};

#[test]
fn what_a_wrong_claim_has_cost_of_one_move_no_other_move_pays() {
    let words = "-each st=4 -laws fide-2023 -maxmoves 2";
    // Its second turn is the first move still.
    let claims = "--at 1=sleep=2100+claim=1/2-1/2_{drawn}+nothing --at 2=* --at 3=sleep=2100+*";
    let (game, _) = play(START, (Cecp(claims), ""), GOOD, words);
    assert_ends(&game, "1/2-1/2", "adjudication", "move limit");
}

#[test]
fn the_time_of_a_move_has_what_came_before_a_claim() {
    let claims = "--at 1=sleep=600+claim=1/2-1/2_{drawn}+nothing --at 2=*";
    for (clock, laws) in [("tc=60", "fide-2023"), ("st=60", "fide-2023"), ("tc=60", "engine")] {
        let words = format!("-each {clock} -laws {laws} -maxmoves 1");
        let (game, _) = play(START, (Cecp(claims), ""), GOOD, &words);
        let text = moves(&game);
        let note = text.split(['{', '}']).nth(1).unwrap_or_default();
        let times = note.split_whitespace().filter_map(|word| word.trim_end_matches(',').strip_suffix('s'));
        let time: Option<f64> = times.filter_map(|word| word.parse().ok()).next();
        assert!(time.is_some_and(|time| time >= 0.6), "{text}");
    }
}

#[test]
fn article_9_1_b_1_an_offer_that_came_with_an_irregular_move_is_valid() {
    let words = "-each tc=60 -laws fide-2023 -maxmoves 3";
    let white = "--script 'e2e4 offer-draw+illegal=d2d5+nothing d2d4 *'";
    let (game, _) = play(START, (Cecp(white), ""), GOOD, words);
    let text = moves(&game);
    assert!(text.contains("White is warned") && text.contains("2. d4 "), "{text}");
    assert_eq!(text.matches("(=)").count(), 1, "it goes with the move that follows, once: {text}");
    assert_ends(&game, "1/2-1/2", "adjudication", "move limit");
    // The pawn becomes a queen, and that move stands.
    let white = "--script 'h2h3 offer-draw+illegal=a7a8 *'";
    let black = (Cecp("--on draw=offer-draw"), "");
    let (game, _) = play("7k/P6p/8/8/8/8/7P/7K w - - 0 1", (Cecp(white), ""), black, words);
    assert!(moves(&game).contains("2. a8=Q"), "{}", moves(&game));
    assert_ends(&game, "1/2-1/2", "normal", "Draw by agreement (fide-2023:5.2.3)");
}

/// Kings and rooks: whatever is moved, the fifty moves are over with it.
const NEARLY_FIFTY: &str = "4k2r/8/8/8/8/8/2R5/4K3 w - - 99 120";

#[test]
fn article_9_3_1_a_claim_that_comes_behind_its_move_is_waited_for() {
    // It comes in a line of its own, when somebody listens whether it does: before the third `pong`.
    let white = "--script c2c3 --on ping3=say=1/2-1/2_{fifty_moves}|pong_3+nothing";
    let words = "-each tc=60 -laws fide-2023 -maxmoves 2";
    let (game, ended) = play(NEARLY_FIFTY, (Cecp(white), ""), GOOD, words);
    let end =
        "White's claim with c2c3 is correct (fide-2023:9.5.2), Draw by fifty moves rule (fide-2023:9.3.1)";
    assert_ends(&game, "1/2-1/2", "normal", end);
    assert!(!ended.stdout.contains("Warning"), "{}", ended.stdout);
    // Nobody listens where there is nothing to claim, or no Law that says so.
    let scene = Scene::new();
    for (start, laws) in [(START, "fide-2023"), (NEARLY_FIFTY, "engine")] {
        std::fs::write(scene.path("start.epd"), format!("{start}\n")).unwrap();
        let words = format!("-openings file=start.epd -each tc=60 -laws {laws} -maxmoves 2");
        let ended = finish(command(&scene, (Cecp("--seed 1"), ""), GOOD, &words).spawn().unwrap());
        assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
        assert!(!scene.read("A.log").contains("ping 3"), "{}", scene.read("A.log"));
        std::fs::remove_file(scene.path("A.log")).unwrap();
    }
}

#[test]
fn article_9_3_2_a_claim_of_what_the_game_begins_with_is_judged() {
    let start = "4k2r/8/8/8/8/8/2R5/4K3 w - - 100 120";
    let words = "-each tc=60 -laws fide-2023 -maxmoves 2";
    // Behind its `pong`, before anybody is asked for a move.
    let early = "--on ping2=say=pong_2|1/2-1/2_{fifty_moves}+nothing";
    let (game, ended) = play(start, (Cecp(early), ""), GOOD, words);
    assert_ends(
        &game,
        "1/2-1/2",
        "normal",
        "White's claim is correct (fide-2023:9.5.2), Draw by fifty moves rule (fide-2023:9.3.2)",
    );
    assert!(!ended.stdout.contains("Warning"), "{}", ended.stdout);
    // Of who is not on move it is an offer, as ever, and costs nothing.
    let (game, ended) = play(start, GOOD, (Cecp(early), ""), words);
    assert_ends(&game, "1/2-1/2", "adjudication", "move limit");
    assert!(moves(&game).contains("offer") && !moves(&game).contains("not correct"), "{}", moves(&game));
    assert!(ended.stdout.contains("B claims 1/2-1/2"), "{}", ended.stdout);
    // What comes before is of another game.
    let stale = "--on ping2=say=1/2-1/2_{fifty_moves}|pong_2+nothing";
    let (game, ended) = play(start, (Cecp(stale), ""), GOOD, words);
    assert_ends(&game, "1/2-1/2", "adjudication", "move limit");
    assert!(!ended.stdout.contains("claims"), "{}", ended.stdout);
}

#[test]
fn what_is_said_of_a_game_that_is_told_anew_is_no_claim_and_no_refusal() {
    // All that comes before the third `pong` is about what it knew when it held the game to be over.
    let late = "1/2-1/2_{x}|Illegal_move_(game_over):_e7e5|Illegal_move_(game_over):_e7e6|1/2-1/2_{x}|pong_3";
    let white = format!("--at 1=claim=1/2-1/2_{{x}}+nothing --on ping3=say={late}+nothing");
    let words = "-each tc=60 -laws fide-2023 -maxmoves 2";
    let (game, ended) = play(START, (Cecp(&white), ""), GOOD, words);
    assert_ends(&game, "1/2-1/2", "adjudication", "move limit");
    assert_eq!(moves(&game).matches("White's claim is not correct").count(), 1, "{}", moves(&game));
    assert!(!ended.stdout.contains("does not take"), "{}", ended.stdout);
}

#[test]
fn a_move_that_is_refused_in_two_lines_is_refused_once() {
    // The second line comes at once, or when the move has been told once more.
    for black in [
        "--on move1=say=Illegal_move_(busy):_e2e4|Error_(unknown_command):_usermove_e2e4+refuse",
        "--on move1=say=Illegal_move_(busy):_e2e4+refuse --on ping3=say=Error_(unknown_command):_e2e4|pong_3+nothing",
    ] {
        let words = "-each tc=60 -laws fide-2023 -maxmoves 3";
        let (game, ended) = play(START, (Uci("good --script e2e4"), ""), (Cecp(black), ""), words);
        assert_ends(&game, "1/2-1/2", "adjudication", "move limit");
        assert_eq!(ended.stdout.matches("does not take what it was sent").count(), 1, "{}", ended.stdout);
    }
}

#[test]
fn who_says_that_a_position_is_dead_which_took_a_long_proof_is_not_reproached() {
    let white = "--at 1=claim=1/2-1/2_{Dead_position}+nothing";
    let start = "2n3k1/p1P1p2p/Pp1pP2P/1P1P4/8/8/3K4/8 w - - 0 1";
    let (game, ended) = play(start, (Cecp(white), ""), GOOD, "-each tc=60 -laws fide-2023 -maxmoves 3");
    assert_ends(&game, "1/2-1/2", "normal", "Draw by dead position (fide-2023:5.2.2)");
    assert!(!ended.stdout.contains("claims 1/2-1/2"), "{}", ended.stdout);
}

#[test]
fn after_many_offers_no_more_are_heard() {
    // What is offered more than once before a move is one offer all the same.
    let many = "offer-draw+".repeat(50);
    for (last, signs) in [("offer-draw+".repeat(49), 5), (many.clone(), 4)] {
        let first =
            format!("--at 1={many}* --at 2={many}* --at 3={many}* --at 4={last}* --at 5=offer-draw+*");
        let words = "-each tc=60 -laws fide-2014 offers=100 -maxmoves 5";
        let (game, _) = play(START, (Cecp(&first), ""), GOOD, words);
        assert_eq!(moves(&game).matches("(=)").count(), signs, "{}", moves(&game));
    }
}

#[test]
fn article_10_2_a_postponed_claim_is_decided_about_the_opponent_of_the_flag() {
    let scene = Scene::new();
    let script = "#!/bin/sh\nwhile read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
        go) echo info score cp -50; echo bestmove a1a2;; quit) exit;; esac; done\n";
    scene.write_program("judge.sh", script);
    // Wrong claims leave White less than two minutes. Black can win, and White, who has his king only, cannot.
    std::fs::write(scene.path("start.epd"), "4k2r/8/8/8/8/8/8/K7 w - - 0 1\n").unwrap();
    let claim = "claim=1/2-1/2_{drawn}+nothing";
    let white = format!("--score 0 --script 'a1b1 {claim} {claim} {claim} {claim} {claim} b1a1'");
    let (white, black) =
        ((Cecp(&white), "tc=900 finish=10/1"), (Uci("hang --script h8g8 --after 2"), "st=1"));
    let words = "-laws fide-2005 quickplay=true judge=./judge.sh -openings file=start.epd -recover";
    let ended = finish(command(&scene, white, black, words).spawn().unwrap());
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let game = &games(&scene.path("g.pgn"))[0];
    assert!(moves(game).contains("the decision on White's claim is postponed"), "{}", moves(game));
    let end = "Draw in a quickplay finish: the opponent cannot mate (fide-2005:10.2)";
    assert_ends(game, "1/2-1/2", "normal", end);
    scene.assert_all_gone();
}

#[test]
fn guidelines_1_4_a_proxy_offers_with_the_sealed_move() {
    let words = "-each tc=600 -laws fide-2023 -maxmoves 5";
    let white = (Cecp("--score 3 --at 3=sleep=4000+*"), "offers=5/3");
    let (game, _) = play_in_two_sessions(white, (Cecp("--on draw=offer-draw"), ""), words);
    assert_ends(&game, "1/2-1/2", "normal", "Draw by agreement (fide-2023:5.2.3)");
    assert!(moves(&game).contains("is adjourned (fide-2023:Guidelines I.1) (=)"), "{}", moves(&game));
}

#[test]
fn what_players_have_said_and_done_wrong_is_known_after_the_adjournment() {
    let words = "-each tc=600 -laws fide-2023 -maxmoves 9";
    // Two moves, the sealed one and the first that is thought about afterwards: four that give the game up.
    let white = (Cecp("--score -700 --at 3=sleep=4000+*"), "resigns=600/4");
    let (game, second) = play_in_two_sessions(white, (Uci("bad-pv"), ""), words);
    assert_ends(&game, "0-1", "normal", "White resigns (fide-2023:5.1.2)");
    assert_eq!(tag(&game, "PlyCount"), "6");
    for number in [1, 3] {
        let told = format!("(move {number})");
        let mut lines = second.stdout.lines();
        assert!(
            lines.any(|line| line.contains("B shows a wrong line") && line.ends_with(&told)),
            "{told}: {}",
            second.stdout
        );
    }
}

#[test]
fn a_match_that_is_stopped_in_its_first_move_adjourns_nothing() {
    let scene = Scene::new();
    let words = "-each tc=600 -laws fide-2023 -session 1s";
    let ended = finish(command(&scene, (Uci("good --think 3000000"), ""), GOOD, words).spawn().unwrap());
    assert!(
        !ended.stdout.contains("djourned") && !ended.stderr.contains("djourned"),
        "{}{}",
        ended.stdout,
        ended.stderr
    );
    assert!(!scene.path("g.pgn.journal.adjourned").exists());
    scene.assert_all_gone();
}

/// A session of a game in which A, White, does what it is told for this day.
fn a_day(scene: &Scene, day: &str, words: &str) -> Ended {
    let program = format!("#!/bin/sh\nexec '{}' $(cat day) \"$@\"\n", mock_cecp().display());
    scene.write_program("a.sh", &program);
    std::fs::write(scene.path("day"), day).unwrap();
    let usual = "-laws fide-2023 default-time=1s -rounds 1 -games 1 -pgnout file=g.pgn";
    let mut match_of = scene.bare();
    match_of.args(["-engine", "cmd=./a.sh", "name=A", "proto=xboard", "args=--pids pids --log A.log"]);
    match_of.args(player(scene, "B", &Uci("good"), ""));
    match_of.args(usual.split(' ')).args(words.split_whitespace());
    let ended = finish(match_of.spawn().unwrap());
    scene.assert_all_gone();
    ended
}

/// A position in which White can mate in two.
fn before_mate() -> Scene {
    let scene = Scene::new();
    std::fs::write(scene.path("start.epd"), "7k/p7/6K1/8/8/8/8/1Q6 w - - 0 1\n").unwrap();
    scene
}

/// A game of a session of three seconds and of a second one, for which A is told what it does in each.
fn on_two_days(scene: &Scene, first_day: &str, second_day: &str, words: &str) -> Ended {
    let first = a_day(scene, first_day, &format!("{words} -session 3s"));
    assert!(first.stdout.contains("Adjourned game 1"), "{}{}", first.stdout, first.stderr);
    let second = a_day(scene, second_day, &format!("{words} -resume"));
    assert_eq!(second.code, Some(0), "{}{}", second.stdout, second.stderr);
    second
}

const LONG: &str = "-each tc=600 -openings file=start.epd";

#[test]
fn who_gives_up_with_the_move_that_would_be_sealed_seals_nothing() {
    let scene = before_mate();
    let day = "--at 1=b1c1 --at 2=sleep=4000+c1b1 --score -900";
    let words = LONG.replace("tc=600", "tc=600 resigns=300/2");
    let ended = a_day(&scene, day, &format!("{words} -session 3s"));
    assert!(!ended.stdout.contains("Adjourned"), "{}", ended.stdout);
    assert_ends(&games(&scene.path("g.pgn"))[0], "0-1", "normal", "White resigns");
}

#[test]
fn what_was_left_of_a_period_when_a_game_went_on_is_not_the_length_of_the_next() {
    let scene = Scene::new();
    on_two_days(&scene, "--at 4=sleep=4000+*", "--seed 3", "-each tc=2/60:4/60 -maxmoves 8");
    let log = scene.read("A.log");
    let levels: Vec<&str> = log
        .lines()
        .filter_map(|line| line.strip_prefix("level "))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(levels, ["2", "4", "2", "2", "4"], "{log}");
}

#[test]
fn guidelines_1_10_a_sealed_mate_wins_although_its_player_does_not_come_back() {
    // The mate comes behind the end of the session.
    let scene = before_mate();
    on_two_days(&scene, "--at 1=b1c1 --at 2=sleep=4000+c1c8", "--on new=sleep=3000", LONG);
    assert_ends(&games(&scene.path("g.pgn"))[0], "1-0", "normal", "White mates (fide-2023:5.1.1)");
}

#[test]
fn guidelines_1_8_an_illegal_sealed_move_loses() {
    for second_day in ["", "--on new=sleep=3000"] {
        let scene = before_mate();
        let second = on_two_days(&scene, "--at 1=b1c1 --at 2=sleep=4000+c1b3", second_day, LONG);
        assert_ends(
            &games(&scene.path("g.pgn"))[0],
            "0-1",
            "rules infraction",
            "sealed no legal move: c1b3 (fide-2023:Guidelines I.8)",
        );
        assert!(!second.stdout.contains("envelope is lost"), "{}", second.stdout);
    }
}
