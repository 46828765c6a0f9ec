//! What an engine says: moves, scores, offers, claims and refusals, each in its place, and how the game goes on.

use super::{Log, START, start, table};
use crate::support::cecp::{PATIENCE, Table, level};
use adoube::board::Position;
use adoube::engine::connection::listen;
use adoube::engine::info::Score;
use adoube::engine::said::Said;
use adoube::types::{Color, Outcome};
use std::time::{Duration, Instant};

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
