//! Games in the letters of a language, as players write them (FIDE Laws of Chess 2023, appendix C): a score sheet as
//! plain text, or a PGN whose moves have national letters.
//!
//! Strict, as [`super::fide_reader`] is: whatever is not as the Laws write it, a move number that is not the next one
//! included, is an error with line and move number. The next game is then read.

use super::fide_reader::parse_fide;
use super::glyphs;
use super::letters::Letters;
use super::pgn_reader::{
    PgnError, PgnErrorKind, PgnGame, PgnMove, add_comment, as_far_as_read, count_behind, line_of_start,
    number_behind, rules, start, value_of,
};
use super::pgn_result::{BOTH_LOSE, both_have_lost, named_exceptional, outcome, plain_dashes, settled};
use crate::board::Position;
use crate::types::{Color, Outcome};
use once_cell::sync::Lazy;
use regex_lite::Regex;

/// A tag, which ends with its line.
static TAG: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r#"^\[\s*([^\s"\[\]]+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]"#).expect("a pattern of ours")
});

/// The games of a text whose moves have these letters.
pub fn read_games(text: &str, letters: &'static Letters) -> Vec<Result<PgnGame, PgnError>> {
    let mut reader =
        Reader { whole: text, at: 0, line: (0, 1), letters, games: vec![], draft: Draft::default() };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    while reader.step() {}
    reader.end_game(None);
    reader.games
}

struct Reader<'a> {
    whole: &'a str,
    /// The byte that comes next.
    at: usize,
    /// A byte before it, and its line.
    line: (usize, u64),
    letters: &'static Letters,
    games: Vec<Result<PgnGame, PgnError>>,
    draft: Draft,
}

/// A game while it is being read.
#[derive(Default)]
struct Draft {
    /// The byte that it begins with, and its line.
    begun: Option<(usize, u64)>,
    tags: Vec<(String, String)>,
    /// The line of each tag.
    tag_lines: Vec<u64>,
    /// Moves or numbers have come.
    has_text: bool,
    /// The position at the start and the one now; made when the first word comes.
    positions: Option<(Position, Position)>,
    comment: String,
    moves: Vec<PgnMove>,
    /// The word that ends it, if PGN's tag `Result` has no value for it.
    exceptional: Option<&'static str>,
    error: Option<PgnError>,
}

