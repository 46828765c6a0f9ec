//! PGN cut into tokens (PGN standard, sections 5 to 8), byte by byte, so that a file of any size takes little memory.
//! Tolerant: what means nothing is skipped.

mod ahead;
mod bytes;

use super::characters::{as_written, in_figurine_font, is_invisible, visible};
use super::comment::DRAW_OFFER;
use super::glyphs;
use super::pgn_result::{named_exceptional, outcome};
use super::{LONGEST_MARK, decode, of_byte, why_no_text};
use crate::types::Outcome;
use bytes::Bytes;
use std::io::{self, ErrorKind, Read};

/// Longer texts are cut off: a comment that is never closed would take the rest of the file into memory.
const LONGEST_TEXT: usize = 1 << 20;
/// The longest word (section 7).
const LONGEST_WORD: usize = 255;
/// How far to look for what makes a bracket a tag.
const TAG_NAME: usize = 64;
/// How far behind a result it is looked for what begins a game, or does not.
pub(super) const REMARK: usize = 2 * TAG_NAME;
/// The longest line that is taken for a careless tag.
const CARELESS_TAG: usize = 200;
/// Quotation marks of typewriters and word processors.
const QUOTATION_MARKS: [char; 9] = ['"', '\'', '“', '”', '„', '‘', '’', '«', '»'];

/// A piece of a PGN file.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// `[Name value]`, alone in its line and with the name or the quotation marks not as they should be; and the line.
    CarelessTag(String, String, String),
    /// A word that should be a move.
    Word(String),
    /// `$14`, or `!?` and its kin as numbers.
    Nag(u8),
    /// The text of a comment.
    Comment(String),
    /// A variation begins.
    Open,
    /// A variation ends.
    Close,
    /// The game's end, and its result if PGN's tag `Result` has no value for it.
    End(Outcome, Option<&'static str>),
}

/// A text without the beginning of a character in UTF-8 at its end, where it has been cut off.
fn whole(text: &[u8]) -> &[u8] {
    match std::str::from_utf8(text) {
        Err(error) if text.len() == LONGEST_TEXT && error.error_len().is_none() => {
            &text[..error.valid_up_to()]
        }
        _ => text,
    }
}

/// Cuts a text into tokens.
pub(super) struct Tokens<R> {
    bytes: Bytes<R>,
    /// Where the last token began: byte from 0 and line from 1.
    pub(super) began: (u64, u64),
    /// The bracket of a comment that was never closed, or of a tag with which the text ends.
    pub(super) left_open: Option<char>,
    /// A comment or a tag was longer than what is kept of it.
    pub(super) is_cut: bool,
    /// A game has just ended with its result.
    pub(super) is_behind_result: bool,
    /// The last token is a word, and nothing but blanks has come behind it.
    pub(super) ends_in_word: bool,
    /// The numbers that the next move may have glued to it; `None` if any.
    pub(super) due: Option<[usize; 2]>,
    /// The number of a move stands before the last token.
    pub(super) is_numbered: bool,
}

impl<R: Read> Tokens<R> {
    /// Reads `input` in blocks of so many bytes.
    pub(super) fn new(input: R, block: usize) -> Tokens<R> {
        let bytes = Bytes::new(input, block.max(4 * TAG_NAME));
        Tokens {
            bytes,
            began: (0, 1),
            left_open: None,
            is_cut: false,
            is_behind_result: false,
            ends_in_word: false,
            due: None,
            is_numbered: false,
        }
    }

