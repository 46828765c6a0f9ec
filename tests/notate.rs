//! The notation of score sheets: `adoube notate` as a user runs it, and what must hold for every move.

mod support;

use adoube::board::{FenStyle, Position};
use adoube::notation::announce::{parse_announcement, to_announcement};
use adoube::notation::fide::{FideStyle, MateSign, to_fide};
use adoube::notation::fide_reader::parse_fide;
use adoube::notation::letters::{LANGUAGES, Letters};
use adoube::notation::uci_move::{parse_uci, to_uci};
use support::{Variant, random, random_positions};

/// The sample game of the FIDE Laws, appendix C, played on to its draw.
const SAMPLE: &str = "1.e4 e5 2.Cf3 Cf6 3.d4 exd4 4.e5 Ce4 5.Dxd4 d5 6.exd6 a.p. Cxd6 7.Ag5 Cc6 8.De3+ Ae7\n\
    9.Cbd2 0-0 10.0-0-0 Te8 11.Rb1(=)\n";

/// Exit status, standard output and standard error of `adoube notate`.
fn notate(arguments: &[&str], input: &str) -> (i32, String, String) {
    support::run(&[&["notate"], arguments].concat(), input)
}

fn written(arguments: &[&str], input: &str) -> String {
    let (status, out, err) = notate(arguments, input);
    assert_eq!((status, err.as_str()), (0, ""), "{arguments:?}");
    out
}

#[test]
fn a_score_in_national_letters_becomes_any_other() {
    let english = written(&["--from", "es", "--as", "san"], SAMPLE);
    assert_eq!(
        english,
        "1. e4 e5 2. Nf3 Nf6 3. d4 exd4 4. e5 Ne4 5. Qxd4 d5 6. exd6 Nxd6 7. Bg5 Nc6 8.\n\
         Qe3+ Be7 9. Nbd2 O-O 10. O-O-O Re8 11. Kb1 {(=)} *\n\n"
    );
    let spanish = written(&["--as", "es", "-"], &english);
    assert!(spanish.contains("6. exd6 a.p. Cxd6") && spanish.contains("11. Rb1 (=) *"), "{spanish}");
    assert_eq!(written(&["--as", "san", "--from=Spanish"], &spanish), english, "read again");
    let plain = written(&["--as", "es", "--plain"], &english).replace('\n', " ");
    assert!(
        plain.contains("3. d4 ed4 4. e5 Ce4 5. Dd4 d5 6. ed6 Cd6") && plain.contains("De3 Ae7"),
        "{plain}"
    );
    assert!(written(&["--as", "de", "--long"], &english).contains("Lf8e7 9. Sb1d2 0-0"));
    assert!(written(&["--as", "figurine"], &english).contains("♘bd2 0-0 10. 0-0-0 ♖e8"));
    assert!(written(&["--as", "uci"], &english).contains("10. e1c1 f8e8 11. c1b1"));
    assert!(written(&["--as", "lan"], &english).contains("Qd4-e3+"));
    assert!(written(&["--as", "announced"], &english).contains("\n10. Lange Rochade\n"));
    // Each sign is left out by itself.
    for (argument, expected) in [
        ("--no-captures", "5. Dd4 d5 6. ed6 a.p. Cd6 7. Ag5 Cc6 8. De3+ Ae7"),
        ("--no-checks", "5. Dxd4 d5 6. exd6 a.p. Cxd6 7. Ag5 Cc6 8. De3 Ae7"),
        ("--no-en-passant", "5. Dxd4 d5 6. exd6 Cxd6 7. Ag5 Cc6 8. De3+ Ae7"),
    ] {
        let text = written(&["--as", "es", argument], &english).replace('\n', " ");
        assert!(text.contains(expected), "{argument}: {text}");
    }
    let castling =
        "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w H - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O *\n";
    assert!(written(&["--as", "uci"], castling).contains("1. e1h1 *"), "king takes rook");
    let mate = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
    let with_plus = written(&["--as", "es", "--mate", "++"], mate);
    assert_eq!(with_plus, "[Event \"x\"]\n\n1. f3 e5 2. g4 Dh4++ 0-1\n\n");
}

#[test]
fn each_line_of_national_letters_has_its_own_character_set() {
    let mixed = b"[White \"M\xc3\xbcller\"]\n\n1. e4 *\n\n[White \"P\xe9rez\"]\n\n1. Cf3 *\n";
    let (status, out, err) = support::run(&["notate", "--as", "san", "--from", "es"], mixed);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("\"Müller\"") && out.contains("\"Pérez\"") && out.contains("1. Nf3"), "{out}");
}

