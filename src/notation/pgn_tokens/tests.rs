use super::*;
use crate::types::Color;

fn tokens(text: &[u8]) -> Vec<Token> {
    // A small block, so that everything is cut somewhere.
    let mut tokens = Tokens::new(text, 1);
    std::iter::from_fn(|| tokens.next().unwrap()).collect()
}

fn words(text: &str) -> Vec<String> {
    let word = |token| match token {
        Token::Word(word) => word,
        other => format!("{other:?}"),
    };
    tokens(text.as_bytes()).into_iter().map(word).collect()
}

#[test]
fn lines_may_end_with_a_carriage_return_alone() {
    let lines = ["1. e4 ; hi", "e5", "% left out", "[Event \"b\"]", "1. d4 {x", "y} *"];
    let plain = tokens(lines.join("\n").as_bytes());
    assert_eq!(plain.len(), 7, "{plain:?}");
    for end in ["\r", "\r\n"] {
        assert_eq!(tokens(lines.join(end).as_bytes()), plain, "{end:?}");
        let mut tokens = Tokens::new(lines.join(end).leak().as_bytes(), 1);
        while tokens.next().unwrap().is_some() {}
        assert_eq!(tokens.began.1, 6, "{end:?}");
    }
}

#[test]
fn a_comment_that_is_cut_off_ends_with_a_whole_character() {
    let text = format!("{{a{}}}", "é".repeat(LONGEST_TEXT));
    let [Token::Comment(comment)] = &tokens(text.as_bytes())[..] else { panic!("a comment") };
    assert_eq!(comment.len(), LONGEST_TEXT - 1);
    assert!(comment.starts_with("aéé") && comment.ends_with('é'));
}

#[test]
fn moves_come_without_their_numbers() {
    assert_eq!(
        words("1.e4 e5 2 . Nf3 Nc6 3... a6 4 Ba4 5…d6 6.e8(Q) e1=N+"),
        ["e4", "e5", "Nf3", "Nc6", "a6", "Ba4", "d6", "e8=Q", "e1=N+"]
    );
    assert_eq!(words("1e4 e5 2Nf3 12O-O 3e8Q 1a2a3"), ["e4", "e5", "Nf3", "O-O", "e8Q", "a2a3"]);
    assert_eq!(
        words("exd6 e.p. exd6e.p.+ e.p ep ♘f3 ♞xf3 O–O 0-0-0 +- = -- e4(a3)"),
        [
            "exd6", "exd6e.p+", "Nf3", "Nxf3", "O-O", "0-0-0", "Nag(18)", "Nag(10)", "--", "e4", "Open",
            "a3", "Close",
        ]
    );
    assert_eq!(tokens(b"Kb1(=)"), [Token::Word("Kb1".into()), Token::Comment("(=)".into())]);
}

#[test]
fn a_promotion_may_have_blanks_around_its_sign() {
    assert_eq!(
        words("e8 =Q+ bxa1= N# e7-e8 = R a8 =\nB Ra8 = Qd5 e8 =Qd5 a8 = d4"),
        ["e8=Q+", "bxa1=N#", "e7-e8=R", "a8=B", "Ra8", "Nag(10)", "Qd5", "e8", "=Qd5", "a8", "Nag(10)", "d4"]
    );
}

