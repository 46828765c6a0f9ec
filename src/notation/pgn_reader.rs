//! Games as PGN (S. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994): reading them.
//!
//! Tolerant: comments, variations, signs and escapes stand anywhere, tags may be missing or broken, moves may be
//! written in any way that [`parse_san`] or [`parse_uci`] understands, results may be missing, and the bytes may be UTF-8
//! or Latin-1. A game whose moves cannot be played is an error that names the line; the next game is then read.

pub use super::pgn_error::{PgnError, PgnErrorKind};
use super::pgn_result::{BOTH_LOSE, both_have_lost, settled};
use super::pgn_tokens::{Token, Tokens};
use super::san::parse_san;
use super::uci_move::parse_uci;
use crate::board::{Board, Position};
use crate::types::{Color, Move, Outcome};
use std::io::{self, Read};

/// A game as it was read: tags, main line and result.
#[derive(Clone, PartialEq, Debug)]
pub struct PgnGame {
    /// Tag names and values in their order.
    pub tags: Vec<(String, String)>,
    /// Where the moves begin: the tag `FEN`, or the start position of standard chess.
    pub start: Position,
    /// The tags say that it is Chess960.
    pub chess960: bool,
    /// What is said before the first move; may be empty.
    pub comment: String,
    /// The main line.
    pub moves: Vec<PgnMove>,
    /// What stands behind the moves; where that says nothing the tag `Result`.
    pub outcome: Outcome,
    /// What stands behind the moves; `None` if nothing does.
    pub stated: Option<Outcome>,
    /// What stands behind the moves, with plain signs, if PGN's tag `Result` has no value for it: `1/2-0`.
    pub exceptional: Option<&'static str>,
    /// The line of the file on which the game begins, from 1.
    pub line: u64,
    /// The byte of the file at which the game begins, from 0. A reader that begins there reads this game first.
    pub offset: u64,
    /// A bracket of a comment or a variation that is never closed, with its line: nothing behind it has been read.
    pub unclosed: Option<(char, u64)>,
}

/// A move with what is said about it.
#[derive(Clone, PartialEq, Debug)]
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// The comments behind it, joined by a blank; may be empty.
    pub comment: String,
    /// Numeric annotation glyphs (section 10); 1 to 6 for `!`, `?`, `!!`, `??`, `!?`, `?!`.
    pub nags: Vec<u8>,
}

/// How many bytes are read at once.
const BLOCK: usize = 1 << 16;

/// Reads games one after the other. A game is given when something else follows, or the input ends: until then a comment
/// may follow its result.
pub struct PgnReader<R> {
    tokens: Tokens<R>,
    /// A token that belongs to the next game, with its place.
    pending: Option<(Token, (u64, u64))>,
    most_plies: usize,
    ended: bool,
    /// Why there is no token behind the game that was given last.
    failed: Option<io::Error>,
}