#[test]
fn a_line_that_is_not_utf_8_has_the_letters_of_the_language() {
    let run = |text: &[u8]| support::run(&["notate", "--as", "san", "--from", "ru"], text);
    let (status, out, err) =
        run(b"[White \"\xca\xe0\xf0\xef\xee\xe2\"]\n\n1.e4 e5\r2.\xcaf3 \xcac6\r\n3.\xd1b5 *\n");
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("\"Карпов\"") && out.contains("2. Nf3 Nc6 3. Bb5 *"), "{out}");
    // KOI8-R has other letters there.
    let (status, _, err) = run(b"1.e4 e5\r2.\xebf3 *");
    assert_eq!(status, 1);
    assert!(err.contains("line 2: move 2. 'лf3'"), "{err}");
    assert!(
        err.contains("(the line is not UTF-8, and was read as Windows-1251; save the file as UTF-8)"),
        "{err}"
    );
    assert!(!run(b"1.e4 e5\n2.x\n{\xeb}").2.contains("UTF-8"), "a line of another");
    assert!(!run("1.e4 e5 2.Фf3 *".as_bytes()).2.contains("UTF-8"));
}

#[test]
fn a_tag_that_names_no_result_is_told() {
    let (status, out, err) = notate(&["--as", "san"], "[Result \"Remis\"]\n\n1. e4 *\n");
    assert_eq!((status, out.as_str()), (0, "[Result \"Remis\"]\n\n1. e4 *\n\n"));
    assert!(err.contains("standard input: game 1: tag Result: 'Remis' is no result\n"), "{err}");
    assert_eq!(written(&["--as", "san"], "[Result \"½ : ½\"]\n\n1. e4\n").matches("1/2-1/2").count(), 2);
}

#[test]
fn a_sheet_and_json_tell_clocks_and_offers() {
    let pgn = "[White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n\n1. d4 {[%clk 0:59:58]} d5 {[%clk 0:59:50] (=)} 1/2-1/2\n\
        1. c4 {+0.10/5 1.500s} *";
    let sheets = written(&["--as", "es", "--sheet", "--signatures"], pgn);
    assert!(sheets.contains("    1  d4     0:59:58  d5 (=)  0:59:50\n"), "{sheets}");
    assert!(sheets.contains("  0:00:01.5\n") && sheets.matches("White ____").count() == 2, "{sheets}");
    assert!(
        !sheets.starts_with('\n') && sheets.contains("\n\n\n"),
        "room between the sheets alone: {sheets}"
    );
    assert!(!written(&["--as", "es", "--sheet"], pgn).contains("White ____"), "nobody has asked for them");
    let second = written(&["--as", "es", "--sheet", "--game", "2"], pgn);
    assert!(second.contains("c4") && !second.contains("d4"), "{second}");
    let exceptional =
        written(&["--as", "en", "--sheet"], "[Result \"*\"]\n[FideResult \"0-1/2\"]\n\n1. d4 *\n");
    assert!(exceptional.contains("Result: 0-1/2\n"), "{exceptional}");
    let json = written(&["--as", "fr", "--json"], pgn);
    let games: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((games.len(), &games[0]["moves"][1]["draw_offer"]), (2, &true.into()));
    assert_eq!(games[1]["game"], 2);
    assert_eq!(games[1]["moves"][0]["eval"]["cp"], 10);
    assert_eq!(games[1]["moves"][0]["time"], 1.5);
    let twice = written(&["--as", "fr", "--json"], "[White \"a\"]\n[White \"b\"]\n\n1. e4 *");
    let game: serde_json::Value = serde_json::from_str(&twice).unwrap();
    assert_eq!(game["tags"]["White"], "a", "the first one counts");
}

#[test]
fn moves_are_counted_beyond_four_digits_in_every_form() {
    let pgn = "[FEN \"4k3/8/8/8/8/8/8/4K2R b - - 0 9999\"]\n\n9999... Kd8 10000. Ke2 Ke8 10001. Ke1 *\n";
    let german = written(&["--as", "de"], pgn);
    assert!(german.ends_with("9999... Kd8 10000. Ke2 Ke8 10001. Ke1 *\n\n"), "{german}");
    assert_eq!(written(&["--as", "de", "--from", "de"], &german), german);
    let announced = written(&["--as", "announced"], pgn);
    assert!(announced.contains("\n10000. ") && announced.contains("\n10001. "), "{announced}");
    let sheet = written(&["--as", "san", "--sheet"], pgn);
    assert!(sheet.contains("\n10000  Ke2") && sheet.contains("\n10001  Ke1"), "{sheet}");
    assert!(written(&["--as", "san", "--json"], pgn).contains("\"number\":10001"));
}

