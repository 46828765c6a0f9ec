//! Articles 1 to 4 and the castling of Chess960: what the arbiter's board lets stand.

use super::support::*;
use adoube::board::{Board, FenStyle, Position, chess960};
use adoube::laws::event::{Fault, Ground};
use adoube::laws::{Edition, Event};
use std::collections::HashSet;
use std::time::Duration;

#[test]
fn article_1_1_players_move_in_turn_and_only_the_player_on_move_moves() {
    for edition in Edition::ALL {
        let mut table = Table::new(edition, START, blitz());
        assert!(!table.stands("e7e5"), "White is on move");
        let mut table = Table::new(edition, START, blitz());
        table.play("e2e4");
        let before = table.fen();
        let claim = Event::Claim { by: White, ground: Ground::Threefold, intended: None, time: s(1) };
        assert!(table.says(claim)[0].starts_with("without effect: only the player on move can claim"));
        assert_eq!((table.fen(), table.left(Black)), (before, s(300)), "and nobody pays");
    }
}

#[test]
fn article_1_2_no_move_may_expose_the_own_king() {
    assert!(!is_legal("4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", "e2d3"), "pinned");
    assert!(!is_legal("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1d2"), "attacked by the rook beside it");
    assert!(is_legal("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2"));
    assert!(!is_legal("8/8/8/8/8/4k3/8/4K3 w - - 0 1", "e1e2"), "a king is never captured nor approached");
}

#[test]
fn article_2_3_a_game_begins_from_the_array() {
    assert_eq!(Position::default(), position(START));
    let table = Table::without_clocks(Fide2023, START).begun();
    assert_eq!((table.fen().as_str(), table.over().as_str()), (START, "-"));
    assert_eq!(table.game.position().legal_moves().len(), 20);
}

#[test]
fn article_3_1_own_pieces_stand_in_the_way_and_pinned_pieces_attack() {
    assert!(!is_legal(START, "a1a2"));
    assert!(!is_legal("k7/8/8/n7/8/3K4/8/R7 w - - 0 1", "d3c4"), "the pinned knight attacks c4");
    assert!(is_legal("k7/8/8/n7/8/3K4/8/R7 w - - 0 1", "d3d4"));
}

#[test]
fn article_3_2_to_3_6_pieces_move_on_their_lines_and_only_knights_jump() {
    let fen = "4k3/8/8/8/8/2P5/8/QNB1K2R w - - 0 1";
    for (text, legal) in [
        ("c1g5", true),
        ("c1a3", true),
        ("c1c2", false),
        ("h1h8", true),
        ("h1g2", false),
        ("a1a8", true),
        ("a1b2", true),
        ("a1d4", false),
        ("a1c2", false),
        ("b1d2", true),
        ("b1a3", true),
        ("b1c3", false),
        ("b1b3", false),
    ] {
        assert_eq!(is_legal(fen, text), legal, "{text}");
    }
}

#[test]
fn article_3_7_a_to_c_pawns_step_and_capture() {
    let blocked = "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1";
    assert!(!is_legal(blocked, "e2e3") && !is_legal(blocked, "e2e4"));
    let far = "4k3/8/8/8/4n3/3p4/4P3/4K3 w - - 0 1";
    for (text, legal) in [("e2e3", true), ("e2e4", false), ("e2d3", true), ("e2f3", false), ("e2e1", false)] {
        assert_eq!(is_legal(far, text), legal, "{text}");
    }
    assert!(!is_legal("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5"), "two steps from the original square only");
}

