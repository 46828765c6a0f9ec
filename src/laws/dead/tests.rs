use super::*;

fn answer(fen: &str, side: Color) -> Answer {
    let position = Position::from(crate::board::Board::from_fen_composed(fen).unwrap());
    let answer = Solver::new().can_win(&position, side, DEFAULT_NODES);
    if let Answer::Winnable(line) = &answer {
        let end = line.iter().fold(position, |position, &mv| {
            assert!(position.is_legal(mv), "{fen}");
            position.after(mv)
        });
        assert!(end.is_checkmate() && end.side_to_move() == !side, "{fen}");
    }
    answer
}

/// Each position with who can mate: `w`, `b`, both or nobody.
fn check(cases: &[(&str, &str)]) {
    for &(fen, winners) in cases {
        for (side, letter) in [(Color::White, 'w'), (Color::Black, 'b')] {
            match answer(fen, side) {
                Answer::Winnable(_) => assert!(winners.contains(letter), "{fen}: {side} can mate"),
                Answer::Unwinnable => assert!(!winners.contains(letter), "{fen}: {side} cannot mate"),
                Answer::Undetermined => panic!("{fen}: {side} undetermined"),
            }
        }
    }
}

#[test]
fn a_finished_game_is_won_by_who_has_mated() {
    check(&[
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "w"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""),
        ("4k3/8/8/8/8/8/4n3/4K3 w - - 0 1", ""),
    ]);
    let mate = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    assert_eq!(Solver::new().can_win(&mate, Color::White, 1), Answer::Winnable(vec![]));
}

#[test]
fn little_material() {
    check(&[
        ("8/8/8/4k1n1/8/8/8/4K1N1 w - - 0 1", "wb"),
        ("8/8/8/4k1n1/8/8/Q7/4K3 w - - 0 1", "w"),
        ("8/8/8/4k1b1/8/8/P7/4K3 w - - 0 1", "wb"),
        ("8/8/8/4k3/8/8/8/2B1KB2 w - - 0 1", "w"),
        ("8/8/8/4k3/8/8/8/1NN1K3 w - - 0 1", "w"),
        ("8/8/8/4k1b1/8/8/8/2B1K3 w - - 0 1", ""),
        ("8/8/8/4kb2/8/8/8/2B1K3 w - - 0 1", "wb"),
    ]);
}

#[test]
fn forced_moves() {
    check(&[
        ("r7/K1k5/8/8/8/8/8/8 w - - 0 1", ""),
        ("8/8/8/8/8/5k2/6q1/7K w - - 0 1", "b"),
        ("8/8/8/8/8/3k4/6q1/7K w - - 0 1", ""),
    ]);
}

#[test]
fn walls() {
    check(&[
        ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", ""),
        ("3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 3 57", ""),
        ("8/2k5/8/p1p1p1p1/P1P1P1P1/8/2K5/8 w - - 0 1", ""),
        // The knight goes through.
        ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2N1K3 w - - 0 1", "wb"),
    ]);
}

#[test]
fn en_passant_opens_a_wall() {
    check(&[
        ("8/8/2p1k3/1pPp1p1p/pP1P1P1P/P7/8/3K4 b - b3 0 1", "wb"),
        ("8/8/2p1k3/1pPp1p1p/pP1P1P1P/P7/8/3K4 b - - 0 1", ""),
    ]);
}

#[test]
fn a_pawn_check_leaves_no_time_for_other_moves() {
    // The only pawn that can move mates the king in its nest, so that the wall never opens.
    let nest = |rest: &str| format!("1k6/8/8/p1pBp1p1/P1P1P1P1/5pp1/6p1/6K{rest} w - - 0 1");
    let proof = |fen: String| {
        let position = Position::from_fen(&fen).unwrap();
        Classes::default().prove(&position, Color::White, 60)
    };
    assert_eq!(proof(nest("b")), Proof::Proved);
    check(&[(&nest("b"), "b")]);
    // Without the bishop the king takes on g2, the pawn queens, and may then stand in its own king's way.
    assert_ne!(proof(nest("1")), Proof::Proved);
}

#[test]
fn every_way_of_searching_finds_a_mate() {
    let position = Position::from_fen("8/8/8/4k1b1/8/8/P7/4K3 w - - 0 1").unwrap();
    for way in STAGES.into_iter().filter_map(|stage| stage.way) {
        let mut search = Search::new();
        search.start(&position, Color::White, way);
        let Outcome::Mate(line) = search.run(20_000, &mut |_, _| false) else { panic!("no mate found") };
        let end = line.iter().fold(position, |position, &mv| position.after(mv));
        assert!(end.is_checkmate() && end.side_to_move() == Color::Black);
    }
}

#[test]
fn quick_says_dead_only_if_it_is() {
    let mut solver = Solver::new();
    let mut dead = |fen: &str| solver.is_dead_quick(&Position::from_fen(fen).unwrap());
    assert!(dead("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1"));
    assert!(dead("r7/K1k5/8/8/8/8/8/8 w - - 0 1"));
    assert!(dead("8/8/8/4k3/8/8/4K3/6B1 b - - 0 1"));
    assert!(!dead("8/8/8/4k1n1/8/8/8/4K1N1 w - - 0 1"));
    assert!(!dead(crate::board::Board::START_FEN));
    assert!(!dead("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), "mate is no draw");
}

#[test]
fn a_limit_leaves_the_question_open() {
    let position = Position::default();
    assert_eq!(Solver::new().can_win(&position, Color::White, 2), Answer::Undetermined);
}

#[test]
fn quick_proves_nothing_where_a_king_walks_round_the_pawns() {
    let mut solver = Solver::new();
    for (fen, proves) in [
        ("8/8/2k5/7p/7P/8/2K5/8 w - - 0 1", false),
        ("8/8/2k3p1/4p1P1/4P3/8/2K5/8 b - - 0 1", false),
        // A wall with a hole at c4, and one from edge to edge.
        ("4k3/8/8/p3p2p/P3P2P/8/8/4K3 w - - 0 1", false),
        ("4k3/8/8/1p2p2p/1P2P2P/8/8/4K3 w - - 0 1", true),
    ] {
        solver.is_dead_quick(&Position::from_fen(fen).unwrap());
        assert_eq!(solver.classes.closed() > 0, proves, "{fen}");
        solver = Solver::new();
    }
}
