//! Adjourned games (2014: appendix E).

use super::support::*;
use adoube::laws::event::{Adjudicated, Envelope, Penalty};
use adoube::laws::{Bonus, Edition, Event, Game, Regulations};
use adoube::types::Outcome;

fn sealed(edition: Edition, fen: &str) -> Table {
    let mut table = Table::new(edition, fen, standard());
    table.says(Event::Seal { time: s(100) });
    assert!(table.game.is_adjourned());
    table
}

fn resume(table: &mut Table, envelope: Envelope) -> Vec<String> {
    table.says(Event::Resume { envelope, absent: [false, false], waited: s(0) })
}

fn number(edition: Edition, place: usize) -> String {
    match edition {
        Fide2005 => format!("A.{}", if place > 11 { place - 1 } else { place }),
        Fide2014 => format!("E.{place}"),
        _ => format!("Guidelines I.{place}"),
    }
}

#[test]
fn article_e_1_a_sealed_move_stops_the_clock_and_changes_nothing() {
    for edition in FIDE {
        let mut table = Table::new(edition, START, standard());
        let said = table.says(Event::Seal { time: s(100) });
        let expected =
            format!("White has sealed a move, the game is adjourned ({edition}:{})", number(edition, 1));
        assert_eq!(said, [expected]);
        assert_eq!((table.left(White), table.left(Black), table.fen().as_str()), (s(7100), s(7200), START));
        assert!(!table.stands("e2e4"), "{edition}: nobody moves between sessions");
        assert!(table.says(Event::Flag)[0].starts_with("without effect"));
        let mut late = Table::new(edition, START, blitz());
        late.says(Event::Seal { time: s(300) });
        assert!(late.over().starts_with("0-1 TimeForfeit"), "{edition}");
    }
}

#[test]
fn article_e_2_what_was_written_down_gives_the_game_again() {
    let mut table = Table::new(Fide2014, START, standard());
    table.play_in("e2e4 e7e5", s(60));
    table.illegal(s(5));
    table.says(Event::Seal { time: s(10) });
    table.says(Event::Offer(White));
    let snapshot = table.game.snapshot();
    let fresh = Table::new(Fide2014, START, standard()).game;
    let clocks = [White, Black].map(|player| fresh.clock(player).cloned());
    let game =
        Game::restore(Regulations::of(Fide2014), position(START), clocks, table.game.moves(), &snapshot);
    let mut restored = Table { game };
    assert_eq!(restored.game.snapshot(), snapshot);
    assert_eq!((restored.fen(), restored.game.standing_offer()), (table.fen(), Some(White)));
    let mv = table.mv("g1f3");
    assert_eq!(resume(&mut restored, Envelope::Move(mv)), resume(&mut table, Envelope::Move(mv)));
    assert_eq!((restored.left(White), restored.fen()), (table.left(White), table.fen()));
    assert_eq!(restored.left(White), s(7200 - 60 - 15));
}

#[test]
fn article_e_4_to_e_6_offers_and_resignations_between_the_sessions() {
    for edition in FIDE {
        let mut table = Table::new(edition, START, standard());
        table.play("e2e4 e7e5");
        table.says(Event::Seal { time: s(1) });
        table.says(Event::Offer(Black));
        let mut agreed = table.clone();
        agreed.says(Event::Accept(White));
        assert!(agreed.over().starts_with("1/2-1/2 Agreement"), "{edition}");
        let mut resigned = table.clone();
        resigned.says(Event::Resign(Black));
        assert!(resigned.over().starts_with("1-0 Resignation"), "{edition}");
        assert_eq!(resigned.game.moves().len(), 2, "the envelope stays closed");
        let mv = table.mv("g1f3");
        resume(&mut table, Envelope::Move(mv));
        assert_eq!(table.game.standing_offer(), Some(Black), "{edition}: sealed before the offer was made");
        let mut before = Table::new(edition, START, standard());
        before.play("e2e4 e7e5");
        before.says(Event::Offer(Black));
        before.says(Event::Seal { time: s(1) });
        assert_eq!(before.game.standing_offer(), None, "{edition}: who seals a move declines");
    }
}

#[test]
fn the_arbiter_can_act_between_the_sessions() {
    for edition in FIDE {
        let mut table = sealed(edition, START);
        table.says(Event::Penalize(White, Penalty::OpponentTime(s(60))));
        table.says(Event::ExtraTime(s(10)));
        assert_eq!((table.left(White), table.left(Black)), (s(7110), s(7270)), "{edition}");
        table.says(Event::SetClocks([s(500), s(600)]));
        assert_eq!((table.left(White), table.left(Black)), (s(500), s(600)), "{edition}");
        assert!(table.game.is_adjourned());
        let mut ended = table.clone();
        ended.says(Event::Penalize(Black, Penalty::Loss("noise".into())));
        assert!(ended.over().starts_with("1-0 Penalty"), "{edition}: {}", ended.over());
        table.says(Event::Adjudicate(Outcome::Draw, Adjudicated::Score));
        assert_eq!(table.over(), "1/2-1/2 Adjudication -", "{edition}");
    }
}