impl<R: Read> PgnReader<R> {
    /// The games of `input`, which need not be buffered.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader::with_block(input, BLOCK)
    }

    /// The same, reading so many bytes at once: few are enough for one game.
    pub fn with_block(input: R, block: usize) -> PgnReader<R> {
        PgnReader {
            tokens: Tokens::new(input, block),
            pending: None,
            most_plies: usize::MAX,
            ended: false,
            failed: None,
        }
    }

    /// Takes only the first so many moves (plies) of each game; what follows is not looked at.
    #[must_use]
    pub fn with_most_plies(mut self, plies: usize) -> PgnReader<R> {
        self.most_plies = plies;
        self
    }

    fn token(&mut self) -> io::Result<Option<(Token, (u64, u64))>> {
        if let Some(pending) = self.pending.take() {
            return Ok(Some(pending));
        }
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let token = self.tokens.next()?;
        Ok(token.map(|token| (token, self.tokens.began)))
    }

    /// Notes whether the comment that begins on this line was never closed.
    fn look_for_open_comment(&mut self, draft: &mut Draft, line: u64) {
        if std::mem::take(&mut self.tokens.left_open) {
            draft.unclosed.get_or_insert(('{', line));
        }
    }

    /// The next game, or `None` at the end.
    fn game(&mut self) -> io::Result<Option<Result<PgnGame, PgnError>>> {
        let mut draft = Draft::default();
        while let Some((token, place)) = self.token()? {
            draft.begun.get_or_insert(place);
            self.look_for_open_comment(&mut draft, place.1);
            match token {
                Token::Tag(name, value) => {
                    // Tags behind moves, or a second roster: the game before has no result.
                    if draft.has_text || (name == "Event" && draft.tag("Event").is_some()) {
                        self.pending = Some((Token::Tag(name, value), place));
                        return Ok(Some(draft.finish()));
                    }
                    draft.tag_lines.push(place.1);
                    draft.tags.push((name, value));
                }
                // A result that belongs to nothing.
                Token::End(..) if draft.tags.is_empty() && !draft.has_text => draft = Draft::default(),
                Token::End(outcome, exceptional) if draft.depth == 0 => {
                    (draft.outcome, draft.exceptional) = (Some(outcome), exceptional);
                    // What is said behind a result is said of this game, not of the next one.
                    loop {
                        match self.token() {
                            Ok(Some((Token::Comment(text), (_, line)))) => {
                                self.look_for_open_comment(&mut draft, line);
                                draft.take_comment(&text);
                            }
                            Ok(other) => {
                                self.pending = other;
                                break;
                            }
                            Err(error) => {
                                self.failed = Some(error);
                                break;
                            }
                        }
                    }
                    return Ok(Some(draft.finish()));
                }
                Token::Comment(text) if draft.depth == 0 => draft.take_comment(&text),
                Token::Nag(number) if draft.depth == 0 => {
                    if let Some(last) = draft.moves.last_mut().filter(|_| !draft.is_full) {
                        last.nags.push(number);
                    }
                }
                Token::Open => {
                    if draft.depth == 0 {
                        draft.opened = place.1;
                    }
                    draft.depth += 1;
                    draft.has_text = true;
                }
                Token::Close => draft.depth = draft.depth.saturating_sub(1),
                Token::Word(word) if draft.depth == 0 => draft.take_move(&word, place.1, self.most_plies),
                Token::Word(_) | Token::End(..) | Token::Comment(_) | Token::Nag(_) => {}
            }
        }
        let is_a_game = !draft.tags.is_empty() || draft.has_text;
        Ok(is_a_game.then(|| draft.finish()))
    }
}

impl<R: Read> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Result<PgnGame, PgnError>> {
        if self.ended {
            return None;
        }
        match self.game() {
            Ok(game) => {
                self.ended = game.is_none();
                game
            }
            Err(error) => {
                self.ended = true;
                let (_, line) = self.tokens.began;
                Some(Err(PgnError { line, kind: PgnErrorKind::Io(error), before: None }))
            }
        }
    }
}

/// A game while it is being read.
#[derive(Default)]
struct Draft {
    begun: Option<(u64, u64)>,
    tags: Vec<(String, String)>,
    /// The line of each tag.
    tag_lines: Vec<u64>,
    /// Something besides tags and comments has come.
    has_text: bool,
    /// Variations that are open.
    depth: usize,
    /// The line of the outermost of them.
    opened: u64,
    unclosed: Option<(char, u64)>,
    /// The position at the start and the one now; made when the first move comes.
    positions: Option<(Position, Position)>,
    comment: String,
    moves: Vec<PgnMove>,
    /// All plies that are wanted are there.
    is_full: bool,
    outcome: Option<Outcome>,
    exceptional: Option<&'static str>,
    error: Option<PgnError>,
    /// The last word in place of a move can mean that both have lost.
    last_is_zeros: bool,
    /// That word is what is wrong.
    last_is_wrong: bool,
}

impl Draft {
    /// The value of a tag; the first one counts.
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    fn take_comment(&mut self, text: &str) {
        if !self.is_full {
            add_comment(&mut self.moves, &mut self.comment, text);
        }
    }

