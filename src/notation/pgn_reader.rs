//! Games as PGN (S. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994): reading them.
//!
//! Tolerant: comments, variations, signs and escapes stand anywhere, tags may be missing or broken, moves may be
//! written in any way that [`parse_san`] or [`parse_uci`] understands, results may be missing, and the bytes may be UTF-8
//! or Windows-1252, which Latin-1 is part of. A game whose moves cannot be played is an error that names the line; the next
//! game is then read.

use super::characters::visible;
use super::glyphs;
pub use super::pgn_error::{PgnError, PgnErrorKind};
use super::pgn_result::{BOTH_LOSE, both_have_lost, outcome, settled};
use super::pgn_tokens::{Token, Tokens};
use super::san::{SIGNS, parse_san, to_san};
use super::uci_move::parse_uci;
use crate::board::{Board, Position};
use crate::types::{Color, Move, Outcome};
use std::fmt;
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
    /// Another result that stands behind that one, and says something else.
    pub restated: Option<Outcome>,
    /// What stands behind the moves, with plain signs, if PGN's tag `Result` has no value for it: `1/2-0`.
    pub exceptional: Option<&'static str>,
    /// The line of the file on which the game begins, from 1.
    pub line: u64,
    /// The byte of the file at which the game begins, from 0. A reader that begins there reads this game first.
    pub offset: u64,
    /// A bracket of a comment, a variation or, at the end of the file, a tag that is never closed, with its line: nothing behind
    /// it has been read.
    pub unclosed: Option<(char, u64)>,
    /// The line of a comment or tag of more than a mebibyte, of which only the beginning is kept.
    pub cut: Option<u64>,
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

/// The tags that every game has (section 8.1.1), and games begin with.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

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