#[test]
fn results_and_marks_are_kept_however_they_are_written() {
    for (text, wanted) in [
        ("[Result \"1-0\"]\n\n1. e4 e5 *\n", "[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"),
        ("[Result \"½–½\"]\n\n1. e4 e5\n", "[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n\n"),
        ("[Result \"1-0\"]\n\n1. e4 e5 0-1\n", "[Result \"0-1\"]\n\n1. e4 e5 0-1\n\n"),
    ] {
        for from in [&[][..], &["--from", "en"]] {
            assert_eq!(written(&[&["--as", "san"], from].concat(), text), wanted, "{from:?}");
        }
    }
    // What PGN has no value for is kept, so that it reads back.
    for result in ["0-0", "1/2-0", "0-½"] {
        let text = format!("[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n");
        assert_eq!(written(&["--as", "san"], &text), text);
        assert_eq!(written(&["--as", "san"], &written(&["--as", "san"], &text)), text);
    }
    // Where no tag says it, PGN would have nothing of it.
    let forfeit = "1. e4 e5 -/+";
    let tagged = "[FideResult \"-/+\"]\n\n1. e4 e5 *\n\n";
    assert_eq!(written(&["--from", "en", "--as", "san"], forfeit), tagged);
    assert_eq!(written(&["--as", "san"], tagged), tagged);
    let said: serde_json::Value =
        serde_json::from_str(&written(&["--from", "en", "--as", "san", "--json"], forfeit)).unwrap();
    assert_eq!(said["result"], "-/+");
    // Files put together from others, of old and new writers.
    let spanish = |text: &str| written(&["--from", "es", "--as", "san"], text);
    assert_eq!(spanish("1.e4 ! e5 ?? 2.Cf3!! 1–0"), "1. e4 $1 e5 $4 2. Nf3 $3 1-0\n\n");
    assert_eq!(
        spanish("1.e4 e5 2.Cf3 Cc6 ; said\r3.Ac4 Cf6\r4.0–0 1/2\r"),
        "1. e4 e5 2. Nf3 Nc6 {said} 3. Bc4 Nf6 4. O-O 1/2-1/2\n\n"
    );
    assert_eq!(spanish("1.e4 e5\n\n\u{feff}[Event \"b\"]\n\n1.d4 *\n").matches("1. ").count(), 2);
    let said: serde_json::Value =
        serde_json::from_str(&written(&["--as", "san", "--json"], "{before} 1. e4 *")).unwrap();
    assert_eq!(said["comment"], "before");
}

#[test]
fn what_both_lose_with_is_no_castling_in_national_letters_either() {
    let german = |arguments: &[&str], text: &str| written(&[&["--from", "de"], arguments].concat(), text);
    let moves = "1. e4 e5 2. Sf3 Sc6 3. Lc4 Lc5";
    let read = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5";
    for end in ["0-0", "4. 0-0 Sf6 0-0"] {
        let text = format!("[Result \"0-0\"]\n\n{moves} {end}\n\n");
        let english = text.replace(moves, read).replace("4. 0-0 S", "4. O-O N");
        assert_eq!(german(&["--as", "san"], &text), english);
        assert_eq!(written(&["--as", "de"], &english), text);
    }
    let lost = format!("[Result \"0-0\"]\n\n{moves} 0-0");
    let sheet = german(&["--as", "en", "--sheet"], &lost);
    assert!(sheet.contains("    3  Bc4    Bc5\n\nResult: 0-0\n"), "{sheet}");
    let said = german(&["--as", "san"], &format!("{lost} {{both flags}}"));
    assert!(said.contains("Bc5 {both flags} 0-0\n"), "{said}");
    let two = format!("{}\n\n[Event \"b\"]\n\n1. d4 *", lost.replace("Result", "FideResult"));
    let two = german(&["--as", "san"], &two);
    assert!(two.contains(&format!("{read} *\n")) && two.contains("1. d4 *\n"), "{two}");
    // Elsewhere it is castling.
    for (tag, end) in [("*", "0-0"), ("0-0", "0-0 Sf6"), ("0-0", "O-O"), ("0-0", "0-0 *")] {
        let text = german(&["--as", "san"], &format!("[Result \"{tag}\"]\n\n{moves} {end}"));
        assert!(text.contains(&format!("{read} 4. O-O ")), "{tag}, {end}: {text}");
    }
}