    /// The next token, or `None` at the end of the text.
    pub(super) fn next(&mut self) -> io::Result<Option<Token>> {
        if self.bytes.taken == 0 {
            self.bytes.peek(LONGEST_MARK - 1)?;
            if let Some(why) = why_no_text(self.bytes.seen()) {
                return Err(io::Error::new(ErrorKind::InvalidData, why));
            }
            if self.bytes.comes("\u{feff}".as_bytes())? {
                self.bytes.skip(3)?;
                self.bytes.at_line_start = true;
            }
        }
        if std::mem::take(&mut self.is_behind_result) {
            self.began = (self.bytes.taken, self.bytes.line);
            if let Some(remark) = self.remark()? {
                return Ok(Some(Token::Comment(remark)));
            }
        }
        self.is_numbered = false;
        loop {
            let at_line_start = self.bytes.at_line_start;
            self.began = (self.bytes.taken, self.bytes.line);
            let Some(byte) = self.bytes.peek(0)? else { return Ok(None) };
            self.ends_in_word &= byte.is_ascii_whitespace();
            match byte {
                // An escape (section 6).
                b'%' if at_line_start => {
                    self.rest_of_line()?;
                    self.is_cut = false;
                }
                b';' => {
                    self.bytes.take()?;
                    return Ok(Some(Token::Comment(self.rest_of_line()?)));
                }
                b'{' => return Ok(Some(Token::Comment(self.comment()?))),
                // A draw offer, as score sheets have it (FIDE Laws of Chess, C.12).
                b'(' if let Some(length) = self.offer()? => {
                    self.bytes.skip(length)?;
                    return Ok(Some(Token::Comment(DRAW_OFFER.into())));
                }
                b'(' | b')' => {
                    self.bytes.take()?;
                    return Ok(Some(if byte == b'(' { Token::Open } else { Token::Close }));
                }
                b'[' if self.is_tag()? => return Ok(Some(self.tag()?)),
                b'[' if at_line_start && self.fills_line()? => {
                    if let Some(tag) = self.careless_tag()? {
                        return Ok(Some(tag));
                    }
                }
                _ if let signs @ 1.. = self.lost_piece()? => {
                    let mut word = String::new();
                    for _ in 0..signs {
                        word.extend(self.bytes.take()?.map(char::from));
                    }
                    if let Some(Token::Word(rest)) = self.word()? {
                        return Ok(Some(Token::Word(word + &rest)));
                    }
                }
                b'*' => {
                    self.bytes.take()?;
                    return Ok(Some(Token::End(Outcome::Unfinished, None)));
                }
                b'$' => {
                    self.bytes.take()?;
                    let digits = self.run(|byte| byte.is_ascii_digit())?;
                    if let Ok(number) = digits.parse() {
                        return Ok(Some(Token::Nag(number)));
                    }
                }
                b'!' | b'?' => {
                    let signs = self.run(|byte| matches!(byte, b'!' | b'?'))?;
                    if let Some(number) = glyphs::of_move(&signs) {
                        return Ok(Some(Token::Nag(number)));
                    }
                }
                _ => {
                    if let Some(token) = self.word()? {
                        self.ends_in_word = matches!(token, Token::Word(_));
                        return Ok(Some(token));
                    }
                }
            }
        }
    }

    fn run(&mut self, belongs: impl Fn(u8) -> bool) -> io::Result<String> {
        let mut text = vec![];
        while let Some(byte) = self.bytes.peek(0)?.filter(|&byte| belongs(byte)) {
            self.bytes.take()?;
            if text.len() < LONGEST_WORD {
                text.push(byte);
            }
        }
        Ok(decode(&text).to_string())
    }

    fn rest_of_line(&mut self) -> io::Result<String> {
        let mut text = vec![];
        while let Some(byte) = self.bytes.take()? {
            if self.bytes.at_line_start {
                break;
            }
            self.keep(byte, &mut text);
        }
        Ok(decode(whole(&text)).trim().to_string())
    }

    /// Adds a byte to a text, unless that is as long as one may be.
    fn keep(&mut self, byte: u8, text: &mut Vec<u8>) {
        if text.len() < LONGEST_TEXT {
            text.push(byte);
        } else {
            self.is_cut = true;
        }
    }