impl<R> fmt::Debug for PgnReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PgnReader").field("most_plies", &self.most_plies).finish_non_exhaustive()
    }
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

    /// The next token, which is probably one of this game.
    fn token_of(&mut self, draft: &Draft) -> io::Result<Option<(Token, (u64, u64))>> {
        self.tokens.due = draft.due();
        self.token()
    }

    /// Notes whether what begins on this line was never closed, or is too long to be kept.
    fn look_for_its_end(&mut self, draft: &mut Draft, line: u64) {
        // Nothing is kept of a variation.
        if std::mem::take(&mut self.tokens.is_cut) && draft.depth == 0 {
            draft.cut.get_or_insert(line);
        }
        if let Some(bracket) = self.tokens.left_open.take() {
            draft.unclosed.get_or_insert((bracket, line));
        }
    }

    /// The next game, or `None` at the end.
    fn game(&mut self) -> io::Result<Option<Result<PgnGame, PgnError>>> {
        let mut draft = Draft::default();
        while let Some((token, place)) = self.token_of(&draft)? {
            // A sign without a move before it is of no game: where one begins it may be taken for a part of the first move.
            if !matches!(token, Token::Nag(_)) {
                draft.begun.get_or_insert(place);
            }
            if !matches!(token, Token::Tag(..)) {
                self.look_for_its_end(&mut draft, place.1);
            }
            match token {
                // Behind moves it is something in brackets; only a new game begins so.
                Token::CarelessTag(name, _, line) if draft.has_text && !ROSTER.contains(&name.as_str()) => {
                    if draft.depth == 0 {
                        draft.take_move(&visible(&line), place.1, self.most_plies);
                    }
                }
                Token::Tag(name, value) | Token::CarelessTag(name, value, _) => {
                    // Tags behind moves, or a second roster: the game before has no result. Below a line without a tag any that
                    // games begin with will do.
                    let is_apart = draft.tag_lines.last().is_some_and(|last| place.1 > last + 1);
                    let begins = name == "Event" || is_apart && (ROSTER.contains(&&*name) || name == "FEN");
                    if draft.has_text || begins && draft.tag(&name).is_some() {
                        self.pending = Some((Token::Tag(name, value), place));
                        return Ok(Some(draft.finish()));
                    }
                    self.look_for_its_end(&mut draft, place.1);
                    draft.tag_lines.push(place.1);
                    draft.has_fen |= name == "FEN";
                    draft.tags.push((name, value));
                }
                // A result that belongs to nothing.
                Token::End(..) if draft.tags.is_empty() && !draft.has_text => draft = Draft::default(),
                Token::End(outcome, exceptional) if draft.depth == 0 => {
                    (draft.outcome, draft.exceptional) = (Some(outcome), exceptional);
                    // What is said behind a result is said of this game, not of the next one.
                    self.tokens.is_behind_result = true;
                    self.tokens.due = Draft::default().due();
                    loop {
                        match self.token() {
                            Ok(Some((Token::Comment(text), (_, line)))) => {
                                self.look_for_its_end(&mut draft, line);
                                draft.take_comment(&text);
                            }
                            Ok(Some((Token::End(other, _), _))) => {
                                draft.restated =
                                    draft.restated.or(Some(other).filter(|&other| other != outcome));
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
                Token::Nag(number) if draft.depth == 0 => draft.take_nag(number),
                Token::Open => {
                    if draft.depth == 0 {
                        draft.opened = place.1;
                    }
                    draft.depth += 1;
                    draft.has_text = true;
                }
                Token::Close => draft.depth = draft.depth.saturating_sub(1),
                Token::Word(word) if draft.depth == 0 => {
                    // A knight's move may have a blank in it; else the letter judges the move before. Behind the number of a
                    // move that goes on it cannot, and what has one before it is whole.
                    let letter = glyphs::of_letter(&word);
                    let is_numbered = self.tokens.is_numbered;
                    if letter.is_some() {
                        self.pending = self.token()?;
                    }
                    match (letter, &self.pending) {
                        (Some(_), Some(_)) if is_numbered => {
                            draft.take_move(&word, place.1, self.most_plies);
                        }
                        (Some(_), Some((Token::Word(square), _)))
                            if !self.tokens.is_numbered && draft.can_play(&(word.clone() + square)) =>
                        {
                            draft.take_move(&word, place.1, self.most_plies);
                        }
                        (Some(number), _) => draft.take_nag(number),
                        (None, _) => draft.take_move(&word, place.1, self.most_plies),
                    }
                }
                Token::Word(_) | Token::End(..) | Token::Comment(_) | Token::Nag(_) => {}
            }
        }
        if self.tokens.ends_in_word && draft.depth == 0 {
            draft.take_cut_off_word();
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
    /// One of them is a FEN. That is asked before each token, and there may be many tags.
    has_fen: bool,
    /// Something besides tags and comments has come.
    has_text: bool,
    /// Variations that are open.
    depth: usize,
    /// The line of the outermost of them.
    opened: u64,
    unclosed: Option<(char, u64)>,
    cut: Option<u64>,
    /// The position at the start and the one now; made when the first move comes.
    positions: Option<(Position, Position)>,
    comment: String,
    moves: Vec<PgnMove>,
    /// All plies that are wanted are there.
    is_full: bool,
    outcome: Option<Outcome>,
    restated: Option<Outcome>,
    exceptional: Option<&'static str>,
    error: Option<PgnError>,
    /// The last word in place of a move can mean that both have lost.
    last_is_zeros: bool,
    /// That word is what is wrong.
    last_is_wrong: bool,
}

/// The value of a tag; the first one counts.
pub(super) fn value_of<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
}

impl Draft {
    /// The value of a tag; the first one counts.
    fn tag(&self, name: &str) -> Option<&str> {
        value_of(&self.tags, name)
    }

    /// True if this is a legal move now.
    fn can_play(&mut self, word: &str) -> bool {
        self.begin().is_some_and(|(_, position)| parse_san(word, position).is_ok())
    }

    /// The numbers that may be glued to the next move: the position's, and one that counts from where the moves begin. Before
    /// the first move from a position of its own any may.
    fn due(&self) -> Option<[usize; 2]> {
        match &self.positions {
            Some((start, _)) => {
                let number = count_behind(start, self.moves.len());
                Some([number, number + 1 - usize::from(start.fullmove_number())])
            }
            None => (!self.has_fen).then_some([1; 2]),
        }
    }

    fn take_nag(&mut self, number: u8) {
        if let Some(last) = self.moves.last_mut().filter(|_| !self.is_full) {
            last.nags.push(number);
        }
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
        let plies = self.moves.len();
        let Some((start, position)) = self.begin() else { return };
        match read_move(word, position, || number_behind(start, plies)) {
            Ok(mv) => {
                *position = position.after(mv);
                let nags = glyphs::behind_move(word, position.in_check()).into_iter().collect();
                self.moves.push(PgnMove { mv, comment: String::new(), nags });
            }
            Err(kind) => {
                self.error = Some(PgnError { line, kind, before: None });
                self.last_is_wrong = true;
            }
        }
    }

    /// Takes a wrong word with which the file ends for the beginning of a move, or of a result, if it can be one.
    fn take_cut_off_word(&mut self) {
        let (Some(error), Some((_, position))) = (&mut self.error, &self.positions) else { return };
        if let PgnErrorKind::Move(number, why) = &error.kind
            && self.last_is_wrong
            && is_beginning(why.text(), position)
        {
            error.kind = PgnErrorKind::CutOff(number.clone(), why.text().to_string());
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
            restated: self.restated,
            exceptional: self.exceptional,
            tags: self.tags,
            comment: self.comment,
            moves: self.moves,
            line,
            offset,
            unclosed,
            cut: self.cut,
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
        value_of(&self.tags, name)
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

    /// What is wrong with it if not all of a text has been kept. It has all its moves all the same.
    pub fn cut_text(&self) -> Option<PgnError> {
        self.cut.map(|line| PgnError { line, kind: PgnErrorKind::TooLong, before: None })
    }

    /// The result that the tag `Result` tells, where nothing stands behind the moves: at the end of a file a sign that it is cut
    /// off.
    pub fn untold_result(&self) -> Option<&str> {
        let decided = |tag: &&str| outcome(tag).is_some_and(|outcome| outcome != Outcome::Unfinished);
        self.tag("Result").filter(|_| self.stated.is_none()).filter(decided)
    }

    /// The position behind the last move.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, played| position.after(played.mv))
    }
}

/// Whether these are the rules of Chess960 (true) or of standard chess (false), by the names in use; `None` for others.
pub fn rules(variant: &str) -> Option<bool> {
    let letters = variant.chars().filter(|c| c.is_ascii_alphanumeric());
    let name: String = letters.map(|c| c.to_ascii_lowercase()).collect();
    match name.as_str() {
        "" | "standard" | "standardchess" | "chess" | "normal" | "regular" | "classical" | "orthodox"
        | "fromposition" | "fide" => Some(false),
        "chess960"
        | "fischerandom"
        | "fischerrandom"
        | "fischerandomchess"
        | "fischerrandomchess"
        | "chess960fischerrandom"
        | "fischerrandomchess960"
        | "frc"
        | "wildfr"
        | "960"
        | "freestyle"
        | "freestylechess"
        | "doublefischerrandom"
        | "doublefischerandom"
        | "doublechess960"
        | "dfrc" => Some(true),
        _ => None,
    }
}

/// True for the starts of FICS from which chess is played as ever, if the tag `FEN` tells which: shuffled pieces, other
/// material, pawns further on. A king on the d-file castles there as in the mirror, to the b-file or the f-file (xboard's
/// description of "Wild Castle", `whats_new/rules/Wild.html`).
fn is_wild(variant: &str, fen: &str) -> bool {
    let variant = variant.to_ascii_lowercase();
    let is_known = matches!(
        variant.strip_prefix("wild/"),
        Some("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "8a")
    );
    // What is wrong with a FEN is told of the FEN.
    is_known && Board::from_fen_lenient(fen).map_or(true, |board| board.castles_as_usual())
}

pub(super) fn start(fen: Option<&str>, variant: Option<&str>) -> Result<Position, PgnErrorKind> {
    let variant = variant.unwrap_or_default();
    let fen = fen.filter(|fen| !fen.is_empty());
    let is_wild = || fen.is_some_and(|fen| is_wild(variant, fen));
    let rules = rules(variant).or_else(|| is_wild().then_some(false));
    let chess960 = rules.ok_or_else(|| PgnErrorKind::Variant(variant.to_string()))?;
    match fen {
        Some(fen) => Board::from_fen_lenient(fen).map(Position::from).map_err(PgnErrorKind::Fen),
        None if chess960 => Err(PgnErrorKind::NoStart),
        None => Ok(Position::default()),
    }
}

fn read_move(word: &str, position: &Position, number: impl Fn() -> String) -> Result<Move, PgnErrorKind> {
    if matches!(word, "--" | "Z0" | "0000" | "null" | "pass") {
        return Err(PgnErrorKind::NullMove(number(), word.to_string()));
    }
    // What UCI writes is long notation too, but for castling. A capital letter before small ones is a piece, of whatever
    // language, and no pawn's file.
    let is_pieces =
        word.starts_with(|c| matches!(c, 'A'..='H')) && word[1..].contains(|c| matches!(c, 'a'..='h'));
    parse_san(word, position)
        .or_else(|error| parse_uci(word, position).ok().filter(|_| !is_pieces).ok_or(error))
        .or_else(|error| castling_by_squares(word, position).ok_or(error))
        .map_err(|error| PgnErrorKind::Move(number(), error))
}

/// Castling as long notation has it that names the squares alone, and pgn-extract writes it: `e1-g1+`, `c8xb8` in Chess960.
fn castling_by_squares(word: &str, position: &Position) -> Option<Move> {
    let squares = word.trim_end_matches(SIGNS);
    let squares = match squares.get(2..3) {
        Some("-" | "x" | "X" | ":") => [&squares[..2], &squares[3..]].concat(),
        _ => squares.to_string(),
    };
    parse_uci(&squares, position).ok().filter(|mv| mv.is_castling())
}

/// True if more letters can make a legal move, or a result, of this word.
fn is_beginning(word: &str, position: &Position) -> bool {
    let is_of = |mv: Move| {
        let san = to_san(mv, position);
        san.starts_with(word) || mv.is_castling() && san.replace('O', "0").starts_with(word)
    };
    ["1-0", "0-1", "1/2-1/2"].iter().any(|result| result.starts_with(word))
        || position.legal_moves().into_iter().any(is_of)
}

/// The number of the next move with its dots: `7.` or `7...`.
pub fn number_of_next(position: &Position) -> String {
    number_behind(position, 0)
}

/// The number of the move behind so many plies from a start, with its dots.
pub fn number_behind(start: &Position, plies: usize) -> String {
    let is_whites = (start.side_to_move() == Color::White) == plies.is_multiple_of(2);
    format!("{}{}", count_behind(start, plies), if is_whites { "." } else { "..." })
}

/// The number of the move behind so many plies from a start. That of a position counts no further than four digits go.
pub(super) fn count_behind(start: &Position, plies: usize) -> usize {
    let before = usize::from(start.side_to_move() == Color::Black);
    usize::from(start.fullmove_number()) + (before + plies) / 2
}

#[cfg(test)]
mod tests;