#[test]
fn a_game_that_does_not_count_reads_back() {
    let text = "[Result \"void\"]\n\n1. e4 e5 2. Nf3 Nc6 void\n\n[Event \"b\"]\n\n1. d4 *\n\n";
    let german = text.replace('N', "S");
    assert_eq!(written(&["--from", "de", "--as", "san"], &german), text);
    assert_eq!(written(&["--as", "san"], text), text);
    assert_eq!(written(&["--as", "de"], text), german);
}

#[test]
fn what_stands_behind_the_moves_is_kept_without_a_tag() {
    for from in [&[][..], &["--from", "en"]] {
        let san = |text: &str| written(&[&["--as", "san"], from].concat(), text);
        for result in ["1/2-0", "0-1/2", "void"] {
            let plain = format!("1. e4 e5 {result}\n\n");
            assert_eq!(san(&plain), plain, "{from:?}");
            for tag in ["*", "1-0", "0-0"] {
                let tagged = format!("[Result \"{tag}\"]\n\n{plain}");
                // A result of the tag alone counts where nothing else is said.
                let expected = if tag == "1-0" { tag } else { result };
                assert_eq!(san(&tagged).matches(expected).count(), 2, "{tagged}{}", san(&tagged));
            }
            let sheet = written(&[&["--as", "en", "--sheet"], from].concat(), &plain);
            assert!(sheet.contains(&format!("Result: {result}\n")), "{sheet}");
        }
        assert_eq!(san("(1. d4 1/2-0) 1. e4 e5 *"), "1. e4 e5 *\n\n", "of a variation");
        assert_eq!(san("[Result \"0–½\"]\n\n1. e4 e5 0-1/2"), "[Result \"0–½\"]\n\n1. e4 e5 0–½\n\n");
    }
    let national = |text: &str| written(&["--from", "en", "--as", "san"], text);
    for result in ["0-0", "+/-", "-/-"] {
        let tagged = national(&format!("[Result \"*\"]\n\n1.e4 e5 {result}"));
        assert_eq!(tagged, format!("[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n"));
        // Without the tag no reader of PGN takes it for the end: another one tells it.
        let told = format!("[FideResult \"{result}\"]\n\n1. e4 e5 *\n\n");
        assert_eq!(national(&format!("1.e4 e5 {result}")), told);
    }
}

#[test]
fn mistakes_are_told_with_file_game_and_move_and_have_their_status() {
    let (status, out, err) =
        notate(&["--as", "san", "--from", "es"], &(SAMPLE.replace("Rb1", "Kb1") + "* 1.e4 *"));
    assert_eq!((status, out.as_str()), (1, "1. e4 *\n\n"), "the other game is written");
    assert!(
        err.contains(
            "standard input: game 1, line 2: move 11. 'Kb1': 'K' is no piece's letter in Spanish notation \
             (R D T A C); possible: Rb1, Cb1"
        ) && err.contains("1 game cannot be read"),
        "{err}"
    );
    let (status, out, err) = notate(&["--as", "san"], "1. e4 e5\n(2. f4 exf4 *\n[Event \"b\"]\n\n1. d4 *");
    assert_eq!(
        (status, out.matches("1. e4 e5 *").count(), out.matches("1. d4 *").count()),
        (1, 1, 1),
        "{out}"
    );
    assert!(err.contains("standard input: game 1, line 2: '(' is never closed\n"), "{err}");
    assert!(err.contains("1 game cannot be read whole"), "{err}");
    let long = format!("1. e4 {{{}}} e5 1-0\n", "x".repeat((1 << 20) + 1));
    let (status, out, err) = notate(&["--as", "san"], &long);
    assert!(status == 1 && out.contains("e5 1-0"), "{err}");
    assert!(err.contains("standard input: game 1, line 1: a text of more than 1 MiB"), "{err}");
    for (arguments, input, status, hint) in [
        (&["--as", "san"][..], "1. e4 e5 2. Ke3 *", 1, "game 1, line 1: move 2. no legal move is 'Ke3'"),
        (&["--as", "san", "--from", "en"], "1.Pd4 *", 1, "'P' is the pawn's letter"),
        (&["--as", "san"], "", 1, "there is no game"),
        (&["--as", "san", "--game", "3"], "1. e4 * 1. d4 *", 1, "there is no game 3, only 2"),
        (&["--as", "san", "no-such-file.pgn"], "", 1, "no-such-file.pgn: "),
        (&["--as", "san", "/"], "", 2, "/ is a folder"),
        (&["--as", "xx"], "", 2, "figurine, announced, san, lan, uci"),
        (&["--as", "es", "--from", "san"], "", 2, "expected one of ca, cs"),
        (&["--as", "san", "--long"], "", 2, "--long, --plain"),
        (&["--as", "uci", "--mate", "++"], "", 2, "--long, --plain"),
        (&["--as", "es", "--mate", "x"], "", 2, "'#' or '++'"),
        (&["--as", "es", "--mate", "++", "--plain"], "", 2, "--mate is for signs"),
        (&["--as", "es", "--mate", "++", "--no-checks"], "", 2, "--mate is for signs"),
        (&["--as", "es", "--game", "0"], "", 2, "1.."),
        (&["--as", "es", "--sheet", "--json"], "", 2, "cannot be used with"),
        (&["--as", "es", "--signatures"], "", 2, "--sheet"),
        (&[], "", 2, "--as"),
    ] {
        let (found, out, err) = notate(arguments, input);
        assert_eq!((found, out.as_str()), (status, ""), "{arguments:?} {err}");
        assert!(err.contains(hint), "{arguments:?} {hint}: {err}");
    }
}

