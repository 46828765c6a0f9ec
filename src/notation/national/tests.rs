use super::*;
use crate::board::FenStyle;
use crate::notation::comment::MoveNote;
use crate::notation::fide::{FideStyle, to_fide};
use crate::notation::letters::FIGURINE;

/// The sample game of appendix C, in its two spellings, with the errors of print set right.
const FULL: &str = "1.e4 e5 2.Cf3 Cf6 3.d4 exd4 4.e5 Ce4 5.Dxd4 d5 6.exd6 a.p. Cxd6 7.Ag5 Cc6 8.De3+ Ae7 \
    9.Cbd2 0-0 10.0-0-0 Te8 11.Rb1(=)";
const SHORT: &str = "1. e4 e5 2. Cf3 Cf6 3. d4 ed4 4. e5 Ce4 5. Dd4 d5 6. ed6 Cd6 7. Ag5 Cc6 8. De3 Ae7 \
    9 Cbd2 0-0 10. 0-0-0 Te8 11. Rb1 (=)";
const END: &str = "r1bqr1k1/ppp1bppp/2nn4/6B1/8/4QN2/PPPN1PPP/1K1R1B1R b - - 9 11";

fn spanish() -> &'static Letters {
    Letters::find("es").unwrap()
}

fn only(text: &str, letters: &'static Letters) -> Result<PgnGame, String> {
    let mut games = read_games(text, letters);
    assert_eq!(games.len(), 1, "{text}: {games:?}");
    games.remove(0).map_err(|error| error.to_string())
}

fn respelled(game: &PgnGame, style: FideStyle) -> String {
    let mut position = game.start;
    let mut words = vec![];
    for played in &game.moves {
        if position.side_to_move() == Color::White {
            words.push(format!("{}.", position.fullmove_number()));
        }
        words.push(to_fide(played.mv, &position, &style));
        words.extend(MoveNote::parse(&played.comment, Color::White).draw_offer.then(|| "(=)".into()));
        position = position.after(played.mv);
    }
    words.join(" ")
}

#[test]
fn the_sample_game_of_the_laws_is_read_in_both_spellings_and_written_again() {
    for text in [FULL, SHORT] {
        let game = only(text, spanish()).unwrap();
        assert_eq!(game.end().to_fen(FenStyle::XFen), END);
        assert!(MoveNote::parse(&game.moves.last().unwrap().comment, Color::White).draw_offer);
        let full = respelled(&game, FideStyle::new(spanish()));
        let with_blanks = FULL.replace('.', ". ").replace("a. p. ", "a.p.").replace('(', " (");
        assert_eq!(full, with_blanks);
        let plain = respelled(&game, FideStyle::plain(spanish()));
        assert_eq!(plain, SHORT.replace("9 C", "9. C"));
    }
    // Missing dots and blanks, as one edition prints it.
    let glued = FULL.replace("2.C", "2C").replace("7.A", "7A").replace("1.e4", "1e4");
    assert_eq!(only(&glued, spanish()).unwrap().end().to_fen(FenStyle::XFen), END);
}

#[test]
fn its_errors_of_print_are_reported_with_line_and_number() {
    let error = |from: &str, to: &str| only(&FULL.replace(from, to), spanish()).unwrap_err();
    assert_eq!(error("5.Dxd4", "\n5.Dxd5"), "line 2: move 5. 'Dxd5': no legal move; possible: Dxd4");
    assert!(error("Ce4", "CCe4").starts_with("line 1: move 4... 'CCe4': no move in Spanish"));
    assert!(error("11.Rb1", "11.Kb1").contains("move 11. 'Kb1': 'K' is no piece's letter in Spanish"));
    assert_eq!(
        error("Ae7 9.", "Ae79. "),
        "line 1: move 8... 'Ae79.': a blank is missing between 'Ae7' and '9.'"
    );
    assert_eq!(error("7.Ag5 ", ""), "line 1: move 7. 'Cc6': no legal move; possible: Cc3");
    assert_eq!(error("Te8 ", ""), "line 1: the move number '11.' stands where '10...' is due");
    assert_eq!(error("2.", "3."), "line 1: the move number '3.' stands where '2.' is due");
    assert_eq!(error("2.Cf3", "2...Cf3"), "line 1: the move number '2...' stands where '2.' is due");
    assert!(error("1.e4", "1.P4R").contains("descriptive notation, only algebraic"));
    assert!(error("1.e4", "5254").contains("numeric notation"));
}