#[test]
fn judgements_are_numbers_and_no_moves() {
    let numbers =
        |text: &str| words(text).into_iter().filter(|word| word.starts_with("Nag")).collect::<Vec<_>>();
    let signs = "e4 += e5 ± Nf3\u{2a72} Nc6 -+ a3 ∞ b3 = c3 d3 RR e3 forced f3 \u{25a1} g3 4. h3 ~ TN";
    let expected = [14, 16, 14, 19, 13, 10, 145, 7, 7, 13, 146].map(|number| format!("Nag({number})"));
    assert_eq!(numbers(signs), expected);
    // What Scid writes with `-symbols`, in brackets and at the end of a line too.
    let signs = "e4 =, quiet e5 =,\nquiet Nf3 = c6 =/& c4 &/+ a3 +-- a6 --+ b3 ↻↻ (b6 ⊕⊕) b4 ⇄⇄⇄\nb5 ⊕{x} h3 ⊞⊞; y\nh6 ⇆$1";
    let expected = [11, 11, 10, 44, 43, 20, 21, 32, 138, 134, 136, 48 + 2, 132, 1];
    assert_eq!(numbers(signs), expected.map(|number| format!("Nag({number})")));
    // Compensation, as web sites show it.
    assert_eq!(numbers("e4 =∞ c5 =/∞ Nf3 ∞= d6 \u{2bf9}"), ["Nag(44)"; 4]);
    // What comes right behind it ends a sign, as a comma does.
    assert_eq!(
        numbers("e4 ⊕⊕(d4 =/&!) e5 ⊕⊕, Nf3 =, quiet, =,Nc6"),
        [138, 44, 1, 138, 11, 10].map(|n| format!("Nag({n})"))
    );
    // Nor is more looked for than there is room to look ahead.
    let far = format!("e4 =,{}quiet Nf3", " ".repeat(9_000));
    assert_eq!(words(&far), ["e4", "Nag(10)", "Nag(11)", "Nf3"]);
    assert_eq!(words("e4 -- +--+ =e5")[..2], ["e4", "--"]);
    assert_eq!(
        tokens(b"e4 \xb1 O\x96O"),
        [Token::Word("e4".into()), Token::Nag(16), Token::Word("O-O".into())]
    );
    assert_eq!(
        tokens("½ - ½ 1/2 - 1/2".as_bytes()),
        [Token::End(Outcome::Draw, None), Token::End(Outcome::Draw, None)]
    );
}

#[test]
fn results_signs_and_comments_are_told_apart() {
    use Token::*;
    assert_eq!(
        tokens(b"e4! {a { b\n c} ?? ; d } e\r\n%f\n $7$300 ( ) 1/2-1/2 0-1 1-0 * {never closed"),
        [
            Word("e4".into()),
            Nag(1),
            Comment("a { b c".into()),
            Nag(4),
            Comment("d } e".into()),
            Nag(7),
            Open,
            Close,
            End(Outcome::Draw, None),
            End(Outcome::Win(Color::Black), None),
            End(Outcome::Win(Color::White), None),
            End(Outcome::Unfinished, None),
            Comment("never closed".into()),
        ]
    );
}

#[test]
fn tags_are_read_however_they_are_broken() {
    let tag = |name: &str, value: &str| Token::Tag(name.into(), value.into());
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("[White \"no end{end}[Black \"no bracket\"{end}");
        assert_eq!(tokens(text.as_bytes()), [tag("White", "no end"), tag("Black", "no bracket")], "{end:?}");
    }
    assert_eq!(
        tokens(b"[Event \"a \\\"b\\\" \\\\\"][ Site  \"x\" ] \n[White \"say \"hi\" now\"]\n"),
        [tag("Event", "a \"b\" \\"), tag("Site", "x"), tag("White", "say \"hi\" now")]
    );
    // A backslash that escapes nothing, and brackets in a value that is written as it should be.
    assert_eq!(
        tokens(b"[Site \"C:\\games\\\"]  \n[Event \"\\\"a\\\"] b\"]\n[Round \"\\\"x\\\"]\"]\n"),
        [tag("Site", "C:\\games\\"), tag("Event", "\"a\"] b"), tag("Round", "\"x\"]")]
    );
    assert_eq!(
        tokens(b"[White \"no end\r\n[Black \"no bracket\"\r\n[x] [Bl\xfcte \"y\"] e4"),
        [
            tag("White", "no end"),
            tag("Black", "no bracket"),
            Token::Word("x".into()),
            tag("Bl\u{fc}te", "y"),
            Token::Word("e4".into()),
        ]
    );
    assert_eq!(tokens("[ECO-Code \"B\"][Größe \"x\"]".as_bytes()), [tag("ECO-Code", "B"), tag("Größe", "x")]);
    assert_eq!(
        tokens(b"[White \"M\xfcller\"][Black \"M\xc3\xbcller\"]"),
        [tag("White", "M\u{fc}ller"), tag("Black", "M\u{fc}ller")]
    );
    let won = |color| Token::End(Outcome::Win(color), None);
    assert_eq!(tokens(b"1 - 0\n0 - 1"), [won(Color::White), won(Color::Black)]);
    assert_eq!(tokens(b"11 - 0 1 - 0-0"), [Token::Word("0".into()), Token::Word("0-0".into())]);
    assert_eq!(tokens(b"{open\n[Event \"next\"]"), [Token::Comment("open".into()), tag("Event", "next")]);
}

