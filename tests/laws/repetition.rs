//! Articles 9.2 and 9.6.a: which positions are the same, when that can be claimed, and when it draws by itself.

use super::support::*;
use adoube::board::Position;
use adoube::laws::event::Ground;
use adoube::laws::{Edition, Event, Game, Prover};
use adoube::types::Color;

/// Knows nothing, so that games of a few pieces go on.
struct Unknowing;

impl Prover for Unknowing {
    fn can_win(&mut self, _: &Position, _: Color) -> Option<bool> {
        None
    }
    fn is_dead(&mut self, _: &Position) -> bool {
        false
    }
}

/// What happens in a game, by plies; 0 where it does not.
#[derive(PartialEq, Eq, Debug, Default)]
struct Course {
    /// Where the third occurrence can be claimed first.
    third: usize,
    /// Where it can be claimed first with a move that is announced: before which ply, and the move.
    intended: Option<(usize, String)>,
    /// Where fifty moves can be claimed first.
    fifty: usize,
    /// Where the game ends, and why.
    end: Option<(usize, String)>,
}

fn course(edition: Edition, fen: &str, moves: &str) -> Course {
    let mut table =
        Table { game: Game::new(adoube::laws::Regulations::of(edition), position(fen), [None, None]) };
    let mut course = Course::default();
    let look = |table: &Table, course: &mut Course, ply: usize| {
        let open = table.game.open_claims();
        for &ground in &open.now {
            let first = if ground == Ground::Threefold { &mut course.third } else { &mut course.fifty };
            if *first == 0 {
                *first = ply;
            }
        }
        let with = open.with_move.iter().find(|(_, ground)| *ground == Ground::Threefold);
        if let (None, Some((mv, _))) = (&course.intended, with) {
            course.intended = Some((ply, format!("{mv:?}")));
        }
    };
    for (ply, text) in (1..).zip(moves.split_whitespace()) {
        let event = Event::Move { mv: table.mv(text), time: s(0) };
        table.game.apply(event, &mut Unknowing);
        if table.game.verdict().is_some() {
            course.end = Some((ply, table.over()));
            break;
        }
        look(&table, &mut course, ply);
    }
    course
}

const TO_AND_FRO: &str = "a1b1 h8g8 b1a1 g8h8 ";
const ROOKS: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";

/// The course under 2023 of a game that nothing ends.
fn open_course(fen: &str, moves: &str) -> (usize, Option<(usize, String)>) {
    let course = course(Fide2023, fen, moves);
    assert_eq!(course.end, None);
    (course.third, course.intended)
}

#[test]
fn article_9_2_a_with_a_move_that_is_announced() {
    let moves = "a1b1 h8g8 b1a1 g8h8 a1d1 h8h5 d1a1 h5h8";
    for (edition, number) in FIDE.into_iter().zip(["9.2.a", "9.2.a", "9.2.1.1", "9.2.1"]) {
        let course = course(edition, ROOKS, moves);
        assert_eq!((course.intended, course.third), (Some((7, "h5h8".into())), 8), "{edition}");
        let mut table = Table::without_clocks(edition, ROOKS);
        table.play("a1b1 h8g8 b1a1 g8h8 a1d1 h8h5 d1a1");
        let mut wrong = table.clone();
        wrong.claim(Ground::Threefold, Some("h5h7"));
        assert_eq!(wrong.over(), "-", "{edition}: another move");
        table.claim(Ground::Threefold, Some("h5h8"));
        assert_eq!(table.over(), format!("1/2-1/2 ThreefoldRepetition {number}"), "{edition}");
        assert_eq!(table.game.moves().len(), 7);
    }
}

#[test]
fn article_9_2_b_with_the_position_on_the_board() {
    for (edition, number) in FIDE.into_iter().zip(["9.2.b", "9.2.b", "9.2.1.2", "9.2.2"]) {
        let mut table = Table::without_clocks(edition, ROOKS);
        table.play(&TO_AND_FRO.repeat(2));
        table.claim(Ground::Threefold, None);
        assert_eq!(table.over(), format!("1/2-1/2 ThreefoldRepetition {number}"), "{edition}");
        let mut early = Table::without_clocks(edition, ROOKS);
        early.play(TO_AND_FRO);
        early.claim(Ground::Threefold, None);
        assert_eq!(early.over(), "-", "{edition}: it stood there twice");
    }
    let course = course(Engine, ROOKS, &TO_AND_FRO.repeat(2));
    assert_eq!(course.end, Some((8, "1/2-1/2 ThreefoldRepetition -".into())));
}

#[test]
fn article_9_2_positions_with_other_castling_rights_differ() {
    let rook = "h1h2 d8d7 h2h1 d7d8 ";
    // The first position had the right: ply 1, 5 and 9 are the same, ply 0, 4 and 8 are not.
    assert_eq!(open_course("3k4/8/8/8/8/8/8/4K2R w K - 0 1", &rook.repeat(2)).0, 0);
    let (third, with) = open_course("3k4/8/8/8/8/8/8/4K2R w K - 0 1", &rook.repeat(3));
    assert_eq!((third, with), (9, Some((8, "h1h2".into()))));
    assert_eq!(open_course("3k4/8/8/8/8/8/8/4K2R w - - 0 1", &rook.repeat(2)).0, 8, "without the right");
    let kings = "e1d1 e8d8 d1e1 d8e8 ";
    assert_eq!(open_course("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", &kings.repeat(3)).0, 10, "both lose theirs");
    // Chess960: the same picture, but the rook with the right is not where it was.
    let swap = "c1c2 e8e7 a1c1 e7e8 c2a2 e8e7 a2a1 e7e8 ";
    let fen = "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1";
    assert_eq!(open_course(fen, &swap.repeat(3)).0, 17, "the first position had the right");
    assert_eq!(open_course(&fen.replace(" C ", " - "), &swap.repeat(2)).0, 16);
}