#[test]
fn games_have_tags_comments_signs_and_results() {
    let text = "\u{feff}[Event \"a \\\"b\\\"\"]\n[Result \"1-0\"]\n\n{before} 1.e4! {one} $10 (1.d4 {(} (1.c4)) ... e5?? ;end\n\
        % escaped\n 2 ♘f3 ½-½ 1-0\n[Event \"c\"]\n[FEN \"4k3/8/8/8/8/4p3/8/R3K2R b KQ - 0 7\"]\n7...♚d8 8.0-0-0+\n\
        [Event \"d\"]\n\n1.x e4 e5 *\n1.♞f3 *";
    let games = read_games(text, FIGURINE);
    let game = games[0].as_ref().unwrap();
    assert_eq!((game.tag("Event"), game.comment.as_str()), (Some("a \"b\""), "before"));
    assert_eq!((&game.moves[0].nags[..], game.moves[0].comment.as_str()), (&[1, 10][..], "one"));
    assert_eq!((&game.moves[1].nags[..], game.moves[1].comment.as_str()), (&[4][..], "end"));
    assert_eq!((game.moves.len(), game.outcome), (3, Outcome::Draw));
    let game = games[1].as_ref().unwrap();
    assert_eq!((game.moves.len(), game.outcome, game.line), (2, Outcome::Unfinished, 7));
    assert!(games[2].as_ref().unwrap_err().to_string().starts_with("line 12: move 1. 'x': no move"));
    assert_eq!((games[3].as_ref().unwrap().moves.len(), games.len()), (1, 4));
    // What stands behind a result is said of the game before it.
    let games = read_games("1.e4 1-0 {on time} ;late\n[Event \"b\"]\n\n{of b} 1.d4 0-1 (=)", FIGURINE);
    let game = |index: usize| games[index].as_ref().unwrap();
    assert_eq!(
        (game(0).moves[0].comment.as_str(), game(0).outcome),
        ("on time late", Outcome::Win(Color::White))
    );
    assert_eq!((game(1).comment.as_str(), game(1).moves[0].comment.as_str()), ("of b", "(=)"));
    let games = read_games("1.x 1-0 {of the broken one} ;too\n[Event \"b\"]\n\n1.d4 0-1", FIGURINE);
    let [Err(_), Ok(next)] = &games[..] else { panic!("{games:?}") };
    assert_eq!((next.comment.as_str(), next.moves[0].comment.as_str()), ("", ""));
    assert!(read_games("", FIGURINE).is_empty() && read_games(" {x} * 1-0 ;", FIGURINE).is_empty());
    assert!(only("[Variant \"Atomic\"]\n1.e4 *", FIGURINE).unwrap_err().contains("Atomic"));
    // Lines end anywhere before letters of several bytes.
    for letters in 0..9 {
        let text = format!("1.e4 (1.d4\n{}♘♘♘) e5 *", "a".repeat(letters));
        assert_eq!(only(&text, FIGURINE).unwrap().moves.len(), 2, "{text}");
    }
    let game = only("\u{feff}% {\n1.e4 (1.d4 ;:-)\n d5) e5 *", FIGURINE).unwrap();
    assert_eq!(
        game.moves.len(),
        2,
        "an escape behind the byte order mark, a bracket in a comment of a variation"
    );
    let error = only("[Event \"a\"]\n[FEN \"xx\"]\n\n1.e4 *", FIGURINE).unwrap_err();
    assert!(error.starts_with("line 2: tag FEN"), "{error}");
}

#[test]
fn results_that_pgn_has_no_value_for_end_a_game() {
    for word in ["+/-", "-/+", "-/-", "0-0", "0–0"] {
        let text = format!("[Result \"{word}\"]\n\n1.e4 e5 {word}");
        for end in ["", " {on time}", "\n[Event \"b\"]\n\n1.d4 *"] {
            let games = read_games(&format!("{text}{end}"), FIGURINE);
            let game = games[0].as_ref().unwrap();
            assert_eq!((game.moves.len(), game.stated), (2, Some(Outcome::Unfinished)), "{text}{end}");
            assert_eq!(games.len(), if end.contains("Event") { 2 } else { 1 });
        }
        // Elsewhere it is no result.
        for more in [" 2.♘f3 *", " {better} 2.♘f3 *", " ;better\n {so} 2.♘f3"] {
            assert!(only(&format!("1.e4 e5 {word}{more}"), FIGURINE).is_err(), "{word}{more}");
        }
    }
    assert_eq!(
        only("1.e4 = e5 *", FIGURINE),
        Err("line 1: move 1... '=': the offer of a draw is written '(=)'".into())
    );
}