#[test]
fn a_line_in_brackets_is_a_tag_however_its_name_and_value_are_written() {
    let tag =
        |name: &str, value: &str, line: &str| Token::CarelessTag(name.into(), value.into(), line.into());
    for end in ["\n", "\r\n", "\r", " \n"] {
        let lines = [
            "[White Elo \"1900\"]",
            "[Annotator]",
            "[Site a b]",
            "[White “w”]",
            "[Black O'Neil]",
            "[Black 'a']",
            "[\"x\"]",
            "[x] e4",
            "[a “b”] [c “d”]",
        ];
        assert_eq!(
            tokens(lines.join(end).as_bytes()),
            [
                tag("WhiteElo", "1900", lines[0]),
                tag("Annotator", "", lines[1]),
                tag("Site", "a b", lines[2]),
                tag("White", "w", lines[3]),
                tag("Black", "O'Neil", lines[4]),
                tag("Black", "a", lines[5]),
                Token::Word("x".into()),
                Token::Word("e4".into()),
                Token::Word("a".into()),
                Token::Word("b".into()),
                Token::Word("c".into()),
                Token::Word("d".into()),
            ],
            "{end:?}"
        );
    }
}

#[test]
fn letters_of_other_alphabets_belong_to_a_word() {
    assert_eq!(
        words("2. Кf3 Νc6 ± ∞ e4□ d5\u{a0}⩲ Слон Δ e5ñ ñ 1.º ЖЖg4"),
        ["Кf3", "Νc6", "Nag(16)", "Nag(13)", "e4", "Nag(7)", "d5", "Nag(14)", "e5", "ЖЖg4"]
    );
    assert_eq!(tokens("1 - 0\u{a0}".as_bytes()), [Token::End(Outcome::Win(Color::White), None)]);
    assert_eq!(tokens(b"1:0 0:1"), Color::ALL.map(|c| Token::End(Outcome::Win(c), None)));
}

#[test]
fn castling_is_put_together_from_zeros_and_letters_that_look_like_them() {
    for dash in ["-", "\u{2013}", "\u{2212}", "\u{ad}", "\u{ff0d}", "\u{2043}", "\u{fe58}", "\u{fe63}"] {
        for blank in ["", " ", "\n", "\u{a0}", "  "] {
            let sign = format!("{blank}{dash}{blank}");
            let text = format!("4. 0{sign}0 0{sign}0{sign}0+ 5. d3");
            assert_eq!(words(&text), ["0-0", "0-0-0+", "d3"], "{text:?}");
            for zero in ["О", "о", "Ο", "ο"] {
                let text = format!("4. {zero}{sign}{zero} {zero}{sign}{zero}{sign}{zero}-+ d3");
                assert_eq!(words(&text), ["O-O", "O-O-O-+", "d3"], "{text:?}");
            }
        }
    }
    // No move has the number nought, so that a piece of castling is not lost.
    for (text, wanted) in [
        ("0 0", &["0", "0"][..]),
        ("4.0.0 d6", &["0", "0", "d6"]),
        ("4. 00. d6", &["00", "d6"]),
        ("0~0", &["0", "Nag(13)", "0"]),
        ("0\u{2500}0 0¬0 0\u{f02d}0", &["0"; 6]),
        ("0. e4 0... e5 10 d4 01. d5", &["e4", "e5", "d4", "d5"]),
        ("0-0-1 0-0-0-0 O-Oh", &["0-0-1", "0-0-0-0", "O-Oh"]),
        ("O-O 0-1", &["O-O", "End(Win(Black), None)"]),
        ("0-0 - 0-1", &["0-0", "End(Win(Black), None)"]),
    ] {
        assert_eq!(words(text), wanted, "{text}");
    }
}