/// Every style of a language that says enough.
fn styles(letters: &'static Letters) -> [FideStyle; 4] {
    let (full, plain) = (FideStyle::new(letters), FideStyle::plain(letters));
    [
        full,
        plain,
        FideStyle { long: true, mate: MateSign::TwoPlus, ..full },
        FideStyle { long: true, ..plain },
    ]
}

#[test]
fn a_game_is_written_without_control_characters() {
    let game = "[White \"\u{1b}[2JAna\u{7}\"]\n[A\u{9b}b \"x\"]\n[Black Bo\u{1b}m]\n\n{\u{7f}before} 1. e4 {a\u{1b}[31m b} e5 \
                ; c\u{9b}d\n1-0 White\u{1b}[K wins\n";
    let text = written(&["--as", "san"], game);
    let expected = "[White \"[2JAna\"]\n[A_b \"x\"]\n[Black \"Bo m\"]\n\n{before} 1. e4 {a [31m b} 1... e5 \
                    {c d White [K wins} 1-0\n\n";
    assert_eq!(text, expected);
    assert_eq!(written(&["--as", "san"], &text), text, "read again");
    let is_raw = |c: char| c.is_control() && c != '\n';
    for how in ["--json", "--sheet"] {
        let text = written(&["--as", "san", how], game);
        assert!(text.contains("[2JAna") && text.contains("White [K wins"), "{text}");
        assert!(!text.contains(is_raw) && !text.contains("\\u00"), "{text}");
    }
    // Score sheets have tags of the standard alone.
    let sheet = game.replace("[Black Bo\u{1b}m]", "[A\u{1b} \"y\"]");
    let text = written(&["--from", "en", "--as", "san"], &sheet);
    assert_eq!(text, expected.replace("[Black \"Bo m\"]", "[A_ \"y\"]"));
}

#[test]
fn every_legal_move_reads_back_in_every_language() {
    let mut random = random(71);
    for variant in [Variant::Standard, Variant::Chess960, Variant::DoubleChess960] {
        random_positions(variant, 300, &mut random, |position| {
            let fen = position.to_fen(FenStyle::Shredder);
            for mv in position.legal_moves() {
                for letters in &LANGUAGES {
                    for style in styles(letters) {
                        let text = to_fide(mv, position, &style);
                        let read = parse_fide(&text, position, letters);
                        assert_eq!(read, Ok(mv), "{text} in {} in {fen}", letters.name);
                    }
                }
                let text = to_announcement(mv, position);
                assert_eq!(parse_announcement(&text, position), Ok(mv), "{text} in {fen}");
            }
        });
    }
}

/// ADOUBE_SAN is a table with a line of names and then, divided by tabs, FEN, the move in UCI notation, in SAN, and in
/// Spanish letters with all signs and with none.
#[test]
#[ignore = "needs a table from elsewhere"]
fn moves_of_a_table_from_elsewhere() {
    let file = std::env::var("ADOUBE_SAN").expect("ADOUBE_SAN names the table");
    let table = std::fs::read_to_string(&file).unwrap();
    let spanish = Letters::find("es").unwrap();
    let mut count = 0;
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let position = Position::from_fen(fields[0]).unwrap();
        let mv = parse_uci(fields[1], &position).unwrap();
        assert_eq!(to_uci(mv, &position, false), fields[1]);
        assert_eq!(adoube::notation::san::to_san(mv, &position), fields[2], "{row}");
        for (style, text) in [(FideStyle::new(spanish), fields[3]), (FideStyle::plain(spanish), fields[4])] {
            assert_eq!(to_fide(mv, &position, &style), text, "{row}");
            assert_eq!(parse_fide(text, &position, spanish), Ok(mv), "{row}");
        }
        count += 1;
    }
    println!("{count} moves");
    assert!(count > 0, "{file} is empty");
}