#[test]
fn what_is_never_closed_takes_no_other_game_with_it() {
    for (open, bracket) in [("{de {", '{'), ("(1.d4 {)} (1.c4) d5 1-0", '('), ("(1.d4 {never", '(')] {
        let text = format!("[Event \"a\"]\n\n1.e4 1.\n{open}\n\n[Event \"b\"]\n\n1.d4 d5 {{end}} (1.c4) 0-1");
        let games = read_games(&text, FIGURINE);
        let error = games[0].as_ref().unwrap_err();
        assert_eq!(error.to_string(), format!("line 4: '{bracket}' is never closed"));
        let next = games[1].as_ref().unwrap();
        assert_eq!((next.moves.len(), next.outcome), (2, Outcome::Win(Color::Black)), "{open}");
        assert_eq!(games.len(), 2);
    }
    for before in ["", "[White \"x\"]\n", "1.e4 1-0 "] {
        let text = format!("{before}{{never\n[Event \"b\"]\n\n1.d4 0-1\n\n[Event \"c\"]\n\n1.c4 *");
        let games = read_games(&text, FIGURINE);
        let [.., Err(_), Ok(b), Ok(c)] = &games[..] else { panic!("{text}: {games:?}") };
        assert_eq!((b.tag("Event"), c.tag("Event")), (Some("b"), Some("c")), "{text}");
    }
    assert_eq!(only("1.e4 e5 {to the end", FIGURINE), Err("line 1: '{' is never closed".into()));
    assert_eq!(only("{from the beginning 1.e4", FIGURINE), Err("line 1: '{' is never closed".into()));
}

#[test]
fn a_move_that_is_due_is_not_lost_in_a_comment() {
    let german = Letters::find("de").unwrap();
    for text in ["1. e4 e5; 2. Sf3 Sc6; 3. Lb5 a6 1-0", "1.e4 e5 ;2.Sf3!\nSc6", "1.e4 e5; 2 Sf3\n3. Lb5 *"] {
        let told = "line 1: ';' begins a comment in PGN, and move 2. stands in it";
        assert_eq!(only(text, german), Err(told.into()), "{text}");
    }
    assert!(only("1.e4; 1...e5 2.Sf3 *", german).unwrap_err().contains("move 1... stands in it"));
    for (text, plies) in [
        ("1.e4 e5; 3. Sf3\n2.Lc4 *", 3),
        ("1.e4 e5; 2. Sf6\n2.Lc4 *", 3),
        ("1.e4 e5; 2. Sf3 is usual\n2.Lc4 *", 3),
        ("1.e4 e5 2.Sf3 ;2...Sf6 is Russian\nSc6 3.Lb5 1-0", 5),
        ("1.e4 e5 ;2.Sf3 would be usual\n1-0", 2),
        ("1.e4 ; 1...c5\n{so} e5 *", 2),
        ("1.e4 e5; Sf3\n2.Lc4 *", 3),
        ("1.e4 e5; 2\n 2.Lc4 *", 3),
        ("[Event \"x\"]\n; 1. e4\n1.d4 *", 1),
        ("1.e4 * ;1. d4", 1),
    ] {
        assert_eq!(only(text, german).map(|game| game.moves.len()), Ok(plies), "{text}");
    }
}