#[test]
fn results_and_offers_may_have_blanks_in_them() {
    use Color::{Black, White};
    let end = |outcome| vec![Token::End(outcome, None)];
    for sign in ["-", "\u{2013}", "\u{2014}", ":", "\u{2212}"] {
        for blanks in [["", ""], [" ", " "], ["", "\t"], ["\r\n", ""], ["\u{a0}", "\u{2009}"]] {
            let sign = format!("{}{sign}{}", blanks[0], blanks[1]);
            for (text, outcome) in [
                (format!("1{sign}0"), Outcome::Win(White)),
                (format!("0{sign}1"), Outcome::Win(Black)),
                (format!("1/2{sign}1/2"), Outcome::Draw),
                (format!("½{sign}½"), Outcome::Draw),
            ] {
                assert_eq!(tokens(text.as_bytes()), end(outcome), "{text:?}");
            }
        }
    }
    assert_eq!(tokens("½ – 0".as_bytes()), [Token::End(Outcome::Unfinished, Some("1/2-0"))]);
    assert_eq!(words("1 - 0-0 1 : 01 1 - Nf3"), ["0-0", "Nf3"]);
    for offer in ["(=)", "( = )", "(= )", "(\n=)"] {
        assert_eq!(tokens(offer.as_bytes()), [Token::Comment("(=)".into())], "{offer:?}");
    }
    assert_eq!(words("( =)( = d4)").len(), 5);
}

#[test]
fn pieces_of_other_fonts_belong_to_their_moves() {
    assert_eq!(
        words("1.e4 c5 2.¤f3 d6 3.¥b5† ¢e7 4.£xd6 ¦ad8 e8£ e1=¤ 1¤f3"),
        ["e4", "c5", "Nf3", "d6", "Bb5", "Ke7", "Qxd6", "Rad8", "e8Q", "e1=N", "Nf3"]
    );
    assert_eq!(tokens(b"\xa4f3"), [Token::Word("Nf3".into())]);
    // What no sign is known for is no pawn's move at any rate. Windows has quotation marks where DOS has Russian letters.
    assert_eq!(
        words("\u{e04e}f3 ‘xe5 ”bd2 ‹g1-f3 “b” «Gut» “a 3” ±e4 …e5 1…d5 2½ \u{a0}e3 ¤ £ •"),
        ["\u{e04e}f3", "‘xe5", "”bd2", "‹g1-f3", "b", "Gut", "a", "Nag(16)", "e4", "e5", "d5", "21/2", "e3",]
    );
    assert_eq!(words("N×d6 Кхd4 Nхd4 e×d5 d× ×e4"), ["Nxd6", "Кхd4", "Nxd4", "exd5", "d", "×e4"]);
    assert_eq!(words("♘\u{fe0e}f3 ♞\u{fe0f}xf3 e4\u{200b} \u{200e}d4 N\u{2060}c3\u{feff}").len(), 5);
    assert_eq!(words("\u{202a}e4\u{202c} N\u{2068}c3\u{2069} Nf6"), ["e4", "Nc3", "Nf6"]);
}

#[test]
fn characters_of_full_width_are_those_of_ascii() {
    assert_eq!(
        words("１．ｅ４　ｅ５！ ２Ｎｆ３ （ｄ４）Ｏ－Ｏ ０－０－０＋ ｅ８＝Ｑ＃"),
        ["e4", "e5", "Nag(1)", "Nf3", "Open", "d4", "Close", "O-O", "0-0-0+", "e8=Q#"]
    );
    assert_eq!(words("１－０ ＊"), ["End(Win(White), None)", "End(Unfinished, None)"]);
}

#[test]
fn a_number_that_is_not_due_belongs_to_the_word() {
    let mut tokens = Tokens::new(&b"8c4 2c4 12c4 2 8 8. c4"[..], 1);
    tokens.due = Some([2, 12]);
    let found: Vec<Token> = std::iter::from_fn(|| tokens.next().unwrap()).collect();
    assert_eq!(found, ["8c4", "c4", "c4", "c4"].map(|word| Token::Word(word.into())));
}

#[test]
fn places_are_those_of_the_bytes() {
    let mut tokens = Tokens::new(&b"\xef\xbb\xbf[A \"b\"]\n\n {x\ny}\n e4"[..], 1);
    let mut places = vec![];
    while tokens.next().unwrap().is_some() {
        places.push(tokens.began);
    }
    assert_eq!(places, [(3, 1), (13, 3), (20, 5)]);
}