impl Draft {
    fn tag(&self, name: &str) -> Option<&str> {
        value_of(&self.tags, name)
    }
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.whole[self.at..]
    }

    /// The line of a byte, from 1. Bytes are asked for in their order.
    fn line(&mut self, at: usize) -> u64 {
        let (before, line) = self.line;
        let more = self.whole.as_bytes()[before..at].iter().filter(|&&byte| byte == b'\n').count();
        self.line = (at, line + more as u64);
        self.line.1
    }

    /// The game begins here, unless it has begun.
    fn mark_begin(&mut self) {
        if self.draft.begun.is_none() {
            self.draft.begun = Some((self.at, self.line(self.at)));
        }
    }

    /// Takes a comment. Behind a result it is said of the game that has ended.
    fn say(&mut self, text: &str) {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.games.last_mut() {
            Some(Ok(ended)) if self.draft.begun.is_none() => {
                add_comment(&mut ended.moves, &mut ended.comment, &words);
            }
            Some(Err(_)) if self.draft.begun.is_none() => {}
            _ => add_comment(&mut self.draft.moves, &mut self.draft.comment, &words),
        }
    }

    /// A bracket begins here that the game does not close. What follows is of no game.
    fn unclosed(&mut self, bracket: char) {
        self.mark_begin();
        self.draft.has_text = true;
        let line = self.line(self.at);
        let kind = PgnErrorKind::Unclosed(bracket);
        self.draft.error.get_or_insert(PgnError { line, kind, before: None });
        // From the line end on, which comes before that game.
        self.at += self.rest().find(NEXT_GAME).unwrap_or(self.rest().len());
    }

    /// Reads one piece of text; false at the end.
    fn step(&mut self) -> bool {
        self.at = self.whole.len() - self.rest().trim_start().len();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        // Not for every word: a line may be as long as the file.
        let line_end = || rest.find('\n').unwrap_or(rest.len());
        let before = self.whole[..self.at].chars().next_back();
        let at_line_start = matches!(before, None | Some('\n' | '\u{feff}'));
        match first {
            '[' if TAG.is_match(rest) => self.tag(),
            '%' if at_line_start => self.at += line_end(),
            ';' => {
                self.say(&rest[1..line_end()]);
                self.at += line_end();
            }
            '{' => match COMMENT_END.find(rest).filter(|end| end.as_str() == "}").map(|end| end.start()) {
                Some(end) => {
                    self.say(&rest[1..end]);
                    self.at += end + 1;
                }
                None => self.unclosed(first),
            },
            '(' if rest.starts_with("(=)") => {
                self.say("(=)");
                self.at += 3;
            }
            '(' => match length_of_variation(rest) {
                Some(length) => self.at += length,
                None => self.unclosed(first),
            },
            '$' => {
                let digits: String = rest[1..].chars().take_while(char::is_ascii_digit).collect();
                if let (Some(last), Ok(number)) = (self.draft.moves.last_mut(), digits.parse()) {
                    last.nags.push(number);
                }
                self.at += 1 + digits.len();
            }
            '*' => {
                self.at += 1;
                self.end_game(Some(Outcome::Unfinished));
            }
            _ => self.word(),
        }
        true
    }

    fn tag(&mut self) {
        let rest = self.rest();
        let Some(found) = TAG.captures(rest) else { return };
        if self.draft.has_text || (&found[1] == "Event" && self.draft.tag("Event").is_some()) {
            self.end_game(None);
        }
        self.mark_begin();
        let line = self.line(self.at);
        self.draft.tag_lines.push(line);
        let value = found[2].replace("\\\"", "\"").replace("\\\\", "\\");
        self.draft.tags.push((found[1].to_string(), value.trim().to_string()));
        self.at += found[0].len();
    }

    /// A result, a move number, a move, or both in one word.
    fn word(&mut self) {
        let rest = self.rest();
        let begins = self.at;
        let line = self.line(begins);
        let end = rest.find(|c: char| c.is_whitespace() || "{}();$*".contains(c)).unwrap_or(rest.len());
        let word = &rest[..end.max(rest.chars().next().map_or(0, char::len_utf8))];
        if let Some(result) = outcome(word) {
            self.at += word.len();
            return self.end_by(word, result);
        }
        self.mark_begin();
        self.at += word.len();
        self.draft.has_text = true;
        let word = &*plain_dashes(word);
        let (number, text) = split_number(word);
        let (text, nag) = strip_judgement(text);
        let Some((start, position)) = self.begin() else { return };
        let plies = self.draft.moves.len();
        if self.draft.error.is_some() {
            return;
        }
        if let Some(number) = number
            && !is_due(number, count_behind(&start, plies), position.side_to_move())
        {
            let kind = PgnErrorKind::Number(number.to_string(), number_behind(&start, plies));
            self.draft.error = Some(PgnError { line, kind, before: None });
            return;
        }
        let text = text.to_string() + self.en_passant_sign(text);
        if text.is_empty() {
            // A judgement behind a blank.
            if let Some(last) = self.draft.moves.last_mut() {
                last.nags.extend(nag);
            }
        } else if text == BOTH_LOSE && both_have_lost(|name| self.draft.tag(name)) && self.game_ends() {
            self.end_by(&text, Outcome::Unfinished);
        } else {
            match parse_fide(&text, &position, self.letters) {
                Ok(mv) => {
                    let nags = nag.into_iter().collect();
                    self.draft.moves.push(PgnMove { mv, comment: String::new(), nags });
                    if let Some((_, now)) = &mut self.draft.positions {
                        *now = position.after(mv);
                    }
                }
                // 'Advantage White' has the same sign in the middle of a game.
                Err(_) if named_exceptional(&text).is_some() && self.game_ends() => {
                    self.end_by(&text, Outcome::Unfinished);
                }
                Err(error) => {
                    let kind = PgnErrorKind::Sheet(number_behind(&start, plies), Box::new(error));
                    self.draft.error = Some(PgnError { line, kind, before: None });
                }
            }
        }
    }

    /// Takes the sign of a capture en passant that stands behind a move and a blank.
    fn en_passant_sign(&mut self, text: &str) -> &'a str {
        let rest = self.rest();
        let sign = rest.trim_start();
        if text.is_empty() || !(sign.starts_with("a.p.") || sign.starts_with("e.p.")) {
            return "";
        }
        let end = sign[4..].find(|c| c != '+' && c != '#').map_or(sign.len(), |end| end + 4);
        self.at += rest.len() - sign.len() + end;
        &sign[..end]
    }

    /// The position now, or `None` and an error if the game has no start.
    fn begin(&mut self) -> Option<(Position, Position)> {
        if self.draft.positions.is_none() {
            match start(self.draft.tag("FEN"), self.draft.tag("Variant")) {
                Ok(start) => self.draft.positions = Some((start, start)),
                Err(kind) => {
                    let line = line_of_start(&kind, &self.draft.tags, &self.draft.tag_lines);
                    self.draft.error.get_or_insert(PgnError { line, kind, before: None });
                }
            }
        }
        self.draft.positions
    }

    /// True if nothing more of this game comes, but for comments.
    fn game_ends(&self) -> bool {
        let mut rest = self.rest().trim_start();
        while let Some(end) = [('{', '}'), (';', '\n')].iter().find(|(begin, _)| rest.starts_with(*begin)) {
            rest = rest.split_once(end.1).map_or("", |(_, behind)| behind.trim_start());
        }
        rest.is_empty() || TAG.is_match(rest)
    }

    fn end_by(&mut self, word: &str, result: Outcome) {
        self.draft.exceptional = named_exceptional(word);
        self.end_game(Some(result));
    }

    fn end_game(&mut self, result: Option<Outcome>) {
        let Some((begun, line)) = self.draft.begun else {
            // A result that belongs to nothing.
            self.draft = Draft::default();
            return;
        };
        self.begin();
        let draft = std::mem::take(&mut self.draft);
        let outcome = settled(result, draft.tag("Result"));
        let chess960 = draft.tag("Variant").is_some_and(|name| rules(name) == Some(true));
        let game = draft.positions.map(|(start, _)| PgnGame {
            tags: draft.tags,
            start,
            chess960,
            comment: draft.comment,
            moves: draft.moves,
            outcome,
            stated: result,
            exceptional: draft.exceptional,
            line,
            offset: begun as u64,
            // That is a mistake here.
            unclosed: None,
        });
        self.games.push(as_far_as_read(game, draft.error, line));
    }
}