/// What follows a row of comments is looked for once, and of the next row anew.
#[test]
fn each_comment_of_a_row_is_followed_by_what_follows_the_row() {
    let german = Letters::find("de").unwrap();
    let row = ";2.Sf3\n; 2.Sf3 Sc6\n{2.Sf3}\n;2.Lc4\n";
    let in_comment = |number: &str, line: u64| {
        Err(format!("line {line}: ';' begins a comment in PGN, and move {number} stands in it"))
    };
    for (behind, expected) in [
        ("2.Lc4 ; 2...Sc6\n; 2...Sc6\n2...Sf6 *", Ok(4)),
        ("2.Lc4 ; 2...Sc6\n; 2...Sc6\n3.Sf3 *", in_comment("2...", 5)),
        ("3.Lc4 *", in_comment("2.", 1)),
    ] {
        let read = only(&format!("1.e4 e5 {row}{behind}"), german);
        assert_eq!(read.map(|game| game.moves.len()), expected, "{behind}");
    }
    // A bracket that is never closed in its game leads into no other one.
    let open = "1.e4 e5 ;2.Sf3\n{\n[Event \"b\"]\n\n1.e4 e5 ;2.Sf3\n2.Lc4 {} *";
    let [Err(_), Ok(second)] = &read_games(open, german)[..] else {
        panic!("{:?}", read_games(open, german))
    };
    assert_eq!(second.moves.len(), 3);
}

#[test]
fn a_result_may_have_blanks_and_a_remark_behind_it() {
    for result in ["½ - ½", "1/2 \u{2013} 1/2", "½ : ½", "½-\u{a0}½"] {
        let games = read_games(&format!("1.e4 e5 {result}\n1.d4 {result} 1.c4 {result}"), FIGURINE);
        let all_drawn =
            games.iter().all(|game| game.as_ref().is_ok_and(|game| game.outcome == Outcome::Draw));
        assert!(all_drawn && games.len() == 3, "{result}: {games:?}");
    }
    let won = only("1.e4 1 - 0", FIGURINE).unwrap();
    assert_eq!((won.outcome, won.moves.len()), (Outcome::Win(Color::White), 1));
    assert_eq!(only("1.e4 ½ – 0", FIGURINE).unwrap().exceptional, Some("1/2-0"));
    assert!(only("1.e4 1 - 0-0", FIGURINE).is_err());
    // As PGN has it.
    for remark in ["Schwarz gab auf", "(time)", ", 34 moves", "in 34.", "- Schwarz gibt auf; c4", "Вр."] {
        for result in ["1-0", "1 - 0"] {
            let text = format!("1.e4 e5 {result} {remark}\n\n1.d4 0-1\n");
            let [Ok(first), Ok(second)] = &read_games(&text, FIGURINE)[..] else { panic!("{text}") };
            assert_eq!((first.moves[1].comment.as_str(), second.moves.len()), (remark, 1));
        }
    }
    for text in ["1.e4 1-0 1. d4 *", "1.e4 1-0 ♘f3 *", "1.e4 1-0 \n♘f3 *", "1.e4 1-0 * d4"] {
        assert!(read_games(text, FIGURINE).len() == 2, "{text}");
    }
    let [Ok(first), Ok(second)] = &read_games("1.e4 1-0 resigns {a} [Event \"c\"]\n1.d4 *", FIGURINE)[..]
    else {
        panic!("two games")
    };
    assert_eq!((first.moves[0].comment.as_str(), second.tag("Event")), ("resigns a", Some("c")));
    let offered = only("1.e4 ( = ) e5 (=)", FIGURINE).unwrap();
    assert_eq!(offered.moves.iter().map(|played| played.comment.as_str()).collect::<Vec<_>>(), ["(=)"; 2]);
}

#[test]
fn signs_that_nobody_sees_and_full_width_say_nothing() {
    let text = "\u{200b}1.\u{202a}e4\u{202c} e5\u{200e} 2.♘\u{fe0e}f3 \u{2060} ♞\u{fe0f}c6 ３．♗ｂ５　ａ６ 1-0\u{200b}";
    let game = only(text, FIGURINE).unwrap();
    assert_eq!((game.moves.len(), game.outcome), (6, Outcome::Win(Color::White)));
    assert_eq!(only("1.- e4 e5 2.-♘f3 2...- ♞c6 *", FIGURINE).unwrap().moves.len(), 4);
    assert_eq!(
        only("1.e4 \u{1b}[31m *", FIGURINE).unwrap_err(),
        "line 1: move 1... '\\u{1b}[31m': no move in figurine notation (♔ ♕ ♖ ♗ ♘)"
    );
    assert!(only("1.e4 0:59:58 e5", FIGURINE).unwrap_err().contains("move 1... '0:59:58': no move in"));
}