    fn take_move(&mut self, word: &str, line: u64, most_plies: usize) {
        self.has_text = true;
        self.is_full |= self.moves.len() >= most_plies;
        self.last_is_zeros = word == BOTH_LOSE;
        self.last_is_wrong = false;
        if self.is_full || self.error.is_some() {
            return;
        }
        let Some((_, position)) = self.begin() else { return };
        match read_move(word, position) {
            Ok(mv) => {
                *position = position.after(mv);
                self.moves.push(PgnMove { mv, comment: String::new(), nags: vec![] });
            }
            Err(kind) => {
                self.error = Some(PgnError { line, kind, before: None });
                self.last_is_wrong = true;
            }
        }
    }

    /// Takes [`BOTH_LOSE`] at the end for what it is.
    fn take_loss_of_both(&mut self) {
        let comes_last = self.last_is_zeros && self.outcome.is_none() && !self.is_full;
        if !comes_last || !both_have_lost(|name| self.tag(name)) {
            return;
        }
        if self.last_is_wrong {
            self.error = None;
        } else if self.error.is_none() {
            self.moves.pop();
        }
        (self.outcome, self.exceptional) = (Some(Outcome::Unfinished), Some(BOTH_LOSE));
    }

    /// The start and the position now, or `None` and an error.
    fn begin(&mut self) -> Option<&mut (Position, Position)> {
        if self.positions.is_none() {
            match start(self.tag("FEN"), self.tag("Variant")) {
                Ok(start) => self.positions = Some((start, start)),
                Err(kind) => {
                    let line = line_of_start(&kind, &self.tags, &self.tag_lines);
                    self.error.get_or_insert(PgnError { line, kind, before: None });
                }
            }
        }
        self.positions.as_mut()
    }

    fn finish(mut self) -> Result<PgnGame, PgnError> {
        self.take_loss_of_both();
        let start = self.begin().map(|(start, _)| *start);
        let outcome = settled(self.outcome, self.tag("Result"));
        let chess960 = self.tag("Variant").is_some_and(|name| rules(name) == Some(true));
        let (offset, line) = self.begun.unwrap_or((0, 1));
        let unclosed = self.unclosed.or((self.depth > 0).then_some(('(', self.opened)));
        let game = start.map(|start| PgnGame {
            start,
            chess960,
            outcome,
            stated: self.outcome,
            exceptional: self.exceptional,
            tags: self.tags,
            comment: self.comment,
            moves: self.moves,
            line,
            offset,
            unclosed,
        });
        as_far_as_read(game, self.error, line)
    }
}

/// Adds what is said to the comment behind the last move, or to the one before the first.
pub(super) fn add_comment(moves: &mut [PgnMove], before_moves: &mut String, text: &str) {
    let comment = moves.last_mut().map_or(before_moves, |last| &mut last.comment);
    if !comment.is_empty() && !text.is_empty() {
        comment.push(' ');
    }
    comment.push_str(text);
}

/// The line of the tag for which a game has no start.
pub(super) fn line_of_start(kind: &PgnErrorKind, tags: &[(String, String)], lines: &[u64]) -> u64 {
    let culprit = if matches!(kind, PgnErrorKind::Fen(_)) { "FEN" } else { "Variant" };
    tags.iter().position(|(name, _)| name == culprit).map_or(0, |index| lines[index])
}

/// A game without a mistake, or the mistake with what stands before it. `line` is the one that the game begins on.
pub(super) fn as_far_as_read(
    game: Option<PgnGame>,
    error: Option<PgnError>,
    line: u64,
) -> Result<PgnGame, PgnError> {
    match (game, error) {
        (Some(game), None) => Ok(game),
        (game, Some(error)) => Err(PgnError { before: game.map(Box::new), ..error }),
        // A start that cannot be had has left its error.
        (None, None) => Err(PgnError { line, kind: PgnErrorKind::NoStart, before: None }),
    }
}

impl PgnGame {
    /// The value of a tag; the first one counts.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The game, if it is whole.
    ///
    /// # Errors
    /// If a bracket is never closed; what stands before it is with the error.
    pub fn closed(self) -> Result<PgnGame, PgnError> {
        match self.unclosed {
            None => Ok(self),
            Some((bracket, line)) => {
                Err(PgnError { line, kind: PgnErrorKind::Unclosed(bracket), before: Some(Box::new(self)) })
            }
        }
    }