/// What stands where another game begins for certain, whatever is still open.
const NEXT_GAME: &str = "\n[Event \"";

/// Where a comment ends: if with no bracket, it has none in this game.
static COMMENT_END: Lazy<Regex> =
    Lazy::new(|| Regex::new(&format!(r"\}}|{}", regex_lite::escape(NEXT_GAME))).expect("a pattern of ours"));

/// How many bytes a variation has, with those inside it; comments in it may have brackets. `None` if it has no end in this
/// game.
fn length_of_variation(text: &str) -> Option<usize> {
    let mut depth = 0;
    // What ends the comment that is open.
    let mut comment_end = None;
    for (at, character) in text.char_indices() {
        match character {
            '\n' if text[at..].starts_with(NEXT_GAME) => return None,
            _ if comment_end == Some(character) => comment_end = None,
            _ if comment_end.is_some() => {}
            '{' => comment_end = Some('}'),
            ';' => comment_end = Some('\n'),
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Takes a move number with its dots, which may be missing, from a word: `1.e4`, `1e4`, `11...Te8`, `10.0-0-0`.
fn split_number(word: &str) -> (Option<&str>, &str) {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let behind = &word[digits..];
    let end = if behind.starts_with(['.', '…']) {
        word.len() - behind.trim_start_matches(['.', '…']).len()
    } else if behind.starts_with("-0") {
        // The last zero belongs to the castling.
        digits - word[..digits].ends_with('0') as usize
    } else if matches!(digits, 4 | 5) {
        // The figures of correspondence chess, which no number of a move looks like.
        0
    } else {
        digits
    };
    let (number, rest) = word.split_at(end);
    ((!number.is_empty()).then_some(number), rest)
}

/// Takes `!`, `??` and their kin from a move's end, as a numeric glyph.
fn strip_judgement(text: &str) -> (&str, Option<u8>) {
    let bare = text.trim_end_matches(['!', '?']);
    (bare, glyphs::of_move(&text[bare.len()..]))
}

/// True if this number with its dots may stand before the next move. Dots alone stand for a move of White's.
fn is_due(number: &str, next: usize, mover: Color) -> bool {
    let digits = number.trim_end_matches(['.', '…']);
    let dots: usize = number[digits.len()..].chars().map(|dot| if dot == '…' { 3 } else { 1 }).sum();
    let blacks_turn = mover == Color::Black;
    let is_its_number = digits.parse() == Ok(next);
    // A stop behind a move or an offer says nothing.
    (digits.is_empty() && (dots == 1 || blacks_turn)) || (is_its_number && (dots < 2 || blacks_turn))
}

#[cfg(test)]
mod tests {
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
            let text =
                format!("[Event \"a\"]\n\n1.e4 1.\n{open}\n\n[Event \"b\"]\n\n1.d4 d5 {{end}} (1.c4) 0-1");
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
}