#[test]
fn article_3_7_d_en_passant_at_once_and_never_into_check() {
    assert!(is_legal("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "e4d3"));
    let mut late = Table::without_clocks(Fide2023, "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1");
    late.play("d2d4");
    assert!(late.clone().stands("e4d3"));
    late.play("e8e7 e1e2");
    assert!(!late.stands("e4d3"), "a move later");
    let mut single = Table::without_clocks(Fide2023, "4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1");
    assert!(!single.stands("e4d3"), "not after a single step");
    let mut discovered = Table::without_clocks(Fide2023, "8/8/8/8/k2p3Q/8/4P3/4K3 w - - 0 1");
    discovered.play("e2e4");
    assert!(!discovered.stands("d4e3"), "both pawns leave the rank");
}

#[test]
fn article_3_7_e_a_pawn_becomes_queen_rook_bishop_or_knight() {
    let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    for letter in ["q", "r", "b", "n"] {
        assert!(is_legal(fen, &format!("a7a8{letter}")), "{letter}");
    }
    assert!(!is_legal(fen, "a7a8"), "nobody said what it becomes");
    for wrong in ["a7a8k", "a7a8p"] {
        assert!(adoube::notation::uci_move::parse_uci(wrong, &position(fen)).is_err());
    }
    let mut table = Table::without_clocks(Fide2023, fen);
    table.play("a7a8n");
    assert_eq!(table.fen(), "N7/7k/8/8/8/8/8/K7 b - - 0 1", "and at once");
    assert_eq!(table.over(), "1/2-1/2 InsufficientMaterial 5.2.2");
}

#[test]
fn article_3_8_a_the_king_goes_to_squares_that_are_not_attacked() {
    let fen = "3r2k1/8/8/8/8/8/8/4K3 w - - 0 1";
    for (text, legal) in [("e1e2", true), ("e1f1", true), ("e1d1", false), ("e1d2", false), ("e1e3", false)] {
        assert_eq!(is_legal(fen, text), legal, "{text}");
    }
}

#[test]
fn article_3_8_b_castling_and_what_prevents_it() {
    for (fen, text, legal) in [
        ("r3k2r/8/8/8/8/8/1r6/R3K2R w KQkq - 0 1", "e1c1", true),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", false),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", true),
        ("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", false),
        ("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", false),
        ("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", false),
        ("4k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", true),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1", false),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "e1c1", false),
    ] {
        assert_eq!(is_legal(fen, text), legal, "{text} in {fen}");
    }
    let mut table = Table::without_clocks(Fide2023, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    table.play("h1h2 e8e7 h2h1 e7e8");
    assert!(!table.clone().stands("e1g1"), "the rook has moved");
    table.play("e1c1");
    assert_eq!(table.fen(), "4k3/8/8/8/8/8/8/2KR3R b - - 5 3");
    let mut table = Table::without_clocks(Fide2023, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    table.play("e1e2 e8e7 e2e1 e7e8");
    assert!(!table.stands("e1c1"), "the king has moved");
}

#[test]
fn article_3_9_a_pinned_piece_gives_check() {
    let fen = "4k3/4r3/8/8/8/8/4B3/3K4 b - - 0 1";
    assert!(is_legal(fen, "e7e2"));
    let pinned = "3rk3/4b3/8/8/8/8/8/K3R2B b - - 0 1";
    assert!(is_legal(pinned, "d8d1"));
    assert!(!is_legal("4k3/4b3/8/8/7K/8/8/4R3 w - - 0 1", "h4g5"), "the pinned bishop attacks g5");
    assert!(!is_legal("4k3/4b3/8/8/7K/8/8/4R3 w - - 0 1", "e1e2"), "and h4: White is in check");
}

#[test]
fn article_3_10_games_do_not_start_from_boards_that_cannot_be() {
    for fen in [
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
    ] {
        assert!(Position::from_fen(fen).is_err(), "{fen}");
    }
    // What could be, and how little would be too much.
    for (fen, from, to) in [
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "8/R3K2R", "4K3/R6R"),
        ("4k3/8/8/8/8/8/8/R3K2R w H - 0 1", "8/R3K2R", "4K3/R6R"),
        ("r3k2r/8/8/8/8/8/8/4K3 b k - 0 1", "r3k2r/8", "r6r/4k3"),
        ("r3k2r/8/8/8/8/8/8/4K3 b a - 0 1", "r3k2r/8", "r6r/4k3"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "KQ", "KK"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "KQ", "KH"),
        ("4k3/8/8/8/8/8/8/R3K1RR w GA - 0 1", "GA", "GH"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "kq", "qa"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "8/8/8", "8/44/8"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4K3", "4K21"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 9999 9999", "9999 ", "10000 "),
        ("4k3/8/8/8/8/8/8/4K3 w - - 9999 9999", " 9999", " 10000"),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "8/8/4K3", "8/3N4/4K3"),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "8/8/4K3", "3N4/8/4K3"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8", "4k3/3n4"),
        ("3qk3/8/8/8/8/N7/PPPPPPP1/RN2K1NR w - - 0 1", "PPPPPPP1", "PPPPPPPP"),
        ("qqqqk3/8/8/8/8/p7/ppp1p3/4K3 b - - 0 1", "p7/", "pp6/"),
    ] {
        assert!(Position::from_fen(fen).is_ok(), "{fen}");
        let wrong = fen.replacen(from, to, 1);
        assert!(Position::from_fen(&wrong).is_err(), "{wrong}");
    }
    // Composers take any sixteen men.
    let composed = "k7/8/8/8/8/8/PPPPPPPP/NNNNNNNK w - - 0 1";
    assert!(Position::from_fen(composed).is_err() && Board::from_fen_composed(composed).is_ok());
    for seventeen in
        ["k7/8/8/8/8/N7/PPPPPPPP/NNNNNNNK w - - 0 1", "k7/pppppppp/nnnnnnnn/8/8/8/8/K7 w - - 0 1"]
    {
        assert!(Board::from_fen_composed(seventeen).is_err(), "{seventeen}");
    }
}

#[test]
fn article_4_7_a_move_is_made_once_and_the_time_until_it_is_whole_counts() {
    for edition in Edition::ALL {
        let mut table = Table::new(edition, START, periods(&[(None, 2, adoube::laws::Bonus::None)]));
        assert!(!table.stands_in("e2e4", s(3)), "without the end of its line it was no move");
        assert!(table.over().starts_with("0-1 TimeForfeit"), "{edition}");
        let mut table = Table::without_clocks(edition, START);
        table.play("e2e4");
        assert!(!table.stands("d2d4"), "a second move is not White's to make");
        assert_eq!(table.game.moves().len(), 1);
    }
}

#[test]
fn article_7_5_only_moves_of_the_board_count_not_their_spelling() {
    let mut table = Table::new(Fide2023, START, standard());
    let fault = Fault::Illegal("e2e5".into());
    assert!(!table.says(Event::Irregular { fault, time: Duration::ZERO }).is_empty());
    assert_eq!(table.fen(), START);
}

#[test]
fn article_f1_and_f2_the_arrays_of_chess960() {
    let all: HashSet<_> = (0..chess960::ARRAYS).map(chess960::array).collect();
    assert_eq!(all.len(), 960);
    assert_eq!(Position::from(chess960::start(518, 518)), Position::default());
    for number in [0, 518, 959] {
        let start = Position::from(chess960::start(number, number));
        let table = Table::without_clocks(Fide2023, &start.to_fen(adoube::board::FenStyle::Shredder)).begun();
        assert_eq!(table.over(), "-");
    }
}

#[test]
fn article_f3_castling_in_all_its_forms() {
    for (fen, text, after) in [
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", Some("4k3/8/8/8/8/8/8/5RK1 b - - 1 1")),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", Some("4k3/8/8/8/8/8/8/5RK1 b - - 1 1")),
        ("4k3/8/8/8/8/8/8/NR2K3 w B - 0 1", "e1b1", Some("4k3/8/8/8/8/8/8/N1KR4 b - - 1 1")),
        ("4k3/8/8/8/8/8/8/1R1NK3 w B - 0 1", "e1b1", None),
        ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", "c1b1", None),
    ] {
        let mut table = Table::without_clocks(Fide2023, fen);
        assert_eq!(table.stands(text), after.is_some(), "{fen}");
        assert_eq!(table.fen(), after.unwrap_or(&table.fen()), "{fen}");
    }
}

#[test]
fn of_two_rooks_on_a_side_the_outer_one_needs_no_letter_of_its_own() {
    for (placement, xfen, shredder) in [
        ("4k3/8/8/8/8/8/8/RR2K1RR", "KQ", "HA"),
        ("4k3/8/8/8/8/8/8/RR2K1RR", "GB", "GB"),
        ("4k3/8/8/8/8/8/8/RR2K1RR", "KB", "HB"),
        ("rr2k1rr/8/8/8/8/8/8/4K3", "kq", "ha"),
        ("rr2k1rr/8/8/8/8/8/8/4K3", "gb", "gb"),
        ("rr2k1rr/8/8/8/8/8/8/4K3", "gq", "ga"),
        ("1rkr1r2/8/8/8/8/8/8/1RKR1R2", "KQdq", "FBdb"),
    ] {
        let fen = |rights: &str| format!("{placement} w {rights} - 0 1");
        for rights in [xfen, shredder] {
            let read = position(&fen(rights));
            let written = [FenStyle::XFen, FenStyle::Shredder].map(|style| read.to_fen(style));
            assert_eq!(written, [xfen, shredder].map(fen), "{rights}");
        }
    }
}