    /// The position behind the last move.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, played| position.after(played.mv))
    }
}

/// Whether these are the rules of Chess960 (true) or of standard chess (false), by the names in use; `None` for others.
pub(super) fn rules(variant: &str) -> Option<bool> {
    let letters = variant.chars().filter(|c| c.is_ascii_alphanumeric());
    let name: String = letters.map(|c| c.to_ascii_lowercase()).collect();
    match name.as_str() {
        "" | "standard" | "chess" | "normal" | "fromposition" | "fide" => Some(false),
        "chess960"
        | "fischerandom"
        | "fischerrandom"
        | "fischerandomchess"
        | "fischerrandomchess"
        | "frc"
        | "960"
        | "freestyle"
        | "doublefischerrandom"
        | "doublefischerandom"
        | "dfrc" => Some(true),
        _ => None,
    }
}

pub(super) fn start(fen: Option<&str>, variant: Option<&str>) -> Result<Position, PgnErrorKind> {
    let variant = variant.unwrap_or_default();
    let chess960 = rules(variant).ok_or_else(|| PgnErrorKind::Variant(variant.to_string()))?;
    match fen.filter(|fen| !fen.is_empty()) {
        Some(fen) => Board::from_fen_lenient(fen).map(Position::from).map_err(PgnErrorKind::Fen),
        None if chess960 => Err(PgnErrorKind::NoStart),
        None => Ok(Position::default()),
    }
}

fn read_move(word: &str, position: &Position) -> Result<Move, PgnErrorKind> {
    if matches!(word, "--" | "Z0" | "0000" | "null" | "pass") {
        return Err(PgnErrorKind::NullMove(number_of_next(position), word.to_string()));
    }
    // What UCI writes is long notation too, but for castling.
    parse_san(word, position)
        .or_else(|error| parse_uci(word, position).map_err(|_| error))
        .map_err(|error| PgnErrorKind::Move(number_of_next(position), error))
}