#[test]
fn article_e_7_to_e_9_the_sealed_move_is_made_and_the_replier_thinks() {
    for edition in FIDE {
        let mut table = sealed(edition, START);
        let mv = table.mv("e2e4");
        let said = resume(&mut table, Envelope::Move(mv));
        let nine = number(edition, 9);
        assert_eq!(
            said,
            [format!("the game is resumed ({edition}:{nine})"), format!("e2e4 stands ({edition}:{nine})")]
        );
        assert_eq!((table.left(White), table.game.moves().len()), (s(7100), 1), "{edition}");
        table.play_in("e7e5", s(5));
        assert_eq!(table.left(Black), s(7195));
        assert!(resume(&mut table, Envelope::Move(mv))[0].starts_with("without effect"), "not adjourned");
    }
}

#[test]
fn article_e_8_a_sealed_move_that_is_none_loses() {
    for edition in FIDE {
        let eight = number(edition, 8);
        let mut table = sealed(edition, START);
        resume(&mut table, Envelope::Bad("Nd2 or Ne2".into()));
        assert_eq!(table.over(), format!("0-1 SealedMove {eight}"), "{edition}: ambiguous");
        let mut table = sealed(edition, START);
        let illegal = table.mv("e2e5");
        resume(&mut table, Envelope::Move(illegal));
        assert_eq!(table.over(), format!("0-1 SealedMove {eight}"), "{edition}: illegal");
        let mut bare = sealed(edition, "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
        resume(&mut bare, Envelope::Bad("?".into()));
        assert_eq!(bare.over(), format!("1/2-1/2 SealedMove {eight}"), "{edition}: Black cannot mate");
    }
}

#[test]
fn article_e_10_who_does_not_come_back_loses_unless_the_sealed_move_ends_the_game() {
    for edition in FIDE {
        let ten = number(edition, 10);
        for (absent, result) in [([true, false], "0-1"), ([false, true], "1-0"), ([true, true], "0-0")] {
            let mut table = sealed(edition, START);
            let mv = table.mv("e2e4");
            table.says(Event::Resume { envelope: Envelope::Move(mv), absent, waited: s(0) });
            assert_eq!(table.over(), format!("{result} Absence {ten}"), "{edition}");
            let mut mate = sealed(edition, MATE_IN_ONE);
            let mv = mate.mv("f7g7");
            mate.says(Event::Resume { envelope: Envelope::Move(mv), absent, waited: s(0) });
            assert!(mate.over().starts_with("1-0 Checkmate"), "{edition}: the sealed move mates");
        }
        let mut stale = sealed(edition, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
        let mv = stale.mv("g6f7");
        stale.says(Event::Resume { envelope: Envelope::Move(mv), absent: [true, false], waited: s(0) });
        assert!(stale.over().starts_with("1/2-1/2 Stalemate"), "{edition}");
    }
}

#[test]
fn article_e_11_when_nobody_is_there_the_replier_loses_the_time() {
    for (edition, left) in [(Fide2005, 7200), (Fide2014, 7000), (Fide2018, 7000), (Fide2023, 7000)] {
        let mut table = sealed(edition, START);
        let mv = table.mv("e2e4");
        let absent = [false, false];
        let said = table.says(Event::Resume { envelope: Envelope::Move(mv), absent, waited: s(200) });
        assert_eq!(table.left(Black), s(left), "{edition}");
        let taken = format!("Black loses 200 s on the clock ({edition}:{})", number(edition, 11));
        assert_eq!(said.contains(&taken), edition != Fide2005, "{edition}: {said:?}");
        assert_eq!(table.left(White), s(7100));
        let mut late = sealed(edition, START);
        late.says(Event::Resume { envelope: Envelope::Move(mv), absent, waited: s(7200) });
        assert_eq!(late.over().starts_with("1-0 TimeForfeit"), edition != Fide2005, "{edition}");
        // A delay is for a move, and nobody thinks about one.
        let mut delay = Table::new(edition, START, periods(&[(None, 60, Bonus::Delay(s(3)))]));
        delay.says(Event::Seal { time: s(1) });
        delay.says(Event::Resume { envelope: Envelope::Move(mv), absent, waited: s(61) });
        assert_eq!(delay.over().starts_with("1-0 TimeForfeit"), edition != Fide2005, "{edition}");
    }
}

#[test]
fn article_e_12_a_lost_envelope() {
    for edition in FIDE {
        let mut table = sealed(edition, START);
        let said = resume(&mut table, Envelope::Lost);
        let twelve = number(edition, 12);
        assert_eq!(said[1], format!("the envelope is lost, White states the move ({edition}:{twelve})"));
        assert_eq!((table.fen().as_str(), table.left(White)), (START, s(7100)), "{edition}");
        table.play("e2e4");
        let mut annulled = sealed(edition, START);
        annulled.says(Event::WrongStart);
        assert!(annulled.over().starts_with("void Annulled"), "{edition}: the position is lost too");
    }
}