#[test]
fn article_9_2_positions_with_a_legal_capture_en_passant_differ() {
    let kings = "e8d8 e1d1 d8e8 d1e1 ";
    let game = |fen: &str, first: &str| open_course(fen, &format!("{first} {}", kings.repeat(3))).0;
    assert_eq!(game("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a2a4"), 10, "the capture was legal");
    assert_eq!(game("4k3/8/8/8/2p5/8/P7/4K3 w - - 0 1", "a2a4"), 9, "nobody stands beside");
    let pinned = "e8f8 e1e2 f8e8 e2e1 ".repeat(3);
    let fen = "4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1";
    let pinned = format!("d2d4 {}", pinned.replace("e1e2", "a1a2").replace("e2e1", "a2a1"));
    assert_eq!(open_course(fen, &pinned).0, 9, "the pawn is pinned");
    let rank = format!("g2g4 {}", "a4a5 g1h1 a5a4 h1g1 ".repeat(3));
    assert_eq!(
        open_course("8/8/8/8/k4p1Q/8/6P1/6K1 w - - 0 1", &rank).0,
        9,
        "both pawns would leave the rank"
    );
}

#[test]
fn article_9_2_the_same_player_must_have_the_move() {
    // The kings lose a move: the same picture, the other side to move.
    let triangle = "a1b1 h8g8 b1a2 g8h8 a2a1 h8g8 a1b1 g8h8 b1a2 h8g8 a2a1 g8h8 ";
    let fen = "7k/8/8/8/8/8/7P/K7 w - - 0 1";
    assert_eq!(open_course(fen, triangle).0, 0, "ply 5 has the picture of plies 0 and 12 only");
    assert_eq!(open_course(fen, &triangle.repeat(2)).0, 24);
}

#[test]
fn article_9_2_a_start_from_elsewhere_has_no_past() {
    let fen = ROOKS.replace("0 1", "40 60");
    let moves = TO_AND_FRO.repeat(2);
    assert_eq!(open_course(&fen, &moves).0, 8, "the start itself counts, and nothing before it");
    assert_eq!(open_course(&fen, TO_AND_FRO).0, 0);
}

#[test]
fn article_9_6_a_fivefold_consecutive_in_2014_at_any_time_since() {
    let consecutive = TO_AND_FRO.repeat(5);
    for (edition, end) in [
        (Fide2005, None),
        (Fide2014, Some((16, "1/2-1/2 FivefoldRepetition 9.6.a"))),
        (Fide2018, Some((16, "1/2-1/2 FivefoldRepetition 9.6.1"))),
        (Fide2023, Some((16, "1/2-1/2 FivefoldRepetition 9.6.1"))),
    ] {
        let end = end.map(|(ply, over)| (ply, over.to_string()));
        assert_eq!(course(edition, ROOKS, &consecutive).end, end, "{edition}");
    }
    // The fourth return takes six plies.
    let scattered = TO_AND_FRO.repeat(3) + "a1c1 h8f8 c1d1 f8g8 d1a1 g8h8";
    for (edition, end) in [(Fide2005, None), (Fide2014, None), (Fide2018, Some(18)), (Fide2023, Some(18))] {
        let course = course(edition, ROOKS, &scattered);
        assert_eq!(course.end.map(|(ply, _)| ply), end, "{edition}");
        assert_eq!(course.third, 8);
    }
}

/// Tab-separated: name, FEN, moves, and by columns where a position stands for the third time (4) and the fifth (10; as
/// 2014 has it 11), where the clock is at 100 and 150 (12, 13), the first claim with a move (14) and the end (15).
#[test]
#[ignore = "needs ADOUBE_REPETITIONS, a table of games with the plies of their repetitions"]
fn cases_from_elsewhere() {
    let file = std::env::var("ADOUBE_REPETITIONS").expect("ADOUBE_REPETITIONS names the table");
    let text = std::fs::read_to_string(file).unwrap();
    let mut count = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, fen, moves, third] = cells[..4] else { panic!("{line}") };
        let (fifth, fifth_2014, clock_100, clock_150, intended, end) =
            (cells[9], cells[10], cells[11], cells[12], cells[13], cells[14]);
        let ply = |text: &str| text.parse::<usize>().unwrap_or(0);
        count += 1;
        for edition in FIDE {
            let course = course(edition, fen, moves);
            let ended = course.end.clone();
            let by_board = matches!(end, "checkmate" | "stalemate");
            if by_board {
                let (_, over) = ended.unwrap();
                assert!(over.to_lowercase().contains(end), "{id} {edition}: {over}");
                continue;
            }
            assert_eq!(course.third, ply(third), "{id} {edition}");
            if ply(clock_100) > 0 {
                assert_eq!(course.fifty, ply(clock_100), "{id} {edition}");
            }
            let wanted = intended.split_once(',').map(|(ply, mv)| (ply.parse().unwrap(), mv.to_string()));
            assert_eq!(course.intended, wanted, "{id} {edition}");
            let automatic = match edition {
                Fide2005 => 0,
                Fide2014 => ply(fifth_2014).max(ply(clock_150)),
                _ => ply(fifth).max(ply(clock_150)),
            };
            assert_eq!(ended.map_or(0, |(ply, _)| ply), automatic, "{id} {edition}");
        }
    }
    assert!(count > 0, "no case in the table");
}