/// The number of the next move with its dots: `7.` or `7...`.
pub fn number_of_next(position: &Position) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.fullmove_number())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::FenStyle;
    use crate::notation::pgn::{GameRecord, PgnNotation};
    use crate::notation::san::to_san;

    fn games(text: &[u8]) -> Vec<Result<PgnGame, String>> {
        // A small block, so that everything is cut somewhere.
        PgnReader::with_block(text, 1).map(|game| game.map_err(|error| error.to_string())).collect()
    }

    fn only(text: &str) -> PgnGame {
        let [Ok(game)] = &games(text.as_bytes())[..] else { panic!("{:?}", games(text.as_bytes())) };
        game.clone()
    }

    fn sans(game: &PgnGame) -> String {
        let mut position = game.start;
        let san = |played: &PgnMove| {
            let san = to_san(played.mv, &position);
            position = position.after(played.mv);
            san
        };
        game.moves.iter().map(san).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_game_has_tags_moves_comments_signs_and_a_result() {
        let text = "[Event \"A\"]\n[Result \"1-0\"]\n\n{before} 1. e4! {one} $10 {two} (1. d4 {no} (1. c4) d5 1-0) \
                    1... e5 ; to the end (\n2. Nf3!? 1/2-1/2\n";
        let game = only(text);
        assert_eq!(sans(&game), "e4 e5 Nf3");
        assert_eq!((game.tag("Event"), game.tag("Site")), (Some("A"), None));
        assert_eq!(game.comment, "before");
        assert_eq!((game.moves[0].comment.as_str(), &game.moves[0].nags[..]), ("one two", &[1, 10][..]));
        assert_eq!(game.moves[1].comment, "to the end (");
        assert_eq!(game.moves[2].nags, [5]);
        assert_eq!(game.outcome, Outcome::Draw, "what stands behind the moves counts");
        assert_eq!((game.line, game.offset), (1, 0));
        assert_eq!(only("[Result \"0-1\"]\n\n1. e4").outcome, Outcome::Win(Color::Black));
    }

    #[test]
    fn moves_are_read_in_many_spellings() {
        let game = only(
            "1.e2-e4 e7e5 2.g1f3 Nb8c6 3 Bf1b5 g8f6 4 0-0 ♞f6xe4 5. d4 b7-b6? 6 dxe5 Bb7 7 Re1 d5 8 exd6 e.p. *",
        );
        assert_eq!(sans(&game), "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4 b6 dxe5 Bb7 Re1 d5 exd6");
        for sign in ["e.p.", "ep", "e.p.+", "ep#"] {
            let game = only(&format!("1 e4 Nf6 2 e5 d5 3 exd6 {sign} *"));
            assert_eq!(sans(&game), "e4 Nf6 e5 d5 exd6", "{sign}");
        }
        let game = only("[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9\"] 9. 00 000 10 Kg2 *");
        assert_eq!(sans(&game), "O-O O-O-O Kg2");
        let game = only("[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9\"] e1g1 e8c8 *");
        assert_eq!(sans(&game), "O-O O-O-O");
        let game = only(
            "[Variant \"Chess 960\"][FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"] e1g1 O-O-O *",
        );
        assert_eq!((sans(&game).as_str(), game.chess960), ("O-O O-O-O", true));
        assert_eq!(
            game.start.to_fen(FenStyle::Shredder),
            "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"
        );
    }

    #[test]
    fn an_escape_may_follow_the_byte_order_mark_and_judgements_a_move() {
        let game = only("\u{feff}% hello {\n1. e4+- e5-+ 2. Nf3+/- Nc6+= 3. Bb5=+ a6-/+ 4. O-O+- *");
        assert_eq!(sans(&game), "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
    }

    #[test]
    fn games_are_told_apart_whatever_is_missing() {
        let text = "\u{feff}1. e4 * 1. d4 1-0 * \n[Event \"a\"]\n1. c4\n\n[Event \"b\"]\n[Event \"c\"]\n\n{x} 1. Nf3 (1. a3\n\
                    [Event \"d\"]\n\n1. b3 {never closed\n[Event \"e\"]\n\n 1. g3 {at the end";
        let found: Vec<(String, u64)> = games(text.as_bytes())
            .into_iter()
            .map(|game| game.unwrap())
            .map(|game| (format!("{}:{}", game.tag("Event").unwrap_or("-"), sans(&game)), game.line))
            .collect();
        let expected =
            [("-:e4", 1), ("-:d4", 1), ("a:c4", 2), ("b:", 5), ("c:Nf3", 6), ("d:b3", 9), ("e:g3", 12)];
        assert_eq!(found, expected.map(|(game, line)| (game.to_string(), line)));
        assert!(games(b"").is_empty() && games(b" * {x} 1-0 \r\n").is_empty());
    }

    #[test]
    fn a_bracket_that_is_never_closed_is_known_with_its_line() {
        let text = "1. e4 (1. d4) e5 *\n1. c4\n(1. b3 (1. b4)\n1. b3 *\n[Event \"b\"]\n\n1. d4 d5\n{so\n2. c4 *\n\
                    [Event \"c\"]\n\n1. e4 (1. c4 {in\n) e5 1-0\n[Event \"d\"]\n\n1. e4 1-0\n{late";
        let found: Vec<(String, Option<(char, u64)>)> = games(text.as_bytes())
            .into_iter()
            .map(|game| game.unwrap())
            .map(|game| (sans(&game), game.unclosed))
            .collect();
        let expected = [
            ("e4 e5", None),
            ("c4", Some(('(', 3))),
            ("d4 d5", Some(('{', 8))),
            ("e4", Some(('{', 12))),
            ("e4", Some(('{', 17))),
        ];
        assert_eq!(found, expected.map(|(game, unclosed)| (game.to_string(), unclosed)));
        let error = only("1. e4 (e5").closed().unwrap_err();
        assert_eq!(
            (error.to_string().as_str(), error.before.map(|game| sans(&game))),
            ("line 1: '(' is never closed", Some("e4".into()))
        );
        assert!(only("1. e4 (1. d4) *").closed().is_ok());
    }

    #[test]
    fn a_mistake_names_its_line_and_the_next_game_is_read() {
        let text = "[Event \"a\"]\r\n\r\n1. e4 e5\r\n2. Ke3 Nc6 3. xx *\r\n\r\n[Event \"b\"]\r\n[FEN \"8/8 w\"]\r\n\r\n*\r\n\
                    [Event \"c\"]\r\n[Variant \"Atomic\"]\r\n\r\n1. e4 *\r\n1. -- e5 *\r\n1. e4 *";
        let found = games(text.as_bytes());
        let error = |index: usize| found[index].as_ref().unwrap_err().as_str();
        assert_eq!(error(0), "line 4: move 2. no legal move is 'Ke3'");
        assert!(error(1).starts_with("line 7: tag FEN: "), "{}", error(1));
        assert!(error(2).starts_with("line 11: tag Variant: 'Atomic'"), "{}", error(2));
        assert_eq!(error(3), "line 14: move 1. '--' passes, which is no move");
        assert_eq!(sans(found[4].as_ref().unwrap()), "e4");
        assert_eq!(found.len(), 5);
    }

    #[test]
    fn what_stands_behind_a_result_is_said_of_the_game_before_it() {
        let text = "1. e4 e5 1-0 {on time} ; late\n[Event \"b\"]\n\n{of b} 1. d4 0-1 {last}\n";
        let found = games(text.as_bytes());
        let game = |index: usize| found[index].as_ref().unwrap();
        assert_eq!(
            (game(0).moves[1].comment.as_str(), game(0).outcome),
            ("on time late", Outcome::Win(Color::White))
        );
        assert_eq!((game(1).comment.as_str(), game(1).moves[0].comment.as_str()), ("of b", "last"));
        assert_eq!((game(1).line, found.len()), (2, 2));
    }

    #[test]
    fn a_game_is_there_up_to_its_mistake() {
        let error =
            PgnReader::new(&b"[White \"a\"]\n\n{x} 1. e4 e5 2. Ke3 Nf6 3. d4 1-0 {y}"[..]).next().unwrap();
        let game = error.unwrap_err().before.unwrap();
        assert_eq!((sans(&game).as_str(), game.outcome), ("e4 e5", Outcome::Win(Color::White)));
        assert_eq!((game.tag("White"), game.comment.as_str(), game.line), (Some("a"), "x", 1));
        let error = PgnReader::new(&b"[FEN \"8/8\"]\n\n1. e4 *"[..]).next().unwrap().unwrap_err();
        assert_eq!(error.before, None);
    }

    #[test]
    fn only_so_many_plies_are_looked_at() {
        let text = &b"1. e4 {a} e5 {b} 2. Ke3?? {c} * 1. d4 *"[..];
        let games: Vec<PgnGame> = PgnReader::new(text).with_most_plies(2).map(Result::unwrap).collect();
        assert_eq!(games.iter().map(sans).collect::<Vec<_>>(), ["e4 e5", "d4"]);
        assert_eq!((games[0].moves[1].comment.as_str(), games[0].moves[1].nags.len()), ("b", 0));
        let again = PgnReader::new(&text[games[1].offset as usize..]).next().unwrap().unwrap();
        assert_eq!(sans(&again), "d4");
    }

    #[test]
    fn what_the_writer_writes_reads_back() {
        let game = only(
            "[Event \"a \\\"b\\\" \\\\\"]\n[FEN \"4k3/8/8/8/8/4p3/8/R3K2R b KQ - 0 7\"]\n Kd8 {x} O-O-O+ Kc8 0-1",
        );
        let tags = vec![("Event".to_string(), game.tag("Event").unwrap().to_string())];
        let moves = game.moves.iter().map(|played| (played.mv, played.comment.clone())).collect();
        let record = GameRecord {
            tags,
            start: game.start,
            moves,
            preface: String::new(),
            outcome: game.outcome,
            notation: PgnNotation::San,
        };
        let again = only(&record.to_string());
        assert_eq!((again.start, &again.moves, again.outcome), (game.start, &game.moves, game.outcome));
        assert_eq!(again.tag("Event"), game.tag("Event"));
    }
}