    /// A comment in braces. They do not nest (section 5). One that is never closed ends where the next game begins.
    fn comment(&mut self) -> io::Result<String> {
        self.bytes.take()?;
        let mut text = vec![];
        loop {
            if self.bytes.at_line_start && self.bytes.comes(b"[Event \"")? {
                self.left_open = Some('{');
                break;
            }
            match self.bytes.take()? {
                Some(b'}') => break,
                None => {
                    self.left_open = Some('{');
                    break;
                }
                Some(byte) => self.keep(byte, &mut text),
            }
        }
        Ok(decode(whole(&text)).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// True if a bracket, a name and a quotation mark come, with blanks between them.
    fn is_tag(&mut self) -> io::Result<bool> {
        let mut name_has_ended = false;
        let mut letters = 0;
        for ahead in 1..TAG_NAME {
            match self.bytes.peek(ahead)? {
                Some(b' ' | b'\t') => name_has_ended = letters > 0,
                Some(b'"') => return Ok(letters > 0),
                Some(byte) if !name_has_ended && is_part_of_name(byte) => letters += 1,
                _ => return Ok(false),
            }
        }
        Ok(false)
    }

    /// True if a bracket closes where the line ends, and no other stands in it.
    fn fills_line(&mut self) -> io::Result<bool> {
        let mut last = b'[';
        for ahead in 1..CARELESS_TAG {
            match self.bytes.peek(ahead)? {
                None | Some(b'\r' | b'\n') => return Ok(last == b']'),
                Some(b' ' | b'\t') => {}
                Some(_) if last == b']' => return Ok(false),
                Some(b'[') => return Ok(false),
                Some(byte) => last = byte,
            }
        }
        Ok(false)
    }

    /// A line in brackets: all before a quotation mark is the name, else the first word. Blanks in the name are left out. `None`
    /// if there is no name.
    fn careless_tag(&mut self) -> io::Result<Option<Token>> {
        let line = self.rest_of_line()?;
        let text = line.trim_start_matches('[').trim_end_matches(']').trim();
        // An apostrophe may belong to the value.
        let opens = |&(at, mark): &(usize, char)| {
            let is_behind_blank = text[..at].ends_with(char::is_whitespace);
            QUOTATION_MARKS.contains(&mark) && (is_behind_blank || !matches!(mark, '\'' | '’'))
        };
        let mark = text.char_indices().find(opens).map(|(at, _)| at);
        let end = mark.or_else(|| text.find(char::is_whitespace));
        let (name, value) = text.split_at(end.unwrap_or(text.len()));
        let name: String = name.chars().filter(|&c| c.is_alphanumeric() || c == '_').collect();
        let value =
            value.trim_matches(|c: char| c.is_whitespace() || QUOTATION_MARKS.contains(&c)).to_string();
        // `[pgn]` and `[/pgn]`, between which web sites show a game.
        let is_markup = name == "pgn" || text.starts_with('/');
        Ok((!name.is_empty() && !is_markup).then_some(Token::CarelessTag(name, value, line)))
    }

    /// A tag. A quotation mark that no bracket follows belongs to the value, and the line's end closes everything.
    fn tag(&mut self) -> io::Result<Token> {
        self.bytes.take()?;
        let name = self.run(|byte| byte != b'"')?.trim().to_string();
        self.bytes.take()?;
        let (mut value, mut is_closed) = (vec![], false);
        while let Some(byte) = self.bytes.peek(0)?.filter(|&byte| !matches!(byte, b'\n' | b'\r')) {
            self.bytes.take()?;
            match byte {
                b'"' => {
                    let mut blanks = 0;
                    while matches!(self.bytes.peek(blanks)?, Some(b' ' | b'\t')) && blanks < TAG_NAME {
                        blanks += 1;
                    }
                    match self.bytes.peek(blanks)? {
                        Some(b']') => {
                            self.bytes.skip(blanks + 1)?;
                            is_closed = true;
                            break;
                        }
                        Some(b'\r' | b'\n') | None => break,
                        _ => value.push(byte),
                    }
                }
                // A path as programs write it that escape nothing: "C:\games\"].
                b'\\' if self.bytes.peek(0)? == Some(b'"') && self.closes_line(1)? => value.push(byte),
                b'\\' if matches!(self.bytes.peek(0)?, Some(b'"' | b'\\')) => {
                    value.extend(self.bytes.take()?);
                }
                _ => self.keep(byte, &mut value),
            }
        }
        if !is_closed && self.bytes.peek(0)?.is_none() {
            self.left_open = Some('[');
        }
        Ok(Token::Tag(name, decode(&value).trim().to_string()))
    }

    /// True if so far ahead a bracket closes a tag, and nothing stands behind it in its line.
    fn closes_line(&mut self, ahead: usize) -> io::Result<bool> {
        if self.bytes.peek(ahead)? != Some(b']') {
            return Ok(false);
        }
        let mut next = ahead + 1;
        while matches!(self.bytes.peek(next)?, Some(b' ' | b'\t')) && next < TAG_NAME {
            next += 1;
        }
        Ok(matches!(self.bytes.peek(next)?, Some(b'\r' | b'\n') | None))
    }

    /// What stands behind a result in its line and begins no other game, as in `1-0 White resigns` and `0-1 (time)`: the moves
    /// of one without tags begin with a number or with a word that has a digit.
    fn remark(&mut self) -> io::Result<Option<String>> {
        let mut ahead = 0;
        // Where the last line ended nothing of it is left.
        while !self.bytes.at_line_start {
            let mut word = vec![];
            while let Some(byte) = self.bytes.peek(ahead)?.filter(|&byte| !matches!(byte, b'\n' | b'\r')) {
                if ahead == REMARK {
                    return Ok(None);
                }
                ahead += 1;
                match byte {
                    b' ' | b'\t' if word.is_empty() => {}
                    b' ' | b'\t' => break,
                    _ => word.push(byte),
                }
            }
            let text = decode(&word);
            match word.first() {
                None | Some(b'{' | b';' | b'[' | b'$' | b'!' | b'?' | b'*') => break,
                // What goes on in the next line is a variation.
                Some(b'(') if !self.closes_in_line()? => break,
                Some(b'(') => return self.rest_of_remark().map(Some),
                // The number of a move, or of something else.
                _ if word.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') => {}
                _ if text.contains(char::is_numeric) => break,
                // Signs say nothing: games may be parted by them.
                _ if !text.contains(char::is_alphabetic) => {}
                _ => return self.rest_of_remark().map(Some),
            }
        }
        Ok(None)
    }

    /// True if a round bracket closes before the line ends.
    fn closes_in_line(&mut self) -> io::Result<bool> {
        for ahead in 0..REMARK {
            match self.bytes.peek(ahead)? {
                Some(b')') => return Ok(true),
                None | Some(b'\n' | b'\r') => break,
                Some(_) => {}
            }
        }
        Ok(false)
    }

    /// The line up to its end, a comment in braces or a tag.
    fn rest_of_remark(&mut self) -> io::Result<String> {
        let mut text = vec![];
        while let Some(byte) = self.bytes.peek(0)?.filter(|byte| !matches!(byte, b'\n' | b'\r' | b'{')) {
            if byte == b'[' && self.is_tag()? {
                break;
            }
            self.bytes.take()?;
            self.keep(byte, &mut text);
        }
        Ok(decode(whole(&text)).trim().to_string())
    }

    /// A move, a move number (which says nothing, and is skipped), or the result. Skips at least one byte.
    fn word(&mut self) -> io::Result<Option<Token>> {
        let mut word = String::new();
        if let Some((number, length)) = self.judgement()? {
            self.bytes.skip(length)?;
            return Ok(Some(Token::Nag(number)));
        }
        if let Some((castling, length)) = self.castling()? {
            self.bytes.skip(length)?;
            word = castling;
        }
        while word.len() < LONGEST_WORD {
            let (character, bytes) = self.character()?;
            match character {
                // "1e4": no move begins with a number, so it is that of the move. "8c4" may be a bishop's: there it is its turn.
                Some(c)
                    if c.is_ascii_alphabetic()
                        && is_number(&word)
                        && (!matches!(c, 'a'..='h') || self.is_due(&word)) =>
                {
                    self.is_numbered |= !word.is_empty();
                    word.clear();
                    word.push(c);
                }
                Some(c) if is_part_of_word(c) => word.push(c),
                // A piece's letter in another alphabet, so that the move is not read as what is left without it. Behind a
                // move, or alone, it is a sign of some other character set.
                Some(c)
                    if c.is_alphabetic()
                        && !word.contains(|c: char| c.is_ascii())
                        && self.goes_on(bytes)? =>
                {
                    word.push(c);
                }
                Some('½') => word.push_str("1/2"),
                Some(c) if is_invisible(c) => {
                    self.bytes.skip(bytes)?;
                    if word.is_empty() {
                        return Ok(None);
                    }
                    continue;
                }
                // A capture's sign as print has it, and a letter that looks like it.
                Some('×' | 'х') if !word.is_empty() && self.square_comes(bytes)? => word.push('x'),
                Some(c)
                    if let Some(piece) = in_figurine_font(c)
                        && self.may_be_piece(&word, bytes)? =>
                {
                    word.push(piece);
                }
                // A piece in some other character set or font, so that its move is not read as a pawn's.
                Some(c)
                    if word.is_empty() && ahead::may_stand_for_piece(c) && self.square_comes(bytes)? =>
                {
                    word += &visible(c.encode_utf8(&mut [0; 4]));
                }
                // "1.e4", "12...Nf6": the number ends here.
                Some('.') if is_number(&word) && !self.is_castling_with(&word, bytes)? => {
                    self.bytes.skip(bytes)?;
                    self.is_numbered = true;
                    return Ok(None);
                }
                // "e.p."
                Some('.') if word.ends_with('e') && self.bytes.comes(b".p")? => {
                    word.push_str(".p");
                    self.bytes.skip(2)?;
                    if self.bytes.peek(0)? == Some(b'.') {
                        self.bytes.take()?;
                    }
                    continue;
                }
                // "N(g)f3"
                Some('(') if matches!(&*word, "Q" | "R" | "B" | "N") && self.is_departure()? => {
                    word.extend(self.bytes.peek(1)?.map(char::from));
                    self.bytes.skip(3)?;
                    continue;
                }
                // "e8(Q)", "e8=(Q)"
                Some('(')
                    if word.trim_end_matches(['=', '/']).ends_with(['1', '8']) && self.is_promotion()? =>
                {
                    word.truncate(word.trim_end_matches(['=', '/']).len());
                    word.push('=');
                    word.extend(self.bytes.peek(1)?.map(char::from));
                    self.bytes.skip(3)?;
                    continue;
                }
                _ if word.is_empty() => {
                    self.bytes.skip(bytes.max(1))?;
                    let sign = character.map(String::from).unwrap_or_default();
                    return Ok(match sign.as_str() {
                        // Of full width.
                        "(" => Some(Token::Open),
                        ")" => Some(Token::Close),
                        "*" => Some(Token::End(Outcome::Unfinished, None)),
                        sign => glyphs::of_word(sign).or_else(|| glyphs::of_move(sign)).map(Token::Nag),
                    });
                }
                _ => break,
            }
            self.bytes.skip(bytes)?;
        }
        if let Some((whole, length)) = self.result_behind(&word)? {
            self.bytes.skip(length)?;
            word = whole;
        } else if let Some((whole, length)) = self.promotion_behind(&word)? {
            self.bytes.skip(length)?;
            word = whole;
        }
        if let Some(outcome) = outcome(&word) {
            return Ok(Some(Token::End(outcome, named_exceptional(&word))));
        }
        Ok(match word.as_str() {
            _ if matches!(word.trim_end_matches(glyphs::SIGNS), "ep" | "e.p") => {
                glyphs::behind_move(&word, false).map(Token::Nag)
            }
            // Castling, of careless writers, or a piece of it.
            "0" | "00" | "000" => Some(Token::Word(word)),
            // Move numbers without a dot; but a move in numeric notation (5254) is one.
            _ if is_number(&word) && !self.is_numeric_move(&word) => {
                self.is_numbered = true;
                None
            }
            _ if let Some(number) = glyphs::of_word(&word) => Some(Token::Nag(number)),
            _ if word != "--" && !word.bytes().any(|byte| byte.is_ascii_alphanumeric()) => None,
            _ => Some(Token::Word(word)),
        })
    }

    /// The next character as words are written with it, and how many bytes it has: dashes of all lengths are hyphens,
    /// chess symbols are letters.
    fn character(&mut self) -> io::Result<(Option<char>, usize)> {
        self.character_at(0)
    }

    /// The same so many bytes ahead.
    fn character_at(&mut self, ahead: usize) -> io::Result<(Option<char>, usize)> {
        let Some(first) = self.bytes.peek(ahead)? else { return Ok((None, 0)) };
        if first.is_ascii() {
            return Ok((Some(char::from(first)), 1));
        }
        let mut bytes = [first, 0, 0, 0];
        for (more, byte) in bytes.iter_mut().enumerate().skip(1) {
            *byte = self.bytes.peek(ahead + more)?.unwrap_or(0);
        }
        for length in 2..=4 {
            let text = std::str::from_utf8(&bytes[..length]).ok();
            if let Some(character) = text.and_then(|text| text.chars().next()) {
                return Ok((Some(as_written(character)), length));
            }
        }
        Ok((Some(as_written(of_byte(first))), 1))
    }
}

/// True if there is nothing but digits.
fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_part_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '=' | ':' | '-' | '/' | '_')
}

/// What names of tags have in files, beyond what the standard knows.
fn is_part_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_+#=:-.".contains(&byte)
}

#[cfg(test)]
mod tests;
